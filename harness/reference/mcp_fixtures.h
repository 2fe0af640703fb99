// SPDX-License-Identifier: Apache-2.0
// What the reference server offers: rows of fixtures.json.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/json/value.h"
#include "harness/reference/faults.h"

namespace harness::reference {

// A part of fixtures.json: "image", a content block; "forms" and "tutorial", by their names.
const json::Value& fixture(std::string_view pointer);

struct Resource {
  std::string uri, name, description, mime_type;
  std::string text, blob;  // a blob is base64, and not empty
  std::string since;
  bool listed = true;  // by resources/list
};
const std::vector<Resource>& resources();
bool is_skill(const Resource& one);

// As resources/templates/list has them.
const std::vector<json::Value>& resource_templates();

struct PromptArgument {
  std::string name, description;
  bool required = false;
  std::string usual;  // in place of an empty text
};
struct Prompt {
  std::string name, description;
  std::vector<PromptArgument> arguments;
  std::string since;
  json::Value messages;  // "{NAME}" stands for an argument
};
const std::vector<Prompt>& prompts();

// The text between `before` and `after` in `uri`, without slashes or braces; null if it does not
// match the template.
std::optional<std::string> template_argument(std::string_view uri, std::string_view before,
                                             std::string_view after);

inline constexpr std::string_view kAppsExtension = "io.modelcontextprotocol/ui";
inline constexpr std::string_view kAppsSince = "2025-11-25";
inline constexpr std::string_view kAppType = "text/html;profile=mcp-app";
bool is_interface(std::string_view uri);

inline constexpr std::string_view kSkillsExtension = "io.modelcontextprotocol/skills";
// Its settings, as the server declares them.
json::Value skills_settings(const Faults& faults);

// "test_simple_prompt" in the form shown to people.
std::string title_of(std::string_view name);

// What completion/complete knows.
const std::vector<std::string>& completion_words();

// A content block.
json::Value text_block(std::string_view text);

}  // namespace harness::reference
