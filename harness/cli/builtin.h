// SPDX-License-Identifier: Apache-2.0
// The suite that is built into the binary: the files of cases/, packed at build time, so that
// rpcspec is one file that needs nothing beside it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/spec/requirement.h"
#include "harness/suite/loader.h"

namespace harness::cli {

struct Library {
  spec::Registry registry;
  suite::Suite suite;
  std::map<std::string, std::string> not_covered;  // requirement → why no case can cover it
};

// The built-in suite, or that of `folder` (a cases/ tree) when it is not empty, with the user's own
// case folders added.
Result<Library> load_library(const std::string& folder, const std::vector<std::string>& user_cases);

// The registry alone.
Result<spec::Registry> load_registry(const std::string& folder);

}  // namespace harness::cli
