// SPDX-License-Identifier: Apache-2.0
#include "harness/run/schedule.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>

#include "harness/base/result.h"
#include "harness/json/write.h"
#include "harness/results/case_findings.h"
#include "harness/suite/case_traits.h"

namespace harness::run {

using suite::SessionHistory;
using suite::SessionImpact;

namespace {

// What wants more than this at one time finds no room beside three others, each with its own.
constexpr int kExclusiveConnections = 3;
constexpr int kExclusiveSessions = 2;
constexpr std::string_view kSlowTools[] = {"target.tool.slow.", "target.tool.progress."};

// Whether it waits for a slow tool, or for an answer that may not come to raw bytes of HTTP.
bool waits_long(const suite::Case& scenario) {
  const auto calls = [&](std::string_view tool) {
    const auto from = scenario.references.lower_bound(std::string(tool));
    return from != scenario.references.end() && from->rfind(tool, 0) == 0;
  };
  const auto listens = [](const suite::Step& step) {
    const auto* http = suite::action_of<suite::Http>(step);
    return http && http->answers.has_value();
  };
  return std::any_of(std::begin(kSlowTools), std::end(kSlowTools), calls) ||
         std::any_of(scenario.steps.begin(), scenario.steps.end(), listens);
}

}  // namespace

bool meant_for(const suite::Case& scenario, const spec::Profile& profile,
               wire::TransportKind transport) {
  const bool wanted_profile =
      scenario.profiles.empty() ||
      std::any_of(scenario.profiles.begin(), scenario.profiles.end(),
                  [&](const std::string& selector) { return profile.is(selector); });
  return wanted_profile && scenario.transports.has(transport);
}

bool wants_new_session(const suite::Case& scenario) {
  return scenario.need == suite::Need::kBare || scenario.need == suite::Need::kFresh;
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
  const bool shares =
      !wants_new_session(scenario) && scenario.client_capabilities.is_null() && !restart_each_case;
  return shares ? SessionUse::kShared : SessionUse::kOwn;
}

// What waits is begun early enough that nothing is left to wait for at the end, and not all at one
// time: somebody acts meanwhile.
void Schedule::spread_waits(Queue& queue) {
  const auto free =
      std::find_if(queue.begin(), queue.end(), [](const Item& item) { return !item.exclusive; });
  const auto first_calm =
      std::stable_partition(free, queue.end(), [](const Item& item) { return item.waits; });
  const std::vector<Item> waiting(free, first_calm);
  const std::vector<Item> calm(first_calm, queue.end());
  queue.erase(free, queue.end());
  std::size_t placed = 0;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const std::size_t behind = calm.size() * 3 / 4 * i / waiting.size();
    for (; placed < behind; ++placed) queue.push_back(calm[placed]);
    queue.push_back(waiting[i]);
  }
  for (; placed < calm.size(); ++placed) queue.push_back(calm[placed]);
}

Schedule::Schedule(const std::vector<Entry*>& entries, bool restart_each_case, bool bounded) {
  for (Entry* entry : entries) {
    const SessionUse use = session_use(*entry->scenario, restart_each_case);
    suite::Demand demand = suite::demand(*entry->scenario);
    const bool much =
        demand.connections > kExclusiveConnections || demand.sessions > kExclusiveSessions;
    const bool exclusive = bounded && much && use != SessionUse::kDisposable;
    // What waits leaves the last connection to what does not.
    const bool waits = waits_long(*entry->scenario);
    if (waits && bounded && !exclusive) ++demand.connections;
    queue(use).push_back(
        {entry, demand, exclusive, waits, json::write(entry->scenario->client_capabilities)});
  }
  Queue& shared = queue(SessionUse::kShared);
  std::stable_partition(shared.begin(), shared.end(), [](const Item& it) { return it.exclusive; });
  spread_waits(shared);
  std::stable_partition(shared.begin(), shared.end(), [](const Item& item) {
    return item.exclusive || item.entry->scenario->need != suite::Need::kOwn;
  });
  Queue& own = queue(SessionUse::kOwn);
  std::stable_sort(own.begin(), own.end(), [&](const Item& one, const Item& other) {
    const auto place = [&](const Item& item) {
      const suite::Case& scenario = *item.entry->scenario;
      const bool bare = scenario.need == suite::Need::kBare;
      const bool answers = suite::answers_server(scenario);
      // What wants much comes before what finds room everywhere. What waits for the server comes
      // behind the others that want all, which are soon done.
      const int much = item.demand.sessions + item.demand.connections;
      if (bounded)
        return std::make_tuple(!item.exclusive, item.exclusive ? answers : !answers, -much,
                               bare ? impact(scenario) : SessionImpact::kWhole, std::string());
      return std::make_tuple(false, !bare, 0, bare ? impact(scenario) : SessionImpact::kWhole,
                             bare ? std::string() : item.declares);
    };
    return place(one) < place(other);
  });
  if (bounded) spread_waits(own);
  Queue& disposable = queue(SessionUse::kDisposable);
  std::stable_sort(disposable.begin(), disposable.end(), [](const Item& one, const Item& other) {
    const auto place = [](const Item& item) {
      const suite::Case& scenario = *item.entry->scenario;
      return std::make_tuple(disconnects(scenario), bearable(scenario) == SessionHistory::kAny,
                             !item.waits);
    };
    return place(one) < place(other);
  });
}

std::optional<SessionUse> Schedule::next(const WorkerState& state) const {
  const bool shared = left(SessionUse::kShared) > 0 && state.may_share;
  const bool own = left(SessionUse::kOwn) > 0;
  const bool disposable = left(SessionUse::kDisposable) > 0;
  if (shared && own && state.own_fits != state.shared_fits)
    return state.own_fits ? SessionUse::kOwn : SessionUse::kShared;
  if (state.prefers_own) {
    if (own) return SessionUse::kOwn;
    if (disposable && state.has_leftover) return SessionUse::kDisposable;
    if (shared && (state.has_ready || state.worth_opening)) return SessionUse::kShared;
  }
  if (shared && !state.prefers_own) return SessionUse::kShared;
  if (own) return SessionUse::kOwn;
  if (disposable && !state.again_waiting && (state.has_leftover || !state.soon_leftover))
    return SessionUse::kDisposable;
  return std::nullopt;
}

// On shared sessions first: those on sessions of their own end with what waits longest.
std::optional<SessionUse> Schedule::exclusive() const {
  for (const SessionUse use : {SessionUse::kShared, SessionUse::kOwn})
    if (left(use) > 0 && queue(use).front().exclusive) return use;
  return std::nullopt;
}

// Those that find no room beside others are taken one after the other.
Schedule::Queue::const_iterator Schedule::fitting(SessionUse use, const Fits& fits) const {
  const Queue& all = queue(use);
  const auto end = !all.empty() && all.front().exclusive ? all.begin() + 1 : all.end();
  const auto found = std::find_if(
      all.begin(), end, [&](const Item& it) { return fits(*it.entry->scenario, it.demand); });
  return found == end ? all.end() : found;
}

bool Schedule::any(SessionUse use, const Fits& fits) const {
  return fitting(use, fits) != queue(use).end();
}

Entry& Schedule::take(SessionUse use, const Fits& fits) {
  check(left(use) > 0, "a case of each kind that next() names is left");
  Queue& all = queue(use);
  auto chosen = fitting(use, fits);
  if (chosen == all.end()) chosen = all.begin();
  Entry& entry = *chosen->entry;
  all.erase(chosen);
  return entry;
}

const Entry* Schedule::first(SessionUse use) const {
  return queue(use).empty() ? nullptr : queue(use).front().entry;
}

suite::Demand Schedule::wanted(SessionUse use) const {
  return queue(use).empty() ? suite::Demand{0, 0} : queue(use).front().demand;
}

}  // namespace harness::run
