// SPDX-License-Identifier: Apache-2.0
#include "fuzz/stateful/stateful_checker.h"

#include <limits>

namespace fuzz {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kQuick{500};  // what takes longer is not played over and over
// Counts say when to check. A target whose processes start slowly makes checks dearer than counts
// can tell: beyond this and a tenth of the time, they wait.
constexpr std::chrono::seconds kFree{10};
constexpr int kTenth = 10;
constexpr std::chrono::hours kNoHurry{1};

std::uint64_t mark(const StatefulCheck& check, const Script& suspect) {
  std::uint64_t h = 0xCBF29CE484222325u;
  for (const std::string& text : {std::string(check.name), write_script(suspect)})
    for (const unsigned char c : text) h = (h ^ c) * 0x100000001B3u;
  return h;
}

ExecutorOptions for_long() {
  ExecutorOptions out;
  out.scripts_per_session = std::numeric_limits<std::size_t>::max();
  out.frames_per_session = std::numeric_limits<std::size_t>::max();
  out.keeps_journal = false;
  return out;
}

}  // namespace

StatefulChecker::StatefulChecker(FuzzTarget& fuzz_target, const harness::spec::Registry& registry,
                                 harness::wire::TransportKind transport,
                                 std::function<int()> process_group, bool local, std::uint64_t seed)
    : target_{fuzz_target.profile(), transport, local}, executor_(fuzz_target.executor(for_long())),
      other_(fuzz_target.executor(for_long())),
      context_(*executor_, *other_, fuzz_target.profile(), registry, transport,
               std::move(process_group)),
      schedule_(stateful_checks().size()), random_(seed), gathered_(stateful_checks().size()),
      put_off_(stateful_checks().size()), offered_(stateful_checks().size()) {}

void StatefulChecker::offer(const std::vector<Script>& requests, std::string_view only) {
  const Execution nothing;
  for (std::size_t i = 0; i < stateful_checks().size(); ++i) {
    const StatefulCheck& check = stateful_checks()[i];
    for (const Script& request : requests) {
      if (!check.systematic || (!only.empty() && check.name != only)) continue;
      std::optional<Script> suspect = check.suspect(request, nothing, target_, random_);
      if (suspect && schedule_.first_sight(mark(check, *suspect)))
        offered_[i].push_back(std::move(*suspect));
    }
  }
}

std::optional<Turn> StatefulChecker::next(const Script& script, const Execution& execution,
                                          bool fresh, std::uint64_t executions) {
  if (execution.ending != Ending::kAnswered || execution.took > kQuick) return std::nullopt;
  if (used_ > kFree && used_ * kTenth > steady_clock::now() - began_) return std::nullopt;
  executions_ = executions;
  for (std::size_t i = 0; i < stateful_checks().size(); ++i) {
    const StatefulCheck& check = stateful_checks()[i];
    const bool due = schedule_.due(i, executions, fresh);
    if (!due && (check.together == 0 || !fresh)) continue;
    if (due && !offered_[i].empty()) {
      Turn turn{&check, std::move(offered_[i].front())};
      offered_[i].pop_front();
      return turn;
    }
    std::optional<Script> suspect = check.suspect(script, execution, target_, random_);
    if (!suspect || !schedule_.first_sight(mark(check, *suspect))) {
      if (due) schedule_.passed(i, executions);
      continue;
    }
    if (check.together == 0) return Turn{&check, std::move(*suspect)};
    std::vector<Step>& steps = gathered_[i].steps;
    steps.insert(steps.end(), suspect->steps.begin(), suspect->steps.end());
    if (steps.size() > check.together)
      steps.erase(steps.begin(), steps.end() - static_cast<std::ptrdiff_t>(check.together));
    if (!due) continue;
    Turn turn{&check, std::exchange(gathered_[i], {})};
    for (Step& step : std::exchange(put_off_[i], {}).steps)
      turn.suspect.steps.push_back(std::move(step));
    return turn;
  }
  return std::nullopt;
}

harness::session::awaitable<std::optional<CheckResult>> StatefulChecker::look(
    const Turn& turn, steady_clock::duration time) {
  const auto from = steady_clock::now();
  context_.give_time(time);
  const std::size_t before = context_.price();
  std::optional<CheckResult> result = co_await turn.check->look(context_, turn.suspect);
  const auto number = static_cast<std::size_t>(turn.check - stateful_checks().data());
  schedule_.spent(number, executions_, context_.price() - before);
  if (context_.is_put_off() && turn.check->together > 0) {
    std::vector<Step>& steps = put_off_[number].steps;
    steps = turn.suspect.steps;
    if (steps.size() > turn.check->together) steps.resize(turn.check->together);
  }
  if (context_.is_put_off() && turn.check->systematic) offered_[number].push_back(turn.suspect);
  ending_ = result ? Script{} : context_.ending();
  ending_.profile = target_.profile.name;
  used_ += steady_clock::now() - from;
  co_return std::move(result);
}

harness::session::awaitable<std::optional<CheckResult>> StatefulChecker::look_again(
    const Turn& turn) {
  context_.give_time(kNoHurry);
  return turn.check->look(context_, turn.suspect);
}

}  // namespace fuzz
