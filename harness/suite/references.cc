// SPDX-License-Identifier: Apache-2.0
// The scanner and the three ways of filling in. Values that come from the case file are expanded
// again, because a column may itself say `${id}`; values that come from anywhere else never are.
#include "harness/suite/references.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "harness/base/ascii.h"
#include "harness/base/base64.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/match/matcher.h"

namespace harness::suite {
namespace {

constexpr int kMaxDepth = 16;  // columns that refer to columns
constexpr std::string_view kForms[] = {"json",    "reversed", "swapcase", "base64",
                                       "altered", "mistyped", "folder",   "crlf"};

enum class Use { kValue, kPattern };

std::vector<std::string> cut_at_dots(std::string_view name) {
  std::vector<std::string> out;
  while (true) {
    const auto dot = name.find('.');
    out.emplace_back(name.substr(0, dot));
    if (dot == std::string_view::npos) return out;
    name.remove_prefix(dot + 1);
  }
}

Error unknown(const Reference& reference) {
  return {"", "${" + path_of(reference) + "} has no value here", ""};
}

Error too_deep() {
  return {"", "a column of the table refers to itself", "write $${ for a literal ${"};
}

std::string swap_case(std::string text) {
  for (char& c : text) c = ascii::swapped_case(c);
  return text;
}

// Another text that looks the same: its last letter or digit is the next one.
std::string altered(std::string text) {
  const auto last = std::find_if(text.rbegin(), text.rend(),
                                 [](unsigned char c) { return std::isalnum(c) != 0; });
  if (last == text.rend()) return text;
  *last = *last == '9'   ? '0'
          : *last == 'f' ? 'a'
          : *last == 'F' ? 'A'
          : *last == 'z' ? 'y'
          : *last == 'Z' ? 'Y'
                         : static_cast<char>(*last + 1);
  return text;
}

json::Value texts_for_numbers(json::Value value) {
  if (value.is_number()) return json::string("x" + value.text);
  for (json::Value& item : value.items) item = texts_for_numbers(std::move(item));
  for (json::Member& member : value.members)
    member.value = texts_for_numbers(std::move(member.value));
  return value;
}

// A token whose maker reads it again, and finds a text wherever it wrote a number: JSON in Base64,
// also in the alphabet of URLs and without padding. Any other text is left as it is.
std::string mistyped(const std::string& text) {
  std::string plain = text;
  std::replace(plain.begin(), plain.end(), '-', '+');
  std::replace(plain.begin(), plain.end(), '_', '/');
  const bool padded = plain.size() % 4 == 0;
  plain.resize((plain.size() + 3) / 4 * 4, '=');
  const auto inside = from_base64(plain);
  if (!inside) return text;
  const auto read = json::read(*inside);
  const auto* token = std::get_if<json::Reading>(&read);
  if (!token) return text;
  const json::Value changed = texts_for_numbers(token->value);
  if (json::equal(changed, token->value)) return text;
  std::string out = to_base64(json::write(changed));
  if (!padded) out.resize(out.find_last_not_of('=') + 1);
  if (text.find_first_of("+/") != std::string::npos) return out;
  std::replace(out.begin(), out.end(), '+', '-');
  std::replace(out.begin(), out.end(), '/', '_');
  return out;
}

// The part of a URI in front of its last slash; of a list, that of each element.
json::Value folder_of(json::Value value) {
  if (value.is_string()) value.text.resize(std::min(value.text.size(), value.text.rfind('/')));
  for (json::Value& item : value.items) item = folder_of(std::move(item));
  return value;
}

json::Value with_line_ends(const json::Value& value) {
  std::string out;
  for (const char c : value.text) out += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return json::string(out);
}

json::Value in_form(json::Value value, std::string_view form) {
  if (form == "folder") return folder_of(std::move(value));
  if (form == "crlf") return with_line_ends(value);
  if (form == "reversed") {
    std::reverse(value.items.begin(), value.items.end());
    std::reverse(value.members.begin(), value.members.end());
  } else if (form == "base64") {
    return json::string(to_base64(value.is_string() ? value.text : json::write(value)));
  } else if (form == "altered") {
    if (value.is_string()) value.text = altered(std::move(value.text));
  } else if (form == "mistyped") {
    if (value.is_string()) value.text = mistyped(value.text);
  } else if (form == "swapcase") {
    if (value.is_string()) value.text = swap_case(std::move(value.text));
    for (auto& member : value.members) member.name = swap_case(std::move(member.name));
  }
  return value;
}

Result<json::Value> expand_value(const json::Value& value, const Scope& scope, Use use, int depth);
Result<std::string> fill_in(std::string_view text, const std::vector<Reference>& references,
                            const Scope& scope, int depth);

// The value a reference stands for, with the case's own references filled in.
Result<json::Value> resolve(const Reference& reference, const Scope& scope, Use use, int depth) {
  if (depth > kMaxDepth) return too_deep();
  auto found = scope.find(reference.path);
  if (!found) return unknown(reference);
  if (scope.written_in_case(reference.path.front())) {
    auto expanded = expand_value(*found, scope, use, depth + 1);
    if (!expanded) return expanded.error();
    found = std::move(*expanded);
  }
  return in_form(std::move(*found), reference.form);
}

std::string as_text(const json::Value& value, bool as_json) {
  return value.is_string() && !as_json ? value.text : json::write(value);
}

Result<std::string> fill_in(std::string_view text, const std::vector<Reference>& references,
                            const Scope& scope, int depth) {
  std::string out;
  std::size_t from = 0;
  const auto copy_plain = [&](std::size_t to) {
    for (; from < to; ++from) {
      if (text.substr(from, 3) == "$${") ++from;  // the first $ only protects the second
      out += text[from];
    }
  };
  for (const auto& reference : references) {
    copy_plain(reference.begin);
    auto value = resolve(reference, scope, Use::kValue, depth);
    if (!value) return value.error();
    out += as_text(*value, reference.form == "json");
    from = reference.end;
  }
  copy_plain(text.size());
  return out;
}

Result<json::Value> expand_string(const json::Value& value, const Scope& scope, Use use,
                                  int depth) {
  if (value.text.find("${") == std::string::npos) return value;
  auto references = references_in(value.text);
  if (!references) return references.error();
  const bool whole = references->size() == 1 && references->front().begin == 0 &&
                     references->front().end == value.text.size();
  if (whole && references->front().form != "json") {
    const auto& reference = references->front();
    auto found = resolve(reference, scope, use, depth);
    if (!found) return found.error();
    if (use == Use::kPattern && !scope.written_in_case(reference.path.front()))
      return match::literal(*found);
    return found;
  }
  auto text = fill_in(value.text, *references, scope, depth);
  if (!text) return text.error();
  json::Value out = value;
  // What was no matcher as written must not become one by what was filled in.
  const bool written_matcher =
      value.text[0] == '$' && value.text.substr(0, 2) != "${" && value.text.substr(0, 3) != "$${";
  const bool protect = use == Use::kPattern && !written_matcher && text->substr(0, 1) == "$";
  out.text = (protect ? "$" : "") + *text;
  return out;
}

// The argument of a matcher: patterns stay patterns, data stays data.
Result<json::Value> expand_argument(const json::Value& value, match::Argument argument,
                                    const Scope& scope, int depth) {
  if (argument == match::Argument::kData) return expand_value(value, scope, Use::kValue, depth);
  auto out = expand_value(value, scope, Use::kPattern, depth);
  if (!out || argument != match::Argument::kPatterns || out->is_array()) return out;
  // A list that came from elsewhere: literal() wrapped the whole, its elements are wanted.
  const auto* data = out->find("$exact");
  if (data == nullptr || !data->is_array())
    return Error{"", "a matcher that takes a list of patterns was given no list", ""};
  json::Value list = json::array();
  for (const auto& item : data->items) list.items.push_back(match::literal(item));
  return list;
}

Result<json::Value> expand_object(const json::Value& value, const Scope& scope, Use use,
                                  int depth) {
  json::Value out = value;
  for (auto& member : out.members) {
    if (member.name.find("${") != std::string::npos) {
      auto name = expand_string(json::string(member.name), scope, use, depth);
      if (!name) return name.error();
      member.name = as_text(*name, false);
    }
    std::optional<match::Argument> argument;
    if (use == Use::kPattern && value.members.size() == 1)
      argument = match::argument_of(member.name);
    auto inner = argument ? expand_argument(member.value, *argument, scope, depth)
                          : expand_value(member.value, scope, use, depth);
    if (!inner) return inner.error();
    member.value = std::move(*inner);
  }
  return out;
}

Result<json::Value> expand_value(const json::Value& value, const Scope& scope, Use use, int depth) {
  if (depth > kMaxDepth) return too_deep();
  if (value.is_string()) return expand_string(value, scope, use, depth);
  if (value.is_object()) return expand_object(value, scope, use, depth);
  if (!value.is_array()) return value;
  json::Value out = value;
  for (auto& item : out.items) {
    auto inner = expand_value(item, scope, use, depth);
    if (!inner) return inner.error();
    item = std::move(*inner);
  }
  return out;
}

void add_roots(std::string_view text, std::set<std::string>& roots) {
  const auto found = references_in(text);
  if (!found) return;
  for (const Reference& reference : *found) roots.insert(reference.path.front());
}

void add_roots(const json::Value& value, std::set<std::string>& roots) {
  if (value.is_string()) add_roots(std::string_view(value.text), roots);
  for (const auto& item : value.items) add_roots(item, roots);
  for (const auto& member : value.members) {
    add_roots(std::string_view(member.name), roots);
    add_roots(member.value, roots);
  }
}

}  // namespace

std::string path_of(const Reference& reference) {
  std::string path;
  for (const auto& part : reference.path) path += (path.empty() ? "" : ".") + part;
  return path;
}

std::set<std::string> roots_in(const json::Value& value) {
  std::set<std::string> roots;
  add_roots(value, roots);
  return roots;
}

Result<std::vector<Reference>> references_in(std::string_view text) {
  std::vector<Reference> out;
  for (std::size_t i = text.find("${"); i != std::string_view::npos; i = text.find("${", i)) {
    if (i > 0 && text[i - 1] == '$') {  // $${
      i += 2;
      continue;
    }
    const auto close = text.find('}', i);
    if (close == std::string_view::npos) {
      return Error{"", "a reference is not closed: " + std::string(text.substr(i, 40)),
                   "write ${name}, or $${ for a literal ${"};
    }
    Reference reference;
    reference.begin = i;
    reference.end = close + 1;
    auto name = text.substr(i + 2, close - i - 2);
    for (const auto form : kForms) {
      if (name.substr(0, form.size()) != form || name.substr(form.size(), 1) != ":") continue;
      reference.form = form;
      name.remove_prefix(form.size() + 1);
      break;
    }
    reference.path = cut_at_dots(name);
    for (const auto& part : reference.path) {
      if (part.empty() || part.find_first_of(" \t\"{") != std::string::npos) {
        return Error{"", "'${" + std::string(name) + "}' is not a reference",
                     "write ${name}, or $${ for a literal ${"};
      }
    }
    out.push_back(std::move(reference));
    i = close + 1;
  }
  return out;
}

Result<json::Value> expand(const json::Value& value, const Scope& scope) {
  return expand_value(value, scope, Use::kValue, 0);
}

Result<json::Value> expand_pattern(const json::Value& pattern, const Scope& scope) {
  return expand_value(pattern, scope, Use::kPattern, 0);
}

Result<std::string> expand_text(std::string_view text, const Scope& scope) {
  auto references = references_in(text);
  if (!references) return references.error();
  return fill_in(text, *references, scope, 0);
}

std::optional<json::Value> walk(const json::Value& value, const std::vector<std::string>& path,
                                std::size_t from) {
  const json::Value* here = &value;
  for (std::size_t i = from; i < path.size(); ++i) {
    if (here->is_array() && path[i] == "*") {
      json::Value all = json::array();
      for (const json::Value& item : here->items)
        if (auto inner = walk(item, path, i + 1)) all.items.push_back(std::move(*inner));
      return all;
    }
    if (here->is_array()) {
      std::size_t index = 0;
      const auto* end = path[i].data() + path[i].size();
      const auto [stop, error] = std::from_chars(path[i].data(), end, index);
      if (error != std::errc() || stop != end || index >= here->items.size()) return std::nullopt;
      here = &here->items[index];
    } else {
      here = here->is_object() ? here->find(path[i]) : nullptr;
      if (here == nullptr) return std::nullopt;
    }
  }
  return *here;
}

}  // namespace harness::suite
