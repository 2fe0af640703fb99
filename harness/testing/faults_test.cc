// SPDX-License-Identifier: Apache-2.0
// The table of Faults: names are unique, each is asked for in the code, and each that acts on
// messages changes what the server says to a long list of messages.
#include "harness/testing/faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "harness/json/read.h"
#include "harness/testing/conversation.h"

namespace harness::testing {
namespace {

// Every place a hook may be: the sources of this folder but for the table and the tests.
std::string all_sources() {
  std::stringstream text;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(RPCSPEC_SOURCE_DIR) + "/harness/testing")) {
    const std::string name = entry.path().filename();
    if (name == "fault_table.h" || name.find("_test.cc") != std::string::npos) continue;
    if (name.ends_with(".cc") || name.ends_with(".h")) text << std::ifstream(entry.path()).rdbuf();
  }
  return text.str();
}

TEST(FaultTable, NamesEachFaultOnceInLowerCase) {
  std::set<std::string_view> names;
  for (const FaultRow& row : kFaults) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(row.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
              std::string_view::npos)
        << row.name;
    EXPECT_FALSE(row.help.empty()) << row.name;
  }
}

TEST(FaultTable, EachFaultIsAskedForSomewhere) {
  const std::string sources = all_sources();
  for (const FaultRow& row : kFaults) {
    EXPECT_NE(sources.find("\"" + std::string(row.name) + "\""), std::string::npos) << row.name;
  }
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
  EXPECT_EQ(list.items.size(), kFaultCount);
}

}  // namespace
}  // namespace harness::testing
