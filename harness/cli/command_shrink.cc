// SPDX-License-Identifier: Apache-2.0
// rpcspec shrink: from a script that shows something wrong to the least that shows it.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>

#include "fuzz/judge/judge.h"
#include "fuzz/triage/triage.h"
#include "harness/base/text.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/option_values.h"
#include "harness/cli/scripts.h"
#include "harness/cli/venue.h"

namespace harness::cli {
namespace {

struct ShrinkOptions {
  VenueOptions venue;
  std::string script, out, requirement;
  std::chrono::milliseconds time{60000};
};

std::string told(const fuzz::Problem& problem, const Secrets& secrets) {
  return secrets.masked(fmt::format("{}: expected {}; seen {}", problem.finding.requirement,
                                    printable(problem.finding.expected, 200),
                                    printable(problem.finding.seen, 200)));
}

session::awaitable<Result<int>> shrink(fuzz::Rig& rig, const ShrinkOptions& given,
                                       const Venue& venue, const fuzz::Script& script) {
  const spec::Registry& registry = venue.registry();
  const Secrets& secrets = venue.target().secrets;
  const std::unique_ptr<fuzz::Player> player = rig.player({});
  player->set_care(fuzz::Care::kPatient);
  Result<fuzz::Played> played = co_await player->play(script);
  if (!played) co_return played.error();
  const fuzz::Problem* wanted = nullptr;
  const std::vector<fuzz::Problem> problems =
      fuzz::judge(*played, rig.profile(), registry, &secrets);
  for (const fuzz::Problem& problem : problems) {
    const bool right =
        given.requirement.empty() || problem.finding.requirement == given.requirement;
    if (wanted == nullptr && right) wanted = &problem;
  }
  if (wanted == nullptr) {
    std::fprintf(stderr, "nothing is wrong in it%s: there is nothing to shrink\n",
                 given.requirement.empty() ? "" : " with this requirement");
    co_return static_cast<int>(kOk);
  }
  fuzz::Triage triage(*player, rig.profile(), registry, &secrets);
  fuzz::ReduceLimits limits;
  limits.time = given.time;
  const std::vector<fuzz::Script> journal(1, script);
  const fuzz::Reduced reduced = co_await triage.reduce(journal, wanted->signature, limits);
  if (reduced.repeats == fuzz::Repeats::kNot) {
    std::fprintf(stderr, "seen once and not again, so nothing was shrunk; %s\n",
                 told(*wanted, secrets).c_str());
    co_return static_cast<int>(kViolations);
  }
  const std::string text = secrets.masked(fuzz::write_script(reduced.script));
  if (given.out.empty()) {
    std::fwrite(text.data(), 1, text.size(), stdout);
  } else {
    std::ofstream file(given.out, std::ios::binary | std::ios::trunc);
    file << text;
    if (!file.flush()) {
      complain(
          Error{given.out, "the script cannot be written", "name a file in an existing folder"},
          kUsage);
      co_return static_cast<int>(kUsage);
    }
  }
  std::fprintf(stderr, "%zu steps of %zu, after %zu plays; shown by %d of %d plays; %s\n",
               reduced.script.steps.size(), script.steps.size(), reduced.plays, reduced.confirmed,
               fuzz::kConfirmations, told(reduced.problem, secrets).c_str());
  co_return static_cast<int>(kViolations);
}

int shrink_command(const ShrinkOptions& given, const Invocation& invocation) {
  Result<std::vector<NamedScript>> scripts = read_scripts({given.script});
  if (!scripts) return complain(scripts.error(), kUsage);
  if (scripts->size() != 1)
    return complain(Error{given.script, "it is a folder", "name one script"}, kUsage);
  Result<Venue> venue = Venue::set(given.venue, *scripts, invocation);
  if (!venue) return complain(venue.error(), kUsage);
  return venue->play([&](fuzz::Rig& rig, run::Served&) {
    return shrink(rig, given, *venue, scripts->front().script);
  });
}

}  // namespace

std::function<int()> add_shrink(CLI::App& app, const Invocation& invocation) {
  auto options = std::make_shared<ShrinkOptions>();
  CLI::App* command = app.add_subcommand(
      "shrink",
      "Reduce a script to the least that still shows what is wrong (exit 1; 0: nothing is)");
  options->venue.add_to(*command);
  command->add_option("script", options->script, "A script (fuzz/script/README.md)")
      ->type_name("SCRIPT")
      ->required();
  command->add_option("-o,--output", options->out, "Where it goes; standard output when left out")
      ->type_name("FILE");
  command
      ->add_option("--requirement", options->requirement,
                   "Keep a breach of this one; the worst when left out")
      ->type_name("ID");
  const Durations times{std::chrono::seconds(1), std::chrono::hours(24)};
  add_bounded(*command, "--for", options->time, times, "No longer than this")
      ->type_name("TIME")
      ->default_str(duration_words(options->time));
  return [options, &invocation] { return shrink_command(*options, invocation); };
}

}  // namespace harness::cli
