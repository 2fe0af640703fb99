// SPDX-License-Identifier: Apache-2.0
// The table of framings. A row is a target::Framing.
#include "harness/transport/framing.h"

#include "harness/base/result.h"
#include "harness/transport/content_length.h"
#include "harness/transport/lines.h"
#include "harness/transport/texts.h"

namespace harness::transport {

const Framing& framing_of(target::Framing kind) {
  static const LineFraming kLines;
  static const ContentLengthFraming kContentLength;
  static const TextFraming kTexts;
  switch (kind) {
    case target::Framing::kLine: return kLines;
    case target::Framing::kContentLength: return kContentLength;
    case target::Framing::kText: return kTexts;
  }
  throw Bug("a framing of no kind");
}

}  // namespace harness::transport
