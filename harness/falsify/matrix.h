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

// How a server is started, and the profile it is judged by.
struct Setting {
  std::string server;
  std::string judged_by;
};
const std::vector<Setting>& settings();
std::string name_of(const Setting& setting);  // "mcp-all as auto"

// What is played of a Fault under a setting; "" is the sound server.
struct Play {
  std::string fault;
  Setting setting;
  std::vector<const suite::Case*> cases;
};
// Which plays are dumped.
struct Wanted {
  bool sound = true;               // the sound server, too
  std::vector<std::string> under;  // globs of names of settings; empty takes all
  std::uint64_t every = 1;         // one in this many, always the same ones
  bool whole = false;              // each with all cases, not one in kWhole
};

struct Results {
  std::set<std::pair<std::string, std::string>> caught;  // watcher, Fault
  std::set<std::string> passing;                         // cases that pass somewhere on the sound
                                                         // server
  std::vector<std::string> mistakes;                     // false alarms about a sound server
  std::size_t plays = 0;
};

class Matrix {
 public:
  // All outlive it.
  Matrix(const suite::Suite& suite, const spec::Registry& registry, const Claims& claims, int jobs)
      : suite_(suite), registry_(registry), claims_(claims), jobs_(jobs) {}

  Results play();
  // What shows the Faults of the claims, under each setting where they may act: the cases that are
  // played first, and a sample of the others; for one play in many, all of them.
  std::vector<Play> plays(const Wanted& wanted);

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
                                            const Sound& sound) const;

  const suite::Suite& suite_;
  const spec::Registry& registry_;
  const Claims& claims_;
  const int jobs_;
  std::vector<std::string> under_;
  std::vector<Sound> sound_;  // by setting
  Results results_;
};

}  // namespace harness::falsify
