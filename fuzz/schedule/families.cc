// SPDX-License-Identifier: Apache-2.0
#include "fuzz/schedule/families.h"

#include <algorithm>
#include <functional>

#include "harness/json/read.h"
#include "harness/json/write.h"

namespace fuzz {
namespace {

namespace json = harness::json;

constexpr std::size_t kMostOrders = 120;     // of a scenario, of each number of preemptions
constexpr std::size_t kMostScenarios = 200;  // of a family
constexpr int kStages[] = {1, 0, 2, 3};      // preemptions
constexpr GapKind kGaps[] = {GapKind::kTogether, GapKind::kArrival, GapKind::kApart};
constexpr int kLongestGap = 400;

std::string place_of_id(std::size_t call) {
  std::string out = kCalled;
  out[out.size() - 2] = static_cast<char>('0' + call);
  return out;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

Move send(std::size_t call, std::size_t session = 1) { return {MoveKind::kSend, call, session}; }
Move await(std::size_t call, std::size_t session = 1) { return {MoveKind::kAwait, call, session}; }
Move only(MoveKind kind, std::size_t session = 1) { return {kind, 0, session}; }

// Puts scenarios of one family together.
class Builder {
 public:
  Builder(const std::vector<Atom>& atoms, const Setting& setting, Random& random)
      : atoms_(atoms), setting_(setting), random_(random) {
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      all_.push_back(i);
      if (atoms[i].active) active_.push_back(i);
      if (atoms[i].asks) asking_.push_back(i);
    }
  }

  using Indices = std::vector<std::size_t>;
  const Indices& all() const { return all_; }
  // Of those that are active; of a server without any, of all.
  const Indices& active() const { return active_.empty() ? all_ : active_; }
  const Indices& asking() const { return asking_; }

  // A family of all ways to take one of each.
  void add(const char* name, const std::vector<const Indices*>& choices,
           const std::function<void(Flight&)>& moves, bool holds = false) {
    Family family{name, {}};
    std::vector<Indices> picks{{}};
    for (const Indices* choice : choices) {
      std::vector<Indices> longer;
      for (const Indices& pick : picks)
        for (const std::size_t one : *choice) {
          longer.push_back(pick);
          longer.back().push_back(one);
        }
      picks = std::move(longer);
    }
    for (std::size_t i = picks.size(); i > 1; --i) std::swap(picks[i - 1], picks[random_.below(i)]);
    for (const Indices& pick : picks) {
      if (family.scenarios.size() == kMostScenarios) break;
      Flight scenario;
      scenario.name = name;
      scenario.holds = holds;
      for (std::size_t call = 0; call < pick.size(); ++call)
        scenario.calls.push_back(plan(atoms_[pick[call]], call, scenario.slow_ms));
      moves(scenario);
      family.scenarios.push_back(std::move(scenario));
    }
    if (!family.scenarios.empty()) out.push_back(std::move(family));
  }

  std::vector<Family> out;

 private:
  PlannedCall plan(const Atom& atom, std::size_t call, int& slow) {
    slow = std::max(slow, atom.milliseconds);
    const std::string id = place_of_id(call);
    json::Value request = atom.request;
    request.set("id", json::parse(id));
    PlannedCall planned{json::write(request), setting_.cancel};
    replace_all(planned.cancel, kCalled, id);
    return planned;
  }

  const std::vector<Atom>& atoms_;
  const Setting& setting_;
  Random& random_;
  Indices all_, active_, asking_;
};

void call_each(Flight& scenario, std::size_t last_session = 1) {
  for (std::size_t call = 0; call < scenario.calls.size(); ++call) {
    const std::size_t session = call + 1 == scenario.calls.size() ? last_session : 1;
    scenario.strands.push_back({send(call, session), await(call, session)});
  }
}

}  // namespace

std::vector<Family> families(const std::vector<Atom>& atoms, const Setting& setting,
                             Random& random) {
  Builder builder(atoms, setting, random);
  const auto &all = builder.all(), &active = builder.active(), &asking = builder.asking();
  const bool cancels = !setting.cancel.empty();
  const auto cancel_first = [](Flight& scenario) {
    scenario.strands.push_back({{MoveKind::kCancel, 0, 1}});
  };
  builder.add("two calls", {&active, &all}, [](Flight& one) { call_each(one); });
  builder.add("three calls", {&active, &active, &all}, [](Flight& one) { call_each(one); });
  if (cancels) {
    builder.add("a call cancelled", {&active, &all}, [&](Flight& one) {
      call_each(one);
      cancel_first(one);
    });
  }
  const auto release = [](Flight& one) {
    one.strands.push_back({only(MoveKind::kRelease)});
    one.strands.push_back({only(MoveKind::kReleaseLast)});
  };
  builder.add(
      "answers held", {&asking, &all},
      [&](Flight& one) {
        call_each(one);
        release(one);
      },
      true);
  // However quick all calls are, the first goes on while the others come and go.
  builder.add(
      "two calls while one asks", {&asking, &all, &all},
      [](Flight& one) {
        call_each(one);
        one.strands.push_back({only(MoveKind::kRelease)});
      },
      true);
  if (cancels) {
    builder.add(
        "cancelled while it asks", {&asking, &asking},
        [&](Flight& one) {
          one.strands = {{send(0), {MoveKind::kCancel, 0, 1}}, {send(1), await(1)}};
          release(one);
        },
        true);
  }
  if (!setting.sessions) return std::move(builder.out);
  builder.add("two sessions", {&active, &all}, [](Flight& one) { call_each(one, 2); });
  builder.add("a session cut", {&active, &all}, [](Flight& one) {
    one.strands = {{send(0), only(MoveKind::kCut)}, {send(1, 2), await(1, 2)}};
  });
  builder.add(
      "a session cut while it asks", {&asking, &asking},
      [](Flight& one) {
        one.strands = {{send(0), only(MoveKind::kCut)},
                       {send(1, 2), await(1, 2)},
                       {only(MoveKind::kRelease, 2)}};
      },
      true);
  builder.add("back after a cut", {&active, &all}, [](Flight& one) {
    one.strands = {{send(0), only(MoveKind::kCut), send(1), await(1)}};
  });
  return std::move(builder.out);
}

Plan::Plan(std::vector<Family> families, std::string profile, std::uint64_t seed)
    : profile_(std::move(profile)), random_(seed) {
  for (Family& family : families) {
    TakesTurns turn{std::move(family), {}, 0};
    for (std::size_t i = 0; i < turn.family.scenarios.size(); ++i)
      turn.systematic.push_back({i, -1, {}});
    turns_.push_back(std::move(turn));
  }
}

std::size_t Plan::scenarios() const {
  std::size_t count = 0;
  for (const TakesTurns& turn : turns_) count += turn.family.scenarios.size();
  return count;
}

Plan::Next Plan::next() {
  TakesTurns& turn = turns_[at_];
  at_ = (at_ + 1) % turns_.size();
  bool any = false;
  Script script;
  if (turn.given++ % 3 != 2) script = systematic(turn, any);
  if (!any) script = drawn(random_.pick(turn.family.scenarios));
  return {named(std::move(script)), turn.family.name};
}

// The next of the scenario whose turn it is; the scenarios of a family take turns.
Script Plan::systematic(TakesTurns& turn, bool& any) {
  while (!turn.systematic.empty()) {
    Systematic at = std::move(turn.systematic.front());
    turn.systematic.pop_front();
    const Flight& scenario = turn.family.scenarios[at.scenario];
    while (at.left.empty() && at.stage + 1 < static_cast<int>(std::size(kStages))) {
      for (const Order& order : orders(scenario, kStages[++at.stage], kMostOrders))
        for (const GapKind gap : kGaps) at.left.emplace_back(order, gap);
      for (std::size_t i = at.left.size(); i > 1; --i)
        std::swap(at.left[i - 1], at.left[random_.below(i)]);
    }
    if (at.left.empty()) continue;  // this scenario is done with
    const auto [order, kind] = std::move(at.left.front());
    at.left.pop_front();
    Script script = to_script(scenario, order, [gap = kind] { return Gap{gap, 0}; });
    turn.systematic.push_back(std::move(at));
    any = true;
    return script;
  }
  return {};
}

Script Plan::drawn(const Flight& scenario) {
  const Order order = draw_order(scenario, random_.below(4), random_);
  const int slow = std::min(scenario.slow_ms, kLongestGap);
  const int times[] = {1, 3, 10, slow / 4, slow / 2, std::max(0, slow - 1), slow, slow + 1};
  return to_script(scenario, order, [&]() -> Gap {
    switch (random_.below(5)) {
      case 0: return {GapKind::kTogether, 0};
      case 1: return {GapKind::kApart, 0};
      case 2: return {GapKind::kArrival, 0};
      default: return {GapKind::kPause, random_.pick(times)};
    }
  });
}

// Gives calls ids that no other schedule has.
Script Plan::named(Script script) {
  script.profile = profile_;
  constexpr std::size_t kMostCalls = 4;
  for (std::size_t call = 0; call < kMostCalls; ++call) {
    const std::string place = place_of_id(call);
    const std::string id = std::to_string(ids_ + static_cast<std::int64_t>(call));
    for (Step& step : script.steps)
      if (auto* frame = std::get_if<Frame>(&step)) replace_all(frame->bytes, place, id);
  }
  ids_ += kMostCalls;
  return script;
}

}  // namespace fuzz
