// SPDX-License-Identifier: Apache-2.0
// The protocol as data: which methods, notifications, error codes and types each revision has, who
// sends them, their members, and the clauses that a breach cites. The rows are in cases/protocol/
// (its README describes them); no fact about a revision exists twice.
//
// protocol() is a constant, like the table of profiles: its bytes are packed into the program, and
// a wrong row fails the build. Tests read their own rows with read_protocol().
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"

namespace harness::schema {
class InstanceCheck;
}

namespace harness::spec {

struct Profile;

// The profiles that a row is for: a range of revisions, inclusive.
struct Reach {
  // kContract: of plain JSON-RPC with a contract of its own.
  enum class Dialect : std::uint8_t { kAny, kMcp, kTutorial, kLsp, kAcp, kContract };
  std::string since;                // "": from the first
  std::string until;                // "": to the last
  Dialect dialect = Dialect::kAny;  // any: of MCP and of the tutorials

  bool has(const Profile& profile) const;
};

struct TypeRow;

// What a value may be. The set is closed, so that values can be both made and checked.
struct TypeExpr {
  enum class Form : std::uint8_t {
    kAny,
    kNull,
    kBoolean,
    kNumber,
    kInteger,
    kString,
    kObject,
    kArray,
    kId,   // a string or an integer
    kUri,  // strings of a format, see formats.h
    kUriTemplate,
    kBase64,
    kBase64Any,  // decodes with some alphabet, with or without padding
    kDateTime,
    kMediaType,   // of the kind `text`, "" any
    kDataBase64,  // a URI; if it is a data: URI, one in Base64
    kUriScheme,   // the part before :// is a scheme
    kCounts,      // an object whose number inner[0] is not below the length of its array inner[1]
    kHttpsUri,    // with https, or http on this machine
    kPrefixedNames,  // an object whose member names have the form of extension names
    kContains,       // a string that contains `text`
    kScheme,         // a URI with one of the schemes `inner`
    kCharacters,     // a string of only the characters `text`, ranges written out
    kLiteral,        // `literal`
    kOneOf,          // one of `inner`
    kArrayOf,        // elements are inner[0]
    kMapOf,          // member values are inner[0]
    kRange,          // a number from `low` to `high`
    kLength,         // characters of a string or elements of an array, from `low` to `high`
    kOnly,           // an object with no members except `inner`
    kDistinct,       // an array whose elements differ in the member `text`
    kType,           // `type`
    kSchema,         // what the JSON Schema `schema` allows, in every reading of it
  };
  Form form = Form::kAny;
  json::Value literal;
  std::string text;
  std::vector<TypeExpr> inner;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  const TypeRow* type = nullptr;
  std::shared_ptr<const schema::InstanceCheck> schema;
};

using Clauses = std::vector<std::string>;  // requirement ids, the most specific first

enum class AtMost : std::uint8_t { kFail, kWarn, kInfo };  // how much a breach counts

// What a value of the right type must also match.
struct AlsoRow {
  TypeExpr is;
  Clauses covers;
  AtMost at_most = AtMost::kFail;
};

// One member, or params, or a result, as in some revisions.
struct Row {
  Reach reach;
  bool optional = false;
  TypeExpr is;
  Clauses covers;
  Clauses missing;      // instead of `covers` if it is missing
  bool silent = false;  // no clause is about it or its type
  AtMost at_most = AtMost::kFail;
  std::vector<AlsoRow> also;
};

struct Member {
  std::string name;
  std::vector<Row> rows;
  Clauses outside;  // the clause against having it if no row applies

  const Row* under(const Profile& profile) const;  // null: the profile does not have it
};

struct TypeRow {
  enum class Kind : std::uint8_t {
    kObject,      // `members`
    kExpression,  // `is`
    kByMember,    // one of `variants`, named by the value of the member `tag`
    kByPresence,  // one of `variants`, named by a member that is present
  };
  std::string name;
  Kind kind = Kind::kObject;
  std::vector<Member> members;  // those of `$extends` come first
  Member is;
  std::string tag;
  std::vector<Member> variants;
  Member absent;                    // without tag or such a member; no rows: one must be present
  Clauses untagged;                 // kByMember: for a missing tag; empty: `covers`
  Clauses unknown;                  // kByMember: for a value that is not a variant
  bool open = false;                // kByMember: other values are lawful
  Clauses covers;                   // for breaches without their own clause
  std::vector<std::string> any_of;  // one of these members must be present
  Clauses any_of_covers;

  const Member* find(std::string_view member) const;
};

// A word that differs by revision.
struct Named {
  Reach reach;
  std::string text;
};

enum class From : std::uint8_t { kClient, kServer, kBoth };

// Of a notification: the request of a client that it follows from.
struct CauseRow {
  Reach reach;
  std::string by;      // "resources/subscribe"
  std::string ended;   // "resources/unsubscribe"; "" if the next `by` replaces it
  std::string member;  // of params of all three, names what it is about
  std::string order;   // a type with ordered values: the request names the lowest one
                       // and those above it; "": the same one, or what is below it
  Clauses never;       // the clause against it if nothing was requested
  Clauses other;       // if it is about something else
  Clauses after;       // if the requested thing had ended
};

// What a result may hold only for clients that declare a capability.
struct GateRow {
  std::string at;      // names with slashes between them, `*` any
  json::Value is;      // it is this; null: any value
  std::string client;  // "client.textDocument.definition.linkSupport"
  Clauses covers;
  AtMost at_most = AtMost::kFail;
};

using Headers = std::vector<std::pair<std::string, std::string>>;  // HTTP header → param it mirrors

// The kinds of reply that rows about answers distinguish.
struct ReplyWord {
  enum class Kind : std::uint8_t {
    kCode,     // an error with the code `code`
    kError,    // any error
    kResult,   // any result
    kIsError,  // a result that says itself that it is an error
    kEmpty,    // a result whose lists are empty
    kSame,     // a result that shows the final state of a thing
    kInstead,  // the other result `text`, see MessageRow::instead
  };
  Kind kind = Kind::kCode;
  int code = 0;
  std::string text;
};

// The lawful replies to a request with one known property; see harness/spec/features.h.
struct AnswerRow {
  enum class Kind : std::uint8_t {
    kUndeclared,  // the capability of the method is not declared
    kDeclared,    // it is
    kMissing,     // the member is absent
    kPresent,     // it is
    kWrong,       // it is present with another kind than its row has
    kUnknown,     // it names nothing that exists
    kKnown,       // it names something that exists
    kUnfit,       // the named item requires something else there
    kEnded,       // it names something in a final state
  };
  Kind kind = Kind::kWrong;
  std::string member;  // "argument.value" of params, "params" itself; "" for the first two kinds
  Reach reach;
  std::vector<std::string> of;  // kUnfit: the keywords of JSON Schema that are broken; empty: any
  std::string capability;       // that must also be declared; "" none
  std::string at;               // a JSON Pointer into the named item: its value is one of `is`,
  std::vector<json::Value> is;  // null if nothing is there; "": any value
  std::vector<ReplyWord> with;  // lawful
  std::vector<ReplyWord> near;  // tolerated
  std::vector<ReplyWord> not_with;  // breaks `covers`; everything else is lawful then
  Clauses covers;                   // against everything else
  Clauses code;                     // cited instead for another error
  AtMost at_most = AtMost::kFail;
};

// The thing that a param names.
struct NamingRow {
  std::string member;              // "ref.name" of params
  std::vector<std::string> lists;  // an item of one of these lists, by their keys
  std::string state;               // a thing whose state stands under this name beside its own
  std::vector<std::string> final_states;  // in which it stays
};

// A member of the result that fits a JSON Schema in the named item.
struct YieldRow {
  std::string member;
  std::string by;  // the member of the item that is the schema
  Clauses covers;
};

struct MessageRow {
  std::string name;
  bool notification = false;
  From from = From::kClient;
  Reach reach;
  std::vector<Named> capability;  // "server.tools", "client.sampling"
  Clauses undeclared;             // the clause against sending it without that declaration
  std::vector<Named> carried;     // "inputRequests": appears there instead of being sent
  Member params;                  // no rows: it has none
  Member result;
  std::vector<Member> instead;  // other results, see `$instead` in cases/protocol/README.md
  std::string lists;            // the member of the result that holds items; "" when it is no list
  std::string key;              // the member of an item that tells it from others
  json::Value answer;           // from a server: the usual result of a client
  bool safe = false;            // asking changes nothing
  std::string only_with;        // the affordance without which it is never sent; "": it may be
  Headers headers;
  std::vector<NamingRow> names;
  // A param, and the member of the named item that says what it must be: a JSON Schema, or a list
  // of names of which some are required.
  std::vector<std::pair<std::string, std::string>> fits;
  std::vector<YieldRow> yields;
  std::vector<AnswerRow> answers;
  std::vector<GateRow> gates;
  std::vector<CauseRow> causes;
  Clauses outside;                     // the clause against sending it in a revision that does not
                                       // have it
  std::vector<std::string> positions;  // the names of its params by their positions in an array
  std::vector<int> errors;             // error codes that it may return besides the standard ones
  Clauses other_error;  // the clause against another one; empty: none is known to be wrong

  bool from_client() const { return from != From::kServer; }
  bool from_server() const { return from != From::kClient; }
  // The capability to declare under this profile, "" if none is needed.
  std::string_view capability_in(const Profile& profile) const;
  std::string_view carried_in(const Profile& profile) const;
};

// Whether a peer that declares `capabilities` (null: none) has the capability that a row needs,
// such as "server.tools.listChanged"; a capability declared as false or null does not count. True
// for "".
bool is_declared(std::string_view capability, const json::Value* capabilities);

struct ErrorRow {
  int code = 0;
  Reach reach;
  Member data;
  bool any = false;  // any request may be answered with it
  int status = 0;    // the HTTP status that goes with it; 0: any
  Clauses status_covers;
};

class Protocol {
 public:
  Protocol();
  Protocol(Protocol&&) noexcept;
  Protocol& operator=(Protocol&&) noexcept;
  ~Protocol();

  // In any revision; null if none has it.
  const MessageRow* find(std::string_view method) const;
  // Only what the profile has.
  const MessageRow* find(std::string_view method, const Profile& profile) const;
  // All, sorted by name.
  const std::vector<MessageRow>& messages() const { return messages_; }
  std::vector<const MessageRow*> messages_of(const Profile& profile) const;
  // The lists that a server of the profile keeps, each with the member and the key of its items.
  std::vector<const MessageRow*> lists_of(const Profile& profile) const;
  const ErrorRow* find_error(std::int64_t code, const Profile& profile) const;
  const TypeRow* find_type(std::string_view name) const;
  std::vector<const TypeRow*> types() const;
  // Every clause about the shape of a message that some row names, each once, sorted.
  std::vector<std::string> clauses() const;
  // Likewise about replies to a request.
  std::vector<std::string> answer_clauses() const;

 private:
  friend class ProtocolReader;
  std::vector<MessageRow> messages_;
  std::vector<ErrorRow> errors_;
  // Expressions point to types, so types never move.
  std::map<std::string, std::unique_ptr<TypeRow>, std::less<>> types_;
};

// One file of rows, read into a Value with the places that errors name.
struct ProtocolFile {
  std::string name;
  json::Value rows;
};
Result<Protocol> read_protocol(const std::vector<ProtocolFile>& files);

// That of cases/protocol/ at build time; a profile with a contract has its own, see
// Profile::protocol().
const Protocol& protocol();

// The params of a request by name, if it has them by position; nothing if there are more than the
// row has positions.
std::optional<json::Value> named_params(const MessageRow& row, const json::Value* params);

// "a string", "\"user\" or \"assistant\"", for reports; types as they are under the profile.
std::string describe(const TypeExpr& expr, const Profile* profile = nullptr);

}  // namespace harness::spec
