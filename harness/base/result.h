// SPDX-License-Identifier: Apache-2.0
// Result<T>: a value, or an Error that a user can act on. It is for failures of the environment
// (bad YAML, missing file, closed port). A misbehaving target is data, never an Error; check()
// reports our own bugs.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace harness {

// What went wrong, in one sentence, and what to do instead.
struct Error {
  std::string where;         // "file:line:column", "--option", or empty
  std::string what;          // what is wrong
  std::string remedy;        // what to write or do instead; may be empty
  bool unreachable = false;  // nothing is wrong with what was written: nobody answered

  std::string text() const {
    std::string out = where.empty() ? what : where + ": " + what;
    if (!remedy.empty()) out += "; " + remedy;
    return out;
  }
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() { return std::get<0>(state_); }
  const T& operator*() const { return std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

struct Nothing {};
using Status = Result<Nothing>;

// Thrown by check(): rpcspec itself is wrong. The runner turns it into the Verdict `error` of one
// case; it never counts against the target.
struct Bug : std::logic_error {
  using std::logic_error::logic_error;
};

inline void check(bool condition, const char* message) {
  if (!condition) throw Bug(message);
}

}  // namespace harness
