// SPDX-License-Identifier: Apache-2.0
// The same message, larger. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace fuzz {

enum class Dimension { kString, kRun, kEscapes, kList, kObject, kDepth, kText };
inline constexpr Dimension kDimensions[] = {
    Dimension::kString, Dimension::kRun,   Dimension::kEscapes, Dimension::kList,
    Dimension::kObject, Dimension::kDepth, Dimension::kText};
const char* dimension_name(Dimension dimension);  // "string"

// The message with its largest string, list or object repeated; with that string replaced by a run
// of one character and another one after it, which slow regular expressions stumble over; with
// escapes appended to it; with its params nested; or with its whole text repeated (if it is invalid
// JSON); so often that about `bytes` are added. Nothing if it has none: the id and the method stay
// unchanged.
std::optional<std::string> enlarged(const std::string& message, Dimension dimension,
                                    std::size_t bytes);

// The size of that part before anything is added; nothing if there is none.
std::optional<std::size_t> size_in(const std::string& message, Dimension dimension);

}  // namespace fuzz
