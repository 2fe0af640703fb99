// SPDX-License-Identifier: Apache-2.0
#include "harness/wire/exchange.h"

#include "harness/base/ascii.h"

namespace harness::wire {
namespace {

constexpr std::size_t kKept = 4096;  // bytes of a body

}  // namespace

void take_in(Exchange& exchange, const Frame& frame, bool own_replies) {
  if (frame.channel == Channel::kHttp && frame.head) {
    if (frame.head->status == 0) return;  // behind the end of the answer
    exchange.status = frame.head->status;
    exchange.headers = frame.head->headers;
    exchange.body = frame.bytes.substr(0, kKept);
    const std::string* type = frame.head->header("Content-Type");
    exchange.streams =
        type && ascii::equal_ignoring_case(type->substr(0, type->find(';')), "text/event-stream");
  } else if (frame.channel == Channel::kSse && !own_replies && !exchange.ended) {
    // A second stream beside the own one is known by its first event and never ends.
    const std::string* name = frame.head ? frame.head->header("event") : nullptr;
    exchange.headers.push_back({"event", name ? *name : "message"});
    exchange.body = frame.bytes.substr(0, kKept);
    exchange.ended = true;
  } else if (frame.channel == Channel::kClose) {
    exchange.ended = true;
    if (frame.bytes != "end") exchange.failure = frame.bytes;
  }
}

}  // namespace harness::wire
