// SPDX-License-Identifier: Apache-2.0
// Meeting: the first contact with a target. It negotiates, keeps the messages of each session until
// the profile is known, and judges them if it never is.
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

// Used in place of a case id, for findings before the first case.
inline constexpr const char* kHandshake = "the handshake";

// A POST got an error status without a message, or its connection was closed, as HTTP+SSE servers
// may do with a POST to the address of their stream.
bool refuses_posts(const std::vector<Contact>& contacts);
// Whether the target tries to speak JSON-RPC, however badly. A program that prints text is not the
// server that the user meant.
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

  // Like negotiate(); forgets the messages of an earlier attempt.
  awaitable<Result<Negotiated>> meet(std::string wanted);
  const std::vector<Contact>& contacts() const { return contacts_; }

  // What prevented every exchange over HTTP. Even a successful first contact may only have shown
  // that the target requires credentials.
  std::optional<Error> obstacle() const;

  // For a failed first contact. If the replies of the target resemble JSON-RPC, findings that
  // oracles see twice go into the ledger, and so does what no single message shows; see
  // beginning(). Returns the profile that was used; null if there is no verdict.
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
