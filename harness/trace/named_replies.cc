// SPDX-License-Identifier: Apache-2.0
#include "harness/trace/named_replies.h"

#include <algorithm>
#include <utility>

#include "harness/json/number.h"
#include "harness/trace/traffic.h"

namespace harness::trace {
namespace {

// Each is held against all that was asked; in a flood of them the first tell the story.
constexpr std::size_t kMostExplained = 100;
// So many replies under the id of the request before, and none under its own, are no chance.
constexpr std::size_t kShifted = 2;
// So many replies under one id that nobody asked with.
constexpr std::size_t kRepeated = 2;

bool has_id(const Item& item) {
  const json::Value* id = item.member("id");
  return id != nullptr && !id->is_null();
}

}  // namespace

NamedReplies::NamedReplies(const Trace& trace, Answers& answers)
    : trace_(trace), answers_(answers) {}

// The first that waits, of those that were asked before it; else the first of all.
const Item& NamedReplies::Asked::first_before(const Item& came) const {
  return open() && waiting.front()->seq < came.seq ? *waiting.front() : *requests.front();
}

void NamedReplies::Asked::give(const Item& to, const Item& came) {
  std::erase(waiting, &to);
  reply = &came;
}

Answer& NamedReplies::answer(const Item& reply) {
  return answers_[static_cast<std::size_t>(&reply - trace_.items.data())];
}

void NamedReplies::attribute() {
  const auto& frames = trace_.transcript.frames;
  opaque_ = any_unnamed_error_allowed_ =
      std::any_of(frames.begin(), frames.end(),
                  [&](const wire::Frame& frame) { return breaks_framing(trace_, frame); });
  // Ids the server asked with: our response to one of those is answered by nothing, but it is not a
  // message out of the blue either.
  std::set<std::string_view> server_ids;
  for (const Item& item : trace_.items) {
    const bool request = item.kind == wire::MessageKind::kRequest;
    if (item.sent) {
      if (is_reply(item) && !request && server_ids.contains(item.key))
        responses_.emplace(item.key, &item);
      else
        sent(item);
    } else if (is_reply(item)) {
      // A message with a method as well is a reply only to something that was asked.
      if (request && !asked_.contains(item.key)) continue;
      received(item);
    } else if (request) {
      server_ids.insert(item.key);
    }
  }
  if (strays_.size() > kMostExplained) strays_.resize(kMostExplained);
  if (trace_.from_start() || !strays_.empty()) find_shift();
  if (!strays_.empty()) constant_ = is_constant();
  for (const Item* stray : strays_) explain(*stray);
  if (unnamed_.size() > kMostExplained) unnamed_.resize(kMostExplained);
  for (const Item* reply : unnamed_) explain_unnamed(*reply);
}

// Over HTTP a message is answered where it was sent; a stream that nothing was sent on may have the
// reply to anything.
bool NamedReplies::may_answer(const Item& reply, const Item& sent) const {
  if (!trace_.http()) return true;
  const int exchange = exchange_of(reply);
  return !posted_.contains(exchange) || exchange == exchange_of(sent);
}

void NamedReplies::sent(const Item& item) {
  if (trace_.http()) {
    Posted& posted = posted_[exchange_of(item)];
    if (!item.key.empty()) {
      posted.named.push_back(&item);
      posted.keys.insert(item.key);
    }
  }
  const wire::Frame& frame = trace_.transcript.frames[item.frame];
  if (frame.channel == wire::Channel::kHttp && contradicts_body(frame))
    any_unnamed_error_allowed_ = true;
  if (item.kind == wire::MessageKind::kRequest) {
    Asked& asked = asked_[item.key];
    asked.requests.push_back(&item);
    asked.waiting.push_back(&item);
    if (item.member("id")->is_null()) stray_null_result_allowed_ = true;
  }
  if (is_proper(trace_, item)) {
    if (item.kind == wire::MessageKind::kNotification) notifications_.push_back(&item);
    return;
  }
  improper_.push_back(&item);
  // From here on: what may be refused by an error without id.
  if (item.value == nullptr) {
    garbage_.push_back(&item);
    unread_.push_back(&item);
    any_unnamed_error_allowed_ = true;
    return;
  }
  if (is_hard_to_read(item)) any_unnamed_error_allowed_ = true;
  ++unnamed_errors_allowed_;
  std::vector<const json::Value*> ids;
  collect_ids(*item.value, ids);
  const bool counted =  // by themselves, or by the elements that follow
      item.kind == wire::MessageKind::kRequest || item.kind == wire::MessageKind::kBatch;
  for (const json::Value* id : ids) {
    loose_.insert(wire::id_key(*id));
    if (counted) continue;
    Mentioned& mentioned = mentioned_[wire::id_key(*id)];
    mentioned.id = id;
    mentioned.item = &item;
    ++mentioned.left;
  }
}

void NamedReplies::received_unnamed(const Item& reply) {
  Answer& own = answer(reply);
  own.whose = Whose::kUnreadable;
  latest_unnamed_ = reply.seq;
  const wire::Frame& frame = trace_.transcript.frames[reply.frame];
  const bool rejected =
      frame.channel == wire::Channel::kHttp && frame.head && frame.head->status >= 400;
  if (rejected || any_unnamed_error_allowed_ || stray_null_result_allowed_) return;
  if (may_be_earlier(trace_)) {
    own.whose = Whose::kEarlier;
  } else if (unnamed_errors_allowed_ > 0) {
    --unnamed_errors_allowed_;
  } else {
    own.whose = Whose::kUnknown;  // until all is known
    unnamed_.push_back(&reply);
  }
}

// HTTP: what was sent in the exchange of the reply, and has an id that this one may have been made
// of; null when something there has the very id.
const Item* NamedReplies::altered_in_exchange(const Item& reply) const {
  if (!trace_.http()) return nullptr;
  const auto posted = posted_.find(exchange_of(reply));
  if (posted == posted_.end()) return nullptr;
  const json::Value& id = *reply.member("id");
  const std::vector<const Item*>& named = posted->second.named;
  if (posted->second.keys.contains(reply.key)) return nullptr;
  const auto altered = std::find_if(named.begin(), named.end(), [&](const Item* item) {
    return change_from(*item->member("id"), id) != Change::kNone;
  });
  return altered == named.end() ? nullptr : *altered;
}

// Whether a request that waits for its reply has an id that this one may have been made of. Once
// there are more strays than are explained, it may: of a batch of thousands each would be compared
// with each.
bool NamedReplies::may_be_of_another(const json::Value& id) const {
  return strays_.size() >= kMostExplained ||
         made_of_open(id, [](Change change) { return change != Change::kNone; });
}

bool NamedReplies::made_of_open(const json::Value& id, bool (*so)(Change)) const {
  return std::any_of(asked_.begin(), asked_.end(), [&](const auto& entry) {
    const Asked& asked = entry.second;
    return asked.open() && so(change_from(*asked.requests.front()->member("id"), id));
  });
}

// One of these that no reply came to, and that a reader may have made this number of.
NamedReplies::Mentioned* NamedReplies::rounded(const json::Value& id) {
  if (!id.is_number()) return nullptr;
  const double came = json::as_double(id);
  for (auto& [key, one] : mentioned_)
    if (one.left > 0 && one.id->is_number() && may_be_rounded_to(came, one.id->text)) return &one;
  return nullptr;
}

// One of these whose id is the same number to a reader of doubles, as that of no request is that
// waits.
NamedReplies::Mentioned* NamedReplies::same_double(const json::Value& id) {
  if (!id.is_number()) return nullptr;
  const auto same = [came = json::as_double(id)](const json::Value& other) {
    return other.is_number() && json::as_double(other) == came;
  };
  for (const auto& [key, asked] : asked_)
    if (asked.open() && same(*asked.requests.front()->member("id"))) return nullptr;
  for (auto& [key, one] : mentioned_)
    if (one.left > 0 && same(*one.id)) return &one;
  return nullptr;
}

// Behind it two requests were asked and answered, one after the other, before the reply came.
bool NamedReplies::is_over(const Item& asked, const Item& reply) const {
  std::uint64_t behind = asked.seq;
  int answered = 0;
  for (const auto& [from, to] : proofs_) {
    if (from <= behind || to >= reply.seq) continue;
    behind = to;
    if (++answered == 2) return true;
  }
  return false;
}

// Broken text in which a lenient reader may have found the id of the reply.
const Item* NamedReplies::text_with(const Item& reply, bool also_over) const {
  const json::Value& id = *reply.member("id");
  const auto found = std::find_if(garbage_.begin(), garbage_.end(), [&](const Item* text) {
    return may_have_read_id(trace_, *text, id) && (also_over || !is_over(*text, reply));
  });
  return found == garbage_.end() ? nullptr : *found;
}

// Text that is not JSON, which error -32700 was meant for though its id is of something else: some
// fill in the id they read last. Nothing that may be its reply came since.
const Item* NamedReplies::stale_to(const Item& reply) const {
  constexpr std::int64_t kParseError = -32700;
  if (code_of(reply) != kParseError || text_with(reply, true) != nullptr) return nullptr;
  const auto found = std::find_if(unread_.begin(), unread_.end(), [&](const Item* text) {
    return may_answer(reply, *text) && text->seq > latest_unnamed_ && !is_over(*text, reply);
  });
  return found == unread_.end() ? nullptr : *found;
}

void NamedReplies::give_text(const Item& reply, const Item& text) {
  answer(reply) = {Whose::kStale, Change::kNone, &text, nullptr, {}};
  std::erase(unread_, &text);
}

// What explains an id that no open request has: what was said before, or is no request.
bool NamedReplies::is_from_elsewhere(const Item& reply) {
  const json::Value& id = *reply.member("id");
  Answer& own = answer(reply);
  // The digits of an open request tell more than that a text may have any id.
  const bool retyped =
      !garbage_.empty() && made_of_open(id, [](Change change) { return change == Change::kType; });
  if (trace_.earlier_ids.contains(reply.key)) {
    own.whose = Whose::kEarlier;
  } else if (is_replay(trace_, trace_.transcript.frames[reply.frame])) {
    own.whose = Whose::kReplayed;
  } else if (const Item* text = retyped ? nullptr : text_with(reply, !may_be_of_another(id))) {
    own = {Whose::kText, Change::kNone, text, nullptr, {}};
  } else if (const auto named = mentioned_.find(reply.key); named != mentioned_.end()) {
    Mentioned* refused = named->second.left > 0 ? &named->second : rounded(id);
    own = {Whose::kMentioned, Change::kNone, named->second.item, nullptr, {}};
    if (refused != nullptr) {
      own.to = refused->item;
      --refused->left;
    } else if (may_be_of_another(id)) {
      own = {Whose::kUnknown, Change::kNone, nullptr, nullptr, {}};
      strays_.push_back(&reply);
    }
  } else if (Mentioned* refused = asked_.contains(reply.key) ? rounded(id) : same_double(id)) {
    own = {Whose::kMentioned, Change::kNone, refused->item, nullptr, {}};
    --refused->left;
  } else {
    return false;
  }
  return true;
}

// A request with this very id waits.
void NamedReplies::take(Asked& asked, const Item& reply) {
  std::vector<const Item*> here;
  for (const Item* request : asked.waiting)
    if (may_answer(reply, *request)) here.push_back(request);
  Answer& own = answer(reply);
  own.whose = here.empty() ? Whose::kOtherStream : Whose::kRequest;
  own.to = here.empty() ? asked.waiting.front() : here.front();
  if (here.size() == 1) proofs_.emplace_back(own.to->seq, reply.seq);
  // Of two that were open under one id, the second reply is no more certain than the first.
  if (here.size() == 1 && asked.reply != nullptr) {
    const Answer& before = answer(*asked.reply);
    const std::vector<const Item*>& open = before.candidates;
    if (before.whose == Whose::kSeveral &&
        std::find(open.begin(), open.end(), here.front()) != open.end()) {
      proofs_.pop_back();
      here = open;
    }
  }
  // One that is no JSON to us may have it as well.
  const Item* text = here.empty() ? nullptr : text_with(reply, false);
  if (here.size() > 1 || text != nullptr) {
    own.whose = Whose::kSeveral;
    own.candidates = std::move(here);
    if (text != nullptr) own.candidates.push_back(text);
  }
  asked.give(*own.to, reply);
}

void NamedReplies::received(const Item& reply) {
  const json::Value* id = reply.member("id");
  if (id == nullptr || id->is_null()) return received_unnamed(reply);
  Answer& own = answer(reply);
  own.whose = Whose::kUnknown;
  const auto found = asked_.find(reply.key);
  const bool open = found != asked_.end() && found->second.open();
  if (opaque_) {
    if (!open && trace_.earlier_ids.contains(reply.key)) own.whose = Whose::kEarlier;
    return;
  }
  if (strays_.size() < kMostExplained && altered_in_exchange(reply) != nullptr) {
    strays_.push_back(&reply);  // though another exchange may have asked with this id
    return;
  }
  const Item* text = stale_to(reply);
  if (open) {
    if (text != nullptr) found->second.unread = &reply;
    return take(found->second, reply);
  }
  if (text != nullptr && !mentioned_.contains(reply.key) && !may_be_of_another(*id))
    return give_text(reply, *text);
  // Of one reply too many, that is one which need not have been the request's.
  if (found != asked_.end() && found->second.unread != nullptr) {
    const Item& unread = *std::exchange(found->second.unread, nullptr);
    if (const Item* refused = stale_to(unread)) {
      own = answer(unread);
      return give_text(unread, *refused);
    }
  }
  const auto response = responses_.find(reply.key);
  if (found == asked_.end() && response != responses_.end()) {
    own = {Whose::kResponse, Change::kNone, response->second, nullptr, {}};
    return;
  }
  if (is_from_elsewhere(reply)) return;
  if (found != asked_.end() && !may_be_of_another(*id)) {
    own = {Whose::kAgain, Change::kNone, found->second.requests.back(), found->second.reply, {}};
    return;
  }
  if (found == asked_.end() && loose_.contains(reply.key)) {
    own.whose = Whose::kMentioned;
    return;
  }
  strays_.push_back(&reply);
}

// A server that answers each request under the id of the one before it: the first reply has an id
// that nobody asked with here, each of the others comes when another request was sent, also of
// several at once, and the last request of all has no reply of its own.
void NamedReplies::find_shift() {
  std::vector<const Item*> requests, replies;
  for (const Item& item : trace_.items) {
    if (item.sent && item.kind == wire::MessageKind::kRequest) {
      if (item.array != 0) return;  // what of an array is served at all, nobody knows here
      requests.push_back(&item);
    }
    if (!item.sent && is_reply(item) && (has_id(item) || replies.empty())) replies.push_back(&item);
  }
  if (replies.size() <= kShifted) return;
  // Elsewhere the first may as well be the reply to what was asked before: then all come late.
  const Whose first = answer(*replies.front()).whose;
  if (first != Whose::kUnknown && first != Whose::kUnreadable) return;
  std::vector<const Item*> answered;  // by the reply at the same place
  std::size_t next = 0;               // of the requests the first that may be answered
  for (std::size_t i = 0; i < replies.size(); ++i) {
    const Item& reply = *replies[i];
    if (reply.array != 0) return;
    if (i > 0) {
      while (next < requests.size() && requests[next]->key != reply.key) ++next;
      ++next;
    }
    if (next >= requests.size() || requests[next]->seq > reply.seq) return;
    if (requests[next]->key == reply.key) return;  // that is its own
    answered.push_back(requests[next]);
  }
  if (next + 1 != requests.size()) return;  // the last has a reply of its own, or none at all
  for (std::size_t i = 0; i < replies.size(); ++i)
    if (has_id(*replies[i]))
      answer(*replies[i]) = {Whose::kAltered, Change::kPrevious, answered[i], nullptr, {}};
}

// A server that answers all that is asked under one id, which nobody asked with.
bool NamedReplies::is_constant() const {
  const std::string_view key = strays_.front()->key;
  return strays_.size() >= kRepeated && !asked_.contains(key) &&
         std::all_of(strays_.begin(), strays_.end(),
                     [&](const Item* stray) { return stray->key == key; });
}

// A request without a reply of its own that was sent before `reply`; the last such.
const Item* NamedReplies::unanswered_before(const Item& reply) const {
  const Item* last = nullptr;
  for (const auto& [key, asked] : asked_) {
    for (const Item* request : asked.waiting) {
      if (request->seq >= reply.seq || !is_proper(trace_, *request)) continue;
      if (!may_answer(reply, *request)) continue;
      if (last == nullptr || request->seq > last->seq) last = request;
    }
  }
  return last;
}

const Item* NamedReplies::notification_before(const Item& reply) const {
  const Item* last = nullptr;
  for (const Item* item : notifications_)
    if (item->seq < reply.seq && may_answer(reply, *item)) last = item;
  // What was sent behind it and is no request may as well have been answered.
  const bool other =
      last != nullptr && std::any_of(improper_.begin(), improper_.end(), [&](auto* i) {
        return i->seq > last->seq && i->seq < reply.seq && may_answer(reply, *i);
      });
  return other ? nullptr : last;
}

// Nobody says that what is no request keeps its id.
bool NamedReplies::is_made_of_mentioned(const json::Value& id) const {
  return std::any_of(mentioned_.begin(), mentioned_.end(), [&](const auto& one) {
    return change_from(*one.second.id, id) != Change::kNone;
  });
}

// A request of another session with this id, to which nothing came there.
const Item* NamedReplies::asked_elsewhere(const Item& reply) const {
  for (const Trace* other : trace_.others) {
    const Item* asked = nullptr;
    for (const Item& item : other->items) {
      if (item.key != reply.key) continue;
      if (!item.sent)
        asked = nullptr;
      else if (item.kind == wire::MessageKind::kRequest)
        asked = &item;
    }
    if (asked != nullptr) return asked;
  }
  return nullptr;
}

bool NamedReplies::explain_as_altered(const Item& stray, bool twice) {
  const json::Value& id = *stray.member("id");
  Asked* altered = nullptr;
  Change change = Change::kNone;
  for (auto& [key, asked] : asked_) {
    const Item& request = asked.first_before(stray);
    if (request.seq >= stray.seq || !may_answer(stray, request)) continue;
    const Change found = change_from(*request.member("id"), id);
    if (found == Change::kNone || (twice && !asked.open())) continue;
    if (altered != nullptr && altered->open() && !asked.open()) continue;
    // Which bits are left tells more than that some number is.
    if (change == Change::kBits && found != Change::kBits && altered->open()) continue;
    const bool exact = found == Change::kBits && change != Change::kBits;
    if (altered != nullptr && !exact && altered->open() == asked.open() &&
        !is_nearer(*request.member("id"), *altered->requests.front()->member("id"), id)) {
      continue;
    }
    altered = &asked;
    change = found;
  }
  if (altered == nullptr) return false;
  const Item& request = altered->first_before(stray);
  answer(stray) = {Whose::kAltered, change, &request, nullptr, {}};
  if (altered->open()) altered->give(request, stray);
  return true;
}

// Its id is of a kind that no id has, as was that of a message before it: some write {} as [].
bool NamedReplies::names_none_of_ours(const Item& stray) const {
  const auto odd = [](const json::Value* id) {
    return id != nullptr && !id->is_string() && !id->is_number() && !id->is_null();
  };
  return odd(stray.member("id")) &&
         std::any_of(trace_.items.begin(), trace_.items.end(), [&](const Item& item) {
           return item.sent && item.seq < stray.seq && odd(item.member("id"));
         });
}

void NamedReplies::explain(const Item& stray) {
  Answer& own = answer(stray);
  if (own.whose == Whose::kAltered) return;
  const json::Value& id = *stray.member("id");
  if (const Item* posted = altered_in_exchange(stray)) {
    // Nobody says that what is no request keeps its id.
    const bool request = posted->kind == wire::MessageKind::kRequest;
    own = {request ? Whose::kAltered : Whose::kMentioned,
           change_from(*posted->member("id"), id),
           posted,
           nullptr,
           {}};
    if (!request) return;
    Asked& asked = asked_[posted->key];
    if (asked.open()) asked.give(*asked.waiting.front(), stray);
    return;
  }
  const auto same = asked_.find(stray.key);
  const bool twice = same != asked_.end() && same->second.reply != nullptr &&
                     same->second.requests.front()->seq < stray.seq;
  if (explain_as_altered(stray, twice)) return;
  if (twice) {
    own = {Whose::kAgain, Change::kNone, same->second.requests.back(), same->second.reply, {}};
  } else if ((!trace_.http() && is_made_of_mentioned(id)) || names_none_of_ours(stray)) {
    own.whose = Whose::kMentioned;
  } else if (same != asked_.end()) {
    own = {Whose::kPremature, Change::kNone, same->second.requests.front(), nullptr, {}};
  } else if (const Item* other = asked_elsewhere(stray)) {
    own = {Whose::kOtherSession, Change::kNone, other, nullptr, {}};
  } else if (const Item* open = unanswered_before(stray)) {
    own = {Whose::kNobody, Change::kNone, open, nullptr, {}};
    if (!constant_) return;
    own = {Whose::kAltered, Change::kConstant, open, nullptr, {}};
    asked_[open->key].give(*open, stray);
  } else {
    const Item* notification = constant_ ? nullptr : notification_before(stray);
    own.whose = notification == nullptr ? Whose::kNobody : Whose::kNotification;
    own.to = notification;
  }
}

void NamedReplies::explain_unnamed(const Item& reply) {
  const bool error = reply.kind == wire::MessageKind::kErrorResponse;
  Answer& own = answer(reply);
  const Item* open = unanswered_before(reply);
  const Item* notification = notification_before(reply);
  // Nothing that was sent behind the notification was answered before.
  const bool either = open != nullptr && error && notification != nullptr &&
                      std::none_of(proofs_.begin(), proofs_.end(), [&](const auto& proof) {
                        return proof.first > notification->seq && proof.second < reply.seq;
                      });
  if (either && speaks_of(reply, *notification) && !speaks_of(reply, *open)) {
    own = {Whose::kNotification, Change::kNone, notification, nullptr, {}};
  } else if (either) {
    own.whose = Whose::kUnknown;
  } else if (open != nullptr) {
    own = {Whose::kAltered, Change::kLost, open, nullptr, {}};
    asked_[open->key].give(*open, reply);
  } else if (notification != nullptr) {
    own = {Whose::kNotification, Change::kNone, notification, nullptr, {}};
    // Our response came behind it.
    for (const auto& [key, response] : responses_)
      if (error && response->seq > notification->seq && response->seq < reply.seq &&
          may_answer(reply, *response))
        own = {Whose::kResponse, Change::kNone, response, nullptr, {}};
  } else if (!error || !trace_.from_start()) {
    own.whose = Whose::kEarlier;  // it may answer broken text sent before the slice
  } else {
    own.whose = Whose::kNobody;
  }
}

}  // namespace harness::trace
