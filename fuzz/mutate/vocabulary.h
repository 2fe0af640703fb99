// SPDX-License-Identifier: Apache-2.0
// Vocabulary: the words mutators speak: what the profile defines, what the Target offers, and what
// it has said so far. Everything is JSON text, ready to be put into a frame. Everything is bounded,
// and the same calls in the same order give the same Vocabulary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "fuzz/mutate/random.h"
#include "harness/json/value.h"
#include "harness/spec/profile.h"
#include "harness/target/lists.h"
#include "harness/wire/transport_kind.h"

namespace fuzz {

// Something called with arguments made from a schema: a tool, or a method that a contract
// describes.
struct Tool {
  std::string name;             // as JSON text, like everything below
  harness::json::Value schema;  // the inputSchema, null when there is none
  std::vector<std::string> valid;
  std::vector<std::string> boundary;
  std::vector<std::string> broken;
  bool as_task = false;    // it says that it may run as a task
  bool is_method = false;  // its arguments are the params of a request
};

// A method that takes a value from the result of another one.
struct Chain {
  std::size_t from = 0, to = 0;  // indices of tools
  std::size_t position = 0;      // of the argument, in an array
  std::string name;              // of the argument in an object, plain
  std::string place;             // JSON Pointer into the result
  bool text = false;             // a string is there
};

// What a target lists; members that are not arrays count as empty.
struct Surface : harness::target::Lists {
  std::set<std::string> forbidden;  // forbidden: no mutator calls it
  std::vector<Tool> described;      // methods
  std::vector<Chain> chains;        // indices of `described`
};

struct Prompt {
  std::string name;
  std::vector<std::string> arguments;  // their names
};

// A method to request or a notification to send.
struct Method {
  std::string name;    // plain
  std::string params;  // JSON text that a sound client could send; "": none
};

// Values of one kind that a target sent. When there are too many, the oldest is dropped.
class Mined {
 public:
  explicit Mined(std::size_t most) : most_(most) {}

  void add(std::string_view text);
  const std::vector<std::string>& values() const { return values_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::size_t most_;
  std::size_t oldest_ = 0;
  std::vector<std::string> values_;
  std::unordered_set<std::string, Hash, std::equal_to<>> known_;
};

// Changes `size` bytes in place to at most `most`; returns the new number. LLVMFuzzerMutate
// has this form.
using ByteMutator = std::size_t (*)(std::uint8_t* bytes, std::size_t size, std::size_t most);

class Caution;

class Vocabulary {
 public:
  // When the transport is unknown, mutators use features of all of them.
  explicit Vocabulary(const harness::spec::Profile& profile,
                      harness::wire::TransportKind transport = {});

  // Takes over what a target lists; makes arguments from the schemas of tools, at about a
  // millisecond each.
  void offer(const Surface& surface);
  // A method that the operator or the target named. `params`: JSON text or "".
  void know_method(std::string name, std::string params);
  void know_notification(std::string name, std::string params);
  // Collects values from a reply, or from any message. Ignores text that is invalid JSON; of a long
  // one the first 2,000 values count.
  void learn(std::string_view message);
  // Keeps a request, one JSON object, that was answered with a request for input. Its id does not
  // matter.
  void learn_asking(std::string_view request);

  const harness::spec::Profile& profile() const { return *profile_; }
  harness::wire::TransportKind transport() const { return transport_; }
  const std::string& meta() const { return meta_; }  // the required `_meta`; "": nothing

  const std::vector<Method>& methods() const { return methods_; }
  const std::vector<Method>& notifications() const { return notifications_; }
  // Methods that exist in other revisions, or on the other side.
  const std::vector<std::string>& foreign_methods() const { return foreign_; }
  const std::vector<std::string>& server_methods() const { return server_; }  // asked of a client

  // Without the forbidden ones.
  const std::vector<Tool>& tools() const { return tools_; }
  const std::vector<Chain>& chains() const { return chains_; }
  const std::vector<std::string>& uris() const { return uris_; }
  const std::vector<Prompt>& prompts() const { return prompts_; }

  const std::vector<std::string>& strings() const { return strings_.values(); }
  const std::vector<std::string>& numbers() const { return numbers_.values(); }
  const std::vector<std::string>& cursors() const { return cursors_.values(); }
  const std::vector<std::string>& mined_uris() const { return mined_uris_.values(); }
  // Handles of state: task ids, request states, tokens, session ids.
  const std::vector<std::string>& handles() const { return handles_.values(); }
  // Members of inputRequests, which inputResponses answer.
  const std::vector<std::string>& input_keys() const { return input_keys_.values(); }
  // Requests that were answered with a request for input; their id is 1.
  const std::vector<std::string>& asking() const { return asking_.values(); }
  // JSON Pointers, plain, to scalars in replies.
  const std::vector<std::string>& pointers() const { return pointers_.values(); }
  const std::vector<std::string>& words() const { return words_; }  // member names, plain

  ByteMutator byte_mutator = nullptr;  // used by raw mutators in addition to their own
  std::size_t costly = 32;             // one script in this many may restart servers, or sleep
  std::size_t room = 1u << 20;         // size in bytes of most scripts, see bytes_of()
  Caution* caution = nullptr;          // read and updated by mutate(), if there is one

 private:
  bool is_forbidden(std::string_view text) const;  // JSON text of a string

  const harness::spec::Profile* profile_;
  harness::wire::TransportKind transport_;
  std::string meta_;
  std::vector<Method> methods_;
  std::vector<Method> notifications_;
  std::vector<std::string> foreign_;
  std::vector<std::string> server_;
  std::vector<std::string> words_;
  std::vector<Tool> tools_;
  std::vector<Chain> chains_;
  std::set<std::string, std::less<>> forbidden_;
  std::vector<std::string> uris_;
  std::vector<Prompt> prompts_;
  Mined strings_{256};
  Mined numbers_{128};
  Mined cursors_{32};
  Mined mined_uris_{64};
  Mined handles_{64};
  Mined input_keys_{16};
  Mined asking_{16};
  Mined pointers_{128};
};

// Messages that a sound client could send, each one line of JSON. `id`: JSON text.
std::string request_text(const Vocabulary& vocabulary, Random& random, std::string_view id);
std::string request_text(const Vocabulary& vocabulary, const Method& method, Random& random,
                         std::string_view id);
std::string notification_text(const Vocabulary& vocabulary, Random& random);
std::string notification_text(const Vocabulary& vocabulary, const Method& method, Random& random);
// The request whose reply is known, see spec::canary_of.
std::string canary_text(const Vocabulary& vocabulary, std::string_view id);
// The notification that cancels the request with this id. `further`: more members, as
// `,"reason":"…"`.
std::string cancel_text(const Vocabulary& vocabulary, std::string_view id,
                        std::string_view further = "");
// A call of the tool or method, with what the profile requires. `id`: JSON text. `arguments`: "" is
// none.
std::string call_text(const Vocabulary& vocabulary, const Tool& tool, std::string_view arguments,
                      std::string_view id);

}  // namespace fuzz
