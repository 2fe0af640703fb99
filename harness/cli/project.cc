// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/project.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "harness/base/text.h"
#include "harness/cli/frozen.h"
#include "harness/cli/names.h"
#include "harness/cli/option_values.h"
#include "harness/json/yaml.h"
#include "harness/spec/profile.h"
#include "harness/target/description.h"
#include "reports/registry.h"

namespace harness::cli {
namespace {

namespace fs = std::filesystem;

// What stands on the right of a name, of a target or, where that says nothing, of the whole file.
struct Settings {
  const json::Value* own;
  const json::Value* whole;
  const json::Value* find(const char* name) const {
    const json::Value* value = own->find(name);
    return value != nullptr ? value : whole->find(name);
  }
};

class Reader {
 public:
  Reader(std::string file, std::string only) : file_(std::move(file)), only_(std::move(only)) {}

  Result<Project> read() {
    Result<json::Value> root = json::read_yaml_file(file_);
    if (!root) return root.error();
    root_ = std::move(*root);
    if (!root_.is_object() || root_.find("targets") == nullptr)
      return wrong(root_, "a project names its targets",
                   "write targets: {stdio: {command: [node, server.js]}}, or let `rpcspec init` "
                   "write the file");
    std::vector<std::string> known = target::play_keys();
    known.insert(known.end(), {"targets", "reports"});
    if (auto error = unknown_key(root_, known, "the project")) return *error;
    const json::Value& targets = *root_.find("targets");
    if (!targets.is_object() || targets.members.empty())
      return wrong(targets, "'targets' must be a mapping of names to target descriptions",
                   "write targets: {stdio: {command: [node, server.js]}}");
    if (!only_.empty() && targets.find(only_) == nullptr)
      return wrong(targets, "the project has no target '" + printable(only_, 60) + "'",
                   did_you_mean(only_, names(targets), "see what it lists"));
    Project out;
    out.file = file_;
    if (auto error = read_reports(out)) return *error;
    for (const json::Member& member : targets.members)
      if (only_.empty() || member.name == only_)
        if (auto error = read_target(member, out)) return *error;
    return out;
  }

 private:
  Error wrong(const json::Value& value, std::string what, std::string remedy) const {
    return json::wrong_at(file_, value, std::move(what), std::move(remedy));
  }

  static std::vector<std::string> names(const json::Value& mapping) {
    std::vector<std::string> out;
    for (const json::Member& member : mapping.members) out.push_back(member.name);
    return out;
  }

  std::optional<Error> unknown_key(const json::Value& mapping,
                                   const std::vector<std::string>& known,
                                   const std::string& where) const {
    for (const json::Member& member : mapping.members)
      if (std::find(known.begin(), known.end(), member.name) == known.end())
        return Error{json::place(file_, member.mark),
                     "unknown key '" + printable(member.name, 60) + "' in " + where,
                     did_you_mean(member.name, known, fmt::format("known are {}", joined(known)))};
    return std::nullopt;
  }

  static std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
    return out;
  }

  // Relative to the folder of the project; as it is written where that is here.
  std::string path(const std::string& written) const {
    const fs::path folder = fs::path(file_).parent_path();
    return folder.empty() || fs::path(written).is_absolute() ? written
                                                             : (folder / written).string();
  }

  std::optional<Error> read_text(const json::Value* value, const char* name,
                                 std::string& out) const {
    if (value == nullptr) return std::nullopt;
    if (!value->is_string() || value->text.empty())
      return wrong(*value, fmt::format("'{}' must be text", name), "");
    out = value->text;
    return std::nullopt;
  }

  // One text, or a list of texts.
  std::optional<Error> read_list(const json::Value* value, const char* name,
                                 std::vector<std::string>& out) const {
    if (value == nullptr) return std::nullopt;
    const auto add = [&](const json::Value& one) {
      out.push_back(one.text);
      return one.is_string() && !one.text.empty();
    };
    bool fits = value->is_array() || add(*value);
    for (const json::Value& item : value->items) fits &= add(item);
    if (fits) return std::nullopt;
    return wrong(*value, fmt::format("'{}' must be text, or a list of texts", name), "");
  }

  std::optional<Error> read_flag(const json::Value* value, const char* name, bool& out) const {
    if (value == nullptr) return std::nullopt;
    if (!value->is_boolean())
      return wrong(*value, fmt::format("'{}' must be true or false", name), "");
    out = value->boolean;
    return std::nullopt;
  }

  // A number or a duration within bounds, read as those of the command line.
  template <class Bounds, class Slot>
  std::optional<Error> read_bounded(const json::Value* value, const char* name, Bounds bounds,
                                    Slot& out) const {
    if (value == nullptr) return std::nullopt;
    try {
      out = static_cast<Slot>(bounds.read(name, value->text));
    } catch (const CLI::ValidationError& failure) {
      return wrong(*value, failure.what(), "");
    }
    return std::nullopt;
  }

  std::optional<Error> read_reports(Project& out) const {
    const json::Value* reports = root_.find("reports");
    if (reports == nullptr) return std::nullopt;
    if (!reports->is_object())
      return wrong(*reports, "'reports' must be a mapping of formats to files",
                   "write reports: {html: report.html, junit: report.xml}");
    for (const json::Member& member : reports->members) {
      if (!member.value.is_string() || member.value.text.empty())
        return wrong(member.value, "the report '" + printable(member.name, 60) + "' names no file",
                     "write html: report.html");
      const std::string file = path(member.value.text);
      const auto wanted = reports::read_argument(member.name + "=" + file);
      if (!wanted)
        return Error{json::place(file_, member.mark), wanted.error().what, wanted.error().remedy};
      out.reports.push_back(member.name + "=" + file);
    }
    return std::nullopt;
  }

  std::optional<Error> read_profiles(const Settings& settings, const target::Target& target,
                                     std::vector<std::string>& out) const {
    const json::Value* profiles = settings.find("profiles");
    if (const json::Value* one = settings.own->find("profile")) {
      if (settings.own->find("profiles") != nullptr)
        return wrong(*one, "there is 'profile', and 'profiles' as well", "leave one of them out");
      profiles = one;
    }
    if (auto error = read_list(profiles, "profiles", out)) return error;
    for (std::string& name : out) {
      if (spec::find_profile("mcp-" + split_profile(name).profile))
        name = "mcp-" + name;  // a revision alone
      const std::string profile = split_profile(name).profile;
      if (profile != "auto" && !spec::find_profile(profile))
        return wrong(*profiles, "there is no profile '" + printable(name, 60) + "'",
                     profile_remedy(name));
    }
    if (!out.empty()) return std::nullopt;
    const std::string described = target.profile.empty() ? "auto" : target.profile;
    const Result<std::vector<std::string>> names = profiles_in(described, "");
    const json::Value* written = settings.own->find("profile");
    if (!names) return wrong(*written, names.error().what, names.error().remedy);
    out = *names;
    return std::nullopt;
  }

  std::optional<Error> read_settings(const Settings& settings, RunSettings& out) const {
    for (const char* name : {"level", "select", "exclude", "baseline", "requirements", "profiles"})
      if (const json::Value* value = settings.find(name))
        out.places[std::string("--") + name] = json::place(file_, value->mark);
    if (auto error = read_text(settings.find("level"), "level", out.level)) return error;
    if (auto error = read_list(settings.find("select"), "select", out.select)) return error;
    // What is unknown among either is told of --select.
    if (out.select.empty() && out.places.contains("--exclude"))
      out.places["--select"] = out.places["--exclude"];
    if (auto error = read_list(settings.find("exclude"), "exclude", out.exclude)) return error;
    if (out.places.contains("--profiles")) out.places["--profile"] = out.places["--profiles"];
    if (auto error = read_text(settings.find("requirements"), "requirements", out.requirements))
      return error;
    if (auto error = read_text(settings.find("expected-failures"), "expected-failures",
                               out.expected_failures))
      return error;
    if (!out.expected_failures.empty()) out.expected_failures = path(out.expected_failures);
    if (auto error = read_list(settings.find("cases"), "cases", out.cases)) return error;
    for (std::string& folder : out.cases) folder = path(folder);
    if (auto error = read_flag(settings.find("strict"), "strict", out.strict)) return error;
    if (auto error = read_bounded(settings.find("timeout"), "timeout", kTimeouts, out.timeout))
      return error;
    constexpr Durations kLoss{std::chrono::milliseconds(0), std::chrono::hours(24)};
    if (auto error = read_bounded(settings.find("max-time"), "max-time", kLoss, out.max_time))
      return error;
    return read_bounded(settings.find("jobs"), "jobs", Counts{1, 64}, out.jobs);
  }

  // {target} and {profile} stand for what is played.
  std::optional<Error> read_baseline(const Settings& settings, const std::string& name,
                                     RunSettings& out) const {
    const json::Value* baseline = settings.find("baseline");
    if (auto error = read_text(baseline, "baseline", out.baseline)) return error;
    if (baseline == nullptr) return std::nullopt;
    for (const auto& [word, value] : {std::pair("{target}", name), {"{profile}", out.profile}})
      if (const std::size_t at = out.baseline.find(word); at != std::string::npos)
        out.baseline.replace(at, std::string_view(word).size(), value);
    out.baseline = path(out.baseline);
    if (std::error_code ignored; fs::exists(out.baseline, ignored)) return std::nullopt;
    const std::string profile = out.profile == "auto" ? "" : " --profile " + out.profile;
    return wrong(
        *baseline, "there is no file " + printable(out.baseline),
        fmt::format("leave it out, or write it: rpcspec run --target {}{} "
                    "--write-baseline {}",
                    shell_quoted(file_ + "#" + name), profile, shell_quoted(out.baseline)));
  }

  std::optional<Error> read_fuzz(const Settings& settings, const std::string& name,
                                 FuzzSettings& out) const {
    const json::Value* fuzz = settings.find("fuzz");
    if (fuzz == nullptr) return std::nullopt;
    const char* const kForm = "write fuzz: {minutes: 5}";
    if (!fuzz->is_object()) return wrong(*fuzz, "'fuzz' must be a mapping", kForm);
    if (auto error = unknown_key(
            *fuzz, {"minutes", "findings", "corpus", "seed", "jobs", "rate", "timeout"}, "'fuzz'"))
      return error;
    const json::Value* minutes = fuzz->find("minutes");
    const double time = minutes == nullptr ? 0 : json::as_double(*minutes);
    if (minutes == nullptr || !(time >= 1.0 / 60) || time > 60 * 24 * 100)
      return wrong(minutes == nullptr ? *fuzz : *minutes,
                   "'minutes' of 'fuzz' must be a number from 0.02 to 144000", kForm);
    out.time = std::chrono::milliseconds(static_cast<std::int64_t>(time * 60'000));
    out.findings = fmt::format("rpcspec-findings/{}", name);
    if (auto error = read_text(fuzz->find("findings"), "findings", out.findings)) return error;
    out.findings = path(out.findings);
    if (auto error = read_text(fuzz->find("corpus"), "corpus", out.corpus)) return error;
    if (!out.corpus.empty()) out.corpus = path(out.corpus);
    if (auto error = read_bounded(fuzz->find("seed"), "seed", Counts{1}, out.seed)) return error;
    if (auto error = read_bounded(fuzz->find("jobs"), "jobs", Counts{1, 64}, out.jobs))
      return error;
    if (auto error = read_bounded(fuzz->find("rate"), "rate", Counts{1, 1'000'000}, out.rate))
      return error;
    return read_bounded(fuzz->find("timeout"), "timeout", kTimeouts, out.timeout);
  }

  std::optional<Error> read_target(const json::Member& member, Project& out) const {
    const std::string reference = file_ + "#" + member.name;
    const Result<target::Target> target = target::load_target(reference);
    if (!target) return target.error();
    const Settings settings{&member.value, &root_};
    RunSettings common;
    if (auto error = read_settings(settings, common)) return error;
    std::vector<std::string> profiles;
    if (auto error = read_profiles(settings, *target, profiles)) return error;
    for (const std::string& profile : profiles) {
      RunSettings one = common;
      one.profile = profile;
      if (auto error = read_baseline(settings, member.name, one)) return error;
      out.runs.push_back({*target, one});
      FuzzSettings campaign;
      campaign.profile = split_profile(profile).profile;
      if (auto error = read_fuzz(settings, member.name, campaign)) return error;
      if (campaign.time.count() > 0)
        out.campaigns.push_back(
            {*target, campaign, json::place(file_, settings.find("fuzz")->mark)});
    }
    return std::nullopt;
  }

  std::string file_, only_;
  json::Value root_;
};

}  // namespace

Result<Project> read_project(const std::string& reference) {
  std::string file = reference, only;
  std::error_code ignored;
  if (const auto hash = reference.rfind('#');
      hash != std::string::npos && !fs::exists(reference, ignored)) {
    file = reference.substr(0, hash);
    only = reference.substr(hash + 1);
  }
  return Reader(std::move(file), std::move(only)).read();
}

}  // namespace harness::cli
