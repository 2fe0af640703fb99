// SPDX-License-Identifier: Apache-2.0
// Replies held against the model (harness/spec/model.h): the outcome, an error's code, and silence.
// Ids are the business of `replies`, which also speaks of answered notifications and second
// replies; what a reply looks like is that of `envelope`; codes no reply may have are that of
// `error-codes`; arrays no revision or message allows are that of `batches`.
//
// A reply belongs to the message with its id. Those without an id belong to messages that may be
// refused without one: over HTTP to that of the same exchange, elsewhere to those they suit best,
// all of a window taken together. A window ends when nothing more can come for what is in it.
#include "harness/spec/model.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "harness/json/number.h"
#include "harness/json/write.h"
#include "harness/oracle/families.h"
#include "harness/oracle/pairs.h"
#include "harness/oracle/traffic.h"

namespace harness::oracle {
namespace {

using spec::Expectation;
using spec::Grade;
using spec::Outcome;

// In a flood of them the first tell the story.
constexpr int kMostSilences = 100;

// Messages in a window; in a larger one nobody can tell what answers what.
constexpr std::size_t kMostPaired = 100;
constexpr std::size_t kMostLate = 30;
constexpr std::size_t kModestHead = 2048;  // bytes

int cost_of(Grade grade) {
  return grade == Grade::kWrong ? kCostWrong : grade == Grade::kTolerated ? kCostTolerated : 0;
}

constexpr const char* kSilentOnSound[] = {"jsonrpc.request.reply-exactly-one", "mcp.ping.result",
                                          "mcp.versioning.discover-implemented"};
constexpr const char* kSoundUnreadable[] = {"jsonrpc.error.parse-error-code"};
constexpr const char* kIdFromGarbage[] = {"jsonrpc.id.null-on-parse-error"};
constexpr const char* kOutsideArray[] = {"jsonrpc.batch.array-response"};
constexpr const char* kSingleOutsideArray[] = {"jsonrpc.batch.single-element"};
constexpr const char* kEntryMissing[] = {"jsonrpc.batch.response-per-request",
                                         "mcp.base.batch.receive"};
constexpr const char* kInvalidEntryMissing[] = {"jsonrpc.batch.invalid-elements"};

struct Ask {
  const Item* item;
  Expectation expected;
  std::string_view key;  // of the id that can be read; "" when there is none
  int exchange = 0;      // HTTP
  int group = 0;         // number of the array it is an element of, or is
  bool whole = false;    // it is that array
  bool answered = false;
  bool shared = false;       // or another with its id was answered
  bool muted = false;        // whatever comes is not judged, nor is silence
  bool doubtful = false;     // what another message is taken to have had may have been its reply
  std::size_t elements = 0;  // of an array that is told as a whole
};

struct Array {
  std::size_t size = 0;
  bool answered = false;    // by an array
  bool prompt = false;      // no element takes its time, so neither does the array that answers it
  bool outside = false;     // a response came beside it, which was told
  bool incomplete = false;  // one did not come, which was told
  bool muted = false;
};

class Pairing {
 public:
  Pairing(const Evidence& evidence, Sink& sink) : evidence_(evidence), sink_(sink) {}

  void judge() {
    note_exchanges();
    const auto& frames = evidence_.transcript.frames;
    std::size_t at = 0;
    for (const Item& item : evidence_.items) {
      for (; at < item.frame; ++at) note_frame(frames[at]);
      item.sent ? sent(item) : received(item);
    }
    for (; at < frames.size(); ++at) note_frame(frames[at]);
    for (auto& [exchange, window] : exchanges_) {
      unnamed_ = std::move(window.messages);
      replies_ = std::move(window.replies);
      settle();
    }
    leave_connection();
  }

 private:
  const Evidence& evidence_;
  Sink& sink_;
  std::vector<Ask> asks_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_key_;
  std::deque<std::string> keys_;  // those that no Item has
  // The window: messages that may be refused without an id, and replies without one.
  std::vector<std::size_t> unnamed_;
  std::vector<const Item*> replies_;
  std::vector<std::size_t> late_;  // of earlier windows, without a reply: it may come yet
  bool unclear_ = false;           // what came may answer what we did not read
  bool reused_ = false;            // the id is_used() was asked for last had been used
  std::set<int> skipped_arrays_;   // numbers of arrays that came for arrays told as a whole
  std::map<int, Array> arrays_;
  std::set<std::string_view> server_ids_;
  std::unordered_set<std::string_view> used_keys_;
  std::set<std::string, std::less<>> cancelled_;  // ids
  struct Proof {
    std::uint64_t asked, answered;
  };
  std::vector<Proof> proofs_;  // sound requests of this connection
  int silences_ = 0;
  std::size_t connection_ = 0;  // index of its first ask
  Proof latest_{};              // the first that was asked after one before it was answered
  bool initialized_ = false;
  bool agreed_ = false;   // an initialize of this connection was answered under the profile
  bool foreign_ = false;  // or under another: nothing can be said
  bool torn_ = false;     // what the server reads as a message is not known any more
  // HTTP
  struct Window {
    std::vector<std::size_t> messages;
    std::vector<const Item*> replies;
  };
  std::map<int, Window> exchanges_;
  std::map<int, const wire::Frame*> posts_;
  std::map<int, const wire::Frame*> answers_;
  std::map<int, std::string_view> left_;  // how its connection was; "end": as it should be
  std::set<int> spoke_;                   // a reply came on it
  std::set<int> streams_;                 // an event came on it
  std::set<std::string> endpoints_;       // where messages are answered
  bool sessions_ = false;
  bool over_ = false;  // a session was ended, and whatever was under way in it

  // --- what is going on

  void note_exchanges() {
    if (!evidence_.http()) return;
    for (const wire::Frame& frame : evidence_.transcript.frames) {
      const bool ours = frame.direction == wire::Direction::kSent;
      if (frame.channel == wire::Channel::kClose) {
        if (!ours) left_.emplace(frame.exchange, frame.bytes);
      } else if (ours && frame.channel == wire::Channel::kHttp && frame.head) {
        posts_[frame.exchange] = &frame;
        sessions_ |= frame.head->header("Mcp-Session-Id") != nullptr;
        over_ |= frame.head->method == "DELETE";
      } else if (!ours && frame.channel == wire::Channel::kHttp) {
        answers_[frame.exchange] = &frame;
      } else if (!ours && frame.channel == wire::Channel::kSse) {
        streams_.insert(frame.exchange);
      }
    }
  }

  void note_frame(const wire::Frame& frame) {
    if (evidence_.http()) return;
    if (breaks_framing(evidence_, frame)) tear();
    const bool end =
        frame.channel == wire::Channel::kClose || frame.channel == wire::Channel::kExit;
    if (end && frame.exchange == 0) leave_connection();
    // HTTP+SSE: the message was refused, or the connection it went on was left before it was taken.
    const bool theirs = frame.direction == wire::Direction::kReceived && frame.exchange != 0;
    const bool refused =
        theirs && (frame.channel == wire::Channel::kHttp
                       ? frame.head && frame.head->status >= 400
                       : frame.channel == wire::Channel::kClose && frame.bytes != "end");
    for (std::size_t i = connection_; refused && i < asks_.size(); ++i) {
      if (asks_[i].exchange == frame.exchange) asks_[i].answered = true;
    }
  }

  // What comes without an id from now on may answer whatever the server made of our bytes, and come
  // any number of times.
  void tear() {
    torn_ = true;
    for (const std::size_t i : unnamed_) mute(asks_[i]);
    for (const std::size_t i : late_) mute(asks_[i]);
  }

  void leave_connection() {
    settle();
    if (evidence_.http()) {
      judge_exchanges();
    } else if (!torn_ && !foreign_) {
      for (std::size_t i = connection_; i < asks_.size(); ++i) judge_silence(asks_[i]);
    }
    connection_ = asks_.size();
    late_.clear();
    proofs_.clear();
    latest_ = {};
    by_key_.clear();
    cancelled_.clear();
    initialized_ = agreed_ = foreign_ = torn_ = false;
  }

  spec::Phase phase(const wire::Frame& frame) const {
    const bool before_slice =
        !evidence_.from_start() && !evidence_.server_capabilities.is_null() && connection_ == 0;
    bool ready = initialized_ || before_slice;
    if (evidence_.http() && sessions_) {
      ready &= frame.head && frame.head->header("Mcp-Session-Id") != nullptr;
    }
    return ready ? spec::Phase::kReady : spec::Phase::kBefore;
  }

  // Whether a server read what we believe it read.
  bool is_clear(const Item& item) const {
    const wire::Frame& frame = evidence_.transcript.frames[item.frame];
    if (torn_ || foreign_ || frame.size > frame.bytes.size()) return false;
    if (frame.channel != wire::Channel::kHttp) return !frame.head;
    if (!frame.head || frame.head->method != "POST" || belies_body(frame)) return false;
    const std::string* type = frame.head->header("Content-Type");
    return type == nullptr || *type == "application/json";
  }

  void note_lifecycle(const Item& item) {
    const std::string_view method = method_of(item);
    if (method == "initialize") initialized_ = agreed_ = false;
    // What a server may refuse, as a request of that name, does not make it ready.
    if (method == "notifications/initialized" && agreed_ &&
        item.kind == wire::MessageKind::kNotification && is_proper(evidence_, item)) {
      initialized_ = true;
    }
    if (method != "notifications/cancelled") return;
    if (const json::Value* id = json::at(*item.value, "/params/requestId")) {
      const std::string& key = *cancelled_.insert(wire::id_key(*id)).first;
      const auto found = by_key_.find(key);
      if (found == by_key_.end()) return;
      for (const std::size_t i : found->second) mute(asks_[i]);
    }
  }

  void note_agreement(const Item& reply, const Ask& ask) {
    if (reply.kind != wire::MessageKind::kResponse || method_of(*ask.item) != "initialize") return;
    const json::Value* version = json::at(*reply.value, "/result/protocolVersion");
    agreed_ = version != nullptr && is_text(version, evidence_.profile.revision);
    foreign_ = !agreed_ || evidence_.profile.era == spec::Era::kStateless;
    if (evidence_.http()) foreign_ = false;  // another session may have asked for it
  }

  // --- what we said

  void sent(const Item& item) {
    const wire::Frame& frame = evidence_.transcript.frames[item.frame];
    if (breaks_framing(evidence_, frame)) tear();
    if (item.array != 0 && !arrays_.contains(item.array)) return;  // told as a whole
    if (item.kind == wire::MessageKind::kResponse ||
        item.kind == wire::MessageKind::kErrorResponse) {
      const json::Value* id = item.member("id");
      if (id != nullptr && server_ids_.contains(item.key)) return;
    }
    ask(item, frame);
    if (item.value != nullptr && item.value->is_object()) note_lifecycle(item);
  }

  void ask(const Item& item, const wire::Frame& frame) {
    const spec::Situation situation{&evidence_.profile, evidence_.transcript.transport,
                                    phase(frame)};
    Ask ask{&item, {}, {}, frame.exchange, item.array};
    ask.expected = item.array != 0 ? spec::expect_element(situation, *item.value)
                                   : spec::expect(situation, *item.text_message, item.text);
    if (item.value != nullptr && item.value->is_array() && item.array == 0) {
      ask.whole = true;
      ask.group = array_number(item);
      if (!ask.expected.open() && !item.value->items.empty() &&
          spec::batches_in(evidence_.profile) == spec::Batches::kServed) {
        arrays_[ask.group].size = item.value->items.size();
        arrays_[ask.group].prompt = ask.expected.prompt();
      } else {  // whatever answers an element answers the array
        for (const json::Value& element : item.value->items) {
          const json::Value* id = spec::readable_id(element);
          if (id == nullptr || (!id->is_string() && !id->is_number())) continue;
          const std::string_view key = keys_.emplace_back(wire::id_key(*id));
          if (is_used(key)) mute(ask);
          by_key_[key].push_back(asks_.size());
        }
        ask.elements = item.value->items.size();
      }
    }
    const json::Value* id = item.value == nullptr ? nullptr : spec::readable_id(*item.value);
    std::string_view key = item.key;
    if (id != nullptr && key.empty()) key = keys_.emplace_back(wire::id_key(*id));  // as "ID"
    if (id != nullptr && (id->is_string() || id->is_number())) ask.key = key;
    const bool again = !ask.key.empty() && (is_used(ask.key) || (item.array != 0 && reused_));
    // Notifications may be looked at behind the requests that follow them.
    const bool cancelled = !ask.key.empty() && cancelled_.contains(ask.key);
    if (again || cancelled || !is_clear(item)) mute(ask);
    unclear_ |= is_marked(ask);  // whoever reads over the mark sees a message we did not read
    if (ask.expected.notification()) return;
    // An id of a kind that no id has names nothing, and yet it may come back.
    const bool odd = id != nullptr && ask.key.empty() && !id->is_null();
    if (odd || !ask.key.empty()) by_key_[key].push_back(asks_.size());
    if (ask.key.empty() || again || ask.expected.may_lose_id()) note_unnamed(ask.exchange);
    asks_.push_back(std::move(ask));
    if (asks_.back().elements == 0) return;
    // Each of its elements may be refused without an id, or none of them.
    Ask element = asks_.back();
    element.whole = false;
    element.muted = true;
    for (std::size_t i = 0; i < std::min(element.elements, kMostPaired); ++i) {
      note_unnamed(element.exchange);
      asks_.push_back(element);
    }
  }

  // Of two messages with one id in flight nobody can tell which is answered; and MCP lets no client
  // use one twice in a session.
  bool is_used(std::string_view key) {
    reused_ = false;
    if (evidence_.earlier_ids.contains(key)) return true;
    const bool before = !used_keys_.insert(key).second;
    if (!before) return false;
    reused_ = true;
    bool open = false;
    if (const auto found = by_key_.find(key); found != by_key_.end()) {
      for (const std::size_t i : found->second) {
        if (i >= asks_.size()) return true;  // the other element of one array
        Ask& earlier = asks_[i];
        if (earlier.answered) continue;
        if (!evidence_.http() && unnamed_.empty() && is_passed_over(*earlier.item)) {
          judge_silence(earlier);
          earlier.answered = true;
        } else {
          mute(earlier);
          open = true;
        }
      }
    }
    return open || evidence_.profile.mcp;
  }

  void note_unnamed(int exchange) {
    (evidence_.http() ? exchanges_[exchange].messages : unnamed_).push_back(asks_.size());
  }

  void mute(Ask& ask) {
    ask.muted = true;
    if (const auto array = arrays_.find(ask.group); array != arrays_.end()) {
      array->second.muted = true;
    }
  }

  // Its elements follow it and have its number.
  int array_number(const Item& array) const {
    const Item* next = &array + 1;
    const bool has_elements =
        next < evidence_.items.data() + evidence_.items.size() && !array.value->items.empty();
    return has_elements ? next->array : -static_cast<int>(array.seq);
  }

  // --- what came

  void received(const Item& item) {
    const wire::Frame& frame = evidence_.transcript.frames[item.frame];
    if (item.kind == wire::MessageKind::kRequest && item.array == 0) {
      server_ids_.insert(item.key);
    }
    const bool names_nothing = item.key.empty() || item.key == "null";
    if (torn_ && names_nothing) return;
    if (item.kind == wire::MessageKind::kBatch && item.array == 0) return note_array(item);
    if (!is_reply(item) || item.kind == wire::MessageKind::kRequest) return;
    if (evidence_.http()) {
      spoke_.insert(frame.exchange);
      if (const auto post = posts_.find(frame.exchange); post != posts_.end()) {
        endpoints_.insert(post->second->head->target);
      }
    }
    if (skipped_arrays_.contains(item.array)) return;  // the array was what answered
    const json::Value* id = item.member("id");
    if (id == nullptr || id->is_null()) {
      (evidence_.http() ? exchanges_[frame.exchange].replies : replies_).push_back(&item);
    } else if (Ask* ask = ask_of(item, *id)) {
      judge_reply(*ask, item);
    }
  }

  // An array answers the array whose ids it has; one without ids any that waits.
  void note_array(const Item& reply) {
    std::set<int> groups;
    std::set<int> perhaps;  // by ids that several wait with
    bool by_id = false;
    for (const json::Value& element : reply.value->items) {
      const json::Value* id = element.is_object() ? element.find("id") : nullptr;
      if (id == nullptr || id->is_null()) continue;
      by_id = true;
      const std::string key = wire::id_key(*id);
      const int exchange = own_exchange(reply);
      const Ask* ask = waiting(key, exchange);
      if (ask == nullptr || ask->group == 0) continue;
      (count_waiting(key, exchange) > 1 ? perhaps : groups).insert(ask->group);
    }
    const bool doubtful = groups.empty();
    if (doubtful) groups = perhaps;
    if (by_id && groups.empty()) return;  // to something that had its reply
    for (const std::size_t i : waiting_unnamed()) {
      if (by_id) break;
      const Ask& ask = asks_[i];
      const auto array = arrays_.find(ask.group);
      const bool over = ask.answered || (array != arrays_.end() && array->second.answered);
      if (ask.group != 0 && !ask.whole && !over) groups.insert(ask.group);
    }
    if (groups.size() > 1 && !by_id) {
      for (const std::size_t i : waiting_unnamed()) {
        const bool as_whole = !arrays_.contains(asks_[i].group);
        if (groups.contains(asks_[i].group) && as_whole) mute(asks_[i]);
      }
      return;
    }
    for (const int group : groups) {
      if (const auto found = arrays_.find(group); found != arrays_.end()) {
        found->second.answered = true;
      }
    }
    bool skip = groups.empty();
    for (std::size_t i = connection_; i < asks_.size(); ++i) {
      if (!groups.contains(asks_[i].group)) continue;
      const bool as_whole = !arrays_.contains(asks_[i].group);
      if (asks_[i].whole || as_whole) {
        asks_[i].answered = true;
        asks_[i].shared |= doubtful && by_id;
      }
      skip |= as_whole;
    }
    if (skip) skipped_arrays_.insert(array_number(reply));
  }

  // Where a reply may answer what was sent in this exchange only: HTTP, and something was. Else 0.
  int own_exchange(const Item& reply) const {
    if (!evidence_.http()) return 0;
    const int exchange = evidence_.transcript.frames[reply.frame].exchange;
    const auto post = posts_.find(exchange);
    return post != posts_.end() && post->second->head->method == "POST" ? exchange : 0;
  }

  bool is_waiting(std::size_t i, int exchange) const {
    if (i >= asks_.size() || asks_[i].answered) return false;
    return exchange == 0 || asks_[i].exchange == exchange;
  }

  // The first with this id that is not answered; in `exchange`, unless that is 0.
  Ask* waiting(std::string_view key, int exchange) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    for (const std::size_t i : found->second) {
      if (is_waiting(i, exchange)) return &asks_[i];
    }
    return nullptr;
  }

  // One whose id is a number that not every reader can keep, and that this may be made of.
  Ask* waiting_rounded(const json::Value& id, int exchange) {
    if (!id.is_number()) return nullptr;
    const double came = json::as_double(id);
    for (std::size_t i = connection_; i < asks_.size(); ++i) {
      const json::Value* asked = asks_[i].item->value;
      if (asked == nullptr || !is_waiting(i, exchange)) continue;
      // An array that is asked as a whole may be answered for one of its elements.
      const bool whole = asked->is_array();
      if (whole ? std::any_of(asked->items.begin(), asked->items.end(),
                              [&](const json::Value& one) { return may_be_rounded_to(came, one); })
                : may_be_rounded_to(came, *asked))
        return &asks_[i];
    }
    return nullptr;
  }

  static bool may_be_rounded_to(double came, const json::Value& request) {
    const json::Value* asked = spec::readable_id(request);
    return asked != nullptr && asked->is_number() && oracle::may_be_rounded_to(came, asked->text);
  }

  std::ptrdiff_t count_waiting(std::string_view key, int exchange) const {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return 0;
    return std::count_if(found->second.begin(), found->second.end(),
                         [&](std::size_t i) { return is_waiting(i, exchange); });
  }

  Ask* ask_of(const Item& reply, const json::Value& id) {
    const std::string_view key = reply.key;
    // Whichever of several it answers, the others may yet be refused without an id.
    const int exchange = own_exchange(reply);
    if (count_waiting(key, exchange) > 1) {
      for (const std::size_t i : by_key_.find(key)->second) {
        if (is_waiting(i, exchange)) mute(asks_[i]);
      }
      Ask* first = waiting(key, exchange);
      first->answered = first->shared = true;
      return nullptr;
    }
    Ask* asked = waiting(key, exchange);
    if (id.is_boolean() || id.is_array() || id.is_object()) {
      if (asked == nullptr || reply.member("error") != nullptr) return asked;
      asked->answered = true;  // a result with such an id is told by the envelope
      return nullptr;
    }
    if (asked != nullptr && unclear_) {
      const bool other = std::any_of(unnamed_.begin(), unnamed_.end(), [&](std::size_t i) {
        return is_marked(asks_[i]) && may_have_read_id(evidence_, *asks_[i].item, id);
      });
      if (other) mute(*asked);
    }
    if (asked != nullptr) return asked;
    if (Ask* rounded = waiting_rounded(id, exchange)) {
      rounded->answered = true;  // `replies` tells of the id
      return nullptr;
    }
    if (by_key_.contains(key)) return nullptr;
    Ask* lenient = nullptr;
    for (const std::size_t i : waiting_unnamed()) {
      Ask& ask = asks_[i];
      const bool over = ask.answered && !is_marked(ask);
      if (ask.item->value != nullptr || over || !may_have_read_id(evidence_, *ask.item, id)) {
        continue;
      }
      if (lenient == nullptr || is_marked(ask)) lenient = &ask;
    }
    if (!evidence_.earlier_ids.contains(key)) return lenient;
    // Perhaps the reply to something earlier; a session counts ids in broken text among those.
    if (lenient != nullptr) lenient->answered = true;
    return nullptr;
  }

  // By a byte order mark, which is easily read over.
  static bool is_marked(const Ask& ask) {
    return !ask.expected.found().empty() &&
           ask.expected.found().front()->name == std::string_view("byte-order-mark");
  }

  // --- replies without an id

  int cost_of_pair(const Ask& ask, const Item& reply) const {
    if (reply.seq < ask.item->seq) return kCostImpossible;
    // In an array it answers an element before an array, alone the other way round.
    const bool in_array = reply.array != 0;
    const bool element = ask.group != 0 && !ask.whole;
    const int cost = cost_of(grade_of(ask, reply));
    if (in_array == element) return cost;
    const auto array = arrays_.find(ask.group);
    // What the array that came lacks is missing: what comes beside it answers something else.
    if (element && array != arrays_.end() && array->second.answered) return kCostImpossible;
    const bool outside = element && array != arrays_.end() && is_told_outside(array->second);
    return cost + (outside ? kCostTolerated : kCostMisplaced);
  }

  int cost_of_silence(const Ask& ask) const {
    if (ask.answered || !is_passed_over(*ask.item)) return 0;
    return cost_of(grade_of_silence(ask));
  }

  // Judges the replies of the window.
  void settle() {
    std::vector<std::size_t> open = unanswered(late_);
    for (const std::size_t i : unanswered(unnamed_)) open.push_back(i);
    const std::size_t size = open.size() + replies_.size();
    if (size > kMostPaired || unclear_) {
      for (const std::size_t i : open) mute(asks_[i]);
    } else if (!replies_.empty() && !open.empty() && !suits_in_order(open)) {
      pair_off(open);
    }
    late_ = unanswered(open);
    std::erase_if(late_, [&](std::size_t i) {
      const Ask& ask = asks_[i];
      const auto array = arrays_.find(ask.group);
      const bool prompt = array != arrays_.end() ? array->second.prompt : ask.expected.prompt();
      return ask.muted || ask.expected.open() || prompt;
    });
    if (late_.size() > kMostLate) late_.erase(late_.begin(), late_.end() - kMostLate);
    if (evidence_.http()) late_.clear();
    unnamed_.clear();
    replies_.clear();
    unclear_ = false;
  }

  void pair_off(const std::vector<std::size_t>& open) {
    std::vector<Pairs::Message> messages;
    for (const std::size_t i : open) {
      const Ask& ask = asks_[i];
      Pairs::Message message{
          {}, cost_of_silence(ask), ask.group, ask.expected.reason(Outcome::kSilence)};
      for (const Item* reply : replies_) message.replies.push_back(cost_of_pair(ask, *reply));
      messages.push_back(std::move(message));
    }
    const Pairs pairs(std::move(messages), replies_.size(),
                      may_be_earlier(evidence_) ? 0 : kCostUnpaired);
    for (std::size_t row = 0; row < open.size(); ++row) {
      const std::optional<std::size_t> reply = pairs.reply_to(row);
      if (!reply) continue;
      Pairs::Doubt doubt{Claim::kSole, {}};
      if (pairs.cost(row) >= kCostTolerated) doubt = pairs.doubt(row);
      for (const std::size_t other : doubt.passed_over) mute(asks_[open[other]]);
      judge_reply(asks_[open[row]], *replies_[*reply], doubt.claim);
    }
    for (std::size_t row = 0; row < open.size(); ++row) {
      const bool told = !pairs.reply_to(row) && pairs.cost(row) > 0;
      if (told) asks_[open[row]].doubtful = pairs.may_have_one(row);
    }
  }

  // Most replies are sound and come in the order of what they answer: no other pairing is cheaper
  // than one that costs nothing. They are judged where that is so.
  bool suits_in_order(const std::vector<std::size_t>& open) {
    std::vector<std::size_t> paired;
    for (const std::size_t i : open) {
      const bool more = paired.size() < replies_.size();
      if (more && cost_of_pair(asks_[i], *replies_[paired.size()]) == 0) {
        paired.push_back(i);
      } else if (cost_of_silence(asks_[i]) != 0) {
        return false;
      }
    }
    if (paired.size() < replies_.size() && !may_be_earlier(evidence_)) return false;
    for (std::size_t reply = 0; reply < paired.size(); ++reply)
      judge_reply(asks_[paired[reply]], *replies_[reply]);
    return true;
  }

  std::vector<std::size_t> unanswered(const std::vector<std::size_t>& some) const {
    std::vector<std::size_t> out;
    for (const std::size_t i : some) {
      if (!asks_[i].answered || asks_[i].shared) out.push_back(i);
    }
    return out;
  }

  std::vector<std::size_t> waiting_unnamed() const {
    std::vector<std::size_t> out = late_;
    out.insert(out.end(), unnamed_.begin(), unnamed_.end());
    return out;
  }

  // Two sound requests were answered one after the other: what was sent before the first of them
  // has had all the time it needs.
  void note_proof(const Proof& proof) {
    proofs_.push_back(proof);
    const bool first = latest_.answered == 0;
    if (!first && proof.asked <= latest_.answered) return;
    const std::uint64_t before = latest_.asked;
    latest_ = proof;
    if (first || evidence_.http()) return;
    if (unnamed_.empty() || asks_[unnamed_.back()].item->seq < before) settle();
  }

  static std::optional<std::int64_t> code_of(const Item& reply) {
    const json::Value* error = reply.member("error");
    const json::Value* code =
        error != nullptr && error->is_object() ? error->find("code") : nullptr;
    return code == nullptr ? std::nullopt : json::as_integer(*code);
  }

  static Grade grade_of(const Ask& ask, const Item& reply) {
    if (ask.muted) return Grade::kLawful;
    if (reply.member("error") == nullptr) return ask.expected.result();
    const auto code = code_of(reply);
    return code ? ask.expected.error(*code) : Grade::kLawful;
  }

  void judge_reply(Ask& ask, const Item& reply, Claim claim = Claim::kSole) {
    const wire::Frame& frame = evidence_.transcript.frames[reply.frame];
    ask.answered = true;
    note_agreement(reply, ask);
    const json::Value* id = reply.member("id");
    const bool own = id != nullptr && !id->is_null();
    if (own && ask.group == 0 && !ask.muted) note_proof({ask.item->seq, reply.seq});
    if (ask.whole) {
      for (Ask& element : asks_) {
        if (element.group == ask.group && element.exchange == ask.exchange) element.answered = true;
      }
    }
    if (frame.head && frame.head->status >= 400 && frame.head->status < 500) return;
    const auto array = arrays_.find(ask.group);
    const bool element = !ask.whole && array != arrays_.end();
    if (element && claim == Claim::kLess) return;
    if (element && reply.array == 0) {
      judge_outside_array(array->second, ask, reply, claim == Claim::kSole);
    }
    if (ask.expected.open() || ask.muted) return;
    if (ask.item->value == nullptr && judge_id_from_garbage(ask, reply)) return;
    const bool error = reply.member("error") != nullptr;
    if (error && reply.member("result") != nullptr) return;  // said by the envelope
    const auto code = code_of(reply);
    if (error && (!code || is_reserved(*code))) return;
    const Grade grade = grade_of(ask, reply);
    if (grade == Grade::kLawful) return;
    const spec::ModelRule* reason = ask.expected.reason(error ? Outcome::kError : Outcome::kResult);
    if (claim == Claim::kLess) {  // what is broken with this reply and without
      const bool either = reason == ask.expected.reason(Outcome::kSilence);
      if (!either || ask.expected.silence() == Grade::kLawful) return;
      return tell(reason, kSilentOnSound, std::min(grade, ask.expected.silence()),
                  expected(ask, reason), "nothing, or what another message may have",
                  {ask.item->seq}, false);
    }
    tell(reason, kSoundUnreadable, grade, expected(ask, reason),
         (error ? "code " + std::to_string(*code) + " in " : "a result: ") + shown(reply.text),
         {ask.item->seq, reply.seq}, claim == Claim::kSole);
  }

  // Not one of those that `error-codes` reports wherever they come.
  static bool is_reserved(std::int64_t code) {
    const bool standard = code == -32700 || (code >= -32603 && code <= -32600);
    return code >= -32768 && code <= -32100 && !standard;
  }

  bool judge_id_from_garbage(const Ask& ask, const Item& reply) {
    const json::Value* id = reply.member("id");
    const auto code = code_of(reply);
    if (id == nullptr || id->is_null() || reply.member("error") == nullptr || !code) return false;
    if (is_marked(ask)) return true;
    // A lenient parser read the request and did as it says; that is another matter.
    if (*code != -32700 && *code != -32600) return false;
    tell(nullptr, kIdFromGarbage, Grade::kWrong, "an error with a null id",
         shown_id(id) + " in " + shown(reply.text), {ask.item->seq, reply.seq});
    return true;
  }

  bool is_told_outside(const Array& array) const {
    const bool streams = evidence_.profile.mcp && !evidence_.stream() && !evidence_.traits().frames;
    return !array.outside && !array.muted && !streams && !evidence_.profile.tutorial;
  }

  void judge_outside_array(Array& array, const Ask& ask, const Item& reply, bool sure) {
    if (!is_told_outside(array)) return;
    array.outside = true;
    tell(nullptr,
         array.size == 1 ? std::span<const char* const>(kSingleOutsideArray) : kOutsideArray,
         Grade::kTolerated, "the responses to an array in an array", shown(reply.text),
         {ask.item->seq, reply.seq}, sure);
  }

  // --- what did not come

  // What is not answered counts as passed over when two requests that were sent later were, and the
  // second of them was asked after the first was answered. One is not enough: where answers are
  // made side by side, one may overtake another.
  bool is_passed_over(const Item& item) const {
    const auto after = [&](std::uint64_t seq) {
      return std::find_if(proofs_.begin(), proofs_.end(),
                          [&](const Proof& proof) { return proof.asked > seq; });
    };
    const auto first = after(item.seq);
    return first != proofs_.end() && after(first->answered) != proofs_.end();
  }

  // Of no reply at all, ever. An array that is not answered yet may wait for any of its elements.
  Grade grade_of_silence(const Ask& ask) const {
    if (ask.muted || ask.expected.open()) return Grade::kLawful;
    const auto found = arrays_.find(ask.group);
    if (found == arrays_.end()) return ask.expected.silence();
    const Array& array = found->second;
    if (ask.whole || array.muted || !(array.answered || array.prompt)) return Grade::kLawful;
    const bool request = spec::is_request(ask.expected);
    return request && array.answered ? Grade::kWrong : ask.expected.silence();
  }

  void judge_silence(Ask& ask, const std::string& seen = "nothing") {
    if (ask.answered || grade_of_silence(ask) == Grade::kLawful) return;
    if (silences_ >= kMostSilences || !is_passed_over(*ask.item)) return;
    ++silences_;
    const auto array = arrays_.find(ask.group);
    array != arrays_.end() ? judge_entry(array->second, ask) : tell_silence(ask, seen);
  }

  // One tells of the array.
  void judge_entry(Array& array, const Ask& ask) {
    if (std::exchange(array.incomplete, true)) return;
    if (spec::is_request(ask.expected)) {
      tell(nullptr, kEntryMissing, Grade::kWrong, "a response to each request of the array",
           "none with " + shown_id(ask.item->member("id")), {ask.item->seq}, !ask.doubtful);
    } else {
      tell(nullptr, kInvalidEntryMissing, ask.expected.silence(),
           "an error for each invalid element of the array",
           "none for " + shown(json::write(*ask.item->value)), {ask.item->seq}, !ask.doubtful);
    }
  }

  void tell_silence(const Ask& ask, const std::string& seen) {
    const Grade grade = ask.expected.silence();
    if (grade == Grade::kLawful) return;
    const spec::ModelRule* reason = ask.expected.reason(Outcome::kSilence);
    tell(reason, kSilentOnSound, grade, expected(ask, reason), seen, {ask.item->seq},
         !ask.doubtful);
  }

  // An exchange that is over tells what did not come, whatever else was asked; of one that is not,
  // or was left without a word, what was asked later does.
  void judge_exchanges() {
    for (Ask& ask : asks_) {
      if (ask.answered || ask.muted || ask.expected.open() || spoke_.contains(ask.exchange))
        continue;
      const auto post = posts_.find(ask.exchange);
      if (post == posts_.end() || !endpoints_.contains(post->second->head->target)) continue;
      const auto answer = answers_.find(ask.exchange);
      const auto left = left_.find(ask.exchange);
      const std::string_view how = left == left_.end() ? "" : left->second;
      const bool head_only = answer != answers_.end() && is_stream(*answer->second) &&
                             how.empty() && !streams_.contains(ask.exchange);
      if (answer == answers_.end() || head_only) {
        judge_open_exchange(ask, how);
        continue;
      }
      const wire::Frame& head = *answer->second;
      if (!head.head || head.unframed || head.size > head.bytes.size()) continue;
      if (how != "end" || is_stream(head)) continue;
      const std::string status = "status " + std::to_string(head.head->status);
      if (head.head->status >= 200 && head.head->status < 300) {
        if (head.bytes.empty()) tell_silence(ask, status + " and no reply");
      } else if (head.head->status == 500 && ask.expected.result() == Grade::kWrong) {
        const spec::ModelRule* reason = ask.expected.reason(Outcome::kResult);
        tell(reason, {}, Grade::kWrong, expected(ask, reason),
             status + " for a mistake of the client", {ask.item->seq, head.seq});
      }
    }
  }

  static bool is_stream(const wire::Frame& head) {
    const std::string* type = head.head ? head.head->header("Content-Type") : nullptr;
    return type != nullptr && type->starts_with("text/event-stream");
  }

  // Nobody has to read a head that is long, is not HTTP, or speaks of the connection.
  static bool is_modest(const wire::HttpHead& head) {
    constexpr std::string_view kOfConnection[] = {
        "Connection", "Host", "Expect", "Upgrade", "Keep-Alive", "Trailer", "TE", "Content-Length"};
    std::size_t size = head.target.size();
    for (const wire::Header& header : head.headers) {
      const std::string_view value = header.value;
      const bool left_out = value == std::string_view("\0", 1);
      const auto odd = [](char c) { return (c < ' ' && c != '\t') || c == 0x7f; };
      if (!left_out && std::any_of(value.begin(), value.end(), odd)) return false;
      if (!is_http_token(header.name)) return false;
      size += header.name.size() + value.size();
      for (const std::string_view name : kOfConnection)
        if (head.header(name) != nullptr) return false;
    }
    return size <= kModestHead;
  }

  static bool is_http_token(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      return letter || (c >= '0' && c <= '9') ||
             std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    });
  }

  // `how` its connection was left; "": it was not.
  void judge_open_exchange(Ask& ask, std::string_view how) {
    const bool waited = how.empty() || how == "timeout";
    if (!waited && how != "eof" && how != "reset") return;  // by us, or not as HTTP has it
    if (over_) return;
    if (!waited && !is_modest(*posts_.at(ask.exchange)->head)) return;
    judge_silence(ask, waited ? "nothing" : "the connection closed without a response");
  }

  // --- telling

  static std::string expected(const Ask& ask, const spec::ModelRule* reason) {
    const std::string message =
        ask.item->array != 0 ? shown(*ask.item->value) : shown(ask.item->text);
    if (reason == nullptr) return "the reply to a sound request: " + message;
    std::string codes;
    for (const int code : reason->codes) {
      if (code != 0) codes += (codes.empty() ? "" : " or ") + std::to_string(code);
    }
    return (codes.empty() ? "" : codes + ". ") + std::string(reason->says) + " Sent: " + message;
  }

  void tell(const spec::ModelRule* reason, std::span<const char* const> otherwise, Grade grade,
            std::string expected, std::string seen, std::vector<std::uint64_t> frames,
            bool sure = true) {
    Breach breach{std::move(expected), std::move(seen), std::move(frames)};
    if (grade == Grade::kTolerated) breach.at_most = Severity::kWarn;
    breach.sure = sure;
    const std::span<const char* const> clauses =
        reason != nullptr ? std::span<const char* const>(reason->clauses) : otherwise;
    report_best(evidence_, sink_, clauses, std::move(breach));
  }
};

}  // namespace

std::vector<std::string> model_clauses() {
  std::set<std::string> out;
  const auto add = [&](std::span<const char* const> clauses) {
    for (const char* id : clauses) {
      if (id != nullptr) out.insert(id);
    }
  };
  for (const auto& some :
       {std::span<const char* const>(kSilentOnSound),
        std::span<const char* const>(kSoundUnreadable),
        std::span<const char* const>(kIdFromGarbage), std::span<const char* const>(kOutsideArray),
        std::span<const char* const>(kSingleOutsideArray),
        std::span<const char* const>(kEntryMissing),
        std::span<const char* const>(kInvalidEntryMissing)}) {
    add(some);
  }
  for (const spec::ModelRule& row : spec::model_rules()) {
    if (spec::can_be_broken(row)) add(row.clauses);
  }
  return {out.begin(), out.end()};
}

void judge_model(const Evidence& evidence, Sink& sink) { Pairing(evidence, sink).judge(); }

}  // namespace harness::oracle
