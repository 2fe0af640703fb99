// SPDX-License-Identifier: Apache-2.0
// What is said of one frame: of a message of ours (Trigger), and of what came for it (Came). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "harness/trace/reading.h"
#include "harness/wire/message.h"

namespace harness::trace {

// Trigger::members has the value of an id under this name if it is one that servers treat as no id
// or cannot keep: 0, -0, a negative number, an empty string, or a string with characters other than
// letters, digits, blanks, hyphens and underscores.
constexpr const char* kIdValue = "id, its value";
// And this one if a number anywhere in it is beyond the range of a double.
constexpr const char* kHugeNumber = "a number, its size";

// A message of ours.
struct Trigger {
  std::uint64_t seq = 0;  // 0: none was found
  bool is_json = false;
  bool valid = false;       // a request or notification as JSON-RPC defines it
  bool deep = false;        // it is nested too deeply to be read, or begins so
  bool cut = false;         // only its first part was kept, so nothing else is known of it
  bool blank = false;       // an empty line, or one of white space
  bool unfinished = false;  // HTTP: fewer bytes than its header Content-Length says were sent
  bool overfull = false;    // HTTP: more; the excess is another request
  bool own_header = false;  // a case wrote header fields before it
  bool raw_frames = false;  // bytes of WebSocket frames that a case made
  bool odd = false;         // its text has escapes or non-ASCII characters
  wire::MessageKind kind = wire::MessageKind::kMalformed;
  // What is wrong with it, where that is one thing: "a message without a method"; "" if it is
  // valid, or wrong in several ways.
  std::string flaw;
  std::string method;                          // "" when none can be read
  std::uint64_t bytes = 0;                     // its length
  bool names_session = false;                  // HTTP: it has a header Mcp-Session-Id
  std::map<std::string, std::string> members;  // without members of their own, path → text; a few.
                                               // Of an id only its kind; and params._meta
};

// What came for it.
struct Came {
  int status = 0;        // HTTP
  std::string code;      // of a JSON-RPC error, as sent
  std::string text;      // the message of that error, the whole error if it is not an object, or
                         // the body of a refusal
  bool message = false;  // a refusal contained JSON-RPC
  bool array = false;    // and it was an array
  bool null_inside = false;   // of which an element was null
  std::string result;         // as sent, its first part
  bool error_inside = false;  // the result holds an error with a code, and nothing else
};

// And without blanks: places in a text and ports differ from one input to the next.
std::string without_digits(std::string text);
// Its method, printable; "" if none can be read.
std::string method_of(const wire::Message& message);
// A single request or notification as JSON-RPC defines it. Of a response of ours, only the version
// is checked.
bool is_valid(const wire::Message& message);
// On a stream, if a case wrote them: before a message, or as raw bytes.
bool has_own_header(const wire::Frame& frame);

// Its scalar members, in the form of Trigger.
std::map<std::string, std::string> members_of(const wire::Message& message);

// Of the frame at this place.
Trigger trigger_at(const Reading& reading, std::size_t i);
Came came_at(const Reading& reading, std::size_t i);

struct CallsAt {
  std::size_t calls = 0;      // in progress
  bool waits_for_us = false;  // a request of the server has no answer yet
};
// When frame `end` is reached.
CallsAt calls_at(const Reading& reading, std::size_t end);

}  // namespace harness::trace
