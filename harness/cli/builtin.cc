// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/builtin.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "harness/base/embed.h"
#include "harness/base/file.h"
#include "harness/base/sha256.h"
#include "harness/json/yaml.h"
#include "harness/oracle/oracle.h"
#include "harness/suite/own_clauses.h"

// The pack: for each file its name, a line feed, its size in decimal, a line feed, its bytes (JSON
// but for catalogues, see pack_main.cc).
RPCSPEC_EMBEDDED(pack);

namespace harness::cli {
namespace {

std::vector<suite::SourceFile> packed_files() {
  std::vector<suite::SourceFile> files;
  std::string_view rest = pack();
  while (!rest.empty()) {
    const std::size_t name_end = rest.find('\n');
    const std::size_t size_end = rest.find('\n', name_end + 1);
    check(name_end != std::string_view::npos && size_end != std::string_view::npos,
          "the built-in suite is corrupt");
    const std::string name(rest.substr(0, name_end));
    const std::size_t size = std::strtoul(rest.data() + name_end + 1, nullptr, 10);
    files.push_back(
        {name, std::string(rest.substr(size_end + 1, size)), !spec::is_catalogue(name)});
    rest.remove_prefix(size_end + 1 + size);
  }
  return files;
}

Result<std::vector<suite::SourceFile>> files_of(const std::string& folder) {
  if (folder.empty()) return packed_files();
  return suite::read_folder(folder);
}

// cases/requirements/not_covered*.yaml: `requirement: why no case can cover it`.
Status read_reasons(const std::vector<suite::SourceFile>& files, Library& library) {
  for (const suite::SourceFile& file : files) {
    if (!file.name.starts_with("requirements/not_covered")) continue;
    Result<json::Value> reasons = suite::root_of({"cases/" + file.name, file.text, file.is_json});
    if (!reasons) return reasons.error();
    for (const json::Member& member : reasons->members) {
      if (!library.registry.find(member.name))
        return Error{json::place("cases/" + file.name, member.mark),
                     "there is no requirement `" + member.name + "`", ""};
      library.not_covered[member.name] = member.value.text;
    }
  }
  return Nothing{};
}

Result<spec::Registry> registry_of(const std::vector<suite::SourceFile>& files) {
  spec::Registry registry;
  for (const suite::SourceFile& file : files) {
    if (!spec::is_catalogue(file.name)) continue;
    const Status added = registry.add(file.text, "cases/" + file.name);
    if (!added) return added.error();
  }
  const Status related = registry.check_relations();
  if (!related) return related.error();
  return registry;
}

std::string member_text(const json::Value& object, const char* name) {
  const json::Value* member = object.find(name);
  return member == nullptr ? "" : member->text;
}

std::vector<KnownFrom> read_known_from(const json::Value& list) {
  std::vector<KnownFrom> all;
  for (const json::Value& entry : list.items) {
    KnownFrom one{member_text(entry, "clause"),
                  member_text(entry, "software"),
                  member_text(entry, "server"),
                  {}};
    if (const json::Value* cases = entry.find("cases"))
      for (const json::Value& name : cases->items) one.cases.push_back(name.text);
    all.push_back(std::move(one));
  }
  return all;
}

// As complaints name them.
std::vector<suite::SourceFile> shown_below(const std::string& folder,
                                           std::vector<suite::SourceFile> files) {
  const std::string below = folder.empty() || folder.back() == '/' ? folder : folder + "/";
  for (suite::SourceFile& file : files) file.name = below + file.name;
  return files;
}

}  // namespace

std::string case_set() { return sha256_hex(pack()).substr(0, 12); }

Result<Teaching> load_teaching(const std::string& folder, const spec::Registry& registry) {
  const auto files = files_of(folder);
  if (!files) return files.error();
  Teaching teaching;
  for (const suite::SourceFile& file : *files) {
    if (file.name != "advice.yaml" && file.name != "known_from.yaml") continue;
    const std::string shown = (folder.empty() ? "cases/" : folder + "/") + file.name;
    const Result<json::Value> root = suite::root_of({shown, file.text, file.is_json});
    if (!root) return root.error();
    if (file.name == "known_from.yaml") {
      teaching.known_from = read_known_from(*root);
      continue;
    }
    Result<spec::AdviceByClause> advice = spec::read_advice(*root, shown, registry);
    if (!advice) return advice.error();
    teaching.advice = std::move(*advice);
  }
  return teaching;
}

std::string why_no_case(const spec::Requirement& requirement, const Library& library) {
  if (const auto found = library.not_covered.find(requirement.id);
      found != library.not_covered.end())
    return found->second;
  if (requirement.observable == "no") return "cannot be observed from outside";
  for (const oracle::Oracle& one : oracle::oracles())
    if (std::find(one.unproved.begin(), one.unproved.end(), requirement.id) != one.unproved.end())
      return std::string("judged by the oracle ") + one.name + ", which no fault tests yet";
  return "no case yet";
}

Result<spec::Official> load_official(const std::string& folder, const spec::Registry& registry) {
  const auto files = files_of(folder);
  if (!files) return files.error();
  for (const suite::SourceFile& file : *files) {
    if (file.name != "official.yaml") continue;
    const std::string shown = (folder.empty() ? "cases/" : folder + "/") + file.name;
    const Result<json::Value> root = suite::root_of({shown, file.text, file.is_json});
    if (!root) return root.error();
    return spec::read_official(*root, shown, registry);
  }
  return spec::Official{};
}

Result<json::Value> load_frozen(const std::string& folder) {
  const auto files = files_of(folder);
  if (!files) return files.error();
  for (const suite::SourceFile& file : *files)
    if (file.name == "frozen.yaml")
      return suite::root_of(
          {(folder.empty() ? "cases/" : folder + "/") + file.name, file.text, file.is_json});
  return json::null();
}

Result<json::Value> source_of(const suite::Case& scenario, const std::string& folder) {
  constexpr std::string_view kShownBelow = "cases/";
  suite::SourceFile source{scenario.file, {}};
  if (folder.empty() && scenario.file.starts_with(kShownBelow))
    for (suite::SourceFile& file : packed_files())
      if (file.name == scenario.file.substr(kShownBelow.size())) source = std::move(file);
  if (!source.is_json) {
    Result<std::string> text = read_file(scenario.file);
    if (!text) return text.error();
    source.text = std::move(*text);
  }
  Result<std::vector<suite::CaseText>> cases = suite::cases_of(source);
  if (!cases) return cases.error();
  for (suite::CaseText& one : *cases)
    if (("/" + one.path).ends_with("/" + scenario.id)) return std::move(one.said);
  return std::move(cases->front().said);
}

Result<spec::Registry> load_registry(const std::string& folder) {
  const auto files = files_of(folder);
  if (!files) return files.error();
  return registry_of(*files);
}

static std::optional<Library> kept;

void keep_library() {
  if (Result<Library> library = load_library("", {})) kept = std::move(*library);
}

Result<Library> load_library(const std::string& folder,
                             const std::vector<std::string>& user_cases) {
  if (kept && folder.empty() && user_cases.empty()) {
    Library taken = std::move(*kept);
    kept.reset();
    return taken;
  }
  const auto files = files_of(folder);
  if (!files) return files.error();
  Library library;
  Result<spec::Registry> registry = registry_of(*files);
  if (!registry) return registry.error();
  library.registry = std::move(*registry);
  const Status reasons = read_reasons(*files, library);
  if (!reasons) return reasons.error();
  Result<suite::Suite> loaded =
      suite::load(*files, library.registry, folder.empty() ? "cases/" : folder + "/");
  if (!loaded) return loaded.error();
  library.suite = std::move(*loaded);
  for (const std::string& own : user_cases) {
    if (const auto own_files = suite::read_folder(own)) {
      const Status added = suite::add_own_clauses(shown_below(own, *own_files), library.registry);
      if (!added) return added.error();
    }
    Result<std::vector<suite::Case>> cases =
        suite::load_user_cases(own, library.suite, library.registry);
    if (!cases) return cases.error();
    for (suite::Case& one : *cases) {
      const auto& all = library.suite.cases;
      if (std::any_of(all.begin(), all.end(), [&](const auto& other) { return other.id == one.id; }))
        return Error{one.file, "there is another case '" + one.id + "'",
                     "rename the file, its folder or the case"};
      library.suite.cases.push_back(std::move(one));
    }
  }
  return library;
}

}  // namespace harness::cli
