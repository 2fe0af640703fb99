// SPDX-License-Identifier: Apache-2.0
#include "harness/suite/when.h"

#include <algorithm>

namespace harness::suite {

std::vector<std::string> texts(const json::Value* list) {
  std::vector<std::string> out;
  if (list == nullptr) return out;
  for (const json::Value& item : list->items) out.push_back(item.text);
  return out;
}

When when_of(const json::Value& when) {
  When out;
  out.profiles = texts(when.find("profiles"));
  if (const json::Value* value = when.find("value")) out.value = *value;
  if (const json::Value* is = when.find("is")) out.is = *is;
  const std::vector<std::string> transports = texts(when.find("transports"));
  if (!transports.empty()) out.transports = {};
  for (const std::string& word : transports)
    out.transports.add(wire::transports_selected(word).value_or(wire::TransportSet()));
  return out;
}

bool applies(const When& when, const spec::Profile& profile, wire::TransportKind transport) {
  const auto& names = when.profiles;
  const bool in_profile =
      names.empty() || std::any_of(names.begin(), names.end(),
                                   [&](const std::string& name) { return profile.is(name); });
  return in_profile &&
         (transport == wire::TransportKind::kUnknown || when.transports.has(transport));
}

}  // namespace harness::suite
