// SPDX-License-Identifier: Apache-2.0
// What a command prints: a password store or the command line of a cloud a secret, a server its
// description.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "harness/base/result.h"

namespace harness::target {

inline constexpr std::chrono::seconds kSecretTime{30};
inline constexpr std::size_t kLargestSecret = 64u << 10;  // bytes

// The output of the command on stdout, without line ends at the end. It runs in `folder`, without
// stdin, and shares our stderr. An Error, without a place, if it cannot be started, does not exit
// with 0 in time, or prints nothing or too much; no Error contains its output. Its whole process
// group is killed on return.
Result<std::string> printed_by(const std::vector<std::string>& command, const std::string& folder,
                               std::chrono::milliseconds most = kSecretTime,
                               std::size_t largest = kLargestSecret);

}  // namespace harness::target
