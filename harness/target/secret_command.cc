// SPDX-License-Identifier: Apache-2.0
#include "harness/target/secret_command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "harness/base/os.h"
#include "harness/base/text.h"

extern char** environ;

namespace harness::target {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kRemedy = "run it by hand: it must print what is wanted, and exit with 0";

struct Descriptor {
  int number = -1;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
};

// The group is its own, so that all it starts can be ended with it.
int spawn(const std::vector<std::string>& command, const std::string& folder, int output,
          pid_t& child) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int failed =
      posix_spawnp(&child, words.front(), &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

enum class End { kExited, kTooLong, kTooMuch };

// Reads until the command ended: what it left behind may hold the pipe open.
End hear(int pipe, int process, Clock::time_point deadline, std::size_t largest,
         std::string& text) {
  char buffer[4096];
  bool open = true;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return End::kTooLong;
    pollfd waits[] = {{open ? pipe : -1, POLLIN, 0}, {process, POLLIN, 0}};
    if (poll(waits, 2, static_cast<int>(std::min<std::int64_t>(left.count(), 60'000))) < 0 &&
        errno != EINTR)
      return End::kTooLong;
    while (open) {
      const ssize_t count = read(pipe, buffer, sizeof buffer);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) break;  // nothing at the moment
      if (count == 0) open = false;
      text.append(buffer, static_cast<std::size_t>(count));
      if (text.size() > largest) return End::kTooMuch;
    }
    if ((waits[1].revents & POLLIN) != 0) return End::kExited;
  }
}

}  // namespace

Result<std::string> printed_by(const std::vector<std::string>& command, const std::string& folder,
                               std::chrono::milliseconds most, std::size_t largest) {
  const std::string shown = "the command " + printable(shell_quoted(command.front()), 100);
  const auto refuse = [&](const std::string& what) {
    return Error{"", shown + " " + what, kRemedy};
  };
  int ends[2];
  if (!os::make_pipe(ends)) return refuse(std::string("has no pipe: ") + std::strerror(errno));
  const Descriptor reads{ends[0]};
  Descriptor writes{ends[1]};
  pid_t child = 0;
  if (const int failed = spawn(command, folder, writes.number, child); failed != 0)
    return refuse(std::string("cannot be started: ") + std::strerror(failed));
  close(writes.number);
  writes.number = -1;
  fcntl(reads.number, F_SETFL, O_NONBLOCK);
  const Descriptor process{os::watch_child(child)};
  std::string text;
  const End end = hear(reads.number, process.number, Clock::now() + most, largest, text);
  kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (end == End::kTooLong)
    return refuse("has not ended after " + std::to_string(most.count()) + " ms");
  if (end == End::kTooMuch) return refuse("prints too much");
  if (WIFSIGNALED(status)) return refuse("ended by signal " + std::to_string(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) return refuse("ended with " + std::to_string(WEXITSTATUS(status)));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  if (text.empty()) return refuse("prints nothing");
  return text;
}

}  // namespace harness::target
