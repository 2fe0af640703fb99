// SPDX-License-Identifier: Apache-2.0
// Trial: what is needed to fuzz one Subject: its profile, the catalogue, what mutators know of it,
// a Conversation with it. Its settings come from environment variables (README.md).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "fuzz/handler/conversation.h"
#include "fuzz/mutate/mutator.h"
#include "harness/oracle/finding.h"
#include "harness/spec/requirement.h"
#include "rpcspec/fuzz_handler.h"

namespace fuzz {

// The catalogue of requirements that is packed into the library.
const harness::spec::Registry& packed_catalogue();

struct TrialSettings {
  harness::oracle::Severity at_least = harness::oracle::Severity::kFail;  // RPCSPEC_LEVEL=should
  std::set<std::string> except;  // RPCSPEC_EXCEPT: clauses whose breaches are let pass
  bool judges = true;            // RPCSPEC_ORACLES=off, to measure what they cost
  bool shows = false;            // RPCSPEC_TRACE: what is said, as soon as it was

  static TrialSettings of_environment();
};

class Trial {
 public:
  // Throws std::invalid_argument when there is no such profile, or the server does not speak it.
  explicit Trial(const rpcspec::Subject& subject, TrialSettings settings = {});

  // The report of what was wrong; "" when nothing was.
  std::string play(std::string_view input);

  std::string mutated(std::string_view input, std::size_t most, std::uint32_t seed);
  std::string crossed(std::string_view a, std::string_view b, std::size_t most, std::uint32_t seed);

  // What has been said so far, for who finds the process about to end.
  std::string said() const;
  Vocabulary& vocabulary() { return vocabulary_; }
  const harness::spec::Profile& profile() const { return profile_; }

 private:
  void meet();
  void learn();

  const harness::spec::Profile& profile_;
  const harness::spec::Registry& registry_;
  TrialSettings settings_;
  Vocabulary vocabulary_;
  Conversation conversation_;
  std::unordered_set<std::uint64_t> learnt_;  // outlines of messages
};

}  // namespace fuzz
