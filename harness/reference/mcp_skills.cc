// SPDX-License-Identifier: Apache-2.0
// Skills: the extension io.modelcontextprotocol/skills of 2026-07-28. A skill is a directory of
// resources with a SKILL.md, whose front matter says what it is called.
#include <openssl/sha.h>

#include <algorithm>
#include <set>

#include "harness/json/read.h"
#include "harness/reference/mcp_dialect.h"
#include "harness/reference/mcp_fixtures.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr std::size_t kSkillsAPage = 3;
constexpr std::string_view kManifest = "/SKILL.md";
constexpr const char* kDirectory = "inode/directory";

// Faults that are one wrong value in an entry: where, and the JSON that stands there instead.
struct Edit {
  FaultName fault;
  const char* pointer;
  const char* json;
};
constexpr Edit kEdits[] = {
    {"skill-uri-of-directory", "/uri", R"("skill://greeting")"},
    {"skill-uri-of-another-name", "/uri", R"("skill://welcome/SKILL.md")"},
    {"skill-uri-of-another-scheme", "/uri", R"("docs://greeting/SKILL.md")"},
    {"skill-name-in-capitals", "/frontmatter/name", R"("Greeting")"},
    {"skill-resources-object", "/resources", "{}"},
    {"skill-file-without-digest", "/resources/0/digest", nullptr},
    {"skill-digest-of-another-kind", "/resources/0/digest", R"("md5:d41d8cd98f00b204e9800998")"},
    {"skill-size-negative", "/resources/0/size", "-1"},
    {"skill-file-outside", "/resources/1/uri", R"("skill://another/note.txt")"},
    {"skill-directory-as-file", "/resources/1/uri", R"("skill://greeting/cards/")"},
    {"skill-metadata-reserved", "/frontmatter/metadata", R"({"io.modelcontextprotocol/x":1})"},
};

bool is_skill(const Resource& one) { return std::string_view(one.uri).ends_with(kManifest); }

std::string root_of(std::string_view uri) {
  return std::string(uri.substr(0, uri.size() - kManifest.size()));
}

std::string digest_of(std::string_view text) {
  unsigned char hash[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), hash);
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "sha256:";
  for (const unsigned char byte : hash) {
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
  return out;
}

// Of an array the first ten elements can be named.
void set_at(Value& entry, std::string_view pointer, const char* text) {
  Value* parent = &entry;
  pointer.remove_prefix(1);
  for (std::size_t slash; (slash = pointer.find('/')) != std::string_view::npos;
       pointer.remove_prefix(slash + 1)) {
    const std::string_view step = pointer.substr(0, slash);
    parent = parent->is_array() ? &parent->items.at(step.front() - '0') : parent->find(step);
  }
  const std::string name(pointer);
  if (text != nullptr) return parent->set(name, json::parse(text));
  std::erase_if(parent->members, [&](const json::Member& one) { return one.name == name; });
}

Value entry_of(const Resource& skill, const Faults& faults) {
  Value files = json::array();
  const std::string root = root_of(skill.uri);
  for (const Resource& one : resources()) {
    const std::string_view uri = one.uri;
    if (!uri.starts_with(root + "/") || one.text == nullptr) continue;
    if (&one == &skill && faults.has("skill-manifest-without-itself")) continue;
    files.items.push_back(
        json::object({{"uri", json::string(uri)},
                      {"digest", json::string(digest_of(one.text))},
                      {"size", json::number(static_cast<int>(std::string_view(one.text).size()))}}));
  }
  if (faults.has("skill-file-twice")) files.items.push_back(files.items.back());
  Value entry = json::object({{"uri", json::string(skill.uri)},
                              {"frontmatter", json::object({{"name", json::string(skill.name)},
                                                            {"description",
                                                             json::string(skill.description)}})},
                              {"resources", std::move(files)}});
  for (const Edit& edit : kEdits)
    if (faults.has(edit.fault)) set_at(entry, edit.pointer, edit.json);
  if (faults.has("skill-description-endless"))
    entry.find("frontmatter")->set("description", json::string(std::string(1100, 'x')));
  return entry;
}

}  // namespace

Outcome Mcp::skills_list(Session&, const CallPtr& call) {
  if (faults().has("skill-list-unknown")) return RpcError{kMethodNotFound, "Method not found"};
  std::vector<Value> items;
  for (const Resource& one : resources())
    if (is_skill(one)) items.push_back(entry_of(one, faults()));
  if (faults().has("skill-listed-twice")) items.push_back(items.front());
  if (faults().has("skill-cursor-unchecked") && call->params.find("cursor") != nullptr)
    return json::object({{"skills", json::array()}});
  return page(*call, "skills", "skills", std::move(items), kSkillsAPage);
}

Outcome Mcp::skills_get(Session&, const CallPtr& call) {
  if (faults().has("skill-get-unknown")) return RpcError{kMethodNotFound, "Method not found"};
  const Value* uri = string_member(call->params, "uri");
  if (uri == nullptr && !faults().has("skill-get-uri-optional"))
    return bad_params("uri has to be a string");
  for (const Resource& one : resources()) {
    if (!is_skill(one)) continue;
    const bool by_root = faults().has("skill-got-by-directory") && uri != nullptr &&
                         uri->text == root_of(one.uri);
    if (uri != nullptr && uri->text != one.uri && !by_root) continue;
    Value entry = entry_of(one, faults());
    if (faults().has("skill-got-differs"))
      entry.find("frontmatter")->set("description", json::string("Another one."));
    if (faults().has("skill-got-under-another-uri"))
      entry.set("uri", json::string("skill://other/SKILL.md"));
    Value result = json::object({{"skill", std::move(entry)}});
    if (faults().has("skill-got-flat")) result = std::move(*result.find("skill"));
    if (faults().has("skill-got-in-pages")) result.set("nextCursor", json::string("x"));
    cacheable(*call, result, 60000, "public");
    return result;
  }
  if (faults().has("skill-unknown-other-code"))
    return RpcError{kResourceNotFound, "There is no such skill"};
  return bad_params("there is no such skill");
}

Outcome Mcp::directory_read(Session&, const CallPtr& call) {
  if (faults().has("directory-read-unknown")) return RpcError{kMethodNotFound, "Method not found"};
  const Value* uri = string_member(call->params, "uri");
  if (uri == nullptr) return bad_params("uri has to be a string");
  const std::string prefix = uri->text + "/";
  std::vector<Value> children;
  std::set<std::string> seen;
  for (const Resource& one : resources()) {
    const std::string_view full = one.uri;
    if (!full.starts_with("skill://") || !full.starts_with(prefix)) continue;
    const std::string_view rest = full.substr(prefix.size());
    const std::size_t slash = rest.find('/');
    const bool directory = slash != std::string_view::npos && !faults().has("directory-goes-deep");
    const std::string name(rest.substr(0, directory ? slash : rest.size()));
    if (!seen.insert(name).second) continue;
    if (directory && faults().has("directory-without-directories")) continue;
    const char* type = directory ? kDirectory : one.mime_type;
    if (faults().has("directory-of-files-alone") && directory) type = "text/plain";
    if (faults().has("directory-of-directories-alone")) type = kDirectory;
    std::string child = prefix + name;
    if (directory && faults().has("directory-with-slash")) child += "/";
    children.push_back(json::object({{"uri", json::string(child)},
                                     {"name", json::string(name)},
                                     {"mimeType", json::string(type)}}));
  }
  if (children.empty() && faults().has("directory-unknown-empty"))
    return json::object({{"resources", json::array()}});
  if (children.empty()) return bad_params("there is no such directory");
  return page(*call, "directory", "resources", std::move(children), kSkillsAPage);
}

}  // namespace harness::reference
