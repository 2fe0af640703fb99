// SPDX-License-Identifier: Apache-2.0
#include "harness/target/own_methods.h"

#include <utility>
#include <variant>

#include "harness/base/text.h"
#include "harness/json/read.h"

namespace harness::target {

void name_method(json::Value& affordances, std::string_view method, json::Value params) {
  // An empty list says in every message that there are none.
  if (params.is_null()) params = json::array();
  const bool named = params.is_object();
  const json::Value call =
      json::object({{"method", json::string(method)}, {"params", std::move(params)}});
  for (const char* use : {"known_method", named ? "method.named" : "method.positional"})
    if (affordances.find(use) == nullptr) affordances.set(use, call);
  if (affordances.find("methods") == nullptr)
    affordances.set("methods", json::object({{"list", json::array()}}));
  affordances.find("methods")->find("list")->items.push_back(call);
}

Status name_method(json::Value& affordances, const std::string& words) {
  const std::size_t colon = words.find_first_of("[{") == std::string::npos
                                ? words.size()
                                : words.rfind(':', words.find_first_of("[{"));
  const Error wrong{"--method", "`" + printable(words, 80) + "` is not a method with its params",
                    "write NAME:PARAMS, as --method 'add:[1, 2]' or --method 'add:{\"a\": 1}'"};
  if (colon == std::string::npos || colon == 0 || words.empty()) return wrong;
  json::Value params;
  if (colon < words.size()) {
    auto read = json::read(words.substr(colon + 1));
    auto* sound = std::get_if<json::Reading>(&read);
    if (sound == nullptr || (!sound->value.is_array() && !sound->value.is_object())) return wrong;
    params = std::move(sound->value);
  }
  name_method(affordances, words.substr(0, colon), std::move(params));
  return Nothing{};
}

}  // namespace harness::target
