// SPDX-License-Identifier: Apache-2.0
// transport/websocket_frame.
//
//   1. The same events however the bytes were cut, within bounds, and nothing after the last one.
//   2. A frame made by us is read as it was meant, masked or not, in one or in fragments.
#include <algorithm>
#include <memory>

#include "fuzz/targets/property.h"
#include "harness/transport/websocket_frame.h"

using namespace harness;
using fuzz::hold;
using transport::WebsocketEvent;
using Kind = WebsocketEvent::Kind;

namespace {

struct Read {
  std::vector<WebsocketEvent> events;
  bool in_the_middle = false;
};

Read read(std::size_t max_message, const std::vector<std::string_view>& chunks) {
  Read out;
  transport::WebsocketReader reader(max_message);
  for (const std::string_view chunk : chunks) {
    const auto own = std::make_unique<char[]>(chunk.size());
    chunk.copy(own.get(), chunk.size());
    reader.give({own.get(), chunk.size()});
    while (auto event = reader.next()) out.events.push_back(std::move(*event));
  }
  out.in_the_middle = reader.in_the_middle();
  return out;
}

bool same(const WebsocketEvent& a, const WebsocketEvent& b) {
  return a.kind == b.kind && a.bytes == b.bytes && a.size == b.size && a.binary == b.binary &&
         a.masked == b.masked && a.code == b.code;
}

void check_reading(std::string_view bytes, std::string_view seed) {
  for (const std::size_t most : {std::size_t{1} << 20, std::size_t{16}, std::size_t{1}}) {
    const Read whole = read(most, {bytes});
    const Read chunked = read(most, fuzz::cut(bytes, seed));
    hold(whole.in_the_middle == chunked.in_the_middle, "chunks do not change where it stands");
    hold(whole.events.size() == chunked.events.size(), "chunks do not change how many there are");
    for (std::size_t i = 0; i < whole.events.size(); ++i) {
      const WebsocketEvent& event = whole.events[i];
      hold(same(event, chunked.events[i]), "chunks do not change an event", event.bytes);
      const bool last = event.kind == Kind::kClose || event.kind == Kind::kBroken;
      hold(!last || i + 1 == whole.events.size(), "nothing comes after the end");
      if (event.kind == Kind::kMessage) {
        hold(event.bytes.size() == std::min<std::uint64_t>(event.size, most), "cut at the limit");
      } else if (event.kind != Kind::kBroken) {
        hold(event.bytes.size() <= 125, "a control frame is short");
      }
    }
  }
}

void check_writing(std::string_view payload, std::string_view seed) {
  const std::size_t half = payload.size() / 2;
  std::string sent;
  transport::WebsocketFrame frame;
  frame.opcode = transport::opcode::kBinary;
  frame.payload = payload.substr(0, half);
  frame.last = false;
  sent += transport::to_bytes(frame, 0x12345678);
  frame.opcode = transport::opcode::kPing;
  frame.payload = payload.substr(0, 125);
  frame.last = true;
  sent += transport::to_bytes(frame, 0xffffffff);
  frame.opcode = transport::opcode::kContinuation;
  frame.payload = payload.substr(half);
  frame.masked = false;
  sent += transport::to_bytes(frame, 0);

  const auto events = read(payload.size() + 1, fuzz::cut(sent, seed)).events;
  hold(events.size() == 2, "a ping inside a message, and the message");
  hold(events[0].kind == Kind::kPing && events[0].bytes == payload.substr(0, 125), "the ping");
  hold(events[1].kind == Kind::kMessage && events[1].bytes == payload && events[1].binary,
       "a message as it was sent", events[1].bytes);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text = fuzz::text_of(bytes, size);
  const std::string_view seed = fuzz::take_line(text);
  check_reading(text, seed);
  check_writing(text, seed);
  return 0;
}
