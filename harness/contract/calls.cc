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

std::optional<Value> by_position(const Method& method, const Value& named) {
  Value out = json::array();
  std::size_t given = 0;
  for (const Param& param : method.params) {
    const Value* value = named.find(param.name);
    if (value == nullptr) break;
    out.items.push_back(*value);
    ++given;
  }
  if (given != named.members.size()) return std::nullopt;  // one behind is given
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
    for (const Method* method : use_.called()) {
      made_ = 0;
      method_ = method;
      if (method->twice) continue;
      for (const auto& [name, make] : kKinds)
        if (name == kind) (this->*make)();
    }
    if (kind == "batch") batch();
    if (kind == "effects") effects();
    return std::move(out_);
  }

  using Make = void (Calls::*)();
  static const std::vector<std::pair<std::string, Make>> kKinds;

 private:
  // ---- sound calls

  void examples() {
    if (!method_->result) return;
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
                                                     deterministic(one))));
      add(std::move(call));
    }
  }

  // A chain or a store that holds other things may answer null or false, where the schema has it.
  bool has_one_kind(const Value& result) const {
    const Value others[] = {json::null(), json::boolean(false), json::boolean(true)};
    return std::all_of(std::begin(others), std::end(others), [&](const Value& other) {
      return other.kind == result.kind || method_->result->breach(other);
    });
  }

  static bool deterministic(const Example& one) {
    const Value* said = one.place.find("x-deterministic");
    return said != nullptr && said->is_boolean() && said->boolean;
  }

  void sound() {
    if (!method_->result) return;
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
    return method_->deprecated ||
           std::any_of(method_->params.begin(), method_->params.end(), [&](const Param& param) {
             return param.deprecated && one.named.find(param.name) != nullptr;
           });
  }
  void deprecated_ones() {
    if (!method_->result) return;
    for (Sound& one : sound_calls(*method_)) {
      // With its deprecated params too.
      for (const Param& param : method_->params)
        if (param.deprecated && one.named.find(param.name) == nullptr && !one.example) return;
      if (one.example != nullptr) complete(one.named, true);
      if (deprecated(one)) return add_sound(one);
    }
  }

  // Both forms of one call, where the document says that it takes either.
  void either() {
    const auto twin = twin_of(*method_);
    if (!method_->result || !twin || method_->structure != Structure::kEither ||
        !method_->by_name())
      return;
    const auto array = by_position(*method_, twin->named);
    if (!array || array->items.empty()) return;
    add(with_twin(twin->named, *array, twin->what + " by name"));
  }

  // The form that it does not say.
  void other_form() {
    const auto twin = twin_of(*method_);
    if (!method_->result || !twin || twin->named.members.empty()) return;
    if (method_->structure == Structure::kByPosition && method_->distinct_names)
      add(with_twin(twin->named, *in_form(*method_, twin->named), "by name"));
    if (method_->structure == Structure::kByName)
      if (const auto array = by_position(*method_, twin->named))
        add(with_twin(*array, twin->named, "by position"));
  }

  void optional() {
    const auto twin = twin_of(*method_);
    if (!method_->result || !twin || !method_->required_first) return;
    Value whole = twin->named;
    complete(whole, false);
    const auto params = in_form(*method_, whole);
    if (!params) return;
    for (const Param& param : method_->params) {
      if (param.required || whole.find(param.name) == nullptr) continue;
      const Value rest = without(whole, param.name);
      // By position what stands behind it goes with it.
      const auto left = method_->structure == Structure::kByName ? std::optional<Value>(rest)
                                                                 : cut_before(whole, param.name);
      if (left) add(with_twin(*left, *params, "without `" + param.name + "`"));
    }
  }

  // Methods without a result: as a request, and as notifications, sound and broken.
  void notified() {
    if (method_->result) return;
    for (const Sound& one : sound_calls(*method_)) {
      const auto params = in_form(*method_, one.named);
      if (!params) continue;
      add(bound(*params, one.what));
      if (!method_->params.empty()) add(bound(broken_form(*params), "one param more"));
      return;
    }
  }

  void linked() {
    if (!method_->result) return;
    for (const Link& link : method_->links) {
      const Method* to = use_.contract.find(link.method);
      if (to == nullptr || !use_.may_call(*to) || to->twice || !to->result) continue;
      for (const Example& one : method_->examples) {
        if (!one.result) continue;
        const std::optional<Value> named = link_params(link, one);
        const auto own = in_form(*method_, one.named);
        const auto params = named ? in_form(*to, *named) : std::nullopt;
        if (!params || !own || !has_required(*to, *named)) continue;
        Value call = bound(*params, "link " + link.name);
        call.set("from", json::string(method_->name));
        call.set("twin", *own);
        call.set("method", json::string(to->name));
        add(std::move(call));
        break;
      }
    }
  }

  static bool has_required(const Method& method, const Value& named) {
    return std::all_of(method.params.begin(), method.params.end(), [&](const Param& one) {
      return !one.required || named.find(one.name) != nullptr;
    });
  }

  // ---- wrong calls

  void missing() {
    const auto twin = twin_of(*method_);
    if (!method_->result || !twin || !method_->required_first) return;
    const Value params = *in_form(*method_, twin->named);
    for (const Param& param : method_->params) {
      if (!param.required || has_default(param)) continue;
      const auto left = params.is_array() ? cut_before(twin->named, param.name)
                                          : std::optional<Value>(without(twin->named, param.name));
      if (left) add(with_twin(*left, params, "without `" + param.name + "`"));
    }
  }

  void surplus() {
    const auto twin = twin_of(*method_);
    if (!method_->result || !twin) return;
    Value whole = twin->named;
    complete(whole, false);
    const auto params = in_form(*method_, whole);
    if (!params || (params->is_array() && params->items.size() != method_->params.size())) return;
    add(with_twin(broken_form(*params), *params,
                  params->is_array() ? "one param more" : "a name more"));
  }

  // A value of another kind in place of each param in turn.
  void wrong_type() {
    static const std::vector<Value> kOther = {
        json::object(), json::array(), json::string("rpcspec"), json::boolean(true), json::null()};
    replace_each([&](const Param& param, const Value* own) {
      std::vector<Value> out;
      for (const Value& other : kOther) {
        const auto broken = param.schema.breach(other);
        const bool same = own != nullptr && other.kind == own->kind;
        const bool scalar = own == nullptr || (!own->is_object() && !own->is_array());
        const bool number = own != nullptr && own->is_number();
        // Words and truth values may be read as one another, and null as what is left out.
        const bool converts = (scalar && ((other.is_string() && !number) || other.is_boolean())) ||
                              (!param.required && other.is_null());
        if (broken && broken->place.empty() && !same && !converts && out.size() < 2)
          out.push_back(other);
      }
      return out;
    });
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
    const auto twin = twin_of(*method_);
    if (!twin) return out;
    for (const Param& param : method_->params) {
      if (!param.schema.doubt().empty()) continue;
      std::vector<Value> values = named_values(param);
      for (target::Instance& one :
           target::synthesise(param.schema.bundled(), Arguments::kBoundary).instances)
        values.push_back(std::move(one.value));
      for (const Value& value : values) {
        if (!param.schema.breach(value)) out.push_back(with_value(*twin, param, value));
      }
    }
    return out;
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
    const auto twin = twin_of(*method_);
    if (!method_->result || !twin) return;
    for (const Param& param : method_->params) {
      if (!param.schema.doubt().empty()) continue;
      std::size_t some = 0;
      for (const target::Instance& one :
           target::synthesise(param.schema.bundled(), Arguments::kBroken).instances) {
        const bool deep = one.keyword == "required" || one.keyword == "additionalProperties";
        const bool plain = one.keyword != "type" && one.keyword != "format" && !deep;
        if ((within ? !deep : !plain || !one.where.empty()) || ++some > 4) continue;
        const auto broken = param.schema.breach(one.value);
        if (!broken) continue;
        if (const auto params = in_form(*method_, with_value(*twin, param, one.value))) {
          Value call = with_twin(*params, *in_form(*method_, twin->named),
                                 "`" + param.name + "` breaks " + one.keyword + one.where);
          call.set("keyword", json::string(one.keyword));
          add(std::move(call));
        }
      }
    }
  }

  template <class Others>
  void replace_each(Others others) {
    const auto twin = twin_of(*method_);
    if (!method_->result || !twin) return;
    for (const Param& param : method_->params) {
      const Value* own = twin->named.find(param.name);
      if (!param.schema.doubt().empty()) continue;
      for (const Value& other : others(param, own)) {
        if (const auto params = in_form(*method_, with_value(*twin, param, other)))
          add(with_twin(*params, *in_form(*method_, twin->named),
                        "`" + param.name + "` is " + json::write(other)));
      }
    }
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
  Value with_twin(Value params, Value twin, std::string what) const {
    Value out = bound(std::move(params), std::move(what));
    out.set("twin", std::move(twin));
    return out;
  }
  void add(Value call) {
    if (++made_ <= most_) out_.push_back(std::move(call));
  }

  static Value without(const Value& named, const std::string& name) {
    Value out = named;
    std::erase_if(out.members, [&](const json::Member& one) { return one.name == name; });
    return out;
  }
  // The array that ends before this param.
  std::optional<Value> cut_before(const Value& named, const std::string& name) const {
    Value out = json::array();
    for (const Param& param : method_->params) {
      if (param.name == name) return out;
      const Value* value = named.find(param.name);
      if (value == nullptr) return std::nullopt;
      out.items.push_back(*value);
    }
    return std::nullopt;
  }
  // The sound call with this value of one param; others stand before it where that is by position.
  Value with_value(const Sound& twin, const Param& param, const Value& value) const {
    Value named = twin.named;
    named.set(param.name, value);
    if (!in_form(*method_, named)) complete(named, false);
    return named;
  }
  static Value broken_form(Value params) {
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
  void complete(Value& named, bool deprecated_alone) const {
    const auto made = target::synthesise(method_->params_schema(), Arguments::kValid).instances;
    if (made.empty()) return;
    Value whole = json::object();
    for (const Param& param : method_->params) {
      const Value* own = named.find(param.name);
      const bool wanted = !deprecated_alone || param.deprecated;
      if (own == nullptr && wanted) own = made.front().value.find(param.name);
      if (own != nullptr) whole.set(param.name, *own);
    }
    named = std::move(whole);
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
  std::size_t made_ = 0;
  std::size_t most_ = kMostOfOne;
  std::vector<Value> out_;
};

const std::vector<std::pair<std::string, Calls::Make>> Calls::kKinds = {
    {"examples", &Calls::examples},
    {"sound", &Calls::sound},
    {"deprecated", &Calls::deprecated_ones},
    {"either", &Calls::either},
    {"other-form", &Calls::other_form},
    {"optional", &Calls::optional},
    {"notified", &Calls::notified},
    {"linked", &Calls::linked},
    {"boundary", &Calls::boundary},
    {"turned", &Calls::turned},
    {"missing", &Calls::missing},
    {"surplus", &Calls::surplus},
    {"type", &Calls::wrong_type},
    {"constraint", &Calls::constraint},
    {"inner", &Calls::inner}};

}  // namespace

const std::vector<std::string>& call_kinds() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> out;
    for (const auto& [name, make] : Calls::kKinds) out.push_back(name);
    out.insert(out.end(), {"batch", "effects"});
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
