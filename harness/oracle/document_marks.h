// SPDX-License-Identifier: Apache-2.0
// The document that cases about language servers open, as an operator describes it (the affordance
// `document`): marks that follow from the text need not be written.
#pragma once

#include <string>

#include "harness/base/result.h"
#include "harness/json/value.h"

namespace harness::oracle {

// Fills in the marks that are missing and follow from the text (cases/languages/README.md). An
// Error names the place in `file` of what is wrong: a member that is unknown or needed, a place
// that is not in the text. The document is then partly filled in.
Status complete_document(const std::string& file, json::Value& document);

}  // namespace harness::oracle
