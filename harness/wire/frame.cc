// SPDX-License-Identifier: Apache-2.0
// Names and look-ups of frames; their written form is transcript.cc.
#include "harness/wire/frame.h"

#include <algorithm>

#include "harness/base/ascii.h"

namespace harness::wire {
namespace {

constexpr std::size_t kBeginning = 64 * 1024;

}  // namespace

Frame beginning_of(const Frame& frame) {
  Frame out;
  out.seq = frame.seq;
  out.time_us = frame.time_us;
  out.direction = frame.direction;
  out.channel = frame.channel;
  out.bytes = frame.bytes.substr(0, kBeginning);
  out.size = frame.size;
  out.unframed = frame.unframed;
  out.exchange = frame.exchange;
  out.head = frame.head;
  out.session = frame.session;
  return out;
}

const char* channel_name(Channel channel) {
  switch (channel) {
    case Channel::kStdin: return "stdin";
    case Channel::kStdout: return "stdout";
    case Channel::kStderr: return "stderr";
    case Channel::kHttp: return "http";
    case Channel::kSse: return "sse";
    case Channel::kSocket: return "socket";
    case Channel::kPing: return "ping";
    case Channel::kPong: return "pong";
    case Channel::kExit: return "exit";
    case Channel::kClose: return "close";
  }
  throw Bug("a frame of no channel");
}

const std::string* HttpHead::header(std::string_view name) const {
  const auto found = std::find_if(headers.begin(), headers.end(), [name](const Header& header) {
    return ascii::equal_ignoring_case(header.name, name);
  });
  return found == headers.end() ? nullptr : &found->value;
}

}  // namespace harness::wire
