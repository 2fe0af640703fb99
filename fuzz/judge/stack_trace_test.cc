// SPDX-License-Identifier: Apache-2.0
#include "fuzz/judge/stack_trace.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "harness/base/result.h"
#include "harness/base/test_folders.h"
#include "harness/json/write.h"

namespace fuzz {
namespace {

namespace oracle = harness::oracle;
namespace wire = harness::wire;

constexpr const char* kPython =
    "Traceback (most recent call last):\n  File \"/srv/app.py\", line 12, in call\n    x = y\n"
    "KeyError: 'y'\n";
constexpr const char* kNode =
    "TypeError: x is undefined\n    at call (file:///srv/app.js:12:7)\n"
    "    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)\n";

TEST(StackTrace, IsKnownInEveryLanguage) {
  struct Row {
    const char* language;
    const char* text;
  };
  for (const Row& row : {
           Row{"Python", kPython},
           Row{"Node", kNode},
           Row{"Java",
               "java.lang.NullPointerException\n\tat a.b.C.d(C.java:12)\n"
               "\tat jdk.internal.Loader.run(Native Method)\n"},
           Row{".NET",
               "System.Exception: no\n   at A.B.C(String d) in /src/B.cs:line 3\n"
               "   at A.D.E.F(Int32 x)\n"},
           Row{"Go", "panic: no\n\ngoroutine 1 [running]:\nmain.f(...)\n\t/src/main.go:12 +0x1d\n"},
           Row{"Rust",
               "thread 'main' panicked at src/main.rs:9:5\nstack backtrace:\n"
               "   0: app::call\n             at ./src/main.rs:9:5\n"},
           Row{"C or C++",
               "==7==ERROR: AddressSanitizer: heap-use-after-free\n"
               "    #0 0x4c1 in f x.cc:3\n    #1 0x4c2 in main x.cc:9\n"},
           Row{"Ruby",
               "server.rb:14:in `call': undefined method `+' for nil:NilClass (NoMethodError)\n"
               "\tfrom server.rb:27:in `one'\n"},
           Row{"PHP",
               "TypeError: null given in /srv/server.php:10\nStack trace:\n"
               "#0 /srv/server.php(24): call()\n#1 {main}\n"},
           Row{"Lua",
               "server.lua:14: attempt to index a nil value\nstack traceback:\n"
               "\tserver.lua:52: in main chunk\n\t[C]: in ?\n"},
       }) {
    EXPECT_EQ(stack_trace_in(row.text).language, row.language) << row.text;
  }
}

TEST(StackTrace, IsMoreThanAPathOrAWord) {
  for (const char* text :
       {"", "no such file: /srv/app.py", "File \"/srv/app.py\", line 12",
        "Traceback (most recent call last)", "at 12:30 in room 4", "look at src/main.rs:9:5",
        "at line 3:7\nthen more", "goroutine 1", "Meet at noon (or later)\nat five (maybe)",
        "Traceback (most recent call last):\n  File \"<string>\", line 1, in "
        "<module>\nNameError"}) {
    EXPECT_EQ(stack_trace_in(text).language, "") << text;
  }
}

const harness::spec::Registry& registry() {
  static const harness::spec::Registry kRegistry = [] {
    harness::spec::Registry made;
    const std::string path = harness::source_dir() + "/cases/requirements/own.yaml";
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    harness::check(static_cast<bool>(made.add(text.str(), path)), "own.yaml does not load");
    return made;
  }();
  return kRegistry;
}

std::size_t traces(const std::string& sent, const std::string& received,
                   const char* profile = "mcp-2025-11-25", int status = 0) {
  wire::Transcript transcript;
  transcript.profile = profile;
  transcript.transport =
      status == 0 ? harness::wire::TransportKind::kStdio : harness::wire::TransportKind::kHttp;
  for (const std::string& bytes : {sent, received}) {
    wire::Frame frame;
    frame.seq = transcript.frames.size() + 1;
    frame.direction = frame.seq == 1 ? wire::Direction::kSent : wire::Direction::kReceived;
    frame.channel = status == 0 ? wire::Channel::kStdout : wire::Channel::kHttp;
    frame.bytes = bytes;
    frame.size = bytes.size();
    if (status != 0) frame.head = wire::HttpHead{frame.seq == 1 ? 0 : status, "", "", {}};
    transcript.frames.push_back(std::move(frame));
  }
  const oracle::Evidence evidence(transcript, *harness::spec::find_profile(profile), registry());
  std::vector<oracle::Finding> found;
  judge_stack_traces(evidence, found);
  for (const oracle::Finding& one : found) {
    EXPECT_EQ(one.requirement, "robust.no-stack-trace");
    EXPECT_EQ(one.severity, oracle::Severity::kWarn);
  }
  return found.size();
}

std::string text(const char* plain) { return harness::json::quoted(plain); }

TEST(JudgeStackTraces, LooksWhereFailuresAreTold) {
  const std::string call = R"({"jsonrpc":"2.0","id":1,"method":"x"})";
  const std::string begin = R"({"jsonrpc":"2.0","id":1,)";
  EXPECT_EQ(traces(call, begin + R"("error":{"code":-32603,"message":"no","data":{"stack":)" +
                             text(kNode) + "}}}"),
            1u);
  EXPECT_EQ(traces(call, begin + R"("result":{"isError":true,"content":[{"type":"text","text":)" +
                             text(kPython) + "}]}}"),
            1u);
  EXPECT_EQ(traces(call, R"({"jsonrpc":"2.0","method":"notifications/message","params":{"data":)" +
                             text(kPython) + "}}"),
            1u);
  EXPECT_EQ(traces(call, std::string("<pre>") + kPython + "</pre>", "mcp-2025-11-25", 500), 1u);
  const std::string lines = R"x(["at a (/x.js:1:2)","at b (/x.js:2:3)"])x";
  const std::string told = begin + R"("error":{"code":1,"message":"no","data":)" + lines + "}}";
  EXPECT_EQ(traces(call, told), 1u);
}

TEST(JudgeStackTraces, LeavesWhatIsLawful) {
  const std::string begin = R"({"jsonrpc":"2.0","id":1,)";
  // The text of a resource may be about anything.
  EXPECT_EQ(traces("{}", begin + R"("result":{"contents":[{"text":)" + text(kPython) + "}]}}"), 0u);
  EXPECT_EQ(traces("{}", std::string("<pre>") + kPython + "</pre>", "mcp-2025-11-25", 200), 0u);
  // What we said ourselves comes back.
  const std::string error =
      begin + R"("error":{"code":-32602,"message":"no","data":)" + text(kPython) + "}}";
  EXPECT_EQ(
      traces(R"({"jsonrpc":"2.0","id":1,"method":"x","params":[)" + text(kPython) + "]}", error),
      0u);
  EXPECT_EQ(traces("{}", error), 1u);
  EXPECT_EQ(traces("{}", error, "mcp-tutorial"), 0u);
}

}  // namespace
}  // namespace fuzz
