// SPDX-License-Identifier: Apache-2.0
// json/yaml.
//
//   1. What is read has JSON numbers and a place in the text for each value; a complaint has a
//   place.
//   2. Written as JSON it is JSON, without repeated names, and reads the same.
//   3. JSON is YAML: what we write as JSON is read by read_yaml as the same value.
#include <algorithm>

#include "fuzz/targets/property.h"
#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"

using namespace harness;
using fuzz::hold;

namespace {

bool is_json(std::string_view text) {
  return std::holds_alternative<json::Reading>(json::read(text));
}

// JSON that only a JSON reader takes has no places.
void check_marks(const json::Value& value, int lines, bool placed) {
  const int least = placed ? 1 : 0;
  hold(value.mark.line >= least && value.mark.line <= lines, "a value has a line of the text");
  hold(value.mark.column >= least, "a value has a column");
  for (const auto& item : value.items) check_marks(item, lines, placed);
  for (const auto& member : value.members) check_marks(member.value, lines, placed);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = fuzz::text_of(bytes, size);
  const auto value = json::read_yaml(text, "x.yaml");
  if (!value) {
    hold(value.error().where.starts_with("x.yaml"), "a complaint names the file",
         value.error().text());
    hold(!value.error().what.empty(), "a complaint says what is wrong");
    return 0;
  }
  const auto breaks =
      std::count_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; });
  check_marks(*value, static_cast<int>(breaks) + 1, !is_json(text));
  const std::string written = json::write(*value);
  const auto outcome = json::read(written);
  const auto* reading = std::get_if<json::Reading>(&outcome);
  hold(reading != nullptr, "what is read can be written as JSON", written);
  hold(json::equal(*value, reading->value), "and is the same", written);
  hold(reading->duplicate_name.empty(), "no name is repeated", written);
  const auto again = json::read_yaml(written, "x.json");
  if (again) {
    hold(json::equal(*value, *again), "JSON is YAML", written);
  } else {
    hold(false, "JSON is YAML", again.error().text() + "\n" + written);
  }
  return 0;
}
