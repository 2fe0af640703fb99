// SPDX-License-Identifier: Apache-2.0
#include "fuzz/stateful/answered.h"

#include <algorithm>
#include <iterator>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/trace/attribution.h"
#include "harness/trace/traffic.h"
#include "harness/wire/message.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace spec = harness::spec;
namespace trace = harness::trace;
namespace wire = harness::wire;

using trace::Whose;

// Whether a lenient reader may serve what is no request: late, and under whatever id it reads.
bool may_be_served(const Frame& frame) {
  return frame.bytes.find("method") != std::string::npos ||
         frame.bytes.find("\\u") != std::string::npos;
}

bool is_error(const json::Value* reply) { return reply->find("error") != nullptr; }

bool only_errors(const Answered::Replies& replies) {
  return std::all_of(replies.messages.begin(), replies.messages.end(), is_error);
}

bool is_refused(const Answered::Replies& replies) {
  return !replies.in_doubt && !replies.messages.empty() && only_errors(replies);
}

// It is the reply to what it was given to.
bool is_told(const trace::Answer& answer) {
  constexpr Whose kTold[] = {Whose::kRequest,    Whose::kAltered,   Whose::kAgain,
                             Whose::kText,       Whose::kMentioned, Whose::kNotification,
                             Whose::kOtherStream};
  return answer.to != nullptr &&
         std::find(std::begin(kTold), std::end(kTold), answer.whose) != std::end(kTold);
}

bool may_be_here(const trace::Answer& answer) {
  const bool earlier = answer.whose == Whose::kEarlier && answer.to == nullptr;
  return !earlier && answer.whose != Whose::kNoReply && answer.whose != Whose::kReplayed &&
         answer.whose != Whose::kOtherSession;
}

}  // namespace

std::optional<json::Value> request_in(const Frame& frame) {
  const auto reading = json::read(frame.bytes);
  const auto* good = std::get_if<json::Reading>(&reading);
  if (good == nullptr || !good->duplicate_name.empty() || good->lone_surrogate) return std::nullopt;
  if (wire::kind_of(good->value) != wire::MessageKind::kRequest) return std::nullopt;
  const json::Value* id = good->value.find("id");
  const json::Value* method = good->value.find("method");
  if (!method->is_string() || (!id->is_string() && !json::is_integer(*id))) return std::nullopt;
  // One that is written with an escape becomes a reference when it is written anew.
  for (const std::string& text : {frame.bytes, json::write(good->value)})
    if (text.find("${") != std::string::npos) return std::nullopt;
  return good->value;
}

bool usually_sent(const Frame& frame) {
  const Delivery& how = frame.delivery;
  return how.headers.empty() && how.http_method.empty() && !how.length && how.eol == Eol::kLf &&
         how.opcode == 1 && frame.bytes.find('\n') == std::string::npos;
}

Answered::Answered(const Execution& execution, const spec::Profile& profile) {
  for (std::size_t slice = 0; slice < execution.slices.size(); ++slice) {
    std::map<std::uint64_t, std::size_t> steps;  // by their frames
    for (const Execution::SentStep& sent : execution.sent)
      if (sent.slice == slice) steps.emplace(sent.seq, sent.step);
    const auto replies_of = [&](const trace::Item* asked) -> Replies* {
      const auto found = asked == nullptr ? steps.end() : steps.find(asked->seq);
      return found == steps.end() ? nullptr : &replies_[found->second];
    };
    const trace::Trace trace(execution.slices[slice], profile);
    for (const trace::Item& item : trace.items) {
      if (item.sent) continue;
      const json::Value* method = item.member("method");
      told_of_changes_ |=
          method != nullptr && method->text.find("list_changed") != std::string::npos;
      if (!trace::is_reply(item)) continue;
      const trace::Answer& answer = trace::attribution_of(trace).of(item);
      Replies* own = replies_of(answer.to);
      // Text that is no JSON may hold the id of a canary; that one it is before anything else.
      const bool canary = own == nullptr && answer.to != nullptr && answer.to->key == item.key;
      if (is_told(answer) || canary) {
        if (own != nullptr) own->messages.push_back(item.value);
      } else if (may_be_here(answer)) {
        bool ours = answer.to == nullptr && answer.candidates.empty();
        const auto doubt = [&](Replies* replies) {
          if (replies != nullptr) replies->in_doubt = ours = true;
        };
        doubt(own);
        for (const trace::Item* one : answer.candidates) doubt(replies_of(one));
        served_in_doubt_ |= ours && !is_error(item.value);
      }
    }
  }
}

const Answered::Replies& Answered::to(std::size_t step) const {
  static const Replies kNone;
  const auto found = replies_.find(step);
  return found == replies_.end() ? kNone : found->second;
}

std::string class_of(const json::Value& reply) {
  if (const json::Value* code = json::at(reply, "/error/code")) return "error " + code->text;
  if (is_error(&reply)) return "error";
  const json::Value* failed = json::at(reply, "/result/isError");
  return failed != nullptr && failed->boolean ? "result that failed" : "result";
}

std::string class_of(const Answered::Replies& replies) {
  if (replies.in_doubt) return "what may be another's";
  if (replies.messages.empty()) return "nothing";
  if (replies.messages.size() > 1) return "several replies";
  return class_of(*replies.messages.front());
}

Script refused_part(const Script& script, const Execution& execution,
                    const spec::Profile& profile) {
  Script out{script.profile, script.transport, {}};
  std::optional<Answered> answered;
  for (std::size_t i = 0; i < script.steps.size(); ++i) {
    const auto* frame = std::get_if<Frame>(&script.steps[i]);
    if (frame == nullptr || !usually_sent(*frame)) continue;
    if (frame->bytes.find("${") != std::string::npos) continue;
    const wire::Message message = wire::read_message(frame->bytes);
    bool refused = !message.is_json || !message.value.is_object() ||
                   (message.kind == wire::MessageKind::kMalformed);
    if (message.kind == wire::MessageKind::kRequest) {
      if (!answered) answered.emplace(execution, profile);
      refused = is_refused(answered->to(i));
    }
    // Arrays hold what was served as well.
    if (refused && message.kind != wire::MessageKind::kBatch) out.steps.push_back(*frame);
  }
  return out;
}

bool all_refused(const Script& script, const Execution& execution, const spec::Profile& profile) {
  if (execution.ending != Ending::kAnswered || execution.withheld > 0) return false;
  const Answered answered(execution, profile);
  if (answered.told_of_changes() || answered.served_in_doubt()) return false;
  for (std::size_t i = 0; i < script.steps.size(); ++i) {
    const auto* frame = std::get_if<Frame>(&script.steps[i]);
    if (frame == nullptr) return false;
    const wire::Message message = wire::read_message(frame->bytes);
    if (message.kind == wire::MessageKind::kNotification ||
        message.kind == wire::MessageKind::kBatch || message.is_reply())
      return false;
    const Answered::Replies& replies = answered.to(i);
    const bool asked = message.kind == wire::MessageKind::kRequest || may_be_served(*frame);
    if (asked ? !is_refused(replies) : !only_errors(replies)) return false;
  }
  return true;
}

}  // namespace fuzz
