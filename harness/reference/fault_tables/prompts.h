// SPDX-License-Identifier: Apache-2.0
// Faults of prompts and of completion.
#pragma once

#include "harness/reference/faults.h"

namespace harness::reference {

inline constexpr FaultRow kPromptsFaults[] = {
    {"declared-feature-missing",
     "Tutorial: prompts are declared and prompts/list is answered with -32601"},
    {"arguments-type-unchecked",
     "Arguments of a tool or prompt that are no object are taken as none"},
    {"prompts-list-refused", "prompts/list is answered with -32603"},
    {"prompts-by-connection",
     "2026-07-28: prompts/list leaves out its last entry until prompts/get was called on the "
     "connection"},
    {"prompt-on-two-pages", "The first prompt is listed once more on the last page"},
    {"listed-prompt-unknown", "A prompt that is listed is answered as an unknown one"},
    {"unknown-prompt-served", "An unknown prompt is answered with the first one"},
    {"unknown-prompt-empty", "An unknown prompt is answered with no messages"},
    {"unknown-prompt-other-code", "An unknown prompt is answered with -32603"},
    {"unknown-prompt-by-prefix", "A name that begins with that of a prompt gives that prompt"},
    {"prompt-argument-missing-served", "A prompt is made although a required argument is missing"},
    {"prompt-argument-missing-other-code",
     "A prompt without a required argument is answered with -32603"},
    {"prompt-optional-demanded", "A prompt is refused unless all of its arguments are given"},
    {"prompt-arguments-demanded", "A prompt without arguments is refused unless arguments are {}"},
    {"prompt-name-missing-served", "prompts/get without a name gives the first prompt"},
    {"prompt-name-missing-other-code", "prompts/get without a name is answered with -32603"},
    {"prompt-name-kind-unchecked", "A name of a prompt that is no string gives the first prompt"},
    {"prompt-values-coerced", "Arguments of a prompt that are no strings are written as text"},
    {"prompt-values-other-code", "Arguments of a prompt that are no strings are -32603"},
    {"prompt-odd-text-fails", "Control characters in an argument of a prompt are -32603"},
    {"prompt-odd-text-unanswered", "Braces in an argument of a prompt keep it from being answered"},
    {"prompt-template-evaluated", "What stands in braces in an argument of a prompt is evaluated"},
    {"prompt-fails", "Every prompt is answered with -32603"},
    {"prompt-messages-lost", "Every prompt has no messages"},
    {"prompt-content-lost", "Messages of prompts are all text"},
    {"completion-fails", "Every completion is answered with -32603"},
    {"failing-prompt-other-code", "A prompt that fails is answered with -32602"},
    {"failing-prompt-empty", "A prompt that fails is answered with no messages"},
    {"completion-has-more-missing", "hasMore is false although total is above the values given"},
    {"completion-has-more-always", "hasMore is true although all values are given"},
    {"completion-prompt-refused", "References of type ref/prompt are answered with -32602"},
    {"completion-template-refused", "References of type ref/resource are answered with -32602"},
    {"completion-empty-value-refused", "An empty value is answered with -32602"},
    {"completion-type-unchecked", "A reference of an unknown type gives values"},
    {"completion-type-other-code", "A reference of an unknown type is answered with -32603"},
    {"completion-unknown-prompt-empty", "An unknown prompt is completed to nothing"},
    {"completion-unknown-prompt-other-code",
     "Completion for an unknown prompt is answered with -32603"},
    {"completion-params-unchecked", "Completion without ref or argument gives no values"},
    {"completion-params-other-code", "Completion without ref or argument is answered with -32603"},
    {"completion-value-kind-unchecked",
     "A value that is no string is completed like the empty one"},
    {"completion-value-kind-other-code", "A value that is no string is answered with -32603"},
    {"completion-context-refused", "Completion with a context is answered with -32602"},
    {"completion-odd-value-unanswered", "A value with control characters is not answered"},
    {"completion-long-value-kills", "A value of more than 500 characters ends the server"},
    {"restricted-value-completed", "A completion gives a value that the caller may not see"},
    {"failing-completion-other-code", "A completion that fails is answered with -32602"},
    {"failing-completion-empty", "A completion that fails is answered with no values"},
};

}  // namespace harness::reference
