// SPDX-License-Identifier: Apache-2.0
// For tests: conversations, and whose reply each received message is (story.h says how they are
// written).
#pragma once

namespace harness::trace {

struct Told {
  const char* what;
  const char* text;
};

inline constexpr Told kStories[] = {
    // --- under their ids
    {"replies in any order",
     "> call 1\n> call \"1\"\n< ok \"1\" = request @2\n< ok 1 = request @1"},
    {"1.0 is 1", "> call 1.0\n< ok 1 = request @1"},
    {"a second reply", "> call 1\n< ok 1 = request @1\n< ok 1 = again @1"},
    {"an id used twice, one after the other",
     "> call 1\n< ok 1 = request @1\n> call 1\n< ok 1 = request @3"},
    {"an id used twice at once",
     "> call 1\n> call 1\n< ok 1 = several @1 @2\n< ok 1 = several @1 @2"},
    {"a reply before its request",
     "> call 1\n< ok 1 = request @1\n< ok 2 = premature @4\n> call 2\n< ok 2 = request @4"},
    {"an id that was never sent", "> call 1\n< ok 1 = request @1\n< ok 9 = nobody"},
    {"the reply to a notification", "> note\n< ok 0 = notification @1"},
    {"the reply to what a case before asked",
     "* earlier 7\n> call 8\n< ok 7 = earlier\n< ok 8 = request @1"},
    {"a refused stray response is under its id",
     "> {\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}}\n< err 4 -32600 = request @1"},
    {"an answer to the server is no question",
     "> call 1\n< {\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"roots/list\"} = no reply\n"
     "> {\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}}\n< err 4 -32600 = response @3\n"
     "< ok 1 = request @1"},
    {"an id of a kind that none has, written as another",
     "> {\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"x\"}\n"
     "> {\"jsonrpc\":\"2.0\",\"method\":\"y\"}\n< err [] -32601 = altered type @1"},
    {"an id of a kind that none has, written as another of more",
     "> {\"id\":{\"a\":1},\"method\":\"x\"}\n< err [] -32601 = mentioned"},
    {"the id of a part of a message", "> {\"params\":{\"id\":3}}\n< err 3 -32600 = mentioned @1"},

    // --- under another id
    {"a number came back as text", "> call 7\n< ok \"7\" = altered type @1"},
    {"text came back as a number", "> call \"1e3\"\n< ok 1000 = altered type @1"},
    {"text came back as a number that JSON would not read in it, behind one that was refused",
     "> {\"id\":\"1\",\"method\":0}\n< err \"1\" -32600 = request @1\n"
     "> call \"01\"\n< ok 1 = altered type @3\n> call \"+2\"\n< ok 2 = altered type @5"},
    {"text came back in capitals", "> call \"abc\"\n< ok \"ABC\" = altered text @1"},
    {"a fraction was dropped", "> call 1.5\n< ok 1 = altered fraction @1"},
    {"an integer was rounded",
     "> call 9007199254740993\n< ok 9007199254740992 = altered rounded @1"},
    {"an integer was cut to 32 bits",
     "> call -9007199254740991\n< err 1 -32601 = altered bits @1\n"
     "> call 2147483648\n< ok -2147483648 = altered bits @3"},
    {"an integer was cut to the id of what was refused before",
     "> {\"id\":1,\"method\":0}\n< err 1 -32600 = request @1\n> call 901\n< ok 901 = request @3\n"
     "> call 4294967297\n< err 1 -32601 = altered bits @5"},
    {"of two one was cut to 32 bits, the other is nearer",
     "> {\"id\":9007199254740992.0,\"method\":0}\n< err null -32600 = request @1\n"
     "> call -9007199254740991\n< err 1 -32601 = altered bits @3"},
    {"one id twice, rounded both times",
     "> call 9007199254740993\n< ok 9007199254740992 = altered rounded @1\n"
     "> call 9007199254740993\n< ok 9007199254740992 = altered rounded @3"},
    {"one id twice in what is no request, rounded both times",
     "> {\"id\":-9223372036854775809,\"method\":0}\n"
     "< err -9.2233720368547758e+18 -32600 = altered rounded @1\n"
     "> call 901\n< ok 901 = request @3\n> call 902\n< ok 902 = request @5\n"
     "> {\"jsonrpc\":\"2.0\",\"id\":-9223372036854775809,\"method\":0}\n"
     "< err -9.2233720368547758e+18 -32600 = altered rounded @7\n"
     "> call 903\n< ok 903 = request @9\n> call 904\n< ok 904 = request @11"},
    {"two that are no requests were rounded, the first refused without an id",
     "> {\"id\":77777777777777777777,\"method\":0}\n> call 901\n< err null -32600 = request @1\n"
     "< ok 901 = request @2\n> call 902\n< ok 902 = request @5\n"
     "> {\"id\":-9223372036854775809}\n> call 903\n"
     "< err -9.2233720368547758e+18 -32600 = mentioned @7\n< ok 903 = request @8\n"
     "> call 904\n< ok 904 = request @11"},
    {"of two the nearer was rounded",
     "> call -9223372036854775808\n> call 123456789012345678901234567890\n"
     "< ok -9223372036854775808 = request @1\n< ok 1.2345678901234568e+29 = altered rounded @2"},
    {"a rounded id and the id it was rounded to",
     "> call 1e-400\n> call 0\n< ok 0 = request @2\n< ok 0 = altered fraction @1"},
    {"what is no request, then a request, one id when rounded",
     "> {\"id\":1e-400}\n> {\"id\":0}\n< err 0 -32600 = request @2\n< err 0 -32600 = mentioned @1"},
    {"a reply that a large id is not made into",
     "> call 1e400\n> call 7\n< ok 7 = request @2\n< ok 7 = again @2"},
    {"always the same id",
     "> call 5\n< ok 0 = altered constant @1\n> call 6\n< ok 0 = altered constant @3"},
    {"always the id of the request before",
     "> call 5\n< ok 4 = altered previous @1\n> call 6\n< ok 5 = altered previous @3\n"
     "> call 7\n< ok 6 = altered previous @5"},
    {"always the id of the request before, none at first",
     "> call 5\n< ok null = earlier @1\n> call 6\n< ok 5 = altered previous @3\n"
     "> call 7\n< ok 6 = altered previous @5"},
    {"always the id of the request before, also of several at once",
     "> call 5\n< ok 4 = altered previous @1\n> call 6\n> call 7\n"
     "< ok 5 = altered previous @3\n< ok 6 = altered previous @4"},
    {"an invention before replies that come behind the next request",
     "> call 5\n> call 6\n< ok 4 = nobody\n< ok 5 = request @1\n< ok 6 = request @2"},
    {"held back until the next message is not the id of the one before",
     "> call 5\n> call 6\n< ok 5 = request @1\n> call 7\n< ok 6 = request @2"},
    {"an error lost the id", "> call 1\n< err null -32601 = altered lost @1"},
    {"a result lost the id", "> call 1\n< ok null = altered lost @1"},

    // --- without an id
    {"broken text is refused", "> {oops\n< err null -32700 = request @1"},
    {"one error too many", "> {}\n< err null -32600 = request @1\n< err null -32600 = nobody"},
    {"an error to a notification", "> note\n< err null -32601 = notification @1"},
    {"an error to a notification or to the request behind it",
     "> note\n> call 1\n< err null -32601 = request @2"},
    {"an error that names the notification, and one that names the request behind it",
     "> note\n> call 1\n"
     "< {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-1,\"message\":\"no rpcspec/n\"}}"
     " = notification @1\n"
     "< {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-1,\"message\":\"no rpcspec/a\"}}"
     " = request @2"},
    {"an error to no notification, for what came behind it is answered",
     "> note\n> call 1\n< ok 1 = request @2\n> call 2\n< err null -32601 = altered lost @4"},
    {"an error to an answer of ours behind a notification",
     "> note\n< {\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"roots/list\"} = no reply\n"
     "> {\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}}\n< err null -32600 = response @3"},
    {"an error out of the blue", "> call 1\n< ok 1 = request @1\n< err null -32600 = nobody"},
    {"refusals go where they suit",
     "> {oops\n> {}\n< err null -32600 = request @2\n< err null -32700 = request @1"},
    {"refusals come in order where nothing else tells",
     "> \"\"\n> 0\n< err null -32600 = request @1\n< err null -32600 = request @2"},
    {"one refusal for two", "> {}\n> 0\n< err null -32600 = several @1 @2"},
    {"each answered before the next is sent, [] with []",
     "> []\n< [] = request @1\n> call 901\n< ok 901 = request @3\n"
     "> 0\n< err null -32600 = request @5\n> call 902\n< ok 902 = request @7\n"
     "> 1\n< err null -32600 = request @9\n> call 903\n< ok 903 = request @11"},
    {"the same without anything between",
     "> []\n< [] = request @1\n> 0\n< err null -32600 = request @3\n"
     "> 1\n< err null -32600 = request @5"},
    {"one that was never answered, and then one that was",
     "> 0\n> call 901\n< ok 901 = request @2\n> 1\n< err null -32600 = several @4 @1\n"
     "> call 902\n< ok 902 = request @6\n> call 903\n< ok 903 = request @8\n"
     "> 2\n< err null -32600 = request @10"},
    {"one that was never answered does not shift what comes for all behind it",
     "* mcp-2025-06-18\n> {}\n> call 901\n< ok 901 = request @2\n"
     "> {}\n< err null -32600 = several @4 @1\n> call 902\n< ok 902 = request @6\n"
     "> {}\n< err null -32600 = several @8 @4\n> call 903\n< ok 903 = request @10\n"
     "> {}\n< err null -32600 = several @12 @8"},
    {"one that was never answered takes no reply when two requests were answered since",
     "> {\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"rpcspec/a\"}\n"
     "> call 901\n< ok 901 = request @2\n> call 902\n< ok 902 = request @4\n"
     "> {\"jsonrpc\":0,\"id\":null,\"method\":0}\n< err null -32600 = request @6\n"
     "> call 903\n< ok 903 = request @8\n> call 904\n< ok 904 = request @10"},
    {"a refusal that was overtaken once",
     "> 0\n> call 901\n< ok 901 = request @2\n> 1\n< err null -32600 = request @1\n"
     "< err null -32600 = request @4"},
    {"a refusal may be late", "* earlier null\n> {}\n< err null -32600 = earlier @1"},
    {"a request with the id null", "> call null\n< ok null = request @1"},

    // --- ids in broken text
    {"the id of a trailing comma", "> {\"id\":9,}\n< ok 9 = text @1"},
    {"the id of what is no request, then again in broken text",
     "> {\"id\":9}\n< err 9 -32600 = request @1\n> call 901\n< ok 901 = request @3\n"
     "> {\"id\":9}}\n< err 9 -32600 = text @5\n> call 902\n< ok 902 = request @7\n"
     "> call 903\n< ok 903 = request @9"},
    {"a NUL behind the message",
     "> {\"jsonrpc\":\"2.0\",\"id\":303266,\"method\":\"rpcspec/a\"}\\0\n< ok 303266 = text @1"},
    {"no id behind the colon: any will do",
     "> id:\n> call 18446744073709551615\n< ok 18446744073709551616 = several @2 @1"},
    {"no id behind the colon: none will do when two requests were answered since",
     "> id:\n< err null -32700 = request @1\n> call 901\n< ok 901 = several @3 @1\n"
     "> call 902\n< ok 902 = several @5 @1\n"
     "> call 18446744073709551615\n< ok -1 = altered rounded @7"},
    {"an id that is not in the text", "> {\"id\":9,\n< err 0 -32700 = stale @1"},
    {"an id that is not in the text, with another code", "> {\"id\":9,\n< err 0 -32600 = nobody"},
    {"the id of the request before it, for broken text",
     "> call 7\n< ok 7 = request @1\n> {\n< err 7 -32700 = stale @3\n> call 901\n"
     "< ok 901 = request @5\n> call 902\n< ok 902 = request @7"},
    {"the id of the request before it, for broken text that was refused by its own error",
     "> call 7\n< ok 7 = request @1\n> {\n< err null -32700 = request @3\n"
     "< err 7 -32700 = again @1"},
    {"the id of the request before it, with another code",
     "> call 7\n< ok 7 = request @1\n> {\n< err 7 -32601 = again @1"},
    {"an id that waits twice, once more for broken text between",
     "> call 7\n> {\n> call 1e400\n> call 7\n< ok 7 = several @1 @4\n< err 7 -32700 = stale @2\n"
     "< ok 7 = several @1 @4"},
    {"an id that waits, refused as broken text before its own reply",
     "> call 7\n> {\n< err 7 -32700 = stale @2\n< ok 7 = request @1"},
    {"an id that waits, refused as broken text",
     "> call 7\n> {\n< err 7 -32700 = request @1"},
    {"the id of what was asked before, for broken text",
     "* earlier 7\n> {\n< err 7 -32700 = stale @1\n> call 901\n< ok 901 = request @3"},
    {"an id that may be in the text is no other's",
     "> call 7\n< ok 7 = request @1\n> {\"id\":7,}\n< err 7 -32700 = text @3"},
    {"behind a byte order mark",
     "> \xef\xbb\xbf{\"id\":9,\"method\":\"rpcspec/a\"}\n< err 9 -32601 = text @1"},
    {"behind a byte order mark, refused as broken text",
     "> \xef\xbb\xbf{\"id\":9,\"method\":\"rpcspec/a\"}\n< err null -32700 = request @1"},

    // --- arrays
    {"an array answers the array with its ids",
     "> [{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}]\n"
     "< [{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}] = request @1"},
    {"an array without ids answers the one that waits",
     "> [1]\n< [{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"\"}}] = "
     "request @1"},

    {"an array answers broken text that a lenient reader took for one",
     "> [\"\x19\"]\n< "
     "[{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"\"}}] = "
     "request @1\n> call 901\n< ok 901 = request @3\n> call 902\n< ok 902 = request @5"},
    {"an array without ids answers the array that waits before broken text",
     "> {\"o\n> [1]\n< "
     "[{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"\"}}] = "
     "request @2"},
    {"an array answers one of several broken texts",
     "> [\"\x19\"]\n> [1,\n< "
     "[{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"\"}}] = "
     "several @1 @2\n> call 901\n< ok 901 = request @4\n> call 902\n< ok 902 = request @6"},
    {"an array with ids of nobody answers no broken text without them",
     "> [\"\x19\"]\n< [{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{}}] = no reply"},

    {"an array that is refused whole has a bad element with the id of the next request",
     "* mcp-2025-06-18\n> [{\"jsonrpc\":\"2.1\",\"id\":5,\"method\":\"rpcspec/a\"},"
     "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"rpcspec/a\"}]\n< err null -32600 = request @1\n"
     "> call 5\n< err 5 -32600 = several @1 @3\n> {\"jsonrpc\":\"2.0\",\"id\":5,\"result\":[]}\n"
     "> call 5\n< err 5 -32600 = several @3 @5 @6"},

    {"a request of ours has the id of one of the server",
     "< call 2 = no reply\n> ok 2\n> call 2\n< ok 2 = request @3"},

    // --- HTTP
    {"in its exchange", "* http\n1> call 1\n1< ok 1 = request @1"},
    {"one id in two exchanges",
     "* http\n1> call 1\n2> call 1\n2< ok 1 = request @2\n1< ok 1 = request @1"},
    {"on the exchange of another",
     "* http\n1> call 1\n2> call 2\n2<event ok 1 = other stream @1\n2<event ok 2 = request @2"},
    {"on a stream nothing was posted on", "* http\n1> call 1\n2>GET \n2<event ok 1 = request @1"},
    {"broken text and a request of one id, each in its exchange",
     "* http\n1> {\"o\n2> call 7\n1< err null -32700 = request @1\n2< ok 7 = request @2"},
    {"a compressed request", "* http\n1>gzip call 7406\n1< ok 7406 = request @1"},
    {"a compressed request, refused as broken text",
     "* http\n1>gzip call 7406\n1< err null -32700 = request @1"},
    {"a compressed request, refused as broken text on the stream of HTTP+SSE",
     "* http+sse\n1>gzip call 7406\n2<event err null -32700 = request @1"},
    {"refused by the HTTP layer", "* http\n1> call 1\n1<403 err null -32600 = request @1"},
    {"asked in another session",
     "* elsewhere 9\n> call 1\n< ok 1 = request @1\n< ok 9 = other session"},
};

}  // namespace harness::trace
