// SPDX-License-Identifier: Apache-2.0
// FuzzTarget: a Target made ready for scripts: which profile it speaks, what it offers, where
// sessions come from.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <memory>
#include <string>

#include "fuzz/executor/script_executor.h"
#include "harness/contact/negotiate.h"
#include "harness/contact/pool.h"
#include "harness/suite/loader.h"
#include "harness/target/target.h"

namespace fuzz {

class FuzzTarget {
 public:
  // `timeout`: the longest wait for a reply. `make_transport` as for Pool. What is passed by
  // reference outlives the FuzzTarget.
  FuzzTarget(boost::asio::any_io_executor executor, const harness::target::Target& target,
             const harness::suite::Suite& suite, harness::run::Service service,
             std::chrono::milliseconds timeout, harness::run::MakeTransport make_transport = {},
             std::shared_ptr<harness::session::Rate> rate = {});

  // Finds out which profile the target speaks (a name, or auto) and what it declares. The Error
  // says why it cannot be driven.
  harness::session::awaitable<harness::Status> meet(std::string profile);

  const harness::spec::Profile& profile() const { return *profile_; }
  const harness::run::Offer& offer() const { return offer_; }
  const harness::json::Value& agreed() const { return agreed_; }  // initialize or discover result
  // The time from the start of the first process to its first replies.
  harness::session::Clock::duration start_time() const { return pool_.start_time(); }
  // The time that its executors have spent on opening sessions.
  harness::session::Clock::duration time_of_starts() const { return *starts_; }
  // For everything sent to the target; null: no limit.
  const std::shared_ptr<harness::session::Rate>& rate() const { return pace_->rate; }
  // It calls no tool that the target forbids, whatever the options say.
  std::unique_ptr<ScriptExecutor> executor(ExecutorOptions options);
  // A session of the profile on which nothing was sent, not even a handshake; the next one is
  // expected soon. Give it back with leave().
  harness::session::awaitable<harness::Result<harness::run::SessionPtr>> open_untouched();
  void leave(harness::run::SessionPtr session) { pool_.discard(std::move(session)); }

 private:
  const harness::target::Target& target_;
  const harness::suite::Suite& suite_;
  std::shared_ptr<harness::session::Pace> pace_;
  harness::run::Pool pool_;
  std::shared_ptr<harness::session::Clock::duration> starts_ =
      std::make_shared<harness::session::Clock::duration>();
  const harness::spec::Profile* profile_ = nullptr;
  harness::run::Offer offer_;
  harness::json::Value agreed_;
};

}  // namespace fuzz
