// SPDX-License-Identifier: Apache-2.0
// A rule asks for several cases that have something in common, and takes their clues for one cause.
#include "harness/run/cause_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/spec/protocol.h"

namespace harness::run {
namespace {

constexpr std::size_t kSeveral = 3;              // cases, before they are laid to one thing
constexpr std::uint64_t kLongMessage = 4 << 10;  // bytes: nothing shorter is "too long"

std::string size_text(std::uint64_t bytes) {
  if (bytes >= 2 << 20) return fmt::format("{} MiB", bytes >> 20);
  if (bytes >= 2 << 10) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} bytes", bytes);
}

std::string refusal_text(const Came& came) {
  std::string out = came.status >= 400 ? fmt::format("HTTP {}", came.status) : "";
  if (!came.code.empty()) out += (out.empty() ? "error " : ", error ") + came.code;
  if (!came.text.empty()) out += " (“" + came.text + "”)";
  return out;
}

bool is_refused(const Clue& clue) {
  return clue.symptom == oracle::Symptom::kAnswer &&
         (!clue.came.code.empty() || clue.came.status >= 400);
}

bool about_several_methods(const Group& group) {
  std::set<std::string> methods;
  for (const Clue* clue : group) methods.insert(clue->trigger.method);
  return methods.size() > 1;
}

std::string how(trace::Change change, const std::string& example) {
  switch (change) {
    case trace::Change::kType:
      return "it comes back as another type, such as " + example;
    case trace::Change::kConstant:
      return "whatever was asked, " + example + " comes back";
    case trace::Change::kPrevious:
      return "that of the request before comes back";
    case trace::Change::kLost:
      return "null comes back, or no id at all";
    default:
      return "something else comes back, such as " + example;
  }
}

std::string in_brackets(const std::string& text) { return text.empty() ? "" : " (" + text + ")"; }

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text;
}

// What cannot be told apart by members: by kind.
std::string kind_of(const Clue& clue) {
  if (!clue.trigger.is_json) return "text that is not JSON";
  if (clue.trigger.valid && (clue.trigger.kind == wire::MessageKind::kResponse ||
                             clue.trigger.kind == wire::MessageKind::kErrorResponse))
    return "an answer to a request of the server";
  if (!clue.trigger.valid) return "JSON that is no valid message";
  return (clue.trigger.kind == wire::MessageKind::kNotification ? "the notification "
                                                                : "the request ") +
         clue.trigger.method;
}

bool has_member(const Clue& clue, const std::string& word) {
  const std::size_t equals = word.find('=');
  const auto found = clue.trigger.members.find(word.substr(0, equals));
  if (found == clue.trigger.members.end()) return false;
  return equals == std::string::npos || found->second == word.substr(equals + 1);
}

// The member ("path=text", or "path" with whatever value no other message had) that most cases of
// the group have in common, and that nothing had which did no harm. "" when there is none.
std::string common_to(const Group& group, const std::set<std::string>& harmless) {
  std::map<std::string, std::set<std::string>> cases;
  for (const Clue* clue : group) {
    if (!clue->trigger.valid) continue;
    for (const auto& [path, text] : clue->trigger.members) {
      const std::string word = path + "=" + text;
      if (harmless.count(word) != 0) continue;
      cases[word].insert(clue->ref.case_id + clue->row);
      cases[path].insert(clue->ref.case_id + clue->row);
    }
  }
  std::string best;
  std::size_t most = 0;
  for (const auto& [word, where] : cases) {
    const bool exact = word.find('=') != std::string::npos;
    const bool better = where.size() > most ||
                        (where.size() == most && exact && best.find('=') == std::string::npos);
    if (!better) continue;
    best = word;
    most = where.size();
  }
  return most > 1 ? best : "";
}

// " whose params.version is "1"", of a clue that has the member.
std::string whose(const Clue& clue, const std::string& common) {
  if (common.empty() || common.starts_with("method=")) return "";
  const std::string path = common.substr(0, common.find('='));
  const auto found = clue.trigger.members.find(path);
  return found == clue.trigger.members.end() ? ""
                                             : fmt::format(" whose {} is {}", path, found->second);
}

const Clue& smallest(const Group& group) {
  return **std::min_element(group.begin(), group.end(), [](auto* a, auto* b) {
    return std::pair(!a->oracle.empty(), a->trigger.bytes) <
           std::pair(!b->oracle.empty(), b->trigger.bytes);
  });
}

// Every request after the handshake is refused with the same words.
void refused_altogether(Explainer& open) {
  // Where an error is the usual reply, it is no refusal.
  const bool served = open.clues().canaries_answered > 0;
  if (served || spec::canary_of(open.context().profile).answered_by_error) return;
  std::map<std::string, Group> by_words;
  for (const Clue* clue : open.matching(is_refused))
    if (clue->trigger.valid && clue->trigger.method != "initialize")
      by_words[refusal_text(clue->came)].push_back(clue);
  for (const auto& [words, group] : by_words) {
    if (cases_of(group).size() < kSeveral || group.size() * 2 < open.left()) continue;
    if (!about_several_methods(group)) continue;
    const Clue& first = *group.front();
    const bool session = ascii::lower(first.came.text).find("session") != std::string::npos;
    const bool named = first.trigger.names_session;
    const bool never_given =
        session && open.context().transport == wire::TransportKind::kHttp && !named;
    Cause cause;
    cause.requirement =
        never_given ? open.first_that_applies({"mcp.http.session-assigned"}) : open.canary();
    cause.title = never_given ? "A session id is demanded that was never given"
                              : "Every request after the handshake is refused";
    cause.sentence = fmt::format("Every request after initialize is refused with {}", words);
    if (never_given)
      cause.sentence += ", although the answer to initialize had no Mcp-Session-Id";
    else if (named)
      cause.sentence += ", although it names the session that initialize began";
    const Clue* lead = &first;
    const std::set<std::string> cases = cases_of(group);
    const std::string text = words;
    // What an oracle saw besides is another matter.
    const Group all = open.claim([&](const Clue& clue) {
      const bool same = is_refused(clue) && refusal_text(clue.came) == text;
      return same || (clue.oracle.empty() && (clue.symptom != oracle::Symptom::kAnswer ||
                                              cases.count(clue.ref.case_id) != 0));
    });
    open.add(std::move(cause), all, lead);
    return;
  }
}

void ids_altered(Explainer& open) {
  std::size_t strings = 0, numbers = 0, altered = 0, where = 0;
  std::map<trace::Change, std::size_t> cases;
  std::string example;
  for (const auto& [id, tally] : open.clues().ids) {
    strings += tally.kept_strings;
    numbers += tally.kept_numbers;
    where += !tally.altered.empty();
    for (const auto& [change, count] : tally.altered) {
      ++cases[change];
      altered += count;
    }
    if (example.empty()) example = tally.example;
  }
  trace::Change most = trace::Change::kNone;
  for (const auto& [change, count] : cases)
    if (most == trace::Change::kNone || count > cases[most]) most = change;
  // What a reader cannot hold are ids of one kind; the clause about that kind says so.
  if (most == trace::Change::kFraction || most == trace::Change::kRounded ||
      most == trace::Change::kCut)
    return;
  // Where only strings come back as something else, numbers that are kept say nothing of them.
  const bool made_string = example.starts_with('"');
  const bool of_strings =
      most == trace::Change::kText || (most == trace::Change::kType && !made_string);
  const std::size_t kept = of_strings                     ? strings
                           : most == trace::Change::kType ? numbers
                                                          : strings + numbers;
  if (where < kSeveral || altered < kept) return;
  Cause cause;
  cause.requirement =
      open.first_that_applies({"mcp.base.response-same-id", "jsonrpc.id.string-echo",
                               "tutorial.jsonrpc.response-id-matches"});
  cause.title = of_strings ? "Replies do not carry the string ids of their requests"
                           : "Replies do not carry the id of their request";
  cause.sentence = "No reply carries the id of its request: " + how(most, example);
  const Group all = open.claim([&](const Clue& clue) {
    if (!clue.oracle.empty()) return clue.oracle == "replies";
    const auto tally = open.clues().ids.find(clue.ref.case_id);
    return clue.symptom != oracle::Symptom::kAnswer ||
           (tally != open.clues().ids.end() && !tally->second.altered.empty());
  });
  // Shown by what came and not by what did not, if it can be by the clause itself.
  const std::string clause = cause.requirement;
  const auto came = [](const Clue* clue) {
    return clue->answered && clue->symptom == oracle::Symptom::kAnswer &&
           clue->trigger.bytes < kLongMessage;
  };
  auto shown = std::find_if(all.begin(), all.end(), [&](const Clue* clue) {
    return came(clue) && clue->requirement == clause && clue->oracle.empty();
  });
  if (shown == all.end()) shown = std::find_if(all.begin(), all.end(), came);
  open.add(std::move(cause), all, shown == all.end() ? nullptr : *shown);
}

// What is asked to see whether the target is still there is refused, so everything looks broken.
void canary_refused(Explainer& open) {
  const spec::Canary canary = spec::canary_of(open.context().profile);
  if (canary.answered_by_error || open.clues().canaries_answered > 0) return;
  const auto refused = [&](const Clue& clue) {
    return is_refused(clue) && clue.trigger.valid && clue.trigger.method == canary.method;
  };
  const Group group = open.matching(refused);
  if (cases_of(group).size() < kSeveral) return;
  const Clue& first = *group.front();
  Cause cause;
  cause.requirement = open.canary();
  cause.title = canary.method + " is refused";
  cause.sentence = fmt::format(
      "{} is answered with {}; whatever was asked beside it could not be "
      "judged",
      canary.method, refusal_text(first.came));
  const Group all = open.claim([&](const Clue& clue) {
    return refused(clue) || (clue.trigger.method == canary.method && clue.oracle.empty());
  });
  open.add(std::move(cause), all);
}

// Messages over a length end the process, or are never answered.
void too_long(Explainer& open) {
  const auto is_long = [](const Clue& clue) {
    return clue.symptom != oracle::Symptom::kAnswer && clue.trigger.bytes >= kLongMessage;
  };
  const Group group = open.matching(is_long);
  if (cases_of(group).size() < 2) return;
  const Clue& least = **std::min_element(group.begin(), group.end(), [](auto* a, auto* b) {
    return a->trigger.bytes < b->trigger.bytes;
  });
  if (open.clues().longest_survived >= least.trigger.bytes) return;
  const bool dies = least.symptom == oracle::Symptom::kEnd;
  Cause cause;
  cause.requirement = open.best_of(group, {"mcp.stdio.long-line", "json.limit.text-size"});
  cause.title = dies ? "A long message ends the connection" : "A long message is never answered";
  cause.sentence = fmt::format(
      "A message of {} {}", size_text(least.trigger.bytes),
      dies ? "ends it" + in_brackets(least.end) : "is not answered, nor what comes after it");
  if (open.clues().longest_survived > 0)
    cause.sentence +=
        fmt::format("; one of {} was answered", size_text(open.clues().longest_survived));
  // Those after a death are cut off with it.
  const Group all = open.claim(is_long);
  open.add(std::move(cause), all, &least);
}

// --- the end of the process, by what brought it about

void add_end(Explainer& open, const Group& group, const std::string& common) {
  const Clue& first = smallest(group);
  Cause cause;
  if (first.trigger.valid || first.trigger.cut || first.trigger.seq == 0)
    cause.requirement = open.most_broken(group);
  else if (first.trigger.is_json)
    cause.requirement = open.first_that_applies({"jsonrpc.robust.survives-invalid-request"});
  else
    cause.requirement = open.first_that_applies(
        {"mcp.stdio.invalid-line-survival", "jsonrpc.robust.survives-parse-error"});
  std::string what = first.trigger.seq == 0 ? "what was sent last" : kind_of(first);
  what += whose(first, common);
  const bool process = !first.end.empty() && first.end.find("exit") != std::string::npos;
  cause.title = capital(what) + " ends " + (process ? "the process" : "the connection");
  cause.sentence = fmt::format("{} ends {}{}", capital(what),
                               process ? "the process" : "the connection", in_brackets(first.end));
  open.add(std::move(cause), group, &first);
}

void ended(Explainer& open) {
  for (;;) {
    Group group = open.matching([](const Clue& clue) {
      return clue.symptom == oracle::Symptom::kEnd && clue.oracle.empty();
    });
    // Oracles saw one that no case did; they do not say what was sent last.
    if (group.empty())
      group = open.matching([](const Clue& clue) { return clue.symptom == oracle::Symptom::kEnd; });
    if (group.empty()) return;
    const std::string common = common_to(group, open.clues().survived);
    const auto alike = [&](const Clue& clue) {
      return common.empty() ? kind_of(clue) == kind_of(*group.front()) : has_member(clue, common);
    };
    std::erase_if(group, [&](const Clue* clue) { return !alike(*clue); });
    const std::set<std::string> cases = cases_of(group);
    const Group all = open.claim([&](const Clue& clue) {
      if (clue.symptom != oracle::Symptom::kEnd) return false;
      return alike(clue) || (!clue.oracle.empty() && cases.count(clue.row) != 0);
    });
    add_end(open, all, common);
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
  cause.requirement = open.first_that_applies({"mcp.stdio.concurrent-requests"});
  cause.title = "Nothing else is read while a call is worked on";
  cause.sentence =
      "While a call is worked on, no other request is answered and nothing that belongs to the "
      "call is read";
  const std::string requirement = cause.requirement;
  const Group all =
      open.claim([&](const Clue& clue) { return hangs(clue) || clue.requirement == requirement; });
  open.add(std::move(cause), all, group.front());
}

// --- what is not to be answered is

void notifications_answered(Explainer& open) {
  const auto is_reply = [](const Clue& clue) {
    return clue.answered && clue.trigger.valid && clue.oracle.empty() &&
           clue.symptom == oracle::Symptom::kAnswer &&
           clue.trigger.kind == wire::MessageKind::kNotification;
  };
  const Group group = open.matching(is_reply);
  const std::set<std::string> cases = cases_of(group);
  if (cases.size() < kSeveral) return;
  static const std::set<std::string> kOfReplies = {"envelope", "replies", "model"};
  Cause cause;
  cause.requirement =
      open.best_of(group, {"mcp.base.notification-no-response", "jsonrpc.notification.no-reply"});
  cause.title = "Notifications are answered";
  cause.sentence = "A notification is answered, which is to get no response";
  const Group all = open.claim([&](const Clue& clue) {
    return is_reply(clue) || (kOfReplies.count(clue.oracle) != 0 && cases.count(clue.row) != 0);
  });
  open.add(std::move(cause), all);
}

// --- an exchange ends without what it was for

void streams_without_reply(Explainer& open) {
  const auto empty = [](const Clue& clue) {
    return clue.symptom == oracle::Symptom::kAnswer && clue.oracle.empty() && clue.answered &&
           clue.came.status == 200 && !clue.came.message && clue.garbled.empty() &&
           clue.trigger.valid && clue.trigger.kind == wire::MessageKind::kRequest;
  };
  if (cases_of(open.matching(empty)).size() < kSeveral) return;
  Cause cause;
  cause.requirement =
      open.first_that_applies({"mcp.http.no-early-close", "mcp.http.response-eventually",
                               "mcp.http26.response-ends-stream"});
  cause.title = "The answer to a POST ends without the reply";
  cause.sentence = "HTTP 200 comes for a request, and its body or stream ends without the response";
  const Group all = open.claim(empty);
  open.add(std::move(cause), all);
}

// --- requests are refused for something they have in common

void refused_for_a_member(Explainer& open) {
  // Where an error is the usual reply, it is no refusal.
  if (spec::canary_of(open.context().profile).answered_by_error) return;
  std::map<std::string, Group> by_words;
  for (const Clue* clue : open.matching(is_refused))
    if (clue->trigger.valid && clue->trigger.kind == wire::MessageKind::kRequest)
      by_words[refusal_text(clue->came)].push_back(clue);
  for (const auto& [words, group] : by_words) {
    const std::string common = common_to(group, open.clues().served);
    if (common.empty() || common.starts_with("method")) continue;
    Group with;
    for (const Clue* clue : group)
      if (has_member(*clue, common)) with.push_back(clue);
    if (cases_of(with).size() < kSeveral || with.size() * 2 < group.size()) continue;
    const std::string text = words;
    const Clue& first = smallest(with);
    Cause cause;
    cause.requirement = common.starts_with("id=")
                            ? open.best_of(with, {"mcp.base.request-id.string-and-integer-accepted",
                                                  "jsonrpc.id.string-echo"})
                            : open.most_broken(with);
    const std::string what = "A request" + whose(first, common) + " is refused";
    cause.title = what;
    cause.sentence = what + " with " + words;
    const Group all = open.claim([&](const Clue& clue) {
      return is_refused(clue) && has_member(clue, common) && refusal_text(clue.came) == text;
    });
    open.add(std::move(cause), all);
  }
}

// --- one wrong code for methods that do not exist

void unknown_methods(Explainer& open) {
  static const std::set<std::string> kClauses = {"mcp.base.unknown-method",
                                                 "mcp.base.unknown-method-modern",
                                                 "jsonrpc.error.method-not-found-code"};
  const Group about = open.matching(
      [](const Clue& clue) { return kClauses.count(clue.requirement) != 0 && is_refused(clue); });
  if (about.empty()) return;
  const std::string code = about.front()->came.code;
  const std::string requirement = about.front()->requirement;
  const Group all = open.claim([&](const Clue& clue) {
    return clue.requirement == requirement ||
           (is_refused(clue) && clue.came.code == code && clue.trigger.valid &&
            clue.trigger.kind == wire::MessageKind::kRequest &&
            !spec::protocol().find(clue.trigger.method, open.context().profile));
  });
  Cause cause;
  cause.requirement = requirement;
  cause.title = "A method that does not exist is refused with the wrong code";
  cause.sentence =
      "A method that does not exist is refused with " + refusal_text(about.front()->came);
  open.add(std::move(cause), all, about.front());
}

// --- whatever is wrong with a message, the same comes for it

// What came, so far as it tells one way to refuse from another.
std::string way(const Clue& clue) {
  if (clue.symptom == oracle::Symptom::kSilence) return "not answered";
  if (clue.symptom != oracle::Symptom::kAnswer || !clue.answered) return "";
  std::string out;
  if (!clue.came.code.empty()) out = "error " + clue.came.code;
  if (clue.came.status > 0 && clue.came.status != 200)
    out = fmt::format("HTTP {}{}", clue.came.status, out.empty() ? "" : " and " + out);
  return out.empty() ? "" : "answered with " + out;
}

void refused_alike(Explainer& open, const char* what, std::initializer_list<const char*> clauses,
                   const Explainer::Which& which) {
  std::map<std::string, std::set<std::string>> ways;
  const auto fits = [&](const Clue& clue) {
    return clue.trigger.seq != 0 && clue.trigger.kind != wire::MessageKind::kBatch && which(clue) &&
           !way(clue).empty();
  };
  for (const Clue* clue : open.matching(fits)) ways[way(*clue)].insert(clue->requirement);
  for (const auto& [way_of_all, broken] : ways) {
    if (broken.size() < kSeveral) continue;
    const std::string wanted = way_of_all;
    Cause cause;
    cause.requirement = open.first_that_applies(clauses);
    cause.title = fmt::format("{} is {}", what, wanted);
    cause.sentence = fmt::format("{} is {}, whatever is wrong with it", what, wanted);
    const Group all =
        open.claim([&](const Clue& clue) { return fits(clue) && way(clue) == wanted; });
    open.add(std::move(cause), all);
  }
}

}  // namespace

void apply_rules(Explainer& open) {
  refused_altogether(open);
  ids_altered(open);
  canary_refused(open);
  too_long(open);
  ended(open);
  blocked(open);
  notifications_answered(open);
  streams_without_reply(open);
  unknown_methods(open);
  refused_for_a_member(open);
  refused_alike(open, "Text that is not JSON", {"jsonrpc.error.parse-error-code"},
                [](const Clue& clue) { return !clue.trigger.is_json; });
  refused_alike(open, "JSON that is no valid message", {"jsonrpc.error.invalid-request-code"},
                [](const Clue& clue) { return clue.trigger.is_json && !clue.trigger.valid; });
}

}  // namespace harness::run
