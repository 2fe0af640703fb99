// SPDX-License-Identifier: Apache-2.0
#include "fuzz/executor/script_executor.h"

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <deque>
#include <string>
#include <variant>

#include "fuzz/executor/delivery.h"
#include "fuzz/executor/schedule_run.h"
#include "fuzz/executor/script_run.h"
#include "fuzz/script/steps.h"
#include "harness/transport/timer.h"

namespace fuzz {

using harness::Nothing;
using harness::Result;
using harness::Status;
using harness::session::awaitable;

namespace {
constexpr std::size_t kOrdered = 64;  // scripts in order for one that is not
}

ScriptExecutor::ScriptExecutor(harness::run::Pool& pool, ExecutorOptions options)
    : pool_(pool), options_(std::move(options)), sessions_(pool, options_, wishes_, habits_) {}

awaitable<void> until_due(std::shared_ptr<harness::session::Rate> rate) {
  if (!rate || rate->due() <= harness::session::Clock::now()) co_return;
  const auto pause = rate->due() - harness::session::Clock::now();
  harness::transport::Timer timer(co_await boost::asio::this_coro::executor, pause);
  co_await timer.async_wait(boost::asio::use_awaitable);
}

// A script goes as it is; what it was too quick by is waited for before the next.
awaitable<Status> ScriptExecutor::be_ready() {
  co_await until_due(options_.rate);
  const Result<bool> opened = co_await sessions_.be_ready();
  if (!opened || *opened) journal_.clear();
  if (!opened) co_return opened.error();
  co_return Nothing{};
}

void ScriptExecutor::begin(Execution& out) {
  out.first = sessions_.scripts() == 0;
  out.unsettled = sessions_.arrears().any();
  sessions_.note_script();
}

awaitable<Result<Execution>> ScriptExecutor::play(const Script& script) {
  const Status ready = co_await be_ready();
  if (!ready) co_return ready.error();
  Execution out;
  const ScriptRun::Shared shared{sessions_, wishes_, habits_, options_.forbidden};
  begin(out);
  if (options_.keeps_journal) journal_.push_back(script);
  if (is_schedule(script)) {
    ScheduleRun schedule(shared, pool_, options_, out);
    const Status ended = co_await schedule.play(script);
    if (!ended) co_return ended.error();
    wishes_.closely = false;
    co_return std::move(out);
  }
  ScriptRun run(shared, out);
  harness::session::SessionOptions usual;
  if (options_.client_capabilities.is_object())
    usual.client_capabilities = options_.client_capabilities;
  sessions_.session()->set_options(std::move(usual));
  const Status played = co_await run.play(script);
  if (!played) co_return played.error();
  wishes_.closely = false;
  co_await run.finish();
  co_return std::move(out);
}

bool ScriptExecutor::can_pipeline(const Script& script) const {
  const harness::session::Session* session = sessions_.session();
  if (options_.rate) return false;
  if (!session || session->closed() || session->wire().over_http()) return false;
  if (session->pace().apart.count() > 0) return false;
  if (session->has_exchanges() || wishes_.care != Care::kQuick) return false;
  if (disordered_ * kOrdered > kOrdered * 2 + pipelined_) return false;
  const bool lines = has_lines(session->wire());
  return std::all_of(script.steps.begin(), script.steps.end(), [&](const Step& step) {
    if (std::holds_alternative<Sync>(step)) return true;
    if (std::holds_alternative<ClientAnswer>(step)) return !habits_.asks;
    if (std::holds_alternative<Raw>(step)) return lines;
    const auto* frame = std::get_if<Frame>(&step);
    if (frame == nullptr || frame->bytes.find("${") != std::string::npos) return false;
    return frame->delivery.usual() || (lines && frame->delivery.chunks.empty());
  });
}

awaitable<Result<std::vector<Execution>>> ScriptExecutor::play_pipelined(
    const std::vector<Script>& scripts) {
  const Status ready = co_await be_ready();
  if (!ready) co_return ready.error();
  std::vector<Execution> all(scripts.size());
  std::deque<ScriptRun> runs;
  std::string bytes;
  const ScriptRun::Shared shared{sessions_, wishes_, habits_, options_.forbidden};
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    runs.emplace_back(shared, all[i]).prepare(scripts[i], bytes);
    if (options_.keeps_journal) journal_.push_back(scripts[i]);
  }
  co_await sessions_.session()->write(std::move(bytes));
  std::size_t played = 0;
  for (bool more = true; more && played < all.size();) {
    Execution& out = all[played];
    begin(out);
    co_await runs[played].hear_pipelined();
    ++pipelined_;
    if (out.disordered) {
      ++disordered_;
      sessions_.forget_session();
      break;
    }
    const bool own_process = sessions_.has_own_process();
    co_await runs[played].finish();
    // What was written behind it is not in its transcript, and may be why the connection ended.
    if (out.ending == Ending::kGone && !own_process && !out.served_ended) break;
    more = sessions_.session() && out.ending == Ending::kAnswered;
    ++played;
  }
  all.resize(played);
  co_return std::move(all);
}

}  // namespace fuzz
