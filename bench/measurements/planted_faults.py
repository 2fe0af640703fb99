# SPDX-License-Identifier: Apache-2.0
"""The faults that mutating_proxy.py plants, one a run: each breaks a clause of MCP 2025-11-25 that a
client can see, but those that say why they are `lawful`, which nobody has to report. `area` says
which cases, and what of the official tool, are about it."""
from mutating_proxy import PASS, Fault

FAULTS = []


def add(area, name, says, **hooks):
    FAULTS.append(Fault(name, area, says, **hooks))


# --- ways to change

def result_of(method, change):
    """Of replies to the method whose result it is: `change` gets the result, and what it returns
    stands in its place (None: changed in place)."""
    def reply(request, answer):
        if request.get("method") == method and isinstance(answer.get("result"), dict):
            instead = change(answer["result"])
            if instead is not None:
                answer["result"] = instead
        return answer
    return reply


def error_of(change, method=None, code=None):
    def reply(request, answer):
        error = answer.get("error")
        if isinstance(error, dict) and method in (None, request.get("method")) \
                and code in (None, error.get("code")):
            instead = change(error)
            if instead is not None:
                answer["error"] = instead
        return answer
    return reply


def each(method, member, change):
    """Of every item of a list; False leaves the item out."""
    def of(result):
        if isinstance(result.get(member), list):
            result[member] = [one for one in result[member]
                              if not isinstance(one, dict) or change(one) is not False]
    return result_of(method, of)


def first(method, member, change):
    def of(result):
        if isinstance(result.get(member), list) and result[member]:
            change(result[member][0])
    return result_of(method, of)


def content(kind, change, method="tools/call"):
    """Of content blocks of the kind (None: any); of a prompt those of its messages."""
    def of(result):
        blocks = result.get("content") or [one.get("content") for one in result.get("messages", [])]
        for block in blocks:
            if isinstance(block, dict) and kind in (None, block.get("type")):
                change(block)
    return result_of(method, of)


def drop(*names):
    return lambda value: [value.pop(name, None) for name in names] and None


def put(**members):
    return lambda value: value.update(members)


def note_of(method, change):
    def note(message):
        if message["method"] != method:
            return message
        return change(message)
    return note


def params_of(method, change):
    def of(message):
        change(message.setdefault("params", {}))
        return message
    return note_of(method, of)


def answering(method, make, when=lambda params: True):
    """The proxy answers requests of the method itself, with the members that `make` returns."""
    def answer(request):
        params = request.get("params") if isinstance(request.get("params"), dict) else {}
        if request.get("method") != method or "id" not in request or not when(params):
            return PASS
        members = make(params)
        return None if members is None else {"jsonrpc": "2.0", "id": request["id"], **members}
    return answer


def error(code, message="refused"):
    return lambda params: {"error": {"code": code, "message": message}}


def result(**members):
    return lambda params: {"result": members}


def every_reply(change):
    return lambda request, answer: change(answer) or answer


def status(code, when):
    def http(request, response):
        if when(*request):
            response.status = code
    return http


def header(name, value, when=lambda method, message, headers: True):
    def http(request, response):
        if when(*request):
            response.set(name, value)
    return http


def is_method(name):
    return lambda method, message, headers: isinstance(message, dict) and message.get("method") == name


def is_note(method, message, headers):
    return isinstance(message, dict) and "method" in message and "id" not in message


# --- envelopes

def number_to_text(answer):
    if isinstance(answer.get("id"), int):
        answer["id"] = str(answer["id"])


def text_to_number(answer):
    if isinstance(answer.get("id"), str):
        answer["id"] = 7


add("base", "id-number-as-text", "a numeric id comes back as a string", reply=every_reply(number_to_text))
add("base", "id-text-as-number", "a string id comes back as a number", reply=every_reply(text_to_number))
add("base", "jsonrpc-missing", "replies have no jsonrpc", reply=every_reply(drop("jsonrpc")))
add("base", "jsonrpc-1.0", "replies say jsonrpc 1.0", reply=every_reply(put(jsonrpc="1.0")))
add("base", "result-and-error", "results have an error beside them",
    reply=every_reply(lambda one: one.update(error={"code": 1, "message": "x"}) if "result" in one
                      and isinstance(one["result"], dict) and "protocolVersion" not in one["result"]
                      else None))
add("base", "reply-twice", "every reply but that to initialize is sent twice",
    reply=lambda request, one: [one, one] if request["method"] != "initialize" else one)
add("base", "reply-of-nobody", "beside every reply to ping comes one with an id that nobody asked",
    reply=lambda request, one: [{**one, "id": "nobody"}, one] if request["method"] == "ping" else one)
add("base", "error-code-zero", "every error has the code 0", reply=error_of(put(code=0)))
add("base", "error-code-text", "the code of an error is a string",
    reply=error_of(lambda one: one.update(code=str(one["code"]))))
add("base", "error-code-fraction", "the code of an error is no integer",
    reply=error_of(lambda one: one.update(code=one["code"] + 0.5)))
add("base", "error-without-message", "errors have no message", reply=error_of(drop("message")))
add("base", "error-message-object", "the message of an error is an object",
    reply=error_of(put(message={"text": "x"})))
add("base", "error-null-id", "errors have a null id",
    reply=lambda request, one: {**one, "id": None} if "error" in one else one)
add("base", "unknown-method-served", "a method nobody has gets an empty result",
    reply=lambda request, one: {"jsonrpc": "2.0", "id": one.get("id"), "result": {}}
    if one.get("error", {}).get("code") == -32601 else one)
add("base", "unknown-method-code", "a method nobody has is refused with -32600",
    reply=error_of(put(code=-32600), code=-32601))
add("base", "unknown-method-silent", "a method nobody has is not answered",
    reply=lambda request, one: None if one.get("error", {}).get("code") == -32601 else one)
add("base", "result-null", "results of ping are null", reply=lambda request, one: {**one, "result": None}
    if request["method"] == "ping" else one)
add("base", "meta-text", "the _meta of results is a string",
    reply=lambda request, one: {**one, "result": {**one["result"], "_meta": "x"}}
    if isinstance(one.get("result"), dict) and request["method"] != "initialize" else one)
add("base", "notification-answered", "notifications are answered",
    answer=lambda one: {"jsonrpc": "2.0", "id": None, "result": {}}
    if "id" not in one and one.get("method") != "notifications/initialized" else PASS)

# --- life cycle

add("lifecycle", "no-server-info", "initialize has no serverInfo",
    reply=result_of("initialize", drop("serverInfo")))
add("lifecycle", "server-info-no-version", "serverInfo has no version",
    reply=result_of("initialize", lambda one: one["serverInfo"].pop("version")))
add("lifecycle", "server-info-no-name", "serverInfo has no name",
    reply=result_of("initialize", lambda one: one["serverInfo"].pop("name")))
add("lifecycle", "no-capabilities", "initialize has no capabilities",
    reply=result_of("initialize", drop("capabilities")))
add("lifecycle", "capabilities-list", "capabilities is a list",
    reply=result_of("initialize", put(capabilities=[])))
add("lifecycle", "capabilities-empty", "nothing is declared and all is served",
    reply=result_of("initialize", put(capabilities={})))
add("lifecycle", "capability-true", "a capability is true in place of an object",
    reply=result_of("initialize", lambda one: one["capabilities"].update(tools=True)))
add("lifecycle", "any-version-agreed", "any version that a client asks for is agreed to",
    reply=lambda request, one: {**one, "result": {**one["result"], "protocolVersion":
                                request["params"]["protocolVersion"]}}
    if request["method"] == "initialize" and "result" in one else one)
add("lifecycle", "no-version", "initialize names no version",
    reply=result_of("initialize", drop("protocolVersion")))
add("lifecycle", "instructions-list", "instructions is a list",
    reply=result_of("initialize", put(instructions=["x"])))
add("lifecycle", "ping-with-members", "ping has a result that is not empty",
    reply=result_of("ping", put(pong=True)))
add("lifecycle", "ping-refused", "ping is refused", answer=answering("ping", error(-32601)))
add("lifecycle", "ping-silent", "ping is not answered", answer=answering("ping", lambda params: None))
add("lifecycle", "icons-without-src", "an icon of the server has no src",
    reply=result_of("initialize", lambda one: one["serverInfo"].update(icons=[{"mimeType": "image/png"}])))
add("lifecycle", "icon-sizes-text", "sizes of an icon is a string",
    reply=result_of("initialize", lambda one: one["serverInfo"].update(
        icons=[{"src": "https://example.org/i.png", "sizes": "48x48"}])))

# --- tools

LIST = "tools/list"
add("tools", "tools-list-object", "tools is an object",
    reply=result_of(LIST, lambda one: {"tools": {}}))
add("tools", "tools-list-missing", "tools/list has no tools", reply=result_of(LIST, drop("tools")))
add("tools", "tools-empty", "no tool is listed although tools are served",
    reply=result_of(LIST, put(tools=[])), lawful="a list may be empty")
add("tools", "tool-no-name", "a tool has no name", reply=first(LIST, "tools", drop("name")))
add("tools", "tool-name-number", "the name of a tool is a number", reply=first(LIST, "tools", put(name=5)))
add("tools", "tool-name-bad", "the name of a tool has blanks and slashes",
    reply=first(LIST, "tools", put(name="bad name/!")))
add("tools", "tool-no-description", "a tool has no description", reply=each(LIST, "tools", drop("description")),
    lawful="a description is optional in the schema of every revision")
add("tools", "tool-description-number", "the description of a tool is a number",
    reply=first(LIST, "tools", put(description=5)))
add("tools", "tool-no-schema", "a tool has no inputSchema", reply=first(LIST, "tools", drop("inputSchema")))
add("tools", "tool-schema-null", "an inputSchema is null", reply=first(LIST, "tools", put(inputSchema=None)))
add("tools", "tool-schema-array", "an inputSchema is of arrays",
    reply=first(LIST, "tools", put(inputSchema={"type": "array"})))
add("tools", "tool-schema-no-type", "an inputSchema has no type",
    reply=first(LIST, "tools", lambda one: one["inputSchema"].pop("type", None)))
add("tools", "tool-schema-broken", "an inputSchema is no JSON Schema",
    reply=first(LIST, "tools", put(inputSchema={"type": "object", "properties": {"a": {"type": 5}}})))
add("tools", "tool-required-text", "required of an inputSchema is a string",
    reply=first(LIST, "tools", put(inputSchema={"type": "object", "properties": {}, "required": "a"})))
add("tools", "tool-output-schema-array", "an outputSchema is of arrays",
    reply=first(LIST, "tools", put(outputSchema={"type": "array"})))
add("tools", "tool-annotation-text", "readOnlyHint is a string",
    reply=first(LIST, "tools", put(annotations={"readOnlyHint": "yes"})))
add("tools", "tool-title-number", "the title of a tool is a number", reply=first(LIST, "tools", put(title=5)))
add("tools", "tool-names-doubled", "two tools have one name",
    reply=result_of(LIST, lambda one: one["tools"].append(dict(one["tools"][0]))))
add("tools", "tool-listed-not-callable", "a tool is listed that nobody knows",
    reply=result_of(LIST, lambda one: one["tools"].insert(0, {
        "name": "phantom", "description": "x", "inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True}})))
add("tools", "tools-list-error", "tools/list is refused", answer=answering(LIST, error(-32603)))
add("tools", "tool-task-support-unknown", "taskSupport has a value nobody knows",
    reply=first(LIST, "tools", put(execution={"taskSupport": "sometimes"})))
CALL = "tools/call"
add("tools", "call-no-content", "a result of tools/call has no content", reply=result_of(CALL, drop("content")))
add("tools", "call-content-text", "content is a string", reply=result_of(CALL, put(content="x")))
add("tools", "call-text-without-text", "a text block has no text", reply=content("text", drop("text")))
add("tools", "call-text-number", "the text of a block is a number", reply=content("text", put(text=5)))
add("tools", "call-block-unknown", "a block has a type nobody knows", reply=content(None, put(type="hologram")))
add("tools", "call-block-no-type", "a block has no type", reply=content(None, drop("type")))
add("tools", "call-is-error-dropped", "a failed call does not say isError", reply=result_of(CALL, drop("isError")))
add("tools", "call-is-error-text", "isError is a string", reply=result_of(CALL, put(isError="no")))
add("tools", "image-no-mime-type", "an image has no mimeType", reply=content("image", drop("mimeType")))
add("tools", "image-no-data", "an image has no data", reply=content("image", drop("data")))
add("tools", "image-not-base64", "the data of an image is no Base64", reply=content("image", put(data="%%%")))
add("tools", "embedded-no-uri", "an embedded resource has no uri",
    reply=content("resource", lambda one: one["resource"].pop("uri")))
add("tools", "embedded-no-contents", "an embedded resource has neither text nor blob",
    reply=content("resource", lambda one: [one["resource"].pop(name, None) for name in ("text", "blob")]))
add("tools", "link-no-uri", "a resource link has no uri", reply=content("resource_link", drop("uri")))
add("tools", "link-no-name", "a resource link has no name", reply=content("resource_link", drop("name")))
add("tools", "block-priority-5", "the priority of a block is 5",
    reply=content(None, put(annotations={"priority": 5})))
add("tools", "block-audience-unknown", "the audience of a block is nobody's role",
    reply=content(None, put(annotations={"audience": ["everybody"]})))
add("tools", "structured-missing", "a tool with an outputSchema has no structuredContent",
    reply=result_of(CALL, drop("structuredContent")))
add("tools", "structured-wrong", "structuredContent does not fit the outputSchema",
    reply=result_of(CALL, lambda one: one.update(structuredContent={"x": 1}) if "structuredContent" in one
                    else None))
add("tools", "structured-list", "structuredContent is a list",
    reply=result_of(CALL, lambda one: one.update(structuredContent=[1]) if "structuredContent" in one
                    else None))
add("tools", "structured-without-text", "structuredContent has no text beside it",
    reply=result_of(CALL, lambda one: one.update(content=[]) if "structuredContent" in one else None))
NAMES = {"echo", "get-annotated-message", "get-env", "get-resource-links", "get-resource-reference",
         "get-structured-content", "get-sum", "get-tiny-image", "gzip-file-as-resource",
         "toggle-simulated-logging", "toggle-subscriber-updates", "trigger-long-running-operation",
         "simulate-research-query", "get-roots-list", "trigger-sampling-request",
         "trigger-elicitation-request", "trigger-sampling-request-async", "trigger-elicitation-request-async"}
OK = result(content=[{"type": "text", "text": "fine"}])
add("tools", "unknown-tool-served", "a tool nobody has is called with success",
    answer=answering(CALL, OK, lambda params: params.get("name") not in NAMES))
add("tools", "unknown-tool-silent", "a tool nobody has is not answered",
    answer=answering(CALL, lambda params: None, lambda params: params.get("name") not in NAMES))
add("tools", "call-without-name-served", "tools/call without a name succeeds",
    answer=answering(CALL, OK, lambda params: "name" not in params))
add("tools", "arguments-list-served", "arguments that are a list are taken",
    answer=answering(CALL, OK, lambda params: isinstance(params.get("arguments"), list)))
add("tools", "arguments-unchecked", "arguments that break the schema are taken",
    reply=lambda request, one: {**one, "result": {"content": [{"type": "text", "text": "fine"}]}}
    if request["method"] == CALL and one.get("result", {}).get("isError") else one)

# --- resources

LIST = "resources/list"
READ = "resources/read"
add("resources", "resources-missing", "resources/list has no resources", reply=result_of(LIST, drop("resources")))
add("resources", "resource-no-uri", "a resource has no uri", reply=first(LIST, "resources", drop("uri")))
add("resources", "resource-no-name", "a resource has no name", reply=first(LIST, "resources", drop("name")))
add("resources", "resource-uri-relative", "the uri of a resource is none",
    reply=first(LIST, "resources", put(uri="not a uri")))
add("resources", "resource-size-text", "the size of a resource is a string",
    reply=first(LIST, "resources", put(size="5")))
add("resources", "resource-mime-number", "the mimeType of a resource is a number",
    reply=first(LIST, "resources", put(mimeType=5)))
add("resources", "resource-doubled", "a resource is listed twice",
    reply=result_of(LIST, lambda one: one["resources"].append(dict(one["resources"][0]))))
add("resources", "resource-listed-not-readable", "a resource is listed that nobody can read",
    reply=result_of(LIST, lambda one: one["resources"].insert(0, {"uri": "demo://nowhere", "name": "x"})))
add("resources", "resources-list-error", "resources/list is refused", answer=answering(LIST, error(-32603)))
add("resources", "read-no-contents", "resources/read has no contents", reply=result_of(READ, drop("contents")))
add("resources", "read-empty", "resources/read has contents of nothing", reply=result_of(READ, put(contents=[])))
add("resources", "read-no-uri", "what is read has no uri", reply=each(READ, "contents", drop("uri")))
add("resources", "read-other-uri", "what is read has another uri", reply=each(READ, "contents", put(uri="demo://other")),
    lawful="sub-resources may be returned, by uris of their own")
add("resources", "read-no-text", "what is read has neither text nor blob", reply=each(READ, "contents", drop("text", "blob")))
add("resources", "read-text-number", "the text that is read is a number",
    reply=each(READ, "contents", lambda one: one.update(text=5) if "text" in one else None))
add("resources", "read-blob-not-base64", "the blob that is read is no Base64",
    reply=each(READ, "contents", lambda one: one.update(blob="%%%") if "blob" in one else None))
add("resources", "unknown-uri-served", "a uri nobody has is read as an empty list",
    reply=lambda request, one: {"jsonrpc": "2.0", "id": one["id"], "result": {"contents": []}}
    if request["method"] == READ and "error" in one else one)
add("resources", "unknown-uri-code", "a uri nobody has is refused with -32000",
    reply=error_of(put(code=-32000), READ))
add("resources", "template-no-name", "a template has no name",
    reply=first("resources/templates/list", "resourceTemplates", drop("name")))
add("resources", "template-no-uri-template", "a template has no uriTemplate",
    reply=first("resources/templates/list", "resourceTemplates", drop("uriTemplate")))
add("resources", "template-broken", "a uriTemplate is none",
    reply=first("resources/templates/list", "resourceTemplates", put(uriTemplate="demo://{open")))
add("resources", "templates-missing", "resources/templates/list has no resourceTemplates",
    reply=result_of("resources/templates/list", drop("resourceTemplates")))
add("resources", "subscribe-refused", "resources/subscribe is declared and refused",
    answer=answering("resources/subscribe", error(-32601)))
add("resources", "subscribe-not-empty", "resources/subscribe has a result that is not empty",
    reply=result_of("resources/subscribe", put(ok=True)),
    lawful="the page speaks of no empty result, and the schema of none without members")
add("resources", "unsubscribe-refused", "resources/unsubscribe is refused",
    answer=answering("resources/unsubscribe", error(-32603)))
add("resources", "unsubscribe-silent", "resources/unsubscribe is not answered",
    answer=answering("resources/unsubscribe", lambda params: None))

# --- prompts

LIST = "prompts/list"
GET = "prompts/get"
add("prompts", "prompts-missing", "prompts/list has no prompts", reply=result_of(LIST, drop("prompts")))
add("prompts", "prompt-no-name", "a prompt has no name", reply=first(LIST, "prompts", drop("name")))
add("prompts", "prompt-arguments-object", "arguments of a prompt is an object",
    reply=first(LIST, "prompts", put(arguments={})))
add("prompts", "prompt-argument-no-name", "an argument of a prompt has no name",
    reply=each(LIST, "prompts", lambda one: [each.pop("name", None) for each in one.get("arguments", [])] and None))
add("prompts", "prompt-required-text", "required of an argument is a string",
    reply=each(LIST, "prompts", lambda one: [each.update(required="yes") for each in one.get("arguments", [])] and None))
add("prompts", "prompt-listed-not-served", "a prompt is listed that nobody has",
    reply=result_of(LIST, lambda one: one["prompts"].insert(0, {"name": "phantom"})))
add("prompts", "prompts-list-error", "prompts/list is refused", answer=answering(LIST, error(-32603)))
add("prompts", "get-no-messages", "prompts/get has no messages", reply=result_of(GET, drop("messages")))
add("prompts", "get-role-unknown", "the role of a message is nobody's",
    reply=each(GET, "messages", put(role="narrator")))
add("prompts", "get-no-role", "a message has no role", reply=each(GET, "messages", drop("role")))
add("prompts", "get-content-list", "the content of a message is a list",
    reply=each(GET, "messages", lambda one: one.update(content=[one["content"]])))
add("prompts", "get-text-without-text", "a text block of a prompt has no text",
    reply=content("text", drop("text"), GET))
add("prompts", "get-embedded-no-uri", "an embedded resource of a prompt has no uri",
    reply=content("resource", lambda one: one["resource"].pop("uri"), GET))
add("prompts", "get-block-unknown", "a block of a prompt has a type nobody knows",
    reply=content(None, put(type="hologram"), GET))
add("prompts", "unknown-prompt-served", "a prompt nobody has is served",
    reply=lambda request, one: {"jsonrpc": "2.0", "id": one["id"], "result": {"messages": []}}
    if request["method"] == GET and "error" in one else one)
add("prompts", "prompt-missing-argument-code", "prompts/get refuses with -32603",
    reply=error_of(put(code=-32603), GET))

# --- completion, logging, pagination

DONE = "completion/complete"
add("completion", "completion-no-values", "a completion has no values",
    reply=result_of(DONE, lambda one: one["completion"].pop("values")))
add("completion", "completion-missing", "there is no completion in the result", reply=result_of(DONE, drop("completion")))
add("completion", "completion-numbers", "values are numbers",
    reply=result_of(DONE, lambda one: one["completion"].update(values=[1, 2])))
add("completion", "completion-101", "there are 101 values",
    reply=result_of(DONE, lambda one: one["completion"].update(values=[str(n) for n in range(101)])))
add("completion", "completion-total-text", "total is a string",
    reply=result_of(DONE, lambda one: one["completion"].update(total="5")))
add("completion", "completion-total-small", "total is less than there are values",
    reply=result_of(DONE, lambda one: one["completion"].update(total=len(one["completion"]["values"]) - 1)
                    if one["completion"]["values"] else None))
add("completion", "completion-has-more-text", "hasMore is a string",
    reply=result_of(DONE, lambda one: one["completion"].update(hasMore="no")))
add("completion", "completion-refused", "completion/complete is declared and refused",
    answer=answering(DONE, error(-32601)))
add("completion", "completion-unknown-served", "an unknown reference is completed",
    reply=lambda request, one: {"jsonrpc": "2.0", "id": one["id"], "result": {"completion": {"values": []}}}
    if request["method"] == DONE and "error" in one else one)
LEVEL = "logging/setLevel"
add("logging", "set-level-not-empty", "logging/setLevel has a result that is not empty",
    reply=result_of(LEVEL, put(level="x")))
add("logging", "set-level-refused", "logging/setLevel is declared and refused",
    answer=answering(LEVEL, error(-32601)))
add("logging", "level-unknown-taken", "a level nobody knows is taken",
    reply=lambda request, one: {"jsonrpc": "2.0", "id": one["id"], "result": {}}
    if request["method"] == LEVEL and "error" in one else one)
LOG = "notifications/message"
add("logging", "log-level-unknown", "a log message has a level nobody knows",
    note=params_of(LOG, put(level="loud")))
add("logging", "log-no-data", "a log message has no data", note=params_of(LOG, drop("data")))
add("logging", "log-no-level", "a log message has no level", note=params_of(LOG, drop("level")))
add("logging", "log-logger-number", "the logger of a message is a number", note=params_of(LOG, put(logger=5)))
add("pagination", "cursor-endless", "every list has a next page",
    reply=lambda request, one: {**one, "result": {**one["result"], "nextCursor": "again"}}
    if request["method"].endswith("/list") and "result" in one else one)
add("pagination", "cursor-null", "nextCursor is null on the last page",
    reply=lambda request, one: {**one, "result": {**one["result"], "nextCursor": None}}
    if request["method"].endswith("/list") and "result" in one else one)
add("pagination", "cursor-number", "nextCursor is a number",
    reply=lambda request, one: {**one, "result": {**one["result"], "nextCursor": 2}}
    if request["method"].endswith("/list") and "result" in one else one)

# --- requests of the server, progress, cancellation

add("requests", "sampling-no-max-tokens", "sampling/createMessage has no maxTokens",
    note=params_of("sampling/createMessage", drop("maxTokens")))
add("requests", "sampling-no-messages", "sampling/createMessage has no messages",
    note=params_of("sampling/createMessage", drop("messages")))
add("requests", "sampling-role-unknown", "a message of sampling has nobody's role",
    note=params_of("sampling/createMessage", lambda one: [each.update(role="x") for each in one["messages"]]))
add("requests", "sampling-lost", "the server does not ask for sampling",
    note=note_of("sampling/createMessage", lambda message: None))
add("requests", "elicitation-no-message", "elicitation/create has no message",
    note=params_of("elicitation/create", drop("message")))
add("requests", "elicitation-no-schema", "elicitation/create has no requestedSchema",
    note=params_of("elicitation/create", drop("requestedSchema")))
add("requests", "elicitation-nested", "requestedSchema has an object within",
    note=params_of("elicitation/create", lambda one: one["requestedSchema"]["properties"].update(
        deep={"type": "object", "properties": {}})))
add("requests", "request-null-id", "requests of the server have a null id",
    note=lambda one: {**one, "id": None} if "id" in one else one)
add("requests", "roots-unasked", "a client that declared no roots is asked for them at tools/list",
    reply=lambda request, one: [{"jsonrpc": "2.0", "id": "r-%s" % one["id"], "method": "roots/list"}, one]
    if request["method"] == "tools/list" else one)
add("requests", "sampling-unasked", "a client that declared no sampling is asked for it at tools/list",
    reply=lambda request, one: [{"jsonrpc": "2.0", "id": "s-%s" % one["id"], "method":
                                 "sampling/createMessage", "params": {"messages": [], "maxTokens": 1}}, one]
    if request["method"] == "tools/list" else one)
STEP = "notifications/progress"
COUNT = {}
add("progress", "progress-other-token", "progress has a token nobody gave",
    note=params_of(STEP, put(progressToken="somebody-else")))
add("progress", "progress-constant", "progress does not grow", note=params_of(STEP, put(progress=1)))
add("progress", "progress-falls", "progress falls",
    note=params_of(STEP, lambda one: one.update(progress=-one["progress"])))
add("progress", "progress-text", "progress is a string",
    note=params_of(STEP, lambda one: one.update(progress=str(one["progress"]))))
add("progress", "progress-no-token", "progress has no token", note=params_of(STEP, drop("progressToken")))
add("progress", "progress-total-text", "total is a string", note=params_of(STEP, put(total="all")))
add("progress", "progress-unasked", "progress comes for requests without a token",
    reply=lambda request, one: [{"jsonrpc": "2.0", "method": STEP, "params":
                                 {"progressToken": one["id"], "progress": 1}}, one]
    if request["method"] == "tools/list" else one)
add("cancel", "cancelled-of-nobody", "the server cancels a request that nobody made",
    reply=lambda request, one: [{"jsonrpc": "2.0", "method": "notifications/cancelled",
                                 "params": {"requestId": "nobody"}}, one]
    if request["method"] == "tools/list" else one)
add("cancel", "cancelled-own-reply", "the server cancels what it answers",
    reply=lambda request, one: [{"jsonrpc": "2.0", "method": "notifications/cancelled",
                                 "params": {"requestId": one["id"]}}, one]
    if request["method"] == "tools/list" else one)
add("cancel", "notification-unknown", "a notification of a method nobody has comes with tools/list",
    reply=lambda request, one: [{"jsonrpc": "2.0", "method": "tools/changed"}, one]
    if request["method"] == "tools/list" else one,
    lawful="no clause is against notifications of one's own")
add("cancel", "list-changed-with-params-list", "list_changed has params that are a list",
    reply=lambda request, one: [{"jsonrpc": "2.0", "method": "notifications/tools/list_changed",
                                 "params": []}, one]
    if request["method"] == "tools/list" else one)

# --- HTTP

add("http", "notification-200", "a notification is answered with 200", http=status(200, is_note))
add("http", "notification-204", "a notification is answered with 204", http=status(204, is_note))
add("http", "reply-201", "requests are answered with 201", http=status(201, is_method("tools/list")))
add("http", "reply-500", "tools/list is answered with 500", http=status(500, is_method("tools/list")))
add("http", "sse-as-text", "an event stream calls itself text/plain",
    http=lambda request, response: response.set("Content-Type", "text/plain")
    if (response.header("content-type") or "").startswith("text/event-stream") else None)
add("http", "no-content-type", "replies have no Content-Type",
    http=lambda request, response: response.set("Content-Type", None))
add("http", "session-id-not-ascii", "the session id is not ASCII",
    http=lambda request, response: response.set("Mcp-Session-Id", "s\u00e9ance")
    if response.header("mcp-session-id") else None)
add("http", "session-id-blank", "the session id has a blank in it",
    http=lambda request, response: response.set("Mcp-Session-Id", "two words")
    if response.header("mcp-session-id") else None)
add("http", "session-unknown-200", "a session nobody has is served", http=status(200, lambda method, message, headers:
    method == "POST" and bool(headers.get("mcp-session-id"))))
add("http", "session-unknown-500", "what is refused is refused with 500",
    http=lambda request, response: setattr(response, "status", 500) if response.status in (400, 404) else None)
add("http", "delete-500", "DELETE is answered with 500", http=status(500, lambda method, *_: method == "DELETE"))
add("http", "get-200-json", "GET is answered with 200 and JSON",
    http=lambda request, response: (setattr(response, "status", 200),
                                    response.set("Content-Type", "application/json"))
    if request[0] == "GET" else None)
add("http", "bad-json-200", "text that is not JSON is answered with 200",
    http=status(200, lambda method, message, headers: method == "POST" and message is None))
add("http", "cors-wildcard-credentials", "any origin is allowed with credentials",
    http=lambda request, response: (response.set("Access-Control-Allow-Origin", "*"),
                                    response.set("Access-Control-Allow-Credentials", "true")),
    lawful="nothing but Origin itself is spoken of; browsers refuse the pair")

BY_NAME = {fault.name: fault for fault in FAULTS}
