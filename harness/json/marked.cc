// SPDX-License-Identifier: Apache-2.0
// The text is read first, and walked a second time side by side with the tree: it is known to be
// JSON by then, so the walk looks at nothing but where a value begins and ends.
#include "harness/json/marked.h"

#include <utility>
#include <variant>

#include "harness/json/yaml.h"

namespace harness::json {
namespace {

class Marker {
 public:
  explicit Marker(std::string_view text) : text_(text) {}

  // Up to that byte; where that is.
  Mark up_to(std::size_t offset) {
    while (at_ < text_.size() && at_ < offset) step();
    return here_;
  }

  void value(Value& value) {
    blanks();
    value.mark = here_;
    if (value.is_object() || value.is_array()) {
      step();
      for (Member& member : value.members) {
        blanks();
        member.mark = here_;
        string();
        this->value(member.value);
      }
      for (Value& item : value.items) this->value(item);
      blanks();
      step();
    } else if (value.is_string()) {
      string();
    } else {
      while (at_ < text_.size() && !is_between(text_[at_]) && text_[at_] != '}' &&
             text_[at_] != ']')
        step();
    }
  }

 private:
  static bool is_between(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == ':';
  }
  void blanks() {
    while (at_ < text_.size() && is_between(text_[at_])) step();
  }
  void string() {
    step();
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\') step();
      step();
    }
    step();
  }
  void step() {
    if (at_ >= text_.size()) return;
    const auto byte = static_cast<unsigned char>(text_[at_++]);
    if (byte == '\n') {
      here_ = {here_.line + 1, 1};
    } else if ((byte & 0xC0) != 0x80) {
      ++here_.column;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Mark here_{1, 1};
};

}  // namespace

Result<Value> read_marked(std::string_view text, const std::string& name,
                          const ReadLimits& limits) {
  auto outcome = read(text, limits);
  if (const auto* error = std::get_if<ReadError>(&outcome))
    return Error{place(name, Marker(text).up_to(error->offset)),
                 "the text is not readable JSON: " + error->reason, ""};
  Value value = std::move(std::get<Reading>(outcome).value);
  Marker(text).value(value);
  return value;
}

}  // namespace harness::json
