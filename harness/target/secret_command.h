// SPDX-License-Identifier: Apache-2.0
// A secret that a command prints: a password store, or the command line of a cloud.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "harness/base/result.h"

namespace harness::target {

inline constexpr std::chrono::seconds kSecretTime{30};
inline constexpr std::size_t kLargestSecret = 64u << 10;  // bytes

// What the command writes to stdout, without line ends at its end. It runs in `folder`, has no
// stdin, and writes its complaints where we write ours. An Error, without a place, when it cannot
// be started, does not end with 0 in that time, or prints nothing or too much; what it printed is
// in none. It is killed with all of its process group when this returns.
Result<std::string> printed_by(const std::vector<std::string>& command, const std::string& folder,
                               std::chrono::milliseconds most = kSecretTime);

}  // namespace harness::target
