// SPDX-License-Identifier: Apache-2.0
// What is the same in two sights of one thing.
#pragma once

#include <string>
#include <string_view>

namespace fuzz {

// The text without its variable parts: quotations, messages, numbers, addresses. Error codes stay.
std::string squeezed(std::string_view text);

// The kind of a crash, from what a process wrote before it ended: sanitizer, kind of error and the
// names of the innermost functions; "" when there is none.
std::string crash_class(std::string_view stderr_text);

}  // namespace fuzz
