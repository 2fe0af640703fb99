// SPDX-License-Identifier: Apache-2.0
// Build tool: reads the rows of cases/protocol/, so that a mistake in one fails the build with its
// place, and writes them as one JSON text, which the program reads in a tenth of the time.
//   rpcspec-pack-protocol FOLDER OUTPUT
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "harness/json/write.h"
#include "harness/json/yaml.h"
#include "harness/spec/protocol.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<harness::spec::ProtocolFile> files;
  harness::json::Value all = harness::json::object();
  for (const auto& path : paths) {
    harness::Result<harness::json::Value> rows = harness::json::read_yaml_file(path.string());
    if (!rows) {
      std::cerr << rows.error().text() << '\n';
      return 1;
    }
    all.set(path.filename().string(), *rows);
    files.push_back({path.string(), std::move(*rows)});
  }
  const auto protocol = harness::spec::read_protocol(files);
  if (!protocol) {
    std::cerr << protocol.error().text() << '\n';
    return 1;
  }
  std::ofstream out(argv[2], std::ios::binary);
  out << harness::json::write(all);
  out.flush();
  if (!out) {
    std::cerr << "rpcspec-pack-protocol: cannot write " << argv[2] << '\n';
    return 1;
  }
  return 0;
}
