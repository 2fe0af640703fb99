// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/sample.h"

#include <gtest/gtest.h>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/spec/type_check.h"

namespace harness::spec {
namespace {

// What is made from a row fits the row: the least of it, and all of it.
TEST(Sample, FitsTheRowItIsMadeFrom) {
  std::size_t made = 0;
  for (const Profile& profile : profiles()) {
    for (const MessageRow* message : protocol().messages_of(profile)) {
      for (const Member* part : {&message->params, &message->result}) {
        const Row* row = part->under(profile);
        if (row == nullptr) continue;
        for (const SampleOptions options :
             {SampleOptions{false, 0}, SampleOptions{false, 1}, SampleOptions{true, 0}}) {
          const json::Value value = sample(row->is, profile, options);
          for (const TypeBreach& breach : check_member(profile, *part, &value, "")) {
            // What goes beyond the kind, such as one number that is not below another, is not made.
            if (breach.kind != TypeBreach::Kind::kAlso)
              ADD_FAILURE() << profile.name << " " << message->name << breach.place << ": "
                            << breach.expected << "\n"
                            << json::write(value);
          }
          ++made;
        }
      }
    }
  }
  EXPECT_GT(made, 300u);
}

TEST(Sample, HasOptionalMembersWhenAsked) {
  const Profile& profile = *find_profile("mcp-2025-11-25");
  const TypeRow& type = *protocol().find_type("PaginatedRequestParams");
  EXPECT_EQ(sample(type, profile).find("cursor"), nullptr);
  EXPECT_NE(sample(type, profile, {true, 0}).find("cursor"), nullptr);
}

TEST(IsDeclared, FollowsThePathAndTakesFalseForNo) {
  const json::Value declared = json::parse(
      R"({"tools":{"listChanged":true},"prompts":{"listChanged":false},"logging":false,
          "extensions":{"io.modelcontextprotocol/tasks":{}},"lists":["some"]})");
  const struct {
    const char* capability;
    bool has;
  } kRows[] = {
      {"", true},
      {"server.tools", true},
      {"server.tools.listChanged", true},
      {"server.prompts", true},
      {"server.prompts.listChanged", false},
      {"server.logging", false},
      {"server.resources", false},
      {"server.extensions.io.modelcontextprotocol/tasks", true},
      {"server.extensions.io.modelcontextprotocol/apps", false},
      {"server.lists.some", true},
      {"server.lists.other", false},
  };
  for (const auto& row : kRows)
    EXPECT_EQ(is_declared(row.capability, &declared), row.has) << row.capability;
  EXPECT_FALSE(is_declared("server.tools", nullptr));
}

}  // namespace
}  // namespace harness::spec
