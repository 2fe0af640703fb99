// SPDX-License-Identifier: Apache-2.0
// Bytes without any idea of what they mean, for what nobody thought of. Rarely: most of the results
// are no JSON and end at the first line of a parser.
#include <algorithm>
#include <string>

#include "fuzz/mutate/edit.h"

namespace fuzz {
namespace {

// The bytes of a frame or of raw bytes by chance.
std::string* pick_bytes(Script& script, Random& random) {
  if (script.steps.empty()) return nullptr;
  const std::size_t start = random.below(script.steps.size());
  for (std::size_t i = 0; i < script.steps.size(); ++i) {
    Step& step = script.steps[(start + i) % script.steps.size()];
    if (auto* frame = std::get_if<Frame>(&step)) return &frame->bytes;
    if (auto* raw = std::get_if<Raw>(&step)) return &raw->bytes;
  }
  return nullptr;
}

bool flip_bit(Script& script, const Vocabulary&, Random& random) {
  std::string* bytes = pick_bytes(script, random);
  if (!bytes || bytes->empty()) return false;
  char& byte = (*bytes)[random.below(bytes->size())];
  byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << random.below(8)));
  return true;
}

bool set_byte(Script& script, const Vocabulary&, Random& random) {
  constexpr char kBytes[] = {'\0', '\x01', '\x7F', '\x80', '\xFF', '\n', '\r', ' ', '"', '\\',
                             '{',  '}',    '[',    ']',    ',',    ':',  '-',  '0', '9', 'e'};
  std::string* bytes = pick_bytes(script, random);
  if (!bytes || bytes->empty()) return false;
  (*bytes)[random.below(bytes->size())] =
      random.one_in(2) ? random.pick(kBytes) : static_cast<char>(random.below(256));
  return true;
}

bool insert_bytes(Script& script, const Vocabulary&, Random& random) {
  std::string* bytes = pick_bytes(script, random);
  const std::size_t count = 1 + random.length(32);
  if (!bytes || !has_room(script, count)) return false;
  std::string inserted(count, static_cast<char>(random.below(256)));
  if (random.one_in(2))
    for (char& byte : inserted) byte = static_cast<char>(random.below(256));
  bytes->insert(random.below(bytes->size() + 1), inserted);
  return true;
}

bool erase_bytes(Script& script, const Vocabulary&, Random& random) {
  std::string* bytes = pick_bytes(script, random);
  if (!bytes || bytes->empty()) return false;
  const std::size_t at = random.below(bytes->size());
  bytes->erase(at, 1 + random.length(bytes->size() / 2));
  return true;
}

bool copy_bytes(Script& script, const Vocabulary&, Random& random) {
  std::string* bytes = pick_bytes(script, random);
  if (!bytes || bytes->empty()) return false;
  const std::size_t from = random.below(bytes->size());
  const std::string part = bytes->substr(from, 1 + random.length(64));
  const std::size_t to = random.below(bytes->size() + 1);
  if (random.one_in(2)) {
    bytes->replace(to, std::min(part.size(), bytes->size() - to), part, 0,
                   std::min(part.size(), bytes->size() - to));
    return true;
  }
  if (!has_room(script, part.size())) return false;
  bytes->insert(to, part);
  return true;
}

bool insert_word(Script& script, const Vocabulary& vocabulary, Random& random) {
  std::string* bytes = pick_bytes(script, random);
  if (!bytes) return false;
  const std::string& word = random.pick(vocabulary.words());
  if (!has_room(script, word.size())) return false;
  bytes->insert(random.below(bytes->size() + 1), word);
  return true;
}

// The engine's own byte mutators, which know what comparisons of the Target looked for.
bool engine(Script& script, const Vocabulary& vocabulary, Random& random) {
  if (!vocabulary.byte_mutator) return false;
  std::string* bytes = pick_bytes(script, random);
  const std::size_t room = kMostBytes - std::min(kMostBytes, bytes_of(script));
  if (!bytes) return false;
  const std::size_t before = bytes->size();
  const std::size_t most = before + std::min<std::size_t>(room, 256);
  if (most == 0) return false;
  bytes->resize(most);
  const std::size_t now =
      vocabulary.byte_mutator(reinterpret_cast<std::uint8_t*>(bytes->data()), before, most);
  bytes->resize(std::min(now, most));
  return true;
}

}  // namespace

std::vector<MutatorCode> raw_mutators() {
  return {{"flip-bit", flip_bit},
          {"set-byte", set_byte},
          {"insert-bytes", insert_bytes},
          {"erase-bytes", erase_bytes},
          {"copy-bytes", copy_bytes},
          {"insert-word", insert_word},
          {"engine", engine}};
}

}  // namespace fuzz
