// SPDX-License-Identifier: Apache-2.0
// The steps of a script are gathered as the player gathers them (drive/player.h): what it would
// write at once is one step of the case, and where it waits for answers a canary is.
#include "fuzz/triage/case_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "harness/base/text.h"
#include "harness/json/write.h"

namespace fuzz {
namespace {

namespace json = harness::json;

// Bytes, or the name of what was captured before.
struct Part {
  std::string text;
  bool captured = false;
};
using Text = std::vector<Part>;

// What YAML cannot hold, or a case would read as a reference, is not plain.
bool is_plain(const std::string& bytes) {
  return harness::is_utf8(bytes) && bytes.find("${") == std::string::npos &&
         std::none_of(bytes.begin(), bytes.end(), [](unsigned char c) {
           return c == 0x7f || (c < 0x20 && c != '\n' && c != '\r' && c != '\t');
         });
}

std::string in_hex(const std::string& bytes) {
  std::string hex;
  for (const unsigned char byte : bytes)
    hex += fmt::format("{}{:02x}", hex.empty() ? "" : " ", byte);
  return hex;
}

// A double-quoted YAML string is one of JSON. What is not plain is written in hexadecimal digits,
// as a piece of the text.
std::string yaml_of(const Text& text) {
  std::string whole, pieces;
  bool plain = true;
  for (const Part& part : text) {
    const std::string shown = part.captured ? "${" + part.text + "}" : part.text;
    const bool readable = part.captured || is_plain(part.text);
    plain &= readable;
    whole += shown;
    pieces += pieces.empty() ? "" : ", ";
    pieces +=
        readable ? "{text: " + json::quoted(shown) + "}" : "{hex: \"" + in_hex(part.text) + "\"}";
  }
  return plain ? json::quoted(whole) : "[" + pieces + "]";
}

bool has_line_break(const Text& text) {
  return std::any_of(text.begin(), text.end(),
                     [](const Part& part) { return part.text.find('\n') != std::string::npos; });
}

// No value of a reference is known here: what it stands for counts as nothing.
std::size_t size_of(const Text& text) {
  std::size_t size = 0;
  for (const Part& part : text) size += part.captured ? 0 : part.text.size();
  return size;
}

const char* end_of(Eol eol) {
  switch (eol) {
    case Eol::kLf:
      return "\n";
    case Eol::kCrlf:
      return "\r\n";
    case Eol::kCr:
      return "\r";
    case Eol::kNone:
      return "";
  }
  throw harness::Bug("no such Eol");
}

class Draft {
 public:
  Draft(const Reduced& reduced, const harness::target::Target& target)
      : script_(reduced.script),
        played_(reduced.played),
        http_(std::string_view(target.transport()).starts_with("http")),
        websocket_(std::string_view(target.transport()) == "websocket"),
        lines_(target.is_stream() && !websocket_ &&
               target.framing == harness::target::Framing::kLine),
        process_(target.stdio()),
        hung_up_(!process_ && !http_ && reduced.played.ending == Ending::kGone &&
                 !is_of_process(reduced.problem.signature)) {}

  // The steps; false when a case cannot go on where the script does.
  bool write(std::string& out) {
    name_captures();
    std::size_t size = script_.steps.size();
    const auto sends = [](const Step& step) {
      return std::holds_alternative<Frame>(step) || std::holds_alternative<Raw>(step);
    };
    while (hung_up_ && size > 0 && !sends(script_.steps[size - 1])) --size;
    for (std::size_t index = 0; index < size; ++index) {
      const Step& step = script_.steps[index];
      if (const auto* frame = std::get_if<Frame>(&step)) {
        add(index, *frame);
      } else if (const auto* raw = std::get_if<Raw>(&step)) {
        if (!http_ && !raw->bytes.empty()) waiting_.push_back({nullptr, {{raw->bytes}}, 0});
      } else if (const auto* pause = std::get_if<Pause>(&step)) {
        flush(false);
        // Nothing matches, so all of the time passes.
        say(fmt::format("expect: {{message: {{$not: $any}}, optional: true}}\n    within: {}",
                        pause->milliseconds / 1000.0));
      } else if (std::holds_alternative<Sync>(step)) {
        wait(1);
      } else if (std::holds_alternative<Close>(step)) {
        wait(2);
        say("reconnect: ready");
        torn_ = false;
      }
    }
    // Two of them prove that what has no reply was passed over.
    if (hung_up_)
      part();
    else
      wait(2);
    if (torn_ && process_) return false;
    if (torn_ || hung_up_) say("reconnect: ready\n  - canary: true");
    out += steps_;
    return true;
  }

  // How requests of the server are answered, from the beginning: a case has no other time for it.
  std::string answers() const {
    std::map<std::string, std::string> by_method;
    for (const Step& step : script_.steps) {
      const auto* answer = std::get_if<Answer>(&step);
      if (answer != nullptr && answer->kind != AnswerKind::kUsual)
        by_method[answer->method] = in_words(*answer);
    }
    std::string out;
    for (const auto& [method, how] : by_method)
      out += fmt::format("  {}: {}\n", json::quoted(method), how);
    return out.empty() ? "" : "answers:\n" + out;
  }

 private:
  // What is going to be written: a frame, or raw bytes.
  struct Item {
    const Frame* frame;
    Text text;
    std::size_t number;  // of the frame
    bool usual() const {
      return frame != nullptr && frame->delivery.usual() && !has_line_break(text);
    }
  };

  static std::string in_words(const Answer& answer) {
    if (answer.kind == AnswerKind::kError) return "{error: {code: -32603, message: refused}}";
    if (answer.kind != AnswerKind::kResult) return answer_word(answer.kind);
    std::string result = answer.result;
    for (std::size_t at = 0; (at = result.find("${", at)) != std::string::npos; at += 3)
      result.insert(at, "$");
    return "{result: " + result + "}";
  }

  // Names what frames refer to, as far as it could be filled in.
  void name_captures() {
    for (std::size_t index = 0; index < script_.steps.size(); ++index) {
      const auto* frame = std::get_if<Frame>(&script_.steps[index]);
      if (frame == nullptr) continue;
      for (const Reference& one : references(frame->bytes)) {
        const std::string pointer(one.pointer);
        if (!was_filled_in(index, frame->bytes.substr(one.begin, one.end - one.begin))) continue;
        names_.emplace(std::make_pair(one.frame, pointer), fmt::format("seen{}", names_.size()));
      }
    }
  }

  bool was_filled_in(std::size_t index, const std::string& reference) const {
    for (const Played::SentStep& sent : played_.sent) {
      if (sent.step != index || sent.stretch >= played_.stretches.size()) continue;
      for (const auto& frame : played_.stretches[sent.stretch].transcript->frames)
        if (frame.seq == sent.seq) return frame.bytes.find(reference) == std::string::npos;
    }
    return false;
  }

  void add(std::size_t index, const Frame& frame) {
    ++number_;
    Text text;
    std::size_t at = 0;
    for (const Reference& one : references(frame.bytes)) {
      const auto name = names_.find({one.frame, std::string(one.pointer)});
      const std::string written = frame.bytes.substr(one.begin, one.end - one.begin);
      if (name == names_.end() || !was_filled_in(index, written)) continue;
      if (one.begin > at) text.push_back({frame.bytes.substr(at, one.begin - at)});
      text.push_back({name->second, true});
      at = one.end;
    }
    if (at < frame.bytes.size() || text.empty()) text.push_back({frame.bytes.substr(at)});
    const bool refers = !references(frame.bytes).empty();
    if (refers) wait(1);
    Item item{&frame, std::move(text), number_};
    const bool alone = http_ ? !item.usual() : !frame.delivery.chunks.empty();
    if (alone) flush(false);
    waiting_.push_back(std::move(item));
    if (alone) flush(false);
  }

  // Where the player waits for what was asked: so many canaries, unless none can be read any more.
  void wait(int canaries) {
    flush(true);
    for (int i = 0; i < canaries && !torn_; ++i) say("canary: true");
  }

  // The server hangs up, and that is not the bug: it may.
  void part() {
    flush(true);
    if (!steps_.empty() && !in_flight_)
      steps_ += "    reply: [{closed: true}, any-reply, silence]\n";
  }

  // All that waits, in one step where that can be said.
  void flush(bool then_canary) {
    const bool usual =
        std::all_of(waiting_.begin(), waiting_.end(), [](const Item& one) { return one.usual(); });
    const bool asked = std::any_of(waiting_.begin(), waiting_.end(),
                                   [&](const Item& one) { return !captures(one.number).empty(); });
    if (usual && waiting_.size() > 1) {
      std::string flight = "flight:";
      for (const Item& one : waiting_)
        flight += "\n      - frame: " + yaml_of(one.text) + captured(one, "        ");
      say(flight);
    } else if (lines_ && !usual && waiting_.size() > 1 && !asked) {
      Text all;
      for (const Item& one : waiting_) {
        all.insert(all.end(), one.text.begin(), one.text.end());
        if (one.frame) all.push_back({end_of(one.frame->delivery.eol)});
      }
      say_bytes(std::move(all), then_canary);
    } else {
      for (const Item& one : waiting_) say_one(one);
    }
    waiting_.clear();
    if (then_canary && open_line_) say_bytes({{"\n"}}, false);
  }

  void say_one(const Item& one) {
    if (one.frame == nullptr) {
      torn_ |= !lines_;
      say_bytes(one.text, false);
    } else if (http_) {
      say_exchange(one);
    } else if (websocket_) {
      say_websocket(one);
    } else {
      say_framed(one);
    }
  }

  // Over HTTP.
  void say_exchange(const Item& one) {
    const Delivery& how = one.frame->delivery;
    bool agreed = !how.length;
    std::string headers;
    for (const HeaderChange& change : how.headers) {
      agreed &= change.name != "Content-Length" && change.name != "Transfer-Encoding";
      headers += fmt::format("{}{}: {}", headers.empty() ? "" : ", ", json::quoted(change.name),
                             change.value ? yaml_of({{*change.value}}) : "null");
    }
    if (how.length)
      headers += fmt::format("{}Content-Length: \"{}\"", headers.empty() ? "" : ", ",
                             claimed(*how.length, size_of(one.text)));
    if (!headers.empty()) headers = "headers: {" + headers + "}";
    if (how.http_method.empty()) {
      say((agreed ? "frame: " : "bytes: ") + yaml_of(one.text) +
          (headers.empty() ? "" : "\n    " + headers) + captured(one, "    "));
    } else {
      say(fmt::format("http: {{method: {}, {}{}body: {}}}", json::quoted(how.http_method), headers,
                      headers.empty() ? "" : ", ", yaml_of(one.text)) +
          captured(one, "    "));
    }
  }

  void say_websocket(const Item& one) {
    const Delivery& how = one.frame->delivery;
    torn_ |= how.opcode != 1;
    if (how.opcode == 1 && how.fragments.empty()) {
      say("frame: " + yaml_of(one.text) + pieces(how, nullptr) + captured(one, "    "));
      return;
    }
    Text rest = one.text;
    std::string frames;
    for (std::size_t i = 0; i <= how.fragments.size(); ++i) {
      const bool last = i == how.fragments.size();
      const Text part = last ? rest : taken(rest, how.fragments[i]);
      frames += fmt::format("{}{{ws: {{opcode: {}, payload: {}{}}}}}", i == 0 ? "" : ", ",
                            i == 0 ? how.opcode : 0, yaml_of(part), last ? "" : ", last: false");
    }
    say("bytes: [" + frames + "]" + pieces(how, nullptr) + captured(one, "    "));
  }

  // The beginning of the text, which is shorter by that afterwards.
  static Text taken(Text& text, std::size_t length) {
    Text out;
    while (length > 0 && !text.empty() && !text.front().captured) {
      Part& first = text.front();
      out.push_back({first.text.substr(0, length)});
      length -= out.back().text.size();
      first.text.erase(0, out.back().text.size());
      if (first.text.empty()) text.erase(text.begin());
    }
    return out.empty() ? Text{{""}} : out;
  }

  // On a stream of lines, or with the length ahead.
  void say_framed(const Item& one) {
    const Delivery& how = one.frame->delivery;
    const bool agreed =
        lines_ ? (how.eol == Eol::kLf || how.eol == Eol::kCrlf) && !has_line_break(one.text)
               : !how.length;
    if (agreed) {
      const bool odd_end = lines_ && how.eol != Eol::kLf;
      say("frame: " + yaml_of(one.text) + pieces(how, odd_end ? end_of(how.eol) : nullptr) +
          captured(one, "    "));
      open_line_ = false;
      return;
    }
    Text all = one.text;
    if (lines_) {
      all.push_back({end_of(how.eol)});
    } else {
      torn_ = true;
      all.insert(all.begin(),
                 {"Content-Length: " + claimed(*how.length, size_of(one.text)) + "\r\n\r\n"});
    }
    say_bytes(std::move(all), false, pieces(how, nullptr));
  }

  // `then_canary`: which begins a line.
  void say_bytes(Text all, bool then_canary, const std::string& beside = {}) {
    std::erase_if(all, [](const Part& part) { return part.text.empty(); });
    if (all.empty()) return;
    open_line_ = lines_ && (all.back().captured || all.back().text.back() != '\n');
    if (then_canary && open_line_) all.push_back({"\n"});
    open_line_ &= !then_canary;
    say("bytes: " + yaml_of(all) + beside);
  }

  // How it is cut into writes, and ended.
  static std::string pieces(const Delivery& how, const char* end) {
    std::string out;
    if (!how.chunks.empty()) out = fmt::format("chunks: [{}]", fmt::join(how.chunks, ", "));
    if (end) out += (out.empty() ? "eol: " : ", eol: ") + json::quoted(end);
    return out.empty() ? "" : "\n    write: {" + out + "}";
  }

  static std::string claimed(const ClaimedLength& claim, std::size_t size) {
    return std::to_string(claim.relative ? static_cast<std::int64_t>(size) + claim.value
                                         : claim.value);
  }

  std::map<std::string, std::string> captures(std::size_t number) const {
    std::map<std::string, std::string> out;
    for (const auto& [what, name] : names_)
      if (number != 0 && what.first == number) out.emplace(name, what.second);
    return out;
  }

  std::string captured(const Item& one, const std::string& indent) const {
    std::string list;
    for (const auto& [name, pointer] : captures(one.number))
      list += (list.empty() ? "" : ", ") + name + ": " + json::quoted(pointer);
    if (list.empty()) return "";
    return "\n" + indent + "reply: any-reply\n" + indent + "capture: {" + list + "}";
  }

  void say(const std::string& step) {
    in_flight_ = step.starts_with("flight:");
    steps_ += "  - " + step + "\n";
  }

  const Script& script_;
  const Played& played_;
  const bool http_, websocket_, lines_;
  const bool process_;  // the connection is that of the process itself
  const bool hung_up_;  // the connection ended, and the bug is another
  std::string steps_;
  std::vector<Item> waiting_;
  std::size_t number_ = 0;                                            // frames so far
  std::map<std::pair<std::size_t, std::string>, std::string> names_;  // frame and pointer
  bool in_flight_ = false;                                            // the last step is one
  bool open_line_ = false;  // what was written last did not end a line
  bool torn_ = false;       // framing was broken beyond repair: nothing can be asked any more
};

}  // namespace

std::string case_draft(const Reduced& reduced, const harness::spec::Profile& profile,
                       const harness::target::Target& target) {
  // It would call a tool that may not be called.
  if (reduced.played.withheld > 0) return "";
  const harness::oracle::Finding& finding = reduced.problem.finding;
  Draft draft(reduced, target);
  std::string out = "title: " + json::quoted("After this input: " + finding.expected) + "\n";
  out += "covers: [" + finding.requirement + "]\n";
  out += fmt::format("profiles: [{}]\ntransports: [{}]\nsession: fresh\n", profile.name,
                     target.transport());
  out += draft.answers() + "steps:\n";
  return draft.write(out) ? out : "";
}

}  // namespace fuzz
