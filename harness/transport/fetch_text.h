// SPDX-License-Identifier: Apache-2.0
// fetch(), fetch_text(): what stands at an address that the operator named, beside the target.
#pragma once

#include <chrono>
#include <string>

#include "harness/base/result.h"
#include "harness/target/target.h"
#include "harness/wire/frame.h"

namespace harness::transport {

// The body of the response to one GET; an Error at `url` if the response is not a 200 with a body
// of at most 16 MiB within `time`. A redirect is not followed. Headers and credentials of `target`
// are sent only to its own scheme, host and port; its TLS settings apply to all.
Result<std::string> fetch_text(const std::string& url, const target::Target& target,
                               std::chrono::milliseconds time);

// The same for any request and any status. `head` says the method and headers beside those of
// `target`; the target of the request is that of `url`.
struct Fetched {
  wire::HttpHead head;
  std::string body;
};
Result<Fetched> fetch(const std::string& url, wire::HttpHead head, std::string body,
                      const target::Target& target, std::chrono::milliseconds time);

}  // namespace harness::transport
