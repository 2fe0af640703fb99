// SPDX-License-Identifier: Apache-2.0
// Document: a JSON document whose parts refer to each other by `$ref`, and where things stand in
// it. Nothing is fetched: a reference leads within the document or nowhere. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/json/value.h"

namespace harness::contract {

// A value of the document, and the JSON Pointer to it.
struct Spot {
  const json::Value* value = nullptr;  // null: there is none
  std::string pointer;

  explicit operator bool() const { return value != nullptr; }
  Spot at(std::string_view name) const;  // a member
  Spot at(std::size_t index) const;      // an element
};

class Document {
 public:
  explicit Document(const json::Value& root) : root_(root) {}  // outlives it

  Spot root() const { return {&root_, ""}; }
  // What the spot refers to in the end, or the spot itself where it is no reference. Without a
  // value where a reference leads nowhere; the pointer is that of the reference then.
  Spot follow(Spot spot) const;
  // The schema with all it refers to in `definitions` of its own: it means the same wherever it
  // stands. Nothing where a reference leads nowhere.
  std::optional<json::Value> bundle(Spot schema) const;
  // The pointer to a value that is part of the document; nothing for any other.
  std::optional<std::string> pointer_to(const json::Value* part) const;

 private:
  const json::Value& root_;
};

std::string escaped_name(std::string_view name);  // as a JSON Pointer has it

// Where the value at the pointer begins in this text of the document, which is JSON. Line 0: it is
// not there.
json::Mark mark_of(std::string_view text, std::string_view pointer);

}  // namespace harness::contract
