// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/walks.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "fuzz/mutate/deterministic.h"
#include "fuzz/mutate/tree.h"
#include "fuzz/script/steps.h"
#include "harness/spec/protocol.h"

namespace fuzz {
namespace {

constexpr std::uint64_t kFirstIdOfWalks = 5'000'000;
constexpr std::size_t kMostOperations = 48;
constexpr std::size_t kMostToolsWalked = 6;
constexpr std::size_t kMostOfAMethod = 2;  // ways to ask for what changes something
constexpr std::size_t kLength = 24;        // operations of a walk
constexpr std::size_t kTogether = 64;      // of one in flight, which costs little more
constexpr std::size_t kTimes = 100;
constexpr std::size_t kCalls = 8;          // that are under way at one time
constexpr std::size_t kEachOfReplies = 4;  // one walk in so many waits for what replies hold
constexpr std::size_t kFirstApart = 4;     // at first one walk in so many is one by one
constexpr std::size_t kPair = 4;           // a new pair is worth so many new triples
constexpr std::size_t kOfNames = 5;        // and a new triple of names

const harness::spec::MessageRow* row_of(const Vocabulary& vocabulary, std::string_view method) {
  return vocabulary.profile().protocol().find(method);
}

std::string method_in(std::string_view text) {
  Tree tree;
  if (!tree.read(text)) return {};
  const std::size_t member = tree.member(text, 0, "method");
  return member == Tree::kNone ? "" : std::string(inside(text, tree[member]));
}

// With this id in place of the one it has.
std::string with_id(std::string text, const std::string& id) {
  Tree tree;
  if (!tree.read(text)) return text;
  const std::size_t member = tree.member(text, 0, "id");
  if (member == Tree::kNone) return text;
  return text.replace(tree[member].begin, tree[member].end - tree[member].begin, id);
}

// With this member of params in place of the one it has, or besides; nothing without params.
std::string with_param(const std::string& text, std::string_view name, std::string_view value) {
  Tree tree;
  if (!tree.read(text)) return {};
  const std::size_t params = tree.member(text, 0, "params");
  std::string out = text;
  if (params == Tree::kNone) {
    out.pop_back();
    return out + ",\"params\":{\"" + std::string(name) + "\":" + std::string(value) + "}}";
  }
  const std::size_t member = tree.member(text, params, name);
  if (member != Tree::kNone)
    return out.replace(tree[member].begin, tree[member].end - tree[member].begin, value);
  const Insertion place = insertion(tree, params, false);
  std::string more = (place.comma_before ? ",\"" : "\"") + std::string(name) + "\":";
  return out.insert(place.at, more + std::string(value));
}

}  // namespace

Walks::Walks(const Vocabulary& vocabulary, std::uint64_t seed, bool sessions)
    : vocabulary_(vocabulary), random_(seed), next_id_(kFirstIdOfWalks) {
  find_operations(vocabulary, sessions);
  std::map<std::string, std::size_t> numbers;
  for (Operation& one : operations_)
    one.called = numbers.emplace(one.name, numbers.size()).first->second;
  names_ = numbers.size();
  begin(in_flight_);
  begin(one_by_one_);
}

void Walks::begin(Held& held) const {
  const std::size_t k = operations_.size();
  held.pairs.assign(k * k, false);
  held.triples.assign(k * k * k, false);
  held.names.assign(names_ * names_ * names_, false);
  held.behind.assign(k * k, k);
  held.names_behind.assign(names_ * names_, names_);
  std::size_t plain = 0;
  std::set<std::size_t> plain_names;
  for (const Operation& one : operations_) {
    if (one.of_replies()) continue;
    ++plain;
    plain_names.insert(one.called);
  }
  held.left = held.pairs.size() + held.triples.size();
  held.plain_left = plain * plain * plain;
  held.names_left = plain_names.size() * plain_names.size() * plain_names.size();
}

void Walks::add_operation(Operation operation) {
  if (operations_.size() < kMostOperations && !operation.text.empty())
    operations_.push_back(std::move(operation));
}

// What changes a state first: there is room for so many.
void Walks::find_operations(const Vocabulary& vocabulary, bool sessions) {
  std::map<std::string, std::size_t> seen;
  std::vector<Operation> others;
  std::string list, call;
  std::size_t tools = 0;
  for (const Script& script : requests(vocabulary)) {
    const auto* frame = std::get_if<Frame>(&script.steps.front());
    const std::string method = frame ? method_in(frame->bytes) : "";
    if (method.empty()) continue;
    const harness::spec::MessageRow* row = row_of(vocabulary, method);
    const bool safe = row != nullptr && row->safe;
    if (method == "tools/call") {
      if (frame->bytes.find("no_such_tool") != std::string::npos) continue;
      if (call.empty()) call = frame->bytes;
      calls_.push_back(frame->bytes);
      if (tools++ < kMostToolsWalked)
        others.push_back({method, What::kMessage, frame->bytes, false});
      continue;
    }
    if (row != nullptr && !row->lists.empty() && list.empty()) list = frame->bytes;
    if (seen[method]++ >= (safe ? 1 : kMostOfAMethod)) continue;
    if (safe || row == nullptr)
      others.push_back({method, What::kMessage, frame->bytes, false});
    else
      add_operation({method, What::kMessage, frame->bytes, true});
  }
  for (const Method& one : vocabulary.methods()) {
    if (one.name != "initialize") continue;
    Random first(1);
    add_operation({one.name, What::kMessage, request_text(vocabulary, one, first, "0"), true});
    break;
  }
  if (calls_.empty()) calls_.push_back(canary_text(vocabulary, "0"));
  add_operation({"calls under way", What::kUnderWay, calls_.front(), true});
  add_operation({"cancel", What::kCancel, cancel_text(vocabulary, "0"), true});
  if (!list.empty()) add_operation({"the next page", What::kNextPage, list, true});
  const harness::spec::MessageRow* tasks = row_of(vocabulary, "tasks/get");
  if (tasks != nullptr && tasks->reach.has(vocabulary.profile()) && !call.empty()) {
    add_operation({"a task", What::kMessage, with_param(call, "task", R"({"ttl":60000})"), true});
    for (const char* method : {"tasks/get", "tasks/cancel", "tasks/result"})
      if (const auto* row = row_of(vocabulary, method); row && row->reach.has(vocabulary.profile()))
        add_operation({std::string(method) + " of it", What::kTaskOf,
                       R"({"jsonrpc":"2.0","id":0,"method":")" + std::string(method) +
                           R"(","params":{"taskId":"$"}})",
                       true});
  }
  std::set<std::string> told;
  for (const Method& one : vocabulary.notifications()) {
    Random first(1);
    if (told.insert(one.name).second && told.size() <= 4)
      add_operation({one.name, What::kMessage, notification_text(vocabulary, one, first), false});
  }
  if (sessions) add_operation({"the end of the session", What::kClose, "-", true});
  const std::string canary = canary_text(vocabulary, "0");
  std::string unknown = canary;
  const std::string name = method_in(canary);
  if (const auto at = unknown.find(name); !name.empty() && at != std::string::npos)
    unknown.replace(at, name.size(), "rpcspec/no_such_method");
  add_operation({"a request of the canary's", What::kMessage, canary, false});
  add_operation({"an unknown method", What::kMessage, unknown, false});
  add_operation({"no JSON", What::kRaw, "{", false});
  add_operation({"a batch", What::kMessage, '[' + canary + ']', false});
  for (Operation& one : others) add_operation(std::move(one));
}

std::vector<std::string> Walks::names() const {
  std::vector<std::string> out;
  for (const Operation& one : operations_) out.push_back(one.name);
  return out;
}

Script Walks::empty() const {
  Script out;
  out.profile = vocabulary_.profile().name;
  return out;
}

void Walks::append(Script& script, const Operation& operation, bool one_by_one) {
  std::vector<Step>& steps = script.steps;
  const std::string id = std::to_string(next_id_++);
  const std::size_t frames = count_frames(script);
  // What a reference to the last reply that had it stands for.
  const auto last = [&](std::string_view pointer) {
    return "${" + std::to_string(std::max<std::size_t>(frames, 1)) + std::string(pointer) + "}";
  };
  switch (operation.what) {
    case What::kClose: steps.emplace_back(Close{}); return;
    case What::kNextPage:
      steps.emplace_back(Frame{with_id(operation.text, id), {}});
      steps.emplace_back(
          Frame{with_param(with_id(operation.text, std::to_string(next_id_++)), "cursor",
                           '"' + std::string() + "${" + std::to_string(frames + 1) +
                               "/result/nextCursor}" + '"'),
                {}});
      break;
    case What::kTaskOf: {
      std::string text = with_id(operation.text, id);
      const std::size_t at = text.find("\"$\"");
      text.replace(at, 3, '"' + last("/result/task/taskId") + '"');
      steps.emplace_back(Frame{std::move(text), {}});
      break;
    }
    case What::kRaw: steps.emplace_back(Frame{operation.text, {}}); break;
    case What::kCancel:
      if (under_way_.empty()) under_way_.push_back(std::to_string(next_id_ - 2));
      for (const std::string& one : std::exchange(under_way_, {}))
        steps.emplace_back(Frame{cancel_text(vocabulary_, one), {}});
      break;
    case What::kUnderWay:
      // Which of them take a while is not known.
      under_way_.clear();
      for (std::size_t i = 0; i < std::min(kCalls, calls_.size()); ++i) {
        under_way_.push_back(std::to_string(next_id_++));
        steps.emplace_back(
            Frame{with_id(calls_[next_call_++ % calls_.size()], under_way_.back()), {}});
      }
      return;  // nothing waits for them
    case What::kMessage: {
      std::string text = operation.text;
      if (text.front() == '[') {
        const std::size_t at = text.find("\"id\":0");
        if (at != std::string::npos) text.replace(at + 5, 1, id);
      } else {
        text = with_id(std::move(text), id);
      }
      steps.emplace_back(Frame{std::move(text), {}});
      break;
    }
  }
  if (one_by_one) steps.emplace_back(Sync{});
}

Script Walks::many_times(std::size_t operation) {
  Script out = empty();
  const bool several = operations_[operation].what == What::kUnderWay;
  const std::size_t each = several ? std::min(kCalls, calls_.size()) : 1;
  for (std::size_t i = 0; i < kTimes; i += each) append(out, operations_[operation], false);
  return out;
}

void Walks::note(Held& held, std::size_t a, std::size_t b, std::size_t c) const {
  const std::size_t k = operations_.size();
  const auto is_new = [](std::vector<bool>& all, std::size_t at) {
    const bool was = all[at];
    all[at] = true;
    return !was;
  };
  const Operation &first = operations_[a], &second = operations_[b], &third = operations_[c];
  held.left -= is_new(held.pairs, b * k + c);
  const bool plain = !first.of_replies() && !second.of_replies() && !third.of_replies();
  const std::size_t names = first.called * names_ + second.called;
  if (is_new(held.names, names * names_ + third.called)) {
    held.names_left -= plain;
    --held.names_behind[names];
  }
  if (!is_new(held.triples, (a * k + b) * k + c)) return;
  --held.left;
  --held.behind[a * k + b];
  held.plain_left -= plain;
}

// What is made of replies has to wait for them, which costs more than all the rest.
bool Walks::fits(std::size_t operation) const {
  return takes_replies_ || !operations_[operation].of_replies();
}

std::size_t Walks::any() {
  std::size_t out = random_.below(operations_.size());
  while (!fits(out)) out = random_.below(operations_.size());
  return out;
}

// What c behind a and b adds to what was held.
std::size_t Walks::gain(const Held& held, std::size_t a, std::size_t b, std::size_t c) const {
  const std::size_t k = operations_.size();
  const Operation &first = operations_[a], &second = operations_[b], &third = operations_[c];
  const std::size_t weight = 1 + (first.changes + second.changes + third.changes);
  std::size_t out = held.pairs[b * k + c] ? 0 : kPair;
  if (!held.triples[(a * k + b) * k + c]) out += weight;
  if (!held.names[(first.called * names_ + second.called) * names_ + third.called])
    out += kOfNames * weight;
  return out;
}

// That which adds most; of those that add as much, any of those behind which most is left.
std::size_t Walks::after(const Held& held, std::size_t before, std::size_t last) {
  const std::size_t k = operations_.size();
  std::size_t best = 0, ties = 0;
  std::pair<std::size_t, std::size_t> most{0, 0};
  for (std::size_t c = 0; c < k; ++c) {
    if (!fits(c)) continue;
    const std::size_t names = operations_[last].called * names_ + operations_[c].called;
    const std::pair now{gain(held, before, last, c),
                        held.behind[last * k + c] + kOfNames * held.names_behind[names]};
    if (now < most) continue;
    ties = now > most ? 1 : ties + 1;
    if (random_.one_in(ties)) best = c;
    most = now;
  }
  return best;
}

Script Walks::next() {
  ++number_;
  Script out = empty();
  if (operations_.empty()) return out;
  const std::size_t k = operations_.size();
  // What takes a start of the server each time is not repeated here.
  while (repeated_ < k && operations_[repeated_].what == What::kClose) ++repeated_;
  if (repeated_ < k) return many_times(repeated_++);
  const bool names_first = in_flight_.names_left > 0;
  const bool together = names_first ? number_ % kFirstApart != 0 : number_ % 2 != 0;
  Held& held = together ? in_flight_ : one_by_one_;
  const bool by_chance = held.left == 0;
  const bool has_turn = ++held.walks % kEachOfReplies == 0 && !(together && names_first);
  takes_replies_ = has_turn || held.plain_left == 0;
  const std::size_t length = together && !takes_replies_ ? kTogether : kLength;
  std::size_t before = any(), last = any();
  append(out, operations_[before], !together);
  append(out, operations_[last], !together);
  for (std::size_t i = 2; i < length; ++i) {
    std::size_t next = by_chance ? any() : after(held, before, last);
    if (by_chance && !operations_[next].changes && random_.one_in(2)) next = any();
    append(out, operations_[next], !together);
    note(held, before, last, next);
    before = std::exchange(last, next);
  }
  return out;
}

}  // namespace fuzz
