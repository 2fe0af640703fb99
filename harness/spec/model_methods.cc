// SPDX-License-Identifier: Apache-2.0
// What a method's name says before any server is asked.
#include <algorithm>

#include "harness/base/ascii.h"
#include "harness/spec/model.h"
#include "harness/spec/protocol.h"

namespace harness::spec {
namespace {

// Namespaces in which a server has nothing of its own: those of the protocol, and ours.
constexpr std::string_view kOurs = "rpcspec";
constexpr std::string_view kReserved[] = {"tools/",      "resources/", "prompts/",
                                          "completion/", "logging/",   "server/"};

constexpr std::string_view kHostile[] = {
    "__proto__", "constructor", "toString", "hasOwnProperty", "__init__",    "__class__",
    "..",        "../../ping",  "*",        "instance_eval",  "/etc/passwd", "valueOf"};

}  // namespace

// Of all revisions and the tutorial dialect: servers offer what other revisions have.
bool is_known_method(std::string_view method) {
  const MessageRow* row = protocol().find(method);
  return row != nullptr && !row->notification;
}

bool is_hostile_method(std::string_view method) {
  const bool control = std::any_of(method.begin(), method.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  return control ||
         std::find(std::begin(kHostile), std::end(kHostile), method) != std::end(kHostile);
}

bool is_nobodys_method(std::string_view method, const Profile& profile) {
  if (method.starts_with(kOurs)) return true;
  // Of what depends on the implementation, in LSP, and of extensions, in ACP.
  const std::string_view own = profile.lsp ? "$/" : profile.acp ? "_" : "";
  if (!own.empty() && method.starts_with(own) && method.substr(own.size()).starts_with(kOurs))
    return true;
  if (is_hostile_method(method)) return true;
  if (!profile.mcp || is_known_method(method)) return false;
  return std::any_of(std::begin(kReserved), std::end(kReserved),
                     [&](std::string_view prefix) { return method.starts_with(prefix); });
}

bool is_known_in_other_case(std::string_view method) {
  if (method.size() > 40 || is_known_method(method)) return false;
  const auto& all = protocol().messages();
  return std::any_of(all.begin(), all.end(), [&](const MessageRow& row) {
    return !row.notification && ascii::equal_ignoring_case(row.name, method);
  });
}

}  // namespace harness::spec
