// SPDX-License-Identifier: Apache-2.0
#include "fuzz/diff/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "fuzz/diff/hearing.h"
#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/spec/model.h"
#include "harness/wire/message.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace wire = harness::wire;
namespace spec = harness::spec;

const char* const kNoJson = "text that is not JSON";
const char* const kSomeMethod = "some method";
const char* const kHeaderMismatch = "error -32020";
const char* const kUnknown = "method-unknown";  // the model's word

// `each`: of all that came on both sides so many are alike, as where a line holds two messages.
std::string said(const Heard& heard, bool http, std::size_t each = 1) {
  std::vector<std::string> sorted = heard.replies;
  std::sort(sorted.begin(), sorted.end());
  std::string out;
  for (std::size_t i = 0; i < sorted.size();) {
    const std::size_t from = i;
    while (i < sorted.size() && sorted[i] == sorted[from]) ++i;
    out += (out.empty() ? "" : " and ") + sorted[from];
    if (i - from > each) out += fmt::format(" {} times", (i - from) / each);
  }
  if (out.empty()) out = "nothing";
  // Elsewhere a refusal is a silence; that the server failed is neither.
  const bool failed = heard.status >= 500 && heard.replies.empty();
  if (heard.status != 0 && (http || failed)) out += fmt::format(", HTTP {}", heard.status);
  return out;
}

// How often each reply came; nothing where none did.
std::map<std::string, std::size_t> counted(const Heard& heard) {
  std::map<std::string, std::size_t> out;
  for (const std::string& reply : heard.replies) ++out[reply];
  return out;
}

std::size_t alike(const Heard& a, const Heard& b) {
  std::size_t out = 0;
  for (const Heard* heard : {&a, &b})
    for (const auto& [reply, count] : counted(*heard)) out = std::gcd(out, count);
  return std::max<std::size_t>(1, out);
}

// All of it came several times on one side, and once on the other.
bool repeats(const Heard& once, const Heard& several) {
  const auto few = counted(once), many = counted(several);
  if (few.empty() || few.size() != many.size()) return false;
  const std::size_t times = many.begin()->second / few.begin()->second;
  return times > 1 && std::all_of(few.begin(), few.end(), [&](const auto& one) {
           const auto there = many.find(one.first);
           return there != many.end() && there->second == times * one.second;
         });
}

bool of_process(const std::string& how) {
  return how.starts_with("signal") || how.starts_with("exit");
}

std::string end_text(const Execution& execution) {
  switch (execution.ending) {
    case Ending::kAnswered: return "goes on";
    case Ending::kSilent: return "falls silent";
    case Ending::kGone:
      // How a connection ends is a matter of who was quicker.
      return of_process(execution.how) ? "ends (" + execution.how + ")" : "ends";
  }
  return "";
}

bool ends_alike(const Execution& a, const Execution& b) {
  if (a.ending != b.ending) return false;
  return a.ending != Ending::kGone || !of_process(a.how) || !of_process(b.how) || a.how == b.how;
}

void note_delivery(const Delivery& how, std::vector<std::string>& out) {
  if (!how.chunks.empty()) out.push_back("in pieces");
  if (!how.fragments.empty()) out.push_back("in fragments");
  if (!how.headers.empty()) out.push_back("other headers");
  if (!how.http_method.empty()) out.push_back("another HTTP method");
  if (how.length) out.push_back("another Content-Length");
  if (how.eol != Eol::kLf) out.push_back("another line end");
  if (how.opcode != 1) out.push_back("another opcode");
}

// Of a request that somebody serves.
std::string method_of(const Step& step) {
  const auto* frame = std::get_if<Frame>(&step);
  if (frame == nullptr) return kSomeMethod;
  const wire::Message message = wire::read_message(frame->bytes);
  const json::Value* method = message.method();
  return method && method->is_string() ? harness::printable(method->text, 60) : kSomeMethod;
}

std::string what_is(const wire::Message& message, const Ground& ground) {
  if (!message.is_json) return kNoJson;
  if (message.value.is_array()) return "an array";
  const json::Value* method = message.method();
  if (method == nullptr || !method->is_string())
    return message.is_reply() ? "a reply" : "something without a method";
  if (message.id() == nullptr) return "a notification";
  std::string out = kSomeMethod;
  if (spec::is_known_method(method->text) || ground.methods.contains(method->text))
    out = harness::printable(method->text, 80);
  if (method->text == "tools/call") {
    const json::Value* name = json::at(message.value, "/params/name");
    const bool ours = name != nullptr && name->is_string() && ground.tools.contains(name->text);
    out += ours ? " " + harness::printable(name->text, 80) : " of no tool";
  }
  return out;
}

}  // namespace

std::string Asked::text() const {
  if (oddities.empty()) return what;
  std::string out;
  for (const std::string& one : oddities) out += (out.empty() ? "" : " + ") + one;
  return out;
}

std::string Difference::signature() const { return asked.text() + ": " + a + " | " + b; }

bool still_shows(const Difference& before, const Difference& now) {
  if (before.ends != now.ends || before.a != now.a || before.b != now.b) return false;
  const std::vector<std::string>&odd = before.asked.oddities, &now_odd = now.asked.oddities;
  const bool fewer = std::includes(odd.begin(), odd.end(), now_odd.begin(), now_odd.end());
  // That nobody can have the method is why there is no doubt about the answer.
  const auto sure = [](const std::vector<std::string>& all) {
    return std::find(all.begin(), all.end(), kUnknown) != all.end();
  };
  if (!fewer || sure(odd) != sure(now_odd)) return false;
  if (!now_odd.empty()) return true;
  return before.asked.what == now.asked.what || before.asked.what == kNoJson;
}

bool explains(const Difference& found, const Difference& other) {
  if (still_shows(other, found)) return true;
  // A method that nobody has stands for all that neither side has.
  const bool nobodys = found.asked.oddities == std::vector<std::string>{kUnknown};
  return nobodys && other.asked.what == kSomeMethod && !other.ends && found.a == other.a &&
         found.b == other.b;
}

Asked asked_in(const Step& step, const Ground& ground) {
  Asked out;
  if (const auto* frame = std::get_if<Frame>(&step)) {
    const wire::Message message = wire::read_message(frame->bytes);
    const spec::Situation situation{&ground.profile, wire::TransportKind::kStdio,
                                    spec::Phase::kReady};
    const spec::Expectation expected = spec::expect(situation, message, frame->bytes);
    for (const spec::ModelRule* rule : expected.found()) out.oddities.emplace_back(rule->name);
    note_delivery(frame->delivery, out.oddities);
    const bool mark = frame->bytes.starts_with("\xEF\xBB\xBF");
    out.what = mark ? what_is(wire::read_message(std::string_view(frame->bytes).substr(3)), ground)
                    : what_is(message, ground);
  } else {
    out.oddities.emplace_back("bytes outside messages");
  }
  std::sort(out.oddities.begin(), out.oddities.end());
  return out;
}

std::optional<Script> plainer(const Script& script, const Difference& difference,
                              const spec::Profile& profile) {
  if (difference.ends || difference.step >= script.steps.size()) return std::nullopt;
  const auto* frame = std::get_if<Frame>(&script.steps[difference.step]);
  if (frame == nullptr || !references(frame->bytes).empty()) return std::nullopt;
  const auto reading = json::read(frame->bytes);
  const auto* good = std::get_if<json::Reading>(&reading);
  if (good == nullptr || !good->value.is_object() || !good->duplicate_name.empty())
    return std::nullopt;
  const json::Value* method = good->value.find("method");
  if (method == nullptr || !method->is_string()) return std::nullopt;
  const bool unserved = difference.asked.what == kSomeMethod;
  const spec::Canary canary = spec::canary_of(profile);
  if (!unserved && (canary.answered_by_error || method->text == canary.method)) return std::nullopt;
  json::Value message = good->value;
  message.set("method", json::string(unserved ? "rpcspec/nobody" : canary.method));
  if (!unserved) {
    std::erase_if(message.members,
                  [](const json::Member& member) { return member.name == "params"; });
    if (!canary.params.is_null()) message.set("params", canary.params);
  }
  Frame plain = *frame;
  plain.bytes = json::write(message);
  return Script{script.profile, script.transport, {plain}};
}

bool same_but_plainer(const Difference& before, const Difference& now) {
  std::vector<std::string> oddities = before.asked.oddities;
  oddities.emplace_back(kUnknown);
  std::sort(oddities.begin(), oddities.end());
  return !now.ends && before.a == now.a && before.b == now.b &&
         std::includes(oddities.begin(), oddities.end(), now.asked.oddities.begin(),
                       now.asked.oddities.end());
}

std::vector<Difference> compare(const Script& script, const Execution& a, const Execution& b,
                                const Ground& ground) {
  std::vector<Difference> out;
  if (a.withheld != b.withheld) return out;
  if (!ends_alike(a, b)) {
    Difference end;
    end.a = end_text(a);
    end.b = end_text(b);
    end.ends = true;
    out.push_back(std::move(end));
    return out;
  }
  if (a.ending != Ending::kAnswered) return out;
  const Hearing by_a = hearing_of(script, a, ground.profile);
  const Hearing by_b = hearing_of(script, b, ground.profile);
  const std::vector<std::size_t> groups = groups_of(script);
  const std::set<std::size_t> in_doubt = groups_in_doubt(by_a, by_b);
  const auto differ = [&](std::size_t step, Asked asked, std::string one, std::string other) {
    const bool headers = (one + other).find(kHeaderMismatch) != std::string::npos;
    if (headers && ground.http_alone) return;
    const bool served = (one + other).find("result") != std::string::npos;
    if (served && asked.what == kSomeMethod) asked.what = method_of(script.steps[step]);
    // Neither serves it, and one says it has no such method: whichever it is, that is one and the
    // same difference.
    const bool unserved = one.find("result") == std::string::npos &&
                          other.find("result") == std::string::npos &&
                          (one + other).find("error -32601") != std::string::npos;
    const bool request = asked.what != "a notification" && asked.what != kNoJson;
    if (unserved && request && !asked.what.starts_with("an array")) asked.what = kSomeMethod;
    out.push_back({std::move(asked), std::move(one), std::move(other), false, step});
  };
  for (std::size_t i = 0; i < script.steps.size(); ++i) {
    const Heard &one = by_a.steps[i], &other = by_b.steps[i];
    if (!one.sent || !other.sent || one.shared || other.shared) continue;
    if (in_doubt.contains(groups[i])) continue;
    const std::size_t each = alike(one, other);
    const std::string in_a = said(one, ground.http, each), in_b = said(other, ground.http, each);
    const bool more_of_b = repeats(one, other), more_of_a = repeats(other, one);
    if (more_of_a || more_of_b) {
      const char *reply = "the reply", *several = "the same reply several times";
      differ(i, {{}, "a message"}, more_of_a ? several : reply, more_of_b ? several : reply);
    } else if (in_a != in_b) {
      differ(i, asked_in(script.steps[i], ground), in_a, in_b);
    } else if (one.shape && other.shape && one.replies.size() == 1) {
      const ShapePair apart = told_apart(*one.shape, *other.shape);
      if (!apart.a.empty())
        differ(i, asked_in(script.steps[i], ground), "result " + apart.a, "result " + apart.b);
    }
  }
  std::map<std::size_t, std::pair<Heard, Heard>> together;
  for (const auto& [step, heard] : by_a.together) together[step].first = heard;
  for (const auto& [step, heard] : by_b.together) together[step].second = heard;
  for (const auto& [step, heard] : together) {
    if (in_doubt.contains(groups[step])) continue;
    const std::string in_a = said(heard.first, false), in_b = said(heard.second, false);
    if (in_a != in_b) differ(step, {{"in flight together"}, ""}, in_a, in_b);
  }
  return out;
}

}  // namespace fuzz
