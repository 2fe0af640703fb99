// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>

#include "harness/base/starvation.h"

namespace harness {
namespace {

namespace fs = std::filesystem;
using std::chrono::nanoseconds;

// The threads of a process.
std::vector<long> threads_of(long process) {
  std::vector<long> threads;
  std::error_code error;
  const fs::path folder = "/proc/" + std::to_string(process) + "/task";
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    long thread = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), thread).ec == std::errc())
      threads.push_back(thread);
  }
  return threads;
}

std::string task(long process, long thread) {
  return "/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/";
}

}  // namespace

Starvation::Threads Starvation::now() const {
  constexpr std::size_t kMostProcesses = 256;  // a target may fork without end
  Threads threads;
  std::vector<long> processes;
  if (ours_) processes.push_back(::getpid());
  processes.insert(processes.end(), others_.begin(), others_.end());
  for (std::size_t i = 0; i < processes.size() && i < kMostProcesses; ++i) {
    for (const long thread : threads_of(processes[i])) {
      const std::string folder = task(processes[i], thread);
      std::ifstream children(folder + "children");
      for (long child = 0; children >> child;) processes.push_back(child);
      if (i == 0 && ours_) continue;  // our own waits are nobody's excuse
      std::ifstream said(folder + "schedstat");
      long long ran = 0, waited = 0;
      if (said >> ran >> waited) threads[thread] = {nanoseconds(ran), nanoseconds(waited)};
    }
  }
  return threads;
}

}  // namespace harness
