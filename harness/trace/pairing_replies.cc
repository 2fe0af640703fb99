// SPDX-License-Identifier: Apache-2.0
// What came for what was asked, by ids and arrays; and what did not come.
#include <algorithm>
#include <utility>

#include "harness/json/number.h"
#include "harness/trace/pairing.h"
#include "harness/trace/readable_ids.h"
#include "harness/trace/traffic.h"

namespace harness::trace {
namespace {

// In a flood of them the first tell the story.
constexpr int kMostSilences = 100;

bool is_of_array(const Asked& ask, const std::set<int>& groups) {
  return groups.contains(ask.group);
}

bool may_be_rounded(double came, const json::Value& request) {
  const json::Value* asked = spec::readable_id(request);
  return asked != nullptr && asked->is_number() && may_be_rounded_to(came, asked->text);
}

}  // namespace

std::optional<std::int64_t> code_of(const Item& reply) {
  const json::Value* error = reply.error();
  const json::Value* code = error != nullptr && error->is_object() ? error->find("code") : nullptr;
  return code == nullptr ? std::nullopt : json::as_integer(*code);
}

spec::Grade grade_of(const Asked& asked, const Item& reply) {
  if (reply.error() == nullptr) return asked.expected.result();
  const auto code = code_of(reply);
  return code ? asked.expected.error(*code) : spec::Grade::kLawful;
}

Answer& Pairing::answer(const Item& reply) {
  return answers_[static_cast<std::size_t>(&reply - trace_.items.data())];
}

void Pairing::received(const Item& item) {
  const wire::Frame& frame = trace_.transcript.frames[item.frame];
  if (item.kind == wire::MessageKind::kRequest && item.array == 0) server_ids_.insert(item.key);
  const bool names_nothing = item.key.empty() || item.key == "null";
  if (torn_ && names_nothing) return;
  if (item.kind == wire::MessageKind::kBatch && item.array == 0) return note_array(item);
  if (!is_reply(item) || item.kind == wire::MessageKind::kRequest) return;
  if (trace_.http()) exchanges_.heard(frame.exchange);
  if (skipped_arrays_.contains(item.array)) return;  // the array was what answered
  if (is_odd_reply(item)) return;
  const json::Value* id = item.member("id");
  const bool unnamed = id == nullptr || id->is_null();
  const Answer& own = answer(item);
  if (unnamed && own.whose == Whose::kNotification && speaks_of(item, *own.to)) return;
  if (unnamed) {
    (trace_.http() ? windows_[frame.exchange].replies : replies_).push_back(&item);
  } else {
    doubt_waiting(item);
    Asked* ask = answer(item).whose == Whose::kStale ? stale_of(item) : ask_of(item, *id);
    if (ask != nullptr) match(*ask, item);
  }
}

// Once more under an id, or under that of what is no request, which was passed over or is not
// known: a request that waits may have been answered so.
void Pairing::doubt_waiting(const Item& reply) {
  const Answer& own = answer(reply);
  const bool again = own.whose == Whose::kAgain;
  if (!again && own.whose != Whose::kMentioned && own.whose != Whose::kText) return;
  if (!again && own.to != nullptr && !is_passed_over(*own.to)) return;
  const std::uint64_t since = own.to == nullptr ? 0 : own.to->seq;
  const int exchange = own_exchange(reply);
  bool other = false;
  for (std::size_t i = connection_; i < asks_.size(); ++i) {
    const bool waits = is_waiting(i, exchange) && asks_[i].item->seq > since;
    asks_[i].doubtful |= waits;
    other |= waits;
  }
  for (std::size_t i = connection_; other && i < asks_.size(); ++i)
    if (asks_[i].item == own.to) mute(asks_[i]);
}

// The request it belongs to is answered, though under another id than its own or elsewhere. What
// belongs to nobody may be the reply to the one that waits.
bool Pairing::is_odd_reply(const Item& reply) {
  const Answer& own = answer(reply);
  const bool named = !reply.key.empty() && reply.key != "null";
  const bool unknown =
      own.whose == Whose::kNobody || (own.whose == Whose::kMentioned && own.to == nullptr);
  if (unknown && named && reply.error() != nullptr) excuse_unnamed(reply);
  const bool invented = own.whose == Whose::kNobody && own.to != nullptr;
  if (!invented && own.whose != Whose::kAltered && own.whose != Whose::kOtherStream) return false;
  for (std::size_t i = connection_; i < asks_.size(); ++i)
    if (asks_[i].item == own.to) asks_[i].answered = true;
  return true;
}

// An error under an id of nobody may refuse what has none, the first that waits behind those whose
// replies without an id have come.
void Pairing::excuse_unnamed(const Item& reply) {
  const int exchange = own_exchange(reply);
  std::size_t others = (trace_.http() ? windows_[exchange].replies : replies_).size();
  Asked* refused = nullptr;
  for (const std::size_t i : waiting_unnamed()) {
    if (asks_[i].muted || !is_waiting(i, exchange)) continue;
    refused = &asks_[i];
    if (others-- == 0) break;
  }
  if (refused == nullptr) return;
  mute(*refused);
  refused->answered = true;
}

// The arrays whose ids these replies have; of one without ids, those that wait.
std::set<int> Pairing::arrays_of(const Item& reply, bool& by_id, bool& doubtful) {
  std::set<int> groups;
  std::set<int> perhaps;  // by ids that several wait with
  for (const json::Value& element : reply.value->items) {
    const json::Value* id = element.is_object() ? element.find("id") : nullptr;
    if (id == nullptr || id->is_null()) continue;
    by_id = true;
    const std::string key = wire::id_key(*id);
    const int exchange = own_exchange(reply);
    const Asked* ask = waiting(key, exchange);
    if (ask == nullptr || ask->group == 0) continue;
    (count_waiting(key, exchange) > 1 ? perhaps : groups).insert(ask->group);
  }
  doubtful = groups.empty();
  if (doubtful) groups = perhaps;
  for (const std::size_t i : waiting_unnamed()) {
    if (by_id) break;
    const Asked& ask = asks_[i];
    const auto array = arrays_.find(ask.group);
    const bool over = ask.answered || (array != arrays_.end() && array->second.answered);
    if (ask.group != 0 && !ask.whole && !over) groups.insert(ask.group);
  }
  return groups;
}

// An array answers the array whose ids it has; one without ids any that waits.
void Pairing::note_array(const Item& reply) {
  if (reply.value->items.empty()) return note_empty_array(reply);
  bool by_id = false, doubtful = false;
  const std::set<int> groups = arrays_of(reply, by_id, doubtful);
  if (groups.empty() && note_lenient_array(reply)) return;
  if (by_id && groups.empty()) return;  // to something that had its reply
  if (groups.size() > 1 && !by_id) {
    for (const std::size_t i : waiting_unnamed()) {
      const bool as_whole = !arrays_.contains(asks_[i].group);
      if (groups.contains(asks_[i].group) && as_whole) mute(asks_[i]);
    }
    return;
  }
  for (const int group : groups)
    if (const auto found = arrays_.find(group); found != arrays_.end())
      found->second.answered = true;
  bool skip = groups.empty();
  for (std::size_t i = connection_; i < asks_.size(); ++i) {
    if (!is_of_array(asks_[i], groups)) continue;
    const bool as_whole = !arrays_.contains(asks_[i].group);
    if (asks_[i].whole || as_whole) {
      asks_[i].answered = true;
      asks_[i].shared |= doubtful && by_id;
    }
    skip |= as_whole;
    if (asks_[i].whole)
      answer(reply) = {groups.size() == 1 ? Whose::kRequest : Whose::kSeveral,
                       Change::kNone,
                       asks_[i].item,
                       nullptr,
                       {}};
  }
  if (skip) skipped_arrays_.insert(array_number(reply));
}

// An array that no array waits for answers text that a lenient reader took for one. What it makes
// of elements that nobody else can read is not judged; but it is no silence.
bool Pairing::note_lenient_array(const Item& reply) {
  const auto has_read = [&](const Asked& ask) {
    return std::any_of(
        reply.value->items.begin(), reply.value->items.end(), [&](const json::Value& element) {
          const json::Value* id = element.is_object() ? element.find("id") : nullptr;
          return id == nullptr || id->is_null() || may_have_read_id(trace_, *ask.item, *id);
        });
  };
  std::vector<Asked*> lenient;
  for (const std::size_t i : waiting_unnamed()) {
    Asked& ask = asks_[i];
    if (!ask.answered && ask.item->value == nullptr && has_read(ask)) lenient.push_back(&ask);
  }
  if (lenient.empty()) return false;
  Answer& own = answer(reply);
  own = {lenient.size() == 1 ? Whose::kRequest : Whose::kSeveral,
         Change::kNone,
         lenient.front()->item,
         nullptr,
         {}};
  for (Asked* ask : lenient) {
    mute(*ask);
    if (lenient.size() > 1) own.candidates.push_back(ask->item);
  }
  lenient.front()->answered = true;
  skipped_arrays_.insert(array_number(reply));
  return true;
}

// `[]` answers `[]`, or an array that needs no reply; what another oracle says of it is its
// business, but it is not also silence.
void Pairing::note_empty_array(const Item& reply) {
  std::vector<std::size_t> empty;
  for (const std::size_t i : waiting_unnamed()) {
    const Asked& ask = asks_[i];
    if (!ask.answered && ask.whole && ask.item->value->items.empty()) empty.push_back(i);
  }
  if (empty.empty()) return;
  Asked& first = asks_[empty.front()];
  answer(reply) = {empty.size() == 1 ? Whose::kRequest : Whose::kSeveral,
                   Change::kNone,
                   first.item,
                   nullptr,
                   {}};
  for (std::size_t i = 0; empty.size() > 1 && i < empty.size(); ++i) {
    answer(reply).candidates.push_back(asks_[empty[i]].item);
    mute(asks_[empty[i]]);
  }
  first.answered = true;
}

// Where a reply may answer what was sent in this exchange only: HTTP, and something was. Else 0.
int Pairing::own_exchange(const Item& reply) const {
  if (!trace_.http()) return 0;
  const int exchange = trace_.transcript.frames[reply.frame].exchange;
  return exchanges_.was_posted(exchange) ? exchange : 0;
}

bool Pairing::is_waiting(std::size_t i, int exchange) const {
  if (i >= asks_.size() || asks_[i].answered) return false;
  return exchange == 0 || asks_[i].exchange == exchange;
}

// The first with this id that is not answered; in `exchange`, unless that is 0.
Asked* Pairing::waiting(std::string_view key, int exchange) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  for (const std::size_t i : found->second)
    if (is_waiting(i, exchange)) return &asks_[i];
  return nullptr;
}

// One whose id is a number that not every reader can keep, and that this may be made of.
Asked* Pairing::waiting_rounded(const json::Value& id, int exchange) {
  if (!id.is_number()) return nullptr;
  const double came = json::as_double(id);
  for (std::size_t i = connection_; i < asks_.size(); ++i) {
    const json::Value* asked = asks_[i].item->value;
    if (asked == nullptr || !is_waiting(i, exchange)) continue;
    // An array that is asked as a whole may be answered for one of its elements.
    const bool rounded =
        asked->is_array()
            ? std::any_of(asked->items.begin(), asked->items.end(),
                          [&](const json::Value& one) { return may_be_rounded(came, one); })
            : may_be_rounded(came, *asked);
    if (rounded) return &asks_[i];
  }
  return nullptr;
}

std::ptrdiff_t Pairing::count_waiting(std::string_view key, int exchange) const {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return 0;
  return std::count_if(found->second.begin(), found->second.end(),
                       [&](std::size_t i) { return is_waiting(i, exchange); });
}

// Whichever of several it answers, the others may yet be refused without an id.
void Pairing::note_several(const Item& reply, int exchange) {
  Answer& own = answer(reply);
  own = {Whose::kSeveral, Change::kNone, nullptr, nullptr, {}};
  for (const std::size_t i : by_key_.find(reply.key)->second) {
    if (!is_waiting(i, exchange)) continue;
    mute(asks_[i]);
    own.candidates.push_back(asks_[i].item);
  }
  Asked* first = waiting(reply.key, exchange);
  own.to = first->item;
  first->answered = first->shared = true;
}

// It may be that of a message whose id is a number that is not kept, and of what else has this one.
void Pairing::note_rounded(const Item& reply, const Asked& rounded) {
  Answer& own = answer(reply);
  const bool other = own.whose == Whose::kText || own.whose == Whose::kMentioned;
  if (!other || own.to == rounded.item) return;
  std::vector<const Item*> both(1, rounded.item);
  if (own.to != nullptr) both.push_back(own.to);
  own = {Whose::kSeveral, Change::kNone, rounded.item, nullptr, std::move(both)};
}

Asked* Pairing::ask_of(const Item& reply, const json::Value& id) {
  const std::string_view key = reply.key;
  const int exchange = own_exchange(reply);
  if (count_waiting(key, exchange) > 1) {
    note_several(reply, exchange);
    return nullptr;
  }
  Asked* asked = waiting(key, exchange);
  if (id.is_boolean() || id.is_array() || id.is_object()) {
    if (asked == nullptr || reply.error() != nullptr) return asked;
    asked->answered = true;  // a result with such an id is told by the envelope
    return nullptr;
  }
  if (asked != nullptr && unclear_) {
    const bool other = std::any_of(unnamed_.begin(), unnamed_.end(), [&](std::size_t i) {
      return is_marked(asks_[i]) && may_have_read_id(trace_, *asks_[i].item, id);
    });
    if (other) {
      mute(*asked);
      answer(reply).candidates = {asked->item};
    }
  }
  if (asked != nullptr) return asked;
  if (Asked* rounded = waiting_rounded(id, exchange)) {
    rounded->answered = true;  // what there is to tell is about the id
    note_rounded(reply, *rounded);
    return nullptr;
  }
  return lenient_of(reply, id);
}

// Broken text in which a lenient reader may have found the id.
Asked* Pairing::lenient_of(const Item& reply, const json::Value& id) {
  Asked* lenient = nullptr;
  bool had_its_own = false;  // it may be one of those whose replies without an id have come
  std::size_t others = trace_.http() ? 0 : replies_.size();
  for (const std::size_t i : waiting_unnamed()) {
    Asked& ask = asks_[i];
    const bool has_its_own = !ask.answered && others > 0;
    others -= has_its_own;
    const bool over = ask.answered && !is_marked(ask);
    if (ask.item->value != nullptr || over || !may_have_read_id(trace_, *ask.item, id)) continue;
    if (lenient != nullptr && !is_marked(ask) && !had_its_own) continue;
    lenient = &ask;
    had_its_own = has_its_own;
  }
  if (!trace_.earlier_ids.contains(reply.key)) return lenient;
  // Perhaps the reply to something earlier; a session counts ids in broken text among those.
  if (lenient != nullptr) lenient->answered = true;
  return nullptr;
}

// The broken text that it refuses under the id of something else. What came for an earlier one is
// not told.
Asked* Pairing::stale_of(const Item& reply) {
  for (const std::size_t i : waiting_unnamed()) {
    Asked& ask = asks_[i];
    if (ask.item != answer(reply).to || ask.answered) continue;
    if (!trace_.earlier_ids.contains(reply.key)) return &ask;
    ask.answered = true;
  }
  return nullptr;
}

void Pairing::match(Asked& ask, const Item& reply, Claim claim) {
  const wire::Frame& frame = trace_.transcript.frames[reply.frame];
  ask.answered = true;
  note_agreement(reply, ask);
  const json::Value* id = reply.member("id");
  const bool own = id != nullptr && !id->is_null();
  Answer& given = answer(reply);
  const bool stale = given.whose == Whose::kStale;
  if (!stale && given.whose != Whose::kText && given.whose != Whose::kEarlier) {
    const bool likely = claim == Claim::kSole && given.candidates.empty();
    given.whose = likely ? Whose::kRequest : Whose::kSeveral;
  }
  given.to = ask.item;
  if (own && !stale && ask.group == 0 && !ask.muted) note_proof({ask.item->seq, reply.seq});
  if (ask.whole) {
    for (Asked& element : asks_)
      if (element.group == ask.group && element.exchange == ask.exchange) element.answered = true;
  }
  if (frame.head && frame.head->status >= 400 && frame.head->status < 500) return;
  const auto array = arrays_.find(ask.group);
  Match found{static_cast<std::size_t>(&ask - asks_.data()), &reply, claim, ask.muted};
  found.element = !ask.whole && array != arrays_.end();
  if (found.element && claim == Claim::kLess) return;
  if (found.element && reply.array == 0 && is_told_outside(array->second))
    found.outside = array->second.outside = true;
  outcomes_.emplace_back(found);
}

// Two sound requests were answered one after the other: what was sent before the first of them has
// had all the time it needs.
void Pairing::note_proof(const Proof& proof) {
  proofs_.push_back(proof);
  const bool first = latest_.answered == 0;
  if (!first && proof.asked <= latest_.answered) return;
  const std::uint64_t before = latest_.asked;
  latest_ = proof;
  if (first || trace_.http()) return;
  if (unnamed_.empty() || asks_[unnamed_.back()].item->seq < before) settle();
}

// --- what did not come

// What is not answered counts as passed over when two requests that were sent later were, and the
// second of them was asked after the first was answered. One is not enough: where answers are made
// side by side, one may overtake another.
Pairing::Overtaken Pairing::overtaken(const Item& item) const {
  const auto answered_after = [&](std::uint64_t seq) {
    const auto found = std::find_if(proofs_.begin(), proofs_.end(),
                                    [&](const Proof& proof) { return proof.asked > seq; });
    return found == proofs_.end() ? kNever : found->answered;
  };
  Overtaken out;
  out.once = answered_after(item.seq);
  if (out.once != kNever) out.twice = answered_after(out.once);
  return out;
}

bool Pairing::is_told_outside(const Array& array) const {
  const bool streams = trace_.profile.mcp && !trace_.stream() && !trace_.traits().frames;
  return !array.outside && !array.muted && !streams && !trace_.profile.tutorial;
}

// Of no reply at all, ever. An array that is not answered yet may wait for any of its elements.
spec::Grade Pairing::grade_of_silence(const Asked& ask) const {
  if (ask.muted || ask.expected.open()) return spec::Grade::kLawful;
  const auto found = arrays_.find(ask.group);
  if (found == arrays_.end()) return ask.expected.silence();
  const Array& array = found->second;
  if (ask.whole || array.muted || !(array.answered || array.prompt)) return spec::Grade::kLawful;
  const bool request = spec::is_request(ask.expected);
  return request && array.answered ? spec::Grade::kWrong : ask.expected.silence();
}

// A reply with its id came later, in text that is no message: cut, or on one line with another.
bool Pairing::is_in_broken_text(const Item& asked) const {
  if (asked.key.empty()) return false;
  const std::vector<wire::Frame>& frames = trace_.transcript.frames;
  for (std::size_t i = asked.frame + 1; i < frames.size(); ++i) {
    const bool received = frames[i].direction == wire::Direction::kReceived;
    if (!received || !wire::carries_message(frames[i]) || trace_.messages[i].is_json) continue;
    const std::vector<std::string> keys = ReadableIds(frames[i].bytes).keys();
    if (std::find(keys.begin(), keys.end(), asked.key) != keys.end()) return true;
  }
  return false;
}

void Pairing::note_silence(Asked& ask, const std::string& seen) {
  if (ask.answered || grade_of_silence(ask) == spec::Grade::kLawful) return;
  if (silences_ >= kMostSilences || !is_passed_over(*ask.item) || is_in_broken_text(*ask.item))
    return;
  ++silences_;
  const auto array = arrays_.find(ask.group);
  const bool element = array != arrays_.end();
  if (element && std::exchange(array->second.incomplete, true)) return;
  outcomes_.emplace_back(Miss{static_cast<std::size_t>(&ask - asks_.data()), seen, element});
}

void Pairing::note_exchanges() {
  for (Asked& ask : asks_) {
    if (ask.answered || ask.muted || ask.expected.open()) continue;
    const auto index = static_cast<std::size_t>(&ask - asks_.data());
    switch (exchanges_.missing(ask.exchange)) {
      case Exchanges::Missing::kUnknown: break;
      case Exchanges::Missing::kOpen: note_silence(ask); break;
      case Exchanges::Missing::kLeft:
        note_silence(ask, "the connection closed without a response");
        break;
      case Exchanges::Missing::kEmpty: {
        const wire::Frame& head = exchanges_.head(ask.exchange);
        outcomes_.emplace_back(Miss{
            index, "status " + std::to_string(head.head->status) + " and no reply", false, &head});
        break;
      }
      case Exchanges::Missing::kServerError:
        outcomes_.emplace_back(ServerError{index, &exchanges_.head(ask.exchange)});
        break;
    }
  }
}

}  // namespace harness::trace
