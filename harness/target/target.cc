// SPDX-License-Identifier: Apache-2.0
#include "harness/target/target.h"

#include "harness/base/ascii.h"

namespace harness::target {

namespace {

using wire::TransportKind;

struct Row {
  std::string_view scheme;
  TransportKind transport;
};
constexpr Row kSchemes[] = {
    {"http", TransportKind::kHttp},    {"https", TransportKind::kHttp},
    {"tcp", TransportKind::kTcp},      {"unix", TransportKind::kUnix},
    {"ws", TransportKind::kWebSocket}, {"wss", TransportKind::kWebSocket},
};

}  // namespace

std::optional<Framing> framing_named(std::string_view name) {
  if (name == "line") return Framing::kLine;
  if (name == "content-length") return Framing::kContentLength;
  return std::nullopt;
}

std::string Target::scheme() const {
  return ascii::lower(std::string_view(url).substr(0, url.find(':')));
}

TransportKind Target::transport() const {
  if (stdio())
    return framing == Framing::kContentLength ? TransportKind::kStdioContentLength
                                              : TransportKind::kStdio;
  const std::string own = scheme();
  for (const Row& row : kSchemes) {
    if (row.scheme != own) continue;
    return sse && row.transport == TransportKind::kHttp ? TransportKind::kHttpSse : row.transport;
  }
  return TransportKind::kUnknown;
}

}  // namespace harness::target
