// SPDX-License-Identifier: Apache-2.0
#include "fuzz/diff/both.h"

#include <gtest/gtest.h>

namespace fuzz {
namespace {

using harness::wire::TransportKind;
std::string played(std::string_view text, Carrier a, Carrier b) {
  const std::optional<Script> script = for_both(read_script(text), a, b);
  return script ? write_script(*script) : "not at all";
}

TEST(ForBoth, LeavesScriptsForOneCarrierAlone) {
  const std::string text =
      "!raw \"x\"\n!chunks 1\n{\"id\":1}\n{\"id\":2}\n!header A: b\n{\"id\":3}\n";
  EXPECT_EQ(played(text, Carrier::kLines, Carrier::kLines), text);
  EXPECT_EQ(played(text, Carrier::kWebSocket, Carrier::kWebSocket), text);
}

TEST(ForBoth, WaitsBetweenMessagesThatWouldOvertakeEachOther) {
  EXPECT_EQ(played("1\n2\n!sync\n3\n!close\n4\n", Carrier::kHttp, Carrier::kHttp),
            "1\n!sync\n2\n!sync\n3\n!close\n4\n");
  EXPECT_EQ(played("1\n2\n", Carrier::kLines, Carrier::kHttp), "1\n!sync\n2\n");
}

TEST(ForBoth, LeavesOutWhatOneOfThemHasNot) {
  const Carrier lines = Carrier::kLines, http = Carrier::kHttp, ws = Carrier::kWebSocket;
  EXPECT_EQ(played("!raw \"x\"\n", lines, http), "not at all");
  EXPECT_EQ(played("!header A: b\n!eol crlf\n!opcode binary\n{}\n", lines, http), "{}\n");
  EXPECT_EQ(played("!chunks 1\n{}\n", lines, Carrier::kLengths), "!chunks 1\n{}\n");
  EXPECT_EQ(played("!frame \"a\\nb\"\n{}\n", lines, http), "{}\n");
  EXPECT_EQ(played("!frame \"a\\nb\"\n", ws, http), "!frame \"a\\nb\"\n");
  EXPECT_EQ(played("!frame \"\\xff\"\n{}\n", ws, http), "{}\n");
  EXPECT_EQ(played("!frame \" \"\n{}\n", lines, http), "{}\n");
  EXPECT_EQ(played("!frame \"\\xef\\xbb\\xbf1\"\n{}\n", ws, http), "{}\n");
  EXPECT_EQ(played(std::string(100'000, '1') + "\n{}\n", lines, http), "{}\n");
}

TEST(ForBoth, LeavesScriptsForOneOfThemOut) {
  EXPECT_EQ(played("#! transport: http\n{}\n", Carrier::kLines, Carrier::kHttp), "not at all");
  EXPECT_NE(played("#! transport: http\n{}\n", Carrier::kHttp, Carrier::kHttp), "not at all");
}

TEST(ForBoth, KeepsReferencesRightOrTheScriptOut) {
  EXPECT_EQ(played("{}\n{\"a\":\"${1/b}\"}\n", Carrier::kLines, Carrier::kHttp),
            "{}\n!sync\n{\"a\":\"${1/b}\"}\n");
  EXPECT_EQ(played("!frame \"a\\nb\"\n{}\n{\"a\":\"${2/b}\"}\n", Carrier::kLines, Carrier::kHttp),
            "not at all");
}

TEST(CarrierOf, KnowsEveryTransport) {
  EXPECT_EQ(carrier_of(TransportKind::kStdio, true), Carrier::kLines);
  EXPECT_EQ(carrier_of(TransportKind::kTcp, true), Carrier::kLines);
  EXPECT_EQ(carrier_of(TransportKind::kStdioContentLength, false), Carrier::kLengths);
  EXPECT_EQ(carrier_of(TransportKind::kUnix, false), Carrier::kLengths);
  EXPECT_EQ(carrier_of(TransportKind::kHttp, true), Carrier::kHttp);
  EXPECT_EQ(carrier_of(TransportKind::kHttpSse, true), Carrier::kEventStream);
  EXPECT_EQ(carrier_of(TransportKind::kWebSocket, true), Carrier::kWebSocket);
}

}  // namespace
}  // namespace fuzz
