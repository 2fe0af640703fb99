// SPDX-License-Identifier: Apache-2.0
#include "harness/falsify/memory_target.h"

#include <chrono>
#include <memory>
#include <string_view>

#include "harness/reference/faults.h"
#include "harness/reference/server_profile.h"
#include "harness/reference/session.h"
#include "harness/transport/scripted.h"

namespace harness::falsify {
namespace {

using transport::Arrival;

constexpr reference::Micros kBetweenMessages = 1000;
// For answers of the client; what cases wait for in vain is no longer than
// this.
constexpr reference::Micros kRequestTimeout = reference::kSecond;

class Engine {
 public:
  Engine(const reference::ServerProfile& profile, const reference::Faults& faults)
      : server_(profile, faults), session_(server_) {
    server_.request_timeout = kRequestTimeout;
  }

  std::vector<Arrival> take(const transport::Outgoing& outgoing) {
    for (const std::string& write : outgoing.writes) input_ += write;
    now_ += kBetweenMessages;
    std::size_t begin = 0;
    for (std::size_t end = input_.find('\n'); end != std::string::npos && !session_.exit_status;
         end = input_.find('\n', begin)) {
      const std::string_view line = std::string_view(input_).substr(begin, end - begin);
      if (line.find_first_not_of(" \t\r") != std::string_view::npos)
        session_.receive(line, 0, now_);
      begin = end + 1;
    }
    input_.erase(0, begin);
    return said();
  }

  // Lets time pass until something is said, or nothing can be before the deadline.
  std::vector<Arrival> idle(transport::Deadline deadline) {
    using std::chrono::microseconds;
    const auto patience =
        std::chrono::duration_cast<microseconds>(deadline - transport::Clock::now());
    const bool endless = deadline == transport::Deadline::max();
    const reference::Micros end = now_ + std::max<reference::Micros>(patience.count(), 0);
    while (!session_.exit_status) {
      const std::optional<reference::Micros> due = session_.next_due();
      if (!due || (!endless && *due > end)) break;
      now_ = std::max(now_, *due);
      session_.advance(now_);
      if (std::vector<Arrival> arrivals = said(); !arrivals.empty()) return arrivals;
    }
    if (!endless) now_ = std::max(now_, end);
    return {};
  }

 private:
  std::vector<Arrival> said() {
    std::vector<Arrival> arrivals;
    for (const reference::Outgoing& one : session_.take_outbox()) {
      std::string_view rest = one.bytes;
      while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        arrivals.push_back(transport::line(std::string(rest.substr(0, end))));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
    if (session_.exit_status && !gone_) {
      gone_ = true;
      const std::string how = "exit " + std::to_string(*session_.exit_status);
      arrivals.push_back(transport::exit_with(how));
      arrivals.push_back(transport::closed(how));
    }
    return arrivals;
  }

  reference::Server server_;
  reference::Session session_;
  reference::Micros now_ = reference::kSecond;
  std::string input_;
  bool gone_ = false;
};

reference::Faults faults_of(const std::vector<std::string>& names) {
  reference::Faults faults;
  for (const std::string& name : names) {
    const Status added = faults.add(name);
    check(static_cast<bool>(added), (name + " is not a Fault of the reference server").c_str());
  }
  return faults;
}

std::unique_ptr<transport::Transport> memory_target(const reference::ServerProfile& profile,
                                                    const reference::Faults& faults) {
  auto engine = std::make_shared<Engine>(profile, faults);
  auto target = std::make_unique<transport::Scripted>("stdio");
  target->otherwise([engine](const transport::Outgoing& sent) { return engine->take(sent); });
  target->idles([engine](transport::Deadline deadline) { return engine->idle(deadline); });
  return target;
}

}  // namespace

run::MakeTransport memory_sessions(const std::string& name,
                                   const std::vector<std::string>& faults) {
  const auto profile = reference::find_server_profile(name);
  check(profile.has_value(), ("the reference server has no profile " + name).c_str());
  return [profile = *profile, with = faults_of(faults)] {
    return Result<std::unique_ptr<transport::Transport>>(memory_target(profile, with));
  };
}

}  // namespace harness::falsify
