// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/ascii.h"
#include "harness/results/clue_words.h"
#include "harness/causes/searches.h"

namespace harness::run {
namespace {

constexpr const char* kParseError = "-32700";

bool about_several_methods(const Group& group) {
  std::set<std::string> methods;
  for (const Clue* clue : group) methods.insert(clue->trigger.method);
  return methods.size() > 1;
}

// `wrongly`: an error is due, and another comes.
void refused_for(Explainer& open, bool wrongly) {
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
    // A key that nobody knows is refused, whatever its value.
    if (common.starts_with("params._meta.com.example")) continue;
    Group with, failing;
    for (const Clue* clue : group) {
      if (has_member(*clue, common)) with.push_back(clue);
      if (has_member(*clue, common) && wrongly && clue->severity == oracle::Severity::kFail)
        failing.push_back(clue);
    }
    if (cases_of(with).size() < kSeveral || with.size() * 2 < group.size()) continue;
    const std::string text = words;
    const Clue& first = smallest(with);
    Cause cause;
    cause.requirement = common.starts_with("id=")
                            ? open.best_of(with, {"mcp.base.request-id.string-and-integer-accepted",
                                                  "jsonrpc.id.string-echo"})
                            : open.most_broken(failing.empty() ? with : failing);
    // The value of one says nothing of the others.
    cause.by_clause = wrongly && common.find('=') == std::string::npos;
    const std::string what = "A request" + whose(first, common) + " is refused";
    if (!cause.by_clause) cause.title = what + (wrongly ? " with the wrong error" : "");
    cause.sentence = cause.by_clause ? "" : what + " with " + words;
    const bool of_ids = common.starts_with("id=");
    const Group all = open.claim([&](const Clue& clue) {
      // Whose id is not read, an error has another.
      if (!has_member(clue, common)) return false;
      return (is_refused(clue) && refusal_text(clue.came) == text) ||
             (of_ids && clue.oracle == "replies");
    });
    open.add(std::move(cause), all, &first);
  }
}

constexpr const char* kServed = "served";

// What came, so far as it tells one way to refuse from another.
std::string way(const Explainer& open, const Clue& clue) {
  // Text that is not JSON was read, if the method that it names was looked up.
  if (!clue.trigger.is_json && clue.came.code == "-32601" && !open.finding_of(clue).came.unnamed)
    return kServed;
  const bool silent = clue.symptom == oracle::Symptom::kSilence;
  // An error for the rest of it is due, and no reply before it.
  if (!clue.trigger.is_json && clue.came.code == kParseError &&
      open.finding_of(clue).came.messages > 1)
    return "read as more than one message";
  if (silent && clue.came.status == 0) return "not answered";
  if (silent) return fmt::format("answered with HTTP {}", clue.came.status);
  if (clue.symptom != oracle::Symptom::kAnswer || !clue.answered) return "";
  if (!clue.came.code.empty())
    return clue.came.status > 0 && clue.came.status != 200
               ? fmt::format("answered with HTTP {} and error {}", clue.came.status, clue.came.code)
               : "answered with error " + clue.came.code;
  if (clue.came.status > 0 && clue.came.status != 200)
    return fmt::format("answered with HTTP {}", clue.came.status);
  if (!clue.came.text.empty()) return "answered with an error without a code";
  const oracle::Observation& came = open.finding_of(clue).came;
  if (oracle::came_as<oracle::NoMessageInAnswer>(came))
    return fmt::format("answered with HTTP {} and no message", clue.came.status);
  // What came under its id lacks something, and is no refusal.
  if (!clue.below.empty() && !came.unnamed) return kServed;
  return clue.came.message ? kServed : "answered with something that is not a message";
}

// What was wrong with them, as clauses call it.
struct BadInput {
  const char* what;
  const char* code;  // of the error that is due, which breaks nothing by itself
  std::vector<std::string_view> chapters;  // what is said of its kinds
  std::vector<const char*> clauses;        // about all of them
  Explainer::Which is;
};

// A kind of bad input: what is wrong with the message or, if that is not one thing, what its clause
// is about ("utf16 text").
std::string kind_of_input(const Clue& clue) {
  if (clue.trigger.is_json && !clue.trigger.flaw.empty()) return clue.trigger.flaw;
  std::string words = clue.requirement.substr(clue.requirement.rfind('.') + 1);
  std::replace(words.begin(), words.end(), '-', ' ');
  return (clue.requirement.starts_with("jsonrpc.id.") ? "id " : "") + words;
}

// "a message without a method, whose params are of a wrong type".
std::string listed_kinds(const Group& group, const BadInput& input) {
  constexpr std::size_t kMost = 5;
  std::set<std::string> kinds, about_all;
  for (const Clue* clue : group) {
    const auto names = [&](const char* clause) { return clue->requirement == clause; };
    const bool all = std::any_of(input.clauses.begin(), input.clauses.end(), names);
    const bool named = clue->trigger.is_json && !clue->trigger.flaw.empty();
    if (named || clue->oracle.empty())
      (all && !named ? about_all : kinds).insert(kind_of_input(*clue));
  }
  if (kinds.empty()) kinds = about_all;
  std::string out;
  std::size_t told = 0;
  for (const std::string& kind : kinds) {
    if (++told > kMost) return fmt::format("{} and {} more", out, kinds.size() - kMost);
    const std::string_view subject = "a message ";  // once is enough
    const bool again = out.find(subject) != out.npos && kind.starts_with(subject);
    out += (told == 1 ? "" : ", ") + (again ? kind.substr(subject.size()) : kind);
  }
  return out;
}

// The error that is due came: it is its id that is wrong.
bool told_under_id(Explainer& open, const BadInput& input, const std::string& due) {
  const auto of_id = [](const Clue& clue) {
    return clue.requirement == "jsonrpc.response.id-member-present" ||
           clue.requirement.starts_with("jsonrpc.id.null-on-");
  };
  const Group own = open.matching(of_id);
  if (own.empty()) return false;
  const std::string clause = open.most_broken(own);
  const Group all = open.claim([&](const Clue& clue) {
    return clue.requirement == clause ||
           (clue.oracle == "replies" && clue.came.code == input.code) ||
           ((clue.oracle != "envelope" || of_id(clue)) && clue.trigger.seq != 0 && input.is(clue) &&
            way(open, clue) == due);
  });
  open.add({.requirement = clause, .by_clause = true}, all);
  return true;
}

void taken_alike(Explainer& open, const BadInput& input) {
  std::map<std::string, std::set<std::string>> ways;
  // What is wrong with a part of the answer says nothing of how the input is taken.
  const auto is_of_part = [&](const Clue& clue) {
    const auto* part = oracle::came_as<oracle::Detail>(open.finding_of(clue).came);
    return clue.oracle == "envelope" || (clue.oracle.empty() && part && !part->value.empty());
  };
  const auto is_bad = [&](const Clue& clue) {
    return !is_of_part(clue) && clue.trigger.seq != 0 && input.is(clue) && clue.garbled.empty() &&
           (clue.below.empty() || !clue.came.message) && !way(open, clue).empty();
  };
  // A batch is another matter, but where it is taken for text that is not JSON.
  const auto fits = [&](const Clue& clue) {
    const bool unread = clue.trigger.is_json && clue.came.code == kParseError;
    return (clue.trigger.kind != wire::MessageKind::kBatch || unread) && is_bad(clue);
  };
  // An oracle says the same of one message under several clauses.
  std::map<std::string, std::set<std::string>> by_cases;
  for (const Clue* clue : open.matching(fits)) {
    ways[way(open, *clue)].insert(clue->requirement);
    if (clue->oracle.empty()) by_cases[way(open, *clue)].insert(clue->requirement);
  }
  // What is taken as it should be, or is told of as something else, such as an end.
  std::set<std::string> all_kinds;
  for (const Clue& clue : open.clues().all)
    if (clue.oracle.empty() && clue.trigger.seq != 0 && input.is(clue))
      all_kinds.insert(clue.requirement);
  const std::size_t passed = open.passed_of(input.chapters);
  const bool few = open.context().few;
  std::vector<std::pair<std::size_t, std::string>> most;  // the way of most kinds first
  for (const auto& [way_of_all, broken] : ways)
    if (by_cases[way_of_all].size() > (few ? 0 : 1)) most.emplace_back(broken.size(), way_of_all);
  std::stable_sort(most.rbegin(), most.rend());
  bool all_told = false;
  for (const auto& [broken_kinds, way_of_all] : most) {
    // Where more is taken otherwise, it is about some kinds alone.
    const std::size_t kinds = by_cases[way_of_all].size();
    const bool some = all_told || few || passed + all_kinds.size() > 2 * kinds;
    const std::string due = std::string("answered with error ") + input.code;
    // One code for two kinds says more than one silence.
    const bool coded = way_of_all.ends_with("-32601") || way_of_all.ends_with(kParseError);
    if (broken_kinds < (few     ? 1
                        : coded ? 2
                                : kSeveral) ||
        (way_of_all == due && told_under_id(open, input, due)))
      continue;
    // Where most kinds are taken so, few that are not served either are told with them.
    const auto is_of_it = [&, &wanted = way_of_all, most_kinds = broken_kinds](const Clue& clue) {
      // A batch is another matter, but where it breaks the same clause, or the server fails at it.
      const bool failed = clue.came.status >= 500 && !clue.came.message;
      if (!fits(clue) && !(is_bad(clue) && (failed || ways[wanted].contains(clue.requirement))))
        return false;
      const std::size_t so = ways[way(open, clue)].size();
      return way(open, clue) == wanted ||
             (!some && way(open, clue) != due && way(open, clue) != kServed &&
              (so < kSeveral || so * 4 < most_kinds));
    };
    all_told |= !some;
    Group all = open.claim(is_of_it);
    Cause cause;
    cause.requirement = some ? open.most_broken(all) : open.first_that_applies(input.clauses);
    // What is taken otherwise and breaks the same clause is told with it.
    const Group same = open.claim([&](const Clue& clue) {
      return some && clue.requirement == cause.requirement && is_bad(clue) &&
             way(open, clue) != due;
    });
    all.insert(all.end(), same.begin(), same.end());
    cause.title =
        fmt::format("{} is {}", capital(std::string(some ? "some " : "") + input.what), way_of_all);
    cause.sentence = "Seen with " + listed_kinds(all, input);
    open.add(std::move(cause), all);
  }
}

}  // namespace

// Every request after the handshake is refused with the same words.
void refused_altogether(Explainer& open) {
  // Where an error is the usual reply, it is no refusal; a demand may be.
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
    // What comes over a server in the middle of a run is laid to what brought it about.
    if (first.came.status >= 500 && open.passed() > cases_of(group).size()) continue;
    const bool session = ascii::lower(first.came.text).find("session") != std::string::npos;
    const bool named = first.trigger.names_session || open.clues().sessions_given;
    const bool never_given =
        session && open.context().transport == wire::TransportKind::kHttp && !named;
    if (!never_given && open.asked().answered_by_error) continue;
    Cause cause;
    cause.requirement =
        never_given ? open.first_that_applies({"mcp.http.session-assigned"}) : open.canary();
    cause.title = never_given ? "The server requires a session id that it never issued"
                              : "Every request after the handshake is refused";
    cause.sentence = fmt::format("Every request after initialize is refused with {}", words);
    if (never_given)
      cause.sentence += ", although the answer to initialize had no Mcp-Session-Id";
    else if (named)
      cause.sentence += ", although it names the session that initialize opened";
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

void refused_for_a_member(Explainer& open) { refused_for(open, false); }
void refused_with_the_wrong_error(Explainer& open) { refused_for(open, true); }

// Requests that are refused with `code`, `as` something they are not.
static void client_faults_as(Explainer& open, std::string_view code, const char* as) {
  const bool unread = code == kParseError;
  const auto of_server = [&](const Clue& clue) {
    return is_refused(clue) && clue.came.code == code && clue.trigger.is_json &&
           !clue.trigger.method.empty() && !is_broken_below(clue) &&
           !(unread && (!clue.wants_error || !clue.trigger.valid));
  };
  const Group all_of_server = open.matching(of_server);
  // Where some requests are wrong, a sound one that is refused so is another matter.
  const bool sound = std::none_of(all_of_server.begin(), all_of_server.end(),
                                  [](const Clue* clue) { return clue->wants_error; });
  std::set<std::string> words;  // of which the same are said elsewhere
  for (const Clue* clue : all_of_server)
    if (sound || clue->wants_error || !open.finding_of(*clue).wanted.codes.empty())
      words.insert(clue->trigger.method + refusal_text(clue->came));
  const auto laid_to_server = [&](const Clue& clue) {
    return of_server(clue) && words.count(clue.trigger.method + refusal_text(clue.came)) != 0;
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
  cause.title = fmt::format("{} requests{} are refused as {}", sound ? "Valid" : "Invalid",
                            of_one ? " for " + *methods.begin() : "", as);
  // The words that are quoted are those of the frames that are shown.
  const Clue* lead = &open.shown_by(group, cause.requirement);
  cause.sentence = fmt::format(
      "A request with {} params is answered as if {}, with {}", sound ? "valid" : "invalid",
      unread ? "it were not JSON" : "the server had failed", refusal_text(lead->came));
  const Group all = open.claim(laid_to_server);
  open.add(std::move(cause), all, lead);
}

void client_faults_as_server_errors(Explainer& open) {
  client_faults_as(open, "-32603", "internal errors");
  client_faults_as(open, kParseError, "text that is not JSON");
}

void text_taken_alike(Explainer& open) {
  taken_alike(open, {"text that is not JSON",
                     kParseError,
                     {"json.invalid."},
                     {"jsonrpc.error.parse-error-code", "lsp.errors.parse-error"},
                     [](const Clue& clue) {
                       const bool of_json = clue.requirement.starts_with("json.invalid.");
                       return !clue.trigger.is_json && (of_json || !clue.trigger.raw_frames) &&
                              (!clue.trigger.deep || of_json);
                     }});
}

void messages_taken_alike(Explainer& open) {
  taken_alike(open, {"JSON that is not a valid message",
                     "-32600",
                     {"jsonrpc.message.", "jsonrpc.request.method-", "jsonrpc.request.version-",
                      "jsonrpc.request.params-primitive", "jsonrpc.id.invalid-type"},
                     {"jsonrpc.error.invalid-request-code", "lsp.requests.invalid-message"},
                     [](const Clue& clue) {
                       const wire::MessageKind kind = clue.trigger.kind;
                       const bool answer = kind == wire::MessageKind::kResponse ||
                                           kind == wire::MessageKind::kErrorResponse;
                       // An answer to nothing is one, too, where it is refused.
                       const bool refused = answer && !clue.came.code.empty();
                       return clue.trigger.is_json && (refused || !clue.trigger.valid);
                     }});
}

void refuse_or_ignore_all(Explainer& open) {
  static const std::map<std::string, std::pair<std::string, const char*>> kFeatures = {
      {"tools/list", {"tools are", "mcp.tools.list-answered"}},
      {"resources/list", {"resources are", "mcp.resources.list-answered"}},
      {"prompts/list", {"prompts are", "mcp.prompts.list-answered"}},
      {"completion/complete", {"completions are", "mcp.completion.result-completion-object"}},
      {"logging/setLevel", {"logging is", "mcp.logging.set-level-all-levels"}}};
  std::map<std::string, Group> by_method;
  for (const Clue* clue : open.matching([&](const Clue& clue) {
         return clue.trigger.valid && clue.trigger.kind == wire::MessageKind::kRequest &&
                clue.oracle.empty() && !clue.trigger.own_header &&
                (is_unheard(clue) ? !is_broken_below(clue) &&
                                        !open.clues().answered.contains(clue.trigger.method)
                                  : is_refused(clue) && !clue.came.code.empty());
       }))
    by_method[clue->trigger.method].push_back(clue);
  for (const auto& [method, group] : by_method) {
    const bool canary = method == open.asked().method &&
                        (open.asked().answered_by_error || open.clues().canaries_answered > 0);
    // Where something is wrong with each request, an error is due.
    const bool due = std::all_of(group.begin(), group.end(), [](const Clue* clue) {
      return is_refused(*clue) && clue->wants_error;
    });
    if (canary || due || open.clues().served.contains("method=\"" + method + "\"")) continue;
    const auto feature = kFeatures.find(method);
    const bool declared = feature != kFeatures.end();
    Cause cause;
    cause.requirement = declared ? feature->second.second : open.most_broken(group);
    const std::string code = open.shown_by(group, cause.requirement).came.code;
    if (code.empty())
      cause.requirement = open.best_of(group, {"jsonrpc.request.reply-exactly-one"});
    const Clue* lead = &open.shown_by(group, cause.requirement);
    const bool unknown = declared && code == "-32601";
    if (!unknown && cases_of(group).size() < kSeveral) continue;
    cause.title = unknown        ? feature->second.first + " declared but not served"
                  : code.empty() ? "The request " + method + " gets no response"
                                 : method + " is always refused";
    if (!code.empty())
      cause.sentence = fmt::format("{} is refused {}", method,
                                   unknown ? "as unknown" : "with " + refusal_text(lead->came));
    if (declared && !code.empty())
      cause.sentence += ", although " + feature->second.first + " declared";
    const std::string methods = unknown ? method.substr(0, method.find('/') + 1) : method;
    const Group all = open.claim([&](const Clue& clue) {
      const bool alike =
          code.empty() ? is_unheard(clue) : is_refused(clue) && clue.came.code == code;
      // Where an error is due, it is the same matter only if it says the same.
      if (clue.wants_error && refusal_text(clue.came) != refusal_text(lead->came)) return false;
      return alike && clue.trigger.valid && clue.trigger.method.starts_with(methods);
    });
    open.add(std::move(cause), all, lead);
  }
}

}  // namespace harness::run
