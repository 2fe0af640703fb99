// SPDX-License-Identifier: Apache-2.0
#include "harness/run/step_traits.h"

#include <algorithm>

#include "harness/json/write.h"

namespace harness::run {

bool disconnects(const suite::Case& scenario) {
  return std::any_of(
      scenario.steps.items.begin(), scenario.steps.items.end(),
      [](const json::Value& step) { return step.find("close") || step.find("signal"); });
}

SessionHistory bearable(const suite::Case& scenario) {
  const auto& steps = scenario.steps.items;
  const bool closes = std::any_of(steps.begin(), steps.end(),
                                  [](const json::Value& step) { return step.find("close"); });
  return closes ? SessionHistory::kQuiet : SessionHistory::kAny;
}

SessionImpact impact(const suite::Case& scenario) {
  SessionImpact most = disconnects(scenario) ? SessionImpact::kWhole : SessionImpact::kNone;
  for (const json::Value& step : scenario.steps.items) {
    if (step.find("handshake")) return SessionImpact::kWhole;
    if (json::write(step).find("\"initialize\"") != std::string::npos)
      most = std::max(most, SessionImpact::kPerhaps);
  }
  return most;
}

std::size_t reconnects(const suite::Case& scenario) {
  std::size_t count = 0;
  for (const json::Value& step : scenario.steps.items) {
    // Whether a step that depends on what is seen will be played is not known.
    const json::Value* when = step.find("when");
    const bool maybe = when && when->find("value");
    count += step.find("reconnect") != nullptr && !maybe;
  }
  return count * std::max<std::size_t>(1, scenario.table.size());
}

}  // namespace harness::run
