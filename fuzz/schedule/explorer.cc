// SPDX-License-Identifier: Apache-2.0
#include "fuzz/schedule/explorer.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <filesystem>
#include <utility>

#include "fuzz/engine/suspect.h"
#include "fuzz/executor/vocabulary_of.h"
#include "fuzz/minimizer/outline.h"
#include "fuzz/script/steps.h"
#include "harness/json/read.h"

namespace fuzz {

using harness::Nothing;
using harness::Result;
using harness::Status;
namespace asio = boost::asio;
namespace json = harness::json;
using std::chrono::milliseconds;

namespace {

constexpr std::size_t kMostMeasured = 48;                    // requests
constexpr std::size_t kArguments = 2;                        // of each tool
constexpr std::size_t kAsking = 3, kActive = 4, kPlain = 3;  // that are put in flight
// What takes longer alone is put in flight only where nothing quicker of its kind is; or never.
constexpr milliseconds kSlow{200}, kSlowest{1500};
constexpr std::size_t kSides = 10;   // processes at a time
constexpr std::size_t kHistory = 3;  // schedules that are looked at again with a suspect
constexpr int kLooksBack = 3;
constexpr std::uint64_t kMostFlaky = 5;  // that are looked at each time they show
constexpr int kEnough = 4;               // plays that show a suspect tell how often it does
constexpr int kMostFailures = 3;         // in a row to open a session
constexpr milliseconds kQuick{250};      // nothing comes, while a lost reply is looked at
constexpr int kReduction = 40;           // plays of each side to reduce one

// Shuts out what is no call of one session among others.
bool fits(const std::string& method) {
  for (const char* one : {"initialize", "subscriptions/listen", "shutdown", "exit", "tools/call"})
    if (method == one) return false;
  return true;
}

// "tools/call slow (asks)"
std::string name_of(const Atom& atom) {
  const json::Value* name = json::at(atom.request, "/params/name");
  return atom.request.find("method")->text + (name ? " " + name->text : "") +
         (atom.asks     ? " (asks)"
          : atom.active ? " (takes its time)"
                        : "");
}

int about(std::chrono::microseconds time) {
  int out = 1;
  while (out < time.count() / 1000) out *= 2;
  return out;
}

}  // namespace

// What several coroutines work off together.
struct Explorer::Shared {
  explicit Shared(const asio::any_io_executor& executor) : over(executor) {
    over.expires_at(harness::transport::Timer::time_point::max());
  }
  harness::transport::Timer over;
  std::size_t running = 0;
  std::exception_ptr failure;
};

// In how many plays something showed; the last of them.
struct Explorer::Count {
  int shown = 0, plays = 0;
  std::optional<Problem> problem;
  Execution execution;
};

Explorer::Explorer(FuzzTarget& fuzz_target, const harness::target::Target& target,
                   const harness::spec::Registry& registry, ExplorerOptions options,
                   std::function<bool()> stop, std::function<void(const ExplorerStanding&)> tell)
    : fuzz_target_(fuzz_target), target_(target), registry_(registry), options_(std::move(options)),
      stop_(std::move(stop)), tell_(std::move(tell)), began_(std::chrono::steady_clock::now()) {}

SchedulePlayer Explorer::player() {
  return SchedulePlayer(fuzz_target_, target_.transport(), registry_, &target_.secrets, known_);
}

// Sessions of one process would see each other; processes of their own do not.
std::size_t Explorer::sides() const {
  return harness::wire::traits_of(target_.transport()).process ? kSides : 1;
}

void Explorer::tell() {
  standing_.elapsed =
      std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - began_);
  tell_(standing_);
}

bool Explorer::ends() const {
  return stop_() || failure_ || (options_.stop_at_first && standing_.findings > 0);
}

bool Explorer::over() {
  tell();
  if (ends()) return true;
  if (options_.execs > 0 && standing_.schedules >= options_.execs) return true;
  return options_.time.count() > 0 && standing_.elapsed >= options_.time;
}

Explorer::awaitable<void> Explorer::side_by_side(std::size_t count,
                                                 const std::function<awaitable<void>()>& story) {
  const asio::any_io_executor loop = co_await asio::this_coro::executor;
  const auto shared = std::make_shared<Shared>(loop);
  shared->running = count;
  for (std::size_t i = 0; i < count; ++i)
    asio::co_spawn(loop, story(), [shared](std::exception_ptr thrown) {
      if (thrown) shared->failure = thrown;
      if (--shared->running == 0) shared->over.cancel();
    });
  while (shared->running > 0) {
    boost::system::error_code ignored;
    auto token = asio::redirect_error(asio::use_awaitable, ignored);
    co_await shared->over.async_wait(token);
  }
  if (shared->failure) std::rethrow_exception(shared->failure);
}

// ---------------------------------------------------------------------------- what is put in
// flight

std::vector<std::string> Explorer::candidates(const Vocabulary& vocabulary) {
  Random random(options_.seed);
  std::vector<std::string> out;
  for (const Method& method : vocabulary.methods())
    if (fits(method.name)) out.push_back(request_text(vocabulary, method, random, "1"));
  std::vector<std::string> calls;
  for (const Tool& tool : vocabulary.tools())
    for (std::size_t i = 0; i < std::min(kArguments, tool.valid.size()); ++i)
      calls.push_back(call_text(vocabulary, tool, tool.valid[i], "1"));
  for (std::size_t i = calls.size(); i > 1; --i) std::swap(calls[i - 1], calls[random.below(i)]);
  out.insert(out.end(), calls.begin(), calls.end());
  if (out.size() > kMostMeasured) out.resize(kMostMeasured);
  return out;
}

Explorer::awaitable<Status> Explorer::measure(const Vocabulary& vocabulary) {
  texts_ = candidates(vocabulary);
  std::size_t next = 0;
  const std::function<awaitable<void>()> story = [this, &next]() -> awaitable<void> {
    SchedulePlayer own = player();
    while (next < texts_.size() && !failure_ && !stop_()) {
      const std::string text = texts_[next++];
      const Status asked = co_await own.ask_alone(text, 1);
      if (!asked) failure_ = asked.error();
      tell();
    }
  };
  co_await side_by_side(sides(), story);
  if (failure_) co_return *failure_;
  co_return Nothing{};
}

// Those that ask, then those that take their time, then others; of each kind calls of different
// names first.
std::vector<Atom> Explorer::atoms(const std::vector<std::string>& texts) const {
  std::vector<Atom> out;
  const auto take = [&](std::size_t most, const auto& wanted) {
    std::set<std::string> names;
    for (const bool again : {false, true}) {
      for (const std::string& text : texts) {
        const Alone& alone = known_.at(request_key(text));
        if (most == 0 || !alone.answered || alone.took > kSlowest || !wanted(alone)) continue;
        Atom atom{json::parse(text), alone.asks, alone.active, alone.fails, about(alone.took)};
        const std::string called = name_of(atom);
        const bool known = std::any_of(out.begin(), out.end(), [&](const Atom& one) {
          return json::equal(one.request, atom.request);
        });
        if (known || (!names.insert(called).second && !again)) continue;
        out.push_back(std::move(atom));
        --most;
      }
    }
  };
  const auto take_quick = [&](std::size_t most, const auto& wanted) {
    const std::size_t before = out.size();
    take(most, [&](const Alone& one) { return wanted(one) && one.took <= kSlow; });
    if (out.size() == before) take(most, wanted);
  };
  take_quick(kAsking, [](const Alone& one) { return one.asks; });
  take_quick(kActive, [](const Alone& one) { return one.active && !one.asks; });
  take(kPlain, [](const Alone& one) { return !one.active && !one.asks && !one.fails; });
  if (out.empty()) take(kPlain, [](const Alone&) { return true; });
  return out;
}

Setting Explorer::setting(const Vocabulary& vocabulary) const {
  const harness::wire::TransportTraits& traits = harness::wire::traits_of(target_.transport());
  Setting out;
  out.sessions = !traits.process;
  const harness::spec::Profile& profile = fuzz_target_.profile();
  const bool stateless_http = traits.http && profile.era != harness::spec::Era::kHandshake;
  const bool knows = profile.mcp || profile.name == std::string_view("lsp");
  if (knows && !stateless_http) out.cancel = cancel_text(vocabulary, kCalled);
  return out;
}

Explorer::awaitable<Result<ExplorerStanding>> Explorer::run() {
  const Vocabulary vocabulary = vocabulary_of(fuzz_target_, target_);
  const Status measured = co_await measure(vocabulary);
  if (!measured) co_return measured.error();
  if (stop_()) co_return standing_;
  const std::vector<Atom> calls = atoms(texts_);
  Random random(options_.seed);
  std::vector<Family> all = families(calls, setting(vocabulary), random);
  for (const Atom& call : calls) standing_.calls.push_back(name_of(call));
  standing_.families = all.size();
  plan_.emplace(std::move(all), std::string(fuzz_target_.profile().name), options_.seed);
  standing_.scenarios = plan_->scenarios();
  if (plan_->empty())
    co_return harness::Error{"--schedules",
                             "no request that the target answers can be put in "
                             "flight",
                             "allow tools with --allow-tools, or raise --timeout"};
  nothing_to_confirm_.emplace(co_await asio::this_coro::executor,
                              harness::transport::Timer::time_point::max());
  const std::function<awaitable<void>()> story = [this] { return work(); };
  co_await side_by_side(sides(), story);
  if (failure_) co_return *failure_;
  tell();  // how it ended
  co_return standing_;
}

// ---------------------------------------------------------------------------- playing

// What looks at a suspect has the machine to itself.
Explorer::awaitable<void> Explorer::confirmed() {
  boost::system::error_code ignored;
  auto token = asio::redirect_error(asio::use_awaitable, ignored);
  co_await nothing_to_confirm_->async_wait(token);
}

Explorer::awaitable<void> Explorer::work() {
  SchedulePlayer own = player();
  std::uint64_t sessions = 0;
  int failures = 0;
  std::vector<Script> before;
  while (!over()) {
    if (standing_.confirming > 0) {
      co_await confirmed();
      continue;
    }
    const Plan::Next next = plan_->next();
    ++standing_.schedules;
    Result<Played> played = co_await own.play(next.script, false, kPatienceOfSchedule);
    standing_.sessions += own.sessions() - std::exchange(sessions, own.sessions());
    if (!played) {
      if (++failures < kMostFailures) continue;
      failure_ = played.error();
      co_return;
    }
    failures = 0;
    standing_.frames += played->execution.frames;
    for (Problem& problem : played->problems) {
      if (!claimed_.insert(problem.signature).second) continue;
      ++standing_.confirming;
      co_await confirm(next.script, std::move(problem), before);
      if (--standing_.confirming == 0) nothing_to_confirm_->cancel();
    }
    before.push_back(next.script);
    if (before.size() > kHistory) before.erase(before.begin());
  }
}

// On new sessions.
Explorer::awaitable<Explorer::Count> Explorer::count(const Script& script,
                                                     const std::string& signature, Plays plays) {
  Count out;
  int begun = 0;
  const auto is_decided = [&] {
    const int missed = out.plays - out.shown;
    return plays.enough > 0 && (out.shown >= plays.enough || missed > plays.times - plays.enough);
  };
  const std::function<awaitable<void>()> story = [&, this]() -> awaitable<void> {
    SchedulePlayer own = player();
    while (begun < plays.times && !is_decided()) {
      ++begun;
      const milliseconds patience = out.shown == 0 ? plays.patience : plays.later();
      Result<Played> played = co_await own.play(script, true, patience);
      tell();
      if (!played) continue;
      ++out.plays;
      standing_.frames += played->execution.frames;
      for (Problem& problem : played->problems) {
        if (problem.signature != signature) continue;
        if (out.shown++ > 0) break;
        out.problem = std::move(problem);
        out.execution = std::move(played->execution);
        break;
      }
    }
  };
  const int at_a_time = plays.enough > 0 ? plays.enough : plays.times;
  co_await side_by_side(std::min(sides(), static_cast<std::size_t>(at_a_time)), story);
  co_return std::move(out);
}

// What showed may be owed to what was played before it.
Explorer::awaitable<void> Explorer::look_with(const std::vector<Script>& before,
                                              const Script& script) {
  Script whole{script.profile, script.transport, {}};
  for (const Script& one : before) {
    append(whole, one);
    whole.steps.emplace_back(Sync{});
    whole.steps.emplace_back(ClientAnswer{"*", AnswerKind::kUsual, ""});
    whole.steps.emplace_back(Timing{TimingKind::kSession, 1});
  }
  append(whole, script);
  SchedulePlayer own = player();
  const std::vector<Script> nothing;
  for (int i = 0; i < kLooksBack && !stop_(); ++i) {
    Result<Played> played = co_await own.play(whole, true, kPatienceOfSchedule);
    if (!played) continue;
    for (Problem& problem : played->problems) {
      if (!claimed_.insert(problem.signature).second) continue;
      co_await confirm(whole, std::move(problem), nothing);
      i = kLooksBack;
    }
  }
}

Explorer::awaitable<void> Explorer::confirm(Script script, Problem problem,
                                            const std::vector<Script>& before) {
  const std::string signature = problem.signature;
  // Canaries behind it prove that a reply is lost; with the last word are those who wait long.
  const milliseconds patience = is_lost(signature) ? kQuick : kPatienceOfSchedule;
  const Count whole = co_await count(script, signature, {kPlaysOfSchedule, kEnough, patience});
  if (whole.shown == 0) {
    const std::uint64_t known = standing_.findings;
    if (!before.empty()) co_await look_with(before, script);
    if (standing_.flaky < kMostFlaky) claimed_.erase(signature);
    if (standing_.findings == known) keep_flaky(problem, before, script);
    co_return;
  }
  const Script as_it_was = script;
  const int tries = std::min(kPlaysOfSchedule, 3 * whole.plays / whole.shown);
  // What is left shows it at least half as often.
  const int enough = std::max(1, (tries * whole.shown + whole.plays) / (2 * whole.plays));
  co_await reduce(script, signature, {tries, enough, patience});
  // What shows as well with one call after the other is no question of their order in flight.
  const Script serial = one_after_the_other(script);
  const Count apart = co_await count(serial, signature, {3, 3, patience});
  const bool in_flight = apart.shown < 3;
  if (!in_flight) script = serial;
  // What does not come is waited for as long as in any hang, until one play has shown that.
  constexpr Plays kTwenty{kPlaysOfSchedule, 0, kHang};
  Count seen = co_await count(script, signature, kTwenty);
  if (seen.shown == 0) {
    script = as_it_was;
    seen = co_await count(script, signature, kTwenty);
  }
  if (ends()) co_return;
  if (seen.shown > 0)
    write(script, std::move(seen), in_flight);
  else
    keep_flaky(problem, before, script);
}

void Explorer::keep_flaky(const Problem& problem, std::vector<Script> journal,
                          const Script& script) {
  ++standing_.flaky;
  journal.push_back(script);
  keep_not_reproducible(options_.findings, problem, journal, "", target_.secrets);
}

// Step by step, as long as what is left shows it in `plays.enough` of so many plays.
Explorer::awaitable<void> Explorer::reduce(Script& script, const std::string& signature,
                                           Plays plays) {
  int left = kReduction * static_cast<int>(sides());
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = script.steps.size(); i-- > 0;) {
      if (ends() || left <= 0 || script.steps.size() < 2) co_return;
      Script candidate = script;
      drop_steps(candidate, i, i + 1);
      const Count seen = co_await count(candidate, signature, plays);
      left -= seen.plays;
      if (seen.shown < plays.enough) continue;
      script = std::move(candidate);
      again = true;
    }
  }
}

void Explorer::write(const Script& script, Count seen, bool in_flight) {
  Reduced reduced;
  reduced.repeats = Repeats::kAlone;
  reduced.script = reduced.least = script;
  reduced.problem = std::move(*seen.problem);
  if (is_coarse(reduced.problem.signature)) reduced.problem.signature += outline(script);
  reduced.execution = std::move(seen.execution);
  reduced.in_flight = in_flight;
  reduced.confirmed = seen.shown;
  reduced.asked = seen.plays;
  const Kin kin = kin_of(reduced, options_.findings, fuzz_target_.profile());
  if (kin.told) return;
  FindingContext context{
      options_.findings,
      options_.program,
      target_.spec,
      fuzz_target_.profile(),
      target_.transport_name(),
      registry_,
      target_.secrets,
      "",
      standing_.frames,
      std::string(),
      {static_cast<std::uint64_t>(standing_.elapsed.count() / 1000), "schedules"}};
  const Result<std::string> written = write_finding(reduced, {script}, context);
  if (!written) {
    failure_ = written.error();
    return;
  }
  std::error_code ignored;
  for (const std::string& other : kin.longer)
    if (other != options_.findings + "/" + *written) std::filesystem::remove_all(other, ignored);
  standing_.findings += 1 - kin.longer.size();
}

Script one_after_the_other(const Script& script) {
  Script out{script.profile, script.transport, {}};
  std::size_t frames = 0;
  for (const Step& step : script.steps) {
    const auto* answer = std::get_if<ClientAnswer>(&step);
    const auto* timing = std::get_if<Timing>(&step);
    const bool session =
        timing && (timing->kind == TimingKind::kSession || timing->kind == TimingKind::kCut);
    if ((answer && answer->kind == AnswerKind::kHeld) || (timing && !session)) continue;
    out.steps.push_back(step);
    if (!std::holds_alternative<Frame>(step)) continue;
    out.steps.emplace_back(Timing{TimingKind::kAwait, ++frames});
  }
  return out;
}

}  // namespace fuzz
