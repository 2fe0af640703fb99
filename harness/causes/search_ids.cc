// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/causes/searches.h"
#include "harness/results/clue_words.h"
#include "harness/spec/protocol.h"

namespace harness::run {
namespace {

// `each`: nothing else comes back anywhere.
std::string how(trace::Change change, const std::string& example, bool each) {
  switch (change) {
    case trace::Change::kType: return "it comes back as another type, such as " + example;
    case trace::Change::kConstant:
      return example + " comes back" + (each ? " for every request" : " instead");
    case trace::Change::kPrevious: return "the id of the request before comes back";
    case trace::Change::kLost: return "null comes back, or no id at all";
    default: return "something else comes back, such as " + example;
  }
}

// What a reader cannot hold are ids of one kind; the clause about that kind says so.
bool beyond_a_reader(trace::Change change) {
  return change == trace::Change::kFraction || change == trace::Change::kRounded ||
         change == trace::Change::kBits || change == trace::Change::kCut ||
         change == trace::Change::kRecoded;
}

// A result or an error was due, and came.
bool right_but_for_its_id(const Explainer& open, const Clue& clue) {
  const oracle::Wanted& wanted = open.finding_of(clue).wanted;
  if (clue.trigger.valid && clue.trigger.kind == wire::MessageKind::kNotification) return false;
  if (clue.trigger.kind == wire::MessageKind::kBatch && !clue.came.array) return false;
  if (!is_refused(clue)) return wanted.result || wanted.any_result || !wanted.error;
  const auto is = [&](std::int64_t code) { return std::to_string(code) == clue.came.code; };
  if (wanted.any_error) return true;
  if (wanted.codes.empty()) return wanted.error || !wanted.result;
  return std::any_of(wanted.codes.begin(), wanted.codes.end(), is);
}

// The error that was due, under the id of its request.
bool wants_own_id(const Explainer& open, const Clue& clue) {
  const oracle::Wanted& wanted = open.finding_of(clue).wanted;
  return clue.came.message && wanted.id == "own" && !wanted.codes.empty();
}

// All that is refused has ids of one kind, and no request with such an id is served.
bool refuses_a_kind_of_id(const Explainer& open) {
  const Group refused = open.matching([](const Clue& clue) {
    return is_refused(clue) && clue.trigger.valid &&
           clue.trigger.kind == wire::MessageKind::kRequest;
  });
  return cases_of(refused).size() >= kSeveral &&
         common_to(refused, open.clues().served).starts_with("id=");
}

// Of requests whose id is neither a string nor a number.
const std::set<std::string> kOfOtherTypes = {"jsonrpc.id.invalid-type", "jsonrpc.id.null-request",
                                             "mcp.base.request-id.not-string-or-integer",
                                             "mcp.base.request-id.null"};

// Another cause has taken all that string ids meet.
bool string_ids_are_told(const Explainer& open) {
  const auto of_string = [](const Clue& clue) { return has_member(clue, "id=a string"); };
  const auto& clues = open.clues().all;
  return std::any_of(clues.begin(), clues.end(), of_string) && open.matching(of_string).empty();
}

// Methods whose responses all come under an id of another type, though others keep theirs.
std::set<std::string> methods_that_alter(const Explainer& open) {
  const spec::Profile& profile = open.context().profile;
  std::set<std::string> methods;
  for (const Clue& clue : open.clues().all) {
    const auto tally = open.clues().ids.find(clue.ref.case_id);
    if (!clue.altered || !clue.trigger.valid || clue.trigger.kind != wire::MessageKind::kRequest ||
        tally == open.clues().ids.end() || !tally->second.altered.contains(trace::Change::kType))
      continue;
    const std::string& method = clue.trigger.method;
    const bool known =
        profile.layered() ? profile.protocol().find(method, profile) != nullptr : !method.empty();
    if (known && !open.clues().served.contains("method=\"" + method + "\"")) methods.insert(method);
  }
  return methods;
}

// The clue that shows it by what came and not by what did not, if it can be by the clause itself;
// null when none does.
const Clue* shown_by_reply(const Explainer& open, const Group& all, const std::string& clause,
                           trace::Change most) {
  const auto came = [](const Clue* clue) {
    return clue->answered && clue->symptom == oracle::Symptom::kAnswer &&
           clue->trigger.bytes < kLongMessage;
  };
  const auto of_most = [&](const Clue* clue) {
    const auto tally = open.clues().ids.find(clue->ref.case_id);
    return tally != open.clues().ids.end() && tally->second.altered.size() == 1 &&
           tally->second.altered.contains(most);
  };
  const auto by_clause = [&](const Clue* clue) {
    return came(clue) && clue->requirement == clause && clue->oracle.empty();
  };
  auto shown = std::find_if(all.begin(), all.end(),
                            [&](const Clue* clue) { return by_clause(clue) && of_most(clue); });
  if (shown == all.end()) shown = std::find_if(all.begin(), all.end(), by_clause);
  if (shown == all.end()) shown = std::find_if(all.begin(), all.end(), came);
  return shown == all.end() ? nullptr : *shown;
}

// About the id of a part of the message.
constexpr const char* kOfParts = "jsonrpc.request.member-order-irrelevant";
const std::set<std::string> kOfIds = {
    "jsonrpc.id.zero-echo",      "jsonrpc.id.empty-string-echo",
    "jsonrpc.id.negative-echo",  "jsonrpc.id.echo-on-error",
    "jsonrpc.id.string-echo",    "jsonrpc.id.integer-echo",
    "mcp.base.response-same-id", "mcp.base.error-readable-id-required",
    "lsp.requests.id-string",    "lsp.requests.id-integer"};

}  // namespace

bool lacks_only_its_id(const Explainer& open, const Clue& clue) {
  const oracle::Finding& finding = open.finding_of(clue);
  return clue.trigger.valid && clue.trigger.kind == wire::MessageKind::kRequest &&
         is_refused(clue) && finding.came.unnamed &&
         (finding.wanted.any_error || !finding.wanted.codes.empty()) &&
         right_but_for_its_id(open, clue);
}

void ids_altered(Explainer& open) {
  std::size_t strings = 0, numbers = 0, altered = 0, where = 0;
  std::size_t kept_by_errors = 0, altered_by_errors = 0, altered_strings = 0;
  std::map<trace::Change, std::size_t> cases;
  std::string example;
  for (const auto& [id, tally] : open.clues().ids) {
    strings += tally.kept_strings;
    numbers += tally.kept_numbers;
    kept_by_errors += tally.kept_by_errors;
    altered_by_errors += tally.altered_by_errors;
    altered_strings += tally.altered_strings;
    bool here = false;
    for (const auto& [change, count] : tally.altered) {
      if (beyond_a_reader(change)) continue;
      here = true;
      ++cases[change];
      altered += count;
    }
    where += here;
    if (example.empty()) example = tally.example;
  }
  trace::Change most = trace::Change::kNone;
  for (const auto& [change, count] : cases)
    if (most == trace::Change::kNone || count > cases[most]) most = change;
  // Where only strings come back as something else, numbers that are kept say nothing of them.
  const bool of_strings = altered_strings > strings && altered - altered_strings <= numbers;
  // Errors lose what results keep.
  const bool of_errors = most == trace::Change::kLost && altered_by_errors >= altered;
  const std::size_t kept = of_errors                      ? kept_by_errors
                           : of_strings                   ? strings
                           : most == trace::Change::kType ? numbers
                                                          : strings + numbers;
  // Where each reply has the id of the request before, it looks like a late one to that; where it
  // is told at all, it is told of all replies.
  const bool previous = most == trace::Change::kPrevious;
  const bool by_type = most == trace::Change::kType && !of_errors && !of_strings;
  const std::set<std::string> methods =
      by_type ? methods_that_alter(open) : std::set<std::string>();
  const char* plain = of_strings ? "jsonrpc.id.string-echo" : "jsonrpc.id.integer-echo";
  // What comes back as it was sent elsewhere is altered for its value, unless it is for its method.
  const bool of_methods =
      methods.size() >= kSeveral && where >= kSeveral && (altered < kept || open.passes(plain));
  if (!of_methods && (previous ? altered < kSeveral : where < kSeveral || altered < kept)) return;
  if (of_errors && refuses_a_kind_of_id(open)) return;
  if (of_strings && string_ids_are_told(open)) return;
  if (!of_errors && !previous && !of_methods && open.passes(plain)) return;
  if (of_errors && open.passes("jsonrpc.id.echo-on-error")) return;
  const bool each = kept == 0 && cases.size() == 1;
  const bool of_all =
      !of_errors && !of_methods && !of_strings && altered_by_errors > kept_by_errors;
  Cause cause;
  if (of_errors) {
    cause.requirement = open.first_that_applies(
        {"mcp.base.error-readable-id-required", "jsonrpc.id.echo-on-error",
         "mcp.base.response-same-id", "tutorial.jsonrpc.response-id-matches"});
    cause.title = "Errors do not carry the id of their request";
    cause.sentence = (kept == 0 ? "No error carries the id of its request: "
                                : "Most errors do not carry the id of their request: ") +
                     how(most, example, each);
  } else {
    cause.requirement = open.first_that_applies(
        {"mcp.base.response-same-id", plain, "tutorial.jsonrpc.response-id-matches"});
    cause.title = of_strings   ? "Replies do not carry the string ids of their requests"
                  : of_methods ? "Replies to some methods do not carry the id of their request"
                               : "Replies do not carry the id of their request";
    cause.sentence =
        (of_methods ? "Replies to " + std::to_string(methods.size()) + " methods, such as " +
                          *methods.begin() + ", do not carry the id of their request: "
         : kept > 0   ? "Most replies do not carry the id of their request: "
         : of_strings ? "No reply carries a string id of its request: "
                      : "No reply carries the id of its request: ") +
        how(most, example, each);
  }
  // What is no number is read as one.
  const bool read_as_one = of_strings && most == trace::Change::kConstant;
  const Group all = open.claim([&](const Clue& clue) {
    if (of_errors && open.follows(clue.requirement, cause.requirement)) return true;
    if (read_as_one && kOfOtherTypes.contains(clue.requirement)) return true;
    // A reply that is taken for that to another request has another shape.
    static const std::set<std::string> kOfReplies = {"replies", "shapes", "model", "meta"};
    const bool mixed = most == trace::Change::kConstant &&
                       (is_unheard(clue) || has_member(clue, kIdValue + ("=" + example)));
    if (!clue.oracle.empty())
      return previous || mixed ? kOfReplies.count(clue.oracle) != 0 : clue.oracle == "replies";
    const bool unread = clue.trigger.seq != 0 && !clue.trigger.is_json;
    if (clue.symptom == oracle::Symptom::kEnd || unread || clue.requirement == kOfParts)
      return false;
    const auto tally = open.clues().ids.find(clue.ref.case_id);
    const bool here = tally != open.clues().ids.end() && !tally->second.altered.empty();
    const bool seen = (here && (!of_errors || tally->second.altered.contains(most))) ||
                      (of_strings && kept == 0 && has_member(clue, "id=a string")) ||
                      (of_all && is_refused(clue) && kOfIds.contains(clue.requirement)) ||
                      (of_errors && (wants_own_id(open, clue) || lacks_only_its_id(open, clue)));
    if (clue.symptom != oracle::Symptom::kAnswer) return seen || !of_errors;
    return seen &&
           (right_but_for_its_id(open, clue) || (most == trace::Change::kConstant && clue.altered));
  });
  const Clue* shown = shown_by_reply(open, all, cause.requirement, most);
  open.add(std::move(cause), all, shown);
}

void ids_of_one_value(Explainer& open) {
  struct Value {
    const char* text;
    std::vector<std::string> ids;
    std::vector<const char*> clauses;
    const char* of_lsp;
  };
  const char *const zero = "jsonrpc.id.zero-echo", *const empty = "jsonrpc.id.empty-string-echo",
                    *const below = "a negative number";
  const Value values[] = {
      {"0 or \"\"", {"0", "\"\""}, {zero, empty}, "lsp.requests.id-integer"},
      {"0", {"0"}, {zero}, "lsp.requests.id-integer"},
      {"\"\"", {"\"\""}, {empty}, "lsp.requests.id-string"},
      {below, {below}, {"jsonrpc.id.negative-echo"}, "lsp.requests.id-integer"}};
  for (const auto& [text, ids, clauses, of_lsp] : values) {
    std::vector<std::string> words;
    bool kept = false;  // by results
    for (const char* own : clauses) kept |= open.passes(own);
    for (const std::string& id : ids) words.push_back(std::string(kIdValue) + "=" + id);
    for (const std::string& word : words) kept |= open.clues().served.count(word) != 0;
    if (kept) continue;
    const auto of_value = [&](const Clue& clue) {
      return clue.trigger.kind == wire::MessageKind::kRequest && clue.trigger.valid &&
             !is_broken_below(clue) &&
             std::any_of(words.begin(), words.end(), [&](auto& w) { return has_member(clue, w); });
    };
    const auto of_batch = [&](const Clue& clue) {
      return clue.trigger.kind == wire::MessageKind::kBatch && clue.requirement == clauses.front();
    };
    const auto minus = [&](const Clue& clue) {
      return ids.front() == "0" && has_member(clue, std::string(kIdValue) + "=-0");
    };
    const auto lost = [&](const Clue& clue) { return of_value(clue) && is_unheard(clue); };
    const auto altered = [&](const Clue& clue) {
      return of_value(clue) && clue.symptom == oracle::Symptom::kAnswer && !is_unheard(clue) &&
             kOfIds.count(clue.requirement) != 0;
    };
    // What comes under another id leaves one without an answer.
    const bool silent = open.matching(altered).empty() && !open.matching(lost).empty();
    const auto shows = [&](const Clue& clue) { return silent ? lost(clue) : altered(clue); };
    const Group group = open.matching(shows);
    std::set<std::string> broken;
    for (const Clue* clue : group) broken.insert(clue->requirement);
    // Others break the same clauses: it is not the value.
    const bool others =
        !open.matching([&](const Clue& clue) {
               return !of_value(clue) && !of_batch(clue) && clue.trigger.valid &&
                      clue.oracle.empty() && clue.row.empty() &&
                      broken.count(clue.requirement) != 0 && kOfIds.count(clue.requirement) != 0;
             })
             .empty() ||
        (silent && !open.matching([&](const Clue& clue) {
                          return !of_value(clue) && !minus(clue) && is_unheard(clue) &&
                                 clue.trigger.valid && broken.count(clue.requirement) != 0;
                        })
                        .empty());
    const bool each = std::all_of(words.begin(), words.end(), [&](auto& word) {
      return std::any_of(group.begin(), group.end(),
                         [&](const Clue* clue) { return has_member(*clue, word); });
    });
    if (group.empty() || others || !each) continue;
    Cause cause;
    cause.requirement = open.first_must(
        {clauses.front(), of_lsp,
         silent ? "mcp.base.request-id.string-and-integer-accepted" : "mcp.base.response-same-id",
         "mcp.base.response-same-id"});
    const std::string what = std::string("A request whose id is ") + text;
    const auto none = [&](const Clue& clue) { return lost(clue) && clue.oracle.empty(); };
    const bool both = !silent && !open.matching(none).empty();
    const bool unnamed = std::all_of(group.begin(), group.end(), [&](auto* clue) {
      return open.finding_of(*clue).came.unnamed;
    });
    cause.title = what + (silent            ? " is not answered"
                          : both || unnamed ? " is not answered under its id"
                                            : " is answered with another id");
    cause.sentence = what + (silent ? " gets no response, as if it had no id"
                             : both ? " gets no response, or one with another id"
                                    : " is answered, but not with that id");
    const std::set<std::string> cases =
        cases_of(open.matching([&](const Clue& clue) { return of_value(clue) || minus(clue); }));
    const Group all = open.claim([&](const Clue& clue) {
      const bool of_reply = clue.oracle == "replies" ||
                            (clue.oracle == "envelope" && kOfIds.count(clue.requirement) != 0);
      const bool seen = of_reply && (of_value(clue) || cases.count(clue.row) != 0);
      const bool other = !silent && of_value(clue) &&
                         (clue.altered || open.finding_of(clue).came.unnamed) &&
                         right_but_for_its_id(open, clue);
      return shows(clue) || seen || other || of_batch(clue) || (!silent && lost(clue)) ||
             (minus(clue) && (both || clue.altered == !silent)) ||
             (of_value(clue) && silent && !clue.answered &&
              (clue.symptom == oracle::Symptom::kAnswer || clue.symptom == oracle::Symptom::kHang));
    });
    open.add(std::move(cause), all);
  }
}

}  // namespace harness::run
