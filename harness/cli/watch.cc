// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/watch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "harness/base/os.h"
#include "harness/base/text.h"
#include "harness/cli/exit_code.h"
#include "reports/layout.h"

namespace harness::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kLookEveryMs = 300;
// A file that changes in so many plays one after the other is written by the server itself.
constexpr int kMostInARow = 3;

// When each file was written, and its size.
using Snapshot = std::map<std::string, std::pair<fs::file_time_type, std::uintmax_t>>;

void look_into(const fs::path& folder, const std::set<std::string>& ignored, Snapshot& found) {
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    std::error_code gone;
    const std::string name = at->path().filename().string();
    const bool hidden = name.starts_with('.') || name == "node_modules" || name == "__pycache__";
    if (at->is_directory(gone)) {
      if (hidden) at.disable_recursion_pending();
    } else if (at->is_regular_file(gone) && !hidden && !ignored.contains(at->path().string())) {
      const auto time = at->last_write_time(gone);
      found[at->path().string()] = {time, at->file_size(gone)};
    }
  }
}

std::vector<std::string> changes_between(const Snapshot& before, const Snapshot& after) {
  std::vector<std::string> names;
  for (const auto& [name, stamp] : after)
    if (const auto old = before.find(name); old == before.end() || old->second != stamp)
      names.push_back(name);
  for (const auto& [name, stamp] : before)
    if (!after.contains(name)) names.push_back(name);
  return names;
}

volatile std::sig_atomic_t told_to_end = 0;
int nowhere = -1;  // /dev/null

std::string in_short(const std::vector<std::string>& names) {
  std::string out = printable(fs::path(names.front()).filename().string());
  if (names.size() > 1)
    out += " and " + reports::counted(names.size() - 1, "more file", "more files");
  return out;
}

struct WatchedPlay {
  int code = kInternal;
  std::vector<std::string> failed;
  std::vector<std::string> changes;  // that cut it short
};

class Watcher {
 public:
  Watcher(const WatchedFiles& files, const PlayCases& play)
      : files_(files), play_(play), ignored_(files.ignored.begin(), files.ignored.end()) {}

  int run() {
    for (const int number : {SIGINT, SIGTERM}) std::signal(number, [](int) { told_to_end = 1; });
    nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    leave_out_our_output();
    std::vector<std::string> failed, changes;
    while (told_to_end == 0) {
      seen_ = settled();
      if (!failed.empty()) {
        std::fprintf(stderr, "rpcspec: %s changed: first what failed (%s), then everything\n",
                     in_short(changes).c_str(),
                     reports::counted(failed.size(), "case", "cases").c_str());
        if (WatchedPlay first = play_once(failed); !first.changes.empty()) {
          changes = std::move(first.changes);
          continue;
        }
        if (told_to_end != 0) break;
      } else if (!changes.empty()) {
        std::fprintf(stderr, "rpcspec: %s changed\n", in_short(changes).c_str());
      }
      WatchedPlay whole = play_once({});
      changes = std::move(whole.changes);
      if (changes.empty()) changes = sought(changes_between(seen_, look()));
      if (!changes.empty()) continue;
      in_a_row_.clear();
      // One that could not be met has told nothing of what failed.
      if (whole.code == kOk || whole.code == kViolations) failed = std::move(whole.failed);
      if (told_to_end != 0) break;
      std::fprintf(stderr, "rpcspec: waiting for a change in %s; Ctrl+C ends\n",
                   printable(files_.folders.front()).c_str());
      while (told_to_end == 0 && changes.empty()) {
        poll(nullptr, 0, kLookEveryMs);
        changes = changes_between(seen_, look());
      }
    }
    return kInterrupted;
  }

 private:
  Snapshot look() const {
    Snapshot found;
    for (const std::string& folder : files_.folders) look_into(folder, ignored_, found);
    return found;
  }

  // A file of the folder that stdout or stderr is led to.
  void leave_out_our_output() {
    struct stat output {
    }, file{};
    for (const int one : {STDOUT_FILENO, STDERR_FILENO})
      for (const auto& [name, stamp] : look())
        if (fstat(one, &output) == 0 && stat(name.c_str(), &file) == 0 &&
            output.st_dev == file.st_dev && output.st_ino == file.st_ino)
          ignored_.insert(name);
  }

  // Who writes files writes more than one, and each in several pieces.
  Snapshot settled() const {
    Snapshot before = look();
    while (told_to_end == 0) {
      poll(nullptr, 0, kLookEveryMs / 2);
      Snapshot now = look();
      if (changes_between(before, now).empty()) break;
      before = std::move(now);
    }
    return before;
  }

  // Of what has changed, what the server does not write itself.
  std::vector<std::string> sought(std::vector<std::string> names) {
    std::erase_if(names, [&](const std::string& name) {
      if (++in_a_row_[name] < kMostInARow) return false;
      std::fprintf(stderr, "rpcspec: %s changes in every run, so it is no longer watched\n",
                   printable(name).c_str());
      ignored_.insert(name);
      seen_.erase(name);
      return true;
    });
    return names;
  }

  WatchedPlay play_once(const std::vector<std::string>& only) {
    std::fflush(nullptr);
    int ends[2];
    if (!os::make_pipe(ends)) return {};
    const pid_t child = fork();
    if (child == 0) {
      for (const int number : {SIGINT, SIGTERM}) std::signal(number, SIG_DFL);
      // What a play that is cut short would say is of no use.
      std::signal(SIGUSR1, [](int) {
        for (const int one : {STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, one);
      });
      std::vector<std::string> failed;
      const int code = play_(only, failed);
      if (std::FILE* to = fdopen(ends[1], "w"))
        for (const std::string& id : failed) std::fprintf(to, "%s\n", id.c_str());
      std::fflush(nullptr);
      std::_Exit(code);
    }
    close(ends[1]);
    WatchedPlay play;
    if (child > 0) follow(child, ends[0], play);
    close(ends[0]);
    return play;
  }

  // Until it has ended, which a change brings about, too.
  void follow(pid_t child, int from, WatchedPlay& play) {
    std::string told;
    bool ending = false;
    for (char buffer[4096];;) {
      pollfd wait{from, POLLIN, 0};
      const int ready = poll(&wait, 1, kLookEveryMs);
      if (ready > 0) {
        const ssize_t count = read(from, buffer, sizeof buffer);
        if (count == 0) break;
        if (count > 0) told.append(buffer, static_cast<std::size_t>(count));
      } else if (!ending && told_to_end != 0) {
        kill(child, SIGTERM);
        ending = true;
      } else if (!ending) {
        play.changes = sought(changes_between(seen_, look()));
        if (play.changes.empty()) continue;
        kill(child, SIGUSR1);
        kill(child, SIGTERM);
        ending = true;
      }
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status)) play.code = WEXITSTATUS(status);
    for (std::size_t begin = 0, end; (end = told.find('\n', begin)) != std::string::npos;
         begin = end + 1)
      play.failed.push_back(told.substr(begin, end - begin));
  }

  const WatchedFiles& files_;
  const PlayCases& play_;
  std::set<std::string> ignored_;
  std::map<std::string, int> in_a_row_;
  Snapshot seen_;
};

constexpr std::string_view kSystem[] = {"/usr/", "/bin/", "/lib/", "/opt/", "/etc/"};

}  // namespace

Result<WatchedFiles> files_of(const target::Target& target,
                              const std::vector<std::string>& written) {
  if (target.command.empty())
    return Error{"--watch", "it watches the files of a command, but no command is named",
                 "name one, also with --url: --url ADDRESS -- COMMAND"};
  const fs::path base = target.cwd.empty() ? fs::current_path() : fs::absolute(target.cwd);
  std::error_code ignored;
  std::set<std::string> folders;
  for (std::size_t i = 0; i < target.command.size(); ++i) {
    const std::string& word = target.command[i];
    if (i == 0 && word.find('/') == std::string::npos) continue;  // looked up in PATH
    const fs::path path = fs::weakly_canonical(base / word, ignored);
    const bool of_system =
        std::any_of(std::begin(kSystem), std::end(kSystem),
                    [&](const auto& one) { return path.string().starts_with(one); });
    if (fs::is_regular_file(path, ignored) && !of_system)
      folders.insert(path.parent_path().string());
  }
  if (folders.empty()) folders.insert(base.string());
  WatchedFiles files{{folders.begin(), folders.end()}, {}};
  for (const std::string& name : written)
    files.ignored.push_back(fs::weakly_canonical(name, ignored).string());
  return files;
}

int watch(const WatchedFiles& files, const PlayCases& play) { return Watcher(files, play).run(); }

}  // namespace harness::cli
