// SPDX-License-Identifier: Apache-2.0
// What mutators are made of: choosing a frame and a place in it, and changing the bytes there
// within the bounds.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "fuzz/mutate/mutator.h"
#include "fuzz/mutate/tree.h"
#include "fuzz/script/steps.h"

namespace fuzz {

// Whether this many bytes, or steps, may be added.
bool has_room(const Script& script, std::size_t bytes);
bool has_steps(const Script& script, std::size_t steps);

std::size_t bytes_of(const Step& step);

// A random frame; null when there is none.
Frame* pick_frame(Script& script, Random& random);
// A random place between steps, from 0 to their number.
std::size_t pick_place(const Script& script, Random& random);
bool insert_step(Script& script, std::size_t place, Step step);
bool insert_frame(Script& script, std::size_t place, std::string bytes);
// The size of a buffer of 2^least to 2^most bytes, or one or two off: a line may end there.
std::size_t edge_of_buffer(std::size_t least, std::size_t most, Random& random);

// A number that no other request is likely to have.
std::string fresh_id(Random& random);
// The id of the message in a frame, as JSON text; "" when it has none or the frame is not an
// object.
std::string id_of(std::string_view frame);

// A frame that is JSON, and where its values stand.
class Opened {
 public:
  // A random one; false when none of the frames tried is JSON.
  bool any(Script& script, Random& random);
  // Likewise with an object as message, also as an element of a batch: `message`.
  bool object(Script& script, Random& random);
  // Likewise with that member.
  bool with_member(Script& script, Random& random, std::string_view name);

  Frame* frame = nullptr;
  Tree tree;
  std::size_t message = 0;

  std::string_view text() const { return frame->bytes; }
  std::size_t member(std::string_view name) const { return tree.member(text(), message, name); }
  // A random node inside the one at `index`, or that one itself.
  std::size_t pick_node(std::size_t index, Random& random) const;

  // All of these change the frame; the tree is invalid afterwards. False: there is no room.
  bool replace(std::size_t begin, std::size_t end, std::string_view text);
  bool replace_value(std::size_t index, std::string_view text);
  bool remove(std::size_t index);
  // Adds a member (`text` with its name) or element, at the front or the back of an object or
  // array.
  bool add(std::size_t index, std::string_view text, bool at_front);
  // Replaces the member of the message, or adds it. `value`: JSON text.
  bool set_member(std::string_view name, std::string_view value);

 private:
  bool open(Script& script, Random& random, bool want_object, std::string_view member);

  Script* script_ = nullptr;
};

// The code of mutators, level by level; mutators() joins it with the rows of mutators.json.
using Mutate = std::function<bool(Script&, const Vocabulary&, Random&)>;
using MutatorCode = std::pair<std::string_view, Mutate>;
std::vector<MutatorCode> sequence_mutators();
std::vector<MutatorCode> envelope_mutators();
std::vector<MutatorCode> arguments_mutators();
std::vector<MutatorCode> json_text_mutators();
std::vector<MutatorCode> framing_mutators();
std::vector<MutatorCode> reverse_mutators();
std::vector<MutatorCode> raw_mutators();
// A row that says itself which texts it puts where.
Mutate inserting(const harness::json::Value& row);

}  // namespace fuzz
