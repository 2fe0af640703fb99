// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/fuzz_plan.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "fuzz/judge/judge.h"
#include "harness/base/file.h"
#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/cli/campaign_output.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/option_values.h"
#include "harness/cli/run_plan.h"
#include "harness/results/baseline.h"
#include "harness/transport/url.h"
#include "reports/layout.h"
#include "reports/read_json.h"
#include "reports/record.h"

namespace harness::cli {
namespace {

namespace fs = std::filesystem;

// Who saw it, and whether there was an answer.
std::string symptom_by(const oracle::Finding& finding) {
  return fmt::format("{} {}", finding.oracle, static_cast<int>(oracle::symptom_of(finding)));
}

// How processes ended there, if what they wrote says why.
void add_ends(const wire::Transcript& transcript, std::vector<std::string>& out) {
  std::string said;
  for (const wire::Frame& frame : transcript.frames) {
    if (frame.channel == wire::Channel::kStderr) said += frame.bytes + '\n';
    if (frame.channel != wire::Channel::kExit) continue;
    std::string signature = fuzz::signature_of_end(frame.bytes, said);
    if (!fuzz::is_coarse(signature)) out.push_back(std::move(signature));
    said.clear();
  }
}

// Room for one short message; beyond the most, a corpus of such scripts would fill the memory.
constexpr std::size_t kLeastMaxLen = 32, kMostMaxLen = 1 << 20;

constexpr std::uint64_t kPartOfSurvey = 3;  // of the time: one of so many
constexpr std::uint64_t kBrief = 30;        // seconds; no survey is worth it in less

std::atomic<int> wishes{0};  // to end: signals

// What of the command line has to be right before anything is made or started.
Status check_bounds(const FuzzSettings& given) {
  if (given.jobs < 1 || given.jobs > static_cast<int>(fuzz::Board::kMostWorkers))
    return Error{"--jobs", "it is a number from 1 to 64", ""};
  if (given.max_len < kLeastMaxLen || given.max_len > kMostMaxLen)
    return Error{"--max-len",
                 fmt::format("it is a number of bytes from {} to {}", kLeastMaxLen, kMostMaxLen),
                 ""};
  return Nothing{};
}

Result<fuzz::CampaignOptions> campaign_options(const FuzzSettings& given,
                                               const std::string& program,
                                               const target::Target& target) {
  fuzz::CampaignOptions options;
  options.worker.profile = given.profile;
  if (given.profile == "auto" && !target.profile.empty()) options.worker.profile = target.profile;
  if (options.worker.profile != "auto" && !spec::find_profile(options.worker.profile))
    return Error{"--profile", "there is no profile `" + printable(given.profile) + "`",
                 "`rpcspec list profiles` names them"};
  if (const Status fit = check_bounds(given); !fit) return fit.error();
  if (const Status fit = check_remote(given.yes_remote, target); !fit) return fit.error();
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
  options.rate = rate_for(given.rate, target);
  options.seed = given.seed != 0 ? given.seed : random_number();
  options.worker.program = {program, again(given.timeout, FuzzSettings().timeout)};
  options.worker.findings = given.findings;
  options.worker.timeout = given.timeout;
  options.worker.engine.program = program;
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

}  // namespace

Status make_writable(const std::string& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    return Error{folder, "the folder cannot be created: " + failed.message(), "name another one"};
  std::string file = (fs::path(folder) / ".rpcspec-XXXXXX").string();
  const int opened = mkostemp(file.data(), O_CLOEXEC);
  if (opened < 0)
    return Error{folder, std::string("it is not writable: ") + std::strerror(errno),
                 "name another folder"};
  close(opened);
  unlink(file.c_str());
  return Nothing{};
}

Status check_remote(bool consented, const target::Target& target) {
  if (consented || transport::is_local(target.url)) return Nothing{};
  return Error{
      "--yes-fuzz-remote",
      "`" + printable(target.url, 200) +
          "` is not an address of this machine, and fuzzing may break the server there",
      fmt::format("if you may do that, give --yes-fuzz-remote, and --rate N to change the limit "
                  "of {} messages a second",
                  kRemoteRate)};
}

std::uint64_t rate_for(std::uint64_t asked, const target::Target& target) {
  return asked == 0 && !transport::is_local(target.url) ? kRemoteRate : asked;
}

Result<FuzzPlan> FuzzPlan::make(const FuzzSettings& settings, target::Target target,
                                const std::string& program,
                                std::shared_ptr<const Library> library) {
  for (const std::string& warning : target.warnings)
    std::fprintf(stderr, "rpcspec: WARNING: %s\n", warning.c_str());
  Result<fuzz::CampaignOptions> options = campaign_options(settings, program, target);
  if (!options) return options.error();
  for (const std::string& folder : {settings.corpus, settings.findings}) {
    if (folder.empty()) continue;
    const Status fit = make_writable(folder);
    if (!fit) return fit.error();
  }
  if (!library) {
    Result<Library> loaded = load_library("", {});
    if (!loaded) return loaded.error();
    library = std::make_shared<const Library>(std::move(*loaded));
  }
  std::optional<reports::Record> told;
  if (settings.baseline.ends_with(".json")) {
    const Result<std::string> text = read_file(settings.baseline);
    if (!text) return text.error();
    Result<reports::Record> record = reports::read_json(*text, settings.baseline);
    if (!record) return record.error();
    told = std::move(*record);
  } else if (!settings.baseline.empty()) {
    Result<run::Baseline> loaded = run::Baseline::load(settings.baseline, today());
    if (!loaded) return loaded.error();
    options->worker.known = [known = std::move(*loaded)](const oracle::Finding& finding) {
      return known.accepts(finding);
    };
  }
  FuzzPlan plan;
  plan.settings_ = settings;
  plan.target_ = std::move(target);
  plan.loaded_ = std::move(library);
  plan.options_ = std::move(*options);
  if (told) plan.leave_out(told->cases);
  return plan;
}

int FuzzPlan::survey(const std::string& program) {
  const bool brief = options_.seconds > 0 && options_.seconds < kBrief;
  const bool fits = options_.execs == 0 && options_.rate == 0 && !brief;
  if (!settings_.survey.value_or(fits)) return kOk;
  if (options_.rate > 0)
    return complain(Error{"--survey", "a survey does not keep to --rate",
                          "give --baseline FILE: a JSON report of `rpcspec run --quick`"},
                    kUsage);
  RunSettings settings;
  settings.profile = options_.worker.profile;
  settings.quick = true;
  settings.told = true;
  if (options_.seconds > 0)
    settings.max_time = std::chrono::milliseconds(options_.seconds * 1000 / kPartOfSurvey);
  target::Target target = target_;
  target.warnings.clear();  // told already
  Result<RunPlan> plan = RunPlan::make(settings, std::move(target), program, loaded_);
  if (!plan) return complain(plan.error(), kUsage);
  fmt::print("survey: playing the cases of `rpcspec run --quick`\n");
  std::fflush(stdout);
  reports::Recorder recorder;
  const auto began = std::chrono::steady_clock::now();
  std::string why;  // nothing could be judged: the campaign says so where that is so for it, too
  const int code = plan->play({&recorder}, &why);
  options_.before = std::chrono::steady_clock::now() - began;
  if (code != kOk && code != kViolations && code != kUnreachable) return code;
  const reports::Record& record = recorder.record();
  leave_out(record.cases);
  fmt::print("survey: {} left out, after {} s{}\n",
             reports::counted(record.finished.causes.size(), "problem is", "problems are"),
             std::chrono::ceil<std::chrono::seconds>(options_.before).count(),
             why.empty() ? "" : "; it was not finished: " + printable(why));
  std::fflush(stdout);
  return kOk;
}

void FuzzPlan::leave_out(const std::vector<run::CaseResult>& told) {
  std::set<std::pair<std::string, std::string>> ways;  // clauses, and how they are broken
  for (const run::CaseResult& result : told)
    for (const oracle::Finding& finding : result.findings) {
      if (oracle::came_as<oracle::Ended>(finding.came) && result.transcript)
        add_ends(*result.transcript, options_.known_signatures);
      if (result.transcript)
        if (const auto limit = fuzz::limit_of(finding, *result.transcript))
          options_.worker.known_limits.push_back(*limit);
      ways.emplace(finding.requirement, oracle::answer_class(finding.came));
      ways.emplace(finding.requirement, symptom_by(finding));
    }
  options_.worker.known = [ways = std::move(ways), before = std::move(options_.worker.known)](
                              const oracle::Finding& finding) {
    // A named flaw is the same one whatever the message says besides: an id that is altered.
    const bool same_flaw = !finding.flaw.empty() && !finding.oracle.empty() &&
                           ways.contains({finding.requirement, symptom_by(finding)});
    return (before && before(finding)) || same_flaw ||
           ways.contains({finding.requirement, oracle::answer_class(finding.came)});
  };
}

int FuzzPlan::play(const std::vector<run::Reporter*>& reporters,
                   reports::Campaign& campaign) const {
  hear_wishes();
  CampaignOutput output({target_.secrets.masked(printable(target_.name)), target_.transport_name(),
                         settings_.findings, options_.seed, options_.jobs,
                         !settings_.corpus.empty(), settings_.stop_at_first,
                         isatty(STDERR_FILENO) == 1});
  Result<fuzz::CampaignEnd> ended = fuzz::run_campaign(
      options_, target_, loaded_->suite, loaded_->registry, [] { return wishes.load(); },
      [&output](const fuzz::Standing& now) { output.tell(now); });
  output.clear_line();
  if (!ended) return complain(target_.secrets.masked(ended.error().text()), kInternal);
  const fuzz::Standing& last = ended->standing;
  if (ended->code != 0 && last.execs == 0) return complain(ended->message, ended->code);

  output.conclude(*ended);
  campaign = output.campaign(last);
  run::RunStarted begun;
  begun.version = RPCSPEC_VERSION;
  begun.target = target_.secrets.masked(target_.name);
  begun.transport = target_.transport_name();
  begun.seed = options_.seed;
  report_campaign(reporters, std::move(begun), *ended, settings_.findings, output.news(),
                  loaded_->registry);
  const bool red = last.findings + last.unconfirmed > 0;
  if (ended->code != 0)
    return complain(ended->message, ended->code == kUnreachable && red ? kViolations : ended->code);
  if (ended->interrupted) return kInterrupted;
  return red ? kViolations : kOk;
}

}  // namespace harness::cli
