// SPDX-License-Identifier: Apache-2.0
// The checks; see the table in stateful_check.cc.
#pragma once

#include "fuzz/stateful/stateful_check.h"

namespace fuzz {

std::optional<Script> suspect_spelling(const Script&, const Execution&, const CheckTarget&,
                                       Random&);
harness::session::awaitable<std::optional<CheckResult>> look_at_spelling(CheckContext&,
                                                                         const Script&);
std::optional<Script> suspect_lists(const Script&, const Execution&, const CheckTarget&, Random&);
harness::session::awaitable<std::optional<CheckResult>> look_at_lists(CheckContext&, const Script&);
std::optional<Script> suspect_growth(const Script&, const Execution&, const CheckTarget&, Random&);
harness::session::awaitable<std::optional<CheckResult>> look_at_growth(CheckContext&,
                                                                       const Script&);
std::optional<Script> suspect_renewal(const Script&, const Execution&, const CheckTarget&, Random&);
harness::session::awaitable<std::optional<CheckResult>> look_at_renewal(CheckContext&,
                                                                        const Script&);
std::optional<Script> suspect_streams(const Script&, const Execution&, const CheckTarget&, Random&);
harness::session::awaitable<std::optional<CheckResult>> look_at_streams(CheckContext&,
                                                                        const Script&);
std::optional<Script> suspect_cost(const Script&, const Execution&, const CheckTarget&, Random&);
harness::session::awaitable<std::optional<CheckResult>> look_at_cost(CheckContext&, const Script&);
std::optional<Script> suspect_isolation(const Script&, const Execution&, const CheckTarget&,
                                        Random&);
harness::session::awaitable<std::optional<CheckResult>> look_at_isolation(CheckContext&,
                                                                          const Script&);

}  // namespace fuzz
