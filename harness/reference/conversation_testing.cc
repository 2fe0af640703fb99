// SPDX-License-Identifier: Apache-2.0
// A thread-free, clock-free way to talk to the reference server.
#include "harness/reference/conversation_testing.h"

#include "harness/base/result.h"

namespace harness::reference {
namespace {

ServerProfile profile_named(const std::string& name) {
  const auto profile = find_server_profile(name);
  check(profile.has_value(), "no such server profile");
  return *profile;
}

Faults faults_named(const std::vector<std::string>& names) {
  Faults faults;
  for (const std::string& name : names) {
    check(static_cast<bool>(faults.add(name)), "no such fault");
  }
  return faults;
}

}  // namespace

Conversation::Conversation(const std::string& profile, const std::vector<std::string>& faults)
    : server_(profile_named(profile), faults_named(faults)), session_(server_) {}

std::vector<std::string> Conversation::heard() {
  std::vector<std::string> texts;
  for (Outgoing& one : session_.take_outbox()) {
    if (!one.bytes.empty()) texts.push_back(std::move(one.bytes));
  }
  return texts;
}

std::vector<std::string> Conversation::say(const std::string& message) {
  now_ += 1000;
  session_.receive(message, 0, now_);
  return heard();
}

std::vector<std::string> Conversation::wait(double seconds) {
  const Micros end = now_ + static_cast<Micros>(seconds * kSecond);
  while (session_.next_due() && *session_.next_due() <= end) session_.advance(*session_.next_due());
  now_ = end;
  return heard();
}

void Conversation::open(const std::string& revision) {
  say(R"({"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":")" +
      revision +
      R"(","capabilities":{"roots":{},"sampling":{},"elicitation":{}},)"
      R"("clientInfo":{"name":"test","version":"1"}}})");
  say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
}

}  // namespace harness::reference
