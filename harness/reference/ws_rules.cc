// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/ws_rules.h"

#include <openssl/sha.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "harness/base/ascii.h"
#include "harness/base/base64.h"
#include "harness/reference/http_rules.h"

namespace harness::reference::ws {
namespace {

std::string_view without_whitespace(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return text;
}

// One of a comma-separated list, whatever the case.
bool lists(std::string_view list, std::string_view wanted) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (ascii::lower(without_whitespace(list.substr(0, comma))) == wanted) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

// 16 bytes in Base64.
bool is_key(std::string_view text) {
  return text.size() == 24 && text.ends_with("==") &&
         std::all_of(text.begin(), text.end() - 2,
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '+' || c == '/'; });
}

UpgradeAnswer refuse(const std::string& status, const std::string& headers = {}) {
  return {
      "HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: 0\r\nConnection: close\r\n\r\n",
      false};
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto at = [&](std::size_t k) {
      return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u;
    };
    const unsigned first = at(0);
    const std::size_t more = first < 0x80   ? 0
                             : first < 0xc2 ? 9
                             : first < 0xe0 ? 1
                             : first < 0xf0 ? 2
                             : first < 0xf5 ? 3
                                            : 9;
    if (more == 9) return false;
    for (std::size_t k = 1; k <= more; ++k)
      if ((at(k) & 0xc0) != 0x80) return false;
    if ((first == 0xe0 && at(1) < 0xa0) || (first == 0xed && at(1) > 0x9f) ||
        (first == 0xf0 && at(1) < 0x90) || (first == 0xf4 && at(1) > 0x8f))
      return false;
    i += more + 1;
  }
  return true;
}

}  // namespace

HttpRequest request_of(std::string_view head) {
  HttpRequest request;
  const std::string_view line = head.substr(0, head.find("\r\n"));
  const std::size_t first = std::min(line.find(' '), line.size());
  const std::size_t second = std::min(line.find(' ', first + 1), line.size());
  request.method = line.substr(0, first);
  if (first < second) request.target = line.substr(first + 1, second - first - 1);
  for (std::size_t at = line.size(); at + 2 <= head.size();) {
    const std::size_t begin = at + 2;
    at = std::min(head.find("\r\n", begin), head.size());
    const std::string_view one = head.substr(begin, at - begin);
    const std::size_t colon = one.find(':');
    if (colon != std::string_view::npos)
      request.headers.emplace_back(std::string(one.substr(0, colon)),
                                   std::string(without_whitespace(one.substr(colon + 1))));
  }
  return request;
}

UpgradeAnswer answer_handshake(std::string_view head, const Faults& faults) {
  const std::string_view line = head.substr(0, head.find("\r\n"));
  std::multimap<std::string, std::string> headers;
  for (std::size_t at = line.size(); at < head.size();) {
    const std::size_t begin = at + 2;
    const std::size_t end = std::min(head.find("\r\n", begin), head.size());
    if (begin > head.size()) break;
    const std::string_view one = head.substr(begin, end - begin);
    const std::size_t colon = std::min(one.find(':'), one.size());
    const std::string_view value = colon < one.size() ? one.substr(colon + 1) : "";
    headers.emplace(ascii::lower(one.substr(0, colon)), std::string(without_whitespace(value)));
    at = end;
  }
  const auto header = [&](const char* name) {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  };
  if (!line.starts_with("GET ") || !line.ends_with(" HTTP/1.1")) return refuse("400 Bad Request");
  const std::string_view target = line.substr(4, line.size() - 4 - 9);
  if (target.substr(0, target.find('?')) != "/mcp") return refuse("404 Not Found");
  const std::string origin = header("origin");
  if (!origin.empty() && !is_local_origin(origin) && !faults.has("ws-origin-unchecked"))
    return refuse("403 Forbidden");
  const bool exactly = header("upgrade") == "websocket" && header("connection") == "Upgrade";
  const bool wanted =
      lists(header("upgrade"), "websocket") && lists(header("connection"), "upgrade");
  if (!(faults.has("ws-upgrade-compared-exactly") ? exactly : wanted))
    return refuse("426 Upgrade Required", "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n");
  const std::string version = header("sec-websocket-version");
  const bool version_taken = faults.has("ws-version-unchecked") ||
                             (version.empty() && faults.has("ws-version-missing-taken"));
  if (version != "13" && !version_taken) {
    if (faults.has("ws-version-not-named")) return refuse("400 Bad Request");
    return refuse("426 Upgrade Required", "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n");
  }
  const std::string key = header("sec-websocket-key");
  const bool key_taken =
      faults.has("ws-key-unchecked") || (!key.empty() && faults.has("ws-key-of-any-length-taken"));
  if (header("host").empty() || (!is_key(key) && !key_taken)) return refuse("400 Bad Request");

  const bool offered = lists(header("sec-websocket-protocol"), "mcp");
  if (!offered && faults.has("ws-subprotocol-demanded")) return refuse("400 Bad Request");

  std::string text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  if (key.starts_with("++") && faults.has("ws-accept-plus-as-blank")) text[0] = text[1] = ' ';
  if (key.starts_with("dGhl") && faults.has("ws-accept-in-small-letters"))
    text = ascii::lower(text);
  unsigned char digest[SHA_DIGEST_LENGTH];
  SHA1(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest);
  std::string answer =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: " +
      to_base64({reinterpret_cast<const char*>(digest), sizeof digest}) + "\r\n";
  if (offered || faults.has("ws-subprotocol-not-offered"))
    answer += "Sec-WebSocket-Protocol: mcp\r\n";
  return {answer + "\r\n", true};
}

std::optional<Head> take_head(std::string& bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if (bytes.size() < 2) return std::nullopt;
  Head head;
  head.last = (byte(0) & 0x80) != 0;
  head.reserved = (byte(0) & 0x70) != 0;
  head.opcode = byte(0) & 0x0f;
  head.masked = (byte(1) & 0x80) != 0;
  const unsigned length = byte(1) & 0x7f;
  const std::size_t more = length == 126 ? 2 : length == 127 ? 8 : 0;
  const std::size_t end = 2 + more + (head.masked ? 4 : 0);
  if (bytes.size() < end) return std::nullopt;
  head.size = more == 0 ? length : 0;
  for (std::size_t i = 0; i < more; ++i) head.size = head.size << 8 | byte(2 + i);
  if (head.masked) bytes.copy(head.mask, 4, end - 4);
  bytes.erase(0, end);
  return head;
}

int refusal(const Head& head, bool in_message, const Faults& faults) {
  constexpr std::uint64_t kLargest = 64u << 20;
  if (head.size >> 63 != 0) return kProtocolError;
  if (head.size > kLargest) return kTooBig;
  const bool bare_taken = faults.has("ws-unmasked-frame-served") ||
                          (head.opcode == kPing && faults.has("ws-unmasked-ping-answered"));
  if (!head.masked && !bare_taken) return kProtocolError;
  if (head.reserved && !faults.has("ws-reserved-bits-ignored")) return kProtocolError;
  if ((head.opcode > kBinary && head.opcode < kClose) || head.opcode > kPong) {
    const bool passed_over = faults.has("ws-unknown-opcode-ignored") ||
                             (head.opcode == 15 && faults.has("ws-opcode-15-ignored"));
    return passed_over ? 0 : kProtocolError;
  }
  if (head.opcode >= kClose) {
    const bool odd = !head.last || head.size > 125;
    const bool taken = faults.has("ws-oversized-control-taken") ||
                       (head.opcode == kPong && faults.has("ws-oversized-pong-taken"));
    return odd && !taken ? kProtocolError : 0;
  }
  const bool continues = head.opcode == kContinuation;
  if (continues && !in_message)
    return faults.has("ws-stray-continuation-taken") ? 0 : kProtocolError;
  return !continues && in_message ? kProtocolError : 0;
}

int refusal_of_message(bool text, std::string_view payload, const Faults& faults) {
  if (!text) return kUnacceptable;
  // CESU-8 has surrogates in three bytes each.
  const bool taken =
      faults.has("ws-invalid-utf8-answered") ||
      (payload.find("\xed\xa0") != payload.npos && faults.has("ws-surrogates-answered"));
  return is_utf8(payload) || taken ? 0 : kNotUtf8;
}

int refusal_of_close(std::string_view payload, const Faults& faults) {
  if (payload.empty() || faults.has("ws-close-payload-unchecked")) return 0;
  if (payload.size() == 1) return kProtocolError;
  const int code =
      static_cast<unsigned char>(payload[0]) << 8 | static_cast<unsigned char>(payload[1]);
  if (code == 1006 && faults.has("ws-close-1006-taken")) return 0;
  const bool defined =
      (code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006) ||
      (code >= 3000 && code <= 4999);
  if (!defined) return kProtocolError;
  return is_utf8(payload.substr(2)) ? 0 : kNotUtf8;
}

std::string frame(int opcode, std::string_view payload, const Faults& faults) {
  const bool data = opcode == kText;
  if (data && faults.has("ws-replies-binary")) opcode = kBinary;
  const bool masked = data && faults.has("ws-replies-masked");
  const bool of_text = data && payload.find("-32700") != std::string_view::npos;
  const int reserved = of_text && faults.has("ws-replies-reserved-bit") ? 0x40 : 0;
  std::string out(1, static_cast<char>(0x80 | reserved | opcode));
  const std::uint64_t size = payload.size();
  const int bit = masked ? 0x80 : 0;
  int more = 0;
  if (size < 126) {
    out += static_cast<char>(bit | static_cast<int>(size));
  } else {
    more = size < 65536 ? 2 : 8;
    out += static_cast<char>(bit | (more == 2 ? 126 : 127));
  }
  while (more-- > 0) out += static_cast<char>(size >> (8 * more) & 0xff);
  if (!masked) return out.append(payload);
  out.append("\x01\x02\x03\x04", 4);
  for (std::size_t i = 0; i < payload.size(); ++i)
    out += static_cast<char>(payload[i] ^ static_cast<char>(i % 4 + 1));
  return out;
}

}  // namespace harness::reference::ws
