// SPDX-License-Identifier: Apache-2.0
#include "harness/target/project_keys.h"

namespace harness::target {
namespace {

constexpr std::uint64_t kMinute = 60'000, kHour = 60 * kMinute, kDay = 24 * kHour;  // milliseconds

}  // namespace

const std::vector<ProjectKey>& play_keys() {
  static const std::vector<ProjectKey> kKeys = {
      {"profiles", KeyKind::kTexts,
       "What it is judged by: each is a run of its own. A name of `rpcspec list profiles`, with "
       "@SET a frozen set; auto is what the server speaks."},
      {"level", KeyKind::kWord, "should: a broken SHOULD fails, too.", 0, 0, {"must", "should"}},
      {"strict", KeyKind::kFlag, "What could not be exercised fails, too."},
      {"baseline", KeyKind::kText,
       "Known failures, which do not fail the gate; {target} and {profile} in the name of the file "
       "stand for what is played. `rpcspec run --write-baseline FILE` writes one."},
      {"select", KeyKind::kTexts, "Only cases whose id matches, with * for any text."},
      {"exclude", KeyKind::kTexts, "No case whose id matches."},
      {"cases", KeyKind::kTexts, "Folders of your own cases, played besides the built-in ones."},
      {"requirements", KeyKind::kText, "The frozen set that gates; newer cases are reported."},
      {"expected-failures", KeyKind::kText,
       "Known failures as the official conformance suite lists them."},
      {"timeout", KeyKind::kTime, "No reply is waited for longer: 500ms, 10s.", 10, kHour},
      {"max-time", KeyKind::kTime,
       "What a server that does not answer may cost the run altogether: 22s, 5m.", 0, kDay},
      {"jobs", KeyKind::kWhole, "Cases that are played at one time.", 1, 64},
      {"fuzz", KeyKind::kMapping, "A campaign of the fuzzer, played after all runs."},
  };
  return kKeys;
}

const std::vector<ProjectKey>& fuzz_keys() {
  static const std::vector<ProjectKey> kKeys = {
      {"minutes", KeyKind::kMinutes, "How long it goes on.", 1'000, 100 * kDay, {}, true},
      {"findings", KeyKind::kText,
       "Where a folder is made for each finding; {target} and {profile} in the name stand for "
       "what is fuzzed."},
      {"corpus", KeyKind::kText, "Folder of scripts to begin with, and to add to."},
      {"seed", KeyKind::kWhole, "The same seed makes the same scripts.", 1},
      {"jobs", KeyKind::kWhole, "Servers that are fuzzed at one time.", 1, 64},
      {"rate", KeyKind::kWhole, "Messages a second, at most.", 1, 1'000'000},
      {"timeout", KeyKind::kTime, "No reply is waited for longer: 500ms, 10s.", 10, kHour},
  };
  return kKeys;
}

const std::vector<ProjectKey>& project_keys() {
  static const std::vector<ProjectKey> kKeys = {
      {"targets", KeyKind::kMapping, "The servers, by name.", 0, 0, {}, true},
      {"reports", KeyKind::kMapping,
       "Formats of `rpcspec list reporters`, and the file that each is written to."},
  };
  return kKeys;
}

std::vector<std::string> names_of(const std::vector<ProjectKey>& keys) {
  std::vector<std::string> out;
  for (const ProjectKey& key : keys) out.emplace_back(key.name);
  return out;
}

}  // namespace harness::target
