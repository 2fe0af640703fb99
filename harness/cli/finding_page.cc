// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/cli/page_text.h"
#include "harness/cli/pages.h"
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
       "A signal ended the process after a message. 11 is an invalid address; 6 an abort or an "
       "uncaught exception; 9 often means that the system ran out of memory.",
       "Code relies on the shape of its input: an exception in a thread or a callback, recursion "
       "as deep as the text is nested, an index out of range.",
       "README.md of the finding has the last output of the process. Build the server with "
       "-fsanitize=address,undefined, or enable core files, and replay.",
       "ended|signal "},
      {{"exit", "end"},
       "The process exited with a status during the session.",
       "A top-level error handler calls exit(); an unhandled rejection or exception is fatal in "
       "Node.js and in threads of other languages; a read error is treated as the end of input.",
       "Replay, and read its last output on stderr. Answer the request with an error and "
       "continue.",
       "ended|exit "},
      {{"hang", "silence", "silent"},
       "A request that usually gets a response gets none for five seconds, on an open "
       "connection, on a fresh session each time.",
       "The reader waits for bytes that never come, a lock or a promise is not released after an "
       "error, or one slow call blocks all others.",
       "Replay, and inspect the stacks of the process while it waits (gdb -p, py-spy dump, "
       "SIGQUIT for Go).",
       "silent|"},
      {{"close", "closed"},
       "The server closes the connection with a request unanswered, after valid messages.",
       "An error in one message is treated as an error of the connection.",
       "Answer with an error and continue to read.",
       "connection|"},
      {{"flood"},
       "The server sends so much in reply to one script that rpcspec stopped reading.",
       "Errors are answered by errors without end, a page of a list leads to itself, or a "
       "notification is sent in a loop.",
       "Replay: the transcript shows what repeats.",
       "ended|flood"},
      {{"wrong-answer", "absence", "missing"},
       "The reply is not one that this message may get: another error code, a result for "
       "something that is not a request, a reply to a notification, or silence from a server "
       "that still runs.",
       "The message takes a path through the server that its author did not expect.",
       "Explain the clause of the finding: the page has the usual cause and what to change.",
       "model|"},
      {{"stack-trace", "traceback"},
       "The server reports a failure with its stack, with names of files and functions.",
       "The server sends the text of an exception as the message or the data of an error.",
       "Log it, and send one sentence.",
       ""},
      {{"lists"},
       "tools/list or another list differs before and after refused requests.",
       "A request takes effect before it is checked.",
       "Check first; change the state once nothing can fail.",
       "lists|"},
      {{"growth", "leak"},
       "The process uses more memory, file descriptors or threads with each message of a kind.",
       "Something is kept for each request or session and never released: a table of pending "
       "requests, listeners, ended sessions.",
       "Replay with --check growth, and compare two snapshots of the heap.",
       "growth|"},
      {{"renewal"},
       "The process uses more and more resources with each session or subscription that was "
       "opened and ended.",
       "What belongs to it is not released when it ends: handlers, buffers, entries of a table.",
       "Replay with --check renewal, and compare two snapshots of the heap.",
       "renewal|"},
      {{"streams"},
       "The process uses more and more resources with each stream that a client opened by GET "
       "and left.",
       "The server notices late or never that the connection is gone, and does not release what "
       "belongs to it.",
       "Replay with --check streams, and compare two snapshots of the heap.",
       "streams|"},
      {{"cost"},
       "A message of twice the size takes four times as long, or more.",
       "Text is copied for each chunk that arrives, a list is searched for each element, a regular "
       "expression goes back and forth.",
       "Replay with --check cost under a profiler.",
       "cost|"},
      {{"spelling"},
       "The reply depends on how a message is spelled or split: whitespace, escapes, the order "
       "of members, several writes instead of one.",
       "Messages are compared as text, or one read is treated as one message.",
       "Read whole messages into a buffer, and compare values, not text.",
       "spelling|"},
      {{"isolation"},
       "Text from one client appears at another.",
       "State of a session is in a global variable, or replies go to the newest connection.",
       "Keep it in the session, and reply on the connection of the request.",
       "isolation|"},
      {{"reproducible", "needs-history", "flaky", "untried", "not-reproducible"},
       "How reliably a finding can be reproduced. reproducible: its script alone shows it. needs "
       "history: it also needs earlier scripts, which are in the journal. flaky: even the whole "
       "journal does not show it each time; it is not a finding, and its script is kept as "
       "not-reproducible-*.script. untried: there was no time left to try.",
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
      fmt::format("{}: a kind of finding of `rpcspec fuzz`\n\n", fmt::join(found->words, ", "));
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
    return Error{name, "this is not a finding: it is not a JSON object",
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
