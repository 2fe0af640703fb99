// SPDX-License-Identifier: Apache-2.0
#include "harness/contract/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/base/embed.h"
#include "harness/base/text.h"
#include "harness/contract/document.h"
#include "harness/contract/openrpc.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"
#include "harness/schema/instance_check.h"
#include "harness/schema/normalized_schema.h"
#include "harness/schema/schema_check.h"
#include "harness/spec/protocol.h"
#include "harness/spec/type_check.h"

RPCSPEC_EMBEDDED(openrpc_rows);

namespace harness::contract {
namespace {

using json::Value;
using Weight = Flaw::Weight;

constexpr std::size_t kMostOfOne = 10;  // flaws that one clause tells

std::string id_of(std::string_view clause) { return "openrpc.document." + std::string(clause); }

const spec::Protocol& rows() {
  static const spec::Protocol kRows = [] {
    const std::string name = "cases/contracts/openrpc.yaml";
    Result<Value> read = json::read_yaml(openrpc_rows(), name);
    if (!read) throw Bug(read.error().text());
    Result<spec::Protocol> made = spec::read_protocol({{name, std::move(*read)}});
    if (!made) throw Bug(made.error().text());
    return std::move(*made);
  }();
  return kRows;
}

// The rows of a document know no revisions: under any profile of MCP they all count.
const spec::Profile& any_profile() { return *spec::find_profile("mcp-2025-06-18"); }

// A code that JSON-RPC keeps for itself and does not define.
bool is_reserved(std::int64_t code) {
  constexpr std::int64_t kDefined[] = {-32700, -32600, -32601, -32602, -32603};
  return code >= -32768 && code < -32099 &&
         std::find(std::begin(kDefined), std::end(kDefined), code) == std::end(kDefined);
}

bool is_component_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return ascii::is_alphanumeric(c) || c == '.' || c == '-' || c == '_';
  });
}

// "/components/schemas": the members are names of the author's.
bool is_component_list(std::string_view pointer) {
  constexpr std::string_view kAll = "/components/";
  return pointer.starts_with(kAll) && pointer.find('/', kAll.size()) == pointer.npos;
}

class Lint {
 public:
  explicit Lint(const Value& root) : document_(root) {}

  std::vector<Flaw> run() {
    const Spot root = document_.root();
    objects();
    version(root.at("openrpc"));
    const Spot methods = root.at("methods");
    if (methods && methods.value->is_array()) method_names(methods);
    components(root.at("components"));
    walk(root);
    contract_ = read_openrpc(*root.value);
    for (const Method& method : contract_.methods) examples(method);
    for (std::size_t i = 0; methods && i < methods.value->items.size(); ++i)
      links(document_.follow(methods.at(i)));
    std::vector<Flaw> out;
    for (const std::string& clause : document_clauses()) {
      std::vector<Flaw>& some = found_[clause];
      const std::size_t told = std::min(some.size(), kMostOfOne);
      if (told < some.size())
        some[told - 1].text += fmt::format("; {} more places break this", some.size() - told);
      out.insert(out.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(told));
    }
    return out;
  }

 private:
  void tell(const char* clause, std::string pointer, std::string text,
            Weight weight = Weight::kFail) {
    std::vector<Flaw>& some = found_[clause];
    for (const Flaw& one : some)
      if (one.pointer == pointer) return;
    some.push_back({id_of(clause), std::move(pointer), std::move(text), weight});
  }

  void objects() {
    const Value& root = *document_.root().value;
    const spec::TypeRow* type = rows().find_type("OpenRpc");
    for (const spec::TypeBreach& breach : spec::check_type(any_profile(), *type, root)) {
      const auto pointer = breach.seen ? document_.pointer_to(breach.seen) : std::nullopt;
      const bool missing = breach.kind == spec::TypeBreach::Kind::kMissing;
      const std::string name =
          missing ? breach.place.substr(std::min(breach.place.rfind('/'), breach.place.size()))
                  : "";
      tell("valid", pointer.value_or("") + (missing ? "" : name),
           missing ? "there is no " + name.substr(std::min<std::size_t>(1, name.size())) +
                         " here: " + breach.expected + " was expected"
                   : breach.expected + " was expected here");
    }
  }

  void version(const Spot& spot) {
    const std::string minor = minor_version(spot.value);
    if (!spot) return tell("version", "", "the document does not say its version of OpenRPC");
    if (minor.empty() || minor.starts_with("0"))
      return tell("version", spot.pointer,
                  json::write(*spot.value) + " is no version of OpenRPC, such as \"1.3.2\"");
    if (!minor.starts_with("1.") || minor.size() != 3 || minor[2] > '4')
      tell("version", spot.pointer, json::write(*spot.value) + " is not known; it is read as 1.4",
           Weight::kInfo);
  }

  void method_names(const Spot& methods) {
    std::map<std::string, std::string> seen;
    for (std::size_t i = 0; i < methods.value->items.size(); ++i) {
      const Spot method = document_.follow(methods.at(i));
      const Spot name = method.at("name");
      if (name && name.value->is_string()) {
        const auto [first, fresh] = seen.emplace(name.value->text, name.pointer);
        if (!fresh)
          tell("method-names-unique", name.pointer,
               "the method " + name.value->text + " stands at " + first->second + " already");
        if (name.value->text.starts_with("rpc.") && name.value->text != "rpc.discover")
          tell("method-names-reserved", name.pointer,
               "names that begin with rpc. are kept for extensions of JSON-RPC", Weight::kWarn);
      }
      if (method) params(method);
      if (method) errors(method);
    }
  }

  void params(const Spot& method) {
    const Spot list = method.at("params");
    if (!list || !list.value->is_array()) return;
    const Spot structure = method.at("paramStructure");
    const bool by_name = structure && structure.value->text == "by-name";
    std::map<std::string, std::string> seen;
    std::string optional;
    for (std::size_t i = 0; i < list.value->items.size(); ++i) {
      const Spot param = document_.follow(list.at(i));
      const Spot name = param.at("name");
      if (!name) continue;
      if (!seen.emplace(name.value->text, name.pointer).second)
        tell("param-names-unique", list.at(i).pointer,
             "the method has a param " + name.value->text + " already");
      const Spot flag = param.at("required");
      const bool required = flag && flag.value->boolean;
      if (required && !optional.empty())
        tell("required-first", list.at(i).pointer,
             "the required param " + name.value->text + " stands behind " + optional +
                 ", which is not required",
             by_name ? Weight::kWarn : Weight::kFail);
      if (!required) optional = name.value->text;
    }
  }

  void errors(const Spot& method) {
    const Spot list = method.at("errors");
    if (!list || !list.value->is_array()) return;
    std::map<std::int64_t, const Value*> seen;
    for (std::size_t i = 0; i < list.value->items.size(); ++i) {
      const Spot error = document_.follow(list.at(i));
      const Spot code = error.at("code");
      const auto number = code ? json::as_integer(*code.value) : std::nullopt;
      if (!number) continue;
      const auto [first, fresh] = seen.emplace(*number, error.value);
      if (!fresh) {
        // Often on purpose: one code for all that can go wrong.
        const bool other = !json::equal(*first->second, *error.value);
        tell("error-codes-unique", list.at(i).pointer,
             fmt::format("the method has an error {} already", *number),
             other ? Weight::kWarn : Weight::kFail);
      }
      if (is_reserved(*number))
        tell("error-codes-free", code.pointer,
             fmt::format("JSON-RPC keeps {} for itself and does not define it", *number),
             Weight::kWarn);
    }
  }

  void components(const Spot& all) {
    if (!all || !all.value->is_object()) return;
    for (const json::Member& kind : all.value->members)
      for (const json::Member& one : kind.value.members)
        if (!is_component_name(one.name))
          tell("components-named", all.at(kind.name).at(one.name).pointer,
               "the name " + one.name +
                   " has more than letters, digits, dots, dashes and "
                   "underscores");
  }

  // References, and schemas where there are any: of descriptors and of components.
  void walk(const Spot& spot, int depth = 0) {
    constexpr int kMostNested = 128;
    if (depth > kMostNested) return;
    const Value& value = *spot.value;
    for (std::size_t i = 0; i < value.items.size(); ++i) walk(spot.at(i), depth + 1);
    for (const json::Member& member : value.members) {
      const Spot inner{&member.value, spot.pointer + "/" + escaped_name(member.name)};
      if (member.name == "$ref" && member.value.is_string()) reference(spot, inner);
      // Values are free: what looks like a reference or a schema in them is none.
      const bool named = spot.pointer.ends_with("/properties") || is_component_list(spot.pointer);
      const bool free = !named && (member.name == "value" || member.name == "default" ||
                                   member.name == "const" || member.name == "enum" ||
                                   member.name == "examples" || member.name.starts_with("x-"));
      const bool schemas = spot.pointer == "/components" && member.name == "schemas";
      const bool descriptor = member.name == "schema" && value.find("name") != nullptr;
      if (descriptor) schema(inner);
      if (schemas)
        for (const json::Member& one : member.value.members) schema(inner.at(one.name));
      if (!free || (member.name == "examples" && value.find("params") != nullptr) ||
          spot.pointer == "/components")
        walk(inner, depth + 1);
    }
  }

  void reference(const Spot& whole, const Spot& ref) {
    if (!ref.value->text.starts_with('#'))
      return tell("refs-resolve", ref.pointer,
                  ref.value->text + " is another document, which is not fetched", Weight::kInfo);
    if (!document_.follow(whole))
      tell("refs-resolve", ref.pointer, ref.value->text + " leads nowhere");
  }

  void schema(const Spot& spot) {
    const Spot named = spot.at("$schema");
    const auto dialect =
        named ? schema::dialect_named(named.value->text) : schema::Dialect::kDraft7;
    if (!dialect)
      return tell("schemas-sound", named.pointer, named.value->text + " is not known",
                  Weight::kInfo);
    for (const schema::SchemaMistake& one : schema::mistakes_in(*spot.value, *dialect))
      tell("schemas-sound", spot.pointer + one.path, one.expected + " was expected here");
    for (const schema::SchemaPlace& place : schema::places_in(*spot.value)) {
      const Spot here{&place.schema, spot.pointer + place.path};
      const Spot pattern = here.at("pattern");
      if (pattern && pattern.value->is_string() && is_no_expression(pattern.value->text))
        tell("patterns-compile", pattern.pointer, pattern.value->text + " is no regular expression",
             Weight::kWarn);
      values(here);
    }
  }

  // What no dialect of regular expressions reads: a bracket without its end.
  static bool is_no_expression(std::string_view text) {
    int open = 0;
    bool set = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '\\') {
        if (++i == text.size()) return true;
      } else if (set) {
        set = c != ']';
      } else if (c == '[') {
        set = true;
      } else if (c == '(') {
        ++open;
      } else if (c == ')' && --open < 0) {
        return true;
      }
    }
    return set || open > 0;
  }

  // Defaults, examples and values of enum, held against the schema that they stand in.
  void values(const Spot& spot) {
    if (!spot.value->is_object()) return;
    Value rest = *spot.value;
    std::erase_if(rest.members, [](const json::Member& one) { return one.name == "enum"; });
    std::vector<std::pair<Spot, bool>> all;  // and whether enum itself is left out of account
    if (const Spot one = spot.at("default")) all.emplace_back(one, false);
    for (const auto& [list, free] : {std::pair{"examples", false}, std::pair{"enum", true}}) {
      const Spot some = spot.at(list);
      for (std::size_t i = 0; some && i < some.value->items.size(); ++i)
        all.emplace_back(some.at(i), free);
    }
    if (all.empty()) return;
    const auto whole = document_.bundle(spot);
    const auto without = document_.bundle({&rest, spot.pointer});
    if (!whole || !without) return;
    for (const auto& [one, free] : all) {
      const auto broken = schema::broken_keyword(free ? *without : *whole, *one.value);
      if (!broken) continue;
      // Words for what is known at run time only.
      const bool words = one.value->is_string() && *broken == "type" &&
                         one.value->text.find(' ') != std::string::npos;
      tell("defaults-fit", one.pointer,
           json::write(*one.value) + " breaks " + *broken + " of the schema it stands in",
           words ? Weight::kInfo : Weight::kWarn);
    }
  }

  void examples(const Method& method) {
    for (const Pairing& pairing : method.examples)
      for (const auto* misfits : {&pairing.params_misfit, &pairing.result_misfit})
        for (const Misfit& one : *misfits)
          tell("examples-fit", one.pointer,
               "an example of " + method.name + " does not fit: this " + one.text, Weight::kWarn);
  }

  void links(const Spot& method) {
    const Spot list = method.at("links");
    if (!list || !list.value->is_array()) return;
    for (std::size_t i = 0; i < list.value->items.size(); ++i) {
      const Spot link = document_.follow(list.at(i));
      if (!link) continue;
      const Spot name = link.at("method");
      const Spot own = method.at("name");
      const Spot& wanted = name ? name : own;  // without a method it means its own
      const Method* target = wanted ? contract_.find(wanted.value->text) : nullptr;
      if (!target) {
        if (wanted)
          tell("links-resolve", wanted.pointer, "there is no method " + wanted.value->text);
        continue;
      }
      const Spot params = link.at("params");
      if (!params || !params.value->is_object()) continue;
      for (const json::Member& one : params.value->members)
        if (!target->find(one.name))
          tell("links-resolve", params.at(one.name).pointer,
               target->name + " has no param " + one.name, Weight::kWarn);
    }
  }

  const Document document_;
  Contract contract_;
  std::map<std::string, std::vector<Flaw>, std::less<>> found_;
};

}  // namespace

const char* weight_name(Weight weight) {
  return weight == Weight::kFail ? "fail" : weight == Weight::kWarn ? "warn" : "info";
}

std::vector<Flaw> flaws_in(const Value& document) { return Lint(document).run(); }

const std::vector<std::string>& document_clauses() {
  static const std::vector<std::string> kClauses = {"valid",
                                                    "version",
                                                    "method-names-unique",
                                                    "method-names-reserved",
                                                    "param-names-unique",
                                                    "required-first",
                                                    "error-codes-unique",
                                                    "error-codes-free",
                                                    "refs-resolve",
                                                    "components-named",
                                                    "schemas-sound",
                                                    "patterns-compile",
                                                    "defaults-fit",
                                                    "examples-fit",
                                                    "links-resolve"};
  return kClauses;
}

}  // namespace harness::contract
