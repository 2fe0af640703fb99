// SPDX-License-Identifier: Apache-2.0
// Loader: the YAML below cases/ as a Suite. It knows the whole grammar of cases/GRAMMAR.md and
// rejects everything else, so the interpreter meets only steps it can play. Errors are
// file:line:column: what; remedy. The first ten are reported together, one line each.
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
  bool is_json = false;  // the YAML is known to be valid: it is read quickly, and errors have no
                         // place
};

// What the file says. Errors name it as `file.name`.
Result<json::Value> root_of(const SourceFile& file);

// A case as its file says it.
struct CaseText {
  std::string path;  // the name of the file without its suffix, or its folder and `case`
  json::Value said;
};
// The cases of a file: one, or several documents with `case: NAME` in each. Where a name is missing
// or no name, the path is that of the file.
Result<std::vector<CaseText>> cases_of(const SourceFile& file);
bool is_case_name(const json::Value& value);

struct Suite {
  std::vector<Case> cases;  // in the order of their ids
  match::Shapes shapes;
  json::Value outcomes = json::object();  // the content of outcomes.yaml, with what it extends
                                          // written out
  OutcomeSets sets;                       // the same, read
  // the content of fixtures.yaml, with the languages of languages/ as the affordance `document`.
  json::Value fixtures = json::object();
};

// Files outside suite/, shapes/, languages/, outcomes.yaml and fixtures.yaml are ignored.
// `shown_below` is the prefix of file names in errors ("cases/").
Result<Suite> load(const std::vector<SourceFile>& files, const spec::Registry& registry,
                   const std::string& shown_below = "cases/");

// The *.yaml files below `folder` (relative names, sorted), as load() takes them. Also tests in
// *.io files, as JSON.
Result<std::vector<SourceFile>> read_folder(const std::string& folder);

// The user's own cases (--cases DIR): those of every *.yaml and *.io below `folder`, their paths the
// ids. They may use the shapes and outcomes of `suite`.
Result<std::vector<Case>> load_user_cases(const std::string& folder, const Suite& suite,
                                          const spec::Registry& registry);
// The same for files that have been read.
Result<std::vector<Case>> load_user_cases(const std::vector<SourceFile>& files, const Suite& suite,
                                          const spec::Registry& registry,
                                          const std::string& shown_below = "");

}  // namespace harness::suite
