// SPDX-License-Identifier: Apache-2.0
// One writer for both layouts. Bytes that are not UTF-8 cannot stand in JSON text; they become
// U+FFFD, so whatever we write can be read.
#include "harness/json/write.h"

#include "harness/base/result.h"
#include "harness/base/text.h"

namespace harness::json {
namespace {

constexpr int kOneLine = -1;

void line_break(std::string& out, int level) {
  if (level == kOneLine) return;
  out += '\n';
  out.append(static_cast<std::size_t>(level) * 2, ' ');
}

void append(std::string& out, const Value& value, int level) {
  const int inner = level == kOneLine ? kOneLine : level + 1;
  switch (value.kind) {
    case Kind::kNull: out += "null"; return;
    case Kind::kBoolean: out += value.boolean ? "true" : "false"; return;
    case Kind::kNumber: out += value.text; return;
    case Kind::kString: append_quoted(out, value.text); return;
    case Kind::kArray: {
      out += '[';
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        if (i > 0) out += ',';
        line_break(out, inner);
        append(out, value.items[i], inner);
      }
      if (!value.items.empty()) line_break(out, level);
      out += ']';
      return;
    }
    case Kind::kObject: {
      out += '{';
      for (std::size_t i = 0; i < value.members.size(); ++i) {
        if (i > 0) out += ',';
        line_break(out, inner);
        append_quoted(out, value.members[i].name);
        out += level == kOneLine ? ":" : ": ";
        append(out, value.members[i].value, inner);
      }
      if (!value.members.empty()) line_break(out, level);
      out += '}';
      return;
    }
  }
  throw Bug("a value of no kind");
}

void append_character(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  if (static_cast<unsigned char>(c) < 0x20) {
    out += "\\u00";
    out += "0123456789abcdef"[(c >> 4) & 0xF];
    out += "0123456789abcdef"[c & 0xF];
  } else {
    out += c;
  }
}

}  // namespace

std::string write(const Value& value) {
  std::string out;
  append(out, value, kOneLine);
  return out;
}

std::string write_pretty(const Value& value) {
  std::string out;
  append(out, value, 0);
  return out;
}

std::string quoted(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (;;) {
    const std::size_t bad = first_invalid_utf8(text);
    for (const char c : text.substr(0, bad)) append_character(out, c);
    if (bad == std::string_view::npos) break;
    out += "\xEF\xBF\xBD";
    text.remove_prefix(bad + 1);
  }
  out += '"';
}

}  // namespace harness::json
