// SPDX-License-Identifier: Apache-2.0
// transport/content_length: see splitting.h; and what is not whole says why, and no byte is told
// twice.
#include "fuzz/targets/splitting.h"
#include "harness/transport/content_length.h"

using namespace harness;
using fuzz::hold;

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text = fuzz::text_of(bytes, size);
  const auto& framing = transport::framing_of(target::Framing::kContentLength);
  // A header block that is no message is shown as it is; it ends within 8 KiB.
  fuzz::check_splitting(framing, text, 8u << 10, [](std::string_view) { return true; });

  fuzz::take_line(text);
  std::uint64_t told = 0;
  for (const auto& piece : fuzz::pieces_of(framing, text.size() + 1, {text})) {
    hold(piece.whole != !piece.fault.empty(), "what is not whole has a fault", piece.bytes);
    told += piece.size;
  }
  hold(told <= text.size(), "no byte is told twice");
  return 0;
}
