// SPDX-License-Identifier: Apache-2.0
// Build tool: packs the files of a cases/ tree into one file for the binary (see builtin.cc). What
// is no catalogue of clauses becomes JSON, which every start of the program reads in a tenth of the
// time; so YAML that is wrong fails the build.
//   rpcspec-pack CASES_FOLDER OUTPUT
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <vector>

#include "harness/json/write.h"
#include "harness/json/yaml.h"
#include "harness/spec/requirement.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::filesystem::path top = argv[1];
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(top))
    if (entry.is_regular_file() && entry.path().extension() == ".yaml")
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::ofstream out(argv[2], std::ios::binary);
  for (const auto& path : paths) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    std::string bytes = text.str();
    const std::string name = std::filesystem::relative(path, top).generic_string();
    if (name.starts_with("protocol/")) continue;  // within harness/spec, see protocol_data.cc
    if (!harness::spec::is_catalogue(name)) {
      const auto root = harness::json::read_yaml(bytes, path.string());
      if (!root) {
        std::cerr << root.error().text() << '\n';
        return 1;
      }
      bytes = harness::json::write(*root);
    }
    out << name << '\n' << bytes.size() << '\n' << bytes;
  }
  out.flush();
  if (!out) {
    std::cerr << "rpcspec-pack: cannot write " << argv[2] << '\n';
    return 1;
  }
  return 0;
}
