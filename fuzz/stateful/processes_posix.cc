// SPDX-License-Identifier: Apache-2.0
// POSIX does not say what a process takes of its machine: no growth and no cost is measured.
#include "fuzz/stateful/processes.h"

namespace fuzz {

Processes::Processes(int) {}

std::optional<Usage> Processes::usage() const { return std::nullopt; }

std::optional<std::chrono::nanoseconds> Processes::processor_time() const { return std::nullopt; }

std::optional<double> Processes::slack() const { return std::nullopt; }

}  // namespace fuzz
