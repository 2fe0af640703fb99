// SPDX-License-Identifier: Apache-2.0
// The http+sse transport against scripted peers, sound and hostile: each is a few lines of Python
// that write exactly the bytes a test wants.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/transport/kinds.h"
#include "harness/transport/service.h"
#include "harness/transport/testing.h"

namespace harness::transport {
namespace {

using boost::asio::awaitable;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// opened(c, head) is called for a GET and got(c, head, body) for a POST; `stream` is the connection
// of the last GET.
const char* const kServer = R"(
import socket, sys, threading, time, struct
stream = None
OPEN = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n'
def say(c, text): c.sendall(text.encode())
def taken(c): say(c, 'HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n')
def reset(c):
    c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0)); c.close()
def run(c):
    global stream
    data = b''
    try:
        while True:
            while b'\r\n\r\n' not in data:
                more = c.recv(65536)
                if not more: return
                data += more
            head, data = data.split(b'\r\n\r\n', 1)
            head = head.decode('latin1')
            if head.startswith('GET'):
                stream = c
                opened(c, head)
                return time.sleep(600)
            size = 0
            for line in head.split('\r\n'):
                if line.lower().startswith('content-length:'): size = int(line[15:])
            while len(data) < size: data += c.recv(65536)
            body, data = data[:size].decode(), data[size:]
            got(c, head, body)
    except OSError: pass
s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(('127.0.0.1', int(sys.argv[1]))); s.listen(64)
while True: threading.Thread(target=run, args=(s.accept()[0],), daemon=True).start()
)";

const std::string kOpened =
    "def opened(c, head): say(c, OPEN + 'event: endpoint\\ndata: /m?s=1\\n\\n')\n";
const std::string kEchoes =
    "def got(c, head, body): taken(c); say(stream, 'data: ' + body + '\\n\\n')\n";

class HttpSse : public testing::Test {
 protected:
  boost::asio::io_context loop;
  Limits limits;
  std::unique_ptr<Service> service;
  std::unique_ptr<Transport> t;

  // What open() said: "" when all was well.
  std::string serve(const std::string& script) {
    target::Target target = command({"python3", "-c", script + kServer, "{port}"});
    target.url = "http://127.0.0.1:{port}/a/sse";
    target.sse = true;
    std::string said;
    run(loop, [&]() -> awaitable<void> {
      auto started = co_await Service::start(loop.get_executor(), target, soon());
      EXPECT_TRUE(started) << started.error().text();
      if (!started) co_return;
      service = std::move(*started);
      auto made = make(loop.get_executor(), service->target(), limits);
      EXPECT_TRUE(made);
      t = std::move(*made);
      Status opened = co_await t->open();
      if (!opened) said = opened.error().what;
    });
    return said;
  }

  std::vector<std::string> frames(milliseconds patience = std::chrono::seconds(20)) {
    std::vector<std::string> out;
    run(loop, [&]() -> awaitable<void> { out = co_await all_frames(*t, patience); });
    return out;
  }

  int send(const std::string& text, Deadline deadline = soon()) {
    int number = 0;
    run(loop, [&]() -> awaitable<void> {
      const Outgoing one = writes(text);
      number = co_await t->send(one, deadline);
    });
    return number;
  }
};

TEST_F(HttpSse, PostsToTheAnnouncedAddressAndHearsOnTheStream) {
  EXPECT_EQ(
      serve(kOpened +
            "def got(c, head, body): taken(c); say(stream, 'data: ' + head.split()[1] + body + "
            "'\\n\\n')\n"),
      "");
  EXPECT_EQ(t->exchanges()->endpoint(), "/m?s=1");
  EXPECT_EQ(t->kind(), wire::TransportKind::kHttpSse);
  EXPECT_GT(send("x"), 1);
  EXPECT_THAT(frames(milliseconds(300)),
              testing::UnorderedElementsAre("http:", "sse:/m?s=1", "http:", "close:end",
                                            "sse:/m?s=1x", "quiet"));
}

TEST_F(HttpSse, TellsTheStreamFromTheAnswersToPosts) {
  EXPECT_EQ(serve(kOpened + "def got(c, head, body): say(c, 'HTTP/1.1 400 No\\r\\nContent-Length: "
                            "2\\r\\n\\r\\nno')\n"),
            "");
  const int number = send("x");
  run(loop, [&]() -> awaitable<void> {
    auto head = co_await next_frame(*t);
    EXPECT_EQ(head->exchange, 0);
    EXPECT_EQ(head->head->status, 200);
    EXPECT_THAT(head->head->target, HasSubstr("/a/sse"));
    auto endpoint = co_await next_frame(*t);
    EXPECT_EQ(endpoint->exchange, 0);
    auto refusal = co_await next_frame(*t);
    EXPECT_EQ(refusal->exchange, number);
    EXPECT_EQ(refusal->head->status, 400);
    EXPECT_EQ(refusal->bytes, "no");
  });
}

TEST_F(HttpSse, AMessageDoesNotOvertakeTheOneBefore) {
  EXPECT_EQ(serve(kOpened + "def got(c, head, body):\n"
                            "  if body == '0': time.sleep(0.1)\n"
                            "  say(stream, 'data: ' + body + '\\n\\n'); taken(c)\n"),
            "");
  for (int i = 0; i < 4; ++i) send(std::to_string(i));
  std::vector<std::string> events;
  for (const std::string& one : frames(milliseconds(300)))
    if (one.starts_with("sse:") && one.size() == 5) events.push_back(one);
  EXPECT_THAT(events, ElementsAre("sse:0", "sse:1", "sse:2", "sse:3"));
}

TEST_F(HttpSse, APostThatIsNeverAnsweredHoldsUpNothing) {
  EXPECT_EQ(serve(kOpened + "def got(c, head, body): say(stream, 'data: ' + body + '\\n\\n')\n"),
            "");
  const auto before = Clock::now();
  for (int i = 0; i < 4; ++i) send(std::to_string(i));
  EXPECT_LT(Clock::now() - before, milliseconds(10000));
}

TEST_F(HttpSse, APostThatWaitsItsTurnHasTimeLeftForItself) {
  EXPECT_EQ(serve(kOpened + "def got(c, head, body):\n  if body != 'first': taken(c)\n"), "");
  send("first");
  send("second", in(milliseconds(1500)));
  const auto all = frames(milliseconds(1000));
  EXPECT_THAT(all, testing::Contains("close:end"));
  EXPECT_THAT(all, testing::Not(testing::Contains("close:timeout")));
}

TEST_F(HttpSse, ReadsAStreamOfAnotherType) {
  EXPECT_EQ(serve("def opened(c, head): say(c, OPEN.replace('event-stream', 'plain') + 'event: "
                  "endpoint\\ndata: m\\n\\n')\n" +
                  kEchoes),
            "");
  EXPECT_EQ(t->exchanges()->endpoint(), "/a/m");
}

// --- peers that mean no good

TEST_F(HttpSse, SaysThatTheStreamWasClosedInItsMiddle) {
  EXPECT_EQ(serve(kOpened + "def got(c, head, body):\n"
                            "  say(stream, 'data: half')\n"
                            "  stream.shutdown(socket.SHUT_RDWR)\n"),
            "");
  send("x", in(milliseconds(500)));
  const auto all = frames();
  EXPECT_EQ(all.back(), "closed:eof");
  EXPECT_THAT(all, testing::Contains("sse:half"));
}

TEST_F(HttpSse, SaysThatTheStreamWasReset) {
  EXPECT_EQ(serve(kOpened + "def got(c, head, body): taken(c); reset(stream)\n"), "");
  send("x");
  EXPECT_THAT(frames().back(), testing::AnyOf("closed:reset", "closed:eof"));
}

TEST_F(HttpSse, SaysWhenTheStreamEndsBeforeItsEndpoint) {
  EXPECT_THAT(serve("def opened(c, head): say(c, OPEN); c.shutdown(socket.SHUT_RDWR)\n" + kEchoes),
              HasSubstr("ended before its endpoint event"));
}

TEST_F(HttpSse, SaysWhenThereIsNoStream) {
  EXPECT_THAT(
      serve("def opened(c, head): say(c, 'HTTP/1.1 404 No\\r\\nContent-Length: 0\\r\\n\\r\\n')\n" +
            kEchoes),
      HasSubstr("HTTP 404"));
}

TEST_F(HttpSse, GivesUpOnEventsThatAreNoEndpoint) {
  EXPECT_THAT(serve("def opened(c, head):\n  say(c, OPEN)\n  while True: say(c, 'data: x\\n\\n' * "
                    "100)\n" +
                    kEchoes),
              HasSubstr("none of them is the endpoint event"));
}

TEST_F(HttpSse, WillNotPostElsewhere) {
  EXPECT_THAT(serve("def opened(c, head): say(c, OPEN + 'event: endpoint\\ndata: "
                    "http://example.org/m\\n\\n')\n" +
                    kEchoes),
              HasSubstr("another origin"));
}

TEST_F(HttpSse, BoundsAnEndlessLine) {
  limits.max_line = 1000;
  EXPECT_EQ(serve(kOpened + "def got(c, head, body):\n  taken(c)\n  say(stream, 'data: ')\n"
                            "  for i in range(200): say(stream, 'x' * 65536)\n"
                            "  say(stream, '\\n\\n')\n"),
            "");
  send("x");
  run(loop, [&]() -> awaitable<void> {
    for (;;) {
      auto frame = co_await next_frame(*t);
      if (!frame) break;
      if (frame->channel != wire::Channel::kSse || frame->bytes.front() != 'x') continue;
      EXPECT_LE(frame->bytes.size(), 1000u);
      EXPECT_EQ(frame->size, 200u * 65536u);
      break;
    }
  });
}

TEST(HttpSseAnnounced, UnderstandsWhatServersWrite) {
  const Url from = *parse_url("http://127.0.0.1:3000/a/sse?x=1");
  const auto target = [&](std::string_view data) {
    auto found = announced(from, data);
    return found ? found->target : "refused: " + found.error().what;
  };
  EXPECT_EQ(target("/messages?s=1"), "/messages?s=1");
  EXPECT_EQ(target("messages"), "/a/messages");
  EXPECT_EQ(target("./messages"), "/a/messages");
  EXPECT_EQ(target("../messages/"), "/messages/");
  EXPECT_EQ(target("?s=2"), "/a/sse?s=2");
  EXPECT_EQ(target("/m?next=http://else/where"), "/m?next=http://else/where");
  EXPECT_EQ(target("http://127.0.0.1:3000/m"), "/m");
  EXPECT_EQ(target("//localhost:3000/m"), "/m");
  EXPECT_EQ(target(R"({"uri":"/m"})"), "/m");
  EXPECT_EQ(target(R"("/m")"), "/m");
  for (const char* bad : {"http://127.0.0.1:3001/m", "https://127.0.0.1:3000/m", "//evil:3000/m",
                          "http://127.0.0.1.evil:3000/m", "", "/a b", "{}"})
    EXPECT_THAT(target(bad), StartsWith("refused: ")) << bad;
}

}  // namespace
}  // namespace harness::transport
