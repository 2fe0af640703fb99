// SPDX-License-Identifier: Apache-2.0
#include "fuzz/afl/words.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/spec/protocol.h"

namespace fuzz {
namespace {

namespace json = harness::json;

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value ? value : otherwise;
}

void take(json::Value& into, const json::Value& reply, const std::string& pointer) {
  const json::Value* list = json::at(reply, pointer);
  if (!list || !list->is_array()) return;
  into.items.insert(into.items.end(), list->items.begin(), list->items.end());
}

}  // namespace

AflSettings AflSettings::of_environment() {
  AflSettings settings;
  settings.profile = setting("RPCSPEC_PROFILE", "jsonrpc-2.0");
  const std::string input = setting("RPCSPEC_INPUT", "script");
  if (input != "script" && input != "frames")
    throw std::invalid_argument("RPCSPEC_INPUT is script or frames, not '" +
                                harness::printable(input) + "'");
  settings.frames = input == "frames";
  using harness::wire::TransportKind;
  settings.transport = settings.frames ? TransportKind::kStdio : TransportKind::kHandler;
  if (const std::string name = setting("RPCSPEC_TRANSPORT", ""); !name.empty()) {
    const auto kind = harness::wire::transport_named(name);
    if (!kind)
      throw std::invalid_argument(
          "RPCSPEC_TRANSPORT is '" + harness::printable(name) +
          "', which is not a transport; write stdio, handler or another one");
    settings.transport = *kind;
  }
  settings.replies = setting("RPCSPEC_REPLIES", "");
  return settings;
}

Vocabulary words_of(const AflSettings& settings) {
  const harness::spec::Profile* profile = harness::spec::find_profile(settings.profile);
  if (!profile) {
    std::string all;
    for (const harness::spec::Profile& one : harness::spec::profiles()) all += " " + one.name;
    throw std::invalid_argument("there is no profile '" + harness::printable(settings.profile) +
                                "' (RPCSPEC_PROFILE); there are" + all);
  }
  Vocabulary vocabulary(*profile, settings.transport);
  if (settings.replies.empty()) return vocabulary;
  std::ifstream file(settings.replies, std::ios::binary);
  Surface surface;
  for (std::string line; std::getline(file, line);) {
    const auto read = json::read(line);
    const auto* good = std::get_if<json::Reading>(&read);
    if (!good) continue;
    vocabulary.learn(line);
    for (const harness::spec::MessageRow* list : profile->protocol().lists_of(*profile))
      if (json::Value* place = surface.list(list->lists))
        take(*place, good->value, "/result/" + list->lists);
  }
  if (!file.eof())
    throw std::invalid_argument("RPCSPEC_REPLIES: '" + harness::printable(settings.replies) +
                                "' cannot be read");
  vocabulary.offer(surface);
  return vocabulary;
}

Script script_of_frames(std::string_view text) {
  Script script;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    script.steps.push_back(Frame{std::string(line), {}});
  }
  return script;
}

std::string frames_of_script(const Script& script) {
  std::string out;
  for (const Step& step : script.steps) {
    if (const auto* raw = std::get_if<Raw>(&step)) out += raw->bytes;
    const auto* frame = std::get_if<Frame>(&step);
    if (!frame) continue;
    out += frame->bytes + end_of(frame->delivery.eol);
  }
  return out;
}

}  // namespace fuzz
