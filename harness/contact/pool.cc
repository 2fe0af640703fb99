// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/pool.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "harness/base/port_owner.h"
#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/session/dialect.h"
#include "harness/session/patience.h"
#include "harness/spec/protocol.h"
#include "harness/transport/courtesy.h"
#include "harness/transport/process.h"
#include "harness/transport/run_command.h"
#include "harness/transport/timer.h"
#include "harness/transport/url.h"

namespace harness::run {
namespace {

using session::Clock;
using session::Session;
using std::chrono::milliseconds;

constexpr std::size_t kMostKept = 12;          // of either kind; idle, but processes all the same
constexpr std::size_t kMostUnheard = 4 << 20;  // bytes of one session

const json::Value& or_none(const json::Value& client_capabilities) {
  static const json::Value kNone = json::object();
  return client_capabilities.is_object() ? client_capabilities : kNone;
}

// What the operator says a server wants to hear before anything else; a language server, say.
awaitable<void> say_opening(Session& fresh, const target::Target& target,
                            const session::Pace& pace) {
  const json::Value* opening = target.affordances.find("opening");
  const json::Value* messages = opening ? opening->find("messages") : nullptr;
  if (!messages) co_return;
  for (const json::Value& said : messages->items) {
    const json::Value* method = said.find("method");
    const json::Value* params = said.find("params");
    const json::Value* notification = said.find("notification");
    const bool asks = !(notification && notification->boolean);
    const json::Value id = json::number(fresh.next_id());
    const json::Value message =
        session::message(asks ? &id : nullptr, method->text, params ? *params : json::null());
    const session::Sent sent = co_await fresh.send(message);
    const session::Deadline deadline = Clock::now() + 2 * pace.timeout;
    if (asks) co_await fresh.reply_to(sent, deadline);
  }
}

awaitable<Result<SessionPtr>> open_session(const MakeTransport& make, const target::Target& target,
                                           const spec::Profile& profile,
                                           std::shared_ptr<session::Pace> pace) {
  auto transport = make();
  if (!transport) co_return transport.error();
  auto fresh = std::make_unique<Session>(std::move(*transport), profile, target.name, pace);
  fresh->keep_sent_messages();
  instruct(*fresh, target);
  const Status opened = co_await fresh->open();
  if (!opened) co_return opened.error();
  if (profile.era == spec::Era::kPlain) co_await say_opening(*fresh, target, *pace);
  co_return std::move(fresh);
}

}  // namespace

void instruct(Session& fresh, const target::Target& target) {
  const spec::Profile& profile = fresh.profile();
  const json::Value* known = target.affordances.find("known_method");
  const bool layered = profile.lsp || profile.acp;
  if (known && (profile.era == spec::Era::kPlain || layered)) {
    const json::Value* method = known->find("method");
    const json::Value* params = known->find("params");
    const bool named = method && method->is_string();
    fresh.set_canary(
        {named ? method->text : fresh.canary().method, params ? *params : json::null()});
  }
  const json::Value* opening = target.affordances.find("opening");
  const json::Value* messages = opening && layered ? opening->find("messages") : nullptr;
  if (!messages) return;
  for (const json::Value& said : messages->items) {
    const json::Value* params = said.find("params");
    if (said.find("method")->text == "initialize" && params) fresh.set_opening(*params);
  }
}

Pool::Pool(boost::asio::any_io_executor executor, const target::Target& target,
           std::shared_ptr<session::Pace> pace, Service service, int most_spares,
           MakeTransport make_transport)
    : executor_(std::move(executor)), target_(target), pace_(std::move(pace)),
      service_(std::move(service)),
      most_spares_(static_cast<std::size_t>(std::max(1, most_spares))),
      make_transport_(std::move(make_transport)), met_(Clock::now()),
      leaving_(std::make_shared<Leaving>(executor_)) {
  // Many sessions wait, and nobody takes what a target says on them meanwhile.
  limits_->max_queue = kMostUnheard;
  if (target_.command.empty() && transport::is_local(target_.url))
    if (const auto url = transport::parse_url(target_.url))
      pace_->processes = processes_at(url->port);
  if (!make_transport_)
    make_transport_ = [executor = executor_, &target, limits = limits_] {
      return transport::make(executor, target, *limits);
    };
}

Pool::~Pool() = default;

void Pool::bound(Demand most) {
  if (target_.stdio()) return;
  quota_.emplace(executor_, most);
  limits_->courtesy = std::make_shared<transport::Courtesy>(executor_, most.connections);
}

void Pool::bound_connections(int most) {
  limits_->courtesy =
      std::make_shared<transport::Courtesy>(executor_, most, transport::Courtesy::Refusals::kTaken);
}

bool Pool::make_room(Demand wanted) {
  while (quota_ && quota_->sessions() + wanted.sessions > quota_->most().sessions) {
    if (leftover_.empty() && untouched_.empty()) break;
    std::deque<Kept>& kept = leftover_.empty() ? untouched_ : leftover_;
    discard(take_kept(kept, kept.begin()));
  }
  return has_room(wanted);
}

awaitable<bool> Pool::room_changes() {
  const bool changed = !quota_ || co_await quota_->changes();
  co_return changed;
}

awaitable<Quota::Lease> Pool::room(Demand wanted) {
  if (!quota_) co_return Quota::Lease();
  make_room(wanted);
  Quota::Lease lease = co_await quota_->take(wanted);
  co_return lease;
}

awaitable<void> Pool::drain() {
  if (!quota_) co_return;
  const std::shared_ptr<Leaving> leaving = leaving_;
  const session::Deadline deadline = Clock::now() + patience::kLastFarewell;
  while (leaving->count > 0 && Clock::now() < deadline) co_await leaving->changed.wait(deadline);
}

void Pool::keep(std::deque<Kept>& kept, Kept gone) {
  if (kept.size() >= kMostKept) discard(take_kept(kept, kept.begin()));
  kept.push_back(std::move(gone));
  if (quota_) quota_->beside(1);
}

SessionPtr Pool::take_kept(std::deque<Kept>& kept, std::deque<Kept>::iterator at) {
  SessionPtr taken = std::move(at->session);
  kept.erase(at);
  if (quota_) quota_->beside(-1);
  return taken;
}

void Pool::forget(std::deque<Kept>& kept) {
  if (quota_) quota_->beside(-static_cast<int>(kept.size()));
  kept.clear();
}

void Pool::settle_on(Terms terms) {
  terms_ = std::move(terms);
  starting_ = Clock::now() - met_;
}

bool Pool::shakes_hands() const {
  return terms_.profile && terms_.profile->era == spec::Era::kHandshake && terms_.handshake;
}

void Pool::tell(Session& session) const {
  session.take_cut_off(terms_.takes_cut_off);
  if (terms_.one_each) session.take_one_each();
  if (&session.profile() == terms_.profile) session.set_known(terms_.known);
}

bool Pool::has_leftover(SessionHistory history) const {
  return std::any_of(leftover_.begin(), leftover_.end(), [&](const Kept& kept) {
    return history == SessionHistory::kAny || !suite::may_be_asked(kept.session->declared());
  });
}

bool Pool::has_tidy(const json::Value& client_capabilities) const {
  return std::any_of(leftover_.begin(), leftover_.end(), [&](const Kept& kept) {
    return kept.tidy && declares(kept, client_capabilities);
  });
}

// Where there is no handshake each request says it anew.
bool Pool::declares(const Kept& kept, const json::Value& client_capabilities) const {
  return !shakes_hands() || json::equal(kept.session->declared(), or_none(client_capabilities));
}

bool Pool::starts_slowly() const { return starting_ > patience::kSoonStarted; }

// Callers that come meanwhile wait for the same restart.
awaitable<Status> Pool::revive(bool wedged) {
  const std::uint64_t life = lives_;
  while (reviving_) {
    transport::Timer poll(executor_, milliseconds(20));
    boost::system::error_code ignored;
    co_await poll.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
  }
  if (!service_.died() && !(wedged && lives_ == life)) co_return Nothing{};
  reviving_ = true;
  ++lives_;
  if (service_.died())
    last_death_ = {service_.ending(), service_.output ? service_.output() : "",
                   last_death_.number + 1};
  // Their connections ended with the process.
  forget(leftover_);
  forget(untouched_);
  const Status started = co_await service_.restart();
  reviving_ = false;
  co_return started;
}

awaitable<bool> Pool::replace(std::uint64_t life) {
  if (!service_.ours || !service_.restart) co_return false;
  if (lives_ != life) co_return true;
  const Status started = co_await revive(true);
  co_return static_cast<bool>(started);
}

awaitable<Status> Pool::renew(bool fresh) {
  if (target_.restart_each_case) {
    for (auto* kept : {&untouched_, &leftover_})
      while (!kept->empty()) discard(take_kept(*kept, kept->begin()));
    if (service_) {
      const Status started = co_await service_.restart();
      if (!started) co_return started.error();
    }
  }
  if (fresh && target_.reset) co_return co_await reset();
  co_return Nothing{};
}

awaitable<Status> Pool::reset() {
  if (!target_.reset.command.empty()) {
    const transport::Launch launch{target_.reset.command, target_.cwd, target_.env};
    const session::Deadline deadline = Clock::now() + patience::kReset;
    co_return co_await transport::run_command(executor_, launch, deadline);
  }
  const json::Value usual = json::null();
  Result<SessionPtr> opened = co_await connect(suite::Need::kFresh, usual, SessionHistory::kNone);
  if (!opened) co_return opened.error();
  Session& session = **opened;
  const json::Value id = json::number(session.next_id());
  const json::Value params = session::with_meta(*terms_.profile, target_.reset.params, json::null(),
                                                session.options().client_capabilities);
  const json::Value request = session::message(&id, target_.reset.method, params);
  const session::Sent sent = co_await session.send(request);
  const session::Inbound* reply = co_await session.reply_to(sent, Clock::now() + patience::kReset);
  const std::string said = reply ? printable(json::write(reply->message->value)) : "no reply";
  const bool done = reply && reply->message->value.find("result") != nullptr;
  discard(std::move(*opened));
  if (done) co_return Nothing{};
  co_return Error{"", "the reset request " + target_.reset.method + " got no result: " + said,
                  "correct `reset` in the target description"};
}

// A service that a case has just ended refuses connections before its end is seen, and the one that
// takes its place may be ended by a case beside this one.
awaitable<Result<SessionPtr>> Pool::open(const spec::Profile& profile) {
  constexpr int kMostLives = 3;
  constexpr int kPolls = 100;  // of 10 ms: a process that fails tells why before it ends
  std::uint64_t life = lives_;
  Result<SessionPtr> opened = co_await open_once(profile);
  const auto another = [&] { return reviving_ || service_.died() || lives_ != life; };
  for (int lives = 1; service_ && !opened && lives < kMostLives; ++lives) {
    for (int i = 0; !another() && i < kPolls; ++i) {
      transport::Timer poll(executor_, milliseconds(10));
      boost::system::error_code ignored;
      co_await poll.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
    }
    if (!another()) break;
    life = lives_;
    opened = co_await open_once(profile);
  }
  co_return std::move(opened);
}

awaitable<Result<SessionPtr>> Pool::open_once(const spec::Profile& profile) {
  if (reviving_ || service_.died()) {
    const Status revived = co_await revive();
    if (!revived) co_return revived.error();
  }
  Result<SessionPtr> opened = co_await open_session(make_transport_, target_, profile, pace_);
  co_return std::move(opened);
}

awaitable<Result<SessionPtr>> Pool::bare() {
  stock_->expected -= stock_->expected > 0;
  if (!stock_->spares.empty()) {
    SessionPtr spare = std::move(stock_->spares.front());
    stock_->spares.pop_front();
    spawn_ahead();
    co_return std::move(spare);
  }
  Result<SessionPtr> opened = co_await open(*terms_.profile);
  spawn_ahead();
  co_return std::move(opened);
}

void Pool::expect(std::size_t openings) {
  stock_->expected = openings;
  spawn_ahead();
}

void Pool::spawn_ahead() {
  // What is started before the state was brought back may have read the old one.
  if (!target_.stdio() || !terms_.profile || target_.reset) return;
  // `expected` changes under way where a process cannot be started.
  Stock& stock = *stock_;
  while (stock.spares.size() + stock.spawning < std::min(stock.expected, most_spares_)) {
    ++stock.spawning;
    boost::asio::co_spawn(
        executor_,
        [](MakeTransport make, const target::Target& target, const spec::Profile& profile,
           auto pace, std::shared_ptr<Stock> for_stock) -> awaitable<void> {
          Result<SessionPtr> opened = co_await open_session(make, target, profile, pace);
          --for_stock->spawning;
          if (opened)
            for_stock->spares.push_back(std::move(*opened));
          else
            for_stock->expected = 0;  // whoever needs a session is told why there is none
        }(make_transport_, target_, *terms_.profile, pace_, stock_),
        boost::asio::detached);
  }
}

awaitable<Result<SessionPtr>> Pool::connect(suite::Need need,
                                            const json::Value& client_capabilities,
                                            SessionHistory history, SessionPtr* refused) {
  session::SessionOptions options;
  if (client_capabilities.is_object()) options.client_capabilities = client_capabilities;
  SessionPtr used =
      history == SessionHistory::kNone ? nullptr : take_used(need, client_capabilities, history);
  if (used) {
    // A case that is content with any session gets one that knows other capabilities, perhaps; who
    // is yet to shake hands declares his own.
    const bool knows = used->initialized() || !shakes_hands();
    if (client_capabilities.is_null() && knows) options.client_capabilities = used->declared();
    used->set_options(options);
    if (need != suite::Need::kBare && !shakes_hands()) used->begin_without_handshake(terms_.agreed);
    tell(*used);
    co_return std::move(used);
  }
  // What has had no handshake can have it now.
  if (need == suite::Need::kDisposable && history != SessionHistory::kNone && !untouched_.empty()) {
    SessionPtr waiting = take_kept(untouched_, untouched_.begin());
    waiting->set_options(options);
    tell(*waiting);
    const session::Handshake shaken = co_await waiting->handshake();
    if (shaken.accepted) co_return std::move(waiting);
    discard(std::move(waiting));
  }
  const auto began = Clock::now();
  Result<SessionPtr> opened = co_await bare();
  if (!opened) co_return std::move(opened);
  Session& fresh = **opened;
  fresh.set_options(options);
  tell(fresh);
  if (need == suite::Need::kBare) co_return std::move(opened);
  if (shakes_hands()) {
    const session::Handshake shaken = co_await fresh.handshake();
    if (!shaken.accepted) {
      const std::string rest = session::post_mortem(fresh);
      if (refused && shaken.answered) *refused = std::move(*opened);
      co_return Error{
          "",
          "the handshake of a new session failed" + (rest.empty() ? std::string() : ": " + rest),
          ""};
    }
  } else {
    fresh.begin_without_handshake(terms_.agreed);
    if (terms_.dual_era && target_.stdio()) co_await open_era(fresh);
  }
  opening_ = Clock::now() - began;
  co_return std::move(opened);
}

// A server of both eras learns from the first request which of them a connection is of; what a case
// sends first may not say so.
awaitable<void> Pool::open_era(Session& fresh) {
  const json::Value* capabilities = fresh.capabilities();
  const auto lists = terms_.profile->protocol().lists_of(*terms_.profile);
  const auto list = std::find_if(lists.begin(), lists.end(), [&](const spec::MessageRow* row) {
    return spec::is_declared(row->capability_in(*terms_.profile), capabilities);
  });
  if (list == lists.end()) co_return;
  const json::Value id = json::number(fresh.next_id());
  const json::Value params = session::with_meta(*terms_.profile, json::null(), json::null(),
                                                fresh.options().client_capabilities);
  const json::Value request = session::message(&id, (*list)->name, params);
  const session::Sent sent = co_await fresh.send(request);
  co_await fresh.reply_to(sent, Clock::now() + fresh.reply_time());
}

// What is good for nothing else goes first, and what was promised no answers is left to those who
// need that.
SessionPtr Pool::take_used(suite::Need need, const json::Value& client_capabilities,
                           SessionHistory history) {
  const bool ends = need == suite::Need::kDisposable;
  const bool as_new = need == suite::Need::kReady || need == suite::Need::kOwn;
  if (need == suite::Need::kFresh) return nullptr;
  std::deque<Kept>& from = need == suite::Need::kBare ? untouched_ : leftover_;
  auto best = from.end();
  int least = 4;
  for (auto kept = from.begin(); kept != from.end(); ++kept) {
    const json::Value& declared = kept->session->declared();
    const bool quiet = !suite::may_be_asked(declared);
    if (ends && history == SessionHistory::kQuiet && !quiet) continue;
    if (ends && client_capabilities.is_object() && !declares(*kept, client_capabilities)) continue;
    if (as_new && !(kept->tidy && declares(*kept, client_capabilities))) continue;
    const int value = 2 * kept->tidy + quiet;
    if (value >= least) continue;
    least = value;
    best = kept;
  }
  return best == from.end() ? nullptr : take_kept(from, best);
}

void Pool::give_back(SessionPtr gone, bool tidy) {
  if (!gone) return;
  // Which life of a service a session is of is not known; those of one that dies are not kept.
  const bool crowded = quota_ && quota_->wanted();
  const bool usable = lives_ == 0 && !crowded && !target_.restart_each_case &&
                      !target_.has_exchanges() && terms_.profile && !gone->closed() &&
                      !gone->unusable() && &gone->profile() == terms_.profile;
  if (!usable) return discard(std::move(gone));
  const bool handshake = shakes_hands();
  // A language server or agent that was asked before initialize was asked what no client may ask.
  if (handshake && !gone->initialized() && !terms_.profile->lsp && !terms_.profile->acp)
    return keep(untouched_, {std::move(gone), tidy});
  const auto version_of = [](const json::Value& agreed, const std::string& otherwise) {
    const json::Value* version = agreed.is_object() ? agreed.find("protocolVersion") : nullptr;
    return version ? version->text : otherwise;
  };
  const bool free = terms_.profile->lsp || terms_.profile->tutorial;
  // Of a server of both eras a connection that a case began may be of the other one.
  const bool other_era = terms_.dual_era && gone->agreed().is_null();
  const bool agrees =
      free || version_of(gone->agreed(), "") == version_of(terms_.agreed, terms_.profile->revision);
  const bool ready = handshake ? gone->initialized() && agrees : !other_era;
  if (ready)
    keep(leftover_, {std::move(gone), tidy});
  else
    discard(std::move(gone));
}

// It leaves in the background. Until it is gone, it is open beside those of cases.
void Pool::discard(SessionPtr gone) {
  if (!gone) return;
  ++leaving_->count;
  // A case may have begun several with it: each is open until it has been ended.
  const Quota::Lease lease = seize({std::max(1, gone->http_sessions()), 0});
  boost::asio::co_spawn(
      executor_,
      [](SessionPtr going, std::shared_ptr<Leaving> leaving, Quota::Lease) -> awaitable<void> {
        co_await going->shutdown(patience::kFarewell);
        going.reset();
        --leaving->count;
        leaving->changed.notify_all();
      }(std::move(gone), leaving_, lease),
      boost::asio::detached);
}

}  // namespace harness::run
