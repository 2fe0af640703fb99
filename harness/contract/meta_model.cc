// SPDX-License-Identifier: Apache-2.0
// Structures become types with their members, those of what they extend included; unions become
// $one_of; enumerations that are closed their values. What has no counterpart may be anything.
#include "harness/contract/meta_model.h"

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "harness/json/read.h"

namespace harness::contract {
namespace {

using json::Value;

constexpr const char* kClause = "lsp.features.described-shape";
constexpr int kMostNested = 20;  // aliases within each other

constexpr std::pair<std::string_view, std::string_view> kBases[] = {
    {"string", "$string"},      {"integer", "$integer"}, {"uinteger", "$integer"},
    {"decimal", "$number"},     {"boolean", "$boolean"}, {"null", "$null"},
    {"DocumentUri", "$string"}, {"URI", "$string"},      {"RegExp", "$string"},
};

std::string text_of(const Value& owner, std::string_view name) {
  const Value* found = owner.is_object() ? owner.find(name) : nullptr;
  return found != nullptr && found->is_string() ? found->text : "";
}

const std::vector<Value>& list_of(const Value& owner, std::string_view name) {
  static const std::vector<Value> kNone;
  const Value* found = owner.is_object() ? owner.find(name) : nullptr;
  return found != nullptr && found->is_array() ? found->items : kNone;
}

bool is_set(const Value& owner, std::string_view name) {
  const Value* found = owner.find(name);
  return found != nullptr && found->is_boolean() && found->boolean;
}

class MetaModel {
 public:
  MetaModel(const Value& model, const spec::Protocol& own) : own_(own) {
    for (const char* kind : {"structures", "enumerations", "typeAliases"})
      for (const Value& one : list_of(model, kind)) named_[text_of(one, "name")] = {kind, &one};
    rows_ = json::object({{"$dialect", json::string("lsp")}});
    for (const Value& one : list_of(model, "requests")) message(one, true);
    for (const Value& one : list_of(model, "notifications")) message(one, false);
    while (!wanted_.empty()) {
      const std::string name = *wanted_.begin();
      wanted_.erase(wanted_.begin());
      structure(name);
    }
  }

  Value take() { return std::move(rows_); }

 private:
  struct Named {
    std::string_view kind;
    const Value* value;
  };

  void message(const Value& described, bool request) {
    const std::string name = text_of(described, "method");
    if (name.empty() || name == "initialize" || own_.find(name) != nullptr) return;
    const std::string direction = text_of(described, "messageDirection");
    Value row = json::object({{"from", json::string(direction == "serverToClient" ? "server"
                                                    : direction == "both"         ? "both"
                                                                                  : "client")}});
    if (!request) row.set("kind", json::string("notification"));
    row.set("params?", json::string("$any"));
    const Value* params = described.find("params");
    if (direction == "serverToClient" && params != nullptr && params->is_object())
      row.set("params", covered(*params));
    if (row.find("params") != nullptr)
      std::erase_if(row.members, [](const json::Member& one) { return one.name == "params?"; });
    if (const Value* result = described.find("result"); request && result != nullptr)
      row.set("result", covered(*result));
    else if (request)
      row.set("result", json::string("$any"));
    rows_.set(name, std::move(row));
  }

  Value covered(const Value& type) {
    return json::object({{"is", expression(type, 0)}, {"covers", json::string(kClause)}});
  }

  static Value form(std::string_view name, Value argument) {
    return json::object({{name, std::move(argument)}});
  }

  Value expression(const Value& type, int depth) {
    const std::string kind = text_of(type, "kind");
    const std::string name = text_of(type, "name");
    if (depth > kMostNested) return json::string("$any");
    if (kind == "base")
      for (const auto& [base, word] : kBases)
        if (base == name) return json::string(word);
    if (kind == "stringLiteral") return json::string(text_of(type, "value"));
    if (kind == "tuple") return json::string("$array");
    if (kind == "map") return form("$map", part(type, "value", depth));
    if (kind == "array") return form("$array", part(type, "element", depth));
    if (kind == "or") {
      Value all = json::array();
      for (const Value& one : list_of(type, "items"))
        all.items.push_back(expression(one, depth + 1));
      return form("$one_of", std::move(all));
    }
    if (kind == "and" || kind == "literal") return json::string("$object");
    return kind == "reference" ? reference(name, depth) : json::string("$any");
  }

  Value part(const Value& type, const char* name, int depth) {
    const Value* inner = type.find(name);
    return inner != nullptr ? expression(*inner, depth + 1) : json::string("$any");
  }

  Value reference(const std::string& name, int depth) {
    const auto found = named_.find(name);
    if (found == named_.end() || name.starts_with("LSPA") || name.starts_with("LSPO"))
      return json::string("$any");
    const auto& [kind, value] = found->second;
    if (kind == "typeAliases") return part(*value, "type", depth);
    if (kind == "structures") {
      if (done_.insert(name).second) wanted_.insert(name);
      return json::string("$Meta" + name);
    }
    if (is_set(*value, "supportsCustomValues")) return part(*value, "type", depth);
    Value all = json::array();
    for (const Value& one : list_of(*value, "values"))
      if (const Value* literal = one.find("value")) all.items.push_back(*literal);
    return form("$one_of", std::move(all));
  }

  void structure(const std::string& name) {
    Value row = json::object();
    members(*named_.at(name).value, row, 0);
    rows_.set("Meta" + name, std::move(row));
  }

  // Its own members replace those of the same name.
  void members(const Value& structure, Value& row, int depth) {
    if (depth > kMostNested) return;
    for (const char* kind : {"extends", "mixins"})
      for (const Value& base : list_of(structure, kind))
        if (const auto found = named_.find(text_of(base, "name")); found != named_.end())
          members(*found->second.value, row, depth + 1);
    for (const Value& one : list_of(structure, "properties")) {
      const std::string name = text_of(one, "name");
      std::erase_if(row.members, [&](const json::Member& before) {
        return before.name == name || before.name == name + "?";
      });
      row.set(name + (is_set(one, "optional") ? "?" : ""), part(one, "type", 0));
    }
  }

  const spec::Protocol& own_;
  std::map<std::string, Named> named_;
  Value rows_;
  std::set<std::string> wanted_, done_;
};

}  // namespace

Value rows_of_meta_model(const Value& model, const spec::Protocol& own) {
  return MetaModel(model, own).take();
}

Result<const spec::Profile*> with_meta_model(const std::string& text, const std::string& name) {
  struct Kept {
    spec::Protocol protocol;
    spec::Profile profile;
  };
  static std::map<std::string, std::unique_ptr<Kept>> kept;
  std::unique_ptr<Kept>& made = kept[text];
  if (made) return &made->profile;
  const auto read = json::read(text);
  const auto* reading = std::get_if<json::Reading>(&read);
  const bool acp = reading != nullptr && is_acp_schema(reading->value);
  if (reading == nullptr || (!acp && list_of(reading->value, "requests").empty()))
    return Error{name,
                 "this is neither a meta model of LSP, with a list of requests, nor the schema of "
                 "ACP, with types that name methods",
                 "name the file metaModel.json of a version of LSP, or schema.json of ACP"};
  std::vector<spec::ProtocolFile> files = spec::protocol_files();
  if (acp)
    files = with_acp_schema(reading->value, name, std::move(files));
  else
    files.push_back({name, rows_of_meta_model(reading->value, spec::protocol())});
  Result<spec::Protocol> protocol = spec::read_protocol(files);
  if (!protocol) return protocol.error();
  made = std::make_unique<Kept>(
      Kept{std::move(*protocol), *spec::find_profile(acp ? "acp-1" : "lsp")});
  made->profile.contract = &made->protocol;
  return &made->profile;
}

}  // namespace harness::contract
