// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine/suspect.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "fuzz/engine/board.h"
#include "fuzz/triage/triage.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMark = "# ";

}  // namespace

Suspect::Suspect(std::string path, const std::string& signature, const std::vector<Script>& journal,
                 const std::string& probe, const harness::Secrets& secrets)
    : path_(std::move(path)) {
  std::string text = kMark + signature + "\n";
  if (!probe.empty()) text += kMark + ("seen by --probe " + probe) + "\n";
  append_script(text, joined(journal));
  // Under its name it is whole.
  const std::string unfinished = path_ + "~";
  std::ofstream(unfinished, std::ios::binary) << secrets.masked(text);
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
  const auto mark = static_cast<std::uint32_t>(fingerprint(signature));
  const fs::path kept = fs::path(findings) / fmt::format("not-confirmed-{:08x}.script", mark);
  std::error_code ignored;
  fs::copy_file(path, kept, fs::copy_options::overwrite_existing, ignored);
  fs::remove(path, ignored);
  note_seen_once(findings, signature);
  return true;
}

void note_seen_once(const std::string& findings, const std::string& signature) {
  std::ofstream(findings + "/seen-once.txt", std::ios::app) << signature << "\n";
}

}  // namespace fuzz
