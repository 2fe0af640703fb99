// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/schemas.h"

#include <utility>

#include "harness/base/embed.h"
#include "harness/base/result.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/spec/profile.h"
#include "harness/target/project_keys.h"
#include "reports/registry.h"

RPCSPEC_EMBEDDED(case_schema);
RPCSPEC_EMBEDDED(target_schema);

namespace harness::cli {
namespace {

using target::KeyKind;
using target::ProjectKey;

constexpr std::size_t kColumns = 100;

json::Value text() { return json::parse(R"({"type":"string","minLength":1})"); }

json::Value one_or_list(json::Value one) {
  json::Value list = json::parse(R"({"type":"array"})");
  list.set("items", one);
  return json::object({{"anyOf", json::array({std::move(one), std::move(list)})}});
}

// What is completed; any other text goes as well: with a frozen set, or a revision alone.
json::Value profile() {
  json::Value names = json::array({json::string("auto")});
  for (const spec::Profile& one : spec::profiles()) names.items.push_back(json::string(one.name));
  return json::object(
      {{"anyOf", json::array({json::object({{"enum", std::move(names)}}), text()})}});
}

json::Value words(const std::vector<std::string>& all) {
  json::Value list = json::array();
  for (const std::string& one : all) list.items.push_back(json::string(one));
  return json::object({{"enum", std::move(list)}});
}

json::Value reports() {
  json::Value files = json::object();
  for (const ::reports::Format& format : ::reports::formats()) {
    json::Value file = text();
    file.set("description", json::string(format.help));
    files.set(format.name, std::move(file));
  }
  json::Value out = json::parse(R"({"type":"object","additionalProperties":false})");
  out.set("properties", std::move(files));
  return out;
}

json::Value targets() {
  return json::parse(R"({"type":"object","minProperties":1,)"
                     R"("additionalProperties":{"$ref":"#/$defs/target"}})");
}

json::Value schema_of(const ProjectKey& key) {
  const std::string name = key.name;
  const auto bound = [](std::uint64_t value) {
    return json::number_spelled(std::to_string(value));
  };
  switch (key.kind) {
    case KeyKind::kText: return text();
    case KeyKind::kTexts: return one_or_list(name == "profiles" ? profile() : text());
    case KeyKind::kWord: return words(key.words);
    case KeyKind::kFlag: return json::parse(R"({"type":"boolean"})");
    case KeyKind::kWhole: {
      json::Value out = json::object({{"type", json::string("integer")}});
      out.set("minimum", bound(key.least));
      if (key.most != UINT64_MAX) out.set("maximum", bound(key.most));
      return out;
    }
    case KeyKind::kTime: {
      json::Value seconds = json::object({{"type", json::string("number")}});
      seconds.set("minimum", json::parse(std::to_string(static_cast<double>(key.least) / 1000)));
      seconds.set("maximum", bound(key.most / 1000));
      return json::object(
          {{"anyOf",
            json::array({std::move(seconds),
                         json::parse(R"({"type":"string",)"
                                     R"("pattern":"^[0-9]+([.][0-9]*)?(ms|s|m|h|d)?$"})")})}});
    }
    case KeyKind::kMinutes: {
      json::Value out = json::object({{"type", json::string("number")}});
      out.set("minimum", json::parse(std::to_string(static_cast<double>(key.least) / 60'000)));
      out.set("maximum", bound(key.most / 60'000));
      return out;
    }
    case KeyKind::kMapping: break;
  }
  if (name == "targets") return targets();
  if (name == "reports") return reports();
  return json::object({{"$ref", json::string("#/$defs/" + name)}});
}

void add_keys(const std::vector<ProjectKey>& keys, json::Value& properties) {
  for (const ProjectKey& key : keys) {
    json::Value schema = schema_of(key);
    schema.set("description", json::string(key.help));
    properties.set(key.name, std::move(schema));
  }
}

json::Value mapping_of(const std::vector<std::vector<ProjectKey>>& tables) {
  json::Value properties = json::object(), required = json::array();
  for (const std::vector<ProjectKey>& keys : tables) {
    add_keys(keys, properties);
    for (const ProjectKey& key : keys)
      if (key.required) required.items.push_back(json::string(key.name));
  }
  return json::object({{"type", json::string("object")},
                       {"additionalProperties", json::boolean(false)},
                       {"required", std::move(required)},
                       {"properties", std::move(properties)}});
}

json::Value project_schema() {
  const json::Value described = json::parse(target_schema());
  json::Value definitions = json::object();
  for (const json::Member& member : described.find("$defs")->members) {
    if (member.name == "clientList" || member.name == "clientEntries") continue;
    if (member.name != "description") {
      definitions.set(member.name, member.value);
      continue;
    }
    json::Value target = member.value;
    target.set("not", json::parse(R"({"required":["profile","profiles"]})"));
    add_keys(target::play_keys(), *target.find("properties"));
    definitions.set("target", std::move(target));
  }
  definitions.set("fuzz", mapping_of({target::fuzz_keys()}));
  json::Value out = json::object(
      {{"$schema", *described.find("$schema")},
       {"title", json::string("rpcspec project")},
       {"description",
        json::string(
            "rpcspec.yaml: the targets of a project, how to test each, and the reports to write; "
            "`rpcspec run` without a TARGET uses it. Paths are relative to the file. `rpcspec "
            "check rpcspec.yaml` checks more than this schema can.")}});
  const json::Value whole = mapping_of({target::project_keys(), target::play_keys()});
  for (const json::Member& member : whole.members) out.set(member.name, member.value);
  out.set("$defs", std::move(definitions));
  return out;
}

// A member a line until it fits into one: to be read, and to be compared line by line.
std::string laid_out(const json::Value& value, std::size_t indent) {
  const std::string line = json::write(value);
  const bool splits = value.is_object() || value.is_array();
  if (!splits || indent + line.size() + 20 < kColumns) return line;
  std::string out = value.is_object() ? "{" : "[";
  const std::string inner(indent + 2, ' ');
  const char* comma = "\n";
  for (const json::Member& member : value.members) {
    out += comma + inner + json::write(json::string(member.name)) + ": " +
           laid_out(member.value, indent + 2);
    comma = ",\n";
  }
  for (const json::Value& item : value.items) {
    out += comma + inner + laid_out(item, indent + 2);
    comma = ",\n";
  }
  return out + '\n' + std::string(indent, ' ') + (value.is_object() ? '}' : ']');
}

}  // namespace

const std::vector<std::string>& schema_names() {
  static const std::vector<std::string> kNames = {"case", "project", "target"};
  return kNames;
}

std::string schema_named(const std::string& name) {
  if (name == "case") return std::string(case_schema());
  if (name == "target") return std::string(target_schema());
  check(name == "project", "no such schema");
  return laid_out(project_schema(), 0) + '\n';
}

}  // namespace harness::cli
