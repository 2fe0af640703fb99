// SPDX-License-Identifier: Apache-2.0
// The code of planted bugs, in the order a message meets them; see faults/planted.yaml. None of it runs
// in a server without Faults.
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
  // What the text came to, with names still repeated.
  void take_value(const json::Value& value, std::string_view bytes);
  // A text that is no JSON.
  void take_garbage();
  // True: it is answered.
  bool take_notification();
  // What happens instead of a call; nothing lets the dialect answer.
  std::optional<Outcome> instead_of(const Call& call);
  // A call that was under way.
  void cancelled(const Call& call);
  // The client answered what was asked of it for this call, in the `number`-th question.
  void answered(const Call& call, int number);
  // It was under way, and `others` still are.
  void ended(std::size_t others);
  // Whether its reply is lost. `others` are under way.
  bool loses(const Call& call, std::size_t others);
  // A reply before it is written.
  void reply(json::Value& reply, bool in_batch);
  // Whether this reply takes the id of the one before. `call` is null when no method was looked up.
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

// How the lines of a stream come in.
class PlantedReads {
 public:
  explicit PlantedReads(const Faults& faults) : faults_(faults) {}

  // One read: `before` is what had come of a line until then.
  void read(std::string_view before, std::string_view block);
  // The next line, without its LF; true: it is lost, and all that
  // comes after it.
  bool take_line(std::string& line);

 private:
  const Faults& faults_;
  int reads_ = 0;              // that the line at hand took
  bool return_first_ = false;  // its CR came a read before its LF
  bool page_first_ = false;    // the first read of it was a page, or half of one
  std::size_t torn_ = 0;       // where in it two reads have a part of a character each; 0: nowhere
};

// A header of an HTTP request; does not always return.
void meet_header(const Faults& faults, std::string_view name, std::string_view value);

}  // namespace harness::reference
