// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/formats.h"

#include <gtest/gtest.h>

#include "harness/base/uri.h"

namespace harness::spec {
namespace {

struct Row {
  const char* text;
  bool sound;
};

TEST(Formats, Uris) {
  for (const Row& row :
       {Row{"https://example.com/a?b#c", true}, Row{"test://watched", true}, Row{"urn:x", true},
        Row{"file:///b\xC3\xA4r", true}, Row{"memo:%20", true}, Row{"a/b", false}, Row{"", false},
        Row{":x", false}, Row{"1a:x", false}, Row{"file:///a b", false}, Row{"file:///%2", false},
        Row{"file:///{id}", false}}) {
    EXPECT_EQ(is_uri(row.text), row.sound) << row.text;
  }
  EXPECT_EQ(scheme_of("HTTPS://x"), "https");
  EXPECT_EQ(scheme_of("no scheme: x"), "");
}

TEST(Formats, HttpsUris) {
  for (const Row& row :
       {Row{"https://example.com", true}, Row{"http://127.0.0.1:8080/x", true},
        Row{"http://localhost/", true}, Row{"http://[::1]/", true},
        Row{"http://example.com", false}, Row{"ftp://localhost", false}, Row{"x", false}}) {
    EXPECT_EQ(is_https_uri(row.text), row.sound) << row.text;
  }
}

TEST(Formats, PrefixedNames) {
  for (const Row& row :
       {Row{"io.modelcontextprotocol/tasks", true}, Row{"com.example/a.b-c_d", true},
        Row{"a1/2", true}, Row{"tasks", false}, Row{"/tasks", false}, Row{"com.example/", false},
        Row{"1com/x", false}, Row{"com..a/x", false}, Row{"com-/x", false}, Row{"com/x-", false},
        Row{"com/a/b", false}}) {
    EXPECT_EQ(is_prefixed_name(row.text), row.sound) << row.text;
  }
}

TEST(Formats, UriTemplates) {
  for (const Row& row :
       {Row{"test://{id}/data", true}, Row{"file:///{+path}", true}, Row{"a{?x,y*,z:3}", true},
        Row{"plain", true}, Row{"", false}, Row{"a{", false}, Row{"a}", false}, Row{"a{}", false},
        Row{"a{b c}", false}, Row{"a{b:}", false}, Row{"a b", false}, Row{"{{id}}", false}}) {
    EXPECT_EQ(is_uri_template(row.text), row.sound) << row.text;
  }
}

TEST(Formats, Base64) {
  for (const Row& row :
       {Row{"", true}, Row{"YQ==", true}, Row{"YWI=", true}, Row{"a+/9", true}, Row{"YQ", false},
        Row{"YQ=\n", false}, Row{"Y-_9", false}, Row{"====", false}, Row{"YQ==YQ==", false}}) {
    EXPECT_EQ(is_base64(row.text), row.sound) << row.text;
  }
  for (const Row& row :
       {Row{"YQ", true}, Row{"YWJj\nYWJj", false}, Row{"Y-_9", true}, Row{"YQ==", true},
        Row{"YQ==YQ==", false}, Row{"Y", false}, Row{"data:image/png;base64,YQ==", false}}) {
    EXPECT_EQ(is_some_base64(row.text), row.sound) << row.text;
  }
  EXPECT_TRUE(has_base64_data("https://x"));
  EXPECT_TRUE(has_base64_data("data:image/png;base64,iVBORw0KGgo="));
  EXPECT_FALSE(has_base64_data("data:image/svg+xml,<svg/>"));
}

TEST(Formats, DatesAndTimes) {
  for (const Row& row :
       {Row{"2025-11-25T10:30:00Z", true}, Row{"2025-11-25T10:30:00.123+02:00", true},
        Row{"2025-11-25", true}, Row{"2025-11-25 10:30", true}, Row{"20251125T103000Z", true},
        Row{"2025-W48-2", true}, Row{"2025-11", true}, Row{"2025-13-01", false},
        Row{"2025-11-32", false}, Row{"2025-11-25T25:00:00Z", false}, Row{"yesterday", false},
        Row{"1764064200", false}, Row{"Tue, 25 Nov 2025", false}, Row{"", false},
        Row{"2025-11-25T10:30:00Zulu", false}}) {
    EXPECT_EQ(is_date_time(row.text), row.sound) << row.text;
  }
}

TEST(Formats, MediaTypes) {
  for (const Row& row : {Row{"image/png", true}, Row{"image/svg+xml", true},
                         Row{"Image/PNG; q=1", true}, Row{"png", false}, Row{"image/", false},
                         Row{"/png", false}, Row{"image/p ng", false}, Row{"text/plain", false}}) {
    EXPECT_EQ(is_media_type(row.text, "image"), row.sound) << row.text;
  }
  EXPECT_TRUE(is_media_type("text/plain;charset=utf-8"));
}

}  // namespace
}  // namespace harness::spec
