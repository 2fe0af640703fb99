// SPDX-License-Identifier: Apache-2.0
// rpcspec list: what there is, by kind.
#include <fmt/format.h>

#include "fuzz/mutate/mutator.h"
#include "harness/base/text.h"
#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/pages.h"
#include "harness/json/write.h"
#include "harness/match/matcher.h"
#include "harness/oracle/oracle.h"
#include "harness/reference/faults.h"
#include "harness/results/case_findings.h"
#include "harness/run/schedule.h"
#include "harness/spec/profile.h"
#include "harness/suite/reference_page.h"
#include "reports/registry.h"

namespace harness::cli {
namespace {

struct ListOptions {
  std::string kind, format = "text", suite, profile, transport;
  std::vector<std::string> cases;
};

// One thing listed: its name, a line about it, and what JSON adds.
struct Item {
  std::string name;
  std::string help;
  json::Value more = json::object();
};

json::Value strings(const std::vector<std::string>& texts) {
  json::Value list = json::array();
  for (const std::string& text : texts) list.items.push_back(json::string(text));
  return list;
}

Result<std::vector<Item>> case_items(const ListOptions& options) {
  const Result<Library> library = load_library(options.suite, options.cases);
  if (!library) return library.error();
  // Without a profile all of them; without a transport those that apply over any.
  const spec::Profile* profile = nullptr;
  if (!options.profile.empty()) profile = spec::find_profile(options.profile);
  const auto applies = [&](const suite::Case& scenario) {
    for (const wire::TransportTraits& traits : wire::kTransports) {
      if (!traits.of_targets || (!options.transport.empty() && options.transport != traits.name))
        continue;
      if (profile ? run::meant_for(scenario, *profile, traits.kind) &&
                        run::cited(scenario.covers, library->registry, *profile, traits.kind)
                  : scenario.transports.has(traits.kind))
        return true;
    }
    return false;
  };
  std::vector<Item> items;
  for (const suite::Case& scenario : library->suite.cases) {
    if (!applies(scenario)) continue;
    // Like the profiles: a case that is played over all of them names none.
    const wire::TransportSet over =
        scenario.transports.is_all() ? wire::TransportSet() : scenario.transports;
    items.push_back({scenario.id, scenario.title,
                     json::object({{"covers", strings(scenario.covers)},
                                   {"profiles", strings(scenario.profiles)},
                                   {"transports", strings(over.words())},
                                   {"falsified_by", strings(scenario.falsified_by)}})});
  }
  return items;
}

Result<std::vector<Item>> requirement_items(const ListOptions& options) {
  const Result<spec::Registry> registry = load_registry(options.suite);
  if (!registry) return registry.error();
  const Result<spec::Official> official = load_official(options.suite, *registry);
  if (!official) return official.error();
  std::vector<Item> items;
  for (const spec::Requirement& requirement : registry->all()) {
    items.push_back(
        {requirement.id,
         fmt::format("{}: {}", spec::level_name(requirement.level), requirement.statement),
         json::object({{"level", json::string(spec::level_name(requirement.level))},
                       {"revisions", strings(requirement.revisions)},
                       {"transports", strings(requirement.transports.words())},
                       {"source", json::string(requirement.source)},
                       {"observable", json::string(requirement.observable)},
                       {"follows", strings(ids_of(requirement.follows))}})});
    std::vector<std::string> family;
    if (requirement.one_with) family = ids_of(requirement.one_with->others);
    items.back().more.set("one_with", strings(family));
    json::Value seps = json::array(), checks = json::array();
    if (const auto found = official->clauses.find(requirement.id);
        found != official->clauses.end()) {
      for (const int sep : found->second.seps) seps.items.push_back(json::number(sep));
      checks = strings(found->second.checks);
    }
    items.back().more.set("seps", std::move(seps));
    items.back().more.set("official_checks", std::move(checks));
  }
  return items;
}

Result<std::vector<Item>> profile_items(const ListOptions&) {
  std::vector<Item> items;
  for (const spec::Profile& profile : spec::profiles())
    items.push_back({profile.name, profile.title});
  return items;
}

Result<std::vector<Item>> method_items(const ListOptions&) {
  std::vector<Item> items;
  for (const spec::MessageRow& message : spec::protocol().messages()) {
    std::vector<std::string> capabilities;
    for (const spec::Named& one : message.capability) capabilities.push_back(one.text);
    std::vector<std::string> profiles;
    for (const spec::Profile& profile : spec::profiles())
      if (message.reach.has(profile)) profiles.push_back(profile.name);
    items.push_back({message.name, fmt::format("{}, {}", kind_of(message), span_of(message.reach)),
                     json::object({{"notification", json::boolean(message.notification)},
                                   {"from_client", json::boolean(message.from_client())},
                                   {"from_server", json::boolean(message.from_server())},
                                   {"capabilities", strings(capabilities)},
                                   {"profiles", strings(profiles)}})});
  }
  return items;
}

Result<std::vector<Item>> matcher_items(const ListOptions&) {
  std::vector<Item> items;
  for (const match::MatcherHelp& matcher : match::matchers())
    items.push_back({matcher.form, matcher.help});
  return items;
}

Result<std::vector<Item>> action_items(const ListOptions&) {
  std::vector<Item> items;
  for (const suite::ActionRow& action : suite::actions())
    items.push_back({suite::form_of(action), suite::summary_of(action),
                     json::object({{"example", json::string(action.example)}})});
  return items;
}

Result<std::vector<Item>> oracle_items(const ListOptions&) {
  std::vector<Item> items;
  for (const oracle::Oracle& one : oracle::oracles())
    items.push_back({one.name, one.help,
                     json::object({{"covers", strings(one.covers)},
                                   {"falsified_by", strings(one.falsified_by)}})});
  return items;
}

Result<std::vector<Item>> mutator_items(const ListOptions&) {
  std::vector<Item> items;
  for (const fuzz::Mutator& one : fuzz::mutators())
    items.push_back({one.name, fmt::format("{}: {}", fuzz::level_name(one.level), one.help),
                     json::object({{"level", json::string(fuzz::level_name(one.level))},
                                   {"weight", json::number(one.weight)}})});
  return items;
}

Result<std::vector<Item>> reporter_items(const ListOptions&) {
  std::vector<Item> items;
  for (const reports::Format& format : reports::formats())
    items.push_back({format.name, format.help});
  return items;
}

Result<std::vector<Item>> fault_items(const ListOptions&) {
  std::vector<Item> items;
  for (const auto& fault : reference::fault_rows())
    items.push_back({fault.name, fault.help, reference::details_of(fault)});
  return items;
}

constexpr struct {
  const char* name;
  Result<std::vector<Item>> (*items)(const ListOptions&);
} kKinds[] = {
    {"cases", case_items},     {"requirements", requirement_items}, {"profiles", profile_items},
    {"actions", action_items}, {"matchers", matcher_items},         {"oracles", oracle_items},
    {"methods", method_items}, {"mutators", mutator_items},         {"reporters", reporter_items},
    {"faults", fault_items},
};

int list(const ListOptions& options) {
  std::vector<std::string> names;
  if (options.kind != "cases" && !(options.profile.empty() && options.transport.empty()))
    return complain(Error{"list", "--profile and --transport select cases", "leave them out"},
                    kUsage);
  for (const auto& kind : kKinds) {
    names.push_back(kind.name);
    if (options.kind != kind.name) continue;
    Result<std::vector<Item>> items = kind.items(options);
    if (!items) return complain(items.error(), kUsage);
    std::string out;
    if (options.format == "json") {
      json::Value all = json::array();
      for (Item& item : *items) {
        json::Value one =
            json::object({{"id", json::string(item.name)}, {"help", json::string(item.help)}});
        for (json::Member& member : item.more.members)
          one.set(member.name, std::move(member.value));
        all.items.push_back(std::move(one));
      }
      out = json::write_pretty(all) + "\n";
    } else {
      std::size_t width = 0;
      for (const Item& item : *items)
        width = std::max(width, std::min<std::size_t>(item.name.size(), 48));
      for (const Item& item : *items)
        out += fmt::format("{:<{}}  {}\n", item.name, width, item.help);
    }
    std::fwrite(out.data(), 1, out.size(), stdout);
    return kOk;
  }
  const std::string near = nearest(options.kind, names);
  return complain(Error{"list", "there is no kind `" + options.kind + "`",
                        near.empty() ? fmt::format("use one of {}", fmt::join(names, ", "))
                                     : "did you mean `" + near + "`?"},
                  kUsage);
}

}  // namespace

Command command_list(const Invocation&) {
  auto options = std::make_shared<ListOptions>();
  std::vector<std::string> transports;
  for (const wire::TransportTraits& traits : wire::kTransports)
    if (traits.of_targets) transports.push_back(traits.name);
  Command command{"list", "List cases, requirements, profiles, oracles and more"};
  command.add({
      {"kind", &options->kind},
      {"--format", &options->format},
      {"--cases", &options->cases},
      {"--suite", &options->suite},
      {"--profile", &options->profile},
      option("--transport", &options->transport, {.words = transports}),
  });
  command.action = [options] { return list(*options); };
  return command;
}

}  // namespace harness::cli
