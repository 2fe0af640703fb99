// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/deterministic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/mutate_testing.h"
#include "fuzz/mutate/tree.h"

namespace fuzz {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> messages(const std::vector<Script>& scripts) {
  std::vector<std::string> out;
  for (const Script& script : scripts)
    for (const Step& step : script.steps)
      if (const auto* frame = std::get_if<Frame>(&step)) out.push_back(frame->bytes);
  return out;
}

TEST(DeterministicStage, ChangesEachValueOfEachRequest) {
  const std::vector<std::string> all = messages(deterministic_scripts(testing::vocabulary()));
  const auto has = [&](const char* part) {
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const std::string& one) {
      return one.find(part) != std::string::npos;
    })) << part;
  };
  has(R"("method":"resources/read","params":{"uri":"test://a%"})");
  has(R"("method":"prompts/get","params":{"name":"greet","arguments":{"who":")");
  has(R"("method":"prompts/get","params":{"name":"greet\ud800")");
  has(R"("params":{"name":"echo\u0000","arguments":)");
  has(R"("params":{"name":"add","arguments":{"a":9007199254740993,)");
  has(R"("params":{"name":"add","arguments":{"a":-1,)");  // broken, by the schema
  has(R"("params":{"uri":null})");
  has(R"("params":{"uri":"test://a","uri":"test://a"})");
  has(R"("params":{"name":"add","arguments":{"b":)");  // without a
  has(R"("progressToken":0.5)");
  has(R"("id":-0.0,)");
  has(R"("arguments":{"a":[[[[)");
  EXPECT_THAT(all, Not(Contains(HasSubstr("\"rm"))));  // may not be called
}

TEST(DeterministicStage, CancelsEachRequestInFlightAndAsksAgain) {
  std::set<std::string> again;
  for (const Script& script : deterministic_scripts(testing::vocabulary())) {
    const auto* cancel = script.steps.size() == 3 ? std::get_if<Frame>(&script.steps[1]) : nullptr;
    if (cancel == nullptr || cancel->bytes.find("notifications/cancelled") == std::string::npos)
      continue;
    const std::string& first = std::get<Frame>(script.steps[0]).bytes;
    const std::string& second = std::get<Frame>(script.steps[2]).bytes;
    EXPECT_THAT(cancel->bytes, HasSubstr("\"requestId\":" + id_of(first) + '}'));
    EXPECT_NE(id_of(first), id_of(second));
    again.insert(second.substr(second.find("\"method\"")));
  }
  const auto has = [&](const char* part) { EXPECT_THAT(again, Contains(HasSubstr(part))); };
  has(R"("method":"tools/list")");
  has(R"("name":"add")");
  has(R"("name":"echo")");
  EXPECT_THAT(again, Not(Contains(HasSubstr("\"initialize\""))));  // no client may
}

TEST(DeterministicStage, IsPossibleWhereNothingIsOffered) {
  const Vocabulary plain(*harness::spec::find_profile("jsonrpc-2.0"));
  const std::vector<std::string> all = messages(deterministic_scripts(plain));
  EXPECT_THAT(all, Contains(HasSubstr(R"("number":-0,)")));
  EXPECT_THAT(all, Contains(HasSubstr(R"("text":"a\ufeff")")));
}

TEST(DeterministicStage, GivesEachRequestAnIdOfItsOwnAndIsAlwaysTheSame) {
  for (const char* profile : {"jsonrpc-2.0", "mcp-2025-03-26", "mcp-2026-07-28", "mcp-tutorial"}) {
    const std::vector<Script> scripts = deterministic_scripts(testing::vocabulary(profile));
    EXPECT_EQ(scripts, deterministic_scripts(testing::vocabulary(profile)));
    std::set<std::string> ids;
    std::size_t requests = 0;
    for (const std::string& message : messages(scripts)) {
      Tree tree;
      ASSERT_TRUE(tree.read(message)) << message;
      const std::size_t id = tree.member(message, 0, "id");
      if (id == Tree::kNone || !message.starts_with(R"({"jsonrpc":"2.0","id":1)")) continue;
      ids.emplace(text_of(message, tree[id]));
      ++requests;
    }
    EXPECT_GT(requests, 100u) << profile;
    EXPECT_GE(ids.size() + 8, requests) << profile;  // some spellings of 1 are tried as ids
    for (const Script& script : scripts) {
      EXPECT_LE(script.steps.size(), 16u);
      EXPECT_EQ(read_script(write_script(script)), script);
    }
  }
}

TEST(DeterministicStage, IsBoundedAndKeepsSomeOfEachWay) {
  Surface surface;
  std::string tools = "[";
  for (int i = 0; i < 64; ++i)
    tools += (i ? "," : "") + std::string(R"({"name":"t)") + std::to_string(i) +
             R"(","inputSchema":{"type":"object","properties":{"a":{"type":"string"},)"
             R"("b":{"type":"string"},"c":{"type":"integer"}},"required":["a","b","c"]}})";
  surface.tools = harness::json::parse(tools + "]");
  Vocabulary vocabulary(*harness::spec::find_profile("mcp-2025-06-18"));
  vocabulary.offer(surface);
  const std::vector<std::string> all = messages(deterministic_scripts(vocabulary));
  EXPECT_EQ(all.size(), kMostDeterministic);
  EXPECT_THAT(all, Contains(HasSubstr(R"(\u0000"})")));
  EXPECT_THAT(all, Contains(HasSubstr("1e400")));
}

TEST(DeterministicStage, LeavesNothingOutThatIsOddAsAWhole) {
  for (const char* profile : {"jsonrpc-2.0", "mcp-2025-06-18"}) {
    const std::vector<Script> scripts = deterministic_scripts(testing::vocabulary(profile));
    std::set<std::size_t> lengths;
    std::size_t empty_ids = 0;
    for (const Script& script : scripts) {
      const auto* frame = std::get_if<Frame>(&script.steps.back());
      if (script.steps.size() > 2 || frame == nullptr) continue;
      const std::string& message = frame->bytes;
      lengths.insert(message.size());
      empty_ids += message.starts_with(R"([{"jsonrpc":"2.0","id":"",)");
    }
    EXPECT_EQ(empty_ids, 1u) << profile;
    for (const std::size_t buffer : {4096u, 16384u, 65536u, 131072u})
      for (const std::size_t length : {buffer - 1, buffer, buffer + 1u})
        EXPECT_TRUE(lengths.contains(length)) << length;
  }
}

TEST(DeterministicStage, WritesEachPartOfALineEndApart) {
  std::set<std::pair<Eol, std::size_t>> behind;  // a first write, so far behind the message
  for (const Script& script : deterministic_scripts(testing::vocabulary()))
    for (const Step& step : script.steps)
      if (const auto* frame = std::get_if<Frame>(&step))
        if (const Delivery& how = frame->delivery;
            !how.chunks.empty() && how.chunks.front() >= frame->bytes.size())
          behind.emplace(how.eol, how.chunks.front() - frame->bytes.size());
  for (const std::size_t length : {0u, 1u}) {
    EXPECT_TRUE(behind.contains({Eol::kLf, length}));
    EXPECT_TRUE(behind.contains({Eol::kCrlf, length}));
  }
}

std::vector<HeaderChange> headers(const std::vector<Script>& scripts) {
  std::vector<HeaderChange> out;
  for (const Script& script : scripts)
    for (const Step& step : script.steps)
      if (const auto* frame = std::get_if<Frame>(&step))
        for (const HeaderChange& change : frame->delivery.headers) out.push_back(change);
  return out;
}

// To start a server may take longer than a hundred messages.
TEST(DeterministicStage, TakesASessionForEachIdInABatchOnlyWhereThereAreBatches) {
  for (const auto& [profile, sessions] :
       {std::pair{"mcp-2025-03-26", true}, std::pair{"mcp-2025-11-25", false}}) {
    const std::vector<Script> scripts = deterministic_scripts(testing::vocabulary(profile));
    const auto closing = std::count_if(scripts.begin(), scripts.end(), [](const Script& script) {
      return std::holds_alternative<Close>(script.steps.front());
    });
    EXPECT_EQ(closing > 50, sessions) << profile;
    EXPECT_EQ(closing == 0, !sessions) << profile;
    EXPECT_THAT(messages(scripts), Contains(R"([{"jsonrpc":"2.0","id":-0,"method":"ping"}])"));
  }
}

TEST(DeterministicStage, TriesHeadersOverHttp) {
  for (const char* transport : {"http", "http+sse"}) {
    const std::vector<Script> scripts =
        deterministic_scripts(testing::vocabulary("mcp-2025-06-18", transport));
    const std::vector<HeaderChange> all = headers(scripts);
    const auto version = [](const char* value) {
      return HeaderChange{"MCP-Protocol-Version", value};
    };
    EXPECT_THAT(all, Contains(version("2025-06-18, 2025-03-26")));
    EXPECT_THAT(all, Contains(version("1999-01-01, 2025-06-18")));
    EXPECT_THAT(all, Contains(version("2025-06-18,")));
    EXPECT_THAT(all, Contains(version("")));
    EXPECT_THAT(all, Contains(HeaderChange{"MCP-Protocol-Version", std::nullopt}));
    EXPECT_THAT(all, Contains(HeaderChange{"mcp-protocol-version", "2025-06-18"}));  // a second one
    for (const char* name : {"X-Rpcspec", "Mcp-Session-Id", "Accept"})
      for (const std::size_t buffer : {4096u, 8192u, 16384u, 65536u})
        for (const std::size_t length : {buffer - 1, buffer, buffer + 1u})
          EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                                  [&](const HeaderChange& one) {
                                    return one.name == name && one.value &&
                                           one.value->size() == length;
                                  }))
              << name << " " << length;
    EXPECT_LT(all.size(), 250u);
    for (const Script& script : scripts) {
      EXPECT_EQ(read_script(write_script(script)), script);
      if (!headers({script}).empty()) {
        EXPECT_EQ(script.steps.size(), 1u);
      }
    }
  }
}

TEST(DeterministicStage, TriesRevisionsWhereThereAreAny) {
  const auto names_a_revision = [](const HeaderChange& one) {
    return one.name == "MCP-Protocol-Version" && one.value && one.value->size() < 100;
  };
  const std::vector<HeaderChange> all =
      headers(deterministic_scripts(testing::vocabulary("jsonrpc-2.0", "http")));
  EXPECT_TRUE(std::none_of(all.begin(), all.end(), names_a_revision));
  EXPECT_GT(all.size(), 50u);
}

TEST(DeterministicStage, HasNoHeadersElsewhere) {
  const std::vector<Script> unknown = deterministic_scripts(testing::vocabulary("mcp-2025-06-18"));
  EXPECT_THAT(headers(unknown), IsEmpty());
  for (const char* transport : {"stdio", "tcp", "websocket"})
    EXPECT_EQ(deterministic_scripts(testing::vocabulary("mcp-2025-06-18", transport)), unknown);
}

TEST(Requests, AreSoundAndOfEachKind) {
  const std::vector<std::string> all = messages(requests(testing::vocabulary()));
  EXPECT_THAT(all, Contains(HasSubstr(R"("method":"resources/read","params":{"uri":"test://a")")));
  EXPECT_THAT(all, Contains(HasSubstr(R"("params":{"name":"add","arguments":{"a":)")));
  EXPECT_THAT(all, Not(Contains(HasSubstr("initialize"))));
  EXPECT_THAT(all, Not(Contains(HasSubstr("\"rm"))));  // may not be called
}

TEST(Forgeries, LookLikeWhatWasGivenOut) {
  const std::vector<std::string> all =
      messages(forgeries(testing::vocabulary("mcp-2026-07-28"), R"("b2Zmc2V0PTI")"));
  EXPECT_THAT(all, Contains(HasSubstr(R"("cursor":"a2Zmc2V0PTI")")));
  EXPECT_THAT(all, Contains(HasSubstr(R"("requestState":"b2Zmc2V0PTH")")));
  EXPECT_THAT(all, Not(Contains(HasSubstr(R"("b2Zmc2V0PTI")"))));
  EXPECT_THAT(forgeries(testing::vocabulary(), R"("ab")"), IsEmpty());
}

TEST(OddAnswers, FollowTheQuestionWithItsState) {
  Vocabulary vocabulary = testing::vocabulary("mcp-2026-07-28");
  vocabulary.learn(R"({"result":{"inputRequests":{"who":{"method":"roots/list"}}}})");
  const std::string asking =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}})";
  const std::vector<Script> scripts = odd_answers(vocabulary, asking);
  ASSERT_GT(scripts.size(), 5u);
  EXPECT_EQ(write_script(scripts.front()),
            R"(#! profile: mcp-2026-07-28
{"jsonrpc":"2.0","id":1000000,"method":"tools/call","params":{"name":"echo"}}
!sync
{"jsonrpc":"2.0","id":1000001,"method":"tools/call","params":{"name":"echo","requestState":"${1/result/requestState}","inputResponses":{"nobody_asked":{"action":"accept","content":{}}}}}
)");
  EXPECT_NE(write_script(scripts.back()).find(R"("inputResponses":{"who":)"), std::string::npos);
  EXPECT_THAT(odd_answers(vocabulary, R"({"id":1,"method":"a"})"), IsEmpty());
}

}  // namespace
}  // namespace fuzz
