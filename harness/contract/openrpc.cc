// SPDX-License-Identifier: Apache-2.0
#include "harness/contract/openrpc.h"

#include <algorithm>
#include <set>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/schema/instance_check.h"
#include "harness/schema/normalized_schema.h"

namespace harness::contract {
namespace {

using json::Value;

std::string text_at(const Spot& spot, std::string_view name) {
  const Spot member = spot.at(name);
  return member && member.value->is_string() ? member.value->text : "";
}

bool flag_at(const Spot& spot, std::string_view name) {
  const Spot member = spot.at(name);
  return member && member.value->is_boolean() && member.value->boolean;
}

// The elements of a list, each behind its references. Without a value where one leads nowhere.
std::vector<Spot> elements(const Document& document, const Spot& list) {
  std::vector<Spot> out;
  if (list && list.value->is_array())
    for (std::size_t i = 0; i < list.value->items.size(); ++i)
      out.push_back(document.follow(list.at(i)));
  return out;
}

std::optional<Value> usable(const Document& document, const Spot& schema) {
  if (!schema || !(schema.value->is_object() || schema.value->is_boolean())) return std::nullopt;
  std::optional<Value> bundled = document.bundle(schema);
  if (!bundled || !schema::NormalizedSchema::read(*bundled)) return std::nullopt;
  return bundled;
}

class MethodReader {
 public:
  MethodReader(const Document& document, const Spot& spot) : document_(document), spot_(spot) {}

  Method read() {
    method_.name = text_at(spot_, "name");
    method_.pointer = spot_.pointer;
    const std::string structure = text_at(spot_, "paramStructure");
    method_.structure = structure == "either"        ? Structure::kEither
                        : structure == "by-position" ? Structure::kByPosition
                        : structure == "by-name"     ? Structure::kByName
                                                     : Structure::kUnsaid;
    method_.deprecated = flag_at(spot_, "deprecated");
    method_.deterministic = flag_at(spot_, "x-deterministic");
    params();
    result();
    errors();
    for (const Spot& pairing : elements(document_, spot_.at("examples")))
      if (pairing && pairing.value->is_object()) method_.examples.push_back(example(pairing));
    return std::move(method_);
  }

 private:
  void doubt(const std::string& why) {
    if (method_.unjudged.empty()) method_.unjudged = why;
  }

  void params() {
    std::set<std::string> names;
    for (const Spot& one : elements(document_, spot_.at("params"))) {
      if (!one) return doubt("a param refers to " + one.pointer + ", which leads nowhere");
      Param param;
      param.name = text_at(one, "name");
      param.pointer = one.pointer;
      param.required = flag_at(one, "required");
      param.deprecated = flag_at(one, "deprecated");
      param.schema = usable(document_, one.at("schema"));
      if (!names.insert(param.name).second) doubt("two params are called " + param.name);
      if (param.required && !method_.params.empty() && !method_.params.back().required &&
          method_.structure != Structure::kByName)
        doubt("the required param " + param.name + " stands behind one that is not");
      if (!param.schema) doubt("the schema of the param " + param.name + " cannot be read");
      method_.params.push_back(std::move(param));
    }
  }

  void result() {
    const Spot result = document_.follow(spot_.at("result"));
    method_.has_result = spot_.at("result").value != nullptr;
    if (result) method_.result = usable(document_, result.at("schema"));
    if (method_.has_result && !method_.result) doubt("the schema of the result cannot be read");
  }

  void errors() {
    method_.declares_errors = spot_.at("errors").value != nullptr;
    for (const Spot& error : elements(document_, spot_.at("errors"))) {
      const Spot code = error.at("code");
      const auto number = code ? json::as_integer(*code.value) : std::nullopt;
      if (number) method_.codes.push_back(*number);
    }
  }

  Pairing example(const Spot& spot) {
    Pairing out;
    out.name = text_at(spot, "name");
    out.pointer = spot.pointer;
    const std::vector<Spot> values = elements(document_, spot.at("params"));
    const bool by_name = std::all_of(values.begin(), values.end(), [&](const Spot& one) {
      return method_.find(text_at(one, "name")) != nullptr;
    });
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Param* param = by_name                     ? method_.find(text_at(values[i], "name"))
                           : i < method_.params.size() ? &method_.params[i]
                                                       : nullptr;
      if (!param) {
        out.params_misfit.push_back({values[i].pointer, "is one more than there are params"});
        continue;
      }
      const Spot value = values[i].at("value");
      if (!value) {
        out.readable = false;
        continue;
      }
      out.named.set(param->name, *value.value);
      if (auto broken = broken_by(*value.value, param->schema))
        out.params_misfit.push_back(
            {value.pointer, "breaks " + *broken + " of the schema at " + param->pointer});
    }
    for (const Param& param : method_.params)
      if (param.required && out.readable && !out.named.find(param.name))
        out.params_misfit.push_back(
            {spot.pointer, "has no value for " + param.name + ", which is required"});
    out.positional = positional(out.named);
    outcome(spot, out);
    return out;
  }

  std::optional<Value> positional(const Value& named) const {
    Value out = json::array();
    bool hole = false;
    for (const Param& param : method_.params) {
      const Value* value = named.find(param.name);
      if (value && hole) return std::nullopt;
      hole |= value == nullptr;
      if (value) out.items.push_back(*value);
    }
    return out;
  }

  void outcome(const Spot& spot, Pairing& out) {
    const Spot result = document_.follow(spot.at("result")).at("value");
    if (result) {
      out.result = *result.value;
      if (auto broken = broken_by(*result.value, method_.result))
        out.result_misfit.push_back(
            {result.pointer, "breaks " + *broken + " of the schema of the result"});
    }
    const Spot error = document_.follow(spot.at("error"));
    for (const Spot& one : {error.at("value").at("code"), error.at("code")})
      if (one && !out.code) out.code = json::as_integer(*one.value);
  }

  static std::optional<std::string> broken_by(const Value& value,
                                              const std::optional<Value>& schema) {
    return schema ? schema::broken_keyword(*schema, value) : std::nullopt;
  }

  const Document& document_;
  const Spot spot_;
  Method method_;
};

}  // namespace

const Param* Method::find(std::string_view param) const {
  for (const Param& one : params)
    if (one.name == param) return &one;
  return nullptr;
}

const Method* Contract::find(std::string_view method) const {
  for (const Method& one : methods)
    if (one.name == method) return &one;
  return nullptr;
}

bool is_openrpc(const Value& value) {
  const Value* methods = value.is_object() ? value.find("methods") : nullptr;
  return methods && methods->is_array() && value.find("openrpc") != nullptr;
}

std::string minor_version(const Value* openrpc) {
  if (!openrpc || !openrpc->is_string()) return "";
  const std::string& text = openrpc->text;
  std::vector<std::size_t> dots;
  for (std::size_t i = 0; i < text.size() && dots.size() < 2; ++i) {
    if (text[i] == '.' && i > 0 && text[i - 1] != '.')
      dots.push_back(i);
    else if (!ascii::is_digit(text[i]))
      return "";
  }
  if (dots.size() < 2 || dots[1] + 1 >= text.size() || !ascii::is_digit(text[dots[1] + 1]))
    return "";
  return text.substr(0, dots[1]);
}

Contract read_openrpc(const Value& root) {
  const Document document(root);
  Contract out;
  out.version = minor_version(document.root().at("openrpc").value);
  for (const Spot& spot : elements(document, document.root().at("methods"))) {
    if (!spot || text_at(spot, "name").empty()) continue;
    Method method = MethodReader(document, spot).read();
    Method* same = nullptr;
    for (Method& one : out.methods)
      if (one.name == method.name) same = &one;
    if (same)
      same->unjudged = "two methods have this name";
    else
      out.methods.push_back(std::move(method));
  }
  return out;
}

}  // namespace harness::contract
