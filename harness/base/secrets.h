// SPDX-License-Identifier: Apache-2.0
// Secrets: what rpcspec must never send to anyone but the target. masked() hides them in any text,
// even if a target returns them in another spelling.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

class Secrets {
 public:
  // Shorter secrets look like ordinary text and are not hidden.
  static constexpr std::size_t kShortest = 4;

  // `name` is shown instead. Short secrets are ignored. Each long line of a secret with several
  // lines counts separately, and so do payload and signature of a signed token
  // (header.payload.signature).
  void add(const std::string& name, std::string_view value);

  bool empty() const { return needles_.empty(); }
  // `text` with every secret written «secret NAME»: unchanged, percent-encoded, with JSON escapes
  // (nested ones, too), as HTML entities, in hexadecimal digits, and in Base64 at any offset. The
  // rest of a secret that a shortened text has at its end, or before "…", is hidden, too.
  std::string masked(std::string_view text) const;
  // Whether a secret of twelve bytes or more stands in the text as a whole; shorter ones may be
  // ordinary words.
  bool found_in(std::string_view text) const;

 private:
  struct Needle {
    std::string name;
    std::string text;
    bool spelled = false;  // an encoded form: matched only as it is
  };
  void add_needle(const std::string& name, std::string text, bool spelled);
  std::size_t match(const Needle& needle, std::string_view text, std::size_t at, bool whole) const;

  std::vector<Needle> needles_;     // longest first
  std::array<bool, 256> begins_{};  // bytes a needle can begin with
};

}  // namespace harness
