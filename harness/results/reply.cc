// SPDX-License-Identifier: Apache-2.0
#include "harness/results/reply.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/suite/step.h"
#include "harness/wire/gateway.h"
#include "harness/wire/message.h"

namespace harness::run {
namespace {

constexpr std::int64_t kMethodNotFound = -32601;
constexpr std::size_t kMostShown = 3;       // messages of a reply
constexpr std::size_t kLongestShown = 300;  // bytes of each

using suite::Outcome;
using suite::Outcomes;
using suite::OutcomeWord;

bool matches(const json::Value& pattern, const json::Value* value, const Judging& judging) {
  return !match::mismatch(pattern, value, judging.match);
}

bool status_fits(const std::string& wanted, int status) {
  if (wanted == "none") return status == 0;
  if (wanted.size() == 3 && wanted.ends_with("xx")) return status / 100 == wanted[0] - '0';
  return wanted == std::to_string(status);
}

const json::Value* message_of(const Reply& reply) {
  return reply.messages.empty() ? nullptr : &reply.messages.front()->message->value;
}

// A reply carries the id of its request. A frame whose id nobody can rely on may be answered with
// null or no id, when the answer is an error; one that is not even JSON may be answered with
// whatever a lenient parser read in it.
bool id_fits(const json::Value& message, const Reply& reply) {
  const json::Value* id = message.find("id");
  const bool none = !id || id->is_null();
  const bool error = wire::error_in(message) != nullptr;
  if (!none && !reply.own_id.empty() && wire::id_key(*id) == reply.own_id) return true;
  if (reply.valid_request) return false;
  if (none) return error || (id && reply.own_id.empty());
  return !error && !reply.readable;
}

bool fits(const Outcome& outcome, const Reply& reply, const Judging& judging);

bool any_fits(const std::vector<Outcome>& list, const Reply& reply, const Judging& judging) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Outcome& one) { return fits(one, reply, judging); });
}

// A body that is no message, under a status that promises none: the body is wrong, and one case
// says so, but nothing answered.
bool stray_body(const Reply& reply) {
  if (!reply.http || reply.http->status / 100 != 2) return false;
  if (reply.messages.empty()) return reply.garbage && reply.http->status == 202;
  return reply.messages.size() == 1 && reply.messages.front()->message->value.is_null();
}

bool silent(const Reply& reply) {
  if (stray_body(reply)) return true;
  if (!reply.messages.empty() || reply.garbage || reply.exited) return false;
  if (reply.http)
    return reply.http->ended && reply.http->failure.empty() && reply.http->status / 100 == 2;
  return !reply.closed;
}

bool normal(const Reply& reply, const Judging& judging) {
  const json::Value* message = message_of(reply);
  if (!message || !message->is_object() || !id_fits(*message, reply)) return false;
  if (judging.canary.answered_by_error) {
    const json::Value* code = json::at(*message, "/error/code");
    const auto came = code ? json::as_integer(*code) : std::nullopt;
    return came && (came == kMethodNotFound || came == judging.usual_error);
  }
  const json::Value* result = wire::result_in(*message);
  return result && !wire::error_in(*message) && (!judging.profile.mcp || result->is_object());
}

// The server's own error for a method nobody has stands for -32601: that its code is another is
// told once, by who asks for the outcome `method-not-found`. Who looked for a method knows the id.
bool error_fits(const json::Value& pattern, const json::Value& message, const Judging& judging) {
  const json::Value* error = wire::error_in(message);
  if (matches(pattern, error, judging)) return true;
  const json::Value* id = message.find("id");
  if (!id || id->is_null()) return false;
  const json::Value* code = error && error->is_object() ? error->find("code") : nullptr;
  if (!judging.usual_error || !code || json::as_integer(*code) != judging.usual_error) return false;
  json::Value usual = *error;
  usual.set("code", json::number(kMethodNotFound));
  return matches(pattern, &usual, judging);
}

bool separate(const std::vector<json::Value>& patterns, const Reply& reply,
              const Judging& judging) {
  if (patterns.size() != reply.messages.size()) return false;
  std::vector<const json::Value*> left;
  for (const trace::Inbound* inbound : reply.messages) left.push_back(&inbound->message->value);
  for (const json::Value& pattern : patterns) {
    const auto found = std::find_if(left.begin(), left.end(), [&](const json::Value* value) {
      return matches(pattern, value, judging);
    });
    if (found == left.end()) return false;
    left.erase(found);
  }
  return true;
}

// It was waited for without effect; the target goes on and may still be busy with it.
bool late(const Reply& reply) {
  if (!reply.waited || !reply.messages.empty() || reply.garbage || reply.closed || reply.exited)
    return false;
  if (!reply.http) return reply.canary_answered;
  return !reply.http->ended || reply.http->failure == "timeout";
}

bool fits(OutcomeWord word, const Reply& reply, const Judging& judging) {
  switch (word) {
    case OutcomeWord::kSilence: return silent(reply);
    case OutcomeWord::kNormal: return normal(reply, judging);
    case OutcomeWord::kAlive: return !reply.closed && !reply.exited;
    case OutcomeWord::kExited: return reply.exited;
    case OutcomeWord::kClosed:
      return reply.closed ||
             (reply.http && (reply.http->failure == "eof" || reply.http->failure == "reset"));
    case OutcomeWord::kAnyReply: return !reply.messages.empty();
    case OutcomeWord::kLate: return late(reply);
    case OutcomeWord::kLateUnasked: return late(reply) && !reply.asked;
  }
  return false;
}
// The lawful part of the set.
bool fits(const std::string& set, const Reply& reply, const Judging& judging) {
  const auto found = judging.sets.find(set);
  if (found == judging.sets.end()) return false;
  Judging strict = judging;
  if (set == "method-not-found") strict.usual_error.reset();
  return any_fits(found->second.pass, reply, strict) || any_fits(found->second.note, reply, strict);
}

// Several lines of one field are one list (RFC 9110 section 5.3).
std::optional<std::string> field_of(const wire::HttpHead& head, const std::string& name) {
  std::optional<std::string> all;
  for (const wire::Header& header : head.headers)
    if (ascii::equal_ignoring_case(header.name, name))
      all = all ? *all + ", " + header.value : header.value;
  return all;
}

bool headers_fit(const std::vector<suite::HeaderPattern>& patterns, const Reply& reply,
                 const Judging& judging) {
  if (!reply.http) return false;
  wire::HttpHead head;
  head.headers = reply.http->headers;
  for (const suite::HeaderPattern& header : patterns) {
    const std::optional<std::string> value = field_of(head, header.name);
    const json::Value text = value ? json::string(*value) : json::null();
    if (!matches(header.pattern, value ? &text : nullptr, judging)) return false;
  }
  return true;
}

bool body_fits(const std::variant<suite::NoBody, json::Value>& wanted, const Reply& reply,
               const Judging& judging) {
  const auto* pattern = std::get_if<json::Value>(&wanted);
  if (!reply.http) return false;
  if (!pattern)
    return reply.http->body.empty() && reply.messages.empty() && reply.http->failure != "no-end";
  const json::Value text = json::string(reply.http->body);
  return matches(*pattern, &text, judging);
}

bool id_fits(const std::variant<suite::OwnId, json::Value>& wanted, const json::Value& message,
             const Reply& reply, const Judging& judging) {
  const json::Value* given = message.find("id");
  if (const auto* pattern = std::get_if<json::Value>(&wanted))
    return matches(*pattern, given, judging);
  return given && !reply.own_id.empty() && wire::id_key(*given) == reply.own_id;
}

bool response_fits(const Outcome& outcome, const Reply& reply, const Judging& judging) {
  const json::Value* message = message_of(reply);
  if (!outcome.result && !outcome.error && !outcome.id) return true;
  if (!message || !message->is_object()) return false;
  if (outcome.result && !matches(*outcome.result, wire::result_in(*message), judging)) return false;
  if (outcome.error && !error_fits(*outcome.error, *message, judging)) return false;
  if (outcome.result && !outcome.error && wire::error_in(*message)) return false;
  return outcome.id ? id_fits(*outcome.id, *message, reply, judging) : id_fits(*message, reply);
}

// HTTP: JSON in the body of a refusal that is not meant as JSON-RPC, such as {"detail":"Not
// Found"}.
bool refused_in_own_words(const Reply& reply) {
  const json::Value* body = message_of(reply);
  if (!reply.http || reply.http->status < 400 || !body || !body->is_object()) return false;
  const json::Value* error = body->find("error");
  return !body->find("jsonrpc") && !(error && error->is_object());
}

bool fits(const Outcome& outcome, const Reply& reply, const Judging& judging) {
  if (outcome.when && !suite::applies(*outcome.when, judging.profile, judging.transport))
    return false;
  if (!std::all_of(outcome.all.begin(), outcome.all.end(),
                   [&](const Outcome& one) { return fits(one, reply, judging); }))
    return false;
  const auto has_status = [&](const std::string& wanted) {
    return reply.http && status_fits(wanted, reply.http->status);
  };
  if (!outcome.http.empty() && std::none_of(outcome.http.begin(), outcome.http.end(), has_status))
    return false;
  if (!outcome.headers.empty() && !headers_fit(outcome.headers, reply, judging)) return false;
  if (outcome.body && !body_fits(*outcome.body, reply, judging)) return false;
  for (const suite::OutcomeName& name : outcome.names)
    if (!std::visit([&](const auto& one) { return fits(one, reply, judging); }, name)) return false;
  if (outcome.status) {
    const json::Value how = json::string(reply.how);
    if (!matches(*outcome.status, &how, judging)) return false;
  }
  if (outcome.separate) return separate(*outcome.separate, reply, judging);
  if (outcome.message)
    return matches(*outcome.message, message_of(reply), judging) ||
           (refused_in_own_words(reply) && matches(*outcome.message, nullptr, judging));
  return response_fits(outcome, reply, judging);
}

// A header that is wrong or missing is seen no other way.
std::string headers_seen(const Outcomes& outcomes, const Reply& reply, const Judging& judging) {
  if (!reply.http || !reply.http->status) return "";
  wire::HttpHead head;
  head.headers = reply.http->headers;
  std::string text;
  for (const std::string& name : headers_in(outcomes, judging)) {
    const std::optional<std::string> value = field_of(head, name);
    text += value ? fmt::format("; {}: {}", name, printable(*value, 200))
                  : fmt::format("; no header {}", name);
  }
  return text;
}

// The first outcome that fits, and how good it is.
std::pair<Grade, const Outcome*> first_fitting(const Outcomes& outcomes, const Reply& reply,
                                               const Judging& judging) {
  Grade grade = Grade::kPass;
  for (const auto* list : {&outcomes.pass, &outcomes.note, &outcomes.warn, &outcomes.fail}) {
    for (const Outcome& one : *list)
      if (fits(one, reply, judging)) return {grade, &one};
    grade = static_cast<Grade>(static_cast<int>(grade) + 1);
  }
  return {Grade::kBreach, nullptr};
}

// An exchange that never ends is no better than a silence.
std::string broken_by_silence(const Outcomes& outcomes, const Reply& reply,
                              const Judging& judging) {
  if (!reply.messages.empty() || !reply.http || reply.http->failure != "timeout") return "";
  for (const Outcome& one : outcomes.fail)
    if (std::count(one.names.begin(), one.names.end(), suite::OutcomeName(OutcomeWord::kSilence)) &&
        (!one.when || suite::applies(*one.when, judging.profile, judging.transport)))
      return one.breaks;
  return "";
}

// What a gateway refuses has not reached the target, and is neither its merit nor its mistake.
void take_gateway(const Reply& reply, Graded& graded) {
  if (reply.http == nullptr) return;
  const std::string gateway =
      wire::gateway_behind(reply.http->status, reply.http->headers, reply.http->body);
  if (gateway.empty()) return;
  const std::string named = gateway == "unknown" ? "a gateway" : "a gateway (" + gateway + ")";
  graded.because = named + " in front of the target answered in its place";
  if (reply.http->status >= 500) return;  // behind it, the target may have ended
  graded.grade = Grade::kNote;
  graded.breaks.clear();
  graded.skip_rest = true;
}

}  // namespace

bool when_applies(const json::Value* when, const spec::Profile& profile,
                  wire::TransportKind transport) {
  return !when || !when->is_object() || suite::applies(suite::when_of(*when), profile, transport);
}

Graded grade(const Outcomes& outcomes, const Reply& reply, const Judging& judging) {
  Graded graded;
  const Outcomes all = whole(outcomes, judging);
  const auto [grade, fitting] = first_fitting(all, reply, judging);
  graded.grade = grade;
  if (!fitting) graded.breaks = broken_by_silence(all, reply, judging);
  if (fitting) {
    graded.breaks = fitting->breaks;
    graded.because = fitting->because;
    graded.skip_rest = fitting->skip_rest;
  }
  take_gateway(reply, graded);
  graded.expected = words_of(outcomes, judging);
  graded.wanted = wanted_of(outcomes, judging);
  if (grade != Grade::kPass) graded.headers = headers_seen(outcomes, reply, judging);
  return graded;
}

oracle::Observation observed(const Reply& reply) {
  oracle::Observation out;
  if (!reply.messages.empty()) out = oracle::observed(*reply.messages.front()->message);
  out.status = reply.http ? reply.http->status : 0;
  out.canary_answered = reply.canary_answered;
  out.messages = reply.messages.size();
  for (std::size_t i = 1; i < reply.messages.size() && i < kMostShown; ++i)
    out.texts.push_back(printable(json::write(reply.messages[i]->message->value), kLongestShown));
  if (!reply.messages.empty()) return out;
  const bool broken_off = reply.http && !reply.http->failure.empty();
  if (reply.garbage) {
    out.came = oracle::NotAMessage{};
  } else if (broken_off) {
    out.came = oracle::BrokenOff{reply.http->failure};
  } else if (reply.exited || reply.closed) {
    out.came = oracle::Ended{reply.how, reply.exited};
  } else if (!reply.http) {
    out.came = oracle::Nothing{};
  } else if (reply.http->ended) {
    out.came = oracle::NoMessageInAnswer{};
  } else {
    out.came = oracle::BrokenOff{};
  }
  return out;
}

std::vector<std::uint64_t> frames_of(const Reply& reply) {
  std::vector<std::uint64_t> out;
  for (const trace::Inbound* inbound : reply.messages) out.push_back(inbound->seq);
  if (out.empty() && reply.garbage) out.push_back(reply.garbage->seq);
  return out;
}

Grade grade_of_silence(const Outcomes& outcomes, const Judging& judging) {
  Reply nothing;
  nothing.canary_answered = true;
  return first_fitting(whole(outcomes, judging), nothing, judging).first;
}

bool accepts_result(const Outcomes& outcomes, const Judging& judging) {
  const std::function<bool(const suite::Outcome&)> accepts = [&](const suite::Outcome& one) {
    // A name that stands for more is not looked into.
    const bool named = std::any_of(one.names.begin(), one.names.end(), [](const auto& name) {
      const auto* word = std::get_if<suite::OutcomeWord>(&name);
      return !word || *word == suite::OutcomeWord::kNormal ||
             *word == suite::OutcomeWord::kAnyReply || *word == suite::OutcomeWord::kAlive;
    });
    return named || one.result || one.message || one.by_row ||
           std::any_of(one.all.begin(), one.all.end(), accepts);
  };
  const Outcomes& all = whole(outcomes, judging);
  return all.by_row || std::any_of(all.pass.begin(), all.pass.end(), accepts);
}

bool accepts_message(const Outcomes& outcomes, const Judging& judging) {
  const std::function<bool(const suite::Outcome&)> accepts = [&](const suite::Outcome& one) {
    return one.error || one.separate || std::any_of(one.all.begin(), one.all.end(), accepts);
  };
  const Outcomes& all = whole(outcomes, judging);
  return accepts_result(outcomes, judging) ||
         std::any_of(all.pass.begin(), all.pass.end(), accepts) ||
         std::any_of(all.note.begin(), all.note.end(), accepts);
}

bool expects_silence(const Outcomes& outcomes, const Judging& judging) {
  Reply nothing;
  nothing.canary_answered = true;
  const auto [grade, fitting] = first_fitting(whole(outcomes, judging), nothing, judging);
  const bool lawful = grade == Grade::kPass || grade == Grade::kNote;
  return lawful && !(fitting && fitting->skip_rest);
}

}  // namespace harness::run
