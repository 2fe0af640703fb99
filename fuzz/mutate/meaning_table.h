// SPDX-License-Identifier: Apache-2.0
// Texts to which something behind a server gives a meaning, as they stand inside of a JSON string,
// and names of members that languages treat apart. All of them are harmless: commands print, paths
// are read, hosts are this one.
#pragma once

namespace fuzz {

inline constexpr const char* kMeanings[] = {
    // formats
    "%s", "%n", "%x%x%x%x", "%p", "%1$s", "%99999999d", "%*d", "%.99999f", "%ls", "%(name)s", "%",
    "%%", "%{name}", "{", "}", "{}", "{0}", "{name}", "{0.__class__}", "{!r}", "{:>99999999}",
    "{{}}", "{{", "}}", "{999999999}", "$1", "$&", "${", "$", "%@", "~a", "\\\\%", "#{1}",
    // templates
    "{{7*7}}", "${7*7}", "#{7*7}", "<%= 7*7 %>", "{% raw %}", "{%", "{#", "{{#each a}}", "{{>a}}",
    "[[7*7]]", "@(7*7)", "{php}", "<?php", "${{7*7}}", "{{constructor}}", "{{self}}", "$!{a}",
    "${jndi:ldap://127.0.0.1:1/a}", "${env:HOME}", "{$a}", "<#assign a=1>", "*{7*7}",
    // shells
    "$(id)", "`id`", ";id", "|id", "&id", "&& id", "|| id", "\\nid\\n", "$HOME", "${HOME}", "~",
    "*", "?", "a b", "'", "\\\"", "''", "-", "--", "-h", "--help", "-rf", "@a", "!", "!!", "#",
    "%PATH%", "^", "<a", ">a", "2>&1", "$IFS", "\\\\\\n", "\\t", "'\\\"", "`", "$(", "${",
    "\\u0000",
    // regular expressions
    "(", ")", "[", "]", "[a-", "[z-a]", "a{99999}", "a{2,1}", "a{", "+", "**", "(?", "(?<a>",
    "(?R)", "(?=a)", "\\\\1", "\\\\", "\\\\Q", "\\\\p{L}", "\\\\x", "[[:a:]]", "|", "^$", ".", ".*",
    "(a+)+$", "(((((((((((((((((((((((((((((((((", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "a**",
    "(?i",
    // queries
    "' OR '1'='1", "'; --", "\\\" OR \\\"\\\"=\\\"", "1 OR 1=1", "') --", "' UNION SELECT 1 --",
    "/*", "*/", "a'b", "%' --", "_", "\\\\'", "$gt", "$where", "[$ne]", "*)(uid=*", "admin'--",
    "NULL", "1;", "0x41", "' || '", "//*", "' and count(/*)=1", "{$gt:''}", "*:*", "a:b", "AND",
    "NOT",
    // paths
    "..", ".", "../", "../../../../../../etc/hostname", "..\\\\..\\\\a", "/", "//", "/etc/hostname",
    "/dev/null", "/dev/full", "/proc/self/status", "./a", "a/../b", "a//b", "a/", "a/.", "a/..",
    "~/a", "C:\\\\a", "C:", "\\\\\\\\a\\\\b", "CON", "nul", "com1", "a.", "a ", ".a", "...",
    "....//", "a:b", "a\\u0000.txt", "/a\\u0000", "%2e%2e%2f", "..%2f", "%252e%252e%252f",
    "..%c0%af",
    // URIs
    "file:///etc/hostname", "file:", "file:///", "file://a/b", "://", ":", "http://127.0.0.1:1/",
    "http://[::1", "http://[::1]:1/", "http://127.0.0.1:99999/", "http://a@127.0.0.1:1/",
    "http://127.0.0.1:1/?a=b#c", "data:,a", "data:text/plain;base64,====", "javascript:0", "?",
    "?a", "#a", "&", "=", "%zz", "%0", "%00", "%ff", "%C3%28", "%u0041", "+", "urn:a", "a://",
    "//a", "http://\\u0000", "http://é/", "http://a b/", "ftp://127.0.0.1:1/", "blob:", "{a}",
    "{?a}", "{+a}", "{/a*}", "{#a", "{;a}",
    // escapes
    "\\\\n", "\\\\u0041", "\\\\x41", "\\\\0", "\\\\u", "\\\\x", "\\\\ud800", "&lt;", "&#0;",
    "&#x110000;", "&amp;", "&a;",
    "=?utf-8?q?a?=", "=?base64?AAAA?=", "====", "AAAA=", "\\u001b[31m", "\\u0007", "\\b", "\\u007f",
    "\\u0080", "\\u0085", "\\u2028", "\\u2029", "\\u200b", "\\u202e", "\\ufeff", "\\ufffe",
    "\\uffff", "\\ud800", "\\udc00", "\\ud83d", "\\r", "\\n", "\\r\\n", "\\r\\n\\r\\n",
    "a\\r\\nX-A: b", "\\u0130", "ß", "ﬀ", "e\\u0301", "İ", "ǆ", "𝒳", "\\udbff\\udfff",
    // markup
    "<", ">", "<a>", "</a>", "<script>", "<!--", "-->", "<![CDATA[", "]]>", "<?xml",
    "<!DOCTYPE a [", "<svg/onload=a>", "<a", "[a](b)", "![a](b)", "```", "---", "\\u003cscript",
    "javascript:",
    // not text: numbers, dates, words
    "0", "-0", "-1", "1e400", "NaN", "Infinity", "-Infinity", "0x10", "1,5", "1_000", "٣", "１",
    "9223372036854775808", "18446744073709551616", "1e-400", "null", "nil", "None", "undefined",
    "true", "false", "yes", "no", "on", "off", "[]", "[object Object]", "2026-02-30",
    "2026-01-01T00:00:60Z", "0000-00-00", "-1-01-01", "9999-12-31T23:59:59.999999999Z",
    "10000-01-01", "24:00", "1970-01-01T00:00:00+99:99", "=1+1", "@SUM(1)", "+1", "\\t=1", "~!@#",
    "{\\\"a\\\":1}", "[1]", "\\\"a\\\"", "a: b", "- a", "&a *a", "!!a", "a,b;c|d", "a\\u0000b",
    "application/json", "text/plain; charset=\\u0000", "a/b/c", "utf-8", "utf-7", "en_US", "UTC"};

// The unit of a run, and what follows the run: a regular expression that could divide the run in
// many ways tries all of them before it rejects. It does so only if nothing else is around.
struct Run {
  const char* unit;
  const char* end;
};
inline constexpr Run kRuns[] = {{"a", "!"},   {"0", "x"},   {" ", "x"},  {"A", "!"},  {"_", "!"},
                                {"\\t", "x"}, {"é", "!"},   {"a ", "!"}, {"a.", "!"}, {"a@", "!"},
                                {"a-", "!"},  {"a/", "!"},  {"a,", "!"}, {"a_", "!"}, {"a=", "!"},
                                {"a:", "!"},  {"aA0", "!"}, {"1.", "x"}, {"0,", "x"}, {"(", "!"},
                                {"<", "!"},   {".", "!"},   {"/", "!"},  {"-", "!"},  {"%20", "!"}};

// Names of members, and of things called by name.
inline constexpr const char* kApart[] = {"__proto__",
                                         "constructor",
                                         "prototype",
                                         "toString",
                                         "valueOf",
                                         "hasOwnProperty",
                                         "toJSON",
                                         "then",
                                         "length",
                                         "__defineGetter__",
                                         "isPrototypeOf",
                                         "__class__",
                                         "__init__",
                                         "__dict__",
                                         "__globals__",
                                         "__len__",
                                         "self",
                                         "cls",
                                         "this",
                                         "class",
                                         "default",
                                         "return",
                                         "lambda",
                                         "None",
                                         "args",
                                         "kwargs",
                                         "*args",
                                         "**kwargs",
                                         "$ref",
                                         "$schema",
                                         "$type",
                                         "@type",
                                         "@class",
                                         "$gt",
                                         "$where",
                                         "type",
                                         "id",
                                         "jsonrpc",
                                         "method",
                                         "params",
                                         "result",
                                         "error",
                                         "_meta",
                                         "",
                                         " ",
                                         "0",
                                         "-1",
                                         "a.b",
                                         "a/b",
                                         "~0",
                                         "~1",
                                         "a[0]",
                                         "a[]",
                                         "\\u0000",
                                         "é",
                                         "e\\u0301",
                                         "{}",
                                         "<<",
                                         "=",
                                         "-",
                                         "--help",
                                         "Content-Length",
                                         "get",
                                         "set",
                                         "items",
                                         "keys",
                                         "values",
                                         "update",
                                         "pop",
                                         "copy",
                                         "exit",
                                         "System",
                                         "Object",
                                         "Symbol",
                                         "nil",
                                         "initialize",
                                         "send",
                                         "eval",
                                         "import",
                                         "require"};
inline constexpr const char* kValuesApart[] = {R"({})", R"("a")", "null", R"({"a":{}})"};

}  // namespace fuzz
