// SPDX-License-Identifier: Apache-2.0
// rpcspec verify: a bundle judged again, without the target that it is about.
#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/cli/builtin.h"
#include "harness/cli/bundle.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/transcripts.h"
#include "harness/json/write.h"
#include "harness/oracle/oracle.h"
#include "harness/results/verdict.h"
#include "harness/spec/profile.h"
#include "reports/read_json.h"

namespace harness::cli {
namespace {

constexpr std::size_t kMostTold = 20;  // disagreements of a step

// One thing that was looked at, and what does not agree.
struct Step {
  const char* name;
  std::string looked_at;                      // when all is said
  std::vector<std::string> differences = {};  // as many as are told
  std::size_t count = 0;                      // of all of them

  void differ(const std::string& where, const std::string& what) {
    if (++count <= kMostTold) differences.push_back(printable(where, 120) + ": " + what);
  }
};

std::string text_of(const json::Value& object, const char* name) {
  const json::Value* value = object.is_object() ? object.find(name) : nullptr;
  return value != nullptr && value->is_string() ? value->text : "";
}

// The steps behind the seal: what is judged again, and where that does not come to what the report
// says.
class Verification {
 public:
  Verification(const Bundle& bundle, const reports::Record& record, const spec::Profile& profile,
               const spec::Registry& registry)
      : bundle_(bundle), record_(record), profile_(profile), registry_(registry) {}

  std::vector<Step> look() {
    look_at_conversations();
    for (const run::CaseResult& result : record_.cases) {
      look_at_verdict(result);
      look_at_evidence(result);
    }
    frames_.looked_at = fmt::format("{} frames of {} sessions are at their offsets",
                                    count_of_frames_, bundle_.conversations.size());
    verdicts_.looked_at =
        fmt::format("{} verdicts follow from their findings", record_.cases.size());
    evidence_.looked_at = fmt::format("{} findings name frames of their sessions", findings_);
    oracles_.looked_at =
        fmt::format("oracles find {} of them again in those sessions", by_oracles_);
    if (hidden_ > 0)
      oracles_.looked_at +=
          fmt::format("; {} sessions are cut or hide a secret, and are not judged", hidden_);
    Step summary = look_at_summary();
    Step gate = look_at_gate();
    return {std::move(frames_),  std::move(verdicts_), std::move(evidence_),
            std::move(oracles_), std::move(summary),   std::move(gate)};
  }

 private:
  void look_at_conversations() {
    for (const auto& [name, conversation] : bundle_.conversations) {
      if (!conversation.offsets_fit) frames_.differ(name, "the offsets of its frames differ");
      Result<wire::Transcript> read = wire::from_json_lines(conversation.text, name);
      if (!read) {
        frames_.differ(name, read.error().text());
        continue;
      }
      count_of_frames_ += read->frames.size();
      transcripts_.emplace(name, std::move(*read));
    }
  }

  // A verdict follows from the findings.
  void look_at_verdict(const run::CaseResult& result) {
    bool fail = false, warn = false;
    for (const oracle::Finding& finding : result.findings) {
      fail |= finding.severity == oracle::Severity::kFail;
      warn |= finding.severity == oracle::Severity::kWarn;
    }
    const bool failed = result.verdict == run::Verdict::kFail;
    const bool warned = result.verdict == run::Verdict::kWarn;
    const bool passed = result.verdict == run::Verdict::kPass;
    if ((failed && !fail) || (warned && !warn) || (passed && (fail || warn)) || (warned && fail))
      verdicts_.differ(result.id, fmt::format("its findings do not give the verdict {}",
                                              run::verdict_name(result.verdict)));
  }

  // Findings name frames of the conversation; what an oracle saw there it sees again.
  void look_at_evidence(const run::CaseResult& result) {
    const auto kept = transcripts_.find(result.id);
    if (kept == transcripts_.end()) return;
    std::set<std::uint64_t> there;
    const std::string& text = bundle_.conversations.at(result.id).text;
    bool whole = text.find("\n{\"left_out\":") == std::string::npos;
    for (const wire::Frame& frame : kept->second.frames) {
      there.insert(frame.seq);
      whole &= frame.size <= frame.bytes.size();
    }
    // What stands in place of a secret is not what was said.
    whole &= text.find("«secret ") == std::string::npos;
    hidden_ += !whole;
    const std::set<std::string> seen = oracles_see(kept->second);
    for (const oracle::Finding& finding : result.findings) {
      if (finding.severity == oracle::Severity::kInfo) continue;
      ++findings_;
      for (const std::uint64_t seq : finding.frames)
        if (!there.contains(seq))
          evidence_.differ(result.id, fmt::format("frame {} of {} is not in the session", seq,
                                                  finding.requirement));
      if (finding.oracle.empty() || !whole) continue;
      ++by_oracles_;
      if (!seen.contains(finding.requirement))
        oracles_.differ(result.id, "its session does not break " + finding.requirement);
    }
  }

  std::set<std::string> oracles_see(const wire::Transcript& transcript) const {
    std::set<std::string> clauses;
    oracle::Evidence evidence(transcript, profile_, registry_);
    read_agreement(transcript, evidence);
    for (const oracle::Finding& finding : oracle::judge(evidence))
      clauses.insert(finding.requirement);
    return clauses;
  }

  Step look_at_summary() const {
    Step out{"summary", "the summary counts the verdicts correctly"};
    std::map<std::string, std::size_t> counts;
    for (const auto& [name, count] : record_.finished.summary) counts[name];
    for (const run::CaseResult& result : record_.cases) ++counts[run::verdict_name(result.verdict)];
    for (const auto& [name, count] : counts) {
      const auto told = record_.finished.summary.find(name);
      if (told == record_.finished.summary.end() || told->second != count)
        out.differ("the summary", fmt::format("{} cases are {}", count, name));
    }
    return out;
  }

  Step look_at_gate() const {
    Step out{"gate", "the reported verdicts agree with it"};
    bool red = !record_.finished.stale.empty();
    for (const run::CaseResult& result : record_.cases) {
      const bool gates = result.verdict == run::Verdict::kFail ||
                         result.verdict == run::Verdict::kError ||
                         (record_.finished.level_should && result.verdict == run::Verdict::kWarn);
      red |= gates && !result.baselined;
    }
    const bool written = record_.finished.gate == run::kPassedAsKnown;
    if (red && !written && record_.finished.gate_passed)
      out.differ("the gate", "it passed against the reported verdicts");
    return out;
  }

  const Bundle& bundle_;
  const reports::Record& record_;
  const spec::Profile& profile_;
  const spec::Registry& registry_;
  std::map<std::string, wire::Transcript> transcripts_;  // those that can be read
  Step frames_{"frames", ""}, verdicts_{"verdicts", ""}, evidence_{"evidence", ""},
      oracles_{"oracles", ""};
  std::size_t count_of_frames_ = 0, findings_ = 0, by_oracles_ = 0, hidden_ = 0;
};

// Another version is no disagreement, it may be the reason of one.
void tell_versions(const json::Value& head) {
  const std::string version = text_of(head, "rpcspec"), set = text_of(head, "case_set");
  const bool same = version == RPCSPEC_VERSION && set == case_set();
  fmt::print("{}  versions  rpcspec {}, case set {}", same ? "ok     " : "note   ",
             printable(version, 60), printable(set, 60));
  if (same)
    fmt::print(", as this program\n");
  else
    fmt::print("; this is rpcspec {}, case set {}: its oracles may see more or less\n",
               RPCSPEC_VERSION, case_set());
}

void tell(const Step& step) {
  fmt::print("{}  {:<8}  {}\n", step.count == 0 ? "ok     " : "DIFFERS", step.name,
             step.count == 0 ? step.looked_at : fmt::format("{} of what it says", step.count));
  for (const std::string& one : step.differences) fmt::print("         {}\n", one);
  if (step.count > step.differences.size())
    fmt::print("         … {} more\n", step.count - step.differences.size());
}

int verify(const std::string& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return complain(text.error(), kUsage);
  const Result<Bundle> bundle = read_bundle(*text, file);
  if (!bundle) {
    fmt::print("DIFFERS  seal      {}: nothing else is checked\n", bundle.error().text());
    return kViolations;
  }
  const Result<reports::Record> record = reports::read_json(json::write(bundle->report), file);
  if (!record) return complain(record.error(), kUsage);
  const spec::Profile* profile = spec::find_profile(record->started.profile);
  if (profile == nullptr)
    return complain(Error{file, "there is no profile `" + printable(record->started.profile) + "`",
                          "a newer rpcspec may know it"},
                    kUsage);
  const Result<spec::Registry> registry = load_registry("");
  if (!registry) return complain(registry.error(), kUsage);
  fmt::print("{}: {} under {}\n", printable(file), printable(record->started.target, 200),
             profile->name);
  tell({"seal", fmt::format("the SHA-256 of {} bytes, and of each of their {} lines", bundle->bytes,
                            bundle->lines)});
  tell_versions(bundle->head);
  std::size_t differing = 0;
  for (const Step& step : Verification(*bundle, *record, *profile, *registry).look()) {
    tell(step);
    differing += step.count;
  }
  if (differing > 0) {
    fmt::print("it does not agree\n");
    return kViolations;
  }
  fmt::print("it agrees: {}\n", printable(record->finished.gate, 200));
  return kOk;
}

}  // namespace

Command command_verify(const Invocation&) {
  auto file = std::make_shared<std::string>();
  Command command{"verify", "Verify the bundle of a run, without its target"};
  command.add({
      {"bundle", file.get()},
  });
  command.action = [file] { return verify(*file); };
  return command;
}

}  // namespace harness::cli
