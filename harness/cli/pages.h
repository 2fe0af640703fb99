// SPDX-License-Identifier: Apache-2.0
// Pages for people about one thing each: those of `rpcspec explain`, and the list of methods.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/cli/builtin.h"
#include "harness/results/event.h"
#include "harness/spec/protocol.h"
#include "harness/spec/requirement.h"

namespace harness::cli {

// A clause for people: what it says and where it can be read, what it has to do with others, what
// covers it, why servers break it, what to change, and which servers are known to.
std::string page_of(const spec::Requirement& clause, const Library& library,
                    const Teaching& teaching);

std::vector<std::string> ids_of(const std::vector<spec::Mention>& mentions);

// A case for people: what it is about, and its steps and rows in the words of the case language.

// `source` is the content of the case file, null if it cannot be read.
std::string page_of(const suite::Case& scenario, const json::Value* source, const Library& library);

// An error code for people: who uses it for what, and which clauses speak of it.

// The code that `word` names: "-32602", or "32602" for the same with its sign. Null if it names
// none.
std::optional<int> error_code_in(const std::string& word);

std::string page_of_code(int code, const spec::Registry& registry);

// What `rpcspec fuzz` finds, for people: the classes of findings, and one finding on disk.

// All names of the classes.
std::vector<std::string> finding_words();

// "" if nothing has that name.
std::string page_of_class(const std::string& word);

// Whether a path belongs to a finding: its folder, or its finding.json.
bool is_finding(const std::string& path);
Result<std::string> page_of_finding(const std::string& path, const Library& library,
                                    const Teaching& teaching);

// What the protocol's rows say of a method, a notification or a type, for people to read.

// "request of the client", "notification of either side"
std::string kind_of(const spec::MessageRow& message);
// "since 2025-06-18", "2025-11-25 only", "all revisions"; with the dialect if only one has it.
std::string span_of(const spec::Reach& reach);

// Each line ends with a line end. A message: who sends it and when, its params and result member by
// member with the clauses that a breach cites, and an example of the newest revision that has it.
std::string page_of(const spec::MessageRow& message);
std::string page_of(const spec::TypeRow& type);

// The methods of a contract before a run: which are called and why, and what is tried at each.

// One line for each, and one for each thing that is not judged.
std::string methods_page(const std::vector<run::DescribedMethod>& methods);

// The pages of `explain` about words that reports use: verdicts and affordances.

// "" for a word that is neither.
std::string page_of_word(const std::string& word, const Library& library);
// All that have one.
std::vector<std::string> report_words(const Library& library);

}  // namespace harness::cli
