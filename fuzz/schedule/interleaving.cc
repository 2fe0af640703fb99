// SPDX-License-Identifier: Apache-2.0
#include "fuzz/schedule/interleaving.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace fuzz {
namespace {

// How far each strand has come, and what can be done next.
class Progress {
 public:
  explicit Progress(const Flight& scenario)
      : scenario_(scenario), at_(scenario.strands.size(), 0) {}

  bool over() const { return made_.size() == total(); }
  const Order& made() const { return made_; }
  std::size_t total() const {
    std::size_t total = 0;
    for (const Strand& strand : scenario_.strands) total += strand.size();
    return total;
  }
  bool finished(std::size_t strand) const {
    return at_[strand] == scenario_.strands[strand].size();
  }
  bool enabled(std::size_t strand) const {
    if (finished(strand)) return false;
    const Move& next = scenario_.strands[strand][at_[strand]];
    if (next.kind == MoveKind::kSend) return true;
    return std::any_of(made_.begin(), made_.end(), [&](const Move& move) {
      if (move.kind != MoveKind::kSend) return false;
      const bool of_call = next.kind == MoveKind::kAwait || next.kind == MoveKind::kCancel;
      return of_call ? move.call == next.call : move.session == next.session;
    });
  }
  void make(std::size_t strand) { made_.push_back(scenario_.strands[strand][at_[strand]++]); }
  void take_back(std::size_t strand) {
    made_.pop_back();
    --at_[strand];
  }

 private:
  const Flight& scenario_;
  std::vector<std::size_t> at_;
  Order made_;
};

struct Search {
  Progress progress;
  std::size_t strands;
  std::size_t most;
  std::vector<Order> found;

  // `last`: the strand that made the last move. `left`: preemptions.
  void go_on(std::optional<std::size_t> last, int left) {
    if (found.size() == most) return;
    if (progress.over()) {
      if (left == 0) found.push_back(progress.made());
      return;
    }
    for (std::size_t strand = 0; strand < strands; ++strand) {
      if (!progress.enabled(strand)) continue;
      // Where the strand at hand cannot go on, nothing preempts it.
      const bool preempts = last && *last != strand && progress.enabled(*last);
      if (preempts && left == 0) continue;
      progress.make(strand);
      go_on(strand, left - preempts);
      progress.take_back(strand);
    }
  }
};

bool sends(MoveKind kind) { return kind != MoveKind::kAwait; }

}  // namespace

std::vector<Order> orders(const Flight& scenario, int preemptions, std::size_t most) {
  Search search{Progress(scenario), scenario.strands.size(), most, {}};
  search.go_on(std::nullopt, preemptions);
  return std::move(search.found);
}

Order draw_order(const Flight& scenario, std::size_t changes, Random& random) {
  Progress progress(scenario);
  const std::size_t strands = scenario.strands.size();
  std::vector<int> priority(strands);
  std::iota(priority.begin(), priority.end(), 1);
  for (std::size_t i = strands; i > 1; --i) std::swap(priority[i - 1], priority[random.below(i)]);
  std::vector<std::size_t> points;
  for (std::size_t i = 0; i < changes; ++i) points.push_back(random.below(progress.total()));
  int lowest = 0;
  // `strands`: a move that never has anything to act on is left.
  const auto foremost = [&] {
    std::size_t next = strands;
    for (std::size_t strand = 0; strand < strands; ++strand)
      if (progress.enabled(strand) && (next == strands || priority[strand] > priority[next]))
        next = strand;
    return next;
  };
  for (std::size_t next; (next = foremost()) != strands;) {
    const std::size_t step = progress.made().size();
    for (const std::size_t point : points)
      if (point == step) priority[foremost()] = --lowest;
    progress.make(foremost());
  }
  return progress.made();
}

Script to_script(const Flight& scenario, const Order& order, const std::function<Gap()>& gap) {
  Script script;
  if (scenario.holds) script.steps.emplace_back(ClientAnswer{"*", AnswerKind::kHeld, ""});
  std::vector<std::size_t> number(scenario.calls.size(), 0);  // of the frame that calls
  std::size_t frames = 0, session = 1;
  bool sent = false;
  const auto frame = [&](const std::string& text) {
    ++frames;
    script.steps.emplace_back(Frame{text, {}});
  };
  for (const Move& move : order) {
    if (sends(move.kind) && std::exchange(sent, true)) {
      const Gap between = gap();
      if (between.kind == GapKind::kApart) script.steps.emplace_back(Pause{0});
      if (between.kind == GapKind::kPause) script.steps.emplace_back(Pause{between.milliseconds});
      if (between.kind == GapKind::kArrival)
        script.steps.emplace_back(Timing{TimingKind::kArrival});
    }
    if (move.kind != MoveKind::kAwait && move.session != session) {
      session = move.session;
      script.steps.emplace_back(Timing{TimingKind::kSession, session});
    }
    switch (move.kind) {
      case MoveKind::kSend:
        frame(scenario.calls[move.call].text);
        number[move.call] = frames;
        break;
      case MoveKind::kAwait:
        script.steps.emplace_back(Timing{TimingKind::kAwait, number[move.call]});
        sent = false;  // there is a gap already
        break;
      case MoveKind::kCancel: frame(scenario.calls[move.call].cancel); break;
      case MoveKind::kRelease: script.steps.emplace_back(Timing{TimingKind::kRelease}); break;
      case MoveKind::kReleaseLast:
        script.steps.emplace_back(Timing{TimingKind::kReleaseLast});
        break;
      case MoveKind::kCut: script.steps.emplace_back(Timing{TimingKind::kCut}); break;
    }
  }
  return script;
}

}  // namespace fuzz
