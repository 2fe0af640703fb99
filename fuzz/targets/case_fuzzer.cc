// SPDX-License-Identifier: Apache-2.0
// suite/loader. A first line "# shapes", "# outcomes", "# fixtures" or "# requirements" (a comment
// in YAML) says that the input is a file of that kind; it is a case otherwise.
//
//   1. A complaint names the file, and is the same each time.
//   2. A case that was taken has what its fields promise: requirements of the catalogue, steps.
#include <algorithm>

#include "fuzz/targets/catalogue.h"
#include "fuzz/targets/property.h"
#include "harness/suite/case_traits.h"
#include "harness/suite/loader.h"

using namespace harness;
using fuzz::hold;

namespace {

void check(const suite::Case& item) {
  hold(!item.id.empty() && !item.title.empty(), "a case has a name and a title");
  hold(!item.covers.empty(), "a case covers something");
  for (const auto& id : item.covers) {
    hold(fuzz::catalogue().find(id) != nullptr, "and that is in the catalogue", id);
  }
  for (const auto& name : item.profiles) {
    hold(spec::is_profile_selector(name), "a profile there is", name);
  }
  hold(!item.transports.empty(), "a case is played over some transport");
  hold(!item.steps.empty(), "a case has steps");
  for (const auto& step : item.steps) {
    hold(step.mark.line > 0, "a step knows its place");
    const auto* pipelined = suite::action_of<suite::Pipelined>(step);
    hold(pipelined == nullptr || !pipelined->steps.empty(), "what is pipelined has steps");
  }
  hold(std::any_of(item.steps.begin(), item.steps.end(), suite::judges), "a step judges");
  for (const auto& row : item.table) hold(row.is_object(), "a row is a mapping");
  hold(item.for_each_name.empty() == item.for_each_list.empty(), "a loop is over something");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text = fuzz::text_of(bytes, size);
  std::string_view rest = text;
  const std::string_view kind = fuzz::take_line(rest);
  std::string name = "suite/fuzz.yaml";
  if (kind == "# shapes") name = "shapes/fuzz.yaml";
  if (kind == "# outcomes") name = "outcomes.yaml";
  if (kind == "# fixtures") name = "fixtures.yaml";
  if (kind == "# requirements") {
    spec::Registry registry;
    auto status = registry.add(rest, "fuzz.yaml");
    if (status) status = registry.check_relations();
    if (!status) {
      hold(status.error().where.starts_with("fuzz.yaml"), "a complaint names the file",
           status.error().text());
    }
    for (const auto& one : registry.all()) {
      hold(!one.id.empty() && registry.find(one.id) != nullptr, "a requirement is found", one.id);
    }
    return 0;
  }
  const std::vector<suite::SourceFile> files = {{name, std::string(text)}};
  const auto suite = suite::load(files, fuzz::catalogue());
  const auto again = suite::load(files, fuzz::catalogue());
  hold(static_cast<bool>(suite) == static_cast<bool>(again), "twice the same");
  if (!suite) {
    const std::string complaint = suite.error().text();
    hold(complaint == again.error().text(), "twice the same complaint", complaint);
    hold(complaint.find("cases/" + name) != std::string::npos, "a complaint names the file",
         complaint);
    return 0;
  }
  for (const auto& item : suite->cases) check(item);
  return 0;
}
