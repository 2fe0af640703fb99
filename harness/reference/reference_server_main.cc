// SPDX-License-Identifier: Apache-2.0
// rpcspec-reference-server: a sound JSON-RPC 2.0 and MCP server that can be given named Faults.
// Its command line is read by hand, because it is started thousands of times and has to be quick.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "harness/reference/faults.h"
#include "harness/reference/hosts.h"
#include "harness/reference/server_profile.h"
#include "harness/reference/session.h"
#include "harness/reference/token_check.h"

namespace {

using harness::reference::Faults;
using harness::reference::ServerProfile;

constexpr int kBadUsage = 2;

constexpr const char* kUsage =
    "usage: rpcspec-reference-server [--transport stdio|http|sse|ws|tcp|unix] [--port N]\n"
    "                                [--path P]\n"
    "                                [--tls-cert FILE --tls-key FILE]\n"
    "                                [--auth bearer|api-key|custom] (secret: "
    "RPCSPEC_REFERENCE_SECRET)\n"
    "                                [--auth issuer|issuer-dpop] (of tokens: RPCSPEC_ISSUER)\n"
    "                                [--framing line|content-length] [--profile P]\n"
    "                                [--request-timeout SECONDS] [--without FEATURE]...\n"
    "                                [--fault NAME]... [--list-faults "
    "[--format json]]\n";

struct Options {
  std::string transport = "stdio";
  std::string profile = "mcp-all";
  harness::reference::AcceptorOptions acceptor;
  std::string path;  // of a unix socket
  harness::reference::Framing framing = harness::reference::Framing::kLine;
  std::string auth;
  double request_timeout = 20;  // seconds a client has to answer our requests
  std::vector<std::string> without;
  Faults faults;
  bool list = false;
  bool as_json = false;
};

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "rpcspec-reference-server: %s\n%s", why.c_str(), kUsage);
  std::exit(kBadUsage);
}

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string name = argv[i];
    std::string value;
    if (const auto equals = name.find('='); equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    } else if (name != "--list-faults" && name != "--help") {
      if (i + 1 == argc) refuse("a value has to follow " + name);
      value = argv[++i];
    }
    if (name == "--transport") {
      options.transport = value;
    } else if (name == "--port") {
      options.acceptor.port = std::atoi(value.c_str());
    } else if (name == "--tls-cert") {
      options.acceptor.tls_cert = value;
    } else if (name == "--tls-key") {
      options.acceptor.tls_key = value;
    } else if (name == "--auth") {
      if (value != "bearer" && value != "api-key" && value != "custom" && value != "issuer" &&
          value != "issuer-dpop")
        refuse("--auth is bearer, api-key, custom, issuer or issuer-dpop");
      options.auth = value;
    } else if (name == "--path") {
      options.path = value;
    } else if (name == "--framing") {
      if (value != "line" && value != "content-length")
        refuse("--framing is line or content-length");
      if (value == "content-length") options.framing = harness::reference::Framing::kContentLength;
    } else if (name == "--profile") {
      options.profile = value;
    } else if (name == "--request-timeout") {
      options.request_timeout = std::atof(value.c_str());
    } else if (name == "--without") {
      if (!harness::reference::is_optional_feature(value))
        refuse("unknown feature '" + value + "'");
      options.without.push_back(value);
    } else if (name == "--fault") {
      if (auto added = options.faults.add(value); !added) refuse(added.error().text());
    } else if (name == "--list-faults") {
      options.list = true;
    } else if (name == "--format") {
      options.as_json = value == "json";
    } else if (name == "--help") {
      std::fputs(kUsage, stdout);
      std::exit(0);
    } else {
      refuse("unknown option " + name);
    }
  }
  if (options.acceptor.tls_cert.empty() != options.acceptor.tls_key.empty())
    refuse("--tls-cert and --tls-key go together");
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = read_options(argc, argv);
  if (options.list) {
    using harness::reference::list_faults;
    using harness::reference::list_faults_json;
    std::fputs((options.as_json ? list_faults_json() : list_faults()).c_str(), stdout);
    return 0;
  }
  const auto profile = harness::reference::find_server_profile(options.profile);
  if (!profile) {
    std::string known;
    for (const auto& name : harness::reference::server_profile_names()) known += " " + name;
    refuse("unknown profile '" + options.profile + "'; there are" + known);
  }
  std::signal(SIGPIPE, SIG_IGN);
  if (options.faults.has("ignores-sigterm"))
    std::signal(SIGTERM, SIG_IGN);
  else
    std::signal(SIGTERM, [](int) { _exit(0); });

  harness::reference::Server server(*profile, options.faults);
  server.without = options.without;
  server.request_timeout = static_cast<harness::reference::Micros>(options.request_timeout *
                                                                   harness::reference::kSecond);
  if (options.auth.starts_with("issuer")) {
    const char* issuer = std::getenv("RPCSPEC_ISSUER");
    if (issuer == nullptr) refuse("--auth issuer needs RPCSPEC_ISSUER");
    const auto tokens = harness::reference::TokenCheck::of_issuer(
        issuer, server.faults, options.profile == "mcp-2026-07-28");
    if (!tokens) refuse(tokens.error().text());
    server.auth = {"bearer", "", "", std::make_shared<harness::reference::TokenCheck>(*tokens),
                   options.auth == "issuer-dpop"};
  } else if (!options.auth.empty()) {
    const char* secret = std::getenv("RPCSPEC_REFERENCE_SECRET");
    if (secret == nullptr || *secret == '\0') refuse("--auth needs RPCSPEC_REFERENCE_SECRET");
    const char* other = std::getenv("RPCSPEC_REFERENCE_OTHER");
    server.auth = {options.auth, secret, other != nullptr ? other : "", nullptr, false};
  }
  if (options.transport == "stdio") {
    // Skips the destructors of a program that is done.
    _exit(harness::reference::serve_stdio(server, STDIN_FILENO, STDOUT_FILENO, options.framing));
  }
  if (options.transport == "tcp")
    return harness::reference::serve_tcp(server, options.acceptor.port, options.framing);
  if (options.transport == "unix")
    return harness::reference::serve_unix(server, options.path, options.framing);
  if (options.transport == "http") return harness::reference::serve_http(server, options.acceptor);
  if (options.transport == "sse") return harness::reference::serve_sse(server, options.acceptor);
  if (options.transport == "ws")
    return harness::reference::serve_websocket(server, options.acceptor);
  refuse("--transport is stdio, http, sse, ws, tcp or unix");
}
