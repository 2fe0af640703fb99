// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/caution.h"

#include <utility>
#include <variant>

#include "harness/spec/model.h"
#include "harness/spec/protocol.h"
#include "harness/wire/message.h"

namespace fuzz {
namespace {

constexpr unsigned kTrust = 4;        // scripts that went well, before there were any
constexpr unsigned kRemembered = 64;  // then what was counted counts half
constexpr std::size_t kAtLeast = 16;  // one draw in so many is taken in any case
constexpr unsigned kMostEnded = 16;   // one script in so many, of what a strict one lets pass

std::string kind_of(std::string_view text, const harness::spec::Profile& profile) {
  const harness::wire::Message message = harness::wire::read_message(text);
  if (!message.is_json) return "text";
  const harness::spec::Situation situation{&profile, harness::wire::TransportKind::kStdio,
                                           harness::spec::Phase::kReady};
  const harness::spec::Expectation expected = harness::spec::expect(situation, message, text);
  std::string out;
  for (const auto* rule : expected.found()) out += std::string(rule->name) + ' ';
  const harness::json::Value* method = message.method();
  const bool known =
      method != nullptr && method->is_string() && profile.protocol().find(method->text) != nullptr;
  return known ? out + method->text : out;
}

}  // namespace

bool Caution::avoids(const Mutator& mutator, Random& random) const {
  const auto record = records_.find(&mutator);
  if (record == records_.end() || record->second.ended == 0) return false;
  const Record& known = record->second;
  if (is_strict && known.ended * kMostEnded > known.scripts) return true;
  return random.below(known.scripts + kTrust) < known.ended && !random.one_in(kAtLeast);
}

std::vector<const Mutator*> Caution::taken() { return std::exchange(used_, {}); }

void Caution::learn(const std::vector<const Mutator*>& used, bool ended) {
  for (const Mutator* mutator : used) {
    Record& record = records_[mutator];
    ++record.scripts;
    record.ended += ended;
    if (record.scripts < kRemembered) continue;
    record.scripts /= 2;
    record.ended /= 2;
  }
}

void Caution::learn_end(std::string_view message, const harness::spec::Profile& profile) {
  Record& record = kinds_[kind_of(message, profile)];
  ++record.scripts;
  ++record.ended;
}

void Caution::learn_survival(const Script& script, const harness::spec::Profile& profile) {
  if (kinds_.empty()) return;
  for (const Step& step : script.steps)
    if (const auto* frame = std::get_if<Frame>(&step))
      if (const auto known = kinds_.find(kind_of(frame->bytes, profile)); known != kinds_.end())
        ++known->second.scripts;
}

bool Caution::ends_session(const Step& step, const harness::spec::Profile& profile) const {
  if (std::holds_alternative<Close>(step)) return true;
  const auto* frame = std::get_if<Frame>(&step);
  if (frame == nullptr || kinds_.empty()) return false;
  const auto known = kinds_.find(kind_of(frame->bytes, profile));
  return known != kinds_.end() && known->second.ended * kMostEnded > known->second.scripts;
}

}  // namespace fuzz
