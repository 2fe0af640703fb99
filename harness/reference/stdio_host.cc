// SPDX-License-Identifier: Apache-2.0
// A poll loop: read a block, feed its messages, write what came out, wait for the next input or
// timer.
#include <errno.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "harness/reference/header_block.h"
#include "harness/reference/hosts.h"
#include "harness/reference/inject_stdio.h"
#include "harness/reference/planted.h"

namespace harness::reference {
namespace {

constexpr std::size_t kBlock = 256 * 1024;
constexpr std::size_t kWrittenAtOnce = 16 * 1024;  // what a Fault writes at once
constexpr std::size_t kLongestLine = 64u << 20;
constexpr std::size_t kLongestHeader = 8192;
constexpr Micros kGrace = kSecond / 2;  // for calls still running at the end of input

Micros clock_now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<Micros>(t.tv_sec) * kSecond + t.tv_nsec / 1000;
}

class StdioHost {
 public:
  StdioHost(Server& server, int in, int out, Framing framing)
      : session_(server), injector_(server), reads_(server.faults), in_(in), out_(out),
        framing_(framing), faulty_(server.faults.any()) {}

  int run() {
    output_ += injector_.greeting();
    if (framing_ == Framing::kContentLength && session_.server.faults.has("content-length-banner"))
      output_ += "Reference server 1.0 is ready\n";
    if (!flush()) return 0;
    while (true) {
      if (!input_waits(wait_ms())) {
        session_.advance(clock_now());
        collect();
        if (!flush()) return 0;
        if (session_.exit_status) return *session_.exit_status;
        continue;
      }
      if (!read_block()) break;
      if (session_.next_due()) session_.advance(clock_now());
      if (framing_ == Framing::kLine) {
        feed_lines();
      } else {
        feed_framed();
      }
      collect();
      // More input is waiting: its replies can leave together with these.
      if (output_.size() < kBlock && !session_.exit_status && input_waits(0)) continue;
      if (!flush()) return 0;
      if (session_.exit_status) return *session_.exit_status;
    }
    if (!session_.exit_status) finish();
    return session_.exit_status.value_or(0);
  }

 private:
  int wait_ms() const {
    const auto due = session_.next_due();
    if (!due) return -1;
    const Micros left = *due - clock_now();
    return left <= 0 ? 0 : static_cast<int>(std::min<Micros>(left / 1000 + 1, 60000));
  }

  bool input_waits(int timeout_ms) const {
    pollfd ready = {in_, POLLIN, 0};
    const int n = poll(&ready, 1, timeout_ms);
    return n > 0 || (n < 0 && errno != EINTR);
  }

  bool read_block() {
    const std::size_t old = input_.size();
    ssize_t n;
    do {
      n = read(in_, block_.data(), block_.size());
    } while (n < 0 && errno == EINTR);
    if (n > 0) input_.append(block_.data(), static_cast<std::size_t>(n));
    anything_read_ = anything_read_ || n > 0;
    if (faulty_)
      reads_.read(std::string_view(input_).substr(0, old), std::string_view(input_).substr(old));
    return n > 0;
  }

  void feed_lines() {
    const Micros now = clock_now();
    if (faulty_ && session_.server.faults.has("each-read-is-a-message")) {
      feed(input_, now);
      return input_.clear();
    }
    std::size_t begin = 0;
    while (!session_.exit_status) {
      const std::size_t from = std::max(begin, searched_);
      const void* end = from < input_.size()
                            ? std::memchr(input_.data() + from, '\n', input_.size() - from)
                            : nullptr;
      if (end == nullptr) break;
      const auto stop = static_cast<std::size_t>(static_cast<const char*>(end) - input_.data());
      if (!skipping_) feed(std::string_view(input_).substr(begin, stop - begin), now);
      skipping_ = false;
      begin = stop + 1;
      searched_ = 0;
    }
    input_.erase(0, begin);
    searched_ = input_.size();
    if (input_.size() > kLongestLine) {
      if (!skipping_) feed("(too long)", now);
      skipping_ = true;
      input_.clear();
      searched_ = 0;
    }
  }

  // Nothing can be understood behind a header that cannot be: the server says so and ends.
  void feed_framed() {
    const Micros now = clock_now();
    std::size_t begin = 0;
    int served = 0;
    while (!session_.exit_status) {
      const std::string_view rest = std::string_view(input_).substr(begin);
      const std::size_t end = rest.find("\r\n\r\n");
      if (end == std::string_view::npos && rest.size() <= kLongestHeader) break;
      const HeaderBlock header =
          read_header_block(rest.substr(0, std::min(end, rest.size())), session_.server.faults);
      if (header.kills) session_.exit_status = 1;
      if (end == std::string_view::npos || !header.length || header.kills) {
        std::fputs("a message without a usable Content-Length header\n", stderr);
        if (session_.server.faults.has("content-length-nonsense-crashes")) std::abort();
        session_.exit_status = 1;
        break;
      }
      const std::string_view from = rest.substr(end + 4);
      const std::optional<std::size_t> size =
          injector_.content_size(from, *header.length, session_);
      if (!size || session_.exit_status) break;
      // Text in another encoding is nothing that can be read as JSON.
      feed(header.other_charset ? "(charset)" : from.substr(0, *size), now);
      begin += end + 4 + *size;
      if (++served == 2 && session_.server.faults.has("content-length-two-per-read")) break;
    }
    if (faulty_ && (session_.server.faults.has("content-length-one-read") ||
                    session_.server.faults.has("content-length-two-per-read")))
      begin = input_.size();
    input_.erase(0, begin);
  }

  void feed(std::string_view line, Micros now) {
    if (!faulty_) {
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
      return session_.receive(line, 0, now);
    }
    std::string text(line);
    if (reads_.take_line(text)) session_.server.memory.deaf = true;
    const std::size_t most = injector_.longest_line();
    while (text.size() > most) {
      session_.receive(text.substr(0, most), 0, now);
      text.erase(0, most);
    }
    if (!injector_.line_in(session_, text)) return;
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) return;
    while (session_.server.faults.has("requests-served-one-by-one") && session_.busy()) {
      usleep(1000);
      session_.advance(clock_now());
    }
    session_.receive(text, 0, now);
  }

  void collect() {
    if (!session_.has_output()) return;
    for (Outgoing& one : session_.take_outbox()) {
      if (one.bytes.empty()) continue;
      if (!faulty_) {
        append(one.bytes);
      } else if (framing_ == Framing::kContentLength) {
        std::string text;
        injector_.append_line(text, one.bytes);
        if (text.ends_with('\n')) text.pop_back();
        append(text);
      } else {
        injector_.append_line(output_, one.bytes);
        // The process ends with this line, so its end never comes.
        if (injector_.ends_after_reply()) session_.exit_status = 0;
      }
    }
  }

  void append(std::string_view message) {
    if (framing_ == Framing::kContentLength) output_ += injector_.header_of(message);
    output_ += message;
    if (framing_ == Framing::kLine) output_ += '\n';
  }

  // False when nobody reads any more.
  bool flush() {
    if (session_.exit_status && session_.server.faults.has("lsp-last-message-cut"))
      output_ += "Content-Length: 90\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"window/logMess";
    if (faulty_ && session_.server.faults.has("reply-held-until-next-message")) {
      // An empty result (a ping's) waits; with more held back no handshake would get through.
      if (output_.find("\"result\":{}") != std::string::npos || !held_.empty())
        std::swap(output_, held_);
      if (output_.empty()) return true;
    }
    if (faulty_ && !output_.empty() && session_.server.faults.has("tail-held-until-next-message")) {
      output_.insert(0, std::exchange(held_, ""));
      if (output_.size() > kWrittenAtOnce)
        held_ = output_.substr(output_.size() / kWrittenAtOnce * kWrittenAtOnce);
      output_.resize(output_.size() - held_.size());
    }
    std::string_view left = output_;
    while (!left.empty()) {
      const ssize_t n = write(out_, left.data(), left.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0 && session_.server.faults.has("stdout-closed-ignored"))
        while (true) pause();
      if (n <= 0) return false;
      left.remove_prefix(static_cast<std::size_t>(n));
    }
    output_.clear();
    return true;
  }

  void finish() {
    const Micros now = clock_now();
    const bool pending = !input_.empty();
    if (!input_.empty() && !skipping_ && framing_ == Framing::kLine)
      feed(std::string_view(input_), now);
    collect();
    if (!flush()) return;
    const Micros end = now + kGrace;
    while (session_.busy() && clock_now() < end) {
      const Micros due = std::min(*session_.next_due(), end);
      const Micros left = due - clock_now();
      if (left > 0) usleep(static_cast<useconds_t>(left));
      session_.advance(clock_now());
      collect();
      if (!flush()) return;
    }
    output_ += held_;
    held_.clear();
    if (!output_.empty() && write(out_, output_.data(), output_.size()) < 0) return;
    injector_.at_end_of_input(session_, anything_read_, pending);
  }

  Session session_;
  StdioFaultInjector injector_;
  PlantedReads reads_;
  int in_;
  int out_;
  Framing framing_;
  bool faulty_;
  std::string input_;
  std::vector<char> block_ = std::vector<char>(kBlock);
  std::size_t searched_ = 0;  // no line end before here
  bool skipping_ = false;     // inside a line that was too long
  std::string output_;
  std::string held_;  // what a Fault holds back
  bool anything_read_ = false;
};

}  // namespace

int serve_stdio(Server& server, int in, int out, Framing framing) {
  StdioHost host(server, in, out, framing);
  return host.run();
}

}  // namespace harness::reference
