// SPDX-License-Identifier: Apache-2.0
// Workers: play the cases of a Schedule in parallel, each on its own sessions, and judge cases
// again, alone.
//
//   schedule ─► worker ─► CaseJudge ─┬─► settled
//                                    ├─► watched: its silences are believed until the session ends
//                                    └─► again ─► alone, or patiently ─► settled
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <deque>
#include <exception>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "harness/results/oracle_ledger.h"
#include "harness/run/case_judge.h"
#include "harness/run/entry.h"
#include "harness/run/schedule.h"
#include "harness/run/silence_watch.h"
#include "harness/run/time_limit.h"
#include "harness/run/turns.h"
#include "harness/session/session.h"

namespace harness::run {

class Workers {
 public:
  // What they need; everything except the session and the function outlives them.
  struct Means {
    boost::asio::any_io_executor executor;
    const target::Target& target;
    const suite::Suite& suite;
    Pool& pool;
    CaseJudge& judge;
    OracleLedger& ledger;
    const TimeLimit& limit;
    session::Pace& pace;
    Schedule& schedule;                       // other workers may take cases from it as well
    int jobs = 1;                             // cases that act at one time
    int most_cases = 1;                       // and that are in progress; others wait for something
    SessionPtr ready;                         // that of the first contact; may be null
    std::function<void(const Entry&)> begin;  // called each time a case is played
    std::function<void(Entry&)> settle;       // called for each case with a final judgement
    std::function<bool(const Entry&)> known;  // whether the baseline covers all failures
  };
  explicit Workers(Means means);
  ~Workers();

  // Plays the scheduled cases once, and some again on processes that are idle anyway.
  awaitable<void> play_all();
  // Judges undecided cases again.
  awaitable<void> judge_again(const std::vector<Entry*>& entries);

 private:
  // A ready session that cases share, and the cases on it whose silences are still believed.
  struct SharedSession {
    SessionPtr session;
    Quota::Lease lease;      // of it
    bool counted = false;    // among those that share
    std::uint64_t life = 0;  // the life of the service in which it was opened
    SilenceWatch watch;
    session::Clock::time_point believed_at;  // when the last silence was believed
    std::vector<Entry*> owing;  // the next case has to show that the target still answers
    bool owed = false;          // a due reply did not come: it may still come, in another case
  };
  // The second judgement of a case, and the session it used.
  struct SecondJudgement {
    SessionPtr session;
    Judgement judgement;
    Quota::Lease lease;
  };
  // A session on which cases were confirmed, and the number of the last one.
  struct LookedOn {
    SessionPtr session;
    std::size_t last = 0;
  };

  awaitable<void> side_by_side(std::function<awaitable<void>(int)> work);
  awaitable<void> pause(std::chrono::milliseconds time);

  awaitable<void> work(int number);
  awaitable<bool> work_once(int number, SharedSession& shared);
  awaitable<void> leave_shared(SharedSession& shared);
  void drop_shared(SharedSession& shared);
  awaitable<bool> await_room(SessionUse use, SharedSession& shared);
  awaitable<Quota::Lease> room_for(Demand wanted);
  void drop_ready();
  awaitable<Quota::Lease> share(SharedSession& shared, Demand wanted);
  int most_sharing() const;
  bool waits_for_session(const suite::Case& scenario) const;
  std::optional<SessionUse> next_use(int number, const SharedSession& shared) const;
  Schedule::Fits fits(SessionUse use, const SharedSession& shared) const;
  bool worth_another_session() const;
  awaitable<void> leftover_for(const Entry& entry);
  awaitable<void> play_shared(Entry& entry, SharedSession& shared);
  void doubt_owing(SharedSession& shared);
  void prove(SharedSession& shared, const Judgement& next);
  awaitable<void> prove_last(SharedSession& shared);
  awaitable<bool> goes_on(session::Session& session, const PlayedCase& played);
  awaitable<void> play_own(Entry& entry);
  awaitable<void> play_first(Entry& entry, SessionPtr& session);
  std::string why_not_played() const;
  bool needs_second_look(Entry& entry);
  bool contradicted(SharedSession& shared);
  void end_watch(SharedSession& shared);
  awaitable<void> hear_out(SharedSession& shared);

  void look_together();
  awaitable<void> work_again(int number);
  awaitable<void> play_again();
  awaitable<void> look_again(const Entry& entry, Look look, SecondJudgement& second);
  awaitable<void> look_at_an_end(const Entry& entry, SecondJudgement& second);
  awaitable<void> hear_out_second(Entry& entry, SecondJudgement second);
  awaitable<SessionPtr> discovered_again(const suite::Case& scenario);
  bool is_settled(const Entry& entry) const;
  std::size_t to_play() const;
  bool shares_second_look(const Entry& entry) const;
  awaitable<bool> look_beside_others(Entry& entry, SecondJudgement& second);
  // False: it must be confirmed once more.
  bool confirm(Entry& entry, Judgement& second);
  void listened(std::exception_ptr failure);

  Means means_;
  Pool& pool_;
  Schedule& schedule_;
  Turns turns_;
  Quota::Lease ready_lease_;  // of the session that is ready
  // The run gives up a target after this many cases without any reply, not even to a canary.
  static constexpr std::size_t kMute = 4;
  std::deque<Entry*> again_;
  std::vector<LookedOn> looked_on_;
  std::deque<Entry*> together_;          // cases to be confirmed on those
  bool looking_ = false;                 // a case is being confirmed there, or will be
  std::uint64_t looked_in_ = 0;          // the life of the service in which one was played last
  std::size_t played_ = 0;               // cases, for the first time
  int sharing_ = 0;                      // workers that hold a session for several cases
  int busy_ = 0;                         // workers that play a case on a separate session
  std::multiset<std::string> declared_;  // by cases that are played on separate sessions
  int listening_ = 0;                    // sessions that wait for missing replies meanwhile
  long shared_played_ = 0;
  session::Clock::duration shared_time_{};
  bool late_ = false;          // a reply came after that to a later canary
  bool out_of_order_ = false;  // without an id: the run waits for the target after each one
  bool alive_ = false;         // a canary was answered, or anything but a handshake
  std::size_t mute_ = 0;       // cases without any reply
  bool mute_confirmed_ = false;
  std::exception_ptr failure_;
};

}  // namespace harness::run
