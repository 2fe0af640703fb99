// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <system_error>

#include "harness/base/port_owner.h"

namespace harness {
namespace {

namespace fs = std::filesystem;

// The names under which /proc/PID/fd knows the sockets that listen at the port.
std::set<std::string> sockets_at(std::uint16_t port) {
  constexpr const char* kListening = "0A";
  std::set<std::string> sockets;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream lines(table);
    std::string line;
    std::getline(lines, line);  // the heading
    while (std::getline(lines, line)) {
      std::istringstream cells(line);
      std::string number, local, remote, state, queues, timer, retries, user, timeout, inode;
      cells >> number >> local >> remote >> state >> queues >> timer >> retries >> user >>
          timeout >> inode;
      const std::size_t colon = local.rfind(':');
      unsigned at = 0;
      if (state != kListening || colon == std::string::npos) continue;
      std::from_chars(local.data() + colon + 1, local.data() + local.size(), at, 16);
      if (at == port) sockets.insert("socket:[" + inode + "]");
    }
  }
  return sockets;
}

bool holds_one_of(const std::set<std::string>& sockets, const fs::path& process) {
  std::error_code error;
  for (fs::directory_iterator at(process / "fd", error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;
    if (sockets.count(fs::read_symlink(at->path(), gone).string()) != 0) return true;
  }
  return false;
}

}  // namespace

std::vector<long> processes_at(std::uint16_t port) {
  std::vector<long> out;
  const std::set<std::string> sockets = sockets_at(port);
  if (sockets.empty()) return out;
  std::error_code error;
  for (fs::directory_iterator at("/proc", error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    long process = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), process);
    if (read.ec != std::errc() || read.ptr != name.data() + name.size()) continue;
    if (holds_one_of(sockets, at->path())) out.push_back(process);
  }
  return out;
}

}  // namespace harness
