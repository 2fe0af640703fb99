// SPDX-License-Identifier: Apache-2.0
#include "harness/run/replays.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace harness::run {
namespace {

constexpr std::size_t kMostTried = 4;  // cases of one cause
constexpr std::size_t kPair = 2;       // frames: a message and the answer to it
constexpr std::uint64_t kLong = 400;   // bytes of a message that is not read at a glance

class Shown {
 public:
  explicit Shown(const std::vector<CaseResult>& results) {
    for (const CaseResult& result : results) results_.emplace(result.id, &result);
  }

  const CaseResult* result(const std::string& id) const {
    const auto found = results_.find(id);
    return found == results_.end() ? nullptr : found->second;
  }
  const oracle::Finding& finding(const FindingRef& ref) const {
    return result(ref.case_id)->findings[ref.finding];
  }
  // An oracle names the case it saw it in.
  const CaseResult* played(const FindingRef& ref) const {
    const oracle::Finding& one = finding(ref);
    const CaseResult* seen_in = one.oracle.empty() ? nullptr : result(one.row);
    return seen_in ? seen_in : result(ref.case_id);
  }

  // Findings that fail the gate: of the clause that is shown or cited, of the case that is shown,
  // then the others.
  std::vector<std::size_t> candidates(const Cause& cause) const {
    const FindingRef shown = cause.findings.front();
    const std::string clause = finding(shown).requirement;
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < cause.findings.size(); ++i)
      if (finding(cause.findings[i]).severity == oracle::Severity::kFail) out.push_back(i);
    // The words are those of the case that is shown.
    std::stable_partition(out.begin(), out.end(), [&](std::size_t i) {
      return cause.findings[i].case_id == shown.case_id;
    });
    std::stable_partition(out.begin(), out.end(), [&](std::size_t i) {
      const std::string& own = finding(cause.findings[i]).requirement;
      return own == clause || own == cause.requirement;
    });
    return out;
  }

  void make_first(Cause& cause, std::size_t place) const {
    std::rotate(cause.findings.begin(), cause.findings.begin() + static_cast<std::ptrdiff_t>(place),
                cause.findings.begin() + static_cast<std::ptrdiff_t>(place) + 1);
    cause.replay = played(cause.findings.front())->replay;
  }

 private:
  std::map<std::string, const CaseResult*> results_;
};

// From plain to odd.
auto oddness(const Clue& clue, const oracle::Finding& finding) {
  return std::make_tuple(!finding.sure, !clue.oracle.empty(), clue.trigger.odd,
                         finding.frames.size() > kPair, clue.trigger.bytes > kLong);
}

// What is said of the one is true of the other.
bool alike(const Clue& a, const Clue& b, bool same_text) {
  return a.requirement == b.requirement && a.severity == b.severity && a.symptom == b.symptom &&
         a.verdict == b.verdict && a.baselined == b.baselined && a.end == b.end && a.why == b.why &&
         a.came.status == b.came.status && a.came.code == b.came.code &&
         (!same_text || a.came.text == b.came.text) && a.trigger.kind == b.trigger.kind &&
         a.trigger.is_json == b.trigger.is_json && a.trigger.valid == b.trigger.valid;
}

// It is about the end of the handshake or a list, which every run sends before its first case.
bool is_of_every_run(const Clue& clue) {
  const std::string& method = clue.trigger.method;
  const bool begins = method == "notifications/initialized" || method == "initialized";
  return !clue.oracle.empty() && clue.trigger.valid &&
         (begins ||
          (method.ends_with("/list") && clue.trigger.members.count("params.cursor") == 0));
}

bool is_contact(const FindingRef& ref) { return ref.case_id.starts_with("contact/"); }

}  // namespace

void show_plainest(std::vector<Cause>& causes, const Clues& clues,
                   const std::vector<CaseResult>& results) {
  const Shown shown(results);
  std::map<std::pair<std::string, std::size_t>, const Clue*> by_ref;
  for (const Clue& clue : clues.all) by_ref[{clue.ref.case_id, clue.ref.finding}] = &clue;
  const auto clue_of = [&](const FindingRef& ref) {
    const auto found = by_ref.find({ref.case_id, ref.finding});
    return found == by_ref.end() ? nullptr : found->second;
  };
  for (Cause& cause : causes) {
    const Clue* first = clue_of(cause.findings.front());
    if (first == nullptr || is_contact(first->ref)) continue;
    const bool same_text =
        !first->came.text.empty() && cause.sentence.find(first->came.text) != std::string::npos;
    const auto about_it = [&](const FindingRef& ref) {
      const auto& about = shown.result(ref.case_id)->requirements;
      return std::count(about.begin(), about.end(), cause.requirement) > 0;
    };
    std::size_t best = 0;
    auto least = oddness(*first, shown.finding(first->ref));
    for (std::size_t i = 1; i < cause.findings.size(); ++i) {
      const Clue* clue = clue_of(cause.findings[i]);
      if (clue == nullptr || !alike(*first, *clue, same_text) ||
          (about_it(first->ref) && !about_it(clue->ref)))
        continue;
      const auto odd = oddness(*clue, shown.finding(clue->ref));
      if (odd < least) best = i, least = odd;
    }
    shown.make_first(cause, best);
  }
}

awaitable<void> try_replays(std::vector<Cause>& causes, const Clues& clues,
                            const std::vector<CaseResult>& results, PlayAlone play) {
  const Shown shown(results);
  std::map<std::string, std::vector<oracle::Finding>> came;  // by case
  for (Cause& cause : causes) {
    if (cause.verdict != Verdict::kFail || cause.baselined || is_contact(cause.findings.front()))
      continue;
    std::set<std::string> tried;
    bool shows = false, late = false;
    for (const std::size_t i : shown.candidates(cause)) {
      if (shows || late) break;
      const oracle::Finding& finding = shown.finding(cause.findings[i]);
      const CaseResult* played = shown.played(cause.findings[i]);
      // A case that fails was played again alone, as the command does.
      shows = finding.oracle.empty() && finding.sure && played->verdict == Verdict::kFail;
      shows |= played->id.starts_with("oracle/");  // what the whole run begins with
      shows |= std::any_of(clues.all.begin(), clues.all.end(), [&](const Clue& clue) {
        return clue.ref.case_id == cause.findings[i].case_id &&
               clue.ref.finding == cause.findings[i].finding && is_of_every_run(clue);
      });
      if (!shows && !tried.contains(played->id) && tried.size() < kMostTried) {
        tried.insert(played->id);
        if (!came.contains(played->id)) {
          std::optional<std::vector<oracle::Finding>> found = co_await play(played->id);
          late = !found;
          if (found) came[played->id] = std::move(*found);
        }
        const std::vector<oracle::Finding>& found = came[played->id];
        shows = std::any_of(found.begin(), found.end(), [&](const oracle::Finding& one) {
          return one.requirement == finding.requirement && one.severity == finding.severity;
        });
      }
      if (shows) shown.make_first(cause, i);
    }
    if (late) {
      cause.replay_note = "there was no time to try it";
    } else if (!shows) {
      cause.replay.clear();
      cause.replay_note =
          tried.size() == 1
              ? "none: the case that showed it does not show it when played alone"
              : fmt::format("none: none of {} cases that showed it shows it when played alone",
                            tried.size());
    }
  }
}

}  // namespace harness::run
