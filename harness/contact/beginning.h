// SPDX-License-Identifier: Apache-2.0
// Beginning: what is wrong if the first contact fails and no single message shows it: when the
// response to initialize came, how it ended, and on which session. Pure.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/contact/contact.h"
#include "harness/oracle/finding.h"

namespace harness::run {

// The clause that a target breaks if it serves only one session in its life.
inline constexpr const char* kOneSession = "mcp.lifecycle.concurrent-sessions";

struct Beginning {
  std::string title;
  oracle::Finding finding;
  Contact contact;  // on which it shows
};

// Initialize was answered there with a result that names a version.
bool accepts_initialize(const Contact& contact);

// HTTP: the first initialize there got this status; the caller fills in its title, clause and
// expectation.
std::optional<Beginning> refused_initialize(const Contact& contact, int status);

// `contacts` in the order in which they were opened. Nothing if they show nothing of the kind.
std::optional<Beginning> broken_beginning(const std::vector<Contact>& contacts);

}  // namespace harness::run
