// SPDX-License-Identifier: Apache-2.0
// Scripts on disk: files, folders of files, findings and folders of findings.
#pragma once

#include <string>
#include <vector>

#include "fuzz/script/script.h"
#include "harness/base/result.h"

namespace harness::cli {

struct NamedScript {
  std::string name;  // of its file
  fuzz::Script script;
};

// Each path is a file; a finding, of whose files only `script` is one; a folder of findings; or a
// folder of scripts, where README.md is none. In the order given, inside a folder by name. A folder
// without any is an Error.
Result<std::vector<NamedScript>> read_scripts(const std::vector<std::string>& given);

}  // namespace harness::cli
