// SPDX-License-Identifier: Apache-2.0
#include "harness/base/machine_load.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

namespace harness {

double load_of(std::string_view loadavg, unsigned processors) {
  std::istringstream words{std::string(loadavg)};
  double minute = 0, five = 0, fifteen = 0, running = 0;
  words >> minute >> five >> fifteen >> running;
  return std::max(minute, running) / std::max(1u, processors);
}

double machine_load() {
  std::string line;
  std::ifstream file("/proc/loadavg");
  std::getline(file, line);
  return load_of(line, std::thread::hardware_concurrency());
}

}  // namespace harness
