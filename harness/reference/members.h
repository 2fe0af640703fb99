// SPDX-License-Identifier: Apache-2.0
// Strings that are members of something.
#pragma once

#include <string>
#include <string_view>

#include "harness/json/value.h"

namespace harness::reference {

// The member of that name if it is a string, or null.
inline const json::Value* string_member(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value != nullptr && value->is_string() ? value : nullptr;
}

// Its text; "" if there is none.
inline std::string text_in(const json::Value& object, std::string_view name) {
  const json::Value* value = string_member(object, name);
  return value == nullptr ? "" : value->text;
}

}  // namespace harness::reference
