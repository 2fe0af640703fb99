// SPDX-License-Identifier: Apache-2.0
// Checker: what all parts of the loader share. It collects the complaints about one file, checks
// mappings against tables of fields, and knows which ${names} are defined so far.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"
#include "harness/match/shapes.h"
#include "harness/spec/requirement.h"
#include "harness/suite/answer.h"
#include "harness/suite/outcome.h"
#include "harness/wire/transport_kind.h"

namespace harness::suite {

// Where the names in a case are looked up.
struct Known {
  const spec::Registry& registry;
  const match::Shapes& shapes;
  std::vector<std::string> outcomes;  // names of outcome sets
};

enum class Type {
  kAny,
  kText,
  kScalar,
  kFlag,
  kInteger,
  kNumber,
  kList,
  kMapping,
  kTexts,
  kPattern
};

// One key a mapping may have. A reference is accepted for every type but the structural kList,
// kMapping and kTexts.
struct Field {
  const char* name;
  Type type = Type::kAny;
  bool required = false;
};

class Checker {
 public:
  Checker(std::string file, const Known& known) : file_(std::move(file)), known_(known) {}

  const Known& known() const { return known_; }
  const std::vector<Error>& errors() const { return errors_; }

  void complain(const json::Mark& mark, std::string what, std::string remedy = {});
  // "unknown KIND 'word'", with the most similar of `valid`, or all of them if they are few.
  void unknown(const json::Mark& mark, const std::string& kind, const std::string& word,
               const std::vector<std::string>& valid);

  // True if the value is a mapping whose keys are all in `fields`, with their types.
  // `what` names it in complaints: "'call'".
  bool fields(const json::Value& value, const std::string& what, const std::vector<Field>& fields);
  bool type(const json::Value& value, const std::string& what, Type type);
  bool word(const json::Value& value, const std::string& kind,
            const std::vector<std::string>& valid);

  void pattern(const json::Value& value);
  void profiles(const json::Value& list);
  void transports(const json::Value& list);
  void when(const json::Value& value);
  // The same for a row, which may also depend on a capability of the server.
  void when_of_row(const json::Value& value);
  // The same for a step, which may also depend on an earlier capture.
  void when_of_step(const json::Value& value);
  void requirement(const json::Value& id);
  // The same, or a column that holds one in each row.
  void requirement_or_column(const json::Value& id);
  void pointer(const json::Value& value, const std::string& what);

  // ---- references
  // A new name (column, capture, `as`, loop variable).
  void define(const std::string& name, const json::Mark& mark, const std::string& what);
  void columns(const std::vector<json::Value>& rows);
  // Complains about every reference in the value whose root is unknown here.
  void references(const json::Value& value);
  // Every reference checked so far, by its path: "target.tool.echo.name".
  const std::set<std::string>& all_references() const { return references_; }
  // From here on the name is known, or no longer known.
  void means(const std::string& name, bool yes) {
    yes ? void(passing_.insert(name)) : void(passing_.erase(name));
  }
  // ${request}: the request of the server that is answered.
  void answering(bool yes) { means("request", yes); }
  // The values that a whole-string reference to a column stands for, one per row; otherwise empty.
  std::vector<const json::Value*> column_values(const json::Value& reference) const;

 private:
  // A column may hold a pattern; then the pattern of every row must be valid.
  void column_patterns(const json::Value& value);
  void references_in_text(const std::string& text, const json::Mark& mark);

  std::string file_;
  const Known& known_;
  std::vector<Error> errors_;
  std::set<std::string> names_;
  std::set<std::string> references_;
  std::vector<json::Value> rows_;
  std::set<std::string> passing_;       // names that are known for a while
  std::map<std::string, int> columns_;  // name → in how many rows
};

// A graded reply, an outcome or the name of one (cases/GRAMMAR.md, "Replies"): all of it that could
// be read.
Outcomes read_outcomes(Checker& checker, const json::Value& reply);

// The answers to requests of the server, likewise.
Answers read_answers(Checker& checker, const json::Value& answers);

// What the steps of a case may rely on.
struct Surroundings {
  bool bare = false;                  // the session has had no handshake
  wire::TransportSet transports;      // the transports over which the case can be played
  std::set<std::string> affordances;  // that the case requires: "tool.slow"
};

}  // namespace harness::suite
