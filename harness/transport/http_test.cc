// SPDX-License-Identifier: Apache-2.0
// The http transport against scripted peers: each is a few lines of Python that accept connections
// and write exactly the bytes a test wants, right or wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/transport/courtesy.h"
#include "harness/transport/kinds.h"
#include "harness/transport/request.h"
#include "harness/transport/service.h"
#include "harness/transport/testing.h"

namespace harness::transport {
namespace {

using boost::asio::awaitable;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// serve(connection, head, body, n) is called for request n (from 1); the script defines it. A
// connection is read until serve returns False. A script may define early(connection) instead,
// which gets the connection unread.
const char* const kServer = R"(
import socket, sys, threading, time, struct
count = 0
def reset(c):
    c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0)); c.close()
def say(c, body, head=''):
    c.sendall(('HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n%s' % (head, len(body), body)).encode())
def run(c):
    global count
    if 'early' in globals(): return early(c)
    data = b''
    while True:
        while b'\r\n\r\n' not in data:
            more = c.recv(65536)
            if not more: return
            data += more
        head, data = data.split(b'\r\n\r\n', 1)
        head = head.decode('latin1')
        size = 0
        for line in head.split('\r\n'):
            if line.lower().startswith('content-length:'): size = int(line[15:])
        while len(data) < size: data += c.recv(65536)
        body, data = data[:size].decode(), data[size:]
        count += 1
        if serve(c, head, body, count) is False: break
    try: c.close()
    except OSError: pass
s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(('127.0.0.1', int(sys.argv[1]))); s.listen(64)
while True: threading.Thread(target=run, args=(s.accept()[0],), daemon=True).start()
)";

class Http : public testing::Test {
 protected:
  boost::asio::io_context loop;
  Limits limits;
  std::unique_ptr<Service> service;
  std::unique_ptr<Transport> t;

  void serve(const std::string& body) {
    target::Target target =
        command({"python3", "-c", "def serve(c, head, body, n):\n" + body + kServer, "{port}"});
    target.url = "http://127.0.0.1:{port}/mcp";
    run(loop, [&]() -> awaitable<void> {
      auto started = co_await Service::start(loop.get_executor(), target, soon());
      EXPECT_TRUE(started) << started.error().text();
      if (!started) co_return;
      service = std::move(*started);
      auto made = make(loop.get_executor(), service->target(), limits);
      EXPECT_TRUE(made);
      t = std::move(*made);
      Status opened = co_await t->open();
      EXPECT_TRUE(opened);
    });
  }

  // "http 200:body", "sse:data", "close:end" until the exchange is over.
  awaitable<std::vector<std::string>> exchange(Outgoing outgoing, Deadline deadline) {
    std::vector<std::string> out;
    const int number = co_await t->send(std::move(outgoing), deadline);
    for (;;) {
      auto frame = co_await next_frame(*t);
      if (!frame) break;
      EXPECT_EQ(frame->exchange, number);
      EXPECT_EQ(frame->direction, wire::Direction::kReceived);
      std::string text = wire::channel_name(frame->channel);
      if (frame->channel == wire::Channel::kHttp) text += " " + std::to_string(frame->head->status);
      out.push_back((frame->unframed ? "~" : "") + text + ":" + frame->bytes);
      if (frame->channel == wire::Channel::kClose) break;
    }
    co_return out;
  }
};

TEST_F(Http, PostsTheBodyWithTheHeadersOfTheProtocol) {
  serve("  say(c, head + '|' + body)\n");
  run(loop, [&]() -> awaitable<void> {
    std::vector<wire::Header> session = {{"Mcp-Session-Id", "s1"}};
    t->exchanges()->set_headers(session);
    co_await t->send(writes("{\"a\":", "1}"), soon());
    auto frame = co_await next_frame(*t);
    EXPECT_EQ(frame->head->status, 200);
    EXPECT_EQ(frame->bytes,
              "POST /mcp HTTP/1.1\r\nHost: " + parse_url(service->target().url)->authority +
                  "\r\nUser-Agent: rpcspec/" RPCSPEC_VERSION
                  "\r\nAccept: application/json, text/event-stream"
                  "\r\nContent-Type: application/json\r\nContent-Length: 7\r\nMcp-Session-Id: s1"
                  "|{\"a\":1}");
    EXPECT_EQ((co_await next_frame(*t))->bytes, "end");
  });
}

TEST_F(Http, ReadsAnAnswerThatIsCompressed) {
  serve(
      "  import gzip\n"
      "  packed = gzip.compress(b'{\"packed\":true}')\n"
      "  c.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Encoding: gzip\\r\\nContent-Length: "
      "%d\\r\\n\\r\\n'"
      " % len(packed) + packed)\n");
  run(loop, [&]() -> awaitable<void> {
    auto answer = co_await exchange(writes("x"), soon());
    EXPECT_THAT(answer, testing::Contains("http 200:{\"packed\":true}"));
  });
}

TEST_F(Http, KeepsAConnectionAlive) {
  serve("  say(c, str(c.getpeername()[1]))\n");
  run(loop, [&]() -> awaitable<void> {
    auto first = co_await exchange(writes("x"), soon());
    auto second = co_await exchange(writes("x"), soon());
    EXPECT_EQ(first, second);
  });
}

TEST_F(Http, SaysNothingMoreWhereABodyWasLongerThanItSaid) {
  serve("  say(c, str(c.getpeername()[1]))\n");
  run(loop, [&]() -> awaitable<void> {
    Outgoing longer = writes("xyz");
    longer.http.headers = {{"Content-Length", "1"}};
    auto first = co_await exchange(longer, soon());
    auto second = co_await exchange(writes("x"), soon());
    EXPECT_EQ(second.size(), 2u);
    EXPECT_NE(first, second);
  });
}

TEST_F(Http, CarriesManyRequestsSideBySide) {
  // Nobody is answered before all eight are there.
  serve(
      "  while count < 8: time.sleep(0.005)\n"
      "  say(c, body)\n");
  run(loop, [&]() -> awaitable<void> {
    for (int i = 1; i <= 8; ++i) {
      const int number = co_await t->send(writes(std::to_string(i)), soon());
      EXPECT_EQ(number, i);
    }
    int answers = 0;
    for (int frames = 0; frames < 16; ++frames) {
      auto frame = co_await next_frame(*t);
      if (frame->channel != wire::Channel::kHttp) continue;
      EXPECT_EQ(frame->bytes, std::to_string(frame->exchange));
      ++answers;
    }
    EXPECT_EQ(answers, 8);
  });
}

TEST_F(Http, DeliversEventsAsTheyComeWithNamesAndIds) {
  serve(
      "  c.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Type: Text/Event-Stream; charset=utf-8\\r\\n'\n"
      "            b'Transfer-Encoding: chunked\\r\\n\\r\\n')\n"
      "  def chunk(t): c.sendall(b'%x\\r\\n%s\\r\\n' % (len(t), t))\n"
      "  chunk(b'event: message\\nid: 5\\ndata: on'); time.sleep(0.02); chunk(b'e\\n\\n')\n"
      "  chunk(b'data: two\\n\\ndata: cut off')\n"
      "  c.sendall(b'0\\r\\n\\r\\n')\n");
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(writes("x"), soon());
    auto head = co_await next_frame(*t);
    EXPECT_EQ(head->channel, wire::Channel::kHttp);
    EXPECT_EQ(head->bytes, "");
    auto one = co_await next_frame(*t);
    EXPECT_EQ(one->channel, wire::Channel::kSse);
    EXPECT_EQ(one->bytes, "one");
    EXPECT_EQ(*one->head->header("id"), "5");
    EXPECT_EQ(*one->head->header("event"), "message");
    EXPECT_EQ((co_await next_frame(*t))->bytes, "two");
    auto cut = co_await next_frame(*t);
    EXPECT_EQ(cut->bytes, "cut off");
    EXPECT_TRUE(cut->unframed);
    EXPECT_EQ((co_await next_frame(*t))->bytes, "end");
  });
}

TEST_F(Http, TakesNoEventFromAStreamThatNeitherEndsItNorItself) {
  serve(
      "  c.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\n'\n"
      "            b'data: one\\n\\ndata: two\\n')\n"
      "  time.sleep(5)\n");
  run(loop, [&]() -> awaitable<void> {
    const Deadline shortly = Clock::now() + std::chrono::milliseconds(300);
    EXPECT_THAT(co_await exchange(writes("x"), shortly),
                ElementsAre("http 200:", "sse:one", "close:timeout"));
  });
}

TEST_F(Http, FollowsNoRedirect) {
  serve(
      "  c.sendall(b'HTTP/1.1 307 Go\\r\\nLocation: http://127.0.0.1:1/\\r\\nContent-Length: "
      "0\\r\\n\\r\\n')\n");
  run(loop, [&]() -> awaitable<void> {
    EXPECT_THAT(co_await exchange(writes("x"), soon()), ElementsAre("http 307:", "close:end"));
  });
}

TEST_F(Http, SkipsInterimAnswersAndReadsABodyThatEndsWithTheConnection) {
  serve(
      "  c.sendall(b'HTTP/1.1 103 Early\\r\\nLink: x\\r\\n\\r\\nHTTP/1.0 404 No\\r\\n\\r\\ngone')\n"
      "  return False\n");
  run(loop, [&]() -> awaitable<void> {
    EXPECT_THAT(co_await exchange(writes("x"), soon()), ElementsAre("http 404:gone", "close:end"));
  });
}

TEST_F(Http, TriesOnceMoreWhenAKeptConnectionTurnsOutClosed) {
  serve(
      "  if n == 2: reset(c); return False\n"
      "  say(c, str(n))\n");
  run(loop, [&]() -> awaitable<void> {
    EXPECT_THAT(co_await exchange(writes("x"), soon()), ElementsAre("http 200:1", "close:end"));
    EXPECT_THAT(co_await exchange(writes("x"), soon()), ElementsAre("http 200:3", "close:end"));
  });
}

TEST_F(Http, SaysHowARequestEndedWhoseServerIsGoneWithIt) {
  serve(
      "  if n == 2: __import__('os')._exit(1)\n"
      "  say(c, str(n))\n");
  run(loop, [&]() -> awaitable<void> {
    EXPECT_THAT(co_await exchange(writes("x"), soon()), ElementsAre("http 200:1", "close:end"));
    EXPECT_THAT(co_await exchange(writes("x"), soon()),
                ElementsAre(testing::AnyOf("close:eof", "close:reset")));
    EXPECT_THAT(co_await exchange(writes("x"), soon()), ElementsAre("close:refused"));
  });
}

TEST_F(Http, DoesNotRepeatARequestForever) {
  serve("  return False\n");
  run(loop, [&]() -> awaitable<void> {
    EXPECT_THAT(co_await exchange(writes("x"), soon()), ElementsAre("close:eof"));
  });
}

TEST_F(Http, NamesEachWayToFail) {
  serve(
      "  if body == 'silence': time.sleep(60)\n"
      "  elif body == 'half head': c.sendall(b'HTTP/1.1 200 OK\\r\\nContent-'); reset(c)\n"
      "  elif body == 'half body': c.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Length: "
      "9\\r\\n\\r\\nhalf')\n"
      "  elif body == 'noise': c.sendall(b'\\x16\\x03\\x01 what is this\\r\\n\\r\\n')\n"
      "  elif body == 'bad chunk': c.sendall(b'HTTP/1.1 200 OK\\r\\nTransfer-Encoding: "
      "chunked\\r\\n\\r\\nzz\\r\\n')\n"
      "  elif body == 'long field': c.sendall(b'HTTP/1.1 200 OK\\r\\nX: ' + b'x' * 100000 + "
      "b'\\r\\nContent-Length: 0\\r\\n\\r\\n')\n"
      "  elif body == 'huge head': c.sendall(b'HTTP/1.1 200 OK\\r\\nX: ' + b'x' * 600000)\n"
      "  elif body == 'headers': c.sendall(b'HTTP/1.1 200 OK\\r\\n' + b'X: y\\r\\n' * 200000)\n"
      "  elif body == 'interim': c.sendall(b'HTTP/1.1 102 P\\r\\n\\r\\n' * 1000)\n"
      "  return False\n");
  run(loop, [&]() -> awaitable<void> {
    EXPECT_THAT(co_await exchange(writes("silence"), in(milliseconds(100))),
                ElementsAre("close:timeout"));
    EXPECT_THAT(co_await exchange(writes("half head"), soon()),
                ElementsAre(testing::AnyOf("close:reset", "close:eof")));
    EXPECT_THAT(co_await exchange(writes("half body"), soon()),
                ElementsAre("~http 200:half", "close:eof"));
    EXPECT_THAT(co_await exchange(writes("noise"), soon()), ElementsAre("close:bad-response"));
    EXPECT_THAT(co_await exchange(writes("bad chunk"), soon()),
                ElementsAre("~http 200:", "close:bad-response"));
    EXPECT_THAT(co_await exchange(writes("long field"), soon()), ElementsAre("close:bad-response"));
    EXPECT_THAT(co_await exchange(writes("huge head"), soon()), ElementsAre("close:bad-response"));
    EXPECT_THAT(co_await exchange(writes("headers"), soon()), ElementsAre("close:bad-response"));
    EXPECT_THAT(co_await exchange(writes("interim"), soon()), ElementsAre("close:bad-response"));
  });
  service.reset();
  run(loop, [&]() -> awaitable<void> {
    EXPECT_THAT(co_await exchange(writes("x"), soon()), ElementsAre("close:refused"));
  });
}

TEST_F(Http, CutsALongBodyAndGivesUpOnAnEndlessOne) {
  limits.max_line = 100'000;
  serve(
      "  if body == 'long': say(c, 'x' * 300000); return\n"
      "  c.sendall(b'HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n')\n"
      "  while True: c.sendall(b'3e8\\r\\n' + b'y' * 1000 + b'\\r\\n')\n");
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(writes("long"), soon());
    auto frame = co_await next_frame(*t);
    EXPECT_EQ(frame->bytes, std::string(100'000, 'x'));
    EXPECT_EQ(frame->size, 300'000u);
    EXPECT_EQ((co_await next_frame(*t))->bytes, "end");
    co_await t->send(writes("endless"), soon());
    frame = co_await next_frame(*t);
    EXPECT_EQ(frame->bytes.size(), 100'000u);
    EXPECT_GT(frame->size, 400'000u);
    EXPECT_EQ((co_await next_frame(*t))->bytes, "too-long");
  });
}

TEST_F(Http, HearsAnAnswerGivenBeforeTheBodyWasRead) {
  serve(
      "  pass\n"
      "def early(c):\n"
      "  c.recv(100)\n"
      "  c.sendall(b'HTTP/1.1 413 Too Large\\r\\nContent-Length: 2\\r\\n\\r\\nno')\n"
      "  time.sleep(60)\n");
  run(loop, [&]() -> awaitable<void> {
    EXPECT_THAT(co_await exchange(writes(std::string(8u << 20, 'x')), soon()),
                ElementsAre("http 413:no", "close:end"));
  });
}

TEST_F(Http, HangsUpOneExchangeAndGoesOnWithTheOthers) {
  serve(
      "  if 'GET' not in head: say(c, body); return\n"
      "  c.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\ndata: "
      "x\\n\\n')\n"
      "  c.recv(1); return False\n");
  run(loop, [&]() -> awaitable<void> {
    Outgoing listening;
    listening.http.method = "GET";
    listening.manner.keep_open = true;
    // The deadline is for the head of the stream only.
    const int number = co_await t->send(std::move(listening), in(milliseconds(500)));
    auto head = co_await next_frame(*t);
    EXPECT_EQ(head->head->status, 200);
    EXPECT_EQ((co_await next_frame(*t))->bytes, "x");
    Arrival nothing = co_await t->receive(in(milliseconds(700)));
    EXPECT_TRUE(std::holds_alternative<Quiet>(nothing));
    t->exchanges()->disconnect(number);
    auto end = co_await next_frame(*t);
    EXPECT_EQ(end->exchange, number);
    EXPECT_EQ(end->bytes, "hung up");
    t->exchanges()->disconnect(number);  // no more than once
    EXPECT_THAT(co_await exchange(writes("y"), soon()), ElementsAre("http 200:y", "close:end"));
  });
}

TEST_F(Http, WithholdsABodyUntilToldToGoOn) {
  serve(
      "  pass\n"
      "def early(c):\n"
      "  head = c.recv(4000)\n"
      "  if b'refuse' in head: say(c, 'no')\n"
      "  elif b'wait' not in head:\n"
      "    c.sendall(b'HTTP/1.1 100 Continue\\r\\n\\r\\n'); body = c.recv(4000)\n"
      "    say(c, ('early' if head.endswith(body) else 'late:') + body.decode(), 'Connection: "
      "close\\r\\n')\n"
      "  time.sleep(60)\n");
  run(loop, [&]() -> awaitable<void> {
    for (const std::string word : {"go", "refuse", "wait"}) {
      Outgoing one = writes("body");
      one.manner.expect_continue = true;
      one.http.headers = {{"X", word}};
      const std::string expected = word == "go"       ? "http 200:late:body"
                                   : word == "refuse" ? "http 200:no"
                                                      : "close:timeout";
      const auto heard = co_await exchange(std::move(one), in(milliseconds(500)));
      EXPECT_EQ(heard.front(), expected);
    }
  });
}

TEST_F(Http, WithholdsNoBodyFromWhoAnswersAsHttp10) {
  serve(
      "  c.sendall(b'HTTP/1.0 200 OK\\r\\n\\r\\n' + body.encode())\n"
      "  return False\n");
  run(loop, [&]() -> awaitable<void> {
    EXPECT_THAT(co_await exchange(writes("x"), soon()), ElementsAre("http 200:x", "close:end"));
    Outgoing one = writes("body");
    one.manner.expect_continue = true;
    EXPECT_THAT(co_await exchange(one, soon()), ElementsAre("http 200:body", "close:end"));
  });
}

TEST_F(Http, ReadsSeveralAnswersFromOneConnection) {
  serve("  say(c, str(c.getpeername()[1]) + ' ' + str(n)); return n < 5\n");
  run(loop, [&]() -> awaitable<void> {
    Outgoing two = writes("xGET / HTTP/1.1\r\n\r\n");
    two.http.headers = {{"Content-Length", "1"}};
    two.manner.answers = 2;
    const auto heard = co_await exchange(two, soon());
    EXPECT_EQ(heard.size(), 3u);
    EXPECT_EQ(heard[0].substr(0, heard[0].size() - 1), heard[1].substr(0, heard[1].size() - 1));
    EXPECT_EQ(heard.back(), "close:end");
  });
}

TEST_F(Http, DestructionInTheMiddleOfAnExchangeIsSafe) {
  serve("  time.sleep(60)\n");
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(writes("x"), soon());
    boost::asio::post(loop, [&] { t.reset(); });
    Arrival arrival = co_await t->receive(soon());
    EXPECT_TRUE(std::holds_alternative<Closed>(arrival));
  });
}

TEST(Request, LetsACaseReplaceOrLeaveOutAnyHeader) {
  const Url url = *parse_url("http://host:81/p?q");
  wire::HttpHead wanted;
  wanted.method = "DELETE";
  wanted.target = "/other";
  wanted.headers = {{"accept", std::string(1, '\0')}, {"USER-AGENT", "x"}, {"A", "1"}, {"A", "2"}};
  EXPECT_EQ(
      request_bytes(url, {{"S", "old"}, {"a", "0"}}, wanted, ""),
      "DELETE /other HTTP/1.1\r\nHost: host:81\r\nS: old\r\nUSER-AGENT: x\r\nA: 1\r\nA: 2\r\n\r\n");
}

TEST(Request, LeavesFramingToASenderOfItsOwnTransferEncoding) {
  wire::HttpHead wanted;
  wanted.headers = {{"transfer-encoding", "chunked"}};
  EXPECT_THAT(request_bytes(*parse_url("http://h"), {}, wanted, "0\r\n\r\n"),
              Not(HasSubstr("Content-Length")));
}

TEST(UrlParsing, TakesAnAddressApart) {
  auto url = parse_url("HTTP://[::1]:8080/a?b#c");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->scheme, "http");
  EXPECT_EQ(url->host, "::1");
  EXPECT_EQ(url->port, 8080);
  EXPECT_EQ(url->authority, "[::1]:8080");
  EXPECT_EQ(url->target, "/a?b");
  EXPECT_EQ(parse_url("http://h?x")->target, "/?x");
  EXPECT_EQ(parse_url("http://h")->port, 80);
}

TEST(UrlParsing, RefusesWhatItCannotUse) {
  for (const char* bad : {"", "host:80", "http://", "http://h:0/", "http://h:65536/", "http://h:x/",
                          "http://u@h/", "http://h/a b", "http://[::1/", "http://h:{port}/"}) {
    EXPECT_FALSE(parse_url(bad)) << bad;
  }
}

// Each answers so many times that it wants to be left alone, and then the request.
TEST_F(Http, AsksAgainWhoWantsToBeLeftAloneForAWhile) {
  limits.courtesy = std::make_shared<Courtesy>(loop.get_executor(), 6);
  serve(
      "  busy = 'HTTP/1.1 %s\\r\\nContent-Length: 4\\r\\n%s\\r\\nbusy'\n"
      "  if body == 'soon' and n < 3:\n"
      "    c.sendall((busy % ('429 Too Many Requests', 'Retry-After: 0\\r\\n')).encode())\n"
      "  elif body == 'down' and n == 4:\n"
      "    c.sendall((busy % ('503 Busy', 'Retry-After: 0\\r\\n')).encode())\n"
      "  elif body == 'broken': c.sendall((busy % ('503 Broken', '')).encode())\n"
      "  elif body == 'late': c.sendall((busy % ('429 Later', 'Retry-After: 60\\r\\n')).encode())\n"
      "  elif body == 'wanted': c.sendall((busy % ('429 Now', '')).encode())\n"
      "  else: say(c, body)\n");
  run(loop, [&]() -> awaitable<void> {
    std::vector<std::string> seen = co_await exchange(writes("soon"), soon());
    EXPECT_THAT(seen, ElementsAre("http 200:soon", "close:end"));
    seen = co_await exchange(writes("down"), soon());
    EXPECT_THAT(seen, ElementsAre("http 200:down", "close:end"));
    seen = co_await exchange(writes("broken"), soon());
    EXPECT_THAT(seen, ElementsAre("http 503:busy", "close:end"));
    seen = co_await exchange(writes("late"), soon());
    EXPECT_THAT(seen, ElementsAre("http 429:busy", "close:end")) << "longer than anybody waits";
    Outgoing wanted = writes("wanted");
    wanted.manner.takes_refusal = true;
    seen = co_await exchange(std::move(wanted), soon());
    EXPECT_THAT(seen, ElementsAre("http 429:busy", "close:end"));
  });
}

// Only who answers behind it has given it no end; who does not may close the connection later.
TEST_F(Http, AsksOnceMoreBehindA202WithoutALength) {
  limits.courtesy = std::make_shared<Courtesy>(loop.get_executor(), 6);
  serve(
      "  if head.startswith('OPTIONS'): return say(c, 'more')\n"
      "  c.sendall(b'HTTP/1.1 %s X\\r\\n\\r\\n' % (b'200' if body == 'other' else b'202'))\n"
      "  if body == 'late': __import__('time').sleep(1.5)\n"
      "  if body in ('late', 'ended'): c.shutdown(2)\n");
  run(loop, [&]() -> awaitable<void> {
    const struct {
      const char* body;
      int wait;
      const char* end;
    } rows[] = {{"note", 5000, "close:no-end"},
                {"ended", 5000, "close:end"},
                {"late", 5000, "close:end"},
                {"late", 800, "close:end"},
                {"other", 800, "close:timeout"}};
    for (const auto& row : rows) {
      const std::vector<std::string> seen =
          co_await exchange(writes(row.body), Clock::now() + milliseconds(row.wait));
      EXPECT_THAT(seen.back(), row.end) << row.body;
      EXPECT_EQ(limits.courtesy->ends_late(), row.wait < 1000) << row.body;
    }
    const Deadline began = Clock::now();
    const std::vector<std::string> seen = co_await exchange(writes("late"), soon());
    EXPECT_THAT(seen, ElementsAre("http 202:", "close:end"));
    EXPECT_LT(Clock::now() - began, milliseconds(1400)) << "it is known to end late";
  });
}

// Two transports of one server: the second connection takes the place of the first, which is idle.
TEST_F(Http, ClosesWhatIsIdleForAPlaceAmongTheConnections) {
  limits.courtesy = std::make_shared<Courtesy>(loop.get_executor(), 1);
  serve("  say(c, body)\n");
  run(loop, [&]() -> awaitable<void> {
    EXPECT_EQ(limits.courtesy->open(), 1);
    auto other = make(loop.get_executor(), service->target(), limits);
    const Deadline began = Clock::now();
    const Status opened = co_await (*other)->open();
    EXPECT_TRUE(opened);
    EXPECT_EQ(limits.courtesy->open(), 1);
    const std::vector<std::string> seen = co_await exchange(writes("hello"), soon());
    EXPECT_THAT(seen, ElementsAre("http 200:hello", "close:end"));
    EXPECT_EQ(limits.courtesy->open(), 1);
    EXPECT_LT(Clock::now() - began, milliseconds(900)) << "nobody waited for a place";
  });
}

TEST(Make, SaysWhatIsNotSupported) {
  boost::asio::io_context loop;
  target::Target target;
  target.url = "gopher://example.org/";
  auto made = make(loop.get_executor(), target);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().text(), HasSubstr("gopher:// is not supported by this build"));
  EXPECT_FALSE(make(loop.get_executor(), target::Target{}));
}

TEST(HttpOpen, SaysWhatToCheck) {
  boost::asio::io_context loop;
  target::Target target;
  target.url = "http://127.0.0.1:1/";
  auto made = make(loop.get_executor(), target);
  run(loop, [&]() -> awaitable<void> {
    Status opened = co_await (*made)->open();
    EXPECT_FALSE(opened);
    if (opened) co_return;
    EXPECT_EQ(opened.error().text(),
              "cannot reach http://127.0.0.1:1: nothing listens there; start the server, or check "
              "the port in the url");
  });
}

}  // namespace
}  // namespace harness::transport
