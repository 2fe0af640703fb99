// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/transcripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <variant>

#include "harness/json/read.h"

namespace harness::cli {
namespace {

// What a target says is kept within bounds: of a frame, of a case, of a run. In a file of text that
// is not UTF-8 each byte may take a little more.
constexpr std::size_t kMostOfCase = 4 << 20;
constexpr std::size_t kMostOfRun = 60 << 20;
constexpr std::size_t kMostOfFrame = 64 << 10;  // what beginning_of() leaves
constexpr std::size_t kFrameCosts = 200;

std::size_t cost(const wire::Frame& frame) {
  return std::min(frame.bytes.size(), kMostOfFrame) + kFrameCosts;
}

// Its frames from one index to another, cut to their beginnings.
wire::Transcript part(const wire::Transcript& whole, std::size_t from, std::size_t to) {
  wire::Transcript out;
  out.profile = whole.profile;
  out.transport = whole.transport;
  out.target = whole.target;
  out.framing = whole.framing;
  for (std::size_t i = from; i < to; ++i) out.frames.push_back(wire::beginning_of(whole.frames[i]));
  return out;
}

}  // namespace

std::string transcript_text(const wire::Transcript& whole) {
  const std::vector<wire::Frame>& frames = whole.frames;
  std::size_t head = 0, tail = frames.size();
  for (std::size_t left = kMostOfCase / 2; head < tail && cost(frames[head]) < left; ++head)
    left -= cost(frames[head]);
  for (std::size_t left = kMostOfCase / 2; head < tail && cost(frames[tail - 1]) < left; --tail)
    left -= cost(frames[tail - 1]);
  std::string text = wire::to_json_lines(part(whole, 0, head));
  if (head == frames.size()) return text;
  if (head < tail) {
    std::uint64_t bytes = 0;
    for (std::size_t i = head; i < tail; ++i) bytes += frames[i].size;
    text += fmt::format("{{\"left_out\":{{\"frames\":{},\"bytes\":{}}}}}\n", tail - head, bytes);
  }
  const std::string rest = wire::to_json_lines(part(whole, tail, frames.size()));
  return text + rest.substr(rest.find('\n') + 1);
}

json::Value frame_offsets(std::string_view text) {
  json::Value out = json::array();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    auto reading = json::read(text.substr(begin, end - begin));
    const auto* sound = std::get_if<json::Reading>(&reading);
    const json::Value* seq = sound && sound->value.is_object() ? sound->value.find("seq") : nullptr;
    if (seq != nullptr)
      out.items.push_back(json::array({*seq, json::number(static_cast<std::int64_t>(begin))}));
    begin = end + 1;
  }
  return out;
}

void read_agreement(const wire::Transcript& transcript, oracle::Evidence& evidence) {
  for (std::size_t i = 0; i < transcript.frames.size(); ++i) {
    const json::Value& message = evidence.messages[i].value;
    const bool received = transcript.frames[i].direction == wire::Direction::kReceived;
    const json::Value* opening = json::at(message, received ? "/result" : "/params");
    const json::Value* declared = opening ? spec::declared_in(*opening) : nullptr;
    if (!declared) continue;
    json::Value& known = received ? evidence.server_capabilities : evidence.client_capabilities;
    if (!received || known.is_null()) known = *declared;
  }
}

namespace {

class TranscriptKeeper final : public run::Reporter {
 public:
  TranscriptKeeper(std::filesystem::path folder, bool by_profile)
      : top_(std::move(folder)), folder_(top_), by_profile_(by_profile) {}

  void run_started(const run::RunStarted& started) override {
    if (by_profile_) folder_ = top_ / started.profile;
  }

  void case_finished(const run::CaseResult& result) override {
    if (!result.transcript) return;
    const std::string text = transcript_text(*result.transcript);
    if (text.size() > left_) {
      ++left_out_;
      return;
    }
    left_ -= text.size();
    const std::filesystem::path file = folder_ / (result.id + ".jsonl");
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    std::ofstream(file, std::ios::trunc) << text;
  }

  void run_finished(const run::RunFinished&) override {
    if (left_out_ == 0) return;
    std::cerr << fmt::format("rpcspec: --transcripts: {} sessions were left out; {} MiB are kept\n",
                             left_out_, kMostOfRun >> 20);
  }

 private:
  std::filesystem::path top_, folder_;  // of all runs, and of this one
  bool by_profile_;
  std::size_t left_ = kMostOfRun;
  std::size_t left_out_ = 0;
};

}  // namespace

Result<std::unique_ptr<run::Reporter>> make_transcript_keeper(const std::string& folder,
                                                              bool by_profile) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    return Error{"--transcripts",
                 "the folder " + folder + " cannot be created: " + failed.message(),
                 "name a writable folder"};
  return std::unique_ptr<run::Reporter>(std::make_unique<TranscriptKeeper>(folder, by_profile));
}

}  // namespace harness::cli
