// SPDX-License-Identifier: Apache-2.0
// rpcspec export: what the cases send that no transport has a part in, with the replies that are
// lawful, as one JSON document that a library in any language can run as unit tests.
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "fuzz/seeds/scenario.h"
#include "harness/base/text.h"
#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/names.h"
#include "harness/json/write.h"
#include "harness/session/dialect.h"
#include "harness/spec/model.h"
#include "harness/wire/message.h"
#include "reports/output.h"

namespace harness::cli {
namespace {

constexpr std::size_t kLongest = 16u << 10;  // bytes of a frame: longer ones are about limits

struct ExportOptions {
  std::string profile, output = "-";
};

const char* grade_name(spec::Grade grade) {
  switch (grade) {
    case spec::Grade::kLawful: return "lawful";
    case spec::Grade::kTolerated: return "tolerated";
    case spec::Grade::kWrong: return "wrong";
  }
  return "";
}

// What may answer: a grade for a result, for silence, and for each code of an error.
json::Value replies_of(const spec::Expectation& expected) {
  json::Value errors = json::object();
  for (const int code : {-32700, -32600, -32601, -32602, -32603})
    errors.set(std::to_string(code), json::string(grade_name(expected.error(code))));
  errors.set("other", json::string(grade_name(expected.error(1))));  // stands for all others
  const spec::Grade silence = expected.silence();  // of a sound request: it may take its time
  return json::object({{"result", json::string(grade_name(expected.result()))},
                       {"error", std::move(errors)},
                       {"silence", json::string(grade_name(silence))}});
}

json::Value vector_of(const std::string& name, const std::string& frame,
                      const spec::Situation& situation, const spec::Registry& registry) {
  const wire::Message message = wire::read_message(frame);
  const spec::Expectation expected = spec::expect(situation, message, frame);
  json::Value out = json::object({{"name", json::string(name)}, {"frame", json::string(frame)}});
  json::Value clauses = json::array(), reasons = json::array();
  for (const spec::ModelRule* rule : expected.found()) {
    reasons.items.push_back(json::string(rule->says));
    if (const spec::Requirement* clause =
            spec::strongest(rule->clauses, registry, *situation.profile, situation.transport))
      clauses.items.push_back(json::object(
          {{"id", json::string(clause->id)},
           {"level", json::string(spec::level_name(spec::level_in(*clause, *situation.profile)))},
           {"source", json::string(clause->source)}}));
  }
  out.set("why", std::move(reasons));
  out.set("clauses", std::move(clauses));
  if (expected.notification()) {
    out.set("replies", json::object({{"result", json::string("wrong")},
                                     {"error", json::object({{"other", json::string("wrong")}})},
                                     {"silence", json::string("lawful")}}));
    return out;
  }
  out.set("replies", replies_of(expected));
  const json::Value* id = message.value.is_object() ? spec::readable_id(message.value) : nullptr;
  // Of a text that is not JSON a lenient reader may have found any id.
  if (!message.is_json && expected.result() != spec::Grade::kWrong) return out;
  json::Value ids = json::array();
  if (id != nullptr) ids.items.push_back(*id);
  if (id == nullptr || expected.may_lose_id()) ids.items.push_back(json::null());
  out.set("ids", std::move(ids));
  return out;
}

// Whether the frame says the same to any server: nothing in it comes from an earlier reply, and it
// is one message, sent the usual way.
const fuzz::Frame* transport_free(const fuzz::Step& step) {
  const auto* frame = std::get_if<fuzz::Frame>(&step);
  if (frame == nullptr || !frame->delivery.usual() || frame->bytes.size() > kLongest)
    return nullptr;
  if (frame->bytes.find("${") != std::string::npos || !is_utf8(frame->bytes)) return nullptr;
  if (frame->bytes.find('\n') != std::string::npos || frame->bytes.empty()) return nullptr;
  return frame;
}

json::Value vectors_of(const spec::Profile& profile, const Library& library) {
  const spec::Situation situation{&profile, wire::TransportKind::kStdio, spec::Phase::kReady};
  json::Value vectors = json::array();
  std::set<std::string> taken;
  for (const fuzz::Scenario& scenario : fuzz::scenarios(library.suite, library.registry, profile)) {
    std::size_t number = 0;
    for (const fuzz::Step& step : scenario.script.steps) {
      const fuzz::Frame* frame = transport_free(step);
      if (frame == nullptr) continue;
      ++number;
      const wire::Message message = wire::read_message(frame->bytes);
      // A handshake is what `opening` is for, an array answered by several replies, and nothing
      // answers a reply.
      const json::Value* method =
          message.value.is_object() ? message.value.find("method") : nullptr;
      const bool handshake = method != nullptr && method->is_string() &&
                             (method->text == "initialize" || method->text == "shutdown" ||
                              method->text == spec::initialized_method(profile));
      if (handshake || message.kind == wire::MessageKind::kBatch ||
          message.kind == wire::MessageKind::kResponse ||
          message.kind == wire::MessageKind::kErrorResponse)
        continue;
      const spec::Expectation expected = spec::expect(situation, message, frame->bytes);
      // What a tool does, and how long that takes, is its own affair.
      const bool calls = method != nullptr && method->text == "tools/call" && expected.sound();
      if (calls || expected.open()) continue;
      if (!taken.insert(frame->bytes).second) continue;
      vectors.items.push_back(vector_of(scenario.name + "#" + std::to_string(number), frame->bytes,
                                        situation, library.registry));
    }
  }
  return vectors;
}

// What is sent first, one after the other, so that the state is `ready`.
json::Value opening_of(const spec::Profile& profile) {
  json::Value opening = json::array();
  if (profile.era != spec::Era::kHandshake) return opening;
  const json::Value id = json::string("opening");
  const json::Value params = session::initialize_params(profile, json::object());
  opening.items.push_back(json::string(json::write(session::message(&id, "initialize", params))));
  const json::Value initialized = session::initialized_message(profile);
  if (!initialized.is_null()) opening.items.push_back(json::string(json::write(initialized)));
  return opening;
}

json::Value document(const spec::Profile& profile, const Library& library) {
  const spec::Canary canary = spec::canary_of(profile);
  const json::Value id = json::string("canary");
  const json::Value params =
      session::with_meta(profile, canary.params, json::null(), json::object());
  return json::object(
      {{"format", json::string("rpcspec-vectors/1")},
       {"rpcspec", json::string(RPCSPEC_VERSION)},
       {"case_set", json::string(case_set())},
       {"profile", json::string(profile.name)},
       {"state", json::string("ready")},
       {"opening", opening_of(profile)},
       {"canary", json::string(json::write(session::message(&id, canary.method, params)))},
       {"vectors", vectors_of(profile, library)}});
}

int export_command(const ExportOptions& given) {
  const spec::Profile* profile = spec::find_profile(given.profile);
  if (profile == nullptr)
    return complain(
        Error{"--profile",
              "vectors belong to one profile, and `" + printable(given.profile, 60) + "` is none",
              profile_remedy(given.profile)},
        kUsage);
  const Result<Library> library = load_library("", {});
  if (!library) return complain(library.error(), kUsage);
  const std::string text = json::write_pretty(document(*profile, *library)) + "\n";
  if (const Status written = reports::write_file(given.output, text); !written)
    return complain(written.error(), kUsage);
  return kOk;
}

}  // namespace

Command command_export(const Invocation&) {
  auto options = std::make_shared<ExportOptions>();
  Command command{"export", "Export the messages of the cases and their allowed replies, as JSON"};
  command.add({
      {"--profile", &options->profile},
      {"--output", &options->output},
  });
  command.action = [options] { return export_command(*options); };
  return command;
}

}  // namespace harness::cli
