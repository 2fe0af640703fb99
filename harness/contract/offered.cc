// SPDX-License-Identifier: Apache-2.0
#include "harness/contract/offered.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "harness/contract/calls.h"
#include "harness/contract/lint.h"
#include "harness/contract/openrpc.h"
#include "harness/contract/permission.h"
#include "harness/target/permission.h"

namespace harness::contract {
namespace {

using json::Value;

constexpr const char* kName = "openrpc";

Value shown(const Flaw& flaw) {
  return json::object({{"clause", json::string(flaw.clause)},
                       {"at", json::string(flaw.pointer)},
                       {"what", json::string(flaw.text)}});
}

// Flaws by clause, for a case to compare with none. Of a clause that documents have to keep those
// are left out that an author may have meant.
Value by_clause(const Value& document) {
  constexpr std::string_view kShould[] = {"method-names-reserved", "error-codes-free",
                                          "patterns-compile", "defaults-fit", "examples-fit"};
  Value out = json::object();
  for (const std::string& clause : document_clauses()) out.set(clause, json::array());
  for (const Flaw& flaw : flaws_in(document)) {
    const std::string clause = flaw.clause.substr(flaw.clause.rfind('.') + 1);
    const bool should =
        std::find(std::begin(kShould), std::end(kShould), clause) != std::end(kShould);
    if (flaw.weight == Flaw::Weight::kFail || (should && flaw.weight == Flaw::Weight::kWarn))
      out.find(clause)->items.push_back(shown(flaw));
  }
  return out;
}

bool is_called(const Value& method) { return method.find("called")->boolean; }

}  // namespace

Told told_by(const Value& affordances) {
  Told out;
  const Value* told = affordances.find(kName);
  if (!told || !told->is_object()) return out;
  if (const Value* none = told->find("none")) out.none = none->boolean;
  if (const Value* document = told->find("document")) out.document = *document;
  if (const Value* allowed = told->find("allowed"))
    for (const Value& one : allowed->items) out.allowed.push_back(one.text);
  return out;
}

void tell(Value& affordances, const Told& told) {
  Value allowed = json::array();
  for (const std::string& one : told.allowed) allowed.items.push_back(json::string(one));
  Value value = json::object({{"none", json::boolean(told.none)}, {"allowed", std::move(allowed)}});
  if (!told.document.is_null()) value.set("document", told.document);
  affordances.set(kName, std::move(value));
}

Value offered(const Value& document, const std::vector<std::string>& allowed, bool served) {
  const Contract contract = read_openrpc(document);
  Value methods = json::array();
  for (const Method& method : contract.methods) {
    const Permission permission = permission_of(method, allowed);
    Value row = json::object({{"name", json::string(method.name)},
                              {"called", json::boolean(permission.given)},
                              {"why", json::string(permission.why)}});
    if (!method.unjudged.empty()) row.set("unjudged", json::string(method.unjudged));
    methods.items.push_back(std::move(row));
  }
  return json::object({{"served", json::boolean(served)},
                       {"methods", std::move(methods)},
                       {"calls", calls_of(contract, allowed)},
                       {"flaws", by_clause(document)}});
}

std::map<std::string, std::string> forbidden_methods(const Value& affordances) {
  std::map<std::string, std::string> out;
  if (const Value* methods = json::at(affordances, "/openrpc/methods"))
    for (const Value& method : methods->items)
      if (!is_called(method))
        out.emplace(target::method_key(method.find("name")->text), method.find("why")->text);
  return out;
}

std::string called_line(const Value& affordances) {
  const Value* methods = json::at(affordances, "/openrpc/methods");
  if (!methods) return "";
  std::map<std::string, int> by_right, not_called;
  int called = 0;
  for (const Value& method : methods->items) {
    called += is_called(method) ? 1 : 0;
    ++(is_called(method) ? by_right : not_called)[method.find("why")->text];
  }
  const auto listed = [](const std::map<std::string, int>& all) {
    std::string out;
    for (const auto& [why, count] : all)
      out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", count, why);
    return out;
  };
  std::string out =
      fmt::format("{} of {} described methods may be called", called, methods->items.size());
  if (!by_right.empty()) out += " (" + listed(by_right) + ")";
  if (!not_called.empty())
    out += fmt::format("; not {}; --methods NAME,... allows more", listed(not_called));
  return out;
}

}  // namespace harness::contract
