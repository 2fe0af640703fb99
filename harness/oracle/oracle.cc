// SPDX-License-Identifier: Apache-2.0
// The table of oracles, and how a breach gets its severity: the level of the clause under the
// profile, with bounds where the catalogue gives a milder or a harsher one.
#include "harness/oracle/oracle.h"

#include <algorithm>
#include <utility>

#include "harness/base/embed.h"
#include "harness/oracle/families.h"
#include "harness/oracle/oracle_rows.h"
#include "harness/oracle/tool_schemas.h"

RPCSPEC_EMBEDDED(oracle_rows);

namespace harness::oracle {
namespace {

Severity severity_of(spec::Level level) {
  if (spec::is_must(level)) return Severity::kFail;
  return spec::is_may(level) ? Severity::kInfo : Severity::kWarn;
}

// In the order in which they judge. What the rows of the protocol say, nobody says again.
constexpr struct {
  const char* name;
  void (*judge)(const Evidence&, Sink&);
  std::vector<std::string> (*covers)() = nullptr;
  std::vector<std::string> (*unproved)() = nullptr;
} kJudges[] = {
    {"replies", judge_replies},
    {"batches", judge_batches},
    {"envelope", judge_envelope},
    {"model", judge_model, model_clauses},
    {"features", judge_features, feature_clauses},
    {"shapes", judge_shapes, shape_clauses, unproved_shape_clauses},
    {"tool-schemas", judge_tool_schemas},
    {"error-codes", judge_error_codes},
    {"json-output", judge_json_output},
    {"stdout", judge_stdout},
    {"meta", judge_meta},
    {"server-requests", judge_server_requests},
    {"asks", judge_asks},
    {"server-notifications", judge_server_notifications},
    {"progress", judge_progress},
    {"http", judge_http},
    {"sse", judge_sse},
    {"websocket", judge_websocket},
    {"credentials", judge_credentials},
    {"process", judge_process},
    {"connection", judge_connection},
    {"lsp", judge_lsp},
    {"places", judge_places},
};

std::vector<Oracle> make_oracles() {
  static const Result<std::vector<OracleRow>> kRows =
      read_oracle_rows(json::unpacked(oracle_rows()));
  check(static_cast<bool>(kRows), "the packed oracles are damaged");
  std::vector<Oracle> out;
  for (const auto& one : kJudges) {
    const auto row = std::ranges::find(*kRows, std::string_view(one.name), &OracleRow::name);
    check(row != kRows->end(), "an oracle has no row");
    out.push_back({one.name,
                   row->help.c_str(),
                   one.covers ? one.covers() : row->covers,
                   one.judge,
                   row->falsified_by,
                   {}});
    if (one.unproved != nullptr) out.back().unproved = one.unproved();
  }
  return out;
}

}  // namespace

const std::vector<Oracle>& oracles() {
  static const std::vector<Oracle> kOracles = make_oracles();
  return kOracles;
}

namespace {

// To a reply that is wrong by itself: what it answers.
void add_request(const Evidence& evidence, Finding& finding) {
  for (const Item& item : evidence.items) {
    if (item.seq != finding.frames.front() || item.sent || !trace::is_reply(item)) continue;
    const trace::Answer& answer = trace::attribution_of(evidence).of(item);
    if (answer.whose != trace::Whose::kRequest) return;
    finding.frames.insert(finding.frames.begin(), answer.to->seq);
    return;
  }
}

}  // namespace

std::vector<Finding> judge(const Evidence& evidence) {
  Sink all;
  for (const Oracle& oracle : oracles()) {
    Sink sink;
    oracle.judge(evidence, sink);
    for (Finding& finding : sink) {
      finding.oracle = oracle.name;
      if (finding.oracle == "envelope" && finding.frames.size() == 1)
        add_request(evidence, finding);
      all.push_back(std::move(finding));
    }
  }
  return all;
}

namespace {

// Of the frames that prove a breach.
Observation last_that_came(const Evidence& evidence, const std::vector<std::uint64_t>& frames) {
  const Item* last = nullptr;
  for (const Item& item : evidence.items) {
    if (item.sent || (last && item.seq < last->seq) ||
        std::count(frames.begin(), frames.end(), item.seq) == 0)
      continue;
    last = &item;
  }
  if (last && last->value != nullptr) return observed(*last->value);
  Observation out;
  if (last) out.came = NotAMessage{};
  return out;
}

// Of another element of the same array: a batch may have thousands.
bool is_told(const Sink& sink, const Finding& finding) {
  constexpr std::ptrdiff_t kMostOfOne = 8;  // breaches of one message
  const auto end = sink.rbegin() + std::min(kMostOfOne, std::ssize(sink));
  return std::any_of(sink.rbegin(), end, [&](const Finding& other) {
    return other.requirement == finding.requirement && other.frames == finding.frames &&
           other.flaw == finding.flaw && other.expected == finding.expected &&
           other.headline == finding.headline;
  });
}

}  // namespace

void report_best(const Evidence& evidence, Sink& sink, std::span<const char* const> requirements,
                 Breach breach) {
  const spec::Requirement* best = spec::strongest(requirements, evidence.registry, evidence.profile,
                                                  evidence.transcript.transport);
  if (best == nullptr) return;
  const Severity severity = severity_of(spec::level_in(*best, evidence.profile));
  Finding finding;
  finding.requirement = best->id;
  finding.severity = std::max(std::min(severity, breach.at_most), breach.at_least);
  finding.expected = std::move(breach.expected);
  finding.seen = std::move(breach.seen);
  finding.frames = std::move(breach.frames);
  finding.wanted = std::move(breach.wanted);
  finding.sure = breach.sure;
  finding.flaw = std::move(breach.flaw);
  finding.headline = std::move(breach.headline);
  std::sort(finding.frames.begin(), finding.frames.end());
  finding.frames.erase(std::unique(finding.frames.begin(), finding.frames.end()),
                       finding.frames.end());
  if (is_told(sink, finding)) return;
  finding.came = breach.came ? std::move(*breach.came) : last_that_came(evidence, finding.frames);
  sink.push_back(std::move(finding));
}

void report(const Evidence& evidence, Sink& sink, const char* requirement, std::string expected,
            std::string seen, std::vector<std::uint64_t> frames, Severity at_most) {
  report_best(evidence, sink, {requirement},
              {std::move(expected), std::move(seen), std::move(frames), "", at_most});
}

}  // namespace harness::oracle
