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
  // `timeout`: no reply is waited for longer. `make_transport` as for Pool. What is passed by
  // reference outlives the FuzzTarget.
  FuzzTarget(boost::asio::any_io_executor executor, const harness::target::Target& target,
             const harness::suite::Suite& suite, harness::run::Service service,
             std::chrono::milliseconds timeout, harness::run::MakeTransport make_transport = {},
             std::shared_ptr<harness::session::Rate> rate = {});

  // Finds out what the target speaks (a profile name, or auto) and offers. The Error says why it
  // cannot be driven.
  harness::session::awaitable<harness::Status> meet(std::string profile);

  const harness::spec::Profile& profile() const { return *profile_; }
  const harness::run::Offer& offer() const { return offer_; }
  const harness::json::Value& agreed() const { return agreed_; }  // initialize or discover result
  // What it took from the start of the first process to its first answers.
  harness::session::Clock::duration start_time() const { return pool_.start_time(); }
  // What it took its executors to open sessions, so far.
  harness::session::Clock::duration time_of_starts() const { return *starts_; }
  // Of all that is sent to the target; null: as much as goes.
  const std::shared_ptr<harness::session::Rate>& rate() const { return pace_->rate; }
  // It calls no tool that the target forbids, whatever the options say.
  std::unique_ptr<ScriptExecutor> executor(ExecutorOptions options);
  // A session of the profile on which nothing was said, not even a handshake; the next is expected
  // soon. To be given back to leave().
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
