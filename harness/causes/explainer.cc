// SPDX-License-Identifier: Apache-2.0
#include "harness/causes/explainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "harness/base/text.h"
#include "harness/results/clue_words.h"
#include "harness/results/case_findings.h"
#include "harness/spec/breaches.h"
#include "harness/spec/known.h"

namespace harness::run {
namespace {

constexpr std::size_t kLongestSeen = 160;

// In which order causes are repaired: what ends the target or has it fall silent, what is no JSON
// on the wire, ids, the handshake, notifications, pings, features, codes.
int phase_of(const Cause& cause, const Clue& lead) {
  constexpr int kHarm = 0, kBytes = 1, kFeatures = 6;
  static const std::pair<int, std::vector<const char*>> kChapters[] = {
      {kBytes, {"json.output.", "mcp.stdio.", "lsp.framing.", "ws."}},
      {2,
       {"jsonrpc.response.", "mcp.base.result", "jsonrpc.id.", "mcp.base.response-same-id",
        "mcp.base.error-readable", "mcp.base.request-id."}},
      {3, {"mcp.lifecycle.", "mcp.discover.", "mcp.http.session-", "lsp.lifecycle."}},
      {4,
       {"jsonrpc.notification.", "mcp.base.notification-", "mcp.http.notification-",
        "mcp.base.unknown-notification"}},
      {5, {"mcp.ping."}},
      {7, {"jsonrpc.error.", "mcp.errors.", "mcp.base.unknown-method", "json.invalid."}}};
  if (lead.symptom == oracle::Symptom::kEnd || lead.symptom == oracle::Symptom::kHang) return kHarm;
  if (lead.oracle == "stdout" || lead.oracle == "json-output" || lead.oracle == "sse")
    return kBytes;
  for (const auto& [phase, chapters] : kChapters)
    for (const char* chapter : chapters)
      if (cause.requirement.starts_with(chapter)) return phase;
  return kFeatures;
}

Verdict verdict_of(const Group& group) {
  bool fails = false, flaky = true;
  for (const Clue* clue : group) {
    flaky &= clue->verdict == Verdict::kFlaky;
    fails |= clue->verdict != Verdict::kFlaky && clue->severity == oracle::Severity::kFail;
  }
  return flaky ? Verdict::kFlaky : fails ? Verdict::kFail : Verdict::kWarn;
}

// Of one message, sent as often as may be: ids differ.
bool same_message(const Trigger& a, const Trigger& b) {
  if (a.seq == 0 || b.seq == 0) return false;
  if (a.cut || b.cut) return a.bytes == b.bytes;
  return a.kind == b.kind && a.members == b.members && (a.is_json || a.bytes == b.bytes);
}

// Where the clause says no more than that each request is answered: the one that never is; "" where
// they are of several kinds.
std::string silence_title(const std::string& clause, const Group& group, const Clues& clues) {
  const Trigger& first = group.front()->trigger;
  if (!first.deep && clues.served.count("method=\"" + first.method + "\"") != 0) return "";
  const std::string what = kind_of(*group.front());
  const bool one = std::all_of(group.begin(), group.end(), [&](const Clue* clue) {
    return clue->trigger.seq != 0 && is_unheard(*clue) && kind_of(*clue) == what;
  });
  return one && clause == "jsonrpc.request.reply-exactly-one" ? capital(what) + " gets no response"
                                                              : "";
}

// Where the clause says with which error a request fails: it does not fail. "" where some do.
std::string served_title(const std::string& clause, const Group& group) {
  const bool all = std::all_of(group.begin(), group.end(), [](const Clue* clue) {
    return clue->wants_error && !clue->came.result.empty();
  });
  return all ? spec::breach_of(clause + ", served") : "";
}

// Where it says that something is not refused, but it is refused, with another error or by a tool.
std::string refused_title(const Explainer& open, const std::string& clause, const Group& group) {
  std::string title = spec::breach_of(clause);
  // Under the id that stands in text that is not JSON: the text was read, whatever the error is.
  const auto was_read = [&](const Clue* clue) {
    return clue->trigger.seq != 0 && !clue->trigger.is_json && clue->came.message &&
           clue->came.code != "-32700" && !open.finding_of(*clue).came.unnamed;
  };
  if (std::any_of(group.begin(), group.end(), was_read)) return "";
  const auto all = [&](auto is) { return std::all_of(group.begin(), group.end(), is); };
  const char* how =
      all([](const Clue* clue) { return is_refused(*clue) && !clue->came.code.empty(); })
          ? "refused with the wrong error"
      : all([](const Clue* clue) {
          return clue->came.result.find("\"isError\":true") != std::string::npos;
        })
          ? "refused in the result, not by an error"
          : nullptr;
  if (!how || !title.ends_with(" not refused")) return "";
  return title.replace(title.size() - 11, 11, how);
}

// An oracle and a case complain of what came for the same message: that it came, or how it is made
// where it should not have come at all.
bool says_the_same(const Clue& by_oracle, const Clue& by_case) {
  const bool of_reply = by_oracle.oracle == "model" || by_oracle.oracle == "features";
  const bool of_shape = by_oracle.oracle == "shapes";
  // What another chapter says of the result is another matter.
  const std::string_view own = by_case.requirement, other = by_oracle.requirement;
  const std::string_view chapter = own.substr(0, own.find('.', own.find('.') + 1));
  const bool served = by_case.wants_error && by_case.came.code.empty() &&
                      (other.starts_with(chapter) || other.starts_with("mcp.base.") ||
                       other.starts_with("jsonrpc."));
  // What cannot be read has no id.
  const bool unread = by_oracle.oracle == "replies" && by_oracle.came.code == "-32700";
  return same_message(by_oracle.trigger, by_case.trigger) &&
         (of_reply || unread || (of_shape && served));
}

// Of those that are so, of which some may fail: the plainest, since nobody should have to ask what
// in a long message matters. What fails is shown by a failure.
template <class Is>
Group::const_iterator worst_that(const Group& group, Is is) {
  const auto oddity = [](const Clue* clue) {
    return std::tuple(clue->severity != oracle::Severity::kFail, clue->trigger.seq == 0,
                      clue->trigger.odd, clue->trigger.bytes);
  };
  auto best = group.end();
  for (auto one = group.begin(); one != group.end(); ++one)
    if (is(*one) && (best == group.end() || oddity(*one) < oddity(*best))) best = one;
  return best;
}

}  // namespace

std::set<std::string> cases_of(const Group& group) {
  std::set<std::string> out;
  for (const Clue* clue : group) out.insert(clue->ref.case_id);
  return out;
}

Explainer::Explainer(const Clues& clues, const CauseContext& context)
    : clues_(clues), context_(context),
      asked_(clues.canary.value_or(spec::canary_of(context.profile))),
      canary_(spec::canary_requirement(context.profile, asked_)) {
  for (const Clue& clue : clues.all) open_.push_back(&clue);
  for (const CaseResult& result : context.results) results_.emplace(result.id, &result);
  // Cases are told as they end; what is found must not depend on that.
  std::stable_sort(open_.begin(), open_.end(),
                   [](const Clue* a, const Clue* b) { return a->ref.case_id < b->ref.case_id; });
}

Group Explainer::matching(const Which& which) const {
  Group out;
  for (const Clue* clue : open_)
    if (which(*clue)) out.push_back(clue);
  return out;
}

Group Explainer::claim(const Which& which) {
  const auto rest = std::stable_partition(open_.begin(), open_.end(),
                                          [&](const Clue* clue) { return !which(*clue); });
  Group out(rest, open_.end());
  open_.erase(rest, open_.end());
  return out;
}

bool Explainer::applies(const std::string& clause) const {
  const spec::Requirement* known = context_.registry.find(clause);
  return known && spec::applies(*known, context_.profile, context_.transport);
}

bool Explainer::follows(const std::string& clause, const std::string& before) const {
  const spec::Requirement* known = context_.registry.find(clause);
  return known && std::any_of(known->follows.begin(), known->follows.end(),
                              [&](const spec::Mention& one) { return one.id == before; });
}

std::string Explainer::first_that_applies(const std::vector<const char*>& ids) const {
  for (const char* id : ids)
    if (applies(id)) return id;
  return canary_;
}

std::string Explainer::first_must(const std::vector<const char*>& ids) const {
  for (const char* id : ids)
    if (applies(id) && spec::is_must(spec::level_in(*context_.registry.find(id), context_.profile)))
      return id;
  return first_that_applies(ids);
}

std::string Explainer::best_of(const Group& group, const std::vector<const char*>& wanted) const {
  for (const char* id : wanted)
    for (const Clue* clue : group)
      if (clue->requirement == id) return id;
  return most_broken(group);
}

bool Explainer::is_permission(const std::string& clause) const {
  const spec::Requirement* known = context_.registry.find(clause);
  return known && spec::is_may(spec::level_in(*known, context_.profile));
}

std::string Explainer::most_broken(const Group& group) const {
  std::map<std::string, std::set<std::string>> rows;
  for (const Clue* clue : group) {
    if (clue->requirement == canary_ || is_permission(clue->requirement)) continue;
    std::set<std::string>& seen = rows[clue->requirement];
    seen.insert(clue->ref.case_id + "\n" + clue->row);
    if (clue->oracle.empty()) seen.insert(clue->ref.case_id + "\n" + clue->row + "\n");
  }
  std::string best = canary_;
  std::size_t most = 0;
  for (const Clue* clue : group) {
    const auto found = rows.find(clue->requirement);
    if (found == rows.end() || found->second.size() <= most) continue;
    best = found->first;
    most = found->second.size();
  }
  return best;
}

std::string Explainer::clause_of_case(const Clue& clue, std::string_view word,
                                      bool (*not_these)(const std::string&),
                                      bool permissions) const {
  // An oracle names the case in the row.
  const auto found_in = results_.find(clue.oracle.empty() ? clue.ref.case_id : clue.row);
  if (found_in == results_.end()) return "";
  std::vector<std::string> clauses = found_in->second->requirements;
  std::erase_if(clauses, [&](const std::string& id) {
    return id.find(word) == std::string::npos || (not_these && not_these(id));
  });
  const spec::Requirement* found =
      cited(clauses, context_.registry, context_.profile, context_.transport);
  // Nobody breaks a permission.
  const bool binds =
      found && (permissions || !spec::is_may(spec::level_in(*found, context_.profile)));
  return binds ? found->id : "";
}

void Explainer::Found::join(const Clue& clue) {
  cause.findings.push_back(clue.ref);
  if (cause.verdict == Verdict::kWarn && verdict_of({&clue}) == Verdict::kFail)
    cause.verdict = Verdict::kFail;
}

void Explainer::add_rest() {
  std::map<std::string, Group> groups;
  const std::map<std::string, std::string> hangs = hangs_by_case();
  const std::map<Breach, std::string> below = broken_below();
  const auto clause_of = [&](const Clue& clue) {
    if (below.count({clue.ref.case_id, clue.requirement}) != 0) return lowest(below, clue);
    const auto hang = hangs.find(clue.ref.case_id);
    return clue.requirement == canary_ && clue.symptom == oracle::Symptom::kHang &&
                   hang != hangs.end()
               ? hang->second
               : clue.requirement;
  };
  const std::map<const Clue*, const Clue*> by_case = told_by_cases();
  for (const Clue* clue : open_) {
    const auto own = by_case.find(clue);
    const auto taken = own == by_case.end() ? taken_.end() : taken_.find(own->second);
    if (taken != taken_.end())
      found_[taken->second].join(*clue);
    else
      groups[clause_of(own == by_case.end() ? *clue : *own->second)].push_back(clue);
  }
  open_.clear();
  for (const auto& [clause, group] : groups) {
    // What breaks the clause itself stands for what follows from it: a case about the clause before
    // any other, and that before an oracle.
    const auto breaks = [&](const Clue* clue) { return clue->requirement == clause; };
    const auto in_case = [&](const Clue* clue) { return breaks(clue) && clue->oracle.empty(); };
    const auto about_it = [&](const Clue* clue) { return breaks(clue) && is_about(*clue, clause); };
    if (Found* told = told_already(clause, group)) {
      for (const Clue* clue : group) told->join(*clue);
      continue;
    }
    auto lead = worst_that(group, about_it);
    if (lead == group.end()) lead = worst_that(group, in_case);
    if (lead == group.end()) lead = worst_that(group, breaks);
    Cause cause;
    cause.requirement = clause;
    cause.by_clause = true;
    cause.title = silence_title(clause, group, clues_);
    if (cause.title.empty()) cause.title = served_title(clause, group);
    if (cause.title.empty()) cause.title = refused_title(*this, clause, group);
    add(std::move(cause), group, lead == group.end() ? nullptr : *lead);
  }
}

// The cause that already cites the clause: the warnings that are left join it.
Explainer::Found* Explainer::told_already(const std::string& clause, const Group& group) {
  const bool slight = std::all_of(group.begin(), group.end(), [](const Clue* clue) {
    const bool harmless =
        clue->symptom == oracle::Symptom::kAnswer || clue->symptom == oracle::Symptom::kSilence;
    return harmless && verdict_of({clue}) != Verdict::kFail;
  });
  for (Found& found : found_) {
    const FindingRef& first = found.cause.findings.front();
    const oracle::Finding& shown = results_.at(first.case_id)->findings[first.finding];
    if (slight && found.cause.requirement == clause &&
        found.cause.baselined == group.front()->baselined &&
        oracle::symptom_of(shown) == oracle::Symptom::kAnswer)
      return &found;
  }
  return nullptr;
}

// What is broken below may look broken because of something lower still.
std::string Explainer::lowest(const std::map<Breach, std::string>& below, const Clue& clue) const {
  std::set<std::string> passed;
  std::string clause = clue.requirement;
  for (auto lower = below.find({clue.ref.case_id, clause});
       lower != below.end() && passed.insert(clause).second;
       lower = below.find({clue.ref.case_id, clause}))
    clause = lower->second;
  return clause;
}

// The cause that one is told under, or it itself, is as grave as the other.
bool Explainer::is_as_grave(const Clue& one, const Clue& other) const {
  const auto taken = taken_.find(&one);
  const Verdict verdict =
      taken != taken_.end() ? found_[taken->second].cause.verdict : verdict_of({&one});
  return verdict == Verdict::kFail ||
         (verdict == Verdict::kWarn && other.severity != oracle::Severity::kFail);
}

// What an oracle says of a message of which its case complains, and an id that is wrong, or a
// silence, in a single case, which fails itself: the clue of the case says why.
std::map<const Clue*, const Clue*> Explainer::told_by_cases() const {
  std::map<std::string, std::set<std::string>> rows;  // by what an oracle says
  for (const Clue* clue : open_)
    if (!clue->oracle.empty()) rows[clue->requirement].insert(clue->row);
  std::map<const Clue*, const Clue*> out;
  for (const Clue* clue : open_) {
    if (clue->oracle.empty()) continue;
    for (const Clue& own : clues_.all) {
      if (own.ref.case_id != clue->row || own.baselined != clue->baselined) continue;
      // That another message, which needs no reply, is answered is no matter of ids.
      const bool of_another = clue->trigger.valid &&
                              clue->trigger.kind == wire::MessageKind::kNotification &&
                              !same_message(clue->trigger, own.trigger);
      const bool of_id =
          clue->oracle == "replies" && own.symptom == oracle::Symptom::kAnswer && !of_another;
      const bool unread = oracle::came_as<oracle::NotAMessage>(finding_of(own).came);
      const bool silent = clue->oracle == "model" && !clue->answered &&
                          (own.symptom == oracle::Symptom::kSilence || unread);
      const bool alone =
          rows[clue->requirement].size() == 1 && own.below.empty() && (of_id || silent);
      const bool same = clue->requirement == own.requirement && own.oracle.empty();
      // Who answers the canary does so: it is how this one is written that matters.
      const bool unusual = clue->requirement == canary_ && clues_.canaries_answered > 0;
      if (!alone && !((same || says_the_same(*clue, own)) && (unusual || is_as_grave(own, *clue))))
        continue;
      out.emplace(clue, &own);
      break;
    }
  }
  return out;
}

// What oracles saw broken below it: they tell the first of many frames.
std::map<Explainer::Breach, std::string> Explainer::broken_below() const {
  std::set<std::string> clauses;
  for (const Clue* clue : open_) clauses.insert(clue->requirement);
  std::map<Breach, std::string> out;
  for (const Clue* clue : open_)
    for (const std::string& lower : {clue->garbled, clue->below})
      if (clauses.count(lower) != 0)
        out.emplace(Breach(clue->ref.case_id, clue->requirement), lower);
  return out;
}

// The clause that the hang of a case is told under, where that is not the canary's.
std::map<std::string, std::string> Explainer::hangs_by_case() const {
  std::map<std::string, std::string> out;
  for (const Clue* clue : open_)
    if (clue->symptom == oracle::Symptom::kHang && clue->requirement != canary_)
      out.emplace(clue->ref.case_id, clue->requirement);
  return out;
}

std::size_t Explainer::passed() const {
  return static_cast<std::size_t>(
      std::count_if(context_.results.begin(), context_.results.end(), [](const CaseResult& result) {
        return result.verdict == Verdict::kPass && !result.id.starts_with("oracle/");
      }));
}

bool Explainer::passes(const std::string& clause) const {
  return std::any_of(
      context_.results.begin(), context_.results.end(), [&](const CaseResult& result) {
        return result.verdict == Verdict::kPass && !result.id.starts_with("oracle/") &&
               std::count(result.requirements.begin(), result.requirements.end(), clause) > 0;
      });
}

std::size_t Explainer::passed_of(const std::vector<std::string_view>& chapters) const {
  std::set<std::string> clauses;
  for (const CaseResult& result : context_.results) {
    if (result.verdict != Verdict::kPass || result.id.starts_with("oracle/")) continue;
    for (const std::string& clause : result.requirements)
      for (const std::string_view chapter : chapters)
        if (clause.starts_with(chapter)) clauses.insert(clause);
  }
  return clauses.size();
}

const CaseResult* Explainer::result_of(const Clue& clue) const {
  const auto found = results_.find(clue.ref.case_id);
  return found == results_.end() ? nullptr : found->second;
}

const oracle::Finding& Explainer::finding_of(const Clue& clue) const {
  static const oracle::Finding kNone;
  const CaseResult* result = result_of(clue);
  return result ? result->findings[clue.ref.finding] : kNone;
}

bool Explainer::is_about(const Clue& clue, const std::string& clause) const {
  const CaseResult* result = clue.oracle.empty() ? result_of(clue) : nullptr;
  return result && std::count(result->requirements.begin(), result->requirements.end(), clause) > 0;
}

const Clue& Explainer::shown_by(const Group& group, const std::string& requirement) const {
  const auto breaks = [&](const Clue* clue) {
    return clue->requirement == requirement && clue->oracle.empty() &&
           clue->baselined == group.front()->baselined;
  };
  auto own = worst_that(
      group, [&](const Clue* clue) { return breaks(clue) && is_about(*clue, requirement); });
  if (own == group.end()) own = worst_that(group, breaks);
  return own == group.end() ? *group.front() : **own;
}

void Explainer::add(Cause cause, Group group, const Clue* lead) {
  if (group.empty()) return;
  const auto known = std::stable_partition(group.begin(), group.end(),
                                           [](const Clue* clue) { return !clue->baselined; });
  if (lead && lead->baselined && !group.front()->baselined) lead = nullptr;
  const Group open(group.begin(), known);
  const Group listed(known, group.end());
  const bool fails_as_known = !listed.empty() && verdict_of(listed) == Verdict::kFail;
  if (!open.empty() && fails_as_known && verdict_of(open) == Verdict::kWarn) {
    // What is known would make a failure of what only warns.
    Cause warning = cause;
    if (std::none_of(open.begin(), open.end(),
                     [&](const Clue* clue) { return clue->requirement == cause.requirement; }))
      warning.requirement = most_broken(open);
    add(std::move(warning), open);
    add(std::move(cause), listed);
    return;
  }
  Found found;
  if (!lead) lead = &shown_by(group, cause.requirement);
  cause.findings.push_back(lead->ref);
  for (const Clue* clue : group)
    if (clue != lead) cause.findings.push_back(clue->ref);
  cause.verdict = verdict_of(group);
  cause.level = level_of(cause.requirement, group);
  cause.baselined = open.empty();
  if (const CaseResult* result = result_of(*lead)) {
    cause.replay = result->replay;
    const oracle::Finding& finding = result->findings[lead->ref.finding];
    // What is wrong with a first contact is said by its result; a case says what it looks at.
    if (cause.title.empty() && lead->requirement == cause.requirement)
      cause.title = finding.headline;
    if (cause.title.empty()) cause.title = refused_title(*this, cause.requirement, group);
    if (cause.title.empty())
      cause.title = lead->ref.case_id.starts_with("contact/") ? result->title
                                                              : headline_of(cause.requirement);
    if (cause.sentence.empty())
      cause.sentence =
          fmt::format("Expected {}; seen {}", printable(finding.expected, kLongestSeen),
                      printable(finding.seen, kLongestSeen));
  }
  found.phase = phase_of(cause, *lead);
  std::set<std::string> cases;  // in which it was seen: an oracle names the case in the row
  for (const Clue* clue : group) cases.insert(clue->oracle.empty() ? clue->ref.case_id : clue->row);
  found.cases = cases.size();
  found.cause = std::move(cause);
  for (const Clue* clue : group) taken_.emplace(clue, found_.size());
  found_.push_back(std::move(found));
}

// What breaks it; where nobody wrote that, what should be.
std::string Explainer::headline_of(const std::string& clause) const {
  if (std::string breach = spec::breach_of(clause); !breach.empty()) return breach;
  const spec::Requirement* known = context_.registry.find(clause);
  if (known == nullptr) return clause;
  std::string out = "Violated: " + known->statement;
  if (out.ends_with('.')) out.pop_back();
  return out;
}

// Of the clause that is cited, whatever level those have that follow from it; nobody breaks a MAY:
// then theirs.
std::string Explainer::level_of(const std::string& clause, const Group& group) const {
  const spec::Requirement* known = context_.registry.find(clause);
  const spec::Level own = known ? spec::level_in(*known, context_.profile) : spec::Level::kMay;
  if (own != spec::Level::kMay) return spec::level_name(own);
  std::vector<std::string> clauses;
  for (const Clue* clue : group) clauses.push_back(clue->requirement);
  const spec::Requirement* highest =
      cited(clauses, context_.registry, context_.profile, context_.transport);
  return highest ? spec::level_name(spec::level_in(*highest, context_.profile)) : "";
}

std::vector<Cause> Explainer::sorted() {
  const auto order = [](const Found& found) {
    const int verdict = found.cause.verdict == Verdict::kFail    ? 0
                        : found.cause.verdict == Verdict::kFlaky ? 1
                                                                 : 2;
    const bool must = found.cause.level.starts_with("MUST");
    return std::make_tuple(found.cause.baselined, verdict, found.phase, !must,
                           -static_cast<std::ptrdiff_t>(found.cases));
  };
  std::stable_sort(found_.begin(), found_.end(),
                   [&](const Found& a, const Found& b) { return order(a) < order(b); });
  std::vector<Cause> out;
  for (Found& found : found_) out.push_back(std::move(found.cause));
  return out;
}

}  // namespace harness::run
