// SPDX-License-Identifier: Apache-2.0
// Lists: what a target lists, kept by what it is a list of.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "harness/json/value.h"

namespace harness::target {

struct Lists {
  json::Value tools = json::array();  // as tools/list has them
  json::Value resources = json::array();
  json::Value templates = json::array();  // of resources
  json::Value prompts = json::array();

  // The first completion for an argument: by the prompt and the argument.
  std::map<std::pair<std::string, std::string>, std::string> completed;

  // Where the list with this name in a result is kept; null for a list that nobody requests.
  json::Value* list(std::string_view items);
};

}  // namespace harness::target
