// SPDX-License-Identifier: Apache-2.0
// StepReader: reads the steps of one case by the table of actions, and complains about what has no
// place there. Names are defined in the order of the steps, so a reference cannot use a later one.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/suite/actions.h"
#include "harness/suite/checker.h"
#include "harness/suite/step.h"

namespace harness::suite {

class StepReader {
 public:
  StepReader(Checker& checker, Surroundings around)
      : checker_(checker), around_(std::move(around)) {}

  // Everything that could be read; the rest is a complaint of the checker.
  std::vector<Step> steps(const json::Value& list);

  // ---- for the table of actions
  Checker& checker() { return checker_; }
  bool bare() const { return around_.bare; }  // the session has had no handshake here
  void becomes(Need need) { around_.bare = need == Need::kBare; }
  // Reads the members of a mapping into the record that `fields` are bound to. True: without a
  // complaint.
  bool mapping(const json::Value& value, const std::string& what,
               const std::vector<FieldRow>& fields, void* record);
  // True if the value is allowed there; store() checks the values inside it.
  bool allows(const FieldRow& field, const json::Value& value);

  // A frame that is a mapping: the request of the canary as text, with these members replaced. It
  // equals the frame written out in full.
  Pieces request_as_text(const json::Value& members);

  void store(const json::Value& value, json::Value& out) { out = value; }
  void store(const json::Value& value, std::optional<json::Value>& out) { out = value; }
  void store(const json::Value& value, std::string& out) { out = value.text; }
  void store(const json::Value& value, std::optional<std::string>& out) { out = value.text; }
  void store(const json::Value& value, std::optional<Answers>& out) {
    out = read_answers(checker_, value);
  }
  void store(const json::Value& value, bool& out) { out = value.boolean; }
  void store(const json::Value& value, std::vector<std::string>& out);
  void store(const json::Value& value, std::vector<json::Value>& out);
  void store(const json::Value& value, std::vector<Step>& out);
  void store(const json::Value& value, std::vector<Capture>& out);
  void store(const json::Value& value, std::vector<Await::One>& out);
  void store(const json::Value& value, Pieces& out);
  void store(const json::Value& value, Headers& out);
  void store(const json::Value& value, Call& out);
  void store(const json::Value& value, Write& out);
  void store(const json::Value& value, Need& out);
  void store(const json::Value& value, Channel& out);
  void store(const json::Value& value, std::optional<When>& out) { out = when_of(value); }
  void store(const json::Value& value, std::optional<Each>& out) {
    out = Each{value.members.front().name, value.members.front().value};
  }

 private:
  bool step(const json::Value& value, Step& out);
  const json::Member* action_in(const json::Value& step);
  void read_extras(const json::Value& value, const ActionRow& action, Step& out);
  void read_each(const json::Value& step, const json::Value& each, Step& out);
  void read_reply(const json::Value& reply, Step& out);
  void define_name(const json::Value& value, const Step& step);
  void demand_transport(const json::Value& step, const json::Mark& mark, const std::string& name,
                        On on);
  void check_piece(const json::Value& piece);
  json::Value written_out(const json::Value& call);

  Checker& checker_;
  Surroundings around_;
  std::vector<std::string> step_names_;  // of `as`
  std::vector<std::string> later_;       // `as` of steps whose reply is awaited later
  bool pipelining_ = false;
};

template <class T, class M>
T owner_of(M T::*);

// A row that is bound to the member of a struct that receives its value.
template <auto kMember>
FieldRow field(const char* name, FieldKind kind, const char* help = "", bool required = false,
               std::vector<std::string> words = {}) {
  return {name,
          kind,
          required,
          help,
          std::move(words),
          [](StepReader& reader, const FieldRow& row, const json::Value& value, void* record) {
            using Record = decltype(owner_of(kMember));
            if (reader.allows(row, value))
              reader.store(value, static_cast<Record*>(record)->*kMember);
          }};
}

}  // namespace harness::suite
