// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <thread>
#include <utility>

#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/frozen.h"
#include "harness/cli/inspection.h"
#include "harness/cli/named_cases.h"
#include "harness/cli/names.h"
#include "harness/cli/option_values.h"
#include "harness/cli/surface_file.h"
#include "harness/results/baseline_draft.h"
#include "harness/run/series.h"
#include "reports/output.h"

namespace harness::cli {
namespace {

Result<run::RunnerOptions> runner_options(const RunSettings& given, const std::string& program,
                                          const target::Target& target) {
  run::RunnerOptions options;
  const std::string named = split_profile(given.profile).profile;
  const bool described = named == "auto" && !target.profile.empty();
  Result<std::vector<std::string>> profiles =
      profiles_in(described ? target.profile : named, described ? target.file : "--profile");
  if (!profiles) return profiles.error();
  options.profile = fmt::format("{}", fmt::join(*profiles, ","));
  if (given.level != "must" && given.level != "should")
    return Error{"--level", "`" + given.level + "` is not a level", "write must or should"};
  options.level_should = given.level == "should";
  options.writes_known = !given.write_baseline.empty();
  options.strict = given.strict;
  options.jobs = given.jobs > 0
                     ? given.jobs
                     : static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 2u, 8u));
  options.timeout = given.timeout;
  options.max_time = given.max_time;
  options.selection.select = given.select;
  options.selection.survey = given.quick;
  options.ask_revisions = options.profile == "auto" && !options.selection.narrowed();
  options.selection.exclude = given.exclude;
  if (!given.shard.empty()) {
    Result<suite::Shard> shard = suite::read_shard(given.shard);
    if (!shard) return shard.error();
    options.selection.shard = *shard;
  }
  options.replay_prefix = shell_quoted(program) + " run";
  for (const std::string& folder : given.cases)
    options.replay_prefix += " --cases " + shell_quoted(folder);
  if (!given.suite.empty()) options.replay_prefix += " --suite " + shell_quoted(given.suite);
  if (given.timeout != RunSettings().timeout)
    options.replay_prefix += " --timeout " + duration_words(given.timeout);
  if (options.level_should) options.replay_prefix += " --level should";
  options.replay_target = target.spec;
  return options;
}

struct Baselines {
  run::Baseline known;
  run::Baseline previous;  // whose reasons and dates a file that is written keeps
};

// The baseline file that the run is to write; "" if none.
const std::string& written_file(const RunSettings& given) {
  return given.write_baseline.empty() && given.prune ? given.baseline : given.write_baseline;
}

Result<Baselines> read_baselines(const RunSettings& given) {
  const bool filtered =
      !given.select.empty() || !given.exclude.empty() || !given.shard.empty() || given.quick;
  if (!given.write_baseline.empty() && filtered)
    return Error{"--write-baseline", "a filtered run does not see every failure",
                 "leave out --select, --exclude, --shard and --quick"};
  if (given.prune && given.baseline.empty() && given.write_baseline.empty())
    return Error{"--prune", "it drops what no longer fails from a baseline",
                 "name the file: --baseline FILE"};
  if (given.prune && filtered)
    return Error{"--prune", "a filtered run does not see every failure",
                 "leave out --select, --exclude, --shard and --quick"};
  if (!given.reason.empty() && given.write_baseline.empty())
    return Error{"--reason", "it is for the entries that --write-baseline writes",
                 "add --write-baseline FILE"};
  Baselines out;
  if (std::error_code ignored;
      !given.baseline.empty() && !std::filesystem::exists(given.baseline, ignored))
    return Error{"--baseline", "there is no file " + printable(given.baseline, 200),
                 "check the path, or write the file with --write-baseline"};
  if (!given.baseline.empty()) {
    Result<run::Baseline> loaded = run::Baseline::load(given.baseline, today());
    if (!loaded) return loaded.error();
    if (const std::string warning = loaded->warning(); !warning.empty())
      std::fprintf(stderr, "rpcspec: WARNING: %s\n", warning.c_str());
    out.known = out.previous = std::move(*loaded);
    if (!written_file(given).empty()) out.known.will_be_pruned();
  } else if (std::error_code ignored; std::filesystem::exists(given.write_baseline, ignored)) {
    Result<run::Baseline> loaded = run::Baseline::load(given.write_baseline, today());
    if (loaded) out.previous = std::move(*loaded);
  }
  if (const Status writable = reports::can_be_written(written_file(given)); !writable)
    return writable.error();
  return out;
}

Status write_baseline(const RunSettings& given, const std::vector<run::JudgedRun>& runs,
                      bool level_should, const run::Baseline& previous) {
  const bool prunes = given.write_baseline.empty();
  const run::BaselineDraft draft =
      prunes ? run::prune_baseline(runs, previous)
             : run::draft_baseline(runs, level_should, previous, given.reason);
  const std::string& file = written_file(given);
  if (prunes && draft.dropped == 0) {
    std::fprintf(stderr, "rpcspec: %s contains nothing that no longer fails\n",
                 printable(file).c_str());
    return Nothing{};
  }
  const Status written = reports::write_file(file, draft.text);
  if (!written) return written;
  std::fprintf(stderr, "rpcspec: wrote %s: %zu known failures in %zu cases",
               printable(file).c_str(), draft.entries, draft.cases);
  if (draft.dropped > 0) std::fprintf(stderr, "; dropped %zu that no longer fail", draft.dropped);
  if (draft.without_reason > 0)
    std::fprintf(stderr,
                 "; %zu have no reason: write in the file why each is accepted, or give --reason "
                 "TEXT",
                 draft.without_reason);
  std::fputc('\n', stderr);
  return written;
}

// The url may be that of an event stream, as servers of 2024-11-05 have them.
boost::asio::awaitable<bool> try_sse(boost::asio::io_context& io, target::Target& target,
                                     std::string& replay) {
  target::Target older = target;
  older.sse = true;
  auto made = transport::make(io.get_executor(), older);
  if (!made) co_return false;
  const Status opened = co_await (*made)->open();
  if (!opened) co_return false;
  target.sse = true;
  replay = "--transport sse " + replay;
  std::fprintf(stderr,
               "rpcspec: %s accepts no POST but opens an event stream with an endpoint: using "
               "HTTP+SSE (--transport sse)\n",
               printable(target.url).c_str());
  co_return true;
}

std::vector<std::string> selectable(const Library& library) {
  std::vector<std::string> names;
  for (const suite::Case& scenario : library.suite.cases) names.push_back(scenario.id);
  for (const spec::Requirement& requirement : library.registry.all())
    names.push_back(requirement.id);
  return names;
}

// What is named on the command line and in the description is there.
Status check_names(const run::RunnerOptions& options, const target::Target& target,
                   const Library& library) {
  for (const std::string& pattern : suite::unmatched(library.suite.cases, options.selection))
    if (!pattern.starts_with("oracle/"))
      return Error{
          std::count(options.selection.select.begin(), options.selection.select.end(), pattern) > 0
              ? "--select"
              : "--exclude",
          "`" + printable(pattern) + "` matches no case",
          did_you_mean(pattern, selectable(library), "`rpcspec list cases` names them")};
  return check_affordances(target, library);
}

// Frozen sets and expected failures; a set of the official suite names the profile, too.
Status take_what_was_agreed(const RunSettings& given, const Library& library,
                            run::RunnerOptions& options, Baselines& baselines) {
  std::string set = split_profile(given.profile).set;
  if (!set.empty() && !given.requirements.empty())
    return Error{"--requirements", "the profile also names a set: " + printable(set, 60),
                 "leave one of them out"};
  const char* option = set.empty() ? "--requirements" : "--profile";
  if (set.empty()) set = given.requirements;
  if (!set.empty()) {
    const Result<std::string> profile = freeze(set, option, given.suite, library, baselines.known);
    if (!profile) return profile.error();
    if (!profile->empty() && options.profile != "auto" && options.profile != *profile)
      return Error{option, set + " is a set for " + *profile + ", not for " + options.profile,
                   "leave --profile out"};
    if (!profile->empty()) options.profile = *profile;
  }
  const bool writes = !given.write_expected_failures.empty();
  if (given.expected_failures.empty() && !writes) return Nothing{};
  const Result<spec::Official> official = load_official(given.suite, library.registry);
  if (!official) return official.error();
  if (writes)
    if (const Status fit = reports::can_be_written(given.write_expected_failures); !fit) return fit;
  if (given.expected_failures.empty()) return Nothing{};
  return expect_failures(given.expected_failures, *official, baselines.known);
}

Status write_expected_failures(const RunSettings& given, const Library& library,
                               const std::string& profile, bool level_should,
                               const std::vector<run::CaseResult>& results) {
  const Result<spec::Official> official = load_official(given.suite, library.registry);
  if (!official) return official.error();
  const ExpectedFailures draft =
      expected_failures(results, level_should, *official, frozen_scenarios(profile, given.suite));
  const Status written = reports::write_file(given.write_expected_failures, draft.text);
  if (!written) return written;
  std::fprintf(stderr, "rpcspec: wrote %s: %zu expected failures",
               printable(given.write_expected_failures).c_str(), draft.entries);
  if (draft.without_check > 0)
    std::fprintf(stderr, "; %zu more broken clauses have no check in the official suite",
                 draft.without_check);
  std::fputc('\n', stderr);
  return written;
}

// Runs it until it is over, or until somebody interrupts it.
template <class Run>
void play_out(boost::asio::io_context& io, Run& run) {
  std::exception_ptr failure;
  boost::asio::signal_set signals(io, SIGINT, SIGTERM, SIGHUP);
  signals.async_wait([&](const boost::system::error_code& error, int) {
    if (error) return;
    run.interrupt();
    io.stop();
  });
  boost::asio::co_spawn(io, run.run(), [&](std::exception_ptr thrown) {
    failure = thrown;
    io.stop();  // what still runs, targets among it, ends with the runner
  });
  io.run();
  if (failure) std::rethrow_exception(failure);
}

int exit_code(run::Ended ended, const std::vector<run::CaseResult>& results) {
  switch (ended) {
    case run::Ended::kGatePassed:
      return std::any_of(results.begin(), results.end(),
                         [](const run::CaseResult& result) {
                           return result.verdict == run::Verdict::kError;
                         })
                 ? kInternal
                 : kOk;
    case run::Ended::kGateFailed: {
      for (const run::CaseResult& result : results)
        if (result.verdict == run::Verdict::kFail && !result.baselined) return kViolations;
      for (const run::CaseResult& result : results)
        if (result.verdict == run::Verdict::kError) return kInternal;
      return kViolations;
    }
    case run::Ended::kMistaken: return kInternal;
    case run::Ended::kUnreachable: return kUnreachable;
    case run::Ended::kInterrupted: return kInterrupted;
  }
  return kInternal;
}

}  // namespace

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[16];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%d", &parts));
}

// Keeps what each run told, for the baseline that is written of it.
class RunPlan::Judged final : public run::Reporter {
 public:
  void run_started(const run::RunStarted&) override { runs_.emplace_back(); }
  void case_finished(const run::CaseResult& result) override {
    last().results.push_back(result);
    last().results.back().transcript.reset();
  }
  void run_finished(const run::RunFinished& finished) override { last().causes = finished.causes; }
  const std::vector<run::JudgedRun>& runs() const { return runs_; }

 private:
  run::JudgedRun& last() { return runs_.empty() ? runs_.emplace_back() : runs_.back(); }

  std::vector<run::JudgedRun> runs_;
};

Result<RunPlan> RunPlan::make(const RunSettings& settings, target::Target target,
                              const std::string& program, std::shared_ptr<const Library> library) {
  const auto placed = [&](Error error) {
    if (const auto place = settings.places.find(error.where); place != settings.places.end())
      error.where = place->second;
    return error;
  };
  if (target.tls.insecure)
    std::fprintf(stderr,
                 "rpcspec: WARNING: the certificate of %s is NOT verified (tls: insecure)\n",
                 printable(target.url).c_str());
  for (const std::string& warning : target.warnings)
    std::fprintf(stderr, "rpcspec: WARNING: %s\n", warning.c_str());
  Result<run::RunnerOptions> options = runner_options(settings, program, target);
  if (!options) return placed(options.error());
  if (!library) {
    Result<Library> loaded = load_library(settings.suite, settings.cases);
    if (!loaded) return loaded.error();
    library = std::make_shared<const Library>(std::move(*loaded));
  }
  if (const Status named = name_cases(options->selection, *library, settings.suite); !named)
    return placed(named.error());
  if (const Status known = check_names(*options, target, *library); !known)
    return placed(known.error());
  Result<Baselines> baselines = read_baselines(settings);
  if (!baselines) return placed(baselines.error());
  if (const Status agreed = take_what_was_agreed(settings, *library, *options, *baselines); !agreed)
    return placed(agreed.error());
  RunPlan plan;
  if (!settings.surface.empty()) {
    Result<json::Value> before = surface_in(settings.surface);
    if (!before) return before.error();
    if (options->profile == "all" || options->profile.find(',') != std::string::npos)
      return placed(Error{"--surface", "a surface is of one profile", "name one profile"});
    plan.surface_ = std::move(*before);
  }
  plan.settings_ = settings;
  plan.target_ = std::make_unique<target::Target>(std::move(target));
  plan.loaded_ = std::move(library);
  plan.options_ = std::move(*options);
  plan.known_ = std::move(baselines->known);
  plan.previous_ = std::move(baselines->previous);
  return plan;
}

bool RunPlan::several() const {
  return options_.profile == "all" || options_.profile.find(',') != std::string::npos;
}

run::RunnerOptions RunPlan::start(boost::asio::io_context& io, run::Served& served) {
  std::signal(SIGPIPE, SIG_IGN);
  run::RunnerOptions options = options_;
  const Status started = served.start(io, *target_);
  if (!started) options.unstarted = started.error();
  options.service = served.service(io.get_executor());
  if (!settings_.named_transport && target_->transport() == wire::TransportKind::kHttp)
    options.otherwise = [&io, this](std::string& replay) { return try_sse(io, *target_, replay); };
  options.reframe = [this](target::Framing framing) { target_->framing = framing; };
  return options;
}

int RunPlan::conclude(run::Ended ended, const std::string& message, const Judged& judged,
                      const std::vector<run::CaseResult>& results) const {
  if (ended == run::Ended::kUnreachable) return kUnreachable;
  if (ended == run::Ended::kMistaken) complain("this is a bug in rpcspec: " + message, kInternal);
  if (const std::string& file = written_file(settings_); !file.empty()) {
    if (ended == run::Ended::kInterrupted)
      return complain("the run was interrupted, so " + printable(file) + " was not written",
                      kInterrupted);
    const Status written =
        write_baseline(settings_, judged.runs(), options_.level_should, previous_);
    if (!written) return complain(written.error(), kUsage);
  }
  if (!settings_.write_expected_failures.empty()) {
    const Status written = write_expected_failures(settings_, *loaded_, options_.profile,
                                                   options_.level_should, results);
    if (!written) return complain(written.error(), kUsage);
  }
  return exit_code(ended, results);
}

int RunPlan::look_at_surface(std::vector<run::SurfaceChange>& out) {
  if (surface_.is_null()) return kOk;
  target::Target target = *target_;  // looking replaces {port}
  const Look look = look_at(target, *loaded_, options_.profile, settings_.timeout);
  if (!look.seen) return look.code;
  out = reports::surface_changes(surface_, surface_of(*look.seen));
  return kOk;
}

int RunPlan::play(std::vector<run::Reporter*> listeners, std::string* why) {
  boost::asio::io_context io(1);
  run::Served served;
  std::vector<run::SurfaceChange> surface;
  if (const int code = look_at_surface(surface); code != kOk) return code;
  run::RunnerOptions options = start(io, served);
  options.surface = std::move(surface);
  Judged judged;
  listeners.push_back(&judged);
  run::Runner runner(io.get_executor(), *target_, loaded_->suite, loaded_->registry,
                     std::move(options), known_, listeners);
  play_out(io, runner);
  const run::Outcome& outcome = runner.outcome();
  if (outcome.ended == run::Ended::kUnreachable) {
    if (why != nullptr) *why = outcome.message;
    if (!settings_.told) return complain(outcome.message, kUnreachable);
  }
  return conclude(outcome.ended, outcome.message, judged, outcome.results);
}

int RunPlan::play_series(std::vector<run::Reporter*> listeners, const Close& close) {
  boost::asio::io_context io(1);
  run::Served served;
  run::RunnerOptions options = start(io, served);
  std::vector<std::string> profiles;
  if (options.profile != "all") profiles = *profiles_in(options.profile, "");
  Judged judged;
  listeners.push_back(&judged);
  run::Series series(io.get_executor(), *target_, loaded_->suite, loaded_->registry,
                     std::move(options), std::move(profiles), known_, listeners);
  play_out(io, series);
  const run::SeriesOutcome& outcome = series.outcome();
  const bool unreachable = outcome.ended == run::Ended::kUnreachable;
  close(outcome.stale, unreachable             ? "failed: " + outcome.message
                       : outcome.stale.empty() ? ""
                                               : "failed: the baseline has stale entries");
  if (unreachable && !settings_.told) return complain(outcome.message, kUnreachable);
  return conclude(outcome.ended, outcome.message, judged, outcome.results);
}

}  // namespace harness::cli
