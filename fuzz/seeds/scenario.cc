// SPDX-License-Identifier: Apache-2.0
#include "fuzz/seeds/scenario.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/session/dialect.h"
#include "harness/suite/references.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace spec = harness::spec;
namespace suite = harness::suite;
namespace wire = harness::wire;
using harness::Result;

constexpr std::int64_t kMostRepeats =
    10'000;  // of a piece: seeds are small, engines make them large

class SeedScope final : public suite::Scope {
 public:
  SeedScope(const spec::Profile& profile, const json::Value& fixtures)
      : profile_(profile), fixtures_(fixtures), canary_(spec::canary_of(profile)) {}

  std::optional<json::Value> find(const std::vector<std::string>& path) const override {
    const std::string& root = path.front();
    if (const auto named = names_.find(root); named != names_.end())
      return suite::walk(named->second, path, 1);
    if (root == "id") return id(path);
    if (root == "canary" && path.size() >= 2) return canary(path);
    if (root == "meta") return suite::walk(spec::required_meta(profile_), path, 1);
    if (root == "profile" && path.size() == 2)
      return json::string(path[1] == "name" ? profile_.name : profile_.revision);
    if (root == "target") return affordance(path);
    if (root == "random") return json::string("abcdefghijklmnop");
    return std::nullopt;
  }
  bool written_in_case(const std::string& root) const override { return columns_.contains(root); }

  void set_column(const std::string& name, json::Value value) {
    columns_.insert(name);
    names_[name] = std::move(value);
  }
  void set(const std::string& name, json::Value value) {
    columns_.erase(name);
    names_[name] = std::move(value);
  }
  void next_step() { step_id_ = 0; }
  std::int64_t fresh_id() const { return next_id_++; }

 private:
  std::optional<json::Value> id(const std::vector<std::string>& path) const {
    std::int64_t& known = path.size() > 1 ? named_ids_[path[1]] : step_id_;
    if (known == 0) known = fresh_id();
    return json::number(known);
  }
  std::optional<json::Value> canary(const std::vector<std::string>& path) const {
    const json::Value params = canary_.params.is_null() ? json::object() : canary_.params;
    if (path[1] == "method") return json::string(canary_.method);
    if (path[1] == "params") return suite::walk(params, path, 2);
    if (path[1] != "request") return std::nullopt;
    const json::Value id = json::number(fresh_id());
    return harness::session::message(&id, canary_.method, params);
  }
  // The first candidate of the longest affordance that fits.
  std::optional<json::Value> affordance(const std::vector<std::string>& path) const {
    for (std::size_t end = path.size(); end > 1; --end) {
      std::string name = path[1];
      for (std::size_t i = 2; i < end; ++i) name += '.' + path[i];
      const json::Value* candidates = fixtures_.find(name);
      if (!candidates || candidates->items.empty()) continue;
      json::Value first = candidates->items.front();
      if (const json::Value* tool = first.find("tool")) first.set("name", json::Value(*tool));
      return suite::walk(first, path, end);
    }
    return std::nullopt;
  }

  const spec::Profile& profile_;
  const json::Value& fixtures_;
  spec::Canary canary_;
  std::map<std::string, json::Value> names_;
  std::set<std::string> columns_;
  mutable std::int64_t next_id_ = 1;
  mutable std::int64_t step_id_ = 0;
  mutable std::map<std::string, std::int64_t> named_ids_;
};

// Something that only a session could tell.
struct Unknown {};

std::string text_of_value(const json::Value& value) {
  return value.is_string() ? value.text : json::write(value);
}

class Writer {
 public:
  Writer(const suite::Case& item, const spec::Profile& profile, SeedScope& scope)
      : case_(item), profile_(profile), scope_(scope) {}

  Script script;

  void begin() {
    if (case_.answers)
      for (const auto& [method, answer] : *case_.answers) add_answer(method, answer);
    if (!case_.client_capabilities.is_null() && profile_.era == spec::Era::kHandshake)
      add_handshake(suite::Handshake{});
  }

  void play(const std::vector<suite::Step>& steps) {
    for (const suite::Step& step : steps) {
      if (step.when && !suite::applies(*step.when, profile_, wire::TransportKind::kUnknown))
        continue;
      scope_.next_step();
      try {
        play_step(step);
      } catch (const Unknown&) {
      }
    }
    while (!script.steps.empty() && std::holds_alternative<Sync>(script.steps.back()))
      script.steps.pop_back();
  }

 private:
  json::Value expanded(const json::Value& value) const {
    Result<json::Value> result = suite::expand(value, scope_);
    if (!result) throw Unknown{};
    return std::move(*result);
  }

  std::optional<json::Value> expanded(const std::optional<json::Value>& value) const {
    return value ? std::optional<json::Value>(expanded(*value)) : std::nullopt;
  }

  std::int64_t integer(const std::optional<json::Value>& value) const {
    return value ? json::as_integer(expanded(*value)).value_or(1) : 1;
  }

  void play_step(const suite::Step& step) {
    std::visit([&](const auto& action) { add(step, action); }, step.action);
    if (!step.later) sync();
  }

  void sync() {
    if (!script.steps.empty() && std::holds_alternative<Frame>(script.steps.back()))
      script.steps.emplace_back(Sync{});
  }

  void add(const suite::Step& step, const suite::Call& call) {
    const json::Value id = call.id ? expanded(*call.id) : *scope_.find({"id"});
    add_frame(step, message(call.method, call.params, call.meta, &id));
  }
  void add(const suite::Step& step, const suite::Notify& notify) {
    add_frame(step, message(notify.method, notify.params, notify.meta, nullptr));
  }
  void add(const suite::Step& step, const suite::Send& send) {
    add_frame(step, json::write(expanded(send.message)));
  }
  void add(const suite::Step& step, const suite::Frame& frame) {
    add_frame(step, joined(frame.text));
  }
  void add(const suite::Step& step, const suite::Bytes& bytes) {
    std::string text = joined(bytes.bytes);
    // Over HTTP raw bytes are a body.
    if (wire::traits_of(script.transport).http) return add_frame(step, std::move(text));
    script.steps.emplace_back(Raw{std::move(text)});
  }
  void add(const suite::Step&, const suite::Pipelined& pipelined) {
    for (const suite::Step& part : pipelined.steps) {
      scope_.next_step();
      std::visit([&](const auto& action) { add(part, action); }, part.action);
    }
  }
  void add(const suite::Step& step, const suite::Walk& walk) { add(step, walk.call); }
  void add(const suite::Step&, const suite::Http& http) { add_http(http); }
  void add(const suite::Step&, const suite::Handshake& handshake) { add_handshake(handshake); }
  void add(const suite::Step&, const suite::Reconnect&) { script.steps.emplace_back(Close{}); }
  void add(const suite::Step&, const suite::Close& close) {
    if (close.channel == suite::Channel::kStdin) script.steps.emplace_back(Close{});
  }
  void add(const suite::Step& step, const suite::Canary&) {
    add_frame(step, json::write(*scope_.find({"canary", "request"})));
  }
  // The others send nothing, or nothing that a script has a word for.
  template <class T>
  void add(const suite::Step&, const T&) {}

  // `id` is null for a notification.
  std::string message(const json::Value& method, const std::optional<json::Value>& written_params,
                      const std::optional<json::Value>& written_meta, const json::Value* id) {
    const auto meta = expanded(written_meta);
    json::Value full = expanded(written_params).value_or(json::null());
    const bool bare = meta && meta->is_string() && meta->text == "none";
    if (!bare && (id || meta))
      full = harness::session::with_meta(profile_, std::move(full), meta.value_or(json::null()),
                                         case_.client_capabilities);
    return json::write(harness::session::message(id, expanded(method).text, full));
  }

  std::string joined(const suite::Pieces& pieces) {
    if (!pieces.list.empty()) return joined(pieces.list);
    const json::Value whole = expanded(pieces.whole);
    return suite::is_list_of_pieces(whole) ? joined(suite::pieces_in(whole)) : text_of_value(whole);
  }

  std::string joined(const std::vector<suite::Piece>& list) {
    std::string text;
    for (const suite::Piece& piece : list)
      std::visit(
          suite::Overloaded{
              [&](const suite::TextPiece& part) { text += text_of_value(expanded(part.text)); },
              [&](const suite::HexPiece& part) {
                text += harness::ascii::from_hex(expanded(part.digits).text);
              },
              [&](const suite::RepeatedPiece& part) { add_repeated(text, part); },
              [](const suite::WebsocketPiece&) { throw Unknown{}; }},
          piece.what);
    return text;
  }

  void add_repeated(std::string& text, const suite::RepeatedPiece& part) {
    const std::int64_t times = integer(part.count);
    if (times > kMostRepeats) throw Unknown{};
    for (std::int64_t i = 0; i < times; ++i) {
      scope_.set("n", json::number(i));
      text += text_of_value(expanded(part.unit));
    }
  }

  void add_frame(const suite::Step& step, std::string bytes) {
    Frame frame{std::move(bytes), {}};
    for (const suite::Header& header : step.headers)
      if (auto change = change_of(header); !change.name.empty())
        frame.delivery.headers.push_back(std::move(change));
    const std::int64_t times = shape(step.write, frame);
    names(step, frame.bytes);
    for (std::int64_t i = 0; i < times && script.steps.size() < 64; ++i)
      script.steps.emplace_back(frame);
  }

  HeaderChange change_of(const suite::Header& header) {
    HeaderChange change{text_of_value(expanded(header.name)), std::nullopt};
    if (header.value) change.value = joined(*header.value);
    return change;
  }

  // How `write` has it; how many times.
  std::int64_t shape(const suite::Write& write, Frame& frame) {
    Delivery& delivery = frame.delivery;
    for (const json::Value& chunk : write.chunks)
      delivery.chunks.push_back(
          static_cast<std::uint32_t>(std::max<std::int64_t>(1, integer(chunk))));
    if (write.each_byte) delivery.chunks.assign(std::min<std::size_t>(frame.bytes.size(), 64), 1);
    if (write.fragments) {
      const auto length =
          static_cast<std::uint32_t>(std::max<std::int64_t>(1, integer(write.fragments)));
      delivery.fragments.assign(std::min<std::size_t>(frame.bytes.size() / length, 64), length);
    }
    if (write.eol)
      delivery.eol = *write.eol == "\r\n" ? Eol::kCrlf : *write.eol == "\r" ? Eol::kCr : Eol::kLf;
    return write.times ? std::min<std::int64_t>(integer(write.times), 8) : 1;
  }

  void add_http(const suite::Http& http) {
    Frame frame{http.body ? text_of_value(expanded(*http.body)) : "", {}};
    const std::string method = text_of_value(expanded(http.method));
    if (method != "POST") frame.delivery.http_method = method;
    for (const suite::Header& header : http.headers) {
      try {
        frame.delivery.headers.push_back(change_of(header));
      } catch (const Unknown&) {
        // the id of a session: the usual header has it
      }
    }
    script.steps.emplace_back(std::move(frame));
  }

  void add_handshake(const suite::Handshake& changes) {
    const auto version = expanded(changes.version);
    const auto capabilities = expanded(changes.capabilities);
    const auto params = expanded(changes.params);
    const auto initialized = expanded(changes.initialized);
    const json::Value own =
        case_.client_capabilities.is_null() ? json::object() : case_.client_capabilities;
    const json::Value id = changes.id ? expanded(*changes.id) : json::number(scope_.fresh_id());
    json::Value full =
        params ? *params
               : harness::session::initialize_params(profile_, capabilities ? *capabilities : own);
    if (version && !params) full.set("protocolVersion", *version);
    if (const auto info = expanded(changes.client_info)) full.set("clientInfo", *info);
    script.steps.emplace_back(
        Frame{json::write(harness::session::message(&id, "initialize", full)), {}});
    script.steps.emplace_back(Sync{});
    const json::Value ready = harness::session::initialized_message(profile_);
    if (ready.is_null() || (initialized && !initialized->boolean)) return;
    script.steps.emplace_back(Frame{json::write(ready), {}});
  }

  void add_answer(const std::string& method, const suite::Answer& written) {
    constexpr AnswerKind kOfWords[] = {AnswerKind::kUsual, AnswerKind::kNone,
                                       AnswerKind::kTwice, AnswerKind::kWrongId,
                                       AnswerKind::kLate,  AnswerKind::kGarbage};
    ClientAnswer answer{method, AnswerKind::kError, ""};
    const auto* word = std::get_if<suite::AnswerWord>(&written);
    const auto* own = std::get_if<suite::OwnAnswer>(&written);
    if (word) answer.kind = kOfWords[static_cast<int>(*word)];
    if (own && own->raw) answer.kind = AnswerKind::kGarbage;
    if (own && own->result) {
      Result<json::Value> filled = suite::expand(*own->result, scope_);
      if (!filled) return;
      answer.kind = AnswerKind::kResult;
      answer.result = json::write(*filled);
    }
    script.steps.emplace_back(std::move(answer));
  }

  // What later steps call the request, and what they capture of its reply.
  void names(const suite::Step& step, const std::string& bytes) {
    std::size_t number = 1;
    for (const Step& before : script.steps) number += std::holds_alternative<Frame>(before);
    if (!step.as.empty()) {
      const auto reading = json::read(bytes);
      if (const auto* good = std::get_if<json::Reading>(&reading)) scope_.set(step.as, good->value);
    }
    for (const suite::Capture& capture : step.captures)
      if (capture.header.empty())
        scope_.set(capture.name,
                   json::string("${" + std::to_string(number) + capture.pointer + '}'));
  }

  const suite::Case& case_;
  const spec::Profile& profile_;
  SeedScope& scope_;
};

bool counts(const suite::Case& item, const spec::Registry& registry, const spec::Profile& profile) {
  if (!item.profiles.empty())
    return std::any_of(item.profiles.begin(), item.profiles.end(),
                       [&](const std::string& selector) { return profile.is(selector); });
  for (const std::string& id : item.covers) {
    const spec::Requirement* requirement = registry.find(id);
    if (!requirement) continue;
    for (const wire::TransportTraits& row : wire::kTransports)
      if (row.of_targets && spec::applies(*requirement, profile, row.kind)) return true;
  }
  return false;
}

// The first that the case is for; kUnknown where that is all of a group.
wire::TransportKind transport_of(const suite::Case& item) {
  const std::vector<std::string> words = item.transports.words();
  return wire::transport_named(words.front()).value_or(wire::TransportKind::kUnknown);
}

}  // namespace

std::vector<Scenario> scenarios(const suite::Suite& suite, const spec::Registry& registry,
                                const spec::Profile& profile) {
  static const json::Value kNoColumns = json::object();
  std::vector<Scenario> out;
  for (const suite::Case& item : suite.cases) {
    if (!counts(item, registry, profile) || !item.for_each_name.empty()) continue;
    const std::size_t rows = std::max<std::size_t>(item.table.size(), 1);
    for (std::size_t row = 0; row < rows; ++row) {
      const json::Value& columns = item.table.empty() ? kNoColumns : item.table[row];
      const json::Value* when = columns.find("when");
      if (when && !suite::applies(suite::when_of(*when), profile, wire::TransportKind::kUnknown))
        continue;
      SeedScope scope(profile, suite.fixtures);
      for (const json::Member& column : columns.members)
        if (column.name != "row" && column.name != "when")
          scope.set_column(column.name, column.value);
      Writer writer(item, profile, scope);
      writer.script.profile = profile.name;
      writer.script.transport = transport_of(item);
      writer.begin();
      writer.play(item.steps);
      const bool sends =
          std::any_of(writer.script.steps.begin(), writer.script.steps.end(), [](const Step& step) {
            return std::holds_alternative<Frame>(step) || std::holds_alternative<Raw>(step);
          });
      if (!sends) continue;
      out.push_back(
          {row == 0 ? item.id : item.id + '-' + std::to_string(row + 1), std::move(writer.script)});
    }
  }
  return out;
}

}  // namespace fuzz
