// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/service.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>
#include <vector>

#include "harness/base/os.h"
#include "harness/base/text.h"
#include "harness/transport/address.h"
#include "harness/transport/awaiting.h"
#include "harness/transport/process.h"

namespace harness::transport {

namespace asio = boost::asio;
using asio::ip::tcp;
using std::chrono::milliseconds;

namespace {

constexpr std::size_t kTail = 64u << 10;
constexpr std::size_t kShown = 2000;  // bytes of it in an Error
constexpr milliseconds kPoll{20};     // between two attempts to connect
constexpr milliseconds kAttempt{1000};
constexpr milliseconds kTermTakes{2000};

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), by);
    at += by.size();
  }
}

// A port nobody listens on now. It is claimed, so that two rpcspecs side by side never give one
// port to their targets, and take the other's for their own. A stranger may take it before the
// target does; then the target says so and ends, which is reported.
std::uint16_t free_port(const asio::any_io_executor& executor, Fd& claimed) {
  for (int i = 0; i < 100; ++i) {
    boost::system::error_code error;
    tcp::acceptor acceptor(executor);
    acceptor.open(tcp::v4(), error);
    if (!error) acceptor.bind({asio::ip::address_v4::loopback(), 0}, error);
    if (error) return 0;
    const std::uint16_t port = acceptor.local_endpoint(error).port();
    claimed = Fd(os::claim("rpcspec-port-" + std::to_string(port)));
    if (claimed.get() >= 0) return port;
  }
  return 0;
}

bool fill_in_port(const asio::any_io_executor& executor, Fd& claimed, target::Target& target) {
  const std::string port = std::to_string(free_port(executor, claimed));
  replace_all(target.url, "{port}", port);
  for (std::string& word : target.command) replace_all(word, "{port}", port);
  for (auto& variable : target.env) replace_all(variable.second, "{port}", port);
  return port != "0";
}

std::string last_words(const std::string& tail, const Service::Tells& tells) {
  if (tail.empty()) return "it printed nothing";
  const std::string telling = tells ? tells(tail) : "";
  if (!telling.empty()) return "it printed: " + telling;
  return "it printed: " +
         printable(std::string_view(tail).substr(tail.size() - std::min(tail.size(), kShown)),
                   kShown);
}

}  // namespace

bool take_port(target::Target& target) {
  static asio::io_context io{1};
  static Fd claimed;
  return fill_in_port(io.get_executor(), claimed, target);
}

struct Service::State {
  target::Target target;
  Places places;
  Fd port;  // claimed for as long as the target lives
  std::unique_ptr<Process> process;
  std::string tail;

  void keep(std::string_view chunk) {
    tail.append(chunk);
    if (tail.size() > 2 * kTail) tail.erase(0, tail.size() - kTail);
  }

  // Reads on for as long as the process lives, so that it never blocks on a full pipe.
  static asio::awaitable<void> drain(std::shared_ptr<State> s, Process::Pipe& pipe) {
    std::vector<char> buffer(16u << 10);
    for (;;) {
      auto [error, n] = co_await pipe.async_read_some(asio::buffer(buffer), kToken);
      if (error) co_return;
      s->keep({buffer.data(), n});
    }
  }

  // Takes what the pipes hold at this moment.
  void gulp() {
    char buffer[4096];
    for (Process::Pipe* pipe : {&process->out(), &process->err()}) {
      for (std::size_t total = 0; pipe->is_open() && total < kTail;) {
        const ssize_t n = ::read(pipe->native_handle(), buffer, sizeof buffer);
        if (n <= 0) break;
        keep({buffer, static_cast<std::size_t>(n)});
        total += static_cast<std::size_t>(n);
      }
    }
  }

  void stop() {
    process->signal(SIGTERM);
    for (auto left = kTermTakes; left.count() > 0 && !process->ending(); left -= milliseconds(5)) {
      ::poll(nullptr, 0, 5);  // a destructor cannot await
      gulp();
    }
    process->end();
  }
};

Service::Service(std::shared_ptr<State> state) : state_(std::move(state)) {}

Service::~Service() { state_->stop(); }

const target::Target& Service::target() const { return state_->target; }

asio::awaitable<bool> Service::accepts() const {
  const auto state = state_;  // whoever asks may drop the Service meanwhile
  const auto executor = co_await asio::this_coro::executor;
  const auto refused = co_await probe(executor, state->places, Clock::now() + kAttempt);
  co_return !refused;
}

asio::awaitable<bool> Service::wait(Deadline deadline) const {
  const auto state = state_;
  co_return co_await state->process->wait(deadline);
}

std::string Service::ending() const { return state_->process->ending().value_or(""); }
int Service::process_group() const { return state_->process->pid(); }
std::string Service::output_tail() const {
  if (!ending().empty()) state_->gulp();  // its last words may not have been read yet
  return state_->tail.substr(state_->tail.size() - std::min(state_->tail.size(), kTail));
}

asio::awaitable<Result<std::unique_ptr<Service>>> Service::start(asio::any_io_executor executor,
                                                                 target::Target target,
                                                                 Deadline deadline, Tells tells) {
  check(!target.command.empty() && !target.url.empty(), "a Service has a command and a url");
  Fd claimed;
  if (target.url.find("{port}") != std::string::npos) {
    if (!fill_in_port(executor, claimed, target))
      co_return Error{"", "no free port on 127.0.0.1", "write a fixed port"};
  }
  auto found = co_await find_places(executor, target.url);
  if (!found) co_return found.error();
  const Places places = std::move(*found);
  const auto nobody = co_await probe(executor, places, std::min(deadline, Clock::now() + kAttempt));
  if (!nobody) {
    co_return Error{"", "something listens on " + printable(target.url) + " already",
                    "stop it, or write {port} in the url and in the command"};
  }
  auto process = Process::start(executor, {target.command, target.cwd, target.env});
  if (!process) co_return process.error();

  auto state = std::make_shared<State>(
      State{std::move(target), places, std::move(claimed), std::move(*process), {}});
  asio::co_spawn(executor, State::drain(state, state->process->out()), propagate);
  asio::co_spawn(executor, State::drain(state, state->process->err()), propagate);
  std::unique_ptr<Service> service(new Service(state));

  const std::string program = "'" + printable(state->target.command.front()) + "'";
  const std::string where = printable(state->target.url);
  for (;;) {
    // A connection only: asking anything would be part of the conversation that is to be judged.
    const auto refused =
        co_await probe(executor, places, std::min(deadline, Clock::now() + kAttempt));
    if (state->process->ending()) {
      state->gulp();
      co_return Error{"",
                      program + " ended (" + service->ending() + ") before " + where +
                          " accepted a connection; " + last_words(service->output_tail(), tells),
                      "check that the command runs by itself and listens on that port"};
    }
    if (!refused) co_return std::move(service);
    if (Clock::now() >= deadline) {
      state->gulp();
      co_return Error{"",
                      program + " runs, but " + where + " accepts no connection; " +
                          last_words(service->output_tail(), tells),
                      "check the port it listens on, or allow more time with --timeout"};
    }
    co_await state->process->wait(std::min(deadline, Clock::now() + kPoll));
  }
}

}  // namespace harness::transport
