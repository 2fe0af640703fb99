// SPDX-License-Identifier: Apache-2.0
#include "fuzz/triage/buckets.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <variant>

#include "fuzz/judge/oddity.h"
#include "fuzz/minimizer/outline.h"
#include "fuzz/triage/play_file.h"
#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/write.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;
namespace json = harness::json;

constexpr std::size_t kMostMet = 5;
constexpr std::size_t kMostHangs = 4;  // waited for to the end while one input is reduced
constexpr std::size_t kMostName = 48;
constexpr std::size_t kMostShown = 4000;  // bytes of a script

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const fs::path& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path.string());
}

std::string digits_of(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (int i = 0; i < 8; ++i, hash >>= 4) out += kDigits[hash & 15];
  return out;
}

// Of the signature what fits into the name of a folder.
std::string word_of(std::string_view signature) {
  std::string out;
  for (const char c : signature) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain || c == '_' || c == '.') {
      out += c;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
    if (out.size() == kMostName) break;
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

// As a block of code in Markdown.
std::string indented(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    out += "    " + harness::printable(line, 2000) + "\n";
  }
  return out;
}

int rank_of(const Bucket& bucket) {
  if (bucket.sight.kind == kCrash) return 0;
  return bucket.sight.kind == kHang ? 1 : 2;
}

// On one line, as a file holds it.
std::string line_of(const Sight& sight) {
  return harness::printable(sight.kind + " " + sight.signature, 1000);
}

// What tells the bug from others. What is odd about the least script below the level of messages is
// one bug whatever it does to what is said; where a process ends without a word, only the outline
// of that script is left.
std::string key_of(const Sight& sight, const std::string& text) {
  if (sight.kind != kWrongAnswer && !sight.coarse) return line_of(sight);
  const Script script = read_script(text);
  for (const Step& step : script.steps) {
    const auto* frame = std::get_if<Frame>(&step);
    if (frame == nullptr) continue;
    if (const std::string_view odd = oddity_of(frame->bytes); !odd.empty())
      return sight.kind + " at odd text: " + std::string(odd);
  }
  return line_of(sight) + (sight.coarse ? " " + harness::printable(outline(script), 1000) : "");
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words)
    out += (out.empty() ? "" : " ") + harness::shell_quoted(word);
  return out;
}

std::string text_at(const json::Value& value, std::string_view name) {
  const json::Value* member = value.is_object() ? value.find(name) : nullptr;
  return member && (member->is_string() || member->is_number()) ? member->text : "";
}

}  // namespace

Buckets::Buckets(std::string folder, std::vector<std::string> again)
    : folder_(std::move(folder)), again_(std::move(again)) {
  std::error_code wrong;
  fs::create_directories(folder_, wrong);
  if (!fs::is_directory(folder_))
    throw std::runtime_error("the folder " + folder_ + " cannot be created: " + wrong.message());
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    std::string lines = content_of(entry.path() / "signature");
    const std::string key = lines.substr(0, lines.find('\n'));
    const auto read = json::read(content_of(entry.path() / "finding.json"));
    const auto* reading = std::get_if<json::Reading>(&read);
    if (key.empty() || !reading) continue;
    Bucket bucket;
    bucket.name = entry.path().filename().string();
    bucket.sight = {text_at(reading->value, "class"),
                    text_at(reading->value, "signature"),
                    text_at(reading->value, "title"),
                    "",
                    false,
                    text_at(reading->value, "ends") == "1"};
    bucket.times = std::strtoull(text_at(reading->value, "times").c_str(), nullptr, 10);
    bucket.script = content_of(entry.path() / "script");
    bucket.known = true;
    buckets_[key] = std::move(bucket);
    for (std::size_t end; (end = lines.find('\n')) != lines.npos; lines.erase(0, end + 1))
      known_[lines.substr(0, end)] = key;
  }
}

bool Buckets::has(const Sight& sight) const {
  return !sight.coarse && known_.count(line_of(sight)) > 0;
}

void Buckets::note(const Bucket& bucket, const Sight& sight, const std::string& key) {
  if (has(sight)) return;
  const fs::path path = fs::path(folder_) / bucket.name / "signature";
  const std::string before = content_of(path);
  write_file(path, (before.empty() ? key + "\n" : before) + line_of(sight) + "\n");
  known_[line_of(sight)] = key;
}

const Bucket& Buckets::put(const Sight& sight, const std::string& input, const Look& look,
                           const ReduceBounds& bounds) {
  std::string script = input, key;
  if (has(sight)) {
    key = known_[line_of(sight)];
  } else {
    std::size_t hangs = 0;
    script = reduce(
        input,
        [&](const std::string& candidate) {
          if (hangs == kMostHangs) return false;
          const std::optional<Sight> shown = look(candidate);
          if (shown && shown->kind == kHang) ++hangs;
          return shown && shown->kind == sight.kind && shown->signature == sight.signature;
        },
        bounds);
    key = key_of(sight, script);
  }
  Bucket& bucket = buckets_[key];
  ++bucket.times;
  if (bucket.times == 1) {
    bucket.sight = sight;
    // In the words of the script that is kept.
    if (std::optional<Sight> again = script == input ? std::nullopt : look(script))
      if (again->signature == sight.signature) bucket.sight = std::move(*again);
    bucket.script = script;
    bucket.name = sight.kind + "-" + word_of(sight.signature) + "-" + digits_of(key);
    write(bucket);
  }
  note(bucket, sight, key);
  // A worker may be ended at any time: the count is written every now and then.
  if (bucket.times > 1 && (bucket.times & (bucket.times - 1)) == 0) write(bucket);
  if (bucket.times <= kMostMet) {
    const fs::path met = fs::path(folder_) / bucket.name / "met";
    fs::create_directories(met);
    write_file(met / (digits_of(input) + ".script"), input);
  }
  return bucket;
}

void Buckets::write(const Bucket& bucket) const {
  const fs::path at = fs::path(folder_) / bucket.name;
  fs::create_directories(at);
  const std::string again = joined(words_for(again_, (at / "script").string()));
  write_file(at / "script", bucket.script);
  const std::string shown = indented(std::string_view(bucket.script).substr(0, kMostShown));
  if (!bucket.known)  // then it has one
    write_file(at / "README.md", "# " + bucket.sight.title +
                                     "\n\nThe smallest input that shows it, `script` (" +
                                     std::to_string(bucket.script.size()) + " bytes):\n\n" + shown +
                                     "\nAgain:\n\n    " + again + "\n\nIts output:\n\n" +
                                     indented(bucket.sight.report));
  const json::Value finding = json::object(
      {{"class", json::string(bucket.sight.kind)},
       {"signature", json::string(bucket.sight.signature)},
       {"title", json::string(bucket.sight.title)},
       {"ends", json::number(bucket.sight.ends ? 1 : 0)},  // the process, before it could tell
       {"times", json::number(static_cast<std::int64_t>(bucket.times))},
       {"replay", json::string(again)}});
  write_file(at / "finding.json", json::write_pretty(finding) + "\n");
}

std::vector<const Bucket*> Buckets::all() const {
  std::vector<const Bucket*> out;
  for (const auto& [key, bucket] : buckets_) out.push_back(&bucket);
  std::stable_sort(out.begin(), out.end(),
                   [](const Bucket* a, const Bucket* b) { return rank_of(*a) < rank_of(*b); });
  return out;
}

}  // namespace fuzz
