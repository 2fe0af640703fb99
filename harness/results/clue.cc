// SPDX-License-Identifier: Apache-2.0
#include "harness/results/clue.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/trace/attribution.h"
#include "harness/trace/line.h"
#include "harness/trace/reading.h"
#include "harness/trace/trace.h"
#include "harness/trace/trigger.h"

namespace harness::run {
namespace {
constexpr std::size_t kMostSurvived = 20000;  // members of messages that did no harm
constexpr std::size_t kAround = 40;           // frames before a call and behind it
constexpr std::int64_t kRightBehind = 5000;   // microseconds: one read takes both
constexpr std::int64_t kAtOnce = 50'000;
constexpr std::int64_t kLongWait = 500'000;

using trace::calls_at;
using trace::has_own_header;
using trace::is_valid;
using trace::members_of;
using trace::method_of;
using trace::without_digits;
using wire::Channel;
using wire::Direction;
using wire::MessageKind;

// What tells the panics of a Rust program apart: "(panicked at main.rs:7:5)"; "" of anything else.
std::string place_of_panic(const std::string& why) {
  const std::size_t at = why.rfind(" (panicked at ");
  return at == why.npos ? "" : why.substr(at + 1);
}

bool is_wide(const std::string& bytes) {
  return std::any_of(bytes.begin(), bytes.end(), [](char c) { return (c & 0x80) != 0; });
}

class Extractor {
 public:
  Extractor(Clues& clues, const CaseResult& result, const std::vector<oracle::Finding>& by_oracles,
            const spec::Profile& profile)
      : clues_(clues), result_(result), by_oracles_(by_oracles),
        canary_(clues.canary.value_or(spec::canary_of(profile))),
        reading_(*result.transcript, profile) {
    for (std::size_t i = 0; i < reading_.size(); ++i) {
      const wire::Frame& frame = reading_.frame(i);
      if (frame.direction != Direction::kReceived) continue;
      if (reading_.message(i).is_reply()) replies_[reading_.message(i).key].push_back(i);
      if (frame.exchange == 0) continue;
      if (frame.head && frame.head->status >= 500) failed_.insert(frame.exchange);
      if (frame.head && frame.head->status > 0) status_[frame.exchange] = frame.head->status;
      const std::string* after = frame.head ? frame.head->header("after") : nullptr;
      if (after && frame.channel == Channel::kClose)
        after_[frame.exchange] = static_cast<int>(std::strtol(after->c_str(), nullptr, 10));
      if (reading_.message(i).is_reply()) failed_.erase(frame.exchange);
    }
  }

  void run() {
    note_progress();
    for (std::size_t i = 0; i < result_.findings.size(); ++i)
      if (result_.findings[i].severity != oracle::Severity::kInfo) clues_.all.push_back(clue(i));
    // An oracle has pieces of many cases, whose ids and exchanges are each other's.
    if (!result_.id.starts_with("oracle/")) note_what_survived();
    count_misframed();
    count_ids();
  }

 private:
  using Places = std::vector<std::size_t>;

  // Progress that does not grow, while another call that is worked on gets none under its token.
  void note_progress() {
    for (const oracle::Finding& finding : by_oracles_) {
      if (finding.requirement != "mcp.progress.increasing" || finding.frames.size() < 2) continue;
      const auto from = reading_.place(finding.frames.front());
      const auto to = reading_.place(finding.frames.back());
      // Calls that were given the same token by the client are not mixed up by the server.
      if (from && token_given_twice(*from)) continue;
      const bool many = from && to && (own_calls_at(*from) > 1 || own_calls_at(*to) > 1);
      const bool of_other = many && token_unused(*from);
      ++(of_other ? clues_.shrinks_among : clues_.shrinks_alone);
    }
  }

  // That do not wait for the client.
  std::size_t own_calls_at(std::size_t place) const {
    const auto open = calls_at(reading_, place);
    return open.waits_for_us ? 0 : open.calls;
  }

  // The token of this call is also that of another around it.
  bool token_given_twice(std::size_t call) const {
    const json::Value* own = json::at(reading_.message(call).value, "/params/_meta/progressToken");
    const std::size_t begin = call - std::min<std::size_t>(call, kAround);
    std::size_t times = 0;
    for (std::size_t i = begin; own && i < reading_.size() && i < call + kAround; ++i) {
      const wire::Message& message = reading_.message(i);
      if (!message.is_json || reading_.frame(i).direction != Direction::kSent) continue;
      const json::Value* token = json::at(message.value, "/params/_meta/progressToken");
      times += token && json::equal(*token, *own);
    }
    return times > 1;
  }

  // Of the calls around one some never got progress under the token they gave.
  bool token_unused(std::size_t call) const {
    std::set<std::string> given, used;
    const std::size_t begin = call - std::min<std::size_t>(call, kAround);
    for (std::size_t i = begin; i < reading_.size() && i < call + kAround; ++i) {
      const wire::Message& message = reading_.message(i);
      const bool sent = reading_.frame(i).direction == Direction::kSent;
      const json::Value* token = message.is_json
                                     ? json::at(message.value, sent ? "/params/_meta/progressToken"
                                                                    : "/params/progressToken")
                                     : nullptr;
      if (token) (sent ? given : used).insert(json::write(*token));
    }
    return std::any_of(given.begin(), given.end(),
                       [&](const std::string& token) { return used.count(token) == 0; });
  }

  // As the harness asks it, and not a message of a case with the same method.
  bool is_canary(std::size_t i) const {
    const wire::Message& message = reading_.message(i);
    if (method_of(message) != canary_.method || !is_valid(message)) return false;
    if (has_own_header(reading_.frame(i))) return false;
    const json::Value* id = message.id();
    if (id && !json::is_integer(*id)) return false;
    const json::Value* params = message.value.find("params");
    return params ? json::write(*params) == json::write(canary_.params) : canary_.params.is_null();
  }

  Clue clue(std::size_t i) {
    const oracle::Finding& finding = result_.findings[i];
    Clue out;
    out.ref = {result_.id, i};
    out.requirement = finding.requirement;
    out.severity = finding.severity;
    out.symptom = oracle::symptom_of(finding);
    out.verdict = result_.verdict;
    out.oracle = finding.oracle;
    out.row = finding.row;
    out.about = finding.about;
    out.baselined = result_.baselined;
    Places sent, received;
    for (const std::uint64_t seq : finding.frames) {
      const std::optional<std::size_t> at = reading_.place(seq);
      if (at && reading_.is_sent_message(*at)) sent.push_back(*at);
      if (at && reading_.frame(*at).direction == Direction::kReceived) received.push_back(*at);
    }
    // Of what came alone: what it answers.
    if (sent.empty() && !received.empty())
      if (const auto asked = reading_.asked_by(received.back())) sent.push_back(*asked);
    if (std::optional<std::size_t> at = blamed(sent)) {
      const bool hangs = out.symptom == oracle::Symptom::kHang;
      out.trigger = trigger_at(reading_, hangs && is_canary(*at) ? blamed_before(*at) : *at);
      if (hangs) look_behind_failures(out);
    } else {
      look_for_blank_line(finding, out);
    }
    if (!received.empty()) out.came = came_at(reading_, received.back());
    out.altered = !received.empty() && reading_.is_altered(received.back());
    const auto open = sent.empty() ? trace::CallsAt{} : calls_at(reading_, sent.back());
    out.busy = open.calls > 0 && !open.waits_for_us;
    out.waits_for_us = open.calls > 0 && open.waits_for_us;
    if (!sent.empty()) look_at_connection(reading_.frame(sent.back()).exchange, out);
    out.crowded = !sent.empty() && crowded(sent.back());
    out.together = out.crowded || (!sent.empty() && crowded(sent.back() + 1));
    if (out.symptom == oracle::Symptom::kEnd && !sent.empty()) look_for_end(sent.front(), out);
    const auto* ended = oracle::came_as<oracle::Ended>(finding.came);
    if (ended && ended->process && finding.oracle.empty()) out.end = ended->how;
    if (ended) out.why = place_of_panic(ended->why);
    if (ended && out.why.empty()) out.why = without_digits(ended->why);
    if (out.symptom == oracle::Symptom::kSilence && out.trigger.seq != 0)
      out.held_back = is_held_back(*reading_.place(out.trigger.seq));
    out.wants_error = finding.wanted.error;
    // Where any notification was waited for, the acknowledgment is one.
    const std::string& awaited = finding.wanted.message;
    const bool of_any = awaited.find("\"^notifications/") != std::string::npos;
    out.lacks_acknowledgment = oracle::came_as<oracle::MissingMessage>(finding.came) &&
                               (awaited.find("subscriptions/acknowledged") != std::string::npos ||
                                (of_any && finding.requirement.starts_with("mcp.listen.")));
    const auto* result = oracle::came_as<oracle::ResultCame>(finding.came);
    out.asks_as_complete = result && result->asks_as_complete;
    for (const char* method : {"roots/list", "sampling/createMessage", "elicitation/create"})
      out.asks_client |= std::count(finding.came.asks.begin(), finding.came.asks.end(), method) > 0;
    const auto& statuses = finding.wanted.statuses;
    out.wants_stream = finding.wanted.media.find("text/event-stream") != std::string::npos &&
                       std::count(statuses.begin(), statuses.end(), "405") > 0;
    const auto* broken = oracle::came_as<oracle::BrokenOff>(finding.came);
    out.broken_off = broken && (broken->why == "eof" || broken->why == "reset");
    out.left_open = broken && broken->why == "timeout" && served_after(out.trigger.seq);
    out.for_all = ended && !ended->others_served;
    if (out.symptom == oracle::Symptom::kHang && out.trigger.seq != 0)
      harmful_.insert(out.trigger.seq);
    if (finding.oracle == "http" || finding.oracle == "stdout") look_at_framing(received, out);
    if (finding.oracle == "json-output")
      for (const std::size_t at : received) out.mixed |= is_mixed(at);
    // What answers a notification should not be there at all, whatever its shape; nor a result
    // where only an error is due.
    const bool only_error =
        finding.wanted.error && !finding.wanted.result && !finding.wanted.any_result;
    const bool unwanted = (out.trigger.valid && out.trigger.kind == MessageKind::kNotification) ||
                          (only_error && !out.came.result.empty());
    // Text that is no message is no frame of the finding.
    out.answered = (!received.empty() && !reading_.ends(received.back())) ||
                   oracle::came_as<oracle::NotAMessage>(finding.came);
    out.came.message = std::any_of(received.begin(), received.end(), [&](std::size_t at) {
      return reading_.message(at).kind != MessageKind::kMalformed;
    });
    if (finding.oracle.empty()) look_below(unwanted ? Places() : received, out);
    return out;
  }

  // HTTP: what was sent after the end of its exchange got a response.
  bool served_after(std::uint64_t seq) const {
    const std::optional<std::size_t> sent = reading_.place(seq);
    if (!sent || reading_.frame(*sent).exchange == 0) return false;
    bool over = false;
    for (std::size_t i = *sent + 1; i < reading_.size(); ++i) {
      const wire::Frame& frame = reading_.frame(i);
      over |= reading_.ends(i) && frame.exchange == reading_.frame(*sent).exchange;
      const int status =
          frame.head && frame.direction == Direction::kReceived ? frame.head->status : 0;
      if (over && status >= 200 && status < 500) return true;
    }
    return false;
  }

  // Of those a finding names, what it is about: not the canary behind it.
  std::optional<std::size_t> blamed(const Places& sent) const {
    for (const std::size_t at : sent)
      if (!is_canary(at)) return at;
    if (sent.empty()) return std::nullopt;
    return sent.front();
  }

  // A line of white space is no message, and may do harm all the same.
  void look_for_blank_line(const oracle::Finding& finding, Clue& out) const {
    for (const std::uint64_t seq : finding.frames) {
      const std::optional<std::size_t> at = reading_.place(seq);
      if (!at || out.trigger.blank) continue;
      const wire::Frame& frame = reading_.frame(*at);
      out.trigger.blank = frame.direction == Direction::kSent && frame.channel == Channel::kStdin &&
                          !wire::carries_message(frame);
      if (out.trigger.blank) out.trigger.seq = seq;
    }
  }

  // A message was sent just before it, and nothing came in between. A process that has written
  // nothing yet may not have begun to read.
  bool crowded(std::size_t at) const {
    if (at == 0 || at >= reading_.size() || !reading_.is_sent_message(at) ||
        !reading_.is_sent_message(at - 1))
      return false;
    if (reading_.frame(at).time_us - reading_.frame(at - 1).time_us < kRightBehind) return true;
    if (reading_.frame(at).channel != Channel::kStdin) return false;
    for (std::size_t i = at; i-- > 0 && !reading_.ends(i);)
      if (reading_.frame(i).direction == Direction::kReceived) return false;
    return true;
  }

  // The message, or where that is a canary the last on the connection before it that is none.
  std::size_t blamed_before(std::size_t from) const {
    // Over HTTP each exchange ends by itself.
    for (std::size_t i = from + 1; i-- > 0;) {
      if (reading_.ends(i) && reading_.frame(i).exchange == 0) break;
      if (reading_.is_sent_message(i) && !is_canary(i) && !is_answer_survived(i)) return i;
    }
    return from;
  }

  // Over HTTP: nothing but a server error came for it.
  bool failed(std::size_t sent) const { return failed_.count(reading_.frame(sent).exchange) != 0; }

  // Something in it but the name of what it calls was in no message before that did no harm.
  bool has_news(const Trigger& trigger, std::size_t place) const {
    std::set<std::string> harmless = clues_.survived;
    for (std::size_t i = 0; i < place; ++i)
      if (reading_.is_sent_message(i) && !failed(i))
        for (const auto& [path, text] : members_of(reading_.message(i)))
          harmless.insert(path + "=" + text);
    return std::any_of(trigger.members.begin(), trigger.members.end(), [&](const auto& member) {
      return member.first != "params.name" &&
             harmless.count(member.first + "=" + member.second) == 0;
    });
  }

  // Where what is blamed was refused like all that followed, and had done no harm before, it was
  // the message before the first that was refused.
  void look_behind_failures(Clue& clue) {
    std::optional<std::size_t> first = reading_.place(clue.trigger.seq);
    if (!first || !failed(*first)) return;
    for (std::size_t i = *first; i-- > 0;) {
      if (!reading_.is_sent_message(i) || is_canary(i)) continue;
      if (failed(i)) {
        first = i;
        continue;
      }
      const Trigger refused = trigger_at(reading_, *first);
      clue.trigger = has_news(refused, *first) ? refused : trigger_at(reading_, i);
      return;
    }
  }

  // An answer to a request of the server, and one like it but for the id did no harm.
  bool is_answer_survived(std::size_t at) const {
    const auto answer = [&](std::size_t i) {
      std::map<std::string, std::string> members;
      if (reading_.message(i).is_reply()) members = members_of(reading_.message(i));
      members.erase("id");
      return members;
    };
    const auto mine = answer(at);
    if (mine.empty()) return false;
    bool sent_before = false, lived_on = false;
    for (std::size_t i = 0; i < reading_.size(); ++i) {
      if (reading_.is_sent_message(i) && answer(i) == mine) {
        if (lived_on) return true;
        sent_before = true;
      }
      lived_on |= sent_before && reading_.frame(i).direction == Direction::kReceived &&
                  reading_.message(i).kind != MessageKind::kMalformed;
    }
    return false;
  }

  // From the message a finding names to the end of the connection: the last one before it, but for
  // canaries, ended it.
  void look_for_end(std::size_t from, Clue& clue) {
    std::size_t last = blamed_before(from);
    for (std::size_t i = from; i < reading_.size(); ++i) {
      if (reading_.ends(i)) {
        if (clue.end.empty() || reading_.frame(i).channel == Channel::kExit)
          clue.end = printable(reading_.frame(i).bytes, 40);
        if (reading_.frame(i).channel == Channel::kExit) break;
      } else if (clue.end.empty() && reading_.is_sent_message(i) && !is_canary(i) &&
                 !is_answer_survived(i)) {
        last = i;
      }
    }
    clue.trigger = trigger_at(reading_, last);
    clue.behind = unanswered_before(last);
    clue.after = answered_before(last);
    clue.at_start = follows_handshake(last);
    harmful_.insert(reading_.frame(last).seq);
  }

  // Nothing came for long, and then the reply at once when something else was sent.
  bool is_held_back(std::size_t request) const {
    const auto replies = replies_.find(reading_.message(request).key);
    if (reading_.frame(request).exchange != 0 || replies == replies_.end()) return false;
    const auto reply = std::upper_bound(replies->second.begin(), replies->second.end(), request);
    if (reply == replies->second.end()) return false;
    std::size_t sent = *reply;
    while (sent > request && !reading_.is_sent_message(sent)) --sent;
    if (sent == request) return false;
    const std::int64_t at = reading_.frame(sent).time_us;
    return at - reading_.frame(sent - 1).time_us > kLongWait &&
           reading_.frame(*reply).time_us - at < kAtOnce;
  }

  // The method of the request that a notification, or an initialize, is right behind, where it was
  // never answered.
  std::string unanswered_before(std::size_t last) const {
    const bool handshake = method_of(reading_.message(last)) == "initialize";
    if (!handshake && reading_.message(last).kind != MessageKind::kNotification) return "";
    if (!crowded(last)) return "";
    const wire::Message& message = reading_.message(last - 1);
    if (message.kind != MessageKind::kRequest) return "";
    for (std::size_t i = last; i < reading_.size() && !reading_.ends(i); ++i)
      if (reading_.message(i).is_reply() && reading_.message(i).key == message.key) return "";
    return method_of(message);
  }

  // Nothing has come since the last message of the handshake, or it is that.
  bool follows_handshake(std::size_t message) const {
    for (std::size_t i = message; !reading_.ends(i); --i) {
      if (reading_.is_sent_message(i) &&
          method_of(reading_.message(i)) == "notifications/initialized")
        return true;
      const bool came =
          reading_.frame(i).direction == Direction::kReceived && reading_.message(i).is_json;
      if (came) return false;
      if (i == 0) return reading_.behind_handshake();
    }
    return false;
  }

  // The method of the request on the connection before this message, where it was answered.
  std::string answered_before(std::size_t message) const {
    for (std::size_t i = message; i-- > 0 && !reading_.ends(i);)
      if (reading_.is_sent_message(i) && !is_canary(i))
        return reply_to(i) ? method_of(reading_.message(i)) : "";
    return "";
  }

  void look_at_connection(int exchange, Clue& clue) const {
    const auto after = after_.find(exchange);
    clue.reused = after != after_.end();
    if (!clue.reused) return;
    const auto before = status_.find(after->second);
    if (before != status_.end()) clue.before = before->second;
  }

  // What comes next on the same channel completes it, or it is long and another runs into it.
  bool is_parted(std::size_t at) const {
    const wire::Frame& frame = reading_.frame(at);
    using trace::Line;
    const Line line = trace::line_of(frame.bytes);
    if (line != Line::kCut) return line == Line::kLongRunInto;
    for (std::size_t i = at + 1; i < reading_.size(); ++i) {
      const wire::Frame& next = reading_.frame(i);
      if (next.direction != Direction::kReceived || next.channel != frame.channel) continue;
      return reading_.message(i).kind == MessageKind::kMalformed &&
             frame.size + next.size >= trace::kLongLine &&
             wire::read_message(frame.bytes + next.bytes).is_json;
    }
    return false;
  }

  bool is_mixed(std::size_t at) const {
    const wire::Frame& frame = reading_.frame(at);
    return frame.channel != Channel::kHttp && trace::line_of(frame.bytes) == trace::Line::kMixed;
  }

  // What an oracle of the bytes names is where they went wrong.
  void look_at_framing(const Places& received, Clue& clue) const {
    for (const std::size_t at : received) {
      const wire::Frame& frame = reading_.frame(at);
      const std::string* reason = frame.head ? frame.head->header("reason") : nullptr;
      clue.unended |= frame.channel == Channel::kHttp && frame.unframed && !reason;
      if (!reason || !frame.unframed) continue;
      clue.surplus |= frame.channel == Channel::kHttp;
      clue.misframed |= frame.channel != Channel::kHttp;
    }
  }

  void count_misframed() {
    const wire::Frame* before = nullptr;
    for (std::size_t i = 0; i < reading_.size(); ++i) {
      const wire::Frame& frame = reading_.frame(i);
      if (frame.direction != Direction::kReceived || !wire::carries_message(frame)) continue;
      const bool stray = frame.unframed && frame.head && frame.head->header("reason");
      if (stray && before)
        ++(is_wide(before->bytes) ? clues_.misframed_wide : clues_.misframed_ascii);
      before = stray ? nullptr : &frame;
    }
  }

  // HTTP: of another exchange than what came.
  bool is_elsewhere(const oracle::Finding& other, const Places& received) const {
    std::set<int> own;
    for (const std::size_t at : received) own.insert(reading_.frame(at).exchange);
    own.erase(0);
    return !own.empty() &&
           std::none_of(other.frames.begin(), other.frames.end(), [&](std::uint64_t seq) {
             const auto at = reading_.place(seq);
             return at && (reading_.frame(*at).exchange == 0 ||
                           own.contains(reading_.frame(*at).exchange));
           });
  }

  // Lines that are no messages, beside those that are.
  bool stands_beside(const oracle::Finding& other) const {
    const bool stray = other.flaw.empty() || other.flaw == "before input" ||
                       other.flaw == "blank" || other.flaw == "no end";
    return other.oracle == "stdout" && stray &&
           std::none_of(other.frames.begin(), other.frames.end(), [&](std::uint64_t seq) {
             const auto at = reading_.place(seq);
             return at && (reading_.frame(*at).head ||
                           trace::line_of(reading_.frame(*at).bytes) != trace::Line::kOther);
           });
  }

  void look_below(const Places& received, Clue& clue) const {
    constexpr std::string_view kFraming = " stdout json-output http sse websocket ";
    const bool readable = clue.answered && clue.came.message && !clue.parted && !clue.mixed;
    for (const oracle::Finding& other : by_oracles_) {
      if (other.severity < clue.severity || other.requirement == clue.requirement) continue;
      for (const std::uint64_t seq : other.frames)
        if (const auto at = reading_.place(seq);
            at && (other.oracle == "stdout" || other.oracle == "json-output")) {
          clue.parted |= is_parted(*at);
          clue.mixed |= is_mixed(*at);
        }
      // A message over several lines was read all the same, and so was one in the body of a POST.
      const bool of_framing = kFraming.find(' ' + other.oracle + ' ') != std::string::npos &&
                              other.flaw != "spread" && other.flaw != "in-body" &&
                              !is_elsewhere(other, received);
      // A line that came before the message changes nothing of what became of it.
      const bool before = other.oracle == "stdout" && !other.frames.empty() &&
                          std::all_of(other.frames.begin(), other.frames.end(),
                                      [&](std::uint64_t seq) { return seq < clue.trigger.seq; });
      if (clue.garbled.empty() && of_framing && !before && !(readable && stands_beside(other)))
        clue.garbled = other.requirement;
      // The shape of a result says nothing of the id beside it.
      const bool of_id = clue.requirement.ends_with("same-id") ||
                         (clue.trigger.valid && clue.requirement.starts_with("jsonrpc.id."));
      // An error with a code can be judged by that, whatever else it lacks; not by an id it lacks.
      const bool lacks_id = of_id && other.requirement == "jsonrpc.response.id-member-present";
      const auto* error = oracle::came_as<oracle::ErrorCame>(other.came);
      const bool same = std::any_of(received.begin(), received.end(), [&](std::size_t at) {
        const bool read = reading_.message(at).kind == MessageKind::kErrorResponse;
        return (lacks_id || !(read && error && !error->code.empty())) &&
               std::count(other.frames.begin(), other.frames.end(), reading_.frame(at).seq) != 0;
      });
      // What cannot be read as a reply is taken for silence, or for text that is not a message.
      const bool unread = other.oracle == "envelope" && (clue.symptom != oracle::Symptom::kAnswer ||
                                                         (clue.answered && !clue.came.message));
      const bool of_message = other.oracle == "envelope" || (other.oracle == "shapes" && !of_id);
      if (clue.below.empty() && (same || unread) && of_message) clue.below = other.requirement;
    }
  }

  void note_what_survived() {
    for (std::size_t i = 0; i < reading_.size(); ++i) {
      const wire::Frame& frame = reading_.frame(i);
      if (frame.direction == Direction::kReceived && frame.head)
        clues_.sessions_given |= frame.head->header("mcp-session-id") != nullptr;
      // What GET and DELETE come to is another matter.
      if (!reading_.is_sent_message(i) || after_.count(frame.exchange) == 0) continue;
      const auto status = status_.find(frame.exchange);
      clues_.reused_answered += status != status_.end() && status->second < 400;
    }
    bool answered_one = false;  // on this connection
    for (std::size_t i = 0; i < reading_.size(); ++i) {
      const wire::Message& message = reading_.message(i);
      if (reading_.frame(i).channel == wire::Channel::kClose) answered_one = false;
      if (reading_.frame(i).channel == wire::Channel::kSocket && message.is_reply() &&
          reading_.frame(i).direction == Direction::kReceived) {
        clues_.several_on_one |= answered_one;
        answered_one = true;
      }
      if (reading_.frame(i).direction == Direction::kReceived) {
        if (message.kind != MessageKind::kResponse) continue;
        clues_.canaries_answered += canaries_.count(message.key) != 0;
        clues_.crowded_answered += crowded_.count(message.key) != 0;
        continue;
      }
      const wire::Message* reply = message.kind == MessageKind::kRequest ? reply_to(i) : nullptr;
      if (reply && !blames_request(*reply)) clues_.answered.insert(method_of(message));
      if (message.kind == MessageKind::kRequest && is_canary(i)) canaries_.insert(message.key);
      if (canaries_.count(message.key) != 0 && crowded(i)) crowded_.insert(message.key);
      if (harmful_.count(reading_.frame(i).seq) != 0 || clues_.survived.size() > kMostSurvived)
        continue;
      if (failed(i)) continue;
      if (!trace::is_valid(message) && reading_.is_sent_message(i)) {
        const Trigger trigger = trace::trigger_at(reading_, i);
        if (!trigger.valid && !trigger.cut && !trigger.deep && !trigger.blank)
          clues_.survived_flaws.emplace(trigger.is_json, trigger.flaw);
      }
      for (const auto& [path, text] : members_of(message))
        clues_.survived.insert(path + "=" + text);
      if (!reply) continue;
      clues_.longest_survived =
          std::max<std::uint64_t>(clues_.longest_survived, reading_.frame(i).bytes.size());
      if (reply->kind != MessageKind::kResponse) continue;
      for (const auto& [path, text] : members_of(message)) clues_.served.insert(path + "=" + text);
    }
  }

  // An error of one that something is wrong with: it may be looked at before anybody serves it.
  static bool blames_request(const wire::Message& reply) {
    const json::Value* error = wire::error_in(reply.value);
    const json::Value* code = error && error->is_object() ? error->find("code") : nullptr;
    const std::int64_t number = code ? json::as_integer(*code).value_or(0) : 0;
    return number == -32600 || number == -32602 || number == -32700;
  }

  // The first reply behind a request under its id; null when there is none.
  const wire::Message* reply_to(std::size_t request) const {
    const auto replies = replies_.find(reading_.message(request).key);
    if (replies == replies_.end()) return nullptr;
    const auto first = std::upper_bound(replies->second.begin(), replies->second.end(), request);
    return first == replies->second.end() ? nullptr : &reading_.message(*first);
  }

  void count_ids() {
    IdTally tally;
    for (const trace::Item& item : reading_.trace().items) {
      if (item.sent) continue;
      const trace::Answer& answer = reading_.attribution().of(item);
      const json::Value* came = item.member("id");
      const bool error = item.kind == MessageKind::kErrorResponse;
      if (came && answer.whose == trace::Whose::kRequest && answer.to->key == item.key) {
        ++(came->is_string() ? tally.kept_strings : tally.kept_numbers);
        tally.kept_by_errors += error;
      }
      if (answer.whose != trace::Whose::kAltered) continue;
      // What was not read as JSON has no id.
      const json::Value* failure = error ? item.member("error") : nullptr;
      const json::Value* code = failure ? failure->find("code") : nullptr;
      if (code && json::write(*code) == "-32700" && answer.change == trace::Change::kLost) continue;
      ++tally.altered[answer.change];
      tally.altered_by_errors += error;
      tally.altered_strings += answer.to && answer.to->member("id")->is_string();
      if (const json::Value* id = item.member("id"); id && tally.example.empty())
        tally.example = printable(json::write(*id), 40);
    }
    if (tally.kept_strings + tally.kept_numbers > 0 || !tally.altered.empty())
      clues_.ids[result_.id] = std::move(tally);
  }

  Clues& clues_;
  const CaseResult& result_;
  const std::vector<oracle::Finding>& by_oracles_;
  const spec::Canary canary_;
  const Reading reading_;
  std::map<std::string, Places> replies_;  // by their ids, in order
  std::set<int> failed_;                   // exchanges
  std::map<int, int> status_, after_;      // exchange → its status, and the one before it
  std::set<std::uint64_t> harmful_;        // what ended the target, or had it fall silent
  std::set<std::string> canaries_, crowded_;
};

}  // namespace

void add_clues(Clues& clues, const CaseResult& result,
               const std::vector<oracle::Finding>& by_oracles, const spec::Profile& profile) {
  const bool of_progress =
      result.transcript && std::any_of(by_oracles.begin(), by_oracles.end(), [](const auto& one) {
        return one.requirement == "mcp.progress.increasing";
      });
  if (result.findings.empty() && !of_progress) return;
  CaseResult view;
  if (!result.transcript) (view = result).transcript = std::make_shared<wire::Transcript>();
  Extractor(clues, result.transcript ? result : view, by_oracles, profile).run();
}

}  // namespace harness::run
