// SPDX-License-Identifier: Apache-2.0
// Selection: which cases of a suite a run plays (--select, --exclude, --shard, --quick).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.h"
#include "harness/suite/case.h"

namespace harness::suite {

// A pattern is a glob over the case's id, a folder of the case ("base/ids"), or a glob over the ids
// of the requirements it covers ("jsonrpc.batch.*").
bool matches(const Case& item, std::string_view pattern);

struct Shard {
  unsigned index = 1;  // from 1
  unsigned count = 1;
};
// "2/5"; rejects 0/5, 6/5 and anything that is not such a pair.
Result<Shard> read_shard(std::string_view text);
// The shard of a case depends only on its id, so a new case moves no other.
bool in_shard(std::string_view id, const Shard& shard);

struct Selection {
  std::vector<std::string> select;   // empty: all
  std::vector<std::string> exclude;  // wins over select
  Shard shard;
  bool survey = false;  // only those of the survey

  bool narrowed() const { return !select.empty() || survey; }
};
bool selected(const Case& item, const Selection& selection);

// Patterns of `select` and `exclude` that match no case at all: probably a typing mistake.
std::vector<std::string> unmatched(const std::vector<Case>& cases, const Selection& selection);

}  // namespace harness::suite
