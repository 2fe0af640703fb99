// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/breaches.h"

#include <gtest/gtest.h>

#include "harness/spec/testing.h"

namespace harness::spec {
namespace {

std::string clause_of(const std::string& key) {
  constexpr std::string_view kServed = ", served";
  return key.substr(0, key.size() - (key.ends_with(kServed) ? kServed.size() : 0));
}

TEST(Breaches, AreOfClausesThatThereAre) {
  EXPECT_GT(breaches().size(), 400u);
  for (const auto& [clause, text] : breaches())
    EXPECT_NE(own_registry().find(clause_of(clause)), nullptr) << clause;
}

TEST(Breaches, AreHeadlines) {
  for (const auto& [clause, text] : breaches()) {
    EXPECT_FALSE(text.empty() || text.ends_with('.') || text.size() > 100)
        << clause << ": " << text;
    const Requirement* entry = own_registry().find(clause_of(clause));
    ASSERT_NE(entry, nullptr) << clause;
    EXPECT_NE(text + ".", entry->statement) << "that is what should be: " << clause;
  }
}

TEST(Breaches, AreFoundByTheirClause) {
  EXPECT_EQ(breach_of("mcp.base.notification-no-response"), "Notifications are answered");
  EXPECT_EQ(breach_of("mcp.base"), "");
}

}  // namespace
}  // namespace harness::spec
