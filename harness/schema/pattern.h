// SPDX-License-Identifier: Apache-2.0
// Pattern: the `pattern` of a stranger's JSON Schema: does a text fit, and texts that do. RE2
// decides, so no pattern costs more than linear time; what RE2 does not know (lookahead, back
// references) is not guessed at.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
}

namespace harness::schema {

class Pattern {
 public:
  // Of an ECMAScript regular expression; nothing when it is longer or odder than we deal with.
  static std::optional<Pattern> compile(std::string_view expression);

  // Why no dialect of regular expressions has this one; "" where RE2 or another may have it.
  static std::string fault(std::string_view expression);

  // As JSON Schema has it: found anywhere, unless the expression says ^ and $.
  bool found_in(std::string_view text) const;

  // Texts of `least` to `most` characters in which it is found, the shortest first; few, and none
  // when no way to one is known. The same each time.
  std::vector<std::string> samples(std::size_t least, std::size_t most) const;

 private:
  std::string expression_;
  std::shared_ptr<const re2::RE2> compiled_;
};

}  // namespace harness::schema
