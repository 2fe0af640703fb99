// SPDX-License-Identifier: Apache-2.0
// The formats of strings that protocols name: Base64, a media type … All are lenient where the
// protocol says no more than the name of the format. URIs are in harness/base/uri.h.
#pragma once

#include <string>
#include <string_view>

namespace harness::spec {

// In small letters, "https" of "HTTPS://…"; "" when there is none.
std::string scheme_of(std::string_view text);
// A URI with https, or with http to this machine.
bool is_https_uri(std::string_view text);
// RFC 6570: literals, and expressions in braces.
bool is_uri_template(std::string_view text);
// RFC 4648 section 4, padded; no line breaks.
bool is_base64(std::string_view text);
// Base64 as some encoder may write it: also URL-safe, or without padding. RFC 4648
// section 3.1 forbids line breaks.
bool is_some_base64(std::string_view text);
// Whether the data of a `data:` URI is in Base64; true for every other URI.
bool has_base64_data(std::string_view uri);
// ISO 8601: a date, or a date and a time, with or without an offset.
bool is_date_time(std::string_view text);
// RFC 9110: "image/png", parameters may follow; `kind` is what stands before the slash, "" any.
bool is_media_type(std::string_view text, std::string_view kind = "");
// In the form of extension names: labels with dots between, a slash, a name. A label begins with a
// letter and ends with a letter or digit; a name begins and ends with either. Both may contain
// hyphens, a name also _ and dots.
bool is_prefixed_name(std::string_view text);

}  // namespace harness::spec
