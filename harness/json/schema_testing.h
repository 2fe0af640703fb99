// SPDX-License-Identifier: Apache-2.0
// For tests: validation against a JSON Schema by somebody else's validator. The only place that
// includes valijson, which knows drafts up to 7 and the `$defs` of 2020-12; a schema for it uses
// only keywords that both have.
#pragma once

#include <memory>

#include "harness/base/result.h"
#include "harness/json/value.h"

namespace harness::json {

// Nothing if the value fits the schema; otherwise an Error whose `where` is the JSON Pointer of the
// place and whose `what` says what is wrong there. A broken schema is an Error, too.
Status validate(const Value& schema, const Value& value);

// A compiled schema, for many values.
class CompiledSchema {
 public:
  static Result<CompiledSchema> compile(const Value& schema);
  bool fits(const Value& value) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace harness::json
