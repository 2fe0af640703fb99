// SPDX-License-Identifier: Apache-2.0
#include "fuzz/schedule/families.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fuzz/script/steps.h"
#include "harness/json/read.h"

namespace fuzz {
namespace {

Atom atom(const char* method, bool asks, bool active) {
  Atom out;
  out.request =
      harness::json::parse(R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + "\"}");
  out.asks = asks;
  out.active = active;
  out.milliseconds = 40;
  return out;
}

std::vector<Atom> atoms() {
  return {atom("ask", true, true), atom("work", false, true), atom("ping", false, false)};
}

Setting setting(bool sessions) {
  return {sessions, std::string(R"({"jsonrpc":"2.0","method":"notifications/cancelled",)") +
                        R"("params":{"requestId":)" + kCalled + "}}"};
}

std::set<std::string> names(const std::vector<Family>& some) {
  std::set<std::string> out;
  for (const Family& family : some) out.insert(family.name);
  return out;
}

TEST(Families, AreThoseTheServerHasAPlaceFor) {
  Random random(1);
  EXPECT_EQ(names(families(atoms(), setting(true), random)).size(), 10u);
  EXPECT_EQ(names(families(atoms(), setting(false), random)).size(), 6u);
  EXPECT_EQ(names(families({atom("ping", false, false)}, {}, random)),
            (std::set<std::string>{"two calls", "three calls"}));
  EXPECT_TRUE(families({}, setting(true), random).empty());
}

TEST(Plan, IsTheSameForASeed) {
  std::string said[2];
  for (std::string& text : said) {
    Random random(7);
    Plan plan(families(atoms(), setting(true), random), "p", 7);
    for (int i = 0; i < 500; ++i) text += write_script(plan.next().script) + "\n";
  }
  EXPECT_EQ(said[0], said[1]);
}

TEST(Plan, GivesEachCallAnIdOfItsOwn) {
  Random random(1);
  Plan plan(families(atoms(), setting(true), random), "p", 1);
  std::set<std::string> ids;
  for (int i = 0; i < 300; ++i) {
    for (const Step& step : plan.next().script.steps) {
      const auto* frame = std::get_if<Frame>(&step);
      if (!frame) continue;
      const harness::json::Value message = harness::json::parse(frame->bytes);
      const harness::json::Value* id = message.find("id");
      if (id) {
        EXPECT_TRUE(ids.insert(id->text).second) << frame->bytes;
      } else {
        EXPECT_TRUE(ids.contains(harness::json::at(message, "/params/requestId")->text));
      }
    }
  }
}

TEST(Plan, LetsEveryFamilyHaveItsTurn) {
  Random random(1);
  std::vector<Family> all = families(atoms(), setting(true), random);
  const std::size_t count = all.size();
  Plan plan(std::move(all), "p", 1);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < count; ++i) seen.insert(plan.next().family);
  EXPECT_EQ(seen.size(), count);
}

TEST(Plan, BeginsWithOnePreemptionAndGoesOnWithoutEnd) {
  Random random(1);
  std::vector<Family> one;
  for (Family& family : families(atoms(), setting(false), random))
    if (family.name == "two calls") one.push_back(std::move(family));
  const std::size_t scenarios = one.front().scenarios.size();
  Plan plan(std::move(one), "p", 1);
  for (std::size_t i = 0; i < scenarios; ++i) {
    const Script script = plan.next().script;
    const auto await =
        std::find(script.steps.begin(), script.steps.end(), Step(Timing{TimingKind::kAwait, 2}));
    EXPECT_NE(await, script.steps.end());
  }
  for (int i = 0; i < 2000; ++i) EXPECT_EQ(count_frames(plan.next().script), 2u);
}

}  // namespace
}  // namespace fuzz
