// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/request.h"

#include <algorithm>

#include "harness/base/ascii.h"
#include "harness/jose/possession.h"

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

void prove(const Url& url, const wire::HttpHead& wanted, const std::string& method,
           std::vector<wire::Header>& headers) {
  if (url.possession == nullptr || wanted.header("DPoP") != nullptr) return;
  wire::HttpHead shown;
  shown.headers = std::move(headers);
  const std::string* authorization = shown.header("Authorization");
  const std::string& place = wanted.target.empty() ? url.target : wanted.target;
  const Result<std::string> proof =
      url.possession->proof_for(authorization != nullptr ? *authorization : "", method,
                                url.scheme + "://" + url.authority + place);
  if (proof && !proof->empty()) shown.headers.push_back({"DPoP", *proof});
  headers = std::move(shown.headers);
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
  prove(url, wanted, method, headers);

  std::string out =
      method + " " + (wanted.target.empty() ? url.target : wanted.target) + " HTTP/1.1\r\n";
  for (const wire::Header& header : headers) out += header.name + ": " + header.value + "\r\n";
  out += "\r\n";
  out += body;
  return out;
}

}  // namespace harness::transport
