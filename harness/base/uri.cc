// SPDX-License-Identifier: Apache-2.0
#include "harness/base/uri.h"

#include <algorithm>
#include <boost/url/src.hpp>  // the library itself: nothing has to be linked, so once only
#include <boost/url/url.hpp>
#include <cstddef>

#include "harness/base/ascii.h"

namespace harness {
namespace {

namespace urls = boost::urls;

constexpr std::string_view kNeverInUri = "\"<>\\^`{|}";

bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

// Where the path begins, or what stands in its place.
std::size_t behind_authority(std::string_view text) {
  const std::size_t slashes = text.find("//");
  const bool authority =
      slashes == 0 || (slashes != text.npos && slashes > 0 && text[slashes - 1] == ':' &&
                       text.find_first_of("/?#") == slashes);
  return authority ? std::min(text.find_first_of("/?#", slashes + 2), text.size()) : 0;
}

// Whether the byte at `at` is one of the three that are let through everywhere.
bool is_tolerated(std::string_view text, std::size_t at, std::size_t path) {
  const char c = text[at];
  if (is_beyond_ascii(c)) return true;
  if (at < path) return false;
  return c == '[' || c == ']' || (c == '#' && text.find('#') < at);
}

// Whether it begins a % that is no percent-encoding.
bool is_stray_percent(std::string_view text, std::size_t at) {
  return text[at] == '%' &&
         (at + 2 >= text.size() || !ascii::is_hex(text[at + 1]) || !ascii::is_hex(text[at + 2]));
}

// A text of the same length in which a letter stands for each byte that is let through, so that the
// parts of the one are at the places of the other.
std::string stand_in(std::string_view text, bool all) {
  std::string out(text);
  const std::size_t path = behind_authority(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool odd = kNeverInUri.find(text[i]) != kNeverInUri.npos || is_stray_percent(text, i);
    if (is_tolerated(text, i, path) || (all && odd)) out[i] = 'x';
  }
  return out;
}

std::string percent_encoded(std::string_view text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  const std::size_t path = behind_authority(text);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool odd = kNeverInUri.find(text[i]) != kNeverInUri.npos || is_stray_percent(text, i);
    if (!odd && !is_tolerated(text, i, path)) {
      out += text[i];
      continue;
    }
    const auto byte = static_cast<unsigned char>(text[i]);
    out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return out;
}

// Boost 1.81 reads "http://h:x/" as a host, an empty port and the path "x/". Behind an authority a
// path begins with a slash.
bool is_sound(const urls::url_view& read) {
  const std::string_view path = read.encoded_path();
  return !read.has_authority() || path.empty() || path.starts_with('/');
}

std::optional<urls::url_view> parsed(const std::string& text) {
  const auto read = urls::parse_uri(text);
  if (!read || !is_sound(*read)) return std::nullopt;
  return *read;
}

// Boost 1.81 keeps what goes above the root; RFC 3986 section 5.2.4 leaves it out.
std::string without_dots_at_root(std::string text) {
  const std::size_t path = behind_authority(text);
  while (text.compare(path, 4, "/../") == 0) text.erase(path, 3);
  return text;
}

}  // namespace

bool is_uri(std::string_view text) { return parsed(stand_in(text, false)).has_value(); }

std::optional<UriParts> split_uri(std::string_view text) {
  const std::string copy = stand_in(text, true);
  const auto read = parsed(copy);
  if (!read) return std::nullopt;
  const auto part = [&](const auto& seen) {
    return seen.empty()
               ? std::string_view()
               : text.substr(static_cast<std::size_t>(seen.data() - copy.data()), seen.size());
  };
  UriParts out;
  out.scheme = part(read->scheme());
  out.host = part(read->encoded_host());
  out.port = part(read->port());
  std::string_view authority = part(read->encoded_authority());
  const std::size_t at = authority.find('@');
  if (at != authority.npos) {
    out.user = authority.substr(0, at + 1);
    authority.remove_prefix(at + 1);
  }
  out.authority = authority;
  std::size_t begin = out.scheme.size() + 1;
  if (read->has_authority()) begin += 2 + out.user.size() + authority.size();
  out.target = text.substr(begin, std::min(text.find('#'), text.size()) - begin);
  return out;
}

std::optional<std::string> resolve_uri(std::string_view base, std::string_view reference) {
  const std::string at = percent_encoded(base), what = percent_encoded(reference);
  const auto page = parsed(at);
  const auto read = urls::parse_uri_reference(what);
  if (!page || !read || !is_sound(*read)) return std::nullopt;
  urls::url out;
  if (!urls::resolve(*page, *read, out)) return std::nullopt;
  return without_dots_at_root(std::string(out.buffer()));
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && ascii::is_hex(text[i + 1]) &&
        ascii::is_hex(text[i + 2])) {
      out += ascii::from_hex(text.substr(i + 1, 2));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace harness
