// SPDX-License-Identifier: Apache-2.0
// One change in one place; and the rows of shapes: each cites a clause there is, and changes
// something of what the sound server says in a conversation that asks for everything.
#include "harness/reference/edits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/base/test_folders.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/reference/conversation_testing.h"
#include "harness/reference/tour_testing.h"

namespace harness::reference {
namespace {

using json::Value;

FaultRow row(std::string_view path, Change change, std::string_view value = "null") {
  return {.name = "name",
          .edits = {{Sent::kResult, "tools/list", std::string(path), change, json::parse(value)}},
          .since = "2025-03-26",
          .until = "2025-11-25"};
}

std::string changed(const FaultRow& fault, std::string_view text,
                    std::string_view version = "2025-06-18") {
  Value body = json::parse(text);
  return apply(fault, {Sent::kResult, "tools/list", version, body}) ? json::write(body) : "";
}

TEST(Edit, ChangesTheFirstPlaceThatFits) {
  const struct {
    const char* path;
    Change change;
    const char* value;
    const char* before;
    const char* after;  // "" where nothing fits
  } kRows[] = {
      {"a", Change::kRemove, "null", R"({"a":1,"b":2})", R"({"b":2})"},
      {"a", Change::kRemove, "null", R"({"b":2})", ""},
      {"a", Change::kSet, "null", R"({"b":2})", R"({"b":2,"a":null})"},
      {"a/b", Change::kSet, "1", R"({"b":2})", ""},
      {"a/*/b", Change::kRemove, "null", R"({"a":[{"c":1},{"b":1},{"b":1}]})",
       R"({"a":[{"c":1},{},{"b":1}]})"},
      {"a/*", Change::kSet, "7", R"({"a":{"x":1,"y":1}})", R"({"a":{"x":7,"y":1}})"},
      {"a/*", Change::kSet, "7", R"({"a":[]})", ""},
      {"a/*{type=text}/data", Change::kSet, "7", R"({"a":[{"type":"image"},{"type":"text"}]})",
       R"({"a":[{"type":"image"},{"type":"text","data":7}]})"},
      {"a{type=x/y}/b", Change::kRemove, "null", R"({"a":{"type":"x/y","b":1}})",
       R"({"a":{"type":"x/y"}})"},
      {"a{type=text}", Change::kSet, "1", R"({})", ""},
      {"{type=text}/b", Change::kSet, "1", R"({"type":"text"})", R"({"type":"text","b":1})"},
      {"{type=text}/b", Change::kSet, "1", R"({"type":"image"})", ""},
      {"m/a~1b", Change::kRemove, "null", R"({"m":{"a/b":1}})", R"({"m":{}})"},
      {"a", Change::kAppend, "3", R"({"a":[1]})", R"({"a":[1,3]})"},
      {"a", Change::kAppend, "3", R"({"a":1})", ""},
      {"a", Change::kInsert, R"("*")", R"({"a":"abcd"})", R"({"a":"ab*cd"})"},
      {"a", Change::kInsert, R"("*")", R"({"a":4})", ""},
      {"a", Change::kWrap, "null", R"({"a":{}})", R"({"a":[{}]})"},
      {"", Change::kSet, "[]", R"({"a":1})", "[]"},
      {"a/1", Change::kSet, "7", R"({"a":[1,2]})", R"({"a":[1,7]})"},
      {"a/2", Change::kSet, "7", R"({"a":[1,2]})", ""},
      {"a/0/b", Change::kRemove, "null", R"({"a":[{"b":1},{"b":1}]})", R"({"a":[{},{"b":1}]})"},
      {"a", Change::kAppend, R"("c")", R"({"a":"ab"})", R"({"a":"abc"})"},
      {"a", Change::kReplace, R"({"x":"yy","z":""})", R"({"a":"xzx"})", R"({"a":"yyyy"})"},
      {"a", Change::kReplace, R"({"x":"y"})", R"({"a":1})", ""},
      {"a", Change::kSwap, R"(["1",1])", R"({"a":"1"})", R"({"a":1})"},
      {"a", Change::kSwap, R"(["1",1])", R"({"a":1})", ""},
      {"a", Change::kKeep, R"(["x"])", R"({"a":{"x":1,"y":2}})", R"({"a":{"x":1}})"},
  };
  for (const auto& one : kRows) {
    SCOPED_TRACE(one.path);
    EXPECT_EQ(changed(row(one.path, one.change, one.value), one.before), one.after);
  }
}

TEST(Edit, ActsInItsRevisionsOnItsMessages) {
  const FaultRow fault = row("a", Change::kRemove);
  const char* text = R"({"a":1})";
  EXPECT_EQ(changed(fault, text, "2024-11-05"), "");
  EXPECT_EQ(changed(fault, text, "2025-03-26"), "{}");
  EXPECT_EQ(changed(fault, text, "2025-11-25"), "{}");
  EXPECT_EQ(changed(fault, text, "2026-07-28"), "");
  EXPECT_EQ(changed(fault, text, "tutorial"), "");
  Value body = json::parse(text);
  EXPECT_FALSE(apply(fault, {Sent::kResult, "tools/call", "2025-06-18", body}));
  EXPECT_FALSE(apply(fault, {Sent::kNotification, "tools/list", "2025-06-18", body}));
}

TEST(Edit, ReachesRequestsInsideOfResults) {
  FaultRow fault = row("message", Change::kRemove);
  fault.edits[0].sent = Sent::kRequest;
  fault.edits[0].of = "elicitation/create";
  EXPECT_EQ(
      changed(fault, R"({"inputRequests":{"r":{"method":"roots/list","params":{"message":1}},)"
                     R"("e":{"method":"elicitation/create","params":{"message":1}}}})"),
      R"({"inputRequests":{"r":{"method":"roots/list","params":{"message":1}},)"
      R"("e":{"method":"elicitation/create","params":{}}}})");
  EXPECT_EQ(changed(fault, R"({"tools":[]})"), "");
}

// --- the rows

TEST(ShapeFaults, EachRowChangesSomethingTheSoundServerSays) {
  std::vector<Said> said;
  for (const char* version : kEditions) Tour(version, said).walk();
  for (const FaultRow* fault : shape_faults()) {
    const bool acts = std::any_of(said.begin(), said.end(), [&](const Said& one) {
      Value body = one.body;
      return apply(*fault, {one.sent, one.of, one.version, body}) && !json::equal(body, one.body);
    });
    EXPECT_TRUE(acts) << fault->name << ": " << fault->help;
  }
}

TEST(ShapeFaults, CitesClausesOfTheCatalogue) {
  std::stringstream catalogue;
  for (const auto& file :
       std::filesystem::directory_iterator(harness::source_dir() + "/cases/requirements"))
    catalogue << std::ifstream(file.path()).rdbuf();
  const std::string text = catalogue.str();
  for (const FaultRow* fault : shape_faults()) {
    const std::size_t entry = text.find("\n- id: " + fault->breaks + "\n");
    ASSERT_NE(entry, std::string::npos) << fault->name << " " << fault->breaks;
    const std::size_t revisions = text.find("revisions: [", entry);
    const std::string listed = text.substr(revisions, text.find(']', revisions) - revisions);
    // A language server is one of every version.
    const bool lsp = fault->name.starts_with("lsp-");
    for (const std::string& edition : {fault->since, fault->until})
      EXPECT_NE(listed.find(lsp ? "lsp-" : edition), std::string::npos) << fault->name;
  }
}

}  // namespace
}  // namespace harness::reference
