// SPDX-License-Identifier: Apache-2.0
#include "harness/base/test_folders.h"

namespace harness {

std::string source_dir() { return RPCSPEC_SOURCE_DIR; }
std::string binary_dir() { return RPCSPEC_BINARY_DIR; }

}  // namespace harness
