// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/fleet.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/fuzz_plan.h"
#include "harness/cli/github_output.h"
#include "harness/cli/option_values.h"
#include "harness/cli/play_project.h"
#include "harness/cli/report_settings.h"
#include "harness/cli/sdk.h"
#include "harness/json/read.h"
#include "harness/json/yaml.h"
#include "harness/suite/selection.h"
#include "reports/layout.h"
#include "reports/merge.h"
#include "reports/output.h"
#include "reports/read_json.h"
#include "reports/registry.h"

namespace harness::cli {
namespace {

namespace fs = std::filesystem;

bool is_target_file(const fs::path& path) {
  const std::string kind = path.extension();
  return kind == ".yaml" || kind == ".yml" || kind == ".json";
}

// The names of the targets that a file lists; none of a description of one.
Result<std::vector<std::string>> listed_in(const std::string& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return text.error();
  Result<json::Value> root = json::read_yaml(*text, file);
  auto as_json = json::read(*text);
  if (auto* sound = std::get_if<json::Reading>(&as_json); sound && !root) root = sound->value;
  if (!root) return root.error();
  std::vector<std::string> names;
  for (const char* key : {"mcpServers", "servers", "targets"})
    if (const json::Value* list = root->find(key); list && list->is_object() && names.empty())
      for (const json::Member& member : list->members) names.push_back(member.name);
  return names;
}

// A name that can be one of a file.
std::string file_name_of(const std::string& name) {
  std::string out;
  for (const char c : name)
    out += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' ? c : '-';
  return out.empty() ? "target" : out;
}

struct FleetMember {
  FleetTarget named;
  std::string profile;
  RunPlan plan;
  std::string report;  // its file
};

// What decides what a run says, so that reports of others are not taken for it.
std::string asked_of(const RunSettings& given) {
  return fmt::format(
      "rpcspec {}\nprofile {}\nselect {}\nexclude {}\ncases {}\nrequirements {}\nsuite {}\n"
      "level {}\nstrict {}\nquick {}\ntimeout {}\nmax-time {}\n",
      RPCSPEC_VERSION, given.profile, fmt::join(given.select, " "), fmt::join(given.exclude, " "),
      fmt::join(given.cases, " "), given.requirements, given.suite, given.level, given.strict,
      given.quick, given.timeout.count(), given.max_time.count());
}

// Makes the folder, or sees that what is in it belongs to the same run.
Status enter(const std::string& folder, const std::string& asked) {
  if (const Status fit = make_writable(folder); !fit) return fit.error();
  const std::string file = folder + "/asked.txt";
  std::error_code failed;
  if (!fs::exists(file, failed)) return reports::write_file(file, asked);
  const Result<std::string> before = read_file(file);
  if (before && *before == asked) return Nothing{};
  return Error{file, "the reports here are of a run with other options",
               "name another folder with --into, or remove this one"};
}

// The report of a target that was judged to the end; nothing where it is still to be done.
std::optional<reports::Record> judged_before(const std::string& file) {
  std::error_code failed;
  if (!fs::exists(file, failed)) return std::nullopt;
  const Result<std::string> text = read_file(file);
  if (!text) return std::nullopt;
  Result<reports::Record> record = reports::read_json(*text, file);
  if (!record) return std::nullopt;
  return std::move(*record);
}

bool is_done(const std::optional<reports::Record>& record) {
  return record && !record->cases.empty() && !record->finished.interrupted;
}

Result<std::vector<FleetMember>> members_of(const FleetOptions& given,
                                            const Invocation& invocation) {
  const Result<std::vector<FleetTarget>> fleet = read_fleet(given.targets);
  if (!fleet) return fleet.error();
  std::vector<std::string> profiles{""};
  for (const char c : given.settings.profile)
    if (c == ',')
      profiles.emplace_back();
    else
      profiles.back() += c;
  std::shared_ptr<const Library> library;
  std::vector<FleetMember> out;
  for (const FleetTarget& one : *fleet)
    for (const std::string& profile : profiles) {
      TargetOptions options = given.target;
      options.file = one.reference;
      RunSettings settings = given.settings;
      settings.shard.clear();
      settings.profile = profile;
      Result<target::Target> target = options.resolve(invocation, profile);
      if (!target) return target.error();
      Result<RunPlan> plan =
          RunPlan::make(settings, std::move(*target), invocation.program, library);
      if (!plan) return plan.error();
      if (plan->several())
        return Error{"--profile", "many targets are judged under named profiles",
                     "list them: --profile 2025-06-18,2025-11-25"};
      library = plan->loaded();
      std::string file = given.into + "/" + file_name_of(one.name);
      if (profiles.size() > 1) file += "." + file_name_of(profile);
      out.push_back({one, profile, std::move(*plan), file + ".json"});
    }
  return out;
}

class Fleet {
 public:
  Fleet(const FleetOptions& given, std::vector<FleetMember>& members)
      : given_(given), members_(members) {}

  // Judges those of the shard that are not judged yet.
  Status judge(const suite::Shard& shard) {
    std::size_t before = 0, ours = 0;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (i % shard.count != shard.index - 1) continue;
      ++ours;
      FleetMember& one = members_[i];
      if (const auto record = judged_before(one.report); is_done(record)) {
        ++before;
        note(record->finished.gate_passed ? kOk : kViolations);
        continue;
      }
      const target::Target& target = one.plan.target();
      std::fprintf(stderr, "rpcspec: %zu of %zu: %s over %s, %s\n", i + 1, members_.size(),
                   target.secrets.masked(printable(one.named.name)).c_str(),
                   target.transport_name(),
                   one.profile == "auto" ? "the profile that it negotiates" : one.profile.c_str());
      reports::Recorder recorder;
      std::string why;
      const int code = one.plan.play({&recorder}, &why);
      note(code);
      const reports::Record record = record_of(recorder, code, target, one.profile, why);
      std::fprintf(stderr, "rpcspec: %s\n", printable(record.finished.gate).c_str());
      const Status written = reports::write_all({"json=" + one.report}, record, settings(one));
      if (!written) return written.error();
      if (code == kInterrupted) break;
    }
    if (before > 0)
      std::fprintf(stderr,
                   "rpcspec: %zu of %zu were judged before; remove %s to judge them again\n",
                   before, ours, printable(given_.into).c_str());
    return Nothing{};
  }

  // Of all that was judged, whoever did it. Says how many were not.
  std::vector<reports::Record> records() const {
    std::vector<reports::Record> out;
    for (const FleetMember& one : members_) {
      std::optional<reports::Record> record = judged_before(one.report);
      if (!record) continue;
      record->name = one.named.name;
      if (members_.front().profile != members_.back().profile) record->name += "-" + one.profile;
      out.push_back(std::move(*record));
    }
    if (out.size() < members_.size())
      std::fprintf(stderr, "rpcspec: %zu of %zu are judged so far\n", out.size(), members_.size());
    return out;
  }

  reports::ReportOptions settings(const FleetMember& one) const {
    reports::ReportOptions out =
        report_settings(given_.settings.suite, one.plan.loaded()->registry);
    out.sdk = sdk_of(one.plan.target(), given_.settings.suite, one.plan.loaded()->registry);
    out.quiet = given_.quiet;
    out.verbose = given_.verbose;
    out.warnings = given_.warnings;
    return out;
  }

  int code() const { return code_; }

 private:
  void note(int code) {
    if (gravity(code) > gravity(code_)) code_ = code;
  }

  const FleetOptions& given_;
  std::vector<FleetMember>& members_;
  int code_ = kOk;
};

}  // namespace

Result<std::vector<FleetTarget>> read_fleet(const std::string& path) {
  std::vector<std::pair<std::string, std::string>> files;  // name and path
  std::error_code failed;
  if (fs::is_directory(path, failed)) {
    for (const auto& entry : fs::directory_iterator(path, failed))
      if (entry.is_directory(failed) && fs::exists(entry.path() / "target.yaml", failed))
        files.emplace_back(entry.path().filename(), entry.path() / "target.yaml");
      else if (entry.is_regular_file(failed) && is_target_file(entry.path()))
        files.emplace_back(entry.path().stem(), entry.path());
  } else {
    files.emplace_back(fs::path(path).stem(), path);
  }
  std::sort(files.begin(), files.end());
  std::vector<FleetTarget> out;
  std::set<std::string> taken;
  for (const auto& [stem, file] : files) {
    const Result<std::vector<std::string>> names = listed_in(file);
    if (!names) return names.error();
    std::vector<FleetTarget> here;
    for (const std::string& name : *names) here.push_back({name, file + "#" + name});
    if (here.empty()) here.push_back({stem, file});
    for (FleetTarget& one : here) {
      const std::string wanted = one.name;
      for (int i = 2; !taken.insert(file_name_of(one.name)).second; ++i)
        one.name = fmt::format("{}-{}", wanted, i);
      out.push_back(std::move(one));
    }
  }
  if (out.empty())
    return Error{"--targets", printable(path) + " names no target",
                 "name an mcpServers file, or a folder of target descriptions (*.yaml, *.json, "
                 "NAME/target.yaml)"};
  return out;
}

int play_fleet(const FleetOptions& given, const Invocation& invocation) {
  suite::Shard shard;
  if (!given.settings.shard.empty()) {
    const Result<suite::Shard> read = suite::read_shard(given.settings.shard);
    if (!read) return complain(read.error(), kUsage);
    shard = *read;
  }
  Result<std::vector<FleetMember>> members = members_of(given, invocation);
  if (!members) return complain(members.error(), kUsage);
  for (const std::string& report : given.reports)
    if (const auto known = reports::read_argument(report); !known)
      return complain(known.error(), kUsage);
  if (const Status fit = enter(given.into, asked_of(given.settings)); !fit)
    return complain(fit.error(), kUsage);
  Fleet fleet(given, *members);
  if (const Status judged = fleet.judge(shard); !judged) return complain(judged.error(), kUsage);
  std::vector<reports::Record> records = fleet.records();
  if (records.empty()) return fleet.code();
  std::vector<std::string> wanted = given.reports;
  const bool stdout_is_taken = takes_stdout(wanted);
  if (!stdout_is_taken) wanted.push_back(given.format);
  const std::string matrix = given.into + "/matrix.html";
  wanted.push_back("matrix=" + matrix);
  const reports::ReportOptions about = fleet.settings(members->front());
  const reports::Record whole = reports::merged(std::move(records));
  GithubOutput github(stdout_is_taken);
  if (const Status written = reports::write_all(wanted, whole, about); !written)
    return complain(written.error(), kUsage);
  github.tell(whole, about);
  std::fprintf(stderr, "rpcspec: the matrix of all is %s\n", printable(matrix).c_str());
  return fleet.code();
}

}  // namespace harness::cli
