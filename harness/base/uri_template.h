// SPDX-License-Identifier: Apache-2.0
// UriTemplate: RFC 6570, taken apart: what URIs can be made from it, and which may have been.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

class UriTemplate {
 public:
  // Nothing when the text is no URI template; one without an expression is one.
  static std::optional<UriTemplate> parse(std::string_view text);

  // The names of the variables, each once, in the order of the text.
  std::vector<std::string> variables() const;

  // Every variable filled in by what `value_of` says of its name. The values stand in the URI as
  // they are, whatever the operator would encode: the caller wants to choose the spelling.
  std::string expand(const std::function<std::string(const std::string& variable)>& value_of) const;

  // Whether `uri` may be made from it with some values, of whatever characters and of any length.
  bool may_give(std::string_view uri) const;

  // The text in front of the first expression and behind the last one; both are the whole where
  // there is none.
  const std::string& head() const { return literals_.front(); }
  const std::string& tail() const { return literals_.back(); }

 private:
  struct Expression {
    char how = 0;  // the operator; 0 when there is none
    std::vector<std::string> names;
  };
  std::vector<std::string> literals_;    // one more than there are expressions
  std::vector<Expression> expressions_;  // each stands behind the literal of its index
};

}  // namespace harness
