// SPDX-License-Identifier: Apache-2.0
// Replies against requests: each id answered once, under the id it was asked with, and nothing else
// answered. Two passes: first every reply takes the request with exactly its id; what is left over
// is then explained by what stayed unanswered, so that "1" for 1 is told apart from an invention.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "harness/json/number.h"
#include "harness/json/write.h"
#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"

namespace harness::oracle {
namespace {

struct Asked {
  std::vector<const Item*> requests;
  std::vector<const Item*> replies;
  bool open() const { return replies.size() < requests.size(); }
};

// Each is held against all that was asked; in a flood of them the first tell the story.
constexpr std::size_t kMostExplained = 100;

// An id in what is no request, which may be refused under it.
struct Mentioned {
  const json::Value* id = nullptr;
  std::size_t left = 0;  // as often as it was sent, and no reply came
};
using Ids = std::map<std::string, Mentioned, std::less<>>;

struct Ledger {
  std::map<std::string_view, Asked> asked;
  wire::Keys loose;                        // ids a lenient server may have read or may repeat
  Ids elsewhere;                           // those of them in what is no request
  std::vector<const Item*> garbage;        // sent, and not JSON
  std::vector<const Item*> notifications;  // proper ones, sent
  std::size_t unnamed_errors_allowed = 0;
  bool any_unnamed_error_allowed = false;
  bool stray_null_result_allowed = false;
  bool opaque = false;               // the server may have read messages we know nothing of
  std::vector<const Item*> strays;   // replies with an id nobody asked
  std::vector<const Item*> unnamed;  // replies without an id, or with null, not accounted for
  // HTTP: what was sent, by exchange.
  struct Posted {
    std::vector<const Item*> named;   // has an id
    std::set<std::string_view> keys;  // of their ids
  };
  std::map<int, Posted> posted;
};

int exchange_of(const Evidence& evidence, const Item& item) {
  return evidence.transcript.frames[item.frame].exchange;
}

// Over HTTP a message is answered where it was sent; a stream that nothing was sent on may have the
// reply to anything.
bool may_answer(const Evidence& evidence, const Ledger& ledger, const Item& reply,
                const Item& sent) {
  if (!evidence.http()) return true;
  const int exchange = exchange_of(evidence, reply);
  return !ledger.posted.contains(exchange) || exchange == exchange_of(evidence, sent);
}

void note_sent(const Evidence& evidence, const Item& item, Ledger& ledger) {
  if (evidence.http()) {
    Ledger::Posted& posted = ledger.posted[exchange_of(evidence, item)];
    if (!item.key.empty()) {
      posted.named.push_back(&item);
      posted.keys.insert(item.key);
    }
    if (belies_body(evidence.transcript.frames[item.frame]))
      ledger.any_unnamed_error_allowed = true;
  }
  if (item.kind == wire::MessageKind::kRequest) {
    ledger.asked[item.key].requests.push_back(&item);
    if (item.member("id")->is_null()) ledger.stray_null_result_allowed = true;
  }
  if (is_proper(evidence, item)) {
    if (item.kind == wire::MessageKind::kNotification) ledger.notifications.push_back(&item);
    return;
  }
  // From here on: what may be refused by an error without id.
  if (item.value == nullptr) {
    ledger.garbage.push_back(&item);
    ledger.any_unnamed_error_allowed = true;
    return;
  }
  if (is_hard_to_read(item)) ledger.any_unnamed_error_allowed = true;
  ++ledger.unnamed_errors_allowed;
  std::vector<const json::Value*> ids;
  collect_ids(*item.value, ids);
  const bool counted =  // by themselves, or by the elements that follow
      item.kind == wire::MessageKind::kRequest || item.kind == wire::MessageKind::kBatch;
  for (const json::Value* id : ids) {
    ledger.loose.insert(wire::id_key(*id));
    if (counted) continue;
    Mentioned& mentioned = ledger.elsewhere[wire::id_key(*id)];
    mentioned.id = id;
    ++mentioned.left;
  }
}

bool is_rejected_by_http(const Evidence& evidence, const Item& reply) {
  const wire::Frame& frame = evidence.transcript.frames[reply.frame];
  return frame.channel == wire::Channel::kHttp && frame.head && frame.head->status >= 400;
}

void report_twice(const Evidence& evidence, Sink& sink, const Asked& asked, const Item& reply) {
  const Item& first = *asked.replies.back();
  const bool after_array = first.array != 0 && reply.array == 0;
  Breach breach{"one response for " + shown_id(reply.member("id")),
                "another response with the same id: " + shown(reply.text),
                {asked.requests.back()->seq, first.seq, reply.seq}};
  if (after_array) {
    report_best(evidence, sink,
                {"jsonrpc.batch.nothing-after-array", "mcp.base.jsonrpc-conformance",
                 "tutorial.jsonrpc.concurrent-requests", "jsonrpc.request.reply-exactly-one"},
                std::move(breach));
  } else {
    report_best(evidence, sink,
                {"jsonrpc.request.reply-exactly-one", "mcp.base.jsonrpc-conformance",
                 "tutorial.jsonrpc.concurrent-requests"},
                std::move(breach));
  }
}

void take_unnamed(const Evidence& evidence, const Item& reply, Ledger& ledger) {
  // A result that lacks the member is the envelope oracle's business.
  if (reply.kind != wire::MessageKind::kErrorResponse && reply.member("id") == nullptr) return;
  if (is_rejected_by_http(evidence, reply) || ledger.any_unnamed_error_allowed) return;
  if (ledger.stray_null_result_allowed || may_be_earlier(evidence)) return;
  if (ledger.unnamed_errors_allowed > 0) {
    --ledger.unnamed_errors_allowed;
    return;
  }
  ledger.unnamed.push_back(&reply);
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

enum class Change { kNone, kType, kText, kCut, kFraction, kRounded };

// How `id` could have come from `asked`.
Change change_from(const json::Value& asked, const json::Value& id) {
  if (asked.is_number() && id.is_number()) {
    const double was = json::as_double(asked);
    if (!json::is_integer(asked)) {
      return json::as_double(id) > was - 1 && json::as_double(id) < was + 1 ? Change::kFraction
                                                                            : Change::kNone;
    }
    const bool big = was >= 9007199254740992.0 || was <= -9007199254740992.0;
    return big ? Change::kRounded : Change::kNone;
  }
  if (asked.is_string() && id.is_string()) {
    if (lower(asked.text) == lower(id.text)) return Change::kText;
    const bool is_start = !id.text.empty() && asked.text.size() > 255 &&
                          asked.text.compare(0, id.text.size(), id.text) == 0;
    return is_start ? Change::kCut : Change::kNone;
  }
  if (asked.is_string() && id.is_number()) {
    if (asked.text == id.text) return Change::kType;
    return json::is_number_text(asked.text) && json::equal_numbers(asked.text, id.text)
               ? Change::kType
               : Change::kNone;
  }
  if (asked.is_number() && id.is_string()) {
    if (asked.text == id.text) return Change::kType;
    return json::is_number_text(id.text) && json::equal_numbers(asked.text, id.text)
               ? Change::kType
               : Change::kNone;
  }
  return Change::kNone;
}

// HTTP: what was sent in the exchange of the reply, and has an id that this one may have been made
// of; null when something there has the very id.
const Item* altered_in_exchange(const Evidence& evidence, const Ledger& ledger, const Item& reply) {
  if (!evidence.http()) return nullptr;
  const auto posted = ledger.posted.find(exchange_of(evidence, reply));
  if (posted == ledger.posted.end()) return nullptr;
  const json::Value& id = *reply.member("id");
  const std::vector<const Item*>& named = posted->second.named;
  if (posted->second.keys.contains(reply.key)) return nullptr;
  const auto altered = std::find_if(named.begin(), named.end(), [&](const Item* item) {
    return change_from(*item->member("id"), id) != Change::kNone;
  });
  return altered == named.end() ? nullptr : *altered;
}

// Whether a request that waits for its reply has an id that this one may have been made of.
bool may_be_of_another(const Ledger& ledger, const json::Value& id) {
  return std::any_of(ledger.asked.begin(), ledger.asked.end(), [&](const auto& entry) {
    const Asked& asked = entry.second;
    return asked.open() && change_from(*asked.requests.front()->member("id"), id) != Change::kNone;
  });
}

// One of these that no reply came to, and that a reader may have made this number of.
Mentioned* rounded(Ids& ids, const json::Value& id) {
  if (!id.is_number()) return nullptr;
  const double came = json::as_double(id);
  for (auto& [key, one] : ids)
    if (one.left > 0 && one.id->is_number() && may_be_rounded_to(came, one.id->text)) return &one;
  return nullptr;
}

void take_reply(const Evidence& evidence, Sink& sink, const Item& reply, Ledger& ledger) {
  const json::Value* id = reply.member("id");
  if (id == nullptr || id->is_null()) return take_unnamed(evidence, reply, ledger);
  if (ledger.opaque) return;
  if (ledger.strays.size() < kMostExplained &&
      altered_in_exchange(evidence, ledger, reply) != nullptr) {
    ledger.strays.push_back(&reply);  // though another exchange may have asked with this id
    return;
  }
  const auto found = ledger.asked.find(reply.key);
  if (found != ledger.asked.end() && found->second.open()) {
    found->second.replies.push_back(&reply);
    return;
  }
  if (evidence.earlier_ids.contains(reply.key)) return;
  if (is_replay(evidence, evidence.transcript.frames[reply.frame])) return;
  const bool from_garbage =
      std::any_of(ledger.garbage.begin(), ledger.garbage.end(),
                  [&](const Item* text) { return may_have_read_id(evidence, *text, *id); });
  if (from_garbage) return;
  if (const auto own = ledger.elsewhere.find(reply.key); own != ledger.elsewhere.end()) {
    Mentioned* refused = own->second.left > 0 ? &own->second : rounded(ledger.elsewhere, *id);
    if (refused != nullptr)
      --refused->left;
    else if (may_be_of_another(ledger, *id))
      ledger.strays.push_back(&reply);
    return;
  }
  if (found != ledger.asked.end() && !may_be_of_another(ledger, *id)) {
    report_twice(evidence, sink, found->second, reply);
    return;
  }
  if (found == ledger.asked.end() && ledger.loose.contains(reply.key)) return;
  ledger.strays.push_back(&reply);
}

// Of two numbers, which is more likely to have been rounded to `id`; of anything else the first.
bool is_nearer(const json::Value& one, const json::Value& other, const json::Value& id) {
  if (!one.is_number() || !other.is_number() || !id.is_number()) return false;
  const double from = json::as_double(id);
  return std::abs(json::as_double(one) - from) < std::abs(json::as_double(other) - from);
}

void report_altered(const Evidence& evidence, Sink& sink, Change change, const Item& request,
                    const Item& reply) {
  Breach breach{"the reply to carry " + shown_id(request.member("id")),
                shown_id(reply.member("id")) + " in " + shown(reply.text),
                {request.seq, reply.seq}};
  switch (change) {
    case Change::kType:
      return report_best(evidence, sink,
                         {"jsonrpc.id.type-preserved", "mcp.base.response-same-id",
                          "tutorial.jsonrpc.id-string-or-number"},
                         std::move(breach));
    case Change::kCut:
      return report_best(evidence, sink, {"jsonrpc.id.long-string-echo"}, std::move(breach));
    case Change::kFraction:
      return report_best(evidence, sink,
                         {"jsonrpc.id.fractional", "mcp.base.request-id.not-string-or-integer"},
                         std::move(breach));
    case Change::kRounded:
      return report_best(evidence, sink, {"jsonrpc.id.beyond-safe-integer"}, std::move(breach));
    default:
      return report_best(evidence, sink,
                         {"jsonrpc.id.string-echo", "mcp.base.response-same-id",
                          "tutorial.jsonrpc.id-string-or-number"},
                         std::move(breach));
  }
}

// A request without a reply of its own that was sent before `reply`; the last such.
const Item* unanswered_before(const Evidence& evidence, const Ledger& ledger, const Item& reply) {
  const Item* last = nullptr;
  for (const auto& [key, asked] : ledger.asked) {
    for (std::size_t i = asked.replies.size(); i < asked.requests.size(); ++i) {
      const Item* request = asked.requests[i];
      if (request->seq >= reply.seq || !is_proper(evidence, *request)) continue;
      if (!may_answer(evidence, ledger, reply, *request)) continue;
      if (last == nullptr || request->seq > last->seq) last = request;
    }
  }
  return last;
}

const Item* notification_before(const Evidence& evidence, const Ledger& ledger, const Item& reply) {
  const Item* last = nullptr;
  for (const Item* item : ledger.notifications) {
    if (item->seq < reply.seq && may_answer(evidence, ledger, reply, *item)) last = item;
  }
  return last;
}

void report_notification_answered(const Evidence& evidence, Sink& sink, const Item& notification,
                                  const Item& reply) {
  report_best(evidence, sink,
              {"jsonrpc.notification.no-reply", "mcp.base.notification-no-response",
               "tutorial.jsonrpc.notification-no-response"},
              {"no response to a notification", shown(reply.text), {notification.seq, reply.seq}});
}

// Nobody says that what is no request keeps its id.
bool is_made_of(const Ids& ids, const json::Value& id) {
  return std::any_of(ids.begin(), ids.end(), [&](const auto& one) {
    return change_from(*one.second.id, id) != Change::kNone;
  });
}

void explain_stray(const Evidence& evidence, Sink& sink, Ledger& ledger, const Item& reply) {
  const json::Value& id = *reply.member("id");
  if (const Item* own = altered_in_exchange(evidence, ledger, reply)) {
    // Nobody says that what is no request keeps its id.
    if (own->kind != wire::MessageKind::kRequest) return;
    Asked& asked = ledger.asked[own->key];
    if (asked.open()) asked.replies.push_back(&reply);
    return report_altered(evidence, sink, change_from(*own->member("id"), id), *own, reply);
  }
  const auto same = ledger.asked.find(reply.key);
  const bool twice = same != ledger.asked.end() && !same->second.replies.empty() &&
                     same->second.requests.front()->seq < reply.seq;
  Asked* altered = nullptr;
  Change change = Change::kNone;
  for (auto& [key, asked] : ledger.asked) {
    const Item& request = *asked.requests.front();
    if (request.seq >= reply.seq || !may_answer(evidence, ledger, reply, request)) continue;
    const Change found = change_from(*request.member("id"), id);
    if (found == Change::kNone || (twice && !asked.open())) continue;
    if (altered != nullptr && altered->open() && !asked.open()) continue;
    if (altered != nullptr && altered->open() == asked.open() &&
        !is_nearer(*request.member("id"), *altered->requests.front()->member("id"), id)) {
      continue;
    }
    altered = &asked;
    change = found;
  }
  if (altered != nullptr) {
    const Item& request = *altered->requests.front();
    if (altered->open()) altered->replies.push_back(&reply);
    return report_altered(evidence, sink, change, request, reply);
  }
  if (twice) return report_twice(evidence, sink, same->second, reply);
  if (!evidence.http() && is_made_of(ledger.elsewhere, id)) return;
  Breach breach{"only ids of requests that were sent",
                shown_id(&id) + " in " + shown(reply.text),
                {reply.seq}};
  if (is_rejected_by_http(evidence, reply)) breach.at_most = Severity::kWarn;
  if (const auto later = ledger.asked.find(reply.key); later != ledger.asked.end()) {
    breach.seen = "a reply before its request: " + shown(reply.text);
    breach.frames.push_back(later->second.requests.front()->seq);
  } else if (const Item* open = unanswered_before(evidence, ledger, reply)) {
    breach.expected = "the reply to carry " + shown_id(open->member("id"));
    breach.frames.insert(breach.frames.begin(), open->seq);
  } else if (const Item* notification = notification_before(evidence, ledger, reply)) {
    return report_notification_answered(evidence, sink, *notification, reply);
  }
  report_best(evidence, sink,
              {"jsonrpc.id.never-invented", "mcp.base.response-same-id",
               "tutorial.jsonrpc.response-id-matches"},
              std::move(breach));
}

void explain_unnamed(const Evidence& evidence, Sink& sink, Ledger& ledger, const Item& reply) {
  // A result under null may belong to a request, whose id the cases about ids ask for.
  const bool error = reply.kind == wire::MessageKind::kErrorResponse;
  if (const Item* open = unanswered_before(evidence, ledger, reply)) {
    if (!error) return;
    report_best(evidence, sink,
                {"jsonrpc.id.echo-on-error", "mcp.base.error-readable-id-required",
                 "tutorial.jsonrpc.response-id-matches"},
                {"the error to carry " + shown_id(open->member("id")),
                 shown(reply.text),
                 {open->seq, reply.seq}});
    ledger.asked[open->key].replies.push_back(&reply);
    return;
  }
  if (const Item* notification = notification_before(evidence, ledger, reply)) {
    return report_notification_answered(evidence, sink, *notification, reply);
  }
  if (!error || !evidence.from_start()) return;  // may answer garbage sent before the slice
  report_best(evidence, sink,
              {"jsonrpc.id.never-invented", "mcp.base.jsonrpc-conformance",
               "tutorial.jsonrpc.response-id-matches"},
              {"no error without anything to answer", shown(reply.text), {reply.seq}});
}

// Ids the server asked with: our response to one of those is answered by nothing, but it is not a
// message out of the blue either.
bool answers_server(const std::set<std::string_view>& server_ids, const Item& item) {
  return server_ids.contains(item.key);
}

}  // namespace

void judge_replies(const Evidence& evidence, Sink& sink) {
  Ledger ledger;
  const auto& frames = evidence.transcript.frames;
  ledger.opaque = ledger.any_unnamed_error_allowed =
      std::any_of(frames.begin(), frames.end(),
                  [&](const wire::Frame& frame) { return breaks_framing(evidence, frame); });
  std::set<std::string_view> server_ids;
  for (const Item& item : evidence.items) {
    if (item.sent) {
      if (is_reply(item) && item.kind != wire::MessageKind::kRequest &&
          answers_server(server_ids, item)) {
        continue;
      }
      note_sent(evidence, item, ledger);
    } else if (is_reply(item)) {
      // A message with a method as well is a reply only to something that was asked.
      const bool hybrid = item.kind == wire::MessageKind::kRequest;
      if (hybrid && !ledger.asked.contains(item.key)) continue;
      take_reply(evidence, sink, item, ledger);
    } else if (item.kind == wire::MessageKind::kRequest) {
      server_ids.insert(item.key);
    }
  }
  if (ledger.strays.size() > kMostExplained) ledger.strays.resize(kMostExplained);
  for (const Item* stray : ledger.strays) explain_stray(evidence, sink, ledger, *stray);
  if (ledger.unnamed.size() > kMostExplained) ledger.unnamed.resize(kMostExplained);
  for (const Item* unnamed : ledger.unnamed) explain_unnamed(evidence, sink, ledger, *unnamed);
}

}  // namespace harness::oracle
