// SPDX-License-Identifier: Apache-2.0
#include "harness/json/packed.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <utility>

#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"

namespace harness::json {
namespace {

struct Mistake {
  Error error;
};

Result<std::string> pack(const char* folder,
                         const std::function<Status(const std::vector<DataFile>&)>& check) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<DataFile> files;
  std::string packed;
  for (const auto& path : paths) {
    Result<Value> rows = read_yaml_file(path.string());
    if (!rows) return rows.error();
    for (const Member& row : rows->members) {
      const Value alone = object({{row.name, row.value}});
      packed += write(object({{path.filename().string(), alone}})) + '\n';
    }
    files.push_back({path.string(), std::move(*rows)});
  }
  if (const Status checked = check(files); !checked) return checked.error();
  return packed;
}

}  // namespace

int pack_folder(int argc, char** argv,
                const std::function<Status(const std::vector<DataFile>&)>& check) {
  if (argc != 3) return 2;
  const Result<std::string> packed = pack(argv[1], check);
  if (!packed) {
    std::cerr << packed.error().text() << '\n';
    return 1;
  }
  std::ofstream out(argv[2], std::ios::binary);
  out << *packed;
  out.flush();
  if (out) return 0;
  std::cerr << argv[0] << ": cannot write " << argv[2] << '\n';
  return 1;
}

std::vector<DataFile> unpacked(std::string_view pack) {
  std::vector<DataFile> files;
  while (!pack.empty()) {
    const std::string_view line = pack.substr(0, pack.find('\n'));
    pack.remove_prefix(std::min(pack.size(), line.size() + 1));
    Value one = parse(line);
    Member& file = one.members.front();
    if (files.empty() || files.back().name != file.name) files.push_back({file.name, object()});
    files.back().rows.members.push_back(std::move(file.value.members.front()));
  }
  return files;
}

void RowReader::refuse(const Mark& mark, std::string what, std::string remedy) const {
  throw Mistake{{place(file_.name, mark), std::move(what), std::move(remedy)}};
}

void RowReader::unknown(const Mark& mark, const std::string& what, const std::string& word,
                        const std::vector<std::string>& known) const {
  const std::string near = nearest(word, known);
  refuse(mark, "there is no " + what + " '" + word + "'",
         near.empty() ? fmt::format("there are {}", fmt::join(known, ", "))
                      : "did you mean '" + near + "'?");
}

const std::vector<Member>& RowReader::members(const Value& value, const char* remedy) const {
  if (!value.is_object() || value.members.empty())
    refuse(value.mark, "a mapping is required here", remedy);
  return value.members;
}

const std::string& RowReader::text(const Value& value) const {
  if (!value.is_string()) refuse(value.mark, "a text is required here", "put it in quotes");
  return value.text;
}

std::vector<std::string> RowReader::texts(const Value& value) const {
  if (!value.is_array()) refuse(value.mark, "a list is required here", "write \"[a, b]\"");
  std::vector<std::string> out;
  for (const Value& one : value.items) out.push_back(text(one));
  return out;
}

Status read_rows(const std::vector<DataFile>& files,
                 const std::function<void(const RowReader&)>& read) {
  try {
    for (const DataFile& file : files) read(RowReader(file));
  } catch (const Mistake& mistake) {
    return mistake.error;
  }
  return Nothing{};
}

}  // namespace harness::json
