// SPDX-License-Identifier: Apache-2.0
// The protocol engine of the reference server, without I/O, threads or a clock: bytes of one
// message go in with the time, messages to the client come out of an outbox.
//
//   host (stdio, HTTP) --bytes, exchange, now--> Session --Call--> Dialect --Outcome--> outbox
//
// Work that takes time is a timer: the host asks next_due() and calls advance(). Everything runs on
// one thread, and a test can set the clock.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "harness/json/value.h"
#include "harness/reference/auth_rules.h"
#include "harness/reference/faults.h"
#include "harness/reference/members.h"
#include "harness/reference/server_profile.h"

namespace harness::reference {

using Micros = std::int64_t;
inline constexpr Micros kSecond = 1000000;

inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;

struct RpcError {
  int code = kInternalError;
  std::string message;
  std::optional<json::Value> data = std::nullopt;
  bool refused = false;  // decided before the method was looked up; HTTP may use it
};
inline RpcError bad_params(std::string what) {
  return {kInvalidParams, "Invalid params: " + std::move(what)};
}

struct Later {};   // the reply comes from a timer or from the client's response
struct Silent {};  // there is no reply at all (only with Faults)
using Outcome = std::variant<json::Value, RpcError, Later, Silent>;

class Session;

// The output for the client. An exchange is one received message; `final` marks the last output
// that belongs to it. With empty bytes, it says that there is no reply.
struct Outgoing {
  std::string bytes;
  int exchange = 0;  // 0: belongs to no received message
  bool final = false;
  bool refused = false;                    // an error decided before a method was looked up
  std::optional<int> code = std::nullopt;  // of an error reply
  bool leaves = false;  // HTTP: the connection is closed now, and the client has to reconnect
};

// A batch in progress: answered when the last of its calls is.
struct Batch {
  std::vector<json::Value> replies;
  int open = 0;
  int exchange = 0;
  std::shared_ptr<Batch> outer;  // a batch inside a batch, which only a Fault accepts
};

// One request in progress.
struct Call {
  json::Value id;
  std::string key;  // see wire::id_key
  std::string method;
  json::Value params;  // an empty object if the request has none
  bool has_params = false;
  int exchange = 0;
  std::shared_ptr<Batch> batch;
  bool cancelled = false;
  bool done = false;
  bool deferred = false;  // its dialect said Later
  Micros began = 0;
  // MCP
  std::string version;
  bool stateless = false;
  json::Value client_capabilities;
  int log_level = 0;  // index into log_levels(); beyond the last: no messages
  std::optional<json::Value> progress_token;
  std::string user;  // of the session

  // Work of a task: which task, and who receives the outcome instead of a reply.
  std::string task_id;
  std::function<void(Session&, Outcome)> taken;
  // The call starts or stops waiting for the client.
  std::function<void(Session&, bool waits)> asks;

  const Faults* faults = nullptr;         // of the server
  std::optional<json::Value> swapped_id;  // for a Fault: somebody else's id
};
using CallPtr = std::shared_ptr<Call>;

class Server;
struct Task;

// One connection (stdio), one HTTP session, or one stateless POST.
class Session {
 public:
  explicit Session(Server& server);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void receive(std::string_view bytes, int exchange, Micros now);
  void advance(Micros now);
  std::optional<Micros> next_due() const;
  std::vector<Outgoing> take_outbox();
  bool has_output() const { return !outbox_.empty(); }
  // The client disconnected from this exchange: its requests are cancelled.
  void abandon(int exchange);
  // Calls that will end by themselves.
  bool busy() const { return !timers_.empty(); }
  bool has_open_calls() const { return !in_flight_.empty(); }

  // For dialects.
  using Step = std::function<void(Session&, const CallPtr&)>;
  using Answered = std::function<void(Session&, const CallPtr&, const json::Value& response)>;
  void after(const CallPtr& call, Micros delay, Step step);
  void finish(const CallPtr& call, Outcome outcome);
  void ask(const CallPtr& call, std::string_view method, json::Value params, Answered answered);
  // A notification; for a call it belongs to that call's exchange.
  void notify(std::string_view method, std::optional<json::Value> params, const Call* call);
  // Asks the host to close the connection of this call before its reply, if it can be resumed.
  void leave(const Call& call);
  bool cancel(const json::Value& request_id);
  CallPtr under_way(const json::Value& request_id) const;  // null: there is none
  CallPtr any_under_way() const;
  bool waits_for_client(const Call& call) const;
  void cancel_all();  // only a Fault does this

  Server& server;
  Micros now = 0;
  bool stateless_hint = false;     // HTTP headers said 2026-07-28
  std::string user;                // HTTP with credentials: whose
  std::optional<int> exit_status;  // the process ends with it

  // What an MCP client sent about itself.
  std::string version;  // agreed by the handshake; empty before
  bool initialized = false;
  json::Value client_capabilities;
  int log_level = 1;
  std::set<std::string> subscriptions;
  std::vector<std::shared_ptr<Task>> tasks;  // of this client

  // For Faults.
  bool in_same_read() const { return same_read_; }
  bool is_in_flight(const json::Value& id) const;
  bool is_under_way(std::string_view method) const;
  void swap_ids(const Call& call, Outgoing& outgoing, bool of_one_method);
  void weigh_progress(const json::Value& params);  // of the client, for a request of ours
  int number = 0;                                  // of the connection, once one was assigned

 private:
  friend class FaultInjector;
  struct Timer {
    CallPtr call;
    Step step;
  };

  void receive_text(std::string_view text, int exchange);
  void receive_value(json::Value value, int exchange);
  void receive_batch(json::Value value, int exchange);
  void receive_object(json::Value value, int exchange, const std::shared_ptr<Batch>& batch);
  void receive_response(const json::Value& response, int exchange,
                        const std::shared_ptr<Batch>& batch);
  void start(const CallPtr& call);
  void refuse(json::Value id, int code, const std::string& message, int exchange,
              const std::shared_ptr<Batch>& batch);
  void deliver(json::Value reply, const Call* call, int exchange,
               const std::shared_ptr<Batch>& batch, bool refused);
  void deliver_batch(Batch& batch);
  void silence(int exchange, const std::shared_ptr<Batch>& batch);
  void push(Outgoing outgoing);

  std::vector<Outgoing> outbox_;
  std::unordered_map<std::string, CallPtr> in_flight_;
  std::multimap<Micros, Timer> timers_;
  struct Waiting {
    CallPtr call;
    Answered answered;
    double progress = -1;  // of the client
    int number = 0;        // of the question
  };
  std::unordered_map<std::string, Waiting> waiting_;
  int next_server_id_ = 1;
  Micros last_receipt_ = -kSecond;
  bool same_read_ = false;  // this message arrived together with the previous one
  std::string written_;     // the method of the latest reply
};

// What one family of profiles does with requests and notifications.
class Dialect {
 public:
  virtual ~Dialect() = default;
  virtual bool allows_id(const json::Value& id) const = 0;
  virtual bool takes_batches(const Session& session) const = 0;
  virtual bool allows_in_batch(std::string_view method) const = 0;
  virtual bool ignores_stray_responses() const = 0;
  virtual Outcome answer(Session& session, const CallPtr& call) = 0;
  // What every result of this dialect has in addition, sent at once or later.
  virtual void dress(const Call& call, json::Value& result) = 0;
  virtual void hear(Session& session, const std::string& method, const json::Value& params) = 0;
};

std::unique_ptr<Dialect> make_plain_dialect();
std::unique_ptr<Dialect> make_mcp_dialect(Server& server);
std::unique_ptr<Dialect> make_tutorial_dialect(Server& server);
std::unique_ptr<Dialect> make_lsp_dialect(Server& server);
std::unique_ptr<Dialect> make_acp_dialect(Server& server);

// What planted bugs carry from one message to a later one.
struct PlantedMemory {
  bool batch_came = false;    // until somebody has paid for it
  bool batch_failed = false;  // likewise, an error inside of one
  bool tool_called = false;
  bool escaped_method = false;             // in the current message
  int notifications = 0;                   // in a row
  int latest_answer = 0;                   // of the client: the number of the request it answers
  bool slot_is_free = false;               // one of several calls in progress has ended
  int buffers = 0;                         // that were not returned
  std::string before, before_that;         // methods of the last two requests
  std::string last_answered;               // method
  std::string subscribed;                  // URI
  std::optional<std::string> ended;        // URI of the latest ended subscription
  std::optional<std::string> interrupted;  // tool of the latest cancelled call
};

// What Faults carry from one message to a later one.
struct FaultMemory {
  PlantedMemory planted;
  bool deaf = false;            // nothing is answered any more
  bool infinity = false;        // this message had a number that no double can hold
  bool lone_surrogate = false;  // this message had one
  std::string garbage;          // the latest text that was not JSON
  std::optional<json::Value> last_id;
  std::optional<json::Value> prototype;
  std::optional<json::Value> echoed_version;
  std::optional<json::Value> capabilities;
  std::set<std::string> ids_of_read;
  std::set<std::string> used_ids;
  std::optional<json::Value> latest_token;  // of a request that wants progress
  std::map<std::string, int, std::less<>> tally;
  std::vector<char*> lost;  // never given back
  void lose(std::size_t bytes);
  std::deque<std::string> last_errors;
  const Session* refused_by = nullptr;  // the receiver of the latest error
  std::string refused;                  // the params it was about
};

// What all sessions of one process share.
class Server {
 public:
  Server(ServerProfile server_profile, Faults named_faults);

  ServerProfile profile;
  Faults faults;
  bool over_http = false;
  AuthRules auth;  // no kind: no authentication
  std::vector<std::string> without;  // names of optional features that are not offered
  std::unique_ptr<Dialect> dialect;
  std::set<Session*> sessions;
  FaultMemory memory;
  Micros request_timeout = 20 * kSecond;  // for responses of the client
};

// What --without takes: "tools", "tasks/list".
bool is_optional_feature(std::string_view name);

// 2025-11-25: `_meta` of a message or result names the task it belongs to.
void add_related_task(json::Value& message, const std::string& task_id);

// {"jsonrpc":"2.0","method":…,"params":…}
// What nobody may do: an error in answer to a notification.
void answer_notification(Session& session);

json::Value notification(std::string_view method, std::optional<json::Value> params);

}  // namespace harness::reference
