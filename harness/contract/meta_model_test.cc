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
  const auto profile = with_meta_model(kModel, "model");
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

// Of ACP: a method that our rows have, one that they do not have, and types within them.
constexpr const char* kSchema = R"({"$schema": "https://json-schema.org/draft/2020-12/schema",
  "$defs": {
    "NewSessionResponse": {"type": "object", "x-method": "session/new", "x-side": "agent",
      "properties": {"sessionId": {"$ref": "#/$defs/Id"}, "extra": {"type": "integer"}}},
    "ThingRequest": {"type": "object", "x-method": "thing/ask", "x-side": "client",
      "properties": {"id": {"$ref": "#/$defs/Id"}}, "required": ["id"]},
    "ThingResponse": {"type": "object", "x-method": "thing/ask", "x-side": "client"},
    "Id": {"type": "string"}}})";

std::vector<std::string> of_agent(const char* method, const char* part, const char* text) {
  const auto profile = with_meta_model(kSchema, "schema");
  if (!profile) throw Bug(profile.error().text());
  const spec::MessageRow* row = (*profile)->protocol().find(method, **profile);
  const json::Value value = json::parse(text);
  std::vector<std::string> out;
  const bool result = std::string_view(part) == "result";
  for (const auto& one :
       spec::check_member(**profile, result ? row->result : row->params, &value, ""))
    out.push_back(one.place + ": " + one.clauses->front());
  return out;
}

TEST(AcpSchema, CountsBehindOurRows) {
  EXPECT_THAT(of_agent("session/new", "result", R"({"sessionId":"a","extra":1})"), IsEmpty());
  EXPECT_THAT(of_agent("session/new", "result", R"({"sessionId":"a","extra":"b"})"),
              ElementsAre("/extra: acp.schema.described-shape"));
  EXPECT_THAT(of_agent("session/new", "result", R"({"sessionId":1,"extra":"b"})"),
              ElementsAre("/sessionId: acp.sessions.new-shape"));
}

TEST(AcpSchema, GivesTheMethodsThatOurRowsDoNotHave) {
  EXPECT_THAT(of_agent("thing/ask", "params", R"({"id":"a"})"), IsEmpty());
  EXPECT_THAT(of_agent("thing/ask", "params", R"({"id":7})"),
              ElementsAre("/id: acp.schema.described-shape"));
}

TEST(MetaModel, IsRefusedWhereItIsNone) {
  const auto read = with_meta_model("{}", "other.json");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().text(), HasSubstr("other.json: this is neither a meta model"));
}

}  // namespace
}  // namespace harness::contract
