// SPDX-License-Identifier: Apache-2.0
#include "harness/contract/in_use.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "harness/base/words.h"
#include "harness/json/write.h"
#include "harness/target/permission.h"

namespace harness::contract {
namespace {

InUse made(const Document& document, const Terms& terms, const spec::Profile& base) {
  Contract contract = read_contract(document);
  Result<spec::Protocol> rows = rows_of(contract);
  check(static_cast<bool>(rows), rows ? "" : rows.error().text().c_str());
  InUse out{std::move(contract), document.name(), terms, {}, std::move(*rows), base};
  for (const Method& method : out.contract.methods)
    out.standings.push_back(standing_of(method.name, !method.examples.empty(), terms.words));
  out.profile.editions.insert(out.profile.editions.end(), std::begin(spec::kContractEditions),
                              std::end(spec::kContractEditions));
  return out;
}

}  // namespace

std::vector<const Method*> InUse::called() const {
  std::vector<const Method*> out;
  for (std::size_t i = 0; i < standings.size(); ++i)
    if (standings[i].called) out.push_back(&contract.methods[i]);
  return out;
}

bool InUse::may_call(const Method& method) const {
  return standings[static_cast<std::size_t>(&method - contract.methods.data())].called;
}

std::map<std::string, std::string> InUse::forbidden() const {
  std::map<std::string, std::string> out;
  for (std::size_t i = 0; i < standings.size(); ++i)
    if (!standings[i].called)
      out.emplace(std::string(target::kMethodMark) + contract.methods[i].name, standings[i].why);
  return out;
}

std::string InUse::counts() const {
  std::map<std::string, std::size_t> rights;
  std::size_t called = 0, without = 0, change = 0;
  for (const Standing& one : standings) {
    called += one.called;
    if (one.called)
      ++rights[one.why];
    else
      ++(one.effect == Effect::kChanges ? change : without);
  }
  std::string by;
  for (const auto& [why, count] : rights)
    by += (by.empty() ? " (" : ", ") + std::to_string(count) + " by " + why;
  // Of a path its last part.
  const std::string named =
      source.find("://") == source.npos ? source.substr(source.rfind('/') + 1) : source;
  std::string out = std::to_string(called) + " of " + std::to_string(standings.size()) +
                    " methods of " + named + " may be called" + by + (by.empty() ? "" : ")");
  const auto also = [&](std::size_t count, const char* one, const char* several) {
    if (count > 0) out += ", " + std::to_string(count) + (count == 1 ? one : several);
  };
  also(without, " has no sound example", " have no sound example");
  also(change, " changes state", " change state");
  return out + (without + change > 0 ? ": --methods NAME allows more" : "");
}

const InUse& put_to_use(const Document& document, const Terms& terms, const spec::Profile& base) {
  static std::map<std::string, std::unique_ptr<InUse>> kept;
  const std::string key = document.name() + "\n" + joined(terms.words) + "\n" +
                          (terms.exact ? "exact\n" : "\n") + json::write(document.root());
  std::unique_ptr<InUse>& use = kept[key];
  if (!use) {
    use = std::make_unique<InUse>(made(document, terms, base));
    use->profile.contract = &use->protocol;
  }
  return *use;
}

}  // namespace harness::contract
