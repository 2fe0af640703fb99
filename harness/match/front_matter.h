// SPDX-License-Identifier: Apache-2.0
// Front matter: the YAML at the head of a Markdown file, between two lines that are ---.
#pragma once

#include <optional>

#include "harness/match/table.h"

namespace harness::match {

// Compares the value of the front matter of a text with a pattern. A byte order mark may precede
// it. Tags and aliases are valid YAML that we do not read: in doubt, the text fits.
std::optional<Mismatch> front_matter(const json::Value& pattern, const json::Value* seen,
                                     const Walk& walk);

}  // namespace harness::match
