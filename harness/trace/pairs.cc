// SPDX-License-Identifier: Apache-2.0
#include "harness/trace/pairs.h"

#include <utility>

#include "harness/trace/assignment.h"

namespace harness::trace {
namespace {

constexpr std::size_t kMostWeighed = 40;  // messages and replies; of more, any may be another's

// More than the order of messages can come to; then more than all that decides where costs are
// alike.
constexpr std::int64_t kOvertaken = 1 << 14;
constexpr std::int64_t kOne = 1 << 24;

}  // namespace

Pairs::Pairs(std::vector<Message> messages, std::size_t replies, int unpaired)
    : messages_(std::move(messages)), replies_(replies) {
  const std::size_t size = messages_.size() + replies_;
  costs_.assign(size, std::vector<std::int64_t>(size, 0));
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      const bool reply = column < replies_;
      std::int64_t& cost = costs_[row][column];
      if (row < messages_.size()) {
        const Message& message = messages_[row];
        const auto apart = static_cast<std::int64_t>(row) - static_cast<std::int64_t>(column);
        cost = kOne * (reply ? message.replies[column] : message.silence);
        if (reply) cost += apart * apart;
        if (reply && column < message.overtaken.size() && message.overtaken[column])
          cost += kOvertaken;
      } else if (reply) {
        cost = kOne * unpaired + 2 * kOvertaken;
      }
    }
  }
  columns_ = cheapest_assignment(costs_);
}

std::int64_t Pairs::sum(const Costs& costs, const std::vector<std::size_t>& columns) {
  std::int64_t out = 0;
  for (std::size_t row = 0; row < columns.size(); ++row) out += costs[row][columns[row]] / kOne;
  return out;
}

std::optional<std::size_t> Pairs::reply_to(std::size_t message) const {
  return has_reply(message) ? std::optional(columns_[message]) : std::nullopt;
}

int Pairs::cost(std::size_t message) const {
  return static_cast<int>(costs_[message][columns_[message]] / kOne);
}

Pairs::Doubt Pairs::doubt(std::size_t message) const {
  if (columns_.size() > kMostWeighed) return {};
  Costs costs = costs_;
  // What answers an array or one of its elements does not answer another.
  const int array = messages_[message].array;
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    if (array == 0 || messages_[i].array != array || has_reply(i)) continue;
    for (std::size_t column = 0; column < replies_; ++column)
      costs[i][column] = kOne * kCostImpossible;
  }
  for (std::size_t column = 0; column < costs.size(); ++column) {
    const bool reply = column < replies_;
    costs[message][column] = reply ? kOne * kCostImpossible : 0;
    for (std::size_t i = messages_.size(); reply && i < costs.size(); ++i)
      costs[i][column] = kOne * kCostUnpaired;
  }
  const std::int64_t before = sum(costs_, columns_);
  const std::vector<std::size_t> otherwise = cheapest_assignment(costs);
  const std::int64_t after = sum(costs, otherwise);
  if (after > before) return {Claim::kSole, {}};
  Doubt doubt{after == before ? Claim::kEven : Claim::kLess, {}};
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    const bool suits = costs[i][columns_[message]] / kOne < cost(message);
    if (!has_reply(i) && (suits || otherwise[i] < replies_)) doubt.passed_over.push_back(i);
  }
  return doubt;
}

bool Pairs::may_have_one(std::size_t message) const {
  if (columns_.size() > kMostWeighed) return true;
  Costs costs = costs_;
  for (std::size_t column = replies_; column < costs.size(); ++column)
    costs[message][column] = kOne * kCostImpossible;
  const std::vector<std::size_t> otherwise = cheapest_assignment(costs);
  if (sum(costs, otherwise) > sum(costs_, columns_)) return false;
  const Message& own = messages_[message];
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    const bool one_array = own.array != 0 && own.array == messages_[i].array;
    const bool alike = one_array || own.why == messages_[i].why;
    if (has_reply(i) && otherwise[i] >= replies_ && alike) return false;
  }
  return true;
}

}  // namespace harness::trace
