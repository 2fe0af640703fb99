// SPDX-License-Identifier: Apache-2.0
#include "fuzz/probe/prober.h"

#include <limits>
#include <utility>

namespace fuzz {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kQuick{500};  // what takes longer is not played over and over
// Counts say when to probe. A target whose processes start slowly makes probes dearer than counts
// can tell: beyond this and a tenth of the time, they wait.
constexpr std::chrono::seconds kFree{10};
constexpr int kTenth = 10;
constexpr std::chrono::hours kNoHurry{1};

std::uint64_t mark(const Probe& probe, const Script& suspect) {
  std::uint64_t h = 0xCBF29CE484222325u;
  for (const std::string& text : {std::string(probe.name), write_script(suspect)})
    for (const unsigned char c : text) h = (h ^ c) * 0x100000001B3u;
  return h;
}

PlayerOptions for_long() {
  PlayerOptions out;
  out.scripts_per_session = std::numeric_limits<std::size_t>::max();
  out.frames_per_session = std::numeric_limits<std::size_t>::max();
  out.keeps_journal = false;
  return out;
}

}  // namespace

Prober::Prober(FuzzTarget& fuzz_target, const harness::spec::Registry& registry,
               std::string transport, std::function<int()> process_group, bool local,
               std::uint64_t seed)
    : setting_{fuzz_target.profile(), transport, local},
      player_(fuzz_target.player(for_long())),
      other_(fuzz_target.player(for_long())),
      stage_(*player_, *other_, fuzz_target.profile(), registry, std::move(transport),
             std::move(process_group)),
      schedule_(probes().size()),
      random_(seed),
      gathered_(probes().size()),
      put_off_(probes().size()),
      offered_(probes().size()) {}

void Prober::offer(const std::vector<Script>& requests) {
  const Played nothing;
  for (std::size_t i = 0; i < probes().size(); ++i) {
    const Probe& probe = probes()[i];
    for (const Script& request : requests) {
      if (!probe.systematic || !probe.suspect(request, nothing, setting_, random_)) continue;
      if (schedule_.first_sight(mark(probe, request))) offered_[i].push_back(request);
    }
  }
}

std::optional<Turn> Prober::next(const Script& script, const Played& played, bool fresh,
                                 std::uint64_t executions) {
  if (played.ending != Ending::kAnswered || played.took > kQuick) return std::nullopt;
  if (used_ > kFree && used_ * kTenth > steady_clock::now() - began_) return std::nullopt;
  executions_ = executions;
  for (std::size_t i = 0; i < probes().size(); ++i) {
    const Probe& probe = probes()[i];
    const bool due = schedule_.due(i, executions, fresh);
    if (!due && (probe.together == 0 || !fresh)) continue;
    if (due && !offered_[i].empty()) {
      Turn turn{&probe, std::move(offered_[i].front())};
      offered_[i].pop_front();
      return turn;
    }
    std::optional<Script> suspect = probe.suspect(script, played, setting_, random_);
    if (!suspect || !schedule_.first_sight(mark(probe, *suspect))) {
      if (due) schedule_.passed(i, executions);
      continue;
    }
    if (probe.together == 0) return Turn{&probe, std::move(*suspect)};
    std::vector<Step>& steps = gathered_[i].steps;
    steps.insert(steps.end(), suspect->steps.begin(), suspect->steps.end());
    if (steps.size() > probe.together)
      steps.erase(steps.begin(), steps.end() - static_cast<std::ptrdiff_t>(probe.together));
    if (!due) continue;
    Turn turn{&probe, std::exchange(gathered_[i], {})};
    for (Step& step : std::exchange(put_off_[i], {}).steps)
      turn.suspect.steps.push_back(std::move(step));
    return turn;
  }
  return std::nullopt;
}

harness::session::awaitable<std::optional<Sight>> Prober::look(const Turn& turn,
                                                               steady_clock::duration time) {
  const auto from = steady_clock::now();
  stage_.give_time(time);
  const std::size_t before = stage_.price();
  std::optional<Sight> sight = co_await turn.probe->look(stage_, turn.suspect);
  const auto number = static_cast<std::size_t>(turn.probe - probes().data());
  schedule_.spent(number, executions_, stage_.price() - before);
  if (stage_.is_put_off() && turn.probe->together > 0) {
    std::vector<Step>& steps = put_off_[number].steps;
    steps = turn.suspect.steps;
    if (steps.size() > turn.probe->together) steps.resize(turn.probe->together);
  }
  used_ += steady_clock::now() - from;
  co_return std::move(sight);
}

harness::session::awaitable<std::optional<Sight>> Prober::look_again(const Turn& turn) {
  stage_.give_time(kNoHurry);
  return turn.probe->look(stage_, turn.suspect);
}

}  // namespace fuzz
