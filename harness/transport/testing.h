// SPDX-License-Identifier: Apache-2.0
// For tests: runs a coroutine to its end, and makes targets out of small scripts.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/transport/transport.h"

namespace harness::transport {

inline Deadline in(std::chrono::milliseconds time) { return Clock::now() + time; }
// Only a broken test waits this long.
inline Deadline soon() { return in(std::chrono::seconds(20)); }

// Also because g++ 12 cannot compile a braced list inside a co_await expression.
template <class... Texts>
Outgoing writes(const Texts&... texts) {
  Outgoing out;
  (out.writes.push_back(texts), ...);
  return out;
}

inline target::Target command(std::vector<std::string> words) {
  target::Target target;
  target.command = std::move(words);
  return target;
}
inline target::Target shell(const std::string& script) { return command({"sh", "-c", script}); }
inline target::Target python(const std::string& script) {
  return command({"python3", "-c", script});
}

// Runs the coroutine that `story` returns for this loop, and only as long as it takes.
template <class Story>
void run(boost::asio::io_context& loop, Story story) {
  bool done = false;
  std::exception_ptr failure;
  boost::asio::co_spawn(loop, std::move(story), [&](std::exception_ptr error) {
    failure = error;
    done = true;
  });
  loop.restart();
  while (!done && loop.run_one() > 0) {
  }
  if (failure) std::rethrow_exception(failure);
  ASSERT_TRUE(done);
}

// The same for one with a value, which is returned.
template <class Value, class Story>
Value told(boost::asio::io_context& loop, Story story) {
  std::optional<Value> value;
  run(loop, [&]() -> boost::asio::awaitable<void> { value.emplace(co_await story()); });
  return std::move(value).value();
}

// The next frame, or nullopt (and a failure of the test) when something else arrives.
inline boost::asio::awaitable<std::optional<wire::Frame>> next_frame(Transport& transport) {
  Arrival arrival = co_await transport.receive(soon());
  if (auto* frame = std::get_if<wire::Frame>(&arrival)) co_return std::move(*frame);
  if (auto* closed = std::get_if<Closed>(&arrival)) {
    ADD_FAILURE() << "closed instead of a frame: " << closed->how;
  } else {
    ADD_FAILURE() << "quiet instead of a frame";
  }
  co_return std::nullopt;
}

// "stdout:text", one per frame, until it is closed (or quiet for `patience`); then "closed:how".
inline boost::asio::awaitable<std::vector<std::string>> all_frames(
    Transport& transport, std::chrono::milliseconds patience = std::chrono::seconds(20)) {
  std::vector<std::string> out;
  for (;;) {
    Arrival arrival = co_await transport.receive(in(patience));
    if (auto* frame = std::get_if<wire::Frame>(&arrival)) {
      out.push_back(std::string(wire::channel_name(frame->channel)) + ":" + frame->bytes);
    } else if (auto* closed = std::get_if<Closed>(&arrival)) {
      out.push_back("closed:" + closed->how);
      co_return out;
    } else {
      out.push_back("quiet");
      co_return out;
    }
  }
}

}  // namespace harness::transport
