// SPDX-License-Identifier: Apache-2.0
// rpcspec learn: the automaton of a server's life cycle, by active learning.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <fstream>
#include <optional>
#include <set>
#include <utility>

#include "fuzz/executor/vocabulary_of.h"
#include "fuzz/learn/alphabet.h"
#include "fuzz/learn/automaton_text.h"
#include "fuzz/learn/learner.h"
#include "fuzz/learn/teacher.h"
#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/causes/causes.h"
#include "harness/cli/command_context.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/fuzz_plan.h"
#include "harness/cli/option_values.h"
#include "harness/contact/gate.h"
#include "harness/results/redact.h"
#include "harness/results/summary.h"
#include "reports/layout.h"
#include "reports/registry.h"

namespace harness::cli {
namespace {

using session::awaitable;
using std::chrono::milliseconds;

constexpr int kMostRestarts = 12;

struct LearnOptions {
  ContextOptions context;
  std::vector<std::string> to, reports;
  std::string symbols, play, diff, level = "must";
  milliseconds time{std::chrono::minutes(2)};
  std::uint64_t words = 2000, seed = 1;
  std::uint64_t rate = 0;
  bool yes_remote = false;  // an address on another machine may be asked
};

// FORMAT=FILE of --to.
struct Drawing {
  std::string format, file;
};

Result<std::vector<Drawing>> drawings(const std::vector<std::string>& given) {
  std::vector<Drawing> out;
  for (const std::string& one : given) {
    const std::size_t equals = one.find('=');
    Drawing drawing{one.substr(0, equals), equals == one.npos ? "-" : one.substr(equals + 1)};
    const bool known =
        drawing.format == "dot" || drawing.format == "mermaid" || drawing.format == "text";
    if (!known || drawing.file.empty())
      return Error{"--to", "`" + printable(one, 60) + "` is not FORMAT=FILE",
                   "the formats are dot, mermaid and text; the file - is stdout"};
    out.push_back(std::move(drawing));
  }
  return out;
}

Status draw(const Drawing& drawing, const std::string& text) {
  if (drawing.file == "-") {
    std::fputs(text.c_str(), stdout);
    return Nothing{};
  }
  std::ofstream file(drawing.file, std::ios::binary);
  file << text;
  file.flush();
  if (!file) return Error{drawing.file, "the file cannot be written", "name another with --to"};
  return Nothing{};
}

std::string words_of(const std::vector<fuzz::Letter>& alphabet, const fuzz::Word& word) {
  std::string out;
  for (const fuzz::Symbol symbol : word) out += (out.empty() ? "" : " ") + alphabet[symbol].name;
  return out;
}

// What is learnt, and all that is said of it.
class Lesson {
 public:
  // What is passed by reference outlives it.
  Lesson(fuzz::FuzzTarget& fuzz_target, const CommandContext& context, const LearnOptions& given,
         const Invocation& invocation, const std::function<bool()>& stop)
      : fuzz_target_(fuzz_target), context_(context), given_(given), invocation_(invocation),
        stop_(stop) {}

  awaitable<Result<int>> hold(const std::vector<Drawing>& to,
                              const std::optional<fuzz::Automaton>& old,
                              const std::vector<std::unique_ptr<run::Reporter>>& reporters) {
    const fuzz::Vocabulary vocabulary = fuzz::vocabulary_of(fuzz_target_, context_.target());
    std::vector<fuzz::Letter> alphabet = fuzz::alphabet_of(vocabulary, given_.seed);
    if (!given_.symbols.empty()) {
      Result<std::vector<fuzz::Letter>> named = fuzz::letters_named(alphabet, given_.symbols);
      if (!named || named->empty())
        co_return complain(named ? Error{"--symbols", "it names none", ""} : named.error(), kUsage);
      alphabet = std::move(*named);
    }
    fuzz::TeacherLimits limits;
    limits.words = given_.words;
    limits.until = std::chrono::steady_clock::now() + given_.time;
    limits.timeout = given_.context.timeout;
    fuzz::Teacher teacher(fuzz_target_, std::move(alphabet), context_.registry(),
                          &context_.target().secrets, limits, stop_);
    fmt::print("learning {}, {} over {}; symbols: {}\n",
               context_.target().secrets.masked(printable(context_.target().name)),
               fuzz_target_.profile().name, context_.target().transport_name(),
               fmt::join(teacher.names(), ", "));
    std::fflush(stdout);
    if (!given_.play.empty()) {
      Result<int> played = co_await play_word(teacher, reporters);
      co_return played;
    }
    std::optional<fuzz::Learnt> learnt;
    const Status taught = co_await teach(teacher, learnt);
    if (!taught) co_return taught.error();
    if (!learnt)
      co_return Error{"", "no word could be played in time", "give more time with --for"};
    tell(teacher, *learnt);
    const fuzz::Automaton& automaton = learnt->automaton;
    co_await shorten(teacher, automaton);
    std::vector<fuzz::Mark> marks;
    for (const fuzz::Forbidden& one : teacher.forbidden()) {
      std::vector<fuzz::Word> words = one.also;
      words.push_back(one.word);
      for (fuzz::Word& way : words) {
        const fuzz::Symbol symbol = way.back();
        way.pop_back();
        marks.push_back({automaton.state_after(way), symbol, one.finding.requirement});
      }
    }
    for (const Drawing& drawing : to) {
      const std::string text = drawing.format == "text"  ? fuzz::to_text(automaton, marks)
                               : drawing.format == "dot" ? fuzz::to_dot(automaton, marks, title())
                                                         : fuzz::to_mermaid(automaton, marks);
      const Status drawn = draw(drawing, text);
      if (!drawn) co_return complain(drawn.error(), kUsage);
    }
    const bool changed = old && tell_changes(*old, automaton);
    const int code = report(teacher, reporters);
    if (code != kOk) co_return code;
    co_return changed ? kViolations : kOk;
  }

 private:
  std::string title() const {
    return context_.target().secrets.masked(context_.target().name) + ", " +
           std::string(fuzz_target_.profile().name);
  }

  // Where answers were found to waver it begins again, with what is remembered.
  awaitable<Status> teach(fuzz::Teacher& teacher, std::optional<fuzz::Learnt>& learnt) {
    for (int i = 0; i < kMostRestarts; ++i) {
      bool changed = false;
      const fuzz::Ask ask = [&](const fuzz::Word& word) -> awaitable<std::optional<fuzz::Outputs>> {
        std::optional<fuzz::Outputs> outputs = co_await teacher.ask(word);
        changed |= teacher.take_changed();
        if (changed) co_return std::nullopt;
        co_return std::move(outputs);
      };
      fuzz::Learner learner(teacher.names(), ask, {}, given_.seed);
      std::optional<fuzz::Learnt> made = co_await learner.learn();
      if (teacher.failure()) co_return *teacher.failure();
      if (made) learnt = std::move(made);
      if (!changed) break;
    }
    co_return Nothing{};
  }

  // What was seen in the middle of a long word mostly shows on the shortest way to the state, or
  // right behind the handshake.
  static awaitable<void> shorten(fuzz::Teacher& teacher, const fuzz::Automaton& automaton) {
    std::vector<fuzz::Word> openings(1);
    for (const char* name : {"initialize", "initialized"}) {
      const auto& letters = teacher.alphabet();
      for (fuzz::Symbol symbol = 0; symbol < letters.size(); ++symbol) {
        if (letters[symbol].name != name) continue;
        openings.push_back(openings.back());
        openings.back().push_back(symbol);
      }
    }
    const std::vector<fuzz::Word> ways = automaton.ways();
    std::set<fuzz::Word> shorter;
    for (const fuzz::Forbidden& one : teacher.forbidden()) {
      std::vector<fuzz::Word> words = one.also;
      words.push_back(one.word);
      for (const fuzz::Word& long_one : words) {
        std::vector<fuzz::Word> starts = openings;
        fuzz::Word way = long_one;
        way.pop_back();
        starts.push_back(ways[automaton.state_after(way)]);
        for (fuzz::Word& word : starts) {
          word.push_back(long_one.back());
          if (word.size() < long_one.size()) shorter.insert(std::move(word));
        }
      }
    }
    for (const fuzz::Word& word : shorter) co_await teacher.play(word);
  }

  void tell(const fuzz::Teacher& teacher, const fuzz::Learnt& learnt) const {
    fmt::print("{}, learnt from {} played\n",
               reports::counted(learnt.automaton.states.size(), "state", "states"),
               reports::counted(teacher.played(), "word", "words"));
    if (learnt.whole)
      fmt::print("{} did not refute it\n", reports::counted(learnt.tests, "test", "tests"));
    else
      fmt::print(
          "it ran out of time or words: states may be missing, and `?` marks what was not played "
          "(--for, --words)\n");
    for (const fuzz::Wavering& one : teacher.wavering()) {
      std::string answers;
      for (const auto& [answer, times] : one.answers)
        answers += fmt::format("{}{} ({}×)", answers.empty() ? "" : ", ", printable(answer), times);
      fmt::print("not deterministic: `{}` ends with {}\n",
                 printable(words_of(teacher.alphabet(), one.word)), answers);
    }
    fmt::print("\n");
    std::fflush(stdout);
  }

  // True where there are any.
  bool tell_changes(const fuzz::Automaton& old, const fuzz::Automaton& now) const {
    const fuzz::Changes found = fuzz::changes(old, now);
    fmt::print("\ncompared with {}:\n", given_.diff);
    for (const std::string& one : found.gone)
      fmt::print("- `{}` is not played any more\n", printable(one));
    for (const std::string& one : found.come)
      fmt::print("+ `{}` was not played then\n", printable(one));
    for (const fuzz::Change& one : found.changes)
      fmt::print(
          "* {}`{}`: was {}, is {}\n",
          one.way.empty() ? "at the start, " : fmt::format("after {}, ", fmt::join(one.way, ", ")),
          one.symbol, printable(one.before), printable(one.after));
    if (found.none()) fmt::print("no difference\n");
    return !found.none();
  }

  awaitable<Result<int>> play_word(fuzz::Teacher& teacher,
                                   const std::vector<std::unique_ptr<run::Reporter>>& reporters) {
    const Result<std::vector<fuzz::Letter>> letters =
        fuzz::letters_named(teacher.alphabet(), given_.play);
    if (!letters) co_return complain("--play: " + letters.error().text(), kUsage);
    fuzz::Word word;
    const std::vector<std::string> names = teacher.names();
    for (const fuzz::Letter& letter : *letters)
      word.push_back(static_cast<fuzz::Symbol>(std::find(names.begin(), names.end(), letter.name) -
                                               names.begin()));
    const Result<fuzz::Outputs> outputs = co_await teacher.play(word);
    if (!outputs) co_return outputs.error();
    for (std::size_t i = 0; i < word.size(); ++i)
      fmt::print("{:<20} {}\n", names[word[i]], printable((*outputs)[i]));
    co_return report(teacher, reporters);
  }

  // A case for each transition that breaks a clause.
  int report(const fuzz::Teacher& teacher,
             const std::vector<std::unique_ptr<run::Reporter>>& reporters) const {
    const bool should = given_.level == "should";
    const spec::Profile& profile = fuzz_target_.profile();
    std::vector<run::CaseResult> results;
    for (const fuzz::Forbidden& one : teacher.forbidden()) {
      run::CaseResult result;
      const std::string word = words_of(teacher.alphabet(), one.word);
      result.id = "learn: " + word;
      result.title = "The life cycle, played `" + word + "`";
      const bool fails = one.finding.severity == oracle::Severity::kFail;
      result.verdict = fails ? run::Verdict::kFail : run::Verdict::kWarn;
      result.requirements = {one.finding.requirement};
      if (const spec::Requirement* clause = context_.registry().find(one.finding.requirement))
        result.level = spec::level_name(spec::level_in(*clause, profile));
      result.findings.push_back(one.finding);
      for (const fuzz::Word& other : one.also)
        result.notes.push_back("likewise: " + words_of(teacher.alphabet(), other));
      result.transcript = one.slice.transcript;
      result.replay = fmt::format("{} learn{} --play {} {}", shell_quoted(invocation_.program),
                                  given_.context.again(profile.name), shell_quoted(word),
                                  context_.target().spec);
      run::redact(result, context_.target().secrets);
      results.push_back(std::move(result));
    }
    if (results.empty()) {
      run::CaseResult whole;
      whole.id = "learn";
      whole.title = "No transition of the learnt life cycle breaks a clause";
      results.push_back(std::move(whole));
    }
    run::RunStarted begun;
    begun.version = RPCSPEC_VERSION;
    begun.target = context_.target().secrets.masked(context_.target().name);
    begun.profile = profile.name;
    begun.transport = context_.target().transport_name();
    begun.seed = given_.seed;
    begun.cases = results.size();
    run::RunFinished finished;
    finished.causes = run::causes_by_result(
        {context_.registry(), profile, context_.target().transport(), results});
    finished.summary = run::count_verdicts(results);
    finished.gate = run::gate_of(results, {should, false}, false, results.size());
    finished.gate_passed = finished.gate == "passed";
    finished.level_should = should;
    std::printf("\n");
    std::fflush(stdout);
    for (const auto& reporter : reporters) {
      reporter->run_started(begun);
      for (const run::CaseResult& result : results) reporter->case_finished(result);
      reporter->run_finished(finished);
    }
    return finished.gate_passed ? kOk : kViolations;
  }

  fuzz::FuzzTarget& fuzz_target_;
  const CommandContext& context_;
  const LearnOptions& given_;
  const Invocation& invocation_;
  const std::function<bool()>& stop_;
};

int learn_command(const LearnOptions& given, const Invocation& invocation) {
  // What the user asked for, checked before anything is started.
  if (given.level != "must" && given.level != "should")
    return complain(
        Error{"--level", "`" + printable(given.level) + "` is not a level", "write must or should"},
        kUsage);
  std::vector<std::string> wanted_to = given.to;
  if (wanted_to.empty()) wanted_to.emplace_back("text");
  const Result<std::vector<Drawing>> to = drawings(wanted_to);
  if (!to) return complain(to.error(), kUsage);
  std::optional<fuzz::Automaton> old;
  if (!given.diff.empty()) {
    const Result<std::string> text = read_file(given.diff);
    if (!text) return complain(text.error(), kUsage);
    Result<fuzz::Automaton> read = fuzz::read_dot(*text, given.diff);
    if (!read) return complain(read.error(), kUsage);
    old = std::move(*read);
  }
  Result<CommandContext> context = CommandContext::set(given.context, {}, invocation);
  if (!context) return complain(context.error(), kUsage);
  if (const Status fit = check_remote(given.yes_remote, context->target()); !fit)
    return complain(fit.error(), kUsage);
  context->set_rate(rate_for(given.rate, context->target()));
  reports::ReportOptions report;
  report.requirement = [&context](const std::string& id) { return context->registry().find(id); };
  std::vector<std::string> wanted = given.reports;
  if (wanted.empty()) wanted.push_back("console");
  const auto reporters = reports::make_all(wanted, report);
  if (!reporters) return complain(reporters.error(), kUsage);
  bool interrupted = false;
  const std::function<bool()> stop = [&interrupted] { return interrupted; };
  const int code = context->play(
      [&](fuzz::FuzzTarget& fuzz_target, run::Served&) -> awaitable<Result<int>> {
        Lesson lesson(fuzz_target, *context, given, invocation, stop);
        Result<int> held = co_await lesson.hold(*to, old, *reporters);
        co_return held;
      },
      [&interrupted] { return !std::exchange(interrupted, true); });
  return interrupted ? static_cast<int>(kInterrupted) : code;
}

}  // namespace

Command command_learn(const Invocation& invocation) {
  auto options = std::make_shared<LearnOptions>();
  options->context.timeout = milliseconds(1000);
  Command command{"learn", "Learn the life cycle of a server as an automaton, and judge it"};
  options->context.add_to(command);
  const Durations times{std::chrono::seconds(1), std::chrono::hours(24)};
  command.add({
      {"--to", &options->to},
      {"--diff", &options->diff},
      {"--symbols", &options->symbols},
      {"--play", &options->play},
      option("--for", within(times, options->time), {.usual = duration_words(options->time)}),
      option("--words", within(Counts{1, 1000000}, options->words),
             {.usual = std::to_string(options->words)}),
      option("--seed", within(Counts{1}, options->seed), {.usual = std::to_string(options->seed)}),
      {"--rate", within(Counts{1, 1'000'000}, options->rate)},
      {"--yes-fuzz-remote", &options->yes_remote},
      {"--level", &options->level},
      {"--report", &options->reports},
  });
  command.action = [options, &invocation] { return learn_command(*options, invocation); };
  return command;
}

}  // namespace harness::cli
