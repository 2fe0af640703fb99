// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine/suspect.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "fuzz/engine/board.h"
#include "fuzz/minimizer/minimizer.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMark = "# ";
constexpr const char* kNotConfirmed = "not-confirmed-";
constexpr const char* kNotReproducible = "not-reproducible-";

std::string text_of(const Problem& problem, const std::vector<Script>& journal,
                    const std::string& check) {
  std::string text = kMark + problem.signature + "\n";
  text += kMark + ("expected: " + problem.finding.expected) + "\n";
  text += kMark + ("seen: " + problem.finding.seen) + "\n";
  if (!check.empty()) text += kMark + ("seen by --check " + check) + "\n";
  append_script(text, joined(journal));
  return text;
}

fs::path place_of(const std::string& findings, const char* kind, const std::string& signature) {
  const auto mark = static_cast<std::uint32_t>(fingerprint(signature));
  return fs::path(findings) / fmt::format("{}{:08x}.script", kind, mark);
}

void note(const std::string& findings, const std::string& signature) {
  std::ofstream(findings + "/not-reproducible.txt", std::ios::app) << signature << "\n";
}

std::size_t not_reproducible_in(const std::string& findings) {
  std::size_t count = 0;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(findings, failed)) {
    const std::string name = entry.path().filename();
    count += name.starts_with(kNotReproducible) && name.ends_with(".script");
  }
  return count;
}

// As many of the last as there is room for, and the very last: that is where it was seen.
std::vector<Script> end_of(const std::vector<Script>& journal) {
  auto first = journal.end();
  for (std::size_t bytes = 0; first != journal.begin(); --first) {
    bytes += write_script(*std::prev(first)).size();
    if (bytes > kMostNotReproducibleBytes && first != journal.end()) break;
  }
  return {first, journal.end()};
}

}  // namespace

Suspect::Suspect(std::string path, const Problem& problem, const std::vector<Script>& journal,
                 const std::string& check, const harness::Secrets& secrets)
    : path_(std::move(path)) {
  // Under its name it is whole.
  const std::string unfinished = path_ + "~";
  std::ofstream(unfinished, std::ios::binary) << secrets.masked(text_of(problem, journal, check));
  std::error_code ignored;
  fs::rename(unfinished, path_, ignored);
}

Suspect::~Suspect() {
  std::error_code ignored;
  fs::remove(path_, ignored);
}

bool keep_suspect(const std::string& path, const std::string& findings) {
  std::ifstream file(path, std::ios::binary);
  std::string signature;
  if (!std::getline(file, signature)) return false;
  signature.erase(0, std::string_view(kMark).size());
  const fs::path kept = place_of(findings, kNotConfirmed, signature);
  std::error_code ignored;
  fs::copy_file(path, kept, fs::copy_options::overwrite_existing, ignored);
  fs::remove(path, ignored);
  note(findings, signature);
  return true;
}

void keep_not_reproducible(const std::string& findings, const Problem& problem,
                           const std::vector<Script>& journal, const std::string& check,
                           const harness::Secrets& secrets) {
  const std::string masked = secrets.masked(problem.signature);
  note(findings, masked);
  const fs::path kept = place_of(findings, kNotReproducible, masked);
  std::error_code ignored;
  if (fs::exists(kept, ignored) || not_reproducible_in(findings) >= kMostNotReproducible) return;
  std::ofstream(kept, std::ios::binary) << secrets.masked(text_of(problem, end_of(journal), check));
}

}  // namespace fuzz
