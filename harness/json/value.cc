// SPDX-License-Identifier: Apache-2.0
// What can be asked of a Value. Questions about numbers go through json/number.h.
#include "harness/json/value.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "harness/base/result.h"
#include "harness/json/number.h"

namespace harness::json {
namespace {

// Members by name, the last of a repeated one, in the order of the names.
std::vector<const Member*> sorted_members(const Value& value) {
  std::vector<const Member*> members;
  members.reserve(value.members.size());
  for (const Member& member : value.members) members.push_back(&member);
  std::stable_sort(members.begin(), members.end(),
                   [](const Member* a, const Member* b) { return a->name < b->name; });
  std::vector<const Member*> last;
  for (std::size_t i = 0; i < members.size(); ++i)
    if (i + 1 == members.size() || members[i]->name != members[i + 1]->name)
      last.push_back(members[i]);
  return last;
}

bool equal_objects(const Value& a, const Value& b) {
  const auto left = sorted_members(a);
  const auto right = sorted_members(b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const Member* x, const Member* y) {
                      return x->name == y->name && equal(x->value, y->value);
                    });
}

// One token of a JSON Pointer with ~0 and ~1 decoded; nullopt when a ~ means nothing.
std::optional<std::string> pointer_token(std::string_view raw) {
  std::string out;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '~') {
      out += raw[i];
      continue;
    }
    ++i;
    if (i == raw.size() || (raw[i] != '0' && raw[i] != '1')) return std::nullopt;
    out += raw[i] == '0' ? '~' : '/';
  }
  return out;
}

const Value* item_at(const Value& array, std::string_view token) {
  std::size_t index = 0;
  if (token.empty() || (token.size() > 1 && token[0] == '0')) return nullptr;
  const auto [end, fault] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (fault != std::errc{} || end != token.data() + token.size()) return nullptr;
  return index < array.items.size() ? &array.items[index] : nullptr;
}

}  // namespace

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::kNull: return "null";
    case Kind::kBoolean: return "boolean";
    case Kind::kNumber: return "number";
    case Kind::kString: return "string";
    case Kind::kArray: return "array";
    case Kind::kObject: return "object";
  }
  throw Bug("a value of no kind");
}

const Value* Value::find(std::string_view name) const {
  for (auto member = members.rbegin(); member != members.rend(); ++member)
    if (member->name == name) return &member->value;
  return nullptr;
}

Value* Value::find(std::string_view name) {
  return const_cast<Value*>(std::as_const(*this).find(name));
}

void Value::set(std::string_view name, Value value) {
  check(is_object(), "a member was set on a value that is not an object");
  if (Value* present = find(name)) {
    *present = std::move(value);
  } else {
    const Mark at = value.mark;
    members.push_back(Member{std::string(name), std::move(value), at});
  }
}

Value null() { return {}; }

Value boolean(bool value) {
  Value out;
  out.kind = Kind::kBoolean;
  out.boolean = value;
  return out;
}

Value number(std::int64_t value) {
  Value out;
  out.kind = Kind::kNumber;
  out.text = std::to_string(value);
  return out;
}

Value number_spelled(std::string_view spelling) {
  check(is_number_text(spelling), "a number value is not spelled as a JSON number");
  Value out;
  out.kind = Kind::kNumber;
  out.text = spelling;
  return out;
}

Value string(std::string_view text) {
  Value out;
  out.kind = Kind::kString;
  out.text = text;
  return out;
}

Value array(std::vector<Value> items) {
  Value out;
  out.kind = Kind::kArray;
  out.items = std::move(items);
  return out;
}

Value object(std::initializer_list<std::pair<std::string_view, Value>> members) {
  Value out;
  out.kind = Kind::kObject;
  out.members.reserve(members.size());
  for (const auto& [name, value] : members)
    out.members.push_back(Member{std::string(name), value, value.mark});
  return out;
}

std::optional<std::int64_t> as_integer(const Value& value) {
  if (!value.is_number()) return std::nullopt;
  std::int64_t plain = 0;
  const char* end = value.text.data() + value.text.size();
  const auto [stop, error] = std::from_chars(value.text.data(), end, plain);
  if (stop == end) return error == std::errc{} ? std::optional(plain) : std::nullopt;
  const Decimal number = decimal(value.text);
  if (number.is_zero()) return 0;
  constexpr std::size_t kMostDigits = std::numeric_limits<std::int64_t>::digits10 + 1;
  if (!number.is_whole() || number.exponent.size() > 2) return std::nullopt;
  const auto zeros = static_cast<std::size_t>(std::stoi(number.exponent));
  if (number.digits.size() + zeros > kMostDigits) return std::nullopt;
  const std::string digits = (number.negative ? "-" : "") + number.digits + std::string(zeros, '0');
  std::int64_t out = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (result.ec != std::errc{}) return std::nullopt;
  return out;
}

bool is_integer(const Value& value) {
  return value.is_number() && (is_plain_integer(value.text) || decimal(value.text).is_whole());
}

double as_double(const Value& value) {
  if (!value.is_number()) return 0;
  double out = 0;
  const char* end = value.text.data() + value.text.size();
  if (std::from_chars(value.text.data(), end, out).ec == std::errc{}) return out;
  // Out of range: too large or too close to zero, which the weight of the first digit tells apart.
  const Decimal number = decimal(value.text);
  const bool far = number.exponent.size() >= 10;  // more than any text has digits
  const bool below_one =
      number.negative_exponent &&
      (far || std::stoll(number.exponent) >= static_cast<std::int64_t>(number.digits.size()));
  if (number.is_zero() || below_one) return number.negative ? -0.0 : 0.0;
  const double infinity = std::numeric_limits<double>::infinity();
  return number.negative ? -infinity : infinity;
}

bool equal(const Value& a, const Value& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Kind::kNull: return true;
    case Kind::kBoolean: return a.boolean == b.boolean;
    case Kind::kNumber: return equal_numbers(a.text, b.text);
    case Kind::kString: return a.text == b.text;
    case Kind::kArray:
      return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), equal);
    case Kind::kObject: return equal_objects(a, b);
  }
  throw Bug("a value of no kind");
}

bool equal_numbers(std::string_view a, std::string_view b) {
  return a == b || canonical(a) == canonical(b);
}

const Value* at(const Value& value, std::string_view pointer) {
  const Value* here = &value;
  while (!pointer.empty()) {
    if (pointer.front() != '/') return nullptr;
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    const std::optional<std::string> token = pointer_token(pointer.substr(0, end));
    pointer.remove_prefix(end);
    if (!token) return nullptr;
    if (here->is_object())
      here = here->find(*token);
    else if (here->is_array())
      here = item_at(*here, *token);
    else
      return nullptr;
    if (here == nullptr) return nullptr;
  }
  return here;
}

}  // namespace harness::json
