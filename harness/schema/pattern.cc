// SPDX-License-Identifier: Apache-2.0
// The expression is read into a small tree (sets of characters, sequences, choices, repetitions)
// from which texts are built. The tree leaves out what it does not understand exactly (anchors,
// borders of words): every text is shown to RE2 before it leaves here.
#include "harness/schema/pattern.h"

#include <re2/re2.h>

#include <algorithm>
#include <utility>

#include "harness/base/ascii.h"

namespace harness::schema {
namespace {

constexpr std::size_t kMostExpression = 1000;
constexpr std::size_t kMostText = 4096;
constexpr int kMostNested = 40;
constexpr int kEndless = 1 << 20;

using Range = std::pair<char32_t, char32_t>;

struct Node {
  enum class Kind { kSet, kSequence, kChoice, kRepeat } kind = Kind::kSequence;
  std::vector<Range> set;
  std::vector<Node> parts;
  int least = 0, most = 0;  // kRepeat
};

void append_utf8(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

// Reads the expression; `sound` is false when it meets something it has no texts for.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Node read() {
    Node all = choice(0);
    sound &= at_ == text_.size();
    return all;
  }
  bool sound = true;
  bool ends_open = true;    // no $ at the end of the expression
  bool begins_open = true;  // no ^ at its begin

 private:
  bool more() const { return sound && at_ < text_.size(); }
  char peek() const { return text_[at_]; }

  Node choice(int depth) {
    Node out;
    out.kind = Node::Kind::kChoice;
    if (depth > kMostNested) sound = false;
    while (sound) {
      out.parts.push_back(sequence(depth));
      if (!more() || peek() != '|') break;
      ++at_;
    }
    return out;
  }

  Node sequence(int depth) {
    Node out;
    while (more() && peek() != '|' && peek() != ')') {
      Node one = atom(depth);
      if (!sound) break;
      repeat(one);
      out.parts.push_back(std::move(one));
    }
    return out;
  }

  Node set_of(std::vector<Range> ranges) {
    Node out;
    out.kind = Node::Kind::kSet;
    out.set = std::move(ranges);
    return out;
  }

  static std::vector<Range> all_but(const std::vector<Range>& ranges) {
    // Enough for texts: printable ASCII, and a few beyond.
    std::vector<Range> out;
    for (char32_t c = 0x20; c < 0x250; c = c == 0x7E ? 0xA1 : c + 1) {
      const bool in = std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
        return c >= range.first && c <= range.second;
      });
      if (!in) out.push_back({c, c});
    }
    return out;
  }

  Node atom(int depth) {
    const char c = text_[at_++];
    if (c == '^') {
      begins_open = false;
      return Node{};
    }
    if (c == '$') {
      ends_open = false;
      return Node{};
    }
    if (c == '.') return set_of({{' ', '~'}});
    if (c == '[') return bracket();
    if (c == '(') {
      if (more() && peek() == '?') {
        ++at_;
        if (more() && peek() == ':') {
          ++at_;
        } else if (more() && peek() == '<' && at_ + 1 < text_.size() && text_[at_ + 1] != '=' &&
                   text_[at_ + 1] != '!') {
          at_ = std::min(text_.find('>', at_), text_.size() - 1) + 1;
        } else {
          sound = false;  // lookahead and the like
          return Node{};
        }
      }
      Node inner = choice(depth + 1);
      if (!more() || peek() != ')') sound = false;
      ++at_;
      return inner;
    }
    if (c == '\\') return escape();
    if (c == '*' || c == '+' || c == '?' || c == ')') sound = false;
    return set_of({character(c)});
  }

  // The character that begins with this byte.
  Range character(char first) {
    const auto byte = static_cast<unsigned char>(first);
    if (byte < 0x80) return {byte, byte};
    const int more_bytes = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
    char32_t value = byte & (0x3F >> more_bytes);
    for (int i = 0; i < more_bytes; ++i) {
      if (at_ >= text_.size()) {
        sound = false;
        break;
      }
      value = value << 6 | (static_cast<unsigned char>(text_[at_++]) & 0x3F);
    }
    return {value, value};
  }

  std::vector<Range> escaped() {
    if (!more()) {
      sound = false;
      return {};
    }
    const char c = text_[at_++];
    const std::vector<Range> digit = {{'0', '9'}};
    const std::vector<Range> word = {{'a', 'z'}, {'A', 'Z'}, {'0', '9'}, {'_', '_'}};
    const std::vector<Range> space = {{' ', ' '}, {'\t', '\r'}};
    switch (c) {
      case 'd': return digit;
      case 'D': return all_but(digit);
      case 'w': return word;
      case 'W': return all_but(word);
      case 's': return space;
      case 'S': return all_but(space);
      case 'n': return {{'\n', '\n'}};
      case 'r': return {{'\r', '\r'}};
      case 't': return {{'\t', '\t'}};
      case 'f': return {{'\f', '\f'}};
      case 'v': return {{'\v', '\v'}};
      case 'x': return hex(2);
      case 'u':
        if (more() && peek() == '{') {
          ++at_;
          std::vector<Range> out = hex(6);
          if (!more() || peek() != '}') sound = false;
          ++at_;
          return out;
        }
        return hex(4);
      default: break;
    }
    if (ascii::is_alphanumeric(c)) sound = false;  // a back reference, a border, a class of Unicode
    return {{static_cast<unsigned char>(c), static_cast<unsigned char>(c)}};
  }

  std::vector<Range> hex(int most) {
    char32_t value = 0;
    int count = 0;
    for (; count < most && more() && ascii::hex_digit(peek()) >= 0; ++count, ++at_)
      value = value << 4 | static_cast<char32_t>(ascii::hex_digit(peek()));
    sound &= count > 0 && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
    return {{value, value}};
  }

  Node escape() {
    if (more() && (peek() == 'b' || peek() == 'B')) {
      ++at_;
      return Node{};
    }
    return set_of(escaped());
  }

  Node bracket() {
    const bool negated = more() && peek() == '^';
    if (negated) ++at_;
    std::vector<Range> ranges;
    while (more() && peek() != ']') {
      std::vector<Range> low = element();
      if (low.size() == 1 && at_ + 1 < text_.size() && peek() == '-' && text_[at_ + 1] != ']') {
        ++at_;
        const std::vector<Range> high = element();
        sound &= high.size() == 1;
        if (sound) low.front().second = high.front().second;
      }
      ranges.insert(ranges.end(), low.begin(), low.end());
    }
    if (!more()) sound = false;
    ++at_;
    if (negated) ranges = all_but(ranges);
    sound &= !ranges.empty();
    return set_of(std::move(ranges));
  }

  std::vector<Range> element() {
    const char c = text_[at_++];
    if (c != '\\') return {character(c)};
    if (more() && peek() == 'b') {
      ++at_;
      return {{'\b', '\b'}};
    }
    return escaped();
  }

  int number() {
    int value = 0;
    for (; more() && peek() >= '0' && peek() <= '9'; ++at_)
      value = std::min(kEndless, value * 10 + (peek() - '0'));
    return value;
  }

  void repeat(Node& one) {
    if (!more()) return;
    int least = 0, most = kEndless;
    const char c = peek();
    if (c == '*') {
      ++at_;
    } else if (c == '+') {
      ++at_;
      least = 1;
    } else if (c == '?') {
      ++at_;
      most = 1;
    } else if (c == '{' && at_ + 1 < text_.size() && text_[at_ + 1] >= '0' &&
               text_[at_ + 1] <= '9') {
      ++at_;
      least = most = number();
      if (more() && peek() == ',') {
        ++at_;
        most = more() && peek() == '}' ? kEndless : number();
      }
      if (!more() || peek() != '}') sound = false;
      ++at_;
    } else {
      return;
    }
    if (more() && peek() == '?') ++at_;  // lazy
    sound &= least <= most && static_cast<std::size_t>(least) <= kMostText;
    Node out;
    out.kind = Node::Kind::kRepeat;
    out.least = least;
    out.most = most;
    out.parts.push_back(std::move(one));
    one = std::move(out);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// A letter people can read, if the set has one.
char32_t pick(const std::vector<Range>& set) {
  for (const char32_t wanted : U"aA0-_. ")
    for (const Range& range : set)
      if (wanted != 0 && wanted >= range.first && wanted <= range.second) return wanted;
  return set.empty() ? U'a' : set.front().first;
}

// Appends a text of the node; `extra` characters more than the least, as far as repetitions allow.
void build(const Node& node, std::size_t branch, std::size_t& extra, std::string& out) {
  if (out.size() > kMostText) return;
  switch (node.kind) {
    case Node::Kind::kSet: append_utf8(out, pick(node.set)); return;
    case Node::Kind::kSequence:
      for (const Node& part : node.parts) build(part, branch, extra, out);
      return;
    case Node::Kind::kChoice:
      build(node.parts[std::min(branch, node.parts.size() - 1)], branch, extra, out);
      return;
    case Node::Kind::kRepeat:
      for (int i = 0; i < node.most && out.size() <= kMostText; ++i) {
        if (i >= node.least && extra == 0) return;
        const std::size_t before = out.size();
        build(node.parts.front(), branch, extra, out);
        const std::size_t added = out.size() - before;
        if (added == 0) return;
        if (i >= node.least) extra -= std::min(extra, added);
      }
      return;
  }
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

// ECMAScript's spelling of what RE2 spells otherwise.
std::string as_re2(std::string_view expression) {
  std::string out;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    if (expression.substr(i, 3) == "(?<" && i + 3 < expression.size() && expression[i + 3] != '=' &&
        expression[i + 3] != '!') {
      out += "(?P<";
      i += 2;
    } else if (expression[i] == '\\' && i + 1 < expression.size()) {
      ++i;
      if (expression[i] == 'u' && i + 4 < expression.size() &&
          ascii::hex_digit(expression[i + 1]) >= 0) {
        out += "\\x{" + std::string(expression.substr(i + 1, 4)) + "}";
        i += 4;
      } else if (expression[i] == 'u' && i + 1 < expression.size() && expression[i + 1] == '{') {
        out += "\\x";
      } else {
        out += '\\';
        out += expression[i];
      }
    } else {
      out += expression[i];
    }
  }
  return out;
}

}  // namespace

std::optional<Pattern> Pattern::compile(std::string_view expression) {
  if (expression.size() > kMostExpression) return std::nullopt;
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(1 << 20);
  Pattern out;
  out.expression_ = std::string(expression);
  out.compiled_ = std::make_shared<const re2::RE2>(as_re2(expression), options);
  if (!out.compiled_->ok()) return std::nullopt;
  return out;
}

std::string Pattern::fault(std::string_view expression) {
  if (expression.size() > kMostExpression) return "";
  re2::RE2::Options options;
  options.set_log_errors(false);
  const re2::RE2 compiled(as_re2(expression), options);
  // Other errors are of what RE2 alone does not have: lookahead, back references, long repetitions.
  switch (compiled.error_code()) {
    case re2::RE2::ErrorMissingBracket: return "a bracket [ is not closed";
    case re2::RE2::ErrorMissingParen: return "a parenthesis ( is not closed";
    case re2::RE2::ErrorUnexpectedParen: return "a parenthesis ) closes nothing";
    case re2::RE2::ErrorTrailingBackslash: return "it ends in a backslash";
    case re2::RE2::ErrorRepeatArgument: return "a repetition repeats nothing";
    default: return "";
  }
}

bool Pattern::found_in(std::string_view text) const {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *compiled_);
}

std::vector<std::string> Pattern::samples(std::size_t least, std::size_t most) const {
  Reader reader(expression_);
  const Node tree = reader.read();
  std::vector<std::string> out;
  if (!reader.sound) return out;
  const auto offer = [&](std::string text) {
    const std::size_t length = characters(text);
    if (length < least || length > most || text.size() > kMostText || !found_in(text)) return;
    if (std::find(out.begin(), out.end(), text) == out.end()) out.push_back(std::move(text));
  };
  for (std::size_t branch = 0; branch < 4; ++branch) {
    std::string shortest;
    std::size_t none = 0;
    build(tree, branch, none, shortest);
    const std::size_t base = characters(shortest);
    offer(shortest);
    for (const std::size_t wanted : {std::max(least, base), std::max(least, base + 1), most}) {
      if (wanted <= base || wanted > kMostText) continue;
      std::size_t extra = wanted - base;
      std::string longer;
      build(tree, branch, extra, longer);
      offer(longer);
      if (const std::size_t length = characters(longer); length < wanted) {
        const std::string padding(wanted - length, 'a');
        if (reader.ends_open) offer(longer + padding);
        if (reader.begins_open) offer(padding + longer);
      }
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const std::string& a, const std::string& b) {
    return characters(a) < characters(b);
  });
  return out;
}

}  // namespace harness::schema
