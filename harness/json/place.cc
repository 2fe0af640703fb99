// SPDX-License-Identifier: Apache-2.0
// Apart from yaml.cc: who reads no YAML links no yaml-cpp for it.
#include "harness/json/yaml.h"

namespace harness::json {

std::string place(const std::string& name, const Mark& mark) {
  if (mark.line == 0) return name;
  return name + ":" + std::to_string(mark.line) + ":" + std::to_string(mark.column);
}

Error wrong_at(const std::string& name, const Value& value, std::string what, std::string remedy) {
  return {place(name, value.mark), std::move(what), std::move(remedy)};
}

}  // namespace harness::json
