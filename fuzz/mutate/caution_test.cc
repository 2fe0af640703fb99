// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/caution.h"

#include <gtest/gtest.h>

#include "fuzz/mutate/mutate_testing.h"

namespace fuzz {
namespace {

// How often of 1000 times another is to be drawn.
int avoided(const Caution& caution, const Mutator& mutator) {
  Random random(1);
  int count = 0;
  for (int i = 0; i < 1000; ++i) count += caution.avoids(mutator, random);
  return count;
}

TEST(Caution, DrawsWhatEndsSessionsMoreSeldomAndNeverNotAtAll) {
  const Mutator& bad = mutators()[0];
  const Mutator& good = mutators()[1];
  const Mutator& new_one = mutators()[2];
  Caution caution;
  for (int i = 0; i < 100; ++i) {
    caution.learn({&bad}, true);
    caution.learn({&good}, false);
  }
  EXPECT_GT(avoided(caution, bad), 750);
  EXPECT_LT(avoided(caution, bad), 1000);
  EXPECT_EQ(avoided(caution, good), 0);
  EXPECT_EQ(avoided(caution, new_one), 0);
  for (int i = 0; i < 400; ++i) {
    caution.learn({&bad}, false);
  }
  EXPECT_LT(avoided(caution, bad), 100);
}

TEST(Caution, DrawsNothingThatEndsSessionsWhileItIsStrict) {
  const Mutator& bad = mutators()[0];
  const Mutator& good = mutators()[1];
  Caution caution;
  caution.is_strict = true;
  for (int i = 0; i < 40; ++i) {
    caution.learn({&bad}, i % 8 == 0);
    caution.learn({&good}, false);
  }
  EXPECT_EQ(avoided(caution, bad), 1000);
  EXPECT_EQ(avoided(caution, good), 0);
}

TEST(Caution, DrawsNoNumberAsLongAsNothingEnds) {
  Caution caution;
  caution.learn({&mutators()[0]}, false);
  Random asked(7);
  EXPECT_FALSE(caution.avoids(mutators()[0], asked));
  EXPECT_EQ(asked.next(), Random(7).next());
}

TEST(Caution, IsToldByMutateWhatItUsed) {
  Caution caution;
  Vocabulary vocabulary = testing::vocabulary();
  vocabulary.caution = &caution;
  Script script = read_script("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
  Random random(3);
  const Mutator* used = mutate(script, vocabulary, random);
  ASSERT_NE(used, nullptr);
  const std::vector<const Mutator*> taken = caution.taken();
  ASSERT_FALSE(taken.empty());
  EXPECT_EQ(taken.back(), used);  // others may have been used by it
  EXPECT_TRUE(caution.taken().empty());
  caution.learn(taken, true);
  EXPECT_GT(avoided(caution, *used), 0);
}

TEST(Caution, KnowsWhatEndsSessionsByMethodAndRule) {
  const harness::spec::Profile& profile = *harness::spec::find_profile("mcp-2025-06-18");
  const auto message = [](std::string text) { return Step(Frame{std::move(text), {}}); };
  const Step call =
      message(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}})");
  const Step list = message(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  Caution caution;
  EXPECT_TRUE(caution.ends_session(Close{}, profile));
  EXPECT_FALSE(caution.ends_session(message("{"), profile));
  caution.learn_end("[1}", profile);
  caution.learn_end(std::get<Frame>(call).bytes, profile);
  EXPECT_TRUE(caution.ends_session(message("{"), profile)) << "text that is not JSON";
  EXPECT_TRUE(caution.ends_session(call, profile));
  EXPECT_FALSE(caution.ends_session(list, profile));
  EXPECT_FALSE(caution.ends_session(message(R"({"id":1,"method":"tools/call"})"), profile))
      << "refused for its version";
  for (int i = 0; i < 20; ++i) caution.learn_survival({"", {}, {call, list}}, profile);
  EXPECT_FALSE(caution.ends_session(call, profile)) << "it did once in 21";
  EXPECT_TRUE(caution.ends_session(message("{"), profile));
}

}  // namespace
}  // namespace fuzz
