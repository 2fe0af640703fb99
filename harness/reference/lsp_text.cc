// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/lsp_text.h"

#include <algorithm>
#include <codecvt>
#include <locale>

namespace harness::reference {
namespace {

using json::Value;

bool is_name(char16_t c) {
  return c == u'_' || (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') ||
         (c >= u'0' && c <= u'9');
}

std::int64_t pairs_in(std::u16string_view text) {
  return std::ranges::count_if(text, [](char16_t c) { return (c & 0xFC00) == 0xD800; });
}

std::u16string utf16(std::string_view utf8) {
  std::wstring_convert<std::codecvt_utf8_utf16<char16_t>, char16_t> convert("", u"");
  return convert.from_bytes(utf8.data(), utf8.data() + utf8.size());
}

std::string ascii(std::u16string_view text) {
  std::string out;
  for (const char16_t c : text) out += static_cast<char>(c);
  return out;
}

}  // namespace

LspPlace lsp_place(const Value* position) {
  LspPlace out;
  if (position == nullptr || !position->is_object()) return out;
  const Value* line = position->find("line");
  const Value* character = position->find("character");
  if (line) out.line = std::max<std::int64_t>(0, json::as_integer(*line).value_or(0));
  if (character)
    out.character = std::max<std::int64_t>(0, json::as_integer(*character).value_or(0));
  return out;
}

Value lsp_position(LspPlace place) {
  return json::object(
      {{"line", json::number(place.line)}, {"character", json::number(place.character)}});
}

Value lsp_range(LspPlace start, LspPlace end) {
  return json::object({{"start", lsp_position(start)}, {"end", lsp_position(end)}});
}

Value LspWord::whole() const {
  if (last_line < 0) return range();
  return lsp_range({line, 0}, {last_line, 1});
}

bool LspWord::keyword() const { return text == "int" || text == "void" || text == "return"; }

bool LspWord::holds(LspPlace place) const {
  return place.line == line && place.character >= start && place.character <= end;
}

LspText::LspText(std::string_view utf8, bool code_points)
    : code_points_(code_points), text_(utf16(utf8)) {
  read();
}

void LspText::read() {
  lines_.assign(1, {});
  starts_.assign(1, 0);
  words_.clear();
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] != u'\n' && text_[i] != u'\r') {
      lines_.back() += text_[i];
      continue;
    }
    if (text_[i] == u'\r' && i + 1 < text_.size() && text_[i + 1] == u'\n') ++i;
    lines_.emplace_back();
    starts_.push_back(i + 1);
  }
  bool typed = false;  // the word before was `int`
  for (std::size_t line = 0; line < lines_.size(); ++line) {
    const std::u16string& all = lines_[line];
    for (std::size_t at = 0; at < all.size();) {
      std::size_t end = at;
      while (end < all.size() && is_name(all[end])) ++end;
      if (end == at) {
        ++at;
        continue;
      }
      LspWord word{static_cast<std::int64_t>(line), static_cast<std::int64_t>(at),
                   static_cast<std::int64_t>(end), ascii(all.substr(at, end - at))};
      if (code_points_) {
        const auto pairs = pairs_in(all.substr(0, at));
        word.start -= pairs;
        word.end -= pairs;
      }
      word.declares = typed && !word.keyword();
      word.function = end < all.size() && all[end] == u'(';
      typed = word.text == "int";
      words_.push_back(std::move(word));
      at = end;
    }
  }
  for (LspWord& word : words_) {
    if (!word.declares || !word.function) continue;
    word.last_line = word.line;
    for (std::size_t line = static_cast<std::size_t>(word.line) + 1; line < lines_.size(); ++line) {
      if (!lines_[line].starts_with(u'}')) continue;
      word.last_line = static_cast<std::int64_t>(line);
      break;
    }
  }
}

LspPlace LspText::end() const {
  return {static_cast<std::int64_t>(lines_.size()) - 1,
          static_cast<std::int64_t>(lines_.back().size())};
}

LspPlace LspText::from_code_points(LspPlace place) const {
  const LspPlace inside = within(place);
  const std::u16string_view all = lines_[static_cast<std::size_t>(inside.line)];
  for (std::int64_t i = 0; i < place.character && i < static_cast<std::int64_t>(all.size()); ++i)
    if ((all[static_cast<std::size_t>(i)] & 0xFC00) == 0xD800) ++place.character;
  return place;
}

bool LspText::inside_pair(LspPlace place) const {
  const std::u16string& all = lines_[static_cast<std::size_t>(within(place).line)];
  const auto at = static_cast<std::size_t>(within(place).character);
  return at < all.size() && (all[at] & 0xFC00) == 0xDC00;
}

LspPlace LspText::within(LspPlace place) const {
  if (place >= end()) return end();
  const auto length =
      static_cast<std::int64_t>(lines_[static_cast<std::size_t>(place.line)].size());
  return {place.line, std::min(place.character, length)};
}

std::size_t LspText::offset(LspPlace place) const {
  const LspPlace inside = within(place);
  return starts_[static_cast<std::size_t>(inside.line)] +
         static_cast<std::size_t>(inside.character);
}

void LspText::change(const Value& change) {
  const Value* text = change.is_object() ? change.find("text") : nullptr;
  if (text == nullptr || !text->is_string()) return;
  const Value* start = json::at(change, "/range/start");
  const Value* last = json::at(change, "/range/end");
  if (start == nullptr || last == nullptr) {
    text_ = utf16(text->text);
  } else {
    const std::size_t from = offset(lsp_place(start));
    const std::size_t to = std::max(from, offset(lsp_place(last)));
    text_.replace(from, to - from, utf16(text->text));
  }
  read();
}

const LspWord* LspText::word_at(LspPlace place) const {
  const LspPlace inside = within(place);
  const LspWord* out = nullptr;
  for (const LspWord& word : words_)
    if (word.holds(inside)) out = &word;
  return out;
}

const LspWord* LspText::declared(const std::string& name) const {
  for (const LspWord& word : words_)
    if (word.declares && word.text == name) return &word;
  return nullptr;
}

std::vector<const LspWord*> LspText::all(const std::string& name) const {
  std::vector<const LspWord*> out;
  for (const LspWord& word : words_)
    if (word.text == name) out.push_back(&word);
  return out;
}

const LspWord* LspText::function_around(const LspWord& word) const {
  for (const LspWord& one : words_)
    if (one.last_line >= word.line && one.line <= word.line && &one != &word) return &one;
  return nullptr;
}

LspText::Found LspText::find(std::string_view begin, std::string_view of) const {
  const std::u16string wanted(begin.begin(), begin.end());
  for (std::size_t line = 0; line < lines_.size(); ++line) {
    const std::size_t at = lines_[line].find(wanted);
    if (at == std::u16string::npos) continue;
    std::size_t end = at + begin.size();
    while (end < lines_[line].size() && lines_[line][end] < 0x80 &&
           of.find(static_cast<char>(lines_[line][end])) != of.npos)
      ++end;
    return {{static_cast<std::int64_t>(line), static_cast<std::int64_t>(at)},
            static_cast<std::int64_t>(end - at),
            ascii(std::u16string_view(lines_[line]).substr(at, end - at))};
  }
  return {};
}

}  // namespace harness::reference
