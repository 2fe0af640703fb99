// SPDX-License-Identifier: Apache-2.0
// A rule asks for several cases that have something in common, and takes their clues for one cause.
#include "harness/run/cause_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/run/cause_words.h"
#include "harness/run/connection_rules.h"
#include "harness/run/contact_rules.h"
#include "harness/run/harm_rules.h"
#include "harness/run/reply_rules.h"
#include "harness/spec/known.h"
#include "harness/spec/protocol.h"

namespace harness::run {
namespace {

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

// Every request after the handshake is refused with the same words.
void refused_altogether(Explainer& open) {
  // Where an error is the usual reply, it is no refusal.
  const bool served = open.clues().canaries_answered > 0;
  if (served || open.asked().answered_by_error) return;
  std::map<std::string, Group> by_words;
  for (const Clue* clue : open.matching(is_refused))
    if (clue->trigger.valid && clue->trigger.method != "initialize")
      by_words[refusal_text(clue->came)].push_back(clue);
  for (const auto& [words, group] : by_words) {
    if (cases_of(group).size() < kSeveral || group.size() * 2 < open.left()) continue;
    if (!about_several_methods(group)) continue;
    const Clue& first = *group.front();
    // What comes over a server in the middle of a run is laid to what brought it about.
    if (first.came.status >= 500 && open.passed() > cases_of(group).size()) continue;
    const bool session = ascii::lower(first.came.text).find("session") != std::string::npos;
    const bool named = first.trigger.names_session || open.clues().sessions_given;
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

// Of a handshake that has nothing in it but what the revision defines.
constexpr const char* kSpoken = "mcp.lifecycle.version-supported-echo";

// Cases about something else fail at their handshake, as one about the handshake does.
void initialize_refused(Explainer& open) {
  const auto at_initialize = [](const Clue& clue) {
    return is_refused(clue) && clue.oracle.empty() && clue.trigger.method == "initialize";
  };
  const Group refused = open.matching(at_initialize);
  // What the revision itself defines is no matter of what a client may say beyond it.
  auto about_it = std::find_if(refused.begin(), refused.end(),
                               [](const Clue* clue) { return clue->requirement == kSpoken; });
  if (about_it == refused.end())
    about_it = std::find_if(refused.begin(), refused.end(), [](const Clue* clue) {
      return clue->requirement.starts_with("mcp.lifecycle.");
    });
  if (about_it == refused.end() || cases_of(refused).size() < 2) return;
  const Clue& lead = **about_it;
  const std::string code = lead.came.code;
  const auto likewise = [&](const Clue& clue) {
    return at_initialize(clue) && clue.came.code == code && clue.came.status == lead.came.status;
  };
  if (cases_of(open.matching(likewise)).size() < 2) return;
  Cause cause;
  cause.requirement = lead.requirement;
  cause.title = "initialize is refused";
  cause.sentence = "initialize is refused with " + refusal_text(lead.came);
  const Group all = open.claim(likewise);
  open.add(std::move(cause), all, &lead);
}

// All that is refused has ids of one kind, and no request with such an id is served.
bool refuses_a_kind_of_id(const Explainer& open) {
  const Group refused = open.matching([](const Clue& clue) {
    return is_refused(clue) && clue.trigger.valid &&
           clue.trigger.kind == wire::MessageKind::kRequest;
  });
  return cases_of(refused).size() >= kSeveral &&
         common_to(refused, open.clues().served).starts_with("id=");
}

void ids_altered(Explainer& open) {
  std::size_t strings = 0, numbers = 0, altered = 0, where = 0;
  std::size_t kept_by_errors = 0, altered_by_errors = 0;
  std::map<trace::Change, std::size_t> cases;
  std::string example;
  for (const auto& [id, tally] : open.clues().ids) {
    strings += tally.kept_strings;
    numbers += tally.kept_numbers;
    kept_by_errors += tally.kept_by_errors;
    altered_by_errors += tally.altered_by_errors;
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
      most == trace::Change::kBits || most == trace::Change::kCut)
    return;
  // Where only strings come back as something else, numbers that are kept say nothing of them.
  const bool made_string = example.starts_with('"');
  const bool of_strings =
      most == trace::Change::kText || (most == trace::Change::kType && !made_string);
  // Errors lose what results keep.
  const bool of_errors = most == trace::Change::kLost && altered_by_errors == altered;
  const std::size_t kept = of_errors                      ? kept_by_errors
                           : of_strings                   ? strings
                           : most == trace::Change::kType ? numbers
                                                          : strings + numbers;
  // Where each reply has the id of the request before, it looks like a late one to that; where it
  // is told at all, it is told of all replies.
  const bool previous = most == trace::Change::kPrevious;
  if (previous ? altered < kSeveral : where < kSeveral || altered < kept) return;
  if (of_errors && refuses_a_kind_of_id(open)) return;
  Cause cause;
  if (of_errors) {
    cause.requirement = open.first_that_applies(
        {"mcp.base.error-readable-id-required", "jsonrpc.id.echo-on-error",
         "mcp.base.response-same-id", "tutorial.jsonrpc.response-id-matches"});
    cause.title = "Errors do not carry the id of their request";
    cause.sentence = "No error carries the id of its request: " + how(most, example);
  } else {
    cause.requirement =
        open.first_that_applies({"mcp.base.response-same-id", "jsonrpc.id.string-echo",
                                 "tutorial.jsonrpc.response-id-matches"});
    cause.title = of_strings ? "Replies do not carry the string ids of their requests"
                             : "Replies do not carry the id of their request";
    cause.sentence = "No reply carries the id of its request: " + how(most, example);
  }
  const Group all = open.claim([&](const Clue& clue) {
    // A reply that is taken for that to another request has another shape.
    static const std::set<std::string> kOfReplies = {"replies", "shapes", "model", "meta"};
    if (!clue.oracle.empty())
      return previous ? kOfReplies.count(clue.oracle) != 0 : clue.oracle == "replies";
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

// --- bytes that belong to no message

// HTTP: a second answer on a connection, or anything else behind the end of one. What is asked next
// there gets it for its answer.
void behind_the_answer(Explainer& open) {
  const auto surplus = [](const Clue& clue) { return clue.surplus; };
  const Group group = open.matching(surplus);
  if (group.empty()) return;
  Cause cause;
  cause.requirement = group.front()->requirement;
  cause.title = "More comes on a connection than the answer";
  cause.sentence =
      "Behind the end of an HTTP answer more bytes come that nobody asked for, and whatever is "
      "asked next on the connection finds them in its place";
  const std::string requirement = cause.requirement;
  const Group all =
      open.claim([&](const Clue& clue) { return surplus(clue) || clue.garbled == requirement; });
  open.add(std::move(cause), all, group.front());
}

// Content-Length is not the length of what follows.
void wrong_lengths(Explainer& open) {
  const auto misframed = [](const Clue& clue) { return clue.misframed; };
  const Group group = open.matching(misframed);
  if (group.empty()) return;
  const Clues& clues = open.clues();
  const bool characters = clues.misframed_wide > 1 && clues.misframed_ascii == 0;
  const std::string requirement = group.front()->requirement;
  Cause cause;
  // The framing is that of the Language Server Protocol, whatever is framed.
  constexpr const char* kLength = "lsp.framing.length-bytes-out";
  cause.requirement = open.context().registry.find(kLength) ? kLength : requirement;
  cause.title = characters ? "Content-Length counts characters, not bytes"
                           : "Content-Length is not the length of the message";
  cause.sentence =
      characters
          ? "Content-Length is too small by the bytes that characters beyond ASCII take more than "
            "one of, so that messages with such characters are cut off"
          : "Behind a message of the length that its header tells, other bytes come than a header";
  std::set<std::string> cases;
  for (const Clue& clue : clues.all)
    if (clue.garbled == requirement) cases.insert(clue.ref.case_id);
  const Group all = open.claim([&](const Clue& clue) {
    return misframed(clue) || cases.count(clue.ref.case_id) != 0 ||
           (!clue.oracle.empty() && cases.count(clue.row) != 0);
  });
  open.add(std::move(cause), all, group.front());
}

// The request that every server of the profile answers is refused. Where another was asked in its
// place to see whether the target is there, nothing else depends on it; else everything looks
// broken.
void canary_refused(Explainer& open) {
  const spec::Canary canary = spec::canary_of(open.context().profile);
  const bool replaced = open.asked().method != canary.method || open.asked().answered_by_error;
  if (canary.answered_by_error || (!replaced && open.clues().canaries_answered > 0)) return;
  const auto refused = [&](const Clue& clue) {
    return is_refused(clue) && clue.trigger.valid && clue.trigger.method == canary.method;
  };
  const Group group = open.matching(refused);
  if (cases_of(group).size() < (replaced ? 1u : kSeveral)) return;
  const Clue& first = *group.front();
  Cause cause;
  cause.requirement = spec::canary_requirement(open.context().profile, canary);
  cause.title = canary.method + " is refused";
  cause.sentence =
      fmt::format("{} is answered with {}; {}", canary.method, refusal_text(first.came),
                  replaced ? "everything else was judged without it"
                           : "whatever was asked beside it could not be judged");
  const Group all = open.claim([&](const Clue& clue) {
    return refused(clue) || (clue.trigger.method == canary.method && clue.oracle.empty());
  });
  open.add(std::move(cause), all, &first);
}

// What is asked to see whether the target is still there gets a result, and not the one it has.
void canary_answered_wrongly(Explainer& open) {
  const spec::Canary& canary = open.asked();
  const auto of_canary = [&](const Clue& clue) {
    return clue.symptom == oracle::Symptom::kAnswer && clue.trigger.valid && clue.came.message &&
           clue.trigger.method == canary.method && !is_refused(clue);
  };
  const Group group = open.matching([&](const Clue& clue) {
    return of_canary(clue) && clue.oracle.empty() && clue.requirement == open.canary();
  });
  if (canary.answered_by_error || cases_of(group).size() < kSeveral) return;
  Cause cause;
  cause.requirement = open.canary();
  cause.by_clause = true;
  open.add(std::move(cause), open.claim(of_canary), &open.shown_by(group, open.canary()));
}

// --- requests are refused for something they have in common

// `wrongly`: an error is due, and another comes.
void refused_for_a_member(Explainer& open, bool wrongly) {
  // Where an error is the usual reply, it is no refusal.
  if (open.asked().answered_by_error) return;
  std::map<std::string, Group> by_words;
  // What is said of HTTP is about headers, not about what the message holds.
  for (const Clue* clue : open.matching(is_refused))
    if (clue->trigger.valid && clue->trigger.kind == wire::MessageKind::kRequest &&
        clue->wants_error == wrongly && !clue->requirement.starts_with("mcp.http"))
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
    cause.title = what + (wrongly ? " with the wrong error" : "");
    cause.sentence = what + " with " + words;
    const Group all = open.claim([&](const Clue& clue) {
      return is_refused(clue) && has_member(clue, common) && refusal_text(clue.came) == text;
    });
    open.add(std::move(cause), all, &first);
  }
}

// --- one wrong code for methods that do not exist

// The same comes for both, or the same does not.
bool came_likewise(const Clue& a, const Clue& b) {
  return a.symptom == b.symptom && a.answered == b.answered && a.came.code == b.came.code &&
         a.came.status == b.came.status && a.came.message == b.came.message;
}

std::string without_reply(const Clue& clue) {
  return clue.came.status == 0
             ? "is not answered"
             : fmt::format("is answered with HTTP {} and no response", clue.came.status);
}

void unknown_methods(Explainer& open) {
  static const std::set<std::string> kClauses = {"mcp.base.unknown-method",
                                                 "mcp.base.unknown-method-modern",
                                                 "jsonrpc.error.method-not-found-code"};
  const Group about = open.matching([&](const Clue& clue) {
    return kClauses.count(clue.requirement) != 0 && (is_refused(clue) || is_unheard(clue)) &&
           (is_refused(clue) || clue.oracle.empty()) && !is_broken_below(clue) &&
           clue.came.code != "-32601";
  });
  if (about.empty()) return;
  const Clue first = *about.front();
  // With params it is refused as it should be.
  const auto with_params = [](const Clue* clue) {
    const auto& members = clue->trigger.members;
    const auto from = members.lower_bound("params");
    return from != members.end() && from->first.starts_with("params");
  };
  const bool bare = is_refused(first) && open.clues().usual_error == -32601 &&
                    std::none_of(about.begin(), about.end(), with_params);
  const Group all = open.claim([&](const Clue& clue) {
    if (bare && with_params(&clue)) return false;
    const bool same = is_refused(first) ? is_refused(clue) && clue.came.code == first.came.code
                                        : came_likewise(clue, first);
    return clue.requirement == first.requirement ||
           (same && clue.trigger.valid && clue.trigger.kind == wire::MessageKind::kRequest &&
            !spec::protocol().find(clue.trigger.method, open.context().profile));
  });
  Cause cause;
  if (bare) {
    cause.requirement =
        open.first_that_applies({"lsp.requests.params-omitted", "jsonrpc.request.params-omitted"});
    cause.title = "A request without params is refused";
    cause.sentence = cause.title + " with " + refusal_text(first.came);
    return open.add(std::move(cause), all, about.front());
  }
  cause.requirement = first.requirement;
  cause.title = is_refused(first) ? "A method that does not exist is refused with the wrong code"
                                  : "A method that does not exist gets no response";
  cause.sentence =
      "A method that does not exist " +
      (is_refused(first) ? "is refused with " + refusal_text(first.came) : without_reply(first));
  open.add(std::move(cause), all, about.front());
}

// --- a feature is declared, and its method does not exist

void declared_only(Explainer& open) {
  struct Feature {
    std::string capability, methods, shown_by, clause;
  };
  static const Feature kFeatures[] = {
      {"tools", "tools/", "tools/list", "mcp.tools.list-answered"},
      {"resources", "resources/", "resources/list", "mcp.resources.list-answered"},
      {"prompts", "prompts/", "prompts/list", "mcp.prompts.list-answered"},
      {"completions", "completion/", "completion/complete",
       "mcp.completion.result-completion-object"},
      {"logging", "logging/", "logging/setLevel", "mcp.logging.set-level-all-levels"}};
  for (const auto& [capability, methods, shown_by, clause] : kFeatures) {
    const auto unknown = [&](const Clue& clue) {
      return is_refused(clue) && clue.came.code == "-32601" && clue.trigger.valid &&
             clue.trigger.method.starts_with(methods);
    };
    // Where something is wrong with the request as well, an error is due.
    const auto sound = [&](const Clue& clue) {
      return unknown(clue) && clue.trigger.method == shown_by && clue.oracle.empty() &&
             !clue.wants_error;
    };
    const Group group = open.matching(sound);
    const bool served = open.clues().served.count("method=\"" + shown_by + "\"") != 0;
    if (group.empty() || served) continue;
    Cause cause;
    cause.requirement = clause;
    cause.title = capability + " are declared, and not served";
    if (capability == "logging") cause.title = "logging is declared, and not served";
    cause.sentence = "The capability " + capability + " is declared, and " + shown_by +
                     " is a method that does not exist";
    const Clue* lead = &open.shown_by(group, clause);
    const Group all = open.claim(unknown);
    open.add(std::move(cause), all, lead);
  }
}

// --- what the client did wrong is laid to the server

void client_faults_as_server_errors(Explainer& open) {
  const auto of_server = [](const Clue& clue) {
    return is_refused(clue) && clue.came.code == "-32603" && clue.trigger.is_json &&
           !clue.trigger.method.empty() && !is_broken_below(clue);
  };
  const Group all_of_server = open.matching(of_server);
  // Where some requests are wrong, a sound one that is refused so is another matter.
  const bool sound = std::none_of(all_of_server.begin(), all_of_server.end(),
                                  [](const Clue* clue) { return clue->wants_error; });
  const auto laid_to_server = [&](const Clue& clue) {
    return of_server(clue) && (sound || clue.wants_error);
  };
  const Group group = open.matching(laid_to_server);
  std::set<std::string> broken, methods;
  Group failing;
  for (const Clue* clue : group) {
    broken.insert(clue->requirement);
    methods.insert(clue->trigger.method);
    if (clue->severity == oracle::Severity::kFail) failing.push_back(clue);
  }
  if (broken.size() < kSeveral) return;
  Cause cause;
  // Where one method alone does so, what is said of it is nearer than what is said of all.
  const bool of_one = methods.size() == 1;
  cause.requirement =
      of_one
          ? open.most_broken(failing.empty() ? group : failing)
          : open.best_of(group, {"mcp.errors.standard-codes", "jsonrpc.error.invalid-params-code"});
  cause.title = fmt::format("{} requests{} are refused as internal errors",
                            sound ? "Sound" : "Wrong", of_one ? " for " + *methods.begin() : "");
  // The words that are quoted are those of the frames that are shown.
  const Clue* lead = &open.shown_by(group, cause.requirement);
  cause.sentence =
      fmt::format("A request with {} params is answered as if the server had failed, with {}",
                  sound ? "sound" : "wrong", refusal_text(lead->came));
  const Group all = open.claim(laid_to_server);
  open.add(std::move(cause), all, lead);
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
           !is_broken_below(clue) && !way(clue).empty();
  };
  // An oracle says the same of one message under several clauses.
  std::map<std::string, std::set<std::string>> by_cases;
  for (const Clue* clue : open.matching(fits)) {
    ways[way(*clue)].insert(clue->requirement);
    if (clue->oracle.empty()) by_cases[way(*clue)].insert(clue->requirement);
  }
  for (const auto& [way_of_all, broken] : ways) {
    if (broken.size() < kSeveral || by_cases[way_of_all].size() < 2) continue;
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
  apply_contact_rules(open);
  behind_the_answer(open);
  wrong_lengths(open);
  lines_in_parts(open);
  startup_output(open);
  sessions_lost(open);
  refused_altogether(open);
  connections_used_again(open);
  initialize_refused(open);
  ended_sessions_answered(open);
  fragments_apart(open);
  refused_without_status(open);
  length_comes_first(open);
  ids_altered(open);
  canary_refused(open);
  canary_answered_wrongly(open);
  requests_only_accepted(open);
  apply_harm_rules(open);
  apply_reply_rules(open);
  declared_only(open);
  unknown_methods(open);
  client_faults_as_server_errors(open);
  refused_for_a_member(open, false);
  refused_for_a_member(open, true);
  refused_alike(open, "Text that is not JSON",
                {"jsonrpc.error.parse-error-code", "lsp.errors.parse-error"},
                [](const Clue& clue) { return !clue.trigger.is_json && !clue.trigger.deep; });
  refused_alike(open, "JSON that is no valid message",
                {"jsonrpc.error.invalid-request-code", "lsp.requests.invalid-message"},
                [](const Clue& clue) { return clue.trigger.is_json && !clue.trigger.valid; });
}

}  // namespace harness::run
