// SPDX-License-Identifier: Apache-2.0
// Cost: a message is enlarged until it costs something, and then measured in earnest. Of a local
// process the processor time counts, which others on the machine do not change; of others the time
// until the answer.
#include <fmt/format.h>

#include <algorithm>

#include "fuzz/stateful/answered.h"
#include "fuzz/stateful/check_table.h"
#include "fuzz/stateful/doubling.h"
#include "fuzz/stateful/processes.h"
#include "fuzz/stateful/statistics.h"

namespace fuzz {
namespace {

using harness::session::awaitable;
using Seconds = std::chrono::duration<double>;

constexpr std::size_t kSmallest = 64;        // bytes of what grows, at first
constexpr std::size_t kLargest = 64 * 1024;  // and at last
constexpr std::size_t kLongest = 8 * 1024;   // of a suspect
constexpr double kWorthALook = 0.016;        // seconds
constexpr std::size_t kStride = 8;
constexpr double kExponent = 1.4;  // sorting is below 1.2
constexpr std::size_t kSizes = 3;  // each twice the one before
constexpr int kRows = 4;           // measurements of all sizes; at least
constexpr int kMostRows = 24;
// For one of them; the least counts.
constexpr int kTries = 2;
constexpr int kTriesByClock = 3;  // where time is measured by ours

struct Measure {
  double cost = 0;  // seconds
  bool answered = false;
  Execution execution;
};

awaitable<Measure> measured(CheckContext& context, std::string message,
                            const Processes& processes) {
  Script script;
  Frame frame;
  frame.bytes = std::move(message);
  script.steps.emplace_back(std::move(frame));
  Measure out;
  const auto before = processes.processor_time();
  std::optional<Execution> execution = co_await context.play(script);
  const auto after = processes.processor_time();
  if (!execution || execution->withheld > 0) co_return out;
  out.answered = execution->ending == Ending::kAnswered;
  out.cost = before && after ? Seconds(*after - *before).count() : Seconds(execution->took).count();
  out.execution = std::move(*execution);
  co_return out;
}

// The least size, in doublings of `from`, at which it costs enough to be measured; 0 when there is
// none. In large strides as long as nothing happens.
awaitable<std::size_t> costly_size(CheckContext& context, const std::string& message,
                                   Dimension dimension, std::size_t own,
                                   const Processes& processes) {
  std::size_t cheap = std::max(kSmallest / 2, own);
  std::size_t stride = kStride;
  for (std::size_t size = cheap * 2; size <= kLargest;) {
    std::optional<std::string> text = enlarged(message, dimension, size - own);
    if (!text) break;
    const Measure one = co_await measured(context, std::move(*text), processes);
    if (one.answered && one.cost < kWorthALook) {
      cheap = size;
    } else if (stride > 2) {
      stride = 2;
    } else {
      co_return one.answered ? size : 0;
    }
    size = cheap * stride;
  }
  co_return 0;
}

std::optional<std::string> candidate_in(const Script& script) {
  if (script.steps.size() != 1) return std::nullopt;
  const auto* frame = std::get_if<Frame>(&script.steps.front());
  if (frame == nullptr || !usually_sent(*frame) || frame->bytes.size() > kLongest ||
      frame->bytes.find("${") != std::string::npos)
    return std::nullopt;
  return frame->bytes;
}

}  // namespace

std::optional<Script> suspect_cost(const Script& script, const Execution&, const CheckTarget&,
                                   Random& random) {
  // Those that can grow in most ways.
  std::vector<Script> fit;
  std::ptrdiff_t most = 1;
  for (const Step& step : script.steps) {
    Script one{"", {}, {step}};
    const std::optional<std::string> message = candidate_in(one);
    if (!message) continue;
    const auto grows = [&](Dimension dimension) {
      return enlarged(*message, dimension, kSmallest).has_value();
    };
    const auto ways = std::count_if(std::begin(kDimensions), std::end(kDimensions), grows);
    if (ways < most) continue;
    if (ways > most) fit.clear();
    most = ways;
    fit.push_back(std::move(one));
  }
  if (fit.empty()) return std::nullopt;
  return random.pick(fit);
}

awaitable<std::optional<CheckResult>> look_at_cost(CheckContext& context, const Script& suspect) {
  std::optional<CheckResult> none;
  const std::optional<std::string> message = candidate_in(suspect);
  if (!message) co_return none;
  const Script nothing;
  std::optional<Execution> opened = co_await context.play(nothing);
  if (!opened) co_return none;
  for (const Dimension dimension : kDimensions) {
    const Processes processes(context.process_group());
    const int tries = processes.empty() ? kTriesByClock : kTries;
    const std::optional<std::size_t> own = size_in(*message, dimension);
    if (!own) continue;
    std::size_t largest = co_await costly_size(context, *message, dimension, *own, processes);
    if (largest == 0) continue;
    // What is there already counts: doubling what is added to it would double nothing.
    const std::size_t smallest = std::max({largest >> (kSizes - 1), *own, kSmallest});
    largest = smallest << (kSizes - 1);
    std::vector<std::vector<double>> rows;
    Execution execution;
    bool sound = true;
    // More of them when a few prove nothing and deny nothing.
    const auto open = [&] {
      const Interval so_far = exponent_of(rows);
      return so_far.mean > kExponent && so_far.low <= kExponent;
    };
    for (int row = 0; sound && (row < kRows || (row < kMostRows && open())); ++row) {
      rows.emplace_back();
      for (std::size_t size = smallest; size <= largest && sound; size *= 2) {
        double least = 0;
        for (int attempt = 0; attempt < tries && sound; ++attempt) {
          std::optional<std::string> text = enlarged(*message, dimension, size - *own);
          Measure one = co_await measured(context, std::move(*text), processes);
          sound = one.answered;
          least = attempt == 0 ? one.cost : std::min(least, one.cost);
          execution = std::move(one.execution);
        }
        rows.back().push_back(least);
      }
      // One that grows like its size is done with.
      sound = sound && rows.back().back() >= kWorthALook / 2;
    }
    if (!sound) continue;
    const Interval exponent = exponent_of(rows);
    if (exponent.low <= kExponent) continue;
    const double cost = rows.back().back();
    std::optional<Problem> problem = context.problem(
        "cost", {"robust.cost-in-proportion"},
        "work that grows nearly in proportion to the message",
        fmt::format("work that grows with the power {:.2f} ({:.2f} to {:.2f}, 99 %) of the {}: "
                    "{:.0f} ms at {} bytes",
                    exponent.mean, exponent.low, exponent.high,
                    dimension == Dimension::kText
                        ? "length of the text"
                        : fmt::format("size of its {}", dimension_name(dimension)),
                    cost * 1000, largest),
        dimension_name(dimension), {});
    if (!problem) continue;
    const auto& frames = execution.slices.back().transcript->frames;
    for (const auto& one : frames)
      if (problem->finding.frames.size() < 2) problem->finding.frames.push_back(one.seq);
    problem->slice = execution.slices.size() - 1;
    std::optional<CheckResult> result;
    result.emplace();
    result->problem = std::move(*problem);
    result->execution = std::move(execution);
    co_return result;
  }
  co_return none;
}

}  // namespace fuzz
