// SPDX-License-Identifier: Apache-2.0
// Reads the methods of an OpenRPC document. What it cannot read it reports and leaves out: a
// document is a stranger's as a server is.
#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/contract/contract.h"
#include "harness/contract/shape.h"

namespace harness::contract {
namespace {

// What of a ${…} in a link can be read: a path into params or a result.
bool is_expression(std::string_view inside) {
  for (const std::string_view root : {"params", "result"}) {
    if (!inside.starts_with(root)) continue;
    inside.remove_prefix(root.size());
    return inside.empty() || inside[0] == '.' || inside[0] == '[';
  }
  return false;
}

class Reader {
 public:
  explicit Reader(Document document) : out_{std::move(document), "", {}, {}, 0} {}

  Contract run() {
    out_.edition = edition_of(out_.document);
    const std::vector<Place> schemas = check_shape(out_.document, flaws_);
    check_schemas(out_.document, schemas, flaws_);
    const Place methods = out_.document.top().member("methods");
    for (std::size_t i = 0; methods && i < methods.value->items.size(); ++i)
      method(methods.item(i));
    component_errors();
    for (Method& method : out_.methods) links(method);
    component_links();
    out_.flaws = flaws_.take();
    return std::move(out_);
  }

 private:
  Place followed(const Place& place) const { return out_.document.follow(place); }

  // Many methods share a schema by one reference.
  const HeldSchema& held(const Place& schema) {
    const bool shared = schema.value->members.size() == 1 && !schema.text("$ref").empty();
    return held_.try_emplace(shared ? schema.text("$ref") : schema.pointer, out_.document, schema)
        .first->second;
  }

  // Each element of a list, with references followed; what leads nowhere is told elsewhere.
  template <class Look>
  void each(const Place& list, Look look) const {
    if (!list || !list.value->is_array()) return;
    for (std::size_t i = 0; i < list.value->items.size(); ++i)
      if (const Place one = followed(list.item(i)); one && one.value->is_object()) look(one);
  }

  void method(const Place& listed) {
    const Place place = followed(listed);
    ++out_.described;
    const std::string& name = place.text("name");
    if (!place || name.empty()) return;
    names(name, place);
    const auto [first, fresh] = by_name_.emplace(name, out_.methods.size());
    if (!fresh) {
      Method& other = out_.methods[first->second];
      flaws_.add("method-names-unique", Weight::kFail, place,
                 "`" + printable(name, 80) + "` is described before, at " +
                     out_.document.where(other.place));
      if (!json::equal(*other.place.value, *place.value) && !other.twice) {
        other.twice = true;
        other.not_judged.push_back("all of it: it is described in two ways");
      }
      return;
    }
    Method out;
    out.name = name;
    out.place = place;
    out.deprecated = place.flag("deprecated");
    out.deterministic = place.flag("x-deterministic");
    const std::string& structure = place.text("paramStructure");
    out.structure = structure == "by-position" ? Structure::kByPosition
                    : structure == "by-name"   ? Structure::kByName
                    : structure == "either"    ? Structure::kEither
                                               : Structure::kUnsaid;
    params(out);
    if (const Place result = followed(place.member("result")); result.find("schema") != nullptr) {
      out.result = held(result.member("schema"));
      if (!out.result->doubt().empty())
        out.not_judged.push_back("its result: " + out.result->doubt());
    } else if (place.member("result")) {
      out.result = held({&kAnything, "/$any"});
      out.not_judged.push_back("its result: the document has no schema for it");
    }
    errors(out);
    each(place.member("examples"), [&](const Place& pairing) { example(out, pairing); });
    out_.methods.push_back(std::move(out));
  }

  void names(const std::string& name, const Place& place) {
    const Place at = place.member("name");
    if (name.starts_with("rpc.") && name != "rpc.discover")
      flaws_.add("method-names-reserved", Weight::kWarn, at,
                 "`" + printable(name, 80) +
                     "` begins with rpc., which is kept for extensions of JSON-RPC");
    const auto [other, fresh] = by_lower_name_.emplace(ascii::lower(name), name);
    if (!fresh && other->second != name)
      flaws_.add("method-names-unique", Weight::kInfo, at,
                 "`" + printable(name, 80) + "` differs from `" + printable(other->second, 80) +
                     "` in letter case only");
  }

  void params(Method& out) {
    std::set<std::string> seen;
    bool optional = false;
    each(out.place.member("params"), [&](const Place& place) {
      Param param{place.text("name"), place.flag("required"), place.flag("deprecated"), place,
                  held(schema_of(place))};
      if (!seen.insert(param.name).second) {
        out.distinct_names = false;
        flaws_.add("param-names-unique", Weight::kFail, place,
                   "`" + printable(out.name, 80) + "` has two params named `" +
                       printable(param.name, 80) + "`");
      }
      if (param.required && optional && out.required_first) {
        out.required_first = false;
        flaws_.add("required-first",
                   out.structure == Structure::kByName ? Weight::kWarn : Weight::kFail, place,
                   "the required param `" + printable(param.name, 80) + "` of `" +
                       printable(out.name, 80) + "` comes after an optional one");
      }
      const json::Value* said = place.find("required");
      optional |= !param.required && (said == nullptr || said->is_boolean());
      if (!param.schema.doubt().empty())
        out.not_judged.push_back("its param `" + printable(param.name, 80) +
                                 "`: " + param.schema.doubt());
      out.params.push_back(std::move(param));
    });
    if (!out.distinct_names)
      out.not_judged.push_back("calls by name: two of its params have the same name");
    if (!out.required_first)
      out.not_judged.push_back("params left out: required ones come after others");
    const json::Value* listed = out.place.find("params");
    const bool list = listed != nullptr && listed->is_array();
    if (list && listed->items.size() == out.params.size()) return;
    out.twice = true;
    out.not_judged.push_back(list                ? "all of it: a part of its params cannot be read"
                             : listed == nullptr ? "all of it: its params are not described"
                                                 : "all of it: its params are not a list");
  }

  static Place schema_of(const Place& descriptor) {
    const Place schema = descriptor.member("schema");
    return schema ? schema : Place{&kAnything, "/$any"};
  }

  void errors(Method& out) {
    std::map<std::int64_t, Place> seen;
    each(out.place.member("errors"), [&](const Place& error) {
      code_is_free(error);
      const json::Value* code = error.find("code");
      const auto number = code != nullptr ? json::as_integer(*code) : std::nullopt;
      if (!number) return;
      const auto [other, fresh] = seen.emplace(*number, error);
      if (fresh) return out.errors.push_back(*number);
      const bool differ = !json::equal(*other->second.value, *error.value);
      flaws_.add("error-codes-unique", differ ? Weight::kWarn : Weight::kFail, error,
                 "`" + printable(out.name, 80) + "` has two errors with the code " +
                     std::to_string(*number));
    });
  }

  void code_is_free(const Place& error) {
    constexpr std::int64_t kStandard[] = {-32700, -32600, -32601, -32602, -32603};
    const Place code = error.member("code");
    const auto number = code ? json::as_integer(*code.value) : std::nullopt;
    if (!number || *number < -32768 || *number > -32100) return;
    if (std::find(std::begin(kStandard), std::end(kStandard), *number) != std::end(kStandard))
      return;
    flaws_.add("error-codes-free", Weight::kWarn, code,
               "the code " + std::to_string(*number) + " is reserved by JSON-RPC");
  }

  void component_errors() {
    const Place errors = out_.document.top().member("components").member("errors");
    if (!errors) return;
    for (const json::Member& one : errors.value->members) code_is_free(errors.member(one.name));
  }

  // ---- examples

  void unfit(const Place& at, const Method& method, std::string what) {
    flaws_.add(
        "examples-fit", Weight::kWarn, at,
        "an example of `" + printable(method.name, 80) + "` does not fit: " + std::move(what));
  }

  void unfit(const Place& value, const Method& method, const schema::Breach& broken) {
    const json::Value* part = json::at(*value.value, broken.place);
    const Place at = part != nullptr ? Place{part, value.pointer + broken.place} : value;
    unfit(at, method, shown(*at.value) + " breaks `" + broken.keyword + "` of " + broken.schema);
  }

  void example(Method& method, const Place& pairing) {
    ++method.pairings;
    Example out{pairing.text("name"), pairing,      json::object(),
                std::nullopt,         std::nullopt, std::nullopt};
    const bool sound = example_params(method, pairing, out);
    example_reply(method, pairing, out);
    if (sound) method.examples.push_back(std::move(out));
  }

  static const Param* named(const Method& method, const std::string& name) {
    const auto found = std::find_if(method.params.begin(), method.params.end(),
                                    [&](const Param& one) { return one.name == name; });
    return found == method.params.end() ? nullptr : &*found;
  }

  bool example_params(const Method& method, const Place& pairing, Example& out) {
    std::vector<Place> given;
    const Place params = pairing.member("params");
    if (params && !params.value->is_array()) return false;  // told already
    each(params, [&](const Place& one) { given.push_back(one); });
    if (given.size() > method.params.size()) {
      unfit(pairing, method,
            "it has " + std::to_string(given.size()) + " params, the method " +
                std::to_string(method.params.size()));
      return false;
    }
    // By name where each is the name of a param, else by position: many are titles.
    std::set<std::string> names;
    const bool by_name =
        method.distinct_names && std::all_of(given.begin(), given.end(), [&](const Place& one) {
          const std::string& name = one.text("name");
          return named(method, name) != nullptr && names.insert(name).second;
        });
    bool sound = true;
    std::vector<const json::Value*> values(method.params.size(), nullptr);
    for (std::size_t i = 0; i < given.size(); ++i) {
      const std::size_t at = by_name
                                 ? static_cast<std::size_t>(named(method, given[i].text("name")) -
                                                            method.params.data())
                                 : i;
      const Place value = given[i].member("value");
      const Param& param = method.params[at];
      if (!value || !param.schema.doubt().empty()) {
        sound = false;  // nobody can tell whether it fits
        continue;
      }
      values[at] = value.value;
      if (const auto broken = param.schema.breach(*value.value)) {
        sound = false;
        unfit(value, method, *broken);
      }
    }
    std::size_t last = 0;
    bool hole = false;
    json::Value positional = json::array();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == nullptr) {
        if (method.params[i].required && sound) {
          sound = false;
          unfit(pairing, method,
                "the required param `" + printable(method.params[i].name, 80) + "` is missing");
        }
        continue;
      }
      hole |= i > last;
      last = i + 1;
      positional.items.push_back(*values[i]);
      out.named.set(method.params[i].name, *values[i]);
    }
    if (!hole) out.positional = std::move(positional);
    return sound;
  }

  void example_reply(const Method& method, const Place& pairing, Example& out) {
    const Place error = followed(pairing.member("error")),
                result = followed(pairing.member("result"));
    if (error) {
      const json::Value* code = json::at(*error.value, "/value/code");
      if (result) return unfit(pairing, method, "it has a result and an error");
      if (code == nullptr || !json::is_integer(*code))
        return unfit(error, method, "its error has no code that is a whole number");
      out.code = json::as_integer(*code);
      return;
    }
    const Place value = result.member("value");
    if (!value || !method.result) return;
    if (const auto broken = method.result->breach(*value.value))
      return unfit(value, method, *broken);
    if (method.result->doubt().empty()) out.result = *value.value;
  }

  // ---- links

  void links(Method& method) {
    each(method.place.member("links"), [&](const Place& place) {
      Link link{place.text("name"), place.text("method"), json::object(), place};
      const json::Value* params = place.find("params");
      if (params != nullptr) link.params = *params;
      if (link.method.empty()) {
        if (params == nullptr)
          return flaws_.add("links-resolve", Weight::kFail, place,
                            "the link names no method and no params");
        link.method = method.name;
      }
      if (resolves(link)) method.links.push_back(std::move(link));
    });
  }

  void component_links() {
    const Place links = out_.document.top().member("components").member("links");
    const json::Value* methods = out_.document.top().find("methods");
    if (!links || methods == nullptr || !methods->is_array()) return;
    for (const json::Member& one : links.value->members) {
      const Place place = links.member(one.name);
      const json::Value* params = place.find("params");
      const Link link{one.name, place.text("method"), params != nullptr ? *params : json::null(),
                      place};
      if (!link.method.empty()) resolves(link);
    }
  }

  bool resolves(const Link& link) {
    const Method* method = out_.find(link.method);
    if (method == nullptr) {
      flaws_.add("links-resolve", Weight::kFail, link.place,
                 "the link leads to `" + printable(link.method, 80) +
                     "`, a method that the document does not have");
      return false;
    }
    bool sound = true;
    for (const json::Member& member : link.params.members) {
      const Place at = link.place.member("params").member(member.name);
      const Param* param = named(*method, member.name);
      if (param == nullptr) {
        sound = false;
        flaws_.add("links-resolve", Weight::kWarn, at,
                   "`" + printable(link.method, 80) + "` has no param `" +
                       printable(member.name, 80) + "`");
      }
      const std::string& words = member.value.text;
      const std::size_t begin = words.find("${");
      if (begin == std::string::npos) {
        const auto broken = param != nullptr ? param->schema.breach(member.value) : std::nullopt;
        if (!broken) continue;
        sound = false;
        flaws_.add("links-resolve", Weight::kWarn, at,
                   shown(member.value) + " breaks `" + broken->keyword +
                       "` of the param; write a " + "value of a result as \"${result.…}\"");
        continue;
      }
      const std::size_t end = words.find('}', begin);
      if (end == std::string::npos ||
          !is_expression(std::string_view(words).substr(begin + 2, end - begin - 2))) {
        sound = false;
        flaws_.add("links-resolve", Weight::kInfo, at,
                   "the expression `" + printable(words, 80) +
                       "` cannot be read; the link is not followed");
      }
    }
    return sound;
  }

  static const json::Value kAnything;
  Contract out_;
  Flaws flaws_;
  std::map<std::string, HeldSchema> held_;
  std::map<std::string, std::size_t> by_name_;
  std::map<std::string, std::string> by_lower_name_;
};
const json::Value Reader::kAnything = json::boolean(true);

}  // namespace

json::Value Method::params_schema() const {
  json::Value properties = json::object(), required = json::array(), definitions = json::object();
  std::set<std::string> done;
  for (const Param& param : params) {
    const json::Value& bundled = param.schema.bundled();
    properties.set(param.name, json::object({{"$ref", *bundled.find("$ref")}}));
    if (param.required) required.items.push_back(json::string(param.name));
    for (const json::Member& one : bundled.find("definitions")->members)
      if (done.insert(one.name).second) definitions.members.push_back(one);
  }
  return json::object({{"type", json::string("object")},
                       {"properties", std::move(properties)},
                       {"required", std::move(required)},
                       {"additionalProperties", json::boolean(false)},
                       {"definitions", std::move(definitions)}});
}

const Method* Contract::find(std::string_view method) const {
  const auto found = std::find_if(methods.begin(), methods.end(),
                                  [&](const Method& one) { return one.name == method; });
  return found == methods.end() ? nullptr : &*found;
}

Contract read_contract(Document document) { return Reader(std::move(document)).run(); }

const std::vector<Flaw>& flaws_in(const json::Value& document) {
  constexpr std::size_t kMostKept = 4;
  static std::deque<Contract> kept;
  for (const Contract& one : kept)
    if (json::equal(one.document.root(), document)) return one.flaws;
  if (kept.size() == kMostKept) kept.pop_back();
  kept.push_front(read_contract(Document(document, "rpc.discover")));
  return kept.front().flaws;
}

}  // namespace harness::contract
