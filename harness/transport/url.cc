// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/url.h"

#include <algorithm>
#include <charconv>

#include "harness/base/ascii.h"
#include "harness/base/text.h"

namespace harness::transport {

namespace {

Error bad(std::string_view url, const std::string& what, const std::string& remedy) {
  return {"", "the url '" + printable(url) + "' " + what, remedy};
}

// Takes "." and ".." out of a path, which a query may follow.
std::string without_dots(std::string_view target) {
  const std::size_t end = std::min(target.find_first_of("?#"), target.size());
  std::string out;
  for (std::size_t at = 0; at < end;) {
    const std::size_t next = std::min(target.find('/', at + 1), end);
    const std::string_view segment = target.substr(at, next - at);
    if (segment == "/..") {
      out.resize(std::min(out.rfind('/'), out.size()));
    } else if (segment != "/.") {
      out += segment;
    }
    if (next == end && (segment == "/.." || segment == "/.")) out += '/';
    at = next;
  }
  return out + std::string(target.substr(end));
}

}  // namespace

Result<Url> parse_url(std::string_view text) {
  constexpr const char* kShape = "write it as http://HOST:PORT/PATH";
  Url url;
  const std::size_t colon = text.find("://");
  if (colon == std::string_view::npos || colon == 0) return bad(text, "has no scheme", kShape);
  if (std::any_of(text.begin(), text.end(),
                  [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; })) {
    return bad(text, "contains a space or a control character", "percent-encode it");
  }
  url.scheme = ascii::lower(text.substr(0, colon));

  std::string_view rest = text.substr(colon + 3);
  rest = rest.substr(0, rest.find('#'));
  const std::size_t slash = rest.find_first_of("/?");
  const std::string_view authority = rest.substr(0, slash);
  if (slash != std::string_view::npos) url.target = rest.substr(slash);
  if (!url.target.starts_with('/')) url.target.insert(url.target.begin(), '/');

  if (authority.find('@') != std::string_view::npos) {
    return bad(text, "carries a user name", "leave it out of the address");
  }
  url.authority = authority;
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t close = authority.find(']');
    if (close == std::string_view::npos) return bad(text, "has no ] after its address", kShape);
    url.host = authority.substr(1, close - 1);
    port = authority.substr(close + 1);
  } else {
    url.host = authority.substr(0, authority.find(':'));
    port = authority.substr(url.host.size());
  }
  if (url.host.empty()) return bad(text, "has no host", kShape);
  if ((port.empty() || port == ":") && url.scheme == "tcp") {
    return bad(text, "has no port", "write it as tcp://HOST:PORT");
  }
  if (port.empty() || port == ":") {
    url.port = url.scheme == "https" || url.scheme == "wss" ? 443 : 80;
    return url;
  }
  if (port == ":{port}") {
    return bad(text, "leaves the port open but there is no command to give it to",
               "write the port the server listens on, or add the command that starts it");
  }
  const char* end = port.data() + port.size();
  const auto [stop, error] = std::from_chars(port.data() + 1, end, url.port);
  if (port.front() != ':' || error != std::errc{} || stop != end || url.port == 0) {
    return bad(text, "has no valid port", "write a number from 1 to 65535 after the host");
  }
  return url;
}

Result<Url> resolve_url(const Url& base, std::string_view reference) {
  const std::string_view scheme = reference.substr(0, reference.find_first_of("/?#"));
  if (scheme.ends_with(':')) return parse_url(reference);
  if (reference.starts_with("//")) return parse_url(base.scheme + ":" + std::string(reference));
  if (reference.empty()) return bad(reference, "is empty", "");
  const std::string path = base.target.substr(0, base.target.find('?'));
  std::string target(reference);
  if (target.front() == '?') {
    target = path + target;
  } else if (target.front() != '/') {
    target = path.substr(0, path.rfind('/') + 1) + target;
  }
  return parse_url(base.scheme + "://" + base.authority + without_dots(target));
}

}  // namespace harness::transport
