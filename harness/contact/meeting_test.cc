// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/meeting.h"

#include <gtest/gtest.h>

#include "harness/contact/testing.h"
#include "harness/transport/testing.h"

namespace harness::run {
namespace {

const spec::Profile& plain() { return *spec::find_profile("jsonrpc-2.0"); }

wire::Frame frame(wire::Direction direction, wire::Channel channel, std::string bytes,
                  int status = 0) {
  wire::Frame made;
  made.direction = direction;
  made.channel = channel;
  made.bytes = std::move(bytes);
  if (status > 0) made.head.emplace().status = status;
  return made;
}

wire::Transcript transcript(std::vector<wire::Frame> frames) {
  wire::Transcript made;
  made.frames = std::move(frames);
  return made;
}

TEST(Meeting, KnowsWhoMeansToSpeakJsonRpc) {
  using wire::Channel;
  constexpr auto kReceived = wire::Direction::kReceived;
  constexpr const char* kBroken = R"({"jsonrpc":"2.0","id":)";
  struct Row {
    const char* what;
    std::vector<wire::Frame> frames;
    bool tries;
  };
  for (const Row& row : {
           Row{"nobody", {}, false},
           Row{"a broken message", {frame(kReceived, Channel::kStdout, kBroken)}, true},
           Row{"in a batch", {frame(kReceived, Channel::kStdout, "  [{\"jsonrpc\"")}, true},
           Row{"over HTTP", {frame(kReceived, Channel::kHttp, kBroken, 200)}, true},
           Row{"a banner", {frame(kReceived, Channel::kStdout, "Welcome")}, false},
           Row{"a log line that quotes one",
               {frame(kReceived, Channel::kStdout, std::string("received: ") + kBroken)},
               false},
           Row{"on stderr", {frame(kReceived, Channel::kStderr, kBroken)}, false},
           Row{"another language", {frame(kReceived, Channel::kStdout, "{\"hello\":1}")}, false},
           Row{"what we sent", {frame(wire::Direction::kSent, Channel::kStdin, kBroken)}, false},
           Row{"a program that ended after it",
               {frame(kReceived, Channel::kStdout, kBroken),
                frame(kReceived, Channel::kExit, "exit 1")},
               true},
           Row{"an event with the first line of one", {frame(kReceived, Channel::kSse, "{")}, true},
           Row{"an event of another language",
               {frame(kReceived, Channel::kSse, "{\"hello\":1}")},
               false},
           Row{"over several lines",
               {frame(kReceived, Channel::kStdout, "{"),
                frame(kReceived, Channel::kStdout, "  \"jsonrpc\": \"2.0\",")},
               true},
       })
    EXPECT_EQ(tries_to_answer(transcript(row.frames)), row.tries) << row.what;
}

TEST(Meeting, KnowsAnEventStreamByWhatItSaysToAPost) {
  constexpr auto kReceived = wire::Direction::kReceived;
  struct Row {
    int status;
    const char* body;
    bool refuses;
  };
  for (const Row& row : {
           Row{405, "", true}, Row{404, "Not Found", true}, Row{400, "<html>", true},
           Row{400, R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"no"},"id":null})", false},
           Row{401, "", false}, Row{500, "", true}, Row{200, "", false},
           Row{0, "", false},  // no head
       }) {
    const auto said = std::make_shared<wire::Transcript>(
        transcript({frame(kReceived, wire::Channel::kHttp, row.body, row.status)}));
    EXPECT_EQ(refuses_posts({{&plain(), said}}), row.refuses) << row.status << " " << row.body;
  }
  EXPECT_FALSE(refuses_posts({}));
  for (const char* word : {"reset", "eof", "end"}) {
    const auto said = std::make_shared<wire::Transcript>(
        transcript({frame(kReceived, wire::Channel::kClose, word)}));
    EXPECT_EQ(refuses_posts({{&plain(), said}}), std::string(word) != "end") << word;
  }
}

class UnmetTarget : public testing::Test {
 protected:
  // What the ledger has after a target that answers every message so could not be met.
  const spec::Profile* judged(transport::ScriptedTarget::Server answers) {
    transport::ScriptedTarget server(std::move(answers));
    target::Target target;
    target.command = {"scripted"};
    const Opener open = [&](const spec::Profile& profile) -> awaitable<Result<SessionPtr>> {
      auto transport = server.connect();
      if (!transport) co_return transport.error();
      co_return std::make_unique<session::Session>(std::move(*transport), profile, "t",
                                                   std::make_shared<session::Pace>());
    };
    Meeting meeting(target, suite::own_suite(), suite::own_registry(), open);
    const spec::Profile* profile = nullptr;
    transport::run(loop, [&]() -> awaitable<void> {
      const Result<Negotiated> met = co_await meeting.meet("mcp-2025-06-18");
      EXPECT_FALSE(met);
      profile = co_await meeting.judge_answers(ledger);
    });
    return profile;
  }

  boost::asio::io_context loop;
  OracleLedger ledger;
};

TEST_F(UnmetTarget, IsJudgedByWhatItSaysTwice) {
  const spec::Profile* profile = judged([](const transport::Outgoing&, int) {
    return std::vector<transport::Arrival>{transport::line(R"({"jsonrpc":"2.0","id":)")};
  });
  ASSERT_NE(profile, nullptr);
  EXPECT_EQ(profile->name, std::string("mcp-2025-06-18"));
  EXPECT_FALSE(ledger.empty());
}

TEST_F(UnmetTarget, IsNotJudgedByWhatItSaysOnce) {
  EXPECT_EQ(judged([](const transport::Outgoing&, int connection) {
              std::vector<transport::Arrival> arrivals;
              if (connection == 1) arrivals.push_back(transport::line(R"({"jsonrpc":"2.0","id":)"));
              return arrivals;
            }),
            nullptr);
  EXPECT_TRUE(ledger.empty());
}

TEST_F(UnmetTarget, IsNotJudgedWhereNobodyMeansToAnswer) {
  EXPECT_EQ(judged([](const transport::Outgoing&, int) {
              return std::vector<transport::Arrival>{transport::line("Welcome")};
            }),
            nullptr);
}

}  // namespace
}  // namespace harness::run
