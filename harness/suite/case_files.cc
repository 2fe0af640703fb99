// SPDX-License-Identifier: Apache-2.0
// Files of cases as texts: which there are below a folder, and which cases one holds.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "harness/base/file.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"
#include "harness/suite/io_tests.h"
#include "harness/suite/loader.h"

namespace harness::suite {
namespace {

constexpr std::size_t kMostValues = 4'000'000;  // of what is known to be right

// Beside tests, or above them, lies the chain that a server has to begin with.
bool needs_chain(std::filesystem::path path, const std::filesystem::path& folder) {
  do {
    path = path.parent_path();
    for (const char* name : {"chain.rlp", "genesis.json"})
      if (std::filesystem::exists(path / name)) return true;
  } while (path != folder && path.has_relative_path());
  return false;
}

}  // namespace

bool is_case_name(const json::Value& value) {
  return value.is_string() && !value.text.empty() && value.text.find('/') == std::string::npos;
}

Result<json::Value> root_of(const SourceFile& file) {
  if (file.is_json) {
    auto reading = json::read(file.text, {.max_values = kMostValues});
    return std::move(std::get<json::Reading>(reading).value);
  }
  return json::read_yaml(file.text, file.name);
}

Result<std::vector<CaseText>> cases_of(const SourceFile& file) {
  std::vector<json::Value> documents;
  if (file.is_json) {
    documents.push_back(*root_of(file));
    if (documents.front().is_array()) documents = std::move(documents.front()).items;
  } else {
    Result<std::vector<json::Value>> read = json::read_yaml_documents(file.text, file.name);
    if (!read) return read.error();
    documents = std::move(*read);
  }
  const bool has_suffix = file.name.ends_with(".yaml") || file.name.ends_with(".io");
  const std::string path = has_suffix ? file.name.substr(0, file.name.rfind('.')) : file.name;
  std::vector<CaseText> out;
  out.reserve(documents.size());
  for (json::Value& said : documents) {
    const json::Value* name = said.is_object() ? said.find("case") : nullptr;
    out.push_back(
        {name && is_case_name(*name) ? path.substr(0, path.rfind('/') + 1) + name->text : path,
         std::move(said)});
  }
  return out;
}

Result<std::vector<SourceFile>> read_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code failure;
  std::vector<SourceFile> out;
  auto entry = fs::recursive_directory_iterator(folder, failure);
  if (failure) {
    return Error{folder, "the folder cannot be read: " + failure.message(),
                 "name a folder of case files"};
  }
  for (; entry != fs::recursive_directory_iterator(); entry.increment(failure)) {
    const fs::path& path = entry->path();
    const bool io = path.extension() == ".io";
    if (!entry->is_regular_file(failure) || (!io && path.extension() != ".yaml")) continue;
    Result<std::string> text = read_file(path);
    if (!text) return text.error();
    const std::string name = path.lexically_relative(folder).generic_string();
    if (io) {
      const Result<json::Value> read = case_of_io(*text, name, needs_chain(path, folder));
      if (!read) return read.error();
      *text = json::write(*read);
    }
    out.push_back({name, std::move(*text), io});
  }
  std::sort(out.begin(), out.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.name < b.name; });
  return out;
}

}  // namespace harness::suite
