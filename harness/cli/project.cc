// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/project.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "harness/base/text.h"
#include "harness/base/words.h"
#include "harness/cli/frozen.h"
#include "harness/cli/names.h"
#include "harness/cli/option_values.h"
#include "harness/json/yaml.h"
#include "harness/spec/profile.h"
#include "harness/target/description.h"
#include "harness/target/project_keys.h"
#include "reports/registry.h"

namespace harness::cli {
namespace {

namespace fs = std::filesystem;

// What stands on the right of a name, of a target or, where that says nothing, of the whole file.
// All of it has been checked.
struct Settings {
  const json::Value* own;
  const json::Value* whole = nullptr;

  const json::Value* find(const char* name) const {
    const json::Value* value = own->find(name);
    return value != nullptr || whole == nullptr ? value : whole->find(name);
  }
  std::string text(const char* name, const std::string& otherwise = "") const {
    const json::Value* value = find(name);
    return value == nullptr ? otherwise : value->text;
  }
  std::vector<std::string> texts(const char* name) const {
    const json::Value* value = find(name);
    if (value == nullptr) return {};
    if (value->is_string()) return {value->text};
    std::vector<std::string> out;
    for (const json::Value& item : value->items) out.push_back(item.text);
    return out;
  }
  // A number or a duration, as those of the command line; what it is when left out stays.
  template <class Bounds, class Slot>
  void read(const char* name, Bounds bounds, Slot& out) const {
    const json::Value* value = find(name);
    if (value == nullptr) return;
    if (const auto given = bounds.read(name, value->text)) out = static_cast<Slot>(*given);
  }
};

// What is read as those of the command line is checked as those are.
constexpr Counts kAnyCount{};
constexpr Durations kAnyTime{std::chrono::milliseconds(0), std::chrono::hours(24)};

class Reader {
 public:
  Reader(std::string file, std::string only) : file_(std::move(file)), only_(std::move(only)) {}

  Result<Project> read() {
    Result<json::Value> root = json::read_yaml_file(file_);
    if (!root) return root.error();
    root_ = std::move(*root);
    if (!root_.is_object() || root_.find("targets") == nullptr)
      return wrong(root_, "a project must have targets",
                   "write targets: {stdio: {command: [node, server.js]}}, or let `rpcspec init` "
                   "write the file");
    std::vector<target::ProjectKey> keys = target::project_keys();
    keys.insert(keys.end(), target::play_keys().begin(), target::play_keys().end());
    if (auto error = unknown_key(root_, keys, "the project")) return *error;
    if (auto error = check_members(root_, keys)) return *error;
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
                                   const std::vector<target::ProjectKey>& keys,
                                   const std::string& where) const {
    const std::vector<std::string> known = target::names_of(keys);
    for (const json::Member& member : mapping.members)
      if (std::find(known.begin(), known.end(), member.name) == known.end())
        return Error{json::place(file_, member.mark),
                     "unknown key '" + printable(member.name, 60) + "' in " + where,
                     did_you_mean(member.name, known, fmt::format("known are {}", joined(known)))};
    return std::nullopt;
  }

  // Of those that the rows know.
  std::optional<Error> check_members(const json::Value& mapping,
                                     const std::vector<target::ProjectKey>& keys) const {
    for (const target::ProjectKey& key : keys)
      if (const json::Value* value = mapping.find(key.name))
        if (auto error = check_value(*value, key)) return error;
    return std::nullopt;
  }

  std::optional<Error> check_value(const json::Value& value, const target::ProjectKey& key) const {
    const auto is_text = [](const json::Value& one) {
      return one.is_string() && !one.text.empty();
    };
    switch (key.kind) {
      case target::KeyKind::kText:
        if (is_text(value)) return std::nullopt;
        return wrong(value, fmt::format("'{}' must be text", key.name),
                     value.is_number() ? fmt::format("write '{}' in quotes", value.text) : "");
      case target::KeyKind::kTexts:
        if (is_text(value) ||
            (value.is_array() && std::all_of(value.items.begin(), value.items.end(), is_text)))
          return std::nullopt;
        return wrong(value, fmt::format("'{}' must be text, or a list of texts", key.name), "");
      case target::KeyKind::kWord:
        if (std::find(key.words.begin(), key.words.end(), value.text) != key.words.end())
          return std::nullopt;
        return wrong(value, fmt::format("'{}' is '{}'", key.name, printable(value.text, 60)),
                     fmt::format("write {}", fmt::join(key.words, " or ")));
      case target::KeyKind::kFlag:
        if (value.is_boolean()) return std::nullopt;
        return wrong(value, fmt::format("'{}' must be true or false", key.name), "");
      case target::KeyKind::kWhole: return check_bounds(value, key, Counts{key.least, key.most});
      case target::KeyKind::kTime:
        return check_bounds(
            value, key,
            Durations{std::chrono::milliseconds(key.least), std::chrono::milliseconds(key.most)});
      case target::KeyKind::kMinutes: {
        const double time = json::as_double(value) * 60'000;
        if (time >= static_cast<double>(key.least) && time <= static_cast<double>(key.most))
          return std::nullopt;
        return wrong(value,
                     fmt::format("'{}' must be a number from {:.2g} to {}", key.name,
                                 static_cast<double>(key.least) / 60'000, key.most / 60'000),
                     "");
      }
      case target::KeyKind::kMapping: break;  // read by itself
    }
    return std::nullopt;
  }

  template <class Bounds>
  std::optional<Error> check_bounds(const json::Value& value, const target::ProjectKey& key,
                                    Bounds bounds) const {
    const auto read = bounds.read(key.name, value.text);
    if (!read) return wrong(value, read.error().text(), "");
    return std::nullopt;
  }

  // Relative to the folder of the project; as it is written where that is here.
  std::string path(const std::string& written) const {
    const fs::path folder = fs::path(file_).parent_path();
    return folder.empty() || fs::path(written).is_absolute() ? written
                                                             : (folder / written).string();
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

  std::optional<Error> read_profiles(const Settings& settings,
                                     std::vector<std::string>& out) const {
    const json::Value* one = settings.own->find("profile");
    if (one != nullptr && settings.own->find("profiles") != nullptr)
      return wrong(*one, "both 'profile' and 'profiles' are set", "leave one of them out");
    const char* const key = one == nullptr ? "profiles" : "profile";
    out = settings.texts(key);
    for (std::string& name : out) {
      if (spec::find_profile("mcp-" + split_profile(name).profile))
        name = "mcp-" + name;  // a revision alone
      const std::string profile = split_profile(name).profile;
      if (profile != "auto" && !spec::find_profile(profile))
        return wrong(*settings.find(key), "there is no profile '" + printable(name, 60) + "'",
                     profile_remedy(name));
    }
    if (out.empty()) out = {"auto"};
    return std::nullopt;
  }

  RunSettings read_settings(const Settings& settings) const {
    RunSettings out;
    for (const char* name :
         {"level", "select", "exclude", "baseline", "requirements", "profiles", "surface"})
      if (const json::Value* value = settings.find(name))
        out.places[std::string("--") + name] = json::place(file_, value->mark);
    out.level = settings.text("level", out.level);
    out.select = settings.texts("select");
    // What is unknown among either is told of --select.
    if (out.select.empty() && out.places.contains("--exclude"))
      out.places["--select"] = out.places["--exclude"];
    out.exclude = settings.texts("exclude");
    if (out.places.contains("--profiles")) out.places["--profile"] = out.places["--profiles"];
    out.requirements = settings.text("requirements");
    out.expected_failures = settings.text("expected-failures");
    if (!out.expected_failures.empty()) out.expected_failures = path(out.expected_failures);
    for (const std::string& folder : settings.texts("cases")) out.cases.push_back(path(folder));
    const json::Value* strict = settings.find("strict");
    out.strict = strict != nullptr && strict->boolean;
    settings.read("timeout", kAnyTime, out.timeout);
    settings.read("max-time", kAnyTime, out.max_time);
    settings.read("jobs", kAnyCount, out.jobs);
    return out;
  }

  // {target} and {profile} stand for what is played.
  static std::string filled(std::string text, const std::string& target,
                            const std::string& profile) {
    for (const auto& [word, value] : {std::pair("{target}", target), {"{profile}", profile}})
      if (const std::size_t at = text.find(word); at != std::string::npos)
        text.replace(at, std::string_view(word).size(), value);
    return text;
  }

  std::optional<Error> read_baseline(const Settings& settings, const std::string& name,
                                     RunSettings& out) const {
    const json::Value* baseline = settings.find("baseline");
    if (baseline == nullptr) return std::nullopt;
    out.baseline = path(filled(baseline->text, name, out.profile));
    if (std::error_code ignored; fs::exists(out.baseline, ignored)) return std::nullopt;
    const std::string profile = out.profile == "auto" ? "" : " --profile " + out.profile;
    return wrong(
        *baseline, "there is no file " + printable(out.baseline),
        fmt::format("leave it out, or create it: rpcspec run --target {}{} --write-baseline {}",
                    shell_quoted(file_ + "#" + name), profile, shell_quoted(out.baseline)));
  }

  std::optional<Error> read_surface(const Settings& settings, const std::string& name,
                                    RunSettings& out) const {
    const json::Value* surface = settings.find("surface");
    if (surface == nullptr) return std::nullopt;
    out.surface = path(filled(surface->text, name, out.profile));
    if (std::error_code ignored; fs::exists(out.surface, ignored)) return std::nullopt;
    const std::string profile = out.profile == "auto" ? "" : " --profile " + out.profile;
    return wrong(*surface, "there is no file " + printable(out.surface),
                 fmt::format("leave it out, or create it: rpcspec surface --target {}{} -o {}",
                             shell_quoted(file_ + "#" + name), profile, shell_quoted(out.surface)));
  }

  // `apart`: what else of {target} and {profile} keeps its folders from those of other campaigns.
  std::optional<Error> read_fuzz(const Settings& settings, const std::string& name,
                                 const std::vector<std::string>& apart, FuzzSettings& out) const {
    const json::Value* fuzz = settings.find("fuzz");
    if (fuzz == nullptr) return std::nullopt;
    const char* const kForm = "write fuzz: {minutes: 5}";
    if (!fuzz->is_object()) return wrong(*fuzz, "'fuzz' must be a mapping", kForm);
    if (auto error = unknown_key(*fuzz, target::fuzz_keys(), "'fuzz'")) return error;
    if (auto error = check_members(*fuzz, target::fuzz_keys())) return error;
    const Settings own{fuzz};
    const json::Value* minutes = fuzz->find("minutes");
    if (minutes == nullptr) return wrong(*fuzz, "'fuzz' does not say for how many minutes", kForm);
    out.time =
        std::chrono::milliseconds(static_cast<std::int64_t>(json::as_double(*minutes) * 60'000));
    const auto folder = [&](std::string given) {
      for (const std::string& word : apart)
        if (given.find(word) == std::string::npos) given += "/" + word;
      return path(filled(given, name, out.profile));
    };
    out.findings = folder(own.text("findings", "rpcspec-findings/{target}"));
    out.corpus = own.text("corpus");
    if (!out.corpus.empty()) out.corpus = folder(out.corpus);
    own.read("seed", kAnyCount, out.seed);
    own.read("jobs", kAnyCount, out.jobs);
    own.read("rate", kAnyCount, out.rate);
    own.read("timeout", kAnyTime, out.timeout);
    return std::nullopt;
  }

  std::optional<Error> read_target(const json::Member& member, Project& out) const {
    const std::string reference = file_ + "#" + member.name;
    const Result<target::Target> target = target::load_target(reference);
    if (!target) return target.error();
    if (auto error = check_members(member.value, target::play_keys())) return error;
    const Settings settings{&member.value, &root_};
    const RunSettings common = read_settings(settings);
    std::vector<std::string> profiles;
    if (auto error = read_profiles(settings, profiles)) return error;
    std::set<std::string> fuzzed;  // frozen sets of a profile are one there
    for (const std::string& profile : profiles) fuzzed.insert(split_profile(profile).profile);
    std::vector<std::string> apart;  // campaigns of one `fuzz` have folders of their own
    if (member.value.find("fuzz") == nullptr && root_.find("targets")->members.size() > 1)
      apart.push_back("{target}");
    if (fuzzed.size() > 1) apart.push_back("{profile}");
    for (const std::string& profile : profiles) {
      RunSettings one = common;
      one.profile = profile;
      if (auto error = read_baseline(settings, member.name, one)) return error;
      if (auto error = read_surface(settings, member.name, one)) return error;
      out.runs.push_back({*target, one});
      FuzzSettings campaign;
      campaign.profile = split_profile(profile).profile;
      campaign.baseline = one.baseline;
      if (fuzzed.erase(campaign.profile) == 0) continue;
      if (auto error = read_fuzz(settings, member.name, apart, campaign)) return error;
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
