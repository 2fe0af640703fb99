// SPDX-License-Identifier: Apache-2.0
// Metamorphic: a request, then the same request in other texts, then itself again. The class of the
// answer must not change; where it changes without the text changing, nothing is said.
#include "fuzz/stateful/spelling.h"

#include <fmt/format.h>

#include <algorithm>

#include "fuzz/stateful/answered.h"
#include "fuzz/stateful/check_table.h"
#include "harness/base/ascii.h"
#include "harness/json/write.h"

namespace fuzz {
namespace {

using harness::session::awaitable;
namespace json = harness::json;

constexpr std::size_t kLargestSpelled =
    1024;  // bytes: with blanks and escapes still nothing a server limits

struct Variant {
  std::string name;
  std::vector<const char*> clauses;
  Frame frame;
};

Frame frame_of(std::string text) {
  Frame out;
  out.bytes = std::move(text);
  return out;
}

constexpr int kIdsOfALook = 20;

json::Value with_id(json::Value message, int number) {
  const bool text = message.find("id")->is_string();
  message.set("id", text ? json::string("spelling-" + std::to_string(number))
                         : json::number(7300000 + number));
  return message;
}

std::vector<Variant> variants_of(const json::Value& message, int last_id, bool stream) {
  const char* ours = "robust.same-message-same-answer";
  std::vector<Variant> out;
  int number = last_id;
  const auto add = [&](std::string name, std::vector<const char*> clauses, auto spell) {
    clauses.push_back(ours);
    const json::Value own = with_id(message, ++number);
    std::string text = spell(own);
    if (text != json::write(own))
      out.push_back({std::move(name), clauses, frame_of(std::move(text))});
  };
  add("members in another order",
      {"jsonrpc.request.member-order-irrelevant", "tutorial.jsonrpc.member-order-irrelevant"},
      [](const json::Value& own) { return json::write(turned_round(own)); });
  add("members inside in another order", {},
      [](const json::Value& own) { return json::write(turned_round_inside(own)); });
  add("blanks around tokens", {"json.valid.whitespace"}, spaced);
  add("escapes in strings", {"json.valid.string-escapes"},
      [](const json::Value& own) { return escaped(own, false, true); });
  add("escapes in names", {"json.valid.escaped-member-names"},
      [](const json::Value& own) { return escaped(own, true, false); });
  if (stream) {
    Frame cut = frame_of(json::write(with_id(message, ++number)));
    cut.delivery.chunks = {1, static_cast<std::uint32_t>(cut.bytes.size() / 2)};
    out.push_back({"several writes", {"mcp.stdio.fragmented-input", ours}, std::move(cut)});
  }
  return out;
}

std::optional<json::Value> value_to_spell(const Step& step) {
  const auto* frame = std::get_if<Frame>(&step);
  if (frame == nullptr || !usually_sent(*frame) || frame->bytes.size() > kLargestSpelled)
    return std::nullopt;
  return request_in(*frame);
}

std::string case_of(const CheckContext& context, const std::string& title,
                    const std::string& requirement, const Frame& plain, const Variant& variant,
                    const std::string& answer) {
  const std::string reply = answer.starts_with("error ")
                                ? "{error: {code: " + answer.substr(6) + "}}"
                            : answer == "result" ? "{result: {\"isError?\": false}}"
                                                 : "{result: {isError: true}}";
  std::string out = fmt::format(
      "title: {}\ncovers: [{}]\nprofiles: [{}]\ntransports: [{}]\nsession: fresh\nsteps:\n",
      json::quoted(title), requirement, context.profile().name,
      harness::wire::transport_name(context.transport()));
  out += fmt::format("  - frame: {}\n    reply: {}\n", json::quoted(plain.bytes), reply);
  out += fmt::format("  - frame: {}\n", json::quoted(variant.frame.bytes));
  if (!variant.frame.delivery.chunks.empty())
    out += fmt::format("    write: {{chunks: [{}, {}]}}\n", variant.frame.delivery.chunks[0],
                       variant.frame.delivery.chunks[1]);
  out += fmt::format("    reply: {}\n", reply);
  return out;
}

// Written by one function of a value and what goes before and behind each token.
void append_spaced(std::string& out, const json::Value& value) {
  const auto token = [&](std::string_view text) { out.append(" ").append(text).append("\t"); };
  if (value.is_object()) {
    token("{");
    for (std::size_t i = 0; i < value.members.size(); ++i) {
      if (i > 0) token(",");
      token(json::quoted(value.members[i].name));
      token(":");
      append_spaced(out, value.members[i].value);
    }
    token("}");
  } else if (value.is_array()) {
    token("[");
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      if (i > 0) token(",");
      append_spaced(out, value.items[i]);
    }
    token("]");
  } else {
    token(json::write(value));
  }
}

std::string escaped_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (harness::ascii::is_letter(c)) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      const std::string usual = json::quoted(std::string(1, c));
      // A byte of a longer character stays as it is.
      out += static_cast<unsigned char>(c) < 0x80 ? usual.substr(1, usual.size() - 2)
                                                  : std::string(1, c);
    }
  }
  return out + "\"";
}

void append_escaped(std::string& out, const json::Value& value, bool names, bool strings) {
  if (value.is_object()) {
    out += '{';
    for (std::size_t i = 0; i < value.members.size(); ++i) {
      const json::Member& member = value.members[i];
      if (i > 0) out += ',';
      out += names ? escaped_text(member.name) : json::quoted(member.name);
      out += ':';
      append_escaped(out, member.value, names, strings);
    }
    out += '}';
  } else if (value.is_array()) {
    out += '[';
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      if (i > 0) out += ',';
      append_escaped(out, value.items[i], names, strings);
    }
    out += ']';
  } else {
    out += value.is_string() && strings ? escaped_text(value.text) : json::write(value);
  }
}

void turn_round_below(json::Value& value) {
  for (json::Value& item : value.items) turn_round_below(item);
  for (json::Member& member : value.members) turn_round_below(member.value);
  std::reverse(value.members.begin(), value.members.end());
}

}  // namespace

json::Value turned_round(json::Value message) {
  std::reverse(message.members.begin(), message.members.end());
  return message;
}

json::Value turned_round_inside(json::Value message) {
  for (json::Member& member : message.members) turn_round_below(member.value);
  return message;
}

std::string due_answer(const std::string& usual, const std::string& other) {
  return other == "result" ? other : usual;
}

std::string spaced(const json::Value& value) {
  std::string out;
  append_spaced(out, value);
  return out;
}

std::string escaped(const json::Value& value, bool names, bool strings) {
  std::string out;
  append_escaped(out, value, names, strings);
  return out;
}

std::optional<Script> suspect_spelling(const Script& script, const Execution&, const CheckTarget&,
                                       Random& random) {
  std::vector<const Step*> fit;
  for (const Step& step : script.steps)
    if (value_to_spell(step)) fit.push_back(&step);
  if (fit.empty()) return std::nullopt;
  return Script{"", {}, {*random.pick(fit)}};
}

awaitable<std::optional<CheckResult>> look_at_spelling(CheckContext& context,
                                                       const Script& suspect) {
  std::optional<json::Value> message;
  for (const Step& step : suspect.steps)
    if (!message) message = value_to_spell(step);
  std::optional<CheckResult> none;
  if (!message) co_return none;
  const bool stream = !context.over_http();
  const int id = context.next_look() % 5000 * kIdsOfALook;
  const std::vector<Variant> variants = variants_of(
      *message, id + 3, stream && !harness::wire::traits_of(context.transport()).frames);
  const Frame plain = frame_of(json::write(with_id(*message, id + 1)));
  Script script;
  const auto ask = [&](const Frame& frame) {
    script.steps.emplace_back(frame);
    script.steps.emplace_back(Sync{});
    return script.steps.size() - 2;
  };
  std::vector<std::size_t> plain_at, variants_at;
  plain_at.push_back(ask(plain));
  plain_at.push_back(ask(frame_of(json::write(with_id(*message, id + 2)))));
  for (const Variant& variant : variants) variants_at.push_back(ask(variant.frame));
  plain_at.push_back(ask(frame_of(json::write(with_id(*message, id + 3)))));
  std::optional<Execution> execution = co_await context.play(script);
  if (!execution || execution->ending != Ending::kAnswered || execution->withheld > 0)
    co_return none;
  const Answered answered(*execution, context.profile());
  const auto in_doubt = [&](std::size_t at) { return answered.to(at).in_doubt; };
  const std::string usual = class_of(answered.to(plain_at.front()));
  const bool alike = std::all_of(plain_at.begin(), plain_at.end(), [&](std::size_t at) {
    return !in_doubt(at) && class_of(answered.to(at)) == usual;
  });
  if (!alike || usual == "nothing") co_return none;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const Variant& variant = variants[i];
    const std::string other = class_of(answered.to(variants_at[i]));
    if (other == usual || in_doubt(variants_at[i])) continue;
    std::vector<std::uint64_t> frames;
    for (const auto& frame : execution->slices.back().transcript->frames)
      if (frame.bytes == plain.bytes || frame.bytes == variant.frame.bytes)
        frames.push_back(frame.seq);
    std::optional<Problem> problem = context.problem(
        "spelling", variant.clauses, "the same request to get the same reply, " + usual,
        other + ", with " + variant.name, variant.name + "|" + other, std::move(frames));
    if (!problem) continue;
    problem->slice = execution->slices.size() - 1;
    std::string text =
        case_of(context, "A request with " + variant.name + " is answered as usual",
                problem->finding.requirement, plain, variant, due_answer(usual, other));
    std::optional<CheckResult> result;
    result.emplace();
    result->problem = std::move(*problem);
    result->execution = std::move(*execution);
    result->case_text = std::move(text);
    co_return result;
  }
  co_return none;
}

}  // namespace fuzz
