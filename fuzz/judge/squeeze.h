// SPDX-License-Identifier: Apache-2.0
// What is the same in two sights of one thing.
#pragma once

#include <string>
#include <string_view>

namespace fuzz {

// The text without what varies: what is quoted, messages, numbers, addresses. Error codes stay.
std::string squeezed(std::string_view text);

// The kind of a crash that stands in what a process wrote before it died: sanitizer, kind of error
// and the names of the innermost functions; "" when there is none.
std::string crash_class(std::string_view stderr_text);

}  // namespace fuzz
