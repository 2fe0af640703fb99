// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "harness/base/os.h"

namespace harness::os {

bool make_pipe(int (&ends)[2]) { return ::pipe2(ends, O_CLOEXEC) == 0; }

int make_socket(int family, int type, int protocol) {
  return ::socket(family, type | SOCK_CLOEXEC, protocol);
}

bool make_socket_pair(int (&ends)[2], Waits waits) {
  return ::socketpair(AF_UNIX,
                      SOCK_STREAM | SOCK_CLOEXEC | (waits == Waits::kNo ? SOCK_NONBLOCK : 0), 0,
                      ends) == 0;
}

int accept_from(int listener, Waits waits) {
  return ::accept4(listener, nullptr, nullptr,
                   SOCK_CLOEXEC | (waits == Waits::kNo ? SOCK_NONBLOCK : 0));
}

void end_with(pid_t parent) { end_program_with(parent); }

void end_program_with(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it died before the line above
}

int watch_child(pid_t child) { return static_cast<int>(::syscall(SYS_pidfd_open, child, 0)); }

bool adopt_orphans() { return ::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0; }

int watch_signals(const sigset_t& signals) {
  return ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

int take_signal(int descriptor) {
  signalfd_siginfo info{};
  return ::read(descriptor, &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo)
                                                               : 0;
}

void name_this_process(const char* name) { ::prctl(PR_SET_NAME, name); }

void close_others(int kept) {
#ifdef SYS_close_range
  if (kept > 3) ::syscall(SYS_close_range, 3u, static_cast<unsigned>(kept) - 1, 0u);
  ::syscall(SYS_close_range, static_cast<unsigned>(kept) + 1, ~0u, 0u);
#endif
}

bool fill_with_random(void* bytes, std::size_t size) {
  ssize_t got = -1;
  do got = ::getrandom(bytes, size, 0);
  while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(size);
}

// A name in the abstract namespace, which one socket can have.
int claim(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t size = std::min(name.size(), sizeof address.sun_path - 1);
  name.copy(address.sun_path + 1, size);
  const int made = make_socket(AF_UNIX, SOCK_STREAM);
  if (made >= 0 && ::bind(made, reinterpret_cast<const sockaddr*>(&address),
                          static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + size)) == 0)
    return made;
  if (made >= 0) ::close(made);
  return -1;
}

std::string path_of_this_program() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none).string();
}

int make_shared_memory(std::size_t size) {
  const int made = ::memfd_create("rpcspec", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (made < 0) return -1;
  if (::ftruncate(made, static_cast<off_t>(size)) != 0) {
    ::close(made);
    return -1;
  }
  // A program that truncates it would turn our next look into a SIGBUS.
  ::fcntl(made, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  return made;
}

std::string path_of_shared(int descriptor) {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(descriptor);
}

}  // namespace harness::os
