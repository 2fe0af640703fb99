// SPDX-License-Identifier: Apache-2.0
#include "fuzz/schedule/schedule_judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/spec/requirement.h"
#include "harness/wire/message.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace wire = harness::wire;
using harness::oracle::Severity;

constexpr int kTimes = 4;  // as long as it takes alone, at the least, is waited
constexpr std::size_t kShown = 120;
constexpr const char* kLost = "lost";

class Judge {
 public:
  Judge(const Script& script, const Execution& execution, const AloneOf& alone,
        const ScheduleJudge& about)
      : script_(script), execution_(execution), alone_(alone), about_(about),
        calls_(calls_heard(script, execution)) {}

  std::vector<Problem> problems() {
    std::vector<Problem> crossed, out;
    look_for_crossed(crossed);
    out = judge(execution_, about_.profile, about_.registry, about_.secrets);
    // A reply under an id that nobody used here is that of another session, which says more.
    std::erase_if(out, [&](const Problem& one) {
      return std::any_of(crossed.begin(), crossed.end(), [&](const Problem& other) {
        return one.slice == other.slice && !one.finding.frames.empty() &&
               one.finding.frames.back() == other.finding.frames.back();
      });
    });
    for (Problem& problem : crossed) out.push_back(std::move(problem));
    if (execution_.ending == Ending::kAnswered) {
      look_for_lost(out);
      look_for_swapped(out);
    }
    std::vector<Problem> kept;
    for (Problem& problem : out) {
      const bool known = std::any_of(kept.begin(), kept.end(), [&](const Problem& one) {
        return one.signature == problem.signature;
      });
      if (!known) kept.push_back(std::move(problem));
    }
    return kept;
  }

 private:
  const std::string& text_of(const CallHeard& call) const {
    return std::get<Frame>(script_.steps[call.step]).bytes;
  }
  // "tools/call of `slow`", without the words of a single schedule.
  std::string name_of(const CallHeard& call) const {
    const wire::Message message = wire::read_message(text_of(call));
    std::string out = "`" + harness::printable(message.method()->text, kShown) + "`";
    const json::Value* name = json::at(message.value, "/params/name");
    if (name && name->is_string()) out += " of `" + harness::printable(name->text, kShown) + "`";
    return out;
  }

  void add(std::vector<Problem>& out, const std::vector<const char*>& clauses, std::string expected,
           std::string seen, std::string signature, std::vector<std::uint64_t> frames,
           std::size_t slice) {
    const harness::spec::Requirement* clause =
        harness::spec::strongest(clauses, about_.registry, about_.profile, about_.transport);
    if (clause == nullptr) return;
    const harness::spec::Level level = harness::spec::level_in(*clause, about_.profile);
    if (harness::spec::is_may(level)) return;
    Problem problem;
    problem.finding.requirement = clause->id;
    problem.finding.severity = harness::spec::is_must(level) ? Severity::kFail : Severity::kWarn;
    problem.finding.expected = std::move(expected);
    problem.finding.seen = std::move(seen);
    problem.finding.frames = std::move(frames);
    problem.finding.oracle = "schedule";
    problem.signature = "schedule|" + clause->id + "|" + std::move(signature);
    problem.slice = slice;
    out.push_back(std::move(problem));
  }

  // A reply under the id of a call that was made in another session, and in no other one here.
  void look_for_crossed(std::vector<Problem>& out) {
    for (std::size_t at = 0; at < execution_.slices.size(); ++at) {
      const harness::trace::Slice& slice = execution_.slices[at];
      const auto& frames = slice.transcript->frames;
      for (std::size_t i = 0; i < frames.size(); ++i) {
        const wire::Message& message = slice.messages[i];
        if (frames[i].direction != wire::Direction::kReceived || !message.is_reply()) continue;
        const CallHeard* theirs = nullptr;
        bool ours = false;
        for (const CallHeard& call : calls_) {
          if (call.id != message.key) continue;
          ours |= call.slice == at;
          theirs = &call;
        }
        if (ours || theirs == nullptr) continue;
        add(out,
            {"mcp.http.session-isolation", "mcp.sse.client-isolation", "robust.connections-apart",
             "jsonrpc.id.never-invented", "mcp.base.jsonrpc-conformance",
             "tutorial.jsonrpc.response-id-matches"},
            "only replies to requests of this session",
            fmt::format("the reply to {}, which another session asked under the id {}",
                        name_of(*theirs), harness::printable(theirs->id, kShown)),
            "crossed", {frames[i].seq}, at);
      }
    }
  }

  void look_for_lost(std::vector<Problem>& out) {
    for (const std::size_t step : execution_.unanswered) {
      const auto call = std::find_if(calls_.begin(), calls_.end(),
                                     [&](const CallHeard& one) { return one.step == step; });
      if (call == calls_.end() || !call->outcomes.empty()) continue;
      const Alone* alone = alone_(text_of(*call));
      if (alone == nullptr || !alone->answered || alone->took * kTimes > about_.waited) continue;
      const auto told = [&](const Problem& one) {
        return one.slice == call->slice && !one.finding.frames.empty() &&
               one.finding.frames.front() == call->seq && is_absence(one.signature);
      };
      std::erase_if(out, told);
      add(out,
          {"jsonrpc.request.reply-exactly-one", "mcp.base.jsonrpc-conformance",
           "tutorial.jsonrpc.concurrent-requests", "lsp.requests.answered-once"},
          fmt::format("a reply to {}, which is answered when it is sent alone ({} ms at most)",
                      name_of(*call), alone->took.count() / 1000 + 1),
          fmt::format(
              "none, and nothing else for {} ms, although two later requests were answered in turn",
              about_.waited.count()),
          kLost, {call->seq}, call->slice);
    }
  }

  void look_for_swapped(std::vector<Problem>& out) {
    for (const CallHeard& call : calls_) {
      const Alone* own = call.outcomes.size() == 1 ? alone_(text_of(call)) : nullptr;
      if (own == nullptr || !own->stable || own->outcome == call.outcomes.front()) continue;
      for (const CallHeard& other : calls_) {
        if (&other == &call) continue;
        const Alone* theirs = alone_(text_of(other));
        if (theirs == nullptr || !theirs->stable || theirs->outcome != call.outcomes.front())
          continue;
        const auto& got = other.outcomes;
        if (std::find(got.begin(), got.end(), theirs->outcome) != got.end()) continue;
        add(out,
            {"jsonrpc.id.never-invented", "mcp.base.response-same-id",
             "tutorial.jsonrpc.response-id-matches", "lsp.requests.answered-once"},
            fmt::format("the reply to {} under its id", name_of(call)),
            fmt::format("the reply that {} gets, which did not get it itself", name_of(other)),
            "swapped", {call.seq, other.seq, call.replies.front()}, call.slice);
        if (other.slice != call.slice && !out.empty())
          out.back().finding.frames.erase(out.back().finding.frames.begin() + 1);
        break;
      }
    }
  }

  const Script& script_;
  const Execution& execution_;
  const AloneOf& alone_;
  const ScheduleJudge& about_;
  std::vector<CallHeard> calls_;
};

}  // namespace

bool is_lost(const std::string& signature) {
  return signature.starts_with("schedule|") && signature.ends_with(std::string("|") + kLost);
}

std::vector<Problem> judge_schedule(const Script& script, const Execution& execution,
                                    const AloneOf& alone, const ScheduleJudge& about) {
  return Judge(script, execution, alone, about).problems();
}

}  // namespace fuzz
