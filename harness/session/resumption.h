// SPDX-License-Identifier: Apache-2.0
// Resumption: which streams of POSTs ended before the response and are to be resumed, as a client
// does it: by a GET with the id of the last event. Pure.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "harness/transport/transport.h"
#include "harness/wire/exchange.h"
#include "harness/wire/frame.h"

namespace harness::session {

class Resumption {
 public:
  using Time = transport::Clock::time_point;

  // A request was posted in this exchange.
  void asked(int exchange, std::string id_key);
  // The exchange of the POST whose stream goes on in this one; otherwise the same.
  int origin(int exchange) const;
  // An event came on the stream of this POST.
  void take_event(int exchange, const wire::HttpHead& head);
  // A reply came on it.
  void answered(int exchange, const std::string& id_key);
  // The stream of this POST ended in order. True if it is to be resumed.
  bool ended(int exchange, Time now);

  struct Due {
    int exchange = 0;
    std::string last_id;
    Time at;
  };
  std::optional<Due> next() const;            // that is to be resumed first
  void resumed(const Due& due, int exchange);  // in this exchange
  // In which exchange the stream of this POST goes on; 0: in none.
  int current(int exchange) const;
  void leave(int exchange) { streams_.erase(exchange); }
  // Nobody asks any more for any of them.
  void leave_all() { streams_.clear(); }

 private:
  struct Stream {
    std::string id_key, last_id;
    std::chrono::milliseconds retry{50};
    std::optional<Time> due;
    int current = 0;
  };
  std::map<int, Stream> streams_;  // by the exchange of the POST
  std::map<int, int> origins_;
};

}  // namespace harness::session
