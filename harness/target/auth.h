// SPDX-License-Identifier: Apache-2.0
// Auth: the credentials the operator gives rpcspec for a Target, and the headers that carry them.
// They are sent only to the target.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/result.h"
#include "harness/base/secrets.h"
#include "harness/json/value.h"

namespace harness::jose {
struct Possession;
}

namespace harness::target {

struct Target;

// One header, and the secret parts of its value.
struct Credential {
  std::string header;
  std::string value;
  std::vector<std::string> secrets;  // parts of `value`
};

struct Auth {
  std::string type;  // "bearer", "basic", "api_key", "custom"; "": none was given
  std::vector<Credential> credentials;
  std::shared_ptr<jose::Possession> possession;  // of the key the token is bound to; null: of none

  bool given() const { return !credentials.empty(); }
  // A bearer token of three parts that is signed, such as a JWT.
  bool signed_token() const;
};

// How a request of a case carries the credentials.
enum class Showing {
  kUsual,     // as they are
  kNone,      // not at all
  kWrong,     // each secret replaced by another text of the same length
  kCut,       // each secret without its last character
  kUnsigned,  // a bearer token that says it needs no signature, and has none
  kLowerCase  // header names and the scheme (Bearer) in lower case
};
std::optional<Showing> showing_named(std::string_view name);  // "usual", "none", "lower-case", …

using Headers = std::vector<std::pair<std::string, std::string>>;
// The headers of a request. For kNone the values are one NUL, which removes a header.
Headers headers_of(const Auth& auth, Showing showing);

// Reads `auth:` of a description. Secrets also go to out.secrets, and a warning about a secret that
// is in the file itself to out.warnings.
Status read_auth(const json::Value& written, const std::string& file, Target& out);
// The `headers` of an MCP client's entry.
Status read_headers(const json::Value& headers, const std::string& file, Target& out);
// `--auth`: bearer:NAME, basic:NAME (RFC 7617), api_key:HEADER:NAME; NAME is an environment variable, or @FILE.
Status auth_from_option(const std::string& option, Target& out);

// A bearer token that was got otherwise, of which reports say «secret NAME». With `possession` its
// scheme is DPoP.
Status bear(const std::string& name, const std::string& token, Target& out,
            std::shared_ptr<jose::Possession> possession = nullptr);

// The message for a target that answers 401 or 403: the required scheme and more details, as far as
// `challenge` (its WWW-Authenticate, or null) has them, and what to add.
Error refused_credentials(bool given, int status, const std::string* challenge);

// A value of `env`: `{secret: $NAME}` or `{secret: "@path"}`; null when it is not of that form.
std::optional<Result<std::string>> read_secret(const std::string& name, const json::Value& value,
                                               const std::string& file, Target& out);
// Whether a variable with this name holds a secret: API_KEY, GITHUB_TOKEN, DB_PASSWORD.
bool names_secret(std::string_view name);
// Hides it in all output of rpcspec, if its name says that it is secret.
void note_environment(const std::string& name, const std::string& value, Target& out);

}  // namespace harness::target
