// SPDX-License-Identifier: Apache-2.0
// Replies without an id: those of a window are given to the messages that may be refused so.
#include <algorithm>

#include "harness/trace/pairing.h"
#include "harness/trace/traffic.h"

namespace harness::trace {
namespace {

using spec::Grade;

// Messages in a window; in a larger one nobody can tell what answers what.
constexpr std::size_t kMostWindows = 100;
constexpr std::size_t kMostLate = 30;

int cost_of(Grade grade) {
  return grade == Grade::kWrong ? kCostWrong : grade == Grade::kTolerated ? kCostTolerated : 0;
}

}  // namespace

int Pairing::cost_of_pair(const Asked& ask, const Item& reply) const {
  if (reply.seq < ask.item->seq) return kCostImpossible;
  // In an array it answers an element before an array, alone the other way round.
  const bool in_array = reply.array != 0;
  const bool element = ask.group != 0 && !ask.whole;
  const int cost = ask.muted ? 0 : cost_of(grade_of(ask, reply));
  if (in_array == element) return cost;
  const auto array = arrays_.find(ask.group);
  // What the array that came lacks is missing: what comes beside it answers something else.
  if (element && array != arrays_.end() && array->second.answered) return kCostImpossible;
  const bool outside = element && array != arrays_.end() && is_told_outside(array->second);
  return cost + (outside ? kCostTolerated : kCostMisplaced);
}

int Pairing::cost_of_silence(const Asked& ask) const {
  if (ask.answered || !is_passed_over(*ask.item)) return 0;
  return cost_of(grade_of_silence(ask));
}

// Pairs the replies of the window.
void Pairing::settle() {
  std::vector<std::size_t> open = unanswered(late_);
  for (const std::size_t i : unanswered(unnamed_)) open.push_back(i);
  const std::size_t size = open.size() + replies_.size();
  const bool one_each = open.size() == 1 && replies_.size() == 1;
  if (size > kMostWindows || unclear_)
    for (const std::size_t i : open) mute(asks_[i]);
  const bool known = size <= kMostWindows && (!unclear_ || one_each);
  if (known && !replies_.empty() && !open.empty() && !suits_in_order(open)) pair_off(open);
  late_ = unanswered(open);
  std::erase_if(late_, [&](std::size_t i) {
    const Asked& ask = asks_[i];
    const auto array = arrays_.find(ask.group);
    const bool prompt = array != arrays_.end() ? array->second.prompt : ask.expected.prompt();
    return ask.muted || ask.expected.open() || prompt;
  });
  if (late_.size() > kMostLate) late_.erase(late_.begin(), late_.end() - kMostLate);
  if (trace_.http()) late_.clear();
  unnamed_.clear();
  replies_.clear();
  unclear_ = false;
}

void Pairing::pair_off(const std::vector<std::size_t>& open) {
  std::vector<Pairs::Message> messages;
  for (const std::size_t i : open) {
    const Asked& ask = asks_[i];
    Pairs::Message message{
        {}, cost_of_silence(ask), ask.group, ask.expected.reason(spec::Outcome::kSilence)};
    const Overtaken over = trace_.http() ? Overtaken() : overtaken(*ask.item);
    for (const Item* reply : replies_) {
      const int late = reply->seq > over.twice ? kCostOver : 0;
      message.replies.push_back(cost_of_pair(ask, *reply) + late);
      message.overtaken.push_back(reply->seq > over.once);
    }
    messages.push_back(std::move(message));
  }
  const Pairs pairs(std::move(messages), replies_.size(),
                    may_be_earlier(trace_) ? 0 : kCostUnpaired);
  std::vector<std::size_t> given(replies_.size(), open.size());
  for (std::size_t row = 0; row < open.size(); ++row)
    if (const std::optional<std::size_t> reply = pairs.reply_to(row)) given[*reply] = row;
  const std::vector<std::vector<std::size_t>> shifts = shifted(open, given);
  for (std::size_t row = 0; row < open.size(); ++row) {
    const std::optional<std::size_t> reply = pairs.reply_to(row);
    if (!reply) continue;
    Pairs::Doubt doubt{Claim::kSole, {}};
    if (pairs.cost(row) >= kCostTolerated) doubt = pairs.doubt(row);
    std::vector<std::size_t> others = shifts[*reply];
    for (const std::size_t other : doubt.passed_over) {
      mute(asks_[open[other]]);
      others.push_back(open[other]);
    }
    note_candidates(*replies_[*reply], open[row], others);
    match(asks_[open[row]], *replies_[*reply], doubt.claim);
  }
  for (std::size_t row = 0; row < open.size(); ++row) {
    const bool told = !pairs.reply_to(row) && pairs.cost(row) > 0;
    if (told) asks_[open[row]].doubtful = pairs.may_have_one(row);
  }
}

// Most replies are sound and come in the order of what they answer, before anything that was asked
// later is answered: no other pairing is cheaper than one that costs nothing. They are given where
// that is so.
bool Pairing::suits_in_order(const std::vector<std::size_t>& open) {
  std::vector<std::size_t> given, left;
  for (std::size_t row = 0; row < open.size(); ++row) {
    const Asked& ask = asks_[open[row]];
    const Item* next = given.size() < replies_.size() ? replies_[given.size()] : nullptr;
    const bool suits = next != nullptr && cost_of_pair(ask, *next) == 0;
    if (suits && (trace_.http() || next->seq <= overtaken(*ask.item).once)) {
      given.push_back(row);
    } else if (cost_of_silence(ask) != 0) {
      return false;
    } else {
      left.push_back(open[row]);
    }
  }
  if (given.size() < replies_.size()) return false;
  const std::vector<std::vector<std::size_t>> shifts = shifted(open, given);
  for (std::size_t reply = 0; reply < given.size(); ++reply) {
    std::vector<std::size_t> others = left;
    others.insert(others.end(), shifts[reply].begin(), shifts[reply].end());
    note_candidates(*replies_[reply], open[given[reply]], others);
    match(asks_[open[given[reply]]], *replies_[reply]);
  }
  return true;
}

// Of each reply the other messages it may answer if all are given in order, though some of them
// later or earlier than in `given` (rows of `open`): one that was never answered shifts what comes
// for those behind it, as far as nothing shows that it is over.
std::vector<std::vector<std::size_t>> Pairing::shifted(
    const std::vector<std::size_t>& open, const std::vector<std::size_t>& given) const {
  const std::size_t rows = open.size(), count = given.size();
  std::vector<std::vector<std::size_t>> out(count);
  if (rows == count || trace_.http()) return out;
  std::vector<std::uint64_t> over_at;
  for (const std::size_t i : open) over_at.push_back(overtaken(*asks_[i].item).twice);
  const auto may = [&](std::size_t row, std::size_t reply) {
    return replies_[reply]->seq <= over_at[row] &&
           cost_of_pair(asks_[open[row]], *replies_[reply]) < kCostTolerated;
  };
  std::vector<std::size_t> earliest, latest(count);
  for (std::size_t reply = 0, row = 0; reply < count; ++reply, ++row) {
    while (row < rows && !may(row, reply)) ++row;
    if (row >= rows) return out;
    earliest.push_back(row);
  }
  for (std::size_t reply = count, row = rows; reply-- > 0;) {
    while (row > 0 && !may(row - 1, reply)) --row;
    if (row == 0) return out;
    latest[reply] = --row;
  }
  for (std::size_t reply = 0; reply < count; ++reply)
    for (std::size_t row = earliest[reply]; row <= latest[reply]; ++row)
      if (row != given[reply] && may(row, reply)) out[reply].push_back(open[row]);
  return out;
}

// Others that were asked by then and are left without a reply may have had this one; not those
// whose time was over.
void Pairing::note_candidates(const Item& reply, std::size_t own,
                              const std::vector<std::size_t>& others) {
  std::vector<const Item*>& candidates = answer(reply).candidates;
  for (const std::size_t other : others) {
    const Item* item = asks_[other].item;
    if (item->seq >= reply.seq || item == asks_[own].item) continue;
    if (!trace_.http() && reply.seq > overtaken(*item).twice) continue;
    if (candidates.empty()) candidates.push_back(asks_[own].item);
    if (std::find(candidates.begin(), candidates.end(), item) == candidates.end())
      candidates.push_back(item);
  }
}

std::vector<std::size_t> Pairing::unanswered(const std::vector<std::size_t>& some) const {
  std::vector<std::size_t> out;
  for (const std::size_t i : some)
    if (!asks_[i].answered || asks_[i].shared) out.push_back(i);
  return out;
}

std::vector<std::size_t> Pairing::waiting_unnamed() const {
  std::vector<std::size_t> out = late_;
  out.insert(out.end(), unnamed_.begin(), unnamed_.end());
  return out;
}

}  // namespace harness::trace
