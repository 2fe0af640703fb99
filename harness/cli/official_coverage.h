// SPDX-License-Identifier: Apache-2.0
// What of the official conformance suite our cases cover, and where the two differ: by the table
// that is built in, or by a checkout of the suite.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/cli/builtin.h"
#include "harness/results/coverage.h"
#include "harness/spec/official.h"

namespace harness::cli {

// What is passed by reference outlives it.
class OfficialCoverage {
 public:
  OfficialCoverage(const spec::Official& official, const Library& library,
                   const std::vector<run::CoverageRow>& coverage);

  // Each check by its scenario, as JSON or as text. `missing`: only those without a case.
  std::string of_suite(bool json, bool missing) const;

  // Each check of src/seps/*.yaml in `checkout` by its proposal, and what only one side has: checks
  // that this rpcspec does not know, checks that are gone there, clauses of ours without a check
  // there. `missing`: without checks that have a case, and clauses of ours. An Error is a folder
  // that is no checkout, or a file that cannot be read, with line and column.
  Result<std::string> of_checkout(const std::string& checkout, bool json, bool missing) const;

 private:
  struct Row {
    std::string group;  // scenario or proposal; "" for none
    std::string check;  // "" for a clause without one
    std::vector<std::string> clauses, cases;
    std::string reason;  // why there is no case, or why the sides differ
  };
  using Heading = std::function<std::string(const std::string& group)>;

  std::vector<std::string> cases_of(const std::vector<std::string>& clauses) const;
  bool knows(const std::string& check) const;
  Row row_of(const std::string& group, const std::string& check) const;
  Status add_proposal(const std::string& file, std::vector<Row>& rows) const;
  static std::string as_json(const std::vector<Row>& rows);
  static std::string as_text(const std::vector<Row>& rows, bool missing, const Heading& heading);

  const spec::Official& official_;
  const Library& library_;
  std::map<std::string, const run::CoverageRow*> by_clause_;
};

}  // namespace harness::cli
