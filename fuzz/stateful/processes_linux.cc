// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "fuzz/stateful/processes.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;

constexpr double kMiB = 1 << 20;

std::string folder(int pid) { return "/proc/" + std::to_string(pid); }

// What a runtime may let pile up before it collects. Reference counting and malloc let nothing
// pile up, but keep what is given back.
struct Runtime {
  std::string_view mapped;  // a part of the name of a file that is mapped
  double slack;             // bytes; below 0: no telling
};
constexpr double kPlainSlack = 4 * kMiB;
constexpr Runtime kRuntimes[] = {
    {"/libjvm.so", -1},          {"/libcoreclr.so", -1},    {"/libmonosgen", -1},
    {"/node", 256 * kMiB},       {"/deno", 256 * kMiB},     {"/bun", 256 * kMiB},
    {"/libnode.so", 256 * kMiB}, {"/libruby", 128 * kMiB},  {"/ruby", 128 * kMiB},
    {"/php", 64 * kMiB},         {"/beam.smp", 128 * kMiB}, {"/pypy", 128 * kMiB},
};
constexpr double kGoSlack = 32 * kMiB;

// Go's linker puts a note of its own into the first page of a program.
bool is_go(int pid) {
  std::ifstream file(folder(pid) + "/exe", std::ios::binary);
  std::string page(4096, '\0');
  file.read(page.data(), static_cast<std::streamsize>(page.size()));
  return page.find(std::string_view("\x04\0\0\0Go\0\0", 8)) != std::string::npos;
}

// A sanitizer reserves terabytes for notes about memory, and keeps what was freed for a while.
bool is_shadow(const std::string& line) {
  char* rest = nullptr;
  const std::uint64_t begin = std::strtoull(line.c_str(), &rest, 16);
  const std::uint64_t end = *rest == '-' ? std::strtoull(rest + 1, nullptr, 16) : begin;
  return end - begin >= std::uint64_t{1} << 40 && line.find('/') == std::string::npos;
}

double slack_of(int pid) {
  if (is_go(pid)) return kGoSlack;
  double most = kPlainSlack;
  std::ifstream maps(folder(pid) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    if (is_shadow(line)) return -1;
    const std::size_t path = line.find('/');
    if (path == std::string::npos) continue;
    const std::size_t name = line.rfind('/');
    for (const Runtime& runtime : kRuntimes) {
      const std::string_view file = std::string_view(line).substr(name);
      if (!file.starts_with(runtime.mapped)) continue;
      if (runtime.slack < 0) return -1;
      most = std::max(most, runtime.slack);
    }
  }
  return most;
}

}  // namespace

Processes::Processes(int group) {
  if (group <= 0) return;
  DIR* all = opendir("/proc");
  if (all == nullptr) return;
  while (const dirent* one = readdir(all)) {
    const int pid = std::atoi(one->d_name);
    if (pid > 0 && getpgid(pid) == group) pids_.push_back(pid);
  }
  closedir(all);
}

std::optional<Usage> Processes::usage() const {
  if (pids_.empty()) return std::nullopt;
  Usage out;
  for (const int pid : pids_) {
    std::ifstream status(folder(pid) + "/status");
    bool seen = false;
    for (std::string line; std::getline(status, line);) {
      const auto number = [&](std::string_view name) {
        return line.starts_with(name) ? std::strtod(line.c_str() + name.size(), nullptr) : 0.0;
      };
      out.memory += 1024 * (number("RssAnon:") + number("VmSwap:"));
      out.threads += number("Threads:");
      seen |= line.starts_with("Threads:");
    }
    std::error_code failed;
    double files = 0;
    for (fs::directory_iterator at(folder(pid) + "/fd", failed), end; !failed && at != end;
         at.increment(failed))
      ++files;
    if (failed || !seen) return std::nullopt;
    out.descriptors += files;
  }
  return out;
}

std::optional<std::chrono::nanoseconds> Processes::processor_time() const {
  if (pids_.empty()) return std::nullopt;
  std::chrono::nanoseconds out{};
  for (const int pid : pids_) {
    clockid_t clock{};
    timespec time{};
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
      return std::nullopt;
    out += std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }
  return out;
}

std::optional<double> Processes::slack() const {
  double most = 0;
  for (const int pid : pids_) {
    const double slack = slack_of(pid);
    if (slack < 0) return std::nullopt;
    most += slack;
  }
  return most;
}

}  // namespace fuzz
