// SPDX-License-Identifier: Apache-2.0
// rpcspec shrink: from a script that shows something wrong to the least that shows it.
#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "fuzz/judge/judge.h"
#include "fuzz/minimizer/minimizer.h"
#include "harness/base/text.h"
#include "harness/cli/command_context.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/option_values.h"
#include "harness/cli/scripts.h"
#include "reports/layout.h"
#include "reports/output.h"

namespace harness::cli {
namespace {

struct ShrinkOptions {
  ContextOptions context;
  std::string script, out, requirement;
  std::chrono::milliseconds time{60000};
};

std::string told(const fuzz::Problem& problem, const Secrets& secrets) {
  return secrets.masked(fmt::format("{}: expected {}; seen {}", problem.finding.requirement,
                                    printable(problem.finding.expected, 200),
                                    printable(problem.finding.seen, 200)));
}

// How far it has come, for who interrupts it.
struct Progress {
  bool reducing = false;
  bool interrupted = false;
};

session::awaitable<Result<int>> shrink(fuzz::FuzzTarget& fuzz_target, const ShrinkOptions& given,
                                       const CommandContext& context, const fuzz::Script& script,
                                       Progress& progress) {
  const spec::Registry& registry = context.registry();
  const Secrets& secrets = context.target().secrets;
  const std::unique_ptr<fuzz::ScriptExecutor> executor = fuzz_target.executor({});
  executor->set_care(fuzz::Care::kPatient);
  Result<fuzz::Execution> execution = co_await executor->play(script);
  if (!execution) co_return execution.error();
  const fuzz::Problem* wanted = nullptr;
  const std::vector<fuzz::Problem> problems =
      fuzz::judge(*execution, fuzz_target.profile(), registry, &secrets);
  for (const fuzz::Problem& problem : problems) {
    const bool right =
        given.requirement.empty() || problem.finding.requirement == given.requirement;
    if (wanted == nullptr && right) wanted = &problem;
  }
  if (wanted == nullptr) {
    std::fprintf(
        stderr, "it %s: there is nothing to shrink\n",
        given.requirement.empty() ? "breaks no clause" : "does not break this requirement");
    co_return static_cast<int>(kOk);
  }
  fuzz::Minimizer minimizer(*executor, fuzz_target.profile(), registry, &secrets);
  fuzz::ReduceLimits limits;
  limits.time = given.time;
  limits.stop = [&progress] { return progress.interrupted; };
  progress.reducing = true;
  const std::vector<fuzz::Script> journal(1, script);
  fuzz::Reduced reduced = co_await minimizer.reduce(journal, wanted->signature, limits);
  // What shows only in flight, and follows from what shows message by message.
  if (!reduced.instead.empty()) {
    const std::vector<fuzz::Script> apart(1, reduced.apart);
    const std::string signature = reduced.instead.front().signature;
    reduced = co_await minimizer.reduce(apart, signature, limits);
  }
  const int code = progress.interrupted ? kInterrupted : kViolations;
  if (reduced.guessed) {
    std::fprintf(stderr,
                 "sent one by one, no message breaks a clause, and the reply without an id "
                 "belongs to an unknown request, so nothing was shrunk; %s\n",
                 told(*wanted, secrets).c_str());
    co_return code;
  }
  if (reduced.repeats == fuzz::Repeats::kNot) {
    std::fprintf(stderr, "seen once but not again, so nothing was shrunk; %s\n",
                 told(*wanted, secrets).c_str());
    co_return code;
  }
  const std::string text = secrets.masked(fuzz::write_script(reduced.script));
  const Status written = reports::write_file(given.out, text);
  if (!written) {
    const int refused = complain(written.error(), kUsage);
    co_return refused;
  }
  const std::string cut = progress.interrupted ? "; interrupted, so it may be longer than "
                                                 "necessary"
                          : reduced.cut ? "; time ran out, so it may be longer than necessary"
                                        : "";
  fmt::print(stderr, "{} of {}, after {}; shown by {} of {} plays{}; {}\n",
             reports::counted(reduced.script.steps.size(), "step", "steps"), script.steps.size(),
             reports::counted(reduced.plays, "play", "plays"), reduced.confirmed,
             fuzz::kConfirmations, cut, told(reduced.problem, secrets));
  co_return code;
}

int shrink_command(const ShrinkOptions& given, const Invocation& invocation) {
  Result<std::vector<NamedScript>> scripts = read_scripts({given.script});
  if (!scripts) return complain(scripts.error(), kUsage);
  if (scripts->size() != 1)
    return complain(Error{given.script, "it is a folder", "name one script"}, kUsage);
  Result<CommandContext> context = CommandContext::set(given.context, *scripts, invocation);
  if (!context) return complain(context.error(), kUsage);
  if (!given.requirement.empty() && !context->registry().find(given.requirement)) {
    std::vector<std::string> names;
    for (const spec::Requirement& one : context->registry().all()) names.push_back(one.id);
    const std::string near = nearest(given.requirement, names);
    return complain(
        Error{"--requirement", "there is no requirement `" + printable(given.requirement, 60) + "`",
              near.empty() ? "`rpcspec list requirements` names them"
                           : "did you mean `" + near + "`?"},
        kUsage);
  }
  if (const Status writable = reports::can_be_written(given.out); !writable)
    return complain(writable.error(), kUsage);
  Progress progress;
  const auto story = [&](fuzz::FuzzTarget& fuzz_target, run::Served&) {
    return shrink(fuzz_target, given, *context, scripts->front().script, progress);
  };
  // The first interrupt ends the reducing, the second everything.
  return context->play(story, [&progress] {
    return progress.reducing && !std::exchange(progress.interrupted, true);
  });
}

}  // namespace

Command command_shrink(const Invocation& invocation) {
  auto options = std::make_shared<ShrinkOptions>();
  Command command{"shrink", "Reduce a script to the shortest one that shows the same breach"};
  options->context.add_to(command);
  const Durations times{std::chrono::seconds(1), std::chrono::hours(24)};
  command.add({
      {"script", &options->script},
      {"-o,--output", &options->out},
      {"--requirement", &options->requirement},
      option("--for", within(times, options->time), {.usual = duration_words(options->time)}),
  });
  command.action = [options, &invocation] { return shrink_command(*options, invocation); };
  return command;
}

}  // namespace harness::cli
