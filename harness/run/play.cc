// SPDX-License-Identifier: Apache-2.0
#include "harness/run/play.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <optional>
#include <set>

#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/run/case_findings.h"
#include "harness/run/listener.h"
#include "harness/run/prepare.h"
#include "harness/run/scope.h"
#include "harness/session/dialect.h"
#include "harness/suite/case_traits.h"
#include "harness/suite/references.h"
#include "harness/target/permission.h"
#include "harness/target/synthesis.h"

namespace harness::run {
namespace {

// How often a case may end its target before it is over: each time costs a start.
constexpr int kMostDeaths = 5;
// Of a loop over arguments: tools, and instances of each.
constexpr int kMostSynthesised = 24;
constexpr std::size_t kMostInstances = 12;
constexpr std::size_t kMostPongs = 4;  // shown of those that were not asked for

using session::Clock;
using session::Deadline;
using session::Inbound;
using session::Sent;
using session::Session;
using std::chrono::milliseconds;

int signal_number(const std::string& name) {
  static const std::map<std::string, int> kSignals = {
      {"TERM", SIGTERM}, {"INT", SIGINT}, {"HUP", SIGHUP}, {"KILL", SIGKILL}, {"PIPE", SIGPIPE}};
  const auto found = kSignals.find(name.starts_with("SIG") ? name.substr(3) : name);
  return found == kSignals.end() ? SIGTERM : found->second;
}

constexpr std::size_t kMostUnframed = 64 * 1024;  // bytes that may still become a call

// A step would call a tool that may not be called; nothing of it was sent.
struct Withheld {
  std::string tool;
};

// Plays the rows of one case. Members are the state of the row.
class CasePlayer {
 public:
  CasePlayer(const suite::Case& scenario, std::unique_ptr<Session>& session,
             const PlayContext& context)
      : case_(scenario),
        session_(session),
        context_(context),
        scope_(*session, context.offer.affordances),
        match_{context.suite.shapes, context.profile},
        judging_{match_, context.profile, session->wire().kind(), context.suite.outcomes,
                 session->canary()},
        listener_(judging_, context.silence),
        findings_(scenario, context.registry, context.profile, judging_.transport, played_) {
    use_session();
  }

  awaitable<PlayedCase> play() {
    session_->begin_slice();
    if (!case_.answers.is_null() || !case_.client_capabilities.is_null()) {
      session::SessionOptions options = session_->options();
      if (!case_.answers.is_null()) options.answers = case_.answers;
      session_->set_options(options);
    }
    const std::vector<json::Value> all = rows();
    for (const json::Value& row : all) {
      if (!when_applies(row.find("when"), context_.profile, judging_.transport)) continue;
      // A row that ended or used up the session leaves none for the next.
      const bool used_up = session_->closed() || session_->unusable() ||
                           (case_.need == suite::Need::kBare && session_->initialized());
      if (&row != &all.front() && used_up) {
        co_await reconnect(case_.need == suite::Need::kBare ? suite::Need::kBare
                                                            : suite::Need::kFresh);
      }
      if (over_) break;
      if (const std::string name = forbidden_in(row); !name.empty()) {
        withheld_.insert(name);
        continue;
      }
      co_await play_row(row);
      disconnect_all();
      if (over_) break;
    }
    if (!played_out_ && played_.findings.empty() && played_.not_applicable.empty())
      played_.not_applicable = stopped_;
    played_.believed = listener_.believed();
    played_.contradicted |= listener_.crossed();
    tell_withheld();
    keep_slice();
    if (other_) {
      std::swap(session_, other_);
      kept_ = false;
      keep_slice();
      std::swap(session_, other_);
      context_.discard(std::move(other_));
    }
    co_return std::move(played_);
  }

 private:
  std::vector<json::Value> rows() {
    std::vector<json::Value> rows = case_.table;
    if (rows.empty()) rows.push_back(json::object());
    if (case_.for_each_name.empty()) return rows;
    if (case_.for_each_list == "arguments") return rows_of_arguments(rows);
    const json::Value& list = case_.for_each_list == "tools"       ? context_.offer.tools
                              : case_.for_each_list == "resources" ? context_.offer.resources
                              : case_.for_each_list == "versions"  ? context_.offer.versions
                                                                   : context_.offer.prompts;
    std::vector<json::Value> looped;
    for (const json::Value& item : list.items) {
      for (json::Value row : rows) {
        row.set(case_.for_each_name, item);
        const json::Value* name = item.is_object() ? item.find("name") : &item;
        row.set("row", json::string(case_.for_each_name + " " + (name ? name->text : "")));
        looped.push_back(std::move(row));
      }
    }
    if (looped.empty()) {
      played_.inconclusive = "the target lists no " + case_.for_each_list;
      played_.remedy = "nothing to add: there is nothing to exercise";
    }
    return looped;
  }

  // Arguments made from the inputSchemas of tools that may be called.
  std::vector<json::Value> rows_of_arguments(const std::vector<json::Value>& rows) {
    const target::Arguments kind = target::arguments_kind(case_.for_each_kind);
    std::vector<json::Value> looped;
    int tools = 0;
    bool cut = false;
    for (const json::Value& tool : context_.offer.tools.items) {
      const json::Value* name = tool.find("name");
      const json::Value* schema = tool.find("inputSchema");
      if (!name || !name->is_string() || !schema) continue;
      if (context_.offer.forbidden.contains(name->text)) {
        withheld_.insert(name->text);
        continue;
      }
      cut |= ++tools > kMostSynthesised;
      if (cut) break;
      std::size_t made = 0;
      for (const target::Instance& one : target::synthesise(*schema, kind).instances) {
        const auto& of = case_.for_each_of;
        if (!of.empty() && std::find(of.begin(), of.end(), one.keyword) == of.end()) continue;
        if (++made > kMostInstances) break;
        for (json::Value row : rows) {
          row.set(case_.for_each_name, json::object({{"tool", tool},
                                                     {"name", *name},
                                                     {"arguments", one.value},
                                                     {"what", json::string(one.what)}}));
          row.set("row", json::string(name->text + " " + one.what));
          looped.push_back(std::move(row));
        }
      }
      cut |= made > kMostInstances;
    }
    if (cut) played_.notes.push_back("not all arguments that can be made were played");
    if (looped.empty() && withheld_.empty())
      played_.not_applicable = "no tool's inputSchema gives " + case_.for_each_kind + " arguments" +
                               (case_.for_each_of.empty() ? "" : " of this kind");
    return looped;
  }

  // The tool that this row of a case about tools would call, and may not.
  std::string forbidden_in(const json::Value& row) const {
    if (case_.for_each_list != "tools") return "";
    const json::Value* tool = row.find(case_.for_each_name);
    const json::Value* name = tool ? tool->find("name") : nullptr;
    if (!name || !context_.offer.forbidden.contains(name->text)) return "";
    return suite::calls_tools(case_) ? name->text : "";
  }

  // What was not called is told; when nothing is left, the case was not exercised.
  void tell_withheld() {
    if (withheld_.empty()) return;
    std::string names, list;
    for (const std::string& name : withheld_) {
      const auto why = context_.offer.forbidden.find(name);
      names += (names.empty() ? "" : ", ") + printable(name, 60) + " (" +
               (why == context_.offer.forbidden.end() ? "" : why->second) + ")";
      list += (list.empty() ? "" : ", ") + printable(name, 60);
    }
    if (!played_out_ && played_.findings.empty()) {
      played_.inconclusive = "tools may not be called: " + names;
      played_.remedy = "allow: {tools: [" + list + "]}, when it does no harm";
    } else {
      played_.notes.push_back("tools that may not be called were left out: " + names);
    }
  }

  awaitable<void> play_row(const json::Value& row) {
    scope_ = RowScope(*session_, context_.offer.affordances);
    if (context_.offer.protection.auth) scope_.set("auth", context_.offer.protection.facts);
    listener_.clear_put_off();
    stop_row_ = false;
    findings_.begin_row(label_of(row));
    for (const json::Member& member : row.members)
      if (member.name == case_.for_each_name)
        scope_.set(member.name, member.value);
      else
        scope_.set_column(member.name, member.value);
    answer_requests();
    for (const suite::Step& step : case_.steps) {
      if (!is_called_for(step)) continue;
      scope_.next_step();
      const bool other = !step.client.empty();
      if (other) co_await change_client(std::holds_alternative<suite::Handshake>(step.action));
      if (!over_) co_await play_step(step);
      if (other) swap_clients();
      if (stop_row_ || over_) co_return;
    }
    played_out_ = true;
    // A case that ended the target on purpose has nothing left to ask.
    if (!ended_on_purpose_ && !listener_.alive_proved()) co_await demand_canary(nullptr);
  }

  // What the condition of a step looks at may not have been captured: then it is absent.
  bool is_called_for(const suite::Step& step) {
    if (!step.when) return true;
    const suite::When& when = *step.when;
    if (!suite::applies(when, context_.profile, judging_.transport)) return false;
    if (!when.value) return true;
    const Result<json::Value> seen = suite::expand(*when.value, scope_);
    const Result<json::Value> wanted = suite::expand_pattern(*when.is, scope_);
    return wanted && !match::mismatch(*wanted, seen ? &*seen : nullptr, match_);
  }

  // What requests of the server are answered with may stand in the row. The id they have is filled
  // in by the session.
  void answer_requests() {
    if (case_.answers.is_null()) return;
    scope_.set("request", json::object({{"id", json::string("${request.id}")}}));
    session::SessionOptions options = session_->options();
    options.answers = expanded(case_.answers);
    session_->set_options(options);
  }

  // The second client of a case: a session of its own, kept until the case ends.
  awaitable<void> change_client(bool handshake_follows) {
    if (!other_) {
      Result<std::unique_ptr<Session>> fresh =
          co_await context_.connect(handshake_follows ? suite::Need::kBare : suite::Need::kFresh);
      if (!fresh) {
        Graded graded;
        graded.expected = "a second client is served beside the first";
        conclude(graded, printable(fresh.error().text()), nullptr, {});
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

  void use_session() {
    scope_.use(*session_);
    listener_.use(*session_);
    if (session_->has_exchanges() && context_.profile.era == spec::Era::kStateless)
      session_->set_tools(context_.offer.tools);
  }

  void swap_clients() {
    if (!other_) return;
    std::swap(session_, other_);
    use_session();
  }

  std::string label_of(const json::Value& row) const {
    if (case_.table.size() <= 1 && case_.for_each_name.empty()) return "";
    if (const json::Value* name = row.find("row")) return name->text;
    std::string label;
    for (const json::Member& member : row.members) {
      if (member.name == "when") continue;
      const std::string text =
          member.value.is_string() ? member.value.text : json::write(member.value);
      label += (label.empty() ? "" : ", ") + member.name + " = " + printable(text, 60);
    }
    return label;
  }

  // --- references

  json::Value expanded(const json::Value& value) const {
    return run::expanded(value, scope_, case_.file);
  }

  json::Value pattern(const json::Value& value) {
    Result<json::Value> result = suite::expand_pattern(value, scope_);
    if (!result) throw Bug(case_.file + ": " + result.error().text());
    return std::move(*result);
  }

  // --- steps

  awaitable<void> play_step(const suite::Step& step) {
    listener_.forget_alive();
    try {
      awaitable<void> played =
          std::visit([&](const auto& action) { return act(step, action); }, step.action);
      co_await std::move(played);
    } catch (const Withheld& withheld) {
      withheld_.insert(withheld.tool);
      stop_row_ = true;
    } catch (const Bug&) {
      // After a breach the rest of a row may lack what it wanted to capture.
      if (played_.findings.empty()) throw;
      stop_row_ = true;
    }
  }

  awaitable<void> act(const suite::Step& step, const suite::Call&) { return send_step(step); }
  awaitable<void> act(const suite::Step& step, const suite::Notify&) { return send_step(step); }
  awaitable<void> act(const suite::Step& step, const suite::Send&) { return send_step(step); }
  awaitable<void> act(const suite::Step& step, const suite::Frame&) { return send_step(step); }
  awaitable<void> act(const suite::Step& step, const suite::Bytes&) { return send_step(step); }
  awaitable<void> act(const suite::Step& step, const suite::Http&) { return send_step(step); }
  awaitable<void> act(const suite::Step& step, const suite::Upgrade&) { return send_step(step); }

  awaitable<void> send_step(const suite::Step& step) {
    const std::int64_t times = integer(step.write.times, 1);
    if (times > 1) {
      std::vector<const suite::Step*> same(static_cast<std::size_t>(times), &step);
      std::vector<std::string> any_order;
      co_return co_await send_pipelined(step, std::move(same), std::move(any_order));
    }
    Prepared prepared = prepare(step);
    Asked asked = asked_of(step, prepared);
    asked.head_will_do = prepared.manner.keep_open;
    asked.to_the_end = prepared.manner.answers > 1;
    // Whoever awaits the reply later has a deadline of his own.
    if (!step.as.empty() && step.later) prepared.manner.keep_open = true;
    // Moved on: a frame of megabytes is not kept twice.
    const bool unframed = prepared.unframed;
    if (std::holds_alternative<suite::Upgrade>(step.action))
      asked.sent = co_await session_->send_upgrade(prepared.http);
    else
      asked.sent =
          co_await session_->send_text(std::move(prepared.text), std::move(prepared.writes),
                                       unframed, prepared.http, prepared.manner);
    remember(asked);
    if (step.later) co_return;
    if (!step.reply && !asked.valid_request) {
      // Nothing to judge; but HTTP messages must not overtake each other.
      const int number = asked.sent.exchange + asked.sent.post;
      if (number) co_await listener_.finish_exchange(number);
      co_return;
    }
    co_await judge(asked);
  }

  // What is asked by the step, before it is sent. Its name stands for the request from here on.
  Asked asked_of(const suite::Step& step, const Prepared& prepared) {
    Asked asked;
    asked.step = &step;
    asked.valid_request = prepared.valid_request;
    if (step.reply)
      asked.reply = pattern(*step.reply);
    else if (!step.later && prepared.valid_request)
      asked.reply = json::string("any-reply");
    if (!step.as.empty()) scope_.set(step.as, request_of(prepared));
    return asked;
  }

  // For steps that refer to what was sent by its name.
  void remember(const Asked& asked) {
    const suite::Step& step = *asked.step;
    if (step.as.empty()) return;
    name_exchange(step.as, asked.sent.exchange);
    if (step.later) listener_.put_off(step.as, asked);
  }

  Prepared prepare(const suite::Step& step) {
    Prepared prepared =
        run::prepare(step, scope_,
                     {case_.file, context_.profile, session_->options().client_capabilities,
                      session_->wire(), context_.offer.protection.auth});
    // A call may come together from several writes.
    unframed_ += prepared.text;
    const std::string forbidden = target::forbidden_call(unframed_, context_.offer.forbidden);
    if (!prepared.unframed || !forbidden.empty() || unframed_.size() > kMostUnframed)
      unframed_.clear();
    if (!forbidden.empty()) throw Withheld{forbidden};
    return prepared;
  }

  // Until when the reply to a step is waited for.
  Deadline reply_deadline(const suite::Step* step, const session::Sent& sent = {}) const {
    if (!step || !step->within)
      return Clock::now() + session_->reply_time(sent.batched, sent.bytes);
    return Clock::now() + seconds(*step->within);
  }

  milliseconds seconds(const json::Value& written) const {
    return milliseconds(static_cast<std::int64_t>(json::as_double(expanded(written)) * 1000));
  }

  std::int64_t integer(const std::optional<json::Value>& written, std::int64_t otherwise) const {
    return integer_of(written, otherwise, scope_, case_.file);
  }

  // --- judging

  awaitable<void> judge(Asked& asked) {
    const Deadline deadline = reply_deadline(asked.step, asked.sent);
    const Reply reply = co_await listener_.gather(asked, deadline);
    const Judging over_http{judging_.match, judging_.profile, wire::TransportKind::kHttp,
                            judging_.outcomes, judging_.canary};
    const bool upgrade = std::holds_alternative<suite::Upgrade>(asked.step->action);
    const Graded graded = grade(asked.reply, reply, upgrade ? over_http : judging_);
    findings_.note_missed(graded, reply);
    std::vector<std::uint64_t> frames{asked.sent.seq};
    for (const Inbound* inbound : reply.messages) frames.push_back(inbound->seq);
    if (reply.messages.empty() && reply.http && reply.http->head_seq)
      frames.push_back(reply.http->head_seq);
    if (reply.messages.empty() && reply.canary_answered)
      frames.push_back(listener_.last_canary().seq);
    conclude(graded, seen(reply), asked.step, std::move(frames));
    capture_headers(*asked.step, reply);
    if (!reply.messages.empty())
      capture(*asked.step, reply.messages.front()->message->value, reply.messages.front()->seq);
    if (graded.skip_rest) stop(graded.because);
    if (reply.exited || reply.closed) {
      if (ended_on_purpose_)
        over_ = true;
      else if (disconnect_was_lawful(asked.reply, reply))
        co_await after_disconnect(asked.step, asked.sent.seq);
      else
        co_await ended(asked.step, asked.sent.seq);
    } else if (listener_.canary_failed()) {
      wedged(asked.step, asked.sent.seq);
    }
  }

  void conclude(const Graded& graded, std::string what, const suite::Step* step,
                std::vector<std::uint64_t> frames) {
    findings_.conclude(graded, std::move(what), step, std::move(frames));
  }

  // Whatever else the table holds may be read better by another process. One behind a url is
  // started again between cases.
  void died(const suite::Step* step, std::uint64_t seq) {
    findings_.died(step, session_->exited() ? session_->exit_status() : session_->closed_how(),
                   seq);
    stop_row_ = true;
    const bool we_ended_it = session_->closed_how() == "flood";
    over_ = we_ended_it || !target_is_process() || ++deaths_ >= kMostDeaths;
  }

  // The connection ended though nobody asked for it. Where it is not the process itself, a server
  // may hang up on text that is no JSON and serve the next client; that is worth no more than a
  // warning.
  awaitable<void> ended(const suite::Step* step, std::uint64_t seq) {
    bool hung_up =
        !session_->has_exchanges() && !session_->exited() && !target_is_process() && sent_no_json();
    if (hung_up) hung_up = co_await serves_another();
    if (hung_up) {
      findings_.hung_up(step, session_->closed_how(), seq);
      stop_row_ = true;
      co_return;
    }
    died(step, seq);
  }

  // The step's own `reply` takes it, whatever else came (a latecomer of an earlier step, perhaps);
  // for a connection that is not the process itself.
  bool disconnect_was_lawful(const json::Value& lawful, Reply reply) const {
    if (reply.exited || target_is_process() || session_->has_exchanges()) return false;
    reply.messages.clear();
    reply.garbage = nullptr;
    const Graded graded = grade(lawful, reply, judging_);
    return graded.grade == Grade::kPass || graded.grade == Grade::kNote;
  }

  // The row is over, and the server is there for others.
  awaitable<void> after_disconnect(const suite::Step* step, std::uint64_t seq) {
    stop_row_ = co_await serves_another();
    if (stop_row_) co_return;
    died(step, seq);
  }

  bool target_is_process() const { return wire::traits_of(judging_.transport).process; }

  // The last that was sent, canaries aside, is no JSON text.
  bool sent_no_json() const {
    const auto& frames = session_->transcript().frames;
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
      if (frame->direction != wire::Direction::kSent || !wire::carries_message(*frame)) continue;
      if (frame->seq == listener_.last_canary().seq) continue;
      return !wire::read_message(frame->bytes).is_json;
    }
    return false;
  }

  awaitable<bool> serves_another() {
    const std::uint64_t life = context_.lives();
    Result<std::unique_ptr<Session>> fresh = co_await context_.connect(suite::Need::kFresh);
    if (!fresh) co_return false;
    Listener listener(judging_, context_.silence);
    listener.use(**fresh);
    const bool answered = co_await listener.ask_canary();
    context_.discard(std::move(*fresh));
    co_return answered&& life == context_.lives();
  }

  void wedged(const suite::Step* step, std::uint64_t seq) {
    findings_.wedged(step, session_->canary().method, session_->reply_time(),
                     {seq, listener_.last_canary().seq});
    session_->retire();
    over_ = true;
  }

  awaitable<void> demand_canary(const suite::Step* step) {
    if (session_->closed()) {
      if (!ended_on_purpose_) {
        const auto& frames = session_->transcript().frames;
        co_await ended(step, frames.empty() ? 0 : frames.back().seq);
      } else {
        over_ = true;
      }
      co_return;
    }
    const bool answered = co_await listener_.ask_canary();
    if (answered) {
      // Where the case asks for it, the answer has to be the usual one.
      if (step && (session_->initialized() || context_.profile.era != spec::Era::kHandshake)) {
        Reply usual;
        usual.messages.push_back(listener_.canary_reply());
        usual.own_id = listener_.last_canary().id_key;
        usual.valid_request = !session_->alters_ids();
        usual.readable = true;
        conclude(grade(json::string("normal"), usual, judging_), seen(usual), step,
                 {listener_.last_canary().seq, listener_.canary_reply()->seq});
      }
      co_return;
    }
    if (session_->closed() || session_->exited()) {
      co_await ended(step, listener_.last_canary().seq);
    } else {
      wedged(step, listener_.last_canary().seq);
    }
  }

  // --- the other steps

  awaitable<void> act(const suite::Step& step, const suite::Pipelined& pipelined) {
    const std::int64_t repeat = integer(pipelined.repeat, 1);
    std::vector<const suite::Step*> all;
    for (std::int64_t round = 0; round < repeat; ++round)
      for (const suite::Step& inner : pipelined.steps) all.push_back(&inner);
    return send_pipelined(step, std::move(all), pipelined.order);
  }

  awaitable<void> send_pipelined(const suite::Step& step, std::vector<const suite::Step*> steps,
                                 std::vector<std::string> order) {
    std::vector<Asked> all;
    std::vector<Session::Written> messages;
    for (const suite::Step* inner : steps) {
      scope_.next_step();
      Prepared prepared = prepare(*inner);
      all.push_back(asked_of(*inner, prepared));
      messages.push_back({std::move(prepared.text),
                          fmt::format("{}", fmt::join(prepared.writes, "")), prepared.unframed,
                          std::move(prepared.http)});
    }
    const std::vector<Sent> sent = co_await session_->send_together(std::move(messages));
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].sent = sent[i];
      remember(all[i]);
    }
    const Deadline deadline = reply_deadline(&step);
    const std::vector<Reply> replies = co_await listener_.gather_flight(all, deadline);
    std::vector<std::uint64_t> answered(all.size(), 0);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].reply.is_null()) continue;
      const Reply& reply = replies[i];
      std::vector<std::uint64_t> seqs{all[i].sent.seq};
      for (const Inbound* inbound : reply.messages) seqs.push_back(answered[i] = inbound->seq);
      const Graded graded = grade(all[i].reply, reply, judging_);
      findings_.note_missed(graded, reply);
      conclude(graded, seen(reply), all[i].step, std::move(seqs));
      if (!reply.messages.empty())
        capture(*all[i].step, reply.messages.front()->message->value, reply.messages.front()->seq);
    }
    judge_order(step, order, answered, all);
    if (session_->closed()) {
      if (!ended_on_purpose_)
        co_await ended(&step, all.empty() ? 0 : all.front().sent.seq);
      else
        over_ = true;
    } else if (listener_.canary_failed()) {
      wedged(&step, all.empty() ? 0 : all.front().sent.seq);
    }
  }

  void judge_order(const suite::Step& step, const std::vector<std::string>& order,
                   const std::vector<std::uint64_t>& answered, const std::vector<Asked>& all) {
    std::uint64_t last = 0;
    std::vector<std::uint64_t> frames;
    bool kept = true;
    for (const std::string& name : order) {
      const auto asked = std::find_if(all.rbegin(), all.rend(),
                                      [&](const Asked& one) { return one.step->as == name; });
      if (asked == all.rend()) continue;
      const std::uint64_t seq = answered[static_cast<std::size_t>(all.rend() - asked) - 1];
      frames.push_back(asked->sent.seq);
      if (!seq) continue;
      frames.push_back(seq);
      kept &= seq > last;
      last = seq;
    }
    if (kept) return;
    Graded graded;
    graded.expected = fmt::format("replies in the order {}", fmt::join(order, ", then "));
    conclude(graded, "another order", &step, std::move(frames));
  }

  awaitable<void> act(const suite::Step& step, const suite::Await& await) {
    for (const suite::Await::One& one : await.all) {
      std::optional<Asked> asked = listener_.take_up(one.name);
      if (!asked) continue;
      asked->reply = pattern(one.reply);
      asked->step = &step;
      co_await judge(*asked);
      if (over_) co_return;
    }
  }

  awaitable<void> act(const suite::Step& step, const suite::Expect& expect) {
    const json::Value expected = pattern(expect.message);
    if (expect.absent) co_return co_await expect_absent(step, expected);
    const Deadline deadline = reply_deadline(&step);
    for (std::size_t heard = 0;;) {
      for (; heard < session_->inbox().size(); ++heard) {
        Inbound& inbound = session_->inbox()[heard];
        if (inbound.claimed || match::mismatch(expected, &inbound.message->value, match_)) continue;
        inbound.claimed = true;
        const bool whole = capture(step, inbound.message->value, inbound.seq);
        if (!whole && expect.optional) stop("");
        co_return;
      }
      const bool more = co_await session_->pump(deadline);
      if (!more) break;
    }
    if (expect.optional) {
      if (!step.captures.empty()) stop("");  // later steps would lack what it was to find
      co_return;
    }
    Graded graded;
    graded.expected = "a message that is " + match::describe(expected);
    conclude(graded, "no such message", &step, {session_->transcript().frames.back().seq});
  }

  // No such message may have come; a canary marks the moment, where one can still be asked.
  awaitable<void> expect_absent(const suite::Step& step, const json::Value& unwanted) {
    if (!session_->closed() && !ended_on_purpose_) {
      co_await demand_canary(&step);
      if (over_) co_return;
    }
    for (Inbound& inbound : session_->inbox()) {
      if (inbound.claimed || match::mismatch(unwanted, &inbound.message->value, match_)) continue;
      inbound.claimed = true;
      Graded graded;
      graded.expected = "no message that is " + match::describe(unwanted);
      conclude(graded, printable(json::write(inbound.message->value), 300), &step, {inbound.seq});
    }
  }

  awaitable<void> act(const suite::Step& step, const suite::Canary&) {
    return demand_canary(&step);
  }

  awaitable<void> act(const suite::Step& step, const suite::Silence&) {
    if (session_->closed()) co_return;
    if (!session_->has_exchanges()) {
      const bool answered = co_await listener_.ask_canary();
      if (!answered) {
        if (session_->closed()) {
          co_await ended(&step, listener_.last_canary().seq);
        } else {
          wedged(&step, listener_.last_canary().seq);
        }
        co_return;
      }
    }
    for (Inbound& inbound : session_->inbox()) {
      const json::Value* id = inbound.message->id();
      const bool reply =
          inbound.message->is_reply() || inbound.message->kind == wire::MessageKind::kBatch;
      if (inbound.claimed || !reply) continue;
      if (id && listener_.awaited_elsewhere(wire::id_key(*id))) continue;
      inbound.claimed = true;
      Graded graded;
      graded.expected = "no reply";
      conclude(graded, printable(json::write(inbound.message->value), 300), &step, {inbound.seq});
    }
  }

  awaitable<void> act(const suite::Step& step, const suite::Handshake& changes) {
    const auto filled = [this](const std::optional<json::Value>& written) {
      return written ? std::optional<json::Value>(expanded(*written)) : std::nullopt;
    };
    const std::optional<json::Value> version = filled(changes.version);
    json::Value params =
        session::initialize_params(version ? version->text : context_.profile.revision,
                                   session_->options().client_capabilities);
    if (version && !version->is_string()) params.set("protocolVersion", *version);
    if (const auto given = filled(changes.capabilities)) params.set("capabilities", *given);
    if (const auto given = filled(changes.client_info)) params.set("clientInfo", *given);
    if (const auto given = filled(changes.params)) params = *given;
    const std::optional<json::Value> id = filled(changes.id);
    const std::optional<json::Value> initialized = filled(changes.initialized);
    const session::Handshake shaken = co_await session_->handshake(
        std::move(params), id ? &*id : nullptr, !initialized || initialized->boolean);
    Reply reply;
    reply.own_id = shaken.sent.id_key;
    reply.valid_request = true;
    reply.readable = true;
    reply.http = listener_.http_of(shaken.sent);
    Inbound inbound;
    std::vector<std::uint64_t> frames{shaken.sent.seq};
    if (shaken.answered) {
      wire::Message message;
      message.value = shaken.reply;
      message.kind = wire::kind_of(shaken.reply);
      inbound.message = std::make_shared<const wire::Message>(std::move(message));
      reply.messages.push_back(&inbound);
      for (const Inbound& arrived : session_->inbox())
        if (arrived.claimed && arrived.message->id() &&
            wire::id_key(*arrived.message->id()) == shaken.sent.id_key)
          frames.push_back(arrived.seq);
    }
    listener_.fill_ending(reply);
    const std::uint64_t last = frames.back();
    const json::Value outcomes =
        step.reply ? pattern(*step.reply) : json::object({{"result", json::object()}});
    conclude(grade(outcomes, reply, judging_), seen(reply), &step, std::move(frames));
    if (shaken.answered) capture(step, shaken.reply, last);
    if (session_->closed()) {
      if (!ended_on_purpose_) died(&step, shaken.sent.seq);
      over_ = true;
    } else if (!shaken.answered && !session_->has_exchanges()) {
      stop_row_ = true;
      co_await demand_canary(&step);
    }
  }

  awaitable<void> act(const suite::Step&, const suite::Reconnect& wanted) {
    return reconnect(wanted.need);
  }

  awaitable<void> reconnect(suite::Need need) {
    if (listener_.believed()) {
      const bool contradicted = co_await listener_.hear_latecomers();
      played_.doubtful |= contradicted;
      played_.contradicted |= contradicted;
    }
    if (!played_.findings.empty()) session_->retire();  // nothing for another case
    keep_slice();
    Result<std::unique_ptr<Session>> fresh = co_await context_.connect(need);
    if (!fresh) {
      Graded graded;
      graded.expected = "the target can be started and reached once more";
      conclude(graded, printable(fresh.error().text()), nullptr, {});
      over_ = true;
      co_return;
    }
    (*fresh)->renumber(session_->last_seq());
    scope_.leave(*session_);
    if (!session_->endpoint().empty()) session_->retire();  // the address is nobody's from now on
    context_.discard(std::move(session_));
    session_ = std::move(*fresh);
    session_->begin_slice();
    use_session();
      ended_on_purpose_ = false;
    kept_ = false;
  }

  awaitable<void> act(const suite::Step&, const suite::Close& close) {
    if (close.channel == suite::Channel::kStdout)
      session_->close_output();
    else
      session_->close_input();
    ended_on_purpose_ = true;
    co_return;
  }

  awaitable<void> act(const suite::Step&, const suite::Signal& signal) {
    session_->send_signal(signal_number(signal.name));
    ended_on_purpose_ = true;
    co_return;
  }

  awaitable<void> act(const suite::Step&, const suite::Disconnect& disconnect) {
    session_->disconnect(named_exchange(disconnect.of));
    co_return;
  }

  awaitable<void> act(const suite::Step& step, const suite::Exit& wanted) {
    const milliseconds time = wanted.within ? seconds(*wanted.within) : session_->reply_time();
    ended_on_purpose_ = true;
    const Deadline deadline = Clock::now() + time;
    for (bool more = true; more && !session_->exited();) more = co_await session_->pump(deadline);
    Reply reply;
    listener_.fill_ending(reply);
    reply.closed = session_->exited();
    json::Value lawful =
        step.reply ? pattern(*step.reply) : json::object({{"exited", json::boolean(true)}});
    if (!step.reply && wanted.status) lawful.set("status", pattern(*wanted.status));
    const std::uint64_t last =
        session_->transcript().frames.empty() ? 0 : session_->transcript().frames.back().seq;
    conclude(grade(lawful, reply, judging_),
             session_->exited() ? "ended with " + session_->exit_status()
                                : fmt::format("still running after {} ms", time.count()),
             &step, {last});
    session_->retire();
  }

  // RFC 6455 lets pongs come unasked: only one with the payload of the ping answers it.
  awaitable<void> act(const suite::Step& step, const suite::Ping&) {
    Prepared prepared = prepare(step);
    const std::string payload = prepared.text;
    const Sent sent =
        co_await session_->send_ping(std::move(prepared.text), std::move(prepared.writes.front()));
    const Deadline deadline = reply_deadline(&step);
    std::vector<std::uint64_t> pongs;
    bool answered = heard_pong(sent.seq, payload, pongs);
    for (bool more = true; more && !answered;) {
      more = co_await session_->pump(deadline);
      answered = heard_pong(sent.seq, payload, pongs);
    }
    if (answered) co_return;
    Graded graded;
    graded.expected =
        "a pong with the payload " + printable(json::write(json::string(payload)), 80);
    std::vector<std::uint64_t> frames{sent.seq};
    frames.insert(frames.end(), pongs.begin(), pongs.end());
    conclude(graded, pongs.empty() ? "no pong" : "pongs with another payload", &step,
             std::move(frames));
    if (session_->closed()) co_await ended(&step, sent.seq);
  }

  // `pongs`: those with another payload.
  bool heard_pong(std::uint64_t after, const std::string& payload,
                  std::vector<std::uint64_t>& pongs) const {
    pongs.clear();
    for (const wire::Frame& frame : session_->transcript().frames) {
      if (frame.channel != wire::Channel::kPong || frame.seq <= after) continue;
      if (frame.bytes == payload) return true;
      if (pongs.size() < kMostPongs) pongs.push_back(frame.seq);
    }
    return false;
  }

  // --- HTTP streams

  void name_exchange(const std::string& name, int number) {
    exchanges_.insert_or_assign(name, std::make_pair(session_->number(), number));
  }

  int named_exchange(const std::string& name) const {
    const auto found = exchanges_.find(name);
    const bool here = found != exchanges_.end() && found->second.first == session_->number();
    return here ? found->second.second : 0;
  }

  // What has come on exchanges, as a value to match and to capture from.
  json::Value account_of(const std::vector<int>& numbers) const {
    json::Value account = json::object();
    bool ended = true;
    for (const int number : numbers) {
      const session::Exchange* exchange = session_->exchange(number);
      ended &= !exchange || exchange->ended;
      account.set("status", json::number(exchange ? exchange->status : 0));
    }
    account.set("ended", json::boolean(ended));
    json::Value events = json::array();
    json::Value messages = json::array();
    json::Value ids = json::array();
    for (const wire::Frame& frame : session_->transcript().frames) {
      const bool among = std::find(numbers.begin(), numbers.end(), frame.exchange) != numbers.end();
      if (!among || frame.direction != wire::Direction::kReceived) continue;
      const bool is_event = frame.channel == wire::Channel::kSse;
      if (!is_event && frame.channel != wire::Channel::kHttp) continue;
      const wire::Message message = wire::read_message(frame.bytes);
      if (message.is_json) messages.items.push_back(message.value);
      if (is_event) events.items.push_back(event_of(frame, message));
    }
    for (const json::Value& event : events.items) {
      if (const json::Value* id = event.find("id")) {
        ids.items.push_back(*id);
        account.set("last_id", *id);
      }
      if (const json::Value* retry = event.find("retry")) account.set("retry", *retry);
    }
    if (!events.items.empty()) account.set("first", events.items.front());
    if (!messages.items.empty()) account.set("last_message", messages.items.back());
    account.set("events", std::move(events));
    account.set("messages", std::move(messages));
    account.set("ids", std::move(ids));
    return account;
  }

  static json::Value event_of(const wire::Frame& frame, const wire::Message& message) {
    json::Value event = json::object(
        {{"data", json::string(frame.bytes)}, {"complete", json::boolean(!frame.unframed)}});
    if (message.is_json) event.set("message", message.value);
    for (const char* field : {"id", "event", "retry"})
      if (const std::string* value = frame.head ? frame.head->header(field) : nullptr)
        event.set(field, json::string(*value));
    return event;
  }

  awaitable<void> act(const suite::Step& step, const suite::Stream& wanted) {
    std::vector<int> numbers;
    for (const std::string& name : wanted.of) numbers.push_back(named_exchange(name));
    const json::Value event = wanted.until ? pattern(*wanted.until) : json::null();
    const auto reached = [&](const json::Value& account) {
      if (wanted.to_its_end) return account.find("ended")->boolean;
      if (!wanted.until) return true;
      const auto& events = account.find("events")->items;
      return std::any_of(events.begin(), events.end(), [&](const json::Value& one) {
        return !match::mismatch(event, &one, match_);
      });
    };
    const Deadline deadline = reply_deadline(&step);
    json::Value account = account_of(numbers);
    for (bool more = true; more && !reached(account);) {
      more = !account.find("ended")->boolean;
      if (more) more = co_await session_->pump(deadline);
      if (more) account = account_of(numbers);
    }
    judge_account(step, wanted, account,
                  reached(account) ? "" : describe_wait(wanted.to_its_end, event));
  }

  static std::string describe_wait(bool to_its_end, const json::Value& event) {
    return to_its_end ? "the end of the stream" : "an event that is " + match::describe(event);
  }

  // `missing`: what was waited for and did not come.
  void judge_account(const suite::Step& step, const suite::Stream& wanted,
                     const json::Value& account, const std::string& missing) {
    const std::uint64_t last =
        session_->transcript().frames.empty() ? 0 : session_->transcript().frames.back().seq;
    Graded graded;
    std::string found;
    if (!missing.empty()) {
      graded.expected = missing;
      found = fmt::format("a stream with {} events{}", account.find("events")->items.size(),
                          account.find("ended")->boolean ? " and an end" : "");
    } else if (wanted.to) {
      if (const auto mismatch = match::mismatch(pattern(*wanted.to), &account, match_)) {
        graded.expected =
            mismatch->expected + (mismatch->path.empty() ? "" : " at " + mismatch->path);
        found = "a stream with " + printable(mismatch->seen, 300);
      }
    }
    if (!graded.expected.empty()) {
      if (wanted.optional) {
        stop(wanted.because);
      } else {
        conclude(graded, std::move(found), &step, {last});
      }
    }
    capture(step, account, last);
  }

  // The row has nothing more to ask: the target does not do what it is about.
  void stop(const std::string& why) {
    stop_row_ = true;
    stopped_ = why.empty() ? "the target does not do what the case is about" : why;
  }

  // Streams a row leaves open would take messages meant for others.
  void disconnect_all() {
    for (const auto& [name, exchange] : exchanges_) session_->disconnect(named_exchange(name));
    exchanges_.clear();
  }

  awaitable<void> act(const suite::Step& step, const suite::Compare& comparison) {
    const json::Value& written = comparison.values ? *comparison.values : *comparison.value;
    const json::Value value = expanded(written);
    const json::Value wanted = pattern(comparison.to);
    const auto mismatch = match::mismatch(wanted, &value, match_);
    if (!mismatch) co_return;
    Graded graded;
    graded.expected = mismatch->expected + (mismatch->path.empty() ? "" : " at " + mismatch->path);
    conclude(graded, printable(mismatch->seen), &step, frames_behind(written, comparison.to));
  }

  awaitable<void> act(const suite::Step& step, const suite::Walk& walk) {
    const std::int64_t pages = integer(walk.pages, 50);
    json::Value all = json::array();
    json::Value cursor = json::null();
    std::int64_t page = 0;
    for (; page < pages && !over_; ++page) {
      scope_.next_step();
      suite::Call call = walk.call;
      if (!cursor.is_null()) {
        if (!call.params) call.params = json::object();
        call.params->set("cursor", cursor);
      }
      suite::Step inner;
      inner.action = std::move(call);
      Asked asked;
      asked.step = &step;
      Prepared prepared = prepare(inner);
      asked.valid_request = prepared.valid_request;
      asked.reply = step.reply ? pattern(*step.reply) : json::object({{"result", json::object()}});
      asked.sent = co_await session_->send_text(std::move(prepared.text),
                                                std::move(prepared.writes), false, prepared.http);
      const Deadline deadline = reply_deadline(asked.step);
      const Reply reply = co_await listener_.gather(asked, deadline);
      conclude(grade(asked.reply, reply, judging_), seen(reply), &step, {asked.sent.seq});
      if (reply.messages.empty()) break;
      const json::Value& message = reply.messages.front()->message->value;
      if (const json::Value* items = json::at(message, walk.items))
        for (const json::Value& item : items->items) all.items.push_back(item);
      const json::Value* next = json::at(message, "/result/nextCursor");
      if (!next || !next->is_string()) break;
      cursor = *next;
    }
    capture(step, json::object({{"items", all}, {"pages", json::number(page + 1)}}),
            session_->transcript().frames.back().seq);
  }

  // False when `from` lacks something of what is to be captured from it.
  bool capture(const suite::Step& step, const json::Value& from, std::uint64_t seq) {
    bool whole = true;
    for (const suite::Capture& wanted : step.captures) {
      if (!wanted.header.empty()) continue;
      const json::Value* value = json::at(from, wanted.pointer);
      if (value) {
        scope_.set(wanted.name, *value);
        captured_.insert_or_assign(wanted.name, seq);
      }
      whole &= value != nullptr;
    }
    return whole;
  }

  // `capture: {name: {header: Mcp-Session-Id}}`; "" when there is none.
  void capture_headers(const suite::Step& step, const Reply& reply) {
    if (!reply.http) return;
    wire::HttpHead head;
    head.headers = reply.http->headers;
    for (const suite::Capture& wanted : step.captures) {
      if (wanted.header.empty()) continue;
      const std::string* value = head.header(wanted.header);
      scope_.set(wanted.name, json::string(value ? *value : ""));
      captured_.insert_or_assign(wanted.name, reply.http->head_seq);
    }
  }

  // The frames that what is referred to was captured from; the last frame when there are none.
  std::vector<std::uint64_t> frames_behind(const json::Value& value, const json::Value& to) const {
    std::set<std::string> names = suite::roots_in(value);
    names.merge(suite::roots_in(to));
    std::set<std::uint64_t> frames;
    for (const auto& [name, seq] : captured_)
      if (names.contains(name)) frames.insert(seq);
    const auto& all = session_->transcript().frames;
    if (frames.empty() && !all.empty()) frames.insert(all.back().seq);
    return {frames.begin(), frames.end()};
  }

  void keep_slice() {
    if (kept_) return;
    kept_ = true;
    played_.slices.push_back(session_->read_slice());
  }

  const suite::Case& case_;
  std::unique_ptr<Session>& session_;
  std::unique_ptr<Session> other_;  // of steps with `client: other`
  const PlayContext& context_;
  RowScope scope_;
  match::MatchContext match_;
  Judging judging_;
  Listener listener_;
  PlayedCase played_;
  CaseFindings findings_;
  std::map<std::string, std::uint64_t> captured_;  // name → frame it was captured from
  std::set<std::string> withheld_;  // tools that were not called because they may not be
  std::string unframed_;            // was written last and may go on
  bool ended_on_purpose_ = false;
  bool stop_row_ = false;
  int deaths_ = 0;           // of the target, in this case
  std::string stopped_;      // why a row ended early, by an outcome that says so
  bool played_out_ = false;  // a row was played to its end
  // Of steps with a name: the session and the exchange.
  std::map<std::string, std::pair<std::uint64_t, int>> exchanges_;
  bool over_ = false;
  bool kept_ = false;
};

}  // namespace

awaitable<PlayedCase> play(const suite::Case& scenario, std::unique_ptr<Session>& session,
                           const PlayContext& context) {
  CasePlayer player(scenario, session, context);
  co_return co_await player.play();
}

Gate gate(const suite::Case& scenario, const Offer& offer, const json::Value* capabilities) {
  Gate result;
  for (const suite::Requires& need : scenario.gates) {
    if (need.kind == "capability") {
      const json::Value* declared =
          capabilities
              ? json::at(
                    *capabilities, "/" +
                                       [&] {
                                         std::string pointer = need.name;
                                         std::replace(pointer.begin(), pointer.end(), '.', '/');
                                         return pointer;
                                       }())
              : nullptr;
      const bool present =
          declared && !declared->is_null() && !(declared->is_boolean() && !declared->boolean);
      if (!present) {
        result.not_applicable = "the target does not declare the capability " + need.name;
        return result;
      }
    } else if (need.kind == "era") {
      if ((need.name == "dual") != offer.dual_era) {
        result.not_applicable = offer.dual_era
                                    ? "the target also serves the revisions with a handshake"
                                    : "the target serves one era only";
        return result;
      }
    } else if (need.kind == "http") {
      if (need.name == "sessions" && !offer.http_sessions)
        result.not_applicable = "the target issues no session ids";
      if (need.name == "loopback" && !offer.http_loopback)
        result.not_applicable = "the target is not reached on this machine";
    } else if (need.kind == "auth") {
      result.not_applicable = offer.protection.missing(need.name);
      if (!result.not_applicable.empty()) return result;
    } else if (need.kind == "affordance" && !offer.affordances.find(need.name)) {
      result.inconclusive = "nobody told how to provoke it: affordance " + need.name;
      result.remedy = "affordances: {" + need.name + ": {…}}";
    }
  }
  return result;
}

}  // namespace harness::run
