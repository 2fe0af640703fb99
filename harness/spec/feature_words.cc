// SPDX-License-Identifier: Apache-2.0
// The model for features in words: what is known of a request, and what answers it.
#include "harness/base/words.h"
#include "harness/spec/features.h"

namespace harness::spec {
namespace {

using Kind = AnswerRow::Kind;

std::string word_of(const ReplyWord& word) {
  switch (word.kind) {
    case ReplyWord::Kind::kCode: return "error " + std::to_string(word.code);
    case ReplyWord::Kind::kError: return "an error";
    case ReplyWord::Kind::kResult: return "a result";
    case ReplyWord::Kind::kIsError: return "a result with isError";
    case ReplyWord::Kind::kEmpty: return "an empty result";
    case ReplyWord::Kind::kSame: return "a result with its final state";
    case ReplyWord::Kind::kInstead: break;
  }
  return "the result " + word.text;
}

std::string replies_of(const std::vector<ReplyWord>& words) {
  std::string out;
  for (const ReplyWord& word : words) out += (out.empty() ? "" : " or ") + word_of(word);
  return out;
}

std::string item_of(const AnswerRow& row) {
  if (row.at.empty()) return {};
  return ", and the named item has " + row.at + " of another kind";
}

}  // namespace

std::string words_of(const AnswerRow& row) {
  return row.with.empty() ? "anything but " + replies_of(row.not_with) : replies_of(row.with);
}

std::string words_of(const Objection& objection) {
  const AnswerRow& row = *objection.row;
  const std::string member = "`" + row.member + "`";
  switch (row.kind) {
    case Kind::kUndeclared: return "the capability of the method is not declared";
    case Kind::kDeclared: return "the capability of the method is declared";
    case Kind::kMissing: return member + " is missing" + item_of(row);
    case Kind::kPresent: return member + " is there" + item_of(row);
    case Kind::kWrong: return member + " is not " + objection.detail;
    case Kind::kUnknown:
      return objection.detail.empty() ? member + " names nothing that exists"
                                      : member + " is not " + objection.detail;
    case Kind::kKnown: return member + " names something that exists";
    case Kind::kUnfit:
      return row.of.empty() ? member + " is not " + objection.detail
                            : member + " break `" + objection.detail + "` of the named item";
    case Kind::kEnded: break;
  }
  return member + " names something that is " + std::string(objection.state);
}

std::string situation_of(const AnswerRow& row) {
  Objection any{&row, {}, "in a final state"};
  switch (row.kind) {
    case Kind::kWrong: any.detail = "of the required kind"; break;
    case Kind::kUnfit: any.detail = row.of.empty() ? "of the required form" : joined(row.of); break;
    default: break;
  }
  return words_of(any);
}

}  // namespace harness::spec
