// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/edits.h"

#include <cstddef>
#include <string>

#include "harness/json/read.h"

namespace harness::reference {

using json::Value;

void set_at(Value& value, std::string_view pointer, const char* json) {
  Value* parent = &value;
  pointer.remove_prefix(1);
  for (std::size_t slash; (slash = pointer.find('/')) != std::string_view::npos;
       pointer.remove_prefix(slash + 1)) {
    const std::string_view step = pointer.substr(0, slash);
    const auto index = static_cast<std::size_t>(step.front() - '0');
    if (!parent->is_array())
      parent = parent->find(step);
    else
      parent = index < parent->items.size() ? &parent->items[index] : nullptr;
    if (parent == nullptr) return;
  }
  const std::string name(pointer);
  if (json != nullptr) return parent->set(name, json::parse(json));
  std::erase_if(parent->members, [&](const json::Member& one) { return one.name == name; });
}

}  // namespace harness::reference
