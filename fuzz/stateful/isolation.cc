// SPDX-License-Identifier: Apache-2.0
// Isolation: two sessions of one process send the same requests with the same ids at the same time,
// each with words of its own. What one said must not come to the other. What a server keeps on
// purpose does come back: such a request is no suspect.
#include "fuzz/stateful/isolation.h"

#include <fmt/format.h>

#include <algorithm>

#include "fuzz/stateful/answered.h"
#include "fuzz/stateful/check_table.h"
#include "harness/json/write.h"

namespace fuzz {
namespace {

using harness::session::awaitable;
namespace json = harness::json;
namespace wire = harness::wire;

constexpr std::size_t kLargestAlone = 2048;
constexpr int kCopies = 8;  // in flight at one time in each session

constexpr std::string_view kKept[] = {"name",  "uri",    "level", "cursor", "protocolVersion",
                                      "_meta", "method", "ref",   "type"};

bool add_word(json::Value& value, const std::string& word) {
  if (value.is_string()) {
    value.text += word;
    return true;
  }
  for (json::Value& item : value.items)
    if (add_word(item, word)) return true;
  for (json::Member& member : value.members)
    if (std::find(std::begin(kKept), std::end(kKept), member.name) == std::end(kKept) &&
        add_word(member.value, word))
      return true;
  return false;
}

std::optional<json::Value> value_to_isolate(const Script& script) {
  if (script.steps.size() != 1) return std::nullopt;
  const auto* frame = std::get_if<Frame>(&script.steps.front());
  if (frame == nullptr || !usually_sent(*frame) || frame->bytes.size() > kLargestAlone)
    return std::nullopt;
  std::optional<json::Value> request = request_in(*frame);
  if (!request) return std::nullopt;
  // Those are meant to have an effect elsewhere, or stay open.
  const std::string& method = request->find("method")->text;
  if (method == "initialize" || method.find("subscribe") != std::string::npos ||
      method.find("listen") != std::string::npos || method.starts_with("logging/"))
    return std::nullopt;
  if (!with_word(*request, "w")) return std::nullopt;
  return request;
}

std::string word(const char* who, int number) {
  return fmt::format("-said-by-{}-{}-", who, number);
}
std::string words(const char* who) { return fmt::format("-said-by-{}-", who); }

// Every second one has an id that tells whose it is; the others have the same in both sessions.
Script speech(const json::Value& request, const char* who, int copies) {
  Script out;
  for (int i = 0; i < copies; ++i) {
    json::Value own = *with_word(request, word(who, i));
    own.set("id", i % 2 == 0 ? json::number(7400000 + i) : json::string("id" + word(who, i)));
    Frame frame;
    frame.bytes = json::write(own);
    out.steps.emplace_back(std::move(frame));
  }
  return out;
}

// The first thing received that has one of these words; 0 when there is none.
std::uint64_t heard(const Execution& execution, const std::string& what) {
  for (const harness::trace::Slice& slice : execution.slices)
    for (const wire::Frame& frame : slice.transcript->frames)
      if (frame.direction == wire::Direction::kReceived &&
          frame.channel != wire::Channel::kStderr && frame.bytes.find(what) != std::string::npos &&
          // Whoever watches a resource is told of changes of others.
          frame.bytes.find("/updated") == std::string::npos)
        return frame.seq;
  return 0;
}

}  // namespace

std::optional<json::Value> with_word(json::Value request, const std::string& text) {
  json::Value* params = request.find("params");
  if (params == nullptr) {
    request.set("params", json::object({{"word", json::string(text)}}));
    return request;
  }
  if (add_word(*params, text)) return request;
  if (params->is_object())
    params->set("word", json::string(text));
  else if (params->is_array())
    params->items.push_back(json::string(text));
  else
    return std::nullopt;
  return request;
}

std::optional<Script> suspect_isolation(const Script& script, const Execution& execution,
                                        const CheckTarget& target, Random& random) {
  if (harness::wire::traits_of(target.transport).process) return std::nullopt;
  // Errors and results have the same chance, however few there are of one kind.
  std::vector<Script> fit, refused;
  std::optional<Answered> answered;
  for (std::size_t i = 0; i < script.steps.size(); ++i) {
    Script one{"", {}, {script.steps[i]}};
    if (!value_to_isolate(one)) continue;
    if (!answered) answered.emplace(execution, target.profile);
    const bool error = class_of(answered->to(i)).starts_with("error");
    (error ? refused : fit).push_back(std::move(one));
  }
  if (fit.empty() || (!refused.empty() && random.one_in(2))) fit = std::move(refused);
  if (fit.empty()) return std::nullopt;
  return random.pick(fit);
}

awaitable<std::optional<CheckResult>> look_at_isolation(CheckContext& context,
                                                        const Script& suspect) {
  std::optional<CheckResult> none;
  const std::optional<json::Value> request = value_to_isolate(suspect);
  if (!request || harness::wire::traits_of(context.transport()).process) co_return none;
  // Alone, one after the other: what a result has of an earlier request is kept on purpose. An
  // error is not the place for that.
  for (int i = 0; i < 2; ++i) {
    const std::string who = fmt::format("before{}", i);
    Script one = speech(*request, who.c_str(), 1);
    std::optional<Execution> execution = co_await context.play(one);
    if (!execution || execution->ending != Ending::kAnswered || execution->withheld > 0)
      co_return none;
    const Answered answered(*execution, context.profile());
    const bool served = class_of(answered.to(0)).starts_with("result");
    if (i == 1 && served && heard(*execution, words("before0")) != 0) co_return none;
  }
  const Script said_here = speech(*request, "one", kCopies);
  const Script said_there = speech(*request, "other", kCopies);
  CheckContext::Pair pair = co_await context.play_both(said_here, said_there);
  if (!pair.one || !pair.other) co_return none;
  const std::uint64_t here = heard(*pair.one, words("other"));
  const std::uint64_t there = heard(*pair.other, words("one"));
  if (here == 0 && there == 0) co_return none;
  Execution& shown = here != 0 ? *pair.one : *pair.other;
  std::optional<Problem> problem = context.problem(
      "isolation",
      {"mcp.http.session-isolation", "mcp.sse.client-isolation", "robust.connections-apart"},
      "nothing of one session in another",
      fmt::format("the words of the other session (`{}`)", words(here != 0 ? "other" : "one")),
      "words", {here != 0 ? here : there});
  if (!problem) co_return none;
  problem->slice = shown.slices.size() - 1;
  std::optional<CheckResult> result;
  result.emplace();
  result->problem = std::move(*problem);
  result->execution = std::move(shown);
  co_return result;
}

}  // namespace fuzz
