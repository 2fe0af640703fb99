// SPDX-License-Identifier: Apache-2.0
// The reader is a table of directives, each of which either understands the rest of its line or
// declines it, whereupon the line is a frame. The writer spells a frame plainly where the reader
// would take the plain line for that frame, and quoted everywhere else.
#include "fuzz/script/script.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/base/result.h"
#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/write.h"

namespace fuzz {
namespace {

constexpr std::size_t kMostLengths = 64;
constexpr std::size_t kLongestPointer = 256;  // of a reference: a text full of "${1/" stays cheap
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct AnswerWord {
  AnswerKind kind;
  const char* word;
};
constexpr AnswerWord kAnswerWords[] = {
    {AnswerKind::kUsual, "usual"},      {AnswerKind::kNone, "none"}, {AnswerKind::kTwice, "twice"},
    {AnswerKind::kWrongId, "wrong-id"}, {AnswerKind::kLate, "late"}, {AnswerKind::kError, "error"},
    {AnswerKind::kGarbage, "garbage"},  {AnswerKind::kHeld, "held"},
};

struct TimingWord {
  TimingKind kind;
  std::string_view words;
  std::size_t most = 0;  // a number follows, up to this; 0: none
};
constexpr TimingWord kTimingWords[] = {{TimingKind::kSession, "session ", kMostSessions},
                                       {TimingKind::kAwait, "await ", 999999999},
                                       {TimingKind::kArrival, "arrival"},
                                       {TimingKind::kRelease, "release first"},
                                       {TimingKind::kReleaseLast, "release last"},
                                       {TimingKind::kCut, "cut"}};

struct EolWord {
  Eol eol;
  const char* word;
};
constexpr EolWord kEolWords[] = {
    {Eol::kLf, "lf"}, {Eol::kCrlf, "crlf"}, {Eol::kCr, "cr"}, {Eol::kNone, "none"}};

struct OpcodeWord {
  std::uint8_t opcode;
  const char* word;
};
constexpr OpcodeWord kOpcodeWords[] = {{0, "continuation"}, {1, "text"}, {2, "binary"},
                                       {8, "close"},        {9, "ping"}, {10, "pong"}};

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_name_char(char c) {
  return harness::ascii::is_alphanumeric(c) ||
         std::string_view("._+-").find(c) != std::string_view::npos;
}
// Of a method of the server: what can stand in a line as one word that is no quotation.
bool is_word_char(char c) { return c > 0x20 && c < 0x7F && c != '"'; }

template <class Test>
bool all_of(std::string_view text, Test test) {
  return !text.empty() && std::all_of(text.begin(), text.end(), test);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// The first word of `rest`, which is then without it.
std::string_view take_word(std::string_view& rest) {
  rest = trimmed(rest);
  std::size_t end = 0;
  while (end < rest.size() && !is_blank(rest[end])) ++end;
  const std::string_view word = rest.substr(0, end);
  rest = trimmed(rest.substr(end));
  return word;
}

template <class Integer>
std::optional<Integer> number(std::string_view digits, std::size_t most_digits) {
  if (digits.empty() || digits.size() > most_digits || digits.front() < '0' || digits.front() > '9')
    return std::nullopt;
  Integer value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

// Takes a quotation off the front of `rest`.
std::optional<std::string> take_quoted(std::string_view& rest) {
  if (rest.empty() || rest.front() != '"') return std::nullopt;
  std::string out;
  out.reserve(rest.size());
  for (std::size_t at = 1; at < rest.size(); ++at) {
    const char c = rest[at];
    if (c == '"') {
      rest.remove_prefix(at + 1);
      return out;
    }
    if (c != '\\') {
      out += c;
      continue;
    }
    if (++at == rest.size()) return std::nullopt;
    switch (rest[at]) {
      case 'n': out += '\n'; break;
      case 'r': out += '\r'; break;
      case 't': out += '\t'; break;
      case '"':
      case '\\': out += rest[at]; break;
      case 'x': {
        if (rest.size() - at < 3) return std::nullopt;
        const int high = harness::ascii::hex_digit(rest[at + 1]);
        const int low = harness::ascii::hex_digit(rest[at + 2]);
        if (high < 0 || low < 0) return std::nullopt;
        out += static_cast<char>(high * 16 + low);
        at += 2;
        break;
      }
      default: return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<std::string> whole_quoted(std::string_view rest) {
  std::optional<std::string> text = take_quoted(rest);
  if (!trimmed(rest).empty()) return std::nullopt;
  return text;
}

void append_quoted(std::string& out, std::string_view bytes) {
  constexpr char kHex[] = "0123456789abcdef";
  const auto escape = [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    out += "\\x";
    out += kHex[byte >> 4];
    out += kHex[byte & 0xF];
  };
  out += '"';
  std::size_t at = 0;
  // It is invisible, and editors take it away.
  if (bytes.substr(0, kByteOrderMark.size()) == kByteOrderMark)
    for (; at < kByteOrderMark.size(); ++at) escape(bytes[at]);
  while (at < bytes.size()) {
    const std::size_t bad = harness::first_invalid_utf8(bytes.substr(at));
    const std::size_t end = bad == std::string_view::npos ? bytes.size() : at + bad;
    for (; at < end; ++at) {
      const char c = bytes[at];
      if (c == '\n') {
        out += "\\n";
      } else if (c == '\r') {
        out += "\\r";
      } else if (c == '\t') {
        out += "\\t";
      } else if (c == '"' || c == '\\') {
        out += '\\';
        out += c;
      } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
        escape(c);
      } else {
        out += c;
      }
    }
    if (at < bytes.size()) escape(bytes[at++]);
  }
  out += '"';
}

// A script while it is read.
struct Reader {
  Script script;
  Delivery next;  // of the next frame

  void frame(std::string bytes) {
    script.steps.emplace_back(Frame{std::move(bytes), std::move(next)});
    next = {};
  }
};

using Directive = bool (*)(std::string_view rest, Reader& reader);

bool read_frame(std::string_view rest, Reader& reader) {
  std::optional<std::string> bytes = whole_quoted(rest);
  if (!bytes) return false;
  reader.frame(std::move(*bytes));
  return true;
}

bool read_raw(std::string_view rest, Reader& reader) {
  std::optional<std::string> bytes = whole_quoted(rest);
  if (!bytes) return false;
  reader.script.steps.emplace_back(Raw{std::move(*bytes)});
  return true;
}

bool read_pause(std::string_view rest, Reader& reader) {
  const auto milliseconds = number<std::int64_t>(rest, 18);
  if (!milliseconds) return false;
  reader.script.steps.emplace_back(
      Pause{static_cast<int>(std::min<std::int64_t>(*milliseconds, kLongestPause))});
  return true;
}

bool read_sync(std::string_view rest, Reader& reader) {
  if (!rest.empty()) return false;
  reader.script.steps.emplace_back(Sync{});
  return true;
}

bool read_close(std::string_view rest, Reader& reader) {
  if (!rest.empty()) return false;
  reader.script.steps.emplace_back(Close{});
  return true;
}

bool read_answer(std::string_view rest, Reader& reader) {
  ClientAnswer answer;
  if (!rest.empty() && rest.front() == '"') {
    std::optional<std::string> method = take_quoted(rest);
    if (!method || rest.empty() || !is_blank(rest.front())) return false;
    answer.method = std::move(*method);
    rest = trimmed(rest);
  } else {
    const std::string_view method = take_word(rest);
    if (!all_of(method, is_word_char)) return false;
    answer.method = method;
  }
  const auto* word = std::find_if(std::begin(kAnswerWords), std::end(kAnswerWords),
                                  [&](const AnswerWord& known) { return rest == known.word; });
  if (word != std::end(kAnswerWords)) {
    answer.kind = word->kind;
  } else {
    if (!std::holds_alternative<harness::json::Reading>(harness::json::read(rest))) return false;
    // To JSON a CR is a blank, too; at the end of a line it would be taken for that of the line.
    while (rest.ends_with('\r') || rest.ends_with(' ') || rest.ends_with('\t'))
      rest.remove_suffix(1);
    while (rest.starts_with('\r') || rest.starts_with(' ') || rest.starts_with('\t'))
      rest.remove_prefix(1);
    answer.kind = AnswerKind::kResult;
    answer.result = rest;
  }
  reader.script.steps.emplace_back(std::move(answer));
  return true;
}

bool read_timing(std::string_view line, Reader& reader) {
  for (const TimingWord& known : kTimingWords) {
    Timing timing{known.kind, 0};
    if (known.most == 0 && line != known.words) continue;
    if (known.most != 0) {
      if (!line.starts_with(known.words)) continue;
      const auto value = number<std::size_t>(trimmed(line.substr(known.words.size())), 9);
      if (!value || *value == 0 || *value > known.most) return false;
      timing.number = *value;
    }
    reader.script.steps.emplace_back(timing);
    return true;
  }
  return false;
}

bool read_lengths(std::string_view rest, bool zero_too, std::vector<std::uint32_t>& out) {
  std::vector<std::uint32_t> lengths;
  while (!rest.empty()) {
    const auto length = number<std::int64_t>(take_word(rest), 9);
    if (!length || (*length == 0 && !zero_too) || lengths.size() == kMostLengths) return false;
    lengths.push_back(static_cast<std::uint32_t>(*length));
  }
  if (lengths.empty()) return false;
  out = std::move(lengths);
  return true;
}

bool read_chunks(std::string_view rest, Reader& reader) {
  return read_lengths(rest, false, reader.next.chunks);
}

bool read_fragments(std::string_view rest, Reader& reader) {
  return read_lengths(rest, true, reader.next.fragments);
}

bool read_eol(std::string_view rest, Reader& reader) {
  for (const EolWord& known : kEolWords) {
    if (rest != known.word) continue;
    reader.next.eol = known.eol;
    return true;
  }
  return false;
}

bool read_length(std::string_view rest, Reader& reader) {
  ClaimedLength claimed;
  const bool minus = !rest.empty() && rest.front() == '-';
  claimed.relative = minus || (!rest.empty() && rest.front() == '+');
  if (claimed.relative) rest.remove_prefix(1);
  const auto value = number<std::int64_t>(rest, 18);
  if (!value) return false;
  claimed.value = minus ? -*value : *value;
  reader.next.length = claimed;
  return true;
}

// NAME, NAME: or NAME: VALUE, where both may be quoted.
bool read_header(std::string_view rest, Reader& reader) {
  HeaderChange change;
  if (!rest.empty() && rest.front() == '"') {
    std::optional<std::string> name = take_quoted(rest);
    if (!name) return false;
    change.name = std::move(*name);
  } else {
    std::size_t end = 0;
    while (end < rest.size() && harness::ascii::is_token_char(rest[end])) ++end;
    change.name = rest.substr(0, end);
    rest.remove_prefix(end);
  }
  if (change.name.empty()) return false;
  rest = trimmed(rest);
  if (!rest.empty()) {
    if (rest.front() != ':') return false;
    rest = trimmed(rest.substr(1));
    if (!rest.empty() && rest.front() == '"') {
      change.value = whole_quoted(rest);
      if (!change.value) return false;
    } else {
      change.value = std::string(rest);
    }
  }
  for (HeaderChange& known : reader.next.headers) {
    if (known.name != change.name) continue;
    known = std::move(change);
    return true;
  }
  reader.next.headers.push_back(std::move(change));
  return true;
}

bool read_http_method(std::string_view rest, Reader& reader) {
  if (!harness::ascii::is_token(rest)) return false;
  reader.next.http_method = rest;
  return true;
}

bool read_opcode(std::string_view rest, Reader& reader) {
  for (const OpcodeWord& known : kOpcodeWords) {
    if (rest != known.word) continue;
    reader.next.opcode = known.opcode;
    return true;
  }
  const auto opcode = number<int>(rest, 2);
  if (!opcode || *opcode > 15) return false;
  reader.next.opcode = static_cast<std::uint8_t>(*opcode);
  return true;
}

struct DirectiveRow {
  std::string_view word;
  Directive read;
};
constexpr DirectiveRow kDirectives[] = {
    {"frame", read_frame},
    {"raw", read_raw},
    {"pause", read_pause},
    {"sync", read_sync},
    {"close", read_close},
    {"answer", read_answer},
    {"chunks", read_chunks},
    {"eol", read_eol},
    {"length", read_length},
    {"header", read_header},
    {"http-method", read_http_method},
    {"opcode", read_opcode},
    {"fragments", read_fragments},
};

bool read_directive(std::string_view line, Reader& reader) {
  std::string_view rest = line.substr(1);
  if (!rest.empty() && is_blank(rest.front())) return false;
  const std::string_view word = take_word(rest);
  for (const DirectiveRow& row : kDirectives)
    if (row.word == word) return row.read(rest, reader);
  return read_timing(trimmed(line.substr(1)), reader);
}

// "#! profile: NAME" and "#! transport: NAME"; anything else, and a transport that is none, is a
// comment.
void read_comment(std::string_view line, Script& script) {
  if (line.substr(0, 2) != "#!") return;
  const std::string_view rest = line.substr(2);
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view key = trimmed(rest.substr(0, colon));
  const std::string_view value = trimmed(rest.substr(colon + 1));
  if (!all_of(value, is_name_char)) return;
  if (key == "profile") script.profile = value;
  if (key == "transport")
    if (const auto kind = harness::wire::transport_named(value)) script.transport = *kind;
}

// Whether the line of these bytes is read back as a frame of them.
bool is_plain(std::string_view bytes) {
  if (bytes.empty() || bytes.front() == '#' || bytes.front() == '!') return false;
  bool blank = true;
  for (const char c : bytes) {
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F) return false;
    blank = blank && is_blank(c);
  }
  return !blank && bytes.substr(0, kByteOrderMark.size()) != kByteOrderMark &&
         harness::is_utf8(bytes);
}

void append_lengths(std::string& out, const char* word, const std::vector<std::uint32_t>& lengths) {
  if (lengths.empty()) return;
  out += word;
  for (const std::uint32_t length : lengths) {
    out += ' ';
    out += std::to_string(length);
  }
  out += '\n';
}

void append_header(std::string& out, const HeaderChange& change) {
  out += "!header ";
  if (harness::ascii::is_token(change.name))
    out += change.name;
  else
    append_quoted(out, change.name);
  if (change.value) {
    const std::string& value = *change.value;
    out += ':';
    const bool printable =
        std::all_of(value.begin(), value.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
    if (!printable || trimmed(value).size() != value.size() ||
        (!value.empty() && value.front() == '"')) {
      out += ' ';
      append_quoted(out, value);
    } else if (!value.empty()) {
      out += ' ';
      out += value;
    }
  }
  out += '\n';
}

void append_delivery(std::string& out, const Delivery& delivery) {
  append_lengths(out, "!chunks", delivery.chunks);
  for (const EolWord& known : kEolWords) {
    if (known.eol != delivery.eol || known.eol == Eol::kLf) continue;
    out += "!eol ";
    out += known.word;
    out += '\n';
  }
  if (delivery.length) {
    out += "!length ";
    if (delivery.length->relative && delivery.length->value >= 0) out += '+';
    out += std::to_string(delivery.length->value);
    out += '\n';
  }
  if (!delivery.http_method.empty()) {
    out += "!http-method ";
    out += delivery.http_method;
    out += '\n';
  }
  for (const HeaderChange& change : delivery.headers) append_header(out, change);
  if (delivery.opcode != 1) {
    const auto* known =
        std::find_if(std::begin(kOpcodeWords), std::end(kOpcodeWords),
                     [&](const OpcodeWord& word) { return word.opcode == delivery.opcode; });
    out += "!opcode ";
    out += known == std::end(kOpcodeWords) ? std::to_string(delivery.opcode) : known->word;
    out += '\n';
  }
  append_lengths(out, "!fragments", delivery.fragments);
}

struct Writer {
  std::string& out;

  void operator()(const Frame& frame) const {
    append_delivery(out, frame.delivery);
    if (is_plain(frame.bytes)) {
      out += frame.bytes;
    } else {
      out += "!frame ";
      append_quoted(out, frame.bytes);
    }
    out += '\n';
  }
  void operator()(const Raw& raw) const {
    out += "!raw ";
    append_quoted(out, raw.bytes);
    out += '\n';
  }
  void operator()(const Pause& pause) const {
    out += "!pause ";
    out += std::to_string(pause.milliseconds);
    out += '\n';
  }
  void operator()(const Sync&) const { out += "!sync\n"; }
  void operator()(const Close&) const { out += "!close\n"; }
  void operator()(const ClientAnswer& answer) const {
    out += "!answer ";
    if (all_of(answer.method, is_word_char))
      out += answer.method;
    else
      append_quoted(out, answer.method);
    out += ' ';
    if (answer.kind == AnswerKind::kResult)
      out += answer.result;
    else
      out += answer_word(answer.kind);
    out += '\n';
  }
  void operator()(const Timing& timing) const {
    for (const TimingWord& known : kTimingWords) {
      if (known.kind != timing.kind) continue;
      out += '!';
      out += known.words;
      if (known.most != 0) out += std::to_string(timing.number);
      out += '\n';
    }
  }
};

}  // namespace

const char* end_of(Eol eol) {
  switch (eol) {
    case Eol::kLf: return "\n";
    case Eol::kCrlf: return "\r\n";
    case Eol::kCr: return "\r";
    case Eol::kNone: return "";
  }
  throw harness::Bug("no such Eol");
}

std::string claimed_length(const ClaimedLength& claim, std::size_t size) {
  return std::to_string(claim.relative ? static_cast<std::int64_t>(size) + claim.value
                                       : claim.value);
}

bool Delivery::usual() const { return *this == Delivery{}; }

std::string fill_in(std::string_view bytes,
                    const std::function<const std::string*(std::size_t frame)>& reply) {
  namespace json = harness::json;
  std::string out;
  std::size_t at = 0;
  for (const Reference& reference : references(bytes)) {
    const std::string* text = reply(reference.frame);
    if (text == nullptr) continue;
    const auto reading = json::read(*text);
    const auto* good = std::get_if<json::Reading>(&reading);
    const json::Value* value = good ? json::at(good->value, reference.pointer) : nullptr;
    if (!value) continue;
    std::string put = json::write(*value);
    if (value->is_string()) put = put.substr(1, put.size() - 2);
    if (out.size() + put.size() > kMostFilledIn) break;
    out += bytes.substr(at, reference.begin - at);
    out += put;
    at = reference.end;
  }
  out += bytes.substr(at);
  return out;
}

const char* answer_word(AnswerKind kind) {
  for (const AnswerWord& known : kAnswerWords)
    if (known.kind == kind) return known.word;
  return "";
}

Script read_script(std::string_view text) {
  Reader reader;
  // Put there by an editor; of a frame it would be spelled out.
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark)
    text.remove_prefix(kByteOrderMark.size());
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (trimmed(line).empty()) continue;
    if (line.front() == '#')
      read_comment(line, reader.script);
    else if (line.front() != '!' || !read_directive(line, reader))
      reader.frame(std::string(line));
  }
  return std::move(reader.script);
}

void append_script(std::string& out, const Script& script) {
  if (!script.profile.empty()) out += "#! profile: " + script.profile + '\n';
  if (script.transport != harness::wire::TransportKind::kUnknown)
    out += std::string("#! transport: ") + harness::wire::transport_name(script.transport) + '\n';
  for (const Step& step : script.steps) std::visit(Writer{out}, step);
}

std::string write_script(const Script& script) {
  std::string out;
  append_script(out, script);
  return out;
}

std::vector<Reference> references(std::string_view bytes) {
  std::vector<Reference> found;
  std::size_t from = 0;
  while (true) {
    const std::size_t begin = bytes.find("${", from);
    if (begin == std::string_view::npos) return found;
    from = begin + 2;
    std::size_t digits = from;
    while (digits < bytes.size() && bytes[digits] >= '0' && bytes[digits] <= '9') ++digits;
    const auto frame = number<std::int64_t>(bytes.substr(from, digits - from), 9);
    if (!frame || *frame == 0) continue;
    if (digits == bytes.size() || (bytes[digits] != '/' && bytes[digits] != '}')) continue;
    const std::string_view pointer = bytes.substr(digits, kLongestPointer + 1);
    const std::size_t length = pointer.find('}');
    if (length == std::string_view::npos) continue;
    from = digits + length + 1;
    found.push_back({begin, from, static_cast<std::size_t>(*frame), pointer.substr(0, length)});
  }
}

}  // namespace fuzz
