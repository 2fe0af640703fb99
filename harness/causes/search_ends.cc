// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "harness/causes/cause_words.h"
#include "harness/causes/harm.h"
#include "harness/causes/searches.h"

namespace harness::run {
namespace {

void add_end(Explainer& open, const Group& group, const std::string& common) {
  Group sure = group;
  std::erase_if(sure, [](auto* clue) { return !clue->behind.empty() || !clue->oracle.empty(); });
  const Clue& first = smallest(sure.empty() ? group : sure);
  Cause cause;
  cause.requirement = clause_of_harm(open, group, first);
  const std::string member = common.empty() ? own_member(first, open.clues().survived) : common;
  std::string what = first.trigger.seq == 0 ? "what was sent last" : kind_of(group, first);
  if (member != "method") what += whose(first, member);
  const bool process = !first.end.empty() && first.end.find("exit") != std::string::npos;
  const bool for_all =
      std::any_of(group.begin(), group.end(), [](const Clue* clue) { return clue->for_all; });
  const char* ended = process ? "the process" : for_all ? "the server" : "the connection";
  cause.title = fmt::format("{} ends {}", capital(what), ended);
  cause.sentence = fmt::format("{} ends {}{}", capital(what), ended, in_brackets(first.end));
  if (for_all && !process) cause.sentence += "; no new connection is served";
  open.add(std::move(cause), group, &first);
}

}  // namespace

// What the same message, sent again alone to a fresh one, did not bring about.
void ended_once(Explainer& open) {
  const auto once = [](const Clue& clue) {
    return clue.symptom == oracle::Symptom::kEnd && clue.oracle.empty() &&
           clue.verdict == Verdict::kFlaky;
  };
  const Group group = open.matching(once);
  if (group.empty() || !wire::traits_of(open.context().transport).process) return;
  const std::set<std::string> cases = cases_of(group);
  Cause cause;
  cause.requirement = open.canary();
  cause.title = "The process ends, and not because of the last message";
  cause.sentence = fmt::format(
      "The process ended{} in {} cases, each time at another message, and not when that message "
      "was sent "
      "again alone to a fresh process: what ends it gathers over several messages, or depends on "
      "timing",
      in_brackets(group.front()->end), cases.size());
  if (cases.size() == 1)
    cause.sentence = fmt::format(
        "The process ended{} once, and not when the last message was sent again alone to a fresh "
        "process: what ends it gathers over several messages, or depends on timing",
        in_brackets(group.front()->end));
  const Group all = open.claim([&](const Clue& clue) {
    return once(clue) || (clue.symptom == oracle::Symptom::kEnd && !clue.oracle.empty() &&
                          cases.count(clue.row) != 0);
  });
  open.add(std::move(cause), all, group.front());
}

void ended(Explainer& open) {
  for (;;) {
    // Surest where nothing else was open that it may have been.
    Group group = open.matching([](const Clue& clue) {
      return clue.symptom == oracle::Symptom::kEnd && clue.oracle.empty() && clue.behind.empty();
    });
    if (group.empty())
      group = open.matching([](const Clue& clue) {
        return clue.symptom == oracle::Symptom::kEnd && clue.oracle.empty();
      });
    // Oracles saw one that no case did; they do not say what was sent last.
    if (group.empty())
      group = open.matching([](const Clue& clue) { return clue.symptom == oracle::Symptom::kEnd; });
    if (group.empty()) return;
    const Likeness like = narrow(group, open);
    const std::set<std::string> cases = cases_of(group);
    const bool shared = !wire::traits_of(open.context().transport).process;
    const Group all = open.claim([&](const Clue& clue) {
      // Where all share it, what the case asked besides has found nobody.
      if (shared && !clue.answered && cases.count(clue.ref.case_id) != 0) return true;
      if (clue.symptom != oracle::Symptom::kEnd) return false;
      if (!clue.behind.empty() && clue.behind == group.front()->trigger.method) return true;
      return like.is(clue) || (!clue.oracle.empty() && cases.count(clue.row) != 0);
    });
    add_end(open, all, like.common);
  }
}

}  // namespace harness::run
