// SPDX-License-Identifier: Apache-2.0
// What holds for the built-in suite as a whole and no single case can show: ids that do not meet on
// a shared session, clauses that somebody looks after, outcome sets that end, affordances that an
// operator can find out about. It stands here because this is the first module that sees suite and
// oracles both.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"
#include "harness/match/table.h"
#include "harness/oracle/oracle.h"
#include "harness/results/case_findings.h"
#include "harness/results/reply.h"
#include "harness/spec/profile.h"
#include "harness/suite/loader.h"
#include "harness/suite/references.h"
#include "harness/suite/testing.h"
#include "harness/wire/message.h"

namespace harness::run {
namespace {

using testing::IsEmpty;

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// --- ids

// Columns of one row and nothing else: what stands for something new each time stays a reference.
class Columns final : public suite::Scope {
 public:
  explicit Columns(const json::Value& row) : row_(row) {}
  std::optional<json::Value> find(const std::vector<std::string>& path) const override {
    if (const json::Value* column = row_.find(path.front())) return suite::walk(*column, path, 1);
    return json::string(kFresh);
  }
  bool written_in_case(const std::string& root) const override {
    return row_.find(root) != nullptr;
  }

  std::string text(const std::string& reference) const {
    const auto value = suite::expand(json::string(reference), *this);
    return value ? value->text : "";
  }

  static constexpr const char* kFresh = "<fresh>";

 private:
  const json::Value& row_;
};

class Ids {
 public:
  // Of a message: the id a server will see, unless it is the answer to a request of the server.
  void of_message(const json::Value& message) {
    if (message.is_array())
      for (const json::Value& item : message.items) of_message(item);
    if (!message.is_object() || message.find("result") || message.find("error")) return;
    if (const json::Value* id = message.find("id")) add(*id);
  }
  void of_text(const std::string& text) {
    const wire::Message message = wire::read_message(text);
    if (message.is_json) return of_message(message.value);
    static const re2::RE2 kId(R"re("id"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*))re");
    re2::StringPiece rest(text);
    for (std::string token; re2::RE2::FindAndConsume(&rest, kId, &token);) {
      const auto value = json::read(token);
      if (const auto* id = std::get_if<json::Reading>(&value)) add(id->value);
    }
  }
  void of_steps(const std::vector<suite::Step>& steps, const Columns& columns) {
    for (const suite::Step& step : steps)
      std::visit(suite::Overloaded{
                     [&](const suite::Pipelined& pipelined) { of_steps(pipelined.steps, columns); },
                     [&](const suite::Call& call) {
                       if (call.id) of_value(*call.id, columns);
                     },
                     [&](const suite::Send& send) {
                       const auto message = suite::expand(send.message, columns);
                       if (message) of_message(*message);
                     },
                     [&](const suite::Frame& frame) { of_pieces(frame.text, columns); },
                     [&](const suite::Bytes& bytes) { of_pieces(bytes.bytes, columns); },
                     [](const auto&) {}},
                 step.action);
  }
  const std::vector<std::string>& all() const { return all_; }

 private:
  void of_value(const json::Value& id, const Columns& columns) {
    const auto filled = suite::expand(id, columns);
    if (filled) add(*filled);
  }
  void of_pieces(const suite::Pieces& pieces, const Columns& columns) {
    if (!pieces.list.empty()) return of_list(pieces.list, columns);
    const auto whole = suite::expand(pieces.whole, columns);
    if (!whole) return;
    if (suite::is_list_of_pieces(*whole)) return of_list(suite::pieces_in(*whole), columns);
    whole->is_string() ? of_text(whole->text) : of_message(*whole);
  }
  void of_list(const std::vector<suite::Piece>& list, const Columns& columns) {
    std::string text;
    const auto add_text = [&](const json::Value& part) {
      const auto filled = suite::expand(part, columns);
      if (filled) text += filled->text;
    };
    for (const suite::Piece& piece : list)
      std::visit(suite::Overloaded{[&](const suite::TextPiece& part) { add_text(part.text); },
                                   [&](const suite::RepeatedPiece& part) { add_text(part.unit); },
                                   [](const auto&) {}},
                 piece.what);
    of_text(text);
  }
  void add(const json::Value& id) {
    const bool usable = id.is_string() || id.is_number();
    if (usable && id.text.find(Columns::kFresh) == std::string::npos)
      all_.push_back(json::write(id));
  }
  std::vector<std::string> all_;
};

bool meant_for(const suite::Case& scenario, const spec::Profile& profile,
               wire::TransportKind transport) {
  if (!scenario.transports.has(transport)) return false;
  if (!scenario.profiles.empty())
    return std::any_of(scenario.profiles.begin(), scenario.profiles.end(),
                       [&](const std::string& name) { return profile.is(name); });
  return std::any_of(scenario.covers.begin(), scenario.covers.end(), [&](const std::string& id) {
    const spec::Requirement* requirement = suite::own_registry().find(id);
    return requirement && spec::applies(*requirement, profile, transport);
  });
}

// Once for each row: within a row an id that comes again is what the case is about.
std::vector<std::string> literal_ids(const suite::Case& scenario) {
  std::vector<json::Value> rows = scenario.table;
  if (rows.empty()) rows.push_back(json::object());
  std::vector<std::string> all;
  for (const json::Value& row : rows) {
    Ids ids;
    ids.of_steps(scenario.steps, Columns(row));
    for (const std::string& id : std::set<std::string>(ids.all().begin(), ids.all().end()))
      all.push_back(id);
  }
  return all;
}

suite::Case scenario_of(const std::string& steps, const std::string& table = "[]") {
  suite::Case scenario;
  scenario.table = json::read_yaml(table, "t.yaml")->items;
  scenario.steps = suite::steps_of(steps, {}, scenario.table);
  return scenario;
}

TEST(LiteralIds, AreFoundWhereverACaseCanWriteThem) {
  using testing::ElementsAre;
  EXPECT_THAT(literal_ids(scenario_of("[{call: {method: m, id: a}}, {call: {method: m}}]")),
              ElementsAre("\"a\""));
  EXPECT_THAT(literal_ids(scenario_of("[{send: [{id: 1, method: m}, {id: '${id}', method: m}]}]")),
              ElementsAre("1"));
  EXPECT_THAT(literal_ids(scenario_of("[{send: {id: 1, result: {}}}]")), IsEmpty());
  EXPECT_THAT(literal_ids(scenario_of("[{pipelined: [{frame: '{\"id\":7,\"method\":\"m\",}'}]}]")),
              ElementsAre("7"));
  EXPECT_THAT(literal_ids(scenario_of("[{frame: '{\"id\":${own},\"method\":\"m\"}'}]",
                                      "[{own: 5}, {own: '\"x\"'}]")),
              ElementsAre("5", "\"x\""));
  EXPECT_THAT(literal_ids(scenario_of("[{frame: '{\"id\":${id},\"method\":\"m\"}'}]")), IsEmpty());
}

TEST(WholeSuite, UsesALiteralIdOnceOnASharedSession) {
  std::set<std::string> clashes;
  std::size_t found = 0;
  for (const spec::Profile& profile : spec::profiles()) {
    for (const wire::TransportTraits& row : wire::kTransports) {
      std::map<std::string, std::string> owners;
      for (const suite::Case& scenario : suite::own_suite().cases) {
        if (scenario.need != suite::Need::kReady || !scenario.client_capabilities.is_null() ||
            !row.of_targets || !meant_for(scenario, profile, row.kind))
          continue;
        for (const std::string& id : literal_ids(scenario)) {
          ++found;
          const auto [owner, first] = owners.try_emplace(id, scenario.id);
          if (!first) clashes.insert(id + " in " + owner->second + " and " + scenario.id);
        }
      }
    }
  }
  EXPECT_GT(found, 50u);
  EXPECT_THAT(clashes, IsEmpty());
}

// --- clauses

// The families the suite promises to look after.
bool promised(const std::string& id) {
  for (const char* family :
       {"jsonrpc.", "json.", "mcp.lifecycle", "mcp.versioning", "mcp.base", "mcp.meta", "mcp.ping",
        "mcp.stdio", "mcp.errors", "mcp.stateless", "tutorial.error", "tutorial.jsonrpc",
        "tutorial.lifecycle", "tutorial.tools.batch-call"})
    if (id.starts_with(family)) return true;
  return false;
}

std::map<std::string, std::string> reasons() {
  std::map<std::string, std::string> found;
  const auto files = suite::read_folder(suite::kOwnCases);
  if (!files) throw std::runtime_error(files.error().text());
  for (const suite::SourceFile& file : *files) {
    if (!file.name.starts_with("requirements/not_covered")) continue;
    const auto read = json::read_yaml(file.text, file.name);
    if (!read) throw std::runtime_error(read.error().text());
    for (const json::Member& member : read->members) found[member.name] = member.value.text;
  }
  return found;
}

std::set<std::string> covered() {
  std::set<std::string> ids;
  for (const suite::Case& scenario : suite::own_suite().cases)
    ids.insert(scenario.covers.begin(), scenario.covers.end());
  for (const oracle::Oracle& one : oracle::oracles())
    ids.insert(one.covers.begin(), one.covers.end());
  return ids;
}

TEST(WholeSuite, CoversEveryObservableClauseOrSaysWhyNot) {
  const std::set<std::string> looked_after = covered();
  const auto excused = reasons();
  std::vector<std::string> missing;
  for (const spec::Requirement& requirement : suite::own_registry().all()) {
    if (!promised(requirement.id) || requirement.observable == "no") continue;
    if (!looked_after.contains(requirement.id) && !excused.contains(requirement.id))
      missing.push_back(requirement.id);
  }
  EXPECT_THAT(missing, IsEmpty())
      << "name them in `covers` of a case, in the row of an oracle, or in "
         "cases/requirements/not_covered.yaml with the reason";
}

TEST(WholeSuite, ExcusesOnlyClausesThatExistAndThatNothingCovers) {
  const std::set<std::string> looked_after = covered();
  for (const auto& [id, reason] : reasons()) {
    EXPECT_NE(suite::own_registry().find(id), nullptr) << id;
    EXPECT_FALSE(looked_after.contains(id)) << id << " is covered: remove its excuse";
    EXPECT_GT(reason.size(), 20u) << id << " needs a reason, not a word";
  }
}

// --- restrictions

// "clause in profile over transport", by its clause: it holds there, and no case about it is meant
// for it.
std::map<std::string, std::set<std::string>> unplayed() {
  std::set<std::string> of_oracles, of_cases;
  for (const oracle::Oracle& one : oracle::oracles())
    of_oracles.insert(one.covers.begin(), one.covers.end());
  std::map<std::string, std::set<std::string>> out, played;
  for (const spec::Profile& profile : spec::profiles()) {
    for (const wire::TransportTraits& row : wire::kTransports) {
      if (!row.of_targets ||
          (row.kind == wire::TransportKind::kHttpSse && profile.revision != "2024-11-05"))
        continue;
      const std::string where = profile.name + " over " + wire::transport_name(row.kind);
      for (const suite::Case& scenario : suite::own_suite().cases) {
        of_cases.insert(scenario.covers.begin(), scenario.covers.end());
        if (!meant_for(scenario, profile, row.kind)) continue;
        for (const std::string& clause : scenario.covers) played[clause].insert(where);
      }
      for (const std::string& clause : of_cases)
        if (spec::applies(*suite::own_registry().find(clause), profile, row.kind) &&
            !of_oracles.contains(clause) && !played[clause].contains(where))
          out[clause].insert(where);
    }
  }
  return out;
}

TEST(WholeSuite, PlaysAClauseWhereverItHoldsOrSaysWhyNot) {
  const auto read = json::read_yaml(text_of(suite::kOwnCases + "/narrower.yaml"), "narrower.yaml");
  ASSERT_TRUE(read) << read.error().text();
  auto open = unplayed();
  for (const json::Member& excuse : read->members) {
    const bool family = excuse.name.ends_with("*");
    const std::string name = excuse.name.substr(0, excuse.name.size() - (family ? 1 : 0));
    const auto excused = std::erase_if(open, [&](const auto& one) {
      return family ? one.first.starts_with(name) : one.first == name;
    });
    EXPECT_GT(excused, 0u) << excuse.name << " is played wherever it holds: remove its excuse";
    EXPECT_GT(excuse.value.text.size(), 20u) << excuse.name << " needs a reason, not a word";
  }
  for (const auto& [clause, places] : open)
    ADD_FAILURE() << clause << " is not played in " << fmt::format("{}", fmt::join(places, ", "))
                  << ": widen `profiles` or `transports` of a case, or give the reason in "
                     "cases/narrower.yaml";
}

// --- levels

// What an outcome that fails or warns cites where: by its own `breaks`, the step's clause, or the
// case's.
struct Failing {
  std::string where;
  const spec::Requirement* clause = nullptr;
};

class FailingOutcomes {
 public:
  FailingOutcomes(const suite::Case& scenario, const spec::Profile& profile,
                  wire::TransportKind transport)
      : case_(scenario), profile_(profile), transport_(transport) {
    of_steps(scenario.steps);
  }
  const std::vector<Failing>& all() const { return all_; }

 private:
  void of_steps(const std::vector<suite::Step>& steps) {
    for (const suite::Step& step : steps) {
      if (step.when && !suite::applies(*step.when, profile_, transport_)) continue;
      if (step.reply) of_reply(step, *step.reply);
      if (const auto* await = suite::action_of<suite::Await>(step))
        for (const suite::Await::One& one : await->all) of_reply(step, one.reply);
      if (const auto* together = suite::action_of<suite::Pipelined>(step))
        of_steps(together->steps);
    }
  }
  void of_reply(const suite::Step& step, const suite::Outcomes& reply) {
    const auto& sets = suite::own_suite().sets;
    const auto named = sets.find(reply.set);
    const suite::Outcomes& set = named == sets.end() ? reply : named->second;
    for (const auto* failing : {&set.warn, &set.fail})
      for (std::size_t i = 0; i < failing->size(); ++i)
        add(step, (*failing)[i], failing == &set.warn ? "warn" : "fail", i);
  }
  void add(const suite::Step& step, const suite::Outcome& outcome, const char* grade,
           std::size_t number) {
    if (outcome.when && !suite::applies(*outcome.when, profile_, transport_)) return;
    if (!outcome.http.empty() && !wire::traits_of(transport_).http) return;
    const bool breaks = !outcome.breaks.empty();
    const std::string named = breaks ? outcome.breaks : step.covers;
    const std::string where =
        fmt::format("{} {} {} of step {}", case_.id, grade, number + 1, step.label);
    if (!match::is_reference(json::string(named))) return add(where, breaks, named);
    for (const json::Value& row : case_.table)
      if (when_applies(row.find("when"), profile_, transport_))
        add(where, breaks, Columns(row).text(named));
  }
  void add(const std::string& where, bool breaks, const std::string& named) {
    const spec::Registry& registry = suite::own_registry();
    const spec::Requirement* clause = breaks ? registry.find(named) : nullptr;
    if (!clause && !named.empty()) clause = cited({named}, registry, profile_, transport_);
    if (!clause) clause = cited(case_.covers, registry, profile_, transport_);
    all_.push_back({where, clause});
  }

  const suite::Case& case_;
  const spec::Profile& profile_;
  const wire::TransportKind transport_;
  std::vector<Failing> all_;
};

TEST(WholeSuite, FailsAndWarnsNobodyUnderAPermission) {
  std::set<std::string> wrong;
  std::size_t found = 0;
  for (const spec::Profile& profile : spec::profiles()) {
    for (const wire::TransportTraits& row : wire::kTransports) {
      for (const suite::Case& scenario : suite::own_suite().cases) {
        if (!row.of_targets || !meant_for(scenario, profile, row.kind)) continue;
        const FailingOutcomes failing(scenario, profile, row.kind);
        for (const Failing& one : failing.all()) {
          ++found;
          if (!one.clause) continue;  // not played: none of its clauses applies
          if (spec::is_may(spec::level_in(*one.clause, profile)))
            wrong.insert(one.where + " under " + one.clause->id);
        }
      }
    }
  }
  EXPECT_GT(found, 100u);
  EXPECT_THAT(wrong, IsEmpty()) << "name the clause that is broken in `breaks`";
}

// --- outcome sets

// Names that `value` refers to as outcomes.
void names_in(const json::Value& value, std::vector<std::string>& names) {
  if (value.is_string()) names.push_back(value.text);
  for (const json::Value& item : value.items) names_in(item, names);
  if (!value.is_object()) return;
  for (const char* key : {"pass", "note", "warn", "fail", "all", "is"})
    if (const json::Value* list = value.find(key)) names_in(*list, names);
}

// The way back to a name on `path`, or "".
std::string cycle_from(const json::Value& sets, std::vector<std::string> path) {
  std::vector<std::string> names;
  if (const json::Value* set = sets.find(path.back())) names_in(*set, names);
  for (const std::string& name : names) {
    std::string way;
    for (const std::string& step : path) way += step + " > ";
    if (std::find(path.begin(), path.end(), name) != path.end()) return way + name;
    if (!sets.find(name)) continue;
    path.push_back(name);
    std::string deeper = cycle_from(sets, path);
    if (!deeper.empty()) return deeper;
    path.pop_back();
  }
  return "";
}

TEST(OutcomeSets, ThatReferToThemselvesAreFound) {
  const auto sets =
      *json::read_yaml("a: {pass: [b]}\nb: [{is: c}]\nc: {warn: [{all: [a]}]}\nd: [b]\n", "t");
  EXPECT_EQ(cycle_from(sets, {"a"}), "a > b > c > a");
  EXPECT_EQ(cycle_from(*json::read_yaml("a: [b]\nb: [silence]\n", "t"), {"a"}), "");
}

TEST(WholeSuite, HasOutcomeSetsThatEnd) {
  EXPECT_GT(suite::own_suite().outcomes.members.size(), 5u);
  for (const json::Member& set : suite::own_suite().outcomes.members)
    EXPECT_EQ(cycle_from(suite::own_suite().outcomes, {set.name}), "");
}

// --- affordances

TEST(WholeSuite, DocumentsEveryAffordanceACaseAsksFor) {
  const std::string page = text_of(suite::kOwnCases + "/README.md");
  std::set<std::string> unknown;
  std::size_t asked = 0;
  for (const suite::Case& scenario : suite::own_suite().cases) {
    for (const suite::Requires& need : scenario.gates) {
      if (need.kind != "affordance") continue;
      ++asked;
      if (page.find("\n| `" + need.name + "` |") == std::string::npos)
        unknown.insert(need.name + " (" + scenario.id + ")");
    }
  }
  EXPECT_GT(asked, 10u);
  EXPECT_THAT(unknown, IsEmpty()) << "add a row to the affordances table of cases/README.md";
}

TEST(WholeSuite, DocumentsEveryAffordanceItRecognisesThatACaseUses) {
  std::set<std::string> asked;
  for (const suite::Case& scenario : suite::own_suite().cases)
    for (const suite::Requires& need : scenario.gates) asked.insert(need.name);
  const std::string page = text_of(suite::kOwnCases + "/README.md");
  for (const json::Member& fixture : suite::own_suite().fixtures.members)
    if (asked.contains(fixture.name)) {
      EXPECT_NE(page.find("\n| `" + fixture.name + "` |"), std::string::npos) << fixture.name;
    }
}

}  // namespace
}  // namespace harness::run
