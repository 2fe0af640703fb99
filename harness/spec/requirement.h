// SPDX-License-Identifier: Apache-2.0
// The Requirement registry: one entry per normative clause, read from cases/requirements/*.yaml.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/base/result.h"
#include "harness/wire/transport_kind.h"

namespace harness::spec {

enum class Level { kMust, kMustNot, kShould, kShouldNot, kMay };
const char* level_name(Level level);  // "MUST", "MUST NOT", …

// Another clause that an entry names, and where.
struct Mention {
  std::string id;
  int line = 0, column = 0;
};

// Clauses that say the same about different inputs. If enough of them are broken, they are reported
// as one, under the clause whose entry names the others.
struct Family {
  std::vector<Mention> others;
  std::size_t least = 0;  // how many must be broken
  bool itself = false;    // counts the clause that names them as well
  std::string title, sentence;
};

struct Requirement {
  std::string id;
  Level level = Level::kMust;
  std::vector<std::string> revisions;  // "2025-06-18", "jsonrpc-2.0", "rfc8259", "tutorial", …
  wire::TransportSet transports;
  std::vector<std::string> needs;  // what the target must declare; empty if nothing
  std::string statement;
  std::string source;
  std::string observable;  // "yes", "partly", "no"
  std::string probe;
  // If one of these is broken, this clause cannot hold: its breach is a consequence, attributed to
  // the first broken one.
  std::vector<Mention> follows;
  std::optional<Family> one_with;
  std::string file;  // where the entry is
  int line = 0;
};

// Whether a file of a cases/ tree, by its relative name, contains clauses. Files with reasons for
// missing cases do not.
bool is_catalogue(std::string_view name);

class Registry {
 public:
  // Adds the entries of one catalogue file. The files keep one field a line with JSON strings, so
  // that a line reader loads 1,500 entries in milliseconds.
  Status add(std::string_view text, const std::string& name);
  // After all are added: checks that the clauses named in entries exist and that none follows from
  // itself.
  Status check_relations() const;

  const Requirement* find(std::string_view id) const;
  const std::vector<Requirement>& all() const { return entries_; }

 private:
  std::vector<Requirement> entries_;
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace harness::spec
