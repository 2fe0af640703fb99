// SPDX-License-Identifier: Apache-2.0
#include "harness/run/refused_handshake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/json/read.h"
#include "harness/suite/testing.h"

namespace harness::run {
namespace {

const spec::Profile& profile(const char* name) { return *spec::find_profile(name); }

json::Value value(const char* text) { return std::get<json::Reading>(json::read(text)).value; }

trace::Slice answered(const char* reply) {
  auto transcript = std::make_shared<wire::Transcript>();
  transcript->transport = wire::TransportKind::kStdio;
  trace::Slice slice;
  for (const char* text :
       {R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})", reply}) {
    wire::Frame frame;
    frame.seq = transcript->frames.size() + 1;
    frame.direction = frame.seq == 1 ? wire::Direction::kSent : wire::Direction::kReceived;
    frame.channel = frame.seq == 1 ? wire::Channel::kStdin : wire::Channel::kStdout;
    frame.bytes = text;
    transcript->frames.push_back(frame);
    slice.messages.push_back(wire::read_shared(text));
  }
  slice.transcript = transcript;
  return slice;
}

TEST(RefusedHandshake, KnowsWhatARevisionDefines) {
  const json::Value later = value(R"({"elicitation":{"form":{}},"roots":{"listChanged":true}})");
  EXPECT_TRUE(is_defined(later, profile("mcp-2025-11-25")));
  EXPECT_FALSE(is_defined(later, profile("mcp-2025-03-26")));
  EXPECT_FALSE(is_defined(value(R"({"future":{}})"), profile("mcp-2025-11-25")));
  EXPECT_TRUE(is_defined(value("{}"), profile("mcp-2025-11-25")));
}

TEST(RefusedHandshake, CitesTheClauseAboutWhatWasDeclared) {
  const trace::Slice refused =
      answered(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"form"}})");
  const spec::Profile& newest = profile("mcp-2025-11-25");
  const auto clause = [&](const char* capabilities) {
    const auto found =
        refusal_of_handshake(refused, value(capabilities), newest, suite::own_registry());
    return found ? found->requirement : "";
  };
  EXPECT_EQ(clause(R"({"elicitation":{"form":{}}})"), "mcp.lifecycle.version-supported-echo");
  EXPECT_EQ(clause(R"({"extensions":{"a/b":{}}})"), "mcp.lifecycle.client-capabilities-open");
}

TEST(RefusedHandshake, IsNoneWhereItWasNotRefused) {
  const trace::Slice odd = answered(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_FALSE(refusal_of_handshake(odd, value(R"({"roots":{}})"), profile("mcp-2025-11-25"),
                                    suite::own_registry()));
}

}  // namespace
}  // namespace harness::run
