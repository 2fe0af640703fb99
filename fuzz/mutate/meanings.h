// SPDX-License-Identifier: Apache-2.0
// Meanings: sound requests in which one string after the other holds text that formats, templates,
// shells, regular expressions, queries, paths, URIs or escapes take for something, or is a little
// other than it was; and whose objects have members that languages treat apart. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/mutate/vocabulary.h"
#include "fuzz/script/script.h"

namespace fuzz {

class Meanings {
 public:
  // The strings and objects in the params of the requests that the vocabulary knows, and the words
  // that its schemas name.
  explicit Meanings(const Vocabulary& vocabulary);

  // Up to sixteen messages that are odd in the same way, at several places. Always the same scripts
  // in the same order, mixed, so that who gets through a part of them has seen some of each kind;
  // nothing when all were made.
  std::optional<Script> next();
  std::size_t count() const {
    return ways_ * groups_of_strings_ + names_ * groups_of_objects_ + named_.size();
  }

 private:
  struct Place {
    std::size_t request;  // index into requests_
    std::size_t begin, end;
  };
  void find_places();
  void find_named(const Vocabulary& vocabulary);
  Script of_strings(std::size_t way, std::size_t group);
  Script of_objects(std::size_t way, std::size_t group);
  void add(Script& script, const Place& place, std::string_view value);

  std::string profile_;
  std::vector<std::string> requests_;  // with the id 0
  std::vector<Place> strings_;
  std::vector<Place> objects_;
  std::vector<Script> named_;  // calls with a value that their schema names
  std::size_t ways_ = 0;       // for a string to be odd
  std::size_t names_ = 0;      // for an object
  std::size_t groups_of_strings_ = 0;
  std::size_t groups_of_objects_ = 0;
  std::size_t next_ = 0;
  std::size_t stride_ = 1;
  std::size_t next_id_;
};

// The requests of the vocabulary, each with one of its strings made the longest in it, so that what
// makes that longer still does so at each place. At most so many.
std::vector<Script> with_long_strings(const Vocabulary& vocabulary, std::size_t most);

}  // namespace fuzz
