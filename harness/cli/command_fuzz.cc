// SPDX-License-Identifier: Apache-2.0
// rpcspec fuzz: a campaign against a target.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "fuzz/engine/campaign.h"
#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/cli/builtin.h"
#include "harness/cli/campaign_output.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/option_values.h"
#include "reports/registry.h"

namespace harness::cli {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

// Room for one short message; beyond the most, a corpus of such scripts would fill the memory.
constexpr std::size_t kLeastMaxLen = 32, kMostMaxLen = 1 << 20;

struct FuzzOptions {
  TargetOptions target;
  std::string profile = "auto", suite, corpus, mutators, findings = "findings";
  std::uint64_t execs = 0, seed = 0;  // 0: left out
  milliseconds time{};                // likewise
  std::size_t max_len = fuzz::EngineOptions().longest;
  int jobs = 1;
  milliseconds timeout{1000};
  std::vector<std::string> reports;
  bool stop_at_first = false;
};

std::atomic<int> wishes{0};  // to end: signals

// Makes the folder where there is none; a file can be put into it.
Status make_writable(const std::string& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    return Error{folder, "the folder cannot be made: " + failed.message(), "name another one"};
  std::string file = (fs::path(folder) / ".rpcspec-XXXXXX").string();
  const int opened = mkostemp(file.data(), O_CLOEXEC);
  if (opened < 0)
    return Error{folder, std::string("nothing can be written there: ") + std::strerror(errno),
                 "name another folder"};
  close(opened);
  unlink(file.c_str());
  return Nothing{};
}

// What of the command line has to be right before anything is made or started.
Status check_bounds(const FuzzOptions& given) {
  if (given.jobs < 1 || given.jobs > static_cast<int>(fuzz::Board::kMostWorkers))
    return Error{"--jobs", "it is a number from 1 to 64", ""};
  if (given.max_len < kLeastMaxLen || given.max_len > kMostMaxLen)
    return Error{"--max-len",
                 fmt::format("it is a number of bytes from {} to {}", kLeastMaxLen, kMostMaxLen),
                 ""};
  return Nothing{};
}

Result<fuzz::CampaignOptions> campaign_options(const FuzzOptions& given,
                                               const Invocation& invocation,
                                               const target::Target& target) {
  fuzz::CampaignOptions options;
  options.worker.profile = given.profile;
  if (given.profile == "auto" && !target.profile.empty()) options.worker.profile = target.profile;
  if (options.worker.profile != "auto" && !spec::find_profile(options.worker.profile))
    return Error{"--profile", "there is no profile `" + printable(given.profile) + "`",
                 "`rpcspec list profiles` names them"};
  if (const Status fit = check_bounds(given); !fit) return fit.error();
  if (!given.mutators.empty()) {
    options.worker.level = fuzz::level_named(given.mutators);
    if (!options.worker.level)
      return Error{"--mutators", "there is no level `" + printable(given.mutators, 60) + "`",
                   "they are sequence, envelope, arguments, json-text, framing, reverse and raw"};
  }
  options.stop_at_first = given.stop_at_first;
  options.jobs = given.jobs;
  options.execs = given.execs;
  options.seconds =
      static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::seconds>(given.time).count());
  options.seed = given.seed != 0 ? given.seed : random_number();
  options.worker.program = {invocation.program,
                            again(given.timeout, FuzzOptions().timeout, given.suite)};
  options.worker.findings = given.findings;
  options.worker.timeout = given.timeout;
  options.worker.engine.program = invocation.program;
  options.worker.engine.longest = given.max_len;
  if (!given.corpus.empty()) options.worker.engine.folders.push_back(given.corpus);
  return options;
}

// From now on signals are wishes to end.
void hear_wishes() {
  std::signal(SIGPIPE, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const auto before = std::signal(signal, [](int) { ++wishes; });
    if (signal == SIGHUP && before == SIG_IGN)
      std::signal(signal, SIG_IGN);  // as nohup(1) wants it
  }
}

int fuzz_command(const FuzzOptions& given, const Invocation& invocation) {
  // What the user asked for, checked before anything is started.
  Result<target::Target> target = given.target.resolve(invocation);
  if (!target) return complain(target.error(), kUsage);
  for (const std::string& warning : target->warnings)
    std::fprintf(stderr, "rpcspec: WARNING: %s\n", warning.c_str());
  const Result<fuzz::CampaignOptions> options = campaign_options(given, invocation, *target);
  if (!options) return complain(options.error(), kUsage);
  for (const std::string& folder : {given.corpus, given.findings}) {
    if (folder.empty()) continue;
    const Status fit = make_writable(folder);
    if (!fit) return complain(fit.error(), kUsage);
  }
  Result<Library> library = load_library(given.suite, {});
  if (!library) return complain(library.error(), kUsage);
  reports::ReportOptions about;
  about.requirement = [&library](const std::string& id) { return library->registry.find(id); };
  const auto campaign = std::make_shared<reports::Campaign>();
  about.campaign = campaign;
  auto reporters = reports::make_all(given.reports, about);
  if (!reporters) return complain(reporters.error(), kUsage);

  // The campaign.
  hear_wishes();
  CampaignOutput output({target->secrets.masked(printable(target->name)), target->transport_name(),
                         given.findings, options->seed, options->jobs, !given.corpus.empty(),
                         given.stop_at_first, isatty(STDERR_FILENO) == 1});
  Result<fuzz::CampaignEnd> ended = fuzz::run_campaign(
      *options, *target, library->suite, library->registry, [] { return wishes.load(); },
      [&output](const fuzz::Standing& now) { output.tell(now); });
  output.clear_line();
  if (!ended) return complain(target->secrets.masked(ended.error().text()), kInternal);
  const fuzz::Standing& last = ended->standing;
  if (ended->code != 0 && last.execs == 0) return complain(ended->message, ended->code);

  // What came of it.
  output.conclude(*ended);
  *campaign = output.campaign(last);
  run::RunStarted begun;
  begun.version = RPCSPEC_VERSION;
  begun.target = target->secrets.masked(target->name);
  begun.transport = target->transport_name();
  begun.seed = options->seed;
  report_campaign(*reporters, std::move(begun), *ended, given.findings, output.news(),
                  library->registry);
  const bool red = last.findings + last.unconfirmed > 0;
  if (ended->code != 0)
    return complain(ended->message, ended->code == kUnreachable && red ? kViolations : ended->code);
  if (ended->interrupted) return kInterrupted;
  return red ? kViolations : kOk;
}

}  // namespace

std::function<int()> add_fuzz(CLI::App& app, const Invocation& invocation) {
  auto options = std::make_shared<FuzzOptions>();
  CLI::App* command = app.add_subcommand(
      "fuzz", "Play scripts nobody thought of, for as long as you like; keep what is wrong");
  options->target.add_to(*command);
  const Durations campaigns{std::chrono::seconds(1), std::chrono::hours(24 * 1000)};
  add_bounded(*command, "--for", options->time, campaigns,
              "How long: 90s, 10m, 2h; until it is interrupted when left out")
      ->type_name("TIME");
  add_bounded(
      *command, "--execs", options->execs, Counts{1, kMostExecs},
      "How many scripts, all workers together; those of the corpus and the first ones count")
      ->type_name("N");
  add_bounded(*command, "--seed", options->seed, Counts{1}, "The same seed makes the same scripts")
      ->type_name("N");
  command->add_option("--jobs", options->jobs, "Workers side by side, each with a target")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--max-len", options->max_len,
                   "No script is longer, but in the search for limits of size (over stdio, unless "
                   "this is less\n"
                   "than is usual); short ones tell an engine with coverage more, sooner")
      ->type_name("BYTES")
      ->capture_default_str();
  named(command->add_option("--corpus", options->corpus,
                            "Scripts that showed something new: read, and added to"))
      ->type_name("DIR");
  named(command->add_option("--findings", options->findings,
                            "Where findings go; those there are known"))
      ->type_name("DIR")
      ->capture_default_str();
  auto* stop = command->add_flag("--stop-at-first", options->stop_at_first,
                                 "End with the first finding, once it is made small");
  command->add_flag("--keep-going")
      ->description("Go on after a finding; so it is when nothing is said")
      ->excludes(stop);
  repeatable(command
                 ->add_option("--report", options->reports,
                              "Write a report of what was found, at the end; `rpcspec list "
                              "reporters` names the formats")
                 ->type_name("FORMAT=FILE"));
  command->add_option("--profile", options->profile, "Judge as this; auto negotiates")
      ->type_name("NAME")
      ->capture_default_str();
  add_timeout(*command, options->timeout);
  command
      ->add_option(
          "--mutators", options->mutators,
          "Only changes of this level, to compare: sequence, envelope, arguments, json-text, "
          "framing, reverse, or raw (of bytes, with a dictionary)")
      ->type_name("NAME");
  command
      ->add_option("--suite", options->suite, "A cases/ tree to use in place of the built-in suite")
      ->type_name("DIR");
  return [options, &invocation] { return fuzz_command(*options, invocation); };
}

}  // namespace harness::cli
