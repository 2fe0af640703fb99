// SPDX-License-Identifier: Apache-2.0
// One thread waits for messages and for the processes that do the work, so a question is answered
// while a run goes on. Every revision is spoken: those with a handshake, and 2026-07-28, whose
// requests each say what they are.
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>

#include "harness/base/os.h"
#include "harness/base/text.h"
#include "harness/cli/builtin.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/mcp_offer.h"
#include "harness/json/read.h"
#include "harness/json/write.h"

namespace harness::cli {
namespace {

using json::Value;

constexpr std::string_view kHandshakes[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
constexpr const char* kStateless = "2026-07-28";
constexpr const char* kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr const char* kServerKey = "io.modelcontextprotocol/serverInfo";

constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602, kInternalError = -32603, kNoResource = -32002;
constexpr int kUnsupportedVersion = -32022;

// A cache may keep for an hour what is built into the program.
constexpr std::int64_t kKept = 3'600'000;

volatile std::sig_atomic_t mcp_is_over = 0;

struct Refusal {
  int code = 0;
  std::string message;
  Value data = {};  // null: none
};
using Answer = std::variant<Value, Refusal, McpWork>;

// Replies to a batch go out together.
struct Batch {
  std::size_t open = 0;
  std::vector<Value> replies;
};

struct McpCall {
  Value id;
  std::string method;
  Value params = json::object();
  bool stateless = false;  // of 2026-07-28
  std::shared_ptr<Batch> batch;
};

struct Worker {
  McpCall call;
  pid_t pid = -1;
  McpWork work;
  bool is_done = false;  // nobody waits for more
  Value token;           // of its progress; null: none
  std::string told;
};

bool is_id(const Value& id) { return id.is_string() || (id.is_number() && json::is_integer(id)); }

const Value* text_in(const Value& params, const char* name) {
  const Value* value = params.find(name);
  return value != nullptr && value->is_string() ? value : nullptr;
}

Value message_of(std::string_view member, Value value) {
  return json::object({{"jsonrpc", json::string("2.0")}, {member, std::move(value)}});
}

Value server_info() {
  return json::object(
      {{"name", json::string("rpcspec")}, {"version", json::string(RPCSPEC_VERSION)}});
}

bool write_whole(int to, const Value& message) {
  const std::string line = json::write(message) + "\n";
  for (std::string_view rest = line; !rest.empty();) {
    const ssize_t n = ::write(to, rest.data(), rest.size());
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) rest.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// False at the end.
bool read_some(int from, std::string& buffer) {
  char bytes[1 << 16];
  const ssize_t n = ::read(from, bytes, sizeof bytes);
  if (n > 0) buffer.append(bytes, static_cast<std::size_t>(n));
  return n > 0 || (n < 0 && errno == EINTR);
}

// Takes whole lines off the front.
template <class Take>
void each_line(std::string& buffer, const Take& take) {
  std::size_t begin = 0;
  for (std::size_t end; (end = buffer.find('\n', begin)) != std::string::npos; begin = end + 1)
    take(std::string_view(buffer).substr(begin, end - begin));
  buffer.erase(0, begin);
}

// Tells progress as lists, then the outcome, a line each.
[[noreturn]] void work_alone(const McpWork& work, int to) {
  for (const int number : {SIGINT, SIGTERM}) std::signal(number, SIG_DFL);
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  const McpOutcome outcome =
      work.act([to](std::int64_t done, std::int64_t total, const std::string& what) {
        write_whole(to, json::array({json::number(done), json::number(total), json::string(what)}));
      });
  write_whole(to, json::object({{"result", outcome.result},
                                {"report", json::string(outcome.report)},
                                {"error", json::string(outcome.error)}}));
  std::_Exit(0);
}

class McpServer {
 public:
  explicit McpServer(const McpOffer& offer) : offer_(offer) {}

  void run() {
    std::string input;
    bool more = true;
    while (mcp_is_over == 0 && (more || !workers_.empty())) {
      std::vector<pollfd> waits{{more ? STDIN_FILENO : -1, POLLIN, 0}, {STDOUT_FILENO, 0, 0}};
      for (const auto& [from, worker] : workers_) waits.push_back({from, POLLIN, 0});
      if (poll(waits.data(), waits.size(), -1) < 0) continue;
      if (waits[1].revents != 0) break;  // nobody listens
      for (std::size_t i = 2; i < waits.size(); ++i)
        if (waits[i].revents != 0) hear(waits[i].fd);
      if (waits[0].revents != 0 && !read_some(STDIN_FILENO, input)) {
        more = false;
        // Who asked for what takes long is gone.
        for (const auto& [from, worker] : workers_)
          if (worker.work.is_long) kill(worker.pid, SIGTERM);
      }
      each_line(input, [&](std::string_view line) { take(line); });
    }
    for (const auto& [from, worker] : workers_) kill(worker.pid, SIGTERM);
    while (!workers_.empty()) close_worker(workers_.begin()->first);
  }

 private:
  void write(const Value& message) {
    if (!write_whole(STDOUT_FILENO, message)) mcp_is_over = 1;
  }

  void reply(const McpCall& call, Value message) {
    message.set("id", call.id);
    if (!call.batch) return write(message);
    call.batch->replies.push_back(std::move(message));
    if (--call.batch->open == 0) write(json::array(call.batch->replies));
  }

  void refuse(const McpCall& call, const Refusal& refusal) {
    Value error = json::object(
        {{"code", json::number(refusal.code)}, {"message", json::string(refusal.message)}});
    if (!refusal.data.is_null()) error.set("data", refusal.data);
    reply(call, message_of("error", std::move(error)));
  }

  void grant(const McpCall& call, Value result) {
    if (call.stateless) {
      result.set("resultType", json::string("complete"));
      result.set("_meta", json::object({{kServerKey, server_info()}}));
      const bool is_read = call.method == "resources/read";
      if (is_read || call.method == "server/discover" || call.method.ends_with("/list")) {
        // A report is that of whoever asked for the run.
        result.set("ttlMs", json::number(is_read ? 0 : kKept));
        result.set("cacheScope", json::string(is_read ? "private" : "public"));
      }
    }
    reply(call, message_of("result", std::move(result)));
  }

  void take(std::string_view line) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    const auto read = json::read(line, {512, 2'000'000});
    if (const auto* wrong = std::get_if<json::ReadError>(&read))
      return refuse({}, {kParseError, "Not read: " + wrong->reason});
    const Value& message = std::get<json::Reading>(read).value;
    if (!message.is_array()) return take_message(message, nullptr);
    if (version_ != "2024-11-05" && version_ != "2025-03-26")
      return refuse({}, {kInvalidRequest, "Batches are not served"});
    if (message.items.empty())
      return refuse({}, {kInvalidRequest,
                         "An empty batch is not a "
                         "request"});
    auto batch = std::make_shared<Batch>();
    ++batch->open;  // until all have been taken
    for (const Value& one : message.items) take_message(one, batch);
    if (--batch->open == 0 && !batch->replies.empty()) write(json::array(batch->replies));
  }

  void take_message(const Value& message, const std::shared_ptr<Batch>& batch) {
    const Value* id = message.find("id");
    const Value* method = text_in(message, "method");
    const Value* version = text_in(message, "jsonrpc");
    const Value* params = message.find("params");
    const bool sound = method != nullptr && version != nullptr && version->text == "2.0";
    const bool is_reply = message.find("method") == nullptr &&
                          (message.find("result") != nullptr || message.find("error") != nullptr);
    if (is_reply) return;  // nothing was asked
    if (sound && id == nullptr) return take_notification(method->text, params);
    if (batch) ++batch->open;
    McpCall call;
    call.batch = batch;
    if (id != nullptr && is_id(*id)) call.id = *id;
    if (!sound || call.id.is_null())
      return refuse(call,
                    {kInvalidRequest,
                     "A request must have jsonrpc 2.0, a method, and a string or integer id"});
    if (params != nullptr && !params->is_object())
      return refuse(call, {kInvalidParams, "params must be an object"});
    call.method = method->text;
    if (params != nullptr) call.params = *params;
    serve(std::move(call));
  }

  void take_notification(const std::string& method, const Value* params) {
    const Value* id = params == nullptr ? nullptr : params->find("requestId");
    if (method != "notifications/cancelled" || id == nullptr) return;
    for (auto& [from, worker] : workers_) {
      if (worker.call.id.kind != id->kind || !json::equal(worker.call.id, *id)) continue;
      if (worker.call.batch || worker.is_done) continue;
      worker.is_done = true;
      kill(worker.pid, SIGTERM);
    }
  }

  // What is wrong with a request whatever its method is. Finds out which era it is of.
  std::optional<Refusal> admit(McpCall& call) const {
    const Value* meta = call.params.find("_meta");
    const Value* token = meta == nullptr ? nullptr : meta->find("progressToken");
    if ((meta != nullptr && !meta->is_object()) || (token != nullptr && !is_id(*token)))
      return Refusal{kInvalidParams,
                     "_meta must be an object, and its progressToken a string or "
                     "integer"};
    const Value* version = meta == nullptr ? nullptr : meta->find(kVersionKey);
    call.stateless = version != nullptr;
    if (!call.stateless) {
      if (call.method == "initialize" || call.method == "ping" || !version_.empty())
        return std::nullopt;
      return Refusal{
          kInvalidParams,
          std::string("Send initialize first, or give the version in _meta as ") + kVersionKey};
    }
    if (!version->is_string()) return Refusal{kInvalidParams, "The version must be a string"};
    if (version->text != kStateless)
      return Refusal{kUnsupportedVersion, "Unsupported protocol version",
                     json::object({{"supported", json::array({json::string(kStateless)})},
                                   {"requested", *version}})};
    const Value* client = meta->find(kCapabilitiesKey);
    if (client == nullptr || !client->is_object())
      return Refusal{kInvalidParams, std::string("_meta needs ") + kCapabilitiesKey};
    return std::nullopt;
  }

  void serve(McpCall call) {
    std::optional<Refusal> refusal = admit(call);
    Answer answered = refusal ? Answer(std::move(*refusal)) : answer(call);
    if (const auto* refused = std::get_if<Refusal>(&answered)) return refuse(call, *refused);
    if (auto* result = std::get_if<Value>(&answered)) return grant(call, std::move(*result));
    start(std::move(call), std::get<McpWork>(answered));
  }

  Answer answer(const McpCall& call) {
    const std::string& method = call.method;
    if (method == "initialize" && !call.stateless) return initialize(call);
    if (method == "ping" && !call.stateless) return json::object();
    if (method == "server/discover" && call.stateless)
      return described({{"supportedVersions", json::array({json::string(kStateless)})}});
    if (method == "tools/call") return call_tool(call.params);
    if (method == "resources/read") {
      const Value* uri = text_in(call.params, "uri");
      if (uri == nullptr) return Refusal{kInvalidParams, "`uri` is missing"};
      if (std::optional<McpWork> work = offer_.read(uri->text, memory_)) return std::move(*work);
      return no_resource(call);
    }
    if (method == "prompts/get") {
      const Value* name = text_in(call.params, "name");
      const Value* arguments = call.params.find("arguments");
      if (name == nullptr || (arguments != nullptr && !arguments->is_object()))
        return Refusal{kInvalidParams, "`name` is missing, or `arguments` is not an object"};
      if (std::optional<Value> prompt = offer_.prompt(name->text, memory_))
        return std::move(*prompt);
      return Refusal{kInvalidParams, "There is no prompt " + printable(name->text, 80)};
    }
    constexpr std::pair<const char*, const char*> kLists[] = {
        {"tools/list", "tools"},
        {"resources/list", "resources"},
        {"resources/templates/list", "resourceTemplates"},
        {"prompts/list", "prompts"}};
    for (const auto& [name, member] : kLists) {
      if (method != name) continue;
      // All is on one page, so no cursor of ours is about.
      if (call.params.find("cursor") != nullptr)
        return Refusal{kInvalidParams, "There is no such cursor"};
      return json::object({{member, offer_.list(member)}});
    }
    return Refusal{kMethodNotFound, "There is no method " + printable(method, 80)};
  }

  static Refusal no_resource(const McpCall& call) {
    return {call.stateless ? kInvalidParams : kNoResource, "There is no such resource",
            json::object({{"uri", *call.params.find("uri")}})};
  }

  Value described(std::initializer_list<std::pair<std::string_view, Value>> front) const {
    Value out = json::object(front);
    Value served = json::object();
    for (const char* name : {"tools", "resources", "prompts"}) served.set(name, json::object());
    out.set("capabilities", std::move(served));
    out.set("instructions", json::string(offer_.instructions()));
    return out;
  }

  Answer initialize(const McpCall& call) {
    const Value* version = text_in(call.params, "protocolVersion");
    const Value* client = call.params.find("clientInfo");
    const Value* offered = call.params.find("capabilities");
    if (version == nullptr || client == nullptr || !client->is_object() || offered == nullptr ||
        !offered->is_object())
      return Refusal{kInvalidParams, "protocolVersion, capabilities or clientInfo is missing"};
    if (!version_.empty()) return Refusal{kInvalidRequest, "The session is already initialized"};
    if (call.batch) return Refusal{kInvalidRequest, "initialize must not be in a batch"};
    const auto* known = std::find(std::begin(kHandshakes), std::end(kHandshakes), version->text);
    version_ = known == std::end(kHandshakes) ? kHandshakes[0] : *known;
    return described({{"protocolVersion", json::string(version_)}, {"serverInfo", server_info()}});
  }

  Answer call_tool(const Value& params) const {
    const Value* name = text_in(params, "name");
    const Value* arguments = params.find("arguments");
    if (name == nullptr) return Refusal{kInvalidParams, "`name` is missing"};
    if (arguments != nullptr && !arguments->is_object())
      return Refusal{kInvalidParams, "`arguments` must be an object"};
    auto work =
        offer_.call(name->text, arguments == nullptr ? json::object() : *arguments, memory_);
    if (!work) return Refusal{kInvalidParams, "There is no tool " + printable(name->text, 80)};
    if (*work) return std::move(**work);
    return mcp_failure(work->error().text());
  }

  // --- work

  void start(McpCall call, const McpWork& work) {
    int ends[2];
    std::fflush(nullptr);
    const bool piped = os::make_pipe(ends);
    const pid_t child = piped ? fork() : -1;
    if (child == 0) work_alone(work, ends[1]);
    if (piped) close(ends[1]);
    if (child < 0) {
      if (piped) close(ends[0]);
      return refuse(call, {kInternalError, "The system cannot start a process"});
    }
    Worker worker{std::move(call), child, work};
    if (const Value* meta = worker.call.params.find("_meta"))
      if (const Value* token = meta->find("progressToken")) worker.token = *token;
    workers_[ends[0]] = std::move(worker);
  }

  void hear(int from) {
    Worker& worker = workers_[from];
    const bool more = read_some(from, worker.told);
    each_line(worker.told, [&](std::string_view line) {
      const Value value = json::parse(line);
      if (worker.is_done) return;
      if (value.is_array())
        progress(worker, value.items);
      else
        end(worker, value);
    });
    if (more) return;
    if (!worker.is_done) refuse(worker.call, {kInternalError, "The work was cancelled"});
    close_worker(from);
  }

  void progress(const Worker& worker, const std::vector<Value>& told) {
    if (worker.token.is_null()) return;
    Value params =
        json::object({{"progressToken", worker.token}, {"progress", told[0]}, {"total", told[1]}});
    if (version_ != "2024-11-05" || worker.call.stateless) params.set("message", told[2]);
    Value message = message_of("method", json::string("notifications/progress"));
    message.set("params", std::move(params));
    write(message);
  }

  void end(Worker& worker, const Value& outcome) {
    worker.is_done = true;
    const std::string& report = outcome.find("report")->text;
    if (worker.work.run && !report.empty())
      memory_ = {report, *outcome.find("result")->find("structuredContent"), worker.work.run};
    const std::string& error = outcome.find("error")->text;
    if (error.empty()) return grant(worker.call, *outcome.find("result"));
    const bool is_read = worker.call.method == "resources/read";
    refuse(worker.call, is_read ? no_resource(worker.call) : Refusal{kInternalError, error});
  }

  void close_worker(int from) {
    while (waitpid(workers_[from].pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    close(from);
    workers_.erase(from);
  }

  const McpOffer& offer_;
  std::string version_;  // what the handshake agreed on; "" before it
  McpMemory memory_;
  std::map<int, Worker> workers_;  // by what they tell on
};

}  // namespace

int serve_mcp(const McpOffer& offer) {
  std::signal(SIGPIPE, SIG_IGN);
  struct sigaction action {};
  action.sa_handler = [](int) { mcp_is_over = 1; };
  for (const int number : {SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
  keep_library();  // before somebody waits for an answer
  McpServer(offer).run();
  return kOk;
}

}  // namespace harness::cli
