// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "fuzz/handler/trial.h"
#include "fuzz/handler/verdict.h"
#include "harness/base/test_folders.h"
#include "harness/reference/session.h"

namespace fuzz {
namespace {

using harness::oracle::Severity;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const harness::spec::Profile& profile(const char* name) {
  return *harness::spec::find_profile(name);
}

std::vector<std::string> texts(const HandlerSlice& slice, harness::wire::Direction direction) {
  std::vector<std::string> out;
  for (const harness::wire::Frame& frame : slice.transcript->frames)
    if (frame.direction == direction) out.push_back(frame.bytes);
  return out;
}
std::vector<std::string> sent(const HandlerSlice& slice) {
  return texts(slice, harness::wire::Direction::kSent);
}
std::vector<std::string> heard(const HandlerSlice& slice) {
  return texts(slice, harness::wire::Direction::kReceived);
}

// Answers as told, in turn, whatever is said; then by -32601 under the right id.
Handle scripted(std::vector<std::string> answers) {
  auto left = std::make_shared<std::vector<std::string>>(std::move(answers));
  return [left](std::string_view message) -> std::string {
    if (!left->empty()) {
      std::string answer = left->front();
      left->erase(left->begin());
      return answer;
    }
    const harness::wire::Message read = harness::wire::read_message(message);
    if (read.kind != harness::wire::MessageKind::kRequest) return "";
    return R"({"jsonrpc":"2.0","id":)" +
           std::string(message.substr(message.find("\"id\":") + 5, 6)) +
           R"(,"error":{"code":-32601,"message":"none"}})";
  };
}

std::vector<HandlerSlice> played(const char* profile_name, std::vector<std::string> answers,
                                 std::string_view script) {
  Conversation conversation(profile(profile_name), [&] { return scripted(answers); });
  return conversation.play(read_script(script));
}

TEST(HandlerConversation, HandsFramesOverAsTheyAre) {
  const auto all = played("jsonrpc-2.0", {"", "", ""}, "!frame \"{\\n\"\n!raw \"x\\n\"\n\xff\n");
  ASSERT_EQ(all.size(), 1u);
  const std::vector<std::string> said = sent(all[0]);
  ASSERT_GE(said.size(), 4u);
  EXPECT_EQ(said[0], "{\n");
  EXPECT_EQ(said[1], "x\n");
  EXPECT_EQ(said[2], "\xff");
  EXPECT_THAT(said[3], HasSubstr("100001"));  // whose answer is known
}

TEST(HandlerConversation, TakesSeveralMessagesByTheLineAndOneOverLinesAsOne) {
  const auto all = played("jsonrpc-2.0",
                          {"{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\r\n\n{\"jsonrpc\":\"2.0\"}\n",
                           "{\n  \"jsonrpc\": \"2.0\"\n}\n"},
                          "1\n2\n");
  EXPECT_THAT(
      heard(all.at(0)),
      testing::ElementsAre("{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\r", "{\"jsonrpc\":\"2.0\"}",
                           "{\n  \"jsonrpc\": \"2.0\"\n}", HasSubstr("100001")));
}

TEST(HandlerConversation, FillsReferencesInFromTheReplyToThatFrame) {
  const auto all =
      played("jsonrpc-2.0", {R"({"jsonrpc":"2.0","id":1,"result":{"next":"c\"1","n":7}})"},
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n"
             "[\"${1/result/next}\",${1/result/n},\"${1/nothing}\",\"${9/id}\"]\n");
  EXPECT_EQ(sent(all.at(0)).at(1), R"(["c\"1",7,"${1/nothing}","${9/id}"])");
}

TEST(HandlerConversation, AnswersWhatTheServerAsksAsTheScriptSays) {
  const std::string asks = R"({"jsonrpc":"2.0","id":"s","method":"roots/list"})";
  const auto with = [&](const std::string& how) {
    return sent(played("jsonrpc-2.0", {asks, "", "", ""}, how + "\n1\n2\n").at(0));
  };
  EXPECT_THAT(with("").at(1), HasSubstr(R"("id":"s","error")"));  // roots were not declared
  EXPECT_THAT(with("!answer * none").at(1), "2");
  EXPECT_THAT(with("!answer roots/list {\"roots\":[]}").at(1),
              R"({"jsonrpc":"2.0","id":"s","result":{"roots":[]}})");
  EXPECT_THAT(with("!answer roots/list wrong-id").at(1), Not(HasSubstr(R"("id":"s")")));
  EXPECT_EQ(with("!answer * twice").at(1), with("!answer * twice").at(2));
  EXPECT_THAT(with("!answer * garbage").at(1), R"({"jsonrpc":"2.0","id":)");
}

TEST(HandlerConversation, MakesAServerAnewForEachConnection) {
  int made = 0;
  Conversation conversation(profile("jsonrpc-2.0"), [&] {
    ++made;
    return scripted({});
  });
  EXPECT_EQ(conversation.play(read_script("1\n!close\n2\n")).size(), 2u);
  EXPECT_EQ(made, 2);
  conversation.play(read_script("1\n!close\n"));
  EXPECT_EQ(made, 3);
}

TEST(HandlerConversation, ShakesHandsUnlessTheScriptDoes) {
  const std::string agreed =
      R"({"jsonrpc":"2.0","id":100001,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"a","version":"1"}}})";
  const auto ready = played("mcp-2025-06-18", {agreed}, "1\n").at(0);
  EXPECT_THAT(sent(ready).at(0), HasSubstr("initialize"));
  EXPECT_THAT(sent(ready).at(1), HasSubstr("notifications/initialized"));
  EXPECT_EQ(sent(ready).at(2), "1");
  EXPECT_TRUE(ready.server_capabilities.find("tools"));
  const auto own =
      played("mcp-2025-06-18", {}, R"({"jsonrpc":"2.0","id":1,"method":"initialize"})").at(0);
  EXPECT_EQ(sent(own).size(), 1u);  // and nothing is known to be answered
}

TEST(HandlerConversation, StopsListeningToAFlood) {
  Conversation conversation(profile("jsonrpc-2.0"), [] {
    return [](std::string_view) { return std::string(8u << 20, ' ') + "1"; };
  });
  const auto& all = conversation.play(read_script("1\n2\n3\n4\n5\n6\n"));
  EXPECT_TRUE(all.back().flood);
  EXPECT_THAT(judge_slice(all.back(), profile("jsonrpc-2.0"), packed_catalogue(), Severity::kWarn),
              IsEmpty());
}

std::vector<std::string> clauses(const char* profile_name, std::vector<std::string> answers,
                                 std::string_view script) {
  std::vector<std::string> out;
  for (const HandlerSlice& slice : played(profile_name, std::move(answers), script))
    for (const auto& finding :
         judge_slice(slice, profile(profile_name), packed_catalogue(), Severity::kFail))
      out.push_back(finding.oracle + " " + finding.requirement);
  return out;
}

constexpr const char* kAsk = R"({"jsonrpc":"2.0","id":1,"method":"a.b"})";
constexpr const char* kTold =
    R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"none"}})";

TEST(HandlerVerdict, PassesWhatIsSound) {
  EXPECT_THAT(clauses("jsonrpc-2.0", {kTold}, kAsk), IsEmpty());
  EXPECT_THAT(clauses("jsonrpc-2.0", {""}, R"({"jsonrpc":"2.0","method":"a.b"})"), IsEmpty());
}

TEST(HandlerVerdict, SeesTextThatIsNoMessage) {
  EXPECT_THAT(clauses("jsonrpc-2.0", {"ok\n" + std::string(kTold)}, kAsk),
              testing::ElementsAre("texts json.output.grammar"));
  EXPECT_THAT(clauses("jsonrpc-2.0", {kTold + std::string(kTold)}, kAsk),
              testing::Contains("texts json.output.grammar"));
  EXPECT_THAT(clauses("jsonrpc-2.0", {"{\"id\":1,}"}, kAsk),
              testing::Contains("json-output json.output.grammar"));
}

TEST(HandlerVerdict, SeesARequestThatIsPassedOver) {
  EXPECT_THAT(clauses("jsonrpc-2.0", {""}, kAsk),
              testing::Contains("unanswered jsonrpc.request.reply-exactly-one"));
  // The answer comes with that to a later message.
  EXPECT_THAT(clauses("jsonrpc-2.0", {"", kTold},
                      std::string(kAsk) + "\n{\"jsonrpc\":\"2.0\",\"method\":\"n\"}"),
              IsEmpty());
  // The server waits for an answer of ours.
  EXPECT_THAT(clauses("jsonrpc-2.0", {R"({"jsonrpc":"2.0","id":"s","method":"q"})", ""},
                      "!answer * none\n" + std::string(kAsk)),
              Not(testing::Contains("unanswered jsonrpc.request.reply-exactly-one")));
}

TEST(HandlerVerdict, LaysNoReplyToAMessageWhoseOwnCallReturnedOne) {
  const std::string deep =
      R"({"":0,"id":5,"x":)" + std::string(700, '[') + std::string(700, ']') + "}";
  EXPECT_THAT(
      clauses("jsonrpc-2.0",
              {R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}})",
               R"({"jsonrpc":"2.0","id":5,"error":{"code":-32600,"message":"Invalid Request"}})"},
              "id:\n" + deep),
      IsEmpty());
}

TEST(HandlerVerdict, TakesNoIdThatADoubleRoundsForThatOfAnEarlierRequest) {
  const auto reply = [](const char* id) {
    return std::string(R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"no"},"id":)") + id +
           "}";
  };
  const std::string asked = "{\"id\":1,\"method\":\"\"}";
  EXPECT_THAT(
      clauses("jsonrpc-2.0", {reply("1"), reply("1.0")}, asked + "\n{\"id\":1.0000000000000001}"),
      IsEmpty());
  // Two of one call are two.
  EXPECT_THAT(clauses("jsonrpc-2.0", {reply("1") + "\n" + reply("1")}, asked), Not(IsEmpty()));
}

TEST(HandlerVerdict, SeesAServerThatHasFallenSilent) {
  EXPECT_THAT(clauses("jsonrpc-2.0", {kTold, "", "", ""}, kAsk),
              testing::Contains("canary jsonrpc.request.reply-exactly-one"));
}

TEST(HandlerVerdict, TellsOfItInEscapedText) {
  const auto all = played("jsonrpc-2.0", {"\x1b[31m"}, kAsk);
  const auto findings =
      judge_slice(all[0], profile("jsonrpc-2.0"), packed_catalogue(), Severity::kFail);
  const std::string report = told(findings, all[0], profile("jsonrpc-2.0"), packed_catalogue());
  EXPECT_THAT(report, HasSubstr("json.output.grammar (MUST, RFC 8259"));
  EXPECT_THAT(report, HasSubstr("*   2 ← \\x1b[31m"));
  EXPECT_THAT(report, Not(HasSubstr("\x1b")));
}

// --- the reference server in this process

class Reference {
 public:
  explicit Reference(const std::string& profile_name, const std::string& fault = "")
      : server_(*harness::reference::find_server_profile(profile_name), faults(fault)),
        session_(server_) {}

  std::string handle(std::string_view message) {
    session_.receive(message, ++exchange_, now_);
    std::string said;
    bool asks = false;
    const auto take = [&] {
      for (const harness::reference::Outgoing& out : session_.take_outbox()) {
        if (out.bytes.empty()) continue;
        asks |= harness::wire::read_message(out.bytes).kind == harness::wire::MessageKind::kRequest;
        said += out.bytes + "\n";
      }
    };
    take();
    // What takes its time is waited for, but not an answer of ours.
    for (int i = 0; i < 1000 && session_.busy() && !asks; ++i) {
      now_ = *session_.next_due();
      session_.advance(now_);
      take();
    }
    return said;
  }

 private:
  static harness::reference::Faults faults(const std::string& name) {
    harness::reference::Faults set;
    if (!name.empty() && !set.add(name)) throw std::logic_error("no Fault " + name);
    return set;
  }
  harness::reference::Server server_;
  harness::reference::Session session_;
  harness::reference::Micros now_ = harness::reference::kSecond;
  int exchange_ = 0;
};

const char* fault = "";
const char* spoken = "";
rpcspec::Handler make_reference() {
  auto server = std::make_shared<Reference>(spoken, fault);
  return [server](std::string_view message) { return server->handle(message); };
}

std::vector<std::string> seed_texts(const std::string& name) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(harness::binary_dir() + "/corpus/seeds/" + name))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> out;
  for (const auto& file : files) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    out.push_back(text.str());
  }
  return out;
}

// Plays scripts until something is wrong, at most so many; the report, and how many it took.
std::pair<std::string, int> searched(const char* name, const char* planted, int most,
                                     std::uint64_t seed) {
  spoken = name;
  fault = planted;
  Trial trial({{name}, make_reference});
  std::vector<std::string> pool = seed_texts(name);
  Random random(seed);
  for (int i = 0; i < most; ++i) {
    const auto number = static_cast<std::uint32_t>(random.next());
    std::string& from = pool[random.below(pool.size())];
    std::string made = random.one_in(8) ? trial.crossed(from, random.pick(pool), 4096, number)
                                        : trial.mutated(from, 4096, number);
    std::string report = trial.play(made);
    if (!report.empty()) return {report + listed(made), i + 1};
    if (random.one_in(4)) from = std::move(made);
  }
  return {"", most};
}

class HandlerSearch : public testing::TestWithParam<const char*> {};

TEST_P(HandlerSearch, FindsNothingInASoundServer) {
  EXPECT_EQ(searched(GetParam(), "", 1500, 1).first, "");
}

INSTANTIATE_TEST_SUITE_P(Profiles, HandlerSearch,
                         testing::Values("jsonrpc-2.0", "mcp-tutorial", "mcp-2024-11-05",
                                         "mcp-2025-03-26", "mcp-2025-06-18", "mcp-2025-11-25",
                                         "mcp-2026-07-28"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::replace_if(
                               name.begin(), name.end(),
                               [](char c) { return c == '-' || c == '.'; }, '_');
                           return name;
                         });

TEST(HandlerSearch, FindsFaultsOfTheEnvelopeSoon) {
  const std::pair<const char*, const char*> faults[] = {
      {"jsonrpc-2.0", "reply-twice"},
      {"jsonrpc-2.0", "notification-answered"},
      {"jsonrpc-2.0", "id-string-uppercased"},
      {"jsonrpc-2.0", "batch-empty-reply"},
      {"mcp-2025-06-18", "id-string-as-number"},
      {"mcp-2025-06-18", "unknown-method-empty-result"},
      {"mcp-2025-06-18", "output-trailing-comma"},
      {"mcp-2026-07-28", "result-type-missing"},
      {"mcp-tutorial", "error-message-missing"},
  };
  for (const auto& [name, planted] : faults) {
    const auto [report, took] = searched(name, planted, 1000, 7);
    EXPECT_NE(report, "") << planted << " in " << name;
  }
}

// --- a Trial

TEST(HandlerTrial, SaysWhatIsWrongWithTheSubject) {
  const auto why = [](rpcspec::Subject subject) {
    try {
      Trial trial(subject);
      return std::string();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  };
  spoken = "jsonrpc-2.0";
  fault = "";
  EXPECT_EQ(why({{"jsonrpc-2.0", "add [1,2]", "sub"}, make_reference}), "");
  EXPECT_THAT(why({{"mcp-2025-06-19"}, make_reference}),
              "there is no profile 'mcp-2025-06-19'; did you mean mcp-2025-06-18?");
  EXPECT_THAT(why({{}, make_reference}), HasSubstr("there is no profile"));
  EXPECT_THAT(why({{"jsonrpc-2.0", "add [1,"}, make_reference}), HasSubstr("not JSON: add [1,"));
  EXPECT_THAT(why({{"mcp-2025-06-18"}, make_reference}),
              testing::AllOf(HasSubstr("the handshake of mcp-2025-06-18 was not accepted"),
                             HasSubstr("-32601")));
  static std::shared_ptr<Reference> one;
  one = std::make_shared<Reference>("mcp-2025-06-18");
  EXPECT_THAT(
      why({{"mcp-2025-06-18"},
           [] {
             return rpcspec::Handler([](std::string_view message) { return one->handle(message); });
           }}),
      HasSubstr("must be independent of earlier ones"));
}

TEST(HandlerTrial, KnowsWhatTheServerOffersAndWhatItWasTold) {
  spoken = "mcp-2025-06-18";
  fault = "";
  Trial mcp({{"mcp-2025-06-18"}, make_reference});
  EXPECT_THAT(mcp.vocabulary().tools(), Not(IsEmpty()));
  EXPECT_THAT(mcp.vocabulary().uris(), Not(IsEmpty()));
  EXPECT_THAT(mcp.vocabulary().prompts(), Not(IsEmpty()));
  spoken = "jsonrpc-2.0";
  Trial plain({{"jsonrpc-2.0", "subtract [42,23]"}, make_reference});
  EXPECT_EQ(plain.vocabulary().methods().back().name, "subtract");
  EXPECT_EQ(plain.vocabulary().methods().back().params, "[42,23]");
}

TEST(HandlerTrial, LetsClausesPassThatItIsToldTo) {
  spoken = "jsonrpc-2.0";
  fault = "reply-twice";
  TrialSettings settings;
  EXPECT_NE(Trial({{"jsonrpc-2.0"}, make_reference}, settings).play(kAsk), "");
  settings.except = {"jsonrpc.request.reply-exactly-one"};
  EXPECT_EQ(Trial({{"jsonrpc-2.0"}, make_reference}, settings).play(kAsk), "");
  settings.except = {"jsonrpc.no-such-clause"};
  EXPECT_THROW(Trial({{"jsonrpc-2.0"}, make_reference}, settings), std::invalid_argument);
}

TEST(HandlerTrial, JudgesAScriptForUnitTests) {
  spoken = "mcp-2025-06-18";
  fault = "id-string-as-number";
  const rpcspec::Subject subject{{"mcp-2025-06-18"}, make_reference};
  EXPECT_THAT(rpcspec::judge_script(subject, R"({"jsonrpc":"2.0","id":"7","method":"ping"})"),
              HasSubstr("mcp.base.response-same-id"));
  EXPECT_EQ(rpcspec::judge_script(subject, R"({"jsonrpc":"2.0","id":7,"method":"ping"})"), "");
}

}  // namespace
}  // namespace fuzz
