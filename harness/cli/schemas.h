// SPDX-License-Identifier: Apache-2.0
// The JSON Schemas by which editors complete and check what people write: cases, target
// descriptions, project files. What is loaded is checked for more than they can say.
#pragma once

#include <string>
#include <vector>

namespace harness::cli {

// "case", "project", "target".
const std::vector<std::string>& schema_names();

// One of those, as a document that ends with a line feed. That of a project is made of the rows it
// is read by (harness/target/project_keys.h) and of the schema of a target.
std::string schema_named(const std::string& name);

}  // namespace harness::cli
