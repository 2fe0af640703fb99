// SPDX-License-Identifier: Apache-2.0
// Trial: what is needed to fuzz one Subject: its profile, the catalogue, what mutators know of it,
// a Conversation with it. Its settings come from environment variables (README.md).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <typeinfo>
#include <unordered_set>
#include <vector>

#include "fuzz/handler/conversation.h"
#include "fuzz/mutate/mutator.h"
#include "fuzz/triage/sight.h"
#include "harness/oracle/finding.h"
#include "harness/spec/requirement.h"
#include "rpcspec/fuzz_handler.h"

namespace fuzz {

// The catalogue of requirements that is packed into the library.
const harness::spec::Registry& packed_catalogue();

// Whether the type of this exception is one of these, or derived from one. A name may be the end of
// the full one, from a `::` on.
bool is_among(const std::type_info& type, const std::set<std::string>& names);
// As people write it.
std::string name_of(const std::type_info& type);

struct TrialSettings {
  harness::oracle::Severity at_least = harness::oracle::Severity::kFail;  // RPCSPEC_LEVEL=should
  std::set<std::string> except;  // RPCSPEC_EXCEPT: clauses whose breaches are tolerated
  // Exception types that are tolerated: "std::out_of_range", or the end of a name, "out_of_range".
  std::set<std::string> except_types;
  bool judges = true;  // RPCSPEC_ORACLES=off, to measure their cost
  bool shows = false;  // RPCSPEC_TRACE: prints each message as soon as it is sent or received

  static TrialSettings of_environment();
};

class Trial {
 public:
  // Throws std::invalid_argument when the profile is unknown, or the server does not speak it.
  explicit Trial(const rpcspec::Subject& subject, TrialSettings settings = {});

  // The first breach, with the report of all breaches. Throws what the handler throws, except
  // tolerated types.
  std::optional<Sight> look(std::string_view input);
  // The report alone; "" when nothing was wrong.
  std::string play(std::string_view input);

  std::string mutated(std::string_view input, std::size_t most, std::uint32_t seed);
  std::string crossed(std::string_view a, std::string_view b, std::size_t most, std::uint32_t seed);

  // The messages so far, for use when the process is about to end.
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
