// SPDX-License-Identifier: Apache-2.0
// The order of the table. What each row takes is in the tests beside this one.
#include "harness/causes/cause_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace harness::run {
namespace {

struct Pair {
  const char* before;
  const char* after;
  const char* why;
};

// Pairs of which the second would take what is the first one's, or would take it in worse words.
constexpr Pair kPairs[] = {
    {"contact framing", "no handshake", "who speaks in headers answers no initialize on a line"},
    {"no handshake", "initialize refused", "tools are served without it: that says more"},
    {"contact version", "initialize refused", "what it answers is more than that it does"},
    {"behind the answer", "refused altogether", "who reads the rest of one takes it for a refusal"},
    {"length in characters", "wrong length", "it says which length it is"},
    {"ended", "wrong length", "nothing but what is about ends takes an end"},
    {"ended", "ids altered", "likewise"},
    {"ended", "notifications answered", "likewise"},
    {"long line in parts", "canary silent", "half a line is no answer"},
    {"lines mixed", "canary silent", "two lines in one are no answer"},
    {"output at the start", "ids altered", "a banner is taken for an answer without an id"},
    {"sessions ended by DELETE", "sessions lost", "it says what ends them"},
    {"sessions lost", "refused altogether", "others are served"},
    {"one request a connection", "connection lost by a refusal", "it is every second request"},
    {"one request a connection", "canary silent", "a canary comes second on its connection"},
    {"initialize refused", "refused for a member", "no session begins: whatever it holds"},
    {"ended sessions answered", "ids altered", "that of a refusal without a session may be null"},
    {"refused without a status", "ids altered", "likewise"},
    {"ASCII alone is read", "valid JSON refused", "what all have in common says more"},
    {"ids altered", "ids of one value", "where all ids are lost, it is not the value"},
    {"ids altered", "wedged", "what comes back under another id looks like silence"},
    {"usual canary refused", "canary refused", "nothing else depends on it"},
    {"canary refused", "unknown method refused otherwise", "one method is refused that should be"},
    {"requests accepted only", "wedged", "an empty 202 is no answer, and no silence"},
    {"answered on the GET stream", "requests accepted only", "it says where the response is"},
    {"too long", "ended", "what is long has other members, too: it is not they"},
    {"too long", "wedged", "likewise"},
    {"ended once", "ended", "what does not come again was not brought about by one message"},
    {"ended", "wedged", "behind an end nothing is answered"},
    {"ended", "ids of one value", "who has ended answers no id"},
    {"blocked by a call", "canary silent", "it is answered once the call is done"},
    {"held up by a body", "canary silent", "it is answered where no body is open"},
    {"second of a read lost", "canary silent", "it is answered where it comes by itself"},
    {"second of a read lost", "wedged", "likewise"},
    {"held back", "wedged", "the reply does come"},
    {"canary silent", "wedged", "what is never answered is silenced by no message"},
    {"notifications answered", "notifications accepted with a body", "a response says more"},
    {"notifications accepted with a body", "accepted with a body", "it is seen in many cases"},
    {"accepted with a body", "accepted by another status", "202 is the right one"},
    {"ids altered", "unknown method unanswered", "a reply under another id looks like silence"},
    {"jsonrpc not looked at", "told as one", "it says what the server does"},
    {"jsonrpc not looked at", "messages taken alike", "the other members are looked at"},
    {"unknown method unanswered", "ids of one value", "it is silent whatever the id"},
    {"unknown method served", "told as one", "it is the method and not what is declared"},
    {"ids of one value", "told as one", "the value is nearer than what clauses say alike"},
    {"batches refused", "batches in pieces", "an error is no array, and no reply to each"},
    {"batches in pieces", "batches in part", "what is no array holds no replies"},
    {"told as one", "consequences", "what is told under one clause follows from that"},
    {"cursors refused", "refused for a member", "it says where the cursor is from"},
    {"GET without a stream", "GET answered otherwise", "nothing at all is shown by one case"},
    {"lines end early", "long messages in parts", "a line that is cut may be long, too"},
    {"long messages in parts", "refused for a member", "what is long has other members, too"},
    {"requests without params refused", "unknown method refused otherwise",
     "with params the code is right"},
    {"unknown method refused otherwise", "client faults as server errors",
     "-32603 for an unknown method is about the method"},
    {"client faults as server errors", "refused for a member", "one code for all says more"},
    {"refused for a member", "refused with the wrong error", "a sound request should be served"},
    {"refused with the wrong error", "refused with another code", "what they share says more"},
    {"results of another kind", "told as one", "nothing is right about what is no object"},
    {"some errors without their id", "client faults as server errors", "the id is nearer"},
    {"ended sessions answered", "sessions not looked at", "those are refused"},
};

TEST(CauseTable, HasItsPairsInOrder) {
  const std::vector<std::string> names = names_in_table();
  for (const Pair& pair : kPairs) {
    const auto before = std::find(names.begin(), names.end(), pair.before);
    const auto after = std::find(names.begin(), names.end(), pair.after);
    ASSERT_NE(before, names.end()) << pair.before;
    ASSERT_NE(after, names.end()) << pair.after;
    EXPECT_LT(before, after) << pair.before << " before " << pair.after << ": " << pair.why;
  }
}

TEST(CauseTable, HasNoNameTwice) {
  const std::vector<std::string> names = names_in_table();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

}  // namespace
}  // namespace harness::run
