// SPDX-License-Identifier: Apache-2.0
// Parts of the reader of the protocol's rows: type expressions, fields that several kinds of rows
// share, and what answers a request. cases/protocol/README.md describes the syntax.
#pragma once

#include <string>
#include <vector>

#include "harness/spec/protocol.h"

namespace harness::spec {

// Reading of type expressions, for the reader of the protocol's rows: "$string", "$Tool",
// "{$array: $Tool}". cases/protocol/README.md describes the syntax.

// Thrown to end the reading, and caught in read_protocol().
struct ProtocolMistake {
  Error error;
};

// A type that an expression names; whether it exists is known after all rows are read.
struct TypeReference {
  std::string type;
  std::string place;
};

// Throws ProtocolMistake, with the place in `file`.
TypeExpr read_expression(const json::Value& value, const std::string& file,
                         std::vector<TypeReference>& references);

// "did you mean 'name'?", or the list of choices.
std::string suggestion(const std::string& word, const std::vector<std::string>& known);

// RowFields: the fields that several kinds of protocol rows share, read with positions for error
// messages.
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

// The part of the protocol's reader that reads what answers a request. cases/protocol/README.md
// describes the syntax.

// Throw ProtocolMistake. Other results of the row are read before its answers, which name them.
void read_answers(const RowFields& fields, const json::Member& field, MessageRow& row);
void read_names(const RowFields& fields, const json::Member& field, MessageRow& row);
void read_gates(const RowFields& fields, const json::Member& field, MessageRow& row);
void read_causes(const RowFields& fields, const json::Member& field, MessageRow& row);
void read_fits(const RowFields& fields, const json::Member& field, MessageRow& row);
void read_yields(const RowFields& fields, const json::Member& field, MessageRow& row);

}  // namespace harness::spec
