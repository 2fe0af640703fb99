// SPDX-License-Identifier: Apache-2.0
#include "fuzz/stateful/stateful_check.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <utility>

#include "fuzz/stateful/check_table.h"
#include "harness/transport/timer.h"

namespace fuzz {

using harness::session::awaitable;
namespace asio = boost::asio;

namespace {

constexpr std::size_t kSessionPrice = 20;    // executions that starting a process is worth
constexpr std::size_t kConnectionPrice = 2;  // to a process that runs already
constexpr std::size_t kFramesPrice = 16;     // frames that one execution is worth

// What comes of a play that runs beside another.
struct Beside {
  explicit Beside(const asio::any_io_executor& executor) : over(executor) {}
  harness::transport::Timer over;
  bool done = false;
  std::optional<Execution> execution;
  std::exception_ptr failure;
};

}  // namespace

CheckContext::CheckContext(ScriptExecutor& executor, ScriptExecutor& other,
                           const harness::spec::Profile& profile,
                           const harness::spec::Registry& registry,
                           harness::wire::TransportKind transport,
                           std::function<int()> process_group)
    : executor_(executor), other_(other), profile_(profile), registry_(registry),
      transport_(transport), process_group_(std::move(process_group)) {}

awaitable<std::optional<Execution>> CheckContext::play(const Script& script) {
  ++plays_;
  std::optional<Execution> out;
  harness::Result<Execution> execution = co_await executor_.play(script);
  if (execution) {
    frames_ += execution->frames;
    if (execution->ending != Ending::kAnswered) ending_ = script;
    out = std::move(*execution);
  }
  co_return out;
}

awaitable<CheckContext::Pair> CheckContext::play_both(const Script& one, const Script& other) {
  plays_ += 2;
  const asio::any_io_executor loop = co_await asio::this_coro::executor;
  const auto beside = std::make_shared<Beside>(loop);
  beside->over.expires_at(harness::transport::Timer::time_point::max());
  // The caller waits for its end, so what it refers to lives on.
  const auto story = [](ScriptExecutor& executor, const Script& script,
                        std::shared_ptr<Beside> into) -> awaitable<void> {
    harness::Result<Execution> execution = co_await executor.play(script);
    if (execution) into->execution = std::move(*execution);
  };
  asio::co_spawn(loop, story(other_, other, beside), [beside](std::exception_ptr thrown) {
    beside->failure = thrown;
    beside->done = true;
    beside->over.cancel();
  });
  Pair out;
  harness::Result<Execution> execution = co_await executor_.play(one);
  if (execution) out.one = std::move(*execution);
  while (!beside->done) {
    boost::system::error_code ignored;
    auto token = asio::redirect_error(asio::use_awaitable, ignored);
    co_await beside->over.async_wait(token);
  }
  if (beside->failure) std::rethrow_exception(beside->failure);
  out.other = std::move(beside->execution);
  co_return out;
}

void CheckContext::give_time(std::chrono::steady_clock::duration time) {
  until_ = std::chrono::steady_clock::now() + time;
  put_off_ = false;
  ending_ = {};
}

std::chrono::steady_clock::duration CheckContext::time_left() const {
  using std::chrono::steady_clock;
  if (until_ == steady_clock::time_point::max()) return steady_clock::duration::max();
  return until_ - steady_clock::now();
}

int CheckContext::process_group() const {
  if (process_group_) return process_group_();
  if (executor_.session() == nullptr) return 0;
  const harness::transport::ProcessControl* process = executor_.session()->wire().process();
  return process == nullptr ? 0 : process->group();
}

std::optional<Problem> CheckContext::problem(const char* check, std::vector<const char*> clauses,
                                             std::string expected, std::string seen,
                                             std::string signature,
                                             std::vector<std::uint64_t> frames) const {
  using harness::oracle::Severity;
  const harness::spec::Requirement* clause =
      harness::spec::strongest(clauses, registry_, profile_, transport_);
  if (clause == nullptr) return std::nullopt;
  const harness::spec::Level level = harness::spec::level_in(*clause, profile_);
  if (harness::spec::is_may(level)) return std::nullopt;
  Problem out;
  out.finding.requirement = clause->id;
  out.finding.severity = harness::spec::is_must(level) ? Severity::kFail : Severity::kWarn;
  out.finding.expected = std::move(expected);
  out.finding.seen = std::move(seen);
  out.finding.frames = std::move(frames);
  out.finding.oracle = std::string("stateful check ") + check;
  out.signature = std::string(check) + "|" + clause->id + "|" + std::move(signature);
  return out;
}

std::size_t CheckContext::price() const {
  return plays_ + frames_ / kFramesPrice +
         (process_group_ || !harness::wire::traits_of(transport_).process ? kConnectionPrice
                                                                          : kSessionPrice) *
             static_cast<std::size_t>(executor_.sessions() + other_.sessions());
}

const std::vector<StatefulCheck>& stateful_checks() {
  static const std::vector<StatefulCheck> kChecks = {
      {"spelling",
       "a request gets the same reply with its members in another order, with blanks and escapes, "
       "or in pieces",
       {"jsonrpc.request.member-order-irrelevant", "tutorial.jsonrpc.member-order-irrelevant",
        "json.valid.whitespace", "json.valid.string-escapes", "json.valid.escaped-member-names",
        "mcp.stdio.fragmented-input", "robust.same-message-same-answer"},
       suspect_spelling,
       look_at_spelling},
      {"lists",
       "rejected requests do not change any list",
       {"mcp.tools.list-stable-across-connections", "mcp.resources.list-stable-across-connections",
        "mcp.prompts.list-stable-across-connections", "robust.error-without-effect"},
       suspect_lists,
       look_at_lists,
       24},
      {"cost",
       "a message of twice the size does not cost much more than twice as much",
       {"robust.cost-in-proportion"},
       suspect_cost,
       look_at_cost,
       0,
       true},
      {"growth",
       "repeated messages do not use more and more memory, descriptors or threads",
       {"robust.no-growth"},
       suspect_growth,
       look_at_growth,
       16},
      {"renewal",
       "sessions or subscriptions that are opened and ended repeatedly leave nothing behind",
       {"robust.no-growth"},
       suspect_renewal,
       look_at_renewal,
       0,
       true},
      {"streams",
       "GET streams that are opened and left repeatedly leave nothing behind",
       {"robust.no-growth"},
       suspect_streams,
       look_at_streams,
       0,
       true},
      {"isolation",
       "text of one session does not appear in another",
       {"mcp.http.session-isolation", "mcp.sse.client-isolation", "robust.connections-apart"},
       suspect_isolation,
       look_at_isolation},
  };
  return kChecks;
}

const StatefulCheck* find_stateful_check(std::string_view name) {
  const auto found = std::find_if(stateful_checks().begin(), stateful_checks().end(),
                                  [&](const StatefulCheck& one) { return one.name == name; });
  return found == stateful_checks().end() ? nullptr : &*found;
}

}  // namespace fuzz
