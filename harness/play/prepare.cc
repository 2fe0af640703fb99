// SPDX-License-Identifier: Apache-2.0
#include "harness/play/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "harness/base/ascii.h"
#include "harness/base/result.h"
#include "harness/jose/proof.h"
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

std::optional<json::Value> expanded(const std::optional<json::Value>& value, const Work& work) {
  return value ? std::optional<json::Value>(work.expanded(*value)) : std::nullopt;
}

std::int64_t integer(const std::optional<json::Value>& value, std::int64_t otherwise,
                     const Work& work) {
  return integer_of(value, otherwise, work.scope, work.setting.file);
}

bool flag(const std::optional<json::Value>& value, bool otherwise, const Work& work) {
  return value ? work.expanded(*value).boolean : otherwise;
}

std::string text_of(const json::Value& value) {
  return value.is_string() ? value.text : json::write(value);
}

// `id` is null for a notification, which needs no _meta in the stateless era.
std::string message_of(const json::Value& method, const std::optional<json::Value>& written_params,
                       const std::optional<json::Value>& written_meta, const json::Value* id,
                       const Work& work) {
  const std::optional<json::Value> params = expanded(written_params, work);
  const std::optional<json::Value> meta = expanded(written_meta, work);
  json::Value full = params.value_or(json::null());
  const bool bare = meta && meta->is_string() && meta->text == "none";
  if (!bare && (id || meta))
    full = session::with_meta(work.setting.profile, std::move(full), meta.value_or(json::null()),
                              work.setting.client_capabilities);
  json::Value message = session::message(id, work.expanded(method).text, full);
  if (params && params->is_null()) message.set("params", json::null());
  return json::write(message);
}

std::string message_of(const suite::Call& call, const Work& work) {
  const json::Value id = call.id ? work.expanded(*call.id) : *work.scope.find({"id"});
  return message_of(call.method, call.params, call.meta, &id, work);
}

void show_credentials(const json::Value& how, const Setting& setting, wire::HttpHead& http) {
  const auto showing = target::showing_named(how.text);
  if (!showing) throw Bug(setting.file + ": there is no auth '" + how.text + "'");
  if (setting.auth == nullptr || *showing == target::Showing::kUsual) return;
  for (auto& [name, value] : target::headers_of(*setting.auth, *showing))
    http.headers.push_back({name, value});
}

// A token that is bound to a key, and what shows that we have the key, or does not.
void add_proof(json::Value how, const Work& work, wire::HttpHead& http) {
  if (const json::Value* but = how.find("but")) {
    const std::vector<json::Member> changes = but->members;
    for (const json::Member& one : changes) how.set(one.name, one.value);
  }
  static constexpr std::string_view kWords[] = {"header", "claims", "age",  "nonce",
                                                "key",    "signed", "text", "times",
                                                "token",  "scheme", "but"};
  for (const json::Member& member : how.members)
    if (std::find(std::begin(kWords), std::end(kWords), member.name) == std::end(kWords))
      throw Bug(work.setting.file + ": a proof has no '" + member.name + "'");
  const auto word = [&](const char* name, const std::string& otherwise) {
    const json::Value* written = how.find(name);
    return written != nullptr ? text_of(*written) : otherwise;
  };
  const std::optional<json::Value> bound = work.scope.find({"target", "auth", "dpop"});
  const std::optional<json::Value> origin = work.scope.find({"auth", "origin"});
  const std::optional<json::Value> path = work.scope.find({"auth", "path"});
  if (!bound || !origin || bound->find("token") == nullptr || bound->find("key") == nullptr)
    throw Bug(work.setting.file + ": the target has no token and key of auth.dpop");
  const std::string token = word("token", bound->find("token")->text);
  http.headers.push_back({"Authorization", word("scheme", "DPoP") + " " + token});
  const std::string place = http.target.empty() ? path->text : http.target;
  const jose::Proven request{http.method.empty() ? "POST" : http.method,
                             origin->text + place.substr(0, place.find('?')), token};
  const json::Value* times = how.find("times");
  http.headers.push_back({"DPoP", std::string(1, '\0')});  // those of the case alone
  for (std::int64_t i = times != nullptr ? json::as_integer(*times).value_or(1) : 1; i > 0; --i) {
    const Result<std::string> made =
        jose::proof(request, *bound->find("key"), how, std::time(nullptr));
    if (!made) throw Bug(work.setting.file + ": " + made.error().text());
    http.headers.push_back({"DPoP", word("text", *made)});
  }
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

std::string joined(const suite::Pieces& pieces, const Work& work);

// A WebSocket frame, lawful or not.
std::string websocket_frame(const suite::WebsocketPiece& piece, const Work& work) {
  const std::string payload = joined(piece.payload, work);
  transport::WebsocketFrame frame;
  frame.opcode = static_cast<int>(integer(piece.opcode, 1, work));
  frame.last = flag(piece.last, frame.last, work);
  frame.masked = flag(piece.masked, frame.masked, work);
  frame.reserved = static_cast<int>(integer(piece.reserved, 0, work));
  if (piece.claims) frame.claimed = static_cast<std::uint64_t>(integer(piece.claims, 0, work));
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

std::string joined(const std::vector<suite::Piece>& pieces, const Work& work) {
  std::string text;
  for (const suite::Piece& piece : pieces) {
    std::visit(suite::Overloaded{
                   [&](const suite::TextPiece& part) { text += text_of(work.expanded(part.text)); },
                   [&](const suite::HexPiece& part) {
                     text += ascii::from_hex(work.expanded(part.digits).text);
                   },
                   [&](const suite::RepeatedPiece& part) {
                     append_repeated(text, part.unit, integer(part.count, 1, work), work);
                   },
                   [&](const suite::WebsocketPiece& part) { text += websocket_frame(part, work); }},
               piece.what);
  }
  return text;
}

std::string joined(const suite::Pieces& pieces, const Work& work) {
  if (!pieces.list.empty()) return joined(pieces.list, work);
  // A column may hold the text, a message, or the whole list of pieces.
  const json::Value whole = work.expanded(pieces.whole);
  return suite::is_list_of_pieces(whole) ? joined(suite::pieces_in(whole), work) : text_of(whole);
}

// Left out as it is written, or by the column it takes its value from.
bool is_left_out(const suite::Header& header, const Work& work) {
  return !header.value ||
         (header.value->list.empty() && work.expanded(header.value->whole).is_null());
}

// The NUL stands for a header that the transport must leave out.
void add_headers(const suite::Headers& headers, wire::HttpHead& http, const Work& work) {
  for (const suite::Header& header : headers)
    http.headers.push_back({work.expanded(header.name).text, is_left_out(header, work)
                                                                 ? std::string(1, '\0')
                                                                 : joined(*header.value, work)});
}

void http_of(const suite::Http& request, Prepared& prepared, const Work& work) {
  prepared.http.method = work.expanded(request.method).text;
  if (request.path) prepared.http.target = work.expanded(*request.path).text;
  if (request.body) prepared.text = text_of(work.expanded(*request.body));
  add_headers(request.headers, prepared.http, work);
  prepared.manner.keep_open = flag(request.keep_open, false, work);
  prepared.manner.expect_continue = flag(request.expect_continue, false, work);
  if (request.answers)
    prepared.manner.answers = static_cast<int>(integer(request.answers, 1, work));
  prepared.unframed = true;
}

void upgrade_of(const suite::Upgrade& upgrade, Prepared& prepared, const Work& work) {
  if (upgrade.path) prepared.http.target = work.expanded(*upgrade.path).text;
  add_headers(upgrade.headers, prepared.http, work);
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

// At least 1.
std::size_t size_of(const std::optional<json::Value>& value, const Work& work) {
  return static_cast<std::size_t>(std::max<std::int64_t>(1, integer(value, 1, work)));
}

// "Name: value", a line each.
std::vector<wire::Header> fields_of(std::string_view head) {
  std::vector<wire::Header> out;
  while (!head.empty()) {
    const std::size_t end = std::min(head.find("\r\n"), head.size());
    const std::string_view line = head.substr(0, end);
    const std::size_t colon = std::min(line.find(':'), line.size());
    std::string_view value = line.substr(std::min(colon + 1, line.size()));
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (!line.empty()) out.push_back({std::string(line.substr(0, colon)), std::string(value)});
    head.remove_prefix(std::min(end + 2, head.size()));
  }
  return out;
}

// Another line end is of meaning only where lines are the framing, another header where there is
// one.
std::string framed(const suite::Write& write, const std::string& text, Prepared& prepared,
                   const Work& work) {
  const transport::Transport& wire = work.setting.wire;
  const bool websocket = wire.traits().frames;
  const bool lines = !wire.over_http() && !websocket && *wire.framing() == '\0';
  if (write.fragments && websocket)
    return in_fragments(text, size_of(write.fragments, work), write.pings);
  if (write.header && wire.framing() == std::string_view("content-length")) {
    std::string head = work.expanded(*write.header).text;
    if (const std::size_t at = head.find('#'); at != std::string::npos)
      head.replace(at, 1, std::to_string(text.size()));
    prepared.http.headers = fields_of(head);
    return head + text;
  }
  return write.eol && lines ? text + *write.eol : wire.frame(text);
}

// Frames the text, unless it is raw bytes, and cuts it into writes.
void cut(const suite::Write& write, Prepared& prepared, const Work& work) {
  // Of a message on a stream only what is written before it is told; `headers` of the step is not.
  if (!prepared.unframed && !work.setting.wire.over_http()) prepared.http.headers.clear();
  std::string bytes =
      prepared.unframed ? prepared.text : framed(write, prepared.text, prepared, work);
  prepared.writes.clear();
  if (write.chunked && work.setting.wire.has_exchanges()) {
    bytes = in_chunks(bytes, size_of(write.chunked, work));
    prepared.http.headers.push_back({"Transfer-Encoding", "chunked"});
  }
  if (write.each_byte) {
    for (char c : bytes) prepared.writes.emplace_back(1, c);
    return;
  }
  std::size_t at = 0;
  for (const json::Value& chunk : write.chunks) {
    const std::size_t size = size_of(chunk, work);
    if (at < bytes.size()) prepared.writes.push_back(bytes.substr(at, size));
    at += size;
  }
  if (at == 0)
    prepared.writes.push_back(std::move(bytes));
  else if (at < bytes.size())
    prepared.writes.push_back(bytes.substr(at));
}

// One overload for each action that sends something.
struct Preparation {
  const Work& work;
  Prepared& prepared;

  void operator()(const suite::Call& call) const {
    prepared.valid_request = true;
    prepared.text = message_of(call, work);
  }
  void operator()(const suite::Notify& notify) const {
    prepared.notification = true;
    prepared.text = message_of(notify.method, notify.params, notify.meta, nullptr, work);
  }
  void operator()(const suite::Send& send) const {
    prepared.text = json::write(work.expanded(send.message));
  }
  void operator()(const suite::Frame& frame) const { prepared.text = joined(frame.text, work); }
  void operator()(const suite::Bytes& bytes) const {
    prepared.text = joined(bytes.bytes, work);
    prepared.unframed = true;
  }
  void operator()(const suite::Http& http) const { http_of(http, prepared, work); }
  void operator()(const suite::Upgrade& upgrade) const { upgrade_of(upgrade, prepared, work); }
  void operator()(const suite::Ping& ping) const { prepared.text = joined(ping.payload, work); }
  template <class T>
  void operator()(const T&) const {
    throw Bug(work.setting.file + ": a step that sends nothing cannot be prepared");
  }
};

}  // namespace

Prepared prepare(const suite::Step& step, RowScope& scope, const Setting& setting) {
  const Work work{scope, setting};
  Prepared prepared;
  std::visit(Preparation{work, prepared}, step.action);
  if (std::holds_alternative<suite::Ping>(step.action)) {
    const transport::WebsocketFrame control{.opcode = transport::opcode::kPing,
                                            .payload = prepared.text};
    prepared.writes.push_back(transport::to_bytes(control, kMask));
    return prepared;
  }
  if (step.auth) show_credentials(work.expanded(*step.auth), setting, prepared.http);
  if (step.proof) add_proof(work.expanded(*step.proof), work, prepared.http);
  add_headers(step.headers, prepared.http, work);
  cut(step.write, prepared, work);
  return prepared;
}

std::int64_t integer_of(const std::optional<json::Value>& value, std::int64_t otherwise,
                        const RowScope& scope, const std::string& file) {
  return value ? json::as_integer(run::expanded(*value, scope, file)).value_or(otherwise)
               : otherwise;
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

}  // namespace harness::run
