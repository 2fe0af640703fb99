// SPDX-License-Identifier: Apache-2.0
#include "reports/surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>
#include <variant>

#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/write.h"

namespace reports {
namespace {

namespace json = harness::json;

using Changes = std::vector<SurfaceChange>;

// A list of the surface: what its entries are called, and by which member they are known.
struct ListRow {
  const char* list;
  const char* noun;
  const char* key;
};
constexpr std::array<ListRow, 5> kLists = {
    {{"tools", "tool", "name"},
     {"prompts", "prompt", "name"},
     {"resources", "resource", "uri"},
     {"resource_templates", "resource template", "uriTemplate"},
     {"methods", "method", "name"}}};

// What a client may do without asking because of a hint. `safe`: the value that promises most;
// `usual`: what holds when the hint is not there (MCP, schema of ToolAnnotations).
struct Hint {
  const char* name;
  bool safe, usual;
};
constexpr std::array<Hint, 4> kHints = {{{"readOnlyHint", true, false},
                                         {"destructiveHint", false, true},
                                         {"idempotentHint", true, false},
                                         {"openWorldHint", false, true}}};

std::string text_at(const json::Value& entry, std::string_view pointer) {
  const json::Value* value = json::at(entry, pointer);
  return value != nullptr && value->is_string() ? value->text : "";
}

const json::Value* entry_named(const json::Value& list, const ListRow& row,
                               const std::string& name) {
  for (const json::Value& one : list.items)
    if (text_at(one, std::string("/") + row.key) == name) return &one;
  return nullptr;
}

const json::Value& list_of(const json::Value& surface, const char* name) {
  static const json::Value kNone = json::array();
  const json::Value* list = surface.find(name);
  return list != nullptr && list->is_array() ? *list : kNone;
}

bool same(const json::Value* one, const json::Value* other) {
  if (one == nullptr || other == nullptr) return one == other;
  return json::equal(*one, *other);
}

// The same but for its name and what is said to people, and enough to be told from others.
bool renamed(json::Value before, json::Value after, const ListRow& row) {
  const std::string said = text_at(before, "/description");
  const json::Value* takes = json::at(before, "/inputSchema/properties");
  const bool telling = (!said.empty() && said == text_at(after, "/description")) ||
                       (takes != nullptr && !takes->members.empty());
  for (json::Value* one : {&before, &after})
    for (const char* name : {row.key, "name", "title", "description"}) one->set(name, json::null());
  return telling && json::equal(before, after);
}

void compare_hints(const json::Value& before, const json::Value& after, const std::string& where,
                   Changes& changes) {
  for (const Hint& hint : kHints) {
    const std::string pointer = std::string("/annotations/") + hint.name;
    const auto value = [&](const json::Value& tool) {
      const json::Value* said = json::at(tool, pointer);
      return said != nullptr && said->is_boolean() ? said->boolean : hint.usual;
    };
    if (value(before) == value(after)) continue;
    const bool weaker = value(before) == hint.safe;
    changes.push_back({weaker ? Grade::kBreaking : Grade::kAdditive, where,
                       fmt::format("{} is {} now", hint.name, value(after)),
                       weaker ? "clients relied on the safety hint" : ""});
  }
}

// Whether a call with a task ("required") or without one ("forbidden", the default) is taken.
bool takes(const std::string& support, std::string_view way) {
  return support == way || support == "optional" || (support.empty() && way == "forbidden");
}

void compare_tasks(const json::Value& before, const json::Value& after, const std::string& where,
                   Changes& changes) {
  const std::string was = text_at(before, "/execution/taskSupport");
  const std::string is = text_at(after, "/execution/taskSupport");
  bool lost = false, won = false;
  for (const char* way : {"required", "forbidden"}) {
    lost = lost || (takes(was, way) && !takes(is, way));
    won = won || (!takes(was, way) && takes(is, way));
  }
  if (!lost && !won) return;
  const auto word = [](const std::string& support) {
    return support.empty() ? std::string("forbidden") : harness::printable(support, 40);
  };
  changes.push_back({lost ? Grade::kBreaking : Grade::kAdditive, where,
                     "taskSupport was " + word(was) + " and is " + word(is), ""});
}

void compare_tools(const json::Value& before, const json::Value& after, const std::string& where,
                   Changes& changes) {
  static const json::Value kAny = json::object();
  const json::Value* takes_before = before.find("inputSchema");
  const json::Value* takes_after = after.find("inputSchema");
  compare_schemas(takes_before == nullptr ? kAny : *takes_before,
                  takes_after == nullptr ? kAny : *takes_after, Direction::kToServer, where,
                  changes);
  const json::Value* gives_before = before.find("outputSchema");
  const json::Value* gives_after = after.find("outputSchema");
  if (gives_before != nullptr && gives_after != nullptr)
    compare_schemas(*gives_before, *gives_after, Direction::kToClient, where + ", result", changes);
  else if (gives_before != nullptr)
    changes.push_back({Grade::kBreaking, where, "outputSchema was removed",
                       "clients use it to read structured "
                       "content"});
  else if (gives_after != nullptr)
    changes.push_back({Grade::kAdditive, where, "outputSchema was added", ""});
  compare_hints(before, after, where, changes);
  compare_tasks(before, after, where, changes);
}

// The arguments of a prompt, as a schema of what a client sends.
json::Value arguments_schema(const json::Value& prompt) {
  json::Value properties = json::object(), required = json::array();
  for (const json::Value& one : list_of(prompt, "arguments").items) {
    const json::Value* is_required = one.find("required");
    if (is_required != nullptr && is_required->is_boolean() && is_required->boolean)
      required.items.push_back(json::string(text_at(one, "/name")));
    properties.set(text_at(one, "/name"), one);
  }
  return json::object({{"properties", std::move(properties)}, {"required", std::move(required)}});
}

void compare_prompts(const json::Value& before, const json::Value& after, const std::string& where,
                     Changes& changes) {
  compare_schemas(arguments_schema(before), arguments_schema(after), Direction::kToServer, where,
                  changes);
}

// A method of a contract: params, result, the ways to send params, error codes.
void compare_methods(const json::Value& before, const json::Value& after, const std::string& where,
                     Changes& changes) {
  static const json::Value kAny = json::object();
  const auto schema = [](const json::Value& method, const char* name) -> const json::Value& {
    const json::Value* found = method.find(name);
    return found != nullptr && found->is_object() ? *found : kAny;
  };
  compare_schemas(schema(before, "params"), schema(after, "params"), Direction::kToServer, where,
                  changes);
  const bool replied = before.find("result") != nullptr;
  const bool replies = after.find("result") != nullptr;
  if (replied != replies)
    changes.push_back({Grade::kBreaking, where,
                       replies ? "is no longer a notification" : "is a notification now", ""});
  else if (replies)
    compare_schemas(schema(before, "result"), schema(after, "result"), Direction::kToClient,
                    where + ", result", changes);
  for (const std::string way : {"by-position", "by-name"}) {
    const auto takes_way = [&](const json::Value& method) {
      const std::string said = text_at(method, "/structure");
      return said.empty() || said == "either" || said == way;
    };
    if (takes_way(before) && !takes_way(after))
      changes.push_back({Grade::kBreaking, where, "no longer takes params " + way, ""});
    if (!takes_way(before) && takes_way(after))
      changes.push_back({Grade::kAdditive, where, "also takes params " + way, ""});
  }
  // Where both take an array, a param that was somewhere has to stay there.
  const json::Value& was = list_of(before, "positions");
  const json::Value& is = list_of(after, "positions");
  for (std::size_t i = 0; i < std::min(was.items.size(), is.items.size()); ++i) {
    if (json::equal(was.items[i], is.items[i])) continue;
    if (text_at(before, "/structure") == "by-name" || !list_holds(is, was.items[i]))
      continue;  // gone: told by its schema
    changes.push_back({Grade::kBreaking, where, "the order of its params changed",
                       "clients send them by position"});
    break;
  }
  const json::Value& codes = list_of(before, "errors");
  const json::Value& now = list_of(after, "errors");
  for (const json::Value& one : now.items)
    if (!list_holds(codes, one))
      changes.push_back({Grade::kAdditive, where, "error " + one.text + " is new", ""});
}

// Members of an entry that are compared in a way of their own.
bool compared(const std::string& name) {
  for (const char* own : {"inputSchema", "outputSchema", "arguments", "execution", "mimeType",
                          "params", "result", "structure", "positions", "errors"})
    if (name == own) return true;
  return false;
}

void compare_rest(const json::Value& before, const json::Value& after, const std::string& where,
                  Changes& changes) {
  if (!same(before.find("mimeType"), after.find("mimeType")))
    changes.push_back({Grade::kBreaking, where,
                       fmt::format("mimeType was {} and is {}",
                                   harness::printable(text_at(before, "/mimeType"), 60),
                                   harness::printable(text_at(after, "/mimeType"), 60)),
                       "clients read it as that type"});
  std::vector<std::string> names;
  for (const json::Value* entry : {&before, &after})
    for (const json::Member& one : entry->members)
      if (std::find(names.begin(), names.end(), one.name) == names.end()) names.push_back(one.name);
  for (const std::string& name : names) {
    if (compared(name)) continue;
    json::Value was = before.find(name) != nullptr ? *before.find(name) : json::null();
    json::Value is = after.find(name) != nullptr ? *after.find(name) : json::null();
    if (name == "annotations" || name == "_meta")  // hints are graded above
      for (json::Value* one : {&was, &is})
        if (one->is_object())
          std::erase_if(one->members, [](const json::Member& member) {
            return std::any_of(kHints.begin(), kHints.end(),
                               [&](const Hint& hint) { return member.name == hint.name; });
          });
    const auto empty = [](const json::Value& value) {
      return value.is_null() || (value.is_object() && value.members.empty());
    };
    if (json::equal(was, is) || (empty(was) && empty(is))) continue;
    changes.push_back({Grade::kMetadata, where, name + " changed", ""});
  }
}

void compare_lists(const json::Value& before, const json::Value& after, const ListRow& row,
                   Changes& changes) {
  const json::Value& was = list_of(before, row.list);
  const json::Value& is = list_of(after, row.list);
  const std::string key = std::string("/") + row.key;
  std::vector<std::string> taken;  // new names that an old entry goes by now
  for (const json::Value& one : was.items) {
    const std::string name = text_at(one, key);
    const std::string where = std::string(row.noun) + " " + harness::printable(name, 80);
    if (const json::Value* now = entry_named(is, row, name)) {
      if (std::string(row.list) == "tools") compare_tools(one, *now, where, changes);
      if (std::string(row.list) == "prompts") compare_prompts(one, *now, where, changes);
      if (std::string(row.list) == "methods") compare_methods(one, *now, where, changes);
      compare_rest(one, *now, where, changes);
      continue;
    }
    const auto other = std::find_if(is.items.begin(), is.items.end(), [&](const json::Value& now) {
      return entry_named(was, row, text_at(now, key)) == nullptr && renamed(one, now, row);
    });
    if (other == is.items.end()) {
      changes.push_back({Grade::kBreaking, where, "is gone", ""});
    } else {
      taken.push_back(text_at(*other, key));
      changes.push_back({Grade::kBreaking, where,
                         "is called " + harness::printable(taken.back(), 80) + " now",
                         "clients still use the old name"});
    }
  }
  for (const json::Value& one : is.items) {
    const std::string name = text_at(one, key);
    if (entry_named(was, row, name) != nullptr) continue;
    if (std::find(taken.begin(), taken.end(), name) != taken.end()) continue;
    changes.push_back({Grade::kAdditive, std::string(row.noun) + " " + harness::printable(name, 80),
                       "is new", ""});
  }
}

void compare_capabilities(const json::Value& before, const json::Value& after,
                          const std::string& where, Changes& changes, int depth = 0) {
  if (depth > 20) return;
  const auto offers = [](const json::Value* value) {
    return value != nullptr && !(value->is_boolean() && !value->boolean);
  };
  for (const json::Member& one : before.members) {
    const std::string at = where + " " + harness::printable(one.name, 60);
    const json::Value* now = after.find(one.name);
    if (!offers(&one.value)) continue;
    if (!offers(now))
      changes.push_back({Grade::kBreaking, at, "is gone", "clients rely on what was declared"});
    else
      compare_capabilities(one.value, *now, at + ",", changes, depth + 1);
  }
  for (const json::Member& one : after.members)
    if (offers(&one.value) && !offers(before.find(one.name)))
      changes.push_back(
          {Grade::kAdditive, where + " " + harness::printable(one.name, 60), "is new", ""});
}

void compare_revisions(const json::Value& before, const json::Value& after, Changes& changes) {
  const json::Value& was = list_of(before, "revisions");
  const json::Value& is = list_of(after, "revisions");
  for (const json::Value& one : was.items)
    if (!list_holds(is, one))
      changes.push_back({Grade::kBreaking, "revision " + harness::printable(one.text, 40),
                         "is no longer supported", ""});
  for (const json::Value& one : is.items)
    if (!list_holds(was, one))
      changes.push_back(
          {Grade::kAdditive, "revision " + harness::printable(one.text, 40), "is now spoken", ""});
}

json::Value in_order(json::Value list, const char* key) {
  const std::string pointer = std::string("/") + key;
  std::stable_sort(list.items.begin(), list.items.end(),
                   [&](const json::Value& one, const json::Value& other) {
                     return text_at(one, pointer) < text_at(other, pointer);
                   });
  return list;
}

}  // namespace

const char* grade_name(Grade grade) {
  constexpr const char* kNames[] = {"BREAKING", "ADDITIVE", "METADATA"};
  return kNames[static_cast<std::size_t>(grade)];
}

json::Value surface(json::Value server, json::Value revisions, json::Value capabilities,
                    json::Value tools, json::Value prompts, json::Value resources,
                    json::Value templates, json::Value methods) {
  return json::object({{"format", json::string(kSurfaceFormat)},
                       {"server", std::move(server)},
                       {"revisions", std::move(revisions)},
                       {"capabilities", std::move(capabilities)},
                       {"tools", in_order(std::move(tools), "name")},
                       {"prompts", in_order(std::move(prompts), "name")},
                       {"resources", in_order(std::move(resources), "uri")},
                       {"resource_templates", in_order(std::move(templates), "uriTemplate")},
                       {"methods", in_order(std::move(methods), "name")}});
}

harness::Result<json::Value> read_surface(const std::string& text, const std::string& file) {
  const auto read = json::read(text);
  const auto* reading = std::get_if<json::Reading>(&read);
  if (reading == nullptr)
    return harness::Error{file, "this is not JSON", "write it again with `rpcspec surface`"};
  const json::Value& value = reading->value;
  if (!value.is_object() || text_at(value, "/format") != kSurfaceFormat)
    return harness::Error{file, std::string("this is not a surface (") + kSurfaceFormat + ")",
                          "write one with `rpcspec surface -o FILE -- SERVER`"};
  return value;
}

std::vector<SurfaceChange> surface_changes(const json::Value& before, const json::Value& after) {
  static const json::Value kNone = json::object();
  Changes changes;
  compare_revisions(before, after, changes);
  const json::Value* was = before.find("capabilities");
  const json::Value* is = after.find("capabilities");
  compare_capabilities(was == nullptr ? kNone : *was, is == nullptr ? kNone : *is, "capability",
                       changes);
  for (const ListRow& row : kLists) compare_lists(before, after, row, changes);
  if (!same(before.find("server"), after.find("server")))
    changes.push_back({Grade::kMetadata, "server", "changed its name, version or title", ""});
  const auto key = [](const SurfaceChange& one) {
    return std::tie(one.grade, one.where, one.what);
  };
  std::stable_sort(changes.begin(), changes.end(),
                   [](const auto& one, const auto& other) { return one.grade < other.grade; });
  Changes out;  // a schema that contains itself shows a change more than once
  for (SurfaceChange& one : changes)
    if (std::none_of(out.begin(), out.end(),
                     [&](const SurfaceChange& other) { return key(one) == key(other); }))
      out.push_back(std::move(one));
  return out;
}

std::size_t breaking(const std::vector<SurfaceChange>& changes) {
  return static_cast<std::size_t>(
      std::count_if(changes.begin(), changes.end(),
                    [](const SurfaceChange& one) { return one.grade == Grade::kBreaking; }));
}

std::string surface_line(const SurfaceChange& change) {
  return fmt::format("{}  {} {}{}", grade_name(change.grade), change.where, change.what,
                     change.reason.empty() ? "" : ": " + change.reason);
}

std::string surface_text(const std::vector<SurfaceChange>& changes) {
  std::array<std::size_t, 3> counts{};
  std::string out;
  for (const SurfaceChange& one : changes) {
    ++counts[static_cast<std::size_t>(one.grade)];
    out += surface_line(one) + "\n";
  }
  if (changes.empty()) return "the surface is unchanged\n";
  return out +
         fmt::format("\n{} breaking, {} additive, {} metadata\n", counts[0], counts[1], counts[2]);
}

json::Value surface_json(const std::vector<SurfaceChange>& changes) {
  json::Value list = json::array();
  for (const SurfaceChange& one : changes)
    list.items.push_back(json::object({{"grade", json::string(grade_name(one.grade))},
                                       {"where", json::string(one.where)},
                                       {"what", json::string(one.what)},
                                       {"reason", json::string(one.reason)}}));
  return json::object(
      {{"format", json::string("rpcspec-surface-changes/1")}, {"changes", std::move(list)}});
}

std::vector<SurfaceChange> read_changes(const std::vector<json::Value>& changes) {
  std::vector<SurfaceChange> out;
  for (const json::Value& one : changes) {
    Grade grade = Grade::kMetadata;
    for (const Grade known : {Grade::kBreaking, Grade::kAdditive})
      if (text_at(one, "/grade") == grade_name(known)) grade = known;
    out.push_back({grade, text_at(one, "/where"), text_at(one, "/what"), text_at(one, "/reason")});
  }
  return out;
}

}  // namespace reports
