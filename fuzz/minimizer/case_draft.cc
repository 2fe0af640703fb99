// SPDX-License-Identifier: Apache-2.0
// The steps of a script are gathered as the executor gathers them (executor/script_executor.h):
// what it would write at once is one step of the case, and where it waits for answers a canary is.
#include "fuzz/minimizer/case_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "fuzz/minimizer/captures.h"
#include "fuzz/minimizer/case_text.h"
#include "harness/base/ascii.h"
#include "harness/json/write.h"
#include "harness/transport/request.h"

namespace fuzz {
namespace {

namespace json = harness::json;

std::string in_words(const ClientAnswer& answer) {
  if (answer.kind == AnswerKind::kError) return "{error: {code: -32603, message: refused}}";
  if (answer.kind != AnswerKind::kResult) return answer_word(answer.kind);
  std::string result = answer.result;
  for (std::size_t at = 0; (at = result.find("${", at)) != std::string::npos; at += 3)
    result.insert(at, "$");
  return "{result: " + result + "}";
}

// How requests of the server are answered, from the beginning: a case has no other time for it.
std::string answers_of(const Script& script) {
  std::map<std::string, std::string> by_method;
  for (const Step& step : script.steps) {
    const auto* answer = std::get_if<ClientAnswer>(&step);
    if (answer != nullptr && answer->kind != AnswerKind::kUsual)
      by_method[answer->method] = in_words(*answer);
  }
  std::string out;
  for (const auto& [method, how] : by_method)
    out += fmt::format("  {}: {}\n", json::quoted(method), how);
  return out.empty() ? "" : "answers:\n" + out;
}

class Draft {
 public:
  Draft(const Reduced& reduced, const harness::target::Target& target)
      : script_(reduced.script), captures_(reduced.script, reduced.execution),
        http_(harness::wire::traits_of(target.transport()).http),
        websocket_(harness::wire::traits_of(target.transport()).frames),
        lines_(target.is_stream() && !websocket_ &&
               target.framing == harness::target::Framing::kLine),
        process_(target.stdio()),
        hung_up_(!process_ && !http_ && reduced.execution.ending == Ending::kGone &&
                 !is_of_process(reduced.problem.signature)) {}

  // The steps; false when a case cannot go on where the script does.
  bool write(std::string& out) {
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
        if (!http_ && !raw->bytes.empty()) waiting_.push_back({nullptr, {{raw->bytes}}, ""});
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

 private:
  // What is going to be written: a frame, or raw bytes.
  struct Item {
    const Frame* frame;
    Text text;
    std::string captured;  // of its reply
    bool usual() const {
      return frame != nullptr && frame->delivery.usual() && !has_line_break(text);
    }
  };

  void add(std::size_t index, const Frame& frame) {
    ++number_;
    if (!references(frame.bytes).empty()) wait(1);
    Item item{&frame, captures_.named(index, frame.bytes), captures_.of_reply_to(number_)};
    const bool alone = http_ ? !item.usual() : !frame.delivery.chunks.empty();
    if (alone) flush(false);
    waiting_.push_back(std::move(item));
    if (alone) flush(false);
  }

  // Where the executor waits for what was asked: so many canaries, unless none can be read any
  // more.
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
                                   [](const Item& one) { return !one.captured.empty(); });
    if (usual && waiting_.size() > 1) {
      std::string pipelined = "pipelined:";
      for (const Item& one : waiting_)
        pipelined += "\n      - frame: " + yaml_of(one.text) + captured(one, "        ");
      say(pipelined);
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

  void say_exchange(const Item& one) {
    const Delivery& how = one.frame->delivery;
    bool agreed = !how.length;
    std::vector<std::string> headers;
    for (const HeaderChange& change : how.headers) {
      agreed &= !harness::ascii::equal_ignoring_case(change.name, "Content-Length") &&
                !harness::ascii::equal_ignoring_case(change.name, "Transfer-Encoding");
      headers.push_back(json::quoted(change.name) + ": " +
                        (change.value ? yaml_of({{*change.value}}) : "null"));
    }
    if (how.length)
      headers.push_back(
          fmt::format("Content-Length: \"{}\"", claimed_length(*how.length, size_of(one.text))));
    const std::string changed =
        headers.empty() ? "" : fmt::format("headers: {{{}}}", fmt::join(headers, ", "));
    if (how.http_method.empty()) {
      say((agreed ? "frame: " : "bytes: ") + yaml_of(one.text) +
          (headers.empty() ? "" : "\n    " + changed) + captured(one, "    "));
    } else {
      say(fmt::format("http: {{method: {}, {}{}body: {}}}", json::quoted(how.http_method), changed,
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
      all.insert(all.begin(), {"Content-Length: " + claimed_length(*how.length, size_of(one.text)) +
                               "\r\n\r\n"});
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

  // What stands beside a step whose reply is captured.
  static std::string captured(const Item& one, const std::string& indent) {
    if (one.captured.empty()) return "";
    return "\n" + indent + "reply: any-reply\n" + indent + "capture: {" + one.captured + "}";
  }

  void say(const std::string& step) {
    in_flight_ = step.starts_with("pipelined:");
    steps_ += "  - " + step + "\n";
  }

  const Script& script_;
  const Captures captures_;
  const bool http_, websocket_, lines_;
  const bool process_;  // the connection is that of the process itself
  const bool hung_up_;  // the connection ended, and the bug is another
  std::string steps_;
  std::vector<Item> waiting_;
  std::size_t number_ = 0;  // frames so far
  bool in_flight_ = false;  // the last step is one
  bool open_line_ = false;  // what was written last did not end a line
  bool torn_ = false;       // framing was broken beyond repair: nothing can be asked any more
};

}  // namespace

std::string case_draft(const Reduced& reduced, const harness::spec::Profile& profile,
                       const harness::target::Target& target) {
  // It would call a tool that may not be called.
  if (reduced.execution.withheld > 0) return "";
  const harness::oracle::Finding& finding = reduced.problem.finding;
  Draft draft(reduced, target);
  std::string out = "title: " + json::quoted("After this input: " + finding.expected) + "\n";
  out += "covers: [" + finding.requirement + "]\n";
  out += fmt::format("profiles: [{}]\ntransports: [{}]\nsession: fresh\n", profile.name,
                     target.transport_name());
  out += answers_of(reduced.script) + "steps:\n";
  return draft.write(out) ? out : "";
}

}  // namespace fuzz
