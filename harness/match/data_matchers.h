// SPDX-License-Identifier: Apache-2.0
// Matchers that hold a value against another value, which is data and no pattern.
#pragma once

#include <optional>
#include <string>

#include "harness/match/table.h"

namespace harness::match {

std::optional<Mismatch> exact(const json::Value& argument, const json::Value* seen,
                              const Walk& walk);
std::string say_exact(const json::Value& argument);
// Without the messages of errors if both have one.
std::optional<Mismatch> recorded(const json::Value& argument, const json::Value* seen,
                                 const Walk& walk);

std::optional<Mismatch> same_set(const json::Value& argument, const json::Value* seen,
                                 const Walk& walk);
Status check_list(const json::Value& argument, const std::string& file, const Shapes* shapes);
std::string say_same_set(const json::Value& argument);

// Compares the reply about one name with the reply about another: `{value, from, to}`.
std::optional<Mismatch> renamed(const json::Value& argument, const json::Value* seen,
                                const Walk& walk);
Status check_renamed(const json::Value& argument, const std::string& file, const Shapes* shapes);
std::string say_renamed(const json::Value& argument);

// A document that describes methods, without flaws against one clause, `openrpc.document.NAME`.
std::optional<Mismatch> openrpc(const json::Value& argument, const json::Value* seen,
                                const Walk& walk);
Status check_openrpc(const json::Value& argument, const std::string& file, const Shapes* shapes);
std::string say_openrpc(const json::Value& argument);

}  // namespace harness::match
