// SPDX-License-Identifier: Apache-2.0
// Names that begin with test_ or test:// are those the official conformance scenarios look for.
#include "harness/reference/mcp_fixtures.h"

#include <algorithm>

#include "harness/base/ascii.h"
#include "harness/base/embed.h"
#include "harness/json/read.h"
#include "harness/reference/members.h"

RPCSPEC_EMBEDDED(fixtures);

namespace harness::reference {

using json::Value;

const Value& fixture(std::string_view pointer) {
  static const Value kAll = json::parse(fixtures());
  return *json::at(kAll, pointer);
}

const std::vector<Resource>& resources() {
  static const std::vector<Resource> table = [] {
    std::vector<Resource> out;
    for (const Value& row : fixture("/resources").items)
      out.push_back({text_in(row, "uri"), text_in(row, "name"), text_in(row, "description"),
                     text_in(row, "mimeType"), text_in(row, "text"), text_in(row, "blob"),
                     text_in(row, "since"), row.find("listed") == nullptr});
    return out;
  }();
  return table;
}

bool is_skill(const Resource& one) { return one.uri.ends_with("/SKILL.md"); }

const std::vector<Value>& resource_templates() { return fixture("/templates").items; }

const std::vector<Prompt>& prompts() {
  static const std::vector<Prompt> table = [] {
    std::vector<Prompt> out;
    for (const Value& row : fixture("/prompts").items) {
      Prompt& one = out.emplace_back(Prompt{text_in(row, "name"),
                                            text_in(row, "description"),
                                            {},
                                            text_in(row, "since"),
                                            *row.find("messages")});
      if (const Value* arguments = row.find("arguments"))
        for (const Value& each : arguments->items)
          one.arguments.push_back({text_in(each, "name"), text_in(each, "description"),
                                   each.find("required")->boolean, text_in(each, "usual")});
    }
    return out;
  }();
  return table;
}

std::optional<std::string> template_argument(std::string_view uri, std::string_view before,
                                             std::string_view after) {
  if (uri.size() <= before.size() + after.size() || uri.substr(0, before.size()) != before ||
      uri.substr(uri.size() - after.size()) != after) {
    return std::nullopt;
  }
  const std::string_view middle =
      uri.substr(before.size(), uri.size() - before.size() - after.size());
  if (middle.find_first_of("/{}") != std::string_view::npos) return std::nullopt;
  return std::string(middle);
}

const std::vector<std::string>& completion_words() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> list = {"paris", "park", "party"};
    // More than the hundred values one reply may carry.
    for (int i = 100; i < 250; ++i) list.push_back("test" + std::to_string(i));
    return list;
  }();
  return words;
}

std::string title_of(std::string_view name) {
  std::string title(name);
  std::replace(title.begin(), title.end(), '_', ' ');
  if (!title.empty()) title[0] = ascii::upper(title[0]);
  return title;
}

Value text_block(std::string_view text) {
  return json::object({{"type", json::string("text")}, {"text", json::string(text)}});
}

}  // namespace harness::reference
