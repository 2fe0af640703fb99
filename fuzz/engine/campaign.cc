// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine/campaign.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "fuzz/engine/suspect.h"
#include "fuzz/minimizer/finding_folder.h"
#include "fuzz/mutate/random.h"

namespace fuzz {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kTick{200};
constexpr milliseconds kFarewell{5000};  // from the wish to stop to the end
constexpr milliseconds kOneWish{500};  // what asks within that asks once: timeout(1) does so twice
constexpr std::size_t kMostSaid = 8192;  // of a worker's stderr, the end

// A folder that is gone at the end.
struct Scratch {
  std::string path;
  Scratch() {
    std::string wanted = (std::filesystem::temp_directory_path() / "rpcspec-XXXXXX").string();
    if (mkdtemp(wanted.data()) != nullptr) path = wanted;
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path.empty()) std::filesystem::remove_all(path, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
};

struct Child {
  WorkerOptions options;
  pid_t process = -1;
  int said = -1;  // its stderr
  std::string text;
  std::uint64_t corpus = 0;
  bool running = true;
};

// One for each worker, and others for each seed of the campaign; never 0, which is none.
std::uint32_t seed_of(std::uint64_t seed, std::uint64_t worker) {
  return static_cast<std::uint32_t>(Random(seed ^ (worker << 32)).next() >> 32) | 1u;
}

// The engine tells of its corpus in lines like "#513 NEW cov: … corp: 12/3456b …".
void read_corpus(Child& child) {
  const std::size_t at = child.text.rfind("corp: ");
  if (at == std::string::npos) return;
  const char* first = child.text.data() + at + 6;
  std::from_chars(first, child.text.data() + child.text.size(), child.corpus);
}

void listen(Child& child) {
  char buffer[4096];
  for (;;) {
    const ssize_t got = read(child.said, buffer, sizeof buffer);
    if (got <= 0) break;
    child.text.append(buffer, static_cast<std::size_t>(got));
  }
  read_corpus(child);
  if (child.text.size() > kMostSaid) child.text.erase(0, child.text.size() - kMostSaid);
}

Standing standing_of(const Board& board, const std::vector<Child>& children,
                     Clock::time_point began) {
  Standing out;
  out.profile = board.profile();
  out.elapsed = std::chrono::duration_cast<milliseconds>(Clock::now() - began);
  for (std::size_t i = 0; i < children.size(); ++i) {
    const WorkerRow& row = board.workers[i];
    out.execs += row.execs;
    out.frames += row.frames;
    out.sessions += row.sessions;
    out.findings += row.findings;
    out.flaky += row.flaky;
    out.unconfirmed += row.unconfirmed;
    out.withheld += row.withheld;
    out.behaviours = std::max<std::uint64_t>(out.behaviours, row.behaviours);
    out.places = std::max<std::uint64_t>(out.places, row.places);
    out.last_new = std::max(out.last_new, milliseconds(row.last_new));
    out.corpus = std::max(out.corpus, children[i].corpus);
    out.confirming += static_cast<int>(row.confirming);
    out.running += children[i].running;
  }
  out.ending = board.stop;
  return out;
}

}  // namespace

harness::Result<Ended> run_campaign(const CampaignOptions& options,
                                    const harness::target::Target& target,
                                    const harness::suite::Suite& suite,
                                    const harness::spec::Registry& registry,
                                    const std::function<int()>& asked,
                                    const std::function<void(const Standing&)>& tell) {
  harness::Result<Board*> made = Board::make();
  if (!made) return made.error();
  Board& board = **made;
  for (const Found& known : findings_in(options.worker.findings)) board.claim(known.signature);
  const Scratch scratch;
  if (scratch.path.empty())
    return harness::Error{"", std::string("no temporary folder: ") + std::strerror(errno), ""};
  const Clock::time_point began = Clock::now();
  // Nobody comes to play nothing.
  const auto jobs = static_cast<std::uint64_t>(options.jobs);
  std::vector<Child> children(options.execs == 0 ? jobs : std::min(jobs, options.execs));
  for (std::size_t i = 0; i < children.size(); ++i) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      return harness::Error{"", std::string("no pipe: ") + std::strerror(errno), ""};
    WorkerOptions& mine = children[i].options;
    mine = options.worker;
    mine.number = i;
    mine.workers = children.size();
    mine.scratch = scratch.path + "/" + std::to_string(i);
    const pid_t parent = getpid();
    const pid_t process = fork();
    if (process < 0)
      return harness::Error{"", std::string("no process: ") + std::strerror(errno), ""};
    if (process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(1);
      for (const int wish : {SIGINT, SIGTERM, SIGHUP})
        signal(wish, SIG_IGN);  // the parent says when
      dup2(ends[1], STDERR_FILENO);
      std::filesystem::create_directory(mine.scratch);
      mine.engine.folders.push_back(mine.scratch);
      mine.engine.seed = seed_of(options.seed, i);
      mine.execs = options.execs / children.size() + (i < options.execs % children.size() ? 1 : 0);
      mine.engine.reload = options.jobs > 1;
      work(mine, target, suite, registry, board);
    }
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    children[i].process = process;
    children[i].said = ends[0];
  }

  Ended ended;
  Clock::time_point stopped{};
  int heard = 0;  // wishes
  std::uint64_t unconfirmed = 0;
  for (bool running = true; running;) {
    std::vector<pollfd> ears;
    for (const Child& child : children)
      if (child.running) ears.push_back({child.said, POLLIN, 0});
    poll(ears.data(), ears.size(), static_cast<int>(kTick.count()));
    const bool over =
        (options.seconds > 0 && Clock::now() - began >= std::chrono::seconds(options.seconds)) ||
        (options.stop_at_first && standing_of(board, children, began).findings > 0);
    const int wishes = asked();
    if ((over || wishes > 0) && !board.stop) {
      ended.interrupted = !over;
      board.stop = true;
      stopped = Clock::now();
    }
    const bool at_once = wishes > heard && Clock::now() - stopped > kOneWish;
    if (!at_once) heard = wishes;
    running = false;
    for (Child& child : children) {
      if (!child.running) continue;
      listen(child);
      int status = 0;
      if (waitpid(child.process, &status, WNOHANG) == child.process) {
        listen(child);
        child.running = false;
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 4;
        const bool told_to = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && board.stop;
        if (code != 0 && !told_to) {
          const std::size_t at = child.text.rfind("rpcspec: ");
          ended.message = at == std::string::npos ? child.text : child.text.substr(at + 9);
          if (WIFSIGNALED(status))
            ended.message = "a worker was ended by signal " + std::to_string(WTERMSIG(status)) +
                            "; unless somebody sent it, this is a mistake of rpcspec";
          while (!ended.message.empty() && ended.message.back() == '\n') ended.message.pop_back();
          ended.code = std::max(ended.code, code);
          if (!board.stop) stopped = Clock::now();
          board.stop = true;
        }
        unconfirmed += keep_suspect(suspect_file(child.options), options.worker.findings);
        close(child.said);
        continue;
      }
      running = true;
      const bool looking = board.workers[child.options.number].confirming != 0;
      const milliseconds most = looking ? milliseconds(kLastLook) : kFarewell;
      if (board.stop && (at_once || Clock::now() - stopped > most)) kill(child.process, SIGKILL);
    }
    tell(standing_of(board, children, began));
  }
  ended.standing = standing_of(board, children, began);
  ended.standing.unconfirmed += unconfirmed;
  if (ended.code == 0 && ended.standing.execs == 0 && !ended.interrupted) {
    ended.code = kUnreachable;
    ended.message = "no script could be played: the target did not answer in " +
                    std::to_string(ended.standing.elapsed.count() / 1000) +
                    " s; start it by hand with the same command and look at what it prints, or "
                    "allow more time";
  }
  for (std::size_t i = 0; i < children.size(); ++i)
    ended.digest = (ended.digest ^ board.workers[i].digest) * 0x100000001B3u;
  return ended;
}

}  // namespace fuzz
