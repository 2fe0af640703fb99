// SPDX-License-Identifier: Apache-2.0
// Corpora of several campaigns, joined: the least set of scripts that shows every behaviour.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fuzz/engine/worker_target.h"

namespace fuzz {

// What a script showed when it was played: features (fuzz/feedback), in any order.
struct Showing {
  std::size_t bytes = 0;  // of the script
  std::vector<std::uint64_t> features;
};

// Indices of scripts that together show all features, in their order. Short ones are taken first,
// and none is left that could be taken away. Pure.
std::vector<std::size_t> least_set(const std::vector<Showing>& shown);

struct CorpusMerge {
  std::vector<std::size_t> kept;  // indices
  std::size_t features = 0;       // that all of them show
};
// Plays each of the scripts alone, and says which to keep. `tell` is called after each.
CorpusMerge merge_corpus(WorkerTarget& target, const std::vector<std::string>& scripts,
                         const std::function<void(std::size_t played)>& tell);

}  // namespace fuzz
