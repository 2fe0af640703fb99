// SPDX-License-Identifier: Apache-2.0
// Official: what the official conformance suite asks of servers beside our clauses, read from
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
    std::vector<std::string> checks;  // that are about the same duty
  };
  struct Scenario {
    std::string name;
    std::vector<std::string> checks;
  };

  std::string suite;  // which one, with its version
  std::map<std::string, Clause, std::less<>> clauses;
  std::vector<Scenario> scenarios;                    // in the order of the file
  std::map<std::string, std::string> without_clause;  // check → why there is none
  std::map<int, std::string> binds_no_server;         // number of a SEP → what it is about

  // The clauses about the duty that a check is about, or that a SEP ("sep-2575") brought, in the
  // order of their ids. Empty where `name` is neither.
  std::vector<std::string> clauses_of(std::string_view name) const;
  // What a SEP is about that binds no server; "" for any other name.
  std::string about(std::string_view name) const;
  // Checks of clauses that stand in no scenario.
  std::vector<std::string> unscheduled() const;
};

// `root` is what the file says; errors name it as `name`. Every clause has to be in the registry,
// every check of a scenario stands at a clause or has a reason why there is none, and never both.
Result<Official> read_official(const json::Value& root, const std::string& name,
                               const Registry& registry);

}  // namespace harness::spec
