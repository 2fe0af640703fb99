// SPDX-License-Identifier: Apache-2.0
// target/synthesis over a stranger's schema.
//
//   1. It ends, with at most as many instances as were asked for, the same ones each time.
//   2. What is made is JSON and says how it was made; fewer are the first of more.
//   3. A NormalizedSchema takes what is valid and refuses what is broken.
#include "fuzz/targets/property.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/schema/normalized_schema.h"
#include "harness/target/synthesis.h"

using namespace harness;
using fuzz::hold;
using target::Arguments;

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto outcome = json::read(fuzz::text_of(bytes, size), {64, 5'000});
  const auto* reading = std::get_if<json::Reading>(&outcome);
  if (reading == nullptr) return 0;
  const json::Value& schema = reading->value;
  const auto normalized = schema::NormalizedSchema::read(schema);
  for (const Arguments kind :
       {Arguments::kValid, Arguments::kMinimal, Arguments::kBoundary, Arguments::kBroken}) {
    const auto made = target::synthesise(schema, kind, 16);
    // A schema can cost all the steps there are each time; one of the four is looked at so closely.
    const bool closely = static_cast<std::size_t>(kind) == size % 4;
    const auto again = closely ? target::synthesise(schema, kind, 16) : made;
    const auto few = closely ? target::synthesise(schema, kind, 2) : target::Synthesis();
    hold(made.instances.size() <= 16 && few.instances.size() <= 2, "no more than asked for");
    hold(made.instances.size() == again.instances.size() && made.refused == again.refused,
         "the same each time");
    hold(normalized || made.instances.empty(), "nothing is made of a schema nobody understands");
    hold(!made.instances.empty() || !made.refused.empty() || kind == Arguments::kBoundary ||
             kind == Arguments::kBroken,
         "what could not be made is told");
    for (std::size_t i = 0; i < made.instances.size(); ++i) {
      const json::Value& value = made.instances[i].value;
      const std::string text = json::write(value);
      hold(text == json::write(again.instances[i].value), "the same each time", text);
      if (i < few.instances.size()) {
        hold(text == json::write(few.instances[i].value), "fewer are the first of more", text);
      }
      hold(std::holds_alternative<json::Reading>(json::read(text)), "it is JSON", text);
      if (!normalized) continue;
      schema::Steps steps = 100'000;
      const bool fits = normalized->fits(value, normalized->root(), steps);
      hold(steps < 0 || fits == (kind != Arguments::kBroken), "valid fits, broken does not", text);
    }
  }
  return 0;
}
