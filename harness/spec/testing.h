// SPDX-License-Identifier: Apache-2.0
// For tests: the project's own clauses, read once.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "harness/base/test_folders.h"
#include "harness/spec/requirement.h"

namespace harness::spec {

inline const Registry& own_registry() {
  static const Registry kRegistry = [] {
    Registry made;
    const std::filesystem::path cases = harness::source_dir() + "/cases";
    for (const auto& file : std::filesystem::directory_iterator(cases / "requirements")) {
      const std::string name = file.path().lexically_relative(cases).string();
      if (!is_catalogue(name)) continue;
      std::stringstream text;
      text << std::ifstream(file.path()).rdbuf();
      const Status added = made.add(text.str(), name);
      if (!added) throw std::runtime_error(added.error().text());
    }
    const Status related = made.check_relations();
    if (!related) throw std::runtime_error(related.error().text());
    return made;
  }();
  return kRegistry;
}

}  // namespace harness::spec
