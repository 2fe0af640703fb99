// SPDX-License-Identifier: Apache-2.0
// WorkerTarget: the target of a worker, met and ready. It plays scripts on it and judges what came.
// The engine knows no coroutines, so each call runs one to its end.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fuzz/coverage/map.h"
#include "fuzz/engine/worker_options.h"
#include "fuzz/executor/fuzz_target.h"
#include "fuzz/judge/judge.h"
#include "fuzz/script/script.h"
#include "harness/base/result.h"
#include "harness/contact/served.h"
#include "harness/session/session.h"
#include "harness/spec/requirement.h"
#include "harness/suite/loader.h"
#include "harness/target/target.h"

namespace fuzz {

// The exit code of a worker whose target cannot be started or reached.
inline constexpr int kUnreachable = 3;

class WorkerTarget {
 public:
  // Starts the target where it has an address, and meets it. Here and below, a target that cannot
  // be started or reached ends the process (give_up()). What is passed by reference outlives it.
  WorkerTarget(const WorkerOptions& options, harness::target::Target target,
               const harness::suite::Suite& suite, const harness::spec::Registry& registry);
  WorkerTarget(const WorkerTarget&) = delete;
  WorkerTarget& operator=(const WorkerTarget&) = delete;

  Execution play(const Script& script);
  // As ScriptExecutor::play_pipelined().
  std::vector<Execution> play_pipelined(const std::vector<Script>& scripts);
  // Without what is known already.
  std::vector<Problem> judge(const Execution& execution, const Look& look = {}) const;
  bool knows(const Problem& problem) const;

  // Runs a coroutine to its end.
  template <class Value, class Story>
  Value finished(Story story) {
    std::optional<Value> value;
    std::exception_ptr failure;
    const auto whole = [&]() -> harness::session::awaitable<void> {
      value.emplace(co_await story());
    };
    boost::asio::co_spawn(io_, whole, [&](std::exception_ptr thrown) {
      failure = thrown;
      io_.stop();
    });
    io_.restart();
    io_.run();
    if (failure) std::rethrow_exception(failure);
    return std::move(*value);
  }

  // Ends the process with kUnreachable; why is on stderr, behind "rpcspec: ".
  [[noreturn]] void give_up(const harness::Error& why) const;
  // Ends the session, as far as that takes no longer than a moment. Nothing is played behind it.
  void leave();

  // How often the places of an instrumented target were reached by what was played last; empty for
  // others.
  std::span<const std::uint8_t> places() const;
  // Somebody else runs it: it is there when we come, and all workers have the same.
  bool is_somebody_elses() const { return !target_.stdio() && !served_.process(); }
  // Of the process of a service that we started; null where there is none.
  std::function<int()> process_group() const;

  const harness::target::Target& target() const { return target_; }
  const harness::spec::Profile& profile() const { return fuzz_target_->profile(); }
  const harness::spec::Registry& registry() const { return registry_; }
  const harness::suite::Suite& suite() const { return suite_; }
  FuzzTarget& fuzz_target() { return *fuzz_target_; }
  ScriptExecutor& executor() { return *executor_; }
  harness::run::Service service() { return served_.service(io_.get_executor()); }
  boost::asio::io_context& io() { return io_; }

 private:
  harness::target::Target target_;
  const harness::suite::Suite& suite_;
  const harness::spec::Registry& registry_;
  const std::function<bool(const harness::oracle::Finding&)> known_;
  boost::asio::io_context io_{1};
  harness::run::Served served_;
  std::optional<CoverageMap> map_;
  std::unique_ptr<FuzzTarget> fuzz_target_;
  std::unique_ptr<ScriptExecutor> executor_;
};

}  // namespace fuzz
