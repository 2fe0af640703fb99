// SPDX-License-Identifier: Apache-2.0
// A contract as cases see it: the affordance `openrpc`, which the operator tells or the target
// itself. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"

namespace harness::contract {

// What the operator says of it: the affordance in a target.
struct Told {
  bool none = false;                 // no contract is wanted
  json::Value document;              // null: the target is asked for it
  std::vector<std::string> allowed;  // see permission_of()
};
Told told_by(const json::Value& affordances);
void tell(json::Value& affordances, const Told& told);

// The affordance of a document: `methods` with name, called and why, `calls` by kind (calls.h),
// `flaws`, and `served` where the target gave it itself.
json::Value offered(const json::Value& document, const std::vector<std::string>& allowed,
                    bool served);

// The methods that may not be called, as target::forbidden_call() takes them, and why.
std::map<std::string, std::string> forbidden_methods(const json::Value& affordances);

// "2 of 5 methods may be called (2 have an example); 1 …: --methods NAME"; "" without a contract.
std::string called_line(const json::Value& affordances);

}  // namespace harness::contract
