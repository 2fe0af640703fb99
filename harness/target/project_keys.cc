// SPDX-License-Identifier: Apache-2.0
#include "harness/target/project_keys.h"

namespace harness::target {
namespace {

constexpr std::uint64_t kMinute = 60'000, kHour = 60 * kMinute, kDay = 24 * kHour;  // milliseconds

}  // namespace

const std::vector<ProjectKey>& play_keys() {
  static const std::vector<ProjectKey> kKeys = {
      {"profiles", KeyKind::kTexts,
       "Profiles to test against, one run each: a name from `rpcspec list profiles`, with @SET "
       "for a frozen set; auto negotiates one."},
      {"level", KeyKind::kWord, "should: a broken SHOULD also fails.", 0, 0, {"must", "should"}},
      {"strict", KeyKind::kFlag, "Also fail if something could not be tested."},
      {"baseline", KeyKind::kText,
       "Known failures, which do not fail the gate. {target} and {profile} in the file name are "
       "replaced by their names. `rpcspec run --write-baseline FILE` writes one."},
      {"surface", KeyKind::kText,
       "What the server offered, as `rpcspec surface -o FILE` writes it; a breaking change fails. "
       "{target} and {profile} in the file name are replaced by their names."},
      {"select", KeyKind::kTexts, "Only cases whose id matches, with * for any text."},
      {"exclude", KeyKind::kTexts, "Skip cases whose id matches."},
      {"cases", KeyKind::kTexts,
       "Folders of your own cases, played in addition to the built-in "
       "ones."},
      {"requirements", KeyKind::kText, "The frozen set that gates; newer cases are reported."},
      {"expected-failures", KeyKind::kText,
       "Known failures as the official conformance suite lists them."},
      {"timeout", KeyKind::kTime, "Longest wait for a reply: 500ms, 10s.", 10, kHour},
      {"max-time", KeyKind::kTime, "Time limit of the run: 22s, 5m.", 0, kDay},
      {"jobs", KeyKind::kWhole, "Cases to run in parallel.", 1, 64},
      {"fuzz", KeyKind::kMapping, "A campaign of the fuzzer, played after all runs."},
  };
  return kKeys;
}

const std::vector<ProjectKey>& fuzz_keys() {
  static const std::vector<ProjectKey> kKeys = {
      {"minutes", KeyKind::kMinutes, "How long to fuzz.", 1'000, 100 * kDay, {}, true},
      {"findings", KeyKind::kText,
       "Folder for findings, one folder each. {target} and {profile} in the name are replaced by "
       "their names."},
      {"corpus", KeyKind::kText, "Folder of scripts: read at the start, added to later."},
      {"seed", KeyKind::kWhole, "Random seed; the same seed makes the same scripts.", 1},
      {"jobs", KeyKind::kWhole, "Workers to run in parallel, each with its own target.", 1, 64},
      {"rate", KeyKind::kWhole, "Messages per second at most.", 1, 1'000'000},
      {"timeout", KeyKind::kTime, "Longest wait for a reply: 500ms, 10s.", 10, kHour},
  };
  return kKeys;
}

const std::vector<ProjectKey>& project_keys() {
  static const std::vector<ProjectKey> kKeys = {
      {"targets", KeyKind::kMapping, "The targets, by name.", 0, 0, {}, true},
      {"reports", KeyKind::kMapping,
       "Formats from `rpcspec list reporters`, each with the file to write."},
  };
  return kKeys;
}

std::vector<std::string> names_of(const std::vector<ProjectKey>& keys) {
  std::vector<std::string> out;
  for (const ProjectKey& key : keys) out.emplace_back(key.name);
  return out;
}

}  // namespace harness::target
