// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/child.h"
#include "harness/base/os.h"
#include "harness/transport/testing.h"

namespace harness::transport {
namespace {

using boost::asio::awaitable;
using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ServiceStart : public testing::Test {
 protected:
  boost::asio::io_context loop;
  std::unique_ptr<Service> service;
  std::string error;

  void start(target::Target target, Deadline deadline = soon()) {
    if (target.url.empty()) target.url = "http://127.0.0.1:{port}/";
    run(loop, [&]() -> awaitable<void> {
      auto started = co_await Service::start(loop.get_executor(), target, deadline);
      if (started) {
        service = std::move(*started);
      } else {
        error = started.error().text();
      }
    });
  }
};

const char* const kListen =
    "import socket,sys,time\n"
    "s = socket.socket(); s.bind(('127.0.0.1', int(sys.argv[1]))); s.listen()\n"
    "time.sleep(60)\n";

TEST_F(ServiceStart, WaitsUntilTheUrlAccepts) {
  start(command(
      {"python3", "-c", std::string("import time; time.sleep(0.1)\n") + kListen, "{port}"}));
  ASSERT_NE(service, nullptr) << error;
  EXPECT_THAT(service->target().url, Not(HasSubstr("{port}")));
  EXPECT_EQ(service->target().url, "http://127.0.0.1:" + service->target().command.back() + "/");
  EXPECT_EQ(service->ending(), "");
}

TEST_F(ServiceStart, ADeadProcessIsAnErrorWithItsLastWords) {
  start(shell("echo config missing >&2; exit 3"));
  EXPECT_THAT(error, AllOf(HasSubstr("'sh' ended (exit 3)"), HasSubstr("config missing")));
}

TEST_F(ServiceStart, OneThatNeverListensIsGivenUpAtTheDeadline) {
  start(shell("echo thinking; sleep 60"), in(milliseconds(300)));
  EXPECT_THAT(error, AllOf(HasSubstr("accepts no connection"), HasSubstr("thinking")));
}

TEST_F(ServiceStart, DoesNotMistakeAStrangerForTheTarget) {
  start(command({"python3", "-c", kListen, "{port}"}));
  ASSERT_NE(service, nullptr) << error;
  auto stranger = std::move(service);
  target::Target second = shell("sleep 60");
  second.url = stranger->target().url;
  start(second);
  EXPECT_THAT(error, HasSubstr("something listens on"));
}

TEST_F(ServiceStart, ClaimsItsPortForAsLongAsItLives) {
  start(command({"python3", "-c", kListen, "{port}"}));
  ASSERT_NE(service, nullptr) << error;
  // As another process sees it.
  const auto claimed = [port = service->target().command.back()] {
    const auto work = [&] { return std::to_string(os::claim("rpcspec-port-" + port)); };
    return *run_in_child(work, std::chrono::seconds(10)) == "-1";
  };
  EXPECT_TRUE(claimed());
  service.reset();
  loop.restart();
  loop.poll();  // what reads its output holds it too
  EXPECT_FALSE(claimed());
}

TEST_F(ServiceStart, SaysThatTheCommandCannotBeStarted) {
  start(command({"no-such-program-anywhere"}));
  EXPECT_THAT(error, HasSubstr("no such program on PATH"));
}

TEST_F(ServiceStart, StopsTheProcessAndAnswersWithItsPortNoMore) {
  start(command({"python3", "-c", kListen, "{port}"}));
  ASSERT_NE(service, nullptr) << error;
  const target::Target target = service->target();
  service.reset();
  auto made = make(loop.get_executor(), target);
  run(loop, [&]() -> awaitable<void> {
    Status opened = co_await (*made)->open();
    EXPECT_FALSE(opened);
  });
}

TEST_F(ServiceStart, KnowsWhetherItAcceptsAndWhenItEnds) {
  start(command({"python3", "-c", kListen, "{port}"}));
  ASSERT_NE(service, nullptr) << error;
  run(loop, [&]() -> awaitable<void> {
    const bool accepts = co_await service->accepts();
    EXPECT_TRUE(accepts);
    const bool ended = co_await service->wait(Clock::now() + std::chrono::milliseconds(20));
    EXPECT_FALSE(ended);
    ::kill(service->process_group(), SIGKILL);
    const bool killed = co_await service->wait(Clock::now() + std::chrono::seconds(10));
    EXPECT_TRUE(killed);
    const bool still = co_await service->accepts();
    EXPECT_FALSE(still);
  });
  EXPECT_EQ(service->ending(), "signal 9");
}

TEST_F(ServiceStart, AFloodOfOutputDoesNotBlockIt) {
  start(command({"python3", "-c",
                 std::string("import sys\nfor i in range(20000): print('line', i)\n"
                             "sys.stdout.flush()\n") +
                     kListen,
                 "{port}"}));
  ASSERT_NE(service, nullptr) << error;
  EXPECT_THAT(service->output_tail(), testing::EndsWith("line 19999\n"));
  EXPECT_LE(service->output_tail().size(), 64u << 10);
}

}  // namespace
}  // namespace harness::transport
