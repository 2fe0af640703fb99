// SPDX-License-Identifier: Apache-2.0
#include "harness/schema/instance_check.h"

#include <utility>
#include <vector>

namespace harness::schema {
namespace {

constexpr Steps kSteps = 300'000;

}  // namespace

json::Value without_expressions(const json::Value& schema) {
  if (!schema.is_object()) return schema;
  json::Value out = json::object();
  const bool named = schema.find("patternProperties") != nullptr;
  for (const json::Member& member : schema.members) {
    const std::string& name = member.name;
    if (name == "pattern" || name == "patternProperties" || name == "format" || name == "default" ||
        name == "examples") {
      continue;
    }
    if (name == "additionalProperties" && named) continue;
    if (name == "const" || name == "enum" || name == "required" || name == "type") {
      out.set(name, member.value);
      continue;
    }
    json::Value value = member.value;
    for (json::Value& item : value.items) item = without_expressions(item);
    if (name == "properties" || name == "definitions" || name == "$defs" ||
        name == "dependencies") {
      for (json::Member& one : value.members) one.value = without_expressions(one.value);
    } else {
      value = value.is_object() ? without_expressions(value) : value;
    }
    out.set(name, std::move(value));
  }
  return out;
}

InstanceCheck::InstanceCheck(const json::Value& schema) {
  Result<NormalizedSchema> normalized = NormalizedSchema::read(schema);
  if (normalized) normalized_ = std::move(*normalized);
}

std::optional<std::string> InstanceCheck::broken_keyword(const json::Value& value) const {
  if (!normalized_) return std::nullopt;
  Steps steps = kSteps;
  std::vector<std::string> broken = normalized_->failures(value, normalized_->root(), steps);
  if (steps < 0 || broken.empty()) return std::nullopt;
  // The library knows nothing of expressions.
  if (normalized_->has_patterns()) return std::move(broken.front());
  if (!library_) library_ = json::CompiledSchema::compile(without_expressions(normalized_->root()));
  if (!*library_ || (*library_)->fits(value)) return std::nullopt;
  return std::move(broken.front());
}

std::optional<std::string> broken_keyword(const json::Value& schema, const json::Value& value) {
  return InstanceCheck(schema).broken_keyword(value);
}

}  // namespace harness::schema
