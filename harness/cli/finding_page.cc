// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/finding_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/cli/clause_page.h"
#include "harness/cli/page_text.h"
#include "harness/json/read.h"

namespace harness::cli {
namespace {

struct FindingClass {
  std::vector<const char*> words;  // the first is its name
  const char* what;                // is seen
  const char* cause;
  const char* next;       // what to do about it
  const char* signature;  // how one begins, "" where it does not tell
};

const std::vector<FindingClass>& classes() {
  static const std::vector<FindingClass> kClasses = {
      {{"crash", "signal"},
       "The process ended by a signal after a message: 11 is a wrong address, 6 an abort or an "
       "exception nobody caught, 9 often the system that ran out of memory.",
       "Input reaches code that takes its shape for granted: an exception in a thread or a "
       "callback, "
       "recursion as deep as the text is nested, an index out of range.",
       "README.md of the finding has the last words of the process. Build the server with "
       "-fsanitize=address,undefined, or with the debugger's core file, and replay.",
       "ended|signal "},
      {{"exit", "end"},
       "The process ended by itself, with a status, while the conversation went on.",
       "An error handler around everything ends in exit(); an unhandled rejection or exception is "
       "fatal in Node.js and in threads of others; a read error is taken for the end of input.",
       "Replay, and read the last it printed on stderr. Answer the request with an error and go "
       "on.",
       "ended|exit "},
      {{"hang", "silence", "silent"},
       "A request that is known to be answered gets nothing for five seconds, on a connection that "
       "is still open, on a fresh session each time.",
       "The reader waits for bytes that never come, a lock or a promise is not released after an "
       "error, or one slow call blocks all others.",
       "Replay, and look at the stacks of the process while it waits (gdb -p, py-spy dump, SIGQUIT "
       "for Go).",
       "silent|"},
      {{"close", "closed"},
       "The connection is closed with a request unanswered, after messages beyond objection.",
       "An error in one message is taken for one of the whole connection.",
       "Answer with an error and read on.",
       "connection|"},
      {{"flood"},
       "The server sends so much in answer to one script that reading it was given up.",
       "An error is answered by an error again and again, a page of a list leads to itself, or a "
       "notification goes out in a loop.",
       "Replay: the transcript shows what repeats.",
       "ended|flood"},
      {{"wrong-answer", "absence", "missing"},
       "The reply is none that this message may get: another error code, a result for what is no "
       "request, a reply to a notification, or none at all from a server that goes on.",
       "The message takes another way through the server than its author had in mind.",
       "explain the clause of the finding: it has the usual cause and what to change.",
       "model|"},
      {{"stack-trace", "traceback"},
       "What the server tells of a failure shows its stack, with names of files and functions.",
       "The text of an exception is sent as the message or the data of an error.",
       "Log it, and send one sentence.",
       ""},
      {{"lists"},
       "tools/list and its like differ before and after requests that were refused.",
       "A request takes effect before it is checked.",
       "Check first; change the state when nothing can fail any more.",
       "lists|"},
      {{"growth", "leak"},
       "The process grows with each message of a kind: memory, file descriptors or threads.",
       "Something is kept for each request or session and never given back: a table of pending "
       "requests, listeners, sessions that ended.",
       "Replay with --check growth, and compare two snapshots of the heap.",
       "growth|"},
      {{"renewal"},
       "The process grows with each session or subscription that was opened and ended.",
       "What belongs to it is kept when it ends: handlers, buffers, entries of a table.",
       "Replay with --check renewal, and compare two snapshots of the heap.",
       "renewal|"},
      {{"streams"},
       "The process grows with each stream that a client opened by GET and left.",
       "That the connection is gone is noticed late or never, and what belongs to it stays.",
       "Replay with --check streams, and compare two snapshots of the heap.",
       "streams|"},
      {{"cost"},
       "A message of twice the size takes four times as long, or more.",
       "Text is copied for each chunk that arrives, a list is searched for each element, a regular "
       "expression goes back and forth.",
       "Replay with --check cost under a profiler.",
       "cost|"},
      {{"spelling"},
       "The answer depends on how a message was spelled or cut: blanks, escapes, the order of "
       "members, several writes in place of one.",
       "Messages are found by their text, or one read is taken for one message.",
       "Read lines or lengths into a buffer, and compare values, not texts.",
       "spelling|"},
      {{"isolation"},
       "Text that one client sent shows up at another.",
       "State that belongs to a session stands in a global, or replies go to the newest "
       "connection.",
       "Keep it in the session, and send by the connection that asked.",
       "isolation|"},
      {{"reproducible", "needs-history", "flaky", "untried", "not-reproducible"},
       "How surely a finding comes again. reproducible: its script alone shows it. needs history: "
       "it "
       "takes scripts before that one, which are in the journal. flaky: not even the whole journal "
       "shows it each time; it is no finding, and its script is kept as not-reproducible-*.script. "
       "untried: there was no time left to find out.",
       "",
       "",
       ""},
  };
  return kClasses;
}

const FindingClass* find_class(const std::string& word) {
  for (const FindingClass& one : classes())
    if (std::count(one.words.begin(), one.words.end(), word) > 0) return &one;
  return nullptr;
}

const FindingClass* class_of_signature(const std::string& signature) {
  for (const FindingClass& one : classes())
    if (*one.signature != '\0' && signature.starts_with(one.signature)) return &one;
  return nullptr;
}

std::filesystem::path json_of(const std::string& path) {
  const std::filesystem::path given = path;
  return std::filesystem::is_directory(given) ? given / "finding.json" : given;
}

std::string shown_text(const json::Value& finding, const char* name) {
  const json::Value* member = finding.find(name);
  return member == nullptr ? "" : printable(member->text, 2000);
}

}  // namespace

std::vector<std::string> finding_words() {
  std::vector<std::string> words;
  for (const FindingClass& one : classes())
    words.insert(words.end(), one.words.begin(), one.words.end());
  return words;
}

std::string page_of_class(const std::string& word) {
  const FindingClass* found = find_class(word);
  if (found == nullptr) return "";
  std::string out =
      fmt::format("{}: what `rpcspec fuzz` may find\n\n", fmt::join(found->words, ", "));
  out += hanging("  ", found->what);
  if (*found->cause != '\0') out += "\n" + field("usual cause", found->cause);
  if (*found->next != '\0') out += field("what to do", found->next);
  if (*found->signature != '\0')
    out += field("signature", fmt::format("begins with `{}`", found->signature));
  return out;
}

bool is_finding(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path file = json_of(path);
  return file.filename() == "finding.json" && std::filesystem::is_regular_file(file, failed);
}

Result<std::string> page_of_finding(const std::string& path, const Library& library,
                                    const Teaching& teaching) {
  const std::string name = json_of(path).string();
  const auto text = read_file(name);
  if (!text) return text.error();
  const auto reading = json::read(*text);
  const auto* read = std::get_if<json::Reading>(&reading);
  if (read == nullptr || !read->value.is_object())
    return Error{name, "this is no finding: it is not a JSON object",
                 "`rpcspec fuzz --findings DIR` writes findings"};
  const json::Value& finding = read->value;
  const std::string id = shown_text(finding, "requirement");
  const std::string signature = shown_text(finding, "signature");
  std::string out = fmt::format("{}\n\n", std::filesystem::path(name).parent_path().string());
  out += field("expected", shown_text(finding, "expected")) +
         field("seen", shown_text(finding, "seen"));
  out += field("under", fmt::format("{}, {}", shown_text(finding, "profile"),
                                    shown_text(finding, "transport")));
  out +=
      field("found by", fmt::format("{} (an oracle or a check); {}", shown_text(finding, "oracle"),
                                    shown_text(finding, "repeats")));
  if (const FindingClass* kind = class_of_signature(signature))
    out += field("class",
                 fmt::format("{} (rpcspec explain {})", kind->words.front(), kind->words.front()));
  out += field("signature", signature);
  for (const char* command : {"replay", "run"})
    if (const std::string line = shown_text(finding, command); !line.empty())
      out += fmt::format("  {:<11} {}\n",
                         std::string(command) == "replay" ? "play again" : "as a case",
                         line);  // to be copied: never wrapped
  if (const spec::Requirement* clause = library.registry.find(id))
    return out + "\n" + page_of(*clause, library, teaching);
  return out + "\n" + field("clause", id);
}

}  // namespace harness::cli
