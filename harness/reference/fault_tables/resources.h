// SPDX-License-Identifier: Apache-2.0
// Faults of resources, of their templates and of subscriptions to them.
#pragma once

#include "harness/reference/faults.h"

namespace harness::reference {

inline constexpr FaultRow kResourcesFaults[] = {
    {"resource-not-found-legacy-code", "2026-07-28: an unknown resource is answered with -32002"},
    {"resource-not-found-other-code", "Tutorial: an unknown resource is answered with -32603"},
    {"unknown-resource-empty", "An unknown resource is answered with empty contents"},
    {"resource-updated-without-uri", "Sends notifications/resources/updated without uri"},
    {"resource-updates-untold", "Changes of a resource are not told to those who subscribed to it"},
    {"resources-list-refused", "resources/list is answered with -32603"},
    {"templates-list-refused", "resources/templates/list is answered with -32603"},
    {"resources-by-connection",
     "2026-07-28: resources/list leaves out its last entry until resources/read was called on the "
     "connection"},
    {"resource-on-two-pages", "The first resource is listed once more on the last page"},
    {"resource-size-of-base64", "The size of a binary resource is that of its Base64 text"},
    {"resource-size-too-small", "The size of a text is half of what it is"},
    {"binary-read-as-text", "A binary resource is read as text, with U+FFFD for what is none"},
    {"text-read-as-bytes", "A text is read as bytes"},
    {"resource-fails", "Every read of a resource is answered with -32603"},
    {"listed-resource-unreadable", "A resource that is listed is answered as an unknown one"},
    {"listed-resource-other-code",
     "A resource that is listed is answered as an unknown one, and those with -32603"},
    {"empty-resource-without-contents", "An empty resource is read as empty contents"},
    {"resource-uri-missing-served", "resources/read without uri gives the first resource"},
    {"resource-uri-missing-other-code", "resources/read without uri is answered with -32603"},
    {"resource-uri-kind-unchecked", "A uri that is no string gives the first resource"},
    {"resource-uri-kind-other-code", "A uri that is no string is answered with -32603"},
    {"empty-uri-served", "The empty uri gives the first resource"},
    {"invalid-uri-served", "A uri without a scheme, or with blanks, gives a text"},
    {"invalid-uri-unanswered", "A uri with a NUL in it is not answered"},
    {"unknown-resource-invented", "An unknown resource is answered with a text"},
    {"unknown-resource-beside-invented",
     "An unknown resource with the scheme of a listed one is answered with a text"},
    {"resource-not-found-code-zero", "An unknown resource is answered with the code 0"},
    {"resource-not-found-without-uri", "The error of an unknown resource has no data"},
    {"resource-not-found-other-uri",
     "The data of the error of an unknown resource name another uri"},
    {"restricted-resource-read", "A resource that the caller may not read is read"},
    {"failing-resource-other-code", "A resource whose reading fails is answered with -32002"},
    {"failing-resource-empty", "A resource whose reading fails is read as an empty text"},
    {"traversal-followed", "../ in a uri leaves the folder"},
    {"traversal-percent-dots", "%2e%2e/ in a uri leaves the folder"},
    {"traversal-percent-slash", "..%2f in a uri leaves the folder"},
    {"traversal-decoded-twice", "%252e%252e%252f in a uri leaves the folder"},
    {"traversal-backslash", "..%5c in a uri leaves the folder"},
    {"traversal-stripped-once", "Of ....// in a uri one ../ is taken out and the rest followed"},
    {"absolute-file-read", "file:///etc/passwd is read although no folder of it is offered"},
    {"template-unreadable", "What a template makes is answered as unknown unless it is listed"},
    {"template-mime-type-other", "What a template makes has another mimeType than the template"},
    {"subscribe-refused", "resources/subscribe is answered with -32602"},
    {"unsubscribe-refused", "resources/unsubscribe is answered with -32602"},
    {"subscribe-undeclared-served",
     "resources.subscribe is not declared and resources/subscribe served as before"},
    {"subscribe-uri-unchecked", "resources/subscribe and unsubscribe are served without a uri"},
    {"subscribe-uri-other-code",
     "resources/subscribe and unsubscribe without a uri are answered with -32603"},
    {"updates-to-everyone", "Changes of a resource are told to every session"},
    {"updates-to-any-subscriber",
     "Changes of a resource are told to whoever subscribed to any resource"},
    {"unsubscribe-ignored", "Changes of a resource are told after resources/unsubscribe"},
};

}  // namespace harness::reference
