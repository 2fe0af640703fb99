// SPDX-License-Identifier: Apache-2.0
// WorkerTarget: the target of a worker, met and ready. It plays scripts on it and judges the
// replies. The engine has no coroutines, so each call runs one to its end.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
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
  // Starts the target if it has an address, and contacts it. Here and below, give_up() ends the
  // process if the target cannot be started or reached. What is passed by reference outlives it.
  WorkerTarget(const WorkerOptions& options, harness::target::Target target,
               const harness::suite::Suite& suite, const harness::spec::Registry& registry);
  WorkerTarget(const WorkerTarget&) = delete;
  WorkerTarget& operator=(const WorkerTarget&) = delete;

  Execution play(const Script& script);
  // As ScriptExecutor::play_pipelined().
  std::vector<Execution> play_pipelined(const std::vector<Script>& scripts);
  // Leaves out what is known already.
  std::vector<Problem> judge(const Execution& execution, const Look& look = {});
  // Methods of calls in it that have no reply, though one is due (fuzz/judge/lost.h).
  std::set<std::string> unheard_in(const harness::oracle::Evidence& evidence) const;
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

  // While it lives, another executor plays: what depends on measured times leaves the session of
  // the scripts as it is.
  class Aside {
   public:
    explicit Aside(WorkerTarget& target) : target_(target) { target.executor_.swap(target.aside_); }
    ~Aside() {
      target_.executor_->forget_session();
      target_.executor_.swap(target_.aside_);
    }
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;

   private:
    WorkerTarget& target_;
  };
  // What is played next gets a new process, whoever plays it.
  void forget_process();

  // Ends the process with kUnreachable; the reason is on stderr after "rpcspec: ".
  [[noreturn]] void give_up(const harness::Error& why) const;
  // Ends the session if that takes no longer than a moment. Nothing is played after it.
  void leave();

  // How often the last script reached each place of an instrumented target; empty for others.
  std::span<const std::uint8_t> places() const;
  // Somebody else runs the target: it is there before us, and all workers share it.
  bool is_somebody_elses() const { return !target_.stdio() && !served_.process(); }
  // The process of a service that we started; null if there is none.
  std::function<int()> process_group() const;

  const harness::target::Target& target() const { return target_; }
  const harness::spec::Profile& profile() const { return fuzz_target_->profile(); }
  const harness::spec::Registry& registry() const { return registry_; }
  const harness::suite::Suite& suite() const { return suite_; }
  FuzzTarget& fuzz_target() { return *fuzz_target_; }
  ScriptExecutor& executor() { return *executor_; }
  harness::run::Service service() { return served_.service(io_.get_executor()); }
  boost::asio::io_context& io() { return io_; }

  // As ServedCalls::note_slow(): of the calls of a script, if they are few.
  void note_slow(const Script& script);
  bool note_slow(const harness::oracle::Evidence& evidence, bool overtaken) {
    return served_calls_.note_slow(evidence, overtaken);
  }
  // To which calls a reply is due, by those that were answered so far.
  Due due() const;

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
  std::unique_ptr<ScriptExecutor> aside_;
  ServedCalls served_calls_;
};

}  // namespace fuzz
