// SPDX-License-Identifier: Apache-2.0
// Build tool: packs the files of a cases/ tree into one file for the binary (see builtin.cc). What
// is no catalogue of clauses becomes JSON, which every start of the program reads in a tenth of the
// time; so YAML that is wrong fails the build. Behind them stands what corpus/servers says of real
// servers: `known_from.yaml`, a list of {clause, software, server, cases}.
//   rpcspec-pack CASES_FOLDER SERVERS_FOLDER OUTPUT
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <vector>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"
#include "harness/spec/requirement.h"

namespace {

namespace fs = std::filesystem;
namespace json = harness::json;
using harness::Error;
using harness::Result;
using harness::Status;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Those that `wanted` lets through, sorted.
template <class Wanted>
std::vector<fs::path> files_below(const fs::path& top, Wanted wanted) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(top))
    if (entry.is_regular_file() && wanted(entry.path())) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

void append(std::ostream& out, const std::string& name, const std::string& bytes) {
  out << name << '\n' << bytes.size() << '\n' << bytes;
}

Status pack_cases(const fs::path& top, std::ostream& out) {
  for (const auto& path :
       files_below(top, [](const fs::path& file) { return file.extension() == ".yaml"; })) {
    const std::string name = fs::relative(path, top).generic_string();
    // Within harness/spec and harness/oracle.
    if (name.starts_with("protocol/") || name.starts_with("oracles/")) continue;
    std::string bytes = text_of(path);
    if (!harness::spec::is_catalogue(name)) {
      const auto documents = json::read_yaml_documents(bytes, path.string());
      if (!documents) return documents.error();
      bytes = json::write(documents->size() == 1 ? documents->front() : json::array(*documents));
    }
    append(out, name, bytes);
  }
  return harness::Nothing{};
}

// --- what real servers are known for

// The table of README.md says what each server is: | NAME | SOFTWARE, … | TRANSPORT | SOURCE |.
// What of it is ours ("our five methods") is left out.
std::map<std::string, std::string> software_of(const fs::path& readme) {
  std::map<std::string, std::string> software;
  std::istringstream lines(text_of(readme));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ")) continue;
    const auto first = line.find(" | ");
    const auto second = first == std::string::npos ? first : line.find(" | ", first + 3);
    if (second == std::string::npos) continue;
    std::string what = line.substr(first + 3, second - first - 3);
    software[line.substr(2, first - 2)] = what.substr(0, what.find(", our "));
  }
  return software;
}

using Broken = std::map<std::string, std::vector<std::string>>;  // clause → cases

void add_case(std::vector<std::string>& cases, const std::string& name) {
  if (std::count(cases.begin(), cases.end(), name) == 0) cases.push_back(name);
}

Status add_baseline(const fs::path& path, Broken& broken) {
  const auto root = json::read_yaml_file(path.string());
  if (!root) return root.error();
  const json::Value* known = root->find("known");
  if (known == nullptr) return Error{path.string(), "a baseline has a list `known`", ""};
  const auto add = [&](const json::Value& entry) {
    const json::Value* clause = entry.find("requirement");
    const json::Value* name = entry.find("case");
    if (clause == nullptr || name == nullptr) return;
    if (!name->is_array()) return add_case(broken[clause->text], name->text);
    for (const json::Value& one : name->items) add_case(broken[clause->text], one.text);
  };
  for (const json::Value& entry : known->items) {
    add(entry);
    if (const json::Value* findings = entry.find("findings"))
      for (const json::Value& finding : findings->items) add(finding);
  }
  return harness::Nothing{};
}

Status add_finding(const fs::path& path, Broken& broken) {
  const auto reading = json::read(text_of(path));
  const auto* read = std::get_if<json::Reading>(&reading);
  const json::Value* clause = read == nullptr ? nullptr : read->value.find("requirement");
  if (clause == nullptr) return Error{path.string(), "the finding names no requirement", ""};
  add_case(broken[clause->text], "rpcspec fuzz");
  return harness::Nothing{};
}

Result<json::Value> known_from(const fs::path& servers) {
  const auto software = software_of(servers / "README.md");
  std::map<std::string, Broken> by_server;
  for (const auto& path : files_below(servers, [](const fs::path& file) {
         const std::string name = file.filename().string();
         return name == "finding.json" ||
                (name.starts_with("baseline.") && file.extension() == ".yaml");
       })) {
    Broken& broken = by_server[fs::relative(path, servers).begin()->string()];
    const Status added =
        path.extension() == ".json" ? add_finding(path, broken) : add_baseline(path, broken);
    if (!added) return added.error();
  }
  json::Value all = json::array();
  for (const auto& [server, broken] : by_server) {
    const auto what = software.find(server);
    if (what == software.end())
      return Error{(servers / "README.md").string(), "its table has no row for " + server, ""};
    for (const auto& [clause, cases] : broken) {
      json::Value list = json::array();
      for (const std::string& name : cases) list.items.push_back(json::string(name));
      all.items.push_back(json::object({{"clause", json::string(clause)},
                                        {"software", json::string(what->second)},
                                        {"server", json::string(server)},
                                        {"cases", std::move(list)}}));
    }
  }
  return all;
}

int complain(const std::string& text) {
  std::cerr << "rpcspec-pack: " << text << '\n';
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  std::ofstream out(argv[3], std::ios::binary);
  if (const Status packed = pack_cases(argv[1], out); !packed)
    return complain(packed.error().text());
  const Result<json::Value> known = known_from(argv[2]);
  if (!known) return complain(known.error().text());
  append(out, "known_from.yaml", json::write(*known));
  out.flush();
  return out ? 0 : complain(std::string("cannot write ") + argv[3]);
}
