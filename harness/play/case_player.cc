// SPDX-License-Identifier: Apache-2.0
// What the actions of a case need: references, sending, judging, and what became of the connection.
#include "harness/play/case_player.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/match/table.h"
#include "harness/suite/references.h"
#include "harness/target/permission.h"

namespace harness::run {
namespace {

constexpr std::size_t kMostUnframed = 64 * 1024;  // bytes that may still become a call

using session::Clock;
using session::Deadline;
using session::Inbound;
using session::Session;
using std::chrono::milliseconds;

// More came than is taken in.
bool we_ended(const Session& session) {
  const std::string& how = session.closed_how();
  return how == "flood" || how == "too long" || how.starts_with("too big");
}

}  // namespace

json::Value CasePlayer::expanded(const json::Value& value) const {
  return run::expanded(value, scope_, case_.file);
}

json::Value CasePlayer::pattern(const json::Value& value) const {
  Result<json::Value> result = suite::expand_pattern(value, scope_);
  if (!result) throw Bug(case_.file + ": " + result.error().text());
  return std::move(*result);
}

suite::Outcomes CasePlayer::outcomes(const suite::Outcomes& written) const {
  Result<suite::Outcomes> result = suite::expand(written, scope_);
  if (!result) throw Bug(case_.file + ": " + result.error().text());
  return std::move(*result);
}

milliseconds CasePlayer::seconds(const json::Value& written) const {
  return milliseconds(static_cast<std::int64_t>(json::as_double(expanded(written)) * 1000));
}

std::int64_t CasePlayer::integer(const std::optional<json::Value>& written,
                                 std::int64_t otherwise) const {
  return integer_of(written, otherwise, scope_, case_.file);
}

Prepared CasePlayer::prepare(const suite::Step& step) {
  answered_ = false;
  Prepared prepared =
      run::prepare(step, scope_,
                   {case_.file, context_.profile, session_->options().client_capabilities,
                    session_->wire(), context_.offer.protection.auth});
  // A call may come together from several writes.
  if (prepared.unframed || !unframed_.empty()) unframed_ += prepared.text;
  const std::string forbidden = target::forbidden_call(
      unframed_.empty() ? prepared.text : unframed_, context_.offer.forbidden);
  if (!prepared.unframed || !forbidden.empty() || unframed_.size() > kMostUnframed)
    unframed_ = std::string();
  if (!forbidden.empty()) throw Withheld{forbidden};
  foresee(prepared);
  return prepared;
}

// Throws when a row before this one has shown already what this would.
void CasePlayer::foresee(const Prepared& prepared) {
  if (!context_.habits) return;
  std::string_view text = prepared.text;
  // Of raw bytes only whole lines can be told from pieces of something.
  const bool line = text.ends_with('\n') && text.find('\n') + 1 == text.size();
  const std::string input = prepared.unframed && !line ? "raw bytes" : input_class(text);
  const bool known = context_.habits->known(Habit::kHarm, input);
  if (known && checked_.count(input) != 0) throw Foreseen{input};
  inputs_.insert(input);
  listener_.foresee_silence(context_.habits->suspected(Habit::kSilence, input));
}

// Until when the reply to a step is waited for.
Deadline CasePlayer::reply_deadline(const suite::Step* step, const session::Sent& sent) const {
  if (!step || !step->within) return Clock::now() + session_->reply_time(sent.batched, sent.bytes);
  return Clock::now() + seconds(*step->within);
}

void CasePlayer::name_exchange(const std::string& name, int number) {
  exchanges_.insert_or_assign(name, std::make_pair(session_->number(), number));
}

int CasePlayer::named_exchange(const std::string& name) const {
  const auto found = exchanges_.find(name);
  const bool here = found != exchanges_.end() && found->second.first == session_->number();
  return here ? found->second.second : 0;
}

awaitable<void> CasePlayer::answer_inputs(Asked& asked, Reply& reply) {
  for (std::int64_t left = integer(asked.step->rounds, 0); left > 0; --left) {
    if (reply.messages.size() != 1) co_return;
    const json::Value* result = json::at(reply.messages.front()->message->value, "/result");
    const json::Value* type = result ? result->find("resultType") : nullptr;
    if (!type || type->text != "input_required") co_return;
    bool made = true;
    std::optional<json::Value> next =
        session::repeated_with_answers(asked.request, *result, session_->options(), made);
    if (!made) co_return lacks_answer();
    if (!next) co_return;
    next->set("id", json::number(session_->next_id()));
    asked.request = std::move(*next);
    std::string text = json::write(asked.request);
    std::vector<std::string> writes(1, session_->wire().frame(text));
    asked.sent = co_await session_->send_text(std::move(text), std::move(writes), false);
    reply = co_await listener_.gather(asked, reply_deadline(asked.step, asked.sent));
  }
}

// The row asks for an answer that the form of the server does not allow.
void CasePlayer::lacks_answer() { skip_rest("no form of the target allows such a response"); }

awaitable<bool> CasePlayer::judge(Asked& asked) {
  return judge(asked, reply_deadline(asked.step, asked.sent));
}

awaitable<bool> CasePlayer::judge(Asked& asked, Deadline deadline) {
  Reply reply = co_await listener_.gather(asked, deadline);
  if (asked.step->rounds) co_await answer_inputs(asked, reply);
  if (session_->take_lacked_answer()) lacks_answer();
  if (stop_row_) co_return false;
  answered_ = asked.sent.exchange && reply.http && reply.http->failure.empty() &&
              (!reply.messages.empty() || (reply.http->ended && reply.http->status < 500));
  if (is_gone(reply.http)) {
    gone(asked.step);
    co_return false;
  }
  note_broken_off(reply.http, asked.sent.seq);
  const Judging over_http{judging_.match, judging_.profile, wire::TransportKind::kHttp,
                          judging_.sets,  judging_.canary,  judging_.usual_error};
  const bool upgrade = std::holds_alternative<suite::Upgrade>(asked.step->action);
  const Graded graded = grade(*asked.reply, reply, upgrade ? over_http : judging_);
  findings_.note_missed(graded, reply);
  // A handshake is answered by who answers nothing else.
  played_.alive |= !reply.messages.empty() &&
                   !json::at(reply.messages.front()->message->value, "/result/protocolVersion");
  std::vector<std::uint64_t> frames{asked.sent.seq};
  for (const std::uint64_t seq : frames_of(reply)) frames.push_back(seq);
  if (reply.messages.empty() && reply.http && reply.http->head_seq &&
      frames.back() != reply.http->head_seq)
    frames.push_back(reply.http->head_seq);
  if (reply.messages.empty() && reply.canary_answered)
    frames.push_back(listener_.last_canary().seq);
  conclude(graded, seen(reply), asked.step, std::move(frames));
  capture_headers(*asked.step, reply);
  const bool own = !reply.messages.empty() && !asked.sent.id_key.empty() &&
                   reply.messages.front()->message->key == asked.sent.id_key;
  if (own) played_.longest_answered = std::max(played_.longest_answered, asked.sent.bytes);
  // Text that is written as such has none.
  if (own && reply.messages.front()->message->kind == wire::MessageKind::kResponse &&
      !asked.sent.method.empty())
    played_.served.emplace(asked.sent.method, asked.sent.name);
  if (!reply.messages.empty())
    capture(*asked.step, reply.messages.front()->message->value, reply.messages.front()->seq);
  else
    captures_lacking_ |= !asked.step->captures.empty();
  if (graded.skip_rest) skip_rest(graded.because);
  if (reply.exited || reply.closed) {
    if (ended_on_purpose_)
      over_ = true;
    else if (ends_in_order() && conclude_end(asked, reply, graded))
      stop_row_ = true;
    else if (is_no_end(*asked.reply, reply))
      co_await after_disconnect(asked.step, asked.sent.seq);
    else
      co_await ended(asked.step, asked.sent.seq);
  } else if (listener_.canary_failed()) {
    co_await unanswered(asked.step, asked.sent.seq);
  }
  co_return !reply.messages.empty();
}

void CasePlayer::conclude(const Graded& graded, oracle::Observation came, const suite::Step* step,
                          std::vector<std::uint64_t> frames) {
  if (!step || !graded.breaks.empty() || !match::is_reference(json::string(step->covers)))
    return findings_.conclude(graded, std::move(came), step, std::move(frames));
  Graded cited = graded;
  cited.breaks = expanded(json::string(step->covers)).text;  // a column of the row
  findings_.conclude(cited, std::move(came), step, std::move(frames));
}

oracle::Observation CasePlayer::seen(const Reply& reply) const {
  constexpr std::size_t kLongest = 300;
  oracle::Observation out = observed(reply);
  const std::vector<std::uint64_t> came = frames_of(reply);
  if (came.empty() || !oracle::came_as<oracle::NotAMessage>(out)) return out;
  for (const wire::Frame& frame : session_->transcript().frames)
    if (frame.seq == came.front()) out.texts = {printable(frame.bytes, kLongest)};
  return out;
}

// Whatever else the table holds, or the row behind its next `reconnect`, may be read better by
// another process. One behind a url is started again where it is known that this case ended it.
void CasePlayer::died(const suite::Step* step, std::uint64_t seq, bool others_served) {
  stop_row_ = true;
  if (we_ended(*session_)) {
    over_ = true;
    return;
  }
  std::string how = session_->exited() ? session_->exit_status() : session_->closed_how();
  if (how.empty()) how = "no response";
  std::vector<std::uint64_t> frames{seq};
  if (broken_off_ > 0 && broken_off_ < seq) frames.insert(frames.begin(), broken_off_);
  findings_.died(step, oracle::Ended{how, session_->exited(), others_served}, std::move(frames));
  over_ = !target_is_process() && !session_->exited();
  died_ = !over_;
}

// Reports the exit of the process behind the URL; false while it runs, or if another case may have
// ended it.
awaitable<bool> CasePlayer::tell_service_end(const suite::Step* step, std::uint64_t seq) {
  if (!context_.ending || we_ended(*session_)) co_return false;
  std::optional<PlayContext::Ending> ending = co_await context_.ending();
  if (!ending) co_return false;
  session_->note_end(std::move(ending->how), ending->output);
  ++played_.ends;
  died(step, seq);
  co_return true;
}

awaitable<void> CasePlayer::unanswered(const suite::Step* step, std::uint64_t seq) {
  const bool told = co_await tell_service_end(step, seq);
  if (told) co_return;
  if (is_gone(listener_.http_of(listener_.last_canary())))
    gone(step);
  else
    wedged(step, seq);
}

bool CasePlayer::is_gone(const session::Exchange* http) const {
  return http && http->failure == "refused" && !context_.restarts;
}

void CasePlayer::note_broken_off(const session::Exchange* http, std::uint64_t seq) {
  if (http) broken_off_ = http->failure.empty() ? 0 : seq;
}

void CasePlayer::gone(const suite::Step* step) {
  if (broken_off_ > 0) return died(step, broken_off_, false);
  stop_row_ = over_ = true;
  const char* why = "nothing listens at the address of the server any more";
  if (played_.findings.empty())
    played_.inconclusive = why;
  else
    played_.notes.push_back(std::string("not played to its end: ") + why);
}

// It was we who ended the session. What had come by then is judged; what had not is not known.
void CasePlayer::note_flood() {
  if (!we_ended(*session_)) return;
  // What repeats a long message of ours in a longer spelling is no flood.
  const bool repeats = session_->closed_how() == "too long";
  played_.flooded = !repeats;
  std::erase_if(played_.findings, [this](const oracle::Finding& finding) {
    return oracle::symptom_of(finding) != oracle::Symptom::kAnswer &&
           findings_.of_this_row(finding);
  });
  played_.believed = false;
  if (!played_.findings.empty()) return;
  played_.inconclusive =
      repeats ? "the target repeats a long message in a spelling that is longer than what rpcspec "
                "reads"
              : "the target sent more than rpcspec keeps of a case (12 MiB, 30,000 messages or "
                "200,000 values)";
}

// The connection ended though nobody asked for it. Where it is not the process itself, a server
// may hang up on text that is not JSON and serve the next client; that is worth no more than a
// warning.
awaitable<void> CasePlayer::ended(const suite::Step* step, std::uint64_t seq) {
  const bool told = co_await tell_service_end(step, seq);
  if (told) co_return;
  const bool connection = !session_->has_exchanges() && !session_->exited() && !target_is_process();
  const bool no_json = connection && sent_no_json();
  // One that is ours to start again was asked for above.
  bool others = true;
  if (no_json || (connection && !context_.ending)) others = co_await serves_another();
  // A process that is ending may have seemed to accept connections.
  bool ended_since = false;
  if (!others) ended_since = co_await tell_service_end(step, seq);
  if (ended_since) co_return;
  if (no_json && others) {
    findings_.hung_up(step, session_->closed_how(), seq);
    stop_row_ = true;
    co_return;
  }
  died(step, seq, others);
}

// The step's own `reply` takes it, whatever else came (a latecomer of an earlier step, perhaps);
// for a connection that is not the process itself.
bool CasePlayer::is_no_end(const suite::Outcomes& lawful, Reply reply) const {
  if (reply.exited || target_is_process() || session_->has_exchanges()) return false;
  // What says how the connection is to end has judged the end.
  bool judged = false;
  suite::each_grade(lawful, [&](const std::vector<suite::Outcome>& list) {
    for (const suite::Outcome& one : list)
      judged |= std::find(one.names.begin(), one.names.end(),
                          suite::OutcomeName(suite::OutcomeWord::kClosed)) != one.names.end();
  });
  if (judged) return true;
  reply.messages.clear();
  reply.garbage = nullptr;
  const Graded graded = grade(lawful, reply, judging_);
  return graded.grade == Grade::kPass || graded.grade == Grade::kNote;
}

// A language server that cannot follow its client may end in order, and the case has said what that
// is worth.
bool CasePlayer::ends_in_order() const {
  return context_.profile.lsp && session_->exited() && session_->exit_status().starts_with("exit");
}

// What the case says of such an end, whatever came before it; false: that it is none it allows.
bool CasePlayer::conclude_end(const Asked& asked, Reply reply, const Graded& graded) {
  reply.messages.clear();
  reply.garbage = nullptr;
  const Graded end = grade(*asked.reply, reply, judging_);
  if (end.grade >= Grade::kFail) return false;
  if (graded.grade < end.grade) conclude(end, seen(reply), asked.step, {asked.sent.seq});
  return true;
}

// The row is over, and the server is there for others.
awaitable<void> CasePlayer::after_disconnect(const suite::Step* step, std::uint64_t seq) {
  const bool told = co_await tell_service_end(step, seq);
  if (told) co_return;
  stop_row_ = co_await serves_another();
  if (stop_row_) co_return;
  const bool ended_since = co_await tell_service_end(step, seq);
  if (!ended_since) died(step, seq, false);
}

// The last that was sent, canaries aside, is no JSON text.
bool CasePlayer::sent_no_json() const {
  const auto& frames = session_->transcript().frames;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    if (frame->direction != wire::Direction::kSent || !wire::carries_message(*frame)) continue;
    if (frame->seq == listener_.last_canary().seq) continue;
    return !wire::read_message(frame->bytes).is_json;
  }
  return false;
}

awaitable<bool> CasePlayer::serves_another() {
  const std::uint64_t life = context_.lives();
  Result<std::unique_ptr<Session>> fresh = co_await context_.connect(suite::Need::kFresh);
  if (!fresh) co_return false;
  Listener listener(judging_, context_.silence);
  listener.use(**fresh);
  const bool answered = co_await listener.ask_canary();
  context_.discard(std::move(*fresh));
  co_return answered&& life == context_.lives();
}

void CasePlayer::wedged(const suite::Step* step, std::uint64_t seq) {
  const session::Exchange* http = listener_.http_of(listener_.last_canary());
  std::vector<std::uint64_t> frames{seq, listener_.last_canary().seq};
  oracle::Observation came{oracle::Nothing{}};
  came.detail = fmt::format("no reply to it within {} ms", listener_.canary_took().count());
  if (http && http->status != 0) {
    came.status = http->status;
    came.detail = fmt::format("HTTP {} in reply", http->status);
    frames.push_back(http->head_seq);
  }
  findings_.wedged(step, session_->canary().method, std::move(came), std::move(frames));
  session_->retire();
  over_ = true;
}

std::uint64_t CasePlayer::last_seq() const {
  const auto& frames = session_->transcript().frames;
  return frames.empty() ? 0 : frames.back().seq;
}

awaitable<void> CasePlayer::want_canary(const suite::Step& step) {
  const bool ends_row = !case_.for_each_name.empty() && &step == &case_.steps.back();
  if (!ends_row || !may_owe_canary()) co_return co_await demand_canary(&step);
  owed_to_ = &step;
}

awaitable<void> CasePlayer::demand_canary(const suite::Step* step) {
  if (session_->closed()) {
    if (!ended_on_purpose_) {
      co_await ended(step, last_seq());
    } else {
      over_ = true;
    }
    co_return;
  }
  const bool answered = co_await listener_.ask_canary();
  owes_canary_ = false;
  if (answered) {
    // Where the case asks for it, the answer has to be the usual one.
    if (step && (session_->initialized() || context_.profile.era != spec::Era::kHandshake)) {
      Reply usual;
      usual.messages.push_back(listener_.canary_reply());
      usual.own_id = listener_.last_canary().id_key;
      usual.valid_request = !session_->alters_ids();
      usual.readable = true;
      const suite::Outcomes normal = suite::only(suite::outcome_of(suite::OutcomeWord::kNormal));
      conclude(grade(normal, usual, judging_), observed(usual), step,
               {listener_.last_canary().seq, listener_.canary_reply()->seq});
    }
    co_return;
  }
  if (session_->closed() || session_->exited()) {
    co_await ended(step, listener_.last_canary().seq);
  } else {
    co_await unanswered(step, listener_.last_canary().seq);
  }
}

// The row has nothing more to ask: the target does not do what it is about.
void CasePlayer::skip_rest(const std::string& why) {
  stop_row_ = true;
  stopped_ = why.empty() ? "the target does not do what the case is about" : why;
}

// The row was to begin with a request of the server, which did not come: nothing is known of what
// it is about.
void CasePlayer::not_exercised(const std::string& why) {
  stop_row_ = true;
  not_exercised_ = why;
}

namespace {

// What a pointer leads to; behind a `*` what it leads to in each element, as a list.
std::optional<json::Value> found_at(const json::Value& from, const std::string& pointer) {
  const std::size_t star = (pointer + "/").find("/*/");
  if (star == std::string::npos) {
    const json::Value* value = json::at(from, pointer);
    return value ? std::optional(*value) : std::nullopt;
  }
  const json::Value* list = json::at(from, pointer.substr(0, star));
  if (!list || !list->is_array()) return std::nullopt;
  json::Value out = json::array();
  for (const json::Value& item : list->items)
    if (auto value = found_at(item, pointer.substr(star + 2)))
      out.items.push_back(std::move(*value));
  return out;
}

}  // namespace

// False when `from` lacks something of what is to be captured from it.
bool CasePlayer::capture(const suite::Step& step, const json::Value& from, std::uint64_t seq) {
  bool whole = true;
  for (const suite::Capture& wanted : step.captures) {
    if (!wanted.header.empty()) continue;
    std::optional<json::Value> value = found_at(from, wanted.pointer);
    whole &= value.has_value();
    captures_lacking_ |= !value;
    if (!value) continue;
    scope_.set(wanted.name, std::move(*value));
    captured_.insert_or_assign(wanted.name, seq);
  }
  return whole;
}

// `capture: {name: {header: Mcp-Session-Id}}`; "" when there is none.
void CasePlayer::capture_headers(const suite::Step& step, const Reply& reply) {
  if (!reply.http) return;
  for (const suite::Capture& wanted : step.captures) {
    if (wanted.header.empty()) continue;
    std::string all;  // of a header that is there twice, as one list
    for (const wire::Header& header : reply.http->headers)
      if (ascii::equal_ignoring_case(header.name, wanted.header))
        all += (all.empty() ? "" : ", ") + header.value;
    scope_.set(wanted.name, json::string(all));
    captured_.insert_or_assign(wanted.name, reply.http->head_seq);
  }
}

// What the session is known by: the reply that it began with, behind its request.
std::vector<std::uint64_t> CasePlayer::opening_frames() const {
  std::map<std::string, std::uint64_t> asked;
  for (const wire::Frame& frame : session_->transcript().frames) {
    if (!wire::carries_message(frame)) continue;
    const wire::Message message = wire::read_message(frame.bytes);
    if (frame.direction == wire::Direction::kSent) asked[message.key] = frame.seq;
    const json::Value* result = message.is_reply() ? message.value.find("result") : nullptr;
    if (result && asked.contains(message.key) && json::equal(*result, session_->agreed()))
      return {asked[message.key], frame.seq};
  }
  return {};
}

// The frames that what is referred to was captured from; the last frame when there are none.
std::vector<std::uint64_t> CasePlayer::frames_behind(const json::Value& value,
                                                     const json::Value& to) const {
  std::set<std::string> names = suite::roots_in(value);
  names.merge(suite::roots_in(to));
  std::set<std::uint64_t> frames;
  for (const auto& [name, seq] : captured_)
    if (names.contains(name)) frames.insert(seq);
  if (names.contains("session"))
    for (const std::uint64_t seq : opening_frames()) frames.insert(seq);
  const auto& all = session_->transcript().frames;
  if (frames.empty() && !all.empty()) frames.insert(all.back().seq);
  return {frames.begin(), frames.end()};
}

}  // namespace harness::run
