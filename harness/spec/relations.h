// SPDX-License-Identifier: Apache-2.0
// Relations between clauses, as entries of the catalogues write them:
//
//     follows: [mcp.progress.shape]
//     one_with: {clauses: [a, b], least: 2, title: "…", sentence: "…"}
//
// Part of the reader behind Registry.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/spec/requirement.h"

namespace harness::spec {

// Where the value of a field begins.
struct Origin {
  const std::string& file;
  int line, column;
};

// The texts of a list like [a, "b"] on one line.
std::optional<std::vector<std::string>> flow_list(std::string_view text);

bool is_relation(std::string_view key);
// Sets that field of the entry.
Status read_relation(Requirement& entry, std::string_view key, std::string_view text,
                     const Origin& origin);

}  // namespace harness::spec
