// SPDX-License-Identifier: Apache-2.0
// Reads the rows of faults/ and says what an edit does.
#include "harness/reference/fault_row.h"

#include <algorithm>
#include <set>

#include "harness/json/write.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr std::string_view kFirstRevision = "2024-11-05";
constexpr std::string_view kLastRevision = "2026-07-28";
constexpr std::string_view kLsp = "3.17";  // of Faults whose names begin with lsp-
constexpr std::string_view kAcp = "1";     // or with acp-

constexpr struct {
  std::string_view word;
  Sent sent;
} kMessages[] = {{"result", Sent::kResult},
                 {"request", Sent::kRequest},
                 {"notification", Sent::kNotification},
                 {"error", Sent::kError}};

struct ChangeWord {
  std::string_view word;
  Change change;
};
constexpr ChangeWord kChanges[] = {
    {"remove", Change::kRemove}, {"set", Change::kSet},   {"append", Change::kAppend},
    {"insert", Change::kInsert}, {"wrap", Change::kWrap}, {"replace", Change::kReplace},
    {"swap", Change::kSwap},     {"keep", Change::kKeep},
};

// What edits that are of no message may act in: each is handed to edit() somewhere. One that ends
// with a blank is followed by a method.
constexpr std::string_view kParts[] = {
    "app-result",
    "app-tool",
    "asked-before-reply",
    "auth-metadata",
    "auth-server-metadata",
    "batch-entry",
    "call-result",
    "card",
    "catalog",
    "discovery",
    "echo",
    "error-reply",
    "failed-result",
    "first-tool",
    "handshake",
    "icons",
    "id",
    "input-request",
    "interface",
    "keys of ",
    "later-reply",
    "listed-interface",
    "listed-skill",
    "lsp-capabilities",
    "lsp-log",
    "lsp-registrations",
    "members of ",
    "meta",
    "method",
    "object-result",
    "pong",
    "reply",
    "result-reply",
    "second-discovery",
    "sent-before-reply",
    "shop",
    "skill",
    "skill-got",
    "stateless-list",
    "stateless-result",
    "stateless-tools",
    "structured-result",
    "text",
    "tools",
    "validation-error",
};

class FaultReader {
 public:
  FaultReader(const json::RowReader& reader, std::set<std::string>& names)
      : reader_(reader), names_(names) {}

  // NAME: help, NAME: {fields}, or CLAUSE: {NAME: …}.
  void read(std::vector<FaultRow>& into) {
    for (const json::Member& entry :
         reader_.members(reader_.rows(), "write \"NAME: what goes wrong\"")) {
      if (entry.name.find('.') == std::string::npos) {
        into.push_back(row(entry, ""));
        continue;
      }
      for (const json::Member& one :
           reader_.members(entry.value, "write \"NAME: {in: …}\" below it"))
        into.push_back(row(one, entry.name));
    }
  }

 private:
  FaultRow row(const json::Member& entry, const std::string& breaks) {
    FaultRow out;
    out.name = entry.name;
    out.breaks = breaks;
    const std::string_view own = entry.name.starts_with("lsp-")   ? kLsp
                                 : entry.name.starts_with("acp-") ? kAcp
                                                                  : "";
    out.since = own.empty() ? kFirstRevision : own;
    out.until = own.empty() ? kLastRevision : own;
    if (!names_.insert(entry.name).second)
      reader_.refuse(entry.mark, "'" + entry.name + "' has a row already", "name it otherwise");
    if (entry.value.is_string())
      out.help = entry.value.text;
    else
      fields(entry, out);
    if (out.edits.empty() && !breaks.empty())
      reader_.refuse(entry.mark, "a Fault of a shape is an edit", "add \"in\" and a change");
    if (out.help.empty() && !out.edits.empty()) out.help = help_of(out);
    if (out.help.empty())
      reader_.refuse(entry.mark, "nothing says what goes wrong", "write one line of help");
    return out;
  }

  void fields(const json::Member& entry, FaultRow& out) const {
    std::vector<Edit> places;
    const json::Member* change = nullptr;
    for (const json::Member& field :
         reader_.members(entry.value, "write \"NAME: what goes wrong\"")) {
      const std::string& name = field.name;
      if (name == "help") {
        out.help = reader_.text(field.value);
      } else if (name == "in") {
        for (const Value& one :
             field.value.is_array() ? field.value.items : std::vector<Value>{field.value})
          places.push_back(place(one));
      } else if (name == "and") {
        fields(field, out);
      } else if (name == "since") {
        out.since = reader_.text(field.value);
      } else if (name == "until") {
        out.until = reader_.text(field.value);
      } else if (name == "only") {
        out.since = out.until = reader_.text(field.value);
      } else if (name == "call" || name == "refused" || name == "when" || name == "answer") {
        if (!out.reaction) out.reaction.emplace();
        react(name, field.value, *out.reaction);
      } else if (name == "planted") {
        out.planted = planted(field.value);
      } else if (std::ranges::find(kChanges, name, &ChangeWord::word) != std::end(kChanges)) {
        if (change != nullptr)
          reader_.refuse(field.mark, "a second change", "write \"and: {in: …}\" for it");
        change = &field;
      } else {
        std::vector<std::string> known = {"help",    "in",   "and",     "since", "until", "only",
                                          "planted", "call", "refused", "when",  "answer"};
        for (const ChangeWord& one : kChanges) known.emplace_back(one.word);
        reader_.unknown(field.mark, "field", name, known);
      }
    }
    if (places.empty() != (change == nullptr))
      reader_.refuse(entry.mark, "\"in\" and a change go together",
                     "write \"in: card, remove: name\"");
    for (const Edit& one : places) add_edits(one, *change, out.edits);
    if (out.reaction && (out.reaction->methods.empty() || out.reaction->answer.is_null()))
      reader_.refuse(entry.mark, "\"call\" and \"answer\" go together",
                     "write \"call: prompts/get, answer: silent\"");
  }

  void react(const std::string& field, const Value& value, Reaction& out) const {
    const auto texts = [&] {
      return value.is_array() ? reader_.texts(value) : std::vector{reader_.text(value)};
    };
    if (field == "call") out.methods = texts();
    if (field == "refused") out.refused = texts();
    if (field == "answer") out.answer = value;
    if (field == "when")
      for (const json::Member& one : reader_.members(value, "write \"when: {PATH: missing}\""))
        out.when.emplace_back("/" + one.name, reader_.text(one.value));
  }

  // "result tools/list", or the name of a part.
  Edit place(const Value& value) const {
    const std::string& words = reader_.text(value);
    const std::size_t blank = words.find(' ');
    for (const auto& [word, sent] : kMessages)
      if (blank != std::string::npos && words.substr(0, blank) == word)
        return {sent, words.substr(blank + 1), "", Change::kSet, json::null()};
    for (const std::string_view part : kParts)
      if (part.ends_with(' ') ? words.starts_with(part) : words == part)
        return {Sent::kPart, words, "", Change::kSet, json::null()};
    std::vector<std::string> known(std::begin(kParts), std::end(kParts));
    for (const auto& one : kMessages) known.emplace_back(one.word);
    reader_.unknown(value.mark, "place", words.substr(0, blank), known);
  }

  void add_edits(Edit edit, const json::Member& field, std::vector<Edit>& into) const {
    edit.change = std::ranges::find(kChanges, field.name, &ChangeWord::word)->change;
    switch (edit.change) {
      case Change::kRemove:
      case Change::kWrap:
        edit.path = reader_.text(field.value);
        into.push_back(std::move(edit));
        return;
      case Change::kSwap:
        if (field.value.items.size() != 2)
          reader_.refuse(field.mark, "'swap' has two values", "write \"swap: [this, by that]\"");
        edit.value = field.value;
        into.push_back(std::move(edit));
        return;
      case Change::kKeep:
      case Change::kReplace:
        if (edit.change == Change::kKeep)
          reader_.texts(field.value);
        else
          for (const json::Member& one :
               reader_.members(field.value, "write \"replace: {this: by that}\""))
            reader_.text(one.value);
        edit.value = field.value;
        into.push_back(std::move(edit));
        return;
      default:
        for (const json::Member& one : reader_.members(field.value, "write \"{PATH: value}\"")) {
          edit.path = one.name;
          edit.value = one.value;
          into.push_back(edit);
        }
    }
  }

  PlantedBug planted(const Value& value) const {
    PlantedBug out;
    for (const json::Member& field :
         reader_.members(value, "write \"{profile: …, transport: …}\"")) {
      if (field.name == "frames")
        out.frames = static_cast<int>(json::as_integer(field.value).value_or(0));
      else if (field.name == "profile")
        out.profile = reader_.text(field.value);
      else if (field.name == "transport")
        out.transport = reader_.text(field.value);
      else if (field.name == "shows")
        out.shows = reader_.text(field.value);
      else
        reader_.unknown(field.mark, "field", field.name,
                        {"profile", "transport", "frames", "shows"});
    }
    return out;
  }

  const json::RowReader& reader_;
  std::set<std::string>& names_;
};

std::string what_is_done(const Edit& edit) {
  switch (edit.change) {
    case Change::kRemove: return " is missing";
    case Change::kAppend: return " has one element more, " + json::write(edit.value);
    case Change::kInsert: return " has " + edit.value.text + " in its middle";
    case Change::kWrap: return " stands in an array";
    default: return " is " + json::write(edit.value);
  }
}

}  // namespace

Result<std::vector<FaultRow>> read_fault_rows(const std::vector<json::DataFile>& files) {
  std::vector<FaultRow> rows;
  std::set<std::string> names;
  const Status read = json::read_rows(
      files, [&](const json::RowReader& reader) { FaultReader(reader, names).read(rows); });
  if (!read) return read.error();
  return rows;
}

std::string help_of(const FaultRow& row) {
  const Edit& edit = row.edits.front();
  std::string out;
  switch (edit.sent) {
    case Sent::kResult: out = "In results of " + edit.of; break;
    case Sent::kRequest: out = "In the params of " + edit.of + " requests"; break;
    case Sent::kNotification: out = "In the params of " + edit.of; break;
    case Sent::kError: out = "In errors " + edit.of; break;
    case Sent::kPart: out = "In the " + edit.of; break;
  }
  out += ", " + (edit.path.empty() ? "all" : edit.path) + what_is_done(edit);
  const bool first = row.since == kFirstRevision, last = row.until == kLastRevision;
  if (row.since == kLsp || row.since == kAcp) return out;
  if (row.since == row.until) return out + " (" + row.since + ")";
  if (first && !last) return out + " (until " + row.until + ")";
  if (last && !first) return out + " (since " + row.since + ")";
  return first ? out : out + " (" + row.since + " to " + row.until + ")";
}

}  // namespace harness::reference
