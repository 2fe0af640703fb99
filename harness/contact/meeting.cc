// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/meeting.h"

#include <algorithm>
#include <utility>

#include "harness/contact/diagnose_failure.h"
#include "harness/oracle/oracle.h"
#include "harness/session/dialect.h"

namespace harness::run {

// The connection of an exchange was closed.
bool closes_unanswered(const wire::Frame& frame) {
  return frame.channel == wire::Channel::kClose && frame.direction == wire::Direction::kReceived &&
         (frame.bytes == "eof" || frame.bytes == "reset");
}

bool refuses_posts(const std::vector<Contact>& contacts) {
  return std::any_of(contacts.begin(), contacts.end(), [](const Contact& contact) {
    const auto& frames = contact.transcript->frames;
    return std::any_of(frames.begin(), frames.end(), [](const wire::Frame& frame) {
      const int status = frame.head ? frame.head->status : 0;
      const bool refused = status >= 400 && status != 401 && status != 403 && status != 407 &&
                           frame.bytes.find("\"jsonrpc\"") == std::string::npos;
      return refused || closes_unanswered(frame);
    });
  });
}

// It was asked for a list before anything else.
bool is_without_handshake(const Contact& contact) {
  if (!contact.profile->mcp || contact.profile->era != spec::Era::kHandshake) return false;
  for (const wire::Frame& frame : contact.transcript->frames) {
    if (frame.direction != wire::Direction::kSent || !wire::carries_message(frame)) continue;
    const wire::Message message = wire::read_message(frame.bytes);
    return message.method() && message.method()->text.ends_with("/list");
  }
  return false;
}

bool tries_to_answer(const wire::Transcript& transcript) {
  bool began = false;  // something that may be a message, perhaps over several lines
  for (const wire::Frame& frame : transcript.frames) {
    if (frame.direction != wire::Direction::kReceived || frame.channel == wire::Channel::kStderr ||
        frame.channel == wire::Channel::kExit)
      continue;
    const std::size_t brace = frame.bytes.find_first_of("{[");
    began |= brace != std::string::npos && brace < 8;
    // Of an event only the lines count that are its data: the rest of the message may be lost.
    const bool event = frame.channel == wire::Channel::kSse && brace < 8 &&
                       !wire::read_message(frame.bytes).is_json;
    if (event || (began && frame.bytes.find("\"jsonrpc\"") != std::string::npos)) return true;
  }
  return false;
}

awaitable<Result<Negotiated>> Meeting::meet(std::string wanted) {
  contacts_.clear();
  contacts_in_lines_ = 0;
  const Opener opener = [this](const spec::Profile& profile) { return open(profile); };
  Reframe reframe;
  if (reframe_) reframe = [this](target::Framing framing) { speak_in(framing); };
  Result<Negotiated> met = co_await negotiate(wanted, target_, suite_, opener, reframe);
  // What a client of the profile would never say is no evidence against the target, nor what one of
  // agents says where it is none.
  if (!met) std::erase_if(contacts_, is_without_handshake);
  if (wanted == "auto" && !(met && met->profile->acp))
    std::erase_if(contacts_, [](const Contact& contact) { return contact.profile->acp; });
  co_return std::move(met);
}

// Back to lines: what was said behind headers was a question that the target did not take.
void Meeting::speak_in(target::Framing framing) {
  if (framing == target::Framing::kLine)
    while (contacts_.size() > contacts_in_lines_) contacts_.pop_back();
  contacts_in_lines_ = contacts_.size();
  reframe_(framing);
}

awaitable<Result<SessionPtr>> Meeting::open(const spec::Profile& profile) {
  Result<SessionPtr> opened = co_await open_(profile);
  if (opened) contacts_.push_back({&profile, (*opened)->slice()});
  co_return std::move(opened);
}

std::optional<Error> Meeting::obstacle() const {
  if (!target_.has_exchanges()) return std::nullopt;
  return diagnose_failure(contacts_, target_);
}

awaitable<const spec::Profile*> Meeting::judge_answers(OracleLedger& ledger) {
  std::optional<Beginning> begun = broken_beginning(contacts_);
  const bool tried = !begun;
  if (tried) {
    std::optional<Beginning> refused = co_await wants_version_header();
    begun = std::move(refused);
  }
  const auto answered =
      std::find_if(contacts_.rbegin(), contacts_.rend(),
                   [](const Contact& contact) { return tries_to_answer(*contact.transcript); });
  if (answered == contacts_.rend() && !begun) co_return nullptr;
  const Contact first = begun ? begun->contact : *answered;
  const std::vector<oracle::Finding> seen = failures_in(first);
  if (seen.empty() && !begun) co_return nullptr;
  const std::string name = first.profile->name;
  const Result<Negotiated> again = co_await meet(name);
  if (again) co_return nullptr;
  for (const Contact& contact : contacts_)
    if (contact.profile == first.profile) ledger.saw_again(seen, failures_in(contact));
  for (const oracle::Finding& finding : seen)
    if (ledger.confirmed(finding)) ledger.keep(finding, *first.transcript, kHandshake);
  if (begun && (tried || shows_again(*begun))) beginning_ = begun;
  co_return ledger.empty() && !beginning_ ? nullptr : first.profile;
}

// HTTP 400 came for an initialize, and the same with a version in a header is served.
awaitable<std::optional<Beginning>> Meeting::wants_version_header() {
  constexpr const char* kClause = "mcp.http.version-header-on-initialize";
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact contact = contacts_[i];
    const spec::Requirement* clause = registry_.find(kClause);
    if (!target_.has_exchanges() || contact.profile->era != spec::Era::kHandshake || !clause ||
        !spec::applies(*clause, *contact.profile, wire::TransportKind::kHttp))
      continue;
    std::optional<Beginning> begun = refused_initialize(contact, 400);
    if (!begun) continue;
    begun->title = "initialize is refused without a header that it does not require";
    begun->finding.requirement = kClause;
    begun->finding.expected =
        "initialize to be served without MCP-Protocol-Version; it is served with that header";
    const bool served = co_await served_with_header(*contact.profile);
    if (served) co_return begun;
    co_return std::nullopt;
  }
  co_return std::nullopt;
}

awaitable<bool> Meeting::served_with_header(const spec::Profile& profile) {
  Result<SessionPtr> opened = co_await open(profile);
  if (!opened) co_return false;
  session::Session& fresh = **opened;
  const json::Value id = json::number(fresh.next_id());
  const json::Value params = session::initialize_params(profile.revision, json::object());
  wire::HttpHead head;
  head.headers = {{"MCP-Protocol-Version", profile.revision}};
  const session::Sent sent = co_await fresh.send(session::message(&id, "initialize", params), head);
  const session::Inbound* reply =
      co_await fresh.reply_to(sent, session::Clock::now() + fresh.reply_time());
  const json::Value* result = reply ? reply->message->value.find("result") : nullptr;
  co_return result && result->find("protocolVersion");
}

// A target that has had its one session refuses all others.
bool Meeting::shows_again(const Beginning& begun) const {
  const std::optional<Beginning> again = broken_beginning(contacts_);
  if (again) return again->finding.requirement == begun.finding.requirement;
  return begun.finding.requirement == kOneSession &&
         std::none_of(contacts_.begin(), contacts_.end(),
                      [](const Contact& contact) { return accepts_initialize(contact); });
}

std::vector<oracle::Finding> Meeting::failures_in(const Contact& contact) const {
  oracle::Evidence evidence(*contact.transcript, *contact.profile, registry_);
  evidence.client_capabilities = json::object();
  std::vector<oracle::Finding> findings = oracle::judge(evidence);
  std::erase_if(findings, [](const oracle::Finding& finding) {
    return finding.severity != oracle::Severity::kFail;
  });
  return findings;
}

}  // namespace harness::run
