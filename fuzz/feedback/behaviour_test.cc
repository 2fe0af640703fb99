// SPDX-License-Identifier: Apache-2.0
#include "fuzz/feedback/behaviour.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/oracle/played_testing.h"

namespace fuzz {
namespace {

namespace oracle = harness::oracle;

std::set<std::uint64_t> behaviours_in(const oracle::Played& story,
                                      Counted counted = Counted::kAll) {
  harness::trace::Slice slice;
  slice.transcript = std::make_shared<const harness::wire::Transcript>(story.transcript());
  for (const harness::wire::Frame& frame : story.transcript().frames)
    slice.messages.push_back(harness::wire::read_shared(frame.bytes));
  const oracle::Evidence evidence(slice, *harness::spec::find_profile("jsonrpc-2.0"),
                                  oracle::test_registry());
  std::vector<std::uint64_t> out;
  behaviours_of(evidence, out, counted);
  return {out.begin(), out.end()};
}

std::set<std::uint64_t> behaviours(const std::vector<std::string>& came) {
  oracle::Played story("jsonrpc-2.0");
  for (const std::string& text : came) story.received(text);
  return behaviours_in(story);
}

// Two requests, of which the first is not answered.
std::set<std::uint64_t> silences(const std::string& asked) {
  oracle::Played story("jsonrpc-2.0");
  return behaviours_in(story.sent(asked).sent(8, "echo").received(oracle::result("8")));
}

const std::string kNews = R"({"jsonrpc":"2.0","method":"news"})";

TEST(Behaviour, IsTheSameWheneverSomethingComesUnasked) {
  const std::string one = oracle::result("1"), other = oracle::error("2", -32601);
  EXPECT_EQ(behaviours({kNews, one, other}), behaviours({one, kNews, other}));
  EXPECT_EQ(behaviours({kNews, one, other}), behaviours({one, other, kNews}));
  EXPECT_NE(behaviours({kNews, one, other}), behaviours({one, other}));
}

TEST(Behaviour, OfAReplyAloneIsTheSameWhateverElseComesMeanwhile) {
  oracle::Played quiet("jsonrpc-2.0"), loud("jsonrpc-2.0");
  quiet.sent(1, "echo").received(oracle::result("1"));
  loud.sent(1, "echo").received(oracle::result("1")).received(kNews).ended("exit 0");
  EXPECT_EQ(behaviours_in(quiet, Counted::kTimeless), behaviours_in(loud, Counted::kTimeless));
  EXPECT_NE(behaviours_in(quiet), behaviours_in(loud));
  EXPECT_FALSE(behaviours_in(quiet, Counted::kTimeless).empty());
}

TEST(Behaviour, IsAnotherWhereOtherRepliesFollowEachOther) {
  const std::string one = oracle::result("1"), other = oracle::error("2", -32601);
  EXPECT_NE(behaviours({one, other}), behaviours({other, one}));
  EXPECT_EQ(behaviours({one, other}), behaviours({oracle::result("7"), other}));
}

TEST(Behaviour, IsAnotherForEachRuleThatAMessageWithoutAReplyBreaks) {
  const auto one = silences(R"({"jsonrpc":"2.0","id":1,"method":1})");
  EXPECT_EQ(one, silences(R"({"jsonrpc":"2.0","id":2,"method":7})"));
  EXPECT_NE(one, silences(R"({"jsonrpc":"2.0","id":1})"));
  EXPECT_NE(one, silences(R"({"jsonrpc":"2.0","id":"a","method":1})"));
  EXPECT_NE(one, silences(oracle::notification("sum")));
  // A call may take its time.
  EXPECT_EQ(silences(oracle::request(1, "sum")), silences(oracle::notification("sum")));
}

}  // namespace
}  // namespace fuzz
