// SPDX-License-Identifier: Apache-2.0
#include "fuzz/handler/trial.h"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "fuzz/handler/verdict.h"
#include "harness/base/embed.h"
#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/spec/protocol.h"

// The catalogue, one file behind the other.
RPCSPEC_EMBEDDED(catalogue_text);

namespace fuzz {
namespace {

namespace json = harness::json;
namespace spec = harness::spec;
namespace wire = harness::wire;
using harness::oracle::Severity;
using harness::spec::Era;

constexpr int kMostChanges = 3;    // mutators applied at a time
constexpr std::size_t kLong = 12;  // steps
constexpr int kMostPages = 8;      // of a list
constexpr std::size_t kMostLearnt = 4096;
constexpr std::size_t kMined = 8192;  // bytes of a reply that are mined for values

const harness::spec::Profile& profile_of(const rpcspec::Subject& subject) {
  const std::string name = subject.words.empty() ? "" : subject.words.front();
  if (const harness::spec::Profile* profile = harness::spec::find_profile(name)) return *profile;
  std::vector<std::string> names;
  for (const harness::spec::Profile& one : harness::spec::profiles()) names.push_back(one.name);
  const std::string near = harness::nearest(name, names);
  std::string what = "there is no profile '" + harness::printable(name) + "'";
  if (!near.empty()) {
    what += "; did you mean " + near + "?";
  } else {
    what += "; there are";
    for (const std::string& one : names) what += " " + one;
  }
  throw std::invalid_argument(what);
}

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// The same for replies that differ in digits alone.
std::uint64_t outline_of(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    hash = (hash ^ static_cast<unsigned char>(digit ? '0' : c)) * 0x100000001B3u;
  }
  return hash;
}

// A pause costs time and shows nothing here; a wait has no meaning.
void drop_idle(Script& script) {
  std::erase_if(script.steps, [](const Step& step) {
    return std::holds_alternative<Pause>(step) || std::holds_alternative<Sync>(step);
  });
}

}  // namespace

const harness::spec::Registry& packed_catalogue() {
  static const harness::spec::Registry registry = [] {
    harness::spec::Registry made;
    const std::string_view text = catalogue_text();
    const harness::Status added = made.add(text, "the catalogue");
    if (!added) throw std::logic_error(added.error().text());
    return made;
  }();
  return registry;
}

std::string name_of(const std::type_info& type) {
  int status = 0;
  char* name = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string out = name ? name : type.name();
  std::free(name);
  return out;
}

bool is_among(const std::type_info& type, const std::set<std::string>& names) {
  const std::string name = name_of(type);
  for (const std::string& one : names)
    if (name == one || name.ends_with("::" + one)) return true;
  if (const auto* single = dynamic_cast<const abi::__si_class_type_info*>(&type))
    return is_among(*single->__base_type, names);
  if (const auto* several = dynamic_cast<const abi::__vmi_class_type_info*>(&type))
    for (unsigned i = 0; i < several->__base_count; ++i)
      if (is_among(*several->__base_info[i].__base_type, names)) return true;
  return false;
}

TrialSettings TrialSettings::of_environment() {
  TrialSettings settings;
  if (setting("RPCSPEC_LEVEL") == "should") settings.at_least = Severity::kWarn;
  settings.judges = setting("RPCSPEC_ORACLES") != "off";
  settings.shows = !setting("RPCSPEC_TRACE").empty();
  std::string rest = setting("RPCSPEC_EXCEPT");
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string word = rest.substr(0, comma);
    // Clauses have dots in their names, types have none.
    (word.find('.') == word.npos ? settings.except_types : settings.except).insert(word);
    rest.erase(0, comma == std::string::npos ? comma : comma + 1);
  }
  return settings;
}

Trial::Trial(const rpcspec::Subject& subject, TrialSettings settings)
    : profile_(profile_of(subject)), registry_(packed_catalogue()), settings_(std::move(settings)),
      vocabulary_(profile_, kHandler), conversation_(profile_, subject.make) {
  for (std::size_t i = 1; i < subject.words.size(); ++i) {
    const std::string_view word = subject.words[i];
    const std::size_t blank = word.find(' ');
    const std::string params(blank == word.npos ? "" : word.substr(blank + 1));
    if (!params.empty() && !std::holds_alternative<json::Reading>(json::read(params)))
      throw std::invalid_argument("the params of a method are not JSON: " +
                                  harness::printable(word));
    vocabulary_.know_method(std::string(word.substr(0, blank)), params);
  }
  for (const std::string& id : settings_.except)
    if (!registry_.find(id))
      throw std::invalid_argument("RPCSPEC_EXCEPT: there is no clause '" + harness::printable(id) +
                                  "'");
  meet();
}

// What the server offers, by asking for it.
void Trial::meet() {
  for (int i = 0; i < 2; ++i) {
    conversation_.meet();
    if (conversation_.ready()) continue;
    const std::string why =
        i == 0 ? "the handshake of " + profile_.name + " was not accepted; the transcript:\n"
               : std::string(
                     "the handshake is not accepted by a second new server; each server must be "
                     "independent of earlier ones:\n");
    throw std::invalid_argument(why + listed(conversation_.slices().back()));
  }
  if (!profile_.mcp && !profile_.tutorial) return;
  const json::Value* offered =
      conversation_.agreed().is_object() ? conversation_.agreed().find("capabilities") : nullptr;
  const auto all = [&](const spec::MessageRow& row) {
    json::Value list = json::array();
    if (offered && offered->is_object() && !spec::is_declared(row.capability_in(profile_), offered))
      return list;
    json::Value params;
    for (int page = 0; page < kMostPages; ++page) {
      json::Value result = conversation_.ask(row.name, params);
      json::Value* items = result.is_object() ? result.find(row.lists) : nullptr;
      if (!items || !items->is_array()) break;
      for (json::Value& item : items->items) list.items.push_back(std::move(item));
      const json::Value* next = result.find("nextCursor");
      if (!next || !next->is_string()) break;
      params = json::object({{"cursor", *next}});
    }
    return list;
  };
  Surface surface;
  for (const spec::MessageRow* row : profile_.protocol().lists_of(profile_))
    if (json::Value* place = surface.list(row->lists)) *place = all(*row);
  vocabulary_.offer(surface);
  learn();
}

void Trial::learn() {
  for (const HandlerSlice& slice : conversation_.slices()) {
    for (const wire::Frame& frame : slice.transcript->frames) {
      if (frame.direction != wire::Direction::kReceived || frame.bytes.size() > kMined) continue;
      if (learnt_.size() >= kMostLearnt) return;
      if (learnt_.insert(outline_of(frame.bytes)).second) vocabulary_.learn(frame.bytes);
    }
  }
}

std::string Trial::said() const {
  std::string out;
  for (const HandlerSlice& slice : conversation_.slices()) out += listed(slice);
  return out;
}

std::optional<Sight> Trial::look(std::string_view input) {
  const Script script = read_script(input);
  if (settings_.except_types.empty()) {
    conversation_.play(script);
  } else {
    try {
      conversation_.play(script);
    } catch (...) {
      const std::type_info* type = abi::__cxa_current_exception_type();
      if (type == nullptr || !is_among(*type, settings_.except_types)) throw;
      return std::nullopt;  // of what was said only a part is there
    }
  }
  learn();
  if (settings_.shows) std::fputs(said().c_str(), stderr);
  if (!settings_.judges) return std::nullopt;
  std::optional<Sight> sight;
  std::string report;
  for (const HandlerSlice& slice : conversation_.slices()) {
    std::vector<harness::oracle::Finding> findings =
        judge_slice(slice, profile_, registry_, settings_.at_least);
    std::erase_if(findings, [&](const harness::oracle::Finding& finding) {
      return settings_.except.contains(finding.requirement);
    });
    if (!findings.empty() && !sight)
      sight = wrong_answer(findings.front().requirement,
                           harness::oracle::signature_of(findings.front()), "");
    report += told(findings, slice, profile_, registry_);
  }
  if (sight) sight->report = std::move(report);
  return sight;
}

std::string Trial::play(std::string_view input) {
  std::optional<Sight> sight = look(input);
  return sight ? std::move(sight->report) : "";
}

std::string Trial::mutated(std::string_view input, std::size_t most, std::uint32_t seed) {
  Random random(seed);
  Script script = read_script(input);
  for (std::size_t i = random.between(1, kMostChanges); i > 0; --i)
    mutate(script, vocabulary_, random);
  drop_idle(script);
  // Mutators like many messages at a time, which pays where waiting for a server is dear. Here a
  // message costs the same alone.
  static const Mutator* const kShorten = find_mutator("drop-many");
  while (script.steps.size() > kLong && !random.one_in(4) &&
         kShorten->apply(script, vocabulary_, random)) {
  }
  std::string made = write_script(script);
  return made.size() <= most ? made : std::string(input.substr(0, most));
}

std::string Trial::crossed(std::string_view a, std::string_view b, std::size_t most,
                           std::uint32_t seed) {
  Random random(seed);
  std::string made = write_script(cross_over(read_script(a), read_script(b), vocabulary_, random));
  return made.size() <= most ? made : std::string(a.substr(0, most));
}

}  // namespace fuzz

std::string rpcspec::judge_script(const Subject& subject, std::string_view script) {
  fuzz::Trial trial(subject, fuzz::TrialSettings::of_environment());
  return trial.play(script);
}
