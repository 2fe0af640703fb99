// SPDX-License-Identifier: Apache-2.0
#include "fuzz/executor/delivery.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "harness/transport/request.h"
#include "harness/transport/websocket_frame.h"

namespace fuzz {
namespace {

namespace transport = harness::transport;

std::vector<std::string> cut(const std::string& bytes, const std::vector<std::uint32_t>& lengths) {
  std::vector<std::string> pieces;
  std::size_t at = 0;
  for (const std::uint32_t length : lengths) {
    if (at >= bytes.size()) break;
    pieces.push_back(bytes.substr(at, length));
    at += length;
  }
  if (at < bytes.size() || pieces.empty())
    pieces.push_back(bytes.substr(std::min(at, bytes.size())));
  return pieces;
}

// What goes over a WebSocket for one message.
std::string websocket_frames(const std::string& text, const Delivery& how) {
  constexpr std::uint32_t kMask = 0x52504353;
  std::string out;
  std::size_t at = 0;
  for (std::size_t i = 0; i <= how.fragments.size(); ++i) {
    const bool last = i == how.fragments.size();
    const std::size_t length =
        last ? text.size() - at : std::min<std::size_t>(how.fragments[i], text.size() - at);
    transport::WebsocketFrame frame;
    frame.opcode = i == 0 ? how.opcode : 0;
    frame.payload = std::string_view(text).substr(at, length);
    frame.last = last;
    out += transport::to_bytes(frame, kMask);
    at += length;
  }
  return out;
}

// Whether a header of ours makes the body seem longer or shorter than it is, or differently cut.
bool lies_of_length(const HeaderChange& change, const std::string& body) {
  if (transport::same_name(change.name, "Transfer-Encoding")) return change.value.has_value();
  return transport::same_name(change.name, "Content-Length") &&
         change.value != std::to_string(body.size());
}

DeliveredFrame deliver_over_http(const Frame& frame) {
  const Delivery& how = frame.delivery;
  DeliveredFrame out;
  out.http.method = how.http_method;
  out.as_agreed = !how.length;
  for (const HeaderChange& change : how.headers) {
    out.as_agreed = out.as_agreed && !lies_of_length(change, frame.bytes);
    out.http.headers.push_back({change.name, change.value ? *change.value : std::string(1, '\0')});
  }
  if (how.length)
    out.http.headers.push_back({"Content-Length", claimed_length(*how.length, frame.bytes.size())});
  out.writes.push_back(frame.bytes);
  return out;
}

}  // namespace

bool has_lines(const transport::Transport& wire) {
  return wire.traits().byte_stream && *wire.framing() == '\0';
}

DeliveredFrame deliver(const Frame& frame, const transport::Transport& wire) {
  if (wire.over_http()) return deliver_over_http(frame);
  const Delivery& how = frame.delivery;
  DeliveredFrame out;
  std::string framed = wire.frame(frame.bytes);
  if (wire.traits().frames) {
    if (how.opcode != 1 || !how.fragments.empty()) framed = websocket_frames(frame.bytes, how);
    out.as_agreed = how.opcode == 1;
  } else if (*wire.framing() != '\0') {
    if (how.length) {
      framed = "Content-Length: " + claimed_length(*how.length, frame.bytes.size()) + "\r\n\r\n" +
               frame.bytes;
      out.as_agreed = false;
    }
  } else if (how.eol != Eol::kLf) {
    framed = frame.bytes + end_of(how.eol);
    out.as_agreed = how.eol == Eol::kCrlf;
  }
  // A line break within makes several lines of a frame.
  if (has_lines(wire)) out.as_agreed = out.as_agreed && frame.bytes.find('\n') == std::string::npos;
  out.writes = cut(framed, how.chunks);
  return out;
}

std::string shown_text(const Frame& frame, const DeliveredFrame& delivered,
                       const transport::Transport& wire) {
  if (delivered.as_agreed || wire.over_http()) return frame.bytes;
  std::string out;
  for (const std::string& piece : delivered.writes) out += piece;
  return out;
}

void WriteQueue::connect(const transport::Transport& wire) {
  wire_ = &wire;
  lines_ = has_lines(wire);
  open_line_ = torn_ = false;
}

bool WriteQueue::add(const Frame& frame, ScriptPlace place) {
  if (frame.delivery.usual() && frame.bytes.find('\n') == std::string::npos) {
    open_line_ = false;
    entries_.push_back({frame.bytes, false, wire_->frame(frame.bytes), place});
    return true;
  }
  if (wire_->over_http() || !frame.delivery.chunks.empty()) return false;
  DeliveredFrame delivered = deliver(frame, *wire_);
  note_sent_alone(delivered);
  entries_.push_back({shown_text(frame, delivered, *wire_), !delivered.as_agreed,
                      std::move(delivered.writes.front()), place});
  return true;
}

void WriteQueue::add_raw(const std::string& bytes, ScriptPlace place) {
  if (bytes.empty()) return;
  note_line(bytes);
  torn_ |= !lines_;
  entries_.push_back({bytes, true, bytes, place});
}

void WriteQueue::add_canary(std::string text) {
  if (open_line_) add_raw("\n", {0, 0, false, false});
  std::string bytes = wire_->frame(text);
  entries_.push_back({std::move(text), false, std::move(bytes), {0, 0, false}});
}

void WriteQueue::note_sent_alone(const DeliveredFrame& delivered) {
  note_line(delivered.writes.back());
  torn_ |= !delivered.as_agreed && !lines_ && !wire_->over_http();
}

void WriteQueue::note_line(const std::string& written) {
  if (lines_) open_line_ = written.empty() || written.back() != '\n';
}

}  // namespace fuzz
