// SPDX-License-Identifier: Apache-2.0
// YAML as JSON values with line and column, so that every complaint about a file can point at the
// place. Plain scalars follow the core rules of YAML 1.2 (null, true, false, numbers); quoted
// scalars are strings. Repeated keys, tags and alias bombs are rejected.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"

namespace harness::json {

// `name` is the file name used in errors. Errors are "name:line:column: what; remedy".
Result<Value> read_yaml(std::string_view text, const std::string& name);
Result<Value> read_yaml_file(const std::string& path);
// The same of a text that may hold several documents, with `---` between them; at least one.
Result<std::vector<Value>> read_yaml_documents(std::string_view text, const std::string& name);

// "name:line:column" of a value read from `name`.
std::string place(const std::string& name, const Mark& mark);
// What is wrong with that value, and what to write instead.
Error wrong_at(const std::string& name, const Value& value, std::string what,
               std::string remedy = {});

}  // namespace harness::json
