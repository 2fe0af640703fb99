// SPDX-License-Identifier: Apache-2.0
// How stdio servers go wrong outside their messages.
#include "harness/reference/inject_stdio.h"

#include <unistd.h>

#include <algorithm>

#include "harness/json/read.h"
#include "harness/json/write.h"

namespace harness::reference {
namespace {

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xC0') != '\x80'; }));
}

}  // namespace

std::string StdioFaultInjector::greeting() const {
  std::string text;
  if (faults_.has("stdout-banner")) text += "Reference server 1.0 is ready\n";
  if (faults_.has("startup-notification")) {
    text += R"({"jsonrpc":"2.0","method":"notifications/message",)"
            R"("params":{"level":"info","data":"started"}})"
            "\n";
  }
  return text;
}

void StdioFaultInjector::append_line(std::string& output, const std::string& message) {
  if (faults_.has("stdout-log-line")) output += "[INFO] a request was handled\n";
  if (faults_.has("json-log-on-stdout")) output += "{\"level\":\"info\",\"msg\":\"handled\"}\n";
  const bool failure = message.find("-32700") != std::string::npos ||
                       message.find("-32600") != std::string::npos ||
                       message.find("Unknown tool") != std::string::npos ||
                       message.find("-32000") != std::string::npos;
  if (failure && faults_.has("diagnostics-on-stdout")) output += "error: bad message\n";
  constexpr std::size_t kMost = std::size_t{8} << 20;
  if (message.size() > kMost && faults_.has("output-line-cut-at-8-mebibytes")) {
    output += message.substr(0, kMost) + '\n';
    return;
  }
  if (faults_.has("large-results-interleaved")) {
    if (!held_.empty()) {
      output += message + "\n" + held_ + "\n";
      held_.clear();
      return;
    }
    if (message.size() > 65536) {
      output += message.substr(0, message.size() / 2);
      held_ = message.substr(message.size() / 2);
      return;
    }
  }
  // A client that cannot read the answer to initialize learns nothing else about the server.
  if (message.find(R"("result":{"protocolVersion")") != std::string::npos) {
    output += message + "\n";
    return;
  }
  if (faults_.has("stdout-two-on-a-line"))
    output += R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"} )";
  if (faults_.has("stdout-escape-codes")) output += "\x1b[32m";
  if (faults_.has("stdout-content-length"))
    output += "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n";
  auto value = json::read(message);
  if (faults_.has("stdout-pretty-printed") && std::holds_alternative<json::Reading>(value))
    output += json::write_pretty(std::get<json::Reading>(value).value);
  else
    output += message;
  if (faults_.has("stdout-escape-codes")) output += "\x1b[0m";
  if (faults_.has("stdout-last-line-unterminated")) return;
  output += faults_.has("stdout-crlf") ? "\r\n" : "\n";
  if (faults_.has("stdout-blank-lines")) output += "\n";
}

bool StdioFaultInjector::line_in(Session& session, std::string& line) const {
  const bool crlf = !line.empty() && line.back() == '\r';
  if (crlf && faults_.has("crlf-kills")) session.exit_status = 1;
  if (crlf && faults_.has("crlf-parse-error")) line = "(carriage return)";
  if (line.find_first_not_of(" \t\r") == std::string::npos && faults_.has("blank-line-ends-server"))
    session.exit_status = 0;
  if (line.rfind("Content-Length", 0) == 0 && faults_.has("content-length-header-kills"))
    session.exit_status = 1;
  if (line.size() > 8192 && faults_.has("lines-cut-at-8k")) return false;
  return !session.exit_status;
}

std::size_t StdioFaultInjector::longest_line() const {
  return faults_.has("lines-cut-at-64k") ? 65536 : std::string::npos;
}

std::string StdioFaultInjector::header_of(std::string_view message) const {
  std::size_t length = message.size();
  if (faults_.has("content-length-in-characters")) length = characters_in(message);
  const std::string value = std::to_string(length);
  if (faults_.has("content-length-left-out")) return "Length: " + value + "\r\n\r\n";
  if (faults_.has("content-length-line-feeds")) return "Content-Length: " + value + "\n\n";
  std::string header = "Content-Length: " + value + "\r\n";
  if (faults_.has("content-length-header-accents")) header += "X-Server: r\xc3\xa9\r\n";
  if (faults_.has("content-length-charset"))
    header += "Content-Type: application/vscode-jsonrpc; charset=utf-16\r\n";
  return header + "\r\n";
}

std::optional<std::size_t> StdioFaultInjector::content_size(std::string_view from,
                                                            std::size_t length,
                                                            Session& session) const {
  constexpr std::size_t kLarge = 1 << 20;
  if ((length == 0 && faults_.has("content-length-zero-kills")) ||
      (length > kLarge && faults_.has("content-length-large-kills")))
    session.exit_status = 1;
  if (faults_.has("content-length-read-in-characters")) {
    std::size_t size = 0;
    for (std::size_t left = length; left > 0; --left) {
      if (size >= from.size()) return std::nullopt;
      ++size;
      while (size < from.size() && (from[size] & '\xC0') == '\x80') ++size;
    }
    return size;
  }
  if (from.size() < length) return std::nullopt;
  if (from.substr(0, length).find('\n') != from.npos && faults_.has("content-length-no-lines"))
    session.exit_status = 1;
  return length;
}

void StdioFaultInjector::at_end_of_input(const Session& session, bool anything_read,
                                         bool pending) const {
  if (faults_.has("ignores-eof") || (!anything_read && faults_.has("eof-at-start-hangs")) ||
      (pending && faults_.has("pending-at-eof-hangs")) ||
      (session.has_open_calls() && faults_.has("eof-with-open-subscription-hangs")))
    while (true) pause();
}

}  // namespace harness::reference
