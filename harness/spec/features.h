// SPDX-License-Identifier: Apache-2.0
// The model of features: which replies a request to a known method may get, given its params and
// what was declared, listed and sent before it. model.h comes first: it judges the envelope, and
// only a request that it accepts is judged here.
//
//   request + Known → Objections (a row of `answers` in cases/protocol each) → what a reply is
//
// Objections add up as the rules of the envelope do: a request with two errors may be refused for
// either, and served only if both allow it. If no row applies, any reply is lawful; if two readings
// of the evidence are possible, both count.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/json/value.h"
#include "harness/spec/known.h"
#include "harness/spec/model.h"
#include "harness/spec/profile.h"

namespace harness::spec {

// One known fact about a request.
struct Objection {
  const AnswerRow* row = nullptr;  // null: no row says what answers it
  std::string detail;              // kWrong, kUnknown: "a string"; kUnfit: the keyword
  std::string_view state;          // kEnded: the state in which the thing was left
};

// How the rows judge a reply.
struct Ruling {
  Grade grade = Grade::kLawful;
  const Objection* objection = nullptr;  // the reason, if it is not lawful
  const Clauses* clauses = nullptr;      // that it breaks
};

class FeatureExpectation {
 public:
  // No rule is known against any reply.
  bool open() const { return objections_.empty() && promises_.empty(); }
  // What is wrong or right about the request, each with its own row.
  const std::vector<Objection>& objections() const { return objections_; }
  const std::vector<Objection>& promises() const { return promises_; }

  Ruling of(const json::Value& reply) const;  // an object with result or error

 private:
  friend class FeatureModeller;
  bool matches(const ReplyWord& word, const json::Value& reply, std::string_view state) const;
  Ruling judged(const Objection& one, const json::Value& reply) const;
  bool is_instead(const json::Value& result) const;

  const Profile* profile_ = nullptr;
  const MessageRow* message_ = nullptr;
  std::vector<Objection> objections_, promises_;
};

// `request` has a method that is a string; both outlive the Expectation.
FeatureExpectation expect_feature(const Profile& profile, const Known& known,
                                  const json::Value& request);

// "error -32602 or a result with isError": what the row requires.
std::string words_of(const AnswerRow& row);
// "`name` is missing": what is known about the request.
std::string words_of(const Objection& objection);
// "where `name` is missing": the same without a particular request.
std::string situation_of(const AnswerRow& row);

}  // namespace harness::spec
