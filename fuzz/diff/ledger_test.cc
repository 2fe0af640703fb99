// SPDX-License-Identifier: Apache-2.0
#include "fuzz/diff/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace fuzz {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class LedgerTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "/ledger-" + std::to_string(getpid()) + ".yaml";
  }
  void TearDown() override { std::remove(path_.c_str()); }

  harness::Result<Ledger> load(const std::string& text) {
    std::ofstream(path_, std::ios::trunc) << text;
    return Ledger::load(path_);
  }
  // What is wrong, behind the name of the file.
  std::string complaint(const std::string& text) {
    const auto ledger = load(text);
    return ledger ? "nothing" : ledger.error().text().substr(path_.size());
  }

  std::string path_;
};

TEST_F(LedgerTest, AcceptsBySignatureAndByPattern) {
  auto ledger = load(
      "accepted:\n"
      "  - {signature: 'ping: result | nothing', reason: known}\n"
      "  - signature: 'tools/call *: result | error *'\n"
      "    reason: arguments are checked now\n");
  ASSERT_TRUE(ledger) << ledger.error().text();
  ASSERT_NE(ledger->accept("ping: result | nothing"), nullptr);
  EXPECT_EQ(ledger->accept("ping: result | nothing")->reason, "known");
  EXPECT_EQ(ledger->accept("ping: nothing | result"), nullptr);
  ASSERT_NE(ledger->accept("tools/call echo: result | error -32602"), nullptr);
  EXPECT_THAT(ledger->stale(true), IsEmpty());
}

TEST_F(LedgerTest, SaysWhatIsStale) {
  auto ledger = load(
      "accepted:\n"
      "  - {signature: gone, reason: known, script: '{}'}\n"
      "  - {signature: perhaps, reason: known}\n");
  ASSERT_TRUE(ledger) << ledger.error().text();
  EXPECT_THAT(ledger->stale(false),
              ElementsAre(path_ + ":2:5: gone is no longer there; remove the entry"));
  EXPECT_THAT(ledger->stale(true),
              ElementsAre(path_ + ":2:5: gone is no longer there; remove the entry",
                          path_ + ":3:5: perhaps was not seen; remove the entry or give its "
                                  "script"));
}

TEST_F(LedgerTest, SaysWhereAMistakeIs) {
  EXPECT_EQ(complaint("known: []\n"),
            ":1:1: a ledger is a mapping with the list `accepted`; write `accepted: []`, or let "
            "--write-ledger write the file");
  EXPECT_EQ(complaint("accepted: []\nknown: []\n"),
            ":2:1: unknown field `known`; a ledger has the list `accepted` alone");
  EXPECT_EQ(complaint("accepted:\n  - ping\n"),
            ":2:5: an entry of `accepted` is a mapping; write `- signature: TEXT`");
  EXPECT_EQ(complaint("accepted:\n  - signature: a\n    reasn: b\n"),
            ":3:5: unknown field `reasn`; did you mean `reason`?");
  EXPECT_EQ(
      complaint("accepted:\n  - reason: b\n"),
      ":2:5: the entry names no difference; add `signature: TEXT`, as rpcspec diff prints it");
  EXPECT_EQ(complaint("accepted:\n  - signature: a\n"),
            ":2:5: the entry gives no reason; say in `reason` why the difference is accepted");
  EXPECT_EQ(complaint("accepted:\n  - signature: a\n    reason: ''\n"),
            ":3:5: the entry gives no reason; say in `reason` why the difference is accepted");
  EXPECT_EQ(complaint("accepted:\n  - signature: a\n    reason: 7\n"),
            ":3:5: `reason` is a text; put it in quotes");
}

TEST_F(LedgerTest, ReadsWhatItWrites) {
  const std::vector<Accepted> entries = {
      {"ping: \"a\" | b", "because", "#! profile: jsonrpc-2.0\n{\"id\":1}\n!raw \"\\n\"\n", ""},
      {"b", "it is\nso", "", ""},
      {"c", "odd scripts", " leading\n", ""},
      {"d", "odd scripts", "no end", ""},
      {"e", "odd scripts", "two\n\n", ""},
      {"f", "odd scripts", "tab\there\n", ""}};
  auto ledger = load(ledger_text(entries));
  ASSERT_TRUE(ledger) << ledger.error().text();
  ASSERT_EQ(ledger->entries().size(), entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(ledger->entries()[i].signature, entries[i].signature);
    EXPECT_EQ(ledger->entries()[i].reason, entries[i].reason);
    EXPECT_EQ(ledger->entries()[i].script, entries[i].script);
  }
  EXPECT_TRUE(load(ledger_text({})));
}

TEST_F(LedgerTest, WritesReasonsForAPersonToFillIn) {
  EXPECT_EQ(complaint(ledger_text({{"a", "", "", ""}})),
            ":5:5: the entry gives no reason; say in `reason` why the difference is accepted");
}

}  // namespace
}  // namespace fuzz
