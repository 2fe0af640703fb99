// SPDX-License-Identifier: Apache-2.0
// For tests: a small Transcript written as a story, and what the oracles say of it.
//
//   Played("mcp-2025-06-18").sent(1, "ping").received(R"({"jsonrpc":"2.0","id":1,"result":{}})")
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/oracle/oracle.h"
#include "harness/spec/testing.h"

namespace harness::oracle {

inline const spec::Registry& test_registry() { return spec::own_registry(); }

inline std::string request(int id, const std::string& method, const std::string& params = "") {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method + "\"" +
         (params.empty() ? "" : ",\"params\":" + params) + "}";
}

// A request of 2026-07-28, with further _meta members.
inline std::string stateless(int id, const std::string& method, const std::string& more = "") {
  return request(id, method,
                 R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                 R"("io.modelcontextprotocol/clientCapabilities":{})" +
                     more + "}}");
}

inline std::string notification(const std::string& method, const std::string& params = "") {
  return R"({"jsonrpc":"2.0","method":")" + method + "\"" +
         (params.empty() ? "" : ",\"params\":" + params) + "}";
}

inline std::string result(const std::string& id, const std::string& value = "{}") {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + value + "}";
}

inline std::string error(const std::string& id, int code, const std::string& message = "no") {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":)" + std::to_string(code) +
         R"(,"message":")" + message + R"("}})";
}

// A valid result of 2026-07-28.
inline std::string complete(const std::string& id, const std::string& meta = "") {
  return result(id, R"({"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":)"
                    R"({"name":"s","version":"1"})" +
                        meta + "}}");
}

class Played {
 public:
  explicit Played(const std::string& profile, const std::string& transport = "stdio") {
    transcript_.profile = profile;
    transcript_.transport = wire::transport_named(transport).value();
  }

  Played& sent(const std::string& bytes) { return add(true, wire::Channel::kStdin, bytes); }
  Played& sent(int id, const std::string& method) { return sent(request(id, method)); }
  Played& received(const std::string& bytes) { return add(false, wire::Channel::kStdout, bytes); }
  Played& wrote_raw(const std::string& bytes) {
    sent(bytes);
    transcript_.frames.back().unframed = true;
    return *this;
  }
  Played& received_without_newline(const std::string& bytes) {
    received(bytes);
    transcript_.frames.back().unframed = true;
    return *this;
  }
  // From now on messages are framed by their length.
  Played& by_length() {
    transcript_.framing = "content-length";
    return *this;
  }
  // How a transport reports bytes that are not framed as agreed.
  Played& received_torn(const std::string& bytes, const std::string& reason) {
    received_without_newline(bytes);
    transcript_.frames.back().head = wire::HttpHead{0, "", "", {{"reason", reason}}};
    return *this;
  }
  // How a transport reports one message per connection.
  Played& marked(const wire::Header& mark) {
    transcript_.frames.back().channel = wire::Channel::kSocket;
    transcript_.frames.back().head = wire::HttpHead{0, "", "", {mark}};
    return *this;
  }
  Played& we_close(const std::string& what) { return add(true, wire::Channel::kClose, what); }
  Played& ended(const std::string& how) { return add(false, wire::Channel::kExit, how); }

  Played& posted(int exchange, const std::string& body, std::vector<wire::Header> headers = {}) {
    add(true, wire::Channel::kHttp, body);
    transcript_.frames.back().exchange = exchange;
    transcript_.frames.back().head = wire::HttpHead{0, "POST", "/mcp", std::move(headers)};
    return *this;
  }
  // About the last message.
  Played& framed_wrongly(bool wrongly = true) {
    transcript_.frames.back().unframed = wrongly;
    return *this;
  }
  Played& by(const std::string& method) {
    transcript_.frames.back().head->method = method;
    return *this;
  }
  Played& got(int exchange, std::vector<wire::Header> headers = {}) {
    posted(exchange, "", std::move(headers));
    transcript_.frames.back().head->method = "GET";
    return *this;
  }
  Played& answered(int exchange, int status, const std::string& type, const std::string& body) {
    add(false, wire::Channel::kHttp, body);
    transcript_.frames.back().exchange = exchange;
    transcript_.frames.back().head = wire::HttpHead{status, "", "", {{"Content-Type", type}}};
    return *this;
  }
  Played& with_header(const std::string& name, const std::string& value) {
    transcript_.frames.back().head->headers.push_back({name, value});
    return *this;
  }
  // An exchange has ended: "end", or how its connection was left.
  Played& closed(int exchange, const std::string& how) {
    add(false, wire::Channel::kClose, how);
    transcript_.frames.back().exchange = exchange;
    return *this;
  }
  Played& event(int exchange, const std::string& data) {
    add(false, wire::Channel::kSse, data);
    transcript_.frames.back().exchange = exchange;
    return *this;
  }

  Played& in_event(const std::string& name) {  // what came last
    transcript_.frames.back().head = wire::HttpHead{0, "", "", {{"event", name}}};
    return *this;
  }

  Played& earlier(const std::string& id) {
    earlier_.insert(wire::id_key(json::parse(id)));
    return *this;
  }
  Played& server_declares(const std::string& capabilities) {
    server_ = json::parse(capabilities);
    return *this;
  }
  Played& client_declares(const std::string& capabilities) {
    client_ = json::parse(capabilities);
    return *this;
  }

  Played& with_secret(const std::string& name, const std::string& value) {
    secrets_.add(name, value);
    return *this;
  }

  const wire::Transcript& transcript() const { return transcript_; }

  std::vector<Finding> judged() const {
    const spec::Profile* profile = spec::find_profile(transcript_.profile);
    check(profile != nullptr, "a test names a profile that does not exist");
    wire::Messages messages;
    for (const wire::Frame& frame : transcript_.frames)
      messages.push_back(wire::carries_message(frame) ? wire::read_shared(frame.bytes)
                                                      : std::make_shared<const wire::Message>());
    const trace::Slice slice{std::make_shared<const wire::Transcript>(transcript_),
                             std::move(messages), earlier_, server_, client_};
    return judge(Evidence(slice, *profile, test_registry(), &secrets_));
  }

 protected:
  wire::Frame& last() { return transcript_.frames.back(); }

 private:
  Played& add(bool ours, wire::Channel channel, const std::string& bytes) {
    wire::Frame frame;
    frame.seq = transcript_.frames.size() + 1;
    frame.direction = ours ? wire::Direction::kSent : wire::Direction::kReceived;
    frame.channel = channel;
    frame.bytes = bytes;
    frame.size = bytes.size();
    transcript_.frames.push_back(std::move(frame));
    return *this;
  }

  wire::Transcript transcript_;
  wire::UsedIds earlier_;
  json::Value server_;
  json::Value client_;
  Secrets secrets_;
};

// "fail jsonrpc.id.never-invented" for each finding; of one oracle if it is named.
inline std::vector<std::string> breaches(const Played& played, const std::string& only = "") {
  static const char* const kNames[] = {"info ", "warn ", "fail "};
  std::vector<std::string> out;
  for (const Finding& finding : played.judged()) {
    if (!only.empty() && finding.oracle != only) continue;
    out.push_back(kNames[static_cast<int>(finding.severity)] + finding.requirement +
                  (finding.sure ? "" : ", perhaps"));
    const auto& table = oracles();
    const auto oracle = std::find_if(table.begin(), table.end(),
                                     [&](const Oracle& o) { return finding.oracle == o.name; });
    EXPECT_THAT(oracle->covers, testing::Contains(finding.requirement)) << finding.oracle;
    EXPECT_FALSE(finding.expected.empty() || finding.seen.empty()) << finding.requirement;
    EXPECT_FALSE(finding.frames.empty()) << finding.requirement;
    for (const std::string& words : {finding.expected, finding.seen})
      EXPECT_EQ(printable(words, words.size()), words) << finding.requirement;
  }
  return out;
}

}  // namespace harness::oracle
