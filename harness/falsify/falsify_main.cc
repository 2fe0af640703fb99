// SPDX-License-Identifier: Apache-2.0
// rpcspec-falsify: plays the matrix of watchers and Faults as far as it shows
// in memory, and says which pairs are left for real processes. falsify_test.py
// runs it first.
//
//   rpcspec-falsify CASES [--only GLOB]... [--jobs N] [--report FILE]
//   rpcspec-falsify CASES [--only GLOB]... [--jobs N] --dump FILE [--under GLOB]... [--every N]
//   [--whole]
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "harness/falsify/dump.h"
#include "harness/falsify/matrix.h"
#include "harness/json/write.h"
#include "harness/suite/loader.h"

namespace harness::falsify {
namespace {

struct Options {
  std::string cases;
  std::vector<std::string> only;
  int jobs = 2;
  std::string report;
  std::string dump;  // where everything that is told goes; nothing is held against the claims
  Wanted wanted;     // of what is dumped
};

bool read_options(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--only" && more) {
      options.only.emplace_back(argv[++i]);
      options.wanted.sound = false;
    } else if (word == "--jobs" && more) {
      options.jobs = std::max(1, std::atoi(argv[++i]));
    } else if (word == "--report" && more) {
      options.report = argv[++i];
    } else if (word == "--dump" && more) {
      options.dump = argv[++i];
    } else if (word == "--under" && more) {
      options.wanted.under.emplace_back(argv[++i]);
    } else if (word == "--whole") {
      options.wanted.whole = true;
    } else if (word == "--every" && more) {
      options.wanted.every = static_cast<std::uint64_t>(std::max(1, std::atoi(argv[++i])));
    } else if (!word.starts_with("-") && options.cases.empty()) {
      options.cases = word;
    } else {
      return false;
    }
  }
  return !options.cases.empty();
}

struct Library {
  spec::Registry registry;
  suite::Suite suite;
};

Result<Library> read_library(const std::string& folder) {
  auto files = suite::read_folder(folder);
  if (!files) return files.error();
  Library library;
  for (const suite::SourceFile& file : *files) {
    if (!spec::is_catalogue(file.name)) continue;
    const Status added = library.registry.add(file.text, file.name);
    if (!added) return added.error();
  }
  const Status related = library.registry.check_relations();
  if (!related) return related.error();
  auto loaded = suite::load(*files, library.registry);
  if (!loaded) return loaded.error();
  library.suite = std::move(*loaded);
  return library;
}

json::Value list_of(const auto& texts) {
  json::Value list = json::array();
  for (const std::string& text : texts) list.items.push_back(json::string(text));
  return list;
}

json::Value report_of(const Results& results, const Claims& claims) {
  json::Value caught = json::array();
  for (const auto& [watcher, fault] : results.caught)
    caught.items.push_back(json::array({json::string(watcher), json::string(fault)}));
  json::Value clauses = json::array();
  for (const auto& [fault, watchers] : claims.by_fault)
    for (const std::string& watcher : watchers)
      if (watcher.starts_with("clause/") && !results.caught.contains({watcher, fault}))
        clauses.items.push_back(json::array({json::string(watcher), json::string(fault)}));
  return json::object({{"caught", std::move(caught)},
                       {"uncited", std::move(clauses)},
                       {"passing", list_of(results.passing)},
                       {"mistakes", list_of(results.mistakes)},
                       {"unclaimed", list_of(claims.unclaimed)}});
}

int dump(const Options& options, const Library& library, Matrix& matrix) {
  const std::vector<Play> plays = matrix.plays(options.wanted);
  std::printf("%zu plays\n", plays.size());
  std::fflush(stdout);  // children begin with what is not written yet
  const Status written = dump(library.suite, library.registry, plays, options.jobs, options.dump);
  if (!written) std::fprintf(stderr, "%s\n", written.error().text().c_str());
  return written ? 0 : 2;
}

int play(const Options& options) {
  const auto began = std::chrono::steady_clock::now();
  const auto library = read_library(options.cases);
  if (!library) {
    std::fprintf(stderr, "%s\n", library.error().text().c_str());
    return 2;
  }
  const Claims claims = claims_of(library->suite, options.only);
  Matrix matrix(library->suite, library->registry, claims, options.jobs);
  if (!options.dump.empty()) return dump(options, *library, matrix);
  const Results results = matrix.play();
  std::size_t pairs = 0;
  for (const auto& [fault, watchers] : claims.by_fault) {
    pairs += watchers.size();
    for (const std::string& watcher : watchers)
      if (watcher.starts_with("clause/") && !results.caught.contains({watcher, fault}))
        std::printf("not cited: %s  %s\n", watcher.substr(7).c_str(), fault.c_str());
  }
  for (const std::string& mistake : results.mistakes) std::printf("%s\n", mistake.c_str());
  if (!options.report.empty())
    std::ofstream(options.report) << json::write(report_of(results, claims)) << '\n';
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  std::printf(
      "in memory: %zu of %zu pairs caught, %zu Faults, %zu plays, %.0f s; "
      "%zu Faults of shapes break a clause that nobody covers yet\n",
      results.caught.size(), pairs, claims.by_fault.size(), results.plays, took.count(),
      claims.unclaimed.size());
  return 0;
}

}  // namespace
}  // namespace harness::falsify

int main(int argc, char** argv) {
  harness::falsify::Options options;
  if (!harness::falsify::read_options(argc, argv, options)) {
    std::fputs(
        "rpcspec-falsify CASES [--only GLOB]... [--jobs N] [--report FILE | --dump FILE "
        "[--under GLOB]... [--every N] [--whole]]\n",
        stderr);
    return 2;
  }
  return harness::falsify::play(options);
}
