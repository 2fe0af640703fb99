// SPDX-License-Identifier: Apache-2.0
// reduce(): from an input that shows a bug to the least found that shows it, by lines, by runs of
// one text, by members of messages, then by bytes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace fuzz {

// Counts work, never time: what is left of an input decides what a campaign tries next.
struct ReduceBounds {
  std::size_t plays = 2000;
  std::size_t bytes = 32u << 20;  // of everything played, together
};

// `shows` plays a candidate and says whether it shows the same bug; it is not called for `text`.
std::string reduce(std::string text, const std::function<bool(const std::string&)>& shows,
                   const ReduceBounds& bounds);

}  // namespace fuzz
