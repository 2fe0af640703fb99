// SPDX-License-Identifier: Apache-2.0
#include "harness/run/schedule.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "harness/base/result.h"
#include "harness/run/case_findings.h"
#include "harness/suite/case_traits.h"

namespace harness::run {

using suite::SessionImpact;

bool meant_for(const suite::Case& scenario, const spec::Profile& profile,
               wire::TransportKind transport) {
  const bool wanted_profile =
      scenario.profiles.empty() ||
      std::any_of(scenario.profiles.begin(), scenario.profiles.end(),
                  [&](const std::string& selector) { return profile.is(selector); });
  return wanted_profile && scenario.transports.has(transport);
}

bool wants_new_session(const suite::Case& scenario) {
  return scenario.need != suite::Need::kReady && scenario.need != suite::Need::kDisposable;
}

Selected select_cases(const suite::Suite& suite, const suite::Selection& selection,
                      const spec::Registry& registry, const spec::Profile& profile,
                      wire::TransportKind transport) {
  Selected out;
  for (const suite::Case& scenario : suite.cases) {
    if (!suite::selected(scenario, selection)) {
      out.deselected.push_back(scenario.id);
    } else if (meant_for(scenario, profile, transport) &&
               cited(scenario.covers, registry, profile, transport)) {
      out.cases.push_back(&scenario);
    }
  }
  return out;
}

SessionUse session_use(const suite::Case& scenario, bool restart_each_case) {
  if (scenario.need == suite::Need::kDisposable) return SessionUse::kDisposable;
  const bool shares = scenario.need == suite::Need::kReady &&
                      scenario.client_capabilities.is_null() && !restart_each_case;
  return shares ? SessionUse::kShared : SessionUse::kOwn;
}

Schedule::Schedule(const std::vector<Entry*>& entries, bool restart_each_case) {
  for (Entry* entry : entries)
    queue(session_use(*entry->scenario, restart_each_case)).push_back(entry);
  Queue& own = queue(SessionUse::kOwn);
  std::stable_sort(own.begin(), own.end(), [](const Entry* one, const Entry* other) {
    const auto place = [](const suite::Case& scenario) {
      const bool bare = scenario.need == suite::Need::kBare;
      const bool answers = suite::answers_server(scenario);
      // Of those the ones that want much, while all is free.
      return std::make_tuple(!answers, answers ? -suite::demand(scenario).connections : 0,
                             bare ? impact(scenario) : SessionImpact::kWhole);
    };
    return place(*one->scenario) < place(*other->scenario);
  });
  Queue& disposable = queue(SessionUse::kDisposable);
  std::stable_sort(disposable.begin(), disposable.end(), [](const Entry* one, const Entry* other) {
    const auto place = [](const suite::Case& scenario) {
      return std::make_pair(disconnects(scenario), bearable(scenario));
    };
    return place(*one->scenario) < place(*other->scenario);
  });
}

std::optional<SessionUse> Schedule::next(const WorkerState& state) const {
  const bool shared = left(SessionUse::kShared) > 0 && state.may_share;
  const bool own = left(SessionUse::kOwn) > 0;
  const bool disposable = left(SessionUse::kDisposable) > 0;
  if (shared && own && state.own_fits != state.shared_fits)
    return state.own_fits ? SessionUse::kOwn : SessionUse::kShared;
  if (state.prefers_own) {
    const bool leftover = disposable && state.has_leftover;
    if (own && !(leftover && state.starting)) return SessionUse::kOwn;
    if (leftover) return SessionUse::kDisposable;
    if (shared && (state.has_ready || state.worth_opening)) return SessionUse::kShared;
  }
  if (shared && !state.prefers_own) return SessionUse::kShared;
  if (own) return SessionUse::kOwn;
  if (disposable && !state.again_waiting) return SessionUse::kDisposable;
  return std::nullopt;
}

bool Schedule::any(SessionUse use, const Fits& fits) const {
  const Queue& all = queue(use);
  return std::any_of(all.begin(), all.end(), [&](const Entry* one) { return fits(*one->scenario); });
}

Entry& Schedule::take(SessionUse use, const Fits& fits) {
  check(left(use) > 0, "a case of each kind that next() names is left");
  Queue& all = queue(use);
  auto chosen = std::find_if(all.begin(), all.end(),
                             [&](const Entry* one) { return fits(*one->scenario); });
  if (chosen == all.end()) chosen = all.begin();
  Entry& entry = **chosen;
  all.erase(chosen);
  return entry;
}

const Entry* Schedule::first(SessionUse use) const {
  return queue(use).empty() ? nullptr : queue(use).front();
}

std::size_t Schedule::openings(bool untouched) const {
  std::size_t openings = 0;
  std::size_t bare = 0;
  std::size_t worn = 0;  // bare ones of which nothing is left for the next
  for (const Entry* entry : queue(SessionUse::kOwn)) {
    const bool is_bare = entry->scenario->need == suite::Need::kBare;
    bare += is_bare;
    worn += is_bare && impact(*entry->scenario) == SessionImpact::kWhole;
    openings += !is_bare;
  }
  if (bare > 0) openings += std::max<std::size_t>(worn, 1) - untouched;
  return openings;
}

}  // namespace harness::run
