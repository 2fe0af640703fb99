// SPDX-License-Identifier: Apache-2.0
// What a server offers its clients, as a file to keep, and what of it changed: for a client that
// worked with the old server, each change is breaking, additive or metadata.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"
#include "harness/results/event.h"

namespace reports {

using Grade = harness::run::SurfaceGrade;
using harness::run::SurfaceChange;
const char* grade_name(Grade grade);                              // "BREAKING", …
std::size_t breaking(const std::vector<SurfaceChange>& changes);  // how many are
std::string surface_line(const SurfaceChange& change);            // "BREAKING  tool search is gone"

// A surface is {format, server, revisions, capabilities, tools, prompts, resources,
// resource_templates, methods}: lists in the order of their names, entries as the server lists
// them. A method of a contract is {name, params, result, structure, positions, errors}.
inline constexpr const char* kSurfaceFormat = "rpcspec-surface/1";

// Sorts lists by name, so that the order in which a server lists them does not matter.
harness::json::Value surface(harness::json::Value server, harness::json::Value revisions,
                             harness::json::Value capabilities, harness::json::Value tools,
                             harness::json::Value prompts, harness::json::Value resources,
                             harness::json::Value templates, harness::json::Value methods);

// The surface in a file's text; an Error names the file.
harness::Result<harness::json::Value> read_surface(const std::string& text,
                                                   const std::string& file);

// Breaking ones first.
std::vector<SurfaceChange> surface_changes(const harness::json::Value& before,
                                           const harness::json::Value& after);

std::string surface_text(const std::vector<SurfaceChange>& changes);
harness::json::Value surface_json(const std::vector<SurfaceChange>& changes);
// The `changes` of surface_json().
std::vector<SurfaceChange> read_changes(const std::vector<harness::json::Value>& changes);

// --- schemas: the effect of a change on what a client sends (arguments) or gets (results)
enum class Direction { kToServer, kToClient };
bool list_holds(const harness::json::Value& list, const harness::json::Value& value);
void compare_schemas(const harness::json::Value& before, const harness::json::Value& after,
                     Direction direction, const std::string& where,
                     std::vector<SurfaceChange>& changes);

}  // namespace reports
