// SPDX-License-Identifier: Apache-2.0
// The suite that is built into the binary: the files of cases/, packed at build time, so that
// rpcspec is one file that needs nothing beside it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/spec/advice.h"
#include "harness/spec/official.h"
#include "harness/spec/requirement.h"
#include "harness/suite/loader.h"

namespace harness::cli {

struct Library {
  spec::Registry registry;
  suite::Suite suite;
  std::map<std::string, std::string> not_covered;  // requirement → why no case can cover it
};

// The built-in suite, or that of `folder` (a cases/ tree) if it is not empty, and the user's own
// case folders.
Result<Library> load_library(const std::string& folder, const std::vector<std::string>& user_cases);

// Loads the built-in one for the next load_library(), which takes it away: for a process that forks
// for each answer, and loads nothing itself.
void keep_library();

// Why a requirement has no case: the reason in the catalogue, or the one that the authors wrote
// down.
std::string why_no_case(const spec::Requirement& requirement, const Library& library);

// Identifies the built-in cases by twelve digits: equal for equal cases.
std::string case_set();

// A server of corpus/servers that is known to break a clause.
struct KnownFrom {
  std::string clause;
  std::string software;            // "jayson 5.0.0"
  std::string server;              // its folder
  std::vector<std::string> cases;  // that fail with it; "rpcspec fuzz" if fuzzing found it
};

// What is known about clauses besides their statements.
struct Teaching {
  spec::AdviceByClause advice;
  std::vector<KnownFrom> known_from;  // empty if `folder` is not
};

// advice.yaml of the same tree; the file is optional.
Result<Teaching> load_teaching(const std::string& folder, const spec::Registry& registry);

// official.yaml of the same tree; empty if there is none.
Result<spec::Official> load_official(const std::string& folder, const spec::Registry& registry);

// frozen.yaml of the same tree; null if there is none.
Result<json::Value> load_frozen(const std::string& folder);

// A case as its file says it: one of the tree, or one of the user's.
Result<json::Value> source_of(const suite::Case& scenario, const std::string& folder);

// The registry alone.
Result<spec::Registry> load_registry(const std::string& folder);

}  // namespace harness::cli
