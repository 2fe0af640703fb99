// SPDX-License-Identifier: Apache-2.0
#include "harness/contract/contract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/base/test_folders.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/spec/requirement.h"

namespace harness::contract {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Contract shop(const std::string& name) {
  const std::string path = harness::source_dir() + "/corpus/contracts/" + name;
  auto document = Document::read(*read_file(path), name);
  if (!document) throw std::runtime_error(document.error().text());
  return read_contract(std::move(*document));
}

// A document with this method alone, and these components.
Contract with_method(const std::string& method, const std::string& components = "{}") {
  auto document =
      Document::read(R"({"openrpc":"1.3.2","info":{"title":"t","version":"1"},"methods":[)" +
                         method + R"(],"components":)" + components + "}",
                     "d");
  if (!document) throw std::runtime_error(document.error().text());
  return read_contract(std::move(*document));
}

std::vector<std::string> flaws_of(const Contract& contract) {
  std::vector<std::string> out;
  for (const Flaw& flaw : contract.flaws)
    out.push_back(std::string(weight_name(flaw.weight)) + " " +
                  flaw.clause.substr(std::string("openrpc.document.").size()) + " " +
                  flaw.place.pointer);
  return out;
}

TEST(OpenRpc, ASoundDocumentHasNoFlaw) {
  const Contract read = shop("bookshop.openrpc.json");
  EXPECT_THAT(flaws_of(read), IsEmpty());
  EXPECT_EQ(read.edition, "openrpc-1.3");
  EXPECT_EQ(read.methods.size(), 10u);
  for (const Method& method : read.methods)
    EXPECT_THAT(method.not_judged, IsEmpty()) << method.name;
}

TEST(OpenRpc, EachFlawOfAFlawedDocumentIsToldAndNothingElse) {
  const Contract read = shop("bookshop-flawed.openrpc.json");
  EXPECT_THAT(
      flaws_of(read),
      ElementsAre(
          "fail version /openrpc", "fail valid /info", "fail links-resolve /methods/0/links/0",
          "info defaults-fit /methods/1/params/1/schema/default",
          "fail param-names-unique /methods/1/params/4",
          "warn error-codes-unique /methods/2/errors/2", "fail required-first /methods/3/params/1",
          "fail refs-resolve /methods/4/result/schema/$ref",
          "warn examples-fit /methods/5/examples/0/result/value/amount",
          "warn error-codes-free /methods/6/errors/0/code",
          "fail schemas-sound /methods/8/result/schema/type",
          "fail schemas-sound /methods/8/result/schema/minimum",
          "fail method-names-unique /methods/10", "warn method-names-reserved /methods/11/name",
          "warn patterns-compile /components/schemas/AuthorId/pattern",
          "warn components-named /components/errors/Odd Name!",
          "fail error-codes-unique /components/errors/Odd Name!/code"));
  EXPECT_EQ(read.document.where(read.flaws[0].place), "bookshop-flawed.openrpc.json:2:13 /openrpc");
  // What a flaw makes doubtful is not judged, and nothing else.
  EXPECT_THAT(read.find("shelf.tree")->not_judged,
              ElementsAre("its result: it refers to #/components/schemas/Shelves, which the "
                          "document does not have"));
  EXPECT_THAT(read.find("stock.level")->not_judged, ElementsAre("its result: minimum is \"0\""));
  EXPECT_TRUE(read.find("text.echo")->twice);
  EXPECT_THAT(read.find("price.total")->not_judged, IsEmpty());
  EXPECT_FALSE(read.find("price.total")->examples[0].result);
}

TEST(OpenRpc, TellsOddDocumentsOnceAndWhereTheyAreOdd) {
  const struct {
    const char *method, *components, *flaw;
  } rows[] = {
      {R"({"name":"a","params":[],"result":{"name":"r","schema":{"$ref":"#/components/schemas/A"}}})",
       R"({"schemas":{"A":{"$ref":"#/components/schemas/B"},"B":{"$ref":"#/components/schemas/A"}}})",
       "fail refs-resolve /components/schemas/A/$ref"},
      {R"({"name":"a","name":"b","params":[]})", "{}", "fail valid /methods/0/name"},
      {R"({"name":"a","params":[]})", R"({"schemas":{"A":{},"A":{"type":"object"}}})",
       "fail valid /components/schemas/A"},
      {R"({"name":"a"})", "{}", "fail valid /methods/0"},
      {R"({"name":"a","params":[{"name":"p","schema":{"type":"array","items":5}}]})", "{}",
       "fail schemas-sound /methods/0/params/0/schema/items"},
      {R"({"name":"a","params":[{"name":"p","schema":{"type":"integer"}}],
           "links":[{"name":"l","params":{"p":"$result.id"}}]})",
       "{}", "warn links-resolve /methods/0/links/0/params/p"},
      {R"({"name":"a","params":[{"name":"p","schema":{"type":"integer","nullable":true}}],
           "examples":[{"name":"e","params":[{"name":"p","value":null}]}]})",
       "{}", "info schemas-sound /methods/0/params/0/schema/nullable"},
  };
  for (const auto& row : rows)
    EXPECT_THAT(flaws_of(with_method(row.method, row.components)), ElementsAre(row.flaw))
        << row.method;
  EXPECT_THAT(with_method(R"({"name":"a"})").methods[0].not_judged,
              ElementsAre("all of it: its params are not described"));
}

// Each schema refers to the one before: all of them together would be millions of values.
TEST(OpenRpc, LeavesOutWhatWouldBeTooLargeTogether) {
  std::string schemas = R"({"S0":{"type":"integer"})", methods = R"({"name":"m","params":[]})";
  const auto reference = [](int to) {
    return R"({"$ref":"#/components/schemas/S)" + std::to_string(to) + "\"}";
  };
  for (int i = 1; i < 2000; ++i) {
    schemas +=
        ",\"S" + std::to_string(i) + R"(":{"type":"array","items":)" + reference(i - 1) + "}";
    methods += R"(,{"name":"m)" + std::to_string(i) +
               R"(","params":[],"result":{"name":"r","schema":)" + reference(i) + "}}";
  }
  const Contract read = with_method(methods, R"({"schemas":)" + schemas + "}}");
  EXPECT_THAT(flaws_of(read), IsEmpty());
  EXPECT_THAT(read.find("m9")->not_judged, IsEmpty());
  EXPECT_THAT(read.find("m1999")->not_judged,
              ElementsAre("its result: the schemas of the document are too large together"));
}

TEST(OpenRpc, EachClauseOfAFlawIsInTheCatalogue) {
  spec::Registry registry;
  const std::string path = harness::source_dir() + "/cases/requirements/openrpc.yaml";
  ASSERT_TRUE(registry.add(*read_file(path), path));
  for (const Flaw& flaw : shop("bookshop-flawed.openrpc.json").flaws)
    EXPECT_NE(registry.find(flaw.clause), nullptr) << flaw.clause;
}

TEST(OpenRpc, ReadsWhatIsBehindReferences) {
  const Contract read = shop("bookshop.openrpc.json");
  const Method& get = *read.find("book.get");
  ASSERT_EQ(get.params.size(), 2u);
  EXPECT_EQ(get.params[0].name, "isbn");
  EXPECT_TRUE(get.params[0].required);
  EXPECT_EQ(get.params[0].schema.breach(json::string("12"))->schema, "/components/schemas/Isbn");
  EXPECT_THAT(get.errors, ElementsAre(1001));
  ASSERT_EQ(get.examples.size(), 2u);
  EXPECT_EQ(json::write(*get.examples[0].positional), R"(["978-3-16-148410-0"])");
  EXPECT_EQ(get.examples[1].code, 1001);
  ASSERT_EQ(get.links.size(), 1u);
  EXPECT_EQ(get.links[0].method, "author.books");
  EXPECT_EQ(read.find("book.search")->structure, Structure::kByName);
  EXPECT_EQ(get.structure, Structure::kUnsaid);
  EXPECT_FALSE(read.find("book.touched")->result);
  EXPECT_TRUE(read.find("stock.level")->deprecated);
  EXPECT_TRUE(read.find("price.total")->deterministic);
  // A recursive schema, and where in it a value breaks it.
  const auto broken =
      read.find("shelf.tree")
          ->result->breach(json::parse(R"({"label":"a","inside":[{"label":1,"inside":[]}]})"));
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->place, "/inside/0/label");
  EXPECT_EQ(broken->keyword, "type");
  EXPECT_EQ(broken->schema, "/components/schemas/Shelf/properties/label");
  const schema::InstanceCheck params(get.params_schema());
  EXPECT_EQ(params.refused(), "");
  EXPECT_EQ(params.broken_keyword(json::parse(R"({"isbn":"979-0-00-000000-0"})")), std::nullopt);
  EXPECT_EQ(params.broken_keyword(json::parse(R"({"fields":["isbn"]})")), "required");
}

TEST(OpenRpc, WhatIsOddIsNoFlaw) {
  // Titles as names of examples, an error beside no result, words as default, a code used twice on
  // purpose, names that differ in case, the schema of OpenRPC as a result.
  EXPECT_THAT(
      flaws_of(with_method(
          R"({"name":"a","params":[{"name":"n","schema":{"type":"integer","default":"now"}}],
                      "result":{"name":"r","schema":{"$ref":"https://meta.open-rpc.org/"}},
                      "x-own":1,"errors":[{"code":-32000,"message":"a"},{"code":-32601,"message":"b"}],
                      "examples":[{"name":"e","params":[{"name":"The n","value":1}],
                        "error":{"name":"x","value":{"code":7,"message":"m"}}}]})")),
      ElementsAre("info defaults-fit /methods/0/params/0/schema/default"));
  EXPECT_THAT(flaws_of(with_method(R"({"name":"a","params":[]},{"name":"A","params":[]})")),
              ElementsAre("info method-names-unique /methods/1/name"));
  EXPECT_THAT(flaws_of(with_method(R"({"name":"a","params":[],"result":{"name":"r","schema":
                                      {"$ref":"other.json#/a"}}})")),
              ElementsAre("info refs-resolve /methods/0/result/schema/$ref"));
}

TEST(OpenRpc, OneFlawIsToldOnce) {
  // What follows from a flaw is none: whether such a param is required, where links lead to.
  EXPECT_THAT(flaws_of(with_method(
                  R"({"name":"a","params":[{"name":"n","required":"true","schema":{}},
                                           {"name":"s","required":true,"schema":{}}]})")),
              ElementsAre("fail valid /methods/0/params/0/required"));
  EXPECT_THAT(flaws_of(with_method(R"({"name":"a","params":[]})",
                                   R"({"schemas":{"Z":{"type":"integer","default":1.5}}})")),
              ElementsAre("warn defaults-fit /components/schemas/Z/default"));
}

TEST(OpenRpc, ExamplesAreHeldAgainstTheirSchemas) {
  const std::string head =
      R"({"name":"a","params":[{"name":"n","required":true,"schema":{"type":"integer"}},
      {"name":"s","schema":{"type":"string"}}],"result":{"name":"r","schema":{"type":"string"}},"examples":[)";
  const auto one = [&](const std::string& pairing) { return with_method(head + pairing + "]}"); };
  EXPECT_THAT(flaws_of(one(R"({"name":"e","params":[]})")),
              ElementsAre("warn examples-fit /methods/0/examples/0"));
  EXPECT_THAT(flaws_of(one(R"({"name":"e","params":[{"name":"1","value":"x"}]})")),
              ElementsAre("warn examples-fit /methods/0/examples/0/params/0/value"));
  EXPECT_THAT(flaws_of(one(R"({"name":"e","params":[{"name":"1","value":1},{"name":"2","value":"b"},
                              {"name":"3","value":3}]})")),
              ElementsAre("warn examples-fit /methods/0/examples/0"));
  EXPECT_THAT(flaws_of(one(R"({"name":"e","params":{"n":1}})")),
              ElementsAre("fail valid /methods/0/examples/0/params"));
  // The part that breaks the schema, not all of the value.
  const Contract within = with_method(
      R"({"name":"a","params":[],"result":{"name":"r","schema":{"type":"object","properties":
          {"list":{"items":{"type":"string"}}}}},"examples":[{"name":"e","params":[],
          "result":{"name":"r","value":{"list":["x",7]}}}]})");
  ASSERT_THAT(flaws_of(within),
              ElementsAre("warn examples-fit /methods/0/examples/0/result/value/list/1"));
  EXPECT_EQ(within.flaws[0].what,
            "an example of `a` does not fit: 7 breaks `type` of "
            "/methods/0/result/schema/properties/list/items");
  EXPECT_THAT(
      flaws_of(one(R"({"name":"e","params":[{"name":"s","value":"b"},{"name":"n","value":3}],
                              "result":{"name":"r","value":"ok"}})")),
      IsEmpty());
  EXPECT_THAT(flaws_of(one(R"({"name":"e","params":[{"name":"n","value":3}],
                              "result":{"name":"r","value":5}})")),
              ElementsAre("warn examples-fit /methods/0/examples/0/result/value"));
}

TEST(OpenRpc, ManyFlawsOfOneKindAreCounted) {
  std::string methods;
  for (int i = 0; i < 30; ++i)
    methods += (i ? "," : "") + std::string(R"({"name":"m)") + std::to_string(i) + R"("})";
  const Contract read = with_method(methods);
  ASSERT_EQ(read.flaws.size(), Flaws::kMost + 1);
  EXPECT_EQ(read.flaws.back().what, "20 more flaws of this kind");
}

TEST(OpenRpc, NothingOfAStrangersDocumentIsTooOddToRead) {
  for (const char* text :
       {"7", "[]", "{}", R"({"methods":7})",
        R"({"methods":[7,{},{"name":1},{"$ref":"#/methods/0"}]})",
        R"({"methods":[{"$ref":"#/methods/0"}]})",
        R"({"methods":[{"name":"a","params":[{"$ref":"#"}]}]})",
        R"({"methods":[{"name":"a","params":[{"name":"b","schema":{"$ref":"#"}}],"result":7,
            "errors":[7],"examples":[7,{"params":7}],"links":[7]}],"components":7})",
        R"({"components":{"schemas":7,"links":{"a":7},"errors":{"":{}}}})"}) {
    const auto document = Document::read(text, "d");
    ASSERT_TRUE(document) << text;
    EXPECT_FALSE(read_contract(*document).flaws.empty()) << text;
  }
  EXPECT_THAT(Document::read("{\n \"a\" 1}", "d").error().text(), HasSubstr("d:2:6: "));
}

TEST(OpenRpc, ALargeDocumentIsReadSoon) {
  // 20,000 values, of 500 methods that share their schemas.
  std::string methods;
  for (int i = 0; i < 500; ++i)
    methods +=
        (i ? "," : "") + std::string(R"({"name":"get)") + std::to_string(i) +
        R"(","params":[{"name":"a","required":true,"schema":{"$ref":"#/components/schemas/A"}},
               {"name":"b","schema":{"type":"object","properties":{"x":{"type":"integer","minimum":1},
               "y":{"type":"array","items":{"type":"string","maxLength":9}}},"required":["x"]}}],
               "result":{"name":"r","schema":{"$ref":"#/components/schemas/A"}}})";
  const auto begin = std::chrono::steady_clock::now();
  const Contract read = with_method(
      methods,
      R"({"schemas":{"A":{"type":"object","properties":{"in":{"$ref":"#/components/schemas/A"}}}}})");
  const auto taken = std::chrono::steady_clock::now() - begin;
  EXPECT_THAT(flaws_of(read), IsEmpty());
  EXPECT_EQ(read.methods.size(), 500u);
  // A tenth of it on a quiet machine.
  EXPECT_LT(std::chrono::duration<double>(taken).count(), 2.0);
}

}  // namespace
}  // namespace harness::contract
