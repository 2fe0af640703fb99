// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "fuzz/triage/buckets.h"
#include "fuzz/triage/play_file.h"
#include "fuzz/triage/reduce.h"
#include "fuzz/triage/sight.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;
using testing::HasSubstr;
using testing::Not;

Ending said(const std::string& text, int code) {
  Ending ending;
  ending.said = text;
  ending.code = code;
  return ending;
}

TEST(Sight, IsNoneWhereAProgramEndsWell) {
  EXPECT_FALSE(sight_of(said("warning: signal SIGSEGV\n", 0)).has_value());
}

TEST(Sight, TakesTheWordOfTheProgram) {
  const Sight wrong =
      wrong_answer("jsonrpc.id.string-echo", "replies|jsonrpc.id.string-echo|altered|", "");
  const auto seen = sight_of(
      said("INFO: x\n==rpcspec== a wrong answer\n  expected\n" + signature_line(wrong), 77));
  ASSERT_TRUE(seen.has_value());
  EXPECT_EQ(seen->kind, "wrong-answer");
  EXPECT_EQ(seen->signature, wrong.signature);
  EXPECT_EQ(seen->title, "a wrong answer");
  EXPECT_THAT(seen->report, Not(HasSubstr("INFO")));
}

TEST(Sight, NamesAnExceptionByItsTypeAndWhatDoesNotVary) {
  const Sight one = thrown("ns::type_error", "[a.316] invalid UTF-8 byte at index 154: 0x27", "");
  const Sight same = thrown("ns::type_error", "[a.316] invalid UTF-8 byte at index 7: 0xFF", "");
  const Sight other = thrown("ns::type_error", "[a.302] type must be number", "");
  EXPECT_EQ(one.signature, same.signature);
  EXPECT_NE(one.signature, other.signature);
}

TEST(Sight, TellsSanitizersSignalsAndHangsApart) {
  const auto overflow = sight_of(said(
      "==1==ERROR: AddressSanitizer: stack-overflow on address 0x1\n    #0 0x1 in f() a.cc:1\n",
      1));
  ASSERT_TRUE(overflow.has_value());
  EXPECT_EQ(overflow->signature, "stack-overflow");
  Ending killed;
  killed.signal = SIGSEGV;
  EXPECT_EQ(sight_of(killed)->signature, "SIGSEGV");
  EXPECT_TRUE(sight_of(killed)->coarse);
  Ending late;
  late.late = true;
  EXPECT_EQ(sight_of(late)->kind, "hang");
  EXPECT_EQ(sight_of(said("", 3))->signature, "exit code 3");
}

TEST(Reduce, LeavesTheLeastThatStillShowsIt) {
  std::size_t plays = 0;
  const auto shows = [&](const std::string& text) {
    ++plays;
    return text.find("\"bad\"") != text.npos && text.find("{") != text.npos;
  };
  const std::string text = "{\"a\":1}\n{\"x\":[1,2,{\"k\":\"bad\",\"l\":\"more\"}],\"y\":\"" +
                           std::string(3000, 'z') + "\"}\n{\"b\":2}\n";
  const std::string least = reduce(text, shows, {});
  EXPECT_EQ(least, "{\"bad\"");
  EXPECT_LT(plays, 1000u);
}

TEST(Reduce, FindsByBisectionHowDeepItHasToBe) {
  std::size_t plays = 0;
  const auto shows = [&](const std::string& text) {
    ++plays;
    return std::count(text.begin(), text.end(), '[') >= 7000;
  };
  const std::string text = "{\"id\":" + std::string(100000, '[') + std::string(100000, ']') + "}\n";
  const std::string least = reduce(text, shows, {200});
  EXPECT_EQ(std::count(least.begin(), least.end(), '['), 7000);
  EXPECT_LE(plays, 200u);
}

TEST(Reduce, KeepsToItsBounds) {
  std::size_t plays = 0, bytes = 0;
  const auto shows = [&](const std::string& text) {
    ++plays;
    bytes += text.size();
    return false;
  };
  const std::string text(5000, 'x');
  EXPECT_EQ(reduce(text, shows, {10}), text);
  EXPECT_LE(plays, 10u);
  plays = bytes = 0;
  EXPECT_EQ(reduce(text, shows, {1000, 50000}), text);
  EXPECT_LT(plays, 30u);
  EXPECT_LT(bytes, 55000u);
}

class TriageTest : public testing::Test {
 protected:
  TriageTest() {
    std::string path = testing::TempDir() + "triage-XXXXXX";
    folder_ = ::mkdtemp(path.data());
  }
  ~TriageTest() override { fs::remove_all(folder_); }

  static std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string folder_;
};

TEST_F(TriageTest, PlaysAFileAndEndsWhatItStarted) {
  PlayerProgram fails{{"sh", "-c", "grep -q bad \"$0\" && exit 3; exit 0"}};
  EXPECT_FALSE(play_file(fails, "good").has_value());
  EXPECT_EQ(play_file(fails, "bad")->signature, "exit code 3");
  PlayerProgram placed{{"sh", "-c", "test \"$2\" = last && exit 4", "x", "@@", "last"}};
  EXPECT_EQ(play_file(placed, "")->signature, "exit code 4");
  PlayerProgram hangs{{"sh", "-c", "sleep 1000 & sleep 1000"}, std::chrono::milliseconds(200)};
  EXPECT_EQ(play_file(hangs, "")->kind, "hang");
  PlayerProgram dies{{"sh", "-c", "kill -ABRT $$"}};
  EXPECT_EQ(play_file(dies, "")->signature, "SIGABRT");
  EXPECT_THROW(play_file(PlayerProgram{{"/nowhere/program"}}, ""), std::runtime_error);
}

TEST_F(TriageTest, MakesOneFolderOfABugAndKnowsItAgain) {
  const auto look = [](const std::string& text) -> std::optional<Sight> {
    if (text.find("1e400") != text.npos) return thrown("std::out_of_range", "number 1e400", "");
    if (text.find("\x00"s) != text.npos)
      return text.size() > 9 ? wrong_answer("a.one", "a.one|nothing", "what was said\n")
                             : wrong_answer("a.two", "a.two|nothing", "what was said\n");
    return std::nullopt;
  };
  const std::string one = "{\"id\":1e400}\n", nul = "{\"a\":1}\x00{}"s;
  {
    Buckets buckets(folder_, {"./fuzzer", "--input=x", "@@", "last"});
    const Bucket& first = buckets.put(*look(one), one, look, {});
    EXPECT_EQ(first.script, "1e400");
    EXPECT_THAT(first.name, testing::StartsWith("crash-std-out_of_range-"));
    buckets.put(*look("[1e400]"), "[1e400]", look, {});
    EXPECT_EQ(buckets.all().size(), 1u);
    buckets.put(wrong_answer("a.one", "a.one|nothing", "x\n"), nul, look, {});
    // Another clause, and the same odd text.
    buckets.put(wrong_answer("a.two", "a.two|nothing", "x\n"), "{\x00"s, look, {});
    EXPECT_EQ(buckets.all().size(), 2u);
    EXPECT_EQ(buckets.all().front()->sight.kind, "crash");  // the worst first
  }
  Buckets again(folder_, {"./fuzzer"});
  EXPECT_EQ(again.all().size(), 2u);
  EXPECT_TRUE(again.has(*look(one)));
  EXPECT_TRUE(again.has(wrong_answer("a.two", "a.two|nothing", "")));
  const fs::path at = fs::path(folder_) / again.all().front()->name;
  EXPECT_EQ(content(at / "script"), "1e400");
  EXPECT_THAT(content(at / "README.md"), HasSubstr("the handler threw std::out_of_range"));
  EXPECT_THAT(content(at / "README.md"), HasSubstr("    ./fuzzer --input=x " + (at / "script").string() + " last\n"));
  EXPECT_THAT(content(at / "finding.json"), HasSubstr("\"class\": \"crash\""));
}

TEST_F(TriageTest, WaitsForFewHangsWhileItReduces) {
  std::size_t hangs = 0;
  const auto look = [&](const std::string&) -> std::optional<Sight> {
    ++hangs;
    Ending late;
    late.late = true;
    return sight_of(late);
  };
  Buckets buckets(folder_, {"./fuzzer"});
  const Bucket& bucket = buckets.put(*look(""), std::string(5000, 'x'), look, {});
  EXPECT_LT(bucket.script.size(), 5000u);
  EXPECT_LE(hangs, 6u);  // the first, four, and the last in its own words
}

}  // namespace
}  // namespace fuzz
