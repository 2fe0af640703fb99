// SPDX-License-Identifier: Apache-2.0
#include "harness/target/auth.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "harness/base/ascii.h"
#include "harness/base/base64.h"
#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/base/words.h"
#include "harness/json/yaml.h"
#include "harness/target/secret_command.h"
#include "harness/target/target.h"

namespace harness::target {
namespace {

namespace fs = std::filesystem;

constexpr const char* kForms =
    "write {type: bearer, token: $NAME}, {type: basic, login: $NAME}, "
    "{type: api_key, header: X-API-Key, value: $NAME} or {type: custom, headers: {NAME: VALUE}}";
constexpr const char* kSources =
    "write $NAME (from the environment), \"@path\" (from a file) or {secret: {command: [PROGRAM, "
    "ARG]}} (what it prints)";
constexpr const char* kOptionForms =
    "write bearer:NAME, basic:NAME (USER:PASSWORD) or api_key:HEADER:NAME, where NAME is an "
    "environment variable without its dollar sign, or @FILE";

constexpr const char* kLoginForm = "the secret is no USER:PASSWORD";

// A value with its references filled in.
struct Filled {
  std::string text;
  struct Part {
    std::string name;  // of the variable or file
    std::string text;
  };
  std::vector<Part> secrets;
};

bool is_variable_part(char c) { return ascii::is_alphanumeric(c) || c == '_'; }

bool can_be_sent(std::string_view value) {
  return std::none_of(value.begin(), value.end(),
                      [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; });
}

// "USER:PASSWORD" as RFC 7617 writes it. All that it holds is secret.
std::optional<Filled> as_basic(const Filled& login) {
  const std::size_t colon = login.text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  Filled out{to_base64(login.text), login.secrets};
  const std::string name = login.secrets.empty() ? "login" : login.secrets.front().name;
  out.secrets.push_back({name, out.text});
  out.secrets.push_back({name, login.text});
  if (colon + 1 < login.text.size()) out.secrets.push_back({name, login.text.substr(colon + 1)});
  return out;
}

Result<Filled> from_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr || *value == '\0')
    return Error{"", "the environment variable " + name + " is not set", "set it to the secret"};
  return Filled{value, {{name, value}}};
}

Result<Filled> from_file(const fs::path& folder, const std::string& name) {
  const fs::path path = fs::path(name).is_absolute() ? fs::path(name) : folder / name;
  const auto wrong = [&](const std::string& what) {
    return Error{"", "the file '" + printable(path.string()) + "' " + what,
                 "name a file that contains only the secret"};
  };
  const Result<std::string> content = read_file(path);
  if (!content) return wrong("cannot be read");
  std::string text = *content;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  if (text.empty()) return wrong("is empty");
  if (text.size() > kLargestSecret) return wrong("is too large for a secret");
  return Filled{text, {{path.filename().string(), text}}};
}

// What `command: [PROGRAM, ARG…]`, or the same in one text, prints.
Result<Filled> from_command(const fs::path& folder, const json::Value& written) {
  std::vector<std::string> words;
  if (written.is_string()) {
    words = shell_words(written.text).value_or(words);
  } else {
    for (const json::Value& item : written.items)
      if (item.is_string() || item.is_number()) words.push_back(item.text);
    if (words.size() != written.items.size()) words.clear();
  }
  if (words.empty() || words.front().empty())
    return Error{"", "'command' of a secret must be a program and its arguments",
                 "write {secret: {command: [pass, show, NAME]}}"};
  std::string& program = words.front();
  if (program.find('/') != std::string::npos && !fs::path(program).is_absolute())
    program = (folder / program).lexically_normal().string();
  Result<std::string> text = printed_by(words, folder.string());
  if (!text) return text.error();
  return Filled{*text, {{fs::path(program).filename().string(), *text}}};
}

// "$NAME", "${NAME}" and "${env:NAME}" anywhere, "$$" a dollar sign; "@path" as the whole value.
Result<Filled> filled(const fs::path& folder, const std::string& text) {
  if (text.starts_with("@")) return from_file(folder, text.substr(1));
  Filled out;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '$' || i + 1 == text.size()) {
      out.text += text[i++];
      continue;
    }
    if (text[i + 1] == '$') {
      out.text += '$';
      i += 2;
      continue;
    }
    const bool braced = text[i + 1] == '{';
    std::size_t begin = i + (braced ? 2 : 1);
    if (braced && text.compare(begin, 4, "env:") == 0) begin += 4;
    std::size_t end = begin;
    while (end < text.size() && is_variable_part(text[end])) ++end;
    const std::string name = text.substr(begin, end - begin);
    if (name.empty() || (braced && (end == text.size() || text[end] != '}')))
      return Error{"", "a value with '$' must be a reference to the environment",
                   "write $NAME or ${NAME}; $$ is a dollar sign"};
    auto part = from_variable(name);
    if (!part) return part.error();
    out.text += part->text;
    out.secrets.push_back(part->secrets.front());
    i = end + (braced ? 1 : 0);
  }
  return out;
}

// A secret of one value. What has no reference in it is the secret itself, and that is said.
struct Reader {
  std::string file;
  Target& out;

  Error error(const json::Mark& mark, std::string what, std::string remedy) const {
    return {mark.line > 0 ? json::place(file, mark) : file, std::move(what), std::move(remedy)};
  }

  Result<Filled> read(const json::Value& value, const std::string& key) const {
    const json::Value* only =
        value.is_object() && value.members.size() == 1 ? &value.members.front().value : nullptr;
    if (only != nullptr && value.members.front().name == "secret") return read(*only, key);
    const bool command = only != nullptr && value.members.front().name == "command";
    if (!command && !value.is_string() && !value.is_number())
      return error(value.mark, "'" + key + "' must be text", kSources);
    const fs::path folder = fs::absolute(fs::path(file)).parent_path();
    auto result = command ? from_command(folder, *only) : filled(folder, value.text);
    if (!result) return error(value.mark, result.error().what, result.error().remedy);
    if (result->text.empty()) return error(value.mark, "'" + key + "' is empty", kSources);
    return result;
  }

  Result<Filled> read_for_header(const json::Value& value, const std::string& key) const {
    auto result = read(value, key);
    if (result && !can_be_sent(result->text))
      return error(value.mark, "'" + key + "' holds a line break or control character",
                   "a header cannot carry it; check the variable or file");
    return result;
  }

  void literal(const json::Value& value, Filled& filled, const std::string& name) const {
    filled.secrets.push_back({name, filled.text});
    out.warnings.push_back(json::place(file, value.mark) +
                           ": the file contains the secret itself; " + kSources);
  }

  void keep(const Filled& filled) const {
    for (const Filled::Part& part : filled.secrets) {
      const std::string warning =
          part.name + " is too short to recognise in other text: reports do not hide it";
      if (part.text.size() < Secrets::kShortest &&
          std::find(out.warnings.begin(), out.warnings.end(), warning) == out.warnings.end())
        out.warnings.push_back(warning);
      out.secrets.add(part.name, part.text);
      if (part.text.size() > Secrets::kShortest)
        out.secrets.add(part.name, std::string_view(part.text).substr(0, part.text.size() - 1));
    }
  }

  void add(const std::string& header, const std::string& before, const Filled& filled) const {
    Credential credential{header, before + filled.text, {}};
    for (const Filled::Part& part : filled.secrets) credential.secrets.push_back(part.text);
    out.auth.credentials.push_back(std::move(credential));
    keep(filled);
  }
};

Status check_keys(const Reader& reader, const json::Value& mapping,
                  const std::vector<std::string>& known, const std::string& what) {
  for (const auto& member : mapping.members) {
    if (std::find(known.begin(), known.end(), member.name) != known.end()) continue;
    const std::string near = nearest(member.name, known);
    return reader.error(member.mark, "unknown key '" + member.name + "' in " + what,
                        near.empty() ? kForms : "did you mean '" + near + "'?");
  }
  for (const std::string& name : known)
    if (mapping.find(name) == nullptr)
      return reader.error(mapping.mark, what + " needs '" + name + "'", kForms);
  return Nothing{};
}

Status carries_headers(const Reader& reader, const json::Mark& mark) {
  if (wire::traits_of(reader.out.transport()).headers) return Nothing{};
  return reader.error(
      mark, std::string("credentials in headers do not go with ") + reader.out.transport_name(),
      reader.out.stdio() ? "give a command its secrets in env: {NAME: {secret: $NAME}}"
                         : "leave them out: only HTTP and WebSocket have headers");
}

Status read_custom(const Reader& reader, const json::Value& headers) {
  if (!headers.is_object() || headers.members.empty())
    return reader.error(headers.mark, "'headers' must be a mapping of names to values", kForms);
  std::vector<std::pair<std::string, Filled>> all;
  std::vector<const json::Value*> written;
  bool referred = false;
  for (const auto& member : headers.members) {
    if (!ascii::is_token(member.name))
      return reader.error(member.mark, "'" + printable(member.name) + "' is not a header name",
                          "write a word such as X-Client-ID");
    auto value = reader.read_for_header(member.value, member.name);
    if (!value) return value.error();
    referred |= !value->secrets.empty();
    all.emplace_back(member.name, std::move(*value));
    written.push_back(&member.value);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto& [name, value] = all[i];
    // Beside a secret from elsewhere a plain value is most likely a name: X-Client-ID: tester.
    const bool plain = referred && !names_secret(name);
    if (value.secrets.empty() && !plain) {
      // The scheme is no secret: Bearer abc.
      const std::size_t space = value.text.find(' ');
      Filled secret{space == std::string::npos ? value.text : value.text.substr(space + 1), {}};
      reader.literal(*written[i], secret, name);
      value.secrets = secret.secrets;
    }
    reader.add(name, "", value);
  }
  return Nothing{};
}

std::string nonsense(std::size_t length) {
  constexpr std::string_view kText = "not-the-secret-";
  std::string out;
  for (std::size_t i = 0; i < length; ++i) out += kText[i % kText.size()];
  return out;
}

// A well-formed token that claims to need no signature: {"alg":"none"} and a subject of nobody's.
std::string unsigned_token() {
  return to_base64url(R"({"alg":"none","typ":"JWT"})") + "." +
         to_base64url(R"({"sub":"rpcspec","iat":0,"exp":4102444800})") + ".";
}

std::string changed(const Credential& credential, Showing showing) {
  std::string value = credential.value;
  for (const std::string& secret : credential.secrets) {
    const std::size_t at = value.find(secret);
    if (at == std::string::npos) continue;
    const std::string other = showing == Showing::kCut        ? secret.substr(0, secret.size() - 1)
                              : showing == Showing::kUnsigned ? unsigned_token()
                                                              : nonsense(secret.size());
    value.replace(at, secret.size(), other);
  }
  return value;
}

struct Named {
  const char* name;
  Showing showing;
};
constexpr Named kShowings[] = {
    {"usual", Showing::kUsual},       {"none", Showing::kNone},
    {"wrong", Showing::kWrong},       {"cut", Showing::kCut},
    {"unsigned", Showing::kUnsigned}, {"lower-case", Showing::kLowerCase},
};

}  // namespace

bool Auth::signed_token() const {
  if (type != "bearer" || credentials.empty() || credentials.front().secrets.empty()) return false;
  const std::string& token = credentials.front().secrets.front();
  return token.starts_with("eyJ") && std::count(token.begin(), token.end(), '.') == 2;
}

std::optional<Showing> showing_named(std::string_view name) {
  for (const Named& row : kShowings)
    if (name == row.name) return row.showing;
  return std::nullopt;
}

Headers headers_of(const Auth& auth, Showing showing) {
  Headers headers;
  for (const Credential& credential : auth.credentials) {
    std::string name = credential.header;
    std::string value = credential.value;
    if (showing == Showing::kNone) {
      value = std::string(1, '\0');
    } else if (showing == Showing::kLowerCase) {
      name = ascii::lower(name);
      for (const std::string_view scheme : {"Bearer ", "DPoP "})
        if (value.starts_with(scheme)) value.replace(0, scheme.size(), ascii::lower(scheme));
    } else if (showing != Showing::kUsual) {
      value = changed(credential, showing);
    }
    headers.emplace_back(std::move(name), std::move(value));
  }
  return headers;
}

Status read_auth(const json::Value& written, const std::string& file, Target& out) {
  const Reader reader{file, out};
  const json::Value* type = written.is_object() ? written.find("type") : nullptr;
  if (type == nullptr || !type->is_string())
    return reader.error(written.mark, "'auth' must be a mapping with a type", kForms);
  if (auto carried = carries_headers(reader, written.mark); !carried) return carried;
  out.auth = Auth{type->text, {}, nullptr};
  if (type->text == "bearer") {
    if (auto known = check_keys(reader, written, {"type", "token"}, "auth of type bearer"); !known)
      return known;
    const json::Value& token = *written.find("token");
    auto value = reader.read_for_header(token, "token");
    if (!value) return value.error();
    if (value->secrets.empty()) reader.literal(token, *value, "token");
    reader.add("Authorization", "Bearer ", *value);
  } else if (type->text == "basic") {
    if (auto known = check_keys(reader, written, {"type", "login"}, "auth of type basic"); !known)
      return known;
    const json::Value& login = *written.find("login");
    auto value = reader.read_for_header(login, "login");
    if (!value) return value.error();
    if (value->secrets.empty()) reader.literal(login, *value, "login");
    const std::optional<Filled> basic = as_basic(*value);
    if (!basic) return reader.error(login.mark, kLoginForm, "write the two with a colon between");
    reader.add("Authorization", "Basic ", *basic);
  } else if (type->text == "api_key") {
    if (auto known =
            check_keys(reader, written, {"type", "header", "value"}, "auth of type api_key");
        !known)
      return known;
    const json::Value& header = *written.find("header");
    if (!header.is_string() || !ascii::is_token(header.text))
      return reader.error(header.mark, "'header' must be the name of a header",
                          "write header: X-API-Key");
    const json::Value& key = *written.find("value");
    auto value = reader.read_for_header(key, "value");
    if (!value) return value.error();
    if (value->secrets.empty()) reader.literal(key, *value, header.text);
    reader.add(header.text, "", *value);
  } else if (type->text == "custom") {
    if (auto known = check_keys(reader, written, {"type", "headers"}, "auth of type custom");
        !known)
      return known;
    return read_custom(reader, *written.find("headers"));
  } else {
    const std::string near = nearest(type->text, {"bearer", "basic", "api_key", "custom"});
    return reader.error(type->mark, "there is no auth of type '" + printable(type->text) + "'",
                        near.empty() ? kForms : "did you mean '" + near + "'?");
  }
  return Nothing{};
}

Status read_headers(const json::Value& headers, const std::string& file, Target& out) {
  const Reader reader{file, out};
  if (auto carried = carries_headers(reader, headers.mark); !carried) return carried;
  out.auth = Auth{"custom", {}, nullptr};
  Status read = read_custom(reader, headers);
  // The same thing under another name.
  if (read && out.auth.credentials.size() == 1) {
    const Credential& only = out.auth.credentials.front();
    if (ascii::lower(only.header) == "authorization" && only.value.starts_with("Bearer "))
      out.auth.type = "bearer";
  }
  return read;
}

Status auth_from_option(const std::string& option, Target& out) {
  const auto refuse = [](std::string what, std::string remedy) {
    return Error{"--auth", std::move(what), std::move(remedy)};
  };
  const std::size_t first = option.find(':');
  const std::size_t last = option.rfind(':');
  std::string type = option.substr(0, first);
  if (type == "api-key") type = "api_key";
  const bool key = type == "api_key" && first != std::string::npos && last > first;
  const bool basic = type == "basic";
  if (!key && ((type != "bearer" && !basic) || first == std::string::npos))
    return refuse("its form is unknown", std::string(kOptionForms) + "; or login, or issuer");
  const std::string header = key ? option.substr(first + 1, last - first - 1) : "Authorization";
  std::string source = option.substr((key ? last : first) + 1);
  if (source.starts_with("$")) source.erase(0, 1);
  const Reader reader{"--auth", out};
  if (auto carried = carries_headers(reader, {}); !carried) return carried;
  if (!ascii::is_token(header)) return refuse("it names no header", kOptionForms);
  const bool file = source.starts_with("@");
  const bool name = !source.empty() && std::all_of(source.begin(), source.end(), is_variable_part);
  // A shell may have put the secret in the place of its name, so what is there is not repeated.
  if (!file && (!name || std::getenv(source.c_str()) == nullptr))
    return refuse("it does not name an environment variable that is set",
                  std::string(kOptionForms) +
                      " (everybody on the machine could read a secret that is given there)");
  auto value = file ? from_file(fs::current_path(), source.substr(1)) : from_variable(source);
  if (!value) return refuse(value.error().what, value.error().remedy);
  if (!can_be_sent(value->text))
    return refuse("the secret holds a line break or control character",
                  "a header cannot carry it; check the variable or file");
  out.auth = Auth{type, {}, nullptr};
  if (basic) {
    const std::optional<Filled> login = as_basic(*value);
    if (!login) return refuse(kLoginForm, "write the two with a colon between");
    reader.add(header, "Basic ", *login);
  } else {
    reader.add(header, key ? "" : "Bearer ", *value);
  }
  return Nothing{};
}

Status bear(const std::string& name, const std::string& token, Target& out,
            std::shared_ptr<jose::Possession> possession) {
  const Reader reader{"--auth", out};
  if (auto carried = carries_headers(reader, {}); !carried) return carried;
  if (!can_be_sent(token))
    return Error{"--auth", "the token holds a line break or control character",
                 "a header cannot carry it"};
  const bool bound = possession != nullptr;
  out.auth = Auth{"bearer", {}, std::move(possession)};
  reader.add("Authorization", bound ? "DPoP " : "Bearer ", Filled{token, {{name, token}}});
  return Nothing{};
}

Error refused_credentials(bool given, int status, const std::string* challenge) {
  std::string what =
      given ? "the target refuses the credentials" : "the target requires credentials";
  what += ": it answers HTTP " + std::to_string(status);
  if (challenge != nullptr) what += " with WWW-Authenticate: " + printable(*challenge, 300);
  if (given && challenge != nullptr && challenge->find("insufficient_scope") != std::string::npos)
    return {"", what,
            "use a token with the scope that it asks for; --auth issuer::SCOPE makes one"};
  if (given && challenge != nullptr && ascii::lower(*challenge).starts_with("dpop "))
    return {"", what,
            "if it takes only tokens that are bound to a key, let --auth issuer-dpop make them"};
  if (given)
    return {
        "", what,
        "check that what `auth` names is valid, has not expired and was issued for this server"};
  if (challenge != nullptr && ascii::lower(*challenge).starts_with("basic"))
    return {"", what,
            "add --auth basic:NAME, where the environment variable NAME holds USER:PASSWORD, or "
            "auth: {type: basic, login: $NAME} to the target description"};
  const bool bearer = challenge == nullptr || ascii::lower(*challenge).find("bearer") == 0;
  return {"", what,
          bearer
              ? "add --auth bearer:NAME, where the environment variable NAME holds the token, "
                "--auth login "
                "to get one, or auth: {type: bearer, token: $NAME} to the target description"
              : "add --auth api_key:HEADER:NAME, or auth: {type: custom, headers: {Authorization: "
                "\"SCHEME $NAME\"}} to the target description"};
}

bool names_secret(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = c == '-' ? '_' : ascii::upper(c);
  constexpr std::string_view kWords[] = {"TOKEN",      "SECRET",       "PASSWORD",   "PASSWD",
                                         "API_KEY",    "APIKEY",       "ACCESS_KEY", "PRIVATE_KEY",
                                         "CREDENTIAL", "AUTHORIZATION"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

std::optional<Result<std::string>> read_secret(const std::string& name, const json::Value& value,
                                               const std::string& file, Target& out) {
  if (!value.is_object()) return std::nullopt;
  const Reader reader{file, out};
  const json::Value* secret = value.find("secret");
  if (secret == nullptr || value.members.size() != 1)
    return Result<std::string>(reader.error(
        value.mark, "the value of " + name + " must be text, or {secret: …}", kSources));
  auto read = reader.read(*secret, name);
  if (!read) return Result<std::string>(read.error());
  if (read->secrets.empty()) reader.literal(*secret, *read, name);
  reader.keep(*read);
  return Result<std::string>(read->text);
}

void note_environment(const std::string& name, const std::string& value, Target& out) {
  // A short one is a flag or a number: TOKEN_LIMIT=4096.
  if (names_secret(name) && value.size() >= 8) out.secrets.add(name, value);
}

}  // namespace harness::target
