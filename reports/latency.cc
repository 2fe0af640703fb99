// SPDX-License-Identifier: Apache-2.0
#include "reports/latency.h"

#include <algorithm>

#include "harness/wire/message.h"

namespace reports {

namespace wire = harness::wire;

namespace {

constexpr std::size_t kLongMessage = 64 << 10;  // is not read: how long it takes is its own matter
constexpr std::size_t kMostMethods = 200;
constexpr std::size_t kLongName = 80;
constexpr std::size_t kMostTimes = 41;

struct Asked {
  std::string method;
  std::int64_t time_us = 0;
};

void add(RoundTrips& trips, std::int64_t time_us) {
  ++trips.count;
  trips.times_us.push_back(time_us);
}

}  // namespace

void add_round_trips(Latencies& latencies, const wire::Transcript& transcript) {
  std::map<std::string, Asked> open;
  for (const wire::Frame& frame : transcript.frames) {
    if (!wire::carries_message(frame) || frame.bytes.size() > kLongMessage) continue;
    const wire::MessagePtr message = wire::read_shared(frame.bytes);
    if (frame.direction == wire::Direction::kSent) {
      if (message->kind != wire::MessageKind::kRequest) continue;
      const harness::json::Value* method = message->method();
      if (method == nullptr || !method->is_string() || method->text.size() > kLongName) continue;
      open[message->key] = {method->text, frame.time_us};
    } else if (message->is_reply()) {
      const auto asked = open.find(message->key);
      if (asked == open.end()) continue;
      const bool known = latencies.contains(asked->second.method);
      if (message->kind == wire::MessageKind::kResponse &&
          (known || latencies.size() < kMostMethods))
        add(latencies[asked->second.method], frame.time_us - asked->second.time_us);
      open.erase(asked);
    }
  }
}

std::vector<std::int64_t> thinned(std::vector<std::int64_t> times_us) {
  std::sort(times_us.begin(), times_us.end());
  if (times_us.size() <= kMostTimes) return times_us;
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < kMostTimes; ++i)
    out.push_back(times_us[i * (times_us.size() - 1) / (kMostTimes - 1)]);
  return out;
}

}  // namespace reports
