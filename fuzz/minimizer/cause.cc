// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/cause.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "fuzz/minimizer/outline.h"
#include "harness/base/text.h"
#include "harness/json/number.h"
#include "harness/json/read.h"
#include "harness/spec/model.h"
#include "harness/trace/id_change.h"
#include "harness/wire/message.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace oracle = harness::oracle;
namespace spec = harness::spec;
namespace wire = harness::wire;

spec::Situation situation_of(const spec::Profile& profile) {
  return {&profile, wire::TransportKind::kStdio, spec::Phase::kReady};
}

// What the model finds odd about a message, or about the only element of an array.
std::vector<std::string> rules_of(std::string_view text, const spec::Profile& profile) {
  const wire::Message message = wire::read_message(text);
  const bool one = message.value.is_array() && message.value.items.size() == 1;
  const spec::Expectation expected =
      one ? spec::expect_element(situation_of(profile), message.value.items.front())
          : spec::expect(situation_of(profile), message, text);
  std::vector<std::string> out;
  for (const auto* rule : expected.found()) out.emplace_back(rule->name);
  return out;
}

// Who looks at the parts of a message first does not come to look for its method.
std::string first_of(const std::vector<std::string>& rules) {
  for (const std::string& rule : rules)
    if (!rule.starts_with("method-unknown") && rule != "method-hostile") return rule;
  return rules.empty() ? "" : rules.front();
}

// Odd texts that are no JSON for that alone: whether they are taken is one question.
bool is_syntax(std::string_view odd) { return odd == "control character" || odd == "comment"; }

// What is told as an error of the server's own was not looked for there.
bool is_of_type(std::string_view rule) {
  return rule == "version-wrong-type" || rule == "method-not-string" || rule == "id-type" ||
         rule == "params-primitive";
}

// What most servers throw away in one place, before they look any further.
bool is_no_message(std::string_view rule) {
  return rule == "primitive" || rule == "nested-array" || rule == "empty-object" ||
         rule == "no-message" || rule == "method-missing" || rule == "method-not-string";
}

// Of MCP there is a schema of all messages, against which most servers hold what comes first.
bool is_none_of_mcp(std::string_view rule) {
  constexpr std::string_view kRules[] = {
      "version-missing", "version-wrong-type", "version-wrong-value", "id-type",
      "id-null-to-mcp",  "id-fraction-to-mcp", "params-primitive",    "batch-removed"};
  return std::find(std::begin(kRules), std::end(kRules), rule) != std::end(kRules);
}

// "nothing", "a result", "code -32601" in place of what the model wants; else the flaw.
std::string answer_of(const oracle::Finding& finding) {
  if (oracle::came_as<oracle::Nothing>(finding.came)) return "nothing";
  const oracle::Wanted& wanted = finding.wanted;
  const bool outcome = wanted.result || wanted.error || wanted.silence;
  if (finding.oracle != "model" || !outcome) return finding.flaw;
  if (const auto* error = oracle::came_as<oracle::ErrorCame>(finding.came))
    return "code " + error->code;
  return oracle::came_as<oracle::ResultCame>(finding.came) ? "a result" : "";
}

const wire::Frame* frame_of(const Reduced& reduced, std::uint64_t seq) {
  if (reduced.problem.slice >= reduced.execution.slices.size()) return nullptr;
  const auto& transcript = reduced.execution.slices[reduced.problem.slice].transcript;
  if (!transcript) return nullptr;
  for (const wire::Frame& frame : transcript->frames)
    if (frame.seq == seq) return &frame;
  return nullptr;
}

// Of what proves it, the last that we sent, or that came.
const wire::Frame* proof(const Reduced& reduced, wire::Direction direction) {
  const auto& seqs = reduced.problem.finding.frames;
  for (auto seq = seqs.rbegin(); seq != seqs.rend(); ++seq)
    if (const wire::Frame* frame = frame_of(reduced, *seq))
      if (frame->direction == direction) return frame;
  return nullptr;
}

const json::Value* id_in(const wire::Message& message) {
  const bool one = message.value.is_array() && message.value.items.size() == 1;
  const json::Value& value = one ? message.value.items.front() : message.value;
  return value.is_object() ? value.find("id") : nullptr;
}

bool is_under_null(std::string_view reply) {
  const auto is_null = [](const json::Value& one) {
    const json::Value* id = one.is_object() ? one.find("id") : nullptr;
    return id == nullptr || id->is_null();
  };
  const wire::Message message = wire::read_message(reply);
  const auto& items = message.value.items;
  return is_null(message.value) && std::all_of(items.begin(), items.end(), is_null);
}

// Text that is no JSON, and was answered by somebody who read on: under an id, with a result, or
// with a code that only what was read can have.
bool is_read_over(std::string_view asked, std::string_view reply, const std::string& answer,
                  const oracle::Wanted& wanted) {
  // A frame may be several lines, of which one is none.
  const bool refused_as_text = !wanted.codes.empty() && wanted.codes.front() == -32700;
  if (wire::read_message(asked).is_json && !refused_as_text) return false;
  return !is_under_null(reply) || answer == "a result" || answer == "code -32600" ||
         answer == "code -32601" || answer == "code -32602";
}

// Somewhere in it is an integer that 32 bits do not hold.
bool has_wide_integer(const json::Value& value) {
  if (value.is_number() && json::is_integer(value)) {
    const auto whole = json::as_integer(value);
    return !whole || *whole != static_cast<std::int32_t>(*whole);
  }
  return std::any_of(value.items.begin(), value.items.end(), has_wide_integer) ||
         std::any_of(value.members.begin(), value.members.end(),
                     [](const json::Member& one) { return has_wide_integer(one.value); });
}

// JSON that was refused as none, by what is in it.
std::optional<std::string> taken_for_none(std::string_view asked, std::string_view reply) {
  const wire::Message message = wire::read_message(reply);
  const json::Value* code = json::at(message.value, "/error/code");
  if (code == nullptr || code->text != "-32700") return {};
  const wire::Message question = wire::read_message(asked);
  if (!question.is_json || !has_wide_integer(question.value)) return {};
  return "an integer beyond 32 bits is no JSON to the server";
}

// What comes is no JSON: by the last that was odd before it. Sound messages may have followed that.
std::optional<std::string> output_cause(const Reduced& reduced, const wire::Frame& came) {
  std::optional<std::string> cause;
  for (const wire::Frame& frame :
       reduced.execution.slices[reduced.problem.slice].transcript->frames) {
    if (frame.direction != wire::Direction::kSent || frame.seq > came.seq) continue;
    const std::string_view odd = oddity_of(frame.bytes);
    if (!odd.empty()) cause = "what comes is no JSON|" + std::string(odd);
  }
  return cause;
}

// As who reads over NULs and a byte order mark sees it.
std::string read_over(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::string out(text);
  std::erase(out, '\0');
  return out;
}

// A NUL ends the text of some parsers. Whoever reads on answers as without it, and what is left may
// be no message at all.
bool is_read_over_nul(std::string_view asked, std::string_view reply, const std::string& answer) {
  const wire::Message left = wire::read_message(read_over(asked));
  const bool no_message = left.is_json && left.kind != wire::MessageKind::kRequest &&
                          left.kind != wire::MessageKind::kNotification;
  return !is_under_null(reply) || !answer.starts_with("code ") ||
         (answer == "code -32600" && no_message);
}

constexpr const char* kReadOver = "text that is no JSON is read over";
constexpr const char* kDoubles = "ids are kept as doubles";
constexpr std::string_view kInvented = "jsonrpc.id.never-invented";
constexpr const char* kCut = "ids are cut to fewer bits";

// Read into a double, or written as one that keeps six digits at least.
bool is_rounded(const json::Value& was, const json::Value& is) {
  constexpr double kPart = 1e-5;
  const double asked = json::as_double(was), came = json::as_double(is);
  const bool near = std::abs(asked - came) <= kPart * std::abs(asked);
  return asked == came || (std::abs(asked) >= 0x1p53 && near);
}

// A reply, or one of an array, has an id that is not one.
bool has_odd_id(std::string_view reply) {
  const auto odd = [](const json::Value& one) {
    const json::Value* id = one.is_object() ? one.find("id") : nullptr;
    return id != nullptr && (id->is_boolean() || id->is_array() || id->is_object());
  };
  const wire::Message message = wire::read_message(reply);
  const auto& items = message.value.items;
  return odd(message.value) || std::any_of(items.begin(), items.end(), odd);
}

// How a server keeps numbers as ids that did not come back as they were.
std::optional<std::string> id_keeping(std::string_view asked, std::string_view came) {
  const wire::Message question = wire::read_message(asked), reply = wire::read_message(came);
  const json::Value* was = id_in(question);
  const json::Value* is = id_in(reply);
  if (was == nullptr || is == nullptr || !was->is_number() || !is->is_number()) return {};
  if (json::equal_numbers(was->text, is->text)) return {};
  return is_rounded(*was, *is) ? kDoubles : kCut;
}

// An id that nobody asked under is what is left of one that was.
std::optional<std::string> keeping_of_invented(const Reduced& reduced, std::string_view came) {
  if (reduced.problem.slice >= reduced.execution.slices.size()) return {};
  const auto& transcript = reduced.execution.slices[reduced.problem.slice].transcript;
  const wire::Message reply = wire::read_message(came);
  const json::Value* is = id_in(reply);
  if (!transcript || is == nullptr || !is->is_number()) return {};
  for (const wire::Frame& frame : transcript->frames) {
    if (frame.direction != wire::Direction::kSent) continue;
    const wire::Message question = wire::read_message(read_over(frame.bytes));
    const json::Value* was = id_in(question);
    if (was == nullptr || !was->is_number() || json::equal_numbers(was->text, is->text)) continue;
    if (is_rounded(*was, *is)) return kDoubles;
    if (harness::trace::is_cut_to(*was, *is)) return kCut;
  }
  return {};
}

}  // namespace

std::vector<std::string> causes_of(const Reduced& reduced, const spec::Profile& profile) {
  std::vector<std::string> out;
  const std::string& signature = reduced.problem.signature;
  const oracle::Finding& finding = reduced.problem.finding;
  if (is_of_process(signature)) {
    const std::string how = signature.substr(0, signature.find('|', signature.find('|') + 1));
    const std::string* last = nullptr;
    for (const Step& step : reduced.script.steps)
      if (const auto* frame = std::get_if<Frame>(&step)) last = &frame->bytes;
    const std::string_view odd = last == nullptr ? "" : oddity_of(*last);
    if (!odd.empty()) out.push_back(how + "|" + std::string(odd));
    return out;
  }
  const wire::Frame* asked = proof(reduced, wire::Direction::kSent);
  const wire::Frame* came = proof(reduced, wire::Direction::kReceived);
  if (came != nullptr && came->bytes == "[]") out.emplace_back("answered by an empty array");
  if (came != nullptr && (asked == nullptr || finding.requirement == kInvented)) {
    const auto kept = keeping_of_invented(reduced, came->bytes);
    if (kept) return {*kept};
  }
  if (came != nullptr && finding.oracle == "json-output") {
    if (auto cause = output_cause(reduced, *came)) return {*std::move(cause)};
  }
  // One by one each got its own.
  if (reduced.in_flight && (finding.oracle == "replies" || finding.oracle == "shapes"))
    return {"replies to what is in flight are mixed up"};
  if (asked == nullptr) return out;
  const std::string answer = answer_of(finding);
  const std::string_view odd = oddity_of(asked->bytes);
  if (odd == "nul" && (came == nullptr || is_read_over_nul(asked->bytes, came->bytes, answer)))
    return {kReadOver};
  if (!odd.empty() && !is_syntax(odd)) {
    // Whoever reads over it answers as without it.
    const bool refused =
        came != nullptr && answer.starts_with("code ") && is_under_null(came->bytes) &&
        (odd != "utf-8" || !is_read_over(asked->bytes, came->bytes, answer, finding.wanted));
    out.push_back(std::string(odd) + "|" + (refused ? answer : "read over"));
    return out;
  }
  if (came != nullptr && is_read_over(asked->bytes, came->bytes, answer, finding.wanted)) {
    out.emplace_back(kReadOver);
    return out;
  }
  if (came != nullptr)
    if (auto cause = taken_for_none(asked->bytes, came->bytes)) return {*std::move(cause)};
  const std::optional<std::string> kept =
      came == nullptr ? std::nullopt : id_keeping(asked->bytes, came->bytes);
  if (kept) {
    out.push_back(*kept);
    return out;
  }
  const bool of_id = finding.oracle == "envelope" ? finding.flaw.empty() : finding.flaw == "id-type";
  if (of_id && came != nullptr && has_odd_id(came->bytes)) {
    out.emplace_back("what is no id is taken for one");
    return out;
  }
  const bool by_rule = finding.oracle == "model" || finding.oracle == "batches";
  std::vector<std::string> rules =
      by_rule ? rules_of(asked->bytes, profile) : std::vector<std::string>{};
  // Of one element of many, what the finding says of it.
  const bool of_many = wire::read_message(asked->bytes).value.items.size() > 1;
  if (of_many && by_rule && spec::find_model_rule(finding.flaw) != nullptr) rules = {finding.flaw};
  const std::string rule = first_of(rules);
  const bool no_message = std::any_of(rules.begin(), rules.end(), [&](const std::string& one) {
    return is_no_message(one) || (profile.mcp && is_none_of_mcp(one));
  });
  // Whoever knows an id by some kinds takes what has another one for a notification, whatever else
  // is wrong with it.
  const bool no_id = rule.starts_with("id-") && !(profile.mcp && no_message);
  if (answer == "nothing" && no_id)
    out.emplace_back("what is no id to the server gets nothing");
  else if (answer == "nothing" && no_message)
    out.emplace_back("what is no message gets nothing");
  else if (answer == "code -32601" && std::any_of(rules.begin(), rules.end(), is_no_message))
    out.emplace_back("what is no message is looked up as a method");
  else if (rule.starts_with("version-") && came != nullptr && !is_under_null(came->bytes) &&
           answer != "code -32600" && answer != "code -32603")
    out.emplace_back("another version is served");
  else if (is_of_type(rule) && answer == "code -32603")
    out.push_back("a member of a wrong type|" + answer);
  else if (answer.starts_with("code ") &&
           (rule == "method-not-string" || rule == "method-missing" ||
            rule == "malformed-response"))
    out.push_back("what has no method|" + answer);
  else if (!rule.empty())
    out.push_back(rule + "|" + answer);
  const auto* error = oracle::came_as<oracle::ErrorCame>(finding.came);
  const auto& codes = finding.wanted.codes;
  const bool wants_params = std::find(codes.begin(), codes.end(), -32602) != codes.end();
  if (finding.oracle == "features" && error != nullptr && error->code == "-32603" && wants_params)
    out.emplace_back("params that do not fit are an error of the server");
  return out;
}

Class class_of(const Reduced& reduced, const spec::Profile& profile, std::string_view check) {
  const std::string& signature = reduced.problem.signature;
  if (!check.empty()) return {"state", Weight::kState};
  if (is_of_process(signature) || is_close(signature)) {
    const Weight weight =
        is_sound(reduced.script, profile) ? Weight::kDeathAtSound : Weight::kDeath;
    return {is_silence(signature) ? "hang" : is_close(signature) ? "closed" : "crash", weight};
  }
  const bool fails = reduced.problem.finding.severity == oracle::Severity::kFail;
  return {"wrong-answer", fails ? Weight::kWrongAnswer : Weight::kShould};
}

}  // namespace fuzz
