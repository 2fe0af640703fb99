// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/inspect.h"

#include <algorithm>
#include <map>

#include "harness/base/text.h"
#include "harness/contact/gate.h"
#include "harness/contact/pool.h"
#include "harness/json/write.h"
#include "harness/results/case_findings.h"
#include "harness/session/dialect.h"
#include "harness/session/patience.h"
#include "harness/target/permission.h"
#include "harness/transport/memory.h"

namespace harness::run {
namespace {

using session::Clock;
using session::Session;
using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr int kCanaries = 15;

awaitable<void> leave(std::unique_ptr<Session> session) {
  if (session) co_await session->shutdown(patience::kFarewellByItself);
}

ToolView view(const json::Value& tool, const target::Permission& permission) {
  ToolView out;
  out.listed = tool;
  out.called = permission.given;
  out.why = permission.why;
  const json::Value nothing = json::null();
  const json::Value* found = tool.find("inputSchema");
  const json::Value& schema = found ? *found : nothing;
  out.valid = target::synthesise(schema, target::Arguments::kValid);
  out.minimal = target::synthesise(schema, target::Arguments::kMinimal);
  if (out.valid.instances.empty()) return out;
  for (const auto kind : {target::Arguments::kBoundary, target::Arguments::kBroken}) {
    target::Synthesis made = target::synthesise(schema, kind);
    (kind == target::Arguments::kBoundary ? out.boundary : out.broken) = made.instances.size();
    for (std::string& reason : made.refused)
      out.refused.push_back(std::string(target::arguments_name(kind)) + ": " + std::move(reason));
  }
  return out;
}

// Affordances that cases of this profile and transport ask for and nobody gave.
std::vector<Missing> missing_affordances(const suite::Suite& suite, const spec::Registry& registry,
                                         const spec::Profile& profile,
                                         wire::TransportKind transport, const Offer& offer,
                                         const json::Value* capabilities) {
  std::map<std::string, Missing> found;
  for (const suite::Case& scenario : suite.cases) {
    const auto fits = [&](const std::vector<std::string>& names, auto is) {
      return names.empty() || std::any_of(names.begin(), names.end(), is);
    };
    const bool applies =
        fits(scenario.profiles, [&](const auto& name) { return profile.is(name); }) &&
        scenario.transports.has(transport) && cited(scenario.covers, registry, profile, transport);
    const Gate decided = gate(scenario, offer, capabilities, profile);
    if (!applies || !decided.not_applicable.empty()) continue;
    for (const suite::Requires& need : scenario.gates) {
      if (need.kind != "affordance" || offer.affordances.find(need.name)) continue;
      Missing& one = found[need.name];
      one.affordance = need.name;
      ++one.cases;
      add_members(scenario, need.name, one.members);
    }
  }
  std::vector<Missing> out;
  for (auto& [name, one] : found) out.push_back(std::move(one));
  std::stable_sort(out.begin(), out.end(),
                   [](const Missing& a, const Missing& b) { return a.cases > b.cases; });
  return out;
}

}  // namespace

void add_members(const suite::Case& scenario, const std::string& affordance,
                 std::set<std::string>& out) {
  const std::string begin = "target." + affordance + ".";
  for (const std::string& path : scenario.references)
    if (path.starts_with(begin))
      out.insert(path.substr(begin.size(), path.find('.', begin.size()) - begin.size()));
}

awaitable<Result<Inspection>> inspect(boost::asio::any_io_executor executor,
                                      const target::Target& target, const suite::Suite& suite,
                                      const spec::Registry& registry, std::string profile,
                                      milliseconds timeout, int group) {
  const auto pace = std::make_shared<session::Pace>();
  pace->timeout = timeout;
  const Opener open =
      [&](const spec::Profile& wanted) -> awaitable<Result<std::unique_ptr<Session>>> {
    auto transport = transport::make(executor, target);
    if (!transport) co_return transport.error();
    auto fresh = std::make_unique<Session>(std::move(*transport), wanted, target.name, pace);
    instruct(*fresh, target);
    const Status opened = co_await fresh->open();
    if (!opened) co_return opened.error();
    co_return std::move(fresh);
  };

  Inspection out;
  Result<Negotiated> met = co_await negotiate(profile, target, suite, open);
  if (!met) co_return met.error();
  out.profile = met->profile;
  out.offer = std::move(met->offer);
  Session& ready = *met->ready;
  if (ready.capabilities()) out.capabilities = *ready.capabilities();
  // serverInfo of initialize; 2026-07-28 has it in the _meta of a result.
  for (const char* place : {"/serverInfo", "/_meta/io.modelcontextprotocol~1serverInfo"}) {
    const json::Value* info = json::at(ready.agreed(), place);
    if (info && out.server.is_null()) out.server = *info;
  }

  // How quick it is, once it is warm.
  std::vector<microseconds> trips;
  for (int i = 0; i < kCanaries && !ready.closed(); ++i) {
    const auto began = Clock::now();
    const session::Sent sent = co_await ready.send_canary();
    const session::Deadline deadline = Clock::now() + pace->reply();
    const session::Inbound* reply = co_await ready.reply_to(sent, deadline);
    if (!reply) break;
    trips.push_back(std::chrono::duration_cast<microseconds>(Clock::now() - began));
  }
  if (!trips.empty()) {
    std::sort(trips.begin(), trips.end());
    out.round_trip = trips[trips.size() / 2];
  }
  const transport::ProcessControl* process = ready.wire().process();
  const int own = process ? process->group() : 0;
  out.memory = transport::resident_bytes(own > 0 ? own : group);
  co_await leave(std::move(met->ready));
  co_await leave(std::move(met->spare));

  // Each revision, on a connection of its own; how long one takes from its start.
  bool timed = false;
  for (const spec::Profile& one : spec::profiles()) {
    if (!one.mcp || !out.profile->mcp) continue;
    const auto began = Clock::now();
    Result<std::unique_ptr<Session>> opened = co_await open(one);
    if (!opened) co_return opened.error();
    Spoken tried = co_await try_revision(one, **opened);
    if (tried.yes && (!timed || &one == out.profile)) {
      out.start = std::chrono::duration_cast<milliseconds>(Clock::now() - began);
      timed = true;
    }
    out.spoken.push_back(std::move(tried));
    co_await leave(std::move(*opened));
  }

  const std::set<std::string> told = target::told_tools(target, out.offer.affordances);
  for (const json::Value& tool : out.offer.tools.items)
    out.tools.push_back(view(tool, target::permission(target, tool, told)));
  for (const json::Member& member : out.offer.affordances.members)
    if (!target.affordances.find(member.name)) out.recognised.push_back(member.name);
  out.missing = missing_affordances(suite, registry, *out.profile, target.transport(), out.offer,
                                    out.capabilities.is_null() ? nullptr : &out.capabilities);
  co_return std::move(out);
}

}  // namespace harness::run
