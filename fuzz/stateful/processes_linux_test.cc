// SPDX-License-Identifier: Apache-2.0
#include "fuzz/stateful/processes.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <thread>

namespace fuzz {
namespace {

// Other tests run in the group this one was started in, and come and go.
pid_t own_group() {
  setpgid(0, 0);
  return getpgrp();
}

TEST(Processes, SeeMemoryDescriptorsAndThreadsOfOneOfThem) {
  const Processes ours(own_group());
  ASSERT_FALSE(ours.empty());
  const auto before = ours.usage();
  ASSERT_TRUE(before.has_value());
  constexpr std::size_t kSize = 32u << 20;
  const std::unique_ptr<char[]> memory(new char[kSize]);
  std::memset(memory.get(), 1, kSize);
  const int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(file, 0);
  std::optional<Usage> after;
  std::thread([&] { after = ours.usage(); }).join();
  close(file);
  ASSERT_TRUE(after.has_value());
  EXPECT_GT(after->memory - before->memory, 0.9 * kSize);
  EXPECT_GE(after->descriptors, before->descriptors + 1);
  EXPECT_GE(after->threads, before->threads + 1);
}

TEST(Processes, TellTheTimeTheyWorked) {
  const Processes ours(own_group());
  const auto before = ours.processor_time();
  ASSERT_TRUE(before.has_value());
  volatile unsigned steps = 0;
  for (unsigned i = 0; i < 20'000'000; ++i) steps = steps + 1;
  EXPECT_GT((*ours.processor_time() - *before).count(), 1'000'000);
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

TEST(Processes, OfASanitizerSayNothingOfTheirMemory) {
  constexpr std::size_t kShadow = std::size_t{1} << 41;
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    mmap(nullptr, kShadow, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    while (true) pause();
  }
  setpgid(child, child);
  const Processes theirs(child);
  std::optional<double> slack = theirs.slack();
  for (int i = 0; slack && i < 1000; ++i) {  // until the child has come so far
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    slack = theirs.slack();
  }
  EXPECT_EQ(slack, std::nullopt);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST(Processes, ThatAreGoneTellNothing) {
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    while (true) pause();
  }
  setpgid(child, child);
  const Processes theirs(child);
  EXPECT_TRUE(theirs.usage().has_value());
  EXPECT_EQ(theirs.slack(), kSanitized ? std::nullopt : std::optional<double>(4 << 20));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(theirs.usage().has_value());
  EXPECT_FALSE(theirs.processor_time().has_value());
  EXPECT_TRUE(Processes(child).empty());
  EXPECT_TRUE(Processes(0).empty());
}

}  // namespace
}  // namespace fuzz
