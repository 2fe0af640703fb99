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
  std::string suite;
  std::chrono::milliseconds timeout{5000};
  void add_to(Command& command);
  void add_all_but_target_to(Command& command);
  // " --profile NAME --timeout …": these again, on a command line that judges alike.
  std::string again(const std::string& profile_judged_by) const;
};

// What contexts have besides targets.
struct PlaySettings {
  Library builtin;
  std::string profile;
  std::chrono::milliseconds timeout{};
  std::uint64_t rate = 0;
};

class CommandContext {
 public:
  // The profile is that of the option, else of the scripts, else of the target description. The
  // Error is a mistake of the user's.
  static Result<CommandContext> set(const ContextOptions& options,
                                    const std::vector<NamedScript>& scripts,
                                    const Invocation& invocation);

  const target::Target& target() const { return target_; }
  const spec::Registry& registry() const { return settings_.builtin.registry; }
  // So many messages a second at most, on average: a script goes as it is. 0: as many as go.
  void set_rate(std::uint64_t per_second) { settings_.rate = per_second; }

  // Plays a story on the target. It returns an ExitCode; so does this, with kUnreachable and a
  // sentence said when the target cannot be met or a story fails, kInterrupted when it was.
  using Story = std::function<session::awaitable<Result<int>>(fuzz::FuzzTarget&, run::Served&)>;
  // Asked at an interrupt: true, and the story ends by itself, soon.
  using WindUp = std::function<bool()>;
  int play(const Story& story, const WindUp& wind_up = nullptr);

 private:
  CommandContext(target::Target target, PlaySettings settings)
      : target_(std::move(target)), settings_(std::move(settings)) {}

  target::Target target_;
  PlaySettings settings_;
};

// Two targets under one profile, for commands that hold them against each other.
class TwinContext {
 public:
  // As CommandContext::set(). Each target is a TARGET in one word; `options.target` is not looked
  // at.
  static Result<TwinContext> set(const std::string& a, const std::string& b,
                                 const ContextOptions& options,
                                 const std::vector<NamedScript>& scripts,
                                 const Invocation& invocation);

  const target::Target& a() const { return a_; }
  const target::Target& b() const { return b_; }
  const spec::Registry& registry() const { return settings_.builtin.registry; }
  const suite::Suite& suite() const { return settings_.builtin.suite; }

  // As CommandContext::play(). With profile auto it is the newest that both speak.
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
