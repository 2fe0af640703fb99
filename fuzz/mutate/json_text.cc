// SPDX-License-Identifier: Apache-2.0
// The same message in other text, and text that departs from JSON in one place.
#include <algorithm>
#include <string>

#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/values.h"

namespace fuzz {
namespace {

constexpr char kHex[] = "0123456789abcdef";

std::string unicode_escape(unsigned code, bool upper) {
  std::string out = "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) {
    const char digit = kHex[(code >> shift) & 0xF];
    out += upper && digit >= 'a' ? static_cast<char>(digit - 'a' + 'A') : digit;
  }
  return out;
}

// A string or the name of a member: the stretch between its quotation marks.
bool pick_string(Script& script, Random& random, Opened& opened, Stretch& stretch) {
  if (!opened.any(script, random)) return false;
  std::size_t start = random.below(opened.tree.size());
  // What a method is given goes further than the words of the envelope.
  if (const std::size_t params = opened.tree.member(opened.text(), 0, "params");
      params != Tree::kNone && random.one_in(2))
    start = opened.pick_node(params, random);
  for (std::size_t i = 0; i < opened.tree.size() && i < 64; ++i) {
    const Node& node = opened.tree[(start + i) % opened.tree.size()];
    const bool value = node.kind == Kind::kString;
    if (!value && !node.is_member()) continue;
    if (value && (!node.is_member() || random.one_in(2)))
      stretch = {node.begin + 1u, node.end - 1u};
    else
      stretch = {node.name + 1u, node.name_end - 1u};
    return true;
  }
  return false;
}

// A place in it that is not within an escape or a character.
std::size_t pick_offset(std::string_view text, Stretch stretch, Random& random) {
  std::size_t wanted = stretch.begin + random.below(stretch.end - stretch.begin + 1);
  std::size_t at = stretch.begin;
  while (at < wanted) {
    std::size_t next = at + 1;
    if (text[at] == '\\') next = at + (at + 1 < stretch.end && text[at + 1] == 'u' ? 6 : 2);
    while (next < stretch.end && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80) ++next;
    if (next > wanted || next > stretch.end) break;
    at = next;
  }
  return at;
}

bool insert_in_string(Script& script, Random& random, std::string_view what) {
  Opened opened;
  Stretch stretch;
  if (!pick_string(script, random, opened, stretch)) return false;
  const std::size_t at = pick_offset(opened.text(), stretch, random);
  return opened.replace(at, at, what);
}

// A number by chance, from `index` on; kNone: there is none.
std::size_t pick_kind(const Opened& opened, Random& random, Kind kind) {
  const std::size_t start = random.below(opened.tree.size());
  for (std::size_t i = 0; i < opened.tree.size(); ++i) {
    const std::size_t index = (start + i) % opened.tree.size();
    if (opened.tree[index].kind == kind) return index;
  }
  return Tree::kNone;
}

// --- The same message -----------------------------------------------------------------------

bool escape_character(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  Stretch stretch;
  if (!pick_string(script, random, opened, stretch)) return false;
  const std::string_view text = opened.text();
  std::size_t at = pick_offset(text, stretch, random);
  const bool all = random.one_in(4);
  if (all) at = stretch.begin;
  std::string out;
  std::size_t end = at;
  while (end < stretch.end) {
    const auto c = static_cast<unsigned char>(text[end]);
    if (c < 0x20 || c >= 0x80 || c == '\\') break;
    if (c == '/' && random.one_in(2))
      out += "\\/";
    else
      out += unicode_escape(c, random.one_in(2));
    ++end;
    if (!all) break;
  }
  return end > at && opened.replace(at, end, out);
}

bool reorder(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.any(script, random)) return false;
  const std::size_t object = pick_kind(opened, random, Kind::kObject);
  if (object == Tree::kNone) return false;
  const std::size_t members = opened.tree.children(object);
  if (members < 2) return false;
  const std::size_t first = random.below(members - 1);
  const Node& a = opened.tree[opened.tree.child(object, first)];
  const Node& b = opened.tree[opened.tree.child(object, random.between(first + 1, members - 1))];
  const std::string_view text = opened.text();
  std::string swapped(text.substr(b.name, b.end - b.name));
  swapped += text.substr(a.end, b.name - a.end);
  swapped += text.substr(a.name, a.end - a.name);
  return opened.replace(a.name, b.end, swapped);
}

bool space(Script& script, const Vocabulary&, Random& random) {
  constexpr const char* kSpaces[] = {" ", "\t", "  ", "\r", " \t "};
  Opened opened;
  if (!opened.any(script, random)) return false;
  const Node& node = opened.tree[random.below(opened.tree.size())];
  const std::size_t places[] = {node.start(), node.begin, node.end};
  const std::size_t at = random.pick(places);
  std::string text = random.pick(kSpaces);
  if (random.one_in(16)) text.assign(std::size_t{1} << random.between(4, 14), ' ');
  return opened.replace(at, at, text);
}

// The number with another spelling of the same value.
bool number_spelling(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.any(script, random)) return false;
  const std::size_t index = pick_kind(opened, random, Kind::kNumber);
  if (index == Tree::kNone) return false;
  const std::string own(text_of(opened.text(), opened.tree[index]));
  if (own.find_first_of(".eE") != std::string::npos) return false;
  constexpr const char* kTails[] = {
      ".0",   "e0",     "E0",          "e+0", "e-0", ".000000000000000000000000",
      "0e-1", "000e-3", "e0000000000", ".0e0"};
  return opened.replace_value(index, own + random.pick(kTails));
}

bool duplicate_name(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.any(script, random)) return false;
  const std::size_t start = random.below(opened.tree.size());
  for (std::size_t i = 0; i < opened.tree.size(); ++i) {
    const Node& node = opened.tree[(start + i) % opened.tree.size()];
    if (!node.is_member()) continue;
    std::string member(opened.text().substr(node.name, node.name_end - node.name));
    member += ':';
    member +=
        random.one_in(3) ? text_of(opened.text(), node) : random.pick(texts("values for a name"));
    return opened.add(node.parent, member, random.one_in(2));
  }
  return false;
}

bool pad_size(Script& script, const Vocabulary&, Random& random) {
  constexpr std::size_t kSizes[] = {1000,   4080,   8190,    16'380,  32'760,
                                    65'500, 65'536, 131'072, 262'144, 524'288};
  Opened opened;
  if (!opened.object(script, random)) return false;
  std::size_t size = random.pick(kSizes) >> (random.one_in(4) ? 0 : 6);
  const std::size_t edge = edge_of_buffer(8, 17, random);
  const bool exact = random.one_in(2) && edge > opened.text().size();
  if (exact) size = edge - opened.text().size();
  if (!has_room(script, size)) return false;
  if (exact || random.one_in(2)) {
    const std::size_t at = opened.tree[opened.message].end - 1;
    return opened.replace(at, at, std::string(size, ' '));
  }
  constexpr std::string_view kPieces[] = {"x", "x", "\\n", "\\u0041"};
  const std::string_view piece = random.pick(kPieces);
  std::string pad;
  for (std::size_t i = 0; i < size / piece.size(); ++i) pad += piece;
  return opened.add(opened.message, "\"pad\":\"" + pad + '"', random.one_in(2));
}

bool nest(Script& script, const Vocabulary&, Random& random) {
  constexpr std::size_t kDepths[] = {2,   16,   64,   100,  127,  128,    256,
                                     512, 1000, 1024, 2000, 5000, 20'000, 100'000};
  Opened opened;
  if (!opened.any(script, random)) return false;
  const std::size_t index = random.below(opened.tree.size());
  const std::size_t depth =
      std::max<std::size_t>(2, random.pick(kDepths) >> (random.one_in(4) ? 0 : 4));
  const bool arrays = random.one_in(2);
  if (!has_room(script, depth * 6)) return false;
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += arrays ? "[" : "{\"a\":";
  text += text_of(opened.text(), opened.tree[index]);
  if (!random.one_in(4)) text.append(depth, arrays ? ']' : '}');  // else never closed
  return opened.replace_value(index, text);
}

// --- No JSON any more -----------------------------------------------------------------------

bool literal_broken(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  return opened.any(script, random) &&
         opened.replace_value(random.below(opened.tree.size()), random.pick(texts("no literals")));
}

bool control_raw(Script& script, const Vocabulary&, Random& random) {
  const char control = static_cast<char>(random.below(0x20));
  return insert_in_string(script, random, std::string(1, control));
}

bool utf8_broken(Script& script, const Vocabulary&, Random& random) {
  constexpr const char* kBytes[] = {
      // beginnings and ends without the rest
      "\xFF", "\xFE", "\x80", "\xBF", "\xC3", "\xE2\x82", "\xF0\x9F\x98",

      // what no character has
      "\xC0\x80", "\xC1\xBF", "\xE0\x80\xAF", "\xF0\x80\x80\xAF", "\xED\xA0\x80", "\xED\xBF\xBF",
      "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xE9"};
  return insert_in_string(script, random, random.pick(kBytes));
}

bool comma_trailing(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.any(script, random)) return false;
  const std::size_t index =
      pick_kind(opened, random, random.one_in(2) ? Kind::kArray : Kind::kObject);
  if (index == Tree::kNone) return false;
  const std::size_t at =
      random.one_in(3) ? opened.tree[index].begin + 1u : opened.tree[index].end - 1u;
  return opened.replace(at, at, random.one_in(4) ? ",," : ",");
}

bool mark_missing(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.any(script, random)) return false;
  const std::string_view text = opened.text();
  const std::size_t start = random.below(text.size());
  for (std::size_t i = 0; i < text.size() && i < 256; ++i) {
    const std::size_t at = (start + i) % text.size();
    if (std::string_view("{}[]:,\"").find(text[at]) == std::string_view::npos) continue;
    constexpr const char* kInstead[] = {"", "", "", ";", "=", "=>", "'", "(", "\\", " "};
    return opened.replace(at, at + 1, random.pick(kInstead));
  }
  return false;
}

bool name_unquoted(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.any(script, random)) return false;
  const Node& node = opened.tree[random.below(opened.tree.size())];
  if (!node.is_member() || node.name_end - node.name < 3) return false;
  std::string name(opened.text().substr(node.name + 1, node.name_end - node.name - 2));
  if (random.one_in(2)) name = '\'' + name + '\'';
  return opened.replace(node.name, node.name_end, name);
}

bool space_odd(Script& script, const Vocabulary&, Random& random) {
  constexpr const char* kSpaces[] = {"\v",     "\f",   "\u00A0", "\uFEFF", "\u2028",
                                     "\u3000", "\x1E", "\b",     "\x7F",   "\u200B"};
  Opened opened;
  if (!opened.any(script, random)) return false;
  const Node& node = opened.tree[random.below(opened.tree.size())];
  const std::size_t at = random.one_in(2) ? node.start() : node.end;
  if (random.one_in(4)) return opened.replace(at, at, std::string_view("\0", 1));
  return opened.replace(at, at, random.pick(kSpaces));
}

bool byte_order_mark(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.any(script, random)) return false;
  const std::string_view kMarks[] = {"\xEF\xBB\xBF", std::string_view("\xFF\xFE", 2),
                                     std::string_view("\xFE\xFF", 2),
                                     std::string_view("\0\0\xFE\xFF", 4)};
  return opened.replace(0, 0, random.one_in(2) ? kMarks[0] : random.pick(kMarks));
}

bool tail(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  return opened.any(script, random) &&
         opened.replace(opened.text().size(), opened.text().size(), random.pick(texts("tails")));
}

bool cut(Script& script, const Vocabulary&, Random& random) {
  Frame* frame = pick_frame(script, random);
  if (!frame || frame->bytes.size() < 2) return false;
  const std::size_t at = random.between(1, frame->bytes.size() - 1);
  if (random.one_in(4))
    frame->bytes.erase(0, at);
  else
    frame->bytes.resize(at);
  return true;
}

bool utf16(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.any(script, random) || !has_room(script, opened.text().size())) return false;
  const bool big = random.one_in(2);
  std::string out;
  for (const char c : opened.text()) {
    if (big) out += '\0';
    out += c;
    if (!big) out += '\0';
  }
  return opened.replace(0, opened.text().size(), out);
}

}  // namespace

Mutate inserting(const harness::json::Value& row) {
  const harness::json::Member& own = row.members.back();
  Texts texts;
  for (const harness::json::Value& one : own.value.items) texts.push_back(one.text);
  return [where = own.name, texts = std::move(texts)](Script& script, const Vocabulary&,
                                                      Random& random) {
    if (where == "in a string") return insert_in_string(script, random, random.pick(texts));
    Opened opened;
    if (where.starts_with("as "))
      return opened.with_member(script, random, "method") &&
             opened.set_member(where.substr(3), random.pick(texts));
    if (!opened.any(script, random)) return false;
    if (where == "for a number") {
      const std::size_t index = pick_kind(opened, random, Kind::kNumber);
      return index != Tree::kNone && opened.replace_value(index, random.pick(texts));
    }
    const Node& node = opened.tree[random.below(opened.tree.size())];  // between tokens
    const std::size_t at = random.one_in(2) ? node.start() : node.end;
    return opened.replace(at, at, random.pick(texts));
  };
}

std::vector<MutatorCode> json_text_mutators() {
  return {{"escape-character", escape_character},
          {"reorder", reorder},
          {"space", space},
          {"number-spelling", number_spelling},
          {"duplicate-name", duplicate_name},
          {"pad-size", pad_size},
          {"nest", nest},
          {"literal-broken", literal_broken},
          {"control-raw", control_raw},
          {"utf8-broken", utf8_broken},
          {"comma-trailing", comma_trailing},
          {"mark-missing", mark_missing},
          {"name-unquoted", name_unquoted},
          {"space-odd", space_odd},
          {"byte-order-mark", byte_order_mark},
          {"tail", tail},
          {"cut", cut},
          {"utf16", utf16}};
}

}  // namespace fuzz
