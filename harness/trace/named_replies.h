// SPDX-License-Identifier: Apache-2.0
// NamedReplies: replies against requests by their ids. Two passes: first every reply takes the
// request with exactly its id; the rest is then explained by unanswered requests, so that "1" for 1
// is distinguished from an invention.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/trace/answer.h"
#include "harness/wire/used_ids.h"

namespace harness::trace {

class NamedReplies {
 public:
  // `answers` is parallel to the items of the Trace.
  NamedReplies(const Trace& trace, Answers& answers);

  // All that was said.
  void attribute();

 private:
  struct Asked {
    std::vector<const Item*> requests;
    std::vector<const Item*> waiting;  // those of them without a reply
    const Item* reply = nullptr;       // the last
    const Item* unread = nullptr;      // one of them that stale_to() has a text for
    bool open() const { return !waiting.empty(); }
    const Item& first_before(const Item& came) const;
    void give(const Item& to, const Item& reply);
  };
  // An id in something that is not a request, but may be rejected under it.
  struct Mentioned {
    const json::Value* id = nullptr;
    const Item* item = nullptr;  // the latest message that has it
    std::size_t left = 0;        // as often as it was sent without a reply
  };
  // HTTP: what was sent in one exchange.
  struct Posted {
    std::vector<const Item*> named;   // has an id
    std::set<std::string_view> keys;  // of their ids
  };

  Answer& answer(const Item& reply);
  int exchange_of(const Item& item) const { return trace_.transcript.frames[item.frame].exchange; }
  bool may_answer(const Item& reply, const Item& sent) const;
  void sent(const Item& item);
  void received(const Item& reply);
  void take(Asked& asked, const Item& reply);
  void received_unnamed(const Item& reply);
  bool is_from_elsewhere(const Item& reply);
  const Item* altered_in_exchange(const Item& reply) const;
  bool may_be_of_another(const json::Value& id) const;
  // Whether the id of a request that waits became this one so.
  bool made_of_open(const json::Value& id, bool (*so)(Change)) const;
  Mentioned* rounded(const json::Value& id);
  Mentioned* same_double(const json::Value& id);
  bool is_over(const Item& asked, const Item& reply) const;
  const Item* text_with(const Item& reply, bool also_over) const;
  const Item* stale_to(const Item& reply) const;
  void give_text(const Item& reply, const Item& text);
  bool is_made_of_mentioned(const json::Value& id) const;
  const Item* asked_elsewhere(const Item& reply) const;
  const Item* unanswered_before(const Item& reply) const;
  const Item* notification_before(const Item& reply) const;
  void find_shift();
  bool is_constant() const;
  bool names_none_of_ours(const Item& stray) const;
  void explain(const Item& stray);
  bool explain_as_altered(const Item& stray, bool twice);
  void explain_unnamed(const Item& reply);

  const Trace& trace_;
  Answers& answers_;
  std::map<std::string_view, Asked> asked_;  // by key
  wire::Keys loose_;                         // ids that a lenient server may have read or may
                                             // repeat
  std::map<std::string, Mentioned, std::less<>> mentioned_;  // those of them in what is not a
                                                             // request
  std::vector<const Item*> garbage_;                         // sent, and not JSON
  std::vector<const Item*> unread_;                          // those that nothing stale answered
  std::vector<const Item*> notifications_;                   // proper ones, sent
  std::vector<const Item*> improper_;                        // sent
  std::vector<std::pair<std::uint64_t, std::uint64_t>> proofs_;  // requests: asked, answered
  std::size_t unnamed_errors_allowed_ = 0;
  bool any_unnamed_error_allowed_ = false;
  bool stray_null_result_allowed_ = false;
  std::uint64_t latest_unnamed_ = 0;  // the last reply without an id
  bool opaque_ = false;               // the server may have read messages that we do not know
  std::vector<const Item*> strays_;   // replies with an id that no request had
  bool constant_ = false;             // all of them have the same one
  std::vector<const Item*> unnamed_;  // replies without an id, or with null, that are not
                                      // attributed yet
  std::map<std::string_view, const Item*> responses_;  // ours, by key
  std::map<int, Posted> posted_;      // by exchange
};

}  // namespace harness::trace
