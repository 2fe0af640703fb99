// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/finding.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/json/write.h"
#include "harness/oracle/finding_json.h"
#include "harness/oracle/finding_testing.h"
#include "harness/oracle/finding_words.h"

namespace harness::oracle {
namespace {

Observation said(const std::string& text, int status = 0) {
  Observation out = observed(wire::read_message(text));
  out.status = status;
  return out;
}

Observation came(What what, int status = 0) { return {std::move(what), status}; }

TEST(Finding, ClassesAnswersAndLeavesTheirTextAlone) {
  const std::string refused = R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}})";
  const struct {
    Observation came;
    const char* answer;
  } kRows[] = {
      {said(refused), "error -32603"},
      {said(refused, 200), "HTTP 200, error -32603"},
      {said("[" + refused + "]"), "error -32603"},
      {said(R"({"jsonrpc":"2.0","id":1,"error":"no"})"), "an error"},
      {said(R"({"jsonrpc":"2.0","id":1,"result":{"error":{"code":1}}})"), "a result"},
      {said(R"({"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}})"),
       "a result that failed"},
      {said(R"({"jsonrpc":"2.0","id":1,"error":null,"result":1})"), "a result"},
      {showing(Symptom::kSilence), "no reply"},
      {showing(Symptom::kHang), "no reply"},
      {came(Nothing{}, 404), "HTTP 404"},
      {showing(Symptom::kEnd), "the connection ended"},
      {said("Traceback"), "no message"},
      {came(NoMessageInAnswer{}, 404), "HTTP 404"},
      {came(BrokenOff{}, 200), "HTTP 200, no end"},
      {told("a message over 4 lines, from {"), ""},
  };
  for (const auto& row : kRows) EXPECT_EQ(answer_class(row.came), row.answer) << words(row.came);
}

TEST(Finding, KnowsWhatIsInAMessage) {
  const Observation asks = said(
      R"({"id":1,"result":{"resultType":"complete","inputRequests":{"a":{"method":"roots/list"}}}})");
  EXPECT_TRUE(came_as<ResultCame>(asks)->asks_as_complete);
  EXPECT_EQ(asks.asks, std::vector<std::string>{"roots/list"});
  const Observation request = said(R"({"id":null,"method":"roots/list"})");
  EXPECT_EQ(came_as<ServerMessageCame>(request)->method, "roots/list");
  EXPECT_TRUE(request.unnamed);
  EXPECT_EQ(request.asks, std::vector<std::string>{"roots/list"});
  EXPECT_TRUE(said(R"({"method":"roots/list"})").asks.empty()) << "a notification asks nothing";
}

TEST(Finding, ShowsBySilenceHangEndOrAnswer) {
  Finding finding;
  for (const Symptom symptom :
       {Symptom::kAnswer, Symptom::kSilence, Symptom::kHang, Symptom::kEnd}) {
    finding.came = showing(symptom);
    EXPECT_EQ(symptom_of(finding), symptom);
  }
  finding.wanted.end = true;
  EXPECT_EQ(symptom_of(finding), Symptom::kAnswer) << "an end that was due does no harm";
  EXPECT_EQ(symptom_of(came(BrokenOff{"eof"}, 200)), Symptom::kAnswer);
  EXPECT_EQ(symptom_of(came(BrokenOff{}, 200)), Symptom::kHang) << "it is open still";
}

TEST(Finding, IsTheSameWhateverItsWordsNumbersAndTexts) {
  Finding one;
  one.requirement = "r";
  one.expected = "a reply";
  one.came = said(R"({"id":100001,"error":{"code":-32603,"message":"old"}})");
  Finding other = one;
  other.expected = "in other words";
  other.came = said(R"({"id":100002,"error":{"code":-32603,"message":"new"}})");
  EXPECT_EQ(identity_of(one), identity_of(other));
  other.came = said(R"({"id":100002,"error":{"code":-32602,"message":"new"}})");
  EXPECT_NE(identity_of(one), identity_of(other));
  other = one;
  other.requirement = "s";
  EXPECT_NE(identity_of(one), identity_of(other));
  other = one;
  other.row = "another";
  EXPECT_NE(identity_of(one), identity_of(other));
}

TEST(Finding, HasTheSignatureOfItsClauseItsFlawAndTheAnswer) {
  Finding one;
  one.oracle = "model";
  one.requirement = "r";
  one.flaw = "id-type";
  one.wanted.error = true;
  one.expected = "error -32600";
  one.seen = "id 7";
  one.came = said(R"({"id":7,"error":{"code":-32603,"message":"old"}})");
  EXPECT_EQ(signature_of(one), "model|r|id-type|error -32603");
  Finding other = one;
  other.expected = "in other words";
  other.seen = "id 8";
  other.came = said(R"({"id":8,"error":{"code":-32603,"message":"new"}})");
  EXPECT_EQ(signature_of(other), signature_of(one));
  other.flaw = "id-null";
  EXPECT_NE(signature_of(other), signature_of(one));
  one.came = showing(Symptom::kSilence);
  EXPECT_EQ(signature_of(one), "model|r|id-type|no reply");
  other.wanted = {};
  EXPECT_EQ(signature_of(other), "model|r|id-null|") << "which answer has the flaw says nothing";
}

TEST(Finding, ComesBackOutOfJsonWithItsValues) {
  Finding one;
  json::Value none = json::object();
  write_values(one, none);
  EXPECT_TRUE(none.members.empty());
  one.wanted.error = true;
  one.wanted.codes = {-32600, -32602};
  one.wanted.id = "null";
  one.came = said(R"({"id":7,"error":{"code":-32603,"message":"no"}})", 400);
  json::Value written = json::object();
  write_values(one, written);
  EXPECT_EQ(json::write(written), R"({"wanted":{"error":true,"codes":[-32600,-32602],"id":"null"},)"
                                  R"("came":{"kind":"error","text":"-32603","status":400}})");
  for (const Observation& seen :
       {one.came, showing(Symptom::kEnd), came(BrokenOff{"eof"}, 200), came(Nothing{}),
        came(Detail{"[1]"}), came(MissingMessage{}), said("[]"), said(R"({"method":"a"})"),
        said(R"({"result":1})"), came(NoMessageInAnswer{}, 202), came(NotAMessage{})}) {
    one.came = seen;
    Finding read;
    json::Value json = json::object();
    write_values(one, json);
    read_values(json, read);
    EXPECT_EQ(read.came.came.index(), seen.came.index());
    EXPECT_EQ(answer_class(read.came), answer_class(seen));
    EXPECT_EQ(read.wanted.codes, one.wanted.codes);
    EXPECT_TRUE(read.wanted.error && !read.wanted.result);
    json::Value again = json::object();
    write_values(read, again);
    EXPECT_EQ(json::write(again), json::write(json));
  }
}

TEST(Finding, OneLineForgetsLongNumbersButKeepsErrorCodes) {
  Finding a;
  a.expected = "a reply to id 100017";
  a.seen = "code -32601 in 2 lines";
  Finding b = a;
  b.expected = "a reply to id 100423";
  EXPECT_EQ(one_line(a), one_line(b));
  b.seen = "code -32602 in 2 lines";
  EXPECT_NE(one_line(a), one_line(b));
}

TEST(Observation, HasWordsForPeople) {
  const struct {
    Observation came;
    const char* words;
  } kRows[] = {
      {showing(Symptom::kSilence), "no reply, although a later request was answered"},
      {showing(Symptom::kHang), "no reply at all"},
      {came(Ended{"eof"}), "the connection closed"},
      {came(Ended{"eof", false, false}),
       "the connection closed; no new connection is served"},
      {came(Ended{"exit 1", true}), "its process ended: exit 1"},
      {came(BrokenOff{"reset"}, 200), "HTTP 200 and then the connection was reset"},
      {came(BrokenOff{"eof"}), "the connection closed without a response"},
      {came(NoMessageInAnswer{}, 400), "HTTP 400 without a message"},
      {came(MissingMessage{}), "no such message"},
  };
  for (const auto& row : kRows) EXPECT_EQ(words(row.came), row.words);
}

}  // namespace
}  // namespace harness::oracle
