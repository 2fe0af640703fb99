// SPDX-License-Identifier: Apache-2.0
// Matrix: which watcher catches which Fault, as far as that shows in memory.
//
//   sound server, each setting ─► which cases pass, which Faults of shapes would show where
//   each Fault, in a process of its own ─► its watchers, setting after setting, until all have it
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/falsify/claims.h"
#include "harness/spec/requirement.h"
#include "harness/suite/loader.h"

namespace harness::falsify {

// How a server is started, and by which profile it is judged.
struct Setting {
  std::string server;
  std::string judged_by;
};
const std::vector<Setting>& settings();

struct Results {
  std::set<std::pair<std::string, std::string>> caught;  // watcher, Fault
  std::set<std::string> passing;                         // cases that pass somewhere when sound
  std::vector<std::string> mistakes;                     // what a sound server was accused of
  std::size_t plays = 0;
};

class Matrix {
 public:
  // All outlive it.
  Matrix(const suite::Suite& suite, const spec::Registry& registry, const Claims& claims, int jobs)
      : suite_(suite), registry_(registry), claims_(claims), jobs_(jobs) {}

  Results play();

 private:
  // What is known of the sound server under one setting.
  struct Sound {
    std::vector<const suite::Case*> passing;
    std::map<std::string, std::vector<const suite::Case*>> showing;  // by Fault of a shape
  };

  void play_sound();
  void play_sound(std::size_t setting, int out) const;
  void play_fault(const std::string& fault, const std::set<std::string>& watchers, int out) const;
  std::vector<const suite::Case*> cases_for(const std::string& fault,
                                            const std::set<std::string>& pending,
                                            const Sound& sound, bool all) const;

  const suite::Suite& suite_;
  const spec::Registry& registry_;
  const Claims& claims_;
  const int jobs_;
  std::vector<Sound> sound_;  // by setting
  Results results_;
};

}  // namespace harness::falsify
