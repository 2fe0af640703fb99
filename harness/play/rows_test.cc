// SPDX-License-Identifier: Apache-2.0
#include "harness/play/rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "harness/json/read.h"
#include "harness/json/write.h"

namespace harness::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

suite::Case looped(const std::string& list) {
  suite::Case made;
  made.for_each_name = "it";
  made.for_each_list = list;
  return made;
}

TEST(Rows, AreThoseOfTheTableOrOneWithoutColumns) {
  suite::Case made;
  EXPECT_EQ(rows_of(made, {}).rows.size(), 1u);
  made.table = json::parse(R"([{"a":1},{"a":"x","row":"second"}])").items;
  EXPECT_EQ(rows_of(made, {}).rows.size(), 2u);
  EXPECT_EQ(label_of(made, made.table[0]), "a = 1");
  EXPECT_EQ(label_of(made, made.table[1]), "second");
}

TEST(Rows, AreMultipliedByALoop) {
  Offer offer;
  suite::Case made = looped("tools");
  EXPECT_EQ(rows_of(made, offer).inconclusive, "the target lists no tools");
  offer.tools = json::parse(R"([{"name":"a"},{"name":"b"}])");
  made.table = json::parse(R"([{"n":1},{"n":2},{"n":3}])").items;
  const Rows all = rows_of(made, offer);
  ASSERT_EQ(all.rows.size(), 6u);
  EXPECT_EQ(label_of(made, all.rows[0]), "it a");
  EXPECT_EQ(json::write(*all.rows[5].find("it")), R"({"name":"b"})");
}

TEST(Rows, LeaveOutWhatNobodyCanAskFor) {
  Offer offer;
  offer.prompts = json::parse(R"([{"title":"a"},{"name":7},{"name":"b"},"c"])");
  const Rows all = rows_of(looped("prompts"), offer);
  ASSERT_EQ(all.rows.size(), 1u);
  EXPECT_EQ(json::write(*all.rows[0].find("it")), R"({"name":"b"})");
  offer.resources = json::parse(R"([{"name":"a"}])");
  EXPECT_EQ(rows_of(looped("resources"), offer).inconclusive, "the target lists no resources");
}

TEST(Rows, AreMadeFromTheSchemasOfToolsThatMayBeCalled) {
  Offer offer;
  offer.tools = json::parse(
      R"([{"name":"a","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}},
          "required":["n"]}},{"name":"rm","inputSchema":{"type":"object"}}])");
  offer.forbidden = {{"rm", "destructive"}};
  suite::Case made = looped("arguments");
  made.for_each_kind = "broken";
  const Rows all = rows_of(made, offer);
  ASSERT_FALSE(all.rows.empty());
  EXPECT_EQ(json::at(all.rows.front(), "/it/name")->text, "a");
  EXPECT_THAT(all.withheld, ElementsAre("rm"));
  made.for_each_of = {"maximum"};
  offer.forbidden.clear();
  EXPECT_THAT(rows_of(made, offer).not_applicable, HasSubstr("gives broken arguments"));
}

TEST(Rows, BreakEveryArgumentOfATool) {
  Offer offer;
  offer.tools = json::parse(R"([{"name":"t","inputSchema":{"type":"object","properties":{
      "a":{"type":"string"},"b":{"type":"string"},"c":{"type":"object","properties":{
      "d":{"type":"string"}}}}}}])");
  suite::Case made = looped("arguments");
  made.for_each_kind = "broken";
  made.for_each_of = {"type"};
  const Rows all = rows_of(made, offer);
  EXPECT_EQ(all.note, "only some of the possible arguments were played");
  std::set<std::string> places;
  for (const json::Value& row : all.rows) {
    const std::string& what = json::at(row, "/it/what")->text;
    places.insert(what.substr(0, what.find(' ')));
  }
  EXPECT_THAT(places, ElementsAre("/a", "/b", "/c", "/c/d"));
}

TEST(Rows, AreMadeFromWhatIsListed) {
  Offer offer;
  suite::Case made = looped("uris");
  made.for_each_kind = "expanded";
  EXPECT_THAT(rows_of(made, offer).not_applicable, HasSubstr("gives URIs of this kind: expanded"));
  offer.templates = json::parse(R"([{"uriTemplate":"t://{id}"}])");
  made.for_each_values = {json::string("a"), json::string("b")};
  made.table = json::parse(R"([{"row":"first","n":1},{"n":2}])").items;
  const Rows uris = rows_of(made, offer);
  ASSERT_EQ(uris.rows.size(), 4u);
  EXPECT_EQ(json::at(uris.rows[2], "/it/uri")->text, "t://b");
  EXPECT_EQ(label_of(made, uris.rows[2]), "first, of the template t://{id} with b");

  suite::Case prompts = looped("prompt-arguments");
  prompts.for_each_kind = "broken";
  EXPECT_THAT(rows_of(prompts, offer).not_applicable, HasSubstr("no listed prompt"));
  offer.prompts = json::parse(R"([{"name":"p","arguments":[{"name":"a","required":true}]}])");
  EXPECT_EQ(json::write(*rows_of(prompts, offer).rows[0].find("it")->find("argument")), R"("a")");
  EXPECT_EQ(rows_of(looped("completions"), offer).rows.size(), 2u);
}

TEST(Rows, AreThoseOfAFewItemsOfALongList) {
  Offer offer;
  for (int i = 0; i < 100; ++i)
    offer.resources.items.push_back(json::object(
        {{"name", json::string(std::to_string(i))}, {"uri", json::string("t://a")}}));
  const Rows all = rows_of(looped("resources"), offer);
  EXPECT_EQ(all.rows.size(), 16u);
  EXPECT_EQ(all.note, "not all resources that are listed were played");
  EXPECT_EQ(all.rows.back().find("it")->find("name")->text, "93");
}

TEST(Rows, CallAToolThatTakesItsTimeWithWhatKeepsItShort) {
  Offer offer;
  offer.tools = json::parse(
      R"([{"name":"sleep","inputSchema":{"type":"object","properties":{"s":{"type":"integer"}},
          "required":["s"]}}])");
  offer.affordances = json::parse(R"({"tool.slow":{"name":"sleep","arguments":{"s":1}}})");
  suite::Case made = looped("arguments");
  for (const char* kind : {"valid", "minimal"}) {
    made.for_each_kind = kind;
    const Rows rows = rows_of(made, offer);
    ASSERT_EQ(rows.rows.size(), 1u) << kind;
    EXPECT_EQ(json::write(*json::at(rows.rows.front(), "/it/arguments")), R"({"s":1})") << kind;
  }
  made.for_each_kind = "broken";
  EXPECT_GT(rows_of(made, offer).rows.size(), 1u) << "what is refused takes no time";
}

}  // namespace
}  // namespace harness::run
