// SPDX-License-Identifier: Apache-2.0
#include "harness/run/cause_pack.h"

#include <gtest/gtest.h>

#include "harness/base/result.h"

namespace harness::run {
namespace {

Cause cause(const std::string& title) {
  Cause out;
  out.requirement = "jsonrpc.id.string-echo";
  out.level = "MUST";
  out.verdict = Verdict::kWarn;
  out.title = title;
  out.sentence = std::string("a\0b\xff\n", 5);
  out.findings = {{"a/1", 2}, {"oracle/replies", 0}};
  out.replay = "rpcspec run --select a/1 -- ./server";
  out.curl = "curl";
  out.baselined = true;
  return out;
}

TEST(CausePack, KeepsEachField) {
  std::vector<Cause> causes{cause("one"), cause(""), Cause{}};
  causes[1].by_clause = true;
  const std::vector<Cause> read = unpacked(packed(causes));
  ASSERT_EQ(read.size(), causes.size());
  for (std::size_t i = 0; i < causes.size(); ++i) {
    EXPECT_EQ(read[i].requirement, causes[i].requirement);
    EXPECT_EQ(read[i].level, causes[i].level);
    EXPECT_EQ(read[i].verdict, causes[i].verdict);
    EXPECT_EQ(read[i].title, causes[i].title);
    EXPECT_EQ(read[i].sentence, causes[i].sentence);
    EXPECT_EQ(read[i].replay, causes[i].replay);
    EXPECT_EQ(read[i].curl, causes[i].curl);
    EXPECT_EQ(read[i].baselined, causes[i].baselined);
    EXPECT_EQ(read[i].by_clause, causes[i].by_clause);
    ASSERT_EQ(read[i].findings.size(), causes[i].findings.size());
    for (std::size_t k = 0; k < causes[i].findings.size(); ++k) {
      EXPECT_EQ(read[i].findings[k].case_id, causes[i].findings[k].case_id);
      EXPECT_EQ(read[i].findings[k].finding, causes[i].findings[k].finding);
    }
  }
  EXPECT_TRUE(unpacked(packed({})).empty());
}

TEST(CausePack, DoesNotReadWhatIsCutOrGoesOn) {
  const std::string whole = packed({cause("one")});
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THROW(unpacked(whole.substr(0, size)), Bug) << size;
  EXPECT_THROW(unpacked(whole + "x"), Bug);
}

}  // namespace
}  // namespace harness::run
