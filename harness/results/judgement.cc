// SPDX-License-Identifier: Apache-2.0
#include "harness/results/judgement.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "harness/oracle/finding_words.h"
#include "harness/oracle/last_words.h"
#include "harness/oracle/oracle.h"
#include "harness/results/oracle_ledger.h"
#include "harness/wire/message.h"

namespace harness::run {
namespace {

constexpr std::size_t kHeavyEvidence = 64 << 10;
// What is kept of heavier evidence: frames at either end, and bytes of a frame when all together
// are beyond what is light.
constexpr std::size_t kOutermost = 200;
constexpr std::size_t kShortFrame = 256;
constexpr std::size_t kLightEvidence = 256 << 10;
constexpr int kMostAlike = 50;          // findings of one oracle about one clause, in a case
constexpr std::size_t kLastFrames = 4;  // that are shown for the end of a process

std::shared_ptr<const wire::Transcript> joined(const std::vector<trace::Slice>& slices) {
  if (slices.empty()) return nullptr;
  if (slices.size() == 1) return slices.front().transcript;
  auto all = std::make_shared<wire::Transcript>(*slices.front().transcript);
  for (std::size_t i = 1; i < slices.size(); ++i)
    all->frames.insert(all->frames.end(), slices[i].transcript->frames.begin(),
                       slices[i].transcript->frames.end());
  return all;
}

// Reads what came since the slice was taken, on a connection that was given back before the case
// was over.
void read_the_rest(trace::Slice& slice) {
  const auto& frames = slice.transcript->frames;
  for (std::size_t i = slice.messages.size(); i < frames.size(); ++i)
    slice.messages.push_back(wire::carries_message(frames[i])
                                 ? wire::read_shared(frames[i].bytes)
                                 : std::make_shared<const wire::Message>());
}

// Whether anything was asked beyond the handshake, and whether a reply came after it.
void look_for_replies(const oracle::Evidence& evidence, Judgement& judgement) {
  bool asked = false;
  for (std::size_t i = 0; i < evidence.messages.size(); ++i) {
    const wire::Frame& frame = evidence.transcript.frames[i];
    if (frame.direction == wire::Direction::kSent) {
      asked |= wire::carries_message(frame) && frame.bytes.find("initialize") == std::string::npos;
    } else if (asked) {
      judgement.answered |= frame.channel == wire::Channel::kHttp ||
                            evidence.messages[i].is_reply() ||
                            evidence.messages[i].kind == wire::MessageKind::kBatch;
    }
  }
  judgement.asked |= asked;
}

// A thousand answers to one message show no more than the first of them and the last.
void shorten(oracle::Finding& finding) {
  constexpr std::size_t kMostFrames = 64;
  if (finding.frames.size() <= kMostFrames) return;
  finding.frames[kMostFrames - 1] = finding.frames.back();
  finding.frames.resize(kMostFrames);
}

Verdict verdict_of(const PlayedCase& played) {
  if (!played.not_applicable.empty()) return Verdict::kNotApplicable;
  if (!played.inconclusive.empty()) return Verdict::kInconclusive;
  return worst_of(played.findings);
}

bool reuses_ids(const trace::Slice& slice) {
  const auto& frames = slice.transcript->frames;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const wire::Message& message = slice.messages[i];
    if (frames[i].direction == wire::Direction::kSent &&
        message.kind == wire::MessageKind::kRequest && slice.earlier_ids.contains(message.key))
      return true;
  }
  return false;
}

}  // namespace

Judgement judge_played(PlayedCase played, const spec::Profile& profile,
                       const spec::Registry& registry, const Secrets& secrets) {
  Judgement judgement;
  judgement.played = std::move(played);
  // The oracles look at each session; a reply may be that to a request of another.
  std::deque<oracle::Evidence> all;
  for (trace::Slice& slice : judgement.played.slices) {
    read_the_rest(slice);
    all.emplace_back(slice, profile, registry, &secrets);
    look_for_replies(all.back(), judgement);
    judgement.reused |= reuses_ids(slice);
  }
  std::map<std::string, int> alike;
  for (oracle::Evidence& evidence : all) {
    for (const oracle::Evidence& other : all)
      if (&other != &evidence) evidence.others.push_back(&other);
    for (oracle::Finding& finding : oracle::judge(evidence))
      if (++alike[finding.oracle + "|" + finding.requirement] <= kMostAlike)
        judgement.by_oracles.push_back(std::move(finding));
  }
  for (oracle::Finding& finding : judgement.played.findings) shorten(finding);
  for (oracle::Finding& finding : judgement.by_oracles) shorten(finding);
  judgement.transcript = joined(judgement.played.slices);
  judgement.played.slices.clear();
  for (auto* findings : {&judgement.played.findings, &judgement.by_oracles})
    for (oracle::Finding& finding : *findings)
      oracle::add_last_words(finding, *judgement.transcript);
  judgement.verdict = verdict_of(judgement.played);
  judgement.unplayed = judgement.played.flooded && judgement.verdict == Verdict::kInconclusive;
  return judgement;
}

Judgement not_played(std::string why) {
  Judgement judgement;
  judgement.verdict = Verdict::kInconclusive;
  judgement.unplayed = true;
  judgement.played.inconclusive = std::move(why);
  return judgement;
}

Judgement erred(std::string what) {
  Judgement judgement;
  judgement.verdict = Verdict::kError;
  judgement.error = std::move(what);
  return judgement;
}

oracle::Finding end_of_process(const wire::Transcript& transcript, std::string requirement,
                               const std::string& ending, const std::string& output) {
  oracle::Finding finding;
  finding.requirement = std::move(requirement);
  finding.severity = oracle::Severity::kFail;
  finding.expected = "the server still runs and answers the next request";
  finding.came.came = oracle::Ended{ending, true};
  finding.seen = oracle::words(finding.came);
  oracle::add_last_words(finding, std::string_view(output));
  const auto& frames = transcript.frames;
  for (auto it = frames.rbegin(); it != frames.rend() && finding.frames.size() < kLastFrames; ++it)
    finding.frames.insert(finding.frames.begin(), it->seq);
  return finding;
}

bool heavy(const Judgement& judgement) {
  if (!judgement.transcript) return false;
  std::size_t bytes = 0;
  for (const wire::Frame& frame : judgement.transcript->frames) bytes += frame.bytes.size();
  return bytes > kHeavyEvidence;
}

std::shared_ptr<const wire::Transcript> lightened(const Judgement& judgement) {
  const wire::Transcript& transcript = *judgement.transcript;
  std::set<std::uint64_t> named;
  for (const auto* findings : {&judgement.played.findings, &judgement.by_oracles})
    for (const oracle::Finding& finding : *findings)
      named.insert(finding.frames.begin(), finding.frames.end());
  auto out = std::make_shared<wire::Transcript>();
  out->profile = transcript.profile;
  out->transport = transcript.transport;
  out->target = transcript.target;
  out->framing = transcript.framing;
  const std::size_t all = transcript.frames.size();
  std::size_t left = kLightEvidence;
  for (std::size_t i = 0; i < all; ++i) {
    const wire::Frame& frame = transcript.frames[i];
    if (i >= kOutermost && i + kOutermost < all && !named.contains(frame.seq)) continue;
    wire::Frame kept = wire::beginning_of(frame);
    if (left == 0 && kept.bytes.size() > kShortFrame) kept.bytes.resize(kShortFrame);
    left -= std::min(left, kept.bytes.size());
    out->frames.push_back(std::move(kept));
  }
  return out;
}

}  // namespace harness::run
