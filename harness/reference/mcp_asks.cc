// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/mcp_asks.h"

#include <algorithm>

#include "harness/json/write.h"
#include "harness/reference/mcp_fixtures.h"
#include "harness/reference/mcp_tools.h"
#include "harness/reference/session_id.h"

namespace harness::reference {
namespace {

using json::Value;

bool declares(const Call& call, std::string_view pointer) {
  return json::at(call.client_capabilities, pointer) != nullptr;
}

std::string report_elicitation(const Value& result) {
  const Value* action = result.find("action");
  const Value* content = result.find("content");
  return "User response: action=" + (action == nullptr ? "(none)" : action->text) +
         ", content=" + (content == nullptr ? "{}" : json::write(*content));
}

// A page for the user to open. Its address is its own as well.
Value page_to_open(std::string_view id) {
  const std::string url = "https://example.com/connect";
  Value params = json::object(
      {{"mode", json::string("url")},
       {"message", json::string("Please connect your account.")},
       {"url", json::string(id.empty() ? url : url + "?request=" + new_session_id())}});
  if (!id.empty()) params.set("elicitationId", json::string(id));
  return params;
}

}  // namespace

bool spoiled(Session& session, const CallPtr& call, const Question& question,
             const Value& response) {
  const Faults& faults = session.server.faults;
  if (!faults.any()) return false;
  const Value* result = response.find("result");
  if (response.find("error") != nullptr) {
    if (result != nullptr && faults.has("client-answer-unchecked-kills")) session.exit_status = 1;
    const std::string_view asked = question.method;
    return faults.has("client-error-swallowed") ||
           (asked == "roots/list" && faults.has("roots-error-hangs")) ||
           (asked == "sampling/createMessage" && faults.has("sampling-error-hangs")) ||
           (asked == "elicitation/create" && faults.has("elicitation-error-hangs"));
  }
  const bool sound = result != nullptr && fits(question, *result);
  if (!sound && faults.has("client-answer-unchecked-kills")) session.exit_status = 1;
  if (!sound && faults.has("client-odd-answer-hangs")) return true;
  if (result == nullptr || !result->is_object()) return false;
  const Value* action = result->find("action");
  const std::string said = action == nullptr ? "" : action->text;
  if (said == "accept" && faults.has("elicitation-accept-hangs")) return true;
  if (said == "decline" && faults.has("elicitation-decline-hangs")) return true;
  if (said == "cancel" && faults.has("elicitation-cancel-hangs")) return true;
  const Value* stop = result->find("stopReason");
  const bool named = stop != nullptr && (stop->text == "endTurn" || stop->text == "stopSequence" ||
                                         stop->text == "maxTokens" || stop->text == "toolUse");
  const Value* content = result->find("content");
  const Value* list = result->find("roots");
  const auto nameless = [](const Value& root) { return root.find("name") == nullptr; };
  const bool refused =
      (said == "accept" && faults.has("elicitation-accept-refused")) ||
      (question.method == "sampling/createMessage" &&
       ((stop == nullptr && faults.has("sampling-needs-stop-reason")) ||
        (stop != nullptr && !named && faults.has("sampling-stop-reason-closed")) ||
        (content != nullptr && content->is_array() && faults.has("sampling-content-one-block")))) ||
      (list != nullptr && faults.has("roots-need-names") &&
       std::any_of(list->items.begin(), list->items.end(), nameless));
  if (refused) {
    session.finish(call, RpcError{kInternalError, "Cannot read the answer"});
    return true;
  }
  if (list == nullptr) return false;
  if (list->items.empty() && faults.has("roots-empty-hangs")) return true;
  for (const Value& root : list->items) {
    const Value* uri = root.find("uri");
    if (uri == nullptr || !faults.has("roots-not-there-kills")) continue;
    if (uri->text.find("no-such") != std::string::npos) session.exit_status = 1;
  }
  return false;
}

std::optional<Outcome> not_for_client(const Call& call, const Question& question,
                                      const Faults& faults) {
  const std::string capability = capability_for(question.method);
  const Value* declared =
      call.client_capabilities.is_object() ? call.client_capabilities.find(capability) : nullptr;
  if (declared == nullptr && !faults.has("undeclared-request-sent"))
    return tool_failure("The client does not support " + capability);
  if (capability != "elicitation" || declared == nullptr) return std::nullopt;
  const bool form = declared->find("form") != nullptr;
  const bool pages = declared->find("url") != nullptr && !faults.has("form-for-pages-alone");
  if (!form && (pages || faults.has("empty-elicitation-refused")))
    return tool_failure("The client does not fill in forms.");
  return std::nullopt;
}

Outcome asked(Session& session, const CallPtr& call, Question question, Report report) {
  if (auto instead = not_for_client(*call, question, session.server.faults)) return *instead;
  Value params = question.params;
  const std::string method = question.method;
  session.ask(call, method, std::move(params),
              [question = std::move(question), report](Session& s, const CallPtr& c,
                                                       const Value& response) {
                if (spoiled(s, c, question, response)) return;
                const Value* result = response.find("result");
                if (result == nullptr || !result->is_object()) {
                  s.finish(c, tool_failure("The client refused."));
                } else if (!fits(question, *result)) {
                  const bool taken = s.server.faults.has("client-answers-unchecked");
                  s.finish(c, taken ? tool_text("Thank you.")
                                    : tool_failure("The answer does not fit the question."));
                } else {
                  s.finish(c, tool_text(report(*result)));
                }
              });
  return Later{};
}

Outcome ask_elicitation(Mcp&, Session& session, const CallPtr& call, const Value& arguments) {
  Value params = fixture("/forms/user");
  params.set("message", json::string(text_in(arguments, "message")));
  return asked(session, call, {"", "elicitation/create", params}, report_elicitation);
}

Outcome ask_defaults(Mcp&, Session& session, const CallPtr& call, const Value&) {
  return asked(session, call, {"", "elicitation/create", fixture("/forms/defaults")},
               report_elicitation);
}

Outcome ask_roots(Mcp&, Session& session, const CallPtr& call, const Value&) {
  return asked(session, call, roots(""), [](const Value& result) {
    std::string out = "Roots:";
    const Value* list = result.find("roots");
    if (list == nullptr) return out;
    for (const Value& root : list->items) {
      const Value* uri = root.find("uri");
      if (uri != nullptr) out += " " + uri->text;
    }
    return out;
  });
}

Outcome ask_survey(Mcp&, Session& session, const CallPtr& call, const Value&) {
  const bool later = call->version >= "2025-11-25";
  const Question question = {"survey", "elicitation/create",
                             fixture(later ? "/forms/survey later" : "/forms/survey")};
  if (!call->stateless) return asked(session, call, question, report_elicitation);
  if (auto instead = unanswered(*call, {question})) return std::move(*instead);
  return tool_text(report_elicitation(*answer_to(*call, "survey")));
}

Outcome ask_url(Mcp&, Session& session, const CallPtr& call, const Value&) {
  const Faults& faults = session.server.faults;
  if (!declares(*call, "/elicitation/url") && !faults.has("page-for-forms-alone"))
    return tool_failure("The client does not open pages.");
  if (call->stateless) {
    const Value* answer = answer_to(*call, "page");
    if (answer == nullptr)
      return *unanswered(*call, {{"page", "elicitation/create", page_to_open("")}});
    if (faults.has("page-done-stateless")) {
      session.notify("notifications/elicitation/complete",
                     json::object({{"elicitationId", json::string("page")}}), call.get());
    }
    const Value* action = json::at(*answer, "/action");
    const bool accepted = action != nullptr && action->text == "accept";
    return accepted ? tool_text("Thank you.") : tool_failure("The page was not opened.");
  }
  const std::string id = faults.has("page-id-repeated") ? "page" : new_session_id();
  session.ask(call, "elicitation/create", page_to_open(id),
              [id](Session& s, const CallPtr& c, const Value& response) {
                const Value* action = json::at(response, "/result/action");
                if (action == nullptr || action->text != "accept")
                  return s.finish(c, tool_failure("The page was not opened."));
                const Value done = json::object({{"elicitationId", json::string(id)}});
                s.notify("notifications/elicitation/complete", done, c.get());
                if (s.server.faults.has("page-done-told-to-all")) {
                  for (Session* other : s.server.sessions)
                    if (other != &s)
                      other->notify("notifications/elicitation/complete", done, nullptr);
                }
                s.finish(c, tool_text("The account is connected."));
              });
  return Later{};
}

Outcome ask_url_first(Mcp& mcp, Session&, const CallPtr& call, const Value&) {
  if (!declares(*call, "/elicitation/url") && !mcp.faults().has("url-required-undeclared"))
    return tool_failure("An account has to be connected first.");
  const bool other = mcp.faults().has("url-required-other-code");
  return RpcError{other ? kInternalError : kUrlElicitationRequired,
                  "An account has to be connected first",
                  json::object({{"elicitations", json::array({page_to_open(new_session_id())})}})};
}

}  // namespace harness::reference
