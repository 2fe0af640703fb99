// SPDX-License-Identifier: Apache-2.0
// rpcspec fuzz: a campaign against a target, and how it stands while it runs.
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
#include <random>
#include <set>
#include <utility>

#include "fuzz/engine/campaign.h"
#include "fuzz/minimizer/finding_folder.h"
#include "harness/base/text.h"
#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/option_values.h"
#include "reports/layout.h"
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

constexpr std::size_t kMostReason = 400;  // bytes

std::atomic<int> wishes{0};  // to end: signals

std::string duration_text(milliseconds time) {
  const auto seconds = time.count() / 1000;
  if (seconds < 120) return fmt::format("{} s", seconds);
  if (seconds < 7200) return fmt::format("{}:{:02} min", seconds / 60, seconds % 60);
  return fmt::format("{}:{:02} h", seconds / 3600, seconds / 60 % 60);
}

std::uint64_t rate(std::uint64_t count, milliseconds time) {
  return time.count() <= 0 ? 0 : count * 1000 / static_cast<std::uint64_t>(time.count());
}

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

// How things stand, in one line. Rates are those since `before`.
std::string standing_line(const fuzz::Standing& now, const fuzz::Standing& before) {
  const milliseconds since = now.elapsed - before.elapsed;
  std::string out = fmt::format("{}: {} scripts/s, {} frames/s, {} finding{}, {} behaviours",
                                duration_text(now.elapsed), rate(now.execs - before.execs, since),
                                rate(now.frames - before.frames, since), now.findings,
                                now.findings == 1 ? "" : "s", now.behaviours);
  if (now.places > 0) out += fmt::format(", {} edges", now.places);
  out += fmt::format(", corpus {}, {}, last new {} ago", now.corpus,
                     reports::counted(now.sessions, "session", "sessions"),
                     duration_text(now.elapsed - std::min(now.elapsed, now.last_new)));
  if (now.confirming > 0) out += ", looking at a suspect";
  return out;
}

// Says each finding once, as it comes.
class Announcer {
 public:
  explicit Announcer(std::string folder) : folder_(std::move(folder)) {
    for (const fuzz::Found& found : fuzz::findings_in(folder_)) told_.insert(found.name);
    known_ = told_.size();
  }

  std::size_t known() const { return known_; }  // that were there before
  // Folders of those that were told and are still there: a shorter script may have taken one's
  // place.
  std::vector<std::string> news() const {
    std::vector<std::string> out;
    for (const fuzz::Found& found : fuzz::findings_in(folder_))
      if (ours_.contains(found.name)) out.push_back(found.name);
    return out;
  }

  // How many of those that were told have a case, behind what each of them has.
  std::string of_cases() const {
    const auto found = fuzz::findings_in(folder_);
    const auto count = std::count_if(found.begin(), found.end(), [&](const fuzz::Found& one) {
      return one.has_case && ours_.contains(one.name);
    });
    const auto ours = std::count_if(found.begin(), found.end(), [&](const fuzz::Found& one) {
      return ours_.contains(one.name);
    });
    if (count == ours) return ", and a case";
    if (count == 0) return ", no case";
    return fmt::format("; {} of them {} a case", count, count == 1 ? "has" : "have");
  }

  void tell() {
    for (const fuzz::Found& found : fuzz::findings_in(folder_)) {
      if (!told_.insert(found.name).second) continue;
      ours_.insert(found.name);
      fmt::print("found {}: expected {}; seen {}\n", printable(found.name),
                 printable(found.expected, kSaid), printable(found.seen, kSaid));
    }
    std::fflush(stdout);
  }

 private:
  static constexpr std::size_t kSaid = 160;  // bytes

  std::string folder_;
  std::set<std::string> told_, ours_;
  std::size_t known_ = 0;
};

// What reports say of a campaign: a case for each finding, and one for what is not a finding.
void report(const std::vector<std::unique_ptr<run::Reporter>>& reporters, run::RunStarted begun,
            const fuzz::CampaignEnd& ended, const std::string& folder,
            const std::vector<std::string>& news) {
  const fuzz::Standing& last = ended.standing;
  run::CaseResult whole;
  whole.id = "campaign";
  whole.title = fmt::format("{} scripts, {} frames", last.execs, last.frames);
  whole.duration_ms = last.elapsed.count();
  if (ended.code != 0) {
    whole.verdict = run::Verdict::kError;
    whole.reason = printable(ended.message, kMostReason);
  } else if (last.unconfirmed > 0) {
    whole.verdict = run::Verdict::kInconclusive;
    whole.reason =
        reports::counted(last.unconfirmed, "suspect was", "suspects were") + " not confirmed";
    whole.remedy = "`rpcspec replay` of not-confirmed-*.script in " + folder;
  } else {
    whole.title += ", nothing found";
  }
  std::vector<run::CaseResult> results;
  for (const std::string& name : news) results.push_back(fuzz::result_in(folder, name));
  const bool sound = whole.verdict == run::Verdict::kPass;
  if (news.empty() || !sound) results.push_back(whole);
  begun.profile = last.profile;
  begun.cases = results.size();
  run::RunFinished finished;
  finished.duration_ms = last.elapsed.count();
  finished.interrupted = ended.interrupted;
  finished.gate_passed = news.empty() && sound;
  if (!news.empty())
    finished.gate = "failed: " + reports::counted(news.size(), "finding", "findings");
  else
    finished.gate = sound ? "passed" : "failed: " + whole.reason;
  for (const run::CaseResult& result : results)
    ++finished.summary[run::verdict_name(result.verdict)];
  for (const auto& reporter : reporters) {
    reporter->run_started(begun);
    for (const run::CaseResult& result : results) reporter->case_finished(result);
    reporter->run_finished(finished);
  }
}

int fuzz_command(const FuzzOptions& given, const Invocation& invocation) {
  Result<target::Target> target = given.target.resolve(invocation);
  if (!target) return complain(target.error(), kUsage);
  for (const std::string& warning : target->warnings)
    std::fprintf(stderr, "rpcspec: WARNING: %s\n", warning.c_str());
  fuzz::CampaignOptions options;
  options.worker.profile = given.profile;
  if (given.profile == "auto" && !target->profile.empty()) options.worker.profile = target->profile;
  if (options.worker.profile != "auto" && !spec::find_profile(options.worker.profile))
    return complain(Error{"--profile", "there is no profile `" + printable(given.profile) + "`",
                          "`rpcspec list profiles` names them"},
                    kUsage);
  if (given.jobs < 1 || given.jobs > static_cast<int>(fuzz::Board::kMostWorkers))
    return complain(Error{"--jobs", "it is a number from 1 to 64", ""}, kUsage);
  if (given.max_len < kLeastMaxLen || given.max_len > kMostMaxLen)
    return complain(
        Error{"--max-len",
              fmt::format("it is a number of bytes from {} to {}", kLeastMaxLen, kMostMaxLen), ""},
        kUsage);
  if (!given.mutators.empty()) {
    options.worker.level = fuzz::level_named(given.mutators);
    if (!options.worker.level)
      return complain(
          Error{"--mutators", "there is no level `" + printable(given.mutators, 60) + "`",
                "they are sequence, envelope, arguments, json-text, framing, reverse "
                "and raw"},
          kUsage);
  }
  for (const std::string& folder : {given.corpus, given.findings}) {
    if (folder.empty()) continue;
    const Status fit = make_writable(folder);
    if (!fit) return complain(fit.error(), kUsage);
  }
  Result<Library> library = load_library(given.suite, {});
  if (!library) return complain(library.error(), kUsage);
  reports::ReportOptions about;
  about.requirement = [&library](const std::string& id) { return library->registry.find(id); };
  auto reporters = reports::make_all(given.reports, about);
  if (!reporters) return complain(reporters.error(), kUsage);
  options.stop_at_first = given.stop_at_first;
  options.jobs = given.jobs;
  options.execs = given.execs;
  options.seconds =
      static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::seconds>(given.time).count());
  options.seed = given.seed != 0 ? given.seed : std::random_device{}();
  options.worker.program = {invocation.program,
                            again(given.timeout, FuzzOptions().timeout, given.suite)};
  options.worker.findings = given.findings;
  options.worker.timeout = given.timeout;
  options.worker.engine.program = invocation.program;
  options.worker.engine.longest = given.max_len;
  if (!given.corpus.empty()) options.worker.engine.folders.push_back(given.corpus);

  std::signal(SIGPIPE, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const auto before = std::signal(signal, [](int) { ++wishes; });
    if (signal == SIGHUP && before == SIG_IGN)
      std::signal(signal, SIG_IGN);  // as nohup(1) wants it
  }
  const bool terminal = isatty(STDERR_FILENO) == 1;
  fmt::print("fuzzing {}, seed {}, {} worker{}; findings go to {}\n",
             target->secrets.masked(printable(target->name)), options.seed, options.jobs,
             options.jobs == 1 ? "" : "s", given.findings);
  std::fflush(stdout);
  Announcer announcer(given.findings);
  fuzz::Standing before, printed;
  bool told_of_the_end = false;
  const auto tell = [&](const fuzz::Standing& now) {
    if (printed.profile.empty() && !now.profile.empty()) {
      fmt::print("{} over {}\n", now.profile, target->transport_name());
      std::fflush(stdout);
      printed.profile = now.profile;
    }
    const milliseconds pause(terminal ? 1000 : 10000);
    if (now.findings != printed.findings) {
      if (terminal) std::fprintf(stderr, "\r\x1b[K");
      announcer.tell();
    }
    printed.findings = now.findings;
    if (now.ending && now.confirming > 0 && !given.stop_at_first &&
        !std::exchange(told_of_the_end, true))
      std::fprintf(
          stderr,
          "%sending; a suspect is looked at first, for %d s at most (Ctrl-C ends at once)\n",
          terminal ? "\r\x1b[K" : "", static_cast<int>(fuzz::kLastLook.count()));
    if (now.elapsed - before.elapsed < pause || now.running == 0) return;
    const std::string line = standing_line(now, before);
    if (terminal)
      std::fprintf(stderr, "\r\x1b[K%s", line.c_str());
    else
      std::fprintf(stderr, "%s\n", line.c_str());
    before = now;
  };
  Result<fuzz::CampaignEnd> ended = fuzz::run_campaign(
      options, *target, library->suite, library->registry, [] { return wishes.load(); }, tell);
  if (terminal) std::fprintf(stderr, "\r\x1b[K");
  if (!ended) return complain(target->secrets.masked(ended.error().text()), kInternal);
  const fuzz::Standing& last = ended->standing;
  if (ended->code != 0 && last.execs == 0) return complain(ended->message, ended->code);
  announcer.tell();
  fmt::print("{}\n", standing_line(last, {}));
  if (last.withheld > 0)
    fmt::print("{} frames were left out: they would call a tool that may not be called\n",
               last.withheld);
  if (last.flaky > 0)
    fmt::print(
        "{} more {} seen once and not again on a fresh session: not-reproducible-*.script in {}, "
        "for "
        "`rpcspec replay`\n",
        last.flaky, last.flaky == 1 ? "was" : "were", given.findings);
  if (last.execs > 0)
    fmt::print("the same again: --seed {} --execs {}{} (scripts {:016x}){}\n", options.seed,
               last.execs, options.jobs == 1 ? "" : fmt::format(" --jobs {}", options.jobs),
               ended->digest, given.corpus.empty() ? "" : ", with the corpus as it was before");
  if (last.findings > 0)
    fmt::print("{} finding{} in {}; each has a README.md and a script to replay{}\n", last.findings,
               last.findings == 1 ? "" : "s", given.findings, announcer.of_cases());
  else if (announcer.known() > 0)
    fmt::print("no new findings; {} known, in {}\n", announcer.known(), given.findings);
  else
    fmt::print("no findings\n");
  if (last.unconfirmed > 0)
    fmt::print("{} suspect{} not confirmed: not-confirmed-*.script in {}, for `rpcspec replay`\n",
               last.unconfirmed, last.unconfirmed == 1 ? "" : "s", given.findings);
  std::fflush(stdout);
  run::RunStarted begun;
  begun.version = RPCSPEC_VERSION;
  begun.target = target->secrets.masked(target->name);
  begun.transport = target->transport_name();
  begun.seed = options.seed;
  report(*reporters, std::move(begun), *ended, given.findings, announcer.news());
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
                   "No script is longer; short ones tell an engine with coverage more, sooner")
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
