// SPDX-License-Identifier: Apache-2.0
// rpcspec diff: where two servers, two transports of one or two builds answer the same scripts
// differently.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "fuzz/diff/accepted_differences.h"
#include "fuzz/diff/hunt.h"
#include "fuzz/diff/offered.h"
#include "fuzz/diff/sides.h"
#include "fuzz/executor/vocabulary_of.h"
#include "fuzz/seeds/seeds.h"
#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/cli/command_context.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/option_values.h"
#include "harness/cli/scripts.h"
#include "harness/json/value.h"
#include "harness/json/write.h"
#include "reports/layout.h"
#include "reports/output.h"

namespace harness::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kVariations = 200;    // when no scripts are given
constexpr std::size_t kShownOfMessage = 300;  // bytes of a message on a line

struct DiffOptions {
  ContextOptions context;
  std::string a, b, accepted, write_accepted, folder = "differences", format = "console";
  std::vector<std::string> scripts;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> execs;
};

// What is said of differences, without secrets of either target.
class Teller {
 public:
  Teller(const DiffOptions& given, const TwinContext& context, const Invocation& invocation)
      : given_(given), context_(context), program_(invocation.program) {}

  std::string masked(const std::string& text) const {
    return context_.b().secrets.masked(context_.a().secrets.masked(text));
  }

  void begin(const std::string& profile) {
    profile_ = profile;
    if (!console()) return;
    fmt::print("A  {}  ({})\nB  {}  ({})\n{}, seed {}\n", masked(printable(context_.a().name)),
               context_.a().transport_name(), masked(printable(context_.b().name)),
               context_.b().transport_name(), profile, given_.seed);
    std::fflush(stdout);
  }

  // The file with the script; the Error says why it cannot be written.
  Result<std::string> write_script(const fuzz::Divergence& one) const {
    std::error_code failed;
    fs::create_directories(given_.folder, failed);
    const std::string path = (fs::path(given_.folder) / file_name(one)).string();
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << masked(fmt::format("# A: {}\n# B: {}\n# {}\n", printable(one.difference.a),
                               printable(one.difference.b), again(path)))
         << script_text(one);
    if (!file.flush())
      return Error{path, "the script cannot be written", "name another folder with --differences"};
    return path;
  }

  std::string script_text(const fuzz::Divergence& one) const {
    fuzz::Script script = one.script;
    script.profile = profile_;
    return masked(fuzz::write_script(script));
  }

  std::string again(const std::string& path) const {
    return masked(fmt::format("{} diff{} --a {} --b {} {}", shell_quoted(program_),
                              given_.context.again(profile_), shell_quoted(context_.a().spec),
                              shell_quoted(context_.b().spec), shell_quoted(path)));
  }

  void tell(const fuzz::Divergence& one, const std::string& path) const {
    if (!console() || !one.reason.empty()) return;
    std::string out = "\n" + printable(one.signature) + "\n";
    const bool lawful = one.breaks_a.empty() && one.breaks_b.empty();
    const auto side = [&](const char* name, const std::string& said,
                          const std::vector<fuzz::Problem>& breaks) {
      out += fmt::format("      {}       {}\n", name, printable(said));
      for (const fuzz::Problem& problem : breaks)
        out += fmt::format("              breaks {} {}: expected {}; seen {}\n", level(problem),
                           problem.finding.requirement, printable(problem.finding.expected, 200),
                           printable(problem.finding.seen, 200));
    };
    side("A", one.difference.a, one.breaks_a);
    side("B", one.difference.b, one.breaks_b);
    if (lawful) out += "      both are allowed, as far as they are judged\n";
    out += fmt::format("      script  {}\n", shown(one));
    out += fmt::format("      again   {}\n", again(path));
    std::fputs(masked(out).c_str(), stdout);
    std::fflush(stdout);
  }

  void finish(const fuzz::Hunt& hunt, const std::vector<std::string>& stale) const {
    if (!console()) return;
    std::size_t accepted = 0;
    for (const fuzz::Divergence& one : hunt.found()) accepted += !one.reason.empty();
    if (accepted > 0) fmt::print("\naccepted before\n");
    for (const fuzz::Divergence& one : hunt.found())
      if (!one.reason.empty())
        fmt::print("      {} ({})\n", masked(printable(one.signature)),
                   masked(printable(one.reason)));
    if (!stale.empty()) fmt::print("\naccepted, but no longer there\n");
    for (const std::string& text : stale) fmt::print("      {}\n", masked(text));
    const std::size_t open = hunt.found().size() - accepted;
    std::string out = fmt::format(
        "\n{} on both: {}", reports::counted(hunt.scripts(), "script", "scripts"),
        open == 0 ? "no difference" : reports::counted(open, "difference", "differences"));
    if (hunt.beyond() > 0)
      out += fmt::format(", {} not examined",
                         reports::counted(hunt.beyond(), "more was", "more were"));
    if (accepted > 0) out += fmt::format(", {} accepted", accepted);
    if (!stale.empty()) out += fmt::format(", {} accepted but no longer there", stale.size());
    if (!hunt.flaky().empty())
      out += fmt::format("; {} more did not repeat on fresh sessions of both", hunt.flaky().size());
    if (hunt.left_out() > 0)
      out += fmt::format("; {} not mean the same on both",
                         reports::counted(hunt.left_out(), "script does", "scripts do"));
    fmt::print("{}\n", out);
  }

  std::string json(const fuzz::Hunt& hunt, const std::vector<std::string>& paths,
                   const std::vector<std::string>& stale, bool same) const {
    const auto count = [](std::uint64_t number) {
      return json::number_spelled(std::to_string(number));
    };
    const auto text = [&](const std::string& bytes) {
      return json::string(masked(is_utf8(bytes) ? bytes : printable(bytes, bytes.size())));
    };
    const auto target = [&](const target::Target& one) {
      return json::object({{"name", text(one.name)},
                           {"transport", json::string(one.transport_name())},
                           {"spec", text(one.spec)}});
    };
    const auto side = [&](const std::string& said, const std::vector<fuzz::Problem>& breaks) {
      json::Value all = json::array();
      for (const fuzz::Problem& problem : breaks)
        all.items.push_back(json::object({{"requirement", text(problem.finding.requirement)},
                                          {"level", json::string(level(problem))},
                                          {"expected", text(problem.finding.expected)},
                                          {"seen", text(problem.finding.seen)}}));
      return json::object({{"said", text(said)}, {"breaks", std::move(all)}});
    };
    json::Value differences = json::array();
    for (std::size_t i = 0; i < hunt.found().size(); ++i) {
      const fuzz::Divergence& one = hunt.found()[i];
      json::Value item =
          json::object({{"signature", text(one.signature)},
                        {"a", side(one.difference.a, one.breaks_a)},
                        {"b", side(one.difference.b, one.breaks_b)},
                        {"lawful", json::boolean(one.breaks_a.empty() && one.breaks_b.empty())},
                        {"scripts", count(one.scripts)},
                        {"script", text(script_text(one))},
                        {"file", text(paths[i])},
                        {"replay", text(again(paths[i]))}});
      if (!one.reason.empty()) item.set("accepted", text(one.reason));
      differences.items.push_back(std::move(item));
    }
    const auto texts = [&](const auto& list) {
      json::Value out = json::array();
      for (const std::string& one : list) out.items.push_back(text(one));
      return out;
    };
    return json::write_pretty(json::object({{"format", json::string("rpcspec-diff/1")},
                                            {"rpcspec", json::string(RPCSPEC_VERSION)},
                                            {"a", target(context_.a())},
                                            {"b", target(context_.b())},
                                            {"profile", json::string(profile_)},
                                            {"seed", count(given_.seed)},
                                            {"same", json::boolean(same)},
                                            {"scripts", count(hunt.scripts())},
                                            {"left_out", count(hunt.left_out())},
                                            {"not_looked_into", count(hunt.beyond())},
                                            {"differences", std::move(differences)},
                                            {"flaky", texts(hunt.flaky())},
                                            {"stale", texts(stale)}}));
  }

 private:
  bool console() const { return given_.format == "console"; }

  static const char* level(const fuzz::Problem& problem) {
    return problem.finding.severity == oracle::Severity::kFail ? "a MUST," : "a SHOULD,";
  }

  // "tools-call-echo-1a2b3c4d.script"
  static std::string file_name(const fuzz::Divergence& one) {
    std::string name;
    for (const char c : one.difference.asked.text().substr(0, 40)) {
      if (ascii::is_alphanumeric(c))
        name += c;
      else if (!name.empty() && name.back() != '-')
        name += '-';
    }
    while (name.ends_with('-')) name.pop_back();
    std::uint64_t h = 0xCBF29CE484222325u;
    for (const unsigned char c : one.signature) h = (h ^ c) * 0x100000001B3u;
    return fmt::format("{}{}{:08x}.script", name, name.empty() ? "" : "-", h >> 32);
  }

  // The message where there is one, else how many steps.
  static std::string shown(const fuzz::Divergence& one) {
    if (one.script.steps.size() == 1)
      if (const auto* frame = std::get_if<fuzz::Frame>(&one.script.steps.front());
          frame != nullptr && frame->delivery.usual())
        return printable(frame->bytes, kShownOfMessage);
    return reports::counted(one.script.steps.size(), "step", "steps");
  }

  const DiffOptions& given_;
  const TwinContext& context_;
  std::string program_, profile_;
};

std::vector<fuzz::Accepted> accepted_in(const fuzz::Hunt& hunt, const Teller& teller) {
  std::vector<fuzz::Accepted> out;
  for (const fuzz::Divergence& one : hunt.found())
    out.push_back({teller.masked(one.signature), one.reason, teller.script_text(one), ""});
  return out;
}

int diff_command(const DiffOptions& given, const Invocation& invocation) {
  if (invocation.has_target_command)
    return complain(Error{"--", "each of the two targets is one argument here",
                          "write --a '-- COMMAND ARG...' --b '-- COMMAND ARG...'"},
                    kUsage);
  if (given.format != "console" && given.format != "json")
    return complain(Error{"--format", "there is no format `" + printable(given.format, 60) + "`",
                          "use console or json"},
                    kUsage);
  Result<std::vector<NamedScript>> scripts = read_scripts(given.scripts);
  if (!scripts) return complain(scripts.error(), kUsage);
  fuzz::AcceptedDifferences known;
  if (!given.accepted.empty()) {
    Result<fuzz::AcceptedDifferences> loaded = fuzz::AcceptedDifferences::load(given.accepted);
    if (!loaded) return complain(loaded.error(), kUsage);
    known = std::move(*loaded);
  }
  if (const Status writable = reports::can_be_written(given.write_accepted); !writable)
    return complain(writable.error(), kUsage);
  Result<TwinContext> context =
      TwinContext::set(given.a, given.b, given.context, *scripts, invocation);
  if (!context) return complain(context.error(), kUsage);
  for (const target::Target* one : {&context->a(), &context->b()})
    for (const std::string& warning : one->warnings)
      std::fprintf(stderr, "rpcspec: WARNING: %s\n", warning.c_str());

  Teller teller(given, *context, invocation);
  return context->play([&](fuzz::FuzzTarget& a,
                           fuzz::FuzzTarget& b) -> session::awaitable<Result<int>> {
    teller.begin(a.profile().name);
    fuzz::Sides sides({a, context->a()}, {b, context->b()});
    const fuzz::HuntLimits limits;
    fuzz::Hunt hunt(sides, context->registry(), known, limits);
    std::vector<std::string> paths;
    std::optional<Error> unwritten;
    hunt.tell([&](const fuzz::Divergence& one) {
      Result<std::string> path = teller.write_script(one);
      paths.push_back(path ? *path : "");
      if (!path)
        unwritten = path.error();
      else
        teller.tell(one, *path);
    });

    const fuzz::Vocabulary vocabulary = fuzz::vocabulary_of(a, context->a(), b.offer().forbidden);
    std::vector<fuzz::Script> all;
    for (NamedScript& one : *scripts) all.push_back(std::move(one.script));
    const bool usual = all.empty();
    if (usual) {
      all = fuzz::offered_scripts(vocabulary);
      for (fuzz::Scenario& one : fuzz::seeds(context->suite(), context->registry(), a.profile()))
        all.push_back(std::move(one.script));
      hunt.look_at_offers();
    }
    const Status ledger_seen = co_await hunt.check_accepted();
    if (!ledger_seen) co_return ledger_seen.error();
    for (const fuzz::Script& script : all) {
      const Status looked = co_await hunt.look_at(script);
      if (!looked) co_return looked.error();
      if (unwritten) break;
    }
    const std::uint64_t count = unwritten ? 0 : given.execs.value_or(usual ? kVariations : 0);
    const Status varied = co_await hunt.vary_from(all, vocabulary, given.seed, count);
    if (!varied) co_return varied.error();
    if (unwritten) {
      const int code = complain(*unwritten, kUsage);
      co_return code;
    }

    const std::vector<std::string> stale = known.stale(usual && !given.execs && given.seed == 1);
    bool same = stale.empty();
    for (const fuzz::Divergence& one : hunt.found()) same &= !one.reason.empty();
    teller.finish(hunt, stale);
    if (given.format == "json") fmt::print("{}\n", teller.json(hunt, paths, stale, same));
    if (!given.write_accepted.empty()) {
      const Status written =
          reports::write_file(given.write_accepted, fuzz::accepted_text(accepted_in(hunt, teller)));
      if (!written) {
        const int code = complain(written.error(), kUsage);
        co_return code;
      }
    }
    const int code = same ? kOk : kViolations;
    co_return code;
  });
}

}  // namespace

Command command_diff(const Invocation& invocation) {
  auto options = std::make_shared<DiffOptions>();
  Command command{"diff", "Compare how two servers answer the same scripts"};
  command.add({
      {"--a", &options->a},
      {"--b", &options->b},
      {"script", &options->scripts},
      {"--execs", within(Counts{0, kMostExecs}, options->execs)},
      option("--seed", within(Counts{}, options->seed), {.usual = std::to_string(options->seed)}),
      {"--accepted", &options->accepted},
      {"--write-accepted", &options->write_accepted},
      {"--differences", &options->folder},
      {"--format", &options->format},
  });
  options->context.add_all_but_target_to(command);
  command.action = [options, &invocation] { return diff_command(*options, invocation); };
  return command;
}

}  // namespace harness::cli
