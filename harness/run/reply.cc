// SPDX-License-Identifier: Apache-2.0
#include "harness/run/reply.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/suite/step.h"

namespace harness::run {
namespace {

constexpr std::int64_t kMethodNotFound = -32601;
constexpr std::size_t kMostShown = 3;       // messages of a reply
constexpr std::size_t kLongestShown = 300;  // bytes of each
constexpr const char* kGradeNames[] = {"pass", "note", "warn", "fail"};

bool is_graded(const json::Value& value) {
  return value.is_object() && std::any_of(std::begin(kGradeNames), std::end(kGradeNames),
                                          [&](const char* name) { return value.find(name); });
}

bool matches(const json::Value& pattern, const json::Value* value, const Judging& judging) {
  return !match::mismatch(pattern, value, judging.match);
}

bool status_fits(const json::Value& wanted, int status) {
  if (wanted.is_array())
    return std::any_of(wanted.items.begin(), wanted.items.end(),
                       [&](const json::Value& one) { return status_fits(one, status); });
  if (wanted.text == "none") return status == 0;
  if (wanted.text.size() == 3 && wanted.text.ends_with("xx"))
    return status / 100 == wanted.text[0] - '0';
  return wanted.text == std::to_string(status);
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
  const bool error = message.find("error") != nullptr;
  if (!none && !reply.own_id.empty() && wire::id_key(*id) == reply.own_id) return true;
  if (reply.valid_request) return false;
  if (none) return error || (id && reply.own_id.empty());
  return !error && !reply.readable;
}

bool fits(const json::Value& outcome, const Reply& reply, const Judging& judging);

bool any_fits(const json::Value* list, const Reply& reply, const Judging& judging) {
  if (!list) return false;
  if (!list->is_array()) return fits(*list, reply, judging);
  return std::any_of(list->items.begin(), list->items.end(),
                     [&](const json::Value& one) { return fits(one, reply, judging); });
}

// The outcome that fits: the value itself or, of a list, the first.
const json::Value* first_fitting(const json::Value& outcomes, const Reply& reply,
                                 const Judging& judging) {
  if (!outcomes.is_array()) return fits(outcomes, reply, judging) ? &outcomes : nullptr;
  for (const json::Value& one : outcomes.items)
    if (fits(one, reply, judging)) return &one;
  return nullptr;
}

void note_skip_rest(const json::Value& outcome, Graded& graded) {
  if (!outcome.is_object() || !outcome.find("skip_rest")) return;
  graded.skip_rest = true;
  if (const json::Value* because = outcome.find("because")) graded.because = because->text;
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
  const json::Value* result = message->find("result");
  return result && !message->find("error") && (!judging.profile.mcp || result->is_object());
}

// The server's own error for a method nobody has stands for -32601: that its code is another is
// told once, by who asks for the outcome `method-not-found`. Who looked for a method knows the id.
bool error_fits(const json::Value& pattern, const json::Value& message, const Judging& judging) {
  const json::Value* error = message.find("error");
  if (matches(pattern, error, judging)) return true;
  const json::Value* id = message.find("id");
  if (!id || id->is_null()) return false;
  const json::Value* code = error && error->is_object() ? error->find("code") : nullptr;
  if (!judging.usual_error || !code || json::as_integer(*code) != judging.usual_error) return false;
  json::Value usual = *error;
  usual.set("code", json::number(kMethodNotFound));
  return matches(pattern, &usual, judging);
}

bool separate(const json::Value& patterns, const Reply& reply, const Judging& judging) {
  if (patterns.items.size() != reply.messages.size()) return false;
  std::vector<const json::Value*> left;
  for (const session::Inbound* inbound : reply.messages) left.push_back(&inbound->message->value);
  for (const json::Value& pattern : patterns.items) {
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

bool named_fits(const std::string& name, const Reply& reply, const Judging& judging) {
  if (name == "silence") return silent(reply);
  if (name == "normal") return normal(reply, judging);
  if (name == "alive") return !reply.closed && !reply.exited;
  if (name == "exited") return reply.exited;
  if (name == "closed")
    return reply.closed ||
           (reply.http && (reply.http->failure == "eof" || reply.http->failure == "reset"));
  if (name == "any-reply") return !reply.messages.empty();
  if (name == "late") return late(reply);
  const json::Value* set = judging.outcomes.find(name);
  if (!set) return false;
  if (name == "method-not-found" && judging.usual_error) {
    Judging strict = judging;
    strict.usual_error.reset();
    return named_fits(name, reply, strict);
  }
  if (!is_graded(*set)) return any_fits(set, reply, judging);
  return any_fits(set->find("pass"), reply, judging) || any_fits(set->find("note"), reply, judging);
}

// Several lines of one field are one list (RFC 9110 section 5.3).
std::optional<std::string> field_of(const wire::HttpHead& head, const std::string& name) {
  std::optional<std::string> all;
  for (const wire::Header& header : head.headers)
    if (ascii::equal_ignoring_case(header.name, name))
      all = all ? *all + ", " + header.value : header.value;
  return all;
}

bool headers_fit(const json::Value& patterns, const Reply& reply, const Judging& judging) {
  if (!reply.http) return false;
  wire::HttpHead head;
  head.headers = reply.http->headers;
  for (const json::Member& member : patterns.members) {
    const std::optional<std::string> value = field_of(head, member.name);
    const json::Value text = value ? json::string(*value) : json::null();
    if (!matches(member.value, value ? &text : nullptr, judging)) return false;
  }
  return true;
}

bool fits(const json::Value& outcome, const Reply& reply, const Judging& judging) {
  if (outcome.is_string()) return named_fits(outcome.text, reply, judging);
  if (outcome.is_array()) return any_fits(&outcome, reply, judging);
  if (!outcome.is_object()) return false;
  if (!when_applies(outcome.find("when"), judging.profile, judging.transport)) return false;
  if (const json::Value* all = outcome.find("all"))
    for (const json::Value& one : all->items)
      if (!fits(one, reply, judging)) return false;
  if (const json::Value* status = outcome.find("http"))
    if (!reply.http || !status_fits(*status, reply.http->status)) return false;
  if (const json::Value* headers = outcome.find("headers"))
    if (!headers_fit(*headers, reply, judging)) return false;
  if (const json::Value* body = outcome.find("body")) {
    const bool empty = reply.http && reply.http->body.empty() && reply.messages.empty();
    const json::Value text = json::string(reply.http ? reply.http->body : std::string());
    if (body->is_string() && body->text == "empty" ? !empty
                                                   : !reply.http || !matches(*body, &text, judging))
      return false;
  }
  for (const char* word :
       {"silence", "normal", "alive", "exited", "closed", "any-reply", "late", "is"})
    if (const json::Value* value = outcome.find(word))
      if (!named_fits(std::string_view(word) == "is" ? value->text : word, reply, judging))
        return false;
  if (const json::Value* status = outcome.find("status")) {
    const json::Value how = json::string(reply.how);
    if (!matches(*status, &how, judging)) return false;
  }
  if (const json::Value* patterns = outcome.find("separate"))
    return separate(*patterns, reply, judging);
  const json::Value* message = message_of(reply);
  if (const json::Value* pattern = outcome.find("message"))
    return matches(*pattern, message, judging);
  const json::Value* result = outcome.find("result");
  const json::Value* error = outcome.find("error");
  const json::Value* id = outcome.find("id");
  if (!result && !error && !id) return true;
  if (!message || !message->is_object()) return false;
  if (result && !matches(*result, message->find("result"), judging)) return false;
  if (error && !error_fits(*error, *message, judging)) return false;
  if (result && !error && message->find("error")) return false;
  if (!id) return id_fits(*message, reply);
  const json::Value* given = message->find("id");
  if (id->is_string() && id->text == "own")
    return given && !reply.own_id.empty() && wire::id_key(*given) == reply.own_id;
  return matches(*id, given, judging);
}

// --- words

std::string describe(const json::Value& outcome, const Judging& judging);

// "202", "4xx", "200, 202 or 204"
std::string describe_status(const json::Value& status) {
  if (!status.is_array()) return status.text;
  std::string text;
  for (std::size_t i = 0; i < status.items.size(); ++i)
    text += (i == 0 ? "" : i + 1 == status.items.size() ? " or " : ", ") + status.items[i].text;
  return text;
}

// What of an HTTP answer is asked for, in the order in which it is read.
void describe_http(const json::Value& outcome, std::vector<std::string>& parts) {
  if (const json::Value* status = outcome.find("http"))
    parts.push_back(status->text == "none" ? "no HTTP answer"
                                           : "HTTP status " + describe_status(*status));
  if (const json::Value* headers = outcome.find("headers"))
    for (const json::Member& header : headers->members)
      parts.push_back(header.value.text == "$absent"
                          ? "without a header " + header.name
                          : "with a header " + header.name + " that is " +
                                match::describe(header.value));
  if (const json::Value* body = outcome.find("body"))
    parts.push_back(body->text == "empty" ? "without a body"
                                          : "with a body that is " + match::describe(*body));
}

// Whether an outcome can fit at all here: it is not of another profile or transport.
bool possible(const json::Value& outcome, const Judging& judging) {
  if (!outcome.is_object()) return true;
  if (!when_applies(outcome.find("when"), judging.profile, judging.transport)) return false;
  if (outcome.find("http") && !wire::traits_of(judging.transport).http) return false;
  const json::Value* all = outcome.find("all");
  return !all || std::all_of(all->items.begin(), all->items.end(),
                             [&](const json::Value& one) { return possible(one, judging); });
}

void append_descriptions(const json::Value* list, const Judging& judging,
                         std::vector<std::string>& words) {
  if (!list) return;
  const auto add = [&](const json::Value& one) {
    if (!possible(one, judging)) return;
    std::string text = describe(one, judging);
    if (!text.empty() && std::find(words.begin(), words.end(), text) == words.end())
      words.push_back(std::move(text));
  };
  if (list->is_array())
    for (const json::Value& one : list->items) add(one);
  else
    add(*list);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? ", or " : ", ") + words[i];
  return text;
}

std::string describe(const json::Value& outcome, const Judging& judging) {
  if (outcome.is_string()) {
    if (outcome.text == "silence") return "no reply";
    if (outcome.text == "normal")
      return judging.canary.answered_by_error
                 ? fmt::format("the usual reply (error {})",
                               judging.usual_error.value_or(kMethodNotFound))
                 : "the usual reply (a result)";
    if (outcome.text == "alive") return "the process still running";
    if (outcome.text == "exited") return "the process ended";
    if (outcome.text == "closed") return "the connection closed";
    if (outcome.text == "any-reply") return "any one reply";
    if (outcome.text == "late") return "a reply that takes longer";
    const json::Value* set = judging.outcomes.find(outcome.text);
    if (!set) return outcome.text;
    std::vector<std::string> words;
    if (is_graded(*set)) {
      append_descriptions(set->find("pass"), judging, words);
    } else {
      append_descriptions(set, judging, words);
    }
    return joined(words);
  }
  if (!outcome.is_object()) return match::describe(outcome);
  std::vector<std::string> parts;
  describe_http(outcome, parts);
  if (const json::Value* result = outcome.find("result")) {
    const bool anything =
        (result->is_object() && result->members.empty()) || result->text == "$any";
    parts.push_back(anything ? "a result" : "a result that is " + match::describe(*result));
  }
  if (const json::Value* error = outcome.find("error")) {
    const json::Value* code = error->find("code");
    if (error->is_object() && error->members.size() == 1 && code)
      parts.push_back("error " + match::describe(*code));
    else if (error->text == "$any" || (error->is_object() && error->members.empty()))
      parts.push_back("an error");
    else
      parts.push_back("an error that is " + match::describe(*error));
  }
  if (const json::Value* id = outcome.find("id"))
    parts.push_back(id->text == "own"       ? "with the id of the request"
                    : id->is_null()         ? "with id null"
                    : id->text == "$absent" ? "without an id"
                                            : "with id " + match::describe(*id));
  if (const json::Value* message = outcome.find("message"))
    parts.push_back(message->text == "$absent" ? "without a JSON-RPC message"
                                               : match::describe(*message));
  if (const json::Value* patterns = outcome.find("separate"))
    parts.push_back(
        patterns->items.size() == 1
            ? "one reply and nothing more"
            : fmt::format("{} separate replies and nothing more", patterns->items.size()));
  if (const json::Value* status = outcome.find("status"))
    parts.push_back("ended with " + match::describe(*status));
  for (const char* word : {"silence", "normal", "alive", "exited", "closed", "any-reply", "late"})
    if (outcome.find(word)) parts.push_back(describe(json::string(word), judging));
  if (const json::Value* is = outcome.find("is")) parts.push_back(describe(*is, judging));
  if (const json::Value* all = outcome.find("all"))
    for (const json::Value& one : all->items) parts.push_back(describe(one, judging));
  std::string text;
  for (const std::string& part : parts) {
    // "error -32600 with id null", "HTTP status 4xx with error -32020"
    const bool joined_by_itself = text.empty() || part.starts_with("with");
    text += (text.empty() ? "" : joined_by_itself ? " " : " with ") + part;
  }
  return text;
}

// The names of all headers that the outcomes speak of here, each once.
void headers_in(const json::Value& outcomes, const Judging& judging,
                std::vector<std::string>& names) {
  for (const json::Value& one : outcomes.items) headers_in(one, judging, names);
  if (!outcomes.is_object() || !possible(outcomes, judging)) return;
  for (const char* key : {"pass", "note", "warn", "fail", "all"})
    if (const json::Value* list = outcomes.find(key)) headers_in(*list, judging, names);
  const json::Value* headers = outcomes.find("headers");
  if (!headers) return;
  for (const json::Member& header : headers->members)
    if (std::find(names.begin(), names.end(), header.name) == names.end())
      names.push_back(header.name);
}

// A header that is wrong or missing is seen no other way.
std::string headers_seen(const json::Value& outcomes, const Reply& reply, const Judging& judging) {
  if (!reply.http || !reply.http->status) return "";
  std::vector<std::string> names;
  headers_in(outcomes, judging, names);
  wire::HttpHead head;
  head.headers = reply.http->headers;
  std::string text;
  for (const std::string& name : names) {
    const std::optional<std::string> value = field_of(head, name);
    text += value ? fmt::format("; {}: {}", name, printable(*value, 200))
                  : fmt::format("; no header {}", name);
  }
  return text;
}

void add_codes(const json::Value& pattern, std::vector<std::int64_t>& out) {
  if (const auto code = json::as_integer(pattern)) out.push_back(*code);
  for (const json::Value& one : pattern.items) add_codes(one, out);
  for (const json::Member& member : pattern.members) add_codes(member.value, out);
}

void add_statuses(const json::Value& status, std::vector<std::string>& out) {
  if (!status.is_array()) out.push_back(status.text);
  for (const json::Value& one : status.items) add_statuses(one, out);
}

void want(const json::Value& outcome, const Judging& judging, oracle::Wanted& out);

void want_any(const json::Value* list, const Judging& judging, oracle::Wanted& out) {
  if (!list) return;
  if (!list->is_array()) return want(*list, judging, out);
  for (const json::Value& one : list->items) want(one, judging, out);
}

// Adds what an outcome asks for; an error only where nothing else was asked for before.
void want(const json::Value& outcome, const Judging& judging, oracle::Wanted& out) {
  if (!possible(outcome, judging)) return;
  if (const json::Value* set = outcome.is_string() ? judging.outcomes.find(outcome.text) : nullptr)
    return want_any(is_graded(*set) ? set->find("pass") : set, judging, out);
  const bool first = !out.result && !out.silence && !out.end;
  const json::Value* is = outcome.find("is");
  const auto word = [&](const char* name) {
    return (outcome.is_string() && outcome.text == name) ||
           (outcome.is_object() && outcome.find(name));
  };
  out.silence |= word("silence");
  out.end |= word("exited") || word("closed");
  out.result |= outcome.find("result") != nullptr;
  const json::Value* error = outcome.find("error");
  if (word("normal")) (judging.canary.answered_by_error && first ? out.error : out.result) = true;
  out.error |= first && error;
  if (const json::Value* code = error ? error->find("code") : nullptr) add_codes(*code, out.codes);
  if (const json::Value* status = outcome.find("http")) add_statuses(*status, out.statuses);
  const json::Value* headers = outcome.find("headers");
  for (const json::Member& header : headers ? headers->members : std::vector<json::Member>())
    if (ascii::equal_ignoring_case(header.name, "content-type") && out.media.empty())
      out.media = json::write(header.value);
  if (is) want_any(is, judging, out);
  if (const json::Value* all = outcome.find("all")) want_any(all, judging, out);
}

oracle::Wanted wanted_of(const json::Value* lawful, const Judging& judging) {
  oracle::Wanted out;
  want_any(lawful, judging, out);
  return out;
}

Graded grade_of(const json::Value& set, const Reply& reply, const Judging& judging) {
  Graded graded;
  graded.wanted = wanted_of(is_graded(set) ? set.find("pass") : &set, judging);
  std::vector<std::string> lawful;
  if (!is_graded(set)) {
    append_descriptions(&set, judging, lawful);
    graded.expected = joined(lawful);
    const json::Value* fitting = first_fitting(set, reply, judging);
    if (!fitting) return graded;
    graded.grade = Grade::kPass;
    note_skip_rest(*fitting, graded);
    return graded;
  }
  append_descriptions(set.find("pass"), judging, lawful);
  graded.expected = joined(lawful);
  std::vector<std::string> tolerated;
  append_descriptions(set.find("note"), judging, tolerated);
  if (!tolerated.empty())
    graded.expected += (lawful.empty() ? "" : "; tolerated: ") + joined(tolerated);
  for (int i = 0; i < 4; ++i) {
    const json::Value* list = set.find(kGradeNames[i]);
    if (!list) continue;
    const auto consider = [&](const json::Value& one) {
      if (!fits(one, reply, judging)) return false;
      graded.grade = static_cast<Grade>(i);
      if (one.is_object()) {
        if (const json::Value* breaks = one.find("breaks")) graded.breaks = breaks->text;
        if (const json::Value* because = one.find("because")) graded.because = because->text;
        note_skip_rest(one, graded);
      }
      return true;
    };
    if (list->is_array()) {
      for (const json::Value& one : list->items)
        if (consider(one)) return graded;
    } else if (consider(*list)) {
      return graded;
    }
  }
  return graded;
}

}  // namespace

bool when_applies(const json::Value* when, const spec::Profile& profile,
                  wire::TransportKind transport) {
  return !when || !when->is_object() || suite::applies(suite::when_of(*when), profile, transport);
}

Graded grade(const json::Value& outcomes, const Reply& reply, const Judging& judging) {
  const json::Value* set = &outcomes;
  if (outcomes.is_string())
    if (const json::Value* named = judging.outcomes.find(outcomes.text)) set = named;
  Graded graded = grade_of(*set, reply, judging);
  if (graded.grade != Grade::kPass) graded.headers = headers_seen(*set, reply, judging);
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
    out.came = oracle::Ended{reply.how};
  } else if (!reply.http) {
    out.came = oracle::Nothing{};
  } else if (reply.http->ended) {
    out.came = oracle::NoMessageInAnswer{};
  } else {
    out.came = oracle::BrokenOff{};
  }
  return out;
}

Grade grade_of_silence(const json::Value& outcomes, const Judging& judging) {
  Reply nothing;
  nothing.canary_answered = true;
  return grade(outcomes, nothing, judging).grade;
}

bool expects_silence(const json::Value& outcomes, const Judging& judging) {
  const Grade grade = grade_of_silence(outcomes, judging);
  return grade == Grade::kPass || grade == Grade::kNote;
}

}  // namespace harness::run
