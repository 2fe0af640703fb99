// SPDX-License-Identifier: Apache-2.0
#include "fuzz/executor/delivery.h"

#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/transport/scripted.h"

namespace fuzz {
namespace {

using harness::target::Framing;
using harness::transport::Scripted;
using harness::wire::TransportKind;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

Frame frame_of(std::string_view text) { return std::get<Frame>(read_script(text).steps.at(0)); }

Scripted wire_of(std::string_view name) {
  if (name == "lengths")
    return Scripted(TransportKind::kStdioContentLength, Framing::kContentLength);
  return Scripted(name == "http"        ? TransportKind::kHttp
                  : name == "websocket" ? TransportKind::kWebSocket
                                        : TransportKind::kStdio);
}

struct DeliveryRow {
  const char* wire;
  const char* script;
  std::vector<std::string> writes;
  bool as_agreed;
};

const DeliveryRow kDelivery[] = {
    {"lines", "{}\n", {"{}\n"}, true},
    {"lines", "!eol crlf\n{}\n", {"{}\r\n"}, true},
    {"lines", "!eol none\n{}\n", {"{}"}, false},
    {"lines", "!eol cr\n{}\n", {"{}\r"}, false},
    {"lines", "!frame \"1\\n2\"\n", {"1\n2\n"}, false},
    {"lines", "!chunks 1 2\n[1,2]\n", {"[", "1,", "2]\n"}, true},
    {"lines", "!chunks 99\n{}\n", {"{}\n"}, true},
    {"lines", "!length 7\n!opcode binary\n{}\n", {"{}\n"}, true},  // what it does not have
    {"lengths", "{}\n", {"Content-Length: 2\r\n\r\n{}"}, true},
    {"lengths", "!length 7\n{}\n", {"Content-Length: 7\r\n\r\n{}"}, false},
    {"lengths", "!length -1\n{}\n", {"Content-Length: 1\r\n\r\n{}"}, false},
    {"lengths", "!frame \"1\\n2\"\n", {"Content-Length: 3\r\n\r\n1\n2"}, true},
    {"http", "{}\n", {"{}"}, true},
    {"http", "!chunks 1\n{}\n", {"{}"}, true},
    {"http", "!length 7\n{}\n", {"{}"}, false},
    {"http", "!header Content-Length: 2\n{}\n", {"{}"}, true},
    {"http", "!header content-length: 3\n{}\n", {"{}"}, false},
    {"http", "!header Transfer-Encoding: chunked\n{}\n", {"{}"}, false},
    {"http", "!frame \"1\\n2\"\n", {"1\n2"}, true},
};

TEST(Deliver, WritesAFrameAsTheWireHasIt) {
  for (const DeliveryRow& row : kDelivery) {
    const Scripted wire = wire_of(row.wire);
    const DeliveredFrame delivered = deliver(frame_of(row.script), wire);
    EXPECT_THAT(delivered.writes, ElementsAreArray(row.writes)) << row.wire << ": " << row.script;
    EXPECT_EQ(delivered.as_agreed, row.as_agreed) << row.wire << ": " << row.script;
  }
}

TEST(Deliver, CutsAMessageIntoFramesOfAWebSocket) {
  const Scripted wire(TransportKind::kWebSocket);
  const DeliveredFrame whole = deliver(frame_of("!fragments 1\n{}\n"), wire);
  EXPECT_TRUE(whole.as_agreed);
  ASSERT_EQ(whole.writes.size(), 1u);
  // Two frames of one byte each behind six of head and mask: text, to be continued; the end of it.
  ASSERT_EQ(whole.writes[0].size(), 14u);
  EXPECT_EQ(whole.writes[0][0], '\x01');
  EXPECT_EQ(whole.writes[0][7], '\x80');
  EXPECT_FALSE(deliver(frame_of("!opcode binary\n{}\n"), wire).as_agreed);
}

TEST(Deliver, SaysWhatIsUnusualInTheHeadOfARequest) {
  const Scripted wire(TransportKind::kHttp);
  const DeliveredFrame delivered =
      deliver(frame_of("!http-method PUT\n!header A: b\n!header C\n!length +1\n{}\n"), wire);
  EXPECT_EQ(delivered.http.method, "PUT");
  std::vector<std::string> headers;
  for (const auto& header : delivered.http.headers)
    headers.push_back(header.name + "=" + header.value);
  EXPECT_THAT(headers, ElementsAre("A=b", std::string("C=") + '\0', "Content-Length=3"));
}

TEST(ShownText, IsTheBytesOfWhatIsNotFramedAsAgreed) {
  const auto shown = [](const char* wire_name, const char* script) {
    const Scripted wire = wire_of(wire_name);
    const Frame frame = frame_of(script);
    return shown_text(frame, deliver(frame, wire), wire);
  };
  EXPECT_EQ(shown("lines", "!eol crlf\n{}\n"), "{}");
  EXPECT_EQ(shown("lines", "!chunks 1\n!eol none\n{}\n"), "{}");
  EXPECT_EQ(shown("lengths", "!length 7\n{}\n"), "Content-Length: 7\r\n\r\n{}");
  EXPECT_EQ(shown("http", "!length 7\n{}\n"), "{}");
}

std::vector<std::string> bytes_in(WriteQueue& queue) {
  std::vector<std::string> out;
  for (const WriteQueue::Entry& one : queue.take())
    out.push_back(one.bytes + (one.unframed ? " (unframed)" : ""));
  return out;
}

TEST(WriteQueue, KeepsWhatGoesOutTogether) {
  const Scripted wire(TransportKind::kStdio);
  WriteQueue queue;
  queue.connect(wire);
  EXPECT_TRUE(queue.add(frame_of("1\n"), {1, 0}));
  EXPECT_TRUE(queue.add(frame_of("!frame \"2\\n3\"\n"), {2, 1}));
  EXPECT_FALSE(queue.add(frame_of("!chunks 1\n{}\n"), {3, 2}));  // a write of its own
  queue.add_canary("canary");
  EXPECT_THAT(bytes_in(queue), ElementsAre("1\n", "2\n3\n (unframed)", "canary\n"));
  EXPECT_THAT(queue.take(), IsEmpty());
  EXPECT_FALSE(queue.torn());  // lines begin anew
}

TEST(WriteQueue, EndsAnOpenLineBeforeTheCanary) {
  const Scripted wire(TransportKind::kStdio);
  WriteQueue queue;
  queue.connect(wire);
  queue.add_raw("{\"a\"", {0, 0, true, false});
  queue.add_canary("canary");
  EXPECT_THAT(bytes_in(queue), ElementsAre("{\"a\" (unframed)", "\n (unframed)", "canary\n"));
  queue.note_sent_alone(deliver(frame_of("!chunks 1\n!eol none\n[]\n"), wire));
  queue.add_canary("canary");
  EXPECT_THAT(bytes_in(queue), ElementsAre("\n (unframed)", "canary\n"));
  queue.note_sent_alone(deliver(frame_of("!chunks 1\n[]\n"), wire));
  queue.add_canary("canary");
  EXPECT_THAT(bytes_in(queue), ElementsAre("canary\n"));
}

TEST(WriteQueue, IsTornByBrokenLengthsUntilThereIsANewConnection) {
  const Scripted wire = wire_of("lengths");
  WriteQueue queue;
  queue.connect(wire);
  EXPECT_TRUE(queue.add(frame_of("{}\n"), {1, 0}));
  EXPECT_FALSE(queue.torn());
  EXPECT_TRUE(queue.add(frame_of("!length 7\n{}\n"), {2, 1}));
  EXPECT_TRUE(queue.torn());
  EXPECT_TRUE(queue.add(frame_of("{}\n"), {3, 2}));
  EXPECT_TRUE(queue.torn());
  queue.connect(wire);
  EXPECT_FALSE(queue.torn());
  queue.add_raw("x", {0, 3, true, false});
  EXPECT_TRUE(queue.torn());
}

TEST(WriteQueue, HasUnusualRequestsSentAlone) {
  const Scripted wire(TransportKind::kHttp);
  WriteQueue queue;
  queue.connect(wire);
  EXPECT_TRUE(queue.add(frame_of("{}\n"), {1, 0}));
  EXPECT_FALSE(queue.add(frame_of("!header A: b\n{}\n"), {2, 1}));
  queue.note_sent_alone(deliver(frame_of("!length 7\n{}\n"), wire));
  EXPECT_FALSE(queue.torn());  // the next request has a head of its own
}

TEST(WriteQueue, KnowsWhereEachStandsInItsScript) {
  const Scripted wire(TransportKind::kStdio);
  WriteQueue queue;
  queue.connect(wire);
  queue.add(frame_of("{}\n"), {1, 4});
  queue.add_raw("x\n", {0, 5, true, false});
  queue.add_canary("canary");
  std::vector<ScriptPlace> places;
  for (const WriteQueue::Entry& one : queue.take()) places.push_back(one.place);
  EXPECT_THAT(places, ElementsAre(ScriptPlace{1, 4, true, true}, ScriptPlace{0, 5, true, false},
                                  ScriptPlace{0, 0, false, true}));
}

}  // namespace
}  // namespace fuzz
