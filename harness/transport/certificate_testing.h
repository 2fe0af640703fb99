// SPDX-License-Identifier: Apache-2.0
// For tests: a certificate that signs itself, made when it is needed and good for one test.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>
#include <string>

#include "harness/base/result.h"

namespace harness::transport {

struct Certificate {
  std::string cert;  // files
  std::string key;
};

// `names` in the form of OpenSSL: "IP:127.0.0.1,DNS:localhost". Valid from `from` to `to` seconds
// from now.
inline Certificate make_certificate(const std::string& folder, const std::string& names,
                                    long from = -3600, long to = 3600) {
  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  std::unique_ptr<X509, decltype(&X509_free)> made(X509_new(), X509_free);
  X509* x = made.get();
  X509_set_version(x, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
  X509_gmtime_adj(X509_getm_notBefore(x), from);
  X509_gmtime_adj(X509_getm_notAfter(x), to);
  X509_set_pubkey(x, key.get());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("a test"), -1, -1, 0);
  X509_set_issuer_name(x, X509_get_subject_name(x));
  X509_EXTENSION* extension =
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str());
  check(extension != nullptr, "these are names of a certificate");
  X509_add_ext(x, extension, -1);
  X509_EXTENSION_free(extension);
  check(X509_sign(x, key.get(), EVP_sha256()) > 0, "a certificate can be signed");

  Certificate out{folder + "/cert.pem", folder + "/key.pem"};
  std::FILE* file = std::fopen(out.cert.c_str(), "w");
  check(file != nullptr && PEM_write_X509(file, x) == 1, "the certificate can be written");
  std::fclose(file);
  file = std::fopen(out.key.c_str(), "w");
  check(file != nullptr &&
            PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1,
        "the key can be written");
  std::fclose(file);
  return out;
}

}  // namespace harness::transport
