// SPDX-License-Identifier: Apache-2.0
// Faults of replies: their ids, their codes, and whether they come at all.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "harness/base/ascii.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/reference/edits.h"
#include "harness/reference/inject.h"
#include "harness/reference/text_facts.h"
#include "harness/wire/message.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr std::size_t kMostRead = 512;  // levels of nesting; deeper is a parse error

std::string shortest(double value) {
  char text[40];
  const bool plain = std::fabs(value) < 1e20;
  const auto end = plain ? std::to_chars(text, text + sizeof text, value, std::chars_format::fixed)
                         : std::to_chars(text, text + sizeof text, value);
  return std::string(text, end.ptr);
}

// The bytes of `text` read as ISO-8859-1 and written as UTF-8.
std::string as_latin_1(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xc0 | (byte >> 6));
      out += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return out;
}

void replace_each(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string without_noncharacters(std::string text) {
  replace_each(text, "\xef\xbf\xbf", "\xef\xbf\xbd");
  replace_each(text, "\xf4\x8f\xbf\xbf", "\xef\xbf\xbd");
  for (int last = 0x90; last <= 0xaf; ++last)
    replace_each(text, std::string("\xef\xb7") + static_cast<char>(last), "\xef\xbf\xbd");
  return text;
}

std::string ascii_only(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80)
      out += c;
    else if (byte >= 0xc0)
      out += '?';
  }
  return out;
}

// A string that spells another JSON value, as that value.
std::optional<Value> value_spelled(const std::string& text) {
  if (text == "null") return json::null();
  if (text == "true") return json::boolean(true);
  std::string digits = text;
  while (digits.size() > 1 && digits[0] == '0' && std::isdigit(digits[1]) != 0) digits.erase(0, 1);
  auto read = json::read(digits);
  const auto* reading = std::get_if<json::Reading>(&read);
  if (reading == nullptr || !reading->value.is_number()) return std::nullopt;
  return reading->value;
}

void inject_number(const Faults& faults, Value& id) {
  const double value = json::as_double(id);
  if (faults.has("id-number-as-string"))
    id = json::string(id.text);
  else if (faults.has("id-rounded-to-float"))
    id.text = shortest(static_cast<double>(static_cast<float>(value)));
  else if (faults.has("id-big-rounded"))
    id.text = shortest(value);
  else if (faults.has("id-fraction-truncated") && !json::is_integer(id))
    id.text = shortest(std::trunc(value));
  else if (faults.has("id-negative-made-positive") && id.text[0] == '-')
    id.text.erase(0, 1);
  else if (faults.has("id-zero-answered-null") && value == 0)
    id = json::null();
}

void inject_string(const Faults& faults, Value& id) {
  std::string& text = id.text;
  if (faults.has("id-string-uppercased"))
    for (char& c : text) c = ascii::upper(c);
  if (faults.has("id-non-ascii-replaced")) text = ascii_only(text);
  if (faults.has("id-long-string-cut") && text.size() > 255) text.resize(255);
  if (faults.has("utf8-read-as-latin1")) text = as_latin_1(text);
  if (faults.has("noncharacters-replaced")) text = without_noncharacters(text);
  if (faults.has("id-cut-at-nul")) text.resize(std::min(text.size(), text.find('\0')));
  if (faults.has("id-empty-string-answered-null") && text.empty()) {
    id = json::null();
  } else if (faults.has("id-string-as-number")) {
    if (auto other = value_spelled(text)) id = *other;
  }
}

}  // namespace

std::string inject_echo(const Faults& faults, std::string text) {
  text = edited(faults, "echo", text);
  if (faults.has("text-controls-dropped"))
    std::erase_if(text, [](unsigned char c) {
      return c < 0x20 && c != 0 && c != '\t' && c != '\r' && c != '\n';
    });
  if (faults.has("text-as-number") && text.size() > 1 && text.front() == '0' &&
      text.find_first_not_of("0123456789") == text.npos)
    text.erase(0, text.find_first_not_of('0'));
  if (faults.has("text-cut-at-4096")) text.resize(std::min<std::size_t>(text.size(), 4096));
  if (faults.has("text-cut-at-nul")) text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

Value inject_echo(const Faults& faults, Value value) {
  if (faults.any()) {
    each_value(value, [&](Value& one) {
      if (one.is_string()) one.text = inject_echo(faults, std::move(one.text));
    });
  }
  return value;
}

void FaultInjector::inject_id(const Call* call, Value& reply) {
  FaultMemory& memory = session_.server.memory;
  Value& id = *reply.find("id");
  if (call != nullptr && faults_.has("id-compared-as-text")) {
    const auto text_of = [](const Value& one) { return one.text; };
    const Value own = id;
    if (memory.last_id && text_of(*memory.last_id) == text_of(own)) id = *memory.last_id;
    memory.last_id = own;
  }
  if (id.is_number()) inject_number(faults_, id);
  if (id.is_string()) inject_string(faults_, id);
  if (id.is_string() && faults_.has("id-trimmed")) id.text = std::string(trimmed(id.text));
  if (id.is_string() && faults_.has("id-string-lowercased")) id.text = ascii::lower(id.text);
  edit(faults_, "id", id);
  if (id.is_null() && call != nullptr && call->id.is_null() &&
      faults_.has("null-id-answered-with-zero"))
    id = json::number(0);
}

void FaultInjector::inject_error(const Call* call, Value& reply, bool& dropped) {
  Value* error = reply.find("error");
  Value* code_value = error->find("code");
  Value& id = *reply.find("id");
  const auto code = static_cast<int>(json::as_integer(*code_value).value_or(0));
  const auto turn_into = [&](int other) { *code_value = json::number(other); };
  const auto turn_into_result = [&](Value result) {
    std::erase_if(reply.members, [](const json::Member& m) { return m.name == "error"; });
    reply.set("result", std::move(result));
  };
  if (code == kInvalidRequest && call == nullptr && id.is_null() &&
      faults_.has("null-id-answered-with-zero"))
    id = json::number(0);
  if (code == kParseError && call == nullptr) {
    if (faults_.has("deep-text-other-code") &&
        facts_of(session_.server.memory.garbage).depth > kMostRead)
      turn_into(-32000);
    if (faults_.has("unreadable-id-answered-zero")) id = json::number(0);
    if (faults_.has("parse-error-id-guessed")) {
      const std::string& text = session_.server.memory.garbage;
      std::size_t at = text.find("\"id\":");
      std::string digits;
      if (at != std::string::npos) {
        at = text.find_first_not_of(' ', at + 5);
        while (at < text.size() && std::isdigit(text[at]) != 0) digits += text[at++];
      }
      if (!digits.empty()) id = json::number_spelled(digits);
    }
    if (faults_.has("parse-error-code-32603")) turn_into(kInternalError);
  } else if (code == kInvalidRequest && call == nullptr) {
    if (faults_.has("invalid-request-dropped")) dropped = true;
    if (faults_.has("invalid-request-id-minus-one") && !id.is_null()) id = json::number(-1);
    if (faults_.has("unreadable-id-answered-zero") && id.is_null()) id = json::number(0);
    if (faults_.has("invalid-request-code-32603")) turn_into(kInternalError);
  } else if (code == kMethodNotFound && call != nullptr) {
    const bool has_params = !call->params.items.empty() || !call->params.members.empty();
    if (faults_.has("unknown-method-silent")) dropped = true;
    if (faults_.has("unknown-method-code-32603")) turn_into(kInternalError);
    if (faults_.has("params-judged-before-method") && has_params) turn_into(kInvalidParams);
    if (faults_.has("unknown-method-empty-result")) return turn_into_result(json::object());
  } else if (code == kInvalidParams && call != nullptr) {
    if (faults_.has("bad-params-code-32603")) turn_into(kInternalError);
    if (faults_.has("bad-params-served") && session_.server.profile.plain)
      return turn_into_result(json::number(0));
  } else if (call != nullptr && session_.server.profile.plain) {
    if (faults_.has("failing-method-silent")) dropped = true;
    if (faults_.has("failing-method-code-32600")) turn_into(kInvalidRequest);
  }
  if (call != nullptr && faults_.has("error-id-null-always")) id = json::null();
  const bool falsy = (id.is_string() && id.text.empty()) || (id.is_number() && id.text == "0");
  if (call != nullptr && falsy && faults_.has("error-id-falsy-null")) id = json::null();
}

// Faults of the response object itself.
void FaultInjector::inject_shape(const Call* call, Value& reply) {
  if (Value* error = reply.find("error")) {
    Value* message = error->find("message");
    if (faults_.has("error-message-long")) {
      message->text += "\nTraceback (most recent call last):";
      while (message->text.size() <= 300) message->text += "\n  File \"server.py\", line 1";
    }
    if (faults_.has("error-code-string"))
      error->set("code", json::string(error->find("code")->text));
    edit(faults_, "error-reply", reply);
  } else {
    edit(faults_, "result-reply", reply);
    if (call == nullptr || call->method != "initialize") edit(faults_, "later-reply", reply);
  }
  if (call != nullptr && call->method != "initialize" && faults_.has("reply-with-method"))
    reply.set("method", json::string(call->method));
  edit(faults_, "reply", reply);
}

// Faults that are rows of a table.
void FaultInjector::inject_rows(const Call* call, Sent sent, std::string_view of,
                                Value& body) const {
  std::string version = session_.version;
  if (call != nullptr && !call->version.empty()) version = call->version;
  // A stateless request may be refused before its version was read.
  if (version.empty() && call != nullptr && call->stateless)
    version = session_.server.profile.stateless.back();
  if (session_.server.profile.tutorial) version = "tutorial";
  if (session_.server.profile.plain) version = "plain";
  for (const FaultRow& fault : faults_.edits()) apply(fault, {sent, of, version, body});
}

void FaultInjector::notification(const Call* call, std::string_view method,
                                 std::optional<Value>& params) {
  Value body = params ? std::move(*params) : json::null();
  inject_rows(call, Sent::kNotification, method, body);
  params = std::nullopt;
  if (!body.is_null()) params = std::move(body);
}

void FaultInjector::request(const Call& call, std::string_view method, Value& params) {
  inject_rows(&call, Sent::kRequest, method, params);
}

bool FaultInjector::reply(const Call* call, Value& reply) {
  bool dropped = false;
  if (reply.find("error") != nullptr) inject_error(call, reply, dropped);
  if (dropped) return false;
  wear(call, reply);
  inject_id(call, reply);
  if (call != nullptr && faults_.has("reply-id-invented")) reply.set("id", json::number(0));
  inject_shape(call, reply);
  Value* result = reply.find("result");
  if (result != nullptr && call != nullptr) {
    inject_rows(call, Sent::kResult, call->method, *result);
  } else if (const Value* code = json::at(reply, "/error/code")) {
    const std::string shown = code->text;
    inject_rows(call, Sent::kError, shown, *reply.find("error"));
  }
  const FaultMemory& memory = session_.server.memory;
  if (memory.prototype)
    for (const json::Member& member : memory.prototype->members)
      reply.set(member.name, member.value);
  return true;
}

// What a server writes that is not quite JSON.
void FaultInjector::misspell(std::string& bytes) const {
  const auto into_string = [&](std::string_view inserted) {
    // Every message has the string "2.0" near its beginning; results have better ones.
    std::size_t at = bytes.find("\"text\":\"");
    at = at == std::string::npos ? bytes.find("\"2.0\"") + 1 : at + 8;
    bytes.insert(at, inserted);
  };
  if (faults_.has("output-invalid-utf8")) into_string("\xc3");
  if (faults_.has("output-raw-control")) into_string("\t");
  if (faults_.has("output-lone-surrogate")) {
    const std::size_t end = bytes.rfind('}');
    bytes.insert(end, ",\"note\":\"\\ud800\"");
  }
  if (faults_.has("output-duplicate-member")) {
    const std::size_t at = bytes.find("\"id\":");
    if (at != std::string::npos) {
      const std::size_t end = bytes.find(',', at);
      if (end != std::string::npos) bytes.insert(at, bytes.substr(at, end + 1 - at));
    }
  }
  const std::size_t last = bytes.rfind('}');
  if (last != std::string::npos && faults_.has("output-nan")) {
    const std::size_t result = bytes.find("\"result\":{");
    if (result != std::string::npos) {
      const std::size_t inside = result + 10;
      bytes.insert(inside, bytes[inside] == '}' ? "\"n\":NaN" : "\"n\":NaN,");
    }
  }
  if (faults_.has("output-trailing-comma") && !bytes.empty()) bytes.insert(bytes.size() - 1, ",");
  if (faults_.has("output-bom")) bytes.insert(0, "\xef\xbb\xbf");
}

void FaultInjector::written(const Call* call, Outgoing& outgoing) {
  FaultMemory& memory = session_.server.memory;
  if (memory.lone_surrogate && faults_.has("lone-surrogate-written-raw"))
    replace_each(outgoing.bytes, "\xef\xbf\xbd", "\xed\xa0\x80");
  if (memory.infinity) {
    const std::size_t end = outgoing.bytes.rfind("}}");
    if (end != std::string::npos) {
      const bool empty = outgoing.bytes[end - 1] == '{';
      outgoing.bytes.insert(end, std::string(empty ? "" : ",") + "\"value\":Infinity");
    }
  }
  std::string& bytes = outgoing.bytes;
  // A client that cannot read the answer to initialize learns nothing else about the server.
  const bool handshake = call != nullptr && call->method == "initialize";
  if (!handshake) misspell(bytes);
  if (call != nullptr && !handshake && faults_.has("reply-in-array")) bytes = "[" + bytes + "]";
  if (faults_.has("reply-twice")) session_.push({bytes, outgoing.exchange});
  const bool gives =
      call != nullptr && (call->method == "tools/call" || call->method == "resources/read");
  if (gives && faults_.has("answers-of-one-method-swapped"))
    session_.swap_ids(*call, outgoing, true);
  if (call != nullptr && faults_.has("inflight-ids-swapped"))
    session_.swap_ids(*call, outgoing, false);
}

}  // namespace harness::reference
