// SPDX-License-Identifier: Apache-2.0
// Loader: the YAML below cases/ as a Suite. It knows the whole grammar of cases/GRAMMAR.md and
// refuses what is outside it, so the interpreter meets only steps it can play. Errors are
// file:line:column: what; remedy. The first ten are told together, a line each.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"
#include "harness/match/shapes.h"
#include "harness/spec/requirement.h"
#include "harness/suite/case.h"

namespace harness::suite {

struct SourceFile {
  std::string name;  // below cases/: "suite/base/ids.yaml", "shapes/tools.yaml", "outcomes.yaml"
  std::string text;
  bool is_json = false;  // it was YAML and is known to be right: read quickly, errors have no place
};

// What the file says. Errors name it as `file.name`.
Result<json::Value> root_of(const SourceFile& file);

struct Suite {
  std::vector<Case> cases;  // in the order of their ids
  match::Shapes shapes;
  json::Value outcomes = json::object();  // outcomes.yaml as it stands, what extends put in full
  OutcomeSets sets;                       // the same, read
  // fixtures.yaml as it stands, and as the affordance `document` those of languages/.
  json::Value fixtures = json::object();
};

// Files outside suite/, shapes/, languages/, outcomes.yaml and fixtures.yaml are ignored.
// `shown_below` is put before file names in errors ("cases/").
Result<Suite> load(const std::vector<SourceFile>& files, const spec::Registry& registry,
                   const std::string& shown_below = "cases/");

// The *.yaml files below `folder` (relative names, sorted): what load() takes. Beside them tests in
// *.io files, as JSON.
Result<std::vector<SourceFile>> read_folder(const std::string& folder);

// The user's own cases (--cases DIR): every *.yaml and *.io below `folder` is a case, its path the
// id. They may use the shapes and outcomes of `suite`.
Result<std::vector<Case>> load_user_cases(const std::string& folder, const Suite& suite,
                                          const spec::Registry& registry);
// The same of files that have been read.
Result<std::vector<Case>> load_user_cases(const std::vector<SourceFile>& files, const Suite& suite,
                                          const spec::Registry& registry,
                                          const std::string& shown_below = "");

}  // namespace harness::suite
