// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/finding_words.h"

#include <fmt/format.h>

#include <string_view>

#include "harness/base/ascii.h"

namespace harness::oracle {
namespace {

constexpr std::size_t kVaryingDigits = 5;
constexpr std::size_t kMostTexts = 3;

bool is_error_code(std::string_view before, std::string_view digits) {
  return !before.empty() && before.back() == '-' && digits.size() == 5 &&
         digits.substr(0, 2) == "32";
}

// Long numbers are ids, ports and times; short ones and the error codes of JSON-RPC are part of
// what went wrong.
std::string without_varying_numbers(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (!ascii::is_digit(text[i])) {
      out += text[i++];
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && ascii::is_digit(text[end])) ++end;
    const std::string_view digits = text.substr(i, end - i);
    const bool varies =
        digits.size() >= kVaryingDigits && !is_error_code(text.substr(0, i), digits);
    out += varies ? std::string_view("#") : digits;
    i = end;
  }
  return out;
}

std::string joined(const Observation& came) {
  std::string out;
  for (std::size_t i = 0; i < came.texts.size() && i < kMostTexts; ++i)
    out += (i ? " and " : "") + came.texts[i];
  if (came.messages > kMostTexts) out += fmt::format(" and {} more", came.messages - kMostTexts);
  return out;
}

// How an exchange broke off: as the transport names it, and in words.
struct Break {
  std::string_view why, unanswered, answered;  // before, or after the status line
};
constexpr Break kBreaks[] = {
    {"eof", "the connection closed without a response", "and then the connection closed"},
    {"timeout", "no response in time", "and no end of the response in time"},
    {"no-end", "no end of the response", "without a length, and no end of it"},
    {"refused", "connection refused", "and then connection refused"},
    {"reset", "connection reset, without a response", "and then the connection was reset"},
    {"unreachable", "the server cannot be reached", "and then the server cannot be reached"},
    {"bad-response", "a response that is not HTTP", "and then text that is not HTTP"},
    {"too-long", "a response too long to read", "and a response too long to read"},
};

struct Words {
  const Observation& all;

  std::string operator()(const NotAMessage&) const {
    const std::string text = joined(all);
    return "text that is not a message" + (text.empty() ? "" : ": " + text);
  }
  std::string operator()(const NoMessageInAnswer&) const { return "without a message"; }
  std::string operator()(const BrokenOff& came) const {
    if (came.why.empty()) return "and no end of the reply";
    for (const Break& one : kBreaks)
      if (one.why == came.why) return std::string(all.status ? one.answered : one.unanswered);
    return "no whole response: " + came.why;
  }
  std::string operator()(const Nothing&) const {
    return all.canary_answered ? "no reply, although a later request was answered"
                               : "no reply at all";
  }
  std::string operator()(const MissingMessage&) const { return "no such message"; }
  std::string operator()(const Ended& came) const {
    if (came.process) return "its process ended: " + came.how;
    const std::string out = came.how == "eof"     ? "the connection closed"
                            : came.how == "reset" ? "the connection was reset"
                                                  : "the connection ended (" + came.how + ")";
    return out + (came.others_served ? "" : "; no new connection is served");
  }
  template <class Message>
  std::string operator()(const Message&) const {
    return joined(all);
  }
};

}  // namespace

std::string words(const Observation& came) {
  if (!came.detail.empty()) return came.detail;
  const std::string status = came.status ? fmt::format("HTTP {} ", came.status) : "";
  return status + std::visit(Words{came}, came.came);
}

std::string one_line(const Finding& finding) {
  return finding.requirement + ": expected " + without_varying_numbers(finding.expected) +
         "; seen " + without_varying_numbers(finding.seen);
}

}  // namespace harness::oracle
