// SPDX-License-Identifier: Apache-2.0
// The matrix of the shape oracle: each Fault of a shape is played by the reference server in this
// process, in a conversation that asks for everything, and the oracles cite the clause that its row
// names; of the sound server they say nothing. It stands here because this is the first module that
// sees oracles and the catalogue.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "harness/oracle/oracle.h"
#include "harness/reference/tour_testing.h"
#include "harness/results/coverage.h"
#include "harness/suite/testing.h"

namespace harness {
namespace {

using testing::IsEmpty;

// Clauses the oracle can cite, of which Faults that are no rows show it, by a case or in another
// conversation.
const std::set<std::string> kShownElsewhere = {"acp.outgoing.known-methods",
                                               "acp.outgoing.lines-from-one",
                                               "acp.outgoing.paths-absolute",
                                               "lsp.features.code-action-literals-gated",
                                               "lsp.features.links-gated",
                                               "lsp.features.workspace-edit-gated",
                                               "lsp.lifecycle.log-message-shape",
                                               "lsp.lifecycle.telemetry-shape",
                                               "lsp.outgoing.register-shape",
                                               "lsp.outgoing.shapes",
                                               "lsp.progress.token-echo",
                                               "mcp.base.result-type-known",
                                               "mcp.base.server-notification-shape",
                                               "mcp.cancel.server-sent-shape",
                                               "mcp.elicitation.complete-notification-removed",
                                               "mcp.elicitation.not-before-2025-06",
                                               "mcp.icons.safe-scheme",
                                               "mcp.icons.shape",
                                               "mcp.icons.src-scheme",
                                               "mcp.input-required.only-on-three-methods",
                                               "mcp.lifecycle.respect-version",
                                               "mcp.lifecycle.respect-version-strict",
                                               "mcp.lifecycle.server-request-methods",
                                               "mcp.mrtr.input-request-kinds",
                                               "mcp.mrtr.input-request-shape",
                                               "mcp.mrtr.one-of-required",
                                               "mcp.progress.message-readable",
                                               "mcp.shape.result-is-object",
                                               "mcp.versioning.discover-capabilities-shape",
                                               "mcp.versioning.discover-instructions",
                                               "mcp.versioning.discover-result-shape",
                                               "openrpc.method.error-declared",
                                               "openrpc.method.result-valid"};

wire::Transcript transcript_of(const reference::Tour& tour, const std::string& profile) {
  wire::Transcript out;
  out.profile = profile;
  out.transport = wire::TransportKind::kStdio;
  for (const reference::Tour::Line& line : tour.lines()) {
    wire::Frame frame;
    frame.seq = out.frames.size() + 1;
    frame.direction = line.ours ? wire::Direction::kSent : wire::Direction::kReceived;
    frame.channel = line.ours ? wire::Channel::kStdin : wire::Channel::kStdout;
    frame.bytes = line.text;
    frame.size = line.text.size();
    out.frames.push_back(std::move(frame));
  }
  return out;
}

// The clauses that a conversation with this server breaks.
std::set<std::string> cited(const std::string& edition, const std::vector<std::string>& faults) {
  std::vector<reference::Said> said;
  reference::Tour tour(edition, said, faults);
  tour.walk();
  const bool lsp = edition == "3.17", acp = edition == "1";
  const spec::Profile& profile = *spec::find_profile(lsp   ? "lsp"
                                                     : acp ? "acp-1"
                                                           : "mcp-" + edition);
  const wire::Transcript transcript = transcript_of(tour, profile.name);
  oracle::Evidence evidence(transcript, profile, suite::own_registry());
  evidence.client_capabilities = json::parse(lsp   ? reference::Tour::kOfEditor
                                             : acp ? reference::Tour::kOfClient
                                                   : reference::Tour::kCapabilities);
  for (const reference::Said& one : said) {
    if (one.of != "initialize" && one.of != "server/discover") continue;
    const json::Value* declared = spec::declared_in(one.body);
    if (declared != nullptr) evidence.server_capabilities = *declared;
  }
  std::set<std::string> out;
  for (const oracle::Finding& finding : oracle::judge(evidence))
    if (finding.severity != oracle::Severity::kInfo) out.insert(finding.requirement);
  return out;
}

bool is_cited(const reference::FaultRow& fault) {
  for (const char* edition : reference::kEditions) {
    if (edition < fault.since || edition > fault.until) continue;
    if (cited(edition, {fault.name}).contains(fault.breaks)) return true;
  }
  return false;
}

TEST(ShapeMatrix, FindsNothingInWhatTheSoundServerSays) {
  for (const char* edition : reference::kEditions) EXPECT_THAT(cited(edition, {}), IsEmpty());
}

TEST(ShapeMatrix, CitesTheClauseOfEachFault) {
  for (const reference::FaultRow* fault : reference::shape_faults()) {
    if (fault->breaks.starts_with("robust.")) continue;  // no shape: cases look at what it is
    EXPECT_TRUE(is_cited(*fault)) << fault->name << " breaks " << fault->breaks << ": "
                                  << fault->help;
  }
}

TEST(ShapeMatrix, HasAFaultForEachClauseOfTheShapeOracle) {
  std::set<std::string> shown;
  for (const reference::FaultRow* fault : reference::shape_faults()) shown.insert(fault->breaks);
  for (const oracle::Oracle& oracle : oracle::oracles()) {
    if (std::string(oracle.name) != "shapes") continue;
    const std::set<std::string> unproved(oracle.unproved.begin(), oracle.unproved.end());
    for (const std::string& clause : oracle.covers)
      EXPECT_NE(shown.contains(clause),
                kShownElsewhere.contains(clause) || unproved.contains(clause))
          << clause;
    for (const std::string& clause : oracle.unproved)
      EXPECT_THAT(oracle.covers, testing::Contains(clause));
  }
}

TEST(ShapeMatrix, LeavesWhatNoFaultShowsOutOfTheCoverage) {
  for (const run::CoverageRow& row :
       run::suite_coverage(suite::own_registry(), suite::own_suite(), nullptr)) {
    for (const oracle::Oracle& oracle : oracle::oracles()) {
      const auto& unproved = oracle.unproved;
      if (std::find(unproved.begin(), unproved.end(), row.requirement) == unproved.end()) continue;
      EXPECT_THAT(row.cases, testing::Not(testing::Contains(std::string("oracle/") + oracle.name)))
          << row.requirement;
    }
  }
}

}  // namespace
}  // namespace harness
