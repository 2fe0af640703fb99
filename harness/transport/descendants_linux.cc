// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <thread>

#include "harness/base/file.h"
#include "harness/base/os.h"
#include "harness/transport/descendants.h"

namespace harness::transport {
namespace {

constexpr int kRounds = 20;  // one that forks without end is followed for so long
constexpr std::chrono::milliseconds kRound{1};
constexpr std::size_t kMostDescendants = 10'000;

std::string folder_of(pid_t process) { return "/proc/" + std::to_string(process); }

// "" where the process has ended, be it between the opening and the read.
std::string content(const std::string& path) {
  const Result<std::string> read = read_file(path);
  return read ? *read : std::string();
}

// Each thread of a process has children of its own.
std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> out;
  const std::string threads = folder_of(process) + "/task";
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir(threads.c_str()), ::closedir);
  if (!listing) return out;
  while (const dirent* entry = ::readdir(listing.get())) {
    if (entry->d_name[0] == '.') continue;
    std::istringstream pids(content(threads + "/" + entry->d_name + "/children"));
    for (pid_t pid = 0; pids >> pid;) out.push_back(pid);
  }
  return out;
}

bool bears(pid_t process, const std::string& entry) {
  const std::string environment = content(folder_of(process) + "/environ");
  return environment.find(entry) != std::string::npos;
}

// Those that have become our children, or are about to: how often it was tried to reap them.
std::map<pid_t, int>& to_reap() {
  static std::map<pid_t, int> pids;
  return pids;
}

void reap() {
  constexpr int kTries = 50;
  for (auto entry = to_reap().begin(); entry != to_reap().end();) {
    const bool reaped = ::waitpid(entry->first, nullptr, WNOHANG) == entry->first;
    entry = reaped || ++entry->second > kTries ? to_reap().erase(entry) : std::next(entry);
  }
}

}  // namespace

void is_owned(pid_t process) { to_reap().erase(process); }

std::string new_target_mark() {
  static const bool adopting = os::adopt_orphans();
  (void)adopting;
  static unsigned count = 0;
  return std::to_string(::getpid()) + "." + std::to_string(++count);
}

std::vector<pid_t> descendants_of(pid_t process) {
  std::vector<pid_t> out = children_of(process);
  for (std::size_t i = 0; i < out.size() && out.size() < kMostDescendants; ++i) {
    const std::vector<pid_t> more = children_of(out[i]);
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

void end_marked(const std::string& mark, std::vector<pid_t> among) {
  std::string entry = std::string(kTargetVariable) + "=" + mark;
  entry += '\0';
  for (const pid_t pid : among) to_reap().emplace(pid, 0);
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<pid_t> ours = children_of(::getpid());
    among.insert(among.end(), ours.begin(), ours.end());
    bool any = false;
    for (std::size_t i = 0; i < among.size(); ++i) {
      if (!bears(among[i], entry)) continue;
      const std::vector<pid_t> below = children_of(among[i]);
      among.insert(among.end(), below.begin(), below.end());
      ::kill(among[i], SIGKILL);
      to_reap().emplace(among[i], 0);
      any = true;
    }
    reap();
    if (!any) return;
    among.clear();
    std::this_thread::sleep_for(kRound);
  }
}

}  // namespace harness::transport
