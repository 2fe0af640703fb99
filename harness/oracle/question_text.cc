// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/question_text.h"

#include <algorithm>

#include "harness/base/ascii.h"

namespace harness::oracle {
namespace {

// In lower case and without separators.
constexpr std::string_view kSecrets[] = {
    "password",     "passwd",    "passphrase", "apikey",          "apitoken",  "accesstoken",
    "refreshtoken", "secretkey", "privatekey", "clientsecret",    "accesskey", "creditcard",
    "cardnumber",   "cvv",       "cvc",        "creditcardnumber"};

// Domains kept for documentation (RFC 2606).
constexpr std::string_view kExamples[] = {"example.com", "example.org", "example.net", ".example",
                                          "localhost"};

std::string letters_of(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (ascii::is_alphanumeric(c)) out += ascii::lower(c);
  return out;
}

bool is_word(char c) {
  return ascii::is_alphanumeric(c) || c == '.' || c == '_' || c == '-' || c == '+';
}

// somebody@host.tld, also with the @ percent-encoded.
bool has_email(std::string_view text) {
  for (std::size_t at = text.find_first_of("@%"); at != text.npos;
       at = text.find_first_of("@%", at + 1)) {
    const bool encoded = text[at] == '%';
    if (encoded && text.substr(at, 3) != "%40") continue;
    const std::size_t behind = at + (encoded ? 3 : 1);
    std::size_t end = behind;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view host = text.substr(behind, end - behind);
    const std::size_t dot = host.rfind('.');
    const bool somebody = at > 0 && is_word(text[at - 1]);
    if (somebody && dot != host.npos && dot > 0 && host.size() - dot > 2) return true;
  }
  return false;
}

}  // namespace

SecretField secret_field(std::string_view name, const json::Value& schema) {
  const json::Value* type = schema.is_object() ? schema.find("type") : nullptr;
  // A choice among what is known is no secret, nor is a yes or no.
  if (type == nullptr || type->text != "string" || schema.find("enum") != nullptr ||
      schema.find("oneOf") != nullptr || schema.find("format") != nullptr) {
    return SecretField::kNo;
  }
  const std::string letters = letters_of(name);
  const bool plain =
      std::find(std::begin(kSecrets), std::end(kSecrets), letters) != std::end(kSecrets);
  if (plain) return SecretField::kPlain;
  const bool likely = std::any_of(std::begin(kSecrets), std::end(kSecrets), [&](auto secret) {
    return secret.size() > 3 && letters.ends_with(secret);
  });
  return likely ? SecretField::kLikely : SecretField::kNo;
}

std::string link_in(std::string_view text) {
  for (std::size_t at = text.find("://"); at != text.npos; at = text.find("://", at + 3)) {
    const bool http = text.substr(0, at).ends_with("http");
    if (!http && !text.substr(0, at).ends_with("https")) continue;
    const std::size_t end = text.find_first_of(" \t\n\"'<>)]}/?#", at + 3);
    const std::string host =
        ascii::lower(text.substr(at + 3, end == text.npos ? text.npos : end - at - 3));
    const bool documented =
        std::any_of(std::begin(kExamples), std::end(kExamples),
                    [&](auto example) { return host.find(example) != host.npos; });
    if (host.find('.') == host.npos || documented) continue;
    return std::string(http ? "http" : "https") + "://" + host;
  }
  return {};
}

std::string personal_data_in(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == url.npos) return {};
  const std::string_view rest = url.substr(scheme + 3);
  const std::size_t end = rest.find_first_of("/?#");
  if (rest.substr(0, end).find('@') != rest.npos) return "credentials";
  if (end != rest.npos && has_email(rest.substr(end))) return "an email address";
  return {};
}

}  // namespace harness::oracle
