// SPDX-License-Identifier: Apache-2.0
#include "harness/run/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <deque>
#include <map>
#include <set>

#include "harness/base/text.h"
#include "harness/oracle/oracle.h"
#include "harness/run/coverage.h"
#include "harness/run/negotiate.h"
#include "harness/suite/selection.h"

namespace harness::run {
namespace {

using session::Clock;
using session::Session;
using std::chrono::milliseconds;
using SessionPtr = std::unique_ptr<Session>;

// How long a target may take to leave when it is no longer needed; whether it leaves by itself is
// judged by a case, not here.
constexpr milliseconds kFarewell{150};

// A target that has gone silent costs a deadline a case, and each case says the same. After this
// many in a row that asked and got no reply, the rest is not played; a session that cannot be opened
// is a longer wait and counts for several.
constexpr int kSilentCases = 20;
constexpr int kUnopenedCounts = 5;

// One way a case came out.
struct Judgement {
  Verdict verdict = Verdict::kPass;
  Played played;
  std::string error;
  std::shared_ptr<const wire::Transcript> transcript;
  std::vector<oracle::Finding> by_oracles;
  bool asked = false;     // something beyond the handshake was sent
  bool answered = false;  // and something that is a reply came after it
};

struct Entry {
  const suite::Case* scenario = nullptr;
  CaseResult result;
  bool finished = false;
  bool shared = false;      // judged on a session other cases used
  Judgement first;
};

bool disruptive(const suite::Case& scenario) {
  for (const json::Value& step : scenario.steps.items)
    if (step.find("close") || step.find("signal")) return true;
  return false;
}

std::size_t reconnects(const suite::Case& scenario) {
  std::size_t count = 0;
  for (const json::Value& step : scenario.steps.items) count += step.find("reconnect") != nullptr;
  return count * std::max<std::size_t>(1, scenario.table.size());
}

Verdict worst_of(const std::vector<oracle::Finding>& findings) {
  Verdict verdict = Verdict::kPass;
  for (const oracle::Finding& finding : findings) {
    if (finding.severity == oracle::Severity::kFail) return Verdict::kFail;
    if (finding.severity == oracle::Severity::kWarn) verdict = Verdict::kWarn;
  }
  return verdict;
}

std::shared_ptr<const wire::Transcript> joined(const std::vector<Stretch>& stretches) {
  if (stretches.empty()) return nullptr;
  if (stretches.size() == 1) return stretches.front().transcript;
  auto all = std::make_shared<wire::Transcript>(*stretches.front().transcript);
  for (std::size_t i = 1; i < stretches.size(); ++i)
    all->frames.insert(all->frames.end(), stretches[i].transcript->frames.begin(),
                       stretches[i].transcript->frames.end());
  return all;
}

std::string class_of(const oracle::Finding& finding) {
  return finding.oracle + "|" + finding.requirement;
}

}  // namespace

class Runner::State {
 public:
  State(boost::asio::any_io_executor executor, const target::Target& target,
        const suite::Suite& suite, const spec::Registry& registry, Options options,
        Baseline baseline, std::vector<Reporter*> reporters)
      : executor_(executor),
        target_(target),
        suite_(suite),
        registry_(registry),
        options_(std::move(options)),
        baseline_(std::move(baseline)),
        reporters_(std::move(reporters)),
        pace_(std::make_shared<session::Pace>()),
        began_(Clock::now()) {
    pace_->timeout = options_.timeout;
  }

  awaitable<void> run() {
    Result<Negotiated> met = co_await negotiate(
        options_.profile, target_, suite_,
        [this](const spec::Profile& profile) { return open(profile); });
    if (!met) {
      outcome_.ended = Ended::kUnreachable;
      outcome_.message = met.error().text();
      tell_unreachable();
      done_ = true;
      co_return;
    }
    profile_ = met->profile;
    offer_ = std::move(met->offer);
    if (met->ready) capabilities_ = met->ready->capabilities() ? *met->ready->capabilities() : json::null();
    agreed_ = met->ready ? met->ready->agreed() : json::null();
    select();
    announce(profile_->name);
    first_ready_ = std::move(met->ready);
    co_await play_all();
    co_await judge_again();
    finish();
  }

  void interrupt() {
    if (done_) return;
    interrupted_ = true;
    if (profile_) finish();
    outcome_.ended = Ended::kInterrupted;
    done_ = true;
  }

  const Outcome& outcome() const { return outcome_; }

 private:
  // --- sessions

  bool service_died() const {
    return options_.service_ending && !options_.service_ending().empty();
  }

  // Starts a service again that died; workers that come meanwhile wait for the same restart.
  awaitable<Status> revive() {
    while (reviving_) {
      boost::asio::steady_timer poll(executor_, milliseconds(20));
      boost::system::error_code ignored;
      co_await poll.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
    }
    if (!service_died()) co_return Nothing{};
    reviving_ = true;
    ++lives_;
    const Status started = co_await options_.restart_service();
    reviving_ = false;
    co_return started;
  }

  awaitable<Result<SessionPtr>> open(const spec::Profile& profile) {
    if (service_died()) {
      const Status revived = co_await revive();
      if (!revived) co_return revived.error();
    }
    auto transport = transport::make(executor_, target_);
    if (!transport) co_return transport.error();
    auto fresh = std::make_unique<Session>(std::move(*transport), profile, target_.name, pace_);
    if (profile.era == spec::Era::kPlain)
      if (const json::Value* known = target_.affordances.find("known_method"))
        fresh->set_canary(*known, false);
    const Status opened = co_await fresh->open();
    if (!opened) co_return opened.error();
    co_return std::move(fresh);
  }

  // A session on which nothing was sent; from the pool when one waits there.
  awaitable<Result<SessionPtr>> bare() {
    if (!spares_.empty()) {
      SessionPtr spare = std::move(spares_.front());
      spares_.pop_front();
      spawn_ahead();
      co_return std::move(spare);
    }
    Result<SessionPtr> opened = co_await open(*profile_);
    spawn_ahead();
    co_return std::move(opened);
  }

  // Starts processes ahead of their need while others are busy.
  void spawn_ahead() {
    if (!target_.stdio()) return;
    const std::size_t wanted = std::min<std::size_t>(own_.size() + upcoming_, options_.jobs);
    while (spares_.size() + spawning_ < wanted) {
      ++spawning_;
      boost::asio::co_spawn(
          executor_,
          [this]() -> awaitable<void> {
            Result<SessionPtr> opened = co_await open(*profile_);
            --spawning_;
            if (opened) spares_.push_back(std::move(*opened));
          },
          boost::asio::detached);
    }
  }

  awaitable<Result<SessionPtr>> connect(suite::Need need, const json::Value& client_capabilities) {
    Result<SessionPtr> opened = co_await bare();
    if (!opened) co_return std::move(opened);
    Session& fresh = **opened;
    if (client_capabilities.is_object()) {
      session::Options options = fresh.options();
      options.client_capabilities = client_capabilities;
      fresh.set_options(options);
    }
    if (need == suite::Need::kBare) co_return std::move(opened);
    if (profile_->era == spec::Era::kHandshake) {
      const session::Handshake shaken = co_await fresh.handshake();
      if (!shaken.accepted)
        co_return Error{"", "a new session did not get through the handshake" +
                                (session::post_mortem(fresh).empty()
                                     ? std::string()
                                     : ": " + session::post_mortem(fresh)),
                        ""};
    } else {
      fresh.set_agreed(agreed_);
    }
    co_return std::move(opened);
  }

  void discard(SessionPtr gone) {
    if (!gone) return;
    boost::asio::co_spawn(
        executor_,
        [](SessionPtr leaving) -> awaitable<void> { co_await leaving->shutdown(kFarewell); }(
            std::move(gone)),
        boost::asio::detached);
  }

  // --- selection

  void select() {
    const char* transport = target_.stdio() ? "stdio" : "http";
    for (const suite::Case& scenario : suite_.cases) {
      const bool wanted_profile =
          scenario.profiles.empty() ||
          std::any_of(scenario.profiles.begin(), scenario.profiles.end(),
                      [&](const std::string& selector) { return profile_->is(selector); });
      const bool wanted_transport =
          scenario.transports.empty() ||
          std::find(scenario.transports.begin(), scenario.transports.end(), transport) !=
              scenario.transports.end();
      const bool applicable = wanted_profile && wanted_transport &&
                              cited(scenario.covers, registry_, *profile_, transport);
      if (!suite::selected(scenario, options_.selection)) {
        deselected_.push_back(scenario.id);
        continue;
      }
      if (!applicable) continue;
      Entry entry;
      entry.scenario = &scenario;
      entry.result.id = scenario.id;
      entry.result.title = scenario.title;
      for (const std::string& id : scenario.covers) {
        const spec::Requirement* requirement = registry_.find(id);
        if (requirement && spec::applies(*requirement, *profile_, transport))
          entry.result.requirements.push_back(id);
      }
      entry.result.level = spec::level_name(spec::level_in(
          *cited(scenario.covers, registry_, *profile_, transport), *profile_));
      entry.result.replay = fmt::format("{} --profile {} --select {} {}", options_.replay_prefix,
                                        profile_->name, shell_quoted(scenario.id),
                                        options_.replay_target);
      entries_.push_back(std::move(entry));
    }
  }

  // Reports are written even when there is nothing to report: a CI job shows why.
  void tell_unreachable() {
    announce(options_.profile);
    RunFinished event;
    event.duration_ms = std::chrono::duration_cast<milliseconds>(Clock::now() - began_).count();
    event.gate = "failed: the target could not be judged: " + outcome_.message;
    event.gate_passed = false;
    for (Reporter* reporter : reporters_) reporter->run_finished(event);
  }

  void announce(const std::string& profile) {
    RunStarted event;
    event.version = RPCSPEC_VERSION;
    event.target = target_.name;
    event.profile = profile;
    event.transport = target_.stdio() ? "stdio" : "http";
    event.cases = entries_.size();
    if (profile_ && options_.selection.select.empty())
      for (const oracle::Oracle& judge : oracle::oracles())
        event.cases += cited(judge.covers, registry_, *profile_, event.transport) != nullptr;
    for (Reporter* reporter : reporters_) reporter->run_started(event);
  }

  // --- playing

  awaitable<void> play_all() {
    for (Entry& entry : entries_) {
      const suite::Case& scenario = *entry.scenario;
      const Gate decided = gate(scenario, offer_, capabilities_.is_null() ? nullptr : &capabilities_);
      if (!decided.open()) {
        entry.result.verdict = decided.not_applicable.empty() ? Verdict::kInconclusive
                                                              : Verdict::kNotApplicable;
        entry.result.reason = decided.not_applicable + decided.inconclusive;
        entry.result.remedy = decided.remedy;
        settle(entry);
        continue;
      }
      const bool own = scenario.need != suite::Need::kReady || !scenario.client_capabilities.is_null();
      (own ? own_ : shared_).push_back(&entry);
    }
    // Cases that end their target come last: they can take what others are done with.
    std::stable_partition(own_.begin(), own_.end(),
                          [](const Entry* entry) { return !disruptive(*entry->scenario); });
    spawn_ahead();
    const auto story = [this](int number) { return work(number); };
    co_await workers(story);
  }

  template <class Work>
  awaitable<void> workers(Work work) {
    int running = std::max(1, options_.jobs);
    boost::asio::steady_timer all_done(executor_, Clock::time_point::max());
    for (int i = 0; i < std::max(1, options_.jobs); ++i) {
      boost::asio::co_spawn(
          executor_,
          [&, i]() -> awaitable<void> {
            co_await work(i);
            if (--running == 0) all_done.cancel();
          },
          [this](std::exception_ptr failure) {
            if (failure && !failure_) failure_ = failure;
          });
    }
    boost::system::error_code ignored;
    if (running > 0)
      co_await all_done.async_wait(
          boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
    if (failure_) std::rethrow_exception(failure_);
  }

  // One worker: a ready session that cases share, a bare one that cases share, and sessions of
  // their own for the rest. Even workers begin with the cases that need their own.
  awaitable<void> work(int number) {
    SessionPtr ready, untouched;
    std::uint64_t life = lives_;
    for (;;) {
      if (life != lives_ || service_died()) {
        discard(std::move(ready));
        discard(std::move(untouched));
        life = lives_;
      }
      auto& preferred = number % 2 == 0 && options_.jobs > 1 ? own_ : shared_;
      auto& other = &preferred == &own_ ? shared_ : own_;
      auto& queue = preferred.empty() ? other : preferred;
      if (queue.empty()) break;
      Entry* entry = queue.front();
      queue.pop_front();
      const suite::Case& scenario = *entry->scenario;
      const bool own = &queue == &own_;
      SessionPtr* slot = !own ? &ready
                         : scenario.need == suite::Need::kBare &&
                                 scenario.client_capabilities.is_null() && !disruptive(scenario)
                             ? &untouched
                             : nullptr;
      SessionPtr mine = slot && *slot ? std::move(*slot) : nullptr;
      entry->shared = mine != nullptr;
      if (!mine && slot == &ready && first_ready_) {
        mine = std::move(first_ready_);
        entry->shared = true;
      }
      if (!mine && own && disruptive(scenario) && scenario.need == suite::Need::kFresh &&
          scenario.client_capabilities.is_null() && !spent_.empty()) {
        mine = std::move(spent_.back());
        spent_.pop_back();
        entry->shared = true;
      }
      const auto began = Clock::now();
      if (gone_silent()) {
        entry->first.verdict = Verdict::kInconclusive;
        entry->first.played.inconclusive = "not played: the target had stopped answering";
        settle(*entry);
        if (mine) discard(std::move(mine));
        continue;
      }
      entry->first = co_await judge(scenario, mine, false);
      note_silence(entry->first);
      entry->result.duration_ms =
          std::chrono::duration_cast<milliseconds>(Clock::now() - began).count();
      if (!needs_another_look(*entry)) settle(*entry);
      if (!mine) continue;
      const bool sound = !mine->closed() && !mine->spoiled() &&
                         entry->first.verdict != Verdict::kFail;
      if (slot == &ready && sound) {
        ready = std::move(mine);
      } else if (slot == &untouched && sound && !mine->initialized() &&
                 profile_->era == spec::Era::kHandshake) {
        untouched = std::move(mine);
      } else if (sound && reusable_for_ending(*mine)) {
        spent_.push_back(std::move(mine));
      } else {
        discard(std::move(mine));
      }
    }
    if (ready && reusable_for_ending(*ready)) spent_.push_back(std::move(ready));
    discard(std::move(ready));
    discard(std::move(untouched));
  }

  bool gone_silent() const { return silence_ >= kSilentCases; }

  void note_silence(const Judgement& judgement) {
    if (gone_silent()) return;
    if (judgement.answered) {
      silence_ = 0;
    } else if (!judgement.transcript && judgement.verdict == Verdict::kInconclusive) {
      silence_ += kUnopenedCounts;
    } else if (judgement.asked && judgement.verdict == Verdict::kFail) {
      ++silence_;
    }
  }

  // Whether anything was asked beyond the handshake, and whether a reply came after it.
  static void look_for_replies(const oracle::Evidence& evidence, Judgement& judgement) {
    bool asked = false;
    for (std::size_t i = 0; i < evidence.messages.size(); ++i) {
      const wire::Frame& frame = evidence.transcript.frames[i];
      if (frame.direction == wire::Direction::kSent) {
        asked |= wire::carries_message(frame) &&
                 frame.bytes.find("initialize") == std::string::npos;
      } else if (asked) {
        judgement.answered |= frame.channel == wire::Channel::kHttp ||
                              evidence.messages[i].is_reply() ||
                              evidence.messages[i].kind == wire::MessageKind::kBatch;
      }
    }
    judgement.asked |= asked;
  }

  bool reusable_for_ending(const Session& used) const {
    if (!target_.stdio() || spent_.size() >= 8) return false;
    if (profile_->era != spec::Era::kHandshake) return true;
    const json::Value* version = used.agreed().is_object() ? used.agreed().find("protocolVersion") : nullptr;
    return used.initialized() && version && version->text == profile_->revision;
  }

  // Plays a case and runs the oracles over what was seen. Catches our own mistakes: they are the
  // Verdict `error` of this case.
  awaitable<Judgement> judge(const suite::Case& scenario, SessionPtr& mine, bool patient) {
    Judgement judgement;
    if (!mine) {
      Result<SessionPtr> opened = co_await connect(scenario.need, scenario.client_capabilities);
      if (!opened) {
        judgement.verdict = Verdict::kInconclusive;
        judgement.played.inconclusive = "no session could be opened: " + opened.error().text();
        co_return judgement;
      }
      mine = std::move(*opened);
    }
    Stage stage{suite_, registry_, *profile_, offer_, patient,
                [this, &scenario](suite::Need need) {
                  upcoming_ -= upcoming_ > 0;
                  return connect(need, scenario.client_capabilities);
                },
                [this](SessionPtr gone) { discard(std::move(gone)); }};
    upcoming_ += reconnects(scenario);
    spawn_ahead();
    const session::Options before = mine->options();
    const std::uint64_t life = lives_;
    try {
      judgement.played = co_await play(scenario, mine, stage);
    } catch (const Bug& bug) {
      judgement.verdict = Verdict::kError;
      judgement.error = bug.what();
      mine->spoil();
      co_return judgement;
    }
    if (options_.service_ending && worst_of(judgement.played.findings) == Verdict::kFail)
      co_await notice_death();
    if (service_died()) blame_death(judgement.played, *mine);
    if (lives_ != life) judgement.played.doubtful = true;
    if (mine) mine->set_options(before);
    for (const Stretch& stretch : judgement.played.stretches) {
      oracle::Evidence evidence(*stretch.transcript, *profile_, registry_);
      look_for_replies(evidence, judgement);
      evidence.earlier_ids = stretch.earlier_ids;
      evidence.server_capabilities = stretch.server_capabilities;
      evidence.client_capabilities = stretch.client_capabilities;
      for (oracle::Finding& finding : oracle::judge(evidence))
        judgement.by_oracles.push_back(std::move(finding));
    }
    judgement.transcript = joined(judgement.played.stretches);
    judgement.verdict = !judgement.played.not_applicable.empty() ? Verdict::kNotApplicable
                        : !judgement.played.inconclusive.empty() ? Verdict::kInconclusive
                                                                 : worst_of(judgement.played.findings);
    co_return judgement;
  }

  // A connection that broke off is seen before the end of the process that held it.
  awaitable<void> notice_death() {
    for (int i = 0; i < 10 && !service_died(); ++i) {
      boost::asio::steady_timer poll(executor_, milliseconds(10));
      boost::system::error_code ignored;
      co_await poll.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
    }
  }

  // The process behind the url ended meanwhile. Whether this case did it is only known when it is
  // played again alone.
  void blame_death(Played& played, Session& session) {
    const auto& frames = session.transcript().frames;
    oracle::Finding finding;
    finding.requirement = spec::canary_requirement(*profile_);
    finding.severity = oracle::Severity::kFail;
    finding.expected = "the server lives on and answers the next request";
    finding.seen = "its process ended: " + options_.service_ending();
    for (auto it = frames.rbegin(); it != frames.rend() && finding.frames.size() < 4; ++it)
      finding.frames.insert(finding.frames.begin(), it->seq);
    played.findings.push_back(std::move(finding));
    played.doubtful = true;
    session.spoil();
  }

  // A failure is judged again alone; so is a silence that a latecomer puts in doubt, and whatever
  // an oracle saw for the first time.
  bool needs_another_look(const Entry& entry) {
    bool again = entry.first.verdict == Verdict::kFail || entry.first.played.doubtful;
    for (const oracle::Finding& finding : entry.first.by_oracles)
      if (finding.severity != oracle::Severity::kInfo && !confirmed_.contains(class_of(finding)) &&
          looked_at_.insert(class_of(finding)).second)
        again = true;
    return again;
  }

  awaitable<void> judge_again() {
    for (Entry& entry : entries_)
      if (!entry.finished) again_.push_back(&entry);
    spares_.clear();
    // A service is shared by all sessions: alone means alone.
    if (options_.service_ending) options_.jobs = 1;
    const auto story = [this](int) { return work_again(); };
    co_await workers(story);
  }

  awaitable<void> work_again() {
    while (!again_.empty()) {
      Entry* entry = again_.front();
      again_.pop_front();
      // Nothing is gained by asking a silent target again: the others in the row confirm it.
      if (gone_silent() && !entry->first.answered) {
        settle(*entry);
        continue;
      }
      const suite::Case& scenario = *entry->scenario;
      SessionPtr alone;
      Judgement second = co_await judge(scenario, alone, true);
      discard(std::move(alone));
      confirm(*entry, second);
      settle(*entry);
    }
  }

  void confirm(Entry& entry, Judgement& second) {
    std::set<std::string> seen_twice;
    for (const oracle::Finding& finding : second.by_oracles)
      for (const oracle::Finding& earlier : entry.first.by_oracles)
        if (class_of(finding) == class_of(earlier)) confirmed_.insert(class_of(finding));
    const bool failed_before = entry.first.verdict == Verdict::kFail;
    const bool fails_now = second.verdict == Verdict::kFail;
    // A silence that a latecomer put in doubt was no judgement yet: the patient one stands alone.
    const bool doubtful = entry.first.played.doubtful;
    if (failed_before && !fails_now && !doubtful && second.verdict != Verdict::kError) {
      entry.result.reason =
          entry.shared ? "it failed on a session it shared, and not alone on a fresh one"
                       : "it failed once, and not when it was played again";
      entry.first.verdict = Verdict::kFlaky;
      return;
    }
    // The second judgement was alone and patient: it is the one to report.
    entry.first = std::move(second);
  }

  // --- results

  void settle(Entry& entry) {
    CaseResult& result = entry.result;
    Judgement& judgement = entry.first;
    if (result.verdict != Verdict::kInconclusive && result.verdict != Verdict::kNotApplicable) {
      result.verdict = judgement.verdict;
      result.findings = std::move(judgement.played.findings);
      result.notes = std::move(judgement.played.notes);
      result.transcript = judgement.transcript;
      if (result.verdict == Verdict::kError) result.reason = judgement.error;
      if (result.verdict == Verdict::kInconclusive) {
        result.reason = judgement.played.inconclusive;
        result.remedy = judgement.played.remedy;
      }
      if (result.verdict == Verdict::kNotApplicable) result.reason = judgement.played.not_applicable;
    }
    if (judgement.transcript) ++played_;
    for (oracle::Finding& finding : judgement.by_oracles) keep(finding, *judgement.transcript, entry);
    entry.finished = true;
    tell(result);
    // The evidence has been reported; kept to the end, that of a talkative target fills the memory.
    judgement.transcript.reset();
    judgement.played.stretches.clear();
    judgement.by_oracles.clear();
  }

  // Findings of oracles are collected per oracle: one root cause, told once, with its first proof.
  void keep(oracle::Finding& finding, const wire::Transcript& transcript, const Entry& entry) {
    auto& kept = by_oracle_[finding.oracle];
    kept.cases.insert(entry.result.id);
    if (!kept.seen.insert(finding.requirement + finding.message()).second || kept.findings.size() >= 40)
      return;
    int of_same = 0;
    for (const oracle::Finding& other : kept.findings) of_same += other.requirement == finding.requirement;
    if (of_same >= 3) return;
    // The frames move into a transcript of their own, numbered anew.
    oracle::Finding copy = finding;
    copy.row = entry.result.id;
    copy.frames.clear();
    for (const std::uint64_t seq : finding.frames) {
      for (const wire::Frame& frame : transcript.frames) {
        if (frame.seq != seq) continue;
        kept.transcript->frames.push_back(frame);
        kept.transcript->frames.back().seq = kept.transcript->frames.size();
        copy.frames.push_back(kept.transcript->frames.size());
        break;
      }
    }
    kept.findings.push_back(std::move(copy));
  }

  void tell(CaseResult& result) {
    baseline_.apply(result, options_.level_should);
    played_ids_.push_back(result.id);
    for (Reporter* reporter : reporters_) reporter->case_finished(result);
    result.transcript.reset();  // reporters have written what they need
    outcome_.results.push_back(result);
  }

  void tell_oracles() {
    const char* transport = target_.stdio() ? "stdio" : "http";
    for (const oracle::Oracle& judge : oracle::oracles()) {
      CaseResult result;
      result.id = std::string("oracle/") + judge.name;
      result.title = judge.help;
      for (const std::string& id : judge.covers) {
        const spec::Requirement* requirement = registry_.find(id);
        if (requirement && spec::applies(*requirement, *profile_, transport))
          result.requirements.push_back(id);
      }
      const spec::Requirement* best = cited(judge.covers, registry_, *profile_, transport);
      if (!best) continue;
      result.level = spec::level_name(spec::level_in(*best, *profile_));
      if (const auto found = by_oracle_.find(judge.name); found != by_oracle_.end()) {
        auto& kept = found->second;
        result.transcript = kept.transcript;
        for (oracle::Finding& finding : kept.findings) {
          if (!confirmed_.contains(class_of(finding)) && finding.severity != oracle::Severity::kInfo) continue;
          if (finding.severity == oracle::Severity::kInfo)
            result.notes.push_back(finding.requirement + ": " + finding.seen);
          else
            result.findings.push_back(finding);
        }
        result.verdict = worst_of(result.findings);
        const bool unconfirmed = std::any_of(
            kept.findings.begin(), kept.findings.end(), [&](const oracle::Finding& finding) {
              return finding.severity == oracle::Severity::kFail &&
                     !confirmed_.contains(class_of(finding));
            });
        if (result.verdict == Verdict::kPass && unconfirmed) {
          result.verdict = Verdict::kFlaky;
          result.reason = "seen once, and not when the case was played again alone";
          result.findings = kept.findings;
        }
        if (!kept.cases.empty())
          result.replay = fmt::format("{} --profile {} --select {} {}", options_.replay_prefix,
                                      profile_->name, shell_quoted(*kept.cases.begin()),
                                      options_.replay_target);
        if (kept.cases.size() > 1 && result.verdict != Verdict::kPass)
          result.notes.push_back(fmt::format("seen while {} cases were played", kept.cases.size()));
      }
      const bool narrowed = !options_.selection.select.empty();
      if (narrowed && result.verdict == Verdict::kPass) continue;
      tell(result);
    }
  }

  void finish() {
    if (done_) return;
    done_ = true;
    if (played_ > 0) tell_oracles();
    RunFinished event;
    event.interrupted = interrupted_;
    bool failed = false, warned = false, unclear = false;
    for (const CaseResult& result : outcome_.results) {
      ++event.summary[verdict_name(result.verdict)];
      if (result.baselined) ++event.summary["baselined"];
      const bool known = result.baselined;
      failed |= result.verdict == Verdict::kFail && !known;
      warned |= result.verdict == Verdict::kWarn && !known;
      unclear |= result.verdict == Verdict::kInconclusive;
      errors_ |= result.verdict == Verdict::kError;
    }
    event.duration_ms = std::chrono::duration_cast<milliseconds>(Clock::now() - began_).count();
    event.stale = baseline_.stale(played_ids_, interrupted_ ? played_ids_ : deselected_);
    if (interrupted_) event.stale.clear();
    event.coverage = coverage_rows(registry_, *profile_, target_.stdio() ? "stdio" : "http",
                                   outcome_.results);
    event.gate = failed                             ? "failed: a MUST is broken"
                 : warned && options_.level_should  ? "failed: a SHOULD is broken (--level should)"
                 : !event.stale.empty()             ? "failed: the baseline has stale entries"
                 : unclear && options_.strict       ? "failed: not everything could be exercised (--strict)"
                 : errors_                          ? "failed: rpcspec itself erred"
                 : played_ == 0                     ? "failed: nothing could be exercised"
                                                    : "passed";
    event.gate_passed = event.gate == "passed";
    if (interrupted_) event.gate = "interrupted", event.gate_passed = false;
    for (Reporter* reporter : reporters_) reporter->run_finished(event);
    outcome_.ended = event.gate_passed ? Ended::kGatePassed : Ended::kGateFailed;
    if (played_ == 0 && !interrupted_) {
      outcome_.ended = Ended::kUnreachable;
      outcome_.message = entries_.empty()
                             ? "no case fits this selection, profile and transport"
                             : "nothing could be exercised: every case is not applicable or inconclusive";
    }
  }

  struct Kept {
    std::vector<oracle::Finding> findings;
    std::set<std::string> seen;
    std::set<std::string> cases;
    std::shared_ptr<wire::Transcript> transcript = std::make_shared<wire::Transcript>();
  };

  boost::asio::any_io_executor executor_;
  const target::Target& target_;
  const suite::Suite& suite_;
  const spec::Registry& registry_;
  Options options_;
  Baseline baseline_;
  std::vector<Reporter*> reporters_;
  std::shared_ptr<session::Pace> pace_;
  Clock::time_point began_;
  const spec::Profile* profile_ = nullptr;
  Offer offer_;
  json::Value capabilities_;
  json::Value agreed_;
  std::vector<Entry> entries_;
  std::deque<Entry*> own_, shared_, again_;
  std::vector<std::string> deselected_, played_ids_;
  std::deque<SessionPtr> spares_;
  std::vector<SessionPtr> spent_;
  SessionPtr first_ready_;
  std::size_t spawning_ = 0;
  bool reviving_ = false;
  std::uint64_t lives_ = 0;   // how often the service was started again
  std::size_t upcoming_ = 0;  // sessions that cases now playing are going to open
  std::size_t played_ = 0;
  int silence_ = 0;  // cases in a row that asked and got no reply
  std::map<std::string, Kept> by_oracle_;
  std::set<std::string> confirmed_, looked_at_;
  std::exception_ptr failure_;
  bool errors_ = false;
  bool interrupted_ = false;
  bool done_ = false;
  Outcome outcome_;
};

Runner::Runner(boost::asio::any_io_executor executor, const target::Target& target,
               const suite::Suite& suite, const spec::Registry& registry, Options options,
               Baseline baseline, std::vector<Reporter*> reporters)
    : state_(std::make_unique<State>(executor, target, suite, registry, std::move(options),
                                     std::move(baseline), std::move(reporters))) {}
Runner::~Runner() = default;

awaitable<void> Runner::run() { co_await state_->run(); }
void Runner::interrupt() { state_->interrupt(); }
const Outcome& Runner::outcome() const { return state_->outcome(); }

}  // namespace harness::run
