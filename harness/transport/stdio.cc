// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <string_view>
#include <utility>

#include "harness/transport/async_event.h"
#include "harness/transport/awaiting.h"
#include "harness/transport/framing.h"
#include "harness/transport/kinds.h"
#include "harness/transport/lines.h"
#include "harness/transport/mailbox.h"
#include "harness/transport/process.h"
#include "harness/transport/writer.h"

namespace harness::transport {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using wire::Channel;

namespace {

constexpr std::size_t kStderrReadSize = 16u << 10;
constexpr std::size_t kStderrWaiting = 1u << 20;  // of stderr in the queue; more is dropped
constexpr std::size_t kGulp = 64u << 10;          // what a pipe holds by default
constexpr std::size_t kLastGulp = 1u << 20;       // the largest pipe an ordinary process can have
constexpr milliseconds kDrainAtEnd{200};   // for output still in the pipes when the process ends
constexpr milliseconds kExitFollows{100};  // a pipe closed this shortly before the exit is its part
constexpr milliseconds kKillTakes{5000};

wire::Frame frame_of(Channel channel, std::string bytes) {
  const std::uint64_t size = bytes.size();
  return received_frame(channel, {std::move(bytes), size, true, {}});
}

// What the coroutines of one transport share; it outlives the StdioTransport until they have
// noticed that the descriptors were closed.
struct StdioState {
  StdioState(asio::any_io_executor e, const target::Target& target, const Limits& l)
      : executor(e), limits(l), launch{target.command, target.cwd, target.env},
        framing(framing_of(target.framing)), kind(target.transport()),
        read_size(target.buffer_size), box(std::make_shared<Mailbox>(e, l.max_queue)),
        messages(framing.splitter(l.max_line)), err_lines(std::min(l.max_line, l.max_stderr)),
        changed(e), writer(std::move(e)) {}

  void take_stdout(std::string_view chunk) {
    messages->give(chunk);
    while (auto piece = messages->next())
      box->put(received_frame(Channel::kStdout, std::move(*piece)));
  }

  void take_stderr(std::string_view chunk) {
    tail.append(chunk);
    if (tail.size() > 2 * limits.max_stderr) tail.erase(0, tail.size() - limits.max_stderr);
    err_lines.give(chunk);
    while (auto line = err_lines.next()) put_stderr(std::move(*line));
  }

  void put_stderr(Piece line) {
    if (box->waiting_bytes(Channel::kStderr) < kStderrWaiting) {
      box->put(received_frame(Channel::kStderr, std::move(line)));
    }
  }

  void finish_stdout() {
    if (std::exchange(out_done, true)) return;
    if (auto piece = messages->rest())
      box->put(received_frame(Channel::kStdout, std::move(*piece)));
    changed.notify_all();
  }

  void finish_stderr() {
    if (std::exchange(err_done, true)) return;
    if (auto line = err_lines.rest()) put_stderr(std::move(*line));
    changed.notify_all();
  }

  void close_input() {
    if (!writer.is_open()) return;
    writer.close();
    boost::system::error_code ignored;
    process->in().close(ignored);
    changed.notify_all();
  }

  void close_output() {
    if (!process || out_done) return;
    out_done = true;
    boost::system::error_code ignored;
    process->out().close(ignored);
    changed.notify_all();
  }

  // Nothing of the target remains when this returns; coroutines still to wake up find `over`.
  void end() {
    over = true;
    writer.close();
    if (process) process->end();
    box->close("closed by rpcspec");
    changed.close();
  }

  asio::any_io_executor executor;
  Limits limits;
  Launch launch;
  const Framing& framing;
  wire::TransportKind kind;
  std::size_t read_size;
  std::shared_ptr<Mailbox> box;
  std::unique_ptr<Process> process;
  std::unique_ptr<Splitter> messages;
  LineSplitter err_lines;
  AsyncEvent changed;  // notified when any flag below changes, and when standard input is closed
  Writer writer;
  bool out_done = false;
  bool err_done = false;
  bool paused = false;  // stdout is not read because the mailbox is full
  bool exited = false;
  bool over = false;
  std::string tail;  // of stderr
};

using SharedStdio = std::shared_ptr<StdioState>;

// A pipe that closes while the process lives is evidence of its own.
asio::awaitable<void> announce_close(SharedStdio s, const char* stream) {
  const Deadline deadline = Clock::now() + kExitFollows;
  while (!s->exited && !s->over) {
    const bool notified = co_await s->changed.wait(deadline);
    if (!notified) break;
  }
  if (!s->exited && !s->over) s->box->put(frame_of(Channel::kClose, std::string(stream)));
}

asio::awaitable<void> read_stdout(SharedStdio s) {
  std::vector<char> buffer(s->read_size);
  bool end_of_file = false;
  for (;;) {
    if (!s->box->has_room()) {
      s->paused = true;
      s->changed.notify_all();
      const bool room = co_await Mailbox::room(s->box, Deadline::max());
      s->paused = false;
      s->changed.notify_all();
      if (!room) break;
    }
    auto [error, n] = co_await s->process->out().async_read_some(asio::buffer(buffer), kToken);
    if (s->over || s->out_done) co_return;
    if (error) {
      end_of_file = error == asio::error::eof;
      break;
    }
    s->take_stdout({buffer.data(), n});
  }
  s->finish_stdout();
  if (end_of_file) co_await announce_close(s, "stdout");
}

asio::awaitable<void> read_stderr(SharedStdio s) {
  std::vector<char> buffer(kStderrReadSize);
  for (;;) {
    auto [error, n] = co_await s->process->err().async_read_some(asio::buffer(buffer), kToken);
    if (s->over || s->err_done) co_return;
    if (error) break;
    s->take_stderr({buffer.data(), n});
  }
  s->finish_stderr();
}

// Reads what a pipe holds at this moment.
template <class Take>
void gulp(Process::Pipe& pipe, Take take) {
  std::vector<char> buffer(kGulp);
  for (std::size_t total = 0; pipe.is_open() && total < kLastGulp;) {
    const ssize_t n = ::read(pipe.native_handle(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    take(std::string_view(buffer.data(), static_cast<std::size_t>(n)));
    total += static_cast<std::size_t>(n);
  }
}

// The exit frame comes after all output, but a grandchild that keeps the pipes open can hold it
// back only for kDrainAtEnd. Time in which nobody takes frames from the mailbox does not count.
asio::awaitable<void> watch_exit(SharedStdio s) {
  co_await s->process->wait(Deadline::max());
  const auto ending = s->process->ending();
  if (s->over || !ending) co_return;
  s->exited = true;
  s->changed.notify_all();
  Deadline limit = Clock::now() + kDrainAtEnd;
  while (!s->over && !(s->out_done && s->err_done)) {
    const bool held_back = s->paused;
    const Deadline until = held_back ? Deadline::max() : limit;
    const bool notified = co_await s->changed.wait(until);
    if (!notified) break;
    if (held_back) limit = Clock::now() + kDrainAtEnd;
  }
  if (s->over) co_return;
  if (!s->out_done) gulp(s->process->out(), [&](std::string_view chunk) { s->take_stdout(chunk); });
  if (!s->err_done) gulp(s->process->err(), [&](std::string_view chunk) { s->take_stderr(chunk); });
  s->finish_stdout();
  s->finish_stderr();
  s->box->put(frame_of(Channel::kExit, *ending));
  s->box->close(*ending);
  s->close_input();
  boost::system::error_code ignored;
  s->process->out().close(ignored);
  s->process->err().close(ignored);
  s->changed.notify_all();
}

asio::awaitable<int> write_all(SharedStdio s, std::vector<std::string> writes, Deadline deadline) {
  const bool there = co_await s->writer.write(std::move(writes), deadline);
  if (!there && s->writer.is_open()) {
    s->close_input();
    asio::co_spawn(s->executor, announce_close(s, "stdin"), propagate);
  }
  co_return 0;
}

asio::awaitable<bool> wait_for_exit(SharedStdio s, Deadline deadline) {
  while (!s->exited && !s->over) {
    const bool notified = co_await s->changed.wait(deadline);
    if (!notified) break;
  }
  co_return s->exited || s->over;
}

asio::awaitable<void> shut_down(SharedStdio s, milliseconds grace) {
  if (!s->process || s->over) co_return;
  s->box->say_farewell();  // a target that is held back would not notice that it is to end
  s->close_input();
  bool gone = co_await wait_for_exit(s, Clock::now() + grace);
  if (!gone) {
    s->process->signal(SIGTERM);
    gone = co_await wait_for_exit(s, Clock::now() + grace);
  }
  if (!gone) {
    s->process->signal(SIGKILL);
    co_await wait_for_exit(s, Clock::now() + kKillTakes);
  }
  if (s->over) co_return;
  s->process->signal(SIGKILL);  // children it left behind
  // Let the exit frame arrive, unless it has to wait for a full mailbox.
  const Deadline deadline = Clock::now() + 2 * kDrainAtEnd;
  while (!s->box->closed() && !s->paused) {
    const bool notified = co_await s->changed.wait(deadline);
    if (!notified) break;
  }
}

class StdioTransport final : public Transport, public ProcessControl {
 public:
  StdioTransport(asio::any_io_executor executor, const target::Target& target, const Limits& limits)
      : s_(std::make_shared<StdioState>(std::move(executor), target, limits)) {}
  ~StdioTransport() override { s_->end(); }

  asio::awaitable<Status> open() override { return start(s_); }

  asio::awaitable<int> send(Outgoing outgoing, Deadline deadline) override {
    return write_all(s_, std::move(outgoing.writes), deadline);
  }

  asio::awaitable<Arrival> receive(Deadline deadline) override {
    return Mailbox::take(s_->box, deadline);
  }

  std::optional<Arrival> poll() override { return s_->box->poll(); }
  void close_input() override { s_->close_input(); }
  void close_output() override { s_->close_output(); }
  void send_signal(int number) override {
    if (s_->process) s_->process->signal(number);
  }
  asio::awaitable<void> shutdown(milliseconds grace) override { return shut_down(s_, grace); }
  wire::TransportKind kind() const override { return s_->kind; }
  ProcessControl* process() override { return this; }
  std::string_view begun() const override { return s_->messages->begun(); }
  const char* framing() const override { return s_->framing.name(); }
  std::string frame(std::string_view text) const override { return s_->framing.frame(text); }

  int group() const override { return s_->process ? s_->process->pid() : 0; }
  std::string stderr_tail() const override {
    const std::size_t excess = s_->tail.size() - std::min(s_->tail.size(), s_->limits.max_stderr);
    return s_->tail.substr(excess);
  }

 private:
  static asio::awaitable<Status> start(SharedStdio s) {
    check(s->process == nullptr, "a stdio transport is opened once");
    auto process = Process::start(s->executor, s->launch);
    if (!process) {
      s->box->close("not started");
      co_return process.error();
    }
    s->process = std::move(*process);
    s->writer.open(s->process->in());
    asio::co_spawn(s->executor, read_stdout(s), propagate);
    asio::co_spawn(s->executor, read_stderr(s), propagate);
    asio::co_spawn(s->executor, watch_exit(s), propagate);
    co_return Nothing{};
  }

  SharedStdio s_;
};

}  // namespace

std::unique_ptr<Transport> make_stdio(asio::any_io_executor executor, const target::Target& target,
                                      const Limits& limits) {
  return std::make_unique<StdioTransport>(std::move(executor), target, limits);
}

}  // namespace harness::transport
