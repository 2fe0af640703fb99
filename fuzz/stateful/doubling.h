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

// The message with its largest string, list or object repeated, a run of one sign and another put
// in place of that string, which is what slow expressions stumble over, escapes put behind it, its
// params nested, or its whole text repeated (of text that is no JSON), so often that about `bytes`
// are added. Nothing where it
// has none: the id and the method stay as they are.
std::optional<std::string> enlarged(const std::string& message, Dimension dimension,
                                    std::size_t bytes);

// How large that part is before anything is added; nothing where there is none.
std::optional<std::size_t> size_in(const std::string& message, Dimension dimension);

}  // namespace fuzz
