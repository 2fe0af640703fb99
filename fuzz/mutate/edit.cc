// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/edit.h"

#include <algorithm>
#include <utility>

namespace fuzz {
namespace {

// A script of sixty texts that are no JSON is not searched to its end.
constexpr std::size_t kMostEdits = 6;

}  // namespace

std::size_t bytes_of(const Step& step) {
  std::size_t total = 0;
  if (const auto* frame = std::get_if<Frame>(&step)) {
    total = frame->bytes.size();
    for (const HeaderChange& change : frame->delivery.headers)
      total += change.name.size() + (change.value ? change.value->size() : 0);
  } else if (const auto* raw = std::get_if<Raw>(&step)) {
    total = raw->bytes.size();
  } else if (const auto* answer = std::get_if<ClientAnswer>(&step)) {
    total = answer->method.size() + answer->result.size();
  }
  return total;
}

std::size_t bytes_of(const Script& script) {
  std::size_t total = 0;
  for (const Step& step : script.steps) total += bytes_of(step);
  return total;
}

bool has_room(const Script& script, std::size_t bytes) {
  return bytes <= kMostBytes && bytes_of(script) + bytes <= kMostBytes;
}

bool has_steps(const Script& script, std::size_t steps) {
  return script.steps.size() + steps <= kMostSteps;
}

Frame* pick_frame(Script& script, Random& random) {
  const std::size_t frames = count_frames(script);
  if (frames == 0) return nullptr;
  return &std::get<Frame>(script.steps[step_of_frame(script, random.below(frames))]);
}

std::size_t pick_place(const Script& script, Random& random) {
  return random.below(script.steps.size() + 1);
}

bool insert_step(Script& script, std::size_t place, Step step) {
  if (!has_steps(script, 1) || !has_room(script, bytes_of(step))) return false;
  if (std::holds_alternative<Frame>(step)) renumber(script, frame_number(script, place), 1);
  script.steps.insert(script.steps.begin() + static_cast<std::ptrdiff_t>(place), std::move(step));
  return true;
}

std::size_t edge_of_buffer(std::size_t least, std::size_t most, Random& random) {
  constexpr std::size_t kShort[] = {2, 1, 1, 1, 0, 0};
  return (std::size_t{1} << random.between(least, most)) + random.one_in(8) - random.pick(kShort);
}

bool insert_frame(Script& script, std::size_t place, std::string bytes) {
  return insert_step(script, place, Frame{std::move(bytes), {}});
}

std::string fresh_id(Random& random) { return std::to_string(random.between(1000, 999'999)); }

std::string id_of(std::string_view frame) {
  Tree tree;
  if (!tree.read(frame)) return "";
  const std::size_t id = tree.member(frame, 0, "id");
  return id == Tree::kNone ? "" : std::string(text_of(frame, tree[id]));
}

bool Opened::open(Script& script, Random& random, bool want_object, std::string_view name) {
  script_ = &script;
  const std::size_t frames = count_frames(script);
  if (frames == 0) return false;
  std::size_t position = random.below(frames);
  for (std::size_t tries = std::min(frames, kMostEdits); tries > 0; --tries) {
    frame = &std::get<Frame>(script.steps[step_of_frame(script, position)]);
    position = (position + 1) % frames;
    // Most have no such member, and are not worth reading.
    if (frame->bytes.starts_with('{') && frame->bytes.find(name) == std::string::npos) continue;
    if (!tree.read(frame->bytes)) continue;
    message = 0;
    if (!want_object) return true;
    if (tree[0].kind == Kind::kArray && tree.size() > 1)
      message = tree.child(0, random.below(tree.children(0)));
    if (tree[message].kind != Kind::kObject) continue;
    if (name.empty() || member(name) != Tree::kNone) return true;
  }
  return false;
}

bool Opened::any(Script& script, Random& random) { return open(script, random, false, ""); }
bool Opened::object(Script& script, Random& random) { return open(script, random, true, ""); }
bool Opened::with_member(Script& script, Random& random, std::string_view name) {
  return open(script, random, true, name);
}

std::size_t Opened::pick_node(std::size_t index, Random& random) const {
  return random.between(index, tree[index].next - 1);
}

bool Opened::replace(std::size_t begin, std::size_t end, std::string_view text) {
  if (text.size() > end - begin && !has_room(*script_, text.size() - (end - begin))) return false;
  frame->bytes.replace(begin, end - begin, text);
  return true;
}

bool Opened::replace_value(std::size_t index, std::string_view text) {
  return replace(tree[index].begin, tree[index].end, text);
}

bool Opened::remove(std::size_t index) {
  const Stretch stretch = removal(text(), tree, index);
  return replace(stretch.begin, stretch.end, "");
}

bool Opened::add(std::size_t index, std::string_view text, bool at_front) {
  const Insertion insertion = fuzz::insertion(tree, index, at_front);
  std::string with_commas;
  with_commas.reserve(text.size() + 2);
  if (insertion.comma_before) with_commas += ',';
  with_commas += text;
  if (insertion.comma_after) with_commas += ',';
  return replace(insertion.at, insertion.at, with_commas);
}

bool Opened::set_member(std::string_view name, std::string_view value) {
  if (const std::size_t found = member(name); found != Tree::kNone)
    return replace_value(found, value);
  std::string text = "\"";
  ((text += name) += "\":") += value;
  return add(message, text, false);
}

}  // namespace fuzz
