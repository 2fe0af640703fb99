// SPDX-License-Identifier: Apache-2.0
#include "harness/falsify/forks.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "harness/base/result.h"

namespace harness::falsify {
namespace {

struct Child {
  std::size_t number;
  pid_t process;
  int out;
  std::string written;
};

Child start(std::size_t number, int seconds, const std::function<void(std::size_t, int)>& piece) {
  int ends[2];
  check(pipe(ends) == 0, "a pipe is to be had");
  const pid_t process = fork();
  check(process >= 0, "a process can be forked");
  if (process == 0) {
    close(ends[0]);
    alarm(static_cast<unsigned>(seconds));
    piece(number, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  return {number, process, ends[0], ""};
}

// False when the child has closed its end.
bool read_some(Child& child) {
  char block[4096];
  const ssize_t n = read(child.out, block, sizeof block);
  if (n > 0) child.written.append(block, static_cast<std::size_t>(n));
  return n > 0;
}

}  // namespace

void write_line(int out, const std::string& line) {
  const std::string text = line + "\n";
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t n = write(out, rest.data(), rest.size());
    if (n <= 0) _exit(1);
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
}

void fork_each(std::size_t count, int jobs, int seconds,
               const std::function<void(std::size_t, int)>& piece,
               const std::function<void(std::size_t, const std::string&)>& over) {
  std::vector<Child> children;
  std::size_t next = 0;
  while (next < count || !children.empty()) {
    while (next < count && static_cast<int>(children.size()) < jobs)
      children.push_back(start(next++, seconds, piece));
    std::vector<pollfd> waiting;
    for (const Child& child : children) waiting.push_back({child.out, POLLIN, 0});
    if (poll(waiting.data(), waiting.size(), -1) <= 0) continue;
    for (std::size_t i = waiting.size(); i-- > 0;) {
      if (waiting[i].revents == 0 || read_some(children[i])) continue;
      close(children[i].out);
      waitpid(children[i].process, nullptr, 0);
      over(children[i].number, children[i].written);
      children.erase(children.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

}  // namespace harness::falsify
