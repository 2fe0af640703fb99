// SPDX-License-Identifier: Apache-2.0
#include "harness/falsify/matrix.h"

#include <fnmatch.h>

#include <algorithm>
#include <chrono>
#include <regex>
#include <sstream>

#include "harness/falsify/forks.h"
#include "harness/falsify/said.h"
#include "harness/falsify/trial.h"
#include "harness/oracle/oracle.h"
#include "harness/reference/faults.h"

namespace harness::falsify {
namespace {

using Clock = std::chrono::steady_clock;
using Cases = std::vector<const suite::Case*>;

// A piece of the matrix that takes longer hangs, as some Faults do.
constexpr int kMostSeconds = 120;
// What an oracle is shown of a conversation first; most Faults show in it.
constexpr std::size_t kSample = 14;
// What the oracles of one Fault may take after that.
constexpr std::chrono::seconds kForOracles{4};
// Areas of clauses up to which the cases of all of them are played.
constexpr std::size_t kFewAreas = 3;
// Of the cases in which a Fault of a shape would show.
constexpr std::size_t kShowing = 8;
// Of the plays that are dumped one in so many has all cases.
constexpr std::uint64_t kWhole = 32;
// The others have one in so many of the cases that tell nothing of the Fault.
constexpr std::uint64_t kBeside = 24;

std::string help_of_fault(const std::string& name) {
  for (const reference::FaultRow& row : reference::fault_rows())
    if (row.name == name) return row.help;
  return "";
}

// Faults of what surrounds the engine never act here.
bool acts_outside(const std::string& help) {
  static const std::regex kOutside(R"(\b(HTTP|SSE|WebSocket|TLS)\b|Content-Length framing)");
  return std::regex_search(help, kOutside);
}

// "mcp/tools" for a clause of mcp.tools.
std::set<std::string> areas_of(const oracle::Oracle& one) {
  std::set<std::string> out;
  for (const std::string& clause : one.covers) {
    std::string area = clause.substr(0, clause.rfind('.'));
    std::replace(area.begin(), area.end(), '.', '/');
    out.insert(std::move(area));
  }
  return out;
}

// Whether the Fault may act under the setting, by what its help says of
// revisions.
bool may_act(const std::string& help, const Setting& setting) {
  if (help.starts_with("LSP:")) return setting.server == "lsp";
  if (help.starts_with("ACP:")) return setting.server == "acp-1";
  static const std::regex kDate(R"(20\d\d-\d\d-\d\d(?=[:)]))");
  const auto begin = std::sregex_iterator(help.begin(), help.end(), kDate);
  if (begin == std::sregex_iterator() || help.find("since") != std::string::npos ||
      help.find("until") != std::string::npos)
    return true;
  return std::any_of(begin, std::sregex_iterator(), [&](const std::smatch& date) {
    return setting.server.find(date.str()) != std::string::npos ||
           setting.judged_by.find(date.str()) != std::string::npos || setting.judged_by == "auto";
  });
}

bool has_oracle(const std::set<std::string>& watchers) {
  return std::any_of(watchers.begin(), watchers.end(),
                     [](const std::string& watcher) { return watcher.starts_with("oracle/"); });
}

// About kSample of them, from everywhere, or all.
void add_sample(Cases& cases, const Cases& passing, bool all) {
  const std::size_t step = all ? 1 : std::max<std::size_t>(1, passing.size() / kSample);
  for (std::size_t i = 0; i < passing.size(); i += step) cases.push_back(passing[i]);
}

// A number that stays the same wherever and whenever something has this name.
std::uint64_t number_of(const std::string& name) {
  return reference::FaultName(std::string_view(name)).number();
}

}  // namespace

std::string name_of(const Setting& setting) {
  return setting.server == setting.judged_by ? setting.server
                                             : setting.server + " as " + setting.judged_by;
}

const std::vector<Setting>& settings() {
  static const std::vector<Setting> kAll = {
      {"mcp-2025-11-25", "mcp-2025-11-25"},
      {"mcp-2026-07-28", "mcp-2026-07-28"},
      {"mcp-2025-03-26", "mcp-2025-03-26"},
      {"jsonrpc-2.0", "jsonrpc-2.0"},
      {"mcp-tutorial", "mcp-tutorial"},
      {"mcp-2025-06-18", "mcp-2025-06-18"},
      {"mcp-2024-11-05", "mcp-2024-11-05"},
      {"mcp-all", "auto"},
      {"mcp-all", "mcp-2025-11-25"},
      {"lsp", "lsp"},
      {"acp-1", "acp-1"},
  };
  return kAll;
}

// --- the sound server

// Lines: "pass CASE", "shows FAULT CASE", "accused CASE: WATCHERS", by numbers
// of cases.
void Matrix::play_sound(std::size_t setting, int out) const {
  const Setting& how = settings()[setting];
  const auto fits = [&](const std::string& glob) {
    return fnmatch(glob.c_str(), name_of(how).c_str(), 0) == 0;
  };
  if (!under_.empty() && std::none_of(under_.begin(), under_.end(), fits)) return;
  Trial trial(suite_, registry_, how.server, how.judged_by, {});
  if (!trial.meet()) return write_line(out, "accused - of no handshake");
  std::map<std::string, std::size_t> shown;
  for (std::size_t i = 0; i < suite_.cases.size(); ++i) {
    const suite::Case& scenario = suite_.cases[i];
    if (!trial.can_play(scenario)) continue;
    const Caught caught = trial.play(scenario);
    write_line(out, "played");
    for (const std::string& watcher : caught.watchers)
      if (watcher != scenario.id) write_line(out, "accused " + scenario.id + " by " + watcher);
    if (caught.verdict != run::Verdict::kPass) continue;
    write_line(out, "pass " + std::to_string(i));
    if (!caught.transcript) continue;
    for (const std::string& fault : shapes_in(*caught.transcript, trial.profile()))
      if (shown[fault]++ < kShowing) write_line(out, "shows " + fault + " " + std::to_string(i));
  }
}

void Matrix::play_sound() {
  sound_.resize(settings().size());
  fork_each(
      settings().size(), jobs_, kMostSeconds,
      [this](std::size_t number, int out) { play_sound(number, out); },
      [this](std::size_t number, const std::string& written) {
        std::istringstream lines(written);
        for (std::string line; std::getline(lines, line);) {
          std::istringstream words(line);
          std::string word, fault;
          std::size_t place = 0;
          words >> word;
          if (word == "played") {
            ++results_.plays;
          } else if (word == "pass") {
            words >> place;
            sound_[number].passing.push_back(&suite_.cases.at(place));
            results_.passing.insert(suite_.cases.at(place).id);
          } else if (word == "shows") {
            words >> fault >> place;
            sound_[number].showing[fault].push_back(&suite_.cases.at(place));
          } else {
            results_.mistakes.push_back(settings()[number].server + ": " + line);
          }
        }
      });
}

// --- one Fault

std::vector<const suite::Case*> Matrix::cases_for(const std::string& fault,
                                                  const std::set<std::string>& pending,
                                                  const Sound& sound) const {
  std::vector<const suite::Case*> cases;
  for (const suite::Case* scenario : sound.passing)
    if (pending.contains(scenario->id)) cases.push_back(scenario);
  const auto showing = sound.showing.find(fault);
  if (showing != sound.showing.end())
    cases.insert(cases.end(), showing->second.begin(), showing->second.end());
  // An oracle of few areas sees its Faults in their cases.
  for (const oracle::Oracle& one : oracle::oracles()) {
    if (!pending.contains(std::string("oracle/") + one.name)) continue;
    const std::set<std::string> areas = areas_of(one);
    if (areas.size() > kFewAreas) continue;
    for (const suite::Case* scenario : sound.passing)
      if (areas.contains(scenario->id.substr(0, scenario->id.rfind('/'))))
        cases.push_back(scenario);
  }
  return cases;
}

// Lines: "played", "caught WATCHER".
void Matrix::play_fault(const std::string& fault, const std::set<std::string>& watchers,
                        int out) const {
  const std::string help = help_of_fault(fault);
  std::set<std::string> pending = watchers;
  const Clock::time_point began = Clock::now();
  // A short conversation under each setting; then all of it, for oracles that
  // saw nothing.
  for (const bool all : {false, true}) {
    for (std::size_t i = 0; i < settings().size() && !pending.empty(); ++i) {
      if (!may_act(help, settings()[i]) || (all && Clock::now() - began > kForOracles)) continue;
      auto cases = cases_for(fault, pending, sound_[i]);
      if (has_oracle(pending)) add_sample(cases, sound_[i].passing, all);
      if (cases.empty()) continue;
      Trial trial(suite_, registry_, settings()[i].server, settings()[i].judged_by, {fault});
      if (!trial.meet()) continue;
      std::set<const suite::Case*> played;
      for (const suite::Case* scenario : cases) {
        if (pending.empty() || !played.insert(scenario).second || !trial.can_play(*scenario))
          continue;
        if (played.size() > 2 * kSample && Clock::now() - began > kForOracles) break;
        Caught caught = trial.play(*scenario);
        write_line(out, "played");
        for (const std::string& clause : caught.clauses) caught.watchers.insert("clause/" + clause);
        for (const std::string& watcher : caught.watchers)
          if (pending.erase(watcher) > 0) write_line(out, "caught " + watcher);
      }
    }
  }
}

Results Matrix::play() {
  play_sound();
  std::vector<std::string> faults;
  for (const auto& [fault, watchers] : claims_.by_fault)
    if (!acts_outside(help_of_fault(fault))) faults.push_back(fault);
  fork_each(
      faults.size(), jobs_, kMostSeconds,
      [&](std::size_t number, int out) {
        play_fault(faults[number], claims_.by_fault.at(faults[number]), out);
      },
      [&](std::size_t number, const std::string& written) {
        std::istringstream lines(written);
        for (std::string line; std::getline(lines, line);) {
          if (line == "played") ++results_.plays;
          if (line.starts_with("caught ")) results_.caught.emplace(line.substr(7), faults[number]);
        }
      });
  return std::move(results_);
}

// --- what is dumped

std::vector<Play> Matrix::plays(const Wanted& wanted) {
  under_ = wanted.under;
  play_sound();
  std::vector<Play> plays;
  // By the number of its name a play is wanted or not, and has all cases or not.
  const auto add = [&](const std::string& fault, const std::set<std::string>& watchers,
                       std::size_t setting) {
    const Setting& how = settings()[setting];
    const Sound& sound = sound_[setting];
    const std::uint64_t number = number_of(fault + " " + name_of(how));
    if (number / kWhole % wanted.every != 0) return;
    Play play{fault, how, cases_for(fault, watchers, sound)};
    if (play.cases.empty() && !has_oracle(watchers)) return;
    for (const suite::Case* scenario : sound.passing)
      if (wanted.whole || number % kWhole == 0 || number_of(scenario->id) % kBeside == 0)
        play.cases.push_back(scenario);
    if (!play.cases.empty()) plays.push_back(std::move(play));
  };
  for (std::size_t i = 0; wanted.sound && i < settings().size(); ++i)
    if (!sound_[i].passing.empty()) plays.push_back({"", settings()[i], sound_[i].passing});
  for (const auto& [fault, watchers] : claims_.by_fault) {
    const std::string help = help_of_fault(fault);
    for (std::size_t i = 0; !acts_outside(help) && i < settings().size(); ++i)
      if (may_act(help, settings()[i])) add(fault, watchers, i);
  }
  return plays;
}

}  // namespace harness::falsify
