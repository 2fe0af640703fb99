// SPDX-License-Identifier: Apache-2.0
// The shared half of the loader: complaints, tables of fields, names.
#include "harness/suite/checker.h"

#include <algorithm>
#include <cctype>

#include "harness/base/text.h"
#include "harness/json/yaml.h"
#include "harness/match/matcher.h"
#include "harness/spec/profile.h"
#include "harness/suite/references.h"

namespace harness::suite {
namespace {

constexpr std::size_t kFew = 8;  // this many valid words are listed when none is near

struct Root {
  const char* name;
  std::vector<std::string> members;  // what may stand behind it; empty: anything
  bool alone;                        // may stand without a member
};
const std::vector<Root>& roots() {
  static const std::vector<Root> kRoots = {
      {"id", {}, true},       {"canary", {"method", "params", "request"}, false},
      {"meta", {}, true},     {"profile", {"name", "revision"}, false},
      {"session", {}, false}, {"target", {}, false},
      {"random", {}, true},   {"auth", {}, false},
  };
  return kRoots;
}

const Root* find_root(std::string_view name) {
  for (const auto& root : roots())
    if (name == root.name) return &root;
  return nullptr;
}

bool is_name(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) != 0) return false;
  return std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
}

bool holds_reference(const json::Value& value) {
  return value.is_string() && value.text.find("${") != std::string::npos;
}

const char* type_words(Type type) {
  switch (type) {
    case Type::kText: return "a string";
    case Type::kScalar: return "text";
    case Type::kFlag: return "true or false";
    case Type::kInteger: return "a whole number";
    case Type::kNumber: return "a number";
    case Type::kList: return "a list";
    case Type::kMapping: return "a mapping";
    case Type::kTexts: return "a list of strings";
    case Type::kAny:
    case Type::kPattern: return "a value";
  }
  return "a value";
}

bool has_type(const json::Value& value, Type type) {
  switch (type) {
    case Type::kText: return value.is_string();
    case Type::kScalar: return value.is_string() || value.is_number() || value.is_boolean();
    case Type::kFlag: return value.is_boolean() || holds_reference(value);
    case Type::kInteger: return json::is_integer(value) || holds_reference(value);
    case Type::kNumber: return value.is_number() || holds_reference(value);
    case Type::kList: return value.is_array();
    case Type::kMapping: return value.is_object();
    case Type::kTexts:
      return value.is_array() && std::all_of(value.items.begin(), value.items.end(),
                                             [](const json::Value& v) { return v.is_string(); });
    case Type::kAny:
    case Type::kPattern: return true;
  }
  return true;
}

}  // namespace

void Checker::complain(const json::Mark& mark, std::string what, std::string remedy) {
  errors_.push_back({json::place(file_, mark), std::move(what), std::move(remedy)});
}

void Checker::unknown(const json::Mark& mark, const std::string& kind, const std::string& word,
                      const std::vector<std::string>& valid) {
  const std::string near = nearest(word, valid);
  std::string remedy;
  if (!near.empty())
    remedy = "did you mean '" + near + "'?";
  else if (valid.size() <= kFew)
    for (const auto& one : valid) remedy += (remedy.empty() ? "use " : ", ") + one;
  complain(mark, "unknown " + kind + " '" + word + "'", remedy);
}

bool Checker::fields(const json::Value& value, const std::string& what,
                     const std::vector<Field>& fields) {
  if (!type(value, what, Type::kMapping)) return false;
  const auto before = errors_.size();
  for (const auto& member : value.members) {
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const Field& f) { return member.name == f.name; });
    if (field == fields.end()) {
      std::vector<std::string> valid;
      for (const auto& f : fields) valid.emplace_back(f.name);
      unknown(member.mark, "key in " + what, member.name, valid);
    } else {
      type(member.value, "'" + member.name + "'", field->type);
    }
  }
  for (const auto& field : fields) {
    if (field.required && value.find(field.name) == nullptr) {
      complain(value.mark, what + " has no '" + field.name + "'",
               std::string("add '") + field.name + "'");
    }
  }
  return errors_.size() == before;
}

bool Checker::type(const json::Value& value, const std::string& what, Type type) {
  if (!has_type(value, type)) {
    complain(value.mark, what + " must be " + type_words(type));
    return false;
  }
  if (type == Type::kPattern) pattern(value);
  return true;
}

bool Checker::word(const json::Value& value, const std::string& kind,
                   const std::vector<std::string>& valid) {
  if (!type(value, kind, Type::kText)) return false;
  if (std::find(valid.begin(), valid.end(), value.text) != valid.end()) return true;
  unknown(value.mark, kind, value.text, valid);
  return false;
}

void Checker::pattern(const json::Value& value) {
  if (auto status = match::check_pattern(value, file_, &known_.shapes); !status) {
    errors_.push_back(status.error());
    return;
  }
  column_patterns(value);
}

void Checker::column_patterns(const json::Value& value) {
  for (const auto* column : column_values(value))
    if (auto status = match::check_pattern(*column, file_, &known_.shapes); !status)
      errors_.push_back(status.error());
  for (const auto& item : value.items) column_patterns(item);
  for (const auto& member : value.members)
    if (match::argument_of(member.name) != match::Argument::kData) column_patterns(member.value);
}

void Checker::profiles(const json::Value& list) {
  if (!type(list, "'profiles'", Type::kTexts)) return;
  for (const auto& item : list.items) {
    if (spec::is_profile_selector(item.text)) continue;
    std::vector<std::string> valid = spec::profile_groups();
    for (const auto& profile : spec::profiles()) {
      valid.push_back(profile.name);
      if (!profile.mcp) continue;
      valid.push_back("mcp>=" + profile.revision);
      valid.push_back("mcp<=" + profile.revision);
    }
    unknown(item.mark, "profile", item.text, valid);
  }
}

void Checker::transports(const json::Value& list) {
  if (!type(list, "'transports'", Type::kTexts)) return;
  for (const auto& item : list.items) word(item, "transport", wire::transport_selectors());
}

void Checker::when(const json::Value& value) {
  if (!fields(value, "'when'", {{"profiles", Type::kTexts}, {"transports", Type::kTexts}})) return;
  if (const auto* list = value.find("profiles")) profiles(*list);
  if (const auto* list = value.find("transports")) transports(*list);
}

void Checker::when_of_row(const json::Value& value) {
  if (!fields(
          value, "'when'",
          {{"profiles", Type::kTexts}, {"transports", Type::kTexts}, {"declared", Type::kText}}))
    return;
  json::Value rest = value;
  std::erase_if(rest.members, [](const json::Member& m) { return m.name == "declared"; });
  when(rest);
}

void Checker::when_of_step(const json::Value& value) {
  json::Value rest = value;
  const bool looks = value.find("value") != nullptr || value.find("is") != nullptr;
  if (looks && value.is_object()) {
    const auto seen = [](const json::Member& m) { return m.name == "value" || m.name == "is"; };
    std::erase_if(rest.members, seen);
    for (const char* needed : {"value", "is"}) {
      if (value.find(needed) == nullptr)
        complain(value.mark, std::string("'when' has no '") + needed + "'",
                 "write {value: \"${name}\", is: MATCHER}");
    }
    if (const auto* is = value.find("is")) pattern(*is);
  }
  when(rest);
}

void Checker::requirement(const json::Value& id) {
  if (!type(id, "a requirement id", Type::kText)) return;
  if (known_.registry.find(id.text) != nullptr) return;
  std::vector<std::string> ids;
  for (const auto& entry : known_.registry.all()) ids.push_back(entry.id);
  unknown(id.mark, "requirement", id.text, ids);
}

void Checker::requirement_or_column(const json::Value& id) {
  const auto values = column_values(id);
  if (values.empty()) return requirement(id);
  for (const auto* value : values) requirement(*value);
}

void Checker::pointer(const json::Value& value, const std::string& what) {
  if (value.is_string() && (value.text.empty() || value.text.front() == '/')) return;
  complain(value.mark, what + " must be a JSON Pointer",
           "write /result/tools, or \"\" for the whole");
}

void Checker::define(const std::string& name, const json::Mark& mark, const std::string& what) {
  if (!is_name(name)) {
    complain(mark, what + " '" + name + "' is not a name", "use letters, digits, _ and -");
  } else if (find_root(name) != nullptr) {
    complain(mark, what + " '" + name + "' hides the built-in ${" + name + "}",
             "choose another name");
  }
  names_.insert(name);
}

void Checker::columns(const std::vector<json::Value>& rows) {
  rows_ = rows;
  for (const auto& row : rows) {
    for (const auto& member : row.members) {
      if (member.name == "row" || member.name == "when") continue;
      if (columns_[member.name]++ == 0) define(member.name, member.mark, "the column");
    }
  }
}

std::vector<const json::Value*> Checker::column_values(const json::Value& reference) const {
  if (!reference.is_string()) return {};
  const auto found = references_in(reference.text);
  if (!found || found->size() != 1 ||
      found->front().end - found->front().begin != reference.text.size() ||
      found->front().path.size() != 1 || !found->front().form.empty())
    return {};
  std::vector<const json::Value*> out;
  for (const auto& row : rows_)
    if (const auto* value = row.find(found->front().path.front())) out.push_back(value);
  return out;
}

void Checker::references(const json::Value& value) {
  if (value.is_string()) references_in_text(value.text, value.mark);
  for (const auto& item : value.items) references(item);
  for (const auto& member : value.members) {
    references_in_text(member.name, member.mark);
    // ${n} counts inside a repeated piece and nowhere else.
    const bool repeats = member.name == "repeat" && value.find("count") != nullptr;
    if (repeats) passing_.insert("n");
    references(member.value);
    if (repeats) passing_.erase("n");
  }
}

void Checker::references_in_text(const std::string& text, const json::Mark& mark) {
  const auto found = references_in(text);
  if (!found) {
    complain(mark, found.error().what, found.error().remedy);
    return;
  }
  for (const auto& reference : *found) {
    const auto& root = reference.path.front();
    references_.insert(path_of(reference));
    if (const auto* known = find_root(root)) {
      if (reference.path.size() == 1) {
        if (!known->alone) {
          complain(mark, "${" + root + "} needs a member",
                   "write ${" + root + "." +
                       (known->members.empty() ? "…" : known->members.front()) + "}");
        }
      } else if (!known->members.empty() && std::find(known->members.begin(), known->members.end(),
                                                      reference.path[1]) == known->members.end()) {
        unknown(mark, "member of ${" + root + "}", reference.path[1], known->members);
      }
      continue;
    }
    if (passing_.find(root) != passing_.end()) continue;
    if (names_.find(root) == names_.end()) {
      std::vector<std::string> valid(names_.begin(), names_.end());
      for (const auto& row : roots()) valid.emplace_back(row.name);
      const std::string near = nearest(root, valid);
      complain(mark, "unknown reference '${" + root + "}'",
               near.empty() ? "it is not a column, capture, step name or built-in; write $${ for a "
                              "literal ${"
                            : "did you mean '${" + near + "}'?");
      continue;
    }
    const auto column = columns_.find(root);
    if (column != columns_.end() && column->second < static_cast<int>(rows_.size())) {
      const auto row = std::find_if(rows_.begin(), rows_.end(),
                                    [&](const json::Value& r) { return r.find(root) == nullptr; });
      complain(row->mark, "this row has no '" + root + "', which the case refers to",
               "give every row a value for it");
      columns_[root] = static_cast<int>(rows_.size());  // once is enough
    }
  }
}

}  // namespace harness::suite
