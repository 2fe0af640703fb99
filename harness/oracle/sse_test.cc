// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/played_testing.h"

namespace harness::oracle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const char* const kProfile = "mcp-2024-11-05";

// A stream of its own, whose GET was answered with this type.
class Stream : public Played {
 public:
  explicit Stream(const std::string& type = "text/event-stream") : Played(kProfile, "http+sse") {
    answered(0, 200, type, "");
    last().head->target = "http://127.0.0.1:80/sse";
  }
  Stream& event(const std::string& name, const std::string& data) {
    Played::event(0, data);
    in_event(name);
    return *this;
  }
};

TEST(Sse, ASoundStreamIsPassedOver) {
  Stream sound("Text/Event-Stream; charset=utf-8");
  sound.event("endpoint", "/messages?id=3").event("ping", "2024-11-05").event("message", "");
  sound.posted(1, request(1, "ping")).answered(1, 202, "text/plain", "Accepted");
  sound.Played::event(0, result("1"));
  EXPECT_THAT(breaches(sound), IsEmpty());
  EXPECT_THAT(breaches(Stream().event("endpoint", "http://127.0.0.1/messages")), IsEmpty());
  EXPECT_THAT(breaches(Stream().event("endpoint", "messages/?next=http://elsewhere/")), IsEmpty());
}

TEST(Sse, TheStreamHasItsType) {
  EXPECT_THAT(breaches(Stream("text/plain")), ElementsAre("fail mcp.sse.content-type"));
}

TEST(Sse, TheEndpointComesFirstAndIsAnAddress) {
  EXPECT_THAT(breaches(Stream().event("ping", "x").event("endpoint", "/m")),
              ElementsAre("fail mcp.sse.endpoint-event"));
  EXPECT_THAT(breaches(Stream().event("endpoint", R"({"uri":"/m"})")),
              ElementsAre("fail mcp.sse.endpoint-event"));
  EXPECT_THAT(breaches(Stream().event("endpoint", "http://localhost/m")),
              ElementsAre("warn mcp.sse.endpoint-same-origin"));
}

TEST(Sse, MessagesAreMessageEventsOfJson) {
  Stream other;
  other.event("endpoint", "/m").posted(1, request(1, "ping"));
  static_cast<Stream&>(other).event("response", result("1"));
  EXPECT_THAT(breaches(other), ElementsAre("fail mcp.sse.message-events"));
  EXPECT_THAT(breaches(Stream().event("endpoint", "/m").event("message", "still working")),
              ElementsAre("fail mcp.sse.message-events"));
}

TEST(Sse, AResponseInABodyIsInTheWrongPlace) {
  Stream lost;
  lost.event("endpoint", "/m");
  lost.posted(1, request(1, "ping")).answered(1, 200, "application/json", result("1"));
  EXPECT_THAT(breaches(lost), ElementsAre("fail mcp.sse.response-on-stream"));
  Stream twice;
  twice.event("endpoint", "/m");
  twice.posted(1, request(1, "ping")).answered(1, 200, "application/json", result("1"));
  twice.Played::event(0, result("1"));
  EXPECT_THAT(breaches(twice), ElementsAre("fail mcp.sse.response-on-stream"))
      << "that there are two is told by that";
  Stream refused;
  refused.event("endpoint", "/m");
  refused.posted(1, "{").answered(1, 400, "application/json", error("null", -32700));
  EXPECT_THAT(breaches(refused), IsEmpty());
}

}  // namespace
}  // namespace harness::oracle
