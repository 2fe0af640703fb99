// SPDX-License-Identifier: Apache-2.0
// Pattern: the `pattern` of a stranger's JSON Schema: does a text fit, and texts that do. RE2
// decides, so no pattern costs more than linear time; what RE2 does not support (lookahead, back
// references) is not guessed.
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
  // Of an ECMAScript regular expression; nothing if it is longer or more unusual than we support.
  static std::optional<Pattern> compile(std::string_view expression);

  // Why this is invalid in every dialect of regular expressions; "" if RE2 or another may support
  // it.
  static std::string fault(std::string_view expression);

  // As in JSON Schema: found anywhere, unless the expression has ^ and $.
  bool found_in(std::string_view text) const;

  // Texts of `least` to `most` characters that match, the shortest first; a few, and none if no way
  // to make one is known. The same each time.
  std::vector<std::string> samples(std::size_t least, std::size_t most) const;

 private:
  std::string expression_;
  std::shared_ptr<const re2::RE2> compiled_;
};

}  // namespace harness::schema
