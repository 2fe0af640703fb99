// SPDX-License-Identifier: Apache-2.0
#include "fuzz/executor/vocabulary_of.h"

#include <utility>

#include "harness/json/read.h"
#include "harness/json/write.h"

namespace fuzz {

namespace json = harness::json;

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
  out.offer(surface);
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
