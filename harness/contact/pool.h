// SPDX-License-Identifier: Apache-2.0
// Pool: where the sessions of a run come from and where they go. Starting a server costs most of
// the time of a run, so processes are started ahead and reused as far as the needs of cases allow.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "harness/contact/quota.h"
#include "harness/session/session.h"
#include "harness/suite/case_traits.h"
#include "harness/target/target.h"

namespace harness::run {

using session::awaitable;
using suite::SessionHistory;
using SessionPtr = std::unique_ptr<session::Session>;

// A target that we started and reach by URL; or one that somebody else starts and restarts.
struct Service {
  bool ours = true;
  std::function<std::string()> ending;  // how its process ended, as far as known; "" while it runs
  std::function<std::string()> output;  // its last output, raw
  std::function<awaitable<Status>()> restart;
  // How often it was started or came back: it does not remember messages from before the last
  // start.
  std::function<std::uint64_t()> life;
  std::function<awaitable<bool>()> accepts;  // whether its URL accepts a connection
  // Waits until its process has ended, at most this long.
  std::function<awaitable<void>(std::chrono::milliseconds)> wait;
  explicit operator bool() const { return static_cast<bool>(ending); }
  bool died() const { return ending && !ending().empty(); }
};

// How sessions with the target begin, as the first contact found.
struct Terms {
  const spec::Profile* profile = nullptr;
  json::Value agreed;          // the result of initialize or server/discover
  bool dual_era = false;       // it also serves revisions of the other era
  bool handshake = true;       // false: it does not serve initialize, so none is sent
  bool takes_cut_off = false;  // its HTTP bodies have no end, and count as complete
  std::shared_ptr<const spec::Known> known = nullptr;  // of the target, including its canary
  bool one_each = false;                               // it serves one message per connection
};

// Makes the transport of a new session; if it is empty, transport::make() does.
using MakeTransport = std::function<Result<std::unique_ptr<transport::Transport>>()>;

// Gives a session what the operator describes: the request with a known reply, the params of
// initialize.
void instruct(session::Session& fresh, const target::Target& target);

class Pool {
 public:
  // `most_spares`: how many processes may wait for their use at a time.
  Pool(boost::asio::any_io_executor executor, const target::Target& target,
       std::shared_ptr<session::Pace> pace, Service service, int most_spares,
       MakeTransport make_transport = {});
  ~Pool();

  // The limit of open sessions and connections for a server with an address; each process is a
  // separate server.
  void bound(Demand most);
  // Limits only connections; a reply that asks for time is a reply like any other.
  void bound_connections(int most);
  // Hold it while opening sessions within the limit; idle sessions are ended if they block it.
  awaitable<Quota::Lease> room(Demand wanted);
  // Ends idle sessions until there is room; false if there is none yet.
  bool make_room(Demand wanted);
  // Waits until something is given back; false when nothing was for 5 s.
  awaitable<bool> room_changes();
  bool has_room(Demand wanted) const { return !quota_ || quota_->has(wanted); }
  Quota::Lease seize(Demand wanted) { return quota_ ? quota_->seize(wanted) : Quota::Lease(); }
  // Waits until ending sessions have ended, if they share a server with others.
  awaitable<void> drain();

  // A new session of any profile, with nothing sent on it. Restarts a service that ended.
  awaitable<Result<SessionPtr>> open(const spec::Profile& profile);
  void settle_on(Terms terms);                   // from now on
  const Terms& terms() const { return terms_; }  // that were settled on
  const spec::Profile& profile() const { return *terms_.profile; }

  // A session for a case with this need. `fresh` ones are new; `ready` and `own` ones may be
  // sessions that cases with the same capabilities left unchanged; others may have the given past.
  // The Error says why none could be opened. `refused` gets the session whose handshake was
  // answered but not accepted; the caller discards it.
  awaitable<Result<SessionPtr>> connect(suite::Need need, const json::Value& client_capabilities,
                                        SessionHistory history, SessionPtr* refused = nullptr);
  // Before a case: restarts the target, and restores its outside state for a case that needs a
  // `fresh` session, as far as its description requires that.
  awaitable<Status> renew(bool fresh);
  // Restarts a service of ours that runs but serves nobody, unless that happened since `life`.
  // False if there is none.
  awaitable<bool> replace(std::uint64_t life);
  // Takes back a session: for another case, or to end it in the background. `tidy`: it is
  // unchanged, so another case may get it as if it were new.
  void give_back(SessionPtr gone, bool tidy);
  void discard(SessionPtr gone);

  // How many new sessions will be requested soon: processes are started ahead for them.
  void expect(std::size_t openings);
  bool has_leftover(SessionHistory history) const;
  // A session that counts as new for a case with these declarations.
  bool has_tidy(const json::Value& client_capabilities) const;
  // Whether a session without a handshake is waiting.
  bool has_untouched() const { return !untouched_.empty(); }
  // How long the last session took to open, with its handshake.
  session::Clock::duration opening() const { return opening_; }
  // How long the first process took from its start to its first replies.
  session::Clock::duration start_time() const { return starting_; }
  // Whether that took so long that one more process costs more than it saves.
  bool starts_slowly() const;

  const Service& service() const { return service_; }
  std::uint64_t lives() const { return lives_; }  // how often the service was restarted
  // How the process of the service last exited by itself; "" if it did not.
  std::string ended_how() const { return service_.died() ? service_.ending() : last_death_.how; }
  // Of the process that ran before this one, if it ended by itself; how many did.
  struct Death {
    std::string how, output;
    std::uint64_t number = 0;
  };
  const Death& last_death() const { return last_death_; }

 private:
  void tell(session::Session& session) const;
  awaitable<Status> revive(bool wedged = false);
  awaitable<Result<SessionPtr>> open_once(const spec::Profile& profile);
  awaitable<Status> reset();
  awaitable<Result<SessionPtr>> bare();
  awaitable<void> open_era(session::Session& fresh);
  bool shakes_hands() const;
  SessionPtr take_used(suite::Need need, const json::Value& client_capabilities,
                       SessionHistory history);
  void spawn_ahead();
  struct Kept {
    SessionPtr session;
    bool tidy = false;
  };
  bool declares(const Kept& kept, const json::Value& client_capabilities) const;
  void keep(std::deque<Kept>& kept, Kept gone);
  SessionPtr take_kept(std::deque<Kept>& kept, std::deque<Kept>::iterator at);
  void forget(std::deque<Kept>& kept);

  boost::asio::any_io_executor executor_;
  const target::Target& target_;
  std::shared_ptr<session::Pace> pace_;
  Service service_;
  std::size_t most_spares_;
  MakeTransport make_transport_;
  Terms terms_;
  // Of processes started ahead. The coroutine that starts one may outlive the pool.
  struct Stock {
    std::deque<SessionPtr> spares;  // nothing was sent on them
    std::size_t expected = 0;
    std::size_t spawning = 0;
  };
  std::shared_ptr<Stock> stock_ = std::make_shared<Stock>();
  std::deque<Kept> untouched_;  // no handshake yet, but cases were played
  std::deque<Kept> leftover_;   // handshake done, may be ended or hung
  session::Clock::duration opening_{};
  session::Clock::time_point met_;       // when the first session was opened; then
  session::Clock::duration starting_{};  // from there to the first agreement
  bool reviving_ = false;
  std::optional<Quota> quota_;  // nothing if each session has its own server
  // Sessions that are ending. The coroutine that ends one may outlive the pool.
  struct Leaving {
    explicit Leaving(boost::asio::any_io_executor executor) : changed(std::move(executor)) {}
    int count = 0;
    transport::AsyncEvent changed;
  };
  std::shared_ptr<Leaving> leaving_;
  std::shared_ptr<transport::Limits> limits_ = std::make_shared<transport::Limits>();
  std::uint64_t lives_ = 0;
  Death last_death_;
};

}  // namespace harness::run
