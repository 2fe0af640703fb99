// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/finding_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <tuple>
#include <utility>

#include "fuzz/minimizer/cause.h"
#include "fuzz/minimizer/outline.h"
#include "fuzz/script/steps.h"
#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/oracle/finding_json.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;
namespace json = harness::json;
namespace wire = harness::wire;
using harness::printable;

constexpr std::size_t kShown = 400;            // bytes of a frame in the README
constexpr std::size_t kLastWords = 6000;       // bytes of what the process printed
constexpr std::size_t kMostJournal = 1 << 20;  // bytes; the beginning goes
constexpr const char* kNothing = "# nothing is sent: the handshake alone shows it\n";
constexpr const char* kUnnamed = "about a reply without an id\n";

std::uint32_t short_hash(const std::string& text) {
  std::uint32_t h = 0x811C9DC5u;
  for (const unsigned char c : text) h = (h ^ c) * 0x01000193u;
  return h;
}

// Whole or not at all: a campaign that is over ends its workers wherever they are.
harness::Status write(const fs::path& path, const std::string& text) {
  const fs::path part = path.string() + ".part";
  std::ofstream file(part, std::ios::binary | std::ios::trunc);
  file << text;
  std::error_code failed;
  if (file.flush()) fs::rename(part, path, failed);
  if (file && !failed) return harness::Nothing{};
  return harness::Error{path.string(), "the finding cannot be written",
                        "name a folder with --findings"};
}

std::string text_of(const fs::path& path) {
  const harness::Result<std::string> text = harness::read_file(path);
  return text ? *text : "";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The member of our own file, "" where it is not a string.
std::string string_in(const json::Value& whole, std::string_view name) {
  const json::Value* member = whole.find(name);
  return member && member->is_string() ? member->text : "";
}

std::vector<std::string> strings_in(const json::Value& whole, std::string_view name) {
  std::vector<std::string> out;
  if (const json::Value* list = whole.find(name))
    for (const json::Value& one : list->items)
      if (one.is_string()) out.push_back(one.text);
  return out;
}

// What finding.json says; an empty object where it says nothing that can be read.
json::Value facts_in(const fs::path& folder) {
  auto read = json::read(text_of(folder / "finding.json"));
  auto* reading = std::get_if<json::Reading>(&read);
  return reading && reading->value.is_object() ? std::move(reading->value) : json::object();
}

int weight_in(const json::Value& facts) {
  const json::Value* weight = facts.find("weight");
  const std::optional<std::int64_t> told =
      weight == nullptr ? std::nullopt : json::as_integer(*weight);
  if (told) return static_cast<int>(*told);
  const bool warns = string_in(facts, "severity") == "warn";
  return static_cast<int>(warns ? Weight::kShould : Weight::kWrongAnswer);
}

bool share_any(const std::vector<std::string>& some, const std::vector<std::string>& others) {
  return std::find_first_of(some.begin(), some.end(), others.begin(), others.end()) != some.end();
}

// On a stream, but for their numbers.
bool are_alike(const wire::Frame& a, const wire::Frame& b) {
  return !a.head && !b.head && a.direction == b.direction && a.channel == b.channel &&
         a.bytes == b.bytes;
}

std::string quoted_frames(const wire::Transcript& transcript,
                          const std::vector<std::uint64_t>& proof) {
  std::string out;
  const wire::Frame* last = nullptr;
  std::size_t alike = 0;  // behind the last that is shown
  const auto count_alike = [&] {
    if (alike > 0) out += fmt::format("  … {} more like this\n", std::exchange(alike, 0));
  };
  for (const wire::Frame& frame : transcript.frames) {
    const bool proves = std::find(proof.begin(), proof.end(), frame.seq) != proof.end();
    if (!proves && last != nullptr && are_alike(*last, frame)) {
      ++alike;
      continue;
    }
    count_alike();
    last = &frame;
    std::string text = printable(frame.bytes, kShown);
    if (frame.head && frame.head->status) text = fmt::format("HTTP {} ", frame.head->status) + text;
    out += fmt::format("{} {} {:<6} #{:<3} {}\n", proves ? '*' : ' ',
                       frame.direction == wire::Direction::kSent ? "→" : "←",
                       wire::channel_name(frame.channel), frame.seq, text);
  }
  count_alike();
  return out;
}

// The end of what a process printed, line by line.
std::string last_lines(std::string_view text) {
  text.remove_prefix(text.size() - std::min(text.size(), kLastWords));
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += printable(text.substr(0, end), kShown) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

bool has_case(const FindingContext& context) {
  return context.case_text && !context.case_text->empty();
}

// What the commands below it do.
const char* invitation(const FindingContext& context) {
  if (has_case(context)) return "To replay it, or to gate on it:";
  if (!context.case_text)
    return "There was no time to check a case for it, so it has none. To replay it:";
  if (!context.check.empty()) return "No case can express it. To check again:";
  return "The case language cannot express it, so it has no case. To replay it:";
}

// What is said of it in more than one file, fit for a terminal.
struct Words {
  std::string level;  // of the clause under the profile, "" for a clause nobody knows
  std::string expected, seen;
  std::string replay, run;  // command lines; the second "" without a case
};

Words words_of(const Reduced& reduced, const FindingContext& context, const std::string& name) {
  const auto& finding = reduced.problem.finding;
  Words out;
  if (const harness::spec::Requirement* clause = context.registry.find(finding.requirement))
    out.level = harness::spec::level_name(harness::spec::level_in(*clause, context.profile));
  out.expected = printable(finding.expected, 4 * kShown);
  out.seen = printable(finding.seen, kShown);
  const std::string folder = harness::shell_quoted((fs::path(context.folder) / name).string());
  const bool should = finding.severity != harness::oracle::Severity::kFail;
  const std::string program = harness::shell_quoted(context.program.name);
  const std::string judged = "--profile " + std::string(context.profile.name) +
                             (should ? " --level should" : "") + context.program.options;
  out.replay =
      fmt::format("{} replay {}{} {}/script {}", program, judged,
                  context.check.empty() ? "" : " --check " + context.check, folder, context.target);
  if (has_case(context))
    out.run = fmt::format("{} run {} --cases {} --select case {}", program, judged, folder,
                          context.target);
  return out;
}

// When it was found, how that was made, and what it takes.
std::string met(const Reduced& reduced, const FindingContext& context) {
  const auto counted = [](std::uint64_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  std::string out = fmt::format("- found after {} s and {}", context.met.seconds,
                                counted(context.frames, "frame"));
  if (!context.met.made_by.empty()) out += ", in what was made by " + context.met.made_by;
  return out + (reduced.cut ? "; its script has " : "; it takes ") +
         counted(count_frames(reduced.script), "message") + "\n";
}

std::string readme(const Reduced& reduced, const FindingContext& context, const Words& words) {
  const auto& finding = reduced.problem.finding;
  const harness::spec::Requirement* clause = context.registry.find(finding.requirement);
  std::string out = "# " + finding.requirement + "\n\n";
  if (clause) out += fmt::format("{} ({}, {})\n\n", clause->statement, words.level, clause->source);
  out += "- expected: " + words.expected + "\n- seen: " + words.seen + "\n";
  if (const std::string sent = in_words(reduced.script); !sent.empty())
    out += "- sent: " + sent + "\n";
  if (!reduced.execution.how.empty()) out += "- the target ended: " + reduced.execution.how + "\n";
  out += fmt::format("- profile {}, {}; found by {}\n", context.profile.name, context.transport,
                     finding.oracle.empty()  ? "an expectation"
                     : context.check.empty() ? "oracle " + finding.oracle
                                             : finding.oracle);
  out += fmt::format("- {}: seen in {} of {} plays on fresh sessions\n",
                     repeats_word(reduced.repeats), reduced.confirmed, reduced.asked);
  if (reduced.in_flight)
    out +=
        "- only with its messages in flight together, in the order of the script; sent one by "
        "one, they do not show it\n";
  if (reduced.cut)
    out += "- the time for reducing it ran out: the script may be longer than necessary\n";
  out += met(reduced, context);
  out += "- signature: `" + reduced.problem.signature + "`\n\n";
  out += std::string(invitation(context)) + "\n\n```\n" + words.replay + "\n";
  if (!words.run.empty()) out += words.run + "\n";
  out += "```\n";
  const std::size_t slice = reduced.problem.slice;
  if (slice < reduced.execution.slices.size())
    out += "\n```\n" + quoted_frames(*reduced.execution.slices[slice].transcript, finding.frames) +
           "```\n";
  if (!reduced.execution.stderr_tail.empty())
    out += std::string("\nIts ") + (reduced.execution.how.empty() ? "" : "last ") +
           "output:\n\n```\n" + last_lines(reduced.execution.stderr_tail) + "```\n";
  return out;
}

// finding.json, for programs.
std::string facts(const Reduced& reduced, const FindingContext& context, const Words& words) {
  const auto& finding = reduced.problem.finding;
  json::Value frames = json::array();
  for (const std::uint64_t seq : finding.frames)
    frames.items.push_back(json::number_spelled(std::to_string(seq)));
  const bool fails = finding.severity == harness::oracle::Severity::kFail;
  json::Value out = json::object({
      {"requirement", json::string(finding.requirement)},
      {"level", json::string(words.level)},
      {"severity", json::string(fails ? "fail" : "warn")},
      {"expected", json::string(words.expected)},
      {"seen", json::string(words.seen)},
      {"frames", std::move(frames)},
      {"oracle", json::string(finding.oracle)},
      {"profile", json::string(context.profile.name)},
      {"transport", json::string(context.transport)},
      {"repeats", json::string(repeats_word(reduced.repeats))},
      {"signature", json::string(printable(reduced.problem.signature, 4 * kShown))},
      {"replay", json::string(words.replay)},
  });
  const auto number = [](std::uint64_t count) {
    return json::number(static_cast<std::int64_t>(count));
  };
  json::Value causes = json::array();
  for (const std::string& cause : causes_of(reduced, context.profile))
    causes.items.push_back(json::string(printable(cause, kShown)));
  out.set("causes", std::move(causes));
  harness::oracle::write_values(finding, out);
  out.set("flaw", json::string(printable(finding.flaw, kShown)));
  out.set("answer", json::string(harness::oracle::answer_class(finding.came)));
  if (!context.check.empty()) out.set("check", json::string(context.check));
  // What is in flight together may come in any order.
  if (!reduced.in_flight && !is_schedule(reduced.script))
    out.set("trigger", number(trigger_of(reduced.problem, reduced.execution)));
  const Class what = class_of(reduced, context.profile, context.check);
  out.set("weight", json::number(static_cast<int>(what.weight)));
  out.set("met", json::object({{"seconds", number(context.met.seconds)},
                               {"frames", number(context.frames)},
                               {"made_by", json::string(context.met.made_by)},
                               {"messages", number(count_frames(reduced.script))}}));
  if (!words.run.empty()) out.set("run", json::string(words.run));
  if (reduced.in_flight) out.set("in_flight", json::boolean(true));
  out.set("plays", json::object({{"shown", json::number(reduced.confirmed)},
                                 {"of", json::number(reduced.asked)}}));
  return json::write_pretty(out) + "\n";
}

}  // namespace

harness::Result<std::string> write_finding(const Reduced& reduced,
                                           const std::vector<Script>& journal,
                                           const FindingContext& context) {
  const auto& finding = reduced.problem.finding;
  const std::string name =
      fmt::format("{}-{}-{:08x}", class_of(reduced, context.profile, context.check).name,
                  finding.requirement, short_hash(reduced.problem.signature));
  const fs::path folder = fs::path(context.folder) / name;
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    return harness::Error{folder.string(), "the folder cannot be created: " + failed.message(),
                          "name one with --findings"};
  std::string said;
  for (const Script& script : journal) said += "# ---\n" + write_script(script);
  if (said.size() > kMostJournal) said.erase(0, said.size() - kMostJournal);
  std::string transcript;
  if (reduced.problem.slice < reduced.execution.slices.size())
    transcript = wire::to_json_lines(*reduced.execution.slices[reduced.problem.slice].transcript);
  const Words words = words_of(reduced, context, name);
  const std::pair<const char*, std::string> files[] = {
      {"README.md", readme(reduced, context, words)},
      {"finding.json", facts(reduced, context, words)},
      {"script", reduced.script.steps.empty() ? kNothing : write_script(reduced.script)},
      {"journal", std::move(said)},
      {"transcript.jsonl", std::move(transcript)},
      {"case.yaml", context.case_text.value_or("")},
      {"signature", reduced.problem.signature + "\n" + (reduced.problem.unnamed ? kUnnamed : "")},
  };
  for (const auto& [file, text] : files) {
    if (text.empty()) continue;
    const harness::Status written = write(folder / file, context.secrets.masked(text));
    if (!written) return written.error();
  }
  return name;
}

std::vector<Found> findings_in(const std::string& folder) {
  std::vector<Found> out;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const std::string signature = text_of(entry.path() / "signature");
    Found found;
    found.name = entry.path().filename();
    found.signature = first_line(signature);
    if (found.signature.empty()) continue;
    found.unnamed = signature.ends_with(kUnnamed);
    const json::Value facts = facts_in(entry.path());
    found.expected = string_in(facts, "expected");
    found.seen = string_in(facts, "seen");
    found.weight = weight_in(facts);
    found.causes = strings_in(facts, "causes");
    found.found_in = strings_in(facts, "found_in");
    found.has_case = fs::exists(entry.path() / "case.yaml", failed);
    out.push_back(std::move(found));
  }
  std::sort(out.begin(), out.end(), [](const Found& a, const Found& b) {
    return std::tie(a.weight, a.name) < std::tie(b.weight, b.name);
  });
  return out;
}

harness::run::CaseResult result_in(const std::string& folder, const std::string& name) {
  const fs::path path = fs::path(folder) / name;
  const json::Value facts = facts_in(path);
  harness::oracle::Finding finding;
  finding.requirement = string_in(facts, "requirement");
  if (string_in(facts, "severity") == "warn") finding.severity = harness::oracle::Severity::kWarn;
  finding.expected = string_in(facts, "expected");
  finding.seen = string_in(facts, "seen");
  finding.oracle = string_in(facts, "oracle");
  harness::oracle::read_values(facts, finding);
  if (const json::Value* frames = facts.find("frames"))
    for (const json::Value& seq : frames->items)
      finding.frames.push_back(static_cast<std::uint64_t>(json::as_integer(seq).value_or(0)));
  harness::run::CaseResult out;
  out.id = name;
  out.title = "Found by the fuzzer: " + finding.seen;
  out.verdict = finding.severity == harness::oracle::Severity::kFail ? harness::run::Verdict::kFail
                                                                     : harness::run::Verdict::kWarn;
  out.level = string_in(facts, "level");
  out.requirements = {finding.requirement};
  out.replay = string_in(facts, "replay");
  const std::string said = text_of(path / "transcript.jsonl");
  if (auto transcript = wire::from_json_lines(said, (path / "transcript.jsonl").string()))
    out.transcript = std::make_shared<wire::Transcript>(std::move(*transcript));
  out.findings.push_back(std::move(finding));
  return out;
}

std::optional<Kept> kept_in(const std::string& folder, const std::string& name) {
  const fs::path path = fs::path(folder) / name;
  std::error_code failed;
  if (!fs::exists(path / "finding.json", failed)) return std::nullopt;
  const json::Value facts = facts_in(path);
  Kept out;
  out.requirement = string_in(facts, "requirement");
  out.check = string_in(facts, "check");
  const std::string oracle = string_in(facts, "oracle");
  out.lost = oracle == kLostReply;
  out.ended = oracle == "process" || oracle == "canary";
  out.whole = facts.find("answer") != nullptr;
  out.flaw = string_in(facts, "flaw");
  out.answer = string_in(facts, "answer");
  if (const json::Value* trigger = facts.find("trigger"))
    out.trigger = static_cast<std::size_t>(json::as_integer(*trigger).value_or(0));
  return out;
}

bool may_be_same(const Kept& kept, const Problem& problem, const Execution& execution) {
  const auto& finding = problem.finding;
  return !kept.whole || (printable(finding.flaw, kShown) == kept.flaw &&
                         harness::oracle::answer_class(finding.came) == kept.answer &&
                         (!kept.trigger || *kept.trigger == trigger_of(problem, execution)));
}

bool is_same(const Kept& kept, const Problem& problem, const Execution& execution) {
  const bool same_end = kept.whole && kept.ended && is_of_process(problem.signature);
  return (problem.finding.requirement == kept.requirement || same_end) &&
         may_be_same(kept, problem, execution);
}

std::string signature_anew(const harness::run::CaseResult& kept,
                           const harness::spec::Registry& registry) {
  const harness::spec::Profile* profile =
      kept.transcript ? harness::spec::find_profile(kept.transcript->profile) : nullptr;
  if (profile == nullptr) return "";
  Execution execution;
  harness::trace::Slice& slice = execution.slices.emplace_back();
  slice.transcript = kept.transcript;
  for (const wire::Frame& frame : kept.transcript->frames)
    slice.messages.push_back(wire::read_shared(frame.bytes));
  const auto& finding = kept.findings.front();
  for (const Problem& one : judge(execution, *profile, registry, nullptr))
    if (one.finding.oracle == finding.oracle && one.finding.requirement == finding.requirement &&
        !one.finding.frames.empty() && !finding.frames.empty() &&
        one.finding.frames.back() == finding.frames.back())
      return one.signature;
  return "";
}

Kin kin_of(const Reduced& reduced, const std::string& folder,
           const harness::spec::Profile& profile) {
  Kin kin;
  std::vector<std::string> causes = causes_of(reduced, profile);
  for (std::string& cause : causes) cause = printable(cause, kShown);
  const int weight = static_cast<int>(class_of(reduced, profile, "").weight);
  for (const Found& found : findings_in(folder)) {
    const fs::path path = fs::path(folder) / found.name;
    if (share_any(found.causes, causes)) {
      if (found.weight <= weight)
        kin.told = true;
      else
        kin.longer.push_back(path);
    } else if (reduced.problem.unnamed && found.unnamed) {
      const Script other = read_script(text_of(path / "script"));
      if (has_all_of(reduced.script, other))
        kin.told = true;
      else if (has_all_of(other, reduced.script))
        kin.longer.push_back(path);
    }
  }
  return kin;
}

bool is_kin(const Found& one, const Script& script, const Found& other, const Script& its_script) {
  if (one.signature == other.signature || share_any(one.causes, other.causes)) return true;
  return one.unnamed && other.unnamed &&
         (has_all_of(script, its_script) || has_all_of(its_script, script));
}

}  // namespace fuzz
