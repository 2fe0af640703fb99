// SPDX-License-Identifier: Apache-2.0
// fuzz/script: reading never fails.
//
//   1. What is read is within the bounds that its fields promise.
//   2. Written it reads as the same script, and is written the same.
//   3. A reference stands where it says it does.
#include "fuzz/script/script.h"
#include "fuzz/targets/property.h"

using namespace fuzz;

namespace {

void check(const Frame& frame) {
  const Delivery& delivery = frame.delivery;
  hold(delivery.chunks.size() <= 64 && delivery.fragments.size() <= 64, "few pieces");
  for (const auto size : delivery.chunks) hold(size != 0, "a write has bytes");
  hold(delivery.opcode <= 15, "an opcode has four bits");
  for (std::size_t i = 0; i < delivery.headers.size(); ++i) {
    hold(!delivery.headers[i].name.empty(), "a header has a name");
    for (std::size_t j = 0; j < i; ++j) {
      hold(delivery.headers[i].name != delivery.headers[j].name, "a name once");
    }
  }
  if (delivery.length && !delivery.length->relative) {
    hold(delivery.length->value >= 0, "a length is not negative");
  }
  for (const Reference& one : references(frame.bytes)) {
    hold(one.begin < one.end && one.end <= frame.bytes.size(), "a reference is in the frame");
    hold(frame.bytes.substr(one.begin, 2) == "${" && frame.bytes[one.end - 1] == '}', "as written",
         frame.bytes);
    hold(one.frame >= 1, "frames are counted from 1", frame.bytes);
    hold(one.pointer.empty() || one.pointer.front() == '/', "a JSON Pointer", frame.bytes);
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const Script script = read_script(text_of(bytes, size));
  for (const Step& step : script.steps) {
    if (const auto* frame = std::get_if<Frame>(&step)) check(*frame);
    if (const auto* pause = std::get_if<Pause>(&step)) {
      hold(pause->milliseconds >= 0 && pause->milliseconds <= kLongestPause, "pauses are short");
    }
    if (const auto* answer = std::get_if<ClientAnswer>(&step)) {
      hold((answer->kind == AnswerKind::kResult) != answer->result.empty(), "a result is given");
    }
  }
  const std::string written = write_script(script);
  const Script again = read_script(written);
  hold(again == script, "what is written reads the same", written);
  hold(write_script(again) == written, "and is written the same", written);
  return 0;
}
