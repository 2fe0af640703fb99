// SPDX-License-Identifier: Apache-2.0
// Growth: one message over and over on one session, the processes measured between blocks. It is
// only a leak when it goes on beyond what a runtime may let pile up, and when something benign in
// its place takes surely less. Mostly a few blocks of many suspects at once show that nothing
// grows; where something does, halves of them tell which.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "fuzz/script/steps.h"
#include "fuzz/stateful/answered.h"
#include "fuzz/stateful/check_table.h"
#include "fuzz/stateful/processes.h"
#include "fuzz/stateful/statistics.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/spec/protocol.h"
#include "harness/wire/message.h"

namespace fuzz {
namespace {

using harness::session::awaitable;
namespace json = harness::json;

constexpr std::size_t kLargestGrown = 4096;  // bytes of the message
constexpr std::size_t kCopiesGrown = 64;     // of it in one play
constexpr std::size_t kCopiesHttp = 8;       // each has a connection there
constexpr int kPlays = 4;                    // in the first blocks; more when it grows on
constexpr std::size_t kWarmUp = 2;           // blocks that do not count: caches fill, buffers grow
constexpr std::size_t kGlance = 4;           // blocks after which most are done with
constexpr std::size_t kEnough = 12;          // blocks that prove something
constexpr std::size_t kMostFramesGrown = 400'000;
constexpr double kFewBytes = 8;                         // a frame; what is less counts for nothing
constexpr std::chrono::milliseconds kQuickGrowth{100};  // for one
constexpr std::chrono::seconds kLongestGrown{15};       // for all blocks: a slow server is let off
constexpr double kMany = 64;                            // descriptors or threads

struct Resource {
  const char* name;
  double Usage::*level;
  double per_frame;  // growth that is worth a longer look
};
constexpr Resource kResources[] = {
    {"descriptors", &Usage::descriptors, 0.01},
    {"threads", &Usage::threads, 0.01},
    {"memory", &Usage::memory, kFewBytes},  // which the others take as well
};

// Whether it asks for what changes nothing, in whatever revision.
bool reads(const Frame& frame) {
  const std::optional<json::Value> request = request_in(frame);
  if (!request) return false;
  const harness::spec::MessageRow* row =
      harness::spec::protocol().find(request->find("method")->text);
  return row && row->from_client() && row->safe;
}

// What is repeated: a message, or what undoes itself.
using Unit = std::vector<Step>;

// Of all in turn, each at least once.
Script block_of(const std::vector<Unit>& units, std::size_t copies) {
  Script out;
  const std::size_t rounds = std::max<std::size_t>(copies / units.size(), 1);
  for (std::size_t i = 0; i < rounds; ++i)
    for (const Unit& unit : units) append(out, Script{"", {}, unit});
  return out;
}

struct Course {
  std::vector<Usage> levels;  // before the first block and after each that counts
  std::size_t frames = 0;     // of one block
  Execution last;
  bool sound = false;
};

std::vector<double> of(const Course& course, const Resource& resource) {
  std::vector<double> out;
  for (const Usage& usage : course.levels) out.push_back(usage.*resource.level);
  return out;
}

// Plays blocks until `enough` says so, which may take `most`. Nothing is begun that would not end
// in time, when as much has to follow as often as `again` says.
template <class Enough>
awaitable<Course> repeated(CheckContext& context, Script block, int plays, std::size_t most,
                           int again, Enough enough) {
  Course out;
  const Script nothing;  // opens a session where there is none
  std::optional<Execution> opened = co_await context.play(nothing);
  const Processes processes(context.process_group());
  if (!opened || processes.empty()) co_return out;
  out.frames = block.steps.size() * static_cast<std::size_t>(plays);
  const std::size_t all = (most + kWarmUp) * static_cast<std::size_t>(plays);
  const auto began = std::chrono::steady_clock::now();
  const auto time = context.time_left() / (again + 1);
  const auto too_long = [&](std::chrono::steady_clock::duration taken) {
    if (taken > time && taken <= kLongestGrown) context.put_off();
    return taken > std::min<std::chrono::steady_clock::duration>(time, kLongestGrown);
  };
  for (std::size_t number = 0;; ++number) {
    for (int i = 0; i < plays; ++i) {
      if (too_long(std::chrono::steady_clock::now() - began)) co_return out;
      std::optional<Execution> execution = co_await context.play(block);
      if (!execution || execution->ending != Ending::kAnswered || execution->withheld > 0)
        co_return out;
      out.last = std::move(*execution);
      const bool first = number == 0 && i == 0;
      if (first && too_long(out.last.took * all)) co_return out;
    }
    if (number + 1 < kWarmUp) continue;
    const std::optional<Usage> usage = processes.usage();
    if (!usage) co_return out;
    out.levels.push_back(*usage);
    if (enough(out)) break;
  }
  out.sound = true;
  co_return out;
}

// `among`: so many different messages are repeated, of which one is enough.
bool grows(const Course& course, const Resource& resource, std::size_t among = 1) {
  const Growth growth = growth_of(of(course, resource));
  const double least =
      resource.per_frame * static_cast<double>(course.frames) / static_cast<double>(among);
  return growth.goes_on && growth.step.mean > least && growth.total > 0;
}

// The growth that counts: beyond what may pile up, without a sign of an end.
bool proves(const Course& course, const Resource& resource, double slack) {
  const Growth growth = growth_of(of(course, resource));
  return growth.goes_on && growth.step.low > 0 && growth.total > slack;
}

// A stream that is asked for by GET, which is left when the script that asked is over.
bool is_stream(const Unit& unit) {
  const auto* frame = unit.size() == 1 ? std::get_if<Frame>(&unit.front()) : nullptr;
  return frame != nullptr && frame->delivery.http_method == "GET";
}

struct Rhythm {
  std::size_t copies = 1;  // in one play
  int plays = kPlays;      // in the first blocks
};
Rhythm rhythm_of(const CheckContext& context, const Unit& unit) {
  if (is_stream(unit)) return {1, kPlays * static_cast<int>(kCopiesHttp)};
  return {context.over_http() ? kCopiesHttp : kCopiesGrown};
}

// What leaves nothing behind on a sound server: a request that is known to be answered. Where its
// answer is an error, that may be what leaks: a notification then.
awaitable<Frame> benign(CheckContext& context) {
  const harness::spec::Canary canary = harness::spec::canary_of(context.profile());
  json::Value request = json::object({{"jsonrpc", json::string("2.0")},
                                      {"id", json::string("growth")},
                                      {"method", json::string(canary.method)}});
  if (!canary.params.is_null()) request.set("params", canary.params);
  Frame out;
  out.bytes = json::write(request);
  Script once;
  once.steps.emplace_back(out);
  std::optional<Execution> execution = co_await context.play(once);
  if (execution && all_refused(once, *execution, context.profile())) {
    std::erase_if(request.members, [](const json::Member& one) { return one.name == "id"; });
    out.bytes = json::write(request);
  }
  co_return out;
}

// Those that have to leave nothing behind, and are answered quickly.
awaitable<std::vector<Unit>> harmless(CheckContext& context, const Script& suspects) {
  std::vector<Unit> out;
  for (const Step& step : suspects.steps) {
    const auto* frame = std::get_if<Frame>(&step);
    if (frame == nullptr || !usually_sent(*frame) || frame->bytes.size() > kLargestGrown) continue;
    Script alone;
    alone.steps.push_back(step);
    std::optional<Execution> execution = co_await context.play(alone);
    if (!execution || execution->ending != Ending::kAnswered || execution->took > kQuickGrowth)
      continue;
    if (all_refused(alone, *execution, context.profile()) || reads(*frame)) out.push_back({step});
  }
  co_return out;
}

// A few blocks of them; what of the processes grew, if anything.
struct Glance {
  Course course;
  std::vector<const Resource*> suspects;
};

awaitable<Glance> glance_at(CheckContext& context, const std::vector<Unit>& units) {
  const auto glanced = [](const Course& course) { return course.levels.size() > kGlance; };
  Glance out;
  const Rhythm rhythm = rhythm_of(context, units.front());
  Script block = block_of(units, rhythm.copies);
  out.course = co_await repeated(context, std::move(block), rhythm.plays, kGlance, 0, glanced);
  if (!out.course.sound) co_return out;
  for (const Resource& resource : kResources)
    if (grows(out.course, resource, units.size())) out.suspects.push_back(&resource);
  co_return out;
}

// Three digits, or all before the point.
std::string rounded(double number) {
  return std::abs(number) < 999.5 ? fmt::format("{:.3g}", number) : fmt::format("{:.0f}", number);
}

// In earnest. The last play of it when it grows as nothing benign does.
awaitable<std::optional<CheckResult>> proved(CheckContext& context, const char* check,
                                             const Unit& unit, const Glance& glance,
                                             const Resource& resource) {
  std::optional<CheckResult> result;
  const bool memory = resource.level == &Usage::memory;
  const std::optional<double> slack = Processes(context.process_group()).slack();
  if (memory && !slack) co_return result;
  const double floor = memory ? *slack : kMany;
  // As many plays a block as make the growth so far exceed the floor in `kEnough` blocks, and
  // half as many again.
  const double step = growth_of(of(glance.course, resource)).step.mean;
  const double blocks = 1.5 * floor / step / static_cast<double>(kEnough);
  const auto [copies, least] = rhythm_of(context, unit);
  const int plays = std::max(least, static_cast<int>(blocks * least) + 1);
  if (static_cast<std::size_t>(plays) * copies * (kEnough + kWarmUp) > kMostFramesGrown)
    co_return result;
  const auto enough = [&](const Course& course) {
    // Early: what no longer grows is no suspect any more.
    if (course.levels.size() == kEnough / 2 && !grows(course, resource)) return true;
    return course.levels.size() > kEnough;
  };
  context.new_session();
  Script block = block_of(std::vector<Unit>(1, unit), copies);
  Course course = co_await repeated(context, std::move(block), plays, kEnough, 1, enough);
  if (!course.sound || !proves(course, resource, floor)) co_return result;
  context.new_session();
  // In between as much is asked as there: a server may remember each id.
  const Frame other = co_await benign(context);
  Unit likewise = unit;
  std::erase_if(likewise, [](const Step& one) { return std::holds_alternative<Close>(one); });
  for (Step& one : likewise)
    if (std::holds_alternative<Frame>(one)) one = other;
  Script others = block_of(std::vector<Unit>(1, std::move(likewise)), copies);
  const Course control = co_await repeated(context, std::move(others), plays, kEnough, 0, enough);
  if (!control.sound) co_return result;
  const Growth here = growth_of(of(course, resource));
  const Growth there = growth_of(of(control, resource));
  if (here.step.low <= there.step.high) co_return result;
  const std::size_t times = copies * static_cast<std::size_t>(plays);  // of the unit in a block
  const auto each = static_cast<double>(times);
  const char* bytes = memory ? " bytes" : "";
  std::vector<std::uint64_t> proof;
  for (const auto& one : course.last.slices.back().transcript->frames)
    if (proof.size() < 2) proof.push_back(one.seq);
  std::optional<Problem> problem = context.problem(
      check, {"robust.no-growth"},
      std::string("the same ") + resource.name + " after many repetitions as after a few",
      fmt::format("{} grown by {}{} each time ({} to {}, 99 %), {}{} after {} "
                  "times, and by at most {} for a benign message",
                  resource.name, rounded(here.step.mean / each), bytes,
                  rounded(here.step.low / each), rounded(here.step.high / each),
                  rounded(here.total), bytes, times * (course.levels.size() - 1),
                  rounded(there.step.high / each)),
      resource.name, std::move(proof));
  if (!problem) co_return result;
  problem->slice = course.last.slices.size() - 1;
  result.emplace();
  result->problem = std::move(*problem);
  result->execution = std::move(course.last);
  result->suspect.steps = unit;
  co_return result;
}

}  // namespace

std::optional<Script> suspect_growth(const Script& script, const Execution& execution,
                                     const CheckTarget& target, Random& random) {
  if (!target.local) return std::nullopt;
  Script fit = refused_part(script, execution, target.profile);
  for (const Step& step : script.steps)
    if (const auto* frame = std::get_if<Frame>(&step);
        frame != nullptr && usually_sent(*frame) && reads(*frame))
      fit.steps.push_back(step);
  std::erase_if(fit.steps, [](const Step& step) {
    return std::get<Frame>(step).bytes.size() > kLargestGrown;
  });
  if (fit.steps.empty()) return std::nullopt;
  return Script{"", {}, {random.pick(fit.steps)}};
}

awaitable<std::optional<CheckResult>> look_at_growth(CheckContext& context, const Script& suspect) {
  std::optional<CheckResult> none;
  context.new_session();
  const Script nothing;
  std::optional<Execution> opened = co_await context.play(nothing);
  if (!opened) co_return none;
  std::vector<Unit> units = co_await harmless(context, suspect);
  if (units.empty()) co_return none;
  Glance glance = co_await glance_at(context, units);
  while (units.size() > 1 && !glance.suspects.empty()) {
    const auto middle = units.begin() + static_cast<std::ptrdiff_t>(units.size() / 2);
    const std::vector<Unit> first(units.begin(), middle);
    const std::vector<Unit> rest(middle, units.end());
    units = first;
    glance = co_await glance_at(context, units);
    if (!glance.suspects.empty()) continue;
    units = rest;
    glance = co_await glance_at(context, units);
  }
  for (const Resource* resource : glance.suspects) {
    std::optional<CheckResult> result =
        co_await proved(context, "growth", units.front(), glance, *resource);
    if (result) co_return result;
  }
  co_return none;
}

// ---------------------------------------------------------------------------------- what has ended

namespace {

// A request with this method in place of its own.
std::optional<Frame> with_method(const Frame& frame, const char* method) {
  std::optional<json::Value> request = request_in(frame);
  if (!request) return std::nullopt;
  request->set("method", json::string(method));
  return Frame{json::write(*request), {}};
}

// A session ends with its connection, or, where it has a name of its own, when its end was
// accepted: a server may as well say that it ends sessions in its own time.
awaitable<bool> ends_sessions(CheckContext& context) {
  if (!context.over_http() || context.profile().era != harness::spec::Era::kHandshake)
    co_return true;
  Frame end = co_await benign(context);
  end.delivery.http_method = "DELETE";
  Script script;
  script.steps.emplace_back(std::move(end));
  context.new_session();
  std::optional<Execution> execution = co_await context.play(script);
  context.new_session();
  if (!execution || execution->slices.empty()) co_return false;
  const auto& frames = execution->slices.front().transcript->frames;
  for (const auto& sent : frames) {
    if (!sent.head || sent.head->method != "DELETE") continue;
    co_return std::any_of(frames.begin(), frames.end(), [&](const auto& one) {
      return one.exchange == sent.exchange && one.head && one.head->status / 100 == 2;
    });
  }
  co_return false;
}

// What is opened, ended, and asked again whether it is there yet.
constexpr std::string_view kListen = "subscriptions/listen";
constexpr std::string_view kForgotten = "tasks/get";
constexpr const char* kTaskMade = "/result/task/taskId";
constexpr int kExpiry = 10;  // milliseconds until a task that may go after one is looked for

std::string method_of(const Frame& frame) {
  const harness::wire::Message message = harness::wire::read_message(frame.bytes);
  const json::Value* method = message.value.find("method");
  return method != nullptr && method->is_string() ? method->text : "";
}

bool may_make_tasks(const harness::spec::Profile& profile) {
  const harness::spec::MessageRow* row = harness::spec::protocol().find("tasks/result");
  return row != nullptr && row->reach.has(profile);
}

Frame task_request(const json::Value& call, const char* method) {
  json::Value request = call;
  request.set("method", json::string(method));
  request.set("params", json::object({{"taskId", json::string("${1/result/task/taskId}")}}));
  return {json::write(request), {}};
}

// A task that is ended, unless it is over by then, and that nobody wants any more; in the end it is
// asked for.
std::vector<Step> task_of(const json::Value& call) {
  return {Frame{json::write(call), {}},
          Sync{},
          task_request(call, "tasks/cancel"),
          Sync{},
          Pause{kExpiry},
          task_request(call, "tasks/get")};
}

std::vector<Step> listening_of(const Frame& listen, const json::Value& request) {
  json::Value params = json::object({{"requestId", *request.find("id")}});
  if (const json::Value* meta = json::at(request, "/params/_meta")) params.set("_meta", *meta);
  const json::Value end = json::object({{"jsonrpc", json::string("2.0")},
                                        {"method", json::string("notifications/cancelled")},
                                        {"params", std::move(params)}});
  return {listen, Frame{json::write(end), {}}};
}

bool was_told(const Execution& execution, std::string_view method) {
  for (const auto& slice : execution.slices)
    for (std::size_t i = 0; i < slice.messages.size(); ++i) {
      const json::Value* told = slice.messages[i].value.find("method");
      if (told != nullptr && told->text == method) return true;
    }
  return false;
}

// What was asked came to what opens or ends something: a result, as a rule; a task has to be one,
// and the server to say in the end that there is none.
bool ends_what_it_opens(const Unit& unit, const Execution& execution, const Answered& answered) {
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const auto* frame = std::get_if<Frame>(&unit[i]);
    if (frame == nullptr) continue;
    const std::string method = method_of(*frame);
    const std::string came = class_of(answered.to(i));
    if (method == kForgotten) {
      if (came != "error -32602") return false;
    } else if (method == "tasks/cancel") {
      if (came == "nothing") return false;
    } else if (method == kListen) {
      if (!was_told(execution, "notifications/subscriptions/acknowledged")) return false;
    } else if (request_in(*frame)) {
      if (came != "result") return false;
      const bool task = frame->bytes.find("\"task\"") != std::string::npos;
      if (task && json::at(*answered.to(i).messages.front(), kTaskMade) == nullptr) return false;
    }
  }
  return true;
}

// What was opened once more and over and over, and what it left behind.
awaitable<std::optional<CheckResult>> look_at_leftovers(CheckContext& context, const char* check,
                                                        Unit unit) {
  const std::vector<Unit> alone(1, std::move(unit));
  const Glance glance = co_await glance_at(context, alone);
  for (const Resource* resource : glance.suspects) {
    std::optional<CheckResult> result =
        co_await proved(context, check, alone.front(), glance, *resource);
    if (result) co_return result;
  }
  co_return std::nullopt;
}

// An event stream came, and we left it.
bool was_stream(const Execution& execution) {
  if (execution.slices.size() != 1) return false;
  const auto& frames = execution.slices.front().transcript->frames;
  for (const auto& sent : frames) {
    if (!sent.head || sent.head->method != "GET") continue;
    const auto on_it = [&](const auto& is) {
      return std::any_of(frames.begin(), frames.end(),
                         [&](const auto& one) { return one.exchange == sent.exchange && is(one); });
    };
    return on_it([](const auto& one) { return one.head && one.head->status == 200; }) &&
           on_it([](const auto& one) {
             return one.channel == harness::wire::Channel::kClose && one.bytes == "hung up";
           });
  }
  return false;
}

awaitable<bool> undoes_itself(CheckContext& context, const Unit& unit) {
  Script once;
  once.steps = unit;
  std::optional<Execution> execution = co_await context.play(once);
  if (!execution || execution->ending != Ending::kAnswered || execution->took > 2 * kQuickGrowth)
    co_return false;
  const Answered answered(*execution, context.profile());
  co_return ends_what_it_opens(unit, *execution, answered);
}

// What opens something, and its end.
bool is_whole(const Unit& unit) {
  const auto* opens = unit.empty() ? nullptr : std::get_if<Frame>(&unit.front());
  const auto* ends = unit.empty() ? nullptr : std::get_if<Frame>(&unit.back());
  if (opens == nullptr) return false;
  if (std::holds_alternative<Close>(unit.back())) return true;
  if (ends == nullptr) return false;
  const harness::wire::Message first = harness::wire::read_message(opens->bytes);
  const harness::wire::Message last = harness::wire::read_message(ends->bytes);
  const std::string how = method_of(*opens), end = method_of(*ends);
  const auto same = [&](const char* one, const char* other) {
    const json::Value* a = json::at(first.value, one);
    const json::Value* b = json::at(last.value, other);
    return a != nullptr && b != nullptr && json::write(*a) == json::write(*b);
  };
  if (how == "resources/subscribe")
    return end == "resources/unsubscribe" && same("/params/uri", "/params/uri");
  if (how == kListen) return end == "notifications/cancelled" && same("/id", "/params/requestId");
  const auto* cancel = unit.size() < 3 ? nullptr : std::get_if<Frame>(&unit[2]);
  return end == kForgotten && json::at(first.value, "/params/task") != nullptr &&
         cancel != nullptr && method_of(*cancel) == "tasks/cancel";
}

// What is repeated of it: that it is over need not be asked each time.
Unit without_last_look(Unit unit) {
  const auto* last = std::get_if<Frame>(&unit.back());
  if (last != nullptr && method_of(*last) == kForgotten) unit.resize(unit.size() - 3);
  return unit;
}

}  // namespace

std::optional<Script> suspect_renewal(const Script& script, const Execution&,
                                      const CheckTarget& target, Random&) {
  if (!target.local || script.steps.size() != 1) return std::nullopt;
  const auto* frame = std::get_if<Frame>(&script.steps.front());
  const std::optional<json::Value> request = frame ? request_in(*frame) : std::nullopt;
  if (!request || frame->bytes.size() > kLargestGrown) return std::nullopt;
  const std::string& method = request->find("method")->text;
  Script out;
  if (method == "resources/subscribe") {
    out.steps = {*frame, Sync{}, *with_method(*frame, "resources/unsubscribe")};
  } else if (method == "tools/call" && json::at(*request, "/params/task") != nullptr &&
             may_make_tasks(target.profile)) {
    out.steps = task_of(*request);
  } else if (method == kListen && !harness::wire::traits_of(target.transport).http) {
    out.steps = listening_of(*frame, *request);
  } else if (method == harness::spec::canary_of(target.profile).method &&
             !harness::wire::traits_of(target.transport).process) {
    out.steps = {*frame, Close{}};
  } else {
    return std::nullopt;
  }
  return out;
}

awaitable<std::optional<CheckResult>> look_at_renewal(CheckContext& context,
                                                      const Script& suspect) {
  std::optional<CheckResult> none;
  const Unit unit = suspect.steps;
  const bool closes = std::any_of(unit.begin(), unit.end(), [](const Step& step) {
    return std::holds_alternative<Close>(step);
  });
  if (!is_whole(unit)) co_return none;
  context.new_session();
  if (closes) {
    const bool ends = co_await ends_sessions(context);
    if (!ends) co_return none;
  }
  const bool undoes = co_await undoes_itself(context, unit);
  if (!undoes) co_return none;
  std::optional<CheckResult> result =
      co_await look_at_leftovers(context, "renewal", without_last_look(unit));
  if (result) result->suspect.steps = unit;
  co_return result;
}

std::optional<Script> suspect_streams(const Script& script, const Execution&,
                                      const CheckTarget& target, Random&) {
  const bool may_listen = target.local && target.profile.mcp &&
                          target.transport == harness::wire::TransportKind::kHttp &&
                          target.profile.era == harness::spec::Era::kHandshake;
  if (!may_listen || !is_stream(script.steps)) return std::nullopt;
  return std::get<Frame>(script.steps.front()).bytes.empty() ? std::optional(script) : std::nullopt;
}

awaitable<std::optional<CheckResult>> look_at_streams(CheckContext& context,
                                                      const Script& suspect) {
  std::optional<CheckResult> none;
  if (!is_stream(suspect.steps)) co_return none;
  context.new_session();
  const std::optional<Execution> once = co_await context.play(suspect);
  if (!once || once->ending != Ending::kAnswered || once->took > 2 * kQuickGrowth) co_return none;
  if (!was_stream(*once)) co_return none;
  std::optional<CheckResult> result = co_await look_at_leftovers(context, "streams", suspect.steps);
  if (result) result->suspect = suspect;
  co_return result;
}

}  // namespace fuzz
