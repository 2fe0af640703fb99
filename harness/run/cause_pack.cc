// SPDX-License-Identifier: Apache-2.0
#include "harness/run/cause_pack.h"

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "harness/base/result.h"

namespace harness::run {
namespace {

// Both walk the same fields in the same order.
struct Packer {
  std::string out;

  void operator()(const std::string& text) {
    (*this)(static_cast<std::uint64_t>(text.size()));
    out += text;
  }
  void operator()(std::uint64_t number) {
    char bytes[sizeof(number)];
    std::memcpy(bytes, &number, sizeof(number));
    out.append(bytes, sizeof(bytes));
  }
};

struct Unpacker {
  const std::string& text;
  std::size_t at = 0;

  void operator()(std::string& out) {
    std::uint64_t size = 0;
    (*this)(size);
    check(size <= text.size() - at, "packed causes end early");
    out = text.substr(at, size);
    at += size;
  }
  void operator()(std::uint64_t& out) {
    check(sizeof(out) <= text.size() - at, "packed causes end early");
    std::memcpy(&out, text.data() + at, sizeof(out));
    at += sizeof(out);
  }
};

template <class Walk, class T>
void number(Walk& walk, T& field) {
  auto value = static_cast<std::uint64_t>(field);
  walk(value);
  if constexpr (!std::is_const_v<T>) field = static_cast<T>(value);
}

template <class Walk, class List, class Each>
void list(Walk& walk, List& all, Each each) {
  auto size = static_cast<std::uint64_t>(all.size());
  walk(size);
  if constexpr (!std::is_const_v<List>) all.clear();
  for (std::uint64_t i = 0; i < size; ++i) {
    if constexpr (!std::is_const_v<List>) all.emplace_back();
    each(all[i]);
  }
}

template <class Walk, class Causes>
void each_field(Walk& walk, Causes& causes) {
  list(walk, causes, [&](auto& cause) {
    walk(cause.requirement);
    walk(cause.level);
    number(walk, cause.verdict);
    walk(cause.title);
    walk(cause.sentence);
    list(walk, cause.findings, [&](auto& ref) {
      walk(ref.case_id);
      number(walk, ref.finding);
    });
    walk(cause.replay);
    walk(cause.curl);
    number(walk, cause.baselined);
    number(walk, cause.by_clause);
  });
}

}  // namespace

std::string packed(const std::vector<Cause>& causes) {
  Packer packer;
  each_field(packer, causes);
  return std::move(packer.out);
}

std::vector<Cause> unpacked(const std::string& text) {
  std::vector<Cause> causes;
  Unpacker unpacker{text};
  each_field(unpacker, causes);
  check(unpacker.at == text.size(), "packed causes continue after their end");
  return causes;
}

}  // namespace harness::run
