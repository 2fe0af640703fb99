// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/minimizer.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "fuzz/minimizer/outline.h"
#include "fuzz/mutate/tree.h"
#include "fuzz/script/steps.h"
#include "harness/json/read.h"
#include "harness/wire/message.h"

namespace fuzz {
namespace {

using harness::session::awaitable;
namespace json = harness::json;

constexpr int kMostUnreached = 2;  // plays in a row without a session: the target is gone

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

// Whether two requests have ids that differ, but not for a reader who keeps them as doubles: nobody
// knows whose reply is whose.
bool has_ids_alike(const Script& script) {
  std::map<double, std::string> ids;
  return std::any_of(script.steps.begin(), script.steps.end(), [&](const Step& step) {
    const auto* frame = std::get_if<Frame>(&step);
    const harness::wire::Message message = harness::wire::read_message(frame ? frame->bytes : "");
    const json::Value* id = message.value.is_object() ? message.value.find("id") : nullptr;
    if (id == nullptr || !id->is_number()) return false;
    const std::string& first = ids.emplace(json::as_double(*id), id->text).first->second;
    return !json::equal_numbers(first, id->text);
  });
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

std::size_t trigger_of(const Problem& problem, const Execution& execution) {
  for (const std::uint64_t seq : problem.finding.frames)
    for (const Execution::SentStep& sent : execution.sent)
      if (sent.slice == problem.slice && sent.seq == seq) return sent.step + 1;
  return 0;
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
    trigger_ = trigger_of(*same, last_);
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
  trigger_ = trigger_of(*found, last_);
  unnamed_ = found->unnamed;
  co_return found;
}

awaitable<bool> Minimizer::still(const Script& script) {
  // A request stays one: as a notification, it would be another message.
  if (spent() ||
      (sound_ && (!is_sound(script, profile_) || count_without_id(script) > unnamed_most_)))
    co_return false;
  const std::optional<Problem> found = co_await shows(script, Care::kThorough, fresh_);
  co_return found && adds_none();
}

// Another finding may be another bug, which has or gets a script of its own. What a candidate no
// longer shows does not come back; whether a reply is missing is a matter of time.
bool Minimizer::adds_none() {
  std::set<std::string> shown;
  for (const Problem& other : others_) shown.insert(other.signature);
  if (!std::includes(beside_.begin(), beside_.end(), shown.begin(), shown.end())) return false;
  std::erase_if(beside_, [&](const std::string& one) {
    return !is_absence(one) && !shown.contains(one);
  });
  return true;
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
                (unnamed_ || missing || unread || has_ids_alike(script));
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
  std::set<std::string> beside;
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
      for (const Problem& other : others_) beside.insert(other.signature);
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
    for (const Problem& other : others_) beside.insert(other.signature);
  }
  beside_ = beside;
  co_await take_trigger(*found);
  const bool held = co_await reduce_once(*found);
  if (!held) {
    *found = whole;
    beside_ = beside;
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
  beside_ = beside;
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
  // Whether all that is left is needed was not found out where there was no time to reduce it.
  if (found->steps.size() == 1 || out.cut) out.repeats = Repeats::kAlone;
  const bool each_time = is_silence(signature_) || is_close(signature_);
  const bool doubted = each_time && out.confirmed < kConfirmations;
  if (out.confirmed == 0 || doubted) out.repeats = Repeats::kNot;
  out.script = std::move(*found);
  out.plays = plays_;
  co_return out;
}

}  // namespace fuzz
