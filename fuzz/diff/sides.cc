// SPDX-License-Identifier: Apache-2.0
#include "fuzz/diff/sides.h"

#include <set>
#include <utility>

#include "harness/base/text.h"

namespace fuzz {
namespace {

using harness::Result;
using harness::session::awaitable;
namespace json = harness::json;
namespace target = harness::target;

constexpr std::size_t kScriptsPerSession = 100;

std::set<std::string> names_in(const json::Value& list) {
  std::set<std::string> out;
  for (const json::Value& item : list.items)
    if (const json::Value* name = item.is_object() ? item.find("name") : nullptr;
        name != nullptr && name->is_string())
      out.insert(name->text);
  return out;
}

Carrier carrier(const Side& side) {
  return carrier_of(side.target.transport(), side.target.framing == target::Framing::kLine);
}

void add_methods(const target::Target& of, std::set<std::string>& out) {
  for (const json::Member& affordance : of.affordances.members)
    if (const json::Value* method = affordance.value.find("method"); method && method->is_string())
      out.insert(method->text);
}

Ground ground_of(const Side& a, const Side& b) {
  Ground out{a.fuzz_target.profile(), {}, {}};
  const std::set<std::string> in_b = names_in(b.fuzz_target.offer().tools);
  for (const std::string& name : names_in(a.fuzz_target.offer().tools))
    if (in_b.contains(name)) out.tools.insert(name);
  add_methods(a.target, out.methods);
  add_methods(b.target, out.methods);
  const bool http_a = carrier(a) == Carrier::kHttp, http_b = carrier(b) == Carrier::kHttp;
  out.http = http_a && http_b;
  out.http_alone = http_a != http_b;
  return out;
}

ExecutorOptions bound_by(const Side& side) {
  ExecutorOptions out;
  out.forbidden = side.fuzz_target.offer().forbidden;
  out.keeps_journal = false;
  return out;
}

void note_missing(const json::Value& mine, const json::Value& theirs, const std::string& kind,
                  bool mine_is_a, std::vector<Difference>& out) {
  const std::set<std::string> others = names_in(theirs);
  for (const std::string& name : names_in(mine)) {
    if (others.contains(name)) continue;
    Difference one;
    one.asked.what = "the " + kind + " " + harness::printable(name, 80);
    one.a = mine_is_a ? "offered" : "not offered";
    one.b = mine_is_a ? "not offered" : "offered";
    out.push_back(std::move(one));
  }
}

}  // namespace

Sides::Sides(Side a, Side b)
    : a_(a), b_(b), carrier_a_(carrier(a)), carrier_b_(carrier(b)), ground_(ground_of(a, b)),
      executor_a_(a.fuzz_target.executor(bound_by(b))),
      executor_b_(b.fuzz_target.executor(bound_by(a))) {}

awaitable<Result<Both>> Sides::play_once(const Script& script) {
  Result<Execution> in_a = co_await executor_a_->play(script);
  if (!in_a) co_return in_a.error();
  Result<Execution> in_b = co_await executor_b_->play(script);
  if (!in_b) co_return in_b.error();
  frames_ += in_a->frames + in_b->frames;
  Both both;
  both.a = std::move(*in_a);
  both.b = std::move(*in_b);
  co_return std::move(both);
}

awaitable<Result<Both>> Sides::play(const Script& script) {
  if (journal_.size() >= kScriptsPerSession) forget_sessions();
  Result<Both> both = co_await play_once(script);
  if (!both) co_return both.error();
  // A session that was opened anew on one side only has another past than that of the other.
  if (both->a.first != both->b.first) {
    forget_sessions();
    Result<Both> again = co_await play_once(script);
    if (!again) co_return again.error();
    both = std::move(again);
  }
  if (both->a.first) journal_.clear();
  journal_.push_back(script);
  co_return std::move(both);
}

void Sides::forget_sessions() {
  executor_a_->forget_session();
  executor_b_->forget_session();
  journal_.clear();
}

void Sides::forget_processes() {
  executor_a_->forget_process();
  executor_b_->forget_process();
  journal_.clear();
}

void Sides::set_care(Care care) {
  executor_a_->set_care(care);
  executor_b_->set_care(care);
}

std::vector<Difference> Sides::offers_apart() const {
  std::vector<Difference> out;
  const harness::run::Offer &a = a_.fuzz_target.offer(), &b = b_.fuzz_target.offer();
  note_missing(a.tools, b.tools, "tool", true, out);
  note_missing(b.tools, a.tools, "tool", false, out);
  note_missing(a.prompts, b.prompts, "prompt", true, out);
  note_missing(b.prompts, a.prompts, "prompt", false, out);
  return out;
}

}  // namespace fuzz
