// SPDX-License-Identifier: Apache-2.0
// Icons of the server and of what it lists and links: their shape, and addresses that a client may
// load. None is loaded.
#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>

#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"

namespace harness::oracle {
namespace {

// "https" of "HTTPS://…"; "" when there is none.
std::string scheme_of(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  if (colon == std::string_view::npos || colon == 0) return {};
  std::string scheme(uri.substr(0, colon));
  for (char& c : scheme) {
    const auto byte = static_cast<unsigned char>(c);
    if (!std::isalnum(byte) && c != '+' && c != '-' && c != '.') return {};
    c = static_cast<char>(std::tolower(byte));
  }
  return scheme;
}

bool is_base64_data(std::string_view uri) {
  const std::size_t comma = uri.find(',');
  constexpr std::string_view kMark = ";base64";
  if (comma == std::string_view::npos) return false;
  const std::string_view head = uri.substr(0, comma);
  if (head.size() < kMark.size() || head.substr(head.size() - kMark.size()) != kMark) return false;
  const std::string_view data = uri.substr(comma + 1);
  return std::all_of(data.begin(), data.end(), [](char c) {
    // %: escaped padding and plus signs
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("+/=-_%").find(c) != std::string_view::npos;
  });
}

class IconJudge {
 public:
  IconJudge(const Evidence& evidence, Sink& sink) : evidence_(evidence), sink_(sink) {}

  // Of an object that may have icons.
  void owner(const json::Value& owner, const Item& item) {
    const json::Value* icons = owner.is_object() ? owner.find("icons") : nullptr;
    if (icons == nullptr || icons->is_null()) return;  // null is judged with others of its kind
    if (!icons->is_array()) {
      return breach(item, {"mcp.icons.array"}, "an array of objects as icons", *icons);
    }
    for (const json::Value& icon : icons->items) judge(icon, item);
  }

  void each(const json::Value* list, const Item& item) {
    if (list == nullptr) return;
    for (const json::Value& element : list->items) owner(element, item);
  }

 private:
  void breach(const Item& item, std::initializer_list<const char*> clauses, std::string expected,
              const json::Value& seen) {
    if (!told_.insert(expected).second) return;
    report_best(evidence_, sink_, clauses, {std::move(expected), shown(seen), {item.seq}});
  }

  void judge(const json::Value& icon, const Item& item) {
    if (!icon.is_object()) {
      return breach(item, {"mcp.icons.shape", "mcp.icons.array"}, "an object as icon", icon);
    }
    const json::Value* src = icon.find("src");
    if (src == nullptr || !src->is_string()) {
      breach(item, {"mcp.icons.shape", "mcp.icons.src-string"}, "a string src in each icon", icon);
    } else {
      address(src->text, icon, item);
    }
    const json::Value* type = icon.find("mimeType");
    if (type != nullptr && !type->is_string()) {
      breach(item, {"mcp.icons.shape", "mcp.icons.mime-type-string"},
             "a string as mimeType of an icon", icon);
    }
    const json::Value* sizes = icon.find("sizes");
    if (sizes != nullptr && !(sizes->is_array() && all_strings(*sizes))) {
      breach(item, {"mcp.icons.shape", "mcp.icons.sizes"},
             "an array of strings as sizes of an icon", icon);
    }
    const json::Value* theme = icon.find("theme");
    if (theme != nullptr && !is_text(theme, "light") && !is_text(theme, "dark")) {
      breach(item, {"mcp.icons.shape", "mcp.icons.theme"}, "light or dark as theme of an icon",
             icon);
    }
  }

  void address(const std::string& src, const json::Value& icon, const Item& item) {
    const std::string scheme = scheme_of(src);
    if (scheme == "data") {
      if (is_base64_data(src)) return;
      return breach(item, {"mcp.icons.data-uri-base64"}, "base64 in the data: address of an icon",
                    icon);
    }
    if (scheme == "https" || scheme == "http") return;
    breach(item, {"mcp.icons.safe-scheme", "mcp.icons.src-scheme"},
           "an https: or data: address as src of an icon", icon);
  }

  static bool all_strings(const json::Value& list) {
    return std::all_of(list.items.begin(), list.items.end(),
                       [](const json::Value& one) { return one.is_string(); });
  }

  const Evidence& evidence_;
  Sink& sink_;
  std::set<std::string> told_;
};

struct List {
  std::string_view method, member;
};
constexpr std::array<List, 5> kLists = {{{"tools/list", "/tools"},
                                         {"resources/list", "/resources"},
                                         {"resources/templates/list", "/resourceTemplates"},
                                         {"prompts/list", "/prompts"},
                                         {"tools/call", "/content"}}};  // links to resources

}  // namespace

void judge_icons(const Evidence& evidence, Sink& sink) {
  if (!from_revision(evidence, "2025-11-25")) return;
  const Requests& requests = sent_requests(evidence);
  IconJudge judge(evidence, sink);
  for (const Item& item : evidence.items) {
    if (item.sent || item.kind != wire::MessageKind::kResponse) continue;
    const Item* request = request_of(requests, item);
    const json::Value* result = item.member("result");
    if (request == nullptr || result == nullptr || !result->is_object()) continue;
    for (const List& list : kLists) {
      if (method_of(*request) == list.method) judge.each(json::at(*result, list.member), item);
    }
    for (const char* info : {"/serverInfo", "/_meta/io.modelcontextprotocol~1serverInfo"}) {
      const json::Value* owner = json::at(*result, info);
      const bool known = method_of(*request) == "initialize" || info[1] == '_';
      if (owner != nullptr && known) judge.owner(*owner, item);
    }
  }
}

}  // namespace harness::oracle
