// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/first_look.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "harness/session/dialect.h"
#include "harness/session/patience.h"
#include "harness/transport/texts.h"
#include "harness/wire/message.h"

namespace harness::run {
namespace {

using session::Clock;
using session::Session;
using std::chrono::milliseconds;

bool is_doubtful(const Session& silent, const Search& search) {
  return search.reframe && !search.reframed && !silent.closed() &&
         silent.wire().traits().byte_stream && search.target.framing == target::Framing::kLine;
}

// The framing of a target that is silent to a line.
class FramingDoubt {
 public:
  explicit FramingDoubt(Search& search) : search_(search) {}

  // Whether it is another, as far as can be said by now. Asked twice, it says more: what was asked
  // in headers has had as long as what was asked in a line.
  awaitable<bool> finds_another(const Session& silent) {
    if (!is_doubtful(silent, search_)) co_return false;
    if (writes_no_lines(silent, search_)) co_return true;
    if (!says_nothing(silent) || !silent.wire().begun().empty()) co_return false;
    bool answered = false;
    if (!in_headers_) {
      search_.reframe(target::Framing::kContentLength);
      Result<std::unique_ptr<Session>> opened = co_await search_.open(silent.profile());
      search_.reframe(target::Framing::kLine);
      if (!opened) co_return false;
      in_headers_ = std::move(*opened);
      said_ = co_await in_headers_->say_initialize(in_headers_->opening_params(), nullptr);
      answered = co_await hears(patience::kFraming);
    } else {
      answered = co_await hears(patience::kFramingAgain);
    }
    if (!answered) co_return false;
    search_.odd.push_back(speaks_in_headers(silent, *in_headers_));
    search_.reframe(target::Framing::kContentLength);
    co_return search_.reframed = true;
  }

 private:
  awaitable<bool> hears(milliseconds patience) {
    co_await in_headers_->hear_initialize(said_, Clock::now() + patience);
    // An error may be a line that says that no line with a header can be read; that a server of
    // other methods does not know this one says that it was.
    const json::Value* code = json::at(said_.reply, "/error/code");
    const bool read = said_.reply.find("result") || (code && json::as_integer(*code) == -32601);
    co_return said_.answered&& read;
  }

  Search& search_;
  std::unique_ptr<Session> in_headers_;
  session::Handshake said_;
};

// A reply came behind a few other bytes on its line; what they are is for the oracles.
bool writes_prompts(const Session& silent) {
  const auto& frames = silent.transcript().frames;
  return std::any_of(frames.begin(), frames.end(), [](const wire::Frame& frame) {
    const std::size_t brace = frame.bytes.find('{');
    if (frame.direction != wire::Direction::kReceived || !wire::carries_message(frame) ||
        brace == 0 || brace > transport::kLongestPrompt)
      return false;
    const wire::Message read = wire::read_message(frame.bytes.substr(brace));
    return read.is_reply() && !wire::read_message(frame.bytes).is_json;
  });
}

}  // namespace

bool writes_no_lines(const Session& silent, Search& search) {
  if (!is_doubtful(silent, search)) return false;
  std::optional<Oddity> odd = without_newline(silent);
  if (!odd && !writes_prompts(silent)) return false;
  if (odd) search.odd.push_back(std::move(*odd));
  search.reframe(target::Framing::kText);
  return search.reframed = true;
}

awaitable<bool> shake(Session& session, Search& search, session::Handshake& shaken) {
  const auto began = Clock::now();
  const milliseconds patience = session.pace().to_begin();
  shaken = co_await session.say_initialize(session.opening_params(), nullptr);
  co_await session.hear_initialize(shaken, began + std::min(patience::kFraming, patience));
  FramingDoubt doubt(search);
  bool other = false;
  if (!shaken.answered) other = co_await doubt.finds_another(session);
  if (other || shaken.answered) co_return other;
  // What has no end is there when its exchange is given up.
  const auto cut_off = [&] {
    const wire::Frame* answer = cut_off_answer(session, shaken.sent);
    if (answer) search.odd.push_back(without_end(session, *answer));
    search.takes_cut_off |= answer != nullptr;
    return answer != nullptr;
  };
  if (cut_off()) co_return true;
  co_await session.hear_initialize(shaken, began + patience);
  if (!shaken.answered && cut_off()) co_return true;
  if (!shaken.answered) other = co_await doubt.finds_another(session);
  co_return other;
}

awaitable<Error> ask_both_eras(Search& search, BothEras& out) {
  const spec::Profile& stateless = *spec::find_profile("mcp-2026-07-28");
  Result<std::unique_ptr<Session>> modern = co_await search.open(stateless);
  if (!modern) co_return modern.error();
  out.modern = std::move(*modern);
  Session& one = *out.modern;
  const json::Value id = json::number(one.next_id());
  const json::Value question =
      session::message(&id, "server/discover", spec::canary_of(stateless).params);
  session::Sent sent;
  const auto hear = [&](session::Deadline until) -> awaitable<void> {
    if (const session::Inbound* reply = co_await one.reply_to(sent, until)) out.discovered = *reply;
  };
  if (search.one_by_one) {
    sent = co_await one.send(question);
    co_await hear(Clock::now() + patience::kFirstQuestions);
    co_await one.hang_up();
  }
  Result<std::unique_ptr<Session>> legacy =
      co_await search.open(*spec::find_profile("mcp-2025-11-25"));
  if (!legacy) co_return legacy.error();
  out.legacy = std::move(*legacy);
  if (!search.one_by_one) sent = co_await one.send(question);
  out.other = co_await shake(*out.legacy, search, out.shaken);
  if (out.other || search.one_by_one) co_return Error{};
  const auto took = Clock::now() - out.shaken.sent.at;
  // A target that stayed silent has had as long for this question; what has come is to be read.
  const auto more = out.shaken.answered ? std::max<Clock::duration>(took, patience::kOtherEra)
                                        : patience::kOtherEraSilent;
  co_await hear(Clock::now() + std::min<Clock::duration>(more, one.pace().timeout));
  co_return Error{};
}

bool says_nothing(const Session& session) {
  for (const wire::Frame& frame : session.transcript().frames)
    if (frame.direction == wire::Direction::kReceived && wire::carries_message(frame)) return false;
  return true;
}

}  // namespace harness::run
