// SPDX-License-Identifier: Apache-2.0
// One pass without recursion: the open arrays and objects are linked by their `parent`.
#include "fuzz/mutate/tree.h"

#include <limits>

namespace fuzz {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_number_char(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// Reads what does not nest.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::size_t at = 0;

  bool ended() const { return at == text_.size(); }
  char now() const { return text_[at]; }
  void skip_space() {
    while (at < text_.size() && is_space(text_[at])) ++at;
  }
  bool take(char c) {
    if (at == text_.size() || text_[at] != c) return false;
    ++at;
    return true;
  }
  bool take_string() {
    if (!take('"')) return false;
    for (std::size_t quote = at;; ++at) {
      if (quote <= at) quote = text_.find('"', at);
      if (quote == text_.npos) break;
      at = text_.substr(0, quote).find('\\', at);
      if (at == text_.npos) {
        at = quote + 1;
        return true;
      }
      if (++at == quote) quote = 0;  // it is escaped
    }
    at = text_.size();
    return false;
  }
  bool take_word(std::string_view word) {
    if (text_.substr(at, word.size()) != word) return false;
    at += word.size();
    return true;
  }
  bool take_number() {
    const std::size_t begin = at;
    bool digit = false;
    while (at < text_.size() && is_number_char(text_[at])) {
      digit = digit || (text_[at] >= '0' && text_[at] <= '9');
      ++at;
    }
    return at > begin && digit;
  }

 private:
  std::string_view text_;
};

// Takes a value off that is no array or object.
bool take_scalar(Scanner& scanner, Kind& kind) {
  switch (scanner.now()) {
    case '"': kind = Kind::kString; return scanner.take_string();
    case 't': kind = Kind::kBoolean; return scanner.take_word("true");
    case 'f': kind = Kind::kBoolean; return scanner.take_word("false");
    case 'n': kind = Kind::kNull; return scanner.take_word("null");
    default: kind = Kind::kNumber; return scanner.take_number();
  }
}

}  // namespace

bool Tree::read(std::string_view text) {
  nodes_.clear();
  if (text.size() >= std::numeric_limits<std::uint32_t>::max()) return false;
  nodes_.reserve(text.size() < 1024 ? 64 : 256);
  Scanner scanner(text);
  std::size_t open = kNone;  // the innermost array or object that is still open
  while (true) {
    // A value is expected, in an object behind its name.
    Node node;
    node.parent = open == kNone ? 0 : static_cast<std::uint32_t>(open);
    scanner.skip_space();
    if (open != kNone && nodes_[open].kind == Kind::kObject) {
      node.name = static_cast<std::uint32_t>(scanner.at);
      if (!scanner.take_string()) return false;
      node.name_end = static_cast<std::uint32_t>(scanner.at);
      scanner.skip_space();
      if (!scanner.take(':')) return false;
      scanner.skip_space();
    }
    if (scanner.ended() || nodes_.size() == kMostNodes) return false;
    node.begin = static_cast<std::uint32_t>(scanner.at);
    const char first = scanner.now();
    const bool nests = first == '[' || first == '{';
    if (nests) {
      ++scanner.at;
      node.kind = first == '[' ? Kind::kArray : Kind::kObject;
    } else if (!take_scalar(scanner, node.kind)) {
      return false;
    }
    node.end = static_cast<std::uint32_t>(scanner.at);
    node.next = static_cast<std::uint32_t>(nodes_.size() + 1);
    nodes_.push_back(node);
    if (nests) {
      open = nodes_.size() - 1;
      scanner.skip_space();
      if (scanner.ended()) return false;
      if (scanner.now() != (first == '[' ? ']' : '}')) continue;
    }
    // Whatever ends here is closed; then comes a comma, or the end of the text.
    while (true) {
      scanner.skip_space();
      if (open == kNone) return scanner.ended();
      if (scanner.take(',')) break;
      Node& container = nodes_[open];
      if (!scanner.take(container.kind == Kind::kArray ? ']' : '}')) return false;
      container.end = static_cast<std::uint32_t>(scanner.at);
      container.next = static_cast<std::uint32_t>(nodes_.size());
      open = open == 0 ? kNone : container.parent;
    }
  }
}

std::size_t Tree::member(std::string_view text, std::size_t index, std::string_view name) const {
  if (nodes_[index].kind != Kind::kObject) return kNone;
  for (std::size_t i = index + 1; i < nodes_[index].next; i = nodes_[i].next) {
    const Node& node = nodes_[i];
    if (text.substr(node.name + 1, node.name_end - node.name - 2) == name) return i;
  }
  return kNone;
}

std::size_t Tree::children(std::size_t index) const {
  std::size_t count = 0;
  for (std::size_t i = index + 1; i < nodes_[index].next; i = nodes_[i].next) ++count;
  return count;
}

std::size_t Tree::child(std::size_t index, std::size_t position) const {
  std::size_t i = index + 1;
  for (; position > 0; --position) i = nodes_[i].next;
  return i;
}

Stretch removal(std::string_view text, const Tree& tree, std::size_t index) {
  const Node& node = tree[index];
  const Node& parent = tree[node.parent];
  if (index == 0) return {node.begin, node.end};
  // The comma behind it, else the one before it.
  if (node.next < parent.next) return {node.start(), tree[node.next].start()};
  std::size_t begin = node.start();
  while (begin > parent.begin + 1 && is_space(text[begin - 1])) --begin;
  if (text[begin - 1] == ',') --begin;
  return {begin, node.end};
}

Insertion insertion(const Tree& tree, std::size_t index, bool at_front) {
  const Node& node = tree[index];
  const bool empty = node.next == index + 1;
  if (at_front || empty) return {node.begin + 1, false, !empty};
  return {node.end - 1, true, false};
}

}  // namespace fuzz
