// SPDX-License-Identifier: Apache-2.0
// rpcspec verify: a bundle judged again, without the target that it is about.
#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "harness/base/file.h"
#include "harness/base/sha256.h"
#include "harness/base/text.h"
#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/transcripts.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/oracle/oracle.h"
#include "harness/run/verdict.h"
#include "harness/spec/profile.h"
#include "reports/read_json.h"

namespace harness::cli {
namespace {

constexpr std::size_t kMostTold = 20;  // disagreements

std::string text_of(const json::Value& object, const char* name) {
  const json::Value* value = object.is_object() ? object.find(name) : nullptr;
  return value != nullptr && value->is_string() ? value->text : "";
}

// A bundle, read.
struct Bundle {
  json::Value head;
  std::map<std::string, std::string> transcripts;  // by case
  json::Value report;
};

Result<Bundle> read_bundle(const std::string& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return text.error();
  const auto wrong = [&](std::size_t line, const std::string& what) {
    return Error{file + ":" + std::to_string(line), what, "it is not what `run --bundle` wrote"};
  };
  Bundle out;
  std::size_t number = 0;
  bool sealed = false;
  for (std::size_t begin = 0; begin < text->size();) {
    const std::size_t end = std::min(text->find('\n', begin), text->size());
    const std::string_view line(text->data() + begin, end - begin);
    ++number;
    if (sealed) return wrong(number, "something stands behind the seal");
    auto reading = json::read(line);
    auto* sound = std::get_if<json::Reading>(&reading);
    if (sound == nullptr || !sound->value.is_object())
      return wrong(number, "this is no JSON object");
    json::Value& value = sound->value;
    if (const std::string seal = text_of(value, "sha256"); !seal.empty()) {
      const std::string whole = "{\"sha256\":\"" + sha256_hex(text->substr(0, begin)) + "\"}";
      if (line != whole || end == text->size())
        return wrong(number, "the seal does not fit: what stands before it has been changed");
      sealed = true;
    } else if (number == 1) {
      if (text_of(value, "format") != "rpcspec-bundle/1") return wrong(1, "this is no bundle");
      out.head = std::move(value);
    } else if (const json::Value* report = value.find("report")) {
      out.report = *report;
    } else {
      const std::string transcript = text_of(value, "transcript");
      const json::Value* offsets = value.find("frames");
      if (offsets == nullptr || !json::equal(*offsets, frame_offsets(transcript)))
        return wrong(number, "the offsets of its frames do not fit");
      out.transcripts[text_of(value, "case")] = transcript;
    }
    begin = end + 1;
  }
  if (!sealed) return wrong(number, "the seal is missing: the end has been cut off");
  if (!out.report.is_object()) return wrong(number, "it holds no report");
  return out;
}

// What is judged again, and where that does not come to what the report says.
class Verification {
 public:
  Verification(const Bundle& bundle, const reports::Record& record, const spec::Profile& profile,
               const spec::Registry& registry)
      : bundle_(bundle), record_(record), profile_(profile), registry_(registry) {}

  void look() {
    std::map<std::string, std::size_t> counts;
    for (const run::CaseResult& result : record_.cases) {
      ++counts[run::verdict_name(result.verdict)];
      look_at_verdict(result);
      look_at_evidence(result);
    }
    for (const auto& [name, count] : counts) {
      const auto told = record_.finished.summary.find(name);
      if (told == record_.finished.summary.end() || told->second != count)
        differ("the summary", fmt::format("{} cases are {}", count, name));
    }
    look_at_gate();
  }

  const std::vector<std::string>& differences() const { return differences_; }
  std::size_t differing() const { return count_; }
  std::size_t conversations() const { return conversations_; }
  std::size_t findings() const { return findings_; }
  std::size_t by_oracles() const { return by_oracles_; }
  std::size_t hidden() const { return hidden_; }

 private:
  void differ(const std::string& where, const std::string& what) {
    if (++count_ <= kMostTold) differences_.push_back(printable(where, 120) + ": " + what);
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
      differ(result.id, fmt::format("its findings do not come to the verdict {}",
                                    run::verdict_name(result.verdict)));
  }

  // Findings name frames of the conversation; what an oracle saw there it sees again.
  void look_at_evidence(const run::CaseResult& result) {
    const auto kept = bundle_.transcripts.find(result.id);
    if (kept == bundle_.transcripts.end()) return;
    const Result<wire::Transcript> read = wire::from_json_lines(kept->second, result.id);
    if (!read) {
      differ(result.id, read.error().text());
      return;
    }
    ++conversations_;
    std::set<std::uint64_t> there;
    bool whole = kept->second.find("\n{\"left_out\":") == std::string::npos;
    for (const wire::Frame& frame : read->frames) {
      there.insert(frame.seq);
      whole &= frame.size <= frame.bytes.size();
    }
    // What stands in place of a secret is not what was said.
    whole &= kept->second.find("«secret ") == std::string::npos;
    hidden_ += !whole;
    const std::set<std::string> seen = oracles_see(*read);
    for (const oracle::Finding& finding : result.findings) {
      if (finding.severity == oracle::Severity::kInfo) continue;
      ++findings_;
      for (const std::uint64_t seq : finding.frames)
        if (!there.contains(seq))
          differ(result.id, fmt::format("frame {} of {} is not in the conversation", seq,
                                        finding.requirement));
      if (finding.oracle.empty() || !whole) continue;
      ++by_oracles_;
      if (!seen.contains(finding.requirement))
        differ(result.id, "its conversation does not break " + finding.requirement);
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

  void look_at_gate() {
    bool red = !record_.finished.stale.empty();
    for (const run::CaseResult& result : record_.cases) {
      const bool gates = result.verdict == run::Verdict::kFail ||
                         result.verdict == run::Verdict::kError ||
                         (record_.finished.level_should && result.verdict == run::Verdict::kWarn);
      red |= gates && !result.baselined;
    }
    if (red && record_.finished.gate_passed)
      differ("the gate", "it passed, and what is reported does not let it");
  }

  const Bundle& bundle_;
  const reports::Record& record_;
  const spec::Profile& profile_;
  const spec::Registry& registry_;
  std::vector<std::string> differences_;
  std::size_t count_ = 0, conversations_ = 0, findings_ = 0, by_oracles_ = 0, hidden_ = 0;
};

int verify(const std::string& file) {
  const Result<Bundle> bundle = read_bundle(file);
  if (!bundle) return complain(bundle.error(), kViolations);
  const Result<reports::Record> record = reports::read_json(json::write(bundle->report), file);
  if (!record) return complain(record.error(), kUsage);
  const spec::Profile* profile = spec::find_profile(record->started.profile);
  if (profile == nullptr)
    return complain(Error{file, "there is no profile `" + printable(record->started.profile) + "`",
                          "a newer rpcspec may know it"},
                    kUsage);
  const Result<spec::Registry> registry = load_registry("");
  if (!registry) return complain(registry.error(), kUsage);
  Verification verification(*bundle, *record, *profile, *registry);
  verification.look();
  const std::string version = text_of(bundle->head, "rpcspec"),
                    set = text_of(bundle->head, "case_set");
  fmt::print("{}: {} under {}, by rpcspec {}, case set {}\n", printable(file),
             printable(record->started.target, 200), profile->name, printable(version, 60),
             printable(set, 60));
  if (version != RPCSPEC_VERSION || set != case_set())
    fmt::print("this is rpcspec {}, case set {}: its oracles may see more or less\n",
               RPCSPEC_VERSION, case_set());
  fmt::print(
      "the seal fits; {} conversations judged again, {} findings traced to their frames, {} of "
      "them seen again by oracles\n",
      verification.conversations(), verification.findings(), verification.by_oracles());
  if (verification.hidden() > 0)
    fmt::print("{} conversations are cut, or hide a secret: no oracle sees all of them again\n",
               verification.hidden());
  for (const std::string& one : verification.differences()) fmt::print("DIFFERS  {}\n", one);
  if (verification.differing() > kMostTold)
    fmt::print("… {} more\n", verification.differing() - kMostTold);
  if (verification.differing() > 0) return kViolations;
  fmt::print("it agrees: {}\n", printable(record->finished.gate, 200));
  return kOk;
}

}  // namespace

std::function<int()> add_verify(CLI::App& app, const Invocation&) {
  auto file = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("verify", "Judge a bundle again, without the target it is about");
  command->add_option("bundle", *file, "What `run --bundle FILE` wrote")
      ->type_name("BUNDLE")
      ->required();
  command->footer(
      "Exit codes: 0 it agrees, 1 a byte has been changed or the judgement is another one. The "
      "seal\n"
      "is a hash and no signature: who may have an interest in another outcome must not be able "
      "to\n"
      "replace the file. What the steps of a case expect was judged with the target at hand: of\n"
      "those findings it is looked whether their frames are there and the verdicts follow.");
  return [file] { return verify(*file); };
}

}  // namespace harness::cli
