// SPDX-License-Identifier: Apache-2.0
#include "harness/causes/harm.h"

#include <algorithm>

#include "harness/causes/cause_words.h"
#include "harness/json/write.h"

namespace harness::run {

std::string clause_of_harm(const Explainer& open, const Group& group, const Clue& first) {
  const Trigger& trigger = first.trigger;
  const bool batch = trigger.kind == wire::MessageKind::kBatch;
  const bool answer = trigger.kind == wire::MessageKind::kResponse ||
                      trigger.kind == wire::MessageKind::kErrorResponse;
  if (answer) {
    // Whatever a case is about: how what comes back is handled.
    const std::string handled =
        open.best_of(group, {"mcp.elicitation.decline-handled", "mcp.elicitation.cancel-handled"});
    if (handled.ends_with("-handled")) return handled;
  }
  if (trigger.valid || batch || trigger.cut || trigger.seq == 0) {
    // What only warns tells less of a death than what fails.
    Group failing = group;
    std::erase_if(failing, [](auto* clue) { return clue->severity != oracle::Severity::kFail; });
    for (const Group& some : {failing, group})
      if (const std::string broken = open.most_broken(some); broken != open.canary()) return broken;
    const std::string of_step = first.about.empty() ? "" : open.first_must({first.about.c_str()});
    if (!of_step.empty() && of_step != open.canary()) return of_step;
    for (const char* word : {"surviv", ""})
      if (std::string about = open.clause_of_case(first, word); !about.empty()) return about;
    return open.canary();
  }
  if (trigger.is_json)
    return open.first_that_applies(
        {"jsonrpc.robust.survives-invalid-request", "lsp.errors.survives-bad-content"});
  return open.first_that_applies({"mcp.stdio.invalid-line-survival",
                                  "jsonrpc.robust.survives-parse-error",
                                  "lsp.errors.survives-bad-content"});
}

bool Likeness::is(const Clue& clue) const {
  return common.empty() ? kind_of(clue) == kind : has_member(clue, common);
}

Likeness narrow(Group& group, const Explainer& open) {
  std::set<std::string> harmless = open.clues().survived;
  // Cases that passed asked for it as well.
  if (open.passed() > 0) {
    const spec::Canary& canary = open.asked();
    harmless.insert({"jsonrpc=\"2.0\"", "id=a number", "method=\"" + canary.method + "\"",
                     "params=" + json::write(canary.params)});
  }
  Likeness like{common_to(group, harmless), kind_of(*group.front())};
  std::erase_if(group, [&](const Clue* clue) { return !like.is(*clue); });
  return like;
}

std::string own_member(const Clue& clue, const std::set<std::string>& harmless) {
  std::string found;
  for (const auto& [path, text] : clue.trigger.members) {
    if (path == kHugeNumber || harmless.count(path + "=" + text) != 0) continue;
    if (!found.empty()) return "";
    found = path;
  }
  return found;
}

}  // namespace harness::run
