// SPDX-License-Identifier: Apache-2.0
// What every framing owes: the same Pieces however the stream was cut into chunks, within bounds,
// and a message framed by us comes out as it went in.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/targets/property.h"
#include "harness/transport/framing.h"

namespace fuzz {

inline std::vector<harness::transport::Piece> pieces_of(
    const harness::transport::Framing& framing, std::size_t max_message,
    const std::vector<std::string_view>& chunks) {
  std::vector<harness::transport::Piece> out;
  const auto splitter = framing.splitter(max_message);
  for (const std::string_view chunk : chunks) {
    // In its own memory, so that a read beyond it is detected.
    const auto own = std::make_unique<char[]>(chunk.size());
    chunk.copy(own.get(), chunk.size());
    splitter->give({own.get(), chunk.size()});
    while (auto piece = splitter->next()) out.push_back(std::move(*piece));
    hold(!splitter->next(), "a chunk that is used up stays so");
  }
  if (auto piece = splitter->rest()) out.push_back(std::move(*piece));
  hold(!splitter->rest(), "there is one rest");
  return out;
}

// The first line of an input is the seed of its chunks. `room` is what a Piece that is not a
// message may hold beyond max_message; `fits` says whether a message can be framed.
inline void check_splitting(const harness::transport::Framing& framing, std::string_view text,
                            std::size_t room, bool (*fits)(std::string_view)) {
  const std::string_view seed = take_line(text);
  for (const std::size_t most : {std::size_t{1} << 20, std::size_t{16}, std::size_t{1}}) {
    const auto whole = pieces_of(framing, most, {text});
    const auto chunked = pieces_of(framing, most, cut(text, seed));
    hold(whole.size() == chunked.size(), "chunks do not change how many there are");
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const auto& [bytes, size, complete, fault] = whole[i];
      hold(bytes == chunked[i].bytes, "chunks do not change the bytes", bytes);
      hold(size == chunked[i].size, "chunks do not change the size", bytes);
      hold(complete == chunked[i].whole, "chunks do not change what is whole", bytes);
      hold(fault == chunked[i].fault, "chunks do not change the fault", fault);
      hold(bytes.size() <= size, "nothing is added", bytes);
      hold(bytes.size() <= most + (complete ? 0 : room), "a piece is bounded", bytes);
      hold(!complete || bytes.size() == std::min<std::uint64_t>(size, most), "cut at the limit");
    }
  }
  if (!fits(text)) return;
  const std::string framed = framing.frame(text) + framing.frame("tail");
  const auto back = pieces_of(framing, text.size() + 4, cut(framed, seed));
  hold(back.size() == 2, "a framed message is one piece");
  hold(back[0].whole && back[0].fault.empty() && back[0].bytes == text, "and as it went in", text);
  hold(back[1].whole && back[1].bytes == "tail", "and the next one follows", text);
}

}  // namespace fuzz
