// SPDX-License-Identifier: Apache-2.0
// Profile mcp-tutorial: the dialect with the codes -32000 … -32005, tools/batch_call,
// tools/progress and notifications/tools/stream. Nothing is refused for want of initialize.
#include <algorithm>
#include <deque>
#include <functional>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/reference/argument_check.h"
#include "harness/reference/arithmetic.h"
#include "harness/reference/inject.h"
#include "harness/reference/mcp_dialect.h"
#include "harness/reference/mcp_fixtures.h"
#include "harness/reference/session.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr int kToolNotFound = -32000;
constexpr int kTutorialResourceNotFound = -32001;
constexpr int kPermissionDenied = -32002;
constexpr int kRateLimited = -32003;
constexpr int kTimeout = -32004;
constexpr int kInvalidToolInput = -32005;

constexpr double kReportLimitSeconds = 0.2;
constexpr std::size_t kLookups = 5;
constexpr Micros kLookupWindow = 300000;
constexpr Micros kStepPause = 20000;

// Called with what a tool gives, at once or later.
using Done = std::function<void(Session&, Outcome)>;

Value said(std::string_view text, bool failed = false) {
  return json::object(
      {{"content", json::array({text_block(text)})}, {"isError", json::boolean(failed)}});
}

RpcError params_error(const std::string& details) {
  return {kInvalidParams, "Invalid params", json::object({{"details", json::string(details)}})};
}

RpcError denied(const std::string& what) {
  return {kPermissionDenied, "Permission denied",
          json::object(
              {{"resource", json::string(what)},
               {"required_permission", json::string("admin")},
               {"user_permissions", json::array({json::string("read"), json::string("write")})}})};
}

std::string weather_of(const std::string& city) {
  if (city == "Beijing" || city == "\xe5\x8c\x97\xe4\xba\xac")
    return city +
           ": 25 \xc2\xb0"
           "C, sunny";
  if (city == "Shanghai" || city == "\xe4\xb8\x8a\xe6\xb5\xb7")
    return city +
           ": 28 \xc2\xb0"
           "C, cloudy";
  return city +
         ": 20 \xc2\xb0"
         "C, unknown";
}

bool is_known(std::string_view method) {
  static constexpr std::string_view kMethods[] = {"initialize",
                                                  "ping",
                                                  "tools/list",
                                                  "tools/call",
                                                  "tools/batch_call",
                                                  "resources/list",
                                                  "resources/read",
                                                  "resources/subscribe",
                                                  "resources/unsubscribe",
                                                  "prompts/list",
                                                  "prompts/get",
                                                  "logging/setLevel"};
  return std::find(std::begin(kMethods), std::end(kMethods), method) != std::end(kMethods);
}

Value calculated(const Value& arguments) {
  const std::string& operation = arguments.find("operation")->text;
  const char sign = operation == "add"        ? '+'
                    : operation == "subtract" ? '-'
                    : operation == "multiply" ? '*'
                                              : '/';
  const Value& a = *arguments.find("a");
  const Value& b = *arguments.find("b");
  if (sign == '/' && json::as_double(b) == 0) return said("Error: division by zero", true);
  const auto result = computed(a, sign, b);
  if (!result) return said("Error: the result is out of range", true);
  return said(a.text + " " + sign + " " + b.text + " = " + result->text);
}

class Tutorial final : public Dialect {
 public:
  explicit Tutorial(Server& server) : server_(server) {}

  bool allows_id(const Value& id) const override { return id.is_string() || id.is_number(); }
  bool takes_batches(const Session&) const override { return true; }
  bool allows_in_batch(std::string_view) const override { return true; }
  bool ignores_stray_responses() const override { return true; }
  void dress(const Call&, Value&) override {}

  Outcome answer(Session& session, const CallPtr& call) override {
    const std::string& method = call->method;
    if (!is_known(method)) return RpcError{kMethodNotFound, "Method not found"};
    if (!call->params.is_object()) return params_error("params have to be an object");
    if (method == "initialize") return initialize(session, *call);
    if (method == "ping") return json::object();
    if (method == "tools/list" && streams_ > 0 && server_.faults.has("stream-blocks")) {
      session.after(call, 10 * kStepPause,
                    [](Session& s, const CallPtr& c) { s.finish(c, tools_list()); });
      return Later{};
    }
    if (method == "tools/list") return tools_list();
    if (method == "resources/list") return resources_list();
    if (method == "prompts/list") return prompts_list();
    if (method == "tools/call") return tools_call(session, call);
    if (method == "tools/batch_call") return batch_call(session, call);
    if (method == "prompts/get") return prompts_get(session, *call);
    if (method == "logging/setLevel") return set_level(session, *call);
    return resource_method(session, *call);
  }

  void hear(Session& session, const std::string& method, const Value& params) override {
    if (!params.is_object()) return;
    if (method == "notifications/logging/setLevel") {
      const auto level = log_level_named(params.find("level"));
      if (!level && server_.faults.has("bad-level-notification-kills")) session.exit_status = 1;
      if (!level || server_.faults.has("set-level-notification-ignored")) return;
      if (level_set_++ > 1 && server_.faults.has("set-level-notification-only-once")) return;
      session.log_level = *level;
    } else if (method == "notifications/cancelled") {
      const Value* id = params.find("requestId");
      if (id != nullptr && (id->is_string() || id->is_number())) session.cancel(*id);
    }
  }

 private:
  Outcome initialize(Session& session, const Call& call) {
    const Value* version = call.params.find("protocolVersion");
    const Value* capabilities = call.params.find("capabilities");
    if (version == nullptr || !version->is_string() ||
        (capabilities != nullptr && !capabilities->is_object()))
      return params_error("protocolVersion and capabilities are required");
    session.version = "2024-11-05";
    const Value change = json::object({{"listChanged", json::boolean(true)}});
    Value resources = change;
    resources.set("subscribe", json::boolean(true));
    return json::object(
        {{"protocolVersion", json::string(session.version)},
         {"capabilities",
          json::object({{"tools", change},
                        {"resources", resources},
                        {"prompts", change},
                        {"logging", json::object({{"level", json::string("info")}})}})},
         {"serverInfo", json::object({{"name", json::string("rpcspec-reference-server")},
                                      {"version", json::string(RPCSPEC_VERSION)}})}});
  }

  static Outcome tools_list() { return json::object({{"tools", fixture("/tutorial/tools")}}); }

  static Outcome resources_list() {
    Value list = fixture("/tutorial/resources");
    for (Value& one : list.items)
      std::erase_if(one.members, [](const json::Member& member) { return member.name == "text"; });
    return json::object({{"resources", std::move(list)}});
  }

  static Outcome prompts_list() {
    return json::object({{"prompts", fixture("/tutorial/prompts")}});
  }

  // The row of this kind that is called so; null if there is none.
  static const Value* find(const char* pointer, const char* member, const std::string& name) {
    for (const Value& one : fixture(pointer).items)
      if (text_in(one, member) == name) return &one;
    return nullptr;
  }
  static const Value* resource_at(const std::string& uri) {
    return find("/tutorial/resources", "uri", uri);
  }

  Outcome tools_call(Session& session, const CallPtr& call) {
    auto at_once = std::make_shared<std::optional<Outcome>>();
    const std::weak_ptr<Call> weak = call;
    run_tool(session, call, call->params, [at_once, weak](Session& s, Outcome outcome) {
      const CallPtr later = weak.lock();
      if (later && later->deferred)
        s.finish(later, std::move(outcome));
      else
        *at_once = std::move(outcome);
    });
    if (*at_once) return std::move(**at_once);
    return Later{};
  }

  // One call of a tool; `done` hears of it exactly once unless the call is cancelled.
  void run_tool(Session& session, const CallPtr& call, const Value& request, Done done) {
    const Value* name = request.is_object() ? request.find("name") : nullptr;
    const Value* given = request.is_object() ? request.find("arguments") : nullptr;
    const Value arguments = given == nullptr ? json::object() : *given;
    if (name == nullptr || !name->is_string() || !arguments.is_object()) {
      if (session.server.faults.has("tutorial-broken-call-served"))
        return done(session, said("Done."));
      return done(session, params_error("name has to be a string and arguments an object"));
    }
    const Value* tool = find("/tutorial/tools", "name", name->text);
    if (tool == nullptr) {
      return done(session, RpcError{kToolNotFound, "Tool not found: " + name->text,
                                    json::object({{"tool", *name}})});
    }
    auto problems = problems_of(*tool->find("inputSchema"), arguments);
    if (problems.size() > 1 && session.server.faults.has("validation-errors-first-only"))
      problems.resize(1);
    if (!problems.empty()) return done(session, invalid_input(name->text, problems));
    if (session.server.faults.has("permission-for-all")) return done(session, denied(name->text));
    if (name->text == "slow_report") return slow_report(session, call, arguments, std::move(done));
    if (name->text == "generate_report") {
      const Value* stream = arguments.find("stream");
      const bool wanted =
          (stream != nullptr && stream->boolean) || session.server.faults.has("stream-unasked");
      if (wanted) ++streams_;
      const Value id = first_or_own("stream-part-id-of-first", first_stream_, call);
      return stream_part(session, call, id, wanted ? 0 : 3, std::move(done));
    }
    if (name->text == "analyze_data") {
      const Value id = first_or_own("tool-progress-id-of-first", first_analysis_, call);
      return analyze_step(session, call, id, arguments, 20, std::move(done));
    }
    done(session, quick_tool(session, *call, name->text, arguments));
  }

  // The id that parts of the call carry; with the Fault that of the first of those under way.
  Value first_or_own(FaultName fault, std::weak_ptr<Call>& first, const CallPtr& call) {
    const CallPtr open = first.lock();
    if (server_.faults.has(fault) && open && !open->done && !open->cancelled) return open->id;
    first = call;
    return call->id;
  }

  static RpcError invalid_input(const std::string& tool, const std::vector<Problem>& problems) {
    Value errors = json::array();
    for (const Problem& one : problems) {
      errors.items.push_back(json::object({{"field", json::string(one.field)},
                                           {"message", json::string(one.message)},
                                           {"received", one.received}}));
    }
    return {kInvalidToolInput, "Invalid tool input",
            json::object({{"tool", json::string(tool)}, {"validation_errors", std::move(errors)}})};
  }

  Outcome quick_tool(Session& session, const Call& call, const std::string& name,
                     const Value& arguments) {
    if (name == "calculator") return calculated(arguments);
    if (name == "get_weather") {
      const Value& city = *arguments.find("city");
      if (session.log_level <= 1) {
        session.notify("notifications/message",
                       json::object({{"level", json::string("info")},
                                     {"logger", json::string("weather-tool")},
                                     {"data", json::object({{"message", json::string("Looking up")},
                                                            {"city", city}})}}),
                       &call);
      }
      return said(weather_of(city.text));
    }
    if (name == "echo") return said(inject_echo(server_.faults, arguments.find("message")->text));
    if (name == "echo_json") {
      Value value = inject_echo(server_.faults, *arguments.find("value"));
      if (server_.faults.has("arguments-stringified") && !value.is_string())
        value = json::string(json::write(value));
      return said(json::write(value));
    }
    if (name == "limited_lookup") return limited_lookup(session, arguments);
    if (name == "admin_reset") return denied(name);
    if (name == "chart") {
      return json::object(
          {{"content", json::array({fixture("/image")})}, {"isError", json::boolean(false)}});
    }
    return touch_resource(arguments);
  }

  Outcome limited_lookup(Session& session, const Value& arguments) {
    while (!lookups_.empty() && session.now - lookups_.front() >= kLookupWindow &&
           !server_.faults.has("rate-limit-for-ever"))
      lookups_.pop_front();
    if (lookups_.size() >= kLookups && !server_.faults.has("rate-limit-never")) {
      return RpcError{kRateLimited, "Rate limited",
                      json::object({{"limit", json::number(static_cast<int>(kLookups))},
                                    {"window_seconds", number_from(kLookupWindow / 1e6)}})};
    }
    lookups_.push_back(session.now);
    return said("The value of " + arguments.find("key")->text);
  }

  Outcome touch_resource(const Value& arguments) {
    const std::string& uri = arguments.find("uri")->text;
    if (resource_at(uri) == nullptr) return not_found(uri);
    for (Session* one : server_.sessions) {
      if (one->subscriptions.count(uri) > 0) {
        one->notify("notifications/resources/updated", json::object({{"uri", json::string(uri)}}),
                    nullptr);
      }
    }
    return said("Changed " + uri);
  }

  static void slow_report(Session& session, const CallPtr& call, const Value& arguments,
                          Done done) {
    const Value seconds = *arguments.find("seconds");
    const double asked = json::as_double(seconds);
    const double worked = std::min(asked, kReportLimitSeconds);
    session.after(
        call, static_cast<Micros>(worked * 1e6),
        [seconds, asked, done](Session& s, const CallPtr&) {
          if (asked <= kReportLimitSeconds)
            return done(s, said("The report took " + seconds.text + " seconds."));
          done(s, RpcError{kTimeout, "Timeout",
                           json::object({{"tool", json::string("slow_report")},
                                         {"limit_seconds", number_from(kReportLimitSeconds)}})});
        });
  }

  static void stream_part(Session& session, const CallPtr& call, const Value& own, int part,
                          Done done) {
    static const char* const kParts[] = {"Part one.", "Part two.", "Part three."};
    const Faults& faults = session.server.faults;
    if (part == 3 && faults.has("stream-without-response")) return;
    if (part == 3) return done(session, said("The report is done."));
    Value block = text_block(kParts[part]);
    if (faults.has("stream-part-block-untyped"))
      block = json::object({{"text", json::string(kParts[part])}});
    const bool bare = faults.has("stream-part-content-object");
    const Value id = faults.has("stream-part-id-invented") ? json::string("report") : own;
    session.notify(
        "notifications/tools/stream",
        json::object({{"toolRequestId", id}, {"content", bare ? block : json::array({block})}}),
        call.get());
    session.after(call, kStepPause, [own, part, done](Session& s, const CallPtr& c) {
      stream_part(s, c, own, part + 1, done);
    });
  }

  static void analyze_step(Session& session, const CallPtr& call, const Value& id,
                           const Value& arguments, int percent, Done done) {
    report_progress(session, call, id, percent);
    if (session.server.faults.has("waits-for-notification-reply")) return;
    session.after(call, kStepPause, [id, arguments, percent, done](Session& s, const CallPtr& c) {
      if (percent < 100) return analyze_step(s, c, id, arguments, percent + 20, done);
      const auto& items = arguments.find("data")->items;
      double sum = 0;
      for (const Value& item : items) sum += json::as_double(item);
      done(s, said("Count " + std::to_string(items.size()) + ", mean " +
                   (items.empty() ? "none"
                                  : std::to_string(sum / static_cast<double>(items.size())))));
      if (s.server.faults.has("tool-progress-after-result")) report_progress(s, c, id, percent);
    });
  }

  // Half-way also in the other form that the documents know, a fraction without the id.
  static void report_progress(Session& session, const CallPtr& call, const Value& id, int percent) {
    const Faults& faults = session.server.faults;
    const json::Value message = json::string("Analyzing");
    const bool as_text = faults.has("tool-progress-id-as-string") && id.is_number();
    const int shown = faults.has("tool-progress-over-100") ? percent + 60
                      : faults.has("tool-progress-falls")  ? 100 - percent
                                                           : percent;
    Value params = json::object();
    if (!faults.has("tool-progress-without-id"))
      params.set("toolRequestId", as_text ? json::string(id.text) : id);
    params.set("progress", json::number(shown));
    params.set("message", message);
    if (faults.has("tool-progress-with-id"))
      session.ask(call, "tools/progress", params, [](Session&, const CallPtr&, const Value&) {});
    else
      session.notify("tools/progress", params, call.get());
    if (percent != 60) return;
    const Value fraction = json::number_spelled("0.6");
    const bool spelled = faults.has("tutorial-progress-as-string");
    session.notify("notifications/progress",
                   json::object({{"progress", spelled ? json::string("0.6") : fraction},
                                 {"message", message}}),
                   call.get());
  }

  // The calls run side by side; their results are put down in the order of the request.
  Outcome batch_call(Session& session, const CallPtr& call) {
    const Value* calls = call->params.find("calls");
    if (calls == nullptr || !calls->is_array()) return params_error("calls has to be an array");
    for (const Value& one : calls->items) {
      const Value* name = one.is_object() ? one.find("name") : nullptr;
      if (name == nullptr || !name->is_string())
        return params_error("each call has to be an object with a name");
    }
    struct Progress {
      Value results = json::array();
      std::size_t open = 0;
    };
    auto progress = std::make_shared<Progress>();
    progress->results.items.resize(calls->items.size());
    progress->open = calls->items.size();
    const std::weak_ptr<Call> weak = call;
    const auto result = [progress] {
      return json::object({{"results", std::move(progress->results)}});
    };
    const Value requests = *calls;
    for (std::size_t i = 0; i < requests.items.size(); ++i) {
      run_tool(session, call, requests.items[i],
               [progress, weak, i, result](Session& s, Outcome o) {
                 if (const auto* error = std::get_if<RpcError>(&o))
                   progress->results.items[i] =
                       said("Error " + std::to_string(error->code) + ": " + error->message, true);
                 else
                   progress->results.items[i] = std::move(std::get<Value>(o));
                 const CallPtr later = weak.lock();
                 if (--progress->open == 0 && later && later->deferred) s.finish(later, result());
               });
    }
    if (progress->open == 0) return result();
    return Later{};
  }

  static RpcError not_found(const std::string& uri) {
    return {kTutorialResourceNotFound, "Resource not found",
            json::object({{"uri", json::string(uri)}})};
  }

  static Outcome resource_method(Session& session, const Call& call) {
    const Value* uri = call.params.find("uri");
    if (uri == nullptr || !uri->is_string()) {
      if (session.server.faults.has("tutorial-resource-without-uri-served"))
        return json::object({{"contents", json::array()}});
      return params_error("uri has to be a string");
    }
    if (call.method == "resources/unsubscribe") {
      session.subscriptions.erase(uri->text);
      return json::object();
    }
    const Value* resource = resource_at(uri->text);
    if (resource == nullptr) return not_found(uri->text);
    if (call.method == "resources/subscribe") {
      session.subscriptions.insert(uri->text);
      return json::object();
    }
    const Faults& faults = session.server.faults;
    if (faults.has("resource-permission-for-all")) return denied(uri->text);
    const Value* text = resource->find("text");  // none: forbidden
    if (text == nullptr && !faults.has("resource-permission-unchecked")) return denied(uri->text);
    return json::object(
        {{"contents", json::array({json::object({{"uri", *uri},
                                                 {"mimeType", *resource->find("mimeType")},
                                                 {"text", text ? *text : json::string("{}")}})})}});
  }

  static Outcome set_level(Session& session, const Call& call) {
    const auto level = log_level_named(call.params.find("level"));
    if (!level) return params_error("level is not a log level");
    session.log_level = *level;
    return json::object();
  }

  static Outcome prompts_get(const Session& session, const Call& call) {
    const Value* name = call.params.find("name");
    const Value* arguments = call.params.find("arguments");
    const Value* language =
        arguments != nullptr && arguments->is_object() ? arguments->find("language") : nullptr;
    if (name == nullptr || !name->is_string() || name->text != "code_reviewer") {
      if (session.server.faults.has("tutorial-unknown-prompt-served"))
        return json::object({{"messages", json::array()}});
      return params_error("there is no such prompt");
    }
    if (language == nullptr || !language->is_string()) {
      if (session.server.faults.has("tutorial-prompt-argument-unchecked"))
        return json::object({{"messages", json::array()}});
      return params_error("the argument language is required");
    }
    const Value* focus = arguments->find("focus");
    const bool ignored = session.server.faults.has("prompt-arguments-ignored");
    const std::string text = "You review " + (ignored ? "any" : language->text) +
                             " code; look at " + (focus == nullptr ? "everything" : focus->text) +
                             ".";
    return json::object(
        {{"description", json::string("Reviews code.")},
         {"messages", json::array({json::object(
                          {{"role", json::string("system")}, {"content", text_block(text)}})})}});
  }

  Server& server_;
  std::deque<Micros> lookups_;
  int level_set_ = 0;                                  // a Fault's: how often
  std::weak_ptr<Call> first_stream_, first_analysis_;  // of those under way
  int streams_ = 0;                                    // a Fault's: that are open
};

}  // namespace

std::unique_ptr<Dialect> make_tutorial_dialect(Server& server) {
  return std::make_unique<Tutorial>(server);
}

}  // namespace harness::reference
