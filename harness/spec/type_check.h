// SPDX-License-Identifier: Apache-2.0
// Checks a value against its row of the protocol, under one profile. Pure: reports each breach with
// its place and the clauses of the row; the oracle decides the severity.
//
// Lenient on purpose: members that no row names are lawful, whole numbers count as integers in any
// spelling, and only the first error of a value is reported.
#pragma once

#include <string>
#include <vector>

#include "harness/spec/profile.h"
#include "harness/spec/protocol.h"

namespace harness::spec {

struct TypeBreach {
  enum class Kind : std::uint8_t {
    kMissing,  // a required member
    kWrong,    // another kind or value than its row has; a variant of another revision
    kNull,     // null where a member should have been left out
    kAlso,     // the right kind, but it breaks a further rule of the row: a format, a range
    kOutside,  // a member that this revision does not have, and that a clause forbids
  };
  Kind kind = Kind::kWrong;
  // From the row, with its lifetime. Empty if the rows name none, null if they say that no clause
  // applies.
  const Clauses* clauses = nullptr;
  AtMost at_most = AtMost::kFail;
  std::string place;                  // a JSON Pointer in which * is any element
  std::string expected;               // "a string"
  const json::Value* seen = nullptr;  // the wrong value; for kMissing the object that lacks it
  // kWrong: a member whose absence breaks the same clause is there, as another JSON type.
  bool other_kind = false;
};

// `value` may be null. `place` is its position, "/result". Reports nothing if the member has no row
// under the profile, and at most `kMostBreaches`.
inline constexpr std::size_t kMostBreaches = 50;
std::vector<TypeBreach> check_member(const Profile& profile, const Member& member,
                                     const json::Value* value, const std::string& place);

// Checks against a type of the protocol by itself.
std::vector<TypeBreach> check_type(const Profile& profile, const TypeRow& type,
                                   const json::Value& value);

// Whether the value has the kind or the format of the expression, or is one of its values; elements
// and members are not checked.
bool fits(const Profile& profile, const TypeExpr& expr, const json::Value& value);

}  // namespace harness::spec
