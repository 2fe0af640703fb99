// SPDX-License-Identifier: Apache-2.0
// What was asked in a script and what came of it, as checks need it. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/executor/script_executor.h"
#include "harness/json/value.h"
#include "harness/spec/profile.h"

namespace fuzz {

// The request in a frame, if every reader reads it as one: an object without repeated names, with a
// usable id and a method, and without references to replies, in any spelling.
std::optional<harness::json::Value> request_in(const Frame& frame);

// Delivered in the usual way, or in pieces.
bool usually_sent(const Frame& frame);

// Which reply answers which step, according to the Attribution of the trace.
class Answered {
 public:
  struct Replies {
    std::vector<const harness::json::Value*> messages;  // from arrays, too; the Execution owns them
    // Something came that may belong to this step or another, or has an unexplained id.
    bool in_doubt = false;
  };

  Answered(const Execution& execution, const harness::spec::Profile& profile);

  // `step`: index into Script::steps. The replies to the canary and the handshake belong to no
  // step.
  const Replies& to(std::size_t step) const;
  // A result came that may belong to any step, or to one of several.
  bool served_in_doubt() const { return served_in_doubt_; }
  // The server notified that a list changed.
  bool told_of_changes() const { return told_of_changes_; }

 private:
  std::map<std::size_t, Replies> replies_;  // by step
  bool served_in_doubt_ = false;
  bool told_of_changes_ = false;
};

// "result", "result that failed" (isError), "error -32602"; for all replies together also
// "nothing", "several replies", "what may be another's".
std::string class_of(const harness::json::Value& reply);
std::string class_of(const Answered::Replies& replies);

// Without the frames that had an effect: the rest was rejected, or is unreadable text.
Script refused_part(const Script& script, const Execution& execution,
                    const harness::spec::Profile& profile);
// True when only errors came in reply to the script, and no notification of changes. Everything
// that may be read as a call must have got one, because it may be in progress.
bool all_refused(const Script& script, const Execution& execution,
                 const harness::spec::Profile& profile);

}  // namespace fuzz
