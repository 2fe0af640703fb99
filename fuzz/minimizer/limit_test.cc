// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/limit.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fuzz {
namespace {

using harness::oracle::Symptom;

const std::string kCanary = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";
const char* const kEnded = "ended|signal 11|";

std::string deep(std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }
std::string spaces(std::size_t count) { return std::string(count, ' ') + kCanary; }

// What a finding about the last of these frames says; as a report keeps them, by their beginning.
std::optional<Limit> seen(const harness::oracle::What& came, const std::vector<std::string>& sent) {
  harness::wire::Transcript transcript;
  for (const std::string& text : sent) {
    harness::wire::Frame frame;
    frame.seq = transcript.frames.size() + 1;
    frame.bytes = text.substr(0, 1000);
    frame.size = text.size();
    transcript.frames.push_back(std::move(frame));
  }
  harness::oracle::Finding finding;
  finding.requirement = "json.limit.deep-nesting";
  finding.frames = {transcript.frames.size()};
  finding.came = {came};
  return limit_of(finding, transcript);
}

const harness::oracle::What kEnd = harness::oracle::Ended{"signal 11", true};

bool is_known(const std::vector<Limit>& known, const std::string& text, bool reduced = true,
              const std::string& signature = kEnded) {
  Problem problem;
  problem.signature = signature;
  return is_known_limit(known, problem, {"jsonrpc-2.0", {}, {Frame{text, {}}}}, reduced);
}

TEST(LimitTest, IsThatOfTheMessageOrOfTheOneBeforeTheCanary) {
  EXPECT_EQ(seen(kEnd, {kCanary, deep(5000)}), (Limit{Symptom::kEnd, true}));
  EXPECT_EQ(seen(kEnd, {deep(5000), kCanary}), (Limit{Symptom::kEnd, true}));
  EXPECT_EQ(seen(kEnd, {spaces(70000)}), (Limit{Symptom::kEnd, false, 70000 + kCanary.size()}));
  EXPECT_EQ(seen(kEnd, {kCanary}), std::nullopt);
  EXPECT_EQ(seen(kEnd, {deep(5000), kCanary, kCanary}), std::nullopt);
  EXPECT_EQ(seen(harness::oracle::ErrorCame{"-32603"}, {deep(5000)}), std::nullopt);
}

TEST(LimitTest, IsKnownWhereverTheDepthStands) {
  const std::vector<Limit> known = {{Symptom::kEnd, true}};
  EXPECT_TRUE(is_known(known, R"({"jsonrpc":"2.0","id":)" + deep(900) + "}"));
  EXPECT_TRUE(is_known(known, deep(100000), false));
  EXPECT_FALSE(is_known(known, kCanary));
  EXPECT_FALSE(is_known(known, spaces(70000)));
  EXPECT_FALSE(is_known(known, deep(900), true, "silent|"));
  EXPECT_FALSE(is_known({}, deep(900)));
}

// A shorter one is another limit, and one that is not reduced may be too long for another reason.
TEST(LimitTest, IsKnownFromAboutTheSameLengthOn) {
  const std::vector<Limit> known = {{Symptom::kEnd, false, 70000}};
  EXPECT_TRUE(is_known(known, spaces(65536)));
  EXPECT_FALSE(is_known(known, spaces(65536), false));
  EXPECT_FALSE(is_known(known, spaces(8192)));
}

}  // namespace
}  // namespace fuzz
