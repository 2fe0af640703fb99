// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/cause.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "fuzz/minimizer/outline.h"

namespace fuzz {
namespace {

using namespace std::string_literals;
using harness::oracle::What;

const harness::spec::Profile& plain() { return *harness::spec::find_profile("jsonrpc-2.0"); }

// Frames that were sent ("> …") and that came ("< …").
std::shared_ptr<harness::wire::Transcript> said(const std::vector<std::string>& lines) {
  auto transcript = std::make_shared<harness::wire::Transcript>();
  for (const std::string& line : lines) {
    harness::wire::Frame frame;
    frame.seq = transcript->frames.size() + 1;
    frame.direction = line.starts_with("> ") ? harness::wire::Direction::kSent
                                             : harness::wire::Direction::kReceived;
    frame.bytes = line.substr(2);
    transcript->frames.push_back(std::move(frame));
  }
  return transcript;
}

const What kNothing = harness::oracle::Nothing{};
const What kResult = harness::oracle::ResultCame{};
What code(const char* number) { return harness::oracle::ErrorCame{number}; }

// What was asked and what came, which prove it.
std::vector<std::string> causes(const std::string& oracle, const What& what,
                                const std::string& asked, const std::string& came,
                                const std::vector<std::uint64_t>& proof = {1, 2},
                                const char* profile = "jsonrpc-2.0", bool in_flight = false,
                                int wanted = 0, const char* flaw = "") {
  Reduced reduced;
  reduced.in_flight = in_flight;
  std::vector<std::string> lines{"> " + asked};
  if (!came.empty()) lines.push_back("< " + came);
  reduced.problem.finding.oracle = oracle;
  reduced.problem.finding.came.came = what;
  reduced.problem.finding.flaw = flaw;
  reduced.problem.finding.wanted.error = true;
  if (wanted != 0) reduced.problem.finding.wanted.codes = {wanted};
  reduced.problem.finding.frames = proof;
  reduced.problem.signature = oracle + "|a|b|";
  reduced.execution.slices.emplace_back().transcript = said(lines);
  return causes_of(reduced, *harness::spec::find_profile(profile));
}

std::vector<std::string> causes_of_end(const std::string& signature, const std::string& script) {
  Reduced reduced;
  reduced.script = read_script(script);
  reduced.problem.signature = signature;
  return causes_of(reduced, plain());
}

using Causes = std::vector<std::string>;

TEST(Cause, IsOneForRepliesThatAreMixedUpInFlight) {
  const auto of = [](const char* oracle, bool in_flight) {
    return causes(oracle, kResult, R"({"jsonrpc":"2.0","id":1,"method":"a"})",
                  R"({"jsonrpc":"2.0","id":1,"result":{}})", {1, 2}, "jsonrpc-2.0", in_flight);
  };
  const std::vector<std::string> twice = of("replies", true);
  ASSERT_EQ(twice.size(), 1u);
  EXPECT_EQ(of("shapes", true), twice);
  EXPECT_NE(of("shapes", false), twice);
  EXPECT_NE(of("model", true), twice);
}

TEST(Cause, KnowsWhatIsOddBelowTheLevelOfMessages) {
  EXPECT_EQ(oddity_of("{\"id\":1}\0"s), "nul");
  EXPECT_EQ(oddity_of("{\"\0\":1}"s), "control character");
  EXPECT_EQ(oddity_of("{\"\xc3\":1}"), "utf-8");
  EXPECT_EQ(oddity_of("\xef\xbb\xbf{}"), "byte order mark");
  EXPECT_EQ(oddity_of("[-1e309]"), "number");
  EXPECT_EQ(oddity_of("[" + std::string(400, '7') + "]"), "number");
  EXPECT_EQ(oddity_of("{\"a\":\"1e309\"}"), "");
  EXPECT_EQ(oddity_of("{\"a\":\"\\ud800\"}"), "surrogate");
  EXPECT_EQ(oddity_of("{\"a\":\"\x01\"}"), "control character");
  EXPECT_EQ(oddity_of("{\"a\":[1,true]}"), "");
  EXPECT_EQ(oddity_of("{\"a\":1/**/}"), "comment");
  EXPECT_EQ(oddity_of("{\"a\":\"\\\"//\"} x"), "");
  EXPECT_EQ(oddity_of("{oops"), "");
}

TEST(Cause, IsOneForIdsThatAreKeptInOneWay) {
  const auto id = [](const std::string& asked, const std::string& came) {
    return causes("replies", What(), "{\"jsonrpc\":\"2.0\",\"id\":" + asked + ",\"method\":\"a\"}",
                  "{\"jsonrpc\":\"2.0\",\"id\":" + came + ",\"result\":1}");
  };
  EXPECT_EQ(id("4294967296", "0"), Causes{"ids are cut to fewer bits"});
  EXPECT_EQ(id("2147483648", "-2147483648"), id("4294967296", "0"));
  EXPECT_EQ(id("1e-400", "0.0"), Causes{"ids are kept as doubles"});
  EXPECT_EQ(id("-9223372036854775809", "-9.2233720368548e+18"),
            Causes{"ids are kept as doubles"});
  EXPECT_EQ(id("123456789012345678901234567890", "1.2345678901234568e+29"), id("1e-400", "0.0"));
}

TEST(Cause, OfAnIdThatNobodyAskedUnderIsTheOneItIsLeftOf) {
  const auto id = [](const std::string& asked, const std::string& came) {
    return causes("replies", What(), "{\"jsonrpc\":\"2.0\",\"id\":" + asked + ",\"method\":\"a\"}",
                  "{\"jsonrpc\":\"2.0\",\"id\":" + came + ",\"result\":1}", {2});
  };
  EXPECT_EQ(id("2147483648", "-2147483648"), Causes{"ids are cut to fewer bits"});
  EXPECT_EQ(id("9007199254740991", "-1"), id("2147483648", "-2147483648"));
  EXPECT_EQ(id("9223372036854775808", "-9223372036854775808"), id("4294967297", "1"));
  EXPECT_EQ(id("1e-400", "0"), Causes{"ids are kept as doubles"});
  EXPECT_EQ(id("5", "6"), Causes{});
  const std::string read_over = R"([{"id":9254740991,"method":""}])" + "\0"s;
  EXPECT_EQ(causes("replies", What(), read_over, R"([{"id":664806399,"error":{}}])", {2}),
            id("4294967297", "1"));
  const std::string marked =
      "\xEF\xBB\xBF"
      R"({"id":9254740991,"method":""})";
  EXPECT_EQ(causes("replies", What(), marked, R"({"id":664806399,"error":{}})", {2}),
            id("4294967297", "1"));
  // Though a later request asks under that very id.
  Reduced early;
  early.problem.finding.oracle = "replies";
  early.problem.finding.requirement = "jsonrpc.id.never-invented";
  early.problem.finding.frames = {3, 2};
  early.execution.slices.emplace_back().transcript =
      said({R"(> {"id":4294967297,"method":0})", R"(< {"id":1,"error":{}})",
            R"(> {"jsonrpc":"2.0","id":1,"method":"a"})"});
  EXPECT_EQ(causes_of(early, plain()), id("4294967297", "1"));
}

TEST(Cause, IsOneForWhatIsNoIdAndComesBack) {
  const auto of = [](const char* oracle, const char* flaw, const char* id, const char* came) {
    const std::string asked = R"({"jsonrpc":"2.0","method":"a","id":)";
    return causes(oracle, kResult, asked + id + "}", came, {1, 2}, "jsonrpc-2.0", false, 0, flaw);
  };
  const Causes taken = of("envelope", "", "true", R"({"jsonrpc":"2.0","id":true,"result":1})");
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(of("model", "id-type", "{}", R"([{"jsonrpc":"2.0","id":{},"error":{"code":1}}])"), taken);
  EXPECT_NE(of("model", "id-type", "{}", R"({"jsonrpc":"2.0","id":null,"result":1})"), taken);
  EXPECT_NE(of("envelope", "both", "true", R"({"jsonrpc":"2.0","id":true,"result":1})"), taken);
}

TEST(Cause, IsTheRuleThatTheMessageBreaksAndTheAnswer) {
  const std::string odd = R"({"jsonrpc":"2.0","id":[],"method":"a"})";
  EXPECT_EQ(causes("model", kNothing, odd, ""), Causes{"what is no id to the server gets nothing"});
  EXPECT_EQ(causes("batches", kNothing, "[" + odd + "]", ""),
            Causes{"what is no id to the server gets nothing"});
  EXPECT_EQ(causes("model", kResult, odd, "{}"), Causes{"id-type|a result"});
  EXPECT_EQ(causes("model", kNothing, R"({"jsonrpc":"2.0","id":1,"method":"a"})", ""), Causes{});
}

TEST(Cause, OfAnErrorOfTheServersOwnIsOneForAllTypes) {
  const std::string error = R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}})";
  const Causes one{"a member of a wrong type|code -32603"};
  for (const char* asked : {R"({"jsonrpc":"2.0","id":1,"method":"a","params":0})",
                            R"({"jsonrpc":"2.0","id":1,"method":"rpcspec.no","params":0})",
                            R"({"jsonrpc":"2.0","id":1,"method":"\t","params":0})",
                            R"({"jsonrpc":0,"id":1,"method":"a"})"})
    EXPECT_EQ(causes("model", code("-32603"), asked, error), one) << asked;
  EXPECT_EQ(causes("model", code("-32603"), "[0,{}]", "[" + error + "]", {1, 2}, "jsonrpc-2.0",
                   false, 0, "params-primitive"),
            one);
  EXPECT_EQ(causes("features", code("-32603"), "{}", error, {1, 2}, "mcp-2025-11-25", false, -32602),
            Causes{"params that do not fit are an error of the server"});
  EXPECT_EQ(
      causes("model", code("-32603"), R"({"jsonrpc":"2.0","id":1,"method":"rpcspec.no"})", error),
      Causes{"method-unknown|code -32603"});
}

TEST(Cause, IsOneForWhatHasNoMethod) {
  const std::string error = R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}})";
  const Causes one{"what has no method|code -32602"};
  for (const char* asked : {R"({"jsonrpc":"2.0","id":1,"method":0})", R"({"jsonrpc":"2.0","id":1})",
                            R"({"jsonrpc":"2.0","id":1,"error":null})"})
    EXPECT_EQ(causes("model", code("-32602"), asked, error), one) << asked;
}

TEST(Cause, IsOneForTextThatIsReadOver) {
  const std::string nul = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\0"s;
  const std::string refused = R"({"error":{},"id":null})";
  const Causes once{"text that is no JSON is read over"};
  EXPECT_EQ(causes("model", kNothing, nul, ""), once);
  EXPECT_EQ(causes("model", code("-32601"), nul, "{\"id\":1}"), once);
  EXPECT_EQ(causes("model", code("-32600"), "1\0"s, refused), once);
  EXPECT_EQ(causes("model", code("-32600"), nul, refused), Causes{"nul|code -32600"});
  EXPECT_EQ(causes("batches", What(), "[{\"method\":1}]", "[]").front(),
            "answered by an empty array");
}

TEST(Cause, IsOneForBrokenUtf8ThatIsReadOver) {
  const std::string id = R"({"jsonrpc":"2.0","id":)";
  const auto refused = [&](const char* number) {
    return causes("model", code(number), "{\"\xb8\":1}", id + R"(null,"error":{"code":1}})");
  };
  const Causes one{"utf-8|read over"};
  EXPECT_EQ(causes("model", kResult, "{\"id\":1,\"\xb8\":1}", id + R"(1,"result":1})"), one);
  EXPECT_EQ(refused("-32600"), one);
  EXPECT_EQ(refused("-32603"), Causes{"utf-8|code -32603"});
}

TEST(Cause, IsOneForSyntaxThatIsReadOver) {
  const Causes once{"text that is no JSON is read over"};
  const std::string refused = R"({"error":{},"id":null})";
  EXPECT_EQ(causes("model", code("-32600"), "\"\"c", refused), once);
  EXPECT_EQ(causes("model", kResult, "{\"id\":1})", R"({"result":1,"id":1})"), once);
  // A line of a frame that is JSON as a whole.
  EXPECT_EQ(causes("model", kResult, "[[],\n{\"id\":1}]", R"({"result":1,"id":1})", {1, 2},
                   "jsonrpc-2.0", false, -32700),
            once);
  EXPECT_EQ(causes("model", code("-32600"), "[\"\x19\"]", refused), once);
  EXPECT_EQ(causes("model", code("-32600"), "{\"id\":2", R"({"error":{},"id":2})"), once);
  EXPECT_EQ(causes("model", code("-32603"), "{oops", refused), Causes{"not-json|code -32603"});
  EXPECT_EQ(causes("model", kNothing, "[\"\x19\"]", ""), Causes{"not-json|nothing"});
}

TEST(Cause, OfJsonThatIsTakenForNoneIsWhatIsInIt) {
  const std::string refused = R"({"error":{"code":-32700},"id":null})";
  const Causes once{"an integer beyond 32 bits is no JSON to the server"};
  EXPECT_EQ(causes("replies", What(), R"({"id":1,"params":{"a":-2147483649}})", refused), once);
  EXPECT_EQ(causes("model", code("-32700"), R"([{"params":[9007190254740993]},0])", refused), once);
  EXPECT_EQ(
      causes("replies", What(), R"({"id":1,"params":[-2147483648,"9007190254740993"]})", refused),
      Causes{});
}

TEST(Cause, OfOutputThatIsNoJsonIsWhatWasAsked) {
  const Causes once{"what comes is no JSON|comment"};
  EXPECT_EQ(causes("json-output", What(), R"({"id":1,/**/"a":1})", "{/**/}", {2}), once);
  EXPECT_EQ(causes("json-output", What(), R"({"id":[1]/**/})", "{]", {2}), once);
  EXPECT_EQ(causes("json-output", What(), R"({"id":1})", "{]", {2}), Causes{});
  // Sound messages were sent before it came.
  Reduced late;
  late.problem.finding.oracle = "json-output";
  late.problem.finding.frames = {3};
  late.execution.slices.emplace_back().transcript =
      said({R"(> {"id":1/**/})", R"(> {"id":2})", "< {/**/}"});
  EXPECT_EQ(causes_of(late, plain()), once);
}

TEST(Cause, IsOneForAllThatIsNoMessageAndGetsNothing) {
  const Causes once{"what is no message gets nothing"};
  EXPECT_EQ(causes("model", kNothing, "0", ""), once);
  EXPECT_EQ(causes("model", kNothing, R"({"id":1})", ""), once);
  EXPECT_EQ(causes("model", kNothing, R"({"jsonrpc":0,"id":[],"method":0})", ""), once);
  EXPECT_NE(causes("model", kNothing, R"({"jsonrpc":"2.0","id":[],"method":0})", ""), once)
      << "what is reduced has no method any more, and the id is why it got nothing";
  EXPECT_EQ(causes("batches", kNothing, "[[0]]", ""), once);
  EXPECT_EQ(causes("model", kResult, "0", R"({"result":1})"), Causes{"primitive|a result"});
}

TEST(Cause, IsOneForAllThatIsNoMessageAndIsLookedUp) {
  const Causes once{"what is no message is looked up as a method"};
  for (const char* asked : {"{}", "1", R"({"jsonrpc":"2.0","id":{},"method":0})"})
    EXPECT_EQ(causes("model", code("-32601"), asked, R"({"error":{"code":-32601}})"), once);
  EXPECT_NE(causes("model", code("-32601"), R"({"jsonrpc":"2.0","id":{},"method":"a"})",
                   R"({"error":{"code":-32601}})"),
            once);
}

TEST(Cause, IsOneForAllThatIsServedInAnotherVersion) {
  const Causes once{"another version is served"};
  EXPECT_EQ(
      causes("model", kResult, R"({"jsonrpc":1,"id":1,"method":"a"})", R"({"id":1,"result":1})"),
      once);
  EXPECT_EQ(causes("model", code("7"), R"({"jsonrpc":"","id":1,"method":"a"})",
                   R"({"id":1,"error":{"code":7}})"),
            once);
  EXPECT_NE(causes("model", code("-32603"), R"({"jsonrpc":1,"id":1,"method":"a"})",
                   R"({"id":1,"error":{"code":-32603}})"),
            once);
}

TEST(Cause, OfMcpIsOneForAllThatItsSchemaHasNotAndGetsNothing) {
  const auto of = [](const What& came, const std::string& asked, const char* profile) {
    return causes("model", came, asked, "", {1, 2}, profile);
  };
  const Causes once{"what is no message gets nothing"};
  for (const char* asked : {R"({"jsonrpc":"1.0","id":1,"method":"ping"})",
                            R"({"jsonrpc":"2.0","id":{},"method":"ping"})",
                            R"({"jsonrpc":"2.0","id":1,"method":"ping","params":"a"})"}) {
    EXPECT_EQ(of(kNothing, asked, "mcp-2025-06-18"), once) << asked;
    EXPECT_NE(of(code("-32603"), asked, "mcp-2025-06-18"), once) << asked;
    EXPECT_NE(of(kNothing, asked, "jsonrpc-2.0"), once) << asked;
  }
}

TEST(Cause, OfAnEndIsHowAndAtWhat) {
  const Causes once = causes_of_end("ended|signal 6|terminate called", "!frame \"\\xc3\"\n");
  EXPECT_EQ(once, Causes{"ended|signal 6|utf-8"});
  EXPECT_EQ(causes_of_end("ended|signal 6|", "!frame \"{\\\"\\xff\\\":1}\"\n"), once);
  EXPECT_NE(causes_of_end("ended|signal 11|", "!frame \"\\xc3\"\n"), once);
  EXPECT_EQ(causes_of_end("ended|signal 6|x", "[]\n"), Causes{});
}

TEST(IsSound, SaysToWhatNobodyCanObject) {
  EXPECT_TRUE(
      is_sound(read_script(R"({"jsonrpc":"2.0","id":1,"method":"add","params":[1]})"), plain()));
  EXPECT_TRUE(is_sound(read_script(R"({"jsonrpc":"2.0","method":"add"})"), plain()));
  EXPECT_FALSE(is_sound(read_script(R"({"id":1,"method":"add"})"), plain()));
  EXPECT_FALSE(is_sound(read_script("[]\n"), plain()));
  EXPECT_FALSE(
      is_sound(read_script("!chunks 3\n{\"jsonrpc\":\"2.0\",\"method\":\"add\"}\n"), plain()));
}

}  // namespace
}  // namespace fuzz
