// SPDX-License-Identifier: Apache-2.0
// json/read and json/write.
//
//   1. What is read is UTF-8 within the limits; what is refused is refused at a place in the text.
//   2. Written, in a line or over many, it reads as the same value with the same remarks.
//   3. Written again it is the same text.
//   4. A smaller limit refuses the text or reads the same.
//   5. Comparison is reflexive, and as_integer() and is_integer() agree.
#include "fuzz/targets/property.h"
#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/write.h"

using namespace harness;
using fuzz::hold;

namespace {

constexpr json::ReadLimits kLimits{64, 20'000};

std::size_t depth_of(const json::Value& value) {
  std::size_t deepest = 0;
  for (const auto& item : value.items) deepest = std::max(deepest, depth_of(item));
  for (const auto& member : value.members) deepest = std::max(deepest, depth_of(member.value));
  return deepest + (value.is_array() || value.is_object());
}

std::size_t count(const json::Value& value) {
  std::size_t all = 1;
  for (const auto& item : value.items) all += count(item);
  for (const auto& member : value.members) all += count(member.value);
  return all;
}

void check_numbers(const json::Value& value) {
  if (value.is_number()) {
    const auto integer = json::as_integer(value);
    hold(!integer || json::is_integer(value), "as_integer() implies is_integer()", value.text);
    hold(!integer || json::equal(value, json::number(*integer)), "an integer equals itself",
         value.text);
    json::as_double(value);
  }
  for (const auto& item : value.items) check_numbers(item);
  for (const auto& member : value.members) {
    hold(value.find(member.name) != nullptr, "a member is found by its name", member.name);
    check_numbers(member.value);
  }
}

void same(const json::Reading& reading, const std::string& text) {
  const auto outcome = json::read(text, kLimits);
  const auto* again = std::get_if<json::Reading>(&outcome);
  hold(again != nullptr, "what we write is JSON", text);
  hold(json::equal(reading.value, again->value), "what is written reads the same", text);
  hold(reading.values == again->values, "as many values", text);
  hold(reading.duplicate_name == again->duplicate_name, "the same repeated name", text);
  hold(json::write(again->value) == json::write(reading.value), "and is written the same", text);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = fuzz::text_of(bytes, size);
  if (is_utf8(text)) {
    const auto outcome = json::read(json::quoted(text));
    const auto* string = std::get_if<json::Reading>(&outcome);
    hold(string != nullptr && string->value.text == text, "any text can be quoted", text);
  }
  const auto outcome = json::read(text, kLimits);
  if (const auto* error = std::get_if<json::ReadError>(&outcome)) {
    hold(error->offset <= size, "a mistake has a place in the text");
    hold(!error->reason.empty(), "a mistake has a reason");
    return 0;
  }
  const auto& reading = std::get<json::Reading>(outcome);
  hold(is_utf8(text), "what is read is UTF-8", text);
  hold(depth_of(reading.value) <= kLimits.max_depth, "the depth is bounded", text);
  hold(reading.values <= kLimits.max_values && reading.values == count(reading.value),
       "values are counted and bounded", text);
  hold(json::equal(reading.value, reading.value), "a value equals itself", text);
  check_numbers(reading.value);
  same(reading, json::write(reading.value));
  same(reading, json::write_pretty(reading.value));

  const auto strict = json::read(text, {4, 50});
  if (const auto* error = std::get_if<json::ReadError>(&strict)) {
    hold(error->fault == json::ReadFault::kTooDeep, "only the limit can be at fault", text);
    hold(depth_of(reading.value) > 4 || reading.values > 50, "the limit is what it says", text);
  } else {
    hold(json::equal(std::get<json::Reading>(strict).value, reading.value), "limits change nothing",
         text);
  }
  return 0;
}
