// SPDX-License-Identifier: Apache-2.0
// RowFields: the fields that several kinds of protocol rows share, read with positions for error
// messages.
#pragma once

#include <string>
#include <vector>

#include "harness/spec/protocol_expression.h"

namespace harness::spec {

class RowFields {
 public:
  // Throw ProtocolMistake, like everything below.
  [[noreturn]] void refuse(const json::Mark& mark, std::string what, std::string remedy) const;
  [[noreturn]] void refuse(const json::Value& at, std::string what, std::string remedy) const {
    refuse(at.mark, std::move(what), std::move(remedy));
  }
  [[noreturn]] void unknown_field(const json::Member& field,
                                  const std::vector<std::string>& known) const;

  std::string text(const json::Member& field) const;
  // A word or several.
  Clauses clauses(const json::Member& field) const;
  bool flag(const json::Member& field) const;
  std::vector<Named> named(const json::Member& field) const;
  AtMost at_most(const json::Member& field) const;
  // False if the field is not about revisions and dialects.
  bool reach(const json::Member& field, Reach& out) const;
  void dialect(const json::Member& field, Reach& out) const;

 protected:
  std::string revision(const json::Member& field) const;

  std::string file_;
};

}  // namespace harness::spec
