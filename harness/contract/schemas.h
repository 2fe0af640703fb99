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

// What values are checked against. A schema that refers to something unknown is in doubt, as is one
// that nobody can use.
class HeldSchema {
 public:
  HeldSchema(const Document& document, const Place& schema);

  const json::Value& bundled() const { return *bundled_; }
  const std::string& doubt() const { return doubt_; }  // why it judges nothing; "": it judges
  // Places of the schema are places of the document.
  std::optional<schema::Breach> breach(const json::Value& value) const;

 private:
  std::shared_ptr<const json::Value> bundled_;
  std::shared_ptr<const schema::InstanceCheck> check_;
  std::string doubt_;
};

}  // namespace harness::contract
