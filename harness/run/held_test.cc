// SPDX-License-Identifier: Apache-2.0
#include "harness/run/held.h"

#include <gtest/gtest.h>

#include "harness/contact/testing.h"

namespace harness::run {
namespace {

constexpr const char* kHead = "title: t\ncovers: [jsonrpc.request.reply-exactly-one]\n";

bool alike(const std::string& body, const char* one = "mcp-2025-11-25",
           const char* other = "mcp-2025-06-18") {
  const suite::Suite made = suite_of({{"own/one", kHead + body}});
  return plays_alike(made.cases.front(), made, suite::own_registry(), *spec::find_profile(one),
                     *spec::find_profile(other), wire::TransportKind::kStdio);
}

constexpr const char* kPing =
    "session: bare\nsteps:\n  - call: {method: ping}\n    reply: {result: $any}\n";

TEST(PlaysAlike, WithoutAHandshakeThatNamesTheRevision) {
  EXPECT_TRUE(alike(kPing));
  EXPECT_FALSE(alike("steps:\n  - call: {method: ping}\n    reply: {result: $any}\n"));
  EXPECT_FALSE(alike("session: bare\nsteps:\n  - handshake: {}\n"));
  EXPECT_TRUE(alike("session: bare\nsteps:\n  - handshake: {version: '1999-01-01'}\n"));
  EXPECT_FALSE(
      alike("session: bare\nsteps:\n  - call: {method: ping, params: {v: '${profile.revision}'}}\n"
            "    reply: {result: $any}\n"));
}

TEST(PlaysAlike, InOneEraOnly) {
  EXPECT_FALSE(alike(kPing, "mcp-2025-11-25", "mcp-2026-07-28"));
  EXPECT_FALSE(alike(kPing, "mcp-2025-11-25", "mcp-tutorial"));
}

TEST(PlaysAlike, WhereNoRowStepOrOutcomeIsOfOneRevision) {
  const std::string when = "when: {profiles: [mcp-2025-06-18]}";
  EXPECT_FALSE(alike("session: bare\ntable: [{a: 1}, {a: 2, " + when +
                     "}]\nsteps:\n  - call: {method: ping, params: {a: '${a}'}}\n    reply: "
                     "{result: $any}\n"));
  EXPECT_FALSE(alike("session: bare\nsteps:\n  - call: {method: ping}\n    " + when +
                     "\n    reply: {result: $any}\n"));
  EXPECT_FALSE(
      alike("session: bare\nsteps:\n  - call: {method: ping}\n    reply: {pass: [{result: "
            "$any, " +
            when + "}]}\n"));
  EXPECT_TRUE(
      alike("session: bare\nsteps:\n  - call: {method: ping}\n    reply: {pass: [{result: "
            "$any, when: {profiles: [mcp]}}]}\n"));
}

TEST(PlaysAlike, WhereTheSameClausesCount) {
  const std::string body =
      "session: bare\nsteps:\n  - call: {method: ping}\n    reply: {result: "
      "$any}\n    covers: mcp.base.batch.initialize-not-in-batch\n";
  EXPECT_FALSE(alike(body, "mcp-2025-03-26", "mcp-2025-06-18"));
  EXPECT_TRUE(alike(body, "mcp-2025-11-25", "mcp-2025-06-18"));
}

// Shapes that differ from one revision to the other.
TEST(PlaysAlike, WhereTheSameShapeIsAskedFor) {
  const auto of = [](const char* shape) {
    return "session: bare\nsteps:\n  - call: {method: ping}\n    reply: {result: {$shape: " +
           std::string(shape) + "}}\n";
  };
  EXPECT_TRUE(alike(of("OnlyMeta")));
  EXPECT_FALSE(alike(of("Tool")));
}

TEST(HeldResults, KeepsVerdictsOnTheTargetAlone) {
  const spec::Profile& profile = *spec::find_profile("mcp-2025-11-25");
  HeldResults held;
  CaseResult result;
  for (const Verdict verdict :
       {Verdict::kInconclusive, Verdict::kNotApplicable, Verdict::kFlaky, Verdict::kError}) {
    result.id = "a/" + std::string(verdict_name(verdict));
    result.verdict = verdict;
    held.keep(result, profile);
    EXPECT_EQ(held.find(result.id), nullptr);
  }
  result.id = "a/b";
  result.verdict = Verdict::kFail;
  result.findings.resize(1);
  auto transcript = std::make_shared<wire::Transcript>();
  transcript->frames.resize(1);
  result.transcript = transcript;
  held.keep(result, profile);
  ASSERT_NE(held.find("a/b"), nullptr);
  EXPECT_EQ(held.find("a/b")->profile, &profile);
  EXPECT_EQ(held.find("a/b")->result.transcript, transcript);
}

TEST(HeldResults, BoundsTheEvidence) {
  HeldResults held;
  CaseResult result;
  result.verdict = Verdict::kFail;
  result.findings.resize(1);
  auto huge = std::make_shared<wire::Transcript>();
  huge->frames.resize(1);
  huge->frames[0].bytes.assign(5 << 20, 'x');
  result.transcript = huge;
  for (const char* id : {"a/one", "a/two"}) {
    result.id = id;
    held.keep(result, spec::profiles().front());
  }
  EXPECT_NE(held.find("a/one")->result.transcript, nullptr);
  EXPECT_EQ(held.find("a/two")->result.transcript, nullptr);
}

}  // namespace
}  // namespace harness::run
