// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/finding_json.h"

#include <iterator>
#include <utility>

#include "harness/base/text.h"

namespace harness::oracle {
namespace {

constexpr std::size_t kLongestValue = 8000;  // half a value is none

// By their places in What.
const std::pair<const char*, What> kKinds[] = {
    {"detail", Detail{}},
    {"result", ResultCame{}},
    {"error", ErrorCame{}},
    {"server-message", ServerMessageCame{}},
    {"other-message", OtherMessageCame{}},
    {"no-message", NotAMessage{}},
    {"empty-answer", NoMessageInAnswer{}},
    {"broken-off", BrokenOff{}},
    {"nothing", Nothing{}},
    {"missing-message", MissingMessage{}},
    {"ended", Ended{}},
};
static_assert(std::size(kKinds) == std::variant_size_v<What>);

constexpr std::pair<const char*, bool Wanted::*> kFlags[] = {
    {"result", &Wanted::result},       {"error", &Wanted::error},
    {"any_error", &Wanted::any_error}, {"any_result", &Wanted::any_result},
    {"silence", &Wanted::silence},     {"end", &Wanted::end}};
constexpr std::pair<const char*, std::string Wanted::*> kTexts[] = {{"id", &Wanted::id},
                                                                    {"value", &Wanted::value}};

// The text that goes with a kind; null where none does.
std::string* text_in(What& what) {
  if (auto* one = std::get_if<Detail>(&what)) return &one->value;
  if (auto* one = std::get_if<ErrorCame>(&what)) return &one->code;
  if (auto* one = std::get_if<ServerMessageCame>(&what)) return &one->method;
  if (auto* one = std::get_if<BrokenOff>(&what)) return &one->why;
  if (auto* one = std::get_if<Ended>(&what)) return &one->how;
  return nullptr;
}

void set_text(json::Value& object, const char* name, const std::string& text) {
  if (!text.empty() && text.size() <= kLongestValue && is_utf8(text))
    object.set(name, json::string(text));
}

void get_text(const json::Value& object, const char* name, std::string& text) {
  const json::Value* member = object.find(name);
  if (member && member->is_string()) text = member->text;
}

}  // namespace

void write_values(const Finding& finding, json::Value& out) {
  json::Value wanted = json::object(), codes = json::array();
  for (const auto& [name, flag] : kFlags)
    if (finding.wanted.*flag) wanted.set(name, json::boolean(true));
  for (const std::int64_t code : finding.wanted.codes) codes.items.push_back(json::number(code));
  if (!codes.items.empty()) wanted.set("codes", std::move(codes));
  for (const auto& [name, text] : kTexts) set_text(wanted, name, finding.wanted.*text);
  if (!wanted.members.empty()) out.set("wanted", std::move(wanted));
  What what = finding.came.came;
  json::Value came = json::object({{"kind", json::string(kKinds[what.index()].first)}});
  if (const std::string* text = text_in(what)) set_text(came, "text", *text);
  if (finding.came.status != 0) came.set("status", json::number(finding.came.status));
  if (came.members.size() > 1 || what.index() != 0) out.set("came", std::move(came));
}

void read_values(const json::Value& from, Finding& finding) {
  if (const json::Value* wanted = from.find("wanted")) {
    for (const auto& [name, flag] : kFlags) finding.wanted.*flag = wanted->find(name) != nullptr;
    for (const auto& [name, text] : kTexts) get_text(*wanted, name, finding.wanted.*text);
    if (const json::Value* codes = wanted->find("codes"))
      for (const json::Value& code : codes->items)
        finding.wanted.codes.push_back(json::as_integer(code).value_or(0));
  }
  const json::Value* came = from.find("came");
  if (!came) return;
  std::string kind;
  get_text(*came, "kind", kind);
  for (const auto& [name, what] : kKinds)
    if (kind == name) finding.came.came = what;
  if (std::string* text = text_in(finding.came.came)) get_text(*came, "text", *text);
  const json::Value* status = came->find("status");
  finding.came.status = status ? static_cast<int>(json::as_integer(*status).value_or(0)) : 0;
}

}  // namespace harness::oracle
