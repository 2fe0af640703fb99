// SPDX-License-Identifier: Apache-2.0
#include "fuzz/executor/script_executor.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fuzz/executor/fuzz_target.h"
#include "fuzz/script/script.h"
#include "harness/base/test_folders.h"
#include "harness/contact/served.h"
#include "harness/transport/testing.h"

namespace fuzz {
namespace {

using harness::transport::told;
using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

const std::string kPing = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
const std::string kReference = harness::binary_dir() + "/rpcspec-reference-server";

// A target of its own for each Driven.
class Driven {
 public:
  explicit Driven(std::vector<std::string> command, ExecutorOptions options = {}) {
    target_.command = std::move(command);
    meet(std::move(options));
    play(kPing);  // the first on a session is alone
  }
  explicit Driven(const std::string& url) {
    target_.url = url;
    meet({});
  }
  // It is started and reached at `url`, where {port} is a free one.
  Driven(std::vector<std::string> command, std::string url) {
    target_.command = std::move(command);
    target_.url = std::move(url);
    const harness::Status started = served_.start(io_, target_);
    if (!started) throw std::runtime_error(started.error().text());
    meet({});
  }
  ~Driven() {
    executor.reset();
    io_.restart();
    io_.run_for(std::chrono::milliseconds(300));
  }

  harness::Result<Execution> try_to_play(const std::string& text) {
    const Script script = read_script(text);
    return told<harness::Result<Execution>>(io_, [&]() { return executor->play(script); });
  }

  Execution play(const std::string& text) { return std::move(*try_to_play(text)); }

  std::vector<Execution> play_pipelined(const std::vector<std::string>& texts) {
    std::vector<Script> scripts;
    for (const std::string& text : texts) {
      scripts.push_back(read_script(text));
      EXPECT_TRUE(executor->can_pipeline(scripts.back())) << text;
    }
    return std::move(*told<harness::Result<std::vector<Execution>>>(
        io_, [&]() { return executor->play_pipelined(scripts); }));
  }

  std::unique_ptr<ScriptExecutor> another_executor() { return fuzz_target_->executor({}); }

  std::unique_ptr<ScriptExecutor> executor;

 private:
  void meet(ExecutorOptions options) {
    target_.name = "server";
    fuzz_target_.emplace(io_.get_executor(), target_, suite_, served_.service(io_.get_executor()),
                         std::chrono::milliseconds(2000));
    const auto met = told<harness::Status>(io_, [&] { return fuzz_target_->meet("jsonrpc-2.0"); });
    if (!met) throw std::runtime_error(met.error().text());
    executor = fuzz_target_->executor(std::move(options));
  }

  boost::asio::io_context io_{1};
  harness::target::Target target_;
  harness::suite::Suite suite_;
  harness::run::Served served_;
  std::optional<FuzzTarget> fuzz_target_;
};

// Refuses each request on a socket in a folder, in the name of whatever number it is asked under.
class Refusing {
 public:
  // A connection is closed after `most` replies, and at once where "bye" is said.
  explicit Refusing(int most) : most_(most) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::snprintf(address.sun_path, sizeof address.sun_path, "%s", path_.c_str());
    ::unlink(path_.c_str());
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    auto* raw = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, raw, sizeof address) != 0 || ::listen(listener_, 8) != 0)
      throw std::runtime_error("cannot listen on " + path_);
    thread_ = std::thread([this] { serve(); });
  }
  ~Refusing() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
    ::unlink(path_.c_str());
  }
  Refusing(const Refusing&) = delete;
  Refusing& operator=(const Refusing&) = delete;

  std::string url() const { return "unix:" + path_; }

 private:
  const std::string path_ = testing::TempDir() + "rpcspec-refusing-" + std::to_string(getpid());
  int most_, listener_ = -1;
  std::thread thread_;

  void serve() {
    for (int connection; (connection = ::accept(listener_, nullptr, nullptr)) >= 0;) {
      std::string text;
      char buffer[4096];
      int said = 0;
      for (ssize_t n; said < most_ && (n = ::read(connection, buffer, sizeof buffer)) > 0;) {
        text.append(buffer, static_cast<std::size_t>(n));
        if (text.find("bye") != std::string::npos) break;
        for (std::size_t end; said < most_ && (end = text.find('\n')) != std::string::npos;) {
          const std::size_t id = text.find("\"id\":") + 5;
          const std::string reply =
              "{\"jsonrpc\":\"2.0\",\"id\":" + text.substr(id, text.find(',', id) - id) +
              ",\"error\":{\"code\":-32601,\"message\":\"no\"}}\n";
          text.erase(0, end + 1);
          said += ::write(connection, reply.data(), reply.size()) > 0;
        }
      }
      ::close(connection);
    }
  }
};

// What went there and back, without the ids of canaries.
std::vector<std::string> said(const Execution& execution) {
  std::vector<std::string> out;
  for (const harness::wire::Frame& frame : execution.slices.at(0).transcript->frames) {
    const bool sent = frame.direction == harness::wire::Direction::kSent;
    std::string text = (sent ? "> " : "< ") + frame.bytes;
    if (const std::size_t at = text.find("\"id\":1000"); at != std::string::npos)
      text.erase(at, 11);
    out.push_back(std::move(text));
  }
  return out;
}

const std::vector<std::string> kScripts = {
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":"
    "5}\n",
    "{\n!raw [\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n",
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}\n!sync\n[]\n",
    "{\"jsonrpc\":\"2.0\",\"method\":\"ping\"}\n",
    "!answer sampling/createMessage none\n{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"none\"}\n",
};

TEST(Pipelining, HearsOfEachWhatItWouldHaveHeardAlone) {
  Driven one({kReference, "--profile", "jsonrpc-2.0"});
  Driven other({kReference, "--profile", "jsonrpc-2.0"});
  const std::vector<Execution> ahead = other.play_pipelined(kScripts);
  ASSERT_THAT(ahead, SizeIs(kScripts.size()));
  for (std::size_t i = 0; i < kScripts.size(); ++i) {
    const Execution alone = one.play(kScripts[i]);
    EXPECT_EQ(ahead[i].ending, Ending::kAnswered);
    EXPECT_EQ(said(ahead[i]), said(alone)) << kScripts[i];
    EXPECT_EQ(ahead[i].frames, alone.frames);
    EXPECT_EQ(ahead[i].sent.size(), alone.sent.size());
    EXPECT_EQ(ahead[i].missing, alone.missing);
  }
  EXPECT_EQ(one.executor->sessions(), other.executor->sessions());
  EXPECT_THAT(other.executor->journal(), SizeIs(kScripts.size() + 1));
}

TEST(Pipelining, TakesNoScriptThatWaits) {
  Driven driven({kReference, "--profile", "jsonrpc-2.0"});
  for (const char* text : {"!close\n{}\n", "!pause 5\n", "{\"id\":\"${1:/result}\"}\n",
                           "!chunks 2\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"})
    EXPECT_FALSE(driven.executor->can_pipeline(read_script(text))) << text;
}

TEST(Pipelining, IsOverWhereTheProcessEnds) {
  Driven driven({kReference, "--profile", "jsonrpc-2.0", "--fault", "planted-id-beyond-signed"});
  const std::string sound = kPing;
  const std::string fatal =
      "{\"jsonrpc\":\"2.0\",\"id\":9223372036854775808,\"method\":\"ping\"}\n";
  const std::vector<Execution> execution = driven.play_pipelined({sound, fatal, sound});
  ASSERT_FALSE(execution.empty());
  ASSERT_LE(execution.size(), 2u);  // what was answered before may not have been written any more
  EXPECT_EQ(execution.back().ending, Ending::kGone);
  EXPECT_THAT(execution.back().how, testing::StartsWith("signal"));
  EXPECT_EQ(driven.play(sound).ending, Ending::kAnswered);  // a new process
}

// Dies of the words "die" and "quit", and says so.
constexpr const char* kMortal = R"(
import json, os, sys
for line in sys.stdin:
    if line.strip() in ("die", "quit"):
        os.write(2, b"its last words\n")
        os.abort() if line.strip() == "die" else os._exit(1)
    reply = {"jsonrpc": "2.0", "id": json.loads(line)["id"], "error": {"code": -32601, "message": "no"}}
    print(json.dumps(reply), flush=True)
)";

TEST(ScriptExecutor, HearsTheLastWordsOfAProcessThatDiesBeforeItIsClosed) {
  Driven driven({"python3", "-c", kMortal});
  const Execution execution = driven.play("die\n!close\n");
  EXPECT_EQ(execution.ending, Ending::kGone);
  EXPECT_EQ(execution.how, "signal 6");
  EXPECT_EQ(execution.stderr_tail, "its last words\n");
  const Execution quit = driven.play("quit\n!close\n");
  EXPECT_EQ(quit.how, "exit 1");
  EXPECT_EQ(quit.stderr_tail, "its last words\n");
}

// Answers what came at once from the last to the first.
constexpr const char* kBackwards = R"(
import json, os, sys
while data := os.read(0, 65536):
    for line in reversed(data.splitlines()):
        reply = {"jsonrpc": "2.0", "id": json.loads(line)["id"], "error": {"code": -32601, "message": "no"}}
        os.write(1, json.dumps(reply).encode() + b"\n")
)";

TEST(Pipelining, IsGivenUpWhereRepliesComeBeforeTheirTime) {
  Driven driven({"python3", "-c", kBackwards});
  const std::string one = "{\"jsonrpc\":\"2.0\",\"id\":11,\"method\":\"a\"}\n";
  const std::string other = "{\"jsonrpc\":\"2.0\",\"id\":12,\"method\":\"a\"}\n";
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(driven.play_pipelined({one, other}).empty());
    EXPECT_EQ(driven.play(one).ending, Ending::kAnswered);
  }
  EXPECT_FALSE(driven.executor->can_pipeline(read_script(one)));
}

// Waits until the file has so many lines; they are process ids.
std::vector<int> lines_of(const std::string& file, std::size_t count) {
  std::vector<int> out;
  for (int tries = 0; tries < 1000 && out.size() < count; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::ifstream in(file);
    out.assign(std::istream_iterator<int>(in), {});
  }
  return out;
}

// What the server read of the scripts behind it may be why.
TEST(ScriptExecutor, LeavesAnEndAheadOfWhatWasWrittenToBePlayedAgain) {
  Refusing server(1000);
  Driven driven(server.url());
  EXPECT_EQ(driven.play(kPing).ending, Ending::kAnswered);
  EXPECT_THAT(driven.play_pipelined({kPing, "bye\n"}), SizeIs(0));
  EXPECT_EQ(driven.play(kPing).ending, Ending::kAnswered);
  EXPECT_EQ(driven.play("bye\n").ending, Ending::kGone);
}

TEST(ScriptExecutor, DoesNotPlayWhereAConnectionIsGoodForOneReply) {
  Refusing server(1);
  Driven driven(server.url());
  const harness::Result<Execution> execution = driven.try_to_play(kPing);
  ASSERT_FALSE(execution);
  EXPECT_THAT(execution.error().text(),
              testing::HasSubstr("closes each connection after one reply"));
}

TEST(ScriptExecutor, EndsALineOnlyWhereItIsOpen) {
  const auto blank_lines = [](const std::string& script) {
    Driven driven({kReference, "--profile", "jsonrpc-2.0"});
    const Execution execution = driven.play(script);
    std::size_t count = 0;
    for (const harness::wire::Frame& frame : execution.slices.at(0).transcript->frames)
      count += frame.direction == harness::wire::Direction::kSent && frame.bytes == "\n";
    return count;
  };
  EXPECT_EQ(blank_lines("!eol none\n" + kPing), 1u);
  EXPECT_EQ(blank_lines("!eol none\n" + kPing + kPing), 0u);
}

// What has no id is not missed by it; only the replies to later requests show that it was passed
// over.
TEST(ScriptExecutor, AsksTwiceBehindAMessageWithoutAnId) {
  Driven driven({kReference, "--profile", "jsonrpc-2.0"});
  const auto sent = [&] {
    const Execution execution = driven.play("7\n");
    const auto& frames = execution.slices.at(0).transcript->frames;
    return std::count_if(frames.begin(), frames.end(), [](const harness::wire::Frame& frame) {
      return frame.direction == harness::wire::Direction::kSent;
    });
  };
  EXPECT_EQ(sent(), 2);
  driven.executor->set_care(Care::kPatient);
  EXPECT_EQ(sent(), 3);
}

// Nothing tells a session over HTTP that the process it was with has been replaced.
TEST(ScriptExecutor, LeavesASessionWhoseProcessSomebodyElseStartedAnew) {
  Driven driven({kReference, "--profile", "jsonrpc-2.0", "--transport", "http", "--port", "{port}"},
                "http://127.0.0.1:{port}/mcp");
  EXPECT_EQ(driven.play(kPing).ending, Ending::kAnswered);
  EXPECT_EQ(driven.play(kPing).ending, Ending::kAnswered);
  EXPECT_EQ(driven.executor->sessions(), 1u);
  std::unique_ptr<ScriptExecutor> one = driven.another_executor();
  one.swap(driven.executor);
  driven.executor->forget_process();
  EXPECT_EQ(driven.play(kPing).ending, Ending::kAnswered);
  one.swap(driven.executor);
  EXPECT_EQ(driven.play(kPing).ending, Ending::kAnswered);
  EXPECT_EQ(driven.executor->sessions(), 2u);
  // Nor did that end the process of the other.
  one.swap(driven.executor);
  EXPECT_EQ(driven.play(kPing).ending, Ending::kAnswered);
  EXPECT_EQ(driven.executor->sessions(), 1u);
}

// Over HTTP, takes as many milliseconds as the method says.
constexpr const char* kTardy = R"(
import http.server, json, sys, time
class Post(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    def do_POST(self):
        said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        time.sleep((int(said["method"]) if said["method"].isdigit() else 0) / 1000)
        error = {"code": -32601, "message": "no"}
        body = json.dumps({"jsonrpc": "2.0", "id": said["id"], "error": error}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *words): pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Post).serve_forever()
)";

std::string taking(int milliseconds) {
  return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + std::to_string(milliseconds) + "\"}\n";
}

// What comes late now and then is not waited for each time, and not taken for missing.
TEST(ScriptExecutor, SaysWhereItDidNotWaitForAnExchange) {
  Driven driven({"python3", "-c", kTardy, "{port}"}, "http://127.0.0.1:{port}/");
  bool hasty = false;
  for (int round = 0; round < 40 && !hasty; ++round) {
    for (int i = 0; i < 10; ++i) driven.play(taking(5));
    const Execution execution = driven.play(taking(200));
    EXPECT_EQ(execution.missing > 0, execution.hasty);
    hasty = execution.hasty;
  }
  ASSERT_TRUE(hasty);
  driven.executor->look_closely();
  const Execution waited = driven.play(taking(200));
  EXPECT_EQ(waited.missing, 0u);
  EXPECT_FALSE(waited.hasty);
}

// Asks before it answers `hold`.
constexpr const char* kAsking = R"(
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    if message.get("method") == "hold":
        held = message["id"]
        reply |= {"id": "asked", "method": "ask"}
    elif "method" in message:
        reply |= {"error": {"code": -32601, "message": "no"}}
    else:
        reply |= {"id": held, "result": 0}
    print(json.dumps(reply), flush=True)
)";

// A reply that waits for an answer of ours does not come before the step that gives it.
TEST(Schedules, DoNotWaitOutWhatWaitsForAnAnswerThatIsHeld) {
  constexpr std::chrono::microseconds kPatience = std::chrono::minutes(1);
  Driven driven({"python3", "-c", kAsking});
  driven.executor->set_patience(std::chrono::duration_cast<std::chrono::milliseconds>(kPatience));
  const Execution execution = driven.play(
      "!answer * held\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hold\"}\n!await 1\n!release "
      "first\n");
  EXPECT_EQ(execution.ending, Ending::kAnswered);
  EXPECT_EQ(execution.missing, 0u);
  const auto& frames = execution.slices.at(0).transcript->frames;
  const auto time_of = [&](const char* text) {
    const auto found = std::find_if(frames.begin(), frames.end(), [&](const auto& frame) {
      return frame.bytes.find(text) != std::string::npos &&
             frame.direction == harness::wire::Direction::kSent;
    });
    EXPECT_NE(found, frames.end()) << text;
    return found == frames.end() ? 0 : found->time_us;
  };
  EXPECT_LT(time_of("asked") - time_of("hold"), kPatience.count());
}

TEST(ScriptExecutor, StartsTheNextProcessAhead) {
  const std::string log = testing::TempDir() + "rpcspec-executor-test-" + std::to_string(getpid());
  ExecutorOptions options;
  options.starts_ahead = true;
  Driven driven({"/bin/sh", "-c", "echo $$ >> " + log + "; exec " + kReference}, options);
  const std::size_t met = lines_of(log, 3).size() - 2;  // before there was a session
  EXPECT_THAT(lines_of(log, met + 2), SizeIs(met + 2));
  // The one ahead is used, and there is another.
  driven.executor->forget_session();
  EXPECT_EQ(driven.play(kPing).ending, Ending::kAnswered);
  const std::vector<int> started = lines_of(log, met + 3);
  ASSERT_THAT(started, SizeIs(met + 3));
  // What has ended while it waited is passed over.
  ::kill(started.back(), SIGKILL);
  driven.executor->forget_session();
  EXPECT_EQ(driven.play(kPing).ending, Ending::kAnswered);
  EXPECT_THAT(lines_of(log, met + 5), SizeIs(met + 5));
  std::remove(log.c_str());
}

}  // namespace
}  // namespace fuzz
