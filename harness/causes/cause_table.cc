// SPDX-License-Identifier: Apache-2.0
// The order counts: cause_table_test.cc says for each pair that depends on it why.
#include "harness/causes/cause_table.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <set>

#include "harness/causes/cause_row.h"
#include "harness/results/clue_words.h"
#include "harness/causes/searches.h"
#include "harness/results/contact_results.h"
#include "harness/spec/known.h"
#include "harness/spec/protocol.h"

namespace harness::run {
namespace {

using oracle::Symptom;
using wire::MessageKind;
using E = Explainer;
using C = Clue;

// --- of a clue

bool breaks(const C& c, const char* clause) { return c.requirement == clause; }
bool by_case(const C& c) { return c.oracle.empty(); }
// HTTP: whose connection is closed in place of an answer is another matter.
bool hangs(const C& c) { return c.symptom == Symptom::kHang && !c.broken_off; }
bool is_reply(const C& c) { return c.answered && c.symptom == Symptom::kAnswer; }
bool served(const C& c) { return c.came.status / 100 == 2; }

// In the cases that leave a request unfinished, and close its connection.
bool ended_while_unfinished(const C& c, const E& e) {
  return c.symptom == Symptom::kEnd &&
         (e.is_about(c, "robust.client-gone") || e.is_about(c, "robust.connections-beside") ||
          e.is_about(c, "mcp.http.slow-body"));
}

bool is_request(const C& c) { return c.trigger.valid && c.trigger.kind == MessageKind::kRequest; }
bool is_notification(const C& c) {
  return c.trigger.valid && c.trigger.kind == MessageKind::kNotification;
}
bool is_batch(const C& c) { return c.trigger.kind == MessageKind::kBatch; }
bool never_served(const C& c, const E& open) {
  return is_request(c) && open.clues().served.count("method=\"" + c.trigger.method + "\"") == 0;
}
bool is_in_protocol(const C& c, const E& open) {
  const spec::Profile& profile = open.context().profile;
  return profile.protocol().find(c.trigger.method, profile) != nullptr;
}
// Neither does a protocol name it, nor is it one of the server's own.
bool of_unknown_method(const C& c, const E& open) {
  return never_served(c, open) && !is_in_protocol(c, open);
}

bool same_refusal(const C& a, const C& b) { return refusal_text(a.came) == refusal_text(b.came); }

bool wants_status(const C& c, const E& open, const char* status) {
  const auto& statuses = open.finding_of(c).wanted.statuses;
  return std::count(statuses.begin(), statuses.end(), status) > 0;
}

template <class Fits>
bool any_open(const E& open, Fits fits) {
  return !open.matching(fits).empty();
}

template <class Of>
std::size_t different(const Group& group, Of of) {
  std::set<std::string> out;
  for (const C* clue : group) out.insert(of(*clue));
  return out.size();
}
std::size_t clauses_of(const Group& group) {
  return different(group, [](const C& c) { return c.requirement; });
}

// One object for a batch, whatever else is wrong with it.
bool instead_of_array(const C& c) {
  return is_batch(c) && by_case(c) && is_reply(c) && !c.came.array && c.garbled.empty();
}
bool has_no_code(const C& c) {
  const bool no_integer = c.came.code.find_first_not_of("-0123456789") != std::string::npos;
  return is_reply(c) && c.came.status < 400 && !c.came.text.empty() &&
         (c.came.code.empty() || no_integer) && !instead_of_array(c);
}
// Not even where an error may be the reply that is due.
bool error_without_code(const C& c, const E& open) {
  const oracle::Wanted& wanted = open.finding_of(c).wanted;
  return has_no_code(c) && (!c.trigger.valid || !c.oracle.empty() || wanted.error ||
                            wanted.any_error || (c.came.code.empty() && !wanted.codes.empty()));
}
bool is_such_error(const C& c, const Shown& s) {
  return error_without_code(c, s.open) ||
         (has_no_code(c) && c.came.code.empty() &&
          std::any_of(s.group.begin(), s.group.end(),
                      [&](const C* one) { return same_refusal(c, *one); }));
}
// An error is due, and comes with another code.
bool has_other_code(const C& c, const E& open) {
  const oracle::Wanted& wanted = open.finding_of(c).wanted;
  const auto is = [&](std::int64_t code) { return c.came.code == std::to_string(code); };
  return is_reply(c) && !c.came.code.empty() && !wanted.result && !wanted.codes.empty() &&
         std::none_of(wanted.codes.begin(), wanted.codes.end(), is);
}

// With the right code, a method would not be served either.
bool parse_error(const C& c) {
  return c.came.code == "-32700" && !breaks(c, "openrpc.method.served");
}
std::int64_t anyone(const C&) { return 1; }
std::int64_t stdout_first(const C& c) { return c.oracle == "stdout" ? 2 : 1; }
bool of_the_cases(const C& c, const Shown& s) { return s.in_cases(c) || s.by_oracle(c); }
bool of_the_clause(const C& c, const Shown& s) { return c.requirement == s.clause; }

// --- bytes and connections

// In a case of which what leads says that it was garbled.
bool was_garbled(const C& c, const Shown& s) {
  const auto& all = s.open.clues().all;
  return std::any_of(all.begin(), all.end(), [&](const C& other) {
    return other.garbled == s.lead.requirement &&
           (other.ref.case_id == c.ref.case_id || (!by_case(c) && other.ref.case_id == c.row));
  });
}

// The line that belongs to a case in which lines went wrong so.
template <bool C::*Is>
bool in_lines(const C& c, const E& open) {
  const bool of_bytes = c.oracle == "stdout" || c.oracle == "json-output";
  return c.*Is || (of_bytes && any_open(open, [&](const C& other) {
                     return other.*Is && other.ref.case_id == c.row;
                   }));
}

bool at_start(const C& c, const E& open) {
  return breaks(c, "mcp.stdio.no-startup-output") && open.applies(c.requirement);
}
bool written_at_start(const C& c, const Shown& s) {
  const std::string line = line_of(c, s.open);
  const auto same = [&](const C* shown) { return line_of(*shown, s.open) == line; };
  return !line.empty() && std::any_of(s.group.begin(), s.group.end(), same);
}

// --- sessions and connections of HTTP

bool about_sessions(const C& c) { return c.requirement.starts_with("mcp.http.session-"); }
// A method that is never served may be refused so by itself.
bool unknown_session(const C& c, const E& open) {
  return !never_served(c, open) && is_refused(c) && c.came.status == 404 && by_case(c) &&
         c.trigger.valid && !about_sessions(c) && open.clues().sessions_given && open.passed() > 0;
}
bool ends_sessions(const C& c) {
  return breaks(c, "mcp.http.session-delete-without-id") && by_case(c);
}
bool ends_others(const C& c, const E& open) { return unknown_session(c, open) || ends_sessions(c); }
bool refused_like(const C& c, const Shown& s) {
  const C& first = *std::find_if(s.group.begin(), s.group.end(),
                                 [](const C* one) { return !ends_sessions(*one); })[0];
  return ends_sessions(c) || (is_refused(c) && c.came.status == 404 && same_refusal(c, first));
}

bool unserved(const C& c) {
  return !c.came.message && c.symptom != Symptom::kEnd &&
         (c.came.status == 0 || c.came.status == 400 || c.came.status == 501) &&
         (c.trigger.valid || c.wants_stream);
}
bool unserved_again(const C& c, const E&) { return unserved(c) && c.reused; }
// A body that was refused may lie unread, and be taken for the next request.
bool lost_by_refusal(const C& c) {
  return c.reused && !c.came.message && c.came.status == 501 && c.before >= 400;
}
constexpr const char* kReuse = "mcp.http.connection-reuse";

// A request in which nothing but its version is wrong was served, or its method was looked up.
bool whatever_version(const C& c, const E& open) {
  const auto version = c.trigger.members.find("jsonrpc");
  const bool wrong = version == c.trigger.members.end() || version->second != "\"2.0\"";
  return wrong && c.trigger.is_json && !c.trigger.valid && !c.trigger.cut &&
         !c.trigger.method.empty() && (c.wants_error || !open.finding_of(c).wanted.codes.empty()) &&
         is_reply(c) && c.came.message && (!is_refused(c) || c.came.code == "-32601");
}

// Of a session that was ended or never begun; an event has no status.
bool of_gone_session(const C& c, const E& open) {
  return about_sessions(c) && wants_status(c, open, "404");
}

// HTTP: a GET is answered so whether its session is there or not.
bool like_any_get(const C& c, const E& e) {
  return !c.trigger.valid && any_open(e, [&](const C& other) {
    return other.wants_stream && other.came.status == c.came.status;
  });
}

bool session_not_checked(const C& c, const E& e) {
  return by_case(c) && !like_any_get(c, e) && about_sessions(c) && served(c) && c.came.code.empty() &&
         (c.requirement.ends_with("-404") || c.requirement.ends_with("-400") ||
          c.requirement.ends_with("-malformed-id"));
}

// --- handshakes, pings

// What the revision itself defines is no matter of what a client may say beyond it.
std::int64_t about_handshake(const C& c) {
  return std::int64_t{breaks(c, "mcp.lifecycle.version-supported-echo")} +
         std::int64_t{c.requirement.starts_with("mcp.lifecycle.")};
}
bool at_initialize(const C& c, const E&) {
  return is_refused(c) && by_case(c) && c.trigger.method == "initialize" && !c.wants_error;
}

// The version that was asked for comes back, or none where none was asked for.
bool echoes_version(const C& c) {
  const auto asked = c.trigger.members.find("params.protocolVersion");
  const bool none = asked == c.trigger.members.end();
  const auto has = [&](const std::string& value) {
    return c.came.result.find("\"protocolVersion\":" + value) != std::string::npos;
  };
  return c.trigger.method == "initialize" && !c.came.result.empty() &&
         (none ? !has("") || has("null") : has(asked->second));
}

bool usual_refused(const C& c, const E& open) {
  const spec::Canary usual = spec::canary_of(open.context().profile);
  return is_refused(c) && c.trigger.valid && c.trigger.method == usual.method &&
         !usual.answered_by_error;
}
// Another is asked to see whether the target is there.
bool usual_replaced(const Group&, const E& open) {
  const spec::Canary usual = spec::canary_of(open.context().profile);
  return open.asked().method != usual.method || open.asked().answered_by_error;
}
bool about_usual(const C& c, const Shown& s) {
  return by_case(c) && c.trigger.method == spec::canary_of(s.open.context().profile).method;
}

bool canary_answered(const C& c, const E& open) {
  return c.symptom == Symptom::kAnswer && c.trigger.valid && c.came.message && !is_refused(c) &&
         c.trigger.method == open.asked().method && !open.asked().answered_by_error;
}

// --- replies

bool is_garbage(const C& c, const E& open) {
  return oracle::came_as<oracle::NotAMessage>(open.finding_of(c).came) != nullptr;
}
bool has_no_body(const C& c, const E& open) {
  return oracle::came_as<oracle::NoMessageInAnswer>(open.finding_of(c).came) != nullptr;
}

// HTTP: accepted, and the response has no end.
bool accepted_endlessly(const C& c, const E& open) {
  const auto* broken = oracle::came_as<oracle::BrokenOff>(open.finding_of(c).came);
  return broken != nullptr && broken->why == "no-end";
}

// What is to be refused by a status is accepted: it is no answer, and that it comes is no fault.
bool wants_refusal(const C& c, const E& open) {
  const oracle::Wanted& wanted = open.finding_of(c).wanted;
  const auto& statuses = wanted.statuses;
  return !wanted.silence && !statuses.empty() &&
         std::all_of(statuses.begin(), statuses.end(),
                     [](const std::string& status) { return status.starts_with("4"); });
}
bool notification_answered(const C& c, const E& open) {
  return is_reply(c) && is_notification(c) && by_case(c) && !wants_refusal(c, open);
}
// HTTP: by a message. MCP lets what cannot be accepted be refused by an error of its own.
bool notification_replied(const C& c, const E& open) {
  if (!notification_answered(c, open)) return false;
  if (open.context().transport != wire::TransportKind::kHttp) return true;
  if (c.came.status >= 500) return true;  // it was served, and fails
  return c.came.message && (c.came.status < 400 || !open.applies("mcp.http.notification-202"));
}
// What is wrong is the id alone.
bool is_about_ids(const C& c, const E& open) {
  const auto& codes = open.finding_of(c).wanted.codes;
  const auto is = [&](std::int64_t code) { return c.came.code == std::to_string(code); };
  return breaks(c, "mcp.base.error-readable-id-required") ||
         breaks(c, "jsonrpc.id.echo-on-error") || std::any_of(codes.begin(), codes.end(), is);
}
// What names no request may be taken for the answer to the next, or be one of those to a batch. An
// element that is no valid message is owed its error.
bool same_unnamed(const C& c, const Shown& s) {
  // HTTP: each exchange has its own answer.
  const bool apart = s.open.context().transport == wire::TransportKind::kHttp;
  const bool no_request = is_batch(c) || (!c.trigger.valid && c.trigger.seq != 0);
  if (apart && no_request && by_case(c) && !is_notification(c) && !c.came.array) return false;
  // The error that is due to a request may have lost its id for another reason.
  if (is_request(c) && is_refused(c) && is_about_ids(c, s.open)) return false;
  const auto& texts = s.open.finding_of(c).came.texts;
  return std::any_of(s.group.begin(), s.group.end(), [&](const C* shown) {
    const oracle::Observation& came = s.open.finding_of(*shown).came;
    return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
      return std::any_of(came.texts.begin(), came.texts.end(), [&](const std::string& other) {
        // Without an id it is an entry of the answer to a batch; alone it may be any refusal.
        if (!came.unnamed && (!c.came.array || other.find("\"id\":") != other.npos)) return false;
        const bool batch = is_batch(c) && shown->came.code != "-32600" && other.size() > 2;
        return text == other || text == '[' + other + ']' ||
               (batch && text.find(other) != std::string::npos);
      });
    });
  });
}
bool with_notification(const C& c, const Shown& s) {
  static const std::set<std::string> kOfReplies = {"envelope", "replies", "model"};
  const bool own =
      breaks(c, "mcp.base.error-readable-id-required") || breaks(c, "jsonrpc.id.echo-on-error");
  return (kOfReplies.count(c.oracle) != 0 && s.by_oracle(c) && !own) || same_unnamed(c, s);
}

// HTTP: a request, or the canary behind anything, gets a status in place of its response.
bool accepted_only(const C& c, const E& open) {
  const oracle::Observation& seen = open.finding_of(c).came;
  const bool nothing = has_no_body(c, open) || oracle::came_as<oracle::Nothing>(seen) != nullptr;
  const bool bare = nothing && c.requirement == open.canary();
  const int status = bare ? seen.status : c.came.status;
  return by_case(c) && !c.came.message && (status == 202 || status == 204) &&
         (bare || (c.trigger.is_json && c.trigger.kind != MessageKind::kNotification));
}

// An id that some languages take for none.
bool has_no_value(const C& c) {
  const auto id = c.trigger.members.find(kIdValue);
  return id != c.trigger.members.end() &&
         (id->second == "0" || id->second == "-0" || id->second == "\"\"");
}

constexpr const char* kOfBatchedNotes = "jsonrpc.batch.no-response-for-notification";

// HTTP: what was to be accepted by an empty 202.
bool accepted_otherwise(const C& c, const E& open) {
  return c.came.status < 400 && c.symptom == Symptom::kAnswer && wants_status(c, open, "202");
}
std::int64_t of_notification(const C& c) { return breaks(c, "mcp.http.notification-202") ? 1 : 0; }
bool same_status(const C& a, const C& b) { return a.came.status == b.came.status; }

bool batch_refused(const C& c, const E& open) {
  // Where an error is the usual reply to each request, it refuses no batch.
  const bool usual = open.asked().answered_by_error && c.came.code == "-32601";
  return is_batch(c) && c.answered && is_refused(c) && !c.came.array && !usual &&
         (!is_broken_below(c) || instead_of_array(c));
}
bool has_null(const C& c, const E&) { return is_batch(c) && by_case(c) && c.came.null_inside; }
bool batch_answered(const C& c) {
  return is_batch(c) && is_reply(c) && (!is_broken_below(c) || instead_of_array(c)) &&
         c.requirement.find("batch") != std::string::npos &&
         !breaks(c, "jsonrpc.batch.empty-array");  // which is due no array
}

bool in_parts(const C& c, const E&) { return c.trigger.valid && c.came.code == "-32700"; }
bool in_long_parts(const C& c) {
  return c.trigger.valid && c.came.code == "-32700" && c.trigger.bytes >= kLongMessage;
}
bool part_without_id(const C& c, const Shown&) {
  return c.oracle == "replies" && c.came.code == "-32700";
}

bool own_header_unread(const C& c) { return c.trigger.own_header && !c.came.message; }
bool placed(const C& c, const E& open, const char* where) {
  return own_header_unread(c) && (c.row == where || open.finding_of(c).step == where);
}

bool asks_as_complete(const C& c, const E&) { return by_case(c) && c.asks_as_complete; }

bool lacks_array(const C& c, const E&) {
  return c.oracle == "shapes" && c.requirement.ends_with("-array") &&
         c.requirement.find(".list-result-") != std::string::npos && !c.came.result.empty();
}
bool cursor_refused(const C& c) {
  return c.symptom == Symptom::kAnswer && by_case(c) && c.trigger.valid &&
         has_member(c, "params.cursor") && c.requirement.find(".pagination.") == std::string::npos;
}

// The same but for what stands behind the second full stop.
bool of_one_chapter(const std::string& a, const std::string& b) {
  const std::size_t end = b.find('.', b.find('.') + 1) + 1;
  return end != 0 && a.compare(0, end, b, 0, end) == 0;
}

constexpr const char* kDeclaredOnly = "mcp.lifecycle.only-negotiated-capabilities-strict";
constexpr const char* kDeclaredOnlyEarly = "mcp.lifecycle.only-negotiated-capabilities";
constexpr const char* kContinues = "mcp.pagination.cursor-continues";

constexpr const char* kLargeIds = "jsonrpc.id.beyond-safe-integer";
bool is_of_large_ids(const C& c, const E& open) {
  return open.clause_of_case(c, kLargeIds) == kLargeIds;
}

// --- methods that do not exist

bool with_params(const C& c) {
  const auto from = c.trigger.members.lower_bound("params");
  return from != c.trigger.members.end() && from->first.starts_with("params");
}
bool wants_code(const C& c, const E& open, std::int64_t code) {
  const auto& codes = open.finding_of(c).wanted.codes;
  return std::count(codes.begin(), codes.end(), code) > 0;
}
bool is_result(const C& c) {
  return is_reply(c) && c.came.message && !is_refused(c) && is_request(c);
}
constexpr std::array<const char*, 4> kOfUnknown = {"mcp.base.unknown-method",
                                                   "mcp.base.unknown-method-modern",
                                                   "jsonrpc.error.method-not-found-code"};
bool names_unknown(const C& c) {
  return std::any_of(kOfUnknown.begin(), kOfUnknown.begin() + 3,
                     [&](const char* clause) { return breaks(c, clause); });
}
bool some_name_unknown(const Group& group) {
  return std::any_of(group.begin(), group.end(), [](const C* c) { return names_unknown(*c); });
}
std::int64_t unknown_first(const C& c) { return names_unknown(c) ? 2 : 1; }
// Where an error is the usual reply, nobody has any of the methods.
bool about_unknown_method(const C& c, const E& open) {
  if (is_broken_below(c) || c.came.code == "-32601" || in_long_parts(c)) return false;
  const bool unheard = is_unheard(c) && by_case(c);
  // What was to get a result is a method that somebody described.
  const bool other = by_case(c) && !open.asked().answered_by_error && of_unknown_method(c, open) &&
                     !open.finding_of(c).wanted.result && (unheard || wants_code(c, open, -32601));
  return (names_unknown(c) || other) &&
         (is_refused(c) || unheard || (is_result(c) && c.wants_error));
}
bool wrongly_refused(const C& c, const E& open) {
  return about_unknown_method(c, open) && is_refused(c);
}
// Whatever its id, and in each case; else it is the id, or the name.
bool never_refused(const Group& group, const E& open) {
  return is_unheard(*group.front()) &&
         std::any_of(group.begin(), group.end(),
                     [](const C* c) { return c->trigger.members.count(kIdValue) == 0; }) &&
         std::none_of(kOfUnknown.begin(), kOfUnknown.begin() + 3,
                      [&](const char* clause) { return open.passes(clause); });
}
bool same_code(const C& a, const C& b) { return a.came.code == b.came.code; }
bool came_likewise(const C& a, const C& b) {
  return a.symptom == b.symptom && a.answered == b.answered && same_code(a, b) &&
         same_status(a, b) && a.came.message == b.came.message;
}
// What it names was never served, if it names anything.
bool calls_nothing(const C& c, const E& open) {
  const auto name = c.trigger.members.find("params.name");
  return name == c.trigger.members.end() ||
         open.clues().served.count("params.name=" + name->second) == 0;
}
// A code that JSON-RPC does not know.
bool is_own_code(const std::string& code) { return !code.empty() && !code.starts_with("-32"); }
// HTTP: a status, and no message with it.
bool same_status_alone(const C& a, const C& b) {
  return a.came.status >= 400 && same_status(a, b) && !a.came.message && !b.came.message;
}
bool streams_nothing(const C& c, const E& open) {
  return by_case(c) && is_request(c) && c.came.status == 200 && !c.came.message &&
         !is_broken_below(c) && !is_garbage(c, open);
}
bool stays_open(const C& c, const E& open) {
  const auto* broken = oracle::came_as<oracle::BrokenOff>(open.finding_of(c).came);
  return streams_nothing(c, open) && broken && (broken->why == "timeout" || broken->why.empty());
}
bool calls_as_task(const C& c, const E&) {
  const auto task = c.trigger.members.lower_bound("params.task");
  return by_case(c) && c.trigger.method == "tools/call" && task != c.trigger.members.end() &&
         task->first.starts_with("params.task") && is_refused(c) && !c.wants_error &&
         !is_broken_below(c);
}
// Others for the method were served. What calls something that nobody has is as an unknown method.
bool unanswered_for_its_params(const C& c, const E& open) {
  const auto name = c.trigger.members.find("params.name");
  const bool named = name != c.trigger.members.end() && name->second.starts_with('"');
  return by_case(c) && is_request(c) && is_unheard(c) && !never_served(c, open) &&
         c.trigger.method != open.asked().method && !is_broken_below(c) &&
         (!named || !calls_nothing(c, open));
}
// HTTP: what it asks for is there, and the server fails.
bool fails_without_response(const C& c, const E& open) {
  return by_case(c) && is_request(c) && is_refused(c) && c.came.status >= 500 &&
         c.came.code.empty() &&
         (open.context().few || !never_served(c, open) ||
          (is_in_protocol(c, open) && c.trigger.members.count("params.name") != 0));
}
// And not at what breaks the same clause for other methods.
bool fails_by_itself(const C& c, const E& open) {
  return fails_without_response(c, open) && !any_open(open, [&](const C& other) {
    return other.requirement == c.requirement && by_case(other) && is_request(other) &&
           other.trigger.method != c.trigger.method; });
}
// HTTP: so it does for a message with one flaw.
bool fails_at_flaw(const C& c) {
  const bool flawed = !c.trigger.valid && !c.trigger.flaw.empty();
  return (flawed || c.trigger.deep) && is_refused(c) && c.came.status >= 500 && c.came.code.empty();
}
// That is JSON, and none by itself.
bool fails_at_message(const C& c) {
  return c.trigger.is_json && !c.trigger.valid && !c.trigger.deep && !is_batch(c) &&
         c.trigger.seq != 0 && is_refused(c) && c.came.status >= 500 && c.came.code.empty();
}
bool of_one_flaw(const C& a, const C& b) {
  const bool same = a.trigger.flaw == b.trigger.flaw || (!a.trigger.is_json && !b.trigger.is_json);
  return a.trigger.deep == b.trigger.deep && (same || a.trigger.deep);
}
// HTTP: whatever it refuses, in one way. What it serves and fails at is another matter.
bool fails_bare(const C& c, const E& open) {
  return is_refused(c) && c.came.status >= 500 && c.came.code.empty() && !c.came.message &&
         c.trigger.seq != 0 && (!is_request(c) || never_served(c, open));
}
bool fails_bare_at_all(const Group& group, const E& open) {
  const auto any = [&](auto fits) { return std::any_of(group.begin(), group.end(), fits); };
  return any([&](const C* c) { return of_unknown_method(*c, open) &&
             wants_code(*c, open, -32601); }) &&
         any([](const C* c) { return c->trigger.is_json && !c->trigger.valid; });
}
// HTTP: so is a request, of whatever method, by one status or another that blames the client.
bool refused_by_status(const C& c, const E&) {
  return by_case(c) && is_request(c) && is_refused(c) && c.came.status / 100 == 4 &&
         c.came.code.empty() && !breaks(c, "mcp.http.session-unknown-404") &&
         !c.trigger.own_header;
}
bool refuses_by_status(const Group& group, const E& open) {
  const auto kind = [&](const C& c) { return std::string(of_unknown_method(c, open) ? "u" : ""); };
  return different(group, kind) == 2 &&
         !any_open(open, [](const C& c) { return is_reply(c) && !c.came.code.empty(); });
}
// Of "tasks/get", "tasks".
std::string family_of(const C& c) {
  const std::size_t end = c.trigger.method.find('/');
  return end == std::string::npos ? "" : c.trigger.method.substr(0, end);
}
bool refused_otherwise(const C& c, const E& open) {
  const bool of_all = c.came.code.starts_with("-3260") || c.came.code == "-32700";
  // For a method that is served, with params of a wrong kind.
  const bool asks =
      is_request(c) || (!c.trigger.valid && c.trigger.is_json && !is_batch(c) &&
                        open.clues().served.contains("method=\"" + c.trigger.method + "\""));
  return asks && is_refused(c) && c.wants_error && c.came.code.size() > 1 && !of_all &&
         c.came.code[0] != '"' && !open.finding_of(c).wanted.codes.empty();
}
// The same comes for what is not declared, or not served.
bool likewise_unknown(const C& c, const Shown& s) {
  if (c.requirement == s.clause) return !is_broken_below(c);
  const bool unknown = of_unknown_method(c, s.open);
  if (is_refused(s.lead))
    return is_refused(c) && same_code(c, s.lead) &&
           (unknown || (never_served(c, s.open) &&
                        (wants_code(c, s.open, -32601) || is_own_code(c.came.code) ||
                         same_status_alone(c, s.lead))));
  // Whatever is wrong with a result that comes for any method.
  if (is_result(s.lead))
    return is_result(c) &&
           ((c.wants_error && (unknown || wants_code(c, s.open, -32601))) ||
            (!is_in_protocol(s.lead, s.open) && !c.came.result.empty() &&
             c.came.result == s.lead.came.result && !c.requirement.starts_with("jsonrpc.id.")));
  return came_likewise(c, s.lead) &&
         (unknown || never_served(c, s.open) || (c.wants_error && calls_nothing(c, s.open)));
}
bool same_clause_or_code(const C& a, const C& b) {
  return a.requirement == b.requirement || (is_refused(a) && same_code(a, b));
}
bool same_clause_or_reply(const C& a, const C& b) {
  return a.requirement == b.requirement || came_likewise(a, b);
}

// Its case, or that in which an oracle saw it, shows something of messages sent together.
bool sends_together(const C& c, const E& open) {
  const std::string& own = by_case(c) ? c.ref.case_id : c.row;
  const std::vector<Clue>& all = open.clues().all;
  return c.together || std::any_of(all.begin(), all.end(), [&](const C& other) {
           return other.together && other.ref.case_id == own;
         });
}

// An id that its case, or that in which an oracle saw it, gave comes back so.
bool changes(const C& c, const E& open, trace::Change change) {
  const auto tally = open.clues().ids.find(by_case(c) ? c.ref.case_id : c.row);
  return tally != open.clues().ids.end() && tally->second.altered.count(change) != 0;
}
// In another encoding.
bool recodes_ids(const C& c, const E& open) {
  return is_reply(c) && c.altered && c.trigger.odd && changes(c, open, trace::Change::kRecoded);
}

// An ordinary integer as id comes back as another number.
bool rounds_ids(const C& c, const E& open) {
  return is_reply(c) && c.altered &&
         (c.requirement.starts_with("jsonrpc.id.") || breaks(c, "mcp.base.response-same-id")) &&
         (changes(c, open, trace::Change::kRounded) || changes(c, open, trace::Change::kBits));
}

// Only names in plain ASCII show that it is not the characters they stand for.
bool has_escapes(const C& c, const E&) {
  static const std::set<std::string> kOfEscapes = {
      "json.valid.escaped-member-names", "json.valid.nul-escape", "json.valid.surrogate-pair",
      "json.valid.string-escapes", "json.valid.noncharacters"};
  return kOfEscapes.count(c.requirement) != 0 && !is_broken_below(c);
}

// A valid message is no JSON to the target.
bool unread(const C& c) {
  return c.trigger.valid && c.came.code == "-32700" && c.trigger.bytes < kLongMessage &&
         !is_broken_below(c);
}
const char* const kOfStringIds = "id=a string";
bool is_of_json(const C& c) {
  return c.requirement.starts_with("json.") || breaks(c, "mcp.base.utf8");
}

struct Entry {
  CauseRow row;
  void (*search)(Explainer&) = nullptr;
};
CauseRow named(const char* name) { return {.name = name, .wants = nullptr}; }

// clang-format off
const Entry kTable[] = {

    // --- an odd first contact: cases see the same of it
    {{.name = "contact framing",
      .wants = [](const C& c, const E&) { return c.ref.case_id == kOddFraming; },
      .how = Cite::kOwn}},
    {{.name = "no handshake",
      .wants = [](const C& c, const E&) { return c.ref.case_id == kNoHandshake; },
      .how = Cite::kOwn,
      .takes = [](const C& c, const Shown& s) { return c.symptom != Symptom::kEnd &&
          (c.trigger.method == "initialize" || c.requirement == s.clause ||
          // What it declares was not read.
          c.requirement.starts_with("mcp.capabilities.") ||
          s.open.follows(c.requirement, s.clause)); }}},
    {{.name = "contact version",
      .wants = [](const C& c, const E&) { return c.ref.case_id == kOddVersion; }, .how = Cite::kOwn,
      .takes = [](const C& c, const Shown&) { return
          c.requirement.starts_with("mcp.lifecycle.version-"); }}},
    {{.name = "contact connection",
      .wants = [](const C& c, const E&) { return c.ref.case_id == kOneEach; }, .how = Cite::kOwn,
      .takes = [](const C& c, const Shown& s) { return s.clause.starts_with("mcp.sse.")
          // Nobody asked for it on the connection where it came.
          ? c.oracle == "replies" && c.trigger.seq == 0
          // Who serves one client answers all that it sends.
          : s.clause != "robust.connections-beside" && c.symptom != Symptom::kAnswer &&
                sends_together(c, s.open); }}},
    // So is the error for a method that nobody has.
    {{.name = "parse errors alone", .wants = [](const C& c, const E& e) { return
          e.clues().usual_error == -32700 && parse_error(c) && c.trigger.valid && is_request(c); },
      .rank = anyone, .cites = {"jsonrpc.error.method-not-found-code", "mcp.errors.standard-codes"},
      .takes = [](const C& c, const Shown&) { return parse_error(c); },
      .title = "Valid requests are answered with a parse error",
      .sentence = "Requests that are valid JSON are answered with error -32700"}},
    // Both are facts of the first contact; nothing else is sent together then.
    {{.name = "together as one", .wants = [](const C& c, const E& e) { return
          e.clues().reads_as_one && c.together && by_case(c); },
      .rank = [](const C& c) { return 1 + std::int64_t{c.came.code == "-32700"} +
          2 * std::int64_t{breaks(c, "jsonrpc.request.pipelined") ||
          breaks(c, "mcp.stdio.coalesced-input")}; },
      .how = Cite::kBroken, .cites = {"jsonrpc.request.pipelined", "mcp.stdio.coalesced-input"},
      // Nor is a message that takes several reads put together.
      .takes = [](const C& c, const Shown& s) { return sends_together(c, s.open) ||
          c.trigger.bytes >= kLongMessage; },
      .title = "Messages that arrive together are read as one",
      .sentence = "Requests that are sent in one write are not all answered; each alone is"}},
    {{.name = "ids mixed up", .wants = [](const C& c, const E& e) { return
          e.clues().mixes_ids && c.together && by_case(c); },
      .cites = {"mcp.base.response-same-id", "jsonrpc.id.echo-on-error"},
      .takes = [](const C& c, const Shown& s) { return sends_together(c, s.open); },
      .title = "Responses carry the id of another request",
      .sentence = "While several requests are in progress, the response to one carries the id of "
                  "another"}},
    {{.name = "parallel posts", .wants = [](const C& c, const E&) { return by_case(c) &&
          breaks(c, "mcp.http.concurrent-posts"); }, .how = Cite::kOwn,
      .takes = [](const C& c, const Shown& s) { return sends_together(c, s.open) ||
          breaks(c, "mcp.http.json-one-object") || (c.came.array && !is_batch(c)); },
      .by_clause = true}},

    // --- what ends the target: nothing else takes an end
    {{.name = "ended after shutdown",
      .wants = [](const C& c, const E& e) { return c.symptom == Symptom::kEnd &&
          c.after == "shutdown" && e.applies("lsp.shutdown.requests-refused"); },
      .cites = {"lsp.shutdown.requests-refused"},
      .title = "A request after shutdown ends the process",
      .sentence = "A request after shutdown ends the process; it must be refused"}},
    {{.name = "ended by who hangs up", .wants = ended_while_unfinished,
      .cites = {"robust.client-gone"},
      .takes = [](const C& c, const Shown& s) { return c.symptom == Symptom::kEnd &&
          !c.why.empty() && c.why == s.lead.why; },
      .title = "A client that hangs up in the middle of a request ends the process",
      .sentence = "The process ends when a connection is closed before the end of a request's "
                  "body"}},
    {{.name = "frames broken", .wants = [](const C& c, const E&) { return
          breaks(c, "ws.frame.server-valid"); }, .how = Cite::kOwn,
      .takes = [](const C& c, const Shown&) { return
          c.end.find("protocol error: a ") != std::string::npos; }}},
    {named("ended by the handshake"), ended_by_the_handshake},
    {named("too long"), too_long},
    {named("ended once"), ended_once},
    {named("wedged once"), wedged_once},
    {named("ended"), ended},

    // --- bytes that belong to no message
    // HTTP: a second answer on a connection, or anything else behind the end of one.
    {{.name = "behind the answer", .wants = [](const C& c, const E&) { return c.surplus; },
      .how = Cite::kOwn, .takes = [](const C& c, const Shown& s) { return
          c.garbled == s.clause || c.oracle == "replies"; },
      .title = "An HTTP response is followed by extra bytes",
      .sentence = "After the end of an HTTP response the server sends more bytes, and the next "
                  "request on the connection gets them as its response"}},
    {{.name = "without an end", .wants = [](const C& c, const E&) { return c.unended; },
      .how = Cite::kOwn, .takes = [](const C& c, const Shown& s) { return
          c.garbled == s.clause || c.oracle == "replies"; },
      .title = "HTTP responses do not come to their end",
      .sentence = "The response has fewer bytes than its head states, or no end, so clients wait "
                  "for the rest or give up"}},
    // The framing is that of the Language Server Protocol, whatever is framed.
    {{.name = "length in characters", .wants = [](const C& c, const E&) { return c.misframed; },
      .when = [](const Group&, const E& e) { return e.clues().misframed_wide > 1 &&
          e.clues().misframed_ascii == 0; },
      .rank = anyone, .how = Cite::kAny, .cites = {"lsp.framing.length-bytes-out"},
      .takes = was_garbled, .title = "Content-Length counts characters, not bytes",
      .sentence = "Content-Length counts a non-ASCII character as one byte, so messages with "
                  "such characters are cut off"}},
    {{.name = "wrong length", .wants = [](const C& c, const E&) { return c.misframed; },
      .rank = anyone, .how = Cite::kAny, .cites = {"lsp.framing.length-bytes-out"},
      .takes = was_garbled, .title = "Content-Length is not the length of the message",
      .sentence = "After the number of bytes that the header states, something other than a "
                  "header follows"}},
    {{.name = "long line in parts", .wants = in_lines<&C::parted>, .rank = stdout_first,
      .cites = {"mcp.stdio.long-output-line"}, .takes = of_the_cases,
      .title = "A long message is not written as one line",
      .sentence = "A long message is not one line: it is cut, or runs into another message"}},
    {{.name = "lines mixed", .wants = in_lines<&C::mixed>, .rank = stdout_first,
      .cites = {"mcp.stdio.stdout-only-messages", "json.output.grammar"},
      // Two may be written at the same time and yet one behind the other, without an end between.
      .takes = [](const C& c, const Shown& s) { return of_the_cases(c, s) ||
          (s.clause == "json.output.grammar" && was_garbled(c, s)); },
      .title = "Messages are interleaved",
      .sentence = "A message begins inside another on the same line: two are written at the same "
                  "time, and neither can be read"}},
    {{.name = "output at the start", .wants = at_start,
      .when = [](const Group& group, const E& e) { return std::any_of(group.begin(),
          group.end(), [&](const C* c) { return !line_of(*c, e).empty(); }); },
      .rank = stdout_first, .cites = {"mcp.stdio.no-startup-output"}, .takes =
          [](const C& c, const Shown& s) {
            // Is it all that came besides messages, then what was taken for an answer is it, too.
            const bool all = !any_open(s.open, [&](const C& other) {
              return other.oracle == "stdout" && !at_start(other, s.open) &&
                     !written_at_start(other, s); }); return written_at_start(c, s) ||
                   (all && c.garbled == "mcp.stdio.stdout-only-messages" && by_case(c) &&
                   !(is_request(c) && is_reply(c) && c.came.message)); },
      .title = "The process writes something other than messages when it starts",
      .sentence = "The first output on stdout is not a message: {line}"}},

    // --- sessions, connections, credentials
    {{.name = "session ids given twice", .wants = [](const C& c, const E& e) { return by_case(c) &&
          breaks(c, "mcp.http.session-id-unique-random") &&
          e.finding_of(c).step == "after DELETE"; }, .how = Cite::kOwn,
      .takes = [](const C& c, const Shown& s) { return unknown_session(c, s.open) ||
          (hangs(c) && c.came.status == 404); },
      .title = "A session id is given to a second session",
      .sentence = "After a session was ended, a new one gets the id of one that is open"}},
    // The DELETE of a session that another case had may have come meanwhile.
    {{.name = "sessions ended by DELETE", .wants = ends_others,
      .when = [](const Group& group, const E&) { return !std::all_of(group.begin(), group.end(),
          [](const C* c) { return ends_sessions(*c); }); },
      .rank = [](const C& c) { return std::int64_t{ends_sessions(c) && served(c)}; },
      .cites = {"mcp.http.session-delete-without-id"}, .takes = refused_like,
      .title = "Sessions in use are ended",
      .sentence = "After a DELETE with a missing or unknown session id, the requests of other "
                  "sessions are refused"}},
    {{.name = "sessions lost", .wants = unknown_session,
      .when = [](const Group& group, const E&) { return clauses_of(group) > 1; }, .least = kSeveral,
      .cites = {"mcp.lifecycle.concurrent-sessions", "mcp.http.session-isolation"},
      .takes = refused_like, .title = "Sessions in use are ended",
      .sentence = "Requests of an open session are refused with {refusal}, while other sessions "
                  "begin and end"}},
    {named("refused altogether"), refused_altogether},
    {{.name = "one request a connection", .wants = unserved_again, .when =
          [](const Group& group, const E& e) {
            const bool first = any_open(e, [](const C& c) { return unserved(c) && !c.reused; });
            const bool seen =
                any_open(e, [](const C& c) { return breaks(c, kReuse) && by_case(c) &&
                    !is_broken_below(c); });
            return seen ||
                   (e.clues().reused_answered == 0 && !first && cases_of(group).size() >= kSeveral);
          }, .cites = {kReuse}, .takes = of_the_clause,
      .title = "The second request on a connection is not answered",
      .sentence = "Only the first request on a connection is answered, and the server does not "
                  "announce that it closes the connection"}},
    {{.name = "connection lost by a refusal",
      .wants = [](const C& c, const E& e) { return unserved_again(c, e) && lost_by_refusal(c); },
      .cites = {kReuse},
      // Unless every GET is answered so.
      .takes = [](const C& c, const Shown& s) { return of_the_clause(c, s) ||
          (lost_by_refusal(c) && !any_open(s.open, [](const C& other) {
            return other.wants_stream && other.came.status == 501 && !lost_by_refusal(other);
          })); },
      .title = "A connection cannot be used after a refused request",
      .sentence = "The request after a refused one is answered with HTTP 501, as if the body of "
                  "the refused request were part of it"}},
    // Cases about something else fail at their handshake, as one about the handshake does.
    {{.name = "initialize refused", .wants = at_initialize, .least = 2, .rank = about_handshake,
      .alike = [](const C& a, const C& b) { return same_code(a, b) && same_status(a, b); },
      .how = Cite::kOwn, .title = "initialize is refused",
      .sentence = "initialize is refused with {refusal}"}},
    {{.name = "version echoed",
      .wants = [](const C& c, const E&) { return by_case(c) && echoes_version(c) &&
          breaks(c, "mcp.lifecycle.version-negotiation-fallback"); }, .how = Cite::kOwn,
      .takes = [](const C& c, const Shown&) { return echoes_version(c) &&
          c.requirement.starts_with("mcp.lifecycle.") &&
          c.requirement.find(".server-info") == std::string::npos; },
      .title = "initialize accepts any protocolVersion",
      .sentence = "initialize is answered with the version that was asked for, whatever it is"}},
    {{.name = "ended sessions answered",
      .wants = [](const C& c, const E& e) { return of_gone_session(c, e) && by_case(c) &&
          is_refused(c) && c.came.status < 400 && !like_any_get(c, e); },
      .how = Cite::kBroken, .cites = {"mcp.http.session-terminated-404"},
      // The same comes to what is of no session at all.
      .takes = [](const C& c, const Shown& s) { return of_gone_session(c, s.open) ||
          (same_refusal(c, s.lead) && (about_sessions(c) || c.oracle == "replies" ||
          c.oracle == "envelope" || c.requirement.starts_with("mcp.lifecycle."))); },
      .title = "A terminated session is not answered with HTTP 404",
      .sentence = "Requests of a session that was ended or never begun are answered with "
                  "{refusal}"}},
    {{.name = "ended sessions refused otherwise",
      .wants = [](const C& c, const E& e) { return of_gone_session(c, e) && by_case(c) &&
          is_refused(c) && c.came.status >= 400 && !like_any_get(c, e); },
      .when = [](const Group& group, const E&) { return clauses_of(group) > 1; },
      .alike = same_refusal, .how = Cite::kBroken, .cites = {"mcp.http.session-terminated-404"},
      .title = "A terminated session is not answered with HTTP 404",
      .sentence = "Requests of a session that was ended or never begun are answered with "
                  "{refusal}"}},
    {{.name = "sessions of streams not looked at", .wants = session_not_checked,
      .when = [](const Group& group, const E&) { return clauses_of(group) > 1 &&
          std::none_of(group.begin(), group.end(), [](const C* c) { return c->trigger.valid; }); },
      .how = Cite::kBroken, .cites = {"mcp.http.session-terminated-404"},
      .title = "GET is served whatever its session id is",
      .sentence = "GET opens a stream although its Mcp-Session-Id is missing, unknown or ended"}},
    {{.name = "sessions not looked at", .wants = session_not_checked,
      .when = [](const Group& group, const E&) { return clauses_of(group) >= kSeveral; },
      .how = Cite::kBroken, .cites = {"mcp.http.session-terminated-404"},
      .title = "Session ids are not checked",
      .sentence = "Requests are served whatever their Mcp-Session-Id says: {methods}"}},
    {{.name = "fragments apart",
      .wants = [](const C& c, const E&) { return breaks(c, "ws.frame.fragmentation") &&
          by_case(c) && c.came.code == "-32700"; }, .how = Cite::kOwn,
      .takes = [](const C& c, const Shown& s) { return (c.trigger.raw_frames &&
          same_code(c, s.lead)) || breaks(c, "ws.frame.control-between-fragments") ||
          (c.oracle == "replies" && (s.by_oracle(c) ||
          c.row == "ws/frame/control-between-fragments")); },
      .title = "A fragmented message is not reassembled",
      .sentence = "A message in several frames is answered with {refusal}"}},
    {{.name = "refused without a status",
      .wants = [](const C& c, const E& e) { return by_case(c) && served(c) &&
          !c.came.code.empty() && wants_status(c, e, "401"); },
      .cites = {"mcp.auth.401-when-required"},
      .takes = [](const C& c, const Shown& s) { return (served(c) && same_refusal(c, s.lead)) ||
          s.by_oracle(c); },
      .title = "Requests without valid credentials are not answered with HTTP 401",
      .sentence = "A request without valid credentials is answered with HTTP {status}, {refusal}"}},
    {{.name = "length comes first",
      .wants = [](const C& c, const E& e) { return placed(c, e, "before the length"); },
      .when = [](const Group&, const E& e) { return !any_open(e, [&](const C& c) { return
          placed(c, e, "behind the length"); }); },
      .least = 2, .how = Cite::kBroken, .cites = {"lsp.framing.content-type-in"},
      .takes = [](const C& c, const Shown&) { return own_header_unread(c); },
      .title = "Content-Length is read as the first header field only",
      .sentence = "A message with another header field before Content-Length is not read; with "
                  "that field after Content-Length, it is"}},
    // A reader of numbers alone takes it for no JSON, or for no request.
    {{.name = "string ids refused",
      .wants = [](const C& c, const E&) { return by_case(c) && is_request(c) && is_refused(c) &&
          !c.wants_error && c.trigger.bytes < kLongMessage && !is_broken_below(c) &&
          has_member(c, kOfStringIds); },
      .when = [](const Group&, const E& e) { return
          !e.clues().served.contains(kOfStringIds); },
      .least = kSeveral, .alike = same_refusal,
      .cites = {"mcp.base.request-id.string-and-integer-accepted", "jsonrpc.id.string-echo",
                "lsp.requests.id-string"},
      // Text that reads as a number may be served as one.
      .takes = [](const C& c, const Shown&) { return has_member(c, kOfStringIds) &&
          (is_refused(c) || !c.came.message); },
      .title = "A request whose id is a string is refused",
      .sentence = "A request whose id is a string is refused with {refusal}"}},
    {{.name = "ASCII alone is read",
      .wants = [](const C& c, const E&) { return by_case(c) && unread(c) && c.trigger.odd; },
      .when = [](const Group& group, const E&) { return clauses_of(group) > 2 &&
          std::any_of(group.begin(), group.end(), [](const C* c) { return
          breaks(*c, "json.valid.raw-utf8"); }); },
      .how = Cite::kBroken, .cites = {"json.valid.raw-utf8"},
      .takes = [](const C& c, const Shown&) { return unread(c) && c.trigger.odd; },
      .title = "Characters beyond ASCII are refused as invalid JSON",
      .sentence = "A message with a character beyond ASCII is refused with {refusal}"}},
    // Cases about something else meet the same text.
    {{.name = "valid JSON refused",
      .wants = [](const C& c, const E&) { return by_case(c) && is_of_json(c) && unread(c); },
      .alike = [](const C& a, const C& b) { return a.requirement == b.requirement; },
      .how = Cite::kOwn, .takes = [](const C& c, const Shown& s) { return
          !is_of_json(c) && unread(c) && same_refusal(c, s.lead); }, .by_clause = true,
      .again = true}},
    {named("ids altered"), ids_altered},

    // --- the request that every server of the profile answers
    // Everything looks broken without it; where another was asked in its place, nothing else does.
    {{.name = "usual canary refused", .wants = usual_refused, .when = usual_replaced,
      .cites = {kOfUsual}, .takes = about_usual, .title = "{usual} is refused",
      .sentence = "{usual} is answered with {refusal}; everything else was judged without it"}},
    {{.name = "canary refused", .wants = usual_refused,
      .when = [](const Group&, const E& e) { return e.clues().canaries_answered == 0; },
      .least = kSeveral, .cites = {kOfUsual}, .takes = about_usual, .title = "{usual} is refused",
      .sentence = "{usual} is answered with {refusal}; requests that were sent with it could not "
                  "be judged"}},
    {{.name = "canary answered wrongly",
      .wants = [](const C& c, const E& e) { return canary_answered(c, e) && by_case(c) &&
          c.requirement == e.canary(); }, .least = kSeveral, .cites = {kOfCanary},
      // What is wrong with its id is another matter.
      .takes = [](const C& c, const Shown& s) { return (canary_answered(c, s.open) &&
          !c.altered) || (c.oracle == "shapes" && !c.came.result.empty() &&
          c.came.result == s.lead.came.result); }, .by_clause = true}},
    // HTTP: the response comes elsewhere or not at all.
    {{.name = "answered on the GET stream",
      .wants = [](const C& c, const E&) { return breaks(c, "mcp.http.get-no-responses"); },
      .when = [](const Group&, const E& e) { return any_open(e, [&](const C& c) {
          return accepted_only(c, e); }); }, .how = Cite::kOwn,
      .takes = [](const C& c, const Shown& s) { return accepted_only(c, s.open) ||
          (c.oracle == "model" && !c.came.message && c.came.status == 202); },
      .title = "Responses come on a GET stream",
      .sentence = "While a client has a GET stream open, the response to a POST comes there, and "
                  "the POST is answered with a bare HTTP status"}},
    {{.name = "requests accepted only", .wants = accepted_only,
      .when = [](const Group& group, const E& e) { return std::any_of(group.begin(),
          group.end(), [&](const C* c) { return c->requirement == e.canary(); }); },
      .least = kSeveral, .cites = {"mcp.http.request-content-type", "mcp.http.response-eventually"},
      .takes = [](const C& c, const Shown& s) { return (s.by_oracle(c) && !c.came.message) ||
          (s.in_cases(c) && c.requirement == s.open.canary()); },
      .title = "Requests are answered like notifications",
      .sentence = "A request is answered with HTTP {status} without a body, not with its "
                  "response or a stream that carries it"}},

    // --- what has it fall silent
    {{.name = "blocked by a call",
      .wants = [](const C& c, const E&) { return hangs(c) && c.busy && c.came.status == 0; },
      .least = 2, .cites = {"mcp.stdio.concurrent-requests", "mcp.ping.prompt", kOfCanary},
      .takes = [](const C& c, const Shown& s) { return of_the_clause(c, s) ||
          (hangs(c) && c.waits_for_us); }, .title = "The server reads nothing else during a call",
      .sentence = "During a call the server answers no other request and reads nothing that "
                  "belongs to the call"}},
    {{.name = "held up by a body",
      .wants = [](const C& c, const E&) { return hangs(c) && c.trigger.unfinished; },
      .cites = {"mcp.ping.prompt", "jsonrpc.request.reply-exactly-one", kOfCanary},
      .takes = [](const C& c, const Shown& s) { return hangs(c) && s.in_cases(c); },
      .title = "An unfinished body blocks other requests",
      .sentence = "While the body of one POST is unfinished, the server answers nothing on other "
                  "connections, not even {canary}"}},
    {{.name = "second of a read lost",
      .wants = [](const C& c, const E&) { return hangs(c) && c.crowded; },
      .when = [](const Group&, const E& e) { return e.clues().crowded_answered == 0 &&
          e.clues().canaries_answered > 0; },
      .least = kSeveral, .cites = {"mcp.stdio.coalesced-input"},
      .takes = [](const C& c, const Shown&) { return hangs(c); },
      .title = "Only the first of several messages in one read is answered",
      .sentence = "A {canary} directly after another message is never answered; a single one is"}},
    {{.name = "held back", .wants = [](const C& c, const E&) { return c.held_back; },
      .least = kSeveral, .cites = {"mcp.stdio.flush"},
      .takes = [](const C& c, const Shown& s) { return by_case(c) && s.in_cases(c) &&
          c.symptom == Symptom::kSilence; }, .title = "A reply is held back until the next message",
      .sentence = "The reply to {method} comes only after another message is sent: it is not "
                  "flushed when it is ready"}},
    {{.name = "canary silent", .wants = [](const C& c, const E&) { return hangs(c); }, .when =
          [](const Group& group, const E& e) {
            // Where it is answered otherwise, what all of them are may be what silences it.
            const bool odd = std::all_of(group.begin(), group.end(), [&](const C* c) {
              return !c->trigger.valid && c->trigger.seq != 0 &&
                     kind_of(*c) == kind_of(*group.front()); });
            return cases_of(group).size() > e.passed() && !(odd && e.clues().canaries_answered > 0);
          }, .least = kSeveral, .cites = {"mcp.ping.prompt", kOfCanary},
      .title = "{canary} is not answered, or too late",
      .sentence = "{canary} gets no reply before the timeout, whatever was sent before it"}},
    {named("wedged"), wedged},

    // --- what comes where it should not, or not as it should
    {{.name = "replied again",
      .wants = [](const C& c, const E& e) { return c.oracle == "replies" &&
          (breaks(c, "jsonrpc.request.reply-exactly-one") ||
           breaks(c, "mcp.base.jsonrpc-conformance")) && e.finding_of(c).flaw == "again"; },
      .how = Cite::kOwn,
      .takes = [](const C& c, const Shown& s) { return c.oracle == "replies" &&
          s.open.finding_of(c).flaw == "again"; },
      .title = "A request is answered more than once",
      .sentence = "A second response has the id of a request that was answered before"}},
    {{.name = "responses answered", .wants = [](const C& c, const E& e) { return
          c.oracle == "replies" && e.finding_of(c).flaw == "to a response"; },
      .how = Cite::kOwn,
      .takes = [](const C& c, const Shown& s) { return s.open.finding_of(c).flaw ==
          "to a response" || breaks(c, "mcp.base.unexpected-response-ignored") ||
          (by_case(c) && is_reply(c) && (c.trigger.kind == MessageKind::kResponse ||
          c.trigger.kind == MessageKind::kErrorResponse)); },
      .title = "Responses of the client are answered",
      .sentence = "A response of the client to a request of the server is answered, but must get "
                  "no reply"}},
    {{.name = "notifications closed",
      .wants = [](const C& c, const E&) { return c.broken_off && c.trigger.valid &&
          is_notification(c) && by_case(c); },
      .cites = {"mcp.http.notification-202", "mcp.base.notification-no-response"},
      .title = "Notifications get no HTTP response",
      .sentence = "The connection is closed without an HTTP response to a notification"}},
    // Those that fail, also in a batch; what can be served gets no response.
    {{.name = "failing notifications answered",
      .wants = [](const C& c, const E& e) { return by_case(c) &&
          ((is_refused(c) && notification_answered(c, e)) || breaks(c, kOfBatchedNotes)); },
      .when = [](const Group& group, const E& e) {
          return e.passes("jsonrpc.notification.no-reply") && std::any_of(group.begin(),
          group.end(), [](const C* c) { return is_notification(*c); }); },
      .how = Cite::kBroken, .cites = {"jsonrpc.notification.unknown-method-no-reply",
                "jsonrpc.notification.no-reply"},
      .takes = [](const C& c, const Shown& s) { return breaks(c, kOfBatchedNotes) ||
          with_notification(c, s); }, .title = "Notifications that fail are answered",
      .sentence = "A notification that cannot be served is answered with {refusal}"}},
    {{.name = "notifications answered", .wants = notification_replied,
      .least = 2, .alone = true, .how = Cite::kBroken,
      .cites = {"mcp.base.notification-no-response", "jsonrpc.notification.no-reply"},
      .takes = [](const C& c, const Shown& s) { return with_notification(c, s) ||
          breaks(c, kOfBatchedNotes) || (notification_answered(c, s.open) && c.came.status < 400) ||
          (c.trigger.kind == MessageKind::kNotification &&
           breaks(c, "jsonrpc.error.invalid-request-code")); },
      .title = "Notifications are answered",
      .sentence = "A notification is answered, but must get no response"}},
    {{.name = "unknown notifications answered",
      .wants = [](const C& c, const E& e) { return notification_replied(c, e) &&
          breaks(c, "jsonrpc.notification.unknown-method-no-reply"); },
      .cites = {"jsonrpc.notification.unknown-method-no-reply"}, .takes = with_notification,
      .title = "Notifications of unknown methods are answered",
      .sentence = "A notification of a method that the server does not have is answered; it must "
                  "get no response"}},
    // Nobody knows whether a body comes; none was seen.
    {{.name = "accepted without an end",
      .wants = [](const C& c, const E& e) { return accepted_endlessly(c, e) && by_case(c) &&
          is_notification(c); },
      .cites = {"mcp.http.notification-202", "mcp.base.notification-no-response"},
      .takes = [](const C& c, const Shown& s) { return accepted_endlessly(c, s.open) ||
          (c.came.status == 202 && c.oracle == "envelope"); },
      .title = "HTTP 202 has no length and no end",
      .sentence = "HTTP 202 for a notification states no length, and the connection stays open: the "
                  "next response on it counts as the body; it needs Content-Length: 0"}},
    // What comes is no response, it only should not be there.
    {{.name = "notifications accepted with a body",
      .wants = [](const C& c, const E& e) { return notification_answered(c, e) &&
          (c.came.status == 200 || c.came.status == 202) && !has_no_body(c, e); },
      .least = kSeveral, .how = Cite::kBroken,
      .cites = {"mcp.http.notification-202", "mcp.base.notification-no-response",
                "jsonrpc.notification.no-reply"},
      .takes = [](const C& c, const Shown& s) { return with_notification(c, s) ||
          accepted_otherwise(c, s.open) || (c.oracle == "envelope" && c.came.status == 202); },
      .title = "The reply to a notification is not empty",
      .sentence = "HTTP {status} for a notification has a body"}},
    // HTTP: notifications and responses are accepted in the same wrong way.
    {{.name = "accepted with a body",
      .wants = [](const C& c, const E& e) { return accepted_otherwise(c, e) &&
          c.came.status == 202 && !has_no_body(c, e); }, .rank = of_notification, .how = Cite::kOwn,
      .takes = [](const C& c, const Shown&) { return c.oracle == "envelope" &&
          c.came.status == 202; }, .title = "The reply to a notification is not empty",
      .sentence = "HTTP 202 for a notification has a body"}},
    {{.name = "accepted by another status", .wants = accepted_otherwise, .rank = of_notification,
      .alike = same_status, .how = Cite::kOwn,
      .takes = [](const C& c, const Shown& s) { return same_status(c, s.lead) &&
          (notification_answered(c, s.open) || (has_no_body(c, s.open) && by_case(c) &&
          breaks(c, "mcp.http.unacceptable-input-4xx"))); },
      .title = "Accepted messages are answered with HTTP {status}",
      .sentence = "An accepted notification is answered with HTTP {status} instead of 202 "
                  "without a body"}},
    {{.name = "answered with other text",
      .wants = [](const C& c, const E& e) { return is_garbage(c, e) && by_case(c) && is_request(c) &&
          c.came.status == 200 && c.garbled.empty(); }, .least = 2,
      .cites = {"mcp.http.request-content-type", "jsonrpc.request.reply-exactly-one", kOfCanary},
      .title = "Some requests are answered with text that is not a message",
      .sentence = "A request is answered with HTTP 200, but the body is not a JSON-RPC message"}},
    {{.name = "streams that stay open", .wants = stays_open, .least = kSeveral,
      .cites = {"mcp.http.response-eventually", kOfCanary},
      .title = "The answer to a POST stays open without the response",
      .sentence = "A request is answered with HTTP 200, but no response comes in time"}},
    {{.name = "streams without the reply",
      .wants = [](const C& c, const E& e) { return is_reply(c) && streams_nothing(c, e); },
      // It may be ids of one value that are taken for none.
      .when = [](const Group& group, const E&) { return
          std::count_if(group.begin(), group.end(), [](const C* c) { return !has_no_value(*c); }) >
          1; },
      .least = kSeveral, .cites = {"mcp.http.no-early-close", "mcp.http.response-eventually",
                "mcp.http26.response-ends-stream", kOfCanary},
      .title = "The answer to a POST ends without the response",
      .sentence = "A request is answered with HTTP 200, but the body or stream ends without the "
                  "response"}},
    // The shape of an answer comes before its code.
    {{.name = "errors without a code",
      .wants = [](const C& c, const E& e) { return by_case(c) && c.trigger.bytes > 0 &&
          error_without_code(c, e); },
      .least = kSeveral, .alone = true,
      .cites = {"mcp.base.error-code-and-message", "jsonrpc.error.code-integer",
                "jsonrpc.error.is-object"},
      .takes = [](const C& c, const Shown& s) { return is_such_error(c, s) &&
          !breaks(c, "jsonrpc.response.no-null-result-on-error") &&
          (by_case(c) || s.by_oracle(c) || c.oracle == "envelope" || c.oracle == "shapes"); },
      .title = "Errors have no integer code",
      .sentence = "A message is refused with {refusal}; an error must be an object with an integer "
                  "code and a message"}},
    {{.name = "one status for all", .wants = fails_bare, .when = fails_bare_at_all,
      .least = 2,
      .rank = [](const C& c) { return std::int64_t{breaks(c, "mcp.base.unknown-method") ||
          breaks(c, "jsonrpc.error.method-not-found-code")} + 1; },
      .alike = same_status_alone, .how = Cite::kBroken,
      .cites = {"mcp.base.unknown-method", "jsonrpc.error.method-not-found-code"},
      .takes = [](const C& c, const Shown& s) { return fails_bare(c, s.open) &&
          same_status(c, s.lead); },
      .title = "Errors are answered with HTTP {status} and no JSON-RPC response",
      .sentence = "Unknown methods and invalid messages are answered with {refusal} in place of a "
                  "JSON-RPC error"}},
    {{.name = "statuses for errors", .wants = refused_by_status, .when = refuses_by_status,
      .least = kSeveral,
      .how = Cite::kBroken,
      .cites = {"mcp.base.unknown-method", "jsonrpc.error.method-not-found-code"},
      .takes = of_the_clause, .title = "Errors are HTTP statuses and no JSON-RPC responses",
      .sentence = "A request is answered with {refusal} in place of a JSON-RPC error"}},
    {{.name = "errors as results",
      .wants = [](const C& c, const E&) { return by_case(c) && c.came.error_inside; },
      .least = kSeveral, .how = Cite::kBroken,
      .cites = {"mcp.base.unknown-method", "jsonrpc.error.method-not-found-code"},
      .takes = [](const C& c, const Shown&) { return c.came.error_inside; },
      .title = "Errors are sent as results",
      .sentence = "An error stands inside the result, so that clients take it for a success"}},
    {{.name = "one code for all", .wants = has_other_code,
      .when = [](const Group& group, const E& e) {
          if (e.clues().usual_error == -32601 || e.passes("mcp.base.unknown-method") ||
              e.passes("jsonrpc.error.method-not-found-code")) return false;
          std::set<std::vector<std::int64_t>> other;  // due, but not to unknown methods
          const auto unknown = [&](const C* c) { return of_unknown_method(*c, e); };
          for (const C* c : group)
            // Text that should not have been read is refused for what was read of it.
            if (!unknown(c) && !wants_code(*c, e, -32601) && !wants_code(*c, e, -32700))
              other.insert(e.finding_of(*c).wanted.codes);
          return other.size() >= 2 && std::any_of(group.begin(), group.end(), [&](const C* c) {
            return unknown(c) && wants_code(*c, e, -32601) && !c->trigger.method.empty(); }); },
      .least = kSeveral,
      .rank = [](const C& c) { return std::int64_t{breaks(c, "mcp.base.unknown-method") ||
          breaks(c, "jsonrpc.error.method-not-found-code")} + 1; },
      .alike = [](const C& c, const C& lead) { return c.came.code == lead.came.code; },
      .how = Cite::kBroken,
      .cites = {"mcp.errors.standard-codes", "mcp.base.unknown-method",
                "jsonrpc.error.method-not-found-code", "jsonrpc.error.invalid-request-code"},
      // Where what is unknown may be served, too.
      .takes = [](const C& c, const Shown& s) { return is_refused(c) && same_code(c, s.lead) &&
          (of_unknown_method(c, s.open) || names_unknown(c) ||
          (never_served(c, s.open) && same_refusal(c, s.lead))); },
      .title = "Every error has the same code",
      .sentence = "Unknown methods, wrong params and invalid messages are refused with one code, "
                  "as in {refusal}"}},
    // What it says of the version makes no difference.
    {{.name = "jsonrpc not looked at", .wants = whatever_version,
      .when = [](const Group& group, const E&) { return clauses_of(group) > 1; },
      .how = Cite::kBroken,
      .cites = {"jsonrpc.request.version-missing", "jsonrpc.request.version-wrong-value",
                "jsonrpc.request.version-wrong-type"}, .title = "`jsonrpc` is not checked",
      .sentence = "A message whose `jsonrpc` is missing or not \"2.0\" is accepted like any "
                  "other"}},

    // --- methods that nobody has: what comes for one comes for what is not declared, too
    // With params it is refused as it should be.
    {{.name = "requests without params refused",
      .wants = [](const C& c, const E& e) { return wrongly_refused(c, e) &&
          e.clues().usual_error == -32601; },
      .when = [](const Group& group, const E&) { return std::none_of(group.begin(), group.end(),
          [](const C* c) { return with_params(*c); }); }, .rank = anyone,
      .cites = {"lsp.requests.params-omitted", "jsonrpc.request.params-omitted", kOfCanary},
      .takes = [](const C& c, const Shown& s) { return !with_params(c) &&
          (c.requirement == s.lead.requirement || (is_refused(c) && same_code(c, s.lead) &&
          of_unknown_method(c, s.open))); }, .title = "A request without params is refused",
      .sentence = "A request without params is refused with {refusal}"}},
    // One name alone is found, or fails, by accident.
    {{.name = "hostile names", .wants = [](const C& c, const E&) { return by_case(c) &&
          breaks(c, "jsonrpc.request.hostile-method-names") && !is_broken_below(c); },
      .when = [](const Group&, const E& e) { return e.passes("mcp.base.unknown-method") ||
          e.passes("jsonrpc.error.method-not-found-code"); }, .how = Cite::kOwn,
      .takes = [](const C& c, const Shown& s) { return c.oracle == "model" && s.by_oracle(c) &&
          (names_unknown(c) || of_the_clause(c, s)); }, .by_clause = true}},
    {{.name = "unknown method refused otherwise", .wants = about_unknown_method,
      .when = [](const Group& group, const E&) { return is_refused(*group.front()) &&
          some_name_unknown(group); },
      .rank = unknown_first, .alike = same_clause_or_code, .how = Cite::kOwn,
      .takes = likewise_unknown,
      .title = "A method that does not exist is not refused with error -32601",
      .sentence = "A method that does not exist is refused with {refusal}"}},
    {{.name = "unknown method served", .wants = about_unknown_method,
      .when = [](const Group& group, const E&) { return is_result(*group.front()) &&
          some_name_unknown(group); },
      .rank = unknown_first, .alike = same_clause_or_reply, .how = Cite::kOwn,
      .takes = likewise_unknown, .title = "A method that does not exist is answered with a result",
      .sentence = "A method that does not exist is answered as if it were served: {methods}"}},
    {{.name = "some requests unanswered", .wants = unanswered_for_its_params,
      .least = 2, .alone = true,
      .alike = [](const C& a, const C& b) { return a.trigger.method == b.trigger.method; },
      .cites = {"jsonrpc.request.reply-exactly-one"},
      .title = "Some {method} requests get no response",
      .sentence = "A {method} request with unusual params gets no response", .again = true}},
    {{.name = "some requests fail", .wants = fails_by_itself,
      .alike = [](const C& a, const C& b) { return a.trigger.method == b.trigger.method &&
          same_status(a, b); },
      .cites = {"mcp.http.request-content-type", "jsonrpc.request.reply-exactly-one"},
      .takes = [](const C& c, const Shown& s) { return s.by_oracle(c) && is_request(c) &&
          c.trigger.method == s.lead.trigger.method && same_status_alone(c, s.lead); },
      .title = "Some {method} requests are answered with HTTP {status} and no JSON-RPC response",
      .sentence = "A {method} request with unusual params is answered with {refusal}",
      .again = true}},
    {{.name = "frames not checked",
      .wants = [](const C& c, const E&) { return c.trigger.raw_frames && by_case(c) &&
          c.requirement.starts_with("ws.frame.") && c.symptom != Symptom::kEnd &&
          c.symptom != Symptom::kHang; },
      .when = [](const Group& group, const E&) { return clauses_of(group) > 1; },
      .how = Cite::kBroken, .title = "Invalid WebSocket frames do not close the connection",
      .sentence = "Frames that RFC 6455 does not allow are read or ignored, and the connection "
                  "stays open"}},
    // Whatever is wrong with them.
    {{.name = "several flaws make it fail", .wants = [](const C& c, const E&) { return
          fails_at_flaw(c) && fails_at_message(c); },
      .when = [](const Group& group, const E&) { return different(group,
          [](const C& c) { return c.trigger.flaw; }) >= kSeveral; },
      .rank = [](const C& c) { return std::int64_t{by_case(c)} +
          !breaks(c, "jsonrpc.request.reply-exactly-one"); },
      .alike = same_status_alone, .how = Cite::kBroken,
      .cites = {"jsonrpc.error.invalid-request-code", "mcp.errors.standard-codes"},
      .takes = [](const C& c, const Shown& s) { return fails_at_message(c) &&
          same_status_alone(c, s.lead); },
      .title = "Messages that are not valid are answered with HTTP {status}",
      .sentence = "JSON that is not a valid message is answered with {refusal}, whatever is wrong "
                  "with it"}},
    {{.name = "a flaw makes it fail", .wants = [](const C& c, const E&) { return fails_at_flaw(c); },
      .least = 2,
      .rank = [](const C& c) { return std::int64_t{by_case(c)} +
          !breaks(c, "jsonrpc.request.reply-exactly-one"); },
      .alike = of_one_flaw, .how = Cite::kOwn,
      .takes = [](const C& c, const Shown& s) { return fails_at_flaw(c) &&
          of_one_flaw(c, s.lead); },
      .title = "{Kind} is answered with HTTP {status}", .by_clause = true, .again = true}},
    {{.name = "unknown method unanswered", .wants = about_unknown_method, .when = never_refused,
      .rank = unknown_first, .alike = same_clause_or_reply, .cites = kOfUnknown,
      .takes = likewise_unknown, .title = "A method that does not exist gets no response",
      .sentence = "Unknown methods get no response: {methods}"}},
    {named("never served"), refuse_or_ignore_all},
    {named("ids of one value"), ids_of_one_value},
    {{.name = "ids recoded", .wants = recodes_ids, .when = [](const Group&, const E& e) {
          return !any_open(e, [](const C& c) { return by_case(c) && c.altered &&
              breaks(c, "jsonrpc.id.string-echo"); }); }, .least = 2,
      .cites = {"mcp.base.utf8", "jsonrpc.id.unicode-echo"},
      .takes = [](const C& c, const Shown& s) { return recodes_ids(c, s.open) ||
          (c.oracle == "replies" && c.trigger.odd && c.came.message); },
      .title = "Non-ASCII characters come back altered",
      .sentence = "A string id with non-ASCII characters comes back with others in their "
                  "place, as if UTF-8 were read or written in another encoding"}},
    // Where few errors lose it; it is not that the message was not read.
    {{.name = "some errors without their id",
      .wants = [](const C& c, const E& e) { return by_case(c) && is_request(c) && is_refused(c) &&
          c.came.code == "-32603" && (c.altered || e.finding_of(c).came.unnamed); },
      .when = [](const Group&, const E& e) { return std::any_of(e.clues().ids.begin(),
          e.clues().ids.end(), [](const auto& one) { return one.second.kept_by_errors > 0; }); },
      .cites = {"mcp.base.error-readable-id-required", "jsonrpc.id.echo-on-error"},
      .takes = [](const C& c, const Shown& s) { return c.altered && c.came.code == "-32603" &&
          (is_request(c) || s.by_oracle(c)); },
      .title = "Some errors do not carry the id of their request",
      .sentence = "A {method} request is refused with {refusal}, and not under its id"}},
    {{.name = "errors without their id",
      .wants = [](const C& c, const E& e) { return by_case(c) && lacks_only_its_id(e, c); },
      .least = 2,
      .cites = {"mcp.base.error-readable-id-required", "jsonrpc.id.echo-on-error"},
      .takes = [](const C& c, const Shown& s) { return c.requirement == s.clause ||
          (s.by_oracle(c) && c.oracle == "replies"); },
      .title = "Some errors do not carry the id of their request",
      .sentence = "A {method} request is refused with {refusal}, which is right, but not under its "
                  "id"}},
    // Those that a double holds, too.
    {{.name = "ids rounded",
      .wants = [](const C& c, const E& e) { return rounds_ids(c, e) && by_case(c); },
      .when = [](const Group& group, const E&) { return clauses_of(group) > 1 &&
          std::any_of(group.begin(), group.end(), [](const C* c) { return
          breaks(*c, "jsonrpc.id.integer-echo") || breaks(*c, "mcp.base.response-same-id"); }); },
      .how = Cite::kBroken, .cites = {"mcp.base.response-same-id", "jsonrpc.id.integer-echo"},
      // What comes back may be the id of a request before, and then nothing comes for this one.
      .takes = [](const C& c, const Shown& s) { return rounds_ids(c, s.open) || (by_case(c) &&
          is_unheard(c) && c.requirement == s.clause && changes(c, s.open, trace::Change::kBits)); },
      .title = "Integer ids come back as other numbers",
      .sentence = "Integers as ids are not kept exactly: another number comes back"}},
    {{.name = "large ids retyped",
      .wants = [](const C& c, const E& e) { return by_case(c) &&
          breaks(c, "jsonrpc.id.type-preserved") && is_of_large_ids(c, e); },
      .when = [](const Group&, const E& e) { return !any_open(e, [&](const C& c) {
          return breaks(c, "jsonrpc.id.type-preserved") && by_case(c) && !is_broken_below(c) &&
          !is_of_large_ids(c, e); }); }, .how = Cite::kOwn,
      .takes = [](const C& c, const Shown&) { return breaks(c, kLargeIds); },
      .title = "Large integer ids come back as strings",
      .sentence = "Integers as ids that a double does not hold come back as strings"}},
    {{.name = "escapes not decoded", .wants = has_escapes,
      .when = [](const Group& group, const E&) { return clauses_of(group) >= kSeveral &&
          std::any_of(group.begin(), group.end(), [](const C* c) { return
          breaks(*c, "json.valid.escaped-member-names"); }); },
      .how = Cite::kBroken, .cites = {"json.valid.string-escapes", "json.valid.surrogate-pair"},
      .takes = [](const C& c, const Shown& s) { return s.by_oracle(c) && c.oracle == "replies"; },
      .title = "Escapes such as \\u0041 are not decoded",
      .sentence = "Escapes in strings are not decoded as JSON defines them"}},
    {{.name = "null in the answer to a batch", .wants = has_null, .how = Cite::kBroken,
      .cites = {"mcp.base.batch.mixed-notifications", "jsonrpc.batch.no-response-for-notification"},
      .takes = [](const C& c, const Shown& s) { return c.oracle == "envelope" && s.by_oracle(c); },
      .title = "The answer to a batch contains null",
      .sentence = "The array that answers a batch has null where no response is due"}},
    {{.name = "batches of one unwrapped",
      .wants = [](const C& c, const E&) { return batch_answered(c) && !c.came.array; },
      .when = [](const Group& group, const E& e) { return clauses_of(group) > 1 &&
          e.passes("jsonrpc.batch.response-per-request") && e.matching([](const C& c) {
            return breaks(c, "jsonrpc.batch.invalid-elements") && !c.came.array; }).empty(); },
      .how = Cite::kBroken,
      .cites = {"jsonrpc.batch.single-element", "jsonrpc.batch.invalid-single-element"},
      .title = "Some batches of one are answered without an array",
      .sentence = "The response to a batch of one element comes alone; batches of several elements "
                  "are answered by an array"}},
    // An array is answered by something else than one array of all the replies.
    {{.name = "batches refused", .wants = batch_refused, .least = kSeveral, .alone = true,
      .rank = [](const C& c) { return std::int64_t{by_case(c) &&
          (breaks(c, "mcp.base.batch.receive") ||
          breaks(c, "jsonrpc.batch.response-per-request"))}; },
      .alike = same_code, .how = Cite::kBroken,
      .cites = {"mcp.base.batch.receive", "jsonrpc.batch.array-response",
                "jsonrpc.batch.response-per-request"},
      .takes = [](const C& c, const Shown&) { return is_batch(c) && is_unheard(c); },
      .title = "Batches are refused", .sentence = "A batch is refused as a whole, with {refusal}"}},
    {{.name = "batch refused for an element",
      .wants = [](const C& c, const E& e) { return batch_refused(c, e) && batch_answered(c) &&
          c.came.code == "-32600"; },
      .when = [](const Group& group, const E& e) { return clauses_of(group) > 1 &&
          e.passes("jsonrpc.batch.response-per-request"); },
      .how = Cite::kBroken,
      .cites = {"jsonrpc.batch.invalid-elements", "jsonrpc.batch.failure-isolated"},
      .title = "One invalid element has its whole batch refused",
      .sentence = "A batch with an invalid element is answered with one error, not with an array "
                  "that has a response for each element"}},
    {{.name = "batches in pieces",
      .wants = [](const C& c, const E&) { return batch_answered(c) && !c.came.array; },
      .least = kSeveral, .alone = true, .rank = [](const C& c) { return std::int64_t{by_case(c) &&
          breaks(c, "jsonrpc.batch.array-response")}; },
      .how = Cite::kBroken, .cites = {"mcp.http.batch-requests", "jsonrpc.batch.array-response"},
      .takes = [](const C& c, const Shown&) { return is_batch(c) && is_unheard(c); },
      .title = "A batch is not answered by an array",
      .sentence = "A batch is not answered by one array of its responses"}},
    {{.name = "batches in part",
      .wants = [](const C& c, const E&) { return batch_answered(c) && c.came.array; },
      .least = kSeveral, .alone = true, .rank = [](const C& c) { return std::int64_t{by_case(c) &&
          breaks(c, "jsonrpc.batch.response-per-request")}; },
      .how = Cite::kOwn, .title = "The answer to a batch lacks replies",
      .sentence = "The array that answers a batch does not contain a reply to each of its "
                  "requests"}},
    {{.name = "batches unanswered",
      .wants = [](const C& c, const E&) { return is_batch(c) && by_case(c) && is_unheard(c); },
      .when = [](const Group& group, const E& e) { return clauses_of(group) > 1 &&
          !e.passes("jsonrpc.batch.single-element") && !e.passes("mcp.base.batch.receive"); },
      .least = kSeveral, .how = Cite::kBroken,
      .cites = {"mcp.base.batch.receive", "jsonrpc.request.reply-exactly-one"},
      .takes = [](const C& c, const Shown& s) { return is_unheard(c) &&
          (is_batch(c) || (c.trigger.cut && c.requirement == s.clause)); },
      .title = "Batches are not answered",
      .sentence = "A batch gets no reply, whatever is in it, and later requests are answered"}},
    {{.name = "pings answered wrongly", .wants = [](const C& c, const E&) { return by_case(c) &&
          breaks(c, "mcp.ping.result") && is_result(c); }, .how = Cite::kOwn,
      .takes = [](const C& c, const Shown& s) { const bool same = c.came.result ==
                s.lead.came.result;
            return (same && c.trigger.method == s.lead.trigger.method) || (c.oracle == "shapes" &&
                // Of several on one connection nobody knows which is meant.
                (same || (!is_request(c) && breaks(c, "mcp.base.result-is-object") &&
                !s.lead.came.result.starts_with("{")))); }, .by_clause = true}},
    // Nothing else can be right about what is no object.
    {{.name = "results of another kind",
      .wants = [](const C& c, const E&) { return breaks(c, "mcp.base.result-is-object") &&
          is_request(c); }, .how = Cite::kOwn,
      .takes = [](const C& c, const Shown& s) { return is_result(c) &&
          c.trigger.method == s.lead.trigger.method && c.came.result == s.lead.came.result; },
      .by_clause = true}},
    {named("told as one"), told_as_one},
    {{.name = "asked for what was not declared",
      .wants = [](const C& c, const E& e) { return c.asks_client &&
          (e.follows(c.requirement, kDeclaredOnly) ||
          e.follows(c.requirement, kDeclaredOnlyEarly)); },
      // Too early may be what was declared, too.
      .when = [](const Group& group, const E& e) { return std::any_of(group.begin(), group.end(),
          [](const C* c) { return
          !breaks(*c, "mcp.lifecycle.no-server-requests-before-initialized"); }) ||
          any_open(e, [](const C& c) { return breaks(c, kDeclaredOnly) ||
          breaks(c, kDeclaredOnlyEarly); }); },
      .cites = {kDeclaredOnly, kDeclaredOnlyEarly},
      .takes = [](const C& c, const Shown& s) { return c.requirement == s.clause ||
          (c.requirement.starts_with("mcp.capabilities.") &&
          s.open.follows(c.requirement, s.clause)); },
      .title = "The server asks a client for what it did not declare",
      .sentence = "The server sends requests of a feature that the client's capabilities do not "
                  "declare"}},
    // Progress of a single call grows.
    {{.name = "tokens mixed up",
      .wants = [](const C& c, const E&) { return breaks(c, "mcp.progress.concurrent-tokens"); },
      .when = [](const Group& group, const E& e) { const Clues& all = e.clues();
            return all.shrinks_among > 0 && all.shrinks_among >= all.shrinks_alone &&
                   any_open(e, [&](const C& c) {
                     return e.follows(group.front()->requirement, c.requirement); }); },
      .how = Cite::kOwn, .takes = [](const C& c, const Shown& s) { return s.open.follows(s.clause,
          c.requirement) || (c.requirement.starts_with("mcp.progress.") && !by_case(c)); },
      .title = "Progress of one call has the token of another",
      .sentence = "While several calls run, progress has the token of another call, so it does "
                  "not increase", .by_clause = true}},
    // Pages that overlap do so in every list; what stands twice on one page is another matter.
    {{.name = "pages overlap", .wants = [](const C& c, const E& e) { const auto before =
                [&](const C& one) { return e.follows(c.requirement, one.requirement); };
            return (breaks(c, kContinues) || breaks(c, "mcp.pagination.walk-complete")) &&
                   any_open(e, before); }, .when =
          [](const Group& group, const E&) { std::set<std::string> lists;
            for (const C* clue : group) if (by_case(*clue)) lists.insert(clue->row);
            return lists.size() > 1; }, .cites = {kContinues},
      .takes = [](const C& c, const Shown& s) { return s.open.follows(s.clause, c.requirement); },
      .title = "Pages of a list overlap",
      .sentence = "Items of one page are also on the next", .by_clause = true}},
    // HTTP: who was served once is asked for no credentials any more.
    {{.name = "only the first asked for credentials",
      .wants = [](const C& c, const E&) { return breaks(c, "mcp.auth.401-all-methods") &&
          by_case(c) && served(c); },
      .when = [](const Group& group, const E& e) { return different(group,
          [](const C& c) { return c.trigger.method; }) >= kSeveral &&
          !any_open(e, [&](const C& c) { return wants_status(c, e, "401") && served(c) &&
          c.trigger.method == "initialize"; }); }, .how = Cite::kOwn,
      .takes = [](const C& c, const Shown& s) { return c.requirement == s.clause ||
          s.open.follows(s.clause, c.requirement) ||
          (of_one_chapter(c.requirement, "mcp.auth.") && by_case(c) && served(c)); },
      .title = "Only the first request needs credentials",
      .sentence = "Once a session has begun, requests are served without a token"}},
    // 2026-07-28: a result that says it is complete asks for input.
    {{.name = "input asked as complete", .wants = asks_as_complete,
      .cites = {"mcp.input-required.result-type"},
      .takes = [](const C& c, const Shown& s) { return c.asks_as_complete || (s.by_oracle(c) &&
          c.requirement.find("tools.") != std::string::npos); },
      .title = "A result that asks for input says that it is complete",
      .sentence = "A result has inputRequests or requestState, but its resultType is not "
                  "input_required"}},
    // Whatever is asked for gets the same.
    {{.name = "lists without an array", .wants = lacks_array,
      .when = [](const Group& group, const E&) { return clauses_of(group) > 1; },
      .alike = [](const C& a, const C& b) { return a.came.result == b.came.result; },
      .how = Cite::kOwn, .title = "The results of several lists have no array",
      .sentence = "Several lists are answered with one and the same result: {methods}"}},
    {{.name = "cursors refused", .wants = [](const C& c, const E& e) { return breaks(c,
          "mcp.pagination.cursor-accepted") && any_open(e, cursor_refused); },
      .how = Cite::kOwn, .takes = [](const C& c, const Shown&) { return cursor_refused(c); },
      .title = "A cursor that the server issued is refused",
      .sentence = "A list request with the nextCursor of the page before is refused"}},
    // 2026-07-28: what comes first on a subscription does not come.
    {{.name = "never acknowledged",
      .wants = [](const C& c, const E&) { return c.lacks_acknowledgment; }, .least = kSeveral,
      .cites = {"mcp.listen.ack-first"},
      .takes = [](const C& c, const Shown& s) { return of_one_chapter(c.requirement, s.clause); },
      .title = "A subscription is not acknowledged",
      .sentence = "notifications/subscriptions/acknowledged is not the first message of a "
                  "subscription, or is missing"}},
    // HTTP: where nothing came at all, it is not what the case is about that fails.
    {{.name = "GET without a stream",
      .wants = [](const C& c, const E&) { return c.wants_stream && c.came.status == 0; },
      .cites = {"mcp.http.get-stream-or-405"},
      .takes = [](const C& c, const Shown&) { return c.wants_stream; },
      .title = "GET returns neither an event stream nor 405",
      .sentence = "GET gets no answer: neither an event stream nor 405"}},
    {{.name = "GET answered otherwise",
      .wants = [](const C& c, const E&) { return c.wants_stream; }, .least = 2,
      .cites = {"mcp.http.get-stream-or-405"},
      // What comes is not meant as a message.
      .takes = [](const C& c, const Shown& s) { return of_the_clause(c, s) ||
          (about_sessions(c) && !c.trigger.valid && c.came.status == s.lead.came.status) ||
          (c.oracle == "envelope" && error_without_code(c, s.open) && same_refusal(c, s.lead)); },
      .title = "GET returns neither an event stream nor 405",
      .sentence = "GET is answered with HTTP {status}, not with an event stream or 405"}},
    // stdio: a line ends in the middle of a message, whose parts are no JSON.
    {{.name = "lines end early", .wants = in_parts,
      .rank = [](const C& c) { return std::int64_t{breaks(c, "mcp.stdio.only-lf-delimits")}; },
      .how = Cite::kOwn, .takes = part_without_id,
      .title = "Characters other than the line feed end a line",
      .sentence = "A message is cut at a character such as U+2028 or U+0085, which does not end "
                  "a line"}},
    {{.name = "long messages in parts", .wants = in_parts,
      .when = [](const Group& group, const E&) { return std::all_of(group.begin(), group.end(),
          [](const C* c) { return in_long_parts(*c); }); }, .least = 2,
      .rank = [](const C& c) { return
          std::numeric_limits<std::int64_t>::max() - static_cast<std::int64_t>(c.trigger.bytes); },
      .cites = {"mcp.stdio.long-line", "json.valid.long-string", kOfCanary},
      .takes = part_without_id, .title = "Long messages are refused as invalid JSON",
      .sentence = "A message of {size} is answered with error -32700, as if only a part of it had "
                  "been read"}},
    {named("consequences"), consequences},

    // --- requests refused
    {{.name = "calls as a task refused", .wants = calls_as_task,
      .when = [](const Group& group, const E&) { return clauses_of(group) > 1; },
      .how = Cite::kBroken, .cites = {"mcp.tasks.create-result"},
      .title = "Calls as a task are refused", .sentence = "A call as a task gets {refusal}"}},
    {named("client faults as server errors"), client_faults_as_server_errors},
    {named("refused for a member"), refused_for_a_member},
    {named("refused with the wrong error"), refused_with_the_wrong_error},
    // The same refusal, whatever is wrong.
    {{.name = "refused with another code", .wants = refused_otherwise,
      .when = [](const Group& group, const E&) { return clauses_of(group) > 1; },
      .rank = [](const C& c) { return 1 + 2 * std::int64_t{c.severity == oracle::Severity::kFail} +
          std::int64_t{c.requirement.find('.' + family_of(c) + '.') != std::string::npos}; },
      .alike = [](const C& a, const C& b) { return family_of(a) == family_of(b) &&
          (same_refusal(a, b) || (family_of(a).empty() && same_code(a, b))); }, .how = Cite::kOwn,
      .sentence = "Where another error is due, {refusal} comes: {methods}", .again = true}},
    {named("wedged by others"), wedged_by_others},
    {named("text taken alike"), text_taken_alike},
    {named("messages taken alike"), messages_taken_alike},
    {{.name = "objects without a method unanswered",
      .wants = [](const C& c, const E&) { return is_unheard(c) && c.garbled.empty() &&
          c.trigger.is_json && !c.trigger.valid && c.trigger.method.empty() && !is_batch(c) &&
          (c.trigger.flaw.empty() || c.trigger.flaw == "a message without a method"); },
      .when = [](const Group& group, const E&) { return clauses_of(group) > 1; },
      .how = Cite::kBroken,
      .cites = {"jsonrpc.message.empty-object", "jsonrpc.request.method-missing"},
      .by_clause = true}},
};
// clang-format on

}  // namespace

void apply_table(Explainer& open) {
  for (const Entry& entry : kTable) {
    if (entry.search)
      entry.search(open);
    else
      explain(open, entry.row);
  }
}

std::vector<std::string> names_in_table() {
  std::vector<std::string> out;
  for (const Entry& entry : kTable) out.emplace_back(entry.row.name);
  return out;
}

}  // namespace harness::run
