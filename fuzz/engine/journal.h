// SPDX-License-Identifier: Apache-2.0
// Journal: what was played on a session up to a script that is in question, and what had been
// pipelined behind it. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fuzz/judge/judge.h"
#include "fuzz/minimizer/minimizer.h"
#include "fuzz/script/script.h"

namespace fuzz {

struct Journal {
  std::vector<Script> scripts;
  // This many scripts at the end were written ahead, after the one in question. They do not
  // influence what came before. But a process may have read them when it ended, and lost replies
  // that it had made.
  std::size_t behind = 0;

  // The scripts that may have led to a problem with this signature.
  std::vector<Script> of(const std::string& signature) const {
    if (is_of_process(signature)) return scripts;
    return {scripts.begin(), scripts.end() - static_cast<std::ptrdiff_t>(behind)};
  }
  // The script in question and those after it.
  Script suspect() const {
    return joined({scripts.end() - static_cast<std::ptrdiff_t>(behind + 1), scripts.end()});
  }
};

}  // namespace fuzz
