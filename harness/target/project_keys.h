// SPDX-License-Identifier: Apache-2.0
// What a project file (rpcspec.yaml: `targets`, a mapping of names to descriptions) may contain in
// addition to how to start or reach each target. The rows drive the reader, its error messages and
// the schema for editors (rpcspec check --schema project).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace harness::target {

enum class KeyKind {
  kText,     // not empty
  kTexts,    // one, or a list of them
  kWord,     // one of `words`
  kFlag,     // true or false
  kWhole,    // a whole number from `least` to `most`
  kTime,     // "500ms", "10s" or seconds; `least` and `most` are milliseconds
  kMinutes,  // a number, whole or not; likewise
  kMapping,  // read by itself
};

struct ProjectKey {
  const char* name;
  KeyKind kind;
  const char* help;  // a sentence or two
  std::uint64_t least = 0, most = UINT64_MAX;
  std::vector<std::string> words = {};
  bool required = false;
};

// For one target, or at the top of the file for all of them.
const std::vector<ProjectKey>& play_keys();
// Within `fuzz`.
const std::vector<ProjectKey>& fuzz_keys();
// Only at the top of the file.
const std::vector<ProjectKey>& project_keys();

std::vector<std::string> names_of(const std::vector<ProjectKey>& keys);

}  // namespace harness::target
