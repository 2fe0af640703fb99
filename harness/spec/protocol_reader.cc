// SPDX-License-Identifier: Apache-2.0
// Reads the rows of cases/protocol/, in two passes: each row by itself, then what rows take from
// each other. The first mistake ends it, with its place, what is wrong and what to write instead.
#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/json/yaml.h"
#include "harness/spec/protocol_fields.h"

namespace harness::spec {

using json::Value;

class ProtocolReader : RowFields {
 public:
  void read(const ProtocolFile& file) {
    file_ = file.name;
    usual_ = {};
    if (!file.rows.is_object()) {
      refuse(file.rows, "a file of the protocol maps names to rows",
             "write \"tools/list: {from: client}\"");
    }
    for (const json::Member& entry : file.rows.members)
      if (entry.name == "$dialect")
        dialect(entry, usual_);
      else
        top_level(entry);
  }

  Protocol finish() {
    for (const auto& [name, type] : protocol_.types_) flatten(*type);
    for (const TypeReference& reference : references_) {
      const auto found = protocol_.types_.find(reference.type);
      if (found == protocol_.types_.end()) {
        throw ProtocolMistake{{reference.place, "there is no type '" + reference.type + "'",
                               suggestion(reference.type, type_names())}};
      }
    }
    resolve_all();
    std::sort(protocol_.messages_.begin(), protocol_.messages_.end(),
              [](const MessageRow& a, const MessageRow& b) {
                return std::tie(a.name, a.reach.dialect) < std::tie(b.name, b.reach.dialect);
              });
    return std::move(protocol_);
  }

 private:
  struct Extension {
    std::vector<std::string> bases;
    std::vector<std::pair<std::string, Clauses>> missing;
    std::string place;
    bool done = false, open = false;
  };

  std::vector<std::string> type_names() const {
    std::vector<std::string> names;
    for (const auto& [name, type] : protocol_.types_) names.push_back(name);
    return names;
  }

  void top_level(const json::Member& entry) {
    // Agents are opened by a method of the same name as other servers are.
    const bool apart = usual_.dialect == Reach::Dialect::kAcp;
    if (!names_.insert({apart, entry.name}).second)
      refuse(entry.mark, "'" + entry.name + "' has a row already", "keep one of them");
    if (!entry.value.is_object()) {
      refuse(entry.mark, "'" + entry.name + "' needs a mapping of fields",
             "write \"" + entry.name + ": {…}\"");
    }
    // A server may call its methods as it likes.
    if (usual_.dialect == Reach::Dialect::kContract) return message(entry);
    const char first = entry.name.empty() ? ' ' : entry.name.front();
    if (ascii::is_upper(first)) return type(entry);
    if (first == '-' || (first >= '0' && first <= '9')) return error_code(entry);
    message(entry);
  }

  TypeExpr expression(const Value& value) { return read_expression(value, file_, references_); }

  // ---- members

  Member member(const json::Member& field, bool optional) {
    Member out;
    out.name = field.name;
    add_rows(field, optional, out);
    return out;
  }

  // `NAME?: …` means that it may be left out.
  void add_member(const json::Member& field, std::vector<Member>& to) {
    json::Member plain = field;
    const bool optional = plain.name.ends_with('?');
    if (optional) plain.name.pop_back();
    if (plain.name.starts_with("$$")) plain.name.erase(0, 1);
    const auto same = std::find_if(to.begin(), to.end(),
                                   [&](const Member& one) { return one.name == plain.name; });
    if (same == to.end())
      to.push_back(member(plain, optional));
    else
      add_rows(plain, optional, *same);
  }

  void add_rows(const json::Member& field, bool optional, Member& out) {
    if (field.value.is_array())
      for (const Value& one : field.value.items) add_row(one, optional, out);
    else
      add_row(field.value, optional, out);
  }

  void add_row(const Value& value, bool optional, Member& out) {
    Row row;
    row.reach = usual_;
    row.optional = optional;
    row.silent = out.name == "_meta";  // the oracle `meta` speaks of it
    const bool bare =
        !value.is_object() || (value.members.size() == 1 && value.members[0].name.starts_with('$'));
    if (bare) {
      row.is = expression(value);
      out.rows.push_back(std::move(row));
      return;
    }
    bool exists = false;
    for (const json::Member& field : value.members) {
      if (field.name == "is") {
        row.is = expression(field.value);
        exists = true;
      } else if (field.name == "covers") {
        row.covers = clauses(field);
        row.silent = row.covers.empty();
      } else if (field.name == "missing") {
        row.missing = clauses(field);
      } else if (field.name == "outside") {
        const Clauses more = clauses(field);
        out.outside.insert(out.outside.end(), more.begin(), more.end());
      } else if (field.name == "at_most") {
        row.at_most = at_most(field);
      } else if (field.name == "also") {
        also(field.value, row);
      } else if (!reach(field, row.reach)) {
        unknown_field(field, {"is", "covers", "missing", "also", "outside", "at_most", "since",
                              "until", "dialect"});
      }
    }
    if (exists)
      out.rows.push_back(std::move(row));
    else if (out.outside.empty())
      refuse(value, "the type of '" + out.name + "' is missing", "write \"is: $string\"");
  }

  void also(const Value& value, Row& row) {
    if (value.is_array()) {
      for (const Value& one : value.items) also(one, row);
      return;
    }
    AlsoRow out;
    bool has_type = false;
    for (const json::Member& field : value.members) {
      if (field.name == "is") {
        out.is = expression(field.value);
        has_type = true;
      } else if (field.name == "covers") {
        out.covers = clauses(field);
      } else if (field.name == "at_most") {
        out.at_most = at_most(field);
      } else {
        unknown_field(field, {"is", "covers", "at_most"});
      }
    }
    if (!has_type || out.covers.empty())
      refuse(value, "'also' needs a type and clauses", "write \"{is: $uri, covers: …}\"");
    row.also.push_back(std::move(out));
  }

  // ---- the three kinds of row

  void message(const json::Member& entry) {
    MessageRow row;
    row.reach = usual_;
    row.name = entry.name;
    row.notification = entry.name.starts_with("notifications/");
    bool has_from = false;
    for (const json::Member& field : entry.value.members) {
      const std::string& name = field.name;
      if (name == "from") {
        row.from = from(field);
        has_from = true;
      } else if (name == "kind") {
        const std::string kind = text(field);
        if (kind != "request" && kind != "notification") {
          refuse(field.value, "'kind' is request or notification",
                 "leave it out where the name says");
        }
        row.notification = kind == "notification";
      } else if (name == "capability") {
        row.capability = named(field);
      } else if (name == "undeclared") {
        row.undeclared = clauses(field);
      } else if (name == "carried") {
        row.carried = named(field);
      } else if (name == "params" || name == "params?") {
        add_rows(field, name == "params?", row.params);
      } else if (name == "result") {
        add_rows(field, false, row.result);
      } else if (name == "instead") {
        for (const json::Member& other : field.value.members)
          row.instead.push_back(member(other, false));
      } else if (name == "lists") {
        list(field, row);
      } else if (name == "answer") {
        row.answer = field.value;
      } else if (name == "safe") {
        row.safe = flag(field);
      } else if (name == "only_with") {
        row.only_with = text(field);
      } else if (name == "headers") {
        for (const json::Member& header : field.value.members)
          row.headers.emplace_back(header.name, text(header));
      } else if (name == "outside") {
        row.outside = clauses(field);
      } else if (name == "positions") {
        for (const Value& one : field.value.items) row.positions.push_back(one.text);
      } else if (name == "errors") {
        for (const Value& one : field.value.items)
          row.errors.push_back(static_cast<int>(json::as_integer(one).value_or(0)));
      } else if (name == "other_error") {
        row.other_error = clauses(field);
      } else if (name == "names") {
        read_names(*this, field, row);
      } else if (name == "gates") {
        read_gates(*this, field, row);
      } else if (name == "fits") {
        read_fits(*this, field, row);
      } else if (name == "yields") {
        read_yields(*this, field, row);
      } else if (name == "follows") {
        read_causes(*this, field, row);
      } else if (name != "answers" && !reach(field, row.reach)) {
        unknown_field(
            field,
            {"from",      "kind",    "capability",  "undeclared", "carried", "params",  "params?",
             "result",    "instead", "lists",       "safe",       "headers", "answer",  "names",
             "gates",     "fits",    "answers",     "follows",    "yields",  "outside", "positions",
             "only_with", "errors",  "other_error", "since",      "until",   "dialect"});
      }
    }
    const auto answers =
        std::find_if(entry.value.members.begin(), entry.value.members.end(),
                     [](const json::Member& one) { return one.name == "answers"; });
    if (answers != entry.value.members.end()) read_answers(*this, *answers, row);
    if (!has_from) refuse(entry.mark, "who sends '" + entry.name + "'?", "write \"from: client\"");
    row.params.name = "params";
    row.result.name = "result";
    if (!row.notification && row.result.rows.empty()) {
      refuse(entry.mark, "the request '" + entry.name + "' needs a result",
             "write \"result: $EmptyResult\"");
    }
    protocol_.messages_.push_back(std::move(row));
  }

  void list(const json::Member& field, MessageRow& row) const {
    if (!field.value.is_object()) {
      refuse(field.value,
             "'lists' names the member that holds the items, and what tells them apart",
             "write \"lists: {items: tools, key: name}\"");
    }
    for (const json::Member& one : field.value.members)
      if (one.name == "items")
        row.lists = text(one);
      else if (one.name == "key")
        row.key = text(one);
      else
        unknown_field(one, {"items", "key"});
  }

  From from(const json::Member& field) const {
    const std::string word = text(field);
    if (word == "client") return From::kClient;
    if (word == "server") return From::kServer;
    if (word == "both") return From::kBoth;
    refuse(field.value, "nobody is called '" + word + "'", "write client, server or both");
  }

  void error_code(const json::Member& entry) {
    ErrorRow row;
    row.reach = usual_;
    const std::optional<std::int64_t> code = [&]() -> std::optional<std::int64_t> {
      try {
        return std::stoi(entry.name);
      } catch (const std::exception&) {
        return std::nullopt;
      }
    }();
    if (!code) refuse(entry.mark, "'" + entry.name + "' is no error code", "write \"-32042\"");
    row.code = static_cast<int>(*code);
    row.data.name = "data";
    for (const json::Member& field : entry.value.members) {
      if (field.name == "data" || field.name == "data?") {
        add_rows(field, field.name == "data?", row.data);
      } else if (field.name == "any") {
        row.any = flag(field);
      } else if (field.name == "status") {
        row.status = static_cast<int>(json::as_integer(field.value).value_or(0));
      } else if (field.name == "status_covers") {
        row.status_covers = clauses(field);
      } else if (!reach(field, row.reach)) {
        unknown_field(field, {"data", "data?", "any", "status", "status_covers", "since", "until",
                              "dialect"});
      }
    }
    protocol_.errors_.push_back(std::move(row));
  }

  void type(const json::Member& entry) {
    auto row = std::make_unique<TypeRow>();
    row->name = entry.name;
    Extension& extension = extensions_[entry.name];
    extension.place = json::place(file_, entry.mark);
    const bool by_member = entry.value.find("$by") != nullptr;
    if (by_member) row->kind = TypeRow::Kind::kByMember;
    for (const json::Member& field : entry.value.members) {
      const std::string& name = field.name;
      if (name == "$extends") {
        extension.bases = clauses(field);
      } else if (name == "$covers") {
        row->covers = clauses(field);
      } else if (name == "$missing") {
        for (const json::Member& one : field.value.members)
          extension.missing.emplace_back(one.name, clauses(one));
      } else if (name == "$any_of") {
        any_of(field, *row);
      } else if (name == "$is") {
        row->kind = TypeRow::Kind::kExpression;
        row->is.name = "is";
        add_rows(field, false, row->is);
      } else if (name == "$by") {
        row->tag = text(field);
      } else if (name == "$absent") {
        row->absent = member(field, false);
      } else if (name == "$untagged") {
        row->untagged = clauses(field);
      } else if (name == "$unknown") {
        row->unknown = clauses(field);
      } else if (name == "$open") {
        row->open = flag(field);
      } else if (name == "$with") {
        row->kind = TypeRow::Kind::kByPresence;
        for (const json::Member& one : field.value.members)
          row->variants.push_back(member(one, false));
      } else if (name.starts_with('$') && !name.starts_with("$$")) {
        unknown_field(field, {"$extends", "$covers", "$missing", "$any_of", "$is", "$by", "$absent",
                              "$untagged", "$unknown", "$open", "$with"});
      } else {
        add_member(field, by_member ? row->variants : row->members);
      }
    }
    protocol_.types_[entry.name] = std::move(row);
  }

  void any_of(const json::Member& field, TypeRow& row) {
    for (const json::Member& part : field.value.members)
      if (part.name == "of")
        row.any_of = clauses(part);
      else if (part.name == "covers")
        row.any_of_covers = clauses(part);
      else
        unknown_field(part, {"of", "covers"});
  }

  // ---- what rows take from each other

  void flatten(TypeRow& row) {
    Extension& extension = extensions_[row.name];
    if (extension.done) return;
    if (extension.open) {
      throw ProtocolMistake{
          {extension.place, "'" + row.name + "' extends itself", "take the name out of $extends"}};
    }
    extension.open = true;
    std::vector<Member> members, variants;
    for (const std::string& name : extension.bases) {
      const auto found = protocol_.types_.find(name);
      if (found == protocol_.types_.end()) {
        throw ProtocolMistake{
            {extension.place, "there is no type '" + name + "'", suggestion(name, type_names())}};
      }
      TypeRow& base = *found->second;
      flatten(base);
      merge(base.members, members);
      merge(base.variants, variants);
      if (row.covers.empty()) row.covers = base.covers;
      if (row.tag.empty() && !base.tag.empty()) {
        row.kind = base.kind;
        row.tag = base.tag;
        merge(row.members, row.variants);
        row.members.clear();
        if (row.unknown.empty()) row.unknown = base.unknown;
      }
    }
    merge(row.members, members);
    merge(row.variants, variants);
    row.members = std::move(members);
    row.variants = std::move(variants);
    for (auto& [name, missing] : extension.missing) {
      const auto member = std::find_if(row.members.begin(), row.members.end(),
                                       [&](const Member& one) { return one.name == name; });
      if (member == row.members.end()) {
        throw ProtocolMistake{{extension.place, "'" + row.name + "' has no member '" + name + "'",
                               "name a member in $missing"}};
      }
      for (Row& one : member->rows) one.missing = missing;
    }
    extension.done = true;
  }

  // Members of `from` replace those of the same name.
  static void merge(const std::vector<Member>& from, std::vector<Member>& to) {
    for (const Member& member : from) {
      const auto same = std::find_if(to.begin(), to.end(),
                                     [&](const Member& one) { return one.name == member.name; });
      if (same == to.end())
        to.push_back(member);
      else
        *same = member;
    }
  }

  void resolve(TypeExpr& expr) {
    if (expr.form == TypeExpr::Form::kType)
      expr.type = protocol_.types_.find(expr.text)->second.get();
    for (TypeExpr& inner : expr.inner) resolve(inner);
  }
  void resolve(Member& member) {
    for (Row& row : member.rows) {
      resolve(row.is);
      for (AlsoRow& also : row.also) resolve(also.is);
    }
  }
  void resolve(std::vector<Member>& members) {
    for (Member& member : members) resolve(member);
  }
  void resolve_all() {
    for (const auto& [name, type] : protocol_.types_) {
      resolve(type->members);
      resolve(type->variants);
      resolve(type->is);
      resolve(type->absent);
    }
    for (MessageRow& row : protocol_.messages_) {
      resolve(row.params);
      resolve(row.result);
      resolve(row.instead);
    }
    for (ErrorRow& row : protocol_.errors_) resolve(row.data);
  }

  Protocol protocol_;
  Reach usual_;  // of rows of this file that say nothing of it
  std::set<std::pair<bool, std::string>> names_;
  std::map<std::string, Extension> extensions_;
  std::vector<TypeReference> references_;
};

Result<Protocol> read_protocol(const std::vector<ProtocolFile>& files) {
  ProtocolReader reader;
  try {
    for (const ProtocolFile& file : files) reader.read(file);
    return reader.finish();
  } catch (const ProtocolMistake& mistake) {
    return mistake.error;
  }
}

}  // namespace harness::spec
