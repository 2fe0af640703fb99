// SPDX-License-Identifier: Apache-2.0
// What the reference server offers besides tools: resources, templates, prompts. Tables of
// constants, so that the program starts without building anything.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/json/value.h"
#include "harness/reference/faults.h"

namespace harness::reference {

extern const char* const kPng;  // base64
extern const char* const kWav;  // base64

struct Resource {
  const char* uri;
  const char* name;
  const char* description;
  const char* mime_type;
  const char* text;  // null for a blob
  const char* blob;  // base64
  const char* since;
  bool listed = true;  // by resources/list
};
const std::vector<Resource>& resources();
bool is_skill(const Resource& one);

struct ResourceTemplate {
  const char* uri_template;
  const char* name;
  const char* description;
  const char* mime_type;
};
const std::vector<ResourceTemplate>& resource_templates();

struct PromptArgument {
  const char* name;
  const char* description;
  bool required;
};
struct Prompt {
  const char* name;
  const char* description;
  std::vector<PromptArgument> arguments;
  const char* since;
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

// Content blocks.
json::Value text_block(std::string_view text);
json::Value image_block();
json::Value audio_block();
json::Value embedded_text(std::string_view uri, std::string_view mime_type, std::string_view text);

}  // namespace harness::reference
