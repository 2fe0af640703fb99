// SPDX-License-Identifier: Apache-2.0
// The relations of clauses made up for it; those of the catalogues are in cause_replies_test.cc.
#include <gtest/gtest.h>

#include <map>

#include "harness/causes/causes_testing.h"

namespace harness::run {
namespace {

class Relations : public Causes {
 protected:
  void clause(const std::string& id, const std::string& relation = "probe: \"look\"",
              const std::string& revision = "jsonrpc-2.0") {
    const Status added =
        registry_.add("- id: " + id + "\n  level: MUST\n  revisions: [" + revision +
                          "]\n  transports: [all]\n  statement: \"It holds.\"\n"
                          "  source: \"rpcspec\"\n  " +
                          relation + "\n",
                      "r.yaml");
    ASSERT_TRUE(added) << added.error().text();
  }

  // How many findings each cause has, by its clause.
  std::map<std::string, std::size_t> laid(std::initializer_list<const char*> broken) {
    clues_.all.clear();
    results_.clear();
    for (const char* id : broken) clue(id);
    return laid();
  }
  std::map<std::string, std::size_t> laid() {
    std::map<std::string, std::size_t> out;
    for (const Cause& cause : causes()) out[cause.requirement] += cause.findings.size();
    return out;
  }
  std::vector<Cause> causes() {
    return find_causes(clues_, {registry_, *spec::find_profile("jsonrpc-2.0"),
                                wire::TransportKind::kStdio, results_});
  }

  spec::Registry registry_;
};

using Laid = std::map<std::string, std::size_t>;

TEST_F(Relations, LayWhatFollowsToWhatIsBroken) {
  clause("a");
  clause("b", "follows: [a]");
  clause("c", "follows: [b]");
  EXPECT_EQ(laid({"c"}), (Laid{{"c", 1}})) << "nothing before it is broken";
  EXPECT_EQ(laid({"c", "b"}), (Laid{{"b", 2}}));
  EXPECT_EQ(laid({"c", "b", "a"}), (Laid{{"a", 3}}));
  EXPECT_EQ(laid({"c", "a"}), (Laid{{"a", 2}})) << "b is broken, though nobody saw it";
  EXPECT_EQ(causes()[0].findings[0].case_id, "a/2") << "what breaks it shows it";
}

TEST_F(Relations, LayWhatFollowsFromSeveralToTheFirst) {
  clause("a");
  clause("b");
  clause("c", "follows: [b, a]");
  EXPECT_EQ(laid({"a", "b", "c"}), (Laid{{"a", 1}, {"b", 2}}));
  EXPECT_EQ(laid({"a", "c"}), (Laid{{"a", 2}}));
}

TEST_F(Relations, LeaveAloneWhatIsGarbled) {
  clause("a");
  clause("b", "follows: [a]");
  clue("a");
  clue("b").garbled = "x";
  EXPECT_EQ(laid(), (Laid{{"a", 1}, {"b", 1}})) << "it is what came that is wrong there";
  clues_.all[1].garbled.clear();
  EXPECT_EQ(laid(), (Laid{{"a", 2}}));
}

TEST_F(Relations, TellAFamilyUnderItsClause) {
  clause("a", "one_with: {clauses: [b, c], least: 2, title: \"All are taken\", sentence: \"S\"}");
  EXPECT_EQ(laid({"b"}), (Laid{{"b", 1}}));
  EXPECT_EQ(laid({"b", "b"}), (Laid{{"b", 2}})) << "one clause, twice";
  EXPECT_EQ(laid({"b", "c", "d"}), (Laid{{"a", 2}, {"d", 1}}));
  EXPECT_EQ(causes()[0].title, "All are taken");
  EXPECT_EQ(causes()[0].sentence, "S");
  clues_.all[1].symptom = oracle::Symptom::kSilence;
  EXPECT_EQ(laid(), (Laid{{"b", 1}, {"c", 1}, {"d", 1}})) << "silence is no answer";
}

TEST_F(Relations, TellAFamilyWithWhatTheClauseAboutCodesSaysOfTheSameResult) {
  clause("a", "one_with: {clauses: [b], least: 2, title: \"T\", sentence: \"S\"}");
  clause("b");
  clause("mcp.errors.standard-codes");
  laid({"a", "b", "mcp.errors.standard-codes"});
  for (Clue& clue : clues_.all) {
    clue.wants_error = true;
    clue.came.result = "{}";
  }
  EXPECT_EQ(laid(), (Laid{{"a", 3}}));
  clues_.all.back().came.result = "[]";
  EXPECT_EQ(laid(), (Laid{{"a", 2}, {"mcp.errors.standard-codes", 1}}));
}

TEST_F(Relations, TellAFamilyOnlyWhereItsClauseIsBrokenAndCounts) {
  const std::string rest = "least: 2, itself: true, title: \"T\", sentence: \"S\"}";
  clause("a", "one_with: {clauses: [b, c], " + rest);
  clause("d", "one_with: {clauses: [e], " + rest, "2025-06-18");
  EXPECT_EQ(laid({"b", "c"}), (Laid{{"b", 1}, {"c", 1}}));
  EXPECT_EQ(laid({"a", "c"}), (Laid{{"a", 2}}));
  EXPECT_EQ(laid({"d", "e"}), (Laid{{"d", 1}, {"e", 1}})) << "of MCP alone";
}

}  // namespace
}  // namespace harness::run
