// SPDX-License-Identifier: Apache-2.0
// Shapes: named patterns of protocol objects (cases/shapes/*.yaml), one variant per profile where
// the revisions differ:
//
//   Tool: {name: $string, inputSchema: $object}
//   Content:
//     - {when: [mcp>=2025-06-18], is: {…}}
//     - {when: [mcp, mcp-tutorial], is: {…}}      the first that names the profile counts
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"
#include "harness/spec/profile.h"

namespace harness::match {

class Shapes {
 public:
  // Adds the shapes of one file. check() checks the patterns after all files are added, because
  // shapes refer to each other.
  Status add(const json::Value& file_value, const std::string& file);
  Status check() const;

  bool knows(std::string_view name) const { return shapes_.find(name) != shapes_.end(); }
  // The pattern under this profile, or null if the shape has no variant for it.
  const json::Value* find(std::string_view name, const spec::Profile& profile) const;
  std::vector<std::string> names() const;

 private:
  struct Variant {
    std::vector<std::string> selectors;  // empty: every profile
    json::Value pattern;
  };
  struct Shape {
    std::string file;
    json::Mark mark;
    std::vector<Variant> variants;
  };
  std::map<std::string, Shape, std::less<>> shapes_;
};

}  // namespace harness::match
