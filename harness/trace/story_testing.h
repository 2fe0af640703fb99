// SPDX-License-Identifier: Apache-2.0
// For tests: a Trace written as lines.
//
//   > call 1              a request with this id      < ok 1          a result for it
//   > note                a notification              < err null -32600   an error
//   > TEXT                anything else, as it is     < TEXT
//   3> call 1   3< ok 1   HTTP: posted in exchange 3, and answered there; `3<404 err null` with a
//                         status, `3<event ok 1` as an event of its stream, `3>gzip call 1`
//                         compressed
//   * http   * mcp-2025-06-18   * earlier 7   * elsewhere 9 (asked in another session)
//
// Behind a received line stands what is expected of it: ` = request @1`, where @1 is the first line
// of the messages.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/read.h"
#include "harness/spec/profile.h"
#include "harness/trace/trace.h"

namespace harness::trace {

struct Story {
  std::string profile = "jsonrpc-2.0";
  std::vector<std::string> expected;  // of each frame; "" for those we sent
  Slice slice;
  std::string elsewhere;  // an id sent in another session

  explicit Story(const std::string& text) : transcript_(std::make_shared<wire::Transcript>()) {
    transcript_->transport = wire::TransportKind::kStdio;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = text.find('\n', at);
      if (end == std::string::npos) end = text.size();
      if (end > at) line(text.substr(at, end - at));
      at = end + 1;
    }
    transcript_->profile = profile;
    for (const wire::Frame& frame : transcript_->frames)
      slice.messages.push_back(wire::read_shared(frame.bytes));
    slice.transcript = transcript_;
  }

  const spec::Profile& spoken() const { return *spec::find_profile(profile); }

 private:
  static std::string spelled(const std::string& said) {
    const auto rest = [&](std::size_t from) { return said.substr(from); };
    if (said.starts_with("call "))
      return R"({"jsonrpc":"2.0","id":)" + rest(5) + R"(,"method":"rpcspec/a"})";
    if (said == "note") return R"({"jsonrpc":"2.0","method":"rpcspec/n"})";
    if (said.starts_with("ok ")) return R"({"jsonrpc":"2.0","id":)" + rest(3) + R"(,"result":{}})";
    if (!said.starts_with("err ")) return said;
    const std::size_t space = said.rfind(' ');
    return R"({"jsonrpc":"2.0","id":)" + said.substr(4, space - 4) + R"(,"error":{"code":)" +
           rest(space + 1) + R"(,"message":"no"}})";
  }

  void setting(const std::string& word) {
    if (word.starts_with("earlier "))
      slice.earlier_ids.insert(wire::id_key(json::parse(word.substr(8))));
    else if (word.starts_with("elsewhere "))
      elsewhere = word.substr(10);
    else if (spec::find_profile(word) != nullptr)
      profile = word;
    else
      transcript_->transport = wire::transport_named(word).value();
  }

  void line(const std::string& text) {
    if (text.starts_with("* ")) return setting(text.substr(2));
    const std::size_t sign = text.find_first_of("<>");
    check(sign != std::string::npos, "a line of a story has no direction");
    const std::size_t space = text.find(' ', sign);
    std::string said = text.substr(space + 1);
    const std::size_t equals = said.rfind(" = ");
    wire::Frame frame;
    frame.direction = text[sign] == '>' ? wire::Direction::kSent : wire::Direction::kReceived;
    const bool ours = frame.direction == wire::Direction::kSent;
    expected.push_back(ours || equals == std::string::npos ? "" : said.substr(equals + 3));
    if (!ours && equals != std::string::npos) said.resize(equals);
    frame.seq = expected.size();
    frame.channel = ours ? wire::Channel::kStdin : wire::Channel::kStdout;
    frame.bytes = spelled(said);
    if (sign > 0) exchange(frame, std::stoi(text), text.substr(sign + 1, space - sign - 1));
    frame.size = frame.bytes.size();
    transcript_->frames.push_back(std::move(frame));
  }

  // In one stored block, without a checksum.
  static std::string gzipped(const std::string& text) {
    std::string out("\x1f\x8b\x08\0\0\0\0\0\0\x03\x01", 11);
    for (const std::size_t size : {text.size(), ~text.size()}) {
      out += static_cast<char>(size & 0xff);
      out += static_cast<char>(size >> 8 & 0xff);
    }
    return out + text;
  }

  static void exchange(wire::Frame& frame, int number, const std::string& how) {
    frame.exchange = number;
    frame.channel = how == "event" ? wire::Channel::kSse : wire::Channel::kHttp;
    if (how == "event") return;
    wire::HttpHead head;
    if (frame.direction == wire::Direction::kSent) {
      const bool posts = how.empty() || how == "gzip";
      head.method = posts ? "POST" : how;
      head.target = "/mcp";
      if (how == "gzip") {
        head.headers.push_back({"Content-Encoding", how});
        frame.bytes = gzipped(frame.bytes);
      }
    } else {
      head.status = how.empty() ? 200 : std::stoi(how);
    }
    head.headers.push_back({"Content-Type", "application/json"});
    frame.head = std::move(head);
  }

  std::shared_ptr<wire::Transcript> transcript_;
};

}  // namespace harness::trace
