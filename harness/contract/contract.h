// SPDX-License-Identifier: Apache-2.0
// Contract: what a server says of its own methods in a form that programs read. Its first reader is
// that of OpenRPC documents.
//
//   document ─► flaws                   what is wrong in it
//            ─► methods                 params and result by schema, errors, examples, links
//            ─► what is not judged      where a flaw leaves doubt, with the reason
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/document.h"
#include "harness/contract/flaw.h"
#include "harness/contract/schemas.h"

namespace harness::contract {

enum class Structure { kUnsaid, kEither, kByPosition, kByName };

struct Param {
  std::string name;
  bool required = false;
  bool deprecated = false;
  Place place;
  HeldSchema schema;
};

// A pairing whose params fit their schemas.
struct Example {
  std::string name;
  Place place;
  json::Value named;                      // {"isbn": "…"}
  std::optional<json::Value> positional;  // ["…"]; nothing if one is left out before another
  std::optional<json::Value> result;      // nothing if it does not fit, or there is none
  std::optional<std::int64_t> code;       // of an error
};

struct Link {
  std::string name;
  std::string method;
  json::Value params;  // with ${…} in its texts
  Place place;
};

struct Method {
  std::string name;
  Place place;
  Structure structure = Structure::kUnsaid;
  bool deprecated = false;
  bool deterministic = false;  // x-deterministic
  bool distinct_names = true;  // of its params
  bool required_first = true;  // optional params come after the others
  std::vector<Param> params;
  std::optional<HeldSchema> result;  // nothing: a notification
  std::vector<std::int64_t> errors;
  std::vector<Example> examples;
  std::size_t pairings = 0;  // also those that do not fit
  std::vector<Link> links;
  std::vector<std::string> not_judged;  // what and why
  bool twice = false;                   // described in two ways: nothing of it is judged

  bool by_name() const { return structure != Structure::kByPosition && distinct_names; }
  bool by_position() const { return structure != Structure::kByName; }
  // The params as the schema of one object without other members.
  json::Value params_schema() const;
};

struct Contract {
  Document document;
  std::string edition;          // "openrpc-1.3"
  std::vector<Method> methods;  // each name once
  std::vector<Flaw> flaws;
  std::size_t described = 0;  // methods in the document

  const Method* find(std::string_view method) const;
};

// Never fails: an unreadable part is a flaw.
Contract read_contract(Document document);

// The flaws of a document that a server sent. The last few are kept, because a case asks for the
// same document once for each clause. Places point into the kept documents.
const std::vector<Flaw>& flaws_in(const json::Value& document);

}  // namespace harness::contract
