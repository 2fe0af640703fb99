// SPDX-License-Identifier: Apache-2.0
// The scripted transport: a Target in memory, for tests. Each send() takes the next act from a
// queue; what that act returns arrives. There is no clock: if nothing is left to arrive, receive()
// returns Quiet (or Closed) at once instead of waiting for its deadline, so a test of a missing
// reply takes no time and depends on none.
//
//   auto* target = new Scripted("stdio");
//   target->arrives({line(R"({"jsonrpc":"2.0","id":1,"result":{}})")});   // after the first send
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/transport/framing.h"
#include "harness/transport/transport.h"

namespace harness::transport {

class Scripted final : public Transport, public Exchanges, public ProcessControl {
 public:
  // What arrives in reply to one thing sent.
  using Act = std::function<std::vector<Arrival>(const Outgoing&)>;

  // Over HTTP and HTTP+SSE sends are numbered exchanges.
  explicit Scripted(wire::TransportKind kind, target::Framing framing = target::Framing::kLine)
      : kind_(kind), framing_(framing_of(framing)) {}
  // The same by the name of the transport, as in tables of tests.
  explicit Scripted(std::string_view name, target::Framing framing = target::Framing::kLine)
      : Scripted(wire::transport_named(name).value(), framing) {}

  // --- the script
  void arrives(std::vector<Arrival> arrivals);  // after the next send that has no act yet
  void acts(Act act);                           // the same, computed from what was sent
  void otherwise(Act act) { otherwise_ = std::move(act); }  // when the queue of acts is used up
  void now(std::vector<Arrival> arrivals);                  // without anything being sent
  // What comes by itself while receive() waits: called when nothing is left to arrive.
  void idles(std::function<std::vector<Arrival>(Deadline)> idle) { idle_ = std::move(idle); }

  // --- what the Session did
  const std::vector<Outgoing>& sent() const { return sent_; }
  std::string text(std::size_t index) const;       // the bytes of one send, its writes joined
  Deadline deadline() const { return deadline_; }  // of the last send
  const std::vector<wire::Header>& headers() const { return headers_; }
  bool input_closed() const { return input_closed_; }
  const std::vector<int>& signals() const { return signals_; }

  // --- Transport
  boost::asio::awaitable<Status> open() override;
  boost::asio::awaitable<int> send(Outgoing outgoing, Deadline deadline) override;
  boost::asio::awaitable<Arrival> receive(Deadline deadline) override;
  std::optional<Arrival> poll() override;
  void close_input() override { input_closed_ = true; }
  boost::asio::awaitable<void> shutdown(std::chrono::milliseconds grace) override;
  wire::TransportKind kind() const override { return kind_; }
  transport::Exchanges* exchanges() override { return over_http() ? this : nullptr; }
  ProcessControl* process() override { return traits().process ? this : nullptr; }
  const char* framing() const override { return framing_.name(); }
  std::string frame(std::string_view text) const override {
    return over_http() ? std::string(text) : framing_.frame(text);
  }

  // --- Exchanges
  void set_headers(std::vector<wire::Header> headers) override { headers_ = std::move(headers); }
  void disconnect(int) override {}
  std::string authority() const override { return {}; }
  std::string path() const override { return {}; }
  std::string endpoint() const override { return {}; }

  // --- ProcessControl
  void close_output() override {}
  void send_signal(int number) override { signals_.push_back(number); }
  int group() const override { return 0; }
  std::string stderr_tail() const override { return {}; }

 private:
  // Frames of an HTTP script that name no exchange belong to `exchange`; events of the one stream
  // to none.
  void enqueue(std::vector<Arrival> arrivals, int exchange);

  wire::TransportKind kind_;
  const Framing& framing_;
  std::deque<Act> acts_;
  Act otherwise_;
  std::function<std::vector<Arrival>(Deadline)> idle_;
  std::deque<Arrival> pending_;
  std::vector<Outgoing> sent_;
  std::vector<wire::Header> headers_;
  std::vector<int> signals_;
  bool input_closed_ = false;
  Deadline deadline_{};
};

// A target in memory; each connection to it is a separate Scripted. It outlives them.
class ScriptedTarget {
 public:
  // What arrives in reply to something sent on the connection with this number, from 1.
  using Server = std::function<std::vector<Arrival>(const Outgoing&, int connection)>;
  explicit ScriptedTarget(Server server, wire::TransportKind kind = wire::TransportKind::kStdio)
      : server_(std::move(server)), kind_(kind) {}

  // The next connection, or why there is none.
  Result<std::unique_ptr<Transport>> connect();
  int connections() const { return connections_; }       // that were made
  void refuse(Error why) { refusal_ = std::move(why); }  // from now on none is made

 private:
  Server server_;
  wire::TransportKind kind_;
  int connections_ = 0;
  std::optional<Error> refusal_;
};

// Arrivals in short, for tests.
Arrival line(std::string text);      // a line of stdout
Arrival exit_with(std::string how);  // "exit 0"; Closed must follow
Arrival closed(std::string how);
Arrival answer(int status, std::string body, std::vector<wire::Header> headers = {});  // HTTP
Arrival event(std::string data);                   // one server-sent event
Arrival end_of_exchange(std::string how = "end");  // HTTP: complete, or how it failed

}  // namespace harness::transport
