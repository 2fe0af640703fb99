// SPDX-License-Identifier: Apache-2.0
#include "harness/results/outcome_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "harness/base/ascii.h"
#include "harness/json/write.h"
#include "harness/suite/step.h"

namespace harness::run {
namespace {

using suite::Outcome;
using suite::Outcomes;
using suite::OutcomeWord;

constexpr std::int64_t kMethodNotFound = -32601;

// Whether an outcome can fit at all here: it is not of another profile or transport.
bool possible(const Outcome& outcome, const Judging& judging) {
  if (outcome.when && !suite::applies(*outcome.when, judging.profile, judging.transport))
    return false;
  if (!outcome.http.empty() && !wire::traits_of(judging.transport).http) return false;
  return std::all_of(outcome.all.begin(), outcome.all.end(),
                     [&](const Outcome& one) { return possible(one, judging); });
}

const Outcomes* set_of(const std::string& name, const Judging& judging) {
  const auto found = judging.sets.find(name);
  return found == judging.sets.end() ? nullptr : &found->second;
}

template <class T>
void add_once(T value, std::vector<T>& list) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(std::move(value));
}

// --- words

// What an outcome asks for, from what matters most: {HTTP status 4xx, error -32600, with id null}.
using Parts = std::vector<std::string>;
Parts parts_of(const Outcome& outcome, const Judging& judging);

// "a, b{last}c"
std::string joined(const std::vector<std::string>& words, const char* last = ", or ") {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? last : ", ") + words[i];
  return text;
}

// "error -32600 with id null or without an id": parts that several begin with are said once; what
// may follow is no matter where one may end there.
std::vector<std::string> merged(const std::vector<Parts>& all, std::size_t from) {
  std::vector<std::string> out, told;
  for (const Parts& parts : all) {
    const std::string& head = parts[from];
    if (std::count(told.begin(), told.end(), head) > 0) continue;
    told.push_back(head);
    std::vector<Parts> below;
    bool ends = false;
    for (const Parts& other : all) {
      if (other[from] != head) continue;
      ends |= other.size() == from + 1;
      below.push_back(other);
    }
    std::string text = head;
    if (!ends) {
      const std::string rest = joined(merged(below, from + 1), " or ");
      text += (rest.starts_with("with") ? " " : " with ") + rest;
    }
    out.push_back(std::move(text));
  }
  return out;
}

// A status that another outcome asks for, or its whole class, and nothing besides.
bool is_covered(const Outcome& outcome, const std::vector<Outcome>& list, const Judging& judging) {
  const auto covers = [&](const Outcome& other) {
    return &other != &outcome && possible(other, judging) && parts_of(other, judging).size() == 1 &&
           !outcome.http.empty() &&
           std::all_of(outcome.http.begin(), outcome.http.end(), [&](const std::string& status) {
             const std::string whole = status.substr(0, 1) + "xx";
             return status != whole && std::count(other.http.begin(), other.http.end(), whole) > 0;
           });
  };
  return std::any_of(list.begin(), list.end(), covers);
}

// The set that an outcome is, and nothing besides; null if it is none.
const Outcomes* set_alone(const Outcome& outcome, const Judging& judging) {
  if (outcome.names.size() != 1 || parts_of(outcome, judging).size() != 1) return nullptr;
  const auto* name = std::get_if<std::string>(&outcome.names.front());
  return name ? set_of(*name, judging) : nullptr;
}

void collect(const std::vector<Outcome>& list, const Judging& judging, std::vector<Parts>& all) {
  for (const Outcome& one : list) {
    if (!possible(one, judging) || is_covered(one, list, judging)) continue;
    if (const Outcomes* set = set_alone(one, judging))
      collect(set->pass, judging, all);
    else if (Parts parts = parts_of(one, judging); !parts.empty() && !parts.front().empty())
      all.push_back(std::move(parts));
  }
}

std::vector<std::string> descriptions(const std::vector<Outcome>& list, const Judging& judging) {
  std::vector<Parts> all;
  collect(list, judging, all);
  return merged(all, 0);
}

std::string describe(OutcomeWord word, const Judging& judging) {
  switch (word) {
    case OutcomeWord::kSilence: return "no reply";
    case OutcomeWord::kNormal:
      return judging.canary.answered_by_error
                 ? fmt::format("the usual reply (error {})",
                               judging.usual_error.value_or(kMethodNotFound))
                 : "the usual reply (a result)";
    case OutcomeWord::kAlive: return "the process to keep running";
    case OutcomeWord::kExited: return "the process ended";
    case OutcomeWord::kClosed: return "the connection closed";
    case OutcomeWord::kAnyReply: return "any one reply";
    case OutcomeWord::kLate: return "a late reply";
    case OutcomeWord::kLateUnasked: return "a late reply, if the server asks nothing itself";
  }
  return "";
}
std::string describe(const std::string& name, const Judging& judging) {
  const Outcomes* set = set_of(name, judging);
  return set ? joined(descriptions(set->pass, judging)) : name;
}

bool is_anything(const json::Value& pattern) {
  return pattern.text == "$any" || (pattern.is_object() && pattern.members.empty());
}

// "a result with isError true"
std::string described(const std::string& what, const json::Value& pattern) {
  const std::string members = match::members_of(pattern);
  return members.empty() ? what + " that is " + match::describe(pattern)
                         : what + " with " + members;
}

std::string describe_error(const json::Value& error) {
  const json::Value* code = error.find("code");
  if (error.is_object() && error.members.size() == 1 && code) {
    const json::Value* other = code->find("$not");
    return other ? "an error other than " + match::describe(*other)
                 : "error " + match::describe(*code);
  }
  return is_anything(error) ? "an error" : described("an error", error);
}

std::string describe_message(const json::Value& message) {
  if (message.text == "$absent") return "without a JSON-RPC message";
  const json::Value* other = message.find("$not");
  const std::string members = match::members_of(other ? *other : message);
  if (members.empty()) return match::describe(message);
  return other ? "a message (not with " + members + ")" : "a message with " + members;
}

std::string describe_id(const std::variant<suite::OwnId, json::Value>& wanted) {
  const auto* id = std::get_if<json::Value>(&wanted);
  return !id                     ? "with the id of the request"
         : id->is_null()         ? "with id null"
         : id->text == "$absent" ? "without an id"
                                 : "with id " + match::describe(*id);
}

// What of an HTTP answer is asked for, in the order in which it is read.
void describe_http(const Outcome& outcome, std::vector<std::string>& parts) {
  if (!outcome.http.empty())
    parts.push_back(joined(outcome.http) == "none" ? "no HTTP answer"
                                                   : "HTTP status " + joined(outcome.http, " or "));
  for (const suite::HeaderPattern& header : outcome.headers)
    parts.push_back(header.pattern.text == "$absent"
                        ? "without a header " + header.name
                        : "with a header " + header.name + " that is " +
                              match::describe(header.pattern));
  if (!outcome.body) return;
  const auto* body = std::get_if<json::Value>(&*outcome.body);
  parts.push_back(body ? "with a body that is " + match::describe(*body) : "without a body");
}

Parts parts_of(const Outcome& outcome, const Judging& judging) {
  Parts parts;
  describe_http(outcome, parts);
  if (outcome.result)
    parts.push_back(is_anything(*outcome.result) ? "a result"
                                                 : described("a result", *outcome.result));
  if (outcome.error) parts.push_back(describe_error(*outcome.error));
  if (outcome.id) parts.push_back(describe_id(*outcome.id));
  if (outcome.message)
    parts.push_back((parts.empty() || outcome.message->text == "$absent" ? "" : "with ") +
                    describe_message(*outcome.message));
  if (outcome.separate)
    parts.push_back(
        outcome.separate->size() == 1
            ? "one reply and nothing more"
            : fmt::format("{} separate replies and nothing more", outcome.separate->size()));
  if (outcome.status) parts.push_back("ended with " + match::describe(*outcome.status));
  for (const suite::OutcomeName& name : outcome.names)
    parts.push_back(std::visit([&](const auto& one) { return describe(one, judging); }, name));
  for (const Outcome& one : outcome.all)
    for (std::string& part : parts_of(one, judging)) parts.push_back(std::move(part));
  return parts;
}

void add_headers(const std::vector<Outcome>& list, const Judging& judging,
                 std::vector<std::string>& names) {
  for (const Outcome& one : list) {
    if (!possible(one, judging)) continue;
    add_headers(one.all, judging, names);
    for (const suite::HeaderPattern& header : one.headers) add_once(header.name, names);
  }
}

// --- the value

class Wishes {
 public:
  explicit Wishes(const Judging& judging) : judging_(judging) {}

  oracle::Wanted wanted;

  void add(const std::vector<Outcome>& list) {
    for (const Outcome& one : list)
      if (possible(one, judging_)) add(one);
  }

 private:
  // An error is wanted only where nothing else was before.
  void add(const Outcome& outcome) {
    const bool first = !wanted.result && !wanted.silence && !wanted.end;
    for (const suite::OutcomeName& name : outcome.names)
      std::visit([&](const auto& one) { add(one, first); }, name);
    wanted.result |= outcome.result.has_value();
    if (outcome.id) {
      const auto* id = std::get_if<json::Value>(&*outcome.id);
      const bool pattern = id && (id->is_object() || id->text.starts_with('$'));
      const bool null = id && (id->is_null() || id->text == "$null");
      add_id(!id ? "own" : null ? "null" : pattern ? "" : json::write(*id));
    }
    if (outcome.error) {
      wanted.error |= first;
      const json::Value* code = outcome.error->find("code");
      if (code) add_code(*code);
      wanted.any_error |= code == nullptr;
    }
    for (const std::string& status : outcome.http) add_once(status, wanted.statuses);
    for (const suite::HeaderPattern& header : outcome.headers)
      if (ascii::equal_ignoring_case(header.name, "content-type") && wanted.media.empty())
        wanted.media = media_in(header.pattern);
    add(outcome.all);
  }

  void add(OutcomeWord word, bool first) {
    wanted.silence |= word == OutcomeWord::kSilence;
    wanted.end |= word == OutcomeWord::kExited || word == OutcomeWord::kClosed;
    if (word != OutcomeWord::kNormal) return;
    add_id("own");
    if (judging_.canary.answered_by_error) {
      wanted.error |= first;
      add_once(judging_.usual_error.value_or(kMethodNotFound), wanted.codes);
    } else {
      wanted.result = true;
    }
  }
  void add(const std::string& set, bool) {
    if (const Outcomes* found = set_of(set, judging_)) add(found->pass);
  }

  // Nothing is wanted of it where several may come.
  void add_id(const std::string& id) { wanted.id = ids_++ == 0 || wanted.id == id ? id : ""; }

  void add_code(const json::Value& code) {
    if (const auto number = json::as_integer(code)) add_once(*number, wanted.codes);
    if (const json::Value* any = code.find("$one_of"))
      for (const json::Value& one : any->items) add_code(one);
  }

  // "text/event-stream", also where a regular expression begins with it.
  static std::string media_in(const json::Value& pattern) {
    const json::Value* regex = pattern.find("$regex");
    const json::Value* type = regex ? regex : pattern.find("$media_type");
    std::string_view text = type ? type->text : pattern.text;
    for (const std::string_view before : {"(?i)", "^"})
      if (regex && text.starts_with(before)) text.remove_prefix(before.size());
    text = text.substr(0, text.find_first_of("\\$.*?()[]{}|; "));
    return text.find('/') == text.npos ? "" : std::string(text);
  }

  const Judging& judging_;
  int ids_ = 0;
};

}  // namespace

const Outcomes& whole(const Outcomes& outcomes, const Judging& judging) {
  const Outcomes* set = outcomes.set.empty() ? nullptr : set_of(outcomes.set, judging);
  return set ? *set : outcomes;
}

std::string words_of(const Outcomes& outcomes, const Judging& judging) {
  const Outcomes& all = whole(outcomes, judging);
  const std::vector<std::string> lawful = descriptions(all.pass, judging);
  const std::vector<std::string> tolerated = descriptions(all.note, judging);
  if (tolerated.empty()) return joined(lawful);
  return joined(lawful) + (lawful.empty() ? "" : "; tolerated: ") + joined(tolerated);
}

std::vector<std::string> headers_in(const Outcomes& outcomes, const Judging& judging) {
  std::vector<std::string> names;
  suite::each_grade(whole(outcomes, judging),
                    [&](const std::vector<Outcome>& list) { add_headers(list, judging, names); });
  return names;
}

oracle::Wanted wanted_of(const Outcomes& outcomes, const Judging& judging) {
  Wishes wishes(judging);
  wishes.add(whole(outcomes, judging).pass);
  Wishes tolerated(judging);
  tolerated.add(whole(outcomes, judging).note);
  wishes.wanted.any_error |= tolerated.wanted.any_error;
  wishes.wanted.any_result = tolerated.wanted.result;
  return std::move(wishes.wanted);
}

}  // namespace harness::run
