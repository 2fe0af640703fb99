// SPDX-License-Identifier: Apache-2.0
// rpcspec run: plays the cases against a target and gates on what it finds.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "harness/base/text.h"
#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/names.h"
#include "harness/cli/option_values.h"
#include "harness/cli/report_settings.h"
#include "harness/cli/transcripts.h"
#include "harness/run/runner.h"
#include "harness/run/series.h"
#include "harness/run/served.h"
#include "reports/output.h"
#include "reports/registry.h"
#include "reports/series.h"

namespace harness::cli {
namespace {

struct RunOptions {
  TargetOptions target;
  std::string profile = "auto";
  std::vector<std::string> select, exclude, cases, reports;
  std::string suite, level = "must", baseline, write_baseline, reason, shard, transcripts;
  int jobs = 0;
  std::chrono::milliseconds timeout{10000};
  std::chrono::milliseconds max_time{30000};
  bool strict = false, verbose = false, quiet = false;
};

Result<run::RunnerOptions> runner_options(const RunOptions& given, const Invocation& invocation,
                                          const target::Target& target) {
  run::RunnerOptions options;
  const bool described = given.profile == "auto" && !target.profile.empty();
  Result<std::vector<std::string>> profiles =
      profiles_in(described ? target.profile : given.profile, described ? target.file : "--profile");
  if (!profiles) return profiles.error();
  options.profile = fmt::format("{}", fmt::join(*profiles, ","));
  if (given.level != "must" && given.level != "should")
    return Error{"--level", "`" + given.level + "` is not a level", "write must or should"};
  options.level_should = given.level == "should";
  options.strict = given.strict;
  options.jobs = given.jobs > 0
                     ? given.jobs
                     : static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 2u, 8u));
  options.timeout = given.timeout;
  options.max_time = given.max_time;
  options.selection.select = given.select;
  options.ask_revisions = options.profile == "auto" && given.select.empty();
  options.selection.exclude = given.exclude;
  if (!given.shard.empty()) {
    Result<suite::Shard> shard = suite::read_shard(given.shard);
    if (!shard) return shard.error();
    options.selection.shard = *shard;
  }
  options.replay_prefix = shell_quoted(invocation.program) + " run";
  for (const std::string& folder : given.cases)
    options.replay_prefix += " --cases " + shell_quoted(folder);
  if (!given.suite.empty()) options.replay_prefix += " --suite " + shell_quoted(given.suite);
  if (given.timeout != RunOptions().timeout)
    options.replay_prefix += " --timeout " + duration_words(given.timeout);
  if (options.level_should) options.replay_prefix += " --level should";
  options.replay_target = target.spec;
  return options;
}

// "2026-11-25"
std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[16];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%d", &parts));
}

struct Baselines {
  run::Baseline known;
  run::Baseline previous;  // whose reasons and dates a file that is written keeps
};

Result<Baselines> read_baselines(const RunOptions& given) {
  const bool filtered = !given.select.empty() || !given.exclude.empty() || !given.shard.empty();
  if (!given.write_baseline.empty() && filtered)
    return Error{"--write-baseline", "a filtered run does not see every failure",
                 "leave --select, --exclude and --shard away"};
  if (!given.reason.empty() && given.write_baseline.empty())
    return Error{"--reason", "it is for the entries that --write-baseline writes",
                 "add --write-baseline FILE"};
  Baselines out;
  if (!given.baseline.empty()) {
    Result<run::Baseline> loaded = run::Baseline::load(given.baseline, today());
    if (!loaded) return loaded.error();
    if (const std::string warning = loaded->warning(); !warning.empty())
      std::fprintf(stderr, "rpcspec: WARNING: %s\n", warning.c_str());
    out.known = out.previous = std::move(*loaded);
  } else if (std::error_code ignored; std::filesystem::exists(given.write_baseline, ignored)) {
    Result<run::Baseline> loaded = run::Baseline::load(given.write_baseline, today());
    if (loaded) out.previous = std::move(*loaded);
  }
  if (const Status writable = reports::can_be_written(given.write_baseline); !writable)
    return writable.error();
  return out;
}

Status write_baseline(const RunOptions& given, const std::vector<run::CaseResult>& results,
                      bool level_should, const run::Baseline& previous) {
  const run::BaselineDraft draft =
      run::draft_baseline(results, level_should, previous, given.reason);
  const Status written = reports::write_file(given.write_baseline, draft.text);
  if (!written) return written;
  std::fprintf(stderr, "rpcspec: wrote %s: %zu known failures in %zu cases",
               printable(given.write_baseline).c_str(), draft.entries, draft.cases);
  if (draft.without_reason > 0)
    std::fprintf(stderr,
                 "; %zu have no reason: say in the file why each is accepted, or give "
                 "--reason TEXT",
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
               "rpcspec: %s takes no POST and opens an event stream with an endpoint: it is spoken "
               "to over HTTP+SSE (--transport sse)\n",
               printable(target.url).c_str());
  co_return true;
}

// A SEP (`sep-2575`) or a check of the official suite stands for the clauses about the same duty.
Status name_clauses(std::vector<std::string>& patterns, const Library& library,
                    const std::string& folder) {
  const auto unmatched = [&](const std::string& pattern) {
    return !suite::unmatched(library.suite.cases, {{pattern}, {}, {}}).empty();
  };
  std::vector<std::string> named;
  std::optional<spec::Official> official;
  for (const std::string& pattern : patterns) {
    std::vector<std::string> clauses;
    if (unmatched(pattern)) {
      if (!official) {
        Result<spec::Official> read = load_official(folder, library.registry);
        if (!read) return read.error();
        official = std::move(*read);
      }
      clauses = official->clauses_of(pattern);
      std::erase_if(clauses, unmatched);
    }
    if (clauses.empty()) clauses.push_back(pattern);
    named.insert(named.end(), clauses.begin(), clauses.end());
  }
  patterns = std::move(named);
  return Nothing{};
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
      return Error{"--select", "`" + printable(pattern) + "` matches no case",
                   did_you_mean(pattern, selectable(library), "`rpcspec list cases` names them")};
  return check_affordances(target, library);
}

// What the command line asks for, when it makes sense: all that a run needs before it begins.
struct Prepared {
  target::Target target;
  run::RunnerOptions options;
  Library library;
  Baselines baselines;
  reports::ReportOptions report;
  std::vector<std::string> reports;  // FORMAT=FILE
  boost::asio::io_context io{1};
  run::Served served;  // by the io_context

  // Starts what is reached by an address. An exit code.
  int start() {
    const Status started = served.start(io, target);
    if (!started) return complain(target.secrets.masked(started.error().text()), kUnreachable);
    options.service = served.service(io);
    return kOk;
  }
};

Result<std::unique_ptr<Prepared>> prepare(const RunOptions& given, const Invocation& invocation) {
  Result<target::Target> target = given.target.resolve(invocation);
  if (!target) return target.error();
  if (target->tls.insecure)
    std::fprintf(stderr,
                 "rpcspec: WARNING: the certificate of %s is NOT verified (tls: insecure)\n",
                 printable(target->url).c_str());
  for (const std::string& warning : target->warnings)
    std::fprintf(stderr, "rpcspec: WARNING: %s\n", warning.c_str());
  Result<run::RunnerOptions> options = runner_options(given, invocation, *target);
  if (!options) return options.error();
  Result<Library> library = load_library(given.suite, given.cases);
  if (!library) return library.error();
  for (std::vector<std::string>* patterns :
       {&options->selection.select, &options->selection.exclude})
    if (const Status named = name_clauses(*patterns, *library, given.suite); !named)
      return named.error();
  if (const Status known = check_names(*options, *target, *library); !known) return known.error();
  Result<Baselines> baselines = read_baselines(given);
  if (!baselines) return baselines.error();
  // The console is one of them.
  std::vector<std::string> wanted = given.reports;
  const bool console_elsewhere = std::any_of(wanted.begin(), wanted.end(), [](const auto& word) {
    return word == "console" || word.starts_with("console=") ||
           word.find('=') == std::string::npos || word.ends_with("=-");
  });
  if (!console_elsewhere) wanted.push_back("console");
  auto out = std::make_unique<Prepared>();
  out->target = std::move(*target);
  out->options = std::move(*options);
  out->library = std::move(*library);
  out->baselines = std::move(*baselines);
  out->report = report_settings(given.suite, out->library.registry);
  out->report.quiet = given.quiet;
  out->report.verbose = given.verbose;
  out->reports = std::move(wanted);
  return out;
}

// Runs it until it is over, or until somebody interrupts it.
template <class Run>
void play(boost::asio::io_context& io, Run& run) {
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

int exit_code(run::Ended ended, const std::vector<run::CaseResult>& results,
              const std::string& message) {
  switch (ended) {
    case run::Ended::kGatePassed:
      return kOk;
    case run::Ended::kGateFailed: {
      for (const run::CaseResult& result : results)
        if (result.verdict == run::Verdict::kFail && !result.baselined) return kViolations;
      for (const run::CaseResult& result : results)
        if (result.verdict == run::Verdict::kError) return kInternal;
      return kViolations;
    }
    case run::Ended::kUnreachable:
      return complain(message, kUnreachable);
    case run::Ended::kInterrupted:
      return kInterrupted;
  }
  return kInternal;
}

// One run, under one profile.
int run_once(const RunOptions& given, Prepared& all) {
  auto made = reports::make_all(all.reports, all.report);
  if (!made) return complain(made.error(), kUsage);
  std::vector<std::unique_ptr<run::Reporter>> reporters = std::move(*made);
  if (!given.transcripts.empty()) {
    auto keeper = make_transcript_keeper(given.transcripts);
    if (!keeper) return complain(keeper.error(), kUsage);
    reporters.push_back(std::move(*keeper));
  }
  std::vector<run::Reporter*> listeners;
  for (const auto& reporter : reporters) listeners.push_back(reporter.get());
  if (const int code = all.start(); code != kOk) return code;
  run::Runner runner(all.io.get_executor(), all.target, all.library.suite, all.library.registry,
                     all.options, std::move(all.baselines.known), listeners);
  play(all.io, runner);
  const run::Outcome& outcome = runner.outcome();
  if (!given.write_baseline.empty() && outcome.ended != run::Ended::kUnreachable) {
    const Status written = write_baseline(given, outcome.results, all.options.level_should,
                                          all.baselines.previous);
    if (!written) return complain(written.error(), kUsage);
  }
  return exit_code(outcome.ended, outcome.results, outcome.message);
}

// A run for each profile; conversations are kept in a folder for each.
int run_several(const RunOptions& given, Prepared& all) {
  auto made = reports::SeriesReporter::make(all.reports, all.report);
  if (!made) return complain(made.error(), kUsage);
  reports::SeriesReporter& reporter = **made;
  std::vector<run::Reporter*> listeners{&reporter};
  std::unique_ptr<run::Reporter> transcripts;
  if (!given.transcripts.empty()) {
    auto keeper = make_transcript_keeper(given.transcripts, true);
    if (!keeper) return complain(keeper.error(), kUsage);
    transcripts = std::move(*keeper);
    listeners.push_back(transcripts.get());
  }
  if (const int code = all.start(); code != kOk) return code;
  std::vector<std::string> profiles;
  if (all.options.profile != "all") profiles = *profiles_in(all.options.profile, "");
  run::Series series(all.io.get_executor(), all.target, all.library.suite, all.library.registry,
                     all.options, std::move(profiles), std::move(all.baselines.known),
                     listeners);
  play(all.io, series);
  const run::SeriesOutcome& outcome = series.outcome();
  const bool unreachable = outcome.ended == run::Ended::kUnreachable;
  reporter.close(outcome.stale, unreachable             ? "failed: " + outcome.message
                                : outcome.stale.empty() ? ""
                                                        : "failed: the baseline has stale entries");
  if (!given.write_baseline.empty() && !unreachable) {
    const Status written = write_baseline(given, outcome.results, all.options.level_should,
                                          all.baselines.previous);
    if (!written) return complain(written.error(), kUsage);
  }
  return exit_code(outcome.ended, outcome.results, outcome.message);
}

int run_command(const RunOptions& given, const Invocation& invocation) {
  // What the user asked for, checked before anything is started.
  Result<std::unique_ptr<Prepared>> prepared = prepare(given, invocation);
  if (!prepared) return complain(prepared.error(), kUsage);
  Prepared& all = **prepared;

  std::signal(SIGPIPE, SIG_IGN);
  target::Target& target = all.target;
  if (given.target.transport.empty() && target.transport() == wire::TransportKind::kHttp)
    all.options.otherwise = [&](std::string& replay) { return try_sse(all.io, target, replay); };
  const std::string& profile = all.options.profile;
  const bool several = profile == "all" || profile.find(',') != std::string::npos;
  return several ? run_several(given, all) : run_once(given, all);
}

}  // namespace

std::function<int()> add_run(CLI::App& app, const Invocation& invocation) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command =
      app.add_subcommand("run", "Play the cases against a target and gate on the result");
  options->target.add_to(*command);
  command
      ->add_option("--profile", options->profile,
                   "What to hold it to; auto negotiates, all is each revision that it speaks")
      ->type_name("NAME,...")
      ->capture_default_str();
  repeatable(command
                 ->add_option("--select", options->select,
                              "Only cases (or requirements) like this; * matches anything")
                 ->type_name("PATTERN"));
  repeatable(
      command->add_option("--exclude", options->exclude, "Not these; they are not played at all")
          ->type_name("PATTERN"));
  command
      ->add_option("--level", options->level,
                   "What fails the gate: a broken must, or should as well")
      ->type_name("must|should")
      ->capture_default_str();
  command->add_flag("--strict", options->strict, "What could not be exercised fails the gate");
  command->add_option("--baseline", options->baseline, "Known failures of this target")
      ->type_name("FILE");
  command
      ->add_option("--write-baseline", options->write_baseline,
                   "Write what fails now as known failures")
      ->type_name("FILE");
  command
      ->add_option("--reason", options->reason,
                   "Why, for the entries it writes that have no reason yet")
      ->type_name("TEXT");
  command
      ->add_option("--jobs", options->jobs,
                   "Cases at a time, beside those that wait; with 1 nothing else is in progress")
      ->type_name("N")
      ->check(CLI::Range(1, 64));
  command->add_option("--shard", options->shard, "The I-th of N parts of the suite")
      ->type_name("I/N");
  add_timeout(*command, options->timeout);
  constexpr Durations kLoss{std::chrono::milliseconds(0), std::chrono::hours(24)};
  add_bounded(
      *command, "--max-time", options->max_time, kLoss,
      "What may be lost altogether to answers that do not come and to restarts; 0: any time")
      ->type_name("TIME")
      ->default_str(duration_words(options->max_time));
  repeatable(command
                 ->add_option("--report", options->reports,
                              "Write a report; `rpcspec list reporters` names the formats")
                 ->type_name("FORMAT=FILE"));
  command->add_option("--transcripts", options->transcripts, "Keep each conversation as JSON Lines")
      ->type_name("DIR");
  repeatable(
      command->add_option("--cases", options->cases, "Your own cases, beside the built-in ones")
          ->type_name("DIR"));
  command
      ->add_option("--suite", options->suite, "A cases/ tree to use in place of the built-in suite")
      ->type_name("DIR");
  command->add_flag("--verbose", options->verbose, "List what passed and the remarks, too");
  command->add_flag("--quiet", options->quiet, "Only what failed, and the gate");
  return [options, &invocation] { return run_command(*options, invocation); };
}

}  // namespace harness::cli
