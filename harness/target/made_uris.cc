// SPDX-License-Identifier: Apache-2.0
#include "harness/target/made_uris.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/base/uri_template.h"

namespace harness::target {
namespace {

constexpr std::size_t kMostMade = 32;
constexpr std::size_t kMostSources = 4;  // resources or templates that URIs are made from
constexpr std::string_view kNobodys = "no-such-resource-7301";
constexpr const char* kNames[] = {"unknown", "expanded", "escaping"};

std::string text_of(const json::Value& item, std::string_view name) {
  const json::Value* value = item.find(name);
  return value != nullptr && value->is_string() ? value->text : std::string();
}

struct Template {
  const json::Value* item;
  UriTemplate parsed;
};

std::vector<Template> templates_of(const Lists& lists) {
  std::vector<Template> out;
  for (const json::Value& item : lists.templates.items)
    if (auto parsed = UriTemplate::parse(text_of(item, "uriTemplate")))
      out.push_back({&item, std::move(*parsed)});
  return out;
}

bool is_listed(const Lists& lists, std::string_view uri) {
  return std::any_of(lists.resources.items.begin(), lists.resources.items.end(),
                     [&](const json::Value& item) { return text_of(item, "uri") == uri; });
}

// Where the path of a URI begins; its size when there is none.
std::size_t path_of(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  if (colon == uri.npos) return uri.size();
  if (uri.substr(colon, 3) != "://") return colon + 1;
  return std::min(uri.find_first_of("/?#", colon + 3), uri.size());
}

// The URI with another last part: of its path, or where it has none, of its authority. What stands
// behind the last dot is kept, so that it looks like a file of the same kind.
std::string with_another_last_part(std::string_view uri) {
  const std::string_view whole = uri.substr(0, uri.find_first_of("?#"));
  const std::size_t slash = whole.rfind('/');
  const std::size_t colon = whole.find(':');
  const std::size_t begin = slash == whole.npos ? colon + 1 : slash + 1;
  const std::string_view last = whole.substr(begin);
  const std::size_t dot = last.rfind('.');
  std::string out(whole.substr(0, begin));
  out += kNobodys;
  if (dot != last.npos && dot > 0) out += last.substr(dot);
  return out;
}

std::vector<MadeUri> unknown(const Lists& lists) {
  std::vector<MadeUri> out;
  const std::vector<Template> templates = templates_of(lists);
  const auto add = [&](std::string uri, std::string what) {
    const bool may_be_there =
        is_listed(lists, uri) ||
        std::any_of(templates.begin(), templates.end(),
                    [&](const Template& one) { return one.parsed.may_give(uri); }) ||
        std::any_of(out.begin(), out.end(), [&](const MadeUri& one) { return one.uri == uri; });
    if (!may_be_there) out.push_back({std::move(uri), std::move(what), json::null(), "", false});
  };
  std::size_t sources = 0;
  std::vector<std::string> folders;
  for (const json::Value& item : lists.resources.items) {
    const std::string uri = text_of(item, "uri");
    if (uri.find(':') == uri.npos) continue;
    std::string other = with_another_last_part(uri);
    const std::string folder = other.substr(0, other.find(kNobodys));
    if (std::find(folders.begin(), folders.end(), folder) != folders.end()) continue;
    folders.push_back(folder);
    if (++sources > kMostSources) break;
    add(std::move(other), "beside " + uri);
  }
  sources = 0;
  for (const Template& one : templates) {
    if (one.parsed.variables().empty() || ++sources > kMostSources) continue;
    const std::string made = one.parsed.expand([](const std::string&) { return "1"; });
    // Another last part of what is fixed: behind the variables, or else in front of them.
    const bool fixed_end = one.parsed.tail().size() > 1;
    const std::string_view head = one.parsed.head();
    const std::size_t cut = head.find_last_not_of('/');
    if (!fixed_end && (cut == head.npos || head[cut] == ':')) continue;
    add(fixed_end ? made + "-" + std::string(kNobodys)
                  : std::string(head.substr(0, cut + 1)) + "-" + std::string(kNobodys) + "/1",
        "like the template " + text_of(*one.item, "uriTemplate"));
  }
  add("nobodys-scheme://" + std::string(kNobodys) + "/1", "of an unknown scheme");
  return out;
}

std::vector<MadeUri> expanded(const Lists& lists, const std::vector<std::string>& values) {
  std::vector<MadeUri> out;
  for (const Template& one : templates_of(lists)) {
    if (one.parsed.variables().empty()) continue;
    const std::string what = "of the template " + text_of(*one.item, "uriTemplate");
    if (values.empty()) {
      const auto& all = lists.resources.items;
      const auto known = std::find_if(all.begin(), all.end(), [&](const json::Value& item) {
        return one.parsed.may_give(text_of(item, "uri"));
      });
      if (known != all.end())
        out.push_back({text_of(*known, "uri"), what + ", as listed", *one.item, "", true});
    }
    for (const std::string& value : values.empty() ? std::vector<std::string>{"1"} : values) {
      std::string uri = one.parsed.expand([&](const std::string&) { return value; });
      const bool listed = is_listed(lists, uri);
      out.push_back({std::move(uri), what + " with " + value, *one.item, value, listed});
    }
  }
  return out;
}

// Ways to spell "leave this folder, to the root, and down to that file".
struct Escape {
  const char* what;
  const char* up;
  const char* file;
};
constexpr Escape kEscapes[] = {
    {"with ../", "../", "etc/passwd"},
    {"with %2e%2e/", "%2e%2e/", "etc/passwd"},
    {"with ..%2f", "..%2f", "etc%2fpasswd"},
    {"with %252e%252e%252f", "%252e%252e%252f", "etc%252fpasswd"},
    {"with ..%5c", "..%5c", "Windows%5cwin.ini"},
    {"with ....//", "....//", "etc/passwd"},
};
constexpr int kLevels = 8;

// The folder up to and with its last slash; nothing when it is the root or above.
std::optional<std::string> folder_of(std::string_view uri) {
  const std::string_view whole = uri.substr(0, uri.find_first_of("?#"));
  const std::size_t path = path_of(whole);
  const std::size_t slash = whole.rfind('/');
  if (slash == whole.npos || slash <= path) return std::nullopt;
  return std::string(whole.substr(0, slash + 1));
}

std::vector<MadeUri> escaping(const Lists& lists) {
  struct Source {
    std::string folder;
    json::Value made_of;
  };
  std::vector<Source> sources;
  const auto add = [&](std::string folder, const json::Value& made_of) {
    const bool seen = std::any_of(sources.begin(), sources.end(),
                                  [&](const Source& one) { return one.folder == folder; });
    if (!seen && sources.size() < kMostSources) sources.push_back({std::move(folder), made_of});
  };
  bool files = false;
  bool root = false;  // all files may be meant to be read
  for (const Template& one : templates_of(lists)) {
    const std::string& head = one.parsed.head();
    const bool file = head.starts_with("file:");
    files |= file;
    root |= file && !folder_of(head);
    const bool web = head.starts_with("http:") || head.starts_with("https:");
    const bool apart = file ? folder_of(head).has_value() : !web;
    if (apart && one.parsed.variables().size() == 1 && one.parsed.tail().empty())
      add(head, *one.item);
  }
  for (const json::Value& item : lists.resources.items) {
    const std::string uri = text_of(item, "uri");
    if (!uri.starts_with("file:")) continue;
    files = true;
    if (auto folder = folder_of(uri)) add(std::move(*folder), json::null());
  }
  std::vector<MadeUri> out;
  if (files && !root)
    for (const char* uri : {"file:///etc/passwd", "file:///C:/Windows/win.ini"})
      if (!is_listed(lists, uri))
        out.push_back({uri, std::string("absolute, ") + uri, json::null(), "", false});
  for (const Source& source : sources)
    for (const Escape& escape : kEscapes) {
      std::string uri = source.folder;
      for (int i = 0; i < kLevels; ++i) uri += escape.up;
      out.push_back({uri + escape.file, "out of " + source.folder + " " + escape.what,
                     source.made_of, "", false});
    }
  return out;
}

}  // namespace

const char* uris_name(Uris kind) { return kNames[static_cast<int>(kind)]; }

Uris uris_kind(std::string_view name) {
  for (const Uris kind : {Uris::kUnknown, Uris::kExpanded, Uris::kEscaping})
    if (name == uris_name(kind)) return kind;
  return Uris::kUnknown;
}

std::vector<MadeUri> made_uris(const Lists& lists, Uris kind,
                               const std::vector<std::string>& values) {
  std::vector<MadeUri> out = kind == Uris::kUnknown    ? unknown(lists)
                             : kind == Uris::kExpanded ? expanded(lists, values)
                                                       : escaping(lists);
  if (out.size() > kMostMade) out.resize(kMostMade);
  return out;
}

}  // namespace harness::target
