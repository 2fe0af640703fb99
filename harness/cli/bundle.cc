// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "harness/base/sha256.h"
#include "harness/base/text.h"
#include "harness/cli/builtin.h"
#include "harness/cli/transcripts.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "reports/formats.h"
#include "reports/output.h"
#include "reports/record.h"

namespace harness::cli {
namespace {

constexpr std::size_t kMostBundled = 60 << 20;  // bytes of conversations

std::string short_hash(std::string_view line) { return sha256_hex(line).substr(0, 16); }

// The last line, without its line feed.
std::string seal_of(std::string_view before, const std::vector<std::string>& hashes) {
  json::Value lines = json::array();
  for (const std::string& hash : hashes) lines.items.push_back(json::string(hash));
  return json::write(
      json::object({{"lines", std::move(lines)}, {"sha256", json::string(sha256_hex(before))}}));
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

std::string string_in(const json::Value& object, const char* name) {
  const json::Value* value = object.is_object() ? object.find(name) : nullptr;
  return value != nullptr && value->is_string() ? value->text : "";
}

std::optional<json::Value> object_in(std::string_view line) {
  auto reading = json::read(line);
  auto* sound = std::get_if<json::Reading>(&reading);
  if (sound == nullptr || !sound->value.is_object()) return std::nullopt;
  return std::move(sound->value);
}

// "the session of jsonrpc/id/string-echo"
std::string name_of(std::string_view line, std::size_t number) {
  const std::optional<json::Value> value = object_in(line);
  const std::string scenario = value ? string_in(*value, "case") : "";
  if (!scenario.empty()) return "the session of " + printable(scenario, 120);
  if (value && value->find("report") != nullptr) return "the report";
  return number == 1 ? "the head" : "this line";
}

// What is wrong with a file whose seal does not fit it.
Error broken_seal(std::string_view text, const std::vector<std::string_view>& lines,
                  const std::string& file) {
  const auto at = [&](std::size_t number, const std::string& what) {
    return Error{file + ":" + std::to_string(number), what, "it is not what `run --bundle` wrote"};
  };
  const std::optional<json::Value> seal = object_in(lines.back());
  const json::Value* hashes = seal ? seal->find("lines") : nullptr;
  if (hashes == nullptr || !hashes->is_array() || string_in(*seal, "sha256").empty() ||
      text.back() != '\n')
    return at(lines.size(), "the seal is missing or broken: the end was changed or cut off");
  for (std::size_t i = 0; i + 1 < lines.size() && i < hashes->items.size(); ++i)
    if (hashes->items[i].text != short_hash(lines[i]))
      return at(i + 1, name_of(lines[i], i + 1) + " was changed: its SHA-256 differs");
  if (hashes->items.size() + 1 != lines.size())
    return at(lines.size(), fmt::format("the seal covers {} lines, but {} precede it",
                                        hashes->items.size(), lines.size() - 1));
  return at(lines.size(), "the seal itself was changed");
}

class Bundler final : public reports::Recorder {
 public:
  Bundler(std::unique_ptr<reports::Output> output, reports::ReportOptions options)
      : Recorder(options.campaign), output_(std::move(output)), options_(std::move(options)) {}

  void run_started(const run::RunStarted& started) override {
    Recorder::run_started(started);
    put(json::object({{"format", json::string("rpcspec-bundle/1")},
                      {"rpcspec", json::string(started.version)},
                      {"case_set", json::string(case_set())},
                      {"target", json::string(started.target)},
                      {"profile", json::string(started.profile)},
                      {"transport", json::string(started.transport)},
                      {"seed", json::number_spelled(std::to_string(started.seed))}}));
  }

  void case_finished(const run::CaseResult& result) override {
    Recorder::case_finished(result);
    if (!result.transcript) return;
    const std::string text = transcript_text(*result.transcript);
    if (text.size() > left_) {
      ++left_out_;
      return;
    }
    left_ -= text.size();
    put(json::object({{"case", json::string(result.id)},
                      {"frames", frame_offsets(text)},
                      {"transcript", json::string(text)}}));
  }

  void run_finished(const run::RunFinished& finished) override {
    Recorder::run_finished(finished);
    put(json::object({{"report", reports::json_value(record(), options_)}}));
    output_->stream() << text_ << seal_of(text_, hashes_) << "\n";
    reports::commit_or_tell(*output_, options_);
    if (left_out_ > 0)
      std::fprintf(stderr, "rpcspec: --bundle: %zu sessions were left out; %zu MiB are kept\n",
                   left_out_, kMostBundled >> 20);
  }

 private:
  void put(const json::Value& value) {
    const std::string line = json::write(value);
    hashes_.push_back(short_hash(line));
    text_ += line + "\n";
  }

  std::unique_ptr<reports::Output> output_;
  reports::ReportOptions options_;
  std::string text_;
  std::vector<std::string> hashes_;  // of its lines
  std::size_t left_ = kMostBundled, left_out_ = 0;
};

}  // namespace

Result<Bundle> read_bundle(std::string_view text, const std::string& file) {
  const std::vector<std::string_view> lines = lines_of(text);
  const auto wrong = [&](std::size_t number, const std::string& what) {
    return Error{file + ":" + std::to_string(number), what, "it is not what `run --bundle` wrote"};
  };
  const std::optional<json::Value> head = lines.empty() ? std::nullopt : object_in(lines.front());
  if (!head || string_in(*head, "format") != "rpcspec-bundle/1")
    return wrong(1, "this is not a bundle");
  std::vector<std::string> hashes;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) hashes.push_back(short_hash(lines[i]));
  Bundle out;
  out.lines = hashes.size();
  out.bytes = static_cast<std::size_t>(lines.back().data() - text.data());
  if (lines.back() != seal_of(text.substr(0, out.bytes), hashes) || text.back() != '\n')
    return broken_seal(text, lines, file);
  out.head = *head;
  for (std::size_t i = 1; i < out.lines; ++i) {
    std::optional<json::Value> value = object_in(lines[i]);
    if (!value) return wrong(i + 1, "this is not a JSON object");
    if (const json::Value* report = value->find("report")) {
      out.report = *report;
      continue;
    }
    const std::string transcript = string_in(*value, "transcript");
    const json::Value* offsets = value->find("frames");
    out.conversations[string_in(*value, "case")] = {
        transcript, offsets != nullptr && json::equal(*offsets, frame_offsets(transcript))};
  }
  if (!out.report.is_object()) return wrong(out.lines, "it contains no report");
  return out;
}

Result<std::unique_ptr<run::Reporter>> make_bundler(const std::string& file,
                                                    const reports::ReportOptions& options) {
  auto output = reports::open_output(file);
  if (!output) return output.error();
  return std::unique_ptr<run::Reporter>(std::make_unique<Bundler>(std::move(*output), options));
}

}  // namespace harness::cli
