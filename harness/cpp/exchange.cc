// SPDX-License-Identifier: Apache-2.0
// judge_exchange(): one request and what came of it, as a conversation that is judged like any
// other.
#include <algorithm>
#include <memory>
#include <stdexcept>

#include "fuzz/handler/conversation.h"
#include "fuzz/handler/trial.h"
#include "fuzz/handler/verdict.h"
#include "harness/base/text.h"
#include "harness/spec/protocol.h"
#include "harness/wire/message.h"
#include "rpcspec/conformance.h"

namespace rpcspec {
namespace {

namespace json = harness::json;
namespace spec = harness::spec;
namespace wire = harness::wire;
using harness::oracle::Severity;

const spec::Profile& profile_named(std::string_view name) {
  if (const spec::Profile* profile = spec::find_profile(name)) return *profile;
  std::vector<std::string> names;
  for (const spec::Profile& one : spec::profiles()) names.push_back(one.name);
  const std::string near = harness::nearest(std::string(name), names);
  std::string what = "there is no profile '" + harness::printable(name, 60) + "'; ";
  what += near.empty() ? "`rpcspec list profiles` names them" : "did you mean " + near + "?";
  throw std::invalid_argument(what);
}

// Everything that this profile lets one side declare.
json::Value all_capabilities(const spec::Profile& profile, std::string_view side) {
  json::Value all = json::object();
  for (const spec::MessageRow& row : spec::protocol().messages()) {
    std::string_view path = row.capability_in(profile);
    if (path.substr(0, side.size()) != side) continue;
    path.remove_prefix(side.size());
    json::Value* at = &all;
    while (!path.empty()) {
      // Names of extensions hold dots.
      const bool extension = path.substr(0, 11) != "extensions." && path.find('/') != path.npos;
      const std::size_t dot = extension ? path.npos : path.find('.');
      const std::string_view name = path.substr(0, dot);
      path.remove_prefix(std::min(path.size(), dot == path.npos ? dot : dot + 1));
      if (json::Value* there = at->find(name); !there || !there->is_object())
        at->set(name, path.empty() ? json::boolean(true) : json::object());
      at = at->find(name);
      if (at->is_boolean() && !path.empty()) *at = json::object();
    }
  }
  return all;
}

void record(fuzz::HandlerSlice& slice, wire::Direction direction, std::string_view text) {
  wire::Frame frame;
  frame.seq = slice.recording->frames.size() + 1;
  frame.direction = direction;
  frame.channel = wire::Channel::kSocket;
  frame.size = text.size();
  frame.bytes = std::string(text);
  slice.recording->frames.push_back(std::move(frame));
  slice.messages.push_back(std::make_shared<const wire::Message>(wire::read_message(text)));
}

fuzz::HandlerSlice conversation(std::string_view request, std::string_view reply,
                                const spec::Profile& profile, bool all) {
  fuzz::HandlerSlice slice;
  slice.recording = std::make_shared<wire::Transcript>();
  slice.recording->profile = profile.name;
  slice.recording->transport = fuzz::kHandler;
  slice.recording->target = "the server";
  slice.transcript = slice.recording;
  slice.client_capabilities = all_capabilities(profile, "client.");
  slice.server_capabilities = all ? all_capabilities(profile, "server.") : json::object();
  record(slice, wire::Direction::kSent, request);
  for (const std::string& text : fuzz::messages_of(reply))
    record(slice, wire::Direction::kReceived, text);
  return slice;
}

}  // namespace

std::string judge_exchange(std::string_view request, std::string_view reply,
                           std::string_view profile_name) {
  const spec::Profile& profile = profile_named(profile_name);
  const spec::Registry& registry = fuzz::packed_catalogue();
  const Severity at_least = fuzz::TrialSettings::of_environment().at_least;
  const fuzz::HandlerSlice full = conversation(request, reply, profile, true);
  const fuzz::HandlerSlice bare = conversation(request, reply, profile, false);
  std::vector<harness::oracle::Finding> findings =
      fuzz::judge_slice(full, profile, registry, at_least);
  const std::vector<harness::oracle::Finding> other =
      fuzz::judge_slice(bare, profile, registry, at_least);
  // What the server has declared is not known: a finding holds whatever it was.
  std::erase_if(findings, [&](const harness::oracle::Finding& one) {
    return std::none_of(other.begin(), other.end(), [&](const harness::oracle::Finding& same) {
      return same.requirement == one.requirement;
    });
  });
  return fuzz::told(findings, full, profile, registry);
}

}  // namespace rpcspec
