// SPDX-License-Identifier: Apache-2.0
#include "harness/jose/possession.h"

#include <ctime>

#include "harness/base/ascii.h"
#include "harness/jose/proof.h"

namespace harness::jose {

Result<std::string> Possession::proof_for(std::string_view authorization, std::string method,
                                          std::string_view url) const {
  const std::size_t space = authorization.find(' ');
  if (!ascii::equal_ignoring_case(authorization.substr(0, space), "DPoP") ||
      space == std::string_view::npos)
    return std::string();
  const Proven request{std::move(method), std::string(url.substr(0, url.find('?'))),
                       std::string(authorization.substr(space + 1))};
  return proof(request, key, json::object({{"nonce", json::string(nonce)}}), std::time(nullptr));
}

}  // namespace harness::jose
