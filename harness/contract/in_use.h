// SPDX-License-Identifier: Apache-2.0
// InUse: a contract that a target is held to: which of its methods are called, and the profile
// under which it is judged, whose rows are those of the contract.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/contract.h"
#include "harness/contract/permission.h"
#include "harness/spec/profile.h"
#include "harness/spec/protocol.h"

namespace harness::contract {

// What the operator says of it.
struct Terms {
  Words words;         // see permission.h
  bool exact = false;  // results of examples are the very results
};

struct InUse {
  Contract contract;
  std::string source;  // "rpc.discover", or the file
  Terms terms;
  std::vector<Standing> standings;  // of contract.methods, one each
  spec::Protocol protocol;
  spec::Profile profile;
  // What calls_of() made of it, by kind.
  mutable std::map<std::string, std::vector<json::Value>, std::less<>> calls;

  // The methods that may be called.
  std::vector<const Method*> called() const;
  bool may_call(const Method& method) const;
  // What may not be called, and why, as harness/target/permission.h has it.
  std::map<std::string, std::string> forbidden() const;
  // "49 of 86 methods called, 12 without a sound example, 25 change state: --methods NAME"
  std::string counts() const;
};

// `base`: the profile without a contract. Profiles are met by pointer everywhere and never go away:
// neither does this, which is made once for each document and terms.
const InUse& put_to_use(const Document& document, const Terms& terms, const spec::Profile& base);

// The rows of its methods, as cases/protocol/ has them.
Result<spec::Protocol> rows_of(const Contract& contract);

// Calls made from it, as a loop of a case binds them: objects with `method`, `params`, `what` and,
// where the call is compared with a sound one, `twin`, the params of that. `kind` is one of
// call_kinds(). Made once, and kept in `use`.
const std::vector<std::string>& call_kinds();
const std::vector<json::Value>& calls_of(const InUse& use, std::string_view kind);

// What an expression of a link leads to, "/authors/0" of "${result.authors[0]}"; nothing where it
// is no expression, or more than one.
struct LinkPath {
  bool of_params = false;  // in the params of the call, not in its result
  std::string pointer;
};
std::optional<LinkPath> path_of(const json::Value& expression);

// A method that takes as a param what the result of another, or itself, has at a place: by a link,
// or because both are described by one $ref, or have the same name and type. Of methods that may be
// called; the likeliest few of each param.
struct Chain {
  const Method* from;
  const Method* to;
  std::size_t param;  // of `to`
  std::string place;  // JSON Pointer into the result
  bool text;          // a string is there
};
std::vector<Chain> chains_of(const InUse& use);

// Words and numbers that a document names as choices, defaults and examples, a few hundred.
json::Value words_of(const InUse& use);

}  // namespace harness::contract
