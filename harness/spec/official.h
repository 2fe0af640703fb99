// SPDX-License-Identifier: Apache-2.0
// Official: what the official conformance suite tests, mapped to our clauses, read from
// cases/official.yaml: SEP numbers and check ids of clauses, checks of scenarios.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"
#include "harness/spec/requirement.h"

namespace harness::spec {

struct Official {
  struct Clause {
    std::vector<int> seps;            // numbers of the proposals that brought it
    std::vector<std::string> checks;  // about the same duty
  };
  struct Scenario {
    std::string name;
    std::vector<std::string> checks;
  };

  std::string suite;  // which list, with its version
  std::map<std::string, Clause, std::less<>> clauses;
  std::vector<Scenario> scenarios;                    // in the order of the file
  std::map<std::string, std::string> without_clause;  // check → why there is none
  std::map<int, std::string> binds_no_server;         // number of a SEP → what it is about

  // The clauses about the duty that a check is about, or that a SEP ("sep-2575") brought, in the
  // order of their ids. Empty where `name` is neither.
  std::vector<std::string> clauses_of(std::string_view name) const;
  // What a SEP is about that binds no server; "" for any other name.
  std::string about(std::string_view name) const;
  // Checks of clauses without a scenario.
  std::vector<std::string> unscheduled() const;
};

// `root` is the content of the file, which errors call `name`. Every clause must be in the
// registry; every check of a scenario must have a clause or a reason why there is none, but not
// both.
Result<Official> read_official(const json::Value& root, const std::string& name,
                               const Registry& registry);

}  // namespace harness::spec
