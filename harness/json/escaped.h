// SPDX-License-Identifier: Apache-2.0
// JSON that is safe to look at.
#pragma once

#include <string>
#include <string_view>

namespace harness::json {

// The document with every character that a terminal or editor would act on as a \u escape: U+007F,
// C1, bidirectional and zero-width controls. It is well-formed and says the same as before.
std::string escaped_for_eyes(std::string_view document);

}  // namespace harness::json
