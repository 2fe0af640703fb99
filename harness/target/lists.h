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

  // What completion offers for an argument, the first of it: by the prompt and the argument.
  std::map<std::pair<std::string, std::string>, std::string> completed;

  // Where the list is kept that a result has under this name; null for one that nobody asks for.
  json::Value* list(std::string_view items);
};

}  // namespace harness::target
