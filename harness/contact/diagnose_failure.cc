// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/diagnose_failure.h"

#include <string>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
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

}  // namespace harness::run
