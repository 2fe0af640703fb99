// SPDX-License-Identifier: Apache-2.0
// The stdio transport against sound and hostile child processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "harness/transport/kinds.h"
#include "harness/transport/testing.h"

namespace harness::transport {
namespace {

using boost::asio::awaitable;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;

class Stdio : public testing::Test {
 protected:
  boost::asio::io_context loop;
  Limits limits;

  std::unique_ptr<Transport> start(const target::Target& target) {
    auto made = make(loop.get_executor(), target, limits);
    EXPECT_TRUE(made);
    std::unique_ptr<Transport> transport = std::move(*made);
    run(loop, [&]() -> awaitable<void> {
      Status opened = co_await transport->open();
      EXPECT_TRUE(opened) << opened.error().text();
    });
    return transport;
  }

  std::string error_of(const target::Target& target) {
    auto made = make(loop.get_executor(), target, limits);
    EXPECT_TRUE(made);
    std::string text;
    run(loop, [&]() -> awaitable<void> {
      Status opened = co_await (*made)->open();
      EXPECT_FALSE(opened);
      if (!opened) text = opened.error().text();
    });
    return text;
  }
};

bool alive(pid_t pid) {
  if (::kill(pid, 0) != 0) return false;
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string all((std::istreambuf_iterator<char>(stat)), {});
  const auto paren = all.rfind(')');
  return paren != std::string::npos && all.compare(paren + 2, 1, "Z") != 0;
}

// Death by SIGKILL is not instant; it is waited for, within reason.
bool dies(pid_t pid) {
  for (int i = 0; i < 2000 && alive(pid); ++i) ::usleep(5000);
  return !alive(pid);
}

TEST_F(Stdio, EchoesLinesAndTellsTheExit) {
  auto t = start(command({"cat"}));
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(writes("one\n", "two\r\n", "\n", "thr", "ee"), soon());
    t->close_input();
    EXPECT_THAT(co_await all_frames(*t),
                ElementsAre("stdout:one", "stdout:two\r", "stdout:", "stdout:three", "exit:exit 0",
                            "closed:exit 0"));
  });
}

// A target that nobody reads any more meets a broken pipe, and its end is still seen.
TEST_F(Stdio, ClosesTheOutputOfATarget) {
  auto t = start(shell("read line; echo heard; read line; exec yes"));
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(writes("a\n"), soon());
    EXPECT_EQ((co_await next_frame(*t))->bytes, "heard");
    t->process()->close_output();
    co_await t->send(writes("b\n"), soon());
    EXPECT_THAT(co_await all_frames(*t), ElementsAre("exit:signal 13", "closed:signal 13"));
  });
}

TEST_F(Stdio, MarksTextWithoutANewline) {
  auto t = start(shell("printf 'a\\nb'"));
  run(loop, [&]() -> awaitable<void> {
    EXPECT_FALSE((co_await next_frame(*t))->unframed);
    auto last = co_await next_frame(*t);
    EXPECT_EQ(last->bytes, "b");
    EXPECT_TRUE(last->unframed);
  });
}

TEST_F(Stdio, NamesExitStatusAndSignal) {
  auto three = start(shell("exit 3"));
  auto killed = start(shell("kill -SEGV $$"));
  run(loop, [&]() -> awaitable<void> {
    EXPECT_THAT(co_await all_frames(*three), ElementsAre("exit:exit 3", "closed:exit 3"));
    EXPECT_THAT(co_await all_frames(*killed), ElementsAre("exit:signal 11", "closed:signal 11"));
  });
}

TEST_F(Stdio, DeliversStderrAsLinesAndAsATail) {
  auto t = start(shell("echo careful >&2; echo now >&2"));
  run(loop, [&]() -> awaitable<void> {
    EXPECT_THAT(co_await all_frames(*t),
                ElementsAre("stderr:careful", "stderr:now", "exit:exit 0", "closed:exit 0"));
  });
  EXPECT_EQ(t->process()->stderr_tail(), "careful\nnow\n");
}

TEST_F(Stdio, GivesTheChildItsDirectoryAndEnvironment) {
  target::Target target = shell("pwd; echo $FRUIT; echo $HOME");
  target.cwd = "/";
  target.env = {{"FRUIT", "plum"}, {"HOME", "/nowhere"}};
  auto t = start(target);
  run(loop, [&]() -> awaitable<void> {
    EXPECT_THAT(co_await all_frames(*t), ElementsAre("stdout:/", "stdout:plum", "stdout:/nowhere",
                                                     "exit:exit 0", "closed:exit 0"));
  });
}

TEST_F(Stdio, FindsTheProgramOnThePathOfTheChild) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("rpcspec-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "only-here") << "#!/bin/sh\necho found\n";
  std::filesystem::permissions(folder / "only-here", std::filesystem::perms::owner_all);
  target::Target target = command({"only-here"});
  target.env = {{"PATH", "/nonexistent:" + folder.string()}};
  auto t = start(target);
  run(loop, [&]() -> awaitable<void> { EXPECT_EQ((co_await next_frame(*t))->bytes, "found"); });
  std::filesystem::remove_all(folder);
}

TEST_F(Stdio, SaysWhyACommandCannotBeStarted) {
  EXPECT_THAT(error_of(command({"no-such-program-anywhere"})),
              HasSubstr("cannot start 'no-such-program-anywhere': no such program on PATH"));
  EXPECT_THAT(error_of(command({"/no/such/file"})), HasSubstr("no such file"));
  EXPECT_THAT(error_of(command({"/etc/passwd"})), HasSubstr("not executable"));
  target::Target lost = command({"cat"});
  lost.cwd = "/no/such/folder";
  EXPECT_THAT(error_of(lost), HasSubstr("set `cwd` to a directory that exists"));
}

TEST_F(Stdio, IsClosedWhenItCouldNotStart) {
  auto made = make(loop.get_executor(), command({"no-such-program-anywhere"}), limits);
  run(loop, [&]() -> awaitable<void> {
    EXPECT_FALSE(co_await (*made)->open());
    co_await (*made)->send(writes("x\n"), soon());
    EXPECT_THAT(co_await all_frames(**made), ElementsAre("closed:not started"));
  });
}

TEST_F(Stdio, StartsTheChildWithDefaultSignals) {
  ::signal(SIGUSR1, SIG_IGN);  // and SIGPIPE is ignored by the transport
  auto t = start(shell("grep -E 'SigIgn|SigBlk' /proc/self/status"));
  run(loop, [&]() -> awaitable<void> {
    EXPECT_THAT((co_await next_frame(*t))->bytes, testing::EndsWith("0000000000000000"));
    EXPECT_THAT((co_await next_frame(*t))->bytes, testing::EndsWith("0000000000000000"));
  });
  ::signal(SIGUSR1, SIG_DFL);
}

// Ctrl-C reaches all of our group; a child is of it until it has one of its own.
TEST_F(Stdio, SparesTheChildWhatWasSentToOurGroup) {
  ::setpgid(0, 0);  // nobody else is meant
  ::signal(SIGUSR1, SIG_IGN);
  const pid_t sender = ::fork();
  if (sender == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) ::kill(0, SIGUSR1);
  }
  for (int i = 0; i < 50; ++i) {
    auto t = start(shell("exit 3"));
    run(loop, [&]() -> awaitable<void> {
      EXPECT_THAT(co_await all_frames(*t), ElementsAre("exit:exit 3", "closed:exit 3"));
    });
  }
  ::kill(sender, SIGKILL);
  ::waitpid(sender, nullptr, 0);
  ::signal(SIGUSR1, SIG_DFL);
}

TEST_F(Stdio, LeaksNoDescriptorsIntoTheChild) {
  auto first = start(command({"cat"}));
  auto t = start(command({"ls", "/proc/self/fd"}));
  run(loop, [&]() -> awaitable<void> {
    // 3 is the directory ls reads.
    EXPECT_THAT(co_await all_frames(*t), ElementsAre("stdout:0", "stdout:1", "stdout:2", "stdout:3",
                                                     "exit:exit 0", "closed:exit 0"));
  });
}

TEST_F(Stdio, CutsALongLineAndTellsItsLength) {
  limits.max_line = 1000;
  auto t = start(python("print('x' * 3000000); print('after')"));
  run(loop, [&]() -> awaitable<void> {
    auto frame = co_await next_frame(*t);
    EXPECT_EQ(frame->bytes, std::string(1000, 'x'));
    EXPECT_EQ(frame->size, 3000000u);
    EXPECT_EQ((co_await next_frame(*t))->bytes, "after");
  });
}

TEST_F(Stdio, HoldsAFloodBackAndLosesNothing) {
  limits.max_queue = 100'000;
  auto t =
      start(python("import sys\n"
                   "for i in range(100000): sys.stdout.write('%d\\n' % i)\n"));
  run(loop, [&]() -> awaitable<void> {
    // While nobody takes frames the queue stays near its bound, and the process waits.
    EXPECT_TRUE(std::holds_alternative<wire::Frame>(co_await t->receive(soon())));
    int expected = 1;
    for (;; ++expected) {
      Arrival arrival = co_await t->receive(soon());
      auto* frame = std::get_if<wire::Frame>(&arrival);
      if (frame == nullptr || frame->channel != wire::Channel::kStdout) break;
      if (frame->bytes != std::to_string(expected)) {
        ADD_FAILURE() << frame->bytes << " where " << expected << " was due";
        break;
      }
    }
    EXPECT_EQ(expected, 100000);
  });
}

TEST_F(Stdio, AFloodOnStderrStallsNothing) {
  auto t =
      start(python("import sys\n"
                   "for i in range(200000): sys.stderr.write('noise %d\\n' % i)\n"
                   "print(sys.stdin.readline().strip())\n"));
  run(loop, [&]() -> awaitable<void> {
    co_await t->send(writes("still here\n"), soon());
    bool seen = false;
    for (const std::string& frame : co_await all_frames(*t)) seen |= frame == "stdout:still here";
    EXPECT_TRUE(seen);
  });
  EXPECT_LE(t->process()->stderr_tail().size(), limits.max_stderr);
  EXPECT_THAT(t->process()->stderr_tail(), testing::EndsWith("noise 199999\n"));
}

TEST_F(Stdio, AnUnreadPipeDelaysSendUntilItsDeadlineOnly) {
  auto t = start(shell("sleep 60"));
  run(loop, [&]() -> awaitable<void> {
    const auto before = Clock::now();
    co_await t->send(writes(std::string(1u << 20, 'x') + "\n"), in(milliseconds(100)));
    EXPECT_GE(Clock::now() - before, milliseconds(100));
    EXPECT_LT(Clock::now() - before, milliseconds(2000));
  });
}

TEST_F(Stdio, AnInterruptedWriteIsFinishedBeforeTheNext) {
  auto t =
      start(python("import sys,time,os,signal\n"
                   "signal.signal(signal.SIGUSR1, lambda *a: None)\n"
                   "print('up', flush=True)\n"
                   "signal.pause()\n"
                   "for line in sys.stdin: print(len(line), line[:3], flush=True)\n"));
  run(loop, [&]() -> awaitable<void> {
    EXPECT_EQ((co_await next_frame(*t))->bytes, "up");
    co_await t->send(writes(std::string(300000, 'x') + "\n"), in(milliseconds(50)));
    t->process()->send_signal(SIGUSR1);
    co_await t->send(writes("yes\n"), soon());
    EXPECT_EQ((co_await next_frame(*t))->bytes, "300001 xxx");
    EXPECT_EQ((co_await next_frame(*t))->bytes, "4 yes");
  });
}

TEST_F(Stdio, TellsWhenTheTargetClosesAStreamAndLivesOn) {
  auto t = start(shell("exec <&- ; echo shut; exec >&-; sleep 60"));
  run(loop, [&]() -> awaitable<void> {
    EXPECT_EQ((co_await next_frame(*t))->bytes, "shut");
    auto frame = co_await next_frame(*t);
    EXPECT_EQ(frame->channel, wire::Channel::kClose);
    EXPECT_EQ(frame->bytes, "stdout");
    co_await t->send(writes("anybody?\n"), soon());
    frame = co_await next_frame(*t);
    EXPECT_EQ(frame->channel, wire::Channel::kClose);
    EXPECT_EQ(frame->bytes, "stdin");
  });
}

TEST_F(Stdio, AGrandchildHoldingStdoutDoesNotHideTheExit) {
  auto t = start(shell("sleep 60 & echo last; exit 4"));
  run(loop, [&]() -> awaitable<void> {
    const auto before = Clock::now();
    EXPECT_THAT(co_await all_frames(*t),
                ElementsAre("stdout:last", "exit:exit 4", "closed:exit 4"));
    EXPECT_LT(Clock::now() - before, milliseconds(3000));
  });
}

TEST_F(Stdio, ShutdownLetsAWellBehavedTargetFinish) {
  auto t = start(shell("cat >/dev/null; echo done; exit 7"));
  run(loop, [&]() -> awaitable<void> {
    co_await t->shutdown(milliseconds(10000));
    EXPECT_THAT(co_await all_frames(*t),
                ElementsAre("stdout:done", "exit:exit 7", "closed:exit 7"));
  });
}

TEST_F(Stdio, ShutdownTerminatesOneThatIgnoresTheEndOfInput) {
  auto t = start(shell("exec sleep 60"));
  run(loop, [&]() -> awaitable<void> {
    co_await t->shutdown(milliseconds(50));
    EXPECT_THAT(co_await all_frames(*t), ElementsAre("exit:signal 15", "closed:signal 15"));
  });
}

TEST_F(Stdio, ShutdownKillsOneThatIgnoresEverything) {
  auto t =
      start(python("import signal,time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
                   "print('up', flush=True)\ntime.sleep(60)"));
  run(loop, [&]() -> awaitable<void> {
    EXPECT_EQ((co_await next_frame(*t))->bytes, "up");
    co_await t->shutdown(milliseconds(50));
    EXPECT_THAT(co_await all_frames(*t), ElementsAre("exit:signal 9", "closed:signal 9"));
  });
}

TEST_F(Stdio, DestructionKillsTheWholeGroup) {
  auto t = start(shell("sleep 60 & echo $$ $!; wait"));
  pid_t child = 0, grandchild = 0;
  run(loop, [&]() -> awaitable<void> {
    auto frame = co_await next_frame(*t);
    EXPECT_EQ(std::sscanf(frame->bytes.c_str(), "%d %d", &child, &grandchild), 2);
  });
  ASSERT_TRUE(alive(child));
  ASSERT_TRUE(alive(grandchild));
  t.reset();
  EXPECT_NE(::kill(child, 0), 0);  // reaped, not only dead
  EXPECT_TRUE(dies(grandchild));
}

TEST_F(Stdio, DestructionInTheMiddleOfReceiveIsSafe) {
  auto t = start(command({"cat"}));
  run(loop, [&]() -> awaitable<void> {
    boost::asio::post(loop, [&] { t.reset(); });
    Arrival arrival = co_await t->receive(soon());
    EXPECT_TRUE(std::holds_alternative<Closed>(arrival));
  });
}

// rpcspec is killed so that no destructor runs; child and grandchild must go too.
TEST_F(Stdio, NothingSurvivesOurOwnViolentDeath) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t victim = ::fork();
  if (victim == 0) {
    boost::asio::io_context own;
    auto made = make(own.get_executor(), shell("sleep 60 & echo $$ $!; wait"));
    run(own, [&]() -> awaitable<void> {
      if (!co_await (*made)->open()) ::_exit(1);
      auto frame = co_await next_frame(**made);
      const std::string line = frame->bytes + "\n";
      (void)!::write(ends[1], line.data(), line.size());
    });
    ::pause();
    ::_exit(0);
  }
  ::close(ends[1]);
  FILE* from = ::fdopen(ends[0], "r");
  pid_t child = 0, grandchild = 0;
  ASSERT_EQ(std::fscanf(from, "%d %d", &child, &grandchild), 2);
  ASSERT_TRUE(alive(grandchild));
  ::kill(victim, SIGKILL);
  ::waitpid(victim, nullptr, 0);
  EXPECT_TRUE(dies(child));
  EXPECT_TRUE(dies(grandchild));
  std::fclose(from);
}

}  // namespace
}  // namespace harness::transport
