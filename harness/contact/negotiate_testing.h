// SPDX-License-Identifier: Apache-2.0
// For tests: negotiate() with a scripted server.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "harness/contact/negotiate.h"
#include "harness/contact/pool.h"
#include "harness/contact/testing.h"
#include "harness/transport/testing.h"

namespace harness::run {

using session::Session;
using transport::Outgoing;

inline std::string agreed(const std::string& version, const std::string& capabilities = "{}") {
  return R"("result":{"protocolVersion":")" + version + R"(","capabilities":)" + capabilities +
         R"(,"serverInfo":{"name":"s","version":"1"}})";
}

inline std::string supports(const std::string& versions) {
  return R"("result":{"supportedVersions":)" + versions +
         R"(,"capabilities":{},"serverInfo":{"name":"s","version":"1"}})";
}

class Negotiation {
 public:
  explicit Negotiation(transport::ScriptedTarget::Server server) : server_(std::move(server)) {
    target_.command = {"scripted"};
  }
  explicit Negotiation(Methods methods)
      : Negotiation([methods = std::move(methods)](const Outgoing& sent, int) {
          return serve(methods, sent);
        }) {}

  Result<Negotiated> with(const std::string& wanted = "auto") {
    const Opener open = [this](const spec::Profile& profile) { return open_session(profile); };
    return transport::told<Result<Negotiated>>(loop_, [&]() -> awaitable<Result<Negotiated>> {
      Result<Negotiated> met = co_await negotiate(wanted, target_, suite::own_suite(), open);
      co_return std::move(met);
    });
  }

  transport::ScriptedTarget& server() { return server_; }
  target::Target& target() { return target_; }

 private:
  awaitable<Result<std::unique_ptr<Session>>> open_session(const spec::Profile& profile) {
    auto transport = server_.connect();
    if (!transport) co_return transport.error();
    auto session = std::make_unique<Session>(std::move(*transport), profile, "t", pace_);
    instruct(*session, target_);
    co_return std::move(session);
  }

  boost::asio::io_context loop_;
  target::Target target_;
  std::shared_ptr<session::Pace> pace_ = std::make_shared<session::Pace>();
  transport::ScriptedTarget server_;
};

}  // namespace harness::run
