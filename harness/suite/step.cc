// SPDX-License-Identifier: Apache-2.0
#include "harness/suite/step.h"

namespace harness::suite {
namespace {

std::optional<json::Value> copy_of(const json::Value* value) {
  return value == nullptr ? std::nullopt : std::optional<json::Value>(*value);
}

Pieces pieces_or_whole(const json::Value& value) {
  return value.is_array() ? Pieces{json::null(), pieces_in(value)} : Pieces{value, {}};
}

}  // namespace

bool is_list_of_pieces(const json::Value& value) {
  if (!value.is_array() || value.items.empty()) return false;
  const json::Value& first = value.items.front();
  return first.is_object() &&
         (first.find("text") || first.find("hex") || first.find("repeat") || first.find("ws"));
}

std::vector<Piece> pieces_in(const json::Value& list) {
  std::vector<Piece> out;
  for (const json::Value& piece : list.items) {
    if (const json::Value* text = piece.find("text")) {
      out.push_back({TextPiece{*text}});
    } else if (const json::Value* hex = piece.find("hex")) {
      out.push_back({HexPiece{*hex}});
    } else if (const json::Value* frame = piece.find("ws")) {
      const json::Value* payload = frame->find("payload");
      out.push_back(
          {WebsocketPiece{payload ? pieces_or_whole(*payload) : Pieces{json::string(""), {}},
                          copy_of(frame->find("opcode")), copy_of(frame->find("last")),
                          copy_of(frame->find("masked")), copy_of(frame->find("reserved")),
                          copy_of(frame->find("claims"))}});
    } else if (const json::Value* unit = piece.find("repeat")) {
      const json::Value* count = piece.find("count");
      out.push_back({RepeatedPiece{*unit, count ? *count : json::number(1)}});
    }
  }
  return out;
}

}  // namespace harness::suite
