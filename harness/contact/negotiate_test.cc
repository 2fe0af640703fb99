// SPDX-License-Identifier: Apache-2.0
// negotiate() over scripted servers: what they are taken for, by what they answer.
#include "harness/contact/negotiate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "harness/contact/negotiate_testing.h"
#include "harness/spec/known.h"

namespace harness::run {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

TEST(Negotiate, TakesTheNewestRevisionThatBothKnow) {
  struct Row {
    Methods methods;
    const char* wanted;
    const char* profile;
  };
  for (const Row& row : {
           Row{{{"initialize", agreed("2025-11-25")}}, "auto", "mcp-2025-11-25"},
           Row{{{"initialize", agreed("2025-06-18")}}, "auto", "mcp-2025-06-18"},
           Row{{{"initialize", agreed("2024-11-05")}}, "auto", "mcp-2024-11-05"},
           Row{{{"server/discover", supports(R"(["2026-07-28"])")}}, "auto", "mcp-2026-07-28"},
           Row{{{"initialize", agreed("2025-11-25")},
                {"server/discover", supports(R"(["2025-11-25","2026-07-28"])")}},
               "auto",
               "mcp-2026-07-28"},
           Row{{{"initialize", agreed("2025-11-25")},
                {"server/discover", supports(R"(["2027-01-01"])")}},
               "auto",
               "mcp-2025-11-25"},
           // What is asked for is not negotiated.
           Row{{{"initialize", agreed("2025-06-18")}}, "mcp-2025-06-18", "mcp-2025-06-18"},
           Row{{{"initialize", agreed("2025-11-25")},
                {"server/discover", supports(R"(["2026-07-28"])")}},
               "mcp-2025-11-25",
               "mcp-2025-11-25"},
           Row{{}, "jsonrpc-2.0", "jsonrpc-2.0"},
       }) {
    const Result<Negotiated> met = Negotiation(row.methods).with(row.wanted);
    ASSERT_TRUE(met) << row.profile << ": " << met.error().text();
    EXPECT_EQ(met->profile->name, std::string(row.profile));
    ASSERT_NE(met->ready, nullptr) << row.profile;
    EXPECT_EQ(&met->ready->profile(), met->profile) << row.profile;
  }
}

TEST(Negotiate, FallsBackToPlainJsonRpc) {
  const Result<Negotiated> met = Negotiation(Methods{{"sum", R"("result":3)"}}).with();
  ASSERT_TRUE(met) << met.error().text();
  EXPECT_EQ(met->profile->name, std::string("jsonrpc-2.0"));
}

TEST(Negotiate, FindsALanguageServerBehindHeaders) {
  struct Row {
    Methods methods;
    const char* wanted;
    const char* profile;
  };
  for (const Row& row : {
           Row{{{"initialize", R"("result":{"capabilities":{}})"}}, "auto", "lsp"},
           Row{{{"initialize", R"("result":{"capabilities":{}})"}}, "jsonrpc-2.0", "jsonrpc-2.0"},
           Row{{{"initialize", agreed("2025-11-25")}}, "auto", "mcp-2025-11-25"},
           Row{{{"sum", R"("result":3)"}}, "auto", "jsonrpc-2.0"},
       }) {
    Negotiation negotiation(row.methods);
    negotiation.target().framing = target::Framing::kContentLength;
    const Result<Negotiated> met = negotiation.with(row.wanted);
    ASSERT_TRUE(met) << row.profile << ": " << met.error().text();
    EXPECT_EQ(met->profile->name, row.profile);
  }
}

TEST(Negotiate, FindsAnAgentByItsAnswerToInitialize) {
  struct Row {
    const char* answer;
    const char* wanted;
    const char* profile;
  };
  for (const Row& row : {
           Row{R"("result":{"protocolVersion":1,"agentCapabilities":{}})", "auto", "acp-1"},
           Row{R"("result":{"protocolVersion":1,"authMethods":[]})", "auto", "acp-1"},
           Row{R"("result":{"protocolVersion":1})", "acp-1", "acp-1"},
           // What anything else says that answers whatever it is asked.
           Row{R"("result":{"protocolVersion":1})", "auto", ""},
           Row{R"("result":{"protocolVersion":1,"clientCapabilities":{},"agentInfo":{}})", "auto",
               ""},
           Row{R"("error":{"code":-32602,"message":"no"})", "auto", "jsonrpc-2.0"},
       }) {
    Negotiation negotiation(Methods{{"initialize", row.answer}});
    const Result<Negotiated> met = negotiation.with(row.wanted);
    EXPECT_EQ(met ? met->profile->name : "", row.profile) << row.answer;
  }
}

TEST(Negotiate, LetsNobodyPromptAnAgentUnlessAPromptIsNamed) {
  for (const bool named : {false, true}) {
    Negotiation negotiation(
        Methods{{"initialize", R"("result":{"protocolVersion":1,"agentCapabilities":{}})"}});
    if (named) negotiation.target().affordances.set("agent.prompt", json::object());
    const Result<Negotiated> met = negotiation.with("acp-1");
    ASSERT_TRUE(met) << met.error().text();
    EXPECT_EQ(met->offer.forbidden.contains("method session/prompt"), !named);
    EXPECT_TRUE(met->offer.forbidden.contains("method logout"));
    EXPECT_FALSE(met->offer.forbidden.contains("method session/new"));
  }
}

TEST(Negotiate, SaysWhenALanguageServerRefusesToBegin) {
  for (const char* wanted : {"lsp", "auto"}) {
    Negotiation negotiation(
        Methods{{"initialize", R"("error":{"code":-32602,"message":"no root"})"}});
    negotiation.target().framing = target::Framing::kContentLength;
    const Result<Negotiated> met = negotiation.with(wanted);
    ASSERT_FALSE(met) << wanted;
    EXPECT_THAT(met.error().what, HasSubstr("no root"));
    EXPECT_THAT(met.error().remedy, HasSubstr("opening"));
  }
}

TEST(Negotiate, MeetsALanguageServerThatIsSilentToWhatItDoesNotKnow) {
  int handshakes = 0;
  Negotiation negotiation([&](const Outgoing& sent, int) {
    if (sent.writes.front().find("\"initialize\"") == std::string::npos)
      return std::vector<transport::Arrival>{};
    const char* again = R"("error":{"code":-32600,"message":"twice"})";
    return serve({{"initialize", handshakes++ ? again : R"("result":{"capabilities":{}})"}}, sent);
  });
  negotiation.target().framing = target::Framing::kContentLength;
  const Result<Negotiated> met = negotiation.with("lsp");
  ASSERT_TRUE(met) << met.error().text();
  EXPECT_EQ(met->ready->canary().method, "initialize");
  EXPECT_EQ(met->offer.usual_error, -32600);
}

TEST(Negotiate, KnowsAServerOfBothEras) {
  for (const bool both : {false, true}) {
    Methods methods{{"server/discover", supports(R"(["2026-07-28"])")}};
    if (both) methods["initialize"] = agreed("2025-11-25");
    const Result<Negotiated> met = Negotiation(methods).with();
    ASSERT_TRUE(met);
    EXPECT_EQ(met->offer.dual_era, both);
  }
}

TEST(Negotiate, KnowsAServerWithoutHandshakeThatNamesItsVersionsOddly) {
  struct Row {
    const char* answer;
    const char* profile;
  };
  for (const Row& row : {
           Row{R"("result":{"supportedVersions":"2026-07-28"})", "mcp-2026-07-28"},
           Row{R"("result":{"capabilities":{}})", "mcp-2026-07-28"},
           Row{R"("result":{"supportedVersions":["2027-01-01"]})", "jsonrpc-2.0"},
           Row{R"("result":{})", "jsonrpc-2.0"},
       }) {
    Negotiation negotiation(Methods{{"server/discover", row.answer}});
    const Result<Negotiated> met = negotiation.with("auto");
    EXPECT_EQ(met ? met->profile->name : "", row.profile) << row.answer;
  }
}

TEST(Negotiate, KeepsTheConnectionThatNoHandshakeWasMadeOn) {
  const Result<Negotiated> met = Negotiation(Methods{{"initialize", agreed("2025-11-25")}}).with();
  ASSERT_TRUE(met);
  ASSERT_NE(met->spare, nullptr);
  EXPECT_FALSE(met->spare->initialized());
}

TEST(Negotiate, JudgesAServerThatEndsAtWhatItDoesNotKnowByAMethodThatIsNamed) {
  for (const bool named : {false, true}) {
    Negotiation negotiation([](const Outgoing& sent, int) {
      const bool add = sent.writes.front().find("\"add\"") != std::string::npos;
      return add ? serve({{"add", R"("result":3)"}}, sent) : dies("exit 1");
    });
    if (named)
      negotiation.target().affordances.set("known_method", json::parse(R"({"method":"add"})"));
    const Result<Negotiated> met = negotiation.with();
    ASSERT_EQ(static_cast<bool>(met), named);
    if (named) {
      EXPECT_EQ(met->profile->name, "jsonrpc-2.0");
      EXPECT_FALSE(met->offer.reads_as_one) << "it was not asked twice at once";
    } else {
      EXPECT_THAT(met.error().remedy, testing::Not(HasSubstr("--method")))
          << "nobody knows why it ends";
    }
  }
}

TEST(Negotiate, SaysInOneSentenceWhyNothingCanBeJudged) {
  struct Row {
    const char* what;
    transport::ScriptedTarget::Server server;
    const char* wanted;
    const char* says;
  };
  const auto silent = [](const Outgoing&, int) { return std::vector<transport::Arrival>{}; };
  const auto ends = [](const Outgoing&, int) { return dies("exit 127"); };
  const auto no_http = [](const Outgoing&, int) {
    transport::Arrival end = transport::end_of_exchange("bad-response");
    std::get<wire::Frame>(end).head.emplace().headers.push_back({"reason", "bad Content-Length"});
    return std::vector<transport::Arrival>{end};
  };
  const auto says = [](const std::string& result) {
    return [result](const Outgoing& sent, int) { return serve({{"initialize", result}}, sent); };
  };
  for (const Row& row : {
           Row{"silence", silent, "auto", "the target does not answer initialize; it sent nothing"},
           Row{"its end", ends, "auto", "the target ended before it answered anything"},
           Row{"what is no HTTP", no_http, "auto",
               "its response is not valid HTTP (bad Content-Length)"},
           Row{"silence to initialize", silent, "mcp-2025-06-18",
               "the target does not answer initialize"},
           Row{"silence to server/discover", silent, "mcp-2026-07-28",
               "the target does not answer server/discover"},
           Row{"a refusal", says(R"("error":{"code":-32602,"message":"no"})"), "mcp-2025-06-18",
               "the target refuses initialize"},
           Row{"another revision", says(agreed("2024-11-05")), "mcp-2025-06-18",
               "requested 2025-06-18, it offers 2024-11-05"},
       }) {
    const Result<Negotiated> met = Negotiation(row.server).with(row.wanted);
    ASSERT_FALSE(met) << row.what;
    EXPECT_THAT(met.error().text(), HasSubstr(row.says)) << row.what;
    EXPECT_NE(met.error().remedy, "") << row.what;
  }
}

// --- an odd first contact is mended

constexpr const char* kTools = R"("result":{"tools":[{"name":"t","inputSchema":{}}]})";
constexpr const char* kRefused = R"("error":{"code":-32601,"message":"no"})";

TEST(Negotiate, ChoosesItsCanaryAmongWhatIsServed) {
  struct Row {
    const char* what;
    Methods methods;
    const char* canary;
    bool by_error;
  };
  const std::string tools = agreed("2025-11-25", R"({"tools":{},"prompts":{}})");
  for (const Row& row : {
           Row{"a text for a ping",
               {{"initialize", tools}, {"ping", R"("result":"pong")"}, {"tools/list", kTools}},
               "tools/list", false},
           Row{"a text for a ping alone",
               {{"initialize", agreed("2025-11-25")}, {"ping", R"("result":"pong")"}}, "ping",
               false},
           Row{"ping", {{"initialize", tools}, {"ping", R"("result":{})"}}, "ping", false},
           Row{"a wrong result", {{"initialize", tools}, {"ping", R"("result":7)"}}, "ping", false},
           Row{"a list for a ping that is refused",
               {{"initialize", tools}, {"tools/list", kTools}},
               "tools/list",
               false},
           Row{"a list for a ping that is not answered",
               {{"initialize", tools},
                {"ping", ""},
                {"prompts/list", R"("result":{"prompts":[]})"}},
               "prompts/list",
               false},
           Row{"a list that nobody declared",
               {{"initialize", agreed("2025-11-25")}, {"tools/list", kTools}},
               "tools/list",
               false},
           Row{"a method of nobody", {{"initialize", tools}}, "rpcspec/no_such_method", true},
       }) {
    const Result<Negotiated> met = Negotiation(row.methods).with();
    ASSERT_TRUE(met) << row.what << met.error().text();
    EXPECT_EQ(met->ready->canary().method, row.canary) << row.what;
    EXPECT_EQ(met->ready->canary().answered_by_error, row.by_error) << row.what;
    EXPECT_EQ(met->offer.known->canary().method, row.canary) << row.what << ": of all sessions";
    EXPECT_EQ(met->offer.usual_error.has_value(), row.by_error) << row.what;
    EXPECT_THAT(met->odd, SizeIs(0)) << row.what;
  }
}

TEST(Negotiate, GoesOnWithAServerThatNamesAVersionOfNobody) {
  for (const char* wanted : {"auto", "mcp-2025-11-25"}) {
    for (const char* version : {"1.0", "1999-01-01", "2026-07-28"}) {
      const Result<Negotiated> met =
          Negotiation(Methods{{"initialize", agreed(version)}}).with(wanted);
      ASSERT_TRUE(met) << wanted << met.error().text();
      EXPECT_EQ(met->profile->name, std::string("mcp-2025-11-25"));
      EXPECT_TRUE(met->ready->initialized());
      ASSERT_THAT(met->odd, SizeIs(1));
      EXPECT_EQ(met->odd[0].name, kOddVersion);
      EXPECT_THAT(met->odd[0].finding.seen, HasSubstr(version));
      EXPECT_THAT(met->odd[0].finding.frames, SizeIs(2));
    }
  }
}

TEST(Negotiate, AsksForAnOlderVersionWhereTheNewestIsRefused) {
  for (const char* code : {"-32602", "-32601"}) {
    Negotiation negotiation([&](const Outgoing& sent, int) {
      const json::Value message = message_of(sent);
      const json::Value* version = json::at(message, "/params/protocolVersion");
      const bool old = version && version->text < "2025-11-25";
      const std::string refused = std::string(R"("error":{"code":)") + code + R"(,"message":"no"})";
      return serve({{"initialize", old ? agreed(version->text) : refused}}, sent);
    });
    const Result<Negotiated> met = negotiation.with();
    ASSERT_TRUE(met) << met.error().text();
    const bool unknown = std::string(code) == "-32601";
    EXPECT_EQ(met->profile->name, std::string(unknown ? "jsonrpc-2.0" : "mcp-2025-06-18"));
    EXPECT_THAT(met->odd, SizeIs(0));
  }
}

TEST(Negotiate, GoesOnWithAServerThatDoesNotKeepTheVersionItNamed) {
  int asked = 0;
  Negotiation negotiation([&](const Outgoing& sent, int) {
    const json::Value* method = message_of(sent).find("method");
    if (method && method->text == "initialize") ++asked;
    return serve({{"initialize", agreed(asked < 2 ? "2025-06-18" : "2024-11-05")}}, sent);
  });
  const Result<Negotiated> met = negotiation.with();
  ASSERT_TRUE(met) << met.error().text();
  EXPECT_EQ(met->profile->name, std::string("mcp-2025-06-18"));
  ASSERT_THAT(met->odd, SizeIs(1));
  EXPECT_EQ(met->odd[0].clauses[0], std::string("mcp.lifecycle.version-fallback-usable"));
}

// Of several that it speaks it may offer any.
TEST(Negotiate, JudgesTheNewestRevisionThoughAnOlderOneIsOffered) {
  Negotiation negotiation([&](const Outgoing& sent, int) {
    const json::Value* asked = json::at(message_of(sent), "/params/protocolVersion");
    const bool spoken = asked && asked->text == "2025-06-18";
    return serve({{"initialize", agreed(spoken ? "2025-06-18" : "2024-11-05")}}, sent);
  });
  const Result<Negotiated> met = negotiation.with();
  ASSERT_TRUE(met) << met.error().text();
  EXPECT_EQ(met->profile->name, std::string("mcp-2025-06-18"));
  EXPECT_THAT(met->odd, SizeIs(0));
}

TEST(Negotiate, GoesOnWithoutAHandshakeWhereToolsAreServed) {
  struct Row {
    const char* initialize;
    const char* says;
  };
  for (const char* wanted : {"auto", "mcp-2025-06-18"}) {
    for (const Row& row : {Row{kRefused, "initialize is refused, although tools/list is served"},
                           Row{R"("result":{})", "initialize is answered without a version"},
                           Row{R"("result":{"protocolVersion":20250618})",
                               "initialize is answered with a number as protocolVersion"},
                           Row{"", "initialize is not answered"}}) {
      Negotiation negotiation(Methods{{"initialize", row.initialize}, {"tools/list", kTools}});
      const Result<Negotiated> met = negotiation.with(wanted);
      ASSERT_TRUE(met) << row.says << met.error().text();
      EXPECT_TRUE(met->profile->mcp) << row.says;
      EXPECT_FALSE(met->handshake) << row.says;
      EXPECT_TRUE(met->ready->initialized()) << row.says;
      EXPECT_THAT(met->offer.tools.items, SizeIs(1)) << row.says;
      ASSERT_THAT(met->odd, SizeIs(1)) << row.says;
      EXPECT_EQ(met->odd[0].name, kNoHandshake);
      EXPECT_THAT(met->odd[0].title, HasSubstr(row.says));
    }
  }
}

// A program that answers what `reply` makes of the id; it reads `read` messages.
class Program {
 public:
  explicit Program(const std::string& script) : target_(transport::python(script)) {}

  Result<Negotiated> met(const std::string& wanted = "auto") {
    const Opener open = [this](const spec::Profile& profile) { return open_session(profile); };
    const Reframe reframe = [this](target::Framing framing) { target_.framing = framing; };
    return transport::told<Result<Negotiated>>(loop_, [&]() -> awaitable<Result<Negotiated>> {
      Result<Negotiated> found =
          co_await negotiate(wanted, target_, suite::own_suite(), open, reframe);
      co_return std::move(found);
    });
  }
  const target::Target& target() const { return target_; }

 private:
  awaitable<Result<std::unique_ptr<Session>>> open_session(const spec::Profile& profile) {
    auto made = transport::make(loop_.get_executor(), target_);
    if (!made) co_return made.error();
    auto session = std::make_unique<Session>(std::move(*made), profile, "t", pace_);
    const Status opened = co_await session->open();
    if (!opened) co_return opened.error();
    co_return std::move(session);
  }

  boost::asio::io_context loop_;
  target::Target target_;
  std::shared_ptr<session::Pace> pace_ = std::make_shared<session::Pace>();
};

// How it reads and writes, and what it serves.
std::string program(const std::string& read, const std::string& write,
                    const std::string& initialize) {
  return "import json, sys\n"
         "def read():\n" +
         read + "def write(text):\n" + write +
         "    sys.stdout.flush()\n"
         "while True:\n"
         "    m = json.loads(read())\n"
         "    if 'id' not in m: continue\n"
         "    r = {'jsonrpc': '2.0', 'id': m['id']}\n"
         "    if m['method'] == 'initialize': r['result'] = " +
         initialize +
         "\n"
         "    elif m['method'] in ('ping', 'shutdown'): r['result'] = {}\n"
         "    else: r['error'] = {'code': -32601, 'message': 'no'}\n"
         "    write(json.dumps(r))\n";
}

constexpr const char* kReadsLine = "    return sys.stdin.readline() or sys.exit()\n";
constexpr const char* kReadsHeaders =
    "    n = 0\n"
    "    while True:\n"
    "        line = sys.stdin.buffer.readline() or sys.exit()\n"
    "        if line.startswith(b'Content-Length:'): n = int(line[15:])\n"
    "        if line == b'\\r\\n' and n: return sys.stdin.buffer.read(n)\n";
constexpr const char* kWritesHeaders =
    "    sys.stdout.write('Content-Length: %d\\r\\n\\r\\n%s' % (len(text), text))\n";
constexpr const char* kWritesText = "    sys.stdout.write(text)\n";
constexpr const char* kAgrees =
    "{'protocolVersion': '2025-06-18', 'capabilities': {}, 'serverInfo': {'name': 's', 'version': "
    "'1'}}";

TEST(Negotiate, MeetsAServerBehindHeaders) {
  for (const char* wanted : {"auto", "mcp-2025-06-18"}) {
    Program server(program(kReadsHeaders, kWritesHeaders, kAgrees));
    const Result<Negotiated> met = server.met(wanted);
    ASSERT_TRUE(met) << met.error().text();
    EXPECT_EQ(met->profile->name, std::string("mcp-2025-06-18"));
    EXPECT_EQ(server.target().framing, target::Framing::kContentLength);
    ASSERT_THAT(met->odd, SizeIs(1));
    EXPECT_EQ(met->odd[0].clauses[0], std::string("mcp.stdio.newline-delimited"));
    EXPECT_EQ(met->odd[0].transport, wire::TransportKind::kStdio);
  }
}

TEST(Negotiate, TakesALanguageServerForNoMcpServerThatHasHeaders) {
  Program server(program(kReadsHeaders, kWritesHeaders, "{'capabilities': {}}"));
  const Result<Negotiated> met = server.met();
  ASSERT_TRUE(met) << met.error().text();
  EXPECT_EQ(met->profile->name, std::string("lsp"));
  EXPECT_THAT(met->odd, SizeIs(0));
}

TEST(Negotiate, MeetsAServerOfOtherMethodsBehindHeaders) {
  std::string text = program(kReadsHeaders, kWritesHeaders, "{}");
  text.replace(text.find("'initialize'"), 12, "'add'");
  Program server(text);
  const Result<Negotiated> met = server.met();
  ASSERT_TRUE(met) << met.error().text();
  EXPECT_EQ(met->profile->name, std::string("jsonrpc-2.0"));
  EXPECT_EQ(server.target().framing, target::Framing::kContentLength);
}

TEST(Negotiate, MeetsAServerThatWritesNoNewlines) {
  for (const char* wanted : {"auto", "mcp-2025-06-18", "jsonrpc-2.0"}) {
    Program server(program(kReadsLine, kWritesText, kAgrees));
    const Result<Negotiated> met = server.met(wanted);
    ASSERT_TRUE(met) << wanted << met.error().text();
    EXPECT_EQ(server.target().framing, target::Framing::kText);
    ASSERT_THAT(met->odd, SizeIs(1));
    EXPECT_THAT(met->odd[0].finding.seen, HasSubstr("no newline after {\"jsonrpc\""));
  }
}

TEST(Negotiate, MeetsAServerThatWritesAPromptBeforeEachReply) {
  Program server(program(kReadsLine, "    sys.stdout.write('> ' + text + '\\n')\n", kAgrees));
  const Result<Negotiated> met = server.met();
  ASSERT_TRUE(met) << met.error().text();
  EXPECT_EQ(server.target().framing, target::Framing::kText);
  EXPECT_THAT(met->odd, SizeIs(0)) << "the prompts are for the oracles";
}

TEST(Negotiate, TakesWhoAnswersAFewAndNoMoreForNobodyWhoReadsTwoAsOne) {
  for (const std::ptrdiff_t most : {4, 5, 6}) {
    std::map<int, std::ptrdiff_t> asked;  // by life
    Negotiation negotiation([&](const Outgoing& sent, int life) {
      std::vector<transport::Arrival> replies = serve({}, sent);
      const std::ptrdiff_t left = std::max<std::ptrdiff_t>(0, most - asked[life]);
      asked[life] += static_cast<std::ptrdiff_t>(replies.size());
      replies.erase(replies.begin() + std::min(left, std::ssize(replies)), replies.end());
      return replies;
    });
    const Result<Negotiated> met = negotiation.with("jsonrpc-2.0");
    ASSERT_TRUE(met) << most << met.error().text();
    EXPECT_FALSE(met->offer.reads_as_one) << most;
  }
}

TEST(Negotiate, LeavesATimeBetweenMessagesWhereTwoAreReadAsOne) {
  constexpr const char* kReadsChunk =
      "    import os\n"
      "    return os.read(0, 65536).decode() or sys.exit()\n";
  for (const char* wanted : {"auto", "mcp-2025-06-18", "jsonrpc-2.0"}) {
    Program chunks(program(kReadsChunk, kWritesText, kAgrees));
    const Result<Negotiated> met = chunks.met(wanted);
    ASSERT_TRUE(met) << wanted << met.error().text();
    EXPECT_TRUE(met->offer.reads_as_one) << wanted;
    EXPECT_GT(met->ready->pace().apart.count(), 0) << wanted;
    EXPECT_FALSE(met->ready->closed()) << wanted;

    Program lines(program(kReadsLine, kWritesText, kAgrees));
    const Result<Negotiated> sound = lines.met(wanted);
    ASSERT_TRUE(sound) << wanted << sound.error().text();
    EXPECT_FALSE(sound->offer.reads_as_one) << wanted;
    EXPECT_EQ(sound->ready->pace().apart.count(), 0) << wanted;
  }
}

TEST(Negotiate, KnowsACanaryWithoutAnIdWhereTwoAreReadAsOne) {
  Negotiation negotiation([](const Outgoing& sent, int) {
    const std::string& text = sent.writes.front();
    const bool one = sent.writes.size() == 1 && text.find('\n') + 1 == text.size();
    const char* error = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"m"}})";
    return std::vector<transport::Arrival>(one ? 1 : 0, transport::line(error));
  });
  const Result<Negotiated> met = negotiation.with("jsonrpc-2.0");
  ASSERT_TRUE(met) << met.error().text();
  EXPECT_TRUE(met->offer.reads_as_one);
  EXPECT_FALSE(met->ready->canary().unnamed.is_null());
}

TEST(Negotiate, MeetsAServerThatWritesOverSeveralLines) {
  Program server(program(kReadsLine,
                         "    sys.stdout.write(json.dumps(json.loads(text), indent=2) + '\\n')\n",
                         kAgrees));
  const Result<Negotiated> met = server.met();
  ASSERT_TRUE(met) << met.error().text();
  EXPECT_EQ(met->profile->name, std::string("mcp-2025-06-18"));
  EXPECT_EQ(server.target().framing, target::Framing::kLine) << "the lines of each are joined";
  EXPECT_TRUE(met->odd.empty()) << "what is wrong is said of each";
}

TEST(Negotiate, PassesOnWhyNoConnectionCanBeMade) {
  Negotiation negotiation{Methods{}};
  negotiation.server().refuse(Error{"", "the command cannot be started", "check it"});
  const Result<Negotiated> met = negotiation.with();
  ASSERT_FALSE(met);
  EXPECT_EQ(met.error().what, "the command cannot be started");
}

}  // namespace
}  // namespace harness::run
