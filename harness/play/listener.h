// SPDX-License-Identifier: Apache-2.0
// Listener: gathers what the target sends back for the frames of a Case, and learns by canaries
// what will not come. It knows which message can be the reply to which frame; it grades nothing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/results/reply.h"
#include "harness/session/session.h"
#include "harness/suite/step.h"

namespace harness::run {

using session::awaitable;

// When to believe that a frame gets no reply: after a later canary was answered; after that and a
// long wait before the session is left; or after a long wait behind each such canary.
enum class Silence { kBelieved, kHeardOut, kWaitedOut };

// A frame whose reply is still to be judged.
struct Asked {
  session::Sent sent;
  bool valid_request = false;            // the harness made it: its id must come back
  bool head_will_do = false;             // of an event stream: it may stay open for ever
  bool to_the_end = false;               // several replies may come on its connection
  bool silence_foreseen = false;         // the target never answers its class
  bool with_others = false;              // whose replies are awaited until the same deadline
  std::optional<suite::Outcomes> reply;  // nothing if nothing is expected of it
  json::Value request;  // as it was sent, if it may be repeated with answers; else null
  const suite::Step* step = nullptr;
};

class Listener {
 public:
  Listener(const Judging& judging, Silence silence)
      : judging_(judging), silence_(silence), patient_(silence == Silence::kWaitedOut) {}

  // The session to listen to from now on. Replies of an earlier session are kept.
  void use(session::Session& session) {
    session_ = &session;
    unanswered_.clear();
    canary_failed_ = false;
  }

  // Reserves a reply for a later step.
  void put_off(const std::string& name, const Asked& asked) {
    later_.insert_or_assign(name, asked);
    if (!asked.sent.id_key.empty()) session_->attribution().reserve(asked.sent.id_key);
  }
  std::optional<Asked> take_up(const std::string& name);
  void clear_put_off();
  bool awaited_elsewhere(const std::string& id_key) const {
    return session_->attribution().reserved(id_key);
  }

  // Waits for the reply to a valid request until the deadline, or finds out with a canary whether a
  // frame is answered.
  awaitable<Reply> gather(const Asked& asked, session::Deadline deadline);
  // The replies to frames that were sent together, in the order of `all`.
  awaitable<std::vector<Reply>> gather_flight(const std::vector<Asked>& all,
                                              session::Deadline deadline);
  awaitable<void> finish_exchange(int number);
  awaitable<void> finish_exchange(int number, session::Deadline deadline);
  const session::Exchange* http_of(const session::Sent& sent) const;

  // Sends the canary and waits for its reply. The members below have the result.
  awaitable<bool> ask_canary();
  const session::Sent& last_canary() const { return last_canary_; }
  std::chrono::milliseconds canary_took() const {  // until its reply, or the end of the wait
    return std::chrono::duration_cast<std::chrono::milliseconds>(canary_took_);
  }
  const session::Inbound* canary_reply() const { return canary_reply_; }
  bool canary_failed() const { return canary_failed_; }
  bool alive_proved() const { return alive_proved_; }  // since the last forget_alive()
  bool ever_alive() const { return ever_alive_; }
  void forget_alive() { alive_proved_ = false; }
  // The next message is of a class that the target never answers.
  void foresee_silence(bool known) { silence_foreseen_ = known; }
  bool silence_foreseen() const { return silence_foreseen_; }

  // How many requests got no reply, lawfully or not, while the connection was open.
  std::size_t silences() const { return silences_; }

  // The state of the connection, for a Reply.
  void fill_ending(Reply& reply) const;

  // A later canary was answered, so a missing reply counted as silence; a target that answers out
  // of order may still send it. Cleared by waiting.
  bool believed() const { return believed_; }
  // A reply without a matching id came after such a silence, and was attributed to a later frame.
  bool crossed() const { return crossed_; }
  // Whether it answers a message whose reply counted as missing. Then the missing reply is in
  // doubt, as crossed() says, unless the wait ran its full time.
  bool is_late(const session::Inbound& inbound);
  // Waits for replies to frames whose silence was believed; true if some came.
  awaitable<bool> hear_latecomers();
  // The deadline for requests of a batch whose silence was believed.
  session::Deadline hear_until() const { return hear_until_; }

 private:
  using Inbounds = std::vector<session::Inbound*>;
  trace::Fit fit(const Asked& asked, const session::Inbound& inbound) const;
  Inbounds answers_to(const Asked& asked) const;
  bool came_for(const Asked& asked, std::size_t from) const;
  trace::Fit fit_since(const Asked& asked, std::size_t& heard) const;
  bool canary_answered(const session::Sent& canary, std::size_t& heard);
  session::Deadline after_canary() const;
  session::Clock::duration before_canary(bool odd, bool quick) const;
  session::Deadline after_silence(const Asked& asked, session::Deadline deadline) const;
  bool silence_is_no_failure(const Asked& asked) const;
  bool may_take_time(const Asked& asked) const;
  void collect(const Asked& asked, Reply& reply, std::size_t most = SIZE_MAX);
  void give_up(const Asked& asked);
  Reply blank(const Asked& asked) const;
  std::size_t take_flight(const std::vector<Asked>& all, std::vector<Reply>& replies,
                          std::size_t& heard) const;
  bool is_missing(const std::vector<Asked>& all, const std::vector<Reply>& replies,
                  bool firm_only) const;
  awaitable<void> wait_for_answer(const Asked& asked, session::Deadline deadline);
  awaitable<void> hear_late(const Asked& asked, session::Deadline deadline);
  awaitable<void> gather_http(const Asked& asked, session::Deadline deadline);

  const Judging& judging_;
  Silence silence_;
  bool patient_;
  session::Session* session_ = nullptr;
  std::map<std::string, Asked> later_;
  std::vector<session::Sent> unanswered_;  // whose replies are owed, or may come
  session::Sent last_canary_;
  session::Clock::duration canary_took_{};
  const session::Inbound* canary_reply_ = nullptr;
  bool alive_proved_ = false;
  bool ever_alive_ = false;
  bool canary_failed_ = false;
  std::size_t silences_ = 0;
  bool believed_ = false;
  bool crossed_ = false;
  bool silence_foreseen_ = false;
  session::Deadline hear_until_{};
};

}  // namespace harness::run
