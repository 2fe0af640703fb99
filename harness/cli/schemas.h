// SPDX-License-Identifier: Apache-2.0
// The JSON Schemas by which editors complete and check what people write: cases, target
// descriptions, project files. Loaded files are checked for more than a schema can express.
#pragma once

#include <string>
#include <vector>

namespace harness::cli {

// "case", "project", "target".
const std::vector<std::string>& schema_names();

// One of the schemas, as a document that ends with a line feed. The one for projects is made of the
// rows that read it (harness/target/project_keys.h) and the schema of a target.
std::string schema_named(const std::string& name);

}  // namespace harness::cli
