// SPDX-License-Identifier: Apache-2.0
#include "fuzz/diff/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>

#include "fuzz/diff/shape.h"
#include "fuzz/stateful/answered.h"
#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/spec/model.h"
#include "harness/trace/attribution.h"
#include "harness/wire/message.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace wire = harness::wire;
namespace spec = harness::spec;
namespace trace = harness::trace;

const char* const kNoJson = "text that is no JSON";
const char* const kSomeMethod = "some method";
const char* const kHeaderMismatch = "error -32020";
const char* const kUnknown = "method-unknown";  // the model's word

// What came to one step of the script.
struct Heard {
  bool sent = false;
  std::vector<std::string> replies;  // their classes
  std::optional<Shape> shape;        // of the last result
  int status = 0;                    // HTTP
  // A reply may be for this step or for another with the same id.
  bool shared = false;
};

// What came to a script: for each step, and for messages in flight together what answers none of
// them by its id.
struct Hearing {
  std::vector<Heard> steps;
  std::map<std::size_t, Heard> together;  // by the last step of those
};

// Steps between two waits have the same number.
std::vector<std::size_t> groups_of(const Script& script) {
  std::vector<std::size_t> out;
  std::size_t group = 0;
  for (const Step& step : script.steps) {
    const auto* frame = std::get_if<Frame>(&step);
    const bool refers = frame != nullptr && !references(frame->bytes).empty();
    if (refers || std::holds_alternative<Sync>(step) || std::holds_alternative<Close>(step))
      ++group;
    out.push_back(group);
  }
  return out;
}

bool has_id(const json::Value& value) {
  if (value.is_array()) return std::any_of(value.items.begin(), value.items.end(), has_id);
  const json::Value* id = value.is_object() ? value.find("id") : nullptr;
  return id != nullptr && !id->is_null();
}

// Of one session.
class Listener {
 public:
  Listener(const Execution& execution, std::size_t slice, const spec::Profile& profile,
           const std::vector<std::size_t>& groups, Hearing& out)
      : groups_(groups), trace_(execution.slices[slice], profile), out_(out) {
    for (const Execution::SentStep& sent : execution.sent)
      if (sent.slice == slice) sent_.emplace(sent.seq, &sent);
    for (const trace::Item& item : trace_.items)
      if (item.sent) messages_.insert_or_assign(item.seq, &item);
  }

  void listen() {
    const auto& frames = trace_.transcript.frames;
    for (std::size_t i = 0; i < frames.size(); ++i)
      if (frames[i].direction == wire::Direction::kReceived) take(frames[i], trace_.messages[i]);
    const trace::Attribution& attribution = trace::attribution_of(trace_);
    for (const trace::Item& item : trace_.items) {
      if (item.sent || item.value == nullptr || item.value->is_array()) continue;
      if (!item.value->is_object() && item.array == 0) continue;  // the frame was taken as text
      if (item.member("method") == nullptr) take(item, attribution.of(item));
    }
  }

 private:
  using Sent = Execution::SentStep;

  void take(const wire::Frame& frame, const wire::Message& message) {
    const bool http = frame.channel == wire::Channel::kHttp;
    if (http && frame.head)
      if (const Sent* sent = in_exchange(frame.exchange))
        out_.steps[sent->step].status = frame.head->status;
    const bool read = message.value.is_array() || message.value.is_object();
    if (!http && !read && wire::carries_message(frame))
      add_to_latest(frame, "text that is no message", "");
  }

  // Where nothing says whose it is, it is for what was sent last.
  void take(const trace::Item& reply, const trace::Answer& answer) {
    using trace::Whose;
    const wire::Frame& frame = trace_.transcript.frames[reply.frame];
    const std::string kind = harness::printable(class_of({*reply.value}), 60);
    if (!has_id(*reply.value)) {
      const bool told = answer.whose == Whose::kRequest || answer.whose == Whose::kAltered;
      const Sent* sent = told ? step_of(answer.to) : nullptr;
      if (sent == nullptr || in_exchange(frame.exchange) != nullptr)
        return add_to_latest(frame, kind, " without its id");
      return add_to_group(*sent, kind, " without its id");
    }
    const bool not_here = answer.whose == Whose::kEarlier || answer.whose == Whose::kReplayed ||
                          answer.whose == Whose::kOtherSession;
    if (not_here) return;
    if (answer.whose == Whose::kSeveral) note_shared(answer);
    const bool by_id = answer.whose == Whose::kUnknown || answer.whose == Whose::kNoReply;
    const trace::Item* to = by_id ? asked_with(reply) : answer.to;
    const bool sure = answer.whose != Whose::kNobody && answer.whose != Whose::kPremature;
    if (to == nullptr || !sure) return add_to_latest(frame, kind, " with another id");
    const Sent* sent = step_of(to);
    if (sent == nullptr) return;  // a canary or the handshake
    Heard& heard = out_.steps[sent->step];
    const bool another = !to->key.empty() && to->key != reply.key;
    heard.replies.push_back(another ? kind + " with another id" : kind);
    const json::Value* result = reply.member("result");
    if (result != nullptr && !another && kind == "result") heard.shape = shape_of(*result);
  }

  const Sent* step_of(const trace::Item* item) const {
    const auto found = item == nullptr ? sent_.end() : sent_.find(item->seq);
    return found == sent_.end() ? nullptr : found->second;
  }

  const Sent* in_exchange(int exchange) const {
    const auto found = std::find_if(sent_.begin(), sent_.end(), [&](const auto& sent) {
      return exchange != 0 && sent.second->exchange == exchange;
    });
    return found == sent_.end() ? nullptr : found->second;
  }

  // Where it is not known what the server read, or it is no reply but for its id: the last that was
  // sent with that before.
  const trace::Item* asked_with(const trace::Item& reply) const {
    const trace::Item* out = nullptr;
    for (const trace::Item& item : trace_.items)
      if (item.sent && item.seq < reply.seq && item.key == reply.key) out = &item;
    return out;
  }

  void note_shared(const trace::Answer& answer) {
    std::set<std::uint64_t> frames;
    for (const trace::Item* one : answer.candidates) frames.insert(one->seq);
    if (frames.size() < 2) return;
    for (const trace::Item* one : answer.candidates)
      if (const Sent* sent = step_of(one)) out_.steps[sent->step].shared = true;
  }

  // `suffix` is added where what it is for has an id.
  void add(const Sent& sent, std::string kind, const char* suffix) {
    const auto message = messages_.find(sent.seq);
    const bool named = message != messages_.end() && message->second->text_message != nullptr &&
                       has_id(message->second->text_message->value);
    out_.steps[sent.step].replies.push_back(named ? kind + suffix : std::move(kind));
  }

  void add_to_latest(const wire::Frame& frame, std::string kind, const char* suffix) {
    if (const Sent* sent = in_exchange(frame.exchange)) return add(*sent, std::move(kind), suffix);
    const auto next = sent_.lower_bound(frame.seq);
    if (next == sent_.begin()) return;  // before anything was sent
    add_to_group(*std::prev(next)->second, std::move(kind), suffix);
  }

  // Of those in flight together nobody can tell which it is for.
  void add_to_group(const Sent& sent, std::string kind, const char* suffix) {
    const Sent* last = nullptr;
    std::size_t members = 0;
    for (const auto& [seq, one] : sent_) {
      if (groups_[one->step] != groups_[sent.step]) continue;
      ++members;
      last = one;
    }
    if (members > 1)
      out_.together[last->step].replies.push_back(std::move(kind));
    else
      add(sent, std::move(kind), suffix);
  }

  const std::vector<std::size_t>& groups_;
  trace::Trace trace_;
  std::map<std::uint64_t, const Sent*> sent_;             // by its frame
  std::map<std::uint64_t, const trace::Item*> messages_;  // likewise
  Hearing& out_;
};

Hearing heard(const Script& script, const Execution& execution, const spec::Profile& profile) {
  Hearing out;
  out.steps.resize(script.steps.size());
  for (const Execution::SentStep& sent : execution.sent) out.steps[sent.step].sent = true;
  const std::vector<std::size_t> groups = groups_of(script);
  for (std::size_t i = 0; i < execution.slices.size(); ++i)
    Listener(execution, i, profile, groups, out).listen();
  return out;
}

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
    case Ending::kAnswered:
      return "goes on";
    case Ending::kSilent:
      return "falls silent";
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
  const Hearing by_a = heard(script, a, ground.profile), by_b = heard(script, b, ground.profile);
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
    const std::string in_a = said(heard.first, false), in_b = said(heard.second, false);
    if (in_a != in_b) differ(step, {{"in flight together"}, ""}, in_a, in_b);
  }
  return out;
}

}  // namespace fuzz
