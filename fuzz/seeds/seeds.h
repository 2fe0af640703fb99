// SPDX-License-Identifier: Apache-2.0
// Seeds: a few small scripts that between them have everything the case library sends: what a
// campaign begins with. Dictionaries: the words of a profile for engines of bytes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fuzz/seeds/scenario.h"

namespace fuzz {

inline constexpr std::size_t kMostSeeds = 60;
inline constexpr std::size_t kLargestSeed = 4096;  // bytes of its text

// The smallest scenarios that cover all features of all of them (methods, kinds of ids, params and
// texts, kinds of delivery, topics of cases), within kMostSeeds and kLargestSeed; the first is a
// request for each method of the profile. Always the same ones.
std::vector<Scenario> seeds(const harness::suite::Suite& suite,
                            const harness::spec::Registry& registry,
                            const harness::spec::Profile& profile);

// The features of a script, for coverage: "method:tools/call", "id:fraction", "delivery:chunks" …
std::vector<std::string> features(const Scenario& scenario);

// A dictionary as libFuzzer and AFL++ read it: words of the protocol, methods, names of members in
// shapes, numbers and texts at edges, directives of scripts.
std::string dictionary(const harness::spec::Profile& profile);

// The files of build/corpus/: path below it → content.
struct SeedFile {
  std::string path;  // "seeds/mcp-2025-06-18/jsonrpc.id.zero-echo.script"
  std::string content;
};
std::vector<SeedFile> seed_files(const harness::suite::Suite& suite,
                                 const harness::spec::Registry& registry);

}  // namespace fuzz
