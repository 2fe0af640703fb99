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

// `${column}`: something else in each row, by the JSON text of what the row has there.
struct AnswerByRow;

using Answer = std::variant<AnswerWord, OwnAnswer, FormAnswer, std::shared_ptr<const AnswerByRow>>;
// By the method of the request; "*" is any that is not named.
using Answers = std::map<std::string, Answer, std::less<>>;

struct AnswerByRow {
  std::string column;
  std::map<std::string, Answer> of;
};

// The same with all references filled in, and nothing by row any more.
Result<Answers> expand(const Answers& answers, const Scope& scope);

}  // namespace harness::suite
