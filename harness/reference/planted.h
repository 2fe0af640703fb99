// SPDX-License-Identifier: Apache-2.0
// The code of planted bugs, in the order a message meets them; see faults/planted.yaml. None of it
// runs in a server without Faults.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/json/value.h"
#include "harness/reference/session.h"

namespace harness::reference {

class Planted {
 public:
  explicit Planted(Session& session)
      : session_(session), faults_(session.server.faults), memory_(session.server.memory.planted) {}

  void take_text(std::string_view bytes);
  // What the text was read as, with names still repeated.
  void take_value(const json::Value& value, std::string_view bytes);
  // A text that is not JSON.
  void take_garbage();
  // True: it is answered.
  bool take_notification();
  // Replaces a call; nothing lets the dialect answer.
  std::optional<Outcome> instead_of(const Call& call);
  // A call in progress.
  void cancelled(const Call& call);
  // The client answered the request with this `number` of this call.
  void answered(const Call& call, int number);
  // It ended, and `others` are still in progress.
  void ended(std::size_t others);
  // Whether its reply is lost. `others` are under way.
  bool loses(const Call& call, std::size_t others);
  // A reply before it is written.
  void reply(json::Value& reply, bool in_batch);
  // Whether this reply takes the id of the previous one. `call` is null if no method was looked up.
  bool mixes(const Call* call);

 private:
  void meet_order(const Call& call);
  bool hangs_by_order(const Call& call) const;
  void meet_strings(const Call& call);
  bool hangs_by_values(const Call& call) const;
  std::optional<Outcome> instead_of_tool(const Call& call);
  std::optional<Outcome> instead_of_other(const Call& call);
  Outcome go_deaf();
  void check_state(const Call& call, const json::Value& name, const json::Value& state);

  Session& session_;
  const Faults& faults_;
  PlantedMemory& memory_;
};

// How the lines of a stream arrive.
class PlantedReads {
 public:
  explicit PlantedReads(const Faults& faults) : faults_(faults) {}

  // One read: `before` is what was read of the line until then.
  void read(std::string_view before, std::string_view block);
  // The next line, without its LF; true: it is lost, and so is all that follows.
  bool take_line(std::string& line);

 private:
  const Faults& faults_;
  int reads_ = 0;              // that the current line took
  bool return_first_ = false;  // its CR came one read before its LF
  bool page_first_ = false;    // its first read was a page, or half of one
  std::size_t torn_ = 0;       // where two reads share a character of it; 0: nowhere
};

// A header of an HTTP request; it does not always return.
void meet_header(const Faults& faults, std::string_view name, std::string_view value);

}  // namespace harness::reference
