// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/command_context.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "harness/base/text.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/option_values.h"

namespace harness::cli {

void ContextOptions::add_to(Command& command) {
  target.add_to(command);
  add_all_but_target_to(command);
}

void ContextOptions::add_all_but_target_to(Command& command) {
  command.add({
      {"--profile", &profile},
      timeout_option(timeout),
  });
}

std::string ContextOptions::again(const std::string& profile_judged_by) const {
  return " --profile " + profile_judged_by + cli::again(timeout, ContextOptions().timeout);
}

namespace {

// What the option, or else the scripts, say of the profile; "auto" when nothing.
Result<std::string> profile_asked_for(const ContextOptions& options,
                                      const std::vector<NamedScript>& scripts) {
  if (!options.profile) {
    Result<std::string> named = profile_named_in(scripts);
    if (named && named->empty()) return std::string("auto");
    return named;
  }
  if (*options.profile != "auto" && !spec::find_profile(*options.profile))
    return Error{"--profile", "there is no profile `" + printable(*options.profile) + "`",
                 "`rpcspec list profiles` names them"};
  return *options.profile;
}

// `described`: what target descriptions say of the profile, where `profile` is auto; the first that
// says any counts.
Result<PlaySettings> settings_of(const ContextOptions& options, const std::string& profile,
                                 const std::vector<std::string>& described) {
  PlaySettings settings;
  settings.profile = profile;
  for (const std::string& name : described)
    if (settings.profile == "auto" && !name.empty()) settings.profile = name;
  Result<Library> library = load_library("", {});
  if (!library) return library.error();
  settings.builtin = std::move(*library);
  settings.timeout = options.timeout;
  return settings;
}

// Runs a story to its end or to a signal, and says why it could not go on.
int conduct(boost::asio::io_context& io,
            const std::function<session::awaitable<Result<int>>()>& story,
            const std::function<std::string(const std::string&)>& masked,
            const CommandContext::WindUp& wind_up = nullptr) {
  std::optional<Result<int>> told;
  const auto whole = [&]() -> session::awaitable<void> { told = co_await story(); };
  boost::asio::signal_set signals(io, SIGINT, SIGTERM, SIGHUP);
  std::function<void()> listen = [&] {
    signals.async_wait([&](const boost::system::error_code& error, int) {
      if (error) return;
      if (wind_up && wind_up())
        listen();
      else
        io.stop();
    });
  };
  listen();
  std::exception_ptr failure;
  boost::asio::co_spawn(io, whole, [&](std::exception_ptr thrown) {
    failure = thrown;
    io.stop();  // a service goes on printing
  });
  io.run();
  if (failure) std::rethrow_exception(failure);
  if (!told) {
    // The story stands in the middle of what its caller owns and goes first; guardians end the
    // processes.
    std::fflush(stdout);
    std::_Exit(kInterrupted);
  }
  if (!*told) return complain(masked(told->error().text()), kUnreachable);
  return **told;
}

Error on_side(const char* side, Error error) {
  error.where = error.where.empty() ? side : side + (": " + error.where);
  return error;
}

}  // namespace

Result<CommandContext> CommandContext::set(const ContextOptions& options,
                                           const std::vector<NamedScript>& scripts,
                                           const Invocation& invocation) {
  const Result<std::string> profile = profile_asked_for(options, scripts);
  if (!profile) return profile.error();
  Result<target::Target> target = options.target.resolve(invocation, *profile);
  if (!target) return target.error();
  Result<PlaySettings> settings = settings_of(options, *profile, {target->profile});
  if (!settings) return settings.error();
  return CommandContext(std::move(*target), std::move(*settings));
}

int CommandContext::play(const Story& story, const WindUp& wind_up) {
  std::signal(SIGPIPE, SIG_IGN);
  boost::asio::io_context io(1);
  const auto masked = [&](const std::string& text) { return target_.secrets.masked(text); };
  run::Served served;
  const Status started = served.start(io, target_);
  if (!started) return complain(masked(started.error().text()), kUnreachable);
  std::shared_ptr<session::Rate> rate;
  if (settings_.rate > 0)
    rate = std::make_shared<session::Rate>(static_cast<double>(settings_.rate));
  fuzz::FuzzTarget fuzz_target(io.get_executor(), target_, settings_.builtin.suite,
                               served.service(io.get_executor()), settings_.timeout, {},
                               std::move(rate));
  const auto whole = [&]() -> session::awaitable<Result<int>> {
    const Status met = co_await fuzz_target.meet(settings_.profile);
    if (!met) co_return met.error();
    Result<int> told = co_await story(fuzz_target, served);
    co_return told;
  };
  return conduct(io, whole, masked, wind_up);
}

Result<TwinContext> TwinContext::set(const std::string& a, const std::string& b,
                                     const ContextOptions& options,
                                     const std::vector<NamedScript>& scripts,
                                     const Invocation& invocation) {
  Result<target::Target> target_a = target_in_word("--a", a, invocation);
  if (!target_a) return target_a.error();
  Result<target::Target> target_b = target_in_word("--b", b, invocation);
  if (!target_b) return target_b.error();
  const auto says = [](const target::Target& one) {
    return one.profile == "auto" ? std::string() : one.profile;
  };
  const std::string in_a = says(*target_a), in_b = says(*target_b);
  const Result<std::string> profile = profile_asked_for(options, scripts);
  if (!profile) return profile.error();
  if (*profile == "auto" && !in_a.empty() && !in_b.empty() && in_a != in_b)
    return Error{"--profile", "A is described as " + in_a + " and B as " + in_b,
                 "name the one to judge both by"};
  Result<PlaySettings> settings = settings_of(options, *profile, {in_a, in_b});
  if (!settings) return settings.error();
  return TwinContext(std::move(*target_a), std::move(*target_b), std::move(*settings));
}

int TwinContext::play(const Story& story) {
  std::signal(SIGPIPE, SIG_IGN);
  boost::asio::io_context io(1);
  const auto masked = [&](const std::string& text) {
    return b_.secrets.masked(a_.secrets.masked(text));
  };
  run::Served served_a, served_b;
  const Status a_started = served_a.start(io, a_);
  if (!a_started) return complain(masked(on_side("--a", a_started.error()).text()), kUnreachable);
  const Status b_started = served_b.start(io, b_);
  if (!b_started) return complain(masked(on_side("--b", b_started.error()).text()), kUnreachable);
  const auto target_of = [&](const target::Target& target, run::Served& served) {
    return std::make_unique<fuzz::FuzzTarget>(io.get_executor(), target, settings_.builtin.suite,
                                              served.service(io.get_executor()), settings_.timeout);
  };
  std::unique_ptr<fuzz::FuzzTarget> a = target_of(a_, served_a), b = target_of(b_, served_b);
  const auto whole = [&]() -> session::awaitable<Result<int>> {
    const Status met_a = co_await a->meet(settings_.profile);
    if (!met_a) co_return on_side("--a", met_a.error());
    const Status met_b = co_await b->meet(settings_.profile);
    if (!met_b) co_return on_side("--b", met_b.error());
    const spec::Profile &liked_by_a = a->profile(), &liked_by_b = b->profile();
    if (liked_by_a.name != liked_by_b.name) {
      // Both like their newest best; the older of those may be known to both.
      const bool a_is_newer = liked_by_a.revision > liked_by_b.revision;
      const std::string older = a_is_newer ? liked_by_b.name : liked_by_a.name;
      const Error apart{
          "",
          "they have no profile in common: A speaks " + liked_by_a.name + ", B " + liked_by_b.name,
          "name one that both speak, with --profile"};
      if (!liked_by_a.mcp || !liked_by_b.mcp) co_return apart;
      std::unique_ptr<fuzz::FuzzTarget>& newer = a_is_newer ? a : b;
      newer = target_of(a_is_newer ? a_ : b_, a_is_newer ? served_a : served_b);
      const Status met_older = co_await newer->meet(older);
      if (!met_older) co_return apart;
    }
    Result<int> told = co_await story(*a, *b);
    co_return told;
  };
  return conduct(io, whole, masked);
}

}  // namespace harness::cli
