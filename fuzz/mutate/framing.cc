// SPDX-License-Identifier: Apache-2.0
// How messages are told apart and delivered: writes, line ends, lengths, HTTP headers, WebSocket
// frames. What the transport at hand does not have is left alone.
#include <algorithm>
#include <string>
#include <utility>

#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/values.h"

namespace fuzz {
namespace {

using harness::wire::TransportKind;

// The transport at hand, or the one that the script is for; kUnknown: any.
TransportKind transport_of(const Script& script, const Vocabulary& vocabulary) {
  const TransportKind at_hand = vocabulary.transport();
  return at_hand == TransportKind::kUnknown ? script.transport : at_hand;
}
// Whether it may have this trait.
bool on(const Script& script, const Vocabulary& vocabulary,
        bool harness::wire::TransportTraits::*trait) {
  const TransportKind kind = transport_of(script, vocabulary);
  return kind == TransportKind::kUnknown || harness::wire::traits_of(kind).*trait;
}
bool on_http(const Script& script, const Vocabulary& vocabulary) {
  return on(script, vocabulary, &harness::wire::TransportTraits::http);
}
bool on_websocket(const Script& script, const Vocabulary& vocabulary) {
  return on(script, vocabulary, &harness::wire::TransportTraits::frames);
}
bool on_bytes(const Script& script, const Vocabulary& vocabulary) {
  return on(script, vocabulary, &harness::wire::TransportTraits::byte_stream);
}
bool on_lines(const Script& script, const Vocabulary& vocabulary) {
  return on_bytes(script, vocabulary) &&
         transport_of(script, vocabulary) != TransportKind::kStdioContentLength;
}

std::uint32_t some_length(const Frame& frame, Random& random) {
  return static_cast<std::uint32_t>(1 +
                                    random.length(std::max<std::size_t>(frame.bytes.size(), 1)));
}

bool chunks(Script& script, const Vocabulary&, Random& random) {
  Frame* frame = pick_frame(script, random);
  if (!frame) return false;
  std::vector<std::uint32_t> lengths;
  // Within the end of the message: its last bytes, its CR, its LF.
  if (random.one_in(4)) {
    const auto size = static_cast<std::uint32_t>(frame->bytes.size());
    frame->delivery.chunks = {size - std::min<std::uint32_t>(size, 2) +
                              static_cast<std::uint32_t>(random.between(1, 3))};
    return true;
  }
  // Each write waits until the one before it has been read.
  const bool single_bytes = random.one_in(4);
  const std::size_t most = !single_bytes ? 5 : random.one_in(8) ? 64 : 8;
  for (std::size_t count = random.between(1, most); count > 0; --count)
    lengths.push_back(single_bytes ? 1 : some_length(*frame, random));
  frame->delivery.chunks = std::move(lengths);
  return true;
}

bool eol(Script& script, const Vocabulary& vocabulary, Random& random) {
  if (!on_lines(script, vocabulary)) return false;
  Frame* frame = pick_frame(script, random);
  if (!frame) return false;
  constexpr Eol kEols[] = {Eol::kCrlf, Eol::kCrlf, Eol::kCr, Eol::kNone};
  frame->delivery.eol = random.pick(kEols);
  if (frame->delivery.eol == Eol::kCrlf && random.one_in(3))
    frame->delivery.chunks = {static_cast<std::uint32_t>(frame->bytes.size() + 1)};
  return true;
}

// Two messages where one is expected.
bool merge(Script& script, const Vocabulary&, Random& random) {
  const std::string_view kBetween[] = {
      "", "", " ", "\n", "\r\n", "\r", ",", std::string_view("\0", 1), "\x1E"};
  const std::size_t frames = count_frames(script);
  if (frames < 2) return false;
  const std::size_t first = random.below(frames - 1);
  const std::size_t into = step_of_frame(script, first);
  const std::size_t from = step_of_frame(script, first + 1);
  Frame& frame = std::get<Frame>(script.steps[into]);
  const std::string& other = std::get<Frame>(script.steps[from]).bytes;
  if (!has_room(script, 2)) return false;
  (frame.bytes += random.pick(kBetween)) += other;
  drop_steps(script, from, from + 1);
  return true;
}

// One message in two frames.
bool split(Script& script, const Vocabulary&, Random& random) {
  Frame* frame = pick_frame(script, random);
  if (!frame || frame->bytes.size() < 2 || !has_steps(script, 1)) return false;
  const std::size_t place = place_of(script, frame);
  const std::size_t at = random.between(1, frame->bytes.size() - 1);
  std::string rest = frame->bytes.substr(at);
  frame->bytes.resize(at);
  return insert_frame(script, place + 1, std::move(rest));
}

// The beginning of a message, a pause, and maybe its end.
bool halting(Script& script, const Vocabulary& vocabulary, Random& random) {
  if (!on_lines(script, vocabulary)) return false;
  Frame* frame = pick_frame(script, random);
  if (!frame || frame->bytes.size() < 2 || !has_steps(script, 2) || !has_room(script, 2))
    return false;
  const std::size_t place = place_of(script, frame);
  const std::size_t at = random.between(1, frame->bytes.size() - 1);
  std::string rest = frame->bytes.substr(at) + '\n';
  renumber(script, frame_number(script, place) + 1, -1);
  std::string begin = std::get<Frame>(script.steps[place]).bytes.substr(0, at);
  script.steps[place] = Raw{std::move(begin)};
  if (random.one_in(3)) return insert_step(script, place + 1, Close{});
  insert_step(script, place + 1, Raw{std::move(rest)});
  return insert_step(script, place + 1, Pause{static_cast<int>(random.between(0, 5))});
}

bool stray_bytes(Script& script, const Vocabulary& vocabulary, Random& random) {
  const std::string_view kStrays[] = {
      // line ends and single bytes
      "\n", "\r\n", "\n\n\n", " \n", "\r", std::string_view("\0", 1), std::string_view("\0\n", 2),
      "\xEF\xBB\xBF", "\x1B[A", "\x03\n", "\x04",

      // headers, and what other protocols send
      "Content-Length: 2\r\n\r\n{}", "Content-Length: 0\r\n\r\n", "Content-Length: -1\r\n\r\n",
      "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: 2\n\n{}",
      "content-length:2\r\n\r\n{}", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
      "Content-Type: x\r\n\r\n", "Content-Length: 2; x\r\n\r\n{}", ": 1\r\n\r\n", "\r\n\r\n",
      "GET / HTTP/1.1\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", "data: {}\n\n",
      "help\n", "2:{},", "\x82\x00", "{", "}\n", "\"\n", "\\\n"};
  if (!on_bytes(script, vocabulary)) return false;
  return insert_step(script, pick_place(script, random), Raw{std::string(random.pick(kStrays))});
}

bool long_line(Script& script, const Vocabulary& vocabulary, Random& random) {
  constexpr std::size_t kLengths[] = {1024, 4096, 8192, 65'535, 65'536, 65'537, 262'144};
  if (!on_bytes(script, vocabulary)) return false;
  constexpr char kBytes[] = {'x', ' ', '[', '\xFF', '\0', '"'};
  const std::size_t length = random.pick(kLengths) >> (random.one_in(3) ? 0 : 4);
  return insert_step(script, pick_place(script, random),
                     Raw{std::string(length, random.pick(kBytes)) + '\n'});
}

bool length_lie(Script& script, const Vocabulary& vocabulary, Random& random) {
  const TransportKind kind = transport_of(script, vocabulary);
  if (kind != TransportKind::kStdioContentLength && !on_http(script, vocabulary)) return false;
  Frame* frame = pick_frame(script, random);
  if (!frame) return false;
  constexpr ClaimedLength kClaims[] = {{true, 1},
                                       {true, -1},
                                       {true, 2},
                                       {true, -2},
                                       {true, 100},
                                       {false, 0},
                                       {false, 1},
                                       {false, 2147483648},
                                       {false, 4294967296},
                                       {false, 99'999},
                                       {false, 999'999'999'999'999'999}};
  frame->delivery.length = random.pick(kClaims);
  return true;
}

void set_header(Delivery& delivery, HeaderChange change) {
  for (HeaderChange& known : delivery.headers)
    if (known.name == change.name) {
      known = std::move(change);
      return;
    }
  delivery.headers.push_back(std::move(change));
}

bool header(Script& script, const Vocabulary& vocabulary, Random& random) {
  if (!on_http(script, vocabulary)) return false;
  Frame* frame = pick_frame(script, random);
  if (!frame || frame->delivery.headers.size() >= 16) return false;
  HeaderChange change = random.pick(odd_headers());
  constexpr std::size_t kLengths[] = {64, 4096, 9000, 65'536};
  if (random.one_in(16)) change.value = std::string(random.pick(kLengths), 'x');
  if (!has_room(script, 32 + (change.value ? change.value->size() : 0))) return false;
  set_header(frame->delivery, std::move(change));
  return true;
}

// A header that mirrors the message says something else, or has a value the Target gave.
bool header_mined(Script& script, const Vocabulary& vocabulary, Random& random) {
  if (!on_http(script, vocabulary)) return false;
  const std::vector<std::string>& from =
      vocabulary.handles().empty() ? vocabulary.strings() : vocabulary.handles();
  if (from.empty()) return false;
  Frame* frame = pick_frame(script, random);
  if (!frame || frame->delivery.headers.size() >= 16) return false;
  std::string value = random.pick(from);
  if (value.size() >= 2 && value.front() == '"') value = value.substr(1, value.size() - 2);
  if (!has_room(script, 32 + value.size())) return false;
  constexpr const char* kNames[] = {"Mcp-Session-Id", "Mcp-Name", "Mcp-Method", "Last-Event-ID"};
  set_header(frame->delivery, {random.pick(kNames), std::move(value)});
  return true;
}

bool http_method(Script& script, const Vocabulary& vocabulary, Random& random) {
  constexpr const char* kMethods[] = {"GET",     "PUT",  "DELETE", "PATCH", "HEAD",
                                      "OPTIONS", "post", "TRACE",  "X"};
  if (!on_http(script, vocabulary)) return false;
  Frame* frame = pick_frame(script, random);
  if (!frame) return false;
  frame->delivery.http_method = random.pick(kMethods);
  return true;
}

bool fragments(Script& script, const Vocabulary& vocabulary, Random& random) {
  if (!on_websocket(script, vocabulary)) return false;
  Frame* frame = pick_frame(script, random);
  if (!frame) return false;
  std::vector<std::uint32_t> lengths;
  for (std::size_t count = random.between(1, random.one_in(8) ? 64 : 4); count > 0; --count)
    lengths.push_back(random.one_in(5) ? 0 : some_length(*frame, random));
  frame->delivery.fragments = std::move(lengths);
  return true;
}

bool opcode(Script& script, const Vocabulary& vocabulary, Random& random) {
  if (!on_websocket(script, vocabulary)) return false;
  Frame* frame = pick_frame(script, random);
  if (!frame) return false;
  constexpr std::uint8_t kOpcodes[] = {2, 2, 0, 8, 9, 10, 3, 7, 11, 15};
  frame->delivery.opcode = random.pick(kOpcodes);
  return true;
}

// The usual delivery again, so that oddities do not pile up.
bool usual(Script& script, const Vocabulary&, Random&) {
  bool any = false;
  for (Step& step : script.steps) {
    Frame* frame = std::get_if<Frame>(&step);
    if (!frame || frame->delivery.usual()) continue;
    frame->delivery = {};
    any = true;
  }
  return any;
}

}  // namespace

std::vector<MutatorCode> framing_mutators() {
  return {{"chunks", chunks},
          {"eol", eol},
          {"merge", merge},
          {"split", split},
          {"halting", halting},
          {"stray-bytes", stray_bytes},
          {"long-line", long_line},
          {"length-lie", length_lie},
          {"header", header},
          {"header-mined", header_mined},
          {"http-method", http_method},
          {"fragments", fragments},
          {"opcode", opcode},
          {"usual", usual}};
}

}  // namespace fuzz
