// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/url.h"

#include <algorithm>
#include <charconv>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/base/uri.h"

namespace harness::transport {

namespace {

constexpr const char* kShape = "write it as http://HOST:PORT/PATH";
constexpr const char* kPorts = "write a number from 1 to 65535 after the host";

Error bad(std::string_view url, const std::string& what, const std::string& remedy) {
  return {"", "the url '" + printable(url) + "' " + what, remedy};
}

// What is wrong with an address that is no URI, or that nobody can connect to by itself.
std::optional<Error> wrong(std::string_view text, std::string_view authority) {
  if (authority.find('@') != std::string_view::npos)
    return bad(text, "carries a user name", "leave it out of the address");
  const bool bracket = authority.starts_with('[');
  if (bracket && authority.find(']') == std::string_view::npos)
    return bad(text, "has no ] after its address", kShape);
  const std::size_t colon = authority.find(':', bracket ? authority.find(']') : 0);
  if (authority.empty() || colon == 0) return bad(text, "has no host", kShape);
  if (authority.ends_with(":{port}")) {
    return bad(text, "has {port}, but there is no command to start",
               "write the port that the server listens on, or add the command that starts it");
  }
  if (split_uri(text)) return std::nullopt;
  if (colon != std::string_view::npos) return bad(text, "has no valid port", kPorts);
  return bad(text, "is not an address", kShape);
}

}  // namespace

Result<Url> parse_url(std::string_view text) {
  const std::size_t colon = text.find("://");
  if (colon == std::string_view::npos || colon == 0) return bad(text, "has no scheme", kShape);
  if (std::any_of(text.begin(), text.end(),
                  [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; })) {
    return bad(text, "contains a space or a control character", "percent-encode it");
  }
  const std::string_view rest = text.substr(colon + 3);
  if (const auto error = wrong(text, rest.substr(0, rest.find_first_of("/?#")))) return *error;

  const UriParts parts = *split_uri(text);
  Url url;
  url.scheme = ascii::lower(parts.scheme);
  url.authority = parts.authority;
  url.host = parts.host;
  if (url.host.starts_with('[')) url.host = url.host.substr(1, url.host.size() - 2);
  url.target = parts.target;
  if (!url.target.starts_with('/')) url.target.insert(url.target.begin(), '/');
  if (url.host.empty()) return bad(text, "has no host", kShape);
  if (parts.port.empty()) {
    if (url.scheme == "tcp") return bad(text, "has no port", "write it as tcp://HOST:PORT");
    url.port = url.scheme == "https" || url.scheme == "wss" ? 443 : 80;
    return url;
  }
  const char* end = parts.port.data() + parts.port.size();
  const auto [stop, error] = std::from_chars(parts.port.data(), end, url.port);
  if (error != std::errc{} || stop != end || url.port == 0)
    return bad(text, "has no valid port", kPorts);
  return url;
}

bool is_loopback(const std::string& host) {
  const bool numbers = host.find_first_not_of("0123456789.") == std::string::npos;
  return ascii::equal_ignoring_case(host, "localhost") || host == "::1" ||
         (numbers && host.starts_with("127."));
}

bool is_local(const std::string& address) {
  if (address.empty() || ascii::lower(address).starts_with("unix:")) return true;
  std::string filled = address;  // a port that is still open is given to a command of ours
  if (const auto open = filled.find("{port}"); open != std::string::npos)
    filled.replace(open, 6, "1");
  const Result<Url> url = parse_url(filled);
  return url && is_loopback(url->host);
}

Result<Url> resolve_url(const Url& base, std::string_view reference) {
  const std::string_view scheme = reference.substr(0, reference.find_first_of("/?#"));
  if (scheme.ends_with(':')) return parse_url(reference);
  if (reference.starts_with("//")) return parse_url(base.scheme + ":" + std::string(reference));
  if (reference.empty()) return bad(reference, "is empty", "");
  // On the same host: only what stands behind it is made anew.
  const auto meant = resolve_uri("http://host" + base.target, reference);
  const auto parts = meant ? split_uri(*meant) : std::nullopt;
  if (!parts || parts->authority != "host") return bad(reference, "is not an address", kShape);
  return parse_url(base.scheme + "://" + base.authority + std::string(parts->target));
}

}  // namespace harness::transport
