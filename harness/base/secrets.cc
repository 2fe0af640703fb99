// SPDX-License-Identifier: Apache-2.0
#include "harness/base/secrets.h"

#include <algorithm>
#include <cctype>

#include "harness/base/ascii.h"
#include "harness/base/base64.h"

namespace harness {
namespace {

constexpr std::size_t kShortestPart = 16;      // of a token or a text of several lines
constexpr std::size_t kShortestEncoded = 6;    // what of a Base64 text depends on the secret alone
constexpr std::size_t kShortestRemainder = 6;  // what a shortened text may keep of a secret
constexpr std::size_t kTelling = 12;
constexpr std::string_view kEllipsis = "\xe2\x80\xa6";

int number(std::string_view digits) {
  int value = 0;
  for (const char c : digits) {
    if (!ascii::is_hex(c)) return -1;
    value = value * 16 + ascii::hex_digit(c);
  }
  return value;
}

std::string utf8(int code) {
  std::string out;
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    out += static_cast<char>(0xe0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
  return out;
}

// A character written in another way: what it means, and how many bytes it takes; none: 0.
struct Spelling {
  std::string means;
  std::size_t length = 0;
};

Spelling percent(std::string_view text) {
  if (text.size() < 3 || number(text.substr(1, 2)) < 0) return {};
  return {std::string(1, static_cast<char>(number(text.substr(1, 2)))), 3};
}

Spelling entity(std::string_view text) {
  struct Row {
    std::string_view name;
    char means;
  };
  constexpr Row kRows[] = {{"&amp;", '&'},  {"&lt;", '<'},   {"&gt;", '>'},
                           {"&quot;", '"'}, {"&#39;", '\''}, {"&apos;", '\''}};
  for (const Row& row : kRows)
    if (text.substr(0, row.name.size()) == row.name)
      return {std::string(1, row.means), row.name.size()};
  return {};
}

// JSON in JSON has its backslashes doubled, so any number of them is one.
Spelling escape(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of('\\'), text.size());
  if (end == text.size()) return {"\\", end};
  const char kind = text[end];
  if (kind == 'u' && text.size() >= end + 5 && number(text.substr(end + 1, 4)) >= 0)
    return {utf8(number(text.substr(end + 1, 4))), end + 5};
  constexpr std::string_view kLetters = "nrtbf";
  constexpr std::string_view kMeant = "\n\r\t\b\f";
  if (kind == '"' || kind == '/') return {std::string(1, kind), end + 1};
  if (const std::size_t i = kLetters.find(kind); i != std::string_view::npos)
    return {std::string(1, kMeant[i]), end + 1};
  return {"\\", end};
}

Spelling spelling(std::string_view text) {
  switch (text.front()) {
    case '%': return percent(text);
    case '&': return entity(text);
    case '\\': return escape(text);
    case '+': return {" ", 1};
    default: return {};
  }
}

std::string hexadecimal(std::string_view bytes, const char* digits) {
  std::string out;
  for (const unsigned char byte : bytes) {
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

// The characters of Base64 that depend on the secret alone, when `offset` bytes stand before it.
std::string base64_core(std::string_view secret, std::size_t offset) {
  std::string text = to_base64(std::string(offset, '\0') + std::string(secret));
  const std::size_t from = (offset * 8 + 5) / 6;
  const std::size_t to = (offset + secret.size()) * 8 / 6;
  return text.substr(from, to - from);
}

// What a cut left of an escape such as \u0041, %41 or &quot;: its length.
std::size_t half_an_escape(std::string_view text) {
  if (text.empty() || std::string_view("\\%&").find(text.front()) == text.npos) return 0;
  std::size_t length = 1;
  while (length < text.size() && length < 6 &&
         (std::isalnum(static_cast<unsigned char>(text[length])) != 0 || text[length] == '#'))
    ++length;
  return length;
}

bool is_token_part(std::string_view text) {
  return text.size() >= kShortestPart && std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '_';
         });
}

std::vector<std::string_view> cut(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(at, from), text.size());
    parts.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

}  // namespace

void Secrets::add(const std::string& name, std::string_view value) {
  if (value.size() < kShortest) return;
  add_needle(name, std::string(value), false);
  add_needle(name, hexadecimal(value, "0123456789abcdef"), true);
  add_needle(name, hexadecimal(value, "0123456789ABCDEF"), true);
  for (std::size_t offset = 0; offset < 3; ++offset) {
    std::string core = base64_core(value, offset);
    if (core.size() < kShortestEncoded) continue;
    add_needle(name, core, true);
    // The alphabet of URLs.
    std::replace(core.begin(), core.end(), '+', '-');
    std::replace(core.begin(), core.end(), '/', '_');
    add_needle(name, std::move(core), true);
  }
  if (const auto lines = cut(value, '\n'); lines.size() > 1)
    for (const std::string_view line : lines)
      if (line.size() >= kShortestPart) add_needle(name, std::string(line), false);
  const auto parts = cut(value, '.');
  if (parts.size() == 3 && is_token_part(parts[1]) && is_token_part(parts[2]))
    for (const std::string_view part : {parts[1], parts[2]})
      add_needle(name, std::string(part), false);
}

void Secrets::add_needle(const std::string& name, std::string text, bool spelled) {
  for (const Needle& needle : needles_)
    if (needle.text == text) return;
  begins_[static_cast<unsigned char>(text.front())] = true;
  for (const unsigned char c : std::string_view("\\%&+")) begins_[c] = true;
  const auto shorter = std::find_if(needles_.begin(), needles_.end(), [&](const Needle& needle) {
    return needle.text.size() < text.size();
  });
  needles_.insert(shorter, {name, std::move(text), spelled});
}

std::size_t Secrets::match(const Needle& needle, std::string_view text, std::size_t at,
                           bool whole) const {
  const std::string_view wanted = needle.text;
  std::size_t i = at;
  std::size_t done = 0;
  while (done < wanted.size() && i < text.size()) {
    const Spelling other = needle.spelled ? Spelling{} : spelling(text.substr(i));
    if (other.length > 0 && wanted.substr(done, other.means.size()) == other.means) {
      i += other.length;
      done += other.means.size();
    } else if (text[i] == wanted[done]) {
      ++i;
      ++done;
    } else {
      break;
    }
  }
  if (done == wanted.size()) return i - at;
  if (whole || done < kShortestRemainder) return 0;
  i += needle.spelled ? 0 : half_an_escape(text.substr(i));
  const std::string_view rest = text.substr(i);
  const bool shortened = rest.empty() || rest.starts_with(kEllipsis) ||
                         (rest.front() == ' ' && rest.substr(1).starts_with(kEllipsis));
  return shortened ? i - at : 0;
}

std::string Secrets::masked(std::string_view text) const {
  std::string out;
  if (needles_.empty()) return std::string(text);
  for (std::size_t i = 0; i < text.size();) {
    std::size_t length = 0;
    if (begins_[static_cast<unsigned char>(text[i])]) {
      for (const Needle& needle : needles_) {
        length = match(needle, text, i, false);
        if (length == 0) continue;
        out += "\xc2\xabsecret " + needle.name + "\xc2\xbb";
        break;
      }
    }
    if (length == 0) out += text[i++];
    i += length;
  }
  return out;
}

bool Secrets::found_in(std::string_view text) const {
  if (needles_.empty()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!begins_[static_cast<unsigned char>(text[i])]) continue;
    for (const Needle& needle : needles_)
      if (needle.text.size() >= kTelling && match(needle, text, i, true) > 0) return true;
  }
  return false;
}

}  // namespace harness
