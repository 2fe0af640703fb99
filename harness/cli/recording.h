// SPDX-License-Identifier: Apache-2.0
// Recording: a conversation between somebody else's client and a server, kept while it goes on, and
// judged by the oracles whenever nothing is left to be answered.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "harness/base/result.h"
#include "harness/base/secrets.h"
#include "harness/cli/builtin.h"
#include "harness/spec/profile.h"
#include "harness/wire/frame.h"

namespace harness::cli {

struct RecordingSettings {
  std::string file;     // of the transcript
  std::string profile;  // "auto": what the two agree on
  std::string target;   // how it is called
  wire::TransportKind transport = wire::TransportKind::kStdio;
};

class Recording {
 public:
  // All of them outlive it.
  Recording(RecordingSettings settings, const Library& library, const Secrets& secrets);

  // Keeps what was seen. Of very much the rest is counted only. Tells what is wrong on stderr, each
  // thing once.
  void add(wire::Direction direction, wire::Channel channel, std::string bytes, int exchange = 0,
           std::optional<wire::HttpHead> head = {});
  // Writes the transcript. Once, at the end; until then the file holds all but what came last.
  Status finish();

  const wire::Transcript& transcript() const { return transcript_; }
  std::size_t breaches() const { return breaches_; }  // of a MUST, so far
  // The profile that was named, or agreed on so far; null while nobody can tell.
  const spec::Profile* profile() const { return profile_; }

  // What the client asked, as a script of the fuzzer, and as a case to be worked on; "" of nothing.
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
  std::set<std::string> open_;  // ids that wait for an answer, by who asked
  std::set<std::string> told_;  // findings
  bool odd_ = false;            // something was answered that nobody asked
  std::size_t oddities_ = 0;    // for which it was judged at once
  std::size_t kept_ = 0;        // bytes
  std::uint64_t left_out_ = 0;  // frames
  std::size_t judged_ = 0;      // frames, the last time
  std::size_t written_ = 0;     // likewise
  std::size_t breaches_ = 0;
};

}  // namespace harness::cli
