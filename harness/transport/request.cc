// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/request.h"

#include <algorithm>

namespace harness::transport {

namespace {

constexpr std::string_view kLeaveOut("\0", 1);

void replace(std::vector<wire::Header>& headers, const std::vector<wire::Header>& by) {
  std::erase_if(headers, [&](const wire::Header& old) {
    return std::any_of(by.begin(), by.end(), [&](const wire::Header& h) {
      return ascii::equal_ignoring_case(h.name, old.name);
    });
  });
  for (const wire::Header& header : by) {
    if (header.value != kLeaveOut) headers.push_back(header);
  }
}

std::vector<wire::Header> own_headers(const Url& url) {
  return {{"Host", url.authority},
          {"User-Agent", "rpcspec/" RPCSPEC_VERSION},
          {"Accept", "application/json, text/event-stream"}};
}

}  // namespace

std::vector<wire::Header> usual_headers(const Url& url, const std::vector<wire::Header>& session) {
  std::vector<wire::Header> headers = own_headers(url);
  replace(headers, url.credentials);
  replace(headers, session);
  return headers;
}

std::string request_bytes(const Url& url, const std::vector<wire::Header>& session,
                          const wire::HttpHead& wanted, std::string_view body) {
  const std::string method = wanted.method.empty() ? "POST" : wanted.method;
  std::vector<wire::Header> headers = own_headers(url);
  const bool chunked =
      std::any_of(wanted.headers.begin(), wanted.headers.end(), [](const wire::Header& h) {
        return ascii::equal_ignoring_case(h.name, "Transfer-Encoding");
      });
  if (!body.empty() || method == "POST") {
    headers.push_back({"Content-Type", "application/json"});
    // A sender of its own Transfer-Encoding has framed the body himself.
    if (!chunked) headers.push_back({"Content-Length", std::to_string(body.size())});
  }
  replace(headers, url.credentials);
  replace(headers, session);
  replace(headers, wanted.headers);

  std::string out =
      method + " " + (wanted.target.empty() ? url.target : wanted.target) + " HTTP/1.1\r\n";
  for (const wire::Header& header : headers) out += header.name + ": " + header.value + "\r\n";
  out += "\r\n";
  out += body;
  return out;
}

}  // namespace harness::transport
