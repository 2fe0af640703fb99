// SPDX-License-Identifier: Apache-2.0
#include "harness/falsify/claims.h"

#include <fnmatch.h>

#include <algorithm>

#include "harness/oracle/oracle.h"
#include "harness/reference/fault_row.h"

namespace harness::falsify {
namespace {

bool wanted(const std::string& watcher, const std::string& fault,
            const std::vector<std::string>& only) {
  return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& glob) {
           return fnmatch(glob.c_str(), watcher.c_str(), 0) == 0 ||
                  fnmatch(glob.c_str(), fault.c_str(), 0) == 0;
         });
}

}  // namespace

Claims claims_of(const suite::Suite& suite, const std::vector<std::string>& only) {
  Claims claims;
  std::set<std::string> covered;
  const auto claim = [&](const std::string& watcher, const std::string& fault) {
    if (wanted(watcher, fault, only)) claims.by_fault[fault].insert(watcher);
  };
  for (const suite::Case& scenario : suite.cases) {
    for (const std::string& fault : scenario.falsified_by) claim(scenario.id, fault);
    covered.insert(scenario.covers.begin(), scenario.covers.end());
  }
  for (const oracle::Oracle& judge : oracle::oracles()) {
    for (const std::string& fault : judge.falsified_by)
      claim(std::string("oracle/") + judge.name, fault);
    covered.insert(judge.covers.begin(), judge.covers.end());
  }
  for (const reference::FaultRow* fault : reference::shape_faults()) {
    const std::string& name = fault->name;
    const std::string& clause = fault->breaks;
    if (covered.contains(clause)) {
      claim("clause/" + clause, name);
    } else if (!claims.by_fault.contains(name) && wanted("clause/" + clause, name, only)) {
      claims.unclaimed.push_back(name);
    }
  }
  return claims;
}

}  // namespace harness::falsify
