// SPDX-License-Identifier: Apache-2.0
// Flaw: what is wrong in a document, and where. It is reported once, and counts against no server.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/document.h"

namespace harness::contract {

enum class Weight { kFail, kWarn, kInfo };
const char* weight_name(Weight weight);  // "fail", "warn", "info"

struct Flaw {
  std::string clause;  // "openrpc.document.version"
  Weight weight = Weight::kFail;
  Place place;
  std::string
      what;  // a sentence without its full stop; raw text of the document in it is printable
};

// Collects them: of a clause with a limit only this many, and then how many more there are.
class Flaws {
 public:
  static constexpr std::size_t kMost = 10;

  void add(std::string_view clause, Weight weight, const Place& place, std::string what);
  // The same, if there may be thousands.
  void add_some(std::string_view clause, Weight weight, const Place& place, std::string what);
  // The reference in `at`, which leads nowhere, in a circle, or out of the document.
  void add_open(const Document& document, const Place& at);
  // In the order of their places in the text, with the counts of those left out at the end.
  std::vector<Flaw> take();

 private:
  std::vector<Flaw> all_;
  std::map<std::string, std::size_t, std::less<>> limited_;
};

// A value of the document in a sentence.
std::string shown(const json::Value& value);

}  // namespace harness::contract
