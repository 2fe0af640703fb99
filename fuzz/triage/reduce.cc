// SPDX-License-Identifier: Apache-2.0
#include "fuzz/triage/reduce.h"

#include <algorithm>
#include <set>
#include <variant>
#include <vector>

#include "fuzz/minimizer/runs.h"
#include "harness/json/read.h"
#include "harness/json/write.h"

namespace fuzz {
namespace {

namespace json = harness::json;

class Reducer {
 public:
  Reducer(std::string text, const std::function<bool(const std::string&)>& shows,
          const ReduceBounds& bounds)
      : best_(std::move(text)), shows_(shows), left_(bounds.plays), bytes_left_(bounds.bytes) {}

  std::string run() {
    for (std::string before; before != best_ && !over();) {
      before = best_;
      drop_lines();
      shorten_runs();
      simplify_messages();
      drop_bytes();
    }
    return best_;
  }

 private:
  bool over() const { return left_ == 0 || bytes_left_ == 0; }

  bool try_text(const std::string& candidate) {
    if (over() || candidate == best_ || candidate.size() > best_.size()) return false;
    --left_;
    bytes_left_ -= std::min(bytes_left_, candidate.size());
    if (!shows_(candidate)) return false;
    best_ = candidate;
    return true;
  }

  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
      lines.push_back(text.substr(begin, end - begin));
      begin = end;
    }
    return lines;
  }
  static std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line;
    return text;
  }

  // Pieces of halves, quarters and so on are left out where the rest still shows it.
  template <class Pieces, class Join>
  void drop_pieces(Pieces pieces, std::size_t least, const Join& join) {
    for (std::size_t size = std::max<std::size_t>(pieces.size() / 2, least); size >= least;
         size /= 2) {
      for (std::size_t at = 0; at < pieces.size() && pieces.size() > least && !over();) {
        Pieces fewer = pieces;
        const auto from = fewer.begin() + static_cast<std::ptrdiff_t>(at);
        fewer.erase(from, from + static_cast<std::ptrdiff_t>(std::min(size, fewer.size() - at)));
        if (try_text(join(fewer))) {
          pieces = std::move(fewer);
        } else {
          at += size;
        }
      }
      if (size == 1 || over()) break;
    }
  }

  void drop_lines() { drop_pieces(lines_of(best_), 1, joined); }

  void drop_bytes() {
    drop_pieces(best_, 1, [](const std::string& text) { return text; });
  }

  // How often a piece has to stand there that stands there over and over.
  void shorten_runs() {
    std::set<std::string> done;
    while (!over()) {
      const std::string text = best_;
      const std::optional<Run> run = longest_run(text, done);
      if (!run) return;
      done.insert(run->unit);
      std::size_t low = 0, high = run->times;  // shows at `high`
      while (low + 1 < high && !over()) {
        const std::size_t middle = low + (high - low) / 2;
        (try_text(with_times(text, *run, middle)) ? high : low) = middle;
      }
    }
  }

  // Members and elements left out, values in place of which a plainer one does.
  void simplify_messages() {
    for (std::size_t i = 0; i < lines_of(best_).size() && !over(); ++i) {
      for (std::size_t place = 0; !over(); ++place) {
        const std::vector<std::string> lines = lines_of(best_);
        if (i >= lines.size()) return;
        const bool ends = lines[i].ends_with('\n');
        const auto read = json::read(lines[i]);
        const auto* reading = std::get_if<json::Reading>(&read);
        if (!reading) break;
        bool there = false;
        for (const bool drops : {true, false}) {
          json::Value changed = reading->value;
          std::size_t left = place;
          there = drops ? drop(changed, left) : plain(changed, left);
          if (!there) continue;
          std::vector<std::string> fewer = lines;
          fewer[i] = json::write(changed) + (ends ? "\n" : "");
          if (try_text(joined(fewer)) && drops) {
            --place;  // what came behind it stands there now
            break;
          }
        }
        if (!there) break;
      }
    }
  }

  // Leaves out the `left`-th member or element, counted from the outside; false: there is none.
  static bool drop(json::Value& value, std::size_t& left) {
    for (std::size_t i = 0; i < value.members.size(); ++i) {
      if (left-- == 0) {
        value.members.erase(value.members.begin() + static_cast<std::ptrdiff_t>(i));
        return true;
      }
      if (drop(value.members[i].value, left)) return true;
    }
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      if (left-- == 0) {
        value.items.erase(value.items.begin() + static_cast<std::ptrdiff_t>(i));
        return true;
      }
      if (drop(value.items[i], left)) return true;
    }
    return false;
  }

  // Puts the plainest value of its kind there.
  static bool plain(json::Value& value, std::size_t& left) {
    const auto reach = [&](json::Value& inner) {
      if (left-- != 0) return plain(inner, left);
      inner = inner.is_string()   ? json::string("")
              : inner.is_array()  ? json::array()
              : inner.is_object() ? json::object()
                                  : json::number(0);
      return true;
    };
    for (json::Member& member : value.members)
      if (reach(member.value)) return true;
    for (json::Value& item : value.items)
      if (reach(item)) return true;
    return false;
  }

  std::string best_;
  const std::function<bool(const std::string&)>& shows_;
  std::size_t left_, bytes_left_;
};

}  // namespace

std::string reduce(std::string text, const std::function<bool(const std::string&)>& shows,
                   const ReduceBounds& bounds) {
  return Reducer(std::move(text), shows, bounds).run();
}

}  // namespace fuzz
