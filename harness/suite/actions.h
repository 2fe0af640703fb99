// SPDX-License-Identifier: Apache-2.0
// The tables of actions and of outcomes: what a step can do, what a reply may be. They drive the
// readers (steps.cc, outcomes.cc), `rpcspec list actions`, the reference parts of cases/GRAMMAR.md
// and the steps and outcomes in cases/case.schema.json (reference_page.h), so all of them agree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/json/value.h"
#include "harness/suite/step.h"

namespace harness::suite {

class StepReader;

// What may be written as the value of a field.
enum class FieldKind {
  kAny,
  kText,
  kScalar,
  kTexts,
  kList,
  kFlag,     // true or false, or a reference
  kSwitch,   // true or false
  kTrue,     // only that
  kInteger,  // or a reference
  kNumber,   // or a reference
  kIntegers,
  kWord,             // one of `words`
  kWordOrReference,  // likewise
  kPattern,
  kPieces,
  kHeaders,
  kMeta,
  kPointer,
  kStepName,
  kStepNames,  // one or a list
  kSteps,
  kCall,
  kUntil,
  kAwaits,
  kReply,
  kWrite,
  kCaptures,
  kAnswers,
  kWhen,
  kEach,
  kRequirement,
  // Of outcomes.
  kOutcomeName,
  kOutcomes,
  kStatuses,
  kBody,
  kId,
  kPatterns,
  kPatternsByName,
  kWhenOfOutcome,
};

struct FieldRow {
  const char* name;
  FieldKind kind;
  bool required;
  const char* help;                // for the reference page; may be "" where the name says it
  std::vector<std::string> words;  // of kWord
  // Checks the value and puts it into the record, which is of the type the field was bound to.
  void (*read)(StepReader&, const FieldRow&, const json::Value&, void* record);
};

// Where an action can be played.
enum class On { kAll, kStdio, kHttp, kWebsocket, kConnections };

// The fields that an action allows, in addition to those that all actions allow.
enum Beside : unsigned {
  kReply = 1,
  kWrite = 2,
  kHeaders = 4,
  kPipelined = 8,
  kAuth = 16,
  kRounds = 32
};

struct ActionRow {
  const char* name;
  Topic topic;
  const char* help;     // its first sentence is what `list actions` shows
  const char* example;  // steps, as a list in YAML
  unsigned beside;      // of Beside
  On on;
  bool in_pipelined;  // may be a step of `pipelined`
  bool mapping;       // the value is a mapping of `fields`; else of the one field's kind
  std::vector<FieldRow>
      fields;  // for a value that is not a mapping: one field, named like the action
  Action (*read)(StepReader&, const ActionRow&, const json::Value&);
};
const std::vector<ActionRow>& actions();
const ActionRow* find_action(std::string_view name);

// A field next to an action. `beside` 0: next to any action.
struct ExtraRow {
  FieldRow field;
  unsigned beside;
  On on = On::kAll;
};
const std::vector<ExtraRow>& extras();
const ExtraRow* find_extra(std::string_view name);

const std::vector<FieldRow>& write_fields();
const std::vector<FieldRow>& frame_fields();  // of a frame that is a mapping
const std::vector<FieldRow>& websocket_fields();
const std::vector<FieldRow>& outcome_fields();

// What the harness says to a request of the server: one of these words, or the members of an answer
// or of a form that is accepted.
struct AnswerWordRow {
  const char* name;
  AnswerWord word;
  const char* help;
};
const std::vector<AnswerWordRow>& answer_words();
const std::vector<FieldRow>& answer_fields();
const std::vector<FieldRow>& accept_fields();

}  // namespace harness::suite
