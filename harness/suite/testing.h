// SPDX-License-Identifier: Apache-2.0
// For tests: the project's own clauses and cases, read once; steps written in a test.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "harness/base/test_folders.h"
#include "harness/json/yaml.h"
#include "harness/spec/testing.h"
#include "harness/suite/loader.h"
#include "harness/suite/step_reader.h"

namespace harness::suite {

inline const std::string kOwnCases = harness::source_dir() + "/cases";

template <class T>
T expected(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}

using spec::own_registry;

inline const Suite& own_suite() {
  static const Suite kSuite = expected(load(expected(read_folder(kOwnCases)), own_registry()));
  return kSuite;
}

// What a case may refer to.
inline const Known& own_known() {
  static const Known kKnown = [] {
    std::vector<std::string> names;
    for (const auto& [name, set] : own_suite().sets) names.push_back(name);
    return Known{own_registry(), own_suite().shapes, names};
  }();
  return kKnown;
}

// Outcomes of YAML or JSON as the loader reads them, including ones it would complain about.
inline Outcomes outcomes_of(const std::string& yaml) {
  Checker checker("t.yaml", own_known());
  return read_outcomes(checker, expected(json::read_yaml(yaml, "t.yaml")));
}

// A step of YAML as the loader reads it, with these names defined: columns, captures, names of
// steps. The shipped outcomes and shapes are known.
inline std::vector<Step> steps_of(const std::string& yaml,
                                  const std::vector<std::string>& names = {},
                                  const std::vector<json::Value>& table = {}) {
  Checker checker("t.yaml", own_known());
  for (const std::string& name : names) checker.define(name, {}, "the name");
  checker.columns(table);
  const json::Value list = expected(json::read_yaml(yaml, "t.yaml"));
  Surroundings anywhere;
  anywhere.bare = true;
  std::vector<Step> steps = StepReader(checker, anywhere).steps(list);
  for (const Error& error : checker.errors()) throw std::runtime_error(error.text());
  return steps;
}

}  // namespace harness::suite
