// SPDX-License-Identifier: Apache-2.0
// References to the environment in the texts of a description, filled in. Errors have no place; the
// caller adds it.
#pragma once

#include <optional>
#include <string>

#include "harness/base/result.h"

namespace harness::target {

// The value of a variable; nothing if it is not set.
using Lookup = std::optional<std::string> (*)(const std::string& name);
// That of our own environment.
std::optional<std::string> environment_variable(const std::string& name);

// $NAME, ${NAME} and ${NAME:-otherwise}; $$ is a dollar sign.
Result<std::string> interpolated(const std::string& text, Lookup lookup);

// ${NAME}, ${NAME:-otherwise}, ${env:NAME} and ${workspaceFolder}, as MCP clients replace them; a
// dollar sign without a brace is literal.
Result<std::string> interpolated_as_clients_do(const std::string& text,
                                               const std::string& workspace, Lookup lookup);

// The part of `filled` that is not in `written`: what references inserted. Without the text before
// the first dollar sign, and without the text after the last brace.
std::string inserted_text(const std::string& written, const std::string& filled);

}  // namespace harness::target
