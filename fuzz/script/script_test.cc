// SPDX-License-Identifier: Apache-2.0
#include "fuzz/script/script.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "harness/base/text.h"

namespace fuzz {
namespace {

using std::string_literals::operator""s;

std::string frame_of(const Script& script, std::size_t index) {
  return std::get<Frame>(script.steps.at(index)).bytes;
}

Script of(Step step) { return {"", {}, {std::move(step)}}; }

Script delivered(Delivery delivery) { return of(Frame{"{}", std::move(delivery)}); }

TEST(ReadScript, TakesAFileOfJsonLinesForItsFrames) {
  const Script script = read_script("{\"id\":1}\n[2]\r\n\n  \t\nnot JSON\xFF");

  ASSERT_EQ(script.steps.size(), 3u);
  EXPECT_EQ(frame_of(script, 0), "{\"id\":1}");
  EXPECT_EQ(frame_of(script, 1), "[2]");
  EXPECT_EQ(frame_of(script, 2), "not JSON\xFF");
}

TEST(ReadScript, LeavesCommentsOutAndKeepsWhatTheHeaderNames) {
  const Script script = read_script(
      "\xEF\xBB\xBF#! profile: mcp-2025-06-18\n#! transport: stdio+content-length\n"
      "#! seed: 7\n# profile: x\n#! profile: two words\n#!\n#\n1\n");

  EXPECT_EQ(script.profile, "mcp-2025-06-18");
  EXPECT_EQ(script.transport, harness::wire::TransportKind::kStdioContentLength);
  EXPECT_EQ(script.steps.size(), 1u);
}

TEST(ReadScript, KeepsModifiersForTheNextFrame) {
  const Script script = read_script("!chunks 3 1\n!sync\n!raw \"x\"\n1\n2\n!eol cr\n");

  ASSERT_EQ(script.steps.size(), 4u);
  EXPECT_EQ(std::get<Frame>(script.steps[2]).delivery.chunks, (std::vector<std::uint32_t>{3, 1}));
  EXPECT_TRUE(std::get<Frame>(script.steps[3]).delivery.usual());
}

TEST(ReadScript, LetsTheLastOfTwoEqualModifiersCount) {
  const Script script =
      read_script("!eol cr\n!eol lf\n!header A: 1\n!header B: 2\n!header A\n!opcode 3\n{}\n");
  const Delivery& delivery = std::get<Frame>(script.steps.at(0)).delivery;

  EXPECT_EQ(delivery.eol, Eol::kLf);
  EXPECT_EQ(delivery.headers,
            (std::vector<HeaderChange>{{"A", std::nullopt}, {"B", std::string("2")}}));
  EXPECT_EQ(delivery.opcode, 3);
}

TEST(ReadScript, ShortensALongPause) {
  EXPECT_EQ(read_script("!pause 999999999"), of(Pause{kLongestPause}));
}

struct Spelled {
  const char* text;
  Script script;
};

// Both ways: the text is canonical.
TEST(Script, SpellsEveryDirective) {
  const Spelled table[] = {
      {"#! profile: json-rpc-2.0\n#! transport: http\n",
       {"json-rpc-2.0", harness::wire::TransportKind::kHttp, {}}},
      {"{\"id\":1}\n", of(Frame{"{\"id\":1}", {}})},
      {" \t1 \n", of(Frame{" \t1 ", {}})},
      {"é\n", of(Frame{"é", {}})},
      {"!frame \"\"\n", of(Frame{"", {}})},
      {"!frame \" \"\n", of(Frame{" ", {}})},
      {"!frame \"#x\"\n", of(Frame{"#x", {}})},
      {"!frame \"!sync\"\n", of(Frame{"!sync", {}})},
      {"!frame \"a\\nb\\r\\t\\\"\\\\\\x00\\x7f\\xfféz\"\n",
       of(Frame{"a\nb\r\t\"\\\0\x7F\xFFéz"s, {}})},
      {"!frame \"\\xef\\xbb\\xbf{}\"\n", of(Frame{"\xEF\xBB\xBF{}", {}})},
      {"!raw \"\\xff\\x00\"\n", of(Raw{"\xFF\0"s})},
      {"!pause 5\n", of(Pause{5})},
      {"!sync\n", of(Sync{})},
      {"!close\n", of(Close{})},
      {"!answer * usual\n", of(ClientAnswer{"*", AnswerKind::kUsual, ""})},
      {"!answer * none\n", of(ClientAnswer{"*", AnswerKind::kNone, ""})},
      {"!answer roots/list twice\n", of(ClientAnswer{"roots/list", AnswerKind::kTwice, ""})},
      {"!answer * wrong-id\n", of(ClientAnswer{"*", AnswerKind::kWrongId, ""})},
      {"!answer * late\n", of(ClientAnswer{"*", AnswerKind::kLate, ""})},
      {"!answer * error\n", of(ClientAnswer{"*", AnswerKind::kError, ""})},
      {"!answer \"\" garbage\n", of(ClientAnswer{"", AnswerKind::kGarbage, ""})},
      {"!answer * held\n", of(ClientAnswer{"*", AnswerKind::kHeld, ""})},
      {"!session 2\n", of(Timing{TimingKind::kSession, 2})},
      {"!await 3\n", of(Timing{TimingKind::kAwait, 3})},
      {"!arrival\n", of(Timing{TimingKind::kArrival})},
      {"!release first\n", of(Timing{TimingKind::kRelease})},
      {"!release last\n", of(Timing{TimingKind::kReleaseLast})},
      {"!cut\n", of(Timing{TimingKind::kCut})},
      {"!answer \"a b\" {\"roots\": []}\n",
       of(ClientAnswer{"a b", AnswerKind::kResult, "{\"roots\": []}"})},
      {"!answer * \"text\"\n", of(ClientAnswer{"*", AnswerKind::kResult, "\"text\""})},
      {"!chunks 3 1\n{}\n", delivered({.chunks = {3, 1}})},
      {"!eol crlf\n{}\n", delivered({.eol = Eol::kCrlf})},
      {"!eol cr\n{}\n", delivered({.eol = Eol::kCr})},
      {"!eol none\n{}\n", delivered({.eol = Eol::kNone})},
      {"!length 7\n{}\n", delivered({.length = ClaimedLength{false, 7}})},
      {"!length +0\n{}\n", delivered({.length = ClaimedLength{true, 0}})},
      {"!length -2\n{}\n", delivered({.length = ClaimedLength{true, -2}})},
      {"!http-method PUT\n{}\n", delivered({.http_method = "PUT"})},
      {"!header Accept\n{}\n", delivered({.headers = {{"Accept", std::nullopt}}})},
      {"!header Accept:\n{}\n", delivered({.headers = {{"Accept", ""}}})},
      {"!header Accept: */*; q=1\n{}\n", delivered({.headers = {{"Accept", "*/*; q=1"}}})},
      {"!header \"A b\": \" x\\r\\n\"\n{}\n", delivered({.headers = {{"A b", " x\r\n"}}})},
      {"!header A: \"\\\"\"\n{}\n", delivered({.headers = {{"A", "\""}}})},
      {"!opcode binary\n{}\n", delivered({.opcode = 2})},
      {"!opcode continuation\n{}\n", delivered({.opcode = 0})},
      {"!opcode 15\n{}\n", delivered({.opcode = 15})},
      {"!fragments 0 5\n{}\n", delivered({.fragments = {0, 5}})},
  };
  for (const Spelled& row : table) {
    EXPECT_EQ(write_script(row.script), row.text);
    EXPECT_EQ(read_script(row.text), row.script) << row.text;
  }
}

TEST(Script, TakesWhatIsNoDirectiveForAFrame) {
  const char* table[] = {
      "!",
      "! sync",
      "!!",
      "!syn",
      "!Sync",
      "!sync now",
      "!close 1",
      "!frame",
      "!frame x",
      "!frame \"x",
      "!frame \"x\" y",
      "!frame \"\\q\"",
      "!frame \"\\x4\"",
      "!frame \"\\xg0\"",
      "!frame \"\\\"",
      "!raw",
      "!raw x",
      "!raw \"a\"b",
      "!pause",
      "!pause x",
      "!pause -1",
      "!pause 1 2",
      "!pause -0",
      "!pause +1",
      "!pause 1.5",
      "!pause 9999999999999999999",
      "!session",
      "!session 0",
      "!session 9",
      "!await",
      "!await 0",
      "!await x",
      "!arrival 1",
      "!release",
      "!release 2",
      "!cut 1",
      "!answer",
      "!answer *",
      "!answer * never",
      "!answer * {",
      "!answer \"a\"none",
      "!answer \"a",
      "!answer \x01 none",
      "!answer * {} {}",
      "!chunks",
      "!chunks 0",
      "!chunks 1 x",
      "!chunks 9999999999",
      "!fragments",
      "!fragments -1",
      "!eol",
      "!eol lfcr",
      "!length",
      "!length x",
      "!length ++1",
      "!length --1",
      "!length 1 2",
      "!length -",
      "!header",
      "!header : x",
      "!header A b",
      "!header \"\": x",
      "!header A: \"x",
      "!header A: \"x\" y",
      "!http-method",
      "!http-method A B",
      "!http-method \"PUT\"",
      "!opcode",
      "!opcode 16",
      "!opcode -1",
      "!opcode ping pong",
      "!unknown",
  };
  for (const char* line : table) EXPECT_EQ(read_script(line), of(Frame{line, {}})) << line;
}

TEST(Script, TakesTooManyLengthsForAFrame) {
  std::string line = "!chunks";
  for (int i = 0; i < 65; ++i) line += " 1";
  EXPECT_EQ(read_script(line), of(Frame{line, {}}));
}

// Bytes that are likely to mean something to the reader.
std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> words = {"\n!frame \"",
                                                 "\n!raw \"",
                                                 "\n!pause ",
                                                 "\n!sync",
                                                 "\n!close",
                                                 "\n!answer ",
                                                 "\n!answer * ",
                                                 "\n!chunks 2 ",
                                                 "\n!eol ",
                                                 "\n!length ",
                                                 "\n!header A",
                                                 "\n!http-method ",
                                                 "\n!opcode ",
                                                 "\n!fragments 0 ",
                                                 "\"",
                                                 "\"\n",
                                                 "\\",
                                                 "\\x",
                                                 "\n",
                                                 "\n",
                                                 "\r",
                                                 "\n#",
                                                 "#! profile: ",
                                                 "#! transport: ",
                                                 "a",
                                                 "1",
                                                 "0",
                                                 "-",
                                                 "+",
                                                 " ",
                                                 ":",
                                                 ": ",
                                                 "*",
                                                 "none\n",
                                                 "late\n",
                                                 "crlf\n",
                                                 "{}",
                                                 "{}\n",
                                                 "[1]",
                                                 "ping\n",
                                                 "\t",
                                                 "é",
                                                 "\xEF\xBB\xBF",
                                                 "\x7F",
                                                 "${1/a}"};
  std::string text;
  for (std::size_t count = random() % 30; count > 0; --count) {
    if (random() % 8 == 0) {
      text += static_cast<char>(random() % 256);
    } else {
      text += words[random() % words.size()];
    }
  }
  return text;
}

TEST(Script, ReadsAnyBytesAndBackWhatItWrites) {
  std::mt19937 random(1);
  std::size_t directives = 0;
  std::size_t modified = 0;
  for (int i = 0; i < 50'000; ++i) {
    const std::string text = random_text(random);
    const Script script = read_script(text);
    const std::string canonical = write_script(script);
    const Script again = read_script(canonical);
    ASSERT_EQ(again, script) << harness::printable(text) << "\n" << canonical;
    ASSERT_EQ(write_script(again), canonical);
    ASSERT_TRUE(harness::is_utf8(canonical));
    for (const Step& step : script.steps) {
      const Frame* frame = std::get_if<Frame>(&step);
      directives += frame == nullptr;
      modified += frame != nullptr && !frame->delivery.usual();
    }
  }
  // The texts do get past the first character.
  EXPECT_GT(directives, 10'000u);
  EXPECT_GT(modified, 10'000u);
}

TEST(Script, KeepsNoBlanksAroundAResult) {
  for (const char* text : {"!answer * 1\r \n", "!answer * \r\t1 \r\r\n", "!answer * 1\r"}) {
    EXPECT_EQ(write_script(read_script(text)), "!answer * 1\n") << text;
  }
}

TEST(Script, CarriesAnyBytesInAFrame) {
  std::mt19937 random(2);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes;
    for (std::size_t length = random() % 12; length > 0; --length)
      bytes += static_cast<char>(random() % 256);
    const Script script = {"", {}, {Frame{bytes, {}}, Raw{bytes}}};
    ASSERT_EQ(read_script(write_script(script)), script) << harness::printable(bytes);
  }
}

TEST(References, AreFoundWhereTheyNameAFrame) {
  const std::string bytes =
      R"({"cursor":"${2/result/nextCursor}","a":"${1}${0/x}${x}${3","b":"$"})";
  const std::vector<Reference> found = references(bytes);

  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].frame, 2u);
  EXPECT_EQ(found[0].pointer, "/result/nextCursor");
  EXPECT_EQ(bytes.substr(found[0].begin, found[0].end - found[0].begin), "${2/result/nextCursor}");
  EXPECT_EQ(found[1].frame, 1u);
  EXPECT_EQ(found[1].pointer, "");
}

TEST(References, DoNotOverlapAndEndSoon) {
  const std::vector<Reference> found = references("${1/${2/a}${3/b}");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].pointer, "/${2/a");
  EXPECT_EQ(found[1].begin, found[0].end);
  EXPECT_EQ(references("${1/" + std::string(255, 'a') + "}").size(), 1u);
  EXPECT_TRUE(references("${1/" + std::string(256, 'a') + "}").empty());

  std::string many;
  for (int i = 0; i < 250'000; ++i) many += "${1/";
  EXPECT_EQ(references(many + '}').size(), 1u);  // not in quadratic time
}

TEST(FillIn, PutsInWhatIsKnown) {
  const std::string first = R"({"result":{"next":"a\"b","n":[1.0]}})";
  const auto reply = [&](std::size_t frame) { return frame == 1 ? &first : nullptr; };
  const auto filled = [&](const char* bytes) { return fill_in(bytes, reply); };
  EXPECT_EQ(filled(R"("${1/result/next}")"), R"("a\"b")");
  EXPECT_EQ(filled("[${1/result/n/0},${1/result/n}]"), "[1.0,[1.0]]");
  EXPECT_EQ(filled("${2/result} ${1/none} ${1/result/n/0}"), "${2/result} ${1/none} 1.0");
  EXPECT_EQ(filled("none"), "none");
  const std::string large = '"' + std::string(kMostFilledIn, 'x') + '"';
  EXPECT_EQ(fill_in("${1}", [&](std::size_t) { return &large; }).size(), kMostFilledIn);
  EXPECT_EQ(fill_in("${1}${1}", [&](std::size_t) { return &large; }).size(), kMostFilledIn + 4);
}

}  // namespace
}  // namespace fuzz
