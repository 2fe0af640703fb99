// SPDX-License-Identifier: Apache-2.0
// A message a line, on stdin and stdout.
#include <iostream>
#include <string>

#include "calculator.h"

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    if (const std::string said = handle(line); !said.empty()) std::cout << said << std::endl;
  }
}
