// SPDX-License-Identifier: Apache-2.0
#include "harness/target/lists.h"

#include <gtest/gtest.h>

#include <set>

namespace harness::target {
namespace {

TEST(Lists, KeepEachListUnderTheNameAResultHasForIt) {
  Lists lists;
  std::set<json::Value*> places;
  for (const char* items : {"tools", "resources", "resourceTemplates", "prompts"})
    places.insert(lists.list(items));
  EXPECT_EQ(places, (std::set{&lists.tools, &lists.resources, &lists.templates, &lists.prompts}));
  EXPECT_EQ(lists.list("tasks"), nullptr);
  EXPECT_EQ(lists.list(""), nullptr);
}

}  // namespace
}  // namespace harness::target
