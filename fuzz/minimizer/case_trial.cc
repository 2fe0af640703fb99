// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/case_trial.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <utility>

#include "harness/run/runner.h"

namespace fuzz {
namespace {

using harness::session::awaitable;
namespace run = harness::run;
namespace suite = harness::suite;

constexpr const char* kCase = "case";

bool shows_it(const run::CaseResult& result, const Problem& problem) {
  if (result.verdict != run::Verdict::kFail && result.verdict != run::Verdict::kWarn) return false;
  return std::any_of(result.findings.begin(), result.findings.end(), [&](const auto& finding) {
    if (finding.severity < problem.finding.severity) return false;
    return is_of_process(problem.signature) ? result.id == kCase
                                            : finding.requirement == problem.finding.requirement;
  });
}

}  // namespace

bool shows(const std::string& case_text, const Problem& problem, const CaseTrial& trial) {
  auto cases = suite::load_user_cases({{std::string(kCase) + ".yaml", case_text}}, trial.suite,
                                      trial.registry);
  if (!cases) return false;
  const suite::Suite one{std::move(*cases), trial.suite.shapes, trial.suite.outcomes,
                         trial.suite.sets, trial.suite.fixtures};
  run::RunnerOptions options;
  options.profile = trial.profile.name;
  options.selection.select = {kCase};
  options.service = trial.service;
  options.rate = trial.rate;
  // A runner leaves processes that it is starting behind; they end with its own io_context. Of what
  // is reached by url none is started ahead.
  boost::asio::io_context own(1);
  boost::asio::io_context& io = trial.service ? trial.io : own;
  run::Runner runner(io.get_executor(), trial.target, one, trial.registry, std::move(options), {},
                     {});
  std::exception_ptr failure;
  const auto story = [&]() -> awaitable<void> {
    if (trial.service) {
      const harness::Status started = co_await trial.service.restart();
      if (!started) co_return;
    }
    co_await runner.run();
  };
  boost::asio::co_spawn(io, story, [&](std::exception_ptr thrown) {
    failure = thrown;
    io.stop();
  });
  io.restart();
  io.run();
  if (failure) std::rethrow_exception(failure);
  const auto& results = runner.outcome().results;
  return std::any_of(results.begin(), results.end(),
                     [&](const run::CaseResult& result) { return shows_it(result, problem); });
}

}  // namespace fuzz
