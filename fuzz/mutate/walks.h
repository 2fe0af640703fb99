// SPDX-License-Identifier: Apache-2.0
// Walks: sequences of operations through the states of a server: subscribed, level set, task
// running, call in flight, cancelled, page open, session ended. First each operation a hundred
// times; then walks that contain each pair and each triple of operations in a row, in flight
// together and one by one in turn; then random walks, in which operations that change a state are
// likelier. If there are several ways to send an operation, names in a row come before ways.
// Pure.
//
//   vocabulary, rows of cases/protocol ──► operations ──next()──► script ──► script …
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/mutate/random.h"
#include "fuzz/mutate/vocabulary.h"
#include "fuzz/script/script.h"

namespace fuzz {

class Walks {
 public:
  // `sessions`: if several sessions share one process, their ends are operations, too.
  Walks(const Vocabulary& vocabulary, std::uint64_t seed, bool sessions);

  // Always the same scripts for a seed. They never end, unless there is no operation.
  Script next();
  // Pairs and triples in a row that no script has contained so far, in flight and one by one.
  std::size_t left() const { return in_flight_.left + one_by_one_.left; }
  // Triples of names that no script has contained in flight, without operations made from replies.
  std::size_t names_left() const { return in_flight_.names_left; }
  std::size_t operations() const { return operations_.size(); }
  // A name for each, such as "resources/subscribe", in their order.
  std::vector<std::string> names() const;

 private:
  enum class What { kMessage, kUnderWay, kCancel, kNextPage, kTaskOf, kClose, kRaw };
  struct Operation {
    std::string name;
    What what = What::kMessage;
    std::string text;      // of a message, with the id 0 if it has one
    bool changes = false;  // a state of the server
    std::size_t called = 0;  // a number for its name
    bool of_replies() const { return what == What::kNextPage || what == What::kTaskOf; }
  };
  // What scripts of one kind have contained in a row.
  struct Held {
    std::vector<bool> pairs;                // by a * k + b
    std::vector<bool> triples;              // by (a * k + b) * k + c
    std::vector<bool> names;                // likewise, by numbers of names
    std::vector<std::size_t> behind;        // by a * k + b: how many triples that begin so are left
    std::vector<std::size_t> names_behind;  // likewise, by numbers of names
    std::size_t left = 0;
    std::size_t plain_left = 0;  // triples without operations made from replies
    std::size_t names_left = 0;  // of these, triples of names
    std::size_t walks = 0;
  };
  void find_operations(const Vocabulary& vocabulary, bool sessions);
  void add_operation(Operation operation);
  void append(Script& script, const Operation& operation, bool one_by_one);
  void begin(Held& held) const;
  bool fits(std::size_t operation) const;
  std::size_t any();
  std::size_t gain(const Held& held, std::size_t a, std::size_t b, std::size_t c) const;
  std::size_t after(const Held& held, std::size_t before, std::size_t last);
  void note(Held& held, std::size_t a, std::size_t b, std::size_t c) const;
  Script many_times(std::size_t operation);
  Script empty() const;

  const Vocabulary& vocabulary_;
  Random random_;
  std::vector<Operation> operations_;
  std::vector<std::string> calls_;      // of all tools, with the id 0
  std::size_t next_call_ = 0;           // to be under way
  std::vector<std::string> under_way_;  // ids
  Held in_flight_;
  Held one_by_one_;
  std::size_t names_ = 0;     // that differ
  std::size_t repeated_ = 0;  // operations that were played a hundred times
  std::uint64_t next_id_;
  std::size_t number_ = 0;      // of scripts
  bool takes_replies_ = false;  // the script at hand
};

}  // namespace fuzz
