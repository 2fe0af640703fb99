// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine/worker_target.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace fuzz {
namespace {
constexpr std::chrono::milliseconds kShortStart{50};
constexpr std::chrono::milliseconds kFarewellOfWorker{300};

std::shared_ptr<harness::session::Rate> rate_of(double per_second) {
  return per_second > 0 ? std::make_shared<harness::session::Rate>(per_second) : nullptr;
}

std::set<std::string> names_offered(const harness::target::Lists& lists) {
  std::set<std::string> out;
  for (const harness::json::Value* list : {&lists.tools, &lists.prompts})
    for (const harness::json::Value& one : list->items)
      if (const harness::json::Value* name = one.find("name")) out.insert(name->text);
  return out;
}
}  // namespace

WorkerTarget::WorkerTarget(const WorkerOptions& options, harness::target::Target target,
                           const harness::suite::Suite& suite,
                           const harness::spec::Registry& registry)
    : target_(std::move(target)), suite_(suite), registry_(registry), known_(options.known) {
  auto map = CoverageMap::create(kPlaces);
  if (map) {
    map_.emplace(std::move(*map));
    target_.env.push_back(map_->environment());
  }
  const harness::Status started = served_.start(io_, target_);
  if (!started) give_up(started.error());
  fuzz_target_ =
      std::make_unique<FuzzTarget>(io_.get_executor(), target_, suite, service(), options.timeout,
                                   options.make_transport, rate_of(options.rate));
  const harness::Status met =
      finished<harness::Status>([&]() { return fuzz_target_->meet(options.profile); });
  if (!met) give_up(met.error());
  ExecutorOptions playing;
  // When a process is started is no matter of scripts, so it may go by the clock. What it executes
  // as it starts would be attributed to the script that is played meanwhile.
  playing.starts_ahead =
      fuzz_target_->start_time() > kShortStart && (!map_ || map_->attached() == 0);
  executor_ = fuzz_target_->executor(playing);
  aside_ = fuzz_target_->executor({});
  served_calls_ = ServedCalls(names_offered(fuzz_target_->offer()));
}

Execution WorkerTarget::play(const Script& script) {
  if (map_) map_->clear();
  auto execution = finished<harness::Result<Execution>>([&]() { return executor_->play(script); });
  if (!execution) give_up(execution.error());
  return std::move(*execution);
}

std::vector<Execution> WorkerTarget::play_pipelined(const std::vector<Script>& scripts) {
  if (map_) map_->clear();
  auto executions = finished<harness::Result<std::vector<Execution>>>(
      [&]() { return executor_->play_pipelined(scripts); });
  if (!executions) give_up(executions.error());
  return std::move(*executions);
}

std::vector<Problem> WorkerTarget::judge(const Execution& execution, const Look& look) {
  const auto learn = [&](const harness::oracle::Evidence& evidence) {
    served_calls_.learn(evidence);
    if (look) look(evidence);
  };
  std::vector<Problem> out =
      fuzz::judge(execution, profile(), registry_, &target_.secrets, learn, due());
  std::erase_if(out, [&](const Problem& problem) { return knows(problem); });
  return out;
}

void WorkerTarget::note_slow(const Script& script) {
  constexpr std::size_t kFew = 4;
  if (script.steps.size() > kFew) return;
  for (const Step& step : script.steps) {
    const auto* frame = std::get_if<Frame>(&step);
    const harness::wire::Message message = harness::wire::read_message(frame ? frame->bytes : "");
    if (message.value.is_object()) served_calls_.note_slow(message.value);
  }
}

Due WorkerTarget::due() const {
  return [this](const harness::json::Value& request) { return served_calls_.is_due(request); };
}

std::set<std::string> WorkerTarget::unheard_in(const harness::oracle::Evidence& evidence) const {
  return fuzz::unheard_in(evidence, due());
}

bool WorkerTarget::knows(const Problem& problem) const {
  return known_ && !is_of_process(problem.signature) && known_(problem.finding);
}

void WorkerTarget::give_up(const harness::Error& why) const {
  std::fprintf(stderr, "rpcspec: %s\n", target_.secrets.masked(why.text()).c_str());
  std::_Exit(kUnreachable);
}

// A process that serves all sessions is restarted by whoever opens the next one.
void WorkerTarget::forget_process() {
  executor_->forget_process();
  if (!target_.stdio()) aside_->forget_process();
}

void WorkerTarget::leave() {
  aside_.reset();
  executor_.reset();
  io_.restart();
  io_.run_for(kFarewellOfWorker);
}

std::span<const std::uint8_t> WorkerTarget::places() const {
  if (!map_ || map_->attached() == 0) return {};
  return map_->counters();
}

std::function<int()> WorkerTarget::process_group() const {
  if (!served_.process()) return {};
  return [this] { return served_.process()->process_group(); };
}

}  // namespace fuzz
