// SPDX-License-Identifier: Apache-2.0
// What language servers say by themselves: nothing but messages to the user before the answer to
// initialize, requests under ids of their own and as the client declared, progress under tokens it
// gave, codes for what they are kept for, and no arrays.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"
#include "harness/spec/protocol.h"

namespace harness::oracle {
namespace {

constexpr std::int64_t kNotInitialized = -32002;
constexpr std::int64_t kCancelled = -32800;
constexpr std::int64_t kServerCancelled = -32802;

// Requests of servers that belong to a client capability, and the clause that says so.
constexpr struct {
  std::string_view method, capability;
  const char* clause;
} kGated[] = {
    {"window/workDoneProgress/create", "client.window.workDoneProgress",
     "lsp.progress.create-gated"},
    {"workspace/configuration", "client.workspace.configuration", "lsp.outgoing.gated-requests"},
    {"workspace/workspaceFolders", "client.workspace.workspaceFolders",
     "lsp.outgoing.gated-requests"},
    {"workspace/applyEdit", "client.workspace.applyEdit", "lsp.outgoing.gated-requests"},
    {"window/showDocument", "client.window.showDocument.support", "lsp.outgoing.gated-requests"},
    {"workspace/codeLens/refresh", "client.workspace.codeLens.refreshSupport",
     "lsp.outgoing.gated-requests"},
    {"workspace/semanticTokens/refresh", "client.workspace.semanticTokens.refreshSupport",
     "lsp.outgoing.gated-requests"},
    {"workspace/inlayHint/refresh", "client.workspace.inlayHint.refreshSupport",
     "lsp.outgoing.gated-requests"},
    {"workspace/inlineValue/refresh", "client.workspace.inlineValue.refreshSupport",
     "lsp.outgoing.gated-requests"},
    {"workspace/diagnostic/refresh", "client.workspace.diagnostics.refreshSupport",
     "lsp.outgoing.gated-requests"},
};

bool is_for_the_user(std::string_view method) {
  return method == "window/showMessage" || method == "window/logMessage" ||
         method == "telemetry/event" || method == "window/showMessageRequest";
}

const json::Value* param(const Item& item, std::string_view pointer) {
  return item.value == nullptr ? nullptr : json::at(*item.value, "/params/" + std::string(pointer));
}

// The number that a string spells; null where it spells none.
json::Value number_in(const json::Value& text) {
  const bool digits = !text.text.empty() && text.text.size() < 16 &&
                      text.text.find_first_not_of("0123456789") == std::string::npos;
  return digits ? json::number(std::stoll(text.text)) : json::null();
}

// Where one token's series stands.
struct Series {
  const Item* request = nullptr;  // it was given with; null: granted to the server
  bool begun = false, ended = false, answered = false;
};

class LspJudge {
 public:
  LspJudge(const Evidence& evidence, Sink& sink)
      : evidence_(evidence), sink_(sink), quiet_(evidence.from_start()) {
    for (const wire::Frame& frame : evidence.transcript.frames)
      if (frame.channel == wire::Channel::kExit) ends_.push_back(frame.seq);
  }

  void judge() {
    for (const Item& item : evidence_.items) {
      while (!ends_.empty() && ends_.front() < item.seq) leave_connection();
      if (item.kind == wire::MessageKind::kBatch && item.array == 0 && !item.sent)
        breach({"lsp.batch.never-sent"}, "no array", item);
      if (item.value == nullptr || !item.value->is_object()) continue;
      if (item.sent)
        sent(item);
      else if (is_reply(item))
        reply(item);
      else
        message(item);
    }
    look_at_the_end();
    for (const auto& [key, series] : given_)
      if (series.answered && series.begun && !series.ended &&
          !cancelled_.contains(series.request->key))
        breach({"lsp.progress.ended-once"}, "an end before the response", *series.request);
  }

 private:
  void breach(std::initializer_list<const char*> clauses, std::string expected, const Item& item,
              std::vector<std::uint64_t> frames = {}, const char* flaw = "") {
    frames.push_back(item.seq);
    report_best(evidence_, sink_, clauses,
                {std::move(expected), shown(item.text), std::move(frames), flaw});
  }

  // A case may go on with another process.
  void leave_connection() {
    ends_.erase(ends_.begin());
    later_ = true;
    quiet_ = over_ = false;
    asked_ = nullptr;
    initialized_at_ = 0;
    traced_.reset();
    cancelled_.clear();
    refused_.clear();
    open_.clear();
    given_.clear();
    partial_.clear();
  }

  // What was begun and not ended by a server that was told to leave, and that nobody pressed.
  void look_at_the_end() {
    for (const wire::Frame& frame : evidence_.transcript.frames) {
      if (told_to_leave_ == 0 || frame.seq < told_to_leave_) continue;
      if (frame.direction == wire::Direction::kSent) {
        if (frame.channel == wire::Channel::kClose) return;
        continue;
      }
      const std::string* fault = frame.head ? frame.head->header("reason") : nullptr;
      if (!frame.unframed || !fault || !fault->starts_with("the stream ended")) continue;
      report_best(evidence_, sink_, {"lsp.shutdown.output-flushed"},
                  {"whole messages until the end", *fault, {told_to_leave_, frame.seq}});
    }
  }

  // ---- ours

  void sent(const Item& item) {
    const std::string_view method = method_of(item);
    if (is_reply(item)) return answered(item);
    if (method == "initialize" && (quiet_ || later_) && !asked_) {
      asked_ = &item;
      quiet_ = true;
      const json::Value* trace = param(item, "trace");
      traced_ = trace && trace->is_string() ? trace->text : "off";
      const json::Value* token = param(item, "workDoneToken");
      opening_token_ = token ? wire::id_key(*token) : "";
    }
    if (method == "shutdown" || method == "exit") over_ = true;
    if (method == "exit") told_to_leave_ = item.seq;
    if (method == "$/setTrace") traced_.reset();  // what is on its way may still come
    if (method == "$/cancelRequest")
      if (const json::Value* id = param(item, "id")) cancelled_.insert(wire::id_key(*id));
    for (const char* name : {"workDoneToken", "partialResultToken"}) {
      const json::Value* token = param(item, name);
      if (!token || (!token->is_string() && !token->is_number())) continue;
      const bool work = std::string_view(name) == "workDoneToken";
      (work ? given_ : partial_)[wire::id_key(*token)] = {&item};
    }
  }

  // An answer of ours to a request of the server.
  void answered(const Item& item) {
    const auto open = open_.find(item.key);
    if (open == open_.end()) return;
    const json::Value* token = param(*open->second, "token");
    if (method_of(*open->second) == "window/workDoneProgress/create" && token) {
      if (item.member("error") != nullptr)
        refused_.insert(wire::id_key(*token));
      else
        given_[wire::id_key(*token)] = {};
    }
    open_.erase(open);
  }

  // ---- its replies

  void reply(const Item& item) {
    const Item* request = request_of(sent_requests(evidence_), item);
    if (request == nullptr) return;
    if (request == asked_) {
      quiet_ = false;
      initialized_at_ = item.seq;
    }
    for (auto* all : {&given_, &partial_})
      for (auto& [key, series] : *all) series.answered |= series.request == request;
    const json::Value* code = json::at(*item.value, "/error/code");
    const auto number = code ? json::as_integer(*code) : std::nullopt;
    if (number) error(item, *request, *number);
  }

  void error(const Item& item, const Item& request, std::int64_t code) {
    const bool opened = evidence_.from_start() || later_;
    const bool ready = !opened || (initialized_at_ && request.seq > initialized_at_);
    if (!told_.insert(code).second) return;
    if (code == kNotInitialized && ready && !over_)
      breach({"lsp.errors.not-initialized-only-then"}, "no -32002 after the handshake", item,
             {request.seq});
    if (code >= -32899 && code <= -32804)
      breach({"lsp.errors.lsp-range"}, "no code from -32899 to -32804, which LSP reserves", item,
             {request.seq});
    if (code == kCancelled && !over_ && !cancelled_.contains(request.key))
      breach({"lsp.errors.cancelled-unasked"}, "-32800 only for what the client cancelled", item,
             {request.seq});
    const std::string_view method = method_of(request);
    const bool supported = method.find("iagnostic") != std::string_view::npos ||
                           method.find("semanticTokens") != std::string_view::npos;
    if (code == kServerCancelled && !supported)
      breach({"lsp.errors.server-cancelled"}, "-32802 only for requests that support it", item,
             {request.seq});
  }

  // ---- what it says by itself

  void message(const Item& item) {
    const std::string_view method = method_of(item);
    if (method.empty()) return;
    const json::Value* token = param(item, "token");
    const bool opening = method == "$/progress" && token && !opening_token_.empty() &&
                         wire::id_key(*token) == opening_token_;
    if (quiet_ && !is_for_the_user(method) && !opening) {
      breach({"lsp.lifecycle.quiet-until-initialized"},
             "only messages to the user before the response to initialize", item);
      if (asked_ && method == "$/progress")
        breach({"lsp.progress.initialize-token"}, "only the token of initialize", item);
    }
    if (item.member("id") != nullptr) request(item, method);
    if (method == "$/progress" && token) progress(item, wire::id_key(*token));
    if (method == "$/logTrace") trace(item);
  }

  void request(const Item& item, std::string_view method) {
    const json::Value& id = *item.member("id");
    const bool proper = id.is_string() || (id.is_number() && json::is_integer(id));
    if (!proper) breach({"lsp.requests.own-ids"}, "an integer or a string as id", item);
    if (proper && !open_.emplace(item.key, &item).second)
      breach({"lsp.requests.own-ids"}, "an id that none of its open requests has", item, {},
             "taken");
    for (const auto& row : kGated)
      if (row.method == method &&
          !spec::is_declared(row.capability, &evidence_.client_capabilities))
        breach({row.clause}, "no such request to a client that does not declare it", item);
    if (method == "client/registerCapability") registration(item);
  }

  // What watches files and settings is often registered unasked, which is let pass.
  void registration(const Item& item) {
    const json::Value* all = param(item, "registrations");
    if (!all || !evidence_.client_capabilities.is_object() ||
        !evidence_.client_capabilities.members.empty())
      return;
    for (const json::Value& one : all->items) {
      const json::Value* method = one.find("method");
      if (!method || method->text.starts_with("workspace/didChange")) continue;
      if (!method->text.starts_with("textDocument/")) continue;
      return breach({"lsp.outgoing.register-gated"},
                    "no registration for a client without dynamicRegistration", item);
    }
  }

  // ---- progress

  void progress(const Item& item, const std::string& key) {
    if (refused_.contains(key))
      return breach({"lsp.progress.create-refused"}, "no progress with a rejected token", item);
    const auto partial = partial_.find(key);
    if (partial != partial_.end()) {
      if (partial->second.answered)
        breach({"lsp.progress.not-after-response"}, "no partial result after the response", item,
               {}, "partial");
      return;
    }
    const auto known = given_.find(key);
    if (known == given_.end()) {
      const json::Value* token = param(item, "token");
      const json::Value other = token->is_string() ? number_in(*token) : json::string(token->text);
      if (given_.contains(wire::id_key(other)))
        return breach({"lsp.progress.token-echo"}, "the token with its own type", item);
      if (evidence_.from_start() && !later_ && !quiet_)
        breach({"lsp.progress.known-token-only"}, "a token that the client gave or granted", item);
      return;
    }
    Series& series = known->second;
    if (series.answered)
      breach({"lsp.progress.not-after-response"}, "no progress after the response", item,
             {series.request->seq});
    const json::Value* value = param(item, "value");
    const json::Value* kind = value && value->is_object() ? value->find("kind") : nullptr;
    const std::string what = kind && kind->is_string() ? kind->text : "";
    if (what != "begin" && what != "report" && what != "end")
      return breach({"lsp.progress.kinds"}, "a value of kind begin, report or end", item);
    const json::Value* title = value->find("title");
    if (!series.begun && (what != "begin" || !title || !title->is_string()))
      breach({"lsp.progress.begin-first"}, "a begin with a title first", item);
    if (series.ended || (series.begun && what == "begin"))
      breach({"lsp.progress.ended-once"}, "one begin, one end and nothing after it", item);
    const json::Value* percentage = value->find("percentage");
    const auto percent = percentage ? json::as_integer(*percentage) : std::nullopt;
    if (percentage && (!percent || *percent < 0 || *percent > 100))
      breach({"lsp.progress.percentage"}, "a whole number from 0 to 100 as percentage", item);
    series.begun = true;
    series.ended |= what == "end";
  }

  void trace(const Item& item) {
    if (!traced_) return;
    if (*traced_ == "off")
      breach({"lsp.dollar.trace-off"}, "no $/logTrace while tracing is off", item);
    if (*traced_ == "messages" && param(item, "verbose"))
      breach({"lsp.dollar.trace-messages"}, "no verbose member with trace messages", item);
  }

  const Evidence& evidence_;
  Sink& sink_;
  std::vector<std::uint64_t> ends_;  // of processes
  bool later_ = false;               // the first of them has ended
  bool quiet_;                       // initialize has no answer yet
  const Item* asked_ = nullptr;      // initialize
  std::uint64_t initialized_at_ = 0;
  bool over_ = false;                // it was told to end
  std::uint64_t told_to_leave_ = 0;  // by the last `exit`
  std::string opening_token_;  // of initialize
  std::optional<std::string> traced_;
  std::set<std::int64_t> told_;  // codes
  std::set<std::string, std::less<>> cancelled_, refused_;
  std::map<std::string, const Item*, std::less<>> open_;  // its requests
  std::map<std::string, Series, std::less<>> given_, partial_;
};

}  // namespace

void judge_lsp(const Evidence& evidence, Sink& sink) {
  if (evidence.profile.lsp) LspJudge(evidence, sink).judge();
}

}  // namespace harness::oracle
