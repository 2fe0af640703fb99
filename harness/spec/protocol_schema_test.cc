// SPDX-License-Identifier: Apache-2.0
// The rows against the published schemas, where they are at hand: of each definition of each
// revision, instances are made from the schema and from the rows, and each is spoilt at every
// place; schema and rows have to agree about every one of them.
//
//   definition → instances → one change each (a member out, another kind, another value) → both say
//   the same, or protocol_schema_differences.yaml says why not
//
// What a schema does not check is left out of the comparison: formats and ranges (`also`), and
// members of other revisions, which no schema forbids.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "harness/base/test_folders.h"
#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/schema_testing.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"
#include "harness/spec/sample.h"
#include "harness/spec/type_check.h"

namespace harness::spec {
namespace {

using json::Value;
using Form = TypeExpr::Form;

constexpr int kDeepest = 5;    // of instances
constexpr int kInstances = 8;  // of each alternative one

const std::string kFolder = harness::source_dir() + "/../shared/spec/schema/";
const std::string kDifferences =
    harness::source_dir() + "/harness/spec/protocol_schema_differences.yaml";

// ---- instances made from a schema; `turn` chooses among alternatives

class FromSchema {
 public:
  FromSchema(const Value& definitions, int turn, bool full)
      : definitions_(definitions), turn_(turn), full_(full) {}

  Value make(const Value& schema, int depth = 0) const {
    if (const Value* ref = schema.find("$ref")) {
      const std::string name = ref->text.substr(ref->text.rfind('/') + 1);
      if (name == "JSONObject") return json::object();  // what is inside is the sender's own
      if (name == "JSONValue") return json::string("text");
      return make(*definitions_.find(name), depth);
    }
    if (const Value* value = schema.find("const")) return *value;
    if (const Value* values = schema.find("enum")) return chosen(values->items);
    for (const char* word : {"anyOf", "oneOf"}) {
      if (const Value* options = schema.find(word)) return make(chosen(options->items), depth);
    }
    if (const Value* parts = schema.find("allOf")) {
      Value all = json::object();
      for (const Value& part : parts->items) {
        for (const json::Member& member : make(part, depth).members) {
          all.set(member.name, member.value);
        }
      }
      return all;
    }
    const Value* type = schema.find("type");
    if (type == nullptr) return json::string("any");
    return of_type(type->is_array() ? chosen(type->items).text : type->text, schema, depth);
  }

 private:
  const Value& chosen(const std::vector<Value>& options) const {
    return options[static_cast<std::size_t>(turn_) % options.size()];
  }

  Value of_type(const std::string& type, const Value& schema, int depth) const {
    if (type == "object") return object(schema, depth);
    if (type == "array") {
      const Value* items = schema.find("items");
      Value list = json::array();
      if (items != nullptr && depth < kDeepest) list.items.push_back(make(*items, depth + 1));
      return list;
    }
    if (type == "boolean") return json::boolean(true);
    if (type == "null") return json::null();
    if (type == "integer" || type == "number") return json::number(1);
    const Value* format = schema.find("format");
    return json::string(format == nullptr        ? "text"
                        : format->text == "byte" ? "YQ=="
                        : format->text == "uri"  ? "https://example.com/a"
                                                 : "test://{a}");
  }

  Value object(const Value& schema, int depth) const {
    Value out = json::object();
    const Value* required = schema.find("required");
    const auto needed = [&](const std::string& name) {
      return required != nullptr && std::any_of(required->items.begin(), required->items.end(),
                                                [&](const Value& one) { return one.text == name; });
    };
    if (const Value* properties = schema.find("properties")) {
      for (const json::Member& member : properties->members) {
        if (needed(member.name) || (full_ && depth < kDeepest)) {
          out.set(member.name, make(member.value, depth + 1));
        }
      }
    }
    const Value* more = schema.find("additionalProperties");
    if (more != nullptr && more->is_object() && !more->members.empty() && full_ &&
        depth < kDeepest) {
      out.set("more", make(*more, depth + 1));
    }
    return out;
  }

  const Value& definitions_;
  int turn_;
  bool full_;
};

// ---- changes

struct Changed {
  std::string place;
  std::string how;
  Value value;
};

// Changes every place of `value` in each way, one at a time; `root` is the instance it is part of.
void spoil(Value& value, const std::string& place, const Value& root,
           const std::function<void(const Changed&)>& visit) {
  static const std::vector<Value> kOthers = {
      json::null(),          json::boolean(false), json::number(7), json::number_spelled("1.5"),
      json::string("other"), json::array(),        json::object()};
  const Value kept = value;
  for (const Value& other : kOthers) {
    value = other;
    visit({place, json::write(other), root});
  }
  value = kept;
  for (std::size_t i = 0; i < value.members.size(); ++i) {
    const std::string name = value.members[i].name;
    const Value with = value;
    value.members.erase(value.members.begin() + static_cast<std::ptrdiff_t>(i));
    visit({place + "/" + name, "left out", root});
    value = with;
    spoil(value.members[i].value, place + "/" + name, root, visit);
  }
  for (Value& item : value.items) spoil(item, place + "/*", root, visit);
}

// ---- which rows a definition is

struct Difference {
  std::string type, place, how, reason;
  std::vector<std::string> revisions;
  int uses = 0;
};

class Comparison {
 public:
  explicit Comparison(const std::string& revision)
      : revision_(revision), profile_(*find_profile("mcp-" + revision)) {
    std::stringstream text;
    text << std::ifstream(kFolder + revision + ".json").rdbuf();
    schema_ = json::parse(text.str());
    const char* word = schema_.find("$defs") != nullptr ? "$defs" : "definitions";
    definitions_ = schema_.find(word);
    reference_ = std::string("#/") + word + "/";
  }

  // What the two disagree about: "Tool /name, which the schema refuses" → its values.
  std::map<std::string, std::string> run(std::vector<Difference>& differences,
                                         const std::map<std::string, std::string>& aside,
                                         const std::map<std::string, std::string>& names) {
    for (const json::Member& definition : definitions_->members) {
      const bool named = std::any_of(aside.begin(), aside.end(), [&](const auto& one) {
        return matches_glob(one.first, definition.name);
      });
      if (named) continue;
      const auto other = names.find(definition.name);
      const std::string& ours = other == names.end() ? definition.name : other->second;
      if (const TypeRow* type = protocol().find_type(ours)) {
        compare(definition, differences, *type);
      } else if (const MessageRow* message = message_of(definition.value)) {
        compare_params(definition, differences, *message);
      } else {
        out_[definition.name] = "no row, and nothing says why";
      }
    }
    return out_;
  }

  int compared() const { return compared_; }

 private:
  const MessageRow* message_of(const Value& definition) const {
    const Value* method = json::at(definition, "/properties/method/const");
    return method == nullptr ? nullptr : protocol().find(method->text, profile_);
  }

  json::CompiledSchema compiled(const std::string& name) const {
    Value schema = schema_;
    schema.set("$ref", json::string(reference_ + name));
    auto out = json::CompiledSchema::compile(schema);
    if (!out) throw Bug(name + ": " + out.error().text());
    return *out;
  }

  static bool breaks(const std::vector<TypeBreach>& breaches) {
    return std::any_of(breaches.begin(), breaches.end(), [](const TypeBreach& one) {
      return one.kind != TypeBreach::Kind::kAlso && one.kind != TypeBreach::Kind::kOutside;
    });
  }

  void compare(const json::Member& definition, std::vector<Difference>& differences,
               const TypeRow& type) {
    const json::CompiledSchema schema = compiled(definition.name);
    const auto judge = [&](const Changed& changed) {
      agree(definition.name, changed, schema.fits(changed.value),
            !breaks(check_type(profile_, type, changed.value)), differences);
    };
    for (int turn = 0; turn < kInstances; ++turn) {
      for (const bool full : {true, false}) {
        Value made = FromSchema(*definitions_, turn, full).make(definition.value);
        EXPECT_TRUE(schema.fits(made)) << definition.name << " " << json::write(made);
        for (Value instance : {made, sample(type, profile_, {full, turn})}) {
          if (!seen_.insert(definition.name + json::write(instance)).second) continue;
          judge({"", "as it is", instance});
          spoil(instance, "", instance, judge);
        }
      }
    }
  }

  // Of a request or notification: what is in params. The rest is for other tests.
  void compare_params(const json::Member& definition, std::vector<Difference>& differences,
                      const MessageRow& message) {
    const json::CompiledSchema schema = compiled(definition.name);
    for (int turn = 0; turn < kInstances; ++turn) {
      for (const bool full : {true, false}) {
        Value whole = FromSchema(*definitions_, turn, full).make(definition.value);
        if (!seen_.insert(definition.name + json::write(whole)).second) continue;
        spoil(whole, "", whole, [&](const Changed& changed) {
          if (!changed.place.starts_with("/params")) return;
          const Value* params = changed.value.is_object() ? changed.value.find("params") : nullptr;
          agree(definition.name, changed, schema.fits(changed.value),
                !breaks(check_member(profile_, message.params, params, "")), differences);
        });
      }
    }
  }

  void agree(const std::string& name, const Changed& changed, bool theirs, bool ours,
             std::vector<Difference>& differences) {
    ++compared_;
    if (theirs == ours) return;
    for (Difference& one : differences) {
      const bool now =
          one.revisions.empty() ||
          std::find(one.revisions.begin(), one.revisions.end(), revision_) != one.revisions.end();
      if (now && matches_glob(one.type, name) && matches_glob(one.place, changed.place) &&
          matches_glob(one.how, changed.how)) {
        ++one.uses;
        return;
      }
    }
    out_[name + " " + changed.place + ", which the " + (ours ? "schema refuses" : "rows refuse")] +=
        " " + changed.how;
  }

  std::string revision_;
  const Profile& profile_;
  Value schema_;
  const Value* definitions_ = nullptr;
  std::string reference_;
  std::map<std::string, std::string> out_;
  std::set<std::string> seen_;
  int compared_ = 0;
};

std::map<std::string, std::string> words(const Value& file, const char* name) {
  std::map<std::string, std::string> out;
  for (const json::Member& one : file.find(name)->members) out[one.name] = one.value.text;
  return out;
}

TEST(ProtocolRows, AgreeWithThePublishedSchemas) {
  if (!std::filesystem::is_directory(kFolder)) {
    GTEST_SKIP() << "there are no published schemas in " << kFolder;
  }
  const auto file = json::read_yaml_file(kDifferences);
  ASSERT_TRUE(file) << file.error().text();
  std::vector<Difference> differences;
  for (const Value& one : file->find("differences")->items) {
    Difference difference{
        one.find("type")->text, one.find("place")->text, "*", one.find("reason")->text, {}};
    if (const Value* how = one.find("how")) difference.how = how->text;
    if (const Value* revisions = one.find("revisions")) {
      for (const Value& revision : revisions->items) difference.revisions.push_back(revision.text);
    }
    EXPECT_FALSE(difference.reason.empty()) << difference.type;
    differences.push_back(std::move(difference));
  }
  for (const Profile& profile : profiles()) {
    if (!profile.mcp) continue;
    Comparison comparison(profile.revision);
    for (const auto& [what, values] :
         comparison.run(differences, words(*file, "aside"), words(*file, "names"))) {
      ADD_FAILURE() << profile.revision << " " << what << ":" << values.substr(0, 200);
    }
    EXPECT_GT(comparison.compared(), 1000) << profile.revision;
  }
  for (const Difference& one : differences) {
    EXPECT_GT(one.uses, 0) << "no longer a difference: " << one.type << " " << one.place;
  }
}

}  // namespace
}  // namespace harness::spec
