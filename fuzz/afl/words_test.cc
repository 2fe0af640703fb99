// SPDX-License-Identifier: Apache-2.0
#include "fuzz/afl/words.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <stdexcept>

namespace fuzz {
namespace {

using testing::HasSubstr;

TEST(AflWords, FramesAreLinesAndNothingElse) {
  const std::string text = "{}\n!close\n# \xff\n\nlast";
  const Script script = script_of_frames(text);
  EXPECT_EQ(script.steps.size(), 5u);
  EXPECT_EQ(frames_of_script(script), text + "\n");
  Script odd = script_of_frames("a\nb\nc");
  std::get<Frame>(odd.steps[0]).delivery.eol = Eol::kCrlf;
  std::get<Frame>(odd.steps[1]).delivery.eol = Eol::kNone;
  odd.steps.push_back(Raw{"\0x\n"});
  odd.steps.push_back(Pause{5});
  EXPECT_EQ(frames_of_script(odd), "a\r\nbc\n" + std::string(Raw{"\0x\n"}.bytes));
}

TEST(AflWords, LearnsFromReplies) {
  const std::string file =
      testing::TempDir() + "rpcspec-replies-" + std::to_string(getpid()) + ".jsonl";
  std::ofstream(file)
      << R"({"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"grep","inputSchema":{"type":"object"}}]}})"
      << "\nno JSON\n"
      << R"({"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"x://1"}],"nextCursor":"c7"}})"
      << "\n";
  AflSettings settings;
  settings.profile = "mcp-2025-06-18";
  settings.replies = file;
  const Vocabulary words = words_of(settings);
  ASSERT_EQ(words.tools().size(), 1u);
  EXPECT_EQ(words.tools()[0].name, "\"grep\"");
  EXPECT_THAT(words.uris(), testing::ElementsAre("\"x://1\""));
  EXPECT_THAT(words.cursors(), testing::ElementsAre("\"c7\""));
  std::remove(file.c_str());
  EXPECT_THROW(words_of(settings), std::invalid_argument);
  settings.profile = "mcp";
  EXPECT_THROW(words_of(settings), std::invalid_argument);
}

// The library as afl-fuzz has it.
class AflLibrary : public testing::Test {
 protected:
  void SetUp() override {
    library_ = ::dlopen(RPCSPEC_AFL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << ::dlerror();
  }
  void TearDown() override {
    if (data_) function<void(void*)>("afl_custom_deinit")(data_);
  }

  template <class Signature>
  Signature* function(const char* name) {
    return reinterpret_cast<Signature*>(::dlsym(library_, name));
  }
  void* start(const char* profile, const char* input) {
    ::setenv("RPCSPEC_PROFILE", profile, 1);
    ::setenv("RPCSPEC_INPUT", input, 1);
    data_ = function<void*(void*, unsigned)>("afl_custom_init")(nullptr, 7);
    return data_;
  }
  std::string fuzzed(std::string input, std::string other, std::size_t most) {
    using Fuzz = std::size_t(void*, std::uint8_t*, std::size_t, std::uint8_t**, std::uint8_t*,
                             std::size_t, std::size_t);
    std::uint8_t* out = nullptr;
    const std::size_t size = function<Fuzz>("afl_custom_fuzz")(
        data_, reinterpret_cast<std::uint8_t*>(input.data()), input.size(), &out,
        reinterpret_cast<std::uint8_t*>(other.data()), other.size(), most);
    return {reinterpret_cast<char*>(out), size};
  }

  void* library_ = nullptr;
  void* data_ = nullptr;
};

constexpr const char* kPing = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";

TEST_F(AflLibrary, ChangesInputsWithinTheirBounds) {
  ASSERT_NE(start("mcp-2025-06-18", "script"), nullptr);
  std::set<std::string> made;
  std::string input = kPing;
  for (int i = 0; i < 300; ++i) {
    made.insert(fuzzed(input, i % 3 ? kPing : "", 4096));
    EXPECT_THAT(function<const char*(void*, std::size_t)>("afl_custom_describe")(data_, 30),
                testing::StartsWith("rpcspec"));
    input = *made.rbegin();
    EXPECT_LE(input.size(), 4096u);
  }
  EXPECT_GT(made.size(), 150u);
  EXPECT_LE(fuzzed(std::string(9000, 'x'), "", 100).size(), 100u);
}

TEST_F(AflLibrary, MakesNoDirectivesOfFrames) {
  ASSERT_NE(start("mcp-2025-06-18", "frames"), nullptr);
  std::string input = kPing;
  for (int i = 0; i < 300; ++i) {
    const std::string made = fuzzed(input, "", 4096);
    for (const char* word : {"!sync", "!frame", "!chunks", "!close", "!answer", "!pause"})
      EXPECT_EQ(made.find(word), made.npos) << made;
    input = made;
  }
}

TEST_F(AflLibrary, TrimsStepsAndKeepsWhatIsNeeded) {
  ASSERT_NE(start("jsonrpc-2.0", "script"), nullptr);
  std::string input;
  for (int i = 0; i < 20; ++i) input += "line " + std::to_string(i) + "\n";
  auto* trim = function<std::size_t(void*, std::uint8_t**)>("afl_custom_trim");
  auto* after = function<std::int32_t(void*, unsigned char)>("afl_custom_post_trim");
  const std::int32_t most = function<std::int32_t(void*, std::uint8_t*, std::size_t)>(
      "afl_custom_init_trim")(data_, reinterpret_cast<std::uint8_t*>(input.data()), input.size());
  std::string kept = input;
  int tries = 0;
  for (std::int32_t at = 0; at < most;) {
    ASSERT_LT(++tries, 300);
    std::uint8_t* out = nullptr;
    const std::size_t size = trim(data_, &out);
    const std::string made(reinterpret_cast<char*>(out), size);
    ASSERT_LT(size, kept.size());
    const bool same = made.find("line 7\n") != made.npos && made.find("line 13\n") != made.npos;
    if (same) kept = made;
    at = after(data_, same);
  }
  EXPECT_EQ(kept, "line 7\nline 13\n");
  // What would be longer when written anew is left alone.
  std::string odd = "\xff";
  EXPECT_EQ(function<std::int32_t(void*, std::uint8_t*, std::size_t)>("afl_custom_init_trim")(
                data_, reinterpret_cast<std::uint8_t*>(odd.data()), odd.size()),
            0);
}

TEST_F(AflLibrary, EndsWithASentenceWhereASettingIsWrong) {
  EXPECT_EXIT(start("mcp", "script"), testing::ExitedWithCode(2),
              "librpcspec_afl: there is no profile 'mcp' \\(RPCSPEC_PROFILE\\); there are ");
  EXPECT_EXIT(start("jsonrpc-2.0", "text"), testing::ExitedWithCode(2),
              "librpcspec_afl: RPCSPEC_INPUT is script or frames, not 'text'");
}

}  // namespace
}  // namespace fuzz
