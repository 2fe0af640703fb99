// SPDX-License-Identifier: Apache-2.0
// The model at the envelope level: which replies a conforming server may give to one message. It
// judges the text, the envelope, the id, the name of the method and the kind of params, and is as
// lenient as the specifications. How a known method treats its params is left open: a result or an
// error.
//
//   text → ModelRule, ModelRule … (model_rules.cc: one row each) → Expectation
//
// Rules add up: a message with two errors may be rejected for either, and served only if both allow
// it. Nothing here allocates, because a fuzzer calls it for every frame.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "harness/json/value.h"
#include "harness/spec/profile.h"
#include "harness/wire/message.h"
#include "harness/wire/transport_kind.h"

namespace harness::spec {

// What a conforming server may do, what is tolerated with a warning, what breaks a clause.
enum class Grade : std::uint8_t { kLawful, kTolerated, kWrong };

// One property of a message that decides about its reply.
struct ModelRule {
  const char* name;  // "version-missing"
  // The clauses about it; the strongest under the profile is cited (see strongest()).
  std::array<const char*, 4> clauses;
  const char* says;           // one sentence: what it is
  std::array<int, 3> codes;   // errors that answer it; 0 ends the list
  std::array<int, 2> nearly;  // errors that are tolerated; other codes have the grade `error`
  // In plain JSON-RPC, and in protocols that apply JSON-RPC's rules only indirectly.
  struct Grades {
    Grade result, silence, error;
  } plain, layered;
};
std::span<const ModelRule> model_rules();
bool can_be_broken(const ModelRule& rule);  // not everything is lawful
const ModelRule* find_model_rule(std::string_view name);

enum class Phase : std::uint8_t {
  kBefore,  // before the handshake of a profile that has one, or unknown
  kReady,   // after it, or no handshake is needed
};

struct Situation {
  const Profile* profile = nullptr;
  wire::TransportKind transport = wire::TransportKind::kStdio;
  Phase phase = Phase::kReady;
};

// The reply, as far as the model judges it. A refusal over HTTP (4xx) is always lawful: the model
// ignores headers and sessions.
enum class Outcome : std::uint8_t { kResult, kError, kSilence };

class Expectation {
 public:
  static constexpr std::size_t kMost = 8;

  Grade result() const { return result_; }
  Grade silence() const { return silence_; }  // also kLawful if nothing can be required yet
  Grade error(std::int64_t code) const;

  // The rule behind a grade other than kLawful; null if the reason is that the message is valid.
  const ModelRule* reason(Outcome outcome) const;

  std::span<const ModelRule* const> found() const { return {found_.data(), count_}; }
  bool sound() const { return count_ == 0; }
  // Whether the reply may carry null, or no id, if the message has a readable one.
  bool may_lose_id() const { return count_ > 0 || open_; }
  // The message is a notification: nothing answers it, and other oracles report it.
  bool notification() const { return notification_; }
  // Whether it has a method and an id, of any kind.
  bool has_id() const { return has_id_; }
  // Nothing can be judged: beyond our limits, or before the handshake.
  bool open() const { return open_; }
  // Whether a correct server answers with an error or nothing: no method runs, so the reply is
  // immediate.
  bool prompt() const { return prompt_; }

 private:
  friend class Modeller;
  std::array<const ModelRule*, kMost> found_{};
  std::uint8_t count_ = 0;
  Grade result_ = Grade::kLawful;
  Grade silence_ = Grade::kLawful;
  bool layered_ = false;
  bool open_ = false;
  bool notification_ = false;
  bool has_id_ = false;
  bool prompt_ = false;
};

// `text`: the message as written, for details that reading drops.
Expectation expect(const Situation& situation, const wire::Message& message, std::string_view text);

// The same for an element of an array. The result of `expect` for an array is what may answer the
// whole of it; if arrays are served, its elements have their own Expectations.
Expectation expect_element(const Situation& situation, const json::Value& element);

// The ids that a reply may carry: that of the message, or of a member that a lenient server may
// read as id.
const json::Value* readable_id(const json::Value& value);

// Whether it is answered as a request, even if its method or params are invalid.
bool is_request(const Expectation& expected);

// How the profile takes arrays.
enum class Batches : std::uint8_t { kServed, kUndefined, kRemoved };
Batches batches_in(const Profile& profile);

// Whether any revision or dialect has a method or notification of this name.
bool is_known_method(std::string_view method);
// Whether no server can have it: a name of ours, one in a namespace that the profile reserves but
// does not use, or one that only an accident of the implementation would find.
bool is_nobodys_method(std::string_view method, const Profile& profile);
bool is_hostile_method(std::string_view method);  // of nobody: the last kind
bool is_known_in_other_case(std::string_view method);

// Whether the text or value exceeds what a cautious server may refuse to read; the limits are far
// below what good servers accept.
bool is_strenuous(std::string_view text);
bool is_strenuous(const json::Value& value);

}  // namespace harness::spec
