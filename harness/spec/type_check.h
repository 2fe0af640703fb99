// SPDX-License-Identifier: Apache-2.0
// A value held against its row of the protocol, under one profile. Pure: what breaks a clause is
// told with the place and the clauses of the row; what counts how much is for the oracle to say.
//
// Lenient on purpose: members that no row names are lawful, whole numbers count as integers
// however they are spelled, and of several things wrong with one value the first is told.
#pragma once

#include <string>
#include <vector>

#include "harness/spec/profile.h"
#include "harness/spec/protocol.h"

namespace harness::spec {

struct TypeBreach {
  enum class Kind : std::uint8_t {
    kMissing,  // a member that has to be there
    kWrong,    // another kind or value than its row has; a variant of another revision
    kNull,     // null where a member should have been left out
    kAlso,     // the right kind, and not what the row wants as well: a format, a range
    kOutside,  // a member that this revision does not have, and a clause forbids
  };
  Kind kind = Kind::kWrong;
  // Of the row, and lives as long as it. Empty where the rows name none, null where they say that
  // no clause speaks of it.
  const Clauses* clauses = nullptr;
  AtMost at_most = AtMost::kFail;
  std::string place;                  // a JSON Pointer in which * is any element
  std::string expected;               // "a string"
  const json::Value* seen = nullptr;  // what is wrong; for kMissing the object that lacks it
};

// `value` is null when there is none. `place` is where it stands, "/result". Nothing is told where
// the member has no row under the profile, and at most `kMostBreaches` in all.
inline constexpr std::size_t kMostBreaches = 50;
std::vector<TypeBreach> check_member(const Profile& profile, const Member& member,
                                     const json::Value* value, const std::string& place);

// Against a type of the protocol by itself.
std::vector<TypeBreach> check_type(const Profile& profile, const TypeRow& type,
                                   const json::Value& value);

// Whether the value is of the kind, the format or among the values of the expression; what stands
// within arrays and objects is not looked at.
bool fits(const Profile& profile, const TypeExpr& expr, const json::Value& value);

}  // namespace harness::spec
