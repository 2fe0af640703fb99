// SPDX-License-Identifier: Apache-2.0
#include "harness/schema/instance_check.h"

#include <utility>
#include <vector>

namespace harness::schema {
namespace {

constexpr Steps kSteps = 300'000;

}  // namespace

InstanceCheck::InstanceCheck(const json::Value& schema) {
  Result<NormalizedSchema> normalized = NormalizedSchema::read(schema);
  if (normalized) normalized_ = std::move(*normalized);
}

std::optional<std::string> InstanceCheck::broken_keyword(const json::Value& value) const {
  if (!normalized_) return std::nullopt;
  Steps steps = kSteps;
  std::vector<std::string> broken = normalized_->failures(value, normalized_->root(), steps);
  if (steps < 0 || broken.empty()) return std::nullopt;
  return std::move(broken.front());
}

std::optional<std::string> broken_keyword(const json::Value& schema, const json::Value& value) {
  return InstanceCheck(schema).broken_keyword(value);
}

}  // namespace harness::schema
