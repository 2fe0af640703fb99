// SPDX-License-Identifier: Apache-2.0
// Faults of the questions inside results: what the server makes of who comes back with the answers,
// and of who never does.
#include "harness/reference/inject.h"

namespace harness::reference {

using json::Value;

constexpr int kMostWaiting = 10;  // questions whose answers are waited for

std::optional<Outcome> FaultInjector::odd_input(Call& call) {
  if (call.method != "tools/call" || !call.params.is_object()) return std::nullopt;
  int& asked = session_.server.memory.tally["asked in results"];
  if (call.params.find("inputResponses") != nullptr) {
    if (asked > kMostWaiting && faults_.has("input-waits-for-retry"))
      return RpcError{kInternalError, "Too many questions are open"};
    if (asked > 0) --asked;
  }
  Value* state = call.params.find("requestState");
  if (state == nullptr || !state->is_string() || !faults_.has("input-state-of-one-connection"))
    return std::nullopt;
  const std::string mine = "@" + std::to_string(session_.number);
  if (!state->text.ends_with(mine)) return bad_params("requestState is not of this connection");
  state->text.resize(state->text.size() - mine.size());
  return std::nullopt;
}

void FaultInjector::inject_input(Value& result) {
  if (result.find("inputRequests") == nullptr) return;
  FaultMemory& memory = session_.server.memory;
  ++memory.tally["asked in results"];
  Value* state = result.find("requestState");
  if (state == nullptr || !state->is_string() || !faults_.has("input-state-of-one-connection"))
    return;
  if (session_.number == 0) session_.number = ++memory.tally["connections"];
  state->text += "@" + std::to_string(session_.number);
}

}  // namespace harness::reference
