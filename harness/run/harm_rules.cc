// SPDX-License-Identifier: Apache-2.0
#include "harness/run/harm_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "harness/json/write.h"
#include "harness/run/cause_words.h"

namespace harness::run {
namespace {

// --- the length of messages

bool is_long(const Clue& clue) {
  return clue.symptom != oracle::Symptom::kAnswer && clue.trigger.bytes >= kLongMessage;
}

const Clue& shortest(const Group& group) {
  return **std::min_element(group.begin(), group.end(), [](auto* a, auto* b) {
    return a->trigger.bytes < b->trigger.bytes;
  });
}

// What an oracle says of a case is no second one.
std::size_t apart(const Group& group) {
  std::set<std::string> cases;
  for (const Clue* clue : group) cases.insert(clue->oracle.empty() ? clue->ref.case_id : clue->row);
  return cases.size();
}

// Messages over a length end the process, or are never answered.
void too_long(Explainer& open) {
  if (!suspected_length(open.clues())) return;
  const std::optional<LengthLimit>& measured = open.clues().length;
  if (measured && measured->failed == 0) return;  // it was something else in them
  const Group group = open.matching(is_long);
  // One case alone may be about something else, unless the length was tried by itself.
  if (group.empty() || (!measured && apart(group) < 2)) return;
  const Clue& least = shortest(group);
  const bool dies = least.symptom == oracle::Symptom::kEnd || least.broken_off;
  Cause cause;
  cause.requirement = open.best_of(group, {"mcp.stdio.long-line"});
  if (cause.requirement == open.canary())
    cause.requirement =
        open.first_that_applies({"mcp.stdio.long-line", "jsonrpc.request.reply-exactly-one"});
  if (measured) {
    const bool exact = measured->failed == measured->answered + 1;
    const std::string over =
        exact ? fmt::format("longer than {} bytes", measured->answered)
              : fmt::format("of {} bytes, and not yet those of {},", measured->failed,
                            measured->answered);
    const std::string does = dies ? "end the connection" : "are never answered";
    cause.title = exact ? fmt::format("Messages {} {}", over, does)
                        : "Long messages " + does;
    cause.sentence =
        fmt::format("Messages {} {}{}, whatever is in them: tried with spaces in a {}", over, does,
                    dies                                      ? in_brackets(measured->end)
                    : least.symptom == oracle::Symptom::kHang ? ", nor is what comes after them"
                                                              : "",
                    open.asked().method);
  } else {
    cause.title = dies ? "A long message ends the connection" : "A long message is never answered";
    cause.sentence = fmt::format(
        "A message of {} {}", size_text(least.trigger.bytes),
        dies                                        ? "ends it" + in_brackets(least.end)
        : least.symptom == oracle::Symptom::kHang ? "is not answered, nor what comes after it"
                                                  : "is not answered");
    if (open.clues().longest_survived > 0)
      cause.sentence +=
          fmt::format("; one of {} was answered", size_text(open.clues().longest_survived));
  }
  // Those after a death are cut off with it.
  const Group all = open.claim(is_long);
  open.add(std::move(cause), all, &least);
}

// What a message of ours did to the target: the clause that says it has to bear that.
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

// What the clues of a group share: a member of what was sent, or else its kind.
struct Likeness {
  std::string common;  // "" where there is no such member
  std::string kind;

  bool is(const Clue& clue) const {
    return common.empty() ? kind_of(clue) == kind : has_member(clue, common);
  }
};

// Leaves in the group what is like its first.
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

// The member by which it stands out, where it does by a single one.
std::string own_member(const Clue& clue, const std::set<std::string>& harmless) {
  std::string found;
  for (const auto& [path, text] : clue.trigger.members) {
    if (path == kHugeNumber || harmless.count(path + "=" + text) != 0) continue;
    if (!found.empty()) return "";
    found = path;
  }
  return found;
}

// --- the end of the process, by what brought it about

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
  const bool for_all = std::any_of(group.begin(), group.end(),
                                   [](const Clue* clue) { return clue->for_all; });
  const char* ended = process ? "the process" : for_all ? "the server" : "the connection";
  cause.title = fmt::format("{} ends {}", capital(what), ended);
  cause.sentence = fmt::format("{} ends {}{}", capital(what), ended, in_brackets(first.end));
  if (for_all && !process) cause.sentence += "; no new connection is served";
  open.add(std::move(cause), group, &first);
}

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

// --- nothing is read while a call is worked on

void blocked(Explainer& open) {
  const auto hangs = [](const Clue& clue) {
    return clue.symptom == oracle::Symptom::kHang && clue.busy;
  };
  const Group group = open.matching(hangs);
  if (cases_of(group).size() < 2) return;
  Cause cause;
  cause.requirement = open.first_that_applies({"mcp.stdio.concurrent-requests", "mcp.ping.prompt"});
  cause.title = "Nothing else is read while a call is worked on";
  cause.sentence =
      "While a call is worked on, no other request is answered and nothing that belongs to the "
      "call is read";
  const std::string requirement = cause.requirement;
  const Group all =
      open.claim([&](const Clue& clue) { return hangs(clue) || clue.requirement == requirement; });
  open.add(std::move(cause), all, group.front());
}

// --- nobody is served before the message of another client has come to its end

void held_up(Explainer& open) {
  const auto hangs = [](const Clue& clue) { return clue.symptom == oracle::Symptom::kHang; };
  const Group group =
      open.matching([&](const Clue& clue) { return hangs(clue) && clue.trigger.unfinished; });
  if (group.empty()) return;
  const std::string canary = open.asked().method;
  Cause cause;
  cause.requirement =
      open.first_that_applies({"mcp.ping.prompt", "jsonrpc.request.reply-exactly-one"});
  cause.title = "While a body is unfinished nobody else is served";
  cause.sentence = fmt::format(
      "While the body of one POST has not come to its end, the server answers nothing on another "
      "connection, not even {}",
      canary);
  const std::set<std::string> cases = cases_of(group);
  const Group all = open.claim(
      [&](const Clue& clue) { return hangs(clue) && cases.count(clue.ref.case_id) != 0; });
  open.add(std::move(cause), all, group.front());
}

// --- what comes in one read with another message is lost

void second_of_a_read(Explainer& open) {
  const auto crowded = [](const Clue& clue) {
    return clue.symptom == oracle::Symptom::kHang && clue.crowded;
  };
  const Group group = open.matching(crowded);
  const std::string clause = open.first_that_applies({"mcp.stdio.coalesced-input"});
  if (clause == open.canary() || open.clues().crowded_answered > 0) return;
  if (cases_of(group).size() < kSeveral || open.clues().canaries_answered == 0) return;
  Cause cause;
  cause.requirement = clause;
  cause.title = "Of several messages that come at once only the first is answered";
  cause.sentence = fmt::format(
      "A {} that comes right behind another message is never answered, one that comes by itself is",
      open.asked().method);
  const Group all =
      open.claim([](const Clue& clue) { return clue.symptom == oracle::Symptom::kHang; });
  open.add(std::move(cause), all, group.front());
}

// --- a reply is kept until there is something else to write

void held_back(Explainer& open) {
  const auto held = [](const Clue& clue) { return clue.held_back; };
  const Group group = open.matching(held);
  const std::string clause = open.first_that_applies({"mcp.stdio.flush"});
  if (clause == open.canary() || cases_of(group).size() < kSeveral) return;
  Cause cause;
  cause.requirement = clause;
  cause.title = "A reply is held back until the next message";
  cause.sentence = fmt::format(
      "The reply to {} comes only when something else is sent: it is not flushed when it is ready",
      group.front()->trigger.method);
  const std::set<std::string> cases = cases_of(group);
  const Group all = open.claim([&](const Clue& clue) {
    return held(clue) || (clue.oracle.empty() && cases.count(clue.ref.case_id) != 0 &&
                          clue.symptom == oracle::Symptom::kSilence);
  });
  open.add(std::move(cause), all, group.front());
}

// --- what is asked to see whether the target is still there is never answered

void canary_silent(Explainer& open) {
  const auto hangs = [](const Clue& clue) { return clue.symptom == oracle::Symptom::kHang; };
  const Group group = open.matching(hangs);
  const std::size_t hung = cases_of(group).size();
  if (hung < kSeveral || hung <= open.passed()) return;
  // Where it is answered otherwise, what all of them are may be what silences it.
  const bool odd = std::all_of(group.begin(), group.end(), [&](const Clue* clue) {
    return !clue->trigger.valid && clue->trigger.seq != 0 &&
           kind_of(*clue) == kind_of(*group.front());
  });
  if (odd && open.clues().canaries_answered > 0) return;
  const std::string method = open.asked().method;
  Cause cause;
  cause.requirement = open.first_that_applies({"mcp.ping.prompt"});
  cause.title = method + " is not answered, or too late";
  cause.sentence = fmt::format("No answer to {} comes in the time that any answer gets here, "
                               "whatever was asked before it", method);
  const Group all = open.claim(hangs);
  open.add(std::move(cause), all);
}

// --- nothing more is answered after a message

// Something in it was in no message that did no harm. All that is said to a server that has fallen
// silent is not answered either.
bool stands_out(const Clue& clue, const std::set<std::string>& harmless) {
  if (clue.trigger.seq == 0) return false;
  if (!clue.trigger.valid) return true;
  return std::any_of(clue.trigger.members.begin(), clue.trigger.members.end(),
                     [&](const auto& member) {
                       return harmless.count(member.first + "=" + member.second) == 0;
                     });
}

// Of those that fell silent, on a server that all share, the one that is about what a server has to
// survive is more likely the one that began it.
const Clue& culprit_of(const Explainer& open, const Group& group) {
  for (const Clue* clue : group)
    if (!open.clause_of_case(*clue, "surviv").empty()) return *clue;
  return smallest(group);
}

// `culprits` of all that hangs show it.
void add_wedge(Explainer& open, const Group& all, const Group& culprits,
               const std::string& common) {
  const bool shared = !wire::traits_of(open.context().transport).process;
  const Clue& first = shared ? culprit_of(open, culprits) : smallest(culprits);
  const std::string member = common.empty() ? own_member(first, open.clues().survived) : common;
  const std::string what = kind_of(culprits, first) + (member == "method" ? "" : whose(first, member));
  Cause cause;
  cause.requirement = clause_of_harm(open, shared ? Group{&first} : culprits, first);
  const std::string canary = open.asked().method;
  if (first.came.status >= 500) {
    cause.title = fmt::format("After {} all is answered with HTTP {}", what, first.came.status);
    cause.sentence = fmt::format("After {} the server answers all with HTTP {}, also {}", what,
                                 first.came.status, canary);
  } else {
    cause.title = "After " + what + " nothing more is answered";
    cause.sentence = fmt::format("After {} {} answers nothing more, not even {}", what,
                                 shared ? "the server" : "the process", canary);
  }
  open.add(std::move(cause), all, &first);
}

void wedged(Explainer& open) {
  const bool shared = !wire::traits_of(open.context().transport).process;
  const auto hangs = [](const Clue& clue) {
    return clue.symptom == oracle::Symptom::kHang && clue.oracle.empty();
  };
  for (;;) {
    Group group = open.matching([&](const Clue& clue) {
      return hangs(clue) && stands_out(clue, open.clues().survived);
    });
    if (group.empty()) return;
    // A server that all share refuses everyone from then on.
    const bool refuses = shared && group.front()->came.status >= 500;
    if (refuses) group = {&culprit_of(open, group)};
    const Likeness like = narrow(group, open);
    const std::set<std::string> cases = cases_of(group);
    const Group all = open.claim([&](const Clue& clue) {
      const bool refused = refuses && clue.came.status >= 500 && !clue.came.message;
      if (!hangs(clue)) return refused;
      const bool victim = refused || (shared && !stands_out(clue, open.clues().survived));
      return like.is(clue) || victim || cases.count(clue.ref.case_id) != 0;
    });
    add_wedge(open, all, group, like.common);
  }
}

}  // namespace

std::optional<LengthRange> suspected_length(const Clues& clues) {
  Group group;
  for (const Clue& clue : clues.all)
    if (is_long(clue)) group.push_back(&clue);
  if (group.empty()) return std::nullopt;
  const std::uint64_t least = shortest(group).trigger.bytes;
  if (clues.longest_survived >= least) return std::nullopt;
  return LengthRange{clues.longest_survived, least};
}

void apply_harm_rules(Explainer& open) {
  too_long(open);
  ended_once(open);
  ended(open);
  blocked(open);
  held_up(open);
  second_of_a_read(open);
  held_back(open);
  canary_silent(open);
  wedged(open);
}

}  // namespace harness::run
