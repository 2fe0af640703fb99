// SPDX-License-Identifier: Apache-2.0
// rpcspec check: loads case files and project files without a target, and says what they are or
// what is wrong; with --schema, how an editor can tell.
// rpcspec new: a case file to begin with.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/play_project.h"
#include "harness/cli/project.h"
#include "harness/cli/schemas.h"
#include "harness/contract/contract.h"
#include "harness/json/yaml.h"
#include "harness/suite/check.h"
#include "harness/suite/own_clauses.h"
#include "reports/layout.h"

namespace harness::cli {
namespace {

namespace fs = std::filesystem;

// A file, or all case files below a folder.
Result<std::vector<suite::SourceFile>> files_at(const std::string& path) {
  std::error_code failure;
  if (fs::is_directory(path, failure)) {
    Result<std::vector<suite::SourceFile>> files = suite::read_folder(path);
    if (!files) return files.error();
    for (suite::SourceFile& file : *files) file.name = (fs::path(path) / file.name).string();
    return files;
  }
  Result<std::string> text = read_file(path);
  if (!text) return text.error();
  return std::vector<suite::SourceFile>{{path, std::move(*text)}};
}

std::string list_of(const std::vector<std::string>& words, const char* none) {
  return words.empty() ? none : fmt::format("{}", fmt::join(words, ", "));
}

void tell(const suite::Case& scenario) {
  fmt::print("{}: {}\n  covers {}; profiles: {}; transports: {}; steps: {}; rows: {}\n",
             scenario.file, scenario.title, list_of(scenario.covers, "-"),
             list_of(scenario.profiles, "wherever one of those applies"),
             list_of(scenario.transports.words(), "all"), scenario.steps.size(),
             std::max<std::size_t>(1, scenario.table.size()));
}

// Only a project has targets.
bool is_project(const suite::SourceFile& file) {
  if (fs::path(file.name).filename() == kProjectFile) return true;
  const Result<json::Value> root = json::read_yaml(file.text, file.name);
  return root && root->is_object() && root->find("targets") != nullptr;
}

int check_files(const std::vector<std::string>& paths, const std::string& suite_folder,
                const Invocation& invocation) {
  std::vector<suite::SourceFile> files;
  for (const std::string& path : paths) {
    Result<std::vector<suite::SourceFile>> more = files_at(path);
    if (!more) return complain(more.error(), kUsage);
    files.insert(files.end(), more->begin(), more->end());
  }
  if (files.empty())
    return complain(
        Error{paths.front(), "the folder holds no case files", "cases are files that end in .yaml"},
        kUsage);
  const auto projects = std::stable_partition(
      files.begin(), files.end(), [](const suite::SourceFile& file) { return !is_project(file); });
  int code = kOk;
  for (auto project = projects; project != files.end(); ++project)
    code = std::max(code, check_project(project->name, invocation));
  files.erase(projects, files.end());
  if (files.empty()) return code;
  Result<Library> library = load_library(suite_folder, {});
  if (!library) return complain(library.error(), kUsage);
  const Status clauses = suite::add_own_clauses(files, library->registry);
  if (!clauses) return complain(clauses.error(), kUsage);
  const suite::Checked checked = suite::check_cases(files, library->suite, library->registry);
  for (const suite::Case& scenario : checked.cases) tell(scenario);
  std::fflush(stdout);
  for (const Error& error : checked.errors) fmt::print(stderr, "{}\n", error.text());
  return checked.errors.empty() ? code : kUsage;
}

// What is wrong in a document that describes a server, without the server.
int check_openrpc(const std::string& file) {
  Result<std::string> text = read_file(file, contract::kMostText + 1);
  if (!text) return complain(text.error(), kUsage);
  Result<contract::Document> document = contract::Document::read(*text, file);
  if (!document) return complain(document.error(), kUsage);
  const contract::Contract read = contract::read_contract(std::move(*document));
  std::size_t flaws = 0;
  for (const contract::Flaw& flaw : read.flaws) {
    if (flaw.weight != contract::Weight::kInfo) ++flaws;
    fmt::print("{}: {} {}: {}\n", printable(read.document.where(flaw.place)),
               contract::weight_name(flaw.weight), flaw.clause, flaw.what);
  }
  for (const contract::Method& method : read.methods)
    for (const std::string& doubt : method.not_judged)
      fmt::print("not judged: {}: {}\n", printable(method.name, 80), doubt);
  fmt::print("{}: {}, {}\n", file, reports::counted(read.described, "method", "methods"),
             reports::counted(flaws, "flaw", "flaws"));
  return flaws == 0 ? kOk : kViolations;
}

struct NewCase {
  std::string id, covers, folder, suite;
};

int write_case(const NewCase& wanted) {
  const Result<spec::Registry> registry = load_registry(wanted.suite);
  if (!registry) return complain(registry.error(), kUsage);
  const spec::Requirement* clause = registry->find(wanted.covers);
  if (!wanted.covers.empty() && clause == nullptr) {
    std::vector<std::string> ids;
    for (const spec::Requirement& one : registry->all()) ids.push_back(one.id);
    const std::string near = nearest(wanted.covers, ids);
    return complain(Error{"--covers", "there is no requirement `" + printable(wanted.covers) + "`",
                          near.empty() ? "`rpcspec list requirements` names them"
                                       : "did you mean `" + near + "`?"},
                    kUsage);
  }
  const fs::path path = fs::path(wanted.folder) / (wanted.id + ".yaml");
  std::error_code failure;
  if (fs::exists(path, failure))
    return complain(
        Error{path.string(), "the file exists", "choose another id; nothing was written"}, kUsage);
  fs::create_directories(path.parent_path(), failure);
  std::ofstream file(path, std::ios::binary);
  file << suite::new_case(clause);
  file.close();
  if (!file)
    return complain(Error{path.string(), "the file cannot be written",
                          "name one of your own "
                          "folders"},
                    kUsage);
  fmt::print("{}\n", path.string());
  return kOk;
}

}  // namespace

Command command_check(const Invocation& invocation) {
  struct Options {
    std::vector<std::string> paths;
    std::string suite, schema, openrpc;
  };
  auto options = std::make_shared<Options>();
  Command command{"check", "Check case files and rpcspec.yaml for mistakes"};
  command.add({
      {"files", &options->paths},
      {"--suite", &options->suite},
      option("--schema", &options->schema, {.words = schema_names()}),
      {"--openrpc", &options->openrpc},
  });
  command.action = [options, &invocation] {
    if (!options->openrpc.empty()) return check_openrpc(options->openrpc);
    if (!options->schema.empty()) {
      const std::string schema = schema_named(options->schema);
      std::fwrite(schema.data(), 1, schema.size(), stdout);
      return static_cast<int>(kOk);
    }
    std::error_code ignored;
    if (options->paths.empty() && fs::exists(kProjectFile, ignored))
      options->paths = {kProjectFile};
    if (options->paths.empty())
      return complain(Error{"files", "there is nothing to check",
                            "write `rpcspec check rpcspec.yaml`, or name case files or folders"},
                      kUsage);
    return check_files(options->paths, options->suite, invocation);
  };
  return command;
}

Command command_new(const Invocation&) {
  auto options = std::make_shared<NewCase>();
  Command made{"case", "Write ID.yaml below a folder of cases"};
  made.add({
      {"id", &options->id},
      {"--covers", &options->covers},
      {"--in", &options->folder},
      {"--suite", &options->suite},
  });
  Command command{"new", "Write a case file to start from"};
  command.commands.push_back(std::move(made));
  command.action = [options] { return write_case(*options); };
  return command;
}

}  // namespace harness::cli
