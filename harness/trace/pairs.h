// SPDX-License-Identifier: Apache-2.0
// Pairs: messages, and the replies without an id that may be theirs, paired off as cheaply as can
// be. What costs the same is paired so that as few as possible are overtaken, and then in the order
// of the messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/spec/model.h"

namespace harness::trace {

// What a pair costs that has to be told. It is dearest to leave a reply without a message.
inline constexpr int kCostWrong = 1000;
inline constexpr int kCostTolerated = 100;
inline constexpr int kCostMisplaced = 1;
// A reply behind two requests that were asked later, and answered one after the other: dearer than
// that there was none, cheaper than that it belongs to no message.
inline constexpr int kCostOver = kCostWrong + kCostTolerated;
inline constexpr int kCostUnpaired = 2000;
inline constexpr int kCostImpossible = 100000;

// What a message has to a reply: some other message would suit it better, as well, or none would.
enum class Claim { kLess, kEven, kSole };

class Pairs {
 public:
  struct Message {
    std::vector<int> replies;              // what it costs to give it each of them
    int silence = 0;                       // or none
    int array = 0;                         // number of the array it is of; 0 is none
    const spec::ModelRule* why = nullptr;  // it may not be silent
    std::vector<bool> overtaken;           // what was asked later was answered before each of them
  };

  // `unpaired`: what it costs to leave a reply without a message.
  Pairs(std::vector<Message> messages, std::size_t replies, int unpaired);

  // The reply a message is given, never one that is impossible: it is cheaper to leave both alone.
  std::optional<std::size_t> reply_to(std::size_t message) const;
  // What there is to tell of that.
  int cost(std::size_t message) const;

  struct Doubt {
    Claim claim = Claim::kEven;
    // Messages that may have had the reply as well: their silence says nothing.
    std::vector<std::size_t> passed_over;
  };
  // Whether a message may have been passed over, because another takes its reply.
  Doubt doubt(std::size_t message) const;
  // Whether one that has no reply may as well have that of a message of another kind, which had
  // none.
  bool may_have_one(std::size_t message) const;

 private:
  using Costs = std::vector<std::vector<std::int64_t>>;

  static std::int64_t sum(const Costs& costs, const std::vector<std::size_t>& columns);
  bool has_reply(std::size_t message) const { return columns_[message] < replies_; }

  std::vector<Message> messages_;
  std::size_t replies_;
  // Rows: messages, then replies that stay without one. Columns: replies, then silences.
  Costs costs_;
  std::vector<std::size_t> columns_;  // of each row
};

}  // namespace harness::trace
