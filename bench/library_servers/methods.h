// SPDX-License-Identifier: Apache-2.0
// What the servers of bench/libraries offer, whatever library is below.
#pragma once

#include <string>
#include <vector>

inline int subtract(int minuend, int subtrahend) { return minuend - subtrahend; }

inline std::string upper(const std::string& text) {
  std::string out = text;
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

// Throws std::out_of_range, like a handler that checks nothing.
inline std::string month(int number) {
  static const std::vector<std::string> kNames{"January", "February", "March",     "April",
                                               "May",     "June",     "July",      "August",
                                               "September", "October", "November", "December"};
  return kNames.at(static_cast<std::size_t>(number - 1));
}
