// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/launch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/process/v2/environment.hpp>
#include <boost/process/v2/impl/environment.ipp>  // which header-only Boost 1.81 leaves out
#include <boost/process/v2/posix/vfork_launcher.hpp>
#include <boost/process/v2/process.hpp>
#include <boost/process/v2/start_dir.hpp>
#include <boost/process/v2/stdio.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

#include "harness/base/os.h"
#include "harness/base/text.h"
#include "harness/transport/guardian.h"

namespace harness::transport {

namespace v2 = boost::process::v2;
using boost::system::error_code;

namespace {

struct PipePair {
  Fd read, write;
};

std::optional<PipePair> make_pipe() {
  int ends[2];
  if (!os::make_pipe(ends)) return std::nullopt;
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

// ---- the child, between vfork and execve. It shares our memory, and may not allocate.

enum class Stage { kNone, kFork, kGroup, kStreams, kCwd, kExec };

// Where the child is, and where it failed: told by it, read by us.
struct Progress {
  volatile Stage stage = Stage::kFork;
  volatile Stage failed = Stage::kNone;
  volatile int error = 0;
};

// The initializers, in the order in which the launcher calls them.

struct EnterGroup {
  Progress& progress;
  int guardian;
  pid_t parent;

  error_code on_exec_setup(v2::posix::default_launcher&, const v2::filesystem::path&,
                           const char* const*) {
    progress.stage = Stage::kGroup;
    ::setpgid(0, 0);
    Guardian::add(guardian, ::getpid());
    os::end_program_with(parent);
    return {};
  }
};

// What follows it is this stage.
struct Begin {
  Progress& progress;
  Stage stage;

  error_code on_exec_setup(v2::posix::default_launcher&, const v2::filesystem::path&,
                           const char* const*) {
    progress.stage = stage;
    return {};
  }
};

// Our handlers must not run in the child, and ignored signals would stay ignored. What was sent to
// our group before it left that is dropped by ignoring it once.
struct ResetSignals {
  error_code on_exec_setup(v2::posix::default_launcher&, const v2::filesystem::path&,
                           const char* const*) {
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
    return {};
  }
};

// The launcher would go on with exit(), which runs our destructors in our memory.
struct TellFailure {
  Progress& progress;

  // Boost 1.81 looks for this function with one list of arguments and calls it with another.
  template <class... Arguments>
  void on_exec_error(Arguments&&...) {
    progress.error = errno;
    progress.failed = progress.stage;
    ::_exit(127);
  }
};

// ---- ours

using Environment = std::vector<std::string>;

Environment child_environment(const Launch& wanted) {
  Environment out;
  const auto replaced = [&](std::string_view entry) {
    return std::any_of(wanted.env.begin(), wanted.env.end(), [&](const auto& pair) {
      return entry.size() > pair.first.size() && entry[pair.first.size()] == '=' &&
             entry.starts_with(pair.first);
    });
  };
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    if (!replaced(*entry)) out.emplace_back(*entry);
  for (const auto& [name, value] : wanted.env) out.push_back(name + "=" + value);
  return out;
}

// A name without a slash is looked up on the child's PATH; "" when nothing is found.
v2::filesystem::path find_program(const std::string& name, const Environment& environment) {
  if (name.find('/') != std::string::npos) return name;
  std::vector<v2::environment::key_value_pair> path;
  for (const std::string& entry : environment)
    if (entry.starts_with("PATH=")) path.assign(1, entry);
  if (path.empty()) path.emplace_back("PATH=/usr/local/bin:/usr/bin:/bin");
  return v2::environment::find_executable(name, path);
}

std::vector<const char*> pointers(const std::vector<std::string>& strings) {
  std::vector<const char*> out;
  out.reserve(strings.size() + 1);
  for (const std::string& s : strings) out.push_back(s.c_str());
  out.push_back(nullptr);
  return out;
}

Error cannot_start(const Launch& wanted, const std::string& why, const std::string& remedy) {
  return {"", "cannot start '" + printable(wanted.command.front()) + "': " + why, remedy};
}

bool is_program(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

Error explain(const Launch& wanted, Stage stage, int error) {
  const std::string reason = std::strerror(error);
  if (stage == Stage::kCwd) {
    return cannot_start(wanted, "its directory '" + printable(wanted.cwd) + "': " + reason,
                        "set `cwd` to a directory that exists");
  }
  if (stage == Stage::kExec) {
    switch (error) {
      case ENOENT:
        return wanted.command.front().find('/') != std::string::npos &&
                       is_program(wanted.command.front())
                   ? cannot_start(wanted, "its interpreter or loader is missing",
                                  "check the path in the first line (#!) of the file")
                   : cannot_start(wanted, "no such file",
                                  "check the path; it is relative to the directory the target is "
                                  "started in");
      case EACCES:
        return cannot_start(wanted, "it is not executable",
                            "chmod +x it, or name the interpreter first");
      case ENOEXEC:
        return cannot_start(wanted, "it is neither a program nor a script with a #! line",
                            "name the interpreter first, for example python3 server.py");
      case ETXTBSY:
        return cannot_start(wanted, "it is being written", "start it when the build is done");
      case E2BIG:
        return cannot_start(wanted, "arguments and environment are too long",
                            "shorten `command` or `env`");
      default: break;
    }
  }
  return cannot_start(wanted, reason,
                      "free resources (processes, memory, open files) or lower "
                      "--jobs");
}

Error exhausted(const Launch& wanted, int error) {
  return cannot_start(wanted, std::strerror(error), "raise `ulimit -n` or lower --jobs");
}

void kill_and_reap(pid_t pid) {
  // Where vfork is made of fork, as under valgrind, its group may not be there yet.
  ::kill(-pid, SIGKILL);
  ::kill(pid, SIGKILL);
  Guardian::remove(Guardian::descriptor(), pid);
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

// Its pid; below 0, with `error` set, when there is no child. In a function of its own so that
// nothing the caller keeps in registers lives across vfork.
template <class... Initializers>
[[gnu::noinline]] pid_t fork_and_execute(error_code& error, const v2::filesystem::path& program,
                                         const char** argv, Initializers&&... initializers) {
  v2::posix::vfork_launcher launcher;
  try {
    // A context of its own: the launcher tells the context in the child that it was forked, and one
    // that drives something would then rebuild its event loop, in our memory.
    boost::asio::io_context nothing;
    auto child = launcher(nothing.get_executor(), error, program, argv,
                          std::forward<Initializers>(initializers)...);
    (void)child.detach();  // it would kill and reap
  } catch (const boost::system::system_error& failure) {
    error = failure.code();  // no descriptor was left
    if (launcher.pid > 0) kill_and_reap(launcher.pid);
    return -1;
  }
  return launcher.pid;
}

}  // namespace

Fd::~Fd() {
  if (fd_ >= 0) ::close(fd_);
}

Result<Launched> launch(const Launch& wanted) {
  if (wanted.command.empty() || wanted.command.front().empty())
    return Error{"", "the target has no command to start", "give one after --, or `command:`"};
  const Environment environment = child_environment(wanted);
  const v2::filesystem::path program = find_program(wanted.command.front(), environment);
  if (program.empty()) {
    return cannot_start(wanted, "no such program on PATH",
                        "check the spelling, or give the path of the program");
  }
  auto in = make_pipe();
  auto out = make_pipe();
  auto err = make_pipe();
  if (!in || !out || !err) return exhausted(wanted, errno);

  std::vector<const char*> argv = pointers(wanted.command);
  const int guardian = Guardian::descriptor();
  Progress progress;
  error_code error;
  const auto start = [&](auto&&... in_folder) {
    return fork_and_execute(error, program, argv.data(), v2::process_environment(environment),
                            EnterGroup{progress, guardian, ::getpid()},
                            Begin{progress, Stage::kStreams},
                            v2::process_stdio{in->read.get(), out->write.get(), err->write.get()},
                            Begin{progress, Stage::kCwd}, in_folder...,
                            Begin{progress, Stage::kExec}, ResetSignals{}, TellFailure{progress});
  };
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = wanted.cwd.empty() ? start() : start(v2::process_start_dir(wanted.cwd));
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);

  if (pid < 0) return explain(wanted, Stage::kFork, error.value());
  if (progress.failed != Stage::kNone) {
    kill_and_reap(pid);
    return explain(wanted, progress.failed, progress.error);
  }
  Fd ending(os::watch_child(pid));
  if (ending.get() < 0) {
    const int reason = errno;
    kill_and_reap(pid);
    return exhausted(wanted, reason);
  }
  return Launched{pid, std::move(ending), std::move(in->write), std::move(out->read),
                  std::move(err->read)};
}

}  // namespace harness::transport
