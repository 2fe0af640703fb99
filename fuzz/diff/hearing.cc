// SPDX-License-Identifier: Apache-2.0
#include "fuzz/diff/hearing.h"

#include <algorithm>
#include <iterator>

#include "fuzz/stateful/answered.h"
#include "harness/base/text.h"
#include "harness/trace/attribution.h"
#include "harness/trace/traffic.h"
#include "harness/wire/message.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace wire = harness::wire;
namespace spec = harness::spec;
namespace trace = harness::trace;

using trace::Whose;

bool has_id(const json::Value& value) {
  if (value.is_array()) return std::any_of(value.items.begin(), value.items.end(), has_id);
  const json::Value* id = value.is_object() ? value.find("id") : nullptr;
  return id != nullptr && !id->is_null();
}

// Of one connection.
class Listener {
 public:
  Listener(const Execution& execution, std::size_t slice, const spec::Profile& profile,
           const std::vector<std::size_t>& groups, Hearing& out)
      : groups_(groups), trace_(execution.slices[slice], profile), out_(out) {
    for (const Execution::SentStep& sent : execution.sent)
      if (sent.slice == slice) sent_.emplace(sent.seq, &sent);
    for (const trace::Item& item : trace_.items)
      if (item.sent && item.text_message != nullptr && has_id(item.text_message->value))
        named_.insert(item.seq);
  }

  void listen() {
    const auto& frames = trace_.transcript.frames;
    for (std::size_t i = 0; i < frames.size(); ++i)
      if (frames[i].direction == wire::Direction::kReceived)
        take_frame(frames[i], trace_.messages[i]);
    const trace::Answer* array = nullptr;  // that of the array the next Items are elements of
    for (const trace::Item& item : trace_.items) {
      if (item.sent || item.value == nullptr) continue;
      const trace::Answer& answer = trace::attribution_of(trace_).of(item);
      if (item.value->is_array() && item.array == 0) {
        array = &answer;
        if (item.value->items.empty()) take_unnamed(item, answer, "an empty array", "");
      } else if (item.value->is_object() || item.array != 0) {
        const bool unnamed = item.array != 0 && !has_id(*item.value);
        take(item, unnamed && answer.to == nullptr && array->to != nullptr ? *array : answer);
      }
    }
  }

 private:
  using Sent = Execution::SentStep;

  void take_frame(const wire::Frame& frame, const wire::Message& message) {
    const bool http = frame.channel == wire::Channel::kHttp;
    if (http && frame.head)
      if (const Sent* sent = in_exchange(frame.exchange))
        out_.steps[sent->step].status = frame.head->status;
    const bool read = message.value.is_array() || message.value.is_object();
    if (!http && !read && wire::carries_message(frame))
      add(latest(frame), "text that is not a message", "");
  }

  void take(const trace::Item& item, const trace::Answer& answer) {
    if (!trace::is_reply(item)) {
      if (item.member("method") == nullptr)  // else the server asks or tells
        add(latest(trace_.transcript.frames[item.frame]), "something that is not a message", "");
      return;
    }
    if (answer.whose == Whose::kNoReply) return;  // with a method, and to nothing
    const std::string kind = harness::printable(class_of(*item.value), 60);
    if (has_id(*item.value))
      take_named(item, answer, kind);
    else
      take_unnamed(item, answer, kind, " without its id");
  }

  void take_named(const trace::Item& reply, const trace::Answer& answer, const std::string& kind) {
    const bool not_here = answer.whose == Whose::kEarlier || answer.whose == Whose::kReplayed ||
                          answer.whose == Whose::kOtherSession;
    if (not_here) return;
    if (answer.whose == Whose::kSeveral) note_shared(answer);
    const bool sure = answer.whose != Whose::kNobody && answer.whose != Whose::kPremature;
    if (answer.to == nullptr || !sure)
      return add(latest(trace_.transcript.frames[reply.frame]), kind, " with another id");
    const Sent* sent = step_of(answer.to);
    if (sent == nullptr) return;  // a canary or the handshake
    Heard& heard = out_.steps[sent->step];
    const bool another = !answer.to->key.empty() && answer.to->key != reply.key;
    heard.replies.push_back(another ? kind + " with another id" : kind);
    out_.classes[groups_[sent->step]].push_back(kind);
    const json::Value* result = reply.member("result");
    if (result != nullptr && !another && kind == "result") heard.shape = shape_of(*result);
  }

  // In its exchange; else for the latest of those it may answer, or of all.
  void take_unnamed(const trace::Item& reply, const trace::Answer& answer, const std::string& kind,
                    const char* suffix) {
    const wire::Frame& frame = trace_.transcript.frames[reply.frame];
    const Sent* sent = in_exchange(frame.exchange);
    if (sent == nullptr) {
      std::vector<const trace::Item*> to = answer.candidates;
      if (answer.to != nullptr) to.push_back(answer.to);
      std::set<std::size_t> groups;
      for (const trace::Item* one : to) {
        const Sent* other = step_of(one);
        if (other == nullptr) continue;
        groups.insert(groups_[other->step]);
        if (sent == nullptr || other->seq > sent->seq) sent = other;
      }
      if (groups.size() > 1) out_.doubts.push_back(std::move(groups));
    }
    add(sent == nullptr ? latest(frame) : sent, kind, suffix);
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

  // What was sent in the exchange, or last; null before anything was sent.
  const Sent* latest(const wire::Frame& frame) const {
    if (const Sent* sent = in_exchange(frame.exchange)) return sent;
    const auto next = sent_.lower_bound(frame.seq);
    return next == sent_.begin() ? nullptr : std::prev(next)->second;
  }

  // Text that is no JSON may hold the id as well; what has it goes before that.
  void note_shared(const trace::Answer& answer) {
    std::map<std::uint64_t, const Sent*> frames;
    for (const trace::Item* one : answer.candidates)
      if (one->value != nullptr) frames.emplace(one->seq, step_of(one));
    if (frames.size() < 2) return;
    for (const auto& [seq, sent] : frames)
      if (sent != nullptr) out_.steps[sent->step].shared = true;
  }

  // Of those in flight together nobody can tell which it is for. `suffix` is added where that is
  // known, and what it is for has an id.
  void add(const Sent* sent, const std::string& kind, const char* suffix) {
    if (sent == nullptr) return;
    const std::size_t group = groups_[sent->step];
    out_.classes[group].push_back(kind);
    const Sent* last = sent;
    std::size_t members = 0;
    for (const auto& [seq, one] : sent_) {
      if (groups_[one->step] != group) continue;
      ++members;
      last = one;
    }
    if (members > 1)
      out_.together[last->step].replies.push_back(kind);
    else
      out_.steps[sent->step].replies.push_back(named_.contains(sent->seq) ? kind + suffix : kind);
  }

  const std::vector<std::size_t>& groups_;
  trace::Trace trace_;
  std::map<std::uint64_t, const Sent*> sent_;  // by its frame
  std::set<std::uint64_t> named_;              // frames that hold an id
  Hearing& out_;
};

// Those that hang together by doubts.
std::vector<std::set<std::size_t>> joined(const std::vector<std::set<std::size_t>>& doubts) {
  std::vector<std::set<std::size_t>> out;
  for (std::set<std::size_t> one : doubts) {
    std::erase_if(out, [&](const std::set<std::size_t>& other) {
      const bool common = std::any_of(other.begin(), other.end(),
                                      [&](std::size_t group) { return one.contains(group); });
      if (common) one.insert(other.begin(), other.end());
      return common;
    });
    out.push_back(std::move(one));
  }
  return out;
}

std::multiset<std::string> all_of(const Hearing& hearing, const std::set<std::size_t>& groups) {
  std::multiset<std::string> out;
  for (const std::size_t group : groups)
    if (const auto found = hearing.classes.find(group); found != hearing.classes.end())
      out.insert(found->second.begin(), found->second.end());
  return out;
}

}  // namespace

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

Hearing hearing_of(const Script& script, const Execution& execution, const spec::Profile& profile) {
  Hearing out;
  out.steps.resize(script.steps.size());
  for (const Execution::SentStep& sent : execution.sent) out.steps[sent.step].sent = true;
  const std::vector<std::size_t> groups = groups_of(script);
  for (std::size_t i = 0; i < execution.slices.size(); ++i)
    Listener(execution, i, profile, groups, out).listen();
  return out;
}

std::set<std::size_t> groups_in_doubt(const Hearing& a, const Hearing& b) {
  std::vector<std::set<std::size_t>> doubts = a.doubts;
  doubts.insert(doubts.end(), b.doubts.begin(), b.doubts.end());
  std::set<std::size_t> out;
  for (const std::set<std::size_t>& groups : joined(doubts))
    if (all_of(a, groups) == all_of(b, groups)) out.insert(groups.begin(), groups.end());
  return out;
}

}  // namespace fuzz
