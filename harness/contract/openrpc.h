// SPDX-License-Identifier: Apache-2.0
// A contract: what a server says of its own methods in a form that machines read. Here it is read
// from an OpenRPC document. Pure; nothing is fetched, and what cannot be read is left out and said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/contract/document.h"
#include "harness/json/value.h"

namespace harness::contract {

// Something that an example says and that its method does not allow.
struct Misfit {
  std::string pointer;  // to it, in the document
  std::string text;     // "breaks minimum of its schema"
};

struct Param {
  std::string name;
  std::string pointer;  // to its content descriptor, behind references
  bool required = false;
  bool deprecated = false;
  // With all it refers to; nothing where a reference leads nowhere or nobody can work with it.
  std::optional<json::Value> schema;
};

// An example pairing.
struct Pairing {
  std::string name;
  std::string pointer;
  // The params as an object and as an array; no array where one in between is left out.
  json::Value named = json::object();
  std::optional<json::Value> positional;
  std::optional<json::Value> result;  // that it says
  std::optional<std::int64_t> code;   // of the error that it says
  bool readable = true;               // its values stand in it
  std::vector<Misfit> params_misfit, result_misfit;

  bool sound() const { return readable && params_misfit.empty(); }
};

enum class Structure : std::uint8_t {
  kUnsaid,  // either, since nothing else is said
  kEither,
  kByPosition,
  kByName,
};

struct Method {
  std::string name;
  std::string pointer;  // behind references
  Structure structure = Structure::kUnsaid;
  std::vector<Param> params;
  bool has_result = false;            // none: it is a notification
  std::optional<json::Value> result;  // its schema; nothing as of a param
  bool declares_errors = false;
  std::vector<std::int64_t> codes;  // of its errors
  bool deprecated = false;
  bool deterministic = false;  // x-deterministic: the same call gives the same
  std::vector<Pairing> examples;
  std::string unjudged;  // why its calls cannot be judged; "" where they can

  const Param* find(std::string_view param) const;
};

struct Contract {
  std::string version;  // "1.3", as far as it says one
  std::vector<Method> methods;

  const Method* find(std::string_view method) const;
};

// Whether the value claims to be such a document: an object with `openrpc` and a list of methods.
bool is_openrpc(const json::Value& value);

Contract read_openrpc(const json::Value& document);

// "1.3" of "1.3.2"; "" where it is no version of three numbers.
std::string minor_version(const json::Value* openrpc);

}  // namespace harness::contract
