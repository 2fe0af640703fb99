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
#include "harness/trace/attribution.h"
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

bool holds(const std::vector<std::uint64_t>& frames, std::uint64_t seq) {
  return std::find(frames.begin(), frames.end(), seq) != frames.end();
}

bool has_all(const oracle::Evidence& evidence, const std::vector<std::uint64_t>& frames) {
  return std::all_of(frames.begin(), frames.end(), [&](std::uint64_t seq) {
    return std::any_of(evidence.transcript.frames.begin(), evidence.transcript.frames.end(),
                       [&](const wire::Frame& frame) { return frame.seq == seq; });
  });
}

// The received messages that a finding names, by whose reply each is, now that all was said.
struct NamedByFinding {
  std::vector<const oracle::Item*> own, others, perhaps;
};

NamedByFinding replies_in(const oracle::Evidence& evidence, const oracle::Finding& finding) {
  NamedByFinding out;
  for (const oracle::Item& item : evidence.items) {
    if (item.sent || item.array != 0 || !holds(finding.frames, item.seq)) continue;
    const trace::Answer& answer = trace::attribution_of(evidence).of(item);
    if (answer.whose == trace::Whose::kNoReply) continue;
    const bool known = answer.to != nullptr && answer.whose != trace::Whose::kSeveral &&
                       answer.whose != trace::Whose::kNobody &&
                       answer.whose != trace::Whose::kOtherSession;
    const bool own = known && holds(finding.frames, answer.to->seq);
    (!known ? out.perhaps : own ? out.own : out.others).push_back(&item);
  }
  return out;
}

// What answers another message is no evidence of this one. False where nothing else came: then
// nothing is known of it.
bool keep_own_replies(const oracle::Evidence& evidence, oracle::Finding& finding) {
  NamedByFinding replies = replies_in(evidence, finding);
  if (replies.own.empty() && replies.others.empty()) return true;
  std::vector<const oracle::Item*>& kept = replies.own.empty() ? replies.perhaps : replies.own;
  if (kept.empty()) return false;
  auto& left_out = replies.others;
  if (&kept == &replies.own)
    left_out.insert(left_out.end(), replies.perhaps.begin(), replies.perhaps.end());
  const bool read = std::all_of(kept.begin(), kept.end(),
                                [](const oracle::Item* item) { return item->value != nullptr; });
  if (left_out.empty() || !read || !finding.came.detail.empty()) return true;
  for (const oracle::Item* item : left_out) std::erase(finding.frames, item->seq);
  const std::string before = oracle::words(finding.came);
  oracle::Observation came = oracle::observed(*kept.front()->value);
  came.status = finding.came.status;
  came.canary_answered = finding.came.canary_answered;
  came.messages = kept.size();
  for (std::size_t i = 1; i < kept.size(); ++i)
    came.texts.push_back(oracle::observed(*kept[i]->value).texts.front());
  finding.came = std::move(came);
  if (finding.seen.starts_with(before))
    finding.seen = oracle::words(finding.came) + finding.seen.substr(before.size());
  return true;
}

// Request and reply of each finding belong together.
void check_pairs(const std::deque<oracle::Evidence>& all, PlayedCase& played) {
  const std::size_t before = played.findings.size();
  std::erase_if(played.findings, [&](oracle::Finding& finding) {
    if (oracle::symptom_of(finding) != oracle::Symptom::kAnswer) return false;
    const oracle::Evidence* where = nullptr;
    for (const oracle::Evidence& one : all) {
      if (!has_all(one, finding.frames)) continue;
      if (where) return false;  // numbers of frames come again in another session
      where = &one;
    }
    return where && !keep_own_replies(*where, finding);
  });
  if (played.findings.empty() && before > 0 && played.inconclusive.empty())
    played.inconclusive = "what came for it is the reply to another message";
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
  check_pairs(all, judgement.played);
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
  finding.expected = "the server lives on and answers the next request";
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
