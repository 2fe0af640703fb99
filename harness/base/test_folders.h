// SPDX-License-Identifier: Apache-2.0
// The folders of this checkout, for tests. Only test_folders.cc names them, so that a compiler
// cache can share all tests with another checkout.
#pragma once

#include <string>

namespace harness {

std::string source_dir();
std::string binary_dir();  // build/

}  // namespace harness
