// SPDX-License-Identifier: Apache-2.0
// What a row may say, and that each mistake in one is told with its place.
#include "harness/reference/fault_row.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/json/write.h"
#include "harness/json/yaml.h"

namespace harness::reference {
namespace {

Result<std::vector<FaultRow>> read(const std::string& text) {
  const auto rows = json::read_yaml(text, "rows.yaml");
  return read_fault_rows({{"rows.yaml", *rows}});
}

std::string mistake(const std::string& text) {
  const auto rows = read(text);
  return rows ? "" : rows.error().text();
}

TEST(FaultRow, HoldsAHelpOrAnEdit) {
  const auto rows = read(
      "plain: What goes wrong\n"
      "both: {help: Two places, in: [card, catalog], set: {a/b: 7, c: [1.0]}, since: 2025-03-26}\n"
      "two: {help: x, in: card, remove: a, and: {in: keys of ping, keep: []}}\n"
      "a.clause: {shape: {in: error -32042, remove: data, only: tutorial}}\n");
  ASSERT_TRUE(rows) << rows.error().text();
  ASSERT_EQ(rows->size(), 4u);
  EXPECT_EQ((*rows)[0].help, "What goes wrong");
  EXPECT_TRUE((*rows)[0].edits.empty());
  const FaultRow& both = (*rows)[1];
  EXPECT_EQ(both.since + " " + both.until, "2025-03-26 2026-07-28");
  ASSERT_EQ(both.edits.size(), 4u);
  EXPECT_EQ(both.edits[1].of + " " + both.edits[1].path + json::write(both.edits[1].value),
            "card c[1.0]");
  EXPECT_EQ(both.edits[2].of + " " + both.edits[2].path, "catalog a/b");
  const FaultRow& two = (*rows)[2];
  ASSERT_EQ(two.edits.size(), 2u);
  EXPECT_EQ(two.edits[0].change, Change::kKeep);
  EXPECT_EQ(two.edits[0].of + ", " + two.edits[1].of, "keys of ping, card");
  const FaultRow& shape = (*rows)[3];
  EXPECT_EQ(shape.breaks, "a.clause");
  EXPECT_EQ(shape.edits[0].sent, Sent::kError);
  EXPECT_EQ(shape.help, "In errors -32042, data is missing (tutorial)");
}

TEST(FaultRow, SaysWhatItsEditDoes) {
  const auto help = [](const std::string& fields) {
    return read("a.b: {name: {in: result tools/list, " + fields + "}}")->front().help;
  };
  EXPECT_EQ(help("set: {tools/*/name: 7}"), "In results of tools/list, tools/*/name is 7");
  EXPECT_EQ(help("set: {\"\": []}, until: 2025-03-26"),
            "In results of tools/list, all is [] (until 2025-03-26)");
  EXPECT_EQ(help("append: {a: \"x\"}, since: 2025-03-26"),
            "In results of tools/list, a has one element more, \"x\" (since 2025-03-26)");
  EXPECT_EQ(help("insert: {a: x}, since: 2025-03-26, until: 2025-11-25"),
            "In results of tools/list, a has x in its middle (2025-03-26 to 2025-11-25)");
  EXPECT_EQ(help("wrap: a, only: 2025-03-26"),
            "In results of tools/list, a stands in an array (2025-03-26)");
}

TEST(FaultRow, IsRefusedWithThePlace) {
  EXPECT_EQ(mistake("a: {help: x, im: card}"),
            "rows.yaml:1:14: there is no field 'im'; did you mean 'in'?");
  EXPECT_EQ(mistake("a: b\nc: {help: x, in: cart, remove: a}"),
            "rows.yaml:2:18: there is no place 'cart'; did you mean 'card'?");
  EXPECT_EQ(mistake("a: {in: reslut tools/list, remove: a}"),
            "rows.yaml:1:9: there is no place 'reslut'; did you mean 'result'?");
  EXPECT_EQ(mistake("a: {help: x, in: card}"),
            "rows.yaml:1:1: \"in\" and a change go together; write \"in: card, remove: name\"");
  EXPECT_EQ(mistake("a: {in: card, remove: a, wrap: b}"),
            "rows.yaml:1:26: a second change; write \"and: {in: …}\" for it");
  EXPECT_EQ(mistake("a: x\nb.c: {a: y}"),
            "rows.yaml:2:7: 'a' has a row already; name it otherwise");
  EXPECT_EQ(mistake("a.b: {c: x}"),
            "rows.yaml:1:7: a Fault of a shape is an edit; add \"in\" and a change");
  EXPECT_EQ(mistake("a: {in: card, swap: [1]}"),
            "rows.yaml:1:15: 'swap' has two values; write \"swap: [this, by that]\"");
  EXPECT_EQ(mistake("a: {in: card, replace: {b: 1}}"),
            "rows.yaml:1:28: a text is required here; put it in quotes");
  EXPECT_EQ(mistake("a: 7"),
            "rows.yaml:1:4: a mapping is required here; write \"NAME: what goes wrong\"");
  EXPECT_EQ(mistake("a: {help: x, planted: {frame: 1}}"),
            "rows.yaml:1:24: there is no field 'frame'; did you mean 'frames'?");
  EXPECT_EQ(mistake("a: \"\""),
            "rows.yaml:1:1: nothing says what goes wrong; write one line of help");
}

}  // namespace
}  // namespace harness::reference
