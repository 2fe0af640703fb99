// SPDX-License-Identifier: Apache-2.0
#include "harness/contract/meta_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/json/read.h"
#include "harness/spec/type_check.h"

namespace harness::contract {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kModel = R"({
  "requests": [
    {"method": "textDocument/hover", "messageDirection": "clientToServer",
     "result": {"kind": "base", "name": "string"}},
    {"method": "text/new", "messageDirection": "clientToServer",
     "result": {"kind": "or", "items": [{"kind": "reference", "name": "Found"},
       {"kind": "array", "element": {"kind": "reference", "name": "Alias"}},
       {"kind": "base", "name": "null"}]}}],
  "notifications": [{"method": "text/told", "messageDirection": "serverToClient",
    "params": {"kind": "reference", "name": "Found"}}],
  "structures": [
    {"name": "Base", "properties": [{"name": "name", "type": {"kind": "base", "name": "string"}}]},
    {"name": "Found", "extends": [{"kind": "reference", "name": "Base"}], "properties": [
      {"name": "tag", "optional": true, "type": {"kind": "reference", "name": "Tag"}},
      {"name": "own", "optional": true, "type": {"kind": "reference", "name": "Open"}},
      {"name": "inner", "optional": true, "type": {"kind": "reference", "name": "Found"}}]}],
  "enumerations": [
    {"name": "Tag", "type": {"kind": "base", "name": "uinteger"}, "values": [{"value": 1}]},
    {"name": "Open", "type": {"kind": "base", "name": "string"}, "values": [],
     "supportsCustomValues": true}],
  "typeAliases": [{"name": "Alias", "type": {"kind": "reference", "name": "Found"}}]})";

const spec::Profile& described() {
  const auto profile = with_meta_model(kModel, "model", *spec::find_profile("lsp"));
  if (!profile) throw Bug(profile.error().text());
  return **profile;
}

std::vector<std::string> breaches(const std::string& method, const std::string& result) {
  const spec::MessageRow* row = described().protocol().find(method, described());
  const json::Value value = json::parse(result);
  std::vector<std::string> out;
  for (const auto& one :
       spec::check_member(described(), row->notification ? row->params : row->result, &value, ""))
    out.push_back(one.place + ": " + one.expected + ", " + one.clauses->front());
  return out;
}

TEST(MetaModel, FillsWhatTheRowsDoNotHave) {
  EXPECT_THAT(breaches("text/new", "null"), IsEmpty());
  EXPECT_THAT(breaches("text/new", R"([{"name":"a","own":"x","more":1}])"), IsEmpty());
  EXPECT_THAT(breaches("text/new", R"([{"name":"a","tag":2}])"),
              ElementsAre("/*/tag: 1, lsp.features.described-shape"));
  EXPECT_THAT(breaches("text/new", R"({"inner":{"name":1},"name":"a"})"),
              ElementsAre("/inner/name: a string, lsp.features.described-shape"));
  EXPECT_THAT(breaches("text/told", "{}"),
              ElementsAre("/name: a string, lsp.features.described-shape"));
}

TEST(MetaModel, LeavesOurRowsAsTheyAre) {
  EXPECT_THAT(breaches("textDocument/hover", R"({"contents":""})"), IsEmpty());
}

TEST(MetaModel, IsRefusedWhereItIsNone) {
  const auto read = with_meta_model("{}", "other.json", *spec::find_profile("lsp"));
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().text(), HasSubstr("other.json: this is not a meta model"));
}

}  // namespace
}  // namespace harness::contract
