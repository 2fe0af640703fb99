// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/official.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/json/yaml.h"
#include "harness/spec/testing.h"

namespace harness::spec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kFile = R"(suite: "s 1"
scenarios:
  first: [one, bare]
without_clause: {bare: nobody asks for it}
binds_no_server: {9: it is about clients}
clauses:
  jsonrpc.id.zero-echo: {sep: [25], checks: [one, row-only]}
  jsonrpc.error.code-integer: {sep: [25, 7], checks: [one]}
  jsonrpc.batch.empty-array: {sep: [257], checks: []}
)";

Result<Official> official_in(const std::string& text) {
  const auto root = json::read_yaml(text, "o.yaml");
  if (!root) return root.error();
  return read_official(*root, "o.yaml", own_registry());
}

std::string complaint(std::string text, const std::string& instead_of, const std::string& put) {
  text.replace(text.find(instead_of), instead_of.size(), put);
  const auto official = official_in(text);
  return official ? "" : official.error().text();
}

TEST(Official, FindsClausesByCheckAndBySep) {
  const auto official = official_in(kFile);
  ASSERT_TRUE(official) << official.error().text();
  EXPECT_THAT(official->clauses_of("one"),
              ElementsAre("jsonrpc.error.code-integer", "jsonrpc.id.zero-echo"));
  EXPECT_THAT(official->clauses_of("sep-25"),
              ElementsAre("jsonrpc.error.code-integer", "jsonrpc.id.zero-echo"));
  EXPECT_THAT(official->clauses_of("sep-7"), ElementsAre("jsonrpc.error.code-integer"));
  EXPECT_THAT(official->clauses_of("sep-2"), IsEmpty());
  EXPECT_THAT(official->clauses_of("sep-25x"), IsEmpty());
  EXPECT_THAT(official->clauses_of("bare"), IsEmpty());
  EXPECT_THAT(official->unscheduled(), ElementsAre("row-only"));
  EXPECT_EQ(official->about("sep-9"), "it is about clients");
  EXPECT_EQ(official->about("sep-7"), "");
}

TEST(Official, MistakesHaveAPlace) {
  EXPECT_THAT(complaint(kFile, "zero-echo", "zero-ecko"),
              HasSubstr("o.yaml:7:3: there is no requirement `jsonrpc.id.zero-ecko`"));
  EXPECT_THAT(complaint(kFile, "[one, bare]", "[one, other]"),
              HasSubstr("o.yaml:3:10: `other` has neither a clause"));
  EXPECT_THAT(complaint(kFile, "[25, 7]", "[25, x]"), HasSubstr("a SEP is a number"));
  EXPECT_THAT(complaint(kFile, "{bare: nobody", "{one: nobody"), HasSubstr("stands at a clause"));
  EXPECT_THAT(complaint(kFile, "{9: it", "{7: it"),
              HasSubstr("o.yaml:5:22: SEP 7 stands at a clause"));
  EXPECT_THAT(complaint(kFile, "scenarios:", "scenes:"), HasSubstr("it has `suite`"));
}

}  // namespace
}  // namespace harness::spec
