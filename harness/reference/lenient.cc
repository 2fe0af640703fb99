// SPDX-License-Identifier: Apache-2.0
// Recursive descent with a bound on the depth; every liberty is behind its Fault.
#include "harness/reference/lenient.h"

#include <cctype>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/json/write.h"

namespace harness::reference {
namespace {

constexpr int kDeepest = 400;

class Lenient {
 public:
  Lenient(std::string_view text, const Faults& faults) : text_(text), faults_(faults) {}

  std::optional<std::vector<std::string>> all() {
    std::vector<std::string> values;
    skip_space();
    while (has("lenient-brackets") && (peek() == '}' || peek() == ']')) {
      ++at_;
      skip_space();
    }
    std::string first;
    if (!value(first)) return std::nullopt;
    values.push_back(first);
    skip_space();
    if (at_ == text_.size()) return values;
    if (has("lenient-two-values")) {
      std::string second;
      if (value(second) && (skip_space(), at_ == text_.size())) {
        values.push_back(second);
        return values;
      }
      return std::nullopt;
    }
    if (has("lenient-trailing-garbage")) return values;
    return std::nullopt;
  }

 private:
  bool has(FaultName fault) const { return faults_.has(fault); }
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool ended() const { return at_ >= text_.size(); }
  bool cut() const { return ended() && has("lenient-truncated"); }
  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  void skip_space() {
    while (!ended()) {
      const char c = peek();
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
        ++at_;
      else if (c == '\0' && has("lenient-raw-nul"))
        ++at_;
      else if (has("lenient-whitespace") && odd_space())
        continue;
      else if (has("lenient-comments") && comment())
        continue;
      else
        return;
    }
  }

  bool odd_space() {
    if (peek() == '\f' || peek() == '\v') {
      ++at_;
      return true;
    }
    for (const std::string_view space :
         {"\xc2\xa0",     "\xc2\x85",     "\xe1\x9a\x80", "\xe2\x80\x80", "\xe2\x80\x81",
          "\xe2\x80\x82", "\xe2\x80\x83", "\xe2\x80\x84", "\xe2\x80\x85", "\xe2\x80\x86",
          "\xe2\x80\x87", "\xe2\x80\x88", "\xe2\x80\x89", "\xe2\x80\x8a", "\xe2\x80\x8b",
          "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xaf", "\xe2\x81\x9f", "\xe2\x81\xa0",
          "\xe3\x80\x80", "\xef\xbb\xbf"})
      if (take(space)) return true;
    return false;
  }

  bool comment() {
    if (take("/*")) {
      const std::size_t end = text_.find("*/", at_);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
      return true;
    }
    if (take("//") || take("#")) {
      while (!ended() && peek() != '\n' && peek() != '\r') ++at_;
      return true;
    }
    return false;
  }

  bool value(std::string& out) {
    if (++depth_ > kDeepest) return false;
    const bool good = value_inside(out);
    --depth_;
    return good;
  }

  bool value_inside(std::string& out) {
    skip_space();
    if (ended()) {
      if (!cut()) return false;
      out += "null";
      return true;
    }
    const char c = peek();
    if (c == '{') return object(out);
    if (c == '[') return array(out);
    if (c == '"' || (c == '\'' && has("lenient-single-quotes"))) return string(out);
    if (literal(out)) return true;
    return number(out);
  }

  bool literal(std::string& out) {
    static constexpr std::pair<std::string_view, std::string_view> kStrict[] = {
        {"true", "true"}, {"false", "false"}, {"null", "null"}};
    static constexpr std::pair<std::string_view, std::string_view> kCapital[] = {
        {"True", "true"},   {"TRUE", "true"}, {"False", "false"},
        {"FALSE", "false"}, {"None", "null"}, {"NULL", "null"},
        {"Null", "null"},   {"nil", "null"},  {"undefined", "null"}};
    static constexpr std::pair<std::string_view, std::string_view> kNan[] = {{"NaN", "null"},
                                                                             {"-NaN", "null"},
                                                                             {"-Infinity", "null"},
                                                                             {"Infinity", "null"},
                                                                             {"+Infinity", "null"}};
    const auto match = [&](const auto& table) {
      for (const auto& [spelled, strict] : table) {
        if (take(spelled)) {
          out += strict;
          return true;
        }
      }
      return false;
    };
    if (match(kStrict)) return true;
    if (has("lenient-capital-literals") && match(kCapital)) return true;
    if (has("lenient-nan") && match(kNan)) return true;
    if (has("lenient-truncated")) {
      for (const auto& [spelled, strict] : kStrict) {
        const std::string_view rest = text_.substr(at_);
        if (!rest.empty() && spelled.substr(0, rest.size()) == rest) {
          at_ = text_.size();
          out += strict;
          return true;
        }
      }
    }
    return false;
  }

  // The ASCII value of the decimal digit here, or -1; other scripts only under their Fault.
  int digit(std::size_t& length) const {
    const auto c = static_cast<unsigned char>(peek());
    length = 1;
    if (std::isdigit(c) != 0) return c - '0';
    if (!has("lenient-unicode-digits")) return -1;
    struct Script {
      std::string_view lead;
      unsigned char zero;
    };
    for (const Script& script : {Script{"\xd9", 0xa0}, Script{"\xdb", 0xb0},
                                 Script{"\xe0\xa5", 0xa6}, Script{"\xef\xbc", 0x90}}) {
      if (text_.substr(at_, script.lead.size()) != script.lead) continue;
      const int offset = static_cast<unsigned char>(peek(script.lead.size())) - script.zero;
      length = script.lead.size() + 1;
      if (offset >= 0 && offset <= 9) return offset;
    }
    return -1;
  }

  std::string digits() {
    std::string found;
    std::size_t length = 1;
    while (!ended()) {
      const int value = digit(length);
      if (value >= 0) {
        found += static_cast<char>('0' + value);
        at_ += length;
      } else if (peek() == '_' && has("lenient-hex-number") && !found.empty()) {
        ++at_;
      } else {
        break;
      }
    }
    return found;
  }

  bool number(std::string& out) {
    std::string spelled;
    if (take("-"))
      spelled = "-";
    else if (peek() == '+' && has("lenient-leading-plus"))
      ++at_;
    if (has("lenient-hex-number") && peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
      at_ += 2;
      unsigned long long total = 0;
      bool any = false;
      for (; ascii::is_hex(peek()); ++at_) {
        total = total * 16 + static_cast<unsigned>(ascii::hex_digit(peek()));
        any = true;
      }
      if (!any) return false;
      out += spelled + std::to_string(total);
      return true;
    }
    std::string whole = digits();
    if (whole.empty()) {
      const bool point = peek() == '.' && has("lenient-decimal-point");
      if (!point && !has("lenient-number-garbage") && !cut()) return false;
      whole = "0";
      if (spelled.empty() && !point && !cut()) return false;
    }
    if (whole.size() > 1 && whole[0] == '0') {
      if (!has("lenient-leading-zero")) {
        if (!has("lenient-number-garbage")) return false;
        whole = "0";
      } else {
        whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size() - 1));
      }
    }
    spelled += whole;
    if (peek() == '.') {
      ++at_;
      const std::string fraction = digits();
      if (!fraction.empty())
        spelled += "." + fraction;
      else if (!has("lenient-decimal-point") && !has("lenient-number-garbage") && !cut() &&
               !(has("lenient-exponent") && (peek() == 'e' || peek() == 'E')))
        return false;
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      std::string sign;
      if (peek() == '+' || peek() == '-') sign = text_[at_++];
      const std::string power = digits();
      if (!power.empty())
        spelled += "e" + sign + power;
      else if (!has("lenient-exponent") && !has("lenient-number-garbage") && !cut())
        return false;
    }
    if (has("lenient-number-garbage"))
      while (!ended() && std::string_view(",]} \t\r\n").find(peek()) == std::string_view::npos)
        ++at_;
    out += spelled;
    return true;
  }

  // A string without its quotes, decoded.
  bool text_until(char quote, std::string& decoded) {
    while (true) {
      if (ended()) return cut();
      const char c = text_[at_++];
      if (c == quote) return true;
      if (static_cast<unsigned char>(c) < 0x20) {
        if (c == '\0' && has("lenient-raw-nul")) continue;
        if (!has("lenient-raw-control")) return false;
        decoded += c;
      } else if (c == '\\') {
        if (ended()) return cut();
        if (!escape(decoded)) return false;
      } else {
        decoded += c;
      }
    }
  }

  bool hex4(unsigned& code) const {
    code = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const int digit = ascii::hex_digit(peek(i));
      if (digit < 0) return false;
      code = code * 16 + static_cast<unsigned>(digit);
    }
    return true;
  }

  static void append_code_point(std::string& out, unsigned code) {
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xc0 | (code >> 6));
      out += static_cast<char>(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
      out += static_cast<char>(0xe0 | (code >> 12));
      out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
      out += static_cast<char>(0x80 | (code & 0x3f));
    } else {
      out += static_cast<char>(0xf0 | (code >> 18));
      out += static_cast<char>(0x80 | ((code >> 12) & 0x3f));
      out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
      out += static_cast<char>(0x80 | (code & 0x3f));
    }
  }

  bool escape(std::string& out) {
    const char c = text_[at_++];
    constexpr std::string_view kShort = "\"\\/bfnrt";
    constexpr std::string_view kMeaning = "\"\\/\b\f\n\r\t";
    if (const auto known = kShort.find(c); known != std::string_view::npos) {
      out += kMeaning[known];
      return true;
    }
    unsigned code = 0;
    if (c == 'u' && hex4(code)) {
      at_ += 4;
      unsigned low = 0;
      if (code >= 0xd800 && code < 0xdc00 && peek() == '\\' && peek(1) == 'u') {
        at_ += 2;
        if (hex4(low) && low >= 0xdc00 && low < 0xe000) {
          at_ += 4;
          code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        } else {
          at_ -= 2;
        }
      }
      append_code_point(out, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
      return true;
    }
    if (c == 'u' ? has("lenient-unicode-escape") || has("lenient-bad-escape")
                 : has("lenient-bad-escape")) {
      out += c;
      return true;
    }
    return c == 'u' && has("lenient-truncated") && text_.size() - at_ < 4 &&
           (at_ = text_.size(), true);
  }

  bool string(std::string& out) {
    const char quote = text_[at_++];
    std::string decoded;
    if (!text_until(quote, decoded)) return false;
    json::append_quoted(out, decoded);
    return true;
  }

  bool name(std::string& out) {
    if (peek() == '"' || (peek() == '\'' && has("lenient-single-quotes"))) return string(out);
    if (!has("lenient-unquoted-names")) return false;
    std::string word;
    while (!ended() && (std::isalnum(static_cast<unsigned char>(peek())) != 0 || peek() == '_' ||
                        peek() == '$' || peek() == '-'))
      word += text_[at_++];
    if (word.empty()) return false;
    json::append_quoted(out, word);
    return true;
  }

  bool colon() {
    skip_space();
    if (take(":")) return true;
    if (!has("lenient-missing-colon")) return false;
    if (!take("=>")) take("=");
    return true;
  }

  bool closes(char wanted) {
    const char c = peek();
    if (c == wanted || (has("lenient-brackets") && (c == '}' || c == ']'))) {
      ++at_;
      return true;
    }
    return false;
  }

  void skip_commas() {
    while (has("lenient-trailing-comma") && (skip_space(), peek() == ',')) ++at_;
  }

  // After an element: true to go on with the next, false when `close` was met.
  enum class Next { kElement, kEnd, kBroken };
  Next next(char close) {
    skip_space();
    if (closes(close)) return Next::kEnd;
    if (ended()) return cut() ? Next::kEnd : Next::kBroken;
    if (take(",")) {
      skip_commas();
      skip_space();
      if (has("lenient-trailing-comma") && closes(close)) return Next::kEnd;
      if (cut()) return Next::kEnd;
      return Next::kElement;
    }
    return has("lenient-missing-comma") ? Next::kElement : Next::kBroken;
  }

  bool object(std::string& out) {
    ++at_;
    out += '{';
    skip_commas();
    skip_space();
    if (closes('}') || cut()) {
      out += '}';
      return true;
    }
    bool first = true;
    while (true) {
      skip_space();
      std::string member;
      if (!name(member)) return false;
      member += ':';
      const bool no_value = cut();
      if (!no_value && !colon()) return false;
      if (no_value)
        member += "null";
      else if (!value(member))
        return false;
      out += (first ? "" : ",") + member;
      first = false;
      const Next then = next('}');
      if (then == Next::kBroken) return false;
      if (then == Next::kEnd) break;
    }
    out += '}';
    return true;
  }

  bool array(std::string& out) {
    ++at_;
    out += '[';
    skip_commas();
    skip_space();
    if (closes(']') || cut()) {
      out += ']';
      return true;
    }
    bool first = true;
    while (true) {
      if (!first) out += ',';
      first = false;
      if (!value(out)) return false;
      const Next then = next(']');
      if (then == Next::kBroken) return false;
      if (then == Next::kEnd) break;
    }
    out += ']';
    return true;
  }

  std::string_view text_;
  const Faults& faults_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<std::vector<std::string>> forgiven(std::string_view text, const Faults& faults) {
  if (!is_utf8(text)) return std::nullopt;
  return Lenient(text, faults).all();
}

}  // namespace harness::reference
