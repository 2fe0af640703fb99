// SPDX-License-Identifier: Apache-2.0
// transport/url, transport/request and the endpoint event of HTTP+SSE. Lines of an input: an
// address, a reference that a page there makes, and the rest, which the server there announces.
//
//   1. An Url has a host, a port, and nothing that could end a line of a request; it is read again
//      from its parts as it was.
//   2. What a server announces stays on its host and port.
//   3. The head of a request holds the lines that were asked for, and one end.
#include <algorithm>

#include "fuzz/targets/property.h"
#include "harness/base/ascii.h"
#include "harness/transport/kinds.h"
#include "harness/transport/request.h"
#include "harness/transport/url.h"

using namespace harness;
using fuzz::hold;
using transport::Url;

namespace {

void check(const Url& url) {
  hold(!url.scheme.empty() && !url.host.empty() && url.port != 0, "an address has its parts",
       url.authority);
  hold(url.target.starts_with('/'), "a target is a path", url.target);
  hold(url.target.find('#') == std::string::npos, "no fragment is sent", url.target);
  for (const std::string& part : {url.scheme, url.host, url.authority, url.target}) {
    hold(std::none_of(part.begin(), part.end(),
                      [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; }),
         "nothing ends a line", part);
  }
  hold(url.authority.find('@') == std::string::npos, "no user name", url.authority);
  const auto again = transport::parse_url(url.scheme + "://" + url.authority + url.target);
  hold(again && again->scheme == url.scheme && again->host == url.host && again->port == url.port &&
           again->target == url.target && again->authority == url.authority,
       "its parts make it", url.scheme + "://" + url.authority + url.target);
}

std::size_t lines(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text = fuzz::text_of(bytes, size);
  const auto url = transport::parse_url(fuzz::take_line(text));
  if (!url) {
    hold(!url.error().what.empty(), "a refusal has a reason");
    return 0;
  }
  check(*url);
  const auto referred = transport::resolve_url(*url, fuzz::take_line(text));
  if (referred) check(*referred);
  if (const auto endpoint = transport::announced(*url, text)) {
    check(*endpoint);
    hold(endpoint->port == url->port, "nothing is posted to another port", text);
    const auto here = [](const std::string& host) {
      return host == "::1" || host.starts_with("127.") ||
             ascii::equal_ignoring_case(host, "localhost");
    };
    hold(ascii::equal_ignoring_case(endpoint->host, url->host) ||
             (here(endpoint->host) && here(url->host)),
         "nothing is posted to another host", text);
  }
  const std::string request = transport::request_bytes(*url, {}, {}, "{}");
  const std::size_t end = request.find("\r\n\r\n");
  hold(end != std::string::npos && request.substr(end + 4) == "{}", "one head", request);
  hold(lines(request) == 7, "a request has the lines we wrote", request);
  return 0;
}
