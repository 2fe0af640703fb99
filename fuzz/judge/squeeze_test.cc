// SPDX-License-Identifier: Apache-2.0
#include "fuzz/judge/squeeze.h"

#include <gtest/gtest.h>

namespace fuzz {
namespace {

TEST(Squeezed, DropsWhatVariesAndKeepsErrorCodes) {
  struct Row {
    const char* text;
    const char* squeezed;
  };
  for (const Row& row :
       {Row{"code -32602 in 17 of 20", "code -32602 in # of #"},
        Row{"a result: \"{\"jsonrpc\":\"2.0\"}\"", "a result: "},
        Row{"no method `foo`, or \"bar \\\" baz\"", "no method ``, or \"\""},
        Row{"at 0x7ffe12 in 1.5 s", "at # in # s"},
        Row{"id -9.5e+18 or 1e-400, 3-4", "id # or #, #-#"}, Row{"-32600. The", "-32600. The"},
        Row{"id2 stays, 2nd goes", "id2 stays, # goes"}, Row{"none for {}", "none for "},
        Row{"none for [1]", "none for "}, Row{"none for \"\"ping\"\"", "none for "},
        Row{"\"\", empty", "\"\", empty"},
        Row{"lines: \"Invalid: [ { \"path\": \"a\" } ]\"", "lines: "},
        Row{"\"see [1]\" and more", "\"\" and more"}, Row{"{\"a\":1} and more", ""}, Row{"", ""}}) {
    EXPECT_EQ(squeezed(row.text), row.squeezed) << row.text;
  }
  EXPECT_LE(squeezed(std::string(10'000, 'x')).size(), 200u);
  EXPECT_EQ(squeezed("\"open"), "\"\"");
}

TEST(CrashClass, IsTheErrorAndTheInnermostFunctions) {
  EXPECT_EQ(
      crash_class("==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010\n"
                  "    #0 0x4c1 in __asan_memcpy (a.out+0x1)\n"
                  "    #1 0x4c2 in parse_value(char const*) server.cc:12\n"
                  "    #2 0x4c3 in handle server.cc:40\n"),
      "ERROR: AddressSanitizer: heap-use-after-free parse_value handle");
  EXPECT_EQ(crash_class("==7==ERROR: AddressSanitizer: ABRT on unknown address 0x4d7\n"
                        "    #0 0x1 in raise (libc.so.6+0x1)\n"
                        "    #1 0x2 in abort (libc.so.6+0x2)\n"
                        "    #2 0x3 in Json::throwRuntimeError(std::string const&) value.cc:9\n"),
            "ERROR: AddressSanitizer: ABRT Json::throwRuntimeError");
  EXPECT_EQ(crash_class("server.cc:3:7: runtime error: signed integer overflow: 1 + 2\n"),
            "runtime error: signed integer overflow: # + #");
  EXPECT_EQ(crash_class("thread 'main' panicked at 'index 7', src/main.rs:9\n"),
            "panicked at 'index #', src/main.rs:#");
  EXPECT_EQ(crash_class("listening on 8080\n"), "");
}

TEST(CrashClass, IsThePlaceOfAnExceptionThatNobodyCaught) {
  EXPECT_EQ(crash_class("Traceback (most recent call last):\n"
                        "  File \"/srv/main.py\", line 3, in <module>\n    serve()\n"
                        "  File \"/srv/greeter.py\", line 10, in serve\n    m[\"method\"]\n"
                        "KeyError: 'method'\n"),
            "greeter.py, line 10");
  // In a library that comes with Python: the line of the server below it, and what was thrown.
  const auto decoding = [](const std::string& line, const std::string& what) {
    return crash_class(
        "Traceback (most recent call last):\n"
        "  File \"/srv/greeter.py\", line 9, in <module>\n    m = json.loads(line)\n"
        "  File \"/usr/lib/python3.11/json/decoder.py\", line " +
        line + ", in decode\n    raise\n" + what + "\n");
  };
  const std::string decode = "json.decoder.JSONDecodeError: Expecting value";
  EXPECT_EQ(decoding("355", decode), "greeter.py, line 9 JSONDecodeError");
  EXPECT_EQ(decoding("340", decode), decoding("355", decode));
  EXPECT_EQ(decoding("353", "RecursionError: maximum recursion depth exceeded"),
            "greeter.py, line 9 RecursionError");
  EXPECT_EQ(crash_class("file:///srv/sums.mjs:13\n  const { id } = null;\n\n"
                        "TypeError: Cannot destructure property 'id' of 'null'\n"
                        "    at JSON.parse (<anonymous>)\n"
                        "    at answer (file:///srv/sums.mjs:13:11)\n    at f (x.mjs:1:1)\n"),
            "sums.mjs:13:11");
  EXPECT_EQ(crash_class("Not a HASH reference at /srv/words.pl line 24, <STDIN> line 3.\n"),
            "words.pl line 24");
  EXPECT_EQ(crash_class("PHP Fatal error:  Uncaught TypeError: count(): null given in "
                        "/srv/server.php:10\nStack trace:\n#0 /srv/server.php(24): call()\n"),
            "server.php:10");
  EXPECT_EQ(crash_class("lua: server.lua:14: attempt to index a nil value\nstack traceback:\n"
                        "\tserver.lua:52: in main chunk\n\t[C]: in ?\n"),
            "server.lua:14");
  EXPECT_EQ(crash_class("server.rb:3: warning: unused\n"
                        "/usr/lib/ruby/3.1.0/json/common.rb:312:in `generate': no (JSON::E)\n"
                        "\tfrom /srv/server.rb:48:in `<main>'\n"),
            "server.rb:48");
  EXPECT_EQ(crash_class("server.rb:3: warning: unused\n"), "");
  EXPECT_EQ(crash_class("stopped at last, in line 3 of it\n"), "");
}

TEST(CrashClass, OfAnExceptionIsTheSameWhateverNumbersItTells) {
  const auto thrown = [](const std::string& n) {
    return crash_class(
        "terminate called after throwing an instance of 'std::out_of_range'\n"
        "  what():  vector::_M_range_check: __n (which is " +
        n + ") >= this->size() (which is 12)\n");
  };
  EXPECT_EQ(thrown("7"), thrown("18446744073709551615"));
  EXPECT_EQ(thrown("7").find("__n (which is #) >= this"),
            std::string("terminate called after throwing an instance of 'std::out_of_range' "
                        "vector::_M_range_check: ")
                .size());
}

}  // namespace
}  // namespace fuzz
