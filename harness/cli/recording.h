// SPDX-License-Identifier: Apache-2.0
// Recording: a conversation between somebody else's client and a server, kept while it goes on, and
// judged by the oracles whenever nothing is left to be answered.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "harness/base/result.h"
#include "harness/base/secrets.h"
#include "harness/cli/builtin.h"
#include "harness/spec/profile.h"
#include "harness/wire/frame.h"

namespace harness::cli {

struct RecordingSettings {
  std::string file;     // of the transcript
  std::string profile;  // "auto": the one that both sides agree on
  std::string target;   // how it is called
  wire::TransportKind transport = wire::TransportKind::kStdio;
};

class Recording {
 public:
  // All of them outlive it.
  Recording(RecordingSettings settings, const Library& library, const Secrets& secrets);

  // Keeps what was seen. Keeps what was seen. If there is too much, further frames are only
  // counted. Prints each breach on stderr once.
  void add(wire::Direction direction, wire::Channel channel, std::string bytes, int exchange = 0,
           std::optional<wire::HttpHead> head = {});
  // Writes the transcript. Call it once, at the end; until then the file lacks only the latest
  // frames.
  Status finish();

  const wire::Transcript& transcript() const { return transcript_; }
  std::size_t breaches() const { return breaches_; }  // of a MUST, so far
  // The profile that was named, or agreed on so far; null while it is unknown.
  const spec::Profile* profile() const { return profile_; }

  // What the client sent, as a script of the fuzzer, and as a draft of a case; "" if it sent
  // nothing.
  std::string script() const;
  std::string draft_case() const;

 private:
  void learn(const wire::Frame& frame);
  void follow(const wire::Frame& frame);
  void judge();
  Status write(bool last);

  RecordingSettings settings_;
  const Library& library_;
  const Secrets& secrets_;
  wire::Transcript transcript_;
  const spec::Profile* profile_ = nullptr;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::set<std::string> open_;  // unanswered ids, by sender
  std::set<std::string> told_;  // findings
  bool odd_ = false;            // a reply answered no known request
  std::size_t oddities_ = 0;    // that caused an immediate judgement
  std::size_t kept_ = 0;        // bytes
  std::uint64_t left_out_ = 0;  // frames
  std::size_t judged_ = 0;      // frames, the last time
  std::size_t written_ = 0;     // likewise
  std::size_t breaches_ = 0;
};

}  // namespace harness::cli
