// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/diagnose_failure.h"

#include <fmt/format.h>

#include <string>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/contact/first_look.h"
#include "harness/json/write.h"
#include "harness/oracle/last_words.h"
#include "harness/wire/gateway.h"
#include "harness/wire/message.h"

namespace harness::run {
namespace {

std::string media_type(const wire::HttpHead& head) {
  const std::string* header = head.header("Content-Type");
  if (header == nullptr) return {};
  std::string type = ascii::lower(std::string_view(*header).substr(0, header->find(';')));
  while (!type.empty() && type.back() == ' ') type.pop_back();
  return type;
}

bool may_carry_messages(const std::string& type) {
  return type == "application/json" || type == "text/event-stream" || type.ends_with("+json");
}

// Where a redirect leads, as an address to write: a path is one of the same server.
std::string destination(const std::string& location, const std::string& url) {
  const std::size_t host = url.find("://");
  if (!location.starts_with("/") || location.starts_with("//") || host == std::string::npos)
    return location;
  return url.substr(0, url.find('/', host + 3)) + location;
}

std::optional<Error> obstacle_in(const wire::Frame& frame, const target::Target& target) {
  const wire::HttpHead& head = *frame.head;
  const std::string gateway = wire::gateway_behind(head.status, head.headers, frame.bytes);
  if (!gateway.empty() && head.status != 401)
    return Error{"",
                 "a gateway in front of the target answers HTTP " + std::to_string(head.status) +
                     " in its place" + (gateway == "unknown" ? "" : " (" + gateway + ")"),
                 head.status >= 500 ? "check that the target runs behind it"
                                    : "let rpcspec through, or give the url of the target itself"};
  if (head.status == 401 || head.status == 403) {
    const std::string* challenge = head.header("WWW-Authenticate");
    // Some servers refuse origins and hosts with 403, whatever the credentials.
    if (head.status == 403 && challenge == nullptr && !target.auth.given() && !frame.bytes.empty())
      return Error{"", "the target answers HTTP 403: " + printable(frame.bytes, 200),
                   "if it needs credentials, add --auth bearer:NAME; else check that it accepts "
                   "requests for this host name"};
    Error refused = target::refused_credentials(target.auth.given(), head.status, challenge);
    if (!gateway.empty()) refused.what += "; it comes from a gateway in front of it, " + gateway;
    return refused;
  }
  if (head.status / 100 == 3) {
    const std::string* location = head.header("Location");
    const std::string answers = "the target answers HTTP " + std::to_string(head.status);
    if (location == nullptr)
      return Error{"", answers + " without a Location", "check the path of the url"};
    return Error{"",
                 answers + " to " + printable(*location, 300) +
                     ", which rpcspec does not "
                     "follow",
                 "use --url " + shell_quoted(printable(destination(*location, target.url), 300)) +
                     " if that is the server"};
  }
  // Some report errors of HTTP in JSON of their own.
  const wire::Message message = wire::read_message(frame.bytes);
  if (message.is_json && (message.value.is_array() || message.value.find("jsonrpc")))
    return std::nullopt;
  if (head.status == 404 || head.status == 405 || head.status == 410)
    return Error{
        "",
        "the target answers HTTP " + std::to_string(head.status) + " at " + printable(target.url),
        std::string("check the path of the url; many servers have /mcp") +
            (head.status == 405 ? "; for an event stream of 2024-11-05, use --transport sse" : "")};
  const std::string type = media_type(head);
  if (!frame.bytes.empty() && !type.empty() && !may_carry_messages(type))
    return Error{"",
                 "what answers at " + printable(target.url) + " sends " + printable(type, 80) +
                     " (HTTP " + std::to_string(head.status) + ") and not JSON-RPC",
                 "check the port and path of the url"};
  return std::nullopt;
}

}  // namespace

std::optional<Error> diagnose_failure(const std::vector<Contact>& contacts,
                                      const target::Target& target) {
  std::optional<Error> first;
  for (const Contact& contact : contacts)
    for (const wire::Frame& frame : contact.transcript->frames) {
      if (frame.direction != wire::Direction::kReceived || !frame.head || frame.head->status == 0)
        continue;
      std::optional<Error> found = obstacle_in(frame, target);
      if (!found) return std::nullopt;
      if (!first) first = std::move(found);
    }
  return first;
}

Error diagnose_end(const std::string& how, std::string_view output) {
  const std::string why = oracle::telling_line_of(output);
  return {"",
          "the process behind the url ended at the first messages (" + how + ")" +
              (why.empty() ? "" : ": " + why),
          "send it initialize by hand and look at its output"};
}

Error unusable_answer(const json::Value& reply) {
  const std::string shown = printable(json::write(reply), 400);
  if (wire::error_in(reply))
    return {"", "the target refuses initialize: " + shown, "choose another --profile"};
  return {"", "the target's response to initialize has no protocolVersion: " + shown, ""};
}

Error no_such_server(const spec::Profile& profile, const json::Value& reply) {
  const std::string shown = printable(json::write(reply), 400);
  if (wire::error_in(reply))
    return {
        "",
        fmt::format("the target refuses initialize of {}: {}", profile.acp ? "ACP" : "LSP", shown),
        "give the params of its initialize in the affordance opening"};
  return {"",
          fmt::format("the target's response to initialize is not that of {}: {}",
                      profile.acp ? "an agent" : "a language server", shown),
          "choose another --profile"};
}

Error unknown_method(const std::string& name) {
  return {"", fmt::format("the target does not know the method {} (-32601)", printable(name, 60)),
          "check the name that --method or known_method gives"};
}

Error refused_method(const std::string& name, const std::string& how, bool params) {
  return {"",
          fmt::format("the target refuses {}{} with {}", printable(name, 60),
                      params ? "" : ", called without params,", how),
          fmt::format("give params that it takes: --method '{}:[1, 2]' or '{}:{{\"a\": 1}}'", name,
                      name)};
}

namespace {

// What came is no message to us because of limits of our own; "" where that is not so.
std::string not_read(const session::Session& session) {
  if (session.closed_how() == "flood") return "it sent more than rpcspec reads";
  for (const wire::Frame& frame : session.transcript().frames) {
    if (frame.direction != wire::Direction::kReceived) continue;
    // What could be decoded was.
    const std::string* coding = frame.head ? frame.head->header("Content-Encoding") : nullptr;
    if (coding && !is_utf8(frame.bytes))
      return "its answer is compressed (Content-Encoding: " + printable(*coding, 40) +
             "), which was not requested";
    if (frame.channel == wire::Channel::kHttp && frame.unframed && !frame.bytes.empty())
      return "the answer has no end";
    if (!wire::carries_message(frame)) continue;
    const json::ReadError error = wire::read_message(frame.bytes).error;
    if (error.fault == json::ReadFault::kTooDeep)
      return "its answer cannot be read at byte " + std::to_string(error.offset) + ": " +
             error.reason;
    if (frame.size > frame.bytes.size())
      return "its answer cannot be read to its end: it has " + std::to_string(frame.size) +
             " bytes";
    return "";
  }
  return "";
}

// HTTP: what is wrong with a response that could not be parsed.
std::string http_fault(const session::Session& session) {
  for (const wire::Frame& frame : session.transcript().frames) {
    const bool bad = frame.channel == wire::Channel::kClose && frame.bytes == "bad-response";
    if (const std::string* fault = bad && frame.head ? frame.head->header("reason") : nullptr)
      return printable(*fault, 80);
  }
  return "";
}

// Why nothing at all came from one that runs.
std::string reasons_for_nothing(const session::Session& session) {
  const bool headers = session.wire().framing() == std::string_view("content-length");
  std::string reasons =
      "; it sent nothing: it may buffer its output, wait for an argument or a variable, or be "
      "another program";
  if (session.wire().traits().byte_stream && !headers)
    reasons +=
        ", or expect headers before each message, as language servers do (--framing "
        "content-length), or be an HTTP server (--url 'http://127.0.0.1:{port}/mcp')";
  if (headers) reasons += ", or expect lines without headers (--framing line)";
  return reasons;
}

// A connection that is closed is not the end of a server that listens for others.
bool hung_up(const session::Session& session) {
  return session.closed() && !session.exited() && !session.wire().process();
}

}  // namespace

const char* ends_at_first(const session::Session& session) {
  return hung_up(session) ? "the target closes the connection before it answers anything"
                          : "the target ended before it answered anything";
}

Error unreachable(const session::Session& session, const target::Target& target,
                  const std::string& what) {
  if (const std::string why = not_read(session); !why.empty())
    return Error{"", what + " with anything readable: " + why,
                 "let it answer the handshake with fewer and shorter values"};
  if (const std::string fault = http_fault(session); !fault.empty())
    return Error{"", what + ": its response is not valid HTTP (" + fault + ")",
                 "look at the status line and the headers that it writes"};
  // The lines of stderr stand last, after what to do.
  const std::string end = session::end_of(session), lines = session::stderr_of(session);
  const bool waits = !session.closed() && !session.exited() && says_nothing(session);
  // Of a stack trace the line that says why: its last lines may leave it out.
  const std::string why =
      session.exited() ? oracle::telling_line(oracle::last_lines(session.transcript(), 0)) : "";
  std::string remedy =
      hung_up(session) ? "look at its log: it may speak another protocol"
      : target.command.empty()
          ? "send it the same by hand, and look at its log"
          : "run the same command by hand and look at its output; if it needs a variable, set it "
            "before the command: -- NAME=VALUE COMMAND";
  // It died of the name of a method, or nobody knows.
  const bool looked_up = why.find("initialize") != why.npos || why.find("discover") != why.npos;
  if ((hung_up(session) || looked_up) && !target.affordances.find("known_method"))
    remedy += "; if it is a plain JSON-RPC server, name a method of it: --method NAME:PARAMS";
  return Error{"",
               what + (why.empty() ? "" : " (" + why + ")") + (end.empty() ? "" : ": " + end) +
                   (waits ? reasons_for_nothing(session) : ""),
               remedy + (lines.empty() ? "" : "; " + lines)};
}

}  // namespace harness::run
