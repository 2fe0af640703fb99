// SPDX-License-Identifier: Apache-2.0
// Reads a whole file of the user.
#pragma once

#include <cstddef>
#include <string>

#include "harness/base/result.h"

namespace harness {

inline constexpr std::size_t kMostRead = std::size_t{1} << 30;  // bytes: /dev/zero has no end

// The content of the file at `path`; pipes are read to their end. An Error at `path` if it cannot
// be opened, is a folder, or has more than `most` bytes.
Result<std::string> read_file(const std::string& path, std::size_t most = kMostRead);

}  // namespace harness
