// SPDX-License-Identifier: Apache-2.0
#include "harness/contract/calls.h"

#include <algorithm>
#include <map>
#include <utility>

#include "harness/contract/permission.h"
#include "harness/schema/instance_check.h"
#include "harness/target/synthesis.h"

namespace harness::contract {
namespace {

using json::Value;

constexpr std::size_t kMostExamples = 4;  // of a method
constexpr std::size_t kMostBroken = 3;    // of a param and a kind
constexpr std::size_t kMostOfKind = 160;

// Params that fit the method.
struct Sound {
  Value named;
  std::optional<Value> positional;
  std::string what;
  const Pairing* example = nullptr;  // null: they were made
};

// Draft 7, in which what stands beside a reference does not count: where nobody says what a
// document is written in, only what every reading says is held against a server.
Value leniently(Value schema) {
  if (schema.is_object() && !schema.find("$schema"))
    schema.set("$schema", json::string("http://json-schema.org/draft-07/schema#"));
  return schema;
}

// That two alternatives fit where one should is a flaw of the document, and not of the value.
Value any_of(Value schema) {
  for (Value& item : schema.items) item = any_of(std::move(item));
  for (json::Member& member : schema.members) member.value = any_of(std::move(member.value));
  const bool both = schema.is_object() && schema.find("anyOf") != nullptr;
  for (json::Member& member : schema.members)
    if (member.name == "oneOf" && member.value.is_array() && !both) member.name = "anyOf";
  if (both)
    std::erase_if(schema.members, [](const json::Member& one) { return one.name == "oneOf"; });
  return schema;
}

// {PARAM: its schema} as a schema of an object, for one to make values of.
Value around(const Param& param) {
  Value inner = *param.schema;
  Value definitions = json::null();
  if (Value* own = inner.is_object() ? inner.find("definitions") : nullptr) {
    definitions = std::move(*own);
    std::erase_if(inner.members, [](const json::Member& one) { return one.name == "definitions"; });
  }
  Value out = json::object({{"type", json::string("object")},
                            {"required", json::array({json::string(param.name)})},
                            {"additionalProperties", json::boolean(false)}});
  Value properties = json::object();
  properties.set(param.name, std::move(inner));
  out.set("properties", std::move(properties));
  if (definitions.is_object()) out.set("definitions", std::move(definitions));
  return out;
}

Value in_order(const Method& method, const Value& named) {
  Value out = json::array();
  for (const Param& param : method.params)
    if (const Value* value = named.find(param.name)) out.items.push_back(*value);
  return out;
}

// No array where a param in between is left out.
std::optional<Value> positional_of(const Method& method, const Value& named) {
  for (std::size_t i = 0; i < method.params.size(); ++i)
    if (!named.find(method.params[i].name))
      for (std::size_t k = i + 1; k < method.params.size(); ++k)
        if (named.find(method.params[k].name)) return std::nullopt;
  return in_order(method, named);
}

Value without(Value named, const std::string& name) {
  std::erase_if(named.members, [&](const json::Member& one) { return one.name == name; });
  return named;
}

class MethodCalls {
 public:
  MethodCalls(const Method& method, const Value& codes, Value& out)
      : method_(method), codes_(codes), out_(out) {
    for (const Pairing& one : method.examples)
      if (one.sound() && sound_.size() < kMostExamples)
        sound_.push_back({one.named, one.positional, "as its example says: " + one.name, &one});
    if (sound_.empty()) make();
  }

  void add() {
    if (!method_.has_result) return notifications();
    for (const Sound& one : sound_) {
      if (one.example && (one.example->result || one.example->code)) example(one);
      if (!one.example || one.example->result) sound(one);
    }
    // The one with the most params has the most that can be wrong.
    const Sound* base = nullptr;
    for (const Sound& one : sound_) {
      if ((one.example && !one.example->result) || !form(one)) continue;
      if (!base || one.named.members.size() > base->named.members.size()) base = &one;
    }
    if (!base) return;
    both_forms(*base);
    left_out(*base);
    surplus(*base);
    for (const Param& param : method_.params) broken(*base, param);
  }

 private:
  // Every param that can be made, and the required ones alone.
  void make() {
    Value all = json::object();
    for (const Param& param : method_.params) {
      const target::Synthesis made = target::synthesise(around(param), target::Arguments::kValid);
      const Value* value =
          made.instances.empty() ? nullptr : made.instances.front().value.find(param.name);
      if (value)
        all.set(param.name, *value);
      else if (param.required)
        return;
    }
    Value least = json::object();
    for (const Param& param : method_.params)
      if (const Value* value = param.required ? all.find(param.name) : nullptr)
        least.set(param.name, *value);
    sound_.push_back({least, positional_of(method_, least), "with its required params", nullptr});
    if (!json::equal(least, all))
      sound_.push_back({all, positional_of(method_, all), "with all its params", nullptr});
  }

  // As the method takes it; nothing where there is no such form of it.
  std::optional<Value> form(const Value& named, const std::optional<Value>& positional) const {
    if (method_.structure == Structure::kByName) return named;
    if (positional || method_.structure == Structure::kByPosition) return positional;
    return named;
  }
  std::optional<Value> form(const Sound& one) const { return form(one.named, one.positional); }

  Value call(Value params, std::string what) const {
    return json::object(
        {{"method", json::string(method_.name)},
         {"params", std::move(params)},
         {"what", json::string(what)},
         {"schema", method_.result ? any_of(leniently(*method_.result)) : json::object()},
         {"codes", codes_}});
  }

  void add(const char* kind, Value call) {
    Value& list = *out_.find(kind);
    if (list.items.size() < kMostOfKind) list.items.push_back(std::move(call));
  }

  void add_wrong(const char* kind, Value params, std::string what, Value sound,
                 const std::string& keyword = "") {
    Value one = call(std::move(params), std::move(what));
    one.set("sound", std::move(sound));
    one.set("keyword", json::string(keyword));
    if (method_.declares_errors) add("errors", one);
    add(kind, std::move(one));
  }

  void example(const Sound& one) {
    const std::optional<Value> params = form(one);
    if (!params) return;
    const Pairing& pairing = *one.example;
    Value made = call(*params, one.what);
    if (pairing.result && pairing.result_misfit.empty()) {
      made.set("result", *pairing.result);
      made.set("shape", json::object({{"type", json::string(kind_name(pairing.result->kind))}}));
      add(method_.deterministic ? "exact" : "examples", made);
      if (method_.deterministic) add("examples", std::move(made));
    } else if (pairing.code) {
      made.set("code", json::number(*pairing.code));
      if (method_.declares_errors) add("errors", made);
      add("refused-examples", std::move(made));
    }
  }

  void sound(const Sound& one) {
    const std::optional<Value> params = form(one);
    if (!params) return;
    Value made = call(*params, one.what);
    made.set("example", json::boolean(one.example != nullptr));
    const bool old = std::any_of(
        method_.params.begin(), method_.params.end(),
        [&](const Param& param) { return param.deprecated && one.named.find(param.name); });
    if (method_.deprecated || old) add("deprecated", made);
    add("sound", std::move(made));
  }

  void both_forms(const Sound& base) {
    // Who does not say it seldom means that both are taken.
    if (base.named.members.empty() || !base.positional || method_.structure == Structure::kUnsaid)
      return;
    const bool by_name = method_.structure == Structure::kByName;
    const bool one_form = by_name || method_.structure == Structure::kByPosition;
    Value made = call(by_name ? *base.positional : base.named, "in the other form");
    made.set("sound", by_name ? base.named : *base.positional);
    add(one_form ? "other-form" : "either", std::move(made));
  }

  void left_out(const Sound& base) {
    const bool named =
        method_.structure == Structure::kByName || method_.structure == Structure::kEither;
    for (const Param& param : method_.params) {
      if (!base.named.find(param.name)) continue;
      const Value fewer = without(base.named, param.name);
      // An array has no holes: only what stands last can be left out of it.
      const std::optional<Value> array = positional_of(method_, fewer);
      if (!named && !array) continue;
      // Whoever is given a default has no need of the param.
      const Value* usual = param.schema->is_object() ? param.schema->find("default") : nullptr;
      if (param.required && usual) continue;
      const char* kind = param.required ? "missing" : "optional";
      const std::optional<Value> params = form(fewer, array);
      add_wrong(kind, *params, "without " + param.name,
                params->is_array() ? *base.positional : base.named);
    }
  }

  void surplus(const Sound& base) {
    Value more = *form(base);
    if (more.is_array()) {
      // Behind the last optional param, or it would be that.
      if (more.items.size() < method_.params.size()) return;
      more.items.push_back(json::string("rpcspec"));
    } else {
      more.set("rpcspec_no_such_param", json::string("rpcspec"));
    }
    add_wrong("surplus", std::move(more), "with one param more", *form(base));
  }

  // What the clauses about wrong params call it; "" for what none of them is about.
  static std::string kind_of(const target::Instance& one, const Param& param, const Value& sound,
                             const Value& wrong) {
    if (one.keyword == "required" || one.keyword == "additionalProperties") return "inner";
    if (one.keyword == "type") {
      const bool whole = one.where.find('/', 1) == std::string::npos;
      const auto plain = [](const Value& value) {
        return value.is_string() || value.is_number() || value.is_boolean();
      };
      // 5 for "5" is a conversion, a text for a number is none; null may stand for what is left
      // out.
      const bool converted =
          plain(wrong) && plain(sound) && !(wrong.is_string() && sound.is_number());
      return !whole || converted || (wrong.is_null() && !param.required) ? "" : "type";
    }
    for (const char* word :
         {"enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
          "multipleOf", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "pattern"})
      if (one.keyword == word) return "constraint";
    return "";
  }

  void broken(const Sound& base, const Param& param) {
    const Value* sound = base.named.find(param.name);
    if (!sound) return;
    const schema::InstanceCheck check(leniently(*param.schema));
    std::map<std::string, std::size_t> made;
    for (const target::Instance& one :
         target::synthesise(around(param), target::Arguments::kBroken).instances) {
      const Value* value = one.value.find(param.name);
      if (!value || one.where.empty() || !check.broken_keyword(*value)) continue;
      const std::string kind = kind_of(one, param, *sound, *value);
      if (kind.empty() || made[kind]++ >= kMostBroken) continue;
      Value named = base.named;
      named.set(param.name, *value);
      const std::optional<Value> params = form(named, positional_of(method_, named));
      if (params) add_wrong(kind.c_str(), *params, "with " + one.what, *form(base), one.keyword);
    }
  }

  void notifications() {
    for (const Sound& one : sound_)
      if (const std::optional<Value> params = form(one))
        add("notifications", call(*params, one.what));
  }

  const Method& method_;
  const Value& codes_;
  Value& out_;
  std::vector<Sound> sound_;
};

}  // namespace

const std::vector<CallKind>& call_kinds() {
  static const std::vector<CallKind> kKinds = {
      {"sound", "calls that fit: of examples with a result, or made"},
      {"examples", "examples with a result"},
      {"exact", "those of methods that say `x-deterministic`"},
      {"refused-examples", "examples with an error"},
      {"deprecated", "sound calls of what is deprecated"},
      {"notifications", "calls of methods without a result"},
      {"either", "sound calls in the other form, of methods that say that they take either"},
      {"other-form", "the same, of methods that take one form"},
      {"optional", "without a param that is not required"},
      {"missing", "without a param that is required"},
      {"surplus", "with a param more than there are"},
      {"type", "with a param of another JSON type"},
      {"constraint", "with a param that breaks another keyword of its schema"},
      {"inner", "with a member inside a param that is missing, or one too many"},
      {"errors", "calls to be refused, of methods that declare errors"}};
  return kKinds;
}

Value calls_of(const Contract& contract, const std::vector<std::string>& allowed) {
  Value out = json::object();
  for (const CallKind& kind : call_kinds()) out.set(kind.name, json::array());
  Value codes = json::array();
  for (const Method& method : contract.methods)
    for (const std::int64_t code : method.codes) codes.items.push_back(json::number(code));
  for (const Method& method : contract.methods)
    if (method.unjudged.empty() && permission_of(method, allowed).given)
      MethodCalls(method, codes, out).add();
  return out;
}

}  // namespace harness::contract
