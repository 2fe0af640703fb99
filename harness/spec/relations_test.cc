// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/relations.h"

#include <gtest/gtest.h>

#include "harness/spec/testing.h"

namespace harness::spec {
namespace {

// Seven lines, the relation in the last.
std::string entry(const std::string& id, const std::string& relation = "probe: \"look\"") {
  return "- id: " + id +
         "\n  level: MUST\n  revisions: [jsonrpc-2.0]\n  transports: [all]\n"
         "  statement: \"It holds.\"\n  source: \"rpcspec\"\n  " +
         relation + "\n";
}

std::string complaint(const std::string& text) {
  Registry registry;
  Status status = registry.add(text, "r.yaml");
  if (status) status = registry.check_relations();
  return status ? "" : status.error().text();
}

// Of an entry beside two others.
std::string complaint_of(const std::string& relation) {
  return complaint(entry("mcp.one", relation) + entry("mcp.two") + entry("mcp.three"));
}

std::string family(const std::string& members) {
  return complaint_of("one_with: {" + members + "}");
}

TEST(Relations, AreReadWithTheirPlaces) {
  Registry registry;
  const std::string text =
      entry("a", "follows: [b, \"c\"]") + entry("b") +
      entry("c", "one_with: {clauses: [a, b], least: 3, itself: true, title: \"T\", sentence: S}");
  ASSERT_TRUE(registry.add(text, "r.yaml"));
  ASSERT_TRUE(registry.check_relations());
  const std::vector<Mention>& follows = registry.find("a")->follows;
  ASSERT_EQ(follows.size(), 2u);
  EXPECT_EQ(follows[1].id, "c");
  EXPECT_EQ(follows[1].line, 7);
  EXPECT_EQ(follows[1].column, 17);
  EXPECT_FALSE(registry.find("a")->one_with);
  const std::optional<Family>& one_with = registry.find("c")->one_with;
  ASSERT_TRUE(one_with);
  EXPECT_EQ(one_with->others[0].id, "a");
  EXPECT_EQ(one_with->others[1].column, 27);
  EXPECT_EQ(one_with->least, 3u);
  EXPECT_TRUE(one_with->itself);
  EXPECT_EQ(one_with->title + one_with->sentence, "TS");
}

TEST(Relations, NameClausesThatThereAre) {
  EXPECT_EQ(complaint_of("follows: [mcp.two, mcp.thre]"),
            "r.yaml:7:22: there is no requirement 'mcp.thre'; did you mean 'mcp.three'?");
  EXPECT_EQ(complaint_of("follows: [mcp.two, mcp.two]"),
            "r.yaml:7:22: 'mcp.two' is named twice; leave one of them out");
  EXPECT_EQ(complaint_of("follows: mcp.two"),
            "r.yaml:7:12: 'follows' names no clauses; write a list like [mcp.ping.result]");
  EXPECT_EQ(complaint_of("follows: [mcp.two, 3]"), "r.yaml:7:22: there is no requirement '3'");
  EXPECT_EQ(complaint_of("follows: []"),
            "r.yaml:7:12: 'follows' names no clauses; write a list like [mcp.ping.result]");
  EXPECT_EQ(complaint_of("folows: [mcp.two]"),
            "r.yaml:7: unknown field 'folows'; did you mean 'follows'?");
  EXPECT_EQ(complaint_of("follows: [mcp.two"),
            "r.yaml:7:12: 'follows' names no clauses; write a list like [mcp.ping.result]");
  EXPECT_EQ(complaint_of("follows: [mcp.two, \"mcp\\u002eone\"]"),
            "r.yaml:7:12: 'follows' names no clauses; write a list like [mcp.ping.result]");
}

TEST(Relations, DoNotGoRoundInCircles) {
  EXPECT_EQ(complaint_of("follows: [mcp.one]"),
            "r.yaml:7:13: 'mcp.one' names itself in 'follows'; leave it out");
  EXPECT_EQ(complaint(entry("mcp.one", "follows: [mcp.two]") +
                      entry("mcp.two", "follows: [mcp.four, mcp.three]") +
                      entry("mcp.three", "follows: [mcp.two]") + entry("mcp.four")),
            "r.yaml:14:23: 'mcp.two' follows from itself: mcp.two, mcp.three, mcp.two; leave one "
            "of them out");
}

TEST(Relations, SayWhatMakesAFamily) {
  const std::string rest = ", title: T, sentence: S";
  EXPECT_EQ(family("clauses: [mcp.two, mcp.three], least: 3" + rest), "");
  EXPECT_EQ(family("clauses: [mcp.two, mcp.thre], least: 2" + rest),
            "r.yaml:7:33: there is no requirement 'mcp.thre'; did you mean 'mcp.three'?");
  EXPECT_EQ(family("clauses: [mcp.one], least: 2" + rest),
            "r.yaml:7:24: 'mcp.one' names itself in 'one_with'; leave it out");
  EXPECT_EQ(family("clauses: [mcp.two], least: 2, titl: T, sentence: S"),
            "r.yaml:7:44: unknown key 'titl'; did you mean 'title'?");
  EXPECT_EQ(family("clauses: [mcp.two], least: 2, title: T"),
            "r.yaml:7:13: 'one_with' has no sentence");
  for (const char* least : {"1", "3", "-2", "2.0", "two"})
    EXPECT_EQ(family("clauses: [mcp.two], least: " + std::string(least) + rest),
              "r.yaml:7:41: 'least' is how many of the clauses have to be broken; write a number "
              "from 2 to 2");
  EXPECT_EQ(family("clauses: [mcp.two], least: 2, itself: mcp.one" + rest),
            "r.yaml:7:52: 'itself' is true or false");
  EXPECT_EQ(family("clauses: [mcp.two], least: 2, title: \"\", sentence: S"),
            "r.yaml:7:51: 'title' is a text in double quotes");
  EXPECT_EQ(
      complaint_of("one_with: [mcp.two]"),
      "r.yaml:7:13: 'one_with' is not a mapping; write {clauses: [ID], least: 2, title: \"…\", "
      "sentence: \"…\"} on one line");
  const std::string of_two = "one_with: {clauses: [mcp.two], least: 2" + rest + "}";
  EXPECT_EQ(complaint(entry("mcp.one", of_two) + entry("mcp.two") + entry("mcp.three", of_two)),
            "r.yaml:21:24: 'mcp.two' is one with 'mcp.one' already; name it in one of them");
}

TEST(Relations, OfTheCataloguesAreSound) {
  const Registry& registry = own_registry();  // it throws where they are not
  EXPECT_FALSE(registry.find("mcp.progress.increasing")->follows.empty());
  EXPECT_TRUE(registry.find("mcp.tools.call-validates-input")->one_with);
}

}  // namespace
}  // namespace harness::spec
