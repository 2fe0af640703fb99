// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/guardian.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

#include "harness/base/os.h"

namespace harness::transport {

namespace {

constexpr int kGroups = 4096;  // known at the same time; more are left to the parent-death signal

// A positive number adds a group, a negative one removes it.
[[noreturn]] void keep_watch(int descriptor) {
  static std::array<pid_t, kGroups> groups{};
  for (;;) {
    pid_t news = 0;
    const ssize_t n = ::read(descriptor, &news, sizeof news);
    if (n < 0 && errno == EINTR) continue;
    if (n != sizeof news) break;
    for (pid_t& slot : groups) {
      if (news > 0 && slot == 0) {
        slot = news;
        break;
      }
      if (news < 0 && slot == -news) {
        slot = 0;
        break;
      }
    }
  }
  for (pid_t group : groups)
    if (group > 0) ::kill(-group, SIGKILL);
  ::_exit(0);
}

[[noreturn]] void become_guardian(int descriptor) {
  ::setsid();  // the terminal's Ctrl-C is for rpcspec, not for us
  (void)!::chdir("/");
  if (descriptor < 3) descriptor = ::fcntl(descriptor, F_DUPFD, 3);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(signal, SIG_IGN);
  os::name_this_process("rpcspec-guard");
  // Whoever reads our output must not wait for the guardian as well.
  const int null = ::open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; ++fd)
    if (null >= 0) ::dup2(null, fd);
  os::close_others(descriptor);
  keep_watch(descriptor);
}

int start() {
  int ends[2];
  // A pipe keeps so few bytes together.
  if (!os::make_pipe(ends)) return -1;
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::close(ends[1]);
    become_guardian(ends[0]);
  }
  ::close(ends[0]);
  if (pid < 0) {
    ::close(ends[1]);
    return -1;
  }
  // A descriptor that must be 0, 1 or 2 in a child could not stay open there.
  const int moved = ::fcntl(ends[1], F_DUPFD_CLOEXEC, 3);
  ::close(ends[1]);
  if (moved >= 0) ::fcntl(moved, F_SETFL, O_NONBLOCK);
  return moved;
}

void tell(int descriptor, pid_t news) {
  if (descriptor >= 0) (void)!::write(descriptor, &news, sizeof news);
}

}  // namespace

int Guardian::descriptor() {
  static pid_t owner = 0;
  static int fd = -1;
  if (owner !=
      ::getpid()) {  // the first call, or we are a fork and the guardian watches our parent
    if (fd >= 0) ::close(fd);
    owner = ::getpid();
    fd = start();
  }
  return fd;
}

void Guardian::add(int descriptor, pid_t group) { tell(descriptor, group); }
void Guardian::remove(int descriptor, pid_t group) { tell(descriptor, -group); }

}  // namespace harness::transport
