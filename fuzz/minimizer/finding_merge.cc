// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/finding_merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "fuzz/script/script.h"
#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/write.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;
namespace json = harness::json;

constexpr const char* kFoundIn = "- found in ";

struct Candidate {
  Found found;
  fs::path folder;
  std::string text;  // of its script
  Script script;
  std::set<std::string> found_in;
};

void add_candidates(const std::string& folder, std::vector<Candidate>& out) {
  for (Found& found : findings_in(folder)) {
    Candidate one;
    one.folder = fs::path(folder) / found.name;
    if (const auto text = harness::read_file(one.folder / "script")) one.text = *text;
    one.script = read_script(one.text);
    one.found_in.insert(found.found_in.begin(), found.found_in.end());
    if (one.found_in.empty()) one.found_in.insert(folder);
    one.found = std::move(found);
    out.push_back(std::move(one));
  }
}

// The worst first, the shortest of these; nothing depends on where they were found.
bool is_better(const Candidate& one, const Candidate& other) {
  const auto key = [](const Candidate& of) {
    return std::tuple(of.found.weight, of.text.size(), of.text, of.found.name, of.folder.string());
  };
  return key(one) < key(other);
}

harness::Error not_written(const fs::path& path) {
  return {path.string(), "the finding cannot be written", "name another folder with --into"};
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; !from.empty() && (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
}

// The word in the command of a finding that names its folder, as a shell takes it: "'a b/NAME'".
std::string named_in(const std::string& command, const std::string& name) {
  const std::size_t at = command.find(name);
  if (at == std::string::npos) return "";
  std::size_t end = at + name.size();
  const bool quoted = end < command.size() && command[end] == '\'';
  const std::size_t before = command.rfind(quoted ? '\'' : ' ', at);
  if (before == std::string::npos) return "";
  return quoted ? command.substr(before, end + 1 - before)
                : command.substr(before + 1, end - before - 1);
}

harness::Status rewrite(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  if (!file.flush()) return not_written(path);
  return harness::Nothing{};
}

// Writes into its files who found it, and where it is.
harness::Status retell(const fs::path& folder, const std::set<std::string>& found_in) {
  const auto text = harness::read_file(folder / "finding.json");
  auto read = json::read(text ? *text : "");
  auto* reading = std::get_if<json::Reading>(&read);
  if (!reading || !reading->value.is_object()) return harness::Nothing{};  // of an older rpcspec
  json::Value& facts = reading->value;
  json::Value list = json::array();
  for (const std::string& campaign : found_in) list.items.push_back(json::string(campaign));
  facts.set("found_in", std::move(list));
  const std::string place = harness::shell_quoted(folder.string());
  std::string old;
  for (const char* name : {"replay", "run"})
    if (json::Value* command = facts.find(name)) {
      old = named_in(command->text, folder.filename());
      replace_all(command->text, old, place);
    }
  if (const auto written = rewrite(folder / "finding.json", json::write_pretty(facts) + "\n");
      !written)
    return written.error();
  std::string said;
  const auto before = harness::read_file(folder / "README.md");
  std::istringstream readme(before ? *before : "");
  for (std::string line; std::getline(readme, line);) {
    if (line.starts_with(kFoundIn)) continue;
    if (line.starts_with("- signature: "))
      said += fmt::format("{}{} folders: {}\n", kFoundIn, found_in.size(),
                          harness::printable(fmt::format("{}", fmt::join(found_in, ", ")), 2000));
    replace_all(line, old, place);
    said += line + "\n";
  }
  return rewrite(folder / "README.md", said);
}

// Puts a copy of the folder into the place of what is there, if anything is.
harness::Status copy_folder(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  const fs::path part = to.string() + ".part";
  fs::remove_all(part, failed);
  fs::copy(from, part, fs::copy_options::recursive, failed);
  if (!failed) fs::remove_all(to, failed);
  if (!failed) fs::rename(part, to, failed);
  if (failed) return not_written(to);
  return harness::Nothing{};
}

// What is no finding, and what was not confirmed. Their names tell them apart.
harness::Status add_suspects(const fs::path& from, const fs::path& into) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(from, failed)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with("not-") || !name.ends_with(".script")) continue;
    fs::copy_file(entry.path(), into / name, fs::copy_options::skip_existing, failed);
    if (failed) return not_written(into / name);
  }
  return harness::Nothing{};
}

}  // namespace

harness::Result<std::vector<Found>> merge_findings(const std::vector<std::string>& folders,
                                                   const std::string& into) {
  std::error_code failed;
  fs::create_directories(into, failed);
  std::vector<Candidate> all;
  add_candidates(into, all);
  for (const std::string& folder : folders)
    if (!fs::equivalent(folder, into, failed)) add_candidates(folder, all);
  std::sort(all.begin(), all.end(), is_better);
  std::vector<Candidate> kept;
  for (Candidate& one : all) {
    const auto known = std::find_if(kept.begin(), kept.end(), [&](const Candidate& other) {
      return one.found.name == other.found.name ||
             is_kin(one.found, one.script, other.found, other.script);
    });
    if (known == kept.end())
      kept.push_back(std::move(one));
    else
      known->found_in.merge(one.found_in);
  }
  for (const Found& found : findings_in(into))
    if (std::none_of(kept.begin(), kept.end(),
                     [&](const Candidate& one) { return one.found.name == found.name; }))
      fs::remove_all(fs::path(into) / found.name, failed);
  for (const Candidate& one : kept) {
    const fs::path place = fs::path(into) / one.found.name;
    if (one.folder != place)
      if (const auto copied = copy_folder(one.folder, place); !copied) return copied.error();
    if (const auto told = retell(place, one.found_in); !told) return told.error();
  }
  for (const std::string& folder : folders)
    if (const auto added = add_suspects(folder, into); !added) return added.error();
  return findings_in(into);
}

}  // namespace fuzz
