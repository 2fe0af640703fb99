// SPDX-License-Identifier: Apache-2.0
// ScriptExecutor: keeps a session with a Target open and plays Scripts on it, one after the other.
// It judges nothing; what it saw is in Execution.
//
//   Script ──► frames up to a wait, in one write ──► replies ──► … ──► canary and its reply
//
// On a stream several Scripts may be written ahead of the replies to the first: what comes up to
// the reply to the canary of one belongs to that one, as if they had been played one after the
// other.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/executor/adaptive_wait.h"
#include "fuzz/script/script.h"
#include "harness/base/result.h"
#include "harness/run/pool.h"
#include "harness/session/session.h"
#include "harness/wire/frame.h"
#include "harness/wire/message.h"
#include "harness/wire/message_cache.h"
#include "harness/wire/used_ids.h"

namespace fuzz {

// How a Script ended.
enum class Ending {
  kAnswered,  // the canary, a request sent after everything else, was answered
  kSilent,    // it was not, and the connection is still open
  kGone,      // the connection or the process ended, and the script did not ask for it
};

struct Execution {
  // What was sent and received for the script, canary and all; one piece for each connection it
  // used. Sequence numbers run on.
  struct Stretch {
    std::shared_ptr<const harness::wire::Transcript> transcript;
    harness::wire::Messages messages;    // its frames, read
    harness::wire::UsedIds earlier_ids;  // id_key of requests sent on that session before
    harness::json::Value server_capabilities;
    harness::json::Value client_capabilities;
  };
  std::vector<Stretch> stretches;
  // Where each step that was sent stands in them, in the order of the script.
  struct SentStep {
    std::size_t step = 0;     // index into Script::steps: a Frame or Raw
    std::size_t stretch = 0;  // index into stretches
    std::uint64_t seq = 0;    // of its frame there
    int exchange = 0;         // HTTP
  };
  std::vector<SentStep> sent;
  Ending ending = Ending::kAnswered;
  std::string how;            // of kGone: "signal 11", "exit 1", "eof", "flood"
  std::string stderr_tail;    // of kGone: the last it printed
  std::size_t frames = 0;     // sent by the script
  std::size_t missing = 0;    // requests of the script that were not answered
  std::size_t withheld = 0;   // frames left out: they would call a tool that may not be called
  bool served_ended = false;  // kGone: the process that listens, and that we started
  bool first = false;         // nothing was played on this session before
  // Earlier scripts had not got all their replies, so far as is known: what came may be of those.
  bool unsettled = false;
  // Of what was written ahead: a reply came before its time, and nothing else here is to be
  // trusted.
  bool disordered = false;
  // Worth playing alone and closely: what is missing was not waited for.
  bool wants_a_look = false;
  // HTTP: an exchange was left open that may well be answered late. What is missing may be that.
  bool hasty = false;
  std::chrono::microseconds took{};  // without pauses, new sessions and waits without effect
};

// How sure to be of what does not come.
enum class Care {
  kQuick,     // mostly nothing is waited for that comes behind the reply to the canary
  kThorough,  // one more request shows that what has not come was passed over
  kPatient,   // likewise, after a wait for whatever comes late
  kDogged,    // likewise, after kHang, and as long as for any reply
};

// A silence that lasts so long is one. Whoever says that a server hangs waits for it.
inline constexpr std::chrono::milliseconds kHang{5000};

struct ExecutorOptions {
  // A session that is still sound is left after so many scripts or so many frames.
  std::size_t scripts_per_session = 1000;
  std::size_t frames_per_session = 20000;
  // Tools that may not be called, and why; FuzzTarget::executor() adds those of its target.
  std::map<std::string, std::string> forbidden;
  // What tools/list holds: over HTTP some arguments are sent in headers too. FuzzTarget::executor()
  // says.
  harness::json::Value tools;
  bool keeps_journal = true;
  // While a session is used, the process of the next is started, where each has one of its own.
  bool starts_ahead = false;
};

class ScriptExecutor {
 public:
  // `pool` has been settled on the profile. What is passed by reference outlives the
  // ScriptExecutor.
  ScriptExecutor(harness::run::Pool& pool, ExecutorOptions options);
  ~ScriptExecutor();

  // Opens a session when there is none. The Error says why no session can be opened.
  harness::session::awaitable<harness::Result<Execution>> play(const Script& script);
  // Whether it may be one of those that play_pipelined() plays: never without a session, nor with a
  // server that was seen to answer out of order.
  bool can_pipeline(const Script& script) const;
  // Plays scripts of which can_pipeline() is true, all written at once. As many as were played: the
  // last of them may have ended the session, or a reply came before its time; what was written
  // behind is void. Of a server that answers out of order can_pipeline() is soon false.
  harness::session::awaitable<harness::Result<std::vector<Execution>>> play_pipelined(
      const std::vector<Script>& scripts);

  void set_care(Care care) { care_ = care; }
  Care care() const { return care_; }
  // The next script is looked at as one in some dozens is: what does not come is waited for where
  // that was ever of use, and one more request shows that it was passed over.
  void look_closely() { closely_ = true; }
  // Where the reply to the canary is waited for, how long nothing at all may come; nothing: it
  // may take as long as any reply. Who sets it asks for silence: what comes behind that reply is
  // not waited for.
  void set_patience(std::optional<std::chrono::milliseconds> patience) { patience_ = patience; }
  std::optional<std::chrono::milliseconds> patience() const { return patience_; }
  // It was seen to answer later than is usual.
  bool is_slow() const { return slow_.ever_came(); }
  // The next script gets a new session.
  void forget_session();
  // Likewise, and where we started the process behind it a new one of that.
  void forget_process();
  // What was played on the session since it was opened, the last script included; of a session that
  // was left, until the next script is played.
  const std::vector<Script>& journal() const { return journal_; }
  std::uint64_t sessions() const { return sessions_; }
  const harness::session::Session* session() const { return session_.get(); }

 private:
  struct Playing;
  harness::session::awaitable<harness::Status> reopen();
  harness::session::awaitable<harness::Status> be_ready();
  harness::session::awaitable<bool> greet(bool starting);
  harness::session::awaitable<void> finish(Playing& playing);
  harness::session::awaitable<void> see_end();
  // What an earlier script is owed, where replies were ever seen to come behind later ones.
  bool may_yet_come() const { return owed_for_ > 0 && !stragglers_.lost(); }

  harness::run::Pool& pool_;
  ExecutorOptions options_;
  std::shared_ptr<harness::wire::MessageCache> cache_ =
      std::make_shared<harness::wire::MessageCache>();
  harness::run::SessionPtr session_;
  std::vector<Script> journal_;
  std::size_t scripts_ = 0;  // on this session
  std::size_t frames_ = 0;   // likewise
  std::uint64_t sessions_ = 0;
  std::uint64_t life_ = 0;      // of the process that this session is with
  std::size_t unanswered_ = 0;  // on this session, by earlier scripts
  int owed_for_ = 0;  // scripts in which a reply without an id, or an array, may still come
  Care care_ = Care::kQuick;
  std::optional<std::chrono::milliseconds> patience_;
  std::size_t ahead_ = 0;       // scripts written ahead
  std::size_t disordered_ = 0;  // of those
  bool closely_ = false;
  bool asks_ = false;                     // the server has sent requests of its own
  bool silent_ = false;                   // the process may hang
  bool renew_ = false;                    // the process is to be started anew
  AdaptiveWait stragglers_{12, 8};        // replies that come behind that of the canary
  std::chrono::microseconds lateness_{};  // of the latest of a script, a moving average
  AdaptiveWait slow_{3, 1};               // a reply to the canary that takes longer than is usual
  AdaptiveWait late_ends_{12, 1};         // the end of a process behind that of its connection
  AdaptiveWait cut_bodies_{12, 8};        // an answer to a body that is not all there
  AdaptiveWait open_exchanges_{12, 8};    // an answer behind that of the canary, over HTTP
};

}  // namespace fuzz
