// SPDX-License-Identifier: Apache-2.0
#include "fuzz/diff/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

#include "fuzz/diff/shape.h"
#include "fuzz/stateful/answered.h"
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
  // A later step has the same id and was sent before this one was answered: on a stream nobody
  // knows which of the replies is for which.
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

std::set<std::string> ids_of(const wire::Message& message) {
  std::set<std::string> out;
  const auto add = [&](const json::Value& value) {
    if (!value.is_object()) return;
    if (const json::Value* id = value.find("id"); id != nullptr && !id->is_null())
      out.insert(wire::id_key(*id));
  };
  add(message.value);
  if (message.value.is_array())
    for (const json::Value& item : message.value.items) add(item);
  return out;
}

class Listener {
 public:
  Listener(const Script& script, const Execution& execution) : execution_(execution) {
    out_.steps.resize(script.steps.size());
    groups_ = groups_of(script);
    for (const Execution::SentStep& sent : execution.sent) {
      out_.steps[sent.step].sent = true;
      const wire::Message* message = message_at(sent.slice, sent.seq);
      own_.push_back(message ? ids_of(*message) : std::set<std::string>());
      // A lenient server reads what stands behind a byte order mark.
      const auto* frame = std::get_if<Frame>(&script.steps[sent.step]);
      if (frame != nullptr && frame->bytes.starts_with("\xEF\xBB\xBF"))
        own_.back() = ids_of(wire::read_message(std::string_view(frame->bytes).substr(3)));
    }
  }

  Hearing heard() {
    for (std::size_t i = 0; i < execution_.slices.size(); ++i) listen(i);
    return std::move(out_);
  }

 private:
  const wire::Message* message_at(std::size_t slice, std::uint64_t seq) const {
    const harness::trace::Slice& at = execution_.slices[slice];
    const auto& frames = at.transcript->frames;
    if (frames.empty() || seq < frames.front().seq) return nullptr;
    const std::size_t index = seq - frames.front().seq;
    return index < at.messages.size() ? &at.messages[index] : nullptr;
  }

  void listen(std::size_t slice) {
    const harness::trace::Slice& at = execution_.slices[slice];
    const auto& frames = at.transcript->frames;
    // Ids of ours: canaries and the handshake.
    std::set<std::uint64_t> scripted;
    for (const Execution::SentStep& sent : execution_.sent)
      if (sent.slice == slice) scripted.insert(sent.seq);
    std::set<std::string> ours;
    for (std::size_t i = 0; i < frames.size() && i < at.messages.size(); ++i)
      if (frames[i].direction == wire::Direction::kSent && !scripted.contains(frames[i].seq))
        ours.merge(ids_of(at.messages[i]));
    const auto earlier = [&](const std::string& key) {
      return ours.contains(key) || at.earlier_ids.contains(key);
    };
    for (std::size_t i = 0; i < frames.size() && i < at.messages.size(); ++i) {
      const wire::Frame& frame = frames[i];
      if (frame.direction == wire::Direction::kSent) continue;
      if (frame.channel == wire::Channel::kHttp && frame.head)
        if (const auto place = by_exchange(slice, frame.exchange))
          out_.steps[execution_.sent[*place].step].status = frame.head->status;
      if (!wire::carries_message(frame)) continue;
      const wire::Message& message = at.messages[i];
      if (message.value.is_array()) {
        for (const json::Value& item : message.value.items) take(slice, frame, item, earlier);
      } else if (message.value.is_object()) {
        take(slice, frame, message.value, earlier);
      } else if (frame.channel != wire::Channel::kHttp) {
        add(slice, frame, "text that is no message", nullptr);
      }
    }
  }

  std::optional<std::size_t> by_exchange(std::size_t slice, int exchange) const {
    for (std::size_t i = 0; i < execution_.sent.size() && exchange != 0; ++i)
      if (execution_.sent[i].slice == slice && execution_.sent[i].exchange == exchange) return i;
    return std::nullopt;
  }

  // The last one that was sent before this, of those with the id.
  std::optional<std::size_t> sent_before(std::size_t slice, std::uint64_t seq,
                                         const std::string* id) const {
    std::optional<std::size_t> out;
    for (std::size_t i = 0; i < execution_.sent.size(); ++i)
      if (execution_.sent[i].slice == slice && execution_.sent[i].seq < seq &&
          (id == nullptr || own_[i].contains(*id)))
        out = i;
    return out;
  }

  void take(std::size_t slice, const wire::Frame& frame, const json::Value& message,
            const std::function<bool(const std::string&)>& asked_otherwise) {
    if (message.find("method") != nullptr) return;  // the server asks or tells
    const json::Value* id = message.find("id");
    const std::string kind = harness::printable(class_of({message}), 60);
    if (id != nullptr && !id->is_null()) {
      const std::string key = wire::id_key(*id);
      auto place = by_exchange(slice, frame.exchange);
      if (!place || !own_[*place].contains(key)) place = sent_before(slice, frame.seq, &key);
      if (place) {
        if (frame.exchange == 0) note_shared(slice, frame.seq, key);
        Heard& heard = out_.steps[execution_.sent[*place].step];
        heard.replies.push_back(kind);
        if (const json::Value* result = message.find("result"); result && kind == "result")
          heard.shape = shape_of(*result);
        return;
      }
      if (asked_otherwise(key)) return;
    }
    const bool lost = id == nullptr || id->is_null();
    add(slice, frame, kind, lost ? " without its id" : " with another id");
  }

  void note_shared(std::size_t slice, std::uint64_t seq, const std::string& id) {
    std::vector<Heard*> all;
    bool open = false;
    for (std::size_t i = 0; i < execution_.sent.size(); ++i) {
      if (execution_.sent[i].slice != slice || execution_.sent[i].seq > seq) continue;
      if (!own_[i].contains(id)) continue;
      if (!all.empty()) open |= all.back()->replies.empty();
      all.push_back(&out_.steps[execution_.sent[i].step]);
    }
    for (Heard* heard : all) heard->shared |= open;
  }

  // It answers nothing by its id: it is for what was sent last.
  void add(std::size_t slice, const wire::Frame& frame, std::string kind, const char* suffix) {
    std::optional<std::size_t> place = by_exchange(slice, frame.exchange);
    if (place) {
      if (suffix != nullptr && !own_[*place].empty()) kind += suffix;
      out_.steps[execution_.sent[*place].step].replies.push_back(std::move(kind));
      return;
    }
    place = sent_before(slice, frame.seq, nullptr);
    if (!place) return;  // before anything was sent
    const std::size_t group = groups_[execution_.sent[*place].step];
    std::size_t members = 0, last = 0;
    for (std::size_t i = 0; i < execution_.sent.size(); ++i) {
      if (execution_.sent[i].slice != slice || groups_[execution_.sent[i].step] != group) continue;
      ++members;
      last = i;
    }
    if (members > 1) {
      out_.together[execution_.sent[last].step].replies.push_back(std::move(kind));
      return;
    }
    if (suffix != nullptr && !own_[last].empty()) kind += suffix;
    out_.steps[execution_.sent[last].step].replies.push_back(std::move(kind));
  }

  const Execution& execution_;
  Hearing out_;
  std::vector<std::size_t> groups_;
  std::vector<std::set<std::string>> own_;  // ids, beside execution_.sent
};

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
  const Hearing by_a = Listener(script, a).heard(), by_b = Listener(script, b).heard();
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
