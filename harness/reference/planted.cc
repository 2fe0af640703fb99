// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/planted.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "harness/base/ascii.h"
#include "harness/json/read.h"
#include "harness/reference/mcp_inputs.h"
#include "harness/reference/mcp_tools.h"
#include "harness/reference/text_facts.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr std::size_t kLongLine = 65536;
constexpr std::size_t kLongHeader = 4000;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kLargeBatch = 64;
constexpr std::size_t kDeep = 100;
constexpr int kBuffers = 32;
constexpr std::size_t kLevels = 50'000;
constexpr std::size_t kMembers = 10'000;
constexpr std::size_t kThousands = 2'000;
constexpr std::size_t kDigits = 1'000;
constexpr std::size_t kHalfPage = 2'048;
constexpr int kInARow = 60;
constexpr std::size_t kLostBySubscription = 4096;  // bytes that a subscription leaves behind
constexpr std::size_t kLongUri = 8'000;
constexpr std::size_t kLongCursor = 16'000;
constexpr std::size_t kDeepArguments = 300;
constexpr std::size_t kQuoted = 256;
constexpr std::size_t kSameLetters = 30;
constexpr std::int64_t kExact = std::int64_t{1} << 53;
constexpr std::size_t kSealDigits = 16;
constexpr std::string_view kMark = "\xef\xbb\xbf";
constexpr std::string_view kReplacement = "\xef\xbf\xbd";

[[noreturn]] void crash() { std::abort(); }
[[noreturn]] void hang() {
  while (true) pause();
}

template <class Is>
bool any_value(const Value& value, const Is& is) {
  if (is(value)) return true;
  for (const Value& item : value.items)
    if (any_value(item, is)) return true;
  return std::any_of(value.members.begin(), value.members.end(),
                     [&](const json::Member& member) { return any_value(member.value, is); });
}

std::size_t depth(const Value& value) {
  std::size_t deepest = 0;
  for (const Value& item : value.items) deepest = std::max(deepest, depth(item));
  for (const json::Member& member : value.members) deepest = std::max(deepest, depth(member.value));
  return value.is_array() || value.is_object() ? deepest + 1 : 0;
}

bool repeats_a_name(const Value& object) {
  std::vector<std::string_view> names;
  for (const json::Member& member : object.members) names.push_back(member.name);
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

bool holds(const Value& value, std::string_view text) {
  return any_value(value, [&](const Value& one) {
    return one.is_string() && one.text.find(text) != std::string::npos;
  });
}

bool has_stray_percent(std::string_view uri) {
  const auto is_digit = [&](std::size_t at) { return at < uri.size() && ascii::is_hex(uri[at]); };
  for (std::size_t at = uri.find('%'); at != std::string_view::npos; at = uri.find('%', at + 1))
    if (!is_digit(at + 1) || !is_digit(at + 2)) return true;
  return false;
}

// Hexadecimal digits, a dot, and a seal that is none of ours.
bool is_forged(const std::string& token) {
  const std::size_t dot = token.find('.');
  return dot != std::string::npos && dot > 0 && token.size() == dot + 1 + kSealDigits &&
         opened(token, true) && !opened(token, false);
}

bool is_beyond_signed(const Value& id) {
  std::uint64_t number = 0;
  const char* end = id.text.data() + id.text.size();
  const auto [stop, error] = std::from_chars(id.text.data(), end, number);
  return id.is_number() && error == std::errc{} && stop == end && number >> 63 != 0;
}

// The string is decoded anew up to each of its escapes.
void decode_slowly(std::string_view raw) {
  std::size_t column = 0;
  for (std::size_t at = 0; at < raw.size(); at += raw[at] == '\\' ? 2 : 1) {
    if (raw[at] != '\\') continue;
    std::string before;
    for (std::size_t i = 0; i < at; i += raw[i] == '\\' ? 2 : 1) before += raw[i];
    column += before.size();
  }
  if (column == std::string_view::npos) std::fputs("too many columns\n", stderr);
}

bool spells_method_with_escapes(std::string_view text) {
  bool found = false, is_method = false;
  with_strings(text, [&](std::string raw, bool is_name) {
    found |= !is_name && is_method && raw.find('\\') != std::string::npos;
    is_method = is_name && raw == "method";
    return raw;
  });
  return found;
}

bool exceeds_maximum_by_one(const Tool& tool, const Value& arguments) {
  for (const json::Member& argument : arguments.members) {
    const Value* maximum = json::at(tool.input_schema, "/properties/" + argument.name + "/maximum");
    if (maximum == nullptr || !argument.value.is_number()) continue;
    const auto given = json::as_integer(argument.value);
    if (given && *given == *json::as_integer(*maximum) + 1) return true;
  }
  return false;
}

// Of brackets, wherever they stand.
std::size_t levels_in(std::string_view text) {
  std::size_t open = 0, most = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') most = std::max(most, ++open);
    if ((c == ']' || c == '}') && open > 0) --open;
  }
  return most;
}

// What an expression with nested repetitions takes ages for.
bool is_slow(const Value& value) {
  if (!value.is_string() || value.text.size() <= kSameLetters) return false;
  const std::size_t other = value.text.find_first_not_of(value.text.front());
  return other != std::string::npos && other >= kSameLetters && other + 1 == value.text.size() &&
         ascii::is_letter(value.text.front()) && !ascii::is_letter(value.text.back());
}

bool is_in_capitals(const std::string& text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool is_asked_by_a_tool(std::string_view key) {
  constexpr std::string_view kKeys[] = {
      "confirm", "user_name", "greeting", "client_roots", "capital_question",
      "step1",   "step2",     "name",     "roots"};
  return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
}

}  // namespace

void Planted::take_text(std::string_view bytes) {
  if (bytes.size() > kLongLine && faults_.has("planted-long-line")) crash();
  if (faults_.has("planted-nul-behind-message")) {
    const std::size_t nul = bytes.find('\0');
    if (nul != std::string_view::npos &&
        std::holds_alternative<json::Reading>(json::read(bytes.substr(0, nul))))
      crash();
  }
  if (faults_.has("planted-unclosed-levels") && levels_in(bytes) > kLevels) crash();
}

void Planted::take_value(const Value& value, std::string_view bytes) {
  memory_.escaped_method =
      faults_.has("planted-escape-in-method") && spells_method_with_escapes(bytes);
  if (faults_.has("planted-slow-escapes")) {
    with_strings(bytes, [](std::string raw, bool) {
      decode_slowly(raw);
      return raw;
    });
  }
  if (value.is_array()) {
    memory_.batch_came = true;
    const bool empty_within =
        std::any_of(value.items.begin(), value.items.end(),
                    [](const Value& item) { return item.is_array() && item.items.empty(); });
    if (empty_within && faults_.has("planted-empty-batch-within")) crash();
    if (value.items.size() > kLargeBatch && faults_.has("planted-large-batch")) crash();
    if (value.items.size() > kThousands && faults_.has("planted-thousands-in-a-batch")) hang();
  }
  if (faults_.has("planted-many-members") &&
      any_value(value, [](const Value& one) { return one.members.size() > kMembers; }))
    crash();
  const Value* params = value.is_object() ? value.find("params") : nullptr;
  if (params != nullptr && faults_.has("planted-repeated-name") &&
      any_value(*params, repeats_a_name))
    crash();
  if (params != nullptr && faults_.has("planted-proto-twice") &&
      any_value(*params, [](const Value& one) {
        return std::count_if(
                   one.members.begin(), one.members.end(),
                   [](const json::Member& member) { return member.name == "__proto__"; }) > 1;
      }))
    hang();
  if (value.is_object() && faults_.has("planted-result-without-id") && value.find("result") &&
      !value.find("id") && !value.find("method"))
    hang();
}

void Planted::take_garbage() {
  if (faults_.has("planted-buffer-kept") && ++memory_.buffers > kBuffers) hang();
}

bool Planted::take_notification() {
  return ++memory_.notifications == 3 && faults_.has("planted-third-notification");
}

// Which request came behind which.
void Planted::meet_order(const Call& call) {
  const std::string& last = memory_.before;
  auto& tally = session_.server.memory.tally;
  tally["alike"] = call.method == last ? tally["alike"] + 1 : 1;
  const bool unsubscribed = std::exchange(tally["unsubscribed"], 0) != 0;
  const bool cancelled = std::exchange(tally["cancelled"], 0) != 0;
  if (call.method == "logging/setLevel" && unsubscribed &&
      faults_.has("planted-level-after-unsubscribe"))
    crash();
  if (call.method == "resources/templates/list" && cancelled &&
      faults_.has("planted-list-after-cancel"))
    crash();
  if (call.method == "resources/read" && last == "logging/setLevel" &&
      memory_.before_that == "logging/setLevel" && faults_.has("planted-level-twice-then-read"))
    crash();
  if (call.method == "tools/call" && call.params.is_object() && call.params.find("task") &&
      last == "tasks/cancel" && faults_.has("planted-task-after-cancel"))
    crash();
}

bool Planted::hangs_by_order(const Call& call) const {
  const std::string& last = memory_.before;
  if (session_.server.memory.tally["alike"] >= kInARow && faults_.has("planted-sixty-in-a-row"))
    return true;
  if (call.method == "prompts/list" && last == "tools/call" &&
      memory_.before_that == "tools/list" && faults_.has("planted-call-between-lists"))
    return true;
  if (call.method == "initialize" && !memory_.subscribed.empty() &&
      faults_.has("planted-initialize-subscribed"))
    return true;
  return call.method == "tasks/result" && last == "tasks/list" &&
         faults_.has("planted-result-after-list");
}

// What stands inside of the values of a request.
void Planted::meet_strings(const Call& call) {
  if (faults_.has("planted-exponent-id") && call.id.is_number() &&
      call.id.text.find_first_of("eE") != std::string::npos &&
      call.id.text.find('-') != std::string::npos)
    crash();
  if (faults_.has("planted-quote-at-256") && any_value(call.params, [](const Value& one) {
        return one.is_string() && one.text.size() == kQuoted && one.text.back() == '\'';
      }))
    crash();
  if (const Value* cursor = string_member(call.params, "cursor");
      cursor != nullptr && cursor->text.find('\'') != std::string::npos &&
      faults_.has("planted-quote-in-cursor"))
    crash();
  if (const Value* uri = string_member(call.params, "uri");
      uri != nullptr && call.method == "resources/read") {
    if (uri->text.size() > kLongUri && faults_.has("planted-long-uri")) crash();
    if (uri->text.find("%2e%2e") != std::string::npos && faults_.has("planted-encoded-dots"))
      crash();
  }
  if (const Value* level = string_member(call.params, "level");
      level != nullptr && call.method == "logging/setLevel" && is_in_capitals(level->text) &&
      faults_.has("planted-level-in-capitals"))
    crash();
  if (const Value* value = json::at(call.params, "/argument/value");
      value != nullptr && value->is_string() && call.method == "completion/complete" &&
      value->text.find_first_of("([") != std::string::npos &&
      value->text.find_first_of(")]") == std::string::npos &&
      faults_.has("planted-bracket-in-completion"))
    crash();
  const Value* arguments = call.params.is_object() ? call.params.find("arguments") : nullptr;
  if (arguments == nullptr) return;
  if (call.method == "prompts/get") {
    if (holds(*arguments, "{{") && faults_.has("planted-template-argument")) std::_Exit(1);
    if (depth(*arguments) > kDeepArguments && faults_.has("planted-deep-arguments")) crash();
  }
  if (call.method != "tools/call") return;
  if (holds(*arguments, "%n") && faults_.has("planted-format-argument")) crash();
  if (arguments->is_object() && arguments->find("constructor") &&
      faults_.has("planted-constructor"))
    crash();
}

bool Planted::hangs_by_values(const Call& call) const {
  if (const Value* cursor = string_member(call.params, "cursor");
      cursor != nullptr && cursor->text.size() > kLongCursor && faults_.has("planted-long-cursor"))
    return true;
  if (faults_.has("planted-long-fraction") && any_value(call.params, [](const Value& one) {
        return one.is_number() && one.text.size() > kDigits;
      }))
    return true;
  const Value* arguments = call.params.is_object() ? call.params.find("arguments") : nullptr;
  return arguments != nullptr && call.method == "tools/call" && any_value(*arguments, is_slow) &&
         faults_.has("planted-slow-expression");
}

std::optional<Outcome> Planted::instead_of(const Call& call) {
  memory_.notifications = 0;
  meet_order(call);
  meet_strings(call);
  if (hangs_by_order(call) || hangs_by_values(call)) hang();
  const bool in_a_row = memory_.before_that == "prompts/list" && memory_.before == "prompts/get" &&
                        call.method == "completion/complete";
  memory_.before_that = std::exchange(memory_.before, call.method);
  if (in_a_row && faults_.has("planted-three-in-a-row")) crash();
  if (is_beyond_signed(call.id) && faults_.has("planted-id-beyond-signed")) crash();
  if (session_.is_in_flight(call.id) && faults_.has("planted-id-in-flight")) crash();
  if (memory_.escaped_method) return RpcError{kParseError, "Parse error"};
  if (call.method == "echo" && faults_.has("planted-deep-echo") && depth(call.params) > kDeep)
    crash();
  if (faults_.has("planted-minus-zero") &&
      any_value(call.params, [](const Value& one) { return one.is_number() && one.text == "-0"; }))
    crash();
  if (faults_.has("planted-endless-exponent") && any_value(call.params, [](const Value& one) {
        return one.is_number() && std::isinf(json::as_double(one));
      }))
    hang();
  if (const Value* token = json::at(call.params, "/_meta/progressToken");
      token != nullptr && token->is_number() && !json::is_integer(*token) &&
      faults_.has("planted-token-fraction"))
    crash();
  if (const Value* cursor = string_member(call.params, "cursor");
      cursor != nullptr && is_forged(cursor->text) && faults_.has("planted-forged-cursor"))
    crash();
  if (call.method == "initialize" && memory_.tool_called &&
      faults_.has("planted-initialize-after-call"))
    crash();
  if (call.method == "subscriptions/listen" && session_.is_under_way(call.method) &&
      faults_.has("planted-listen-twice"))
    crash();
  return call.method == "tools/call" ? instead_of_tool(call) : instead_of_other(call);
}

Outcome Planted::go_deaf() {
  session_.server.memory.deaf = true;
  return Silent{};
}

std::optional<Outcome> Planted::instead_of_other(const Call& call) {
  const Value* arguments = call.params.find("arguments");
  if (call.method == "prompts/get" && session_.server.memory.lone_surrogate &&
      arguments != nullptr && holds(*arguments, kReplacement) &&
      faults_.has("planted-surrogate-in-prompt")) {
    std::fputs("UnicodeEncodeError: surrogates not allowed\n", stderr);
    std::_Exit(1);
  }
  if (arguments != nullptr && holds(*arguments, kMark) && faults_.has("planted-mark-inside"))
    return go_deaf();
  const Value* uri = string_member(call.params, "uri");
  if (uri == nullptr) return std::nullopt;
  if (call.method == "resources/read" && has_stray_percent(uri->text) &&
      faults_.has("planted-percent-in-uri"))
    crash();
  if (call.method == "resources/subscribe") {
    memory_.subscribed = uri->text;
    memory_.ended.reset();
  } else if (call.method == "resources/unsubscribe") {
    if (memory_.ended == uri->text && faults_.has("planted-unsubscribe-twice")) crash();
    const bool ends = memory_.subscribed == uri->text && !uri->text.empty();
    session_.server.memory.tally["unsubscribed"] = ends;
    if (memory_.subscribed == uri->text) memory_.ended = std::exchange(memory_.subscribed, {});
    if (ends && faults_.has("ended-subscription-keeps-memory"))
      session_.server.memory.lose(kLostBySubscription);
  }
  return std::nullopt;
}

std::optional<Outcome> Planted::instead_of_tool(const Call& call) {
  memory_.tool_called = true;
  const Value* name = string_member(call.params, "name");
  if (name == nullptr) return std::nullopt;
  if (name->text.find('\0') != std::string::npos && faults_.has("planted-nul-in-tool-name"))
    crash();
  const Value* arguments = call.params.find("arguments");
  const Tool* tool = find_tool(name->text, session_.version);
  if (tool != nullptr && arguments != nullptr && faults_.has("planted-bound-plus-one") &&
      exceeds_maximum_by_one(*tool, *arguments))
    crash();
  if (arguments != nullptr && holds(*arguments, kMark) && faults_.has("planted-mark-inside"))
    return go_deaf();
  if (const Value* state = string_member(call.params, "requestState")) check_state(call, *name, *state);
  if (memory_.interrupted != name->text || !faults_.has("planted-tool-after-cancel"))
    return std::nullopt;
  return go_deaf();
}

void Planted::check_state(const Call& call, const Value& name, const Value& state) {
  if (is_forged(state.text) && faults_.has("planted-changed-state")) crash();
  const auto text = opened(state.text, false);
  if (!text) return;
  if (!text->starts_with(name.text + ":")) {
    if (faults_.has("planted-state-elsewhere")) crash();
    return;
  }
  const Value* responses = call.params.find("inputResponses");
  if (responses == nullptr || !faults_.has("planted-unasked-answer")) return;
  for (const json::Member& member : responses->members)
    if (!is_asked_by_a_tool(member.name)) crash();
}

void Planted::cancelled(const Call& call) {
  session_.server.memory.tally["cancelled"] = 1;
  if (call.method != "tools/call") return;
  if (call.began == session_.now && faults_.has("planted-cancel-race")) crash();
  if (const Value* name = string_member(call.params, "name")) memory_.interrupted = name->text;
}

void Planted::answered(const Call& call, int number) {
  const bool overtaken = number < memory_.latest_answer;
  memory_.latest_answer = std::max(number, memory_.latest_answer);
  if (call.cancelled && overtaken && faults_.has("planted-race-late-answer")) crash();
}

void Planted::ended(std::size_t others) { memory_.slot_is_free = others > 0; }

bool Planted::loses(const Call& call, std::size_t others) {
  if (others == 0) memory_.slot_is_free = false;
  if (!memory_.slot_is_free || call.method != "tools/call") return false;
  return faults_.has("planted-race-freed-slot");
}

void Planted::reply(Value& reply, bool in_batch) {
  Value* id = reply.find("id");
  Value* error = reply.find("error");
  if (in_batch && id->is_string() && id->text.empty() && faults_.has("planted-empty-id-in-batch"))
    *id = json::number(0);
  if (error == nullptr) return;
  if (faults_.has("planted-error-id-rounded") && id->is_number()) {
    const auto number = json::as_integer(*id);
    if (number && (*number > kExact || *number < -kExact)) {
      char rounded[32];
      std::snprintf(rounded, sizeof rounded, "%.0f", static_cast<double>(*number));
      *id = json::number_spelled(rounded);
    }
  }
  if (!faults_.has("planted-code-after-batch")) return;
  if (in_batch) {
    memory_.batch_failed = true;
  } else if (memory_.batch_failed && error->find("code")->text == "-32601") {
    error->set("code", json::string("-32601"));
    memory_.batch_failed = false;
  }
}

bool Planted::mixes(const Call* call) {
  if (call == nullptr || !faults_.has("planted-mixed-after-batch")) return false;
  const std::string before = std::exchange(memory_.last_answered, call->method);
  const bool swapped = memory_.batch_came && session_.in_same_read() && call->method != "ping" &&
                       !before.empty() && before != "ping";
  if (swapped) memory_.batch_came = false;
  return swapped;
}

void PlantedReads::read(std::string_view before, std::string_view block) {
  reads_ = before.empty() ? 1 : reads_ + 1;
  if (before.empty()) {
    torn_ = 0;
    page_first_ = block.size() == kHalfPage && block.find('\n') == std::string_view::npos;
  } else if (!block.empty() && (static_cast<unsigned char>(block.front()) & 0xC0) == 0x80) {
    torn_ = before.size();
  }
  return_first_ = before.ends_with('\r') && block.starts_with('\n');
}

bool PlantedReads::take_line(std::string& line) {
  const bool torn = reads_ >= 3 && faults_.has("planted-three-pieces");
  const bool late = return_first_ && faults_.has("planted-return-comes-first");
  const bool page =
      page_first_ && line.size() > kHalfPage && faults_.has("planted-first-read-is-a-page");
  if (torn_ > 0 && torn_ < line.size() && faults_.has("planted-split-character")) {
    std::size_t begin = torn_, end = torn_;
    while (begin > 0 && (static_cast<unsigned char>(line[--begin]) & 0xC0) == 0x80) {
    }
    while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) ++end;
    line.replace(begin, end - begin, kReplacement);
  }
  torn_ = 0;
  page_first_ = false;
  reads_ = 1;
  return_first_ = false;
  if ((line.size() + 1) % kPage == 0 && faults_.has("planted-whole-pages")) line.pop_back();
  return torn || late || page;
}

void meet_header(const Faults& faults, std::string_view name, std::string_view value) {
  if (value.size() >= kLongHeader && faults.has("planted-long-header")) crash();
  const bool is_version =
      name.size() == 20 && (name.front() == 'M' || name.front() == 'm') && name.ends_with("ersion");
  if (is_version && value.find(',') != std::string_view::npos &&
      faults.has("planted-list-of-versions"))
    crash();
}

}  // namespace harness::reference
