// SPDX-License-Identifier: Apache-2.0
// made_uris(): URIs to request from an unknown server, made from what it lists. Pure and
// deterministic.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/json/value.h"
#include "harness/target/lists.h"

namespace harness::target {

enum class Uris {
  // With the server's own schemes and one that no server has: neither listed nor made by a
  // template. None if a template can make any URI.
  kUnknown,
  // A template with its variables filled in: from a listed resource that it may have made, and with
  // a plain value.
  kExpanded,
  // They lead out of the folder of a listed file: URI, or of the part before a template's variable,
  // to a file that every machine of its kind has. file: URIs in the root are left out, because
  // everything below may be public.
  kEscaping,
};
const char* uris_name(Uris kind);       // "unknown", "expanded", "escaping"
Uris uris_kind(std::string_view name);  // of one of these names

struct MadeUri {
  std::string uri;
  std::string what;     // "of the template t://{id}": text from the server in it is raw
  json::Value made_of;  // the template as it is listed; null if it is made from none
  std::string value;    // the value of each variable; "" if they differ or there is none
  bool listed = false;  // a resource with this URI is in the list
};

// `values`: for kExpanded, the value of each variable in turn, unchanged; no listed resource is
// used then. At most 32, whatever is listed.
std::vector<MadeUri> made_uris(const Lists& lists, Uris kind,
                               const std::vector<std::string>& values = {});

}  // namespace harness::target
