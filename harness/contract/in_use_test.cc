// SPDX-License-Identifier: Apache-2.0
#include "harness/contract/in_use.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/base/file.h"
#include "harness/base/test_folders.h"
#include "harness/json/write.h"
#include "harness/target/permission.h"

namespace harness::contract {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;

const InUse& shop(Words words = {}) {
  const std::string path = harness::source_dir() + "/corpus/contracts/bookshop.openrpc.json";
  auto document = Document::read(*read_file(path), "shop");
  if (!document) throw std::runtime_error(document.error().text());
  return put_to_use(*document, {std::move(words)}, spec::profiles().front());
}

TEST(Permission, TheFirstWordBehindTheNamespaceDecides) {
  for (const char* name : {"eth_getBlockByNumber", "book.get", "get_account_info", "isOpen",
                           "a/b/listItems", "debug.eth_getLogs"})
    EXPECT_EQ(effect_of(name), Effect::kReads) << name;
  for (const char* name : {"eth_sendTransaction", "admin.reset", "stop_io", "set_config",
                           "eth_newFilter", "shop.addBook"})
    EXPECT_EQ(effect_of(name), Effect::kChanges) << name;
  for (const char* name : {"runtime.nuke", "price.total", "net_listening", "getter", "", "._"})
    EXPECT_EQ(effect_of(name), Effect::kUnsaid) << name;
}

TEST(Permission, AMethodIsCalledForItsExampleOrByTheWordOfTheOperator) {
  struct Row {
    const char* name;
    bool example;
    Words words;
    bool called;
  };
  const Row rows[] = {
      {"get_a", true, {}, true},         {"get_a", false, {}, false},
      {"get_a", false, {"get*"}, true},  {"x.get_a", false, {"get*"}, true},
      {"get_a", false, {"is*"}, false},  {"get_a", false, {"any"}, true},
      {"nuke", false, {"*"}, false},     {"nuke", false, {"any"}, true},
      {"nuke", true, {}, true},          {"set_a", true, {}, false},
      {"set_a", true, {"any"}, false},   {"set_a", false, {"set*"}, false},
      {"set_a", false, {"set_a"}, true}, {"set_a", false, {"SET_A"}, false},
  };
  for (const Row& row : rows)
    EXPECT_EQ(standing_of(row.name, row.example, row.words).called, row.called) << row.name;
}

TEST(Permission, WhatNobodyPermittedIsFoundInEveryText) {
  const auto forbidden = shop().forbidden();
  const auto found = [&](const char* text) { return target::forbidden_call(text, forbidden); };
  EXPECT_EQ(found(R"({"jsonrpc":"2.0","id":1,"method":"admin.reset"})"), "method admin.reset");
  EXPECT_EQ(found(R"([{"id":1,"method":"x"},{"method":"ADMIN.reset"}])"), "method admin.reset");
  EXPECT_EQ(found(R"({"method":"admin.\u0072eset"})"), "method admin.reset");
  EXPECT_EQ(found(R"({"method":"x","method":"book.add"})"), "method book.add");
  EXPECT_EQ(found(R"({"id":1,"method":"admin.reset")"), "method admin.reset");  // cut off
  EXPECT_EQ(found(R"({"id":1,"method":"book.get","params":["admin.reset"]})"), "");
  EXPECT_EQ(found("{}"), "");
  EXPECT_THAT(target::forbidden_call(R"({"method":"book.add"})", shop({"book.add"}).forbidden()),
              IsEmpty());
}

TEST(InUse, CountsWhatMayBeCalled) {
  EXPECT_EQ(shop().counts(),
            "8 of 10 methods of shop may be called (8 by example), 2 change state: --methods NAME "
            "allows more");
  EXPECT_EQ(shop({"book.add", "admin.reset"}).counts(),
            "10 of 10 methods of shop may be called (8 by example, 2 by name)");
}

TEST(InUse, IsMadeOnceForADocumentAndTerms) {
  EXPECT_EQ(&shop(), &shop());
  EXPECT_NE(&shop(), &shop({"any"}));
}

// "book.get [\"12\"]" of each call of a kind.
std::vector<std::string> calls(std::string_view kind) {
  std::vector<std::string> out;
  for (const json::Value& one : calls_of(shop(), kind))
    out.push_back(one.find("method")->text + " " + json::write(*one.find("params")));
  return out;
}

TEST(Calls, WrongOnesDifferFromASoundOneInOneThing) {
  EXPECT_THAT(calls("missing"),
              IsSupersetOf({"book.get []", R"(book.search {"limit":5})", "author.books []"}));
  EXPECT_THAT(calls("surplus"), Contains(R"(stock.level ["978-3-16-148410-0","rpcspec"])"));
  EXPECT_THAT(calls("type"), IsSupersetOf({"author.books [{}]", "stock.level [{}]"}));
  EXPECT_THAT(calls("either"), IsEmpty());  // no method says that it takes either
  EXPECT_THAT(calls("other-form"), Contains(R"(author.books {"author":"ada"})"));
  EXPECT_THAT(calls("linked"), Contains(R"(author.books ["ada"])"));
  EXPECT_THAT(calls("notified"), Contains(R"(book.touched {"isbn":"978-3-16-148410-0"})"));
  for (const json::Value& one : calls_of(shop(), "constraint")) {
    const Method& method = *shop().contract.find(one.find("method")->text);
    const schema::InstanceCheck check(method.params_schema());
    spec::MessageRow row;
    for (const Param& param : method.params) row.positions.push_back(param.name);
    EXPECT_TRUE(check.broken_keyword(*spec::named_params(row, one.find("params"))))
        << json::write(one);
    EXPECT_FALSE(check.broken_keyword(*spec::named_params(row, one.find("twin"))))
        << json::write(one);
  }
}

TEST(Calls, WhatJustFitsIsAtTheBoundsThatAreSaid) {
  EXPECT_THAT(calls("boundary"),
              IsSupersetOf({R"(book.search {"query":{"author":"ada"},"limit":1})",
                            R"(book.search {"query":{"author":"ada"},"limit":100})"}));
  EXPECT_THAT(calls("turned"), Contains(R"(book.search [{"author":"ada"},100])"));
  for (const json::Value& one : calls_of(shop(), "boundary")) {
    const Method& method = *shop().contract.find(one.find("method")->text);
    spec::MessageRow row;
    for (const Param& param : method.params) row.positions.push_back(param.name);
    EXPECT_FALSE(schema::InstanceCheck(method.params_schema())
                     .broken_keyword(*spec::named_params(row, one.find("params"))))
        << json::write(one);
  }
}

// "book.get /authors/0 → author.books author" of each chain.
std::vector<std::string> chains() {
  std::vector<std::string> out;
  for (const Chain& one : chains_of(shop()))
    out.push_back(one.from->name + " " + one.place + " → " + one.to->name + " " +
                  one.to->params[one.param].name);
  return out;
}

TEST(Chains, LeadFromResultsToParamsThatAreDescribedAlike) {
  EXPECT_THAT(chains(), IsSupersetOf({"book.get /authors/0 → author.books author",
                                      "author.books /0 → book.get isbn",
                                      "book.get /isbn → stock.level isbn"}));
}

TEST(Chains, AnExpressionOfALinkIsAPlace) {
  EXPECT_EQ(path_of(json::string("${result.authors[0]}"))->pointer, "/authors/0");
  EXPECT_EQ(path_of(json::string("${result}"))->pointer, "");
  EXPECT_TRUE(path_of(json::string("${params.isbn}"))->of_params);
  for (const char* none : {"", "a", "${result.a", "${result.a}${result.b}", "a ${result}"})
    EXPECT_FALSE(path_of(json::string(none))) << none;
}

TEST(Words, AreThoseThatTheDocumentNames) {
  std::vector<std::string> words;
  for (const json::Value& one : words_of(shop()).items) words.push_back(one.text);
  EXPECT_THAT(words, IsSupersetOf({"EUR", "USD", "978-3-16-148410-0"}));
}

TEST(Calls, NoneOfAMethodThatNobodyPermitted) {
  for (const std::string& kind : call_kinds())
    for (const json::Value& one : calls_of(shop(), kind))
      EXPECT_EQ(target::forbidden_call(json::write(one), shop().forbidden()), "") << kind;
  std::set<std::string> named;
  for (const json::Value& one : calls_of(shop({"book.add"}), "sound"))
    named.insert(one.find("method")->text);
  EXPECT_TRUE(named.contains("book.add"));
}

TEST(Rows, HoldParamsAndResultsToTheirSchemas) {
  const spec::MessageRow* row = shop().protocol.find("book.get", shop().profile);
  ASSERT_NE(row, nullptr);
  EXPECT_THAT(row->positions, ElementsAre("isbn", "fields"));
  EXPECT_THAT(row->errors, ElementsAre(1001));
  EXPECT_EQ(shop().protocol.find("book.get", spec::profiles().front()), nullptr);
  EXPECT_TRUE(shop().protocol.find("book.touched", shop().profile)->notification);
}

}  // namespace
}  // namespace harness::contract
