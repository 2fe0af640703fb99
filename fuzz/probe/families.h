// SPDX-License-Identifier: Apache-2.0
// The probes; see the table in probe.cc.
#pragma once

#include "fuzz/probe/probe.h"

namespace fuzz {

std::optional<Script> suspect_spelling(const Script&, const Played&, const Setting&, Random&);
harness::session::awaitable<std::optional<Sight>> look_at_spelling(Stage&, const Script&);
std::optional<Script> suspect_lists(const Script&, const Played&, const Setting&, Random&);
harness::session::awaitable<std::optional<Sight>> look_at_lists(Stage&, const Script&);
std::optional<Script> suspect_growth(const Script&, const Played&, const Setting&, Random&);
harness::session::awaitable<std::optional<Sight>> look_at_growth(Stage&, const Script&);
std::optional<Script> suspect_cost(const Script&, const Played&, const Setting&, Random&);
harness::session::awaitable<std::optional<Sight>> look_at_cost(Stage&, const Script&);
std::optional<Script> suspect_isolation(const Script&, const Played&, const Setting&, Random&);
harness::session::awaitable<std::optional<Sight>> look_at_isolation(Stage&, const Script&);

}  // namespace fuzz
