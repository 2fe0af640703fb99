// SPDX-License-Identifier: Apache-2.0
#include "fuzz/diff/hunt.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fuzz/feedback/behaviour.h"
#include "fuzz/minimizer/minimizer.h"
#include "fuzz/minimizer/outline.h"
#include "fuzz/mutate/mutator.h"
#include "fuzz/script/steps.h"
#include "harness/spec/protocol.h"

namespace fuzz {
namespace {

using harness::Nothing;
using harness::Result;
using harness::Status;
using harness::session::awaitable;

// The method whose result has a list of this name.
std::string list_method(std::string_view items) {
  for (const harness::spec::MessageRow& row : harness::spec::protocol().messages())
    if (row.lists == items) return row.name;
  return {};
}

constexpr int kRounds = 2;  // on fresh sessions, before a difference is looked into
constexpr int kTries = 4;   // reductions of one way to end that came to a known one
constexpr std::size_t kPlays = 1000;
constexpr std::size_t kMostPool = 500;  // scripts that are varied

const Difference* shown_in(const std::vector<Difference>& all, const Difference& wanted) {
  for (const Difference& one : all)
    if (still_shows(wanted, one)) return &one;
  return nullptr;
}

void features_of(const Execution& execution, const harness::spec::Profile& profile,
                 const harness::spec::Registry& registry, std::vector<std::uint64_t>& out) {
  for (const harness::trace::Slice& slice : execution.slices) {
    const harness::oracle::Evidence evidence(slice, profile, registry);
    behaviours_of(evidence, out);
  }
  endings_of(execution, out);
}

// Whether it is about something the script did.
bool of_script(const Problem& problem, const Execution& execution) {
  if (problem.finding.frames.empty()) return true;
  std::uint64_t first = 0;
  for (const Execution::SentStep& sent : execution.sent)
    if (sent.slice == problem.slice && first == 0) first = sent.seq;
  return first != 0 && problem.finding.frames.back() >= first;
}

}  // namespace

std::vector<Problem> breaks_alone(const Execution& execution, const Execution& other,
                                  const harness::spec::Profile& profile,
                                  const harness::spec::Registry& registry,
                                  const harness::Secrets& secrets,
                                  const harness::Secrets& other_secrets) {
  std::set<std::string> common;
  for (const Problem& problem : judge(other, profile, registry, &other_secrets))
    common.insert(problem.finding.requirement);
  std::vector<Problem> out;
  for (Problem& problem : judge(execution, profile, registry, &secrets))
    if (!common.contains(problem.finding.requirement) && of_script(problem, execution))
      out.push_back(std::move(problem));
  return out;
}

Hunt::Hunt(Sides& sides, const harness::spec::Registry& registry, AcceptedDifferences& accepted,
           HuntLimits limits)
    : sides_(sides), registry_(registry), accepted_(accepted), limits_(limits) {}

// Known already, in its own form or in that of something less odd.
bool Hunt::explained(const Difference& difference) {
  const std::string signature = difference.signature();
  if (flaky_.contains(signature)) return true;
  if (difference.ends) return tries_[signature] >= kTries;
  if (settled_.contains(signature)) return true;
  for (Divergence& one : found_) {
    if (!explains(one.difference, difference)) continue;
    ++one.scripts;
    return true;
  }
  return false;
}

Hunt::Coming<Hunt::Differences> Hunt::fresh(const Script& script, Both* kept) {
  sides_.forget_sessions();
  Result<Both> both = co_await sides_.play(script);
  if (!both) co_return both.error();
  Differences differences = sides_.compare(script, *both);
  if (kept != nullptr) *kept = std::move(*both);
  co_return std::move(differences);
}

// What differs in the same way in every round: a server that differs from itself drops out.
Hunt::Coming<Hunt::Differences> Hunt::repeated(const Script& script) {
  Differences out;
  for (int round = 0; round < kRounds; ++round) {
    Result<Differences> now = co_await fresh(script, nullptr);
    if (!now) co_return now.error();
    if (round == 0) {
      out = std::move(*now);
      continue;
    }
    std::erase_if(out, [&](const Difference& one) {
      return std::find(now->begin(), now->end(), one) == now->end();
    });
  }
  co_return std::move(out);
}

awaitable<Status> Hunt::look_at(const Script& script) {
  bool fresh = false;
  const Status looked = co_await look(script, &fresh);
  co_return looked;
}

awaitable<Status> Hunt::look(const Script& given, bool* new_behaviour) {
  const std::optional<Script> script = sides_.playable(given);
  if (!script) {
    ++left_out_;
    co_return Nothing{};
  }
  Result<Both> both = co_await sides_.play(*script);
  if (!both) co_return both.error();
  ++scripts_;
  *new_behaviour = fresh_behaviour(*both);
  const auto drop_explained = [this](Differences& all) {
    std::erase_if(all, [this](const Difference& one) { return explained(one); });
  };
  Differences seen = sides_.compare(*script, *both);
  drop_explained(seen);
  // What an earlier script left behind must not be attributed to this one.
  if (!seen.empty() && (both->a.unsettled || both->b.unsettled)) {
    Result<Differences> now = co_await fresh(*script, nullptr);
    if (!now) co_return now.error();
    seen = std::move(*now);
    drop_explained(seen);
  }
  if (seen.empty()) co_return Nothing{};
  const std::vector<Script> journal = sides_.journal();
  // Message by message first: then each answer has its question.
  const std::vector<Script> alone(1, one_by_one(*script));
  Result<Differences> again = co_await repeated(alone.front());
  if (!again) co_return again.error();
  for (const Difference& one : *again) {
    if (explained(one)) continue;
    const Status cared = co_await take_care_of(alone, one);
    if (!cared) co_return cared.error();
  }
  // What differs message by message explains what differs when they are in flight together.
  if (!again->empty()) seen.clear();
  for (const Difference& one : seen) {
    if (explained(one)) continue;
    const Status cared = co_await take_care_of(journal, one);
    if (!cared) co_return cared.error();
  }
  sides_.forget_sessions();
  co_return Nothing{};
}

Hunt::Coming<std::optional<Script>> Hunt::reduced(const std::vector<Script>& journal,
                                                  const Difference& difference,
                                                  bool on_fresh_sessions) {
  std::optional<harness::Error> failure;
  ReduceLimits limits;
  limits.plays = kPlays;
  limits.time = limits_.reduction;
  limits.stop = [&] { return failure.has_value(); };
  limits.show = [&](const Script& candidate) -> awaitable<std::optional<Shown>> {
    std::optional<Shown> shown;
    if (failure) co_return std::move(shown);
    const std::optional<Script> script = sides_.playable(candidate);
    if (!script) co_return std::move(shown);
    if (on_fresh_sessions) sides_.forget_sessions();
    Result<Both> both = co_await sides_.play(*script);
    if (!both) {
      failure = both.error();
      co_return std::move(shown);
    }
    const Differences now = sides_.compare(*script, *both);
    if (shown_in(now, difference) == nullptr) co_return std::move(shown);
    shown.emplace();
    shown->problem.signature = difference.signature();
    shown->execution = std::move(both->a);
    co_return std::move(shown);
  };
  Minimizer minimizer(sides_.executor(), sides_.ground().profile, registry_, nullptr);
  sides_.forget_sessions();
  const std::string signature = difference.signature();
  const Reduced least = co_await minimizer.reduce(journal, signature, limits);
  if (failure) co_return *failure;
  std::optional<Script> out;
  if (least.repeats != Repeats::kNot && least.confirmed == kConfirmations) out = least.script;
  co_return std::move(out);
}

// On fresh sessions, waiting for whatever may come late; in the end on fresh processes, and for as
// long as for any reply: the same may be slower on one side.
Hunt::Coming<bool> Hunt::confirmed(const Script& script, Difference& difference, Both& both) {
  bool shown = true;
  for (int round = 0; round < kConfirmations && shown; ++round) {
    const bool last = round + 1 == kConfirmations;
    if (last) sides_.forget_processes();
    sides_.set_care(last ? Care::kDogged : Care::kPatient);
    Result<Differences> now = co_await fresh(script, &both);
    sides_.set_care(Care::kQuick);
    if (!now) co_return now.error();
    const Difference* one = shown_in(*now, difference);
    shown = one != nullptr;
    if (shown) difference = *one;
  }
  co_return shown;
}

awaitable<Status> Hunt::take_care_of(const std::vector<Script>& seen_in, const Difference& seen) {
  std::vector<Script> journal = seen_in;
  Difference difference = seen;
  const std::string signature = difference.signature();
  if (found_.size() >= limits_.most) {
    ++beyond_;
    co_return Nothing{};
  }
  // What any method shows is told of one, whichever it was seen with.
  std::optional<Script> plain;
  if (journal.size() == 1) plain = plainer(journal.front(), difference, sides_.ground().profile);
  if (plain) {
    Result<Differences> now = co_await fresh(*plain, nullptr);
    if (!now) co_return now.error();
    for (const Difference& one : *now) {
      if (!same_but_plainer(difference, one)) continue;
      const bool known = explained(one);
      settled_.insert(signature);
      if (known) co_return Nothing{};
      difference = one;
      journal.front() = std::move(*plain);
      break;
    }
  }
  // Sessions cost more than messages, so it is reduced on those at hand where that is fair; what
  // comes of it has to show on fresh ones.
  const bool quick = !difference.ends && journal.size() == 1;
  Both both;
  for (int attempt = quick ? 0 : 1; attempt < 2; ++attempt) {
    const bool on_fresh_sessions = attempt == 1;
    Result<std::optional<Script>> least = co_await reduced(journal, difference, on_fresh_sessions);
    if (!least) co_return least.error();
    if (!*least) continue;
    Divergence divergence;
    divergence.difference = difference;
    const std::optional<Script> script = sides_.playable(**least);
    if (!script) continue;
    Result<bool> sure = co_await confirmed(*script, divergence.difference, both);
    if (!sure) co_return sure.error();
    if (!*sure) continue;
    divergence.script = std::move(**least);
    settled_.insert(signature);
    if (divergence.difference.ends) {
      ++tries_[signature];
      divergence.difference.asked.what = outline(divergence.script);
    }
    const harness::spec::Profile& profile = sides_.ground().profile;
    const harness::Secrets &secrets_a = sides_.a().target.secrets,
                           &secrets_b = sides_.b().target.secrets;
    divergence.breaks_a = breaks_alone(both.a, both.b, profile, registry_, secrets_a, secrets_b);
    divergence.breaks_b = breaks_alone(both.b, both.a, profile, registry_, secrets_b, secrets_a);
    keep(std::move(divergence));
    co_return Nothing{};
  }
  flaky_.insert(signature);
  co_return Nothing{};
}

void Hunt::keep(Divergence divergence) {
  divergence.signature = divergence.difference.signature();
  for (Divergence& one : found_) {
    if (one.signature != divergence.signature) continue;
    ++one.scripts;
    return;
  }
  if (const Accepted* entry = accepted_.accept(divergence.signature))
    divergence.reason = entry->reason;
  found_.push_back(std::move(divergence));
  if (told_) told_(found_.back());
}

void Hunt::look_at_offers() {
  for (Difference& one : sides_.offers_apart()) {
    Divergence divergence;
    const bool tool = one.asked.what.starts_with("the tool");
    divergence.script = read_script(R"({"jsonrpc":"2.0","id":1,"method":")" +
                                    list_method(tool ? "tools" : "prompts") + "\"}");
    divergence.difference = std::move(one);
    keep(std::move(divergence));
  }
}

awaitable<Status> Hunt::check_accepted() {
  const std::vector<Accepted> entries = accepted_.entries();
  for (const Accepted& entry : entries) {
    if (entry.script.empty()) continue;
    const Script script = read_script(entry.script);
    const Status looked = co_await look_at(script);
    if (!looked) co_return looked.error();
  }
  co_return Nothing{};
}

bool Hunt::fresh_behaviour(const Both& both) {
  std::vector<std::uint64_t> features;
  features_of(both.a, sides_.ground().profile, registry_, features);
  features_of(both.b, sides_.ground().profile, registry_, features);
  const std::size_t before = behaviours_.size();
  behaviours_.insert(features.begin(), features.end());
  return behaviours_.size() != before;
}

awaitable<Status> Hunt::vary_from(const std::vector<Script>& given, const Vocabulary& vocabulary,
                                  std::uint64_t seed, std::size_t count) {
  std::vector<Script> scripts = given;
  Random random(seed);
  for (std::size_t i = 0; i < count && !scripts.empty(); ++i) {
    Script script = random.pick(scripts);
    vary(script, vocabulary, random);
    script.transport = harness::wire::TransportKind::kUnknown;
    bool fresh = false;
    const Status looked = co_await look(script, &fresh);
    if (!looked) co_return looked.error();
    if (fresh && scripts.size() < kMostPool) scripts.push_back(std::move(script));
  }
  co_return Nothing{};
}

}  // namespace fuzz
