// SPDX-License-Identifier: Apache-2.0
// A text that the reference language server holds, and what it sees in it: identifiers, of which
// those behind `int` are declared; functions, which end at a line that begins with a brace.
// Characters are counted in UTF-16.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/json/value.h"

namespace harness::reference {

struct LspPlace {
  std::int64_t line = 0, character = 0;
  auto operator<=>(const LspPlace&) const = default;
};

// A position as a client may write it; anything but a number is 0.
LspPlace lsp_place(const json::Value* position);
json::Value lsp_position(LspPlace place);
json::Value lsp_range(LspPlace start, LspPlace end);

struct LspWord {
  std::int64_t line = 0, start = 0, end = 0;
  std::string text;
  bool declares = false;        // behind `int`
  bool function = false;        // before a parenthesis
  std::int64_t last_line = -1;  // of the function that it declares

  json::Value range() const { return lsp_range({line, start}, {line, end}); }
  // Of the whole declaration; the word itself if it declares nothing.
  json::Value whole() const;
  bool keyword() const;
  bool holds(LspPlace place) const;
};

class LspText {
 public:
  LspText() = default;
  // `code_points`: a Fault counts the characters of words in code points.
  explicit LspText(std::string_view utf8, bool code_points = false);

  // One of contentChanges; null: it has no text.
  void change(const json::Value& change);
  // The place within the text: clients may count beyond the end of a line.
  LspPlace within(LspPlace place) const;
  LspPlace end() const;
  // The same place counted in code points, as UTF-16.
  LspPlace from_code_points(LspPlace place) const;
  // Whether it is between the halves of a surrogate pair.
  bool inside_pair(LspPlace place) const;

  const std::vector<std::u16string>& lines() const { return lines_; }
  const std::vector<LspWord>& words() const { return words_; }
  const LspWord* word_at(LspPlace place) const;            // null: none
  const LspWord* declared(const std::string& name) const;  // likewise
  std::vector<const LspWord*> all(const std::string& name) const;
  const LspWord* function_around(const LspWord& word) const;
  // Where an ASCII text begins, and where the first character after it stands that is not one of
  // `of`; no length: it does not occur.
  struct Found {
    LspPlace start;
    std::int64_t length = 0;
    std::string text;
  };
  Found find(std::string_view begin, std::string_view of) const;

 private:
  void read();
  std::size_t offset(LspPlace place) const;

  bool code_points_ = false;
  std::u16string text_;
  std::vector<std::u16string> lines_;  // without their ends
  std::vector<std::size_t> starts_;    // of the lines in the text
  std::vector<LspWord> words_;
};

}  // namespace harness::reference
