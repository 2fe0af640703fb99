// SPDX-License-Identifier: Apache-2.0
// The course of a case: its rows, the steps of each, the sessions they are played on.
#include "harness/play/play.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "harness/base/text.h"
#include "harness/play/case_player.h"
#include "harness/play/rows.h"
#include "harness/results/judgement.h"
#include "harness/spec/protocol.h"
#include "harness/suite/references.h"

namespace harness::run {

using session::Session;
using std::chrono::milliseconds;

CasePlayer::CasePlayer(const suite::Case& scenario, std::unique_ptr<Session>& session,
                       const PlayContext& context)
    : case_(scenario),
      session_(session),
      context_(context),
      scope_(*session, context.offer.affordances),
      match_{context.suite.shapes, context.profile},
      judging_{match_,
               context.profile,
               session->wire().kind(),
               context.suite.sets,
               session->canary(),
               context.offer.usual_error},
      listener_(judging_, context.silence),
      server_messages_(match_),
      findings_(scenario, context.registry, context.profile, judging_.canary, judging_.transport,
                played_) {
  use_session();
}

awaitable<PlayedCase> CasePlayer::play() {
  session_->begin_slice();
  if (case_.answers || !case_.client_capabilities.is_null()) {
    session::SessionOptions options = session_->options();
    if (case_.answers) options.answers = *case_.answers;
    session_->set_options(options);
  }
  const Rows all = rows_of(case_, context_.offer);
  played_.not_applicable = all.not_applicable;
  played_.inconclusive = all.inconclusive;
  played_.remedy = all.remedy;
  if (!all.note.empty()) played_.notes.push_back(all.note);
  played_.withheld = all.withheld;
  for (const json::Value& row : all.rows) {
    if (!when_applies(row.find("when"), context_.profile, judging_.transport)) continue;
    if (!is_for_target(row)) continue;
    if (&row != &all.rows.front()) leave_rows_behind();
    // A row that ended or used up the session leaves none for the next.
    const bool used_up = session_->closed() || session_->unusable() ||
                         (case_.need == suite::Need::kBare && session_->initialized());
    if (&row != &all.rows.front() && used_up) {
      co_await reconnect(
          case_.need == suite::Need::kBare ? suite::Need::kBare : suite::Need::kFresh,
          Leaving::kInOrder);
    }
    if (over_) break;
    if (&row != &all.rows.front()) {
      const auto left = static_cast<std::size_t>(&all.rows.back() - &row) + 1;
      if (!may_go_on(left)) break;
    }
    if (const std::string name = forbidden_in(row); !name.empty()) {
      played_.withheld.insert(name);
      continue;
    }
    co_await play_and_note(row);
    disconnect_all();
    if (over_) break;
  }
  const bool owes = owes_canary_ && !over_ && !ended_on_purpose_;
  played_.owes_canary = owes && !owed_to_ && context_.leaves_canary && played_.findings.empty() &&
                        !played_.doubtful && !listener_.believed();
  if (owes && !played_.owes_canary) co_await demand_canary(owed_to_);
  if (!played_out_ && played_.findings.empty() && played_.not_applicable.empty()) {
    if (played_.inconclusive.empty()) played_.inconclusive = not_exercised_;
    if (played_.inconclusive.empty()) played_.not_applicable = stopped_;
  }
  played_.alive |= listener_.ever_alive();
  played_.believed = listener_.believed();
  played_.hear_until = listener_.hear_until();
  played_.contradicted |= listener_.crossed();
  // A call that waits for an answer may keep others waiting.
  if (session_->withholds()) session_->retire();
  note_flood();
  tell_withheld();
  tell_foreseen();
  keep_slice();
  keep_slice_of_other();
  if (session_) session_->stop_listening();
  co_return std::move(played_);
}

// By what the target declares. Why a row is left out is why the case is, when none is left.
bool CasePlayer::is_for_target(const json::Value& row) {
  const json::Value* when = row.find("when");
  const json::Value* needed = when ? when->find("declared") : nullptr;
  if (!needed || spec::is_declared("server." + needed->text, session_->capabilities())) return true;
  if (stopped_.empty()) stopped_ = "the target does not declare the capability " + needed->text;
  return false;
}

// False when the time of the run is over, or what asked for less was waited for in vain;
// what is left of the case then is told.
bool CasePlayer::may_go_on(std::size_t left) {
  std::string why;
  if (context_.why_stop) why = context_.why_stop();
  if (why.empty() && case_.growing && (played_.missed > 0 || !stopped_.empty()))
    why = "the request with fewer params got no reply";
  if (why.empty()) return true;
  const std::string what =
      left == 1 ? "1 row was not played: " : std::to_string(left) + " rows were not played: ";
  played_.notes.push_back(what + why);
  return false;
}

// What the row did to the target, by what it sent.
awaitable<void> CasePlayer::play_and_note(const json::Value& row) {
  const std::size_t before = played_.findings.size(), silences = listener_.silences();
  inputs_.clear();
  const bool to_its_end = co_await play_row(row);
  const bool judged = to_its_end || played_.findings.size() > before;
  played_.rows += judged;
  if (judged && case_.for_each_list == "calls") played_.judged.push_back(label_of(case_, row));
  if (!context_.habits) co_return;
  const auto shows = [&](std::initializer_list<oracle::Symptom> symptoms) {
    return std::any_of(played_.findings.begin() + static_cast<std::ptrdiff_t>(before),
                       played_.findings.end(), [&](const oracle::Finding& one) {
                         return std::count(symptoms.begin(), symptoms.end(),
                                           oracle::symptom_of(one)) != 0;
                       });
  };
  const bool ended = shows({oracle::Symptom::kEnd});
  const bool harmed = ended || shows({oracle::Symptom::kHang});
  const bool unanswered = listener_.silences() > silences;
  const bool silent = !harmed && (unanswered || shows({oracle::Symptom::kSilence}));
  const Habit habit = harmed ? Habit::kHarm : Habit::kSilence;
  if ((harmed || silent) &&
      std::any_of(inputs_.begin(), inputs_.end(), [&](const std::string& input) {
        return context_.habits->known(habit, input);
      }))
    played_.foreseen += played_.findings.size() - before;
  // A silence, and a hang on a busy machine, is known when it was heard out.
  const bool heard_out = context_.silence != Silence::kBelieved;
  if (context_.learns && (harmed ? ended || heard_out : to_its_end))
    context_.habits->saw(Habit::kHarm, harmed, inputs_);
  if (context_.learns && !harmed && (silent || to_its_end))
    context_.habits->saw(Habit::kSilence, silent, inputs_, heard_out);
  checked_.merge(inputs_);
}

// What rows asked is theirs, and so is what comes of it: in time or late.
void CasePlayer::leave_rows_behind() {
  session_->begin_row();
  if (other_) other_->begin_row();
  server_messages_.begin_row();
}

// The tool that this row of a case about tools would call, and may not.
std::string CasePlayer::forbidden_in(const json::Value& row) const {
  if (case_.for_each_list != "tools") return "";
  const json::Value* tool = row.find(case_.for_each_name);
  const json::Value* name = tool ? tool->find("name") : nullptr;
  if (!name || !context_.offer.forbidden.contains(name->text)) return "";
  return suite::calls_tools(case_) ? name->text : "";
}

// What was not called is told; when nothing is left, the case was not exercised.
void CasePlayer::tell_withheld() {
  if (played_.withheld.empty()) return;
  std::string names, list;
  for (const std::string& name : played_.withheld) {
    const auto why = context_.offer.forbidden.find(name);
    names += (names.empty() ? "" : ", ") + printable(name, 60) + " (" +
             (why == context_.offer.forbidden.end() ? "" : why->second) + ")";
    list += (list.empty() ? "" : ", ") + printable(name, 60);
  }
  if (!played_out_ && played_.findings.empty()) {
    played_.inconclusive = "tools are not allowed: " + names;
    played_.remedy = "allow: {tools: [" + list + "]}, if it is safe to call";
  } else {
    played_.notes.push_back("tools that are not allowed were left out: " + names);
  }
}

// Rows that would have shown again what is known of the target.
void CasePlayer::tell_foreseen() {
  for (const auto& [input, rows] : foreseen_) {
    const std::string what = rows == 1 ? "1 row was" : std::to_string(rows) + " rows were";
    played_.notes.push_back(what + " not played: the target exits or hangs when it gets " + input);
  }
}

awaitable<bool> CasePlayer::play_row(const json::Value& row) {
  scope_ = RowScope(*session_, context_.offer.affordances);
  if (context_.offer.protection.auth) scope_.set("auth", context_.offer.protection.facts);
  listener_.clear_put_off();
  stop_row_ = died_ = asked_by_server_ = false;
  findings_.begin_row(label_of(case_, row));
  const std::size_t before = played_.findings.size();
  for (const json::Member& member : row.members)
    if (member.name == case_.for_each_name)
      scope_.set(member.name, member.value);
    else
      scope_.set_column(member.name, member.value);
  answer_requests(case_.answers);
  bool asked = false;
  for (const suite::Step& step : case_.steps) {
    co_await listen();
    bool called = false;
    if (stop_row_ && suite::action_of<suite::Reconnect>(step) && is_called_for(step))
      stop_row_ = died_ = false;
    if (stop_row_) continue;
    if (step.each)
      called = co_await play_for_each(step);
    else
      called = co_await play_if_called_for(step);
    asked |= called;
    if (over_ || (stop_row_ && !died_)) co_return false;
  }
  if (stop_row_) co_return false;
  // Where no step was called for, nothing was observed.
  if (!asked) {
    if (stopped_.empty())
      stopped_ = case_.for_each_name.empty() ? "the target has nothing that the case is about"
                                             : "the target lists nothing that the case is about";
    co_return false;
  }
  note_questions();
  if (const std::string method = question_due();
      !method.empty() && !asked_by_server_ && played_.findings.size() == before) {
    not_exercised("the target did not send " + method);
    co_return false;
  }
  played_out_ = true;
  // A case that ended the target on purpose has nothing left to ask.
  if (ended_on_purpose_ || listener_.alive_proved()) co_return true;
  // Where the row itself was answered, one canary does for several; which row it was that did harm
  // is looked for when the case is played again.
  owes_canary_ = may_owe_canary();
  if (!owes_canary_) co_await demand_canary(nullptr);
  co_return true;
}

namespace {

// The requests of the server that the case answers in ways of its own.
std::set<std::string> answered_in(const suite::Case& scenario) {
  std::set<std::string> methods;
  const auto add = [&](const std::optional<suite::Answers>& answers) {
    if (!answers) return;
    for (const auto& [method, answer] : *answers) methods.insert(method);
  };
  add(scenario.answers);
  for (const suite::Step& step : scenario.steps) add(step.answers);
  methods.erase("*");
  return methods;
}

}  // namespace

// The request of the server that the case answers and needs a tool for: what the row judges is what
// the server makes of the answer.
std::string CasePlayer::question_due() const {
  const bool has_tool =
      std::any_of(case_.gates.begin(), case_.gates.end(),
                  [](const suite::Requires& gate) { return gate.kind == "affordance"; });
  const std::set<std::string> methods = answered_in(case_);
  return has_tool && !methods.empty() ? *methods.begin() : "";
}

// Whether the server asked something that the case answers: by a request, or in a result.
void CasePlayer::note_questions() {
  const std::set<std::string> methods = answered_in(case_);
  for (Session* session : {session_.get(), other_.get()}) {
    if (!session || methods.empty()) continue;
    const auto& inbox = session->inbox();
    for (std::size_t i = session->row_from(); i < inbox.size(); ++i) {
      const json::Value* method = inbox[i].message->method();
      const json::Value* type = json::at(inbox[i].message->value, "/result/resultType");
      asked_by_server_ |= method && methods.contains(method->text);
      asked_by_server_ |= type && type->text == "input_required";
    }
  }
}

// What a server asks of its client may come on a stream that the client opens, and on no other.
awaitable<void> CasePlayer::listen() {
  if (!listens_ || !session_->has_exchanges() || context_.profile.era != spec::Era::kHandshake)
    co_return;
  if (!session_->initialized() || session_->listens() || session_->closed()) co_return;
  const session::Deadline deadline = session::Clock::now() + session_->reply_time();
  co_await session_->listen(deadline);
}

awaitable<bool> CasePlayer::play_if_called_for(const suite::Step& step) {
  if (!is_called_for(step)) co_return false;
  scope_.next_step();
  const bool other = !step.client.empty();
  if (other) co_await change_client(std::holds_alternative<suite::Handshake>(step.action));
  if (!over_) co_await play_step(step);
  if (other) swap_clients();
  co_return true;
}

namespace {

// What a step is played for: lists in the list are taken apart, and what is equal counts once.
void add_elements(const json::Value& list, std::vector<json::Value>& out) {
  for (const json::Value& item : list.items) {
    if (item.is_array())
      add_elements(item, out);
    else if (std::none_of(out.begin(), out.end(),
                          [&](const json::Value& one) { return json::equal(one, item); }))
      out.push_back(item);
  }
}

}  // namespace

// True if the step was called for with some element.
awaitable<bool> CasePlayer::play_for_each(const suite::Step& step) {
  const Result<json::Value> list = suite::expand(step.each->list, scope_);
  if (!list || !list->is_array()) co_return false;
  std::vector<json::Value> elements;
  add_elements(*list, elements);
  std::map<std::string, json::Value> captured;
  for (const suite::Capture& one : step.captures) {
    captured[one.name] = json::array();
    scope_.forget(one.name);
  }
  std::erase_if(elements, [&](const json::Value& one) {
    scope_.set(step.each->name, one);
    return !is_called_for(step);
  });
  bool asked = false;
  // Only what sends messages is kept short.
  const bool sends = !std::holds_alternative<suite::Compare>(step.action);
  const Spread spread(elements.size(), sends ? Spread::kMost : elements.size());
  for (std::size_t i = 0; i < spread.size() && !stop_row_ && !over_; ++i) {
    for (const auto& [name, all] : captured) scope_.forget(name);
    scope_.set(step.each->name, elements[spread[i]]);
    const bool called = co_await play_if_called_for(step);
    asked |= called;
    for (auto& [name, all] : captured)
      if (auto value = scope_.find({name})) all.items.push_back(std::move(*value));
  }
  if (!spread.whole()) played_.notes.push_back("only part of a long list was played");
  scope_.forget(step.each->name);
  for (auto& [name, all] : captured) scope_.set(name, std::move(all));
  co_return asked;
}

// What the condition of a step looks at may not have been captured: then it is absent.
bool CasePlayer::is_called_for(const suite::Step& step) const {
  if (!step.when) return true;
  const suite::When& when = *step.when;
  if (!suite::applies(when, context_.profile, judging_.transport)) return false;
  if (!when.value) return true;
  const Result<json::Value> seen = suite::expand(*when.value, scope_);
  const Result<json::Value> wanted = suite::expand_pattern(*when.is, scope_);
  return wanted && !match::mismatch(*wanted, seen ? &*seen : nullptr, match_);
}

awaitable<void> CasePlayer::play_step(const suite::Step& step) {
  listener_.forget_alive();
  answer_requests(step.answers);
  try {
    switch (suite::topic_of(step)) {
      case suite::Topic::kMessage:
        co_await play_message(*this, step);
        break;
      case suite::Topic::kConnection:
        co_await play_connection(*this, step);
        break;
      case suite::Topic::kObservation:
        co_await play_observation(*this, step);
        break;
    }
  } catch (const Withheld& withheld) {
    played_.withheld.insert(withheld.tool);
    stop_row_ = true;
  } catch (const Foreseen& foreseen) {
    ++foreseen_[foreseen.input];
    stop_row_ = true;
  } catch (const Bug&) {
    // The rest of a row may lack what a reply was to give: after a breach, or where another reply is
    // accepted as well.
    if (!played_.findings.empty())
      stop_row_ = true;
    else if (captures_lacking_)
      skip_rest("no reply gave what the case looks at");
    else
      throw;
  }
}

// What requests of the server are answered with may stand in the row. The id they have is filled
// in by the session.
void CasePlayer::answer_requests(const std::optional<suite::Answers>& answers) {
  if (!answers) return;
  scope_.set("request", json::object({{"id", json::string("${request.id}")}}));
  Result<suite::Answers> filled = suite::expand(*answers, scope_);
  if (!filled) throw Bug(case_.file + ": " + filled.error().text());
  session::SessionOptions options = session_->options();
  options.answers = std::move(*filled);
  session_->set_options(options);
}

// The second client of a case: a session of its own, kept until the case ends.
awaitable<void> CasePlayer::change_client(bool handshake_follows) {
  if (!other_) {
    const suite::Need need = handshake_follows ? suite::Need::kBare : suite::Need::kFresh;
    Result<std::unique_ptr<Session>> fresh = co_await context_.connect(need);
    if (!fresh) {
      Graded graded;
      graded.expected = "a second client is served in parallel with the first";
      conclude(graded, oracle::told(printable(fresh.error().text())), nullptr, {});
      over_ = true;
      co_return;
    }
    other_ = std::move(*fresh);
    // Far from the numbers the first client is going to use.
    other_->renumber(1'000'000);
    other_->begin_slice();
  }
  std::swap(session_, other_);
  use_session();
}

void CasePlayer::use_session() {
  scope_.use(*session_);
  listener_.use(*session_);
  if (session_->has_exchanges() && context_.profile.era == spec::Era::kStateless)
    session_->set_tools(context_.offer.tools);
}

void CasePlayer::swap_clients() {
  if (!other_) return;
  std::swap(session_, other_);
  use_session();
}

// Streams a row leaves open would take messages meant for others.
void CasePlayer::disconnect_all() {
  for (const auto& [name, exchange] : exchanges_) session_->disconnect(named_exchange(name));
  exchanges_.clear();
}

awaitable<void> CasePlayer::reconnect(suite::Need need, Leaving way) {
  if (listener_.believed()) {
    const bool contradicted = co_await listener_.hear_latecomers();
    played_.doubtful |= contradicted;
    played_.contradicted |= contradicted;
  }
  if (!played_.findings.empty()) session_->retire();  // nothing for another case
  note_questions();
  keep_slice();
  // A case that leaves does so without a word, and the server is told by the next session.
  std::set<std::string> kept;
  if (way == Leaving::kSilently) kept = session_->take_http_sessions();
  // Not two at a time, where a server keeps them, or serves one alone.
  if (session_->has_exchanges() || context_.offer.one_by_one) {
    session_->retire();
    co_await session_->shutdown(milliseconds(0));
  }
  const std::uint64_t last = session_->last_seq();
  Result<std::unique_ptr<Session>> fresh = co_await context_.connect(need);
  if (!fresh) {
    Graded graded;
    graded.expected = "the target can be started and reached again";
    conclude(graded, oracle::told(printable(fresh.error().text())), nullptr, {});
    over_ = true;
    co_return;
  }
  if (!kept.empty()) co_await (*fresh)->end_http_sessions(std::move(kept));
  if (session_) {
    (*fresh)->renumber(last);
    scope_.leave(*session_);
    if (!session_->endpoint().empty()) session_->retire();  // the address is nobody's from now on
    context_.discard(std::move(session_));
  }
  session_ = std::move(*fresh);
  session_->begin_slice();
  use_session();
  ended_on_purpose_ = false;
  kept_ = false;
}

void CasePlayer::keep_slice() {
  if (kept_) return;
  kept_ = true;
  played_.slices.push_back(session_->read_slice());
}

void CasePlayer::keep_slice_of_other() {
  if (!other_) return;
  std::swap(session_, other_);
  kept_ = false;
  keep_slice();
  std::swap(session_, other_);
  context_.discard(std::move(other_));
}

awaitable<PlayedCase> play(const suite::Case& scenario, std::unique_ptr<Session>& session,
                           const PlayContext& context) {
  CasePlayer player(scenario, session, context);
  co_return co_await player.play();
}

}  // namespace harness::run
