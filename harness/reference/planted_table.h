// SPDX-License-Identifier: Apache-2.0
// The table of planted bugs: Faults that no case asks for, because nobody would think of the input.
// They measure the fuzzer (bench/planted). A row says where the bug lives, how few messages of a
// script can show it behind a handshake, and how it shows.
#pragma once

#include <cstddef>
#include <string_view>

namespace harness::reference {

struct PlantedRow {
  std::string_view name;
  std::string_view profile;    // to start the server with
  std::string_view transport;  // over: stdio, http, tcp, websocket
  int frames;                  // messages that are needed at the least
  std::string_view shows;      // crash, exit, hang, wrong
  std::string_view help;       // what must be met
};

inline constexpr PlantedRow kPlanted[] = {
    // JSON-RPC 2.0
    {"planted-nul-behind-message", "jsonrpc-2.0", "stdio", 1, "crash",
     "NUL right behind a whole JSON value"},
    {"planted-deep-echo", "jsonrpc-2.0", "stdio", 1, "crash",
     "More than 100 levels in the params of echo, and of no other method"},
    {"planted-id-beyond-signed", "jsonrpc-2.0", "stdio", 1, "crash",
     "An id from 2^63 up to 2^64 - 1"},
    {"planted-error-id-rounded", "jsonrpc-2.0", "stdio", 1, "wrong",
     "An integer id beyond 2^53 comes back rounded, but in errors only"},
    {"planted-minus-zero", "jsonrpc-2.0", "stdio", 1, "crash", "The number -0 in params"},
    {"planted-endless-exponent", "jsonrpc-2.0", "stdio", 1, "hang",
     "A number in params that no double holds, such as 1e400"},
    {"planted-repeated-name", "jsonrpc-2.0", "stdio", 1, "crash",
     "A name twice in an object inside params, not in the message itself"},
    {"planted-empty-batch-within", "jsonrpc-2.0", "stdio", 1, "crash",
     "An empty batch as an element of a batch"},
    {"planted-third-notification", "jsonrpc-2.0", "stdio", 3, "wrong",
     "The third notification in a row is answered"},
    {"planted-slow-escapes", "jsonrpc-2.0", "stdio", 1, "hang",
     "Every escape in a string is looked for from its beginning: quadratic, seconds at 60,000"},
    {"planted-large-batch", "jsonrpc-2.0", "stdio", 1, "crash", "A batch of more than 64 elements"},
    {"planted-result-without-id", "jsonrpc-2.0", "stdio", 1, "hang",
     "A message with a result, but without id and method"},
    {"planted-buffer-kept", "jsonrpc-2.0", "stdio", 33, "hang",
     "Each text that is no JSON keeps one of 32 buffers; the next one waits for ever"},
    {"planted-unclosed-levels", "jsonrpc-2.0", "stdio", 1, "crash",
     "More than 50,000 levels, closed or not"},
    {"planted-many-members", "jsonrpc-2.0", "stdio", 1, "crash",
     "An object with more than 10,000 members"},
    {"planted-thousands-in-a-batch", "jsonrpc-2.0", "stdio", 1, "hang",
     "A batch of more than 2,000 elements"},
    {"planted-split-character", "jsonrpc-2.0", "stdio", 1, "wrong",
     "A character of several bytes that two reads have a part of is lost"},
    {"planted-exponent-id", "jsonrpc-2.0", "stdio", 1, "crash",
     "An id with an exponent and a minus sign in it"},
    {"planted-long-fraction", "jsonrpc-2.0", "stdio", 1, "hang",
     "A number of more than 1,000 digits in params"},
    {"planted-first-read-is-a-page", "jsonrpc-2.0", "stdio", 1, "hang",
     "A message of which the first read has 2,048 bytes, and another the rest"},
    {"planted-proto-twice", "jsonrpc-2.0", "stdio", 1, "hang",
     "A member __proto__ twice inside of params"},
    {"planted-sixty-in-a-row", "jsonrpc-2.0", "stdio", 60, "hang",
     "The sixtieth request of one method with nothing between them"},
    // 2025-03-26, which has batches
    {"planted-mixed-after-batch", "mcp-2025-03-26", "stdio", 3, "wrong",
     "After a batch, of the next two requests that come together and are no pings, the reply to "
     "the "
     "second has the id of the first"},
    {"planted-code-after-batch", "mcp-2025-03-26", "stdio", 2, "wrong",
     "After an error inside a batch, the next unknown method gets its code as a string"},
    {"planted-initialize-after-call", "mcp-2025-03-26", "stdio", 2, "crash",
     "A second initialize after tools/call"},
    {"planted-unsubscribe-twice", "mcp-2025-03-26", "stdio", 3, "crash",
     "Subscribing to a resource, and ending that twice"},
    {"planted-empty-id-in-batch", "mcp-2025-03-26", "stdio", 1, "wrong",
     "The id \"\" in a batch comes back as 0"},
    {"planted-three-in-a-row", "mcp-2025-03-26", "stdio", 3, "crash",
     "prompts/list, prompts/get and completion/complete, with nothing between them"},
    // 2025-06-18
    {"planted-cancel-race", "mcp-2025-06-18", "stdio", 2, "crash",
     "A call is cancelled by a message of the same read"},
    {"planted-tool-after-cancel", "mcp-2025-06-18", "stdio", 3, "hang",
     "After a call was cancelled under way, a call of the same tool"},
    {"planted-id-in-flight", "mcp-2025-06-18", "stdio", 2, "crash",
     "The id of a call that is under way, once more"},
    {"planted-token-fraction", "mcp-2025-06-18", "stdio", 1, "crash",
     "A progressToken that is a number, but no integer"},
    {"planted-nul-in-tool-name", "mcp-2025-06-18", "stdio", 1, "crash",
     "U+0000 in the name of a tool"},
    {"planted-surrogate-in-prompt", "mcp-2025-06-18", "stdio", 1, "exit",
     "Half of a surrogate pair in an argument of prompts/get"},
    {"planted-percent-in-uri", "mcp-2025-06-18", "stdio", 1, "crash",
     "resources/read of a URI with a percent sign that is no escape"},
    {"planted-bound-plus-one", "mcp-2025-06-18", "stdio", 1, "crash",
     "An integer argument of a tool that is its maximum and one more"},
    {"planted-escape-in-method", "mcp-2025-06-18", "stdio", 1, "wrong",
     "A method of which a character is written as an escape is a parse error"},
    {"planted-forged-cursor", "mcp-2025-06-18", "stdio", 1, "crash",
     "A cursor of the right form that nobody gave out"},
    {"planted-return-comes-first", "mcp-2025-06-18", "stdio", 1, "hang",
     "CR and LF at the end of a message, the CR in one read and the LF in the next"},
    {"planted-long-line", "mcp-2025-06-18", "stdio", 1, "crash", "A message of more than 64 KiB"},
    {"planted-whole-pages", "mcp-2025-06-18", "stdio", 1, "wrong",
     "A message that fills pages of 4,096 bytes, with its LF, to the last byte is not understood"},
    {"planted-mark-inside", "mcp-2025-06-18", "stdio", 1, "hang",
     "A byte order mark in a string of the arguments"},
    {"planted-long-uri", "mcp-2025-06-18", "stdio", 1, "crash",
     "resources/read of a URI of more than 8,000 bytes"},
    {"planted-long-cursor", "mcp-2025-06-18", "stdio", 1, "hang",
     "A cursor of more than 16,000 bytes"},
    {"planted-deep-arguments", "mcp-2025-06-18", "stdio", 1, "crash",
     "More than 300 levels in the arguments of a prompt"},
    {"planted-format-argument", "mcp-2025-06-18", "stdio", 1, "crash",
     "%n in an argument of a tool"},
    {"planted-template-argument", "mcp-2025-06-18", "stdio", 1, "exit",
     "{{ in an argument of a prompt"},
    {"planted-encoded-dots", "mcp-2025-06-18", "stdio", 1, "crash",
     "Dots written as escapes in the URI of resources/read"},
    {"planted-constructor", "mcp-2025-06-18", "stdio", 1, "crash",
     "A member constructor in the arguments of a tool"},
    {"planted-level-in-capitals", "mcp-2025-06-18", "stdio", 1, "crash",
     "A level of logging/setLevel in capitals"},
    {"planted-slow-expression", "mcp-2025-06-18", "stdio", 1, "hang",
     "An argument of a tool that begins with 30 times the same letter and ends with another sign"},
    {"planted-quote-at-256", "mcp-2025-06-18", "stdio", 1, "crash",
     "A string of 256 bytes in params that ends with an apostrophe"},
    {"planted-quote-in-cursor", "mcp-2025-06-18", "stdio", 1, "crash", "An apostrophe in a cursor"},
    {"planted-bracket-in-completion", "mcp-2025-06-18", "stdio", 1, "crash",
     "A bracket that is never closed in the value to complete"},
    {"planted-level-after-unsubscribe", "mcp-2025-06-18", "stdio", 3, "crash",
     "A subscription that was ended, and the level set next"},
    {"planted-call-between-lists", "mcp-2025-06-18", "stdio", 3, "hang",
     "tools/list, tools/call and prompts/list, with nothing between them"},
    {"planted-list-after-cancel", "mcp-2025-06-18", "stdio", 3, "crash",
     "A call that was cancelled under way, and resources/templates/list as the next request"},
    {"planted-initialize-subscribed", "mcp-2025-06-18", "stdio", 2, "hang",
     "A second initialize while a resource is subscribed to"},
    {"planted-level-twice-then-read", "mcp-2025-06-18", "stdio", 3, "crash",
     "The level set twice in a row, and resources/read"},
    // 2025-11-25, which has tasks
    {"planted-task-after-cancel", "mcp-2025-11-25", "stdio", 2, "crash",
     "tasks/cancel, and a call as a task as the next request"},
    {"planted-result-after-list", "mcp-2025-11-25", "stdio", 2, "hang",
     "tasks/list, and tasks/result as the next request"},
    // 2026-07-28
    {"planted-changed-state", "mcp-2026-07-28", "stdio", 1, "crash",
     "A requestState of the right form that nobody gave out"},
    {"planted-state-elsewhere", "mcp-2026-07-28", "stdio", 1, "crash",
     "A requestState that another tool gave out"},
    {"planted-unasked-answer", "mcp-2026-07-28", "stdio", 1, "crash",
     "A sound requestState with an answer to something that was not asked"},
    {"planted-listen-twice", "mcp-2026-07-28", "stdio", 2, "crash",
     "A second subscriptions/listen while one is open"},
    // Races: what shows in some orders of calls in flight only
    {"planted-race-late-answer", "mcp-2025-06-18", "stdio", 3, "crash",
     "The answer to the question of a cancelled call, behind that to a later question"},
    {"planted-race-freed-slot", "mcp-2025-06-18", "stdio", 3, "wrong",
     "Of a call of a tool that begins when one of two under way has ended, the reply is lost"},
    {"planted-race-cut-session", "mcp-2025-06-18", "http", 2, "wrong",
     "The reply to a call whose client went away goes to who asks next in another session"},
    // Other transports
    {"planted-long-header", "mcp-2025-06-18", "http", 1, "crash",
     "A header of 4,000 bytes or more"},
    {"planted-list-of-versions", "mcp-2025-06-18", "http", 1, "crash",
     "Two revisions in MCP-Protocol-Version"},
    {"planted-three-pieces", "jsonrpc-2.0", "tcp", 1, "hang",
     "A message that comes in three reads or more"},
    {"planted-empty-fragment", "jsonrpc-2.0", "websocket", 1, "hang",
     "A message whose first fragment is empty"},
};
inline constexpr std::size_t kPlantedCount = sizeof(kPlanted) / sizeof(kPlanted[0]);

}  // namespace harness::reference
