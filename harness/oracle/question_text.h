// SPDX-License-Identifier: Apache-2.0
// The texts of questions to a client, read for what they give away: whether a form
// asks for a secret or holds a link, or the address of a page says who the user is. Pure, and in
// doubt silent.
#pragma once

#include <string>
#include <string_view>

#include "harness/json/value.h"

namespace harness::oracle {

// How surely the name of a field is that of a password, a key, a token or a payment card:
// `password` is, `db_password` may be told of, `password_hint` is neither.
enum class SecretField { kNo, kLikely, kPlain };
SecretField secret_field(std::string_view name, const json::Value& schema);

// An address that somebody is meant to click on in a text, or "". Those of documentation
// (example.com and the like) are none.
std::string link_in(std::string_view text);

// What a URL tells of the user: "credentials" before its host, "an email address", or "".
std::string personal_data_in(std::string_view url);

}  // namespace harness::oracle
