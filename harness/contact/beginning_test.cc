// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/beginning.h"

#include <gtest/gtest.h>

namespace harness::run {
namespace {

using wire::Channel;

constexpr const char* kAsk = R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})";
constexpr const char* kAccept =
    R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}})";
constexpr const char* kRefuse =
    R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"already initialized"}})";

wire::Frame frame(wire::Direction direction, Channel channel, std::string bytes,
                  bool unframed = false) {
  wire::Frame made;
  made.direction = direction;
  made.channel = channel;
  made.bytes = std::move(bytes);
  made.unframed = unframed;
  return made;
}
wire::Frame sent(std::string bytes) {
  return frame(wire::Direction::kSent, Channel::kStdin, std::move(bytes));
}
wire::Frame came(std::string bytes, bool unframed = false) {
  return frame(wire::Direction::kReceived, Channel::kStdout, std::move(bytes), unframed);
}
// Of an opening handshake, by a transport that found the accept to be another one.
Contact upgraded(const char* reason) {
  wire::Frame answer = frame(wire::Direction::kReceived, Channel::kHttp,
                             "HTTP/1.1 101 OK\r\nSec-WebSocket-Accept: abc", true);
  answer.head.emplace();
  if (*reason != 0) answer.head->headers.push_back({"reason", reason});
  auto transcript = std::make_shared<wire::Transcript>();
  transcript->transport = wire::TransportKind::kWebSocket;
  answer.seq = 1;
  transcript->frames.push_back(answer);
  return {spec::find_profile("mcp-2025-11-25"), transcript};
}
wire::Frame closed() { return frame(wire::Direction::kSent, Channel::kClose, "stdin"); }

Contact contact(std::vector<wire::Frame> frames) {
  auto transcript = std::make_shared<wire::Transcript>();
  for (wire::Frame& one : frames) {
    one.seq = transcript->frames.size() + 1;
    transcript->frames.push_back(one);
  }
  return {spec::find_profile("mcp-2025-11-25"), transcript};
}

TEST(Beginning, IsBrokenByWhenAndHowInitializeIsAnswered) {
  struct Row {
    const char* what;
    std::vector<Contact> contacts;
    const char* requirement;  // "": nothing of the kind
  };
  for (const Row& row : {
           Row{"nobody", {}, ""},
           Row{"silence", {contact({sent(kAsk)})}, ""},
           Row{"silence to the end", {contact({sent(kAsk), closed()})}, ""},
           Row{"a sound answer", {contact({sent(kAsk), came(kAccept)})}, ""},
           Row{"a refusal", {contact({sent(kAsk), came(kRefuse)})}, ""},
           Row{"another key",
               {upgraded("the Sec-WebSocket-Accept xyz")},
               "ws.handshake.accept-key"},
           Row{"the right key", {upgraded("")}, ""},
           Row{"no line feed",
               {contact({sent(kAsk), closed(), came(kAccept, true)})},
               "mcp.stdio.newline-delimited"},
           Row{"when its input ended",
               {contact({sent(kAsk), closed(), came(kAccept)})},
               "mcp.stdio.flush"},
           Row{"when something else was said",
               {contact({sent(kAsk), sent(R"({"jsonrpc":"2.0","id":2,"method":"ping"})"),
                         came(kAccept)})},
               "mcp.stdio.flush"},
           Row{"a request", {contact({sent(kAsk), came(kAsk)})}, "mcp.base.result-or-error"},
           Row{"on the first session only",
               {contact({sent(kAsk), came(kAccept)}), contact({sent(kAsk), came(kRefuse)})},
               kOneSession},
           Row{"on the second session only",
               {contact({sent(kAsk), came(kRefuse)}), contact({sent(kAsk), came(kAccept)})},
               ""},
       }) {
    const std::optional<Beginning> found = broken_beginning(row.contacts);
    EXPECT_EQ(found ? found->finding.requirement : "", row.requirement) << row.what;
    if (found) {
      EXPECT_FALSE(found->finding.frames.empty()) << row.what;
    }
  }
}

TEST(Beginning, KnowsWithWhichStatusInitializeWasRefused) {
  wire::Frame refusal = frame(wire::Direction::kReceived, Channel::kHttp, kRefuse);
  refusal.head.emplace().status = 400;
  const Contact refused = contact({sent(kAsk), refusal});
  const std::optional<Beginning> found = refused_initialize(refused, 400);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->finding.frames.size(), 2u);
  EXPECT_FALSE(refused_initialize(refused, 401));
  EXPECT_FALSE(refused_initialize(contact({sent(kAsk), came(kRefuse)}), 400));
}

TEST(Beginning, KnowsWhetherInitializeWasAccepted) {
  EXPECT_TRUE(accepts_initialize(contact({sent(kAsk), came(kAccept)})));
  EXPECT_FALSE(accepts_initialize(contact({sent(kAsk), came(kRefuse)})));
}

}  // namespace
}  // namespace harness::run
