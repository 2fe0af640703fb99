// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "harness/base/os.h"

namespace harness::os {
namespace {

constexpr std::chrono::milliseconds kLook{200};  // between two looks at a parent
constexpr long kMostDescriptors = 65536;

int kept_to_us(int descriptor, Waits waits = Waits::kYes) {
  if (descriptor < 0) return -1;
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  if (waits == Waits::kNo) ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
  return descriptor;
}

// In a thread that takes no signal from the others.
template <class F>
bool beside(F work) {
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = true;
  try {
    std::thread(std::move(work)).detach();
  } catch (const std::system_error&) {
    started = false;
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

}  // namespace

bool make_pipe(int (&ends)[2]) {
  if (::pipe(ends) != 0) return false;
  for (const int end : ends) kept_to_us(end);
  return true;
}

int make_socket(int family, int type, int protocol) {
  return kept_to_us(::socket(family, type, protocol));
}

bool make_socket_pair(int (&ends)[2], Waits waits) {
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
  for (const int end : ends) kept_to_us(end, waits);
  return true;
}

int accept_from(int listener, Waits waits) {
  return kept_to_us(::accept(listener, nullptr, nullptr), waits);
}

void end_with(pid_t parent) {
  beside([parent] {
    while (::getppid() == parent) std::this_thread::sleep_for(kLook);
    ::kill(::getpid(), SIGKILL);
  });
}

void end_program_with(pid_t parent) {
  if (::getppid() != parent) ::_exit(127);
}

// Nothing in POSIX is readable when a child ends: a thread waits for it.
int watch_child(pid_t child) {
  int ends[2];
  if (!make_pipe(ends)) return -1;
  const bool started = beside([child, told = ends[1]] {
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
    (void)!::write(told, "", 1);  // an end alone is no input to poll()
    ::close(told);
  });
  if (started) return ends[0];
  for (const int end : ends) ::close(end);
  errno = EAGAIN;
  return -1;
}

bool adopt_orphans() { return false; }

int watch_signals(const sigset_t& signals) {
  int ends[2];
  if (!make_pipe(ends)) return -1;
  for (const int end : ends) kept_to_us(end, Waits::kNo);
  beside([signals, told = ends[1]] {
    for (int number = 0; ::sigwait(&signals, &number) == 0;) {
      const auto letter = static_cast<unsigned char>(number);
      if (::write(told, &letter, 1) < 0 && errno != EAGAIN) return;
    }
  });
  return ends[0];
}

int take_signal(int descriptor) {
  unsigned char letter = 0;
  return ::read(descriptor, &letter, 1) == 1 ? letter : 0;
}

void name_this_process(const char*) {}

void close_others(int kept) {
  const long most = ::sysconf(_SC_OPEN_MAX);
  for (int one = 3; one < std::min(most, kMostDescriptors); ++one)
    if (one != kept) ::close(one);
}

bool fill_with_random(void* bytes, std::size_t size) {
  const int source = ::open("/dev/urandom", O_RDONLY);
  const ssize_t got = source < 0 ? -1 : ::read(source, bytes, size);
  if (source >= 0) ::close(source);
  return got == static_cast<ssize_t>(size);
}

int claim(const std::string& name) {
  const int made = kept_to_us(::open(("/tmp/" + name).c_str(), O_RDWR | O_CREAT, 0666));
  struct flock whole {};
  whole.l_type = F_WRLCK;
  if (made < 0 || ::fcntl(made, F_SETLK, &whole) == 0) return made;
  ::close(made);
  return -1;
}

std::string path_of_this_program() { return ""; }

// No longer in any folder: a program inherits the descriptor.
int make_shared_memory(std::size_t size) {
  char path[] = "/tmp/rpcspec-XXXXXX";
  const int made = ::mkstemp(path);
  if (made < 0) return -1;
  ::unlink(path);
  if (::ftruncate(made, static_cast<off_t>(size)) == 0) return made;
  ::close(made);
  return -1;
}

std::string path_of_shared(int descriptor) { return "/dev/fd/" + std::to_string(descriptor); }

}  // namespace harness::os
