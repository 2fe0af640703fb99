// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/venue.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "harness/base/text.h"
#include "harness/cli/exit_code.h"

namespace harness::cli {

namespace fs = std::filesystem;

void VenueOptions::add_to(CLI::App& command) {
  target.add_to(command);
  command.add_option("--profile", profile, "Judge as this; auto negotiates")
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--timeout", timeout, "No reply is waited for longer")
      ->type_name("SECONDS")
      ->capture_default_str();
  command.add_option("--suite", suite, "A cases/ tree to use in place of the built-in suite")
      ->type_name("DIR");
}

Result<std::vector<NamedScript>> read_scripts(const std::vector<std::string>& given) {
  std::vector<fs::path> files;
  for (const std::string& one : given) {
    std::error_code failed;
    if (!fs::is_directory(one, failed)) {
      files.emplace_back(one);
      continue;
    }
    std::vector<fs::path> inside;
    for (const auto& entry : fs::directory_iterator(one, failed))
      if (entry.is_regular_file()) inside.push_back(entry.path());
    std::sort(inside.begin(), inside.end());
    files.insert(files.end(), inside.begin(), inside.end());
  }
  std::vector<NamedScript> out;
  for (const fs::path& path : files) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file)
      return Error{path.string(), "the script cannot be read", "name a file, or a folder of files"};
    out.push_back({path.string(), fuzz::read_script(text.str())});
  }
  return out;
}

Result<Venue> Venue::set(const VenueOptions& options, const Invocation& invocation) {
  Result<target::Target> target = options.target.resolve(invocation);
  if (!target) return target.error();
  std::string profile = options.profile;
  if (profile == "auto" && !target->profile.empty()) profile = target->profile;
  if (profile != "auto" && !spec::find_profile(profile))
    return Error{"--profile", "there is no profile `" + printable(profile) + "`",
                 "`rpcspec list profiles` names them"};
  if (options.timeout <= 0) return Error{"--timeout", "it is a number of seconds above 0", ""};
  Result<Library> library = load_library(options.suite, {});
  if (!library) return library.error();
  Venue venue(std::move(*target), std::move(*library));
  venue.profile_ = std::move(profile);
  venue.timeout_ = std::chrono::milliseconds(static_cast<long>(options.timeout * 1000));
  return venue;
}

int Venue::play(const Story& story) {
  std::signal(SIGPIPE, SIG_IGN);
  boost::asio::io_context io(1);
  run::Served served;
  const Secrets& secrets = target_.secrets;
  const Status started = served.start(io, target_);
  if (!started) return complain(secrets.masked(started.error().text()), kUnreachable);
  fuzz::Rig rig(io.get_executor(), target_, library_.suite, served.service(io), timeout_);
  std::optional<Result<int>> told;
  const auto whole = [&]() -> session::awaitable<void> {
    const Status met = co_await rig.meet(profile_);
    if (!met) {
      told = met.error();
      co_return;
    }
    told = co_await story(rig, served);
  };
  boost::asio::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&](const boost::system::error_code& error, int) {
    if (!error) io.stop();
  });
  std::exception_ptr failure;
  boost::asio::co_spawn(io, whole, [&](std::exception_ptr thrown) {
    failure = thrown;
    io.stop();  // a service goes on printing
  });
  io.run();
  if (failure) std::rethrow_exception(failure);
  if (!told) return kInterrupted;
  if (!*told) return complain(secrets.masked(told->error().text()), kUnreachable);
  return **told;
}

}  // namespace harness::cli
