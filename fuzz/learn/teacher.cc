// SPDX-License-Identifier: Apache-2.0
#include "fuzz/learn/teacher.h"

#include <algorithm>
#include <utility>

#include "harness/session/dialect.h"
#include "harness/wire/message.h"

namespace fuzz {

using harness::Result;
using harness::session::awaitable;
using harness::session::Clock;
using harness::session::Inbound;
using harness::session::Sent;
using harness::session::Session;
namespace json = harness::json;
namespace wire = harness::wire;
using std::chrono::milliseconds;

namespace {

constexpr int kAgain = 4;         // plays more where answers do not agree
constexpr int kMostFailures = 3;  // in a row to open a session
constexpr int kPatientWaits = 3;
constexpr std::size_t kMostAlso = 40;
constexpr milliseconds kSoon{200};  // a reply that takes longer is asked for by a canary
constexpr int kPatientTimes = 5;    // as long is waited for what did not come

bool is_absence(const std::string& output) { return output == "nothing" || output == "silent"; }

std::string class_of(const json::Value& reply) {
  if (const json::Value* error = reply.find("error")) {
    const json::Value* code = error->is_object() ? error->find("code") : nullptr;
    return code ? "error " + code->text : "error";
  }
  return "result";
}

// How an end is called where a process ended by itself; the rest may depend on who was quicker.
std::string end_word(const std::string& how) {
  return how.starts_with("exit") || how.starts_with("signal") ? how : "";
}

}  // namespace

Teacher::Teacher(FuzzTarget& target, std::vector<Letter> alphabet,
                 const harness::spec::Registry& registry, const harness::Secrets* secrets,
                 TeacherLimits limits, std::function<bool()> stop)
    : target_(target), alphabet_(std::move(alphabet)), registry_(registry), secrets_(secrets),
      limits_(limits), stop_(std::move(stop)) {}

std::vector<std::string> Teacher::names() const {
  std::vector<std::string> out;
  for (const Letter& letter : alphabet_) out.push_back(letter.name);
  return out;
}

bool Teacher::take_changed() { return std::exchange(changed_, false); }

bool Teacher::may_ask() const {
  return !failure_ && played_ < limits_.words && std::chrono::steady_clock::now() < limits_.until &&
         !stop_();
}

// ------------------------------------------------------------------------------------ memory

bool Teacher::agrees(const Word& word, const Outputs& outputs) {
  Word prefix;
  for (std::size_t i = 0; i < word.size(); ++i) {
    prefix.push_back(word[i]);
    const auto known = known_.find(prefix);
    if (known != known_.end() && !varies_.contains(prefix) && known->second != outputs[i])
      return false;
  }
  return true;
}

void Teacher::remember(const Word& word, const Outputs& outputs) {
  Word prefix;
  for (std::size_t i = 0; i < word.size(); ++i) {
    prefix.push_back(word[i]);
    known_.emplace(prefix, outputs[i]);
  }
}

awaitable<std::optional<Outputs>> Teacher::ask(const Word& word) {
  const auto remembered = [&]() -> std::optional<Outputs> {
    Outputs out;
    Word prefix;
    for (const Symbol symbol : word) {
      prefix.push_back(symbol);
      const auto known = known_.find(prefix);
      if (known == known_.end()) {
        // On a connection that is closed nothing more is said.
        if (out.empty() || !out.back().starts_with("closed")) return std::nullopt;
        out.push_back(out.back());
        continue;
      }
      out.push_back(known->second);
    }
    return out;
  };
  std::optional<Outputs> known = remembered();
  while (!known) {
    if (!may_ask()) co_return std::nullopt;
    Result<Outputs> outputs = co_await play(word);
    if (outputs && is_absence_news(word, *outputs)) {
      patient_ = true;
      outputs = co_await play(word);
      patient_ = false;
    }
    if (!outputs) {
      if (++failures_ >= kMostFailures) failure_ = outputs.error();
      continue;
    }
    failures_ = 0;
    if (!agrees(word, *outputs))
      co_await ask_again(word, std::move(*outputs));
    else
      remember(word, *outputs);
    known = remembered();
  }
  co_return std::move(known);
}

// Whether it says that something did not come which is not known not to come.
bool Teacher::is_absence_news(const Word& word, const Outputs& outputs) const {
  Word prefix;
  for (std::size_t i = 0; i < word.size(); ++i) {
    prefix.push_back(word[i]);
    if (!is_absence(outputs[i])) continue;
    const auto known = known_.find(prefix);
    return known == known_.end() || (known->second != outputs[i] && !varies_.contains(prefix));
  }
  return false;
}

// Answers do not agree: what comes most of the times is no more true than the rest.
awaitable<void> Teacher::ask_again(const Word& word, Outputs odd) {
  std::vector<Outputs> all(1, std::move(odd));
  for (int i = 0; i < kAgain && may_ask(); ++i) {
    const Result<Outputs> outputs = co_await play(word);
    if (outputs) all.push_back(*outputs);
  }
  Word prefix;
  for (std::size_t i = 0; i < word.size(); ++i) {
    prefix.push_back(word[i]);
    const auto known = known_.find(prefix);
    std::map<std::string, int> answers;
    if (known != known_.end() && !varies_.contains(prefix)) ++answers[known->second];
    for (const Outputs& outputs : all) ++answers[outputs[i]];
    if (varies_.contains(prefix) || answers.size() < 2) continue;
    varies_.insert(prefix);
    std::string both;
    for (const auto& [answer, times] : answers) both += (both.empty() ? "" : " or ") + answer;
    known_[prefix] = both;
    wavering_.push_back({prefix, std::move(answers)});
    changed_ = true;
    co_return;  // what comes behind it may be of either
  }
}

// ------------------------------------------------------------------------------------ playing

awaitable<Result<Outputs>> Teacher::play(const Word& word) {
  Result<harness::run::SessionPtr> opened = co_await target_.open_untouched();
  if (!opened) co_return opened.error();
  harness::run::SessionPtr session = std::move(*opened);
  ++played_;
  Outputs out;
  std::vector<std::uint64_t> ends;  // of each symbol: the last frame
  for (const Symbol symbol : word) {
    std::string output;
    if (session->closed()) {
      output = out.empty() ? "closed" : out.back();
    } else {
      output = co_await say(*session, alphabet_[symbol]);
    }
    out.push_back(std::move(output));
    ends.push_back(session->last_seq());
  }
  judge(*session, word, ends);
  target_.leave(std::move(session));
  co_return std::move(out);
}

awaitable<std::string> Teacher::say(Session& session, const Letter& letter) {
  const std::size_t from = session.inbox().size();
  if (letter.kind == LetterKind::kHandshake && !session.initialized()) {
    const json::Value params = session.opening_params();
    const harness::session::Handshake shaken = co_await session.handshake(params, nullptr, false);
    if (shaken.answered) co_return class_of(shaken.reply);
    const std::string answer = co_await answer_to(session, shaken.sent);
    co_return answer;
  }
  if (letter.kind == LetterKind::kRequest || letter.kind == LetterKind::kHandshake) {
    const json::Value id = json::number(session.next_id());
    json::Value message = letter.message;
    if (letter.kind == LetterKind::kHandshake)
      message = harness::session::message(&id, "initialize", session.opening_params());
    else
      message.set("id", id);
    const Sent sent = co_await session.send(message);
    const std::string answer = co_await answer_to(session, sent);
    co_return answer;
  }
  if (letter.kind == LetterKind::kText) {
    std::vector<std::string> writes(1, session.wire().frame(letter.text));
    std::string shown = letter.text;
    const Sent sent = co_await session.send_text(std::move(shown), std::move(writes), false);
    const std::string came = co_await what_came(session, from, sent);
    co_return came;
  }
  const json::Value note = letter.kind == LetterKind::kInitialized
                               ? harness::session::initialized_message(session.profile())
                               : letter.message;
  const Sent sent = co_await session.send(note);
  const std::string came = co_await what_came(session, from, sent);
  co_return came;
}

awaitable<std::string> Teacher::how_it_ended(Session& session) {
  const harness::session::Deadline deadline = Clock::now() + kSoon;
  for (bool more = !session.exited(); more;) more = co_await session.pump(deadline);
  const std::string how = end_word(session.exited() ? session.exit_status() : "");
  co_return how.empty() ? "closed" : "closed, " + how;
}

milliseconds Teacher::patience(const Session& session) const {
  return std::max(limits_.timeout, session.reply_time()) * (patient_ ? kPatientTimes : 1);
}

// What a request gets.
awaitable<std::string> Teacher::answer_to(Session& session, const Sent& sent) {
  const milliseconds most = patience(session);
  // A process may still be starting.
  const milliseconds first = session.inbox().empty() ? most : std::min(most, kSoon);
  const harness::session::Deadline soon = Clock::now() + first;
  const Inbound* reply = co_await session.reply_to(sent, soon);
  const auto refused = [&]() -> std::string {
    const harness::session::Exchange* http = session.exchange(sent.exchange);
    return http && http->ended && http->status >= 300 ? "HTTP " + std::to_string(http->status) : "";
  };
  if (reply) co_return class_of(reply->message->value);
  if (const std::string status = refused(); !status.empty()) co_return status;
  if (!session.closed()) {
    const Sent canary = co_await session.send_canary();
    const Inbound* alive = co_await session.reply_to(canary, Clock::now() + most);
    // Where nothing ever came late, it is not waited for each time.
    const bool patient = alive && (patient_ || waits_++ < kPatientWaits || came_late_ > 0);
    const milliseconds longer = patient ? most : kSoon;
    reply = co_await session.reply_to(sent, Clock::now() + longer);
    came_late_ += reply != nullptr;
    if (reply) co_return class_of(reply->message->value);
    if (const std::string status = refused(); !status.empty()) co_return status;
    if (!session.closed()) co_return alive ? "nothing" : "silent";
  }
  const std::string end = co_await how_it_ended(session);
  co_return end;
}

// What something gets that asks for nothing, up to the reply to a canary behind it.
awaitable<std::string> Teacher::what_came(Session& session, std::size_t from, const Sent& sent) {
  const Sent canary = co_await session.send_canary();
  const Inbound* alive = co_await session.reply_to(canary, Clock::now() + patience(session));
  const harness::session::Exchange* http = session.exchange(sent.exchange);
  if (http && http->status >= 300) co_return "HTTP " + std::to_string(http->status);
  const auto& inbox = session.inbox();
  for (std::size_t i = from; i < inbox.size(); ++i)
    if (inbox[i].message->is_reply() && inbox[i].key == "null")
      co_return class_of(inbox[i].message->value);
  if (alive) co_return "-";
  if (!session.closed()) co_return "silent";
  const std::string end = co_await how_it_ended(session);
  co_return end;
}

// ------------------------------------------------------------------------------------ judging

void Teacher::judge(Session& session, const Word& word, const std::vector<std::uint64_t>& ends) {
  harness::trace::Slice slice = session.take_slice();
  const harness::oracle::Evidence evidence(slice, session.profile(), registry_, secrets_);
  for (harness::oracle::Finding& finding : harness::oracle::judge(evidence)) {
    if (finding.severity == harness::oracle::Severity::kInfo || !finding.sure) continue;
    const std::uint64_t last = finding.frames.empty() ? 0 : finding.frames.back();
    const auto symbol =
        std::find_if(ends.begin(), ends.end(), [&](std::uint64_t end) { return last <= end; });
    const std::size_t length =
        symbol == ends.end() ? word.size() : static_cast<std::size_t>(symbol - ends.begin()) + 1;
    if (length == 0) continue;
    Word shown(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(length));
    note(std::move(shown), std::move(finding), slice);
  }
}

void Teacher::note(Word word, harness::oracle::Finding finding,
                   const harness::trace::Slice& slice) {
  const auto same = std::find_if(forbidden_.begin(), forbidden_.end(), [&](const Forbidden& one) {
    return one.finding.requirement == finding.requirement && one.finding.oracle == finding.oracle;
  });
  if (same == forbidden_.end()) {
    forbidden_.push_back({std::move(word), std::move(finding), slice, {}});
    return;
  }
  // The shortest word shows it best.
  if (word.size() < same->word.size()) {
    std::swap(word, same->word);
    same->finding = std::move(finding);
    same->slice = slice;
  }
  std::erase_if(same->also, [&](const Word& one) { return one.back() == same->word.back(); });
  if (word.back() == same->word.back()) return;
  const auto known = std::find_if(same->also.begin(), same->also.end(),
                                  [&](const Word& one) { return one.back() == word.back(); });
  if (known == same->also.end() && same->also.size() < kMostAlso)
    same->also.push_back(std::move(word));
  else if (known != same->also.end() && word.size() < known->size())
    *known = std::move(word);
}

}  // namespace fuzz
