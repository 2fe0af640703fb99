// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/text.h"
#include "harness/results/clue_words.h"
#include "harness/causes/harm.h"
#include "harness/causes/searches.h"
#include "harness/oracle/last_words.h"
#include "harness/spec/protocol.h"
#include "harness/trace/trigger.h"

namespace harness::run {
namespace {

using trace::without_digits;

bool is_batch(const Trigger& trigger) { return trigger.kind == wire::MessageKind::kBatch; }

// Without those that are so, where others are left.
template <class Is>
void leave_out(Group& group, Is is) {
  if (!std::all_of(group.begin(), group.end(), is)) std::erase_if(group, is);
}

// WebSocket: the server says itself that it closes the connection, so it runs on.
bool is_closed(const Clue& clue) { return clue.end.starts_with("close "); }

// "exit 1", "signal 11": what is known of the process, and not of the connection alone.
bool is_of_process(const std::string& end) {
  return end.find("exit") != std::string::npos || end.find("signal") != std::string::npos;
}

// The line of stderr that says why, without the method and the values that it quotes.
std::string why_of(const Clue& clue) {
  std::string out = clue.why;
  const auto hide = [&](const std::string& own, const std::string& with) {
    if (own.empty()) return;
    for (std::size_t at = out.find(own); at != out.npos; at = out.find(own, at + with.size()))
      out.replace(at, own.size(), with);
  };
  const std::string method = without_digits(clue.trigger.method);
  hide(method, "*");
  // What it says of a long one is cut.
  constexpr std::size_t kLong = 100;
  if (const std::size_t at =
          method.size() < kLong ? out.npos : out.find(method.substr(0, kLong / 2));
      at != out.npos)
    out.replace(at, out.npos, "*'");
  hide(without_digits(clue.behind), "*");
  for (const auto& [path, text] : clue.trigger.members) {
    if (text.size() < 2 || text.front() != '"') continue;
    const std::string value = without_digits(text.substr(1, text.size() - 2));
    for (const char* quote : {"\"", "'"}) hide(quote + value + quote, "'*'");
  }
  return out;
}

// Requests for several methods, few of which were ever served.
bool of_unknown_methods(const Explainer& open, const Group& group) {
  std::set<std::string> served, unknown;
  for (const Clue* clue : group) {
    const std::string& method = clue->trigger.method;
    if (clue->trigger.cut) continue;  // what it names is not known
    // With a member that occurs twice, or params of a wrong type, it is looked up all the same.
    const bool called =
        clue->trigger.kind == wire::MessageKind::kRequest ||
        (!clue->trigger.valid && clue->trigger.kind == wire::MessageKind::kNotification);
    if (!called || (!clue->trigger.valid && method.empty())) return false;
    const bool known = open.clues().served.count("method=\"" + method + "\"") != 0;
    (known ? served : unknown).insert(method);
  }
  return unknown.size() >= kSeveral && unknown.size() > 3 * served.size();
}

// A valid message of a method that the protocol does not have and the server never served.
bool names_nobodys(const Explainer& open, const Clue& clue) {
  const spec::Profile& profile = open.context().profile;
  const bool asks = clue.trigger.kind == wire::MessageKind::kRequest ||
                    clue.trigger.kind == wire::MessageKind::kNotification;
  return clue.trigger.valid && asks && !profile.protocol().find(clue.trigger.method, profile) &&
         !open.clues().served.contains("method=\"" + clue.trigger.method + "\"");
}

// Of a method that the protocol does not have, or that was to be refused as unknown.
bool is_unknown(const Explainer& open, const Clue& clue) {
  const spec::Profile& profile = open.context().profile;
  return clue.trigger.valid && clue.trigger.kind == wire::MessageKind::kRequest &&
         (!profile.protocol().find(clue.trigger.method, profile) ||
          (!open.clues().served.contains("method=\"" + clue.trigger.method + "\"") &&
           !open.finding_of(clue).wanted.result));
}

// The lines of stderr that say why, those of most cases in front; "" where the one that is shown
// has the only one.
std::string last_words(const Explainer& open, const Group& group, const Clue& shown) {
  constexpr std::size_t kMost = 4, kLongest = 120;
  std::map<std::string, std::pair<std::size_t, std::string>> lines;  // by what they have in common
  int best = 0;
  for (const Clue* clue : group)
    if (const auto* ended = oracle::came_as<oracle::Ended>(open.finding_of(*clue).came))
      best = std::max(best, oracle::how_telling(ended->why));
  for (const Clue* clue : group) {
    const auto* ended = oracle::came_as<oracle::Ended>(open.finding_of(*clue).came);
    if (!ended || ended->why.empty() || oracle::how_telling(ended->why) < best) continue;
    auto& [times, line] = lines[clue->why];
    if (times++ == 0) line = printable(ended->why, kLongest);
  }
  std::vector<std::pair<std::size_t, std::string>> most;
  for (const auto& [why, line] : lines) most.push_back(line);
  std::sort(most.rbegin(), most.rend());
  std::string out;
  if (most.size() == 1 && !shown.why.empty()) return "";
  for (std::size_t i = 0; i < std::min(kMost, most.size()); ++i)
    out += (i == 0 ? "; stderr: " : ", ") + most[i].second;
  return most.size() > kMost ? fmt::format("{} and {} more", out, most.size() - kMost) : out;
}

// Why it ended at valid messages, each for itself: what is no message may end it so, too, and then
// not because it is none.
struct ValidEnds {
  bool shared = false;                // all clients share the process
  std::set<std::string> whys, cases;  // cases in which that was seen

  bool has(const Clue& clue) const {
    if (clue.trigger.valid || (!shared && clue.trigger.method.empty())) return false;
    return clue.why.empty() ? shared && cases.contains(clue.ref.case_id)
                            : whys.contains(why_of(clue));
  }
};

ValidEnds ends_of_valid(const Explainer& open, const std::set<const Clue*>& victims) {
  ValidEnds out{!wire::traits_of(open.context().transport).process, {}, {}};
  const auto explained = [](const Clue& clue) {
    return clue.symptom == oracle::Symptom::kEnd && clue.oracle.empty() && !clue.why.empty() &&
           is_of_process(clue.end);
  };
  for (const Clue* clue : open.matching(explained))
    if (clue->trigger.valid && clue->behind.empty() && !clue->trigger.deep &&
        victims.count(clue) == 0)
      out.whys.insert(why_of(*clue));
  for (const Clue* clue : open.matching(explained))
    if (out.whys.contains(why_of(*clue))) out.cases.insert(clue->ref.case_id);
  return out;
}

bool is_odd(const Clue* clue) { return !clue->trigger.valid || clue->trigger.deep; }

void add_end(Explainer& open, const Group& group, const Likeness& like, const ValidEnds& sound) {
  const std::string& common = like.common;
  // What more than it is like says what it is; a request says more than a notification.
  Group plain = group;
  leave_out(plain, [](auto* clue) { return clue->trigger.seq == 0 || clue->trigger.blank; });
  leave_out(plain, [](auto* clue) { return !clue->behind.empty() || !clue->oracle.empty(); });
  leave_out(plain, [&](auto* clue) { return sound.has(*clue); });
  const auto last = [](auto* clue) { return clue->for_all && is_odd(clue); };
  if (std::any_of(plain.begin(), plain.end(), last))
    leave_out(plain, [](auto* clue) { return !is_odd(clue); });
  leave_out(plain, [](auto* clue) { return is_batch(clue->trigger) || clue->trigger.deep; });
  leave_out(plain,
            [](auto* clue) { return is_batch(clue->trigger) && !clue->trigger.flaw.empty(); });
  leave_out(plain, [](auto* clue) { return !is_closed(*clue) || clue->for_all; });
  const auto notifies = [](const Clue* clue) {
    return clue->trigger.valid && clue->trigger.kind == wire::MessageKind::kNotification;
  };
  // A request right after the notification that they share is not to blame.
  const auto shared = [&](const Clue* clue) { return notifies(clue) && like.is(*clue); };
  if (!common.empty() && std::any_of(plain.begin(), plain.end(), shared))
    leave_out(plain, [&](auto* clue) { return !like.is(*clue); });
  leave_out(plain, notifies);
  Cause cause;
  cause.requirement = clause_of_harm(open, plain, smallest(plain));
  // It may be about another method than the shortest of them.
  Group about = plain;
  leave_out(about, [&](auto* clue) { return clue->requirement == cause.requirement; });
  const bool unknown = of_unknown_methods(open, plain);
  const bool other = about.size() < plain.size() && !unknown &&
                     std::none_of(plain.begin(), plain.end(), [&](auto* clue) {
                       return clue->requirement == cause.requirement &&
                              clue->trigger.method == smallest(plain).trigger.method;
                     });
  if (other)
    std::erase_if(plain, [&](auto* clue) { return clue->requirement != cause.requirement; });
  const Clue& first = smallest(plain);
  std::string member = common.empty() ? own_member(first, open.clues().survived) : common;
  const std::string of_text = "id=a string";
  if (member == kIdValue && has_member(first, of_text) &&
      !open.clues().survived.contains(of_text)) {
    member = of_text;
    cause.requirement = open.best_of(
        plain, {"jsonrpc.id.string-echo", "mcp.base.request-id.string-and-integer-accepted"});
  }
  std::string what =
      first.trigger.seq == 0 ? "the last message" : kind_of(group, first, open.clues());
  if (member != "method") what += whose(first, member);
  if (unknown) {
    what = "a method that does not exist";
    cause.requirement =
        open.best_of(plain, {"mcp.base.unknown-method", "mcp.base.unknown-method-modern",
                             "jsonrpc.error.method-not-found-code"});
  }
  const std::string unmet = open.clause_of_case(first, "sse.unknown-session");
  if (!unmet.empty()) what = "a POST for a session that does not exist";
  const bool closed = is_closed(first);
  const auto exits = [&](const Clue* clue) { return !closed && is_of_process(clue->end); };
  const auto exit = std::find_if(group.begin(), group.end(), exits);
  const bool process = exit != group.end();
  const auto alone = [](const Clue* clue) { return !clue->for_all; };
  const bool for_all = !closed && !std::all_of(group.begin(), group.end(), alone);
  const char* ended = process ? "the process" : for_all ? "the server" : "the connection";
  // Of a method that is served, with params of which nothing says what is wrong with them.
  const bool served = member.empty() && first.trigger.valid &&
                      first.trigger.kind == wire::MessageKind::kRequest &&
                      open.clues().served.contains("method=\"" + first.trigger.method + "\"");
  if (served) cause.requirement = open.best_of(plain, {"jsonrpc.request.reply-exactly-one"});
  if (!unmet.empty()) cause.requirement = unmet;
  const bool several = unmet.empty() && (served || has_several_params(open, group, first, like));
  cause.title = several ? fmt::format("Some {} requests end {}", first.trigger.method, ended)
                        : fmt::format("{} ends {}", capital(what), ended);
  cause.sentence = cause.title + in_brackets(process ? (*exit)->end : first.end);
  if (for_all && !process) cause.sentence += "; no new connection is served";
  cause.sentence += last_words(open, group, first);
  // A connection that ends is said by the title of the clause.
  if (!process && !for_all && cause.requirement.starts_with("ws.frame.")) cause.title.clear();
  open.add(std::move(cause), group, &first);
}

// With the same last line on stderr; or as no message of one kind, whatever that line says. Text
// that is nested too deeply to be read here may be no JSON; where that alone fails, it was JSON.
bool ends_likewise(const Explainer& open, const Clue& clue, const Clue& first,
                   const ValidEnds& sound) {
  const bool known = is_of_process(clue.end) && is_of_process(first.end);
  // Where it is closed for others of its kind, something else ended the process.
  const bool other = is_closed(clue) != is_closed(first);
  if (other && (is_closed(clue) || !clue.why.empty() || clue.trigger.deep)) return false;
  if (known && clue.end != first.end) return false;
  const auto only_fails = [](const Clue& deep, const Clue& plain) {
    return deep.trigger.deep && !plain.trigger.deep && deep.severity == oracle::Severity::kFail &&
           plain.severity != oracle::Severity::kFail;
  };
  if (only_fails(clue, first) || only_fails(first, clue)) return false;
  // What is no message may name such a method, too: then the line that quotes it says no more.
  const bool apart = clue.trigger.valid != first.trigger.valid && !sound.has(clue) &&
                     !sound.has(first) && !clue.trigger.cut && !first.trigger.cut &&
                     (names_nobodys(open, clue) || names_nobodys(open, first));
  if (!clue.why.empty() && !apart && why_of(clue) == why_of(first)) return true;
  // Whoever does not look at arguments ends at some of them in one way and at others in another.
  if (known && differ_in_params(open, clue, first)) return true;
  if (known && clue.why.empty() && is_unknown(open, clue) && is_unknown(open, first)) return true;
  // Of a connection that is closed nobody says why.
  const bool connections = !is_of_process(clue.end) && !is_of_process(first.end);
  if (connections && names_nobodys(open, clue) && names_nobodys(open, first)) return true;
  // So does whoever ends at a sound one.
  const bool any_batch = connections || clue.trigger.flaw.empty() || first.trigger.flaw.empty();
  if (any_batch && is_batch(clue.trigger) && is_batch(first.trigger)) return true;
  const bool batches = !open.applies("mcp.base.batch.removed");
  const auto is_message = [&](const Trigger& trigger) {
    return trigger.valid || trigger.cut || (batches && is_batch(trigger));
  };
  // Each for the reason of another valid message.
  if (sound.has(clue) && sound.has(first) && !clue.why.empty() && !first.why.empty()) return false;
  return sound.has(clue) == sound.has(first) && clue.trigger.seq != 0 && first.trigger.seq != 0 &&
         !is_message(clue.trigger) && !is_message(first.trigger) &&
         clue.trigger.is_json == first.trigger.is_json;
}

// No new connection was served after it. One message ended the server for all that were open: what
// is valid is not to blame beside what is not.
Group ended_for_all(const Explainer& open) {
  return open.matching([](const Clue& clue) {
    return clue.symptom == oracle::Symptom::kEnd && clue.oracle.empty() && clue.for_all;
  });
}

// A server that all share was down already, or was asked what did no harm elsewhere: another
// message ended it.
std::set<const Clue*> victims_of(const Explainer& open) {
  std::set<const Clue*> out;
  if (wire::traits_of(open.context().transport).process) return out;
  const auto ends = [](const Clue& clue) {
    return clue.symptom == oracle::Symptom::kEnd && clue.oracle.empty();
  };
  std::set<std::string> down;
  for (const Clue* clue : open.matching([](const Clue& clue) { return clue.trigger.valid; })) {
    const auto* broken = oracle::came_as<oracle::BrokenOff>(open.finding_of(*clue).came);
    if (broken && broken->why == "refused") down.insert(clue->ref.case_id + "\n" + clue->row);
  }
  const Group last = ended_for_all(open);
  const std::set<std::string> last_cases = cases_of(last);
  const bool odd = std::any_of(last.begin(), last.end(), is_odd);
  for (const Clue* clue : open.matching(ends)) {
    if (odd && !is_odd(clue) && last_cases.count(clue->ref.case_id) != 0) out.insert(clue);
    const bool was_down = down.count(clue->ref.case_id + "\n" + clue->row) != 0;
    // What is no message, and has the process say why it ends, is no victim.
    const bool explained = !clue->trigger.valid && !clue->why.empty() && is_of_process(clue->end);
    if (clue->trigger.seq == 0 || (was_down && !explained) ||
        (clue->trigger.valid && !stands_out(*clue, open.clues().survived)))
      out.insert(clue);
  }
  return out;
}

// What the same message, sent again alone to a fresh one, did not bring about. Where most show that,
// the others had enough messages in their own case.
void broken_once(Explainer& open, oracle::Symptom symptom) {
  const bool end = symptom == oracle::Symptom::kEnd;
  const auto is = [&](const Clue& clue) {
    return clue.symptom == symptom && clue.oracle.empty() && clue.trigger.seq != 0;
  };
  const auto once = [&](const Clue& clue) { return is(clue) && clue.verdict == Verdict::kFlaky; };
  const Group group = open.matching(once);
  const std::set<std::string> cases = cases_of(group);
  // One that is slow for once may be busy.
  const bool shared = !wire::traits_of(open.context().transport).process;
  if (cases.size() < (end ? 1 : kSeveral) || shared) return;
  const std::set<std::string> with = cases_of(open.matching(is));
  const bool most = cases.size() >= kSeveral && cases.size() * 2 >= with.size();
  Cause cause;
  cause.requirement = open.canary();
  cause.title = end ? "The process ends, but not because of the last message" : kStopsAnswering;
  cause.sentence = fmt::format(
      "The process {} {}, but not when the last message was sent alone to a fresh process: {}",
      end ? "ended" + in_brackets(group.front()->end) : "stopped answering",
      cases.size() == 1 ? "once" : fmt::format("in {} cases, each after another", cases.size()),
      kBuildsUp);
  const Group all = open.claim([&](const Clue& clue) {
    return once(clue) || (most && is(clue)) ||
           (clue.symptom == symptom && !clue.oracle.empty() &&
            (most ? with : cases).count(clue.row) != 0);
  });
  open.add(std::move(cause), all, group.front());
}

}  // namespace

void ended_once(Explainer& open) { broken_once(open, oracle::Symptom::kEnd); }
void wedged_once(Explainer& open) { broken_once(open, oracle::Symptom::kHang); }

// A stream that is closed after each sound request as after anything else, while its server runs.
void closed_each_time(Explainer& open) {
  if (wire::traits_of(open.context().transport).process) return;
  const auto ends = [](const Clue& clue) {
    return clue.symptom == oracle::Symptom::kEnd && !is_of_process(clue.end) && !clue.for_all;
  };
  const Group group = open.matching(ends);
  std::set<std::string> kinds;
  bool canary = false;
  for (const Clue* clue : group) {
    kinds.insert(clue->trigger.valid ? "" : kind_of(*clue));
    canary |= clue->oracle.empty() && clue->trigger.valid &&
              clue->trigger.kind == wire::MessageKind::kRequest &&
              clue->trigger.method == open.asked().method && !clue->crowded &&
              !stands_out(*clue, open.clues().survived);
  }
  if (!canary || kinds.size() < kSeveral || open.clues().several_on_one) return;
  Cause cause;
  cause.requirement = open.canary();
  cause.title = "The connection is closed after one message";
  cause.sentence =
      "The server closes the connection after a message, whatever it is; several "
      "requests may come on one connection";
  const Clue& first = smallest(group);
  open.add(std::move(cause), open.claim(ends), &first);
}

// The end that the last message of the handshake brings about is seen only when the next one has
// been written.
void ended_by_the_handshake(Explainer& open) {
  const std::string note = "notifications/initialized";
  const auto ends = [](const Clue& clue) {
    return clue.symptom == oracle::Symptom::kEnd && is_of_process(clue.end);
  };
  const auto of_note = [&](const Clue& clue) { return ends(clue) && clue.trigger.method == note; };
  const auto next = [&](const Clue& clue) {
    return ends(clue) && (clue.at_start || !clue.oracle.empty());
  };
  const Group group = open.matching(of_note);
  const std::size_t nexts = cases_of(open.matching(next)).size();
  if (group.empty() || nexts < kSeveral || 4 * nexts < 3 * cases_of(open.matching(ends)).size())
    return;
  Cause cause;
  cause.requirement = open.canary();
  cause.title = "The process ends after the handshake";
  const Group all = open.claim(next);
  cause.sentence =
      fmt::format("The notification {} ends the process{}{}", note, in_brackets(group.front()->end),
                  last_words(open, all, *group.front()));
  open.add(std::move(cause), all, group.front());
}

// One of several did it; which of them, nothing shows.
void ended_by_one_of_several(Explainer& open) {
  Group last = ended_for_all(open);
  const std::set<std::string> cases = cases_of(last);
  if (std::any_of(last.begin(), last.end(), is_odd))
    std::erase_if(last, [](const Clue* clue) { return !is_odd(clue); });
  std::set<std::string> kinds;
  for (const Clue* clue : last) kinds.insert(kind_of(*clue));
  if (kinds.size() < 2) return;
  Cause cause;
  cause.requirement = open.canary();
  cause.title = "One of several messages ends the server";
  cause.sentence = fmt::format(
      "The server ended while it had these on several connections: {}; no new connection is served",
      fmt::join(kinds, ", "));
  const Clue* lead = &smallest(last);
  const Group all = open.claim([&](const Clue& clue) {
    const bool of_case = cases.count(clue.oracle.empty() ? clue.ref.case_id : clue.row) != 0;
    return of_case && clue.symptom == oracle::Symptom::kEnd;
  });
  open.add(std::move(cause), all, lead);
}

void ended(Explainer& open) {
  closed_each_time(open);
  ended_by_one_of_several(open);
  ended_by_the_handshake(open);
  const std::set<const Clue*> victims = victims_of(open);
  const ValidEnds sound = ends_of_valid(open, victims);
  for (;;) {
    // Surest where nothing else was open that it may have been.
    Group group = open.matching([&](const Clue& clue) {
      return clue.symptom == oracle::Symptom::kEnd && clue.oracle.empty() && clue.behind.empty() &&
             victims.count(&clue) == 0;
    });
    for (const bool victim : {false, true})
      if (group.empty())
        group = open.matching([&](const Clue& clue) {
          return clue.symptom == oracle::Symptom::kEnd && clue.oracle.empty() &&
                 (victims.count(&clue) != 0) == victim;
        });
    // Oracles saw one that no case did; they do not say what was sent last.
    if (group.empty())
      group = open.matching([](const Clue& clue) { return clue.symptom == oracle::Symptom::kEnd; });
    if (group.empty()) return;
    const bool closed =
        std::any_of(group.begin(), group.end(), [](auto* c) { return is_closed(*c); });
    std::erase_if(group, [&](auto* clue) { return is_closed(*clue) != closed; });
    Likeness like = narrow(group, open);
    leave_out(group, [&](auto* clue) { return sound.has(*clue); });
    // What they have in common is that nobody has the method: what is served is another matter.
    const bool unknown = of_unknown_methods(open, group);
    const auto called = [&](const Clue& clue) {
      return unknown && clue.trigger.valid &&
             open.clues().served.contains("method=\"" + clue.trigger.method + "\"");
    };
    std::erase_if(group, [&](auto* clue) { return called(*clue); });
    // A number of which the server itself says that it is too long for it.
    const Clue* lead = group.front();
    const auto apart = [&](const Clue& clue) {
      const Clue& first = *lead;
      const bool other =
          clue.trigger.members.count(kHugeNumber) != first.trigger.members.count(kHugeNumber);
      return called(clue) ||
             (other && !clue.why.empty() && !first.why.empty() && why_of(clue) != why_of(first));
    };
    if (std::erase_if(group, [&](auto* clue) { return clue != lead && apart(*clue); }) > 0)
      like = narrow(group, open);
    std::set<std::string> cases = cases_of(group);
    for (const Clue* clue : victims) cases.insert(clue->ref.case_id);
    const bool shared = !wire::traits_of(open.context().transport).process;
    std::set<const Clue*> taken;
    // The server says itself why it ended there, and says something else than here.
    const auto explained = [&](const Clue& clue) {
      return clue.symptom == oracle::Symptom::kEnd && !clue.why.empty() &&
             std::none_of(group.begin(), group.end(),
                          [&](const Clue* one) { return why_of(*one) == why_of(clue); });
    };
    const auto takes = [&](const Clue& clue) {
      // Where all share it, what the case asked besides has found nobody.
      if (shared && !clue.answered && cases.count(clue.ref.case_id) != 0 && !explained(clue))
        return true;
      if (clue.symptom != oracle::Symptom::kEnd || is_closed(clue) != closed) return false;
      if (victims.count(&clue) != 0) return true;
      const Trigger& shown = group.front()->trigger;
      if (!clue.behind.empty() && shown.valid && clue.behind == shown.method) return true;
      // An oracle tells of what a case met; only where none did does it tell what that was.
      const bool by_case = clue.oracle.empty() || !group.front()->oracle.empty();
      const bool likewise = like.is(clue) && !apart(clue) &&
                            (!like.common.empty() || sound.has(clue) == sound.has(*group.front()));
      return (by_case && likewise) || (!clue.oracle.empty() && cases.count(clue.row) != 0);
    };
    for (const Clue* clue : open.matching(takes)) taken.insert(clue);
    for (std::size_t before = 0; before != taken.size();) {
      before = taken.size();
      for (const Clue* clue : open.matching([&](const Clue& one) {
             return one.symptom == oracle::Symptom::kEnd && taken.count(&one) == 0 &&
                    std::any_of(taken.begin(), taken.end(), [&](const Clue* other) {
                      return other->symptom == oracle::Symptom::kEnd && other->oracle.empty() &&
                             victims.count(other) == 0 && is_closed(*other) == closed &&
                             ends_likewise(open, one, *other, sound);
                    });
           }))
        taken.insert(clue);
    }
    std::set<std::string> rows;
    for (const Clue* clue : taken)
      if (clue->symptom == oracle::Symptom::kEnd) rows.insert(clue->ref.case_id + "\n" + clue->row);
    const Group all = open.claim([&](const Clue& clue) {
      // The other requests of the row reached no server.
      const bool nobody =
          shared && !clue.answered && rows.count(clue.ref.case_id + "\n" + clue.row) != 0;
      return nobody || taken.count(&clue) != 0;
    });
    add_end(open, all, like, sound);
  }
}

}  // namespace harness::run
