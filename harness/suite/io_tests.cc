// SPDX-License-Identifier: Apache-2.0
#include "harness/suite/io_tests.h"

#include <algorithm>
#include <variant>

#include "harness/base/words.h"
#include "harness/json/read.h"
#include "harness/json/write.h"

namespace harness::suite {
namespace {

constexpr std::size_t kMostIoValues = 1'000'000;  // of one line
constexpr std::string_view kSpecOnly = "speconly:";

// What stands there is text, and no reference.
void keep_dollars(json::Value& value) {
  for (std::size_t at = 0; (at = value.text.find("${", at)) != std::string::npos; at += 3)
    value.text.insert(at, 1, '$');
  for (json::Value& item : value.items) keep_dollars(item);
  for (json::Member& member : value.members) keep_dollars(member.value);
}

class IoReader {
 public:
  IoReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<json::Value> read(bool needs_chain) {
    while (!text_.empty()) {
      const std::string_view line = next_line();
      if (const Status taken = take(line); !taken) return taken.error();
    }
    if (steps_.items.empty()) return error("the test sends nothing", "begin a line with >>");
    const json::Value source = json::string(file_);
    json::Value out = json::object({{"title", json::string(title_.empty() ? file_ : title_)}});
    out.set("clause", json::object({{"level", json::string("MUST")},
                                    {"statement", json::string("It is answered as recorded.")},
                                    {"source", source}}));
    out.set("profiles", json::parse(R"(["jsonrpc-2.0"])"));
    if (needs_chain) out.set("requires", json::parse(R"([{"affordance":"chain"}])"));
    out.set("steps", std::move(steps_));
    return out;
  }

 private:
  Error error(std::string what, std::string remedy) const {
    return {file_ + ":" + std::to_string(number_), std::move(what), std::move(remedy)};
  }

  std::string_view next_line() {
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    const std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    ++number_;
    return line;
  }

  Status take(std::string_view line) {
    if (line.size() > kLongestIoLine) return error("the line has more than 20 MiB", "shorten it");
    line = trimmed(line);
    if (line.empty()) return Nothing{};
    const std::string_view rest = trimmed(line.substr(std::min<std::size_t>(2, line.size())));
    if (line.starts_with("//")) return comment(rest), Status(Nothing{});
    if (!line.starts_with(">>") && !line.starts_with("<<"))
      return error("the line begins with none of //, >> and <<", "see docs/contracts.md");
    auto reading = json::read(rest, {.max_values = kMostIoValues});
    const auto* wrong = std::get_if<json::ReadError>(&reading);
    if (line.starts_with(">>")) {
      if (wrong != nullptr) return sent(rest), Status(Nothing{});
      return sent(std::move(std::get<json::Reading>(reading).value)), Status(Nothing{});
    }
    if (wrong != nullptr) return error("the reply is not JSON: " + wrong->reason, "mend it");
    return answered(std::get<json::Reading>(reading).value);
  }

  void comment(std::string_view words) {
    if (words.starts_with(kSpecOnly)) {
      by_schema_ = true;
      words = trimmed(words.substr(kSpecOnly.size()));
    }
    if (title_.empty()) title_ = words;
  }

  void sent(std::string_view text) {
    add("frame", json::array());
    json::Value piece = json::object({{"text", json::string(text)}});
    keep_dollars(piece);
    steps_.items.back().find("frame")->items.push_back(std::move(piece));
  }
  void sent(json::Value message) {
    keep_dollars(message);
    const json::Value* version = message.find("jsonrpc");
    json::Value* params = message.find("params");
    const bool usual = version != nullptr && version->text == "2.0" &&
                       message.find("method") != nullptr && message.find("id") != nullptr &&
                       message.members.size() == (params != nullptr ? 4u : 3u);
    if (!usual) return add("send", std::move(message));
    json::Value call = json::object({{"method", *message.find("method")}});
    if (params != nullptr) call.set("params", std::move(*params));
    add("call", std::move(call));
  }
  void add(const char* action, json::Value what) {
    steps_.items.push_back(json::object({{action, std::move(what)}}));
  }

  Status answered(json::Value& reply) {
    if (steps_.items.empty() || steps_.items.back().find("reply") != nullptr)
      return error("no earlier request fits this reply", "write a line with >> before it");
    json::Value expected;
    for (const char* name : {"result", "error"}) {
      json::Value* member = reply.find(name);
      if (member == nullptr) continue;
      keep_dollars(*member);
      expected = json::object(
          {{name, by_schema_ ? json::string("$any") : json::object({{"$recorded", *member}})}});
    }
    if (expected.is_null()) return error("the reply has neither a result nor an error", "add one");
    steps_.items.back().set("reply", std::move(expected));
    return Nothing{};
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t number_ = 0;
  bool by_schema_ = false;
  std::string title_;
  json::Value steps_ = json::array();
};

}  // namespace

Result<json::Value> case_of_io(std::string_view text, const std::string& file, bool needs_chain) {
  return IoReader(text, file).read(needs_chain);
}

std::string case_text(const json::Value& one) {
  std::string out;
  for (const json::Member& member : one.members) {
    out += member.name + ":";
    if (member.name != "steps") out += " " + json::write(member.value) + "\n";
  }
  for (const json::Value& step : one.find("steps")->items) {
    const char* mark = "\n  - ";
    for (const json::Member& part : step.members) {
      out += mark + part.name + ": " + json::write(part.value);
      mark = "\n    ";
    }
  }
  return out + "\n";
}

}  // namespace harness::suite
