// SPDX-License-Identifier: Apache-2.0
// transport/lines: see splitting.h; and no byte of a stream is lost.
#include "fuzz/targets/splitting.h"
#include "harness/transport/lines.h"

using namespace harness;
using fuzz::hold;

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text = fuzz::text_of(bytes, size);
  const auto& framing = transport::framing_of(target::Framing::kLine);
  fuzz::check_splitting(framing, text, 0, [](std::string_view message) {
    return message.find('\n') == std::string_view::npos;
  });
  fuzz::take_line(text);
  std::string joined;
  for (const auto& piece : fuzz::pieces_of(framing, text.size() + 1, {text})) {
    joined += piece.bytes + (piece.whole ? "\n" : "");
  }
  hold(joined == text, "nothing is lost", joined);
  return 0;
}
