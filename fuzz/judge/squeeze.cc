// SPDX-License-Identifier: Apache-2.0
#include "fuzz/judge/squeeze.h"

#include <algorithm>
#include <cctype>

namespace fuzz {
namespace {

constexpr std::size_t kMostSignature = 160;
constexpr int kFunctions = 3;  // of a stack that tell two crashes apart

bool is_decimal(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Where the number ends that begins here, sign and exponent included; `i` when none does.
std::size_t number_end(std::string_view text, std::size_t i) {
  const std::size_t begin = text[i] == '-' ? i + 1 : i;
  if (begin >= text.size() || !is_decimal(text[begin]) || (i > 0 && is_word(text[i - 1]))) return i;
  std::size_t end = begin;
  while (end < text.size()) {
    const bool exponent = (text[end] == '+' || text[end] == '-') &&
                          (text[end - 1] == 'e' || text[end - 1] == 'E') && end > begin + 1;
    if (!is_word(text[end]) && text[end] != '.' && !exponent) break;
    ++end;
  }
  while (text[end - 1] == '.') --end;  // of a sentence
  return end;
}

// What is quoted: an object, an array, or a string, whose quotes are not escaped.
bool is_message(std::string_view text) {
  if (text.starts_with('{') || text.starts_with('[')) return true;
  return text.size() > 1 && text.starts_with('"') &&
         std::string_view(" ,.;:)").find(text[1]) == std::string_view::npos;
}

// What is quoted ends within an object or array: its own quotes were taken for the end.
bool breaks_off(std::string_view quoted) {
  const auto count = [&](char c) { return std::count(quoted.begin(), quoted.end(), c); };
  return count('{') > count('}') || count('[') > count(']');
}

}  // namespace

std::string squeezed(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size() && out.size() < kMostSignature;) {
    const char c = text[i];
    if ((c == '"' || c == '`') && is_message(text.substr(i + 1))) return out;
    if (c == '"' || c == '`') {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != c) end += text[end] == '\\' ? 2 : 1;
      if (end < text.size() && breaks_off(text.substr(i, end - i))) return out;
      out += c;
      out += c;
      i = std::min(end, text.size()) + 1;
    } else if (c == '{' || c == '[') {
      return out;  // a message, or a piece of one
    } else if (const std::size_t end = number_end(text, i); end != i) {
      const std::string_view number = text.substr(i, end - i);
      out += number.size() == 6 && number.starts_with("-32") ? std::string(number) : "#";
      i = end;
    } else {
      out += c;
      ++i;
    }
  }
  return out;
}

namespace {

// What std::terminate says of an exception: a mark in brackets, where it begins with one.
std::string what_was_thrown(std::string_view text) {
  constexpr std::string_view kWhat = "what():  ";
  constexpr std::size_t kMost = 60;
  const std::size_t at = text.find(kWhat);
  if (at == std::string_view::npos) return "";
  std::string_view what = text.substr(at + kWhat.size());
  what = what.substr(0, what.find('\n'));
  const std::size_t end = what.find(']');
  if (what.starts_with('[') && end < kMost) return " " + std::string(what.substr(0, end + 1));
  return " " + squeezed(what).substr(0, kMost);  // in this order: numbers have many lengths
}

}  // namespace

namespace {

std::string_view line_from(std::string_view text, std::size_t at) {
  return text.substr(at, text.find('\n', at) - at);
}

// Without the folders before it.
std::string file_in(std::string_view text) {
  return std::string(text.substr(text.rfind('/') + 1));  // all of it where there is none
}

// The exception in the last line of a traceback, without its module: " JSONDecodeError".
std::string exception_in(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::string_view name = text.substr(text.rfind('\n') + 1);
  name = name.substr(0, name.find(':'));
  name = name.substr(name.rfind('.') + 1);
  return name.find(' ') == std::string_view::npos ? " " + std::string(name) : "";
}

// Of a traceback, the innermost line of the server itself; and what was thrown, where a library
// that comes with Python threw it: which of its lines did so tells nothing.
std::string place_in_python(std::string_view text) {
  constexpr std::string_view kFile = "  File \"", kStandard = "/lib/python";
  std::string innermost;
  for (std::size_t at = text.rfind(kFile); at != std::string_view::npos;
       at = at == 0 ? std::string_view::npos : text.rfind(kFile, at - 1)) {
    std::string_view line = line_from(text, at + kFile.size());
    line = line.substr(0, line.find(", in "));
    const bool standard = line.find("-packages/") == std::string_view::npos &&
                          (line.find(kStandard) != std::string_view::npos || line.starts_with('<'));
    std::string place = file_in(line);
    std::erase(place, '"');
    if (!standard) return innermost.empty() ? place : place + exception_in(text);
    if (innermost.empty()) innermost = std::move(place);
  }
  return innermost;
}

// "server.rb:3" around the end of its name, `mark`; "" if no number follows.
std::string place_around(std::string_view text, std::size_t at, std::string_view mark) {
  const std::size_t begin = text.find_last_of(" \t\n(", at) + 1;
  const std::size_t digits = at + mark.size();
  const std::size_t end = std::min(text.find_first_not_of("0123456789", digits), text.size());
  return end > digits ? file_in(text.substr(begin, end - begin)) : "";
}

// PHP: "Uncaught E: … in /x.php:3"; Lua: "x.lua:3: …", and its stack below; Ruby: "x.rb:3:in `f'",
// the innermost outside of what comes with it.
std::string place_in_scripts(std::string_view text) {
  constexpr std::string_view kPhp = ".php:", kLua = ".lua:", kRuby = ".rb:";
  if (const std::size_t uncaught = text.find("Uncaught "); uncaught != std::string_view::npos)
    if (const std::size_t at = text.find(kPhp, uncaught); at != std::string_view::npos)
      return place_around(text, at, kPhp);
  if (const std::size_t stack = text.find("stack traceback:"); stack != std::string_view::npos)
    if (const std::size_t at = text.rfind(kLua, stack); at != std::string_view::npos)
      return place_around(text, at, kLua);
  for (std::size_t at = text.find(kRuby); at != std::string_view::npos;
       at = text.find(kRuby, at + 1)) {
    const std::size_t line = text.rfind('\n', at) + 1;
    const bool standard = text.substr(line, at - line).find("/lib/ruby") != std::string_view::npos;
    const std::size_t end = text.find_first_not_of("0123456789", at + kRuby.size());
    if (!standard && end != std::string_view::npos && text.substr(end).starts_with(":in "))
      return place_around(text, at, kRuby);
  }
  return "";
}

// Where an exception was thrown that nobody caught: "server.py, line 10", "server.mjs:3:7",
// "server.rb:3", "server.pl line 24".
std::string place_in(std::string_view text) {
  constexpr std::string_view kNode = "\n    at ", kPerl = " at ", kLine = " line ";
  if (text.find("Traceback (most recent call last)") != std::string_view::npos)
    if (std::string place = place_in_python(text); !place.empty()) return place;
  for (std::size_t at = text.find(kNode); at != std::string_view::npos;
       at = text.find(kNode, at + 1)) {
    std::string_view line = line_from(text, at + kNode.size());
    if (line.ends_with(')')) line.remove_suffix(1);
    const bool ours = line.find("<anonymous>") == std::string_view::npos &&
                      line.find("node:") == std::string_view::npos;
    if (ours) return file_in(line);
  }
  std::string out = place_in_scripts(text);
  if (!out.empty()) return out;
  for (std::size_t at = text.find(kPerl); at != std::string_view::npos;
       at = text.find(kPerl, at + 1)) {
    const std::string_view place = line_from(text, at + kPerl.size());
    const std::size_t blank = place.find(' ');
    if (blank == std::string_view::npos || !place.substr(blank).starts_with(kLine)) continue;
    const std::size_t digits = blank + kLine.size();
    const std::size_t end = std::min(place.find_first_not_of("0123456789", digits), place.size());
    if (end > digits) out = file_in(place.substr(0, end));
  }
  return out;
}

}  // namespace

std::string crash_class(std::string_view text) {
  std::string out;
  for (const std::string_view mark :
       {"ERROR: AddressSanitizer: ", "ERROR: LeakSanitizer: ", "WARNING: ThreadSanitizer: ",
        "WARNING: MemorySanitizer: ", "runtime error: ", "terminate called ", "panicked at ",
        "Assertion `", "Assertion failed"}) {
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = text.substr(at, text.find('\n', at) - at);
    out = squeezed(rest.substr(0, rest.find(" on "))) + what_was_thrown(text.substr(at));
    break;
  }
  int functions = 0;
  for (std::size_t at = text.find(" in "); at != std::string_view::npos && functions < kFunctions;
       at = text.find(" in ", at + 1)) {
    const std::size_t line = text.rfind('\n', at) + 1;
    const std::size_t hash = text.find_first_not_of(' ', line);
    if (hash == std::string_view::npos || text[hash] != '#') continue;
    const std::string_view name = text.substr(at + 4, text.find_first_of(" (\n", at + 4) - at - 4);
    const bool dying = name == "raise" || name == "gsignal" || name == "abort";
    if (dying || name.starts_with("__") || name.starts_with("std::")) continue;
    out += (out.empty() ? "" : " ") + std::string(name);
    ++functions;
  }
  return out.empty() ? place_in(text) : out;
}

}  // namespace fuzz
