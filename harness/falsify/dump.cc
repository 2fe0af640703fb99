// SPDX-License-Identifier: Apache-2.0
#include "harness/falsify/dump.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fstream>
#include <map>
#include <utility>

#include "harness/falsify/forks.h"
#include "harness/falsify/memory_target.h"
#include "harness/falsify/trial.h"
#include "harness/json/write.h"
#include "harness/run/runner.h"

namespace harness::falsify {
namespace {

using json::Value;

// A play that takes longer hangs.
constexpr int kLongestPlay = 120;

const char* symptom_name(oracle::Symptom symptom) {
  constexpr const char* kNames[] = {"answer", "silence", "hang", "end"};
  return kNames[static_cast<std::size_t>(symptom)];
}

const char* severity_name(oracle::Severity severity) {
  constexpr const char* kNames[] = {"info", "warn", "fail"};
  return kNames[static_cast<std::size_t>(severity)];
}

// What is empty is left out: most is.
void set(Value& object, const char* name, const std::string& text) {
  if (!text.empty()) object.set(name, json::string(text));
}

Value finding_value(const std::string& case_id, const oracle::Finding& finding) {
  Value out = json::object({{"case", json::string(case_id)},
                            {"requirement", json::string(finding.requirement)},
                            {"severity", json::string(severity_name(finding.severity))},
                            {"symptom", json::string(symptom_name(oracle::symptom_of(finding)))}});
  set(out, "row", finding.row);
  set(out, "oracle", finding.oracle);
  set(out, "about", finding.about);
  set(out, "answer", oracle::answer_class(finding.came));
  set(out, "expected", finding.expected);
  set(out, "seen", finding.seen);
  return out;
}

// Keeps what is told; frames, times and commands are not kept.
class Listener final : public run::Reporter {
 public:
  void run_started(const run::RunStarted& started) override { profile_ = started.profile; }

  void case_finished(const run::CaseResult& result) override {
    verdicts_.set(result.id, json::string(verdict_name(result.verdict)));
    if (!result.reason.empty()) reasons_.set(result.id, json::string(result.reason));
    for (const oracle::Finding& finding : result.findings)
      findings_.items.push_back(finding_value(result.id, finding));
    results_.push_back(result);
  }

  void run_finished(const run::RunFinished& finished) override {
    gate_ = finished.gate;
    for (const run::Cause& cause : finished.causes) causes_.items.push_back(cause_value(cause));
  }

  Value take() {
    return json::object({{"profile", json::string(profile_)},
                         {"gate", json::string(gate_)},
                         {"causes", std::move(causes_)},
                         {"findings", std::move(findings_)},
                         {"reasons", std::move(reasons_)},
                         {"verdicts", std::move(verdicts_)}});
  }

 private:
  Value cause_value(const run::Cause& cause) const {
    Value findings = json::array();
    for (const run::FindingRef& ref : cause.findings)
      for (const run::CaseResult& result : results_)
        if (result.id == ref.case_id)
          findings.items.push_back(cited(result.id, result.findings.at(ref.finding)));
    return json::object({{"requirement", json::string(cause.requirement)},
                         {"level", json::string(cause.level)},
                         {"verdict", json::string(verdict_name(cause.verdict))},
                         {"title", json::string(cause.title)},
                         {"sentence", json::string(cause.sentence)},
                         {"by_clause", json::boolean(cause.by_clause)},
                         {"findings", std::move(findings)}});
  }

  static Value cited(const std::string& case_id, const oracle::Finding& finding) {
    Value out = json::array({json::string(case_id), json::string(finding.requirement)});
    if (!finding.row.empty()) out.items.push_back(json::string(finding.row));
    return out;
  }

  std::string profile_, gate_;
  Value causes_ = json::array(), findings_ = json::array();
  Value reasons_ = json::object(), verdicts_ = json::object();
  std::vector<run::CaseResult> results_;
};

// What was played, and behind it what was written of it, where that came to its end.
std::string line_of(const Play& play, const std::string& written) {
  std::string line = json::write(json::object({{"fault", json::string(play.fault)},
                                               {"server", json::string(play.setting.server)},
                                               {"judged_by", json::string(play.setting.judged_by)},
                                               {"transport", json::string("stdio")}}));
  line.back() = ',';
  const bool whole = written.starts_with('{') && written.ends_with("}\n");
  return line + (whole ? written.substr(1) : "\"ended\":\"without a word\"}\n");
}

}  // namespace

Value told(const suite::Suite& suite, const spec::Registry& registry, const Play& play) {
  const target::Target target = operated(play.setting.server);
  run::RunnerOptions options;
  options.profile = play.setting.judged_by;
  for (const suite::Case* scenario : play.cases) options.selection.select.push_back(scenario->id);
  options.jobs = 1;
  options.max_time = std::chrono::milliseconds(0);  // waiting takes none
  options.replay_prefix = "rpcspec run";
  std::vector<std::string> faults;
  if (!play.fault.empty()) faults.push_back(play.fault);
  options.make_transport = memory_sessions(play.setting.server, faults);
  boost::asio::io_context io;
  Listener listener;
  run::Runner runner(io.get_executor(), target, suite, registry, std::move(options), {},
                     {&listener});
  std::exception_ptr failure;
  boost::asio::co_spawn(io, runner.run(),
                        [&failure](std::exception_ptr error) { failure = error; });
  io.run();
  if (failure) std::rethrow_exception(failure);
  return listener.take();
}

Status dump(const suite::Suite& suite, const spec::Registry& registry,
            const std::vector<Play>& plays, int jobs, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  // Lines stand in the order of the plays, whichever is over first.
  std::map<std::size_t, std::string> over;
  std::size_t next = 0;
  fork_each(
      plays.size(), jobs, kLongestPlay,
      [&](std::size_t number, int out) {
        write_line(out, json::write(told(suite, registry, plays[number])));
      },
      [&](std::size_t number, const std::string& written) {
        over[number] = written;
        for (; over.contains(next); over.erase(next++))
          file << line_of(plays[next], over[next]) << std::flush;
      });
  if (!file) return Error{path, "cannot be written", ""};
  return Nothing{};
}

}  // namespace harness::falsify
