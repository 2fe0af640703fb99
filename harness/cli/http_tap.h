// SPDX-License-Identifier: Apache-2.0
// HttpTap: reads one way of a connection of HTTP/1.1 as its bytes pass by: where heads end, and
// what the bodies are. It changes only the Host of a request, and requests no extension of
// WebSocket.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "harness/wire/frame.h"

namespace harness::cli {

class HttpTap {
 public:
  struct Ears {
    std::function<void(const wire::HttpHead&)> head;
    std::function<void(std::string_view)> body;  // the content of chunks, one piece at a time
    std::function<void()> end;                   // of the message
    // The data after HTTP ended with status 101.
    std::function<void(std::string_view)> tunnel = {};
  };
  // In requests, `host` replaces the Host header. In responses, `bodiless` is called at each head:
  // true if no body follows whatever the head says, as for HEAD.
  HttpTap(bool requests, std::string host, Ears ears, std::function<bool()> bodiless = {});

  // What to forward to the other side; nothing if these bytes are not HTTP that can be followed.
  std::optional<std::string> pass(std::string_view bytes);
  // The other direction has ended HTTP with 101.
  void become_tunnel() { state_ = State::kTunnel; }
  // The connection has ended, which ends some bodies.
  void closed();

 private:
  enum class State {
    kHead,
    kLength,
    kChunkSize,
    kChunk,
    kChunkEnd,
    kTrailer,
    kUntilClosed,
    kTunnel
  };

  std::optional<std::string> take_line(std::string_view& bytes);
  bool take(const std::string& line, std::string& out);
  void begin_body(const wire::HttpHead& head);
  void end_message();

  bool requests_;
  std::string host_;
  Ears ears_;
  std::function<bool()> bodiless_;
  State state_ = State::kHead;
  std::string line_;  // a head, or a line between chunks
  std::uint64_t left_ = 0;
};

}  // namespace harness::cli
