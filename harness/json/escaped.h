// SPDX-License-Identifier: Apache-2.0
// JSON that is safe to look at.
#pragma once

#include <string>
#include <string_view>

namespace harness::json {

// The document with every character that a terminal or editor would interpret written as a \u
// escape: U+007F, C1, bidirectional and zero-width controls. It stays well-formed and has the same
// meaning.
std::string escaped_for_eyes(std::string_view document);

}  // namespace harness::json
