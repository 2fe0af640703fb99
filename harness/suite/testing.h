// SPDX-License-Identifier: Apache-2.0
// For tests: the project's own clauses and cases, read once.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "harness/suite/loader.h"

namespace harness::suite {

inline const std::string kOwnCases = RPCSPEC_SOURCE_DIR "/cases";

template <class T>
T expected(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}

inline const spec::Registry& own_registry() {
  static const spec::Registry kRegistry = [] {
    spec::Registry made;
    for (const SourceFile& file : expected(read_folder(kOwnCases + "/requirements"))) {
      if (file.name.starts_with("not_covered")) continue;
      const Status added = made.add(file.text, file.name);
      if (!added) throw std::runtime_error(added.error().text());
    }
    return made;
  }();
  return kRegistry;
}

inline const Suite& own_suite() {
  static const Suite kSuite = expected(load(expected(read_folder(kOwnCases)), own_registry()));
  return kSuite;
}

}  // namespace harness::suite
