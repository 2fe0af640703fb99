// SPDX-License-Identifier: Apache-2.0
// Rows of YAML within a program. They are read at build time, so that a mistake fails the build
// with its place, and packed as JSON, which is read in a tenth of the time: one line for each row,
// {FILE: {ROW: …}}, so that one can be read alone.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"

namespace harness::json {

// One file, read into a Value with the places that errors name.
struct DataFile {
  std::string name;
  Value rows;
};

// The packed text, or some lines of it.
std::vector<DataFile> unpacked(std::string_view pack);

// The `main` of a build tool: TOOL FOLDER OUTPUT packs the .yaml files of a folder, sorted by name,
// after `check` has accepted them.
int pack_folder(int argc, char** argv,
                const std::function<Status(const std::vector<DataFile>&)>& check);

// Takes rows apart. The first mistake ends it, with its place, what is wrong and what to write.
class RowReader {
 public:
  explicit RowReader(const DataFile& file) : file_(file) {}

  const Value& rows() const { return file_.rows; }
  [[noreturn]] void refuse(const Mark& mark, std::string what, std::string remedy) const;
  // "there is no part 'cart'; did you mean 'card'?"
  [[noreturn]] void unknown(const Mark& mark, const std::string& what, const std::string& word,
                            const std::vector<std::string>& known) const;
  const std::vector<Member>& members(const Value& value, const char* remedy) const;
  const std::string& text(const Value& value) const;
  std::vector<std::string> texts(const Value& value) const;

 private:
  const DataFile& file_;
};

Status read_rows(const std::vector<DataFile>& files,
                 const std::function<void(const RowReader&)>& read);

}  // namespace harness::json
