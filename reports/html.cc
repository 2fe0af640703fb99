// SPDX-License-Identifier: Apache-2.0
// The page is that of reports/html/, built into the program; a script of ours draws it from data
// that stands in it as JSON. What a target said gets no further than text nodes: within the data no
// character is left that could end it, and the policy of the page lets no script or style run but
// those whose hashes it names.
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string_view>

#include "harness/base/base64.h"
#include "harness/base/text.h"
#include "harness/json/escaped.h"
#include "harness/json/write.h"
#include "harness/spec/source_link.h"
#include "reports/evidence.h"
#include "reports/formats.h"
#include "reports/html_matrix.h"
#include "reports/html_page.h"
#include "reports/layout.h"

namespace reports {
namespace {

namespace json = harness::json;
using json::Value;

// How much of the evidence is kept; the tighter, the further down.
struct Limits {
  std::size_t frame_bytes, frames, findings;  // of a frame; of a finding; of a case
};
constexpr Limits kLimits[] = {{16384, 64, 1000}, {4096, 24, 200}, {1024, 8, 60}, {512, 4, 20},
                              {512, 3, 6},       {256, 3, 3},     {256, 2, 2},   {256, 2, 1},
                              {80, 1, 1},        {0, 0, 1}};
// What a finding and a frame cost beside the bytes of the frame; a case and a row of coverage.
constexpr std::size_t kFindingCost = 400, kFrameCost = 90, kCaseCost = 500, kRowCost = 400;

std::size_t bytes_of(const Value& frame) {
  for (const char* name : {"text", "base64"})
    if (const Value* found = frame.find(name)) return found->text.size();
  return 0;
}

// About what the findings of all cases cost within the limits.
std::size_t cost(const Value& document, const Limits& limits) {
  std::size_t sum = 0;
  for (const Value& one : document.find("cases")->items) {
    sum += kCaseCost;
    std::size_t findings = 0;
    for (const Value& finding : one.find("findings")->items) {
      if (++findings > limits.findings) break;
      sum +=
          kFindingCost + finding.find("expected")->text.size() + finding.find("seen")->text.size();
      std::size_t frames = 0;
      for (const Value& frame : finding.find("frames")->items) {
        if (++frames > limits.frames) break;
        // Quotes are escaped.
        sum += kFrameCost + std::min(bytes_of(frame), limits.frame_bytes) * 5 / 4;
      }
    }
  }
  for (const Value& cause : document.find("causes")->items)
    sum += kFindingCost + cause.items.size();
  return sum + document.find("coverage")->items.size() * kRowCost;
}

// The beginning, without half a character at its end.
void cut(std::string& text, std::size_t most) {
  if (text.size() <= most) return;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  text.resize(most);
}

void trim(Value& frame, std::size_t most) {
  const std::size_t before = bytes_of(frame);
  if (before <= most) return;
  if (frame.find("size") == nullptr)
    frame.set("size", json::number(static_cast<std::int64_t>(before)));
  if (Value* text = frame.find("text")) cut(text->text, most);
  // Whole groups of four stand for whole bytes.
  if (Value* bytes = frame.find("base64")) bytes->text.resize(most / 4 * 4);
}

void shorten(std::vector<Value>& list, std::size_t most) {
  if (list.size() > most) list.erase(list.begin() + static_cast<std::ptrdiff_t>(most), list.end());
}

void trim(Value& document, const Limits& limits) {
  for (Value& one : document.find("cases")->items) {
    std::vector<Value>& findings = one.find("findings")->items;
    shorten(findings, limits.findings);
    for (Value& finding : findings) {
      for (const char* name : {"expected", "seen"}) cut(finding.find(name)->text, 2000);
      std::vector<Value>& frames = finding.find("frames")->items;
      shorten(frames, limits.frames);
      for (Value& frame : frames) trim(frame, limits.frame_bytes);
    }
  }
}

// A finding that stands by itself.
void trim_alone(Value& finding) {
  constexpr std::size_t kMostFrames = 40, kBytes = 4096;
  for (const char* name : {"expected", "seen"}) cut(finding.find(name)->text, kBytes);
  shorten(finding.find("frames")->items, kMostFrames);
  for (Value& frame : finding.find("frames")->items) trim(frame, kBytes);
}

// The finding that shows a cause stands with it, whatever is left out of its case.
void trim_causes(Value& document) {
  constexpr std::size_t kMostRefs = 2000, kMostTalk = 40, kTalkBytes = 4096;
  std::map<std::string_view, const Value*> cases;
  for (const Value& one : document.find("cases")->items) cases[one.find("id")->text] = &one;
  for (Value& cause : document.find("causes")->items) {
    std::vector<Value>& refs = cause.find("findings")->items;
    shorten(refs, kMostRefs);
    std::vector<Value>& talk = cause.find("conversation")->items;
    shorten(talk, kMostTalk);
    for (Value& frame : talk) trim(frame, kTalkBytes);
    cause.set("frames", json::array());
    if (refs.empty()) continue;
    const auto place = cases.find(refs.front().find("case")->text);
    const auto number = json::as_integer(*refs.front().find("finding"));
    if (place == cases.end() || !number) continue;
    const std::vector<Value>& findings = place->second->find("findings")->items;
    if (static_cast<std::size_t>(*number) >= findings.size()) continue;
    Value finding = findings[static_cast<std::size_t>(*number)];
    trim_alone(finding);
    cause.set("finding", std::move(finding));
  }
}

std::string trim_note(const Limits& limits) {
  if (limits.frames == 0)
    return "This page was trimmed: it shows frames only for causes, and one finding per case. "
           "The JSON report has more, the transcripts (run --transcripts DIR) have everything.";
  return "This page was trimmed: at most " + counted(limits.findings, "finding", "findings") +
         " a case, " + counted(limits.frames, "frame", "frames") + " a finding and " +
         counted(limits.frame_bytes, "byte", "bytes") +
         " per frame. The JSON report has more, the transcripts (run --transcripts DIR) have "
         "everything.";
}

Value clause_value(const std::string& id, const Record& record, const ReportOptions& options) {
  const Clause clause = clause_of(id, record.started.profile, options);
  Value links = json::array();
  for (const harness::spec::SourceLink& link : harness::spec::links_of(clause.source))
    links.items.push_back(
        json::object({{"text", json::string(link.text)}, {"url", json::string(link.url)}}));
  if (const std::string page = options.page ? options.page(id) : ""; !page.empty())
    links.items.push_back(json::object(
        {{"text", json::string("all about this clause")}, {"url", json::string(page)}}));
  Value out = json::object({{"level", json::string(clause.level)},
                            {"statement", json::string(clause.statement)},
                            {"links", std::move(links)}});
  if (const auto* entry = options.requirement ? options.requirement(id) : nullptr)
    if (!entry->revisions.empty()) out.set("since", json::string(entry->revisions.front()));
  if (const std::string marks = marks_text(official_marks(id, options)); !marks.empty())
    out.set("official", json::string(marks));
  return out;
}

// What to change, by language.
void add_advice(Value& clause, const std::string& id, const ReportOptions& options) {
  const harness::spec::Advice* advice = options.advice ? options.advice(id) : nullptr;
  if (advice == nullptr) return;
  Value languages = json::object();
  for (std::size_t i = 0; i < harness::spec::kLanguages.size(); ++i) {
    std::string lines;
    for (const std::string& line : advice->lines[i]) lines += line + "\n";
    languages.set(harness::spec::kLanguages[i].title, json::string(lines));
  }
  clause.set("usual_cause", json::string(advice->cause));
  clause.set("advice", std::move(languages));
}

Value clauses_value(const Record& record, const ReportOptions& options) {
  std::map<std::string, Value> clauses;  // by their names as the document has them
  const auto add_clause = [&](const std::string& id) {
    const std::string name = harness::is_utf8(id) ? id : harness::printable(id, id.size());
    if (name.size() <= 300 && !clauses.contains(name))
      clauses.emplace(name, clause_value(id, record, options));
  };
  for (const harness::run::CoverageRow& row : record.finished.coverage) add_clause(row.requirement);
  for (const harness::run::Cause& cause : record.finished.causes) {
    add_clause(cause.requirement);
    const auto clause = clauses.find(cause.requirement);
    if (clause != clauses.end() && clause->second.find("advice") == nullptr)
      add_advice(clause->second, cause.requirement, options);
  }
  for (const harness::run::CaseResult& result : record.cases)
    for (const harness::oracle::Finding& finding : result.findings) add_clause(finding.requirement);
  Value out = json::object();
  for (auto& [name, clause] : clauses) out.members.push_back({name, std::move(clause), {}});
  return out;
}

// JSON that can stand within a script element: nothing in it begins a tag, an entity or a comment.
std::string inert(const std::string& text) {
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  for (const char c : text)
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else if (c == '&')
      out += "\\u0026";
    else
      out += c;
  return harness::json::escaped_for_eyes(out);
}

std::string html_text(const std::string& bytes) {
  std::string out;
  for (const char c : harness::printable(bytes))
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  return out;
}

std::string source_hash(std::string_view text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return "sha256-" +
         harness::to_base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

// The document as it stands in the page.
std::string drawn(Value document, const Record& record, const ReportOptions& options) {
  document.set("clauses", clauses_value(record, options));
  // A script reads numbers as doubles, and a seed has 64 bits.
  document.set("seed_text", json::string(std::to_string(record.started.seed)));
  return inert(json::write(document));
}

std::string data_of(const Record& record, const ReportOptions& options) {
  Value document = json_value(record, options);
  trim_causes(document);
  const Limits* limits = std::begin(kLimits);
  const std::size_t most =
      std::min(kMostHtmlOfSeveral, kMostHtmlData * std::max<std::size_t>(1, record.parts.size()));
  while (std::next(limits) != std::end(kLimits) && cost(document, *limits) > most) ++limits;
  trim(document, *limits);
  document.set("trimmed", json::string(limits == std::begin(kLimits) ? "" : trim_note(*limits)));
  if (side_by_side(record)) add_cells(document);
  return drawn(std::move(document), record, options);
}

std::string matrix_data_of(const Record& record, const ReportOptions& options) {
  Value document = json_value(record, options);
  add_cells(document);
  keep_cells_alone(document);
  for (Value& cause : document.find("causes")->items)
    for (json::Member& cell : cause.find("cells")->members)
      if (Value* shown = cell.value.find("shown")) trim_alone(*shown);
  document.set("trimmed", json::string(""));
  return drawn(std::move(document), record, options);
}

std::string page_of(const Record& record, std::string data) {
  const std::string script = html_script(), style(html_style());
  const std::string outcome = record.finished.gate_passed ? "passed" : "failed";
  const std::pair<std::string_view, std::string> slots[] = {
      {"title", html_text("rpcspec: " + outcome + ", " + record.started.target)},
      {"gate", html_text("Gate " + record.finished.gate)},
      {"script_hash", source_hash(script)},
      {"style_hash", source_hash(style)},
      {"style", style},
      {"script", script},
      {"data", std::move(data)},
  };
  // In one pass: what is filled in is not looked at again.
  std::string out;
  std::string_view rest = html_template();
  while (true) {
    const std::size_t open = rest.find("{{");
    const std::size_t close = open == std::string_view::npos ? open : rest.find("}}", open);
    if (close == std::string_view::npos) break;
    out += rest.substr(0, open);
    const std::string_view name = rest.substr(open + 2, close - open - 2);
    const auto slot = std::find_if(std::begin(slots), std::end(slots),
                                   [&](const auto& one) { return one.first == name; });
    harness::check(slot != std::end(slots), "the page has a slot that nothing fills");
    out += slot->second;
    rest.remove_prefix(close + 2);
  }
  return out += rest;
}

}  // namespace

std::string render_html(const Record& record, const ReportOptions& options) {
  return page_of(record, data_of(record, options));
}

std::string render_matrix(const Record& record, const ReportOptions& options) {
  return page_of(record, matrix_data_of(record, options));
}

}  // namespace reports
