// SPDX-License-Identifier: Apache-2.0
#include "rpcspec/conformance.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <variant>

#include "harness/base/text.h"
#include "harness/cpp/served_copies.h"
#include "harness/json/read.h"
#include "harness/wire/frame.h"

extern char** environ;

namespace rpcspec {
namespace {

namespace fs = std::filesystem;
namespace json = harness::json;

constexpr std::size_t kShown = 600;              // bytes of a message
constexpr std::size_t kMostFindings = 6;         // of a case
constexpr std::size_t kTold = 200;               // bytes of a message that tell it from others
constexpr std::size_t kMostValues = 20'000'000;  // of a report
constexpr int kLookAgain = 10;                   // milliseconds

// A folder of our own, while it is needed.
class Scratch {
 public:
  Scratch() {
    for (const fs::path& base : {fs::temp_directory_path(), fs::path("/tmp")}) {
      std::string path = (base / "rpcspec-XXXXXX").string();
      // The path of a socket has to be short.
      if (path.size() > 80 || ::mkdtemp(path.data()) == nullptr) continue;
      path_ = path;
      return;
    }
    throw std::runtime_error(std::string("no folder can be made in /tmp: ") + std::strerror(errno));
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string operator/(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// rpcspec, running; what it writes goes to files. Ended when this ends.
class Program {
 public:
  Program(const std::vector<std::string>& words, const std::string& out, const std::string& err) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&files, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::posix_spawn_file_actions_addopen(&files, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int wrong =
        ::posix_spawnp(&pid_, arguments[0], &files, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&files);
    if (wrong != 0)
      throw std::runtime_error("rpcspec cannot be run: " + words[0] + ": " + std::strerror(wrong) +
                               "; set the environment variable RPCSPEC to its path");
  }
  ~Program() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Its exit code, when it has ended; 128 and the signal when that ended it.
  std::optional<int> ended(bool wait) {
    int status = 0;
    pid_t done = 0;
    do {
      done = ::waitpid(pid_, &status, wait ? 0 : WNOHANG);
    } while (done < 0 && errno == EINTR);
    if (done == 0) return std::nullopt;
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t pid_ = 0;
};

std::string text_at(const json::Value& value, std::string_view name) {
  const json::Value* member = value.is_object() ? value.find(name) : nullptr;
  return member && (member->is_string() || member->is_number()) ? member->text : "";
}

const std::vector<json::Value>& items_at(const json::Value& value, std::string_view name) {
  static const std::vector<json::Value> none;
  const json::Value* member = value.is_object() ? value.find(name) : nullptr;
  return member ? member->items : none;
}

std::string told(const json::Value& finding) {
  std::string out = text_at(finding, "level") + " " + text_at(finding, "requirement");
  if (const std::string row = text_at(finding, "row"); !row.empty()) out += " (" + row + ")";
  out += "\n  expected  " + text_at(finding, "expected") + "\n  seen      " +
         harness::printable(text_at(finding, "seen"), kShown) + "\n";
  for (const json::Value& frame : items_at(finding, "frames"))
    out += std::string("  ") + (text_at(frame, "direction") == "sent" ? "→ " : "← ") +
           harness::printable(text_at(frame, "text"), kShown) + "\n";
  return out;
}

std::string told_findings(const json::Value& result, std::size_t most) {
  const std::vector<json::Value>& findings = items_at(result, "findings");
  std::string out;
  for (std::size_t i = 0; i < findings.size() && i < most; ++i) out += told(findings[i]);
  if (findings.size() > most) out += "and " + std::to_string(findings.size() - most) + " more\n";
  return out;
}

bool any_of(const std::vector<std::string>& words, std::initializer_list<const char*> names) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::any_of(names.begin(), names.end(), [&](const char* name) {
      return word == name || word.rfind(std::string(name) + "=", 0) == 0;
    });
  });
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? text : harness::printable(text.substr(text.rfind('\n') + 1), 2000);
}

// How a message begins.
std::string shown(const Death& death) {
  const std::string size = " (" + std::to_string(death.size) + " bytes)";
  return harness::printable(death.message.substr(0, kTold)) + (death.size > kTold ? size : "");
}

// What a case comes to, from its entry in the report.
Conformance::Outcome outcome_of(const json::Value& result) {
  using Kind = Conformance::Kind;
  const std::string verdict = text_at(result, "verdict"), reason = text_at(result, "reason");
  const json::Value* known = result.find("baselined");
  Conformance::Outcome outcome{Kind::kPassed, told_findings(result, kMostFindings),
                               std::atof(text_at(result, "duration_ms").c_str())};
  if (known && known->boolean) {
    outcome.kind = Kind::kSkipped;
    outcome.text = "a known failure, by the baseline\n" + outcome.text;
  } else if (verdict == "fail" || verdict == "error") {
    outcome.kind = Kind::kFailed;
    outcome.text = text_at(result, "title") + "\n" + outcome.text;
    if (!reason.empty()) outcome.text += reason + "\n";
  } else if (verdict == "flaky") {
    outcome.text = "flaky: it failed once, and not again\n" + outcome.text;
  } else if (verdict != "pass" && verdict != "warn") {
    outcome.kind = Kind::kSkipped;
    outcome.text = reason;
    if (const std::string remedy = text_at(result, "remedy"); !remedy.empty())
      outcome.text += "; add to the target description: " + remedy;
  }
  return outcome;
}

}  // namespace

struct Conformance::State {
  std::string program;
  std::vector<std::string> command;
  Make make;
  std::vector<std::string> options;

  std::map<std::string, Outcome> outcomes;
  std::string besides;

  // The options of `run` that choose cases, as `list` takes them.
  std::vector<std::string> listing() const;
  void play(const std::vector<std::string>& ids);
  void read(const json::Value& report, const std::vector<std::string>& ids);
  void blame(const std::vector<Death>& deaths, const std::string& transcripts);
};

std::vector<std::string> Conformance::State::listing() const {
  std::vector<std::string> words = {program, "list", "cases", "--format", "json"};
  for (std::size_t i = 0; i < options.size(); ++i) {
    for (const char* name : {"--profile", "--cases", "--suite"}) {
      if (options[i] == name && i + 1 < options.size()) {
        if (options[i + 1] != "auto") words.insert(words.end(), {name, options[i + 1]});
      } else if (options[i].rfind(std::string(name) + "=", 0) == 0) {
        words.push_back(options[i]);
      }
    }
  }
  const bool elsewhere = any_of(options, {"--url", "--framing", "--target", "--transport"});
  if (make) words.insert(words.end(), {"--transport", "unix"});
  if (!make && !elsewhere) words.insert(words.end(), {"--transport", "stdio"});
  return words;
}

Conformance::Conformance(std::string program, std::vector<std::string> command,
                         std::vector<std::string> options)
    : state_(new State{std::move(program), std::move(command), {}, std::move(options), {}, {}}) {
  if (const char* named = std::getenv("RPCSPEC"); named && *named) state_->program = named;
}

Conformance::Conformance(std::string program, Make make, std::vector<std::string> options)
    : Conformance(std::move(program), std::vector<std::string>(), std::move(options)) {
  state_->make = std::move(make);
}

Conformance::~Conformance() = default;

std::vector<Conformance::Case> Conformance::cases() const {
  if (any_of(state_->options, {"--select", "--exclude", "--shard", "--write-baseline"}))
    throw std::runtime_error(
        "--select, --exclude, --shard and --write-baseline are for `rpcspec run`; here the filter "
        "and the shards of the test framework choose");
  if (state_->make && any_of(state_->options, {"--url", "--framing", "--transport"}))
    throw std::runtime_error("a function has no --url, --framing or --transport");
  const Scratch scratch;
  Program program(state_->listing(), scratch / "out", scratch / "err");
  if (program.ended(true) != 0) {
    const std::string why = last_line(content_of(scratch / "err"));
    throw std::runtime_error(why.empty() ? state_->program + " cannot be run" : why);
  }
  const auto read = json::read(content_of(scratch / "out"));
  const auto* listed = std::get_if<json::Reading>(&read);
  if (!listed || listed->value.items.empty())
    throw std::runtime_error(state_->program + " lists no cases; is it rpcspec?");
  std::vector<Case> cases;
  for (const json::Value& one : listed->value.items)
    cases.push_back({text_at(one, "id"), text_at(one, "help")});
  return cases;
}

void Conformance::play(const std::vector<std::string>& ids) {
  state_->outcomes.clear();
  state_->besides.clear();
  try {
    state_->play(ids);
  } catch (const std::exception& wrong) {
    for (const std::string& id : ids) state_->outcomes[id] = {Kind::kFailed, wrong.what(), 0};
  }
}

void Conformance::State::play(const std::vector<std::string>& ids) {
  const Scratch scratch;
  const std::string socket = scratch / "socket", report = scratch / "report.json";
  std::vector<std::string> words = {program, "run", "--quiet", "--report", "json=" + report};
  if (make) words.insert(words.end(), {"--transcripts", scratch / "transcripts"});
  words.insert(words.end(), options.begin(), options.end());
  for (const std::string& id : ids) words.insert(words.end(), {"--select", id});
  std::optional<ServedCopies> copies;
  if (make) {
    copies.emplace(socket, make);
    words.insert(words.end(), {"--url", "unix:" + socket});
  } else if (!command.empty()) {
    words.push_back("--");
    words.insert(words.end(), command.begin(), command.end());
  }
  std::fflush(nullptr);  // what a copy inherits unwritten would be written twice
  Program running(words, scratch / "out", scratch / "err");
  std::optional<int> code;
  if (!copies) code = running.ended(true);
  while (copies && !(code = running.ended(false))) {
    pollfd waiting = {copies->listener(), POLLIN, 0};
    if (::poll(&waiting, 1, kLookAgain) > 0) copies->accept();
    copies->reap();
  }
  if (copies) copies->finish();
  const auto parsed = json::read(content_of(report), {.max_values = kMostValues});
  const auto* reading = std::get_if<json::Reading>(&parsed);
  const std::string said = last_line(content_of(scratch / "err"));
  if (reading) read(reading->value, ids);
  for (const std::string& id : ids) {
    if (outcomes.count(id) > 0) continue;
    if (*code == 0 || *code == 1) {
      outcomes[id] = {Kind::kSkipped,
                      "not a case of the profile that the server speaks; name it with --profile, "
                      "and only its cases are here",
                      0};
    } else {
      outcomes[id] = {Kind::kFailed,
                      said.empty() ? "rpcspec ended with exit code " + std::to_string(*code) : said,
                      0};
    }
  }
  if (copies) blame(copies->deaths(), scratch / "transcripts");
}

void Conformance::State::read(const json::Value& report, const std::vector<std::string>& ids) {
  bool failed = false;
  for (const json::Value& result : items_at(report, "cases")) {
    const std::string id = text_at(result, "id");
    Outcome outcome = outcome_of(result);
    failed |= outcome.kind == Kind::kFailed;
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) {
      outcomes[id] = std::move(outcome);
    } else if (outcome.kind == Kind::kFailed) {
      besides += id + ": " + text_at(result, "title") + "\n" + told_findings(result, 1);
    }
  }
  for (const json::Value& stale : items_at(report, "stale"))
    besides += harness::printable(stale.text, kShown) + "\n";
  const json::Value* gate = report.find("gate");
  const json::Value* passed = gate ? gate->find("passed") : nullptr;
  if (passed && !passed->boolean && !failed && besides.empty())
    besides = "the gate " + text_at(*gate, "reason") + "\n";
}

// Lays each death to the cases in which its message was sent, and fails them: a server may close a
// connection, but nothing makes it lawful for a function to throw.
void Conformance::State::blame(const std::vector<Death>& deaths, const std::string& transcripts) {
  if (deaths.empty()) return;
  std::vector<bool> told(deaths.size(), false);
  for (auto& [id, outcome] : outcomes) {
    const auto said =
        harness::wire::from_json_lines(content_of(transcripts + "/" + id + ".jsonl"), id);
    if (!said) continue;
    std::string how;
    for (std::size_t i = 0; i < deaths.size(); ++i) {
      const std::string begin = deaths[i].message.substr(0, kTold);
      const bool sent = std::any_of(said->frames.begin(), said->frames.end(),
                                    [&](const harness::wire::Frame& frame) {
                                      return frame.direction == harness::wire::Direction::kSent &&
                                             frame.bytes.find(begin) != frame.bytes.npos;
                                    });
      if (!sent || begin.empty()) continue;
      told[i] = true;
      if (how.find(deaths[i].how) == how.npos && outcome.kind != Kind::kSkipped)
        how += deaths[i].how + "\n  → " + shown(deaths[i]) + "\n";
    }
    if (how.empty()) continue;
    outcome.kind = Kind::kFailed;
    outcome.text += how;
  }
  for (std::size_t i = 0; i < deaths.size(); ++i)
    if (!told[i]) besides += deaths[i].how + "\n  → " + shown(deaths[i]) + "\n";
}

Conformance::Outcome Conformance::outcome(const std::string& id) const {
  const auto found = state_->outcomes.find(id);
  return found == state_->outcomes.end() ? Outcome{Kind::kFailed, "not played", 0} : found->second;
}

std::string Conformance::besides() const { return state_->besides; }

}  // namespace rpcspec
