// SPDX-License-Identifier: Apache-2.0
#include "fuzz/diff/accepted_differences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace fuzz {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class AcceptedDifferencesTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "/accepted-" + std::to_string(getpid()) + ".yaml";
  }
  void TearDown() override { std::remove(path_.c_str()); }

  harness::Result<AcceptedDifferences> load(const std::string& text) {
    std::ofstream(path_, std::ios::trunc) << text;
    return AcceptedDifferences::load(path_);
  }
  // What is wrong, behind the name of the file.
  std::string complaint(const std::string& text) {
    const auto accepted = load(text);
    return accepted ? "nothing" : accepted.error().text().substr(path_.size());
  }

  std::string path_;
};

TEST_F(AcceptedDifferencesTest, AcceptsBySignatureAndByPattern) {
  auto accepted = load(
      "accepted:\n"
      "  - {signature: 'ping: result | nothing', reason: known}\n"
      "  - signature: 'tools/call *: result | error *'\n"
      "    reason: arguments are checked now\n");
  ASSERT_TRUE(accepted) << accepted.error().text();
  ASSERT_NE(accepted->accept("ping: result | nothing"), nullptr);
  EXPECT_EQ(accepted->accept("ping: result | nothing")->reason, "known");
  EXPECT_EQ(accepted->accept("ping: nothing | result"), nullptr);
  ASSERT_NE(accepted->accept("tools/call echo: result | error -32602"), nullptr);
  EXPECT_THAT(accepted->stale(true), IsEmpty());
}

TEST_F(AcceptedDifferencesTest, SaysWhatIsStale) {
  auto accepted = load(
      "accepted:\n"
      "  - {signature: gone, reason: known, script: '{}'}\n"
      "  - {signature: perhaps, reason: known}\n");
  ASSERT_TRUE(accepted) << accepted.error().text();
  EXPECT_THAT(accepted->stale(false),
              ElementsAre(path_ + ":2:5: gone is no longer there; remove the entry"));
  EXPECT_THAT(accepted->stale(true),
              ElementsAre(path_ + ":2:5: gone is no longer there; remove the entry",
                          path_ + ":3:5: perhaps was not seen; remove the entry or give its "
                                  "script"));
}

TEST_F(AcceptedDifferencesTest, SaysWhereAMistakeIs) {
  EXPECT_EQ(complaint("known: []\n"),
            ":1:1: accepted differences must be a mapping with the list `accepted`; write "
            "`accepted: []`, or let --write-accepted write the file");
  EXPECT_EQ(complaint("accepted: []\nknown: []\n"),
            ":2:1: unknown field `known`; accepted differences must have only the list `accepted`");
  EXPECT_EQ(complaint("accepted:\n  - ping\n"),
            ":2:5: an entry of `accepted` must be a mapping; write `- signature: TEXT`");
  EXPECT_EQ(complaint("accepted:\n  - signature: a\n    reasn: b\n"),
            ":3:5: unknown field `reasn`; did you mean `reason`?");
  EXPECT_EQ(
      complaint("accepted:\n  - reason: b\n"),
      ":2:5: the entry names no difference; add `signature: TEXT`, as rpcspec diff prints it");
  EXPECT_EQ(complaint("accepted:\n  - signature: a\n"),
            ":2:5: the entry gives no reason; write in `reason` why the difference is accepted");
  EXPECT_EQ(complaint("accepted:\n  - signature: a\n    reason: ''\n"),
            ":3:5: the entry gives no reason; write in `reason` why the difference is accepted");
  EXPECT_EQ(complaint("accepted:\n  - signature: a\n    reason: 7\n"),
            ":3:5: `reason` is a text; put it in quotes");
}

TEST_F(AcceptedDifferencesTest, ReadsWhatItWrites) {
  const std::vector<Accepted> entries = {
      {"ping: \"a\" | b", "because", "#! profile: jsonrpc-2.0\n{\"id\":1}\n!raw \"\\n\"\n", ""},
      {"b", "it is\nso", "", ""},
      {"c", "odd scripts", " leading\n", ""},
      {"d", "odd scripts", "no end", ""},
      {"e", "odd scripts", "two\n\n", ""},
      {"f", "odd scripts", "tab\there\n", ""}};
  auto accepted = load(accepted_text(entries));
  ASSERT_TRUE(accepted) << accepted.error().text();
  ASSERT_EQ(accepted->entries().size(), entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(accepted->entries()[i].signature, entries[i].signature);
    EXPECT_EQ(accepted->entries()[i].reason, entries[i].reason);
    EXPECT_EQ(accepted->entries()[i].script, entries[i].script);
  }
  EXPECT_TRUE(load(accepted_text({})));
}

TEST_F(AcceptedDifferencesTest, WritesReasonsForAPersonToFillIn) {
  EXPECT_EQ(complaint(accepted_text({{"a", "", "", ""}})),
            ":5:5: the entry gives no reason; write in `reason` why the difference is accepted");
}

}  // namespace
}  // namespace fuzz
