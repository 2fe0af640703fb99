// SPDX-License-Identifier: Apache-2.0
// The levels of MCP's log messages, those of RFC 5424 §6.2.1, the least severe first.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace harness::spec {

inline constexpr std::array<std::string_view, 8> kLogLevels = {
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

inline bool is_log_level(std::string_view name) {
  return std::find(kLogLevels.begin(), kLogLevels.end(), name) != kLogLevels.end();
}

}  // namespace harness::spec
