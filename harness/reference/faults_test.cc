// SPDX-License-Identifier: Apache-2.0
// The rows of Faults: names are well formed, each that is no edit is asked for in the code, and
// each part that an edit is in is handed to edit().
#include "harness/reference/faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "harness/base/test_folders.h"
#include "harness/json/read.h"
#include "harness/reference/conversation_testing.h"

namespace harness::reference {
namespace {

// Every place a hook may be: the sources of this folder but for the tests.
std::string all_sources() {
  std::stringstream text;
  for (const auto& entry :
       std::filesystem::directory_iterator(harness::source_dir() + "/harness/reference")) {
    const std::string name = entry.path().filename();
    if (name.find("_test.cc") != std::string::npos || name == "fault_row.cc") continue;
    if (name.ends_with(".cc") || name.ends_with(".h")) text << std::ifstream(entry.path()).rdbuf();
  }
  return text.str();
}

TEST(FaultRows, NameEachFaultInLowerCase) {
  for (const FaultRow& row : fault_rows()) {
    EXPECT_EQ(row.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
              std::string::npos)
        << row.name;
  }
}

TEST(FaultRows, SayWhereAPlantedBugLives) {
  const std::vector<std::string> profiles = server_profile_names();
  int count = 0;
  for (const FaultRow& row : fault_rows()) {
    if (!row.planted) continue;
    EXPECT_THAT(profiles, ::testing::Contains(row.planted->profile)) << row.name;
    EXPECT_THAT(row.planted->transport, ::testing::AnyOf("stdio", "http", "tcp", "websocket"))
        << row.name;
    EXPECT_THAT(row.planted->shows, ::testing::AnyOf("crash", "exit", "hang", "wrong")) << row.name;
    EXPECT_GE(row.planted->frames, 1) << row.name;
    ++count;
  }
  EXPECT_GT(count, 60);
}

TEST(FaultRows, AreEditsOrAskedForSomewhere) {
  const std::string sources = all_sources();
  const auto look = [&](const std::string& word, const std::string& name) {
    EXPECT_NE(sources.find("\"" + word + "\""), std::string::npos) << name << ": " << word;
  };
  for (const FaultRow& row : fault_rows()) {
    if (row.edits.empty() && !row.reaction) look(row.name, row.name);
    for (const Edit& edit : row.edits)
      if (edit.sent == Sent::kPart)  // "card", "members of ping"
        look(std::regex_replace(edit.of, std::regex(" of .*"), " of "), row.name);
  }
}

TEST(FaultRows, HoldEachNameThatIsAskedFor) {
  std::set<std::string> known;
  std::set<std::uint64_t> numbers;
  for (const FaultRow& row : fault_rows()) {
    known.insert(row.name);
    EXPECT_TRUE(numbers.insert(FaultName(std::string_view(row.name)).number()).second) << row.name;
  }
  const std::string sources = all_sources();
  const std::regex asked("has\\(\"([^\"]+)\"\\)");
  std::size_t count = 0;
  for (std::sregex_iterator at(sources.begin(), sources.end(), asked), end; at != end; ++at) {
    EXPECT_TRUE(known.contains((*at)[1])) << (*at)[1] << " has no row";
    ++count;
  }
  EXPECT_GT(count, 600u);
}

TEST(Faults, SuggestsTheNearestName) {
  Faults faults;
  const auto added = faults.add("reply-twize");
  ASSERT_FALSE(added);
  EXPECT_THAT(added.error().text(), ::testing::HasSubstr("reply-twice"));
  EXPECT_FALSE(faults.any());
}

TEST(Faults, IsListedAsJson) {
  const json::Value list = json::parse(list_faults_json());
  EXPECT_EQ(list.items.size(), fault_rows().size());
}

}  // namespace
}  // namespace harness::reference
