// SPDX-License-Identifier: Apache-2.0
// What steps become on the wire, and what their references mean.
#include "harness/play/prepare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"
#include "harness/play/scope.h"
#include "harness/suite/testing.h"
#include "harness/transport/scripted.h"

namespace harness::run {
namespace {

using testing::ElementsAre;

json::Value yaml(const std::string& text) {
  auto value = json::read_yaml(text, "t.yaml");
  if (!value) throw std::runtime_error(value.error().text());
  return *value;
}

suite::Step step_of(const std::string& text) {
  const std::string list = text.starts_with('{') ? "[" + text + "]" : "- " + text;
  return suite::steps_of(list, {"parts", "message", "nothing", "absent", "header"}).front();
}

// A session nobody talks on; ids begin at 100001.
class Wire {
 public:
  explicit Wire(const char* profile = "jsonrpc-2.0", const char* transport = "stdio",
                target::Framing framing = target::Framing::kLine)
      : session(std::make_unique<transport::Scripted>(transport, framing),
                *spec::find_profile(profile), "t", std::make_shared<session::Pace>()),
        scope(session, affordances) {}

  Prepared of(const std::string& step) {
    return prepare(step_of(step), scope, {file, session.profile(), capabilities, session.wire()});
  }
  std::string text(const std::string& step) { return of(step).text; }
  std::string value(const std::string& reference) {
    return json::write(expanded(json::string(reference), scope, file));
  }

  std::string file = "cases/suite/x.yaml";
  json::Value capabilities = json::object();
  json::Value affordances = yaml("{tool.echo: {name: e, argument: a}, tool: {name: short}}");
  session::Session session;
  RowScope scope;
};

TEST(Prepare, ShowsCredentialsAsAStepWantsThem) {
  Wire wire("mcp-2025-11-25", "http");
  const target::Auth auth{"bearer", {{"Authorization", "Bearer abcdef", {"abcdef"}}}};
  const auto headers = [&](const std::string& step) {
    const Prepared made =
        prepare(step_of(step), wire.scope,
                {wire.file, wire.session.profile(), wire.capabilities, wire.session.wire(), &auth});
    return made.http.headers;
  };
  EXPECT_TRUE(headers("{call: {method: m}}").empty());
  EXPECT_TRUE(headers("{call: {method: m}, auth: usual}").empty());
  // Every word of the case language has a meaning here.
  for (const std::string& shown : suite::find_extra("auth")->field.words) {
    const auto made = headers("{http: {method: GET}, auth: " + shown + "}");
    if (shown == "usual") continue;
    ASSERT_EQ(made.size(), 1u) << shown;
    EXPECT_NE(made.front().value, "Bearer abcdef") << shown;
  }
}

TEST(Prepare, MakesACallAValidRequestWithAFreshId) {
  Wire wire;
  const Prepared call = wire.of("call: {method: m, params: [1]}");
  EXPECT_EQ(call.text, R"({"jsonrpc":"2.0","id":100001,"method":"m","params":[1]})");
  EXPECT_TRUE(call.valid_request);
  EXPECT_FALSE(call.unframed);
  EXPECT_THAT(call.writes, ElementsAre(call.text + "\n"));
  wire.scope.next_step();
  EXPECT_EQ(wire.text("call: {method: m, id: own}"),
            R"({"jsonrpc":"2.0","id":"own","method":"m"})");
  EXPECT_EQ(wire.text("call: {method: m, id: ~, params: ~}"),
            R"({"jsonrpc":"2.0","id":null,"method":"m","params":null})");
}

TEST(Prepare, MakesANotificationWithoutIdOrMeta) {
  Wire wire("mcp-2026-07-28");
  const Prepared note = wire.of("notify: {method: m}");
  EXPECT_EQ(note.text, R"({"jsonrpc":"2.0","method":"m"})");
  EXPECT_TRUE(note.notification);
  EXPECT_FALSE(note.valid_request);
}

TEST(Prepare, AddsTheMetaOfTheRevisionUnlessToldOtherwise) {
  Wire wire("mcp-2026-07-28");
  wire.capabilities = yaml("{roots: {}}");
  const json::Value call = json::parse(wire.text("call: {method: m}"));
  const json::Value* meta = json::at(call, "/params/_meta");
  ASSERT_NE(meta, nullptr);
  EXPECT_EQ(json::write(*meta->find("io.modelcontextprotocol/clientCapabilities")),
            R"({"roots":{}})");
  EXPECT_EQ(json::at(json::parse(wire.text("call: {method: m, meta: none}")), "/params"), nullptr);
  EXPECT_NE(json::at(json::parse(wire.text("call: {method: m, meta: {k: 1}}")), "/params/_meta/k"),
            nullptr);
}

TEST(Prepare, SendsMessagesAndTextAsTheyAreWritten) {
  Wire wire;
  EXPECT_EQ(wire.text("send: {jsonrpc: 1.0, id: [x]}"), R"({"jsonrpc":1.0,"id":["x"]})");
  EXPECT_EQ(wire.text("frame: '{\"id\":${id},'"), R"({"id":100001,)");
  EXPECT_FALSE(wire.of("send: {}").valid_request);
}

TEST(Prepare, JoinsPieces) {
  Wire wire;
  EXPECT_EQ(wire.text("frame: [{text: 'a'}, {hex: 'ff 0A'}, {repeat: '[', count: 3}]"),
            "a\xff\n[[[");
  EXPECT_EQ(wire.text("frame: [{repeat: '${n},', count: 3}]"), "0,1,2,");
  wire.scope.set_column("parts", yaml("[{text: x}, {hex: '00'}]"));
  wire.scope.set_column("message", yaml("{a: 1}"));
  EXPECT_EQ(wire.text("frame: '${parts}'"), std::string("x\0", 2));
  EXPECT_EQ(wire.text("frame: '${message}'"), R"({"a":1})");
}

TEST(Prepare, AddsNoLineEndToRawBytes) {
  Wire wire;
  const Prepared bytes = wire.of("bytes: \"a\\nb\"");
  EXPECT_TRUE(bytes.unframed);
  EXPECT_THAT(bytes.writes, ElementsAre("a\nb"));
}

TEST(Prepare, CutsWritesWhereTheCaseSays) {
  Wire wire;
  EXPECT_THAT(wire.of("{frame: abcdef, write: {chunks: [3, 1]}}").writes,
              ElementsAre("abc", "d", "ef\n"));
  EXPECT_THAT(wire.of("{frame: ab, write: {chunks: [9]}}").writes, ElementsAre("ab\n"));
  EXPECT_THAT(wire.of("{frame: ab, write: {each_byte: true}}").writes, ElementsAre("a", "b", "\n"));
  EXPECT_THAT(wire.of("{frame: ab, write: {eol: \"\\r\\n\"}}").writes, ElementsAre("ab\r\n"));
}

TEST(Prepare, PutsAHeaderBeforeWhatIsFramedByLength) {
  Wire wire("jsonrpc-2.0", "tcp", target::Framing::kContentLength);
  const std::string framed = "Content-Length: 2\r\n\r\nab";
  EXPECT_THAT(wire.of("frame: ab").writes, ElementsAre(framed));
  EXPECT_THAT(wire.of("{frame: ab, write: {eol: \"\\r\\n\"}}").writes, ElementsAre(framed));
  EXPECT_THAT(wire.of("{frame: ab, write: {chunks: [3]}}").writes,
              ElementsAre("Con", framed.substr(3)));
  EXPECT_THAT(wire.of("bytes: ab").writes, ElementsAre("ab"));
}

TEST(Prepare, AddsNoLineEndOverHttp) {
  Wire wire("mcp-2025-06-18", "http");
  EXPECT_THAT(wire.of("frame: ab").writes, ElementsAre("ab"));
}

TEST(Prepare, TellsTheHeaderFieldsThatAStepWrites) {
  Wire wire("lsp", "stdio", target::Framing::kContentLength);
  const Prepared message =
      wire.of(R"({frame: ab, write: {header: "X-Test: 1\r\nContent-Length: #\r\n\r\n"}})");
  EXPECT_THAT(message.writes, ElementsAre("X-Test: 1\r\nContent-Length: 2\r\n\r\nab"));
  ASSERT_EQ(message.http.headers.size(), 2u);
  EXPECT_EQ(message.http.headers[0].name, "X-Test");
  EXPECT_EQ(message.http.headers[1].value, "2");
  EXPECT_TRUE(wire.of("frame: ab").http.headers.empty());
  EXPECT_TRUE(wire.of("{frame: ab, headers: {A: b}}").http.headers.empty()) << "nobody sends it";
}

TEST(Prepare, BuildsAnHttpExchangeAndMarksHeadersToLeaveOut) {
  Wire wire("mcp-2025-06-18", "http");
  const Prepared exchange =
      wire.of("{http: {method: PUT, path: /p, headers: {A: b, Accept: ~}, body: {id: 1}}}");
  EXPECT_EQ(exchange.http.method, "PUT");
  EXPECT_EQ(exchange.http.target, "/p");
  EXPECT_EQ(exchange.text, R"({"id":1})");
  ASSERT_EQ(exchange.http.headers.size(), 2u);
  EXPECT_EQ(exchange.http.headers[0].value, "b");
  EXPECT_EQ(exchange.http.headers[1].value, std::string(1, '\0'));
  wire.scope.set_column("absent", json::null());
  wire.scope.set_column("header", json::string("h"));
  const Prepared by_column =
      wire.of("{http: {method: PUT, path: /p, headers: {A: '${absent}', B: '${header}'}}}");
  ASSERT_EQ(by_column.http.headers.size(), 2u);
  EXPECT_EQ(by_column.http.headers[0].value, std::string(1, '\0'));
  EXPECT_EQ(by_column.http.headers[1].value, "h");
}

TEST(Prepare, CallsAReferenceToNothingABugOfTheCase) {
  Wire wire;
  try {
    wire.of("send: {id: '${nothing}'}");
    FAIL() << "it was sent";
  } catch (const Bug& bug) {
    EXPECT_THAT(bug.what(), testing::HasSubstr("cases/suite/x.yaml"));
    EXPECT_THAT(bug.what(), testing::HasSubstr("nothing"));
  }
}

// --- scope

TEST(RowScope, KeepsAnIdForOneStepAndANamedOneForTheRow) {
  Wire wire;
  EXPECT_EQ(wire.value("${id}"), "100001");
  EXPECT_EQ(wire.value("${id}"), "100001");
  EXPECT_EQ(wire.value("${id.x}"), "100002");
  wire.scope.next_step();
  EXPECT_EQ(wire.value("${id}"), "100003");
  EXPECT_EQ(wire.value("${id.x}"), "100002");
  EXPECT_EQ(wire.value("${id.y}"), "100004");
}

TEST(RowScope, KnowsTheCanaryOfTheProfile) {
  Wire plain;
  EXPECT_EQ(plain.value("${canary.method}"), "\"rpcspec.no_such_method\"");
  EXPECT_EQ(plain.value("${canary.params}"), "[]");
  Wire mcp("mcp-2025-06-18");
  EXPECT_EQ(mcp.value("${canary.method}"), "\"ping\"");
  EXPECT_EQ(mcp.value("${canary.params}"), "{}");  // never null
  EXPECT_EQ(mcp.value("${canary.request}"),
            R"({"jsonrpc":"2.0","id":100001,"method":"ping","params":{}})");
  EXPECT_EQ(mcp.value("${meta}"), "{}");
  Wire stateless("mcp-2026-07-28");
  EXPECT_EQ(stateless.value("${canary.method}"), "\"server/discover\"");
  EXPECT_NE(stateless.value("${meta}"), "{}");
}

TEST(RowScope, TakesTheLongestAffordanceNameThatFits) {
  Wire wire;
  EXPECT_EQ(wire.value("${target.tool.echo.name}"), "\"e\"");
  EXPECT_EQ(wire.value("${target.tool.name}"), "\"short\"");
  EXPECT_THROW(wire.value("${target.tool.echo.missing}"), Bug);
  EXPECT_THROW(wire.value("${target.unknown.name}"), Bug);
}

TEST(RowScope, KnowsWhatTheSessionAgreedOn) {
  Wire wire("mcp-2025-06-18");
  EXPECT_THROW(wire.value("${session.protocolVersion}"), Bug);
  wire.session.set_agreed(yaml("{protocolVersion: v, capabilities: {tools: {}}}"));
  EXPECT_EQ(wire.value("${session.protocolVersion}"), "\"v\"");
  EXPECT_EQ(wire.value("${session.result.capabilities.tools}"), "{}");
  EXPECT_EQ(wire.value("${profile.revision}"), "\"2025-06-18\"");
  EXPECT_EQ(wire.value("${profile.name}"), "\"mcp-2025-06-18\"");
}

TEST(RowScope, TellsColumnsOfTheCaseFromWhatWasSeen) {
  Wire wire;
  wire.scope.set_column("own", json::string("$any"));
  EXPECT_TRUE(wire.scope.written_in_case("own"));
  wire.scope.set("own", json::string("$any"));  // a capture of the same name: now it is data
  EXPECT_FALSE(wire.scope.written_in_case("own"));
  EXPECT_FALSE(wire.scope.written_in_case("id"));
}

TEST(RowScope, GivesOtherLettersEachTime) {
  Wire wire;
  const std::string first = wire.value("${random}");
  EXPECT_EQ(first.size(), 18u);
  EXPECT_NE(first, wire.value("${random}"));
}

}  // namespace
}  // namespace harness::run
