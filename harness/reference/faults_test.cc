// SPDX-License-Identifier: Apache-2.0
// The table of Faults: names are unique, each is asked for in the code, and each that acts on
// messages changes what the server says to a long list of messages.
#include "harness/reference/faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "harness/json/read.h"
#include "harness/reference/conversation.h"
#include "harness/reference/planted_table.h"

namespace harness::reference {
namespace {

// Every place a hook may be: the sources of this folder but for the table and the tests.
std::string all_sources() {
  std::stringstream text;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(RPCSPEC_SOURCE_DIR) +
                                                               "/harness/reference")) {
    const std::string name = entry.path().filename();
    if (name.ends_with("_table.h") || name.find("_test.cc") != std::string::npos) continue;
    if (name.ends_with(".cc") || name.ends_with(".h")) text << std::ifstream(entry.path()).rdbuf();
  }
  return text.str();
}

TEST(FaultTable, NamesEachFaultOnceInLowerCase) {
  std::set<std::string_view> names;
  const auto look = [&](std::string_view name, std::string_view help) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
              std::string_view::npos)
        << name;
    EXPECT_FALSE(help.empty()) << name;
  };
  for (const FaultRow& row : fault_rows()) look(row.name, row.help);
  for (const PlantedRow& row : kPlanted) look(row.name, row.help);
  for (const ShapeFault& row : shape_faults()) look(row.name, help_of(row));
}

TEST(FaultTable, SaysWhereAPlantedBugLives) {
  const std::vector<std::string> profiles = server_profile_names();
  for (const PlantedRow& row : kPlanted) {
    EXPECT_THAT(profiles, ::testing::Contains(std::string(row.profile))) << row.name;
    EXPECT_THAT(row.transport, ::testing::AnyOf("stdio", "http", "tcp", "websocket")) << row.name;
    EXPECT_THAT(row.shows, ::testing::AnyOf("crash", "exit", "hang", "wrong")) << row.name;
    EXPECT_GE(row.frames, 1) << row.name;
  }
}

TEST(FaultTable, EachFaultIsAskedForSomewhere) {
  const std::string sources = all_sources();
  const auto look = [&](std::string_view name) {
    EXPECT_NE(sources.find("\"" + std::string(name) + "\""), std::string::npos) << name;
  };
  for (const FaultRow& row : fault_rows()) look(row.name);
  for (const PlantedRow& row : kPlanted) look(row.name);
}

TEST(FaultTable, KnowsEachNameThatIsAskedFor) {
  std::set<std::string> known;
  std::set<std::uint64_t> numbers;
  const auto add = [&](std::string_view name) {
    known.emplace(name);
    EXPECT_TRUE(numbers.insert(FaultName(name).number()).second) << name;
  };
  for (const FaultRow& row : fault_rows()) add(row.name);
  for (const PlantedRow& row : kPlanted) add(row.name);
  const std::string sources = all_sources();
  const std::regex asked("has\\(\"([^\"]+)\"\\)");
  std::size_t count = 0;
  for (std::sregex_iterator at(sources.begin(), sources.end(), asked), end; at != end; ++at) {
    EXPECT_TRUE(known.contains((*at)[1])) << (*at)[1] << " has no row";
    ++count;
  }
  EXPECT_GT(count, 600u);
}

TEST(FaultTable, SuggestsTheNearestName) {
  Faults faults;
  const auto added = faults.add("reply-twize");
  ASSERT_FALSE(added);
  EXPECT_THAT(added.error().text(), ::testing::HasSubstr("reply-twice"));
  EXPECT_FALSE(faults.any());
}

TEST(FaultTable, IsListedAsJson) {
  const json::Value list = json::parse(list_faults_json());
  EXPECT_EQ(list.items.size(), fault_rows().size() + std::size(kPlanted) + shape_faults().size());
}

}  // namespace
}  // namespace harness::reference
