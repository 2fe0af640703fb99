// SPDX-License-Identifier: Apache-2.0
#include "fuzz/coverage/map.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "fuzz/coverage/rpcspec_coverage.h"

namespace fuzz {
namespace {

// What an agent does, in the words of the contract.
struct Agent {
  explicit Agent(const CoverageMap& map) : fd(::open(map.environment().second.c_str(), O_RDWR)) {
    if (fd < 0) return;
    size = ::lseek(fd, 0, SEEK_END);
    memory =
        ::mmap(nullptr, static_cast<std::size_t>(size), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    header = static_cast<rpcspec_coverage_header*>(memory);
    counters = static_cast<std::uint8_t*>(memory) + header->header_size;
  }
  ~Agent() {
    ::munmap(memory, static_cast<std::size_t>(size));
    ::close(fd);
  }
  int fd;
  off_t size = 0;
  void* memory = nullptr;
  rpcspec_coverage_header* header = nullptr;
  std::uint8_t* counters = nullptr;
};

TEST(CoverageMap, SaysHowItIsLaidOut) {
  auto map = CoverageMap::create(100'000);
  ASSERT_TRUE(map) << map.error().text();
  Agent agent(*map);
  ASSERT_GE(agent.fd, 0);
  EXPECT_STREQ(agent.header->magic, "RPCSCOV");
  EXPECT_EQ(agent.header->version, 1u);
  EXPECT_EQ(agent.header->counters, 131072u);
  EXPECT_EQ(agent.header->header_size % static_cast<std::uint32_t>(::getpagesize()), 0u);
  EXPECT_EQ(agent.size, agent.header->header_size + 131072);
  EXPECT_EQ(map->counters().size(), 0u);
  EXPECT_EQ(map->attached(), 0u);
}

TEST(CoverageMap, ShowsWhatAnAgentCounts) {
  auto map = CoverageMap::create();
  ASSERT_TRUE(map);
  Agent agent(*map);
  agent.header->used = 10;
  agent.header->edges = 12;
  agent.header->attached = 1;
  agent.counters[9] = 7;
  ASSERT_EQ(map->counters().size(), 10u);
  EXPECT_EQ(map->counters()[9], 7);
  EXPECT_EQ(map->edges(), 12u);
  EXPECT_EQ(map->attached(), 1u);
}

TEST(CoverageMap, ClearsAndBeginsAGeneration) {
  auto map = CoverageMap::create();
  ASSERT_TRUE(map);
  Agent agent(*map);
  agent.header->used = CoverageMap::kCounters;
  std::memset(agent.counters, 3, CoverageMap::kCounters);
  const auto before = agent.header->generation;
  map->clear();
  EXPECT_EQ(agent.header->generation, before + 1);
  for (const auto counter : map->counters()) ASSERT_EQ(counter, 0);
}

// Without Linux a target has the map by a descriptor of ours, not by a path.
bool is_inherited(const CoverageMap& map) {
  return map.environment().second.starts_with("/dev/fd/");
}

TEST(CoverageMap, IsNotLedAstrayByWhatATargetWrites) {
  auto map = CoverageMap::create();
  ASSERT_TRUE(map);
  Agent agent(*map);
  std::memset(agent.memory, 0xff, static_cast<std::size_t>(agent.size));
  EXPECT_EQ(map->counters().size(), CoverageMap::kCounters);
  map->clear();
  EXPECT_EQ(map->counters()[CoverageMap::kCounters - 1], 0);
  if (is_inherited(*map)) GTEST_SKIP() << "POSIX seals no file: a target can shrink it";
  EXPECT_NE(::ftruncate(agent.fd, 0), 0);
}

TEST(CoverageMap, IsFoundByAChildWithoutOurDescriptors) {
  auto map = CoverageMap::create();
  ASSERT_TRUE(map);
  if (is_inherited(*map)) GTEST_SKIP() << "a program inherits the descriptor";
  const std::string path = map->environment().second;
  const pid_t child = ::fork();
  if (child == 0) {
    ::close_range(3, ~0u, 0);
    const int fd = ::open(path.c_str(), O_RDWR);
    ::_exit(fd >= 0 && ::pwrite(fd, "\7", 1, ::getpagesize() + 5) == 1 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  Agent agent(*map);
  agent.header->used = 6;
  EXPECT_EQ(map->counters()[5], 7);
}

TEST(CoverageMap, StaysWhereItIsWhenMoved) {
  auto made = CoverageMap::create();
  ASSERT_TRUE(made);
  const auto* address = made->counters().data();
  const CoverageMap map = std::move(*made);
  EXPECT_EQ(map.counters().data(), address);
}

}  // namespace
}  // namespace fuzz
