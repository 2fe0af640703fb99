// SPDX-License-Identifier: Apache-2.0
// RFC 8259 for the writer: what the server sends is JSON in UTF-8, and JSON others can use. Text
// that nobody meant as JSON (banners, logs) and text spread over lines belong to the stdout oracle.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "harness/base/text.h"
#include "harness/json/number.h"
#include "harness/oracle/families.h"
#include "harness/oracle/json_scan.h"
#include "harness/oracle/traffic.h"

namespace harness::oracle {
namespace {

constexpr std::array<std::string_view, 4> kEnvelope = {"jsonrpc", "id", "result", "error"};

// What we sent, as far as it may come back.
struct Ours {
  bool surrogate = false;
  bool large_number = false;
  bool odd_text = false;  // text we cannot see through
  std::set<std::string, std::less<>> duplicates;
};

bool is_unsafe_integer(const std::string& spelling) {
  if (spelling.find_first_of(".eE") != std::string::npos) return false;
  const std::size_t digits = spelling.size() - (spelling[0] == '-' ? 1 : 0);
  if (digits < 16) return false;
  return digits > 16 || spelling.substr(spelling.size() - 16) > "9007199254740991";
}

// The first integer beyond 2^53-1, or null.
const json::Value* unsafe_integer(const json::Value& value) {
  if (value.is_number()) return is_unsafe_integer(value.text) ? &value : nullptr;
  for (const auto& item : value.items)
    if (const auto* found = unsafe_integer(item)) return found;
  for (const auto& member : value.members)
    if (const auto* found = unsafe_integer(member.value)) return found;
  return nullptr;
}

// A number of ours from which a sum or a product may be beyond what is safe.
bool has_large_number(const json::Value& value) {
  constexpr double kLarge = 1e12;
  constexpr std::size_t kShort = 12;  // digits
  if (value.is_string()) return value.text.size() > kShort && json::is_plain_integer(value.text);
  if (value.is_number()) {
    if (value.text.size() <= kShort && json::is_plain_integer(value.text)) return false;
    return std::abs(json::as_double(value)) >= kLarge;
  }
  return std::any_of(value.items.begin(), value.items.end(), has_large_number) ||
         std::any_of(value.members.begin(), value.members.end(),
                     [](const json::Member& member) { return has_large_number(member.value); });
}

Ours what_we_sent(const Evidence& evidence) {
  Ours ours;
  const auto& frames = evidence.transcript.frames;
  ours.odd_text = std::any_of(frames.begin(), frames.end(), [&](const wire::Frame& frame) {
    return breaks_framing(evidence, frame);
  });
  for (const Item& item : evidence.items) {
    if (!item.sent) continue;
    if (item.value == nullptr) ours.odd_text = true;
    if (item.text_message != nullptr) {
      ours.surrogate |= item.text_message->lone_surrogate;
      if (!item.text_message->duplicate_name.empty())
        ours.duplicates.insert(item.text_message->duplicate_name);
    }
    if (item.value != nullptr && has_large_number(*item.value)) ours.large_number = true;
  }
  return ours;
}

// Empty: none is.
std::string_view repeated_envelope_member(const json::Value& value) {
  for (std::string_view name : kEnvelope) {
    int count = 0;
    for (const auto& member : value.members) count += member.name == name ? 1 : 0;
    if (count > 1) return name;
  }
  return {};
}

// Whether it is worth to look through all that we sent for an excuse.
bool is_odd(const Item& item) {
  return !item.text_message->duplicate_name.empty() || item.text_message->lone_surrogate ||
         !repeated_envelope_member(*item.value).empty() || unsafe_integer(*item.value) != nullptr;
}

void judge_json(const Evidence& evidence, Sink& sink, const Item& item, const Ours& ours,
                std::set<std::string>& told) {
  const wire::Message& message = *item.text_message;
  const std::string envelope(repeated_envelope_member(*item.value));
  if (!envelope.empty()) {
    report_best(evidence, sink, {"json.output.unique-names"},
                {"one member called " + envelope,
                 shown(item.text),
                 {item.seq},
                 envelope,
                 Severity::kFail,
                 Severity::kFail});
  } else if (!message.duplicate_name.empty() && !ours.odd_text && item.array == 0 &&
             !ours.duplicates.contains(message.duplicate_name) && told.insert("names").second) {
    report_best(evidence, sink, {"json.output.unique-names"},
                {"member names without repetition",
                 shown(message.duplicate_name) + " twice in " + shown(item.text),
                 {item.seq}});
  }
  if (item.array != 0) return;  // the rest was said of the array
  if (message.lone_surrogate && !ours.surrogate && !ours.odd_text && told.insert("pairs").second) {
    report_best(
        evidence, sink, {"json.output.no-lone-surrogates"},
        {"surrogate escapes in pairs", "an unpaired one in " + shown(item.text), {item.seq}});
  }
  if (ours.large_number || ours.odd_text) return;
  if (const json::Value* number = unsafe_integer(*item.value)) {
    if (!told.insert("integers").second) return;
    report_best(
        evidence, sink, {"json.output.safe-integers"},
        {"integers within 2^53-1", shown(number->text) + " in " + shown(item.text), {item.seq}});
  }
}

// What is wrong with its encoding is that the last character lacks bytes, in a text that is not
// whole either.
bool ends_in_a_character(std::string_view text) {
  const std::size_t at = first_invalid_utf8(text);
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
  const std::string_view rest = text.substr(at + 1);
  return rest.size() + 1 < length && !is_whole(text) &&
         std::all_of(rest.begin(), rest.end(), [](char c) { return (c & 0xC0) == 0x80; });
}

}  // namespace

bool report_broken_json(const Evidence& evidence, Sink& sink, const wire::Frame& frame,
                        const json::ReadError& error) {
  const std::string_view text = frame.bytes;
  if (error.fault == json::ReadFault::kTooDeep || frame.size > frame.bytes.size()) return false;
  if (text.substr(0, 3) == kByteOrderMark) {
    report_best(
        evidence, sink, {"json.output.no-bom", "tutorial.stdio.line-delimited"},
        {"no byte order mark before the text", shown(text), {frame.seq}, "byte order mark"});
    return true;
  }
  if (!is_utf8(text)) {
    if (ends_in_a_character(text)) return false;  // it was cut there, whatever cut it
    report_best(evidence, sink, {"json.output.utf8", "mcp.base.utf8", "tutorial.stdio.utf8"},
                {"UTF-8",
                 "an invalid sequence at byte " + std::to_string(first_invalid_utf8(text)) +
                     " of " + shown(text),
                 {frame.seq},
                 "utf-8"});
    return true;
  }
  if (!is_whole(text)) return false;
  const std::size_t end = std::min(end_of_first_value(text), text.size());
  const bool more = text.find_first_not_of(" \t\r\n", end) != std::string_view::npos;
  const bool first_is_sound =
      std::holds_alternative<json::Reading>(json::read(text.substr(0, end)));
  // Two texts: framing, not grammar.
  if (more && first_is_sound && attempts_json(text.substr(end))) return false;
  const char* clause = "json.output.grammar";
  std::string expected = "JSON";
  // What we sent as a text may stand there as it is.
  const auto& frames = evidence.transcript.frames;
  const bool ours = std::any_of(frames.begin(), frames.end(), [](const wire::Frame& sent) {
    return sent.direction == wire::Direction::kSent &&
           (sent.bytes.find("NaN") != std::string::npos ||
            sent.bytes.find("Infinity") != std::string::npos);
  });
  if (has_nan_token(text) && !ours) {
    clause = "json.output.no-nan";
    expected = "numbers in the syntax of JSON";
  } else if (has_raw_control(text)) {
    clause = "json.output.control-chars-escaped";
    expected = "control characters escaped in strings";
  }
  report_best(evidence, sink,
              {clause, "tutorial.stdio.line-delimited", "tutorial.websocket.one-message-per-frame"},
              {expected,
               "at byte " + std::to_string(error.offset) + " " + error.reason + ": " + shown(text),
               {frame.seq},
               error.reason});
  return true;
}

void judge_json_output(const Evidence& evidence, Sink& sink) {
  std::optional<Ours> ours;
  std::set<std::string> told;
  for (const Item& item : evidence.items) {
    if (item.sent || item.value == nullptr || !is_odd(item)) continue;
    if (!ours) ours = what_we_sent(evidence);
    judge_json(evidence, sink, item, *ours, told);
  }
  for (std::size_t i = 0; i < evidence.messages.size(); ++i) {
    const wire::Frame& frame = evidence.transcript.frames[i];
    if (frame.direction != wire::Direction::kReceived ||
        (frame.channel != wire::Channel::kStdout && frame.channel != wire::Channel::kSocket))
      continue;  // HTTP has its own oracle, which knows content types
    if (frame.unframed || !wire::carries_message(frame) || evidence.messages[i].is_json) continue;
    report_broken_json(evidence, sink, frame, evidence.messages[i].error);
  }
}

}  // namespace harness::oracle
