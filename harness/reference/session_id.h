// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace harness::reference {

// 128 random bits in hexadecimal: an id that nobody can guess.
std::string new_session_id();

}  // namespace harness::reference
