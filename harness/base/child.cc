// SPDX-License-Identifier: Apache-2.0
#include "harness/base/child.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <string_view>
#include <utility>

#include "harness/base/os.h"

namespace harness {
namespace {

constexpr char kDone = '+';   // stands before what was returned
constexpr char kThrew = '-';  // and this before what was thrown

std::string outcome_of(const std::function<std::string()>& work) {
  try {
    return kDone + work();
  } catch (const std::exception& thrown) {
    return kThrew + std::string(thrown.what());
  } catch (...) {
    return kThrew + std::string("something that is not an exception was thrown");
  }
}

void write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(to, text.data(), text.size());
    if (n < 0 && errno != EINTR) return;
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::string read_all(int from) {
  std::string out;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(from, buffer, sizeof(buffer));
    if (n == 0 || (n < 0 && errno != EINTR)) return out;
    if (n > 0) out.append(buffer, static_cast<std::size_t>(n));
  }
}

Result<std::string> read_outcome(std::string said) {
  if (said.empty()) return Error{"", "its process ended", ""};
  const bool done = said.front() == kDone;
  said.erase(0, 1);
  if (!done) return Error{"", std::move(said), ""};
  return said;
}

}  // namespace

Result<std::string> run_in_child(const std::function<std::string()>& work,
                                 std::chrono::seconds most) {
  int ends[2];
  if (!os::make_pipe(ends)) return read_outcome(outcome_of(work));
  const pid_t child = ::fork();
  if (child < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    return read_outcome(outcome_of(work));
  }
  if (child == 0) {
    // What handles signals here would act for both.
    for (const int number : {SIGINT, SIGTERM, SIGALRM, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL})
      ::signal(number, SIG_DFL);
    ::alarm(static_cast<unsigned>(most.count()));
    ::close(ends[0]);
    write_all(ends[1], outcome_of(work));
    ::_exit(0);  // nothing that is shared is flushed, ended or removed twice
  }
  ::close(ends[1]);
  std::string said = read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    return Error{"", "it took longer than " + std::to_string(most.count()) + " s", ""};
  if (WIFSIGNALED(status)) return Error{"", std::string(::strsignal(WTERMSIG(status))), ""};
  return read_outcome(std::move(said));
}

}  // namespace harness
