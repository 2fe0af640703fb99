// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine/worker.h"

#include <malloc.h>

#include <algorithm>
#include <bit>
#include <bitset>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <thread>

#include "fuzz/coverage/map.h"
#include "fuzz/engine/suspect.h"
#include "fuzz/executor/fuzz_target.h"
#include "fuzz/executor/vocabulary_of.h"
#include "fuzz/feedback/behaviour.h"
#include "fuzz/judge/judge.h"
#include "fuzz/minimizer/case_draft.h"
#include "fuzz/minimizer/case_trial.h"
#include "fuzz/minimizer/finding_folder.h"
#include "fuzz/minimizer/minimizer.h"
#include "fuzz/minimizer/outline.h"
#include "fuzz/mutate/caution.h"
#include "fuzz/mutate/deterministic.h"
#include "fuzz/mutate/mutator.h"
#include "fuzz/seeds/seeds.h"
#include "fuzz/stateful/stateful_checker.h"
#include "harness/run/served.h"

namespace fuzz {
namespace {

using harness::session::awaitable;
namespace json = harness::json;
namespace wire = harness::wire;

constexpr unsigned kTries = 6;  // reductions of one way to end that came to a known bug
constexpr unsigned kLooksAtSlow = 5;
constexpr std::size_t kLooks = 100;  // of a stateful check to reduce what it saw
// After the wish to stop, how long a suspect may come up and still be looked at.
constexpr std::chrono::seconds kLastLooks{10};
constexpr std::chrono::seconds kCheckTime{
    5};  // and a quarter of the campaign goes into stateful checks
constexpr std::chrono::milliseconds kShortStart{50};
// What takes a start of the server is made more seldom when so many scripts were played.
constexpr std::uint64_t kEarly = 8192;
constexpr std::size_t kSeldom = 256;  // then: one script in so many
constexpr int kKeptMemory = 64 << 20;
constexpr std::size_t kAhead = 16;             // scripts that are written at once
constexpr std::size_t kMostFresh = 8;          // one in so many may be worth playing again
constexpr std::size_t kAheadBytes = 24 << 10;  // of their text, likewise
constexpr std::size_t kMined = 8192;           // bytes of a reply that are mined for values

// How many of the first bytes are known to be 0, quickly: few places are met by one input.
std::size_t zeros(std::span<const std::uint8_t> bytes) {
  std::size_t count = 1;
  for (std::uint64_t word = 0; count + sizeof word <= bytes.size(); count += sizeof word) {
    std::memcpy(&word, bytes.data() + count, sizeof word);
    if (word != 0) break;
  }
  return count;
}

bool has_close(const Script& script) {
  return std::any_of(script.steps.begin(), script.steps.end(),
                     [](const Step& step) { return std::holds_alternative<Close>(step); });
}

class Worker final : public Inputs {
 public:
  Worker(const WorkerOptions& options, harness::target::Target target,
         const harness::suite::Suite& suite, const harness::spec::Registry& registry, Board& board)
      : options_(options),
        target_(std::move(target)),
        suite_(suite),
        registry_(registry),
        board_(board),
        row_(board.workers[options.number]),
        began_(std::chrono::steady_clock::now()),
        io_(1) {
    auto map = CoverageMap::create(kPlaces);
    if (map) {
      map_.emplace(std::move(*map));
      target_.env.push_back(map_->environment());
    }
    const harness::Status started = served_.start(io_, target_);
    if (!started) give_up(started.error());
    fuzz_target_ = std::make_unique<FuzzTarget>(io_.get_executor(), target_, suite,
                                                served_.service(io_), options.timeout);
    const harness::Status met =
        finished<harness::Status>([&]() { return fuzz_target_->meet(options_.profile); });
    if (!met) give_up(met.error());
    board_.say_profile(fuzz_target_->profile().name);
    write_seeds(suite);
    ExecutorOptions playing;
    // When a process is started is no matter of scripts, so it may go by the clock. What it
    // executes as it starts would be attributed to the script that is played meanwhile.
    playing.starts_ahead =
        fuzz_target_->start_time() > kShortStart && (!map_ || map_->attached() == 0);
    executor_ = fuzz_target_->executor(playing);
    std::function<int()> group;
    if (served_.process()) group = [this] { return served_.process()->process_group(); };
    checker_.emplace(*fuzz_target_, registry_, target_.transport(), group, group || target_.stdio(),
                     options.engine.seed);
    vocabulary_.emplace(vocabulary_of(*fuzz_target_, target_));
    vocabulary_->byte_mutator = mutate_bytes;
    vocabulary_->caution = &caution_;
    vocabulary_->room = options_.engine.longest;
    // Each worker tries its share.
    std::vector<Script> all = deterministic_scripts(*vocabulary_);
    for (std::size_t i = options.number; i < all.size(); i += options.workers)
      to_try_.push_back(std::move(all[i]));
    // What takes a start of the server each time comes behind the rest: there are many that take
    // long to start, and which they are is not asked, so that the clock has no part in what is
    // played.
    std::stable_partition(to_try_.begin(), to_try_.end(),
                          [](const Script& one) { return !has_close(one); });
    std::vector<Script> sound;
    const std::vector<Script> known = requests(*vocabulary_);
    for (std::size_t i = options.number; i < known.size(); i += options.workers)
      sound.push_back(known[i]);
    checker_->offer(sound);
  }

  void play(std::string_view input) override {
    if (board_.stop || left() == 0) leave();
    const bool as_made = input == made_;
    const bool alone = std::exchange(alone_, false) || !as_made;
    Made one{std::string(input), as_made ? std::move(made_script_) : read_script(input),
             caution_.taken()};
    made_.clear();
    if (alone || together_ == 1 || !executor_->can_pipeline(one.script)) {
      play_alone(one, alone && as_made);
    } else {
      ahead_bytes_ += input.size();
      ahead_.push_back(std::move(one));
    }
    if (ahead_.size() >= std::min<std::uint64_t>(together_, left()) || ahead_bytes_ > kAheadBytes)
      play_pipelined();
  }

  std::string mutated(std::string_view input, std::size_t most, std::uint32_t seed) override {
    Random random(seed);
    // What ended its session is not built upon: what it was made of is.
    if (input != ended_) basis_ = input;
    if (!again_.empty()) {
      Script next = std::move(again_.front());
      again_.pop_front();
      alone_ = true;
      return made(std::move(next), most, basis_);
    }
    if (!options_.level && !to_try_.empty()) {
      Script next = std::move(to_try_.front());
      to_try_.pop_front();
      return made(std::move(next), most, basis_);
    }
    if (row_.execs >= kEarly) vocabulary_->costly = kSeldom;
    Script script = read_script(basis_);
    vary(script, *vocabulary_, random, options_.level);
    return made(std::move(script), most, basis_);
  }

  std::string crossed(std::string_view a, std::string_view b, std::size_t most,
                      std::uint32_t seed) override {
    Random random(seed);
    alone_ = false;
    if (options_.level == Level::kRaw) {
      std::string spliced(a.substr(0, random.below(a.size() + 1)));
      spliced += b.substr(random.below(b.size() + 1));
      return spliced.substr(0, most);
    }
    Script script = cross_over(read_script(a), read_script(b), *vocabulary_, random);
    keep_cheap(script, *vocabulary_, random);
    return made(std::move(script), most, a);
  }

  // The text of a script, which is what is played next as a rule; where there is no room for it, as
  // much as there is of that it was made of.
  std::string made(Script script, std::size_t most, std::string_view otherwise) {
    std::string text = write_script(script);
    if (text.size() > most) return std::string(otherwise.substr(0, most));
    made_ = text;
    made_script_ = std::move(script);
    return text;
  }

  EngineOptions engine() const {
    EngineOptions engine = options_.engine;
    if (options_.level == Level::kRaw) engine.dictionary = options_.scratch + ".dict";
    return engine;
  }

  [[noreturn]] void leave() {
    executor_.reset();
    checker_.reset();
    io_.restart();
    io_.run_for(std::chrono::milliseconds(300));  // sessions say goodbye
    std::_Exit(0);                                // transports' guardians end what is left
  }

 private:
  // A script and what is known of how it was made.
  struct Made {
    std::string input;
    Script script;
    std::vector<const Mutator*> used;
  };

  // What was played on a session, and how many scripts at its end were written ahead, behind the
  // one in question. Those play no part in what came before, but a process may have read them when
  // it ended, and kept replies to itself that it had made.
  struct Journal {
    std::vector<Script> scripts;
    std::size_t behind = 0;

    std::vector<Script> of(const std::string& signature) const {
      if (is_of_process(signature)) return scripts;
      return {scripts.begin(), scripts.end() - static_cast<std::ptrdiff_t>(behind)};
    }
    Script suspect() const {
      return joined({scripts.end() - static_cast<std::ptrdiff_t>(behind + 1), scripts.end()});
    }
  };

  // Scripts of its share that were not played yet.
  std::uint64_t left() const {
    if (options_.execs == 0) return std::numeric_limits<std::uint64_t>::max();
    return options_.execs - std::min(options_.execs, row_.execs.load());
  }

  // The counters are set as it behaves, so the engine sees what it is worth.
  void play_alone(const Made& one, bool closely) {
    if (closely) executor_->look_closely();
    Execution execution = play_once(one.script);
    std::vector<std::uint64_t> seen;
    std::vector<Problem> problems = judged(execution, &seen);
    std::optional<Journal> journal;
    look_into(one, execution, seen, problems);
    const bool fresh = feedback(seen);
    if (together_ == 1 && !fresh) together_ = 2;
    take_care_of(problems, journal);
    maybe_run_check(one.script, execution, fresh);
  }

  // Of most scripts there is nothing to learn, and it costs a good deal less to find that out of
  // several at once. One that shows something new is played again, alone, for the engine.
  void play_pipelined() {
    const std::vector<Made> group = std::exchange(ahead_, {});
    ahead_bytes_ = 0;
    if (group.empty()) return;
    std::vector<Script> scripts;
    for (const Made& one : group) scripts.push_back(one.script);
    if (map_) map_->clear();
    auto plays = finished<harness::Result<std::vector<Execution>>>(
        [&]() { return executor_->play_pipelined(scripts); });
    if (!plays) give_up(plays.error());
    const bool elsewhere = reaches_new_places();
    std::vector<std::vector<std::uint64_t>> seen(plays->size());
    std::vector<std::vector<Problem>> problems;
    std::optional<Journal> journal;  // as it is before other scripts are played
    for (std::size_t i = 0; i < plays->size(); ++i) {
      problems.push_back(judged((*plays)[i], &seen[i]));
      if (!journal && worth_a_care(problems.back())) journal = Journal{executor_->journal(), 0};
    }
    std::size_t all_fresh = 0;
    for (std::size_t i = 0; i < plays->size(); ++i) {
      Execution& execution = (*plays)[i];
      if (journal) journal->behind = group.size() - 1 - i;
      look_into(group[i], execution, seen[i], problems[i]);
      const bool fresh = note_new(seen[i]) || elsewhere;
      all_fresh += fresh;
      if (fresh || execution.wants_a_look) again_.push_back(scripts[i]);
      take_care_of(problems[i], journal);
      maybe_run_check(scripts[i], execution, fresh);
    }
    for (std::size_t i = plays->size(); i < group.size(); ++i) again_.push_back(scripts[i]);
    together_ = all_fresh * kMostFresh > group.size() ? std::max<std::size_t>(1, together_ / 2)
                                                      : std::min(kAhead, together_ * 2);
  }

  // What is the same however a script is played.
  void look_into(const Made& one, Execution& execution, std::vector<std::uint64_t>& seen,
                 std::vector<Problem>& problems) {
    const bool ended = execution.ending != Ending::kAnswered;
    if (!ended) look_again_whether_slow(one.script, execution);
    if (execution.unsettled && something_new(problems))
      problems = settled(std::move(problems), one.script);
    if (execution.hasty) problems = waited_for(std::move(problems), one.script);
    endings_of(execution, seen);
    caution_.learn(one.used, ended);
    if (ended) ended_ = one.input;
    row_.digest = (row_.digest ^ fingerprint(one.input)) * 0x100000001B3u;
    ++row_.execs;
    row_.frames += execution.frames;
    row_.withheld += execution.withheld;
    row_.sessions = executor_->sessions();
  }

  void maybe_run_check(const Script& script, const Execution& execution, bool fresh) {
    if (board_.stop) return;
    const auto now = std::chrono::steady_clock::now();
    const auto time = kCheckTime + (now - began_) / 4 - time_of_checks_;
    if (time.count() < 0) return;
    const std::optional<Turn> turn = checker_->next(script, execution, fresh, row_.execs);
    if (!turn) return;
    check(*turn, time);
    time_of_checks_ += std::chrono::steady_clock::now() - now;
  }

  [[noreturn]] void give_up(const harness::Error& why) {
    std::fprintf(stderr, "rpcspec: %s\n", target_.secrets.masked(why.text()).c_str());
    std::_Exit(kUnreachable);
  }

  std::vector<Problem> judged(const Execution& execution, std::vector<std::uint64_t>* seen) {
    return judge(execution, fuzz_target_->profile(), registry_, &target_.secrets,
                 [&](const harness::oracle::Evidence& evidence) {
                   if (!seen) return;
                   behaviours_of(evidence, *seen);
                   learn(evidence, *seen);
                 });
  }

  // Slow may be the machine: only what is slow twice is slow; and where nothing was so slow before,
  // each time of a few, with pauses, since a busy machine is busy for a while. What starts servers
  // tells too little for what it costs to look at it again.
  void look_again_whether_slow(const Script& script, Execution& execution) {
    if (has_close(script)) execution.took = {};
    for (unsigned looks = 0; looks < kLooksAtSlow; ++looks) {
      const unsigned slow = slowness(execution.took);
      if (slow == 0 || (looks > 0 && slow <= slowest_)) return;
      if (looks > 0) std::this_thread::sleep_for(kSlow);
      execution.took = std::min(execution.took, play_once(script).took);
    }
    slowest_ = std::max(slowest_, slowness(execution.took));
  }

  bool something_new(const std::vector<Problem>& problems) const {
    return std::any_of(problems.begin(), problems.end(),
                       [&](const Problem& one) { return !board_.claimed(one.signature); });
  }

  // What an earlier script left behind must not be attributed to this one, which is asked alone.
  // The end of a process may take them all: the minimizer finds out which.
  std::vector<Problem> settled(std::vector<Problem> problems, const Script& script) {
    const auto passes = [](const Problem& one) { return !is_of_process(one.signature); };
    std::vector<Problem> out = problems;
    std::erase_if(out, passes);
    if (something_new(out) || !worth_a_session(problems)) return out;
    executor_->forget_session();
    out = judged(play_once(script), nullptr);
    for (const Problem& problem : out) without_effect_.erase(problem.signature);
    return out;
  }

  // Nor is missing what was not waited for. When nothing else is new, it is.
  std::vector<Problem> waited_for(std::vector<Problem> problems, const Script& script) {
    const auto passes = [](const Problem& one) { return !is_absence(one.signature); };
    const auto absent = std::stable_partition(problems.begin(), problems.end(), passes);
    const std::vector<Problem> missing(absent, problems.end());
    problems.erase(absent, problems.end());
    if (something_new(problems) || !something_new(missing) || !worth_a_session(missing))
      return problems;
    executor_->forget_session();
    executor_->look_closely();
    problems = judged(play_once(script), nullptr);
    for (const Problem& problem : problems) without_effect_.erase(problem.signature);
    return problems;
  }

  // What came to nothing a few times on a session of its own is tried there ever more seldom: a
  // server that drops what it cannot read leaves every session unsettled.
  bool worth_a_session(const std::vector<Problem>& problems) {
    bool worth = false;
    for (const Problem& problem : problems) {
      if (board_.claimed(problem.signature)) continue;
      const unsigned times = ++without_effect_[problem.signature];
      worth |= times <= kTries || std::has_single_bit(times);
    }
    return worth;
  }

  void write_seeds(const harness::suite::Suite& suite) {
    for (const Scenario& one : seeds(suite, registry_, fuzz_target_->profile())) {
      std::string name = one.name;
      std::replace(name.begin(), name.end(), '/', '.');
      std::ofstream(options_.scratch + "/" + name, std::ios::binary) << write_script(one.script);
    }
    if (options_.level == Level::kRaw)
      std::ofstream(options_.scratch + ".dict") << dictionary(suite, fuzz_target_->profile());
  }

  // Runs a coroutine to its end.
  template <class Value, class Story>
  Value finished(Story story) {
    std::optional<Value> value;
    std::exception_ptr failure;
    const auto whole = [&]() -> awaitable<void> { value.emplace(co_await story()); };
    boost::asio::co_spawn(io_, whole, [&](std::exception_ptr thrown) {
      failure = thrown;
      io_.stop();
    });
    io_.restart();
    io_.run();
    if (failure) std::rethrow_exception(failure);
    return std::move(*value);
  }

  Execution play_once(const Script& script) {
    if (map_) map_->clear();
    auto execution =
        finished<harness::Result<Execution>>([&]() { return executor_->play(script); });
    if (!execution) give_up(execution.error());
    return std::move(*execution);
  }

  void learn(const harness::oracle::Evidence& evidence, const std::vector<std::uint64_t>& seen) {
    bool fresh = false;
    for (const std::uint64_t behaviour : seen) fresh |= !known_[behaviour % known_.size()];
    if (!fresh) return;
    std::size_t handles = vocabulary_->handles().size();
    std::size_t cursors = vocabulary_->cursors().size();
    for (const wire::Frame& frame : evidence.transcript.frames)
      if (frame.direction == wire::Direction::kReceived && frame.bytes.size() <= kMined)
        vocabulary_->learn(target_.secrets.masked(frame.bytes));  // the corpus keeps what is learnt
    for (; handles < vocabulary_->handles().size(); ++handles)
      try_forgeries(vocabulary_->handles()[handles]);
    for (; cursors < vocabulary_->cursors().size(); ++cursors)
      try_forgeries(vocabulary_->cursors()[cursors]);
    learn_asking(evidence);
  }

  void learn_asking(std::string_view request) {
    const std::size_t before = vocabulary_->asking().size();
    vocabulary_->learn_asking(request);
    if (vocabulary_->asking().size() == before) return;
    for (Script& script : odd_answers(*vocabulary_, vocabulary_->asking().back()))
      to_try_.push_front(std::move(script));
  }

  void try_forgeries(std::string_view given) {
    for (Script& script : forgeries(*vocabulary_, given)) to_try_.push_front(std::move(script));
  }

  void learn_asking(const harness::oracle::Evidence& evidence) {
    for (const harness::oracle::Item& reply : evidence.items) {
      if (reply.sent || !reply.value || !json::at(*reply.value, "/result/inputRequests")) continue;
      for (const harness::oracle::Item& request : evidence.items)
        if (request.sent && request.array == 0 && request.key == reply.key)
          learn_asking(request.text);
    }
  }

  // True when some of it was never seen before.
  bool feedback(const std::vector<std::uint64_t>& seen) {
    const std::span<std::uint8_t> counters = behaviour_counters();
    bool fresh = false;
    for (const std::uint64_t behaviour : seen) {
      const std::size_t index = behaviour % counters.size();
      counters[index] = 1;
      if (known_[index]) continue;
      known_[index] = fresh = true;
      ++row_.behaviours;
    }
    std::span<std::uint8_t> reached;
    each_place([&](std::size_t place, std::uint8_t count) {
      if (reached.empty()) reached = coverage_counters(map_->counters().size());
      reached[place] = count;
      if (places_[place]) return;
      places_.set(place);
      ++row_.places;
      fresh = true;
    });
    if (fresh)
      row_.last_new =
          static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                         std::chrono::steady_clock::now() - began_)
                                         .count());
    return fresh;
  }

  // Likewise, without telling the engine; each is new once.
  bool note_new(const std::vector<std::uint64_t>& seen) {
    bool fresh = false;
    for (const std::uint64_t behaviour : seen) {
      const std::size_t index = behaviour % known_.size();
      if (known_[index] || noted_[index]) continue;
      noted_[index] = fresh = true;
    }
    return fresh;
  }

  // Of all that was played since the map was cleared.
  bool reaches_new_places() {
    bool fresh = false;
    each_place([&](std::size_t place, std::uint8_t) {
      if (places_[place] || noted_places_[place]) return;
      noted_places_.set(place);
      fresh = true;
    });
    return fresh;
  }

  template <class Look>
  void each_place(const Look& look) {
    if (!map_ || map_->attached() == 0) return;
    const auto places = map_->counters();
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i] == 0)
        i += zeros(places.subspan(i)) - 1;
      else
        look(i, places[i]);
    }
  }

  // Another bug may end the process in the same way; after a few that were no other, it is left.
  bool may_be_another(const std::string& signature, const Script& script) {
    const unsigned times = ++tries_[signature];
    return (times <= kTries || std::has_single_bit(times)) && !explained(signature, script);
  }

  // What is known to end a session that way is in the script, and without that it does not.
  bool explained(const std::string& signature, Script rest) {
    const std::size_t steps = rest.steps.size();
    std::erase_if(rest.steps, [&](const Step& step) {
      const Script alone{rest.profile, rest.transport, {step}};
      return board_.claimed(signature + outline(alone));
    });
    if (rest.steps.size() == steps) return false;
    executor_->forget_session();
    const std::vector<Problem> problems = judged(play_once(rest), nullptr);
    return std::none_of(problems.begin(), problems.end(),
                        [&](const Problem& one) { return one.signature == signature; });
  }

  // `check`: that found it, and the case it wrote.
  void write_down(const Reduced& reduced, const std::vector<Script>& journal,
                  const std::string& check = {}, const std::string& case_of_check = {}) {
    const Kin kin = kin_of(reduced, options_.findings);
    if (kin.told) return;
    FindingContext context{
        options_.findings,   options_.program, target_.spec,    fuzz_target_->profile(),
        target_.transport(), registry_,        target_.secrets, check,
        row_.frames.load()};
    auto written = write_finding(reduced, journal, context);
    if (!written) give_up(written.error());
    std::error_code ignored;
    for (const std::string& other : kin.longer) std::filesystem::remove_all(other, ignored);
    row_.findings += 1 - kin.longer.size();
    // The finding is there whatever becomes of its case: the campaign may be over meanwhile.
    const std::string draft =
        check.empty() ? case_draft(reduced, fuzz_target_->profile(), target_) : case_of_check;
    context.case_text = tried(target_.secrets.masked(draft), reduced.problem);
    // Another worker may have found a shorter script and taken it away.
    if (!std::filesystem::exists(options_.findings + "/" + *written)) return;
    written = write_finding(reduced, journal, context);
    if (!written) give_up(written.error());
  }

  // The case, or nothing when it does not show what it was drafted for.
  std::string tried(const std::string& case_text, const Problem& problem) {
    if (case_text.empty()) return "";
    executor_->forget_session();
    const CaseTrial trial{target_, suite_, registry_, fuzz_target_->profile(), served_.service(io_),
                          io_};
    const bool shown = shows(case_text, problem, trial);
    executor_->forget_process();
    return shown ? case_text : "";
  }

  bool worth_a_care(const std::vector<Problem>& problems) const {
    return std::any_of(problems.begin(), problems.end(), [&](const Problem& one) {
      return is_coarse(one.signature) || !board_.claimed(one.signature);
    });
  }

  // `journal` is that of the session, when it is not the executor's.
  void take_care_of(const std::vector<Problem>& problems, std::optional<Journal>& journal) {
    for (const Problem& problem : problems) {
      const bool unknown = board_.claim(problem.signature);
      const bool anybodys = may_be_others(problem.signature);
      if (!unknown && (anybodys || !is_coarse(problem.signature))) continue;
      if (!journal) journal = Journal{executor_->journal(), 0};  // before this one is reduced
      const Looking looking(*this, problem, journal->of(problem.signature));
      if (too_late() || anybodys)
        not_confirmed();
      else if (unknown || may_be_another(problem.signature, journal->suspect()))
        take_care_of(problem, *journal);
    }
  }

  void take_care_of(const Problem& problem, const Journal& whole) {
    const std::string& signature = problem.signature;
    Minimizer minimizer(*executor_, fuzz_target_->profile(), registry_, &target_.secrets);
    ReduceLimits limits;
    limits.time = options_.minimize;
    limits.stop = [&] { return board_.stop.load(); };
    if (is_coarse(signature))
      limits.known = [&](const Script& script) {
        return board_.claimed(signature + outline(script));
      };
    const std::vector<Script> journal = whole.of(signature);
    Reduced reduced = reduce(minimizer, journal, signature, limits);
    if (reduced.untried && board_.stop) {
      not_confirmed();
    } else if (!reduced.known && reduced.repeats == Repeats::kNot) {
      // What does not come back cannot show it again: it is given up, and the suspect is kept.
      if (somebody_elses()) {
        executor_->forget_session();
        play_once({});
      }
      note_flaky(problem, journal);
    } else if (!reduced.known) {
      if (is_coarse(signature)) reduced.problem.signature += outline(reduced.script);
      const bool untold = reduced.cut && board_.stop && may_be_known(signature);
      if (!untold && (!is_coarse(signature) || board_.claim(reduced.problem.signature))) {
        // What the least script shows besides is the same bug in other words.
        for (const std::string& other : reduced.besides) board_.claim(other);
        write_down(reduced, journal);
        tries_[signature] = 0;
      }
    }
    executor_->forget_session();
  }

  // While a suspect is looked at: should this process be ended, its parent keeps it.
  struct Looking {
    Looking(Worker& worker, const Problem& problem, const std::vector<Script>& journal,
            const std::string& check = {})
        : row(worker.row_) {
      if (!worker.may_be_known(problem.signature))
        suspect.emplace(suspect_file(worker.options_), problem, journal, check,
                        worker.target_.secrets);
      row.confirming = 1;
    }
    ~Looking() { row.confirming = 0; }

    WorkerRow& row;
    std::optional<Suspect> suspect;
  };

  // What was not reduced cannot be told from a bug that is known.
  bool may_be_known(const std::string& signature) const {
    if (!is_coarse(signature)) return false;
    const std::vector<Found> known = findings_in(options_.findings);
    return std::any_of(known.begin(), known.end(),
                       [&](const Found& one) { return one.signature.starts_with(signature); });
  }

  // It is there when we come, and all workers have the same.
  bool somebody_elses() const { return !target_.stdio() && !served_.process(); }

  // Any worker may have ended what all of them use, also while a suspect is looked at.
  bool may_be_others(const std::string& signature) const {
    return options_.workers > 1 && somebody_elses() && is_of_process(signature) &&
           !is_silence(signature);
  }

  // The campaign is over, and so is the time that is left for what came up at its end.
  bool too_late() {
    const auto now = std::chrono::steady_clock::now();
    if (board_.stop && !stopped_) stopped_ = now;
    return stopped_ && now - *stopped_ > kLastLooks;
  }

  void not_confirmed() {
    row_.unconfirmed += keep_suspect(suspect_file(options_), options_.findings);
  }

  void check(const Turn& turn, std::chrono::steady_clock::duration time) {
    const auto looked =
        finished<std::optional<CheckResult>>([&] { return checker_->look(turn, time); });
    if (!looked || !board_.claim(looked->problem.signature)) return;
    const bool part = !looked->suspect.steps.empty();
    const std::vector<Script> journal(1, part ? looked->suspect : turn.suspect);
    const Looking looking(*this, looked->problem, journal, turn.check->name);
    std::string case_text;
    ReduceLimits limits;
    limits.plays = kLooks;
    limits.time = options_.minimize / 2;
    limits.stop = [&] { return board_.stop.load(); };
    limits.show = [&](const Script& script) -> awaitable<std::optional<Shown>> {
      const Turn again{turn.check, script};
      std::optional<CheckResult> result = co_await checker_->look_again(again);
      std::optional<Shown> shown;
      if (result) {
        case_text = result->case_text;
        shown.emplace();
        shown->problem = std::move(result->problem);
        shown->execution = std::move(result->execution);
      }
      co_return std::move(shown);
    };
    Minimizer minimizer(*executor_, fuzz_target_->profile(), registry_, &target_.secrets);
    const Reduced reduced = reduce(minimizer, journal, looked->problem.signature, limits);
    // What depends on measurements has to be seen each time.
    if (reduced.confirmed == kConfirmations)
      write_down(reduced, journal, turn.check->name, case_text);
    else
      note_flaky(looked->problem, journal, turn.check->name);
  }

  Reduced reduce(Minimizer& minimizer, const std::vector<Script>& journal,
                 const std::string& signature, const ReduceLimits& limits) {
    return finished<std::optional<Reduced>>([&]() -> awaitable<std::optional<Reduced>> {
             std::optional<Reduced> made;
             made.emplace(co_await minimizer.reduce(journal, signature, limits));
             co_return std::move(made);
           })
        .value();
  }

  void note_flaky(const Problem& problem, const std::vector<Script>& journal,
                  const std::string& check = {}) {
    ++row_.flaky;
    keep_not_reproducible(options_.findings, problem, journal, check, target_.secrets);
  }

  const WorkerOptions& options_;
  harness::target::Target target_;
  const harness::suite::Suite& suite_;
  const harness::spec::Registry& registry_;
  Board& board_;
  WorkerRow& row_;
  std::chrono::steady_clock::time_point began_;
  boost::asio::io_context io_;
  harness::run::Served served_;
  std::optional<CoverageMap> map_;
  std::unique_ptr<FuzzTarget> fuzz_target_;
  std::unique_ptr<ScriptExecutor> executor_;
  std::optional<StatefulChecker> checker_;
  std::optional<Vocabulary> vocabulary_;
  Caution caution_;
  std::deque<Script> to_try_;  // before anything is drawn
  std::deque<Script> again_;   // before that: to be played alone
  std::vector<Made> ahead_;    // to be played at once
  std::size_t ahead_bytes_ = 0;
  std::size_t together_ = 1;  // as many, while most of them show something new
  std::string basis_;         // of the script that is made
  std::string made_;          // the script that was made last
  Script made_script_;
  std::optional<std::chrono::steady_clock::time_point> stopped_;  // when it saw that it is over
  bool alone_ = false;                                            // and it is to be played alone
  std::string ended_;  // the script that was played last, when its session ended
  std::map<std::string, unsigned> tries_;
  std::map<std::string, unsigned>
      without_effect_;  // looks at what an unsettled session seemed to show
  std::chrono::steady_clock::duration time_of_checks_{};
  std::vector<bool> known_ = std::vector<bool>(behaviour_counters().size());  // that were ever set
  std::vector<bool> noted_ = known_;  // that were met by scripts written ahead
  unsigned slowest_ = 0;  // class of the slowest that was slow each time it was looked at
  std::bitset<kPlaces> places_;
  std::bitset<kPlaces> noted_places_;
};

}  // namespace

std::string suspect_file(const WorkerOptions& options) { return options.scratch + ".suspect"; }

void work(const WorkerOptions& options, harness::target::Target target,
          const harness::suite::Suite& suite, const harness::spec::Registry& registry,
          Board& board) {
  // What a script takes comes back with the next one: memory is not given back in between.
  mallopt(M_TRIM_THRESHOLD, kKeptMemory);
  mallopt(M_TOP_PAD, kKeptMemory / 16);
  mallopt(M_MMAP_THRESHOLD, kKeptMemory / 4);
  try {
    Worker worker(options, std::move(target), suite, registry, board);
    run_engine(worker.engine(), worker);
  } catch (const std::exception& mistake) {
    std::fprintf(stderr, "rpcspec: this is a mistake of rpcspec: %s\n", mistake.what());
    std::_Exit(4);
  }
  std::_Exit(0);
}

}  // namespace fuzz
