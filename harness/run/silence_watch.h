// SPDX-License-Identifier: Apache-2.0
// SilenceWatch: the cases of one shared session whose silences are believed until the session ends,
// and what was left unanswered on it. A late reply that names one of those messages contradicts the
// silence of that case only; one without an id may belong to any of them. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/run/entry.h"
#include "harness/wire/used_ids.h"

namespace harness::run {

class SilenceWatch {
 public:
  bool empty() const { return watched_.empty(); }
  // The case was played, and these ids of its messages, by key, got no reply. `believed`: the
  // silence counted as proved.
  void played(Entry& entry, const wire::Keys& unanswered, bool believed);

  struct Contradicted {
    std::vector<Entry*> named;  // their own message was answered late
    std::vector<Entry*> all;    // a reply without an id came: it may have been theirs
    bool unnamed = false;       // such a reply came
  };
  // Replies came with these ids, but they answer no request of the latest case. Contradicted ones
  // are no longer watched.
  Contradicted late(const std::vector<std::string>& keys);
  // Those that nothing contradicted; they are no longer watched.
  std::vector<Entry*> end();

 private:
  std::vector<Entry*> watched_;
  std::multimap<std::string, Entry*> unanswered_;  // by key, whose message that was
};

}  // namespace harness::run
