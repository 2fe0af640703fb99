// SPDX-License-Identifier: Apache-2.0
// Events: what a run reports while it is in progress. Reporters receive events and never ask for
// anything.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/oracle/finding.h"
#include "harness/results/cause.h"
#include "harness/results/verdict.h"
#include "harness/wire/frame.h"

namespace harness::run {

struct CaseResult {
  std::string id;
  std::string title;
  Verdict verdict = Verdict::kPass;
  std::string level;                      // the highest level of its requirements: "MUST", …
  std::vector<std::string> requirements;  // those that apply under the profile
  std::int64_t duration_ms = 0;
  std::size_t rows = 0;             // rows that were judged; 1 without a table, 0 for oracles
  std::vector<std::string> judged;  // their labels, in a loop over calls of a contract
  std::string reason;  // why not_applicable, inconclusive, flaky or error; "" otherwise
  std::string remedy;  // inconclusive: what to add to the target description
  std::vector<oracle::Finding> findings;
  std::vector<std::string> notes;                      // allowed, but worth knowing
  std::shared_ptr<const wire::Transcript> transcript;  // of the judgement; may be null
  std::string replay;                                  // the command that plays only this case
  bool baselined = false;                              // a known failure: listed with this message
};

struct RunStarted {
  std::string version;  // of rpcspec
  std::string target;
  std::string profile;
  std::string transport;
  std::uint64_t seed = 0;
  std::size_t cases = 0;  // selected
};

// The status of one requirement after the run, for the report's `coverage`.
struct CoverageRow {
  std::string requirement;
  std::string level;
  std::string status;              // worst verdict of the cases and oracles that cover it, or
                                   // "not_covered"
  std::vector<std::string> cases;  // case ids and "oracle:NAME"
};

// A tool that cases would have called, but may not.
struct NotCalled {
  std::string tool;    // as listed, raw
  std::string reason;  // "not annotated readOnlyHint"
};

// A method of the contract that the target is tested against, and the result of each clause about
// described methods for it.
struct DescribedMethod {
  std::string name;  // raw
  bool called = false;
  std::string why;                             // why it may be called, or why not
  std::size_t examples = 0;                    // that fit their schemas
  std::vector<std::string> not_judged;         // what, and why
  std::map<std::string, std::string> clauses;  // → planned, tried, warn or fail
};

// What changed of what the server offers, since the surface it is held against.
enum class SurfaceGrade { kBreaking, kAdditive, kMetadata };
struct SurfaceChange {
  SurfaceGrade grade = SurfaceGrade::kMetadata;
  std::string where;   // "tool search, argument limit"
  std::string what;    // "is now required"
  std::string reason;  // why it has this grade; empty if `what` says it
};

// The gate of a run that passed but proves little, see RunFinished::partial.
inline constexpr const char* kPassedInPart = "passed in part: methods of the server were not called";
// That of a run with failures which are written as known ones.
inline constexpr const char* kPassedAsKnown = "passed: what fails is written as known failures";

struct RunFinished {
  std::map<std::string, std::size_t> summary;  // a count per verdict name
  std::int64_t duration_ms = 0;
  std::vector<CoverageRow> coverage;
  std::vector<Cause> causes;  // in the order in which to fix them
  std::vector<NotCalled> not_called;
  std::string contract;  // how many methods of the contract may be called, one line; "": none
  std::vector<DescribedMethod> methods;
  std::vector<SurfaceChange> surface;  // breaking ones first
  std::vector<std::string> stale;      // baseline entries that passed or were not played
  std::vector<std::string> unjudged;   // profiles that the target also speaks, newest first
  std::string partial;                 // why a pass proves little, and what to add; "" otherwise
  std::string gate;                    // "passed", "failed: …", one line
  bool gate_passed = true;
  bool level_should = false;  // a broken SHOULD also fails the gate
  bool interrupted = false;
};

// What the run has been waiting for, for a second or longer.
struct Waiting {
  std::string what;    // "a reply to tools/call"
  bool first = false;  // nothing has come on its session: it may be starting
  std::chrono::milliseconds since{0};
  std::chrono::milliseconds most{0};
};

// A consumer of Events. All have empty defaults; a reporter overrides what it needs.
class Reporter {
 public:
  virtual ~Reporter() = default;
  virtual void run_started(const RunStarted&) {}
  // A case is played: for the first time, or again before it is finished. Several may be in
  // progress.
  virtual void case_started(const std::string& id) { (void)id; }
  virtual void case_finished(const CaseResult&) {}
  virtual void waiting(const Waiting&) {}  // may come before run_started()
  virtual void run_finished(const RunFinished&) {}
};

}  // namespace harness::run
