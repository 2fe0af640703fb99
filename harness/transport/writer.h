// SPDX-License-Identifier: Apache-2.0
// Writer: puts texts into a pipe or socket, one after the other whoever sends them, and waits only
// when it is full. A write that was given up at its deadline is completed before the next one: half
// a message would break the stream.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/transport/async_event.h"
#include "harness/transport/transport.h"

namespace harness::transport {

class Writer {
 public:
  using Stream = boost::asio::posix::stream_descriptor;

  explicit Writer(boost::asio::any_io_executor executor);

  // `stream` must not block, and must live until close() or the end of the Writer.
  void open(Stream& stream) { stream_ = &stream; }
  bool is_open() const { return stream_ != nullptr; }
  // Nothing is written any more; waiters in write() are woken.
  void close();

  // Each text is a separate write. False if the peer has closed. The caller keeps the Writer
  // alive.
  boost::asio::awaitable<bool> write(std::vector<std::string> texts, Deadline deadline);

 private:
  enum class Wrote { kAll, kPart, kGone };
  boost::asio::awaitable<Wrote> write_one(std::string_view text, Deadline deadline);

  boost::asio::any_io_executor executor_;
  Stream* stream_ = nullptr;
  AsyncEvent free_;  // notified when nobody is writing any more
  bool writing_ = false;
  std::string unsent_;
};

}  // namespace harness::transport
