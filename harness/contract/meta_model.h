// SPDX-License-Identifier: Apache-2.0
// What the makers of a protocol publish about its messages for programs: the meta model of LSP, and
// the schema of ACP. Both fill in what our own rows do not have. If both know a method, ours counts
// first, and the published row of an agent's method counts after it.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"
#include "harness/spec/profile.h"
#include "harness/spec/protocol_files.h"

namespace harness::contract {

// Rows for the methods that `own` does not have, and for their types, in the form of
// cases/protocol/. Pure.
json::Value rows_of_meta_model(const json::Value& model, const spec::Protocol& own);

// Whether it is the schema of ACP, by its types that name methods.
bool is_acp_schema(const json::Value& model);
// The files of the protocol with what the schema says of agents added to ours. Pure.
std::vector<spec::ProtocolFile> with_acp_schema(const json::Value& model, const std::string& name,
                                                std::vector<spec::ProtocolFile> files);

// The profile, lsp or acp-1, with our rows and those of the model for it. It is never freed, and is
// made once for each text. An Error: the text is neither. `name`: of its file.
Result<const spec::Profile*> with_meta_model(const std::string& text, const std::string& name);

}  // namespace harness::contract
