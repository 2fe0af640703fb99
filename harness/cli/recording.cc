// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <utility>

#include "fuzz/script/script.h"
#include "harness/base/text.h"
#include "harness/cli/transcripts.h"
#include "harness/json/write.h"
#include "harness/oracle/finding_words.h"
#include "harness/oracle/oracle.h"
#include "harness/wire/message.h"
#include "reports/output.h"

namespace harness::cli {
namespace {

constexpr std::size_t kMostKept = 64u << 20;  // bytes of a recording
constexpr std::size_t kMostOddities = 20;
constexpr std::size_t kMostShown = 400;  // characters of a finding

bool is_message(wire::Channel channel) {
  switch (channel) {
    case wire::Channel::kStdin:
    case wire::Channel::kStdout:
    case wire::Channel::kHttp:
    case wire::Channel::kSse:
    case wire::Channel::kSocket: return true;
    default: return false;
  }
}

// Headers that hold what nobody else may know.
bool is_secret_header(const std::string& name) {
  for (const char* secret : {"authorization", "proxy-authorization", "cookie", "set-cookie",
                             "x-api-key", "mcp-session-id"})
    if (name.size() == std::string_view(secret).size() &&
        std::equal(name.begin(), name.end(), secret, [](char a, char b) {
          return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
        }))
      return true;
  return false;
}

wire::Frame masked(wire::Frame frame, const Secrets& secrets) {
  if (!secrets.empty()) frame.bytes = secrets.masked(frame.bytes);
  if (!frame.head) return frame;
  for (wire::Header& header : frame.head->headers)
    header.value = is_secret_header(header.name) ? "«secret " + header.name + "»"
                                                 : secrets.masked(header.value);
  return frame;
}

const spec::Profile* of_revision(const json::Value* version) {
  if (version == nullptr || !version->is_string()) return nullptr;
  return spec::find_profile("mcp-" + version->text);
}

std::string key_of(wire::Direction asked_by, const json::Value& id) {
  return (asked_by == wire::Direction::kSent ? "c" : "s") + json::write(id);
}

wire::Direction other(wire::Direction direction) {
  return direction == wire::Direction::kSent ? wire::Direction::kReceived : wire::Direction::kSent;
}

}  // namespace

Recording::Recording(RecordingSettings settings, const Library& library, const Secrets& secrets)
    : settings_(std::move(settings)), library_(library), secrets_(secrets) {
  transcript_.target = secrets.masked(settings_.target);
  transcript_.transport = settings_.transport;
  if (settings_.profile != "auto") profile_ = spec::find_profile(settings_.profile);
}

void Recording::add(wire::Direction direction, wire::Channel channel, std::string bytes,
                    int exchange, std::optional<wire::HttpHead> head) {
  if (kept_ + bytes.size() > kMostKept) {
    ++left_out_;
    return;
  }
  kept_ += bytes.size();
  wire::Frame frame;
  frame.seq = transcript_.frames.size() + 1;
  frame.time_us = std::chrono::duration_cast<std::chrono::microseconds>(
                      std::chrono::steady_clock::now() - began_)
                      .count();
  frame.direction = direction;
  frame.channel = channel;
  frame.size = bytes.size();
  frame.bytes = std::move(bytes);
  frame.exchange = exchange;
  frame.head = std::move(head);
  if (is_message(channel) && !frame.bytes.empty()) {
    if (profile_ == nullptr) learn(frame);
    follow(frame);
  }
  transcript_.frames.push_back(std::move(frame));
  if (std::exchange(odd_, false) && oddities_ < kMostOddities) {
    ++oddities_;
    judge();
    return;
  }
  if (!open_.empty() || left_out_ > 0) return;
  // Nothing is left to be answered: what was said so far stands as it is. Twice as much has to be
  // there as the last time, so that all of it costs no more than the end does.
  const std::size_t all = transcript_.frames.size();
  if (all < judged_ + std::max<std::size_t>(judged_ / 2, 2)) return;
  judge();
}

void Recording::learn(const wire::Frame& frame) {
  const wire::Message message = wire::read_message(frame.bytes);
  const json::Value* method = message.value.is_object() ? message.value.find("method") : nullptr;
  if (frame.direction == wire::Direction::kReceived) {
    profile_ = of_revision(json::at(message.value, "/result/protocolVersion"));
    return;
  }
  if (method == nullptr || !method->is_string() || method->text == "initialize") return;
  const json::Value* meta = json::at(message.value, "/params/_meta");
  if (meta != nullptr && meta->is_object())
    profile_ = of_revision(meta->find("io.modelcontextprotocol/protocolVersion"));
  if (profile_ == nullptr && transcript_.frames.empty())
    profile_ = spec::find_profile("jsonrpc-2.0");
}

void Recording::follow(const wire::Frame& frame) {
  const wire::Message message = wire::read_message(frame.bytes);
  const auto one = [&](const json::Value& value) {
    if (!value.is_object()) return;
    const json::Value* id = value.find("id");
    if (id == nullptr || id->is_null()) return;
    if (value.find("method") != nullptr)
      open_.insert(key_of(frame.direction, *id));
    else if (open_.erase(key_of(other(frame.direction), *id)) == 0)
      odd_ = true;
  };
  one(message.value);
  for (const json::Value& item : message.value.items) one(item);
}

void Recording::judge() {
  judged_ = transcript_.frames.size();
  if (const Status written = write(false); !written)
    std::fprintf(stderr, "rpcspec: %s\n", written.error().text().c_str());
  if (profile_ == nullptr) return;
  oracle::Evidence evidence(transcript_, *profile_, library_.registry);
  evidence.secrets = &secrets_;
  read_agreement(transcript_, evidence);
  for (const oracle::Finding& finding : oracle::judge(evidence)) {
    if (finding.severity == oracle::Severity::kInfo) continue;
    const bool fail = finding.severity == oracle::Severity::kFail;
    // What is not answered yet may be, or the client has gone before it was.
    const bool heard =
        std::any_of(finding.frames.begin(), finding.frames.end(), [&](std::uint64_t seq) {
          return seq > 0 && seq <= transcript_.frames.size() &&
                 transcript_.frames[seq - 1].direction == wire::Direction::kReceived;
        });
    if (!heard && !open_.empty()) continue;
    const std::string text =
        fmt::format("{} {}: expected {}; seen {}", fail ? "FAIL" : "WARN", finding.requirement,
                    printable(finding.expected, kMostShown), printable(finding.seen, kMostShown));
    if (!told_.insert(oracle::one_line(finding)).second) continue;
    breaches_ += fail;
    std::fprintf(
        stderr, "rpcspec: %s (frame %llu)\n", secrets_.masked(text).c_str(),
        static_cast<unsigned long long>(finding.frames.empty() ? 0 : finding.frames.front()));
  }
}

// Behind what is there already, until the end; then whole, with the profile in its head.
Status Recording::write(bool last) {
  transcript_.profile = profile_ == nullptr ? "jsonrpc-2.0" : profile_->name;
  wire::Transcript part;
  part.profile = transcript_.profile;
  part.transport = transcript_.transport;
  part.target = transcript_.target;
  const std::size_t from = last ? 0 : written_;
  for (std::size_t i = from; i < transcript_.frames.size(); ++i)
    part.frames.push_back(masked(transcript_.frames[i], secrets_));
  written_ = transcript_.frames.size();
  std::string text = wire::to_json_lines(part);
  if (last) {
    if (left_out_ > 0)
      text += fmt::format("{{\"left_out\":{{\"frames\":{},\"bytes\":0}}}}\n", left_out_);
    return reports::write_file(settings_.file, text);
  }
  if (from > 0) text.erase(0, text.find('\n') + 1);
  std::ofstream file(settings_.file, from > 0 ? std::ios::app : std::ios::trunc);
  file << text;
  if (!file.flush())
    return Error{settings_.file, "the recording cannot be written", "name another file"};
  return Nothing{};
}

Status Recording::finish() {
  if (judged_ < transcript_.frames.size()) judge();
  return write(true);
}

std::string Recording::script() const {
  fuzz::Script script;
  for (const wire::Frame& frame : transcript_.frames)
    if (frame.direction == wire::Direction::kSent && is_message(frame.channel) &&
        !frame.bytes.empty() && frame.bytes.find("${") == std::string::npos) {
      script.steps.emplace_back(fuzz::Frame{secrets_.masked(frame.bytes), {}});
      script.steps.emplace_back(fuzz::Sync{});
    }
  if (script.steps.empty()) return "";
  const std::string name = profile_ == nullptr ? "jsonrpc-2.0" : profile_->name;
  return "#! profile: " + name + "\n" + fuzz::write_script(script);
}

std::string Recording::draft_case() const {
  std::string steps;
  const std::string name = profile_ == nullptr ? "jsonrpc-2.0" : profile_->name;
  for (const wire::Frame& asked : transcript_.frames) {
    if (asked.direction != wire::Direction::kSent || !is_message(asked.channel)) continue;
    const wire::Message message = wire::read_message(asked.bytes);
    if (message.kind != wire::MessageKind::kRequest) continue;
    const json::Value* method = message.value.find("method");
    const json::Value* id = message.value.find("id");
    if (method == nullptr || !method->is_string() || id == nullptr) continue;
    if (method->text == "initialize" || method->text == "server/discover") continue;
    std::string reply = "any-reply";
    for (const wire::Frame& answer : transcript_.frames) {
      if (answer.direction != wire::Direction::kReceived || !is_message(answer.channel)) continue;
      const wire::Message came = wire::read_message(answer.bytes);
      const json::Value* same = came.value.is_object() ? came.value.find("id") : nullptr;
      if (same == nullptr || !json::equal(*same, *id) || came.value.find("method") != nullptr)
        continue;
      const json::Value* code = json::at(came.value, "/error/code");
      reply = code == nullptr ? "{result: $any}"
                              : fmt::format("{{error: {{code: {}}}}}", json::write(*code));
      break;
    }
    json::Value call = json::object({{"method", *method}});
    if (const json::Value* params = message.value.find("params")) {
      json::Value kept = *params;
      std::erase_if(kept.members, [](const json::Member& one) { return one.name == "_meta"; });
      if (!kept.members.empty() || !kept.items.empty()) call.set("params", std::move(kept));
    }
    const std::string text = secrets_.masked(json::write(call));
    if (text.find("${") != std::string::npos || text.find("\"$") != std::string::npos) continue;
    steps += fmt::format("  - call: {}\n    reply: {}\n", text, reply);
  }
  if (steps.empty()) return "";
  return fmt::format(
      "# A draft made from a recording: write in the title what must be true, name its clause,\n"
      "# and remove everything else.\n"
      "title: The recorded requests get the recorded replies\n"
      "covers: [jsonrpc.response.result-or-error]\n"
      "profiles: [{}]\n"
      "steps:\n"
      "{}",
      name, steps);
}

}  // namespace harness::cli
