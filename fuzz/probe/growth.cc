// SPDX-License-Identifier: Apache-2.0
// Growth: one message over and over on one session, the processes measured between blocks. It is
// only a leak when it goes on beyond what a runtime may let pile up, and when a benign request in
// its place takes surely less. Mostly a few blocks show that nothing grows.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "fuzz/probe/answered.h"
#include "fuzz/probe/families.h"
#include "fuzz/probe/processes.h"
#include "fuzz/probe/statistics.h"
#include "harness/json/write.h"
#include "harness/wire/message.h"

namespace fuzz {
namespace {

using harness::session::awaitable;
namespace json = harness::json;

constexpr std::size_t kLargest = 4096;  // bytes of the message
constexpr std::size_t kCopies = 64;     // of it in one play
constexpr std::size_t kCopiesHttp = 8;  // each has a connection there
constexpr int kPlays = 4;               // in the first blocks; more when it grows on
constexpr int kWarmUp = 2;              // blocks that do not count: caches fill, buffers grow
constexpr std::size_t kGlance = 4;      // blocks after which most are done with
constexpr std::size_t kEnough = 12;     // blocks that prove something
constexpr std::size_t kMostFrames = 400'000;
constexpr double kFewBytes = 8;                   // a frame; what is less counts for nothing
constexpr std::chrono::milliseconds kQuick{100};  // for one
constexpr std::chrono::seconds kLongest{15};      // for all blocks: a slow server is let off
constexpr double kMany = 64;                      // descriptors or threads

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

// Methods that only read.
constexpr std::string_view kReads[] = {
    "ping",           "tools/list",   "resources/list", "resources/templates/list",
    "resources/read", "prompts/list", "prompts/get",    "completion/complete",
    "server/discover"};

bool reads(const Frame& frame) {
  const std::optional<json::Value> request = request_in(frame);
  return request && std::find(std::begin(kReads), std::end(kReads),
                              request->find("method")->text) != std::end(kReads);
}

Script block_of(const Frame& frame, std::size_t copies) {
  Script out;
  for (std::size_t i = 0; i < copies; ++i) out.steps.emplace_back(frame);
  return out;
}

struct Course {
  std::vector<Usage> levels;  // before the first block and after each that counts
  std::size_t frames = 0;     // of one block
  Played last;
  bool sound = false;
};

std::vector<double> of(const Course& course, const Resource& resource) {
  std::vector<double> out;
  for (const Usage& usage : course.levels) out.push_back(usage.*resource.level);
  return out;
}

// Plays blocks until `enough` says so.
template <class Enough>
awaitable<Course> repeated(Stage& stage, Script block, int plays, Enough enough) {
  Course out;
  const Script nothing;  // opens a session where there is none
  std::optional<Played> opened = co_await stage.play(nothing);
  const Processes processes(stage.process_group());
  if (!opened || processes.empty()) co_return out;
  out.frames = block.steps.size() * static_cast<std::size_t>(plays);
  const auto began = std::chrono::steady_clock::now();
  for (int number = 0;; ++number) {
    for (int i = 0; i < plays; ++i) {
      if (std::chrono::steady_clock::now() - began > kLongest) co_return out;
      std::optional<Played> played = co_await stage.play(block);
      if (!played || played->ending != Ending::kAnswered || played->withheld > 0) co_return out;
      out.last = std::move(*played);
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

bool grows(const Course& course, const Resource& resource) {
  const Growth growth = growth_of(of(course, resource));
  const double least = resource.per_frame * static_cast<double>(course.frames);
  return growth.goes_on && growth.step.mean > least && growth.total > 0;
}

// The growth that counts: beyond what may pile up, without a sign of an end.
bool proves(const Course& course, const Resource& resource, double slack) {
  const Growth growth = growth_of(of(course, resource));
  return growth.goes_on && growth.step.low > 0 && growth.total > slack;
}

Frame benign(const Stage& stage) {
  const harness::spec::Canary canary = harness::spec::canary_of(stage.profile());
  json::Value request = json::object({{"jsonrpc", json::string("2.0")},
                                      {"id", json::string("growth")},
                                      {"method", json::string(canary.method)}});
  if (!canary.params.is_null()) request.set("params", canary.params);
  Frame out;
  out.bytes = json::write(request);
  return out;
}

}  // namespace

std::optional<Script> suspect_growth(const Script& script, const Played& played,
                                     const Setting& setting, Random& random) {
  if (!setting.local) return std::nullopt;
  Script fit = refused_part(script, played);
  for (const Step& step : script.steps)
    if (const auto* frame = std::get_if<Frame>(&step);
        frame != nullptr && usually_sent(*frame) && reads(*frame))
      fit.steps.push_back(step);
  std::erase_if(fit.steps,
                [](const Step& step) { return std::get<Frame>(step).bytes.size() > kLargest; });
  if (fit.steps.empty()) return std::nullopt;
  return Script{"", "", {random.pick(fit.steps)}};
}

awaitable<std::optional<Sight>> look_at_growth(Stage& stage, const Script& suspect) {
  std::optional<Sight> none;
  if (suspect.steps.size() != 1) co_return none;
  const auto* frame = std::get_if<Frame>(&suspect.steps.front());
  if (frame == nullptr || !usually_sent(*frame) || frame->bytes.size() > kLargest) co_return none;
  // What it does has to leave nothing behind.
  stage.new_session();
  const Script nothing;
  std::optional<Played> opened = co_await stage.play(nothing);
  if (!opened) co_return none;
  std::optional<Played> first = co_await stage.play(suspect);
  const bool harmless = first && (all_refused(suspect, *first) || reads(*frame));
  if (!harmless || first->ending != Ending::kAnswered || first->took > kQuick) co_return none;
  const std::size_t copies = stage.over_http() ? kCopiesHttp : kCopies;
  const Script block = block_of(*frame, copies);
  // A glance.
  const auto glanced = [](const Course& course) { return course.levels.size() > kGlance; };
  const Course glance = co_await repeated(stage, block, kPlays, glanced);
  if (!glance.sound) co_return none;
  std::vector<const Resource*> suspects;
  for (const Resource& resource : kResources)
    if (grows(glance, resource)) suspects.push_back(&resource);
  if (suspects.empty()) co_return none;
  const std::optional<double> slack = Processes(stage.process_group()).slack();
  for (const Resource* resource : suspects) {
    const bool memory = resource->level == &Usage::memory;
    if (memory && !slack) continue;
    const double floor = memory ? *slack : kMany;
    // As many plays a block as make the growth so far exceed the floor in `kEnough` blocks, and
    // half as many again.
    const double step = growth_of(of(glance, *resource)).step.mean;
    const double blocks = 1.5 * floor / step / static_cast<double>(kEnough);
    const int plays = std::max(kPlays, static_cast<int>(blocks * kPlays) + 1);
    if (static_cast<std::size_t>(plays) * copies * (kEnough + kWarmUp) > kMostFrames) continue;
    const auto proved = [&](const Course& course) {
      // Early: what no longer grows is no suspect any more.
      if (course.levels.size() == kEnough / 2 && !grows(course, *resource)) return true;
      return course.levels.size() > kEnough;
    };
    stage.new_session();
    Course course = co_await repeated(stage, block, plays, proved);
    if (!course.sound || !proves(course, *resource, floor)) continue;
    const Script other = block_of(benign(stage), copies);
    stage.new_session();
    const Course control = co_await repeated(stage, other, plays, proved);
    if (!control.sound) continue;
    const Growth here = growth_of(of(course, *resource));
    const Growth there = growth_of(of(control, *resource));
    if (here.step.low <= there.step.high) continue;
    const auto frames = static_cast<double>(course.frames);
    const char* unit = memory ? " bytes" : "";
    std::vector<std::uint64_t> proof;
    for (const auto& one : course.last.stretches.back().transcript->frames)
      if (proof.size() < 2) proof.push_back(one.seq);
    std::optional<Problem> problem = stage.problem(
        "growth", {"robust.no-growth"},
        std::string("the same ") + resource->name + " after many repetitions as after a few",
        fmt::format(
            "{} grown by {:.3g}{} each time ({:.3g} to {:.3g}, 99 %), {:.3g}{} after {} times, "
            "and by at most {:.3g} for a benign request",
            resource->name, here.step.mean / frames, unit, here.step.low / frames,
            here.step.high / frames, here.total, unit, course.frames * (course.levels.size() - 1),
            there.step.high / frames),
        resource->name, std::move(proof));
    if (!problem) continue;
    problem->stretch = course.last.stretches.size() - 1;
    std::optional<Sight> sight;
    sight.emplace();
    sight->problem = std::move(*problem);
    sight->played = std::move(course.last);
    co_return sight;
  }
  co_return none;
}

}  // namespace fuzz
