// SPDX-License-Identifier: Apache-2.0
// A JSON-RPC 2.0 server in one file, one message a line, built so that a fuzzer sees what of it
// runs:
//
//   clang++ -std=c++17 -g -fsanitize-coverage=trace-pc-guard server.cc ../rpcspec_coverage.c -o
//   server
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

  // As it was written, escapes and all: it is sent back that way.
  std::string string() {
    const std::size_t begin = at_ + 1;
    failed_ |= !take('"');
    while (!failed_ && !take('"')) {
      if (static_cast<unsigned char>(peek()) < ' ') failed_ = true;
      if (take('\\'))
        escape();
      else
        ++at_;
    }
    return failed_ ? "" : std::string(text_.substr(begin, at_ - 1 - begin));
  }
  void escape() {
    const char c = peek();
    if (c == '\0' || std::string_view("\"\\/bfnrtu").find(c) == std::string_view::npos) {
      failed_ = true;
      return;
    }
    ++at_;
    for (int i = 0; c == 'u' && i < 4; ++i, ++at_) {
      failed_ |= !std::isxdigit(static_cast<unsigned char>(peek()));
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
  if (!Reader(line).read(message)) return error(-32700, "no JSON");
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
