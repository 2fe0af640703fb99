// SPDX-License-Identifier: Apache-2.0
// The Model Context Protocol, revisions 2024-11-05 to 2026-07-28. Lifecycle and dispatch are in
// mcp_dialect.cc, calls of tools in mcp_features.cc, pages in mcp_pages.cc, resources in
// mcp_resources.cc, prompts and completion in mcp_prompts.cc, tools in mcp_tools.cc, what the
// server lists in mcp_fixtures.cc, requests to the client in mcp_asks.cc, those of 2026-07-28 in
// mcp_inputs.cc, tasks in mcp_tasks.cc, those of 2026-07-28 in mcp_task_extension.cc, skills in
// mcp_skills.cc, interfaces of tools in mcp_apps.cc.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/reference/mcp_task_extension.h"
#include "harness/reference/session.h"

namespace harness::reference {

inline constexpr std::string_view kMeta = "io.modelcontextprotocol/";
inline std::string meta_name(std::string_view name) {
  return std::string(kMeta) + std::string(name);
}
inline constexpr int kResourceNotFound = -32002;
inline constexpr int kHeaderMismatch = -32020;
inline constexpr int kMissingCapability = -32021;
inline constexpr int kUnsupportedVersion = -32022;
inline constexpr int kUrlElicitationRequired = -32042;

// debug … emergency; the index is the severity.
const std::vector<std::string>& log_levels();
std::optional<int> log_level_named(const json::Value* level);

struct Prompt;
struct Tool;

class Mcp final : public Dialect {
 public:
  explicit Mcp(Server& server);

  bool allows_id(const json::Value& id) const override;
  bool takes_batches(const Session& session) const override;
  bool allows_in_batch(std::string_view method) const override;
  bool ignores_stray_responses() const override { return true; }
  Outcome answer(Session& session, const CallPtr& call) override;
  void hear(Session& session, const std::string& method, const json::Value& params) override;
  void dress(const Call& call, json::Value& result) override;

  // Whether a request belongs to the stateless era.
  bool is_stateless(const Session& session, const std::string& method,
                    const json::Value& params) const;

  // For tools.
  void progress(Session& session, const Call& call, int done, int total, const std::string& text);
  void log(Session& session, const Call& call, std::string_view level, const std::string& text);
  // Notifies every session and subscription concerned: "tools", "prompts", "resources".
  void announce_list(std::string_view kind);
  void announce_update(const std::string& uri);
  // For a Fault: the same as a notification of the call that made the change.
  void announce_on_call(Session& session, const Call& call, const std::string& method);
  const Faults& faults() const { return server_.faults; }
  Server& server() { return server_; }

  int watched_revision = 0;

 private:
  using Method = Outcome (Mcp::*)(Session&, const CallPtr&);
  struct Row {
    const char* name;
    Method method;
    bool handshake;
    bool stateless;
  };
  static const std::vector<Row>& rows();

  std::optional<RpcError> admit(Session& session, Call& call);
  std::optional<RpcError> admit_stateless(Call& call);
  json::Value capabilities(const std::string& version) const;
  bool lacks(std::string_view method) const;  // as --without says
  void cacheable(const Call& call, json::Value& result, int ttl_ms, const char* scope);
  Outcome run_tool(Session& session, const CallPtr& call, const Tool& tool,
                   const json::Value& arguments);
  Outcome page(const Call& call, const char* kind, const char* member,
               std::vector<json::Value> items, std::size_t size);

  Outcome initialize(Session& session, const CallPtr& call);
  Outcome ping(Session& session, const CallPtr& call);
  Outcome discover(Session& session, const CallPtr& call);
  Outcome set_level(Session& session, const CallPtr& call);
  Outcome tools_list(Session& session, const CallPtr& call);
  Outcome tools_call(Session& session, const CallPtr& call);
  Outcome resources_list(Session& session, const CallPtr& call);
  Outcome templates_list(Session& session, const CallPtr& call);
  Outcome resources_read(Session& session, const CallPtr& call);
  json::Value contents_of(const Call& call, const json::Value& uri, const std::string& mime_type,
                          json::Value content, const char* member);
  Outcome subscribe(Session& session, const CallPtr& call);
  Outcome unsubscribe(Session& session, const CallPtr& call);
  Outcome prompts_list(Session& session, const CallPtr& call);
  Outcome skills_list(Session& session, const CallPtr& call);
  Outcome skills_get(Session& session, const CallPtr& call);
  std::optional<RpcError> odd_app_settings(const Session& session, const Call& call) const;
  void add_interface(const Session& session, const Call& call, json::Value& tool) const;
  void describe_listed_interface(json::Value& item) const;
  Outcome interface_contents(const Call& call, const json::Value& uri, const std::string& text);
  // What Faults do to the type of a result, to a listed skill, and to a file that is read.
  void name_type(Outcome& outcome, FaultName fault, const char* type) const;
  std::optional<Outcome> odd_skill_file(const Call& call, const std::string& uri,
                                        std::string& mime_type);
  Outcome directory_read(Session& session, const CallPtr& call);
  std::variant<const Prompt*, Outcome> prompt_of(const Call& call) const;
  std::optional<RpcError> check_arguments(const Prompt& prompt, json::Value& arguments,
                                          bool given) const;
  std::optional<Outcome> odd_arguments(json::Value& arguments) const;
  Outcome prompts_get(Session& session, const CallPtr& call);
  std::optional<RpcError> odd_completion(const Call& call) const;
  std::optional<RpcError> incompletable(const Call& call) const;
  Outcome complete(Session& session, const CallPtr& call);
  Outcome listen(Session& session, const CallPtr& call);
  Outcome tasks_get(Session& session, const CallPtr& call);
  Outcome tasks_result(Session& session, const CallPtr& call);
  Outcome tasks_cancel(Session& session, const CallPtr& call);
  Outcome tasks_list(Session& session, const CallPtr& call);
  Outcome tasks_update(Session& session, const CallPtr& call);

  Outcome make_extension_task(Session& session, const CallPtr& call, const Tool& tool,
                              const json::Value& arguments);
  bool cancels_oddly(Session& session, const json::Value& params, const json::Value& id);
  ExtensionTaskPtr find_extension_task(const Call& call, Micros now) const;
  std::variant<ExtensionTaskPtr, RpcError> extension_task_of(const Call& call, Micros now) const;
  Outcome extension_get(Session& session, const Call& call);
  Outcome extension_cancel(Session& session, const Call& call);
  void tell_of_task(const ExtensionTaskPtr& task);
  void follow_task(Session& session, const CallPtr& listen, const ExtensionTaskPtr& task);
  std::optional<RpcError> listen_to_tasks(const Call& call, const json::Value& filter,
                                          json::Value& agreed) const;
  void begin_to_tell_of_tasks(Session& session, const CallPtr& listen);

  bool is_below(int severity, int threshold);
  void hear_roots_changed(Session& session);
  void hear_cancelled(Session& session, const json::Value& params);
  void tell(Session& session, const std::string& method, json::Value params);

  // One subscriptions/listen.
  struct Listener {
    Session* session;
    CallPtr call;
    json::Value wanted;
  };
  std::vector<Listener> live_listeners();
  // For Faults: a subscription that cannot be cancelled; messages of a call, sent to all.
  bool keeps_listening(const json::Value& id);
  void tell_listeners_too(const std::string& method, const json::Value& params);
  json::Value tagged(json::Value params, const Call& listen, bool change);
  bool wants(const json::Value& filter, const std::string& flag) const;

  Server& server_;
  std::vector<std::pair<Session*, std::weak_ptr<Call>>> listeners_;
  int listens_ = 0;
  std::set<std::string> cancelled_ahead_;          // a Fault's
  std::vector<ExtensionTaskPtr> extension_tasks_;  // of all clients
};

}  // namespace harness::reference
