// SPDX-License-Identifier: Apache-2.0
#include "fuzz/seeds/scenario.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

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
    for (const json::Member& answer : case_.answers.members) add_answer(answer);
    if (!case_.client_capabilities.is_null() && profile_.era == spec::Era::kHandshake)
      add_handshake(json::object());
  }

  void play(const json::Value& steps) {
    for (const json::Value& step : steps.items) {
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

  void play_step(const json::Value& step) {
    if (const json::Value* pipelined = step.find("pipelined")) {
      for (const json::Value& part : pipelined->items) {
        scope_.next_step();
        play_one(part);
      }
      return sync();
    }
    play_one(step);
    const json::Value* reply = step.find("reply");
    if (!reply || !reply->is_string() || reply->text != "later") sync();
  }

  void sync() {
    if (!script.steps.empty() && std::holds_alternative<Frame>(script.steps.back()))
      script.steps.emplace_back(Sync{});
  }

  void play_one(const json::Value& step) {
    if (const json::Value* call = step.find("call")) return add(step, message(*call, true));
    if (const json::Value* notify = step.find("notify")) return add(step, message(*notify, false));
    if (const json::Value* send = step.find("send")) return add(step, json::write(expanded(*send)));
    if (const json::Value* frame = step.find("frame")) return add(step, pieces(*frame));
    if (const json::Value* bytes = step.find("bytes")) return add_bytes(step, pieces(*bytes));
    if (const json::Value* http = step.find("http")) return add_http(*http);
    if (const json::Value* walk = step.find("walk"))
      return add(step, message(*walk->find("call"), true));
    if (const json::Value* handshake = step.find("handshake")) return add_handshake(*handshake);
    const json::Value* close = step.find("close");
    if (step.find("reconnect") || (close && close->text == "stdin")) {
      script.steps.emplace_back(Close{});
    } else if (step.find("canary")) {
      add(step, json::write(*scope_.find({"canary", "request"})));
    }
  }

  std::string message(const json::Value& written, bool request) {
    const json::Value said = expanded(written);
    const json::Value* own_id = said.find("id");
    const json::Value id = own_id ? *own_id : request ? *scope_.find({"id"}) : json::null();
    const json::Value* params = said.find("params");
    const json::Value* meta = said.find("meta");
    json::Value full = params ? *params : json::null();
    const bool bare = meta && meta->is_string() && meta->text == "none";
    if (!bare && (request || meta))
      full = harness::session::with_meta(profile_, std::move(full), meta ? *meta : json::null(),
                                         case_.client_capabilities);
    return json::write(
        harness::session::message(request ? &id : nullptr, said.find("method")->text, full));
  }

  std::string pieces(const json::Value& value) {
    if (!value.is_array()) {
      const json::Value whole = expanded(value);
      const bool of_pieces = whole.is_array() && !whole.items.empty() &&
                             whole.items.front().is_object() &&
                             (whole.items.front().find("text") || whole.items.front().find("hex") ||
                              whole.items.front().find("repeat"));
      return of_pieces ? joined(whole) : text_of_value(whole);
    }
    return joined(value);
  }

  std::string joined(const json::Value& list) {
    std::string text;
    for (const json::Value& piece : list.items) {
      if (const json::Value* part = piece.find("text")) {
        text += text_of_value(expanded(*part));
      } else if (const json::Value* hex = piece.find("hex")) {
        text += unhex(expanded(*hex).text);
      } else if (const json::Value* repeat = piece.find("repeat")) {
        const json::Value* count = piece.find("count");
        const std::int64_t times =
            count ? json::as_integer(expanded(*count)).value_or(1) : std::int64_t{1};
        if (times > kMostRepeats) throw Unknown{};
        for (std::int64_t i = 0; i < times; ++i) {
          scope_.set("n", json::number(i));
          text += text_of_value(expanded(*repeat));
        }
      } else {
        throw Unknown{};
      }
    }
    return text;
  }

  static std::string unhex(std::string_view text) {
    std::string out;
    int digits = 0;
    unsigned value = 0;
    for (const char c : text) {
      const std::size_t digit =
          std::string_view("0123456789abcdef")
              .find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
      if (digit == std::string_view::npos) continue;
      value = value * 16 + static_cast<unsigned>(digit);
      if (++digits % 2 == 0) out += static_cast<char>(value & 0xFF);
    }
    return out;
  }

  void add(const json::Value& step, std::string bytes) {
    Frame frame{std::move(bytes), {}};
    if (const json::Value* headers = step.find("headers")) add_headers(*headers, frame.delivery);
    int times = 1;
    if (const json::Value* write = step.find("write")) times = shape(*write, frame);
    names(step, frame.bytes);
    for (int i = 0; i < times && script.steps.size() < 64; ++i) script.steps.emplace_back(frame);
  }

  // How `write` has it; how many times.
  int shape(const json::Value& write, Frame& frame) {
    Delivery& delivery = frame.delivery;
    if (const json::Value* chunks = write.find("chunks"))
      for (const json::Value& chunk : chunks->items)
        delivery.chunks.push_back(static_cast<std::uint32_t>(
            std::max<std::int64_t>(1, json::as_integer(chunk).value_or(1))));
    if (write.find("each_byte"))
      delivery.chunks.assign(std::min<std::size_t>(frame.bytes.size(), 64), 1);
    if (const json::Value* size = write.find("fragments")) {
      const auto length = static_cast<std::uint32_t>(json::as_integer(*size).value_or(1));
      delivery.fragments.assign(std::min<std::size_t>(frame.bytes.size() / length, 64), length);
    }
    if (const json::Value* eol = write.find("eol"))
      delivery.eol = eol->text == "\r\n" ? Eol::kCrlf : eol->text == "\r" ? Eol::kCr : Eol::kLf;
    const json::Value* times = write.find("times");
    return times ? static_cast<int>(std::min<std::int64_t>(json::as_integer(*times).value_or(1), 8))
                 : 1;
  }

  void add_headers(const json::Value& headers, Delivery& delivery) {
    for (const json::Member& member : headers.members) {
      HeaderChange change{text_of_value(expanded(json::string(member.name))), std::nullopt};
      if (!member.value.is_null()) change.value = pieces(member.value);
      if (!change.name.empty()) delivery.headers.push_back(std::move(change));
    }
  }

  void add_bytes(const json::Value& step, std::string bytes) {
    // Over HTTP raw bytes are a body.
    if (wire::traits_of(script.transport).http) return add(step, std::move(bytes));
    script.steps.emplace_back(Raw{std::move(bytes)});
  }

  void add_http(const json::Value& http) {
    const json::Value* body = http.find("body");
    Frame frame{body ? text_of_value(expanded(*body)) : "", {}};
    if (const json::Value* method = http.find("method")) {
      const std::string name = text_of_value(expanded(*method));
      if (name != "POST") frame.delivery.http_method = name;
    }
    if (const json::Value* headers = http.find("headers")) {
      for (const json::Member& member : headers->members) {
        HeaderChange change{member.name, std::nullopt};
        if (!member.value.is_null()) {
          try {
            change.value = pieces(member.value);
          } catch (const Unknown&) {
            continue;  // the id of a session: the usual header has it
          }
        }
        frame.delivery.headers.push_back(std::move(change));
      }
    }
    script.steps.emplace_back(std::move(frame));
  }

  void add_handshake(const json::Value& changes) {
    const json::Value said = expanded(changes);
    const json::Value* version = said.find("version");
    const json::Value* capabilities = said.find("capabilities");
    const json::Value own =
        case_.client_capabilities.is_null() ? json::object() : case_.client_capabilities;
    const json::Value* params = said.find("params");
    const json::Value* own_id = said.find("id");
    const json::Value id = own_id ? *own_id : json::number(scope_.fresh_id());
    json::Value full =
        params ? *params
               : harness::session::initialize_params(version ? version->text : profile_.revision,
                                                     capabilities ? *capabilities : own);
    if (const json::Value* info = said.find("clientInfo")) full.set("clientInfo", *info);
    script.steps.emplace_back(
        Frame{json::write(harness::session::message(&id, "initialize", full)), {}});
    script.steps.emplace_back(Sync{});
    const json::Value* initialized = said.find("initialized");
    if (initialized && !initialized->boolean) return;
    script.steps.emplace_back(Frame{
        json::write(harness::session::message(nullptr, "notifications/initialized", json::null())),
        {}});
  }

  void add_answer(const json::Member& written) {
    Answer answer;
    answer.method = written.name;
    const json::Value* result = written.value.find("result");
    if (written.value.is_string() && written.value.text == "none") {
      answer.kind = AnswerKind::kNone;
    } else if (written.value.is_object() && written.value.find("raw")) {
      answer.kind = AnswerKind::kGarbage;
    } else if (written.value.is_object() && result) {
      Result<json::Value> filled = suite::expand(*result, scope_);
      if (!filled) return;
      answer.kind = AnswerKind::kResult;
      answer.result = json::write(*filled);
    } else {
      answer.kind = AnswerKind::kError;
    }
    script.steps.emplace_back(std::move(answer));
  }

  // What later steps call the request, and what they capture of its reply.
  void names(const json::Value& step, const std::string& bytes) {
    std::size_t number = 1;
    for (const Step& before : script.steps) number += std::holds_alternative<Frame>(before);
    if (const json::Value* name = step.find("as")) {
      const auto reading = json::read(bytes);
      if (const auto* good = std::get_if<json::Reading>(&reading))
        scope_.set(name->text, good->value);
    }
    const json::Value* captures = step.find("capture");
    if (!captures) return;
    for (const json::Member& capture : captures->members)
      if (capture.value.is_string())
        scope_.set(capture.name,
                   json::string("${" + std::to_string(number) + capture.value.text + '}'));
  }

  const suite::Case& case_;
  const spec::Profile& profile_;
  SeedScope& scope_;
};

bool names_one(const json::Value* selectors, const spec::Profile& profile) {
  if (!selectors) return true;
  return std::any_of(selectors->items.begin(), selectors->items.end(),
                     [&](const json::Value& selector) { return profile.is(selector.text); });
}

// Whether `when` lets a row or step in; the transport is not known yet.
bool wanted(const json::Value& value, const spec::Profile& profile) {
  const json::Value* when = value.is_object() ? value.find("when") : nullptr;
  return !when || names_one(when->find("profiles"), profile);
}

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
      if (!wanted(columns, profile)) continue;
      SeedScope scope(profile, suite.fixtures);
      for (const json::Member& column : columns.members)
        if (column.name != "row" && column.name != "when")
          scope.set_column(column.name, column.value);
      Writer writer(item, profile, scope);
      writer.script.profile = profile.name;
      writer.script.transport = transport_of(item);
      writer.begin();
      json::Value steps = json::array();
      for (const json::Value& step : item.steps.items)
        if (wanted(step, profile)) steps.items.push_back(step);
      writer.play(steps);
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
