// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/traffic.h"

#include "harness/base/text.h"
#include "harness/json/write.h"

namespace harness::oracle {

std::string shown(std::string_view bytes, std::size_t limit) {
  return "\"" + printable(bytes, limit) + "\"";
}

std::string shown(const json::Value& value, std::size_t limit) {
  return printable(json::write(value), limit);
}

std::string shown_id(const json::Value* id) {
  return id == nullptr ? "no id" : "id " + shown(*id, 60);
}

}  // namespace harness::oracle
