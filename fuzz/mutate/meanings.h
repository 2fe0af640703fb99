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
  // in the same order, the broadest first: runs of a letter or a digit, which stand alone or
  // nowhere; several texts in one string, several members in one object, and the other runs; then
  // each alone at each place, put in one way; then in the other ways. Mixed, so that a part of them
  // shows some of each kind. Nothing when all were made.
  std::optional<Script> next();
  std::size_t count() const;

 private:
  struct Place {
    std::size_t request;  // index into requests_
    std::size_t begin, end;
  };
  void find_places();
  void find_named(const Vocabulary& vocabulary);
  std::string_view text_in(const Place& place) const;  // of a string
  Script at(std::size_t number);
  Script of_neighbours(std::size_t way, std::size_t group);
  Script of_runs(std::size_t way, std::size_t group);
  Script of_joined(std::size_t way, std::size_t group);
  Script of_strings(std::size_t text, std::size_t pass, std::size_t group);
  Script of_joined_members(std::size_t way, std::size_t group);
  Script of_objects(std::size_t name, std::size_t pass, std::size_t group);
  Script empty() const;
  void add_member(Script& script, const Place& place, std::string_view member);
  void add(Script& script, const Place& place, std::string_view value);

  std::string profile_;
  std::vector<std::string> requests_;  // with the id 0
  std::vector<Place> strings_;
  std::vector<Place> objects_;
  std::vector<Script> named_;  // calls with a value that their schema names
  std::size_t groups_of_strings_ = 0;
  std::size_t groups_of_objects_ = 0;
  std::size_t next_ = 0;
  std::size_t next_id_;
};

// The requests of the vocabulary, each with one of its strings made the longest in it: a mutator
// that lengthens the longest string then reaches each place. At most so many.
std::vector<Script> with_long_strings(const Vocabulary& vocabulary, std::size_t most);

}  // namespace fuzz
