// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "harness/oracle/played_testing.h"
#include "harness/oracle/semantic_tokens.h"
#include "harness/oracle/text_places.h"

namespace harness::oracle {
namespace {

std::string open(const std::string& text, int version = 1) {
  return notification("textDocument/didOpen",
                      R"({"textDocument":{"uri":"file:///a.c","languageId":"c","version":)" +
                          std::to_string(version) + R"(,"text":")" + text + R"("}})");
}

std::string change(const std::string& changes, int version) {
  return notification("textDocument/didChange",
                      R"({"textDocument":{"uri":"file:///a.c","version":)" +
                          std::to_string(version) + R"(},"contentChanges":[)" + changes + "]}");
}

std::string ask(int id, const std::string& method, const std::string& more = "") {
  return request(id, "textDocument/" + method,
                 R"({"textDocument":{"uri":"file:///a.c"})" + more + "}");
}

std::string range(const std::string& places) {  // "0:4-0:9"
  const auto digits = [&, at = std::size_t{0}]() mutable {
    const std::size_t end = places.find_first_of(":-", at);
    const std::string out = places.substr(at, end - at);
    at = end + 1;
    return out;
  };
  auto next = digits;
  std::string out = R"({"start":{"line":)" + next();
  out += R"(,"character":)" + next();
  out += R"(},"end":{"line":)" + next();
  return out + R"(,"character":)" + next() + "}}";
}

Played told(const std::string& capabilities = "{}") {
  Played played("lsp", "stdio+content-length");
  played.by_length()
      .server_declares(capabilities)
      .client_declares("{}")
      .sent(open("int twice(int a);\\nint b;\\n"));
  return played;
}

std::string edit(const std::string& places) {
  return R"({"newText":"","range":)" + range(places) + "}";
}
std::string ranged(const std::string& places) { return R"({"range":)" + range(places) + "}"; }

TEST(Places, AreHeldAgainstTheTextThatWasTold) {
  const struct {
    const char* method;
    std::string more;  // params
    std::string result;
    std::vector<std::string> found;
  } kRows[] = {
      {"hover", "", R"({"contents":"","range":)" + range("0:4-0:9") + "}", {}},
      {"hover",
       "",
       R"({"contents":"","range":)" + range("0:9-0:4") + "}",
       {"warn lsp.features.range-ordered"}},
      {"hover",
       "",
       R"({"contents":"","range":)" + range("0:4-7:0") + "}",
       {"warn lsp.features.range-in-document"}},
      // Behind the last line, and behind the end of a line: many servers write that.
      {"hover", "", R"({"contents":"","range":)" + range("0:0-3:0") + "}", {}},
      {"hover", "", R"({"contents":"","range":)" + range("0:0-0:99") + "}", {}},
      {"definition", "", R"({"uri":"file:///other.c","range":)" + range("900:0-900:1") + "}", {}},
      {"formatting", "", "[" + edit("0:0-0:0") + "," + edit("0:0-0:3") + "]", {}},
      {"formatting", "", "[" + edit("0:0-0:3") + "," + edit("0:3-2147483647:0") + "]", {}},
      {"formatting",
       "",
       "[" + edit("0:2-0:4") + "," + edit("0:0-0:3") + "]",
       {"fail lsp.features.edits-apart"}},
      {"formatting",
       "",
       "[" + edit("0:0-0:3") + "," + edit("0:0-0:0") + "]",
       {"fail lsp.features.edits-apart"}},
      {"formatting", "", "[" + edit("900:0-900:0") + "]", {"warn lsp.features.edits-in-document"}},
      {"rangeFormatting", R"(,"range":)" + range("0:0-0:1"), "[" + edit("0:0-0:3") + "]", {}},
      {"rangeFormatting",
       R"(,"range":)" + range("0:0-0:1"),
       "[" + edit("1:0-1:3") + "]",
       {"warn lsp.features.range-formatting-near"}},
      {"rename",
       "",
       R"({"documentChanges":[{"textDocument":{"uri":"file:///a.c","version":1},"edits":[]}]})",
       {"warn lsp.features.workspace-edit-gated"}},
      {"rename",
       "",
       R"({"documentChanges":[{"textDocument":{"uri":"file:///a.c","version":0},"edits":[]}]})",
       {"warn lsp.features.workspace-edit-gated", "warn lsp.features.edits-of-known-versions"}},
      {"selectionRange",
       R"(,"positions":[{"line":0,"character":5}])",
       R"([{"range":)" + range("0:4-0:9") + R"(,"parent":)" + ranged("0:0-9:0") + "}]",
       {"warn lsp.features.range-in-document"}},
      {"selectionRange",
       R"(,"positions":[{"line":0,"character":5}])",
       R"([{"range":)" + range("0:4-0:9") + R"(,"parent":)" + ranged("0:5-0:9") + "}]",
       {"fail lsp.features.selection-range-parents"}},
      {"selectionRange",
       R"(,"positions":[{"line":0,"character":5}])",
       "[" + ranged("0:0-0:1") + "]",
       {"fail lsp.features.selection-range-answers"}},
      {"selectionRange", R"(,"positions":[])", "[]", {}},
      {"linkedEditingRange",
       "",
       R"({"ranges":[)" + range("0:0-0:3") + "," + range("1:0-1:3") + "]}",
       {}},
      {"linkedEditingRange",
       "",
       R"({"ranges":[)" + range("0:0-0:3") + "," + range("0:4-0:9") + "]}",
       {"fail lsp.features.linked-ranges-alike"}},
      {"documentHighlight",
       R"(,"position":{"line":1,"character":4})",
       "[" + ranged("0:4-0:9") + "]",
       {"warn lsp.features.highlight-holds-position"}},
      {"documentHighlight", R"(,"position":{"line":1,"character":4})", "[]", {}},
      {"prepareRename", R"(,"position":{"line":0,"character":9})", range("0:4-0:9"), {}},
      {"prepareRename", R"(,"position":{"line":1,"character":9})", range("0:4-0:9"), {}},
      {"prepareRename",
       R"(,"position":{"line":1,"character":1})",
       range("0:4-0:9"),
       {"warn lsp.features.prepare-rename-holds-position"}},
      {"completion",
       R"(,"position":{"line":0,"character":6})",
       R"([{"label":"a","textEdit":)" + edit("0:4-0:9") + "}]",
       {}},
      {"completion",
       R"(,"position":{"line":0,"character":6})",
       R"([{"label":"a","textEdit":)" + edit("0:0-0:3") + "}]",
       {"fail lsp.features.completion-edit-place"}},
      {"codeAction", "", R"([{"title":"a"}])", {"fail lsp.features.code-action-does-something"}},
      {"codeAction",
       "",
       R"([{"title":"a","command":"b"},{"title":"a","disabled":{"reason":""}}])",
       {}},
      {"signatureHelp",
       "",
       R"x({"signatures":[{"label":"f(a)","parameters":[{"label":"a"}]}]})x",
       {}},
      {"signatureHelp",
       "",
       R"x({"signatures":[{"label":"f(a)","parameters":[{"label":[2,9]}]}]})x",
       {"warn lsp.features.signature-label-part", "warn lsp.features.signature-label-part"}},
  };
  for (const auto& row : kRows) {
    Played played = told();
    played.sent(ask(2, row.method, row.more)).received(result("2", row.result));
    std::vector<std::string> found;
    for (const std::string& one : breaches(played))
      if (one.find("lsp.features.") != std::string::npos) found.push_back(one);
    EXPECT_EQ(found, row.found) << row.method << " " << row.result;
  }
}

TEST(Places, AreNotJudgedWhereTheTextWasChangedMeanwhile) {
  Played played = told();
  played.sent(ask(2, "hover"))
      .sent(change(R"({"text":""})", 2))
      .received(result("2", R"({"contents":"","range":)" + range("7:0-7:1") + "}"));
  EXPECT_EQ(breaches(played, "places"), std::vector<std::string>());
}

TEST(Places, OfTokensAreThoseOfTheLegendAndTheText) {
  const std::string legend =
      R"({"semanticTokensProvider":{"legend":{"tokenTypes":["a","b"],"tokenModifiers":["m"]}}})";
  const struct {
    const char* data;
    std::vector<std::string> found;
  } kRows[] = {
      {"[0,0,3,0,0,0,4,5,1,1,1,0,3,0,0]", {}},
      {"[0,0,3,0]", {"fail lsp.features.tokens-fives"}},
      {"[0,0,3,2,0]", {"fail lsp.features.tokens-in-legend"}},
      {"[0,0,3,1,2]", {"fail lsp.features.tokens-in-legend"}},
      {"[0,0,0,0,0]", {"warn lsp.features.tokens-in-text"}},
      {"[0,0,99,0,0]", {"warn lsp.features.tokens-in-text"}},
      {"[9,0,3,0,0]", {"warn lsp.features.tokens-in-text"}},
      {"[0,0,6,0,0,0,4,5,0,0]", {"warn lsp.features.tokens-apart"}},
  };
  for (const auto& row : kRows) {
    Played played = told(legend);
    played.sent(ask(2, "semanticTokens/full"))
        .received(result("2", std::string(R"({"data":)") + row.data + "}"));
    EXPECT_EQ(breaches(played, "places"), row.found) << row.data;
  }
}

TEST(Places, OfDeltasAndRangesOfTokensAgreeWithAllTokens) {
  const std::string full = R"({"resultId":"1","data":[0,0,3,0,0]})";
  const std::string delta = ask(4, "semanticTokens/full/delta", R"(,"previousResultId":"1")");
  for (const bool right : {true, false}) {
    Played played = told();
    played.sent(ask(2, "semanticTokens/full"))
        .received(result("2", full))
        .sent(change(R"({"text":"int twice(int a);\nint c;"})", 2))
        .sent(delta)
        .received(result("4", right ? R"({"edits":[{"start":2,"deleteCount":1,"data":[4]}]})"
                                    : R"({"edits":[]})"))
        .sent(ask(5, "semanticTokens/full"))
        .received(result("5", R"({"data":[0,0,4,0,0]})"))
        .sent(ask(6, "semanticTokens/range", R"(,"range":)" + range("0:0-0:9")))
        .received(result("6", right ? R"({"data":[0,0,4,0,0]})" : R"({"data":[]})"));
    EXPECT_EQ(breaches(played, "places"),
              right ? std::vector<std::string>()
                    : (std::vector<std::string>{"fail lsp.features.tokens-delta-true",
                                                "fail lsp.features.tokens-range-complete"}));
  }
}

TEST(Places, OfDiagnosticsAreOfVersionsThatWereGiven) {
  const auto push = [](const std::string& version) {
    return notification("textDocument/publishDiagnostics",
                        R"({"uri":"file:///a.c","version":)" + version + R"(,"diagnostics":[]})");
  };
  Played sound = told();
  sound.received(push("1"))
      .sent(change(R"({"text":""})", 7))
      .received(push("1"))
      .received(push("7"));
  EXPECT_EQ(breaches(sound, "places"), std::vector<std::string>());
  Played back = told();
  back.sent(change(R"({"text":""})", 7)).received(push("7")).received(push("1"));
  EXPECT_EQ(breaches(back, "places"),
            std::vector<std::string>{"warn lsp.features.publish-version"});
  Played other = told();
  other.received(push("3"));
  EXPECT_EQ(breaches(other, "places"),
            std::vector<std::string>{"warn lsp.features.publish-version"});
}

TEST(PlacedText, CountsInItsUnit) {
  const std::string text = "a\xf0\x9f\x98\x80\xc3\xa9\r\nb\rc\n";
  const struct {
    Unit unit;
    std::int64_t length, behind;  // of the first line, and of what is before the last character
  } kRows[] = {{Unit::kUtf8, 7, 5}, {Unit::kUtf16, 4, 3}, {Unit::kUtf32, 3, 2}};
  for (const auto& row : kRows) {
    const PlacedText placed(text, row.unit);
    EXPECT_EQ(placed.lines(), 4);
    EXPECT_EQ(placed.length(0), row.length);
    EXPECT_EQ(placed.between({{0, row.behind}, {1, 1}}), "\xc3\xa9\r\nb");
    EXPECT_TRUE(placed.has_line({4, 0}));
    EXPECT_FALSE(placed.has_line({4, 1}));
  }
}

TEST(PlacedText, IsChangedAsClientsDo) {
  const PlacedText text("one\ntwo\n", Unit::kUtf16);
  const auto changed = [&](const std::string& places) {
    return text.changed(json::parse(R"({"text":"x","range":)" + range(places) + "}"))
        .value_or("nothing");
  };
  EXPECT_EQ(changed("0:1-0:2"), "oxe\ntwo\n");
  EXPECT_EQ(changed("0:99-1:0"), "onextwo\n");
  EXPECT_EQ(changed("9:0-9:9"), "one\ntwo\nx");
  EXPECT_EQ(changed("1:0-0:0"), "nothing");
  EXPECT_EQ(text.changed(json::parse(R"({"text":"x"})")), "x");
}

TEST(SemanticTokens, AreEditedByPlacesInTheOldOnes) {
  const TokenNumbers before = {1, 2, 3, 4, 5};
  const auto edited = [&](const char* edits) { return edited_tokens(before, json::parse(edits)); };
  EXPECT_EQ(edited(R"([{"start":4,"deleteCount":1},{"start":0,"deleteCount":2,"data":[9]}])"),
            (TokenNumbers{9, 3, 4}));
  EXPECT_EQ(edited(R"([{"start":4,"deleteCount":2}])"), std::nullopt);
  EXPECT_EQ(edited(R"([{"start":0,"deleteCount":2},{"start":1,"deleteCount":1}])"), std::nullopt);
}

}  // namespace
}  // namespace harness::oracle
