// SPDX-License-Identifier: Apache-2.0
// CommandContext: a Target made ready for commands that play scripts, and what goes around every
// one of them: options, signals, a service started and ended, what to say when it cannot be
// reached.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/executor/fuzz_target.h"
#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/cli/scripts.h"
#include "harness/contact/served.h"
#include "harness/session/session.h"

namespace harness::cli {

struct ContextOptions {
  TargetOptions target;
  std::optional<std::string> profile;
  std::chrono::milliseconds timeout{5000};
  void add_to(Command& command);
  void add_all_but_target_to(Command& command);
  // " --profile NAME --timeout …": these options again, for a command line that judges alike.
  std::string again(const std::string& profile_judged_by) const;
};

// The settings of a context besides its targets.
struct PlaySettings {
  Library builtin;
  std::string profile;
  std::chrono::milliseconds timeout{};
  std::uint64_t rate = 0;
};

class CommandContext {
 public:
  // The profile is that of the option, otherwise of the scripts, otherwise of the target
  // description. The Error is a mistake of the user.
  static Result<CommandContext> set(const ContextOptions& options,
                                    const std::vector<NamedScript>& scripts,
                                    const Invocation& invocation);

  const target::Target& target() const { return target_; }
  const spec::Registry& registry() const { return settings_.builtin.registry; }
  // The maximum average of messages per second; a script is sent as a unit. 0: no limit.
  void set_rate(std::uint64_t per_second) { settings_.rate = per_second; }

  // Runs a story on the target. The story returns an ExitCode, and so does this function:
  // kUnreachable, with a sentence on stderr, when the target cannot be reached or the story fails;
  // kInterrupted after an interrupt.
  using Story = std::function<session::awaitable<Result<int>>(fuzz::FuzzTarget&, run::Served&)>;
  // Called at an interrupt. If it returns true, the story ends soon by itself.
  using WindUp = std::function<bool()>;
  int play(const Story& story, const WindUp& wind_up = nullptr);

 private:
  CommandContext(target::Target target, PlaySettings settings)
      : target_(std::move(target)), settings_(std::move(settings)) {}

  target::Target target_;
  PlaySettings settings_;
};

// Two targets under one profile, for commands that compare them.
class TwinContext {
 public:
  // As CommandContext::set(). Each target is a TARGET as one word; `options.target` is ignored.
  static Result<TwinContext> set(const std::string& a, const std::string& b,
                                 const ContextOptions& options,
                                 const std::vector<NamedScript>& scripts,
                                 const Invocation& invocation);

  const target::Target& a() const { return a_; }
  const target::Target& b() const { return b_; }
  const spec::Registry& registry() const { return settings_.builtin.registry; }
  const suite::Suite& suite() const { return settings_.builtin.suite; }

  // As CommandContext::play(). With profile auto it is the newest profile that both speak.
  using Story =
      std::function<session::awaitable<Result<int>>(fuzz::FuzzTarget& a, fuzz::FuzzTarget& b)>;
  int play(const Story& story);

 private:
  TwinContext(target::Target a, target::Target b, PlaySettings settings)
      : a_(std::move(a)), b_(std::move(b)), settings_(std::move(settings)) {}

  target::Target a_, b_;
  PlaySettings settings_;
};

}  // namespace harness::cli
