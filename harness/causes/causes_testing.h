// SPDX-License-Identifier: Apache-2.0
// For tests: clues made by hand, and the causes that are found of them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/causes/causes.h"
#include "harness/spec/testing.h"

namespace harness::run {

// Clues of cases "a/1", "a/2", …, one finding each unless the test says otherwise.
class Causes : public testing::Test {
 protected:
  Clue& clue(const std::string& requirement, oracle::Symptom symptom = oracle::Symptom::kAnswer) {
    CaseResult result;
    result.id = "a/" + std::to_string(results_.size() + 1);
    result.title = "title of " + result.id;
    result.requirements = {requirement};
    result.verdict = Verdict::kFail;
    result.replay = "replay " + result.id;
    oracle::Finding finding;
    finding.requirement = requirement;
    finding.expected = "one thing";
    finding.seen = "another";
    result.findings = {finding};
    results_.push_back(result);
    Clue out;
    out.ref = {result.id, 0};
    out.requirement = requirement;
    out.symptom = symptom;
    clues_.all.push_back(out);
    return clues_.all.back();
  }

  // About a sound request.
  Clue& about(const std::string& method, const std::string& requirement,
              oracle::Symptom symptom = oracle::Symptom::kAnswer) {
    Clue& out = clue(requirement, symptom);
    out.trigger.seq = 1;
    out.trigger.is_json = out.trigger.valid = true;
    out.trigger.kind = wire::MessageKind::kRequest;
    out.trigger.method = method;
    out.trigger.members = {{"method", method}};
    out.trigger.bytes = 60;
    return out;
  }

  // Four errors whose ids are lost; of the last, the code that was due.
  void lose_ids_of_errors(std::int64_t due) {
    for (int i = 0; i < 4; ++i) {
      Clue& lost = about("no/such", "jsonrpc.id.echo-on-error");
      lost.came.code = "-32601";
      lost.answered = true;
      IdTally& tally = clues_.ids[lost.ref.case_id];
      tally.altered[trace::Change::kLost] = tally.altered_by_errors = 2;
    }
    oracle::Wanted& wanted = results_.back().findings.front().wanted;
    wanted.error = true;
    wanted.codes = {due};
  }

  // For the last clue: the status that was due.
  void wanted(const char* status) {
    results_.back().findings.front().wanted.statuses = {status};
  }

  std::vector<Cause> found(const char* profile = "mcp-2025-11-25",
                           wire::TransportKind transport = wire::TransportKind::kStdio) {
    return find_causes(clues_,
                       {spec::own_registry(), *spec::find_profile(profile), transport, results_, few_});
  }

  std::vector<Cause> causes_;
  Clues clues_;
  bool few_ = false;
  std::vector<CaseResult> results_;
};

}  // namespace harness::run
