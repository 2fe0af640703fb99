// SPDX-License-Identifier: Apache-2.0
// The progress line while a run goes on, at a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "harness/results/event.h"

namespace reports {

struct Progress {
  std::size_t done = 0, total = 0, failed = 0;
  std::chrono::milliseconds since_start{0};
  std::string case_id;  // of those in progress, the one that began first; or the latest that ended
  std::chrono::milliseconds in_case{0};  // for how long it has been in progress
  std::string waits;  // what the run waits for: "a reply to tools/call, 3 s of 10 s"; or ""
};
// The progress line, at most `columns` wide:
// "[ 123/310] 2 failed, about 4 s left  mcp/tools/call 1.2 s, waiting for a reply to tools/call, 1
// s of 3 s". The name is cut first.
std::string progress_line(const Progress& progress, std::size_t columns);

// Shows it, at most ten times a second, and removes it. The stream outlives it.
class ProgressShow {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;
  // `now` empty: steady_clock. Writes nothing if `shows` is false.
  ProgressShow(std::ostream& stream, bool shows, std::size_t columns, Clock now);

  // `name`: the prefix of the cases of this run, "" if there is one run.
  void started(const harness::run::RunStarted& started, const std::string& name);
  void case_started(const std::string& id);
  void case_finished(const harness::run::CaseResult& result);
  void waiting(const harness::run::Waiting& waiting);
  void clear();

 private:
  void show(const std::string& last, const std::string& waits = "");

  using Time = std::chrono::steady_clock::time_point;
  std::ostream& stream_;
  bool shows_;
  std::size_t columns_;
  Clock now_;
  std::string front_;
  std::vector<std::pair<std::string, Time>> under_way_;  // in the order in which they began
  Time began_at_{};
  std::size_t done_ = 0, total_ = 0, failed_ = 0;
  bool shown_ = false;
  Time shown_at_{};
};

// A slow start is reported on stderr, once, with the option that limits it.
class SlowStart {
 public:
  // `shown`: the line on the terminal, to be removed first; may be null.
  void note(const harness::run::Waiting& waiting, ProgressShow* shown);

 private:
  bool told_ = false;
};

}  // namespace reports
