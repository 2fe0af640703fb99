// SPDX-License-Identifier: Apache-2.0
#include "harness/session/dialect.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/json/read.h"
#include "harness/json/write.h"

namespace harness::session {
namespace {

const spec::Profile& profile(const char* name) { return *spec::find_profile(name); }
const spec::Profile& stateless() { return profile("mcp-2026-07-28"); }

json::Value tools() {
  return json::parse(R"([{"name":"other"},{"name":"find","inputSchema":{"properties":{"all":true,)"
                     R"("region":{"type":"string","x-mcp-header":"Region"},)"
                     R"("limit":{"type":"integer","x-mcp-header":"Limit"},)"
                     R"("deep":{"properties":{"on":{"type":"boolean","x-mcp-header":"On"}}}}}}])");
}

std::string header(const std::vector<wire::Header>& headers, const std::string& name) {
  for (const wire::Header& one : headers)
    if (one.name == name) return one.value;
  return "(none)";
}

std::string header_of(const std::string& body, const std::string& name) {
  return header(request_headers(stateless(), json::parse(body), tools()), name);
}

TEST(Message, HasNoIdWhenItIsANotificationAndNoParamsWhenThereAreNone) {
  const json::Value id = json::number(7);
  EXPECT_EQ(json::write(message(&id, "ping", json::null())),
            R"({"jsonrpc":"2.0","id":7,"method":"ping"})");
  EXPECT_EQ(json::write(message(nullptr, "notifications/x", json::array())),
            R"({"jsonrpc":"2.0","method":"notifications/x","params":[]})");
}

TEST(InitializeParams, NameTheVersionAskedForAndAnObjectOfCapabilities) {
  const json::Value params = initialize_params("2025-06-18", json::null());
  EXPECT_EQ(params.find("protocolVersion")->text, "2025-06-18");
  EXPECT_TRUE(params.find("capabilities")->is_object());
  EXPECT_EQ(json::at(params, "/clientInfo/name")->text, "rpcspec");
}

TEST(Declare, TakesWhatALenientServerMayReadInBrokenText) {
  const std::string broken =
      "\xEF\xBB\xBF{\"method\":\"initialize\",\"params\":{\"capabilities\":{\"elicitation\":{}}}}";
  const json::Value roots = json::object({{"roots", json::object()}});
  json::Value declared;
  declare_leniently(declared, roots, R"({"method":"tools/list","params":{"a":"sampling"},})");
  EXPECT_TRUE(declared.is_null());
  declare_leniently(declared, roots, broken);
  ASSERT_EQ(declared.members.size(), 2u);
  EXPECT_NE(json::at(declared, "/elicitation/url"), nullptr);
  declared = json::object();
  declare_leniently(declared, roots, broken);
  EXPECT_EQ(declared.members.size(), 1u);
  declare_leniently(declared, roots,
                    R"({"method":"initialize","params":{"capabilities":)"
                    R"({"roots":{},"tasks":{},"extensions":{"x":{}}}})");
  for (const char* pointer :
       {"/roots/listChanged", "/tasks/requests/sampling/createMessage", "/extensions"})
    EXPECT_NE(json::at(declared, pointer), nullptr) << pointer;
  json::Value unknown;
  declare_leniently(unknown, json::null(), broken);
  EXPECT_TRUE(unknown.is_null());
}

TEST(Declare, AddsWhatALaterHandshakeDeclaresAndTakesNothingBack) {
  json::Value declared = json::null();
  const auto initialize = [&](const char* params) {
    declare(declared,
            json::parse(std::string(R"({"id":1,"method":"initialize","params":)") + params + "}"));
    return json::write(declared);
  };
  EXPECT_EQ(initialize("{}"), "{}");
  EXPECT_EQ(initialize(R"({"capabilities":{"roots":{"listChanged":true}}})"),
            R"({"roots":{"listChanged":true}})");
  EXPECT_EQ(initialize(R"({"capabilities":{}})"), R"({"roots":{"listChanged":true}})");
  EXPECT_EQ(initialize(R"({"capabilities":{"roots":{"a":1,"listChanged":false},"sampling":{}}})"),
            R"({"roots":{"listChanged":true,"a":1},"sampling":{}})");
  EXPECT_EQ(initialize(R"({"capabilities":5})"),
            R"({"roots":{"listChanged":true,"a":1},"sampling":{}})");
}

TEST(WithMeta, LeavesParamsAloneWhereTheRevisionHasNone) {
  const json::Value none = json::null();
  EXPECT_TRUE(with_meta(profile("mcp-2025-11-25"), none, none, json::object()).is_null());
  EXPECT_TRUE(with_meta(profile("jsonrpc-2.0"), none, none, json::object()).is_null());
  const json::Value list = json::parse("[1]");
  EXPECT_EQ(json::write(with_meta(profile("mcp-2025-11-25"), list, none, json::object())), "[1]");
}

TEST(WithMeta, PutsVersionAndDeclaredCapabilitiesIntoStatelessRequests) {
  const json::Value params =
      with_meta(stateless(), json::null(), json::null(), json::parse(R"({"roots":{}})"));
  const json::Value* meta = params.find("_meta");
  ASSERT_NE(meta, nullptr);
  EXPECT_EQ(meta->find("io.modelcontextprotocol/protocolVersion")->text, "2026-07-28");
  EXPECT_EQ(json::write(*meta->find("io.modelcontextprotocol/clientCapabilities")),
            R"({"roots":{}})");
}

TEST(WithMeta, AddsMembersAndRemovesThoseGivenAsNull) {
  const json::Value extra =
      json::parse(R"({"progressToken":"p","io.modelcontextprotocol/clientInfo":null})");
  const json::Value params = with_meta(stateless(), json::object(), extra, json::object());
  EXPECT_EQ(json::at(params, "/_meta/progressToken")->text, "p");
  EXPECT_EQ(params.find("_meta")->find("io.modelcontextprotocol/clientInfo"), nullptr);
  EXPECT_NE(params.find("_meta")->find("io.modelcontextprotocol/protocolVersion"), nullptr);
  // The extra members are for every revision.
  const json::Value older = with_meta(profile("mcp-2025-06-18"), json::null(),
                                      json::parse(R"({"progressToken":1})"), json::object());
  EXPECT_EQ(json::write(older), R"({"_meta":{"progressToken":1}})");
}

TEST(WithMeta, KeepsWhatTheCaseWroteInItsParams) {
  const json::Value own = json::parse(
      R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01"},"name":"echo"})");
  const json::Value params = with_meta(stateless(), own, json::null(), json::object());
  EXPECT_EQ(params.find("_meta")->find("io.modelcontextprotocol/protocolVersion")->text,
            "1900-01-01");
  EXPECT_EQ(params.find("name")->text, "echo");
  // An array cannot hold a _meta.
  EXPECT_EQ(json::write(with_meta(stateless(), json::parse("[1]"), json::null(), json::object())),
            "[1]");
}

TEST(RequestHeaders, ExistInTheStatelessRevisionOnly) {
  const json::Value body = json::parse(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  EXPECT_TRUE(request_headers(profile("mcp-2025-11-25"), body, {}).empty());
  EXPECT_TRUE(request_headers(profile("jsonrpc-2.0"), body, {}).empty());
  EXPECT_EQ(request_headers(stateless(), body, {}).size(), 2u);
}

TEST(RequestHeaders, RepeatMethodVersionAndNameOfTheBody) {
  const std::string body = R"({"method":"tools/call","params":{"name":"echo",)"
                           R"("_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01"}}})";
  EXPECT_EQ(header_of(body, "Mcp-Method"), "tools/call");
  EXPECT_EQ(header_of(body, "Mcp-Name"), "echo");
  EXPECT_EQ(header_of(body, "MCP-Protocol-Version"), "1900-01-01");
  EXPECT_EQ(header_of(R"({"method":"resources/read","params":{"uri":"a:b"}})", "Mcp-Name"), "a:b");
  EXPECT_EQ(header_of(R"({"method":"tools/list","params":{"name":"x"}})", "Mcp-Name"), "(none)");
  EXPECT_EQ(header_of(R"({"method":"tools/call","params":{"name":5}})", "Mcp-Name"), "(none)");
}

TEST(RequestHeaders, MirrorTheArgumentsThatAToolAnnotates) {
  const std::string body = R"({"method":"tools/call","params":{"name":"find","arguments":)"
                           R"({"all":1,"region":"Z\u00fcrich","limit":42,"deep":{"on":true}}}})";
  EXPECT_EQ(header_of(body, "Mcp-Param-Region"), "=?base64?WsO8cmljaA==?=");
  EXPECT_EQ(header_of(body, "Mcp-Param-Limit"), "42");
  EXPECT_EQ(header_of(body, "Mcp-Param-On"), "true");
  const std::string without =
      R"({"method":"tools/call","params":{"name":"find","arguments":{"region":null}}})";
  EXPECT_EQ(header_of(without, "Mcp-Param-Region"), "(none)");
  EXPECT_EQ(header_of(without, "Mcp-Param-Limit"), "(none)");
}

TEST(RequestHeaders, ForABodyThatIsNoRequestNameTheCanary) {
  EXPECT_EQ(header_of("[]", "Mcp-Method"), "server/discover");
  EXPECT_EQ(header_of(R"({"method":1})", "MCP-Protocol-Version"), "2026-07-28");
}

TEST(RequestHeaders, EncodeWhatNoHeaderCanCarry) {
  const struct {
    const char* name;
    const char* header;
  } kRows[] = {
      {"plain", "plain"},
      {"é", "=?base64?w6k=?="},
      {" x", "=?base64?IHg=?="},
      {"a\\nb", "=?base64?YQpi?="},
      {"",
       "=?base64?"
       "?="},
      {"=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="},  // looks encoded: encode it
  };
  for (const auto& row : kRows)
    EXPECT_EQ(
        header_of(std::string(R"({"method":"tools/call","params":{"name":")") + row.name + R"("}})",
                  "Mcp-Name"),
        row.header)
        << row.name;
}

TEST(RequestHeaders, AreNotEndedByAVersion) {
  const auto version = [](const std::string& said) {
    return header_of(
        R"({"method":"a","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":")" + said +
            R"("}}})",
        "MCP-Protocol-Version");
  };
  EXPECT_EQ(version("a\\nX: y"), "=?base64?YQpYOiB5?=");
  EXPECT_EQ(version(""), "");
  EXPECT_EQ(version("2099-01-01 "), "2099-01-01 ");
}

TEST(DefaultAnswer, IsAResultForWhatWasDeclaredAndMethodNotFoundOtherwise) {
  const struct {
    const char* method;
    const char* declared;
    const char* result;  // pointer that has to be there
  } kRows[] = {
      {"ping", "{}", "/result"},
      {"roots/list", R"({"roots":{}})", "/result/roots"},
      {"roots/list", "{}", "/error/code"},
      {"sampling/createMessage", R"({"sampling":{}})", "/result/content/text"},
      {"sampling/createMessage", R"({"roots":{}})", "/error/code"},
      {"elicitation/create", R"({"elicitation":{}})", "/result/action"},
      {"elicitation/create", "{}", "/error/code"},
      {"tools/list", R"({"roots":{}})", "/error/code"},
  };
  for (const auto& row : kRows) {
    const json::Value id = json::string("q");
    const json::Value given =
        default_answer(message(&id, row.method, json::null()), json::parse(row.declared));
    EXPECT_NE(json::at(given, row.result), nullptr) << row.method << " " << row.declared;
    EXPECT_NE(given.find("result") != nullptr, given.find("error") != nullptr) << row.method;
    EXPECT_EQ(given.find("id")->text, "q");
    if (const json::Value* code = json::at(given, "/error/code")) {
      EXPECT_EQ(json::as_integer(*code), -32601);
    }
  }
}

}  // namespace
}  // namespace harness::session
