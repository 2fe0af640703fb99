// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/finding_merge.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace fuzz {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kShort = R"({"jsonrpc":"2.0","id":1,"method":"a"})";
constexpr const char* kLong = R"({"jsonrpc":"2.0","id":1,"method":"a","params":[1,2,3]})";

struct Told {
  std::string name, script, signature, cause;
  int weight = 2;
};

class FindingMerge : public ::testing::Test {
 protected:
  fs::path root_ =
      fs::temp_directory_path() / (std::string("finding_merge_") +
                                   ::testing::UnitTest::GetInstance()->current_test_info()->name());
  void SetUp() override {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  static std::string text_at(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void put(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }

  // As a campaign of the folder writes it.
  std::string campaign(const std::string& folder, const std::vector<Told>& findings) const {
    fs::create_directories(root_ / folder);
    for (const Told& one : findings) {
      const fs::path path = root_ / folder / one.name;
      fs::create_directories(path);
      const std::string replay = fmt::format("rpcspec replay {}/script -- ./server", path.string());
      put(path / "script", one.script);
      put(path / "signature", one.signature + "\n");
      put(path / "README.md", "# a\n\n- signature: `x`\n\n```\n" + replay + "\n```\n");
      put(path / "finding.json",
          fmt::format(R"({{"seen":"{}","causes":["{}"],"weight":{},"replay":"{}"}})", folder,
                      one.cause, one.weight, replay));
    }
    return (root_ / folder).string();
  }
  std::string into(const std::string& name = "all") const { return (root_ / name).string(); }
  static std::vector<std::string> names(const harness::Result<std::vector<Found>>& merged) {
    std::vector<std::string> out;
    for (const Found& one : *merged) out.push_back(one.name);
    return out;
  }
  // Every file of the folder.
  std::map<std::string, std::string> files(const std::string& folder) const {
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file())
        out[fs::relative(entry.path(), folder).string()] = text_at(entry.path());
    return out;
  }
};

TEST_F(FindingMerge, KeepsTheShortestScriptOfABug) {
  const std::string a = campaign("a", {{"crash-1", kLong, "s", "c"}});
  const std::string b = campaign("b", {{"crash-1", kShort, "s", "c"}});
  const auto merged = merge_findings({a, b}, into());
  ASSERT_TRUE(merged) << merged.error().text();
  EXPECT_THAT(names(merged), ElementsAre("crash-1"));
  EXPECT_EQ(text_at(root_ / "all/crash-1/script"), kShort);
  EXPECT_THAT(merged->front().found_in, ElementsAre(a, b));
  EXPECT_EQ(text_at(root_ / "a/crash-1/script"), kLong) << "campaigns are only read";
}

TEST_F(FindingMerge, TakesFindingsThatShareACauseForOneBug) {
  const std::string a = campaign("a", {{"wrong-answer-1", kShort, "s", "c", 2}});
  const std::string b = campaign("b", {{"crash-2", kLong, "t", "c", 1}});
  EXPECT_THAT(names(merge_findings({a, b}, into())), ElementsAre("crash-2")) << "the worst";
}

TEST_F(FindingMerge, KeepsBugsApartThatHaveNothingInCommon) {
  const std::string a = campaign("a", {{"crash-1", kShort, "s", "c"}});
  const std::string b = campaign("b", {{"crash-2", kShort, "t", "d"}});
  EXPECT_THAT(names(merge_findings({a, b}, into())), ElementsAre("crash-1", "crash-2"));
}

TEST_F(FindingMerge, NamesTheNewPlaceAndTheCampaigns) {
  const std::string a = campaign("a", {{"crash-1", kShort, "s", "c"}});
  const std::string b = campaign("b", {{"crash-1", kLong, "s", "c"}});
  ASSERT_TRUE(merge_findings({a, b}, into()));
  for (const char* file : {"README.md", "finding.json"}) {
    const std::string text = text_at(root_ / "all/crash-1" / file);
    EXPECT_THAT(text, HasSubstr("rpcspec replay " + into() + "/crash-1/script -- ./server"));
    EXPECT_THAT(text, Not(HasSubstr(a + "/crash-1")));
  }
  EXPECT_THAT(text_at(root_ / "all/crash-1/README.md"),
              HasSubstr("\n- found in 2 folders: " + a + ", " + b + "\n- signature"));
}

TEST_F(FindingMerge, IsTheSameInAnyOrderAndWhenDoneAgain) {
  const std::string a = campaign("a", {{"crash-1", kLong, "s", "c"}, {"hang-3", kLong, "u", "e"}});
  const std::string b = campaign("b", {{"crash-1", kShort, "s", "c"}});
  const std::string c = campaign("c", {{"wrong-answer-2", kShort, "t", "c", 4}});
  ASSERT_TRUE(merge_findings({a, b, c}, into()));
  const auto once = files(into());
  ASSERT_TRUE(merge_findings({c, b, a}, into()));
  EXPECT_EQ(files(into()), once);
  fs::remove_all(into());
  ASSERT_TRUE(merge_findings({c, a}, into()));
  ASSERT_TRUE(merge_findings({b}, into()));
  EXPECT_EQ(files(into()), once) << "also bit by bit";
}

TEST_F(FindingMerge, CopiesWhatWasNotConfirmed) {
  const std::string a = campaign("a", {});
  put(root_ / "a/not-confirmed-1a.script", kShort);
  put(root_ / "a/journal", "none");
  const auto merged = merge_findings({a}, into());
  ASSERT_TRUE(merged);
  EXPECT_TRUE(merged->empty());
  EXPECT_EQ(files(into()).size(), 1u);
  EXPECT_EQ(text_at(root_ / "all/not-confirmed-1a.script"), kShort);
}

TEST_F(FindingMerge, SaysThatNothingCanBeWritten) {
  const std::string a = campaign("a", {{"crash-1", kShort, "s", "c"}});
  put(root_ / "file", "");
  const auto merged = merge_findings({a}, (root_ / "file").string());
  ASSERT_FALSE(merged);
  EXPECT_THAT(merged.error().text(), HasSubstr("--into"));
}

}  // namespace
}  // namespace fuzz
