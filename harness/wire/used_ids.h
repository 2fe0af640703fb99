// SPDX-License-Identifier: Apache-2.0
// UsedIds: the ids (as id_key) that were used up to a moment of a session. A copy costs nothing
// however many ids there are, and does not change when more are used later. For one thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace harness::wire {

struct KeyHash {  // for requests made from pieces of other texts
  using is_transparent = void;
  std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
};
using Keys = std::unordered_set<std::string, KeyHash, std::equal_to<>>;

class UsedIds {
 public:
  // False if it was there already.
  bool insert(std::string_view key) {
    if (key == kNull) return !std::exchange(null_, true);
    if (contains(key)) return false;
    // A copy that diverges gets its own log.
    if (log_ == nullptr || log_->size() != size_) log_ = std::make_shared<Log>(own());
    log_->emplace(std::string(key), size_++);
    return true;
  }
  bool contains(std::string_view key) const {
    if (key == kNull) return null_;
    if (log_ == nullptr) return false;
    const auto found = log_->find(key);
    return found != log_->end() && found->second < size_;
  }
  std::size_t size() const { return size_ + null_; }
  bool empty() const { return size() == 0; }

 private:
  // And how many there were before.
  using Log = std::unordered_map<std::string, std::size_t, KeyHash, std::equal_to<>>;
  static constexpr std::string_view kNull = "null";  // stored separately: many copies add only this
                                                     // one

  Log own() const {
    Log mine;
    if (log_ != nullptr)
      for (const auto& [key, before] : *log_)
        if (before < size_) mine.emplace(key, before);
    return mine;
  }

  std::shared_ptr<Log> log_;
  std::size_t size_ = 0;
  bool null_ = false;
};

}  // namespace harness::wire
