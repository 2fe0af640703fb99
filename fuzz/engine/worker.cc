// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine/worker.h"

#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <limits>
#include <utility>

#include "fuzz/executor/vocabulary_of.h"
#include "fuzz/feedback/behaviour.h"
#include "fuzz/mutate/chains.h"
#include "fuzz/mutate/deterministic.h"
#include "fuzz/mutate/edges.h"
#include "fuzz/seeds/seeds.h"
#include "harness/trace/attribution.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace wire = harness::wire;

// A quarter of the campaign goes into stateful checks, and so much more.
constexpr int kPartOfChecks = 4;
constexpr std::chrono::seconds kCheckTime{5};
constexpr std::chrono::seconds kCheckTimeOfTimed{1};
// A fifth of it goes into sessions that are opened for scripts and checks, and so much more.
constexpr int kPartOfStarts = 5;
constexpr std::chrono::seconds kStartTime{1};
// A twentieth of it goes into waits for replies that do not come, and so much more.
constexpr int kPartOfWaits = 20;
constexpr std::chrono::milliseconds kWaitTime{500};
// What takes a start of the server is made more seldom when so many scripts were played.
constexpr std::uint64_t kEarly = 8192;
constexpr std::size_t kSeldom = 256;  // then: one script in so many
// The search for limits of size begins after so many scripts, and then has one of so many.
constexpr std::uint64_t kFirstSize = 256;
constexpr std::uint64_t kSizeEach = 16;
constexpr std::uint64_t kManySizes = 128;    // behind so many it has half of that, and so on
constexpr std::size_t kMostLonger = 256;     // requests of which each string in turn is the longest
constexpr std::uint64_t kWalkEach = 16;      // one script in so many, where they add nothing new
constexpr std::size_t kLongest = 256 << 10;  // where scripts may be shorter only it is left out
constexpr int kKeptMemory = 64 << 20;
constexpr std::size_t kAhead = 16;             // scripts that are written at once
constexpr std::size_t kMostFresh = 8;          // one in so many may be worth playing again
constexpr std::size_t kAheadBytes = 24 << 10;  // of their text, likewise
constexpr std::size_t kMostPutOff = 1024;      // scripts that wait until a session may be spent
constexpr int kLooksAhead = 16;                // for one that spends none
constexpr std::size_t kNamed = 5;              // mutators of a script in its README
constexpr std::size_t kMined = 8192;           // bytes of a reply that are mined for values

}  // namespace

// ---------------------------------------------------------------------------------- the beginning

Worker::Worker(const WorkerOptions& options, harness::target::Target target,
               const harness::suite::Suite& suite, const harness::spec::Registry& registry,
               Board& board)
    : options_(options), board_(board), row_(board.workers[options.number]),
      began_(std::chrono::steady_clock::now()),
      target_(options, std::move(target), suite, registry), findings_(target_, options, row_),
      confirmation_(target_, findings_, options, board),
      feedback_(behaviour_counters(), coverage_counters, kPlaces),
      checks_time_(kPartOfChecks, options.timed ? kCheckTimeOfTimed : kCheckTime),
      starts_time_(kPartOfStarts, kStartTime), waits_time_(kPartOfWaits, kWaitTime) {
  board_.say_profile(target_.profile().name);
  write_seeds();
  const std::function<int()> group = target_.process_group();
  const bool local = group || target_.target().stdio();
  checker_.emplace(target_.fuzz_target(), registry, target_.target().transport(), group, local,
                   options.engine.seed);
  vocabulary_.emplace(vocabulary_of(target_.fuzz_target(), target_.target()));
  vocabulary_->byte_mutator = mutate_bytes;
  vocabulary_->caution = &caution_;
  vocabulary_->room = options.engine.longest;
  line_up();
}

void Worker::write_seeds() {
  for (const Scenario& one : seeds(target_.suite(), target_.registry(), target_.profile())) {
    std::string name = one.name;
    std::replace(name.begin(), name.end(), '/', '.');
    std::ofstream(options_.scratch + "/" + name, std::ios::binary) << write_script(one.script);
  }
  if (options_.level == Level::kRaw)
    std::ofstream(options_.scratch + ".dict") << dictionary(target_.profile());
}

// What is tried before anything is drawn. Each worker tries its share.
void Worker::line_up() {
  std::vector<Script> all = deterministic_scripts(*vocabulary_);
  // One of these, one of those.
  std::vector<Script> edges = edge_scripts(*vocabulary_);
  std::erase_if(edges, [&](const Script& one) { return bytes_of(one) > vocabulary_->room / 2; });
  for (std::size_t i = 0; i < edges.size(); ++i)
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(std::min(2 * i + 1, all.size())),
               std::move(edges[i]));
  std::vector<Script> described = contract_scripts(*vocabulary_);
  for (std::vector<Script>* some : {&described, &all})
    for (std::size_t i = options_.number; i < some->size(); i += options_.workers)
      to_try_.push_back(std::move((*some)[i]));
  // What takes a start of the server each time comes behind the rest: there are many that take long
  // to start, and which they are is not asked, so that the clock has no part in what is played.
  std::stable_partition(to_try_.begin(), to_try_.end(),
                        [this](const Script& one) { return !ends_session(one); });
  std::vector<Script> sound;
  const std::vector<Script> known = requests(*vocabulary_);
  for (std::size_t i = options_.number; i < known.size(); i += options_.workers)
    sound.push_back(known[i]);
  // First of all, as it shows how valid calls are answered.
  to_try_.insert(to_try_.begin(), sound.begin(), sound.end());
  const std::vector<Script> longer = with_long_strings(*vocabulary_, kMostLonger);
  for (std::size_t i = options_.number; i < longer.size(); i += options_.workers)
    sound.push_back(longer[i]);
  if (options_.number == 0) {
    checker_->offer(task_requests(*vocabulary_), "renewal");
    Frame listen;
    listen.delivery.http_method = "GET";
    checker_->offer({{target_.profile().name, {}, {std::move(listen)}}}, "streams");
  }
  checker_->offer(sound);
  const bool large = options_.engine.longest >= kLongest && !options_.level;
  if (large && options_.number == 0) sizes_.emplace(*vocabulary_);
  next_size_ = kFirstSize;
  if (options_.level) return;
  meanings_.emplace(*vocabulary_);
  walks_.emplace(*vocabulary_, options_.engine.seed, !target_.target().stdio());
}

// Of what is not drawn, but is too much to be lined up, one script; of every other it is nothing.
// Walks are half of it as long as they add names in a row, then a quarter, and one in so many where
// they add nothing.
std::optional<Worker::Planned> Worker::searched() {
  if (!walks_ || ++searched_ % 2 == 0) return std::nullopt;
  const bool meant =
      meanings_ && (searched_ % 4 == 1 || (searched_ % 8 == 7 && walks_->names_left() == 0));
  if (meant) {
    std::optional<Script> script;
    // Each worker tries its share.
    for (std::size_t i = 0; i < options_.workers; ++i) {
      std::optional<Script> one = meanings_->next();
      if (i == options_.number) script = std::move(one);
    }
    if (script) return Planned{std::move(*script), "the search inside values"};
    meanings_.reset();
  }
  if (walks_->left() == 0 && searched_ % kWalkEach != 1) return std::nullopt;
  return Planned{walks_->next(), "the search for sequences"};
}

EngineOptions Worker::engine() const {
  EngineOptions engine = options_.engine;
  if (options_.level == Level::kRaw) engine.dictionary = options_.scratch + ".dict";
  return engine;
}

// ---------------------------------------------------------------------------------- what is played

void Worker::play(std::string_view input) {
  if (board_.stop || left() == 0) leave();
  confirmation_.catch_up();
  if (wants_size()) play_size();
  if (board_.stop || left() == 0) leave();
  const bool as_made = input == made_;
  const bool alone = std::exchange(alone_, false) || !as_made;
  Made one{std::string(input), as_made ? std::move(made_script_) : read_script(input),
           caution_.taken(), as_made ? stage_ : "the seeds or the corpus"};
  made_.clear();
  // Of the seeds and the corpus, too, what ends its session waits.
  if (!as_made && !may_start() && ends_session(one.script) && put_off_.size() < kMostPutOff) {
    put_off_.push_back({std::move(one.script), one.stage, true});
    return;
  }
  if (alone || together_ == 1 || !can_pipeline(one.script)) {
    play_alone(one, alone && as_made);
  } else {
    pipelined_bytes_ += input.size();
    pipelined_.push_back(std::move(one));
  }
  if (pipelined_.size() >= std::min<std::uint64_t>(together_, left()) ||
      pipelined_bytes_ > kAheadBytes)
    play_pipelined();
}

// A script that says how to answer goes alone once the server has asked: when it does may be a matter
// of time.
bool Worker::can_pipeline(const Script& script) {
  const auto answers = [](const Step& step) { return std::holds_alternative<ClientAnswer>(step); };
  return target_.executor().can_pipeline(script) &&
         (options_.timed || std::none_of(script.steps.begin(), script.steps.end(), answers));
}

// Whether a session may be spent that could still be used. When sessions had their share of the
// time, what is known to spend one waits; what spends one unforeseen is paid for later.
bool Worker::may_start() {
  const auto now = std::chrono::steady_clock::now();
  const auto taken = target_.fuzz_target().time_of_starts() - confirmation_.time_of_starts();
  starts_time_.set_spent(taken);
  row_.starting = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(taken).count());
  if (!options_.timed || starts_time_.is_open(now - began_)) return true;
  row_.by_clock = 1;
  return false;
}

bool Worker::may_wait() {
  if (!options_.timed || waits_time_.left(std::chrono::steady_clock::now() - began_).count() > 0)
    return true;
  row_.by_clock = 1;
  return false;
}

bool Worker::ends_session(const Script& script) const {
  return std::any_of(script.steps.begin(), script.steps.end(), [this](const Step& step) {
    return caution_.ends_session(step, target_.profile());
  });
}

// What is not drawn: again what showed something, the deterministic stage, the searches.
std::optional<Worker::Planned> Worker::next_planned() {
  const auto first_of = [](std::deque<Script>& some) {
    Script first = std::move(some.front());
    some.pop_front();
    return first;
  };
  if (!again_.empty())
    return Planned{first_of(again_), "an earlier script, played again alone", true};
  if (options_.level) return std::nullopt;
  if (!to_try_.empty()) return Planned{first_of(to_try_), "the deterministic stage"};
  return searched();
}

// What is known to end its session waits until one may be spent.
std::optional<Script> Worker::planned() {
  if (row_.execs >= kEarly) vocabulary_->costly = kSeldom;
  std::optional<Planned> next;
  if (may_start()) {
    if (!put_off_.empty()) {
      next = std::move(put_off_.front());
      put_off_.pop_front();
    } else {
      next = next_planned();
    }
  } else {
    for (int looks = 0; looks < kLooksAhead; ++looks) {
      next = next_planned();
      if (!next || !ends_session(next->script) || put_off_.size() == kMostPutOff) break;
      put_off_.push_back(std::move(*next));
      next.reset();
    }
  }
  if (!next) return std::nullopt;
  alone_ = next->alone;
  stage_ = next->stage;
  return std::move(next->script);
}

std::string Worker::mutated(std::string_view input, std::size_t most, std::uint32_t seed) {
  Random random(seed);
  // What ended its session is not built upon: what it was made of is.
  if (input != ended_) basis_ = input;
  caution_.is_strict = !may_start();
  if (std::optional<Script> next = planned()) return made(std::move(*next), most, basis_);
  stage_ = "";
  Script script = read_script(basis_);
  vary(script, *vocabulary_, random, options_.level);
  return made(std::move(script), most, basis_);
}

std::string Worker::crossed(std::string_view a, std::string_view b, std::size_t most,
                            std::uint32_t seed) {
  Random random(seed);
  alone_ = false;
  if (options_.level == Level::kRaw) {
    stage_ = "joining two scripts";
    std::string spliced(a.substr(0, random.below(a.size() + 1)));
    spliced += b.substr(random.below(b.size() + 1));
    return spliced.substr(0, most);
  }
  if (std::optional<Script> next = planned()) return made(std::move(*next), most, a);
  stage_ = "joining two scripts";
  Script script = cross_over(read_script(a), read_script(b), *vocabulary_, random);
  keep_cheap(script, *vocabulary_, random);
  return made(std::move(script), most, a);
}

// The text of a script, which is what is played next as a rule; where there is no room for it, as
// much as there is of that it was made of.
std::string Worker::made(Script script, std::size_t most, std::string_view otherwise) {
  if (!may_start())
    std::erase_if(script.steps, [this](const Step& step) {
      return caution_.ends_session(step, target_.profile());
    });
  std::string text = write_script(script);
  if (text.size() > most) return std::string(otherwise.substr(0, most));
  made_ = text;
  made_script_ = std::move(script);
  return text;
}

// Scripts of its share that were not played yet.
std::uint64_t Worker::left() const {
  if (options_.execs == 0) return std::numeric_limits<std::uint64_t>::max();
  return options_.execs - std::min(options_.execs, row_.execs.load());
}

void Worker::leave() {
  confirmation_.end();
  checker_.reset();
  target_.leave();  // sessions say goodbye
  std::_Exit(0);    // transports' guardians end what is left
}

// ---------------------------------------------------------------------------------- what comes

// The counters are set as it behaves, so the engine sees what it is worth.
void Worker::play_alone(const Made& one, bool closely) {
  if (closely) target_.executor().look_closely();
  target_.executor().set_hurried(!may_wait());
  Execution execution = target_.play(one.script);
  target_.executor().set_hurried(false);
  waits_time_.spend(execution.waited);
  // Its ids were used when it was pipelined. Whether that matters shows on a new session.
  if (closely)
    for (harness::trace::Slice& slice : execution.slices) slice.earlier_ids = {};
  std::vector<std::uint64_t> seen;
  std::vector<Problem> problems = judged(execution, seen);
  std::optional<Journal> journal;
  look_into(one, execution, seen, problems);
  const bool fresh = give_feedback(seen);
  if (together_ == 1 && !fresh) together_ = 2;
  const bool odd = execution.wants_a_look || (fresh && execution.missing > 0);
  if (odd && !closely) again_.push_back(one.script);
  confirmation_.confirm(problems, execution, journal);
  maybe_run_check(one.script, execution, fresh);
}

bool Worker::wants_size() {
  return sizes_ && pipelined_.empty() && row_.execs >= next_size_ && left() > 1 && may_start();
}

void Worker::play_size() {
  ++sizes_made_;
  const int often = sizes_made_ < kManySizes ? 1 : sizes_made_ < 2 * kManySizes ? 2 : 4;
  next_size_ = row_.execs + often * kSizeEach;
  std::optional<Script> script = sizes_->next();
  if (!script) {
    sizes_.reset();
    return;
  }
  ++row_.execs;
  play_apart(std::move(*script), "the search for size limits");
}

// What the engine does not see, last on its session: nobody keeps what is so large. Where it is not
// a pipe that carries a message, whoever carries it may refuse it for its size, by a status or by
// the end of the connection: then only the end of the process counts.
void Worker::play_apart(Script script, const char* stage) {
  const Made one{"", std::move(script), {}, stage};
  const Execution execution = target_.play(one.script);
  std::vector<Problem> problems = target_.judge(execution);
  if (execution.unsettled && confirmation_.has_news(problems))
    problems = confirmation_.settled(std::move(problems), one.script);
  if (!target_.target().stdio() && !execution.served_ended) problems.clear();
  std::erase_if(problems, [&](const Problem& problem) {
    return !target_.target().stdio() && !is_of_process(problem.signature);
  });
  note_met(one);
  row_.frames += execution.frames;
  std::optional<Journal> journal;
  confirmation_.confirm(problems, execution, journal);
  target_.executor().forget_session();
}

// Of most scripts there is nothing to learn, and it costs a good deal less to find that out of
// several at once. One that shows something new is played again, alone, for the engine.
void Worker::play_pipelined() {
  const std::vector<Made> group = std::exchange(pipelined_, {});
  pipelined_bytes_ = 0;
  if (group.empty()) return;
  std::vector<Script> scripts;
  for (const Made& one : group) scripts.push_back(one.script);
  std::vector<Execution> executions = target_.play_pipelined(scripts);
  const bool elsewhere = feedback_.note_places(target_.places());
  std::vector<std::vector<std::uint64_t>> seen(executions.size());
  std::vector<std::vector<Problem>> problems;
  std::optional<Journal> journal;  // as it is before other scripts are played
  for (std::size_t i = 0; i < executions.size(); ++i) {
    problems.push_back(judged(executions[i], seen[i]));
    if (!journal && confirmation_.needs_confirmation(problems.back()))
      journal = Journal{target_.executor().journal(), 0};
  }
  std::size_t all_fresh = 0;
  for (std::size_t i = 0; i < executions.size(); ++i) {
    if (journal) journal->behind = group.size() - 1 - i;
    look_into(group[i], executions[i], seen[i], problems[i]);
    const bool fresh = feedback_.note(seen[i]) || elsewhere;
    all_fresh += fresh;
    if (fresh || executions[i].wants_a_look) again_.push_back(scripts[i]);
    confirmation_.confirm(problems[i], executions[i], journal);
    maybe_run_check(scripts[i], executions[i], fresh);
  }
  for (std::size_t i = executions.size(); i < group.size(); ++i) again_.push_back(scripts[i]);
  together_ = all_fresh * kMostFresh > group.size() ? std::max<std::size_t>(1, together_ / 2)
                                                    : std::min(kAhead, together_ * 2);
}

void Worker::note_met(const Made& one) {
  std::string names;
  for (std::size_t i = 0; i < std::min(one.used.size(), kNamed); ++i)
    names += (names.empty() ? "the mutators " : ", ") + std::string(one.used[i]->name);
  if (one.used.size() > kNamed)
    names += " and " + std::to_string(one.used.size() - kNamed) + " more";
  const auto since = std::chrono::steady_clock::now() - began_;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since).count();
  findings_.set_met({static_cast<std::uint64_t>(seconds), *one.stage != '\0' ? one.stage
                                                          : names.empty()    ? "changes of bytes"
                                                                             : names});
}

// What is the same however a script is played.
void Worker::look_into(const Made& one, Execution& execution, std::vector<std::uint64_t>& seen,
                       std::vector<Problem>& problems) {
  const bool ended = execution.ending != Ending::kAnswered;
  note_met(one);
  if (execution.unsettled && confirmation_.has_news(problems))
    problems = confirmation_.settled(std::move(problems), one.script);
  if (execution.hasty) problems = confirmation_.waited_for(std::move(problems), one.script);
  endings_of(execution, seen);
  caution_.learn(one.used, ended || execution.torn);
  learn_ends(one.script, execution, problems);
  if (ended) ended_ = one.input;
  row_.digest = (row_.digest ^ fingerprint(one.input)) * 0x100000001B3u;
  ++row_.execs;
  row_.frames += execution.frames;
  row_.withheld += execution.withheld;
  row_.sessions = target_.executor().sessions();
}

void Worker::learn_ends(const Script& script, const Execution& execution,
                        const std::vector<Problem>& problems) {
  if (execution.ending == Ending::kAnswered)
    return caution_.learn_survival(script, target_.profile());
  for (const Problem& problem : problems) {
    const bool ended = is_of_process(problem.signature) && !is_silence(problem.signature);
    if (!ended || problem.finding.frames.empty()) continue;
    for (const wire::Frame& frame : execution.slices[problem.slice].transcript->frames)
      if (frame.seq == problem.finding.frames.front() && frame.direction == wire::Direction::kSent)
        caution_.learn_end(frame.bytes, target_.profile());
  }
}

// True when some of it was never seen before.
bool Worker::give_feedback(const std::vector<std::uint64_t>& seen) {
  const Feedback::News news = feedback_.tell(seen, target_.places());
  row_.behaviours += news.features;
  row_.places += news.places;
  if (!news) return false;
  const auto since = std::chrono::steady_clock::now() - began_;
  row_.last_new = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(since).count());
  return true;
}

void Worker::maybe_run_check(const Script& script, const Execution& execution, bool fresh) {
  // Many messages at once, and their time, are what most checks are about.
  if (board_.stop || options_.rate > 0 || !may_start()) return;
  const auto now = std::chrono::steady_clock::now();
  const auto time = checks_time_.left(now - began_);
  if (time.count() < 0) return;
  const std::optional<Turn> turn = checker_->next(script, execution, fresh, row_.execs);
  if (!turn) return;
  const auto seen =
      target_.finished<std::optional<CheckResult>>([&] { return checker_->look(*turn, time); });
  checks_time_.spend(std::chrono::steady_clock::now() - now);
  const WorkerTarget::Aside aside(target_);
  if (seen) confirmation_.confirm(*turn, *seen, *checker_);
  if (Script ending = checker_->taken_ending(); !ending.steps.empty())
    play_apart(std::move(ending), "a stateful check that found nothing");
}

// ---------------------------------------------------------------------------------- what is learnt

std::vector<Problem> Worker::judged(Execution& execution, std::vector<std::uint64_t>& seen) {
  return target_.judge(execution, [&](const harness::oracle::Evidence& evidence) {
    behaviours_of(evidence, seen, options_.timed ? Counted::kAll : Counted::kTimeless);
    if (options_.timed && execution.missing > 0)
      for (const std::string& method : target_.unheard_in(evidence))
        execution.wants_a_look |= looks_.another(method);
    if (!feedback_.knows(seen)) learn(evidence);
  });
}

void Worker::learn(const harness::oracle::Evidence& evidence) {
  std::size_t handles = vocabulary_->handles().size();
  std::size_t cursors = vocabulary_->cursors().size();
  for (std::size_t i = 0; i < evidence.messages.size(); ++i) {
    const wire::Frame& frame = evidence.transcript.frames[i];
    const bool counts = options_.timed || evidence.messages[i].is_reply();
    if (frame.direction == wire::Direction::kReceived && frame.bytes.size() <= kMined && counts)
      // The corpus keeps what is learnt.
      vocabulary_->learn(target_.target().secrets.masked(frame.bytes));
  }
  for (; handles < vocabulary_->handles().size(); ++handles)
    try_forgeries(vocabulary_->handles()[handles]);
  for (; cursors < vocabulary_->cursors().size(); ++cursors)
    try_forgeries(vocabulary_->cursors()[cursors]);
  learn_asking(evidence);
}

void Worker::learn_asking(const harness::oracle::Evidence& evidence) {
  for (const harness::oracle::Item& reply : evidence.items) {
    if (reply.sent || !reply.value || !json::at(*reply.value, "/result/inputRequests")) continue;
    const harness::trace::Answer& answer = harness::trace::attribution_of(evidence).of(reply);
    if (answer.whose == harness::trace::Whose::kRequest && answer.to->array == 0)
      learn_asking(answer.to->text);
  }
}

void Worker::learn_asking(std::string_view request) {
  const std::size_t before = vocabulary_->asking().size();
  vocabulary_->learn_asking(request);
  if (vocabulary_->asking().size() == before) return;
  for (Script& script : odd_answers(*vocabulary_, vocabulary_->asking().back()))
    to_try_.push_front(std::move(script));
}

void Worker::try_forgeries(std::string_view given) {
  for (Script& script : forgeries(*vocabulary_, given)) to_try_.push_front(std::move(script));
}

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
    std::fprintf(stderr, "rpcspec: this is a bug in rpcspec: %s\n", mistake.what());
    std::_Exit(4);
  }
  std::_Exit(0);
}

}  // namespace fuzz
