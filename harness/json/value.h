// SPDX-License-Identifier: Apache-2.0
// A JSON value as it was written: numbers keep their spelling (1, 1.0 and 9007199254740993 stay
// apart), objects keep member order and duplicate names. Plain data; the readers are read.h (JSON
// text) and yaml.h (YAML), the writer is write.h.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness::json {

enum class Kind : std::uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

// "null", "boolean", "number", "string", "array", "object".
const char* kind_name(Kind kind);

// The place of a value in the file it was read from; line 0 means unknown.
struct Mark {
  int line = 0;
  int column = 0;
};

struct Member;

struct Value {
  Kind kind = Kind::kNull;
  bool boolean = false;
  std::string text;  // kString: decoded UTF-8; kNumber: the number in its original spelling
  std::vector<Value> items;
  std::vector<Member> members;  // in the order of appearance, including duplicates
  Mark mark;

  bool is_null() const { return kind == Kind::kNull; }
  bool is_boolean() const { return kind == Kind::kBoolean; }
  bool is_number() const { return kind == Kind::kNumber; }
  bool is_string() const { return kind == Kind::kString; }
  bool is_array() const { return kind == Kind::kArray; }
  bool is_object() const { return kind == Kind::kObject; }

  // The member called `name` (the last one if the name is repeated), or null.
  const Value* find(std::string_view name) const;
  Value* find(std::string_view name);
  // Replaces the member or appends it. The value must be an object.
  void set(std::string_view name, Value value);
};

struct Member {
  std::string name;
  Value value;
  Mark mark;
};

Value null();
Value boolean(bool value);
Value number(std::int64_t value);
Value number_spelled(std::string_view spelling);  // must be a JSON number
Value string(std::string_view text);
Value array(std::vector<Value> items = {});
Value object(std::initializer_list<std::pair<std::string_view, Value>> members = {});

// The number as a 64-bit integer if it is a whole number (1.0 and 1e2 are) and fits.
std::optional<std::int64_t> as_integer(const Value& value);
// True for a number whose value is a whole number, of any size.
bool is_integer(const Value& value);
double as_double(const Value& value);  // 0 unless a number; infinity when too large

// Equality as JSON data: member order does not matter, 1 equals 1.0, and numbers of any length are
// compared digit by digit, never as doubles.
bool equal(const Value& a, const Value& b);
bool equal_numbers(std::string_view a, std::string_view b);

// The value at a JSON Pointer ("/result/tools/0/name"; "" is the value itself), or null.
const Value* at(const Value& value, std::string_view pointer);

}  // namespace harness::json
