// SPDX-License-Identifier: Apache-2.0
// Meeting: the first contact with a target. It negotiates, keeps what was said on each session
// until the profile was known, and knows what that tells where it never was.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/contact/beginning.h"
#include "harness/contact/contact.h"
#include "harness/contact/negotiate.h"
#include "harness/contact/pool.h"
#include "harness/oracle/finding.h"
#include "harness/results/oracle_ledger.h"
#include "harness/spec/requirement.h"

namespace harness::run {

// Stands where a case id does, for what was seen before any case was played.
inline constexpr const char* kHandshake = "the handshake";

// Some POST got the status that a server of HTTP+SSE has for one to its stream, and no message.
bool refuses_posts(const std::vector<Contact>& contacts);
// Somebody is there who means to speak JSON-RPC, however badly. A program that prints text is not
// the server the user meant.
bool tries_to_answer(const wire::Transcript& transcript);

class Meeting {
 public:
  // All of them outlive it.
  Meeting(const target::Target& target, const suite::Suite& suite, const spec::Registry& registry,
          Opener open, Reframe reframe = {})
      : target_(target),
        suite_(suite),
        registry_(registry),
        open_(std::move(open)),
        reframe_(std::move(reframe)) {}

  // As negotiate() does; what was said the time before is forgotten.
  awaitable<Result<Negotiated>> meet(std::string wanted);
  const std::vector<Contact>& contacts() const { return contacts_; }

  // What stood in the way of every word that was said over HTTP. A target that was met all the same
  // answered like a server of messages, but perhaps only to say that it wants credentials.
  std::optional<Error> obstacle() const;

  // The target could not be met. If it answers in something like JSON-RPC, what oracles see in its
  // answers twice is a verdict on it: it is kept in the ledger, and the profile that it was spoken
  // to in is returned. So is what no single message shows, see beginning(). Null: there is no
  // verdict.
  awaitable<const spec::Profile*> judge_answers(OracleLedger& ledger);
  const std::optional<Beginning>& beginning() const { return beginning_; }

 private:
  awaitable<Result<SessionPtr>> open(const spec::Profile& profile);
  void speak_in(target::Framing framing);
  std::vector<oracle::Finding> failures_in(const Contact& contact) const;
  bool shows_again(const Beginning& begun) const;
  awaitable<std::optional<Beginning>> wants_version_header();
  awaitable<bool> served_with_header(const spec::Profile& profile);

  const target::Target& target_;
  const suite::Suite& suite_;
  const spec::Registry& registry_;
  Opener open_;
  Reframe reframe_;
  std::vector<Contact> contacts_;
  std::size_t contacts_in_lines_ = 0;  // before the framing was changed
  std::optional<Beginning> beginning_;
};

}  // namespace harness::run
