// SPDX-License-Identifier: Apache-2.0
// Pairing: all that was asked and what came of it, as far as replies and silence can be told apart.
//
// A reply belongs to the message with its id. Replies without an id belong to messages that may be
// rejected without one: over HTTP to the one in the same exchange, elsewhere to those they fit
// best, with all of a window considered together. A window ends when nothing more can come for its
// messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "harness/spec/model.h"
#include "harness/trace/answer.h"
#include "harness/trace/exchanges.h"
#include "harness/trace/pairs.h"
#include "harness/trace/trace.h"

namespace harness::trace {

// A message we sent that may get a reply.
struct Asked {
  const Item* item;
  spec::Expectation expected;
  std::string_view key;  // of the readable id; "" if there is none
  int exchange = 0;      // HTTP
  int group = 0;         // number of the array that it is an element of, or that it is
  bool whole = false;    // it is that array
  bool answered = false;
  bool shared = false;       // or another message with its id was answered
  bool muted = false;        // neither replies nor silence are judged
  bool doubtful = false;     // a reply attributed to another message may have been its reply
  std::size_t elements = 0;  // of an array that is reported as a whole
};

// A reply came to a message.
struct Match {
  std::size_t asked;
  const Item* reply;
  Claim claim = Claim::kSole;
  bool muted = false;    // nothing can be reported about it
  bool element = false;  // it answers one element of an array that gets an array as reply
  bool outside = false;  // and came in addition to that array, the first one
};
// None came, and none will. For an array this is reported once.
struct Miss {
  std::size_t asked;
  std::string seen = "nothing";       // what came instead
  bool element = false;               // of an array that gets an array as reply
  const wire::Frame* head = nullptr;  // HTTP: of the response that has none
};
// HTTP: the server reported a failure.
struct ServerError {
  std::size_t asked;
  const wire::Frame* head;
};
using Outcome = std::variant<Match, Miss, ServerError>;

class Pairing {
 public:
  // Replies that name their request have their place in `answers` before attribute() is called;
  // those of others are added. Both outlive the object.
  Pairing(const Trace& trace, Answers& answers);
  Pairing(const Pairing&) = delete;
  Pairing& operator=(const Pairing&) = delete;

  void attribute();

  const std::vector<Asked>& asked() const { return asks_; }
  // In the order in which they became known.
  const std::vector<Outcome>& outcomes() const { return outcomes_; }
  std::size_t elements_of(const Asked& asked) const;  // of its array

 private:
  struct Array {
    std::size_t size = 0;
    bool answered = false;    // by an array
    bool prompt = false;      // no element takes long, so neither does the array that answers it
    bool outside = false;     // a response came in addition, which was reported
    bool incomplete = false;  // one did not come, which was reported
    bool muted = false;
  };
  struct Proof {
    std::uint64_t asked, answered;
  };
  // The times at which one, and at which two later valid requests had been answered, the second of
  // which was sent after the first was answered.
  struct Overtaken {
    std::uint64_t once = kNever, twice = kNever;
  };
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
  // HTTP: replies without an id, and what they may answer.
  struct Window {
    std::vector<std::size_t> messages;
    std::vector<const Item*> replies;
  };

  // What is going on.
  void note_frame(const wire::Frame& frame);
  void tear();
  void leave_connection();
  spec::Phase phase(const wire::Frame& frame) const;
  bool is_clear(const Item& item) const;
  void note_lifecycle(const Item& item);
  void note_agreement(const Item& reply, const Asked& ask);

  // What we said.
  void sent(const Item& item);
  void ask(const Item& item, const wire::Frame& frame);
  void ask_array(Asked& ask);
  bool is_used(std::string_view key);
  void note_unnamed(int exchange);
  void mute(Asked& ask);
  int array_number(const Item& array) const;

  // What came.
  void received(const Item& item);
  bool is_odd_reply(const Item& reply);
  void doubt_waiting(const Item& reply);
  void note_rounded(const Item& reply, const Asked& rounded);
  void note_array(const Item& reply);
  bool note_lenient_array(const Item& reply);
  void note_empty_array(const Item& reply);
  std::set<int> arrays_of(const Item& reply, bool& by_id, bool& doubtful);
  int own_exchange(const Item& reply) const;
  bool is_waiting(std::size_t i, int exchange) const;
  Asked* waiting(std::string_view key, int exchange);
  Asked* waiting_rounded(const json::Value& id, int exchange);
  std::ptrdiff_t count_waiting(std::string_view key, int exchange) const;
  Asked* ask_of(const Item& reply, const json::Value& id);
  void note_several(const Item& reply, int exchange);
  Asked* lenient_of(const Item& reply, const json::Value& id);
  Asked* stale_of(const Item& reply);
  void match(Asked& ask, const Item& reply, Claim claim = Claim::kSole);
  void note_proof(const Proof& proof);
  Answer& answer(const Item& reply);

  // Replies without an id.
  int cost_of_pair(const Asked& ask, const Item& reply) const;
  int cost_of_silence(const Asked& ask) const;
  void settle();
  void pair_off(const std::vector<std::size_t>& open);
  bool suits_in_order(const std::vector<std::size_t>& open);
  void note_candidates(const Item& reply, std::size_t own, const std::vector<std::size_t>& others);
  std::vector<std::vector<std::size_t>> shifted(const std::vector<std::size_t>& open,
                                                const std::vector<std::size_t>& given) const;
  std::vector<std::size_t> unanswered(const std::vector<std::size_t>& some) const;
  std::vector<std::size_t> waiting_unnamed() const;

  // What did not come.
  Overtaken overtaken(const Item& item) const;
  bool is_passed_over(const Item& item) const { return overtaken(item).twice != kNever; }
  bool is_in_broken_text(const Item& asked) const;
  void excuse_unnamed(const Item& reply);
  bool is_told_outside(const Array& array) const;
  spec::Grade grade_of_silence(const Asked& ask) const;
  void note_silence(Asked& ask, const std::string& seen = "nothing");
  void note_exchanges();

  const Trace& trace_;
  Answers& answers_;
  std::vector<Asked> asks_;
  std::vector<Outcome> outcomes_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_key_;
  std::deque<std::string> keys_;  // those that belong to no Item
  // The window: messages that may be rejected without an id, and replies without one.
  std::vector<std::size_t> unnamed_;
  std::vector<const Item*> replies_;
  std::vector<std::size_t> late_;  // of earlier windows, without a reply: it may still come
  bool unclear_ = false;           // the replies may answer messages that we could not read
  bool reused_ = false;            // the id that is_used() was last called for had been used
  std::set<int> skipped_arrays_;   // numbers of arrays that came in reply to arrays reported as a
                                   // whole
  std::map<int, Array> arrays_;
  std::set<std::string_view> server_ids_;
  std::unordered_set<std::string_view> used_keys_;
  std::set<std::string, std::less<>> cancelled_;  // ids
  std::vector<Proof> proofs_;                     // valid requests of this connection
  int silences_ = 0;
  std::size_t connection_ = 0;  // index of its first ask
  Proof latest_{};              // the first that was sent after an earlier one was answered
  bool initialized_ = false;
  bool agreed_ = false;     // an initialize of this connection was answered under the profile
  bool foreign_ = false;    // or under another: nothing can be judged
  bool shut_down_ = false;  // a language server was told to exit
  bool torn_ = false;       // it is no longer known what the server reads as a message
  Exchanges exchanges_;
  std::map<int, Window> windows_;  // HTTP, by exchange
};

// The code of an error, unless it is not an integer.
std::optional<std::int64_t> code_of(const Item& reply);
// The model's judgement of the reply, for a message that is not muted.
spec::Grade grade_of(const Asked& asked, const Item& reply);
// It begins with a byte order mark, which readers easily skip.
bool is_marked(const Asked& asked);

}  // namespace harness::trace
