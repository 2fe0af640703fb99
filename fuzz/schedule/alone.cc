// SPDX-License-Identifier: Apache-2.0
#include "fuzz/schedule/alone.h"

#include <algorithm>
#include <variant>

#include "harness/json/write.h"
#include "harness/wire/message.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace wire = harness::wire;

std::string outcome_of(const json::Value& reply) {
  for (const char* member : {"result", "error"})
    if (const json::Value* value = reply.find(member))
      return std::string(member) + " " + json::write(*value);
  return "";
}

}  // namespace

std::string request_key(const std::string& text) {
  wire::Message message = wire::read_message(text);
  if (message.kind != wire::MessageKind::kRequest || message.key.empty()) return "";
  json::Value request = std::move(message.value);
  request.set("id", json::number(0));
  return json::write(request);
}

void learn(Alone& alone, const Execution& execution) {
  const bool before = alone.times++ > 0;
  const auto sent = std::find_if(execution.sent.begin(), execution.sent.end(),
                                 [](const Execution::SentStep& one) { return one.step == 0; });
  if (sent == execution.sent.end() || execution.ending != Ending::kAnswered) {
    alone.answered = false;
    return;
  }
  const harness::trace::Slice& slice = execution.slices[sent->slice];
  const auto& frames = slice.transcript->frames;
  std::string key;
  std::int64_t asked = 0;
  bool more = false, asks = false;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const wire::Message& message = slice.messages[i];
    if (frames[i].seq == sent->seq) {
      key = message.key;
      asked = frames[i].time_us;
    }
    const bool came = frames[i].direction == wire::Direction::kReceived;
    if (key.empty() || !came || message.kind == wire::MessageKind::kMalformed) continue;
    if (!message.is_reply() || message.key != key) {
      more = true;
      asks |= message.kind == wire::MessageKind::kRequest;
      continue;
    }
    std::string outcome = outcome_of(message.value);
    alone.stable = before && alone.answered && outcome == alone.outcome;
    alone.answered |= !before;
    alone.outcome = std::move(outcome);
    alone.fails = message.kind == wire::MessageKind::kErrorResponse;
    alone.took = std::max(alone.took, std::chrono::microseconds(frames[i].time_us - asked));
    alone.active |= more;
    alone.asks |= asks;
    return;
  }
  alone.answered = alone.stable = false;
}

std::vector<CallHeard> calls_heard(const Script& script, const Execution& execution) {
  std::vector<CallHeard> out;
  for (const Execution::SentStep& sent : execution.sent) {
    const auto* frame = std::get_if<Frame>(&script.steps.at(sent.step));
    if (frame == nullptr) continue;
    const wire::Message asked = wire::read_message(frame->bytes);
    if (asked.kind != wire::MessageKind::kRequest || asked.key.empty()) continue;
    CallHeard call{sent.step, sent.slice, sent.seq, asked.key, {}, {}};
    const harness::trace::Slice& slice = execution.slices[sent.slice];
    const auto& frames = slice.transcript->frames;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const wire::Message& message = slice.messages[i];
      if (frames[i].direction != wire::Direction::kReceived || frames[i].seq < sent.seq) continue;
      if (!message.is_reply() || message.key != call.id) continue;
      call.outcomes.push_back(outcome_of(message.value));
      call.replies.push_back(frames[i].seq);
    }
    out.push_back(std::move(call));
  }
  return out;
}

}  // namespace fuzz
