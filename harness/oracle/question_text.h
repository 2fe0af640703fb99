// SPDX-License-Identifier: Apache-2.0
// Checks the texts of elicitations: does a form ask for a secret or contain a link, does the URL of
// a page identify the user? Pure; reports nothing in doubt.
#pragma once

#include <string>
#include <string_view>

#include "harness/json/value.h"

namespace harness::oracle {

// How certainly the name of a field is that of a password, a key, a token or a payment card:
// `password` is, `db_password` may be a note, `password_hint` is neither.
enum class SecretField { kNo, kLikely, kPlain };
SecretField secret_field(std::string_view name, const json::Value& schema);

// An address in a text that somebody is meant to click on, or "". Addresses for documentation
// (example.com and the like) do not count.
std::string link_in(std::string_view text);

// What a URL reveals about the user: "credentials" before its host, "an email address", or "".
std::string personal_data_in(std::string_view url);

}  // namespace harness::oracle
