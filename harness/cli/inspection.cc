// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/inspection.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <exception>
#include <utility>

#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/names.h"
#include "harness/contact/served.h"

namespace harness::cli {

Look look_at(target::Target& target, const Library& library, std::string profile,
             std::chrono::milliseconds timeout) {
  const Secrets& secrets = target.secrets;
  if (profile == "auto" && !target.profile.empty()) profile = target.profile;
  if (profile != "auto" && !spec::find_profile(profile))
    return {std::nullopt,
            complain(Error{"--profile", "there is no profile `" + printable(profile) + "`",
                           "`rpcspec list profiles` names them"},
                     kUsage)};
  if (const Status known = check_affordances(target, library); !known)
    return {std::nullopt, complain(known.error(), kUsage)};

  std::signal(SIGPIPE, SIG_IGN);
  boost::asio::io_context io(1);
  run::Served served;
  const auto began = std::chrono::steady_clock::now();
  const Status started = served.start(io, target);
  if (!started)
    return {std::nullopt, complain(secrets.masked(started.error().text()), kUnreachable)};
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - began);
  const int group = served.process() ? served.process()->process_group() : 0;
  std::optional<Result<run::Inspection>> seen;
  std::exception_ptr failure;
  boost::asio::signal_set signals(io, SIGINT, SIGTERM, SIGHUP);
  signals.async_wait([&](const boost::system::error_code& error, int) {
    if (!error) io.stop();
  });
  boost::asio::co_spawn(
      io,
      [&]() -> boost::asio::awaitable<void> {
        seen = co_await run::inspect(io.get_executor(), target, library.suite, library.registry,
                                     profile, timeout, group);
      },
      [&](std::exception_ptr thrown) {
        failure = thrown;
        io.stop();  // a service goes on printing
      });
  io.run();
  if (failure) std::rethrow_exception(failure);
  if (!seen) return {std::nullopt, kInterrupted};
  if (!*seen) return {std::nullopt, complain(secrets.masked(seen->error().text()), kUnreachable)};
  if (served.process()) (*seen)->start += took;
  return {std::move(**seen), kOk};
}

std::string sketch(const run::Missing& missing) {
  std::string out;
  for (const std::string& member : missing.members)
    out += (out.empty() ? "" : ", ") + member + ": …";
  return "{" + (out.empty() ? "…" : out) + "}";
}

}  // namespace harness::cli
