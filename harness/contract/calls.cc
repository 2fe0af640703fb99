// SPDX-License-Identifier: Apache-2.0
// Calls of described methods: sound ones, and those with one thing wrong. A wrong call is made from
// a sound one of the same method, its twin, so that only one thing differs.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "harness/contract/in_use.h"
#include "harness/json/write.h"
#include "harness/target/synthesis.h"

namespace harness::contract {
namespace {

using json::Value;
using target::Arguments;

constexpr std::size_t kMostOfOne = 12;     // calls of one method and kind
constexpr std::size_t kMostAtBounds = 32;  // likewise, of what just fits
constexpr std::size_t kMostInBatch = 10;   // servers limit batches

// A sound call of a method: its params by name.
struct Sound {
  const Method* method;
  Value named;
  const Example* example = nullptr;  // null: made from the schemas
  std::string what;
};

// In the order of the params, those before `end` where it is given. Nothing where one is missing
// before another, or before `end`.
std::optional<Value> by_position(const Method& method, const Value& named,
                                 const std::string* end = nullptr) {
  Value out = json::array();
  for (const Param& param : method.params) {
    if (end != nullptr && param.name == *end) return out;
    const Value* value = named.find(param.name);
    if (value == nullptr) break;
    out.items.push_back(*value);
  }
  if (end != nullptr || out.items.size() != named.members.size()) return std::nullopt;
  return out;
}

// In the form that the document says; arrays where it says none. Nothing where neither is possible.
std::optional<Value> in_form(const Method& method, const Value& named) {
  if (method.by_position()) {
    std::optional<Value> out = by_position(method, named);
    if (out || method.structure != Structure::kEither) return out;
  }
  if (method.by_name()) return named;
  return std::nullopt;
}

std::vector<Sound> sound_calls(const Method& method) {
  std::vector<Sound> out;
  if (method.twice) return out;
  for (const Example& one : method.examples)
    if (!one.code) out.push_back({&method, one.named, &one, "example " + one.name});
  const bool doubtful = std::any_of(method.params.begin(), method.params.end(),
                                    [](const Param& one) { return !one.schema.doubt().empty(); });
  if (doubtful || !out.empty()) return out;
  const Value schema = method.params_schema();
  for (const Arguments kind : {Arguments::kValid, Arguments::kMinimal})
    for (const target::Instance& one : target::synthesise(schema, kind).instances) {
      const bool same = !out.empty() && json::equal(out.front().named, one.value);
      if (!same)
        out.push_back({&method, one.value, nullptr, std::string(arguments_name(kind)) + " params"});
    }
  return out;
}

// The one that wrong calls are made from.
std::optional<Sound> twin_of(const Method& method) {
  std::vector<Sound> all = sound_calls(method);
  std::erase_if(all, [&](const Sound& one) { return !in_form(method, one.named); });
  if (all.empty()) return std::nullopt;
  return std::move(all.front());
}

class Calls {
 public:
  explicit Calls(const InUse& use) : use_(use) {}

  std::vector<Value> run(std::string_view kind) {
    most_ = kind == "boundary" || kind == "turned" ? kMostAtBounds : kMostOfOne;
    for (const Kind& one : kKinds) {
      if (one.name != kind) continue;
      if (one.whole != nullptr) (this->*one.whole)();
      for (const Method* method : use_.called())
        if (one.make != nullptr && !method->twice) of_method(one, *method);
    }
    return std::move(out_);
  }

  // What the calls of a kind are made from.
  enum class From { kResult, kNoResult, kTwin, kTwinAlone };
  struct Kind {
    std::string name;
    From from;                         // kTwinAlone: a sound call, with a result or without
    void (Calls::*make)();             // of one method; null: of all at once
    void (Calls::*whole)() = nullptr;  // of all at once
  };
  static const std::vector<Kind> kKinds;

 private:
  void of_method(const Kind& kind, const Method& method) {
    method_ = &method;
    made_ = 0;
    if (kind.from != From::kTwinAlone &&
        method.result.has_value() == (kind.from == From::kNoResult))
      return;
    const bool twin = kind.from == From::kTwin || kind.from == From::kTwinAlone;
    if (twin) {
      twin_ = twin_of(method);
      if (!twin_) return;
      usual_ = *in_form(method, twin_->named);
    }
    (this->*kind.make)();
  }

  // ---- sound calls

  void examples() {
    for (const Example& one : method_->examples) {
      const std::optional<Value> params = in_form(*method_, one.named);
      if (!params) continue;
      Value call = bound(*params, "example " + one.name);
      call.set("result", one.result ? *one.result : json::null());
      call.set("code", one.code ? json::number(*one.code) : json::null());
      const bool one_kind = one.result && has_one_kind(*one.result);
      call.set("expects", json::string(one.code   ? "error"
                                       : one_kind ? kind_name(one.result->kind)
                                                  : ""));
      call.set("exact", json::boolean(one.result && (use_.terms.exact || method_->deterministic ||
                                                     one.place.flag("x-deterministic"))));
      add(std::move(call));
    }
  }

  // A chain or a store that holds other things may answer null or false, where the schema has it.
  bool has_one_kind(const Value& result) const {
    const Value others[] = {json::null(), json::boolean(false), json::boolean(true)};
    return std::ranges::all_of(others, [&](const Value& other) {
      return other.kind == result.kind || method_->result->breach(other);
    });
  }

  void sound() {
    for (const Sound& one : sound_calls(*method_)) add_sound(one);
  }
  void add_sound(const Sound& one) {
    const std::optional<Value> params = in_form(*method_, one.named);
    if (!params) return;
    Value call = bound(*params, one.what);
    call.set("example", json::boolean(one.example != nullptr));
    call.set("deprecated", json::boolean(deprecated(one)));
    add(std::move(call));
  }
  bool deprecated(const Sound& one) const {
    return method_->deprecated || std::ranges::any_of(method_->params, [&](const Param& param) {
             return param.deprecated && one.named.find(param.name) != nullptr;
           });
  }
  void deprecated_ones() {
    for (Sound& one : sound_calls(*method_)) {
      // With its deprecated params too.
      for (const Param& param : method_->params)
        if (param.deprecated && one.named.find(param.name) == nullptr && !one.example) return;
      if (one.example != nullptr) one.named = completed(one.named, true);
      if (deprecated(one)) return add_sound(one);
    }
  }

  // Both forms of one call, where the document says that it takes either.
  void either() {
    if (method_->structure != Structure::kEither || !method_->by_name()) return;
    const auto array = by_position(*method_, twin_->named);
    if (array && !array->items.empty()) add(twin_->named, *array, twin_->what + " by name");
  }

  // The form that it does not say.
  void other_form() {
    if (twin_->named.members.empty()) return;
    if (method_->structure == Structure::kByPosition && method_->distinct_names)
      add(twin_->named, usual_, "by name");
    if (method_->structure == Structure::kByName)
      if (const auto array = by_position(*method_, twin_->named))
        add(*array, twin_->named, "by position");
  }

  void optional() { leave_out(completed(twin_->named, false), false); }
  void missing() { leave_out(twin_->named, true); }

  // Without each param of a kind in turn; by position what stands behind it goes with it.
  void leave_out(const Value& whole, bool required) {
    const auto params = in_form(*method_, whole);
    if (!params || !method_->required_first) return;
    for (const Param& param : method_->params) {
      const bool wanted = required ? !has_default(param) : whole.find(param.name) != nullptr;
      if (param.required != required || !wanted) continue;
      const auto left = params->is_array() ? by_position(*method_, whole, &param.name)
                                           : std::optional<Value>(without(whole, param.name));
      if (left) add(*left, *params, "without `" + param.name + "`");
    }
  }

  // Methods without a result: as a request, and as notifications, sound and broken.
  void notified() {
    for (const Sound& one : sound_calls(*method_)) {
      const auto params = in_form(*method_, one.named);
      if (!params) continue;
      add(bound(*params, one.what));
      if (!method_->params.empty()) add(bound(with_more(*params), "one param more"));
      return;
    }
  }

  void linked() {
    for (const Link& link : method_->links) {
      const Method* to = use_.contract.find(link.method);
      if (to == nullptr || !use_.may_call(*to) || to->twice || !to->result) continue;
      for (const Example& one : method_->examples) {
        if (!one.result) continue;
        const std::optional<Value> named = link_params(link, one);
        const auto own = in_form(*method_, one.named);
        const auto params = named ? in_form(*to, *named) : std::nullopt;
        if (!params || !own || !fits(*to, *named)) continue;
        Value call = bound(*params, "link " + link.name);
        call.set("from", json::string(method_->name));
        call.set("twin", *own);
        call.set("method", json::string(to->name));
        add(std::move(call));
        break;
      }
    }
  }

  static bool fits(const Method& method, const Value& named) {
    return std::ranges::all_of(method.params, [&](const Param& one) {
      const Value* value = named.find(one.name);
      return value != nullptr ? !one.schema.breach(*value) : !one.required;
    });
  }

  // ---- wrong calls

  void surplus() {
    const auto params = in_form(*method_, completed(twin_->named, false));
    if (!params || (params->is_array() && params->items.size() != method_->params.size())) return;
    add(with_more(*params), *params, params->is_array() ? "one param more" : "a name more");
  }

  // A value of another kind in place of each param in turn.
  void wrong_type() {
    static const std::vector<Value> kOther = {
        json::object(), json::array(), json::string("rpcspec"), json::boolean(true), json::null()};
    for (const Param& param : method_->params) {
      const Value* own = twin_->named.find(param.name);
      int some = 0;
      for (const Value& other : kOther) {
        const auto broken = param.schema.breach(other);
        const bool same = own != nullptr && other.kind == own->kind;
        const bool scalar = own == nullptr || (!own->is_object() && !own->is_array());
        const bool number = own != nullptr && own->is_number();
        // Words and truth values may be read as one another, and null as what is left out.
        const bool converts = (scalar && ((other.is_string() && !number) || other.is_boolean())) ||
                              (!param.required && other.is_null());
        if (broken && broken->place.empty() && !same && !converts && some++ < 2)
          replace(param, other, " is " + json::write(other));
      }
    }
  }

  // What just fits: each param at its bounds, each word of a choice, what is named as default or
  // example; the other params as they are.
  void boundary() {
    for (const Value& named : at_bounds())
      if (auto params = in_form(*method_, named)) add(bound(std::move(*params), "at its bounds"));
  }
  // The same and sound calls in the other form, whatever the document says of forms.
  void turned() {
    std::vector<Value> all = at_bounds();
    for (Sound& one : sound_calls(*method_)) all.insert(all.begin(), std::move(one.named));
    for (Value& named : all) {
      const auto usual = in_form(*method_, named);
      if (!usual || named.members.empty() || !method_->distinct_names) continue;
      auto other =
          usual->is_array() ? std::optional<Value>(std::move(named)) : by_position(*method_, named);
      if (other) add(bound(std::move(*other), "in the other form"));
    }
  }
  std::vector<Value> at_bounds() const {
    std::vector<Value> out;
    for (const Param& param : method_->params) {
      std::vector<Value> values = named_values(param);
      for (target::Instance& one : made(param, Arguments::kBoundary))
        values.push_back(std::move(one.value));
      for (const Value& value : values)
        if (param.schema.doubt().empty() && !param.schema.breach(value))
          out.push_back(with_value(param, value));
    }
    return out;
  }
  static std::vector<target::Instance> made(const Param& param, Arguments kind) {
    if (!param.schema.doubt().empty()) return {};
    return target::synthesise(param.schema.bundled(), kind).instances;
  }
  static std::vector<Value> named_values(const Param& param) {
    std::vector<Value> out;
    const Place schema = param.place.member("schema");
    for (const char* name : {"default", "const", "example"})
      if (const Value* one = schema.find(name)) out.push_back(*one);
    for (const char* name : {"examples", "enum"})
      if (const Value* list = schema.find(name))
        out.insert(out.end(), list->items.begin(), list->items.end());
    return out;
  }

  void constraint() { instances(false); }
  void inner() { instances(true); }

  // What breaks one keyword: of a param itself, or of what is within one.
  void instances(bool within) {
    for (const Param& param : method_->params) {
      std::size_t some = 0;
      for (const target::Instance& one : made(param, Arguments::kBroken)) {
        const bool deep = one.keyword == "required" || one.keyword == "additionalProperties";
        const bool plain = one.keyword != "type" && one.keyword != "format" && !deep;
        if ((within ? !deep : !plain || !one.where.empty()) || ++some > 4) continue;
        if (param.schema.breach(one.value))
          replace(param, one.value, " breaks " + one.keyword + one.where, one.keyword);
      }
    }
  }

  // The twin with this value of one param.
  void replace(const Param& param, const Value& value, const std::string& what,
               const std::string& keyword = "") {
    const auto params = in_form(*method_, with_value(param, value));
    if (!params) return;
    Value call = bound(*params, "`" + param.name + "`" + what);
    call.set("twin", usual_);
    if (!keyword.empty()) call.set("keyword", json::string(keyword));
    add(std::move(call));
  }

  // ---- several methods at once

  void batch() {
    Value messages = json::array();
    for (const Method* method : use_.called()) {
      if (method->twice || !method->result || messages.items.size() == kMostInBatch) continue;
      const auto twin = twin_of(*method);
      if (!twin || !twin->example) continue;
      const std::string id = "openrpc-batch-" + std::to_string(messages.items.size());
      messages.items.push_back(json::object({{"jsonrpc", json::string("2.0")},
                                             {"id", json::string(id)},
                                             {"method", json::string(method->name)},
                                             {"params", *in_form(*method, twin->named)}}));
    }
    if (messages.items.size() < 2) return;
    const auto count = static_cast<std::int64_t>(messages.items.size());
    out_.push_back(json::object({{"messages", std::move(messages)},
                                 {"count", json::number(count)},
                                 {"what", json::string("the examples in one batch")}}));
  }

  // Sound calls that show state, and wrong ones that must not change it.
  void effects() {
    Value reads = json::array(), wrong = json::array();
    for (const Value& one : calls_of(use_, "type"))
      if (wrong.items.size() < kMostInBatch) wrong.items.push_back(one);
    for (const Value& one : calls_of(use_, "sound")) {
      const Value* example = one.find("example");
      if (example != nullptr && example->boolean && reads.items.size() < kMostInBatch)
        reads.items.push_back(one);
    }
    if (reads.items.empty() || wrong.items.empty()) return;
    out_.push_back(json::object({{"reads", std::move(reads)},
                                 {"wrong", std::move(wrong)},
                                 {"what", json::string("what reading methods show")}}));
  }

  // ---- parts

  Value bound(Value params, std::string what) const {
    return json::object({{"method", json::string(method_->name)},
                         {"params", std::move(params)},
                         {"what", json::string(method_->name + " " + what)}});
  }
  void add(Value call) {
    if (++made_ <= most_) out_.push_back(std::move(call));
  }
  void add(Value params, Value twin, std::string what) {
    Value call = bound(std::move(params), std::move(what));
    call.set("twin", std::move(twin));
    add(std::move(call));
  }

  static Value without(const Value& named, const std::string& name) {
    Value out = named;
    std::erase_if(out.members, [&](const json::Member& one) { return one.name == name; });
    return out;
  }
  // The twin with this value of one param; others stand before it where that is by position.
  Value with_value(const Param& param, const Value& value) const {
    Value named = twin_->named;
    named.set(param.name, value);
    return in_form(*method_, named) ? named : completed(named, false);
  }
  static Value with_more(Value params) {
    if (params.is_array()) {
      params.items.push_back(json::string("rpcspec"));
    } else if (params.is_object()) {
      params.set("rpcspec_surplus", json::string("rpcspec"));
    }
    return params;
  }
  static bool has_default(const Param& param) {
    return param.place.member("schema").find("default") != nullptr;
  }

  // Optional params that are not given get a value made from their schemas; deprecated ones only
  // so.
  Value completed(const Value& named, bool deprecated_alone) const {
    const auto made = target::synthesise(method_->params_schema(), Arguments::kValid).instances;
    if (made.empty()) return named;
    Value whole = json::object();
    for (const Param& param : method_->params) {
      const Value* own = named.find(param.name);
      const bool wanted = !deprecated_alone || param.deprecated;
      if (own == nullptr && wanted) own = made.front().value.find(param.name);
      if (own != nullptr) whole.set(param.name, *own);
    }
    return whole;
  }

  // The params of a link, by what the example says of params and result. Nothing where an
  // expression leads nowhere.
  static std::optional<Value> link_params(const Link& link, const Example& example) {
    Value out = json::object();
    for (const json::Member& member : link.params.members) {
      const std::optional<LinkPath> path = path_of(member.value);
      if (!path) {
        if (member.value.text.find("${") != std::string::npos) return std::nullopt;
        out.set(member.name, member.value);
        continue;
      }
      const Value* found =
          json::at(path->of_params ? example.named : *example.result, path->pointer);
      if (found != nullptr) out.set(member.name, *found);
    }
    return out;
  }

  const InUse& use_;
  const Method* method_ = nullptr;
  std::optional<Sound> twin_;  // of it
  Value usual_;                // the params of the twin, in their form
  std::size_t made_ = 0;
  std::size_t most_ = kMostOfOne;
  std::vector<Value> out_;
};

const std::vector<Calls::Kind> Calls::kKinds = {
    {"examples", From::kResult, &Calls::examples},
    {"sound", From::kResult, &Calls::sound},
    {"deprecated", From::kResult, &Calls::deprecated_ones},
    {"either", From::kTwin, &Calls::either},
    {"other-form", From::kTwin, &Calls::other_form},
    {"optional", From::kTwin, &Calls::optional},
    {"notified", From::kNoResult, &Calls::notified},
    {"linked", From::kResult, &Calls::linked},
    {"boundary", From::kTwinAlone, &Calls::boundary},
    {"turned", From::kTwinAlone, &Calls::turned},
    {"missing", From::kTwin, &Calls::missing},
    {"surplus", From::kTwin, &Calls::surplus},
    {"type", From::kTwin, &Calls::wrong_type},
    {"constraint", From::kTwin, &Calls::constraint},
    {"inner", From::kTwin, &Calls::inner},
    {"batch", From::kResult, nullptr, &Calls::batch},
    {"effects", From::kResult, nullptr, &Calls::effects}};

}  // namespace

const std::vector<std::string>& call_kinds() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> out;
    for (const Calls::Kind& kind : Calls::kKinds) out.push_back(kind.name);
    return out;
  }();
  return kNames;
}

const std::vector<Value>& calls_of(const InUse& use, std::string_view kind) {
  auto made = use.calls.find(kind);
  if (made == use.calls.end()) made = use.calls.emplace(kind, Calls(use).run(kind)).first;
  return made->second;
}

}  // namespace harness::contract
