// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/relations.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "harness/base/text.h"
#include "harness/json/yaml.h"

namespace harness::spec {
namespace {

constexpr const char* kFollows = "follows";
constexpr const char* kOneWith = "one_with";

// The value stands alone, so all of it is in the first line.
json::Mark mark_of(const json::Value& value, const Origin& origin) {
  return {origin.line, origin.column + std::max(value.mark.column, 1) - 1};
}

Error wrong(const json::Value& value, const Origin& origin, std::string what,
            std::string remedy = {}) {
  return {json::place(origin.file, mark_of(value, origin)), std::move(what), std::move(remedy)};
}

// There are many of these, and the YAML reader takes a tenth of a millisecond for each.
Result<std::vector<Mention>> read_follows(std::string_view text, const Origin& origin) {
  std::vector<Mention> out;
  std::size_t place = 0;
  for (const std::string& id : flow_list(text).value_or(std::vector<std::string>{})) {
    place = id.empty() ? std::string_view::npos : text.find(id, place);
    if (place == std::string_view::npos) {  // it is no id, or has escapes
      out.clear();
      break;
    }
    out.push_back({id, origin.line, origin.column + static_cast<int>(place)});
    place += id.size();
  }
  if (!out.empty()) return out;
  return Error{json::place(origin.file, {origin.line, origin.column}), "'follows' names no clauses",
               "write a list like [mcp.ping.result]"};
}

Result<std::vector<Mention>> read_mentions(const json::Value& list, const char* key,
                                           const Origin& origin) {
  const auto is_id = [](const json::Value& item) { return item.is_string() && !item.text.empty(); };
  const bool sound = list.is_array() && !list.items.empty() &&
                     std::all_of(list.items.begin(), list.items.end(), is_id);
  if (!sound)
    return wrong(list, origin, std::string("'") + key + "' names no clauses",
                 "write a list like [mcp.ping.result]");
  std::vector<Mention> out;
  for (const json::Value& item : list.items)
    out.push_back({item.text, origin.line, mark_of(item, origin).column});
  return out;
}

// A whole number from two to what the family has.
bool set_least(Family& family, const std::string& text) {
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, family.least);
  return error == std::errc() && last == end && family.least > 1 &&
         family.least <= family.others.size() + 1;
}

Result<Family> read_family(const json::Value& value, const Origin& origin) {
  static const std::vector<std::string> kKeys = {"clauses", "least", "itself", "title", "sentence"};
  if (!value.is_object())
    return wrong(value, origin, "'one_with' is not a mapping",
                 "write {clauses: [ID], least: 2, title: \"…\", sentence: \"…\"} on one line");
  for (const json::Member& member : value.members) {
    if (std::count(kKeys.begin(), kKeys.end(), member.name) != 0) continue;
    json::Value key;
    key.mark = member.mark;
    const std::string near = nearest(member.name, kKeys);
    return wrong(key, origin, "unknown key '" + printable(member.name) + "'",
                 near.empty() ? "" : "did you mean '" + near + "'?");
  }
  for (const char* key : {"clauses", "least", "title", "sentence"})
    if (value.find(key) == nullptr)
      return wrong(value, origin, std::string("'one_with' has no ") + key);
  Family family;
  Result<std::vector<Mention>> others = read_mentions(*value.find("clauses"), "clauses", origin);
  if (!others) return others.error();
  family.others = std::move(*others);
  const json::Value& least = *value.find("least");
  if (!least.is_number() || !set_least(family, least.text))
    return wrong(least, origin, "'least' is how many of the clauses have to be broken",
                 "write a number from 2 to " + std::to_string(family.others.size() + 1));
  if (const json::Value* itself = value.find("itself")) {
    if (!itself->is_boolean()) return wrong(*itself, origin, "'itself' is true or false");
    family.itself = itself->boolean;
  }
  for (const auto& [key, field] :
       {std::pair{"title", &family.title}, std::pair{"sentence", &family.sentence}}) {
    const json::Value& text = *value.find(key);
    if (!text.is_string() || text.text.empty())
      return wrong(text, origin, std::string("'") + key + "' is a text in double quotes");
    *field = text.text;
  }
  return family;
}

// --- once all clauses are there

Error at(const Requirement& entry, const Mention& mention, std::string what, std::string remedy) {
  return {json::place(entry.file, {mention.line, mention.column}), std::move(what),
          std::move(remedy)};
}

std::optional<Error> mistake_in(const Registry& registry, const Requirement& entry,
                                const std::vector<Mention>& mentions, const char* key) {
  std::set<std::string> named;
  for (const Mention& one : mentions) {
    if (registry.find(one.id) == nullptr) {
      std::vector<std::string> known;
      for (const Requirement& other : registry.all()) known.push_back(other.id);
      const std::string near = nearest(one.id, known);
      return at(entry, one, "there is no requirement '" + printable(one.id) + "'",
                near.empty() ? "" : "did you mean '" + near + "'?");
    }
    if (one.id == entry.id)
      return at(entry, one, "'" + one.id + "' names itself in '" + key + "'", "leave it out");
    if (!named.insert(one.id).second)
      return at(entry, one, "'" + one.id + "' is named twice", "leave one of them out");
  }
  return std::nullopt;
}

std::optional<Error> circle_in(const Registry& registry) {
  // What follows from nothing that is left goes, again and again; circles stay.
  std::map<std::string, const Requirement*> left;
  for (const Requirement& entry : registry.all())
    if (!entry.follows.empty()) left.emplace(entry.id, &entry);
  const auto before = [&](const Requirement& entry) -> const Mention* {
    for (const Mention& one : entry.follows)
      if (left.count(one.id) != 0) return &one;
    return nullptr;
  };
  for (bool goes = true; goes;) {
    goes = false;
    for (auto row = left.begin(); row != left.end();) {
      const bool free = before(*row->second) == nullptr;
      row = free ? left.erase(row) : std::next(row);
      goes |= free;
    }
  }
  if (left.empty()) return std::nullopt;
  std::vector<std::string> path;
  std::string id = left.begin()->first;
  while (std::count(path.begin(), path.end(), id) == 0) {
    path.push_back(id);
    id = before(*left.at(id))->id;
  }
  path.erase(path.begin(), std::find(path.begin(), path.end(), id));
  std::string circle;
  for (const std::string& one : path) circle += one + ", ";
  const Requirement& entry = *left.at(id);
  return at(entry, *before(entry), "'" + id + "' follows from itself: " + circle + id,
            "leave one of them out");
}

}  // namespace

bool is_relation(std::string_view key) { return key == kFollows || key == kOneWith; }

Status read_relation(Requirement& entry, std::string_view key, std::string_view text,
                     const Origin& origin) {
  if (key == kFollows) {
    Result<std::vector<Mention>> follows = read_follows(text, origin);
    if (!follows) return follows.error();
    entry.follows = std::move(*follows);
    return Nothing{};
  }
  const Result<json::Value> value = json::read_yaml(text, origin.file);
  if (!value) {
    // Read again where it stands in the file, for the place of the mistake.
    const std::string placed = std::string(static_cast<std::size_t>(origin.line - 1), '\n') +
                               std::string(static_cast<std::size_t>(origin.column - 1), ' ') +
                               std::string(text);
    const Result<json::Value> again = json::read_yaml(placed, origin.file);
    return again ? value.error() : again.error();
  }
  Result<Family> family = read_family(*value, origin);
  if (!family) return family.error();
  entry.one_with = std::move(*family);
  return Nothing{};
}

Status Registry::check_relations() const {
  std::map<std::string, std::string> told;  // by member: under which clause
  for (const Requirement& entry : entries_) {
    if (auto mistake = mistake_in(*this, entry, entry.follows, kFollows)) return *mistake;
    if (!entry.one_with) continue;
    if (auto mistake = mistake_in(*this, entry, entry.one_with->others, kOneWith)) return *mistake;
    for (const Mention& one : entry.one_with->others) {
      const auto [known, fresh] = told.emplace(one.id, entry.id);
      if (!fresh)
        return at(entry, one, "'" + one.id + "' is one with '" + known->second + "' already",
                  "name it in one of them");
    }
  }
  if (auto circle = circle_in(*this)) return *circle;
  return Nothing{};
}

}  // namespace harness::spec
