// SPDX-License-Identifier: Apache-2.0
#include "harness/run/reply_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "harness/run/cause_words.h"
#include "harness/run/harm_rules.h"
#include "harness/run/id_rules.h"
#include "harness/run/relation_rules.h"

namespace harness::run {
namespace {

// --- what is not to be answered is

constexpr const char* kAccepted = "mcp.http.notification-202";
constexpr const char* kResponsesAccepted = "mcp.http.response-202";

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
  const bool response =
      std::any_of(group.begin(), group.end(), [](const Clue* clue) { return clue->came.message; });
  Cause cause;
  if (response || open.context().transport != wire::TransportKind::kHttp) {
    cause.requirement =
        open.best_of(group, {"mcp.base.notification-no-response", "jsonrpc.notification.no-reply"});
    cause.title = "Notifications are answered";
    cause.sentence = "A notification is answered, which is to get no response";
  } else {
    // What comes is no response, it only should not be there.
    cause.requirement = open.best_of(
        group, {kAccepted, "mcp.base.notification-no-response", "jsonrpc.notification.no-reply"});
    cause.title = "What accepts a notification is not empty";
    cause.sentence =
        fmt::format("HTTP {} for a notification comes with a body", group.front()->came.status);
  }
  // What names no request may be taken for the answer to the next.
  std::set<std::string> unnamed;
  for (const Clue* clue : group)
    if (const oracle::Observation& came = open.finding_of(*clue).came; came.under_null)
      unnamed.insert(came.texts.begin(), came.texts.end());
  const auto same = [&](const Clue& clue) {
    const auto& texts = open.finding_of(clue).came.texts;
    return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
      return unnamed.count(text) != 0 ||
             (text.size() > 2 && unnamed.count(text.substr(1, text.size() - 2)) != 0);
    });
  };
  const Group all = open.claim([&](const Clue& clue) {
    return is_reply(clue) || (kOfReplies.count(clue.oracle) != 0 && cases.count(clue.row) != 0) ||
           same(clue) || (!response && clue.requirement == kResponsesAccepted);
  });
  open.add(std::move(cause), all);
}

// HTTP: notifications and responses are accepted in the same wrong way.
void accepted_otherwise(Explainer& open) {
  const auto accepted = [](const Clue& clue) {
    return (clue.requirement == kAccepted || clue.requirement == kResponsesAccepted) &&
           clue.came.status < 400;
  };
  const Group group = open.matching(accepted);
  const auto lead = std::find_if(group.begin(), group.end(),
                                 [](const Clue* clue) { return clue->requirement == kAccepted; });
  if (lead == group.end()) return;
  const int status = (*lead)->came.status;
  const bool body = status == 202;
  Cause cause;
  cause.requirement = kAccepted;
  cause.title = body ? "What accepts a notification is not empty"
                     : fmt::format("What is accepted is answered with HTTP {}", status);
  cause.sentence =
      body ? "HTTP 202 for a notification comes with a body"
           : fmt::format(
                 "A notification that is accepted is answered with HTTP {} in place of 202 without "
                 "a body",
                 status);
  const Clue* first = *lead;
  const Group all = open.claim([&](const Clue& clue) {
    return (accepted(clue) || (body && clue.oracle == "envelope")) && clue.came.status == status;
  });
  open.add(std::move(cause), all, first);
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

// --- an array is answered by something else than one array of all the replies

void batches_refused(Explainer& open) {
  // Where an error is the usual reply to each request, it refuses no batch.
  const bool usual = open.asked().answered_by_error;
  const auto refused = [&](const Clue& clue) {
    if (usual && clue.came.code == "-32601") return false;
    return clue.trigger.kind == wire::MessageKind::kBatch && clue.answered && is_refused(clue) &&
           !clue.came.array && !is_broken_below(clue);
  };
  static const std::set<std::string> kClauses = {"mcp.base.batch.receive",
                                                 "jsonrpc.batch.response-per-request"};
  const Group own = open.matching([&](const Clue& clue) {
    return refused(clue) && clue.oracle.empty() && kClauses.count(clue.requirement) != 0;
  });
  if (own.empty()) return;
  const std::string code = own.front()->came.code;
  const auto likewise = [&](const Clue& clue) { return refused(clue) && clue.came.code == code; };
  const Group group = open.matching(likewise);
  if (cases_of(group).size() < kSeveral) return;
  Cause cause;
  cause.requirement = open.best_of(group, {"mcp.base.batch.receive", "jsonrpc.batch.array-response",
                                           "jsonrpc.batch.response-per-request"});
  cause.title = "Batches are refused";
  cause.sentence = "A batch is refused as a whole, with " + refusal_text(own.front()->came);
  const Clue* lead = &open.shown_by(group, cause.requirement);
  const Group all = open.claim(likewise);
  open.add(std::move(cause), all, lead);
}

void batches_in_pieces(Explainer& open) {
  const auto of_batch = [](const Clue& clue) {
    return clue.trigger.kind == wire::MessageKind::kBatch && clue.answered &&
           clue.symptom == oracle::Symptom::kAnswer && !is_broken_below(clue);
  };
  static const std::set<std::string> kClauses = {"jsonrpc.batch.array-response",
                                                 "jsonrpc.batch.response-per-request"};
  for (const std::string& clause : kClauses) {
    const auto breaks = [&](const Clue& clue) {
      return clue.requirement == clause && of_batch(clue) && clue.oracle.empty();
    };
    // An answer that is an array lacks replies; any other is no array.
    const bool array = clause == "jsonrpc.batch.response-per-request";
    const auto likewise = [&](const Clue& clue) {
      return of_batch(clue) && (clue.came.array == array) &&
             clue.requirement.find("batch") != std::string::npos;
    };
    const Group group = open.matching(likewise);
    const Group lead = open.matching(breaks);
    if (lead.empty() || cases_of(group).size() < kSeveral) continue;
    Cause cause;
    cause.requirement = array ? clause : open.best_of(group, {"mcp.http.batch-requests"});
    if (cause.requirement != "mcp.http.batch-requests") cause.requirement = clause;
    cause.title =
        array ? "The answer to a batch lacks replies" : "A batch is not answered by an array";
    cause.sentence = array ? "The array that answers a batch does not hold a reply to each of its "
                             "requests"
                           : "What answers a batch is not one array of its replies";
    const Group all = open.claim(likewise);
    open.add(std::move(cause), all, lead.front());
    return;
  }
}

// HTTP: who was served once is asked for no credentials any more.
void asked_only_at_first(Explainer& open) {
  constexpr const char* kClause = "mcp.auth.401-all-methods";
  static const std::set<std::string> kOfTokens = {kClause, "mcp.auth.401-invalid-token",
                                                  "mcp.auth.status-400"};
  const auto served = [](const Clue& clue) {
    return clue.requirement == kClause && clue.oracle.empty() && clue.came.status / 100 == 2;
  };
  const Group group = open.matching(served);
  std::set<std::string> methods;
  for (const Clue* clue : group) methods.insert(clue->trigger.method);
  const bool anyone = !open.matching([](const Clue& clue) {
                             return clue.requirement == "mcp.auth.401-when-required";
                           })
                           .empty();
  if (anyone || methods.size() < kSeveral) return;
  Cause cause;
  cause.requirement = kClause;
  cause.title = "Only the first request is asked for its credentials";
  cause.sentence = "Once a session has begun, requests are served without a token";
  const Group all =
      open.claim([](const Clue& clue) { return kOfTokens.count(clue.requirement) != 0; });
  open.add(std::move(cause), all, group.front());
}

// Progress of several calls under one token does not grow; that of a single call does.
void tokens_mixed_up(Explainer& open) {
  constexpr const char* kMixed = "mcp.progress.concurrent-tokens";
  const auto mixed = [&](const Clue& clue) { return clue.requirement == kMixed; };
  const auto shrinks = [](const Clue& clue) {
    return clue.requirement == "mcp.progress.increasing";
  };
  const Group group = open.matching(mixed);
  const std::size_t among = open.clues().shrinks_among;
  const bool of_several = among > 0 && among >= open.clues().shrinks_alone;
  if (group.empty() || open.matching(shrinks).empty() || !of_several) return;
  Cause cause;
  cause.requirement = kMixed;
  cause.by_clause = true;
  const Group all = open.claim([&](const Clue& clue) {
    return mixed(clue) || shrinks(clue) || clue.requirement == "mcp.progress.only-with-token";
  });
  open.add(std::move(cause), all, group.front());
}

// 2026-07-28: a result that says it is complete asks for input.
void input_asked_as_complete(Explainer& open) {
  const std::string clause = open.first_that_applies({"mcp.input-required.result-type"});
  const auto asks = [](const Clue& clue) { return clue.oracle.empty() && clue.asks_as_complete; };
  const Group group = open.matching(asks);
  if (clause == open.canary() || group.empty()) return;
  Cause cause;
  cause.requirement = clause;
  cause.title = "A result that asks for input says that it is complete";
  cause.sentence =
      "A result has inputRequests or requestState, and its resultType is not input_required";
  const std::set<std::string> cases = cases_of(group);
  const Group all = open.claim([&](const Clue& clue) {
    return clue.asks_as_complete || (!clue.oracle.empty() && cases.count(clue.row) != 0 &&
                                     clue.requirement.find("tools.") != std::string::npos);
  });
  open.add(std::move(cause), all, group.front());
}

// HTTP: GET is answered with neither of what it may be, in whatever case.
void get_without_stream(Explainer& open) {
  const auto wanting = [](const Clue& clue) { return clue.wants_stream; };
  const std::string clause = open.first_that_applies({"mcp.http.get-stream-or-405"});
  const Group group = open.matching(wanting);
  // Where nothing came at all, it is not what the case is about that fails.
  const bool nothing = !group.empty() && group.front()->came.status == 0;
  if (clause == open.canary() || cases_of(group).size() < (nothing ? 1u : 2u)) return;
  Cause cause;
  cause.requirement = clause;
  cause.title = "GET gives no event stream, and no 405";
  cause.sentence =
      group.front()->came.status > 0
          ? fmt::format("GET is answered with HTTP {}, not with an event stream or 405",
                        group.front()->came.status)
          : "GET is not answered, neither with an event stream nor with 405";
  const Group all = open.claim(wanting);
  open.add(std::move(cause), all);
}

// stdio: a line ends in the middle of a message, whose parts are no JSON.
void lines_that_end_early(Explainer& open) {
  constexpr const char* kClause = "mcp.stdio.only-lf-delimits";
  const auto in_parts = [](const Clue& clue) {
    return clue.trigger.valid && clue.came.code == "-32700";
  };
  const auto breaks = [&](const Clue& clue) {
    return in_parts(clue) && clue.requirement == kClause;
  };
  const Group group = open.matching(breaks);
  if (group.empty()) return;
  Cause cause;
  cause.requirement = kClause;
  cause.title = "Lines end at other characters than the line feed";
  cause.sentence =
      "A message is cut in the middle, at a character such as U+2028 or U+0085 that ends no line";
  const Clue* lead = group.front();
  const Group all = open.claim([&](const Clue& clue) {
    return in_parts(clue) || (clue.oracle == "replies" && clue.came.code == "-32700");
  });
  open.add(std::move(cause), all, lead);
}

// Long messages are taken for text that is not JSON: they are read in parts.
void long_messages_in_parts(Explainer& open) {
  const auto in_parts = [](const Clue& clue) {
    return clue.trigger.valid && clue.came.code == "-32700";
  };
  const Group group = open.matching(in_parts);
  const bool all_long = std::all_of(group.begin(), group.end(), [](const Clue* clue) {
    return clue->trigger.bytes >= kLongMessage;
  });
  if (!all_long || cases_of(group).size() < 2) return;
  const Clue* least = *std::min_element(group.begin(), group.end(), [](auto* a, auto* b) {
    return a->trigger.bytes < b->trigger.bytes;
  });
  const std::string size = size_text(least->trigger.bytes);
  Cause cause;
  cause.requirement = open.first_that_applies({"mcp.stdio.long-line", "json.valid.long-string"});
  cause.title = "Long messages are called no JSON";
  cause.sentence = "A message of " + size +
                   " is answered with error -32700, as if only a part of it had been read";
  const Group all = open.claim([&](const Clue& clue) {
    return in_parts(clue) || (clue.oracle == "replies" && clue.came.code == "-32700");
  });
  open.add(std::move(cause), all, least);
}

// 2026-07-28: what comes first on a subscription does not come.
void never_acknowledged(Explainer& open) {
  const auto missing = [](const Clue& clue) { return clue.lacks_acknowledgment; };
  const Group group = open.matching(missing);
  if (group.size() < kSeveral) return;
  Cause cause;
  cause.requirement =
      open.first_that_applies({"mcp.listen.ack-first", "mcp.listen.acknowledged-first"});
  cause.title = "A subscription is not acknowledged";
  cause.sentence =
      "notifications/subscriptions/acknowledged does not come as the first message of a "
      "subscription, or not at all";
  const Group all = open.claim([&](const Clue& clue) {
    return missing(clue) || clue.requirement.starts_with("mcp.listen.");
  });
  open.add(std::move(cause), all, group.front());
}

// --- a cursor that was handed out is not taken

void cursors_refused(Explainer& open) {
  constexpr const char* kClause = "mcp.pagination.cursor-accepted";
  const auto breaks = [&](const Clue& clue) { return clue.requirement == kClause; };
  const Group own = open.matching(breaks);
  if (own.empty()) return;
  const auto refused = [](const Clue& clue) {
    return clue.symptom == oracle::Symptom::kAnswer && clue.oracle.empty() && clue.trigger.valid &&
           has_member(clue, "params.cursor") &&
           clue.requirement.find(".pagination.") == std::string::npos;
  };
  if (open.matching(refused).empty()) return;
  Cause cause;
  cause.requirement = kClause;
  cause.title = "A cursor that was handed out is refused";
  cause.sentence = "A list that is asked for with the nextCursor of the page before it is refused";
  const Group all = open.claim([&](const Clue& clue) { return breaks(clue) || refused(clue); });
  open.add(std::move(cause), all, own.front());
}

// --- what stands twice on one page stands twice in the whole list

void listed_twice(Explainer& open) {
  static const std::set<std::string> kUnique = {"mcp.tools.name-unique", "mcp.prompts.name-unique",
                                                "mcp.resources.uri-unique"};
  static const std::set<std::string> kOfWalks = {"mcp.pagination.cursor-continues",
                                                 "mcp.pagination.walk-complete"};
  const auto twice = [](const Clue& clue) { return kUnique.count(clue.requirement) != 0; };
  const Group group = open.matching(twice);
  const auto walked = [](const Clue& clue) { return kOfWalks.count(clue.requirement) != 0; };
  const Group walks = open.matching(walked);
  if (group.empty() || walks.empty()) return;
  // Pages that overlap do so in every list.
  std::set<std::string> lists;
  for (const Clue* clue : walks)
    if (clue->oracle.empty()) lists.insert(clue->row);
  const bool overlap = lists.size() > 1;
  Cause cause;
  cause.requirement = (overlap ? walks : group).front()->requirement;
  cause.by_clause = true;
  cause.title = overlap ? "Pages of a list hold what the page before has"
                        : "A list holds the same item twice";
  cause.sentence = overlap ? "Items of one page stand on the next one, too"
                           : "One page of a list holds two items of the same name";
  const Clue* lead = (overlap ? walks : group).front();
  const Group all = open.claim([&](const Clue& clue) { return twice(clue) || walked(clue); });
  open.add(std::move(cause), all, lead);
}

// --- the client is asked for what it did not declare

void undeclared_used(Explainer& open) {
  static const std::set<std::string> kClauses = {
      "mcp.roots.needs-capability", "mcp.sampling.needs-capability",
      "mcp.elicitation.needs-capability", "mcp.roots.needs-capability-early",
      "mcp.sampling.needs-capability-early"};
  const auto undeclared = [](const Clue& clue) {
    return kClauses.count(clue.requirement) != 0 && clue.asks_client;
  };
  const Group group = open.matching(undeclared);
  if (group.empty()) return;
  Cause cause;
  // What the pages of the features say follows from it.
  cause.requirement = open.first_that_applies({"mcp.lifecycle.only-negotiated-capabilities-strict",
                                               "mcp.lifecycle.only-negotiated-capabilities"});
  const std::string told = group.front()->requirement;
  const std::string feature = told.substr(4, told.find('.', 4) - 4);
  cause.title = "A client is asked for " + feature + " that did not declare it";
  cause.sentence = "The server sends requests of " + feature +
                   " to a client whose capabilities have no " + feature;
  const std::string requirement = cause.requirement;
  const Group all = open.claim([&](const Clue& clue) {
    return undeclared(clue) || clue.requirement == requirement ||
           clue.requirement == "mcp.capabilities.only-negotiated-used";
  });
  open.add(std::move(cause), all, group.front());
}

}  // namespace

// HTTP: what accepts notifications comes for requests, whose response comes elsewhere or not at
// all.
void requests_only_accepted(Explainer& open) {
  const auto accepted = [](const Clue& clue) {
    return clue.oracle.empty() && !clue.came.message &&
           (clue.came.status == 202 || clue.came.status == 204) &&
           clue.trigger.kind != wire::MessageKind::kNotification;
  };
  const Group group = open.matching(accepted);
  const auto canary = [&](const Clue& clue) { return clue.requirement == open.canary(); };
  const bool served = std::none_of(group.begin(), group.end(), [&](auto* c) { return canary(*c); });
  if (served || cases_of(group).size() < kSeveral) return;
  const std::string clause =
      open.first_that_applies({"mcp.http.request-content-type", "mcp.http.response-eventually"});
  Cause cause;
  cause.requirement = clause;
  cause.title = "Requests are answered like notifications";
  cause.sentence = fmt::format(
      "A request is answered with HTTP {} and without a body, not with its response or a stream "
      "that brings it",
      group.front()->came.status);
  const std::set<std::string> cases = cases_of(group);
  const Group all = open.claim([&](const Clue& clue) {
    return accepted(clue) || (!clue.oracle.empty() && cases.count(clue.row) != 0) ||
           (cases.count(clue.ref.case_id) != 0 && clue.requirement == open.canary());
  });
  open.add(std::move(cause), all);
}

void apply_reply_rules(Explainer& open) {
  notifications_answered(open);
  accepted_otherwise(open);
  streams_without_reply(open);
  ids_of_one_value(open);
  undeclared_used(open);
  batches_refused(open);
  batches_in_pieces(open);
  told_as_one(open);
  tokens_mixed_up(open);
  input_asked_as_complete(open);
  listed_twice(open);
  cursors_refused(open);
  never_acknowledged(open);
  get_without_stream(open);
  lines_that_end_early(open);
  long_messages_in_parts(open);
  asked_only_at_first(open);
  consequences(open);
}

}  // namespace harness::run
