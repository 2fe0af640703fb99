// SPDX-License-Identifier: Apache-2.0
// target/description: our YAML, the JSON of MCP clients, and that of the tutorial. A first line
// "#NAME" picks a server of a list.
//
//   1. A complaint names the file.
//   2. A Target that was read can be started or reached: a command or an address of a known kind;
//      its headers are fit to be sent, its buffer is bounded.
//   3. Reading it twice gives the same.
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/targets/property.h"
#include "harness/json/value.h"
#include "harness/target/target.h"

using namespace harness;
using fuzz::hold;

namespace {

// A file in memory.
class File {
 public:
  explicit File(std::string_view text) : fd_(::memfd_create("description", MFD_CLOEXEC)) {
    hold(::write(fd_, text.data(), text.size()) == static_cast<ssize_t>(text.size()), "written");
  }
  ~File() { ::close(fd_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

void check(const target::Target& target) {
  hold(!target.command.empty() || !target.url.empty(), "it can be started or reached");
  hold(target.transport() != harness::wire::TransportKind::kUnknown, "over a transport we have",
       target.url);
  hold(target.command.empty() || !target.command[0].empty(), "a command is a program");
  for (const std::string& word : target.command)
    hold(word.find('\0') == std::string::npos, "what a process can be given", word);
  hold(target.buffer_size >= 1 && target.buffer_size <= 16u << 20, "its buffer is bounded");
  hold(target.affordances.is_object(), "affordances are a mapping");
  for (const auto& [name, value] : target.headers) {
    hold(!name.empty() && name.find_first_of(" :\r\n") == std::string::npos, "a header has a name",
         name);
    hold(value.find_first_of(std::string("\r\n\0", 3)) == std::string::npos, "a header is one line",
         value);
  }
  for (const auto& [name, value] : target.env) {
    hold(value.find('\0') == std::string::npos && name.find('\0') == std::string::npos,
         "what the environment can hold", name);
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text = fuzz::text_of(bytes, size);
  std::string name;
  if (text.starts_with('#')) name = fuzz::take_line(text);
  const File file(text);
  const auto target = target::load_target(file.path() + name);
  if (!target) {
    hold(!target.error().what.empty(), "a complaint says what is wrong");
    hold(target.error().where.starts_with(file.path()), "a complaint names the file",
         target.error().text());
    return 0;
  }
  check(*target);
  const auto again = target::load_target(file.path() + name);
  hold(again && again->name == target->name && again->command == target->command &&
           again->url == target->url && again->env == target->env &&
           again->headers == target->headers &&
           json::equal(again->affordances, target->affordances),
       "twice the same");
  return 0;
}
