// SPDX-License-Identifier: Apache-2.0
// One change in one place; and the table: each row cites a clause there is, and changes something
// of what the sound server says in a conversation that asks for everything.
#include "harness/reference/shape_faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/reference/conversation.h"

namespace harness::reference {
namespace {

using json::Value;

ShapeFault row(std::string_view path, Change change, std::string_view value = "") {
  return {"name", "clause", Sent::kResult, "tools/list", path,
          change, value,    "2025-03-26",  "2025-11-25"};
}

std::string changed(const ShapeFault& fault, std::string_view text,
                    std::string_view version = "2025-06-18") {
  Value body = json::parse(text);
  return apply(fault, {Sent::kResult, "tools/list", version, body}) ? json::write(body) : "";
}

TEST(ShapeFault, ChangesTheFirstPlaceThatFits) {
  const struct {
    const char* path;
    Change change;
    const char* value;
    const char* before;
    const char* after;  // "" where nothing fits
  } kRows[] = {
      {"a", Change::kRemove, "", R"({"a":1,"b":2})", R"({"b":2})"},
      {"a", Change::kRemove, "", R"({"b":2})", ""},
      {"a", Change::kSet, "null", R"({"b":2})", R"({"b":2,"a":null})"},
      {"a/b", Change::kSet, "1", R"({"b":2})", ""},
      {"a/*/b", Change::kRemove, "", R"({"a":[{"c":1},{"b":1},{"b":1}]})",
       R"({"a":[{"c":1},{},{"b":1}]})"},
      {"a/*", Change::kSet, "7", R"({"a":{"x":1,"y":1}})", R"({"a":{"x":7,"y":1}})"},
      {"a/*", Change::kSet, "7", R"({"a":[]})", ""},
      {"a/*{type=text}/data", Change::kSet, "7", R"({"a":[{"type":"image"},{"type":"text"}]})",
       R"({"a":[{"type":"image"},{"type":"text","data":7}]})"},
      {"a{type=x/y}/b", Change::kRemove, "", R"({"a":{"type":"x/y","b":1}})",
       R"({"a":{"type":"x/y"}})"},
      {"a{type=text}", Change::kSet, "1", R"({})", ""},
      {"{type=text}/b", Change::kSet, "1", R"({"type":"text"})", R"({"type":"text","b":1})"},
      {"{type=text}/b", Change::kSet, "1", R"({"type":"image"})", ""},
      {"m/a~1b", Change::kRemove, "", R"({"m":{"a/b":1}})", R"({"m":{}})"},
      {"a", Change::kAppend, "3", R"({"a":[1]})", R"({"a":[1,3]})"},
      {"a", Change::kAppend, "3", R"({"a":1})", ""},
      {"a", Change::kInsert, "*", R"({"a":"abcd"})", R"({"a":"ab*cd"})"},
      {"a", Change::kInsert, "*", R"({"a":4})", ""},
      {"a", Change::kWrap, "", R"({"a":{}})", R"({"a":[{}]})"},
      {"", Change::kSet, "[]", R"({"a":1})", "[]"},
  };
  for (const auto& one : kRows) {
    SCOPED_TRACE(one.path);
    EXPECT_EQ(changed(row(one.path, one.change, one.value), one.before), one.after);
  }
}

TEST(ShapeFault, ActsInItsRevisionsOnItsMessages) {
  const ShapeFault fault = row("a", Change::kRemove);
  const char* text = R"({"a":1})";
  EXPECT_EQ(changed(fault, text, "2024-11-05"), "");
  EXPECT_EQ(changed(fault, text, "2025-03-26"), "{}");
  EXPECT_EQ(changed(fault, text, "2025-11-25"), "{}");
  EXPECT_EQ(changed(fault, text, "2026-07-28"), "");
  EXPECT_EQ(changed(fault, text, "tutorial"), "");
  Value body = json::parse(text);
  EXPECT_FALSE(apply(fault, {Sent::kResult, "tools/call", "2025-06-18", body}));
  EXPECT_FALSE(apply(fault, {Sent::kNotification, "tools/list", "2025-06-18", body}));
}

TEST(ShapeFault, ReachesRequestsInsideOfResults) {
  ShapeFault fault = row("message", Change::kRemove);
  fault.sent = Sent::kRequest;
  fault.of = "elicitation/create";
  EXPECT_EQ(
      changed(fault, R"({"inputRequests":{"r":{"method":"roots/list","params":{"message":1}},)"
                     R"("e":{"method":"elicitation/create","params":{"message":1}}}})"),
      R"({"inputRequests":{"r":{"method":"roots/list","params":{"message":1}},)"
      R"("e":{"method":"elicitation/create","params":{}}}})");
  EXPECT_EQ(changed(fault, R"({"tools":[]})"), "");
}

TEST(ShapeFault, SaysWhatItDoes) {
  ShapeFault fault = row("tools/*/name", Change::kSet, "7");
  EXPECT_EQ(help_of(fault),
            "In results of tools/list, tools/*/name is 7 (2025-03-26 to 2025-11-25)");
  fault.sent = Sent::kError;
  fault.of = "-32042";
  fault.change = Change::kRemove;
  fault.until = fault.since;
  EXPECT_EQ(help_of(fault), "In errors -32042, tools/*/name is missing (2025-03-26)");
}

// --- the table

// What the sound server said, as rows of the table see it.
struct Said {
  Sent sent;
  std::string of;
  std::string version;
  Value body;
};

// Asks for everything the reference server can say under one revision.
class Tour {
 public:
  explicit Tour(const std::string& version, std::vector<Said>& said)
      : version_(version), talk_(profile_of(version)), said_(said) {}

  void walk() {
    if (version_ != "2026-07-28") {
      ask("initialize", R"({"protocolVersion":")" +
                            (version_ == "tutorial" ? "2024-11-05" : version_) +
                            R"(","capabilities":)" + kCapabilities +
                            R"(,"clientInfo":{"name":"test","version":"1"}})");
      hear(talk_.say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"));
    }
    ask("server/discover", "{}");
    for (const char* method :
         {"tools/list", "resources/list", "resources/templates/list", "prompts/list"})
      list(method);
    ask("subscriptions/listen",
        R"({"notifications":{"toolsListChanged":true,"promptsListChanged":true,)"
        R"("resourcesListChanged":true,"resourceSubscriptions":["test://watched-resource"]}})");
    ask("logging/setLevel", R"({"level":"debug"})");
    for (const char* uri : {"test://watched-resource", "file:///docs/readme.md"})
      ask("resources/subscribe", std::string(R"({"uri":")") + uri + R"("})");
    for (const char* uri : {"test://static-text", "test://static-binary", "file:///docs/readme.md"})
      ask("resources/read", std::string(R"({"uri":")") + uri + R"("})");
    for (const char* prompt : {"test_simple_prompt", "test_prompt_with_embedded_resource",
                               "test_prompt_with_image", "spoken_note", "code_reviewer"})
      ask("prompts/get", std::string(R"({"name":")") + prompt +
                             R"(","arguments":{"resourceUri":"test://a","language":"c"}})");
    ask("completion/complete",
        R"({"ref":{"type":"ref/prompt","name":"test_prompt_with_arguments"},)"
        R"("argument":{"name":"arg1","value":"test"}})");
    call_tools();
    ask("resources/unsubscribe", R"({"uri":"file:///docs/readme.md"})");
    if (version_ == "2025-11-25") run_tasks();
    if (version_ == "2026-07-28") be_refused();
    if (version_ == "tutorial") {
      ask("tools/batch_call", R"({"calls":[{"name":"echo","arguments":{"message":"hi"}}]})");
      ask("tools/call", R"({"name":"get_weather","arguments":{"city":5}})");
    }
  }

 private:
  static constexpr const char* kCapabilities =
      R"({"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}})";

  void run_tasks() {
    for (int i = 0; i < 4; ++i) {
      ask("tools/call", R"({"name":"slow_operation","arguments":{"durationMs":9000},"task":{}})");
      const Value* made = json::at(last_result("tools/call").body, "/task/taskId");
      ASSERT_NE(made, nullptr);
      const std::string id = R"({"taskId":")" + made->text + R"("})";
      ask("tasks/get", id);
      if (i == 0) ask("tasks/cancel", id);
      ask("tasks/list", "{}");
      if (i == 1) ask("tasks/result", id);
    }
    hear(talk_.wait(10));
    ask("tools/call", R"({"name":"test_error_handling","task":{"ttl":1000}})");
  }

  static std::string profile_of(const std::string& version) { return "mcp-" + version; }

  // A client that can do nothing, and one of a revision to come.
  void be_refused() {
    ask("tools/call", R"({"name":"test_missing_capability"})", meta("2026-07-28", "{}"));
    ask("tools/list", "{}", meta("2030-01-01", kCapabilities));
  }

  static std::string meta(const std::string& version, const std::string& capabilities) {
    return R"({"io.modelcontextprotocol/protocolVersion":")" + version +
           R"(","io.modelcontextprotocol/logLevel":"debug","progressToken":"p",)" +
           R"("io.modelcontextprotocol/clientCapabilities":)" + capabilities + "}";
  }

  const Said& last_result(const std::string& method) const {
    return *std::find_if(said_.rbegin(), said_.rend(), [&](const Said& one) {
      return one.sent == Sent::kResult && one.of == method;
    });
  }

  void list(const std::string& method) {
    for (std::string params = "{}"; !params.empty();) {
      ask(method, params);
      const Value* next = last_result(method).body.find("nextCursor");
      params = next == nullptr ? "" : R"({"cursor":)" + json::write(*next) + "}";
    }
  }

  // Each tool that was listed, with whichever of these arguments it has.
  void call_tools() {
    Value offered = json::parse(
        R"({"message":"hi","prompt":"hi","a":2,"b":3,"name":"Ada","value":1,"region":"eu-1",)"
        R"("operation":"add","city":"Beijing","key":"a","data":[1,2],"seconds":0.05,"stream":true})");
    if (version_ == "tutorial") offered.set("uri", json::string("file:///docs/readme.md"));
    std::vector<std::string> calls;
    for (const Said& one : said_) {
      const Value* tools = one.of == "tools/list" ? one.body.find("tools") : nullptr;
      if (tools == nullptr || one.version != version_) continue;
      for (const Value& tool : tools->items) {
        Value arguments = json::object();
        const Value* properties = json::at(tool, "/inputSchema/properties");
        for (const json::Member& given : offered.members)
          if (properties != nullptr && properties->find(given.name) != nullptr)
            arguments.set(given.name, given.value);
        calls.push_back(json::write(
            json::object({{"name", *tool.find("name")}, {"arguments", std::move(arguments)}})));
      }
    }
    for (const std::string& call : calls) ask("tools/call", call);
  }

  void ask(const std::string& method, const std::string& params_text,
           const std::string& with = "") {
    Value params = json::parse(params_text);
    const std::string usual =
        version_ == "2026-07-28" ? meta(version_, kCapabilities) : R"({"progressToken":"p"})";
    params.set("_meta", json::parse(with.empty() ? usual : with));
    const std::string id = std::to_string(++last_id_);
    methods_.push_back(method);
    const Value request = json::object({{"jsonrpc", json::string("2.0")},
                                        {"id", json::number_spelled(id)},
                                        {"method", json::string(method)},
                                        {"params", params}});
    hear(talk_.say(json::write(request)));
    hear(talk_.wait(2));
  }

  void hear(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const Value message = json::parse(text);
      const Value* method = message.find("method");
      const Value* id = message.find("id");
      if (method == nullptr) {
        const std::string& asked = methods_.at(std::stoul(id->text) - 1);
        if (const Value* result = message.find("result"))
          said_.push_back({Sent::kResult, asked, version_, *result});
        else
          said_.push_back({Sent::kError, json::at(message, "/error/code")->text, version_,
                           *message.find("error")});
        continue;
      }
      const Value* params = message.find("params");
      said_.push_back({id == nullptr ? Sent::kNotification : Sent::kRequest, method->text, version_,
                       params == nullptr ? json::null() : *params});
      if (id == nullptr) continue;
      hear(talk_.say(R"({"jsonrpc":"2.0","id":)" + json::write(*id) +
                     R"(,"result":{"roots":[],"action":"accept","role":"assistant",)"
                     R"("model":"none","content":{"type":"text","text":"4"}}})"));
    }
  }

  std::string version_;
  Conversation talk_;
  std::vector<Said>& said_;
  std::vector<std::string> methods_;
  int last_id_ = 0;
};

TEST(ShapeFaultTable, EachRowChangesSomethingTheSoundServerSays) {
  std::vector<Said> said;
  for (const char* version :
       {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "tutorial"})
    Tour(version, said).walk();
  for (const ShapeFault& fault : shape_faults()) {
    const bool acts = std::any_of(said.begin(), said.end(), [&](const Said& one) {
      Value body = one.body;
      return apply(fault, {one.sent, one.of, one.version, body}) && !json::equal(body, one.body);
    });
    EXPECT_TRUE(acts) << fault.name << ": " << help_of(fault);
  }
}

TEST(ShapeFaultTable, CitesClausesOfTheCatalogue) {
  std::stringstream catalogue;
  for (const char* file : {"base.yaml", "features.yaml"})
    catalogue
        << std::ifstream(std::string(RPCSPEC_SOURCE_DIR) + "/cases/requirements/" + file).rdbuf();
  const std::string text = catalogue.str();
  for (const ShapeFault& fault : shape_faults()) {
    const std::size_t entry = text.find("\n- id: " + std::string(fault.clause) + "\n");
    ASSERT_NE(entry, std::string::npos) << fault.name << " " << fault.clause;
    const std::size_t revisions = text.find("revisions: [", entry);
    const std::string listed = text.substr(revisions, text.find(']', revisions) - revisions);
    EXPECT_NE(listed.find(fault.since), std::string::npos) << fault.name << " since";
    EXPECT_NE(listed.find(fault.until), std::string::npos) << fault.name << " until";
  }
}

}  // namespace
}  // namespace harness::reference
