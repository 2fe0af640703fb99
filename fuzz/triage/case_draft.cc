// SPDX-License-Identifier: Apache-2.0
#include "fuzz/triage/case_draft.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/json/write.h"

namespace fuzz {
namespace {

namespace json = harness::json;

// A double-quoted YAML string is one of JSON. What it cannot hold, or a case would read as a
// reference, is written in hexadecimal digits.
std::string text_of(const std::string& bytes) {
  const bool plain = harness::is_utf8(bytes) && bytes.find("${") == std::string::npos &&
                     std::none_of(bytes.begin(), bytes.end(), [](unsigned char c) {
                       return c == 0x7f || (c < 0x20 && c != '\n' && c != '\r' && c != '\t');
                     });
  if (plain) return json::quoted(bytes);
  std::string hex;
  for (const unsigned char byte : bytes)
    hex += fmt::format("{}{:02x}", hex.empty() ? "" : " ", byte);
  return "[{hex: \"" + hex + "\"}]";
}

}  // namespace

std::string case_draft(const Script& script, const std::string& title,
                       const std::string& requirement, const harness::spec::Profile& profile,
                       const std::string& transport) {
  std::string out = "title: " + json::quoted(title) + "\n";
  out += "covers: [" + requirement + "]\n";
  out += fmt::format("profiles: [{}]\ntransports: [{}]\nsession: fresh\n", profile.name, transport);
  out += "steps:\n";
  for (const Step& step : script.steps) {
    if (const auto* frame = std::get_if<Frame>(&step))
      out += "  - frame: " + text_of(frame->bytes) + "\n";
    if (const auto* raw = std::get_if<Raw>(&step))
      out += "  - bytes: " + text_of(raw->bytes) + "\n";
    if (std::holds_alternative<Sync>(step)) out += "  - canary: true\n";
    if (std::holds_alternative<Close>(step)) out += "  - reconnect: ready\n";
  }
  // Two of them prove that what has no reply was passed over.
  out += "  - canary: true\n  - canary: true\n";
  return out;
}

}  // namespace fuzz
