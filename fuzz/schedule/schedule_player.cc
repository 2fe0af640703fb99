// SPDX-License-Identifier: Apache-2.0
#include "fuzz/schedule/schedule_player.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace fuzz {

using harness::Nothing;
using harness::Result;
using harness::Status;
using harness::session::awaitable;
using std::chrono::milliseconds;

namespace {

constexpr int kTimesAlone = 2;
constexpr int kPatience = 4;  // times what the slowest call takes alone

// A client that may be asked for all there is: what a server asks is half of what races.
ExecutorOptions options_for(const harness::spec::Profile& profile) {
  ExecutorOptions out;
  out.keeps_journal = false;
  if (!profile.mcp || profile.era != harness::spec::Era::kHandshake) return out;
  namespace json = harness::json;
  out.client_capabilities =
      json::object({{"roots", json::object({{"listChanged", json::boolean(true)}})},
                    {"sampling", json::object()}});
  if (profile.revision >= "2025-06-18") out.client_capabilities.set("elicitation", json::object());
  return out;
}

}  // namespace

SchedulePlayer::SchedulePlayer(FuzzTarget& target, harness::wire::TransportKind transport,
                               const harness::spec::Registry& registry,
                               const harness::Secrets* secrets, KnownAlone& known)
    : target_(target), transport_(transport), registry_(registry), secrets_(secrets), known_(known),
      executor_(target.executor(options_for(target.profile()))) {}

const Alone* SchedulePlayer::known(const std::string& text) const {
  const auto found = known_.find(request_key(text));
  return found == known_.end() ? nullptr : &found->second;
}

awaitable<Result<SchedulePlayer::Played>> SchedulePlayer::play(const Script& script, bool fresh,
                                                               milliseconds patience) {
  for (const Step& step : script.steps) {
    const auto* frame = std::get_if<Frame>(&step);
    const Alone* alone = frame ? known(frame->bytes) : nullptr;
    if (alone)
      patience = std::max(patience, std::chrono::ceil<milliseconds>(alone->took * kPatience));
  }
  if (fresh) executor_->forget_process();  // what another play left there is none of it
  executor_->set_care(Care::kThorough);
  executor_->set_patience(patience);
  Result<Execution> execution = co_await executor_->play(script);
  if (!execution) co_return execution.error();
  Played out;
  out.execution = std::move(*execution);
  // A claim about one call takes what each of them gets alone.
  if (fresh || !out.execution.unanswered.empty()) {
    const Status asked = co_await ask_all(script);
    if (!asked) co_return asked.error();
  }
  const AloneOf alone_of = [this](const std::string& text) { return known(text); };
  const ScheduleJudge about{target_.profile(), registry_, transport_, secrets_, patience};
  out.problems = judge_schedule(script, out.execution, alone_of, about);
  co_return std::move(out);
}

awaitable<Status> SchedulePlayer::ask_all(const Script& script) {
  for (const Step& step : script.steps) {
    const auto* frame = std::get_if<Frame>(&step);
    if (!frame) continue;
    const Status asked = co_await ask_alone(frame->bytes, kTimesAlone);
    if (!asked) co_return asked;
  }
  co_return Nothing{};
}

awaitable<Status> SchedulePlayer::ask_alone(const std::string& text, int times) {
  const std::string key = request_key(text);
  if (key.empty()) co_return Nothing{};
  Alone alone = known_[key];
  Script script;
  script.steps.emplace_back(Frame{text, {}});
  executor_->set_care(Care::kDogged);
  executor_->set_patience(std::nullopt);
  while (alone.times < times && (alone.times == 0 || alone.answered)) {
    executor_->forget_session();
    const Result<Execution> execution = co_await executor_->play(script);
    if (!execution) co_return execution.error();
    learn(alone, *execution);
  }
  executor_->forget_session();
  known_[key] = std::move(alone);
  co_return Nothing{};
}

}  // namespace fuzz
