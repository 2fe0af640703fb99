// SPDX-License-Identifier: Apache-2.0
#include "harness/wire/message.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace harness::wire {
namespace {

TEST(Message, KindFollowsFromWhichMembersAreThere) {
  const struct {
    const char* text;
    MessageKind kind;
    bool is_json;
  } table[] = {
      {R"({"jsonrpc":"2.0","id":1,"method":"ping"})", MessageKind::kRequest, true},
      {R"({"id":null,"method":7})", MessageKind::kRequest, true},
      {R"({"method":"x","result":1})", MessageKind::kNotification, true},
      {R"({"id":1,"result":null})", MessageKind::kResponse, true},
      {R"({"id":1,"result":1,"error":{}})", MessageKind::kResponse, true},
      {R"({"error":{}})", MessageKind::kErrorResponse, true},
      {R"([])", MessageKind::kBatch, true},
      {R"([{"id":1}])", MessageKind::kBatch, true},
      {R"({})", MessageKind::kMalformed, true},
      {R"({"id":1})", MessageKind::kMalformed, true},
      {R"("text")", MessageKind::kMalformed, true},
      {R"({"id":1,)", MessageKind::kMalformed, false},
      {"", MessageKind::kMalformed, false},
  };
  for (const auto& row : table) {
    const Message message = read_message(row.text);
    EXPECT_EQ(message.kind, row.kind) << row.text;
    EXPECT_EQ(message.is_json, row.is_json) << row.text;
    EXPECT_EQ(message.error.reason.empty(), row.is_json) << row.text;
  }
}

// As JSON-RPC 1.0 has them: of the two members one is null.
TEST(Message, ReadsANullBesideTheOtherOutcomeAsAbsent) {
  struct Row {
    const char* text;
    MessageKind kind;
    bool result, error;
  };
  for (const Row& row : {
           Row{R"({"id":1,"result":3,"error":null})", MessageKind::kResponse, true, false},
           Row{R"({"id":1,"result":null,"error":{}})", MessageKind::kErrorResponse, false, true},
           Row{R"({"id":1,"result":null,"error":null})", MessageKind::kResponse, true, false},
           Row{R"({"id":1,"result":3,"error":{}})", MessageKind::kResponse, true, true},
           Row{R"({"id":1,"error":null})", MessageKind::kErrorResponse, false, true},
           Row{R"({"id":1,"result":null})", MessageKind::kResponse, true, false},
       }) {
    const Message message = read_message(row.text);
    EXPECT_EQ(message.kind, row.kind) << row.text;
    EXPECT_EQ(result_in(message.value) != nullptr, row.result) << row.text;
    EXPECT_EQ(error_in(message.value) != nullptr, row.error) << row.text;
  }
}

TEST(Message, CarriesTheRemarksOfTheReading) {
  const Message message = read_message(R"({"id":1,"id":2,"result":"\ud800"})");
  EXPECT_EQ(message.duplicate_name, "id");
  EXPECT_TRUE(message.lone_surrogate);
  EXPECT_EQ(message.id()->text, "2");
  EXPECT_TRUE(message.is_reply());
  EXPECT_EQ(read_message("[1]").id(), nullptr);
}

TEST(IdKey, SeparatesTypesAndJoinsSpellings) {
  const auto key = [](const char* text) { return id_key(json::parse(text)); };
  EXPECT_EQ(key("1"), key("1.0"));
  EXPECT_EQ(key("1"), key("10e-1"));
  EXPECT_EQ(key("\"a\""), key("\"\\u0061\""));
  EXPECT_EQ(key(R"([{"a":1,"b":0,"a":2}])"), key(R"([{"a":2,"b":0}])"));
  const std::set<std::string> distinct = {key("1"),
                                          key("\"1\""),
                                          key("null"),
                                          key("\"null\""),
                                          key("true"),
                                          key("[1]"),
                                          key("{}"),
                                          key("9007199254740992"),
                                          key("9007199254740993"),
                                          key("-1"),
                                          key("\"n:1\"")};
  EXPECT_EQ(distinct.size(), 11U);
}

TEST(CarriesMessage, LooksAtChannelAndContent) {
  const struct {
    Channel channel;
    const char* bytes;
    bool carries;
  } table[] = {
      {Channel::kStdin, "{}", true},     {Channel::kStdout, "{}\r", true},
      {Channel::kStdout, " \r", false},  {Channel::kStdout, "", false},
      {Channel::kStderr, "{}", false},   {Channel::kHttp, "{}", true},
      {Channel::kHttp, "", false},       {Channel::kSse, "{}", true},
      {Channel::kSse, "", false},        {Channel::kExit, "exit 0", false},
      {Channel::kClose, "stdin", false}, {Channel::kPing, "{}", false},
      {Channel::kPong, "{}", false},
  };
  for (const auto& row : table) {
    Frame frame;
    frame.channel = row.channel;
    frame.bytes = row.bytes;
    EXPECT_EQ(carries_message(frame), row.carries) << channel_name(row.channel) << row.bytes;
  }
}

TEST(CarriesMessage, KnowsWhichEventsAreOfAnotherKind) {
  const auto carries = [](int exchange, const char* event, const char* data) {
    Frame frame;
    frame.channel = Channel::kSse;
    frame.exchange = exchange;
    frame.bytes = data;
    frame.head = HttpHead{0, "", "", {{"event", event}}};
    return carries_message(frame);
  };
  EXPECT_TRUE(carries(0, "message", "no JSON"));
  EXPECT_FALSE(carries(0, "endpoint", "/messages"));
  EXPECT_FALSE(carries(1, "endpoint", "/messages"));
  EXPECT_FALSE(carries(0, "ping", "{}"));
  EXPECT_TRUE(carries(0, "response", R"({"jsonrpc":"2.0","id":1,"result":{}})"));
  EXPECT_FALSE(carries(1, "ping", "{}"));
  EXPECT_TRUE(carries(1, "response", R"({"id":1,"result":{}})"));
}

}  // namespace
}  // namespace harness::wire
