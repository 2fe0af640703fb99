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

// What the operator specified about it.
struct Terms {
  Words words;         // see permission.h
  bool exact = false;  // results of examples must be equal, not only fit
};

struct InUse {
  Contract contract;
  std::string source;  // "rpc.discover", or the file
  Terms terms;
  std::vector<Standing> standings;  // of contract.methods, one each
  spec::Protocol protocol;
  spec::Profile profile;
  // The result of calls_of(), by kind.
  mutable std::map<std::string, std::vector<json::Value>, std::less<>> calls;

  // The methods that may be called.
  std::vector<const Method*> called() const;
  bool may_call(const Method& method) const;
  // Forbidden methods, and why, in the form of harness/target/permission.h.
  std::map<std::string, std::string> forbidden() const;
  // "49 of 86 methods of shop.json may be called (49 by example), 12 have no sound example, 25
  // change state: --methods NAME allows more"
  std::string counts() const;
};

// `base`: the profile without a contract. Profiles are compared by pointer and never freed: neither
// is this, which is made once for each document and terms.
const InUse& put_to_use(const Document& document, const Terms& terms, const spec::Profile& base);

// The rows of its methods, in the form of cases/protocol/.
Result<spec::Protocol> rows_of(const Contract& contract);

// Calls made from it, as a loop of a case binds them: objects with `method`, `params`, `what` and,
// if the call is compared with a sound one, `twin`, the params of that. `kind` is one of
// call_kinds(). Made once, and kept in `use`.
const std::vector<std::string>& call_kinds();
const std::vector<json::Value>& calls_of(const InUse& use, std::string_view kind);

// What an expression of a link leads to, "/authors/0" of "${result.authors[0]}"; nothing if it is
// not exactly one expression.
struct LinkPath {
  bool of_params = false;  // in the params of the call, not in its result
  std::string pointer;
};
std::optional<LinkPath> path_of(const json::Value& expression);

// A method that takes as a param a value from the result of another one, or of itself: by a link,
// or because both are described by one $ref, or have the same name and type. Only methods that may
// be called; the likeliest few for each param.
struct Chain {
  const Method* from;
  const Method* to;
  std::size_t param;  // of `to`
  std::string place;  // JSON Pointer into the result
  bool text;          // a string is there
};
std::vector<Chain> chains_of(const InUse& use);

// Words and numbers that a document gives as choices, defaults and examples, a few hundred.
json::Value words_of(const InUse& use);

}  // namespace harness::contract
