// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/plain_described.h"

#include <algorithm>
#include <string>

#include "harness/base/embed.h"
#include "harness/json/read.h"
#include "harness/reference/inject.h"

RPCSPEC_EMBEDDED(plain_contract);

namespace harness::reference {
namespace {

using json::Value;

constexpr int kRefused = 1002;
constexpr std::size_t kLongestText = 40;

Outcome discover(Session& session, const Call& call) {
  const Faults& faults = session.server.faults;
  Value document = json::parse(plain_contract());
  const bool some = !call.params.items.empty() || !call.params.members.empty();
  if (some) return bad_params("rpc.discover takes no params");
  if (!call.has_params && faults.has("discover-demands-params"))
    return bad_params("an array was expected");
  if (faults.has("discover-in-envelope")) return json::object({{"schema", std::move(document)}});
  if (faults.has("discover-differs") && ++session.server.memory.tally["discovered"] % 2 == 0)
    document.find("methods")->items.pop_back();
  return document;
}

std::size_t words_of(const std::string& text) {
  std::size_t words = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    words += text[i] != ' ' && (i == 0 || text[i - 1] == ' ') ? 1 : 0;
  return words;
}

std::size_t characters_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

// The options, which say their unit and nothing else; "" where they are not sound.
std::string unit_of(const Value* options, const Faults& faults) {
  if (options == nullptr) return faults.has("described-optional-demanded") ? "" : "characters";
  const Value* unit = options->is_object() ? options->find("unit") : nullptr;
  const bool closed = options->is_object() && options->members.size() == (unit ? 1 : 0);
  if (faults.has("described-inner-unchecked") && options->is_object() && !(unit && closed))
    return "characters";
  if (unit == nullptr || !closed) return "";
  const bool known = unit->is_string() && (unit->text == "characters" || unit->text == "words");
  if (!known) return faults.has("described-constraint-unchecked") ? "characters" : "";
  return unit->text;
}

Outcome measure(const Faults& faults, const Value& params) {
  if (faults.has("described-method-unserved")) return RpcError{kMethodNotFound, "Method not found"};
  const Value* text = nullptr;
  const Value* options = nullptr;
  bool surplus = false;
  if (params.is_array()) {
    if (!params.items.empty()) text = &params.items[0];
    if (params.items.size() > 1) options = &params.items[1];
    surplus = params.items.size() > 2;
  } else {
    if (faults.has("described-by-name-refused")) return bad_params("an array was expected");
    text = params.find("text");
    options = params.find("options");
    surplus = params.members.size() > (text ? 1u : 0u) + (options ? 1u : 0u);
  }
  if (surplus && faults.has("described-surplus-fails"))
    return RpcError{kInternalError, "Internal error"};
  if (surplus) return bad_params("text and options are all there is");
  static const Value kNothing = json::string("nothing");
  if (text == nullptr && faults.has("described-missing-served")) text = &kNothing;
  if (text != nullptr && !text->is_string() && faults.has("described-type-unchecked"))
    text = &kNothing;
  if (text == nullptr || !text->is_string()) return bad_params("a text was expected");
  const bool fits = !text->text.empty() && characters_of(text->text) <= kLongestText;
  if (!fits && !faults.has("described-constraint-unchecked"))
    return bad_params("a text of 1 to 40 characters was expected");
  const std::string unit = unit_of(options, faults);
  if (unit.empty()) return bad_params("options are {unit: characters} or {unit: words}");
  if (faults.has("described-call-refused")) return bad_params("no text is good enough");
  const bool refused = text->text == "refuse me" && !faults.has("described-refusal-served");
  if (refused) return RpcError{kRefused, "It was asked to be refused"};
  if (faults.has("described-result-as-text")) return json::string("long");
  const std::size_t length = unit == "words" ? words_of(text->text) : characters_of(text->text);
  return json::object(
      {{"length", json::number(static_cast<std::int64_t>(length))}, {"unit", json::string(unit)}});
}

Outcome length_of_text(const Faults& faults, const Value& params) {
  if (faults.has("deprecated-method-gone")) return RpcError{kMethodNotFound, "Method not found"};
  if (params.is_object() && faults.has("other-form-fails"))
    return RpcError{kInternalError, "Internal error"};
  if (!params.is_array() || params.items.size() != 1 || !params.items[0].is_string())
    return bad_params("an array with a text was expected");
  return json::number(static_cast<std::int64_t>(characters_of(params.items[0].text)));
}

}  // namespace

std::optional<Outcome> answer_described(Session& session, const Call& call) {
  const Faults& faults = session.server.faults;
  if (call.method == "rpc.discover") return discover(session, call);
  if (call.method == "measure") return measure(faults, call.params);
  if (call.method == "length_of") return length_of_text(faults, call.params);
  if (call.method == "notify_hello" && faults.has("described-notification-drops-id"))
    return Silent{};
  return std::nullopt;
}

}  // namespace harness::reference
