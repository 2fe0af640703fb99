// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/mutator.h"

#include <algorithm>
#include <map>

#include "fuzz/mutate/caution.h"
#include "fuzz/mutate/edit.h"
#include "harness/base/embed.h"
#include "harness/json/read.h"

RPCSPEC_EMBEDDED(mutator_rows);

namespace fuzz {
namespace {

namespace json = harness::json;

constexpr int kMostTries = 16;
constexpr int kFewTries = 4;
constexpr std::size_t kMostChanges = 3;  // mutators applied at a time
constexpr std::size_t kInPieces = 8;     // one script in so many may have frames in several writes
constexpr std::size_t kUsual = 4096;     // bytes of a script; one in kLarge may grow beyond
constexpr std::size_t kLarge = 16;

// A new process costs as much as hundreds of frames; a sleep costs more.
void drop_costly(Script& script) {
  std::erase_if(script.steps, [](const Step& step) {
    return std::holds_alternative<Close>(step) || std::holds_alternative<Pause>(step);
  });
}

// A piece is written when the one before it was read, so each costs as much as dozens of frames.
void join_pieces(Script& script) {
  for (Step& step : script.steps)
    if (auto* frame = std::get_if<Frame>(&step)) frame->delivery.chunks.clear();
}

std::vector<Mutator> joined() {
  static const json::Value kRows = json::parse(mutator_rows());
  std::map<std::string_view, Mutate> code;
  for (const auto& level :
       {sequence_mutators(), envelope_mutators(), arguments_mutators(), json_text_mutators(),
        framing_mutators(), reverse_mutators(), raw_mutators()})
    code.insert(level.begin(), level.end());
  std::vector<Mutator> all;
  for (const json::Member& level : kRows.members)
    for (const json::Member& row : level.value.members) {
      const auto own = code.find(row.name);
      all.push_back({row.name.c_str(), row.value.find("help")->text.c_str(),
                     *level_named(level.name),
                     static_cast<int>(*json::as_integer(*row.value.find("weight"))),
                     own == code.end() ? inserting(row.value) : own->second});
    }
  return all;
}

// Rows of one level, or of all, with the sum of the weights up to each.
struct Weighed {
  const Mutator* first = nullptr;
  std::vector<std::size_t> sums;
};

Weighed weigh(const Mutator* first, const Mutator* end) {
  Weighed weighed{first, {}};
  std::size_t sum = 0;
  for (; first != end; ++first)
    weighed.sums.push_back(sum += static_cast<std::size_t>(first->weight));
  return weighed;
}

Weighed weigh_level(Level level) {
  const std::vector<Mutator>& all = mutators();
  const auto is = [level](const Mutator& mutator) { return mutator.level == level; };
  const auto first = std::find_if(all.begin(), all.end(), is);
  const auto end = std::find_if_not(first, all.end(), is);
  return weigh(all.data() + (first - all.begin()), all.data() + (end - all.begin()));
}

// References that follow their frames may take a digit more, which nobody counts while a script is
// put together: at the very bound the last steps make room for that.
void keep_bounds(Script& script, std::size_t before) {
  if (before > kMostBytes) return;
  for (std::size_t now = bytes_of(script); now > kMostBytes && !script.steps.empty();) {
    now -= bytes_of(script.steps.back());
    script.steps.pop_back();
  }
}

const Mutator* mutate_by(const Weighed& rows, int most_tries, Script& script,
                         const Vocabulary& vocabulary, Random& random) {
  const auto row_at = [&](std::size_t weight) {
    return rows.first +
           (std::upper_bound(rows.sums.begin(), rows.sums.end(), weight) - rows.sums.begin());
  };
  const std::size_t before = bytes_of(script);
  Caution* const caution = vocabulary.caution;
  const Mutator* used = nullptr;
  for (int tries = 0; tries < most_tries && !used; ++tries) {
    const Mutator* chosen = row_at(random.below(rows.sums.back()));
    if (caution && caution->avoids(*chosen, random)) continue;
    if (chosen->apply(script, vocabulary, random)) used = chosen;
  }
  if (used) keep_bounds(script, before);
  if (used && caution) caution->used(*used);
  return used;
}

// Of all the rows, in their order, the first that applies.
const Mutator* mutate_by_any(const Weighed& rows, Script& script, const Vocabulary& vocabulary,
                             Random& random) {
  const std::size_t before = bytes_of(script);
  for (std::size_t i = 0; i < rows.sums.size(); ++i) {
    if (!rows.first[i].apply(script, vocabulary, random)) continue;
    keep_bounds(script, before);
    return rows.first + i;
  }
  return nullptr;
}

const Weighed& all_rows() {
  static const Weighed kAll = weigh(mutators().data(), mutators().data() + mutators().size());
  return kAll;
}

const Weighed& rows_of(Level level) {
  static const std::vector<Weighed> kLevels = [] {
    std::vector<Weighed> levels;
    for (int i = 0; i <= static_cast<int>(Level::kRaw); ++i)
      levels.push_back(weigh_level(static_cast<Level>(i)));
    return levels;
  }();
  return kLevels[static_cast<std::size_t>(level)];
}

const Mutator* mutate_surely(const Weighed& rows, Script& script, const Vocabulary& vocabulary,
                             Random& random) {
  const Mutator* used = mutate_by(rows, kMostTries, script, vocabulary, random);
  return used ? used : mutate_by_any(rows, script, vocabulary, random);
}

// A script joined from the steps of others; references follow.
class Joined {
 public:
  explicit Joined(const Script& first) : script{first.profile, first.transport, {}} {}

  Script script;

  // Which numbers the frames of a source have in the script; 0: it is not there.
  struct Source {
    const Script& script;
    std::vector<std::size_t> numbers{};
    std::size_t at = 0;  // the next step
  };

  // Takes steps up to `end`, as long as there is room.
  void take(Source& source, std::size_t end) {
    for (; source.at < end; ++source.at) take_one(source);
  }
  // Passes steps by.
  static void skip(Source& source, std::size_t to) {
    for (; source.at < to; ++source.at)
      if (std::holds_alternative<Frame>(source.script.steps[source.at]))
        source.numbers.push_back(0);
  }

 private:
  void take_one(Source& source) {
    const Step& step = source.script.steps[source.at];
    const bool is_frame = std::holds_alternative<Frame>(step);
    const std::size_t bytes = bytes_of(step);
    if (script.steps.size() == kMostSteps || bytes_ + bytes > kMostBytes) {
      if (is_frame) source.numbers.push_back(0);
      return;
    }
    bytes_ += bytes;
    script.steps.push_back(step);
    if (!is_frame) return;
    source.numbers.push_back(++frames_);
    renumber(std::get<Frame>(script.steps.back()), [&](std::size_t number) {
      return number <= source.numbers.size() ? source.numbers[number - 1] : 0;
    });
  }

  std::size_t bytes_ = 0;
  std::size_t frames_ = 0;
};

Script end_to_end(const Script& a, const Script& b, Random& random) {
  Joined joined(a);
  Joined::Source first{a};
  Joined::Source second{b};
  joined.take(first, random.between(1, a.steps.size()));
  joined.skip(second, random.below(b.steps.size()));
  joined.take(second, b.steps.size());
  return joined.script;
}

Script with_some_between(const Script& a, const Script& b, Random& random) {
  Joined joined(a);
  Joined::Source outer{a};
  Joined::Source inner{b};
  joined.take(outer, pick_place(a, random));
  const std::size_t begin = random.below(b.steps.size());
  joined.skip(inner, begin);
  joined.take(inner, random.between(begin + 1, b.steps.size()));
  joined.take(outer, a.steps.size());
  return joined.script;
}

Script woven(const Script& a, const Script& b, Random& random) {
  Joined joined(a);
  Joined::Source first{a};
  Joined::Source second{b};
  while (first.at < a.steps.size() && second.at < b.steps.size()) {
    Joined::Source& next = random.one_in(2) ? first : second;
    joined.take(next, next.at + 1);
  }
  joined.take(first, a.steps.size());
  joined.take(second, b.steps.size());
  return joined.script;
}

// With a value of the other; nothing when one of them has no JSON.
bool graft(Script& script, const Script& other, Random& random) {
  Opened to;
  Opened from;
  Script source = other;
  if (!to.any(script, random) || !from.any(source, random)) return false;
  const std::size_t node = from.pick_node(0, random);
  return to.replace_value(to.pick_node(0, random), text_of(from.text(), from.tree[node]));
}

Script crossed(const Script& a, const Script& b, Random& random) {
  switch (random.below(4)) {
    case 0: return end_to_end(a, b, random);
    case 1: return with_some_between(a, b, random);
    case 2: break;
    default:
      if (Script out = a; graft(out, b, random)) return out;
  }
  return woven(a, b, random);
}

}  // namespace

const char* level_name(Level level) {
  switch (level) {
    case Level::kSequence: return "sequence";
    case Level::kEnvelope: return "envelope";
    case Level::kArguments: return "arguments";
    case Level::kJsonText: return "json-text";
    case Level::kFraming: return "framing";
    case Level::kReverse: return "reverse";
    case Level::kRaw: return "raw";
  }
  return "";
}

std::optional<Level> level_named(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(Level::kRaw); ++i)
    if (name == level_name(static_cast<Level>(i))) return static_cast<Level>(i);
  return std::nullopt;
}

const std::vector<Mutator>& mutators() {
  static const std::vector<Mutator> kAll = joined();
  return kAll;
}

const Mutator* find_mutator(std::string_view name) {
  for (const Mutator& mutator : mutators())
    if (mutator.name == name) return &mutator;
  return nullptr;
}

const Mutator* mutate(Script& script, const Vocabulary& vocabulary, Random& random) {
  return mutate_surely(all_rows(), script, vocabulary, random);
}

const Mutator* mutate(Script& script, Level level, const Vocabulary& vocabulary, Random& random) {
  return mutate_surely(rows_of(level), script, vocabulary, random);
}

const Mutator* mutate_if_easy(Script& script, Level level, const Vocabulary& vocabulary,
                              Random& random) {
  return mutate_by(rows_of(level), kFewTries, script, vocabulary, random);
}

void shorten(Script& script, std::size_t most, Random& random) {
  for (std::size_t now = bytes_of(script); now > most && script.steps.size() > 1;) {
    const std::size_t place = random.below(script.steps.size());
    now -= bytes_of(script.steps[place]);
    drop_steps(script, place, place + 1);
  }
}

void keep_cheap(Script& script, const Vocabulary& vocabulary, Random& random) {
  if (!random.one_in(vocabulary.costly)) drop_costly(script);
  if (!random.one_in(kInPieces)) join_pieces(script);
  const std::size_t usual = random.one_in(kLarge) ? vocabulary.room : kUsual;
  shorten(script, std::min(usual, vocabulary.room), random);
}

void vary(Script& script, const Vocabulary& vocabulary, Random& random,
          std::optional<Level> level) {
  for (std::size_t i = random.between(1, kMostChanges); i > 0; --i)
    level ? mutate(script, *level, vocabulary, random) : mutate(script, vocabulary, random);
  keep_cheap(script, vocabulary, random);
}

Script cross_over(const Script& a, const Script& b, const Vocabulary&, Random& random) {
  if (a.steps.empty() || b.steps.empty()) return a.steps.empty() ? b : a;
  Script out = crossed(a, b, random);
  keep_bounds(out, std::min(bytes_of(a), kMostBytes));
  return out;
}

}  // namespace fuzz
