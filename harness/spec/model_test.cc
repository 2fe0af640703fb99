// SPDX-License-Identifier: Apache-2.0
// A row a branch of the model: what may come back for a message, told as
//   "result:L silence:W -32600:L other:T" (L lawful, T tolerated, W wrong).
#include "harness/spec/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "harness/spec/testing.h"

namespace harness::spec {
namespace {

const char* const kPlain = "jsonrpc-2.0";
const char* const kMcp = "mcp-2025-06-18";
const char* const kBatched = "mcp-2025-03-26";
const char* const kOldest = "mcp-2024-11-05";
const char* const kStateless = "mcp-2026-07-28";
const char* const kTutorial = "mcp-tutorial";

const std::string kMeta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                          R"("io.modelcontextprotocol/clientCapabilities":{}})";

Expectation expected(const std::string& text, const std::string& profile,
                     wire::TransportKind transport = wire::TransportKind::kStdio,
                     Phase phase = Phase::kReady) {
  return expect({find_profile(profile), transport, phase}, wire::read_message(text), text);
}

char letter(Grade grade) { return "LTW"[static_cast<int>(grade)]; }

// Grades of result, silence, -32700, -32600, -32601, -32602 and any other error.
std::string grades(const Expectation& e) {
  std::string out{letter(e.result()), letter(e.silence()), ' '};
  for (const int code : {-32700, -32600, -32601, -32602, 7}) out += letter(e.error(code));
  return out;
}

std::string names(const Expectation& e) {
  std::string out;
  for (const ModelRule* rule : e.found()) out += (out.empty() ? "" : " ") + std::string(rule->name);
  return out;
}

struct Row {
  const char* text;
  const char* profile;
  const char* objections;
  const char* grades;
};

class Model : public testing::TestWithParam<Row> {};

TEST_P(Model, SaysWhatMayComeBack) {
  const Row& row = GetParam();
  const Expectation e = expected(row.text, row.profile);
  EXPECT_EQ(names(e), row.objections) << row.text << " under " << row.profile;
  EXPECT_EQ(grades(e), row.grades) << row.text << " under " << row.profile;
}

INSTANTIATE_TEST_SUITE_P(
    Text, Model,
    testing::Values(
        Row{"{oops", kPlain, "not-json", "TW LTTTT"}, Row{"{oops", kMcp, "not-json", "TT LTTTT"},
        Row{"{oops", kTutorial, "not-json", "TT LTTTT"},
        Row{"\xff\xfe", kPlain, "not-json", "TW LTTTT"},
        Row{" \t", kPlain, "blank-line", "TL LLLLL"},
        Row{"\v\f\x1F\xC2\xA0", kPlain, "blank-line", "TL LLLLL"},
        Row{"\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"rpcspec\"}", kPlain,
            "byte-order-mark", "LW LTTTT"},
        Row{"\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"slow\"}", kPlain,
            "byte-order-mark", "LL LLLLL"},
        Row{R"({"jsonrpc":"2.0","id":1,"id":2,"method":"rpcspec/x"})", kPlain, "duplicate-names",
            "LW LLLLL"},
        Row{R"({"jsonrpc":"2.0","id":1,"id":2,"method":"sum"})", kPlain, "duplicate-names",
            "LL LLLLL"},
        Row{R"({"jsonrpc":"2.0","id":"\ud800","method":"ping"})", kMcp, "lone-surrogate",
            "LT LLLLL"},
        Row{R"({"jsonrpc":"2.0","id":1,"method":"sum","params":{"\u0000a":1}})", kPlain, "strenuous",
            "LL LLLLL"},
        Row{R"({"jsonrpc":"2.0","id":1,"method":"sum","params":[1e400]})", kPlain, "strenuous",
            "LL LLLLL"},
        Row{R"({"jsonrpc":"2.0","method":"a","id":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]})",
            kPlain, "strenuous", "LL LLLLL"}));

INSTANTIATE_TEST_SUITE_P(
    NoMessage, Model,
    testing::Values(
        Row{"1", kPlain, "primitive", "WW TLTTT"}, Row{"1", kMcp, "primitive", "WT TLTTT"},
        Row{"{}", kPlain, "empty-object", "WW TLTTT"},
        Row{R"({"id":5})", kPlain, "method-missing", "WW TLTTT"},
        Row{R"({"jsonrpc":"2.0","params":{}})", kMcp, "no-message", "WT TLTTT"},
        Row{R"({"JSONRPC":"2.0","Id":3,"METHOD":"ping"})", kPlain, "names-in-other-case",
            "TL TLTTT"},
        Row{R"({"jsonrpc":"2.0","id":4,"result":{}})", kPlain, "stray-response", "WL TLTTT"},
        Row{R"({"jsonrpc":"2.0","id":4,"result":{}})", kMcp, "stray-response-to-client",
            "WL TTTTT"},
        Row{R"({"jsonrpc":"2.0","id":4,"result":{}})", kStateless, "stray-response", "WL TLTTT"},
        Row{R"({"jsonrpc":"2.0","result":1,"error":2})", kMcp, "malformed-response", "WL TLTTT"},
        Row{R"({"jsonrpc":"2.0","id":4,"method":"a","result":{}})", kPlain, "hybrid", "LL LLLLL"}));

INSTANTIATE_TEST_SUITE_P(
    Notifications, Model,
    testing::Values(Row{R"({"jsonrpc":"2.0","method":"a"})", kPlain, "", "LL WLLLL"},
                    Row{R"({"jsonrpc":"2.0","method":1})", kPlain, "malformed-notification",
                        "TL TLTTT"},
                    Row{R"({"jsonrpc":"2.0","method":"a","params":"b"})", kMcp,
                        "malformed-notification", "TL TLTTT"},
                    Row{R"({"method":"a"})", kPlain, "malformed-notification", "TL TLTTT"}));

INSTANTIATE_TEST_SUITE_P(
    Requests, Model,
    testing::Values(
        Row{R"({"jsonrpc":"2.0","id":1,"method":"ping"})", kMcp, "", "LW WLLLL"},
        Row{R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}})", kMcp, "", "LL WLLLL"},
        Row{R"({"jsonrpc":"2.0","id":1,"method":"ping"})", kPlain, "", "LL WLLLL"},
        Row{R"({"id":1,"method":"rpcspec/x"})", kPlain, "version-missing method-unknown",
            "WT TLLTT"},
        Row{R"({"id":1,"method":"ping"})", kMcp, "version-missing", "TT TLTTT"},
        Row{R"({"id":1,"method":"tools/call"})", kMcp, "version-missing", "TL TLTTT"},
        Row{R"({"jsonrpc":2.0,"id":1,"method":"ping"})", kMcp, "version-wrong-type", "TT TLTTT"},
        Row{R"({"jsonrpc":"2.1","id":1,"method":"ping"})", kMcp, "version-wrong-value", "TT TLTTT"},
        Row{R"({"jsonrpc":"2.0","id":1,"method":"ping","x":1})", kMcp, "member-unknown",
            "LT TLTTT"},
        Row{R"({"jsonrpc":"2.0","id":1,"method":5})", kPlain, "method-not-string", "WW TLTTT"},
        Row{R"({"jsonrpc":"2.0","id":1,"method":""})", kPlain, "method-empty", "WW TLLTT"},
        Row{R"({"jsonrpc":"2.0","id":1,"method":"rpcspec/x"})", kPlain, "method-unknown",
            "WW WWLWW"},
        Row{R"({"jsonrpc":"2.0","id":1,"method":"tools/nope"})", kMcp, "method-unknown",
            "WW WWLWW"},
        Row{R"({"jsonrpc":"2.0","id":1,"method":"acme/nope"})", kMcp, "", "LL WLLLL"},
        Row{R"({"jsonrpc":"2.0","id":1,"method":"__proto__"})", kPlain, "method-hostile",
            "WW WTLWW"},
        Row{R"({"jsonrpc":"2.0","id":1,"method":"ping\u0000"})", kMcp, "method-hostile",
            "WW WTLWW"},
        Row{R"({"jsonrpc":"2.0","id":1,"method":"rpc.x"})", kPlain, "method-reserved", "TL TTLTT"},
        Row{R"({"jsonrpc":"2.0","id":1,"method":"PING"})", kMcp, "method-in-other-case",
            "TL WWLWW"},
        Row{R"({"jsonrpc":"2.0","id":1,"method":"notifications/initialized"})", kMcp,
            "notification-with-id", "TT TLLTT"}));

INSTANTIATE_TEST_SUITE_P(
    Ids, Model,
    testing::Values(
        Row{R"({"jsonrpc":"2.0","id":true,"method":"rpcspec/x"})", kPlain, "id-type method-unknown",
            "WW TLLTT"},
        Row{R"({"jsonrpc":"2.0","id":[],"method":"ping"})", kMcp, "id-type", "WT TLTTT"},
        Row{R"({"jsonrpc":"2.0","id":null,"method":"a"})", kPlain, "id-null", "LL LLLLL"},
        Row{R"({"jsonrpc":"2.0","id":null,"method":"ping"})", kMcp, "id-null-to-mcp", "TL TLTTT"},
        Row{R"({"jsonrpc":"2.0","id":null,"method":"ping"})", kTutorial, "id-null-to-tutorial",
            "LL TLTTT"},
        Row{R"({"jsonrpc":"2.0","id":1.5,"method":"a"})", kPlain, "id-fraction", "LL LLLLL"},
        Row{R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", kMcp, "id-fraction-to-mcp",
            "TT TLTTT"},
        Row{R"({"jsonrpc":"2.0","id":7e2,"method":"rpcspec/x"})", kPlain,
            "id-spelling method-unknown", "WW LLLLL"},
        Row{R"({"jsonrpc":"2.0","id":-0,"method":"ping"})", kMcp, "id-minus-zero", "LT LLLLL"},
        Row{R"({"jsonrpc":"2.0","id":1e-400,"method":"ping"})", kMcp, "id-huge", "LT TLLLL"},
        Row{R"({"jsonrpc":"2.0","id":1e400,"method":"ping"})", kMcp, "strenuous", "LL LLLLL"},
        Row{R"({"jsonrpc":"2.0","id":9007199254740991,"method":"ping"})", kMcp, "", "LW WLLLL"},
        Row{R"({"jsonrpc":"2.0","id":9007199254740993,"method":"ping"})", kMcp, "id-huge",
            "LT TLLLL"},
        Row{R"({"jsonrpc":"2.0","id":-9223372036854775808,"method":"ping"})", kMcp, "id-huge",
            "LT TLLLL"}));

INSTANTIATE_TEST_SUITE_P(
    Params, Model,
    testing::Values(Row{R"({"jsonrpc":"2.0","id":1,"method":"ping","params":"x"})", kMcp,
                        "params-primitive", "TT TLTLT"},
                    Row{R"({"jsonrpc":"2.0","id":1,"method":"rpcspec","params":5})", kPlain,
                        "method-unknown params-primitive", "WW TLLLT"},
                    Row{R"({"jsonrpc":"2.0","id":1,"method":"ping","params":null})", kMcp,
                        "params-null", "LT TLTLT"},
                    Row{R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})", kMcp,
                        "params-array", "TT WLWLW"},
                    Row{R"({"jsonrpc":"2.0","id":1,"method":"a","params":[]})", kPlain, "",
                        "LL WLLLL"},
                    Row{R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":1}})", kMcp,
                        "meta-type", "TT TLTLT"},
                    Row{R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":)"
                        R"({"progressToken":1.5}}})", kMcp, "progress-token-type", "LT LLLLL"},
                    Row{R"({"jsonrpc":"2.0","id":1,"method":"a","params":{"_meta":1}})", kMcp,
                        "meta-type method-optional", "TL TLLLT"},
                    Row{R"({"jsonrpc":"2.0","id":1,"method":"a","params":[1]})", kMcp,
                        "params-array method-optional", "TL WLLLW"},
                    Row{R"({"jsonrpc":"2.0","id":1,"method":"a","params":"x"})", kPlain,
                        "params-primitive method-optional", "TL TLLLT"}));

INSTANTIATE_TEST_SUITE_P(Arrays, Model,
                         testing::Values(Row{"[]", kPlain, "batch-empty", "WW TLTTT"},
                                         Row{"[]", kBatched, "batch-empty", "WT TLTTT"},
                                         Row{"[1]", kPlain, "batch-with-invalid", "WL TTTTT"},
                                         Row{R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])",
                                             kBatched, "batch-of-requests", "WL WWWWW"},
                                         Row{R"([{"jsonrpc":"2.0","id":1,"method":"initialize"}])",
                                             kBatched, "strenuous", "LL LLLLL"},
                                         Row{R"([{"jsonrpc":"2.0","method":"ping"}])", kPlain,
                                             "batch-of-notifications", "WL WWWWW"},
                                         Row{R"([{"jsonrpc":"2.0","method":"ping"}])", kBatched,
                                             "batch-of-notifications", "WL TTTTT"},
                                         Row{R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", kMcp,
                                             "batch-removed", "TT TLTTT"},
                                         Row{"[[[1e400]]]", kMcp, "strenuous batch-removed",
                                             "TL LLLLL"},
                                         Row{R"([{"jsonrpc":"2.0","id":1,"method":"tools/call"}])",
                                             kMcp, "batch-removed", "TL TLTTT"},
                                         Row{R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])",
                                             kOldest, "batch-undefined", "LT LLLLL"},
                                         Row{R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])",
                                             kTutorial, "batch-to-tutorial", "TL TTTTT"}));

TEST(ModelOfRequests, ThatAreInvalidAreDroppedForThatAndNotForTheirId) {
  const auto of_silence = [](const std::string& id, const std::string& method) {
    const std::string text = R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":)" + method + "}";
    return std::string(expected(text, kPlain).reason(Outcome::kSilence)->name);
  };
  EXPECT_EQ(of_silence("1e0", "0"), "method-not-string");
  EXPECT_EQ(of_silence("[]", "0"), "id-type");
  EXPECT_EQ(of_silence("null", "0"), "id-null");
}

TEST(ModelOfSessions, BeforeTheHandshakeNothingIsFixed) {
  for (const char* text : {R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})",
                           R"({"jsonrpc":"2.0","id":1,"method":"tools/nope"})", "{}", "[]"}) {
    EXPECT_EQ(grades(expected(text, kMcp, wire::TransportKind::kStdio, Phase::kBefore)), "LL LLLLL")
        << text;
  }
  EXPECT_EQ(grades(expected("{oops", kMcp, wire::TransportKind::kStdio, Phase::kBefore)),
            "TT LTTTT");
  EXPECT_EQ(grades(expected("{}", kPlain, wire::TransportKind::kStdio, Phase::kBefore)),
            "WW TLTTT");
}

TEST(ModelOfSessions, AStatelessRequestIsKnownByItsMeta) {
  const std::string without = R"({"jsonrpc":"2.0","id":1,"method":"tools/nope"})";
  EXPECT_EQ(names(expected(without, kStateless)), "method-unknown meta-required");
  EXPECT_EQ(grades(expected(without, kStateless)), "WL LLLLL");
  const std::string with =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/nope","params":{)" + kMeta + "}}";
  EXPECT_EQ(grades(expected(with, kStateless)), "WW WWLWW");
  // Which of two mistakes a server finds first is its own affair.
  const auto and_meta = [&](const std::string& more) {
    return R"({"jsonrpc":"2.0","id":1,"method":"tools/nope","params":{"_meta":{)"
           R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
           more + "}}}";
  };
  const std::string capabilities = R"("io.modelcontextprotocol/clientCapabilities":)";
  const std::string level = capabilities + R"({},"io.modelcontextprotocol/logLevel":)";
  for (const std::string& sound : {level + "\"error\"", capabilities + R"({"roots":{}})",
                                   capabilities + R"({"roots":{"listChanged":true}})"}) {
    EXPECT_EQ(names(expected(and_meta(sound), kStateless)), "method-unknown") << sound;
  }
  for (const std::string& odd :
       {level + "\"loud\"", level + "5", capabilities + R"({"roots":1})",
        capabilities + R"({"elicitation":{"form":"yes"}})",
        capabilities + R"({},"traceparent":"a")", capabilities + R"({},"baggage":{})"}) {
    EXPECT_EQ(names(expected(and_meta(odd), kStateless)), "method-unknown meta-required") << odd;
  }
}

TEST(ModelOfText, ABlankLineIsAMessageOnlyOverHttp) {
  EXPECT_EQ(names(expected("", kPlain, wire::TransportKind::kHttp)), "not-json");
  EXPECT_EQ(names(expected("", kPlain, wire::TransportKind::kWebSocket)), "blank-line");
}

TEST(ModelOfText, WhatIsBeyondOurLimitsIsOpen) {
  const std::string deep(600, '[');
  EXPECT_TRUE(expected(deep, kPlain).open());
  const std::string longish =
      R"({"jsonrpc":"2.0","id":")" + std::string(2000, 'x') + R"(","method":"rpcspec"})";
  EXPECT_EQ(names(expected(longish, kPlain)), "id-long method-unknown");
  const std::string method =
      R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(2000, 'm') + R"("})";
  EXPECT_EQ(grades(expected(method, kPlain)), "WW WLLWW");
}

TEST(ModelOfArrays, AnArrayInsideIsNoRequest) {
  const json::Value inner = json::array({json::object()});
  EXPECT_EQ(names(expect_element({find_profile(kPlain), wire::TransportKind::kStdio, Phase::kReady},
                                 inner)),
            "nested-array");
}

TEST(ModelOfIds, OneInOtherCaseMayHaveBeenRead) {
  EXPECT_EQ(readable_id(json::parse(R"({"Id":3,"METHOD":"a"})"))->text, "3");
  EXPECT_EQ(readable_id(json::parse(R"({"Id":3,"method":"a"})")), nullptr);
  EXPECT_EQ(readable_id(json::parse("[1]")), nullptr);
}

// --- the table itself

TEST(ModelRule, CiteClausesThatExistAndHaveNamesOfTheirOwn) {
  const Registry& clauses = own_registry();
  std::set<std::string> seen;
  for (const ModelRule& row : model_rules()) {
    EXPECT_TRUE(seen.insert(row.name).second) << row.name;
    EXPECT_EQ(find_model_rule(row.name), &row);
    ASSERT_NE(row.clauses[0], nullptr) << row.name;
    for (const char* id : row.clauses) {
      EXPECT_TRUE(id == nullptr || clauses.find(id) != nullptr) << row.name << ": " << id;
    }
  }
}

TEST(ModelRule, TheStrongestClauseIsTheProfilesOwn) {
  const Registry& clauses = own_registry();
  const auto cited = [&](const char* row, const char* profile) {
    const Requirement* best = strongest(find_model_rule(row)->clauses, clauses,
                                        *find_profile(profile), wire::TransportKind::kStdio);
    return best == nullptr ? std::string() : best->id;
  };
  EXPECT_EQ(cited("method-unknown", kPlain), "jsonrpc.error.method-not-found-code");
  EXPECT_EQ(cited("method-unknown", kMcp), "mcp.base.unknown-method");
  EXPECT_EQ(cited("method-unknown", kStateless), "mcp.base.unknown-method-modern");
  EXPECT_EQ(cited("batch-empty", kBatched), "mcp.base.batch.empty");
}

}  // namespace
}  // namespace harness::spec
