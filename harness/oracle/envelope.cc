// SPDX-License-Identifier: Apache-2.0
// The outside of every message the server sends: version, id, result or error, and the shape of
// the error object.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"

namespace harness::oracle {
namespace {

constexpr std::size_t kConcise = 300;

void judge_version(const Evidence& evidence, Sink& sink, const Item& item) {
  if (is_text(item.member("jsonrpc"), "2.0")) return;
  const json::Value* version = item.member("jsonrpc");
  const Breach breach{"\"jsonrpc\": \"2.0\"",
                      version == nullptr ? "no jsonrpc member in " + shown(item.text)
                                         : "\"jsonrpc\": " + shown(*version),
                      {item.seq},
                      version == nullptr ? "no version" : "version"};
  if (is_reply(item)) {
    report_best(evidence, sink,
                {"jsonrpc.response.version-member", "mcp.base.jsonrpc-conformance",
                 "tutorial.jsonrpc.version-member", "lsp.requests.version-out"},
                breach);
  } else {
    report_best(evidence, sink,
                {"mcp.base.jsonrpc-conformance", "tutorial.jsonrpc.version-member",
                 "lsp.requests.version-out"},
                breach);
  }
}

// Before a message was looked at: its status says what is meant, and 400 is for messages too.
bool is_refused_by_http(const Evidence& evidence, const Item& item) {
  const wire::Frame& frame = evidence.transcript.frames[item.frame];
  return frame.channel == wire::Channel::kHttp && frame.head && frame.head->status > 400 &&
         frame.head->status < 500;
}

// Whether a message of ours had this id, which is none.
bool is_ours(const Evidence& evidence, const json::Value& id) {
  return std::any_of(evidence.items.begin(), evidence.items.end(), [&](const Item& item) {
    const json::Value* own = item.sent ? item.member("id") : nullptr;
    return own != nullptr && json::equal(*own, id);
  });
}

void judge_id(const Evidence& evidence, Sink& sink, const Item& item) {
  const json::Value* id = item.member("id");
  if (id == nullptr) {
    // Errors without id: lawful under MCP when nothing could be read; the reply oracle decides.
    if (item.kind == wire::MessageKind::kErrorResponse) {
      if (is_refused_by_http(evidence, item)) return;
      report_best(
          evidence, sink,
          {"jsonrpc.response.id-member-present", "tutorial.jsonrpc.response-id-null-if-unreadable",
           "lsp.requests.response-id-type"},
          {"an id member, null when no id could be read",
           shown(item.text),
           {item.seq},
           "of an error"});
    } else {
      report_best(evidence, sink,
                  {"jsonrpc.response.id-member-present", "mcp.base.response-same-id",
                   "tutorial.jsonrpc.response-id-matches", "lsp.requests.response-id-type"},
                  {"the id of the request",
                   "a result without id: " + shown(item.text),
                   {item.seq},
                   "of a result"});
    }
    return;
  }
  if (id->is_boolean() || id->is_array() || id->is_object()) {
    // A refusal may name what it could read in place of an id.
    if (item.kind == wire::MessageKind::kErrorResponse && is_ours(evidence, *id)) return;
    report_best(
        evidence, sink, {"jsonrpc.id.invalid-type", "lsp.requests.response-id-type"},
        {"a string, a number or null as id", shown_id(id) + " in " + shown(item.text), {item.seq}});
  }
}

void judge_outcome(const Evidence& evidence, Sink& sink, const Item& item) {
  const json::Value* result = item.member("result");
  const json::Value* error = item.member("error");
  if (result != nullptr && error != nullptr) {
    const char* plain =
        is_null(error) && !is_null(result)   ? "jsonrpc.response.no-null-error-on-success"
        : is_null(result) && !is_null(error) ? "jsonrpc.response.no-null-result-on-error"
                                             : "jsonrpc.response.not-both";
    Breach breach{"either result or error", "both: " + shown(item.text), {item.seq}};
    breach.flaw = "both";
    if (evidence.profile.lsp && is_null(error)) breach.at_most = Severity::kWarn;
    report_best(evidence, sink,
                {plain, "mcp.base.result-or-error", "tutorial.jsonrpc.response-result-xor-error",
                 "lsp.requests.result-xor-error"},
                std::move(breach));
  }
  if (item.member("method") != nullptr) {
    report_best(evidence, sink, {"jsonrpc.response.extra-members-tolerated"},
                {"a response without method",
                 shown(item.text),
                 {item.seq},
                 "",
                 Severity::kFail,
                 Severity::kWarn});
  }
}

// Whether some text of ours, odd enough to make a message long or break its line, is in it.
bool repeats(const json::Value& ours, const std::string& message) {
  constexpr std::size_t kOdd = 60;  // characters
  constexpr std::size_t kTelling = 40;
  const auto odd = [&](const std::string& text) {
    const bool control =
        std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20; });
    return (text.size() > kOdd || control) &&
           message.find(text.substr(0, kTelling)) != std::string::npos;
  };
  if (ours.is_string() || ours.is_number()) return odd(ours.text);
  return std::any_of(ours.items.begin(), ours.items.end(),
                     [&](const json::Value& item) { return repeats(item, message); }) ||
         std::any_of(ours.members.begin(), ours.members.end(), [&](const json::Member& member) {
           return odd(member.name) || repeats(member.value, message);
         });
}

// True when the length of the message is our doing; also in text that is not JSON, which the server
// read all the same when it names an id of it.
bool repeats_us(const Evidence& evidence, const Item& reply, const std::string& message) {
  const json::Value* id = reply.member("id");
  return std::any_of(evidence.items.begin(), evidence.items.end(), [&](const Item& item) {
    if (!item.sent) return false;
    if (item.value != nullptr) return repeats(*item.value, message);
    return !is_null(id) && id != nullptr && may_have_read_id(evidence, item, *id);
  });
}

void judge_message_text(const Evidence& evidence, Sink& sink, const Item& item,
                        const std::string& message) {
  if (message.empty()) {
    report_best(evidence, sink,
                {"jsonrpc.error.message-string", "tutorial.jsonrpc.error-message-concise"},
                {"an error message with text",
                 "an empty message in " + shown(item.text),
                 {item.seq},
                 "empty",
                 Severity::kWarn});
    return;
  }
  const auto characters = std::count_if(message.begin(), message.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  });
  const std::size_t limit = evidence.profile.tutorial ? 1024 : kConcise;
  const bool lines = message.find('\n') != std::string::npos && !evidence.profile.tutorial;
  if (static_cast<std::size_t>(characters) <= limit && !lines) return;
  if (repeats_us(evidence, item, message)) return;
  report_best(evidence, sink,
              {"jsonrpc.error.message-concise", "mcp.base.error-message-concise",
               "tutorial.jsonrpc.error-message-concise"},
              {"one concise sentence as error message",
               (lines ? "several lines: " : "a long message: ") + shown(message),
               {item.seq},
               lines ? "lines" : "long"});
}

void judge_error(const Evidence& evidence, Sink& sink, const Item& item,
                 std::set<std::string_view>& told) {
  const json::Value& error = *item.member("error");
  if (error.is_null() && item.member("result") != nullptr) return;  // said already
  const auto wrong = [&](const char* plain, std::string expected, const char* member) {
    report_best(evidence, sink,
                {plain, "mcp.base.error-code-and-message", "tutorial.jsonrpc.error-object",
                 "lsp.requests.error-shape"},
                {std::move(expected), shown(item.text), {item.seq}, member});
  };
  if (!error.is_object()) return wrong("jsonrpc.error.is-object", "an object as error", "error");
  const json::Value* code = error.find("code");
  const json::Value* message = error.find("message");
  if (code == nullptr && message == nullptr)
    return wrong("jsonrpc.error.code-integer", "an integer as error code, and a message", "code");
  if (code == nullptr || !json::is_integer(*code))
    wrong("jsonrpc.error.code-integer", "an integer as error code", "code");
  if (message == nullptr || !message->is_string())
    return wrong("jsonrpc.error.message-string", "a string as error message", "message");
  if (told.insert(message->text).second) judge_message_text(evidence, sink, item, message->text);
}

// JSON that is no message at all; on stdout it is most often a structured log line.
void judge_no_message(const Evidence& evidence, Sink& sink, const Item& item) {
  std::string seen = shown(item.text);
  if (item.array != 0) seen = "the element " + shown(*item.value) + " in " + seen;
  const Breach breach{"a request, a notification or a response", std::move(seen), {item.seq}};
  const bool stray = item.member("jsonrpc") == nullptr && item.member("id") == nullptr;
  if (stray && evidence.stream()) {
    report_best(evidence, sink,
                {"mcp.stdio.stdout-only-messages", "acp.stdio.messages-only",
                 "tutorial.jsonrpc.message-is-object", "jsonrpc.response.result-or-error"},
                breach);
    return;
  }
  report_best(evidence, sink,
              {"jsonrpc.response.result-or-error", "mcp.base.result-or-error",
               "tutorial.jsonrpc.message-is-object", "lsp.requests.result-xor-error"},
              breach);
}

}  // namespace

void judge_envelope(const Evidence& evidence, Sink& sink) {
  std::set<std::string_view> told;
  for (const Item& item : evidence.items) {
    if (item.sent || (item.kind == wire::MessageKind::kBatch && item.array == 0)) continue;
    if (item.kind == wire::MessageKind::kMalformed || item.kind == wire::MessageKind::kBatch) {
      judge_no_message(evidence, sink, item);
      continue;
    }
    judge_version(evidence, sink, item);
    if (!is_reply(item)) continue;
    judge_id(evidence, sink, item);
    judge_outcome(evidence, sink, item);
    if (item.member("error") != nullptr) judge_error(evidence, sink, item, told);
  }
}

}  // namespace harness::oracle
