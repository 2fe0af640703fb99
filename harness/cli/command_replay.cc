// SPDX-License-Identifier: Apache-2.0
// rpcspec replay: plays scripts of the fuzzer, each on a fresh session, and says what is wrong.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "fuzz/judge/judge.h"
#include "fuzz/minimizer/finding_folder.h"
#include "fuzz/schedule/explorer.h"
#include "fuzz/schedule/schedule_player.h"
#include "fuzz/script/steps.h"
#include "fuzz/stateful/stateful_check.h"
#include "harness/base/text.h"
#include "harness/causes/causes.h"
#include "harness/cli/command_context.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/report_settings.h"
#include "harness/cli/scripts.h"
#include "harness/cli/side_by_side.h"
#include "harness/results/redact.h"
#include "harness/results/summary.h"
#include "harness/target/permission.h"
#include "reports/layout.h"
#include "reports/registry.h"

namespace harness::cli {
namespace {

constexpr const char* kIncomparable = "the finding cannot be compared";
constexpr std::array kCares = {fuzz::Care::kPatient, fuzz::Care::kDogged};

struct ReplayOptions {
  ContextOptions context;
  std::vector<std::string> scripts, reports;
  std::string check, level = "must";
  bool verbose = false;
  int jobs = 0;  // 0: as many as do not disturb each other
};

run::CaseResult result_of(const NamedScript& one, const fuzz::Execution& execution,
                          std::vector<fuzz::Problem> problems, const spec::Registry& registry,
                          const spec::Profile& profile, const std::string& replay) {
  run::CaseResult result;
  result.id = one.name;
  result.title = "A script of " + reports::counted(one.script.steps.size(), "step", "steps");
  result.duration_ms = execution.took.count() / 1000;
  result.replay = replay + " " + shell_quoted(one.name);
  // One transcript of all connections; sequence numbers begin anew in each.
  auto whole = std::make_shared<wire::Transcript>();
  std::vector<std::uint64_t> before;
  for (const trace::Slice& slice : execution.slices) {
    const std::uint64_t offset = whole->frames.empty() ? 0 : whole->frames.back().seq;
    before.push_back(offset);
    if (whole->profile.empty()) {
      whole->profile = slice.transcript->profile;
      whole->transport = slice.transcript->transport;
      whole->target = slice.transcript->target;
      whole->framing = slice.transcript->framing;
    }
    for (wire::Frame frame : slice.transcript->frames) {
      frame.seq += offset;
      whole->frames.push_back(std::move(frame));
    }
  }
  result.transcript = std::move(whole);
  std::stable_sort(problems.begin(), problems.end(), [](const auto& a, const auto& b) {
    return a.finding.severity > b.finding.severity;  // what fails first
  });
  for (fuzz::Problem& problem : problems) {
    for (std::uint64_t& seq : problem.finding.frames) seq += before[problem.slice];
    result.requirements.push_back(problem.finding.requirement);
    const bool fail = problem.finding.severity == oracle::Severity::kFail;
    if (fail || result.verdict == run::Verdict::kPass)
      result.verdict = fail ? run::Verdict::kFail : run::Verdict::kWarn;
    result.findings.push_back(std::move(problem.finding));
  }
  if (!result.requirements.empty())
    if (const spec::Requirement* first = registry.find(result.requirements.front()))
      result.level = spec::level_name(spec::level_in(*first, profile));
  return result;
}

// The tools that the script would call and may not, and why.
std::map<std::string, std::string> forbidden_in(
    const fuzz::Script& script, const std::map<std::string, std::string>& forbidden) {
  std::map<std::string, std::string> tools;
  for (const fuzz::Step& step : script.steps) {
    const auto* frame = std::get_if<fuzz::Frame>(&step);
    const auto* raw = std::get_if<fuzz::Raw>(&step);
    if (!frame && !raw) continue;
    const auto tool =
        forbidden.find(target::forbidden_call(frame ? frame->bytes : raw->bytes, forbidden));
    if (tool != forbidden.end()) tools.insert(*tool);
  }
  return tools;
}

// What was not sent, since it would call one of `tools`, is told; where nothing else was to be
// sent, the script was not exercised.
void tell_withheld(run::CaseResult& result, const fuzz::Execution& execution,
                   const std::map<std::string, std::string>& tools) {
  if (execution.withheld == 0) return;
  // A call may come together from several steps or from replies: no one step has it then.
  std::string names, list;
  for (const auto& [name, why] : tools) {
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", printable(name, 60), why);
    list += (list.empty() ? "" : ", ") + printable(name, 60);
  }
  const std::string reason = "tools are not allowed" + (names.empty() ? "" : ": " + names);
  if (execution.sent.empty() && result.verdict == run::Verdict::kPass) {
    result.verdict = run::Verdict::kInconclusive;
    result.reason = reason;
    if (!list.empty()) result.remedy = "allow: {tools: [" + list + "]}, if it is safe to call";
  } else {
    result.notes.push_back(
        fmt::format("{} left out: {}",
                    reports::counted(execution.withheld, "message was", "messages were"), reason));
  }
}

// A script, and how it is judged.
struct ToPlay {
  NamedScript script;
  std::optional<fuzz::Kept> kept;              // the finding that it is kept with
  const fuzz::StatefulCheck* check = nullptr;  // instead of judging the replies
};

// `check`: what the user asked for, or null. A finding of a stateful check is shown by that one.
std::vector<ToPlay> to_play(std::vector<NamedScript> scripts, const fuzz::StatefulCheck* check) {
  std::vector<ToPlay> out;
  for (NamedScript& script : scripts) {
    ToPlay one{std::move(script), std::nullopt, check};
    const std::filesystem::path path(one.script.name), folder = path.parent_path();
    if (path.filename() == "script")
      one.kept = fuzz::kept_in(folder.parent_path(), folder.filename());
    if (!check && one.kept) one.check = fuzz::find_stateful_check(one.kept->check);
    if (check && one.kept && one.kept->check != check->name) one.kept.reset();
    out.push_back(std::move(one));
  }
  return out;
}

// Only the finding itself counts: what else the script shows by now is told beside it. Where that may
// be the finding under another clause, nobody can say whether it was shown.
void keep_finding(const fuzz::Kept& kept, const fuzz::Execution& execution,
                  std::vector<fuzz::Problem>& problems, std::vector<std::string>& notes,
                  std::string& incomparable) {
  std::erase_if(problems, [&](const fuzz::Problem& one) {
    const bool same = fuzz::is_same(kept, one, execution);
    if (same) return false;
    notes.push_back("not the finding, but " + one.finding.requirement + ": expected " +
                    one.finding.expected + "; seen " + one.finding.seen);
    if (incomparable.empty() && fuzz::may_be_same(kept, one, execution))
      incomparable = kIncomparable + (": it was kept under " + kept.requirement) +
                     ", and its script breaks " + one.finding.requirement + " now";
    return true;
  });
  if (!problems.empty()) incomparable.clear();
}

std::string check_names() {
  std::string out;
  for (const fuzz::StatefulCheck& one : fuzz::stateful_checks())
    out += (out.empty() ? "" : ", ") + std::string(one.name);
  return out;
}

// The scripts of a stateful check are looked at for long, on sessions of their own.
fuzz::ExecutorOptions for_checks() {
  fuzz::ExecutorOptions out;
  out.scripts_per_session = out.frames_per_session = std::numeric_limits<std::size_t>::max();
  out.keeps_journal = false;
  return out;
}

// Plays scripts on one target, each as a case of a run.
class Replay {
 public:
  // All of them outlive it. `replay` is the command that does this again, without script and
  // target.
  Replay(fuzz::FuzzTarget& fuzz_target, run::Served& served, const CommandContext& context,
         const std::string& replay)
      : fuzz_target_(fuzz_target), served_(served), context_(context), replay_(replay),
        executor_(fuzz_target.executor({})), one_of_two_(fuzz_target.executor(for_checks())),
        other_(fuzz_target.executor(for_checks())),
        schedules_(fuzz_target, context.target().transport(), context.registry(),
                   &context.target().secrets, known_) {
    executor_->set_patience(fuzz::kHang);
  }

  session::awaitable<Result<run::CaseResult>> play(const ToPlay& what) {
    const NamedScript& one = what.script;
    const auto forbidden = forbidden_in(one.script, fuzz_target_.offer().forbidden);
    Looked looked;
    if (what.check) {
      co_await look(*what.check, one.script, looked);
      // A stateful check looks at whole scripts only.
      if (looked.problems.empty()) looked.execution.withheld = forbidden.size();
    } else {
      Status played = Nothing{};
      if (fuzz::is_schedule(one.script))
        played = co_await judge_schedule(what, looked);
      else
        played = co_await judge(one.script, looked, what.kept && what.kept->lost);
      if (!played) co_return played.error();
    }
    std::vector<std::string> others;
    std::string incomparable;
    if (what.kept)
      keep_finding(*what.kept, looked.execution, looked.problems, others, incomparable);
    run::CaseResult result = result_of(one, looked.execution, std::move(looked.problems),
                                       context_.registry(), fuzz_target_.profile(), replay_);
    result.notes.insert(result.notes.end(), others.begin(), others.end());
    const std::size_t missing = looked.execution.missing;
    if (missing > 0 && result.verdict == run::Verdict::kPass)
      result.notes.push_back(
          reports::counted(missing, "request", "requests") +
          " got no reply in time; the call may take longer, so that alone breaks no clause");
    tell_withheld(result, looked.execution, forbidden);
    if (!incomparable.empty()) {
      result.verdict = run::Verdict::kInconclusive;
      result.reason = incomparable;
    } else if (!others.empty() && result.verdict == run::Verdict::kPass) {
      complain(one.name + ": the finding was not shown again; its script shows something else: " +
                   "--verbose tells what",
               kOk);
    }
    result.replay += " " + context_.target().spec;
    run::redact(result, context_.target().secrets);
    co_return result;
  }

 private:
  struct Looked {
    fuzz::Execution execution;
    std::vector<fuzz::Problem> problems;
  };

  session::awaitable<void> look(const fuzz::StatefulCheck& check, const fuzz::Script& script,
                                Looked& looked) {
    std::function<int()> group;
    if (served_.process()) group = [this] { return served_.process()->process_group(); };
    fuzz::CheckContext checks(*one_of_two_, *other_, fuzz_target_.profile(), context_.registry(),
                              context_.target().transport(), group);
    std::optional<fuzz::CheckResult> result = co_await check.look(checks, script);
    if (!result) co_return;
    looked.execution = std::move(result->execution);
    looked.problems.push_back(std::move(result->problem));
  }

  // What is missing may be late; whoever says that it does not come has waited for it.
  // `lost`: that is also so of calls which may take their time.
  session::awaitable<Status> judge(const fuzz::Script& script, Looked& looked, bool lost) {
    for (const fuzz::Care care : kCares) {
      executor_->set_care(care);
      executor_->forget_session();
      Result<fuzz::Execution> came = co_await executor_->play(script);
      if (!came) co_return came.error();
      looked.execution = std::move(*came);
      looked.problems = fuzz::judge(looked.execution, fuzz_target_.profile(), context_.registry(),
                                    &context_.target().secrets, {},
                                    lost ? fuzz::Due(fuzz::is_timeless) : fuzz::Due());
      const bool answered = looked.execution.ending == fuzz::Ending::kAnswered;
      if (looked.problems.empty() || looked.execution.missing == 0 || !answered) break;
    }
    co_return Nothing{};
  }

  // As often as a finding says, until it shows.
  session::awaitable<Status> judge_schedule(const ToPlay& what, Looked& looked) {
    const auto shows = [&](const fuzz::Problem& one) {
      return !what.kept || fuzz::is_same(*what.kept, one, looked.execution);
    };
    for (int i = 0; i < fuzz::kPlaysOfSchedule; ++i) {
      if (std::any_of(looked.problems.begin(), looked.problems.end(), shows)) break;
      const std::chrono::milliseconds patience = i == 0 ? fuzz::kHang : std::chrono::seconds(1);
      Result<fuzz::SchedulePlayer::Played> played =
          co_await schedules_.play(what.script.script, true, patience);
      if (!played) co_return played.error();
      looked.execution = std::move(played->execution);
      looked.problems = std::move(played->problems);
    }
    co_return Nothing{};
  }

  fuzz::FuzzTarget& fuzz_target_;
  run::Served& served_;
  const CommandContext& context_;
  std::string replay_;
  std::unique_ptr<fuzz::ScriptExecutor> executor_;
  std::unique_ptr<fuzz::ScriptExecutor> one_of_two_, other_;  // for checks
  fuzz::KnownAlone known_;
  fuzz::SchedulePlayer schedules_;
};

// Where each session is with a process of its own, none disturbs another; what a stateful check
// measures is disturbed by anything.
int jobs_for(const ReplayOptions& given, const target::Target& target,
             const std::vector<ToPlay>& scripts) {
  constexpr int kSideBySide = 4;
  if (given.jobs > 0) return given.jobs;
  const bool apart = target.stdio() && std::none_of(scripts.begin(), scripts.end(),
                                                    [](auto& one) { return one.check; });
  return apart ? static_cast<int>(std::clamp<std::size_t>(scripts.size(), 1, kSideBySide)) : 1;
}

run::RunStarted begin(const target::Target& target, const spec::Profile& profile,
                      std::size_t scripts) {
  run::RunStarted begun;
  begun.version = RPCSPEC_VERSION;
  begun.target = target.secrets.masked(target.name);
  begun.profile = profile.name;
  begun.transport = target.transport_name();
  begun.cases = scripts;
  return begun;
}

const char* why_nothing_was_played(const std::vector<run::CaseResult>& results) {
  const bool withheld = std::any_of(results.begin(), results.end(), [](const auto& one) {
    return !one.reason.starts_with(kIncomparable);
  });
  return withheld ? "nothing could be played: every script would call a tool that is not allowed"
                  : "no finding could be compared with what its script shows now";
}

int replay_command(const ReplayOptions& given, const Invocation& invocation) {
  // What the user asked for, checked before anything is started.
  const fuzz::StatefulCheck* check =
      given.check.empty() ? nullptr : fuzz::find_stateful_check(given.check);
  if (!given.check.empty() && !check)
    return complain(Error{"--check", "there is no stateful check `" + printable(given.check) + "`",
                          "they are " + check_names()},
                    kUsage);
  if (given.level != "must" && given.level != "should")
    return complain(
        Error{"--level", "`" + printable(given.level) + "` is not a level", "write must or should"},
        kUsage);
  const bool should = given.level == "should";
  Result<std::vector<NamedScript>> scripts = read_scripts(given.scripts);
  if (!scripts) return complain(scripts.error(), kUsage);
  Result<CommandContext> context = CommandContext::set(given.context, *scripts, invocation);
  if (!context) {
    Error error = context.error();
    const TargetOptions& named = given.context.target;
    const bool any = invocation.has_target_command || !named.file.empty() || !named.url.empty();
    const std::string kept = any ? "" : kept_command(scripts->front());
    if (!kept.empty()) error.remedy += "; the finding was shown by\n  " + kept;
    return complain(error, kUsage);
  }

  const std::vector<ToPlay> all = to_play(std::move(*scripts), check);
  reports::ReportOptions report = report_settings("", context->registry());
  report.known_from = {};
  report.verbose = given.verbose;
  report.warnings = true;
  std::vector<std::string> wanted = given.reports;
  if (wanted.empty()) wanted.push_back("console");
  auto made = reports::make_all(wanted, report);
  if (!made) return complain(made.error(), kUsage);
  std::vector<std::unique_ptr<run::Reporter>> reporters = std::move(*made);

  // The scripts, some at one time; reporters are told as of the cases of a run.
  return context->play([&](fuzz::FuzzTarget& fuzz_target,
                           run::Served& served) -> session::awaitable<Result<int>> {
    const spec::Profile& profile = fuzz_target.profile();
    const run::RunStarted begun = begin(context->target(), profile, all.size());
    for (const auto& reporter : reporters) reporter->run_started(begun);
    std::string again =
        shell_quoted(invocation.program) + " replay" + given.context.again(profile.name);
    if (should) again += " --level should";
    if (check) again += std::string(" --check ") + check->name;
    const auto began = std::chrono::steady_clock::now();
    std::vector<std::optional<run::CaseResult>> played(all.size());
    std::vector<run::CaseResult> results;
    std::size_t next = 0, exercised = 0;
    std::optional<Error> failure;
    // In the order of the scripts, whichever was played first.
    const auto tell = [&] {
      for (; results.size() < played.size() && played[results.size()];) {
        run::CaseResult result = std::move(*played[results.size()]);
        for (const auto& reporter : reporters) reporter->case_finished(result);
        exercised += result.verdict != run::Verdict::kInconclusive;
        result.transcript.reset();
        results.push_back(std::move(result));
      }
    };
    const auto story = [&]() -> session::awaitable<void> {
      Replay replay(fuzz_target, served, *context, again);
      while (next < all.size() && !failure) {
        const std::size_t number = next++;
        const ToPlay& one = all[number];
        for (const auto& reporter : reporters) reporter->case_started(one.script.name);
        Result<run::CaseResult> result = co_await replay.play(one);
        if (!result) {
          failure = result.error();
          co_return;
        }
        played[number] = std::move(*result);
        tell();
      }
    };
    const int jobs = jobs_for(given, context->target(), all);
    co_await side_by_side(jobs, story);
    if (failure) co_return *failure;
    run::RunFinished finished;
    finished.causes = run::causes_by_result(
        {context->registry(), profile, context->target().transport(), results});
    finished.summary = run::count_verdicts(results);
    finished.duration_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                               std::chrono::steady_clock::now() - began)
                               .count();
    finished.gate = run::gate_of(results, {should, false}, false, exercised);
    finished.gate_passed = finished.gate == "passed";
    finished.level_should = should;
    for (const auto& reporter : reporters) reporter->run_finished(finished);
    int code = finished.gate_passed ? kOk : kViolations;
    if (exercised == 0) code = complain(why_nothing_was_played(results), kUnreachable);
    co_return code;
  });
}

}  // namespace

Command command_replay(const Invocation& invocation) {
  auto options = std::make_shared<ReplayOptions>();
  Command command{"replay", "Play scripts or findings of the fuzzer again"};
  options->context.add_to(command);
  command.add({
      {"script", &options->scripts},
      {"--check", &options->check, "NAME",
       "Run a stateful check over the scripts instead of judging the replies: " + check_names()},
      {"--level", &options->level},
      {"--jobs", &options->jobs},
      {"--report", &options->reports},
      {"--verbose", &options->verbose},
  });
  command.action = [options, &invocation] { return replay_command(*options, invocation); };
  return command;
}

}  // namespace harness::cli
