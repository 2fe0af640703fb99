// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/minimizer.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "fuzz/minimizer/outline.h"
#include "fuzz/minimizer/runs.h"
#include "fuzz/minimizer/simpler.h"
#include "fuzz/mutate/tree.h"
#include "fuzz/script/steps.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/wire/message.h"

namespace fuzz {
namespace {

using harness::session::awaitable;
namespace json = harness::json;

constexpr int kMostUnreached = 2;  // plays in a row without a session: the target is gone
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

// With the elements of each array as messages of their own; nothing where that changes nothing, or
// would be very many.
std::optional<Script> out_of_batches(const Script& script) {
  constexpr std::size_t kMost = 1024;
  Script out{script.profile, script.transport, {}};
  for (const Step& step : script.steps) {
    const auto* frame = std::get_if<Frame>(&step);
    Tree tree;
    if (frame != nullptr && !references(frame->bytes).empty()) return std::nullopt;
    if (frame == nullptr || !frame->delivery.usual() || !tree.read(frame->bytes) ||
        tree[0].kind != Kind::kArray || tree.children(0) < 2) {
      out.steps.push_back(step);
      continue;
    }
    for (std::size_t at = 1; at < tree.size(); at = tree[at].next)
      out.steps.emplace_back(Frame{std::string(text_of(frame->bytes, tree[at])), {}});
    if (out.steps.size() > kMost) return std::nullopt;
  }
  if (out == script) return std::nullopt;
  return out;
}

std::size_t count_without_id(const Script& script) {
  const auto has_none = [](const Step& step) {
    const auto* frame = std::get_if<Frame>(&step);
    Tree tree;
    return frame != nullptr && tree.read(frame->bytes) &&
           tree.member(frame->bytes, 0, "id") == Tree::kNone;
  };
  return static_cast<std::size_t>(
      std::count_if(script.steps.begin(), script.steps.end(), has_none));
}

// What should not have been told is a matter of its own, whatever else is wrong.
bool is_leak(const std::string& signature) {
  return signature.starts_with("credentials|") || signature.starts_with("stack-trace|");
}

}  // namespace

const char* repeats_word(Repeats repeats) {
  switch (repeats) {
    case Repeats::kAlone: return "reproducible";
    case Repeats::kWithHistory: return "needs history";
    case Repeats::kNot: return "flaky";
  }
  throw harness::Bug("no such Repeats");
}

Script joined(const std::vector<Script>& scripts) {
  Script out;
  for (const Script& script : scripts) {
    if (!out.steps.empty()) out.steps.emplace_back(Sync{});
    if (!out.steps.empty()) out.steps.emplace_back(ClientAnswer{});  // as every script begins
    append(out, script);
    if (out.profile.empty()) out.profile = script.profile;
    if (out.transport == harness::wire::TransportKind::kUnknown) out.transport = script.transport;
  }
  return out;
}

bool Minimizer::spent() const {
  return plays_ >= limits_.plays || unreached_ >= kMostUnreached ||
         (limits_.stop && limits_.stop()) ||
         std::chrono::steady_clock::now() - began_ > limits_.time;
}

awaitable<std::optional<Problem>> Minimizer::shows(const Script& script, Care care, bool fresh) {
  ++plays_;
  others_.clear();
  if (limits_.show) {
    executor_.set_care(care);
    std::optional<Shown> shown = co_await limits_.show(script);
    executor_.set_care(Care::kQuick);
    std::optional<Problem> same;
    if (!shown || shown->problem.signature != signature_) co_return same;
    same = std::move(shown->problem);
    last_ = std::move(shown->execution);
    co_return same;
  }
  if (fresh) executor_.forget_session();
  executor_.set_care(care);
  harness::Result<Execution> execution = co_await executor_.play(script);
  executor_.set_care(Care::kQuick);
  std::optional<Problem> found;
  unreached_ = execution ? 0 : unreached_ + 1;
  if (!execution) co_return found;
  took_ = execution->ending == Ending::kAnswered ? execution->took : std::chrono::microseconds(0);
  // On a used session the same ids come again and again: a fresh one decides in the end.
  if (!fresh)
    for (harness::trace::Slice& slice : execution->slices) slice.earlier_ids = {};
  const Due due = is_unheard(signature_) ? limits_.due : Due();
  for (Problem& problem : judge(*execution, profile_, registry_, secrets_, {}, due)) {
    if (problem.signature == signature_)
      found = std::move(problem);
    else if (!is_leak(problem.signature))
      others_.push_back(std::move(problem));
  }
  if (!found) co_return found;
  last_ = std::move(*execution);
  unnamed_ = found->unnamed;
  co_return found;
}

awaitable<bool> Minimizer::still(const Script& script) {
  // A request stays one: as a notification, it would be another message.
  if (spent() ||
      (sound_ && (!is_sound(script, profile_) || count_without_id(script) > unnamed_most_)))
    co_return false;
  const std::optional<Problem> found = co_await shows(script, Care::kThorough, fresh_);
  co_return found.has_value();
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

// Silence is waited out in the end alone, and for half as long at first, where a server that is
// merely slow mostly shows itself: that takes seconds each time. With a server that is known to be
// slow it costs less than to reduce what is no silence.
Care Minimizer::care_alone() const {
  return is_silence(signature_) ? Care::kThorough : Care::kPatient;
}

// What was played last was answered so late that the impatient had gone.
bool Minimizer::explains_silence() const {
  const auto* session = executor_.session();
  return is_silence(signature_) && session != nullptr && took_ > session->pace().reply();
}

void Minimizer::wait_for_silence(std::optional<std::chrono::milliseconds> patience) {
  executor_.set_patience(is_silence(signature_) ? patience : std::nullopt);
}

awaitable<bool> Minimizer::reduce_once(Script& script) {
  co_await drop_kinds(script);
  co_await drop_steps(script);
  if (!fresh_) {
    // Where an earlier candidate had left something behind, too much was dropped.
    const std::optional<Problem> alone = co_await shows(script, care_alone(), true);
    if (!alone) co_return false;
  }
  co_await put_out_of_batches(script);
  co_await make_alike(script);
  co_await put_in_lines(script);
  co_await shrink_frames(script);
  co_await drop_steps(script);
  if (fresh_) co_return true;
  const std::optional<Problem> alone = co_await shows(script, care_alone(), true);
  if (alone) seen_alone_ = script;
  co_return alone.has_value();
}

awaitable<bool> Minimizer::take_sound_part(Script& script) {
  const bool ends = is_of_process(signature_) || is_close(signature_);
  if (!ends || spent()) co_return false;
  Script sound = script;
  for (std::size_t at = sound.steps.size(); at > 0; --at)
    if (!is_sound(sound.steps[at - 1], profile_)) fuzz::drop_steps(sound, at - 1, at);
  if (count_frames(sound) == 0) co_return false;
  const std::optional<Problem> same = co_await shows(sound, care_alone(), true);
  if (same) script = std::move(sound);
  unnamed_most_ = count_without_id(script);
  co_return same.has_value();
}

awaitable<void> Minimizer::keep_sound(const Script& whole, Script& script) {
  if (is_sound(script, profile_)) co_return;
  Script sound = whole;
  const bool same = co_await take_sound_part(sound);
  if (!same) co_return;
  sound_ = true;
  const Script before = sound;
  const bool held = co_await reduce_once(sound);
  sound_ = false;
  script = held ? std::move(sound) : before;
}

// Where each message is answered before the next is sent, a reply is known to be whose it is said
// to be. What shows only in flight, where one by one the messages show something else, follows from
// that: two ids that a server takes for one, or a reply that stands in for another.
awaitable<void> Minimizer::put_apart(Script& script, Reduced& out) {
  constexpr std::size_t kMost = 128;
  constexpr int kTries = 2;
  constexpr std::chrono::seconds kLong{1};  // once is enough then
  const bool whole = std::all_of(script.steps.begin(), script.steps.end(), [](const Step& step) {
    const auto* frame = std::get_if<Frame>(&step);
    return !std::holds_alternative<Raw>(step) && (!frame || frame->delivery.eol != Eol::kNone);
  });
  if (!whole || !in_flight_together(script) || count_frames(script) > kMost) co_return;
  out.apart = one_by_one(script);
  const auto from = std::chrono::steady_clock::now();
  const auto takes_long = [&] { return std::chrono::steady_clock::now() - from > kLong; };
  for (int i = 0; i < kTries && out.instead.empty() && (i == 0 || !takes_long()); ++i) {
    const std::optional<Problem> same = co_await shows(out.apart, care_alone(), true);
    out.in_flight = !same;
    if (same) {
      script = out.apart;
      co_return;
    }
    if (!is_of_process(signature_)) out.instead = others_;
  }
  const bool missing = is_absence(signature_) && has_unnamed_reply(last_);
  const bool unread = std::any_of(script.steps.begin(), script.steps.end(), [](const Step& step) {
    const auto* frame = std::get_if<Frame>(&step);
    return frame != nullptr && std::holds_alternative<json::ReadError>(json::read(frame->bytes));
  });
  // What is sound may not be refused, whichever it is.
  out.guessed = out.instead.empty() && !is_of_process(signature_) && !is_sound(script, profile_) &&
                (unnamed_ || missing || unread);
}

awaitable<void> Minimizer::confirm(const Script& script, Reduced& out) {
  executor_.forget_process();
  // The look at what was left in the end is as good as one of these.
  const bool seen = seen_alone_ == script && !is_silence(signature_);
  for (int i = 0; i < kConfirmations - seen && unreached_ < kMostUnreached; ++i) {
    // Once is enough to know a hang from an answer that takes its time; the others say whether it
    // comes each time.
    const bool first = i == 0;
    wait_for_silence(first ? std::optional(kHang) : std::nullopt);
    // Only who says that something does not come has to wait for it that long.
    const bool waits = is_silence(signature_) || (first && is_absence(signature_));
    std::optional<Problem> problem =
        co_await shows(script, first && waits ? Care::kDogged : Care::kPatient, true);
    if (!problem && waits) break;
    if (!problem) continue;
    for (const Problem& other : others_)
      if (!is_coarse(other.signature)) out.besides.push_back(other.signature);
    // The longest wait is what proves a silence.
    if (out.confirmed++ > 0 && is_silence(signature_)) continue;
    out.problem = std::move(*problem);
    out.execution = std::move(last_);
  }
  if (out.confirmed > 0) out.confirmed += seen;
  wait_for_silence(std::nullopt);
}

awaitable<Reduced> Minimizer::reduce(std::vector<Script> journal, std::string signature,
                                     ReduceLimits limits) {
  signature_ = std::move(signature);
  limits_ = limits;
  plays_ = 0;
  unreached_ = 0;
  seen_alone_.reset();
  began_ = std::chrono::steady_clock::now();
  Reduced out;
  // Backwards, twice as far each time.
  std::optional<Script> found;
  wait_for_silence(executor_.is_slow() ? kHang : kHang / 2);
  for (std::size_t tail = 1; !found && !journal.empty(); tail *= 2) {
    const std::size_t length = std::min(tail, journal.size());
    const std::vector<Script> last(journal.end() - static_cast<std::ptrdiff_t>(length),
                                   journal.end());
    Script candidate = joined(last);
    // What is not shown once may be shown by the next try; longer tails are tries too.
    const std::optional<Problem> same = co_await shows(candidate, Care::kPatient, true);
    if (same) {
      found = std::move(candidate);
      out.repeats = length == 1 ? Repeats::kAlone : Repeats::kWithHistory;
    }
    if (found || length == journal.size() || explains_silence()) break;
    out.untried = spent();
    if (out.untried) break;
  }
  wait_for_silence(std::nullopt);
  if (!found) {
    out.script = journal.empty() ? Script{} : journal.back();
    out.plays = plays_;
    co_return out;
  }
  // To start a server is what takes time, and most bugs show themselves again without that; but
  // where a session has to be in a certain state to end, what candidates leave behind adds to it.
  // Where the signature says which bug it is, it need not be made smaller twice.
  if (!is_coarse(signature_)) sound_ = co_await take_sound_part(*found);
  const Script whole = *found;
  if (is_of_process(signature_)) {
    fresh_ = out.repeats == Repeats::kWithHistory;
  } else {
    const std::optional<Problem> again = co_await shows(*found, Care::kThorough, false);
    fresh_ = !again;
  }
  const bool held = co_await reduce_once(*found);
  if (!held) {
    *found = whole;
    fresh_ = true;
    co_await reduce_once(*found);
  }
  sound_ = false;
  out.cut = spent();
  out.known = limits_.known && limits_.known(*found);
  if (out.known) {
    out.script = std::move(*found);
    out.plays = plays_;
    co_return out;
  }
  const Script together = *found;
  out.least = *found;
  co_await keep_sound(whole, *found);
  co_await put_apart(*found, out);
  if (!out.instead.empty() || out.guessed) {
    out.script = std::move(*found);
    out.plays = plays_;
    co_return out;
  }
  co_await add_margin(*found);
  // What is left decides; the last script may have failed to show it once.
  co_await confirm(*found, out);
  if (out.confirmed == 0 && *found != together) {
    *found = together;
    out.in_flight = true;
    co_await confirm(*found, out);
  }
  // What is merely slow looks like silence to the impatient, who may have left out what hangs.
  if (out.confirmed == 0 && is_silence(signature_) && *found != whole) {
    *found = whole;
    out.cut = true;
    co_await confirm(*found, out);
  }
  if (found->steps.size() == 1) out.repeats = Repeats::kAlone;
  const bool each_time = is_silence(signature_) || is_close(signature_);
  const bool doubted = each_time && out.confirmed < kConfirmations;
  if (out.confirmed == 0 || doubted) out.repeats = Repeats::kNot;
  out.script = std::move(*found);
  out.plays = plays_;
  co_return out;
}

}  // namespace fuzz
