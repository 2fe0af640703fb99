// SPDX-License-Identifier: Apache-2.0
// Comparison by the kind of pattern; what begins with `$` goes to the table. The walk carries the
// path, so the deepest departure is the one that is told.
#include "harness/match/matcher.h"

#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"
#include "harness/match/table.h"

namespace harness::match {
namespace {

constexpr std::size_t kShown = 200;  // bytes of JSON quoted in a Mismatch
constexpr int kMaxDepth = 2000;      // a shape that only names itself ends here

std::string short_json(const json::Value& value) { return printable(json::write(value), kShown); }

// A key as the pattern means it: `name?` is optional, `$$name` is a literal `$name`.
struct Key {
  std::string name;
  bool optional = false;
};
Key read_key(std::string_view key) {
  Key out;
  if (key.size() > 1 && key.back() == '?') {
    out.optional = true;
    key.remove_suffix(1);
  }
  if (key.substr(0, 2) == "$$") key.remove_prefix(1);
  out.name = key;
  return out;
}

bool is_matcher_key(std::string_view key) {
  return !key.empty() && key.front() == '$' && key.substr(0, 2) != "$$" && key.substr(0, 2) != "${";
}

// The one member of a mapping that is a matcher with an argument, or null.
const json::Member* matcher_member(const json::Value& pattern) {
  if (!pattern.is_object() || pattern.members.size() != 1) return nullptr;
  const auto& member = pattern.members.front();
  return is_matcher_key(member.name) ? &member : nullptr;
}

const Matcher& known_matcher(std::string_view name) {
  const auto* matcher = find_matcher(name);
  check(matcher != nullptr, "a pattern was played that check_pattern() would have rejected");
  return *matcher;
}

std::optional<Mismatch> compare_object(const json::Value& pattern, const json::Value* seen,
                                       const Walk& walk) {
  if (seen == nullptr || !seen->is_object()) return departure(walk, describe(pattern), seen);
  for (const auto& member : pattern.members) {
    const Key key = read_key(member.name);
    const auto* found = seen->find(key.name);
    if (found == nullptr && key.optional) continue;
    if (auto off = compare(member.value, found, walk.into(key.name))) return off;
  }
  return std::nullopt;
}

std::optional<Mismatch> compare_array(const json::Value& pattern, const json::Value* seen,
                                      const Walk& walk) {
  if (seen == nullptr || !seen->is_array()) return departure(walk, describe(pattern), seen);
  if (seen->items.size() != pattern.items.size()) {
    return departure(walk, "an array of " + std::to_string(pattern.items.size()) + " elements",
                     seen);
  }
  for (std::size_t i = 0; i < pattern.items.size(); ++i)
    if (auto off = compare(pattern.items[i], &seen->items[i], walk.into(i))) return off;
  return std::nullopt;
}

Error unknown_matcher(const std::string& name, const std::string& file, const json::Mark& mark) {
  std::vector<std::string> known;
  for (const auto& row : matcher_table()) known.emplace_back(row.name);
  const std::string near = nearest(name, known);
  return {json::place(file, mark), "unknown matcher '" + name + "'",
          near.empty() ? "`rpcspec list matchers` names them; write $$ for a literal $"
                       : "did you mean '" + near + "'? ($$ is a literal $)"};
}

Status check_argument(const Matcher& matcher, const json::Value& argument, const std::string& file,
                      const Shapes* shapes) {
  if (matcher.argument == Argument::kPattern) return check_pattern(argument, file, shapes);
  if (is_reference(argument)) return Nothing{};
  if (matcher.argument == Argument::kPatterns) {
    if (!argument.is_array() || argument.items.empty()) {
      return Error{json::place(file, argument.mark),
                   std::string(matcher.name) + " takes a list of patterns",
                   std::string("write ") + matcher.form};
    }
    for (const auto& item : argument.items)
      if (auto status = check_pattern(item, file, shapes); !status) return status;
  }
  return matcher.check == nullptr ? Status(Nothing{}) : matcher.check(argument, file, shapes);
}

Status check_mapping(const json::Value& pattern, const std::string& file, const Shapes* shapes) {
  if (const auto* member = matcher_member(pattern)) {
    const auto* matcher = find_matcher(member->name);
    if (matcher == nullptr) return unknown_matcher(member->name, file, member->mark);
    if (matcher->argument == Argument::kNone) {
      return Error{json::place(file, member->mark), member->name + " takes no argument",
                   "write it as a plain string: " + member->name};
    }
    return check_argument(*matcher, member->value, file, shapes);
  }
  for (const auto& [name, value, mark] : pattern.members) {
    if (is_matcher_key(name)) {
      if (find_matcher(name) == nullptr) return unknown_matcher(name, file, mark);
      return Error{json::place(file, mark), name + " must be the only key of its mapping",
                   "join patterns with {$all: [M, …]}"};
    }
    if (auto status = check_pattern(value, file, shapes); !status) return status;
  }
  return Nothing{};
}

bool is_mapping(const json::Value& pattern) {
  return pattern.is_object() && !pattern.members.empty() && matcher_member(pattern) == nullptr;
}

// "error.code -32600, id null": a member of a member by its path.
void describe_members(const json::Value& pattern, const std::string& above, std::string& out) {
  for (const auto& member : pattern.members) {
    const Key key = read_key(member.name);
    const std::string name = above + key.name;
    if (!key.optional && is_mapping(member.value)) {
      describe_members(member.value, name + ".", out);
      continue;
    }
    if (!out.empty()) out += ", ";
    out += member.value.is_string() && member.value.text == "$absent"
               ? "no " + name
               : (key.optional ? "optional " : "") + name + " " + describe(member.value);
  }
}

std::string describe_elements(const json::Value& pattern) {
  const json::Value& first = pattern.items.front();
  const bool alike = pattern.items.size() > 1 &&
                     std::all_of(pattern.items.begin(), pattern.items.end(),
                                 [&](const json::Value& one) { return json::equal(one, first); });
  if (alike)
    return "an array of " + std::to_string(pattern.items.size()) + ", each " + describe(first);
  std::string out = "an array of ";
  for (std::size_t i = 0; i < pattern.items.size(); ++i)
    out += (i == 0                          ? ""
            : i + 1 == pattern.items.size() ? " and "
                                            : ", ") +
           describe(pattern.items[i]);
  return out;
}

std::string describe_whole(const json::Value& pattern) {
  switch (pattern.kind) {
    case json::Kind::kString:
      if (pattern.text.substr(0, 1) != "$" || is_reference(pattern)) return short_json(pattern);
      if (pattern.text.substr(0, 2) == "$$")
        return short_json(json::string(pattern.text.substr(1)));
      if (const auto* matcher = find_matcher(pattern.text)) return matcher->describe(json::null());
      return pattern.text;
    case json::Kind::kArray:
      return pattern.items.empty() ? "an empty array" : describe_elements(pattern);
    case json::Kind::kObject:
      if (const auto* member = matcher_member(pattern)) {
        const auto* matcher = find_matcher(member->name);
        return matcher == nullptr ? member->name : matcher->describe(member->value);
      }
      return pattern.members.empty() ? "an object" : "an object with " + members_of(pattern);
    default: return short_json(pattern);
  }
}

}  // namespace

Walk Walk::into(std::string_view member) const {
  std::string token;
  for (const char c : member)
    if (c == '~')
      token += "~0";
    else if (c == '/')
      token += "~1";
    else
      token += c;
  return {context, path + "/" + token, depth + 1};
}

Walk Walk::into(std::size_t element) const {
  return {context, path + "/" + std::to_string(element), depth + 1};
}

Walk Walk::same() const { return {context, path, depth + 1}; }

bool is_reference(const json::Value& value) {
  return value.is_string() && (value.text.substr(0, 2) == "${" || value.text.substr(0, 3) == "$${");
}

Mismatch departure(const Walk& walk, std::string expected, const json::Value* seen) {
  return {walk.path, std::move(expected), seen == nullptr ? "nothing" : short_json(*seen)};
}

std::optional<Mismatch> compare(const json::Value& pattern, const json::Value* seen,
                                const Walk& walk) {
  check(walk.depth < kMaxDepth, "a shape refers to itself without descending into the value");
  switch (pattern.kind) {
    case json::Kind::kObject:
      if (const auto* member = matcher_member(pattern))
        return known_matcher(member->name).compare(member->value, seen, walk);
      return compare_object(pattern, seen, walk);
    case json::Kind::kArray: return compare_array(pattern, seen, walk);
    case json::Kind::kString:
      if (pattern.text.substr(0, 2) == "$$") {
        const auto text = json::string(pattern.text.substr(1));
        if (seen != nullptr && json::equal(text, *seen)) return std::nullopt;
        return departure(walk, short_json(text), seen);
      }
      if (pattern.text.substr(0, 1) == "$")
        return known_matcher(pattern.text).compare(json::null(), seen, walk);
      break;
    default: break;
  }
  if (seen != nullptr && json::equal(pattern, *seen)) return std::nullopt;
  return departure(walk, short_json(pattern), seen);
}

std::optional<Mismatch> mismatch(const json::Value& pattern, const json::Value* seen,
                                 const MatchContext& context) {
  return compare(pattern, seen, Walk{context, "", 0});
}

Status check_pattern(const json::Value& pattern, const std::string& file, const Shapes* shapes) {
  if (pattern.is_object()) return check_mapping(pattern, file, shapes);
  if (pattern.is_array()) {
    for (const auto& item : pattern.items)
      if (auto status = check_pattern(item, file, shapes); !status) return status;
    return Nothing{};
  }
  if (!pattern.is_string() || pattern.text.substr(0, 1) != "$" || is_reference(pattern) ||
      pattern.text.substr(0, 2) == "$$")
    return Nothing{};
  const auto* matcher = find_matcher(pattern.text);
  if (matcher == nullptr) return unknown_matcher(pattern.text, file, pattern.mark);
  if (matcher->argument != Argument::kNone) {
    return Error{json::place(file, pattern.mark), pattern.text + " needs an argument",
                 std::string("write ") + matcher->form};
  }
  return Nothing{};
}

std::string members_of(const json::Value& pattern) {
  std::string out;
  if (is_mapping(pattern)) describe_members(pattern, "", out);
  return out;
}

std::string describe(const json::Value& pattern) {
  constexpr std::size_t kLongest = 240;
  std::string out = describe_whole(pattern);
  if (out.size() <= kLongest) return out;
  std::size_t cut = kLongest;
  while (cut > 0 && (static_cast<unsigned char>(out[cut]) & 0xC0) == 0x80) --cut;
  return out.substr(0, cut) + " …";
}

json::Value literal(const json::Value& value) {
  if (value.is_array() || value.is_object()) return json::object({{"$exact", value}});
  if (value.is_string() && value.text.substr(0, 1) == "$") return json::string("$" + value.text);
  return value;
}

std::optional<Argument> argument_of(std::string_view name) {
  const auto* matcher = find_matcher(name);
  if (matcher == nullptr) return std::nullopt;
  return matcher->argument;
}

std::vector<MatcherHelp> matchers() {
  std::vector<MatcherHelp> out;
  for (const auto& row : matcher_table()) out.push_back({row.name, row.form, row.help});
  return out;
}

}  // namespace harness::match
