// SPDX-License-Identifier: Apache-2.0
#include "harness/run/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <deque>
#include <map>
#include <set>

#include "harness/base/text.h"
#include "harness/oracle/oracle.h"
#include "harness/run/coverage.h"
#include "harness/run/diagnose_failure.h"
#include "harness/run/negotiate.h"
#include "harness/run/oracle_ledger.h"
#include "harness/run/pool.h"
#include "harness/run/redact.h"
#include "harness/run/step_traits.h"
#include "harness/suite/selection.h"
#include "harness/transport/timer.h"

namespace harness::run {
namespace {

using session::Clock;
using session::Session;
using std::chrono::milliseconds;

// A target that has gone silent costs a deadline a case, and each case says the same. After this
// many in a row that asked and got no reply, the rest is not played; a session that cannot be
// opened is a longer wait and counts for several.
constexpr int kSilentCases = 20;
// Stands where a case id does, for what was seen before any case was played.
constexpr const char* kHandshake = "the handshake";
// Evidence larger than this is not kept until a session ends.
constexpr std::size_t kHeavyEvidence = 64 << 10;
constexpr int kUnopenedCounts = 5;
// So many sessions are listened to for late replies while other cases are played.
constexpr int kMostListened = 8;

// How a case is played: as it comes; on a session of its own, of which every silence is heard out
// at its end; or waiting out each.
enum class Look { kFirst, kAlone, kPatient };

// One way a case came out.
struct Judgement {
  Verdict verdict = Verdict::kPass;
  PlayedCase played;
  std::string error;
  std::shared_ptr<const wire::Transcript> transcript;
  std::vector<oracle::Finding> by_oracles;
  bool shared = false;    // on a session that had been used
  bool asked = false;     // something beyond the handshake was sent
  bool answered = false;  // and something that is a reply came after it
};

bool heavy(const Judgement& judgement) {
  if (!judgement.transcript) return false;
  std::size_t bytes = 0;
  for (const wire::Frame& frame : judgement.transcript->frames) bytes += frame.bytes.size();
  return bytes > kHeavyEvidence;
}

struct Entry {
  const suite::Case* scenario = nullptr;
  CaseResult result;
  bool finished = false;
  bool shared = false;      // judged on a session other cases used
  bool again = false;       // to be judged once more, alone
  bool heard = false;       // the session of its second judgement is listened to
  bool discovered = false;  // its session was the one on which the target was asked what it offers
  Clock::duration took{};
  Judgement first;
};

std::shared_ptr<const wire::Transcript> joined(const std::vector<trace::Slice>& slices) {
  if (slices.empty()) return nullptr;
  if (slices.size() == 1) return slices.front().transcript;
  auto all = std::make_shared<wire::Transcript>(*slices.front().transcript);
  for (std::size_t i = 1; i < slices.size(); ++i)
    all->frames.insert(all->frames.end(), slices[i].transcript->frames.begin(),
                       slices[i].transcript->frames.end());
  return all;
}

// The transcript of a case that waits to be judged again.
std::shared_ptr<const wire::Transcript> lightened(const wire::Transcript& transcript) {
  auto out = std::make_shared<wire::Transcript>();
  out->profile = transcript.profile;
  out->transport = transcript.transport;
  out->target = transcript.target;
  out->framing = transcript.framing;
  for (const wire::Frame& frame : transcript.frames)
    out->frames.push_back(wire::beginning_of(frame));
  return out;
}

// Whether somebody is there who means to speak JSON-RPC, however badly. A program that ended, or
// one that prints text, is not the server the user meant.
bool tries_to_answer(const wire::Transcript& transcript) {
  bool answers = false;
  for (const wire::Frame& frame : transcript.frames) {
    if (frame.direction != wire::Direction::kReceived) continue;
    if (frame.channel == wire::Channel::kExit) return false;
    const std::size_t brace = frame.bytes.find_first_of("{[");
    answers |= frame.channel != wire::Channel::kStderr && brace != std::string::npos && brace < 8 &&
               frame.bytes.find("jsonrpc") != std::string::npos;
  }
  return answers;
}

}  // namespace

class Runner::State {
 public:
  State(boost::asio::any_io_executor executor, const target::Target& target,
        const suite::Suite& suite, const spec::Registry& registry, RunnerOptions options,
        Baseline baseline, std::vector<Reporter*> reporters)
      : executor_(executor),
        target_(target),
        suite_(suite),
        registry_(registry),
        options_(std::move(options)),
        baseline_(std::move(baseline)),
        reporters_(std::move(reporters)),
        pace_(std::make_shared<session::Pace>()),
        pool_(executor_, target_, pace_, options_.service, options_.jobs + 1),
        began_(std::chrono::steady_clock::now()) {
    pace_->timeout = options_.timeout;
    // What is started again or brought back is there for one case alone.
    if (target_.restart_each_case || target_.reset) options_.jobs = 1;
  }

  awaitable<void> run() {
    // One process starts alone otherwise, on a machine that could start two.
    const spec::Profile* asked = spec::find_profile(options_.profile);
    if (asked && options_.jobs > 1 && wants_new_sessions(*asked)) pool_.anticipate(*asked);
    Result<Negotiated> met = co_await meet(options_.profile);
    if (!met && refuses_posts() && options_.otherwise) {
      const bool changed = co_await options_.otherwise(options_.replay_target);
      if (changed) met = co_await meet(options_.profile);
    }
    if (std::optional<Error> why = obstacle_met(met)) {
      refuse(*why);
      co_return;
    }
    if (!met) {
      const bool judged = co_await judge_meeting(met.error().text());
      if (judged) co_return;
      refuse(met.error());
      co_return;
    }
    met_ = true;
    profile_ = met->profile;
    offer_ = std::move(met->offer);
    if (met->ready)
      capabilities_ = met->ready->capabilities() ? *met->ready->capabilities() : json::null();
    pool_.settle_on(*profile_, met->ready ? met->ready->agreed() : json::null(), offer_.dual_era);
    const SessionOpener another = [this] { return pool_.open(*profile_); };
    offer_.protection = co_await examine_protection(target_, another);
    if (met->spare && !target_.has_exchanges()) {
      met->spare->adopt(*profile_);
      pool_.give_back(std::move(met->spare));
    }
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
  // --- meeting the target

  // What was said on one session while profile and offer were found out.
  struct Meeting {
    const spec::Profile* profile;
    std::shared_ptr<const wire::Transcript> transcript;
  };

  awaitable<Result<Negotiated>> meet(std::string wanted) {
    meetings_.clear();
    const Opener opener = [this](const spec::Profile& profile) { return open_meeting(profile); };
    co_return co_await negotiate(wanted, target_, suite_, opener);
  }

  // Some POST got the status that a server of HTTP+SSE has for one to its stream, and no message.
  bool refuses_posts() const {
    return std::any_of(meetings_.begin(), meetings_.end(), [](const Meeting& meeting) {
      const auto& frames = meeting.transcript->frames;
      return std::any_of(frames.begin(), frames.end(), [](const wire::Frame& frame) {
        const int status = frame.head ? frame.head->status : 0;
        return (status == 400 || status == 404 || status == 405) &&
               frame.bytes.find("\"jsonrpc\"") == std::string::npos;
      });
    });
  }

  awaitable<Result<SessionPtr>> open_meeting(const spec::Profile& profile) {
    Result<SessionPtr> opened = co_await pool_.open(profile);
    if (opened) meetings_.push_back({&profile, (*opened)->slice()});
    co_return std::move(opened);
  }

  void refuse(const Error& why) {
    outcome_.ended = Ended::kUnreachable;
    outcome_.message = target_.secrets.masked(why.text());
    tell_unreachable();
    done_ = true;
  }

  // What stood in the way of every word that was said over HTTP. A target that was met all the same
  // answered like a server of messages, but perhaps only to say that it wants credentials.
  std::optional<Error> obstacle_met(const Result<Negotiated>& met) const {
    std::optional<Error> first;
    if (!target_.has_exchanges()) return first;
    for (const Meeting& meeting : meetings_) {
      std::optional<Error> why = diagnose_failure(*meeting.transcript, target_);
      if (!why && (met || !meeting.transcript->frames.empty())) return std::nullopt;
      if (!first) first = std::move(why);
    }
    return first;
  }

  // The target could not be met. If it lives and answers in something like JSON-RPC, what oracles
  // see in its answers twice is a verdict on it; otherwise there is none.
  awaitable<bool> judge_meeting(const std::string& why) {
    const auto met = std::find_if(meetings_.rbegin(), meetings_.rend(), [](const Meeting& meeting) {
      return tries_to_answer(*meeting.transcript);
    });
    if (met == meetings_.rend()) co_return false;
    const Meeting first = *met;
    const std::vector<oracle::Finding> seen = failures_in(first);
    if (seen.empty()) co_return false;
    const std::string name = first.profile->name;
    const Result<Negotiated> again = co_await meet(name);
    if (again) co_return false;
    for (const Meeting& meeting : meetings_)
      if (meeting.profile == first.profile) ledger_.saw_again(seen, failures_in(meeting));
    profile_ = first.profile;
    for (const oracle::Finding& finding : seen)
      if (ledger_.confirmed(finding)) ledger_.keep(finding, *first.transcript, kHandshake);
    if (ledger_.empty()) co_return false;
    select();
    announce(profile_->name);
    for (Entry& entry : entries_) {
      entry.first.verdict = Verdict::kInconclusive;
      entry.first.played.inconclusive = "not played: " + why;
      settle(entry);
    }
    ++played_;
    finish();
    co_return true;
  }

  std::vector<oracle::Finding> failures_in(const Meeting& meeting) const {
    oracle::Evidence evidence(*meeting.transcript, *meeting.profile, registry_);
    evidence.client_capabilities = json::object();
    std::vector<oracle::Finding> findings = oracle::judge(evidence);
    std::erase_if(findings, [](const oracle::Finding& finding) {
      return finding.severity != oracle::Severity::kFail;
    });
    return findings;
  }

  // --- selection

  static bool applies(const suite::Case& scenario, const spec::Profile& profile,
                      wire::TransportKind transport) {
    const bool wanted_profile =
        scenario.profiles.empty() ||
        std::any_of(scenario.profiles.begin(), scenario.profiles.end(),
                    [&](const std::string& selector) { return profile.is(selector); });
    return wanted_profile && scenario.transports.has(transport);
  }

  // Whether some case needs a session that was not spoken on before.
  bool wants_new_sessions(const spec::Profile& profile) const {
    return std::any_of(suite_.cases.begin(), suite_.cases.end(), [&](const suite::Case& scenario) {
      return scenario.need != suite::Need::kReady && scenario.need != suite::Need::kDisposable &&
             applies(scenario, profile, target_.transport()) &&
             suite::selected(scenario, options_.selection);
    });
  }

  void select() {
    const wire::TransportKind transport = target_.transport();
    for (const suite::Case& scenario : suite_.cases) {
      const bool applicable = applies(scenario, *profile_, transport) &&
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
      entry.result.level = spec::level_name(
          spec::level_in(*cited(scenario.covers, registry_, *profile_, transport), *profile_));
      entry.result.replay = replay_of(scenario.id);
      entries_.push_back(std::move(entry));
    }
  }

  std::string replay_of(const std::string& id) const {
    const std::string select = id == kHandshake ? "" : "--select " + shell_quoted(id) + " ";
    return fmt::format("{} --profile {} {}{}", options_.replay_prefix, profile_->name, select,
                       options_.replay_target);
  }

  // Reports are written even when there is nothing to report: a CI job shows why.
  void tell_unreachable() {
    announce(options_.profile);
    RunFinished event;
    event.duration_ms = took().count();
    event.gate = "failed: the target could not be judged: " + outcome_.message;
    event.gate_passed = false;
    for (Reporter* reporter : reporters_) reporter->run_finished(event);
  }

  void announce(const std::string& profile) {
    RunStarted event;
    event.version = RPCSPEC_VERSION;
    event.target = target_.secrets.masked(target_.name);
    event.profile = profile;
    event.transport = target_.transport_name();
    event.cases = entries_.size();
    if (met_ && options_.selection.select.empty())
      for (const oracle::Oracle& judge : oracle::oracles())
        event.cases += cited(judge.covers, registry_, *profile_, target_.transport()) != nullptr;
    for (Reporter* reporter : reporters_) reporter->run_started(event);
  }

  // --- playing

  awaitable<void> play_all() {
    for (Entry& entry : entries_) {
      const suite::Case& scenario = *entry.scenario;
      const Gate decided =
          gate(scenario, offer_, capabilities_.is_null() ? nullptr : &capabilities_);
      if (!decided.open()) {
        entry.result.verdict =
            decided.not_applicable.empty() ? Verdict::kInconclusive : Verdict::kNotApplicable;
        entry.result.reason = decided.not_applicable + decided.inconclusive;
        entry.result.remedy = decided.remedy;
        settle(entry);
        continue;
      }
      const bool shares = scenario.need == suite::Need::kReady &&
                          scenario.client_capabilities.is_null() && !target_.restart_each_case;
      auto& queue = scenario.need == suite::Need::kDisposable ? disposable_
                    : shares                                  ? shared_
                                                              : own_;
      queue.push_back(&entry);
    }
    // Connections without a handshake are used again, so the cases that leave them so come first.
    std::stable_sort(own_.begin(), own_.end(), [](const Entry* one, const Entry* other) {
      const auto place = [](const Entry* entry) {
        return entry->scenario->need == suite::Need::kBare ? impact(*entry->scenario)
                                                           : SessionImpact::kWhole;
      };
      return place(one) < place(other);
    });
    // And those that end one come after all that leave it.
    std::stable_sort(disposable_.begin(), disposable_.end(),
                     [](const Entry* one, const Entry* other) {
                       const auto place = [](const suite::Case& scenario) {
                         return std::make_pair(disconnects(scenario), bearable(scenario));
                       };
                       return place(*one->scenario) < place(*other->scenario);
                     });
    expect_openings();
    const auto story = [this](int number) { return work(number); };
    co_await workers(story);
  }

  template <class Work>
  awaitable<void> workers(Work work) {
    int running = std::max(1, options_.jobs);
    transport::Timer all_done(executor_, Clock::time_point::max());
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

  // Tells the pool how many sessions the cases that are left are going to open.
  void expect_openings() {
    std::size_t openings = upcoming_;
    for (const Entry* entry : again_) openings += unsure(*entry);
    std::size_t bare = 0;
    std::size_t worn = 0;  // bare ones of which nothing is left for the next
    for (const Entry* entry : own_) {
      const bool is_bare = entry->scenario->need == suite::Need::kBare;
      bare += is_bare;
      worn += is_bare && impact(*entry->scenario) == SessionImpact::kWhole;
      openings += !is_bare;
    }
    if (bare > 0) openings += std::max<std::size_t>(worn, 1) - pool_.has_untouched();
    pool_.expect(openings);
  }

  // What a worker does next; null when nothing is left for it. Even workers begin with the cases
  // that need sessions of their own.
  std::deque<Entry*>* next_queue(int number, bool has_ready) {
    const bool helper = number % 2 == 0 && options_.jobs > 1;
    if (helper) {
      const bool leftover =
          !disposable_.empty() && pool_.has_leftover(bearable(*disposable_.front()->scenario));
      if (!own_.empty() && !(leftover && pool_.starting())) return &own_;
      if (leftover) return &disposable_;
      if (!shared_.empty() && (has_ready || worth_another_session())) return &shared_;
    }
    if (!shared_.empty() && !helper) return &shared_;
    if (!own_.empty()) return &own_;
    if (!disposable_.empty() && again_.empty()) return &disposable_;
    return nullptr;
  }

  // Whether what is left to play on shared sessions takes longer than starting one more server.
  bool worth_another_session() const {
    if (!target_.stdio() || shared_played_ == 0) return true;
    return shared_time_ / shared_played_ * static_cast<long>(shared_.size()) > 2 * pool_.opening();
  }

  milliseconds took() const {
    return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - began_);
  }

  awaitable<void> pause(milliseconds time) {
    transport::Timer timer(executor_, time);
    boost::system::error_code ignored;
    co_await timer.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
  }

  // A ready session that cases share, and the cases on it whose silences are still believed: a
  // reply that comes to nobody's question contradicts them all.
  struct Shared {
    SessionPtr session;
    std::vector<Entry*> watched;
  };

  static void doubt(Entry& entry) {
    entry.first.played.doubtful = true;
    entry.again = true;
  }

  // Settles what was believed; the session is not listened to any more.
  void end_watch(Shared& shared, bool contradicted) {
    for (Entry* entry : shared.watched) {
      if (contradicted) doubt(*entry);
      if (!entry->again) settle(*entry);
    }
    out_of_order_ |= contradicted;
    shared.watched.clear();
  }

  // The same after a last wait.
  awaitable<void> hear_out(Shared& shared) {
    if (shared.watched.empty()) co_return;
    bool contradicted = false;
    if (shared.session) {
      co_await shared.session->linger();
      contradicted = shared.session->has_strays();
    }
    end_watch(shared, contradicted);
  }

  awaitable<void> work(int number) {
    Shared shared;
    std::uint64_t life = pool_.lives();
    for (;;) {
      if (life != pool_.lives() || pool_.service().died()) {
        end_watch(shared, false);
        pool_.discard(std::move(shared.session));
        life = pool_.lives();
      }
      // A failure is judged again as soon as a process waits for it: its silences take long.
      const bool now = !again_.empty() && silence_ == 0 && pool_.has_started();
      std::deque<Entry*>* queue = now ? nullptr : next_queue(number, shared.session != nullptr);
      if (!queue && !again_.empty()) {
        co_await play_again();
        continue;
      }
      if (!queue && shared_.empty()) break;
      if (!queue) {
        co_await pause(milliseconds(20));  // the others may turn out to need help
        continue;
      }
      Entry* entry = queue->front();
      queue->pop_front();
      if (gone_silent()) {
        entry->first.verdict = Verdict::kInconclusive;
        entry->first.played.inconclusive = "not played: the target had stopped answering";
        settle(*entry);
      } else if (queue == &shared_) {
        co_await play_shared(*entry, shared);
      } else {
        if (queue == &disposable_ && shared.session) {
          co_await hear_out(shared);
          pool_.give_back(std::move(shared.session));
        }
        if (queue == &disposable_) co_await leftover_for(*entry);
        ++busy_;
        co_await play_own(*entry);
        --busy_;
      }
    }
    co_await hear_out(shared);
    pool_.give_back(std::move(shared.session));
  }

  // Another worker may be about to leave a session; it is waited for as long as a start would take.
  awaitable<void> leftover_for(const Entry& entry) {
    const SessionHistory history = bearable(*entry.scenario);
    const auto until = Clock::now() + pool_.start_time();
    while (!pool_.has_leftover(history) && busy_ > 0 && Clock::now() < until)
      co_await pause(milliseconds(10));
  }

  awaitable<void> play_shared(Entry& entry, Shared& shared) {
    const suite::Case& scenario = *entry.scenario;
    if (reconnects(scenario) > 0) co_await hear_out(shared);
    if (!shared.session && first_ready_) {
      shared.session = std::move(first_ready_);
      entry.discovered = true;
    }
    SessionPtr& mine = shared.session;
    co_await play_first(entry, mine);
    PlayedCase& played = entry.first.played;
    shared_time_ += entry.took;
    ++shared_played_;
    if (mine && mine->has_strays() && (played.believed || !shared.watched.empty())) {
      doubt(entry);
      end_watch(shared, true);
    }
    bool ended = !mine || mine->closed() || mine->unusable();
    if (!ended && entry.first.verdict == Verdict::kFail) {
      const bool unharmed = co_await goes_on(*mine, played);
      ended = !unharmed;
    }
    if (played.believed && !entry.again) {
      shared.watched.push_back(&entry);
      if (heavy(entry.first) || out_of_order_) co_await hear_out(shared);
    } else if (!entry.again) {
      settle(entry);
    }
    if (!ended) co_return;
    co_await hear_out(shared);
    if (mine) pool_.discard(std::move(mine));
  }

  // Whether a session on which a case failed still serves others: what was missing there does not
  // come late, and the server answers as ever.
  awaitable<bool> goes_on(Session& session, const PlayedCase& played) {
    if (played.doubtful || session.has_strays()) co_return false;
    if (played.missed > 0) {
      if (out_of_order_) co_return false;
      co_await session.linger();
      if (session.has_unclaimed()) co_return false;
    }
    const session::Sent canary = co_await session.send_canary();
    const session::Deadline deadline = Clock::now() + session.reply_time();
    const session::Inbound* reply = co_await session.reply_to(canary, deadline);
    co_return reply && (reply->message->kind == wire::MessageKind::kErrorResponse) ==
                           session.canary().answered_by_error;
  }

  awaitable<void> play_own(Entry& entry) {
    SessionPtr mine;
    co_await play_first(entry, mine);
    PlayedCase& played = entry.first.played;
    if (mine && played.believed) {
      co_await mine->linger();
      if (mine->has_strays()) doubt(entry);
    }
    if (!entry.again) settle(entry);
    // A server that was answered oddly may wait for a better answer for as long as it lives.
    if (entry.first.verdict == Verdict::kFail || !entry.scenario->answers.is_null())
      pool_.discard(std::move(mine));
    else
      pool_.give_back(std::move(mine));
  }

  awaitable<void> play_first(Entry& entry, SessionPtr& mine) {
    const auto began = Clock::now();
    entry.first = co_await judge(*entry.scenario, mine, Look::kFirst);
    entry.shared = entry.first.shared || entry.discovered;
    if (mine) ledger_.saw(entry.first.by_oracles, mine->number());
    entry.again = needs_another_look(entry);
    // A service is shared by all sessions, so there alone means later.
    if (entry.again && unsure(entry) && target_.stdio()) again_.push_back(&entry);
    if (entry.again && heavy(entry.first))
      entry.first.transcript = lightened(*entry.first.transcript);
    note_silence(entry.first);
    expect_openings();
    entry.took = Clock::now() - began;
    entry.result.duration_ms = std::chrono::duration_cast<milliseconds>(entry.took).count();
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
        asked |=
            wire::carries_message(frame) && frame.bytes.find("initialize") == std::string::npos;
      } else if (asked) {
        judgement.answered |= frame.channel == wire::Channel::kHttp ||
                              evidence.messages[i].is_reply() ||
                              evidence.messages[i].kind == wire::MessageKind::kBatch;
      }
    }
    judgement.asked |= asked;
  }

  // Plays a case and runs the oracles over what was seen. Catches our own mistakes: they are the
  // Verdict `error` of this case.
  awaitable<Judgement> judge(const suite::Case& scenario, SessionPtr& mine, Look look) {
    Judgement judgement;
    const bool alone = look != Look::kFirst;
    if (!mine) {
      // Where nothing at all may have been said before the end, a used connection does not do.
      const bool pristine = alone || (scenario.need == suite::Need::kBare && disconnects(scenario));
      const SessionHistory history = pristine ? SessionHistory::kNone : bearable(scenario);
      const bool fresh =
          alone || scenario.need == suite::Need::kBare || scenario.need == suite::Need::kFresh;
      const Status renewed = co_await pool_.renew(fresh);
      if (!renewed) {
        judgement.verdict = Verdict::kInconclusive;
        judgement.played.inconclusive =
            "the target could not be renewed: " + renewed.error().text();
        co_return judgement;
      }
      Result<SessionPtr> opened =
          co_await pool_.connect(scenario.need, scenario.client_capabilities, history);
      if (!opened) {
        judgement.verdict = Verdict::kInconclusive;
        judgement.played.inconclusive = "no session could be opened: " + opened.error().text();
        co_return judgement;
      }
      mine = std::move(*opened);
    }
    judgement.shared = mine->used();
    PlayContext context{suite_,
                        registry_,
                        *profile_,
                        offer_,
                        look == Look::kFirst   ? Silence::kBelieved
                        : look == Look::kAlone ? Silence::kHeardOut
                                               : Silence::kWaitedOut,
                        [this, &scenario, alone](suite::Need need) {
                          upcoming_ -= upcoming_ > 0;
                          return pool_.connect(
                              need, scenario.client_capabilities,
                              alone ? SessionHistory::kNone : SessionHistory::kAny);
                        },
                        [this](SessionPtr gone) { pool_.give_back(std::move(gone)); },
                        [this] { return pool_.lives(); }};
    upcoming_ += reconnects(scenario);
    expect_openings();
    const session::SessionOptions before = mine->options();
    const std::uint64_t life = pool_.lives();
    try {
      judgement.played = co_await play(scenario, mine, context);
    } catch (const Bug& bug) {
      judgement.verdict = Verdict::kError;
      judgement.error = bug.what();
      mine->retire();
      co_return judgement;
    }
    if (pool_.service() && worst_of(judgement.played.findings) == Verdict::kFail)
      co_await notice_death();
    if (pool_.service().died()) blame_death(judgement.played, *mine);
    if (pool_.lives() != life) judgement.played.doubtful = true;
    if (mine) mine->set_options(before);
    judge_slices(judgement);
    judgement.transcript = joined(judgement.played.slices);
    judgement.played.slices.clear();
    judgement.verdict = !judgement.played.not_applicable.empty() ? Verdict::kNotApplicable
                        : !judgement.played.inconclusive.empty()
                            ? Verdict::kInconclusive
                            : worst_of(judgement.played.findings);
    co_return judgement;
  }

  // The oracles look at each session; a reply may be that to a request of another.
  void judge_slices(Judgement& judgement) {
    std::deque<oracle::Evidence> all;
    for (trace::Slice& slice : judgement.played.slices) {
      // What came since, on a connection that was given back before the case was over.
      const auto& frames = slice.transcript->frames;
      for (std::size_t i = slice.messages.size(); i < frames.size(); ++i)
        slice.messages.push_back(wire::carries_message(frames[i])
                                     ? wire::read_shared(frames[i].bytes)
                                     : std::make_shared<const wire::Message>());
      all.emplace_back(slice, *profile_, registry_, &target_.secrets);
      look_for_replies(all.back(), judgement);
    }
    for (oracle::Evidence& evidence : all) {
      for (const oracle::Evidence& other : all)
        if (&other != &evidence) evidence.others.push_back(&other);
      for (oracle::Finding& finding : oracle::judge(evidence))
        judgement.by_oracles.push_back(std::move(finding));
    }
  }

  // A connection that broke off is seen before the end of the process that held it.
  awaitable<void> notice_death() {
    for (int i = 0; i < 10 && !pool_.service().died(); ++i) {
      transport::Timer poll(executor_, milliseconds(10));
      boost::system::error_code ignored;
      co_await poll.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
    }
  }

  // The process behind the url ended meanwhile. Whether this case did it is only known when it is
  // played again alone.
  void blame_death(PlayedCase& played, Session& session) {
    const auto& frames = session.transcript().frames;
    oracle::Finding finding;
    finding.requirement = spec::canary_requirement(*profile_);
    finding.severity = oracle::Severity::kFail;
    finding.expected = "the server lives on and answers the next request";
    finding.seen = "its process ended: " + pool_.service().ending();
    for (auto it = frames.rbegin(); it != frames.rend() && finding.frames.size() < 4; ++it)
      finding.frames.insert(finding.frames.begin(), it->seq);
    played.findings.push_back(std::move(finding));
    played.doubtful = true;
    session.retire();
  }

  // A failure is judged again alone; so is a silence that a latecomer puts in doubt, an end that
  // did not come where more than this case had been said, and whatever an oracle saw for the first
  // time.
  bool needs_another_look(Entry& entry) {
    const bool ends_oddly = entry.first.verdict == Verdict::kWarn && entry.first.shared &&
                            disconnects(*entry.scenario) &&
                            bearable(*entry.scenario) == SessionHistory::kAny;
    entry.first.played.doubtful |= ends_oddly;
    const bool looked = ledger_.look_again(entry.first.by_oracles);
    return looked || entry.first.verdict == Verdict::kFail || entry.first.played.doubtful;
  }

  awaitable<void> judge_again() {
    for (Entry& entry : entries_)
      if (!entry.finished && !entry.heard &&
          std::find(again_.begin(), again_.end(), &entry) == again_.end())
        again_.push_back(&entry);
    upcoming_ = 0;
    expect_openings();
    // A service is shared by all sessions: alone means alone.
    if (pool_.service()) options_.jobs = 1;
    const auto story = [this](int) { return work_again(); };
    do {
      co_await workers(story);
      while (listening_ > 0) co_await pause(milliseconds(10));
      if (failure_) std::rethrow_exception(failure_);
    } while (!again_.empty());
  }

  awaitable<void> work_again() {
    while (!again_.empty()) co_await play_again();
  }

  static bool unsure(const Entry& entry) {
    return entry.first.verdict == Verdict::kFail || entry.first.played.doubtful;
  }

  awaitable<void> play_again() {
    Entry* entry = again_.front();
    again_.pop_front();
    // Nothing is gained by asking a silent target again: the others in the row confirm it.
    const bool pointless = gone_silent() && !entry->first.answered;
    // Another case may have shown meanwhile that what oracles saw comes again.
    const bool settled = !unsure(*entry) && !ledger_.unconfirmed(entry->first.by_oracles);
    if (!pointless && !settled) {
      Second second;
      const Look look = entry->first.played.doubtful ? Look::kPatient : Look::kAlone;
      co_await look_again(*entry, look, second);
      if (second.judgement.played.believed || second.judgement.played.contradicted) {
        // A session is listened to while others are played.
        if (!target_.restart_each_case && !target_.reset && listening_ < kMostListened) {
          ++listening_;
          entry->heard = true;
          boost::asio::co_spawn(executor_, hear_out_second(*entry, std::move(second)),
                                [this](std::exception_ptr failure) { listened(failure); });
          co_return;
        }
        co_await hear_out_second(*entry, std::move(second));
        co_return;
      }
      pool_.discard(std::move(second.session));
      confirm(*entry, second.judgement);
    }
    settle(*entry);
  }

  // The second judgement of a case, and the session it was come to on.
  struct Second {
    SessionPtr session;
    Judgement judgement;
  };

  awaitable<void> look_again(const Entry& entry, Look look, Second& second) {
    if (entry.discovered) second.session = co_await discovered_again(*entry.scenario);
    second.judgement = co_await judge(*entry.scenario, second.session, look);
  }

  // One long wait proves all silences of a case: what comes in it, or may have been taken for the
  // answer to something later, has each waited out.
  awaitable<void> hear_out_second(Entry& entry, Second second) {
    bool contradicted = second.judgement.played.contradicted;
    if (!contradicted && second.session && !second.session->closed() && !target_.has_exchanges()) {
      const bool silent = co_await stays_silent(*second.session);
      contradicted = !silent;
    }
    pool_.discard(std::move(second.session));
    if (contradicted) {
      // Not here: others may be playing, and a service is shared by all.
      doubt(entry);
      entry.heard = false;
      again_.push_back(&entry);
      co_return;
    }
    confirm(entry, second.judgement);
    settle(entry);
  }

  // Nothing comes for a long while, nor until a canary is answered: one process may have been held
  // up by another case, or ended by it.
  static awaitable<bool> stays_silent(Session& session) {
    co_await session.linger(true);
    const session::Sent canary = co_await session.send_canary();
    const session::Deadline deadline = Clock::now() + session.reply_time();
    const session::Inbound* reply = co_await session.reply_to(canary, deadline);
    if (!reply) co_return false;
    co_await session.linger();
    co_return !session.has_unclaimed();
  }

  void listened(std::exception_ptr failure) {
    --listening_;
    if (failure && !failure_) failure_ = failure;
  }

  // A new session that was asked for all the target offers, as the first one was.
  awaitable<SessionPtr> discovered_again(const suite::Case& scenario) {
    Result<SessionPtr> opened =
        co_await pool_.connect(scenario.need, scenario.client_capabilities, SessionHistory::kNone);
    if (!opened) co_return nullptr;
    Offer offer;
    offer.affordances = target_.affordances;
    co_await discover(**opened, suite_, offer);
    co_return std::move(*opened);
  }

  void confirm(Entry& entry, Judgement& second) {
    ledger_.saw_again(entry.first.by_oracles, second.by_oracles);
    const bool failed_before = entry.first.verdict == Verdict::kFail;
    // It could not be played again: what was seen stands.
    if (failed_before && second.verdict == Verdict::kInconclusive) return;
    // A silence that was only believed, or that a latecomer put in doubt, was no judgement yet: the
    // patient one stands alone.
    const auto failures = static_cast<std::size_t>(
        std::count_if(entry.first.played.findings.begin(), entry.first.played.findings.end(),
                      [](const oracle::Finding& finding) {
                        return finding.severity == oracle::Severity::kFail;
                      }));
    const bool doubtful =
        entry.first.played.doubtful || (failures > 0 && entry.first.played.missed >= failures);
    // What was worth a warning again is no less so because worse was seen once.
    const bool passes_now =
        second.verdict == Verdict::kPass || second.verdict == Verdict::kNotApplicable;
    if (failed_before && passes_now && !doubtful) {
      entry.result.reason = entry.shared
                                ? "it failed on a session it shared, and not alone on a fresh one"
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
      if (result.verdict == Verdict::kNotApplicable)
        result.reason = judgement.played.not_applicable;
    }
    if (judgement.transcript) ++played_;
    for (const oracle::Finding& finding : judgement.by_oracles)
      ledger_.keep(finding, *judgement.transcript, result.id);
    entry.finished = true;
    tell(result);
    // The evidence has been reported; kept to the end, that of a talkative target fills the memory.
    judgement.transcript.reset();
    judgement.by_oracles.clear();
  }

  void tell(CaseResult& result) {
    redact(result, target_.secrets);
    baseline_.apply(result, options_.level_should);
    played_ids_.push_back(result.id);
    for (Reporter* reporter : reporters_) reporter->case_finished(result);
    result.transcript.reset();  // reporters have written what they need
    outcome_.results.push_back(result);
  }

  void tell_oracles() {
    const wire::TransportKind transport = target_.transport();
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
      OracleLedger::Told told = ledger_.tell(judge.name);
      result.verdict = told.verdict;
      result.reason = std::move(told.reason);
      result.findings = std::move(told.findings);
      result.notes = std::move(told.notes);
      result.transcript = std::move(told.transcript);
      if (!told.case_id.empty()) result.replay = replay_of(told.case_id);
      const bool narrowed = !options_.selection.select.empty() || !met_;
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
    event.duration_ms = took().count();
    event.stale = baseline_.stale(played_ids_, interrupted_ ? played_ids_ : deselected_);
    if (interrupted_) event.stale.clear();
    event.coverage = coverage_rows(registry_, *profile_, target_.transport(), outcome_.results);
    event.gate = failed                            ? "failed: a MUST is broken"
                 : warned && options_.level_should ? "failed: a SHOULD is broken (--level should)"
                 : !event.stale.empty()            ? "failed: the baseline has stale entries"
                 : unclear && options_.strict
                     ? "failed: not everything could be exercised (--strict)"
                 : errors_      ? "failed: rpcspec itself erred"
                 : played_ == 0 ? "failed: nothing could be exercised"
                                : "passed";
    event.gate_passed = event.gate == "passed";
    if (interrupted_) event.gate = "interrupted", event.gate_passed = false;
    for (Reporter* reporter : reporters_) reporter->run_finished(event);
    outcome_.ended = event.gate_passed ? Ended::kGatePassed : Ended::kGateFailed;
    if (played_ == 0 && !interrupted_) {
      outcome_.ended = Ended::kUnreachable;
      outcome_.message =
          entries_.empty()
              ? "no case fits this selection, profile and transport"
              : "nothing could be exercised: every case is not applicable or inconclusive";
    }
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
  std::chrono::steady_clock::time_point began_;
  const spec::Profile* profile_ = nullptr;
  std::vector<Meeting> meetings_;
  Offer offer_;
  json::Value capabilities_;
  std::vector<Entry> entries_;
  std::deque<Entry*> shared_, own_, disposable_, again_;
  std::vector<std::string> deselected_, played_ids_;
  SessionPtr first_ready_;
  int busy_ = 0;              // workers that play a case on a session of its own
  int listening_ = 0;         // sessions that are heard out beside them
  std::size_t upcoming_ = 0;  // sessions that cases now playing are going to open
  std::size_t played_ = 0;
  long shared_played_ = 0;
  Clock::duration shared_time_{};
  bool out_of_order_ = false;  // a silence was contradicted: the target is waited for after each
  int silence_ = 0;            // cases in a row that asked and got no reply
  OracleLedger ledger_;
  std::exception_ptr failure_;
  bool met_ = false;  // it answered, so that cases could be played
  bool errors_ = false;
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

}  // namespace harness::run
