// SPDX-License-Identifier: Apache-2.0
// Delivery: how frames and raw bytes of a Script become writes. Pure.
//
//   Frame ──deliver()──► writes, HTTP head
//   Frame, Raw, canary ──WriteQueue──► all that goes out in one write, up to a wait
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/script/script.h"
#include "harness/transport/transport.h"
#include "harness/wire/frame.h"

namespace fuzz {

// A stream with one message per line.
bool has_lines(const harness::transport::Transport& wire);

// A frame as it is written to a transport.
struct DeliveredFrame {
  std::vector<std::string> writes;  // one at least
  harness::wire::HttpHead http;     // HTTP: what is other than usual
  bool as_agreed = true;            // false: its framing differs from the one both sides agreed on
};
// Leaves out what the transport does not have of the frame's Delivery.
DeliveredFrame deliver(const Frame& frame, const harness::transport::Transport& wire);

// What a Transcript keeps of it: the message, or, if the framing is not the agreed one, the bytes,
// because they are what is judged.
std::string shown_text(const Frame& frame, const DeliveredFrame& delivered,
                       const harness::transport::Transport& wire);

// The position of a sent frame in its script.
struct ScriptPlace {
  std::size_t number = 0;  // of the frame, from 1; 0: it is not a frame
  std::size_t step = 0;    // index into Script::steps
  bool of_script = true;   // not part of the script, such as a canary
  bool answerable = true;  // a reply may come

  bool operator==(const ScriptPlace&) const = default;
};

// What waits to go out in one write. Broken framing stays broken until a new connection is opened.
class WriteQueue {
 public:
  struct Entry {
    std::string shown;      // as a Transcript keeps it
    bool unframed = false;  // not framed as agreed
    std::string bytes;      // as they are written
    ScriptPlace place;
  };

  // A new connection, which outlives everything added.
  void connect(const harness::transport::Transport& wire);
  // False: the frame has to be sent separately, after what waits here. References are filled in.
  bool add(const Frame& frame, ScriptPlace place);
  // Bytes outside the agreed framing.
  void add_raw(const std::string& bytes, ScriptPlace place);
  // A request of ours after everything else; an open line is ended first.
  void add_canary(std::string text);
  // What was sent separately.
  void note_sent_alone(const DeliveredFrame& delivered);

  // Framing was broken beyond repair: silence and a close prove nothing.
  bool torn() const { return torn_; }
  std::vector<Entry> take() { return std::exchange(entries_, {}); }

 private:
  void note_line(const std::string& written);

  const harness::transport::Transport* wire_ = nullptr;
  bool lines_ = false;
  std::vector<Entry> entries_;
  bool open_line_ = false;  // the last write did not end a line
  bool torn_ = false;
};

}  // namespace fuzz
