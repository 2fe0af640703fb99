// SPDX-License-Identifier: Apache-2.0
// Venue: a Target made ready for commands that play scripts, and what goes around every one of
// them: options, signals, a service started and ended, what to say when it cannot be reached.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "fuzz/drive/rig.h"
#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/run/served.h"
#include "harness/session/session.h"

namespace harness::cli {

struct VenueOptions {
  TargetOptions target;
  std::string profile = "auto", suite;
  double timeout = 5;  // seconds
  void add_to(CLI::App& command);
};

struct NamedScript {
  std::string name;  // of its file
  fuzz::Script script;
};

// Files, and folders of files, in the order of their names.
Result<std::vector<NamedScript>> read_scripts(const std::vector<std::string>& given);

class Venue {
 public:
  // The Error is a mistake of the user's.
  static Result<Venue> set(const VenueOptions& options, const Invocation& invocation);

  const target::Target& target() const { return target_; }
  const spec::Registry& registry() const { return library_.registry; }

  // Plays a story on the target. It returns an ExitCode; so does this, with kUnreachable and a
  // sentence said when the target cannot be met or a story fails, kInterrupted when it was.
  using Story = std::function<session::awaitable<Result<int>>(fuzz::Rig&, run::Served&)>;
  int play(const Story& story);

 private:
  Venue(target::Target target, Library library)
      : target_(std::move(target)), library_(std::move(library)) {}

  target::Target target_;
  Library library_;
  std::string profile_;
  std::chrono::milliseconds timeout_{};
};

}  // namespace harness::cli
