// SPDX-License-Identifier: Apache-2.0
// The line reader behind Registry. The catalogues keep one field a line, so no YAML library is
// needed and 1,500 entries load in a few milliseconds:
//
//   - id: jsonrpc.id.zero-echo
//     level: MUST
//     revisions: ["jsonrpc-2.0"]     a flow list of JSON strings or bare words
//     statement: "…"                 a JSON string
//
// What does not look like this is refused with file:line rather than guessed at. Relations between
// clauses, of which there are few, are read by relations.cc.
#include "harness/spec/requirement.h"

#include <algorithm>
#include <cctype>

#include "harness/base/text.h"
#include "harness/base/words.h"
#include "harness/json/read.h"
#include "harness/spec/relations.h"

namespace harness::spec {
namespace {

constexpr struct {
  Level level;
  const char* name;
} kLevels[] = {{Level::kMust, "MUST"},
               {Level::kMustNot, "MUST NOT"},
               {Level::kShould, "SHOULD"},
               {Level::kShouldNot, "SHOULD NOT"},
               {Level::kMay, "MAY"}};

bool is_bare(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_' || c == '+' || c == ' ';
  });
}

// A JSON string that says what stands between its quotes: no escape, and ASCII only.
bool is_plain_string(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' && text.back() == '"' &&
         std::all_of(text.begin() + 1, text.end() - 1,
                     [](char c) { return c >= ' ' && c != '"' && c != '\\' && c != '\x7f'; });
}

// A JSON string or a bare word.
std::optional<std::string> scalar(std::string_view text) {
  text = trimmed(text);
  if (is_plain_string(text)) return std::string(text.substr(1, text.size() - 2));
  if (!text.empty() && text.front() == '"') {
    auto reading = json::read(text);
    if (!std::holds_alternative<json::Reading>(reading)) return std::nullopt;
    const auto& value = std::get<json::Reading>(reading).value;
    if (!value.is_string()) return std::nullopt;
    return value.text;
  }
  if (!is_bare(text)) return std::nullopt;
  return std::string(text);
}

// End of the first element of a flow list's inside: the comma that is not within a string.
std::size_t element_end(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (quoted && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      quoted = !quoted;
    else if (text[i] == ',' && !quoted)
      return i;
  return text.size();
}

const std::vector<std::string>& field_names() {
  static const std::vector<std::string> kNames = {
      "id",     "level",      "revisions", "transports", "requires", "statement",
      "source", "observable", "probe",     "follows",    "one_with"};
  return kNames;
}

Error at_line(const std::string& name, int line, std::string what, std::string remedy = {}) {
  return {name + ":" + std::to_string(line), std::move(what), std::move(remedy)};
}

// Sets one field; the text says what was expected when it could not be read.
std::optional<std::string> set_field(Requirement& entry, std::string_view key,
                                     std::string_view text) {
  const auto set_text = [&](std::string& field) -> std::optional<std::string> {
    auto value = scalar(text);
    if (!value) return "a string in double quotes";
    field = std::move(*value);
    return std::nullopt;
  };
  const auto set_list = [&](std::vector<std::string>& field) -> std::optional<std::string> {
    auto value = flow_list(text);
    if (!value) return "a list like [\"a\", \"b\"] on one line";
    field = std::move(*value);
    return std::nullopt;
  };
  if (key == "id") return set_text(entry.id);
  if (key == "revisions") return set_list(entry.revisions);
  if (key == "transports") {
    const auto words = flow_list(text);
    for (const std::string& word : words.value_or(std::vector<std::string>{})) {
      const auto selected = wire::transports_selected(word);
      if (!selected) return "[all], or a list like [stdio, http] on one line";
      entry.transports.add(*selected);
    }
    if (!words) return "[all], or a list like [stdio, http] on one line";
    return std::nullopt;
  }
  if (key == "requires") return set_list(entry.needs);
  if (key == "statement") return set_text(entry.statement);
  if (key == "source") return set_text(entry.source);
  if (key == "observable") return set_text(entry.observable);
  if (key == "probe") return set_text(entry.probe);
  const auto name = trimmed(text);
  for (const auto& row : kLevels) {
    if (name == row.name) {
      entry.level = row.level;
      return std::nullopt;
    }
  }
  return "MUST, MUST NOT, SHOULD, SHOULD NOT or MAY";
}

std::optional<std::string> missing_field(const Requirement& entry) {
  if (entry.id.empty()) return "id";
  if (entry.revisions.empty()) return "revisions";
  if (entry.transports.empty()) return "transports";
  if (entry.statement.empty()) return "statement";
  if (entry.source.empty()) return "source";
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::string>> flow_list(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  text = trimmed(text.substr(1, text.size() - 2));
  std::vector<std::string> out;
  while (!text.empty()) {
    const auto end = element_end(text);
    auto element = scalar(text.substr(0, end));
    if (!element) return std::nullopt;
    out.push_back(std::move(*element));
    if (end == text.size()) break;
    text = trimmed(text.substr(end + 1));
    if (text.empty()) return std::nullopt;  // a comma with nothing behind it
  }
  return out;
}

const char* level_name(Level level) {
  for (const auto& row : kLevels)
    if (row.level == level) return row.name;
  return "MUST";
}

bool is_catalogue(std::string_view name) {
  constexpr std::string_view kFolder = "requirements/";
  return name.starts_with(kFolder) && name.ends_with(".yaml") &&
         !name.substr(kFolder.size()).starts_with("not_covered");
}

Status Registry::add(std::string_view text, const std::string& name) {
  constexpr std::size_t kEntryBytes = 400;  // about; there are 1,500 of them
  std::vector<Requirement> added;
  added.reserve(text.size() / kEntryBytes);
  bool has_level = false;
  const auto complete = [&]() -> std::optional<Error> {
    if (added.empty()) return std::nullopt;
    auto missing = missing_field(added.back());
    if (!missing && !has_level) missing = "level";
    if (!missing) return std::nullopt;
    return at_line(name, added.back().line, "the requirement has no " + *missing,
                   "add a line \"" + *missing + ": …\"");
  };

  int line = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view row = text.substr(0, end);
    const char* const begin = row.data();
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line;
    if (trimmed(row).empty() || trimmed(row).front() == '#') continue;

    if (row.substr(0, 2) == "- ") {
      if (auto error = complete()) return *error;
      added.emplace_back();
      added.back().file = name;
      added.back().line = line;
      has_level = false;
    } else if (row.substr(0, 2) != "  " || added.empty()) {
      return at_line(name, line,
                     "a requirement begins with \"- id: …\", its fields with two blanks");
    }
    row = trimmed(row.substr(2));
    const auto colon = row.find(':');
    const std::string key(trimmed(row.substr(0, colon)));
    const auto& known = field_names();
    if (colon == std::string_view::npos ||
        std::find(known.begin(), known.end(), key) == known.end()) {
      const std::string near = nearest(key, known);
      return at_line(name, line, "unknown field '" + key + "'",
                     near.empty() ? "" : "did you mean '" + near + "'?");
    }
    if (is_relation(key)) {
      const std::string_view value = trimmed(row.substr(colon + 1));
      const Origin origin{name, line, static_cast<int>(value.data() - begin) + 1};
      const Status read = read_relation(added.back(), key, value, origin);
      if (!read) return read.error();
    } else if (auto wanted = set_field(added.back(), key, row.substr(colon + 1))) {
      return at_line(name, line, "'" + key + "' cannot be read", "write " + *wanted);
    }
    if (key == "level") has_level = true;
  }
  if (auto error = complete()) return *error;

  for (auto& entry : added) {
    const auto [found, fresh] = index_.emplace(entry.id, entries_.size());
    if (!fresh) {
      const auto& first = entries_[found->second];
      return at_line(name, entry.line,
                     "requirement '" + entry.id + "' is already defined at " + first.file + ":" +
                         std::to_string(first.line),
                     "give one of them another id");
    }
    entries_.push_back(std::move(entry));
  }
  return Nothing{};
}

const Requirement* Registry::find(std::string_view id) const {
  const auto found = index_.find(std::string(id));
  return found == index_.end() ? nullptr : &entries_[found->second];
}

}  // namespace harness::spec
