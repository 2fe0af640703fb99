// SPDX-License-Identifier: Apache-2.0
// Connections: whether a server with an address serves several of them beside each other, and sends
// each response on the one that asked.
#pragma once

#include "harness/contact/first_look.h"
#include "harness/contact/negotiate.h"

namespace harness::run {

// Whether initialize, to which nothing came, is answered once the other connection is closed, on
// which an answer came; and then nothing comes on another like that. Else it only took its time.
awaitable<bool> waits_for_other(session::Session& silent, session::Session& other,
                                const Opener& open);

// For a server with an address whose connections are streams: two connections are opened and asked
// as the profile has it. If only one is served at a time, or responses come on the other, the rest
// of the run opens one at a time.
awaitable<void> learn_connections(const spec::Profile& profile, Search& search);

}  // namespace harness::run
