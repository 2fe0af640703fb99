// SPDX-License-Identifier: Apache-2.0
// CasePlayer: a case in play: its session, the state of its rows, the findings so far. It plays the
// rows (play.cc) and offers what the actions need (case_player.cc); the actions are, by topic, in
// play_messages.cc, play_connections.cc and play_observations.cc. Private to play().
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/play/listener.h"
#include "harness/play/play.h"
#include "harness/play/prepare.h"
#include "harness/play/scope.h"
#include "harness/play/server_messages.h"
#include "harness/results/case_findings.h"
#include "harness/suite/case_traits.h"

namespace harness::run {

class CasePlayer {
 public:
  // All of them outlive it. `session` is replaced when the case reconnects.
  CasePlayer(const suite::Case& scenario, std::unique_ptr<session::Session>& session,
             const PlayContext& context);

  awaitable<PlayedCase> play();

  // --- for the actions
  session::Session& session() const { return *session_; }
  Listener& listener() { return listener_; }
  ServerMessages& server_messages() { return server_messages_; }
  RowScope& scope() { return scope_; }
  const Judging& judging() const { return judging_; }
  const PlayContext& context() const { return context_; }
  CaseFindings& findings() { return findings_; }

  // --- references filled in; a Bug when one means nothing
  json::Value expanded(const json::Value& value) const;
  json::Value pattern(const json::Value& value) const;
  suite::Outcomes outcomes(const suite::Outcomes& written) const;
  std::chrono::milliseconds seconds(const json::Value& written) const;
  std::int64_t integer(const std::optional<json::Value>& written, std::int64_t otherwise) const;

  // --- sending Throws if it would call a forbidden tool: the row ends before anything is sent.
  Prepared prepare(const suite::Step& step);
  // The deadline for the reply to a step.
  session::Deadline reply_deadline(const suite::Step* step, const session::Sent& sent = {}) const;
  // The exchange of a step, for later steps that name it; 0 if it belongs to another session.
  void name_exchange(const std::string& name, int number);
  int named_exchange(const std::string& name) const;

  // --- judging Waits for the reply to what was sent, and grades it. Checks the state of the
  // connection. False if no message came.
  awaitable<bool> judge(Asked& asked);
  awaitable<bool> judge(Asked& asked, session::Deadline deadline);
  // While `reply` asks for input, the request is sent again with the answers of the case.
  awaitable<void> answer_inputs(Asked& asked, Reply& reply);
  void conclude(const Graded& graded, oracle::Observation came, const suite::Step* step,
                std::vector<std::uint64_t> frames);
  // False if `from` lacks something that is to be captured.
  bool capture(const suite::Step& step, const json::Value& from, std::uint64_t seq);
  // The last frame of the session; 0 when there is none.
  std::uint64_t last_seq() const;
  // The received message or, if it is not a message, its text.
  oracle::Observation seen(const Reply& reply) const;
  // The frames from which the referenced values were captured; the last frame if there are none.
  std::vector<std::uint64_t> frames_behind(const json::Value& value, const json::Value& to) const;
  std::vector<std::uint64_t> opening_frames() const;
  // Requires a reply to the canary. `step` is null between the steps of a case.
  awaitable<void> demand_canary(const suite::Step* step);
  // The same for a step that requests it; after a row of a loop that was answered, perhaps only
  // before the next row.
  awaitable<void> want_canary(const suite::Step& step);
  // The connection ended, or the canary was not answered, after the frame `seq`.
  awaitable<void> ended(const suite::Step* step, std::uint64_t seq);
  void died(const suite::Step* step, std::uint64_t seq, bool others_served = true);
  // HTTP: whether nobody listens any more at the address, which is not ours to start again.
  bool is_gone(const session::Exchange* http) const;
  // Then what was sent last may have done it if it got no response; else it is not known what did.
  void gone(const suite::Step* step);
  // How the exchange of a message ended, whether or not its reply was judged.
  void note_broken_off(const session::Exchange* http, std::uint64_t seq);
  // The canary got no reply, and the connection is open.
  awaitable<void> unanswered(const suite::Step* step, std::uint64_t seq);

  // --- the course of the case The rest of the row does not apply: the target does not do what it
  // is about.
  void skip_rest(const std::string& why);
  void not_exercised(const std::string& why);
  void lacks_answer();
  void end_row() { stop_row_ = true; }
  void end_case() { over_ = true; }
  bool over() const { return over_; }
  // The case ends its target on purpose: from here on, an end is not a finding.
  bool ends_in_order() const;
  bool conclude_end(const Asked& asked, Reply reply, const Graded& graded);
  void ends_target() { ended_on_purpose_ = true; }
  bool ended_on_purpose() const { return ended_on_purpose_; }
  enum class Leaving { kSilently, kInOrder };
  awaitable<void> reconnect(suite::Need need, Leaving way);

 private:
  bool is_for_target(const json::Value& row);
  void leave_rows_behind();
  bool may_go_on(std::size_t left);
  awaitable<void> play_and_note(const json::Value& row);
  // False if the row ended early.
  awaitable<bool> play_row(const json::Value& row);
  awaitable<bool> play_if_called_for(const suite::Step& step);
  awaitable<bool> play_for_each(const suite::Step& step);
  awaitable<void> play_step(const suite::Step& step);
  bool is_called_for(const suite::Step& step) const;
  awaitable<void> listen();
  bool may_owe_canary() const { return answered_ && context_.silence == Silence::kBelieved; }
  std::string forbidden_in(const json::Value& row) const;
  void answer_requests(const std::optional<suite::Answers>& answers);
  awaitable<void> change_client(bool handshake_follows);
  std::string question_due() const;
  void note_questions();
  void swap_clients();
  void use_session();
  void disconnect_all();
  void tell_withheld();
  void foresee(const Prepared& prepared);
  void tell_foreseen();
  void note_flood();
  void keep_slice();
  void keep_slice_of_other();

  void capture_headers(const suite::Step& step, const Reply& reply);
  bool is_no_end(const suite::Outcomes& lawful, Reply reply) const;
  awaitable<void> after_disconnect(const suite::Step* step, std::uint64_t seq);
  bool target_is_process() const { return wire::traits_of(judging_.transport).process; }
  bool sent_no_json() const;
  awaitable<bool> tell_service_end(const suite::Step* step, std::uint64_t seq);
  void wedged(const suite::Step* step, std::uint64_t seq);
  awaitable<bool> serves_another();

  const suite::Case& case_;
  std::unique_ptr<session::Session>& session_;
  std::unique_ptr<session::Session> other_;  // of steps with `client: other`
  const PlayContext& context_;
  RowScope scope_;
  match::MatchContext match_;
  Judging judging_;
  Listener listener_;
  ServerMessages server_messages_;
  PlayedCase played_;
  CaseFindings findings_;
  std::map<std::string, std::uint64_t> captured_;  // name → frame it was captured from
  bool captures_lacking_ = false;                  // a reply did not have what a step captures
  std::string unframed_;                           // the last write may not be complete
  bool ended_on_purpose_ = false;
  bool stop_row_ = false;
  std::uint64_t broken_off_ = 0;  // HTTP: the last request whose exchange broke off
  bool died_ = false;             // in this row, which a `reconnect` continues
  std::string stopped_;        // why a row was left out, or ended early by an outcome that says so
  std::string not_exercised_;  // why the last inapplicable row was so
  bool asked_by_server_ = false;          // in this row, what the case answers
  bool answered_ = false;                 // the last message was sent, in full, on its own exchange
  bool owes_canary_ = false;              // that a row lacked
  const suite::Step* owed_to_ = nullptr;  // a step that asked for it
  bool played_out_ = false;               // a row was played to its end
  std::set<std::string> inputs_;          // classes of the messages that the row has sent
  std::set<std::string> checked_;         // of those that earlier rows sent
  std::map<std::string, std::size_t> foreseen_;  // rows that were not played, by class
  // For steps with a name: the session and the exchange.
  std::map<std::string, std::pair<std::uint64_t, int>> exchanges_;
  bool over_ = false;
  const bool listens_ = suite::listens(case_);
  bool kept_ = false;
};

// A step would call a forbidden tool; nothing of it was sent.
struct Withheld {
  std::string tool;
};

// A step would send what is known to end or hang the target; nothing of it was sent.
struct Foreseen {
  std::string input;  // its class
};

// The actions of one topic. The step must belong to it.
awaitable<void> play_message(CasePlayer& player, const suite::Step& step);
awaitable<void> play_connection(CasePlayer& player, const suite::Step& step);
awaitable<void> play_observation(CasePlayer& player, const suite::Step& step);
// Sends the content of the step and judges the reply: most actions that send something do this.
awaitable<void> send_step(CasePlayer& player, const suite::Step& step);

// Calls `play` with the action of the step. An action without a player does not compile.
template <suite::Topic kTopic, class Play>
awaitable<void> play_topic(const suite::Step& step, Play play) {
  return std::visit(
      [&]<class T>(const T& action) -> awaitable<void> {
        if constexpr (T::kTopic == kTopic)
          return play(action);
        else
          throw Bug("a step was given to the players of another topic");
      },
      step.action);
}

}  // namespace harness::run
