// SPDX-License-Identifier: Apache-2.0
// The meta model of LSP: a file that describes its requests, notifications and types. It fills in
// what our own rows do not have; if both know a method, ours counts.
#pragma once

#include <string>

#include "harness/base/result.h"
#include "harness/json/value.h"
#include "harness/spec/profile.h"
#include "harness/spec/protocol.h"

namespace harness::contract {

// Rows for the methods that `own` does not have, and for their types, in the form of
// cases/protocol/. Pure.
json::Value rows_of_meta_model(const json::Value& model, const spec::Protocol& own);

// The profile with our rows and those of the model. It is never freed, and is made once for each
// text. An Error: the text is not a meta model.
Result<const spec::Profile*> with_meta_model(const std::string& text, const std::string& name,
                                             const spec::Profile& base);

}  // namespace harness::contract
