// SPDX-License-Identifier: Apache-2.0
// Writes the seeds and dictionaries that are made from the case library:
//   rpcspec-seeds CASES_FOLDER CORPUS_FOLDER
// What is in CORPUS_FOLDER/seeds and CORPUS_FOLDER/dictionaries goes.
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "fuzz/seeds/seeds.h"

namespace {

namespace fs = std::filesystem;

harness::Status write_files(const fs::path& cases, const fs::path& corpus) {
  auto files = harness::suite::read_folder(cases);
  if (!files) return files.error();
  harness::spec::Registry registry;
  for (const harness::suite::SourceFile& file : *files) {
    if (!harness::spec::is_catalogue(file.name)) continue;
    const harness::Status added = registry.add(file.text, file.name);
    if (!added) return added.error();
  }
  const auto suite = harness::suite::load(*files, registry);
  if (!suite) return suite.error();
  fs::remove_all(corpus / "seeds");
  fs::remove_all(corpus / "dictionaries");
  for (const fuzz::SeedFile& file : fuzz::seed_files(*suite, registry)) {
    fs::create_directories((corpus / file.path).parent_path());
    std::ofstream out(corpus / file.path, std::ios::binary);
    out << file.content;
    out.close();
    if (!out) return harness::Error{(corpus / file.path).string(), "this cannot be written", ""};
  }
  return harness::Nothing{};
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "usage: rpcspec-seeds CASES_FOLDER CORPUS_FOLDER\n";
    return 2;
  }
  const harness::Status written = write_files(argv[1], argv[2]);
  if (!written) {
    std::cerr << "rpcspec-seeds: " << written.error().text() << '\n';
    return 1;
  }
  return 0;
} catch (const std::exception& failure) {
  std::cerr << "rpcspec-seeds: " << failure.what() << '\n';
  return 1;
}
