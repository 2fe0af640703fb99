// SPDX-License-Identifier: Apache-2.0
// Pairs: messages, and the replies without an id that may be theirs, paired off as cheaply as can
// be. Among pairings of equal cost, the one with the fewest overtaken messages is taken, then the
// order of the messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/spec/model.h"

namespace harness::trace {

// The cost of a pair that must be reported. A reply without a message costs most.
inline constexpr int kCostWrong = 1000;
inline constexpr int kCostTolerated = 100;
inline constexpr int kCostMisplaced = 1;
// A reply after two later requests were answered one after the other: costs more than no reply, and
// less than a reply without a message.
inline constexpr int kCostOver = kCostWrong + kCostTolerated;
inline constexpr int kCostUnpaired = 2000;
inline constexpr int kCostImpossible = 100000;

// How a reply fits a message: another message would fit it better, equally well, or none would.
enum class Claim { kLess, kEven, kSole };

class Pairs {
 public:
  struct Message {
    std::vector<int> replies;              // the cost of giving it each of them
    int silence = 0;                       // or none
    int array = 0;                         // number of its array; 0 is none
    const spec::ModelRule* why = nullptr;  // it must get a reply
    std::vector<bool> overtaken;           // later requests were answered before each of them
  };

  // `unpaired`: the cost of a reply without a message.
  Pairs(std::vector<Message> messages, std::size_t replies, int unpaired);

  // The reply that a message gets, never an impossible one: leaving both alone costs less.
  std::optional<std::size_t> reply_to(std::size_t message) const;
  // What must be reported about that.
  int cost(std::size_t message) const;

  struct Doubt {
    Claim claim = Claim::kEven;
    // Messages that may have had the reply as well: their silence means nothing.
    std::vector<std::size_t> passed_over;
  };
  // Whether a message may have been passed over, because another takes its reply.
  Doubt doubt(std::size_t message) const;
  // Whether a message without a reply may equally have the reply of a message of another kind,
  // which had none.
  bool may_have_one(std::size_t message) const;

 private:
  using Costs = std::vector<std::vector<std::int64_t>>;

  static std::int64_t sum(const Costs& costs, const std::vector<std::size_t>& columns);
  bool has_reply(std::size_t message) const { return columns_[message] < replies_; }

  std::vector<Message> messages_;
  std::size_t replies_;
  // Rows: messages, then replies without one. Columns: replies, then silences.
  Costs costs_;
  std::vector<std::size_t> columns_;  // of each row
};

}  // namespace harness::trace
