// SPDX-License-Identifier: Apache-2.0
// wire/transcript.
//
//   1. A complaint names the line.
//   2. A Transcript that was read is written in a form that reads as the same Transcript.
#include "fuzz/targets/property.h"
#include "harness/wire/frame.h"

using namespace harness;
using fuzz::hold;

namespace {

bool same(const std::optional<wire::HttpHead>& a, const std::optional<wire::HttpHead>& b) {
  if (!a || !b) return !a && !b;
  if (a->status != b->status || a->method != b->method || a->target != b->target ||
      a->headers.size() != b->headers.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a->headers.size(); ++i) {
    if (a->headers[i].name != b->headers[i].name || a->headers[i].value != b->headers[i].value) {
      return false;
    }
  }
  return true;
}

bool same(const wire::Frame& a, const wire::Frame& b) {
  return a.seq == b.seq && a.time_us == b.time_us && a.direction == b.direction &&
         a.channel == b.channel && a.bytes == b.bytes && a.size == b.size &&
         a.unframed == b.unframed && a.exchange == b.exchange && same(a.head, b.head);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto first = wire::from_json_lines(fuzz::text_of(bytes, size), "x");
  if (!first) {
    hold(first.error().where.starts_with("x"), "a complaint names the place");
    return 0;
  }
  const std::string written = wire::to_json_lines(*first);
  const auto again = wire::from_json_lines(written, "again");
  hold(static_cast<bool>(again), "what we write can be read", written);
  hold(again->profile == first->profile && again->transport == first->transport &&
           again->target == first->target && again->framing == first->framing,
       "its head is the same", written);
  hold(again->frames.size() == first->frames.size(), "as many frames", written);
  for (std::size_t i = 0; i < first->frames.size(); ++i) {
    hold(same(first->frames[i], again->frames[i]), "a frame is the same", written);
    const wire::Frame begin = wire::beginning_of(first->frames[i]);
    hold(first->frames[i].bytes.starts_with(begin.bytes), "its beginning is its own");
  }
  hold(wire::to_json_lines(*again) == written, "and is written the same", written);
  return 0;
}
