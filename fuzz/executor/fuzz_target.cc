// SPDX-License-Identifier: Apache-2.0
#include "fuzz/executor/fuzz_target.h"

#include <utility>

#include "fuzz/executor/elsewhere.h"

namespace fuzz {

using harness::Nothing;
using harness::Result;
using harness::Status;
using harness::session::awaitable;

namespace {
constexpr int kSpares = 1;  // processes started ahead
// A hundred messages at once do not fit into the queue of a server that accepts slowly; what finds
// no place there is sent again by the kernel, seconds later.
constexpr int kMostConnections = 6;
// A campaign that has gone on for hours does not end because the machine was busy for a moment.
constexpr std::chrono::seconds kStart{15};

harness::run::Service or_elsewhere(harness::run::Service service,
                                   const boost::asio::any_io_executor& executor,
                                   const harness::target::Target& target) {
  if (service || target.stdio()) return service;
  return elsewhere(executor, target.url);
}
}  // namespace

FuzzTarget::FuzzTarget(boost::asio::any_io_executor executor, const harness::target::Target& target,
                       const harness::suite::Suite& suite, harness::run::Service service,
                       std::chrono::milliseconds timeout,
                       harness::run::MakeTransport make_transport,
                       std::shared_ptr<harness::session::Rate> rate)
    : target_(target), suite_(suite), pace_(std::make_shared<harness::session::Pace>()),
      pool_(executor, target, pace_, or_elsewhere(std::move(service), executor, target), kSpares,
            std::move(make_transport)) {
  pace_->timeout = timeout;
  pace_->start = kStart;
  // Nobody acts meanwhile, but what is no mere round trip is waited for as long as the target gets
  // no processor.
  pace_->waiting = [](bool) {};
  pace_->rate = std::move(rate);
  pool_.bound_connections(kMostConnections);
}

awaitable<Status> FuzzTarget::meet(std::string profile) {
  const harness::run::Opener open = [this](const harness::spec::Profile& one) {
    return pool_.open(one);
  };
  Result<harness::run::Negotiated> met =
      co_await harness::run::negotiate(profile, target_, suite_, open);
  if (!met) co_return met.error();
  profile_ = met->profile;
  offer_ = std::move(met->offer);
  agreed_ = met->ready ? met->ready->agreed() : harness::json::null();
  pool_.settle_on(
      {profile_, agreed_, offer_.dual_era, met->handshake, met->takes_cut_off, offer_.known});
  pool_.discard(std::move(met->ready));
  if (met->spare) pool_.discard(std::move(met->spare));
  co_return Nothing{};
}

awaitable<Result<harness::run::SessionPtr>> FuzzTarget::open_untouched() {
  co_await until_due(pace_->rate);
  if (target_.stdio()) pool_.expect(1);
  Result<harness::run::SessionPtr> opened = co_await pool_.open(*profile_);
  co_return std::move(opened);
}

std::unique_ptr<ScriptExecutor> FuzzTarget::executor(ExecutorOptions options) {
  options.forbidden.insert(offer_.forbidden.begin(), offer_.forbidden.end());
  options.tools = offer_.tools;
  options.rate = pace_->rate;
  options.starts = starts_;
  return std::make_unique<ScriptExecutor>(pool_, std::move(options));
}

}  // namespace fuzz
