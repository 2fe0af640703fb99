// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/test_folders.h"
#include "harness/json/yaml.h"
#include "harness/spec/testing.h"

namespace harness::spec {
namespace {

using testing::HasSubstr;

constexpr const char* kEntry = R"(- clauses: [jsonrpc.id.zero-echo]
  cause: >
    Zero is
    false.
  typescript: |
    one;
    two;
  python: one
  go: one
  cpp: one;
)";

Result<AdviceByClause> advice_in(const std::string& text) {
  const auto root = json::read_yaml(text, "a.yaml");
  if (!root) return root.error();
  return read_advice(*root, "a.yaml", own_registry());
}

std::string complaint(std::string text, const std::string& instead_of, const std::string& put) {
  text.replace(text.find(instead_of), instead_of.size(), put);
  const auto advice = advice_in(text);
  return advice ? "" : advice.error().text();
}

TEST(Advice, HasACauseAndLinesForEachLanguage) {
  const auto all = advice_in(kEntry);
  ASSERT_TRUE(all) << all.error().text();
  const Advice& advice = all->at("jsonrpc.id.zero-echo");
  EXPECT_EQ(advice.cause, "Zero is false.");
  EXPECT_THAT(advice.lines[0], testing::ElementsAre("one;", "two;"));
  EXPECT_THAT(advice.lines[3], testing::ElementsAre("one;"));
}

TEST(Advice, MistakesHaveAPlace) {
  EXPECT_THAT(complaint(kEntry, "zero-echo", "zero-ecko"),
              HasSubstr("a.yaml:1:13: there is no requirement `jsonrpc.id.zero-ecko`"));
  EXPECT_THAT(complaint(kEntry, "zero-echo", "zero-echo, jsonrpc.id.zero-echo"),
              HasSubstr("has advice already"));
  EXPECT_THAT(complaint(kEntry, "  go: one\n", ""), HasSubstr("the entry has no `go`"));
  EXPECT_THAT(complaint(kEntry, "cause: >\n    Zero is\n    false.", "cause: ''"),
              HasSubstr("the entry has no cause"));
  EXPECT_THAT(complaint(kEntry, "two;", "2\n    3\n    4"), HasSubstr("one to three lines"));
  EXPECT_THAT(complaint(kEntry, "  go:", "  rust: a\n  go:"), HasSubstr("unknown key `rust`"));
}

TEST(Advice, OfThisTreeIsSound) {
  const std::string path = harness::source_dir() + "/cases/advice.yaml";
  const auto root = json::read_yaml_file(path);
  ASSERT_TRUE(root) << root.error().text();
  const auto all = read_advice(*root, path, own_registry());
  ASSERT_TRUE(all) << all.error().text();
  EXPECT_GE(all->size(), 40u);
  for (const auto& [clause, advice] : *all)
    for (const auto& lines : advice.lines)
      for (const std::string& line : lines) EXPECT_LE(line.size(), 100u) << clause << ": " << line;
}

}  // namespace
}  // namespace harness::spec
