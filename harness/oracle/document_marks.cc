// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/document_marks.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/base/words.h"
#include "harness/json/yaml.h"
#include "harness/oracle/text_places.h"

namespace harness::oracle {
namespace {

using json::Value;

constexpr std::string_view kEmoji = "\xf0\x9f\x98\x80";  // what cases put between before and after
constexpr const char* kMemberTexts[] = {"language", "uri", "before", "after", "error", "word"};
constexpr const char* kPlaces[] = {"declared",   "used",   "call",     "keyword",
                                   "blank",      "wide",   "wide_end", "wide_utf8",
                                   "wide_utf32", "inside", "end"};
constexpr const char* kOthers[] = {"emoji", "other", "wide_word", "identifiers", "server"};

bool is_name_part(char c) { return ascii::is_alphanumeric(c) || c == '_'; }

// Where the word stands by itself; nothing if it does not.
std::optional<std::size_t> find_word(std::string_view text, std::string_view word,
                                     std::size_t from) {
  for (std::size_t at = text.find(word, from); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_name_part(text[at - 1])) &&
        (end == text.size() || !is_name_part(text[end])))
      return at;
  }
  return std::nullopt;
}

class Marks {
 public:
  Marks(const std::string& file, Value& document) : file_(file), document_(document) {}

  Status complete() {
    if (const Status known = check_members(); !known) return known;
    const std::string before = document_.find("before")->text;
    text_ = before + std::string(kEmoji) + document_.find("after")->text;
    const std::size_t wide = before.size();
    const std::string uri = document_.find("uri")->text, word = document_.find("word")->text;
    const std::size_t name = uri.rfind('/') + 1;
    fill("other", json::string(uri.substr(0, name) + "other-" + uri.substr(name)));
    fill("identifiers", json::boolean(true));
    fill("emoji",
         json::object({{"start", position(wide)}, {"end", position(wide + kEmoji.size())}}));
    Value inside = position(wide);
    inside.set("character", json::number(*json::as_integer(*inside.find("character")) + 1));
    fill("inside", std::move(inside));
    fill("end", position(text_.size()));
    const auto declared = find_word(text_, word, 0);
    const auto used = declared ? find_word(text_, word, *declared + 1) : std::nullopt;
    if (declared) fill("declared", position(*declared));
    if (used) {
      fill("used", position(*used));
      const std::size_t end = *used + word.size();
      if (end < text_.size() && text_[end] == '(') fill("call", position(end + 1));
    }
    if (const std::size_t at = ("\n" + text_).find("\n\n"); at != text_.npos)
      fill("blank", position(at));
    if (const Value* keyword = document_.find("keyword"); keyword && keyword->is_string())
      if (const auto at = find_word(text_, keyword->text, 0))
        document_.set("keyword", position(*at));
    mark_name_behind(wide + kEmoji.size());
    return check_places();
  }

 private:
  Error wrong(const Value& at, std::string what, std::string remedy) const {
    return {json::place(file_, at.mark), std::move(what), std::move(remedy)};
  }

  void fill(const char* name, Value value) {
    if (document_.find(name) == nullptr) document_.set(name, std::move(value));
  }

  // Of an offset in the text.
  Value position(std::size_t offset, Unit unit = Unit::kUtf16) const {
    const PlacedText up_to(text_.substr(0, offset), unit);
    return json::object({{"line", json::number(up_to.lines() - 1)},
                         {"character", json::number(up_to.length(up_to.lines() - 1))}});
  }

  // The name that follows the wide character on its line.
  void mark_name_behind(std::size_t from) {
    const std::string_view line = std::string_view(text_).substr(0, text_.find('\n', from));
    const Value* given = document_.find("wide_word");
    std::size_t at = from, end = from;
    if (given != nullptr && given->is_string()) {
      at = find_word(line, given->text, from).value_or(line.size());
      end = at + given->text.size();
    } else {
      while (at < line.size() && (!is_name_part(line[at]) || ascii::is_digit(line[at]))) ++at;
      end = at;
      while (end < line.size() && is_name_part(line[end])) ++end;
    }
    if (at >= line.size()) return;
    fill("wide_word", json::string(text_.substr(at, end - at)));
    fill("wide", position(at));
    fill("wide_end", position(end));
    fill("wide_utf8", position(at, Unit::kUtf8));
    fill("wide_utf32", position(at, Unit::kUtf32));
  }

  Status check_members() const {
    std::vector<std::string> known(std::begin(kMemberTexts), std::end(kMemberTexts));
    known.insert(known.end(), std::begin(kPlaces), std::end(kPlaces));
    known.insert(known.end(), std::begin(kOthers), std::end(kOthers));
    for (const json::Member& one : document_.members) {
      if (std::find(known.begin(), known.end(), one.name) != known.end()) continue;
      const std::string near = nearest(one.name, known);
      return wrong(one.value,
                   "the affordance `document` has no member `" + printable(one.name) + "`",
                   near.empty() ? "leave it out" : "did you mean `" + near + "`?");
    }
    for (const char* name : kMemberTexts) {
      const Value* text = document_.find(name);
      if (text == nullptr || !text->is_string() || text->text.empty())
        return wrong(text != nullptr ? *text : document_,
                     std::string("the affordance `document` needs the text `") + name + "`",
                     "docs/language-servers.md says what each is");
    }
    return harness::Nothing{};
  }

  Status check_places() const {
    for (const char* name : kPlaces) {
      const PlacedText text(text_, std::string_view(name) == "wide_utf8"    ? Unit::kUtf8
                                   : std::string_view(name) == "wide_utf32" ? Unit::kUtf32
                                                                            : Unit::kUtf16);
      const Value* given = document_.find(name);
      const auto place = place_of(given);
      if (given == nullptr)
        return wrong(document_,
                     std::string("the mark `") + name + "` does not follow from the text",
                     std::string("write ") + name + ": {line: 0, character: 4}");
      if (std::string_view(name) == "inside" ? !place : !place || !text.has(*place))
        return wrong(*given, std::string("the mark `") + name + "` is not in the text",
                     "lines and characters count from 0, and characters in UTF-16");
    }
    const std::string word = document_.find("word")->text;
    const PlacedText text(text_, Unit::kUtf16);
    for (const char* name : {"declared", "used"}) {
      const Place at = *place_of(document_.find(name));
      const auto length = static_cast<std::int64_t>(word.size());  // of a name
      if (text.between({at, {at.line, at.character + length}}) != word)
        return wrong(
            *document_.find(name),
            std::string("at the mark `") + name + "` the text has no `" + printable(word) + "`",
            "leave the mark out, or correct it");
    }
    return harness::Nothing{};
  }

  const std::string& file_;
  Value& document_;
  std::string text_;
};

}  // namespace

Status complete_document(const std::string& file, Value& document) {
  return Marks(file, document).complete();
}

}  // namespace harness::oracle
