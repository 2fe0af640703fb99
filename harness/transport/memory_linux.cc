// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "harness/base/file.h"
#include "harness/transport/memory.h"

namespace harness::transport {

std::optional<std::uint64_t> resident_bytes(int process_group) {
  if (process_group <= 0) return std::nullopt;
  namespace fs = std::filesystem;
  std::uint64_t pages = 0;
  bool found = false;
  std::error_code error;
  for (fs::directory_iterator it("/proc", error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c); }))
      continue;
    const Result<std::string> stat = read_file((it->path() / "stat").string());
    if (!stat) continue;  // it has ended
    const std::string& text = *stat;
    // The program's name stands in brackets and may hold anything; behind it: state, parent, group.
    const auto close = text.rfind(')');
    if (close == std::string::npos) continue;
    std::istringstream rest(text.substr(close + 1));
    std::string state;
    int parent = 0, group = 0;
    if (!(rest >> state >> parent >> group) || group != process_group) continue;
    std::ifstream statm(it->path() / "statm");
    std::uint64_t size = 0, resident = 0;
    if (!(statm >> size >> resident)) continue;
    pages += resident;
    found = true;
  }
  if (!found) return std::nullopt;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace harness::transport
