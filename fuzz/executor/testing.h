// SPDX-License-Identifier: Apache-2.0
// For tests: a target in this process. Each session is with a reference server of its own, over a
// transport in memory: nothing is started, and no wait takes time.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/reference/conversation.h"
#include "harness/run/pool.h"
#include "harness/transport/scripted.h"

namespace fuzz {

// What makes its sessions. Whoever uses it links rpcspec_reference.
inline harness::run::MakeTransport in_process(std::string profile,
                                              std::vector<std::string> faults = {}) {
  using harness::transport::Arrival;
  using harness::transport::Outgoing;
  using harness::transport::Scripted;
  return [profile = std::move(profile), faults = std::move(faults)]()
             -> harness::Result<std::unique_ptr<harness::transport::Transport>> {
    constexpr double kLongest = 60;  // seconds that anything of it takes, on its own clock
    auto server = std::make_shared<harness::reference::Conversation>(profile, faults);
    auto unread = std::make_shared<std::string>();
    auto wire = std::make_unique<Scripted>("stdio");
    wire->otherwise([server, unread](const Outgoing& sent) {
      for (const std::string& text : sent.writes) *unread += text;
      std::vector<Arrival> out;
      const auto hear = [&](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) out.push_back(harness::transport::line(text));
      };
      for (std::size_t end; (end = unread->find('\n')) != std::string::npos;
           unread->erase(0, end + 1))
        hear(server->say(unread->substr(0, end)));
      hear(server->wait(kLongest));
      return out;
    });
    std::unique_ptr<harness::transport::Transport> made = std::move(wire);
    return made;
  };
}

}  // namespace fuzz
