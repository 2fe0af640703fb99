// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/schedule_plan.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <utility>

#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/cli/campaign_output.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/option_values.h"
#include "reports/layout.h"

namespace harness::cli {
namespace {

using std::chrono::milliseconds;

std::string standing_line(const fuzz::ExplorerStanding& now) {
  return fmt::format("{} s: {}, {}, {}{}", now.elapsed.count() / 1000,
                     reports::counted(now.schedules, "schedule", "schedules"),
                     reports::counted(now.frames, "message", "messages"),
                     reports::counted(now.findings, "finding", "findings"),
                     now.confirming > 0 ? ", examining a suspect" : "");
}

// What is printed on the way.
class Output {
 public:
  explicit Output(const std::string& findings)
      : told_(findings), terminal_(isatty(STDERR_FILENO) == 1) {}

  void tell(const fuzz::ExplorerStanding& now) {
    curve_.add({now.elapsed.count(), now.schedules, now.frames, 0, 0, 0, now.findings});
    if (now.scenarios > 0 && !std::exchange(told_plan_, true)) {
      clear_line();
      std::string calls;
      for (const std::string& call : now.calls)
        calls += (calls.empty() ? "" : ", ") + printable(call, 80);
      fmt::print("in flight, in {} scenarios of {} kinds: {}\n", now.scenarios, now.families,
                 calls);
      std::fflush(stdout);
    }
    if (now.findings != findings_) {
      clear_line();
      told_.tell();
      findings_ = now.findings;
    }
    const milliseconds pause(terminal_ ? 1000 : 10000);
    if (now.elapsed - printed_ < pause) return;
    printed_ = now.elapsed;
    clear_line();
    std::fprintf(stderr, "%s%s", standing_line(now).c_str(), terminal_ ? "" : "\n");
  }

  void conclude(const fuzz::ExplorerStanding& last, const fuzz::ExplorerOptions& options) {
    clear_line();
    told_.tell();
    fmt::print("{}\n", standing_line(last));
    if (last.flaky > 0)
      fmt::print(
          "{} more {} seen once but in none of {} plays: not-reproducible-*.script in {}, for "
          "`rpcspec replay`\n",
          last.flaky, last.flaky == 1 ? "was" : "were", fuzz::kPlaysOfSchedule, options.findings);
    fmt::print("to repeat: --schedules --seed {} --execs {}\n", options.seed, last.schedules);
    if (last.findings > 0)
      fmt::print("{} in {}; each has a README.md and a schedule to replay\n",
                 reports::counted(last.findings, "finding", "findings"), options.findings);
    else if (told_.known() > 0)
      fmt::print("no new findings; {} known, in {}\n", told_.known(), options.findings);
    else
      fmt::print("no findings\n");
    std::fflush(stdout);
  }

  std::vector<std::string> news() const { return told_.news(); }
  // How it went, and the scripts of what is new.
  reports::Campaign campaign(const fuzz::Standing& last) const {
    return campaign_of(curve_, last, told_);
  }
  void clear_line() const {
    if (terminal_) std::fprintf(stderr, "\r\x1b[K");
  }

 private:
  FindingsTold told_;
  bool terminal_;
  reports::CampaignCurve curve_;
  bool told_plan_ = false;
  std::uint64_t findings_ = 0;
  milliseconds printed_{};
};

}  // namespace

Result<SchedulePlan> SchedulePlan::make(const TargetOptions& target, const FuzzSettings& settings,
                                        const Invocation& invocation) {
  ContextOptions about;
  about.target = target;
  if (settings.profile != "auto") about.profile = settings.profile;
  about.timeout = settings.timeout;
  Result<CommandContext> context = CommandContext::set(about, {}, invocation);
  if (!context) return context.error();
  for (const std::string& warning : context->target().warnings)
    std::fprintf(stderr, "rpcspec: WARNING: %s\n", warning.c_str());
  if (const Status fit = check_remote(settings.yes_remote, context->target()); !fit)
    return fit.error();
  if (const Status fit = make_writable(settings.findings); !fit) return fit.error();
  context->set_rate(rate_for(settings.rate, context->target()));
  fuzz::ExplorerOptions options;
  options.program = {invocation.program, again(settings.timeout, FuzzSettings().timeout)};
  options.findings = settings.findings;
  options.seed = settings.seed != 0 ? settings.seed : random_number();
  options.execs = settings.execs;
  options.time = settings.time;
  options.timeout = settings.timeout;
  options.stop_at_first = settings.stop_at_first;
  return SchedulePlan(std::move(*context), std::move(options));
}

int SchedulePlan::play(const std::vector<run::Reporter*>& reporters, reports::Campaign& campaign) {
  const target::Target& target = context_.target();
  fmt::print("exploring schedules of {}, seed {}; findings go to {}\n",
             target.secrets.masked(printable(target.name)), options_.seed, options_.findings);
  std::fflush(stdout);
  Output output(options_.findings);
  bool interrupted = false;
  std::optional<fuzz::ExplorerStanding> last;
  std::string profile;
  const int code = context_.play(
      [&](fuzz::FuzzTarget& fuzz_target, run::Served&) -> session::awaitable<Result<int>> {
        profile = fuzz_target.profile().name;
        fmt::print("{} over {}\n", profile, target.transport_name());
        fuzz::Explorer explorer(
            fuzz_target, target, context_.registry(), options_,
            [&interrupted] { return interrupted; },
            [&output](const fuzz::ExplorerStanding& now) { output.tell(now); });
        const Result<fuzz::ExplorerStanding> ended = co_await explorer.run();
        output.clear_line();
        if (!ended) co_return ended.error();
        last = *ended;
        co_return kOk;
      },
      [&interrupted] { return !std::exchange(interrupted, true); });
  if (!last) return code;
  output.conclude(*last, options_);
  fuzz::CampaignEnd ended;
  ended.standing.profile = profile;
  ended.standing.elapsed = last->elapsed;
  ended.standing.execs = last->schedules;
  ended.standing.frames = last->frames;
  ended.standing.findings = last->findings;
  ended.standing.flaky = last->flaky;
  ended.interrupted = interrupted;
  campaign = output.campaign(ended.standing);
  run::RunStarted begun;
  begun.version = RPCSPEC_VERSION;
  begun.target = target.secrets.masked(target.name);
  begun.transport = target.transport_name();
  begun.seed = options_.seed;
  report_campaign(reporters, std::move(begun), ended, options_.findings, output.news(),
                  context_.registry());
  if (code != kOk) return code;
  if (interrupted) return kInterrupted;
  return last->findings > 0 ? kViolations : kOk;
}

}  // namespace harness::cli
