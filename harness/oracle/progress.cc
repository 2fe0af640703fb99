// SPDX-License-Identifier: Apache-2.0
// Progress against the tokens we gave: the right token in its type, growing, and over when the
// request is answered. In the tutorial dialect reports name the id of the request itself.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"

namespace harness::oracle {
namespace {

constexpr std::string_view kTokenName = "progressToken";

struct Token {
  const Item* request = nullptr;
  const Item* reply = nullptr;
  bool task = false;    // progress of a task goes on after the reply
  bool shared = false;  // two requests have it, so its series cannot be told apart
  std::optional<double> last;
};

using Tokens = std::map<std::string, Token>;

const json::Value* token_of(const Item& request) {
  return request.value == nullptr ? nullptr
                                  : json::at(*request.value, "/params/_meta/progressToken");
}

Tokens sent_tokens(const Evidence& evidence) {
  Tokens tokens;
  std::vector<std::string_view> garbage;
  for (const Item& item : evidence.items) {
    if (!item.sent) continue;
    // Text that is no JSON to us may be a request to the server.
    if (item.value == nullptr) garbage.push_back(item.text);
    const json::Value* token = token_of(item);
    if (token == nullptr) continue;
    Token& entry = tokens[wire::id_key(*token)];
    entry.shared = entry.request != nullptr;
    entry.request = &item;
    entry.task = json::at(*item.value, "/params/task") != nullptr;
  }
  for (const std::string_view text : garbage) {
    if (text.find(kTokenName) == std::string_view::npos) continue;
    for (auto& [key, entry] : tokens)
      entry.shared |= text.find(token_of(*entry.request)->text) != std::string_view::npos;
  }
  return tokens;
}

// A server may have read the token out of it.
bool has_unread_token(const Evidence& evidence) {
  return std::any_of(evidence.items.begin(), evidence.items.end(), [](const Item& item) {
    return item.sent && item.value == nullptr &&
           item.text.find(kTokenName) != std::string_view::npos;
  });
}

std::string plain_text(const json::Value& token) {
  return token.is_string() || token.is_number() ? token.text : std::string();
}

// The token that reads the same under another type, or null.
Token* same_text(Tokens& tokens, const json::Value& token) {
  for (auto& [key, entry] : tokens) {
    const json::Value& sent = *token_of(*entry.request);
    if (sent.kind != token.kind && !plain_text(sent).empty() &&
        plain_text(sent) == plain_text(token))
      return &entry;
  }
  return nullptr;
}

void judge_retyped(const Evidence& evidence, Sink& sink, const Token& sent, const Item& item,
                   const json::Value& token) {
  report_best(evidence, sink, {"mcp.progress.token-type-preserved"},
              {"progressToken " + shown(*token_of(*sent.request)),
               "progressToken " + shown(token),
               {sent.request->seq, item.seq}});
}

void judge_unknown(const Evidence& evidence, Sink& sink, const Item& item,
                   const json::Value& token) {
  if (has_unread_token(evidence)) return;
  if (!evidence.from_start()) return;  // may belong to a request before the slice
  report_best(
      evidence, sink, {"mcp.progress.only-with-token"},
      {"progress only for tokens of requests", "progressToken " + shown(token), {item.seq}});
}

// HTTP: the request that was posted in the exchange; null when none was.
const Item* posted_in(const Evidence& evidence, int exchange) {
  const auto found =
      std::find_if(evidence.items.begin(), evidence.items.end(), [&](const Item& one) {
        return one.sent && one.kind == wire::MessageKind::kRequest &&
               evidence.transcript.frames[one.frame].exchange == exchange;
      });
  return found == evidence.items.end() ? nullptr : &*found;
}

// HTTP: on the stream of another request. What goes on after a broken connection comes elsewhere.
void judge_stream(const Evidence& evidence, Sink& sink, const Token& token, const Item& item) {
  const auto& frames = evidence.transcript.frames;
  const int own = frames[token.request->frame].exchange, here = frames[item.frame].exchange;
  if (!evidence.http() || token.shared || token.task || own == here || own == 0) return;
  const Item* other = posted_in(evidence, here);
  if (other == nullptr || method_of(*other) == "subscriptions/listen") return;
  report_best(evidence, sink, {"mcp.http26.sse-notifications-related", "mcp.progress.sse-stream"},
              {"progress of a call on the stream of that call",
               shown(item.text) + " on that of " + shown_id(other->member("id")),
               {token.request->seq, other->seq, item.seq}});
}

void judge_known(const Evidence& evidence, Sink& sink, Token& token, const Item& item,
                 const json::Value& progress) {
  judge_stream(evidence, sink, token, item);
  const double now = json::as_double(progress);
  if (!token.shared && token.last && now <= *token.last) {
    report_best(evidence, sink, {"mcp.progress.increasing"},
                {"progress that grows",
                 "progress " + shown(progress) + " in " + shown(item.text),
                 {token.request->seq, item.seq}});
  }
  token.last = now;
  // Events of different streams have no order among each other.
  const auto& frames = evidence.transcript.frames;
  if (token.shared || token.task || token.reply == nullptr ||
      frames[token.reply->frame].exchange != frames[item.frame].exchange)
    return;
  report_best(evidence, sink,
              {"mcp.progress.stops-after-completion", "mcp.progress.only-while-running"},
              {"no progress after the response",
               shown(item.text),
               {token.request->seq, token.reply->seq, item.seq}});
}

// A call of the tutorial dialect, whose reports name its id.
struct Run {
  const Item* request = nullptr;
  const Item* reply = nullptr;
  bool shared = false;  // two open requests have the id
  std::optional<double> last;
};

void judge_report(const Evidence& evidence, Sink& sink, Run& run, const Item& item) {
  const json::Value* progress = json::at(*item.value, "/params/progress");
  // What runs under the id of a batch_call is several tools.
  if (progress != nullptr && progress->is_number() && method_of(*run.request) == "tools/call") {
    const double now = json::as_double(*progress);
    if (run.last && now < *run.last) {
      report_best(evidence, sink, {"tutorial.progress.increasing"},
                  {"progress that does not go backwards",
                   "progress " + shown(*progress) + " in " + shown(item.text),
                   {run.request->seq, item.seq}});
    }
    run.last = now;
  }
  const auto& frames = evidence.transcript.frames;
  if (run.reply == nullptr || frames[run.reply->frame].exchange != frames[item.frame].exchange)
    return;
  report_best(evidence, sink, {"tutorial.progress.before-result"},
              {"no report after the response",
               shown(item.text),
               {run.request->seq, run.reply->seq, item.seq}});
}

void judge_reports(const Evidence& evidence, Sink& sink) {
  std::map<std::string, Run, std::less<>> runs;
  std::vector<const Item*> garbage;
  const auto may_be_garbage = [&](const json::Value& id) {
    return std::any_of(garbage.begin(), garbage.end(),
                       [&](const Item* text) { return may_have_read_id(evidence, *text, id); });
  };
  for (const Item& item : evidence.items) {
    if (item.value == nullptr) {
      if (item.sent) garbage.push_back(&item);
      continue;
    }
    const json::Value* id = item.member("id");
    if (item.sent) {
      if (id == nullptr) continue;
      Run& run = runs[std::string(item.key)];
      // Whatever else has the id may be answered under it.
      run.shared |= item.kind != wire::MessageKind::kRequest;
      if (item.kind != wire::MessageKind::kRequest) continue;
      const bool open = run.request != nullptr && run.reply == nullptr;
      run = {&item, nullptr, open || run.shared, std::nullopt};
    } else if (is_reply(item)) {
      // Without an id it may be about anything, also where a call has the id null.
      const auto run = id == nullptr || id->is_null() ? runs.end() : runs.find(item.key);
      if (run != runs.end()) run->second.reply = &item;
    } else if (method_of(item) == "tools/progress" ||
               method_of(item) == "notifications/tools/stream") {
      const json::Value* named = json::at(*item.value, "/params/toolRequestId");
      const auto run = named == nullptr ? runs.end() : runs.find(wire::id_key(*named));
      const bool known = run != runs.end() && !run->second.shared;
      if (known && !may_be_garbage(*named)) judge_report(evidence, sink, run->second, item);
    }
  }
}

}  // namespace

void judge_progress(const Evidence& evidence, Sink& sink) {
  if (evidence.profile.tutorial) return judge_reports(evidence, sink);
  if (!evidence.profile.mcp) return;
  Tokens tokens = sent_tokens(evidence);
  const Requests& requests = sent_requests(evidence);
  for (const Item& item : evidence.items) {
    if (item.sent || item.value == nullptr) continue;
    if (is_reply(item)) {
      const Item* request = request_of(requests, item);
      const json::Value* given = request == nullptr ? nullptr : token_of(*request);
      if (given != nullptr) tokens[wire::id_key(*given)].reply = &item;
      continue;
    }
    if (method_of(item) != "notifications/progress") continue;
    if (is_replay(evidence, evidence.transcript.frames[item.frame])) continue;
    const json::Value* token = json::at(*item.value, "/params/progressToken");
    const json::Value* progress = json::at(*item.value, "/params/progress");
    if (token == nullptr || progress == nullptr || !progress->is_number()) continue;  // shape
    const auto known = tokens.find(wire::id_key(*token));
    Token* sent = known == tokens.end() ? same_text(tokens, *token) : &known->second;
    if (sent && known == tokens.end()) judge_retyped(evidence, sink, *sent, item, *token);
    if (sent)
      judge_known(evidence, sink, *sent, item, *progress);
    else
      judge_unknown(evidence, sink, item, *token);
  }
}

}  // namespace harness::oracle
