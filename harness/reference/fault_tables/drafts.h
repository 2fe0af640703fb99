// SPDX-License-Identifier: Apache-2.0
// Faults of what drafts say: server cards, and DPoP. They are worth a remark.
#pragma once

#include "harness/reference/faults.h"

namespace harness::reference {

inline constexpr FaultRow kDraftFaults[] = {
    {"card-is-a-list", "HTTP: the server card is a list"},
    {"card-as-json", "HTTP: the server card is of type application/json"},
    {"card-schema-dated", "HTTP: the server card names another schema"},
    {"card-name-without-slash", "HTTP: the name of the server card has no slash"},
    {"card-version-range", "HTTP: the version of the server card is a range"},
    {"card-description-long", "HTTP: the description of the server card has 101 characters"},
    {"card-title-empty", "HTTP: the title of the server card is empty"},
    {"card-website-relative", "HTTP: the website of the server card is a relative address"},
    {"card-repository-text", "HTTP: the repository of the server card is a text"},
    {"card-icons-map", "HTTP: the icons of the server card are no list"},
    {"card-remotes-map", "HTTP: the remotes of the server card are no list"},
    {"card-remote-type-unknown", "HTTP: a remote of the server card is a websocket"},
    {"card-remote-url-relative", "HTTP: a remote of the server card has a relative address"},
    {"card-remote-headers-map", "HTTP: headers of a remote are no list"},
    {"card-remote-versions-text", "HTTP: the versions of a remote are a text"},
    {"card-meta-list", "HTTP: _meta of the server card is a list"},
    {"card-lists-tools", "HTTP: the server card lists tools"},
    {"card-lists-packages", "HTTP: the server card lists packages"},
    {"card-of-another-version", "HTTP: the server card tells another version than the server"},
    {"card-for-one-origin", "HTTP: the server card cannot be read from a browser"},
    {"card-tag-bare", "HTTP: the ETag of the server card has no quotes"},
    {"card-at-the-endpoint", "HTTP: a GET of the endpoint gives the server card"},
    {"card-for-members", "HTTP: the server card demands credentials"},
    {"card-refused-as-such", "HTTP: the server card is refused under its own media type"},
    {"card-condition-fails", "HTTP: If-None-Match with the tag of the card ends in 500"},
    {"catalog-without-entries", "HTTP: the catalogue has no entries"},
    {"catalog-entry-without-identifier", "HTTP: an entry of the catalogue has no identifier"},
    {"catalog-entry-without-url", "HTTP: an entry of the catalogue has neither url nor data"},
    {"dpop-algs-symmetric", "HTTP authorization: the metadata offers DPoP with HS256"},
    {"dpop-required-text", "HTTP authorization: dpop_bound_access_tokens_required is a text"},
};

}  // namespace harness::reference
