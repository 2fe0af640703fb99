// SPDX-License-Identifier: Apache-2.0
// The ids that a lenient parser could take out of text that is not JSON: what stands after each
// "id" and its colon.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/json/value.h"

namespace harness::trace {

// By its letters, in any case.
bool is_called_id(std::string_view name);

class ReadableIds {
 public:
  // `text` outlives the object. The cost is its length.
  explicit ReadableIds(std::string_view text);

  // True also if that is uncertain.
  bool may_be(const json::Value& id) const;

  // id_key of those that can be listed: for each token its text, and the number it is or whose
  // digits it has. may_be() is true for each of them, and for more.
  std::vector<std::string> keys() const;

 private:
  void take(std::string_view token);

  std::string_view text_;
  std::vector<std::string_view> tokens_;        // the first of them
  bool any_ = false;                            // an escape can spell any name
  bool some_ = false;                           // there is an id at all
  bool any_number_ = false;                     // 0x10, 01, NaN, "7" cut short …
  bool any_string_ = false;                     // escapes, broken UTF-8 and odd quotes
  std::set<std::string, std::less<>> numbers_;  // canonical
  std::vector<std::string_view> altered_;       // those that not every reader can hold
};

}  // namespace harness::trace
