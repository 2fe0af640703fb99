// SPDX-License-Identifier: Apache-2.0
// Skills: the extension io.modelcontextprotocol/skills of 2026-07-28. A skill is a directory of
// resources with a SKILL.md, whose front matter says what it is called. That of the weather is made
// when it is asked for, one skill is served and not listed, and one lies in another.
#include <algorithm>
#include <set>

#include "harness/base/base64.h"
#include "harness/base/sha256.h"
#include "harness/json/read.h"
#include "harness/reference/edits.h"
#include "harness/reference/mcp_dialect.h"
#include "harness/reference/mcp_fixtures.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr std::size_t kSkillsAPage = 3;
constexpr std::string_view kManifest = "/SKILL.md";
constexpr const char* kDirectory = "inode/directory";
constexpr std::string_view kDynamic = "skill://weather/SKILL.md";
constexpr std::string_view kUnlisted = "skill://backstage/SKILL.md";
constexpr std::string_view kEmptyDirectory = "skill://greeting/drafts";
constexpr std::string_view kNested = "skill://guests/seating/plan/";

std::string root_of(std::string_view uri) {
  return std::string(uri.substr(0, uri.size() - kManifest.size()));
}

std::string digest_of(std::string_view text) { return "sha256:" + sha256_hex(text); }

// What is read of a file, as bytes.
std::string bytes_of(const Resource& one) {
  return one.blob.empty() ? one.text : *from_base64(one.blob);
}

// Front matter that has one member a line.
Value frontmatter_of(const Resource& skill) {
  Value out = json::object();
  std::string_view rest = skill.text;
  rest.remove_prefix(rest.find('\n') + 1);
  for (std::size_t end; (end = rest.find('\n')) != rest.npos && !rest.starts_with("---");
       rest.remove_prefix(end + 1)) {
    const std::size_t colon = rest.find(": ");
    out.set(std::string(rest.substr(0, colon)),
            json::string(rest.substr(colon + 2, end - colon - 2)));
  }
  return out;
}

std::size_t size_of(const Resource& one, const Faults& faults) {
  const std::string bytes = bytes_of(one);
  if (!faults.has("skill-size-in-characters")) return bytes.size();
  return static_cast<std::size_t>(std::count_if(bytes.begin(), bytes.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

bool is_left_out(const Resource& file, const Resource& skill, const Faults& faults) {
  const std::string_view uri = file.uri;
  return (&file == &skill && faults.has("skill-manifest-without-itself")) ||
         (uri.ends_with("/chairs.txt") && faults.has("skill-file-not-in-manifest")) ||
         (uri.starts_with(kNested) && !skill.uri.starts_with(kNested) &&
          faults.has("skill-manifest-without-nested"));
}

Value files_of(const Resource& skill, const Faults& faults) {
  Value files = json::array();
  const std::string root = root_of(skill.uri);
  for (const Resource& one : resources()) {
    if (!one.uri.starts_with(root + "/") || is_left_out(one, skill, faults)) continue;
    const std::string line_end = faults.has("skill-digest-of-other-text") ? "\n" : "";
    files.items.push_back(
        json::object({{"uri", json::string(one.uri)},
                      {"digest", json::string(digest_of(bytes_of(one) + line_end))},
                      {"size", json::number(static_cast<std::int64_t>(size_of(one, faults)))}}));
  }
  if (faults.has("skill-file-twice")) files.items.push_back(files.items.back());
  return files;
}

Value entry_of(const Resource& skill, const Faults& faults) {
  const bool dynamic = skill.uri == kDynamic;
  Value entry =
      json::object({{"uri", json::string(skill.uri)},
                    {"frontmatter", frontmatter_of(skill)},
                    {"resources", dynamic ? json::string("dynamic") : files_of(skill, faults)}});
  if (dynamic) return entry;
  edit(faults, "skill", entry);
  if (faults.has("skill-description-endless"))
    entry.find("frontmatter")->set("description", json::string(std::string(1100, 'x')));
  if (skill.uri.starts_with(kNested) && faults.has("skill-nested-bare"))
    entry.set("frontmatter", json::object({{"name", json::string("plan")}}));
  return entry;
}

// What lies directly in a directory: its name, and whether it is one.
std::vector<std::pair<const Resource*, std::string>> children_of(const std::string& directory,
                                                                 const Faults& faults) {
  std::vector<std::pair<const Resource*, std::string>> out;
  const std::string prefix = directory + "/";
  std::set<std::string> seen;
  for (const Resource& one : resources()) {
    const std::string_view full = one.uri;
    if (!full.starts_with("skill://") || !full.starts_with(prefix)) continue;
    const std::string_view rest = full.substr(prefix.size());
    const std::size_t slash = rest.find('/');
    const bool inner = slash != std::string_view::npos && !faults.has("directory-goes-deep");
    const std::string name(rest.substr(0, inner ? slash : rest.size()));
    if (!seen.insert(name).second) continue;
    if (inner && faults.has("directory-without-directories")) continue;
    if (name == "tables.txt" && faults.has("directory-without-a-file")) continue;
    out.emplace_back(inner ? nullptr : &one, name);
  }
  if (kEmptyDirectory.starts_with(prefix)) out.emplace_back(nullptr, "drafts");
  return out;
}

}  // namespace

Value skills_settings(const Faults& faults) {
  if (faults.has("skill-settings-true")) return json::boolean(true);
  if (faults.has("directory-read-in-words"))
    return json::object({{"directoryRead", json::string("yes")}});
  if (faults.has("directory-read-undeclared")) return json::object();
  return json::object({{"directoryRead", json::boolean(true)}});
}

void Mcp::name_type(Outcome& outcome, FaultName fault, const char* type) const {
  if (Value* result = std::get_if<Value>(&outcome); result != nullptr && faults().has(fault))
    result->set("resultType", json::string(type));
}

// What Faults make of a read below skill://.
std::optional<Outcome> Mcp::odd_skill_file(const Call& call, const std::string& uri,
                                           std::string& mime_type) {
  const Value address = json::string(uri);
  if (uri.ends_with("/flag.png") && faults().has("skill-picture-as-text")) mime_type = "text/plain";
  if (uri.ends_with("/welcome.txt") && faults().has("skill-file-changes"))
    return contents_of(call, address, mime_type,
                       json::string("Welcome! " + std::to_string(++server_.memory.tally[uri])),
                       "text");
  if (!uri.ends_with(kManifest)) return std::nullopt;
  const Value* known = call.client_capabilities.find("extensions");
  if (faults().has("skill-md-for-those-who-declare") &&
      (known == nullptr || known->find(kSkillsExtension) == nullptr))
    return Outcome(RpcError{kMissingCapability, "The client has to know skills"});
  if (faults().has("skill-md-as-plain-text")) mime_type = "text/plain";
  if (faults().has("skill-md-without-frontmatter"))
    return contents_of(call, address, mime_type, json::string("Say their name."), "text");
  return std::nullopt;
}

Outcome Mcp::skills_list(Session&, const CallPtr& call) {
  std::vector<Value> items;
  for (const Resource& one : resources())
    if (is_skill(one) && one.uri != kUnlisted) items.push_back(entry_of(one, faults()));
  if (faults().has("skill-listed-twice")) items.push_back(items.front());
  if (faults().has("skill-name-twice"))
    items.back().set("frontmatter", *items.front().find("frontmatter"));
  Outcome listed = page(*call, "skills", "skills", std::move(items), kSkillsAPage);
  name_type(listed, "skills-of-another-result-type", "list");
  return listed;
}

Outcome Mcp::skills_get(Session&, const CallPtr& call) {
  const Value* uri = string_member(call->params, "uri");
  if (uri == nullptr && !faults().has("skill-get-uri-optional"))
    return bad_params("uri has to be a string");
  for (const Resource& one : resources()) {
    if (!is_skill(one)) continue;
    const bool by_root =
        faults().has("skill-got-by-directory") && uri != nullptr && uri->text == root_of(one.uri);
    if (uri != nullptr && uri->text != one.uri && !by_root) continue;
    if (one.uri == kUnlisted && faults().has("skill-unlisted-unknown")) break;
    Value entry = entry_of(one, faults());
    if (one.uri == kDynamic && faults().has("skill-dynamic-got-listed"))
      entry.set("resources", files_of(one, faults()));
    if (faults().has("skill-got-without-files") && one.uri != kDynamic)
      entry.set("resources", json::array());
    edit(faults(), "skill-got", entry);
    Value result = json::object({{"skill", std::move(entry)}});
    if (faults().has("skill-got-flat")) result = std::move(*result.find("skill"));
    if (faults().has("skill-got-in-pages")) result.set("nextCursor", json::string("x"));
    cacheable(*call, result, 60000, "public");
    Outcome got = std::move(result);
    name_type(got, "skill-got-of-another-result-type", "skill");
    return got;
  }
  if (uri != nullptr && uri->text.ends_with(".txt") && faults().has("skill-got-by-file"))
    return json::object({{"skill", entry_of(resources().front(), faults())}});
  return bad_params("there is no such skill");
}

Outcome Mcp::directory_read(Session&, const CallPtr& call) {
  const Value* uri = string_member(call->params, "uri");
  if (uri == nullptr) return bad_params("uri has to be a string");
  std::vector<Value> children;
  for (const auto& [file, name] : children_of(uri->text, faults())) {
    std::string type = file == nullptr ? kDirectory : file->mime_type;
    if (faults().has("directory-of-files-alone") && file == nullptr) type = "text/plain";
    if (faults().has("directory-of-directories-alone")) type = kDirectory;
    std::string child = uri->text + "/" + name;
    if (file == nullptr && faults().has("directory-with-slash")) child += "/";
    children.push_back(json::object({{"uri", json::string(child)},
                                     {"name", json::string(name)},
                                     {"mimeType", json::string(type)}}));
  }
  if (!children.empty() && faults().has("directory-child-twice"))
    children.push_back(children.front());
  const bool inner = std::count(uri->text.begin(), uri->text.end(), '/') > 2;
  if (inner && faults().has("directory-below-unknown")) children.clear();
  const bool empty = uri->text == kEmptyDirectory && !faults().has("directory-empty-refused");
  const bool lenient =
      faults().has(uri->text.ends_with(kManifest) ? FaultName("directory-of-a-file-empty")
                                                  : FaultName("directory-unknown-empty"));
  if (children.empty() && !empty && !lenient) return bad_params("there is no such directory");
  Outcome listed = page(*call, "directory", "resources", std::move(children), kSkillsAPage);
  name_type(listed, "directory-of-another-result-type", "directory");
  return listed;
}

}  // namespace harness::reference
