// SPDX-License-Identifier: Apache-2.0
// What our transports and sessions add to a round trip: the same request to the same reference
// server, by bare Asio or Beast and by us, in turns of a few hundred so that both meet the same
// machine. All run on one core: across two, what is measured is how the kernel wakes the other one.
// Prints a Markdown table.
//
//   round_trips REFERENCE_SERVER [TURNS]
#include <fmt/format.h>
#include <sched.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/session/session.h"
#include "harness/spec/profile.h"
#include "harness/transport/process.h"
#include "harness/transport/transport.h"

extern char** environ;

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::awaitable;
using asio::use_awaitable;
using harness::session::Clock;

constexpr int kPerTurn = 300;
constexpr int kInFlight = 10000;
const std::string kRequest = R"({"jsonrpc":"2.0","id":1,"method":"rpc.discover.none","params":[]})";

// One way to ask and hear the answer.
class Asker {
 public:
  virtual ~Asker() = default;
  virtual awaitable<void> ask() = 0;
};

// --- the bare ways

// What it starts ends with it.
class Child {
 public:
  Child(const std::vector<std::string>& command, int in, int out) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    if (in >= 0) posix_spawn_file_actions_adddup2(&files, in, 0);
    if (out >= 0) posix_spawn_file_actions_adddup2(&files, out, 1);
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    if (posix_spawnp(&pid_, arguments[0], &files, nullptr, arguments.data(), environ) != 0)
      throw std::runtime_error("cannot start " + command[0]);
    posix_spawn_file_actions_destroy(&files);
  }
  ~Child() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;

 private:
  pid_t pid_ = -1;
};

template <class In, class Out>
awaitable<void> ask_line(In& in, Out& out, std::string& heard) {
  static const std::string kLine = kRequest + "\n";
  co_await asio::async_write(in, asio::buffer(kLine), use_awaitable);
  const std::size_t n =
      co_await asio::async_read_until(out, asio::dynamic_buffer(heard), '\n', use_awaitable);
  heard.erase(0, n);
}

class BareStdio : public Asker {
 public:
  BareStdio(asio::any_io_executor executor, const std::string& server)
      : in_(executor), out_(executor) {
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
      throw std::runtime_error("no pipe");
    child_ = std::make_unique<Child>(std::vector<std::string>{server, "--profile", "jsonrpc-2.0"},
                                     to[0], from[1]);
    close(to[0]);
    close(from[1]);
    in_.assign(to[1]);
    out_.assign(from[0]);
  }
  awaitable<void> ask() override { co_await ask_line(in_, out_, heard_); }

 private:
  asio::posix::stream_descriptor in_, out_;
  std::unique_ptr<Child> child_;
  std::string heard_;
};

template <class Socket>
class BareSocket : public Asker {
 public:
  BareSocket(asio::any_io_executor executor, const typename Socket::endpoint_type& where)
      : socket_(executor) {
    socket_.connect(where);
    if constexpr (std::is_same_v<Socket, asio::ip::tcp::socket>)
      socket_.set_option(asio::ip::tcp::no_delay(true));
  }
  awaitable<void> ask() override { co_await ask_line(socket_, socket_, heard_); }

 private:
  Socket socket_;
  std::string heard_;
};

class BareHttp : public Asker {
 public:
  BareHttp(asio::any_io_executor executor, const asio::ip::tcp::endpoint& where)
      : socket_(executor) {
    socket_.connect(where);
    socket_.set_option(asio::ip::tcp::no_delay(true));
    request_.method(beast::http::verb::post);
    request_.target("/mcp");
    request_.set(beast::http::field::host, "127.0.0.1");
    request_.set(beast::http::field::content_type, "application/json");
    request_.set(beast::http::field::accept, "application/json, text/event-stream");
    request_.body() = kRequest;
    request_.prepare_payload();
  }
  awaitable<void> ask() override {
    co_await beast::http::async_write(socket_, request_, use_awaitable);
    beast::http::response<beast::http::string_body> response;
    co_await beast::http::async_read(socket_, buffer_, response, use_awaitable);
    if (response.body().empty()) throw std::runtime_error("no answer over HTTP");
  }

 private:
  asio::ip::tcp::socket socket_;
  beast::http::request<beast::http::string_body> request_;
  beast::flat_buffer buffer_;
};

class BareWebSocket : public Asker {
 public:
  BareWebSocket(asio::any_io_executor executor, const asio::ip::tcp::endpoint& where)
      : stream_(executor) {
    stream_.next_layer().connect(where);
    stream_.next_layer().set_option(asio::ip::tcp::no_delay(true));
    stream_.handshake("127.0.0.1", "/mcp");
  }
  awaitable<void> ask() override {
    co_await stream_.async_write(asio::buffer(kRequest), use_awaitable);
    beast::flat_buffer heard;
    co_await stream_.async_read(heard, use_awaitable);
  }

 private:
  beast::websocket::stream<asio::ip::tcp::socket> stream_;
};

// --- our ways

class OurTransport : public Asker {
 public:
  explicit OurTransport(std::unique_ptr<harness::transport::Transport> transport)
      : transport_(std::move(transport)), exchanges_(transport_->has_exchanges()) {}
  awaitable<void> ask() override {
    const auto deadline = Clock::now() + std::chrono::seconds(10);
    harness::transport::Outgoing outgoing;
    outgoing.writes.push_back(transport_->frame(kRequest));
    co_await transport_->send(std::move(outgoing), deadline);
    for (bool heard = false; !heard;) {
      const auto arrival = co_await transport_->receive(deadline);
      const auto* frame = std::get_if<harness::wire::Frame>(&arrival);
      if (!frame) throw std::runtime_error("no answer through the transport");
      heard = exchanges_ ? frame->channel == harness::wire::Channel::kClose
                         : harness::wire::carries_message(*frame);
    }
  }

 private:
  std::unique_ptr<harness::transport::Transport> transport_;
  bool exchanges_;
};

class OurSession : public Asker {
 public:
  explicit OurSession(std::unique_ptr<harness::session::Session> session)
      : session_(std::move(session)) {}
  awaitable<void> ask() override {
    if (++asked_ % kPerTurn == 0) session_->begin_slice();
    const harness::session::Sent sent = co_await session_->send_canary();
    const auto deadline = Clock::now() + std::chrono::seconds(10);
    const harness::session::Inbound* reply = co_await session_->reply_to(sent, deadline);
    if (!reply) throw std::runtime_error("no answer through the session");
  }

 private:
  std::unique_ptr<harness::session::Session> session_;
  int asked_ = 0;
};

// --- measuring

double micros_each(asio::io_context& loop, Asker& asker) {
  std::exception_ptr failure;
  const auto began = Clock::now();
  asio::co_spawn(
      loop,
      [&]() -> awaitable<void> {
        for (int i = 0; i < kPerTurn; ++i) co_await asker.ask();
      },
      [&](std::exception_ptr error) {
        failure = error;
        loop.stop();
      });
  loop.restart();
  loop.run();
  if (failure) std::rethrow_exception(failure);
  return std::chrono::duration<double, std::micro>(Clock::now() - began).count() / kPerTurn;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class Value>
Value wait_for(asio::io_context& loop, awaitable<Value> what) {
  std::optional<Value> result;
  asio::co_spawn(
      loop, [&]() -> awaitable<void> { result = co_await std::move(what); },
      [&](std::exception_ptr error) {
        loop.stop();
        if (error) std::rethrow_exception(error);
      });
  loop.restart();
  loop.run();
  return std::move(*result);
}

harness::target::Target reached(const std::string& server, const std::string& url) {
  harness::target::Target target;
  target.name = "reference server";
  target.url = url;
  if (url.empty()) target.command = {server, "--profile", "jsonrpc-2.0"};
  return target;
}

std::unique_ptr<harness::transport::Transport> our_transport(
    asio::io_context& loop, const harness::target::Target& target) {
  auto made = harness::transport::make(loop.get_executor(), target);
  if (!made) throw std::runtime_error(made.error().text());
  const harness::Status opened = wait_for(loop, (*made)->open());
  if (!opened) throw std::runtime_error(opened.error().text());
  return std::move(*made);
}

std::unique_ptr<harness::session::Session> our_session(asio::io_context& loop,
                                                       const harness::target::Target& target) {
  auto made = harness::transport::make(loop.get_executor(), target);
  if (!made) throw std::runtime_error(made.error().text());
  auto session = std::make_unique<harness::session::Session>(
      std::move(*made), *harness::spec::find_profile("jsonrpc-2.0"), target.name,
      std::make_shared<harness::session::Pace>());
  const harness::Status opened = wait_for(loop, session->open());
  if (!opened) throw std::runtime_error(opened.error().text());
  return session;
}

// Resident memory of this process in MiB.
double resident() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  unsigned long size = 0, pages = 0;
  if (!file || std::fscanf(file, "%lu %lu", &size, &pages) != 2) pages = 0;
  if (file) std::fclose(file);
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

void row(const char* name, asio::io_context& loop, Asker& bare,
         const harness::target::Target& target, int turns) {
  OurTransport transport(our_transport(loop, target));
  OurSession session(our_session(loop, target));
  Asker* const askers[] = {&bare, &transport, &session};
  std::vector<double> times[3];
  for (Asker* asker : askers) micros_each(loop, *asker);  // warm
  for (int turn = 0; turn < turns; ++turn)
    for (std::size_t i = 0; i < 3; ++i) times[i].push_back(micros_each(loop, *askers[i]));
  const double one = median(times[0]), two = median(times[1]), three = median(times[2]);
  fmt::print("| {} | {:.1f} | {:.1f} | {:.2f} | {:.1f} | {:.2f} |\n", name, one, two, two / one,
             three, three / one);
  std::fflush(stdout);
}

// All requests are sent before any reply is taken.
void in_flight(asio::io_context& loop, const std::string& server) {
  const double before = resident();
  std::unique_ptr<harness::session::Session> session = our_session(loop, reached(server, ""));
  std::vector<harness::session::Session::Written> frames;
  for (int i = 1; i <= kInFlight; ++i) {
    const std::string text =
        fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"rpc.discover.none","params":[]}})", i);
    frames.push_back({text, text + "\n"});
  }
  const auto began = Clock::now();
  double most = before;
  const auto converse = [&]() -> awaitable<int> {
    co_await session->send_together(frames);
    const auto deadline = Clock::now() + std::chrono::seconds(60);
    for (bool more = true; more && session->inbox().size() < kInFlight;) {
      more = co_await session->pump(deadline);
      if (session->inbox().size() % 1000 == 0) most = std::max(most, resident());
    }
    most = std::max(most, resident());
    co_return static_cast<int>(session->inbox().size());
  };
  const int heard = wait_for(loop, converse());
  const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
  fmt::print(
      "\n{} requests in flight over stdio: {} replies in {:.2f} s, memory grew by {:.0f} MiB\n",
      kInFlight, heard, seconds, most - before);
}

// What it takes to execute a target, and to kill and reap it again: medians, beside those of
// posix_spawn, which is the least that a start can cost.
void starts(asio::io_context& loop, const std::string& server) {
  constexpr int kStarts = 300;
  std::vector<double> bare, ours, ended;
  const auto micros = [](Clock::duration time) {
    return std::chrono::duration<double, std::micro>(time).count();
  };
  for (int i = 0; i < kStarts; ++i) {
    auto began = Clock::now();
    {
      const Child child({server}, -1, -1);
      bare.push_back(micros(Clock::now() - began));
    }
    began = Clock::now();
    auto process = harness::transport::Process::start(loop.get_executor(), {{server}, "", {}});
    if (!process) throw std::runtime_error(process.error().text());
    ours.push_back(micros(Clock::now() - began));
    (*process)->end();
    ended.push_back(micros(Clock::now() - began));
  }
  const auto median = [](std::vector<double>& all) {
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2),
                     all.end());
    return all[all.size() / 2];
  };
  fmt::print("\nstarting a target: {:.0f} µs, {:.0f} µs until it is gone; a bare start {:.0f} µs\n",
             median(ours), median(ended), median(bare));
}

int measure(const std::string& server, int turns) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
  asio::io_context loop(1);
  const auto port = static_cast<unsigned short>(20000 + getpid() % 20000);
  const auto here = asio::ip::make_address("127.0.0.1");
  fmt::print(
      "| transport | bare µs | ours µs | ratio | with session µs | ratio "
      "|\n|---|---|---|---|---|---|\n");
  {
    BareStdio bare(loop.get_executor(), server);
    row("stdio", loop, bare, reached(server, ""), turns);
  }
  const auto serving = [&](const char* transport, unsigned short at) {
    return std::make_unique<Child>(
        std::vector<std::string>{server, "--profile", "jsonrpc-2.0", "--transport", transport,
                                 "--port", std::to_string(at)},
        -1, -1);
  };
  const auto listens = [&](unsigned short at) {
    for (int i = 0; i < 500; ++i) {
      asio::ip::tcp::socket probe(loop);
      boost::system::error_code error;
      probe.connect({here, at}, error);
      if (!error) return;
      usleep(10000);
    }
    throw std::runtime_error("the reference server does not listen");
  };
  {
    const auto child = serving("tcp", port);
    listens(port);
    BareSocket<asio::ip::tcp::socket> bare(loop.get_executor(), {here, port});
    row("tcp", loop, bare, reached(server, fmt::format("tcp://127.0.0.1:{}", port)), turns);
  }
  {
    const std::string path =
        fmt::format("{}/rpcspec-{}", std::filesystem::temp_directory_path().string(), getpid());
    const Child child({server, "--profile", "jsonrpc-2.0", "--transport", "unix", "--path", path},
                      -1, -1);
    for (int i = 0; i < 500 && !std::filesystem::exists(path); ++i) usleep(10000);
    usleep(50000);
    BareSocket<asio::local::stream_protocol::socket> bare(loop.get_executor(), path);
    row("unix", loop, bare, reached(server, "unix:" + path), turns);
    std::filesystem::remove(path);
  }
  {
    const auto child = serving("http", static_cast<unsigned short>(port + 1));
    listens(static_cast<unsigned short>(port + 1));
    BareHttp bare(loop.get_executor(), {here, static_cast<unsigned short>(port + 1)});
    row("http", loop, bare, reached(server, fmt::format("http://127.0.0.1:{}/mcp", port + 1)),
        turns);
  }
  {
    const auto child = serving("ws", static_cast<unsigned short>(port + 2));
    listens(static_cast<unsigned short>(port + 2));
    BareWebSocket bare(loop.get_executor(), {here, static_cast<unsigned short>(port + 2)});
    row("websocket", loop, bare, reached(server, fmt::format("ws://127.0.0.1:{}/mcp", port + 2)),
        turns);
  }
  in_flight(loop, server);
  starts(loop, server);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: round_trips REFERENCE_SERVER [TURNS]\n", stderr);
    return 2;
  }
  try {
    return measure(argv[1], argc > 2 ? std::max(1, std::atoi(argv[2])) : 20);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "round_trips: %s\n", failure.what());
    return 1;
  }
}
