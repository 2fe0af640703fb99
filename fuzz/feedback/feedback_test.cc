// SPDX-License-Identifier: Apache-2.0
#include "fuzz/feedback/feedback.h"

#include <gmock/gmock.h>

#include <array>
#include <cstdint>
#include <vector>

namespace fuzz {
namespace {

using testing::ElementsAre;
using Bytes = std::vector<std::uint8_t>;

// What an engine has.
struct Engine {
  std::array<std::uint8_t, 8> features{};
  std::array<std::uint8_t, 32> places{};
  std::size_t looks_at = 0;  // of places

  Feedback feedback() {
    return Feedback(
        features,
        [this](std::size_t count) {
          looks_at = count;
          return std::span<std::uint8_t>(places);
        },
        places.size());
  }
};

TEST(Feedback, TellsTheEngineOfEachFeatureAndCountsTheNewOnes) {
  Engine engine;
  Feedback feedback = engine.feedback();
  EXPECT_EQ(feedback.tell({1, 3, 9}, {}).features, 2u);  // 9 is of the class of 1
  EXPECT_THAT(engine.features, ElementsAre(0, 1, 0, 1, 0, 0, 0, 0));
  engine.features = {};
  EXPECT_EQ(feedback.tell({3, 4}, {}).features, 1u);
  EXPECT_THAT(engine.features, ElementsAre(0, 0, 0, 1, 1, 0, 0, 0));  // what is old counts too
  EXPECT_FALSE(feedback.tell({1, 3, 4}, {}));
  EXPECT_EQ(engine.looks_at, 0u);  // nobody counts places
}

TEST(Feedback, TellsHowOftenPlacesWereReached) {
  Engine engine;
  Feedback feedback = engine.feedback();
  Bytes reached(24);
  EXPECT_FALSE(feedback.tell({}, reached));
  EXPECT_EQ(engine.looks_at, 0u);  // where none is reached it need not look
  reached[0] = 2, reached[9] = 1, reached[23] = 255;
  EXPECT_EQ(feedback.tell({}, reached).places, 3u);
  EXPECT_EQ(engine.looks_at, 24u);
  for (std::size_t i = 0; i < reached.size(); ++i) EXPECT_EQ(engine.places[i], reached[i]) << i;
  reached[10] = 1;
  EXPECT_EQ(feedback.tell({}, reached).places, 1u);
}

TEST(Feedback, LeavesOutPlacesThatTheEngineHasNoCounterFor) {
  Engine engine;
  Feedback feedback = engine.feedback();
  Bytes reached(64);
  reached[40] = 1;
  EXPECT_FALSE(feedback.tell({}, reached));
  reached[31] = 1;
  EXPECT_EQ(feedback.tell({}, reached).places, 1u);
}

TEST(Feedback, NotesWhatIsPipelinedOnceAndLeavesTheEngineAlone) {
  Engine engine;
  Feedback feedback = engine.feedback();
  EXPECT_TRUE(feedback.note({2}));
  EXPECT_FALSE(feedback.note({2}));
  EXPECT_TRUE(feedback.note({2, 5}));
  EXPECT_THAT(engine.features, testing::Each(0));
  EXPECT_TRUE(feedback.tell({2}, {}));  // it is new to the engine
  EXPECT_FALSE(feedback.note({2}));
  Bytes reached(16);
  reached[7] = 1;
  EXPECT_TRUE(feedback.note_places(reached));
  EXPECT_FALSE(feedback.note_places(reached));
  EXPECT_EQ(feedback.tell({}, reached).places, 1u);
}

TEST(Feedback, KnowsWhatTheEngineWasTold) {
  Engine engine;
  Feedback feedback = engine.feedback();
  feedback.note({1});
  EXPECT_FALSE(feedback.knows({1}));
  feedback.tell({1, 2}, {});
  EXPECT_TRUE(feedback.knows({1, 2}));
  EXPECT_FALSE(feedback.knows({1, 2, 3}));
  EXPECT_TRUE(feedback.knows({}));
}

}  // namespace
}  // namespace fuzz
