// SPDX-License-Identifier: Apache-2.0
// Faults of resources, of their templates and of subscriptions to them.
#pragma once

#include "harness/reference/faults.h"

namespace harness::reference {

inline constexpr FaultRow kResourcesFaults[] = {
    {"resource-not-found-legacy-code", "2026-07-28: an unknown resource is answered with -32002"},
    {"resource-not-found-other-code", "Tutorial: an unknown resource is answered with -32603"},
    {"unknown-resource-empty", "An unknown resource is answered with empty contents"},
    {"resource-updated-without-uri", "Sends notifications/resources/updated without uri"},
    {"resource-updates-untold", "Changes of a resource are not told to those who subscribed to it"},
};

}  // namespace harness::reference
