// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "harness/contract/calls.h"
#include "harness/contract/lint.h"
#include "harness/contract/offered.h"
#include "harness/contract/openrpc.h"
#include "harness/contract/permission.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/schema/instance_check.h"
#include "harness/target/permission.h"

namespace harness::contract {
namespace {

using json::Value;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

std::string text_of(const std::string& name) {
  std::ifstream file(RPCSPEC_SOURCE_DIR "/corpus/contracts/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Value bookshop() { return json::parse(text_of("bookshop.openrpc.json")); }

// "method-names-unique /methods/10/name"
std::vector<std::string> told(const std::vector<Flaw>& flaws) {
  std::vector<std::string> out;
  for (const Flaw& one : flaws)
    out.push_back(one.clause.substr(std::string("openrpc.document.").size()) + " " + one.pointer);
  return out;
}

TEST(Lint, FindsNothingInASoundDocument) { EXPECT_THAT(told(flaws_in(bookshop())), IsEmpty()); }

TEST(Lint, FindsTheOneFlawOfEachClauseAndNothingElse) {
  const Value flawed = json::parse(text_of("bookshop-flawed.openrpc.json"));
  EXPECT_THAT(
      told(flaws_in(flawed)),
      ElementsAre("valid /info", "valid /components/errors/Odd Name!/code", "version /openrpc",
                  "method-names-unique /methods/10/name", "method-names-reserved /methods/11/name",
                  "param-names-unique /methods/1/params/4", "required-first /methods/3/params/1",
                  "error-codes-unique /methods/2/errors/2",
                  "error-codes-free /methods/6/errors/0/code",
                  "refs-resolve /methods/4/result/schema/$ref",
                  "components-named /components/errors/Odd Name!",
                  "schemas-sound /methods/8/result/schema/type",
                  "schemas-sound /methods/8/result/schema/minimum",
                  "patterns-compile /components/schemas/AuthorId/pattern",
                  "defaults-fit /methods/1/params/1/schema/default",
                  "examples-fit /methods/5/examples/0/result/value",
                  "links-resolve /methods/0/links/0/method"));
}

TEST(Lint, SaysNothingForWhatAnAuthorMayDo) {
  const Value lenient = json::parse(R"({
    "openrpc": "1.2.6", "info": {"title": "t", "version": "1"}, "x-own": {"$ref": "#/nowhere"},
    "methods": [
      {"name": "a", "params": [{"name": "value", "schema": {"properties": {"value": {"$ref":
        "#/components/schemas/default"}}}}], "result": {"name": "r", "schema": {}},
       "examples": [{"params": [{"value": {}}], "result": {"value": {"$ref": "#/nowhere"}}}]},
      {"name": "b", "paramStructure": "by-name", "params": [], "errors": [
        {"code": -32000, "message": "m"}, {"code": -32602, "message": "m"}]}],
    "components": {"schemas": {"default": {"type": "string", "pattern": "^(?!x)[a-z(]+$"}}}})");
  EXPECT_THAT(told(flaws_in(lenient)), IsEmpty());
}

TEST(Document, SaysWhereAValueStandsInItsText) {
  const std::string text = "{\"a\": [1, {\"b/c\": \"\xC3\xA4\\\"\"},\n  true]}";
  EXPECT_EQ(mark_of(text, "/a/1/b~1c").column, 19);
  EXPECT_EQ(mark_of(text, "/a/2").line, 2);
  EXPECT_EQ(mark_of(text, "/a/2").column, 3);
  EXPECT_EQ(mark_of(text, "/a/3").line, 0);
}

TEST(Document, ABundledSchemaMeansTheSameAlone) {
  const Value document = bookshop();
  const Document reader(document);
  const auto shelf = reader.bundle({json::at(document, "/methods/4/result/schema"), ""});
  ASSERT_TRUE(shelf);
  EXPECT_FALSE(schema::broken_keyword(
      *shelf, json::parse(R"({"label": "a", "inside": [{"label": "b", "inside": []}]})")));
  EXPECT_EQ(schema::broken_keyword(*shelf, json::parse(R"({"label": "a", "inside": [{}]})")),
            "required");
  const Value open = json::parse(R"({"$ref": "#/nowhere"})");
  EXPECT_FALSE(reader.bundle({&open, ""}));
}

TEST(OpenRpc, ReadsParamsByNameOrPosition) {
  const Contract contract = read_openrpc(bookshop());
  EXPECT_EQ(contract.version, "1.3");
  ASSERT_THAT(contract.methods, SizeIs(10));
  const Method& search = *contract.find("book.search");
  EXPECT_EQ(search.structure, Structure::kByName);
  ASSERT_THAT(search.examples, SizeIs(1));
  EXPECT_EQ(json::write(*search.examples[0].positional), R"([{"author":"ada"},5])");
  EXPECT_EQ(contract.find("price.total")->examples[1].code, 1003);
  EXPECT_FALSE(contract.find("book.touched")->has_result);
  for (const Method& one : contract.methods) EXPECT_EQ(one.unjudged, "") << one.name;
}

TEST(OpenRpc, LeavesAloneWhatAFlawMakesDoubtful) {
  const Contract contract = read_openrpc(json::parse(text_of("bookshop-flawed.openrpc.json")));
  const auto unjudged = [&](const char* name) { return contract.find(name)->unjudged; };
  EXPECT_THAT(unjudged("author.books"), HasSubstr("stands behind"));
  EXPECT_THAT(unjudged("shelf.tree"), HasSubstr("the result cannot be read"));
  EXPECT_THAT(unjudged("text.echo"), HasSubstr("two methods"));
  EXPECT_THAT(unjudged("book.search"), Not(IsEmpty()));
  EXPECT_EQ(unjudged("price.total"), "");
}

TEST(Permission, GoesByExampleNameAndOperator) {
  EXPECT_EQ(effect_of("eth_getBlockByNumber"), Effect::kReads);
  EXPECT_EQ(effect_of("get_account_info"), Effect::kReads);
  EXPECT_EQ(effect_of("admin.reset"), Effect::kChanges);
  EXPECT_EQ(effect_of("user_data_delete"), Effect::kChanges);
  EXPECT_EQ(effect_of("stock.level"), Effect::kUnknown);
  Method method;
  const auto given = [&](std::string name, bool example, std::vector<std::string> allowed) {
    method.name = std::move(name);
    method.examples.assign(example ? 1 : 0, {});
    return permission_of(method, allowed).given;
  };
  EXPECT_TRUE(given("getX", true, {}));
  EXPECT_TRUE(given("level", true, {}));
  EXPECT_FALSE(given("getX", false, {}));
  EXPECT_TRUE(given("getX", false, {"get*"}));
  EXPECT_FALSE(given("nuke", false, {"*"}));
  EXPECT_FALSE(given("getX", false, {"list*"}));
  EXPECT_FALSE(given("level", false, {"*"}));
  EXPECT_TRUE(given("level", false, {"any"}));
  EXPECT_FALSE(given("setX", true, {}));
  EXPECT_FALSE(given("setX", true, {"any"}));
  EXPECT_FALSE(given("setX", true, {"set*"}));
  EXPECT_TRUE(given("setX", false, {"setX"}));
}

std::vector<std::string> sent(const Value& calls, const char* kind) {
  std::vector<std::string> out;
  for (const Value& one : calls.find(kind)->items)
    out.push_back(one.find("method")->text + " " + json::write(*one.find("params")));
  return out;
}

TEST(Calls, AreOfMethodsThatMayBeCalledAlone) {
  const Contract contract = read_openrpc(bookshop());
  const Value calls = calls_of(contract, {});
  for (const CallKind& kind : call_kinds()) {
    EXPECT_THAT(sent(calls, kind.name), Each(Not(HasSubstr("book.add")))) << kind.name;
    EXPECT_THAT(sent(calls, kind.name), Each(Not(HasSubstr("admin.reset")))) << kind.name;
  }
  EXPECT_THAT(sent(calls_of(contract, {"admin.reset"}), "sound"), Contains("admin.reset []"));
}

TEST(Calls, HaveOneThingWrong) {
  const Value calls = calls_of(read_openrpc(bookshop()), {});
  EXPECT_THAT(sent(calls, "sound"), Contains(R"(author.books ["ada"])"));
  EXPECT_THAT(sent(calls, "sound"),
              Contains(R"(book.search {"query":{"author":"ada"},"limit":5})"));
  EXPECT_THAT(sent(calls, "refused-examples"), Contains(R"(book.get ["979-0-00-000000-0"])"));
  EXPECT_THAT(sent(calls, "exact"), SizeIs(1));
  EXPECT_THAT(sent(calls, "notifications"),
              ElementsAre(R"(book.touched {"isbn":"978-3-16-148410-0"})"));
  EXPECT_THAT(sent(calls, "missing"), Contains("author.books []"));
  EXPECT_THAT(sent(calls, "optional"), Contains(R"(book.search {"query":{"author":"ada"}})"));
  EXPECT_THAT(sent(calls, "surplus"), Contains(R"(shelf.tree [0,"rpcspec"])"));
  EXPECT_THAT(sent(calls, "type"), Contains("author.books [null]"));
  EXPECT_THAT(sent(calls, "constraint"), Contains("shelf.tree [-1]"));
  EXPECT_THAT(sent(calls, "inner"), Not(IsEmpty()));
  EXPECT_THAT(sent(calls, "either"), IsEmpty());
  EXPECT_THAT(sent(calls, "other-form"), Contains(R"(author.books {"author":"ada"})"));
  // What has no schema cannot be wrong.
  EXPECT_THAT(sent(calls, "type"), Each(Not(HasSubstr("text.echo"))));
}

TEST(Offered, NamesWhatIsForbiddenAndSaysHowToAllowMore) {
  Value affordances = json::object();
  affordances.set("openrpc", offered(bookshop(), {}, false));
  const auto forbidden = forbidden_methods(affordances);
  EXPECT_THAT(forbidden, SizeIs(2));
  const auto call = [&](const char* text) { return target::forbidden_call(text, forbidden); };
  EXPECT_EQ(call(R"({"method": "admin.reset"})"), "method admin.reset");
  EXPECT_EQ(call(R"([{"x": 1}, {"method": "admin\u002ereset", "params": "wrong"}])"),
            "method admin.reset");
  EXPECT_EQ(call(R"({"method": "Book.Add"})"), "method book.add");
  EXPECT_EQ(call(R"({"method": "admin.reset")"), "method admin.reset");
  EXPECT_EQ(call(R"({"method": "book.get", "params": ["admin.reset"]})"), "");
  EXPECT_EQ(called_line(affordances),
            "8 of 10 described methods may be called (8: it has an example); not 2: its name says "
            "that it changes state; --methods NAME,... allows more");
}

}  // namespace
}  // namespace harness::contract
