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
  // The value of its line "#! profile: NAME", which may be any text; "" when it has none.
  std::string profile;
  std::size_t profile_line = 0;  // from 1
};

// Each path is a file; a finding, of which only the file `script` is read; a folder of findings; or
// a folder of scripts, without README.md. In the given order; within a folder by name. A folder
// without scripts is an Error.
Result<std::vector<NamedScript>> read_scripts(const std::vector<std::string>& given);

// The profile named by those scripts that name one; "" if none does. It is an Error if they
// disagree, or name an unknown one.
Result<std::string> profile_named_in(const std::vector<NamedScript>& scripts);

// The command that reproduces the finding of a script, as recorded there; "" if the script belongs
// to none. It contains the target, and its author is unknown: show it to a person first.
std::string kept_command(const NamedScript& script);

}  // namespace harness::cli
