// SPDX-License-Identifier: Apache-2.0
#include "fuzz/triage/play_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "harness/base/os.h"

namespace fuzz {
namespace {

constexpr std::size_t kMostSaid = 1 << 20;  // the begin and the end, half of it each
constexpr int kNotStarted = 127;
using Clock = std::chrono::steady_clock;

class InputFile {
 public:
  explicit InputFile(const std::string& content)
      : path_((std::filesystem::temp_directory_path() / "rpcspec-input-XXXXXX").string()) {
    const int file = ::mkstemp(path_.data());
    if (file < 0)
      throw std::runtime_error("no file can be created at " + path_ + ": " + std::strerror(errno));
    ::close(file);
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~InputFile() { ::unlink(path_.c_str()); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

[[noreturn]] void become(const std::vector<std::string>& words, int said, pid_t parent) {
  ::setpgid(0, 0);
  harness::os::end_program_with(parent);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, 0);
  ::dup2(nothing, 1);
  ::dup2(said, 2);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  ::_exit(kNotStarted);
}

void keep(std::string& said, std::string_view more) {
  said += more;
  if (said.size() > kMostSaid) said.erase(kMostSaid / 2, said.size() - kMostSaid);
}

}  // namespace

std::vector<std::string> words_for(std::vector<std::string> command, const std::string& path) {
  bool placed = false;
  for (std::string& word : command) {
    if (word != "@@") continue;
    word = path;
    placed = true;
  }
  if (!placed) command.push_back(path);
  return command;
}

std::optional<Sight> play_file(const PlayerProgram& program, const std::string& content) {
  const InputFile input(content);
  const std::vector<std::string> words = words_for(program.command, input.path());
  int ends[2];
  if (!harness::os::make_pipe(ends)) throw std::runtime_error("no pipe can be created");
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) become(words, ends[1], parent);
  ::close(ends[1]);
  if (pid < 0) {
    ::close(ends[0]);
    throw std::runtime_error("no process can be started");
  }
  ::setpgid(pid, pid);  // whoever comes first
  Ending ending;
  int status = 0;
  const auto until = Clock::now() + program.patience;
  bool open = true, ended = false;
  std::vector<char> buffer(1 << 16);
  while (!ended) {
    // What it started may hold the pipe open, so the pipe alone does not tell its end.
    pollfd waiting{open ? ends[0] : -1, POLLIN, 0};
    ::poll(&waiting, 1, 10);
    if (open && waiting.revents != 0) {
      const ssize_t size = ::read(ends[0], buffer.data(), buffer.size());
      if (size > 0) keep(ending.said, {buffer.data(), static_cast<std::size_t>(size)});
      open = size > 0 || (size < 0 && errno == EINTR);
    }
    ended = ::waitpid(pid, &status, WNOHANG) != 0;
    if (!ended && Clock::now() >= until) {
      ending.late = true;
      ::kill(-pid, SIGKILL);
      ::waitpid(pid, &status, 0);
      ended = true;
    }
  }
  ::kill(-pid, SIGKILL);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  for (ssize_t size; open && (size = ::read(ends[0], buffer.data(), buffer.size())) > 0;)
    keep(ending.said, {buffer.data(), static_cast<std::size_t>(size)});
  ::close(ends[0]);
  ending.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  ending.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  if (!ending.late && ending.code == kNotStarted && ending.said.empty())
    throw std::runtime_error("cannot start " + words[0]);
  return sight_of(ending);
}

}  // namespace fuzz
