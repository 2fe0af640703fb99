// SPDX-License-Identifier: Apache-2.0
// Captures: names for what the frames of a script hold of earlier replies, as far as it could be
// filled in when the script was played.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "fuzz/judge/judge.h"
#include "fuzz/minimizer/case_text.h"
#include "fuzz/script/script.h"

namespace fuzz {

class Captures {
 public:
  // Both outlive this.
  Captures(const Script& script, const Execution& execution);

  // The bytes of a frame, with names for the captured values.
  Text named(std::size_t step, const std::string& bytes) const;

  // The captures from the reply to a frame, counted from 1, as `capture:` of a step has them; ""
  // when there are none.
  std::string of_reply_to(std::size_t frame) const;

 private:
  bool was_filled_in(std::size_t step, const std::string& reference) const;

  const Execution& execution_;
  std::map<std::pair<std::size_t, std::string>, std::string> names_;  // by frame and pointer
};

}  // namespace fuzz
