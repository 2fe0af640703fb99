// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "harness/results/clue_words.h"
#include "harness/causes/harm.h"
#include "harness/causes/searches.h"

namespace harness::run {
namespace {

// Of those that fell silent, on a server that all share, the one that is about what a server has to
// survive is more likely the one that began it.
const Clue& culprit_of(const Explainer& open, const Group& group) {
  for (const Clue* clue : group)
    if (!open.clause_of_case(*clue, "surviv").empty()) return *clue;
  return smallest(group);
}

bool is_long_message(const Clue& clue) {
  return clue.trigger.valid && !clue.trigger.deep && clue.trigger.bytes >= kLongMessage;
}

// `culprits` of all that hangs show it.
void add_wedge(Explainer& open, const Group& all, const Group& culprits,
               const std::string& common) {
  const bool shared = !wire::traits_of(open.context().transport).process;
  const Clue& first = shared ? culprit_of(open, culprits) : smallest(culprits);
  const std::string member = common.empty() ? own_member(first, open.clues().survived) : common;
  // Short ones like it do no harm.
  const std::string what = is_long_message(first)
                               ? "a message of " + size_text(first.trigger.bytes)
                               : kind_of(culprits, first, open.clues()) +
                                     (member == "method" ? "" : whose(first, member));
  Cause cause;
  cause.requirement = clause_of_harm(open, shared ? Group{&first} : culprits, first);
  const std::string canary = open.asked().method;
  if (first.came.status >= 500) {
    cause.title =
        fmt::format("After {} everything is answered with HTTP {}", what, first.came.status);
    cause.sentence = fmt::format("After {} the server answers everything with HTTP {}, even {}",
                                 what, first.came.status, canary);
  } else {
    cause.title = "After " + what + " nothing more is answered";
    cause.sentence = fmt::format("After {} {} answers nothing more, not even {}", what,
                                 shared ? "the server" : "the process", canary);
  }
  const bool of_http = cause.requirement.starts_with("mcp.http.") && cases_of(all).size() == 1;
  if (of_http || cause.requirement.starts_with("ws.frame.")) cause.title.clear();  // the clause's
  open.add(std::move(cause), all, &first);
}

bool hangs(const Clue& clue) {
  const bool begun = clue.came.status >= 200 && clue.came.status < 300;
  return clue.symptom == oracle::Symptom::kHang && clue.oracle.empty() && !begun &&
         !clue.trigger.overfull;
}

// HTTP: the connection is closed in place of an answer, or stays open, and others are served. What
// is about HTTP itself may have sent no message at all.
void broken_off(Explainer& open) {
  const auto is = [](const Clue& clue) {
    const bool of_http = clue.requirement.starts_with("mcp.http.");
    return hangs(clue) && (clue.broken_off || clue.left_open) &&
           (!of_http || clue.trigger.seq != 0);
  };
  // Whoever throws at one kind of invalid message, or at an answer to nothing, throws at others.
  const auto of_invalid = [](const Clue& clue) {
    const bool answer = clue.trigger.kind == wire::MessageKind::kResponse ||
                        clue.trigger.kind == wire::MessageKind::kErrorResponse;
    return clue.trigger.seq != 0 && (!clue.trigger.valid || answer);
  };
  const auto invalid = [&](const Clue& clue) { return is(clue) && of_invalid(clue); };
  // An oracle sees no connection, but that nothing came.
  const auto missed = [](const Clue& clue) { return !clue.oracle.empty() && is_unheard(clue); };
  const auto left = [](const Clue& clue) { return clue.left_open ? "stays open" : "is closed"; };
  const auto batch = [&](const Clue& clue) {
    return clue.trigger.kind == wire::MessageKind::kBatch && (is(clue) || missed(clue));
  };
  const Group batches = open.matching(
      [&](const Clue& clue) { return batch(clue) && is(clue) && clue.trigger.flaw.empty(); });
  if (!batches.empty() &&
      open.passed_of({"jsonrpc.batch.array-response", "jsonrpc.batch.single-element",
                      "jsonrpc.batch.no-response-for-notification"}) == 0) {
    const Clue& first = smallest(batches);
    Cause cause{.requirement = clause_of_harm(open, batches, first)};
    cause.title = cause.sentence = "Batches get no response";
    open.add(std::move(cause), open.claim(batch), &first);
  }
  std::set<std::string> kinds;
  for (const Clue* clue : open.matching(invalid)) kinds.insert(kind_of(*clue));
  if (kinds.size() > 1) {
    Group all = open.claim(invalid);
    const Clue& first = smallest(all);
    Cause cause;
    cause.requirement = clause_of_harm(open, all, first);
    cause.title = "Some invalid messages get no response";
    cause.sentence = fmt::format("The connection {} without a response to {}", left(first),
                                 fmt::join(kinds, ", or "));
    const Group seen =
        open.claim([&](const Clue& clue) { return missed(clue) && of_invalid(clue); });
    all.insert(all.end(), seen.begin(), seen.end());
    open.add(std::move(cause), all, &first);
  }
  for (;;) {
    Group group = open.matching(
        [&](const Clue& clue) { return is(clue) && stands_out(clue, open.clues().survived); });
    if (group.empty()) return;
    const Likeness like = narrow(group, open);
    const std::set<std::string> cases = cases_of(group);
    const Clue& first = smallest(group);
    const Group all = open.claim([&](const Clue& clue) {
      if (missed(clue)) return cases.count(clue.row) != 0;
      return is(clue) && (like.is(clue) || cases.count(clue.ref.case_id) != 0 ||
                          differ_in_params(open, clue, first));
    });
    const std::string member =
        like.common.empty() ? own_member(first, open.clues().survived) : like.common;
    std::string what = capital(kind_of(group, first, open.clues()) +
                               (member == "method" ? "" : whose(first, member)));
    what += " gets no response";
    if (has_several_params(open, all, first, like))
      what = fmt::format("Some {} requests get no response", first.trigger.method);
    Cause cause;
    cause.requirement = clause_of_harm(open, all, first);
    cause.title = what;
    cause.sentence = what + ": the connection " + left(first);
    open.add(std::move(cause), all, &first);
  }
}

}  // namespace

void wedged(Explainer& open) {
  broken_off(open);
  const bool shared = !wire::traits_of(open.context().transport).process;
  for (;;) {
    Group group = open.matching(
        [&](const Clue& clue) { return hangs(clue) && stands_out(clue, open.clues().survived); });
    if (group.empty()) return;
    // A server that all share refuses everyone from then on.
    const bool refuses = shared && group.front()->came.status >= 500;
    if (refuses) group = {&culprit_of(open, group)};
    // Text that is not JSON may be waited for, however deep it is.
    const auto shallow = std::find_if(group.begin(), group.end(), [](auto* clue) {
      return !clue->trigger.is_json && !clue->trigger.deep;
    });
    if (shallow != group.end()) std::rotate(group.begin(), shallow, std::next(shallow));
    const Likeness like = narrow(group, open);
    const std::set<std::string> cases = cases_of(group);
    const Group all = open.claim([&](const Clue& clue) {
      const bool refused = refuses && clue.came.status >= 500 && !clue.came.message;
      if (!hangs(clue)) return refused;
      const bool victim = refused || (shared && !stands_out(clue, open.clues().survived));
      const bool as_long = is_long_message(clue) && is_long_message(*group.front());
      const bool unread = !clue.trigger.is_json && !group.front()->trigger.is_json;
      return like.is(clue) || victim || as_long || unread || cases.count(clue.ref.case_id) != 0;
    });
    add_wedge(open, all, group, like.common);
  }
}

// What is left over holds nothing that does harm elsewhere.
void wedged_by_others(Explainer& open) {
  const auto is = [&](const Clue& clue) {
    return hangs(clue) && clue.requirement == open.canary() && clue.trigger.seq != 0;
  };
  const bool shared = !wire::traits_of(open.context().transport).process;
  const Group group = open.matching(is);
  if (group.empty() || open.clues().canaries_answered == 0 || shared) return;
  Cause cause;
  cause.requirement = open.canary();
  cause.title = kStopsAnswering;
  cause.sentence = fmt::format(
      "The process answers nothing more after messages that do no harm elsewhere: {}", kBuildsUp);
  open.add(std::move(cause), open.claim(is), group.front());
}

}  // namespace harness::run
