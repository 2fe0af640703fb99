// SPDX-License-Identifier: Apache-2.0
// What transport.h promises, checked for every transport in the table. One peer program speaks all
// ways, so that a test cannot tell them apart. A new transport adds a row to kTransports.
//
// The peer answers `echo TEXT` with TEXT, `burst N` with N numbers, `silence` with nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "harness/transport/service.h"
#include "harness/transport/testing.h"
#include "harness/transport/certificate_testing.h"

namespace harness::transport {
namespace {

using boost::asio::awaitable;
using std::chrono::milliseconds;

const char* const kPeer = R"(
import base64, hashlib, os, socket, ssl, struct, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
def answers(line):
    word, _, rest = line.strip().partition(' ')
    if word == 'echo': return [rest]
    if word == 'burst': return [str(i) for i in range(int(rest))]
    return []
streams = []
writing = threading.Lock()  # two threads must not write to one TLS connection at once
class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def log_message(self, *a): pass
    def do_GET(self):
        self.close_connection = True
        self.send_response(200)
        self.send_header('Content-Type', 'text/event-stream')
        self.end_headers()
        streams.append(self.wfile)
        with writing: self.wfile.write(b'event: endpoint\ndata: /message?stream=%d\n\n' % (len(streams) - 1))
        time.sleep(600)
    def do_POST(self):
        lines = answers(self.rfile.read(int(self.headers['Content-Length'])).decode())
        if kind in ('sse', 'sses'):
            self.send_response(202)
            self.send_header('Content-Length', '0')
            self.end_headers()
            stream = streams[int(self.path.split('=')[1])]
            with writing: return [stream.write(b'data: %s\n\n' % l.encode()) for l in lines]
        if not lines: time.sleep(60)
        body = ''.join('data: %s\n\n' % l for l in lines).encode()
        self.send_response(200)
        self.send_header('Content-Type', 'text/event-stream')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
def messages(source, framing):
    if framing == 'line': yield from source
    while framing != 'line':
        header = source.readline()
        if not header: return
        assert source.readline() == b'\r\n'
        yield source.read(int(header.split(b':')[1]))
def talk(source, sink, framing):
    for message in messages(source, framing):
        for l in answers(message.decode()):
            l = l.encode()
            sink.write(l + b'\n' if framing == 'line' else b'Content-Length: %d\r\n\r\n' % len(l) + l)
            sink.flush()
def upgrade(source, sink):
    key = ''
    for line in iter(source.readline, b'\r\n'):
        name, _, value = line.decode().partition(':')
        if name.lower() == 'sec-websocket-key': key = value.strip()
    accept = hashlib.sha1((key + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').encode()).digest()
    sink.write(b'HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nConnection: Upgrade\r\n'
               b'Sec-WebSocket-Accept: ' + base64.b64encode(accept) + b'\r\n\r\n')
    sink.flush()
def send_frame(sink, opcode, payload):
    n = len(payload)
    size = bytes([n]) if n < 126 else struct.pack('>BH', 126, n) if n < 65536 else struct.pack('>BQ', 127, n)
    sink.write(bytes([128 | opcode]) + size + payload)
    sink.flush()
def talk_frames(source, sink):
    upgrade(source, sink)
    while True:
        head = source.read(2)
        if len(head) < 2: return
        assert head[0] >> 4 == 8 and head[1] & 128
        n = head[1] & 127
        if n == 126: n, = struct.unpack('>H', source.read(2))
        if n == 127: n, = struct.unpack('>Q', source.read(8))
        mask = source.read(4)
        payload = source.read(n)
        whole = int.from_bytes(payload, 'big') ^ int.from_bytes((mask * (n // 4 + 1))[:n], 'big')
        payload = whole.to_bytes(n, 'big')
        if head[0] & 15 == 8: return send_frame(sink, 8, payload)
        for l in answers(payload.decode()): send_frame(sink, 1, l.encode())
def serve(connection, framing):
    with connection:
        if tls: connection = tls.wrap_socket(connection, server_side=True)
        source, sink = connection.makefile('rb'), connection.makefile('wb')
        if kind in ('ws', 'wss'): talk_frames(source, sink)
        else: talk(source, sink, framing)
kind, framing, place, folder = sys.argv[1:]
tls = None
if kind in ('https', 'sses', 'wss'):
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(folder + '/cert.pem', folder + '/key.pem')
if kind in ('http', 'https', 'sse', 'sses'):
    server = ThreadingHTTPServer(('127.0.0.1', int(place)), Handler)
    # In the thread of the connection: one that says nothing keeps nobody waiting.
    if tls: server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.serve_forever()
if kind == 'stdio': sys.exit(talk(sys.stdin.buffer, sys.stdout.buffer, framing))
if kind in ('tcp', 'ws', 'wss'): listener = socket.create_server(('127.0.0.1', int(place)))
if kind == 'unix':
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(place)
    listener.listen()
while True:
    threading.Thread(target=serve, args=(listener.accept()[0], framing), daemon=True).start()
)";

struct Row {
  const char* name;
  const char* kind;   // for the peer
  const char* place;  // likewise
  const char* url;    // "" for stdio
  target::Framing framing = target::Framing::kLine;
};
constexpr auto kContentLength = target::Framing::kContentLength;
constexpr Row kTransports[] = {
    {"stdio", "stdio", "-", ""},
    {"stdio+content-length", "stdio", "-", "", kContentLength},
    {"tcp", "tcp", "{port}", "tcp://127.0.0.1:{port}"},
    {"tcp", "tcp", "{port}", "tcp://localhost:{port}", kContentLength},
    {"unix", "unix", "{folder}/{port}", "unix:{folder}/{port}"},
    {"unix", "unix", "{folder}/{port}", "unix:{folder}/{port}", kContentLength},
    {"http", "http", "{port}", "http://127.0.0.1:{port}/mcp"},
    {"http", "https", "{port}", "https://localhost:{port}/mcp"},
    {"http+sse", "sse", "{port}", "http://localhost:{port}/sse"},
    {"http+sse", "sses", "{port}", "https://localhost:{port}/sse"},
    {"websocket", "ws", "{port}", "ws://localhost:{port}/mcp"},
    {"websocket", "wss", "{port}", "wss://127.0.0.1:{port}/mcp"},
};

// gtest knows tests by letters and digits.
std::string test_name(const testing::TestParamInfo<Row>& row) {
  const bool line = row.param.framing == target::Framing::kLine;
  return row.param.kind + std::string(line ? "" : "_content_length");
}

class TransportContract : public testing::TestWithParam<Row> {
 protected:
  boost::asio::io_context loop;
  std::unique_ptr<Service> service;
  std::unique_ptr<Transport> t;
  std::string folder = testing::TempDir() + "rpcspec-XXXXXX";

  void SetUp() override {
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    const bool line = GetParam().framing == target::Framing::kLine;
    target::Target target =
        command({"python3", "-c", kPeer, GetParam().kind, line ? "line" : "content-length",
                 placed(GetParam().place), folder});
    target.url = placed(GetParam().url);
    target.framing = GetParam().framing;
    target.sse = std::string_view(GetParam().kind).starts_with("sse");
    target.tls.ca = make_certificate(folder, "IP:127.0.0.1,DNS:localhost").cert;
    run(loop, [&]() -> awaitable<void> {
      if (!target.stdio()) {
        auto started = co_await Service::start(loop.get_executor(), target, soon());
        EXPECT_TRUE(started) << started.error().text();
        if (!started) co_return;
        service = std::move(*started);
        target = service->target();
      }
      auto made = make(loop.get_executor(), target);
      EXPECT_TRUE(made);
      t = std::move(*made);
      Status opened = co_await t->open();
      EXPECT_TRUE(opened);
    });
    ASSERT_NE(t, nullptr);
  }

  std::string placed(std::string text) const {
    const std::string mark = "{folder}";
    const std::size_t at = text.find(mark);
    return at == std::string::npos ? text : text.replace(at, mark.size(), folder);
  }

  void TearDown() override { std::filesystem::remove_all(folder); }

  // A message as the transport carries it, in one write.
  Outgoing message(const std::string& text) const { return writes(t->frame(text)); }

  static bool is_message(const wire::Frame& frame) {
    if (frame.channel == wire::Channel::kSse)
      return !frame.head || frame.head->header("event") == nullptr;
    return frame.channel == wire::Channel::kStdout || frame.channel == wire::Channel::kSocket;
  }

  // The next frame that is somebody's message; heads and ends of exchanges are passed over.
  awaitable<std::string> next_message() {
    for (;;) {
      auto frame = co_await next_frame(*t);
      if (!frame) co_return "nothing";
      if (is_message(*frame)) co_return frame->bytes;
    }
  }

  // Everything but messages that is still on its way for `time`.
  awaitable<bool> is_quiet_for(milliseconds time) {
    const Deadline deadline = in(time);
    for (;;) {
      Arrival arrival = co_await t->receive(deadline);
      if (std::holds_alternative<Quiet>(arrival)) co_return true;
      auto* frame = std::get_if<wire::Frame>(&arrival);
      if (frame == nullptr || is_message(*frame)) co_return false;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(All, TransportContract, testing::ValuesIn(kTransports), test_name);

TEST_P(TransportContract, HasTheKindOfItsRow) {
  EXPECT_STREQ(wire::transport_name(t->kind()), GetParam().name);
}

TEST_P(TransportContract, HasTheInterfacesThatItsTraitsPromise) {
  const wire::TransportTraits& traits = t->traits();
  EXPECT_EQ(t->exchanges() != nullptr, traits.http);
  EXPECT_EQ(t->process() != nullptr, traits.process);
  EXPECT_EQ(t->upgrades() != nullptr, traits.frames);
}

TEST_P(TransportContract, CarriesAMessageThereAndBack) {
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(message("echo hello"), soon());
    EXPECT_EQ(co_await next_message(), "hello");
  });
}

TEST_P(TransportContract, JoinsTheWritesOfOneSend) {
  run(loop, [&]() -> awaitable<void> {
    const std::string bytes = t->frame("echo in pieces");
    const Outgoing pieces = writes(bytes.substr(0, 2), bytes.substr(2, 7), bytes.substr(9));
    co_await t->send(pieces, soon());
    EXPECT_EQ(co_await next_message(), "in pieces");
  });
}

TEST_P(TransportContract, KeepsTheOrderOfArrival) {
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(message("burst 2000"), soon());
    for (int i = 0; i < 2000; ++i) {
      const std::string text = co_await next_message();
      if (text != std::to_string(i)) {
        ADD_FAILURE() << text << " where " << i << " was due";
        break;
      }
    }
  });
}

TEST_P(TransportContract, CarriesAMegabyte) {
  run(loop, [&]() -> awaitable<void> {
    const std::string big(1u << 20, 'x');
    co_await t->send(message("echo " + big), soon());
    const std::string text = co_await next_message();
    EXPECT_EQ(text.size(), big.size());
    EXPECT_TRUE(text == big);
  });
}

TEST_P(TransportContract, IsQuietUntilTheDeadlineAndNoLonger) {
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(message("silence"), soon());
    const auto before = Clock::now();
    const bool quiet = co_await is_quiet_for(milliseconds(80));
    EXPECT_TRUE(quiet);
    EXPECT_GE(Clock::now() - before, milliseconds(80));
    EXPECT_LT(Clock::now() - before, milliseconds(2000));
    EXPECT_FALSE(t->poll());
  });
}

TEST_P(TransportContract, AnEarlierDeadlineIsKeptAfterALaterOne) {
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(message("echo x"), soon());
    EXPECT_EQ(co_await next_message(), "x");  // waited with a far deadline
    const auto before = Clock::now();
    const bool quiet = co_await is_quiet_for(milliseconds(30));
    EXPECT_TRUE(quiet);
    EXPECT_LT(Clock::now() - before, milliseconds(2000));
  });
}

TEST_P(TransportContract, APassedDeadlineStillTakesWhatIsThere) {
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(message("burst 3"), soon());
    EXPECT_EQ(co_await next_message(), "0");
    // Polling must let the readers work, or this would go on for ever.
    int more = 0;
    const Deadline limit = soon();
    while (more < 2 && Clock::now() < limit) {
      Arrival arrival = co_await t->receive(Clock::now());
      if (auto* frame = std::get_if<wire::Frame>(&arrival)) more += is_message(*frame) ? 1 : 0;
    }
    EXPECT_EQ(more, 2);
  });
}

TEST_P(TransportContract, FramesAreReceivedAndSayTheirSize) {
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(message("echo four"), soon());
    for (bool seen = false; !seen;) {
      auto frame = co_await next_frame(*t);
      if (!frame) break;
      EXPECT_EQ(frame->direction, wire::Direction::kReceived);
      EXPECT_EQ(frame->size, frame->bytes.size());
      EXPECT_FALSE(frame->unframed);
      seen = is_message(*frame);
    }
  });
}

TEST_P(TransportContract, IsClosedAfterShutdownHoweverOftenItIsAsked) {
  run(loop, [&]() -> awaitable<void> {
    co_await t->shutdown(milliseconds(2000));
    co_await t->shutdown(milliseconds(2000));
    co_await t->send(message("echo x"), soon());
    for (int i = 0; i < 2; ++i) {
      auto frames = co_await all_frames(*t);
      EXPECT_THAT(frames.back(), testing::StartsWith("closed:"));
    }
  });
}

TEST_P(TransportContract, LeavesNothingInTheLoopWhenDestroyed) {
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(message("silence"), soon());
    Arrival arrival = co_await t->receive(in(milliseconds(10)));
    EXPECT_FALSE(std::holds_alternative<Closed>(arrival));
  });
  t.reset();
  service.reset();
  const auto before = Clock::now();
  loop.restart();
  loop.run();
  EXPECT_LT(Clock::now() - before, milliseconds(2000));
}

}  // namespace
}  // namespace harness::transport
