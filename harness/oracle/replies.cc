// SPDX-License-Identifier: Apache-2.0
// Replies against requests: each id answered once, under the id it was asked with, and nothing else
// answered. Whose reply each is, is known from harness/trace.
#include <algorithm>
#include <string>
#include <utility>

#include "harness/json/number.h"
#include "harness/json/write.h"
#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"
#include "harness/trace/attribution.h"

namespace harness::oracle {
namespace {

using trace::Answer;
using trace::Change;
using trace::Whose;

bool is_rejected_by_http(const Evidence& evidence, const Item& reply) {
  const wire::Frame& frame = evidence.transcript.frames[reply.frame];
  return frame.channel == wire::Channel::kHttp && frame.head && frame.head->status >= 400;
}

// 1.5, 7301.0, 73e2
bool is_odd_number(const json::Value* id) {
  return id != nullptr && id->is_number() &&
         id->text.find_first_not_of("-0123456789") != std::string::npos;
}

// And not one that is too small for a double.
bool is_one_double(const json::Value& asked, const json::Value& came) {
  return json::as_double(asked) != 0 && json::as_double(asked) == json::as_double(came);
}

// A server may state a limit on the length of ids, and refuse what is beyond it as no id.
bool is_long_text(const json::Value* id) {
  constexpr std::size_t kShortOfAnyLimit = 255;
  return id != nullptr && id->is_string() && id->text.size() > kShortOfAnyLimit;
}

bool cancelled(const Evidence& evidence, const Item& request) {
  return std::any_of(evidence.items.begin(), evidence.items.end(), [&](const Item& item) {
    const json::Value* id = item.sent && method_of(item) == "$/cancelRequest"
                                ? json::at(*item.value, "/params/id")
                                : nullptr;
    return id != nullptr && wire::id_key(*id) == request.key;
  });
}

bool has_structured_id(const Item& item) {
  const json::Value* id = item.member("id");
  return id != nullptr && (id->is_array() || id->is_object());
}

void report_twice(const Evidence& evidence, Sink& sink, const Answer& answer, const Item& reply) {
  // What is no id names no request: it may be all that is left of another one's.
  if (has_structured_id(reply)) return;
  const Item& first = *answer.before;
  // HTTP+SSE: one on the stream and one in the body of the POST are told by judge_sse().
  const auto& frames = evidence.transcript.frames;
  if (evidence.transcript.transport == wire::TransportKind::kHttpSse &&
      frames[first.frame].channel != frames[reply.frame].channel)
    return;
  const bool after_array = first.array != 0 && reply.array == 0;
  Breach breach{"one response for " + shown_id(reply.member("id")),
                "another response with the same id: " + shown(reply.text),
                {answer.to->seq, first.seq, reply.seq}};
  breach.flaw = "again";
  if (after_array) {
    report_best(evidence, sink,
                {"jsonrpc.batch.nothing-after-array", "mcp.base.jsonrpc-conformance",
                 "tutorial.jsonrpc.concurrent-requests", "jsonrpc.request.reply-exactly-one"},
                std::move(breach));
  } else {
    report_best(
        evidence, sink,
        {"jsonrpc.request.reply-exactly-one", "mcp.base.jsonrpc-conformance",
         "tutorial.jsonrpc.concurrent-requests",
         evidence.profile.lsp && cancelled(evidence, *answer.to) ? "lsp.cancel.answered-once"
                                                                 : "lsp.requests.answered-once"},
        std::move(breach));
  }
}

// `of_lsp` is the clause that is broken in a language server.
void report_invented(const Evidence& evidence, Sink& sink, const Item& reply, Breach breach,
                     const char* of_lsp = "lsp.requests.answered-once") {
  // What is in an id that is none may come back altered; that it is none is for `envelope` to say.
  const bool had_one =
      std::any_of(evidence.items.begin(), evidence.items.end(),
                  [](const Item& one) { return one.sent && has_structured_id(one); });
  if (had_one && has_structured_id(reply)) return;
  if (is_rejected_by_http(evidence, reply)) breach.at_most = Severity::kWarn;
  report_best(evidence, sink,
              {"jsonrpc.id.never-invented", "mcp.base.response-same-id",
               "tutorial.jsonrpc.response-id-matches", of_lsp},
              std::move(breach));
}

// Of language servers: null where it is no id of theirs.
const char* id_clause(const Item& request) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  const json::Value* id = request.member("id");
  if (id == nullptr || id->is_string()) return "lsp.requests.id-string";
  const auto number = json::as_integer(*id);
  return number && *number >= -kMost && *number < kMost ? "lsp.requests.id-integer" : nullptr;
}

void report_altered(const Evidence& evidence, Sink& sink, const Answer& answer, const Item& reply) {
  const Item& request = *answer.to;
  Breach breach{"the reply to carry " + shown_id(request.member("id")),
                shown_id(reply.member("id")) + " in " + shown(reply.text),
                {request.seq, reply.seq}};
  breach.flaw = "altered";
  breach.wanted.id = json::write(*request.member("id"));
  switch (answer.change) {
    case Change::kType:
      return report_best(evidence, sink,
                         {"jsonrpc.id.type-preserved", "mcp.base.response-same-id",
                          "tutorial.jsonrpc.id-string-or-number", id_clause(request)},
                         std::move(breach));
    case Change::kRecoded:
      // What half a pair reads as, with what stands beside it, is open (RFC 8259 §8.2).
      if (request.text_message != nullptr && request.text_message->lone_surrogate) return;
      return report_best(evidence, sink,
                         {"jsonrpc.id.unicode-echo", "jsonrpc.id.string-echo",
                          "mcp.base.response-same-id", "tutorial.jsonrpc.id-string-or-number"},
                         std::move(breach));
    case Change::kCut:
      return report_best(evidence, sink, {"jsonrpc.id.long-string-echo", "lsp.requests.id-string"},
                         std::move(breach));
    case Change::kFraction:
      // Of more digits than a double has, a reader of doubles keeps what it can (RFC 8259 §6).
      if (is_one_double(*request.member("id"), *reply.member("id"))) return;
      return report_best(evidence, sink,
                         {"jsonrpc.id.fractional", "mcp.base.request-id.not-string-or-integer"},
                         std::move(breach));
    case Change::kBits:
    case Change::kConstant:
    case Change::kPrevious:
      return report_invented(evidence, sink, reply, std::move(breach), id_clause(request));
    case Change::kLost:
      // A result under null may belong to a request, whose id the cases about ids ask for.
      if (reply.kind != wire::MessageKind::kErrorResponse) return;
      // Whether a number that is not spelled as an integer is an id is debatable.
      if (is_odd_number(request.member("id")) || is_long_text(request.member("id"))) return;
      breach.expected = "the error to carry " + shown_id(request.member("id"));
      breach.seen = shown(reply.text);
      breach.flaw = "lost";
      return report_best(evidence, sink,
                         {"jsonrpc.id.echo-on-error", "mcp.base.error-readable-id-required",
                          "tutorial.jsonrpc.response-id-matches"},
                         std::move(breach));
    case Change::kRounded:
      return report_best(evidence, sink, {"jsonrpc.id.beyond-safe-integer"}, std::move(breach));
    default:
      return report_best(evidence, sink,
                         {"jsonrpc.id.string-echo", "mcp.base.response-same-id",
                          "tutorial.jsonrpc.id-string-or-number", id_clause(request)},
                         std::move(breach));
  }
}

void report_notification_answered(const Evidence& evidence, Sink& sink, const Item& notification,
                                  const Item& reply) {
  report_best(
      evidence, sink,
      {"jsonrpc.notification.no-reply", "mcp.base.notification-no-response",
       "tutorial.jsonrpc.notification-no-response", "lsp.requests.notification-no-response"},
      {"no response to a notification", shown(reply.text), {notification.seq, reply.seq}});
}

// Half a pair, as an id of ours may have, is no character: what a server writes in its place is its
// own choice.
bool may_stand_for_halves(const Evidence& evidence, const json::Value* id) {
  if (id == nullptr || !id->is_string()) return false;
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // which it reads as here
  return std::any_of(evidence.items.begin(), evidence.items.end(), [&](const Item& item) {
    const json::Value* ours = item.sent ? item.member("id") : nullptr;
    if (ours == nullptr || !ours->is_string()) return false;
    if (item.text_message == nullptr || !item.text_message->lone_surrogate) return false;
    const std::size_t first = ours->text.find(kReplacement);
    if (first == std::string::npos) return false;
    const std::size_t last = ours->text.rfind(kReplacement) + kReplacement.size();
    return id->text.starts_with(ours->text.substr(0, first)) &&
           id->text.ends_with(ours->text.substr(last)) &&
           id->text.size() + last >= ours->text.size() + first;
  });
}

void report_unexplained(const Evidence& evidence, Sink& sink, const Answer& answer,
                        const Item& reply) {
  const json::Value* id = reply.member("id");
  if (may_stand_for_halves(evidence, id)) return;
  if (is_null(id) || id == nullptr) {
    return report_best(
        evidence, sink,
        {"jsonrpc.id.never-invented", "mcp.base.jsonrpc-conformance",
         "tutorial.jsonrpc.response-id-matches"},
        {"no error when nothing needs a reply", shown(reply.text), {reply.seq}, "null"});
  }
  Breach breach{"only ids of requests that were sent",
                shown_id(id) + " in " + shown(reply.text),
                {reply.seq}};
  breach.flaw = "of nobody";
  const char* of_lsp = nullptr;
  if (answer.whose == Whose::kPremature) {
    breach.seen = "a reply before its request: " + shown(reply.text);
    breach.frames.push_back(answer.to->seq);
    breach.flaw = "premature";
  } else if (answer.whose == Whose::kOtherSession) {
    breach.expected = "only replies to requests of this session";
    breach.seen = "the reply to a request of another session: " + shown(reply.text);
    breach.flaw = "of another session";
  } else if (answer.to != nullptr) {
    breach.expected = "the reply to carry " + shown_id(answer.to->member("id"));
    breach.flaw = "altered";
    breach.frames.insert(breach.frames.begin(), answer.to->seq);
    of_lsp = id_clause(*answer.to);
  }
  report_invented(evidence, sink, reply, std::move(breach),
                  of_lsp ? of_lsp : "lsp.requests.answered-once");
}

}  // namespace

void judge_replies(const Evidence& evidence, Sink& sink) {
  const trace::Attribution& attribution = trace::attribution_of(evidence);
  for (const Item& item : evidence.items) {
    const Answer& answer = attribution.of(item);
    switch (answer.whose) {
      case Whose::kAgain: report_twice(evidence, sink, answer, item); break;
      case Whose::kAltered:
        // Nobody else has to keep its id, and half a pair nobody, nor what is no id.
        if (answer.to->kind == wire::MessageKind::kRequest &&
            !answer.to->member("id")->is_array() && !answer.to->member("id")->is_object() &&
            !may_stand_for_halves(evidence, item.member("id")))
          report_altered(evidence, sink, answer, item);
        break;
      case Whose::kNotification:
        report_notification_answered(evidence, sink, *answer.to, item);
        break;
      case Whose::kResponse:
        report_invented(evidence, sink, item,
                        {"no reply to a response", shown(item.text), {answer.to->seq, item.seq},
                         "to a response"});
        break;
      case Whose::kPremature:
      case Whose::kOtherSession:
      case Whose::kNobody: report_unexplained(evidence, sink, answer, item); break;
      default: break;
    }
  }
}

}  // namespace harness::oracle
