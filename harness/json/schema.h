// SPDX-License-Identifier: Apache-2.0
// Validation against a JSON Schema. The one place that sees valijson, which knows drafts up to 7
// and the `$defs` of 2020-12; a schema for it keeps to keywords both have.
#pragma once

#include "harness/base/result.h"
#include "harness/json/value.h"

namespace harness::json {

// Nothing when the value fits the schema; else an Error whose `where` is the JSON Pointer of the
// place and whose `what` says what is wrong there. A schema that is broken is an Error, too.
Status validate(const Value& schema, const Value& value);

}  // namespace harness::json
