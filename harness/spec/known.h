// SPDX-License-Identifier: Apache-2.0
// Known: the facts of one session on which replies to later requests depend: what the server
// declared, listed and issued, and which things ended. Facts that were not seen, or may have
// changed, are unclear.
//
// Messages passed to it must outlive the object, except those of listed(). Nothing here judges.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "harness/json/value.h"
#include "harness/schema/instance_check.h"
#include "harness/spec/profile.h"
#include "harness/spec/protocol.h"

namespace harness::spec {

class Known {
 public:
  // `before`: what was known about the target when the session began; may be null.
  explicit Known(const Profile& profile, std::shared_ptr<const Known> before = nullptr)
      : profile_(&profile), before_(std::move(before)), canary_(canary_of(profile)) {
    if (before_) canary_ = before_->canary_;
  }

  // The canary: the request that shows whether the target still answers.
  const Canary& canary() const { return canary_; }
  void set_canary(Canary canary) { canary_ = std::move(canary); }
  // Replies do not repeat the id of their request exactly: they have it as another type.
  bool alters_ids() const { return alters_ids_; }
  bool retypes_ids() const { return retypes_ids_; }
  // Results without an id answer notifications.
  bool answers_notes() const { return answers_notes_; }
  void set_ids(bool altered, bool retyped, bool notes_answered) {
    alters_ids_ = altered;
    retypes_ids_ = retyped;
    answers_notes_ = notes_answered;
  }

  // --- input
  void declared(const json::Value& capabilities);
  // A reply to a request of the profile.
  void replied(const MessageRow& row, const json::Value& request, const json::Value& reply);
  void notified(const json::Value& notification);
  // All items of a list.
  void listed(const MessageRow& list, json::Value items);

  // --- facts
  const json::Value* capabilities() const;  // null: not declared
  enum class Presence : std::uint8_t { kUnclear, kThere, kNot };
  struct Found {
    Presence presence = Presence::kUnclear;
    const json::Value* item = nullptr;  // of a list
  };
  // `request` names it. Lists may depend on what a client declares, so a list counts only for a
  // client that requested it in this session and declared the same.
  Found find(const NamingRow& naming, std::string_view name, const json::Value& request) const;
  // Also kUnclear if a list has one page so far: then cursors are useless.
  Presence cursor(const MessageRow& list, std::string_view text) const;
  bool has_pages(const MessageRow& list) const;
  // The check for params in a named item: its member `by`, which exists.
  const schema::InstanceCheck& check_of(const json::Value& item, const std::string& by) const;
  // The final state of the thing; "" while there is none.
  std::string_view final_state(const NamingRow& naming, std::string_view id) const;

 private:
  using Items = std::unordered_map<std::string_view, const json::Value*>;
  struct List {
    Items items;                            // that were heard of
    bool whole = false;                     // the list is complete
    const json::Value* declared = nullptr;  // by the client that sent the request; null: in the
                                            // handshake
    bool paged = false;
    std::string_view cursor;  // the last one that was handed out
    Items walk;               // of the pages so far, from the first on
    bool walking = false;
  };

  const List* list(std::string_view method) const;  // of this session, or of an earlier one
  void add(const MessageRow& row, const json::Value& items, Items& to) const;
  void page(const MessageRow& row, const json::Value& request, const json::Value& result);
  void note_states(const json::Value& holder);
  void note_state(const json::Value& one);
  void doubt_lists();

  const Profile* profile_;
  std::shared_ptr<const Known> before_;
  Canary canary_;
  bool alters_ids_ = false, retypes_ids_ = false, answers_notes_ = false;
  const json::Value* capabilities_ = nullptr;
  bool contradicted_ = false;               // two replies declare different capabilities
  std::map<std::string_view, List> lists_;  // by method
  std::map<std::string_view, std::string_view> states_;  // of ended things, by name
  std::deque<json::Value> kept_;
  std::unordered_set<const json::Value*> owned_;  // items in it
  using Checks = std::unordered_map<const json::Value*, std::unique_ptr<schema::InstanceCheck>>;
  mutable Checks checks_;  // by what the item says
};

// The requirement that a server breaks if it does not answer this canary.
std::string canary_requirement(const Profile& profile, const Canary& asked);
// The same for the known canary; null for that of the profile.
std::string canary_requirement(const Profile& profile, const Known* known);

// Whether nothing can have this name, because it is one of ours.
bool is_nobodys_name(std::string_view name);

}  // namespace harness::spec
