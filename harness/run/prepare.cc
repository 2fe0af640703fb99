// SPDX-License-Identifier: Apache-2.0
#include "harness/run/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>

#include "harness/base/result.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/session/dialect.h"
#include "harness/suite/references.h"
#include "harness/transport/websocket_frame.h"

namespace harness::run {
namespace {

// One step's preparation: what every function below needs.
struct Work {
  RowScope& scope;
  const Setting& setting;

  json::Value expanded(const json::Value& value) const {
    return run::expanded(value, scope, setting.file);
  }
};

std::string message_of(const json::Value& written, bool request, const Work& work) {
  const json::Value spec = work.expanded(written);
  const json::Value* own_id = spec.find("id");
  const json::Value id = own_id ? *own_id : *work.scope.find({"id"});
  const json::Value* params = spec.find("params");
  const json::Value* meta = spec.find("meta");
  json::Value full = params ? *params : json::null();
  const bool bare = meta && meta->is_string() && meta->text == "none";
  // Notifications of the stateless era need no _meta.
  if (!bare && (request || meta))
    full = session::with_meta(work.setting.profile, std::move(full), meta ? *meta : json::null(),
                              work.setting.client_capabilities);
  json::Value message = session::message(request ? &id : nullptr, spec.find("method")->text, full);
  if (params && params->is_null()) message.set("params", json::null());
  return json::write(message);
}

void show_credentials(const json::Value& how, const Setting& setting, wire::HttpHead& http) {
  const auto showing = target::showing_named(how.text);
  if (!showing) throw Bug(setting.file + ": there is no auth '" + how.text + "'");
  if (setting.auth == nullptr || *showing == target::Showing::kUsual) return;
  for (auto& [name, value] : target::headers_of(*setting.auth, *showing))
    http.headers.push_back({name, value});
}

bool is_piece(const json::Value& value) {
  return value.is_object() &&
         (value.find("text") || value.find("hex") || value.find("repeat") || value.find("ws"));
}

// ${n} counts the repetitions from 0; everything else is expanded once.
void append_repeated(std::string& text, const json::Value& repeat, std::int64_t times,
                     const Work& work) {
  static const std::string kMark("\0n\0", 3);
  work.scope.set("n", json::string(kMark));
  const std::string unit = work.expanded(repeat).text;
  text.reserve(text.size() + unit.size() * static_cast<std::size_t>(times) + 256);
  for (std::int64_t i = 0; i < times; ++i) {
    std::size_t from = 0;
    for (std::size_t at = unit.find(kMark); at != std::string::npos; at = unit.find(kMark, from)) {
      text.append(unit, from, at - from);
      text += std::to_string(i);
      from = at + kMark.size();
    }
    text.append(unit, from);
  }
}

constexpr std::uint32_t kMask = 0x5ca1ab1e;  // of frames a case writes itself

std::string pieces(const json::Value& value, const Work& work);

// A WebSocket frame, lawful or not.
std::string websocket_frame(const json::Value& piece, const Work& work) {
  transport::WebsocketFrame frame;
  std::string payload;
  for (const json::Member& member : piece.members) {
    if (member.name == "payload") {
      payload = pieces(member.value, work);
      continue;
    }
    const json::Value value = work.expanded(member.value);
    if (member.name == "opcode")
      frame.opcode = static_cast<int>(json::as_integer(value).value_or(1));
    if (member.name == "last") frame.last = value.boolean;
    if (member.name == "masked") frame.masked = value.boolean;
    if (member.name == "reserved")
      frame.reserved = static_cast<int>(json::as_integer(value).value_or(0));
    if (member.name == "claims")
      frame.claimed = static_cast<std::uint64_t>(json::as_integer(value).value_or(0));
  }
  frame.payload = payload;
  return transport::to_bytes(frame, kMask);
}

// The text in frames of `size` bytes each, perhaps with a ping after each.
std::string in_fragments(const std::string& text, std::size_t size, bool pings) {
  std::string out;
  for (std::size_t at = 0; at == 0 || at < text.size(); at += size) {
    transport::WebsocketFrame frame;
    frame.opcode = at == 0 ? transport::opcode::kText : transport::opcode::kContinuation;
    frame.payload = std::string_view(text).substr(at, size);
    frame.last = at + size >= text.size();
    out += transport::to_bytes(frame, kMask);
    if (pings && !frame.last) {
      const transport::WebsocketFrame ping{.opcode = transport::opcode::kPing,
                                           .payload = "are you there?"};
      out += transport::to_bytes(ping, kMask);
    }
  }
  return out;
}

std::string pieces(const json::Value& value, const Work& work) {
  json::Value list = value;
  if (!value.is_array()) {
    // A column may hold the text, a message, or the whole list of pieces.
    list = work.expanded(value);
    const bool of_pieces = list.is_array() && !list.items.empty() && is_piece(list.items.front());
    if (!of_pieces) return list.is_string() ? list.text : json::write(list);
  }
  std::string text;
  for (const json::Value& piece : list.items) {
    if (const json::Value* part = piece.find("text")) {
      const json::Value one = work.expanded(*part);
      text += one.is_string() ? one.text : json::write(one);
    } else if (const json::Value* hex = piece.find("hex")) {
      text += unhex(work.expanded(*hex).text);
    } else if (const json::Value* frame = piece.find("ws")) {
      text += websocket_frame(*frame, work);
    } else if (const json::Value* repeat = piece.find("repeat")) {
      const json::Value* count = piece.find("count");
      const json::Value wanted = count ? work.expanded(*count) : json::number(1);
      append_repeated(text, *repeat, json::as_integer(wanted).value_or(1), work);
    }
  }
  return text;
}

// The NUL stands for a header that the transport must leave out.
void add_headers(const json::Value& headers, wire::HttpHead& http, const Work& work) {
  for (const json::Member& member : headers.members) {
    const json::Value text = work.expanded(member.value);
    const json::Value name = work.expanded(json::string(member.name));
    http.headers.push_back(
        {name.text, text.is_null() ? std::string(1, '\0') : pieces(member.value, work)});
  }
}

void http_of(const json::Value& written, Prepared& prepared, const Work& work) {
  json::Value request = written;
  request.set("headers", json::null());  // may be pieces, and are filled in below
  request = work.expanded(request);
  if (const json::Value* method = request.find("method")) prepared.http.method = method->text;
  if (const json::Value* path = request.find("path")) prepared.http.target = path->text;
  if (const json::Value* body = request.find("body"))
    prepared.text = body->is_string() ? body->text : json::write(*body);
  if (const json::Value* headers = written.find("headers"))
    add_headers(*headers, prepared.http, work);
  const auto flag = [&](const char* name) {
    const json::Value* value = request.find(name);
    return value && value->boolean;
  };
  prepared.manner.keep_open = flag("keep_open");
  prepared.manner.expect_continue = flag("expect_continue");
  if (const json::Value* answers = request.find("answers"))
    prepared.manner.answers = static_cast<int>(json::as_integer(*answers).value_or(1));
  prepared.unframed = true;
}

// The body in chunked coding.
std::string in_chunks(const std::string& body, std::size_t size) {
  std::string out;
  for (std::size_t at = 0; at < body.size(); at += size) {
    const std::string_view chunk = std::string_view(body).substr(at, size);
    out += fmt::format("{:x}\r\n{}\r\n", chunk.size(), chunk);
  }
  return out + "0\r\n\r\n";
}

// Frames the text, unless it is raw bytes, and cuts it into writes. Another line end is of meaning
// only where lines are the framing.
void cut(const json::Value* write, const transport::Transport& wire, Prepared& prepared) {
  std::string bytes = prepared.text;
  if (!prepared.unframed) {
    const json::Value* eol = write ? write->find("eol") : nullptr;
    const bool websocket = wire.traits().frames;
    const bool lines = !wire.over_http() && !websocket && *wire.framing() == '\0';
    const json::Value* fragments = write ? write->find("fragments") : nullptr;
    if (fragments && websocket) {
      const std::int64_t size = std::max<std::int64_t>(1, json::as_integer(*fragments).value_or(1));
      const json::Value* pings = write->find("pings");
      bytes = in_fragments(bytes, static_cast<std::size_t>(size), pings && pings->boolean);
    } else {
      bytes = eol && lines ? bytes + eol->text : wire.frame(bytes);
    }
  }
  prepared.writes.clear();
  if (const json::Value* size = write ? write->find("chunked") : nullptr;
      size && wire.has_exchanges()) {
    bytes = in_chunks(bytes, static_cast<std::size_t>(
                                 std::max<std::int64_t>(1, json::as_integer(*size).value_or(1))));
    prepared.http.headers.push_back({"Transfer-Encoding", "chunked"});
  }
  const json::Value* each = write ? write->find("each_byte") : nullptr;
  const json::Value* chunks = write ? write->find("chunks") : nullptr;
  if (each && each->boolean) {
    for (char c : bytes) prepared.writes.emplace_back(1, c);
  } else if (chunks) {
    std::size_t at = 0;
    for (const json::Value& chunk : chunks->items) {
      const auto size = static_cast<std::size_t>(json::as_integer(chunk).value_or(1));
      if (at < bytes.size()) prepared.writes.push_back(bytes.substr(at, size));
      at += size;
    }
    if (at < bytes.size()) prepared.writes.push_back(bytes.substr(at));
  } else {
    prepared.writes.push_back(std::move(bytes));
  }
}

}  // namespace

Prepared prepare(const json::Value& step, RowScope& scope, const Setting& setting) {
  const Work work{scope, setting};
  Prepared prepared;
  if (const json::Value* call = step.find("call")) {
    prepared.valid_request = true;
    prepared.text = message_of(*call, true, work);
  } else if (const json::Value* notify = step.find("notify")) {
    prepared.notification = true;
    prepared.text = message_of(*notify, false, work);
  } else if (const json::Value* send = step.find("send")) {
    prepared.text = json::write(work.expanded(*send));
  } else if (const json::Value* frame = step.find("frame")) {
    prepared.text = pieces(*frame, work);
  } else if (const json::Value* bytes = step.find("bytes")) {
    prepared.text = pieces(*bytes, work);
    prepared.unframed = true;
  } else if (const json::Value* http = step.find("http")) {
    http_of(*http, prepared, work);
  } else if (const json::Value* upgrade = step.find("upgrade")) {
    http_of(*upgrade, prepared, work);
  } else if (const json::Value* ping = step.find("ping")) {
    prepared.text = pieces(*ping, work);
    const transport::WebsocketFrame control{.opcode = transport::opcode::kPing,
                                            .payload = prepared.text};
    prepared.writes.push_back(transport::to_bytes(control, kMask));
    return prepared;
  }
  if (const json::Value* showing = step.find("auth"))
    show_credentials(work.expanded(*showing), setting, prepared.http);
  if (const json::Value* headers = step.find("headers")) add_headers(*headers, prepared.http, work);
  cut(step.find("write"), setting.wire, prepared);
  return prepared;
}

json::Value request_of(const Prepared& prepared) {
  const auto reading = json::read(prepared.text);
  if (const auto* good = std::get_if<json::Reading>(&reading)) return good->value;
  return json::string(prepared.text);
}

json::Value expanded(const json::Value& value, const RowScope& scope, const std::string& file) {
  Result<json::Value> result = suite::expand(value, scope);
  if (!result) throw Bug(file + ": " + result.error().text());
  return std::move(*result);
}

std::string unhex(std::string_view text) {
  std::string bytes;
  int high = -1;
  for (char c : text) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) continue;
    if (high < 0) {
      high = digit;
    } else {
      bytes += static_cast<char>(high << 4 | digit);
      high = -1;
    }
  }
  return bytes;
}

}  // namespace harness::run
