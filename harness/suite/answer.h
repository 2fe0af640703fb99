// SPDX-License-Identifier: Apache-2.0
// Answer: the client's answer to a request of the server, from `answers` of a case. It is parsed
// once, by the table of its words and members (outcomes.cc).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"

namespace harness::suite {

class Scope;

enum class AnswerWord { kUsual, kNone, kTwice, kWrongId, kLate, kGarbage };

// A result, an error or both; or only `raw`, a text instead of a message. `${request.id}` in it is
// filled in when it is sent.
struct OwnAnswer {
  std::optional<json::Value> result, error;
  std::optional<std::string> raw;
};

// Fills in a form with arguments of this kind, about these keywords; empty: about any.
struct FormAnswer {
  std::string accept;
  std::vector<std::string> of;
};

// `${column}`: a different answer in each row, keyed by the JSON text of the row's value.
struct AnswerByRow;

using Answer = std::variant<AnswerWord, OwnAnswer, FormAnswer, std::shared_ptr<const AnswerByRow>>;
// By the method of the request; "*" is any other one.
using Answers = std::map<std::string, Answer, std::less<>>;

struct AnswerByRow {
  std::string column;
  std::map<std::string, Answer> of;
};

// The same with all references filled in, and without the choice by row.
Result<Answers> expand(const Answers& answers, const Scope& scope);

}  // namespace harness::suite
