// SPDX-License-Identifier: Apache-2.0
// What the server asks of the client: only what the client declared, tool results with the uses
// they belong to, no secrets by form, pages by an id of their own. Up to 2025-11-25 these are
// requests, in 2026-07-28 members of inputRequests; their shape is for the oracle `shapes`.
#include <map>
#include <set>
#include <string>

#include "harness/oracle/families.h"
#include "harness/oracle/question_text.h"
#include "harness/oracle/tool_use.h"
#include "harness/oracle/traffic.h"
#include "harness/spec/protocol.h"

namespace harness::oracle {
namespace {

constexpr const char* kClientCapabilities =
    "/params/_meta/io.modelcontextprotocol~1clientCapabilities";

// One question.
struct Ask {
  std::string_view method;
  const json::Value* params = nullptr;    // null when it is no object
  const json::Value* declared = nullptr;  // by the client
  const json::Value* whole = nullptr;
  std::vector<std::uint64_t> frames;
};

const json::Value* object_at(const json::Value& value, std::string_view name) {
  const json::Value* found = value.is_object() ? value.find(name) : nullptr;
  return found != nullptr && found->is_object() ? found : nullptr;
}

class AskJudge {
 public:
  AskJudge(const Evidence& evidence, Sink& sink) : evidence_(evidence), sink_(sink) {}

  void judge(const Ask& ask) {
    ask_ = &ask;
    const spec::MessageRow* row = evidence_.profile.protocol().find(ask.method, evidence_.profile);
    if (row == nullptr || !ask.declared->is_object()) return;
    const std::string capability = of_client(*row);
    if (capability.empty()) return;
    const json::Value* own = ask.declared->find(capability);
    const bool part = capability.find('.') != capability.npos;  // of ACP, in another one
    if (part ? !spec::is_declared("client." + capability, ask.declared) : own == nullptr) {
      if (!spoken_of_.contains(capability)) undeclared(*row, capability);
    } else if (own != nullptr && own->is_object() && ask.params != nullptr) {
      if (capability == "elicitation") mode(*own);
      if (capability == "sampling") sampling(*own);
    }
    if (ask.params == nullptr) return;
    task();
    if (ask.method == "elicitation/create") {
      if (is_text(ask.params->find("mode"), "url"))
        page(*ask.params);
      else
        form(*ask.params);
    }
  }

  // What is ours. A server that asks back for what we spoke of undeclared believed us.
  void note(const Item& item) {
    const spec::MessageRow* row =
        evidence_.profile.protocol().find(method_of(item), evidence_.profile);
    if (row == nullptr) return;
    const std::string capability = of_client(*row);
    spoken_of_.insert(capability.substr(0, capability.find('.')));
  }

  // What a -32042 error announces.
  void announced(const json::Value& page_to_open, const Item& item) {
    const Ask ask{"", nullptr, nullptr, &page_to_open, {item.seq}};
    ask_ = &ask;
    page(page_to_open);
  }

  // notifications/elicitation/complete.
  void complete(const Item& item) {
    const json::Value* id = json::at(*item.value, "/params/elicitationId");
    if (id == nullptr || !id->is_string() || pages_.contains(id->text)) return;
    // Over HTTP it may have been announced on a stream that nobody opened.
    if (!evidence_.from_start() || evidence_.http()) return;
    report_best(
        evidence_, sink_, {"mcp.elicitation.complete-notification-id"},
        {"the elicitationId of a page that the server asked for", shown(item.text), {item.seq}});
  }

 private:
  // The capability of the client that the message takes; "": none.
  std::string of_client(const spec::MessageRow& row) const {
    constexpr std::string_view kClient = "client.";
    const std::string_view capability = row.capability_in(evidence_.profile);
    if (!capability.starts_with(kClient)) return "";
    return std::string(capability.substr(kClient.size()));
  }

  template <class Clauses>
  void breach(const Clauses& clauses, std::string expected, Severity at_most = Severity::kFail,
              std::string flaw = "") {
    report_best(evidence_, sink_, clauses,
                {std::move(expected), shown(*ask_->whole), ask_->frames, std::move(flaw), at_most});
  }
  using Some = std::initializer_list<const char*>;

  void undeclared(const spec::MessageRow& row, const std::string& capability) {
    std::vector<const char*> clauses;
    for (const std::string& clause : row.undeclared) clauses.push_back(clause.c_str());
    for (const char* any :
         {"mcp.input-required.respects-capabilities", "mcp.mrtr.declared-capabilities-only",
          "mcp.lifecycle.only-negotiated-capabilities-strict",
          "mcp.lifecycle.only-negotiated-capabilities", "mcp.capabilities.only-negotiated-used",
          "mcp.capabilities.only-negotiated-used-should"})
      clauses.push_back(any);
    breach(std::span<const char* const>(clauses),
           "only what the client declared; it did not declare " + capability, Severity::kFail,
           capability);
  }

  void needs(bool used, const json::Value& declared, const char* part, const char* clause) {
    if (used && declared.find(part) == nullptr) {
      breach(Some{clause},
             "nothing that needs " + std::string(part) + ", which the client did not declare");
    }
  }

  // An empty capability stands for forms alone.
  void mode(const json::Value& declared) {
    if (!from_revision(evidence_, "2025-11-25")) return;
    const bool pages = declared.find("url") != nullptr, forms = declared.find("form") != nullptr;
    if (!is_text(ask_->params->find("mode"), "url")) {
      if (pages && !forms)
        breach(Some{"mcp.elicitation.mode-supported"},
               "no form for a client that only opens pages");
    } else if (!pages) {
      breach(Some{forms ? "mcp.elicitation.mode-supported"
                        : "mcp.elicitation.empty-capability-is-form-only"},
             "no page for a client that only accepts forms");
    }
  }

  void sampling(const json::Value& declared) {
    const json::Value& params = *ask_->params;
    needs(params.find("tools") != nullptr || params.find("toolChoice") != nullptr, declared,
          "tools", "mcp.sampling.tools-need-capability");
    const json::Value* context = params.find("includeContext");
    needs(is_text(context, "thisServer") || is_text(context, "allServers"), declared, "context",
          "mcp.sampling.include-context-needs-capability");
    for (const std::string& slip : slips_of_tool_use(params.find("messages"))) {
      breach(Some{slip.c_str()},
             "tool results directly after the tool uses they answer, and nothing else in that "
             "message");
    }
  }

  void task() {
    if (ask_->params->find("task") == nullptr) return;
    const json::Value* tasks = object_at(*ask_->declared, "tasks");
    const json::Value* requests = tasks == nullptr ? nullptr : object_at(*tasks, "requests");
    const bool samples = ask_->method == "sampling/createMessage";
    const json::Value* kind =
        requests == nullptr ? nullptr : object_at(*requests, samples ? "sampling" : "elicitation");
    if (kind != nullptr && kind->find(samples ? "createMessage" : "create") != nullptr) return;
    breach(Some{samples ? "mcp.sampling.task-needs-capability"
                        : "mcp.elicitation.task-needs-capability"},
           "no task for a client that did not declare tasks for this request");
  }

  void form(const json::Value& params) {
    links(params.find("message"));
    const json::Value* schema = object_at(params, "requestedSchema");
    const json::Value* fields = schema == nullptr ? nullptr : object_at(*schema, "properties");
    if (fields == nullptr) return;
    for (const json::Member& field : fields->members) {
      if (!field.value.is_object()) continue;
      const SecretField secret = secret_field(field.name, field.value);
      if (secret != SecretField::kNo) {
        breach(Some{"mcp.elicitation.form-no-secrets", "mcp.elicitation.no-sensitive-data"},
               "no form field for a secret; there is a field " + shown(field.name),
               secret == SecretField::kPlain ? Severity::kFail : Severity::kWarn);
      }
      if (is_text(field.value.find("format"), "uri")) continue;
      links(field.value.find("title"));
      links(field.value.find("description"));
    }
  }

  void links(const json::Value* text) {
    if (text == nullptr || !text->is_string()) return;
    const std::string link = link_in(text->text);
    if (link.empty()) return;
    breach(Some{"mcp.elicitation.form-no-links"}, "no link in a form; there is " + link);
  }

  void page(const json::Value& asked) {
    const json::Value* url = asked.find("url");
    if (url == nullptr || !url->is_string()) return;
    const std::string data = personal_data_in(url->text);
    const bool ours = evidence_.secrets != nullptr && evidence_.secrets->found_in(url->text);
    if (ours || !data.empty()) {
      breach(Some{"mcp.elicitation.url-no-personal-data"},
             "an address without " + (ours ? "the credentials of the client" : data),
             ours || data == "credentials" ? Severity::kFail : Severity::kWarn,
             ours ? "credentials of the client" : data);
    }
    const json::Value* id = asked.find("elicitationId");
    if (id == nullptr || !id->is_string()) return;
    const auto [earlier, fresh] = pages_.emplace(id->text, url->text);
    if (!fresh && earlier->second != url->text) {
      breach(Some{"mcp.elicitation.url-id-unique"},
             "its own elicitationId; another page had " + shown(id->text));
    }
  }

  const Evidence& evidence_;
  Sink& sink_;
  const Ask* ask_ = nullptr;
  std::map<std::string, std::string> pages_;  // elicitationId → url
  std::set<std::string> spoken_of_;           // capabilities
};

void judge_requests(const Evidence& evidence, Sink& sink) {
  AskJudge judge(evidence, sink);
  for (const Item& item : evidence.items) {
    if (item.sent && item.value != nullptr) judge.note(item);
    if (item.sent || item.value == nullptr) continue;
    if (item.kind == wire::MessageKind::kRequest && !is_reply(item)) {
      const json::Value* params = item.member("params");
      judge.judge({method_of(item),
                   params != nullptr && params->is_object() ? params : nullptr,
                   &evidence.client_capabilities,
                   item.value,
                   {item.seq}});
    }
    if (method_of(item) == "notifications/elicitation/complete") judge.complete(item);
    const json::Value* code = json::at(*item.value, "/error/code");
    const json::Value* pages = json::at(*item.value, "/error/data/elicitations");
    if (code == nullptr || code->text != "-32042" || pages == nullptr) continue;
    for (const json::Value& one : pages->items)
      if (one.is_object()) judge.announced(one, item);
  }
}

void judge_inputs(const Evidence& evidence, Sink& sink) {
  AskJudge judge(evidence, sink);
  const Requests& requests = sent_requests(evidence);
  for (const Item& item : evidence.items) {
    if (item.sent || item.kind != wire::MessageKind::kResponse) continue;
    const json::Value* inputs = json::at(*item.value, "/result/inputRequests");
    const Item* request = inputs == nullptr ? nullptr : request_of(requests, item);
    if (request == nullptr || !inputs->is_object() || !is_proper(evidence, *request) ||
        !is_stateless_request(evidence, *request))
      continue;
    // A task asks for what the call declared that began it.
    if (method_of(*request).starts_with("tasks/")) continue;
    const json::Value* declared = json::at(*request->value, kClientCapabilities);
    if (declared == nullptr) continue;
    for (const json::Member& one : inputs->members) {
      const json::Value* method = one.value.is_object() ? one.value.find("method") : nullptr;
      if (method == nullptr || !method->is_string()) continue;
      judge.judge({method->text,
                   object_at(one.value, "params"),
                   declared,
                   &one.value,
                   {request->seq, item.seq}});
    }
  }
}

}  // namespace

void judge_asks(const Evidence& evidence, Sink& sink) {
  if (!evidence.profile.mcp && !evidence.profile.acp) return;
  if (evidence.profile.era != spec::Era::kStateless) return judge_requests(evidence, sink);
  // A server of both eras may treat a client that sent initialize as an old one.
  if (!has_sent(evidence, "initialize")) judge_inputs(evidence, sink);
}

}  // namespace harness::oracle
