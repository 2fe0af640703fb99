// SPDX-License-Identifier: Apache-2.0
#include "fuzz/triage/finding_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "fuzz/triage/outline.h"
#include "harness/base/file.h"
#include "harness/base/text.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;
namespace wire = harness::wire;
using harness::printable;

constexpr std::size_t kShown = 400;            // bytes of a frame in the README
constexpr std::size_t kLastWords = 6000;       // bytes of what the process printed
constexpr std::size_t kMostJournal = 1 << 20;  // bytes; the beginning goes
constexpr const char* kUnnamed = "about a reply without an id\n";
constexpr const char* kExpected = "- expected: ";
constexpr const char* kSeen = "- seen: ";

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

// What follows in the first line that begins so; "" when there is none.
std::string first_line(const fs::path& path, std::string_view beginning) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with(beginning)) return line.substr(beginning.size());
  }
  return "";
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
  if (has_case(context)) return "Play it again, or hold a gate to it:";
  if (!context.case_text)
    return "There was no time to see a case fail with it, so it has none; play it again:";
  if (!context.probe.empty()) return "Look again; no case can say it:";
  return "The case language cannot show it, so it has no case; the script replays it:";
}

std::string readme(const Reduced& reduced, const FindingContext& context, const std::string& name) {
  const auto& finding = reduced.problem.finding;
  const harness::spec::Requirement* clause = context.registry.find(finding.requirement);
  std::string out = "# " + finding.requirement + "\n\n";
  if (clause)
    out += fmt::format("{} ({}, {})\n\n", clause->statement,
                       harness::spec::level_name(harness::spec::level_in(*clause, context.profile)),
                       clause->source);
  out += kExpected + printable(finding.expected, 4 * kShown) + "\n" + kSeen +
         printable(finding.seen, kShown) + "\n";
  if (!reduced.played.how.empty()) out += "- the target ended: " + reduced.played.how + "\n";
  out += fmt::format("- profile {}, {}; found by {}\n", context.profile.name, context.transport,
                     finding.oracle.empty()  ? "an expectation"
                     : context.probe.empty() ? "oracle " + finding.oracle
                                             : finding.oracle);
  out += fmt::format("- {}: seen in {} of {} plays on fresh sessions\n",
                     repeats_word(reduced.repeats), reduced.confirmed, kConfirmations);
  if (reduced.cut)
    out += "- the time for reducing it ended: the script may hold more than it takes\n";
  out += fmt::format("- found after {} frame{}\n", context.frames, context.frames == 1 ? "" : "s");
  out += "- signature: `" + reduced.problem.signature + "`\n\n";
  out += std::string(invitation(context)) + "\n\n```\n";
  const std::string folder = harness::shell_quoted((fs::path(context.folder) / name).string());
  const bool should = finding.severity != harness::oracle::Severity::kFail;
  const std::string program = harness::shell_quoted(context.program.name);
  const std::string judged = "--profile " + std::string(context.profile.name) +
                             (should ? " --level should" : "") + context.program.options;
  out +=
      fmt::format("{} replay {}{} {}/script {}\n", program, judged,
                  context.probe.empty() ? "" : " --probe " + context.probe, folder, context.target);
  if (has_case(context))
    out += fmt::format("{} run {} --cases {} --select case {}\n", program, judged, folder,
                       context.target);
  out += "```\n";
  const std::size_t stretch = reduced.problem.stretch;
  if (stretch < reduced.played.stretches.size())
    out += "\n```\n" +
           quoted_frames(*reduced.played.stretches[stretch].transcript, finding.frames) + "```\n";
  if (!reduced.played.stderr_tail.empty())
    out += "\nThe last it printed:\n\n```\n" + last_lines(reduced.played.stderr_tail) + "```\n";
  return out;
}

}  // namespace

harness::Result<std::string> write_finding(const Reduced& reduced,
                                           const std::vector<Script>& journal,
                                           const FindingContext& context) {
  const auto& finding = reduced.problem.finding;
  const std::string name =
      fmt::format("{}-{:08x}", finding.requirement, short_hash(reduced.problem.signature));
  const fs::path folder = fs::path(context.folder) / name;
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    return harness::Error{folder.string(), "the folder cannot be made: " + failed.message(),
                          "name one with --findings"};
  std::string said;
  for (const Script& script : journal) said += "# ---\n" + write_script(script);
  if (said.size() > kMostJournal) said.erase(0, said.size() - kMostJournal);
  std::string transcript;
  if (reduced.problem.stretch < reduced.played.stretches.size())
    transcript = wire::to_json_lines(*reduced.played.stretches[reduced.problem.stretch].transcript);
  const std::pair<const char*, std::string> files[] = {
      {"README.md", readme(reduced, context, name)},
      {"script", write_script(reduced.script)},
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
    Found found{entry.path().filename(), first_line(entry.path() / "signature", "")};
    if (found.signature.empty()) continue;
    found.expected = first_line(entry.path() / "README.md", kExpected);
    found.seen = first_line(entry.path() / "README.md", kSeen);
    found.has_case = fs::exists(entry.path() / "case.yaml", failed);
    out.push_back(std::move(found));
  }
  std::sort(out.begin(), out.end(), [](const Found& a, const Found& b) { return a.name < b.name; });
  return out;
}

Kin kin_of(const Reduced& reduced, const std::string& folder) {
  Kin kin;
  if (!reduced.problem.unnamed) return kin;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    if (!text_of(entry.path() / "signature").ends_with(kUnnamed)) continue;
    const Script other = read_script(text_of(entry.path() / "script"));
    if (has_all_of(reduced.script, other))
      kin.told = true;
    else if (has_all_of(other, reduced.script))
      kin.longer.push_back(entry.path());
  }
  return kin;
}

}  // namespace fuzz
