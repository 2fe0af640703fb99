// SPDX-License-Identifier: Apache-2.0
#include "harness/target/target.h"

namespace harness::target {

namespace {

struct Row {
  std::string_view scheme;
  const char* transport;
};
constexpr std::string_view kHttp = "http";
constexpr Row kTransports[] = {
    {"http", "http"}, {"https", "http"},   {"tcp", "tcp"},
    {"unix", "unix"}, {"ws", "websocket"}, {"wss", "websocket"},
};

}  // namespace

std::optional<Framing> framing_named(std::string_view name) {
  if (name == "line") return Framing::kLine;
  if (name == "content-length") return Framing::kContentLength;
  return std::nullopt;
}

std::string Target::scheme() const {
  std::string scheme = url.substr(0, url.find(':'));
  for (char& c : scheme) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return scheme;
}

const char* Target::transport() const {
  if (stdio()) return framing == Framing::kLine ? "stdio" : "stdio+content-length";
  const std::string own = scheme();
  for (const Row& row : kTransports) {
    if (row.scheme == own) return sse && row.transport == kHttp ? "http+sse" : row.transport;
  }
  return "";
}

bool Target::is_stream() const {
  const std::string own = scheme();
  return stdio() || own == "tcp" || own == "unix";
}

}  // namespace harness::target
