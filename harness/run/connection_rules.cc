// SPDX-License-Identifier: Apache-2.0
#include "harness/run/connection_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "harness/run/cause_words.h"
#include "harness/run/harm_rules.h"

namespace harness::run {

// --- a line is cut, or runs into another

void lines_broken(Explainer& open, const Explainer::Which& broken, Cause cause) {
  const Group group = open.matching(broken);
  if (group.empty() || cause.requirement == open.canary()) return;
  const std::set<std::string> cases = cases_of(group);
  const auto line = [&](const Clue& clue) {
    return clue.oracle == "stdout" && cases.count(clue.row) != 0;
  };
  const Group lines = open.matching(line);
  const Clue* lead = lines.empty() ? group.front() : lines.front();
  const Group all = open.claim([&](const Clue& clue) {
    return broken(clue) || (!clue.oracle.empty() && cases.count(clue.row) != 0) ||
           cases.count(clue.ref.case_id) != 0;
  });
  open.add(std::move(cause), all, lead);
}

void lines_in_parts(Explainer& open) {
  Cause cut;
  cut.requirement = open.first_that_applies({"mcp.stdio.long-output-line"});
  cut.title = "A long message is not written as one line";
  cut.sentence =
      "A long message does not come as one line: it is cut, or runs into another message";
  lines_broken(
      open, [](const Clue& clue) { return clue.parted; }, std::move(cut));
  Cause mixed;
  mixed.requirement = open.first_that_applies({"mcp.stdio.stdout-only-messages"});
  mixed.title = "Messages are written into each other";
  mixed.sentence =
      "A message begins within another in the same line: two are written at a time, and neither "
      "can be read";
  lines_broken(
      open, [](const Clue& clue) { return clue.mixed; }, std::move(mixed));
}

// --- what a process writes as it starts is found on each session

void startup_output(Explainer& open) {
  const std::string clause = open.first_that_applies({"mcp.stdio.no-startup-output"});
  std::set<std::string> texts;
  const auto line_of = [&](const Clue& clue) {
    const auto& lines = open.finding_of(clue).came.texts;
    return clue.oracle == "stdout" && !lines.empty() ? lines.front() : std::string();
  };
  const Group group = open.matching([&](const Clue& clue) { return clue.requirement == clause; });
  for (const Clue* clue : group) texts.insert(line_of(*clue));
  texts.erase("");
  if (texts.empty()) return;
  const auto same = [&](const Clue& clue) { return texts.count(line_of(clue)) != 0; };
  // Is it all that came besides messages, then what was taken for an answer is it, too.
  const Group other = open.matching([&](const Clue& clue) {
    return clue.oracle == "stdout" && clue.requirement != clause && !same(clue);
  });
  Cause cause;
  cause.requirement = clause;
  cause.title = "The process writes something else than messages when it starts";
  cause.sentence = "The first that comes on stdout is no message: " + *texts.begin();
  const Group all = open.claim([&](const Clue& clue) {
    return clue.requirement == clause || same(clue) ||
           (other.empty() && clue.garbled == "mcp.stdio.stdout-only-messages" &&
            clue.oracle.empty());
  });
  open.add(std::move(cause), all);
}

// --- a session that is in use is no more known

// HTTP: requests about this and that are refused in the same words, though their session was begun
// and never ended, and others are served.
void sessions_lost(Explainer& open) {
  const auto unknown = [](const Clue& clue) {
    return is_refused(clue) && clue.came.status == 404 && clue.oracle.empty() &&
           clue.trigger.valid && !clue.requirement.starts_with("mcp.http.session-");
  };
  const Group group = open.matching(unknown);
  std::set<std::string> broken;
  for (const Clue* clue : group) broken.insert(clue->requirement);
  if (!open.clues().sessions_given || open.passed() == 0 || group.empty()) return;
  // Where it was refused, the DELETE of a session that another case had may have come meanwhile.
  const auto ends_all = [](const Clue& clue) {
    return clue.requirement == "mcp.http.session-delete-without-id" && clue.oracle.empty();
  };
  const auto accepted = [&](const Clue& clue) {
    return ends_all(clue) && clue.came.status / 100 == 2;
  };
  const Group by_delete = open.matching(accepted);
  if (by_delete.empty() && (cases_of(group).size() < kSeveral || broken.size() < 2)) return;
  Cause cause;
  cause.title = "Sessions that are in use are ended";
  if (by_delete.empty()) {
    cause.requirement = open.first_that_applies(
        {"mcp.lifecycle.concurrent-sessions", "mcp.http.session-isolation"});
    cause.sentence = "Requests of a session that was begun and not ended are refused with " +
                     refusal_text(group.front()->came) + ", while other sessions begin and end";
  } else {
    cause.requirement = by_delete.front()->requirement;
    cause.sentence =
        "After a DELETE that names no session, or none that is known, the requests of other "
        "sessions are refused with " +
        refusal_text(group.front()->came);
  }
  const std::string words = refusal_text(group.front()->came);
  const Clue* lead = by_delete.empty() ? nullptr : by_delete.front();
  const Group all = open.claim([&](const Clue& clue) {
    return ends_all(clue) ||
           (is_refused(clue) && clue.came.status == 404 && refusal_text(clue.came) == words);
  });
  open.add(std::move(cause), all, lead);
}

// --- what is not the first request of a connection

// HTTP: what comes second on a connection is not served as it would be on one of its own.
void connections_used_again(Explainer& open) {
  const auto unserved = [](const Clue& clue) {
    return !clue.came.message && clue.symptom != oracle::Symptom::kEnd &&
           (clue.came.status == 0 || clue.came.status == 400 || clue.came.status == 501) &&
           (clue.trigger.valid || clue.wants_stream);
  };
  // Behind a refusal its body may lie unread, and be taken for the next request.
  const auto behind = [&](const Clue& clue) {
    return unserved(clue) && clue.reused && clue.came.status == 501 && clue.before >= 400;
  };
  const auto second = [&](const Clue& clue) { return unserved(clue) && clue.reused; };
  const auto first = [&](const Clue& clue) { return unserved(clue) && !clue.reused; };
  bool never = open.clues().reused_answered == 0 && open.matching(first).empty() &&
               cases_of(open.matching(second)).size() >= kSeveral;
  // A case saw it with requests that it sent in one.
  const std::string clause = open.first_that_applies({"mcp.http.connection-reuse"});
  const bool seen = !open.matching([&](const Clue& clue) {
                           return clue.requirement == clause && clue.oracle.empty();
                         })
                         .empty();
  never |= seen && !open.matching(second).empty();
  const Explainer::Which which = never ? Explainer::Which(second) : Explainer::Which(behind);
  const Group group = open.matching(which);
  if (group.empty() || clause == open.canary()) return;
  Cause cause;
  cause.requirement = clause;
  cause.title = never ? "The second request on a connection is not answered"
                      : "After a refusal the connection cannot be used";
  cause.sentence =
      never ? "Only the first request on a connection is answered, though its end is not announced"
            : "What comes on a connection behind a request that was refused is answered with HTTP "
              "501, as if the body of that request were still to be read";
  const Group all =
      open.claim([&](const Clue& clue) { return which(clue) || clue.requirement == clause; });
  open.add(std::move(cause), all);
}

// --- a session that was ended, or never begun, is refused as if it were served

void ended_sessions_answered(Explainer& open) {
  static const std::set<std::string> kGone = {"mcp.http.session-terminated-404",
                                              "mcp.http.session-unknown-404"};
  const auto answered = [](const Clue& clue) {
    return kGone.count(clue.requirement) != 0 && clue.oracle.empty() && !clue.came.code.empty() &&
           clue.came.status < 400;  // an event has none
  };
  const Group group = open.matching(answered);
  if (group.empty()) return;
  const std::string words = refusal_text(group.front()->came);
  Cause cause;
  cause.requirement = open.best_of(group, {"mcp.http.session-terminated-404"});
  cause.title = "A session that is over is not answered with HTTP 404";
  cause.sentence = "Requests of a session that was ended or never begun are answered with " + words;
  const Clue* lead = &open.shown_by(group, cause.requirement);
  const auto same = [&](const Clue& clue) { return refusal_text(clue.came) == words; };
  const Group all = open.claim([&](const Clue& clue) {
    return kGone.count(clue.requirement) != 0 ||
           (same(clue) && (clue.requirement.starts_with("mcp.http.session-") ||
                           clue.oracle == "replies" || clue.oracle == "envelope"));
  });
  open.add(std::move(cause), all, lead);
}

// --- what lacks credentials is refused by an error that JSON-RPC has, and by no status

void refused_without_status(Explainer& open) {
  constexpr const char* kClause = "mcp.auth.401-when-required";
  const auto served = [](const Clue& clue) {
    return clue.requirement.starts_with("mcp.auth.401-") && clue.oracle.empty() &&
           clue.came.status / 100 == 2 && !clue.came.code.empty();
  };
  const Group group = open.matching(served);
  if (group.empty() || open.first_that_applies({kClause}) != kClause) return;
  const std::string words = refusal_text(group.front()->came);
  Cause cause;
  cause.requirement = kClause;
  cause.title = "Requests without valid credentials are not answered with HTTP 401";
  cause.sentence = fmt::format("A request without valid credentials is answered with HTTP {}, {}",
                               group.front()->came.status, words);
  const Clue* lead = &open.shown_by(group, kClause);
  const std::set<std::string> cases = cases_of(group);
  const Group all = open.claim([&](const Clue& clue) {
    const bool same = clue.came.status / 100 == 2 && refusal_text(clue.came) == words;
    return served(clue) || same || (!clue.oracle.empty() && cases.count(clue.row) != 0);
  });
  open.add(std::move(cause), all, lead);
}

// --- language servers: another header field stands before the length

void length_comes_first(Explainer& open) {
  static const std::set<std::string> kOfFields = {
      "lsp/framing/content-type", "lsp/framing/unknown-field", "lsp/framing/media-type-other"};
  const auto unread = [](const Clue& clue) {
    const std::string& where = clue.oracle.empty() ? clue.ref.case_id : clue.row;
    return kOfFields.count(where) != 0 && !clue.came.message;
  };
  const auto placed = [&](const char* where) {
    return open.matching([&](const Clue& clue) {
      return unread(clue) && (clue.row == where || open.finding_of(clue).step == where);
    });
  };
  const Group group = placed("before the length");
  if (cases_of(group).size() < 2 || !placed("behind the length").empty()) return;
  Cause cause;
  cause.requirement = open.best_of(group, {"lsp.framing.content-type-in"});
  cause.title = "Content-Length has to be the first header field";
  cause.sentence =
      "A message is not read whose header has another field before Content-Length; where it stands "
      "behind it, it is";
  open.add(std::move(cause), open.claim(unread), &open.shown_by(group, cause.requirement));
}

// --- WebSocket: a message in fragments is answered as if each of them were one

void fragments_apart(Explainer& open) {
  constexpr const char* kClause = "ws.frame.fragmentation";
  const auto breaks = [](const Clue& clue) {
    return clue.requirement == kClause && clue.oracle.empty() && clue.came.code == "-32700";
  };
  const Group group = open.matching(breaks);
  if (group.empty()) return;
  Cause cause;
  cause.requirement = kClause;
  cause.title = "A message in fragments is not put together";
  cause.sentence = "A message that comes in several frames is answered with " +
                   refusal_text(group.front()->came);
  const Clue* lead = group.front();
  const Group all = open.claim([&](const Clue& clue) {
    const std::string& where = clue.oracle.empty() ? clue.ref.case_id : clue.row;
    return breaks(clue) || (where.starts_with("ws/frame/") && clue.came.code == "-32700");
  });
  open.add(std::move(cause), all, lead);
}

}  // namespace harness::run
