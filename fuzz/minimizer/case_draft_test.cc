// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/case_draft.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "harness/json/yaml.h"
#include "harness/suite/testing.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace suite = harness::suite;
using harness::target::Framing;

Reduced reduced(const std::string& script) {
  Reduced out;
  out.script = read_script(script);
  out.problem.finding.requirement = "jsonrpc.request.reply-exactly-one";
  out.problem.finding.expected = "a \"reply\": one";
  return out;
}

std::string draft(const Reduced& of, const std::string& url = "",
                  Framing framing = Framing::kLine) {
  harness::target::Target target;
  target.url = url;
  target.framing = framing;
  std::string text = case_draft(of, *harness::spec::find_profile("jsonrpc-2.0"), target);
  if (text.empty()) return text;
  const auto cases =
      suite::load_user_cases({{"case.yaml", text}}, suite::own_suite(), suite::own_registry());
  EXPECT_TRUE(cases) << cases.error().text() << "\n" << text;
  return text;
}

// Up to the canaries at the end.
std::string steps_of(const std::string& script, const std::string& url = "",
                     Framing framing = Framing::kLine) {
  const std::string text = draft(reduced(script), url, framing);
  const std::string end = "  - canary: true\n  - canary: true\n";
  EXPECT_TRUE(text.ends_with(end)) << text;
  const std::size_t at = text.find("steps:\n") + 7;
  return text.substr(at, text.size() - at - end.size());
}

TEST(CaseDraft, IsYamlThatHoldsEveryByte) {
  const auto read =
      json::read_yaml(draft(reduced("{\"id\":\"a'\\\"b\"}\n!sync\n!frame \"\\xff${x}\"\n!sync\n"
                                    "!raw \"two\\nlines\\x01\\n\"\n")),
                      "case.yaml");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->find("title")->text, "After this input: a \"reply\": one");
  const auto& steps = read->find("steps")->items;
  ASSERT_EQ(steps.size(), 7u);
  EXPECT_EQ(steps[0].find("frame")->text, "{\"id\":\"a'\\\"b\"}");
  EXPECT_TRUE(steps[1].find("canary"));
  EXPECT_EQ(steps[2].find("frame")->items[0].find("hex")->text, "ff 24 7b 78 7d");
  EXPECT_EQ(steps[4].find("bytes")->items[0].find("hex")->text, "74 77 6f 0a 6c 69 6e 65 73 01 0a");
}

TEST(CaseDraft, SaysWhatAScriptSaysAboutALine) {
  // What goes out together stays together.
  EXPECT_EQ(steps_of("1\n2\n!sync\n3\n"),
            "  - pipelined:\n      - frame: \"1\"\n      - frame: \"2\"\n  - canary: true\n"
            "  - frame: \"3\"\n");
  EXPECT_EQ(steps_of("1\n!raw \"2\"\n!eol crlf\n3\n"), "  - bytes: \"1\\n23\\r\\n\"\n");
  EXPECT_EQ(steps_of("!chunks 3 1\n!eol crlf\n12345\n"),
            "  - frame: \"12345\"\n    write: {chunks: [3, 1], eol: \"\\r\\n\"}\n");
  // What does not end its line would take the canary with it.
  EXPECT_EQ(steps_of("!eol none\n1\n"), "  - bytes: \"1\"\n  - bytes: \"\\n\"\n");
  EXPECT_EQ(steps_of("!eol cr\n!chunks 1\n1\n"),
            "  - bytes: \"1\\r\"\n    write: {chunks: [1]}\n  - bytes: \"\\n\"\n");
  EXPECT_EQ(steps_of("1\n!raw \"2\"\n"), "  - bytes: \"1\\n2\\n\"\n");
  EXPECT_EQ(steps_of("1\n!pause 250\n2\n"),
            "  - frame: \"1\"\n  - expect: {message: {$not: $any}, optional: true}\n"
            "    within: 0.25\n  - frame: \"2\"\n");
  // Each connection is asked at its end.
  EXPECT_EQ(steps_of("1\n!close\n2\n"),
            "  - frame: \"1\"\n  - canary: true\n  - canary: true\n  - reconnect: ready\n"
            "  - frame: \"2\"\n");
}

TEST(CaseDraft, SaysWhatAScriptSaysAboutOtherFramings) {
  const std::string http = "http://127.0.0.1:1/mcp";
  EXPECT_EQ(steps_of("!header A: b\n!header C\n1\n", http),
            "  - frame: \"1\"\n    headers: {\"A\": \"b\", \"C\": null}\n");
  EXPECT_EQ(steps_of("!http-method PUT\n!header A: b\n1\n", http),
            "  - http: {method: \"PUT\", headers: {\"A\": \"b\"}, body: \"1\"}\n");
  EXPECT_EQ(steps_of("!header content-length: 5\n1\n", http),
            "  - bytes: \"1\"\n    headers: {\"content-length\": \"5\"}\n");
  EXPECT_EQ(steps_of("!length +2\n123\n", http),
            "  - bytes: \"123\"\n    headers: {Content-Length: \"5\"}\n");
  EXPECT_EQ(steps_of("!fragments 2 0\n123\n", "ws://127.0.0.1:1/"),
            "  - bytes: [{ws: {opcode: 1, payload: \"12\", last: false}}, "
            "{ws: {opcode: 0, payload: \"\", last: false}}, {ws: {opcode: 0, payload: \"3\"}}]\n");
  // Nothing can be asked where framing is lost; a new connection shows whether the server lives.
  const std::string torn =
      draft(reduced("!length 9\n123\n"), "tcp://127.0.0.1:1", Framing::kContentLength);
  EXPECT_TRUE(
      torn.ends_with("steps:\n  - bytes: \"Content-Length: 9\\r\\n\\r\\n123\"\n"
                     "  - reconnect: ready\n  - canary: true\n"))
      << torn;
  EXPECT_EQ(draft(reduced("!length 9\n123\n"), "", Framing::kContentLength), "");
}

TEST(CaseDraft, AnswersTheServerFromTheBeginning) {
  const std::string text = draft(
      reduced("!answer a none\n!answer b twice\n!answer c error\n!answer d {\"x\":\"${y}\"}\n1\n"
              "!answer * usual\n2\n"));
  EXPECT_NE(text.find("answers:\n  \"a\": none\n  \"b\": twice\n"
                      "  \"c\": {error: {code: -32603, message: refused}}\n"
                      "  \"d\": {result: {\"x\":\"$${y}\"}}\nsteps:\n"),
            std::string::npos)
      << text;
}

// What was filled in once is another value the next time; what could not be stays as it is written.
TEST(CaseDraft, CapturesWhatWasFilledIn) {
  Reduced of = reduced("{\"id\":1}\n{\"a\":\"${1/result/x}\",\"b\":\"${1/result/y}\"}\n");
  auto transcript = std::make_shared<harness::wire::Transcript>();
  for (const char* bytes : {"{\"id\":1}", "{\"a\":\"seen\",\"b\":\"${1/result/y}\"}"}) {
    harness::wire::Frame frame;
    frame.seq = transcript->frames.size() + 1;
    frame.bytes = bytes;
    transcript->frames.push_back(std::move(frame));
  }
  of.execution.slices.emplace_back();
  of.execution.slices.back().transcript = transcript;
  of.execution.sent = {{0, 0, 1, 0}, {1, 0, 2, 0}};
  const std::string text = draft(of);
  EXPECT_NE(text.find("  - frame: \"{\\\"id\\\":1}\"\n    reply: any-reply\n"
                      "    capture: {seen0: \"/result/x\"}\n  - canary: true\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("{text: \"${seen0}\"}"), std::string::npos) << text;
  // "…${1/result/y}…" in digits: a case would read it as a reference.
  EXPECT_NE(text.find("24 7b 31 2f"), std::string::npos) << text;
}

// A server of text over a WebSocket closes after bytes that are none, whatever it answers.
TEST(CaseDraft, LetsAServerHangUpWhereThatIsNotTheBug) {
  Reduced of = reduced("1\n!sync\n!frame \"\\xff\"\n!sync\n");
  of.problem.signature = "model|a|b|c";
  of.execution.ending = Ending::kGone;
  const std::string text = draft(of, "ws://127.0.0.1:1/");
  EXPECT_TRUE(
      text.ends_with("  - frame: \"1\"\n  - canary: true\n  - frame: [{hex: \"ff\"}]\n"
                     "    reply: [{closed: true}, any-reply, silence]\n"
                     "  - reconnect: ready\n  - canary: true\n"))
      << text;
}

TEST(CaseDraft, IsNoneForWhatThePlayerLeftOut) {
  Reduced of = reduced("1\n");
  EXPECT_NE(draft(of), "");
  of.execution.withheld = 1;
  EXPECT_EQ(draft(of), "");
}

}  // namespace
}  // namespace fuzz
