// SPDX-License-Identifier: Apache-2.0
#include "fuzz/judge/lost.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "fuzz/executor/waiting.h"
#include "harness/base/text.h"
#include "harness/oracle/traffic.h"
#include "harness/trace/attribution.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace trace = harness::trace;
using harness::oracle::Evidence;
using harness::oracle::Finding;

constexpr int kTimes = 4;              // a reply is lost if it takes that much longer than others
constexpr std::uint64_t kFewLate = 8;  // one reply in so many may be, on a busy machine
constexpr std::size_t kMostTimes = 4096;          // that are remembered
constexpr std::size_t kMostForms = 64;            // of arguments, by kind of call, likewise
constexpr std::size_t kShown = 60;                // bytes of a method
constexpr const char* kEndless = "tasks/result";  // waits for what may never end

// False if `see` was, of an argument that may be a time: called with its name and value.
template <class See>
bool each_time(const json::Value& value, std::string_view name, const See& see) {
  const bool time = value.is_number()   ? json::as_double(value) > 1
                    : value.is_string() ? value.text.find_first_of("123456789") != std::string::npos
                                        : false;
  if (time && !see(name, value.text)) return false;
  return std::all_of(value.items.begin(), value.items.end(),
                     [&](const json::Value& one) { return each_time(one, name, see); }) &&
         std::all_of(value.members.begin(), value.members.end(), [&](const json::Member& one) {
           return one.name == "_meta" || one.name == "name" || one.name == "uri" ||
                  each_time(one.value, one.name, see);
         });
}

template <class See>
bool each_time_of(const json::Value& request, const See& see) {
  const json::Value* params = request.find("params");
  return params == nullptr || each_time(*params, "", see);
}

std::size_t hash_of(const std::string& kind, std::string_view name, std::string_view value) {
  return std::hash<std::string>()((kind + '|').append(name).append("|").append(value));
}

// Names and kinds of what it is given, in `out`.
void note_given(const json::Value& value, const std::string& name, std::set<std::string>& out) {
  if (!value.is_object()) out.insert(name + '|' + json::kind_name(value.kind));
  for (const json::Member& one : value.members)
    if (one.name != "_meta" && one.name != "name" && one.name != "uri")
      note_given(one.value, name + '/' + one.name, out);
}

std::set<std::string> given_in(const json::Value& request) {
  std::set<std::string> out;
  if (const json::Value* params = request.find("params")) note_given(*params, "", out);
  return out;
}

std::string method_of(const json::Value& request) {
  const json::Value* method = request.find("method");
  return method != nullptr && method->is_string() ? method->text : "";
}

// Of an ordinary request, and not of one that an oracle judges.
bool is_call(const trace::Asked& asked) {
  const bool clear = !asked.shared && !asked.muted && !asked.doubtful && !asked.whole &&
                     asked.group == 0 && !asked.expected.open();
  return clear && asked.item->value != nullptr && harness::spec::is_request(asked.expected) &&
         asked.expected.silence() == harness::spec::Grade::kLawful &&
         method_of(*asked.item->value) != kEndless;
}

// A reply that names no request came later than that.
bool may_be_answered(const Evidence& evidence, const trace::Item& asked) {
  return std::any_of(evidence.items.begin(), evidence.items.end(), [&](const trace::Item& item) {
    const bool unnamed = item.key.empty() || item.key == "null";
    return !item.sent && item.seq > asked.seq && unnamed && (item.result() || item.error());
  });
}

bool asks(const Evidence& evidence) {
  return std::any_of(evidence.items.begin(), evidence.items.end(), [](const auto& item) {
    return !item.sent && item.kind == harness::wire::MessageKind::kRequest;
  });
}

// The requests without a reply to which one is due.
template <class See>
void each_unheard(const Evidence& evidence, const Due& due, const See& see) {
  // Over HTTP, a stream may end before the reply, which then comes on another one.
  if (!due || evidence.http() || asks(evidence)) return;
  for (const trace::Asked& asked : trace::attribution_of(evidence).pairing().asked())
    if (!asked.answered && is_call(asked) && due(*asked.item->value) &&
        !may_be_answered(evidence, *asked.item))
      see(*asked.item);
}

// The first reply to what was asked later than that.
std::optional<std::uint64_t> answered_after(const trace::Pairing& pairing, std::uint64_t seq) {
  for (const trace::Outcome& outcome : pairing.outcomes()) {
    const auto* match = std::get_if<trace::Match>(&outcome);
    if (match != nullptr && pairing.asked()[match->asked].item->seq > seq) return match->reply->seq;
  }
  return std::nullopt;
}

// Calls `see` with each request that was answered, the reply, and how long that took.
template <class See>
void each_answered(const Evidence& evidence, const See& see) {
  const trace::Attribution& attribution = trace::attribution_of(evidence);
  const auto& frames = evidence.transcript.frames;
  for (const trace::Item& item : evidence.items) {
    if (item.sent || item.value == nullptr || !item.value->is_object()) continue;
    const trace::Answer& answer = attribution.of(item);
    if (answer.whose != trace::Whose::kRequest || answer.to->value == nullptr) continue;
    if (!answer.to->value->is_object()) continue;
    see(*answer.to, item,
        std::chrono::microseconds(frames[item.frame].time_us - frames[answer.to->frame].time_us));
  }
}

}  // namespace

bool is_timeless(const json::Value& request) {
  return each_time_of(request, [](auto, auto) { return false; });
}

std::string ServedCalls::kind_of(const json::Value& request) const {
  const json::Value* name = json::at(request, "/params/name");
  if (name == nullptr) return method_of(request);
  const bool known = name->is_string() && offered_.contains(name->text);
  return method_of(request) + "|" + (known ? name->text : "");
}

void ServedCalls::learn(const Evidence& evidence) {
  each_answered(evidence, [&](const trace::Item& asked, const trace::Item& reply, auto took) {
    const json::Value& request = *asked.value;
    const std::string kind = kind_of(request);
    const json::Value* failed = json::at(*reply.value, "/result/isError");
    const bool served = reply.result() != nullptr && !(failed && failed->boolean);
    if (!served && !kind.ends_with('|')) return;
    const bool soon = took * kTimes < kHang;
    Replies& replies = replies_[kind];
    ++(soon ? replies.soon : replies.late);
    if (soon && replies.given.size() < kMostForms) replies.given.insert(given_in(request));
    each_time_of(request, [&](std::string_view name, std::string_view value) {
      if (soon && no_times_.size() < kMostTimes) no_times_.insert(hash_of(kind, name, value));
      return true;
    });
  });
}

void ServedCalls::note_slow(const json::Value& request) { replies_[kind_of(request)].slow = true; }

bool ServedCalls::note_slow(const Evidence& evidence, bool overtaken) {
  bool any = false;
  std::uint64_t latest = 0;  // of what was answered so far, the request that was sent last
  each_answered(evidence, [&](const trace::Item& asked, const trace::Item&, auto took) {
    if (took > kSoonest || (overtaken && asked.seq < latest)) {
      note_slow(*asked.value);
      any = true;
    }
    latest = std::max(latest, asked.seq);
  });
  return any;
}

bool ServedCalls::is_due(const json::Value& request) const {
  const auto known = replies_.find(kind_of(request));
  const bool soon = known != replies_.end() && !known->second.slow && known->second.soon > 0 &&
                    known->second.late * kFewLate <= known->second.soon;
  if (!soon) return false;
  const auto is_no_time = [&](std::string_view name, std::string_view value) {
    return no_times_.contains(hash_of(known->first, name, value));
  };
  // What it lacks, or gives as another kind, may stand for a time: that of an operation by default.
  const std::set<std::string> given = given_in(request);
  const auto lacks_nothing = [&](const std::set<std::string>& other) {
    return std::includes(given.begin(), given.end(), other.begin(), other.end());
  };
  return each_time_of(request, is_no_time) &&
         std::any_of(known->second.given.begin(), known->second.given.end(), lacks_nothing);
}

void judge_lost(const Evidence& evidence, const Due& due, std::vector<Finding>& out) {
  std::set<std::string> told;
  const trace::Pairing& pairing = trace::attribution_of(evidence).pairing();
  each_unheard(evidence, due, [&](const trace::Item& item) {
    const auto once = answered_after(pairing, item.seq);
    const std::string method = method_of(*item.value);
    if (!once || !answered_after(pairing, *once) || !told.insert(method).second) return;
    const std::size_t before = out.size();
    harness::oracle::report(
        evidence, out, "jsonrpc.request.reply-exactly-one",
        "a reply to `" + harness::printable(method, kShown) + "` with " +
            harness::oracle::shown_id(item.member("id")) + ", as others get one at once",
        "nothing, although two later requests were answered in turn", {item.seq});
    if (out.size() == before) return;
    out.back().oracle = kLostReply;
    out.back().flaw = method;
    out.back().came = {harness::oracle::Nothing{}};
  });
}

std::set<std::string> unheard_in(const Evidence& evidence, const Due& due) {
  std::set<std::string> out;
  each_unheard(evidence, due, [&](const trace::Item& item) { out.insert(method_of(*item.value)); });
  return out;
}

bool is_unheard(std::string_view signature) { return signature.starts_with("lost|"); }

std::string signature_of_lost(const Finding& finding) {
  return std::string(kLostReply) + "|" + finding.requirement + "|" + finding.flaw;
}

}  // namespace fuzz
