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

// The request that a frame is, when everybody reads it as that: an object without repeated names,
// with a usable id and a method, and without references to replies,
// however it is written.
std::optional<harness::json::Value> request_in(const Frame& frame);

// Delivered as every frame is, or in pieces.
bool usually_sent(const Frame& frame);

// Whose reply is whose among all that came, as the Attribution of the trace has it.
class Answered {
 public:
  struct Replies {
    std::vector<const harness::json::Value*> messages;  // from arrays too; the Execution owns them
    // Something came that may be this step's and may be another's, or is under an id that nothing
    // explains.
    bool in_doubt = false;
  };

  Answered(const Execution& execution, const harness::spec::Profile& profile);

  // `step`: index into Script::steps. What answers the canary or the handshake is no step's.
  const Replies& to(std::size_t step) const;
  // A result came that may be that of any step, or of one of several.
  bool served_in_doubt() const { return served_in_doubt_; }
  // The server said that a list changed.
  bool told_of_changes() const { return told_of_changes_; }

 private:
  std::map<std::size_t, Replies> replies_;  // by step
  bool served_in_doubt_ = false;
  bool told_of_changes_ = false;
};

// "result", "result that failed" (isError), "error -32602"; of all that came "nothing", "several
// replies", "what may be another's" as well.
std::string class_of(const harness::json::Value& reply);
std::string class_of(const Answered::Replies& replies);

// Without the frames that did something: what is left was refused, or is text nobody can read.
Script refused_part(const Script& script, const Execution& execution,
                    const harness::spec::Profile& profile);
// True when nothing came but errors to what the script asked, and no word of changes. What may be
// read as a call has to have had one, or it may be under way.
bool all_refused(const Script& script, const Execution& execution,
                 const harness::spec::Profile& profile);

}  // namespace fuzz
