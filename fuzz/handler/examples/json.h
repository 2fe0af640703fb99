// SPDX-License-Identifier: Apache-2.0
// A small strict JSON reader, as a project might have one of its own. Values keep their text, so
// that an id is returned unchanged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace example {

struct Member;

struct Json {
  enum Kind { kNone, kNull, kBool, kNumber, kString, kArray, kObject };
  Kind kind = kNone;
  std::string_view source;  // into the text that was read
  std::string text;         // of a string, decoded
  std::vector<Json> items;
  std::vector<Member> members;

  // The last member of this name; one of kind kNone when there is none.
  const Json& operator[](std::string_view name) const;
  explicit operator bool() const { return kind != kNone; }
};

struct Member {
  std::string name;
  Json value;
};

inline const Json& Json::operator[](std::string_view name) const {
  static const Json none;
  for (auto it = members.rbegin(); it != members.rend(); ++it)
    if (it->name == name) return it->value;
  return none;
}

class Reader {
 public:
  Reader(std::string_view text, int most_depth) : text_(text), depth_(most_depth) {}

  // False when the text is not JSON, or nested deeper than allowed.
  bool read(Json& out) { return value(out) && (blanks(), at_ == text_.size()); }

 private:
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  bool value(Json& out) {
    blanks();
    const std::size_t from = at_;
    bool good = true;
    switch (next()) {
      case '{':
        good = object(out);
        break;
      case '[':
        good = array(out);
        break;
      case '"':
        out.kind = Json::kString;
        good = string(out.text);
        break;
      case 't':
        out.kind = Json::kBool;
        good = take("true");
        break;
      case 'f':
        out.kind = Json::kBool;
        good = take("false");
        break;
      case 'n':
        out.kind = Json::kNull;
        good = take("null");
        break;
      default:
        out.kind = Json::kNumber;
        good = number();
    }
    out.source = text_.substr(from, at_ - from);
    return good;
  }

  bool object(Json& out) {
    out.kind = Json::kObject;
    if (--depth_ < 0) return false;
    ++at_;
    for (blanks(); next() != '}'; blanks()) {
      if (!out.members.empty() && !take(",")) return false;
      blanks();
      out.members.emplace_back();
      if (next() != '"' || !string(out.members.back().name)) return false;
      blanks();
      if (!take(":") || !value(out.members.back().value)) return false;
    }
    ++depth_;
    return take("}");
  }

  bool array(Json& out) {
    out.kind = Json::kArray;
    if (--depth_ < 0) return false;
    ++at_;
    for (blanks(); next() != ']'; blanks()) {
      if (!out.items.empty() && !take(",")) return false;
      out.items.emplace_back();
      if (!value(out.items.back())) return false;
    }
    ++depth_;
    return take("]");
  }

  bool digits() {
    const std::size_t from = at_;
    while (next() >= '0' && next() <= '9') ++at_;
    return at_ != from;
  }

  bool number() {
    take("-");
    if (!take("0") && !digits()) return false;
    if (take(".") && !digits()) return false;
    if (next() != 'e' && next() != 'E') return true;
    ++at_;
    if (!take("+")) take("-");
    return digits();
  }

  bool hex(std::uint32_t& out) {
    out = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = next();
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return false;
      out = out * 16 + static_cast<std::uint32_t>(digit);
    }
    return true;
  }

  static void append(std::string& out, std::uint32_t point) {
    const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (point < 0x80) {
      put(point);
    } else if (point < 0x800) {
      put(0xC0 | (point >> 6));
      put(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
      put(0xE0 | (point >> 12));
      put(0x80 | ((point >> 6) & 0x3F));
      put(0x80 | (point & 0x3F));
    } else {
      put(0xF0 | (point >> 18));
      put(0x80 | ((point >> 12) & 0x3F));
      put(0x80 | ((point >> 6) & 0x3F));
      put(0x80 | (point & 0x3F));
    }
  }

  bool escape(std::string& out) {
    const char c = next();
    ++at_;
    constexpr std::string_view kShort = "\"\\/bfnrt";
    constexpr std::string_view kMeaning = "\"\\/\b\f\n\r\t";
    if (const std::size_t known = kShort.find(c); known != kShort.npos) {
      out += kMeaning[known];
      return true;
    }
    if (c != 'u') return false;
    std::uint32_t point = 0;
    if (!hex(point)) return false;
    if (point >= 0xD800 && point < 0xDC00 && text_.substr(at_, 2) == "\\u") {
      const std::size_t back = at_;
      std::uint32_t low = 0;
      at_ += 2;
      if (!hex(low)) return false;
      if (low >= 0xDC00 && low < 0xE000) {
        point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
      } else {
        at_ = back;
      }
    }
    append(out, point >= 0xD800 && point < 0xE000 ? 0xFFFD : point);
    return true;
  }

  // One non-ASCII UTF-8 character.
  bool wide(std::string& out) {
    const auto byte = [&](std::size_t i) {
      return at_ + i < text_.size() ? static_cast<unsigned char>(text_[at_ + i]) : 0u;
    };
    const unsigned first = byte(0);
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4) return false;
    for (std::size_t i = 1; i < length; ++i)
      if (byte(i) < 0x80 || byte(i) > 0xBF) return false;
    if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F)) return false;
    if ((first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F)) return false;
    out.append(text_.substr(at_, length));
    at_ += length;
    return true;
  }

  bool string(std::string& out) {
    out.clear();
    for (++at_; at_ < text_.size();) {
      const unsigned char c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c < 0x20) return false;
      if (c >= 0x80) {
        if (!wide(out)) return false;
      } else if (c == '\\') {
        ++at_;
        if (!escape(out)) return false;
      } else {
        out += text_[at_++];
      }
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_;
};

inline std::string quoted(std::string_view text) {
  static const char* kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (byte < 0x20)
      ((out += "\\u00") += kHex[byte >> 4]) += kHex[byte & 15];
    else
      out += c;
  }
  return out += '"';
}

}  // namespace example
