// SPDX-License-Identifier: Apache-2.0
// The ways in which the Minimizer makes a script smaller. Each asks still() of every candidate.
#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "fuzz/minimizer/minimizer.h"
#include "fuzz/minimizer/runs.h"
#include "fuzz/minimizer/simpler.h"
#include "fuzz/script/steps.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/wire/message.h"

namespace fuzz {
namespace {

using harness::session::awaitable;
namespace json = harness::json;

constexpr std::size_t kMany = 8;   // steps; of fewer, each is taken by itself

std::string* bytes_of(Step& step) {
  if (auto* frame = std::get_if<Frame>(&step)) return &frame->bytes;
  if (auto* raw = std::get_if<Raw>(&step)) return &raw->bytes;
  return nullptr;
}

bool is_many(const Script& script) { return script.steps.size() >= kMany; }

// What a step is, roughly: the kind of a message, text that is none, or what else it does; and
// whether it is delivered as usual.
using StepKind = std::tuple<std::size_t, int, bool>;
StepKind kind_of(const Step& step) {
  const auto* frame = std::get_if<Frame>(&step);
  if (frame == nullptr) return {step.index(), 0, true};
  const auto reading = json::read(frame->bytes);
  const auto* good = std::get_if<json::Reading>(&reading);
  const int kind = good ? static_cast<int>(harness::wire::kind_of(good->value)) : -1;
  return {step.index(), kind, frame->delivery.usual()};
}

// Whether a step stands for all of many that are like it: what is done to one is done to them all.
bool is_many_times(const Script& script, const Step& step) {
  const auto times = std::count(script.steps.begin(), script.steps.end(), step);
  return static_cast<std::size_t>(times) >= kMany;
}

Script with_bytes(const Script& script, std::size_t step, const std::string& bytes) {
  const Step& was = script.steps[step];
  const bool all = is_many_times(script, was);
  Script out = script;
  for (std::size_t i = 0; i < out.steps.size(); ++i)
    if (i == step || (all && script.steps[i] == was)) *bytes_of(out.steps[i]) = bytes;
  return out;
}

}  // namespace

awaitable<void> Minimizer::take_trigger(Script& script) {
  // What follows an end that came early was never sent.
  if (last_.ending == Ending::kGone && !last_.sent.empty()) {
    std::size_t next = last_.sent.back().step + 1;
    while (next < script.steps.size() && bytes_of(script.steps[next]) == nullptr) ++next;
    fuzz::drop_steps(script, next, script.steps.size());
  }
  if (trigger_ == 0 || script.steps.size() < 2) co_return;
  Script alone = script;
  fuzz::drop_steps(alone, trigger_, alone.steps.size());
  fuzz::drop_steps(alone, 0, trigger_ - 1);
  if (unreached_ >= kMostUnreached || (sound_ && !is_sound(alone, profile_))) co_return;
  // However little time is left: one play tells that all the rest is not needed.
  const std::optional<Problem> same = co_await shows(alone, Care::kThorough, fresh_);
  if (same && adds_none()) script = std::move(alone);
}

// What takes many messages of one kind to show comes with as many of others.
awaitable<void> Minimizer::drop_kinds(Script& script) {
  std::set<StepKind> kinds;
  for (const Step& step : script.steps) kinds.insert(kind_of(step));
  for (const StepKind& kind : kinds) {
    if (!is_many(script)) co_return;
    Script candidate = script;
    for (std::size_t at = candidate.steps.size(); at > 0; --at)
      if (kind_of(candidate.steps[at - 1]) == kind) fuzz::drop_steps(candidate, at - 1, at);
    if (candidate.steps.empty() || candidate.steps.size() == script.steps.size()) continue;
    const bool same = co_await still(candidate);
    if (same) script = std::move(candidate);
  }
}

// Where many messages are left, one of the shortest may do in place of each: then there is one to
// be made smaller, and not many.
awaitable<void> Minimizer::make_alike(Script& script) {
  constexpr std::size_t kTries = 4;
  std::vector<const Frame*> frames;
  for (const Step& step : script.steps)
    if (const auto* frame = std::get_if<Frame>(&step)) frames.push_back(frame);
  if (frames.size() < kMany) co_return;
  std::stable_sort(frames.begin(), frames.end(), [](const Frame* a, const Frame* b) {
    return std::make_pair(!a->delivery.usual(), a->bytes.size()) <
           std::make_pair(!b->delivery.usual(), b->bytes.size());
  });
  const Frame* last = nullptr;
  std::vector<Frame> tries;
  for (const Frame* frame : frames)
    if (tries.size() < kTries && (last == nullptr || *last != *frame)) {
      last = frame;
      tries.push_back(*frame);
    }
  for (const Frame& one : tries) {
    Script alike = script;
    for (Step& step : alike.steps)
      if (std::holds_alternative<Frame>(step)) step = one;
    if (alike == script) co_return;
    bool same = co_await still(alike);
    if (!same) {
      // A frame may have been several messages.
      alike.steps.insert(alike.steps.end(), frames.size(), one);
      same = co_await still(alike);
      if (same) co_await drop_steps(alike);
    }
    if (!same) continue;
    script = std::move(alike);
    co_return;
  }
}

// What a reader of lines takes for text that is not JSON is reduced as such, however it was sent.
awaitable<void> Minimizer::put_in_lines(Script& script) {
  std::optional<Script> lines = in_lines(script);
  if (!lines) co_return;
  const bool same = co_await still(*lines);
  if (!same) co_return;
  script = std::move(*lines);
  co_await drop_steps(script);
}

// What comes of many messages comes of them without a batch around them as well.
awaitable<void> Minimizer::put_out_of_batches(Script& script) {
  std::optional<Script> apart = out_of_batches(script);
  if (!apart) co_return;
  const bool same = co_await still(*apart);
  if (!same) co_return;
  script = std::move(*apart);
  co_await drop_steps(script);
}

// ddmin: larger pieces first.
awaitable<void> Minimizer::drop_steps(Script& script) {
  for (std::size_t piece = std::max<std::size_t>(1, script.steps.size() / 2);;) {
    bool dropped = false;
    for (std::size_t at = 0; at < script.steps.size() && script.steps.size() > 1;) {
      Script candidate = script;
      const std::size_t end = std::min(at + piece, script.steps.size());
      fuzz::drop_steps(candidate, at, end);
      bool same = false;
      if (!candidate.steps.empty()) same = co_await still(candidate);
      if (same) {
        script = std::move(candidate);
        dropped = true;
      } else {
        at = end;
      }
    }
    if (spent() || (piece == 1 && !dropped)) co_return;
    if (piece > 1) piece /= 2;
  }
}

// What stands there over and over: the fewest times, by bisection.
awaitable<void> Minimizer::shrink_runs(Script& script, std::size_t step) {
  constexpr std::size_t kMostRuns = 6;
  std::set<std::string> done;
  while (done.size() < kMostRuns && !spent()) {
    const std::string text = *bytes_of(script.steps[step]);
    const std::optional<Run> run = longest_run(text, done);
    if (!run) co_return;
    done.insert(run->unit);
    // As often as `enough` shows it. None at all is tried first; from then on `few` does not.
    std::size_t few = 0, enough = run->times;
    for (std::size_t next = 0; enough - few > 1 || next == 0; next = few + (enough - few) / 2) {
      Script candidate = with_bytes(script, step, with_times(text, *run, next));
      const bool same = co_await still(candidate);
      if (same) script = std::move(candidate);
      (same ? enough : few) = next;
      if (spent() || enough == 0) break;
    }
  }
}

// Where a stack ends differs a little from one process to the next: what barely overflows it does
// not do so each time.
awaitable<void> Minimizer::add_margin(Script& script) {
  constexpr std::size_t kLarge = 1024;
  if (!is_of_process(signature_) || is_silence(signature_)) co_return;
  for (std::size_t step = 0; step < script.steps.size(); ++step) {
    const std::string* bytes = bytes_of(script.steps[step]);
    const std::optional<Run> run = bytes != nullptr ? longest_run(*bytes, {}) : std::nullopt;
    if (!run || run->times < kLarge) continue;
    Script more = with_bytes(script, step, with_times(*bytes, *run, run->times + run->times / 16));
    const std::optional<Problem> same = co_await shows(more, care_alone(), true);
    if (same) script = std::move(more);
  }
}

awaitable<void> Minimizer::shrink_tree(Script& script, std::size_t step) {
  std::string* bytes = bytes_of(script.steps[step]);
  for (bool changed = true; changed && !spent();) {
    changed = false;
    const auto reading = json::read(*bytes);
    const auto* good = std::get_if<json::Reading>(&reading);
    if (!good) co_return;
    std::vector<std::vector<std::size_t>> places;
    std::vector<std::size_t> path;
    places_in(good->value, places, path);
    for (const auto& where : places) {
      json::Value tree = good->value;
      json::Value* node = place(tree, where);
      const std::vector<json::Value> options = simpler(*node);
      for (const json::Value& option : options) {
        *node = option;
        const std::string less = json::write(tree);
        if (less.size() >= bytes->size()) continue;
        Script candidate = with_bytes(script, step, less);
        const bool same = co_await still(candidate);
        if (!same) continue;
        script = std::move(candidate);
        bytes = bytes_of(script.steps[step]);
        changed = true;
        break;
      }
      if (changed || spent()) break;
    }
  }
}

awaitable<void> Minimizer::shrink_bytes(Script& script, std::size_t step) {
  // What stands there over and over has to: how often was found before.
  std::optional<Run> run = longest_run(*bytes_of(script.steps[step]), {});
  const auto behind_run = [&run](std::size_t at, std::size_t piece) {
    if (!run) return at;
    const auto behind = [&](std::size_t begin, const std::string& unit) {
      const std::size_t end = begin + unit.size() * run->times;
      return at >= begin && at < end && at + piece <= end ? end : at;
    };
    at = behind(run->begin, run->unit);
    return run->closing == std::string::npos ? at : behind(run->closing, run->closing_unit);
  };
  for (std::size_t piece = std::max<std::size_t>(1, bytes_of(script.steps[step])->size() / 2);;) {
    bool dropped = false;
    for (std::size_t at = 0; at < bytes_of(script.steps[step])->size();) {
      if (const std::size_t behind = behind_run(at, piece); behind != at) {
        at = behind;
        continue;
      }
      std::string less = *bytes_of(script.steps[step]);
      less.erase(at, piece);
      Script candidate = with_bytes(script, step, less);
      const bool same = co_await still(candidate);
      if (same) {
        script = std::move(candidate);
        dropped = true;
        run = longest_run(*bytes_of(script.steps[step]), {});
      } else {
        at += piece;
      }
      if (spent()) co_return;
    }
    if (piece == 1 && !dropped) co_return;
    if (piece > 1) piece /= 2;
  }
}

// Usual delivery, where the unusual one plays no part; else the shortest lists that do.
awaitable<void> Minimizer::shrink_delivery(Script& script, std::size_t step) {
  const auto delivery = [step](Script& of) -> Delivery& {
    return std::get<Frame>(of.steps[step]).delivery;
  };
  Script usual = script;
  delivery(usual) = {};
  bool same = co_await still(usual);
  if (same) {
    script = std::move(usual);
    co_return;
  }
  const auto length = [](const Delivery& of, int list) {
    return list == 0 ? of.chunks.size() : list == 1 ? of.fragments.size() : of.headers.size();
  };
  for (int list = 0; list < 3; ++list) {
    for (std::size_t at = 0; at < length(delivery(script), list) && !spent();) {
      Script candidate = script;
      Delivery& less = delivery(candidate);
      const auto from = static_cast<std::ptrdiff_t>(at);
      if (list == 0) less.chunks.erase(less.chunks.begin() + from);
      if (list == 1) less.fragments.erase(less.fragments.begin() + from);
      if (list == 2) less.headers.erase(less.headers.begin() + from);
      same = co_await still(candidate);
      if (same)
        script = std::move(candidate);
      else
        ++at;
    }
  }
  // A name that plays no part is "a".
  for (std::size_t at = 0; at < delivery(script).headers.size() && !spent(); ++at) {
    Script candidate = script;
    std::string& name = delivery(candidate).headers[at].name;
    if (std::exchange(name, "a") == "a") continue;
    same = co_await still(candidate);
    if (same) script = std::move(candidate);
  }
}

awaitable<void> Minimizer::shrink_frames(Script& script) {
  for (std::size_t i = 0; i < script.steps.size() && !spent(); ++i) {
    const auto* frame = std::get_if<Frame>(&script.steps[i]);
    if (frame && !frame->delivery.usual()) co_await shrink_delivery(script, i);
    if (bytes_of(script.steps[i]) == nullptr) continue;
    const auto here = script.steps.begin() + static_cast<std::ptrdiff_t>(i);
    const bool done = std::find(script.steps.begin(), here, *here) != here;
    if (done && is_many_times(script, *here)) continue;
    co_await shrink_runs(script, i);
    const auto reading = json::read(*bytes_of(script.steps[i]));
    if (std::holds_alternative<json::Reading>(reading))
      co_await shrink_tree(script, i);
    else
      co_await shrink_bytes(script, i);
  }
}

}  // namespace fuzz
