// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine/confirmation.h"

#include <algorithm>
#include <utility>

#include "fuzz/engine/suspect.h"
#include "fuzz/minimizer/outline.h"

namespace fuzz {

using harness::session::awaitable;

namespace {

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
    row.confirming = 1;
  }
  ~SuspectAtHand() { row.confirming = 0; }
  SuspectAtHand(const SuspectAtHand&) = delete;
  SuspectAtHand& operator=(const SuspectAtHand&) = delete;

  WorkerRow& row;
  std::optional<Suspect> suspect;
};

}  // namespace

Confirmation::Confirmation(WorkerTarget& target, FindingWriter& findings,
                           const WorkerOptions& options, Board& board)
    : target_(target),
      findings_(findings),
      options_(options),
      board_(board),
      row_(board.workers[options.number]) {}

bool Confirmation::has_news(const std::vector<Problem>& problems) const {
  return std::any_of(problems.begin(), problems.end(),
                     [&](const Problem& one) { return !board_.claimed(one.signature); });
}

// The script is asked alone. The end of a process may take them all: the minimizer finds out which.
std::vector<Problem> Confirmation::settled(std::vector<Problem> problems, const Script& script) {
  const auto passes = [](const Problem& one) { return !is_of_process(one.signature); };
  std::vector<Problem> out = problems;
  std::erase_if(out, passes);
  if (has_news(out) || !worth_a_session(problems)) return out;
  target_.executor().forget_session();
  out = target_.judge(target_.play(script));
  for (const Problem& problem : out) sessions_.succeeded(problem.signature);
  return out;
}

// What is missing may be what was not waited for. When nothing else is new, it is.
std::vector<Problem> Confirmation::waited_for(std::vector<Problem> problems, const Script& script) {
  const auto passes = [](const Problem& one) { return !is_absence(one.signature); };
  const auto absent = std::stable_partition(problems.begin(), problems.end(), passes);
  const std::vector<Problem> missing(absent, problems.end());
  problems.erase(absent, problems.end());
  if (has_news(problems) || !has_news(missing) || !worth_a_session(missing)) return problems;
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
    return is_coarse(one.signature) || !board_.claimed(one.signature);
  });
}

void Confirmation::confirm(const std::vector<Problem>& problems, std::optional<Journal>& journal) {
  for (const Problem& problem : problems) {
    if (followed_.contains(problem.signature) && !follows_.another(problem.signature)) continue;
    const bool unknown = board_.claim(problem.signature);
    const bool anybodys = may_be_others(problem.signature);
    if (!unknown && (anybodys || !is_coarse(problem.signature))) continue;
    if (!journal) journal = Journal{target_.executor().journal(), 0};  // before others are played
    const SuspectAtHand at_hand(row_, findings_, options_, target_.target().secrets, problem,
                                journal->of(problem.signature));
    if (is_too_late() || anybodys)
      findings_.keep_not_confirmed();
    else if (unknown || may_be_another(problem.signature, journal->suspect()))
      confirm_one(problem, *journal);
  }
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
    findings_.keep_not_reproducible(problem, journal);
  } else if (!reduced.known) {
    if (is_coarse(signature)) reduced.problem.signature += outline(reduced.least);
    const bool untold = reduced.cut && board_.stop && findings_.may_be_known(signature);
    if (!untold && (!is_coarse(signature) || board_.claim(reduced.problem.signature))) {
      // What the least script shows besides is the same bug in other words.
      for (const std::string& other : reduced.besides) board_.claim(other);
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
    if (board_.claim(problem.signature)) confirm_one(problem, apart);
}

void Confirmation::confirm(const Turn& turn, const CheckResult& seen, StatefulChecker& checker) {
  if (!board_.claim(seen.problem.signature)) return;
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
