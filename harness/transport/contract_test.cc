// SPDX-License-Identifier: Apache-2.0
// What transport.h promises, checked for every transport in the table. One peer program speaks both
// ways, so that a test cannot tell them apart. A new transport adds a row to kTransports.
//
// The peer answers `echo TEXT` with TEXT, `burst N` with N numbers, `silence` with nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/transport/service.h"
#include "harness/transport/testing.h"

namespace harness::transport {
namespace {

using boost::asio::awaitable;
using std::chrono::milliseconds;

const char* const kPeer = R"(
import sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
def answers(line):
    word, _, rest = line.strip().partition(' ')
    if word == 'echo': return [rest]
    if word == 'burst': return [str(i) for i in range(int(rest))]
    return []
class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def log_message(self, *a): pass
    def do_POST(self):
        lines = answers(self.rfile.read(int(self.headers['Content-Length'])).decode())
        if not lines: time.sleep(60)
        body = ''.join('data: %s\n\n' % l for l in lines).encode()
        self.send_response(200)
        self.send_header('Content-Type', 'text/event-stream')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
if len(sys.argv) > 1:
    ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()
for line in sys.stdin:
    for l in answers(line): print(l, flush=True)
)";

struct Row {
  const char* name;
  const char* url;  // "" for stdio
};
constexpr Row kTransports[] = {{"stdio", ""}, {"http", "http://127.0.0.1:{port}/mcp"}};

class TransportContract : public testing::TestWithParam<Row> {
 protected:
  boost::asio::io_context loop;
  std::unique_ptr<Service> service;
  std::unique_ptr<Transport> t;

  void SetUp() override {
    target::Target target = command({"python3", "-c", kPeer});
    target.url = GetParam().url;
    if (!target.stdio()) target.command.push_back("{port}");
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

  static bool is_message(const wire::Frame& frame) {
    return frame.channel == wire::Channel::kStdout || frame.channel == wire::Channel::kSse;
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

INSTANTIATE_TEST_SUITE_P(All, TransportContract, testing::ValuesIn(kTransports),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_P(TransportContract, HasTheNameOfItsRow) { EXPECT_STREQ(t->name(), GetParam().name); }

TEST_P(TransportContract, CarriesAMessageThereAndBack) {
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(writes("echo hello\n"), soon());
    EXPECT_EQ(co_await next_message(), "hello");
  });
}

TEST_P(TransportContract, JoinsTheWritesOfOneSend) {
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(writes("ec", "ho in", " pieces\n"), soon());
    EXPECT_EQ(co_await next_message(), "in pieces");
  });
}

TEST_P(TransportContract, KeepsTheOrderOfArrival) {
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(writes("burst 2000\n"), soon());
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
    co_await t->send(writes("echo " + big + "\n"), soon());
    const std::string text = co_await next_message();
    EXPECT_EQ(text.size(), big.size());
    EXPECT_TRUE(text == big);
  });
}

TEST_P(TransportContract, IsQuietUntilTheDeadlineAndNoLonger) {
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(writes("silence\n"), soon());
    const auto before = Clock::now();
    const bool quiet = co_await is_quiet_for(milliseconds(80));
    EXPECT_TRUE(quiet);
    EXPECT_GE(Clock::now() - before, milliseconds(80));
    EXPECT_LT(Clock::now() - before, milliseconds(2000));
    EXPECT_FALSE(t->has_pending());
  });
}

TEST_P(TransportContract, AnEarlierDeadlineIsKeptAfterALaterOne) {
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(writes("echo x\n"), soon());
    EXPECT_EQ(co_await next_message(), "x");  // waited with a far deadline
    const auto before = Clock::now();
    const bool quiet = co_await is_quiet_for(milliseconds(30));
    EXPECT_TRUE(quiet);
    EXPECT_LT(Clock::now() - before, milliseconds(2000));
  });
}

TEST_P(TransportContract, APassedDeadlineStillTakesWhatIsThere) {
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(writes("burst 3\n"), soon());
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
    co_await t->send(writes("echo four\n"), soon());
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
    co_await t->send(writes("echo x\n"), soon());
    for (int i = 0; i < 2; ++i) {
      auto frames = co_await all_frames(*t);
      EXPECT_THAT(frames.back(), testing::StartsWith("closed:"));
    }
  });
}

TEST_P(TransportContract, LeavesNothingInTheLoopWhenDestroyed) {
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(writes("silence\n"), soon());
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
