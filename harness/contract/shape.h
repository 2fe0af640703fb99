// SPDX-License-Identifier: Apache-2.0
// Whether a document is built as the specification of OpenRPC says: rows of our own in place of its
// meta-schema, since that of 1.4 refuses documents of 1.3.
#pragma once

#include <string>
#include <vector>

#include "harness/contract/document.h"
#include "harness/contract/flaw.h"

namespace harness::contract {

// Reports everything that departs from the specification, including versions and references that
// lead nowhere. Returns the outermost schemas of the document.
std::vector<Place> check_shape(const Document& document, Flaws& flaws);

// "openrpc-1.3": the edition that applies to the document.
std::string edition_of(const Document& document);

}  // namespace harness::contract
