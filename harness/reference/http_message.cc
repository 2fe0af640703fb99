// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/http_message.h"

#include <algorithm>

#include "harness/base/ascii.h"
#include "harness/json/write.h"

namespace harness::reference {

std::string HttpRequest::path() const { return target.substr(0, target.find('?')); }

std::optional<std::string> HttpRequest::header(std::string_view name) const {
  for (const auto& [own, value] : headers)
    if (ascii::equal_ignoring_case(own, name)) return value;
  return std::nullopt;
}

std::size_t HttpRequest::count(std::string_view name) const {
  return static_cast<std::size_t>(std::count_if(
      headers.begin(), headers.end(),
      [&](const auto& header) { return ascii::equal_ignoring_case(header.first, name); }));
}

std::optional<std::string> HttpRequest::whole_header(std::string_view name) const {
  std::optional<std::string> whole;
  for (const auto& [own, value] : headers) {
    if (!ascii::equal_ignoring_case(own, name)) continue;
    whole = whole ? *whole + ", " + value : value;
  }
  return whole;
}

HttpReply problem(int status, std::string_view message, int code, std::optional<json::Value> data) {
  json::Value error =
      json::object({{"code", json::number(code)}, {"message", json::string(message)}});
  if (data) error.set("data", std::move(*data));
  const json::Value body = json::object(
      {{"jsonrpc", json::string("2.0")}, {"id", json::null()}, {"error", std::move(error)}});
  return {status, {{"Content-Type", "application/json"}}, json::write(body)};
}

}  // namespace harness::reference
