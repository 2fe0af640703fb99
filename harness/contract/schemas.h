// SPDX-License-Identifier: Apache-2.0
// The JSON Schemas of a document: whether they are such, whether their references lead somewhere,
// and whether the values in them fit.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/contract/document.h"
#include "harness/contract/flaw.h"
#include "harness/schema/instance_check.h"

namespace harness::contract {

// `schemas`: the outermost ones.
void check_schemas(const Document& document, const std::vector<Place>& schemas, Flaws& flaws);

// What values are held against. A schema that refers to something open is in doubt as one is that
// nobody can work with.
class HeldSchema {
 public:
  HeldSchema(const Document& document, const Place& schema);

  const json::Value& bundled() const { return bundled_; }
  const std::string& doubt() const { return doubt_; }  // why nothing is judged by it; "": it is
  // Places of the schema are places of the document.
  std::optional<schema::Breach> breach(const json::Value& value) const;

 private:
  json::Value bundled_;
  std::shared_ptr<const schema::InstanceCheck> check_;
  std::string doubt_;
};

}  // namespace harness::contract
