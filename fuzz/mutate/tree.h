// SPDX-License-Identifier: Apache-2.0
// Tree: where the values of a JSON text stand. It holds places, not copies, so an edit changes only
// its own bytes: odd spellings, repeated names and escapes survive, and a mutation breaks one rule
// at a time.
//
//   {"id":1,"params":{"a":[]}}
//   └ 0     └ 2 ...   nodes in the order of their first byte; `next` leads past a node's inside
//        └ 1
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/json/value.h"

namespace fuzz {

using Kind = harness::json::Kind;

struct Node {
  Kind kind = Kind::kNull;
  std::uint32_t begin = 0;  // of the value
  std::uint32_t end = 0;    // behind it
  std::uint32_t name = 0;   // where the member's name begins (its quotation mark); see is_member
  std::uint32_t name_end = 0;
  std::uint32_t parent = 0;  // index; of the root 0
  std::uint32_t next = 0;    // index of the first node that is not inside

  bool is_member() const { return name_end != 0; }
  std::uint32_t start() const { return is_member() ? name : begin; }  // of the member or element
};

class Tree {
 public:
  static constexpr std::size_t kMostNodes = 1 << 16;

  // False for invalid JSON, except inside strings and numbers: those may hold anything that ends
  // where it should. Also false for more than kMostNodes values. `text` has to outlive only the
  // reading.
  bool read(std::string_view text);

  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& operator[](std::size_t index) const { return nodes_[index]; }
  std::size_t size() const { return nodes_.size(); }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  // The first member with that name, spelled plainly, of the object at `index`; kNone: there is
  // none.
  std::size_t member(std::string_view text, std::size_t index, std::string_view name) const;
  std::size_t children(std::size_t index) const;                     // how many
  std::size_t child(std::size_t index, std::size_t position) const;  // position < children(index)

 private:
  std::vector<Node> nodes_;
};

// Edits; each is a range of bytes to replace.
struct Stretch {
  std::size_t begin = 0;
  std::size_t end = 0;
};
// The member or element, with the comma that is removed with it.
Stretch removal(std::string_view text, const Tree& tree, std::size_t index);
// The place after the opening bracket of an object or array, or after its last element, and the
// comma that a new element needs there.
struct Insertion {
  std::size_t at = 0;
  bool comma_before = false;
  bool comma_after = false;
};
Insertion insertion(const Tree& tree, std::size_t index, bool at_front);

// The text of a value, with its quotation marks.
inline std::string_view text_of(std::string_view text, const Node& node) {
  return text.substr(node.begin, node.end - node.begin);
}
// What is between the quotation marks of a string, with escapes unchanged.
inline std::string_view inside(std::string_view text, const Node& node) {
  return text.substr(node.begin + 1, node.end - node.begin - 2);
}

}  // namespace fuzz
