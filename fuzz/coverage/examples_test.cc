// SPDX-License-Identifier: Apache-2.0
// Builds the examples as a user would, with each compiler that is there, plays inputs to them, and
// looks at the map.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "fuzz/coverage/map.h"
#include "harness/base/test_folders.h"
#include "harness/base/text.h"

namespace fuzz {
namespace {

const std::string kFolder = harness::source_dir() + "/fuzz/coverage/";
constexpr const char* kGreet = R"({"jsonrpc":"2.0","id":1,"method":"greet","params":{"name":"a"}})";
constexpr const char* kBroken = R"({"jsonrpc":"2.0","id":1,)";

bool there_is(const std::string& program) {
  return std::system((program + " --version >/dev/null 2>&1").c_str()) == 0;
}

std::size_t places(const std::vector<std::uint8_t>& counters) {
  return counters.size() -
         static_cast<std::size_t>(std::count(counters.begin(), counters.end(), 0));
}

// A server that runs, with none of our descriptors but its standard streams.
class Server {
 public:
  Server(const std::string& command, const CoverageMap& map) {
    int in[2], out[2];
    EXPECT_EQ(::pipe2(in, O_CLOEXEC) | ::pipe2(out, O_CLOEXEC), 0);
    const auto [name, path] = map.environment();
    const std::string line = name + "=" + path + " exec " + command;
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(in[0], 0);
      ::dup2(out[1], 1);
      ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = ::fdopen(out[0], "r");
  }
  ~Server() {
    ::close(to_);
    std::fclose(from_);
    ::waitpid(pid_, nullptr, 0);
  }
  // Returns once the server waits for more: it goes on for a moment after it has answered.
  std::string ask(const std::string& request) {
    const std::string line = request + "\n";
    EXPECT_EQ(::write(to_, line.data(), line.size()), static_cast<ssize_t>(line.size()));
    char reply[4096] = "";
    if (std::fgets(reply, sizeof reply, from_) == nullptr) return "";
    for (int tries = 0; state() != 'S' && tries < 5000; ++tries) ::usleep(1000);
    return reply;
  }

 private:
  char state() const {
    std::ifstream stat("/proc/" + std::to_string(pid_) + "/stat");
    std::string line;
    std::getline(stat, line);
    const std::size_t name_end = line.rfind(") ");
    return name_end == std::string::npos ? '?' : line[name_end + 2];
  }

  pid_t pid_ = -1;
  int to_ = -1;
  FILE* from_ = nullptr;
};

// What one request costs a server that runs already.
std::vector<std::uint8_t> counted(CoverageMap& map, Server& server, const std::string& request,
                                  const char* in_reply) {
  map.clear();
  const std::string reply = server.ask(request);
  EXPECT_NE(reply.find(in_reply), std::string::npos) << reply;
  return {map.counters().begin(), map.counters().end()};
}

void expect_guidance(const std::string& command, bool saturates = true) {
  auto map = CoverageMap::create();
  ASSERT_TRUE(map) << map.error().text();
  std::vector<std::uint8_t> of_first;
  for (int process = 0; process < 2; ++process) {
    SCOPED_TRACE(process);
    Server server(command, *map);
    server.ask(kGreet);  // with all that is done once
    const auto greeting = counted(*map, server, kGreet, "Hello, a");
    EXPECT_GT(places(greeting), 5u);
    EXPECT_EQ(greeting, counted(*map, server, kGreet, "Hello, a")) << "the same request";
    const auto broken = counted(*map, server, kBroken, "-32700");
    EXPECT_GT(places(broken), 5u);
    EXPECT_NE(greeting, broken);
    if (process == 0) of_first = greeting;
    EXPECT_EQ(greeting, of_first) << "the same request to another process";

    map->clear();
    for (int i = 0; i < 300; ++i) server.ask(kGreet);
    const std::uint8_t most = *std::max_element(map->counters().begin(), map->counters().end());
    if (saturates) {
      EXPECT_EQ(most, 255);
    } else {
      EXPECT_GT(most, 0);
    }
  }
  EXPECT_EQ(map->attached(), 2u);
}

struct Build {
  const char* name;
  const char* compiler;
  const char* flags;
  bool saturates = true;
};
void PrintTo(const Build& build, std::ostream* out) { *out << build.name; }

class BuiltExample : public testing::TestWithParam<Build> {};

TEST_P(BuiltExample, CountsWhatAnInputExecutes) {
  const auto& [name, compiler, flags, saturates] = GetParam();
  if (!there_is(compiler)) GTEST_SKIP() << "there is no " << compiler;
  const std::string program = std::string(harness::binary_dir() + "/coverage_example_") + name;
  const std::string line = std::string(compiler) + " -std=c++17 -g -w " + flags + " " +
                           harness::shell_quoted(kFolder + "examples/server.cc") + " " +
                           harness::shell_quoted(kFolder + "rpcspec_coverage.c") + " -o " +
                           harness::shell_quoted(program);
  ASSERT_EQ(std::system(line.c_str()), 0) << line;
  expect_guidance(harness::shell_quoted(program), saturates);
  // And without a fuzzer it is the same server.
  for (const char* path : {"", "/nowhere", "/dev/null", "/etc/passwd"}) {
    const std::string alone = "printf '%s\\n' " + harness::shell_quoted(kGreet) +
                              " | RPCSPEC_COVERAGE=" + path + " " + program + " | grep -q Hello";
    EXPECT_EQ(std::system(alone.c_str()), 0) << alone;
  }
  std::remove(program.c_str());
}

INSTANTIATE_TEST_SUITE_P(
    Coverage, BuiltExample,
    testing::Values(Build{"guards", "clang++", "-fsanitize-coverage=trace-pc-guard"},
                    Build{"guards_with_asan", "clang++",
                          "-fsanitize=address,undefined -fno-sanitize=vptr "
                          "-fsanitize-coverage=trace-pc-guard,trace-cmp"},
                    Build{"inline_counters", "clang++",
                          "-fsanitize-coverage=inline-8bit-counters,pc-table", false},
                    Build{"fuzzer_no_link", "clang++", "-fsanitize=address,fuzzer-no-link", false},
                    Build{"trace_pc", "g++", "-fsanitize-coverage=trace-pc"}),
    [](const auto& one) { return std::string(one.param.name); });

class PythonExample : public testing::TestWithParam<const char*> {};

TEST_P(PythonExample, CountsTheLinesAnInputExecutes) {
  const std::string python = GetParam();
  if (!there_is(python)) GTEST_SKIP() << "there is no " << python;
  const std::string server = harness::shell_quoted(kFolder + "examples/server.py");
  expect_guidance(python + " " + harness::shell_quoted(kFolder + "agent.py") + " " + server);
}

INSTANTIATE_TEST_SUITE_P(Coverage, PythonExample, testing::Values("python3", "python3.12"),
                         [](const auto& one) {
                           const std::string name = one.param;
                           return name == "python3" ? "Usual" : "WithMonitoring";
                         });

}  // namespace
}  // namespace fuzz
