// SPDX-License-Identifier: Apache-2.0
// Session: one live session with the target. It allocates ids, performs the handshake of the
// profile, answers requests of the server, measures how fast the target is, and records every
// Frame. It judges nothing.
//
//   interpreter ──send──► Session ──► Transport ──► Target
//               ◄─inbox── (records) ◄── pump() ◄──
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/result.h"
#include "harness/session/answers.h"
#include "harness/session/pace.h"
#include "harness/session/recording.h"
#include "harness/session/resumption.h"
#include "harness/spec/profile.h"
#include "harness/trace/live.h"
#include "harness/trace/trace.h"
#include "harness/transport/transport.h"
#include "harness/wire/exchange.h"
#include "harness/wire/frame.h"
#include "harness/wire/message.h"
#include "harness/wire/message_cache.h"
#include "harness/wire/used_ids.h"

namespace harness::session {

using trace::Inbound;
using transport::Clock;
using transport::Deadline;
using wire::Exchange;
template <class T>
using awaitable = boost::asio::awaitable<T>;

// No HTTP overrides. A named object, because GCC 12 destroys a temporary made for a default
// argument of a coroutine twice.
inline const wire::HttpHead kNoOverrides;
inline const transport::HttpManner kUsualManner;

// Facts about a frame that we sent.
struct Sent : trace::Question {
  std::size_t batched = 0;    // of a batch: how many requests it holds
  std::size_t bytes = 0;      // of the message
  std::string method;         // of a request with a usable id, if no name is repeated in it
  std::string name;           // of such a request: its params.name, if that is a string
  bool is_request = false;    // a request, and every reader reads it as one
  bool runs_feature = false;  // uses a tool, resource or prompt: may take longer than a canary
  std::size_t from = 0;       // first inbox entry that can be an answer
  Clock::time_point at;
};

// The result of an initialize request.
struct Handshake {
  bool answered = false;
  bool accepted = false;  // by a result that opens a session, see spec::opens_session()
  json::Value reply;      // the whole message; null when there was none
  Sent sent;
};

class Session {
 public:
  Session(std::unique_ptr<transport::Transport> transport, const spec::Profile& profile,
          std::string target_name, std::shared_ptr<Pace> pace);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  awaitable<Status> open();

  // --- sending
  // Sends a message object and records it. `headers`: HTTP headers to add or replace.
  awaitable<Sent> send(const json::Value& message, const wire::HttpHead& http = kNoOverrides);
  // Sends text as one frame, or raw bytes, in the given writes. A frame must already be framed, by
  // wire().frame(); the Transcript keeps `shown`.
  awaitable<Sent> send_text(std::string shown, std::vector<std::string> writes, bool unframed,
                            const wire::HttpHead& http = kNoOverrides,
                            const transport::HttpManner& manner = kUsualManner);
  // WebSocket: a ping with this payload of at most 125 bytes; `bytes` are its frame.
  awaitable<Sent> send_ping(std::string payload, std::string bytes);
  // WebSocket: another opening handshake on a separate connection, with these headers instead of
  // the usual ones. Its answer is an exchange.
  awaitable<Sent> send_upgrade(wire::HttpHead head);
  // One of several messages that are sent together: as the Transcript keeps it, and as it is
  // written.
  struct Written {
    std::string shown;
    std::string bytes;  // framed, unless it is not to be
    bool unframed = false;
    wire::HttpHead http = {};
  };
  // Sends them in one write (a stream) or at once (HTTP).
  awaitable<std::vector<Sent>> send_together(std::vector<Written> messages);
  // Bytes for a stream, framed, before anything of them is recorded: what several slices send may
  // go ahead of the replies to the first. If the target needs a pause between messages
  // (Pace::apart), it gets one before the bytes, as with send(). note_written() records what the
  // current slice sent of them; call it before anything that answers it is read.
  awaitable<void> write(std::string bytes);
  struct Text {
    std::string bytes;  // as a Transcript keeps them
    bool unframed = false;
  };
  std::vector<Sent> note_written(std::vector<Text> texts);
  // Sends a request with a known answer. canary() tells which.
  awaitable<Sent> send_canary();
  json::Value next_canary();  // what send_canary() would send; uses its id

  // --- receiving Reads one arrival, records it, and answers it if it is a request of the server.
  // False if nothing came until the deadline or nothing more can come.
  awaitable<bool> pump(Deadline deadline);
  // The earlier of `deadline` and, if text came that is not a message, a moment from now: such a
  // server will not answer better later.
  Deadline patience(Deadline deadline) const;
  // Waits for the reply to a request and claims it; null when it is known that there will be none,
  // or none came until the deadline.
  awaitable<Inbound*> reply_to(const Sent& sent, Deadline deadline);
  // HTTP: a body or an event without an end counts as complete if it is JSON.
  void take_cut_off(bool takes) { takes_cut_off_ = takes; }
  // See transport.h.
  void take_one_each() { transport_->take_one_each(); }
  // HTTP: an exchange is given up after the time for any reply, and no sooner than this.
  void keep_exchanges(milliseconds at_least) { exchange_time_ = at_least; }
  // While set, reply_to() leaves messages that came after the reply.
  void take_singly(bool singly) { takes_singly_ = singly; }
  // How long to wait for the reply to a message sent now: by the pace, or, as long as nothing came
  // from the process, until it has had time to start.
  milliseconds reply_time(std::size_t batched = 0, std::size_t bytes = 0) const;
  // Reads what comes within the grace time of the pace, and until then.
  awaitable<void> linger(bool patient = false, Deadline at_least = {});
  std::deque<Inbound>& inbox() { return inbox_; }
  // Whether replies came that no step took and that answer no request since begin_slice().
  bool has_strays() const;
  // The ids of those, by key (of a batch ""), which are then no longer strays.
  std::vector<std::string> take_strays();
  // Replies came that no step took.
  bool has_unclaimed() const;
  const Exchange* exchange(int number) const;

  // --- the connection
  // The handshake of the profile, or with changes; on success the session is ready.
  awaitable<Handshake> handshake(json::Value params, const json::Value* id, bool send_initialized);
  awaitable<Handshake> handshake();
  // The same in two parts: the request, and the wait for its response, which may be repeated while
  // there is none.
  awaitable<Handshake> say_initialize(json::Value params, const json::Value* id);
  awaitable<void> hear_initialize(Handshake& said, Deadline deadline, bool send_initialized = true);
  // The operator's params of initialize, without capabilities; null: the usual ones.
  void set_opening(json::Value params) { opening_ = std::move(params); }
  json::Value opening_params() const;  // of the handshake of the profile
  // HTTP: opens the stream on which a server may send its own requests; false if it has neither
  // begun nor been refused before the deadline.
  awaitable<bool> listen(Deadline deadline);
  bool listens() const { return stream_ != 0; }
  void stop_listening();
  // Ends the session in order, including sessions that the server keeps for it.
  awaitable<void> shutdown(milliseconds grace);
  // Closes its connection at once; what came stays.
  awaitable<void> hang_up() { co_await transport_->shutdown(milliseconds(0)); }
  // HTTP: how many sessions the server keeps for it, as far as is known.
  int http_sessions() const { return static_cast<int>(http_sessions_.size()); }
  // HTTP: the sessions that the server keeps, for the caller to end; this session then ends
  // silently.
  std::set<std::string> take_http_sessions() { return std::exchange(http_sessions_, {}); }
  awaitable<void> end_http_sessions(std::set<std::string> ids);
  void close_input();
  void close_output();
  // Breaks the connection of one HTTP exchange, if it is not over.
  void disconnect(int exchange);
  void send_signal(int number);

  bool closed() const { return !closed_how_.empty(); }
  const std::string& closed_how() const { return closed_how_; }  // "exit 0", "signal 9", "flood"
  bool exited() const { return exited_; }
  const std::string& exit_status() const { return exit_status_; }
  bool unusable() const { return unusable_; }
  // Ends the session: the process behind the URL ended as `how` says, and last printed `output`.
  void note_end(std::string how, const std::string& output);
  void retire() { unusable_ = true; }  // must not be used for another case
  bool initialized() const { return initialized_; }
  // The first reply of this session had an unknown id. The oracles judge it; the session continues
  // and matches replies by their order.
  bool alters_ids() const { return attribution_.alters_ids(); }
  bool takes_for_answer(const Inbound& inbound, const Sent& sent) {
    return !inbound.claimed && attribution_.takes(inbound, sent);
  }
  // Which request a reply belongs to.
  trace::LiveAttribution& attribution() { return attribution_; }
  bool asks() const { return asks_; }               // the server has sent a request
  bool withholds() const { return !withheld_.empty(); }  // the answer to one of them
  bool used() const { return sliced_; }             // a case was played on it
  std::uint64_t number() const { return number_; }  // no two of the process have the same

  // --- what was agreed
  const spec::Profile& profile() const { return *profile_; }
  // Before a handshake: switches the session to another profile; the messages so far are not
  // evidence.
  void adopt(const spec::Profile& profile);
  const json::Value& agreed() const { return agreed_; }  // initialize or discover result
  void set_agreed(json::Value result) { agreed_ = std::move(result); }
  // Without a handshake, or if the server has none: counts as the agreed result.
  void begin_without_handshake(json::Value agreed);
  const SessionOptions& options() const { return options_; }
  void set_options(SessionOptions options) { options_ = std::move(options); }
  // A form did not allow the answer that the options ask for, so it was declined. True once.
  bool take_lacked_answer() { return std::exchange(lacked_answer_, false); }
  const json::Value* capabilities() const;
  // The client capabilities that the server knows; before a handshake, those of the options.
  const json::Value& declared() const;
  // What tools/list holds: over HTTP some arguments of tools/call are mirrored in headers.
  void set_tools(json::Value tools) { tools_ = std::move(tools); }
  // Known facts about the target, with its canary; part of every slice.
  void set_known(std::shared_ptr<const spec::Known> known);
  const std::string& http_session() const { return http_session_; }
  // The server gave a session id to a handshake that was not ours: requests come without one.
  bool lacks_session() const { return http_session_.empty() && !http_sessions_.empty(); }
  // HTTP+SSE: where messages are posted; "" elsewhere.
  std::string endpoint() const {
    const transport::Exchanges* http = transport_->exchanges();
    return http ? http->endpoint() : "";
  }

  // --- ids, time, evidence
  std::int64_t next_id() { return next_id_++; }
  bool id_used(const std::string& key) const { return attribution_.used(key); }
  Pace& pace() { return *pace_; }
  const Pace& pace() const { return *pace_; }
  const transport::Transport& wire() const { return *transport_; }
  // The exchange of a frame whose POST the server refused (HTTP+SSE); null otherwise.
  const Exchange* refusal(const Sent& sent) const;
  // Whether each sent message begins its own exchange; otherwise all share one stream.
  bool has_exchanges() const { return transport_->has_exchanges(); }
  void set_canary(spec::Canary canary) { canary_ = std::move(canary); }
  const spec::Canary& canary() const { return canary_; }

  // The Frames since the last call to begin_slice(); a shared session gives each case its own.
  const wire::Transcript& transcript() const { return *recording_.transcript(); }
  std::shared_ptr<const wire::Transcript> slice() const { return recording_.transcript(); }
  // The same, parsed, and what is known about the session.
  trace::Slice read_slice() const;
  // Likewise; ends the slice and begins the next.
  trace::Slice take_slice();
  // Keeps what was sent for read_slice(), so that it is not read again.
  void keep_sent_messages() { recording_.keep_sent_messages(); }
  // For many similar sessions: messages are read through this cache.
  void read_through(std::shared_ptr<wire::MessageCache> cache) {
    recording_.read_through(std::move(cache));
  }
  const wire::UsedIds& earlier_ids() const { return attribution_.earlier(); }
  // Starts the evidence of the next case. The first slice keeps the frames of the handshake.
  void begin_slice();
  // Starts a row of a table: earlier requests and messages belong to the rows before it.
  void begin_row();
  std::size_t row_from() const { return row_from_; }  // first inbox entry that came in the row
  std::uint64_t last_seq() const { return recording_.last_seq(); }
  // Adds `offset` to every number given so far, so that a case that reconnects has one numbering.
  void renumber(std::uint64_t offset);
  std::string stderr_tail() const {
    const transport::ProcessControl* process = transport_->process();
    return process ? process->stderr_tail() : "";
  }

 private:
  bool is_stray(const Inbound& inbound) const;
  std::uint64_t record(wire::Frame frame);
  Sent note_sent(std::uint64_t seq, std::string_view text, wire::MessagePtr message, bool unframed);
  void note_exchange(std::uint64_t seq, int number);
  awaitable<void> keep_apart();
  void note_write();
  void note_interference(std::string what);
  void take(wire::Frame frame);
  int note_stream(wire::Frame& frame);
  bool resumes() const;
  awaitable<Deadline> resume_until(Deadline deadline);
  bool take_arrival(transport::Arrival arrival, Deadline deadline);
  bool take_pending();
  awaitable<transport::Arrival> next_arrival(Deadline deadline);
  awaitable<transport::Arrival> receive_awake(Deadline deadline);
  Deadline made_good(Deadline deadline) const;
  awaitable<transport::Arrival> receive_while_busy(Deadline deadline);
  awaitable<transport::Arrival> receive_fairly(Deadline deadline);
  std::size_t unanswered_bytes() const;  // that were sent since a reply came
  awaitable<transport::Arrival> receive_telling(Deadline deadline);
  bool rests() const;
  awaitable<void> answer(const json::Value& request);
  wire::Channel sending_channel() const;
  wire::HttpHead head_for(const json::Value& body, const wire::HttpHead& overrides) const;
  void apply_http_headers();
  std::shared_ptr<const wire::HttpSession> about_http();

  std::unique_ptr<transport::Transport> transport_;
  const spec::Profile* profile_;
  spec::Canary canary_;
  std::shared_ptr<Pace> pace_;
  SessionOptions options_;
  bool lacked_answer_ = false;
  Recording recording_;
  trace::LiveAttribution attribution_;
  bool sliced_ = false;
  std::int64_t next_id_ = 100001;
  std::deque<Inbound> inbox_;
  std::size_t row_from_ = 0;
  std::deque<json::Value> to_answer_;
  std::deque<json::Value> late_;  // responses that wait until something more has come
  std::map<int, Exchange> exchanges_;
  Resumption resumption_;
  std::set<std::string> initialize_ids_;
  std::string closed_how_;
  std::string exit_status_;
  bool exited_ = false;
  bool unusable_ = false;
  bool initialized_ = false;
  bool takes_singly_ = false;
  bool takes_cut_off_ = false;
  milliseconds exchange_time_{};
  int stream_ = 0;  // the exchange on which it listens
  bool asks_ = false;
  std::size_t asked_of_us_ = 0;     // requests of the server in this slice
  std::set<std::string> withheld_;  // ids of requests of the server that are not answered
  bool garbled_ = false;  // text came that is not a message
  bool heard_ = false;    // any message came
  std::string asked_;     // the method of the last request
  std::size_t messages_sent_ = 0;
  Clock::time_point written_{};   // the last message of a stream
  std::size_t heard_before_ = 0;  // of the inbox, when that was written
  Clock::time_point first_sent_;
  Clock::time_point late_at_{};     // when we last noticed that we had been suspended
  Clock::time_point good_until_{};  // until then earlier missing replies are awaited
  json::Value opening_;
  json::Value agreed_;
  json::Value tools_;
  std::shared_ptr<const spec::Known> known_;
  json::Value declared_;  // null before a handshake
  std::uint64_t number_;
  std::string http_session_;
  std::string opened_by_;     // HTTP: the body of the handshake
  std::string opening_text_;  // HTTP: the body of one that is not answered yet
  std::shared_ptr<const wire::HttpSession> about_http_;  // null: to be asked for
  std::set<std::string> http_sessions_;                  // that the server is known to keep
};

// How the process or connection ended, in words; "" while it is open.
std::string end_of(const Session& session);
// "its stderr ends with:" and its last lines, each on a line of its own; "" if it wrote none.
std::string stderr_of(const Session& session);
// Both, for an error text.
std::string post_mortem(const Session& session);

}  // namespace harness::session
