// SPDX-License-Identifier: Apache-2.0
#include "fuzz/executor/vocabulary_of.h"

#include <algorithm>
#include <utility>

#include "harness/contract/in_use.h"
#include "harness/json/read.h"
#include "harness/json/write.h"

namespace fuzz {

namespace json = harness::json;
namespace contract = harness::contract;

namespace {

// Which calls of a contract stand for which arguments.
struct KindRow {
  std::vector<std::string> Tool::*into;
  const char* calls;
};
constexpr KindRow kKinds[] = {
    {&Tool::valid, "sound"},       {&Tool::valid, "deprecated"}, {&Tool::valid, "optional"},
    {&Tool::boundary, "boundary"}, {&Tool::boundary, "turned"},  {&Tool::broken, "missing"},
    {&Tool::broken, "surplus"},    {&Tool::broken, "type"},      {&Tool::broken, "constraint"},
    {&Tool::broken, "inner"},
};

void describe(const contract::InUse& use, const harness::Secrets& secrets, Surface& surface) {
  std::map<std::string, std::size_t> numbers;
  for (const KindRow& row : kKinds)
    for (const json::Value& call : contract::calls_of(use, row.calls)) {
      const std::string& name = call.find("method")->text;
      const auto [at, fresh] = numbers.emplace(name, surface.described.size());
      if (fresh) {
        surface.described.emplace_back();
        surface.described.back().name = json::quoted(name);
        surface.described.back().is_method = true;
      }
      Tool& tool = surface.described[at->second];
      const auto add = [&](const json::Value& params) {
        std::vector<std::string>& into = tool.*row.into;
        std::string text = secrets.masked(json::write(params));
        if (std::find(into.begin(), into.end(), text) == into.end())
          into.push_back(std::move(text));
      };
      const json::Value& params = *call.find("params");
      add(params);
      if (row.into != &Tool::valid) continue;
      // With all that may be left out; and without params, where nothing has to be given.
      if (const json::Value* whole = call.find("twin")) add(*whole);
      if (params.items.size() + params.members.size() == 0) tool.valid.emplace_back();
    }
  for (const contract::Chain& one : contract::chains_of(use)) {
    const auto from = numbers.find(one.from->name), to = numbers.find(one.to->name);
    if (from == numbers.end() || to == numbers.end()) continue;
    surface.chains.push_back(
        {from->second, to->second, one.param, one.to->params[one.param].name, one.place, one.text});
  }
}

}  // namespace

Vocabulary vocabulary_of(const FuzzTarget& fuzz_target, const harness::target::Target& target,
                         const std::map<std::string, std::string>& also_forbidden) {
  Vocabulary out(fuzz_target.profile(), target.transport());
  Surface surface{fuzz_target.offer(), {}};
  // What is written into scripts is kept on disk: a secret in a name or an address is not.
  for (json::Value* list :
       {&surface.tools, &surface.resources, &surface.templates, &surface.prompts}) {
    auto read = json::read(target.secrets.masked(json::write(*list)));
    auto* good = std::get_if<json::Reading>(&read);
    *list = good ? std::move(good->value) : json::array();
  }
  for (const auto& [name, why] : fuzz_target.offer().forbidden) surface.forbidden.insert(name);
  for (const auto& [name, why] : also_forbidden) surface.forbidden.insert(name);
  const contract::InUse* use = fuzz_target.offer().contract;
  if (use != nullptr) describe(*use, target.secrets, surface);
  out.offer(surface);
  if (use != nullptr) {
    for (const json::Value& call : contract::calls_of(*use, "notified"))
      out.know_notification(call.find("method")->text, json::write(*call.find("params")));
    out.learn(target.secrets.masked(json::write(contract::words_of(*use))));
  }
  // Methods that the operator named, but for those that are slow: nothing else would be played.
  for (const json::Member& affordance : target.affordances.members) {
    const json::Value* method = affordance.value.find("method");
    if (!method || !method->is_string() || affordance.name.ends_with("slow")) continue;
    const json::Value* params = affordance.value.find("params");
    out.know_method(method->text, params ? json::write(*params) : "");
  }
  return out;
}

}  // namespace fuzz
