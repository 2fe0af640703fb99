// SPDX-License-Identifier: Apache-2.0
// rpcspec import: tests in another form as case files.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/suite/io_tests.h"
#include "harness/suite/loader.h"

namespace harness::cli {
namespace {

namespace fs = std::filesystem;

struct ImportOptions {
  std::string from, to;
};

int import_tests(const ImportOptions& options) {
  const Result<std::vector<suite::SourceFile>> files = suite::read_folder(options.from);
  if (!files) return complain(files.error(), kUsage);
  std::size_t written = 0;
  for (const suite::SourceFile& file : *files) {
    if (!file.is_json) continue;
    const Result<json::Value> one = suite::root_of(file);
    if (!one) return complain(one.error(), kUsage);
    const fs::path path = (fs::path(options.to) / file.name).replace_extension(".yaml");
    std::error_code failure;
    if (fs::exists(path, failure))
      return complain(Error{path.string(), "the file exists", "name an empty folder"}, kUsage);
    fs::create_directories(path.parent_path(), failure);
    std::ofstream out(path, std::ios::binary);
    out << suite::case_text(*one);
    out.close();
    if (!out)
      return complain(
          Error{path.string(), "the file cannot be written", "name one of your own folders"},
          kUsage);
    ++written;
  }
  if (written == 0)
    return complain(Error{options.from, "the folder holds no tests", "tests end in .io"}, kUsage);
  fmt::print("{} cases written to {}\n", written, options.to);
  return kOk;
}

}  // namespace

Command command_import(const Invocation&) {
  auto options = std::make_shared<ImportOptions>();
  Command command{"import", "Write .io tests of execution-apis as cases"};
  command.add({
      {"from", &options->from},
      {"--to", &options->to},
  });
  command.action = [options] { return import_tests(*options); };
  return command;
}

}  // namespace harness::cli
