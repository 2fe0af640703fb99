// SPDX-License-Identifier: Apache-2.0
// Observation: the reply to our message, or what the server did by itself. Wanted: what the clause
// requires instead. Both are values, for code that compares, classifies or groups findings.
// finding_words.cc turns them into words, for people only.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "harness/json/value.h"
#include "harness/wire/message.h"

namespace harness::oracle {

// A result. `failed`: of a tool, isError is true. `asks_as_complete`: it says that it is complete,
// but asks for input.
struct ResultCame {
  bool failed = false;
  bool asks_as_complete = false;
};
// An error with this code, as sent; "" if the code is missing or not a number.
struct ErrorCame {
  std::string code;
};
// A request or notification of the server.
struct ServerMessageCame {
  std::string method;
};
// JSON-RPC that is none of these: an array, or an object without result, error and method.
struct OtherMessageCame {};
// Text that cannot be read as JSON-RPC.
struct NotAMessage {};
// HTTP: a response, complete and without a message.
struct NoMessageInAnswer {};
// HTTP: an exchange that did not complete. `why`: "eof", "reset", "timeout"; "" if it is still
// open.
struct BrokenOff {
  std::string why;
};
// No reply came.
struct Nothing {};
// A message that the server had to send by itself did not come.
struct MissingMessage {};
// The connection or the process ended.
struct Ended {
  std::string how;                           // "exit 1", "signal 11", "eof"
  bool process = false;                      // it is known to be the process that ended
  bool others_served = true;                 // a new connection was, or was not, tried
  std::string why = {};                      // the line of stderr that gives the reason; "" if none
                                             // does
  std::vector<std::string> last_words = {};  // the last lines of stderr, printable
};
// The finding is not about a reply as a whole: it is about a part, such as a value, a header field
// or an order. `value`: its JSON text, "" if it is not JSON.
struct Detail {
  std::string value = {};
};

using What =
    std::variant<Detail, ResultCame, ErrorCame, ServerMessageCame, OtherMessageCame, NotAMessage,
                 NoMessageInAnswer, BrokenOff, Nothing, MissingMessage, Ended>;

struct Observation {
  What came;
  int status = 0;                  // HTTP; 0: none
  bool canary_answered = false;    // a later request was answered
  std::vector<std::string> texts;  // messages as received, printable, the first few
  std::size_t messages = 0;        // how many there were
  bool unnamed = false;            // the first has a null id, or is a result without an id
  std::string detail;              // words that replace the generated ones, printable
  std::vector<std::string> asks;   // methods of requests of the server in them, also in
                                   // inputRequests
};

template <class T>
const T* came_as(const Observation& seen) {
  return std::get_if<T>(&seen.came);
}

// For what is not a reply: in words, printable.
Observation told(std::string detail);

// Of a message alone.
Observation observed(const wire::Message& message);
Observation observed(const json::Value& message);

// What would have been lawful, from the outcomes that are possible here.
struct Wanted {
  bool result = false;
  bool error = false;       // the first possible reply is an error
  bool any_error = false;   // an error of any code is possible too
  bool any_result = false;  // a result is tolerated
  bool silence = false;
  bool end = false;                   // the process or connection had to end
  std::vector<std::int64_t> codes;    // of errors
  std::vector<std::string> statuses;  // HTTP, as written: "405", "4xx"
  std::string media;                  // a required Content-Type
  std::string message;  // a message of the server: its method, or a pattern of methods
  std::string id;       // of the reply, as JSON; "own": that of its request
  std::string value;    // JSON text of the value that it had to equal
};

}  // namespace harness::oracle
