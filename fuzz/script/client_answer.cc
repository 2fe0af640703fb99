// SPDX-License-Identifier: Apache-2.0
#include "fuzz/script/client_answer.h"

#include "harness/json/read.h"

namespace fuzz {

namespace json = harness::json;

harness::suite::Answer as_answer(const ClientAnswer& answer) {
  using enum harness::suite::AnswerWord;
  // By AnswerKind; what is held a schedule gives.
  static constexpr harness::suite::AnswerWord kWords[] = {kUsual, kNone,    kTwice, kWrongId, kLate,
                                                          kUsual, kGarbage, kNone,  kUsual};
  harness::suite::OwnAnswer own;
  if (answer.kind == AnswerKind::kError) {
    own.error =
        json::object({{"code", json::number(-32603)}, {"message", json::string("refused")}});
  } else if (answer.kind == AnswerKind::kResult) {
    const auto reading = json::read(answer.result);
    const auto* good = std::get_if<json::Reading>(&reading);
    own.result = good ? good->value : json::null();
  } else {
    return kWords[static_cast<int>(answer.kind)];
  }
  return own;
}

}  // namespace fuzz
