// SPDX-License-Identifier: Apache-2.0
// wire/message.
//
//   1. A Message is malformed when its text is not JSON, and its kind is that of its value.
//   2. Two ids have the same key exactly when they are equal as JSON-RPC ids: of two lines, each is
//      read as an id.
#include "fuzz/targets/property.h"
#include "harness/json/write.h"
#include "harness/wire/message.h"

using namespace harness;
using fuzz::hold;

namespace {

bool can_be_id(const wire::Message& message) {
  return message.is_json &&
         (message.value.is_string() || message.value.is_number() || message.value.is_null());
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text = fuzz::text_of(bytes, size);
  const wire::Message message = wire::read_message(text);
  if (!message.is_json) {
    hold(message.kind == wire::MessageKind::kMalformed, "no JSON, no message", text);
    hold(message.value.is_null() && !message.error.reason.empty(), "and the reason is told", text);
  } else {
    hold(message.kind == wire::kind_of(message.value), "the kind is that of the value", text);
    hold(message.is_reply() == (message.kind == wire::MessageKind::kResponse ||
                                message.kind == wire::MessageKind::kErrorResponse),
         "a reply is a response", text);
    const wire::Message again = wire::read_message(json::write(message.value));
    hold(again.kind == message.kind, "it is the same message when written again", text);
    hold(again.values == message.values, "of the same size", text);
    if (const auto* id = message.id()) wire::id_key(*id);
  }

  const wire::Message a = wire::read_message(fuzz::take_line(text));
  const wire::Message b = wire::read_message(fuzz::take_line(text));
  if (can_be_id(a) && can_be_id(b)) {
    const bool equal = json::equal(a.value, b.value);
    hold(equal == json::equal(b.value, a.value), "equality has two directions");
    hold(equal == (wire::id_key(a.value) == wire::id_key(b.value)),
         "ids have one key exactly when they are equal", wire::id_key(a.value));
  }
  return 0;
}
