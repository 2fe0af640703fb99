// SPDX-License-Identifier: Apache-2.0
// Walks: sequences of operations through the states of a server: subscribed, level set, task
// running, call in flight, cancelled, page open, session ended. Each operation a hundred times
// first; then walks that hold each pair and each triple of operations in a row, one by one and in
// flight together; then walks drawn by chance, in which what changes a state is likelier. Pure.
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
  // `sessions`: where several sessions are with one process, their ends are operations too.
  Walks(const Vocabulary& vocabulary, std::uint64_t seed, bool sessions);

  // Always the same scripts for a seed. There is no end of them, unless there is no operation.
  Script next();
  // Pairs and triples in a row that no script has held so far.
  std::size_t left() const { return left_; }
  std::size_t operations() const { return operations_.size(); }
  // A name for each, such as "resources/subscribe", in their order.
  std::vector<std::string> names() const;

 private:
  enum class What { kMessage, kUnderWay, kCancel, kNextPage, kTaskOf, kClose, kRaw };
  struct Operation {
    std::string name;
    What what = What::kMessage;
    std::string text;      // of a message, with the id 0 where it has one
    bool changes = false;  // a state of the server
  };
  void find_operations(const Vocabulary& vocabulary, bool sessions);
  void add_operation(Operation operation);
  void append(Script& script, const Operation& operation, bool one_by_one);
  bool fits(std::size_t operation) const;
  std::size_t any();
  std::size_t after(std::size_t before, std::size_t last);
  void note(std::size_t a, std::size_t b, std::size_t c);
  Script many_times(std::size_t operation);
  Script empty() const;

  const Vocabulary& vocabulary_;
  Random random_;
  std::vector<Operation> operations_;
  std::vector<std::string> calls_;      // of all tools, with the id 0
  std::size_t next_call_ = 0;           // to be under way
  std::vector<std::string> under_way_;  // ids
  std::vector<bool> pairs_;             // that were held, by a * k + b
  std::vector<bool> triples_;           // by (a * k + b) * k + c
  std::size_t left_ = 0;
  std::size_t repeated_ = 0;  // operations that were played a hundred times
  std::uint64_t next_id_;
  std::size_t number_ = 0;  // of scripts
  bool in_flight_ = false;  // the second time through all pairs and triples
};

}  // namespace fuzz
