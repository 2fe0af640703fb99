// SPDX-License-Identifier: Apache-2.0
#include "harness/falsify/trial.h"

#include <boost/asio/co_spawn.hpp>
#include <utility>

#include "harness/falsify/memory_target.h"
#include "harness/json/yaml.h"
#include "harness/run/schedule.h"

namespace harness::falsify {
namespace {

// A missing reply is noticed at once, whatever this says: nobody waits for it.
constexpr std::chrono::milliseconds kTimeout{10000};

std::shared_ptr<session::Pace> pace() {
  auto made = std::make_shared<session::Pace>();
  made->timeout = kTimeout;
  return made;
}

void note(const std::vector<oracle::Finding>& findings, const std::string& watcher,
          Caught& caught) {
  for (const oracle::Finding& finding : findings) {
    if (finding.severity == oracle::Severity::kInfo) continue;
    caught.watchers.insert(finding.oracle.empty() ? watcher : "oracle/" + finding.oracle);
    caught.clauses.insert(finding.requirement);
  }
}

}  // namespace

target::Target operated(const std::string& server) {
  target::Target target;
  target.name = "reference";
  target.command = {"rpcspec-reference-server"};
  target.allow = target::Allow::kAny;  // it can do no harm
  const auto told = json::read_yaml_file(RPCSPEC_SOURCE_DIR "/harness/reference/operator.yaml");
  check(static_cast<bool>(told), told ? "" : told.error().text().c_str());
  const char* part = server == "jsonrpc-2.0"    ? "plain"
                     : server == "mcp-tutorial" ? "tutorial"
                     : server == "lsp"          ? "lsp"
                     : server == "acp-1"        ? "acp"
                                                : "mcp";
  if (const json::Value* affordances = told->find(part)) target.affordances = *affordances;
  return target;
}

Trial::Trial(const suite::Suite& suite, const spec::Registry& registry, const std::string& server,
             std::string judged_by, const std::vector<std::string>& faults)
    : suite_(suite), registry_(registry), judged_by_(std::move(judged_by)),
      target_(operated(server)),
      pool_(io_.get_executor(), target_, pace(), {}, 1, memory_sessions(server, faults)) {}

template <class T>
T Trial::run(run::awaitable<T> story) {
  std::optional<T> value;
  std::exception_ptr failure;
  boost::asio::co_spawn(io_, std::move(story), [&](std::exception_ptr error, T result) {
    failure = error;
    value = std::move(result);
  });
  io_.restart();
  io_.run();
  if (failure) std::rethrow_exception(failure);
  return std::move(*value);
}

bool Trial::meet() {
  const auto story = [this]() -> run::awaitable<bool> {
    const run::Opener open = [this](const spec::Profile& profile) { return pool_.open(profile); };
    Result<run::Negotiated> met = co_await run::negotiate(judged_by_, target_, suite_, open);
    if (!met) co_return false;
    offer_ = std::move(met->offer);
    if (met->ready && met->ready->capabilities()) capabilities_ = *met->ready->capabilities();
    pool_.settle_on({met->profile, met->ready ? met->ready->agreed() : json::null(),
                     offer_.dual_era, met->handshake, met->takes_cut_off, offer_.known,
                     met->one_each});
    co_return true;
  };
  return run(story());
}

bool Trial::can_play(const suite::Case& scenario) const {
  if (!run::meant_for(scenario, pool_.profile(), target_.transport()) ||
      run::cited(scenario.covers, registry_, pool_.profile(), target_.transport()) == nullptr)
    return false;
  const json::Value* capabilities = capabilities_.is_null() ? nullptr : &capabilities_;
  return run::gate(scenario, offer_, capabilities, pool_.profile()).open();
}

Caught Trial::play(const suite::Case& scenario) {
  const auto story = [&]() -> run::awaitable<run::Judgement> {
    run::CaseJudge judge(io_.get_executor(), target_, suite_, registry_, offer_, pool_);
    run::SessionPtr session;
    // Alone, so that no case is played on a connection that another has left; and each silence is
    // waited out, which takes no time here.
    run::Judgement judgement = co_await judge.judge(scenario, session, run::Look::kPatient);
    co_return std::move(judgement);
  };
  const run::Judgement judgement = run(story());
  Caught caught;
  caught.verdict = judgement.verdict;
  caught.transcript = judgement.transcript;
  if (judgement.verdict == run::Verdict::kFail || judgement.verdict == run::Verdict::kWarn)
    caught.watchers.insert(scenario.id);
  note(judgement.played.findings, scenario.id, caught);
  note(judgement.by_oracles, scenario.id, caught);
  return caught;
}

}  // namespace harness::falsify
