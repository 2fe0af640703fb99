// SPDX-License-Identifier: Apache-2.0
#include "harness/trace/pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness::trace {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr spec::ModelRule kUnreadable{};
constexpr spec::ModelRule kUnnamed{};

Pairs::Message message(std::vector<int> replies, int silence, int array = 0,
                       const spec::ModelRule* why = nullptr) {
  return {std::move(replies), silence, array, why};
}

TEST(Pairs, KeepTheOrderOfMessagesThatCostTheSame) {
  const Pairs pairs({message({0, 0}, 0), message({0, 0}, 0), message({0, 0}, 0)}, 2, kCostUnpaired);
  EXPECT_EQ(pairs.reply_to(0), 0u);
  EXPECT_EQ(pairs.reply_to(1), 1u);
  EXPECT_EQ(pairs.reply_to(2), std::nullopt);
}

TEST(Pairs, GiveAReplyToWhatWasNotOvertakenWhereCostsAreAlike) {
  Pairs::Message first = message({0, 0}, 0), second = message({0, 0}, 0);
  const Pairs::Message third = message({kCostImpossible, 0}, 0);
  first.overtaken = second.overtaken = {true, true};
  second.overtaken[0] = false;
  const Pairs pairs({first, second, third}, 2, kCostUnpaired);
  EXPECT_EQ(pairs.reply_to(0), std::nullopt);
  EXPECT_EQ(pairs.reply_to(1), 0u);
  EXPECT_EQ(pairs.reply_to(2), 1u);
  first.silence = kCostTolerated;
  EXPECT_EQ(Pairs({first, second, third}, 2, kCostUnpaired).reply_to(0), 0u);
  const Pairs lone({first}, 1, 0);
  EXPECT_EQ(lone.reply_to(0), 0u);
}

TEST(Pairs, GiveAReplyToWhomItSuits) {
  const Pairs pairs({message({kCostWrong, 0}, 0), message({0, kCostWrong}, 0)}, 2, kCostUnpaired);
  EXPECT_EQ(pairs.reply_to(0), 1u);
  EXPECT_EQ(pairs.reply_to(1), 0u);
  EXPECT_EQ(pairs.cost(0), 0);
}

TEST(Pairs, LeaveWhatIsImpossibleAlone) {
  const Pairs pairs({message({kCostImpossible}, kCostWrong)}, 1, kCostUnpaired);
  EXPECT_EQ(pairs.reply_to(0), std::nullopt);
  EXPECT_EQ(pairs.cost(0), kCostWrong);
}

TEST(Pairs, DoNotDoubtWhatIsWrongForAll) {
  const Pairs pairs({message({kCostWrong}, 0), message({2 * kCostWrong}, 0)}, 1, kCostUnpaired);
  EXPECT_EQ(pairs.reply_to(0), 0u);
  const Pairs::Doubt doubt = pairs.doubt(0);
  EXPECT_EQ(doubt.claim, Claim::kSole);
  EXPECT_THAT(doubt.passed_over, IsEmpty());
}

TEST(Pairs, DoubtWhatMayBeAnothers) {
  const Pairs pairs({message({kCostWrong}, 0), message({kCostWrong}, 0)}, 1, kCostUnpaired);
  EXPECT_EQ(pairs.reply_to(0), 0u);
  const Pairs::Doubt doubt = pairs.doubt(0);
  EXPECT_EQ(doubt.claim, Claim::kEven);
  EXPECT_THAT(doubt.passed_over, ElementsAre(1u));
}

// Cheapest is a reply for the one whose silence would be worse; it suits the other.
TEST(Pairs, DoubtMostWhatSuitsAnother) {
  const Pairs pairs({message({kCostTolerated}, kCostWrong), message({0}, 0)}, 1, kCostUnpaired);
  EXPECT_EQ(pairs.reply_to(0), 0u);
  const Pairs::Doubt doubt = pairs.doubt(0);
  EXPECT_EQ(doubt.claim, Claim::kLess);
  EXPECT_THAT(doubt.passed_over, ElementsAre(1u));
}

TEST(Pairs, GiveWhatAnswersAnArrayToNoOtherOfItsElements) {
  const auto claim = [](int array_of_other) {
    const Pairs pairs({message({kCostWrong}, 0, 1), message({kCostWrong}, 0, array_of_other)}, 1,
                      kCostUnpaired);
    return pairs.doubt(0).claim;
  };
  EXPECT_EQ(claim(2), Claim::kEven);
  EXPECT_EQ(claim(1), Claim::kSole);
}

TEST(Pairs, TellWhetherSilenceMayBeThatOfAnother) {
  const auto may = [](const spec::ModelRule* why, int array) {
    const Pairs pairs(
        {message({0}, kCostWrong, 1, &kUnreadable), message({0}, kCostWrong, array, why)}, 1,
        kCostUnpaired);
    EXPECT_EQ(pairs.reply_to(1), std::nullopt);
    return pairs.may_have_one(1);
  };
  EXPECT_TRUE(may(&kUnnamed, 2));
  EXPECT_FALSE(may(&kUnreadable, 2)) << "whichever was silent, the same clause is broken";
  EXPECT_FALSE(may(&kUnnamed, 1)) << "of one array it is said once";
  const Pairs dear({message({0}, kCostWrong, 0, &kUnreadable),
                    message({kCostWrong}, kCostTolerated, 0, &kUnnamed)},
                   1, kCostUnpaired);
  EXPECT_FALSE(dear.may_have_one(1));
}

TEST(Pairs, SayNothingForSureOfMany) {
  std::vector<Pairs::Message> many(41, message({}, kCostWrong));
  EXPECT_TRUE(Pairs(many, 0, kCostUnpaired).may_have_one(0));
  many.resize(40);
  EXPECT_FALSE(Pairs(many, 0, kCostUnpaired).may_have_one(0));
}

}  // namespace
}  // namespace harness::trace
