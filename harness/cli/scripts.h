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
  // What its line "#! profile: NAME" says, which may be anything; "" when it has none.
  std::string profile;
  std::size_t profile_line = 0;  // from 1
};

// Each path is a file; a finding, of whose files only `script` is one; a folder of findings; or a
// folder of scripts, where README.md is none. In the order given, inside a folder by name. A folder
// without any is an Error.
Result<std::vector<NamedScript>> read_scripts(const std::vector<std::string>& given);

// The profile that those of the scripts that name one are written for; "" when none does. It is an
// Error when they do not agree, or name what there is not.
Result<std::string> profile_named_in(const std::vector<NamedScript>& scripts);

// The command that the finding a script is of says to show it again, "" where it is of none. It
// holds the target; who wrote it is not known, so it is for people to look at first.
std::string kept_command(const NamedScript& script);

}  // namespace harness::cli
