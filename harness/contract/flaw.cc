// SPDX-License-Identifier: Apache-2.0
#include "harness/contract/flaw.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "harness/base/text.h"
#include "harness/json/write.h"

namespace harness::contract {

const char* weight_name(Weight weight) {
  return weight == Weight::kFail ? "fail" : weight == Weight::kWarn ? "warn" : "info";
}

std::string shown(const json::Value& value) {
  constexpr std::size_t kMostShown = 60;
  return printable(json::write(value), kMostShown);
}

void Flaws::add(std::string_view clause, Weight weight, const Place& place, std::string what) {
  const std::string id = "openrpc.document." + std::string(clause);
  const auto same = [&](const Flaw& one) {
    return one.clause == id && one.place.pointer == place.pointer && one.what == what;
  };
  if (std::none_of(all_.begin(), all_.end(), same))
    all_.push_back({id, weight, place, std::move(what)});
}

void Flaws::add_some(std::string_view clause, Weight weight, const Place& place, std::string what) {
  std::size_t& told = limited_[std::string(clause)];
  if (++told <= kMost) add(clause, weight, place, std::move(what));
}

void Flaws::add_open(const Document& document, const Place& at) {
  const std::string& reference = at.text("$ref");
  const std::string to = printable(reference, 100);
  if (is_foreign(reference))
    add("refs-resolve", Weight::kInfo, at.member("$ref"),
        "`$ref` leads out of the document, to " + to +
            ", which is not fetched; what needs it is not judged");
  else
    add("refs-resolve", Weight::kFail, at.member("$ref"),
        document.target(reference) ? "`$ref` leads to " + to + ", and from there back to itself"
                                   : "`$ref` leads nowhere: the document has no " + to);
}

std::vector<Flaw> Flaws::take() {
  std::stable_sort(all_.begin(), all_.end(), [](const Flaw& a, const Flaw& b) {
    const auto key = [](const Flaw& one) {
      const json::Mark mark = one.place.value != nullptr ? one.place.value->mark : json::Mark{};
      return std::tuple(mark.line, mark.column);
    };
    return key(a) < key(b);
  });
  for (const auto& [clause, told] : limited_)
    if (told > kMost)
      all_.push_back({"openrpc.document." + clause,
                      Weight::kInfo,
                      {},
                      std::to_string(told - kMost) + " more flaws of this kind"});
  return std::move(all_);
}

}  // namespace harness::contract
