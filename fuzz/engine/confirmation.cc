// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine/confirmation.h"

#include <algorithm>
#include <utility>

#include "fuzz/engine/suspect.h"
#include "fuzz/minimizer/cause.h"
#include "fuzz/minimizer/outline.h"
#include "fuzz/mutate/mutator.h"
#include "fuzz/script/steps.h"

namespace fuzz {

using harness::session::awaitable;

namespace {

// A third of a campaign goes into what is looked at here, and so much more.
constexpr int kPart = 3;
constexpr std::chrono::seconds kFirst{2};
constexpr std::chrono::seconds kLeastReduction{2};
constexpr std::size_t kMostWaiting = 64;
constexpr int kSightings = 4;        // of what waits, of which the shortest is kept
constexpr std::size_t kLooks = 100;  // of a stateful check to reduce what it saw
// After the wish to stop, how long a suspect may come up and still be looked at.
constexpr std::chrono::seconds kLastLooks{10};
// And how long what is being reduced then is made smaller yet.
constexpr std::chrono::seconds kLastReduction{4};

// While a suspect is looked at: should this process be ended, its parent keeps it.
struct SuspectAtHand {
  SuspectAtHand(WorkerRow& worker_row, const FindingWriter& findings, const WorkerOptions& options,
                const harness::Secrets& secrets, const Problem& problem,
                const std::vector<Script>& journal, const std::string& check = {})
      : row(worker_row) {
    if (!findings.may_be_known(problem.signature))
      suspect.emplace(suspect_file(options), problem, journal, check, secrets);
    row.say_suspect(problem.finding.requirement);
    was_confirming = row.confirming.exchange(1);
  }
  ~SuspectAtHand() { row.confirming = was_confirming; }
  SuspectAtHand(const SuspectAtHand&) = delete;
  SuspectAtHand& operator=(const SuspectAtHand&) = delete;

  WorkerRow& row;
  std::uint32_t was_confirming = 0;
  std::optional<Suspect> suspect;
};

// What runs in a server may wait for others that run: for what is no call of a tool that is not so.
bool is_held_up(const std::string& signature, const Script& script) {
  return is_unheard(signature) && signature.ends_with("|tools/call") && count_frames(script) > 1;
}

int gravity_of(const Problem& problem) {
  if (is_of_process(problem.signature) || is_close(problem.signature)) return 2;
  return problem.finding.severity == harness::oracle::Severity::kFail ? 1 : 0;
}

}  // namespace

// Counts the time from here to the end of the block, also that of starts.
struct Confirmation::Spending {
  explicit Spending(Confirmation& of)
      : confirmation(of), starts(of.target_.fuzz_target().time_of_starts()) {
    outermost = confirmation.spends_++ == 0;
  }
  ~Spending() {
    --confirmation.spends_;
    if (!outermost) return;
    const auto took = std::chrono::steady_clock::now() - began;
    confirmation.time_.spend(took);
    confirmation.time_of_starts_ += confirmation.target_.fuzz_target().time_of_starts() - starts;
    confirmation.row_.examining += static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(took).count());
  }
  Spending(const Spending&) = delete;
  Spending& operator=(const Spending&) = delete;

  Confirmation& confirmation;
  bool outermost = false;
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  Share::Duration starts;
};

Confirmation::Confirmation(WorkerTarget& target, FindingWriter& findings,
                           const WorkerOptions& options, Board& board)
    : target_(target), findings_(findings), options_(options), board_(board),
      row_(board.workers[options.number]), time_(kPart, kFirst) {}

bool Confirmation::has_time() const {
  return !options_.timed || time_.is_open(std::chrono::steady_clock::now() - began_);
}

bool Confirmation::has_news(const std::vector<Problem>& problems) const {
  return std::any_of(problems.begin(), problems.end(),
                     [&](const Problem& one) { return !board_.claimed(one.signature); });
}

// The script is asked alone. The end of a process may take them all: the minimizer finds out which.
std::vector<Problem> Confirmation::settled(std::vector<Problem> problems, const Script& script) {
  const auto passes = [](const Problem& one) { return !is_of_process(one.signature); };
  std::vector<Problem> out = problems;
  std::erase_if(out, passes);
  if (has_news(out) || !has_time() || !worth_a_session(problems)) return out;
  const Spending spending(*this);
  target_.executor().forget_session();
  target_.executor().look_closely();
  // What came shows again without a wait for what did not.
  target_.executor().set_hurried(
      std::none_of(problems.begin(), problems.end(), [&](const Problem& one) {
        return is_absence(one.signature) && !board_.claimed(one.signature);
      }));
  out = target_.judge(target_.play(script));
  target_.executor().set_hurried(false);
  for (const Problem& problem : out) sessions_.succeeded(problem.signature);
  return out;
}

// What is missing may be what was not waited for. When nothing else is new, it is.
std::vector<Problem> Confirmation::waited_for(std::vector<Problem> problems, const Script& script) {
  const auto passes = [](const Problem& one) { return !is_absence(one.signature); };
  const auto absent = std::stable_partition(problems.begin(), problems.end(), passes);
  const std::vector<Problem> missing(absent, problems.end());
  problems.erase(absent, problems.end());
  if (has_news(problems) || !has_news(missing) || !has_time() || !worth_a_session(missing))
    return problems;
  const Spending spending(*this);
  target_.executor().forget_session();
  target_.executor().look_closely();
  problems = target_.judge(target_.play(script));
  for (const Problem& problem : problems) sessions_.succeeded(problem.signature);
  return problems;
}

// A server that drops what it cannot read leaves every session unsettled.
bool Confirmation::worth_a_session(const std::vector<Problem>& problems) {
  bool worth = false;
  for (const Problem& problem : problems)
    if (!board_.claimed(problem.signature)) worth |= sessions_.another(problem.signature);
  return worth;
}

bool Confirmation::needs_confirmation(const std::vector<Problem>& problems) const {
  return std::any_of(problems.begin(), problems.end(), [&](const Problem& one) {
    const auto waits = waiting_.find(one.signature);
    if (waits != waiting_.end() && waits->second.seen >= kSightings) return false;
    return is_coarse(one.signature) || !board_.claimed(one.signature);
  });
}

// What is odd about the message and the class of what came are those of a finding that there is:
// reduced, it would be the same (fuzz/minimizer/cause.h).
bool Confirmation::resembles_known(const Problem& problem, const Execution& execution) const {
  if (causes_.empty() || board_.claimed(problem.signature)) return false;
  Reduced seen;
  seen.problem = problem;
  seen.execution = execution;
  const std::vector<std::string> causes = causes_of(seen, target_.profile());
  return std::any_of(causes.begin(), causes.end(),
                     [&](const std::string& cause) { return causes_.contains(cause); });
}

void Confirmation::confirm(const std::vector<Problem>& problems, const Execution& execution,
                           std::optional<Journal>& journal) {
  for (const Problem& problem : problems) {
    if (followed_.contains(problem.signature) && !follows_.another(problem.signature)) continue;
    const bool unknown = !board_.claimed(problem.signature);
    if (!unknown && (may_be_others(problem.signature) || !is_coarse(problem.signature))) continue;
    if (resembles_known(problem, execution)) continue;
    const auto waits = waiting_.find(problem.signature);
    if (waits != waiting_.end() && ++waits->second.seen > kSightings) continue;
    if (!journal) journal = Journal{target_.executor().journal(), 0};  // before others are played
    if (is_known_limit(options_.known_limits, problem, journal->suspect(), false)) continue;
    if (!has_time())
      let_wait(problem, *journal);
    else
      take_up(problem, *journal);
  }
}

void Confirmation::let_wait(const Problem& problem, const Journal& journal) {
  row_.by_clock = 1;
  const std::size_t bytes = bytes_of(journal.suspect());
  const auto known = waiting_.find(problem.signature);
  if (known != waiting_.end() && known->second.bytes <= bytes) return;
  if (known == waiting_.end() && waiting_.size() >= kMostWaiting) return;
  const int seen = known == waiting_.end() ? 1 : known->second.seen;
  waiting_.insert_or_assign(problem.signature, Waiting{problem, journal, bytes, seen});
  row_.waiting = waiting_.size();
}

Confirmation::Waiting Confirmation::take_gravest() {
  const auto first =
      std::max_element(waiting_.begin(), waiting_.end(), [](const auto& a, const auto& b) {
        const int one = gravity_of(a.second.problem), other = gravity_of(b.second.problem);
        return one != other ? one < other : a.second.bytes > b.second.bytes;
      });
  Waiting out = std::move(first->second);
  waiting_.erase(first);
  row_.waiting = waiting_.size();
  return out;
}

void Confirmation::catch_up() {
  while (!waiting_.empty() && !board_.stop && has_time()) {
    const Waiting next = take_gravest();
    if (is_coarse(next.problem.signature) || !board_.claimed(next.problem.signature))
      take_up(next.problem, next.journal);
  }
}

void Confirmation::end() {
  if (waiting_.empty() || options_.one_is_enough) return;
  row_.confirming = 1;
  while (!waiting_.empty()) {
    const Waiting next = take_gravest();
    if (is_coarse(next.problem.signature) || !board_.claimed(next.problem.signature))
      take_up(next.problem, next.journal, !has_time());
  }
  row_.confirming = 0;
}

void Confirmation::take_up(const Problem& problem, const Journal& journal, bool late) {
  const Spending spending(*this);
  if (!late && is_unheard(problem.signature) &&
      (!sessions_.another(problem.signature) || is_merely_slow(problem, journal)))
    return;
  const bool unknown = board_.claim(problem.signature);
  const SuspectAtHand at_hand(row_, findings_, options_, target_.target().secrets, problem,
                              journal.of(problem.signature));
  if (late || is_too_late() || may_be_others(problem.signature))
    findings_.keep_not_confirmed();
  else if (unknown || may_be_another(problem.signature, journal.suspect()))
    confirm_one(problem, journal);
}

// A call that takes its time looks like one whose reply is lost.
bool Confirmation::is_merely_slow(const Problem& problem, const Journal& journal) {
  target_.executor().forget_session();
  target_.executor().set_care(Care::kDogged);
  const Execution execution = target_.play(journal.suspect());
  target_.executor().set_care(Care::kQuick);
  // Where all were answered, what later requests overtook was not lost.
  bool slow = execution.took > kSoonest;
  const std::vector<Problem> problems =
      target_.judge(execution, [&](const harness::oracle::Evidence& one) {
        slow |= target_.note_slow(one, execution.missing == 0);
      });
  return slow &&
         std::none_of(problems.begin(), problems.end(),
                      [&](auto& one) { return one.signature == problem.signature; });
}

void Confirmation::confirm_one(const Problem& problem, const Journal& whole) {
  const std::string& signature = problem.signature;
  ReduceLimits limited = limits();
  if (is_coarse(signature))
    limited.known = [&](const Script& script) {
      return board_.claimed(signature + outline(script));
    };
  const std::vector<Script> journal = whole.of(signature);
  Reduced reduced = reduce(journal, signature, limited);
  if (reduced.untried && board_.stop) {
    findings_.keep_not_confirmed();
  } else if (!reduced.instead.empty() || reduced.guessed) {
    attribute_to_others(signature, reduced);
  } else if (!reduced.known && reduced.repeats == Repeats::kNot) {
    // What does not come back cannot show it again: it is given up, and the suspect is kept.
    if (target_.is_somebody_elses()) {
      target_.executor().forget_session();
      target_.play({});
    }
    if (is_unheard(signature)) {
      target_.note_slow(reduced.script);
      board_.release(signature);
    } else {
      findings_.keep_not_reproducible(problem, journal);
    }
  } else if (!reduced.known && is_held_up(signature, reduced.script)) {
    board_.release(signature);
  } else if (!reduced.known) {
    if (is_coarse(signature)) reduced.problem.signature += outline(reduced.least);
    const bool is_known =
        is_known_limit(options_.known_limits, reduced.problem, reduced.script, true);
    const bool untold = reduced.cut && board_.stop && findings_.may_be_known(signature);
    if (!untold && !is_known &&
        (!is_coarse(signature) || board_.claim(reduced.problem.signature))) {
      // What the least script shows besides is the same bug in other words.
      for (const std::string& other : reduced.besides) board_.claim(other);
      const std::vector<std::string> causes = causes_of(reduced, target_.profile());
      causes_.insert(causes.begin(), causes.end());
      findings_.write(reduced, journal);
      reductions_.succeeded(signature);
    }
  }
  target_.executor().forget_session();
}

// What it follows from is a finding, unless it is known. The signature itself may be another bug
// elsewhere.
void Confirmation::attribute_to_others(const std::string& signature, const Reduced& reduced) {
  board_.release(signature);
  followed_.insert(signature);
  const Journal apart{{reduced.apart}, 0};
  for (const Problem& problem : reduced.instead)
    if (!target_.knows(problem) && board_.claim(problem.signature)) confirm_one(problem, apart);
}

void Confirmation::confirm(const Turn& turn, const CheckResult& seen, StatefulChecker& checker) {
  if (target_.knows(seen.problem) || !board_.claim(seen.problem.signature)) return;
  const Spending spending(*this);
  const bool part = !seen.suspect.steps.empty();
  const std::vector<Script> journal(1, part ? seen.suspect : turn.suspect);
  const SuspectAtHand at_hand(row_, findings_, options_, target_.target().secrets, seen.problem,
                              journal, turn.check->name);
  std::string case_text;
  ReduceLimits limited = limits();
  limited.plays = kLooks;
  limited.time /= 2;
  limited.show = [&](const Script& script) -> awaitable<std::optional<Shown>> {
    const Turn again{turn.check, script};
    std::optional<CheckResult> result = co_await checker.look_again(again);
    std::optional<Shown> shown;
    if (result) {
      case_text = result->case_text;
      shown.emplace();
      shown->problem = std::move(result->problem);
      shown->execution = std::move(result->execution);
    }
    co_return std::move(shown);
  };
  const Reduced reduced = reduce(journal, seen.problem.signature, limited);
  // What depends on measurements has to be seen each time.
  if (reduced.confirmed == kConfirmations)
    findings_.write(reduced, journal, {turn.check->name, case_text});
  else
    findings_.keep_not_reproducible(seen.problem, journal, turn.check->name);
}

// Another bug may end the process in the same way; after a few that were no other, it is left.
bool Confirmation::may_be_another(const std::string& signature, const Script& script) {
  return reductions_.another(signature) && !explained(signature, script);
}

// What is known to end a session that way is in the script, and without that it does not.
bool Confirmation::explained(const std::string& signature, Script rest) {
  const std::size_t steps = rest.steps.size();
  std::erase_if(rest.steps, [&](const Step& step) {
    const Script alone{rest.profile, rest.transport, {step}};
    return board_.claimed(signature + outline(alone));
  });
  if (rest.steps.size() == steps) return false;
  target_.executor().forget_session();
  const std::vector<Problem> problems = target_.judge(target_.play(rest));
  return std::none_of(problems.begin(), problems.end(),
                      [&](const Problem& one) { return one.signature == signature; });
}

// Any worker may have ended what all of them use, also while a suspect is looked at.
bool Confirmation::may_be_others(const std::string& signature) const {
  return options_.workers > 1 && target_.is_somebody_elses() && is_of_process(signature) &&
         !is_silence(signature);
}

// The campaign is over, and so is the time that is left for what came up at its end.
bool Confirmation::is_too_late() { return is_over_for(kLastLooks); }

bool Confirmation::is_over_for(std::chrono::seconds time) {
  const auto now = std::chrono::steady_clock::now();
  if (board_.stop && !stopped_) stopped_ = now;
  return stopped_ && now - *stopped_ > time;
}

ReduceLimits Confirmation::limits() {
  ReduceLimits out;
  out.time = options_.minimize;
  // What one suspect takes beyond the share, others wait for.
  const auto left = time_.left(std::chrono::steady_clock::now() - began_);
  if (options_.timed && !options_.one_is_enough)
    out.time = std::min(out.time, std::max(duration_cast<std::chrono::milliseconds>(left),
                                           std::chrono::milliseconds(kLeastReduction)));
  out.due = target_.due();
  out.stop = [this] { return is_over_for(kLastReduction); };
  return out;
}

Reduced Confirmation::reduce(const std::vector<Script>& journal, const std::string& signature,
                             const ReduceLimits& limits) {
  Minimizer minimizer(target_.executor(), target_.profile(), target_.registry(),
                      &target_.target().secrets);
  return target_
      .finished<std::optional<Reduced>>([&]() -> awaitable<std::optional<Reduced>> {
        std::optional<Reduced> made;
        made.emplace(co_await minimizer.reduce(journal, signature, limits));
        co_return std::move(made);
      })
      .value();
}

}  // namespace fuzz
