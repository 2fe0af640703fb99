// SPDX-License-Identifier: Apache-2.0
// A request and a reply of HTTP as plain values, so that what decides about them needs no socket.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/json/value.h"
#include "harness/reference/session.h"

namespace harness::reference {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

// Names of headers as received; lookups ignore case.
struct HttpRequest {
  std::string method;
  std::string target;
  HttpHeaders headers;
  std::string body;
  bool http_1_1 = true;
  bool keep_alive = true;
  bool padded = false;  // the value of a header begins with several blanks

  std::string path() const;  // the target without its query
  // The first line with that name; nothing if there is none.
  std::optional<std::string> header(std::string_view name) const;
  std::size_t count(std::string_view name) const;
  // RFC 9110, 5.3: several lines with one name form one list.
  std::optional<std::string> whole_header(std::string_view name) const;
};

struct HttpReply {
  int status = 200;
  HttpHeaders headers;
  std::string body;
};

// A response whose body is a JSON-RPC error without an id.
HttpReply problem(int status, std::string_view message, int code = kInvalidRequest,
                  std::optional<json::Value> data = std::nullopt);

}  // namespace harness::reference
