// SPDX-License-Identifier: Apache-2.0
#include "harness/suite/case_traits.h"

#include <algorithm>
#include <string>
#include <variant>

#include "harness/suite/references.h"

namespace harness::suite {
namespace {

// Of requests that go out together: how many depends on the row.
constexpr int kMany = 100;

template <class T>
bool has_action(const Case& scenario) {
  return std::any_of(scenario.steps.begin(), scenario.steps.end(),
                     [](const Step& step) { return std::holds_alternative<T>(step.action); });
}

// Looks for a method in what a step writes.
class Search {
 public:
  Search(const Case& scenario, std::string_view method)
      : case_(scenario), method_(method), quoted_('"' + std::string(method) + '"') {}

  bool in(const Step& step) const {
    return std::visit([this](const auto& action) { return in_action(action); }, step.action);
  }

 private:
  bool in_action(const Call& call) const { return in(call.method); }
  bool in_action(const Notify& notify) const { return in(notify.method); }
  bool in_action(const Send& send) const { return in(send.message); }
  bool in_action(const Frame& frame) const { return in(frame.text); }
  bool in_action(const Bytes& bytes) const { return in(bytes.bytes); }
  bool in_action(const Http& http) const { return http.body && in(*http.body); }
  bool in_action(const Walk& walk) const { return in(walk.call.method); }
  bool in_action(const Pipelined& pipelined) const {
    return std::any_of(pipelined.steps.begin(), pipelined.steps.end(),
                       [this](const Step& step) { return in(step); });
  }
  // The others write no message that a case chooses.
  template <class T>
  bool in_action(const T&) const {
    return false;
  }

  bool in(const json::Value& value, bool through_columns = true) const {
    if (value.is_string()) {
      if (value.text == method_ || value.text.find(quoted_) != std::string::npos) return true;
      return through_columns && in_columns(value);
    }
    return std::any_of(value.items.begin(), value.items.end(),
                       [&](const json::Value& item) { return in(item, through_columns); }) ||
           std::any_of(value.members.begin(), value.members.end(), [&](const json::Member& member) {
             return in(member.value, through_columns);
           });
  }

  bool in_columns(const json::Value& text) const {
    for (const std::string& root : roots_in(text))
      for (const json::Value& row : case_.table)
        if (const json::Value* column = row.find(root); column && in(*column, false)) return true;
    return false;
  }

  bool in(const Pieces& pieces) const {
    if (pieces.list.empty()) return in(pieces.whole);
    return std::any_of(pieces.list.begin(), pieces.list.end(), [this](const Piece& piece) {
      return std::visit(
          Overloaded{[this](const TextPiece& text) { return in(text.text); },
                     [this](const RepeatedPiece& part) { return in(part.unit); },
                     [this](const WebsocketPiece& frame) { return in(frame.payload); },
                     [](const HexPiece&) { return false; }},
          piece.what);
    });
  }

  const Case& case_;
  std::string_view method_;
  std::string quoted_;
};

}  // namespace

bool judges(const Step& step) {
  if (step.reply) return true;
  return std::visit(
      Overloaded{[](const Expect& expect) { return !expect.optional; },
                 [](const Compare& compare) { return !compare.optional; },
                 [](const Stream& stream) {
                   const bool waits = stream.until || stream.to_its_end;
                   return stream.to || (waits && !stream.optional);
                 },
                 [](const Pipelined& pipelined) {
                   return !pipelined.order.empty() ||
                          std::any_of(pipelined.steps.begin(), pipelined.steps.end(), judges);
                 },
                 [](const Handshake&) { return true; }, [](const Exit&) { return true; },
                 [](const Ping&) { return true; },
                 []<class T>(const T&) { return T::kTopic == Topic::kObservation; }},
      step.action);
}

bool disconnects(const Case& scenario) {
  return has_action<Close>(scenario) || has_action<Signal>(scenario);
}

SessionHistory bearable(const Case& scenario) {
  return has_action<Close>(scenario) ? SessionHistory::kQuiet : SessionHistory::kAny;
}

SessionImpact impact(const Case& scenario) {
  if (disconnects(scenario) || has_action<Handshake>(scenario)) return SessionImpact::kWhole;
  const bool says_it =
      std::any_of(scenario.steps.begin(), scenario.steps.end(),
                  [&](const Step& step) { return sends_method(scenario, step, "initialize"); });
  return says_it ? SessionImpact::kPerhaps : SessionImpact::kNone;
}

bool may_reconnect(const Case& scenario) { return has_action<Reconnect>(scenario); }

Demand demand(const Case& scenario) {
  Demand most;
  int initialized = 0;
  int others = 0;
  int open = most.connections;
  for (const Step& step : scenario.steps) {
    const auto* http = action_of<Http>(step);
    const auto* pipelined = action_of<Pipelined>(step);
    initialized += sends_method(scenario, step, "initialize");
    others |= !step.client.empty();
    if (step.later || (http && http->keep_open) || action_of<Upgrade>(step)) ++open;
    if (action_of<Disconnect>(step)) --open;
    if (pipelined && pipelined->repeat) open += kMany;
    if (pipelined) open += static_cast<int>(pipelined->steps.size()) - 1;
    most.connections = std::max(most.connections, open);
  }
  // Its own session may be one of those it initializes itself.
  if (scenario.need == Need::kBare) initialized = std::max(0, initialized - 1);
  most.sessions += others + initialized + has_action<Reconnect>(scenario);
  most.connections += others + (listens(scenario) ? 1 + others : 0);
  return most;
}

bool opens_beside(const Case& scenario, bool http) {
  const auto beside = [http](const Step& step) {
    const auto* request = action_of<Http>(step);
    return !step.client.empty() || (http && request && request->method.text == "GET");
  };
  return (http && demand(scenario).connections > 1) ||
         std::any_of(scenario.steps.begin(), scenario.steps.end(), beside);
}

bool sends_method(const Case& scenario, const Step& step, std::string_view method) {
  return Search(scenario, method).in(step);
}

bool answers_once(const Case& scenario) {
  const auto once = [](const std::optional<Answers>& answers) {
    return !answers || std::all_of(answers->begin(), answers->end(), [](const auto& one) {
      const auto* own = std::get_if<OwnAnswer>(&one.second);
      return own ? own->result.has_value() != own->error.has_value()
                 : std::holds_alternative<FormAnswer>(one.second);
    });
  };
  return once(scenario.answers) &&
         std::all_of(scenario.steps.begin(), scenario.steps.end(),
                     [&](const Step& step) { return once(step.answers); });
}

bool answers_server(const Case& scenario) {
  return scenario.answers || std::any_of(scenario.steps.begin(), scenario.steps.end(),
                                         [](const Step& step) { return !!step.answers; });
}

bool may_be_asked(const json::Value& client_capabilities) {
  constexpr const char* kAnswered[] = {"roots", "sampling", "elicitation"};
  return std::any_of(std::begin(kAnswered), std::end(kAnswered),
                     [&](const char* name) { return client_capabilities.find(name) != nullptr; });
}

bool listens(const Case& scenario) {
  const auto opens_stream = [](const Step& step) {
    const auto* http = action_of<Http>(step);
    return http && http->keep_open;
  };
  return may_be_asked(scenario.client_capabilities) &&
         std::none_of(scenario.steps.begin(), scenario.steps.end(), opens_stream);
}

bool calls_tools(const Case& scenario) {
  return std::any_of(scenario.steps.begin(), scenario.steps.end(),
                     [&](const Step& step) { return sends_method(scenario, step, "tools/call"); });
}

}  // namespace harness::suite
