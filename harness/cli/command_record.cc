// SPDX-License-Identifier: Apache-2.0
// rpcspec record: stands between a client and a server, passes every byte on as it came, and keeps
// what they say.
//
//   client ⇄ stdin, stdout ⇄ rpcspec record ⇄ pipes ⇄ server
//   client ⇄ 127.0.0.1:PORT ⇄ rpcspec record ⇄ http(s)://HOST:PORT, ws(s):// (http_relay.h)
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "harness/base/os.h"
#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/http_relay.h"
#include "harness/cli/names.h"
#include "harness/cli/recording.h"
#include "harness/transport/launch.h"
#include "reports/output.h"

namespace harness::cli {
namespace {

constexpr std::size_t kMostHeld = 1u << 20;  // bytes that one side is ahead of the other
constexpr std::size_t kMostLine = 16u << 20;
constexpr int kGraceMs = 5000;  // for a server whose client has gone

struct RecordOptions {
  TargetOptions target;
  std::string output = "recording.jsonl", profile = "auto", draft, seeds, listen = "127.0.0.1:0";
};

// One way through the proxy: what was read waits here until it is written, and is cut into lines.
class Way {
 public:
  Way(int from, int to, wire::Direction direction, wire::Channel channel, Recording& recording)
      : from_(from), to_(to), direction_(direction), channel_(channel), recording_(recording) {
    for (const int fd : {from, to}) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  }

  bool wants_read() const { return open_ && held_.size() < kMostHeld; }
  bool wants_write() const { return !held_.empty() && !broken_; }
  bool done() const { return !open_ && (held_.empty() || broken_); }
  int from() const { return from_; }
  int to() const { return to_; }

  void read_some() {
    std::array<char, 65536> buffer{};
    const ssize_t count = read(from_, buffer.data(), buffer.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) {
      open_ = false;
      if (!line_.empty()) note();
      return;
    }
    const std::string_view text(buffer.data(), static_cast<std::size_t>(count));
    for (const char c : text) {
      if (c == '\n')
        note();
      else if (line_.size() < kMostLine)
        line_ += c;
    }
    if (!broken_) held_ += text;
  }

  void write_some() {
    const ssize_t count = write(to_, held_.data(), held_.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count < 0)
      broken_ = true;  // nobody reads any more
    else
      held_.erase(0, static_cast<std::size_t>(count));
  }

 private:
  void note() { recording_.add(direction_, channel_, std::exchange(line_, {})); }

  int from_, to_;
  wire::Direction direction_;
  wire::Channel channel_;
  Recording& recording_;
  std::string held_, line_;
  bool open_ = true, broken_ = false;
};

// Passes signals to end on to the server; the destructor gives them their usual meaning back.
class Signals {
 public:
  Signals() {
    sigemptyset(&mask_);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&mask_, number);
    sigprocmask(SIG_BLOCK, &mask_, nullptr);
    fd_ = os::watch_signals(mask_);
  }
  ~Signals() {
    close(fd_);
    sigprocmask(SIG_UNBLOCK, &mask_, nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  int fd() const { return fd_; }
  int take() const { return os::take_signal(fd_); }

 private:
  sigset_t mask_{};
  int fd_ = -1;
};

// Until the server has ended. Returns how: the exit code, or 128 and its signal.
int relay_stdio(transport::Launched& server, Recording& recording) {
  const Signals signals;
  Way in(STDIN_FILENO, server.in.get(), wire::Direction::kSent, wire::Channel::kStdin, recording);
  Way out(server.out.get(), STDOUT_FILENO, wire::Direction::kReceived, wire::Channel::kStdout,
          recording);
  Way err(server.err.get(), STDERR_FILENO, wire::Direction::kReceived, wire::Channel::kStderr,
          recording);
  bool input = true, ended = false;
  for (;;) {
    if (input && in.done()) {  // the client closed its end, and so do we
      input = false;
      transport::Fd closed(server.in.release());
      recording.add(wire::Direction::kSent, wire::Channel::kClose, "stdin");
    }
    if (ended && out.done() && err.done()) break;
    std::array<pollfd, 8> waits{};
    waits[0] = {input && in.wants_read() ? in.from() : -1, POLLIN, 0};
    waits[1] = {input && in.wants_write() ? in.to() : -1, POLLOUT, 0};
    waits[2] = {out.wants_read() ? out.from() : -1, POLLIN, 0};
    waits[3] = {out.wants_write() ? out.to() : -1, POLLOUT, 0};
    waits[4] = {err.wants_read() ? err.from() : -1, POLLIN, 0};
    waits[5] = {err.wants_write() ? err.to() : -1, POLLOUT, 0};
    waits[6] = {ended ? -1 : server.ending.get(), POLLIN, 0};
    waits[7] = {signals.fd(), POLLIN, 0};
    // What the server left behind may hold its pipes open: it is not waited for.
    const int ready = poll(waits.data(), waits.size(), ended ? 200 : -1);
    if (ready == 0) break;
    if (waits[0].revents != 0) in.read_some();
    if (waits[1].revents != 0) in.write_some();
    if (waits[2].revents != 0) out.read_some();
    if (waits[3].revents != 0) out.write_some();
    if (waits[4].revents != 0) err.read_some();
    if (waits[5].revents != 0) err.write_some();
    if (waits[6].revents != 0) ended = true;
    if (waits[7].revents != 0)
      if (const int number = signals.take(); number != 0) kill(-server.pid, number);
  }
  kill(-server.pid, SIGKILL);
  int status = 0;
  while (waitpid(server.pid, &status, 0) < 0 && errno == EINTR) {
  }
  const bool signalled = WIFSIGNALED(status);
  const int number = signalled ? WTERMSIG(status) : WEXITSTATUS(status);
  recording.add(wire::Direction::kReceived, wire::Channel::kExit,
                fmt::format("{} {}", signalled ? "signal" : "exit", number));
  return signalled ? 128 + number : number;
}

Status write_beside(const RecordOptions& given, const Recording& recording) {
  if (!given.draft.empty())
    if (const std::string text = recording.draft_case(); !text.empty())
      if (const Status written = reports::write_file(given.draft, text); !written) return written;
  if (given.seeds.empty()) return Nothing{};
  const std::string text = recording.script();
  if (text.empty()) return Nothing{};
  std::error_code failed;
  std::filesystem::create_directories(given.seeds, failed);
  const std::string name = std::filesystem::path(given.output).stem().string() + ".script";
  return reports::write_file((std::filesystem::path(given.seeds) / name).string(), text);
}

int finish(const RecordOptions& given, Recording& recording, int code) {
  if (const Status written = recording.finish(); !written) return complain(written.error(), kUsage);
  if (const Status written = write_beside(given, recording); !written)
    return complain(written.error(), kUsage);
  std::fprintf(stderr, "rpcspec: %zu frames in %s, %s; judge them again: rpcspec judge %s\n",
               recording.transcript().frames.size(), printable(given.output).c_str(),
               recording.breaches() == 0
                   ? "no MUST is broken"
                   : fmt::format("{} breaches of a MUST", recording.breaches()).c_str(),
               shell_quoted(given.output).c_str());
  return code;
}

int record_command(const RecordOptions& given, const Invocation& invocation) {
  Result<target::Target> target = given.target.resolve(invocation);
  if (!target) return complain(target.error(), kUsage);
  for (const std::string& file : {given.output, given.draft})
    if (!file.empty())
      if (const Status fit = reports::can_be_written(file); !fit)
        return complain(fit.error(), kUsage);
  const Result<Library> library = load_library("", {});
  if (!library) return complain(library.error(), kUsage);
  std::string profile = given.profile;
  if (profile == "auto" && !target->profile.empty()) profile = target->profile;
  Recording recording({given.output, profile, target->name, target->transport()}, *library,
                      target->secrets);
  signal(SIGPIPE, SIG_IGN);
  if (target->stdio()) {
    Result<transport::Launched> server =
        transport::launch({target->command, target->cwd, target->env, true});
    if (!server) return complain(target->secrets.masked(server.error().text()), kUnreachable);
    const int code = relay_stdio(*server, recording);
    return finish(given, recording, code);
  }
  const std::string scheme = target->scheme();
  const bool relays = scheme == "http" || scheme == "https" || scheme == "ws" || scheme == "wss";
  if (!relays || !target->command.empty())
    return complain(Error{"record", "`record` supports stdio, http(s) and WebSocket",
                          "name a command after --, or the address of a running server"},
                    kUsage);
  const Status relayed = relay_http({target->url, target->tls, given.listen}, recording);
  if (!relayed) return complain(target->secrets.masked(relayed.error().text()), kUnreachable);
  return finish(given, recording, kOk);
}

}  // namespace

Command command_record(const Invocation& invocation) {
  auto options = std::make_shared<RecordOptions>();
  Command command{"record", "Record and judge the traffic between a client and a server"};
  options->target.add_to(command);
  command.add({
      {"--output,-o", &options->output},
      {"--draft", &options->draft},
      {"--seeds", &options->seeds},
      {"--listen", &options->listen},
      {"--profile", &options->profile},
  });
  command.action = [options, &invocation] { return record_command(*options, invocation); };
  return command;
}

}  // namespace harness::cli
