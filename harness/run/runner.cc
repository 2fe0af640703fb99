// SPDX-License-Identifier: Apache-2.0
#include "harness/run/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "harness/base/starvation.h"
#include "harness/base/text.h"
#include "harness/base/words.h"
#include "harness/contact/diagnose_failure.h"
#include "harness/contact/meeting.h"
#include "harness/contact/questions.h"
#include "harness/contact/revisions.h"
#include "harness/contract/in_use.h"
#include "harness/oracle/oracle.h"
#include "harness/results/case_findings.h"
#include "harness/results/coverage.h"
#include "harness/results/oracle_ledger.h"
#include "harness/results/redact.h"
#include "harness/results/summary.h"
#include "harness/run/case_judge.h"
#include "harness/run/described.h"
#include "harness/run/explanation.h"
#include "harness/run/replays.h"
#include "harness/run/schedule.h"
#include "harness/run/workers.h"
#include "harness/session/patience.h"
#include "harness/target/synthesis.h"

namespace harness::run {

using std::chrono::milliseconds;

namespace {

constexpr int kMostDistant = 12;       // cases in progress against a server that answers late
constexpr milliseconds kTrying{8000};  // the commands below causes
constexpr std::size_t kFew = 2;        // cases: what a replay plays

}  // namespace

class Runner::State {
 public:
  State(boost::asio::any_io_executor executor, const target::Target& target,
        const suite::Suite& suite, const spec::Registry& registry, RunnerOptions options,
        Baseline baseline, std::vector<Reporter*> reporters)
      : executor_(executor), target_(target), suite_(suite), registry_(registry),
        options_(std::move(options)), baseline_(std::move(baseline)),
        reporters_(std::move(reporters)), pace_(std::make_shared<session::Pace>()),
        pool_(executor_, target_, pace_, options_.service, 0, options_.make_transport),
        meeting_(
            target_, suite_, registry_,
            [this](const spec::Profile& profile) { return pool_.open(profile); }, reframing()),
        began_(std::chrono::steady_clock::now()), explanation_(options_.find_causes),
        limit_(options_.max_time, options_.used_before) {
    pace_->timeout = options_.timeout;
    pace_->rate = options_.rate;
    pace_->waited = [this](const session::Pace::Waited& one) {
      for (Reporter* reporter : reporters_)
        reporter->waiting({printable(one.what, 60), one.first, one.since, one.most});
    };
    // What is started again or brought back is there for one case alone.
    if (target_.restart_each_case || target_.reset) options_.jobs = 1;
    options_.most_open.sessions = std::max(options_.most_open.sessions, options_.jobs);
    options_.most_open.connections = std::max(options_.most_open.connections, options_.jobs + 2);
    // Where a connection is a session, there is no other number.
    if (!target_.has_exchanges())
      options_.most_open.sessions = options_.most_open.connections / connections_each();
    pool_.bound(options_.most_open);
  }

  awaitable<void> run() {
    if (options_.unstarted) {
      refuse(*options_.unstarted);
      co_return;
    }
    // What does the target speak, and what does it offer? Where nobody can say, all there is to
    // judge is how it answered.
    Result<Negotiated> met = co_await meet();
    if (std::optional<Error> why = meeting_.obstacle()) {
      refuse(*why);
      co_return;
    }
    if (!met) {
      co_await judge_unmet(met.error());
      co_return;
    }
    co_await settle_on(*met);
    if (met->ready && pool_.starts_slowly()) co_await note_distance(*met->ready);

    // Which cases apply? Those that it offers nothing for are told at once.
    select();
    announce(profile_->name);
    for (const Oddity& odd : met->odd) tell_oddity(odd);
    std::vector<Entry*> rest = playable();
    const auto first = std::stable_partition(
        rest.begin(), rest.end(), [](const Entry* entry) { return !entry->scenario->survey; });
    const std::vector<Entry*> survey(first, rest.end());
    rest.erase(first, rest.end());

    // What the target does to each class of messages; then the other cases, side by side.
    if (met->ready) explanation_.clues.canary = met->ready->canary();
    explanation_.clues.usual_error = offer_.usual_error;
    explanation_.clues.reads_as_one = offer_.reads_as_one;
    explanation_.clues.mixes_ids = offer_.mixes_ids;
    judge_.emplace(executor_, target_, suite_, registry_, offer_, pool_);
    if (!survey.empty()) co_await play_phase(survey, 1, std::move(met->ready));
    // What ends a process that serves all would be laid to those beside it.
    const bool fragile = !target_.stdio() && habits_.any(Habit::kHarm);
    co_await play_phase(rest, fragile ? 1 : options_.jobs, std::move(met->ready));
    co_await pool_.drain();

    // What the oracles saw in all of it, what was left unjudged, and the gate.
    if (!done_) co_await explanation_.measure(pool_);
    co_await ask_revisions();
    co_await explain();
    finish();
  }

  void interrupt() {
    if (done_) return;
    interrupted_ = true;
    if (profile_)
      finish();
    else
      tell_unmet("interrupted");
    outcome_.ended = Ended::kInterrupted;
    done_ = true;
  }

  const Outcome& outcome() const { return outcome_; }
  Outcome take() { return std::move(outcome_); }

 private:
  // --- the target

  Reframe reframing() {
    if (!options_.reframe) return {};
    return options_.reframe;
  }

  // Two more than act may wait, and more where each answer is waited for. One job is for a target
  // that cannot serve two at a time; and where each session is a process of its own that takes long
  // to start, a second costs more than it saves.
  int most_cases(int jobs) const {
    if (pace_->distant && jobs > 1) return std::max(jobs, kMostDistant);
    if (jobs == 1) return 1;
    const bool slow = target_.stdio() && pool_.starts_slowly();
    return slow ? jobs + 1 : std::max(jobs + 2, 4);
  }

  int connections_each() const {
    return target_.transport() == wire::TransportKind::kHttpSse ? 2 : 1;
  }

  awaitable<Result<Negotiated>> meet() {
    Result<Negotiated> met = co_await meeting_.meet(options_.profile);
    if (!met && refuses_posts(meeting_.contacts()) && options_.otherwise) {
      const bool changed = co_await options_.otherwise(options_.replay_target);
      if (changed) met = co_await meeting_.meet(options_.profile);
    }
    co_return std::move(met);
  }

  awaitable<void> settle_on(Negotiated& met) {
    met_ = true;
    profile_ = met.profile;
    offer_ = std::move(met.offer);
    if (met.ready) {
      met.ready->set_known(offer_.known);
      capabilities_ = met.ready->capabilities() ? *met.ready->capabilities() : json::null();
    }
    pool_.settle_on({profile_, met.ready ? met.ready->agreed() : json::null(), offer_.dual_era,
                     met.handshake, met.takes_cut_off, offer_.known, met.one_each});
    const SessionOpener another = [this] { return pool_.open(*profile_); };
    offer_.protection = co_await examine_protection(target_, another);
    pace_->serves_initialize = met.handshake;
    if (met.one_by_one) {
      options_.jobs = 1;
      pool_.bound({1, connections_each()});
      met.spare.reset();
    }
    if (met.spare && !target_.has_exchanges()) {
      met.spare->adopt(*profile_);
      pool_.give_back(std::move(met.spare), false);
    }
  }

  // By the soonest of a few answers.
  awaitable<void> note_distance(session::Session& ready) {
    constexpr int kAsked = 3;
    const Starvation starvation(pace_->processes);
    auto soonest = session::Clock::duration::max();
    for (int i = 0; i < kAsked; ++i) {
      const auto began = session::Clock::now();
      const session::Sent sent = co_await ready.send_canary();
      const session::Deadline deadline = began + pace_->reply();
      const session::Inbound* reply = co_await ready.reply_to(sent, deadline);
      soonest = std::min(soonest, session::Clock::now() - began);
      if (!reply || soonest < patience::kFar) co_return;
    }
    pace_->distant = starvation.since() < patience::kFar;
  }

  void refuse(const Error& why) {
    outcome_.ended = Ended::kUnreachable;
    outcome_.message = target_.secrets.masked(why.text());
    tell_unmet("failed: the target could not be judged: " + outcome_.message);
    hand_on();
    done_ = true;
  }

  awaitable<void> judge_unmet(const Error& why) {
    profile_ = co_await meeting_.judge_answers(ledger_);
    if (!profile_) {
      const bool ended = pool_.service().ours && !pool_.ended_how().empty();
      const auto& output = pool_.service().output;
      refuse(ended ? diagnose_end(pool_.ended_how(), output ? output() : "") : why);
      co_return;
    }
    select();
    announce(profile_->name);
    for (Entry& entry : entries_) {
      entry.judgement = not_played("not played: " + why.text());
      settle(entry);
    }
    ++played_;
    if (meeting_.beginning()) tell_beginning(*meeting_.beginning());
    finish();
  }

  void tell_beginning(const Beginning& begun) {
    tell_contact("handshake", begun.title, begun.finding, begun.contact.transcript,
                 target_.transport());
  }

  void tell_oddity(const Oddity& odd) {
    const spec::Requirement* clause =
        spec::strongest(odd.clauses, registry_, *profile_, odd.transport);
    if (!clause) return;
    oracle::Finding finding = odd.finding;
    finding.requirement = clause->id;
    // What every transport of the profile needs, and no text of it demands, is no breach.
    const bool must =
        spec::is_must(spec::level_in(*clause, *profile_)) && (profile_->mcp || odd.breaks_text);
    finding.severity = must ? oracle::Severity::kFail : oracle::Severity::kWarn;
    tell_contact(odd.name, odd.title, finding, odd.transcript, odd.transport);
  }

  void tell_contact(const std::string& name, const std::string& title,
                    const oracle::Finding& finding,
                    std::shared_ptr<const wire::Transcript> transcript,
                    wire::TransportKind transport) {
    std::optional<CaseResult> result =
        blank_result(name, title, {finding.requirement}, registry_, *profile_, transport);
    if (!result) return;
    const bool fails = finding.severity == oracle::Severity::kFail;
    result->verdict = fails ? Verdict::kFail : Verdict::kWarn;
    result->findings = {finding};
    result->transcript = std::move(transcript);
    result->replay = replay_of(kHandshake);
    tell(*result);
  }

  // --- the cases

  void select() {
    Selected selected =
        select_cases(suite_, options_.selection, registry_, *profile_, target_.transport());
    deselected_ = std::move(selected.deselected);
    for (const suite::Case* scenario : selected.cases) {
      Entry entry;
      entry.scenario = scenario;
      entry.result = *blank_result(scenario->id, scenario->title, scenario->covers, registry_,
                                   *profile_, target_.transport());
      entry.result.replay = replay_of(scenario->id);
      entries_.push_back(std::move(entry));
    }
  }

  // Those that can be played; of the others the result is told.
  std::vector<Entry*> playable() {
    std::vector<Entry*> out;
    const json::Value* capabilities = capabilities_.is_null() ? nullptr : &capabilities_;
    for (Entry& entry : entries_) {
      const Gate decided = gate(*entry.scenario, offer_, capabilities, *profile_);
      if (decided.open()) {
        out.push_back(&entry);
        continue;
      }
      entry.result.verdict =
          decided.not_applicable.empty() ? Verdict::kInconclusive : Verdict::kNotApplicable;
      entry.result.reason = decided.not_applicable + decided.inconclusive;
      entry.result.remedy = decided.remedy;
      settle(entry);
    }
    return out;
  }

  std::string replay_of(const std::string& id) const {
    const std::string select = id == kHandshake ? "" : "--select " + shell_quoted(id) + " ";
    return fmt::format("{} --profile {} {}{}", options_.replay_prefix, profile_->name, select,
                       options_.replay_target);
  }

  awaitable<void> ask_revisions() {
    if (!options_.ask_revisions || !profile_->mcp || done_ || limit_.over()) co_return;
    const Opener another = [this](const spec::Profile& one) { return pool_.open(one); };
    const session::Deadline until = session::Clock::now() + patience::kOtherRevisions;
    outcome_.other_revisions =
        co_await other_revisions(*profile_, another, until, !offer_.refuses_stateless);
  }

  // All of them once, so many at a time; then alone what failed or is in doubt.
  awaitable<void> play_phase(const std::vector<Entry*>& entries, int jobs, SessionPtr ready) {
    const bool alone = target_.stdio() || jobs == 1;
    if (options_.max_time.count() > 0) judge_->foresee(habits_, alone);
    schedule_ = Schedule(entries, target_.restart_each_case, !target_.stdio());
    workers_.emplace(means(jobs, std::move(ready)));
    co_await workers_->play_all();
    co_await workers_->judge_again(entries);
  }

  Workers::Means means(int jobs, SessionPtr ready) {
    return {executor_,
            target_,
            suite_,
            pool_,
            *judge_,
            ledger_,
            limit_,
            *pace_,
            schedule_,
            jobs,
            most_cases(jobs),
            std::move(ready),
            [this](const Entry& entry) { begin(entry); },
            [this](Entry& entry) { settle(entry); },
            [this](const Entry& entry) {
              return baseline_.knows(entry.scenario->id, entry.judgement.played.findings);
            }};
  }

  // --- what is told

  void announce(const std::string& profile) {
    RunStarted event;
    event.version = RPCSPEC_VERSION;
    event.target = target_.secrets.masked(target_.name);
    event.profile = profile;
    event.transport = target_.transport_name();
    event.cases = entries_.size();
    if (met_ && !options_.selection.narrowed())
      for (const oracle::Oracle& judge : oracle::oracles())
        event.cases += cited(judge.covers, registry_, *profile_, target_.transport()) != nullptr;
    for (Reporter* reporter : reporters_) reporter->run_started(event);
  }

  // Reports are written even when there is nothing to report: a CI job shows why.
  void tell_unmet(std::string gate) {
    announce(options_.profile);
    RunFinished event;
    event.duration_ms = took().count();
    event.interrupted = interrupted_;
    event.gate = std::move(gate);
    event.gate_passed = false;
    for (Reporter* reporter : reporters_) reporter->run_finished(event);
  }

  void begin(const Entry& entry) {
    for (Reporter* reporter : reporters_) reporter->case_started(entry.result.id);
  }

  void settle(Entry& entry) {
    Judgement& judgement = entry.judgement;
    if (judgement.unplayed && ++unplayed_ == 1) why_unplayed_ = judgement.played.inconclusive;
    fill(entry.result, judgement);
    if (judgement.transcript) ++played_;
    withheld_.insert(judgement.played.withheld.begin(), judgement.played.withheld.end());
    for (const oracle::Finding& finding : judgement.by_oracles)
      ledger_.keep(finding, *judgement.transcript, entry.result.id);
    entry.finished = true;
    std::uint64_t& longest = explanation_.clues.longest_survived;
    longest = std::max<std::uint64_t>(longest, judgement.played.longest_answered);
    for (const auto& [method, name] : judgement.played.served) {
      explanation_.clues.answered.insert(method);
      explanation_.clues.served.insert("method=\"" + method + "\"");
      if (!name.empty()) explanation_.clues.served.insert("params.name=\"" + name + "\"");
    }
    tell(entry.result, judgement.by_oracles);
    // The evidence has been reported; kept to the end, that of a talkative target fills the memory.
    judgement.transcript.reset();
    judgement.by_oracles.clear();
  }

  void tell(CaseResult& result, const std::vector<oracle::Finding>& by_oracles = {}) {
    redact(result, target_.secrets);
    baseline_.apply(result, options_.level_should);
    played_ids_.push_back(result.id);
    for (Reporter* reporter : reporters_) reporter->case_finished(result);
    explanation_.add(result, by_oracles, *profile_);
    result.transcript.reset();  // reporters have written what they need
    outcome_.results.push_back(result);
  }

  void tell_oracles() {
    const bool narrowed = options_.selection.narrowed() || !met_;
    for (const oracle::Oracle& judge : oracle::oracles()) {
      std::optional<CaseResult> result =
          blank_result(std::string("oracle/") + judge.name, judge.help, judge.covers, registry_,
                       *profile_, target_.transport());
      if (!result) continue;
      OracleLedger::Told told = ledger_.tell(judge.name);
      if (!told.case_id.empty()) result->replay = replay_of(told.case_id);
      fill(*result, std::move(told));
      if (narrowed && result->verdict == Verdict::kPass) continue;
      tell(*result);
    }
  }

  // What the oracles saw, and the causes of all that was found.
  void find_causes() {
    if (std::exchange(explained_, true)) return;
    if (played_ > 0) tell_oracles();
    causes_ = explanation_.causes(
        {registry_, *profile_, target_.transport(), outcome_.results, entries_.size() <= kFew});
    show_plainest(causes_, explanation_.clues, outcome_.results);
  }

  awaitable<void> explain() {
    if (done_) co_return;
    find_causes();
    const session::Deadline until = session::Clock::now() + kTrying;
    // Who plays a case by itself knows of no habits.
    judge_.emplace(executor_, target_, suite_, registry_, offer_, pool_);
    co_await try_replays(causes_, explanation_.clues, outcome_.results,
                         [&](std::string id) { return play_alone(std::move(id), until); });
  }

  awaitable<std::optional<std::vector<oracle::Finding>>> play_alone(std::string id,
                                                                    session::Deadline until) {
    const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& one) { return one.result.id == id; });
    if (done_ || limit_.over() || session::Clock::now() > until) co_return std::nullopt;
    std::vector<oracle::Finding> found;
    if (entry == entries_.end()) co_return found;
    SessionPtr session;
    Judgement judgement = co_await judge_->judge(*entry->scenario, session, Look::kAlone);
    pool_.discard(std::move(session));
    found = std::move(judgement.played.findings);
    std::move(judgement.by_oracles.begin(), judgement.by_oracles.end(), std::back_inserter(found));
    co_return found;
  }

  void finish() {
    if (done_) return;
    done_ = true;
    find_causes();
    RunFinished event;
    event.causes = std::move(causes_);
    const bool mistaken = !explanation_.mistake().empty();
    if (mistaken) {
      CaseResult result = explanation_.result_of_mistake();
      tell(result);
    }
    event.interrupted = interrupted_;
    event.summary = count_verdicts(outcome_.results);
    event.duration_ms = took().count();
    event.not_called = not_called();
    if (offer_.contract != nullptr) {
      event.contract = offer_.contract->counts();
      event.methods = described_methods(*offer_.contract, suite_, outcome_.results);
    }
    if (!interrupted_ && !options_.one_of_several)
      event.stale = baseline_.stale(played_ids_, deselected_);
    for (const spec::Profile* other : outcome_.other_revisions)
      event.unjudged.push_back(other->name);
    event.coverage = coverage_rows(registry_, *profile_, target_.transport(), outcome_.results);
    event.gate =
        gate_of(outcome_.results, {options_.level_should, options_.strict, options_.writes_known},
                !event.stale.empty(), played_);
    event.surface = options_.surface;
    const auto breaking = std::count_if(
        event.surface.begin(), event.surface.end(),
        [](const SurfaceChange& one) { return one.grade == SurfaceGrade::kBreaking; });
    const bool as_known = event.gate == kPassedAsKnown;
    if (breaking > 0 && (as_known || event.gate == "passed"))
      event.gate = fmt::format("failed: {} breaking change{} of the surface", breaking,
                               breaking == 1 ? "" : "s");
    // What was not played may be broken.
    const bool abandoned = unplayed_ > 0 && event.gate == "passed";
    if (abandoned)
      event.gate = fmt::format("failed: {} of {} cases were not played: {}", unplayed_,
                               entries_.size(), why_unplayed_);
    // It ended by itself, or somebody else ended it.
    const std::string ended = event.gate == "passed" ? unexplained_end() : "";
    if (!ended.empty()) event.gate = "failed: " + ended;
    const bool left_out = options_.one_of_several && entries_.empty();
    if (left_out) event.gate = "passed";
    if (interrupted_) event.gate = "interrupted";
    event.gate_passed = event.gate == "passed" || event.gate == kPassedAsKnown;
    if (options_.selection.select.empty() && !left_out) event.partial = why_partial();
    if (event.gate == "passed" && !event.partial.empty()) event.gate = kPassedInPart;
    event.level_should = options_.level_should;
    for (Reporter* reporter : reporters_) reporter->run_finished(event);
    hand_on();
    outcome_.ended = mistaken            ? Ended::kMistaken
                     : event.gate_passed ? Ended::kGatePassed
                                         : Ended::kGateFailed;
    outcome_.message = explanation_.mistake();
    if (abandoned && !interrupted_) {
      outcome_.ended = Ended::kUnreachable;
      outcome_.message = why_unplayed_;
    }
    if (!ended.empty() && !interrupted_) {
      outcome_.ended = Ended::kUnreachable;
      outcome_.message = ended;
    }
    if (played_ == 0 && !interrupted_ && !left_out) {
      outcome_.ended = Ended::kUnreachable;
      outcome_.message =
          entries_.empty()
              ? "no case fits this selection, profile and transport"
              : "nothing could be tested: every case is not applicable or inconclusive";
    }
  }

  // Plain JSON-RPC names no method that every server has.
  std::string why_partial() const {
    const bool named = offer_.affordances.find("known_method") && offer_.examples.empty();
    const auto& served = explanation_.clues.served;
    const bool called = std::any_of(served.begin(), served.end(), [](const std::string& word) {
      return word.starts_with("method=") && !word.starts_with("method=\"rpc.");
    });
    const bool plain = !profile_->layered() || profile_->tutorial;
    if (!plain || named || (called && offer_.examples.empty()) || !met_) return "";
    return request_for_methods(offer_);
  }

  // That the process behind the url ended, where no finding that repeats says so, nor a failure
  // that a connection did; "" otherwise.
  std::string unexplained_end() const {
    const std::string how = pool_.ended_how();
    const auto tells = [&](const oracle::Finding& finding) {
      const auto* ended = oracle::came_as<oracle::Ended>(finding.came);
      return ended && (finding.severity == oracle::Severity::kFail || ended->how == how);
    };
    const bool told = std::any_of(
        outcome_.results.begin(), outcome_.results.end(), [&](const CaseResult& result) {
          return result.verdict != Verdict::kFlaky &&
                 std::any_of(result.findings.begin(), result.findings.end(), tells);
        });
    if (how.empty() || told) return "";
    return fmt::format("the target's process ended ({}); no case reproduces it in isolation", how);
  }

  // What a run after this one begins with.
  void hand_on() {
    outcome_.profile = profile_;
    outcome_.cases = entries_.size();
    outcome_.used = limit_.used();
    outcome_.played = played_ids_;
    outcome_.deselected = deselected_;
    outcome_.baseline = baseline_;
    outcome_.replay_target = options_.replay_target;
  }

  std::vector<NotCalled> not_called() const {
    std::vector<NotCalled> out;
    for (const std::string& tool : withheld_) {
      const auto why = offer_.forbidden.find(tool);
      if (why != offer_.forbidden.end()) out.push_back({target_.secrets.masked(tool), why->second});
    }
    if (!profile_ || !profile_->mcp) return out;
    std::set<std::string> listed;
    for (const json::Value& tool : offer_.tools.items) {
      const json::Value* name = tool.find("name");
      const json::Value* schema = tool.find("inputSchema");
      if (!name || !name->is_string()) continue;
      listed.insert(name->text);
      if (!schema || offer_.forbidden.contains(name->text)) continue;
      const target::Synthesis made = target::synthesise(*schema, target::Arguments::kValid);
      if (made.instances.empty())
        out.push_back({target_.secrets.masked(name->text),
                       "no arguments can be made: " + joined(made.refused)});
    }
    for (const std::string& name : target_.listed_tools)
      if (!listed.contains(name) && !listed.empty())
        out.push_back({target_.secrets.masked(name), "the server lists no such tool"});
    return out;
  }

  milliseconds took() const {
    return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - began_);
  }

  boost::asio::any_io_executor executor_;
  const target::Target& target_;
  const suite::Suite& suite_;
  const spec::Registry& registry_;
  RunnerOptions options_;
  Baseline baseline_;
  std::vector<Reporter*> reporters_;
  std::shared_ptr<session::Pace> pace_;
  Pool pool_;
  Meeting meeting_;
  std::chrono::steady_clock::time_point began_;
  const spec::Profile* profile_ = nullptr;
  Offer offer_;
  json::Value capabilities_;
  std::vector<Entry> entries_;
  OracleLedger ledger_;
  Explanation explanation_;
  std::optional<CaseJudge> judge_;
  TimeLimit limit_;
  Habits habits_;
  Schedule schedule_;
  std::optional<Workers> workers_;
  std::vector<std::string> deselected_, played_ids_;
  std::vector<Cause> causes_;
  bool explained_ = false;
  std::set<std::string> withheld_;  // tools that were not called because they may not be
  std::size_t played_ = 0;          // cases of which there is a transcript
  std::size_t unplayed_ = 0;        // for a reason that lies with the target
  std::string why_unplayed_;        // the first of these reasons
  bool met_ = false;                // it answered, so that cases could be played
  bool interrupted_ = false;
  bool done_ = false;
  Outcome outcome_;
};

Runner::Runner(boost::asio::any_io_executor executor, const target::Target& target,
               const suite::Suite& suite, const spec::Registry& registry, RunnerOptions options,
               Baseline baseline, std::vector<Reporter*> reporters)
    : state_(std::make_unique<State>(executor, target, suite, registry, std::move(options),
                                     std::move(baseline), std::move(reporters))) {}
Runner::~Runner() = default;

awaitable<void> Runner::run() { co_await state_->run(); }
void Runner::interrupt() { state_->interrupt(); }
const Outcome& Runner::outcome() const { return state_->outcome(); }
Outcome Runner::take_outcome() { return state_->take(); }

}  // namespace harness::run
