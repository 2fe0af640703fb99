// SPDX-License-Identifier: Apache-2.0
// Peers that do what no server should, over TLS and WebSocket: each ends with words a user can act
// on or with a verdict, in bounded time and memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "harness/transport/certificate_testing.h"
#include "harness/transport/service.h"
#include "harness/transport/testing.h"
#include "harness/transport/websocket_frame.h"

namespace harness::transport {
namespace {

using boost::asio::awaitable;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// talk(c) is called for every connection; the script defines it. `upgrade(c)` does the WebSocket
// handshake.
const char* const kPeer = R"(
import base64, hashlib, socket, ssl, struct, sys, threading, time
folder, port = sys.argv[1:]
def tls():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder + '/cert.pem', folder + '/key.pem')
    return context
def reset(c):
    c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0)); c.close()
def head(c):
    data = b''
    while b'\r\n\r\n' not in data:
        more = c.recv(65536)
        if not more: sys.exit()
        data += more
    return data.decode('latin1')
def upgrade(c, extra=''):
    key = [l.split(':')[1].strip() for l in head(c).split('\r\n') if l.lower().startswith('sec-websocket-key')]
    accept = base64.b64encode(hashlib.sha1((key[0] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').encode()).digest())
    c.sendall(b'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
              + extra.encode() + b'Sec-WebSocket-Accept: ' + accept + b'\r\n\r\n')
def run(c):
    try: talk(c)
    except OSError: pass
s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(('127.0.0.1', int(port))); s.listen(64)
while True: threading.Thread(target=run, args=(s.accept()[0],), daemon=True).start()
)";

class Hostile : public testing::Test {
 protected:
  boost::asio::io_context loop;
  Limits limits;
  std::unique_ptr<Service> service;
  std::unique_ptr<Transport> t;
  std::string folder = testing::TempDir() + "rpcspec-XXXXXX";

  void SetUp() override { ASSERT_NE(mkdtemp(folder.data()), nullptr); }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void certificate(const std::string& names, long from = -3600, long to = 3600) {
    tls.ca = make_certificate(folder, names, from, to).cert;
  }

  // What open() says of a peer whose talk() is this; "" when nothing is wrong.
  std::string opened(const std::string& url, const std::string& talk) {
    std::string said;
    target::Target target =
        command({"python3", "-c", "def talk(c):\n" + talk + kPeer, folder, "{port}"});
    target.url = url;
    target.tls = tls;
    run(loop, [&]() -> awaitable<void> {
      auto started = co_await Service::start(loop.get_executor(), target, soon());
      EXPECT_TRUE(started) << started.error().text();
      if (!started) co_return;
      service = std::move(*started);
      auto made = make(loop.get_executor(), service->target(), limits);
      EXPECT_TRUE(made) << made.error().text();
      if (!made) co_return;
      t = std::move(*made);
      Status done = co_await t->open();
      if (!done) said = done.error().text();
    });
    return said;
  }

  // Everything that arrives at an open WebSocket.
  std::vector<std::string> received() {
    std::vector<std::string> frames;
    run(loop, [&]() -> awaitable<void> { frames = co_await all_frames(*t); });
    return frames;
  }

  target::Tls tls;
};

constexpr const char* kWss = "wss://127.0.0.1:{port}/";
constexpr const char* kHttps = "https://localhost:{port}/";
constexpr const char* kWs = "ws://127.0.0.1:{port}/x";
constexpr const char* kServeTls = "  c = tls().wrap_socket(c, server_side=True); c.recv(1)\n";

TEST_F(Hostile, ACertificateThatNobodyVouchesForIsRefused) {
  certificate("DNS:localhost");
  tls.ca.clear();
  const std::string said = opened(kHttps, kServeTls);
  EXPECT_THAT(said, HasSubstr("the server's certificate is not trusted: self"));
  EXPECT_THAT(said, HasSubstr("tls: {ca: FILE}"));
}

TEST_F(Hostile, ACertificateOfSomebodyElseIsRefused) {
  certificate("DNS:example.org,IP:127.0.0.2");
  EXPECT_THAT(opened(kHttps, kServeTls),
              HasSubstr("the server's certificate is not for localhost"));
  EXPECT_THAT(opened(kWss, kServeTls), HasSubstr("the server's certificate is not for 127.0.0.1"));
}

TEST_F(Hostile, AnExpiredCertificateIsRefused) {
  certificate("DNS:localhost", -7200, -3600);
  EXPECT_THAT(opened(kHttps, kServeTls), HasSubstr("the server's certificate has expired"));
}

TEST_F(Hostile, AnyCertificateWillDoWhenAsked) {
  certificate("DNS:example.org", -7200, -3600);
  tls = {};
  tls.insecure = true;
  EXPECT_EQ(opened(kHttps, kServeTls), "");
}

TEST_F(Hostile, PlainHttpOnATlsPortIsSaid) {
  certificate("DNS:localhost");
  EXPECT_THAT(opened(kHttps, "  c.recv(1); c.sendall(b'HTTP/1.1 400 Bad Request\\r\\n\\r\\n')\n"),
              HasSubstr("the peer does not speak TLS; write http:// or ws://"));
}

TEST_F(Hostile, AHandshakeThatIsRefusedIsSaid) {
  certificate("DNS:localhost");
  EXPECT_THAT(opened(kHttps, "  c.recv(9); c.close()\n"), HasSubstr("TLS handshake"));
  // A fatal alert: handshake_failure.
  EXPECT_THAT(opened(kHttps, "  c.recv(9999); c.sendall(bytes.fromhex('15030300020228'))\n"),
              HasSubstr("the TLS handshake was refused"));
}

TEST_F(Hostile, ATlsPeerThatStallsIsGivenUp) {
  certificate("DNS:localhost");
  limits.open = std::chrono::milliseconds(1500);
  const auto before = Clock::now();
  EXPECT_THAT(opened(kHttps, "  c.recv(1); time.sleep(60)\n"),
              HasSubstr("the TLS handshake was not finished in time"));
  EXPECT_LT(Clock::now() - before, std::chrono::seconds(8));
}

TEST_F(Hostile, ARedirectIsNotFollowed) {
  EXPECT_THAT(opened(kWs,
                     "  head(c); c.sendall(b'HTTP/1.1 302 Found\\r\\nLocation: ws://a.example/"
                     "\\r\\n\\r\\n')\n"),
              HasSubstr("with HTTP 302 to ws://a.example/, which rpcspec does not follow"));
}

TEST_F(Hostile, AnEndlessHeaderIsGivenUp) {
  EXPECT_THAT(opened(kWs,
                     "  head(c); c.sendall(b'HTTP/1.1 101 Switching Protocols\\r\\n')\n"
                     "  while True: c.sendall(b'X-More: 1234567890\\r\\n')\n"),
              HasSubstr("is not HTTP"));
}

TEST_F(Hostile, ASlowHandshakeIsGivenUp) {
  limits.open = std::chrono::milliseconds(1500);
  const auto before = Clock::now();
  EXPECT_THAT(opened(kWs,
                     "  head(c)\n"
                     "  while True: c.sendall(b'H'); time.sleep(0.2)\n"),
              HasSubstr("did not finish the WebSocket handshake in time"));
  EXPECT_LT(Clock::now() - before, std::chrono::seconds(8));
}

TEST_F(Hostile, AnExtensionNobodyOfferedIsRefused) {
  EXPECT_THAT(opened(kWs, "  upgrade(c, 'Sec-WebSocket-Extensions: permessage-deflate\\r\\n')\n"),
              HasSubstr("chose a WebSocket extension that was not offered"));
}

TEST_F(Hostile, AnAcceptOfSomethingElseIsToldByItsBytes) {
  EXPECT_EQ(opened(kWs,
                   "  head(c); c.sendall(b'HTTP/1.1 101 OK\\r\\nUpgrade: websocket\\r\\n"
                   "Sec-WebSocket-Accept: abc\\r\\n\\r\\n')\n"),
            "");
  EXPECT_THAT(received(), ElementsAre(HasSubstr("Sec-WebSocket-Accept: abc"),
                                      HasSubstr("close:closed by rpcspec"),
                                      HasSubstr("closed:closed by rpcspec")));
}

TEST_F(Hostile, AFrameOf2To63BytesEndsTheConnection) {
  ASSERT_EQ(opened(kWs,
                   "  upgrade(c); c.sendall(bytes.fromhex('817f8000000000000000') + b'x' * 99);"
                   " c.recv(99)\n"),
            "");
  EXPECT_EQ(received().back(), "closed:protocol error: a frame of 2^63 bytes or more");
}

TEST_F(Hostile, AMessageBeyondAllBoundsEndsTheConnection) {
  limits.max_line = 1000;
  ASSERT_EQ(opened(kWs,
                   "  upgrade(c); c.sendall(b'\\x81\\x02hi'"
                   " + bytes.fromhex('817f4000000000000000')); c.recv(99)\n"),
            "");
  const auto frames = received();
  EXPECT_EQ(frames.front(), "socket:hi");
  EXPECT_THAT(frames.back(), StartsWith("closed:too big: a message of at least 46116860"));
}

TEST_F(Hostile, PingsAndPongsAreTold) {
  ASSERT_EQ(opened(kWs,
                   "  upgrade(c); c.sendall(b'\\x89\\x01p\\x8a\\x01q\\x81\\x02hi')\n"
                   "  time.sleep(0.1); reset(c)\n"),
            "");
  const auto frames = received();
  ASSERT_GE(frames.size(), 3U);
  EXPECT_EQ(frames[0], "ping:p");
  EXPECT_EQ(frames[1], "pong:q");
  EXPECT_EQ(frames[2], "socket:hi");
}

TEST_F(Hostile, AFloodOfPingsStopsNeitherSendingNorReceiving) {
  ASSERT_EQ(opened(kWs,
                   "  upgrade(c)\n"
                   "  def flood():\n"
                   "    while True: c.sendall(b'\\x89\\x04ping' * 1000)\n"
                   "  threading.Thread(target=flood, daemon=True).start()\n"
                   "  seen = b''\n"
                   "  while b'hello' not in seen: seen = seen[-9:] + c.recv(65536)\n"
                   "  reset(c)\n"),
            "");
  run(loop, [&]() -> awaitable<void> {
    WebsocketFrame frame;
    frame.payload = "hello";
    Outgoing hello = writes(to_bytes(frame, 0));
    co_await t->send(hello, soon());
  });
  // It hung up, so it has seen our message.
  EXPECT_THAT(received().back(), testing::ContainsRegex("^closed:(reset|eof)"));
}

TEST_F(Hostile, AResetInTheMiddleOfAMessageIsSaid) {
  ASSERT_EQ(opened(kWs, "  upgrade(c); c.sendall(b'\\x81\\x05hel'); time.sleep(0.2); reset(c)\n"),
            "");
  EXPECT_EQ(received().back(), "closed:reset inside a message");
}

TEST_F(Hostile, TheCloseCodeIsTold) {
  ASSERT_EQ(
      opened(kWs, "  upgrade(c); c.sendall(bytes.fromhex('880503f1') + b'big'); c.recv(99)\n"), "");
  EXPECT_EQ(received(),
            (std::vector<std::string>{"close:close 1009 big", "closed:close 1009 big"}));
}

TEST_F(Hostile, APeerThatReadsNothingIsGivenUpAtTheDeadline) {
  ASSERT_EQ(opened(kWs, "  upgrade(c); time.sleep(60)\n"), "");
  const auto before = Clock::now();
  run(loop, [&]() -> awaitable<void> {
    Outgoing big = writes(t->frame(std::string(32u << 20, 'x')));
    co_await t->send(big, in(milliseconds(300)));
    co_await t->shutdown(milliseconds(300));
  });
  EXPECT_LT(Clock::now() - before, std::chrono::seconds(5));
}

// ---- frames, without a connection

std::vector<std::string> events(std::string_view bytes, std::size_t each) {
  WebsocketReader reader(1000);
  std::vector<std::string> out;
  for (std::size_t at = 0; at < bytes.size(); at += each) {
    reader.give(bytes.substr(at, each));
    while (auto event = reader.next()) {
      static const char* const kNames[] = {"message", "ping", "pong", "close", "broken"};
      out.push_back(std::string(kNames[static_cast<int>(event->kind)]) +
                    (event->binary ? " binary" : "") + (event->masked ? " masked" : "") +
                    (event->code ? " " + std::to_string(event->code) : "") + ":" + event->bytes);
    }
  }
  return out;
}

TEST(WebsocketReading, CutsAnywhere) {
  WebsocketFrame masked;
  masked.payload = "masked";
  const std::string bytes = std::string(
                                "\x01\x02he\x89\x01p\x80\x03llo\x82\x01"
                                "b",
                                15) +
                            to_bytes(masked, 0x12345678) + std::string("\x88\x00", 2);
  for (std::size_t each = 1; each <= bytes.size(); ++each) {
    EXPECT_THAT(events(bytes, each),
                testing::ElementsAre("ping:p", "message:hello", "message binary:b",
                                     "message masked:masked", "close:"));
  }
}

TEST(WebsocketReading, StopsAtWhatIsNoFrame) {
  const std::pair<std::string, const char*> kRows[] = {
      {std::string("\xc1\x00", 2), "broken 1002:a frame with reserved bits"},
      {std::string("\x83\x00", 2), "broken 1002:a frame with the unknown opcode 3"},
      {std::string("\x8b\x00", 2), "broken 1002:a frame with the unknown opcode 11"},
      {std::string("\x09\x00", 2), "broken 1002:a control frame that is fragmented or too long"},
      {std::string("\x80\x00", 2), "broken 1002:a continuation of nothing"},
      {std::string("\x01\x00\x81\x00", 4),
       "broken 1002:a new message before the last fragment of another"},
  };
  for (const auto& [bytes, said] : kRows) {
    EXPECT_THAT(events(bytes + "more", 1), testing::ElementsAre(said));
  }
}

TEST(WebsocketAccept, IsThatOfTheStandard) {
  EXPECT_EQ(websocket_accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

}  // namespace
}  // namespace harness::transport
