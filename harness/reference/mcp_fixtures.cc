// SPDX-License-Identifier: Apache-2.0
// Names that begin with test_ or test:// are those the official conformance scenarios look for.
#include "harness/reference/mcp_fixtures.h"

#include <algorithm>

#include "harness/base/ascii.h"

namespace harness::reference {

using json::Value;

const char* const kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJg"
    "gg==";
const char* const kWav = "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQgAAAAAAAAAAAAAAA==";

const std::vector<Resource>& resources() {
  static const std::vector<Resource> table = {
      {"test://static-text", "static-text", "A text that never changes.", "text/plain",
       "This is the content of the static text resource.", nullptr, ""},
      {"test://static-binary", "static-binary", "A small image.", "image/png", nullptr, kPng, ""},
      {"test://watched-resource", "watched-resource", "A text that a tool can change.",
       "text/plain", "", nullptr, ""},
      {"file:///docs/readme.md", "readme", "What this server is.", "text/markdown",
       "# Readme\n\nA sound server to test testers with.", nullptr, ""},
      {"file:///docs/guide.md", "guide", "How to use it.", "text/markdown",
       "# Guide\n\nRead the readme first.", nullptr, ""},
      {"test://unicode", "unicode", "Text beyond ASCII.", "text/plain",
       "\xc3\x84\xc3\x96\xc3\x9c \xe2\x82\xac \xe5\x8c\x97\xe4\xba\xac \xf0\x9f\x9a\x80", nullptr,
       ""},
      {"test://empty", "empty", "A text of no characters.", "text/plain", "", nullptr, ""},
      {"test://input-required", "input-required", "A text that asks the user first.", "text/plain",
       "", nullptr, "2026-07-28"},
      {"ui://cards/welcome", "welcome-card", "A card for a guest.", "text/html;profile=mcp-app",
       "<!DOCTYPE html><html><body><p>Welcome!</p></body></html>", nullptr, "2025-11-25", false},
      {"ui://cards/thanks", "thanks-card", "A card for a host.", "text/html;profile=mcp-app",
       "<!DOCTYPE html><html><body><p>Thank you!</p></body></html>", nullptr, "2025-11-25"},
      {"skill://greeting/SKILL.md", "greeting", "How to greet a guest.", "text/markdown",
       "---\nname: greeting\ndescription: How to greet a guest.\nlicense: Apache-2.0\n---\n\n"
       "Say their name, and give them [a card](cards/welcome.txt). \xc3\x84",
       nullptr, "2026-07-28"},
      {"skill://greeting/cards/welcome.txt", "welcome", "A card for a guest.", "text/plain",
       "Welcome!", nullptr, "2026-07-28"},
      {"skill://greeting/cards/flag.png", "flag", "A small flag.", "image/png", nullptr, kPng,
       "2026-07-28", false},
      {"skill://guests/seating/SKILL.md", "seating", "Where guests sit.", "text/markdown",
       "---\nname: seating\ndescription: Where guests sit.\n---\n", nullptr, "2026-07-28", false},
      {"skill://guests/seating/chairs.txt", "chairs", "How many there are.", "text/plain", "12",
       nullptr, "2026-07-28", false},
      {"skill://guests/seating/tables.txt", "tables", "How many there are.", "text/plain", "3",
       nullptr, "2026-07-28", false},
      {"skill://guests/seating/plan/SKILL.md", "plan", "How to draw a plan.", "text/markdown",
       "---\nname: plan\ndescription: How to draw a plan.\n---\n", nullptr, "2026-07-28", false},
      {"skill://weather/SKILL.md", "weather", "What the weather is like.", "text/markdown",
       "---\nname: weather\ndescription: What the weather is like.\n---\n\nMade when asked for.",
       nullptr, "2026-07-28", false},
      {"skill://backstage/SKILL.md", "backstage", "For those who know of it.", "text/markdown",
       "---\nname: backstage\ndescription: For those who know of it.\n---\n", nullptr,
       "2026-07-28", false},
  };
  return table;
}

bool is_skill(const Resource& one) { return std::string_view(one.uri).ends_with("/SKILL.md"); }

const std::vector<ResourceTemplate>& resource_templates() {
  static const std::vector<ResourceTemplate> table = {
      {"test://template/{id}/data", "template-data", "Data by id.", "application/json"},
      {"test://echo/{text}", "template-echo", "Returns its argument.", "text/plain"},
      {"file:///docs/{name}", "template-docs", "A page of the documentation.", "text/markdown"},
  };
  return table;
}

const std::vector<Prompt>& prompts() {
  static const std::vector<Prompt> table = {
      {"test_simple_prompt", "A prompt without arguments.", {}, ""},
      {"test_prompt_with_arguments",
       "A prompt with two arguments.",
       {{"arg1", "The first argument", true}, {"arg2", "The second argument", true}},
       ""},
      {"test_prompt_with_embedded_resource",
       "A prompt that carries a resource.",
       {{"resourceUri", "The URI it shows", true}},
       ""},
      {"test_prompt_with_image", "A prompt that carries an image.", {}, ""},
      {"test_prompt_optional",
       "A prompt whose argument may be left out.",
       {{"topic", "What to talk about", false}},
       ""},
      {"spoken_note", "A prompt that carries audio.", {}, "2025-03-26"},
      {"test_input_required_result_prompt", "A prompt that asks the user first.", {}, "2026-07-28"},
  };
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

Value image_block() {
  return json::object({{"type", json::string("image")},
                       {"data", json::string(kPng)},
                       {"mimeType", json::string("image/png")}});
}

Value audio_block() {
  return json::object({{"type", json::string("audio")},
                       {"data", json::string(kWav)},
                       {"mimeType", json::string("audio/wav")}});
}

Value embedded_text(std::string_view uri, std::string_view mime_type, std::string_view text) {
  return json::object({{"type", json::string("resource")},
                       {"resource", json::object({{"uri", json::string(uri)},
                                                  {"mimeType", json::string(mime_type)},
                                                  {"text", json::string(text)}})}});
}

}  // namespace harness::reference
