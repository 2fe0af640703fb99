// SPDX-License-Identifier: Apache-2.0
// UriTemplate: a parsed URI template (RFC 6570): makes URIs, and tells which URIs it may have made.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

class UriTemplate {
 public:
  // Nothing if the text is not a URI template. A text without an expression is one.
  static std::optional<UriTemplate> parse(std::string_view text);

  // The names of the variables, each once, in the order of the text.
  std::vector<std::string> variables() const;

  // Replaces every variable by `value_of` its name. Values are inserted as they are, without the
  // encoding of the operator, so that the caller chooses the spelling.
  std::string expand(const std::function<std::string(const std::string& variable)>& value_of) const;

  // Whether some values, of any characters and length, give `uri`.
  bool may_give(std::string_view uri) const;

  // The text before the first expression and after the last one; both are the whole text if there
  // is none.
  const std::string& head() const { return literals_.front(); }
  const std::string& tail() const { return literals_.back(); }

 private:
  struct Expression {
    char how = 0;  // the operator; 0 when there is none
    std::vector<std::string> names;
  };
  std::vector<std::string> literals_;    // one more than there are expressions
  std::vector<Expression> expressions_;  // each stands after the literal with its index
};

}  // namespace harness
