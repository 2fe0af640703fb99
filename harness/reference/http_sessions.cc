// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/http_sessions.h"

#include <vector>

namespace harness::reference {
namespace {
constexpr std::size_t kKeptOfSession = 32 * 1024;  // bytes of what an ended session leaves behind

std::vector<std::string>& kept() {
  static std::vector<std::string> all;
  return all;
}
}  // namespace

std::shared_ptr<Session> HttpSessions::find(const std::string& id) const {
  const auto found = sessions_.find(id);
  if (found == sessions_.end() && faults_.has("session-id-by-prefix"))
    for (const auto& [issued, session] : sessions_)
      if (id.starts_with(issued)) return session;
  return found == sessions_.end() ? nullptr : found->second;
}

void HttpSessions::add(const std::string& id, std::shared_ptr<Session> session) {
  if (faults_.has("second-session-replaces-first")) sessions_.clear();
  if (faults_.has("ended-session-comes-back")) sessions_.merge(ended_);
  sessions_[id] = std::move(session);
}

void HttpSessions::end(const std::optional<std::string>& id, const Session& session) {
  book_of(session)->end_all();
  books_.erase(&session);
  if (faults_.has("ended-session-keeps-memory")) kept().emplace_back(kKeptOfSession, 'x');
  if (id && faults_.has("ended-session-comes-back")) ended_[*id] = find(*id);
  if (id) sessions_.erase(*id);
}

void HttpSessions::end_all() {
  for (const auto& [id, session] : sessions_) book_of(*session)->end_all();
  books_.clear();
  sessions_.clear();
}

std::shared_ptr<StreamBook> HttpSessions::book_of(const Session& session) {
  auto& book = books_[&session];
  if (!book) book = std::make_shared<StreamBook>(faults_);
  return book;
}

std::optional<HttpSessions::Place> HttpSessions::find_event(const Session& session,
                                                            const std::string& event_id) {
  const auto place_in = [&](const std::shared_ptr<StreamBook>& book) -> std::optional<Place> {
    auto found = book->find(event_id);
    if (!found) return std::nullopt;
    return Place{book, std::move(found->first), found->second};
  };
  std::optional<Place> own = place_in(book_of(session));
  if (own || !faults_.has("resume-across-sessions")) return own;
  for (const auto& [owner, book] : books_)
    if (std::optional<Place> other = place_in(book)) return other;
  return std::nullopt;
}

void HttpSessions::tell_listeners(const Session* session, const std::string& message) {
  for (const auto& [owner, book] : books_) {
    if (owner != session && !faults_.has("messages-reach-other-sessions")) continue;
    for (const EventStreamPtr& stream : book->for_unrelated()) book->add(*stream, message);
  }
}

}  // namespace harness::reference
