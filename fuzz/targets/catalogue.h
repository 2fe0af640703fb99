// SPDX-License-Identifier: Apache-2.0
// The requirements of cases/, for targets that need some. If the program runs without our sources,
// they are beside it, or RPCSPEC_CASES names the folder.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "fuzz/targets/property.h"
#include "harness/spec/requirement.h"

namespace fuzz {

inline std::string cases_folder() {
  if (const char* named = std::getenv("RPCSPEC_CASES")) return named;
  std::error_code none;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
  const auto beside = program.parent_path() / "cases";
  return std::filesystem::is_directory(beside, none) ? beside.string()
                                                     : RPCSPEC_SOURCE_DIR "/cases";
}

inline std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline const harness::spec::Registry& catalogue() {
  static const harness::spec::Registry kRegistry = [] {
    harness::spec::Registry registry;
    for (const char* name : {"base", "features"}) {
      const std::string path = cases_folder() + "/requirements/" + name + ".yaml";
      const auto status = registry.add(contents(path), path);
      hold(static_cast<bool>(status), "the requirements can be read; RPCSPEC_CASES names cases/",
           path);
    }
    return registry;
  }();
  hold(!kRegistry.all().empty(), "there are requirements");
  return kRegistry;
}

}  // namespace fuzz
