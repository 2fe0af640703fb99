// SPDX-License-Identifier: Apache-2.0
#include "harness/target/lists.h"

namespace harness::target {

json::Value* Lists::list(std::string_view items) {
  if (items == "tools") return &tools;
  if (items == "resources") return &resources;
  if (items == "resourceTemplates") return &templates;
  if (items == "prompts") return &prompts;
  return nullptr;
}

}  // namespace harness::target
