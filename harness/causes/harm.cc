// SPDX-License-Identifier: Apache-2.0
#include "harness/causes/harm.h"

#include <algorithm>
#include <iterator>

#include "harness/results/clue_words.h"
#include "harness/json/write.h"

namespace harness::run {
namespace {

constexpr const char* kSurvivesText[] = {"mcp.stdio.invalid-line-survival",
                                         "jsonrpc.robust.survives-parse-error",
                                         "lsp.errors.survives-bad-content"};
constexpr const char* kSurvivesMessage[] = {"jsonrpc.robust.survives-invalid-request",
                                            "lsp.errors.survives-bad-content"};

// Whatever else is wrong with a call that ends the target for its arguments.
const std::vector<const char*> kOfArguments = {"mcp.tools.call-missing-required-argument",
                                               "mcp.tools.call-wrong-type-argument",
                                               "mcp.tools.call-arguments-not-object"};

// And with a batch that ends it for being one.
const std::vector<const char*> kOfBatches = {"jsonrpc.batch.array-response",
                                             "jsonrpc.batch.response-per-request",
                                             "jsonrpc.batch.empty-array"};

bool is_about_other_harm(const std::string& clause) {
  const auto is = [&](const char* id) { return clause == id; };
  return std::any_of(std::begin(kSurvivesText), std::end(kSurvivesText), is) ||
         std::any_of(std::begin(kSurvivesMessage), std::end(kSurvivesMessage), is) ||
         clause.starts_with("json.output.") || clause.starts_with("mcp.stdio.no-") ||
         clause.starts_with("mcp.stdio.stdout-");
}

template <std::size_t N>
std::string first_of(const Explainer& open, const char* const (&clauses)[N]) {
  for (const char* id : clauses)
    if (open.applies(id)) return id;
  return open.canary();
}

}  // namespace

std::string clause_of_harm(const Explainer& open, const Group& group, const Clue& first) {
  const Trigger& trigger = first.trigger;
  // It is how a message is framed.
  if (const std::string of_frames = open.clause_of_case(first, "ws.frame."); !of_frames.empty())
    return of_frames;
  const bool batch = trigger.kind == wire::MessageKind::kBatch;
  const bool answer = trigger.kind == wire::MessageKind::kResponse ||
                      trigger.kind == wire::MessageKind::kErrorResponse;
  if (answer) {
    // Whatever a case is about: how what comes back is handled.
    const std::string handled =
        open.best_of(group, {"mcp.elicitation.decline-handled", "mcp.elicitation.cancel-handled"});
    if (handled.ends_with("-handled")) return handled;
    for (const char* word : {"unexpected-response", "client-response", "response-202", "-answer"})
      if (std::string about = open.clause_of_case(first, word); !about.empty()) return about;
    const char* survives = trigger.kind == wire::MessageKind::kErrorResponse
                               ? "mcp.requester.survives-error-answer"
                               : "mcp.requester.survives-malformed-answer";
    if (open.applies(survives)) return survives;
  }
  if (trigger.valid || trigger.cut || trigger.deep || trigger.seq == 0 ||
      (batch && !open.applies("mcp.base.batch.removed"))) {
    // What may be limited, and not by an end.
    for (const Clue* clue : first.trigger.deep ? group : Group())
      if (clue->trigger.deep)
        if (std::string limit = open.clause_of_case(*clue, ".limit.", nullptr, true);
            !limit.empty())
          return limit;
    for (const Clue* clue : group)
      if (!clue->about.empty() && open.is_permission(clue->about)) return clue->about;
    // What is said of texts and invalid messages, and of what is written, is not what a sound
    // message breaks; and what only warns tells less of a death than what fails.
    Group about = group;
    std::erase_if(about, [](auto* clue) { return is_about_other_harm(clue->requirement); });
    Group failing = about;
    std::erase_if(failing, [](auto* clue) { return clue->severity != oracle::Severity::kFail; });
    // A batch that is closed upon only warns; the plainest says the most.
    const std::string plain = batch ? open.best_of(about, kOfBatches) : "";
    if (std::count(kOfBatches.begin(), kOfBatches.end() - 1, plain) > 0) return plain;
    for (const Group& some : {failing, about})
      if (const std::string broken = open.best_of(some, batch ? kOfBatches : kOfArguments);
          broken != open.canary())
        return broken;
    // What came for it was as it should be: it is what comes after it that breaks.
    if (first.symptom == oracle::Symptom::kHang)
      if (std::string survival = open.clause_of_case(first, "surviv", is_about_other_harm);
          !survival.empty())
        return survival;
    const std::string of_step = first.about.empty() ? "" : open.first_must({first.about.c_str()});
    if (!of_step.empty() && of_step != open.canary() && !is_about_other_harm(of_step))
      return of_step;
    for (const char* word : {"surviv", ""})
      if (std::string of_case = open.clause_of_case(first, word, is_about_other_harm);
          !of_case.empty())
        return of_case;
    return open.first_that_applies({"jsonrpc.request.reply-exactly-one"});
  }
  return trigger.is_json ? first_of(open, kSurvivesMessage) : first_of(open, kSurvivesText);
}

bool differ_in_params(const Explainer& open, const Clue& a, const Clue& b) {
  const Trigger& one = a.trigger;
  const Trigger& other = b.trigger;
  const auto method = one.members.find("method");
  return one.valid && other.valid && one.kind == wire::MessageKind::kRequest &&
         other.kind == one.kind && one.method == other.method &&
         one.method != open.asked().method && !one.deep && !other.deep &&
         one.members.count(kHugeNumber) == other.members.count(kHugeNumber) &&
         method != one.members.end() &&
         open.clues().survived.count("method=" + method->second) != 0;
}

bool has_several_params(const Explainer& open, const Group& group, const Clue& first,
                        const Likeness& like) {
  const auto without_id = [](const Clue& clue) {
    std::map<std::string, std::string> members = clue.trigger.members;
    members.erase("id");
    members.erase(kIdValue);
    return members;
  };
  return std::any_of(group.begin(), group.end(), [&](const Clue* clue) {
    return differ_in_params(open, *clue, first) && (like.common.empty() || !like.is(*clue)) &&
           without_id(*clue) != without_id(first);
  });
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

bool stands_out(const Clue& clue, const std::set<std::string>& harmless) {
  if (clue.trigger.seq == 0) return false;
  if (!clue.trigger.valid) return true;
  return std::any_of(
      clue.trigger.members.begin(), clue.trigger.members.end(),
      [&](const auto& member) { return harmless.count(member.first + "=" + member.second) == 0; });
}

std::string own_member(const Clue& clue, const std::set<std::string>& harmless) {
  std::string found;
  if (!clue.trigger.valid) return found;  // what it lacks, or has in a wrong place, says more
  for (const auto& [path, text] : clue.trigger.members) {
    if (path == kHugeNumber || harmless.count(path + "=" + text) != 0) continue;
    if (!found.empty()) return clue.trigger.members.contains(kHugeNumber) ? kHugeNumber : "";
    found = path;
  }
  return found;
}

}  // namespace harness::run
