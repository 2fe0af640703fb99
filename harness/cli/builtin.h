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

// The built-in suite, or that of `folder` (a cases/ tree) when it is not empty, with the user's own
// case folders added.
Result<Library> load_library(const std::string& folder, const std::vector<std::string>& user_cases);

// Why a requirement has no case: what the catalogue says of it, or what the authors wrote down.
std::string why_no_case(const spec::Requirement& requirement, const Library& library);

// Which cases are built in: what tells them from those of another build, in twelve digits.
std::string case_set();

// A server of corpus/servers that is known to break a clause.
struct KnownFrom {
  std::string clause;
  std::string software;            // "jayson 5.0.0"
  std::string server;              // its folder
  std::vector<std::string> cases;  // that fail with it; "rpcspec fuzz" where that found it
};

// What is told of clauses besides what they say.
struct Teaching {
  spec::AdviceByClause advice;
  std::vector<KnownFrom> known_from;  // empty where `folder` is not
};

// advice.yaml of the same tree, which a tree need not have.
Result<Teaching> load_teaching(const std::string& folder, const spec::Registry& registry);

// official.yaml of the same tree; empty where there is none.
Result<spec::Official> load_official(const std::string& folder, const spec::Registry& registry);

// frozen.yaml of the same tree; null where there is none.
Result<json::Value> load_frozen(const std::string& folder);

// What the file of a case says: of one of the tree, or of the user's.
Result<json::Value> source_of(const suite::Case& scenario, const std::string& folder);

// The registry alone.
Result<spec::Registry> load_registry(const std::string& folder);

}  // namespace harness::cli
