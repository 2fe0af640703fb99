// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/process.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <cerrno>
#include <utility>
#include <vector>

#include "harness/transport/awaiting.h"
#include "harness/transport/descendants.h"
#include "harness/transport/guardian.h"
#include "harness/transport/timer.h"

namespace harness::transport {

namespace asio = boost::asio;

void ignore_broken_pipes() {
  struct sigaction now {};
  if (::sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_DFL)
    ::signal(SIGPIPE, SIG_IGN);
}

Result<std::unique_ptr<Process>> Process::start(asio::any_io_executor executor,
                                                const Launch& wanted) {
  ignore_broken_pipes();
  std::string mark;
  Launch marked = wanted;
  if (!wanted.leaves_processes) {
    mark = new_target_mark();
    marked.env.emplace_back(kTargetVariable, mark);
  }
  auto launched = launch(marked);
  if (!launched) return launched.error();
  return std::unique_ptr<Process>(
      new Process(std::move(*launched), std::move(mark), std::move(executor)));
}

Process::Process(Launched launched, std::string mark, asio::any_io_executor executor)
    : pid_(launched.pid), mark_(std::move(mark)), in_(executor, launched.in.release()),
      out_(executor, launched.out.release()), err_(executor, launched.err.release()),
      ending_fd_(executor, launched.ending.release()) {
  for (Pipe* pipe : {&in_, &out_, &err_}) pipe->native_non_blocking(true);
  is_owned(pid_);
}

Process::~Process() { end(); }

asio::awaitable<bool> Process::wait(Deadline deadline) {
  using namespace asio::experimental::awaitable_operators;
  if (ending()) co_return true;
  Timer timer(ending_fd_.get_executor(), deadline);
  // The descriptor becomes readable when the process ends. After this line the object may be gone.
  auto first =
      co_await (ending_fd_.async_wait(Pipe::wait_read, kToken) || timer.async_wait(kToken));
  co_return first.index() == 0 && !std::get<0>(std::get<0>(first));
}

std::optional<std::string> Process::ending() const {
  if (pid_ <= 0) return last_ending_;
  siginfo_t info{};
  // WNOWAIT leaves it unreaped: its id must stay ours until the group has been killed.
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      info.si_pid == 0)
    return std::nullopt;
  return (info.si_code == CLD_EXITED ? "exit " : "signal ") + std::to_string(info.si_status);
}

void Process::signal(int number) {
  if (pid_ > 0) ::kill(-pid_, number);
}

void Process::end() {
  if (pid_ <= 0) return;
  const std::vector<pid_t> below = mark_.empty() ? std::vector<pid_t>() : descendants_of(pid_);
  ::kill(-pid_, SIGKILL);
  // Death follows at once unless the kernel holds it in an uninterruptible call; we do not wait for
  // that longer than it is worth.
  pollfd ready{ending_fd_.native_handle(), POLLIN, 0};
  while (::poll(&ready, 1, 5000) < 0 && errno == EINTR) {
  }
  last_ending_ = ending();
  Guardian::remove(Guardian::descriptor(), pid_);
  if (!mark_.empty()) end_marked(mark_, below);
  while (::waitpid(pid_, nullptr, WNOHANG) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  boost::system::error_code ignored;
  for (Pipe* pipe : {&in_, &out_, &err_, &ending_fd_}) pipe->close(ignored);
}

}  // namespace harness::transport
