// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "harness/base/text.h"
#include "harness/transport/guardian.h"
#include "harness/transport/timer.h"

namespace harness::transport {

namespace asio = boost::asio;

namespace {

// A descriptor that is closed unless it is released.
class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

struct PipePair {
  Fd read, write;
};

std::optional<PipePair> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  PipePair pipe{Fd(ends[0]), Fd(ends[1])};
  // With our own standard streams closed the pipe gets their numbers, and the child's dup2 calls
  // would overwrite one end with the other.
  for (Fd* end : {&pipe.read, &pipe.write}) {
    if (end->get() > 2) continue;
    *end = Fd(::fcntl(end->get(), F_DUPFD_CLOEXEC, 3));
    if (end->get() < 0) return std::nullopt;
  }
  return pipe;
}

enum class Stage { kNone, kFork, kCwd, kStreams, kExec };

// All that the child needs, prepared before vfork: afterwards it may not allocate.
struct Plan {
  const char* program;
  char* const* argv;
  char* const* envp;
  const char* cwd;  // null: ours
  int streams[3];
  int guardian;
  pid_t parent;
  sigset_t mask;  // to restore
  // Written by the child, which shares our memory until it executes.
  mutable volatile Stage failed = Stage::kNone;
  mutable volatile int error = 0;
};

[[noreturn]] void fail(const Plan& plan, Stage stage) {
  plan.error = errno;
  plan.failed = stage;
  ::_exit(127);
}

[[noreturn]] void become_target(const Plan& plan) {
  ::setpgid(0, 0);
  Guardian::add(plan.guardian, ::getpid());
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != plan.parent) ::_exit(127);  // rpcspec died before the line above
  for (int fd = 0; fd < 3; ++fd) {
    if (::dup2(plan.streams[fd], fd) < 0) fail(plan, Stage::kStreams);
  }
  if (plan.cwd != nullptr && ::chdir(plan.cwd) != 0) fail(plan, Stage::kCwd);
#ifdef SYS_close_range
  ::syscall(SYS_close_range, 3u, ~0u, 0u);  // Asio's sockets are not close-on-exec
#endif
  // Our handlers must not run in here, and ignored signals would stay ignored. What was sent to our
  // group before we left it is dropped by ignoring it once.
  struct sigaction ignored {
  }, defaults{};
  ignored.sa_handler = SIG_IGN;
  defaults.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) {
    ::sigaction(number, &ignored, nullptr);
    ::sigaction(number, &defaults, nullptr);
  }
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(plan.program, plan.argv, plan.envp);
  fail(plan, Stage::kExec);
}

// In a function of its own so that nothing the caller keeps in registers lives across vfork.
[[gnu::noinline]] pid_t launch(const Plan& plan) {
  const pid_t pid = ::vfork();
  if (pid == 0) become_target(plan);
  return pid;
}

using Environment = std::vector<std::string>;

Environment child_environment(const Launch& launch) {
  Environment out;
  auto replaced = [&](std::string_view entry) {
    return std::any_of(launch.env.begin(), launch.env.end(), [&](const auto& pair) {
      return entry.size() > pair.first.size() && entry[pair.first.size()] == '=' &&
             entry.starts_with(pair.first);
    });
  };
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    if (!replaced(*entry)) out.emplace_back(*entry);
  }
  for (const auto& [name, value] : launch.env) out.push_back(name + "=" + value);
  return out;
}

bool is_program(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

// A name without a slash is looked up as a shell would; "" when nothing is found.
std::string find_program(const std::string& name, const Environment& environment) {
  if (name.find('/') != std::string::npos) return name;
  std::string_view path = "/usr/local/bin:/usr/bin:/bin";
  for (const std::string& entry : environment) {
    if (entry.starts_with("PATH=")) path = std::string_view(entry).substr(5);
  }
  for (;;) {
    const std::size_t colon = path.find(':');
    std::string candidate(path.substr(0, colon));
    candidate += candidate.empty() ? "./" : "/";
    candidate += name;
    if (is_program(candidate)) return candidate;
    if (colon == std::string_view::npos) return {};
    path.remove_prefix(colon + 1);
  }
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  out.reserve(strings.size() + 1);
  for (const std::string& s : strings) out.push_back(const_cast<char*>(s.c_str()));
  out.push_back(nullptr);
  return out;
}

Error cannot_start(const Launch& launch, const std::string& why, const std::string& remedy) {
  return {"", "cannot start '" + printable(launch.command.front()) + "': " + why, remedy};
}

Error explain(const Launch& launch, Stage stage, int error) {
  const std::string reason = std::strerror(error);
  if (stage == Stage::kCwd) {
    return cannot_start(launch, "its directory '" + printable(launch.cwd) + "': " + reason,
                        "set `cwd` to a directory that exists");
  }
  if (stage == Stage::kExec) {
    switch (error) {
      case ENOENT:
        return launch.command.front().find('/') != std::string::npos &&
                       is_program(launch.command.front())
                   ? cannot_start(launch, "its interpreter or loader is missing",
                                  "check the path in the first line (#!) of the file")
                   : cannot_start(launch, "no such file",
                                  "check the path; it is relative to the directory the target is "
                                  "started in");
      case EACCES:
        return cannot_start(launch, "it is not executable",
                            "chmod +x it, or name the interpreter first");
      case ENOEXEC:
        return cannot_start(launch, "it is neither a program nor a script with a #! line",
                            "name the interpreter first, for example python3 server.py");
      case E2BIG:
        return cannot_start(launch, "arguments and environment are too long",
                            "shorten `command` or `env`");
      default:
        break;
    }
  }
  return cannot_start(launch, reason,
                      "free resources (processes, memory, open files) or lower "
                      "--jobs");
}

Error exhausted(const Launch& launch) {
  return cannot_start(launch, std::strerror(errno), "raise `ulimit -n` or lower --jobs");
}

}  // namespace

void ignore_broken_pipes() {
  struct sigaction now {};
  if (::sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) {
    ::signal(SIGPIPE, SIG_IGN);
  }
}

Result<std::unique_ptr<Process>> Process::start(asio::any_io_executor executor,
                                                const Launch& wanted) {
  if (wanted.command.empty() || wanted.command.front().empty()) {
    return Error{"", "the target has no command to start", "give one after --, or `command:`"};
  }
  ignore_broken_pipes();
  const Environment environment = child_environment(wanted);
  const std::string program = find_program(wanted.command.front(), environment);
  if (program.empty()) {
    return cannot_start(wanted, "no such program on PATH",
                        "check the spelling, or give the path of the program");
  }

  auto in = make_pipe();
  auto out = make_pipe();
  auto err = make_pipe();
  if (!in || !out || !err) return exhausted(wanted);

  const std::vector<char*> argv = pointers(wanted.command);
  const std::vector<char*> envp = pointers(environment);
  Plan plan{};
  plan.program = program.c_str();
  plan.argv = argv.data();
  plan.envp = envp.data();
  plan.cwd = wanted.cwd.empty() ? nullptr : wanted.cwd.c_str();
  plan.streams[0] = in->read.get();
  plan.streams[1] = out->write.get();
  plan.streams[2] = err->write.get();
  plan.guardian = Guardian::descriptor();
  plan.parent = ::getpid();

  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = launch(plan);
  const int fork_error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);

  if (pid < 0) return explain(wanted, Stage::kFork, fork_error);
  if (plan.failed != Stage::kNone) {
    Guardian::remove(plan.guardian, pid);
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return explain(wanted, plan.failed, plan.error);
  }
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (pidfd < 0) {
    Error error = exhausted(wanted);
    // Where vfork is made of fork, as under valgrind, its group may not be there yet.
    ::kill(-pid, SIGKILL);
    ::kill(pid, SIGKILL);
    Guardian::remove(plan.guardian, pid);
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return error;
  }
  return std::unique_ptr<Process>(
      new Process(pid, pidfd, {in->write.release(), out->read.release(), err->read.release()},
                  std::move(executor)));
}

Process::Process(pid_t pid, int pidfd, std::array<int, 3> ends, asio::any_io_executor executor)
    : pid_(pid),
      in_(executor, ends[0]),
      out_(executor, ends[1]),
      err_(executor, ends[2]),
      pidfd_(executor, pidfd) {
  for (Pipe* pipe : {&in_, &out_, &err_}) pipe->native_non_blocking(true);
}

Process::~Process() { end(); }

asio::awaitable<bool> Process::wait(Deadline deadline) {
  using namespace asio::experimental::awaitable_operators;
  if (ending()) co_return true;
  constexpr auto kToken = asio::as_tuple(asio::use_awaitable);
  Timer timer(pidfd_.get_executor(), deadline);
  // The descriptor becomes readable when the process ends. After this line the object may be gone.
  auto first = co_await (pidfd_.async_wait(Pipe::wait_read, kToken) || timer.async_wait(kToken));
  co_return first.index() == 0 && !std::get<0>(std::get<0>(first));
}

std::optional<std::string> Process::ending() const {
  if (pid_ <= 0) return last_ending_;
  siginfo_t info{};
  // WNOWAIT leaves it unreaped: its id must stay ours until the group has been killed.
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      info.si_pid == 0) {
    return std::nullopt;
  }
  return (info.si_code == CLD_EXITED ? "exit " : "signal ") + std::to_string(info.si_status);
}

void Process::signal(int number) {
  if (pid_ > 0) ::kill(-pid_, number);
}

void Process::end() {
  if (pid_ <= 0) return;
  ::kill(-pid_, SIGKILL);
  // Death follows at once unless the kernel holds it in an uninterruptible call; we do not wait for
  // that longer than it is worth.
  pollfd ready{pidfd_.native_handle(), POLLIN, 0};
  while (::poll(&ready, 1, 5000) < 0 && errno == EINTR) {
  }
  last_ending_ = ending();
  Guardian::remove(Guardian::descriptor(), pid_);
  while (::waitpid(pid_, nullptr, WNOHANG) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  boost::system::error_code ignored;
  for (Pipe* pipe : {&in_, &out_, &err_, &pidfd_}) pipe->close(ignored);
}

}  // namespace harness::transport
