// SPDX-License-Identifier: Apache-2.0
// A JSON-RPC 2.0 server in one file, one message a line, built so that a fuzzer sees what of it
// runs:
//
//   cc -O2 -c ../rpcspec_coverage.c
//   clang++ -std=c++17 -g -fsanitize-coverage=trace-pc-guard server.cc rpcspec_coverage.o -o server
//
// `greet` takes {"name": string}, `length` takes a list and says how long it is. Nothing here knows
// that it is counted.
#include <cctype>
#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct Value {
  char kind = 'n';   // n null, b boolean, # number, s string, [ array, { object
  std::string text;  // a string or number as it was written
  std::vector<std::pair<std::string, Value>> members;  // of an array: without names

  const Value* find(std::string_view name) const {
    for (const auto& member : members) {
      if (kind == '{' && member.first == name) return &member.second;
    }
    return nullptr;
  }
};

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = [&](std::size_t i) {
      return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
    };
    const int first = byte(0);
    const int more = first < 0x80 ? 0 : first < 0xC2 ? -1 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    if (more < 0 || first > 0xF4) return false;
    for (int i = 1; i <= more; ++i) {
      if ((byte(static_cast<std::size_t>(i)) & 0xC0) != 0x80) return false;
    }
    const int second = byte(1);  // overlong forms, surrogates, beyond U+10FFFF
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) {
      return false;
    }
    at += static_cast<std::size_t>(more) + 1;
  }
  return true;
}

// Reads one JSON text; `failed` when it is none.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool read(Value& out) {
    value(out, 0);
    space();
    return !failed_ && at_ == text_.size();
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) { return peek() == c && at_ < text_.size() ? ++at_ : false; }
  void space() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') ++at_;
  }
  void word(std::string_view expected) {
    failed_ |= text_.substr(at_, expected.size()) != expected;
    at_ += failed_ ? 0 : expected.size();
  }

  void value(Value& out, int depth) {
    space();
    if (depth > 200) failed_ = true;
    if (failed_) return;
    const char c = peek();
    if (c == '{' || c == '[') {
      list(out, c == '{', depth);
    } else if (c == '"') {
      out.kind = 's';
      out.text = string();
    } else if (c == '-' || std::isdigit(static_cast<unsigned char>(c))) {
      out.kind = '#';
      number(out.text);
    } else if (c == 't' || c == 'f') {
      out.kind = 'b';
      word(c == 't' ? "true" : "false");
    } else {
      word("null");
    }
  }

  void list(Value& out, bool object, int depth) {
    out.kind = text_[at_++];
    const char end = object ? '}' : ']';
    space();
    if (take(end)) return;
    do {
      std::pair<std::string, Value> member;
      space();
      if (object) {
        member.first = string();
        space();
        failed_ |= !take(':');
      }
      value(member.second, depth + 1);
      out.members.push_back(std::move(member));
      space();
    } while (!failed_ && take(','));
    failed_ |= !take(end);
  }

  // As it was written, so that it can be sent back, but for letters that were escaped: names have
  // to be known however they are spelled.
  std::string string() {
    std::string out;
    failed_ |= !take('"');
    while (!failed_ && !take('"')) {
      if (static_cast<unsigned char>(peek()) < ' ') {
        failed_ = true;
      } else if (take('\\')) {
        escape(out);
      } else {
        out += text_[at_++];
      }
    }
    return out;
  }
  void escape(std::string& out) {
    const char c = peek();
    if (c == '\0' || std::string_view("\"\\/bfnrtu").find(c) == std::string_view::npos) {
      failed_ = true;
      return;
    }
    const std::string_view digits = text_.substr(++at_, c == 'u' ? 4 : 0);
    at_ += digits.size();
    failed_ |= c == 'u' && digits.size() < 4;
    int unit = 0;
    for (const char digit : digits) {
      failed_ |= !std::isxdigit(static_cast<unsigned char>(digit));
      unit =
          unit * 16 +
          (std::isdigit(static_cast<unsigned char>(digit)) ? digit - '0' : (digit | 32) - 'a' + 10);
    }
    if (!failed_ && unit >= '0' && unit <= 'z' && unit != '\\') {
      out += static_cast<char>(unit);
    } else {
      (out += '\\') += c;
      out += digits;
    }
  }

  bool digits() {
    const std::size_t begin = at_;
    while (std::isdigit(static_cast<unsigned char>(peek()))) ++at_;
    return at_ > begin;
  }
  void number(std::string& out) {
    const std::size_t begin = at_;
    take('-');
    if (!take('0')) failed_ |= !digits();
    if (take('.')) failed_ |= !digits();
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (!take('+')) take('-');
      failed_ |= !digits();
    }
    out = text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

std::string error(int code, const std::string& what, const std::string& id = "null") {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":)" + std::to_string(code) +
         R"(,"message":")" + what + "\"}}";
}

std::string result(const std::string& value, const std::string& id) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + value + "}";
}

std::string call(const std::string& method, const Value* params, const std::string& id) {
  if (method == "greet") {
    const Value* name = params != nullptr ? params->find("name") : nullptr;
    if (name == nullptr || name->kind != 's') return error(-32602, "greet needs {name}", id);
    return result("\"Hello, " + name->text + "\"", id);
  }
  if (method == "length") {
    if (params == nullptr || params->kind != '[') return error(-32602, "length needs a list", id);
    return result(std::to_string(params->members.size()), id);
  }
  return error(-32601, "no such method", id);
}

// The reply; "" to a notification.
std::string answer(const Value& request) {
  const Value* id = request.find("id");
  std::string number = "null";
  if (id != nullptr && id->kind == 's') number = '"' + id->text + '"';
  if (id != nullptr && id->kind == '#') number = id->text;
  const Value* version = request.find("jsonrpc");
  const Value* method = request.find("method");
  const Value* params = request.find("params");
  const bool named = id == nullptr || id->kind == 's' || id->kind == '#' || id->kind == 'n';
  if (version == nullptr || version->kind != 's' || version->text != "2.0" || method == nullptr ||
      method->kind != 's' || !named ||
      (params != nullptr && params->kind != '[' && params->kind != '{')) {
    return error(-32600, "no request", number);
  }
  const std::string reply = call(method->text, params, number);
  return id != nullptr ? reply : "";
}

std::string answer_line(const std::string& line) {
  Value message;
  if (!is_utf8(line) || !Reader(line).read(message)) return error(-32700, "no JSON");
  if (message.kind != '[' || message.members.empty()) return answer(message);
  std::string all;
  for (const auto& member : message.members) {
    const std::string one = answer(member.second);
    if (!one.empty()) all += (all.empty() ? "" : ",") + one;
  }
  return all.empty() ? "" : "[" + all + "]";
}

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string reply = answer_line(line);
    if (!reply.empty()) std::cout << reply << std::endl;
  }
}
