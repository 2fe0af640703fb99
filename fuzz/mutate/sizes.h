// SPDX-License-Identifier: Apache-2.0
// Sizes: sound requests in which one value after the other is made deep, long or many, batches of
// many elements, and, over HTTP, long and many headers, to find what a server cannot take. The
// minimizer finds the smallest size that the server cannot take. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "fuzz/mutate/vocabulary.h"
#include "fuzz/script/script.h"

namespace fuzz {

class Sizes {
 public:
  // The places of the requests that the vocabulary knows, which outlives this.
  explicit Sizes(const Vocabulary& vocabulary);

  // Always the same ones, in the same order; nothing when all were made. They are up to sixteen
  // megabytes long, and are not kept.
  std::optional<Script> next();
  std::size_t count() const;  // the largest size to try

 private:
  struct Place {
    std::size_t request;  // index into requests_
    std::size_t begin, end;
    bool is_string;
  };
  struct Value {
    std::size_t way;    // to be large
    std::size_t place;  // index into places_
  };
  std::optional<Script> of_value(const Value& value, std::size_t size) const;
  std::optional<Script> of_whole(std::size_t way, std::size_t size) const;

  const Vocabulary& vocabulary_;
  std::vector<Script> requests_;
  std::vector<Place> places_;
  std::vector<Value> values_;  // in their order
  std::size_t next_ = 0;
};

}  // namespace fuzz
