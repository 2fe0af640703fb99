// SPDX-License-Identifier: Apache-2.0
// Work in child processes: each piece in one of its own, several side by side. The output of a
// piece is handed over when it has ended, even if it aborted, exited or ran too long.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace harness::falsify {

// `piece` runs in a child for each number below `count` and writes to the descriptor; `over` is
// called here. A child is killed after `seconds`.
void fork_each(std::size_t count, int jobs, int seconds,
               const std::function<void(std::size_t number, int out)>& piece,
               const std::function<void(std::size_t number, const std::string& written)>& over);

void write_line(int out, const std::string& line);

}  // namespace harness::falsify
